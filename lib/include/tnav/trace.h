/*
 * tnav/trace.h - open traces and their contents
 *
 * Units      Times are int64_t nanoseconds from the origin of the clocks (mostly the Unix epoch).
 *            Packet positions and file sizes are bytes, packet and content sizes bits.
 * Ownership  tn_set_close() frees everything that belongs to the set: free cursors first.
 * Threads    Use a set and its objects in one thread at a time, unless a function allows more.
 * Errors     TN_OK or a negative code with *err set.
 * Signals    The library maps files. With the first file it installs a handler of SIGBUS for the whole process,
 *            and never removes it. If a file shrinks, the handler replaces the lost pages with zeros; calls then
 *            return TN_ERR_SYSTEM. The handler passes other SIGBUS signals to the previous handler. A
 *            program that installs its own handler later must pass signals on to this one. Threads that
 *            read traces must not block the signal.
 * States     object	state	may be called
 *            a set	open	all functions; cursors, filters, texts, definitions and readers can be made
 *              		grows	also tn_set_grow() (grow.h); objects of the set stay valid as long as the set,
 *              			unless their function says otherwise
 *              		closed	nothing; free everything that was made from the set before
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

/* A correction of the clock of one trace. */
struct tn_trace_offset {
	const char *path;	/* as returned by tn_trace_path() */
	int64_t offset_ns;	/* added to its times */
};

#define TN_OPEN_OPTIONS TN_SIZED(tn_open_options)
struct tn_open_options {
	size_t size;		/* TN_OPEN_OPTIONS sets it */
	tn_problem_fn *problem;	/* gets each problem that is not fatal; NULL: problems are ignored */
	void *user;
	const char *format;	/* "ctf", "ovni", "trace.dat", "vartrace", "vartrace-le", "vartrace-be"; NULL: recognised */
	int64_t clock_offset_ns;	/* added to all times */
	bool no_index_cache;	/* neither read nor write the cache: indices, scans, digests, answers, unpacked archives */
	bool no_index_files;	/* ignore the tracer's own index files */
	/* Offsets of single traces, in addition to clock_offset_ns; borrowed for the call. */
	const struct tn_trace_offset *offset;
	size_t n_offsets;
	/*
	 * The tracer still writes the traces: an incomplete packet at the end is not damage, and a folder may
	 * be without a trace. tn_set_grow() (tnav/grow.h) adds new data. Live sessions always grow.
	 */
	bool growing;
	bool live_from_now;	/* live sessions begin with new data, not with the oldest packet of the relay */
	/*
	 * Gets the progress of unpacking an archive into the cache, at most about 20 times a second. A
	 * non-zero result stops with TN_ERR_CANCELLED. NULL: no reports.
	 */
	int (*progress)(void *user, const char *path, uint64_t done, uint64_t all);
	int64_t live_lag_ns;	/* tnav waits this long for a silent stream, then ignores it; 0: 10 s */
	/*
	 * The limit, in bytes, of each live session on the disk. The library removes the oldest packets after it merged
	 * their rows. 0: no limit.
	 */
	uint64_t live_keep;
	/*
	 * The time that opening waits for archives to be unpacked. If an archive needs more time, a thread continues to
	 * unpack it, and the set grows (tn_set_is_unpacking()). Negative: do not wait. 0: wait to the end, with
	 * `progress`.
	 */
	int64_t unpack_wait_ns;
	/*
	 * The metadata file of a CTF trace whose streams are in another folder: each path is a stream file, or
	 * a folder of stream files. Such a trace cannot grow, and the library stores no index of it. NULL: the
	 * metadata is in the folder of the streams.
	 */
	const char *metadata;
	/*
	 * Shift traces that read the same clock of the same machine (tn_set_shared_clock()) to a common origin. Traces
	 * that the set gets later keep their times.
	 */
	bool align_clocks;
};

/*
 * Open all traces at and below the paths as one set. A path is a trace folder, a folder above several traces, a
 * file `metadata`, or the file of a single-file format. If some of the traces cannot be opened, each of them is a
 * problem (@options->problem); if none can be opened, the call fails. @options may be NULL.
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
 * Open a trace in memory: the files of a CTF trace, with a file `metadata`, or a single vartrace
 * dump or trace.dat. The function copies the bytes: the caller may change or free them afterwards. Messages call
 * the files "memory:N/NAME".
 */
TN_API TN_MUST_CHECK enum tn_code
tn_set_open_memory(struct tn_set **out, const struct tn_memory_file *file, size_t n,
		   const struct tn_open_options *options, struct tn_error *err);

