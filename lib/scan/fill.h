/*
 * fill.h - the rows of a merge, put into chunks
 *
 * One thread fills the chunks of a scan, in the order of the scan. A chunk holds the batches of its rows, and
 * has the event before its first row, which a delta counts from.
 */
#ifndef TN_SCAN_FILL_H
#define TN_SCAN_FILL_H

#include <tnav/query.h>

#include "scan/chunk.h"

struct tn_fill {
	const struct tn_scan_options *options;
	const struct tn_text *match;	/* decides which deltas are needed; NULL: none */
	bool each;		/* the caller takes rows, and may need the first ones only */
	struct tn_merge merge;	/* initialised by the caller */
	struct tn_line_previous previous;	/* forward: the last event in the chunks so far */
	uint64_t serial;	/* serial number of the chunk being filled */
	bool filled;		/* all rows are merged */
};

/* Put the merge where the scan begins. */
enum tn_code tn_fill_begin(struct tn_fill *f, struct tn_error *err);
/* Put the next rows into an empty chunk; TN_END: there are none. */
enum tn_code tn_fill(struct tn_fill *f, struct tn_chunk *c, struct tn_error *err);

#endif
