/*
 * aggregate.c - all aggregates: their states in a group, adding values, and results
 *
 * To add an aggregate, add a row to the table at the end, and the functions that the row names.
 */
#include "group/aggregate_state.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "answer/answer_cache.h"
#include "base/error.h"
#include "base/messages.h"
#include "base/str.h"
#include "base/wide.h"

/* ---- values ---- */

static struct tn_answer_value
of_wide(struct tn_wide w)
{
	if (w.high == 0)
		return tn_value_of_unsigned(w.low);
	if (w.high == -1 && w.low >> 63)
		return (struct tn_answer_value) { .kind = TN_ANSWER_SINT, .is.i = (int64_t)w.low };
	return (struct tn_answer_value) { .kind = TN_ANSWER_FLOAT, .is.f = tn_wide_double(w) };
}

/* ---- units ---- */

static enum tn_group_unit
no_unit(enum tn_group_unit of_field)
{
	(void)of_field;
	return TN_GROUP_NUMBER;
}

static enum tn_group_unit
unit_of_rate(enum tn_group_unit of_field)
{
	(void)of_field;
	return TN_GROUP_RATE;
}

/* The result is one of the field's values, so it has the unit of the field. */
static enum tn_group_unit
same_unit(enum tn_group_unit of_field)
{
	return of_field;
}

/*
 * The result is computed from the field's values. A sum of times is not a time, and an approximate time may be wrong by
 * days.
 */
static enum tn_group_unit
unit_unless_time(enum tn_group_unit of_field)
{
	return of_field == TN_GROUP_TIME ? TN_GROUP_NUMBER : of_field;
}

/* The result is a difference of two values of the field. */
static enum tn_group_unit
unit_of_distance(enum tn_group_unit of_field)
{
	return of_field == TN_GROUP_TIME ? TN_GROUP_DURATION : of_field;
}

/* ---- count, rate ---- */

static struct tn_answer_value
value_of_count(const struct tn_aggregate_read *r)
{
	return tn_value_of_unsigned(r->count);
}

static struct tn_answer_value
value_of_rate(const struct tn_aggregate_read *r)
{
	return tn_value_of_double(r->time_ns > 0 ? (double)r->count * 1e9 / r->time_ns : NAN, false);
}

/* ---- count(x), missing(x) ---- */

static bool
add_presence(void *state, const struct tn_answer_value *v, const struct tn_location *at)
{
	(void)at;
	*(uint64_t *)state += v->kind != TN_ANSWER_NONE;
	return true;
}

static bool
merge_presence(void *into, const void *from)
{
	*(uint64_t *)into += *(const uint64_t *)from;
	return true;
}

static void
keep_presence(const void *state, struct tn_answer_out *out)
{
	tn_answer_put_word(out, *(const uint64_t *)state);
}

static bool
restore_presence(void *state, struct tn_answer_in *in)
{
	*(uint64_t *)state = tn_answer_get_word(in);
	return true;
}

static const struct tn_aggregate_state presence_state = {
	.size = sizeof(uint64_t), .add = add_presence, .merge = merge_presence, .keep = keep_presence, .restore = restore_presence,
};

static struct tn_answer_value
value_of_presence(const struct tn_aggregate_read *r)
{
	return tn_value_of_unsigned(*(const uint64_t *)r->state);
}

static struct tn_answer_value
value_of_absence(const struct tn_aggregate_read *r)
{
	return tn_value_of_unsigned(r->count - *(const uint64_t *)r->state);
}

/* ---- sum, mean ---- */

struct sum {
	struct tn_wide whole;
	double f, rest;		/* the sum, and the rounding error so far (Neumaier) */
	uint64_t n;
	uint64_t is_float;
};

static void
add_float(struct sum *s, double x)
{
	double all = s->f + x;

	if (isfinite(all))
		s->rest += fabs(s->f) >= fabs(x) ? (s->f - all) + x : (x - all) + s->f;
	s->f = all;
}

