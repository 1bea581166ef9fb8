/*
 * condition.h - the steps of a condition, which condition.c makes and condition_run.c runs
 *
 * A step has a test and two successors: one if the test has the wanted result, and one if it does not.
 */
#ifndef TN_LANGUAGE_CONDITION_H
#define TN_LANGUAGE_CONDITION_H

#include "language/expression_tree.h"
#include "language/short_texts.h"

#define TN_STEP_YES UINT32_MAX
#define TN_STEP_NO (UINT32_MAX - 1)
#define TN_PACKET_TESTS 32	/* limit of tests whose result is cached for the rows of a packet */

enum tn_step_kind {
	TN_STEP_BYTES,	/* the integer at a known position is in one range */
	TN_STEP_BITMAP,	/* the integer is in one of several ranges that are near each other */
	TN_STEP_STRING,	/* the string at a known position equals the step's text */
	TN_STEP_LOOKUP,	/* any test of the text for the number at a known position */
	TN_STEP_TIME,	/* the time of the row is in one range */
	TN_STEP_DELTA,	/* the time since the previous row is in one range */
	TN_STEP_PACKET,	/* any test of values that all events of a packet share */
	TN_STEP_RANGE,	/* the number is in one range */
	TN_STEP_RANGES,	/* the number is in one of several ranges */
	TN_STEP_TEXT,	/* the text equals the step's text */
	TN_STEP_TEXTS,	/* the text equals one of the step's texts */
	TN_STEP_CELL,	/* any other test */
	TN_STEP_GENERAL,	/* any test of a field that can have several cells or none */
	TN_STEP_LINE
};

/* A range of integers in the order of unsigned numbers. Signed integers have their top bit inverted. */
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
	enum tn_step_kind how;	/* kind of the cell's test, if `kind` only gives its place */
	bool want;		/* the wanted answer */
	enum tn_cell_kind cell;	/* for RANGE and RANGES: kind of the field's cell */
	uint64_t turn;		/* mask that inverts the top bit of signed integers */
	uint32_t yes, no;	/* indices of the next steps */
	const struct tn_place *place;
	const struct tn_node *test;
	struct tn_step_range one;
	const struct tn_step_range *range;
	const uint64_t *bitmap;	/* for BITMAP: from one.low to one.high */
	const struct tn_step_text *text;	/* for TEXT: one text; for TEXTS: a hash table, whose size is a power of two */
	size_t n;
	/* For BYTES and STRING, counted from the end of the header. */
	uint64_t mask, distance, need;	/* alignment - 1; the position in bits */
	uint8_t shift, low;	/* bits of a 64-bit load that are not of the integer: in total, and below it */
	bool big_endian, is_signed, ends;	/* `ends`: for STRING: a zero byte follows */
	/* For LOOKUP, and for little-endian BYTES and BITMAP: the number is ((load >> low & bits) ^ sign) + bias. */
	bool easy;
	uint32_t byte;		/* position in bytes from the end of the header */
	uint64_t bits, sign, bias;
	size_t room;		/* for a STRING of fixed size: its size */
	const struct tn_lookup *lookup;	/* for LOOKUP */
};

struct tn_steps {
	struct tn_step *step;
	size_t n, room;
	uint32_t first;
	bool plain;		/* all steps read fields at known positions */
	bool easy;		/* all steps are easy, or test the time of the row */
	bool has_times;		/* some steps test the time */
	const struct tn_reference *only;	/* the reference of the only step; NULL: there are several steps */
};

struct tn_found_text {
	const char *text;	/* points into the packet */
	size_t n;
};

/*
 * Collects the values of one field while a condition reads the rows: the smallest and the largest number, and texts. Rows
 * that need the slow path are listed in @hard. `missed`: some rows were skipped, so the result is incomplete.
 */
struct tn_observer {
	const struct tn_reference *reference;
	const struct tn_step *const *of_class;	/* the step of each class; NULL: the class does not have the field */
	uint64_t least, greatest;	/* in the form in which steps compare numbers */
	bool has_unsigned, has_signed;	/* numbers occurred in rows on the slow path; least and greatest include them */
	size_t *hard;
	size_t n_hard, room;
	bool missed;
	/* Takes the buffered texts; the buffer @text has space for @room. False: impossible. */
	bool (*take)(void *user, const struct tn_found_text *text, size_t n);
	void *user;
	struct tn_found_text *text;
	size_t n_texts;
};

