/*
 * tnav/trace.h - open traces and their contents
 *
 * Units      Times are int64_t nanoseconds from the origin of the clocks (mostly the Unix epoch).
 *            Packet positions and file sizes are bytes, packet and content sizes bits.
 * Ownership  tn_set_close() ends everything that was obtained from the set: close cursors first.
 * Threads    One thread at a time on a set and its objects, unless a function allows more.
 * Errors     TN_OK or a negative code with *err set.
 * Signals    Files are mapped. The first opened file installs a handler of SIGBUS for the whole process, which
 *            stays. It puts zeros in the place of pages that a shrinking file has lost; calls then return
 *            TN_ERR_SYSTEM. It passes a SIGBUS from elsewhere to the handler that was installed before. A
 *            program that installs a handler later must pass signals on to this one, and no thread that
 *            reads traces may block the signal.
 * States     object	state	may be called
 *            a set	open	all functions; cursors, filters, texts, definitions and readers can be made
 *              		grows	tn_set_grow() too (grow.h); objects from the set stay valid as long as the set,
 *              			unless their function sets another limit
 *              		closed	nothing; everything made from it is freed before
 * Source     formats: CTF 1.8.3, CTF2-SPEC-2.0, ovni trace specification 3, vartrace dumps, trace.dat 6 and 7.
 */
#ifndef TNAV_TRACE_H
#define TNAV_TRACE_H

#include <stdbool.h>

#include <tnav/event.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_set;
struct tn_trace;
struct tn_stream;
struct tn_stream_class;
struct tn_event_class;
struct tn_clock;

#define TN_COUNT_UNKNOWN UINT64_MAX

/* A correction for a trace whose clock is off. */
struct tn_trace_offset {
	const char *path;	/* as returned by tn_trace_path() */
	int64_t offset_ns;	/* added to its times */
};

#define TN_OPEN_OPTIONS TN_SIZED(tn_open_options)
struct tn_open_options {
	size_t size;		/* TN_OPEN_OPTIONS sets it */
	tn_problem_fn *problem;	/* called for each problem that is not fatal; NULL: ignored */
	void *user;
	const char *format;	/* "ctf", "ovni", "trace.dat", "vartrace", "vartrace-le", "vartrace-be"; NULL: recognised */
	int64_t clock_offset_ns;	/* added to all times */
	bool no_index_cache;	/* neither read nor write the cache: indices, scans, digests, answers, unpacked archives */
	bool no_index_files;	/* ignore the tracer's own index files */
	/* For single traces, in addition to clock_offset_ns; read while opening. */
	const struct tn_trace_offset *offset;
	size_t n_offsets;
	/*
	 * The traces are still being written. tnav waits for the rest of unfinished ends, and accepts a folder
	 * without a trace; tn_set_grow() (tnav/grow.h) adds new data. Addresses of live sessions always grow.
	 */
	bool growing;
	bool live_from_now;	/* live sessions begin with new data, not with the oldest packet of the relay */
	/*
	 * Reports the progress of unpacking an archive into the cache, at most about 20 times a second. A
	 * non-zero result stops: TN_ERR_CANCELLED. NULL: no reports.
	 */
	int (*progress)(void *user, const char *path, uint64_t done, uint64_t all);
	int64_t live_lag_ns;	/* tnav waits this long for a silent stream, then ignores it; 0: 10 s */
	/*
	 * The limit, in bytes, of each live session on the disk. tnav drops the oldest packets whose rows are
	 * in order. 0: no limit.
	 */
	uint64_t live_keep;
	/*
	 * The time that opening waits for archives to be unpacked. Slower ones are unpacked in the background,
	 * and the set grows meanwhile (tn_set_is_unpacking()). Negative: do not wait. 0: wait to the end, with
	 * `progress`.
	 */
	int64_t unpack_wait_ns;
	/*
	 * The metadata of a CTF trace whose streams are elsewhere: each path is a stream file, or a folder of
	 * them. tnav does not follow such a trace and does not store its indices. NULL: the metadata is beside
	 * the streams.
	 */
	const char *metadata;
	/*
	 * Move the times of traces that read one clock of their machine (tn_set_shared_clock()) so that they fit. Traces
	 * that come later, as the set grows, keep their times.
	 */
	bool align_clocks;
};

/*
 * Open all traces at and below the paths as one set. A path is a trace folder, a folder above several traces, a
 * file `metadata`, or the file of a single-file format. If some of several traces cannot be opened, each is
 * reported as a problem; if all fail, the call fails. @options may be NULL.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_set_open(struct tn_set **out, const char *const *path, size_t n_paths,
	    const struct tn_open_options *options, struct tn_error *err);

/* A file in memory. */
struct tn_memory_file {
	const char *name;	/* "metadata", "stream_0", "index/stream_0.idx" */
	const void *bytes;
	size_t size;
};

/*
 * Open a trace whose files are in memory: those of a CTF trace, one of them named `metadata`, or one vartrace
 * dump or trace.dat. The bytes are copied: the caller may change or free them afterwards. Messages name the
 * files "memory:N/NAME".
 */
