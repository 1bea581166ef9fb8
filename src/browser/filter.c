/*
 * filter.c - the stack of conditions behind `&`
 *
 * A new condition takes effect when the first events that pass are there. Until then the screen stays
 * as it is; when nothing passes, or the user stops the search, the conditions are as they were.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "app_state.h"

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
forget_undo(struct app *a)
{
	conditions_free(a->undo, a->n_undo);
	query_put(a->undo_query);
	a->undo = NULL;
	a->undo_query = NULL;
	a->n_undo = 0;
	a->has_undo = false;
}

/* ---- how many there are ---- */

static int
matches_progress(void *user, uint64_t events_read, uint64_t events_passed, int64_t at_ns)
{
	struct job *job = user;
	struct session *s = job->session;

	atomic_store(&job->events, events_read);
	atomic_store(&job->passed, events_passed);
	if (s->has_range)
		atomic_store(&job->permille, session_permille(s, at_ns));
	return atomic_load(&job->stop);
}

struct matches {
	struct query *query;
	struct bounds bounds;
	uint64_t n;
};

static void
matches_run(struct job *job)
{
	struct matches *m = job->data;
	struct tn_scan_options options = {
		TN_SCAN_OPTIONS,
		.filter = m->query->filter, .text = m->query->text, .threads = job->session->threads,
		.has_begin = m->bounds.has_begin, .begin_ns = m->bounds.begin_ns,
		.has_end = m->bounds.has_end, .end_ns = m->bounds.end_ns,
		.progress = matches_progress, .stopped = job_stopped, .user = job,
	};

	job->code = tn_scan(job->session->set, &options, &m->n, &job->error);
}

static void
matches_finish(struct job *job)
{
	struct app *a = (struct app *)job->session;
	struct matches *m = job->data;

	if (a->matches_job == job)
		a->matches_job = NULL;
	if (job->code >= 0 && m->query == a->session.query) {
		a->session.matches = m->n;
		a->session.matches_known = true;
	}
}

static void
matches_free(void *data)
{
	struct matches *m = data;

	query_put(m->query);
	free(m);
}

static const struct job_class matches_class = {
	.label = N_("counting matches"), .quiet = true,
	.run = matches_run, .finish = matches_finish, .free = matches_free,
};

/* How many pass must be counted anew. */
void
app_count_matches(struct app *a)
{
	job_drop(a->matches_job);
	a->matches_job = NULL;
	a->session.matches_known = false;
	a->wants_matches = a->session.query->filter != NULL;
}

/* Count when nothing more urgent looks through the trace; not at all when all of them are on the screen. */
void
app_matches_turn(struct app *a)
{
	struct session *s = &a->session;
	struct matches *m;
	uint64_t n;

	if (!a->wants_matches || !a->started || events_looking(a->screen[0]))
		return;
	a->wants_matches = false;
	a->dirty = true;
	if (events_count(a->screen[0], &n)) {
		s->matches = n;
		s->matches_known = true;
		return;
	}
	m = calloc(1, sizeof *m);
	if (!m)
		return;
	m->query = query_get(s->query);
	m->bounds = s->bounds;
	a->matches_job = job_start(&s->jobs, s, &matches_class, m);
}

/* ---- changing ---- */

/* Take new conditions over; they may be refused. */
static bool
change(struct app *a, struct condition *condition, size_t n, struct tn_error *err)
{
	struct session *s = &a->session;
	struct query *query;

	if (!condition || query_new(&query, s->set, &s->settings.text, condition, n, NULL, false, err) != TN_OK) {
		if (!condition)
			strcpy(err->text, "out of memory");
		conditions_free(condition, n);
		return false;
	}
	if (a->has_undo) {	/* one change behind another: the first one's undo counts */
		conditions_free(s->condition, s->n_conditions);
		query_put(s->query);
	} else {
		a->undo = s->condition;
		a->n_undo = s->n_conditions;
		a->undo_query = s->query;
		a->has_undo = true;
	}
	job_drop(a->matches_job);
	a->matches_job = NULL;
	a->wants_matches = false;
	s->condition = condition;
	s->n_conditions = n;
	s->query = query;
	app_reply(a, a->screen[0], events_refresh(a->screen[0]));
	if (!query->filter)
		app_keep_filter(a);
	return true;
}

bool
app_add_condition(struct app *a, const char *text, struct tn_error *err)
{
	struct session *s = &a->session;
	struct condition *condition = conditions_copy(s->condition, s->n_conditions, 1);
	size_t n = s->n_conditions;

	if (condition && (condition[n].text = strdup(text)) != NULL)
		condition[n++].on = true;
	return change(a, condition, n, err);
}

void
app_clear_conditions(struct app *a)
{
	struct tn_error err;

	if (!a->session.n_conditions && !a->has_undo) {
		session_say(&a->session, _("there is no filter"));
		return;
	}
	if (!change(a, conditions_copy(NULL, 0, 0), 0, &err))
		session_fail(&a->session, "%s", err.text);
}

void
app_toggle_conditions(struct app *a, uint64_t which)
{
	struct session *s = &a->session;
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
	if (!change(a, condition, s->n_conditions, &err))
		session_fail(s, "%s", err.text);
}

/* The events that pass are on the screen. */
void
app_keep_filter(struct app *a)
{
	if (!a->has_undo && (a->session.matches_known || a->matches_job || a->wants_matches))
		return;
	forget_undo(a);
	app_count_matches(a);
}

void
app_undo_filter(struct app *a, bool stopped)
{
	struct session *s = &a->session;

	if (stopped)
		session_say(s, _("stopped"));
	else if (s->n_conditions)
		session_say(s, _("no event passes: %s"), s->condition[s->n_conditions - 1].text);
	if (!a->has_undo)
		return;
	conditions_free(s->condition, s->n_conditions);
	query_put(s->query);
	s->condition = a->undo;
	s->n_conditions = a->n_undo;
	s->query = a->undo_query;
	a->undo = NULL;
	a->undo_query = NULL;
	a->n_undo = 0;
	a->has_undo = false;
	app_count_matches(a);
	a->dirty = true;
}

void
app_new_query(struct app *a, bool refresh)
{
	struct session *s = &a->session;
	struct query *query;
	struct tn_error err;

	if (query_new(&query, s->set, &s->settings.text, s->condition, s->n_conditions, NULL, false, &err) != TN_OK) {
		session_fail(s, "%s", err.text);
		return;
	}
	query_put(s->query);
	s->query = query;
	if (refresh)
		app_reply(a, a->screen[0], events_refresh(a->screen[0]));
	a->dirty = true;
}

void
app_context(struct app *a, int more)
{
	struct session *s = &a->session;
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
	app_reply(a, a->screen[0], events_refresh(a->screen[0]));
}
