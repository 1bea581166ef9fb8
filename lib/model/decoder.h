/*
 * decoder.h - the interface that a format implements
 *
 * A format opens a trace (model), finds its packets (index), walks them into batches of events, and
 * reads the values of an event. A format without packets makes entries of its own: a mark at regular
 * distances, placed so that no event before it is later than an event after it.
 *
 * Threads    `walk` and `read` may run in several threads at a time on one trace: they change only their
 *            arguments. `extend` runs in one thread at a time per stream, and no
 *            other thread then reads the index: index.packet may move, so threads get copies of
 *            entries (lib/index/packet_index.h), and walk and read use those in the batch.
 * Hostile    No byte of a stream is trusted: walk and read check each position against the content.
 */
#ifndef TN_MODEL_DECODER_H
#define TN_MODEL_DECODER_H

#include <tnav/cursor.h>	/* enum tn_row_kind */

#include "base/str.h"
#include "model/pairs.h"
#include "model/trace.h"

/* A row of a batch: an event, or a notice in its place. 16 bytes: a page of a trace has thousands. */
struct tn_ref {
	int64_t time_ns;	/* the merge key: never less than in the row before, of this stream */
	uint32_t bit;		/* event: bits from batch->base_bit to the start of its header; notice: its number */
	uint32_t event_class;	/* index in trace->event_class; TN_REF_NOTICE: batch->notice[bit] */
};

#define TN_REF_NOTICE UINT32_MAX
#define TN_BATCH_REFS 8192	/* the most rows in a batch */

/* A row that is not an event. */
struct tn_notice {
	enum tn_row_kind kind;	/* not TN_ROW_EVENT */
	uint64_t count;		/* the number of losses; TN_UNKNOWN */
	bool has_range;
	int64_t begin_ns, end_ns;
	uint64_t bit;		/* damage: from the start of the packet */
	char *text;		/* damage: "packet 17 at byte 69632: event 3: ..."; owned by the batch */
};

/*
 * Where a walk continues inside a packet. At the packet's start: zeroed, clock and key from the entry's
 * clock_start and begin_ns. Small, copied freely: a packet of gigabytes is walked in many batches, and each has
 * a mark.
 */
struct tn_mark {
	uint64_t bit;		/* bits from the start of the packet; 0: not begun */
	uint64_t clock;		/* running clock */
	uint64_t row;		/* number of rows of this packet before the mark */
	int64_t key;		/* largest time so far: merge keys do not fall below it */
	uint32_t told;		/* messages already reported for this packet (the format's bits) */
	bool noticed;		/* the packet had notices so far (index/batches.c keeps this and the next) */
	uint64_t events;	/* events among the rows before */
};

/* Rows of one packet, in order. */
struct tn_batch {
	const struct tn_stream *stream;
	size_t packet;		/* number of its entry in the index */
	struct tn_packet entry;	/* a copy */
	bool has_before;
	struct tn_packet before;	/* a copy of the entry before (for losses); walk does not read the index */
	uint32_t limit;		/* the most rows in this walk, 1 to TN_BATCH_REFS; 0: TN_BATCH_REFS */
	/*
	 * Only n_events is needed: a format may count a packet without notices to its end and leave out the rows.
	 * Rows that it gives in spite of this are complete.
	 */
	bool counts;
	const uint8_t *data;	/* first byte of the packet, in the mapped file */
	uint64_t base_bit;	/* added to ref.bit */
	struct tn_mark begin, end;	/* where the walk of this batch began, where the next one continues */
	bool last;		/* the packet has no rows after this batch */
	TN_ARRAY(struct tn_ref) refs;
	/*
	 * Per row, only if not NULL: the clock value where it does not follow from time_ns (frequency other
	 * than 10^9, or a displayed time that differs from the merge key because time went back).
	 */
	uint64_t *cycles;
	size_t cycles_room;
	TN_ARRAY(struct tn_notice) notices;
	size_t n_events;	/* rows that are events */
	void *own;		/* memory that the format keeps between walks (sorting); freed with free() */
};

/* Rows [first, first + n) of a batch. */
struct tn_rows {
	const struct tn_batch *batch;
	size_t first, n;
};

