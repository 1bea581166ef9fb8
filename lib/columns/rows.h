/*
 * rows.h - the values of events as rows of a Parquet file
 *
 * The machine of lib/plan runs the read codes of an event's class and puts each field into the columns of its nodes.
 * Events without codes, or with fields that the machine cannot put (UTF-16, more than 64 bits), are decoded to values
 * first. Values that all events of a packet share are put once for each packet.
 */
#ifndef TN_COLUMNS_ROWS_H
#define TN_COLUMNS_ROWS_H

#include "columns/schema.h"
#include "language/field.h"

#define TN_PACKETS_KEPT 64	/* slots, selected by the rank of the stream and the bytes of the context */

struct tn_event_rows {
	struct tn_parquet file;
	struct tn_schema schema;
	/*
	 * The latest packets of the row group. If common contexts are shared, events with another context count as
	 * another packet.
	 */
	struct tn_packet_rows {
		const struct tn_stream *stream;	/* NULL: unused */
		size_t packet;
		uint32_t number;	/* number of the packet in the row group */
		uint8_t n_context;	/* size of the common context that its events share; 0: contexts are not shared */
		uint8_t context[TN_CONTEXT_BYTES];
		bool has_shift;
		uint64_t shift;		/* cycles - time_ns, if this is the same for all events */
	} kept[TN_PACKETS_KEPT], *latest[TN_PACKETS_KEPT];	/* `latest`: packet of the previous row, by rank; or NULL */
	uint64_t looked;	/* row after which the end of the row group is checked */
};

/* State that several files share if they are written in turn. Zero it before first use. */
struct tn_row_reader {
	struct tn_running *running;	/* NULL is allowed */
	struct tn_row_state state;
	struct tn_event event;
	struct tn_str scratch;
	/* For the current row: */
	struct tn_event_rows *out;
	struct tn_trace_nodes *trace;
	const struct tn_batch *batch;
	const uint8_t *prepared;	/* the packet for which the machine is prepared */
	uint64_t prepared_bits;
	struct tn_packet_rows *packet;	/* packet of the previous row, in the same batch; NULL: unknown */
	const struct tn_op *first;	/* instruction at which the machine begins */
	uint64_t row;
	bool is_new;			/* the packet does not have the values of the common context yet */
	bool in_packet;			/* the row is a packet: only columns of packets get values */
	unsigned repetition;		/* repetition level of the next entry */
	/* The lists around the current field. */
	struct tn_row_list {
		unsigned before, element;	/* repetition level of the first element, and of the others */
		bool any;
	} list[TN_PLAN_DEPTH + 1];
	unsigned depth;
	/* The values of attributes that are fields. */
	struct tn_row_attribute {
		bool is_there;
		uint64_t number;
		const uint8_t *bytes;
		size_t n;
	} attribute[TN_SCHEMA_ATTRIBUTES];
};

/* Put rows [first, first + n) of the batch, which all are events. */
enum tn_code tn_event_rows_put(struct tn_event_rows *rows, struct tn_row_reader *reader, const struct tn_batch *batch,
			       size_t first, size_t n, struct tn_error *err) TN_MUST_CHECK;
void tn_event_rows_release(struct tn_event_rows *rows);
void tn_row_reader_release(struct tn_row_reader *reader);

#endif
