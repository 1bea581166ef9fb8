/*
 * trace.h - a trace in no particular format: clocks, stream and event classes, streams, environment
 *
 * A format fills these in when it opens a trace. Then they stay constant, except for the packet index of a
 * stream, which grows (decoder.h). All are in the arena of the trace.
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
	bool unnamed;		/* CTF 2: the name is only its id, so that it has no identity */
	const char *name_space, *uid;	/* identity, CTF 2; NULL when absent */
	const char *description;	/* NULL: none */
	bool has_uuid;
	uint8_t uuid[16];
	uint64_t frequency;	/* Hz, > 0 */
	int64_t offset_s;	/* seconds from the origin */
	uint64_t offset_cycles;	/* < frequency: builders normalise */
	uint64_t precision, accuracy;	/* cycles; TN_UNKNOWN */
	enum tn_origin origin;	/* from the metadata, or known from the tracer */
	const char *origin_name_space, *origin_name, *origin_uid;	/* identity of a TN_ORIGIN_NAMED */
	int64_t shift_ns;	/* the user's --clock-offset, added to every time */
	bool beyond;		/* its times do not fit: rows have no time, and their keys count from its first cycle */
};

#define TN_UNKNOWN UINT64_MAX

/* One entry of the environment. Metadata may be little else: 24 bytes. */
struct tn_env {
	const char *name;
	union {
		const char *text;	/* when is_text */
		int64_t number;		/* else */
	};
	bool is_text;
	bool is_unsigned;	/* the number is above INT64_MAX and to be read as unsigned */
};

struct tn_span_kind;	/* model/pairs.h */

enum tn_span_part { TN_SPAN_PART_NONE, TN_SPAN_PART_BEGIN, TN_SPAN_PART_END, TN_SPAN_PART_WHOLE };

struct tn_event_class {
	uint64_t id;
	uint64_t last_id;	/* the class has the ids from id to this one; equal to id except in the KEDR dialect */
	uint32_t index;		/* index in trace->event_class */
	const char *name;	/* or NULL */
	const char *name_space, *uid;
	int log_level;		/* -1 when not set */
	const char *emf_uri;	/* or NULL */
	const char *attributes;	/* JSON text or NULL */
	struct tn_stream_class *stream_class;
	struct tn_field *specific_context, *payload;	/* NULL if absent */
	const char *description;	/* description in the format's catalogue, or NULL */
	/* The format says that each such event begins, ends or is a span of that kind; NULL: it does not. */
	const struct tn_span_kind *span_kind;
	enum tn_span_part span_part;
	const struct tn_field *marker;	/* payload field with a text that may be a marker (model/marker.h); or NULL */
	struct tn_event_plan *plan;	/* made at first use (tn_plan_event()): atomic */
};

struct tn_stream_class {
	uint64_t id;
	bool has_id;		/* the metadata gave one */
	const char *name, *name_space, *uid;	/* or NULL */
	const char *attributes;
	struct tn_trace *trace;
	struct tn_clock *clock;	/* NULL: events have no time */
	struct tn_field *packet_context, *event_header, *common_context;	/* NULL if absent */
	struct tn_event_class **event_class;	/* sorted by id; their id ranges do not overlap */
	size_t n_event_classes;
	/* The class of events whose id has no class: their name is the id (KEDR); or NULL. */
	struct tn_event_class *other_class;
	bool late_time;		/* an event's time is the clock after its common context, not after its header (KEDR) */
	uint8_t align;		/* events begin at multiples of these bits, before their headers; 0: at any bit */
	struct tn_plan *plan;	/* plan of the header and the packet context, set by the format */
};

struct tn_packet {
	uint64_t offset;	/* bytes from the start of its file */
	uint64_t size_bits;	/* content and padding; never beyond the end of the file */
	uint64_t content_bits;	/* <= size_bits */
	uint64_t clock_start;	/* value of the running clock before its header is decoded, cycles */
	uint64_t begin_cycles, end_cycles;	/* values in the packet; TN_UNKNOWN */
	int64_t begin_ns;	/* no row in it has an earlier merge key; INT64_MIN without clock */
	/*
	 * No row in it has a later merge key; never less than in the entry before; INT64_MAX: unknown. A bound
	 * for searches, mostly the start of the next packet. The packet's own end is end_cycles.
	 */
	int64_t end_ns;
	uint64_t discarded;	/* the counter at its end; TN_UNKNOWN */
	uint64_t highest;	/* largest counter of this packet and of the earlier ones (model/loss.h); TN_UNKNOWN */
	uint64_t sequence;	/* TN_UNKNOWN */
	uint64_t n_events;	/* TN_UNKNOWN until counted, and where there is damage, unless `flags` say so */
	uint32_t file;		/* index in stream->file */
	uint32_t flags;		/* TN_PACKET_... */
};

