/*
 * tnav/trace.h - open traces; what they hold
 *
 * Units      Times are int64_t nanoseconds from the origin of the clocks (mostly the Unix epoch).
 *            Packet positions and file sizes are bytes, packet and content sizes bits.
 * Ownership  tn_set_close() ends everything that was obtained from the set: cursors go first.
 * Threads    One thread at a time on a set and what belongs to it, unless a function says otherwise.
 * Errors     TN_OK or a negative code with *err set.
 * Signals    Files are mapped. The first one that is opened installs a handler of SIGBUS for the whole
 *            process, which stays: it puts zeros in the place of pages that a shrinking file has lost,
 *            and calls return TN_ERR_SYSTEM then. A SIGBUS from elsewhere goes to the handler that was
 *            there before. A program that installs one of its own later must pass on to the former, and
 *            no thread that reads traces may block the signal.
 * States     object	state	may be called
 *            a set	open	all functions; cursors, filters, texts, definitions and readers can be made
 *              		grows	tn_set_grow() too (grow.h); what was obtained stays as long as the set,
 *              			unless it says otherwise
 *              		closed	nothing; all that was made of it is freed before
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

/* A trace whose clock is off against the others'. */
struct tn_trace_offset {
	const char *path;	/* as tn_trace_path() says it */
	int64_t offset_ns;	/* added to its times */
};

#define TN_OPEN_OPTIONS TN_SIZED(tn_open_options)
struct tn_open_options {
	size_t size;		/* TN_OPEN_OPTIONS sets it */
	tn_problem_fn *problem;	/* told what is wrong but not fatal; NULL: nobody */
	void *user;
	const char *format;	/* "ctf", "ovni", "trace.dat", "vartrace", "vartrace-le", "vartrace-be"; NULL: recognised */
	int64_t clock_offset_ns;	/* added to all times */
	bool no_index_cache;	/* neither read nor write the cache: indices, digests, answers, unpacked archives */
	bool no_index_files;	/* leave the tracer's own index files aside */
	const struct tn_trace_offset *offset;	/* of single traces, besides clock_offset_ns; read while opening */
	size_t n_offsets;
	/*
	 * The traces are still being written: what is unfinished at their ends is waited for, and a folder without
	 * a trace is no error; tn_set_grow() (tnav/grow.h) takes in what comes. Addresses of live sessions are so always.
	 */
	bool growing;
	bool live_from_now;	/* live sessions begin with what comes, not with the oldest packet the relay has */
	/*
	 * An archive is unpacked into the cache: told so many bytes of so many, about 20 times a second at most. Non-zero
	 * stops: TN_ERR_CANCELLED. NULL: nobody wants to know.
	 */
	int (*progress)(void *user, const char *path, uint64_t done, uint64_t all);
	int64_t live_lag_ns;	/* a stream that says nothing for so long is not waited for; 0: 10 s */
	/*
	 * Of each live session no more bytes are kept on the disk: the oldest packets are given up, once their rows are in
	 * order. 0: all are kept.
	 */
	uint64_t live_keep;
	/*
	 * How long opening waits for archives to be unpacked. Those that take longer are unpacked beside the set, which
	 * grows meanwhile (tn_set_is_unpacking()). Negative: no moment. 0: until they are done, told by `progress`.
	 */
	int64_t unpack_wait_ns;
	/*
	 * The metadata of a CTF trace whose streams are elsewhere: each path is a stream file, or a folder of them. Such a
	 * trace is not followed, and no indices are stored of it. NULL: the metadata is beside the streams.
	 */
	const char *metadata;
};

/*
 * Open all traces at and below the paths, as one. A path is a trace folder, a folder above several,
 * a file `metadata`, or the file of a format that is a file. A bad trace among several is told as a
 * problem; when none can be opened that is the error. @options may be NULL.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_set_open(struct tn_set **out, const char *const *path, size_t n_paths,
	    const struct tn_open_options *options, struct tn_error *err);

/* A file that is in memory. */
struct tn_memory_file {
	const char *name;	/* "metadata", "stream_0", "index/stream_0.idx" */
	const void *bytes;
	size_t size;
};

/*
 * Open a trace whose files are in memory: those of a CTF trace, one of them named `metadata`, or one
 * vartrace dump or trace.dat. The bytes are copied: the caller may change or free them afterwards. Messages call
 * the files "memory:N/NAME".
 */
TN_API TN_MUST_CHECK enum tn_code
tn_set_open_memory(struct tn_set **out, const struct tn_memory_file *file, size_t n,
		   const struct tn_open_options *options, struct tn_error *err);

