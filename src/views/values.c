#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "list.h"

/*
 * The values that one field has, and how often, among the events that pass the filters. A job reads
 * the field of each event; what it has so far is shown meanwhile. Enter filters for a value.
 */
#define VALUES_MAX 8192		/* different ones; events with others are only counted */
#define VALUE_BYTES 256		/* of a value's text; longer ones are told apart no further */
#define SLOTS 16384		/* of the hash table: a power of two above VALUES_MAX */
#define PROGRESS_EVENTS 4096

struct value_count {
	char *text;		/* safe */
	uint64_t n;
};

struct reading {
	pthread_mutex_t lock;
	struct value_count value[VALUES_MAX];
	size_t n;
	uint16_t slot[SLOTS];	/* number of a value + 1; 0: free */
	uint64_t with, without, others;
	char *path;
	unsigned scopes;
	struct values *view;	/* the app's thread */
};

struct values {
	struct list_view list;
	struct job *job;
	struct value_count *value;	/* as of the last turn; its texts are the view's */
	uint64_t with, without, others;
	char *path;
	bool by_name;
};

/* ---- the job ---- */

static uint32_t
hash(const char *text, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619u;
	return h;
}

/* With the lock held. */
static void
count_value(struct reading *r, const char *text, size_t n)
{
	uint32_t i = hash(text, n) & (SLOTS - 1);

	for (; r->slot[i]; i = (i + 1) & (SLOTS - 1)) {
		struct value_count *v = &r->value[r->slot[i] - 1];

		if (strncmp(v->text, text, n) == 0 && v->text[n] == '\0') {
			v->n++;
			return;
		}
	}
	if (r->n == VALUES_MAX || !(r->value[r->n].text = strndup(text, n))) {
		r->others++;
		return;
	}
	r->value[r->n].n = 1;
	r->slot[i] = (uint16_t)++r->n;
}

static void
read_value(struct reading *r, const struct tn_text *text, const struct tn_value *v)
{
	struct tn_str raw = { 0 }, safe = { 0 };

	if (v) {
		tn_text_value(text, v, &raw);
		tn_text_safe(raw.text ? raw.text : "", raw.n < VALUE_BYTES ? raw.n : VALUE_BYTES, &safe);
	}
	pthread_mutex_lock(&r->lock);
	if (v) {
		r->with++;
		count_value(r, safe.text ? safe.text : "", safe.n);
	} else {
		r->without++;
	}
	pthread_mutex_unlock(&r->lock);
	tn_str_release(&raw);
	tn_str_release(&safe);
}

static enum tn_code
read_row(struct job *job, struct tn_cursor *cur, const struct tn_row *row, struct tn_error *err)
{
	const struct query *q = job->q.query;
	struct reading *r = job->data;
	const struct tn_event *event;
	enum tn_code rc = TN_OK;
	bool pass = true;

	if (row->kind != TN_ROW_EVENT)
		return TN_OK;
	if (q->filter)
		rc = tn_filter_match(q->filter, q->text, cur, &pass, err);
	if (rc != TN_OK || !pass)
		return rc;
	if (tn_cursor_read(cur, r->scopes, &event, err) == TN_OK)	/* one that cannot be read has no value */
		read_value(r, q->text, tn_event_find(event, r->path));
	return TN_OK;
}

static void
values_run(struct job *job)
{
	const struct bounds *bounds = &job->q.bounds;
	struct place begin = { .kind = PLACE_BEGIN };
	struct tn_cursor *cur;
	struct tn_row row;
	enum tn_code rc = tn_cursor_new(&cur, job->q.set, &job->error);

	if (rc == TN_OK) {
		rc = place_cursor(cur, &begin, false, false, bounds, &job->error);
		for (uint64_t i = 0; rc == TN_OK && !job_stopped(job) && tn_cursor_row(cur, &row); i++) {
			if (!in_bounds(bounds, &row))
				break;
			if (i % PROGRESS_EVENTS == 0)
				job_progress(job, i, row.location.time_ns);
			rc = read_row(job, cur, &row, &job->error);
			if (rc == TN_OK)
				rc = tn_cursor_next(cur, &job->error);
		}
		tn_cursor_free(cur);
	}
	job->code = rc;
}

static int
by_number(const void *a, const void *b)
{
	const struct value_count *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->text, y->text);
}

/* Numbers by what they are worth, before all else. */
static int
by_name(const void *a, const void *b)
{
	const struct value_count *x = a, *y = b;
	char *x_end, *y_end;
	long double n = strtold(x->text, &x_end), m = strtold(y->text, &y_end);
	bool x_is = x_end > x->text && !*x_end, y_is = y_end > y->text && !*y_end;

	if (x_is && y_is && n != m)
		return n < m ? -1 : 1;
	return x_is != y_is ? y_is - x_is : strcmp(x->text, y->text);
}

static void
sort(struct values *t)
{
	qsort(t->value, t->list.n, sizeof *t->value, t->by_name ? by_name : by_number);
}

/* A copy of what the job has: it goes on while the view is drawn. */
static void
take(struct values *t, struct reading *r)
{
	for (size_t i = 0; i < t->list.n; i++)
		free(t->value[i].text);
	t->list.n = 0;
	pthread_mutex_lock(&r->lock);
	t->with = r->with;
	t->without = r->without;
	t->others = r->others;
	for (size_t i = 0; i < r->n; i++) {
		char *text = strdup(r->value[i].text);

		if (text)
			t->value[t->list.n++] = (struct value_count) { text, r->value[i].n };
	}
	pthread_mutex_unlock(&r->lock);
	sort(t);
}

