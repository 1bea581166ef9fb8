#include "scan/pieces.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/now.h"
#include "base/threads.h"
#include "order/cursor.h"
#include "scan/asker.h"
#include "scan/pipeline.h"
#include "scan/deal.h"
#include "scan/packet_skip.h"

#define MIXED_ROWS 4096
#define PROGRESS_NS 50000000

struct slot {
	struct tn_piece piece;
	struct tn_parcel parcel;
	uint64_t rows;
	TN_ARRAY(struct tn_row) notices;	/* owns the texts */
	enum tn_code code;
	struct tn_error err;
};

struct pieces {
	struct tn_set *set;
	const struct tn_scan_options *options;
	const struct tn_pieces_ops *ops;
	void *user;
	struct tn_left_out *left_out;	/* packets without matching events */
	struct tn_deal deal;
	struct slot *slot;
	size_t n_slots;
	struct tn_piece_reader *reader;	/* one for each thread */
	uint64_t events;
	int64_t next_progress, at_ns;
};

static enum tn_code
stopped(struct tn_error *err)
{
	return tn_fail(err, TN_ERR_CANCELLED, "stopped");
}

/* ---- making pieces ---- */

static enum tn_code
fill(void *user, size_t i, struct tn_error *err)
{
	struct pieces *p = user;
	struct slot *slot = &p->slot[i];
	enum tn_code rc = tn_deal(&p->deal, &slot->parcel, err);

	slot->rows = 0;
	slot->code = TN_OK;
	slot->piece.stream = slot->parcel.stream;
	slot->piece.last = slot->parcel.last;
	slot->piece.bound_ns = slot->parcel.bound_ns;
	return rc;
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

struct work {
	struct pieces *p;
	struct slot *slot;
	struct tn_piece_reader *reader;
};

static enum tn_code
work_on_batch(void *user, struct tn_walked *walked, struct tn_error *err)
{
	struct work *w = user;
	const struct tn_batch *b = &walked->batch;
	const struct tn_scan_options *o = w->p->options;
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
	w->slot->rows += end - first;
	rc = o->notice ? keep_notices(w->slot, b, first, end) : TN_OK;
	if (rc == TN_OK)
		rc = w->p->ops->rows(w->p->user, w->slot->piece.state, w->reader, b, first, end, err);
	return rc < 0 ? rc : tn_packet_check(b->stream, &b->entry, err);
}

static void
work(void *user, size_t i, unsigned thread)
{
	struct pieces *p = user;
	struct work w = { p, &p->slot[i], &p->reader[thread] };

	w.slot->code = tn_parcel_walk(&p->deal, &w.slot->parcel, work_on_batch, &w, &w.slot->err);
	tn_parcel_give_back(&p->deal, &w.slot->parcel);
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
		if (p->options->progress(tn_asker(p->options), p->events, 0, p->at_ns))
			return stopped(err);
	}
	return p->ops->deliver(p->user, &slot->piece, err);
}

static enum tn_code
run_streams(struct pieces *p, unsigned threads, struct tn_error *err)
{
	static const struct tn_pipeline_ops ops = { fill, work, deliver, NULL };
	enum tn_code rc = tn_deal_init(&p->deal, p->set, p->options, tn_left_out_marks(p->left_out), TN_PARCEL_BYTES, err);

	for (size_t i = 0; i < p->set->n_streams && rc == TN_OK && p->ops->begin; i++) {
		struct tn_stream *s = p->set->stream[i];
		const struct tn_deal_place *at = &p->deal.place[s->rank];

		rc = p->ops->begin(p->user, s, at->done ? 0 : at->bound_ns, at->done, err);
	}
	return rc == TN_OK ? tn_pipeline_run(threads, &ops, p, NULL, err) : rc;
}

/* ---- rows whose lines were tested ---- */

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
	tn_answer_with(&scan, &m);
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
		free(p->reader[i].own);
	}
	for (size_t i = 0; p->slot && i < p->n_slots; i++) {
		struct slot *slot = &p->slot[i];

		tn_parcel_release(&slot->parcel);
		clear_notices(slot);
		TN_ARRAY_RELEASE(&slot->notices);
		if (slot->piece.state)
			p->ops->release(slot->piece.state);
	}
	tn_left_out_free(p->left_out);
	free(p->reader);
	free(p->slot);
	tn_deal_release(&p->deal);
}

enum tn_code
tn_pieces_run(struct tn_set *set, const struct tn_scan_options *options, const struct tn_pieces_ops *ops, void *user,
	      struct tn_error *err)
{
	bool mixed = tn_filter_has_regex(options->filter);
	unsigned threads = mixed ? 1 : tn_threads_size(options->threads);
	struct pieces p = {
		.set = set, .options = options, .ops = ops, .user = user, .at_ns = INT64_MIN,
		.n_slots = mixed ? 1 : tn_pipeline_slots(threads),
	};
	enum tn_code rc;

	if (mixed && !options->text)
		return tn_fail(err, TN_ERR_ARGUMENT, "lines and regular expressions need a format of lines");
	rc = make_room(&p, threads, err);
	if (!mixed && !ops->all)
		p.left_out = tn_left_out_new(set, options);
	if (rc == TN_OK)
		rc = mixed ? run_mixed(&p, err) : run_streams(&p, threads, err);
	release(&p, threads);
	return rc;
}
