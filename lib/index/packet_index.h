/*
 * packet_index.h - the packets of a stream, found when they are asked for
 *
 * The index of a stream grows while it is read, by whoever needs an entry that is not there yet. All
 * looks at it go through these functions, which hold the stream's lock: any thread may call them, and
 * what they give is a copy.
 */
#ifndef TN_INDEX_PACKET_INDEX_H
#define TN_INDEX_PACKET_INDEX_H

#include "model/decoder.h"

/* Every stream gets its guard when its set is opened, before anything looks at the index. */
enum tn_code tn_index_guard_new(struct tn_stream *stream, struct tn_error *err);
void tn_index_guard_free(struct tn_stream *stream);	/* also gives back a stored index; NULL guard is allowed */

/* Entry @i; @before (may be NULL) is the one before it when i > 0. TN_END: there are not so many. */
enum tn_code tn_index_get(struct tn_stream *stream, size_t i, struct tn_packet *out, struct tn_packet *before,
			  struct tn_error *err);

/*
 * The same, compared with the packet: entries come from the tracer's index files, too, which may lie. For who is about to read
 * the packet, or decides by the entry that it and all behind it need not be read.
 */
enum tn_code tn_index_sure(struct tn_stream *stream, size_t i, struct tn_packet *out, struct tn_packet *before,
			   struct tn_error *err);

/*
 * The first packet that may hold a row at or after @time_ns: its end is not earlier. The number of
 * packets when all end earlier. Finds packets only as far as needed.
 */
enum tn_code tn_index_find(struct tn_stream *stream, int64_t time_ns, size_t *out, struct tn_error *err);

/* Find all packets; *n (may be NULL) is their number. */
enum tn_code tn_index_complete(struct tn_stream *stream, size_t *n, struct tn_error *err);

/*
 * Find the packets of many streams as far as a search for @time_ns needs them (INT64_MAX: all), with
 * several threads where there is much to look through, for about @budget_ns (0: however long it takes).
 * Only a shortcut: what fails fails again later. True: time ran out.
 */
bool tn_index_reach(struct tn_stream *const *stream, size_t n, int64_t time_ns, int64_t budget_ns);
/* Whether a search for @time_ns finds all it needs there already. */
bool tn_index_reaches(struct tn_stream *stream, int64_t time_ns);

/* Find some more packets; TN_END when there are no more. */
enum tn_code tn_index_step(struct tn_stream *stream, struct tn_error *err);

/*
 * File @file of the stream has @size bytes now: entries for what came are found when they are asked for. Those that
 * are there keep their numbers.
 */
enum tn_code tn_index_grow(struct tn_stream *stream, size_t file, uint64_t size, struct tn_error *err);

/* Packets before number @n, which are there, have no rows any more: file[].leaving says which bytes that are. */
void tn_index_give_up(struct tn_stream *stream, size_t n);
/* File @file was overwritten: its packets are lost ones, and it is not known by its identity any more. */
void tn_index_lose_file(struct tn_stream *stream, size_t file);
/* Packets of @file that begin at these bytes, in order, have TN_PACKET_BREAK; none of them was looked up yet. */
void tn_index_note_breaks(struct tn_stream *stream, size_t file, const uint64_t *offset, size_t n);

bool tn_index_is_complete(struct tn_stream *stream);
/*
 * When the last packet of the trace ends, as its packets say: all of its streams are asked. INT64_MAX: they do not, not all of
 * them are known, or the set grows.
 */
int64_t tn_index_end_of_trace(const struct tn_set *set, const struct tn_trace *trace);

/* Keep the number of events of a packet that has no notices. */
void tn_index_learn(struct tn_stream *stream, size_t i, uint64_t n_events);

/*
 * Take over entries that were stored (index_cache.c), @n of them in @map, in blocks of
 * TN_INDEX_BLOCK, each with its sum in @sums. A block is checked when it is first looked at; when it
 * is not what it was the entries are thrown away and found again.
 */
#define TN_INDEX_BLOCK 256
void tn_index_adopt(struct tn_stream *stream, const struct tn_packet *entries, const uint64_t *sums, size_t n,
		    const struct tn_map *map);

/* Whether something was found or learnt that a stored index does not have. */
bool tn_index_has_news(struct tn_stream *stream);

/* The check sum of a block. */
uint64_t tn_index_sum(const struct tn_packet *entries, size_t n);

#endif
