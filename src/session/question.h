/*
 * question.h - what is asked of which traces
 *
 * Copies: work beside the view keeps what it began with, whatever the user changes meanwhile, and the
 * traces stay open until the last job that reads them is done.
 */
#ifndef QUESTION_H
#define QUESTION_H

#include "cli/query.h"
#include "bars.h"
#include "place.h"

/* Open traces; closed with the last reference if they are owned. */
struct naming;
struct opened {
	atomic_int refs;
	struct tn_set *set;
	bool owned;
	struct naming *naming;	/* names of its addresses */
};

struct opened *opened_new(struct tn_set *set, bool owned);	/* NULL when memory is out: the set is not taken */
struct opened *opened_get(struct opened *o);
void opened_put(struct opened *o);	/* NULL is allowed */

struct question {
	struct opened *opened;
	struct tn_set *set;	/* its set */
	struct query *query;
	struct bounds bounds;
	bool has_range;		/* begin and end of the traces are known */
	int64_t begin_ns, end_ns;
	unsigned threads;
};

void question_release(struct question *q);
/* Per mille of the time range; -1: not known. */
int question_permille(const struct question *q, int64_t time_ns);

#endif
