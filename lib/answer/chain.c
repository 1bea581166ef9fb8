/*
 * chain.c - why a thread took so long: what it waited for, what those it waited for waited for, and so on
 *
 * The waits are spans, those of the ready question `waits`. Who was asleep was woken by a thread: what that one did
 * meanwhile is the reason, and so on. Who was ready or preempted waited for the thread that ran on its processor.
 */
#include <stdlib.h>

#include "answer/spans.h"
#include "base/error.h"
#include "base/options.h"

#define MOST_WAITS 400000	/* 16 MiB */
#define MOST_LINKS 20000
#define MOST_DEPTH 12
#define LEAST_BEFORE_NS 100000000u	/* that is looked at before a short window */

struct wait {
	int64_t tid, whom, begin_ns, end_ns;
	enum tn_chain_kind kind;
};

struct chain {
	TN_ARRAY(struct wait) wait;
	int (*link)(void *user, const struct tn_chain_link *link);
	void *user;
	size_t links;
	bool failed, cut, stopped;
	const struct tn_spans *spans;
};

/* ---- the waits ---- */

static bool
number(const struct tn_answer_value *v, int64_t *out)
{
	if (v->kind != TN_ANSWER_UINT && v->kind != TN_ANSWER_SINT)
		return false;
	*out = v->is.i;
	return true;
}

static int
take_wait(void *user, const struct tn_span *s)
{
	static const char *const kinds[] = { "asleep", "ready", "preempted" };
	struct chain *c = user;
	struct wait *w;
	size_t kind = 0;

	if (!s->has_begin || !s->n_keys)
		return 0;
	while (kind < TN_COUNT(kinds) && strcmp(kinds[kind], s->name) != 0)
		kind++;
	if (kind == TN_COUNT(kinds))
		return 0;
	if (c->wait.n == MOST_WAITS) {
		c->cut = true;
		return 1;
	}
	w = TN_ARRAY_ADD(&c->wait);
	if (!w) {
		c->failed = true;
		return 1;
	}
	*w = (struct wait) {
		.whom = -1, .begin_ns = s->begin_ns, .end_ns = s->has_end ? s->end_ns : INT64_MAX,
		.kind = (enum tn_chain_kind)kind,
	};
	if (!number(&s->key[0], &w->tid)) {
		c->wait.n--;
		return 0;
	}
	/* Of two that are shown the second is who: a comm stands before it. */
	if (!s->n_captured || !number(&s->captured[s->n_captured - 1], &w->whom))
		w->whom = -1;
	return 0;
}

static int
compare(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return x->end_ns != y->end_ns ? (x->end_ns < y->end_ns ? -1 : 1) : (int)x->kind - (int)y->kind;
}

