/*
 * direct.h - from the bits of a packet to the text of a line, with no values in between
 *
 * The machine of lib/plan runs copies of the read codes in which every field is a struct text_field: the
 * same field with what is written for it. Classes that this cannot do (names made in an event, texts
 * in UTF-16 or UTF-32, fields of mixed byte order) have no such code and take the general path; so do
 * texts with colour. Both paths write the same.
 */
#ifndef TN_TEXT_DIRECT_H
#define TN_TEXT_DIRECT_H

#include "plan/machine.h"
#include "text/line.h"
#include "text/text.h"

/*
 * Common contexts repeat: the process and the thread. One of fixed size, whose bits are the same as
 * those of one written before, has the same text.
 */
#define TN_REPEAT_BYTES 64
#define TN_REPEAT_TEXT 192
#define TN_REPEATS 8

struct tn_repeat {
	uint32_t n_bytes, n_text;	/* n_bytes 0: nothing here */
	uint8_t bytes[TN_REPEAT_BYTES];
	char text[TN_REPEAT_TEXT + 32];
};

/* What the direct path keeps for a stream. Zeroed before first use. */
struct tn_direct {
	const uint8_t *data;	/* what follows belongs to this packet; NULL: to none */
	size_t packet;
	size_t most;		/* tn_line_most() */
	uint64_t record;	/* of the row that is written: where its record's header begins */
	struct tn_slot *slot;	/* as the packet's scopes leave them; what events store in them no other event reads */
	struct tn_str context;	/* text of the packet context; records: of all that the packet's have in common */
	struct tn_str before;	/* that of the packet before */
	struct tn_str cells;	/* CSV: of the packet context */
	const struct tn_class_columns *columns;	/* of some class of it that has any */
	struct tn_class_words *met;	/* of its trace, in the cache */
	struct tn_repeat *repeat;	/* TN_REPEATS of them, by a hash of their bytes */
	uint32_t hits, misses;
	bool varies;		/* it does not repeat, in fact */
	/* Lines by templates: NULL where none may be (there is no clock, or times do not fit). */
	const struct tn_class_words *of_class;
	struct tn_prefix *prefix;	/* TN_PREFIXES of them (template.h), of packets with this context */
	uint32_t prefix_hits, prefix_misses;
};

void tn_direct_release(struct tn_direct *d);

struct tn_direct_maker;
/* Make the code of a class, whose head is made; it has none where that cannot be, or memory is out. */
void tn_direct_make_class(struct tn_direct_maker *m, const struct tn_event_class *ec, struct tn_class_words *words);

/* CSV: cells of a row, in any order. */
struct tn_csv_cell {
	size_t from, to;	/* in a buffer; equal: empty */
};

struct tn_data_row_room {
	struct tn_csv_cell *cell;	/* one a column */
	struct tn_str room;
};

void tn_data_row_room_release(struct tn_data_row_room *r);

struct tn_line_cache {
	struct tn_second second;
	struct tn_data_row_room room;
	/*
	 * By trace of the text, then by index: the words of the event classes that were met so far, ours alone, so that the
	 * loops over rows need no more than a look; the others have no code and no template. NULL: none was met.
	 */
	struct tn_class_words **met;
	size_t n_traces;
	size_t n_streams;
	struct tn_direct of_stream[];	/* by rank */
};

/* The cache of @state, made when there is none; NULL when memory is out. */
struct tn_line_cache *tn_line_cache_of(const struct tn_text *text, struct tn_line_state *state);

/* tn_line_append_rows() of lines of text. */
enum tn_code
tn_direct_append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
		      size_t end, struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err);

/* tn_line_append_runs(). */
size_t tn_direct_append_runs(const struct tn_text *text, struct tn_line_state *state, const struct tn_rows *rows, size_t stride,
			     size_t n, size_t *row, struct tn_line_previous *previous, struct tn_str *out);

/* tn_line_append() by the general path. */
enum tn_code
tn_line_append_values(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t row,
		      struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err);

#endif
