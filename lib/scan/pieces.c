#include "scan/pieces.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/now.h"
#include "base/team.h"
#include "index/batches.h"
#include "index/packet_index.h"
#include "order/cursor.h"
#include "order/merge.h"
#include "scan/crew.h"
#include "scan/packet_skip.h"

#define PIECE_BYTES ((uint64_t)256 << 10)
#define LEAST_BYTES ((uint64_t)8 << 10)
#define ALL_BYTES ((uint64_t)8 << 20)	/* of one piece of each stream */
#define LARGE_BYTES ((uint64_t)4 << 20)	/* a packet is walked here and not by who works on it */
#define LARGE_BATCHES 8
#define MIXED_ROWS 4096
#define PROGRESS_NS 50000000

struct slot {
	struct tn_piece piece;
	size_t first, n;	/* packets */
	uint64_t bytes, rows;
	TN_ARRAY(struct tn_walked *) walked;	/* of a large packet */
	TN_ARRAY(struct tn_row) notices;	/* texts are owned */
	enum tn_code code;
	struct tn_error err;
};

/* Where a stream is. */
struct place {
	struct tn_batch_place next;	/* number > 0: inside a large packet */
	bool done;
};

struct pieces {
	struct tn_set *set;
	const struct tn_scan_options *options;
	const struct tn_pieces_ops *ops;
	void *user;
	struct tn_left_out *left_out;	/* packets in which nothing passes */
	struct tn_walk_pool pool;
	struct place *place;	/* by rank */
	tn_merge_key *heap;	/* streams by their next packet's begin */
	size_t n_heap;
	struct slot *slot;
	size_t n_slots;
	struct tn_piece_reader *reader;	/* by thread */
	uint64_t piece_bytes, all_bytes, events;
	int64_t next_progress, at_ns;
};

static enum tn_code
stopped(struct tn_error *err)
{
	return tn_fail(err, TN_ERR_CANCELLED, "stopped");
}

/* ---- dealing out ---- */

/* The first packet of a stream that has rows in the range; TN_END: none has. */
static enum tn_code
first_packet(const struct pieces *p, struct tn_stream *s, size_t *packet, struct tn_error *err)
{
	*packet = 0;
	if (!p->options->has_begin || !s->stream_class->clock)
		return TN_OK;
	return tn_index_find(s, p->options->begin_ns, packet, err);
}

/* The entry of the next packet and whether there is one in the range. */
static enum tn_code
next_packet(const struct pieces *p, struct place *at, struct tn_packet *out, struct tn_error *err)
{
	enum tn_code rc;

	at->next.packet = tn_packet_from(tn_left_out_marks(p->left_out), at->next.stream, at->next.packet);
	rc = tn_index_sure(at->next.stream, at->next.packet, out, NULL, err);
	if (rc == TN_OK && p->options->has_end && out->begin_ns > p->options->end_ns)
		rc = TN_END;
	at->done = rc == TN_END;
	return rc;
}

static void
push(struct pieces *p, struct tn_stream *s, int64_t bound_ns)
{
	tn_heap_push(p->heap, &p->n_heap, tn_merge_key_of(bound_ns, s->rank, false));
}

static enum tn_code
begin_stream(struct pieces *p, struct tn_stream *s, struct tn_error *err)
{
	struct place *at = &p->place[s->rank];
	struct tn_packet entry;
	enum tn_code rc;

	at->next = (struct tn_batch_place) { .stream = s };
	rc = first_packet(p, s, &at->next.packet, err);
	if (rc == TN_OK)
		rc = next_packet(p, at, &entry, err);
	if (rc < 0)
		return rc;
	at->done = rc == TN_END;
	if (!at->done)
		push(p, s, entry.begin_ns);
	return p->ops->begin ? p->ops->begin(p->user, s, at->done ? 0 : entry.begin_ns, at->done, err) : TN_OK;
}

/* Walk some batches of a packet that is too large to be walked at once. */
static enum tn_code
fill_large(struct pieces *p, struct slot *slot, struct place *at, struct tn_error *err)
{
	for (size_t i = 0; i < LARGE_BATCHES; i++) {
		struct tn_walked *w, **kept;
		enum tn_code rc = tn_walk(&p->pool, &at->next, &w, err);

		if (rc != TN_OK)
			return rc < 0 ? rc : TN_OK;
		kept = TN_ARRAY_ADD(&slot->walked);
		if (!kept) {
			tn_walked_drop(w);
			return tn_fail_memory(err);
		}
		*kept = w;
		at->next.mark = w->batch.end;
		at->next.number++;
		if (w->batch.last) {
			at->next.packet++;
			at->next.number = 0;
			break;
		}
	}
	return TN_OK;
}

