/* attributes.c - columns of attributes that are not fields of the event: a job finds their values */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include <tnav/answer.h>

#include "naming.h"
#include "window.h"

#define VALUE_BYTES 256

struct asked {
	struct tn_row row;
	unsigned wanted;		/* a bit for each column of a field that is wanted */
	char *text[QUERY_FIELDS];	/* safe texts; NULL: the row does not have the attribute */
};

struct attributes {
	struct window *window;		/* for the app's thread only */
	const struct browse_options *options;
	struct tn_cursor *cur;
	struct tn_named *named[QUERY_FIELDS];
	size_t n;
	struct asked asked[];
};

/* The value as text, in the form that fields have: texts are in quotes. */
static char *
text_of(const struct tn_answer_value *v)
{
	struct tn_str raw = { 0 }, safe = { 0 };

	if (v->kind == TN_ANSWER_NONE)
		return NULL;
	tn_answer_value_text(v, &raw);
	if (v->kind == TN_ANSWER_TEXT)
		tn_text_safe("\"", 1, &safe);
	tn_text_safe(raw.text ? raw.text : "", raw.n < VALUE_BYTES ? raw.n : VALUE_BYTES, &safe);
	if (v->kind == TN_ANSWER_TEXT)
		tn_text_safe("\"", 1, &safe);
	tn_str_release(&raw);
	return safe.text;
}

static void
ask(struct job *job, struct attributes *a, struct asked *it)
{
	const struct query *q = job->q.query;

	job->code = tn_cursor_restore(a->cur, &it->row.location, &job->error);
	for (size_t i = 0; i < QUERY_FIELDS && job->code == TN_OK && !job_stopped(job); i++) {
		struct tn_answer_value v;

		if (!(it->wanted & 1u << i))
			continue;
		naming_prepare(job->q.opened->naming, job->q.set, a->options, q->field[i]);
		if (!a->named[i] && tn_named_new(&a->named[i], job->q.set, q->field[i], &job->error) != TN_OK)
			continue;	/* these traces do not have the name */
		job->code = tn_named_value(a->named[i], a->cur, &v, &job->error);
		if (job->code == TN_OK)
			it->text[i] = text_of(&v);
	}
}

static void
attributes_run(struct job *job)
{
	struct attributes *a = job->data;

	job->code = tn_cursor_new(&a->cur, job->q.set, &job->error);
	if (job->code == TN_OK)
		tn_cursor_stop(a->cur, job_stopped, job);
	for (size_t i = 0; i < a->n && job->code == TN_OK && !job_stopped(job); i++)
		ask(job, a, &a->asked[i]);
}

/* If a row could not be read, its cells stay empty, and the row is not read again. */
static void
attributes_finish(struct job *job)
{
	struct attributes *a = job->data;
	struct window *w = a->window;

	w->attributes = NULL;
	w->changed = true;
	for (size_t i = 0; i < a->n; i++) {
		size_t k = window_find(w, &a->asked[i].row.location);

		if (k >= w->n || tn_location_compare(&w->row[k].row.location, &a->asked[i].row.location) != 0)
			continue;
		for (size_t f = 0; f < QUERY_FIELDS; f++)
			if (w->row[k].wanted & a->asked[i].wanted & 1u << f)
				event_row_set_field(&w->row[k], f, a->asked[i].text[f]);
		w->row[k].wanted &= ~a->asked[i].wanted;
	}
}

static void
attributes_free(void *data)
{
	struct attributes *a = data;

	for (size_t i = 0; i < a->n; i++)
		for (size_t f = 0; f < QUERY_FIELDS; f++)
			free(a->asked[i].text[f]);
	for (size_t f = 0; f < QUERY_FIELDS; f++)
		tn_named_free(a->named[f]);
	tn_cursor_free(a->cur);
	free(a);
}

static const struct job_class attributes_class = {
	.label = N_("reading"), .quiet = true, .hidden = true,
	.run = attributes_run, .finish = attributes_finish, .free = attributes_free,
};

void
window_note_columns(const struct window *w, size_t from, size_t to)
{
	struct settings *set = &w->session->settings;

	for (size_t i = 0; i < COLUMN_KINDS; i++) {
		struct column *c = &set->column[i];
		size_t f = c->kind - COLUMN_FIELD;

		for (size_t k = from; c->kind >= COLUMN_FIELD && !c->filled && k < to && k < w->n; k++)
			c->filled = w->row[k].field && w->row[k].field_end[f] > (f ? w->row[k].field_end[f - 1] : 0);
	}
}

void
window_attributes(struct window *w, size_t from, size_t to)
{
	struct attributes *a;
	size_t n = 0;

	if (w->attributes)
		return;
	for (size_t i = from; i < to && i < w->n; i++)
		n += w->row[i].wanted != 0;
	if (!n || !(a = calloc(1, sizeof *a + n * sizeof *a->asked)))
		return;
	a->window = w;
	a->options = w->session->options;
	for (size_t i = from; i < to && i < w->n; i++)
		if (w->row[i].wanted) {
			a->asked[a->n].row = w->row[i].row;
			a->asked[a->n++].wanted = w->row[i].wanted;
		}
	w->attributes = job_start(w->session, &attributes_class, a);
	if (w->attributes)
		job_moment(w->attributes);
}
