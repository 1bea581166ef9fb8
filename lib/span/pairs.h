/* pairs.h - the pairs of begin and end events that tnav proposes */
#ifndef TN_SPAN_PAIRS_H
#define TN_SPAN_PAIRS_H

#include "span/spans.h"
#include "base/hash.h"

struct tn_pairs {
	struct tn_set *set;
	struct tn_spans *spans;		/* to try definitions */
	struct tn_hash names;		/* names of event classes; the value is the number of the first class with the name */
	struct tn_hash taken;		/* names that begin a pair */
	TN_ARRAY(char *) definition;
	size_t n_met;			/* number of pairs, at the start of the list, that have events as far as is known */
};

#endif
