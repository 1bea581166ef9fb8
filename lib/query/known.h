/*
 * known.h - what scans have learnt of a set, as it is
 */
#ifndef TN_QUERY_KNOWN_H
#define TN_QUERY_KNOWN_H

#include "model/decoder.h"

/* Tell @seen of each class that has events in a packet that scans have learnt; whether those are all packets. */
bool tn_known_classes(const struct tn_set *set,
		      void (*seen)(void *user, const struct tn_stream *stream, uint32_t event_class), void *user);

#endif