static bool
add_to_sum(void *state, const struct tn_answer_value *v, const struct tn_location *at)
{
	struct sum *s = state;

	(void)at;
	if (LIKELY(v->kind == TN_ANSWER_UINT)) {
		s->n++;
		s->whole = tn_wide_add(s->whole, tn_wide_of_unsigned(v->is.u));
		return true;
	}
	if (!tn_value_is_ordered(v))
		return true;
	s->n++;
	if (v->kind == TN_ANSWER_FLOAT) {
		s->is_float = 1;
		add_float(s, v->is.f);
	} else {
		s->whole = tn_wide_add(s->whole, tn_wide_of(v->is.i));
	}
	return true;
}

static bool
add_column_to_sums(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct sum *s;

		if (!group[i])
			continue;
		s = tn_state_of(group[i], a);
		if (LIKELY(kind[i] == TN_NUMBER_PLAIN)) {
			s->n++;
			s->whole = tn_wide_add(s->whole, tn_wide_of_unsigned(u[i]));
		} else if (!tn_state_add_one(a, s, u[i], kind[i])) {
			return false;
		}
	}
	return true;
}

static bool
merge_sum(void *into, const void *from)
{
	const struct sum *s = from;
	struct sum *all = into;

	all->whole = tn_wide_add(all->whole, s->whole);
	all->n += s->n;
	all->is_float |= s->is_float;
	add_float(all, s->f);
	add_float(all, s->rest);
	return true;
}

static void
keep_sum(const void *state, struct tn_answer_out *out)
{
	tn_answer_put_bytes(out, state, sizeof(struct sum));
}

static bool
restore_sum(void *state, struct tn_answer_in *in)
{
	size_t n;
	const void *bytes = tn_answer_get_bytes(in, &n);

	in->bad |= n != sizeof(struct sum);
	if (!in->bad)
		memcpy(state, bytes, n);
	return true;
}

static const struct tn_aggregate_state sum_state = {
	.size = sizeof(struct sum), .add = add_to_sum, .add_column = add_column_to_sums, .merge = merge_sum,
	.keep = keep_sum, .restore = restore_sum,
};

static double
all_of(const struct sum *s)
{
	return tn_wide_double(s->whole) + s->f + s->rest;
}

static struct tn_answer_value
value_of_sum(const struct tn_aggregate_read *r)
{
	const struct sum *s = r->state;

	return s->is_float ? tn_value_of_double(all_of(s), false) : of_wide(s->whole);
}

static struct tn_answer_value
value_of_mean(const struct tn_aggregate_read *r)
{
	const struct sum *s = r->state;

	return tn_value_of_double(s->n ? all_of(s) / (double)s->n : NAN, false);
}

/* ---- stddev ---- */

/*
 * A whole number of 192 bits, lowest word first, in two's complement. It can hold the sum of 2^64 squares of 64-bit
 * numbers.
 */
struct big {
	uint64_t word[3];
};

static struct big
big_of(int64_t high, uint64_t low)
{
	return (struct big) { { low, (uint64_t)high, high < 0 ? UINT64_MAX : 0 } };
}

static struct big
big_add(struct big a, struct big b)
{
	uint64_t carry = 0;

	for (int i = 0; i < 3; i++) {
		uint64_t sum = a.word[i] + b.word[i], all = sum + carry;

		carry = (sum < a.word[i]) + (all < sum);
		a.word[i] = all;
	}
	return a;
}

static struct big
big_negate(struct big a)
{
	return big_add((struct big) { { ~a.word[0], ~a.word[1], ~a.word[2] } }, big_of(0, 1));
}

static struct big
big_multiply(struct big a, struct big b)
{
	struct big all = { { 0 } };

	for (int i = 0; i < 3; i++)
		for (int k = 0; i + k < 3; k++) {
			struct big part = { { 0 } };
			uint64_t high;

			part.word[i + k] = tn_multiply(a.word[i], b.word[k], &high);
			if (i + k < 2)
				part.word[i + k + 1] = high;
			all = big_add(all, part);
		}
	return all;
}

static double
big_double(struct big a)
{
	return a.word[2] >> 63 ? -big_double(big_negate(a))
			       : ((double)a.word[2] * 0x1p64 + (double)a.word[1]) * 0x1p64 + (double)a.word[0];
}

/* A sum of two doubles; the second is the part that does not fit into the first. */
struct pair {
	double high, low;
};

