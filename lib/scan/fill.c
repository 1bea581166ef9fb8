#include "scan/fill.h"

#include "base/ways.h"
#include "scan/range.h"

#define FIRST_CHUNKS 4
#define FIRST_ROWS 256
/*
 * A backward chunk is written before it is delivered, so it has at most this number of bytes of the trace. It is filled a
 * few rows at a time.
 */
#define BACKWARD_BYTES ((uint64_t)64 << 10)
#define BACKWARD_ROWS 8
#define MORE_RUNS 256	/* space for runs that must be free before each merge */

/* ---- the place of the first row ---- */

/* Find the last event with a clock before the gaps, but not before the start of the scan. */
static enum tn_code
find_previous(struct tn_fill *f, struct tn_error *err)
{
	const struct tn_scan_options *o = f->options;
	enum tn_code rc = tn_merge_start(&f->merge, true, err);

	while (rc == TN_OK) {
		struct tn_run run;
		const struct tn_batch *b;

		rc = tn_merge_run(&f->merge, 1, &run, err);
		if (rc != TN_OK)
			break;
		b = &run.walked->batch;
		if (!b->stream->stream_class->clock ||
		    (o->has_begin && b->refs.item[run.first].time_ns < o->begin_ns))
			break;
		if (b->refs.item[run.first].event_class == TN_REF_NOTICE ||
		    !tn_line_is_stamped(f->match, b, run.first))
			continue;
		tn_line_pass(f->match, b, run.first, &f->previous);
		break;
	}
	return rc < 0 ? rc : TN_OK;
}

/* Whether @at is inside of the range. If it is not, the scan begins at the start (or end) of the range. */
static bool
from_counts(const struct tn_scan_options *o)
{
	if (!o->has_from)
		return false;
	if (o->backward)
		return !o->has_end || o->from.time_ns <= o->end_ns;
	return !o->has_begin || o->from.time_ns >= o->begin_ns;
}

static enum tn_code
place_gaps(struct tn_fill *f, struct tn_error *err)
{
	const struct tn_scan_options *o = f->options;

	if (from_counts(o))
		return tn_merge_seek_row(&f->merge, &o->from, o->backward == o->from_included, err);
	if (!o->backward && o->has_begin)
		return tn_merge_seek(&f->merge, o->begin_ns, err);
	if (o->backward && o->has_end && o->end_ns < INT64_MAX)
		return tn_merge_seek(&f->merge, o->end_ns + 1, err);
	if (o->backward)
		return tn_merge_to_end(&f->merge, err);
	tn_merge_to_start(&f->merge);
	return TN_OK;
}

enum tn_code
tn_fill_begin(struct tn_fill *f, struct tn_error *err)
{
	const struct tn_scan_options *o = f->options;
	enum tn_code rc = place_gaps(f, err);

	if (rc == TN_OK && !o->backward && from_counts(o) && f->match) {
		rc = find_previous(f, err);
		if (rc == TN_OK)
			rc = place_gaps(f, err);
	}
	return rc == TN_OK ? tn_merge_start(&f->merge, o->backward, err) : rc;
}

/* ---- filling ---- */

/* Remove the rows of a run after the end of the scan. These and all later rows are not needed. */
static void
clip(struct tn_fill *f, struct tn_run *run)
{
	const struct tn_scan_options *o = f->options;
	size_t n = run->n;

	while (n && tn_is_after_range(o, run->batch, o->backward ? run->first - (n - 1) : run->first + n - 1))
		n--;
	if (n < run->n)
		f->filled = true;
	run->n = n;
}

/* Hold the batch of a run, once in each chunk, and note which of its rows the chunk has. */
static bool
hold(struct tn_fill *f, struct tn_chunk *c, struct tn_run *run)
{
	struct tn_walked *walked = run->walked;
	struct tn_chunk_batch *held;
	size_t last = run->first + run->n - 1;

	if (walked->user >> 32 == f->serial) {
		run->held = (size_t)(uint32_t)walked->user;
		held = &c->held.item[run->held];
		held->low = run->first < held->low ? run->first : held->low;
		held->high = last > held->high ? last : held->high;
		return true;
	}
	run->held = c->held.n;
	held = TN_ARRAY_ADD(&c->held);
	if (!held)
		return false;
	*held = (struct tn_chunk_batch) { .walked = tn_walked_hold(walked), .low = run->first, .high = last };
	walked->user = f->serial << 32 | run->held;
	return true;
}

/* Like hold(), for @n forward runs. Runs of one batch follow each other. */
static bool
hold_all(struct tn_fill *f, struct tn_chunk *c, size_t n)
{
	struct tn_run *run = &c->runs.item[c->runs.n], *end = run + n;
	uint64_t serial = f->serial;
	size_t rows = 0;

	for (; run < end; run++) {
		uint64_t user = run->walked->user;

		if (__builtin_expect(user >> 32 == serial, 1)) {
			run->held = (size_t)(uint32_t)user;
			c->held.item[run->held].high = run->first + run->n - 1;
		} else if (!hold(f, c, run)) {
			return false;
		}
		rows += run->n;
	}
	c->rows += rows;
	c->runs.n += n;
	return true;
}

