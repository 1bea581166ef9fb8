/* group_spans.c - groups of spans: the possible keys and aggregates */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group/groups.h"
#include "answer/answer_cache.h"
#include "scan/asker.h"
#include "span/spans.h"
#include "base/error.h"
#include "base/meaning.h"

#define INSIDE "inside"

static bool
some_span_has_one(const struct tn_spans *s, const char *name, const char **best, size_t *distance)
{
	const char *key = strncmp(name, "key.", 4) == 0 ? name + 4 : name;

	for (size_t d = 0; d < tn_spans_count(s); d++) {
		const char *other;

		for (size_t i = 0; (other = tn_spans_key(s, d, i)); i++) {
			if (strcmp(other, name) == 0 || strcmp(other, key) == 0)
				return true;
			tn_nearest(name, other, best, distance);
		}
		for (size_t i = 0; (other = tn_spans_captured(s, d, i)); i++) {
			if (strcmp(other, name) == 0 || tn_span_tail(other, name))
				return true;
			tn_nearest(name, other, best, distance);
		}
	}
	return false;
}

/* Whether spans have the name; for "X|Y", one of the two names is enough. */
static bool
some_span_has(const struct tn_spans *s, const char *name, const char **best, size_t *distance)
{
	char one[256];

	for (size_t n; *name; name += n + (name[n] == '|')) {
		n = strcspn(name, "|");
		if (n >= sizeof one)
			continue;
		memcpy(one, name, n);
		one[n] = '\0';
		if (some_span_has_one(s, one, best, distance))
			return true;
	}
	return false;
}

/* The kinds of the values that spans have under a name. */
struct kinds {
	bool some, others;	/* `some`: there are values. `others`: some values are not texts */
	bool no_memory;
};

static void
look_at_take(struct kinds *k, const struct tn_spans *s, const struct tn_take *take, const struct tn_pick *begin,
	     const struct tn_pick *end)
{
	for (size_t c = 0; c < s->classes.n && !k->others; c++) {
		if (!(begin && begin->verdict[c] != TN_VERDICT_NO) && !(end && end->verdict[c] != TN_VERDICT_NO))
			continue;
		if (!tn_take_has(take, c, &k->no_memory))
			continue;
		k->some = true;
		k->others |= !tn_take_is_text(take, c, &k->no_memory);
	}
}

static void
look_at_name(struct kinds *k, const struct tn_spans *s, const char *name)
{
	const char *key = strncmp(name, "key.", 4) == 0 ? name + 4 : name;

	for (size_t i = 0; i < s->definition.n; i++) {
		const struct tn_span_definition *d = &s->definition.item[i];

		for (size_t n = 0; n < d->begin_key.n; n++) {
			if (strcmp(d->begin_key.item[n].name, key) == 0)
				look_at_take(k, s, &d->begin_key.item[n], &d->begin, NULL);
		}
		for (size_t n = 0; n < tn_span_shown(d); n++) {
			const struct tn_capture *c = &d->captures.item[n];

			if (strcmp(c->name, name) != 0 && !tn_span_tail(c->name, name))
				continue;
			look_at_take(k, s, &c->take, c->of_begin ? &d->begin : NULL, c->of_end ? &d->end : NULL);
		}
	}
}

bool
tn_groups_is_text_of_spans(const struct tn_groups *g, const struct tn_take *take, bool *no_memory)
{
	struct kinds k = { 0 };
	char one[256];

	if (take->span_value == TN_SPAN_NAME || take->span_value == TN_SPAN_STATE)
		return true;
	if (take->span_value != TN_SPAN_VALUE && take->span_value != TN_SPAN_HOST)
		return false;
	for (const char *name = take->of ? take->of : take->name; *name;) {
		size_t n = strcspn(name, "|");

		snprintf(one, sizeof one, "%.*s", (int)(n < sizeof one ? n : 0), name);
		look_at_name(&k, g->spans, one);
		name += n + (name[n] == '|');
	}
	*no_memory |= k.no_memory;
	/* If spans have a field of this name, it has priority over the host. */
	return !k.others && (k.some || take->span_value == TN_SPAN_HOST);
}

