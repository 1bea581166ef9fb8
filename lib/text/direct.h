/*
 * direct.h - from the bits of a packet to the text of a line, without values
 *
 * The machine of lib/plan runs copies of the read codes. In a copy each field is a struct text_field: the same field
 * with the text around its value. Some classes have no such code and take the general path: classes whose names are
 * made in an event, whose texts are in UTF-16 or UTF-32, or whose fields have mixed byte orders. Texts with colour
 * also take the general path. Both paths write the same.
 */
#ifndef TN_TEXT_DIRECT_H
#define TN_TEXT_DIRECT_H

#include "plan/machine.h"
#include "text/line.h"
#include "text/text.h"

/*
 * Common contexts (the process and the thread) often repeat. If a context has a fixed size and the same bits as a
 * recent one, its text is the same.
 */
#define TN_REPEAT_BYTES 64
#define TN_REPEAT_TEXT 192
#define TN_REPEATS 8

struct tn_repeat {
	uint32_t n_bytes, n_text;	/* `n_bytes` 0: the entry is unused */
	uint8_t bytes[TN_REPEAT_BYTES];
	char text[TN_REPEAT_TEXT + 32];
};

/* The state of the direct path for a stream. Zeroed before first use. */
struct tn_direct {
	const uint8_t *data;	/* the packet that the following members belong to; NULL: none */
	size_t packet;
	size_t most;		/* tn_line_most() */
	uint64_t record;	/* start of the header of the current row's record */
	/* The slots after the packet's scopes. No event reads a value that another event stored. */
	struct tn_slot *slot;
	struct tn_str context;	/* text of the packet context; in records, of all parts that the packet's events share */
	struct tn_str before;	/* text of the context of the previous packet */
	struct tn_str cells;	/* CSV: cells of the packet context */
	const struct tn_class_columns *columns;	/* columns of a class of the trace that has columns */
	struct tn_class_words *met;	/* words of the event classes of the stream's trace, in the cache */
	struct tn_repeat *repeat;	/* TN_REPEATS contexts, by a hash of their bytes */
	uint32_t hits, misses;
	bool varies;		/* the common context changes too often to keep */
	/* The words of the classes for lines by templates; NULL: impossible (no clock, or times do not fit). */
	const struct tn_class_words *of_class;
	struct tn_prefix *prefix;	/* TN_PREFIXES texts (direct_template.h), of packets with this context */
	uint32_t prefix_hits, prefix_misses;
};

void tn_direct_release(struct tn_direct *d);

struct tn_direct_maker;
/* Make the code of a class whose head is made. The class gets no code if that is impossible or memory is out. */
void tn_direct_make_class(struct tn_direct_maker *m, const struct tn_event_class *ec, struct tn_class_words *words);

/* CSV: a cell of a row whose cells are not in the order of the columns. */
struct tn_csv_cell {
	size_t from, to;	/* position in a buffer; an empty cell has `from` equal to `to` */
};

struct tn_data_row_room {
	struct tn_csv_cell *cell;	/* one for each column */
	struct tn_str room;
};

void tn_data_row_room_release(struct tn_data_row_room *r);

struct tn_line_cache {
	struct tn_second second;
	struct tn_data_row_room room;
	/*
	 * By trace of the text, then by index: the words of the event classes met so far. They are private to this
	 * state, so that the loops over rows need only a lookup. Other classes have no code and no template here.
	 * NULL: no class was met.
	 */
	struct tn_class_words **met;
	size_t n_traces;
	size_t n_streams;
	struct tn_direct of_stream[];	/* one for each stream, by rank */
};

/* The cache of @state, made on first use; NULL: memory is out. */
struct tn_line_cache *tn_line_cache_of(const struct tn_text *text, struct tn_line_state *state);

/* Like tn_line_append_rows(), for lines of text. */
enum tn_code
tn_direct_append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
		      size_t end, struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err);

/* Like tn_line_append_runs(), for lines of text. */
size_t tn_direct_append_runs(const struct tn_text *text, struct tn_line_state *state, const struct tn_rows *rows, size_t stride,
			     size_t n, size_t *row, struct tn_line_previous *previous, struct tn_str *out);

/* Like tn_line_append(), always on the general path. */
enum tn_code
tn_line_append_values(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t row,
		      struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err);

#endif
