/*
 * private.h - shared by the files of lib/ovni
 *
 * A stream is cut into entries of the index. They begin with an event and can be sorted one by one: no event
 * before a boundary is later than an event after it (scan.c). An entry is walked in file order, or, if events
 * in it are out of order, by clock, then position (walk.c).
 */
#ifndef TN_OVNI_PRIVATE_H
#define TN_OVNI_PRIVATE_H

#include "base/bits.h"
#include "base/hash.h"
#include "model/decoder.h"
#include "ovni/catalogue.h"

#define TN_OVNI_STREAM_HEADER 8
#define TN_OVNI_EVENT_HEADER 12
#define TN_OVNI_JUMBO_HEADER 16		/* bytes of a jumbo event's header and of its size */
#define TN_OVNI_JUMBO 0x10		/* flag of a jumbo event */
#define TN_OVNI_ARGS 4			/* the most arguments of an event of the catalogue, plus one */
#define TN_OVNI_MARKS 100		/* the number of mark types; a mark type is less */

enum {
	TN_OVNI_UNSORTED = TN_PACKET_OWN,	/* flag of an entry: events in it are out of order */
	TN_OVNI_IN_REGION = TN_PACKET_OWN << 1	/* flag of an entry: it begins between OU[ and OU] */
};

struct tn_ovni_arg {
	const char *name;
	uint8_t size;		/* bytes of the argument; 0: a text up to a NUL, always the last argument */
	bool is_signed;
};

/* A part of a description: a literal text, then the value of an argument. */
struct tn_ovni_piece {
	const char *text;
	uint32_t n;
	int arg;		/* number of the argument; -1: none */
	bool hex;
};

/* An event of the catalogue, prepared for reading. */
struct tn_ovni_event {
	const struct tn_ovni_def *def;
	uint32_t mcv;
	uint32_t n_args, n_pieces;
	uint32_t args_size;	/* bytes of the arguments that are numbers */
	struct tn_ovni_arg arg[TN_OVNI_ARGS];
	struct tn_ovni_piece piece[TN_OVNI_ARGS + 1];
	bool is_mark;
	size_t text_size;	/* largest size of the description without its strings */
	struct tn_field *payload;
	struct tn_field *text, *first_arg, *rest, *warning;	/* fields of the payload */
	struct tn_field *title, *label;	/* the title of a mark, the name of a counter; the label of a mark */
	struct tn_field *phyid;	/* physical id of the CPU whose index is the first argument; NULL: none */
};

struct tn_ovni_cpu {
	int64_t index, phyid;
};

struct tn_ovni_label {
	int64_t value;
	const char *text;
};

struct tn_ovni_mark {
	const char *title;	/* NULL: not defined */
	bool is_stack;		/* values are pushed and popped; otherwise a value is set */
	TN_ARRAY(struct tn_ovni_label) labels;	/* sorted by value once the trace is open */
};

/* Index of the first label whose value is @value or greater; labels.n: none. */
static inline size_t
tn_ovni_label_at(const struct tn_ovni_mark *mark, int64_t value)
{
	size_t lo = 0;

	TN_BISECT(lo, mark->labels.n, mid, mark->labels.item[mid].value < value);
	return lo;
}

/* The versions of a model that streams require (2). */
struct tn_ovni_required {
	bool any;
	uint32_t lowest, highest;	/* major versions */
};

#define TN_OVNI_LETTERS 128	/* the codes of the catalogue are ASCII */

struct tn_ovni_trace {
	struct tn_ovni_event *event;	/* sorted by mcv; number n_events is the unknown event */
	size_t n_events;
	/* The row of `number` for a model and a category, from 1 on; 0: no event begins with these two letters. */
	uint8_t row[TN_OVNI_LETTERS][TN_OVNI_LETTERS];
	uint16_t (*number)[TN_OVNI_LETTERS];	/* number of the event for a row and a value letter; n_events: unknown */
	struct tn_field *unknown, *unknown_bytes, *unknown_warning;
	struct tn_field *header;	/* event header: flags, model, category, value, clock */
	struct tn_field *context;	/* loom, pid, tid, app_id, rank, nranks, loom_cpus */
	bool has_ranks;		/* a stream has a rank: otherwise exports omit the field */
	bool requires_some;	/* at least one stream declares requirements */
	struct tn_ovni_required required[TN_OVNI_MODELS];	/* one for each entry of tn_ovni_models */
	struct tn_ovni_mark mark[TN_OVNI_MARKS];
	const char *counters;	/* names of the hardware counters, ", " between them; NULL: not defined */
	size_t n_counters;
};

/* A part of the stream between two places where tnav may cut the stream. */
struct tn_ovni_segment {
	uint64_t offset;
	uint64_t min, max;	/* smallest and largest clock of its events */
	uint64_t n_events;
	bool unsorted, in_region;
};

struct tn_ovni_scan {
	uint64_t at;		/* byte of the next event to read; 0: the scan starts at the first event */
	size_t n_entries;	/* number of entries in the index when the scan stopped */
	bool in_region, saw_region;
	uint64_t before;	/* clock of the last event outside of a sort region */
	uint64_t n_back, first_back;	/* number of events out of order outside of sort regions; byte of the first one */
	TN_ARRAY(struct tn_ovni_segment) segments;
};

