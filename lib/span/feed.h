/*
 * feed.h - what threads took out of events, one record after the other in the order of the events
 *
 * For each row a thread appends records of any size to a buffer; records of all streams come to their taker in
 * the total order of the rows they were made of. What waits is bounded by how far packets overlap.
 */
#ifndef TN_SPAN_FEED_H
#define TN_SPAN_FEED_H

#include "scan/pieces.h"

/* The head of each record; what follows is the user's. Its size is a multiple of 8. */
struct tn_record {
	int64_t key_ns;		/* merge key of the row */
	uint64_t row;
	uint32_t rank, packet;
	uint32_t size;		/* of all of it, bytes */
	uint32_t kind;		/* the user's */
};

struct tn_record_buffer {
	uint8_t *bytes;
	size_t n, room;
};

struct tn_feed_ops {
	enum tn_code (*rows)(void *user, struct tn_record_buffer *out, struct tn_piece_reader *reader,
			     const struct tn_batch *batch, size_t first, size_t end, struct tn_error *err);
	enum tn_code (*take)(void *user, const struct tn_record *record, struct tn_error *err);	/* TN_END: enough */
	bool all;	/* as of pieces */
};

/* Room for @size bytes more, which there is not yet. False: memory is out. */
bool tn_record_reserve(struct tn_record_buffer *out, size_t size);

/* Room for a record of @size bytes for row @row; its head is set. NULL when memory is out. */
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
