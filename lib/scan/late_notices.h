/* late_notices.h - notices of a scan in any order, which are kept until the end: they are reported in order */
#ifndef TN_SCAN_LATE_NOTICES_H
#define TN_SCAN_LATE_NOTICES_H

#include "scan/chunk.h"

struct tn_late_notice {
	struct tn_location at;
	struct tn_stop stop;
	struct tn_walked *walked;	/* held for its batch */
};

struct tn_late_notices {
	TN_ARRAY(struct tn_late_notice) notice;
};

/* The row of a stop. */
void tn_stop_row(const struct tn_stop *stop, struct tn_row *row);

/* False: too many, or memory is out. */
bool tn_late_notices_add(struct tn_late_notices *late, const struct tn_chunk *c, const struct tn_stop *stop);

/* Report them (NULL: do not) and release them; true: the callback requested a stop. */
bool tn_late_notices_deliver(struct tn_late_notices *late, const struct tn_scan_options *o);

#endif
