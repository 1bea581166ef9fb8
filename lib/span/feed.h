/*
 * feed.h - records that threads make from events, delivered in the order of the events
 *
 * For each row, a thread appends records of any size to a buffer. One consumer gets the records of all streams in the
 * total order of their rows. The number of waiting records is limited by the overlap of packets.
 */
#ifndef TN_SPAN_FEED_H
#define TN_SPAN_FEED_H

#include "scan/pieces.h"

/* The head of each record, which the user's data follow. The size is a multiple of 8. */
struct tn_record {
	int64_t key_ns;		/* merge key of the row */
	uint64_t row;
	uint32_t rank, packet;
	uint32_t size;		/* size of the whole record */
	uint32_t kind;		/* belongs to the user */
};

struct tn_record_buffer {
	uint8_t *bytes;
	size_t n, room;
};

struct tn_feed_ops {
	enum tn_code (*rows)(void *user, struct tn_record_buffer *out, struct tn_piece_reader *reader,
			     const struct tn_batch *batch, size_t first, size_t end, struct tn_error *err);
	enum tn_code (*take)(void *user, struct tn_record *record, struct tn_error *err);	/* TN_END: stop */
	bool all;	/* value for `all` of struct tn_pieces */
};

/* Reserve @size more bytes, if the buffer does not have them yet. False: memory is out. */
bool tn_record_reserve(struct tn_record_buffer *out, size_t size);

/* Add a record of @size bytes for row @row, and set its head. NULL: memory is out. */
static inline struct tn_record *
tn_record_add(struct tn_record_buffer *out, const struct tn_batch *b, size_t row, size_t size)
{
	struct tn_record *r;

	if (__builtin_expect(out->room - out->n < size, 0) && !tn_record_reserve(out, size))
		return NULL;
	r = (struct tn_record *)(void *)(out->bytes + out->n);
	out->n += size;
	r->key_ns = b->refs.item[row].time_ns;
	r->row = b->begin.row + row;
	r->rank = b->stream->rank;
	r->packet = (uint32_t)b->packet;
	r->size = (uint32_t)size;
	r->kind = 0;
	return r;
}

static inline struct tn_location
tn_data_row_location(const struct tn_record *r)
{
	return (struct tn_location) { .time_ns = r->key_ns, .stream = r->rank, .packet = r->packet, .row = r->row };
}

enum tn_code tn_feed_run(struct tn_set *set, const struct tn_scan_options *options, const struct tn_feed_ops *ops,
			 void *user, struct tn_error *err) TN_MUST_CHECK;

#endif
