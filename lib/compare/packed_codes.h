/*
 * packed_codes.h - the values of things as numbers of two bytes, in columns: in memory, then in a temporary file
 *
 * Rows are packed in chunks. In a chunk a column takes no space if all its codes are the same, and a byte for each of
 * them if they are small.
 */
#ifndef TN_COMPARE_PACKED_CODES_H
#define TN_COMPARE_PACKED_CODES_H

#include <stdio.h>

#include <tnav/error.h>

#include "base/str.h"

#define TN_CODES_ROWS 4096	/* rows of a chunk */
#define TN_CODES_NONE UINT16_MAX	/* no value */

/* Zeroed is empty, after `n_columns` is set. */
struct tn_codes {
	size_t n_columns;
	uint16_t *chunk;	/* the latest rows, column by column: TN_CODES_ROWS codes each */
	size_t n;		/* rows in it */
	struct tn_str kept;	/* chunks before it; */
	FILE *file;		/* earlier ones; or NULL */
	uint64_t in_file;	/* bytes */
};

void tn_codes_clear(struct tn_codes *c);	/* keeps memory */
void tn_codes_release(struct tn_codes *c);
/* Add a row: a code for each column. */
enum tn_code tn_codes_add(struct tn_codes *c, const uint16_t *row, struct tn_error *err) TN_MUST_CHECK;
/* Add the rows of @from's current chunk. */
enum tn_code tn_codes_add_chunk(struct tn_codes *c, const struct tn_codes *from, struct tn_error *err) TN_MUST_CHECK;
/* Call @chunk for each chunk, in order: its rows are in c->chunk, and may be changed there. */
enum tn_code tn_codes_each(struct tn_codes *c, enum tn_code (*chunk)(void *user, struct tn_codes *c, struct tn_error *err),
			   void *user, struct tn_error *err) TN_MUST_CHECK;

#endif
