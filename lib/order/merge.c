#include "order/merge.h"

#include <stdlib.h>

#include "index/packet_index.h"

/* ---- the heap ---- */

/*
 * Put @key in the hole at the top. First the hole moves down to the bottom, then the key moves up from there. The next
 * key of a flow is seldom among the smallest, so this needs half the comparisons.
 */
static void
sift_down(tn_merge_key *heap, size_t n, tn_merge_key key)
{
	size_t i = 0, child;

	while ((child = 2 * i + 2) < n) {
		/* No branch in the loop depends on the data, except the one that ends the loop. */
		child -= tn_merge_key_less(heap[child - 1], heap[child]);
		heap[i] = heap[child];
		i = child;
	}
	if (child == n) {
		heap[i] = heap[n - 1];
		i = n - 1;
	}
	for (; i && tn_merge_key_less(key, heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = key;
}

void
tn_heap_push(tn_merge_key *heap, size_t *n, tn_merge_key key)
{
	size_t i = (*n)++;

	while (i && tn_merge_key_less(key, heap[(i - 1) / 2])) {
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = key;
}

void
tn_heap_pop(tn_merge_key *heap, size_t *n)
{
	if (--*n)
		sift_down(heap, *n, heap[*n]);
}

void
tn_heap_replace_top(tn_merge_key *heap, size_t n, tn_merge_key key)
{
	sift_down(heap, n, key);
}

/* ---- the merge ---- */

enum tn_code
tn_merge_init(struct tn_merge *m, const struct tn_set *set, struct tn_flow_source source, struct tn_error *err)
{
	*m = (struct tn_merge) { .set = set, .source = source };
	m->flow = calloc(set->n_streams ? set->n_streams : 1, sizeof *m->flow);
	m->heap = calloc(set->n_streams ? set->n_streams : 1, sizeof *m->heap);
	if (!m->flow || !m->heap) {
		tn_merge_release(m);
		return tn_fail_memory(err);
	}
	m->n_flows = set->n_streams;
	for (size_t i = 0; i < m->n_flows; i++)
		m->flow[i].stream = set->stream[i];
	return TN_OK;
}

void
tn_merge_release(struct tn_merge *m)
{
	for (size_t i = 0; i < m->n_flows; i++)
		tn_flow_release(&m->flow[i]);
	free(m->flow);
	free(m->heap);
	*m = (struct tn_merge) { 0 };
}

/*
 * Get the key of the flow's next row, or a lower bound of the key. When walking back, read the row itself: the end of a
 * packet comes from its tracer, and some tracers write events after it.
 */
static enum tn_code
key_of(struct tn_merge *m, uint32_t rank, tn_merge_key *out, struct tn_error *err)
{
	struct tn_flow *f = &m->flow[rank];
	int64_t time_ns;
	enum tn_code rc = TN_OK;

	if (m->backward && !tn_flow_ready(f, true))
		rc = tn_flow_load(f, &m->source, true, err);
	if (rc != TN_OK)
		return rc;
	if (!tn_flow_ready(f, m->backward)) {
		if ((rc = tn_flow_bound(f, &m->source, &time_ns, err)) != TN_OK)
			return rc;
	} else {
		time_ns = f->walked->batch.refs.item[m->backward ? f->row - 1 : f->row].time_ns;
	}
	*out = tn_merge_key_of(time_ns, rank, m->backward);
	return TN_OK;
}

enum tn_code
tn_merge_start(struct tn_merge *m, bool backward, struct tn_error *err)
{
	m->backward = backward;
	m->stale = false;
	m->n = 0;
	for (size_t i = 0; i < m->n_flows; i++) {
		tn_merge_key key;
		enum tn_code rc;

		if (m->flow[i].off)
			continue;
		rc = key_of(m, (uint32_t)i, &key, err);
		if (rc < 0)
			return rc;
		if (rc == TN_OK)
			tn_heap_push(m->heap, &m->n, key);
	}
	return TN_OK;
}

/* Restore the order of the heap after the flow at the top has moved. */
static enum tn_code
renew_top(struct tn_merge *m, uint32_t rank, struct tn_error *err)
{
	tn_merge_key key;
	enum tn_code rc = key_of(m, rank, &key, err);

	if (rc == TN_OK)
		tn_heap_replace_top(m->heap, m->n, key);
	else if (rc == TN_END)
		tn_heap_pop(m->heap, &m->n);
	return rc < 0 ? rc : TN_OK;
}

/*
 * The number of rows from @r on, at most @max, that are not later than @last. It is at least 1, because the caller has
 * tested the first row.
 */
static inline size_t
run_forward(const struct tn_ref *r, size_t max, int64_t last)
{
	size_t lo = 1, step = 2, hi;

	while (lo < 8 && lo < max && r[lo].time_ns <= last)
		lo++;
	if (lo < 8 || lo == max)
		return lo;
	while (step <= max - lo && r[lo + step - 1].time_ns <= last) {	/* rows before lo belong to the run */
		lo += step;
		step *= 2;
	}
	hi = step > max - lo ? max : lo + step - 1;
	TN_BISECT(lo, hi, mid, r[mid].time_ns <= last);
	return lo;
}

/* The number of rows @r, @r - 1, ... that are not earlier than @last. */
static size_t
run_backward(const struct tn_ref *r, size_t max, int64_t last)
{
	size_t n = 1;

	while (n < max && (r - n)->time_ns >= last)
		n++;
	return n;
}

/* The last time for which the flow at the top is before all others. */
static int64_t
last_time(const struct tn_merge *m, uint32_t rank)
{
	tn_merge_key second;
	int64_t time;
	uint32_t other;

	if (m->n < 2)
		return m->backward ? INT64_MIN : INT64_MAX;
	second = m->n > 2 && tn_merge_key_less(m->heap[2], m->heap[1]) ? m->heap[2] : m->heap[1];
	time = tn_merge_key_time(second, m->backward);
	other = tn_merge_key_rank(second, m->backward);
	if (m->backward)
		return rank > other || time == INT64_MAX ? time : time + 1;
	return rank < other || time == INT64_MIN ? time : time - 1;
}

/*
 * Take the runs of the flow at the top, whose next row is walked, and of flows that follow it at the top in the same
 * state. Meanwhile the flow at the top is not in the heap: it is compared and exchanged with the top of the other flows.
 */
static size_t
ready_runs(struct tn_merge *m, size_t max, struct tn_run *out, size_t room)
{
	tn_merge_key top = m->heap[0], *heap = m->heap;
	struct tn_run *run = out, *end = out + room;
	size_t n;

	tn_heap_pop(heap, &m->n);
	n = m->n;
	for (;;) {
		uint32_t rank = tn_merge_key_rank(top, false);
		struct tn_flow *f = &m->flow[rank];
		const struct tn_ref *ref;
		size_t left, some;
		tn_merge_key next;

		if (!tn_flow_ready(f, false))
			break;
		left = f->walked->batch.refs.n - f->row;
		left = left < max ? left : max;
		ref = &f->walked->batch.refs.item[f->row];
		some = left;
		if (n) {
			/* This stream has the smallest key. At equal times, the stream with the smaller rank is first. */
			int64_t last = tn_merge_key_time(heap[0], false) - (rank > tn_merge_key_rank(heap[0], false));

			some = 1;
			if (left > 1 && ref[1].time_ns <= last)
				some = run_forward(ref, left, last);
		}
		run->walked = f->walked;
		run->batch = &f->walked->batch;
		run->first = f->row;
		run->n = some;
		run++;
		f->row += some;
		max -= some;
		if (f->row == f->walked->batch.refs.n || !max || run == end) {
			m->stale = true;	/* the user still has the batch: continue in the next call */
			break;
		}
		next = tn_merge_key_of(ref[some].time_ns, rank, false);
		top = heap[0];
		if (n == 1)
			heap[0] = next;
		else
			sift_down(heap, n, next);
	}
	tn_heap_push(heap, &m->n, top);	/* put the flow back into the heap */
	return (size_t)(run - out);
}

/* Make sure that the row at the top is walked and in its place. */
static enum tn_code
ready_top(struct tn_merge *m, struct tn_error *err)
{
	enum tn_code rc;

	if (m->stale) {
		m->stale = false;
		if ((rc = renew_top(m, tn_merge_key_rank(m->heap[0], m->backward), err)) < 0)
			return rc;
	}
	while (m->n) {
		uint32_t rank = tn_merge_key_rank(m->heap[0], m->backward);
		struct tn_flow *f = &m->flow[rank];

		if (tn_flow_ready(f, m->backward))
			return TN_OK;
		rc = tn_flow_load(f, &m->source, m->backward, err);
		if (rc == TN_END)
			tn_heap_pop(m->heap, &m->n);
		else if (rc < 0 || (rc = renew_top(m, rank, err)) < 0)
			return rc;
	}
	return TN_END;
}

enum tn_code
tn_merge_peek(struct tn_merge *m, struct tn_run *out, struct tn_error *err)
{
	enum tn_code rc = ready_top(m, err);

	if (rc == TN_OK) {
		struct tn_flow *f = &m->flow[tn_merge_key_rank(m->heap[0], m->backward)];

		*out = (struct tn_run) {
			.batch = &f->walked->batch, .first = m->backward ? f->row - 1 : f->row, .n = 1, .walked = f->walked };
	}
	return rc;
}

/* Take the backward run of the flow at the top, whose next row is walked. */
static void
run_back(struct tn_merge *m, size_t max, struct tn_run *out)
{
	uint32_t rank = tn_merge_key_rank(m->heap[0], true);
	struct tn_flow *f = &m->flow[rank];

	out->walked = f->walked;
	out->batch = &f->walked->batch;
	out->first = f->row - 1;
	out->n = run_backward(&f->walked->batch.refs.item[out->first], f->row < max ? f->row : max,
			      last_time(m, rank));
	f->row -= out->n;
	m->stale = true;
}

enum tn_code
tn_merge_runs(struct tn_merge *m, size_t max, struct tn_run *out, size_t room, size_t *n, struct tn_error *err)
{
	enum tn_code rc = ready_top(m, err);

	*n = 0;
	if (rc == TN_OK && m->backward) {
		run_back(m, max, out);
		*n = 1;
	} else if (rc == TN_OK) {
		*n = ready_runs(m, max, out, room);
	}
	return rc;
}

enum tn_code
tn_merge_run(struct tn_merge *m, size_t max, struct tn_run *out, struct tn_error *err)
{
	size_t n;

	return tn_merge_runs(m, max, out, 1, &n, err);
}

void
tn_merge_to_start(struct tn_merge *m)
{
	for (size_t i = 0; i < m->n_flows; i++)
		tn_flow_to_packet(&m->flow[i], 0);
}

#define SLICE_NS 50000000	/* time between two calls that ask whether to stop */

/* Search for packets with all threads, as long as this is faster. */
static enum tn_code
reach(struct tn_merge *m, int64_t time_ns, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	while (rc == TN_OK && tn_index_reach(m->set->stream, m->set->n_streams, time_ns, m->source.stopped ? SLICE_NS : 0))
		rc = tn_flow_request(&m->source, err);
	return rc;
}

/* All packets of a flow are known now: return their number. */
static enum tn_code
complete(const struct tn_merge *m, const struct tn_flow *f, size_t *n, struct tn_error *err)
{
	enum tn_code rc = tn_flow_reach(f, &m->source, INT64_MAX, err);

	return rc == TN_OK ? tn_index_complete(f->stream, n, err) : rc;
}

enum tn_code
tn_merge_to_end(struct tn_merge *m, struct tn_error *err)
{
	enum tn_code reached = reach(m, INT64_MAX, err);

	if (reached < 0)
		return reached;
	for (size_t i = 0; i < m->n_flows; i++) {
		size_t n;
		enum tn_code rc;

		if (m->flow[i].off)
			continue;
		rc = complete(m, &m->flow[i], &n, err);
		if (rc < 0)
			return rc;
		tn_flow_to_packet(&m->flow[i], n);
	}
	return TN_OK;
}

enum tn_code
tn_merge_seek(struct tn_merge *m, int64_t time_ns, struct tn_error *err)
{
	enum tn_code reached = reach(m, time_ns, err);

	if (reached < 0)
		return reached;
	for (size_t i = 0; i < m->n_flows; i++) {
		enum tn_code rc;

		if (m->flow[i].off)
			continue;
		if ((rc = tn_flow_seek(&m->flow[i], &m->source, time_ns, err)) < 0)
			return rc;
	}
	return TN_OK;
}

/* Move the gap of one flow to where the row at @at divides it. */
static enum tn_code
divide(struct tn_merge *m, uint32_t rank, const struct tn_location *at, bool after, struct tn_error *err)
{
	struct tn_flow *f = &m->flow[rank];
	size_t n;
	enum tn_code rc;

	if (rank > at->stream)
		return tn_flow_seek(f, &m->source, at->time_ns, err);
	if (rank < at->stream && at->time_ns < INT64_MAX)
		return tn_flow_seek(f, &m->source, at->time_ns + 1, err);
	if (rank < at->stream) {
		rc = complete(m, f, &n, err);
		if (rc == TN_OK)
			tn_flow_to_packet(f, n);
		return rc;
	}
	rc = tn_flow_seek_row(f, &m->source, at->packet, at->row, err);
	if (rc == TN_END)	/* the packet does not exist; the location may be of another trace */
		return tn_flow_seek(f, &m->source, at->time_ns, err);
	if (rc == TN_OK && after && tn_flow_ready(f, false))
		f->row++;
	return rc;
}

enum tn_code
tn_merge_seek_row(struct tn_merge *m, const struct tn_location *at, bool after, struct tn_error *err)
{
	for (size_t i = 0; i < m->n_flows; i++) {
		enum tn_code rc;

		if (m->flow[i].off)
			continue;
		if ((rc = divide(m, (uint32_t)i, at, after, err)) < 0)
			return rc;
	}
	return TN_OK;
}