enum tn_code
tn_groups_take_of_spans(struct tn_groups *g, struct tn_take *out, const char *name, size_t n, const char *what,
			size_t column, struct tn_error *err)
{
	const char *best = NULL;
	size_t distance = SIZE_MAX;
	enum tn_code rc;

	*out = (struct tn_take) { .name = strndup(name, n), .span_value = TN_SPAN_VALUE };
	if (!out->name)
		return tn_fail_memory(err);
	rc = tn_bins_read(&out->bins, &name, &n, err);
	if (rc < 0 || out->bins.kind) {
		struct tn_take field;

		if (rc == TN_OK)
			rc = tn_groups_take_of_spans(g, &field, name, n, what, column, err);
		if (rc < 0) {
			tn_take_release(out);
			return rc;
		}
		field.bins = out->bins;
		field.of = field.name;
		field.name = out->name;
		*out = field;
		return TN_OK;
	}
	if (strncmp(out->name, "time/", 5) == 0) {
		out->span_value = TN_SPAN_TIME;
		return tn_take_step(out->name, &out->step_ns, err);
	}
	out->span_value = tn_span_value_named(out->name, &best, &distance);
	if (out->span_value != TN_SPAN_VALUE)
		return TN_OK;
	if (some_span_has(g->spans, out->name, &best, &distance))
		return TN_OK;
	if (strcmp(out->name, INSIDE) == 0) {
		out->span_value = TN_SPAN_INSIDE;
		return TN_OK;
	}
	tn_nearest(out->name, INSIDE, &best, &distance);
	if (best)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: spans have no '%s': the nearest name is '%s'", what, column,
			     out->name, best);
	else	/* the name is probably a field of the events */
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: spans have no '%s': add a field to their definition: BEGIN "
			     "END by KEY show FIELD", what, column, out->name);
	tn_take_release(out);
	return rc;
}

/* The range that limits the parts of spans. */
struct range {
	bool is_asked, has_begin;
	int64_t begin_ns, end_ns;
};

/*
 * The part of a span inside the range. An open span ends at its replacement, at the end of the range, or at the end of
 * the traces. Without a begin the part is unknown.
 */
static struct tn_answer_value
inside(const struct range *r, const struct tn_span *s)
{
	bool is_open = s->state == TN_SPAN_OPEN && !s->is_unsure;
	int64_t from = s->begin_ns, to = r->end_ns;

	if (!s->has_begin || (!is_open && (s->state != TN_SPAN_CLOSED || !s->has_end)))
		return (struct tn_answer_value) { 0 };
	if (r->has_begin && from < r->begin_ns)
		from = r->begin_ns;
	if ((!is_open || s->is_replaced) && s->end_ns < to)
		to = s->end_ns;
	return (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = to > from ? (uint64_t)to - (uint64_t)from : 0 };
}

static struct tn_answer_value
value_of(const struct tn_groups *g, const struct range *range, const struct tn_take *take, const struct tn_span *s)
{
	struct tn_answer_value v = take->span_value == TN_SPAN_INSIDE ? inside(range, s) :
				   tn_span_value(g->spans, s, (enum tn_span_value)take->span_value,
						 take->of ? take->of : take->name);
	int64_t rest;

	if (take->bins.kind)
		return tn_bin(&take->bins, &v);
	if (!take->step_ns || v.kind == TN_ANSWER_NONE)
		return v;
	rest = v.is.i % take->step_ns;
	v.is.i -= rest < 0 ? rest + take->step_ns : rest;
	v.kind = v.is.i < 0 ? TN_ANSWER_SINT : TN_ANSWER_UINT;
	return v;
}

#define NEAR 64		/* a power of two */
#define WAITING 64

struct run {
	struct tn_groups *groups;
	struct tn_words_out words;
	struct tn_answer_value *argument;
	bool failed;
	enum tn_code condition_rc;
	struct tn_error *err;
	struct tn_expression_state condition;
	struct tn_span_wish wish;
	struct range range;
	void *sunk;		/* state of the sink; NULL: none */
	uint64_t of_state[4];	/* number of spans in each state that touch the range */
	const struct tn_scan_options *asked;
	bool by_name;		/* keys are only names and states */
	struct near {
		const char *name;	/* NULL: the cache is empty */
		enum tn_span_state state;
		struct tn_group *group;
		uint64_t waiting[WAITING];	/* durations that are waiting to be added together */
		size_t n;
	} near[NEAR];
	bool by_duration;	/* only durations are needed */
	bool any_duration;	/* one of the aggregates needs any_duration */
};

