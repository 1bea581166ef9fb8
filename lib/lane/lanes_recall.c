/*
 * lanes_recall.c - make pictures from fine cells
 *
 * A column is the sum of its fine cells. If its border is inside of a cell, each state has a certain minimum and maximum
 * of time in the part of the cell before the border. If this does not decide which state is the longest, the events of
 * the cell are read, beginning with the spans that are open at its start. A window whose columns are hardly wider than
 * fine cells is read as a whole.
 */
#include <stdlib.h>

#include "lane/lanes_memory.h"
#include "base/error.h"
#include "scan/asker.h"

#define NARROW 2	/* columns of at most this number of fine cells are narrow */

/* The time of a state in a lane, in the part of a fine cell before a border. */
struct part {
	uint32_t lane, state;
	uint64_t ns;
};

/* The border between two columns. */
struct border {
	uint32_t cell;
	uint64_t off_ns;		/* offset of the border in its cell */
	bool wanted, read;
	TN_ARRAY(struct part) parts;	/* sorted */
};

struct sum {
	uint64_t low, high;		/* limits of its time */
	bool is_touched;
};

struct recall {
	const struct tn_lanes_memory *m;
	struct tn_lanes *l;
	struct border *border;		/* one more than there are columns */
	struct sum *sum;		/* sums of one cell, by state */
	uint32_t *touched;
	size_t n_touched;
	bool wrong;			/* the recording contradicts itself */
	bool wants;			/* events at some border must be read */
	bool last;			/* the states are known; only times are added now */
};

/* ---- borders ---- */

static uint64_t
width_of(const struct recall *r)
{
	return UINT64_C(1) << r->m->head->shift;
}

/* Find the fine cell of a time, and the offset in it. A time outside of all cells gets the first or the last border. */
static struct border
border_of(const struct recall *r, int64_t ns)
{
	const struct tn_fine_head *h = r->m->head;
	struct border b = { 0 };
	uint64_t off;

	if (ns <= h->origin_ns)
		return b;
	off = (uint64_t)ns - (uint64_t)h->origin_ns;
	if (off >> h->shift >= h->cells) {
		b.cell = (uint32_t)h->cells;
		return b;
	}
	b.cell = (uint32_t)(off >> h->shift);
	b.off_ns = off & (width_of(r) - 1);
	return b;
}

/* Whether the columns are too narrow for fine cells. */
static bool
is_narrow(const struct recall *r)
{
	uint64_t span = (uint64_t)r->l->end_ns - (uint64_t)r->l->begin_ns, column = span / r->l->columns;

	if (span % r->l->columns == 0 && column >= width_of(r) && column % width_of(r) == 0 &&
	    (((uint64_t)r->l->begin_ns - (uint64_t)r->m->head->origin_ns) & (width_of(r) - 1)) == 0)
		return false;
	return column < NARROW * width_of(r);
}

/* ---- sums ---- */

static struct sum *
sum_of(struct recall *r, uint32_t state)
{
	struct sum *s = &r->sum[state];

	if (!s->is_touched) {
		s->is_touched = true;
		r->touched[r->n_touched++] = state;
	}
	return s;
}

/* The first share of a lane that ends after the start of a cell. */
static const struct tn_fine_share *
share_at(const struct recall *r, uint32_t lane, uint32_t cell, const struct tn_fine_share **end)
{
	const struct tn_fine_share *s = r->m->share + r->m->share_at[lane];
	size_t lo = 0;

	*end = s + (size_t)(r->m->share_at[lane + 1] - r->m->share_at[lane]);
	TN_BISECT(lo, (size_t)(*end - s), mid, s[mid].cell + (s[mid].state & TN_FINE_RUN ? s[mid].ns : 1) <= cell);
	return s + lo;
}

/* Add cells [first, end) completely. */
static void
add_cells(struct recall *r, uint32_t lane, uint32_t first, uint32_t end)
{
	const struct tn_fine_share *last, *s;

	if (first >= end)
		return;
	for (s = share_at(r, lane, first, &last); s < last && s->cell < end; s++) {
		uint32_t state = s->state & ~TN_FINE_RUN;
		uint64_t ns = s->ns;
		struct sum *sum;

		if (s->state & TN_FINE_RUN) {
			uint64_t from = s->cell > first ? s->cell : first, to = s->cell + s->ns < end ? s->cell + s->ns : end;

			ns = (to - from) << r->m->head->shift;
		}
		if (state >= r->l->state.n) {
			r->wrong = true;	/* this state occurs only after the window */
			return;
		}
		sum = sum_of(r, state);
		sum->low += ns;
		sum->high += ns;
	}
}

