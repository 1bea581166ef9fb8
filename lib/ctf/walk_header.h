/* walk_header.h - event headers of the shapes that LTTng writes, loaded without the machine */
#ifndef TN_CTF_WALK_HEADER_H
#define TN_CTF_WALK_HEADER_H

#include "plan/machine.h"

static inline __attribute__((always_inline)) uint64_t
load(const uint8_t *p, unsigned n, bool big_endian)
{
	uint64_t v = big_endian ? tn_load64_be(p) >> (64 - n) : tn_load64(p);

	return n == 16 ? (uint16_t)v : (uint32_t)v;
}

/* A header that begins at least this number of bits before the end needs no check of its size. */
#define HEADER_BITS 256

/*
 * Load a header of LTTng's shapes that begins at @at: set *id, and update *clock. Returns the end of the header; 0: it
 * has the extended form.
 */
static inline __attribute__((always_inline)) uint64_t
load_header(const uint8_t *p, uint64_t at, uint64_t align, uint64_t time_align, const enum tn_header_shape shape,
	    const bool big_endian, uint64_t *id, uint64_t *clock)
{
	uint64_t next = tn_align_up(at, align), v;

	if (shape == TN_SHAPE_COMPACT) {
		v = load(p + (next >> 3), 32, big_endian);
		*id = big_endian ? v >> 27 : v & 31;
		v = big_endian ? v & 0x7ffffff : v >> 5;
	} else {
		*id = load(p + (next >> 3), 16, big_endian);
		next = tn_align_up(next + 16, time_align);
		v = load(p + (next >> 3), 32, big_endian);
	}
	*clock = tn_clock_update(*clock, v, shape == TN_SHAPE_COMPACT ? 27 : 32);
	return __builtin_expect(*id == (shape == TN_SHAPE_COMPACT ? 31 : 65535), 0) ? 0 : next + 32;
}

#endif
