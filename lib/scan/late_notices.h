/* late_notices.h - notices of a scan in any order, which are kept to report them in order at the end */
#ifndef TN_SCAN_LATE_NOTICES_H
#define TN_SCAN_LATE_NOTICES_H

#include "scan/chunk.h"

struct tn_late_notice {
	struct tn_location at;
	struct tn_stop stop;
	struct tn_walked *walked;	/* holds the notice's batch */
};

struct tn_late_notices {
	TN_ARRAY(struct tn_late_notice) notice;
};

/* Get the row of a stop. */
void tn_stop_row(const struct tn_stop *stop, struct tn_row *row);

/* False: there are too many notices, or memory is out. */
bool tn_late_notices_add(struct tn_late_notices *late, const struct tn_chunk *c, const struct tn_stop *stop);

/* Report the notices (not if the callback is NULL) and release them. True: the callback requested a stop. */
bool tn_late_notices_deliver(struct tn_late_notices *late, const struct tn_scan_options *o);

#endif
