/*
 * trace.h - a trace of any format: clocks, stream and event classes, streams, environment
 *
 * A format fills these in when it opens a trace. Then they are constant, except for the packet index of a stream,
 * which grows (decoder.h). All are in the arena of the trace.
 */
#ifndef TN_MODEL_TRACE_H
#define TN_MODEL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tnav/trace.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "base/mapfile.h"
#include "base/memory.h"
#include "model/type.h"

struct tn_functions;
struct tn_symbols;

struct tn_plan;		/* lib/plan: types compiled to instructions */
struct tn_event_plan;

enum tn_origin { TN_ORIGIN_UNKNOWN, TN_ORIGIN_UNIX, TN_ORIGIN_NAMED };

struct tn_clock {
	const char *name;	/* never NULL */
	bool unnamed;		/* CTF 2: the clock has only an id, and so it does not have an identity */
	const char *name_space, *uid;	/* identity, CTF 2; NULL: absent */
	const char *description;	/* NULL: none */
	bool has_uuid;
	uint8_t uuid[16];
	uint64_t frequency;	/* Hz, > 0 */
	int64_t offset_s;	/* seconds from the origin */
	uint64_t offset_cycles;	/* less than the frequency: builders normalise it */
	uint64_t precision, accuracy;	/* cycles; or TN_UNKNOWN */
	enum tn_origin origin;	/* from the metadata, or known from the tracer */
	const char *origin_name_space, *origin_name, *origin_uid;	/* identity of a TN_ORIGIN_NAMED */
	int64_t shift_ns;	/* the user's --clock-offset, added to every time */
	bool beyond;		/* times do not fit into int64_t: rows have no time, keys count from cycle 0 */
};

#define TN_UNKNOWN UINT64_MAX

/* One entry of the environment. A trace can have very many, so 24 bytes. */
struct tn_env {
	const char *name;
	union {
		const char *text;	/* value if is_text */
		int64_t number;		/* value if not is_text */
	};
	bool is_text;
	bool is_unsigned;	/* the number exceeds INT64_MAX: read it as unsigned */
};

struct tn_span_kind;	/* model/pairs.h */

enum tn_span_part { TN_SPAN_PART_NONE, TN_SPAN_PART_BEGIN, TN_SPAN_PART_END, TN_SPAN_PART_WHOLE };

struct tn_event_class {
	uint64_t id;
	uint64_t last_id;	/* last id of the class; differs from `id` only in the KEDR dialect */
	uint32_t index;		/* index in trace->event_class */
	const char *name;	/* NULL: none */
	const char *name_space, *uid;
	int log_level;		/* -1: not set */
	const char *emf_uri;	/* NULL: none */
	const char *attributes;	/* JSON text or NULL */
	struct tn_stream_class *stream_class;
	struct tn_field *specific_context, *payload;	/* NULL: absent */
	const char *description;	/* description in the format's catalogue, or NULL */
	/* The kind of spans that each event of the class begins, ends or is, as declared by the format; NULL: none. */
	const struct tn_span_kind *span_kind;
	enum tn_span_part span_part;
	const struct tn_field *marker;	/* payload field with a text that may be a marker (model/marker.h); or NULL */
	struct tn_event_plan *plan;	/* made at first use (tn_plan_event()); atomic */
};

struct tn_stream_class {
	uint64_t id;
	bool has_id;		/* the metadata has an id */
	const char *name, *name_space, *uid;	/* NULL: none */
	const char *attributes;
	struct tn_trace *trace;
	struct tn_clock *clock;	/* NULL: events do not have a time */
	struct tn_field *packet_context, *event_header, *common_context;	/* NULL: absent */
	struct tn_event_class **event_class;	/* sorted by id; their id ranges do not overlap */
	size_t n_event_classes;
	/* The class of events whose id does not have a class: the id is then the name (KEDR); NULL: none. */
	struct tn_event_class *other_class;
	bool late_time;		/* an event's time is the clock after its common context, not after its header (KEDR) */
	uint8_t align;		/* events, with their headers, begin at multiples of this number of bits; 0: at any bit */
	struct tn_plan *plan;	/* plan of the header and the packet context, set by the format */
};

