/* scan.c - read all rows in order: merge them into chunks, let any thread work on these, and deliver them */
#include "base/now.h"
#include "base/options.h"
#include "base/threads.h"
#include "base/ways.h"
#include "scan/ahead.h"
#include "scan/asker.h"
#include "scan/chunk.h"
#include "scan/pipeline.h"
#include "scan/deal.h"
#include "scan/fill.h"
#include "scan/late_notices.h"
#include "scan/range.h"
#include "scan/ranges.h"
#include "text/text.h"

#define PROGRESS_NS 50000000
#define TIMES 512	/* limit of times that one call delivers */
/* Smaller packets are read few at a time, because the first ones show whether notes about the others are useful. */
#define JUDGED_BYTES ((uint64_t)8 << 10)

struct scan {
	struct tn_set *set;
	const struct tn_scan_options *options;
	const struct tn_scan_ranges *ranges;	/* NULL: the caller does not take ranges of rows */
	struct tn_chunk_plan plan;
	struct tn_ahead ahead;
	struct tn_fill fill;
	struct tn_chunk *chunk;		/* one for each slot of the pipeline */
	/* If the order does not matter, each slot gets a parcel of packets, without a merge. */
	bool deals;
	struct tn_deal deal;
	struct tn_scan_options dealt;	/* the options with the range */
	struct tn_parcel *parcel;
	struct tn_chunk_state *state;	/* one for each thread */
	bool done;		/* the limit is reached */
	uint64_t read, passed;
	int64_t next_progress;	/* CLOCK_MONOTONIC time of the next report */
	int64_t at_ns;		/* time of the last delivered row */
	struct tn_event event;	/* for callers that need the values of events */
	struct tn_question question;
	struct tn_packet_skip skip;
	struct tn_zone_writer *zone_writer;	/* NULL: no notes are written */
	atomic_size_t waiting;	/* bytes of text that are made but not delivered */
	/*
	 * Notices must be in order even if events are not: keep them, with their batches, until the end. If there are too
	 * many, scan again, in order.
	 */
	struct tn_late_notices late;
	bool too_many;
};

/* ---- filling ---- */

static enum tn_code
fill(void *user, size_t slot, struct tn_error *err)
{
	struct scan *scan = user;

	return tn_fill(&scan->fill, &scan->chunk[slot], err);
}

/* ---- in any order ---- */

struct filling {
	struct scan *scan;
	struct tn_chunk *c;
};

/* Add the rows of a batch that are in the range. */
static enum tn_code
add_batch(void *user, struct tn_walked *walked, struct tn_error *err)
{
	struct filling *f = user;
	const struct tn_scan_options *o = f->scan->options;
	struct tn_run *run;
	struct tn_chunk_batch *held;

	if (!walked->batch.refs.n && walked->batch.n_events) {
		f->c->counted += walked->batch.n_events;
		f->c->counted_ns = walked->batch.end.key;
		return TN_OK;
	}
	run = TN_ARRAY_ADD(&f->c->runs);
	held = TN_ARRAY_ADD(&f->c->held);
	if (!run || !held) {
		f->c->runs.n -= run != NULL;
		f->c->held.n -= held != NULL;
		return tn_fail_memory(err);
	}
	*run = (struct tn_run) {
		.batch = &walked->batch, .n = walked->batch.refs.n, .walked = walked, .held = f->c->held.n - 1,
	};
	for (; run->n && tn_is_before_range(o, run->batch, run->first); run->n--)
		run->first++;
	while (run->n && tn_is_after_range(o, run->batch, run->first + run->n - 1))
		run->n--;
	if (!run->n) {
		f->c->runs.n--;
		f->c->held.n--;
		return TN_OK;
	}
	*held = (struct tn_chunk_batch) {
		.walked = tn_walked_hold(walked), .low = run->first, .high = run->first + run->n - 1,
	};
	f->c->rows += run->n;
	return TN_OK;
}

static enum tn_code
deal(void *user, size_t slot, struct tn_error *err)
{
	struct scan *scan = user;

	return tn_deal(&scan->deal, &scan->parcel[slot], err);
}

static void
work_on_parcel(void *user, size_t slot, unsigned thread)
{
	struct scan *scan = user;
	struct tn_chunk *c = &scan->chunk[slot];
	struct filling f = { scan, c };
	struct tn_error err;
	enum tn_code rc = tn_parcel_walk(&scan->deal, &scan->parcel[slot], add_batch, &f, &err);

	/* Rows before a failure are still delivered. */
	tn_chunk_work(c, &scan->plan, &scan->state[thread]);
	if (c->code == TN_OK && rc < 0) {
		c->code = rc;
		c->err = err;
	}
	tn_parcel_give_back(&scan->deal, &scan->parcel[slot]);
}

