/*
 * sketch.h - quantiles of many numbers in little memory
 *
 * Up to TN_SKETCH_EXACT numbers are kept. More numbers are counted in steps of 1/128 of a power of two, which the first
 * bits of a double give. A quantile is then the middle of its step, with an error of at most 0.4 %. If all numbers are
 * whole, quantiles up to 256 are exact. The smallest and the largest number are always exact. The result depends only on
 * the numbers, not on their order or the order of merging.
 */
#ifndef TN_GROUP_SKETCH_H
#define TN_GROUP_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TN_SKETCH_EXACT 256
#define TN_SKETCH_STEPS 128	/* steps in a power of two */

#define TN_SKETCH_SHIFT 45	/* a double shifted by this has sign, exponent and 7 bits left */

/* The counts of the numbers with one sign and one power of two. */
struct tn_sketch_page {
	uint32_t top;		/* sign and exponent */
	uint64_t *count;	/* TN_SKETCH_STEPS counts */
};

/* A zeroed sketch is empty. */
struct tn_sketch {
	uint64_t n;
	double least, most;
	double *few;		/* the `n` numbers, while they are few; otherwise NULL */
	uint32_t few_room;
	uint32_t n_pages, last;	/* `last`: the page that was used last */
	bool sorted;
	bool has_fractions;	/* at least one number is not whole */
	struct tn_sketch_page *page;
};

bool tn_sketch_add(struct tn_sketch *s, double x);	/* false: memory is out; NaN is ignored */
/* Like tn_sketch_add(), for a whole number that is not negative; usually many equal the previous one. */
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
 * The smallest number that at least @part / @whole (at most 1) of all numbers do not exceed; NaN if there are no numbers.
 * Sorts the kept numbers.
 */
double tn_sketch_quantile(struct tn_sketch *s, uint64_t part, uint64_t whole);
/*
 * Count the numbers in each of @n parts between the smallest and the largest number; the parts have equal widths on a
 * logarithmic scale.
 */
void tn_sketch_parts(struct tn_sketch *s, uint64_t *part, size_t n);
size_t tn_sketch_bytes(const struct tn_sketch *s);	/* allocated bytes outside of the structure */
struct tn_answer_out;
struct tn_answer_in;
void tn_sketch_store(const struct tn_sketch *s, struct tn_answer_out *out);
bool tn_sketch_restore(struct tn_sketch *s, struct tn_answer_in *in);	/* reads into an empty sketch; false: memory is out */
void tn_sketch_release(struct tn_sketch *s);

#endif
