/*
 * fill.h - put the rows of a merge into chunks
 *
 * One thread fills the chunks of a scan, in the order of the scan. A chunk holds the batches of its rows. It also has the
 * event before its first row, from which a delta counts.
 */
#ifndef TN_SCAN_FILL_H
#define TN_SCAN_FILL_H

#include <tnav/query.h>

#include "scan/chunk.h"

struct tn_fill {
	const struct tn_scan_options *options;
	const struct tn_text *match;	/* decides which deltas are needed; NULL: none */
	bool each;		/* the caller takes rows, and may need only the first ones */
	struct tn_merge merge;	/* the caller initialises it */
	struct tn_line_previous previous;	/* forward: the last event in the chunks so far */
	uint64_t serial;	/* number of the current chunk */
	bool filled;		/* all rows are merged */
};

/* Move the merge to the place where the scan begins. */
enum tn_code tn_fill_begin(struct tn_fill *f, struct tn_error *err);
/* Put the next rows into an empty chunk. TN_END: there are no more rows. */
enum tn_code tn_fill(struct tn_fill *f, struct tn_chunk *c, struct tn_error *err);

#endif
