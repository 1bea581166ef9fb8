/*
 * sketch.h - quantiles of many numbers in little memory
 *
 * Up to TN_SKETCH_EXACT numbers are kept as they are. More are counted in steps of 1/128 of a power of two,
 * given by a double's first bits; a quantile is the middle of its step: at most 0.4 % off. If all numbers are
 * whole, it is exact up to 256. The smallest and the largest are always exact. The result depends on the
 * numbers alone, not on their order nor on the order of merging.
 */
#ifndef TN_GROUP_SKETCH_H
#define TN_GROUP_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TN_SKETCH_EXACT 256
#define TN_SKETCH_STEPS 128	/* steps in a power of two */

#define TN_SKETCH_SHIFT 45	/* shift of a double's bits: sign, exponent and 7 bits are left */

/* Numbers of one sign and power of two. */
struct tn_sketch_page {
	uint32_t top;		/* sign and exponent */
	uint64_t *count;	/* TN_SKETCH_STEPS */
};

/* Zeroed is empty. */
struct tn_sketch {
	uint64_t n;
	double least, most;
	double *few;		/* n of them, while there are few; else NULL */
	uint32_t few_room;
	uint32_t n_pages, last;	/* the page used last */
	bool sorted;
	bool has_fractions;	/* a number is not whole */
	struct tn_sketch_page *page;
};

bool tn_sketch_add(struct tn_sketch *s, double x);	/* false: memory is out. NaN is left out. */
/* Like the function above, for a whole number that is not negative; usually many equal the previous one. */
static inline bool
tn_sketch_add_fast(struct tn_sketch *s, double x)
{
	uint64_t bits;

	if (s->n >= TN_SKETCH_EXACT && !s->few && s->last < s->n_pages) {
		const struct tn_sketch_page *page = &s->page[s->last];

		memcpy(&bits, &x, sizeof bits);
		bits >>= TN_SKETCH_SHIFT;
		if (page->top == bits / TN_SKETCH_STEPS) {
			page->count[bits % TN_SKETCH_STEPS]++;
			s->least = x < s->least ? x : s->least;
			s->most = x > s->most ? x : s->most;
			s->n++;
			return true;
		}
	}
	return tn_sketch_add(s, x);
}

bool tn_sketch_merge(struct tn_sketch *into, const struct tn_sketch *from);
/*
 * The smallest number that at least @part / @whole (up to 1) of all numbers do not exceed; NaN if there are no
 * numbers. Sorts the numbers that are kept as they are.
 */
double tn_sketch_quantile(struct tn_sketch *s, uint64_t part, uint64_t whole);
/* Count the numbers in each of @n parts between the least and the largest, of equal width in the logarithm. */
void tn_sketch_parts(struct tn_sketch *s, uint64_t *part, size_t n);
size_t tn_sketch_bytes(const struct tn_sketch *s);	/* bytes allocated beside it */
struct tn_answer_out;
struct tn_answer_in;
void tn_sketch_store(const struct tn_sketch *s, struct tn_answer_out *out);
bool tn_sketch_restore(struct tn_sketch *s, struct tn_answer_in *in);	/* into an empty one; false: memory is out */
void tn_sketch_release(struct tn_sketch *s);

#endif
