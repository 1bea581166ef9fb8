/*
 * flow.h - one stream of a merge: a gap between two of its rows
 *
 * The gap of a flow is between two rows of its stream, or at an end. A step forward takes the row after the
 * gap, a step back the one before it. Batches are walked when a row is needed, no sooner.
 */
#ifndef TN_ORDER_FLOW_H
#define TN_ORDER_FLOW_H

#include "index/batches.h"

/* The treatment of the packets of a stream; packets after the last mark are read. */
enum { TN_MARK_READ, TN_MARK_MUTE, TN_MARK_LEFT_OUT };	/* MUTE: no user needs its events */
struct tn_packet_marks {
	uint8_t *mark;
	size_t n;
};

static inline unsigned
tn_packet_mark(const struct tn_packet_marks *marks, const struct tn_stream *stream, size_t packet)
{
	return marks && packet < marks[stream->rank].n ? marks[stream->rank].mark[packet] : TN_MARK_READ;
}

/* The first packet at or after @packet that is not left out. */
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

/*
 * The source of a flow's batches: a cache, or a thread that walks ahead. Adds a user; TN_END: no such packet.
 */
struct tn_flow_source {
	enum tn_code (*get)(void *user, const struct tn_batch_place *place, struct tn_walked **out,
			    struct tn_error *err);
	void *user;
	uint32_t limit;		/* rows of a batch; constant while the flows exist */
	/* Called before each batch and packet on a long path: true ends it (TN_ERR_CANCELLED). NULL: never. */
	bool (*stopped)(void *user);
	void *stop_user;
	const struct tn_packet_marks *marks;	/* by rank of the stream; NULL: all are read */
};

struct tn_flow {
	struct tn_stream *stream;
	bool off;		/* left out of the merge */
	bool was_off;		/* value of `off` before the current attempt */
	size_t packet;		/* packet of the gap */
	/* The batch in use; NULL: the gap is at the start of the packet, which may not exist. */
	struct tn_walked *walked;
	size_t row;		/* rows of the batch before the gap */
	/* Starts of the batches of one packet; batches after the last mark were not walked yet. */
	size_t marked;		/* the packet */
	TN_ARRAY(struct tn_mark) marks;	/* [0] is the start and unset */
};

void tn_flow_release(struct tn_flow *f);

/* Ask whether to stop: TN_ERR_CANCELLED then. */
enum tn_code tn_flow_request(const struct tn_flow_source *src, struct tn_error *err);
/* Find packets until all before @time_ns are known; like tn_index_find(), but it can be stopped. */
enum tn_code tn_flow_reach(const struct tn_flow *f, const struct tn_flow_source *src, int64_t time_ns, struct tn_error *err);

/* Move the gap without walking. */
void tn_flow_to_packet(struct tn_flow *f, size_t packet);
/* Move the gap before row @row of @w (or after the last row). */
void tn_flow_to_row(struct tn_flow *f, struct tn_walked *w, size_t row);

/* Move the gap before the first row at or after @time_ns. */
enum tn_code tn_flow_seek(struct tn_flow *f, const struct tn_flow_source *src, int64_t time_ns, struct tn_error *err);
/* Move the gap before row @row of a packet; after its last row if it has fewer. */
enum tn_code tn_flow_seek_row(struct tn_flow *f, const struct tn_flow_source *src, size_t packet, uint64_t row,
			      struct tn_error *err);

/* Whether a row after (before) the gap is in the batch. */
static inline bool
tn_flow_ready(const struct tn_flow *f, bool backward)
{
	return f->walked && (backward ? f->row > 0 : f->row < f->walked->batch.refs.n);
}

/* Get the batch that has the row after (before) the gap; TN_END: no such row. */
enum tn_code tn_flow_load(struct tn_flow *f, const struct tn_flow_source *src, bool backward, struct tn_error *err);

/* A lower bound for the time of the row after the gap, without walking; TN_END: no packet there. */
enum tn_code tn_flow_bound(struct tn_flow *f, const struct tn_flow_source *src, int64_t *time_ns, struct tn_error *err);

#endif
