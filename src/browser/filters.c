#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "filters.h"

void
conditions_free(struct condition *condition, size_t n)
{
	for (size_t i = 0; condition && i < n; i++)
		free(condition[i].text);
	free(condition);
}

static struct condition *
conditions_copy(const struct condition *from, size_t n, size_t more)
{
	struct condition *copy = calloc(n + more + 1, sizeof *copy);

	for (size_t i = 0; copy && i < n; i++) {
		copy[i] = (struct condition) { strdup(from[i].text), from[i].on };
		if (!copy[i].text) {
			conditions_free(copy, i);
			return NULL;
		}
	}
	return copy;
}

static void
forget_undo(struct filters *f)
{
	conditions_free(f->undo, f->n_undo);
	query_put(f->undo_query);
	*f = (struct filters) { .counts = f->counts };
}

/* ---- changing ---- */

/* Take new conditions over; they may be refused. */
static bool
change(struct filters *f, struct session *s, struct condition *condition, size_t n, struct tn_error *err)
{
	struct query *query;

	if (!condition || query_new(&query, s->set, &s->settings.text, condition, n, NULL, false, err) != TN_OK) {
		if (!condition)
			strcpy(err->text, "out of memory");
		conditions_free(condition, n);
		return false;
	}
	if (f->has_undo) {	/* one change behind another: the first one's undo counts */
		conditions_free(s->condition, s->n_conditions);
		query_put(s->query);
	} else {
		f->undo = s->condition;
		f->n_undo = s->n_conditions;
		f->undo_query = s->query;
		f->has_undo = true;
	}
	counts_stop_matches(f->counts);
	s->condition = condition;
	s->n_conditions = n;
	s->query = query;
	s->wish.refresh = true;
	return true;
}

bool
filters_add(struct filters *f, struct session *s, const char *text, struct tn_error *err)
{
	struct condition *condition = conditions_copy(s->condition, s->n_conditions, 1);
	size_t n = s->n_conditions;

	if (condition && (condition[n].text = strdup(text)) != NULL)
		condition[n++].on = true;
	return change(f, s, condition, n, err);
}

void
filters_clear(struct filters *f, struct session *s)
{
	struct tn_error err;

	if (!s->n_conditions && !f->has_undo) {
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

	if (!s->n_conditions || which > s->n_conditions) {
		session_say(s, s->n_conditions ? _("there is no filter of that number") : _("there is no filter"));
		return;
	}
	condition = conditions_copy(s->condition, s->n_conditions, 0);
	for (size_t i = 0; condition && i < s->n_conditions; i++)
		any |= condition[i].on;
	for (size_t i = 0; condition && i < s->n_conditions; i++)
		if (!which)
			condition[i].on = !any;
		else if (i + 1 == which)
			condition[i].on = !condition[i].on;
	if (!change(f, s, condition, s->n_conditions, &err))
		session_fail(s, "%s", err.text);
}

void
filters_keep(struct filters *f, struct session *s)
{
	if (!f->has_undo && (s->matches_known || f->counts->matches || f->counts->wants_matches))
		return;
	forget_undo(f);
	counts_matches(f->counts, s);
}

void
filters_undo(struct filters *f, struct session *s, bool stopped)
{
	if (stopped)
		session_say(s, _("stopped"));
	else if (s->n_conditions)
		session_say(s, _("no event passes: %s"), s->condition[s->n_conditions - 1].text);
	if (!f->has_undo)
		return;
	conditions_free(s->condition, s->n_conditions);
	query_put(s->query);
	s->condition = f->undo;
	s->n_conditions = f->n_undo;
	s->query = f->undo_query;
	*f = (struct filters) { .counts = f->counts };
	counts_matches(f->counts, s);
	s->wish.redraw = true;
}

void
filters_requery(struct session *s)
{
	struct query *query;
	struct tn_error err;

	if (query_new(&query, s->set, &s->settings.text, s->condition, s->n_conditions, NULL, false, &err) != TN_OK) {
		session_fail(s, "%s", err.text);
		return;
	}
	query_put(s->query);
	s->query = query;
	s->wish.redraw = true;
}

void
filters_context(struct session *s, int more)
{
	int context = s->settings.context + more;

	context = context < 0 ? 0 : context > 100 ? 100 : context;
	if (!s->query->filter) {
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
