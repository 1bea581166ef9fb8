/*
 * chain.c - the causes of a thread's delay: the threads that it waited for, those that they waited for, and so on
 *
 * The waits are the spans of the ready question `waits`; the times in which a thread ran are spans, too. A sleeping
 * thread was woken by another thread, whose activity meanwhile is the cause, and so on. A ready or preempted thread
 * waited for the thread that ran on its processor. Times outside of all spans are unknown.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "span/chain.h"
#include "base/error.h"
#include "base/options.h"
#include "index/packet_index.h"

#define MOST_SPANS 800000	/* limit of known times, which then need 37 MiB */
#define MOST_LINKS 20000
#define SLEPT "slept"	/* name of the spans from a sleep to the next run */
#define MOST_DEPTH 12
#define LEAST_BEFORE_NS 100000000u	/* least time that is read before a short window */

/* A time in which a thread is known to have run or waited. */
struct known {
	int64_t tid, whom, waker, begin_ns, end_ns;	/* `waker`: of READY; -1: unknown */
	uint32_t host;
	uint8_t kind;		/* enum tn_chain_kind */
	bool doubtful, is_open;
	bool is_guess;		/* ASLEEP: the end, or the waking thread, is not in an event */
	bool is_woken;		/* READY: the thread was woken before it could sleep */
};

struct tn_chains {
	TN_ARRAY(struct known) known;
	uint32_t *host;		/* for each stream: number of the first trace of its host */
	int64_t *since_ns, *until_ns;	/* for each host: range of the events that were read */
	const struct tn_set *set;
	int (*link)(void *user, const struct tn_chain_link *link);
	void *user;
	size_t links;
	int64_t known_until_ns;		/* events that ended later were not read */
	bool failed, cut, stopped;
};

/* ---- hosts ---- */

static uint32_t
first_of_host(const struct tn_set *set, const struct tn_trace *t)
{
	const char *host = tn_trace_host(t);
	uint32_t i = 0;

	for (; set->trace[i] != t; i++) {
		const char *other = tn_trace_host(set->trace[i]);

		if (host && other ? strcmp(host, other) == 0 : host == other)
			break;
	}
	return i;
}

/*
 * Find the hosts, and the times of their events. A thread that is there before the first switch of a processor ran since
 * the start of its trace.
 */
static bool
find_hosts(struct tn_chains *c, const struct tn_set *set, int64_t from_ns)
{
	c->set = set;
	c->host = calloc(set->n_streams + 1, sizeof *c->host);
	c->since_ns = calloc(set->n_traces + 1, sizeof *c->since_ns);
	c->until_ns = calloc(set->n_traces + 1, sizeof *c->until_ns);
	if (!c->host || !c->since_ns || !c->until_ns)
		return false;
	for (size_t i = 0; i < set->n_traces; i++) {
		c->since_ns[i] = INT64_MAX;
		c->until_ns[i] = INT64_MIN;
	}
	for (size_t i = 0; i < set->n_streams; i++) {
		struct tn_packet first;
		int64_t *since;

		c->host[i] = first_of_host(set, set->stream[i]->trace);
		since = &c->since_ns[c->host[i]];
		if (tn_index_get(set->stream[i], 0, &first, NULL, NULL) == TN_OK && first.begin_ns < *since)
			*since = first.begin_ns > from_ns ? first.begin_ns : from_ns;
	}
	return true;
}

/* ---- known facts ---- */

static bool
number(const struct tn_answer_value *v, int64_t *out)
{
	if (v->kind != TN_ANSWER_UINT && v->kind != TN_ANSWER_SINT)
		return false;
	*out = v->is.i;
	return true;
}