/* The time of a state before the border, as read from events. */
static uint64_t
part_of(const struct border *b, uint32_t lane, uint32_t state)
{
	const struct part *p = b->parts.item;
	size_t lo = 0;

	TN_BISECT(lo, b->parts.n, mid, p[mid].lane < lane || (p[mid].lane == lane && p[mid].state < state));
	return lo < b->parts.n && b->parts.item[lo].lane == lane && b->parts.item[lo].state == state ? b->parts.item[lo].ns : 0;
}

/* Add the rest of a border's cell, or the part before the border. False: its times are not certain. */
static bool
add_part(struct recall *r, uint32_t lane, const struct border *b, bool after)
{
	uint64_t part = after ? width_of(r) - b->off_ns : b->off_ns;
	const struct tn_fine_share *last, *s;
	bool sure = true;

	if (!b->off_ns)
		return true;
	for (s = share_at(r, lane, b->cell, &last); s < last && s->cell <= b->cell; s++) {
		uint64_t ns = s->state & TN_FINE_RUN ? width_of(r) : s->ns, before;
		uint32_t state = s->state & ~TN_FINE_RUN;
		uint64_t low = ns > width_of(r) - part ? ns - (width_of(r) - part) : 0, high = ns < part ? ns : part;
		struct sum *sum;

		if (state >= r->l->state.n) {
			/* This state occurs only after the window, so only the last border can have it. */
			r->wrong |= after || b != &r->border[r->l->columns];
			continue;
		}
		if (b->read) {
			before = part_of(b, lane, state);
			r->wrong |= before > ns;
			low = high = after ? ns - before : before;
		}
		sure &= low == high;
		sum = sum_of(r, state);
		sum->low += low;
		sum->high += high;
	}
	return sure;
}

/* ---- cells ---- */

static bool
comes_first(const struct recall *r, uint32_t x, uint32_t y)
{
	return strcmp(r->l->state.item[x], r->l->state.item[y]) < 0;
}

/* Find the longest state; 0: no state. False: this is not certain. */
static bool
find_longest(const struct recall *r, uint32_t *cell)
{
	const struct sum *best = NULL;
	uint32_t state = 0;

	*cell = 0;
	for (size_t i = 0; i < r->n_touched; i++) {
		const struct sum *s = &r->sum[r->touched[i]];

		if (s->high && (!best || s->low > best->low || (s->low == best->low && comes_first(r, r->touched[i], state)))) {
			best = s;
			state = r->touched[i];
		}
	}
	if (!best)
		return true;
	for (size_t i = 0; i < r->n_touched; i++) {
		const struct sum *s = &r->sum[r->touched[i]];

		if (s != best && (s->high > best->low || (s->high == best->low && s->high && comes_first(r, r->touched[i], state))))
			return false;
	}
	*cell = state + 1;
	return best->low != 0;
}

/* Whether a state lasted for @width, the whole cell. False: this is not certain. */
static bool
find_whole(const struct recall *r, uint64_t width, bool *whole)
{
	bool sure = true;

	*whole = false;
	for (size_t i = 0; i < r->n_touched; i++) {
		const struct sum *s = &r->sum[r->touched[i]];

		*whole |= s->low >= width;
		sure &= s->low >= width || s->high < width;
	}
	return sure;
}

/* Keep the times of all states in the only cell. */
static void
keep_shares(struct recall *r, struct lane *lane)
{
	tn_shares_clear(&lane->shares);
	for (size_t i = 0; i < r->n_touched; i++)
		if (r->sum[r->touched[i]].low && !tn_shares_add(&lane->shares, r->touched[i], r->sum[r->touched[i]].low))
			r->l->failed = true;
}

