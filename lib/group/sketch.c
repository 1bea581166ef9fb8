#include "group/sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_cache.h"
#include "base/wide.h"

static uint64_t
bits_of(double x)
{
	uint64_t u;

	if (x == 0)
		x = 0;	/* not -0 */
	memcpy(&u, &x, 8);
	return u;
}

static double
double_of(uint64_t u)
{
	double x;

	memcpy(&x, &u, 8);
	return x;
}

static struct tn_sketch_page *
page_of(struct tn_sketch *s, uint32_t top)
{
	struct tn_sketch_page *page;

	for (uint32_t i = 0; i < s->n_pages; i++)
		if (s->page[i].top == top) {
			s->last = i;
			return &s->page[i];
		}
	page = realloc(s->page, (s->n_pages + 1) * sizeof *page);
	if (!page)
		return NULL;
	s->page = page;
	page += s->n_pages;
	page->top = top;
	page->count = calloc(TN_SKETCH_STEPS, sizeof *page->count);
	if (!page->count)
		return NULL;
	s->last = s->n_pages++;
	return page;
}

static inline bool
count(struct tn_sketch *s, double x)
{
	uint64_t u = bits_of(x) >> TN_SKETCH_SHIFT;
	uint32_t top = (uint32_t)(u / TN_SKETCH_STEPS);
	struct tn_sketch_page *page = s->last < s->n_pages && s->page[s->last].top == top ? &s->page[s->last] : page_of(s, top);

	if (!page)
		return false;
	page->count[u % TN_SKETCH_STEPS]++;
	return true;
}

/* Stop keeping all values, and count them in steps. */
static bool
drop_few(struct tn_sketch *s, uint64_t n)
{
	double *few = s->few;

	s->few = NULL;
	for (uint64_t i = 0; few && i < n; i++)
		if (!count(s, few[i])) {
			free(few);
			return false;
		}
	free(few);
	return true;
}

static inline void
notice_fraction(struct tn_sketch *s, double x)
{
	/* Doubles from 2^53 on are always whole. */
	s->has_fractions |= fabs(x) < 0x1p53 && x != (double)(int64_t)x;
}

static bool
add_few(struct tn_sketch *s, double x)
{
	if (s->n == s->few_room) {
		uint32_t room = s->few_room ? 2 * s->few_room : 4;
		double *few = realloc(s->few, room * sizeof *few);

		if (!few)
			return false;
		s->few = few;
		s->few_room = room;
	}
	s->few[s->n++] = x;
	return true;
}

bool
tn_sketch_add(struct tn_sketch *s, double x)
{
	/* Usually there are many values, and the new one is between the smallest and the largest. */
	if (__builtin_expect(s->n >= TN_SKETCH_EXACT && !s->few && x >= s->least && x <= s->most, 1)) {
		s->n++;
		notice_fraction(s, x);
		return count(s, x);
	}
	if (isnan(x))
		return true;
	s->sorted = false;
	notice_fraction(s, x);
	if (!s->n || x < s->least)
		s->least = x;
	if (!s->n || x > s->most)
		s->most = x;
	if (s->n < TN_SKETCH_EXACT)
		return add_few(s, x);
	if (s->few && !drop_few(s, s->n))
		return false;
	s->n++;
	return count(s, x);
}

bool
tn_sketch_merge(struct tn_sketch *into, const struct tn_sketch *from)
{
	if (!from->n)
		return true;
	if (from->n <= TN_SKETCH_EXACT) {
		for (uint64_t i = 0; i < from->n; i++)
			if (!tn_sketch_add(into, from->few[i]))
				return false;
		return true;
	}
	into->sorted = false;
	into->has_fractions |= from->has_fractions;
	if (into->few && !drop_few(into, into->n))
		return false;
	if (!into->n || from->least < into->least)
		into->least = from->least;
	if (!into->n || from->most > into->most)
		into->most = from->most;
	into->n += from->n;
	for (uint32_t i = 0; i < from->n_pages; i++) {
		struct tn_sketch_page *page = page_of(into, from->page[i].top);

		if (!page)
			return false;
		for (size_t k = 0; k < TN_SKETCH_STEPS; k++)
			page->count[k] += from->page[i].count[k];
	}
	return true;
}

/* A number that sorts pages: those with negative values first, in descending order. */
static int64_t
order_of(uint32_t top)
{
	return top & 0x800 ? -(int64_t)(top & 0x7ff) - 1 : (int64_t)top;
}