/* Pass the buffered texts to take(). */
static inline void
tn_observer_flush(struct tn_observer *w)
{
	w->missed |= w->n_texts && !w->take(w->user, w->text, w->n_texts);
	w->n_texts = 0;
}

#define TN_STEP_FAR 4096	/* number of bits after the start of a row that must exist for loads without a check */

/* Make a step that only loads the integer at a known position near the header. False: the field is not such an integer. */
bool tn_step_of_place(struct tn_step *out, const struct tn_place *place);

/*
 * Get the integers of rows [row, end) in any order, in the form in which steps compare them (signed integers with their
 * top bit inverted). @of_class has a step for each event class of the trace that has the field: a step of
 * tn_step_of_place(), or TN_STEP_CELL for rows that need the slow path. These rows are listed in @hard. Both arrays must
 * have space for all rows. Returns the number of integers; SIZE_MAX: memory is out.
 */
size_t tn_steps_numbers(const struct tn_step *const *of_class, struct tn_row_state *state,
			const struct tn_batch *batch, size_t row, size_t end, uint64_t *out, size_t *hard, size_t *n_hard);

/* Kinds of a row's value in a column of numbers. */
enum tn_number_kind {
	TN_NUMBER_NONE,	/* the class of the row has no step, or the row is a notice */
	TN_NUMBER_PLAIN,
	TN_NUMBER_NEGATIVE,	/* bits of a signed integer */
	TN_NUMBER_HARD,		/* the row needs the slow path */
	TN_NUMBER_TEXT		/* number of a short text */
};

/*
 * Get the integers of rows [row, end), each at its index: out[0] and kind[0] belong to the first row. @of_class: as in
 * tn_steps_numbers(). HARD rows are also listed. @texts: gives numbers to the texts of steps of tn_step_of_text(); NULL:
 * these rows are HARD. False: memory is out.
 */
bool tn_steps_column(const struct tn_step *const *of_class, struct tn_short_texts *texts, struct tn_row_state *state,
		     const struct tn_batch *batch, size_t row, size_t end, uint64_t *out, uint8_t *kind, size_t *hard,
		     size_t *n_hard);

/* Like tn_step_of_place(), for a text at a known position. */
bool tn_step_of_text(struct tn_step *out, const struct tn_place *place);

/*
 * Get the texts of rows [*row, end) in their order, at most @most; *row is then after the last row that was read. The
 * classes have steps of tn_step_of_text(), or TN_STEP_CELL. Rows that need the slow path are listed in @hard. Returns the
 * number of texts; SIZE_MAX: memory is out.
 */
size_t tn_steps_texts(const struct tn_step *const *of_class, struct tn_row_state *state, const struct tn_batch *batch,
		      size_t *row, size_t end, struct tn_found_text *out, size_t most, size_t *hard, size_t *n_hard);

/* The texts in the events of a class: a step of tn_step_of_text() for each; TN_STEP_GENERAL: the text cannot be reached. */
struct tn_class_steps {
	const struct tn_step *step;
	uint32_t n;
	/*
	 * If there is only one text, which has a fixed size of at least 16 bytes and always the same offset from the
	 * header: this offset; otherwise 0.
	 */
	uint32_t only_byte;
};

#define TN_CLASS_STEPS 16	/* limit of steps of a class */

/*
 * Like tn_steps_texts(), for all texts of the events. A text that equals the previous one is left out. The result is
 * SIZE_MAX also if a text cannot be reached. Some texts of rows that are listed in @hard may already be delivered.
 */
size_t tn_steps_all_texts(const struct tn_class_steps *of_class, struct tn_expression_state *state, const struct tn_batch *batch,
			  size_t *row, size_t end, struct tn_found_text *out, size_t most, size_t *hard, size_t *n_hard);

/* The hash of a text in the table of TN_STEP_TEXTS. */
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