/* Store the states of a cell that has several, the longest first. */
static void
keep_cell(struct recall *r, struct lane *lane, size_t column)
{
	struct tn_share *kept = r->n_touched ? tn_lanes_kept(r->l, lane, column) : NULL;
	size_t n = 0;

	for (size_t i = 0; kept && i < r->n_touched; i++) {
		struct tn_share s = { r->touched[i], r->sum[r->touched[i]].low };
		size_t at = n;

		while (at && (kept[at - 1].ns < s.ns || (kept[at - 1].ns == s.ns && comes_first(r, s.state, kept[at - 1].state)))) {
			if (at < TN_LANE_SHARES)
				kept[at] = kept[at - 1];
			at--;
		}
		if (at < TN_LANE_SHARES && s.ns)
			kept[at] = s;
		n += n < TN_LANE_SHARES && s.ns;
	}
}

static void
want(struct recall *r, struct border *b)
{
	if (b->off_ns && !b->read)
		r->wants = b->wanted = true;
}

static void
clear_sums(struct recall *r)
{
	for (size_t i = 0; i < r->n_touched; i++)
		r->sum[r->touched[i]] = (struct sum) { 0 };
	r->n_touched = 0;
}

static void
one_cell(struct recall *r, struct lane *lane, size_t column)
{
	struct border *b = &r->border[column], *e = b + 1;
	bool keeps = lane->number < r->l->most_kept, whole;	/* if shares are kept, each time must be certain */
	bool first = keeps || column == 0, last = keeps || column + 1 == r->l->columns;
	uint32_t cell;

	if (b->cell == e->cell && b->off_ns == e->off_ns)
		return;
	add_cells(r, lane->number, b->off_ns ? b->cell + 1 : b->cell, e->cell);
	if (!add_part(r, lane->number, b, true) && first)
		want(r, b);
	if (!add_part(r, lane->number, e, false) && last)
		want(r, e);
	if (find_longest(r, &cell) && find_whole(r, tn_lanes_width(r->l, column), &whole)) {
		lane->cell[column] = cell && !whole ? cell | TN_LANE_PART : cell;
	} else {
		want(r, b);
		want(r, e);
		r->wrong |= r->last;
	}
	if (r->l->columns == 1)
		keep_shares(r, lane);
	else
		keep_cell(r, lane, column);
	clear_sums(r);
}

/* Whether all cells are certain. */
static bool
all_cells(struct recall *r)
{
	r->wants = false;
	for (size_t i = 0; i < r->l->lane.n; i++)
		for (size_t c = 0; c < r->l->columns && !r->wrong; c++)
			one_cell(r, r->l->lane.item[i], c);
	return !r->wants;
}

/* Compute the time of each state in the window: of all its fine cells, and of the parts at its ends. */
static void
all_states(struct recall *r)
{
	const struct border *b = &r->border[0], *e = &r->border[r->l->columns];

	for (size_t i = 0; i < r->l->lane.n && !r->wrong; i++) {
		uint32_t lane = r->l->lane.item[i]->number;

		if (b->cell == e->cell && b->off_ns == e->off_ns)
			return;
		add_cells(r, lane, b->off_ns ? b->cell + 1 : b->cell, e->cell);
		add_part(r, lane, b, true);
		add_part(r, lane, e, false);
		for (size_t k = 0; k < r->n_touched; k++)
			r->l->state_ns.item[r->touched[k]] += r->sum[r->touched[k]].low;
		clear_sums(r);
	}
}

/* ---- reading ---- */

static int
by_lane(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	return x->state < y->state ? -1 : x->state > y->state;
}

/* Copy the lanes and states that were read to the picture, in which they have other numbers. */
static enum tn_code
take_parts(struct recall *r, struct border *b, const struct tn_lanes *seen, struct tn_error *err)
{
	for (size_t i = 0; i < seen->lane.n; i++) {
		const struct lane *from = seen->lane.item[i];
		size_t bytes = 8 * (size_t)(from->value - from->key);
		const struct tn_hash_item *lane = tn_hash_find(&r->l->by_value, from->key, bytes);

		for (size_t k = 0; k < from->shares.n; k++) {
			const struct tn_share *s = &from->shares.item[k];
			const char *name = seen->state.item[s->state];
			const struct tn_hash_item *state = tn_hash_find(&r->l->by_name, name, strlen(name));
			struct part *p;

			if (!lane || !state)
				return TN_END;
			p = TN_ARRAY_ADD(&b->parts);
			if (!p)
				return tn_fail_memory(err);
			*p = (struct part) { ((const struct lane *)lane->pointer)->number, (uint32_t)state->value, s->ns };
		}
	}
	if (b->parts.n)
		qsort(b->parts.item, b->parts.n, sizeof *b->parts.item, by_lane);
	b->read = true;
	return TN_OK;
}

