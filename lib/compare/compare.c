/* compare.c - read both selections: events by class and slice, spans, values */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/stored.h"
#include "base/error.h"
#include "base/options.h"
#include "base/str.h"
#include "group/groups.h"
#include "model/trace.h"
#include "scan/asker.h"
#include "span/spans.h"

enum tn_code
tn_compare_new(struct tn_compare **out, const struct tn_selection *first, const struct tn_selection *second, struct tn_error *err)
{
	struct tn_compare *c;
	enum tn_code rc;

	if (!out || !first || !second || !first->set || !second->set)
		return tn_fail_null(err);
	*out = NULL;
	c = calloc(1, sizeof *c);
	if (!c)
		return tn_fail_memory(err);
	rc = tn_options_take(&c->side[0], sizeof c->side[0], first, "tn_selection", err);
	if (rc == TN_OK)
		rc = tn_options_take(&c->side[1], sizeof c->side[1], second, "tn_selection", err);
	if (rc < 0) {
		tn_compare_free(c);
		return rc;
	}
	*out = c;
	return TN_OK;
}

static void
forget(struct tn_compare *c)
{
	tn_items_release(&c->items);
	TN_ARRAY_RELEASE(&c->losers);
	TN_ARRAY_RELEASE(&c->rows);
	c->events[0] = c->events[1] = 0;
}

void
tn_compare_free(struct tn_compare *c)
{
	if (!c)
		return;
	forget(c);
	for (size_t i = 0; i < c->definitions.n; i++)
		free(c->definitions.item[i]);
	for (size_t i = 0; i < c->fields.n; i++)
		free(c->fields.item[i]);
	TN_ARRAY_RELEASE(&c->definitions);
	TN_ARRAY_RELEASE(&c->fields);
	free(c);
}

/* ---- the questions ---- */

static bool
add_definition(struct tn_compare *c, const char *definition)
{
	char **at;

	for (size_t i = 0; i < c->definitions.n; i++)
		if (strcmp(c->definitions.item[i], definition) == 0)
			return true;
	at = TN_ARRAY_ADD(&c->definitions);
	return at && (*at = strdup(definition));
}

/* The definition's events may be missing on one side. It is an error only if both sides refuse the definition. */
enum tn_code
tn_compare_add_spans(struct tn_compare *c, const char *definition, struct tn_error *err)
{
	enum tn_code rc = TN_ERR_ARGUMENT;

	if (!c || !definition)
		return tn_fail_null(err);
	for (size_t side = 0; side < 2 && rc == TN_ERR_ARGUMENT; side++) {
		struct tn_spans *spans;

		rc = tn_spans_new(&spans, c->side[side].set, err);
		if (rc == TN_OK)
			rc = tn_spans_add(spans, definition, err);
		tn_spans_free(spans);
	}
	if (rc < 0)
		return rc;
	c->is_defined = true;
	return add_definition(c, definition) ? TN_OK : tn_fail_memory(err);
}

enum tn_code
tn_compare_add_field(struct tn_compare *c, const char *field, struct tn_error *err)
{
	enum tn_code rc = TN_ERR_ARGUMENT;
	char **at;

	if (!c || !field)
		return tn_fail_null(err);
	for (size_t side = 0; side < 2 && rc == TN_ERR_ARGUMENT; side++) {
		struct tn_groups *groups;

		rc = tn_groups_new(&groups, c->side[side].set, field, "count", err);
		if (rc == TN_OK && tn_groups_key_count(groups) != 1)
			rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': write one field", field);
		tn_groups_free(groups);
	}
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < c->fields.n; i++)
		if (strcmp(c->fields.item[i], field) == 0)
			return TN_OK;
	at = TN_ARRAY_ADD(&c->fields);
	return at && (*at = strdup(field)) ? TN_OK : tn_fail_memory(err);
}

/* ---- time ---- */