static enum tn_code
fill_packets(struct pieces *p, struct slot *slot, struct place *at, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	while (rc == TN_OK && slot->bytes < p->piece_bytes) {
		struct tn_packet entry;

		rc = next_packet(p, at, &entry, err);
		if (rc != TN_OK || (slot->n && at->next.packet != slot->first + slot->n))
			break;
		if (entry.size_bits / 8 >= LARGE_BYTES) {
			if (slot->n)
				break;
			slot->bytes = 0;
			return fill_large(p, slot, at, err);
		}
		slot->bytes += entry.size_bits / 8 + 64;
		slot->n++;
		at->next.packet++;
	}
	return rc < 0 ? rc : TN_OK;
}

static enum tn_code
fill(void *user, size_t i, struct tn_error *err)
{
	struct pieces *p = user;
	struct slot *slot = &p->slot[i];
	struct tn_packet entry;
	struct place *at;
	enum tn_code rc;

	if (!p->n_heap)
		return TN_END;
	at = &p->place[tn_merge_key_rank(p->heap[0], false)];
	slot->piece.stream = at->next.stream;
	slot->first = at->next.packet;
	slot->n = 0;
	slot->bytes = slot->rows = 0;
	slot->code = TN_OK;
	rc = at->next.number ? fill_large(p, slot, at, err) : fill_packets(p, slot, at, err);
	if (rc == TN_OK && !at->done)
		rc = next_packet(p, at, &entry, err);
	if (rc < 0)
		return rc;
	slot->piece.last = at->done;
	slot->piece.bound_ns = at->done ? INT64_MAX : at->next.number ? at->next.mark.key : entry.begin_ns;
	if (at->done)
		tn_heap_pop(p->heap, &p->n_heap);
	else
		tn_heap_replace_top(p->heap, p->n_heap,
				    tn_merge_key_of(slot->piece.bound_ns, slot->piece.stream->rank, false));
	return TN_OK;
}

/* ---- working ---- */

static enum tn_code
keep_notices(struct slot *slot, const struct tn_batch *b, size_t first, size_t end)
{
	for (size_t i = first; b->notices.n && i < end; i++) {
		struct tn_row *row;

		if (b->refs.item[i].event_class != TN_REF_NOTICE)
			continue;
		row = TN_ARRAY_ADD(&slot->notices);
		if (!row)
			return tn_fail_memory(&slot->err);
		tn_row_of(b, i, row);
		if (row->text && !(row->text = strdup(row->text)))
			return tn_fail_memory(&slot->err);
	}
	return TN_OK;
}

static enum tn_code
work_on_batch(struct pieces *p, struct slot *slot, struct tn_piece_reader *reader, const struct tn_batch *b)
{
	const struct tn_scan_options *o = p->options;
	size_t first = 0, end = b->refs.n;
	enum tn_code rc;

	if (b->stream->stream_class->clock) {
		while (o->has_begin && first < end && b->refs.item[first].time_ns < o->begin_ns)
			first++;
		while (o->has_end && end > first && b->refs.item[end - 1].time_ns > o->end_ns)
			end--;
	}
	if (first == end)
		return TN_OK;
	slot->rows += end - first;
	rc = o->notice ? keep_notices(slot, b, first, end) : TN_OK;
	if (rc == TN_OK)
		rc = p->ops->rows(p->user, slot->piece.state, reader, b, first, end, &slot->err);
	return rc < 0 ? rc : tn_packet_check(b->stream, &b->entry, &slot->err);
}

static enum tn_code
work_on_packet(struct pieces *p, struct slot *slot, struct tn_piece_reader *reader, size_t packet)
{
	struct tn_batch_place at = { .stream = slot->piece.stream, .packet = packet };
	bool last = false;
	enum tn_code rc = TN_OK;

	while (rc == TN_OK && !last) {
		struct tn_walked *w;

		rc = tn_walk(&p->pool, &at, &w, &slot->err);
		if (rc != TN_OK)
			return rc < 0 ? rc : TN_OK;
		rc = work_on_batch(p, slot, reader, &w->batch);
		last = w->batch.last;
		at.mark = w->batch.end;
		at.number++;
		tn_walked_drop(w);
	}
	return rc;
}

