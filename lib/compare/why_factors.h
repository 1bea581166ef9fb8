/* why_factors.h - values of one field in selected and in other things (spans or events): how often each value occurs */
#ifndef TN_COMPARE_WHY_FACTORS_H
#define TN_COMPARE_WHY_FACTORS_H

#include <tnav/answer.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"

#define TN_FACTOR_VALUES 16384	/* limit of codes in a field; above it, numbers are counted in steps, and texts are dropped */

/* A value, or a step of numbers, including both limits. */
struct tn_factor_value {
	struct tn_answer_value value, last;
	uint64_t n[2];		/* [0]: count in the rest; [1]: in the selected */
	uint16_t code;		/* less than TN_FACTOR_VALUES */
};

#define TN_FACTOR_NEAR 64	/* recent values, which are found without a search */

struct tn_factor {
	char *name;		/* owned */
	struct tn_hash numbers, texts;	/* index in `values` */
	TN_ARRAY(struct tn_factor_value) values;
	uint32_t near[TN_FACTOR_NEAR];	/* index + 1 of a value, by a few of its bits; 0: unused */
	bool is_stepped;	/* numbers are counted in steps of 1/64 of a power of two */
	bool is_dropped;	/* the field has too many texts */
	bool is_left_out;	/* the condition names the field */
	uint64_t stepped_at;	/* number of the first thing whose code is that of a step */
	uint16_t *step_of;	/* for each earlier code, the current code; NULL: no code has changed */
};

void tn_factor_release(struct tn_factor *f);
void tn_factor_clear(struct tn_factor *f);	/* keeps the name */
/* Count a value of the thing with number @row. *code: its code; TN_CODES_NONE: it is not counted. False: memory is out. */
bool tn_factor_count(struct tn_factor *f, struct tn_arena *arena, const struct tn_answer_value *value, bool selected,
		     uint64_t row, uint16_t *code);
/*
 * Add the counts of other things, whose numbers begin at @row. @code has TN_FACTOR_VALUES items, and gets the code here
 * for each of their codes. False: memory is out.
 */
bool tn_factor_merge(struct tn_factor *to, struct tn_arena *arena, const struct tn_factor *from, uint64_t row, uint16_t *code);
/* Sort the values. No more values can be added then. */
void tn_factor_sort(struct tn_factor *f);

#endif