/* The nanoseconds of [begin, end] that are not in the hole. */
static double
outside_hole(const struct tn_selection *s, int64_t begin_ns, int64_t end_ns)
{
	double all = end_ns > begin_ns ? (double)((uint64_t)end_ns - (uint64_t)begin_ns) : 0;
	int64_t from = s->hole_begin_ns > begin_ns ? s->hole_begin_ns : begin_ns;
	int64_t to = s->hole_end_ns < end_ns ? s->hole_end_ns : end_ns;

	return s->has_hole && to > from ? all - (double)((uint64_t)to - (uint64_t)from) : all;
}

static enum tn_code
find_time(struct tn_compare *c, size_t side, struct tn_error *err)
{
	const struct tn_selection *s = &c->side[side];
	const struct tn_scan_options *o = s->options;
	struct tn_slices_of *t = &c->time[side];
	enum tn_code rc = tn_set_time_range(s->set, &t->begin_ns, &t->end_ns, err);
	uint64_t length;

	t->has_time = false;
	t->length_s = 0;
	if (rc != TN_OK)
		return rc < 0 ? rc : TN_OK;
	if (o && o->has_begin && o->begin_ns > t->begin_ns)
		t->begin_ns = o->begin_ns;
	if (o && o->has_end && o->end_ns < t->end_ns)
		t->end_ns = o->end_ns;
	if (t->end_ns < t->begin_ns)
		return TN_OK;
	length = (uint64_t)t->end_ns - (uint64_t)t->begin_ns;
	if (length / (TN_COMPARE_BLOCKS - 1) > INT64_MAX / 2 || t->begin_ns < INT64_MIN / 2)
		return TN_OK;	/* the times are not real, so there are no slices */
	t->has_time = true;
	t->step_ns = (int64_t)(length / (TN_COMPARE_BLOCKS - 1)) + 1;
	t->first_ns = t->begin_ns - (t->begin_ns % t->step_ns + t->step_ns) % t->step_ns;
	t->length_s = outside_hole(s, t->begin_ns, t->end_ns) / 1e9;
	for (size_t i = 0; i < TN_COMPARE_BLOCKS; i++) {
		int64_t from, to;

		if (__builtin_add_overflow(t->first_ns, (int64_t)i * t->step_ns, &from) ||
		    __builtin_add_overflow(from, t->step_ns, &to))
			from = to = t->end_ns;
		from = from < t->begin_ns ? t->begin_ns : from;
		to = to > t->end_ns ? t->end_ns : to;
		t->weight[i] = t->length_s > 0 ? outside_hole(s, from, to) / 1e9 / t->length_s : 0;
	}
	return TN_OK;
}

/* ---- scans ---- */

/* The caller's callbacks, together with the streams that lost events. */
struct watch {
	struct tn_compare *c;
	size_t side;
	const struct tn_scan_options *options;	/* options of the caller; or NULL */
	bool is_first;		/* later scans of the same events do not report the notices again */
	bool failed;
};

static int
on_notice(void *user, const struct tn_row *row)
{
	struct watch *w = user;
	const struct tn_stream_class *class = row->stream->stream_class;
	const struct tn_stream_class **at = NULL;
	size_t i = 0;

	while (i < w->c->losers.n && w->c->losers.item[i] != class)
		i++;
	if (row->kind != TN_ROW_BREAK && i == w->c->losers.n) {
		at = TN_ARRAY_ADD(&w->c->losers);
		w->failed |= !at;
		if (at)
			*at = class;
	}
	return w->options && w->options->notice ? w->options->notice(w->options->user, row) : 0;
}

static enum tn_code
watch_options(struct watch *w, struct tn_scan_options *out, struct tn_error *err)
{
	enum tn_code rc;

	*out = (struct tn_scan_options) { TN_SCAN_OPTIONS };
	w->options = w->c->side[w->side].options;
	rc = tn_options_take(out, sizeof *out, w->options, "tn_scan_options", err);
	out->notice = w->is_first ? on_notice : NULL;
	tn_answer_with(out, w);
	return rc;
}

/* ---- events ---- */

