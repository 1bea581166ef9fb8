/*
 * decoder.h - the interface that a format implements
 *
 * A format opens a trace (model), finds its packets (index), walks them into batches of events, and reads the values
 * of an event. A format without packets makes entries itself: places at regular distances, chosen so that no event
 * before a place is later than an event after it.
 *
 * Threads    `walk` and `read` may run in several threads at a time on one trace, because they change only their
 *            arguments. `extend` runs in one thread at a time for a stream, and no other thread then reads the index.
 *            It may move index.packet, so other threads get copies of entries (lib/index/packet_index.h), and `walk`
 *            and `read` use the copies in the batch.
 * Hostile    No byte of a stream is trusted: `walk` and `read` check each position against the content.
 */
#ifndef TN_MODEL_DECODER_H
#define TN_MODEL_DECODER_H

#include <tnav/cursor.h>	/* enum tn_row_kind */

#include "base/str.h"
#include "model/pairs.h"
#include "model/trace.h"

/* A row of a batch: an event, or a notice in its place. 16 bytes: a page of a trace has thousands. */
struct tn_ref {
	int64_t time_ns;	/* the merge key; never less than in the row before it in the stream */
	uint32_t bit;		/* event: bits from batch->base_bit to the start of its header; notice: its number */
	uint32_t event_class;	/* index in trace->event_class; TN_REF_NOTICE: batch->notice[bit] */
};

#define TN_REF_NOTICE UINT32_MAX
#define TN_BATCH_REFS 8192	/* limit of rows in a batch */

/* A row that is not an event. */
struct tn_notice {
	enum tn_row_kind kind;	/* not TN_ROW_EVENT */
	uint64_t count;		/* number of losses, or TN_UNKNOWN */
	bool has_range;
	int64_t begin_ns, end_ns;
	uint64_t bit;		/* damage: position in bits from the start of the packet */
	char *text;		/* damage: "packet 17 at byte 69632: event 3: ..."; owned by the batch */
};

/*
 * The place where a walk continues inside a packet. At the packet's start the mark is zero, except that clock and key
 * come from the entry's clock_start and begin_ns. A large packet is walked in many batches, and each batch has marks,
 * so a mark is small.
 */
struct tn_mark {
	uint64_t bit;		/* bits from the start of the packet; 0: not begun */
	uint64_t clock;		/* running clock */
	uint64_t row;		/* number of rows of the packet before the mark */
	int64_t key;		/* largest time so far; later merge keys are not less */
	uint32_t told;		/* problems already reported for this packet, as bits that the format defines */
	bool noticed;		/* the packet had notices before the mark (index/batches.c sets this and `events`) */
	uint64_t events;	/* number of events before the mark */
};

/* Rows of one packet, in order. */
struct tn_batch {
	const struct tn_stream *stream;
	size_t packet;		/* number of the packet's entry in the index */
	struct tn_packet entry;	/* copy of the packet's entry */
	bool has_before;
	struct tn_packet before;	/* copy of the entry before it, for losses; `walk` does not read the index */
	uint32_t limit;		/* limit of rows in this walk, 1 to TN_BATCH_REFS; 0: TN_BATCH_REFS */
	/*
	 * Only n_events is needed. A format may then count a packet without notices, and leave out the rows; if it
	 * gives rows, they are complete.
	 */
	bool counts;
	const uint8_t *data;	/* first byte of the packet, in the mapped file */
	uint64_t base_bit;	/* added to ref.bit */
	struct tn_mark begin, end;	/* where this walk began, and where the next one continues */
	bool last;		/* the packet has no rows after this batch */
	TN_ARRAY(struct tn_ref) refs;
	/*
	 * NULL, or the clock value of each row. The format sets it if a clock value does not follow from time_ns: for
	 * a frequency other than 10^9, or if time went back, so that the displayed time differs from the merge key.
	 */
	uint64_t *cycles;
	size_t cycles_room;
	TN_ARRAY(struct tn_notice) notices;
	size_t n_events;	/* rows that are events */
	void *own;		/* memory that the format keeps between walks; freed with free() */
};

/* Rows [first, first + n) of a batch. */
struct tn_rows {
	const struct tn_batch *batch;
	size_t first, n;
};

