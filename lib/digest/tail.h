/* tail.h - the last event of a packet, if it has a time: notes of TN_COLUMN_TAILS */
#ifndef TN_DIGEST_TAIL_H
#define TN_DIGEST_TAIL_H

#include "digest/digest.h"

struct tn_tail {
	int64_t key_ns, ns;
	uint64_t cycles;
};

void tn_tail_put(struct tn_digest *digest, size_t stream, size_t packet, const struct tn_tail *tail);
/* @column may be NULL. False: the last event is unknown. */
bool tn_tail_get(struct tn_tail *out, const struct tn_column *column, size_t stream, size_t packet);

#endif
