#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters.h"
#include "session/nesting.h"

static void
forget_undo(struct filters *f)
{
	conditions_free(f->undo, f->n_undo);
	query_put(f->undo_query);
	*f = (struct filters) { .n_undo = 0 };
}

/* ---- changing ---- */

/* Compute the bounds from the ranges that are on. */
static void
find_bounds(struct session *s)
{
	struct bounds former = s->asks.range;
	struct bounds b = { 0 };

	for (size_t i = 0; i < s->asks.n_conditions; i++) {
		const struct condition *c = &s->asks.condition[i];

		if (!c->on || !c->is_range)
			continue;
		if (c->has_begin && (!b.has_begin || c->begin_ns > b.begin_ns))
			b.begin_ns = c->begin_ns;
		if (c->has_end && (!b.has_end || c->end_ns < b.end_ns))
			b.end_ns = c->end_ns;
		b.has_begin |= c->has_begin;
		b.has_end |= c->has_end;
	}
	s->asks.range = b;
	session_bound(s);
	nesting_forget(s);
	if (b.has_begin != former.has_begin || b.has_end != former.has_end || b.begin_ns != former.begin_ns
	    || b.end_ns != former.end_ns)
		s->wish.recount = true;
}

/* If the condition of the followed value was removed, restore the former form of times. */
static void
forget_followed(struct session *s)
{
	for (size_t i = 0; s->answers.followed && i < s->asks.n_conditions; i++)
		if (s->asks.condition[i].text && strcmp(s->asks.condition[i].text, s->answers.followed) == 0)
			return;
	if (s->answers.followed && s->settings.delta == DELTA_ORIGIN)
		s->settings.delta = s->answers.delta_before;
	free(s->answers.followed);
	s->answers.followed = NULL;
}

/* Replace the conditions; a condition can be refused. */
static bool
change(struct filters *f, struct session *s, struct condition *condition, size_t n, struct tn_error *err)
{
	struct query *query;

	if (!condition || session_query(s, &query, condition, n, err) != TN_OK) {
		if (!condition)
			strcpy(err->text, "out of memory");
		conditions_free(condition, n);
		return false;
	}
	if (f->has_undo) {	/* another change is in progress: undo goes back to the state before the first */
		conditions_free(s->asks.condition, s->asks.n_conditions);
		query_put(s->asks.query);
	} else {
		f->undo = s->asks.condition;
		f->n_undo = s->asks.n_conditions;
		f->undo_query = s->asks.query;
		f->has_undo = true;
	}
	counts_stop_matches(s);
	s->asks.condition = condition;
	s->asks.n_conditions = n;
	s->asks.query = query;
	s->asks.changes++;
	forget_followed(s);
	find_bounds(s);
	s->wish.refresh = true;
	if (query->filter && tn_filter_remark(query->filter))
		session_fail(s, "%s", tn_filter_remark(query->filter));
	return true;
}

bool
filters_add(struct filters *f, struct session *s, const char *text, struct tn_error *err)
{
	struct condition *condition = conditions_copy(s->asks.condition, s->asks.n_conditions, 1);
	size_t n = s->asks.n_conditions;

	if (condition && (condition[n].text = strdup(text)) != NULL)
		condition[n++].on = true;
	return change(f, s, condition, n, err);
}

bool
filters_set(struct filters *f, struct session *s, struct condition *condition, size_t n, struct tn_error *err)
{
	if (!n) {
		free(condition);
		condition = conditions_copy(NULL, 0, 0);
	}
	return change(f, s, condition, n, err);
}

/* A range such as "14:03:01.2 .. 14:05:30"; one end may be open. */
static char *
range_text(const struct session *s, const struct bounds *b)
{
	struct tn_str begin = { 0 }, end = { 0 };
	char *text;

	if (b->has_begin)
		tn_text_time(s->asks.query->text, b->begin_ns, &begin);
	if (b->has_end)
		tn_text_time(s->asks.query->text, b->end_ns, &end);
	if (asprintf(&text, "%s .. %s", begin.text ? begin.text : "", end.text ? end.text : "") < 0)
		text = NULL;
	tn_str_release(&begin);
	tn_str_release(&end);
	return text;
}

void
filters_range(struct filters *f, struct session *s, const struct bounds *b)
{
	struct condition *condition = conditions_copy(s->asks.condition, s->asks.n_conditions, 1);
	size_t n = 0;
	struct tn_error err;

	for (size_t i = 0; condition && i < s->asks.n_conditions; i++)	/* the new range replaces another one */
		if (condition[i].is_range)
			free(condition[i].text);
		else
			condition[n++] = condition[i];
	if (condition && b && (b->has_begin || b->has_end)) {
		condition[n] = (struct condition) { range_text(s, b), true, true, b->has_begin, b->has_end,
						    b->begin_ns, b->end_ns };
		n += condition[n].text != NULL;
	} else if (n == s->asks.n_conditions) {
		conditions_free(condition, n);
		session_say(s, _("there is no range"));
		return;
	}
	if (!change(f, s, condition, n, &err))
		session_fail(s, "%s", err.text);
}

