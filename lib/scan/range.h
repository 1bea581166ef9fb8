/* range.h - the rows in the range of a scan */
#ifndef TN_SCAN_RANGE_H
#define TN_SCAN_RANGE_H

#include <tnav/query.h>

#include "model/decoder.h"

/* Whether row @row is outside: no row after it in the order of the scan is inside. */
bool tn_is_after_range(const struct tn_scan_options *o, const struct tn_batch *b, size_t row);

/* Whether row @row is before the start of a scan that goes forward. */
bool tn_is_before_range(const struct tn_scan_options *o, const struct tn_batch *b, size_t row);

/* For a range with places at its ends, set begin_ns and end_ns to the bounds of the packets it touches. */
void tn_range_of_times(struct tn_scan_options *o);

#endif
