/* naming_rows.c - names of the addresses in the rows on the screen, which a job finds */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naming.h"
#include "window.h"

#define MOST 8			/* limit of addresses in a row */

struct address {
	char *value;		/* as in the row, such as "ip = 0x401136"; safe for a terminal */
	char *name;		/* "ip = main+0x12 (main.c:7)"; safe for a terminal */
	uint64_t number;
};

struct asked {
	struct tn_row row;
	struct address address[MOST];
	size_t n;
};

struct naming_job {
	struct window *window;	/* for the app's thread only */
	const struct browse_options *options;
	char fields[SAME_TEXT];
	struct tn_cursor *cur;
	size_t n;
	struct asked asked[];
};

static bool
is_word_of(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = list; n && (at = strstr(at, word)); at += n)
		if ((at == list || at[-1] == ',') && (!at[n] || at[n] == ','))
			return true;
	return false;
}

bool
naming_is_address(const char *event, const char *field, const char *configured)
{
	bool of_functions = event && (strncmp(event, "lttng_ust_cyg_profile", 21) == 0 || strncmp(event, "ros2:", 5) == 0);

	return is_word_of("ip,parent_ip,func,function,call_site,callback", field) || (of_functions && strcmp(field, "addr") == 0) ||
	       is_word_of(configured, field);
}

static char *
assignment(const char *label, const char *text, size_t n)
{
	struct tn_str out = { 0 };

	tn_text_safe(label, strlen(label), &out);
	tn_str_puts(&out, " = ");
	tn_text_safe(text, n, &out);
	return out.text;
}

static void
ask_scope(struct job *job, struct asked *it, const struct tn_event *event, const struct tn_value *scope)
{
	const struct naming_job *names = job->data;
	const char *class = tn_event_class_name(it->row.event_class);
	struct tn_str raw = { 0 }, name = { 0 };

	for (const struct tn_value *v = tn_value_first(scope); v && it->n < MOST; v = tn_value_after(scope, v)) {
		const char *label = tn_field_label(tn_value_field(v));
		struct address *a = &it->address[it->n];

		if (!label || !naming_is_address(class, label, names->fields) || tn_value_u64(v, &a->number) != TN_OK)
			continue;
		tn_str_clear(&raw);
		tn_str_clear(&name);
		tn_text_value(job->q.query->text, v, &raw);
		if (!naming_name(job->q.opened->naming, event, a->number, NAMING_WHOLE, &name) || !raw.n)
			continue;
		a->value = assignment(label, raw.text, raw.n);
		a->name = assignment(label, name.text, name.n);
		it->n++;
	}
	tn_str_release(&raw);
	tn_str_release(&name);
}

static void
naming_run(struct job *job)
{
	struct naming_job *names = job->data;

	if (!naming_read(job->q.opened->naming, job->q.set, names->options))
		return;
	job->code = tn_cursor_new(&names->cur, job->q.set, &job->error);
	if (job->code == TN_OK)
		tn_cursor_stop(names->cur, job_stopped, job);
	for (size_t i = 0; i < names->n && job->code == TN_OK && !job_stopped(job); i++) {
		static const enum tn_scope scopes[] = { TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD };
		const struct tn_event *event = NULL;

		job->code = tn_cursor_restore(names->cur, &names->asked[i].row.location, &job->error);
		if (job->code != TN_OK || tn_cursor_read(names->cur, TN_SCOPE_SHOWN, &event, &job->error) != TN_OK)
			continue;
		for (size_t k = 0; k < sizeof scopes / sizeof *scopes; k++)
			if (tn_event_scope(event, scopes[k]))
				ask_scope(job, &names->asked[i], event, tn_event_scope(event, scopes[k]));
	}
}

/* Replace the number by the name everywhere in the row. */
static void
put_in(struct event_row *r, const struct address *a)
{
	const char *at = r->text && a->value && a->name ? strstr(r->text, a->value) : NULL;
	size_t all = r->end[PIECE_PAYLOAD], from, had, has;
	char *made;

	if (!at)
		return;
	from = (size_t)(at - r->text);
	had = strlen(a->value);
	has = strlen(a->name);
	made = malloc(all - had + has + 1);
	if (!made)
		return;
	memcpy(made, r->text, from);
	memcpy(made + from, a->name, has);
	memcpy(made + from + has, r->text + from + had, all - from - had);
	made[all - had + has] = '\0';
	free(r->text);
	r->text = made;
	for (enum piece p = PIECE_NAME; p < PIECES; p++)
		if (r->end[p] > from)
			r->end[p] += (uint32_t)has - (uint32_t)had;
}

static void
naming_finish(struct job *job)
{
	struct naming_job *names = job->data;
	struct window *w = names->window;
	const char *news;

	w->names = NULL;
	w->changed = true;
	for (size_t i = 0; i < names->n; i++) {
		const struct asked *it = &names->asked[i];
		size_t k = window_find(w, &it->row.location);

		for (size_t n = 0; n < it->n; n++)
			naming_keep(job->q.opened->naming, &it->row.location, it->address[n].number,
				    strstr(it->address[n].name, " = ") + 3);
		if (k >= w->n || tn_location_compare(&w->row[k].row.location, &it->row.location) != 0)
			continue;
		for (size_t n = 0; n < it->n && w->session->settings.readable; n++)
			put_in(&w->row[k], &it->address[n]);
		w->row[k].named = true;
	}
	news = naming_news(job->q.opened->naming);
	if (news)
		session_say(w->session, "%s", news);
}

static void
naming_job_free(void *data)
{
	struct naming_job *names = data;

	for (size_t i = 0; i < names->n; i++)
		for (size_t n = 0; n < names->asked[i].n; n++) {
			free(names->asked[i].address[n].value);
			free(names->asked[i].address[n].name);
		}
	tn_cursor_free(names->cur);
	free(names);
}

static const struct job_class naming_class = {
	.label = N_("reading"), .quiet = true, .hidden = true,
	.run = naming_run, .finish = naming_finish, .cancelled = naming_finish, .free = naming_job_free,
};

void
window_names(struct window *w, size_t from, size_t to)
{
	struct naming *naming = w->session->traces.opened->naming;
	struct naming_job *names;
	size_t n = 0;

	if (w->names || !naming_may(naming))
		return;
	to = to < w->n ? to : w->n;
	for (size_t i = from; i < to; i++)
		n += !w->row[i].named && w->row[i].row.kind == TN_ROW_EVENT;
	if (!n || !(names = calloc(1, sizeof *names + n * sizeof *names->asked)))
		return;
	names->window = w;
	names->options = w->session->options;
	strcpy(names->fields, w->session->settings.addresses);
	for (size_t i = from; i < to; i++)
		if (!w->row[i].named && w->row[i].row.kind == TN_ROW_EVENT)
			names->asked[names->n++].row = w->row[i].row;
	w->names = job_start(w->session, &naming_class, names);
	if (w->names)
		job_moment(w->names);
}