static int
take(void *user, const struct tn_span *s)
{
	struct tn_chains *c = user;
	const struct tn_location *at = s->is_at_begin ? &s->begin : &s->end;
	struct known *k;
	bool is_guess = strcmp(s->name, SLEPT) == 0;
	int kind = TN_CHAIN_ASLEEP;

	while (!is_guess && kind < TN_CHAIN_UNKNOWN && strcmp(tn_chain_kind_name((enum tn_chain_kind)kind), s->name) != 0)
		kind++;
	if (kind == TN_CHAIN_UNKNOWN || !s->n_keys || (!s->has_begin && kind != TN_CHAIN_RAN))
		return 0;
	if (c->known.n == MOST_SPANS) {
		c->cut = true;
		c->known_until_ns = s->has_end ? s->end_ns : INT64_MIN;
		return 1;
	}
	k = TN_ARRAY_ADD(&c->known);
	if (!k) {
		c->failed = true;
		return 1;
	}
	*k = (struct known) {
		.whom = -1, .waker = -1, .begin_ns = s->has_begin ? s->begin_ns : INT64_MIN,
		.end_ns = s->has_end || s->is_replaced ? s->end_ns : INT64_MAX,
		.host = c->host[at->stream], .kind = (uint8_t)kind, .doubtful = s->state == TN_SPAN_DOUBTFUL,
		.is_open = !s->has_end, .is_guess = is_guess,
	};
	if (!number(&s->key[s->n_keys - 1], &k->tid)) {
		c->known.n--;
		return 0;
	}
	/* The last shown value is the other thread. Its comm is before it, and for READY also the waking thread. */
	if (!s->n_captured || !number(&s->captured[s->n_captured - 1], &k->whom))
		k->whom = -1;
	if (kind == TN_CHAIN_READY && (s->n_captured != 3 || !number(&s->captured[1], &k->waker)))
		k->waker = -1;
	if (s->is_replaced)
		k->whom = -1;
	return 0;
}

/* A span without an end lasts until the end of its host's traces. */
static void
find_ends(struct tn_chains *c)
{
	for (size_t i = 0; i < c->set->n_traces; i++) {
		int64_t end = c->set->n_traces > 1 ? tn_index_end_of_trace(c->set, c->set->trace[i]) : INT64_MAX;
		uint32_t host = first_of_host(c->set, c->set->trace[i]);

		if (end > c->until_ns[host])
			c->until_ns[host] = end;
	}
	for (size_t i = 0; i < c->known.n; i++)
		if (c->known.item[i].end_ns == INT64_MAX)
			c->known.item[i].end_ns = c->until_ns[c->known.item[i].host];
}

static bool
same_thread(const struct known *a, const struct known *b)
{
	return a->host == b->host && a->tid == b->tid;
}

static int
compare(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return x->kind != y->kind ? (int)x->kind - (int)y->kind : x->is_guess - y->is_guess;
}

/*
 * Sort the times. If the first fact about a thread is that it left a processor, it ran there since the start of the
 * window. If it leaves a later one without having arrived there, the start of that time is unknown.
 */
static void
put_in_order(struct tn_chains *c)
{
	struct known *all = c->known.item;
	size_t n = 0;

	if (c->known.n)
		qsort(all, c->known.n, sizeof *all, compare);
	for (size_t i = 0; i < c->known.n; i++) {
		struct known k = all[i];
		bool first = !i || !same_thread(&all[i - 1], &k);

		if (k.begin_ns == INT64_MIN) {
			for (size_t next = i + 1; first && next < c->known.n && same_thread(&all[next], &k); next++)
				if (all[next].begin_ns != INT64_MIN) {
					first = all[next].begin_ns >= k.end_ns;
					break;
				}
			k.begin_ns = c->since_ns[k.host];
			if (!first || k.begin_ns >= k.end_ns)
				k.kind = TN_CHAIN_UNKNOWN;
		}
		all[i] = k;
	}
	for (size_t i = 0; i < c->known.n; i++)
		if (all[i].kind != TN_CHAIN_UNKNOWN)
			all[n++] = all[i];
	c->known.n = n;
}

/* Whether a better fact is known about the thread at that time. */
static bool
is_superfluous(const struct known *guess, const struct known *before)
{
	return guess->is_guess && same_thread(before, guess) && before->kind != TN_CHAIN_RAN &&
	       before->end_ns > guess->begin_ns;
}

static void
drop_guesses(struct tn_chains *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->known.n; i++) {
		const struct known k = c->known.item[i];

		if (!n || !is_superfluous(&k, &c->known.item[n - 1]))
			c->known.item[n++] = k;
	}
	c->known.n = n;
}

/*
 * A thread can be woken before it has left its processor. Its ready time then begins after its sleep, if an event has the
 * end of the sleep; otherwise it begins when the thread leaves. In both cases the first event has the waking thread.
 */
static void
settle_woken(struct tn_chains *c)
{
	for (size_t i = 0; i < c->known.n; i++) {
		struct known *ready = &c->known.item[i], *next = i + 1 < c->known.n ? ready + 1 : NULL, swapped;
		const struct known *ran = i ? ready - 1 : NULL;

		if (ready->kind != TN_CHAIN_READY)
			continue;
		if (next && (!same_thread(ready, next) || next->begin_ns >= ready->end_ns))
			next = NULL;
		if (next && next->kind == TN_CHAIN_ASLEEP && (next->is_open || next->end_ns < ready->end_ns)) {
			next->whom = ready->waker;
			ready->is_woken = next->is_open;
			if (next->is_open)
				next->end_ns = next->begin_ns;
			ready->begin_ns = next->end_ns;
			swapped = *ready;
			*ready = *next;
			*next = swapped;
			i++;
		} else if (!next && ran && same_thread(ran, ready) && ran->kind == TN_CHAIN_RAN && !ran->is_open &&
			   ran->end_ns >= ready->begin_ns && ran->end_ns < ready->end_ns) {
			ready->begin_ns = ran->end_ns;
			ready->is_woken = true;
		}
	}
}

