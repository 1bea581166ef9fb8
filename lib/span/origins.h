/*
 * origins.h - prefixes for values whose meaning differs between traces
 *
 * Numbers of threads and processors are unique in a host, and names of streams in a trace. If traces are of several
 * hosts, or several streams have the same name, values get the prefix "HOST:" or "TRACE:".
 */
#ifndef TN_SPAN_ORIGINS_H
#define TN_SPAN_ORIGINS_H

#include <tnav/answer.h>

#include "base/str.h"
#include "model/trace.h"

struct tn_origins {
	char **before;		/* for each stream, by rank: its prefix, or NULL */
	size_t n;		/* 0: no stream has a prefix */
};

/* @streams: the values are names of streams. If the function fails, the result is empty. */
enum tn_code tn_origins_find(struct tn_origins *out, const struct tn_set *set, bool streams, struct tn_error *err) TN_MUST_CHECK;
void tn_origins_release(struct tn_origins *origins);

/* Add the stream's prefix to the value; @room owns the new text. False: memory is out. */
bool tn_origins_own(const struct tn_origins *origins, const struct tn_answer_value *value, uint32_t rank, struct tn_str *room,
		    struct tn_answer_value *out);
/* Remove the prefix of the stream from the value. */
void tn_origins_strip(const struct tn_origins *origins, struct tn_answer_value *value, uint32_t rank);

#endif