static enum tn_code
read_border(struct recall *r, struct border *b, const struct tn_scan_options *o, struct tn_record_buffer *seeds,
	    struct tn_error *err)
{
	int64_t from = r->m->head->origin_ns + (int64_t)((uint64_t)b->cell << r->m->head->shift);
	const struct tn_lanes_way way = { .has_from = true, .from_ns = from, .seeds = seeds, .is_quiet = true };
	struct tn_lanes seen;
	enum tn_code rc = tn_memory_seeds(r->m, r->l, b->cell, seeds, err);

	if (rc != TN_OK)
		return rc;
	tn_lanes_look(&seen, r->l);
	rc = tn_lanes_window(&seen, from, from + (int64_t)b->off_ns, 1, err);
	if (rc == TN_OK)
		rc = tn_lanes_fill(&seen, o, &way, err);
	if (rc == TN_OK)
		rc = take_parts(r, b, &seen, err);
	tn_lanes_release(&seen);
	return rc;
}

static enum tn_code
read_borders(struct recall *r, const struct tn_scan_options *options, struct tn_error *err)
{
	struct tn_scan_options o = *options;
	struct tn_record_buffer seeds = { 0 };
	enum tn_code rc = TN_OK;

	o.progress = NULL;
	for (size_t i = 0; rc == TN_OK && i <= r->l->columns; i++)
		if (r->border[i].wanted && !r->border[i].read)
			rc = read_border(r, &r->border[i], &o, &seeds, err);
	free(seeds.bytes);
	return rc;
}

/* ---- all of it ---- */

/* Read the events from the start of the fine cell that contains the start of the window. */
static enum tn_code
read_all(struct recall *r, const struct tn_scan_options *o, struct tn_error *err)
{
	uint32_t cell = border_of(r, r->l->begin_ns).cell;
	struct tn_record_buffer seeds = { 0 };
	const struct tn_lanes_way way = {
		.has_from = true, .from_ns = r->m->head->origin_ns + (int64_t)((uint64_t)cell << r->m->head->shift),
		.seeds = &seeds, .is_quiet = true,
	};
	enum tn_code rc = tn_memory_seeds(r->m, r->l, cell, &seeds, err);

	if (rc == TN_OK)
		rc = tn_lanes_fill(r->l, o, &way, err);
	free(seeds.bytes);
	return rc;
}

static enum tn_code
put_together(struct recall *r, const struct tn_scan_options *o, struct tn_error *err)
{
	size_t columns = r->l->columns;
	enum tn_code rc = TN_OK;

	r->border = calloc(columns + 1, sizeof *r->border);
	r->sum = calloc(r->l->state.n + 1, sizeof *r->sum);
	r->touched = calloc(r->l->state.n + 1, sizeof *r->touched);
	if (!r->border || !r->sum || !r->touched)
		return tn_fail_memory(err);
	for (size_t i = 0; i <= columns; i++)
		r->border[i] = border_of(r, tn_lanes_begin(r->l, i));
	if (!all_cells(r) && !r->wrong) {
		rc = read_borders(r, o, err);
		r->last = true;
		if (rc == TN_OK && !all_cells(r))
			r->wrong = true;
	}
	if (rc == TN_OK)
		all_states(r);
	if (rc == TN_OK && r->l->failed)
		rc = tn_fail_memory(err);
	return rc < 0 ? rc : r->wrong ? TN_END : rc;
}

enum tn_code
tn_memory_recall(const struct tn_lanes_memory *m, struct tn_lanes *l, const struct tn_scan_options *o, struct tn_error *err)
{
	struct recall r = { .m = m, .l = l };
	enum tn_code rc;

	if (o->stopped && o->stopped(tn_asker(o)))
		return tn_fail(err, TN_ERR_CANCELLED, "stopped");
	rc = tn_memory_prepare(m, l, err);
	if (rc == TN_OK)
		rc = is_narrow(&r) ? read_all(&r, o, err) : put_together(&r, o, err);
	for (size_t i = 0; r.border && i <= l->columns; i++)
		TN_ARRAY_RELEASE(&r.border[i].parts);
	free(r.border);
	free(r.sum);
	free(r.touched);
	if (rc == TN_OK)
		rc = tn_memory_notices(m, l, o, err);
	return rc;
}
