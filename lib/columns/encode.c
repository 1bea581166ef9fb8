#include "columns/encode.h"

#include <math.h>

#include "base/ways.h"
#include "columns/hybrid.h"
#include "columns/thrift.h"

#define PAGE_ROWS 20000
#define PAGE_BYTES ((size_t)1 << 20)
#define DIRECT 65536			/* a dictionary of numbers this near to each other is made without a hash table */
#define TABLE 16384			/* of the hash table */
#define MOST_NUMBERS 4096		/* in a dictionary */
#define SMALL 1024			/* bytes of a page */
#define EARLY 2048			/* after this number of values, it is seen whether values repeat */
#define FLOAT_NEGATIVE_ZERO (UINT64_C(1) << 31)
#define DOUBLE_NEGATIVE_ZERO (UINT64_C(1) << 63)

/* The values of a page, and where they are in the column. */
struct part {
	uint64_t row, rows, entries;
	size_t from, n;			/* values */
	size_t run, run_from, run_end, run_to;	/* runs [run, run_end), from entry run_from of the first; of the last, run_to */
};

struct work {
	struct tn_encoder *e;
	struct tn_pages *out;
	struct tn_column *c;
	bool coded;			/* all numbers are in the dictionary */
	size_t plain_at;		/* in c->plain: after the pages so far */
	uint32_t number;		/* of the page */
};

/* ---- dictionaries of numbers ---- */

static bool
is_integer(const struct tn_column *c)
{
	return c->type.physical == TN_PHYSICAL_INT32 || c->type.physical == TN_PHYSICAL_INT64;
}

/* Numbers so that unsigned order is their order. */
static uint64_t
flip(const struct tn_column *c, uint64_t v)
{
	return c->type.is_signed ? v ^ UINT64_C(1) << 63 : v;
}

static bool
add_number(struct tn_encoder *e, uint64_t v)
{
	uint64_t *at = TN_ARRAY_ADD(&e->number);

	if (at)
		*at = v;
	return at != NULL;
}

static bool
code_near(struct tn_encoder *e, const struct tn_column *c, uint64_t least, uint64_t range)
{
	size_t n = c->number.n, most = n / 4 + 1;

	memset(e->table, 0, (range + 1) * sizeof *e->table);
	for (size_t i = 0; i < n; i++) {
		uint32_t *at = &e->table[flip(c, c->number.item[i]) - least];

		if (!*at) {
			if (e->number.n == most || !add_number(e, c->number.item[i]))
				return false;
			*at = (uint32_t)e->number.n;
		}
		e->code.item[i] = *at - 1;
	}
	return true;
}

static bool
code_hashed(struct tn_encoder *e, const struct tn_column *c)
{
	uint64_t last = 0;
	uint32_t code = 0;

	memset(e->table, 0, TABLE * sizeof *e->table);
	for (size_t i = 0; i < c->number.n; i++) {
		uint64_t v = c->number.item[i];
		size_t slot = (v * UINT64_C(0x9e3779b97f4a7c15)) >> 50;

		if (i == EARLY && e->number.n > EARLY / 2)
			return false;
		if (i && v == last) {
			e->code.item[i] = code;
			continue;
		}
		while (e->table[slot] && e->number.item[e->table[slot] - 1] != v)
			slot = (slot + 1) % TABLE;
		if (!e->table[slot]) {
			if (e->number.n == MOST_NUMBERS || !add_number(e, v))
				return false;
			e->table[slot] = (uint32_t)e->number.n;
		}
		e->code.item[i] = code = e->table[slot] - 1;
		last = v;
	}
	return true;
}

/* Whether the numbers of the column became codes. */
static bool
code_numbers(struct tn_encoder *e, const struct tn_column *c)
{
	uint64_t least = UINT64_MAX, greatest = 0;

	e->number.n = 0;
	if (c->type.rises || c->type.physical == TN_PHYSICAL_BOOL || !c->number.n)
		return false;
	if (!e->table && !(e->table = malloc(DIRECT * sizeof *e->table)))
		return false;
	if (!TN_ARRAY_RESERVE(&e->code, c->number.n))
		return false;
	for (size_t i = 0; i < c->number.n; i++) {
		uint64_t v = flip(c, c->number.item[i]);

		least = v < least ? v : least;
		greatest = v > greatest ? v : greatest;
	}
	if (least == greatest) {
		memset(e->code.item, 0, c->number.n * sizeof *e->code.item);
		return add_number(e, c->number.item[0]);
	}
	return is_integer(c) && greatest - least < DIRECT ? code_near(e, c, least, greatest - least) : code_hashed(e, c);
}