/* The group of the span; NULL: memory is out. */
static struct tn_group *
group_of(struct run *run, const struct tn_span *s)
{
	struct tn_groups *g = run->groups;

	run->words.n = 0;
	for (size_t i = 0; i < g->keys.n; i++) {
		struct tn_answer_value v = value_of(g, &run->range, &g->keys.item[i], s);

		if (v.type && !g->labels[i])
			g->labels[i] = v.type;
		if (!tn_pack(&run->words, &v, false))
			return NULL;
	}
	return tn_group_table_group(&g->all, run->words.item, run->words.n);
}

static bool
add_waiting(struct run *run, struct near *near)
{
	size_t n = near->n;

	near->n = 0;
	return !n || tn_group_table_add_numbers(&run->groups->all, near->group, near->waiting, n);
}

/*
 * Look up the group of all spans with this name and state in a cache, by the address of the name, which stays
 * the same.
 */
static struct near *
near_of(struct run *run, const struct tn_span *s)
{
	const bool is_named = run->groups->spans->definition.item[s->definition].is_named;
	struct near *near = &run->near[((uintptr_t)s->name >> 4 ^ (uintptr_t)s->state) % NEAR];

	if (near->name == s->name && near->state == s->state && !is_named)
		return near;
	if (!add_waiting(run, near))
		return NULL;
	near->name = is_named ? NULL : s->name;
	near->state = s->state;
	near->group = group_of(run, s);
	if (!near->group)
		return NULL;
	if (near->group == run->groups->all.others)
		near->name = NULL;
	return near;
}

/* Get the arguments of a span; *nothing: it has none. False: failure. */
static bool
take_arguments(struct run *run, const struct tn_span *s, bool *nothing)
{
	const struct tn_groups *g = run->groups;

	*nothing = true;
	for (size_t i = 0; i < g->arguments.n; i++) {
		bool pass = true;

		if (g->conditions.item[i].where)
			run->condition_rc = tn_span_where_passes(g->conditions.item[i].where, &run->condition, s, &pass, run->err);
		if (run->condition_rc < 0)
			return false;
		run->argument[i] = (struct tn_answer_value) { 0 };
		if (pass)
			run->argument[i] = value_of(g, &run->range, &g->arguments.item[i], s);
		*nothing &= run->argument[i].kind == TN_ANSWER_NONE;
	}
	return true;
}

/* Collect spans with a duration, to add several durations at once. Only the duration distinguishes these spans. */
static int
on_duration(void *user, const struct tn_span *s)
{
	struct run *run = user;
	struct near *near = near_of(run, s);
	bool is_closed = s->has_duration && s->state == TN_SPAN_CLOSED, nothing;

	if (near && !is_closed && !(s->has_duration && run->any_duration)) {
		near->group->count++;
	} else if (near && is_closed && s->duration_ns >= 0) {
		near->waiting[near->n++] = (uint64_t)s->duration_ns;
		run->failed = near->n == WAITING && !add_waiting(run, near);
	} else if (near) {
		run->failed = !take_arguments(run, s, &nothing) ||
			      !tn_group_table_add(&run->groups->all, near->group,
					    &(struct tn_group_table_row) { .argument = run->argument });
	}
	run->failed |= !near;
	return run->failed;
}

static int
on_span(void *user, const struct tn_span *s)
{
	struct run *run = user;
	struct tn_groups *g = run->groups;
	struct tn_group_table_row row = {
		.argument = run->argument, .at = s->is_at_begin ? s->begin : s->end, .has_time = s->has_begin || s->has_end,
		.time_ns = s->has_begin ? s->begin_ns : s->end_ns, .has_nothing = true,
	};
	struct near *near;
	struct tn_group *group;

	if (run->range.has_begin && (s->has_end || s->is_replaced) && s->end_ns < run->range.begin_ns)
		return 0;
	if (run->range.has_begin && s->is_unsure && s->has_begin && s->begin_ns < run->range.begin_ns) {
		run->of_state[TN_SPAN_DOUBTFUL]++;	/* the span probably ended before */
		return 0;
	}
	run->of_state[s->state]++;
	near = run->by_name ? near_of(run, s) : NULL;
	group = near ? near->group : run->by_name ? NULL : group_of(run, s);
	run->failed = !group || !take_arguments(run, s, &row.has_nothing);
	if (!run->failed && !run->sunk)
		run->failed = !tn_group_table_add(&g->all, group, &row);
	else if (!run->failed && !row.has_nothing && row.has_time)
		run->failed = !g->sink->put(run->sunk, tn_group_key(&g->all, group), group->key_words, row.time_ns, 0,
					    run->argument[0].kind, run->argument[0].is.u);
	return run->failed;
}

