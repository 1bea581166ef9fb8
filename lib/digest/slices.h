/*
 * slices.h - the times at which events of a packet match, for pictures over time
 *
 * The time of a packet is divided into slices. A slice has a length of a power of two in nanoseconds, and begins at a
 * multiple of it. If the borders of a picture's bars are such multiples, each slice is in one bar, and no event of the
 * packet has to be read.
 */
#ifndef TN_DIGEST_SLICES_H
#define TN_DIGEST_SLICES_H

#include "digest/digest.h"

#define TN_SLICES 32	/* approximate number of slices of a packet; fewer if it has less than 4 KiB */

struct tn_slice {
	uint64_t number;
	uint32_t events, passed;
};

struct tn_slices {	/* a TN_ARRAY, in order */
	struct tn_slice *item;
	size_t n, room;
};

/* The number of the slice that contains a time. */
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

/* Get the length of the slices of a packet: 1 << *shift nanoseconds. False: it gets no slices. */
bool tn_slices_shift(const struct tn_packet *entry, unsigned *shift);
/*
 * Add rows [low, high] of a batch without notices. @passed of them pass the filter. @pass has a flag for each row; it is
 * read only if some rows pass and others do not. False: memory is out.
 */
bool tn_slices_note(struct tn_slices *out, const struct tn_batch *b, size_t low, size_t high, const uint8_t *pass,
		    size_t passed, unsigned shift);
/* Join @out with the slices of the earlier part of the packet. False: they are out of order, or too many. */
bool tn_slices_join(struct tn_slices *out, const struct tn_slice *more, size_t n);

/*
 * Write the note of TN_COLUMN_SLICES: the shift, the distance of the first slice from the slice of the packet's begin,
 * and the number of events in each slice. False: there are no slices, or they do not fit the packet; nothing is written.
 */
bool tn_slices_write(const struct tn_slices *slices, bool passed, const struct tn_packet *entry, unsigned shift,
		     struct tn_note_bytes *note);

/* A decoded note. */
struct tn_slices_read {
	unsigned shift;
	uint64_t first;
	size_t n;
	uint64_t count[4 * TN_SLICES];
};

/* False: the note does not fit a packet of @events events. */
bool tn_slices_read(struct tn_slices_read *out, struct tn_note note, const struct tn_packet *entry, uint64_t events);

#endif
