/* trace_events.h - events and spans as Chrome trace JSON */
#ifndef TRACE_EVENTS_H
#define TRACE_EVENTS_H

#include <tnav/query.h>

/* Like records_write() (data_rows.h); @how is the form of JSON lines. */
enum tn_code
trace_events_write(struct tn_set *set, const struct tn_text_options *how, const struct tn_scan_options *scan, uint64_t *passed,
		   struct tn_error *err);

#endif