TN_API void tn_set_close(struct tn_set *set);	/* NULL is allowed */

/* Traces, after those of one UUID were joined. */
TN_API size_t tn_set_trace_count(const struct tn_set *set);
TN_API const struct tn_trace *tn_set_trace(const struct tn_set *set, size_t i);	/* NULL behind the end */
TN_API size_t tn_set_stream_count(const struct tn_set *set);	/* streams of all traces */
/* Streams in the order that decides equal times. */
TN_API const struct tn_stream *tn_set_stream(const struct tn_set *set, size_t i);
/* Whether streams are of different hosts: numbers of threads and processors mean one thing on each. */
TN_API bool tn_set_has_hosts(const struct tn_set *set);

/* Whether the index of every stream is complete (the time range is known at no cost). */
TN_API bool tn_set_indexed(const struct tn_set *set);
/* Work on the indices for about @budget_ns (0: to the end). TN_END: complete. */
TN_API TN_MUST_CHECK enum tn_code tn_set_index(struct tn_set *set, int64_t budget_ns, struct tn_error *err);
/*
 * Look for events that break rules of their format though they can be read, and tell the problems: TN_WRONG. What
 * cannot be read is not told here: reading tells it.
 */
TN_API TN_MUST_CHECK enum tn_code tn_set_check(struct tn_set *set, struct tn_error *err);
/* The same, no farther than a search for @time_ns needs. TN_END: it is found at no cost. */
TN_API TN_MUST_CHECK enum tn_code
tn_set_index_to(struct tn_set *set, int64_t time_ns, int64_t budget_ns, struct tn_error *err);
/*
 * Time of the first event that has one: the day of a time that is typed without a date. Rows of streams without a clock
 * come before it and do not count. It does not complete the indices. TN_END: no event has a time.
 */
TN_API TN_MUST_CHECK enum tn_code tn_set_first_time(struct tn_set *set, int64_t *time_ns, struct tn_error *err);
/* Time of the first and last events; completes the indices. TN_END: no event has a time. */
TN_API TN_MUST_CHECK enum tn_code
tn_set_time_range(struct tn_set *set, int64_t *begin_ns, int64_t *end_ns, struct tn_error *err);
/* Whether times are known to count from the Unix epoch: dates make sense. */
TN_API bool tn_set_is_wall_time(const struct tn_set *set);

/* ---- a trace ---- */
/* "CTF 1.8", "CTF 2", "ovni 3", "vartrace", "trace.dat 7". */
TN_API const char *tn_trace_format(const struct tn_trace *trace);
TN_API const char *tn_trace_path(const struct tn_trace *trace);	/* as it was found */
TN_API const char *tn_trace_name(const struct tn_trace *trace);	/* may be "" */
TN_API const uint8_t *tn_trace_uuid(const struct tn_trace *trace);	/* 16 bytes, or NULL */
/* Byte order of what does not say otherwise. */
TN_API bool tn_trace_big_endian(const struct tn_trace *trace);
/*
 * The text of the metadata, of *size bytes, or NULL. Up to 1 MiB it is a copy of what was read. Beyond it is the file
 * itself, mapped: read each byte once, and believe no second look; what the file has lost meanwhile reads as zeros.
 */
TN_API const char *tn_trace_metadata(const struct tn_trace *trace, size_t *size);
/* Whether that text is no longer what was read when the trace was opened; looks at all of it. */
TN_API bool tn_trace_metadata_changed(const struct tn_trace *trace);
TN_API size_t tn_trace_env_count(const struct tn_trace *trace);	/* entries of the environment */
TN_API const char *tn_trace_env_name(const struct tn_trace *trace, size_t i);	/* number @i, below the count */
/* The value as text: numbers in decimal, written to @room when it is one. */
TN_API const char *tn_trace_env_value(const struct tn_trace *trace, size_t i, char *room, size_t size);
/* Clocks that the metadata declares. */
TN_API size_t tn_trace_clock_count(const struct tn_trace *trace);
/* Number @i, below the count. */
TN_API const struct tn_clock *tn_trace_clock(const struct tn_trace *trace, size_t i);
TN_API size_t tn_trace_event_class_count(const struct tn_trace *trace);	/* of all its streams */
/* NULL behind the end. */
TN_API const struct tn_event_class *tn_trace_event_class(const struct tn_trace *trace, size_t i);

