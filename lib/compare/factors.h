/* factors.h - values of one field among selected and other things: how often each occurs */
#ifndef TN_COMPARE_FACTORS_H
#define TN_COMPARE_FACTORS_H

#include <tnav/answer.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"

#define TN_FACTOR_VALUES 16384	/* of a field: more numbers are counted in steps, more texts are not asked */

/* A value, or a step of numbers, both limits included. */
struct tn_factor_value {
	struct tn_answer_value value, last;
	uint64_t n[2];		/* rest, selected */
};

struct tn_factor {
	char *name;		/* owned */
	struct tn_hash numbers, texts;	/* place in `values` */
	TN_ARRAY(struct tn_factor_value) values;
	bool is_stepped;	/* numbers are in steps of 1/64 of a power of two */
	bool is_dropped;	/* too many texts */
	uint64_t has[2];
};

void tn_factor_release(struct tn_factor *f);
void tn_factor_clear(struct tn_factor *f);	/* keeps the name */
/* Count a value. False: memory is out. */
bool tn_factor_add(struct tn_factor *f, struct tn_arena *arena, const struct tn_answer_value *value, bool selected);
/* Sort the values; nothing can be added any more. */
void tn_factor_sort(struct tn_factor *f);

#endif
