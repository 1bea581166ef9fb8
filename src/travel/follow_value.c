/*
 * follow_value.c - follow one value through all streams
 *
 * A job finds the value to follow (the chosen field's, or a key of a span that the event begins or ends), the existing
 * names with the same meaning, and the first event. Then only the events with this value are shown, with times since the
 * first one.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/answer.h>

#include "gettext.h"
#include "session/settings.h"
#include "follow_value.h"

struct travel {
	struct filters *filters;	/* used only in the app's thread */
	char *name, *value;		/* chosen field; NULL: use a span of the event */
	char *path;			/* path of the chosen field; NULL: none */
	char *spans;			/* definitions that the user asked for, one per line; "" */
	struct same same[SAME_ROWS];
	struct tn_location at;
	struct tn_spans *definitions;
	size_t asked;			/* number of definitions that come from `spans` */
	bool of_row;			/* `at` begins the span in a row of a table, or ends it if the span has no begin */
	int best;			/* how specific the best keys so far are; 0: no keys */
	struct tn_str condition;
	bool is_or;			/* several names joined with "or", without parentheses */
	bool has_first;
	int64_t first_ns;
};

/* ---- the condition ---- */

/* Whether some event has the condition's field. */
static bool
is_there(struct tn_set *set, const char *condition)
{
	struct tn_filter *filter;
	bool there;

	if (tn_filter_new(&filter, set, NULL) != TN_OK)
		return false;
	there = tn_filter_add_expression(filter, condition, NULL) == TN_OK && !tn_filter_remark(filter);
	tn_filter_free(filter);
	return there;
}

static bool
add_name(struct travel *t, struct tn_set *set, bool some, const char *name, size_t n, const char *value)
{
	/* A name can be an attribute of events or one of their fields. */
	static const char *const from[] = { "", "event.fields." };
	char text[1400];

	for (size_t i = 0; i < sizeof from / sizeof *from; i++)
		if ((size_t)snprintf(text, sizeof text, "%s%.*s == %s", from[i], (int)n, name, value) < sizeof text &&
		    is_there(set, text)) {
			tn_str_printf(&t->condition, "%s%s", some ? " or " : "", text);
			return true;
		}
	return false;
}

/* Put parentheses around the text after @from. */
static void
wrap(struct tn_str *condition, size_t from)
{
	struct tn_str all = { 0 };

	tn_str_printf(&all, "%.*s(%s)", (int)from, condition->text, condition->text + from);
	tn_str_release(condition);
	*condition = all;
}

/* Add the value under all names with the same meaning. False: no event has any of these names. */
static bool
add_value(struct travel *t, struct tn_set *set, const char *name, const char *value)
{
	const char *same = settings_same_as(t->same, name);
	size_t whole = t->condition.n, before;
	bool some = false, several = false;

	if (t->is_or) {	/* parentheses are needed, because "and" binds more than "or" */
		wrap(&t->condition, 0);
		t->is_or = false;
	}
	if (t->condition.n)
		tn_str_puts(&t->condition, " and ");
	before = t->condition.n;
	for (const char *at = same ? same : name; *at; at += strspn(at, " ")) {
		size_t n = same ? strcspn(at, " ") : strlen(at);
		bool added = add_name(t, set, some, at, n, value);

		several |= some && added;
		some |= added;
		at += n;
	}
	if (!some)
		t->condition.n = whole;
	else if (several && before)
		wrap(&t->condition, before);
	else
		t->is_or = several;
	return some;
}

/* ---- the key of a span ---- */

#define BY_ROW 4	/* above all results of worth() */

static int
worth(const char *key)
{
	static const char *const little[] = { "cpu", "cpu_id", "stream" }, *const some[] = { "tid", "vtid", "pid", "vpid" };

	for (size_t i = 0; i < sizeof little / sizeof *little; i++)
		if (strcmp(key, little[i]) == 0)
			return 0;
	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		if (strcmp(key, some[i]) == 0)
			return 1;
	return 2;
}

