/*
 * export.h - the parts of an export: all of it, a trace, a stream
 */
#ifndef TN_EXPORT_EXPORT_H
#define TN_EXPORT_EXPORT_H

#include <stdatomic.h>

#include <tnav/query.h>

#include "index/batches.h"
#include "scan/filter.h"
#include "write/sink.h"

/* Expected results of reading the export back (check.c). */
struct tn_export_sum {
	/* expected counts of the written counters; unknown: number of losses of unknown size */
	uint64_t lost_events, lost_packets, unknown;
	uint64_t unsaid;	/* losses that the tracer only flags: no counter of a packet says them */
	bool has_counters;
	struct tn_packet before;	/* the counters of the previous packet */
	bool has_time;
	int64_t first_ns, last_ns;	/* the time of the first event, the latest time of the events that were read, */
	int64_t first_key, last_key;	/* their merge keys in the source: later than the times where time went back */
	bool went_back;		/* times went back: the last event may not be the latest */
	bool some_whole;	/* some packets were copied after reading only their first event: */
	int64_t bound_ns;	/* an upper bound for their times */
};

struct tn_export_trace {
	const struct tn_trace *trace;
	char *name;		/* name of its folder; "": the folder of the export */
	char *folder;		/* the folder being written */
	bool recode;		/* through values */
	atomic_bool failed_repack;	/* repacking failed, so it has to be recoded */
	struct tn_recoder *recoder;
};

struct tn_export {
	struct tn_set *set;
	const struct tn_export_options *options;
	const struct tn_filter *filter;	/* NULL if everything passes */
	struct tn_text *plain;	/* format of values without a type */
	bool by_rows;		/* a scan decides which rows pass (regular expressions) */
	struct tn_walk_pool pool;
	struct tn_new_folder folder;
	bool archive;
	char *final, *inside;	/* its final name; for an archive: name of the folder in it, else "" */
	struct tn_export_trace *trace;
	struct tn_export_stream *stream;	/* by rank */
	size_t room;		/* size of the buffer of a file */
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
	size_t next;		/* the first packet not processed yet */
	bool done;		/* no later packet is needed */
	/* The last packet that was written: */
	bool some;
	size_t last;
	uint64_t last_sequence;
	uint64_t discarded_shift;
	/* For exports by rows: the passing rows of packet `rows_packet`. */
	size_t rows_packet;
	struct tn_export_sum sum;
	TN_ARRAY(uint64_t) rows;
	TN_ARRAY(struct tn_row) damages;	/* texts are owned */
	enum tn_code code;
	struct tn_error err;
};

/* Add row @row of @packet, which passes; in order. */
enum tn_code tn_export_row(struct tn_export_stream *s, size_t packet, uint64_t row, struct tn_error *err);
enum tn_code tn_export_damage(struct tn_export_stream *s, const struct tn_row *row, struct tn_error *err);
/* Write the rest, and finish its files. */
enum tn_code tn_export_stream_finish(struct tn_export_stream *s, struct tn_error *err);
void tn_export_stream_release(struct tn_export_stream *s);

/* Read the export back, before it gets its name: TN_ERR_FORMAT if it differs from the written data. */
enum tn_code tn_export_check(struct tn_export *x, struct tn_error *err);

#endif
