/* bins.c - bins of a number: "FIELD/STEP" and "log2(FIELD)" */
#include "language/bins.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/path.h"

/* The last slash outside of backticks; NULL: none. */
static const char *
find_slash(const char *from, size_t n)
{
	const char *found = NULL;

	for (size_t i = 0, name; i < n; i += name ? name : 1) {
		name = from[i] == '`' ? tn_path_name_length(from + i) : 0;
		if (from[i] == '/')
			found = from + i;
	}
	return found;
}

static bool
read_step(const char *text, struct tn_bins *out)
{
	struct tn_time_context zero = { TN_TIME_CONTEXT };
	char span[64], *end;
	int64_t ns;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return false;
	errno = 0;
	out->width = strtod(text, &end);
	if (*end) {	/* a unit follows */
		snprintf(span, sizeof span, "+%s", text);
		if (tn_time_parse(span, &zero, &ns, NULL) != TN_OK || ns <= 0)
			return false;
		out->step = (uint64_t)ns;
		out->width = (double)ns;
		return true;
	}
	if (strspn(text, "0123456789") == strlen(text)) {
		out->step = strtoull(text, NULL, 10);
		return !errno && out->step && out->step <= UINT64_C(1) << 63;
	}
	if (out->width >= 1 && out->width <= 1e18 && out->width == floor(out->width))
		out->step = (uint64_t)out->width;
	return isfinite(out->width) && out->width > 0;
}

enum tn_code
tn_bins_read(struct tn_bins *out, const char **from, size_t *n, struct tn_error *err)
{
	const char *slash;
	char step[48];
	size_t length;

	*out = (struct tn_bins) { 0 };
	if (*n > 6 && strncmp(*from, "log2(", 5) == 0 && (*from)[*n - 1] == ')') {
		out->kind = TN_BINS_LOG2;
		*from += 5;
		*n -= 6;
		return TN_OK;
	}
	slash = find_slash(*from, *n);
	if (!slash || slash == *from || (slash - *from == 4 && strncmp(*from, "time", 4) == 0))
		return TN_OK;
	length = (size_t)(*from + *n - slash) - 1;
	if (length < sizeof step) {
		memcpy(step, slash + 1, length);
		step[length] = '\0';
		if (read_step(step, out)) {
			out->kind = TN_BINS_STEP;
			*n = (size_t)(slash - *from);
			return TN_OK;
		}
	}
	return tn_fail(err, TN_ERR_ARGUMENT, "'%.*s' is not a step for bins: write a number or a time: %.*s/100, %.*s/10us",
		       (int)length, slash + 1, (int)(slash - *from), *from, (int)(slash - *from), *from);
}

static struct tn_answer_value
bin_float(const struct tn_bins *bins, double f)
{
	struct tn_answer_value v = { .kind = TN_ANSWER_FLOAT };
	int exponent;

	if (!isfinite(f))
		return (struct tn_answer_value) { 0 };
	if (bins->kind == TN_BINS_STEP) {
		v.is.f = floor(f / bins->width) * bins->width;
	} else if (f != 0) {
		frexp(f, &exponent);
		v.is.f = copysign(ldexp(1, exponent - 1), f);
	}
	/* A whole number and a float in the same bin must have the same key. */
	if (fabs(v.is.f) < 9.2e18 && v.is.f == floor(v.is.f)) {
		v.kind = v.is.f < 0 ? TN_ANSWER_SINT : TN_ANSWER_UINT;
		v.is.i = (int64_t)v.is.f;
	}
	return v;
}

struct tn_answer_value
tn_bin(const struct tn_bins *bins, const struct tn_answer_value *value)
{
	struct tn_answer_value v = *value;
	bool is_negative = v.kind == TN_ANSWER_SINT;

	v.type = NULL;
	switch (v.kind) {
	case TN_ANSWER_NONE:
	case TN_ANSWER_TEXT: return (struct tn_answer_value) { 0 };
	case TN_ANSWER_FLOAT: return bin_float(bins, v.is.f);
	case TN_ANSWER_UINT:
	case TN_ANSWER_SINT: break;
	}
	if (!tn_bin_whole(bins, is_negative, &v.is.u))
		return bin_float(bins, is_negative ? (double)value->is.i : (double)value->is.u);
	v.kind = is_negative ? TN_ANSWER_SINT : TN_ANSWER_UINT;
	return v;
}

/* @value plus a width; a float if a whole number cannot be large enough. */
static struct tn_answer_value
add(const struct tn_answer_value *value, double width, uint64_t whole)
{
	struct tn_answer_value v = *value;
	uint64_t sum = v.is.u + whole;

	if (v.kind == TN_ANSWER_FLOAT || !whole || (v.kind == TN_ANSWER_UINT && sum < whole)) {
		double f = v.kind == TN_ANSWER_UINT ? (double)v.is.u : v.kind == TN_ANSWER_SINT ? (double)v.is.i : v.is.f;

		return (struct tn_answer_value) { .kind = TN_ANSWER_FLOAT, .is.f = f + width };
	}
	v.kind = v.kind == TN_ANSWER_SINT && sum >> 63 ? TN_ANSWER_SINT : TN_ANSWER_UINT;
	v.is.u = sum;
	return v;
}

void
tn_bin_limits(const struct tn_bins *bins, const struct tn_answer_value *value, struct tn_answer_value *from,
	      struct tn_answer_value *to)
{
	*from = *to = *value;
	if (bins->kind == TN_BINS_STEP)
		*to = add(value, bins->width, bins->step);
	else if (value->kind == TN_ANSWER_UINT)
		*to = value->is.u ? add(value, (double)value->is.u, value->is.u) : add(value, 1, 1);
	else if (value->kind == TN_ANSWER_SINT && value->is.i > INT64_MIN)
		from->is.i = value->is.i > INT64_MIN / 2 ? 2 * value->is.i : INT64_MIN;
	else if (value->kind == TN_ANSWER_FLOAT && value->is.f > 0)
		to->is.f = 2 * value->is.f;
	else if (value->kind == TN_ANSWER_FLOAT)
		from->is.f = 2 * value->is.f;
}