TN_API void tn_set_close(struct tn_set *set);	/* NULL is allowed */

/* Number of traces. Traces with the same UUID count as one. */
TN_API size_t tn_set_trace_count(const struct tn_set *set);
TN_API const struct tn_trace *tn_set_trace(const struct tn_set *set, size_t i);	/* NULL after the last */
TN_API size_t tn_set_stream_count(const struct tn_set *set);	/* number of streams in all traces */
/* Stream @i. Of events with equal times, the one in the stream with the smaller number is first. */
TN_API const struct tn_stream *tn_set_stream(const struct tn_set *set, size_t i);
/* Whether the streams come from several hosts: equal numbers are then different threads or processors. */
TN_API bool tn_set_has_hosts(const struct tn_set *set);

/* Whether the index of every stream is complete: tn_set_time_range() is then fast. */
TN_API bool tn_set_indexed(const struct tn_set *set);
/* Build indices for about @budget_ns (0: to the end). TN_END: all indices are complete. */
TN_API TN_MUST_CHECK enum tn_code tn_set_index(struct tn_set *set, int64_t budget_ns, struct tn_error *err);
/*
 * Check all events against the rules of the format that decoding does not need. Each violation is a TN_WRONG
 * problem. Events that cannot be decoded are not reported here, but when they are read.
 */
TN_API TN_MUST_CHECK enum tn_code tn_set_check(struct tn_set *set, struct tn_error *err);
/* Build indices for about @budget_ns, as far as a search for @time_ns needs them. TN_END: the search is now fast. */
TN_API TN_MUST_CHECK enum tn_code
tn_set_index_to(struct tn_set *set, int64_t time_ns, int64_t budget_ns, struct tn_error *err);
/*
 * Time of the first event that has a time. (A time that a user types without a date is on the day of this event.)
 * Does not complete the indices. TN_END: no event has a time.
 */
TN_API TN_MUST_CHECK enum tn_code tn_set_first_time(struct tn_set *set, int64_t *time_ns, struct tn_error *err);
/* Time of the first and last events; completes the indices. TN_END: no event has a time. */
TN_API TN_MUST_CHECK enum tn_code
tn_set_time_range(struct tn_set *set, int64_t *begin_ns, int64_t *end_ns, struct tn_error *err);
/*
 * The reference of @trace: a trace that reads the same clock of the same machine and boot (CLOCK_MONOTONIC, as
 * LTTng, ftrace, perf and uftrace read it). @trace itself, if it is the reference of others. NULL: no other
 * trace shares its clock. Add *@ns to the present times of @trace to shift it to the reference. Reads no
 * events. If one of the traces does not have the id of the boot, one boot for each host is assumed, unless the
 * dates contradict.
 */
TN_API const struct tn_trace *
tn_set_shared_clock(const struct tn_set *set, const struct tn_trace *trace, int64_t *ns);
/* Whether times count from the Unix epoch, so that dates make sense. */
TN_API bool tn_set_is_wall_time(const struct tn_set *set);

/* ---- a trace ---- */
/* "CTF 1.8", "CTF 2", "ovni 3", "vartrace", "trace.dat 7". */
TN_API const char *tn_trace_format(const struct tn_trace *trace);
TN_API const char *tn_trace_path(const struct tn_trace *trace);	/* the path where it was found */
/* Nanoseconds that were added to its times because of an offset or a shared clock; clock_offset_ns is not included. */
TN_API int64_t tn_trace_shift(const struct tn_trace *trace);
TN_API const char *tn_trace_name(const struct tn_trace *trace);	/* may be "" */
TN_API const uint8_t *tn_trace_uuid(const struct tn_trace *trace);	/* 16 bytes, or NULL */
/* Default byte order of the trace. */
TN_API bool tn_trace_big_endian(const struct tn_trace *trace);
/*
 * The text of the metadata, *size bytes, or NULL. Up to 1 MiB, it is a copy of the text that was read at opening. A
 * longer text is the mapped file, which can change: read each byte only once. If the file shrinks, the lost bytes
 * are zeros.
 */
