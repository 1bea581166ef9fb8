/*
 * private.h - shared by the files of lib/perfetto
 *
 * One scan of the file finds the bundles of each processor, the clocks and the names. A bundle of ftrace events is a
 * packet of tnav, whose rows are sorted when it is walked. All other packets are rows of one stream. The scan finds their
 * classes, and makes an entry for each. Entries are sorted by time. Values are read when they are shown.
 *
 * Source     perfetto.md
 */
#ifndef TN_PERFETTO_PRIVATE_H
#define TN_PERFETTO_PRIVATE_H

#include "base/filesort.h"
#include "base/hash.h"
#include "model/build.h"
#include "perfetto/wire.h"

/* ---- packets (packet.c) ---- */

enum {
	TN_PF_FTRACE = 1, TN_PF_PROCESS_TREE = 2, TN_PF_CLOCKS = 6, TN_PF_PROCESS_STATS = 9, TN_PF_TRACK_EVENT = 11,
	TN_PF_FTRACE_STATS = 34, TN_PF_TRACE_STATS = 35, TN_PF_SYNC = 36, TN_PF_PROCESS = 43, TN_PF_THREAD = 44,
	TN_PF_SYSTEM_INFO = 45, TN_PF_ZLIB = 50, TN_PF_TRACK = 60, TN_PF_UUID = 89, TN_PF_ZSTD = 133
};

struct tn_pf_packet {
	uint64_t at, next;		/* first byte in the data, after the length; that byte of the next packet */
	bool bad;			/* the bytes do not end like a message */
	bool has_time, is_cleared, needs_state, is_first, is_foreign;
	uint64_t time, clock, dropped;	/* clock 0: not recorded */
	uint32_t sequence;
	uint64_t content;		/* number of the field with the content; 0: none */
	struct tn_pf_bytes body, interned, defaults;
};

/* Get the packet at @at of the data. False: the data end or are damaged there. */
bool tn_pf_packet_at(struct tn_pf_packet *out, const uint8_t *data, uint64_t at, uint64_t size);
/* Find the first place after damage at @at where packets begin again, by a synchronization marker. @size: none. */
uint64_t tn_pf_resync(const uint8_t *data, uint64_t at, uint64_t size);
/* Copy a text to the arena of the trace. NULL: memory is out. */
const char *tn_pf_copy(struct tn_trace *trace, struct tn_pf_bytes text);
/* The name of a kind of content; NULL: unknown. */
const char *tn_pf_content_name(uint64_t content);

