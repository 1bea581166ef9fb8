/*
 * export_stream.c - the packets of a stream that are exported, with their events and counters
 *
 * A packet is exported if one of its events matches, or if it shows a loss. Then the packet before it is exported, too,
 * so that the loss stays between the same packets. If packets are left out, sequence numbers are renumbered, so that the
 * export has exactly the losses of the trace.
 */
#include "index/packet_index.h"
#include "model/loss.h"
#include "order/cursor.h"
#include "export/export.h"

/* ---- counters ---- */

static bool
tells_loss(const struct tn_export_stream *s, const struct tn_packet *p, const struct tn_packet *before)
{
	struct tn_loss loss = tn_loss_find(s->stream->stream_class, p, before);

	return loss.events || loss.packets;
}

/* Add the losses that a reader of the export finds up to the end of the packet. */
static void
sum_counters(struct tn_export_stream *s, const struct tn_packet *p, const struct tn_packet_numbers *n)
{
	struct tn_export_sum *sum = &s->sum;
	struct tn_packet written = *p;
	struct tn_loss loss;

	if (p->discarded != TN_UNKNOWN)
		written.discarded = p->discarded - n->discarded_shift;
	if (p->sequence != TN_UNKNOWN)
		written.sequence = p->sequence + n->sequence_shift;
	sum->unsaid += (p->flags & TN_PACKET_LOSES) != 0;
	written.flags &= ~(unsigned)TN_PACKET_LOSES;
	loss = tn_loss_find(s->stream->stream_class, &written, sum->has_counters ? &sum->before : NULL);
	sum->unknown += (loss.events == TN_UNKNOWN) + (loss.packets == TN_UNKNOWN);
	sum->lost_events += loss.events == TN_UNKNOWN ? 0 : loss.events;
	sum->lost_packets += loss.packets == TN_UNKNOWN ? 0 : loss.packets;
	written.highest = tn_loss_highest(s->stream->stream_class, &written, sum->has_counters ? sum->before.highest : TN_UNKNOWN);
	sum->before = written;
	sum->has_counters = true;
}

/* Set the base of the packet's counters. */
static struct tn_packet_numbers
number(struct tn_export_stream *s, size_t i, const struct tn_packet *p, const struct tn_packet *before)
{
	const struct tn_export_options *o = s->export->options;
	struct tn_packet_numbers n = { 0 };
	uint64_t sequence = 0;

	if (!s->some) {
		/* Losses before the window are not part of the export. */
		bool outside = p == before || (o->has_begin && p->begin_ns < o->begin_ns);
		uint64_t from = outside ? p->highest : i ? before->highest : 0;

		s->discarded_shift = from == TN_UNKNOWN ? 0 : from;
		if (i == 0 && !outside)
			sequence = p->sequence;
	} else if (s->last + 1 == i && p->sequence != TN_UNKNOWN && before->sequence != TN_UNKNOWN) {
		sequence = s->last_sequence + (p->sequence - before->sequence);
	} else {
		sequence = s->last_sequence + 1;
	}
	s->some = true;
	s->last = i;
	s->last_sequence = sequence;
	n.discarded_shift = s->discarded_shift;
	/* The counter fell, and would seem to rise again, because the base was reached before. */
	if (s->discarded_shift && p->discarded != TN_UNKNOWN)
		n.discarded_shift += p->discarded - p->highest;
	if (p->sequence != TN_UNKNOWN)
		n.sequence_shift = sequence - p->sequence;
	sum_counters(s, p, &n);
	return n;
}

/* ---- expected results of reading back ---- */

static void
sum_event(struct tn_export_stream *s, const struct tn_batch *b, size_t i)
{
	struct tn_export_sum *sum = &s->sum;
	struct tn_row row;
	int64_t key;

	tn_row_of(b, i, &row);
	if (!row.has_time)
		return;
	key = row.location.time_ns;
	if (!sum->has_time) {
		sum->first_ns = sum->last_ns = row.time_ns;
		sum->first_key = sum->last_key = key;
	}
	sum->went_back |= row.time_ns < sum->last_ns;
	sum->last_ns = row.time_ns > sum->last_ns ? row.time_ns : sum->last_ns;
	sum->last_key = key > sum->last_key ? key : sum->last_key;
	sum->has_time = true;
}

