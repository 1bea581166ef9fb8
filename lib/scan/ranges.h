/* ranges.h - the matching rows of a scan as ranges, without a call for each row */
#ifndef TN_SCAN_RANGES_H
#define TN_SCAN_RANGES_H

#include <tnav/query.h>

#include "model/decoder.h"

struct tn_scan_ranges {
	/*
	 * Rows [first, first + n) of the batch, which all are events that match. The batch is borrowed until the call
	 * returns. A failure stops the scan, which returns it.
	 */
	enum tn_code (*take)(void *user, const struct tn_batch *batch, size_t first, size_t n, struct tn_error *err);
	void *user;
};

/*
 * Like tn_scan(), only forward, with ranges in place of rows and events; @ranges may be NULL. The caller's thread gets
 * the ranges in order.
 */
enum tn_code tn_scan_ranges(struct tn_set *set, const struct tn_scan_options *options, const struct tn_scan_ranges *ranges,
			    uint64_t *passed, struct tn_error *err) TN_MUST_CHECK;

#endif
