/* range.h - the rows in the range of a scan */
#ifndef TN_SCAN_RANGE_H
#define TN_SCAN_RANGE_H

#include <tnav/query.h>

#include "model/decoder.h"

/* Whether row @row is after the range, so that no later row in the order of the scan is inside. */
bool tn_is_after_range(const struct tn_scan_options *o, const struct tn_batch *b, size_t row);

/* Whether row @row is before the start of a forward scan. */
bool tn_is_before_range(const struct tn_scan_options *o, const struct tn_batch *b, size_t row);

/* If the ends of the range are locations, set begin_ns and end_ns to the bounds of the packets between them. */
void tn_range_of_times(struct tn_scan_options *o);

#endif