TN_API TN_MUST_CHECK enum tn_code
tn_set_open_memory(struct tn_set **out, const struct tn_memory_file *file, size_t n,
		   const struct tn_open_options *options, struct tn_error *err);

TN_API void tn_set_close(struct tn_set *set);	/* NULL is allowed */

/* Number of traces, after those with the same UUID were joined. */
TN_API size_t tn_set_trace_count(const struct tn_set *set);
TN_API const struct tn_trace *tn_set_trace(const struct tn_set *set, size_t i);	/* NULL after the last */
TN_API size_t tn_set_stream_count(const struct tn_set *set);	/* number of streams in all traces */
/* Streams, in the order that decides between equal times. */
TN_API const struct tn_stream *tn_set_stream(const struct tn_set *set, size_t i);
/* Whether the streams are of several hosts: equal thread or processor numbers are then different ones. */
TN_API bool tn_set_has_hosts(const struct tn_set *set);

/* Whether the index of every stream is complete: the time range is then known at no cost. */
TN_API bool tn_set_indexed(const struct tn_set *set);
/* Work on the indices for about @budget_ns (0: to the end). TN_END: complete. */
TN_API TN_MUST_CHECK enum tn_code tn_set_index(struct tn_set *set, int64_t budget_ns, struct tn_error *err);
/*
 * Check all events against rules of the format that decoding does not need, and report violations as TN_WRONG
 * problems. Events that cannot be decoded are reported by reading, not here.
 */
TN_API TN_MUST_CHECK enum tn_code tn_set_check(struct tn_set *set, struct tn_error *err);
/* Work on the indices only as far as a search for @time_ns needs. TN_END: the search is possible at no cost. */
TN_API TN_MUST_CHECK enum tn_code
tn_set_index_to(struct tn_set *set, int64_t time_ns, int64_t budget_ns, struct tn_error *err);
/*
 * Time of the first event that has a time: it gives the day to a time typed without a date. Rows of streams
 * without a clock come earlier and do not count. Does not complete the indices. TN_END: no event has a time.
 */
TN_API TN_MUST_CHECK enum tn_code tn_set_first_time(struct tn_set *set, int64_t *time_ns, struct tn_error *err);
/* Time of the first and last events; completes the indices. TN_END: no event has a time. */
TN_API TN_MUST_CHECK enum tn_code
tn_set_time_range(struct tn_set *set, int64_t *begin_ns, int64_t *end_ns, struct tn_error *err);
/*
 * The trace whose times @trace can follow, since both read one clock of one machine and boot (CLOCK_MONOTONIC as LTTng,
 * ftrace, perf and uftrace read it); @trace itself if others follow it. NULL: no other trace shares its clock. *@ns: what
 * must be added to the times of @trace, as they are now, so that they fit. Reads no events. Without the id of the boot in
 * both traces, one host is taken for one boot unless their dates contradict.
 */
TN_API const struct tn_trace *
tn_set_shared_clock(const struct tn_set *set, const struct tn_trace *trace, int64_t *ns);
/* Whether times count from the Unix epoch, so that dates make sense. */
TN_API bool tn_set_is_wall_time(const struct tn_set *set);

/* ---- a trace ---- */
/* "CTF 1.8", "CTF 2", "ovni 3", "vartrace", "trace.dat 7". */
TN_API const char *tn_trace_format(const struct tn_trace *trace);
TN_API const char *tn_trace_path(const struct tn_trace *trace);	/* the path where it was found */
/* The nanoseconds that opening added to its times, for an offset or a shared clock, without clock_offset_ns. */
TN_API int64_t tn_trace_shift(const struct tn_trace *trace);
TN_API const char *tn_trace_name(const struct tn_trace *trace);	/* may be "" */
TN_API const uint8_t *tn_trace_uuid(const struct tn_trace *trace);	/* 16 bytes, or NULL */
/* Default byte order of the trace. */
TN_API bool tn_trace_big_endian(const struct tn_trace *trace);
/*
 * The text of the metadata, *size bytes, or NULL. Up to 1 MiB it is a copy of the text read at opening. Beyond,
 * it is the mapped file, which may change: read each byte only once. Bytes that the file has lost read as
 * zeros.
 */
TN_API const char *tn_trace_metadata(const struct tn_trace *trace, size_t *size);
/* Whether the text differs from the one read when the trace was opened; reads all of it. */
TN_API bool tn_trace_metadata_changed(const struct tn_trace *trace);
TN_API size_t tn_trace_env_count(const struct tn_trace *trace);	/* number of entries of the environment */
TN_API const char *tn_trace_env_name(const struct tn_trace *trace, size_t i);	/* number @i, below the count */
/* The value as text; a number is written to @room in decimal. */
TN_API const char *tn_trace_env_value(const struct tn_trace *trace, size_t i, char *room, size_t size);
/* Clocks that the metadata declares. */
TN_API size_t tn_trace_clock_count(const struct tn_trace *trace);
/* Number @i, below the count. */
TN_API const struct tn_clock *tn_trace_clock(const struct tn_trace *trace, size_t i);
TN_API size_t tn_trace_event_class_count(const struct tn_trace *trace);	/* number of classes of all its streams */
/* NULL after the last. */
TN_API const struct tn_event_class *tn_trace_event_class(const struct tn_trace *trace, size_t i);

