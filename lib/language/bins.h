/*
 * bins.h - bins of a number: "FIELD/STEP" and "log2(FIELD)"
 *
 * A value is replaced by the smallest value of its bin. Bins of a step are [k * STEP, (k + 1) * STEP). Bins of log2 are:
 * only 0; [2^k, 2^(k+1)); and (-2^(k+1), -2^k], whose name is -2^k. Texts, and numbers that are not finite, do not have a
 * bin.
 */
#ifndef TN_LANGUAGE_BINS_H
#define TN_LANGUAGE_BINS_H

#include <tnav/answer.h>

enum tn_bins_kind { TN_BINS_NONE, TN_BINS_STEP, TN_BINS_LOG2 };

struct tn_bins {
	enum tn_bins_kind kind;
	uint64_t step;		/* width of bins of whole numbers; 0: bins are of floats */
	double width;		/* the step as a float */
};

/*
 * Read the bins of a key; *from and *n become the range of the field's name. TN_OK with TN_BINS_NONE: the text is only a
 * name, or "time/STEP". STEP is a number greater than 0, or a duration such as 10us, which means nanoseconds.
 */
enum tn_code tn_bins_read(struct tn_bins *out, const char **from, size_t *n, struct tn_error *err);
/* Get the limits of the bin whose smallest value is @value; implements tn_groups_step(). */
void tn_bin_limits(const struct tn_bins *bins, const struct tn_answer_value *value, struct tn_answer_value *from,
		   struct tn_answer_value *to);
struct tn_answer_value tn_bin(const struct tn_bins *bins, const struct tn_answer_value *value);

/* Find the bin of a whole number in two's complement. False: the bin is a float. */
static inline bool
tn_bin_whole(const struct tn_bins *bins, bool is_negative, uint64_t *value)
{
	uint64_t rest, u = is_negative ? -*value : *value;

	if (bins->kind == TN_BINS_LOG2) {
		u = u ? UINT64_C(1) << (63 - __builtin_clzll(u)) : 0;
		*value = is_negative ? -u : u;
		return true;
	}
	if (!bins->step)
		return false;
	rest = u % bins->step;
	if (!is_negative)
		*value -= rest;
	else if (rest && u > (UINT64_C(1) << 63) - (bins->step - rest))	/* less than all whole numbers */
		return false;
	else if (rest)
		*value -= bins->step - rest;
	return true;
}

#endif