/* ---- delivering ---- */

static enum tn_code
cancelled(struct tn_error *err)
{
	return tn_fail(err, TN_ERR_CANCELLED, "stopped");
}

static enum tn_code
deliver_text(const struct scan *scan, const struct tn_chunk *c, size_t begin, size_t end, struct tn_error *err)
{
	const struct tn_scan_options *o = scan->options;

	if (!o->lines || begin == end)
		return TN_OK;
	return o->lines(o->user, c->text.text + begin, end - begin) ? cancelled(err) : TN_OK;
}

static enum tn_code
deliver_heading(const struct tn_scan_options *o, struct tn_error *err)
{
	struct tn_str heading = { 0 };
	enum tn_code rc = TN_OK;

	if (!o->lines)
		return TN_OK;
	tn_text_heading(o->text, &heading);
	if (heading.failed)
		rc = tn_fail_memory(err);
	else if (heading.n && o->lines(o->user, heading.text, heading.n))
		rc = cancelled(err);
	tn_str_release(&heading);
	return rc;
}

/* Deliver the row of a stop with its values. */
static enum tn_code
deliver_values(struct scan *scan, const struct tn_stop *stop, const struct tn_row *row, struct tn_error *err)
{
	const struct tn_scan_options *o = scan->options;
	const struct tn_batch *b = stop->batch;
	struct tn_error why;
	enum tn_code rc = TN_OK;

	if (!stop->is_notice) {
		rc = b->stream->trace->ops->read(b, stop->row, o->scopes ? o->scopes : TN_SCOPE_ALL, &scan->event, &why);
		if (rc == TN_OK)
			rc = tn_packet_check(b->stream, &b->entry, &why);
	}
	if (o->event(o->user, row, stop->is_notice || rc < 0 ? NULL : &scan->event, rc < 0 ? &why : NULL))
		return cancelled(err);
	return TN_OK;
}

/* Report the row of a stop. An event counts towards the limit. */
static enum tn_code
deliver_stop(struct scan *scan, const struct tn_chunk *c, const struct tn_stop *stop, struct tn_error *err)
{
	const struct tn_scan_options *o = scan->options;
	struct tn_row row;

	if (scan->deals && stop->is_notice && !o->any_order) {
		if (o->notice && !tn_late_notices_add(&scan->late, c, stop))
			scan->done = scan->too_many = true;
		return TN_OK;
	}
	if (o->row || o->notice || o->event)
		tn_stop_row(stop, &row);
	if (stop->is_notice && o->notice && o->notice(o->user, &row))
		return cancelled(err);
	if (o->row && o->row(o->user, &row))
		return cancelled(err);
	if (o->event && deliver_values(scan, stop, &row, err) < 0)
		return TN_ERR_CANCELLED;
	if (!stop->is_notice)
		scan->done = ++scan->passed == o->limit;
	return TN_OK;
}

/* Deliver the events of a packet from stop @*i on, up to a notice. */
static enum tn_code
deliver_times(struct scan *scan, const struct tn_chunk *c, size_t *i, struct tn_error *err)
{
	const struct tn_scan_options *o = scan->options;
	const struct tn_batch *b = c->stops.item[*i].batch;
	int64_t time_ns[TIMES];
	size_t n = 0;

	for (; n < TIMES && *i < c->stops.n && c->stops.item[*i].batch == b && !c->stops.item[*i].is_notice; ++*i)
		time_ns[n++] = b->refs.item[c->stops.item[*i].row].time_ns;
	scan->passed += n;
	return o->times(o->user, b->stream->rank, b->packet, time_ns, n) ? cancelled(err) : TN_OK;
}

/* Deliver text in pieces that are as large as possible: up to a notice, to the limit, or to the end. */
static enum tn_code
deliver_forward(struct scan *scan, const struct tn_chunk *c, struct tn_error *err)
{
	size_t begin = 0;
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && !scan->done && i < c->stops.n;) {
		const struct tn_stop *stop = &c->stops.item[i];

		if (!stop->is_notice && scan->options->times && !scan->options->limit) {
			rc = deliver_times(scan, c, &i, err);
			continue;
		}
		i++;
		if (stop->is_notice) {
			rc = deliver_text(scan, c, begin, stop->text_end, err);
			begin = stop->text_end;
		}
		if (rc == TN_OK)
			rc = deliver_stop(scan, c, stop, err);
		if (rc == TN_OK && scan->done)
			return deliver_text(scan, c, begin, stop->text_end, err);
	}
	if (rc == TN_OK && !scan->plan.each)
		scan->passed += c->passed + c->counted;
	return rc == TN_OK ? deliver_text(scan, c, begin, c->text.n, err) : rc;
}

