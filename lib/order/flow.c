#include "order/flow.h"

#include "index/packet_index.h"

void
tn_flow_release(struct tn_flow *f)
{
	tn_walked_drop(f->walked);
	f->walked = NULL;
	TN_ARRAY_RELEASE(&f->marks);
}

void
tn_flow_to_packet(struct tn_flow *f, size_t packet)
{
	tn_walked_drop(f->walked);
	f->walked = NULL;
	f->packet = packet;
	f->row = 0;
}

void
tn_flow_to_row(struct tn_flow *f, struct tn_walked *w, size_t row)
{
	tn_walked_hold(w);
	tn_walked_drop(f->walked);
	f->walked = w;
	f->packet = w->batch.packet;
	f->row = row;
}

/* Remember the start of the batch after @w. */
static bool
set_mark(struct tn_flow *f, const struct tn_walked *w)
{
	struct tn_mark *mark;

	if (f->marked != w->batch.packet || f->marks.n == 0) {
		if (w->number != 0 || w->batch.last)
			return true;	/* the packet has only one batch */
		f->marked = w->batch.packet;
		f->marks.n = 0;
		if (!TN_ARRAY_ADD(&f->marks))
			return false;
	}
	if (w->batch.last || f->marks.n != w->number + 1)
		return true;
	mark = TN_ARRAY_ADD(&f->marks);
	if (!mark)
		return false;
	*mark = w->batch.end;
	return true;
}

/* The number of batches of the packet whose start is known; 1 if none was walked. */
static size_t
marks_of(const struct tn_flow *f, size_t packet)
{
	return f->marked == packet && f->marks.n ? f->marks.n : 1;
}

enum tn_code
tn_flow_request(const struct tn_flow_source *src, struct tn_error *err)
{
	if (src->stopped && src->stopped(src->stop_user))
		return tn_fail(err, TN_ERR_CANCELLED, "stopped");
	return TN_OK;
}

enum tn_code
tn_flow_reach(const struct tn_flow *f, const struct tn_flow_source *src, int64_t time_ns, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	while (rc == TN_OK && src->stopped && !tn_index_reaches(f->stream, time_ns))
		if ((rc = tn_flow_request(src, err)) == TN_OK)
			rc = tn_index_step(f->stream, err);
	return rc < 0 ? rc : TN_OK;
}

/* Move the gap before the first row of a batch. If this fails, the gap does not move. */
static enum tn_code
to_batch(struct tn_flow *f, const struct tn_flow_source *src, size_t packet, size_t number, struct tn_error *err)
{
	struct tn_batch_place place = {
		.stream = f->stream, .packet = packet, .number = number, .limit = src->limit,
	};
	struct tn_walked *w;
	enum tn_code rc;

	if (number && number < marks_of(f, packet)) {
		place.mark = f->marks.item[number];
	} else if (number) {	/* start at the end of the current batch, or else at the last known start */
		if (!f->walked || f->packet != packet || f->walked->number != number - 1)
			if ((rc = to_batch(f, src, packet, number - 1, err)) != TN_OK)
				return rc;
		place.mark = f->walked->batch.end;
	}
	rc = tn_flow_request(src, err);
	if (rc == TN_OK)
		rc = src->get(src->user, &place, &w, err);
	if (rc != TN_OK)
		return rc;
	if (!set_mark(f, w)) {
		tn_walked_drop(w);
		return tn_fail_memory(err);
	}
	tn_walked_drop(f->walked);
	f->walked = w;
	f->packet = packet;
	f->row = 0;
	return TN_OK;
}

/* The packet with the first row after the current batch. */
static size_t
next_packet(const struct tn_flow *f, const struct tn_flow_source *src)
{
	return tn_packet_from(src->marks, f->stream, f->walked ? f->packet + 1 : f->packet);
}

/* Move the gap before the first row of the next batch. */
static enum tn_code
to_next_batch(struct tn_flow *f, const struct tn_flow_source *src, struct tn_error *err)
{
	if (f->walked && !f->walked->batch.last)
		return to_batch(f, src, f->packet, f->walked->number + 1, err);
	return to_batch(f, src, next_packet(f, src), 0, err);
}

/* Move the gap after the last row of a packet. */
static enum tn_code
to_packet_end(struct tn_flow *f, const struct tn_flow_source *src, size_t packet, struct tn_error *err)
{
	enum tn_code rc = to_batch(f, src, packet, marks_of(f, packet) - 1, err);

	while (rc == TN_OK && !f->walked->batch.last)
		rc = to_batch(f, src, packet, f->walked->number + 1, err);
	if (rc == TN_OK)
		f->row = f->walked->batch.refs.n;
	return rc;
}