static void
give_back(const struct slot *slot)
{
	struct tn_stream *s = slot->piece.stream;
	struct tn_packet first, last;

	if (slot->n && tn_index_get(s, slot->first, &first, NULL, NULL) == TN_OK &&
	    tn_index_get(s, slot->first + slot->n - 1, &last, NULL, NULL) == TN_OK &&
	    first.file == last.file && first.offset <= last.offset)
		tn_map_pass(&s->file[first.file].map, first.offset, last.offset + last.size_bits / 8);
}

static void
work(void *user, size_t i, unsigned thread)
{
	struct pieces *p = user;
	struct slot *slot = &p->slot[i];
	struct tn_piece_reader *reader = &p->reader[thread];

	for (size_t k = 0; k < slot->walked.n; k++) {
		if (slot->code == TN_OK)
			slot->code = work_on_batch(p, slot, reader, &slot->walked.item[k]->batch);
		tn_walked_drop(slot->walked.item[k]);
	}
	slot->walked.n = 0;
	for (size_t k = 0; k < slot->n && slot->code == TN_OK; k++) {
		if (p->options->stopped && p->options->stopped(p->options->user))
			slot->code = stopped(&slot->err);
		else
			slot->code = work_on_packet(p, slot, reader, slot->first + k);
	}
	if (p->all_bytes >= TN_MAP_LARGE)
		give_back(slot);
}

static void
clear_notices(struct slot *slot)
{
	for (size_t i = 0; i < slot->notices.n; i++)
		free((char *)slot->notices.item[i].text);
	slot->notices.n = 0;
}

static enum tn_code
tell_notices(struct pieces *p, struct slot *slot, struct tn_error *err)
{
	const struct tn_scan_options *o = p->options;
	bool stop = false;

	for (size_t i = 0; i < slot->notices.n && !stop; i++)
		stop = o->notice(o->user, &slot->notices.item[i]);
	clear_notices(slot);
	return stop ? stopped(err) : TN_OK;
}

static enum tn_code
deliver(void *user, size_t i, struct tn_error *err)
{
	struct pieces *p = user;
	struct slot *slot = &p->slot[i];
	int64_t now;

	if (tell_notices(p, slot, err) < 0)
		return TN_ERR_CANCELLED;
	if (slot->code < 0) {
		if (err)
			*err = slot->err;
		return slot->code;
	}
	p->events += slot->rows;
	if (slot->piece.bound_ns > p->at_ns && !slot->piece.last)
		p->at_ns = slot->piece.bound_ns;
	if (p->options->progress && (now = tn_now_ns()) >= p->next_progress) {
		p->next_progress = now + PROGRESS_NS;
		if (p->options->progress(p->options->user, p->events, 0, p->at_ns))
			return stopped(err);
	}
	return p->ops->deliver(p->user, &slot->piece, err);
}

static enum tn_code
run_streams(struct pieces *p, unsigned threads, struct tn_error *err)
{
	static const struct tn_crew_ops ops = { fill, work, deliver, NULL };
	enum tn_code rc = TN_OK;

	p->place = calloc(p->set->n_streams + 1, sizeof *p->place);
	p->heap = calloc(p->set->n_streams + 1, sizeof *p->heap);
	if (!p->place || !p->heap)
		return tn_fail_memory(err);
	p->piece_bytes = ALL_BYTES / (p->set->n_streams + 1);
	if (p->piece_bytes > PIECE_BYTES)
		p->piece_bytes = PIECE_BYTES;
	if (p->piece_bytes < LEAST_BYTES)
		p->piece_bytes = LEAST_BYTES;
	for (size_t i = 0; i < p->set->n_streams && rc == TN_OK; i++) {
		p->all_bytes += p->set->stream[i]->size;
		rc = begin_stream(p, p->set->stream[i], err);
	}
	return rc == TN_OK ? tn_crew_run(threads, &ops, p, NULL, err) : rc;
}

/* ---- rows whose lines were looked at ---- */

struct mixed {
	struct pieces *p;
	struct tn_cursor *cur;
	size_t rows;
	enum tn_code rc;
	struct tn_error *err;
};

static enum tn_code
deliver_mixed(struct mixed *m)
{
	m->rows = 0;
	return m->p->ops->deliver(m->p->user, &m->p->slot[0].piece, m->err);
}