/* Write the value in the form of a condition. False: a condition cannot express it. */
static bool
value_text(const struct tn_answer_value *v, char *out, size_t size)
{
	switch (v->kind) {
	case TN_ANSWER_UINT: return (size_t)snprintf(out, size, "%llu", (unsigned long long)v->is.u) < size;
	case TN_ANSWER_SINT: return (size_t)snprintf(out, size, "%lld", (long long)v->is.i) < size;
	case TN_ANSWER_TEXT:
		return !memchr(v->text, '"', v->n) && !memchr(v->text, '\\', v->n) &&
		       (size_t)snprintf(out, size, "\"%.*s\"", (int)v->n, v->text) < size;
	default: return false;
	}
}

/* Of the spans that this event begins or ends, use the one with the most specific keys, the first of equals. */
static int
on_span(void *user, const struct tn_span *s)
{
	struct job *job = user;
	struct travel *t = job->data;
	char value[1200];
	int best = 0;

	if (!(s->is_at_begin && tn_location_compare(&s->begin, &t->at) == 0) &&
	    !(s->is_at_end && tn_location_compare(&s->end, &t->at) == 0))
		return 0;
	for (size_t i = 0; i < s->n_keys; i++)
		if (value_text(&s->key[i], value, sizeof value) && worth(tn_spans_key(t->definitions, s->definition, i)) > best)
			best = worth(tn_spans_key(t->definitions, s->definition, i));
	/* Prefer the span that begins here: an event such as sched_switch also ends the span before. */
	if (best && t->of_row && s->definition < t->asked)
		best += BY_ROW * (s->is_at_begin && tn_location_compare(&s->begin, &t->at) == 0 ? 2 : 1);
	if (best <= t->best)
		return 0;
	t->best = best;
	t->condition.n = 0;
	t->is_or = false;
	for (size_t i = 0; i < s->n_keys; i++)
		if (value_text(&s->key[i], value, sizeof value) && worth(tn_spans_key(t->definitions, s->definition, i)))
			add_value(t, job->q.set, tn_spans_key(t->definitions, s->definition, i), value);
	return 0;
}

static enum tn_code
find_keys(struct job *job)
{
	struct travel *t = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_pairs *pairs;
	char *rest = t->spans;
	enum tn_code rc = tn_pairs_new(&pairs, job->q.set, &job->error);

	if (rc == TN_OK)
		rc = tn_spans_new(&t->definitions, job->q.set, &job->error);
	for (char *line; rc == TN_OK && (line = strsep(&rest, "\n"));)
		if (*line)
			(void)!tn_spans_add(t->definitions, line, NULL);
	t->asked = t->definitions ? tn_spans_count(t->definitions) : 0;
	for (size_t i = 0; rc == TN_OK && i < tn_pairs_count(pairs); i++)
		(void)!tn_spans_add(t->definitions, tn_pairs_definition(pairs, i), NULL);
	tn_pairs_free(pairs);
	if (rc != TN_OK || !tn_spans_count(t->definitions))
		return rc;
	scan.filter = NULL;
	scan.progress = NULL;
	scan.has_begin = scan.has_end = true;
	scan.begin_ns = scan.end_ns = t->at.time_ns;
	return tn_spans_run(t->definitions, &scan, TN_SPANS_BY_BEGIN, on_span, job, NULL, &job->error);
}

/* ---- the first event ---- */

static int
on_row(void *user, const struct tn_row *row)
{
	struct travel *t = ((struct job *)user)->data;

	if (row->kind != TN_ROW_EVENT || !row->has_time)
		return 0;
	t->has_first = true;
	t->first_ns = row->time_ns;
	return 1;
}

static enum tn_code
find_first(struct job *job)
{
	struct travel *t = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_filter *filter;
	enum tn_code rc = tn_filter_new(&filter, job->q.set, &job->error);

	if (rc != TN_OK)
		return rc;
	rc = tn_filter_add_expression(filter, tn_str_text(&t->condition), &job->error);
	scan.filter = filter;
	scan.row = on_row;
	if (rc == TN_OK)
		rc = tn_scan(job->q.set, &scan, NULL, &job->error);
	tn_filter_free(filter);
	return t->has_first ? TN_OK : rc;
}