/* The first wait of the thread that ends behind @ns; waits of a thread do not overlap. */
static size_t
first_of(const struct chain *c, int64_t tid, int64_t ns)
{
	size_t lo = 0, hi = c->wait.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct wait *w = &c->wait.item[mid];

		if (w->tid < tid || (w->tid == tid && w->end_ns <= ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* ---- the chain ---- */

static void
put(struct chain *c, size_t depth, int64_t tid, enum tn_chain_kind kind, int64_t whom, int64_t begin_ns, int64_t end_ns)
{
	struct tn_chain_link link = { depth, kind, tid, whom, begin_ns, end_ns };

	if (c->stopped || end_ns <= begin_ns)
		return;
	if (c->links++ >= MOST_LINKS) {
		c->cut = c->stopped = true;
		return;
	}
	c->stopped = c->link(c->user, &link) != 0;
}

/* What the thread did in [from, to). Each level is inside of a wait of the one above: it ends. */
static void
follow(struct chain *c, size_t depth, int64_t tid, int64_t from_ns, int64_t to_ns)
{
	size_t first = first_of(c, tid, from_ns);

	/* Of a thread that never waited it is not known that it ran: there may be no such thread. */
	if (!(first < c->wait.n && c->wait.item[first].tid == tid) && !(first && c->wait.item[first - 1].tid == tid)) {
		put(c, depth, tid, TN_CHAIN_UNKNOWN, -1, from_ns, to_ns);
		return;
	}
	for (size_t i = first; i < c->wait.n && !c->stopped; i++) {
		const struct wait *w = &c->wait.item[i];
		int64_t begin = w->begin_ns > from_ns ? w->begin_ns : from_ns, end = w->end_ns < to_ns ? w->end_ns : to_ns;

		if (w->tid != tid || w->begin_ns >= to_ns)
			break;
		/* Where they overlap, as when events were lost, the later one is known better. */
		if (i + 1 < c->wait.n && w[1].tid == tid && w[1].begin_ns < end)
			end = w[1].begin_ns;
		if (end < from_ns)
			continue;
		put(c, depth, tid, TN_CHAIN_RAN, -1, from_ns, begin);
		put(c, depth, tid, w->kind, w->whom, begin, end);
		if (w->kind == TN_CHAIN_ASLEEP && w->whom > 0 && w->whom != tid && end > begin) {
			if (depth + 1 < MOST_DEPTH)
				follow(c, depth + 1, w->whom, begin, end);
			else
				c->cut = true;
		}
		from_ns = end;
	}
	put(c, depth, tid, TN_CHAIN_RAN, -1, from_ns, to_ns);
}

/* Definitions of the ready question, those whose events are here. */
static enum tn_code
define(struct tn_spans *spans, struct tn_error *err)
{
	const struct tn_question *q;
	bool had = false, some = false;
	char *copy = NULL, *rest;

	for (size_t i = 0; !copy && (q = tn_question_at(i)); i++)
		if (strcmp(q->name, "waits") == 0 && !(copy = strdup(q->spans)))
			return tn_fail_memory(err);
	rest = copy;
	for (char *line; copy && (line = strsep(&rest, "\n"));) {
		bool other = strncmp(line, "else ", 5) == 0;
		enum tn_code rc;

		if (other && had)
			continue;
		rc = tn_spans_add(spans, line + (other ? 5 : 0), NULL);
		if (rc == TN_ERR_MEMORY) {
			free(copy);
			return tn_fail_memory(err);
		}
		had = rc == TN_OK;
		some |= had;
	}
	free(copy);
	return some ? TN_OK : tn_fail(err, TN_ERR_ARGUMENT, "a chain of waits needs sched_switch and sched_waking or "
				      "sched_wakeup: the traces have none");
}

enum tn_code
tn_chain_run(struct tn_set *set, const struct tn_scan_options *options, int64_t tid, int64_t begin_ns, int64_t end_ns,
	     int (*link)(void *user, const struct tn_chain_link *link), void *user, bool *cut, struct tn_error *err)
{
	struct chain c = { .link = link, .user = user };
	uint64_t before;
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_spans *spans = NULL;
	enum tn_code rc;

	if (!set || !link)
		return tn_fail_null(err);
	if (begin_ns >= end_ns)
		return tn_fail(err, TN_ERR_ARGUMENT, "a chain of waits needs a span of time");
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc == TN_OK)
		rc = tn_spans_new(&spans, set, err);
	if (rc == TN_OK)
		rc = define(spans, err);
	o.filter = NULL;
	/* Waits that began before the span, and who ran then, are known from as long before it as it takes. */
	o.has_begin = o.has_end = true;
	before = (uint64_t)end_ns - (uint64_t)begin_ns;
	before = before > LEAST_BEFORE_NS ? before : LEAST_BEFORE_NS;
	o.begin_ns = (int64_t)((uint64_t)begin_ns - before);
	if (o.begin_ns > begin_ns)
		o.begin_ns = INT64_MIN;
	o.end_ns = end_ns;
	if (rc == TN_OK)
		rc = tn_spans_run(spans, &o, TN_SPANS_BY_END, take_wait, &c, NULL, err);
	if (rc == TN_ERR_CANCELLED && c.cut)
		rc = TN_OK;
	if (c.failed)
		rc = tn_fail_memory(err);
	if (rc == TN_OK) {
		if (c.wait.n)
			qsort(c.wait.item, c.wait.n, sizeof *c.wait.item, compare);
		follow(&c, 0, tid, begin_ns, end_ns);
	}
	if (cut)
		*cut = c.cut;
	TN_ARRAY_RELEASE(&c.wait);
	tn_spans_free(spans);
	return rc;
}

/* ---- whose event it is ---- */

#define FIRST_LOOK_NS 1000000
#define MOST_LOOK_NS INT64_C(8000000000)

struct owner {
	const struct tn_location *at;
	int64_t tid;
	bool found;
};

static int
take_owner(void *user, const struct tn_span *s)
{
	struct owner *o = user;

	if (s->n_keys && s->is_at_begin && tn_location_compare(&s->begin, o->at) == 0)
		o->found = number(&s->key[0], &o->tid);
	return 0;
}

enum tn_code
tn_chain_thread(struct tn_set *set, const struct tn_scan_options *options, const struct tn_location *at, int64_t *tid,
		struct tn_error *err)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct owner owner = { .at = at };
	struct tn_spans *spans = NULL;
	enum tn_code rc;

	if (!set || !at || !tid)
		return tn_fail_null(err);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc == TN_OK)
		rc = tn_spans_new(&spans, set, err);
	if (rc == TN_OK)
		rc = tn_spans_add(spans, "* * by tid", err);
	o.filter = NULL;
	o.has_begin = o.has_end = true;
	o.end_ns = at->time_ns;
	/* Who runs there was told by a switch before it, a little earlier mostly. */
	for (int64_t look = FIRST_LOOK_NS; rc == TN_OK && !owner.found && look <= MOST_LOOK_NS; look *= 20) {
		if (__builtin_sub_overflow(at->time_ns, look, &o.begin_ns))
			o.begin_ns = INT64_MIN;
		rc = tn_spans_run(spans, &o, TN_SPANS_BY_END, take_owner, &owner, NULL, err);
	}
	tn_spans_free(spans);
	*tid = owner.tid;
	return rc == TN_OK && !owner.found ? TN_END : rc;
}

const char *
tn_chain_kind_name(enum tn_chain_kind kind)
{
	static const char *const names[] = { "asleep", "ready", "preempted", "ran", "unknown" };

	return (size_t)kind < TN_COUNT(names) ? names[kind] : "";
}
