/*
 * condition.h - the steps of a condition: made by condition.c, run by condition_run.c
 *
 * Each step has one place to go on when its test gives the answer that is wanted, and one when it does not.
 */
#ifndef TN_LANGUAGE_CONDITION_H
#define TN_LANGUAGE_CONDITION_H

#include "language/expression_tree.h"

#define TN_STEP_YES UINT32_MAX
#define TN_STEP_NO (UINT32_MAX - 1)
#define TN_PACKET_TESTS 32	/* of which the answer is kept while a packet's rows are looked at */

enum tn_step_kind {
	TN_STEP_BYTES,	/* the integer, of whole bytes at a known place, is in one range */
	TN_STEP_BITMAP,	/* in one of some ranges, close to each other */
	TN_STEP_STRING,	/* the string at a known place is this one */
	TN_STEP_TIME,	/* the time of the row is in one range */
	TN_STEP_DELTA,	/* the time since the row before is */
	TN_STEP_PACKET,	/* any test of what all events of a packet have */
	TN_STEP_RANGE,	/* the number is in one range */
	TN_STEP_RANGES,	/* in one of some */
	TN_STEP_TEXT,	/* the text is this one */
	TN_STEP_TEXTS,	/* one of these */
	TN_STEP_CELL,	/* any other test */
	TN_STEP_GENERAL,	/* what has several cells, or none */
	TN_STEP_LINE
};

/* Of integers whose order is that of unsigned numbers: signed ones have their top bit turned. */
struct tn_step_range {
	uint64_t low, high;
};

struct tn_step_text {
	const char *text;
	size_t n;
	uint64_t hash;
};

struct tn_step {
	enum tn_step_kind kind;
	enum tn_step_kind how;	/* of a cell, where the kind is about where it is */
	bool want;		/* the answer that is wanted */
	enum tn_cell_kind cell;	/* RANGE, RANGES: of the field */
	uint64_t turn;		/* turns the top bit of signed ones */
	uint32_t yes, no;	/* where to go on */
	const struct tn_place *place;
	const struct tn_node *test;
	struct tn_step_range one;
	const struct tn_step_range *range;
	const uint64_t *bitmap;	/* BITMAP: of one.low to one.high */
	const struct tn_step_text *text;	/* TEXT: one; TEXTS: a table of a power of two, by hash */
	size_t n;
	/* BYTES, STRING: from behind the header. */
	uint64_t mask, distance, need;	/* alignment - 1; bits */
	uint8_t shift;		/* what 64 bits have more than the integer */
	bool big_endian, is_signed, ends;	/* STRING: with a zero byte */
	/* BYTES and BITMAP of little endian at a whole byte: ((load & bits) ^ sign) + bias is the number. */
	bool easy;
	uint32_t byte;		/* from behind the header */
	uint64_t bits, sign, bias;
	size_t room;		/* STRING of fixed size: bytes */
};

struct tn_steps {
	struct tn_step *step;
	size_t n, room;
	uint32_t first;
	bool plain;		/* all of them are of fields at known places */
	bool easy;		/* all are easy, or of the time of the row */
	bool has_times;		/* some are of that */
	const struct tn_reference *only;	/* there is one step, and it looks at that; else NULL */
};

struct tn_found_text {
	const char *text;	/* among the bytes of the packet */
	size_t n;
};

/*
 * What rows have in one field, noted on the way while a condition looks at them: the least and the greatest number, the
 * texts. Rows that are not so easy go to @hard; `missed`: there were others that were not looked at.
 */
struct tn_observer {
	const struct tn_reference *reference;
	const struct tn_step *const *of_class;	/* NULL: the class has no such field */
	uint64_t least, greatest;	/* as steps compare them */
	bool has_unsigned, has_signed;	/* of those that were no easy ones; they are among the least and the greatest */
	size_t *hard;
	size_t n_hard, room;
	bool missed;
	/* Texts wait in @text, which has @room, until they are taken. False: that cannot be. */
	bool (*take)(void *user, const struct tn_found_text *text, size_t n);
	void *user;
	struct tn_found_text *text;
	size_t n_texts;
};