/* Take the @n runs that the merge has put after the runs of the chunk. */
static enum tn_code
take_runs(struct tn_fill *f, struct tn_chunk *c, size_t n, struct tn_error *err)
{
	const struct tn_scan_options *o = f->options;
	bool bounded = o->has_to || (o->backward ? o->has_begin : o->has_end);
	const struct tn_run *last = n ? &c->runs.item[c->runs.n + n - 1] : NULL;

	/* Rows are in order, so if the last row is not after the end, no row is. */
	if (bounded && !o->backward && last && !tn_is_after_range(o, last->batch, last->first + last->n - 1))
		bounded = false;
	if (!bounded && !o->backward)
		return hold_all(f, c, n) ? TN_OK : tn_fail_memory(err);
	for (; n && !f->filled; n--) {
		struct tn_run *run = &c->runs.item[c->runs.n];

		if (bounded)
			clip(f, run);
		if (run->n == 0)
			break;
		if (o->backward)
			run->first -= run->n - 1;
		if (!hold(f, c, run))
			return tn_fail_memory(err);
		c->rows += run->n;
		c->runs.n++;
	}
	return TN_OK;
}

/* Merge at most @max more rows into the chunk. */
static enum tn_code
add_runs(struct tn_fill *f, struct tn_chunk *c, size_t max, struct tn_error *err)
{
	enum tn_code rc;
	size_t n;

	if (!TN_ARRAY_RESERVE(&c->runs, c->runs.n + MORE_RUNS))
		return tn_fail_memory(err);
	rc = tn_merge_runs(&f->merge, max, c->runs.item + c->runs.n, c->runs.room - c->runs.n, &n, err);
	return rc == TN_OK ? take_runs(f, c, n, err) : rc;
}

/* Forward: the delta of the next chunk counts from the last event of this one. */
static void
pass_last(struct tn_fill *f, const struct tn_chunk *c)
{
	for (size_t i = c->runs.n; i-- > 0;) {
		const struct tn_run *run = &c->runs.item[i];
		const struct tn_batch *b = &run->walked->batch;

		if (!b->stream->stream_class->clock)
			return;	/* rows before it do not have a clock, either */
		for (size_t k = run->first + run->n; k-- > run->first;) {
			if (b->refs.item[k].event_class == TN_REF_NOTICE || !tn_line_is_stamped(f->match, b, k))
				continue;
			tn_line_pass(f->match, b, k, &f->previous);
			return;
		}
	}
}

/* Backward: read the event before the earliest one, from which its delta counts, and the notices between them. */
static enum tn_code
look_ahead(struct tn_fill *f, struct tn_chunk *c, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	c->previous = (struct tn_line_previous) { 0 };
	while (rc == TN_OK && !f->filled) {
		struct tn_run next;
		const struct tn_batch *b;

		rc = tn_merge_peek(&f->merge, &next, err);
		if (rc != TN_OK)
			break;
		b = &next.walked->batch;
		if (b->refs.item[next.first].event_class != TN_REF_NOTICE) {
			clip(f, &next);
			if (next.n)
				tn_line_pass(f->match, b, next.first, &c->previous);
			break;
		}
		rc = add_runs(f, c, 1, err);
	}
	return rc < 0 ? rc : TN_OK;
}

/* The approximate size of a run's rows in the trace. */
static uint64_t
bytes_of(const struct tn_run *run)
{
	const struct tn_batch *b = &run->walked->batch;
	uint64_t bits = b->refs.n > 1 ? (b->refs.item[b->refs.n - 1].bit - b->refs.item[0].bit) / (b->refs.n - 1) : 0;

	/* If there are notices among the rows, `bit` is not always a position, so use the size of the packet. */
	if (b->refs.n <= 1 || b->notices.n)
		bits = b->entry.size_bits / (b->refs.n ? b->refs.n : 1);
	return run->n * (bits / 8 + 1);
}

/* Fill a chunk with at most @most rows; when backward, with a limited number of bytes. */
static enum tn_code
fill_rows(struct tn_fill *f, struct tn_chunk *c, size_t most, struct tn_error *err)
{
	uint64_t bytes = 0;
	enum tn_code rc = TN_OK;

	while (!f->filled && c->rows < most && bytes < BACKWARD_BYTES) {
		size_t before = c->runs.n, more = most - c->rows;

		rc = add_runs(f, c, c->backward && more > BACKWARD_ROWS ? BACKWARD_ROWS : more, err);
		if (rc == TN_END)
			f->filled = true;
		if (rc < 0)
			return rc;
		for (size_t i = before; c->backward && i < c->runs.n; i++)
			bytes += bytes_of(&c->runs.item[i]);
	}
	return TN_OK;
}

enum tn_code
tn_fill(struct tn_fill *f, struct tn_chunk *c, struct tn_error *err)
{
	size_t most = TN_CHUNK_ROWS;
	enum tn_code rc;

	f->serial = f->serial == UINT32_MAX ? 1 : f->serial + 1;	/* 0 is not used */
	c->backward = f->options->backward;
	c->previous = f->previous;
	/* A caller that takes single rows may need only the first ones. */
	if (f->each && f->serial <= FIRST_CHUNKS)
		most = FIRST_ROWS;
	if (tn_ways() & TN_WAYS_SMALL)
		most = 1;
	if ((rc = fill_rows(f, c, most, err)) < 0)
		return rc;
	if (c->rows == 0)
		return TN_END;
	if (!f->match)
		return TN_OK;	/* no deltas are needed */
	if (c->backward)
		return look_ahead(f, c, err);
	pass_last(f, c);
	return TN_OK;
}
