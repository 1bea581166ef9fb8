#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"
#include "session/row_search.h"

/* ---- search for an event ---- */

struct search {
	struct row_search rows;
	enum search_kind kind;
	uint64_t count;
	struct tn_location start;
	/* The stream, event class or gap to find. */
	uint32_t stream;
	const struct tn_event_class *event_class;
	int64_t gap_ns;
	/* For gaps: the row examined before. */
	bool has_former;
	struct tn_location former;
	/* The result. */
	bool found;
	struct tn_location at;
	uint64_t seen;
};

static bool
is_time_back(const struct tn_row *row)
{
	return row->has_time && row->time_ns < row->location.time_ns;
}

/* Whether there is a gap between this row and the former row; sets ->at to the later of the two. */
static bool
ends_gap(struct search *f, const struct tn_row *row)
{
	struct tn_location former = f->former;
	bool had = f->has_former;
	int64_t a, b;

	f->former = row->location;
	f->has_former = true;
	if (!had)
		return false;
	a = f->rows.backward ? row->location.time_ns : former.time_ns;
	b = f->rows.backward ? former.time_ns : row->location.time_ns;
	f->at = f->rows.backward ? former : row->location;
	return b > a && (uint64_t)b - (uint64_t)a > (uint64_t)f->gap_ns
	       && tn_location_compare(&f->at, &f->start) != 0;
}

static bool
search_want(void *user, const struct tn_row *row)
{
	struct search *f = user;

	switch (f->kind) {
	case SEARCH_STREAM: return row->kind == TN_ROW_EVENT && row->location.stream == f->stream;
	case SEARCH_TYPE: return row->kind == TN_ROW_EVENT && row->event_class == f->event_class;
	case SEARCH_PROBLEM: return row->kind != TN_ROW_EVENT || is_time_back(row);
	case SEARCH_GAP: return ends_gap(f, row);
	default: return row->kind == TN_ROW_EVENT;
	}
}

static int
search_found(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why)
{
	struct search *f = user;

	(void)event, (void)why;
	if (f->kind != SEARCH_GAP)
		f->at = row->location;
	f->found = ++f->seen >= f->count || f->kind == SEARCH_SKIP || f->kind == SEARCH_NUMBER;
	return f->seen >= f->count;
}

static void
search_run(struct job *job)
{
	struct search *f = job->data;

	f->rows.job = job;
	job->code = row_search_run(&f->rows, &job->error);
}

static void
say_not_found(struct session *s, const struct search *f, const struct query *query)
{
	const char *remark = query && query->filter ? tn_filter_remark(query->filter) : NULL;
	bool up = f->rows.backward;

	switch (f->kind) {
	case SEARCH_PATTERN:
		if (remark)
			session_say(s, up ? _("not found above: %s: %s") : _("not found below: %s: %s"), s->asks.pattern, remark);
		else
			session_say(s, up ? _("not found above: %s") : _("not found below: %s"), s->asks.pattern);
		break;
	case SEARCH_STREAM:
		session_say(s, up ? _("no event of this stream above") : _("no event of this stream below"));
		break;
	case SEARCH_TYPE:
		session_say(s, up ? _("no event of this type above") : _("no event of this type below"));
		break;
	case SEARCH_VALUE:
		session_say(s, up ? _("no event with this value above") : _("no event with this value below"));
		break;
	case SEARCH_PROBLEM: session_say(s, up ? _("no problem above") : _("no problem below")); break;
	case SEARCH_GAP: session_say(s, up ? _("no such gap above") : _("no such gap below")); break;
	default: session_say(s, _("the traces have fewer events")); break;
	}
}

static void
search_finish(struct job *job)
{
	struct session *s = job->session;
	struct search *f = job->data;
	struct place place = { .kind = PLACE_LOCATION, .location = f->at };

	s->wish.redraw = true;
	if (job->code != TN_OK && job->code != TN_END) {
		session_fail(s, "%s", job->error.text);
	} else if (f->found) {
		s->here.show_hit = f->kind == SEARCH_PATTERN;
		job_go(job, &place, ALIGN_NEAR);
		if (f->kind == SEARCH_NUMBER && f->seen < f->count)	/* only the last event was reached */
			say_not_found(s, f, job->q.query);
	} else {
		say_not_found(s, f, job->q.query);
		s->here.missed = f->kind == SEARCH_PATTERN;
	}
}

static void
search_cancelled(struct job *job)
{
	session_say(job->session, _("stopped"));
	if (((struct search *)job->data)->kind == SEARCH_PATTERN)	/* stop counting its hits, too */
		tally_off(&job->session->asks.found);
	job->session->wish.redraw = true;
}

static const struct job_class search_class = {
	.label = N_("searching"),
	.run = search_run, .finish = search_finish, .cancelled = search_cancelled, .free = free,
};

bool
search_query(struct session *s, enum search_kind kind, struct query **out, struct tn_error *err)
{
	struct condition *condition = s->asks.condition;
	size_t n = s->asks.n_conditions;
	char *pattern = NULL, *expression = NULL;
	enum tn_code rc;

	if (kind == SEARCH_GAP || kind == SEARCH_PROBLEM)
		n = 0;	/* search all events, filtered or not */
	if (kind == SEARCH_PATTERN && s->asks.pattern_is_condition)
		expression = strdup(s->asks.pattern);
	else if (kind == SEARCH_PATTERN && asprintf(&pattern, "%s%s", s->settings.ignore_case ? "(?i)" : "", s->asks.pattern) < 0)
		pattern = NULL;
	if (kind == SEARCH_VALUE && asprintf(&expression, "%s == %s", s->here.focus_path, s->here.focus_value) < 0)
		expression = NULL;
	rc = query_new(out, s->traces.set, &s->settings.text, condition, n, pattern ? pattern : expression,
		       expression != NULL, err);
	free(pattern);
	free(expression);
	return rc == TN_OK;
}

