#include <config.h>

#include <stdlib.h>
#include <string.h>

#include <tnav/answer.h>

#include "cli/record.h"
#include "gettext.h"
#include "nesting.h"
#include "screen/array.h"

#define MOST_SPANS ((size_t)1 << 17)	/* limit of stored spans, which need 12 MiB */
#define MOST_ROWS ((size_t)1 << 18)	/* limit of stored rows that match the filters, which need 6 MiB */
#define FIRST_MARGIN_NS 1000000
#define MARGIN_FACTOR 32
#define NOT_LONGER_US 400000		/* a search that took longer was the last one, unless a value is followed */
#define NO_SPAN UINT32_MAX

struct nested {
	struct tn_location begin, end;
	int64_t duration_ns;
	uint32_t above;		/* the last span that began before this one and was open then; NO_SPAN */
	uint32_t depth;		/* number of spans that contain it */
	uint8_t state;		/* enum tn_span_state */
	bool has_duration;
	bool holds;		/* both of its events match the filters, so it contains the events between them */
};

/* Spans in a window, in the order of their begins; an orphan counts with its end. */
struct found {
	struct nested *span;
	uint32_t *by_end;	/* indices in the order of the ends */
	size_t n, room;
	unsigned deepest;
	int64_t from_ns, to_ns;
	bool all;		/* the window is the whole of the traces */
	bool full;		/* there are more spans than can be stored */
	bool known;		/* a job has searched the window */
};

struct nesting {
	struct job *job;
	struct found found;
	char *spans;		/* definitions that the user had asked for when the job began; "" */
	int64_t margin_ns;
	bool enough;		/* a search in a larger window would take too long */
	bool failed;		/* a search failed */
};

struct looking {
	struct nesting *nesting;	/* for the app's thread only */
	char *spans;
	int64_t from_ns, to_ns;
	bool all, followed;
	/* If there is a filter: the locations of all matching events, in order. */
	struct tn_location *row;
	size_t n_rows, room;
	struct found found;
	bool failed;
};

static void
release_found(struct found *f)
{
	free(f->span);
	free(f->by_end);
	*f = (struct found) { 0 };
}

/* ---- the job ---- */

static int
on_row(void *user, const struct tn_row *row)
{
	struct job *job = user;
	struct looking *l = job->data;
	struct tn_location *grown;

	if (row->kind != TN_ROW_EVENT)
		return 0;
	if (l->n_rows == MOST_ROWS) {
		l->found.full = true;
		return 1;
	}
	grown = array_more(l->row, l->n_rows, &l->room, sizeof *grown);
	if (!grown) {
		l->failed = true;
		return 1;
	}
	l->row = grown;
	l->row[l->n_rows++] = row->location;
	return job_stopped(job);
}

/* Whether the event matches the filters. */
static bool
passes(const struct looking *l, const struct tn_location *at)
{
	size_t lo = 0;

	BISECT(lo, l->n_rows, mid, tn_location_compare(&l->row[mid], at) < 0);
	return lo < l->n_rows && tn_location_compare(&l->row[lo], at) == 0;
}

static int
on_span(void *user, const struct tn_span *s)
{
	struct job *job = user;
	struct looking *l = job->data;
	struct found *f = &l->found;
	bool begin = true, end = true;
	struct nested *n;

	if (job->q.query->filter) {
		begin = s->is_at_begin && passes(l, &s->begin);
		end = s->is_at_end ? passes(l, &s->end) : begin && s->has_end;
		if (!begin && !end)
			return job_stopped(job);
	}
	if (f->n == MOST_SPANS) {
		f->full = true;
		return 1;
	}
	n = array_more(f->span, f->n, &f->room, sizeof *n);
	if (!n) {
		l->failed = true;
		return 1;
	}
	f->span = n;
	/* Two definitions may mean the same span. */
	for (size_t i = f->n; i-- > 0 && s->is_at_begin && tn_location_compare(&f->span[i].begin, &s->begin) == 0;)
		if (f->span[i].state == (uint8_t)s->state && tn_location_compare(&f->span[i].end, &s->end) == 0)
			return 0;
	n = &f->span[f->n++];
	*n = (struct nested) {
		.begin = s->is_at_begin ? s->begin : s->end, .end = s->is_at_end || s->has_end ? s->end : s->begin,
		.state = (uint8_t)s->state,
		.duration_ns = s->duration_ns, .has_duration = s->has_duration, .above = NO_SPAN,
		.holds = begin && end && (s->state == TN_SPAN_CLOSED || s->state == TN_SPAN_DOUBTFUL),
	};
	return job_stopped(job);
}