/* Pass the duration of a closed span to the sink. */
static int
on_sunk(void *user, const struct tn_span *s)
{
	struct run *run = user;
	struct near *near;

	if (!s->has_duration || s->state != TN_SPAN_CLOSED)
		return run->any_duration ? on_span(user, s) : 0;
	near = near_of(run, s);
	run->failed = !near || !run->groups->sink->put(run->sunk, tn_group_key(&run->groups->all, near->group),
						       near->group->key_words, s->begin_ns, 0,
						       s->duration_ns < 0 ? TN_ANSWER_SINT : TN_ANSWER_UINT,
						       (uint64_t)s->duration_ns);
	return run->failed;
}

/* ---- spans that began before the range ---- */

static int
take_notice(void *user, const struct tn_row *row)
{
	const struct run *run = user;

	if (run->range.has_begin && row->location.time_ns < run->range.begin_ns)
		return 0;
	return run->asked->notice(run->asked->user, row);
}

/* Find the range that limits the parts of spans. */
static enum tn_code
find_range(struct range *r, struct tn_set *set, const struct tn_scan_options *o, struct tn_error *err)
{
	int64_t first_ns, last_ns;
	enum tn_code rc = tn_set_time_range(set, &first_ns, &last_ns, err);

	if (rc < 0)
		return rc;
	r->has_begin = o->has_begin;
	r->begin_ns = o->begin_ns;
	r->end_ns = rc != TN_OK ? INT64_MIN : o->has_end && o->end_ns < last_ns ? o->end_ns : last_ns;
	return TN_OK;
}

/* Read the same spans from the start of the traces up to the range. */
static enum tn_code
look_before(struct tn_scan_options *o, struct run *run, const struct tn_scan_options *asked, struct tn_error *err)
{
	*o = *asked;
	if (!run->range.is_asked)
		return TN_OK;
	run->asked = asked;
	o->has_begin = false;
	tn_answer_with(o, run);
	o->notice = asked->notice ? take_notice : NULL;
	return find_range(&run->range, run->groups->set, asked, err);
}

static enum tn_code
read_spans(struct tn_groups *g, const struct tn_scan_options *options, struct run *run, struct tn_error *err)
{
	struct tn_scan_options o;
	enum tn_code rc = look_before(&o, run, options, err);

	if (rc == TN_OK)
		rc = tn_spans_run_some(g->spans, &o, &run->wish, !run->by_duration ? on_span : run->sunk ? on_sunk : on_duration,
				       run, &g->span_counts, err);
	if (run->range.is_asked)
		memcpy(g->span_counts.of_state, run->of_state, sizeof run->of_state);
	for (size_t i = 0; i < NEAR && rc == TN_OK; i++)
		if (!add_waiting(run, &run->near[i]))
			rc = tn_fail_memory(err);
	return rc;
}

/* ---- stored answers ---- */

static void
keep(const struct tn_groups *g, struct tn_answer_cache *k, const struct tn_types *types)
{
	struct tn_answer_out out = { .types = types };

	if (!tn_answer_cache_begin(k, &out))
		return;
	tn_answer_put_bytes(&out, &g->span_counts, sizeof g->span_counts);
	for (size_t i = 0; i < g->keys.n; i++)
		tn_answer_put_value(&out, &(struct tn_answer_value) { .type = g->labels[i] });
	tn_group_table_store(&g->all, &out);
	tn_answer_cache_put(k, &out);
}

/* TN_END: the stored answer is invalid. */
static enum tn_code
restore(struct tn_groups *g, struct tn_answer_in *in, struct tn_error *err)
{
	size_t n;
	const void *counts = tn_answer_get_bytes(in, &n);

	in->bad |= n != sizeof g->span_counts;
	if (!in->bad)
		memcpy(&g->span_counts, counts, n);
	for (size_t i = 0; i < g->keys.n && !in->bad; i++)
		g->labels[i] = tn_answer_get_value(in).type;
	if (!in->bad && !tn_group_table_restore(&g->all, g->keys.n, in))
		return tn_fail_memory(err);
	if (!in->bad && in->at == in->end)
		return TN_OK;
	memset(g->labels, 0, g->keys.n * sizeof *g->labels);
	tn_group_table_clear(&g->all);
	return TN_END;
}