TN_API const char *tn_trace_metadata(const struct tn_trace *trace, size_t *size);
/* Whether the metadata differs from the text that was read at opening; reads the whole text. */
TN_API bool tn_trace_metadata_changed(const struct tn_trace *trace);
TN_API size_t tn_trace_env_count(const struct tn_trace *trace);	/* number of entries of the environment */
TN_API const char *tn_trace_env_name(const struct tn_trace *trace, size_t i);	/* NULL after the last */
/* The value as text. A number is written to @room, of @size bytes, in decimal. NULL after the last. */
TN_API const char *tn_trace_env_value(const struct tn_trace *trace, size_t i, char *room, size_t size);
/* Number of clocks that the metadata declares. */
TN_API size_t tn_trace_clock_count(const struct tn_trace *trace);
/* NULL after the last. */
TN_API const struct tn_clock *tn_trace_clock(const struct tn_trace *trace, size_t i);
TN_API size_t tn_trace_event_class_count(const struct tn_trace *trace);	/* number of classes of all its streams */
/* NULL after the last. */
TN_API const struct tn_event_class *tn_trace_event_class(const struct tn_trace *trace, size_t i);

/* ---- a clock ---- */
TN_API const char *tn_clock_name(const struct tn_clock *clock);	/* never NULL */
TN_API const char *tn_clock_description(const struct tn_clock *clock);	/* NULL: none */
TN_API uint64_t tn_clock_frequency(const struct tn_clock *clock);	/* Hz */
TN_API int64_t tn_clock_offset_s(const struct tn_clock *clock);	/* whole seconds from the origin to value 0 */
/* Further cycles, less than the frequency, from the whole seconds to value 0. */
TN_API uint64_t tn_clock_offset_cycles(const struct tn_clock *clock);
/*
 * Convert a clock value to nanoseconds since the origin, with the offset of its trace. Offset and value are each
 * rounded down. False: the time does not fit in 64 bits.
 */
TN_API bool tn_clock_time(const struct tn_clock *clock, uint64_t cycles, int64_t *out_ns);
TN_API bool tn_clock_is_wall_time(const struct tn_clock *clock);	/* whether its origin is the Unix epoch */
TN_API const uint8_t *tn_clock_uuid(const struct tn_clock *clock);	/* 16 bytes, or NULL */

/* ---- an event class ---- */
TN_API const char *tn_event_class_name(const struct tn_event_class *ec);	/* NULL if it does not have a name */
TN_API uint64_t tn_event_class_id(const struct tn_event_class *ec);	/* the number in the metadata */
TN_API size_t tn_event_class_index(const struct tn_event_class *ec);	/* index in its trace */
TN_API int tn_event_class_log_level(const struct tn_event_class *ec);	/* -1: none */
TN_API const char *tn_log_level_name(int level);	/* "INFO"; NULL: no such level */
/* The trace that declares it. */
TN_API const struct tn_trace *tn_event_class_trace(const struct tn_event_class *ec);
/* Type of a scope of its events; NULL if absent. */
TN_API const struct tn_field *tn_event_class_scope(const struct tn_event_class *ec, enum tn_scope scope);

/* ---- a stream ---- */
TN_API const char *tn_stream_name(const struct tn_stream *stream);	/* short, for people */
TN_API const char *tn_stream_path(const struct tn_stream *stream);	/* absolute path of its first file */
TN_API uint64_t tn_stream_id(const struct tn_stream *stream);	/* the instance id, or the number of the file */
TN_API uint64_t tn_stream_class_id(const struct tn_stream *stream);	/* the number in the metadata */
TN_API size_t tn_stream_rank(const struct tn_stream *stream);	/* position of the stream in the set */
/* The trace of the stream. */
TN_API const struct tn_trace *tn_stream_trace(const struct tn_stream *stream);
/*
 * The host where the stream was recorded: its own (ovni: that of its loom), or that of its trace; NULL: unknown. Valid
 * as long as the set.
 */
TN_API const char *tn_stream_host(const struct tn_stream *stream);
/*
 * Number of properties of the stream (names and values, like the environment of a trace), such as loom and app_id
 * of ovni.
 */
TN_API size_t tn_stream_about_count(const struct tn_stream *stream);
TN_API const char *tn_stream_about_name(const struct tn_stream *stream, size_t i);	/* NULL after the last */
/* The value as text. A number is written to @room, of @size bytes, in decimal. NULL after the last. */
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
	uint64_t sequence;	/* the packet's number; TN_COUNT_UNKNOWN if the packet does not have one */
	uint64_t discarded;	/* the counter at the end of the packet; or TN_COUNT_UNKNOWN */
	/*
	 * Losses since the end of the previous packet: packets before this one, and events up to its end.
	 * lost_events is the amount by which the counter exceeds all earlier counters of the stream. TN_COUNT_UNKNOWN:
	 * events are or may be lost, but the counter started before the trace.
	 */
	uint64_t lost_events, lost_packets;
	uint64_t events;	/* number of events; TN_COUNT_UNKNOWN if it is not known yet */
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