enum {
	TN_PACKET_CUT = 1,	/* the file ends inside it */
	TN_PACKET_BAD = 2,	/* its header or context cannot be decoded: no events, only damage */
	TN_PACKET_CHECKED = 4,	/* its header was read and agrees with the entry (not only an index file) */
	TN_PACKET_GUESSED_END = 8,	/* end_ns is an upper bound from the next packet */
	TN_PACKET_GONE = 16,	/* dropped: it no longer has rows, */
	TN_PACKET_OVERWRITTEN = 64,	/* or its tracer has overwritten it: it is a lost packet */
	TN_PACKET_LIES = 128,	/* the index file contradicts the packet, and cannot be corrected: walking reports it */
	TN_PACKET_BREAK = 32,	/* the connection to a relay was lost before it, and restored */
	TN_PACKET_LOSES = 256,	/* events were lost before it, and the tracer does not report their number */
	TN_PACKET_OWN = 1 << 16	/* this bit and those above belong to the format: kept as they are */
};

/* The packets of a stream in time order. Grows at the end only, through ops->extend. */
struct tn_packet_index {
	struct tn_packet *packet;	/* entries from n_dropped on: tn_packet_at() */
	size_t n, room;
	bool complete;		/* no more packets */
	/* lib/index: the lock, the checked parts of a stored index; formats leave it alone. */
	struct tn_index_guard *guard;
	const struct tn_map *mapped;	/* the entries are in this file, not ours to free; NULL */
	size_t n_gone;		/* number of packets at the start that are TN_PACKET_GONE, */
	size_t n_dropped;	/* and number of packets without an entry */
};

static inline struct tn_packet *
tn_packet_at(const struct tn_packet_index *index, size_t i)
{
	return &index->packet[i - index->n_dropped];
}

struct tn_stream_file {
	_Atomic(const char *) path;	/* the path that was opened */
	struct tn_map map;
	const struct tn_map *source;	/* the file from which these bytes were made; NULL: the map itself */
	uint64_t beside;	/* a checksum of the index file beside it; 0: none was read */
	const uint64_t *broken;	/* starts of the packets that have TN_PACKET_BREAK, in order */
	size_t n_broken;
	uint64_t leaving;	/* packets before this byte are TN_PACKET_GONE, */
	uint64_t gone;		/* and the bytes before this one are no longer there: atomic */
	uint64_t head;		/* in a set that grows: a hash of its first bytes; 0: not computed */
	uint64_t passed;	/* in a set that grows: pages before this byte were given back */
};

/* The file that stored indices belong to. */
static inline const struct tn_map *
tn_stream_source(const struct tn_stream_file *file)
{
	return file->source ? file->source : &file->map;
}

struct tn_stream {
	struct tn_trace *trace;
	struct tn_stream_class *stream_class;
	uint64_t id;		/* instance id, or its number among files without one (text.md, 8) */
	bool has_instance_id;	/* the id comes from the packets */
	_Atomic(const char *) path;	/* absolute path of its first file, for messages; it may be moved */
	const char *name;	/* short: file name without the tracer's rotation suffix, or thread, or process */
	/* Host where it was traced, if the format gives one for each stream; else NULL (tn_stream_host). */
	const char *host;
	/* The part of the trace in which thread and processor numbers are unique; or NULL: all. */
	const char *loom;
	const struct tn_env *about;	/* properties of the stream from the format, for people */
	size_t n_about;
	uint32_t rank;		/* place among all streams of the set: order of equal times */
	struct tn_stream_file *file;
	size_t n_files;
	_Atomic(uint64_t) size;	/* bytes of all its files; they may grow while others read */
	struct tn_packet_index index;
	void *own;		/* the format's */
};

