/* groups_sort.c - sort all groups, or select the first ones */
#include "group/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"

/* ---- by comparing ---- */

struct sorting {
	const struct tn_groups *groups;
	size_t column;
	bool down;
	bool then_keys;		/* sort equal rows by their keys, ascending */
	struct tn_group **spare;	/* space for half of the rows, plus one */
};

static inline int
compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Compare packed texts like tn_answer_value_compare(). */
static int
compare_texts(const uint64_t *a, const uint64_t *b)
{
	size_t m = (size_t)(a[0] >> 8), n = (size_t)(b[0] >> 8);
	int order = memcmp(a + 1, b + 1, m < n ? m : n);

	return order ? order : compare_numbers(m, n);
}

static inline bool
is_count(const struct tn_groups *g, size_t column)
{
	return column >= g->keys.n && g->aggregates.item[column - g->keys.n].type->is_count;
}

/* Compare groups by a column. Numbers and texts of the first key, and counts, are compared without unpacking. */
static int
compare_column(const struct tn_groups *g, struct tn_group *a, struct tn_group *b, size_t column)
{
	struct tn_answer_value x, y;

	if (is_count(g, column))
		return compare_numbers(a->count, b->count);
	if (column == 0 && g->keys.n) {
		const uint64_t *v = tn_group_key(&g->all, a), *w = tn_group_key(&g->all, b);

		if (v[0] == TN_ANSWER_UINT && w[0] == TN_ANSWER_UINT)
			return compare_numbers(v[1], w[1]);
		if ((v[0] & 0xff) == TN_ANSWER_TEXT && (w[0] & 0xff) == TN_ANSWER_TEXT)
			return compare_texts(v, w);
	}
	x = tn_groups_cell(g, a, column);
	y = tn_groups_cell(g, b, column);
	return tn_answer_value_compare(&x, &y);
}

static bool
is_before(const struct sorting *s, struct tn_group *a, struct tn_group *b)
{
	int order = compare_column(s->groups, a, b, s->column);

	if (order || !s->then_keys)
		return s->down ? order > 0 : order < 0;
	for (size_t i = 0; i < s->groups->keys.n && !order; i++)
		order = compare_column(s->groups, a, b, i);
	return order < 0;
}

/* Merge two sorted halves; equal items keep their order. */
static void
sort_rows(const struct sorting *s, struct tn_group **row, size_t n)
{
	size_t half = n / 2, i = 0, k = half, to = 0;

	if (n < 2)
		return;
	sort_rows(s, row, half);
	sort_rows(s, row + half, n - half);
	if (!is_before(s, row[half], row[half - 1]))
		return;
	memcpy(s->spare, row, half * sizeof *row);
	while (i < half)
		row[to++] = k < n && is_before(s, row[k], s->spare[i]) ? row[k++] : s->spare[i++];
}

/* ---- numbers, digit after digit ---- */

struct ranked {
	uint64_t u;
	struct tn_group *group;
};

#define LEAST_RANKED 64		/* fewer rows are sorted by comparing */
#define MOST_RANKED 400000	/* more rows would need too much memory */

/* Get the row's value in the column, if it is a whole number. */
static inline bool
rank_of(const struct tn_groups *g, struct tn_group *group, size_t column, uint64_t *u)
{
	struct tn_answer_value v;

	if (is_count(g, column)) {
		*u = group->count;
		return true;
	}
	if (column == 0 && g->keys.n == 1) {
		const uint64_t *w = tn_group_key(&g->all, group);

		*u = w[1];
		return w[0] == TN_ANSWER_UINT;
	}
	v = tn_groups_cell(g, group, column);
	*u = v.is.u;
	return v.kind == TN_ANSWER_UINT;
}

/* Get the values of the rows in the column; NULL: not all are whole numbers, or memory is out. */
static struct ranked *
rank_rows(const struct tn_groups *g, size_t n, size_t column, bool down)
{
	struct ranked *r = n >= LEAST_RANKED && n <= MOST_RANKED ? malloc(2 * n * sizeof *r) : NULL;

	for (size_t i = 0; r && i < n; i++) {
		uint64_t u;

		if (!rank_of(g, g->row[i], column, &u)) {
			free(r);
			return NULL;
		}
		r[i] = (struct ranked) { down ? ~u : u, g->row[i] };
	}
	return r;
}

#define DIGIT 11		/* bits by which one pass sorts */
#define DIGITS ((size_t)1 << DIGIT)