bool
filters_change(struct filters *f, struct session *s, size_t i, enum condition_change how, const char *text,
	       struct tn_error *err)
{
	size_t n = s->asks.n_conditions, to = how == CONDITION_UP ? i - 1 : i + 1;
	struct condition *condition = i < n ? conditions_copy(s->asks.condition, n, 0) : NULL, swap;
	char *copy;

	if (!condition) {
		snprintf(err->text, sizeof err->text, "%s", _("no filter has this number"));
		return false;
	}
	switch (how) {
	case CONDITION_TOGGLE: condition[i].on = !condition[i].on; break;
	case CONDITION_REMOVE:
		free(condition[i].text);
		memmove(&condition[i], &condition[i + 1], (--n - i) * sizeof *condition);
		break;
	case CONDITION_EDIT:
		copy = strdup(text);
		if (copy) {
			free(condition[i].text);
			condition[i].text = copy;
		}
		break;
	default:
		if (to < n) {
			swap = condition[i];
			condition[i] = condition[to];
			condition[to] = swap;
		}
		break;
	}
	return change(f, s, condition, n, err);
}

bool
filters_remove_last(struct filters *f, struct session *s)
{
	size_t n = s->asks.n_conditions;
	struct tn_error err;
	char *text;
	bool good;

	if (!n) {
		session_say(s, _("there is no filter"));
		return false;
	}
	text = strdup(s->asks.condition[n - 1].text);
	good = filters_change(f, s, n - 1, CONDITION_REMOVE, NULL, &err);
	if (!good)
		session_fail(s, "%s", err.text);
	else if (text)
		session_say(s, _("filter removed: %s"), text);
	free(text);
	return good;
}

void
filters_clear(struct filters *f, struct session *s)
{
	struct tn_error err;

	if (!s->asks.n_conditions && !f->has_undo) {
		session_say(s, _("there is no filter"));
		return;
	}
	if (!change(f, s, conditions_copy(NULL, 0, 0), 0, &err))
		session_fail(s, "%s", err.text);
}

void
filters_toggle(struct filters *f, struct session *s, uint64_t which)
{
	struct condition *condition;
	struct tn_error err;
	bool any = false;

	if (!s->asks.n_conditions || which > s->asks.n_conditions) {
		session_say(s, s->asks.n_conditions ? _("no filter has this number") : _("there is no filter"));
		return;
	}
	condition = conditions_copy(s->asks.condition, s->asks.n_conditions, 0);
	for (size_t i = 0; condition && i < s->asks.n_conditions; i++)
		any |= condition[i].on;
	for (size_t i = 0; condition && i < s->asks.n_conditions; i++)
		if (!which)
			condition[i].on = !any;
		else if (i + 1 == which)
			condition[i].on = !condition[i].on;
	if (!change(f, s, condition, s->asks.n_conditions, &err))
		session_fail(s, "%s", err.text);
}

void
filters_keep(struct filters *f, struct session *s)
{
	if (!f->has_undo)
		return;
	forget_undo(f);
	counts_matches(s);
}

void
filters_undo(struct filters *f, struct session *s, bool stopped)
{
	if (!stopped && s->asks.n_conditions) {
		const char *remark = s->asks.query->filter ? tn_filter_remark(s->asks.query->filter) : NULL;

		if (remark)
			session_say(s, _("no event matches: %s: %s"), s->asks.condition[s->asks.n_conditions - 1].text, remark);
		else
			session_say(s, _("no event matches: %s"), s->asks.condition[s->asks.n_conditions - 1].text);
	}
	if (!f->has_undo)
		return;
	conditions_free(s->asks.condition, s->asks.n_conditions);
	query_put(s->asks.query);
	s->asks.condition = f->undo;
	s->asks.n_conditions = f->n_undo;
	s->asks.query = f->undo_query;
	s->asks.changes++;
	find_bounds(s);
	*f = (struct filters) { .n_undo = 0 };
	counts_matches(s);
	s->wish.redraw = true;
}

void
filters_requery(struct session *s)
{
	struct query *query;
	struct tn_error err;

	if (session_query(s, &query, s->asks.condition, s->asks.n_conditions, &err) != TN_OK) {
		session_fail(s, "%s", err.text);
		return;
	}
	query_put(s->asks.query);
	s->asks.query = query;
	s->wish.redraw = true;
}

void
filters_context(struct session *s, int more)
{
	int context = s->settings.context + more;

	context = context < 0 ? 0 : context > 100 ? 100 : context;
	if (!s->asks.query->filter) {
		session_say(s, _("there is no filter"));
		return;
	}
	if (context == s->settings.context)
		return;
	s->settings.context = context;
	session_say(s, ngettext("%d event around each match", "%d events around each match", (unsigned)context), context);
	s->wish.refresh = true;
}

void
filters_forget(struct filters *f)
{
	forget_undo(f);
}