/* The first known time of the thread that ends after @ns. */
static size_t
first_of(const struct tn_chains *c, uint32_t host, int64_t tid, int64_t ns)
{
	const struct known *k = c->known.item;
	size_t lo = 0;

	TN_BISECT(lo, c->known.n, mid, k[mid].host < host || (k[mid].host == host &&
		  (k[mid].tid < tid || (k[mid].tid == tid && k[mid].end_ns <= ns))));
	return lo;
}

/* ---- the chain ---- */

static void
tell(struct tn_chains *c, struct tn_chain_link link)
{
	if (c->stopped)
		return;
	if (c->links++ >= MOST_LINKS) {
		c->cut = c->stopped = true;
		return;
	}
	c->stopped = c->link(c->user, &link) != 0;
}

static void
put(struct tn_chains *c, struct tn_chain_link link)
{
	if (link.end_ns > link.begin_ns)
		tell(c, link);
}

/*
 * If two times overlap, because events were lost or a thread was woken before it slept, the time in which the thread ran
 * to its end is certain.
 */
static bool
gives_way(const struct known *k, const struct known *next)
{
	return same_thread(k, next) && next->begin_ns < k->end_ns &&
	       (k->kind != TN_CHAIN_RAN || k->is_open || next->kind == TN_CHAIN_RAN);
}

/*
 * Report the activity of the thread in [from, to). The recursion ends, because each level is inside of a wait of the
 * level above.
 */
static void
follow(struct tn_chains *c, size_t depth, uint32_t host, int64_t tid, int64_t from_ns, int64_t to_ns)
{
	for (size_t i = first_of(c, host, tid, from_ns); i < c->known.n && !c->stopped; i++) {
		const struct known *k = &c->known.item[i];
		int64_t begin = k->begin_ns > from_ns ? k->begin_ns : from_ns, end = k->end_ns < to_ns ? k->end_ns : to_ns;

		if (k->host != host || k->tid != tid || k->begin_ns >= to_ns)
			break;
		if (i + 1 < c->known.n && gives_way(k, &k[1]) && k[1].begin_ns < end)
			end = k[1].begin_ns;
		if (end <= from_ns)
			continue;
		put(c, (struct tn_chain_link) { depth, TN_CHAIN_UNKNOWN, tid, -1, from_ns, begin, false });
		if (k->is_woken && k->waker >= 0 && begin == k->begin_ns)
			tell(c, (struct tn_chain_link) { depth, TN_CHAIN_ASLEEP, tid, k->waker, begin, begin, k->doubtful });
		put(c, (struct tn_chain_link) { depth, (enum tn_chain_kind)k->kind, tid, k->whom, begin, end, k->doubtful });
		if (k->kind == TN_CHAIN_ASLEEP && k->whom > 0 && k->whom != tid && end > begin) {
			if (depth + 1 < MOST_DEPTH)
				follow(c, depth + 1, host, k->whom, begin, end);
			else
				c->cut = true;
		}
		from_ns = end;
	}
	put(c, (struct tn_chain_link) { depth, TN_CHAIN_UNKNOWN, tid, -1, from_ns, to_ns, false });
}

/* Find the host with the name, or the only host that has the thread. */
static enum tn_code
choose_host(const struct tn_chains *c, const char *name, int64_t tid, uint32_t *out, struct tn_error *err)
{
	const char *first = NULL;
	bool some = false;

	for (uint32_t i = 0; i < c->set->n_traces; i++) {
		const char *host = tn_trace_host(c->set->trace[i]);
		size_t at = first_of(c, i, tid, INT64_MIN);

		if (first_of_host(c->set, c->set->trace[i]) != i || (name && (!host || strcmp(host, name) != 0)))
			continue;
		if (!name && !(at < c->known.n && c->known.item[at].host == i && c->known.item[at].tid == tid))
			continue;
		if (some)
			return tn_fail(err, TN_ERR_ARGUMENT, "thread %" PRId64 " exists on %s and on %s: write HOST:%" PRId64 " "
				       "to choose one", tid, first ? first : "?", host ? host : "?", tid);
		some = true;
		first = host;
		*out = i;
	}
	return some || !name ? TN_OK : tn_fail(err, TN_ERR_ARGUMENT, "no trace has the host '%s'", name);
}