/* Read the first event of a packet that is copied whole. The packet gives the bound for the other events. */
static enum tn_code
sum_whole(struct tn_export_stream *s, size_t packet, const struct tn_packet *entry, struct tn_error *err)
{
	struct tn_batch_place place = { .stream = s->stream, .packet = packet };
	struct tn_export_sum *sum = &s->sum;
	struct tn_walked *w;
	enum tn_code rc;

	if (!sum->some_whole || entry->end_ns > sum->bound_ns)
		sum->bound_ns = entry->end_ns;
	sum->some_whole = true;
	if (sum->has_time || !s->stream->stream_class->clock)
		return TN_OK;
	rc = tn_walk(&s->export->pool, &place, &w, err);
	if (rc != TN_OK)
		return rc;
	for (size_t i = 0; i < w->batch.refs.n && !sum->has_time; i++)
		if (w->batch.refs.item[i].event_class != TN_REF_NOTICE)
			sum_event(s, &w->batch, i);
	tn_walked_drop(w);
	return TN_OK;
}

/* ---- rows ---- */

enum tn_code
tn_export_damage(struct tn_export_stream *s, const struct tn_row *row, struct tn_error *err)
{
	struct tn_row *copy = TN_ARRAY_ADD(&s->damages);

	if (!copy)
		return tn_fail_memory(err);
	*copy = *row;
	if (row->text && !(copy->text = strdup(row->text)))
		return tn_fail_memory(err);
	return TN_OK;
}

static enum tn_code
take_notice(struct tn_export_stream *s, const struct tn_batch *b, size_t i, struct tn_error *err)
{
	const struct tn_export_options *o = s->export->options;
	int64_t at = b->refs.item[i].time_ns;
	struct tn_row row;

	tn_row_of(b, i, &row);
	if (row.kind != TN_ROW_DAMAGE || s->export->by_rows || (o->has_begin && at < o->begin_ns) ||
	    (o->has_end && at > o->end_ns))
		return TN_OK;
	return tn_export_damage(s, &row, err);
}

/* Which rows of a packet are exported. */
enum wanted { NONE, LISTED, TESTED, ALL };

static enum tn_code
passes(struct tn_export_stream *s, const struct tn_batch *b, size_t i, bool *pass, struct tn_error *err)
{
	const struct tn_export_options *o = s->export->options;
	int64_t at = b->refs.item[i].time_ns;

	*pass = (!o->has_begin || at >= o->begin_ns) && (!o->has_end || at <= o->end_ns);
	if (!*pass || !s->export->filter)
		return TN_OK;
	return tn_filter_match_values(s->export->filter, &s->filter, b, i, pass, err);
}

/* The state while one packet is exported. */
struct passage {
	struct tn_export_stream *s;
	size_t packet;
	const struct tn_packet *entry, *before;
	enum wanted wanted;
	size_t listed;		/* number of rows of the list that were found */
	bool begun;
};

static enum tn_code
begin(struct passage *p, const struct tn_batch *b, struct tn_error *err)
{
	struct tn_packet_numbers numbers = number(p->s, p->packet, p->entry, p->before);

	p->begun = true;
	return p->s->sink->ops->begin(p->s->sink, b, &numbers, err);
}

static enum tn_code
take_event(struct passage *p, const struct tn_batch *b, size_t i, struct tn_error *err)
{
	struct tn_export_stream *s = p->s;
	uint64_t end = b->end.bit;
	enum tn_code rc = TN_OK;
	bool pass = p->wanted == ALL;

	if (p->wanted == LISTED) {
		pass = p->listed < s->rows.n && s->rows.item[p->listed] == b->begin.row + i;
		p->listed += pass;
	} else if (p->wanted == TESTED) {
		rc = passes(s, b, i, &pass, err);
	}
	if (rc != TN_OK || !pass)
		return rc;
	if (!p->begun && (rc = begin(p, b, err)) != TN_OK)
		return rc;
	for (size_t k = i + 1; k < b->refs.n; k++)
		if (b->refs.item[k].event_class != TN_REF_NOTICE) {
			end = b->base_bit + b->refs.item[k].bit;
			break;
		}
	sum_event(s, b, i);
	return s->sink->ops->event(s->sink, b, i, end, err);
}