static bool
is_whole(const struct nested *n)
{
	return n->state == TN_SPAN_CLOSED || n->state == TN_SPAN_DOUBTFUL;
}

static bool
lies_in(const struct tn_location *at, const struct nested *n)
{
	return tn_location_compare(&n->begin, at) < 0 && tn_location_compare(at, &n->end) < 0;
}

static unsigned
depth_above(const struct found *f, uint32_t i, const struct tn_location *at)
{
	unsigned depth = 0;

	for (; i != NO_SPAN; i = f->span[i].above)
		depth += f->span[i].holds && lies_in(at, &f->span[i]);
	return depth;
}

/* Find the span that contains each span. The last open one is on top of the stack. */
static void
nest(struct found *f)
{
	uint32_t top = NO_SPAN;

	for (size_t i = 0; i < f->n; i++) {
		struct nested *n = &f->span[i];

		while (top != NO_SPAN && tn_location_compare(&f->span[top].end, &n->begin) <= 0)
			top = f->span[top].above;
		n->above = top;
		if (!n->holds)
			continue;
		n->depth = top == NO_SPAN ? 0 : f->span[top].depth + 1;	/* can be less for spans that overlap */
		f->deepest = n->depth > f->deepest ? n->depth : f->deepest;
		top = (uint32_t)i;
	}
}

struct numbered {
	const struct nested *span;
	uint32_t i;
};

static int
compare_ends(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return tn_location_compare(&x->span->end, &y->span->end);
}

static bool
sort_ends(struct found *f)
{
	struct numbered *all = calloc(f->n + 1, sizeof *all);

	f->by_end = calloc(f->n + 1, sizeof *f->by_end);
	if (!all || !f->by_end) {
		free(all);
		return false;
	}
	for (size_t i = 0; i < f->n; i++)
		all[i] = (struct numbered) { &f->span[i], (uint32_t)i };
	qsort(all, f->n, sizeof *all, compare_ends);
	for (size_t i = 0; i < f->n; i++)
		f->by_end[i] = all[i].i;
	free(all);
	return true;
}

static enum tn_code
define(struct looking *l, struct tn_spans **out, struct tn_set *set, struct tn_error *err)
{
	struct tn_pairs *pairs = NULL;
	char *rest = l->spans;
	enum tn_code rc = tn_spans_new(out, set, err);

	if (rc == TN_OK)
		rc = tn_pairs_new(&pairs, set, err);
	for (char *line; rc == TN_OK && (line = strsep(&rest, "\n"));)
		if (*line)
			(void)!tn_spans_add(*out, line, NULL);
	for (size_t i = 0; rc == TN_OK && i < tn_pairs_count(pairs); i++)
		(void)!tn_spans_add(*out, tn_pairs_definition(pairs, i), NULL);
	tn_pairs_free(pairs);
	return rc;
}

