/*
 * trace.h - what a trace is, in no format: clocks, stream and event classes, streams, environment
 *
 * A format fills these in when it opens a trace; then they do not change, but for the packet index of
 * a stream, which grows (decoder.h). Everything hangs on the arena of the trace.
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

struct tn_plan;		/* lib/plan: types compiled to instructions */
struct tn_event_plan;

enum tn_origin { TN_ORIGIN_UNKNOWN, TN_ORIGIN_UNIX, TN_ORIGIN_NAMED };

struct tn_clock {
	const char *name;	/* never NULL */
	bool unnamed;		/* CTF 2: the name is only its id, so that it has no identity */
	const char *name_space, *uid;	/* identity, CTF 2; NULL when absent */
	const char *description;	/* or NULL */
	bool has_uuid;
	uint8_t uuid[16];
	uint64_t frequency;	/* Hz, > 0 */
	int64_t offset_s;	/* from the origin */
	uint64_t offset_cycles;	/* < frequency: builders normalise */
	uint64_t precision, accuracy;	/* cycles; TN_UNKNOWN when not known */
	enum tn_origin origin;	/* as the metadata says, or the tracer is known for */
	const char *origin_name_space, *origin_name, *origin_uid;	/* of TN_ORIGIN_NAMED */
	int64_t shift_ns;	/* the user's --clock-offset, added to every time */
	bool beyond;		/* its times do not fit: rows have none, and their keys count from its first cycle */
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

struct tn_event_class {
	uint64_t id;
	uint64_t last_id;	/* it takes the ids from id to this one; the same as id but in the KEDR dialect */
	uint32_t index;		/* in trace->event_class */
	const char *name;	/* NULL when it has none */
	const char *name_space, *uid;
	int log_level;		/* -1 when not set */
	const char *emf_uri;	/* or NULL */
	const char *attributes;	/* JSON text or NULL */
	struct tn_stream_class *stream_class;
	struct tn_field *specific_context, *payload;	/* NULL when absent */
	const char *description;	/* of formats with a catalogue, or NULL */
	struct tn_event_plan *plan;	/* made when it is first needed (tn_plan_event()): atomic */
};

struct tn_stream_class {
	uint64_t id;
	bool has_id;		/* the metadata gave one */
	const char *name, *name_space, *uid;	/* or NULL */
	const char *attributes;
	struct tn_trace *trace;
	struct tn_clock *clock;	/* NULL: events have no time */
	struct tn_field *packet_context, *event_header, *common_context;	/* NULL when absent */
	struct tn_event_class **event_class;	/* sorted by id; their id ranges do not overlap */
	size_t n_event_classes;
	struct tn_event_class *other_class;	/* of events whose id no class has: their name is the id (KEDR); or NULL */
	bool late_time;		/* an event's time is the clock after its common context, not after its header (KEDR) */
	struct tn_plan *plan;	/* of the header and the packet context, set by the format */
};

struct tn_packet {
	uint64_t offset;	/* bytes from the start of its file */
	uint64_t size_bits;	/* content and padding; never beyond the end of the file */
	uint64_t content_bits;	/* <= size_bits */
	uint64_t clock_start;	/* value of the running clock before its header is decoded, cycles */
	uint64_t begin_cycles, end_cycles;	/* as the packet says; TN_UNKNOWN */
	int64_t begin_ns;	/* no row in it has an earlier merge key; INT64_MIN without clock */
	/*
	 * No row in it has a later merge key, never less than in the entry before; INT64_MAX: not known.
	 * A bound to search by: mostly the begin of the next packet. What the packet says is end_cycles.
	 */
	int64_t end_ns;
	uint64_t discarded;	/* counter snapshot at its end; TN_UNKNOWN */
	uint64_t highest;	/* of it, and of the packets before in the stream (model/loss.h); TN_UNKNOWN */
	uint64_t sequence;	/* TN_UNKNOWN */
	uint64_t n_events;	/* once known; TN_UNKNOWN */
	uint32_t file;		/* in stream->file */
	uint32_t flags;		/* TN_PACKET_... */
};

enum {
	TN_PACKET_CUT = 1,	/* the file ends inside it */
	TN_PACKET_BAD = 2,	/* its header or context cannot be decoded: no events, only damage */
	TN_PACKET_CHECKED = 4,	/* its header was read and agrees with the entry (not only an index file) */
	TN_PACKET_GUESSED_END = 8,	/* end_ns is an upper bound from the next packet */
	TN_PACKET_GONE = 16,	/* given up: it has no rows any more, */
	TN_PACKET_OVERWRITTEN = 64,	/* or its tracer has overwritten it: it is a lost one */
	TN_PACKET_LIES = 128,	/* the index file says else than the packet, and it cannot be put right: walking tells how */
	TN_PACKET_BREAK = 32,	/* the connection to a relay was lost before it, and made again */
	TN_PACKET_LOSES = 256,	/* events were lost before it, and the tracer does not say how many */
	TN_PACKET_OWN = 1 << 16	/* this bit and those above are the format's: kept as they are */
};

/* The packets of a stream in time order. Grows at the end only, through ops->extend. */
struct tn_packet_index {
	struct tn_packet *packet;	/* those from n_dropped on: tn_packet_at() */
	size_t n, room;
	bool complete;		/* there are no more */
	struct tn_index_guard *guard;	/* lib/index: the lock, what is checked of a stored index; formats leave it alone */
	const struct tn_map *mapped;	/* the entries are in this file, not ours to free; NULL */
	size_t n_gone;		/* so many at the begin are TN_PACKET_GONE, */
	size_t n_dropped;	/* and so many of these have no entry any more */
};

static inline struct tn_packet *
tn_packet_at(const struct tn_packet_index *index, size_t i)
{
	return &index->packet[i - index->n_dropped];
}

struct tn_stream_file {
	_Atomic(const char *) path;	/* as opened */
	struct tn_map map;
	uint64_t beside;	/* what the index file beside it was, as a sum; 0: none was read */
	const uint64_t *broken;	/* where the packets begin that have TN_PACKET_BREAK, in order */
	size_t n_broken;
	uint64_t leaving;	/* packets before this byte are TN_PACKET_GONE, */
	uint64_t gone;		/* and the bytes before this one are no longer there: atomic */
	uint64_t head;		/* of a set that grows: what it begins with, mixed; 0: not looked at */
	uint64_t passed;	/* of a set that grows: pages before this byte were given back */
};

struct tn_stream {
	struct tn_trace *trace;
	struct tn_stream_class *stream_class;
	uint64_t id;		/* instance id, or its number among files without one (text.md, 8) */
	bool has_instance_id;	/* the id comes from the packets */
	_Atomic(const char *) path;	/* absolute path of its first file, for messages to the user; it may be moved */
	const char *name;	/* short: file name without the tracer's rotation suffix, or thread, or process */
	const char *host;	/* where it was traced, when the format tells it of each stream; else NULL (tn_stream_host) */
	const char *loom;	/* the part of the trace in which numbers of threads and processors mean one thing; or NULL: all */
	const struct tn_env *about;	/* what the format says of the stream, for people */
	size_t n_about;
	uint32_t rank;		/* place among all streams of the set: order of equal times */
	struct tn_stream_file *file;
	size_t n_files;
	_Atomic(uint64_t) size;	/* bytes of all its files; they may grow while others read */
	struct tn_packet_index index;
	void *own;		/* the format's */
};

struct tn_trace {
	struct tn_arena arena;
	struct tn_shared_arena *late;	/* for what is made when it is first needed, in any thread; NULL: nothing is */
	const char *format;	/* "CTF 1.8", "CTF 2", "ovni", "vartrace" */
	const char *path;	/* the folder or file, as given or found */
	const char *name;	/* shown: host name and the path below the argument (text.md, 1); may be "" */
	const char *line_name;	/* the same in lines and warnings, if it differs there: several folders have a host name only */
	bool has_uuid;
	uint8_t uuid[16];
	const char *name_space, *own_name, *uid;	/* identity, CTF 2 */
	const char *attributes;
	bool big_endian;
	bool is_part;		/* only some of its streams were asked for: the others are left out */
	bool is_loose;		/* no class tells all of an event's shape: variants may hold nothing, names be values (KEDR) */
	bool strict_uuid;	/* a packet with another UUID cannot be read (KEDR); else it is told */
	uint32_t major, minor;
	struct tn_env *env;
	size_t n_env;
	struct tn_clock **clock;
	size_t n_clocks;
	struct tn_field *packet_header;	/* NULL when absent */
	struct tn_stream_class **stream_class;
	size_t n_stream_classes;
	struct tn_event_class **event_class;	/* of all stream classes; index = event_class->index */
	size_t n_event_classes;
	uint32_t n_fields;	/* tn_field.id is below this */
	uint32_t n_slots;	/* slots are below this */
	struct tn_stream **stream;
	size_t n_streams;
	const char *metadata_text;	/* as read, for the metadata view; NULL when the format has none */
	size_t metadata_size;
	struct tn_map metadata_map;	/* where the text is, when it is long: of the file, which may change beneath it, */
	uint64_t metadata_sum;		/* and tn_sum_metadata() of what was read */
	bool by_content, unkept;	/* how its files are known again (index/key.h), */
	uint64_t content_sum;		/* and what was in those whose times tell nothing yet */
	const struct tn_format *ops;	/* decoder.h */
	struct tn_digest *digest;	/* lib/digest: what scans learnt of its packets; NULL: nothing is kept */
	const struct tn_trace *grows;	/* it is opened for what this one has not got yet, to be joined to it; or NULL */
	const struct tn_open_options *options;	/* what the user wants; set before open, never NULL */
	struct tn_problems problems;
	const struct tn_memory *memory;	/* where its files are, while it is opened; NULL: on the disk */
	void *own;		/* the format's */
};

/* Traces that were opened together. Owned by tn_set_open(). */
struct tn_set {
	struct tn_trace **trace;
	size_t n_traces;
	struct tn_stream **stream;	/* of all traces, by rank */
	size_t n_streams;
	struct tn_problems problems;
	_Atomic(uint64_t) grown;	/* how often something was appended: cursors look for what is new */
};

/* Nanoseconds from the origin of @clock: offset and value each rounded down; saturated at the ends of int64_t. */
int64_t tn_clock_ns(const struct tn_clock *clock, uint64_t cycles);

/* Set clock->beyond, now that the shift is known. */
void tn_clock_settle(struct tn_clock *clock);

/* Whether @ns, as tn_clock_ns() gave it, is a time of @clock (NULL: no). */
static inline bool
tn_clock_fits(const struct tn_clock *clock, int64_t ns)
{
	return clock && !clock->beyond && ns != INT64_MAX;
}

/* The first clock value at or after @ns; saturates at 0 and UINT64_MAX. */
uint64_t tn_clock_cycles(const struct tn_clock *clock, int64_t ns);

/* Times of the two can be put in one order. */
bool tn_clocks_compare(const struct tn_clock *a, const struct tn_clock *b);

/* The entry of that name, or NULL. */
static inline const char *
tn_trace_line_name(const struct tn_trace *trace)
{
	return trace->line_name ? trace->line_name : trace->name;
}

const struct tn_env *tn_trace_env(const struct tn_trace *trace, const char *name);

/* The environment's hostname; NULL: it has none. */
const char *tn_trace_host(const struct tn_trace *trace);

/* Give every field below @root its parent and its id, from *next_id on, and every type its summary. */
void tn_field_number(struct tn_field *root, uint32_t *next_id);
/* The roots of all scopes that there are; those of stream classes and of event classes in their order. */
void tn_trace_each_scope(const struct tn_trace *trace, void (*fn)(struct tn_field *root, void *user), void *user);

/* What the scope @root (NULL: absent) has in it. */
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

/* Width of the widest number with that role in the packet contexts of @sc; 0: there is none of a fixed width. */
static inline unsigned
tn_context_bits(const struct tn_stream_class *sc, enum tn_role role)
{
	return sc->packet_context ? sc->packet_context->type->summary.bits[__builtin_ctz(role)] : 0;
}

/* Hide what has nothing but hidden fields inside (text.md, 3). Call when `hidden` of the leaves is set. */
void tn_field_hide_empty(struct tn_field *root);


/* "event.fields.a.b[]" for messages; @scope_name names the root. Returns @buf. */
const char *tn_field_path(const struct tn_field *field, const char *scope_name, char *buf, size_t size);

/* A sum of the metadata, piece by piece, so that no more of a mapped text counts as ours; @text may be NULL. */
uint64_t tn_sum_metadata(const struct tn_map *map, const char *text, size_t n);
/* That of the text as it was when the trace was opened. */
uint64_t tn_trace_metadata_sum(const struct tn_trace *trace);

/* Map a file of the trace while it is opened, from where they are: @path begins with trace->path. */
enum tn_code tn_trace_map(const struct tn_trace *trace, struct tn_map *out, const char *path, struct tn_error *err) TN_MUST_CHECK;

#endif
