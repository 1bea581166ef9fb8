/*
 * question.h - a copy of what the user asks, and of which traces
 *
 * A job keeps the question with which it began, whatever the user changes meanwhile. The traces stay open until the last
 * job that reads them has ended.
 */
#ifndef QUESTION_H
#define QUESTION_H

#include "cli/query.h"
#include "bars.h"
#include "place.h"

/* Open traces. If they are owned, the last reference closes them. */
struct naming;
struct opened {
	atomic_int refs;
	struct tn_set *set;
	bool owned;
	struct naming *naming;	/* names of addresses in these traces */
};

struct opened *opened_new(struct tn_set *set, bool owned);	/* NULL: memory is out, and the set is not owned */
struct opened *opened_get(struct opened *o);
void opened_put(struct opened *o);	/* NULL is allowed */

struct question {
	struct opened *opened;
	struct tn_set *set;	/* the set of `opened` */
	struct query *query;
	struct bounds bounds;
	bool has_range;		/* begin and end of the traces are known */
	int64_t begin_ns, end_ns;
	unsigned threads;
};

void question_release(struct question *q);
/* Position in the time range, per mille; -1: unknown. */
int question_permille(const struct question *q, int64_t time_ns);

#endif