static enum tn_code
take_batch(struct passage *p, const struct tn_batch *b, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < b->refs.n; i++) {
		if (b->refs.item[i].event_class == TN_REF_NOTICE)
			rc = take_notice(p->s, b, i, err);
		else
			rc = take_event(p, b, i, err);
	}
	if (rc == TN_OK && atomic_load_explicit(&p->s->export->stop, memory_order_relaxed))
		rc = tn_fail(err, TN_ERR_CANCELLED, "stopped");
	return rc;
}

static enum tn_code
walk_packet(struct passage *p, struct tn_error *err)
{
	struct tn_batch_place place = { .stream = p->s->stream, .packet = p->packet };
	bool last = false;

	while (!last) {
		struct tn_walked *w;
		enum tn_code rc = tn_walk(&p->s->export->pool, &place, &w, err);

		if (rc != TN_OK)
			return rc;
		rc = take_batch(p, &w->batch, err);
		last = w->batch.last;
		place.mark = w->batch.end;
		place.number++;
		tn_walked_drop(w);
		if (rc != TN_OK)
			return rc;
	}
	return TN_OK;
}

/* ---- packets ---- */

static struct tn_batch
header_batch(struct tn_export_stream *s, size_t packet, const struct tn_packet *entry)
{
	return (struct tn_batch) {
		.stream = s->stream, .packet = packet, .entry = *entry,
		.data = s->stream->file[entry->file].map.data + entry->offset,
	};
}

/* Count the events. False: there is damage between them. */
static bool
count_events(struct tn_export_stream *s, size_t packet, uint64_t *events)
{
	struct tn_batch_place place = { .stream = s->stream, .packet = packet };
	struct tn_walked *w;
	bool last = false;

	for (; !last; place.number++) {
		if (tn_walk(&s->export->pool, &place, &w, NULL) != TN_OK)
			return false;
		place.mark = w->batch.end;
		last = w->batch.last;
		tn_walked_drop(w);
	}
	*events = place.mark.events;
	return !place.mark.noticed;
}

/* Whether the packet has no damage, so that its bits can be copied. */
static bool
is_sound(struct tn_export_stream *s, size_t packet, const struct tn_packet *entry, uint64_t *events)
{
	*events = entry->n_events;
	if (!s->sink->ops->whole || entry->flags & ~(uint32_t)(TN_PACKET_CHECKED | TN_PACKET_GUESSED_END))
		return false;
	return *events != TN_UNKNOWN || count_events(s, packet, events);
}

static enum wanted
what_is_wanted(const struct tn_export_stream *s, size_t packet, const struct tn_packet *entry)
{
	const struct tn_export_options *o = s->export->options;

	if (s->export->by_rows)
		return s->rows.n && s->rows_packet == packet ? LISTED : NONE;
	if (s->export->filter)
		return TESTED;
	return (!o->has_begin || entry->begin_ns >= o->begin_ns) && (!o->has_end || entry->end_ns <= o->end_ns)
	       ? ALL : TESTED;
}

/* Whether the packet is exported even without events, because it shows losses. */
static bool
is_wanted_empty(struct tn_export_stream *s, const struct passage *p)
{
	struct tn_packet next;

	if (p->entry->flags & TN_PACKET_BAD)
		return false;
	return tells_loss(s, p->entry, p->packet ? p->before : NULL) ||
	       (tn_index_get(s->stream, p->packet + 1, &next, NULL, NULL) == TN_OK && tells_loss(s, &next, p->entry));
}

