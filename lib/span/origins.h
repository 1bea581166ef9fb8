/*
 * origins.h - what stands before a value that means another thing in another trace
 *
 * Numbers of threads and processors mean one thing on a host, names of streams one in a trace: where traces are of several
 * hosts, or streams of one name are several, values get "HOST:" or "TRACE:" in front.
 */
#ifndef TN_SPAN_ORIGINS_H
#define TN_SPAN_ORIGINS_H

#include <tnav/answer.h>

#include "base/str.h"
#include "model/trace.h"

struct tn_origins {
	char **before;		/* by rank of the stream: the text, or NULL */
	size_t n;		/* 0: no stream has one */
};

/* @streams: values are names of streams. On failure it is empty. */
enum tn_code tn_origins_find(struct tn_origins *out, const struct tn_set *set, bool streams, struct tn_error *err) TN_MUST_CHECK;
void tn_origins_release(struct tn_origins *origins);

/* The value as one of the stream's; @room holds what was made for it. False: memory is out. */
bool tn_origins_own(const struct tn_origins *origins, const struct tn_answer_value *value, uint32_t rank, struct tn_str *room,
		    struct tn_answer_value *out);
/* The other way round: without what was put in front. */
void tn_origins_strip(const struct tn_origins *origins, struct tn_answer_value *value, uint32_t rank);

#endif
