/*
 * condition.h - the steps of a condition: made by condition.c, run by condition_run.c
 *
 * A step has a test and two successors: one if the test gives the wanted answer, one if it does not.
 */
#ifndef TN_LANGUAGE_CONDITION_H
#define TN_LANGUAGE_CONDITION_H

#include "language/expression_tree.h"
#include "language/short_texts.h"

#define TN_STEP_YES UINT32_MAX
#define TN_STEP_NO (UINT32_MAX - 1)
#define TN_PACKET_TESTS 32	/* tests whose answer is kept for the rows of a packet */

enum tn_step_kind {
	TN_STEP_BYTES,	/* the integer at a known place is in one range */
	TN_STEP_BITMAP,	/* the integer is in one of several ranges that are close to each other */
	TN_STEP_STRING,	/* the string at a known place is this one */
	TN_STEP_LOOKUP,	/* any test of the text of the number at a known place */
	TN_STEP_TIME,	/* the time of the row is in one range */
	TN_STEP_DELTA,	/* the time since the previous row is in one range */
	TN_STEP_PACKET,	/* any test of values that all events of a packet share */
	TN_STEP_RANGE,	/* the number is in one range */
	TN_STEP_RANGES,	/* the number is in one of several ranges */
	TN_STEP_TEXT,	/* the text is this one */
	TN_STEP_TEXTS,	/* the text is one of these */
	TN_STEP_CELL,	/* any other test */
	TN_STEP_GENERAL,	/* any test of a field with several cells, or none */
	TN_STEP_LINE
};

/* A range of integers in the order of unsigned numbers: signed integers have their top bit inverted. */
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
	enum tn_step_kind how;	/* the test of a cell, if the kind only gives its place */
	bool want;		/* the wanted answer */
	enum tn_cell_kind cell;	/* RANGE, RANGES: of the field */
	uint64_t turn;		/* inverts the top bit of signed ones */
	uint32_t yes, no;	/* the next steps */
	const struct tn_place *place;
	const struct tn_node *test;
	struct tn_step_range one;
	const struct tn_step_range *range;
	const uint64_t *bitmap;	/* BITMAP: of one.low to one.high */
	const struct tn_step_text *text;	/* TEXT: one; TEXTS: a table of a power of two, by hash */
	size_t n;
	/* BYTES, STRING: from the end of the header. */
	uint64_t mask, distance, need;	/* alignment - 1; bits */
	uint8_t shift, low;	/* bits of a 64-bit load outside of the integer; bits of these below it */
	bool big_endian, is_signed, ends;	/* STRING: with a zero byte */
	/* LOOKUP, and BYTES and BITMAP of little endian: ((load >> low & bits) ^ sign) + bias is the number. */
	bool easy;
	uint32_t byte;		/* bytes from the end of the header */
	uint64_t bits, sign, bias;
	size_t room;		/* STRING of fixed size: bytes */
	const struct tn_lookup *lookup;	/* LOOKUP */
};

struct tn_steps {
	struct tn_step *step;
	size_t n, room;
	uint32_t first;
	bool plain;		/* all of them read fields at known places */
	bool easy;		/* all are easy, or about the time of the row */
	bool has_times;		/* some are about the time */
	const struct tn_reference *only;	/* the reference of the only step; else NULL */
};

struct tn_found_text {
	const char *text;	/* points into the bytes of the packet */
	size_t n;
};

/*
 * Collects the values of one field while a condition reads the rows: the least and the greatest number, the
 * texts. Rows that need the slow path are listed in @hard. `missed`: some rows were skipped, so the result is
 * incomplete.
 */
struct tn_observer {
	const struct tn_reference *reference;
	const struct tn_step *const *of_class;	/* NULL: the class does not have the field */
	uint64_t least, greatest;	/* in the form that steps compare */
	bool has_unsigned, has_signed;	/* numbers of rows on the slow path; least and greatest include them */
	size_t *hard;
	size_t n_hard, room;
	bool missed;
	/* Texts are buffered in @text, which has space for @room, until they are taken. False: impossible. */
	bool (*take)(void *user, const struct tn_found_text *text, size_t n);
	void *user;
	struct tn_found_text *text;
	size_t n_texts;
};

