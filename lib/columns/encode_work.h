/* encode_work.h - the work on one column chunk, shared by the files that encode it */
#ifndef TN_COLUMNS_ENCODE_WORK_H
#define TN_COLUMNS_ENCODE_WORK_H

#include "columns/encode.h"

/* The values of a page, and their place in the column. */
struct tn_encode_part {
	uint64_t row, rows, entries;
	size_t from, n;			/* range of values */
	size_t run, run_from, run_end, run_to;	/* runs [run, run_end), from entry run_from of the first; of the last, run_to */
	size_t n_distinct;		/* columns of packets: number of different codes, which are at @met of the encoder */
};

struct tn_encode_work {
	struct tn_encoder *e;
	struct tn_pages *out;
	struct tn_column *c;
	uint64_t rows;
	/* For columns of packets whose values have codes: the packets of the rows; otherwise NULL. */
	const struct tn_group_rows *packets;
	/* The values of the column, row by row. */
	const uint64_t *number;
	const uint32_t *code;
	size_t n_codes;
	size_t n_words;			/* number of words in the dictionary; 0: no dictionary */
	size_t plain_at;		/* position in c->plain after the pages so far */
	uint32_t page;			/* number of the page, from 1 */
};

/* The number of entries of run @i, among @n runs, that are in the page. */
static inline uint64_t
tn_part_of_run(const struct tn_encode_part *part, size_t i, uint64_t n)
{
	return (i + 1 == part->run_end ? part->run_to : n) - (i == part->run ? part->run_from : 0);
}

static inline bool
tn_column_is_integer(const struct tn_column *c)
{
	return c->type.physical == TN_PHYSICAL_INT32 || c->type.physical == TN_PHYSICAL_INT64;
}

/* Convert a number so that unsigned order is the order of the column. */
static inline uint64_t
tn_column_flip(const struct tn_column *c, uint64_t v)
{
	return c->type.is_signed ? v ^ UINT64_C(1) << 63 : v;
}

/* Get value @i of a column of texts: a word of the dictionary, or the plain text at *at, which is then moved. */
static inline const uint8_t *
tn_work_text(const struct tn_encode_work *w, size_t i, size_t *at, size_t *n)
{
	const struct tn_column *c = w->c;
	const uint8_t *p;
	uint32_t size;

	if (i < w->n_codes) {
		*n = c->word.item[w->code[i]].n;
		return c->word.item[w->code[i]].bytes;
	}
	p = (const uint8_t *)c->plain.text + *at;
	*n = c->type.size;
	if (c->type.physical == TN_PHYSICAL_BYTES) {
		memcpy(&size, p, sizeof size);
		*n = size;
		p += 4;
		*at += 4;
	}
	*at += *n;
	return p;
}

/*
 * Find the bounds of the page, and update those of the chunk. Each word of the dictionary is compared once. False: memory
 * is out.
 */
bool tn_bound_page(struct tn_encode_work *w, const struct tn_encode_part *part, struct tn_page *page);

#endif
