#include "order/cursor.h"

#include "index/batches.h"
#include "order/merge.h"

struct tn_cursor {
	const struct tn_set *set;
	struct tn_batches cache;
	struct tn_merge merge;
	bool sound;		/* the gaps are around the row; otherwise they must be set again */
	uint64_t grown;		/* set->grown when the gaps were set */
	struct tn_walked *at;	/* the batch of the row; NULL: the cursor was never placed */
	size_t row;		/* row in the batch */
	struct tn_event event;	/* values of the row, once they are read */
};

/* ---- rows ---- */

struct tn_location
tn_location_of(const struct tn_batch *b, size_t row)
{
	return (struct tn_location) {
		.time_ns = b->refs.item[row].time_ns,
		.stream = b->stream->rank,
		.packet = (uint32_t)b->packet,
		.row = b->begin.row + row,
	};
}

void
tn_row_of(const struct tn_batch *b, size_t row, struct tn_row *out)
{
	const struct tn_ref *ref = &b->refs.item[row];

	*out = (struct tn_row) {
		.kind = TN_ROW_EVENT,
		.stream = b->stream,
		.has_time = b->stream->stream_class->clock && !b->stream->stream_class->clock->beyond,
		.location = tn_location_of(b, row),
	};
	if (ref->event_class == TN_REF_NOTICE) {
		const struct tn_notice *n = &b->notices.item[ref->bit];

		out->kind = n->kind;
		/* Damage before the first row with a time has no time. */
		out->has_time = out->has_time && ref->time_ns != INT64_MIN;
		out->time_ns = ref->time_ns;
		out->count = n->count;
		out->has_range = n->has_range;
		out->begin_ns = n->begin_ns;
		out->end_ns = n->end_ns;
		out->text = n->text;
	} else {
		out->event_class = b->stream->trace->event_class[ref->event_class];
		out->has_cycles = b->stream->stream_class->clock != NULL;
		if (out->has_cycles) {
			out->time_ns = tn_batch_time(b, row);
			out->cycles = tn_batch_cycles(b, row);
			out->has_time = tn_clock_fits(b->stream->stream_class->clock, out->time_ns);
		}
	}
}

int
tn_location_compare(const struct tn_location *a, const struct tn_location *b)
{
	if (!a || !b)
		return 0;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->stream != b->stream)
		return a->stream < b->stream ? -1 : 1;
	if (a->packet != b->packet)
		return a->packet < b->packet ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* ---- making ---- */

static enum tn_code
from_cache(void *user, const struct tn_batch_place *place, struct tn_walked **out, struct tn_error *err)
{
	return tn_batches_get(user, place, out, err);
}

static enum tn_code
make(struct tn_cursor **out, const struct tn_set *set, struct tn_error *err)
{
	struct tn_cursor *cur = calloc(1, sizeof *cur);
	struct tn_flow_source source = { from_cache, NULL, tn_batch_limit(set->n_streams) };
	enum tn_code rc;

	if (!cur)
		return tn_fail_memory(err);
	cur->set = set;
	tn_batches_init(&cur->cache);
	source.user = &cur->cache;
	rc = tn_merge_init(&cur->merge, set, source, err);
	if (rc < 0) {
		tn_cursor_free(cur);
		return rc;
	}
	*out = cur;
	return TN_OK;
}

void
tn_cursor_stop(struct tn_cursor *cur, bool (*stopped)(void *user), void *user)
{
	if (!cur)
		return;
	cur->merge.source.stopped = stopped;
	cur->merge.source.stop_user = user;
}

enum tn_code
tn_cursor_new(struct tn_cursor **out, struct tn_set *set, struct tn_error *err)
{
	if (!out)
		return tn_fail_null(err);
	*out = NULL;
	return set ? make(out, set, err) : tn_fail(err, TN_ERR_ARGUMENT, "a cursor needs a set");
}