/* Unpack compressed packets into a nameless file (unpack.c). own->data are then all packets. */
enum tn_code tn_pf_unpack(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;

/* ---- clocks (clock.c): convert all times to BOOTTIME ---- */

enum { TN_PF_REALTIME = 1, TN_PF_MONOTONIC = 3, TN_PF_BOOTTIME = 6, TN_PF_LOCAL_CLOCK = 64, TN_PF_GLOBAL_CLOCK = 128 };

struct tn_pf_reading {			/* a clock in a snapshot, with BOOTTIME or MONOTONIC at the same moment */
	uint64_t clock;			/* number of the clock; for a clock of a sequence, the upper half is the sequence */
	uint64_t time, unit, boot;
	size_t order;
	bool is_incremental, is_mono;
};

struct tn_pf_clocks {
	TN_ARRAY(struct tn_pf_reading) readings;	/* sorted */
	struct tn_hash last;		/* incremental clocks: the value in their last packet */
	bool has_origin;
	uint64_t origin;		/* nanoseconds from 1970 to boot */
	uint64_t first_boot;		/* BOOTTIME of the first snapshot; 0: none */
	uint64_t n_unknown;		/* number of times of clocks without a snapshot */
};

/* Add a snapshot; sort the snapshots when all are added. False: memory is out. */
bool tn_pf_clock_add(struct tn_pf_clocks *c, struct tn_pf_bytes snapshot, uint32_t sequence);
void tn_pf_clock_settle(struct tn_pf_clocks *c);
/* Set the incremental clocks to the start values in a snapshot. */
bool tn_pf_clock_begin(struct tn_pf_clocks *c, struct tn_pf_bytes snapshot, uint32_t sequence);
/* Convert a time of a packet to BOOTTIME, at least 0. An incremental clock advances. */
int64_t tn_pf_clock_boot(struct tn_pf_clocks *c, uint64_t clock, uint32_t sequence, uint64_t time);
void tn_pf_clock_release(struct tn_pf_clocks *c);

/* ---- ftrace (bundle.c, ftrace.c) ---- */

struct tn_pf_text {			/* a text in the data */
	uint64_t at;
	uint32_t n;
};

struct tn_pf_bundle {
	uint64_t at, n;			/* range of its bytes in the data */
	int64_t begin, end;		/* smallest and largest time of its rows */
	int32_t pid;			/* the thread that runs before it; -1: unknown */
	struct tn_pf_text comm;
	bool has_lost;
};

struct tn_pf_cpu {
	uint32_t cpu;
	TN_ARRAY(struct tn_pf_bundle) bundles;
	int32_t pid;			/* the thread that runs after the last bundle */
	struct tn_pf_text comm;
};

/* A kind of kernel events. */
struct tn_pf_kind {
	uint32_t number;		/* number of its field in FtraceEvent */
	const char *group, *name, *fields;
	struct tn_event_class *event_class;	/* NULL: the file does not have such events */
	struct tn_pf_member { uint32_t number; char type; } *member;	/* an item for each field of the payload */
	bool is_text;			/* the kind is not described, so its fields are shown as a text */
};

#define TN_PF_CPUS 4096
#define TN_PF_CLASSES 4096	/* limit of classes of track events */
#define TN_PF_NAME 512		/* limit of bytes in the name of a class */
#define TN_PF_MEMBERS 64	/* limit of fields in an event */
#define TN_PF_KINDS 1024		/* kinds with a smaller number are in an array */
#define TN_PF_SWITCH 4
#define TN_PF_WAKING 20

struct tn_pf_name {			/* the name of a thread */
	int32_t tid, pid;
	const char *name;
};

/* ---- track events and other packets (track.c, annotations.c, event.c) ---- */

/* The kind of an annotation's value, as far as it is known. */
enum tn_pf_seen { TN_PF_BOOL, TN_PF_UINT, TN_PF_SINT, TN_PF_DOUBLE, TN_PF_STRING, TN_PF_DICT, TN_PF_ARRAY, TN_PF_MESSAGE };

struct tn_pf_note {
	struct tn_pf_bytes name;
	enum tn_pf_seen what;
	uint64_t value;
	struct tn_pf_bytes bytes;	/* a text; or the message with the members of a dictionary or an array */
};

/* A place in the annotations of a class, and the kinds of values that occurred there. */
struct tn_pf_node {
	struct tn_pf_bytes key;		/* the key, in the arena */
	uint32_t seen;			/* bits 1 << enum tn_pf_seen, and TN_PF_LARGE */
	uint32_t n, index;		/* number of members; its own number in the parent */
	struct tn_pf_node *first, *last, *next;	/* an array has one member for all its elements */
	const struct tn_field *field;
};

#define TN_PF_LARGE (1u << 16)		/* an unsigned number exceeds INT64_MAX */
#define TN_PF_DEPTH 8			/* limit of nested dictionaries and arrays; deeper ones are texts */

enum { TN_PF_HAS_INT = 1, TN_PF_HAS_DOUBLE = 2, TN_PF_HAS_FLOW = 4, TN_PF_HAS_END_FLOW = 8, TN_PF_IS_CHANGE = 16 };

/* A class: events with one type and name, counters of one track, or packets with one content. */
struct tn_pf_class {
	char type;			/* B E I C X of an event; P: another packet */
	bool is_other;			/* the class for events of all names that do not have a class */
	uint32_t has;			/* bits TN_PF_HAS_... */
	uint32_t track;			/* number of a counter's track */
	const char *name;
	struct tn_pf_node notes;
	struct tn_event_class *event_class;
};

struct tn_pf_track {
	uint64_t uuid, parent;
	int32_t pid, tid;		/* -1: unknown */
	const char *name, *process, *thread;	/* NULL: unknown */
	bool is_change;			/* the values of its counter are differences */
};

/* Text number `iid` of a kind, valid from the packet at `at` on. `state`: each clearing of a sequence gives it a new number. */
struct tn_pf_interned {
	uint64_t at, text_at;
	uint32_t n, before;		/* `before`: index + 1 of the previous definition; 0: none */
};
struct tn_pf_intern_key {
	uint32_t state, kind;
	uint64_t iid;
};
enum { TN_PF_CATEGORY = 1, TN_PF_EVENT_NAME = 2, TN_PF_NOTE_NAME = 3, TN_PF_NOTE_TEXT = 29 };

/* A row. It begins like struct tn_filesort_key. */
struct tn_pf_entry {
	int64_t ns;
	uint64_t at;			/* position of its packet in the data */
	uint32_t class : 13, track : 18;	/* `track`: index + 1; 0: none */
	uint32_t is_loss : 1;		/* not an event: packets of its sequence were lost */
	uint32_t state;
};
#define TN_PF_BLOCK 4096		/* entries in a packet of tnav */

/* Results of the scan that are reported and are not rows. */
struct tn_pf_found {
	uint64_t end;			/* end of the last complete packet */
	uint64_t overrun[TN_PF_CPUS][2];	/* overruns of the kernel's buffers, at the begin and the end of the session */
	uint64_t stats[4];		/* overwritten chunks, discarded chunks, failed patches, losses in programs */
	uint64_t n_bad, bad_at;		/* number of packets that cannot be read; position of the first one */
	uint64_t lost_at, n_lost;	/* position and number of bytes that are not packets */
	uint64_t n_left_out;		/* number of bundles that are left out */
	uint64_t n_dropped, n_uninterned;	/* number of packets whose texts were lost; number of texts above the limit */
	uint64_t n_trackless;		/* number of events of tracks above the limit */
};

/* trace->own */
struct tn_pf_trace {
	struct tn_map map, flat;	/* the file; its unpacked packets, if some were compressed */
	struct tn_map stored;		/* a stored scan, if there is one */
	const uint8_t *data;
	uint64_t size;
	struct tn_pf_found found;
	bool is_flat;
	struct tn_pf_clocks clocks;
	TN_ARRAY(struct tn_pf_cpu) cpus;
	uint32_t cpu_at[TN_PF_CPUS + 1];	/* index in `cpus` plus 1; the last item is for all larger numbers */
	TN_ARRAY(struct tn_pf_kind) others;	/* kinds that are not in events.def, by number */
	struct tn_pf_kind kind[TN_PF_KINDS], unknown_kind;	/* unknown_kind: for kinds above the limit */
	uint8_t seen[TN_PF_KINDS / 8];		/* kinds of events in the file, one bit for each */
	TN_ARRAY(uint32_t) seen_others;
	TN_ARRAY(struct tn_pf_name) names;
	struct tn_hash name_of;		/* index of the name, by tid */
	const char *version, *sysname, *release, *machine;	/* NULL: absent */
	struct tn_map entries;
	uint64_t n_entries;
	TN_ARRAY(struct tn_pf_class) classes;
	TN_ARRAY(struct tn_pf_track) tracks;
	struct tn_hash track_of;	/* index of the track, by uuid */
	TN_ARRAY(struct tn_pf_interned) interned;
	struct tn_hash intern;		/* index of the last text with each key */
	struct tn_field *track;		/* context of rows that are packets */
	struct tn_stream_class *packets;
	struct tn_field *thread, *processor;	/* context of the kernel's events, and of their packets */
	struct tn_stream_class *ftrace;
};

const struct tn_pf_kind *tn_pf_kind_of(const struct tn_pf_trace *own, uint64_t number);

/* Scan a bundle (bundle.c). False: memory is out. */
bool tn_pf_bundle_scan(struct tn_trace *trace, struct tn_pf_bytes bundle);

/* How to convert the times of a bundle, which are those of its clock: one moment in both clocks. */
struct tn_pf_shift {
	uint64_t from, to;
};

static inline int64_t
tn_pf_shifted(const struct tn_pf_shift *s, uint64_t time)
{
	uint64_t t = time - s->from + s->to;

	return t > INT64_MAX / 4 ? INT64_MAX / 4 : (int64_t)t;
}

/* Read a field of a bundle that describes its clock. */
void tn_pf_bundle_clock(struct tn_pf_shift *out, const struct tn_pf_field *f);

#define TN_PF_COLUMNS 13

/* The columns of compact_sched. */
struct tn_pf_sched {
	struct tn_pf_in column[TN_PF_COLUMNS];
	struct tn_pf_bytes body;
};
enum {
	TN_PF_SWITCH_TIME = 1, TN_PF_SWITCH_STATE, TN_PF_SWITCH_PID, TN_PF_SWITCH_PRIO, TN_PF_TEXTS, TN_PF_SWITCH_COMM,
	TN_PF_WAKING_TIME, TN_PF_WAKING_PID, TN_PF_WAKING_CPU, TN_PF_WAKING_PRIO, TN_PF_WAKING_COMM, TN_PF_WAKING_FLAGS
};
/* False: the bytes are not a valid message; the columns before the damage are set. */
bool tn_pf_sched_read(struct tn_pf_sched *out, struct tn_pf_bytes body);

/* Put the first row of a packet with TN_PACKET_LOSES: events were lost before it. False: memory is out. */
static inline bool
tn_pf_put_loss(struct tn_batch *b)
{
	const struct tn_notice loss = {
		.kind = TN_ROW_LOST_EVENTS, .count = TN_UNKNOWN, .has_range = b->has_before,
		.begin_ns = b->has_before ? b->before.end_ns : 0, .end_ns = b->entry.begin_ns,
	};

	return tn_batch_notice(b, b->entry.begin_ns, &loss);
}

enum tn_code tn_pf_ftrace_extend(struct tn_stream *stream, struct tn_error *err);
enum tn_code tn_pf_ftrace_walk(struct tn_batch *b, struct tn_error *err);
enum tn_code tn_pf_ftrace_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err);