static void
values_end(struct job *job)
{
	struct reading *r = job->data;

	take(r->view, r);
	r->view->job = NULL;
}

static void
values_free(void *data)
{
	struct reading *r = data;

	for (size_t i = 0; i < r->n; i++)
		free(r->value[i].text);
	free(r->path);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static const struct job_class values_class = {
	.label = N_("counting values"),
	.run = values_run, .finish = values_end, .cancelled = values_end, .free = values_free,
};

/* ---- the view ---- */

/* The scope that a full name begins with. */
static unsigned
scopes_of(const char *path)
{
	for (int scope = 0; scope <= TN_SCOPE_PAYLOAD; scope++) {
		const char *name = tn_scope_name((enum tn_scope)scope);
		size_t n = strlen(name);

		if (strncmp(path, name, n) == 0 && (path[n] == '.' || path[n] == '\0'))
			return TN_SCOPE_BIT(scope);
	}
	return TN_SCOPE_ALL;
}

static bool
values_open(struct view *v, struct tn_error *err)
{
	struct values *t = (struct values *)v;
	struct session *s = v->session;
	struct reading *r = calloc(1, sizeof *r);

	strcpy(err->text, "out of memory");
	if (!r)
		return false;
	pthread_mutex_init(&r->lock, NULL);
	r->view = t;
	r->path = strdup(s->focus_path ? s->focus_path : "");
	t->path = strdup(s->focus_path ? s->focus_path : "");
	t->value = calloc(VALUES_MAX, sizeof *t->value);
	if (!r->path || !t->path || !t->value) {
		values_free(r);
		return false;
	}
	r->scopes = scopes_of(r->path);
	t->job = job_start(s, &values_class, r);
	return true;
}

static void
values_close(struct view *v)
{
	struct values *t = (struct values *)v;

	job_drop(t->job);
	for (size_t i = 0; i < t->list.n; i++)
		free(t->value[i].text);
	free(t->value);
	free(t->path);
}

static unsigned
values_turn(struct view *v)
{
	struct values *t = (struct values *)v;

	if (!t->job)
		return VIEW_PASS;
	take(t, t->job->data);
	return VIEW_REDRAW;
}

static void
values_heading(struct view *v, struct line *out)
{
	struct values *t = (struct values *)v;

	line_right(out, STYLE_HEADING, _("events"), 15);
	line_right(out, STYLE_HEADING, "%", 8);
	line_puts(out, STYLE_HEADING, "  ");
	line_puts_unsafe(out, STYLE_HEADING, t->path);
	line_puts(out, STYLE_HEADING, t->by_name ? _(" (by value; Tab: by number)") : _(" (by number; Tab: by value)"));
}

static void
values_row(struct view *v, size_t i, struct line *out)
{
	struct values *t = (struct values *)v;
	char text[32];

	line_right(out, STYLE_TEXT, number_text(t->value[i].n, text), 15);
	snprintf(text, sizeof text, "%.2f", t->with ? 100.0 * (double)t->value[i].n / (double)t->with : 0.0);
	line_right(out, STYLE_DIM, text, 8);
	line_puts(out, STYLE_TEXT, "  ");
	line_puts(out, t->value[i].text[0] == '"' ? STYLE_STRING : STYLE_TEXT, t->value[i].text);
}

static void
values_status(struct view *v, struct line *out)
{
	struct values *t = (struct values *)v;
	char n[32], m[32];

	line_printf(out, STYLE_STATUS, ngettext("%s value", "%s values", t->list.n), number_text(t->list.n, n));
	line_printf(out, STYLE_STATUS, _(" in %s events, %s are without"), number_text(t->with, n),
		    number_text(t->without, m));
	if (t->others)
		line_printf(out, STYLE_STATUS, _(", %s have others"), number_text(t->others, n));
}

static unsigned
values_act(struct view *v, const struct call *call)
{
	struct values *t = (struct values *)v;
	const char *text = t->list.selected < t->list.n ? t->value[t->list.selected].text : NULL;
	char number[32] = "";

	if (call->action == ACT_SORT) {
		t->by_name = !t->by_name;
		sort(t);
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (call->action != ACT_OPEN || !text)
		return VIEW_PASS;
	/* An enumeration by its number; numbers and plain strings as they are shown. */
	if (*text == '(' && strstr(text, " : container = ")) {
		strncpy(number, strstr(text, " : container = ") + 15, sizeof number - 1);
		number[strcspn(number, " ")] = '\0';
		text = number;
	}
	if (!isdigit((unsigned char)*text) && *text != '-' && (*text != '"' || strchr(text, '\\'))) {
		session_say(v->session, _("no filter can say this value"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	free(v->wish);
	if (asprintf(&v->wish, "%s == %s", t->path, text) < 0)
		v->wish = NULL;
	return VIEW_DONE | VIEW_FILTER;
}

const struct view_class values_view = {
	.name = "values",
	.title = N_("values"),
	.hint = N_("Enter filters  Tab sorts  q back"),
	.size = sizeof(struct values),
	.open = values_open,
	.close = values_close,
	.turn = values_turn,
	.act = values_act,
	.status = values_status,
	.row = values_row,
	.heading = values_heading,
};