enum tn_code
tn_cursor_copy(struct tn_cursor **out, const struct tn_cursor *cur, struct tn_error *err)
{
	if (!out)
		return tn_fail_null(err);

	struct tn_location at;
	enum tn_code rc;

	*out = NULL;
	if (!cur)
		return tn_fail(err, TN_ERR_ARGUMENT, "the cursor to copy is NULL");
	rc = make(out, cur->set, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < cur->merge.n_flows; i++)
		(*out)->merge.flow[i].off = cur->merge.flow[i].off;
	if (!cur->at)
		return TN_OK;
	at = tn_location_of(&cur->at->batch, cur->row);
	rc = tn_cursor_restore(*out, &at, err);
	if (rc != TN_OK) {
		tn_cursor_free(*out);
		*out = NULL;
	}
	return rc;
}

void
tn_cursor_free(struct tn_cursor *cur)
{
	if (!cur)
		return;
	tn_walked_drop(cur->at);
	tn_merge_release(&cur->merge);
	tn_batches_release(&cur->cache);
	tn_event_release(&cur->event);
	free(cur);
}

/* ---- moving ---- */

/* Take the next row from the merge. */
static enum tn_code
take(struct tn_cursor *cur, struct tn_error *err)
{
	struct tn_run run;
	enum tn_code rc = tn_merge_run(&cur->merge, 1, &run, err);

	if (rc != TN_OK)
		return rc;
	tn_walked_hold(run.walked);
	tn_walked_drop(cur->at);
	cur->at = run.walked;
	cur->row = run.first;
	return TN_OK;
}

/*
 * After the gaps were moved (@rc: whether this worked), take the first row from there. Until this works, the cursor stays
 * at its old row, but its gaps do not.
 */
static enum tn_code
jump(struct tn_cursor *cur, enum tn_code rc, bool backward, struct tn_error *err)
{
	cur->sound = false;
	cur->grown = cur->set->grown;
	if (rc == TN_OK)
		rc = tn_merge_start(&cur->merge, backward, err);
	if (rc == TN_OK)
		rc = take(cur, err);
	cur->sound = rc == TN_OK;
	return rc;
}

enum tn_code
tn_cursor_first(struct tn_cursor *cur, struct tn_error *err)
{
	if (!cur)
		return tn_fail_null(err);
	tn_merge_to_start(&cur->merge);
	return jump(cur, TN_OK, false, err);
}

enum tn_code
tn_cursor_last(struct tn_cursor *cur, struct tn_error *err)
{
	if (!cur)
		return tn_fail_null(err);
	return jump(cur, tn_merge_to_end(&cur->merge, err), true, err);
}

enum tn_code
tn_cursor_seek(struct tn_cursor *cur, int64_t time_ns, struct tn_error *err)
{
	if (!cur)
		return tn_fail_null(err);
	return jump(cur, tn_merge_seek(&cur->merge, time_ns, err), false, err);
}

enum tn_code
tn_cursor_restore(struct tn_cursor *cur, const struct tn_location *at, struct tn_error *err)
{
	if (!cur || !at)
		return tn_fail_null(err);
	return jump(cur, tn_merge_seek_row(&cur->merge, at, false, err), false, err);
}

/* Turn the merge to the direction, from the row at the cursor on. */
static enum tn_code
turn(struct tn_cursor *cur, bool backward, struct tn_error *err)
{
	struct tn_flow *mine = &cur->merge.flow[cur->at->batch.stream->rank];
	enum tn_code rc = TN_OK;

	if (cur->grown != cur->set->grown)
		cur->sound = false;
	cur->grown = cur->set->grown;
	if (cur->sound && cur->merge.backward == backward)
		return TN_OK;
	if (!cur->sound) {
		struct tn_location at = tn_location_of(&cur->at->batch, cur->row);

		rc = tn_merge_seek_row(&cur->merge, &at, !backward, err);
	} else {
		tn_flow_to_row(mine, cur->at, backward ? cur->row : cur->row + 1);
	}
	cur->sound = false;
	if (rc == TN_OK)
		rc = tn_merge_start(&cur->merge, backward, err);
	cur->sound = rc == TN_OK;
	return rc;
}