struct tn_pf_tracker;
/* Make rows from the packets of a trace, which must be passed in the order of the file (track.c). NULL: memory is out. */
struct tn_pf_tracker *tn_pf_tracker_new(struct tn_trace *trace, int64_t start);
enum tn_code tn_pf_tracker_take(struct tn_pf_tracker *t, const struct tn_pf_packet *p, struct tn_error *err) TN_MUST_CHECK;
enum tn_code tn_pf_tracker_end(struct tn_pf_tracker *t, struct tn_error *err) TN_MUST_CHECK;
void tn_pf_tracker_free(struct tn_pf_tracker *t);

/* The text that was interned before the packet at @at; empty: none. */
struct tn_pf_bytes tn_pf_interned(const struct tn_pf_trace *own, uint32_t state, unsigned kind, uint64_t iid, uint64_t at);
/* Read an annotation. */
void tn_pf_note_read(struct tn_pf_note *out, const struct tn_pf_trace *own, uint32_t state, uint64_t at, struct tn_pf_bytes body);
/* Learn the kind of a value in an annotation of a class. @n_nodes: number of nodes in the trace. False: memory is out. */
bool tn_pf_learn(struct tn_trace *trace, struct tn_pf_node *in, const struct tn_pf_note *note, uint32_t state, uint64_t at,
		 unsigned depth, size_t *n_nodes);
