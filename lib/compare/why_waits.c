/*
 * why_waits.c - find threads that selected spans waited for
 *
 * Such a thread ran for more than half of the span, while the thread of the span waited for it, or for a thread that was
 * ready to run. A wait that is short for a selected span does not explain it: a wait is counted if it is longer than half
 * of the shortest selected span. If the selected spans are the long ones, few spans of the rest can have such waits. So the
 * verdict is "sure" only if the rest also has fewer waits of any length.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compare/why_around.h"
#include "base/error.h"
#include "base/options.h"
#include "base/str.h"
#include "span/chain.h"

#define MOST 1000		/* limit of examined spans on each side */
#define MOST_THREADS 64		/* limit of threads for which one span can wait */

struct waits {
	struct tn_around *around;
	struct tn_why *why;
	struct tn_chains *chains;
	struct tn_nicknames *nicknames;
	uint64_t all[2];	/* [0]: number of examined spans in the rest; [1]: in the selected */
	uint64_t shortest_ns;	/* duration of the shortest selected span */
	struct tn_hash names;	/* threads for which spans waited; the value is an index */
	TN_ARRAY(struct waited) waited;
};

struct waited {
	const char *name;	/* belongs to the arena of the findings */
	uint64_t n[2], n_long[2];
};

/* The threads that one span waited for. */
struct sums {
	struct { int64_t tid; uint64_t ns; } item[MOST_THREADS];
	size_t n;
};

/* Follow a sleep to the thread that ended it: that thread ran, or other threads ran while it was ready. */
static int
on_link(void *user, const struct tn_chain_link *link)
{
	struct sums *s = user;
	int64_t tid = -1;
	size_t i = 0;

	if (link->kind == TN_CHAIN_READY || link->kind == TN_CHAIN_PREEMPTED)
		tid = link->whom;
	if (link->kind == TN_CHAIN_RAN && link->depth)
		tid = link->tid;
	while (i < s->n && s->item[i].tid != tid)
		i++;
	if (tid <= 0 || i == MOST_THREADS)
		return 0;
	if (i == s->n) {
		s->item[s->n].tid = tid;
		s->item[s->n++].ns = 0;
	}
	s->item[i].ns += (uint64_t)link->end_ns - (uint64_t)link->begin_ns;
	return 0;
}

/* Count a thread; threads with the same name count as one. */
static bool
count_name(struct waits *w, uint32_t rank, int64_t tid, bool selected, bool is_long)
{
	const struct tn_set *set = w->why->selection.set;
	const struct tn_answer_value number = tn_answer_number(true, tid);
	const char *name = tn_nicknames_find(w->nicknames, "tid", tn_set_has_hosts(set) ? tn_trace_host(set->stream[rank]->trace) :
					     NULL, &number);
	struct waited *to;
	struct tn_hash_item *at;
	char text[24];
	bool is_new;

	if (!name) {
		snprintf(text, sizeof text, "%" PRId64, tid);
		name = text;
	}
	at = tn_hash_add(&w->names, name, strlen(name), &is_new);
	if (at && is_new) {
		at->value = w->waited.n;
		to = TN_ARRAY_ADD(&w->waited);
		if (!to || !(to->name = tn_arena_copy(&w->why->findings.arena, name, strlen(name))))
			return false;
		tn_hash_copy_key(at, to->name);
	}
	if (!at)
		return false;
	w->waited.item[at->value].n[selected]++;
	w->waited.item[at->value].n_long[selected] += is_long;
	return true;
}

static bool
follow(struct waits *w, const struct tn_around_span *span)
{
	const struct tn_around_thread *thread = &w->around->threads.item[span->thread];
	const uint64_t half_ns = ((uint64_t)span->end_ns - (uint64_t)span->begin_ns) / 2;
	struct sums sums = { .n = 0 };
	bool good = true;

	if (!tn_chains_of(w->chains, thread->rank, thread->tid, span->begin_ns, span->end_ns, on_link, &sums))
		return true;
	w->all[span->selected]++;
	for (size_t i = 0; good && i < sums.n; i++)
		if (sums.item[i].ns > half_ns)
			good = count_name(w, thread->rank, sums.item[i].tid, span->selected,
					  sums.item[i].ns > w->shortest_ns / 2);
	return good;
}