/* Find the stored answer to the same question; TN_END: none. */
static enum tn_code
find_kept(struct tn_groups *g, struct tn_answer_cache *k, const struct tn_types *types, struct tn_error *err)
{
	struct tn_answer_in in = { .types = types };
	enum tn_code rc;

	if (!tn_answer_cache_find(k, &in))
		return TN_END;
	rc = restore(g, &in, err);
	return rc == TN_OK ? tn_answer_cache_tell(k, &in, err) : rc;
}

/* Pass the values of spans to the sink; nothing is stored. */
static enum tn_code
sink_spans(struct tn_groups *g, const struct tn_scan_options *options, struct run *run, struct tn_error *err)
{
	enum tn_code rc;

	run->sunk = g->sink->make(g->sink->user);
	rc = run->sunk ? read_spans(g, options, run, err) : tn_fail_memory(err);
	/* If the run was stopped, the spans read so far also are an answer. */
	if ((rc == TN_OK || rc == TN_ERR_CANCELLED) && !g->sink->merge(g->sink->user, run->sunk))
		rc = tn_fail_memory(err);
	if (run->sunk)
		g->sink->release(run->sunk);
	return rc;
}

static enum tn_code
ask(struct tn_groups *g, const struct tn_scan_options *options, struct run *run, struct tn_error *err)
{
	struct tn_types types = { 0 };
	struct tn_answer_cache k;
	enum tn_code rc = TN_END;

	tn_answer_cache_init(&k, g->set, "groups of spans", TN_MEANING_GROUPS);
	tn_spans_question(g->spans, &k);
	for (size_t i = 0; i < g->keys.n; i++)
		tn_str_printf(&k.question, "by %s\n", g->keys.item[i].name);
	for (size_t i = 0; i < g->columns.n; i++)
		tn_str_printf(&k.question, "show %s\n", g->columns.item[i].text);
	tn_answer_cache_ask(&k, options);
	if (!tn_spans_types(g->spans, &types))
		k.keeps = false;
	rc = find_kept(g, &k, &types, err);
	if (rc == TN_END) {
		rc = read_spans(g, &k.options, run, err);
		if (rc == TN_OK)
			keep(g, &k, &types);
	}
	TN_ARRAY_RELEASE(&types.type);
	tn_answer_cache_release(&k);
	return rc;
}

enum tn_code
tn_groups_run_spans(struct tn_groups *g, const struct tn_scan_options *options, struct tn_error *err)
{
	struct run run = { .groups = g, .err = err, .argument = calloc(g->arguments.n + 1, sizeof *run.argument) };
	enum tn_code rc;

	free(g->labels);
	g->labels = calloc(g->keys.n + 1, sizeof *g->labels);
	bool no_values = !g->spans->where;

	run.by_name = true;
	for (size_t i = 0; i < g->keys.n; i++) {
		run.by_name &= g->keys.item[i].span_value == TN_SPAN_NAME || g->keys.item[i].span_value == TN_SPAN_STATE;
		no_values &= g->keys.item[i].span_value != TN_SPAN_VALUE;
		run.range.is_asked |= g->keys.item[i].span_value == TN_SPAN_INSIDE;
	}
	run.by_duration = run.by_name && !g->plan.needs_place && !g->plan.needs_time;
	for (size_t i = 0; i < g->arguments.n; i++) {
		no_values &= g->arguments.item[i].span_value != TN_SPAN_VALUE;
		run.any_duration |= g->arguments.item[i].span_value == TN_SPAN_ANY_DURATION;
		run.by_duration &= !g->conditions.item[i].where && (g->arguments.item[i].span_value == TN_SPAN_DURATION ||
								    g->arguments.item[i].span_value == TN_SPAN_ANY_DURATION);
		no_values &= !g->conditions.item[i].where;
		run.range.is_asked |= g->arguments.item[i].span_value == TN_SPAN_INSIDE;
	}
	run.wish.no_values = no_values;
	run.wish.only_ended = run.by_duration && g->sink;
	if (!run.argument || !g->labels)
		rc = tn_fail_memory(err);
	else
		rc = g->sink ? sink_spans(g, options, &run, err) : ask(g, options, &run, err);
	if (run.failed && run.condition_rc == TN_OK)
		rc = tn_fail_memory(err);
	else if (run.failed)
		rc = run.condition_rc;
	g->without = g->span_counts.without_key;
	TN_ARRAY_RELEASE(&run.words);
	tn_expression_state_release(&run.condition);
	free(run.argument);
	return rc;
}
