/*
 * packet_index.h - the packets of a stream, found on demand
 *
 * The index of a stream grows while it is read, by any thread that needs an entry that is still missing. All
 * access is through these functions, which take the stream's lock: any thread may call them, and the results
 * are copies.
 */
#ifndef TN_INDEX_PACKET_INDEX_H
#define TN_INDEX_PACKET_INDEX_H

#include "model/decoder.h"

/* Give a stream its guard when its set is opened, before anything reads the index. */
enum tn_code tn_index_guard_new(struct tn_stream *stream, struct tn_error *err);
void tn_index_guard_free(struct tn_stream *stream);	/* also returns a stored index; NULL guard is allowed */

/* Get entry @i; @before (may be NULL) becomes the previous entry if i > 0. TN_END: no such entry. */
enum tn_code tn_index_get(struct tn_stream *stream, size_t i, struct tn_packet *out, struct tn_packet *before,
			  struct tn_error *err);

/*
 * Like tn_index_get(), after a comparison with the packet: entries also come from the tracer's index files, which may
 * be wrong. For code that is about to read the packet, or skips it and all later ones because of the entry.
 */
enum tn_code tn_index_sure(struct tn_stream *stream, size_t i, struct tn_packet *out, struct tn_packet *before,
			   struct tn_error *err);

/*
 * The first packet that may have a row at or after @time_ns: its end is not earlier. The number of packets if
 * all end earlier. Finds packets only as far as needed.
 */
enum tn_code tn_index_find(struct tn_stream *stream, int64_t time_ns, size_t *out, struct tn_error *err);

/* Find all packets; *n (may be NULL) is their number. */
enum tn_code tn_index_complete(struct tn_stream *stream, size_t *n, struct tn_error *err);

/*
 * Find the packets of many streams as far as a search for @time_ns needs them (INT64_MAX: all), with several
 * threads if the streams are large, for about @budget_ns (0: no limit). Failures are ignored, as they occur
 * again later. True: time ran out.
 */
bool tn_index_reach(struct tn_stream *const *stream, size_t n, int64_t time_ns, int64_t budget_ns);
/* Whether a search for @time_ns finds all needed packets in the index already. */
bool tn_index_reaches(struct tn_stream *stream, int64_t time_ns);

/* Find some more packets; TN_END: all are found. */
enum tn_code tn_index_step(struct tn_stream *stream, struct tn_error *err);

/*
 * File @file of the stream now has @size bytes: entries for the new bytes are found on demand. Existing entries
 * keep their numbers.
 */
enum tn_code tn_index_grow(struct tn_stream *stream, size_t file, uint64_t size, struct tn_error *err);

/* Drop the rows of packets before number @n, which exist: file[].leaving is the limit in bytes. */
void tn_index_drop_packets(struct tn_stream *stream, size_t n);
/* File @file was overwritten: its packets are lost ones, and its identity is no longer used. */
void tn_index_lose_file(struct tn_stream *stream, size_t file);
/* Packets of @file that begin at these bytes, in order, have TN_PACKET_BREAK; none of them may be in the index yet. */
void tn_index_note_breaks(struct tn_stream *stream, size_t file, const uint64_t *offset, size_t n);

bool tn_index_is_complete(struct tn_stream *stream);
/*
 * The end of the last packet of the trace, from the packets of all its streams. INT64_MAX: the packets do not
 * have it, not all are known, or the set grows.
 */
int64_t tn_index_end_of_trace(const struct tn_set *set, const struct tn_trace *trace);

/* Record the number of events of a packet that has no notices. */
void tn_index_learn(struct tn_stream *stream, size_t i, uint64_t n_events);

/*
 * Take over stored entries (index_cache.c), @n of them in @map, in blocks of TN_INDEX_BLOCK, each with its
 * checksum in @sums. A block is checked at its first use; if it is wrong, all stored entries are dropped and
 * found again.
 */
#define TN_INDEX_BLOCK 256
void tn_index_adopt(struct tn_stream *stream, const struct tn_packet *entries, const uint64_t *sums, size_t n,
		    const struct tn_map *map);

/* Whether the index has more than its stored copy. */
bool tn_index_has_news(struct tn_stream *stream);

/* The checksum of a block. */
uint64_t tn_index_sum(const struct tn_packet *entries, size_t n);

#endif
