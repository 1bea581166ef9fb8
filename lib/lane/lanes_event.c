/*
 * lanes_event.c - find the event that began the state in a cell of a lane
 *
 * Uses lanes with only one lane and one cell. The state may have begun long before, so the search goes back in growing
 * steps until it finds the event, or reaches the start of the traces.
 */
#include <stdlib.h>

#include "lane/lanes.h"
#include "base/error.h"
#include "base/options.h"

#define FIRST_LOOK_NS 1000000
#define FACTOR 16

/* A span that was on top of the lane, or may have been. */
struct shown {
	struct shown *below, *above;	/* neighbours in the stack while the span is open */
	struct shown *next;		/* next span in the list of all, the last one first */
	struct tn_location begin;
	int64_t begin_ns;
	uint64_t ns;			/* its time on top in the cell */
	int64_t first_ns;		/* when it was on top for the first time */
	char state[];
};

struct look {
	const struct tn_lanes *lanes;
	const struct tn_answer_value *lane;
	int64_t begin_ns, end_ns;	/* range of the cell */
	int64_t at_ns;			/* states before this time are complete */
	struct shown *top, *all;
};

static void
release(struct look *l)
{
	while (l->all) {
		struct shown *next = l->all->next;

		free(l->all);
		l->all = next;
	}
	l->top = NULL;
}

/* From the last change up to @ns, the lane showed the span on top: add this time. */
static void
advance(struct look *l, int64_t ns)
{
	int64_t from = l->at_ns > l->begin_ns ? l->at_ns : l->begin_ns, to = ns < l->end_ns ? ns : l->end_ns;

	if (l->top && to > from) {
		if (!l->top->ns)
			l->top->first_ns = from;
		l->top->ns += (uint64_t)to - (uint64_t)from;
	}
	if (ns > l->at_ns)
		l->at_ns = ns;
}

static bool
on_begin(void *user, const struct tn_span *s, void **mine)
{
	struct look *l = user;
	struct tn_str text = { 0 };
	struct tn_answer_value v;
	struct shown *it;
	bool failed = !tn_lanes_own_of(l->lanes, s, &text, &v);

	if (failed || v.kind == TN_ANSWER_NONE || !s->has_begin || tn_answer_value_compare(&v, l->lane) != 0) {
		tn_str_release(&text);
		return !failed;
	}
	text.n = 0;
	if (l->lanes->by_field)
		tn_answer_value_text(&s->captured[0], &text);
	else
		tn_str_puts(&text, s->name);
	it = text.failed ? NULL : calloc(1, sizeof *it + text.n + 1);
	if (!it) {
		tn_str_release(&text);
		return false;
	}
	advance(l, s->begin_ns);
	memcpy(it->state, tn_str_text(&text), text.n);
	it->begin = s->begin;
	it->begin_ns = s->begin_ns;
	it->below = l->top;
	if (l->top)
		l->top->above = it;
	l->top = it;
	it->next = l->all;
	l->all = it;
	*mine = it;
	tn_str_release(&text);
	return true;
}

static bool
on_end(void *user, const struct tn_span *s, void *mine)
{
	struct look *l = user;
	struct shown *it = mine;

	if (!it || (s->state == TN_SPAN_OPEN && !s->is_replaced))
		return true;
	if (s->has_end || s->is_replaced)
		advance(l, s->end_ns);
	if (it->above)
		it->above->below = it->below;
	else
		l->top = it->below;
	if (it->below)
		it->below->above = it->above;
	return true;
}

/* The span with this state that was on top first. */
static const struct shown *
first_of(const struct look *l, const char *state)
{
	const struct shown *best = NULL;

	for (const struct shown *a = l->all; a; a = a->next)
		if (a->ns && strcmp(a->state, state) == 0 && (!best || a->first_ns < best->first_ns))
			best = a;
	return best;
}

enum tn_code
tn_lanes_event(const struct tn_lanes *lanes, const struct tn_scan_options *options, const struct tn_answer_value *lane,
	       int64_t begin_ns, int64_t end_ns, const char *state, struct tn_location *out, struct tn_error *err)
{
	static const struct tn_span_observer observer = { on_begin, on_end };
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct look l = { .lanes = lanes, .lane = lane, .begin_ns = begin_ns, .end_ns = end_ns };
	int64_t first = 0, last;
	const struct shown *best = NULL;
	bool all = false;
	enum tn_code rc;

	if (!lanes || !lanes->set || !lane || !state || !out)
		return tn_fail_null(err);
	if (begin_ns >= end_ns)
		return tn_fail(err, TN_ERR_ARGUMENT, "lanes need a time range");
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc == TN_OK)
		rc = tn_set_time_range(lanes->set, &first, &last, err);
	o.has_begin = o.has_end = true;
	o.end_ns = end_ns - 1;
	o.notice = NULL;
	o.progress = NULL;
	for (int64_t look = FIRST_LOOK_NS; rc == TN_OK && !best && !all;
	     look = look > INT64_MAX / FACTOR ? INT64_MAX : look * FACTOR) {
		release(&l);
		all = __builtin_sub_overflow(begin_ns, look, &o.begin_ns) || o.begin_ns <= first;
		o.has_begin = !all;
		l.at_ns = all ? INT64_MIN : o.begin_ns;
		rc = tn_spans_observe(lanes->spans, &o, &observer, &l, err);
		advance(&l, end_ns);
		best = rc == TN_OK ? first_of(&l, state) : NULL;
	}
	if (best)
		*out = best->begin;
	else if (rc == TN_OK)
		rc = TN_END;
	release(&l);
	return rc;
}