struct tn_packet {
	uint64_t offset;	/* start of the packet, in bytes of its file */
	uint64_t size_bits;	/* content and padding; ends inside of the file */
	uint64_t content_bits;	/* not more than size_bits */
	uint64_t clock_start;	/* clock value before the header is decoded, in cycles */
	uint64_t begin_cycles, end_cycles;	/* values as recorded in the packet; TN_UNKNOWN: none */
	int64_t begin_ns;	/* lower bound of the merge keys of its rows; INT64_MIN: no clock */
	/*
	 * Upper bound of the merge keys of its rows, for searches; not less than in the entry before; INT64_MAX:
	 * unknown. Mostly the start of the next packet. The recorded end is end_cycles.
	 */
	int64_t end_ns;
	uint64_t discarded;	/* counter of discarded events at its end; TN_UNKNOWN: none */
	uint64_t highest;	/* largest counter of this packet and of earlier ones (model/loss.h); TN_UNKNOWN: none */
	uint64_t sequence;	/* sequence number; TN_UNKNOWN: none */
	uint64_t n_events;	/* TN_UNKNOWN: not counted, or the packet has damage that `flags` do not show */
	uint32_t file;		/* index in stream->file */
	uint32_t flags;		/* TN_PACKET_... */
};

enum {
	TN_PACKET_CUT = 1,	/* the file ends inside the packet */
	TN_PACKET_BAD = 2,	/* header or context cannot be decoded: the packet has no events, only damage */
	TN_PACKET_CHECKED = 4,	/* the header was read and agrees with the entry (which may come from an index file) */
	TN_PACKET_GUESSED_END = 8,	/* end_ns is an upper bound from the next packet */
	TN_PACKET_GONE = 16,	/* tnav dropped the packet, and it does not have rows any more */
	TN_PACKET_OVERWRITTEN = 64,	/* the tracer has overwritten the packet, which counts as lost */
	TN_PACKET_LIES = 128,	/* the index file contradicts the packet, and cannot be corrected: walking reports it */
	TN_PACKET_BREAK = 32,	/* the connection to a relay was lost before the packet, and restored */
	TN_PACKET_LOSES = 256,	/* an unknown number of events was lost before the packet */
	TN_PACKET_OWN = 1 << 16	/* this bit and the higher bits belong to the format */
};

/* The packets of a stream in time order. Only ops->extend appends entries. */
struct tn_packet_index {
	struct tn_packet *packet;	/* entries from n_dropped on: tn_packet_at() */
	size_t n, room;
	bool complete;		/* no more packets */
	/* lib/index: the lock, and the checked parts of a stored index; formats must not use it. */
	struct tn_index_guard *guard;
	const struct tn_map *mapped;	/* NULL, or the mapped file that contains the entries */
	size_t n_gone;		/* number of packets at the start with TN_PACKET_GONE */
	size_t n_dropped;	/* number of packets at the start whose entries were removed */
};

static inline struct tn_packet *
tn_packet_at(const struct tn_packet_index *index, size_t i)
{
	return &index->packet[i - index->n_dropped];
}

struct tn_stream_file {
	_Atomic(const char *) path;	/* the path that was opened */
	struct tn_map map;
	const struct tn_map *source;	/* the file from which the bytes of `map` were made; NULL: `map` is the file itself */
	uint64_t beside;	/* checksum of the file's index file; 0: none was read */
	const uint64_t *broken;	/* starts of the packets that have TN_PACKET_BREAK, in order */
	size_t n_broken;
	uint64_t leaving;	/* packets before this byte have TN_PACKET_GONE */
	uint64_t gone;		/* bytes before this one no longer exist; atomic */
	uint64_t head;		/* if the set grows: hash of the first bytes; 0: not computed */
	uint64_t passed;	/* if the set grows: pages before this byte were released */
};

/* The file by which stored indices are found. */
static inline const struct tn_map *
tn_stream_source(const struct tn_stream_file *file)
{
	return file->source ? file->source : &file->map;
}

