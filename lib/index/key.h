/*
 * key.h - the key of everything that is stored for a trace
 *
 * The key of a trace is a text: the version and the number for the meaning of the format's code
 * (base/meaning.h), path, format as recognised and as wanted, byte order, the metadata (size, checksum),
 * clocks, and for each stream its class, clock and files. A file is identified by device, inode, size and
 * times, with the index file beside it. If the times of a file cannot yet prove that it was not changed
 * (tn_map_settled()), the key also has a checksum of its bytes. Nothing is stored for traces with more than
 * TN_KEY_BYTES of such files.
 */
#ifndef TN_INDEX_KEY_H
#define TN_INDEX_KEY_H

#include "base/str.h"
#include "model/decoder.h"

#define TN_KEY_BYTES ((uint64_t)128 << 20)

/* Call once, before the first key is made: reads the files that are not settled. */
void tn_key_begin(struct tn_trace *trace);
/* Whether the trace can have stored files. */
bool tn_key_is_known(const struct tn_trace *trace);
/* Whether these files still have the same bytes; called before a file is stored. */
bool tn_key_is_same(const struct tn_trace *trace);
/* Appends the key. */
void tn_key_put(struct tn_str *key, const struct tn_trace *trace);

#endif