/* A file that processes mapped, as the format's header tells it. */
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
	const char *name;	/* shown: host name and the path below the argument (text.md, 1); may be "" */
	/* The name in lines and warnings, if it differs: several folders have a host name only. */
	const char *line_name;
	bool has_uuid;
	uint8_t uuid[16];
	const char *name_space, *own_name, *uid;	/* identity, CTF 2 */
	const char *attributes;
	bool big_endian;
	bool is_part;		/* the user opened only some of its streams: the others are left out */
	/* No class describes an event completely: variants may be empty, names be values (KEDR). */
	bool is_loose;
	bool strict_uuid;	/* a packet with another UUID cannot be read (KEDR); else it is only reported */
	uint32_t major, minor;
	struct tn_env *env;
	size_t n_env;
	struct tn_clock **clock;
	size_t n_clocks;
	struct tn_field *packet_header;	/* NULL if absent */
	struct tn_stream_class **stream_class;
	size_t n_stream_classes;
	struct tn_event_class **event_class;	/* event classes of all stream classes; index = event_class->index */
	size_t n_event_classes;
	uint32_t n_fields;	/* tn_field.id is below this */
	uint32_t n_slots;	/* slots are below this */
	struct tn_stream **stream;
	size_t n_streams;
	/* The text as read, for the metadata view; NULL if the format does not have one. */
	const char *metadata_text;
	size_t metadata_size;
	struct tn_map metadata_map;	/* the mapped file of a long text, which may change meanwhile, */
	uint64_t metadata_sum;		/* and tn_sum_metadata() of the text read */
	bool by_content, unkept;	/* identification of its files (index/key.h), */
	uint64_t content_sum;		/* and a checksum of the files whose times prove nothing yet */
	const struct tn_format *ops;	/* decoder.h */
	struct tn_digest *digest;	/* lib/digest: notes of scans on its packets; NULL: none are kept */
	const struct tn_trace *grows;	/* the trace that this one is opened to extend; or NULL */
	const struct tn_open_options *options;	/* the user's options; set before open, never NULL */
	const char *kallsyms;	/* names of the kernel's addresses, a line each, in a mapped file; NULL: none */
	size_t kallsyms_size;
	const struct tn_file_id *file_id;	/* the last of a path counts */
	size_t n_file_ids;
	struct tn_problems problems;
	const struct tn_memory *memory;	/* its files while it is opened; NULL: on the disk */
	void *own;		/* the format's */
};

/* Where conditions find functions by address (functions.h); lib/symbol sets it. */
struct tn_function_source {
	/* The result is borrowed until the source of the names is freed. NULL: there is no source. */
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
	_Atomic(uint64_t) grown;	/* number of additions: cursors check it for new data */
	struct tn_function_source functions;
};

/* Nanoseconds from the origin of @clock: offset and value each rounded down; saturated at the ends of int64_t. */
int64_t tn_clock_ns(const struct tn_clock *clock, uint64_t cycles);

/* Set clock->beyond; call it when the shift is known. */
void tn_clock_settle(struct tn_clock *clock);

/* Whether @ns, a result of tn_clock_ns(), is a time of @clock (NULL: no). */
static inline bool
tn_clock_fits(const struct tn_clock *clock, int64_t ns)
{
	return clock && !clock->beyond && ns != INT64_MAX;
}

/* The first clock value at or after @ns; saturates at 0 and UINT64_MAX. */
uint64_t tn_clock_cycles(const struct tn_clock *clock, int64_t ns);

/* Whether times of both clocks can be put in one order. */
bool tn_clocks_compare(const struct tn_clock *a, const struct tn_clock *b);

/* The entry of that name, or NULL. */
static inline const char *
tn_trace_line_name(const struct tn_trace *trace)
{
	return trace->line_name ? trace->line_name : trace->name;
}

const struct tn_env *tn_trace_env(const struct tn_trace *trace, const char *name);

/* The environment's hostname; NULL: it does not have one. */
const char *tn_trace_host(const struct tn_trace *trace);

/* Give every field below @root its parent and its id, from *next_id on, and every type its summary. */
void tn_field_number(struct tn_field *root, uint32_t *next_id);
/* Call @fn for the root of each scope; those of stream classes and of event classes in their order. */
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

/* Width of the widest number with that role in the packet contexts of @sc; 0: none has a fixed width. */
static inline unsigned
tn_context_bits(const struct tn_stream_class *sc, enum tn_role role)
{
	return sc->packet_context ? sc->packet_context->type->summary.bits[__builtin_ctz(role)] : 0;
}

/* Hide fields that contain only hidden fields (text.md, 3). Call it after `hidden` of the leaves is set. */
void tn_field_hide_empty(struct tn_field *root);


/* "event.fields.a.b[]" for messages; @scope_name names the root. Returns @buf. */
const char *tn_field_path(const struct tn_field *field, const char *scope_name, char *buf, size_t size);

/* Checksum of the metadata, piece by piece, so that few pages of a mapped text count as ours; @text may be NULL. */
uint64_t tn_sum_metadata(const struct tn_map *map, const char *text, size_t n);
/* Checksum of the text as it was when the trace was opened. */
uint64_t tn_trace_metadata_sum(const struct tn_trace *trace);

/* Map a file of the trace from its source while the trace is opened: @path begins with trace->path. */
enum tn_code tn_trace_map(const struct tn_trace *trace, struct tn_map *out, const char *path, struct tn_error *err) TN_MUST_CHECK;

#endif
