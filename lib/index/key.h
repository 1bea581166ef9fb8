/*
 * key.h - the key of all data that are stored for a trace
 *
 * The key is a text: the version, the number for the meaning of the format's code (base/meaning.h), path, recognised and
 * requested format, byte order, the metadata (size, checksum), clocks, and for each stream its class, clock and files. A
 * file is identified by device, inode, size and times, and by its index file. If the times of a file do not yet show all
 * changes (tn_map_settled()), the key also has a checksum of its bytes. Nothing is stored for traces with more than
 * TN_KEY_BYTES of such files.
 */
#ifndef TN_INDEX_KEY_H
#define TN_INDEX_KEY_H

#include "base/str.h"
#include "model/decoder.h"

#define TN_KEY_BYTES ((uint64_t)128 << 20)

/* Call this once, before the first key is made. It reads the files that are not settled. */
void tn_key_begin(struct tn_trace *trace);
/* Whether data can be stored for the trace. */
bool tn_key_is_known(const struct tn_trace *trace);
/* Whether these files still have the same bytes. Called before a file is stored. */
bool tn_key_is_same(const struct tn_trace *trace);
/* Append the key. */
void tn_key_put(struct tn_str *key, const struct tn_trace *trace);

#endif