/* Give those that wait. */
static inline void
tn_observer_flush(struct tn_observer *w)
{
	w->missed |= w->n_texts && !w->take(w->user, w->text, w->n_texts);
	w->n_texts = 0;
}

#define TN_STEP_FAR 4096	/* bits that there are behind the begin of a row whose numbers are loaded without a further look */

/* A step that has nothing but the way to the integer at a known place near the header; false: the place has none. */
bool tn_step_of_place(struct tn_step *out, const struct tn_place *place);

/*
 * The integers of rows [row, end), in no special order, as steps compare them (signed ones with their top bit turned);
 * @of_class has a step for each event class of the trace that has one: of tn_step_of_place(), or of TN_STEP_CELL for rows
 * that have to be looked at more closely: those go to @hard. Both have room for all.
 * Returns how many integers; SIZE_MAX: memory is out.
 */
size_t tn_steps_numbers(const struct tn_step *const *of_class, struct tn_row_state *state,
			const struct tn_batch *batch, size_t row, size_t end, uint64_t *out, size_t *hard, size_t *n_hard);

/* What a row has in a column of numbers. */
enum tn_number_kind {
	TN_NUMBER_NONE,	/* its class has no step, or it is a notice */
	TN_NUMBER_PLAIN,
	TN_NUMBER_NEGATIVE,	/* the bits of a signed one */
	TN_NUMBER_HARD		/* it has to be looked at more closely */
};

/*
 * The integers of rows [row, end), each in its place: out[0] and kind[0] are of the first; what @of_class says as above.
 * Rows that are HARD are listed, too. False: memory is out.
 */
bool tn_steps_column(const struct tn_step *const *of_class, struct tn_row_state *state, const struct tn_batch *batch,
		     size_t row, size_t end, uint64_t *out, uint8_t *kind, size_t *hard, size_t *n_hard);

/* The same of a text at a known place. */
bool tn_step_of_text(struct tn_step *out, const struct tn_place *place);

/*
 * The texts of rows [*row, end), in their order, at most @most, and *row behind the last one looked at; the classes have steps
 * of tn_step_of_text() or of TN_STEP_CELL. Rows that have to be looked at more closely go to @hard. Returns how many were
 * found; SIZE_MAX: memory is out.
 */
size_t tn_steps_texts(const struct tn_step *const *of_class, struct tn_row_state *state, const struct tn_batch *batch,
		      size_t *row, size_t end, struct tn_found_text *out, size_t most, size_t *hard, size_t *n_hard);

/* All texts of the events of a class: a step each as above, TN_STEP_GENERAL for what cannot be reached. */
struct tn_class_steps {
	const struct tn_step *step;
	uint32_t n;
	uint32_t only_byte;	/* the only one has a fixed size of 16 bytes at least and lies there behind any header; 0: not so */
};

#define TN_CLASS_STEPS 16	/* of a class, at most */

/*
 * The same of all of them. A text that is the one before it once more is left out. SIZE_MAX also where there is one that cannot
 * be reached. Of rows that go to @hard some texts may have been found.
 */
size_t tn_steps_all_texts(const struct tn_class_steps *of_class, struct tn_expression_state *state, const struct tn_batch *batch,
			  size_t *row, size_t end, struct tn_found_text *out, size_t most, size_t *hard, size_t *n_hard);

/* Of the texts of TN_STEP_TEXTS. */
static inline uint64_t
tn_step_hash(const char *text, size_t n)
{
	uint64_t h = n * UINT64_C(0x9e3779b97f4a7c15), v;

	for (; n >= 8; n -= 8, text += 8) {
		memcpy(&v, text, 8);
		h = (h ^ v) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	v = 0;
	for (size_t i = 0; i < n; i++)
		v = v << 8 | (uint8_t)text[i];
	h = (h ^ v) * UINT64_C(0xff51afd7ed558ccd);
	return h ^ h >> 32;
}

#endif
