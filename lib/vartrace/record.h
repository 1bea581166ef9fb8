/*
 * record.h - one record of a dump: header, data, place of the next one
 *
 * Positions are bytes from the start of the dump. Word 1 of a record is size | id << 16 | type << 24 in both
 * byte orders.
 */
#ifndef TN_VARTRACE_RECORD_H
#define TN_VARTRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"

enum {
	TN_VT_SUBTRACE = 0, TN_VT_INT8 = 1, TN_VT_UINT8, TN_VT_INT16, TN_VT_UINT16, TN_VT_INT32, TN_VT_UINT32,
	TN_VT_INT64, TN_VT_UINT64, TN_VT_CHAR = 12, TN_VT_DOUBLE = 13, TN_VT_FLOAT = 15, TN_VT_UNKNOWN = 255
};

#define TN_VT_HEADER 8		/* bytes of the header of a record */
#define TN_VT_NESTED_HEADER 4	/* bytes of the header of a nested record, which does not have a time */
#define TN_VT_DEPTH 256		/* limit of nested subtraces that are read */

struct tn_vt_dump {
	const uint8_t *data;
	uint64_t size;
	bool big_endian;
};

struct tn_vt_record {
	uint64_t at;		/* position of the header */
	uint64_t data, size;	/* position and size of the contents, without padding */
	uint64_t next;
	uint32_t time;		/* not set in nested records */
	uint8_t id, type;
	bool repaired;		/* the size did not fit the header */
};

/* Bytes of an element; 1 for char; 0 for subtraces, unknown and user types. */
unsigned tn_vt_element_size(unsigned type);

/*
 * Read the record at @at, without padding. False: the contents do not fit into the dump, and *out has only the
 * header.
 */
bool tn_vt_record(const struct tn_vt_dump *d, uint64_t at, struct tn_vt_record *out);

/* Read the nested record at @at of a subtrace that ends at @end. */
bool tn_vt_nested(const struct tn_vt_dump *d, uint64_t at, uint64_t end, struct tn_vt_record *out);

/* Whether the contents of a subtrace are nested records that end exactly at its end. */
bool tn_vt_subtrace_fits(const struct tn_vt_dump *d, uint64_t at, uint64_t end);

/* The first record of the dump, and the byte order. */
struct tn_vt_start {
	bool found;
	uint64_t at;
	uint64_t n_nested;	/* number of nested records before @at, if they are the rest of a subtrace; else 0 */
	bool big_endian;
	bool likely;		/* not found, but records from 0 on fit in this byte order and not in the other one */
	bool both;		/* not found, and records from 0 on fit in both byte orders */
};

/* @order: -1 either, 0 little-endian, 1 big-endian. */
struct tn_vt_start tn_vt_find_start(const uint8_t *data, uint64_t size, int order);

/* Whether the dump has a first record in either byte order; choosing the better order takes longer. */
bool tn_vt_has_start(const uint8_t *data, uint64_t size);

static inline uint32_t
tn_vt_u32(const struct tn_vt_dump *d, uint64_t at)
{
	uint32_t v;

	memcpy(&v, d->data + at, 4);
	return d->big_endian == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? v : __builtin_bswap32(v);
}

/* Whether a step of time is forward: the clock has 32 bits and wraps at 0 (2). */
static inline bool
tn_vt_is_forward(uint32_t from, uint32_t to)
{
	return to - from < UINT32_C(1) << 31;
}

#endif