static enum tn_code
step(struct tn_cursor *cur, bool backward, struct tn_error *err)
{
	enum tn_code rc;

	if (!cur->at)
		return backward ? tn_cursor_last(cur, err) : tn_cursor_first(cur, err);
	rc = turn(cur, backward, err);
	if (rc == TN_OK)
		rc = take(cur, err);
	if (rc < 0)
		cur->sound = false;
	return rc;
}

enum tn_code
tn_cursor_next(struct tn_cursor *cur, struct tn_error *err)
{
	if (!cur)
		return tn_fail_null(err);
	return step(cur, false, err);
}

enum tn_code
tn_cursor_prev(struct tn_cursor *cur, struct tn_error *err)
{
	if (!cur)
		return tn_fail_null(err);
	return step(cur, true, err);
}

enum tn_code
tn_cursor_only(struct tn_cursor *cur, const bool *stream, struct tn_error *err)
{
	if (!cur)
		return tn_fail_null(err);

	struct tn_flow *flow = cur->merge.flow;
	struct tn_location at;
	enum tn_code rc;

	for (size_t i = 0; i < cur->merge.n_flows; i++) {
		flow[i].was_off = flow[i].off;
		flow[i].off = stream && !stream[i];
	}
	if (!cur->at)
		return TN_OK;
	cur->sound = false;
	if (!flow[cur->at->batch.stream->rank].off)
		return TN_OK;
	/* The row is excluded now: move to the first row after it, otherwise to the last row before it. */
	at = tn_location_of(&cur->at->batch, cur->row);
	rc = tn_cursor_restore(cur, &at, err);
	if (rc == TN_END)
		rc = tn_cursor_last(cur, err);
	for (size_t i = 0; rc != TN_OK && i < cur->merge.n_flows; i++)
		flow[i].off = flow[i].was_off;
	return rc;
}

/* ---- looking ---- */

bool
tn_cursor_row(const struct tn_cursor *cur, struct tn_row *out)
{
	if (!cur || !out)
		return false;
	if (!cur->at)
		return false;
	tn_row_of(&cur->at->batch, cur->row, out);
	return true;
}

const struct tn_batch *
tn_cursor_batch(const struct tn_cursor *cur, size_t *row)
{
	if (!cur->at)
		return NULL;
	*row = cur->row;
	return &cur->at->batch;
}

enum tn_code
tn_cursor_read(struct tn_cursor *cur, unsigned scopes, const struct tn_event **out, struct tn_error *err)
{
	if (!cur || !out)
		return tn_fail_null(err);

	const struct tn_batch *b;
	enum tn_code rc;

	if (!cur->at)
		return tn_fail(err, TN_ERR_ARGUMENT, "the cursor is not on a row");
	b = &cur->at->batch;
	if (b->refs.item[cur->row].event_class == TN_REF_NOTICE)
		return tn_fail(err, TN_ERR_ARGUMENT, "the cursor is not on an event");
	rc = b->stream->trace->ops->read(b, cur->row, scopes, &cur->event, err);
	if (rc == TN_OK)
		rc = tn_packet_check(b->stream, &b->entry, err);
	if (rc == TN_OK)
		*out = &cur->event;
	return rc;
}

enum tn_code
tn_cursor_event_before(struct tn_cursor *cur, int64_t *time_ns, uint64_t *cycles, struct tn_error *err)
{
	struct tn_location home;
	struct tn_row row = { 0 };
	enum tn_code rc, back;

	if (!cur->at)
		return TN_END;
	home = tn_location_of(&cur->at->batch, cur->row);
	do {
		rc = tn_cursor_prev(cur, err);
		if (rc == TN_OK)
			tn_cursor_row(cur, &row);
	} while (rc == TN_OK && (row.kind != TN_ROW_EVENT || !row.has_time));
	if (rc == TN_OK) {
		*time_ns = row.time_ns;
		*cycles = row.cycles;
	}
	back = tn_cursor_restore(cur, &home, err);
	return back == TN_OK ? rc : back;
}