static void
nesting_run(struct job *job)
{
	struct looking *l = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_spans *spans = NULL;
	enum tn_code rc = define(l, &spans, job->q.set, &job->error);

	if (!l->all) {
		scan.begin_ns = scan.has_begin && scan.begin_ns > l->from_ns ? scan.begin_ns : l->from_ns;
		scan.end_ns = scan.has_end && scan.end_ns < l->to_ns ? scan.end_ns : l->to_ns;
		scan.has_begin = scan.has_end = true;
	}
	/* A filter hides begin and end events: make spans from all events, but report only those of matching events. */
	if (rc == TN_OK && scan.filter) {
		scan.row = on_row;
		rc = tn_scan(job->q.set, &scan, NULL, &job->error);
		if (rc == TN_ERR_CANCELLED && l->found.full)
			rc = TN_OK;
	}
	scan.filter = NULL;
	scan.row = NULL;
	if (rc == TN_OK && tn_spans_count(spans))
		rc = tn_spans_run(spans, &scan, TN_SPANS_BY_BEGIN, on_span, job, NULL, &job->error);
	tn_spans_free(spans);
	if (rc == TN_ERR_CANCELLED && l->found.full)
		rc = TN_OK;
	if (rc == TN_OK) {
		nest(&l->found);
		l->failed |= !sort_ends(&l->found);
	}
	job->code = l->failed ? TN_ERR_MEMORY : rc;
}

static void
nesting_end(struct job *job)
{
	struct looking *l = job->data;
	struct nesting *n = l->nesting;
	struct session *s = job->session;

	n->job = NULL;
	s->wish.redraw = true;
	/* If the job cannot find an answer, do not ask again. */
	n->enough |= job->code != TN_OK || l->found.full || (record_now() - job->since_us > NOT_LONGER_US && !l->followed);
	n->failed |= job->code != TN_OK;
	if (job->code != TN_OK || (l->found.full && n->found.known))
		return;
	release_found(&n->found);
	n->found = l->found;
	n->found.from_ns = l->from_ns;
	n->found.to_ns = l->to_ns;
	n->found.all = l->all && !l->found.full;
	n->found.known = true;
	l->found = (struct found) { 0 };
}

static void
nesting_free(void *data)
{
	struct looking *l = data;

	release_found(&l->found);
	free(l->row);
	free(l->spans);
	free(l);
}

static const struct job_class nesting_class = {
	.label = N_("searching for spans"), .quiet = true, .hidden = true,
	.run = nesting_run, .finish = nesting_end, .cancelled = nesting_end, .free = nesting_free,
};

/* ---- spans that were found ---- */

/* The first span that begins after @at. */
static size_t
behind(const struct found *f, const struct tn_location *at)
{
	size_t lo = 0;

	BISECT(lo, f->n, mid, tn_location_compare(&f->span[mid].begin, at) <= 0);
	return lo;
}

/*
 * The rank of a span among those at @at: first a whole span that begins there, then an open one, then one without a begin
 * event.
 */
static int
worth(const struct nested *n, const struct tn_location *at)
{
	if (is_whole(n))
		return tn_location_compare(&n->begin, at) == 0 ? 4 : 3;
	return n->state == TN_SPAN_OPEN ? 2 : 1;
}

static const struct nested *
span_at(const struct found *f, const struct tn_location *at)
{
	const struct nested *best = NULL;
	size_t lo = 0;

	BISECT(lo, f->n, mid, tn_location_compare(&f->span[f->by_end[mid]].end, at) < 0);
	for (; lo < f->n && tn_location_compare(&f->span[f->by_end[lo]].end, at) == 0; lo++)
		if (!best || worth(&f->span[f->by_end[lo]], at) > worth(best, at))
			best = &f->span[f->by_end[lo]];
	for (size_t i = behind(f, at); i-- > 0 && tn_location_compare(&f->span[i].begin, at) == 0;)
		if (!best || worth(&f->span[i], at) > worth(best, at))
			best = &f->span[i];
	return best;
}

unsigned
nesting_depth(const struct session *s, const struct tn_location *at)
{
	const struct found *f = s->answers.nesting ? &s->answers.nesting->found : NULL;
	size_t i = f ? behind(f, at) : 0;

	return i ? depth_above(f, (uint32_t)i - 1, at) : 0;
}

unsigned
nesting_deepest(const struct session *s)
{
	return s->answers.nesting ? s->answers.nesting->found.deepest : 0;
}

