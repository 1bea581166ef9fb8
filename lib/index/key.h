/*
 * key.h - what all that is stored of a trace depends on
 *
 * The key of a trace is a text: the version and the number of what the format's code means (base/meaning.h), path, format
 * as recognised and as wanted, byte order, the metadata (size, sum), clocks, and of each stream its class, clock and
 * files. A file is known again by device, inode, size and times, with the index file that lies beside it. Where the
 * times of a file do not tell yet that it was changed (tn_map_settled()), a sum of its bytes is in the key as well.
 * Of traces with more than TN_KEY_BYTES of such files nothing is stored.
 */
#ifndef TN_INDEX_KEY_H
#define TN_INDEX_KEY_H

#include "base/str.h"
#include "model/decoder.h"

#define TN_KEY_BYTES ((uint64_t)128 << 20)

/* Once, before the first key is made: look at what is in the files that are not settled. */
void tn_key_begin(struct tn_trace *trace);
/* Whether anything can be stored of it. */
bool tn_key_is_known(const struct tn_trace *trace);
/* Whether these files still have the bytes that they had: asked before something is stored. */
bool tn_key_is_same(const struct tn_trace *trace);
/* Appended. */
void tn_key_put(struct tn_str *key, const struct tn_trace *trace);

#endif
