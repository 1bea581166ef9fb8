/* bounds.c - find the smallest and the largest value of pages and chunks */
#include "columns/encode_work.h"

#include <math.h>

#define FLOAT_NEGATIVE_ZERO (UINT64_C(1) << 31)
#define DOUBLE_NEGATIVE_ZERO (UINT64_C(1) << 63)

static int
compare_bytes(const uint8_t *a, size_t n, const uint8_t *b, size_t m)
{
	int order = memcmp(a, b, n < m ? n : m);

	return order ? order : n < m ? -1 : n > m;
}

/* Cut the bytes of a text between characters. In an upper bound, then raise the last character. */
static void
cut_bound(struct tn_bound *b, const uint8_t *bytes, bool is_greatest)
{
	size_t n = TN_BOUND_BYTES;

	while (n && (bytes[n] & 0xc0) == 0x80)
		n--;
	b->is_exact = false;
	memcpy(b->bytes, bytes, n);
	/* Raise the last character that has one byte, and remove the characters after it. */
	while (is_greatest && n && b->bytes[n - 1] >= 0x7f)
		n--;
	if (is_greatest && n)
		b->bytes[n - 1]++;
	b->n = (uint8_t)n;
	b->is_there = !is_greatest || n;
}

static struct tn_bound
bound_of_text(const struct tn_column *c, const uint8_t *bytes, size_t n, bool is_greatest)
{
	struct tn_bound b = { .is_there = true, .is_exact = true, .n = (uint8_t)n };

	if (n <= TN_BOUND_BYTES)
		memcpy(b.bytes, bytes, n);
	else if (c->type.logical == TN_LOGICAL_TEXT)
		cut_bound(&b, bytes, is_greatest);
	else
		b.is_there = false;
	return b;
}

static struct tn_bound
bound_of_number(const struct tn_column *c, uint64_t v)
{
	struct tn_bound b = { .is_there = true, .is_exact = true, .n = (uint8_t)tn_column_size(c) };

	memcpy(b.bytes, &v, b.n);
	return b;
}

static double
as_double(const struct tn_column *c, uint64_t v)
{
	uint32_t half = (uint32_t)v;
	double d;
	float f;

	if (c->type.physical == TN_PHYSICAL_DOUBLE) {
		memcpy(&d, &v, sizeof d);
		return d;
	}
	memcpy(&f, &half, sizeof f);
	return f;
}

/* A zero has two signs: as lower bound it is negative, as upper bound positive. */
static void
bound_floats(struct tn_encode_work *w, const uint64_t *v, size_t n, struct tn_page *page)
{
	bool is_single = w->c->type.physical == TN_PHYSICAL_FLOAT;
	uint64_t least = 0, greatest = 0;
	double low = 0, high = 0;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		double d = as_double(w->c, v[i]);

		if (isnan(d)) {
			w->out->nans++;
			continue;
		}
		if (!any || d < low) {
			low = d;
			least = v[i];
		}
		if (!any || d > high) {
			high = d;
			greatest = v[i];
		}
		any = true;
	}
	if (!any)
		return;
	if (!(low < 0) && !(low > 0))
		least = is_single ? FLOAT_NEGATIVE_ZERO : DOUBLE_NEGATIVE_ZERO;
	if (!(high < 0) && !(high > 0))
		greatest = 0;
	page->least = bound_of_number(w->c, least);
	page->greatest = bound_of_number(w->c, greatest);
}

static void
bound_integers(struct tn_encode_work *w, const uint64_t *v, size_t n, struct tn_page *page)
{
	uint64_t flipped = tn_column_flip(w->c, 0);
	int64_t least = INT64_MAX, greatest = INT64_MIN;

	/* The bytes compare as signed numbers. */
	flipped ^= UINT64_C(1) << 63;
	for (size_t i = 0; i < n; i++) {
		int64_t s = (int64_t)(v[i] ^ flipped);

		least = s < least ? s : least;
		greatest = s > greatest ? s : greatest;
	}
	page->least = bound_of_number(w->c, (uint64_t)least ^ flipped);
	page->greatest = bound_of_number(w->c, (uint64_t)greatest ^ flipped);
}

/* Write the different codes of the page to @out; returns their number. */
static size_t
distinct(struct tn_encode_work *w, const struct tn_encode_part *part, size_t n, uint32_t *out)
{
	uint32_t *met = w->e->met, page = w->page;
	size_t found = 0;

	for (size_t i = 0; i < n && found < w->n_words; i++) {
		uint32_t code = w->code[part->from + i];

		out[found] = code;
		found += met[code] != page;
		met[code] = page;
	}
	return found;
}