enum nesting_state
nesting_span(const struct session *s, const struct tn_location *at, int64_t *duration_ns)
{
	const struct found *f = s->answers.nesting ? &s->answers.nesting->found : NULL;
	const struct nested *n = f && f->n ? span_at(f, at) : NULL;

	if (!n)
		return NESTING_NONE;
	*duration_ns = n->duration_ns;
	if (is_whole(n))
		return !n->has_duration ? NESTING_NONE : n->state == TN_SPAN_DOUBTFUL ? NESTING_DOUBTFUL : NESTING_SPAN;
	if (!f->all)
		return NESTING_UNKNOWN;
	return n->state == TN_SPAN_OPEN ? NESTING_OPEN : NESTING_ORPHAN;
}

/* ---- the wanted spans ---- */

void
nesting_forget(struct session *s)
{
	if (!s->answers.nesting)
		return;
	job_drop(s->answers.nesting->job);
	release_found(&s->answers.nesting->found);
	free(s->answers.nesting->spans);
	free(s->answers.nesting);
	s->answers.nesting = NULL;
}

static bool
covers(const struct found *f, int64_t first_ns, int64_t last_ns)
{
	return f->all || (f->known && f->from_ns <= first_ns && last_ns <= f->to_ns);
}

/* Whether some span of these rows is not completely known. */
static bool
lacks(const struct found *f, const struct tn_location *first, const struct tn_location *last)
{
	if (f->all)
		return false;
	for (size_t i = behind(f, first); i-- > 0 && tn_location_compare(&f->span[i].begin, first) == 0;)
		if (!is_whole(&f->span[i]))
			return true;
	for (size_t i = behind(f, first); i < f->n && tn_location_compare(&f->span[i].begin, last) <= 0; i++)
		if (!is_whole(&f->span[i]))
			return true;
	return false;
}

static int64_t
before(int64_t ns, int64_t by)
{
	return ns < INT64_MIN + by ? INT64_MIN : ns - by;
}

static int64_t
after(int64_t ns, int64_t by)
{
	return ns > INT64_MAX - by ? INT64_MAX : ns + by;
}

/* Search a larger window, if necessary. False: no search was begun. */
static bool
look_farther(struct session *s, const struct tn_location *first, const struct tn_location *last)
{
	int64_t a = first->time_ns, b = last->time_ns;
	struct nesting *n = s->answers.nesting;
	struct looking *l;

	if (n->job || n->failed || n->found.all)
		return false;
	if (!covers(&n->found, a, b)) {
		n->margin_ns = n->margin_ns ? n->margin_ns : FIRST_MARGIN_NS;
	} else {
		if (n->enough || n->margin_ns == INT64_MAX || (!s->answers.followed && !lacks(&n->found, first, last)))
			return false;
		n->margin_ns = n->margin_ns > INT64_MAX / MARGIN_FACTOR ? INT64_MAX : n->margin_ns * MARGIN_FACTOR;
	}
	l = calloc(1, sizeof *l);
	if (!l || !(l->spans = strdup(n->spans))) {
		free(l);
		return false;
	}
	l->nesting = n;
	l->followed = s->answers.followed != NULL;
	l->from_ns = before(a, n->margin_ns);
	l->to_ns = after(b, n->margin_ns);
	l->all = s->traces.has_range && !s->traces.grows && l->from_ns <= s->traces.begin_ns && l->to_ns >= s->traces.end_ns;
	n->job = job_start(s, &nesting_class, l);
	n->failed |= !n->job;
	return n->job && job_moment(n->job);
}

void
nesting_want(struct session *s, const struct tn_location *first, const struct tn_location *last)
{
	const char *spans = s->answers.wish.spans ? s->answers.wish.spans : "";
	struct nesting *n = s->answers.nesting;

	if (n && strcmp(n->spans, spans) != 0) {
		nesting_forget(s);
		n = NULL;
	}
	if (!n) {
		n = s->answers.nesting = calloc(1, sizeof *n);
		if (!n || !(n->spans = strdup(spans))) {
			free(n);
			s->answers.nesting = NULL;
			return;
		}
	}
	while (look_farther(s, first, last))
		;
}
