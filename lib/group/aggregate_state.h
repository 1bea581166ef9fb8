/* aggregate_state.h - states of aggregates in a group: aggregate_growing.c has those that allocate memory */
#ifndef TN_GROUP_AGGREGATE_STATE_H
#define TN_GROUP_AGGREGATE_STATE_H

#include <math.h>

#include "group/group_table.h"
#include "language/condition.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)

extern const struct tn_aggregate_state tn_distinct_state, tn_quantiles_state, tn_first_state, tn_last_state;

struct tn_answer_value tn_value_of_distinct(const struct tn_aggregate_read *r);
struct tn_answer_value tn_value_of_quantile(const struct tn_aggregate_read *r);
struct tn_answer_value tn_value_of_edge(const struct tn_aggregate_read *r);

static inline bool
tn_value_is_number(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_UINT || v->kind == TN_ANSWER_SINT || v->kind == TN_ANSWER_FLOAT;
}

/* Whether a number can be ordered. */
static inline bool
tn_value_is_ordered(const struct tn_answer_value *v)
{
	return tn_value_is_number(v) && !(v->kind == TN_ANSWER_FLOAT && isnan(v->is.f));
}

static inline double
tn_value_number(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_FLOAT ? v->is.f : v->kind == TN_ANSWER_SINT ? (double)v->is.i : (double)v->is.u;
}

static inline struct tn_answer_value
tn_value_of_unsigned(uint64_t u)
{
	return (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = u };
}

static inline struct tn_answer_value
tn_value_of_double(double d, bool whole)
{
	if (isnan(d))
		return (struct tn_answer_value) { 0 };
	d = whole ? round(d) : d;
	if (whole && d >= 0 && d < 18446744073709551616.0)
		return tn_value_of_unsigned((uint64_t)d);
	if (whole && d < 0 && d >= -9223372036854775808.0)
		return (struct tn_answer_value) { .kind = TN_ANSWER_SINT, .is.i = (int64_t)d };
	return (struct tn_answer_value) { .kind = TN_ANSWER_FLOAT, .is.f = d };
}

/* Whether a number of a column needs the slow path. */
static inline bool
tn_state_add_one(const struct tn_aggregate *a, void *state, uint64_t u, uint8_t kind)
{
	struct tn_answer_value v = tn_number_value(u, kind);

	return a->type->state->add(state, &v, NULL);
}

#endif
