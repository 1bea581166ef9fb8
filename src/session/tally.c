#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "tally.h"

struct tallying {
	struct tally *to;
	atomic_ullong n;
	int64_t begin_ns, end_ns;
	atomic_ullong bar[TALLY_BARS];
	atomic_bool lost[TALLY_BARS];
	struct tn_location *anchor;
	size_t n_anchors;
	uint64_t stride, left;	/* left: events until the next anchor */
	size_t now;		/* the bar of the last event; the next begins at next_ns */
	int64_t next_ns;
	bool all, ranged;
};

size_t
tally_bar(int64_t begin_ns, int64_t end_ns, size_t bars, int64_t time_ns)
{
	double part = ((double)time_ns - (double)begin_ns) / ((double)end_ns - (double)begin_ns + 1);
	size_t i = part <= 0 ? 0 : (size_t)(part * (double)bars);

	return i < bars ? i : bars - 1;
}

/* ---- counting ---- */

static void
add_anchor(struct tallying *t, const struct tn_location *at)
{
	if (t->n_anchors == TALLY_ANCHORS) {	/* every second one is enough */
		for (size_t i = 0; i < TALLY_ANCHORS / 2; i++)
			t->anchor[i] = t->anchor[2 * i];
		t->n_anchors = TALLY_ANCHORS / 2;
		t->stride *= 2;
	}
	t->anchor[t->n_anchors++] = *at;
	t->left = t->stride;
}

/* Rows come in the order of time: a bar is looked for when the one before is over. */
static void
next_bar(struct tallying *t, int64_t time_ns)
{
	double width = ((double)t->end_ns - (double)t->begin_ns + 1) / TALLY_BARS, next;

	t->now = tally_bar(t->begin_ns, t->end_ns, TALLY_BARS, time_ns);
	next = width * (double)(t->now + 1) - 1;
	t->next_ns = t->now + 1 == TALLY_BARS ? INT64_MAX : t->begin_ns + (next > 0 ? (int64_t)next : 0);
	if (t->next_ns <= time_ns)	/* bars of less than a nanosecond */
		t->next_ns = time_ns;
}

static int
on_row(void *user, const struct tn_row *row)
{
	struct job *job = user;
	struct tallying *t = job->data;
	size_t i;

	if (row->location.time_ns >= t->next_ns)
		next_bar(t, row->location.time_ns);
	i = t->now;
	if (row->kind != TN_ROW_EVENT) {
		atomic_store_explicit(&t->lost[i], true, memory_order_relaxed);
		return job_stopped(job);
	}
	if (!t->left)
		add_anchor(t, &row->location);
	t->left--;
	atomic_store_explicit(&t->n, atomic_load_explicit(&t->n, memory_order_relaxed) + 1, memory_order_relaxed);
	atomic_store_explicit(&t->bar[i], atomic_load_explicit(&t->bar[i], memory_order_relaxed) + 1, memory_order_relaxed);
	return job_stopped(job);
}

static void
tally_run(struct job *job)
{
	struct tallying *t = job->data;
	struct tn_scan_options options;

	t->anchor = malloc(TALLY_ANCHORS * sizeof *t->anchor);
	if (!t->anchor) {
		job->code = TN_ERR_MEMORY;
		return;
	}
	if (!t->ranged)
		job->q.bounds = (struct bounds) { .has_begin = false };
	options = job_scan_options(job);
	if (t->all)
		options.filter = NULL;
	options.row = on_row;
	job->code = tn_scan(job->q.set, &options, NULL, &job->error);
}

static void
look(struct tally *to, struct tallying *t)
{
	to->n = atomic_load(&t->n);
	for (size_t i = 0; i < TALLY_BARS; i++) {
		to->bar[i] = atomic_load_explicit(&t->bar[i], memory_order_relaxed);
		to->lost[i] = atomic_load_explicit(&t->lost[i], memory_order_relaxed);
	}
}

static void
tally_end(struct job *job)
{
	struct tallying *t = job->data;
	struct tally *to = t->to;

	look(to, t);
	free(to->anchor);
	to->anchor = t->anchor;
	to->n_anchors = t->n_anchors;
	to->stride = t->stride;
	t->anchor = NULL;
	to->job = NULL;
	to->known = job->code >= 0;
	job->session->wish.redraw = true;
}

static void
tally_free(void *data)
{
	struct tallying *t = data;

	free(t->anchor);
	free(t);
}

static const struct job_class tally_class = {
	.label = N_("counting"), .quiet = true,
	.run = tally_run, .finish = tally_end, .cancelled = tally_end, .free = tally_free,
};

