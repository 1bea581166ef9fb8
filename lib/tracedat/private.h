/* private.h - shared by the files of lib/tracedat */
#ifndef TN_TRACEDAT_PRIVATE_H
#define TN_TRACEDAT_PRIVATE_H

#include "ftrace/rows.h"
#include "tracedat/chunks.h"
#include "tracedat/clock.h"
#include "tracedat/file.h"

/* trace->own */
struct tn_dat_trace {
	struct tn_map map;	/* the file; streams have views of it */
	struct tn_dat_file file;
	struct tn_ftrace_layout layout;
	struct tn_ftrace_classes *classes;	/* one for each stream class */
};

/* stream->own */
struct tn_dat_stream {
	const struct tn_dat_buffer *buffer;
	uint32_t cpu;
	uint64_t begin, end;	/* range of its pages in the map; the file may be cut before @end */
	bool is_cut;
	struct tn_ftrace_rows rows;
	struct tn_dat_time time;
	struct tn_dat_chunks *chunks;	/* NULL: the data are not compressed */
	int64_t key;		/* end_ns of the last entry */
	uint64_t lost;		/* the counter of losses in the last entry */
};

/* model.c: classes, clocks, environment. */
enum tn_code tn_dat_build(struct tn_trace *trace, struct tn_error *err);
/*
 * Make an event class of @sc for the event of @type that the end of the file cuts. 0: memory is out, or the event
 * does not have a name.
 */
uint32_t tn_dat_cut_class(struct tn_trace *trace, struct tn_stream_class *sc, uint32_t type);
/* Returns the stream class for buffers with this clock. */
struct tn_stream_class *tn_dat_class_of(const struct tn_trace *trace, const char *trace_clock);

#endif
