/* chain.h - the chains of many spans: the activities of all threads are read once */
#ifndef TN_SPAN_CHAIN_H
#define TN_SPAN_CHAIN_H

#include "span/spans.h"

struct tn_chains;

/* Read the range. TN_ERR_ARGUMENT: the traces do not have the needed events. */
enum tn_code tn_chains_new(struct tn_chains **out, struct tn_set *set, const struct tn_scan_options *options, int64_t begin_ns,
			   int64_t end_ns, struct tn_error *err) TN_MUST_CHECK;
void tn_chains_free(struct tn_chains *chains);	/* NULL is allowed */
/*
 * Report the links of a thread, like tn_chain_run(); its host is that of the stream @rank. False: nothing is known about
 * the thread at that time, or the time was not read, because there was too much before it.
 */
bool tn_chains_of(struct tn_chains *chains, uint32_t rank, int64_t tid, int64_t begin_ns, int64_t end_ns,
		  int (*link)(void *user, const struct tn_chain_link *link), void *user);
/* The time from which to read for a span, to find waits that began before the span. */
int64_t tn_chain_before(int64_t begin_ns, int64_t end_ns);

#endif