static enum tn_code
deliver_range(struct scan *scan, const struct tn_batch *b, size_t first, size_t n, struct tn_error *err)
{
	uint64_t limit = scan->options->limit;

	if (limit && n > limit - scan->passed)
		n = (size_t)(limit - scan->passed);
	scan->passed += n;
	scan->done = limit && scan->passed == limit;
	return scan->ranges->take(scan->ranges->user, b, first, n, err);
}

/* Deliver successive rows of a packet at once, and check that the packets did not change meanwhile. */
static enum tn_code
deliver_ranges(struct scan *scan, const struct tn_chunk *c, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	size_t n;

	for (size_t i = 0; c->whole && rc == TN_OK && !scan->done && i < c->runs.n; i++)
		rc = deliver_range(scan, c->runs.item[i].batch, c->runs.item[i].first, c->runs.item[i].n, err);
	for (size_t i = 0; rc == TN_OK && !scan->done && i < c->stops.n; i += n) {
		const struct tn_stop *stop = &c->stops.item[i];

		for (n = 1; !stop->is_notice && i + n < c->stops.n && !stop[n].is_notice && stop[n].batch == stop->batch &&
			    stop[n].row == stop->row + n; n++)
			;
		rc = stop->is_notice ? deliver_stop(scan, c, stop, err) : deliver_range(scan, stop->batch, stop->row, n, err);
	}
	for (size_t i = 0; rc == TN_OK && i < c->held.n; i++)
		if (!c->held.item[i].lost)
			rc = tn_packet_check(c->held.item[i].walked->batch.stream, &c->held.item[i].walked->batch.entry, err);
	return rc;
}

/* Deliver line by line: each event has a stop. */
static enum tn_code
deliver_backward(struct scan *scan, const struct tn_chunk *c, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = c->stops.n; rc == TN_OK && !scan->done && i-- > 0;) {
		const struct tn_stop *stop = &c->stops.item[i];

		if (!stop->is_notice)
			rc = deliver_text(scan, c, i ? c->stops.item[i - 1].text_end : 0, stop->text_end, err);
		if (rc == TN_OK)
			rc = deliver_stop(scan, c, stop, err);
	}
	return rc;
}

static enum tn_code
tell_progress(struct scan *scan, struct tn_error *err)
{
	const struct tn_scan_options *o = scan->options;
	int64_t now;

	if (!o->progress)
		return TN_OK;
	now = tn_now_ns();
	if (now < scan->next_progress)
		return TN_OK;
	scan->next_progress = now + PROGRESS_NS;
	return o->progress(tn_asker(o), scan->read, scan->passed, scan->at_ns) ? cancelled(err) : TN_OK;
}

static enum tn_code
deliver_chunk(struct scan *scan, const struct tn_chunk *c, struct tn_error *err)
{
	const struct tn_run *last = c->runs.n ? &c->runs.item[c->runs.n - 1] : NULL;
	enum tn_code rc;

	/* Text that was written before a failure is still delivered. */
	rc = scan->ranges ? deliver_ranges(scan, c, err) :
	     c->backward ? deliver_backward(scan, c, err) : deliver_forward(scan, c, err);
	if (rc == TN_OK && c->code < 0) {
		if (err)
			*err = c->err;
		return c->code;
	}
	scan->read += c->read + c->counted;
	if (c->counted)
		scan->at_ns = c->counted_ns;
	if (last)
		scan->at_ns = last->walked->batch.refs.item[c->backward ? last->first : last->first + last->n - 1].time_ns;
	if (rc != TN_OK)
		return rc;
	return scan->done ? TN_END : tell_progress(scan, err);
}

static enum tn_code
deliver(void *user, size_t slot, struct tn_error *err)
{
	struct scan *scan = user;
	struct tn_chunk *c = &scan->chunk[slot];
	enum tn_code rc = deliver_chunk(scan, c, err);

	/* Events with large lines are delivered one by one. */
	while (rc == TN_OK && c->more) {
		tn_chunk_delivered(c, &scan->plan);
		tn_chunk_work_on(c, &scan->plan, &scan->state[0]);
		rc = deliver_chunk(scan, c, err);
	}
	if (scan->zone_writer)
		tn_zone_writer_learn(scan->zone_writer, &c->notes);
	tn_chunk_delivered(c, &scan->plan);
	tn_chunk_clear(c);
	return rc;
}