/* stream->own */
struct tn_ovni_stream {
	bool big_endian;
	bool is_kernel;		/* requires the kernel model, whose events are written late */
	uint32_t class_base;	/* index of the first event class of its stream class */
	const char *loom;	/* NULL: unknown */
	size_t loom_n;
	bool has_pid, has_tid;
	int32_t pid, tid;
	int32_t app_id, rank, n_ranks;	/* values of the process; 0, -1, -1: unknown */
	const struct tn_ovni_cpu *cpu;	/* CPUs of the loom, by index */
	size_t n_cpus;
	const char *cpu_text;	/* physical ids of these CPUs, such as "0-3, 8"; NULL: none */
	size_t cpu_text_n;
	struct tn_ovni_scan scan;
};

static inline uint32_t
tn_ovni_u32(const uint8_t *p, bool big_endian)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return big_endian == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? v : __builtin_bswap32(v);
}

static inline uint64_t
tn_ovni_clock(const uint8_t *event, bool big_endian)
{
	return big_endian ? tn_load64_be(event + 4) : tn_load64(event + 4);
}

/* Whether the bytes are zeros. No event is all zeros: the file was extended, or lost its last bytes. */
static inline bool
tn_ovni_is_blank(const uint8_t *event)
{
	return (tn_load64(event) | tn_load64(event + 4)) == 0;
}

/* Size of the event at @p with its header; 0: not an event, or it does not fit into the @left bytes (4). */
static inline uint64_t
tn_ovni_event_size(const uint8_t *p, uint64_t left, bool big_endian)
{
	uint64_t size;

	if (left < TN_OVNI_EVENT_HEADER || __builtin_expect(tn_ovni_is_blank(p), 0))
		return 0;
	if (p[0] & TN_OVNI_JUMBO) {
		if (left < TN_OVNI_JUMBO_HEADER)
			return 0;
		size = TN_OVNI_JUMBO_HEADER + (uint64_t)tn_ovni_u32(p + TN_OVNI_EVENT_HEADER, big_endian);
	} else {
		unsigned code = p[0] & 15;

		size = TN_OVNI_EVENT_HEADER + code + (code != 0);
	}
	return size <= left ? size : 0;
}

/* Number of the event in the catalogue; n_events if it is unknown. */
uint32_t tn_ovni_find(const struct tn_ovni_trace *t, const uint8_t *event);

/* The name of an event by its three letters, made safe; @out has 16 bytes. */
void tn_ovni_name(char *out, const uint8_t *mcv);

/* Returns the CPU of the stream's loom with this index (3); NULL: none. */
const struct tn_ovni_cpu *tn_ovni_find_cpu(const struct tn_ovni_stream *own, int64_t index);

/* model.c: make the types, and one stream class for each of the @n_clocks clocks in trace->clock. */
enum tn_code tn_ovni_build(struct tn_trace *trace, struct tn_error *err);

/* The contents of stream.json. */
struct tn_ovni_meta {
	const char *path;	/* relative to the trace; "" if the trace is the stream */
	const char *folder;	/* the path for opening */
	const char *text;	/* the JSON as read */
	size_t text_size;
	const char *part;	/* kind of part that the stream records ("thread"); NULL: absent */
	const char *loom;	/* name of the loom; NULL: unknown */
	const char *lib_version;
	int64_t tid, pid;	/* 0: unknown */
	int64_t app_id;		/* 0: unknown */
	int64_t rank, n_ranks;	/* -1: unknown */
	bool finished, requires_kernel;
	struct tn_ovni_cpu *cpu;
	size_t n_cpus;
	const struct tn_ovni_cpu *loom_cpu;	/* CPUs of all threads of the loom, by index; parts.c */
	size_t n_loom_cpus;
};

/*
 * metadata.c: read stream.json in meta->folder. Mistakes that do not prevent reading are reported as problems.
 */
enum tn_code tn_ovni_load_meta(struct tn_trace *trace, struct tn_ovni_meta *meta, struct tn_error *err);

/* parts.c: join what all streams define about looms and processes (3), and give each stream the result. */
enum tn_code tn_ovni_join_parts(struct tn_trace *trace, struct tn_ovni_meta *meta, size_t n, struct tn_error *err);

/* A line of clock-offsets.txt (6). */
struct tn_ovni_offset {
	const char *host;
	int64_t median;
	bool used;
};

struct tn_ovni_offsets {
	TN_ARRAY(struct tn_ovni_offset) list;
	struct tn_hash by_host;	/* index in `list` */
};

/*
 * offsets.c: read the file at @path into @out, which the caller zeroes, and releases in any case. TN_OK if the
 * file does not exist.
 */
enum tn_code tn_ovni_load_offsets(struct tn_ovni_offsets *out, struct tn_trace *trace, const char *path,
				  struct tn_error *err);
struct tn_ovni_offset *tn_ovni_find_offset(const struct tn_ovni_offsets *offsets, const char *host, size_t n);
void tn_ovni_offsets_release(struct tn_ovni_offsets *offsets);

enum tn_code tn_ovni_extend(struct tn_stream *stream, struct tn_error *err);
enum tn_code tn_ovni_walk(struct tn_batch *batch, struct tn_error *err);
enum tn_code tn_ovni_check(struct tn_stream *stream, struct tn_error *err);
enum tn_code tn_ovni_read(const struct tn_batch *batch, size_t i, unsigned scopes, struct tn_event *out,
			  struct tn_error *err);

extern const struct tn_pair_rules tn_ovni_pairs;

/* batch->own of a batch whose rows were sorted: the rows that go back in time outside of a sort region. */
struct tn_ovni_order {
	uint8_t runs_back[TN_BATCH_REFS / 8];
	struct tn_ovni_place {
		uint64_t clock, offset;
		bool runs_back;
	} place[TN_BATCH_REFS];
};

#endif
