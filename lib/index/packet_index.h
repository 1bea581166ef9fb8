/*
 * packet_index.h - the packets of a stream, found when they are needed
 *
 * The index of a stream grows while it is read: any thread that needs a missing entry extends it. All access is through
 * these functions. They take the stream's lock and return copies, so any thread may call them.
 */
#ifndef TN_INDEX_PACKET_INDEX_H
#define TN_INDEX_PACKET_INDEX_H

#include "model/decoder.h"

/* Give a stream its guard when its set is opened, before anything reads the index. */
enum tn_code tn_index_guard_new(struct tn_stream *stream, struct tn_error *err);
void tn_index_guard_free(struct tn_stream *stream);	/* also releases a stored index; the guard may be NULL */

/* Get entry @i. If i > 0, @before becomes the previous entry; it may be NULL. TN_END: no such entry. */
enum tn_code tn_index_get(struct tn_stream *stream, size_t i, struct tn_packet *out, struct tn_packet *before,
			  struct tn_error *err);

/*
 * Like tn_index_get(), but the entry is compared with the packet, because the tracer's index files, from which entries
 * also come, may be wrong. For code that will read the packet, or that skips this and all later packets because of the
 * entry.
 */
enum tn_code tn_index_sure(struct tn_stream *stream, size_t i, struct tn_packet *out, struct tn_packet *before,
			   struct tn_error *err);

/*
 * Find the first packet that may have a row at or after @time_ns, because its end is not earlier. If all packets end
 * earlier, the result is their number. Finds only as many packets as needed.
 */
enum tn_code tn_index_find(struct tn_stream *stream, int64_t time_ns, size_t *out, struct tn_error *err);

/* Find all packets. *n is their number; @n may be NULL. */
enum tn_code tn_index_complete(struct tn_stream *stream, size_t *n, struct tn_error *err);

/*
 * Find the packets of many streams that a search for @time_ns needs (INT64_MAX: all packets). Uses several threads if the
 * streams are large, for about @budget_ns (0: without a limit). Failures are ignored, because they occur again later.
 * True: the time ran out.
 */
bool tn_index_reach(struct tn_stream *const *stream, size_t n, int64_t time_ns, int64_t budget_ns);
/* Whether the index already has all packets that a search for @time_ns needs. */
bool tn_index_reaches(struct tn_stream *stream, int64_t time_ns);

/* Find some more packets. TN_END: all are found. */
enum tn_code tn_index_step(struct tn_stream *stream, struct tn_error *err);

/*
 * File @file of the stream now has @size bytes; entries for the new bytes are found when they are needed. Existing
 * entries keep their numbers.
 */
enum tn_code tn_index_grow(struct tn_stream *stream, size_t file, uint64_t size, struct tn_error *err);

/* Drop the rows of the packets before number @n, which must exist; file[].leaving is their limit in bytes. */
void tn_index_drop_packets(struct tn_stream *stream, size_t n);
/* File @file was overwritten: its packets count as lost, and its identity is no longer used. */
void tn_index_lose_file(struct tn_stream *stream, size_t file);
/*
 * Give the packets of @file that begin at these bytes, which are in order, TN_PACKET_BREAK. The index must not have them
 * yet.
 */
void tn_index_note_breaks(struct tn_stream *stream, size_t file, const uint64_t *offset, size_t n);

bool tn_index_is_complete(struct tn_stream *stream);
/*
 * The end of the last packet of the trace, over all its streams. INT64_MAX: packets do not have times, or not all are
 * known, or the set grows.
 */
int64_t tn_index_end_of_trace(const struct tn_set *set, const struct tn_trace *trace);

/* Record the number of events of a packet without notices. */
void tn_index_learn(struct tn_stream *stream, size_t i, uint64_t n_events);

/*
 * Use @n stored entries in @map (index_cache.c), in blocks of TN_INDEX_BLOCK, each with its checksum in @sums. A block is
 * checked at its first use. If it is wrong, all stored entries are dropped and found again.
 */
#define TN_INDEX_BLOCK 256
void tn_index_adopt(struct tn_stream *stream, const struct tn_packet *entries, const uint64_t *sums, size_t n,
		    const struct tn_map *map);

/* Whether the index has more information than its stored copy. */
bool tn_index_has_news(struct tn_stream *stream);

/* The checksum of a block. */
uint64_t tn_index_sum(const struct tn_packet *entries, size_t n);

#endif
