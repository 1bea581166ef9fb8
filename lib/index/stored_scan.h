/*
 * stored_scan.h - what the scan of one file has found, stored so that the next opening does not scan
 *
 * A file in the cache has the key (path, size, times and identity of the file, versions), the parts, and the sorted entries.
 * One function of a format names all parts, for both directions:
 *
 *	static void
 *	parts(struct tn_trace *trace, struct tn_scan_parts *s)
 *	{
 *		tn_scan_bytes(s, &own->n_events, sizeof own->n_events);
 *		tn_scan_text(s, &own->version);
 *	}
 *
 *	if (!tn_stored_scan_load(trace, &own->map, parts, &own->stored, &own->entries)) {
 *		scan ...
 *		tn_stored_scan_save(trace, &own->map, parts, &own->entries);
 *	}
 *
 * A file that is damaged, or belongs to other bytes, counts as none.
 */
#ifndef TN_INDEX_STORED_SCAN_H
#define TN_INDEX_STORED_SCAN_H

#include "base/array.h"
#include "base/str.h"
#include "model/decoder.h"

struct tn_scan_parts {
	bool is_reading, failed;	/* `failed`: memory is out, or the parts end too early */
	struct tn_arena *arena;		/* memory of texts that are read */
	struct tn_str out;
	const uint8_t *p, *end;
};

/* Bytes that are stored unchanged. */
void tn_scan_bytes(struct tn_scan_parts *s, void *bytes, size_t n);
/* A number of items that each need at least a byte. */
void tn_scan_number(struct tn_scan_parts *s, size_t *n);
/* A block of any number of bytes; NULL is allowed. Reading puts it into the arena, with a NUL after it. */
void tn_scan_block(struct tn_scan_parts *s, const uint8_t **bytes, size_t *n);
void tn_scan_text(struct tn_scan_parts *s, const char **text);
/* The number of items of an array (array.h). Reading makes that number of zeroed items in the empty array. */
#define TN_SCAN_ITEMS(s, a) \
	(tn_scan_number((s), &(a)->n), (s)->is_reading && !tn_scan_room((s), (void **)&(a)->item, &(a)->room, (a)->n, \
	 sizeof *(a)->item) ? (a)->n = 0 : (a)->n)
bool tn_scan_room(struct tn_scan_parts *s, void **item, size_t *room, size_t n, size_t size);
/* An array of items without pointers. */
#define TN_SCAN_ARRAY(s, a) (TN_SCAN_ITEMS((s), (a)), tn_scan_bytes((s), (a)->item, (a)->n * sizeof *(a)->item))

/* Names all parts. If it returns false while reading, the parts do not belong to the trace. */
typedef bool tn_scan_parts_fn(struct tn_trace *trace, struct tn_scan_parts *s);

/*
 * False: there is no usable stored scan; the parts may be set, and the caller clears them. True: the parts are set, and
 * @entries is a view of @stored, which the caller releases.
 */
bool tn_stored_scan_load(struct tn_trace *trace, const struct tn_map *file, tn_scan_parts_fn *parts, struct tn_map *stored,
			 struct tn_map *entries);
void tn_stored_scan_save(struct tn_trace *trace, const struct tn_map *file, tn_scan_parts_fn *parts,
			 const struct tn_map *entries);

#endif