static struct pair
pair_add(struct pair a, double high, double low)
{
	double all = a.high + high, from = all - a.high;
	double rest = (a.high - (all - from)) + (high - from) + a.low + low;

	return (struct pair) { all + rest, rest - ((all + rest) - all) };
}

/*
 * Sums of values and of their squares. They are exact for whole numbers and nearly exact for floats, so the result does
 * not depend on the order.
 */
struct spread {
	uint64_t whole, floats;	/* number of whole numbers, and number of floats */
	struct tn_wide sum;
	struct big squares;
	struct pair float_sum, float_squares;
};

static bool
add_to_spread(void *state, const struct tn_answer_value *v, const struct tn_location *at)
{
	struct spread *s = state;
	uint64_t low, high;

	(void)at;
	if (!tn_value_is_ordered(v))
		return true;
	if (v->kind == TN_ANSWER_FLOAT) {
		double x = v->is.f, square = x * x;

		s->floats++;
		s->float_sum = pair_add(s->float_sum, x, 0);
		s->float_squares = pair_add(s->float_squares, square, fma(x, x, -square));
		return true;
	}
	s->whole++;
	s->sum = tn_wide_add(s->sum, v->kind == TN_ANSWER_SINT ? tn_wide_of(v->is.i) : tn_wide_of_unsigned(v->is.u));
	low = v->kind == TN_ANSWER_SINT && v->is.i < 0 ? -v->is.u : v->is.u;
	low = tn_multiply(low, low, &high);
	s->squares = big_add(s->squares, (struct big) { { low, high } });
	return true;
}

static bool
merge_spread(void *into, const void *from)
{
	const struct spread *s = from;
	struct spread *all = into;

	all->whole += s->whole;
	all->floats += s->floats;
	all->sum = tn_wide_add(all->sum, s->sum);
	all->squares = big_add(all->squares, s->squares);
	all->float_sum = pair_add(all->float_sum, s->float_sum.high, s->float_sum.low);
	all->float_squares = pair_add(all->float_squares, s->float_squares.high, s->float_squares.low);
	return true;
}

static void
keep_spread(const void *state, struct tn_answer_out *out)
{
	tn_answer_put_bytes(out, state, sizeof(struct spread));
}

static bool
restore_spread(void *state, struct tn_answer_in *in)
{
	size_t n;
	const void *bytes = tn_answer_get_bytes(in, &n);

	in->bad |= n != sizeof(struct spread);
	if (!in->bad)
		memcpy(state, bytes, n);
	return true;
}

static const struct tn_aggregate_state spread_state = {
	.size = sizeof(struct spread), .add = add_to_spread, .merge = merge_spread, .keep = keep_spread, .restore = restore_spread,
};

/* The sum of the squared deviations of the whole numbers from their mean. */
static double
squares_of_whole(const struct spread *s, double *mean)
{
	double n = (double)s->whole, about = tn_wide_double(s->sum) / n, rest;
	struct big sum = big_of(s->sum.high, s->sum.low), near, far;
	uint64_t size = fabs(about) < 0x1p64 ? (uint64_t)fabs(about) : UINT64_MAX;

	/*
	 * All steps but the last are exact, with a whole number near the mean: sum((x - near)^2) = squares - near * (sum
	 * + far).
	 */
	near = about < 0 ? big_negate(big_of(0, size)) : big_of(0, size);
	far = big_add(sum, big_negate(big_multiply(near, big_of(0, s->whole))));
	rest = big_double(far);
	*mean = big_double(near) + rest / n;
	return big_double(big_add(s->squares, big_negate(big_multiply(near, big_add(sum, far))))) - rest * (rest / n);
}

/* The sum of squared deviations of the floats. */
static double
squares_of_floats(const struct spread *s, double *mean)
{
	double n = (double)s->floats, sum = s->float_sum.high, square = sum * sum, part = square / n;
	double rest = fma(sum, sum, -square) + 2 * sum * s->float_sum.low - fma(part, n, -square);
	struct pair all = pair_add(s->float_squares, -part, -rest / n);

	*mean = (sum + s->float_sum.low) / n;
	return all.high + all.low;
}

