/*
 * pairs.h - pairs that are proposed
 */
#ifndef TN_SPAN_PAIRS_H
#define TN_SPAN_PAIRS_H

#include "span/spans.h"
#include "base/hash.h"

struct tn_pairs {
	struct tn_set *set;
	struct tn_spans *spans;		/* for trying definitions */
	struct tn_hash names;		/* names of event classes; value: number of the first class */
	struct tn_hash taken;		/* names that begin a pair */
	TN_ARRAY(char *) definition;
	size_t n_met;			/* the first ones have events, as far as was looked */
};

#endif
