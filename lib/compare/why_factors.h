/* why_factors.h - values of one field among selected and other things: how often each occurs */
#ifndef TN_COMPARE_WHY_FACTORS_H
#define TN_COMPARE_WHY_FACTORS_H

#include <tnav/answer.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"

#define TN_FACTOR_VALUES 16384	/* coded values of a field: more numbers are counted in steps, more texts are not asked */

/* A value, or a step of numbers, both limits included. */
struct tn_factor_value {
	struct tn_answer_value value, last;
	uint64_t n[2];		/* rest, selected */
	uint16_t code;		/* below TN_FACTOR_VALUES */
};

#define TN_FACTOR_NEAR 64	/* values met lately, which are found without a search */

struct tn_factor {
	char *name;		/* owned */
	struct tn_hash numbers, texts;	/* place in `values` */
	TN_ARRAY(struct tn_factor_value) values;
	uint32_t near[TN_FACTOR_NEAR];	/* by a few bits of the value: its place + 1; 0: none */
	bool is_stepped;	/* numbers are in steps of 1/64 of a power of two */
	bool is_dropped;	/* too many texts */
	bool is_left_out;	/* the condition names it */
	uint64_t stepped_at;	/* number of the first thing whose code is that of a step; */
	uint16_t *step_of;	/* for each code before it, the code now; NULL: none was changed */
};

void tn_factor_release(struct tn_factor *f);
void tn_factor_clear(struct tn_factor *f);	/* keeps the name */
/* Count a value of thing number @row. *code: TN_CODES_NONE if it is not counted. False: memory is out. */
bool tn_factor_count(struct tn_factor *f, struct tn_arena *arena, const struct tn_answer_value *value, bool selected,
		     uint64_t row, uint16_t *code);
/*
 * Add the counts of other things, numbered from @row on. @code gets for each of their codes (TN_FACTOR_VALUES) the code
 * here. False: memory is out.
 */
bool tn_factor_merge(struct tn_factor *to, struct tn_arena *arena, const struct tn_factor *from, uint64_t row, uint16_t *code);
/* Sort the values; nothing can be added any more. */
void tn_factor_sort(struct tn_factor *f);

#endif