/* Add those definitions of the ready question for which the traces have events. */
static enum tn_code
define(struct tn_spans *spans, struct tn_error *err)
{
	const struct tn_ready_question *q;
	static const char slept[] = "(name == \"sched_switch\" and prev_state != 0) sched_switch by prev_tid = next_tid latest as "
				    SLEPT " where not orphan";
	static const char *const runs[] = {
		"sched_switch sched_switch by cpu, next_tid = prev_tid as ran",
		"sched_switch sched_switch by next_tid = prev_tid as ran",
	};
	enum tn_code rc = TN_ERR_ARGUMENT;

	for (size_t i = 0; (q = tn_ready_question_at(i)); i++)
		if (strcmp(q->name, "waits") == 0)
			rc = tn_spans_add_question(spans, q->spans, err);
	if (rc == TN_ERR_ARGUMENT)
		return tn_fail(err, rc, "a wait chain needs sched_switch and sched_waking or sched_wakeup events: the traces "
			       "have none");
	if (rc == TN_OK && (rc = tn_spans_add_question(spans, runs[0], err)) == TN_ERR_ARGUMENT)
		rc = tn_spans_add_question(spans, runs[1], err);
	return rc == TN_OK ? tn_spans_add_question(spans, slept, err) : rc;
}

void
tn_chains_free(struct tn_chains *c)
{
	if (!c)
		return;
	TN_ARRAY_RELEASE(&c->known);
	free(c->host);
	free(c->since_ns);
	free(c->until_ns);
	free(c);
}

static enum tn_code
read_known(struct tn_chains *c, struct tn_set *set, const struct tn_scan_options *o, struct tn_error *err)
{
	struct tn_spans *spans;
	enum tn_code rc = tn_spans_new(&spans, set, err);

	if (rc == TN_OK)
		rc = define(spans, err);
	if (rc == TN_OK && !find_hosts(c, set, o->begin_ns))
		rc = tn_fail_memory(err);
	if (rc == TN_OK)
		rc = tn_spans_run(spans, o, TN_SPANS_BY_END, take, c, NULL, err);
	tn_spans_free(spans);
	if (rc == TN_ERR_CANCELLED && c->cut)
		rc = TN_OK;
	return c->failed ? tn_fail_memory(err) : rc;
}

enum tn_code
tn_chains_new(struct tn_chains **out, struct tn_set *set, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns,
	      struct tn_error *err)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_chains *c = calloc(1, sizeof *c);
	enum tn_code rc = c ? tn_options_take(&o, sizeof o, options, "tn_scan_options", err) : tn_fail_memory(err);

	*out = NULL;
	if (rc < 0) {
		free(c);
		return rc;
	}
	c->known_until_ns = INT64_MAX;
	o.filter = NULL;
	o.has_begin = o.has_end = true;
	o.begin_ns = begin_ns;
	o.end_ns = end_ns;
	rc = read_known(c, set, &o, err);
	if (rc < 0) {
		tn_chains_free(c);
		return rc;
	}
	find_ends(c);
	put_in_order(c);
	drop_guesses(c);
	settle_woken(c);
	*out = c;
	return TN_OK;
}

bool
tn_chains_of(struct tn_chains *c, uint32_t rank, int64_t tid, int64_t begin_ns, int64_t end_ns,
	     int (*link)(void *user, const struct tn_chain_link *link), void *user)
{
	const size_t at = first_of(c, c->host[rank], tid, begin_ns);

	if (end_ns > c->known_until_ns || at == c->known.n || c->known.item[at].host != c->host[rank] ||
	    c->known.item[at].tid != tid || c->known.item[at].begin_ns >= end_ns)
		return false;
	c->link = link;
	c->user = user;
	c->links = 0;
	c->stopped = false;
	follow(c, 0, c->host[rank], tid, begin_ns, end_ns);
	return true;
}

int64_t
tn_chain_before(int64_t begin_ns, int64_t end_ns)
{
	uint64_t before = (uint64_t)end_ns - (uint64_t)begin_ns;
	int64_t from;

	before = before > LEAST_BEFORE_NS ? before : LEAST_BEFORE_NS;
	from = (int64_t)((uint64_t)begin_ns - before);
	return from > begin_ns ? INT64_MIN : from;
}

enum tn_code
tn_chain_run(struct tn_set *set, const struct tn_scan_options *options, const char *host, int64_t tid, int64_t begin_ns,
	     int64_t end_ns, int (*link)(void *user, const struct tn_chain_link *link), void *user, bool *cut,
	     struct tn_error *err)
{
	struct tn_chains *c;
	uint32_t of = 0;
	enum tn_code rc;

