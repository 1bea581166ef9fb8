/* row_before.c - attributes of a row that depend on the rows before it: delta and lost */
#include "language/row_before.h"

#include "base/error.h"

/* Get the time of the last event of a packet, if it has one. */
static enum tn_code
walk_to_end(struct tn_row_state *s, size_t packet, struct tn_error *err)
{
	struct tn_batch_place place = {
		.stream = (struct tn_stream *)s->batch->stream,	/* const is cast away, because the index may grow */
		.packet = packet, .limit = TN_BATCH_REFS,
	};
	struct tn_walked *w;
	enum tn_code rc;
	bool last = false;

	while (!last) {
		rc = tn_walk(&s->pool, &place, &w, err);
		if (rc != TN_OK)
			return rc;
		for (size_t i = w->batch.refs.n; i-- > 0; )
			if (w->batch.refs.item[i].event_class != TN_REF_NOTICE) {
				s->has_last = true;
				s->last_ns = tn_batch_time(&w->batch, i);
				break;
			}
		place.mark = w->batch.end;
		place.number++;
		last = w->batch.last;
		tn_walked_drop(w);
	}
	return TN_OK;
}

/* Find the time of the last event in earlier packets, by walking them; one is usually enough. */
static enum tn_code
last_event(struct tn_row_state *s, struct tn_error *err)
{
	const struct tn_batch *b = s->batch;
	const struct tn_packet_end *ended = &s->ended[b->stream->rank % TN_PACKET_ENDS];
	enum tn_code rc = TN_OK;

	if (s->last_stream == b->stream && s->last_packet == b->packet)
		return TN_OK;
	if (ended->stream == b->stream && b->packet && ended->packet == b->packet - 1) {
		s->last_stream = b->stream;
		s->last_packet = b->packet;
		s->has_last = true;
		s->last_ns = ended->ns;
		return TN_OK;
	}
	if (!s->has_pool)
		tn_walk_pool_init(&s->pool);
	s->has_pool = true;
	s->last_stream = NULL;
	s->has_last = false;
	for (size_t i = b->packet; i-- > 0 && !s->has_last && rc == TN_OK; )
		rc = walk_to_end(s, i, err);
	if (rc < 0)
		return rc;
	s->last_stream = b->stream;
	s->last_packet = b->packet;
	return TN_OK;
}

enum tn_code
tn_row_delta(struct tn_row_state *s, struct tn_cell *out, struct tn_error *err)
{
	const struct tn_batch *b = s->batch;
	int64_t now = tn_batch_time(b, s->row), before;
	size_t i = s->row;
	enum tn_code rc;

	if (!b->stream->stream_class->clock)
		return TN_OK;
	while (i > 0 && b->refs.item[i - 1].event_class == TN_REF_NOTICE)
		i--;
	if (i > 0) {
		before = tn_batch_time(b, i - 1);
	} else {
		/* After the first event of a packet, the mark has the time of the previous event. */
		rc = b->begin.events ? TN_OK : last_event(s, err);
		if (rc < 0)
			return rc;
		if (!b->begin.events && !s->has_last) {
			tn_row_note_end(s, b, s->row, now);
			return TN_OK;
		}
		before = b->begin.events ? b->begin.key : s->last_ns;
	}
	tn_row_note_end(s, b, s->row, now);
	*out = (struct tn_cell) { .kind = TN_CELL_SIGNED, .i = (int64_t)((uint64_t)now - (uint64_t)before) };
	return TN_OK;
}

#define LOST_REFS 16	/* limit of rows in a walk that ends with the first event */

/* The number of losses in a notice; an unknown number counts as one. */
static uint64_t
lost_events(const struct tn_batch *b, size_t row)
{
	const struct tn_notice *notice = &b->notices.item[b->refs.item[row].bit];

	return notice->kind != TN_ROW_LOST_EVENTS ? 0 : notice->count == TN_UNKNOWN ? 1 : notice->count;
}

/* Get the losses before the events of a packet, and whether it has no events. */
static enum tn_code
lost_in(struct tn_row_state *s, size_t packet, uint64_t *n, bool *empty, struct tn_error *err)
{
	struct tn_batch_place place = {
		.stream = (struct tn_stream *)s->batch->stream, .packet = packet, .limit = LOST_REFS,
	};
	struct tn_walked *w;
	bool last = false;

	*n = 0;
	*empty = true;
	while (!last && *empty) {
		enum tn_code rc = tn_walk(&s->pool, &place, &w, err);

		if (rc != TN_OK)
			return rc;
		for (size_t i = 0; i < w->batch.refs.n && *empty; i++)
			if (w->batch.refs.item[i].event_class == TN_REF_NOTICE)
				*n += lost_events(&w->batch, i);
			else
				*empty = false;
		place.mark = w->batch.end;
		place.number++;
		last = w->batch.last;
		tn_walked_drop(w);
	}
	return TN_OK;
}

/* Search for the previous event of the stream. Packets without events, and losses, may be between them. */
enum tn_code
tn_row_lost(struct tn_row_state *s, struct tn_cell *out, struct tn_error *err)
{
	const struct tn_batch *b = s->batch;
	uint64_t n = 0, there;
	size_t row = s->row;
	bool empty = true;

	while (row > 0 && b->refs.item[row - 1].event_class == TN_REF_NOTICE)
		n += lost_events(b, --row);
	if (row == 0 && !b->begin.events && b->entry.discarded != TN_UNKNOWN) {
		if (!s->has_pool)
			tn_walk_pool_init(&s->pool);
		s->has_pool = true;
		/* If the batch began between the losses and the first event, start with the row's own packet. */
		for (size_t i = b->packet + (b->begin.row > 0); i-- > 0 && empty; ) {
			enum tn_code rc = lost_in(s, i, &there, &empty, err);

			if (rc < 0)
				return rc;
			if (i == b->packet)
				n = there;
			else if (empty)
				n += there;
			empty |= i == b->packet;
		}
	}
	*out = (struct tn_cell) { .kind = TN_CELL_UNSIGNED, .u = n };
	return TN_OK;
}