/* Add a member to @in. NULL: memory is out. */
struct tn_pf_node *tn_pf_node_add(struct tn_arena *arena, struct tn_pf_node *in);
struct tn_pf_node *tn_pf_member(const struct tn_pf_node *in, struct tn_pf_bytes key, const struct tn_pf_node *hint);
struct tn_type *tn_pf_node_type(struct tn_builder *b, const struct tn_pf_node *node);
enum tn_code tn_pf_event_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err);
enum tn_code tn_pf_event_walk(struct tn_batch *b, struct tn_error *err);
enum tn_code tn_pf_event_extend(struct tn_stream *stream, struct tn_error *err);

#define TN_PF_ROOM 16384	/* bytes for those texts of an event that are not in this form in the file */
/* Copy the text in @s into the event, and release @s. NULL: memory is out. */
void tn_pf_put_text(struct tn_values *values, const struct tn_field *field, struct tn_str *s);

/* ---- scan.c, store.c, model.c ---- */

enum tn_code tn_pf_scan(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;
/* Report losses and damage. */
void tn_pf_tell(const struct tn_trace *trace);
struct tn_scan_parts;
bool tn_pf_parts(struct tn_trace *trace, struct tn_scan_parts *s);	/* index/stored_scan.h */
enum tn_code tn_pf_build(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;
const struct tn_pf_name *tn_pf_name_of(const struct tn_pf_trace *own, int32_t tid);

#endif