/* ---- a clock ---- */
TN_API const char *tn_clock_name(const struct tn_clock *clock);	/* never NULL */
TN_API const char *tn_clock_description(const struct tn_clock *clock);	/* or NULL */
TN_API uint64_t tn_clock_frequency(const struct tn_clock *clock);	/* Hz */
TN_API int64_t tn_clock_offset_s(const struct tn_clock *clock);	/* whole seconds from the origin to value 0 */
/* Cycles from there to value 0, less than the frequency. */
TN_API uint64_t tn_clock_offset_cycles(const struct tn_clock *clock);
/*
 * Convert a clock value to ns from the origin, with the offset of its trace; offset and value are each rounded
 * down. False: the time does not fit.
 */
TN_API bool tn_clock_time(const struct tn_clock *clock, uint64_t cycles, int64_t *out_ns);
TN_API bool tn_clock_is_wall_time(const struct tn_clock *clock);	/* its origin is the Unix epoch */
TN_API const uint8_t *tn_clock_uuid(const struct tn_clock *clock);	/* 16 bytes, or NULL */

/* ---- an event class ---- */
TN_API const char *tn_event_class_name(const struct tn_event_class *ec);	/* NULL if it does not have a name */
TN_API uint64_t tn_event_class_id(const struct tn_event_class *ec);	/* the number in the metadata */
TN_API size_t tn_event_class_index(const struct tn_event_class *ec);	/* in its trace */
TN_API int tn_event_class_log_level(const struct tn_event_class *ec);	/* -1: none */
TN_API const char *tn_log_level_name(int level);	/* "INFO"; NULL: no such level */
/* The trace that declares it. */
TN_API const struct tn_trace *tn_event_class_trace(const struct tn_event_class *ec);
/* Type of a scope of its events; NULL if absent. */
TN_API const struct tn_field *tn_event_class_scope(const struct tn_event_class *ec, enum tn_scope scope);

/* ---- a stream ---- */
TN_API const char *tn_stream_name(const struct tn_stream *stream);	/* short, for people */
TN_API const char *tn_stream_path(const struct tn_stream *stream);	/* absolute path of its first file */
TN_API uint64_t tn_stream_id(const struct tn_stream *stream);	/* instance, or number among files */
TN_API uint64_t tn_stream_class_id(const struct tn_stream *stream);	/* the number in the metadata */
TN_API size_t tn_stream_rank(const struct tn_stream *stream);	/* its position in the set */
/* The trace of the stream. */
TN_API const struct tn_trace *tn_stream_trace(const struct tn_stream *stream);
/*
 * Host where it was traced: the stream's own (ovni: of its loom), else its trace's; NULL: unknown. Valid as
 * long as the set.
 */
TN_API const char *tn_stream_host(const struct tn_stream *stream);
/*
 * Properties that the format gives a stream, as names and values, like the environment of a trace: loom and
 * app_id (ovni).
 */
TN_API size_t tn_stream_about_count(const struct tn_stream *stream);
TN_API const char *tn_stream_about_name(const struct tn_stream *stream, size_t i);	/* number @i, below the count */
/* The value as text; a number is written to @room in decimal. */
TN_API const char *tn_stream_about_value(const struct tn_stream *stream, size_t i, char *room, size_t size);
TN_API const struct tn_clock *tn_stream_clock(const struct tn_stream *stream);	/* NULL: its events have no time */
TN_API uint64_t tn_stream_size(const struct tn_stream *stream);	/* bytes of its files */
TN_API size_t tn_stream_packet_count(const struct tn_stream *stream);	/* found so far */

struct tn_packet_info {
	uint64_t offset;	/* bytes from the start of its file */
	const char *path;	/* path of the file */
	uint64_t size_bits, content_bits;
	bool has_time;
	int64_t begin_ns, end_ns;
	uint64_t sequence;	/* TN_COUNT_UNKNOWN if the packet does not have it; the same for discarded and events */
	uint64_t discarded;	/* the counter at the end of the packet */
	/*
	 * Losses between the previous packet and this one. Events: up to the end of this packet, by the amount
	 * that the counter exceeds all earlier ones of the stream. TN_COUNT_UNKNOWN: some, or perhaps some,
	 * because the tracer's counter is older than the trace.
	 */
	uint64_t lost_events, lost_packets;
	uint64_t events;	/* number of events, if known */
	bool damaged;
};
/* TN_END: no such packet (yet). */
TN_API TN_MUST_CHECK enum tn_code
tn_stream_packet(const struct tn_stream *stream, size_t i, struct tn_packet_info *out);
/* Bytes of a packet, borrowed from the mapped file; NULL: no such packet. */
TN_API const uint8_t *tn_stream_packet_bytes(const struct tn_stream *stream, size_t i, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