static int
compare_pages(const void *a, const void *b)
{
	int64_t x = order_of(((const struct tn_sketch_page *)a)->top), y = order_of(((const struct tn_sketch_page *)b)->top);

	return x < y ? -1 : x > y;
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void
sort(struct tn_sketch *s)
{
	if (s->sorted)
		return;
	s->sorted = true;
	if (s->few)
		qsort(s->few, (size_t)s->n, sizeof *s->few, compare_doubles);
	else if (s->n_pages)
		qsort(s->page, s->n_pages, sizeof *s->page, compare_pages);
	s->last = 0;
}

/* The value that represents a step: 0, or its only whole number, if all values are whole and it has one; otherwise its middle. */
static double
stand_for(const struct tn_sketch *s, const struct tn_sketch_page *page, size_t step)
{
	uint64_t from = ((uint64_t)page->top * TN_SKETCH_STEPS + step) << TN_SKETCH_SHIFT;
	double low = double_of(from), next = double_of(from + (UINT64_C(1) << TN_SKETCH_SHIFT)), x;

	if (!isfinite(low))
		return low;
	x = low == 0 ? 0 : isfinite(next) ? low + (next - low) / 2 : low;
	if (!s->has_fractions && fabs(next - low) <= 1)
		x = low >= 0 ? ceil(low) < next ? ceil(low) : x : floor(low) > next ? floor(low) : x;
	return x < s->least ? s->least : x > s->most ? s->most : x;
}

/* The count of step @i, in ascending order of values. */
static size_t
step_at(const struct tn_sketch_page *page, size_t i)
{
	return page->top & 0x800 ? TN_SKETCH_STEPS - 1 - i : i;
}

double
tn_sketch_quantile(struct tn_sketch *s, uint64_t part, uint64_t whole)
{
	uint64_t rank, seen = 0;

	if (!s->n)
		return NAN;
	rank = part ? tn_multiply_divide_up(s->n, part, whole) : 1;
	sort(s);
	if (s->few)
		return s->few[rank - 1];
	if (rank == 1 || rank == s->n)
		return rank == 1 ? s->least : s->most;
	for (uint32_t p = 0; p < s->n_pages; p++)
		for (size_t i = 0; i < TN_SKETCH_STEPS; i++) {
			size_t step = step_at(&s->page[p], i);

			seen += s->page[p].count[step];
			if (seen >= rank)
				return stand_for(s, &s->page[p], step);
		}
	return s->most;
}

/* The number of the part, among @n parts, that contains the value. */
static size_t
part_of(const struct tn_sketch *s, double x, size_t n)
{
	double low = log1p(s->least > 0 ? s->least : 0), high = log1p(s->most > 0 ? s->most : 0);
	double at = log1p(x > 0 ? x : 0), place;

	if (!(high > low))
		return 0;
	place = (at - low) / (high - low) * (double)n;
	return place >= (double)n ? n - 1 : place > 0 ? (size_t)place : 0;
}

void
tn_sketch_parts(struct tn_sketch *s, uint64_t *part, size_t n)
{
	memset(part, 0, n * sizeof *part);
	for (uint64_t i = 0; s->few && i < s->n; i++)
		part[part_of(s, s->few[i], n)]++;
	for (uint32_t p = 0; p < s->n_pages; p++)
		for (size_t i = 0; i < TN_SKETCH_STEPS; i++)
			if (s->page[p].count[i])
				part[part_of(s, stand_for(s, &s->page[p], i), n)] += s->page[p].count[i];
}

size_t
tn_sketch_bytes(const struct tn_sketch *s)
{
	size_t page = sizeof *s->page + TN_SKETCH_STEPS * sizeof *s->page->count;

	return (s->few ? s->few_room * sizeof *s->few : 0) + s->n_pages * page;
}

void
tn_sketch_store(const struct tn_sketch *s, struct tn_answer_out *out)
{
	tn_answer_put_word(out, s->n);
	tn_answer_put_word(out, bits_of(s->least));
	tn_answer_put_word(out, bits_of(s->most));
	tn_answer_put_word(out, (s->few != NULL) | (uint64_t)s->has_fractions << 1);
	if (s->few) {
		tn_answer_put_bytes(out, s->few, (size_t)s->n * sizeof *s->few);
		return;
	}
	tn_answer_put_word(out, s->n_pages);
	for (uint32_t i = 0; i < s->n_pages; i++) {
		tn_answer_put_word(out, s->page[i].top);
		tn_answer_put_bytes(out, s->page[i].count, TN_SKETCH_STEPS * sizeof *s->page[i].count);
	}
}

bool
tn_sketch_restore(struct tn_sketch *s, struct tn_answer_in *in)
{
	uint64_t n = tn_answer_get_word(in);
	double least = double_of(tn_answer_get_word(in)), most = double_of(tn_answer_get_word(in));
	uint64_t flags = tn_answer_get_word(in);
	size_t size, pages;
	const void *bytes;

	in->bad |= flags > 3;
	if (flags & 1) {
		const double *few = bytes = tn_answer_get_bytes(in, &size);

		in->bad |= n > TN_SKETCH_EXACT || size != n * sizeof *few;
		for (uint64_t i = 0; !in->bad && i < n; i++)
			if (!tn_sketch_add(s, few[i]))
				return false;
		return true;
	}
	pages = tn_answer_get_count(in, 2 + TN_SKETCH_STEPS);
	for (size_t i = 0; i < pages && !in->bad; i++) {
		uint64_t top = tn_answer_get_word(in);
		struct tn_sketch_page *page;

		bytes = tn_answer_get_bytes(in, &size);
		in->bad |= top >= 1 << 12 || size != TN_SKETCH_STEPS * sizeof *page->count;
		if (in->bad)
			break;
		page = page_of(s, (uint32_t)top);
		if (!page)
			return false;
		memcpy(page->count, bytes, size);
	}
	s->has_fractions = flags >> 1 & 1;
	s->n = n;
	s->least = least;
	s->most = most;
	return true;
}

void
tn_sketch_release(struct tn_sketch *s)
{
	for (uint32_t i = 0; i < s->n_pages; i++)
		free(s->page[i].count);
	free(s->page);
	free(s->few);
	*s = (struct tn_sketch) { 0 };
}