/* Deliver the buffered texts. */
static inline void
tn_observer_flush(struct tn_observer *w)
{
	w->missed |= w->n_texts && !w->take(w->user, w->text, w->n_texts);
	w->n_texts = 0;
}

#define TN_STEP_FAR 4096	/* bits after the start of a row that must exist for loads without a check */

/*
 * Make a step that only loads the integer at a known place near the header; false: the place does not have one.
 */
bool tn_step_of_place(struct tn_step *out, const struct tn_place *place);

/*
 * The integers of rows [row, end), in no special order, as steps compare them (signed ones with their top bit
 * inverted). @of_class has a step for each event class of the trace that has the field: one of
 * tn_step_of_place(), or TN_STEP_CELL for rows that need the slow path, which are listed in @hard. Both have
 * space for all. Returns the number of integers; SIZE_MAX: memory is out.
 */
size_t tn_steps_numbers(const struct tn_step *const *of_class, struct tn_row_state *state,
			const struct tn_batch *batch, size_t row, size_t end, uint64_t *out, size_t *hard, size_t *n_hard);

/* Kinds of a row's value in a column of numbers. */
enum tn_number_kind {
	TN_NUMBER_NONE,	/* the class of the row has no step, or the row is a notice */
	TN_NUMBER_PLAIN,
	TN_NUMBER_NEGATIVE,	/* the bits of a signed integer */
	TN_NUMBER_HARD,		/* the row needs the slow path */
	TN_NUMBER_TEXT		/* the number of a short text */
};

/*
 * The integers of rows [row, end), each in its place: out[0] and kind[0] belong to the first row; @of_class as
 * above. HARD rows are also listed. @texts: steps of tn_step_of_text() give the numbers of their texts; NULL: these rows
 * are HARD. False: memory is out.
 */
bool tn_steps_column(const struct tn_step *const *of_class, struct tn_short_texts *texts, struct tn_row_state *state,
		     const struct tn_batch *batch, size_t row, size_t end, uint64_t *out, uint8_t *kind, size_t *hard,
		     size_t *n_hard);

/* Like the function above, for a text at a known place. */
bool tn_step_of_text(struct tn_step *out, const struct tn_place *place);

/*
 * The texts of rows [*row, end), in their order, at most @most; *row is then after the last row read. The
 * classes have steps of tn_step_of_text() or TN_STEP_CELL. Rows that need the slow path are listed in @hard.
 * Returns the number of texts; SIZE_MAX: memory is out.
 */
size_t tn_steps_texts(const struct tn_step *const *of_class, struct tn_row_state *state, const struct tn_batch *batch,
		      size_t *row, size_t end, struct tn_found_text *out, size_t most, size_t *hard, size_t *n_hard);

/*
 * All texts of the events of a class: a step of tn_step_of_text() each, TN_STEP_GENERAL: the text cannot be reached.
 */
struct tn_class_steps {
	const struct tn_step *step;
	uint32_t n;
	/* The only one has a fixed size of at least 16 bytes, and this offset after any header; 0: not so. */
	uint32_t only_byte;
};

#define TN_CLASS_STEPS 16	/* limit of steps of a class */

/*
 * Like tn_steps_texts(), for all texts of the events. A text equal to the previous one is left out. SIZE_MAX also if
 * a text cannot be reached. Rows listed in @hard may have delivered some of their texts.
 */
size_t tn_steps_all_texts(const struct tn_class_steps *of_class, struct tn_expression_state *state, const struct tn_batch *batch,
			  size_t *row, size_t end, struct tn_found_text *out, size_t most, size_t *hard, size_t *n_hard);

/* A hash for the texts of TN_STEP_TEXTS. */
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