/* Group one side by "KEY, time/STEP". */
static enum tn_code
run_groups(struct tn_compare *c, size_t side, const char *key, bool by_time, bool is_first, struct tn_groups **out,
	   struct tn_error *err)
{
	struct watch w = { .c = c, .side = side, .is_first = is_first };
	struct tn_str by = { 0 };
	struct tn_scan_options options;
	enum tn_code rc;

	*out = NULL;
	tn_str_printf(&by, by_time ? "%s, time/%" PRId64 "ns" : "%s", key, c->time[side].step_ns);
	rc = by.failed ? tn_fail_memory(err) : tn_groups_new(out, c->side[side].set, by.text, "count", err);
	tn_str_release(&by);
	if (rc == TN_OK)
		rc = watch_options(&w, &options, err);
	if (rc == TN_OK)
		rc = tn_groups_run(*out, &options, err);
	return rc == TN_OK && w.failed ? tn_fail_memory(err) : rc;
}

static uint64_t
number(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_UINT ? v->is.u : 0;
}

static void
count(struct tn_compare *c, struct tn_item *item, size_t side, const struct tn_answer_value *v, bool by_time)
{
	struct tn_item_side *on = &item->side[side];
	uint64_t n = number(&v[by_time ? 2 : 1]);
	size_t slice = by_time ? tn_slice_at(&c->time[side], v[1].is.i) : 0;

	on->count += n;
	on->slice[slice] = n > UINT32_MAX - on->slice[slice] ? UINT32_MAX : on->slice[slice] + (uint32_t)n;
}

static enum tn_code
count_events(struct tn_compare *c, size_t side, struct tn_error *err)
{
	const bool by_time = c->time[side].has_time;
	const struct tn_answer_value *v;
	struct tn_groups *groups;
	enum tn_code rc = run_groups(c, side, "name", by_time, true, &groups, err);
	bool is_rest = false;

	for (size_t i = 0; rc == TN_OK && (v = tn_groups_row(groups, i, &is_rest)); i++) {
		struct tn_item *item;

		c->items.is_cut |= is_rest;
		if (v->kind != TN_ANSWER_TEXT || is_rest)
			continue;
		item = tn_items_get(&c->items, TN_COMPARE_EVENT, 0, v->text, v->n, true);
		if (!item)
			rc = tn_fail_memory(err);
		else
			count(c, item, side, v, by_time);
		c->events[side] += number(&v[by_time ? 2 : 1]);
	}
	tn_groups_free(groups);
	return rc;
}

/* Mark the classes of streams that lost events. */
static void
doubt_events(struct tn_compare *c)
{
	for (size_t side = 0; side < 2; side++) {
		const struct tn_set *set = c->side[side].set;

		for (size_t t = 0; t < set->n_traces && c->losers.n; t++)
			for (size_t i = 0; i < tn_trace_event_class_count(set->trace[t]); i++) {
				const struct tn_event_class *ec = tn_trace_event_class(set->trace[t], i);
				struct tn_item *item = ec->name ? tn_items_get(&c->items, TN_COMPARE_EVENT, 0, ec->name,
									       strlen(ec->name), false) : NULL;

				for (size_t k = 0; item && k < c->losers.n; k++)
					item->side[side].is_doubtful |= c->losers.item[k] == ec->stream_class;
			}
	}
}

/* ---- values ---- */

/* Make the name "FIELD == VALUE". */
static void
value_name(struct tn_str *out, const char *field, const struct tn_answer_value *v)
{
	tn_str_clear(out);
	tn_str_printf(out, "%s == ", field);
	tn_answer_value_json(v, out);
}