/* ---- least and greatest values ---- */

static int
compare_bytes(const uint8_t *a, size_t n, const uint8_t *b, size_t m)
{
	int order = memcmp(a, b, n < m ? n : m);

	return order ? order : n < m ? -1 : n > m;
}

/* Cut the bytes of a text at the border of a character; of a greatest value, raise the last character. */
static void
cut_bound(struct tn_bound *b, const uint8_t *bytes, bool is_greatest)
{
	size_t n = TN_BOUND_BYTES;

	while (n && (bytes[n] & 0xc0) == 0x80)
		n--;
	b->is_exact = false;
	memcpy(b->bytes, bytes, n);
	/* Only characters of one byte are raised: the others are dropped, and those before them are raised. */
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

static void
put_little(uint8_t *out, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = (uint8_t)(v >> 8 * i);
}

static unsigned
size_of(const struct tn_column *c)
{
	return c->type.physical == TN_PHYSICAL_BOOL ? 1 :
	       c->type.physical == TN_PHYSICAL_INT32 || c->type.physical == TN_PHYSICAL_FLOAT ? 4 : 8;
}

static struct tn_bound
bound_of_number(const struct tn_column *c, uint64_t v)
{
	struct tn_bound b = { .is_there = true, .is_exact = true, .n = (uint8_t)size_of(c) };

	put_little(b.bytes, v, b.n);
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

/* Zero has two signs: as the least value it is negative, as the greatest one positive. */
static void
bound_floats(struct work *w, const struct part *part, struct tn_page *page)
{
	bool is_single = w->c->type.physical == TN_PHYSICAL_FLOAT;
	const uint64_t *v = w->c->number.item + part->from;
	uint64_t least = 0, greatest = 0;
	double low = 0, high = 0;
	bool any = false;

	for (size_t i = 0; i < part->n; i++) {
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
bound_integers(struct work *w, const struct part *part, struct tn_page *page)
{
	const uint64_t *v = w->c->number.item + part->from;
	uint64_t least = UINT64_MAX, greatest = 0;

	for (size_t i = 0; i < part->n; i++) {
		uint64_t u = flip(w->c, v[i]);

		least = u < least ? u : least;
		greatest = u > greatest ? u : greatest;
	}
	page->least = bound_of_number(w->c, flip(w->c, least));
	page->greatest = bound_of_number(w->c, flip(w->c, greatest));
}

/* Value @i of a column of texts: a word, or at @*at of the plain ones, which moves on. */
static const uint8_t *
text_at(const struct tn_column *c, size_t i, size_t *at, size_t *n)
{
	const uint8_t *p;

	if (i < c->code.n) {
		*n = c->word.item[c->code.item[i]].n;
		return c->word.item[c->code.item[i]].bytes;
	}
	p = (const uint8_t *)c->plain.text + *at;
	*n = c->type.size;
	if (c->type.physical == TN_PHYSICAL_BYTES) {
		*n = p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
		p += 4;
		*at += 4;
	}
	*at += *n;
	return p;
}

/* Compare each word of the page once. */
static bool
bound_texts(struct work *w, const struct part *part, struct tn_page *page)
{
	const struct tn_column *c = w->c;
	const uint8_t *least = NULL, *greatest = NULL, *p;
	size_t n_least = 0, n_greatest = 0, at = w->plain_at, n;

	if (!w->number && c->word.n) {
		if (!tn_array_reserve((void **)&w->e->met, &w->e->met_room, c->word.n, sizeof *w->e->met))
			return false;
		memset(w->e->met, 0, c->word.n * sizeof *w->e->met);
	}
	w->number++;
	for (size_t i = part->from; i < part->from + part->n; i++) {
		if (i < c->code.n) {
			if (w->e->met[c->code.item[i]] == w->number)
				continue;
			w->e->met[c->code.item[i]] = w->number;
		}
		p = text_at(c, i, &at, &n);
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
	return true;
}

/* The order of two bounds of the column. */
static int
compare_bounds(const struct tn_column *c, const struct tn_bound *a, const struct tn_bound *b)
{
	uint64_t x = 0, y = 0;
	double f, g;

	if (tn_column_is_text(c))
		return compare_bytes(a->bytes, a->n, b->bytes, b->n);
	for (unsigned i = 0; i < a->n; i++) {
		x |= (uint64_t)a->bytes[i] << 8 * i;
		y |= (uint64_t)b->bytes[i] << 8 * i;
	}
	if (c->type.physical == TN_PHYSICAL_FLOAT || c->type.physical == TN_PHYSICAL_DOUBLE) {
		f = as_double(c, x);
		g = as_double(c, y);
		return f < g ? -1 : f > g;
	}
	if (a->n == 4 && c->type.is_signed) {
		x = (uint64_t)(int32_t)(uint32_t)x;
		y = (uint64_t)(int32_t)(uint32_t)y;
	}
	x = flip(c, x);
	y = flip(c, y);
	return x < y ? -1 : x > y;
}

/* Bounds of the page, and with them those of the chunk. */
static bool
bound(struct work *w, const struct part *part, struct tn_page *page)
{
	struct tn_pages *out = w->out;

	if (!part->n)
		return true;
	if (tn_column_is_text(w->c)) {
		if (!bound_texts(w, part, page))
			return false;
	} else if (is_integer(w->c) || w->c->type.physical == TN_PHYSICAL_BOOL) {
		bound_integers(w, part, page);
	} else {
		bound_floats(w, part, page);
	}
	if (!page->least.is_there || !page->greatest.is_there) {
		out->has_bounds = false;
		return true;
	}
	if (!out->least.is_there || compare_bounds(w->c, &page->least, &out->least) < 0)
		out->least = page->least;
	if (!out->greatest.is_there || compare_bounds(w->c, &page->greatest, &out->greatest) > 0)
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

/* ---- the bodies of pages ---- */

static void
put_plain_numbers(struct tn_str *out, const struct tn_column *c, const uint64_t *v, size_t n)
{
	unsigned size = size_of(c);
	char *p;

	if (c->type.physical == TN_PHYSICAL_BOOL) {
		for (size_t i = 0; i < n; i += 8) {
			uint8_t byte = 0;

			for (size_t k = 0; k < 8 && i + k < n; k++)
				byte |= (uint8_t)(v[i + k] << k);
			tn_str_put(out, &byte, 1);
		}
		return;
	}
	if (!tn_str_reserve(out, n * size))
		return;
	p = out->text + out->n;
	for (size_t i = 0; i < n; i++, p += size)
		put_little((uint8_t *)p, v[i], size);
	out->n += n * size;
}

static void
put_plain_texts(struct work *w, const struct part *part)
{
	const struct tn_column *c = w->c;
	struct tn_str *out = &w->e->body;
	size_t n, at = w->plain_at;

	for (size_t i = part->from; i < part->from + part->n; i++) {
		const uint8_t *p = text_at(c, i, &at, &n), size[4] = {
			(uint8_t)n, (uint8_t)(n >> 8), (uint8_t)(n >> 16), (uint8_t)(n >> 24),
		};

		tn_str_put(out, size, c->type.physical == TN_PHYSICAL_BYTES ? 4 : 0);
		tn_str_put(out, p, n);
	}
	w->plain_at = at;
}

/* The levels of the page, with their length. */
static void
put_levels(struct work *w, const struct part *part, bool of_repetition)
{
	struct tn_str *out = &w->e->body;
	unsigned most = of_repetition ? w->c->repetition : w->c->definition;
	struct tn_hybrid h = { .out = out, .bits = tn_bits_for(most) };
	size_t at = out->n;

	if (!most)
		return;
	tn_str_put(out, "\0\0\0", 4);
	for (size_t i = part->run; i < part->run_end; i++) {
		const struct tn_level_run *r = &w->c->runs.item[i];
		uint64_t n = (i + 1 == part->run_end ? part->run_to : r->n) - (i == part->run ? part->run_from : 0);

		tn_hybrid_run(&h, of_repetition ? r->repetition : r->definition, n);
	}
	tn_hybrid_end(&h);
	if (!out->failed)
		put_little((uint8_t *)out->text + at, out->n - at - 4, 4);
}

static void
put_codes(struct work *w, const uint32_t *code, size_t n, size_t n_words)
{
	struct tn_hybrid h = { .out = &w->e->body, .bits = n_words ? tn_bits_for(n_words - 1) : 0 };
	char bits = (char)h.bits;

	tn_str_put(h.out, &bits, 1);
	tn_hybrid_put(&h, code, n);
	tn_hybrid_end(&h);
}

/* The body as a page, with the header; a chunk whose first page does not shrink stays as it is. */
static bool
put_page(struct work *w, bool is_dictionary, uint64_t entries, enum tn_pages_encoding encoding)
{
	struct tn_encoder *e = w->e;
	struct tn_thrift t = { .out = &e->header }, inside;
	const struct tn_str *body = &e->body;
	bool is_first = !w->out->page.n && !w->out->bytes.n;

	if (e->packer && (is_first || w->out->is_packed) && !e->body.failed) {
		if (!tn_packer_run(e->packer, &e->context, &e->packed, e->body.text, e->body.n))
			return false;
		if (is_first)	/* a small page tells nothing */
			w->out->is_packed = e->body.n < SMALL || e->packed.n + e->packed.n / 16 < e->body.n;
		if (w->out->is_packed)
			body = &e->packed;
	}
	e->header.n = 0;
	tn_thrift_put_i32(&t, 1, is_dictionary ? 2 : 0);
	tn_thrift_put_i32(&t, 2, (int32_t)e->body.n);
	tn_thrift_put_i32(&t, 3, (int32_t)body->n);
	inside = tn_thrift_begin(&t, is_dictionary ? 7 : 5);
	tn_thrift_put_i32(&inside, 1, (int32_t)entries);
	tn_thrift_put_i32(&inside, 2, (int32_t)encoding);
	if (!is_dictionary) {
		tn_thrift_put_i32(&inside, 3, TN_ENCODE_RLE);
		tn_thrift_put_i32(&inside, 4, TN_ENCODE_RLE);
	}
	tn_thrift_end(&inside);
	tn_thrift_end(&t);
	w->out->unpacked += e->header.n + e->body.n;
	tn_str_put(&w->out->bytes, e->header.text, e->header.n);
	tn_str_put(&w->out->bytes, body->text, body->n);
	return !e->header.failed && !e->body.failed && !w->out->bytes.failed && e->body.n <= INT32_MAX;
}

static bool
put_dictionary(struct work *w)
{
	const struct tn_column *c = w->c;
	size_t n = tn_column_is_text(c) ? c->word.n : w->e->number.n;

	w->e->body.n = 0;
	if (!tn_str_reserve(&w->e->body, 1))
		return false;
	if (!tn_column_is_text(c))
		put_plain_numbers(&w->e->body, c, w->e->number.item, n);
	for (size_t i = 0; tn_column_is_text(c) && i < n; i++) {
		uint8_t size[4];

		put_little(size, c->word.item[i].n, 4);
		tn_str_put(&w->e->body, size, c->type.physical == TN_PHYSICAL_BYTES ? 4 : 0);
		tn_str_put(&w->e->body, c->word.item[i].bytes, c->word.item[i].n);
	}
	w->out->has_dictionary = true;
	w->out->encodings |= 1u << TN_ENCODE_PLAIN;
	return put_page(w, true, n, TN_ENCODE_PLAIN);
}

static bool
put_data(struct work *w, const struct part *part)
{
	const struct tn_column *c = w->c;
	struct tn_page *page = TN_ARRAY_ADD(&w->out->page);
	enum tn_pages_encoding encoding = TN_ENCODE_PLAIN;
	size_t i = w->out->page.n - 1;

	if (!page)
		return false;
	page->at = w->out->bytes.n;
	page->row = part->row;
	page->nulls = part->entries - part->n;
	page->all_null = !part->n;
	w->out->nulls += page->nulls;
	if (!bound(w, part, page))
		return false;
	w->e->body.n = 0;
	if (!tn_str_reserve(&w->e->body, 1))
		return false;
	put_levels(w, part, true);
	put_levels(w, part, false);
	if (w->coded || (tn_column_is_text(c) && part->from + part->n <= c->code.n && c->word.n)) {
		encoding = TN_ENCODE_DICTIONARY;
		put_codes(w, (w->coded ? w->e->code.item : c->code.item) + part->from, part->n,
			  w->coded ? w->e->number.n : c->word.n);
	} else if (tn_column_is_text(c)) {
		put_plain_texts(w, part);
	} else if (is_integer(c) && part->n) {
		encoding = TN_ENCODE_DELTA;
		tn_put_differences(&w->e->body, c->number.item + part->from, part->n, c->type.physical == TN_PHYSICAL_INT64);
	} else {
		put_plain_numbers(&w->e->body, c, c->number.item + part->from, part->n);
	}
	w->out->encodings |= 1u << encoding;
	if (!put_page(w, false, part->entries, encoding))
		return false;
	w->out->page.item[i].size = w->out->bytes.n - w->out->page.item[i].at;
	return true;
}

/* The next page: whole rows, at most @most of them. */
static void
take_part(const struct tn_column *c, struct part *part, uint64_t most)
{
	part->row += part->rows;
	part->from += part->n;
	part->rows = part->entries = part->n = 0;
	if (part->run_end) {	/* continue where the page before ended */
		bool ended = part->run_to == c->runs.item[part->run_end - 1].n;

		part->run = ended ? part->run_end : part->run_end - 1;
		part->run_from = ended ? 0 : part->run_to;
	}
	for (size_t i = part->run; i < c->runs.n; i++) {
		const struct tn_level_run *r = &c->runs.item[i];
		uint64_t from = i == part->run ? part->run_from : 0, n = r->n - from;

		if (!r->repetition) {
			if (part->rows == most)
				break;
			n = n < most - part->rows ? n : most - part->rows;
			part->rows += n;
		}
		part->entries += n;
		part->n += r->definition == c->definition ? n : 0;
		part->run_end = i + 1;
		part->run_to = from + n;
		if (part->run_to < r->n)
			break;
	}
}

/* Rows of a page: fewer where values are large. */
static uint64_t
rows_of_page(const struct tn_column *c, uint64_t rows)
{
	size_t bytes = c->number.n * 8 + c->code.n * 4 + c->plain.n;
	uint64_t most = PAGE_ROWS;

	if (tn_ways() & TN_WAYS_SMALL)
		return 3;
	if (bytes > PAGE_BYTES)
		most = (uint64_t)((double)rows * PAGE_BYTES / (double)bytes) + 1;
	return most < PAGE_ROWS ? most : PAGE_ROWS;
}

bool
tn_encode(struct tn_encoder *e, struct tn_pages *out, struct tn_column *c, uint64_t rows)
{
	struct work w = { .e = e, .out = out, .c = c };
	struct part part = { 0 };
	uint64_t most = rows_of_page(c, rows);

	tn_column_pad(c, rows);
	out->bytes.n = out->page.n = 0;
	out->has_dictionary = out->is_packed = false;
	out->encodings = 1u << TN_ENCODE_RLE;	/* of the levels */
	out->entries = c->entries;
	out->unpacked = out->nulls = out->nans = 0;
	out->least.is_there = out->greatest.is_there = false;
	out->has_bounds = true;
	if (c->failed)
		return false;
	w.coded = !tn_column_is_text(c) && code_numbers(e, c);
	if ((w.coded || c->word.n) && !put_dictionary(&w))
		return false;
	out->first = out->bytes.n;
	while (part.row + part.rows < rows) {
		take_part(c, &part, most);
		if (!put_data(&w, &part))
			return false;
	}
	return true;
}

void
tn_encoder_release(struct tn_encoder *e)
{
	if (e->packer)
		tn_packer_drop(e->packer, e->context);
	tn_str_release(&e->body);
	tn_str_release(&e->packed);
	tn_str_release(&e->header);
	TN_ARRAY_RELEASE(&e->code);
	TN_ARRAY_RELEASE(&e->number);
	free(e->table);
	free(e->met);
}

void
tn_pages_release(struct tn_pages *p)
{
	tn_str_release(&p->bytes);
	TN_ARRAY_RELEASE(&p->page);
}