void tn_batch_clear(struct tn_batch *b);	/* removes the rows, and keeps the allocation */
void tn_batch_release(struct tn_batch *b);
/* Add a copy of the notice, and take ownership of its text. */
bool tn_batch_notice(struct tn_batch *b, int64_t key_ns, const struct tn_notice *n);
bool tn_batch_damage(struct tn_batch *b, int64_t key_ns, uint64_t bit, const char *text);

/* The clock value of row @i: from `cycles` if it is set, otherwise computed from the row's time. */
uint64_t tn_batch_cycles(const struct tn_batch *b, size_t i);

/* The displayed time of row @i: the merge key, unless time went back. */
int64_t tn_batch_time(const struct tn_batch *b, size_t i);

/* The scopes of an event, in the order of the packet. */
#define TN_SCOPES 6	/* number of constants of enum tn_scope (tnav/event.h) */

/*
 * One decoded value, in preorder: its contents follow a structure, array, variant or optional. 48 bytes, and no
 * pointer to free: bytes are borrowed from the mapped file.
 */
struct tn_value {
	const struct tn_field *field;
	union {
		uint64_t u;	/* UINT, BITS, BITMAP of up to 64 bits; BOOL of any length */
		int64_t i;	/* SINT */
		double f;
		const uint8_t *bytes;	/* STRING, BLOB, and integers wider than 64 bits in the form of tn_value_bytes() */
		uint64_t n;	/* elements of an ARRAY, members of a STRUCT, 0 or 1 of VARIANT and OPTIONAL */
	};
	uint64_t size;		/* bytes of a STRING (without the terminator) or a BLOB */
	uint64_t bit;		/* start of the value, in bits from the start of the packet */
	uint64_t end;		/* the bit after the value, with its terminator, cut bytes and padding */
	uint32_t next;		/* number of values in this value, including itself: 1 for a leaf */
	/*
	 * VARIANT: number of the selected option; UINT32_MAX: none. LEB128 integer: 1 if it has more than 64 bits,
	 * and its value is then the nearest possible one.
	 */
	uint32_t option;
};

/* An event with its values. Zero it before the first use. The allocations are used again for the next event. */
struct tn_event {
	const struct tn_stream *stream;
	const struct tn_event_class *event_class;
	const char *name;	/* name of the class, or a name made for this event in name_room; NULL: unknown */
	char name_room[64];
	bool has_cycles;	/* the stream has a clock */
	bool has_time;		/* the stream has a clock, and the time fits into time_ns */
	int64_t time_ns;	/* the displayed time */
	uint64_t cycles;
	size_t packet;		/* entry in the index */
	uint64_t row;		/* number of the row in the packet */
	uint64_t bit, end_bit;	/* range of the event, in bits from the start of the packet */
	struct tn_value *value;
	size_t n_values, room;
	uint32_t scope[TN_SCOPES];	/* index of the scope's root value; UINT32_MAX: absent */
	uint64_t *slot;		/* values for references; trace->n_slots items */
	size_t n_slots;
	const struct tn_field *only;	/* `read` may skip members that neither contain this field nor are in it */
	void *text_room;	/* space for converted values, whose bytes differ from those in the file */
	size_t text_n, text_size;
};

void tn_event_release(struct tn_event *e);

/* Make @e an event of @batch that does not have values, class, name and time yet: `read` sets these. */
void tn_event_begin(struct tn_event *e, const struct tn_batch *batch);

/* Add space for one value; NULL: memory is out. */
struct tn_value *tn_event_add(struct tn_event *e);

#define TN_READ_PACKET SIZE_MAX	/* input of `read`: only the packet's scopes, without an event */

/* Results of a format's probe. */
enum tn_probe {
	TN_PROBE_NO,		/* not a trace of this format */
	TN_PROBE_MAYBE,		/* possible, if no other format claims it (formats without a magic number) */
	TN_PROBE_YES
};

struct tn_format {
	const char *name;	/* name for --format: "ctf", "ovni", "vartrace" */
	unsigned meaning;	/* a TN_MEANING_... constant (base/meaning.h), part of the cache keys of the format's traces */
	const struct tn_pair_rules *pairs;	/* which events begin and end spans; NULL: names alone decide (model/pairs.h) */

	/* Whether the folder or file at @path is a trace of this format. Failures are not reported. */
	enum tn_probe (*probe)(const char *path, bool is_folder);
	enum tn_probe (*probe_memory)(const struct tn_memory *memory);	/* the same for files in memory; NULL: never in memory */
	/*
	 * Replaces the two functions above if each trace of the format is one file: whether the bytes are such a
	 * file.
	 */
	enum tn_probe (*probe_bytes)(const uint8_t *data, size_t size);
	bool in_folders;	/* a search in a folder opens files of this format; otherwise it only mentions them */