/* ---- a clock ---- */
TN_API const char *tn_clock_name(const struct tn_clock *clock);	/* never NULL */
TN_API const char *tn_clock_description(const struct tn_clock *clock);	/* or NULL */
TN_API uint64_t tn_clock_frequency(const struct tn_clock *clock);	/* Hz */
TN_API int64_t tn_clock_offset_s(const struct tn_clock *clock);	/* whole seconds from the origin to value 0 */
/* Cycles from there to value 0, below the frequency. */
TN_API uint64_t tn_clock_offset_cycles(const struct tn_clock *clock);
/*
 * The time of a value of the clock: ns from the origin, the shift of its trace included, offset and value each rounded
 * down. False: it does not fit.
 */
TN_API bool tn_clock_time(const struct tn_clock *clock, uint64_t cycles, int64_t *out_ns);
TN_API bool tn_clock_is_wall_time(const struct tn_clock *clock);	/* its origin is the Unix epoch */
TN_API const uint8_t *tn_clock_uuid(const struct tn_clock *clock);	/* 16 bytes, or NULL */

/* ---- an event class ---- */
TN_API const char *tn_event_class_name(const struct tn_event_class *ec);	/* or NULL */
TN_API uint64_t tn_event_class_id(const struct tn_event_class *ec);	/* as the metadata numbers it */
TN_API size_t tn_event_class_index(const struct tn_event_class *ec);	/* in its trace */
TN_API int tn_event_class_log_level(const struct tn_event_class *ec);	/* -1: none */
TN_API const char *tn_log_level_name(int level);	/* "INFO"; NULL when there is no such level */
/* The trace that declares it. */
TN_API const struct tn_trace *tn_event_class_trace(const struct tn_event_class *ec);
/* Type of a scope of its events; NULL when absent. */
TN_API const struct tn_field *tn_event_class_scope(const struct tn_event_class *ec, enum tn_scope scope);

/* ---- a stream ---- */
TN_API const char *tn_stream_name(const struct tn_stream *stream);	/* short, for people */
TN_API const char *tn_stream_path(const struct tn_stream *stream);	/* absolute path of its first file */
TN_API uint64_t tn_stream_id(const struct tn_stream *stream);	/* instance, or number among files */
TN_API uint64_t tn_stream_class_id(const struct tn_stream *stream);	/* as the metadata numbers it */
TN_API size_t tn_stream_rank(const struct tn_stream *stream);	/* its place in the set */
/* The trace it belongs to. */
TN_API const struct tn_trace *tn_stream_trace(const struct tn_stream *stream);
/* Where it was traced: the stream's own host (a loom's, ovni), else its trace's; NULL: not known. It lives as long as the set. */
TN_API const char *tn_stream_host(const struct tn_stream *stream);
/* What the format says of the stream, as names and values, like the environment of a trace: its loom and app_id (ovni). */
TN_API size_t tn_stream_about_count(const struct tn_stream *stream);
TN_API const char *tn_stream_about_name(const struct tn_stream *stream, size_t i);	/* number @i, below the count */
/* The value as text: numbers in decimal, written to @room. */
TN_API const char *tn_stream_about_value(const struct tn_stream *stream, size_t i, char *room, size_t size);
TN_API const struct tn_clock *tn_stream_clock(const struct tn_stream *stream);	/* NULL: its events have no time */
TN_API uint64_t tn_stream_size(const struct tn_stream *stream);	/* bytes of its files */
TN_API size_t tn_stream_packet_count(const struct tn_stream *stream);	/* found so far */

struct tn_packet_info {
	uint64_t offset;	/* bytes from the start of its file */
	const char *path;	/* the file */
	uint64_t size_bits, content_bits;
	bool has_time;
	int64_t begin_ns, end_ns;
	uint64_t sequence;	/* TN_COUNT_UNKNOWN when the packet has none; discarded and events likewise */
	uint64_t discarded;	/* counter snapshot at the end of the packet */
	/*
	 * Lost between the packet before it and this one (events: up to the end of this one, as far as the counter rises above
	 * all before in the stream). TN_COUNT_UNKNOWN: some, or perhaps some, because the tracer's counter is older than the trace.
	 */
	uint64_t lost_events, lost_packets;
	uint64_t events;	/* number of events, when known */
	bool damaged;
};
/* TN_END: no such packet (yet). */
TN_API TN_MUST_CHECK enum tn_code
tn_stream_packet(const struct tn_stream *stream, size_t i, struct tn_packet_info *out);
/* Bytes of a packet, borrowed from the mapped file; NULL when there is no such packet. */
TN_API const uint8_t *tn_stream_packet_bytes(const struct tn_stream *stream, size_t i, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