static void
work(void *user, size_t slot, unsigned thread)
{
	struct scan *scan = user;

	tn_chunk_work(&scan->chunk[slot], &scan->plan, &scan->state[thread]);
}

static bool
walk_ahead(void *user)
{
	struct scan *scan = user;

	return tn_ahead_walk_one(&scan->ahead);
}

/* ---- the scan ---- */

static bool
is_large(const struct tn_set *set)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < set->n_streams; i++)
		bytes += set->stream[i]->size;
	return bytes >= TN_MAP_LARGE;
}

static enum tn_code
run(struct scan *scan, unsigned threads, bool deals, struct tn_error *err)
{
	static const struct tn_pipeline_ops in_order = { fill, work, deliver, walk_ahead };
	static const struct tn_pipeline_ops in_parcels = { deal, work_on_parcel, deliver, NULL };
	struct tn_flow_source source = {
		tn_ahead_get, &scan->ahead, tn_batch_limit(scan->set->n_streams), scan->options->stopped, tn_asker(scan->options),
		scan->skip.marks,
	};
	size_t n_slots = tn_pipeline_slots(threads);
	enum tn_code rc;

	scan->deals = deals;
	scan->fill = (struct tn_fill) { .options = scan->options, .match = scan->plan.match, .each = scan->plan.each };
	rc = tn_ahead_init(&scan->ahead, scan->set->n_streams, scan->options->backward, threads > 1, err);
	scan->chunk = calloc(n_slots, sizeof *scan->chunk);
	scan->state = calloc(threads, sizeof *scan->state);
	scan->parcel = calloc(n_slots, sizeof *scan->parcel);
	if (rc == TN_OK && (!scan->chunk || !scan->state || !scan->parcel))
		rc = tn_fail_memory(err);
	scan->ahead.marks = scan->skip.marks;
	scan->ahead.gives_back = !scan->options->backward && is_large(scan->set);
	if (rc == TN_OK && deals) {
		scan->dealt = *scan->options;
		tn_range_of_times(&scan->dealt);
		rc = tn_deal_init(&scan->deal, scan->set, &scan->dealt, scan->skip.marks,
				  scan->zone_writer && scan->plan.filter ? JUDGED_BYTES : TN_PARCEL_BYTES, err);
		scan->deal.counts = !scan->plan.filter && !scan->plan.each && !scan->options->packet;
	} else if (rc == TN_OK) {
		if ((rc = tn_merge_init(&scan->fill.merge, scan->set, source, err)) == TN_OK)
			rc = tn_fill_begin(&scan->fill, err);
	}
	if (rc == TN_OK)
		rc = tn_pipeline_run(threads, deals ? &in_parcels : &in_order, scan, &scan->ahead.pipeline, err);
	scan->passed += scan->deal.counted;
	if (tn_late_notices_deliver(&scan->late, rc != TN_ERR_CANCELLED && !scan->too_many ? scan->options : NULL))
		rc = cancelled(err);
	for (size_t i = 0; scan->parcel && i < n_slots; i++)
		tn_parcel_release(&scan->parcel[i]);
	for (size_t i = 0; scan->chunk && i < n_slots; i++)
		tn_chunk_release(&scan->chunk[i]);
	for (size_t i = 0; scan->state && i < threads; i++)
		tn_chunk_state_release(&scan->state[i]);
	free(scan->chunk);
	free(scan->state);
	free(scan->parcel);
	tn_deal_release(&scan->deal);
	scan->deal = (struct tn_deal) { 0 };
	tn_event_release(&scan->event);
	tn_merge_release(&scan->fill.merge);
	tn_ahead_release(&scan->ahead);
	return rc;
}

static enum tn_code
run_all(struct scan *scan, unsigned threads, struct tn_error *err)
{
	const struct tn_scan_options *o = scan->options;
	bool counts = !o->row && !o->event && !o->times && !scan->ranges;
	bool deals = !o->lines && (o->any_order || counts) && !o->limit && !o->backward && !scan->plan.match;
	uint64_t passed = scan->passed;
	enum tn_code rc = run(scan, threads, deals, err);

	if (!scan->too_many)
		return rc;
	scan->too_many = scan->done = false;
	scan->passed = passed;
	scan->read = 0;
	return run(scan, threads, false, err);
}