/* The standard deviation of a sample; fewer than two values do not have one. */
static struct tn_answer_value
value_of_stddev(const struct tn_aggregate_read *r)
{
	const struct spread *s = r->state;
	double n = (double)s->whole + (double)s->floats, mean = 0, other = 0, squares = 0;

	if (n < 2)
		return (struct tn_answer_value) { 0 };
	if (s->whole)
		squares = squares_of_whole(s, &mean);
	if (s->floats)
		squares += squares_of_floats(s, &other);
	if (s->whole && s->floats)
		squares += (mean - other) * (mean - other) * ((double)s->whole * (double)s->floats / n);
	return tn_value_of_double(squares < 0 ? 0 : sqrt(squares / (n - 1)), false);
}

/* ---- min, max ---- */

/* The state is the extreme value so far; NONE: no number yet. */

static inline bool
add_to_extreme(struct tn_answer_value *e, const struct tn_answer_value *v, int sign)
{
	if (tn_value_is_ordered(v) && (e->kind == TN_ANSWER_NONE || sign * tn_answer_value_compare(v, e) < 0))
		*e = *v;
	return true;
}

static bool
add_to_min(void *state, const struct tn_answer_value *v, const struct tn_location *at)
{
	(void)at;
	return add_to_extreme(state, v, 1);
}

static bool
add_to_max(void *state, const struct tn_answer_value *v, const struct tn_location *at)
{
	(void)at;
	return add_to_extreme(state, v, -1);
}

static inline bool
add_column_to_extremes(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind,
		       size_t n, bool least)
{
	for (size_t i = 0; i < n; i++) {
		struct tn_answer_value *e;

		if (!group[i])
			continue;
		e = tn_state_of(group[i], a);
		if (LIKELY(kind[i] == TN_NUMBER_PLAIN && e->kind == TN_ANSWER_UINT)) {
			if (least ? u[i] < e->is.u : u[i] > e->is.u)
				e->is.u = u[i];
		} else if (!tn_state_add_one(a, e, u[i], kind[i])) {
			return false;
		}
	}
	return true;
}

static bool
add_column_to_mins(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind, size_t n)
{
	return add_column_to_extremes(a, group, u, kind, n, true);
}

static bool
add_column_to_maxs(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind, size_t n)
{
	return add_column_to_extremes(a, group, u, kind, n, false);
}

static bool
merge_min(void *into, const void *from)
{
	return add_to_extreme(into, from, 1);
}

static bool
merge_max(void *into, const void *from)
{
	return add_to_extreme(into, from, -1);
}

static void
keep_extreme(const void *state, struct tn_answer_out *out)
{
	tn_answer_put_value(out, state);
}

static bool
restore_extreme(void *state, struct tn_answer_in *in)
{
	struct tn_answer_value v = tn_answer_get_value(in);

	in->bad |= v.kind == TN_ANSWER_TEXT;
	if (!in->bad)
		*(struct tn_answer_value *)state = v;
	return true;
}

static const struct tn_aggregate_state min_state = {
	.size = sizeof(struct tn_answer_value), .add = add_to_min, .add_column = add_column_to_mins, .merge = merge_min,
	.keep = keep_extreme, .restore = restore_extreme,
};

static const struct tn_aggregate_state max_state = {
	.size = sizeof(struct tn_answer_value), .add = add_to_max, .add_column = add_column_to_maxs, .merge = merge_max,
	.keep = keep_extreme, .restore = restore_extreme,
};

static struct tn_answer_value
value_of_extreme(const struct tn_aggregate_read *r)
{
	return *(const struct tn_answer_value *)r->state;
}

/* ---- the table ---- */

/* Read a word such as "p99" or "p99.9". */
static bool
read_quantile(const char *word, size_t n, struct tn_aggregate *a)
{
	/* Compute the rank with integers; a floating-point fraction would often give a rank that is one too high. */
	uint64_t number = 0, parts = 1;
	bool after_point = false;

	if (n < 2 || n >= 16 || word[0] != 'p' || !isdigit((unsigned char)word[1]))
		return false;
	for (size_t i = 1; i < n; i++) {
		if (word[i] == '.' && !after_point) {
			after_point = true;
		} else if (isdigit((unsigned char)word[i])) {
			number = number * 10 + (uint64_t)(word[i] - '0');
			parts *= after_point ? 10 : 1;
		} else {
			return false;
		}
	}
	a->part = number;
	a->whole = 100 * parts;
	return a->part <= a->whole;
}

