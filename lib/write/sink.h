/*
 * sink.h - the two methods by which an export writes the events of a stream
 *
 * repack	copies the bits of packets of CTF 1.8 (repack.c)
 * recode	makes packets of its own from values (recode.c)
 *
 * For each exported packet: `begin`, `event` for each of its exported events, `end`. An output
 * stream may have more packets than that: a sink begins another one where it has to.
 */
#ifndef TN_WRITE_SINK_H
#define TN_WRITE_SINK_H

#include "model/decoder.h"
#include "write/outfile.h"

/* The counters of a packet in the export: differences matter, not absolute values. */
struct tn_packet_numbers {
	uint64_t sequence_shift;	/* added to the packet's value */
	uint64_t discarded_shift;	/* subtracted from it */
};

/* Differences between the export and the trace: their number, and the first place. */
struct tn_unsaid {
	uint64_t n;
	const struct tn_field *field;
	const char *event;	/* name of its event class; NULL: a packet's field */
};

struct tn_sink {
	const struct tn_sink_ops *ops;
	const struct tn_stream *stream;
	struct tn_outfile file, index;
	bool has_index;
	uint64_t packets, events;	/* number written */
	struct tn_unsaid beyond;	/* integers of more than 64 bits whose nearest value is written */
	struct tn_unsaid missing;	/* members that an event does not have, written as 0 or empty */
	/* Packets written between those of the source: added to all later sequence numbers. */
	uint64_t more_packets;
};

/*
 * All return TN_OK or a failure; TN_ERR_UNSUPPORTED: this method is impossible, use the other one for the whole
 * trace.
 */
struct tn_sink_ops {
	/* @batch is the first of its packet. */
	enum tn_code (*begin)(struct tn_sink *sink, const struct tn_batch *batch, const struct tn_packet_numbers *numbers,
			      struct tn_error *err);
	/* Row @row of @batch, an event that ends at @end_bit of its packet. */
	enum tn_code (*event)(struct tn_sink *sink, const struct tn_batch *batch, size_t row, uint64_t end_bit,
			      struct tn_error *err);
	enum tn_code (*end)(struct tn_sink *sink, struct tn_error *err);
	/* Write all of a packet without damage; NULL: event by event. */
	enum tn_code (*whole)(struct tn_sink *sink, const struct tn_batch *batch, const struct tn_packet_numbers *numbers,
			      struct tn_error *err);
	enum tn_code (*finish)(struct tn_sink *sink, struct tn_error *err);
	void (*free)(struct tn_sink *sink);
};

/* Open the files of @stream: @name in @folder, "index/@name.idx". */
enum tn_code
tn_sink_init(struct tn_sink *sink, const struct tn_sink_ops *ops, const struct tn_stream *stream, const char *folder,
	     const char *name, bool has_index, size_t room, struct tn_error *err);
enum tn_code tn_sink_flush(struct tn_sink *sink, struct tn_error *err);
void tn_sink_release(struct tn_sink *sink);

/* ---- repack.c ---- */

/* Whether packets of all stream classes of @trace can be written again with fewer events. */
bool tn_repack_can(const struct tn_trace *trace);
enum tn_code
tn_repack_new(struct tn_sink **out, const struct tn_stream *stream, const char *folder, const char *name, size_t room,
	      struct tn_error *err);
/* The metadata, unchanged. */
enum tn_code tn_repack_metadata(const struct tn_trace *trace, const char *folder, const char *shown, struct tn_error *err);

#endif
