/* deltas.c - times since the previous event in the stream or of the class, which a job searches for */
#include <config.h>

#include <stdlib.h>

#include "window.h"

#define DELTA_REACH 2000	/* limit of rows that the search for one delta reads */

struct delta {
	struct tn_row row;
	bool known;
	int64_t ns;
};

struct deltas {
	struct window *window;
	enum delta_kind kind;
	struct tn_cursor *cur;
	size_t n;
	struct delta delta[];
};

static bool
is_before(const struct tn_row *a, const struct tn_row *r, enum delta_kind kind)
{
	if (a->kind != TN_ROW_EVENT)
		return false;
	return kind == DELTA_STREAM ? a->location.stream == r->location.stream : a->event_class == r->event_class;
}

static void
compute(struct job *job, struct deltas *d, struct delta *it)
{
	enum tn_code rc = tn_cursor_restore(d->cur, &it->row.location, &job->error);
	struct tn_row row;

	for (int i = 0; rc == TN_OK && i < DELTA_REACH && !job_stopped(job); i++) {
		rc = tn_cursor_prev(d->cur, &job->error);
		if (rc == TN_OK && tn_cursor_row(d->cur, &row) && is_before(&row, &it->row, d->kind)) {
			it->ns = (int64_t)((uint64_t)it->row.time_ns - (uint64_t)row.time_ns);
			it->known = true;
			return;
		}
	}
}

static void
deltas_run(struct job *job)
{
	struct deltas *d = job->data;

	job->code = tn_cursor_new(&d->cur, job->q.set, &job->error);
	for (size_t i = 0; i < d->n && job->code == TN_OK && !job_stopped(job); i++)
		compute(job, d, &d->delta[i]);
}

static void
deltas_finish(struct job *job)
{
	struct deltas *d = job->data;
	struct window *w = d->window;

	w->deltas = NULL;
	w->changed = true;
	for (size_t i = 0; i < d->n; i++) {
		size_t k = window_find(w, &d->delta[i].row.location);

		if (k < w->n && tn_location_compare(&w->row[k].row.location, &d->delta[i].row.location) == 0) {
			w->row[k].has_delta = true;
			w->row[k].delta_kind = d->kind;
			w->row[k].delta_known = d->delta[i].known;
			w->row[k].delta_ns = d->delta[i].ns;
		}
	}
}

static void
deltas_free(void *data)
{
	struct deltas *d = data;

	tn_cursor_free(d->cur);
	free(d);
}

static const struct job_class deltas_class = {
	.label = N_("reading"), .quiet = true, .hidden = true,
	.run = deltas_run, .finish = deltas_finish, .free = deltas_free,
};

static bool
lacks(const struct event_row *r, enum delta_kind kind)
{
	return r->row.kind == TN_ROW_EVENT && r->row.has_time && !(r->has_delta && r->delta_kind == kind);
}

void
window_deltas(struct window *w, size_t from, size_t to)
{
	enum delta_kind kind = w->session->settings.delta;
	struct deltas *d;
	size_t n = 0;

	if ((kind != DELTA_STREAM && kind != DELTA_TYPE) || w->deltas)
		return;
	for (size_t i = from; i < to && i < w->n; i++)
		n += lacks(&w->row[i], kind);
	if (!n || !(d = calloc(1, sizeof *d + n * sizeof *d->delta)))
		return;
	d->window = w;
	d->kind = kind;
	for (size_t i = from; i < to && i < w->n; i++)
		if (lacks(&w->row[i], kind))
			d->delta[d->n++].row = w->row[i].row;
	w->deltas = job_start(w->session, &deltas_class, d);
	if (w->deltas)
		job_moment(w->deltas);
}
