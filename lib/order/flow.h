/*
 * flow.h - one stream of a merge, with a gap between two of its rows
 *
 * The gap is between two rows of the stream, or at an end. A step forward takes the row after the gap, a step back the
 * row before it. A batch is walked only when one of its rows is needed.
 */
#ifndef TN_ORDER_FLOW_H
#define TN_ORDER_FLOW_H

#include "index/batches.h"

/* How a flow treats the packets of a stream. Packets after the last mark are read. */
enum { TN_MARK_READ, TN_MARK_MUTE, TN_MARK_LEFT_OUT };	/* MUTE: no user needs the events */
struct tn_packet_marks {
	uint8_t *mark;
	size_t n;
};

static inline unsigned
tn_packet_mark(const struct tn_packet_marks *marks, const struct tn_stream *stream, size_t packet)
{
	return marks && packet < marks[stream->rank].n ? marks[stream->rank].mark[packet] : TN_MARK_READ;
}

/* The first packet from @packet on that is not left out. */
static inline size_t
tn_packet_from(const struct tn_packet_marks *marks, const struct tn_stream *stream, size_t packet)
{
	while (tn_packet_mark(marks, stream, packet) == TN_MARK_LEFT_OUT)
		packet++;
	return packet;
}

/* The number of packets up to the last one before @packet that is not left out. */
static inline size_t
tn_packet_before(const struct tn_packet_marks *marks, const struct tn_stream *stream, size_t packet)
{
	while (packet && tn_packet_mark(marks, stream, packet - 1) == TN_MARK_LEFT_OUT)
		packet--;
	return packet;
}

/* Gives batches to a flow: a cache, or a thread that walks ahead. The batch gets one more user. TN_END: no such packet. */
struct tn_flow_source {
	enum tn_code (*get)(void *user, const struct tn_batch_place *place, struct tn_walked **out,
			    struct tn_error *err);
	void *user;
	uint32_t limit;		/* limit of rows in a batch; constant while flows exist */
	/*
	 * Called before each batch and packet on a long path; true ends the path with TN_ERR_CANCELLED. NULL: never ends
	 * it.
	 */
	bool (*stopped)(void *user);
	void *stop_user;
	const struct tn_packet_marks *marks;	/* for each stream, by rank; NULL: all packets are read */
};

struct tn_flow {
	struct tn_stream *stream;
	bool off;		/* the merge leaves out the stream */
	bool was_off;		/* `off` before the current attempt */
	size_t packet;		/* number of the packet that the gap is in */
	/* The current batch. NULL: the gap is at the start of the packet, which may not exist. */
	struct tn_walked *walked;
	size_t row;		/* number of rows of the batch before the gap */
	/* The starts of batches of one packet, for batches that were walked. */
	size_t marked;		/* number of this packet */
	TN_ARRAY(struct tn_mark) marks;	/* marks[0] is the start of the packet, and is not set */
};

void tn_flow_release(struct tn_flow *f);

/* Ask whether to stop; the result is then TN_ERR_CANCELLED. */
enum tn_code tn_flow_request(const struct tn_flow_source *src, struct tn_error *err);
/* Find packets until all packets before @time_ns are known. Like tn_index_find(), but it can be stopped. */
enum tn_code tn_flow_reach(const struct tn_flow *f, const struct tn_flow_source *src, int64_t time_ns, struct tn_error *err);

/* Move the gap to the start of a packet, without walking. */
void tn_flow_to_packet(struct tn_flow *f, size_t packet);
/* Move the gap before row @row of @w, or after its last row. */
void tn_flow_to_row(struct tn_flow *f, struct tn_walked *w, size_t row);

/* Move the gap before the first row at or after @time_ns. */
enum tn_code tn_flow_seek(struct tn_flow *f, const struct tn_flow_source *src, int64_t time_ns, struct tn_error *err);
/* Move the gap before row @row of a packet; if it has fewer rows, after the last one. */
enum tn_code tn_flow_seek_row(struct tn_flow *f, const struct tn_flow_source *src, size_t packet, uint64_t row,
			      struct tn_error *err);

/* Whether the batch contains a row after the gap, or with @backward, before it. */
static inline bool
tn_flow_ready(const struct tn_flow *f, bool backward)
{
	return f->walked && (backward ? f->row > 0 : f->row < f->walked->batch.refs.n);
}

/* Get the batch with the row after the gap, or with @backward, before it. TN_END: no such row. */
enum tn_code tn_flow_load(struct tn_flow *f, const struct tn_flow_source *src, bool backward, struct tn_error *err);

/* Get a lower bound for the time of the row after the gap, without walking. TN_END: no packet there. */
enum tn_code tn_flow_bound(struct tn_flow *f, const struct tn_flow_source *src, int64_t *time_ns, struct tn_error *err);

#endif
