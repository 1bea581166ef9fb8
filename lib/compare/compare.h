/* compare.h - a comparison while it is made */
#ifndef TN_COMPARE_COMPARE_H
#define TN_COMPARE_COMPARE_H

#include "compare/items.h"

/* The time of a side, divided into at most TN_COMPARE_BLOCKS slices, which begin at multiples of their length. */
struct tn_slices_of {
	bool has_time;
	int64_t begin_ns, end_ns, first_ns, step_ns;
	double length_s;	/* length without the hole */
	double weight[TN_COMPARE_BLOCKS];	/* share of each slice in the length */
};

struct tn_compare_result {
	struct tn_compare_row row;
	double effect;
};

struct tn_compare {
	struct tn_selection side[2];
	struct tn_slices_of time[2];
	TN_ARRAY(char *) definitions;
	TN_ARRAY(char *) fields;
	bool is_defined;	/* the user gave the definitions; otherwise they are those proposed for both sides */
	struct tn_items items;
	uint64_t events[2];
	uint64_t lost[2];	/* number of places where events were lost or damaged, on each side */
	TN_ARRAY(const struct tn_stream_class *) losers;	/* stream classes with losses, on both sides */
	TN_ARRAY(struct tn_compare_result) rows;
};

/* The slice of a time; for a time outside of all slices, the nearest slice. */
static inline size_t
tn_slice_at(const struct tn_slices_of *t, int64_t at_ns)
{
	uint64_t i;

	if (!t->has_time || at_ns <= t->first_ns)
		return 0;
	i = ((uint64_t)at_ns - (uint64_t)t->first_ns) / (uint64_t)t->step_ns;
	return i < TN_COMPARE_BLOCKS ? (size_t)i : TN_COMPARE_BLOCKS - 1;
}

/* rows.c: test the items, make the rows, and sort them. */
enum tn_code tn_compare_make_rows(struct tn_compare *c, struct tn_error *err) TN_MUST_CHECK;

#endif