static enum tn_code
list_values(struct tn_compare *c, size_t side, uint32_t field, struct tn_str *name, struct tn_error *err)
{
	const struct tn_answer_value *v;
	struct tn_groups *groups;
	enum tn_code rc = run_groups(c, side, c->fields.item[field], false, false, &groups, err);
	size_t n = rc == TN_OK ? tn_groups_count(groups) : 0;
	bool is_rest = false;

	if (rc == TN_OK && n > TN_ITEMS_VALUES) {
		c->items.more_values += n - TN_ITEMS_VALUES;
		c->items.is_cut = true;
		rc = tn_groups_top(groups, 1, true, TN_ITEMS_VALUES, err);
	}
	for (size_t i = 0; rc == TN_OK && (v = tn_groups_row(groups, i, &is_rest)); i++) {
		struct tn_item *item;

		if (is_rest)
			continue;
		value_name(name, c->fields.item[field], v);
		item = name->failed ? NULL : tn_items_get(&c->items, TN_COMPARE_VALUE, field, name->text, name->n, true);
		if (!item) {
			rc = tn_fail_memory(err);
			break;
		}
		if (item->value.kind != TN_ANSWER_NONE)
			continue;
		item->value = *v;
		if (v->kind == TN_ANSWER_TEXT) {
			char *text = tn_arena_alloc(&c->items.arena, v->n + 1);

			if (!text)
				rc = tn_fail_memory(err);
			else
				item->value.text = memcpy(text, v->text, v->n);
		}
	}
	tn_groups_free(groups);
	return rc == TN_ERR_ARGUMENT ? TN_OK : rc;	/* a side may lack the field, if the other side has it */
}

static enum tn_code
count_values(struct tn_compare *c, size_t side, uint32_t field, struct tn_str *name, struct tn_error *err)
{
	const bool by_time = c->time[side].has_time;
	const struct tn_answer_value *v;
	struct tn_groups *groups;
	enum tn_code rc = run_groups(c, side, c->fields.item[field], by_time, false, &groups, err);
	bool is_rest;

	for (size_t i = 0; rc == TN_OK && (v = tn_groups_row(groups, i, &is_rest)); i++) {
		struct tn_item *item;

		value_name(name, c->fields.item[field], v);
		item = is_rest || name->failed ? NULL :
		       tn_items_get(&c->items, TN_COMPARE_VALUE, field, name->text, name->n, false);
		if (item)
			count(c, item, side, v, by_time);
	}
	tn_groups_free(groups);
	return rc == TN_ERR_ARGUMENT ? TN_OK : rc;
}

/* ---- spans ---- */

struct reader {
	struct watch watch;	/* first member: the callbacks get its address */
	struct tn_compare *c;
	size_t side;
	uint32_t *number;	/* number of each definition in the comparison, by its number on this side */
	const struct tn_spans *spans;
	struct tn_hash seen;	/* index of the item, by the address of the name and the definition */
};

static struct tn_item *
item_of(struct reader *r, const struct tn_span *span)
{
	const uint64_t key = (uint64_t)(uintptr_t)span->name ^ (uint64_t)span->definition << 52;
	const bool is_named = r->spans->definition.item[span->definition].is_named;
	struct tn_hash_item *at = is_named ? NULL : tn_hash_find_u64(&r->seen, key);
	struct tn_item *item;
	bool is_new;

	if (at)
		return at->pointer;
	item = tn_items_get(&r->c->items, TN_COMPARE_SPAN, r->number[span->definition], span->name, strlen(span->name), true);
	/* Only the addresses of class names are constant, so only items with these names can be cached. */
	if (!item || is_named)
		return item;
	at = tn_hash_add_u64(&r->seen, key, &is_new);
	if (at)
		at->pointer = item;
	return at ? item : NULL;
}

static int
on_span(void *user, const struct tn_span *span)
{
	struct reader *r = user;
	struct tn_item *item = item_of(r, span);

	if (!item) {
		r->watch.failed = true;
		return 1;
	}
	if (span->state == TN_SPAN_DOUBTFUL || span->is_unsure)
		item->side[r->side].is_doubtful = true;
	if (span->state != TN_SPAN_CLOSED || !span->has_duration || span->duration_ns < 0)
		return 0;
	r->watch.failed |= !tn_items_add_span(&r->c->items, item, r->side, tn_slice_at(&r->c->time[r->side], span->begin_ns),
					      (uint64_t)span->duration_ns);
	return r->watch.failed;
}

