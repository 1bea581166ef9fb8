#include <config.h>

#include <stdlib.h>

#include "counts.h"

struct count {
	struct counts *counts;
	uint64_t n;
	struct losses losses;
	uint64_t loss_places, damages;
};

static void
count_free(void *data)
{
	struct count *c = data;

	losses_release(&c->losses);
	free(c);
}

static int
on_notice(void *user, const struct tn_row *row)
{
	struct job *job = user;
	struct count *c = job->data;

	losses_add(&c->losses, row);
	if (row->kind == TN_ROW_DAMAGE)
		c->damages++;
	else
		c->loss_places++;
	return job_stopped(job);
}

/* ---- all of them ---- */

static int
on_bytes(void *user, uint64_t done, uint64_t all)
{
	struct job *job = user;

	if (all)
		atomic_store(&job->permille, (int)((double)done / (double)all * 1000));
	return job_stopped(job);
}

static void
scan_count(struct job *job)
{
	struct count *c = job->data;
	struct tn_scan_options options = job_scan_options(job);

	if (c->losses.of_stream)
		options.notice = on_notice;
	job->code = tn_scan(job->q.set, &options, &c->n, &job->error);
}

static void
events_run(struct job *job)
{
	struct count *c = job->data;

	if (!losses_init(&c->losses, job->q.set))
		return;
	if (job->q.bounds.has_begin || job->q.bounds.has_end)
		scan_count(job);
	else
		job->code = tn_count(job->q.set, &(struct tn_count_options) {
			TN_COUNT_OPTIONS, .threads = job->q.threads, .progress = on_bytes,
			.notice = on_notice, .user = job,
		}, &c->n, &job->error);
}

static void
events_finish(struct job *job)
{
	struct count *c = job->data;
	struct session *s = job->session;

	c->counts->events = NULL;
	s->counted = job->code >= 0;
	s->events = c->n;
	s->lost = losses_sum(&c->losses);
	s->loss_places = c->loss_places;
	s->damages = c->damages;
	s->wish.redraw = true;
}

static const struct job_class events_class = {
	.label = N_("counting"), .quiet = true, .everything = true,
	.run = events_run, .finish = events_finish, .free = count_free,
};

static struct job *
start(struct counts *c, struct session *s, const struct job_class *class)
{
	struct count *data = calloc(1, sizeof *data);

	if (!data)
		return NULL;
	data->counts = c;
	return job_start(s, class, data);
}

void
counts_events(struct counts *c, struct session *s)
{
	job_drop(c->events);
	s->counted = false;
	c->events = start(c, s, &events_class);
}

/* ---- from when to when ---- */

struct range {
	struct counts *counts;
	int64_t begin_ns, end_ns;
};

static void
range_run(struct job *job)
{
	struct range *r = job->data;

	job->code = tn_set_time_range(job->q.set, &r->begin_ns, &r->end_ns, &job->error);
}

static void
range_finish(struct job *job)
{
	const struct range *r = job->data;
	struct session *s = job->session;

	r->counts->range = NULL;
	s->ranged = true;
	s->has_range = job->code == TN_OK;
	s->begin_ns = r->begin_ns;
	s->end_ns = r->end_ns;
	s->wish.redraw = true;
}

static const struct job_class range_class = {
	.label = N_("looking for the last times"), .quiet = true, .hidden = true, .everything = true,
	.run = range_run, .finish = range_finish, .free = free,
};

void
counts_range(struct counts *c, struct session *s)
{
	struct range *r = calloc(1, sizeof *r);

	if (!r || c->range)
		return;
	r->counts = c;
	c->range = job_start(s, &range_class, r);
	if (c->range)
		job_moment(c->range);
}

/* ---- those that pass ---- */

static void
matches_finish(struct job *job)
{
	struct count *c = job->data;
	struct session *s = job->session;

	c->counts->matches = NULL;
	s->matches_known = job->code >= 0;
	s->matches = c->n;
	s->wish.redraw = true;
}

static const struct job_class matches_class = {
	.label = N_("counting matches"), .quiet = true,
	.run = scan_count, .finish = matches_finish, .free = count_free,
};

void
counts_stop_matches(struct counts *c)
{
	job_drop(c->matches);
	c->matches = NULL;
	c->wants_matches = false;
}

void
counts_matches(struct counts *c, struct session *s)
{
	counts_stop_matches(c);
	s->matches_known = false;
	c->wants_matches = s->query->filter != NULL;
}

void
counts_turn(struct counts *c, struct session *s, bool known, uint64_t n)
{
	if (!c->wants_matches)
		return;
	c->wants_matches = false;
	s->wish.redraw = true;
	if (known) {
		s->matches = n;
		s->matches_known = true;
		return;
	}
	c->matches = start(c, s, &matches_class);
}
