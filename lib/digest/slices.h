/*
 * slices.h - when the events of a packet pass, for pictures over time
 *
 * The time of a packet in slices. A slice is a power of two of nanoseconds long and begins at a multiple of that: of a
 * picture whose borders are such multiples, too, it lies in one bar, and no event of the packet has to be looked at.
 */
#ifndef TN_DIGEST_SLICES_H
#define TN_DIGEST_SLICES_H

#include "digest/digest.h"

#define TN_SLICES 32	/* of a packet, about; fewer of one of less than 4 KiB */

struct tn_slice {
	uint64_t number;
	uint32_t events, passed;
};

struct tn_slices {	/* a TN_ARRAY, in order */
	struct tn_slice *item;
	size_t n, room;
};

/* The slice of a time. */
static inline uint64_t
tn_slice_of(int64_t time_ns, unsigned shift)
{
	return ((uint64_t)time_ns ^ UINT64_C(1) << 63) >> shift;
}

static inline int64_t
tn_slice_begin(uint64_t number, unsigned shift)
{
	return (int64_t)(number << shift ^ UINT64_C(1) << 63);
}

/* How long the slices of a packet are: 1 << *shift ns. False: it gets none. */
bool tn_slices_shift(const struct tn_packet *entry, unsigned *shift);
/* Rows [low, high] of a batch, without notices; @pass: a flag each, where @passed is neither 0 nor all. False: memory is out. */
bool tn_slices_note(struct tn_slices *out, const struct tn_batch *b, size_t low, size_t high, const uint8_t *pass,
		    size_t passed, unsigned shift);
/* Put together with what was seen of the packet before. False: it is not in order, or too much. */
bool tn_slices_join(struct tn_slices *out, const struct tn_slice *more, size_t n);

/*
 * The note of TN_COLUMN_SLICES: the shift, how far the first slice is from that of the packet's begin, then how many
 * events each slice has. Nothing is written (false) where there is none, or they do not fit the packet.
 */
bool tn_slices_write(const struct tn_slices *slices, bool passed, const struct tn_packet *entry, unsigned shift,
		     struct tn_note_bytes *note);

/* What a note says. */
struct tn_slices_read {
	unsigned shift;
	uint64_t first;
	size_t n;
	uint64_t count[4 * TN_SLICES];
};

/* False: it is none of @events events of the packet. */
bool tn_slices_read(struct tn_slices_read *out, struct tn_note note, const struct tn_packet *entry, uint64_t events);

#endif