void tn_batch_clear(struct tn_batch *b);	/* empty, keeps the allocation */
void tn_batch_release(struct tn_batch *b);
/* Copies the notice; takes over its text. */
bool tn_batch_notice(struct tn_batch *b, int64_t key_ns, const struct tn_notice *n);
bool tn_batch_damage(struct tn_batch *b, int64_t key_ns, uint64_t bit, const char *text);

/* The clock value of row @i (exact where cycles is set, else from its time). */
uint64_t tn_batch_cycles(const struct tn_batch *b, size_t i);

/* The displayed time of row @i: the merge key, unless time went back. */
int64_t tn_batch_time(const struct tn_batch *b, size_t i);

/* The scopes of an event, in the order of the packet. */
#define TN_SCOPES 6	/* enum tn_scope, tnav/event.h */

/*
 * One decoded value, in preorder: a structure, array, variant or optional is followed by its contents. 48
 * bytes, no pointer to free: bytes are borrowed from the mapped file.
 */
struct tn_value {
	const struct tn_field *field;
	union {
		uint64_t u;	/* UINT, BITS, BITMAP of up to 64 bits; BOOL of any length */
		int64_t i;	/* SINT */
		double f;
		const uint8_t *bytes;	/* STRING, BLOB, and integers wider than 64 bits, as tn_value_bytes() has them */
		uint64_t n;	/* elements of an ARRAY, members of a STRUCT, 0 or 1 of VARIANT and OPTIONAL */
	};
	uint64_t size;		/* bytes: STRING (without the terminator) and BLOB */
	uint64_t bit;		/* start of the value, from the start of the packet */
	uint64_t end;		/* the bit after it: terminator, cut bytes and padding inside included */
	uint32_t next;		/* number of values in this one, itself included: 1 for a leaf */
	/*
	 * VARIANT: the selected option; UINT32_MAX: none. LEB128 integer: 1 if it has more than 64 bits; its
	 * value is then the nearest one.
	 */
	uint32_t option;
};

/* An event with its values. Zeroed before first use; keeps its allocations from event to event. */
struct tn_event {
	const struct tn_stream *stream;
	const struct tn_event_class *event_class;
	const char *name;	/* name of the class, or made for this event (name_room); NULL: unknown */
	char name_room[64];
	bool has_cycles;	/* the stream has a clock */
	bool has_time;		/* the stream has a clock, and the time fits into time_ns */
	int64_t time_ns;	/* the displayed time */
	uint64_t cycles;
	size_t packet;		/* entry in the index */
	uint64_t row;		/* number of the row in the packet */
	uint64_t bit, end_bit;	/* bits from the start of the packet */
	struct tn_value *value;
	size_t n_values, room;
	uint32_t scope[TN_SCOPES];	/* index of the scope's root value; UINT32_MAX: absent */
	uint64_t *slot;		/* values for references, trace->n_slots */
	size_t n_slots;
	const struct tn_field *only;	/* for read: members that neither contain it nor are in it may be left out; NULL: none */
	void *text_room;	/* bytes of converted values, which are not in the file in this form */
	size_t text_n, text_size;
};

void tn_event_release(struct tn_event *e);

/* Make it an event of @batch without values, class, name and time: read sets these. */
void tn_event_begin(struct tn_event *e, const struct tn_batch *batch);

/* Add space for one value; NULL: memory is out. */
struct tn_value *tn_event_add(struct tn_event *e);

#define TN_READ_PACKET SIZE_MAX	/* for read: only the packet's scopes, no event */

/* Answers of a format to a path. */
enum tn_probe {
	TN_PROBE_NO,		/* not of this format */
	TN_PROBE_MAYBE,		/* possible, if no other format claims it (formats without a magic number) */
	TN_PROBE_YES
};

struct tn_format {
	const char *name;	/* name for --format: "ctf", "ovni", "vartrace" */
	unsigned meaning;	/* TN_MEANING_... (base/meaning.h), part of the keys of files stored for its traces */
	const struct tn_pair_rules *pairs;	/* which events begin and end spans; NULL: names alone say it (model/pairs.h) */