/* The format of the lines that regular expressions match. */
static const struct tn_text *
match_text(const struct tn_scan_options *o)
{
	const struct tn_text *text = o->match ? o->match : o->text;

	return text && text->options.format == TN_LINE_TEXT ? tn_text_plain(text) : NULL;
}

/* Make the prefilter, which refuses events before their lines are made. */
static void
make_prefilter(struct tn_chunk_plan *plan, const struct tn_set *set, const struct tn_scan_options *o)
{
	const char *pattern[8];
	size_t n;

	if (tn_ways() & TN_WAYS_ALL_LINES)
		return;
	n = tn_filter_patterns(o->filter, pattern, TN_COUNT(pattern));
	plan->prefilter = tn_prefilter_new(set, match_text(o), pattern, n);
}

/* Use the facts in the digest, and begin the notes for it. */
static void
consult_digest(struct scan *scan)
{
	const struct tn_scan_options *o = scan->options;
	struct tn_chunk_plan *plan = &scan->plan;
	bool rows = o->lines || o->limit || o->backward || scan->ranges;
	bool counts = !rows && (o->packet || (!o->row && !o->event && !o->times));
	bool any = false;

	for (size_t i = 0; i < scan->set->n_traces; i++)
		any |= scan->set->trace[i]->digest != NULL;
	if (!any || !tn_question_of(&scan->question, plan->filter, scan->set, plan->match))
		return;
	if (plan->filter || counts)
		tn_packet_skip_make(&scan->skip, scan->set, o, &scan->question, plan->prefilter, counts,
				 plan->match != NULL);
	scan->passed = scan->skip.passed;
	plan->skip = scan->skip.marks ? &scan->skip : NULL;
	/* The first line of a range does not have a delta. */
	if (!o->backward)
		tn_zone_writer_begin(&scan->zone_writer, scan->set, plan->filter,
				plan->prefilter, scan->question.of_lines && o->has_begin ? NULL : &scan->question);
	plan->zone_writer = scan->zone_writer;
}

enum tn_code
tn_scan_ranges(struct tn_set *set, const struct tn_scan_options *options, const struct tn_scan_ranges *ranges, uint64_t *passed,
	       struct tn_error *err)
{
	struct tn_scan_options own = { TN_SCAN_OPTIONS };
	const struct tn_scan_options *o = &own;
	struct scan *scan;
	enum tn_code rc;
	bool match;

	if (passed)
		*passed = 0;
	rc = tn_options_take(&own, sizeof own, options, "tn_scan_options", err);
	if (rc < 0)
		return rc;
	if (!set)
		return tn_fail_null(err);
	match = tn_filter_has_regex(o->filter);
	if ((o->lines && !o->text) || (match && !match_text(o)))
		return tn_fail(err, TN_ERR_ARGUMENT, "lines and regular expressions need a format of lines");
	scan = calloc(1, sizeof *scan);
	if (!scan)
		return tn_fail_memory(err);
	scan->set = set;
	scan->options = o;
	scan->ranges = ranges;
	scan->plan = (struct tn_chunk_plan) {
		.filter = o->filter && !tn_filter_empty(o->filter) ? o->filter : NULL,
		.text = o->lines ? o->text : NULL,
		.match = o->lines || match ? match_text(o) : NULL,
		.each = o->row || o->event || o->times || o->limit || o->backward || ranges, .ranges = ranges,
		.stopped = o->stopped, .user = tn_asker(o),
	};
	scan->plan.waiting = &scan->waiting;
	scan->plan.most_text = TN_CHUNK_WAITING / tn_pipeline_slots(tn_threads_size(o->threads));
	if (match)
		make_prefilter(&scan->plan, set, o);
	rc = deliver_heading(o, err);
	consult_digest(scan);
	if (rc == TN_OK)
		rc = run_all(scan, tn_threads_size(o->threads), err);
	tn_prefilter_free((struct tn_prefilter *)scan->plan.prefilter);
	tn_zone_writer_end(scan->zone_writer);
	tn_packet_skip_release(&scan->skip);
	tn_question_release(&scan->question);
	if (passed)
		*passed = scan->passed;
	free(scan);
	return rc;
}

enum tn_code
tn_scan(struct tn_set *set, const struct tn_scan_options *options, uint64_t *passed, struct tn_error *err)
{
	return tn_scan_ranges(set, options, NULL, passed, err);
}