void
search_stop(struct session *s)
{
	for (struct job *job = s->jobs.first; job; job = job->next)
		if (job->class == &search_class)
			job_drop(job);
}

/* Whether a search of this kind is possible; if not, report what to do. */
static bool
can_find(struct session *s, enum search_kind kind)
{
	if (!s->here.has_row && kind != SEARCH_NUMBER)
		return false;
	if (kind == SEARCH_PATTERN && !s->asks.pattern) {
		session_say(s, _("there is no search yet: / starts one"));
		return false;
	}
	if (kind == SEARCH_VALUE && (!s->here.focus_path || !s->here.focus_value)) {
		session_say(s, _("choose a field first: Enter opens the details, Tab goes there"));
		return false;
	}
	return kind != SEARCH_TYPE || s->here.row.kind == TN_ROW_EVENT;
}

void
search_start(struct session *s, enum search_kind kind, bool backward, uint64_t count)
{
	const struct tn_location *here = backward ? &s->here.row.location : &s->here.row_last;
	struct query *query;
	struct search *f;
	struct tn_error err;

	if (!can_find(s, kind))
		return;
	if (!search_query(s, kind, &query, &err)) {
		session_fail(s, "%s", err.text);
		return;
	}
	f = calloc(1, sizeof *f);
	if (f) {
		search_stop(s);
		f->kind = kind;
		f->count = count ? count : 1;
		f->stream = s->here.row.location.stream;
		f->event_class = s->here.row.event_class;
		f->gap_ns = s->settings.gap_ns;
		f->has_former = s->here.has_row;
		f->former = f->start = *here;
		f->rows = (struct row_search) {
			.backward = backward, .behind = true, .want = search_want, .rows_only = true,
			.found = search_found, .user = f,
			.from = { .kind = kind == SEARCH_NUMBER ? PLACE_BEGIN : PLACE_LOCATION, .location = *here },
		};
		job_ask(s, &search_class, f, query);
	}
	query_put(query);
}

/* ---- the search ---- */

/* Check a text. *condition: the text is an expression. False with *condition: it has a mistake. */
static bool
look_at(struct session *s, const char *text, bool *condition, struct tn_error *err)
{
	struct tn_filter *filter = NULL;
	bool good = tn_filter_new(&filter, s->traces.set, err) == TN_OK;

	*condition = good && tn_filter_takes_expression(filter, text);
	if (*condition)
		good = tn_filter_add(filter, text, err) == TN_OK;
	tn_filter_free(filter);
	return good;
}

/* Set the search pattern. @is_text: it is a regular expression, even if it looks like a condition. */
static bool
set_pattern(struct session *s, const char *pattern, bool is_text, bool backward, struct tn_error *err)
{
	struct tn_regex *regex = NULL;	/* NULL for a condition, which marks no text */
	bool condition = false;
	char *copy;

	if (!*pattern) {	/* use the last pattern again */
		if (!s->asks.pattern) {
			snprintf(err->text, sizeof err->text, "%s", _("there is no search yet"));
			return false;
		}
		pattern = s->asks.pattern;
		is_text = !s->asks.pattern_is_condition;
	}
	if (!is_text && !look_at(s, pattern, &condition, err))
		return false;
	if (!condition && tn_regex_new(&regex, pattern, s->settings.ignore_case, err) != TN_OK)
		return false;
	copy = strdup(pattern);
	tn_regex_free(s->asks.mark);
	s->asks.mark = regex;
	free(s->asks.pattern);
	s->asks.pattern = copy;
	s->asks.pattern_is_condition = condition;
	s->asks.backward = backward;
	return copy != NULL;
}

bool
search_pattern(struct session *s, const char *pattern, bool backward, struct tn_error *err)
{
	return set_pattern(s, pattern, false, backward, err);
}

static char *
quote_regex(const char *text)
{
	char *out = malloc(strlen(text) * 2 + 1), *p = out;

	for (; out && *text; text++) {
		if (strchr("\\^$.[]|()?*+{}", *text))
			*p++ = '\\';
		*p++ = *text;
	}
	if (out)
		*p = '\0';
	return out;
}

/* Mark the field as lines show it, "name = value", where the value ends there. */
static struct tn_regex *
value_mark(const char *path, const char *value)
{
	const char *name = strrchr(path, '.');
	struct tn_regex *mark = NULL;
	char *text, *quoted, *pattern;

	if (asprintf(&text, "%s = %s", name ? name + 1 : path, value) < 0)
		return NULL;
	quoted = quote_regex(text);
	free(text);
	if (!quoted || asprintf(&pattern, "(?<![\\w.])%s(?![\\w.])", quoted) < 0)
		pattern = NULL;
	free(quoted);
	if (pattern && tn_regex_new(&mark, pattern, false, NULL) != TN_OK)
		mark = NULL;
	free(pattern);
	return mark;
}

void
search_value(struct session *s, bool backward)
{
	char *expression;
	struct tn_error err;

	if (!s->here.focus_path || !s->here.focus_value) {
		session_say(s, _("choose a field first: Enter opens the details, Tab goes there"));
		return;
	}
	if (asprintf(&expression, "%s == %s", s->here.focus_path, s->here.focus_value) < 0)
		return;
	if (set_pattern(s, expression, false, backward, &err)) {
		tn_regex_free(s->asks.mark);
		s->asks.mark = value_mark(s->here.focus_path, s->here.focus_value);
		s->asks.searched = NULL;
		s->wish.hits = true;
		search_start(s, SEARCH_PATTERN, backward, 1);
	} else {
		session_fail(s, "%s", err.text);
	}
	free(expression);
}