static void
travel_run(struct job *job)
{
	struct travel *t = job->data;
	enum tn_code rc = TN_OK;

	if (!t->value)
		rc = find_keys(job);
	else if (!add_value(t, job->q.set, t->name, t->value)) {
		t->condition.n = 0;
		tn_str_printf(&t->condition, "%s == %s", t->path, t->value);
	}
	if (rc == TN_OK && t->condition.n)
		rc = find_first(job);
	job->code = rc;
}

/* Add the condition as a filter. If it only extends the last followed condition by other names, replace that one. */
static bool
add_followed(struct travel *t, struct session *s, struct tn_error *err)
{
	const char *text = tn_str_text(&t->condition), *old = s->answers.followed;
	size_t n = old ? strlen(old) : 0;

	if (old && strncmp(text, old, n) == 0 && (!text[n] || strncmp(text + n, " or ", 4) == 0))
		for (size_t i = 0; i < s->asks.n_conditions; i++)
			if (s->asks.condition[i].on && s->asks.condition[i].text && strcmp(s->asks.condition[i].text, old) == 0)
				return filters_change(t->filters, s, i, CONDITION_EDIT, text, err);
	return filters_add(t->filters, s, text, err);
}

static void
travel_end(struct job *job)
{
	struct travel *t = job->data;
	struct session *s = job->session;
	struct tn_error err;

	if (job->code < 0 && job->code != TN_ERR_CANCELLED) {
		session_fail(s, "%s", job->error.text);
	} else if (job->code == TN_OK && !t->condition.n) {
		session_say(s, _("no span begins or ends here: choose a field (Enter, Tab), K follows it"));
	} else if (job->code == TN_OK && !add_followed(t, s, &err)) {
		session_fail(s, "%s", err.text);
	} else if (job->code == TN_OK) {
		if (!s->answers.followed)
			s->answers.delta_before = s->settings.delta;
		free(s->answers.followed);
		s->answers.followed = strdup(tn_str_text(&t->condition));
		if (t->has_first) {
			s->settings.origin_ns = t->first_ns;
			s->settings.delta = DELTA_ORIGIN;
		}
	}
}

static void
travel_free(void *data)
{
	struct travel *t = data;

	tn_spans_free(t->definitions);
	tn_str_release(&t->condition);
	free(t->name);
	free(t->value);
	free(t->path);
	free(t->spans);
	free(t);
}

static const struct job_class travel_class = {
	.label = N_("searching for values to follow"),
	.run = travel_run, .finish = travel_end, .free = travel_free,
};

void
follow_value(struct filters *f, struct session *s, bool of_field, bool of_row)
{
	const char *tail = s->here.focus_path ? strrchr(s->here.focus_path, '.') : NULL;
	struct travel *t;

	if (of_field && (!s->here.focus_path || !s->here.focus_value)) {
		session_say(s, _("no condition can match this value: choose another field"));
		return;
	}
	if (!s->here.has_row || s->here.row.kind != TN_ROW_EVENT) {
		session_say(s, _("no event is selected"));
		return;
	}
	t = calloc(1, sizeof *t);
	if (!t)
		return;
	t->filters = f;
	t->of_row = of_row;
	t->at = s->here.row.location;
	memcpy(t->same, s->settings.same, sizeof t->same);
	t->spans = strdup(s->answers.wish.spans ? s->answers.wish.spans : "");
	if (of_field) {
		t->name = strdup(tail ? tail + 1 : s->here.focus_path);
		t->path = strdup(s->here.focus_path);
		t->value = strdup(s->here.focus_value);
	}
	if (!t->spans || (of_field && (!t->name || !t->path || !t->value))) {
		travel_free(t);
		return;
	}
	job_start(s, &travel_class, t);
}