static enum tn_code
propose(struct tn_compare *c, size_t side, struct tn_error *err)
{
	struct watch w = { .c = c, .side = side };
	struct tn_scan_options options;
	struct tn_pairs *pairs = NULL;
	enum tn_code rc = tn_pairs_new(&pairs, c->side[side].set, err);

	if (rc == TN_OK)
		rc = watch_options(&w, &options, err);
	if (rc == TN_OK)
		rc = tn_pairs_look(pairs, &options, err);
	for (size_t i = 0; rc == TN_OK && i < tn_pairs_met(pairs); i++)
		if (!add_definition(c, tn_pairs_definition(pairs, i)))
			rc = tn_fail_memory(err);
	tn_pairs_free(pairs);
	return rc;
}

static enum tn_code
read_spans(struct tn_compare *c, size_t side, struct tn_error *err)
{
	struct reader r = { .watch = { .c = c, .side = side }, .c = c, .side = side };
	const struct tn_span_wish wish = { .no_values = true };
	struct tn_span_counts counts;
	struct tn_scan_options options;
	struct tn_spans *spans = NULL;
	size_t n = 0;
	enum tn_code rc = tn_spans_new(&spans, c->side[side].set, err);

	r.number = calloc(c->definitions.n + 1, sizeof *r.number);
	if (!r.number && rc == TN_OK)
		rc = tn_fail_memory(err);
	for (size_t i = 0; rc == TN_OK && i < c->definitions.n; i++) {
		rc = tn_spans_add(spans, c->definitions.item[i], err);
		if (rc == TN_OK)
			r.number[n++] = (uint32_t)i;
		else if (rc == TN_ERR_ARGUMENT)
			rc = TN_OK;	/* this side does not have the definition's events */
	}
	if (rc == TN_OK)
		rc = watch_options(&r.watch, &options, err);
	r.spans = spans;
	if (rc == TN_OK && n)
		rc = tn_spans_run_some(spans, &options, &wish, on_span, &r, &counts, err);
	if (r.watch.failed)
		rc = tn_fail_memory(err);
	tn_hash_release(&r.seen);
	free(r.number);
	tn_spans_free(spans);
	return rc;
}

/* ---- all ---- */

static enum tn_code
read_all(struct tn_compare *c, struct tn_error *err)
{
	struct tn_str name = { 0 };
	enum tn_code rc = TN_OK;

	for (size_t side = 0; rc == TN_OK && side < 2; side++) {
		rc = find_time(c, side, err);
		if (rc == TN_OK)
			rc = count_events(c, side, err);
	}
	if (rc == TN_OK)
		doubt_events(c);
	for (size_t side = 0; rc == TN_OK && side < 2 && !c->is_defined; side++)
		rc = propose(c, side, err);
	for (size_t side = 0; rc == TN_OK && side < 2; side++)
		rc = read_spans(c, side, err);
	for (uint32_t field = 0; rc == TN_OK && field < c->fields.n; field++) {
		for (size_t side = 0; rc == TN_OK && side < 2; side++)
			rc = list_values(c, side, field, &name, err);
		for (size_t side = 0; rc == TN_OK && side < 2; side++)
			rc = count_values(c, side, field, &name, err);
	}
	tn_str_release(&name);
	return rc;
}

static enum tn_code
read_anew(void *user, struct tn_error *err)
{
	struct tn_compare *c = user;
	enum tn_code rc;

	forget(c);
	rc = read_all(c, err);
	return rc == TN_OK ? tn_compare_make_rows(c, err) : rc;
}

/* ---- stored comparisons ---- */