/* Examine spans that are spread evenly over a side. */
static bool
follow_side(struct waits *w, bool selected)
{
	const struct tn_around *a = w->around;
	size_t n = 0, step, met = 0;
	bool good = true;

	for (size_t i = 0; i < a->span.n; i++)
		n += a->span.item[i].selected == selected;
	step = n / MOST + 1;
	for (size_t i = 0; good && i < a->span.n; i++)
		if (a->span.item[i].selected == selected && a->span.item[i].end_ns > a->span.item[i].begin_ns && met++ % step == 0)
			good = follow(w, &a->span.item[i]);
	return good;
}

static bool
add_findings(struct waits *w)
{
	struct tn_findings *all = &w->why->findings;

	for (size_t i = 0; i < w->waited.n; i++) {
		const struct waited *from = &w->waited.item[i];
		struct tn_why_finding *out, any = { .selected_share = 1, .rest_share = 1 };

		if ((double)from->n_long[1] * (double)w->all[0] <= (double)from->n_long[0] * (double)w->all[1])
			continue;
		out = TN_ARRAY_ADD(&all->finding);
		if (!out)
			return false;
		out->field = "waited for";
		out->value = tn_answer_text(from->name);
		out->selected = from->n_long[1];
		out->rest = from->n_long[0];
		out->selected_share = (double)out->selected / (double)w->all[1];
		out->rest_share = (double)out->rest / (double)w->all[0];
		out->g = tn_shares_g(out->selected, w->all[1], out->rest, w->all[0]);
		tn_findings_judge_exact(out, (double)w->waited.n * tn_shares_exact(out->selected, w->all[1], out->rest, w->all[0]));
		tn_findings_judge_exact(&any, (double)w->waited.n * tn_shares_exact(from->n[1], w->all[1], from->n[0], w->all[0]));
		if (out->verdict == TN_COMPARE_SURE && any.verdict != TN_COMPARE_SURE)
			out->verdict = TN_COMPARE_LIKELY;
	}
	return true;
}

static void
find_range(const struct tn_around *a, int64_t *begin_ns, int64_t *end_ns, uint64_t *shortest_ns)
{
	*begin_ns = INT64_MAX;
	*end_ns = INT64_MIN;
	*shortest_ns = UINT64_MAX;
	for (size_t i = 0; i < a->span.n; i++) {
		const struct tn_around_span *s = &a->span.item[i];
		const int64_t from = tn_chain_before(s->begin_ns, s->end_ns);

		*begin_ns = from < *begin_ns ? from : *begin_ns;
		*end_ns = s->end_ns > *end_ns ? s->end_ns : *end_ns;
		if (s->selected && s->end_ns > s->begin_ns && (uint64_t)s->end_ns - (uint64_t)s->begin_ns < *shortest_ns)
			*shortest_ns = (uint64_t)s->end_ns - (uint64_t)s->begin_ns;
	}
}

enum tn_code
tn_around_wait(struct tn_around *a, struct tn_why *why, const struct tn_scan_options *options, struct tn_error *err)
{
	struct waits w = { .around = a, .why = why };
	int64_t begin_ns, end_ns;
	enum tn_code rc;

	if (!a->span.n)
		return TN_OK;
	find_range(a, &begin_ns, &end_ns, &w.shortest_ns);
	rc = tn_chains_new(&w.chains, why->selection.set, options, begin_ns, end_ns, err);
	if (rc == TN_ERR_ARGUMENT)	/* these traces do not have switches of threads */
		return TN_OK;
	if (rc == TN_OK)
		rc = tn_nicknames_new(&w.nicknames, why->selection.set, options, err);
	if (rc == TN_OK && (!follow_side(&w, true) || !follow_side(&w, false)))
		rc = tn_fail_memory(err);
	if (rc == TN_OK && w.all[0] && w.all[1] && !add_findings(&w))
		rc = tn_fail_memory(err);
	tn_chains_free(w.chains);
	tn_nicknames_free(w.nicknames);
	tn_hash_release(&w.names);
	TN_ARRAY_RELEASE(&w.waited);
	return rc;
}