static enum tn_code
take_packet(struct tn_export_stream *s, size_t packet, const struct tn_packet *entry, const struct tn_packet *before,
	    bool keep, struct tn_error *err)
{
	struct passage p = { .s = s, .packet = packet, .entry = entry, .before = before };
	struct tn_batch head;
	enum tn_code rc = TN_OK;
	uint64_t events;

	p.wanted = keep ? NONE : what_is_wanted(s, packet, entry);
	head = header_batch(s, packet, entry);
	if (p.wanted == ALL && is_sound(s, packet, entry, &events)) {
		struct tn_packet_numbers numbers = number(s, packet, entry, before);

		s->sink->events += events;
		rc = events ? sum_whole(s, packet, entry, err) : TN_OK;
		return rc == TN_OK ? s->sink->ops->whole(s->sink, &head, &numbers, err) : rc;
	}
	if (p.wanted != NONE)
		rc = walk_packet(&p, err);
	if (rc == TN_OK && !p.begun && (keep || p.wanted == ALL || is_wanted_empty(s, &p)) &&
	    !(entry->flags & TN_PACKET_BAD))
		rc = begin(&p, &head, err);
	return rc == TN_OK && p.begun ? s->sink->ops->end(s->sink, err) : rc;
}

/* Skip packets before the window. */
static enum tn_code
find_first(struct tn_export_stream *s, struct tn_error *err)
{
	const struct tn_export_options *o = s->export->options;
	size_t first;
	enum tn_code rc;

	if (!o->has_begin || s->next)
		return TN_OK;
	rc = tn_index_find(s->stream, o->begin_ns, &first, err);
	if (rc == TN_OK)
		s->next = first;
	return rc;
}

/* Write the packets up to @end (SIZE_MAX: all) that are not processed yet. */
static enum tn_code
write_packets(struct tn_export_stream *s, size_t end, struct tn_error *err)
{
	const struct tn_export_options *o = s->export->options;
	enum tn_code rc = find_first(s, err);

	for (; rc == TN_OK && !s->done && s->next < end; s->next++) {
		struct tn_packet entry, before;

		if (atomic_load_explicit(&s->export->stop, memory_order_relaxed))
			return tn_fail(err, TN_ERR_CANCELLED, "stopped");
		rc = tn_index_sure(s->stream, s->next, &entry, &before, err);
		if (rc == TN_END || (rc == TN_OK && o->has_end && entry.begin_ns > o->end_ns)) {
			s->done = true;
			return TN_OK;
		}
		if (rc == TN_OK)
			rc = take_packet(s, s->next, &entry, &before, false, err);
		atomic_fetch_add_explicit(&s->export->done_bytes, entry.size_bits / 8, memory_order_relaxed);
	}
	return rc;
}

enum tn_code
tn_export_row(struct tn_export_stream *s, size_t packet, uint64_t row, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	if (s->rows.n && s->rows_packet != packet) {
		rc = write_packets(s, s->rows_packet + 1, err);
		s->rows.n = 0;
	}
	if (rc == TN_OK && !s->rows.n)
		rc = write_packets(s, packet, err);
	if (rc != TN_OK)
		return rc;
	s->rows_packet = packet;
	if (!TN_ARRAY_RESERVE(&s->rows, s->rows.n + 1))
		return tn_fail_memory(err);
	s->rows.item[s->rows.n++] = row;
	return TN_OK;
}

/* Keep a stream that has no exported events: write its first packet without events. */
static enum tn_code
keep_stream(struct tn_export_stream *s, struct tn_error *err)
{
	struct tn_packet entry;
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && !s->some && i < 16; i++) {
		rc = tn_index_get(s->stream, i, &entry, NULL, err);
		if (rc != TN_OK || entry.flags & TN_PACKET_BAD)
			continue;
		rc = take_packet(s, i, &entry, &entry, true, err);
	}
	return rc == TN_END ? TN_OK : rc;
}

enum tn_code
tn_export_stream_finish(struct tn_export_stream *s, struct tn_error *err)
{
	enum tn_code rc = write_packets(s, SIZE_MAX, err);

	if (rc == TN_OK)
		rc = keep_stream(s, err);
	return rc == TN_OK ? s->sink->ops->finish(s->sink, err) : rc;
}

void
tn_export_stream_release(struct tn_export_stream *s)
{
	if (s->sink)
		s->sink->ops->free(s->sink);
	s->sink = NULL;
	for (size_t i = 0; i < s->damages.n; i++)
		free((char *)s->damages.item[i].text);
	TN_ARRAY_RELEASE(&s->damages);
	TN_ARRAY_RELEASE(&s->rows);
	tn_filter_state_release(&s->filter);
	free(s->name);
}