static int
take_row(void *user, const struct tn_row *row)
{
	struct mixed *m = user;
	struct pieces *p = m->p;
	const struct tn_batch *b;
	size_t i;

	if (row->kind != TN_ROW_EVENT && p->options->notice && p->options->notice(p->options->user, row))
		m->rc = stopped(m->err);
	if (m->rc == TN_OK)
		m->rc = tn_cursor_restore(m->cur, &row->location, m->err);
	if (m->rc == TN_OK && (b = tn_cursor_batch(m->cur, &i)))
		m->rc = p->ops->rows(p->user, p->slot[0].piece.state, &p->reader[0], b, i, i + 1, m->err);
	if (m->rc == TN_OK && ++m->rows == MIXED_ROWS)
		m->rc = deliver_mixed(m);
	return m->rc != TN_OK;
}

static int
mixed_progress(void *user, uint64_t read, uint64_t passed, int64_t at_ns)
{
	const struct tn_scan_options *o = ((struct mixed *)user)->p->options;

	return o->progress ? o->progress(o->user, read, passed, at_ns) : 0;
}

static bool
mixed_stopped(void *user)
{
	const struct tn_scan_options *o = ((struct mixed *)user)->p->options;

	return o->stopped && o->stopped(o->user);
}

static enum tn_code
run_mixed(struct pieces *p, struct tn_error *err)
{
	struct tn_scan_options scan = *p->options;
	struct mixed m = { .p = p, .err = err };
	enum tn_code rc = tn_cursor_new(&m.cur, p->set, err);

	if (rc != TN_OK)
		return rc;
	scan.lines = NULL;
	scan.notice = NULL;
	scan.row = take_row;
	scan.progress = mixed_progress;
	scan.stopped = mixed_stopped;
	scan.user = &m;
	rc = tn_scan(p->set, &scan, NULL, err);
	if (m.rc != TN_OK)
		rc = m.rc < 0 ? m.rc : TN_OK;
	p->slot[0].piece.last = true;
	if (rc == TN_OK)
		rc = deliver_mixed(&m);
	tn_cursor_free(m.cur);
	return rc < 0 ? rc : TN_OK;
}

/* ---- all ---- */

static enum tn_code
make_room(struct pieces *p, unsigned threads, struct tn_error *err)
{
	p->reader = calloc(threads, sizeof *p->reader);
	p->slot = calloc(p->n_slots, sizeof *p->slot);
	if (!p->reader || !p->slot)
		return tn_fail_memory(err);
	for (size_t i = 0; i < p->n_slots; i++)
		if (!(p->slot[i].piece.state = p->ops->make(p->user)))
			return tn_fail_memory(err);
	return TN_OK;
}

static void
release(struct pieces *p, unsigned threads)
{
	for (size_t i = 0; p->reader && i < threads; i++) {
		tn_row_state_release(&p->reader[i].row);
		tn_event_release(&p->reader[i].event);
		tn_filter_state_release(&p->reader[i].filter);
		TN_ARRAY_RELEASE(&p->reader[i].words);
	}
	for (size_t i = 0; p->slot && i < p->n_slots; i++) {
		struct slot *slot = &p->slot[i];

		for (size_t k = 0; k < slot->walked.n; k++)
			tn_walked_drop(slot->walked.item[k]);
		TN_ARRAY_RELEASE(&slot->walked);
		clear_notices(slot);
		TN_ARRAY_RELEASE(&slot->notices);
		if (slot->piece.state)
			p->ops->release(slot->piece.state);
	}
	tn_left_out_free(p->left_out);
	free(p->reader);
	free(p->slot);
	free(p->place);
	free(p->heap);
}

enum tn_code
tn_pieces_run(struct tn_set *set, const struct tn_scan_options *options, const struct tn_pieces_ops *ops, void *user,
	      struct tn_error *err)
{
	bool mixed = tn_filter_has_regex(options->filter);
	unsigned threads = mixed ? 1 : tn_team_size(options->threads);
	struct pieces p = {
		.set = set, .options = options, .ops = ops, .user = user, .at_ns = INT64_MIN,
		.n_slots = mixed ? 1 : tn_crew_slots(threads),
	};
	enum tn_code rc;

	if (mixed && !options->text)
		return tn_fail(err, TN_ERR_ARGUMENT, "lines and regular expressions need to know how lines look");
	tn_walk_pool_init(&p.pool);
	rc = make_room(&p, threads, err);
	if (!mixed && !ops->all)
		p.left_out = tn_left_out_new(set, options);
	if (rc == TN_OK)
		rc = mixed ? run_mixed(&p, err) : run_streams(&p, threads, err);
	release(&p, threads);
	tn_walk_pool_release(&p.pool);
	return rc;
}
