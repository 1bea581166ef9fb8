#include "span/losses.h"

#include <stdlib.h>

#include "span/spans.h"
#include "index/packet_index.h"
#include "language/running.h"
#include "model/loss.h"

/* ---- ranges ---- */

static int
by_begin(const void *a, const void *b)
{
	const struct tn_lost_range *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/*
 * Insert a range, usually at the end. Ranges that overlap are joined. Two that only touch stay separate, because nothing
 * was lost at the time between them, and a span without duration at this time is not doubtful.
 */
static bool
add(struct tn_lost_ranges *r, int64_t begin_ns, int64_t end_ns)
{
	struct tn_lost_range *last = r->range.n ? &r->range.item[r->range.n - 1] : NULL;

	if (last && begin_ns >= last->begin_ns && begin_ns < last->end_ns) {
		if (end_ns > last->end_ns)
			last->end_ns = end_ns;
		return true;
	}
	last = TN_ARRAY_ADD(&r->range);
	if (last)
		*last = (struct tn_lost_range) { .begin_ns = begin_ns, .end_ns = end_ns };
	return last != NULL;
}

static void
finish(struct tn_lost_ranges *r)
{
	int64_t latest = INT64_MIN;

	if (r->range.n)
		qsort(r->range.item, r->range.n, sizeof *r->range.item, by_begin);
	for (size_t i = 0; i < r->range.n; i++) {
		if (r->range.item[i].end_ns > latest)
			latest = r->range.item[i].end_ns;
		r->range.item[i].latest_ns = latest;
	}
	r->known = true;
}

/* Whether a part of some range is between the two times. */
static bool
touch(const struct tn_lost_ranges *r, int64_t begin_ns, int64_t end_ns)
{
	size_t lo = 0;

	TN_BISECT(lo, r->range.n, mid, r->range.item[mid].begin_ns < end_ns);
	return lo && r->range.item[lo - 1].latest_ns > begin_ns;
}

/* ---- finding losses ---- */

/* Lost events were between the ends of the previous packet and of this packet. Lost packets were between the two packets. */
static bool
add_losses(struct tn_lost_ranges *r, const struct tn_stream *s, const struct tn_packet *e, const struct tn_packet *before)
{
	const struct tn_clock *clock = s->stream_class->clock;
	struct tn_loss loss = tn_loss_find(s->stream_class, e, before);
	uint64_t begin = before ? before->end_cycles : e->begin_cycles;

	if (clock->beyond || begin == TN_UNKNOWN)
		return true;
	if (loss.events && e->end_cycles != TN_UNKNOWN &&
	    !add(r, tn_clock_ns(clock, begin), tn_clock_ns(clock, e->end_cycles)))
		return false;
	return !loss.packets || e->begin_cycles == TN_UNKNOWN ||
	       add(r, tn_clock_ns(clock, begin), tn_clock_ns(clock, e->begin_cycles));
}

static enum tn_code
find_in(struct tn_lost_ranges *r, struct tn_stream *s, const struct tn_scan_options *o, struct tn_error *err)
{
	size_t packet = 0;
	enum tn_code rc = TN_OK;

	if (o->has_begin)
		rc = tn_index_find(s, o->begin_ns, &packet, err);
	for (; rc == TN_OK; packet++) {
		struct tn_packet e, before;

		rc = tn_index_get(s, packet, &e, &before, err);
		if (rc == TN_OK && o->has_end && e.begin_ns > o->end_ns)
			rc = tn_index_sure(s, packet, &e, &before, err);
		if (rc != TN_OK || (o->has_end && e.begin_ns > o->end_ns))
			break;
		if (!add_losses(r, s, &e, packet ? &before : NULL))
			return tn_fail_memory(err);
	}
	finish(r);
	return rc < 0 ? rc : TN_OK;
}

enum tn_code
tn_losses_find(struct tn_losses *l, const struct tn_spans *spans, const struct tn_scan_options *o, struct tn_error *err)
{
	struct tn_set *set = spans->set;
	enum tn_code rc = TN_OK;

	*l = (struct tn_losses) { .spans = spans, .n_streams = set->n_streams, .n_traces = set->n_traces };
	l->of_stream = calloc(set->n_streams + 1, sizeof *l->of_stream);
	if (!l->of_stream)
		return tn_fail_memory(err);
	for (size_t i = 0; i < set->n_streams && rc == TN_OK; i++) {
		struct tn_stream *s = set->stream[i];
		uint32_t *rank;

		if (!s->stream_class->clock)
			continue;
		rc = find_in(&l->of_stream[i], s, o, err);
		if (rc != TN_OK || !l->of_stream[i].range.n)
			continue;
		rank = TN_ARRAY_ADD(&l->rank);
		if (!rank)
			return tn_fail_memory(err);
		*rank = (uint32_t)i;
	}
	if (rc == TN_OK && l->rank.n) {
		l->of_definition = calloc(spans->definition.n * l->n_traces + 1, sizeof *l->of_definition);
		if (!l->of_definition)
			rc = tn_fail_memory(err);
	}
	return rc;
}

void
tn_losses_release(struct tn_losses *l)
{
	for (size_t i = 0; l->of_stream && i < l->n_streams; i++)
		TN_ARRAY_RELEASE(&l->of_stream[i].range);
	for (size_t i = 0; l->of_definition && i < l->spans->definition.n * l->n_traces; i++)
		TN_ARRAY_RELEASE(&l->of_definition[i].range);
	TN_ARRAY_RELEASE(&l->rank);
	free(l->of_stream);
	free(l->of_definition);
	*l = (struct tn_losses) { 0 };
}

/* ---- whether losses matter ---- */

static bool
may_have(const struct tn_span_definition *d, const struct tn_spans *spans, const struct tn_stream *s)
{
	const struct tn_running *running = tn_names_running(spans->classes.names);
	const struct tn_stream_class *sc = s->stream_class;
	size_t first = spans->classes.first[s->rank];
	struct tn_target thread;

	for (size_t i = 0; i < sc->n_event_classes; i++) {
		size_t c = first + sc->event_class[i]->index;

		if (d->begin.verdict[c] != TN_VERDICT_NO || d->end.verdict[c] != TN_VERDICT_NO ||
		    (d->of_running && tn_running_before(running, sc->event_class[i], TN_RUNNING_TID, &thread)))
			return true;
	}
	return false;
}

bool
tn_loss_matters(const struct tn_spans *spans, uint32_t rank, const struct tn_lost_question *q)
{
	const struct tn_span_definition *d = &spans->definition.item[q->definition];
	const struct tn_stream *lost = spans->set->stream[rank], *begin = spans->set->stream[q->begin_rank];

	if (rank == q->begin_rank || rank == q->end_rank)
		return true;
	if (lost->trace != begin->trace || d->of_stream)
		return false;
	/* Streams of the same class are those of other processors. */
	if (d->of_cpu && lost->stream_class == begin->stream_class)
		return false;
	return may_have(d, spans, lost);
}

/* Get the losses of all streams of the trace that matter to spans of the definition, wherever these begin and end. */
static const struct tn_lost_ranges *
of_definition(struct tn_losses *l, size_t definition, uint32_t begin_rank)
{
	const struct tn_stream *begin = l->spans->set->stream[begin_rank];
	struct tn_lost_ranges *all =
		&l->of_definition[definition * l->n_traces + l->spans->classes.trace[begin_rank]];

	for (size_t i = 0; !all->known && i < l->rank.n; i++) {
		const struct tn_stream *s = l->spans->set->stream[l->rank.item[i]];
		const struct tn_lost_ranges *r = &l->of_stream[l->rank.item[i]];

		if (s->trace != begin->trace || !may_have(&l->spans->definition.item[definition], l->spans, s))
			continue;
		for (size_t k = 0; k < r->range.n; k++)
			if (!add(all, r->range.item[k].begin_ns, r->range.item[k].end_ns))
				return NULL;
	}
	if (!all->known)
		finish(all);
	return all;
}

bool
tn_losses_touch(struct tn_losses *l, const struct tn_lost_question *q, bool *failed)
{
	const struct tn_span_definition *d = &l->spans->definition.item[q->definition];
	const struct tn_set *set = l->spans->set;
	const struct tn_lost_ranges *all;
	bool in_all = !d->of_stream && !d->of_cpu && set->stream[q->begin_rank]->trace == set->stream[q->end_rank]->trace;

	if (!l->rank.n)
		return false;
	/* If both streams have events of the definition, the losses of all streams include those of these two. */
	if (!in_all && (touch(&l->of_stream[q->begin_rank], q->begin_ns, q->end_ns) ||
			touch(&l->of_stream[q->end_rank], q->begin_ns, q->end_ns)))
		return true;
	if (d->of_stream)
		return false;
	if (!d->of_cpu) {
		all = of_definition(l, q->definition, q->begin_rank);
		*failed |= !all;
		return all && touch(all, q->begin_ns, q->end_ns);
	}
	for (size_t i = 0; i < l->rank.n; i++)
		if (tn_loss_matters(l->spans, l->rank.item[i], q) &&
		    touch(&l->of_stream[l->rank.item[i]], q->begin_ns, q->end_ns))
			return true;
	return false;
}
