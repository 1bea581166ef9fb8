/*
 * packed_codes.h - values as numbers of two bytes, in columns: in memory, then in a temporary file
 *
 * Rows are packed in chunks. In a chunk, a column takes no space if all its codes are equal, and one byte for each code
 * if the codes are small.
 */
#ifndef TN_COMPARE_PACKED_CODES_H
#define TN_COMPARE_PACKED_CODES_H

#include <stdio.h>

#include <tnav/error.h>

#include "base/str.h"

#define TN_CODES_ROWS 4096	/* rows of a chunk */
#define TN_CODES_NONE UINT16_MAX	/* the code of a missing value */

/* Zero it and set `n_columns`; it is then empty. */
struct tn_codes {
	size_t n_columns;
	uint16_t *chunk;	/* the rows of the current chunk: TN_CODES_ROWS codes for each column */
	size_t n;		/* number of rows in it */
	struct tn_str kept;	/* earlier chunks, in memory */
	FILE *file;		/* still earlier chunks; or NULL */
	uint64_t in_file;	/* bytes in the file */
};

void tn_codes_clear(struct tn_codes *c);	/* keeps the allocations */
void tn_codes_release(struct tn_codes *c);
/* Add a row: one code for each column. */
enum tn_code tn_codes_add(struct tn_codes *c, const uint16_t *row, struct tn_error *err) TN_MUST_CHECK;
/* Add the rows of the current chunk of @from. */
enum tn_code tn_codes_add_chunk(struct tn_codes *c, const struct tn_codes *from, struct tn_error *err) TN_MUST_CHECK;
/* Call @chunk for each chunk, in order. Its rows are in c->chunk, and @chunk may change them there. */
enum tn_code tn_codes_each(struct tn_codes *c, enum tn_code (*chunk)(void *user, struct tn_codes *c, struct tn_error *err),
			   void *user, struct tn_error *err) TN_MUST_CHECK;

#endif
