#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "counts.h"
#include "search.h"
#include "views/events.h"

struct count {
	struct counts *counts;
	uint64_t n;
	struct losses losses;
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
	return job_stopped(job);
}

/* ---- the number of events, in the range ---- */

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

	options.notice = on_notice;
	job->code = tn_scan(job->q.set, &options, &c->n, &job->error);
}

static void
events_run(struct job *job)
{
	struct count *c = job->data;

	if (!losses_init(&c->losses, job->q.set)) {
		job->code = job->error.code = TN_ERR_MEMORY;
		snprintf(job->error.text, sizeof job->error.text, "%s", _("out of memory"));
		return;
	}
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
	s->traces.counted = job->code >= 0;
	s->traces.events = c->n;
	s->traces.lost = losses_sum(&c->losses);
	s->traces.loss_places = c->losses.places;
	s->traces.damages = c->losses.damages;
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

static bool
has_range(const struct session *s)
{
	return s->asks.range.has_begin || s->asks.range.has_end;
}

void
counts_events(struct counts *c, struct session *s)
{
	job_drop(c->events);
	c->events = NULL;
	s->traces.counted = false;
	c->until_ns = s->traces.settled_ns;
	/* Count separately: a tally finds the number too, but counting alone is many times faster, unless a trace grows. */
	if (has_range(s) || !s->traces.grows)
		c->events = start(c, s, &events_class);
}

/* Take over the counts of all events so far. */
static void
take_all(struct counts *c, struct session *s)
{
	const struct tally *t = &s->asks.all;

	if (has_range(s)) {
		bool open = !s->asks.range.has_end || s->asks.range.end_ns > c->until_ns;

		if (s->traces.grows && open && !c->events && s->traces.settled_ns > c->until_ns) {
			c->until_ns = s->traces.settled_ns;
			c->events = start(c, s, &events_class);
		}
		return;
	}
	if (!t->known && !s->traces.grows)
		return;		/* a faster job counts first */
	s->traces.counted = t->known;
	s->traces.events = t->n;
	s->traces.lost = t->lost;
	s->traces.loss_places = t->loss_places;
	s->traces.damages = t->damages;
}

/* ---- the time range of the traces ---- */

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
	s->traces.ranged = true;
	s->traces.has_range = job->code == TN_OK;
	s->traces.begin_ns = r->begin_ns;
	s->traces.end_ns = r->end_ns;
	s->wish.redraw = true;
}

static const struct job_class range_class = {
	.label = N_("searching for the last times"), .quiet = true, .hidden = true, .everything = true,
	.run = range_run, .finish = range_finish, .free = free,
};

void
counts_range(struct counts *c, struct session *s)
{
	struct range *r = c->range ? NULL : calloc(1, sizeof *r);

	if (!r)
		return;
	r->counts = c;
	c->ranged_ns = s->traces.settled_ns;
	c->range = job_start(s, &range_class, r);
	if (c->range)
		job_moment(c->range);
}

/* ---- the number of passing events, and the number of the cursor's event ---- */

void
counts_stop_matches(struct session *s)
{
	tally_off(&s->asks.pass);
}

void
counts_matches(struct session *s)
{
	if (s->asks.query->filter || has_range(s))
		tally_want(&s->asks.pass, s->asks.query, true);
	else
		tally_off(&s->asks.pass);
	if (s->asks.found.on)
		counts_found(s);
}

void
counts_found(struct session *s)
{
	struct query *query;
	struct tn_error err;

	if (!s->asks.pattern || !search_query(s, SEARCH_PATTERN, &query, &err)) {
		tally_off(&s->asks.found);
		return;
	}
	tally_want(&s->asks.found, query, true);
	query_put(query);
}

void
counts_all(struct session *s)
{
	tally_want(&s->asks.all, NULL, false);
}

/* Find the number of the row at the cursor; the screen already knows the numbers of its rows. */
static void
number_row(struct tally *t, const struct view *events)
{
	const struct tn_location *at = &t->session->here.row.location;
	uint64_t rank;
	bool is_one;

	if (!t->on || tally_has_rank(t, at))
		return;
	if (events_rank(events, t, &rank, &is_one))
		tally_set_rank(t, at, rank, is_one);
	else
		tally_rank(t, at);
}

void
counts_turn(struct counts *c, struct session *s, const struct view *events)
{
	bool idle = !jobs_foreground(&s->jobs) && !events_looking(events);

	/* Run one count after the other, in the order in which users need the results. */
	tally_turn(&s->asks.pass, idle);
	tally_turn(&s->asks.found, idle && !s->asks.pass.job);
	tally_turn(&s->asks.all, idle && !s->asks.pass.job && !s->asks.found.job && !c->events);
	take_all(c, s);
	if (!s->here.has_row || s->here.row.kind != TN_ROW_EVENT)
		return;
	number_row(s->asks.pass.on ? &s->asks.pass : &s->asks.all, events);
	if (s->asks.found.on)
		tally_rank(&s->asks.found, &s->here.row.location);
}

bool
counts_wait(const struct session *s)
{
	return s->asks.all.wanted || s->asks.pass.wanted || s->asks.found.wanted;
}

bool
counts_stop(struct session *s)
{
	struct tally *const tally[] = { &s->asks.pass, &s->asks.found, &s->asks.all };
	bool any = false;

	for (size_t i = 0; i < sizeof tally / sizeof *tally; i++) {
		any |= tally[i]->job || tally[i]->wanted;
		tally[i]->wanted = false;
		if (tally[i]->job)
			job_cancel(tally[i]->job);
	}
	if (any)
		session_say(s, _("stopped counting: there are at least as many"));
	return any;
}