	/* Whether the folder or file at @path is a trace of this format; a failure is silent. */
	enum tn_probe (*probe)(const char *path, bool is_folder);
	enum tn_probe (*probe_memory)(const struct tn_memory *memory);	/* for files in memory; NULL: never */
	/* For a format whose traces are single files, in place of these two: whether the bytes are such a file. */
	enum tn_probe (*probe_bytes)(const uint8_t *data, size_t size);
	bool in_folders;	/* a search of a folder opens such files, too; it only mentions other formats */

	/*
	 * Whether the file at @path is a part of a trace in this format, by its first bytes or the files beside
	 * it. @folder becomes the folder of the trace (empty: the description of the trace is missing), @stream
	 * the file of the stream it stands for (empty: all streams). NULL: traces have no parts.
	 */
	bool (*belongs)(const char *path, struct tn_str *folder, struct tn_str *stream);

	/*
	 * Open the trace at @path: set all of @trace (zeroed but for path, ops, options and problems) except
	 * name, the ranks and clock->shift_ns; no index entries yet. Problems that are not fatal are added to
	 * trace->problems.
	 */
	enum tn_code (*open)(struct tn_trace *trace, struct tn_error *err);

	/*
	 * Join @from, of the same format, to @into if both are parts of one logical trace (same UUID): move its
	 * streams, match stream classes by id. TN_END: they are not. NULL: never.
	 */
	enum tn_code (*join)(struct tn_trace *into, struct tn_trace *from, struct tn_error *err);

	/*
	 * Work on the stream's index for a moment: append entries, or set `complete`, or neither while the
	 * search for the next entry continues.
	 */
	enum tn_code (*extend)(struct tn_stream *stream, struct tn_error *err);

	/*
	 * Whether the packet itself agrees with its entry, for entries without TN_PACKET_CHECKED. Also correct
	 * all existing entries: each gets that flag or TN_PACKET_LIES; none is added or removed. As for extend,
	 * no other thread reads the index meanwhile. NULL: entries are always made from packets.
	 */
	bool (*agrees)(const struct tn_stream *stream, const struct tn_packet *entry);
	void (*put_right)(struct tn_stream *stream);

	/*
	 * File @file of the stream now has @size bytes, or the trace no longer grows: map the bytes, and let
	 * extend continue where it stopped. No other thread reads the index meanwhile. NULL: never. @size
	 * UINT64_MAX: the file was overwritten, no more of it can be found.
	 */
	enum tn_code (*grow)(struct tn_stream *stream, size_t file, uint64_t size, struct tn_error *err);

	/*
	 * Walk rows of batch->entry from batch->begin on, at most batch->limit, into the cleared batch (stream,
	 * packet, entry, before, limit, data and begin are set); sets end, last, base_bit. Damage is a notice
	 * in its place, not an error; the walk skips the rest of the packet. TN_OK or a failure of memory or
	 * system.
	 */
	enum tn_code (*walk)(struct tn_batch *batch, struct tn_error *err);

	/*
	 * Provide the bytes of the packet in the mapped file, for code that reads them without a walk. False:
	 * impossible. Any thread. NULL: they are always present.
	 */
	bool (*bring)(const struct tn_stream *stream, const struct tn_packet *entry);

	/*
	 * Read the values of row @i of @batch, for the scopes in @scopes (bit 1 << enum tn_scope), with
	 * positions. TN_READ_PACKET: the packet's scopes only; the batch then has stream, packet, entry and
	 * data. Values that cannot be decoded are an error; a walk would not have put the row into the batch.
	 */
	enum tn_code (*read)(const struct tn_batch *batch, size_t i, unsigned scopes, struct tn_event *out,
			     struct tn_error *err);

	/*
	 * Report to trace->problems which rules of the format the stream's events violate though they can be
	 * read: TN_WRONG, one a rule, with its first place and the number of violations. One thread. NULL: no
	 * such rules.
	 */
	enum tn_code (*check)(struct tn_stream *stream, struct tn_error *err);

	/*
	 * Release stream->own, or trace->own. The caller frees the arena, files and indices. NULL: nothing to
	 * release.
	 */
	void (*drop)(struct tn_stream *stream);
	void (*close)(struct tn_trace *trace);
};

void tn_stream_release(struct tn_stream *stream);	/* calls drop, then frees its files and index */
void tn_trace_release(struct tn_trace *trace);	/* the streams, then calls close, then frees all */

#endif
