#include "columns/encode_work.h"

#include "base/ways.h"
#include "columns/hybrid.h"
#include "columns/thrift.h"

#define PAGE_ROWS 20000
#define PAGE_BYTES ((size_t)1 << 20)
#define DIRECT 65536			/* if numbers are in a range of this size, their dictionary needs no hash table */
#define TABLE 16384			/* slots of the hash table */
#define MOST_NUMBERS 4096		/* limit of numbers in a dictionary */
#define SMALL 1024			/* page size for tests, in bytes */
#define EARLY 2048			/* after this number of values, the encoder checks whether values repeat */

/* ---- dictionaries of numbers ---- */

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
	/* Values of packets may all differ: a dictionary is still useful, because rows repeat them. */
	size_t n = c->number.n, most = c->of_packets ? n : n / 4 + 1;
	uint64_t flip = tn_column_flip(c, 0);

	memset(e->table, 0, (range + 1) * sizeof *e->table);
	for (size_t i = 0; i < n; i++) {
		uint32_t *at = &e->table[(c->number.item[i] ^ flip) - least];

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

		if (i == EARLY && e->number.n > EARLY / 2 && !c->of_packets)
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

/* Make codes of the column's numbers. Returns whether they have a dictionary now. */
static bool
code_numbers(struct tn_encoder *e, const struct tn_column *c)
{
	uint64_t least = UINT64_MAX, greatest = 0, flip = tn_column_flip(c, 0);

	e->number.n = 0;
	if (c->type.rises || c->type.physical == TN_PHYSICAL_BOOL || !c->number.n)
		return false;
	if (!e->table && !(e->table = malloc(DIRECT * sizeof *e->table)))
		return false;
	if (!TN_ARRAY_RESERVE(&e->code, c->number.n))
		return false;
	for (size_t i = 0; i < c->number.n; i++) {
		uint64_t v = c->number.item[i] ^ flip;

		least = v < least ? v : least;
		greatest = v > greatest ? v : greatest;
	}
	if (least == greatest) {
		memset(e->code.item, 0, c->number.n * sizeof *e->code.item);
		return add_number(e, c->number.item[0]);
	}
	return tn_column_is_integer(c) && greatest - least < DIRECT ? code_near(e, c, least, greatest - least) : code_hashed(e, c);
}

/* ---- the bodies of pages ---- */

/* Append numbers in little-endian order. */
static void
put_plain_numbers(struct tn_str *out, const struct tn_column *c, const uint64_t *v, size_t n)
{
	unsigned size = tn_column_size(c);
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
	if (!tn_str_reserve(out, n * size + 8))
		return;
	p = out->text + out->n;
	for (size_t i = 0; i < n; i++, p += size)
		memcpy(p, &v[i], 8);	/* the next value overwrites the superfluous bytes */
	out->n += n * size;
}

static void
put_plain_texts(struct tn_encode_work *w, const struct tn_encode_part *part)
{
	const struct tn_column *c = w->c;
	struct tn_str *out = &w->e->body;
	size_t n, at = w->plain_at;

	for (size_t i = part->from; i < part->from + part->n; i++) {
		const uint8_t *p = tn_work_text(w, i, &at, &n);

		tn_str_put(out, &n, c->type.physical == TN_PHYSICAL_BYTES ? 4 : 0);
		tn_str_put(out, p, n);
	}
	w->plain_at = at;
}

/* Get 64 bits of the rows from @row on; bits after the last row are 0. */
static uint64_t
bits_at(const struct tn_column *c, uint64_t row)
{
	size_t i = (size_t)(row >> 6);
	unsigned shift = row & 63;
	uint64_t low = i < c->there_n ? c->there[i] >> shift : 0;

	return shift && i + 1 < c->there_n ? low | c->there[i + 1] << (64 - shift) : low;
}

/* Append the levels of the page after their length. */
static void
put_levels(struct tn_encode_work *w, const struct tn_encode_part *part, bool of_repetition)
{
	const struct tn_column *c = w->c;
	struct tn_str *out = &w->e->body;
	unsigned most = of_repetition ? c->repetition : c->definition;
	struct tn_hybrid h = { .out = out, .bits = tn_bits_for(most) };
	uint64_t nulls = part->entries - part->n, fewer = part->n < nulls ? part->n : nulls;
	size_t at = out->n;
	uint32_t size;

	if (!most)
		return;
	tn_str_put(out, "\0\0\0", 4);
	tn_hybrid_begin(&h, part->entries, c->is_flat ? 2 * fewer : part->run_end - part->run);
	if (c->is_flat && !fewer) {
		tn_hybrid_run(&h, part->n != 0, part->rows);
	} else if (w->packets) {
		for (uint64_t row = part->row; row < part->row + part->rows; row++)
			tn_hybrid_run(&h, w->e->of_packet.item[w->packets->packet[row]] != 0, 1);
	} else if (c->is_flat) {
		for (uint64_t row = 0; row < part->rows; row += 64)
			tn_hybrid_bits(&h, bits_at(c, part->row + row), part->rows - row < 64 ? (unsigned)(part->rows - row) : 64);
	} else {
		for (size_t i = part->run; i < part->run_end; i++)
			tn_hybrid_run(&h, of_repetition ? c->runs.item[i].repetition : c->runs.item[i].definition,
				      tn_part_of_run(part, i, c->runs.item[i].n));
	}
	tn_hybrid_end(&h);
	size = (uint32_t)(out->n - at - 4);
	if (!out->failed)
		memcpy(out->text + at, &size, sizeof size);
}

/* Get the codes of the page's values. NULL: memory is out. */
static const uint32_t *
codes_of(struct tn_encode_work *w, const struct tn_encode_part *part)
{
	const uint32_t *packet, *of_packet = w->e->of_packet.item;
	size_t n = 0, rows = part->rows;
	uint32_t *of_row;

	if (!w->packets)
		return w->code + part->from;
	if (!TN_ARRAY_RESERVE(&w->e->of_row, rows))
		return NULL;
	packet = w->packets->packet + part->row;
	of_row = w->e->of_row.item;
	for (size_t i = 0; i < rows; i++) {
		of_row[n] = of_packet[packet[i]] - 1;
		n += of_row[n] != UINT32_MAX;
	}
	return of_row;
}

static bool
put_codes(struct tn_encode_work *w, const struct tn_encode_part *part)
{
	struct tn_hybrid h = { .out = &w->e->body, .bits = tn_bits_for(w->n_words - 1) };
	const uint32_t *code = h.bits ? codes_of(w, part) : NULL;
	char bits = (char)h.bits;
	size_t runs = 1;

	if (h.bits && !code)
		return false;
	tn_str_put(h.out, &bits, 1);
	for (size_t i = 1; code && i < part->n && runs <= part->n / TN_LONG_RUN; i++)
		runs += code[i] != code[i - 1];
	tn_hybrid_begin(&h, part->n, runs);
	if (code)
		tn_hybrid_numbers(&h, code, part->n);
	else
		tn_hybrid_run(&h, 0, part->n);
	tn_hybrid_end(&h);
	return true;
}

/*
 * Append the body as a page with a header. If compression does not make the first page of a chunk smaller, the chunk is
 * not compressed.
 */
static bool
put_page(struct tn_encode_work *w, bool is_dictionary, uint64_t entries, enum tn_pages_encoding encoding)
{
	struct tn_encoder *e = w->e;
	struct tn_thrift t = { .out = &e->header }, inside;
	const struct tn_str *body = &e->body;
	bool is_first = !w->out->page.n && !w->out->bytes.n;

	if (e->packer && (is_first || w->out->is_packed) && !e->body.failed) {
		if (!tn_packer_run(e->packer, &e->context, &e->packed, e->body.text, e->body.n))
			return false;
		if (is_first)	/* a small page does not show whether compression helps */
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
put_dictionary(struct tn_encode_work *w)
{
	const struct tn_column *c = w->c;
	size_t n = tn_column_is_text(c) ? c->word.n : w->e->number.n;

	w->e->body.n = 0;
	if (!tn_str_reserve(&w->e->body, 1))
		return false;
	if (!tn_column_is_text(c))
		put_plain_numbers(&w->e->body, c, w->e->number.item, n);
	for (size_t i = 0; tn_column_is_text(c) && i < n; i++) {
		tn_str_put(&w->e->body, &c->word.item[i].n, c->type.physical == TN_PHYSICAL_BYTES ? 4 : 0);
		tn_str_put(&w->e->body, c->word.item[i].bytes, c->word.item[i].n);
	}
	w->out->has_dictionary = true;
	w->out->encodings |= 1u << TN_ENCODE_PLAIN;
	return put_page(w, true, n, TN_ENCODE_PLAIN);
}

static bool
put_data(struct tn_encode_work *w, const struct tn_encode_part *part)
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
	if (!tn_bound_page(w, part, page))
		return false;
	w->e->body.n = 0;
	if (!tn_str_reserve(&w->e->body, 1))
		return false;
	put_levels(w, part, true);
	put_levels(w, part, false);
	if (w->n_words && part->from + part->n <= w->n_codes) {
		encoding = TN_ENCODE_DICTIONARY;
		if (!put_codes(w, part))
			return false;
	} else if (tn_column_is_text(c)) {
		put_plain_texts(w, part);
	} else if (tn_column_is_integer(c) && part->n) {
		encoding = TN_ENCODE_DELTA;
		tn_put_differences(&w->e->body, w->number + part->from, part->n, c->type.physical == TN_PHYSICAL_INT64);
	} else {
		put_plain_numbers(&w->e->body, c, w->number + part->from, part->n);
	}
	w->out->encodings |= 1u << encoding;
	if (!put_page(w, false, part->entries, encoding))
		return false;
	w->out->page.item[i].size = w->out->bytes.n - w->out->page.item[i].at;
	return true;
}

/* Take complete rows, at most @most. */
static void
take_runs(const struct tn_encode_work *w, struct tn_encode_part *part, uint64_t most)
{
	const struct tn_column *c = w->c;

	if (part->run_end) {	/* continue where the previous page ended */
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

/* Collect the packets of the page, and the codes of their values. */
static void
take_packets(const struct tn_encode_work *w, struct tn_encode_part *part)
{
	const struct tn_page_packets *page = &w->packets->page.item[w->page - 1];
	const uint32_t *of_packet = w->e->of_packet.item;
	uint32_t *met = w->e->met, *distinct = met + w->n_words;
	bool all = true;

	part->n_distinct = 0;
	part->n = part->rows;
	for (size_t i = page->first; i < page->first + page->n; i++) {
		uint32_t there = of_packet[w->packets->met.item[i]];

		all &= there != 0;
		if (there && met[there - 1] != w->page) {
			distinct[part->n_distinct++] = there - 1;
			met[there - 1] = w->page;
		}
	}
	for (uint64_t row = part->row; !all && row < part->row + part->rows; row++)
		part->n -= !of_packet[w->packets->packet[row]];
}

/* Take the values of the next page. */
static void
take_part(struct tn_encode_work *w, struct tn_encode_part *part, uint64_t most)
{
	const struct tn_column *c = w->c;

	part->row += part->rows;
	part->from += part->n;
	part->rows = part->entries = part->n = 0;
	w->page++;
	if (!c->is_flat) {
		take_runs(w, part, most);
		return;
	}
	part->rows = part->entries = most < w->rows - part->row ? most : w->rows - part->row;
	if (w->packets) {
		take_packets(w, part);
		return;
	}
	part->n = c->whole == UINT64_MAX ? 0 : c->whole ? part->rows : 0;
	for (uint64_t i = 0; c->there_n && i < part->rows; i += 64) {
		uint64_t bits = bits_at(c, part->row + i), left = part->rows - i;

		part->n += (size_t)__builtin_popcountll(left < 64 ? bits & ((UINT64_C(1) << left) - 1) : bits);
	}
}

static uint64_t
most_rows(void)
{
	return tn_ways() & TN_WAYS_SMALL ? 3 : PAGE_ROWS;
}

/* The number of rows in a page, which is less if the values are large. */
static uint64_t
rows_of_page(const struct tn_encode_work *w)
{
	const struct tn_column *c = w->c;
	size_t bytes = c->number.n * 8 + c->code.n * 4 + c->plain.n;
	uint64_t most = most_rows(), fit = most;

	if (bytes > PAGE_BYTES && !w->packets)
		fit = (uint64_t)((double)w->rows * PAGE_BYTES / (double)bytes) + 1;
	return fit < most ? fit : most;
}

bool
tn_find_packets(struct tn_group_rows *rows)
{
	uint32_t *page_of = rows->packet ? calloc(rows->n_packets + 1, sizeof *page_of) : NULL;	/* last page of each packet */
	uint64_t most = most_rows();
	bool ok = !rows->packet || page_of;

	for (uint64_t from = 0; page_of && ok && from < rows->n; from += most) {
		struct tn_page_packets *page = TN_ARRAY_ADD(&rows->page);
		uint64_t end = rows->n - from < most ? rows->n : from + most;
		uint32_t last = UINT32_MAX, *met;

		if (page)
			*page = (struct tn_page_packets) { .first = rows->met.n };
		for (uint64_t row = from; page && ok && row < end; row++) {
			uint32_t packet = rows->packet[row];

			if (packet == last || page_of[last = packet] == rows->page.n)
				continue;
			page_of[packet] = (uint32_t)rows->page.n;
			if ((ok = (met = TN_ARRAY_ADD(&rows->met)) != NULL)) {
				*met = packet;
				page->n++;
			}
		}
		ok = ok && page;
	}
	free(page_of);
	return ok;
}

void
tn_found_packets_release(struct tn_group_rows *rows)
{
	TN_ARRAY_RELEASE(&rows->page);
	TN_ARRAY_RELEASE(&rows->met);
}

/* Convert values of packets, if they have no codes, to values of rows. */
static bool
expand(struct tn_encode_work *w, const struct tn_group_rows *rows)
{
	const struct tn_column *c = w->c;
	struct tn_column *by_row = &w->e->by_row;

	tn_column_clear(by_row);
	by_row->type = c->type;
	by_row->definition = c->definition;
	by_row->is_flat = true;
	by_row->held = &w->e->held;
	for (uint64_t row = 0; row < rows->n; row++) {
		uint32_t there = w->e->of_packet.item[rows->packet[row]];

		if (there) {
			tn_column_there(by_row, row);
			tn_column_number(by_row, c->number.item[there - 1]);
		}
	}
	w->c = by_row;
	w->number = by_row->number.item;
	return !by_row->failed;
}

/* Find the value of each packet. */
static bool
find_packets(struct tn_encode_work *w, const struct tn_group_rows *rows)
{
	uint32_t next = 0;

	if (!TN_ARRAY_RESERVE(&w->e->of_packet, rows->n_packets))
		return false;
	for (size_t i = 0; i < rows->n_packets; i++)
		w->e->of_packet.item[i] = !tn_column_has(w->c, i) ? 0 : w->n_words ? w->code[next++] + 1 : ++next;
	w->packets = w->n_words ? rows : NULL;
	w->n_codes = w->n_words ? SIZE_MAX : 0;	/* all values have codes */
	return w->n_words || expand(w, rows);
}

/* Get the values row by row, as codes if there is a dictionary. */
static bool
view(struct tn_encode_work *w, const struct tn_group_rows *rows)
{
	struct tn_column *c = w->c;
	struct tn_encoder *e = w->e;

	if (!c->is_flat)
		tn_column_pad(c, rows->n);
	w->number = c->number.item;
	if (tn_column_is_text(c)) {
		w->code = c->code.item;
		w->n_codes = c->code.n;
		w->n_words = c->word.n;
	} else if ((tn_column_is_integer(c) || !c->of_packets) && code_numbers(e, c)) {
		/* Codes suffice for bounds, but the number of NaNs needs the values. */
		w->number = tn_column_is_integer(c) ? NULL : w->number;
		w->code = e->code.item;
		w->n_codes = c->number.n;
		w->n_words = e->number.n;
	}
	if (w->n_words) {
		if (!tn_array_reserve((void **)&e->met, &e->met_room, 2 * w->n_words, sizeof *e->met) || !put_dictionary(w))
			return false;
		memset(e->met, 0, w->n_words * sizeof *e->met);
	}
	if (c->of_packets && !find_packets(w, rows))
		return false;
	c = w->c;
	return !c->is_flat || w->packets || !c->whole || c->whole >= rows->n || tn_column_more_rows(c, rows->n);
}

bool
tn_encode(struct tn_encoder *e, struct tn_pages *out, struct tn_column *c, const struct tn_group_rows *rows)
{
	struct tn_encode_work w = { .e = e, .out = out, .c = c, .rows = rows->n };
	struct tn_encode_part part = { 0 };
	uint64_t most;

	out->bytes.n = out->page.n = 0;
	out->has_dictionary = out->is_packed = false;
	out->encodings = 1u << TN_ENCODE_RLE;	/* the levels have this encoding */
	out->unpacked = out->nulls = out->nans = 0;
	out->least.is_there = out->greatest.is_there = false;
	out->has_bounds = true;
	if (c->failed || !view(&w, rows) || c->failed)
		return false;
	out->entries = c->is_flat ? rows->n : c->entries;
	for (size_t i = 0; c->has_mended && !w.packets && i < w.n_codes; i++)
		c->mended += c->word.item[w.code[i]].mended;
	for (uint64_t row = 0; c->has_mended && w.packets && row < rows->n; row++)
		if (e->of_packet.item[rows->packet[row]])
			c->mended += c->word.item[e->of_packet.item[rows->packet[row]] - 1].mended;
	out->first = out->bytes.n;
	most = rows_of_page(&w);
	while (part.row + part.rows < rows->n) {
		take_part(&w, &part, most);
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
	TN_ARRAY_RELEASE(&e->distinct);
	TN_ARRAY_RELEASE(&e->of_packet);
	TN_ARRAY_RELEASE(&e->of_row);
	tn_column_release(&e->by_row);
	free(e->table);
	free(e->met);
}

void
tn_pages_release(struct tn_pages *p)
{
	tn_str_release(&p->bytes);
	TN_ARRAY_RELEASE(&p->page);
}