static const struct tn_aggregate_type types[] = {
	{ .name = "count", .is_count = true, .unit = no_unit, .value = value_of_count },
	{ .name = "count", .takes_field = true, .unit = no_unit, .state = &presence_state, .value = value_of_presence },
	{ .name = "missing", .takes_field = true, .unit = no_unit, .state = &presence_state, .value = value_of_absence },
	{ .name = "sum", .takes_field = true, .numbers_only = true, .unit = unit_unless_time, .state = &sum_state,
	  .value = value_of_sum },
	{ .name = "min", .takes_field = true, .numbers_only = true, .unit = same_unit, .state = &min_state,
	  .value = value_of_extreme },
	{ .name = "max", .takes_field = true, .numbers_only = true, .unit = same_unit, .state = &max_state,
	  .value = value_of_extreme },
	{ .name = "mean", .alias = "avg", .takes_field = true, .numbers_only = true, .unit = unit_unless_time,
	  .state = &sum_state, .value = value_of_mean },
	{ .name = "stddev", .takes_field = true, .numbers_only = true, .unit = unit_of_distance, .state = &spread_state,
	  .value = value_of_stddev },
	{ .name = "distinct", .takes_field = true, .unit = no_unit, .state = &tn_distinct_state, .value = tn_value_of_distinct },
	{ .name = "median", .takes_field = true, .numbers_only = true, .unit = unit_unless_time, .state = &tn_quantiles_state,
	  .value = tn_value_of_quantile },
	{ .name = "p0 to p100", .read = read_quantile, .takes_field = true, .numbers_only = true,
	  .unit = unit_unless_time, .state = &tn_quantiles_state, .value = tn_value_of_quantile },
	{ .name = "first", .takes_field = true, .needs_place = true, .unit = same_unit, .state = &tn_first_state,
	  .value = tn_value_of_edge },
	{ .name = "last", .takes_field = true, .needs_place = true, .unit = same_unit, .state = &tn_last_state,
	  .value = tn_value_of_edge },
	{ .name = "rate", .needs_time = true, .no_field = N_("rate counts events a second: it does not take a field"),
	  .unit = unit_of_rate, .value = value_of_rate },
};

static bool
is_word(const char *name, const char *word, size_t n)
{
	return name && strlen(name) == n && memcmp(name, word, n) == 0;
}

bool
tn_aggregate_find(struct tn_aggregate *out, const char *word, size_t n, bool takes_field)
{
	out->type = NULL;
	out->part = 1;
	out->whole = 2;
	for (size_t i = 0; i < TN_COUNT(types); i++) {
		const struct tn_aggregate_type *t = &types[i];

		if (!is_word(t->alias, word, n) && (t->read ? !t->read(word, n, out) : !is_word(t->name, word, n)))
			continue;
		out->type = t;
		if (t->takes_field == takes_field)
			break;
	}
	return out->type != NULL;
}

enum tn_code
tn_aggregate_unknown(const char *from, size_t n, const char *text, size_t column, struct tn_error *err)
{
	const char *best = NULL, *last = NULL;
	struct tn_str all = { 0 };
	size_t distance = SIZE_MAX;
	enum tn_code rc;
	char word[64];

	snprintf(word, sizeof word, "%.*s", (int)n, from);
	for (size_t i = 0; i < TN_COUNT(types); i++) {
		const struct tn_aggregate_type *t = &types[i];

		if (!t->read)
			tn_nearest(word, t->name, &best, &distance);
		if (t->alias)
			tn_nearest(word, t->alias, &best, &distance);
		if (!last || strcmp(last, t->name) != 0)
			tn_str_printf(&all, "%s%s", last ? ", " : "", t->name);
		last = t->name;
	}
	if (all.failed)
		rc = tn_fail_memory(err);
	else if (!best)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: '%s' is not an aggregate; use %s", text, column, word,
			     all.text);
	else
		rc = tn_fail(err, TN_ERR_ARGUMENT,
			     "'%s', column %zu: '%s' is not an aggregate: the nearest is '%s'; all are %s", text,
			     column, word, best, all.text);
	tn_str_release(&all);
	return rc;
}
