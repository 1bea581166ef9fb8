#include <config.h>

#include <stdlib.h>

#include "naming.h"
#include "question.h"

struct opened *
opened_new(struct tn_set *set, bool owned)
{
	struct opened *o = calloc(1, sizeof *o);

	if (!o)
		return NULL;
	o->naming = naming_new();
	if (!o->naming) {
		free(o);
		return NULL;
	}
	naming_serve(o->naming, set);
	atomic_init(&o->refs, 1);
	o->set = set;
	o->owned = owned;
	return o;
}

struct opened *
opened_get(struct opened *o)
{
	atomic_fetch_add(&o->refs, 1);
	return o;
}

void
opened_put(struct opened *o)
{
	if (!o || atomic_fetch_sub(&o->refs, 1) != 1)
		return;
	tn_set_symbols(o->set, NULL, NULL);
	naming_free(o->naming);
	if (o->owned)
		tn_set_close(o->set);
	free(o);
}

void
question_release(struct question *q)
{
	query_put(q->query);	/* release it before the set that it refers to */
	opened_put(q->opened);
	*q = (struct question) { 0 };
}

int
question_permille(const struct question *q, int64_t time_ns)
{
	double span = ns_between(q->begin_ns, q->end_ns), part;

	if (!q->has_range)
		return -1;
	if (span <= 0)
		return 1000;
	part = ns_between(q->begin_ns, time_ns) / span;
	return part <= 0 ? 0 : part >= 1 ? 1000 : (int)(part * 1000);
}