static void
move_row(struct tn_moving *m, struct tn_compare_row *r)
{
	r->what = (enum tn_compare_what)tn_move_choice(m, r->what, TN_COMPARE_VALUE + 1);
	r->name = tn_move_text(m, r->name);
	r->definition = tn_move_text(m, r->definition);
	r->field = tn_move_text(m, r->field);
	r->value = tn_move_value(m, r->value);
	for (size_t i = 0; i < 2; i++) {
		struct tn_compared *x = &r->side[i];

		x->count = tn_move_word(m, x->count);
		x->has_rate = tn_move_choice(m, x->has_rate, 2);
		x->rate = tn_move_real(m, x->rate);
		x->has_durations = tn_move_choice(m, x->has_durations, 2);
		x->total_ns = tn_move_word(m, x->total_ns);
		x->max_ns = tn_move_word(m, x->max_ns);
		x->p50_ns = tn_move_word(m, x->p50_ns);
		x->p90_ns = tn_move_word(m, x->p90_ns);
		x->p99_ns = tn_move_word(m, x->p99_ns);
		x->is_doubtful = tn_move_choice(m, x->is_doubtful, 2);
	}
	r->measure = (enum tn_compare_measure)tn_move_choice(m, r->measure, TN_COMPARE_P99 + 1);
	r->has_values = tn_move_choice(m, r->has_values, 2);
	r->first = tn_move_real(m, r->first);
	r->second = tn_move_real(m, r->second);
	r->changed = tn_move_real(m, r->changed);
	r->probability = tn_move_real(m, r->probability);
	r->verdict = (enum tn_compare_verdict)tn_move_choice(m, r->verdict, TN_COMPARE_NOISE + 1);
	m->in.bad |= !r->name || (r->what == TN_COMPARE_SPAN) != (r->definition != NULL) ||
		     (r->what == TN_COMPARE_VALUE) != (r->field != NULL);
}

static void
move_answer(void *user, struct tn_moving *m)
{
	struct tn_compare *c = user;
	size_t n = tn_move_count(m, c->rows.n, 33);

	c->items.is_cut = tn_move_choice(m, c->items.is_cut, 2);
	for (size_t i = 0; i < n && !m->in.bad && !m->failed; i++) {
		struct tn_compare_result *r = i < c->rows.n ? &c->rows.item[i] : TN_ARRAY_ADD(&c->rows);

		m->failed |= !r;
		if (r)
			move_row(m, &r->row);
	}
}

/* Find the types whose labels the values of the fields may have. */
static bool
find_types(struct tn_compare *c, struct tn_types *types)
{
	bool no_memory = false;

	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < c->fields.n && !no_memory; i++) {
			struct tn_groups *groups;
			struct tn_error err;

			if (tn_groups_new(&groups, c->side[side].set, c->fields.item[i], "count", &err) < 0)
				continue;
			for (size_t k = 0; k < groups->classes.n && !no_memory; k++)
				no_memory = !tn_types_add(types, tn_take_labels(&groups->keys.item[0], k, &no_memory));
			tn_groups_free(groups);
		}
	return !no_memory;
}

enum tn_code
tn_compare_run(struct tn_compare *c, struct tn_error *err)
{
	struct tn_types types = { 0 };
	struct tn_str question = { 0 };
	struct tn_stored_question q = { .side = c ? c->side : NULL, .n = 2, .text = &question, .types = &types, .user = c,
				      .read = read_anew, .move = move_answer };
	enum tn_code rc;

	if (!c)
		return tn_fail_null(err);
	forget(c);
	q.arena = &c->items.arena;
	for (size_t i = 0; i < c->definitions.n && c->is_defined; i++)
		tn_stored_say(&question, "span", c->definitions.item[i]);
	for (size_t i = 0; i < c->fields.n; i++)
		tn_stored_say(&question, "value", c->fields.item[i]);
	rc = question.failed || !find_types(c, &types) ? tn_fail_memory(err) : tn_stored_answer(&q, err);
	tn_str_release(&question);
	TN_ARRAY_RELEASE(&types.type);
	if (rc != TN_OK)
		forget(c);
	return rc;
}

bool
tn_compare_is_cut(const struct tn_compare *c)
{
	return c && c->items.is_cut;
}