struct tn_stream {
	struct tn_trace *trace;
	struct tn_stream_class *stream_class;
	uint64_t id;		/* instance id, or the number of the file among files without an id (text.md, 8) */
	bool has_instance_id;	/* the id comes from the packets */
	_Atomic(const char *) path;	/* absolute path of the first file, for messages; may change when a trace moves */
	const char *name;	/* short name: the file name without the tracer's rotation suffix, or a thread, or a process */
	/*
	 * The host that recorded the stream, if the format records one for each stream; NULL: none
	 * (tn_stream_host()).
	 */
	const char *host;
	/* The part of the trace in which numbers of threads and processors are unique; NULL: the whole trace. */
	const char *loom;
	const struct tn_env *about;	/* properties of the stream that the format shows to the user */
	size_t n_about;
	uint32_t rank;		/* number among all streams of the set, which decides the order of equal times */
	struct tn_stream_file *file;
	size_t n_files;
	_Atomic(uint64_t) size;	/* size of all files; they may grow while other threads read */
	struct tn_packet_index index;
	void *own;		/* belongs to the format */
};

/* A file that processes mapped, as recorded in the format's header. */
struct tn_file_id {
	const char *path;
	const uint8_t *id;	/* build id */
	size_t size;
};

struct tn_trace {
	struct tn_arena arena;
	struct tn_shared_arena *late;	/* for objects made at first use, in any thread; NULL: none */
	const char *format;	/* "CTF 1.8", "CTF 2", "ovni", "vartrace" */
	const char *path;	/* the folder or file, as given or found */
	const char *name;	/* displayed name: host name and the path below the argument (text.md, 1); may be "" */
	/* The name in lines and warnings, if it differs from `name`: for several folders, only the host name. */
	const char *line_name;
	bool has_uuid;
	uint8_t uuid[16];
	const char *name_space, *own_name, *uid;	/* identity, CTF 2 */
	const char *attributes;
	bool big_endian;
	bool is_part;		/* the user opened only some streams, and the others are left out */
	/* No class describes an event completely: variants may be empty, and values may be names (KEDR). */
	bool is_loose;
	bool strict_uuid;	/* a packet with another UUID cannot be read (KEDR); otherwise another UUID is only reported */
	uint32_t major, minor;
	struct tn_env *env;
	size_t n_env;
	struct tn_clock **clock;
	size_t n_clocks;
	struct tn_field *packet_header;	/* NULL: absent */
	struct tn_stream_class **stream_class;
	size_t n_stream_classes;
	struct tn_event_class **event_class;	/* event classes of all stream classes, by event_class->index */
	size_t n_event_classes;
	uint32_t n_fields;	/* upper bound of tn_field.id */
	uint32_t n_slots;	/* upper bound of slots */
	struct tn_stream **stream;
	size_t n_streams;
	/* The text of the metadata, for the metadata view; NULL: the format does not have one. */
	const char *metadata_text;
	size_t metadata_size;
	struct tn_map metadata_map;	/* the mapped file, if the text is long; the file may change */
	uint64_t metadata_sum;		/* tn_sum_metadata() of the text when it was read */
	bool by_content, unkept;	/* how the files are identified (index/key.h) */
	uint64_t content_sum;		/* checksum of the files whose times do not yet show all changes */
	const struct tn_format *ops;	/* decoder.h */
	struct tn_digest *digest;	/* lib/digest: the notes that scans make about packets; NULL: no notes are made */
	const struct tn_trace *grows;	/* the open trace that this one was opened to extend; or NULL */
	const struct tn_open_options *options;	/* the user's options; set before open, never NULL */
	const char *kallsyms;	/* names of the kernel's addresses, one line for each, in a mapped file; NULL: none */
	size_t kallsyms_size;
	const struct tn_file_id *file_id;	/* if a path occurs twice, the last entry is valid */
	size_t n_file_ids;
	struct tn_problems problems;
	const struct tn_memory *memory;	/* the files, if the trace is opened from memory; NULL: they are on disk */
	void *own;		/* belongs to the format */
};

