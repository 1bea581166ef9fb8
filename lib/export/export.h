/* export.h - the parts of an export: the export, a trace, a stream */
#ifndef TN_EXPORT_EXPORT_H
#define TN_EXPORT_EXPORT_H

#include <stdatomic.h>

#include <tnav/query.h>

#include "index/batches.h"
#include "scan/filter.h"
#include "write/sink.h"

/* The results that check.c expects when it reads the export back. */
struct tn_export_sum {
	/* Expected number of lost events and packets, and of losses of unknown size. */
	uint64_t lost_events, lost_packets, unknown;
	uint64_t unsaid;	/* number of losses that the tracer only flags, without a counter in a packet */
	bool has_counters;
	struct tn_packet before;	/* the counters of the previous packet */
	bool has_time;
	int64_t first_ns, last_ns;	/* time of the first event, and latest time of the events that were read */
	int64_t first_key, last_key;	/* merge keys of these in the source; they are later than the times if time went back */
	bool went_back;		/* times went back, so the last event may not be the latest */
	bool some_whole;	/* some packets were copied, and only their first event was read */
	int64_t bound_ns;	/* upper bound of the times in these packets */
};

struct tn_export_trace {
	const struct tn_trace *trace;
	char *name;		/* name of the trace's folder; "": the folder of the export */
	char *folder;		/* the folder being written */
	bool recode;		/* write values again, instead of copying bits */
	atomic_bool failed_repack;	/* copying bits failed, so the trace must be written by values */
	struct tn_recoder *recoder;
};

struct tn_export {
	struct tn_set *set;
	const struct tn_export_options *options;
	const struct tn_filter *filter;	/* NULL: all events match */
	struct tn_text *plain;	/* format for values without a type */
	bool by_rows;		/* a scan decides which rows match, because of a regular expression */
	struct tn_walk_pool pool;
	struct tn_new_folder folder;
	bool archive;
	char *final, *inside;	/* `final`: path of the finished export. `inside`: name of the folder in an archive; otherwise "" */
	struct tn_export_trace *trace;
	struct tn_export_stream *stream;	/* one for each stream, by rank */
	size_t room;		/* size of the buffer of each file */
	atomic_uint_fast64_t done_bytes;
	uint64_t all_bytes;
	atomic_bool stop;
};

struct tn_export_stream {
	struct tn_export *export;
	struct tn_export_trace *trace;
	struct tn_stream *stream;
	uint64_t number;	/* number of the stream in its trace */
	char *name;		/* name of its file */
	struct tn_sink *sink;
	struct tn_filter_state filter;
	size_t next;		/* number of the first packet that is not processed yet */
	bool done;		/* no later packet is needed */
	/* Set if a packet was written. The following members are about the last one. */
	bool some;
	size_t last;
	uint64_t last_sequence;
	uint64_t discarded_shift;
	/* For exports by rows: the matching rows of packet `rows_packet`. */
	size_t rows_packet;
	struct tn_export_sum sum;
	TN_ARRAY(uint64_t) rows;
	TN_ARRAY(struct tn_row) damages;	/* owns the texts */
	enum tn_code code;
	struct tn_error err;
};

/* Add row @row of @packet, which matches. Rows must be added in order. */
enum tn_code tn_export_row(struct tn_export_stream *s, size_t packet, uint64_t row, struct tn_error *err);
enum tn_code tn_export_damage(struct tn_export_stream *s, const struct tn_row *row, struct tn_error *err);
/* Write the remaining data, and finish the files. */
enum tn_code tn_export_stream_finish(struct tn_export_stream *s, struct tn_error *err);
void tn_export_stream_release(struct tn_export_stream *s);

/* Read the export back before it gets its name. TN_ERR_FORMAT: it differs from the written data. */
enum tn_code tn_export_check(struct tn_export *x, struct tn_error *err);

#endif
