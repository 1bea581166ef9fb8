/*
 * left_out.h - the packets in which nothing passes a filter, as far as the digest knows, for who reads packets without a scan
 */
#ifndef TN_QUERY_LEFT_OUT_H
#define TN_QUERY_LEFT_OUT_H

#include <tnav/query.h>

#include "order/flow.h"

struct tn_left_out;	/* NULL: none is known */

/* Of a filter that sees no lines. What there is no memory for is read. */
struct tn_left_out *tn_left_out_new(const struct tn_set *set, const struct tn_scan_options *options);
const struct tn_packet_marks *tn_left_out_marks(const struct tn_left_out *left);	/* by rank; NULL: all are read */
void tn_left_out_free(struct tn_left_out *left);

#endif