static void
begin(struct tally *t)
{
	struct session *s = t->session;
	struct tallying *data = calloc(1, sizeof *data);

	t->wanted = false;
	if (!data)
		return;
	data->to = t;
	data->ranged = t->ranged;
	data->all = !t->query;
	data->next_ns = INT64_MIN;
	data->stride = 1;
	t->begin_ns = data->begin_ns = s->begin_ns;
	t->end_ns = data->end_ns = s->end_ns;
	t->job = job_ask(s, &tally_class, data, t->query);
}

/* ---- the number of one ---- */

struct ranking {
	struct tally *to;
	struct tn_location from, at;
	uint64_t before, n;
	bool all, ranged, is_one;
};

static int
rank_row(void *user, const struct tn_row *row)
{
	struct job *job = user;
	struct ranking *r = job->data;

	if (row->kind == TN_ROW_EVENT) {
		r->n++;
		r->is_one = tn_location_compare(&row->location, &r->at) == 0;
	}
	return job_stopped(job);
}

static void
rank_run(struct job *job)
{
	struct ranking *r = job->data;
	struct tn_scan_options options;

	if (!r->ranged)
		job->q.bounds = (struct bounds) { .has_begin = false };
	options = job_scan_options(job);
	if (r->all)
		options.filter = NULL;
	options.has_from = options.from_included = options.has_to = true;
	options.from = r->from;
	options.to = r->at;
	options.row = rank_row;
	job->code = tn_scan(job->q.set, &options, NULL, &job->error);
}

static void
rank_finish(struct job *job)
{
	struct ranking *r = job->data;
	struct tally *t = r->to;

	t->rank_job = NULL;
	t->ranked = job->code >= 0;
	t->rank = r->before + r->n;
	t->is_one = r->is_one;
	job->session->wish.redraw = true;
}

static const struct job_class rank_class = {
	.label = N_("counting the events before"), .quiet = true, .hidden = true,
	.run = rank_run, .finish = rank_finish, .free = free,
};

/* The last anchor at or before @at; false: there is none. */
static bool
find_anchor(const struct tally *t, const struct tn_location *at, size_t *out)
{
	size_t lo = 0, hi = t->n_anchors;	/* those before lo are not behind it, from hi on they are */

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (tn_location_compare(&t->anchor[mid], at) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	*out = lo - 1;
	return lo > 0;
}

bool
tally_has_rank(const struct tally *t, const struct tn_location *at)
{
	return t->ranked && tn_location_compare(&t->rank_at, at) == 0;
}

void
tally_set_rank(struct tally *t, const struct tn_location *at, uint64_t rank, bool is_one)
{
	job_drop(t->rank_job);
	t->rank_job = NULL;
	t->ranked = true;
	t->is_one = is_one;
	t->rank_at = *at;
	t->rank = rank;
}

void
tally_rank(struct tally *t, const struct tn_location *at)
{
	struct ranking *r;
	size_t i;

	if (!t->known || tally_has_rank(t, at) || (t->rank_job && tn_location_compare(&t->rank_at, at) == 0))
		return;
	if (!find_anchor(t, at, &i)) {
		tally_set_rank(t, at, 0, false);
		return;
	}
	if (t->stride == 1 || tn_location_compare(&t->anchor[i], at) == 0) {
		tally_set_rank(t, at, i * t->stride + 1, tn_location_compare(&t->anchor[i], at) == 0);
		return;
	}
	job_drop(t->rank_job);
	t->rank_job = NULL;
	t->ranked = false;
	t->rank_at = *at;
	r = malloc(sizeof *r);
	if (!r)
		return;
	*r = (struct ranking) {
		.to = t, .from = t->anchor[i], .at = *at, .before = i * t->stride, .all = !t->query, .ranged = t->ranged,
	};
	t->rank_job = job_ask(t->session, &rank_class, r, t->query);
}

/* ---- what is counted ---- */

static void
stop(struct tally *t)
{
	job_drop(t->job);
	job_drop(t->rank_job);
	t->job = t->rank_job = NULL;
	free(t->anchor);
	t->anchor = NULL;
	t->n_anchors = 0;
	t->n = 0;
	t->wanted = t->known = t->ranked = false;
	memset(t->bar, 0, sizeof t->bar);
	memset(t->lost, 0, sizeof t->lost);
}

void
tally_init(struct tally *t, struct session *s)
{
	t->session = s;
}

void
tally_want(struct tally *t, struct query *query, bool ranged)
{
	struct query *former = t->query;

	stop(t);
	t->query = query ? query_get(query) : NULL;
	query_put(former);
	t->ranged = ranged;
	t->on = t->wanted = true;
}

void
tally_off(struct tally *t)
{
	stop(t);
	query_put(t->query);
	t->query = NULL;
	t->on = false;
}

void
tally_release(struct tally *t)
{
	tally_off(t);
}

void
tally_turn(struct tally *t, bool free)
{
	if (t->wanted && free)
		begin(t);
	if (t->job)
		look(t, t->job->data);
}