	/*
	 * Whether the file at @path is a part of a trace of this format, judged by its first bytes or the files in
	 * its folder. Sets @folder to the folder of the trace (empty: the description of the trace is missing), and
	 * @stream to the file of the stream that @path belongs to (empty: all streams). NULL: traces of this format
	 * do not have parts.
	 */
	bool (*belongs)(const char *path, struct tn_str *folder, struct tn_str *stream);

	/*
	 * Open the trace at @path: set all members of @trace except name, ranks and clock->shift_ns. @trace is zero,
	 * except for path, ops, options and problems. No index entries are made yet. Problems that are not fatal are
	 * added to trace->problems.
	 */
	enum tn_code (*open)(struct tn_trace *trace, struct tn_error *err);

	/*
	 * If @from and @into, both of this format, are parts of one logical trace (same UUID), move the streams of
	 * @from to @into, and match stream classes by id. TN_END: they are different traces. NULL: traces of this
	 * format are never joined.
	 */
	enum tn_code (*join)(struct tn_trace *into, struct tn_trace *from, struct tn_error *err);

	/*
	 * Work on the stream's index for a moment: append entries, or set `complete`, or do neither if the search for
	 * the next entry has to continue.
	 */
	enum tn_code (*extend)(struct tn_stream *stream, struct tn_error *err);

	/*
	 * Whether the packet agrees with its entry; called for entries without TN_PACKET_CHECKED. The function also
	 * corrects all existing entries: each gets TN_PACKET_CHECKED or TN_PACKET_LIES, and none is added or removed.
	 * No other thread reads the index meanwhile. NULL: entries are always made from packets.
	 */
	bool (*agrees)(const struct tn_stream *stream, const struct tn_packet *entry);
	void (*put_right)(struct tn_stream *stream);

	/*
	 * File @file of the stream now has @size bytes, or the trace no longer grows: map the bytes, so that `extend`
	 * continues where it stopped. @size UINT64_MAX: the file was overwritten, and its new bytes cannot be found.
	 * No other thread reads the index meanwhile. NULL: traces of this format do not grow.
	 */
	enum tn_code (*grow)(struct tn_stream *stream, size_t file, uint64_t size, struct tn_error *err);

	/*
	 * Walk at most batch->limit rows of batch->entry from batch->begin on. The batch is empty, and its stream,
	 * packet, entry, before, limit, data and begin are set. The function sets end, last and base_bit. Damage is a
	 * notice among the rows, not an error; the walk then skips the rest of the packet. TN_OK, or a failure of
	 * memory or system.
	 */
	enum tn_code (*walk)(struct tn_batch *batch, struct tn_error *err);

	/*
	 * Provide the bytes of the packet in the mapped file, for code that reads them without a walk. False: this is
	 * impossible. Any thread may call it. NULL: the bytes are always present.
	 */
	bool (*bring)(const struct tn_stream *stream, const struct tn_packet *entry);

	/*
	 * Read the values of row @i of @batch, with their positions, for the scopes in @scopes (bits 1 << enum
	 * tn_scope). If @i is TN_READ_PACKET, read only the packet's scopes; the batch then has stream, packet, entry
	 * and data. A value that cannot be decoded is an error, because a walk does not put such a row into the
	 * batch.
	 */
	enum tn_code (*read)(const struct tn_batch *batch, size_t i, unsigned scopes, struct tn_event *out,
			     struct tn_error *err);

	/*
	 * Report to trace->problems the rules of the format that the stream's readable events violate: one TN_WRONG
	 * for each rule, with its first place and the number of violations. Runs in one thread. NULL: the format does
	 * not have such rules.
	 */
	enum tn_code (*check)(struct tn_stream *stream, struct tn_error *err);

	/*
	 * Release stream->own or trace->own. The caller frees the arena, files and indices. NULL: there is nothing to
	 * release.
	 */
	void (*drop)(struct tn_stream *stream);
	void (*close)(struct tn_trace *trace);
};

void tn_stream_release(struct tn_stream *stream);	/* calls `drop`, then frees the stream's files and index */
void tn_trace_release(struct tn_trace *trace);	/* releases the streams, then calls `close`, then frees all */

#endif