static void
bound_texts(struct tn_encode_work *w, const struct tn_encode_part *part, const uint32_t *code, size_t n_codes, struct tn_page *page)
{
	const struct tn_column *c = w->c;
	const uint8_t *least = NULL, *greatest = NULL, *p;
	size_t n_least = 0, n_greatest = 0, at = w->plain_at, n, end = part->from + part->n;
	size_t first = part->from > w->n_codes ? part->from : w->n_codes, rest = end > first ? end - first : 0;

	for (size_t i = 0; i < n_codes + rest; i++) {
		if (i < n_codes) {
			n = c->word.item[code[i]].n;
			p = c->word.item[code[i]].bytes;
		} else {
			p = tn_work_text(w, w->n_codes, &at, &n);
		}
		if (!least || compare_bytes(p, n, least, n_least) < 0) {
			least = p;
			n_least = n;
		}
		if (!greatest || compare_bytes(p, n, greatest, n_greatest) > 0) {
			greatest = p;
			n_greatest = n;
		}
	}
	page->least = bound_of_text(c, least, n_least, false);
	page->greatest = bound_of_text(c, greatest, n_greatest, true);
}

/* Compare two bounds in the order of the column's values. */
static int
compare_bounds(const struct tn_column *c, const struct tn_bound *a, const struct tn_bound *b)
{
	uint64_t x = 0, y = 0;
	double f, g;

	if (tn_column_is_text(c))
		return compare_bytes(a->bytes, a->n, b->bytes, b->n);
	memcpy(&x, a->bytes, a->n);
	memcpy(&y, b->bytes, b->n);
	if (c->type.physical == TN_PHYSICAL_FLOAT || c->type.physical == TN_PHYSICAL_DOUBLE) {
		f = as_double(c, x);
		g = as_double(c, y);
		return f < g ? -1 : f > g;
	}
	if (a->n == 4 && c->type.is_signed) {
		x = (uint64_t)(int32_t)(uint32_t)x;
		y = (uint64_t)(int32_t)(uint32_t)y;
	}
	x = tn_column_flip(c, x);
	y = tn_column_flip(c, y);
	return x < y ? -1 : x > y;
}

bool
tn_bound_page(struct tn_encode_work *w, const struct tn_encode_part *part, struct tn_page *page)
{
	struct tn_pages *out = w->out;
	const struct tn_column *c = w->c;
	bool is_whole = tn_column_is_integer(c) || c->type.physical == TN_PHYSICAL_BOOL;
	const uint64_t *v = w->number ? w->number + part->from : NULL;
	size_t n = part->n, n_codes = part->from < w->n_codes ? w->n_codes - part->from : 0;

	if (!part->n)
		return true;
	n_codes = n_codes < part->n ? n_codes : part->n;
	if (w->packets)
		n_codes = part->n_distinct;
	else if (n_codes && !v)
		n_codes = distinct(w, part, n_codes, w->e->met + w->n_words);
	if (tn_column_is_text(c)) {
		bound_texts(w, part, w->e->met + w->n_words, n_codes, page);
	} else {
		if (!v) {
			if (!TN_ARRAY_RESERVE(&w->e->distinct, n_codes))
				return false;
			for (size_t i = 0; i < n_codes; i++)
				w->e->distinct.item[i] = w->e->number.item[w->e->met[w->n_words + i]];
			v = w->e->distinct.item;
			n = n_codes;
		}
		if (is_whole)
			bound_integers(w, v, n, page);
		else
			bound_floats(w, v, n, page);
	}
	if (!page->least.is_there || !page->greatest.is_there) {
		out->has_bounds = false;
		return true;
	}
	if (!out->least.is_there || compare_bounds(c, &page->least, &out->least) < 0)
		out->least = page->least;
	if (!out->greatest.is_there || compare_bounds(c, &page->greatest, &out->greatest) > 0)
		out->greatest = page->greatest;
	return true;
}

int
tn_bounds_order(const struct tn_column *c, const struct tn_pages *p)
{
	const struct tn_page *before = NULL;
	bool up = true, down = true;

	for (size_t i = 0; i < p->page.n; i++) {
		const struct tn_page *page = &p->page.item[i];

		if (page->all_null)
			continue;
		if (before) {
			int a = compare_bounds(c, &before->least, &page->least);
			int b = compare_bounds(c, &before->greatest, &page->greatest);

			up = up && a <= 0 && b <= 0;
			down = down && a >= 0 && b >= 0;
		}
		before = page;
	}
	return up ? 1 : down ? 2 : 0;
}
