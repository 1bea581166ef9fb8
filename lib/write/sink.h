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

/* How the counters of a packet in the export differ from the trace. Only differences between packets matter. */
struct tn_packet_numbers {
	uint64_t sequence_shift;	/* number to add to the packet's value */
	uint64_t discarded_shift;	/* number to subtract from the packet's value */
};

/* Values that the export cannot express: their number, and the first place. */
struct tn_unsaid {
	uint64_t n;
	const struct tn_field *field;
	const char *event;	/* name of its event class; NULL: the value is in a field of the packet */
};

struct tn_sink {
	const struct tn_sink_ops *ops;
	const struct tn_stream *stream;
	struct tn_outfile file, index;
	bool has_index;
	uint64_t packets, events;	/* numbers of written packets and events */
	struct tn_unsaid beyond;	/* integers of more than 64 bits, for which the nearest value is written */
	struct tn_unsaid missing;	/* members that an event does not have, written as 0 or empty */
	/* Packets written between those of the source; this number is added to all later sequence numbers. */
	uint64_t more_packets;
};

/*
 * All functions return TN_OK or a failure. TN_ERR_UNSUPPORTED: this method is impossible; use the other one for the whole
 * trace.
 */
struct tn_sink_ops {
	/* @batch is the first batch of its packet. */
	enum tn_code (*begin)(struct tn_sink *sink, const struct tn_batch *batch, const struct tn_packet_numbers *numbers,
			      struct tn_error *err);
	/* Write row @row of @batch, an event that ends at bit @end_bit of its packet. */
	enum tn_code (*event)(struct tn_sink *sink, const struct tn_batch *batch, size_t row, uint64_t end_bit,
			      struct tn_error *err);
	enum tn_code (*end)(struct tn_sink *sink, struct tn_error *err);
	/* Write a whole packet that has no damage; NULL: write its events one by one. */
	enum tn_code (*whole)(struct tn_sink *sink, const struct tn_batch *batch, const struct tn_packet_numbers *numbers,
			      struct tn_error *err);
	enum tn_code (*finish)(struct tn_sink *sink, struct tn_error *err);
	void (*free)(struct tn_sink *sink);
};

/* Open the files of @stream: @name in @folder, and "index/@name.idx". */
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
/* Write the metadata unchanged. */
enum tn_code tn_repack_metadata(const struct tn_trace *trace, const char *folder, const char *shown, struct tn_error *err);

#endif