/* Sort by one digit; equal items keep their order. */
static void
sort_digit(const struct ranked *from, struct ranked *to, size_t n, unsigned shift)
{
	uint32_t at[DIGITS] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[from[i].u >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		uint32_t here = at[i];

		at[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i].u >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sort ascending; equal items keep their order. @r has space for twice as many items. Returns the sorted array. */
static struct ranked *
sort_ranked(struct ranked *r, size_t n)
{
	struct ranked *from = r, *to = r + n;
	uint64_t differ = 0;

	for (size_t i = 1; i < n; i++)
		differ |= r[i].u ^ r[0].u;
	for (unsigned shift = 0; shift < 64 && differ >> shift; shift += DIGIT) {
		struct ranked *after = from;

		/* Bits that are equal in all numbers need no pass. */
		shift += (unsigned)__builtin_ctzll(differ >> shift);
		sort_digit(from, to, n, shift);
		from = to;
		to = after;
	}
	return from;
}

/* Whether the last row is the rest, which has no key of its own. */
static bool
has_rest(const struct tn_groups *g)
{
	return g->all.others && g->n_rows && g->row[g->n_rows - 1] == g->all.others;
}

enum tn_code
tn_groups_sort(struct tn_groups *g, size_t column, bool down, struct tn_error *err)
{
	struct sorting s = { .groups = g, .column = column, .down = down };
	struct ranked *ranked;
	size_t n;

	if (!g)
		return tn_fail_null(err);
	if (column >= g->keys.n + g->columns.n)
		return tn_fail(err, TN_ERR_ARGUMENT, "there is no such column");
	n = g->n_rows - has_rest(g);	/* the rest stays last */
	ranked = rank_rows(g, n, column, down);
	if (ranked) {
		const struct ranked *sorted = sort_ranked(ranked, n);

		for (size_t i = 0; i < n; i++)
			g->row[i] = sorted[i].group;
		free(ranked);
		return TN_OK;
	}
	s.spare = malloc((n / 2 + 1) * sizeof(struct tn_group *));
	if (!s.spare)
		return tn_fail_memory(err);
	sort_rows(&s, g->row, n);
	free(s.spare);
	return TN_OK;
}

/* ---- the first ones ---- */

#define PART 4		/* if at most one of PART rows is needed, the others are not sorted */

/* A quick test, mostly without a call, whether a group is after another one. */
struct bar {
	bool counts, most;		/* `counts`: the column is the count. `most`: the largest values come first */
	/* Set if the first key of the other group decides next; numbers are not negative. */
	bool number, text;
	uint64_t count, u;
	const uint64_t *key;
};

static struct bar
bar_of(const struct sorting *s, const struct tn_group *last)
{
	const struct tn_groups *g = s->groups;
	const uint64_t *key = tn_group_key(&g->all, last);
	struct bar bar = { .counts = is_count(g, s->column), .most = s->down, .count = last->count };

	if (g->keys.n && (bar.counts || (s->column == 0 && !s->down))) {
		bar.number = key[0] == TN_ANSWER_UINT;
		bar.text = (key[0] & 0xff) == TN_ANSWER_TEXT;
		bar.u = bar.number ? key[1] : 0;
		bar.key = key;
	}
	return bar;
}

/* Whether a text is after the other one. Texts are words, padded with zeros, whose highest byte comes first. */
static inline bool
is_text_after(const uint64_t *key, const uint64_t *other)
{
	size_t n = (size_t)(key[0] >> 8), m = (size_t)(other[0] >> 8), words = ((n < m ? n : m) + 7) / 8;

	if ((key[0] & 0xff) != TN_ANSWER_TEXT)
		return false;
	for (size_t i = 1; i <= words; i++)
		if (key[i] != other[i])
			return tn_load64_be((const uint8_t *)(key + i)) > tn_load64_be((const uint8_t *)(other + i));
	return n > m;
}

static inline bool
is_after(const struct bar *bar, const struct tn_group_table *t, const struct tn_group *group)
{
	const uint64_t *key;

	if (bar->counts && group->count != bar->count)
		return (group->count < bar->count) == bar->most;
	if (!bar->number && !bar->text)
		return false;
	key = tn_group_key(t, group);
	if (bar->text)
		return is_text_after(key, bar->key);
	return key[0] == TN_ANSWER_UINT && key[1] > bar->u;
}

/*
 * Select the first rows: rows after the last selected one are skipped. When the list has twice the needed length, it is
 * sorted, and its second half is dropped.
 */
static enum tn_code
choose(struct tn_groups *g, const struct sorting *sorting, size_t all, size_t n, struct tn_error *err)
{
	struct tn_group **best = malloc(2 * n * sizeof *best), *last = NULL;
	struct sorting s = *sorting;
	struct bar bar = { 0 };
	size_t found = 0;

	s.spare = malloc((n + 1) * sizeof(struct tn_group *));
	for (size_t i = 0; best && s.spare && i < all; i++) {
		struct tn_group *group = g->row[i];

		if (last && (is_after(&bar, &g->all, group) || !is_before(&s, group, last)))
			continue;
		best[found++] = group;
		if (found == 2 * n) {
			sort_rows(&s, best, found);
			found = n;
			last = best[n - 1];
			bar = bar_of(&s, last);
		}
	}
	if (best && s.spare) {
		sort_rows(&s, best, found);
		memcpy(g->row, best, n * sizeof *best);
		g->n_rows = n;
	}
	free(best);
	free(s.spare);
	return best && s.spare ? TN_OK : tn_fail_memory(err);
}

enum tn_code
tn_groups_top(struct tn_groups *g, size_t column, bool down, size_t n, struct tn_error *err)
{
	struct sorting s = { .groups = g, .column = column, .down = down, .then_keys = true };
	enum tn_code rc = TN_OK;
	size_t all;

	if (!g)
		return tn_fail_null(err);
	all = g->n_rows - has_rest(g);
	if (column < g->keys.n + g->columns.n && n && n <= all / PART)
		return choose(g, &s, all, n, err);
	for (size_t i = g->keys.n; i-- > 0 && rc == TN_OK;)
		rc = tn_groups_sort(g, i, false, err);
	if (rc == TN_OK)
		rc = tn_groups_sort(g, column, down, err);
	if (rc == TN_OK && n && n < g->n_rows)
		g->n_rows = n;
	return rc;
}