enum tn_code
tn_flow_load(struct tn_flow *f, const struct tn_flow_source *src, bool backward, struct tn_error *err)
{
	while (!tn_flow_ready(f, backward)) {
		size_t before;
		enum tn_code rc;

		if (!backward) {
			rc = to_next_batch(f, src, err);
		} else if (f->walked && f->walked->number) {
			rc = to_batch(f, src, f->packet, f->walked->number - 1, err);
			if (rc == TN_OK)
				f->row = f->walked->batch.refs.n;
		} else if ((before = tn_packet_before(src->marks, f->stream, f->packet)) == 0) {
			return TN_END;
		} else {
			rc = to_packet_end(f, src, before - 1, err);
		}
		if (rc != TN_OK)
			return rc;
	}
	return TN_OK;
}

/* The number of rows of the batch before @time_ns. */
static size_t
rows_before(const struct tn_batch *b, int64_t time_ns)
{
	size_t lo = 0;

	TN_BISECT(lo, b->refs.n, mid, b->refs.item[mid].time_ns < time_ns);
	return lo;
}

/* The last batch of the packet whose start is known to be before @time_ns. */
static size_t
batch_before(const struct tn_flow *f, size_t packet, int64_t time_ns)
{
	size_t after = 1;

	TN_BISECT(after, marks_of(f, packet), mid, f->marks.item[mid].key < time_ns);
	return after - 1;
}

enum tn_code
tn_flow_seek(struct tn_flow *f, const struct tn_flow_source *src, int64_t time_ns, struct tn_error *err)
{
	struct tn_packet entry;
	enum tn_code rc;
	size_t packet;

	if (time_ns == INT64_MIN) {
		tn_flow_to_packet(f, 0);
		return TN_OK;
	}
	if (!f->stream->stream_class->clock) {	/* without a clock, all rows are before any time */
		if ((rc = tn_flow_reach(f, src, INT64_MAX, err)) < 0)
			return rc;
		rc = tn_index_complete(f->stream, &packet, err);
		if (rc == TN_OK)
			tn_flow_to_packet(f, packet);
		return rc;
	}
	rc = tn_flow_reach(f, src, time_ns, err);
	if (rc == TN_OK)
		rc = tn_index_find(f->stream, time_ns, &packet, err);
	if (rc < 0)
		return rc;
	rc = tn_index_get(f->stream, packet, &entry, NULL, err);
	if (rc < 0)
		return rc;
	if (rc == TN_END || entry.begin_ns >= time_ns) {
		tn_flow_to_packet(f, packet);
		return TN_OK;
	}
	rc = to_batch(f, src, packet, batch_before(f, packet, time_ns), err);
	while (rc == TN_OK) {
		f->row = rows_before(&f->walked->batch, time_ns);
		if (tn_flow_ready(f, false))
			break;
		rc = to_next_batch(f, src, err);
	}
	return rc < 0 ? rc : TN_OK;
}

enum tn_code
tn_flow_seek_row(struct tn_flow *f, const struct tn_flow_source *src, size_t packet, uint64_t row,
		 struct tn_error *err)
{
	size_t after = 1;	/* the batch before `after` is the last one known to begin at or before the row */
	enum tn_code rc;

	TN_BISECT(after, marks_of(f, packet), mid, f->marks.item[mid].row <= row);
	rc = to_batch(f, src, packet, after - 1, err);
	while (rc == TN_OK && row - f->walked->batch.begin.row >= f->walked->batch.refs.n) {
		f->row = f->walked->batch.refs.n;
		if (f->walked->batch.last)
			return TN_OK;
		rc = to_batch(f, src, packet, f->walked->number + 1, err);
	}
	if (rc == TN_OK)
		f->row = (size_t)(row - f->walked->batch.begin.row);
	return rc;
}

enum tn_code
tn_flow_bound(struct tn_flow *f, const struct tn_flow_source *src, int64_t *time_ns, struct tn_error *err)
{
	struct tn_packet entry;
	enum tn_code rc;

	if (f->walked && !f->walked->batch.last) {
		*time_ns = f->walked->batch.end.key;
		return TN_OK;
	}
	rc = tn_index_sure(f->stream, next_packet(f, src), &entry, NULL, err);
	if (rc == TN_OK)
		*time_ns = f->stream->stream_class->clock ? entry.begin_ns : INT64_MIN;
	return rc;
}