/* The functions by address for conditions (functions.h); lib/symbol sets it. */
struct tn_function_source {
	/* The result is borrowed until the source is freed. NULL: there is no source. */
	enum tn_code (*read)(const struct tn_function_source *source, const struct tn_functions **out, struct tn_error *err);
	struct tn_symbols *(*symbols)(void *user, struct tn_error *err);
	void *user;
};

/* Traces that were opened together. Owned by tn_set_open(). */
struct tn_set {
	struct tn_trace **trace;
	size_t n_traces;
	struct tn_stream **stream;	/* streams of all traces, by rank */
	size_t n_streams;
	struct tn_problems problems;
	_Atomic(uint64_t) grown;	/* number of additions, by which cursors detect new data */
	struct tn_function_source functions;
};

/* Nanoseconds from the origin of @clock. Offset and value are rounded down separately; the result saturates. */
int64_t tn_clock_ns(const struct tn_clock *clock, uint64_t cycles);

/* Set clock->beyond. Call it once shift_ns is set. */
void tn_clock_settle(struct tn_clock *clock);

/* Whether @ns, a result of tn_clock_ns(), is a time of @clock. False if @clock is NULL. */
static inline bool
tn_clock_fits(const struct tn_clock *clock, int64_t ns)
{
	return clock && !clock->beyond && ns != INT64_MAX;
}

/* The first clock value at or after @ns; saturates at 0 and UINT64_MAX. */
uint64_t tn_clock_cycles(const struct tn_clock *clock, int64_t ns);

/* Whether the times of both clocks have a common order. */
bool tn_clocks_compare(const struct tn_clock *a, const struct tn_clock *b);

/* The name of the trace in lines: line_name or name. */
static inline const char *
tn_trace_line_name(const struct tn_trace *trace)
{
	return trace->line_name ? trace->line_name : trace->name;
}

const struct tn_env *tn_trace_env(const struct tn_trace *trace, const char *name);

/* The hostname in the environment; NULL: none. */
const char *tn_trace_host(const struct tn_trace *trace);

/* Give every field below @root its parent and its id, counted from *next_id, and every type its summary. */
void tn_field_number(struct tn_field *root, uint32_t *next_id);
/* Call @fn for the root of each scope, in the order of the stream classes and event classes. */
void tn_trace_each_scope(const struct tn_trace *trace, void (*fn)(struct tn_field *root, void *user), void *user);

/* Summary bits of the scope @root (NULL: absent). */
static inline uint32_t
tn_field_roles(const struct tn_field *root)
{
	return root ? root->type->summary.roles : 0;
}

static inline bool
tn_field_has_slots(const struct tn_field *root)
{
	return root && (root->slot >= 0 || root->type->summary.slots);
}

/* Size in bits of the widest number with the role in the packet contexts of @sc; 0: none has a fixed size. */
static inline unsigned
tn_context_bits(const struct tn_stream_class *sc, enum tn_role role)
{
	return sc->packet_context ? sc->packet_context->type->summary.bits[__builtin_ctz(role)] : 0;
}

/* Hide fields that contain only hidden fields (text.md, 3). Call it after `hidden` of the leaves is set. */
void tn_field_hide_empty(struct tn_field *root);


/* Write a path such as "event.fields.a.b[]" for messages; @scope_name names the root. Returns @buf. */
const char *tn_field_path(const struct tn_field *field, const char *scope_name, char *buf, size_t size);

/*
 * Compute the checksum of the metadata in pieces, and release the pages of a mapped text meanwhile. @text may be
 * NULL.
 */
uint64_t tn_sum_metadata(const struct tn_map *map, const char *text, size_t n);
/* The checksum of the metadata when the trace was opened. */
uint64_t tn_trace_metadata_sum(const struct tn_trace *trace);

/* Map a file from the trace's source while the trace is opened. @path begins with trace->path. */
enum tn_code tn_trace_map(const struct tn_trace *trace, struct tn_map *out, const char *path, struct tn_error *err) TN_MUST_CHECK;

#endif