	if (!set || !link)
		return tn_fail_null(err);
	if (begin_ns >= end_ns)
		return tn_fail(err, TN_ERR_ARGUMENT, "a wait chain needs a time range");
	rc = tn_chains_new(&c, set, options, tn_chain_before(begin_ns, end_ns), end_ns, err);
	if (rc < 0)
		return rc;
	rc = choose_host(c, host, tid, &of, err);
	if (rc == TN_OK) {
		c->link = link;
		c->user = user;
		follow(c, 0, of, tid, begin_ns, end_ns);
	}
	if (cut)
		*cut = c->cut;
	tn_chains_free(c);
	return rc;
}

/* ---- the thread of an event ---- */

bool
tn_chain_is_thread(const char *key)
{
	static const char *const names[] = { "tid", "vtid", "next_tid", "prev_tid", "child_tid", "next_pid", "prev_pid",
					      "child_pid" };
	const char *last = key ? strrchr(key, '.') : NULL;

	for (size_t i = 0; key && i < TN_COUNT(names); i++)
		if (strcmp(last ? last + 1 : key, names[i]) == 0)
			return true;
	return false;
}

/* Get the attribute tid of the row at @at. NONE: there is no such row. */
static enum tn_code
thread_in(const struct tn_classes *classes, const struct tn_batch *b, const struct tn_location *at, struct tn_answer_value *out,
	  struct tn_error *err)
{
	struct tn_row_state state = { 0 };
	struct tn_take tid;
	enum tn_code rc;
	size_t row = 0;

	while (row < b->refs.n && b->begin.row + row < at->row)
		row++;
	if (row == b->refs.n || b->refs.item[row].event_class == TN_REF_NOTICE || tn_class_of(classes, b, row) >= classes->n)
		return TN_OK;
	rc = tn_take_init(&tid, classes, "event.tid", strlen("event.tid"), "tid", 1, err);
	if (rc < 0)
		return rc;
	tn_row_at(&state, b, row);
	rc = tn_take_value(&tid, tn_class_of(classes, b, row), &state, out, err);
	tn_row_state_release(&state);
	tn_take_release(&tid);
	return rc;
}

/* Read the thread in the packet of @at. */
static enum tn_code
thread_at(const struct tn_classes *classes, struct tn_stream *stream, const struct tn_location *at, struct tn_answer_value *out,
	  struct tn_error *err)
{
	struct tn_batch_place place = { .stream = stream, .packet = at->packet, .limit = TN_BATCH_REFS };
	struct tn_walk_pool pool;
	enum tn_code rc = TN_OK;
	bool last = false;

	tn_walk_pool_init(&pool);
	while (rc == TN_OK && !last) {
		struct tn_walked *w;

		rc = tn_walk(&pool, &place, &w, err);
		if (rc != TN_OK)
			break;
		last = w->batch.last || at->row < w->batch.begin.row + w->batch.refs.n;
		if (last)
			rc = thread_in(classes, &w->batch, at, out, err);
		place.mark = w->batch.end;
		place.number++;
		tn_walked_drop(w);
	}
	tn_walk_pool_release(&pool);
	return rc < 0 ? rc : TN_OK;
}

enum tn_code
tn_chain_thread(struct tn_set *set, const struct tn_scan_options *options, const struct tn_location *at, const char **host,
		int64_t *tid, struct tn_error *err)
{
	struct tn_answer_value v = { 0 };
	struct tn_classes classes = { 0 };
	enum tn_code rc;

	(void)options;
	if (!set || !at || !host || !tid)
		return tn_fail_null(err);
	if (at->stream >= set->n_streams)
		return tn_fail(err, TN_ERR_ARGUMENT, "the event is from other traces");
	rc = tn_classes_init(&classes, set, err);
	if (rc == TN_OK)
		rc = thread_at(&classes, set->stream[at->stream], at, &v, err);
	tn_classes_release(&classes);
	*host = tn_set_has_hosts(set) ? tn_trace_host(set->stream[at->stream]->trace) : NULL;
	*tid = v.is.i;
	return rc == TN_OK && v.kind != TN_ANSWER_UINT && v.kind != TN_ANSWER_SINT ? TN_END : rc;
}

const char *
tn_chain_kind_name(enum tn_chain_kind kind)
{
	static const char *const names[] = { "asleep", "ready", "preempted", "ran", "unknown" };

	return (size_t)kind < TN_COUNT(names) ? names[kind] : "";
}
