/* groups.c - groups of events or spans with equal keys */
#include "group/groups.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "span/spans.h"
#include "base/error.h"
#include "base/messages.h"
#include "base/options.h"
#include "model/path.h"

/*
 * Limit for groups. Together with the index of rows and the memory for sorting, 1,000,000 numbers with a count need less
 * than 64 MiB.
 */
#define MOST_BYTES ((size_t)42 << 20)

/* ---- the question ---- */

struct reader {
	struct tn_groups *groups;
	const char *text, *at;
};

static enum tn_code
wrong(const struct reader *r, const char *at, const char *what, struct tn_error *err)
{
	return tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: %s", r->text, (size_t)(at - r->text) + 1, what);
}

static void
skip_blanks(struct reader *r)
{
	while (isspace((unsigned char)*r->at))
		r->at++;
}

static bool
is_same(const char *text, const char *from, size_t n)
{
	return text ? strlen(text) == n && memcmp(text, from, n) == 0 : !n;
}

/* Arguments with the same name and the same condition are one value of a row. */
static enum tn_code
argument(struct reader *r, const char *from, size_t n, const char *condition, size_t condition_n, size_t *out,
	 struct tn_error *err)
{
	struct tn_groups *g = r->groups;
	struct tn_group_condition *c;
	struct tn_take *take;
	enum tn_code rc;

	for (size_t i = 0; i < g->arguments.n; i++)
		if (is_same(g->arguments.item[i].name, from, n) &&
		    is_same(g->conditions.item[i].text, condition, condition_n)) {
			*out = i;
			return TN_OK;
		}
	if (condition_n && !g->spans)
		return wrong(r, condition, _("conditions in functions work only with spans: filter events with -f"), err);
	*out = g->arguments.n;
	take = TN_ARRAY_ADD(&g->arguments);
	c = TN_ARRAY_ADD(&g->conditions);
	if (!take || !c)
		return tn_fail_memory(err);
	rc = g->take(g, take, from, n, r->text, (size_t)(from - r->text) + 1, err);
	if (rc == TN_OK && take->bins.kind)
		return wrong(r, from, _("bins are keys (by), not arguments of functions"), err);
	if (rc < 0 || !condition_n)
		return rc;
	c->text = strndup(condition, condition_n);
	return c->text ? tn_span_where_new(&c->where, g->spans, NULL, c->text, err) : tn_fail_memory(err);
}

/*
 * Find the bracket that closes the one before @at. Brackets inside the condition, its texts and its regular expressions
 * are skipped. NULL: none.
 */
static const char *
find_close(const char *at)
{
	size_t depth = 0;
	bool after_tilde = false;	/* after =~, a regular expression follows */

	for (; *at && (depth || *at != ')'); at++) {
		size_t n = *at == '`' ? tn_path_name_length(at) : 0;

		if (*at == '"' || *at == '\'' || (*at == '/' && after_tilde)) {
			const char quote = *at++;

			while (*at && *at != quote)
				at += *at == '\\' && at[1] ? 2 : 1;
			if (!*at)
				return NULL;
		} else if (n) {
			at += n - 1;
		} else {
			depth += *at == '(';
			depth -= *at == ')';
		}
		after_tilde = *at == '~' || (after_tilde && isspace((unsigned char)*at));
	}
	return *at ? at : NULL;
}

/* Read "as NAME" after a key or an aggregate. */
static enum tn_code
read_name(struct reader *r, char **out, struct tn_error *err)
{
	const char *from;
	size_t n;

	skip_blanks(r);
	if (strncmp(r->at, "as", 2) != 0 || !isspace((unsigned char)r->at[2]))
		return TN_OK;
	r->at += 2;
	skip_blanks(r);
	from = r->at;
	n = strcspn(from, ", \t");
	if (!n)
		return wrong(r, from, _("a name is missing after `as`"), err);
	r->at += n;
	free(*out);
	*out = strndup(from, n);
	return *out ? TN_OK : tn_fail_memory(err);
}

/* The length up to one of @ends, outside of names in backticks. */
static size_t
length_before(const char *from, const char *ends)
{
	const char *at = from;

	while (*at && !strchr(ends, *at)) {
		size_t n = *at == '`' ? tn_path_name_length(at) : 0;

		at += n ? n : 1;
	}
	return (size_t)(at - from);
}

static enum tn_code
read_aggregate(struct reader *r, struct tn_error *err)
{
	struct tn_group_column *column = TN_ARRAY_ADD(&r->groups->columns);
	struct tn_aggregate *a = TN_ARRAY_ADD(&r->groups->aggregates);
	const char *from, *end, *close;
	enum tn_code rc;
	size_t n;

	if (!column || !a)
		return tn_fail_memory(err);
	skip_blanks(r);
	from = r->at;
	n = strcspn(from, "(, \t");
	r->at = from + n;
	skip_blanks(r);
	if (!tn_aggregate_find(a, from, n, *r->at == '('))
		return tn_aggregate_unknown(from, n, r->text, (size_t)(from - r->text) + 1, err);
	end = from + n;
	if (*r->at == '(') {
		const char *name = r->at + 1, *where;

		close = find_close(name);
		if (!close)
			return wrong(r, r->at, _("the ) of the function is missing"), err);
		while (isspace((unsigned char)*name))
			name++;
		for (end = close; end > name && isspace((unsigned char)end[-1]);)
			end--;
		if (end == name)
			return wrong(r, close, _("the name of a field is missing"), err);
		if (!a->type->takes_field)
			return wrong(r, r->at, _(a->type->no_field), err);
		where = tn_path_find_word(name, end, "where");
		where = where && where + 7 < end ? where : NULL;
		rc = argument(r, name, (size_t)((where ? where : end) - name), where ? where + 7 : end,
			      where ? (size_t)(end - where) - 7 : 0, &a->argument, err);
		if (rc < 0)
			return rc;
		end = r->at = close + 1;
	} else if (a->type->takes_field) {
		return wrong(r, r->at, _("a field is missing: write it in parentheses after the function"), err);
	}
	column->name = strndup(from, (size_t)(end - from));
	column->text = strndup(from, (size_t)(end - from));
	rc = column->name && column->text ? TN_OK : tn_fail_memory(err);
	return rc == TN_OK ? read_name(r, &column->name, err) : rc;
}

static enum tn_code
read_key(struct reader *r, struct tn_error *err)
{
	struct tn_take *take = TN_ARRAY_ADD(&r->groups->keys);
	enum tn_code rc;
	const char *from;
	size_t n;

	if (!take)
		return tn_fail_memory(err);
	skip_blanks(r);
	from = r->at;
	n = length_before(from, ", \t");
	if (!n)
		return wrong(r, from, _("the name of a field is missing"), err);
	r->at += n;
	rc = r->groups->take(r->groups, take, from, n, r->text, (size_t)(from - r->text) + 1, err);
	return rc == TN_OK ? read_name(r, &take->label, err) : rc;
}

static enum tn_code
read_list(struct tn_groups *g, const char *text, enum tn_code (*item)(struct reader *, struct tn_error *),
	  struct tn_error *err)
{
	struct reader r = { g, text, text };
	enum tn_code rc;

	for (;;) {
		rc = item(&r, err);
		if (rc < 0)
			return rc;
		skip_blanks(&r);
		if (!*r.at)
			return TN_OK;
		if (*r.at++ != ',')
			return wrong(&r, r.at - 1, _("expected a comma"), err);
	}
}

/* ---- making ---- */

static enum tn_code
take_of_events(struct tn_groups *g, struct tn_take *take, const char *name, size_t n, const char *what, size_t column,
	       struct tn_error *err)
{
	return tn_take_init(take, &g->classes, name, n, what, column, err);
}

/* Whether the value is a text in all events that have it. */
static bool
is_only_text(const struct tn_groups *g, const struct tn_take *take, bool *no_memory)
{
	bool some = false;

	for (size_t i = 0; i < g->classes.n; i++)
		if (tn_take_has(take, i, no_memory)) {
			if (!tn_take_is_text(take, i, no_memory))
				return false;
			some = true;
		}
	return some && !*no_memory;
}

static bool
is_text(const struct tn_groups *g, const struct tn_take *take, bool *no_memory)
{
	return g->spans ? tn_groups_is_text_of_spans(g, take, no_memory) : is_only_text(g, take, no_memory);
}

/* Whether the key is the logarithm of a time, which is not useful. */
static bool
is_log_of_time(const struct tn_groups *g, const struct tn_take *take)
{
	if (take->bins.kind != TN_BINS_LOG2)
		return false;
	return g->spans ? take->span_value == TN_SPAN_BEGIN || take->span_value == TN_SPAN_END : take->is_time;
}

/* Check that bins are only used for numbers. */
static enum tn_code
check_bins(const struct tn_groups *g, struct tn_error *err)
{
	bool no_memory = false;

	for (size_t i = 0; i < g->keys.n; i++)
		if (is_log_of_time(g, &g->keys.item[i]))
			return tn_fail(err, TN_ERR_ARGUMENT, "'%s': a time of day needs a step: write time/10ms",
				       g->keys.item[i].name);
		else if (g->keys.item[i].bins.kind && is_text(g, &g->keys.item[i], &no_memory))
			return tn_fail(err, TN_ERR_ARGUMENT, "'%s': its values are text, but bins need numbers",
				       g->keys.item[i].name);
	return no_memory ? tn_fail_memory(err) : TN_OK;
}

/* Check that aggregates of numbers are not applied to texts. */
static enum tn_code
check_numbers(const struct tn_groups *g, struct tn_error *err)
{
	bool no_memory = false;

	for (size_t i = 0; i < g->aggregates.n; i++) {
		const struct tn_aggregate *a = &g->aggregates.item[i];
		const struct tn_take *take;

		if (!a->type->numbers_only)
			continue;
		take = &g->arguments.item[a->argument];
		if (is_text(g, take, &no_memory))
			return tn_fail(err, TN_ERR_ARGUMENT, "'%s': '%s' is text: use count, distinct, first or "
				       "last", g->columns.item[i].text, take->name);
	}
	return no_memory ? tn_fail_memory(err) : TN_OK;
}

static enum tn_code
read_all(struct tn_groups *g, const char *by, const char *show, struct tn_error *err)
{
	enum tn_code rc = *by ? read_list(g, by, read_key, err) : TN_OK;

	if (rc == TN_OK)
		rc = check_bins(g, err);
	if (rc == TN_OK)
		rc = read_list(g, show, read_aggregate, err);
	if (rc == TN_OK)
		rc = check_numbers(g, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < g->keys.n; i++)
		if (g->keys.item[i].step_ns)
			g->step_ns = g->keys.item[i].step_ns;
	g->plan = (struct tn_group_table_plan) {
		.n_aggregates = g->aggregates.n, .n_arguments = g->arguments.n, .most_bytes = MOST_BYTES,
	};
	tn_group_table_lay_out(&g->plan, g->aggregates.item);
	g->only_counts = true;
	for (size_t i = 0; i < g->aggregates.n; i++)
		g->only_counts &= g->aggregates.item[i].type->is_count;
	g->piece_plan = g->plan;
	g->piece_plan.most_bytes = 0;
	tn_group_table_init(&g->all, &g->plan);
	return TN_OK;
}

/* The thread in a field often differs from the thread of the event: sched_waking has the woken thread. */
static enum tn_code
remark_field(struct tn_groups *g, const struct tn_take *key, struct tn_error *err)
{
	const struct tn_event_class *class = NULL;
	struct tn_str text = { 0 };
	bool some = false, no_memory = false;
	size_t n = 0;

	for (size_t i = 0; key->field && i < g->classes.n; i++) {
		bool field = tn_take_has_field(key, i);

		class = field && !class ? g->classes.item[i] : class;
		n += field;
		some |= !field && tn_take_has(key, i, &no_memory);
	}
	if (!class || key->is_either || g->remark)
		return TN_OK;
	if (some)
		tn_str_printf(&text, P_("'%s': for events without this attribute it is the field event.fields.%s: of %zu event "
					"class, %s", "'%s': for events without this attribute it is the field "
					"event.fields.%s: of %zu event classes, such as "
					"%s", n), key->name, key->name, n, class->name);
	else
		tn_str_printf(&text, _("'%s': no event has this attribute: it is the field event.fields.%s"), key->name,
			      key->name);
	g->remark = text.text;
	return text.failed ? tn_fail_memory(err) : TN_OK;
}

static enum tn_code
make(struct tn_groups **out, struct tn_set *set, const struct tn_spans *spans, const char *by, const char *show,
     struct tn_error *err)
{
	struct tn_groups *g = calloc(1, sizeof *g);
	enum tn_code rc = TN_OK;

	if (!g)
		return tn_fail_memory(err);
	g->set = set;
	g->spans = spans;
	g->take = spans ? tn_groups_take_of_spans : take_of_events;
	if (!spans)
		rc = tn_classes_init(&g->classes, set, err);
	if (rc == TN_OK)
		rc = read_all(g, by, show, err);
	for (size_t i = 0; rc == TN_OK && !spans && i < g->keys.n; i++)
		rc = remark_field(g, &g->keys.item[i], err);
	if (rc < 0) {
		tn_groups_free(g);
		return rc;
	}
	*out = g;
	return TN_OK;
}

enum tn_code
tn_groups_new(struct tn_groups **out, struct tn_set *set, const char *by, const char *show, struct tn_error *err)
{
	if (out)
		*out = NULL;
	if (!out || !set || !by || !show)
		return tn_fail_null(err);
	return make(out, set, NULL, by, show, err);
}

enum tn_code
tn_groups_of_spans(struct tn_groups **out, const struct tn_spans *spans, const char *by, const char *show,
		   struct tn_error *err)
{
	if (out)
		*out = NULL;
	if (!out || !spans || !spans->set || !by || !show)
		return tn_fail_null(err);
	return make(out, spans->set, spans, by, show, err);
}

void
tn_groups_free(struct tn_groups *g)
{
	if (!g)
		return;
	tn_group_table_release(&g->all);
	for (size_t i = 0; i < g->keys.n; i++)
		tn_take_release(&g->keys.item[i]);
	for (size_t i = 0; i < g->arguments.n; i++)
		tn_take_release(&g->arguments.item[i]);
	for (size_t i = 0; i < g->columns.n; i++)
		free(g->columns.item[i].name), free(g->columns.item[i].text);
	for (size_t i = 0; i < g->conditions.n; i++) {
		free(g->conditions.item[i].text);
		tn_span_where_free(g->conditions.item[i].where);
	}
	TN_ARRAY_RELEASE(&g->conditions);
	TN_ARRAY_RELEASE(&g->keys);
	TN_ARRAY_RELEASE(&g->arguments);
	TN_ARRAY_RELEASE(&g->aggregates);
	TN_ARRAY_RELEASE(&g->columns);
	free(g->row);
	free(g->value);
	free(g->labels);
	free(g->remark);
	tn_classes_release(&g->classes);
	free(g);
}

size_t
tn_groups_key_count(const struct tn_groups *g)
{
	return g ? g->keys.n : 0;
}

const char *
tn_groups_column(const struct tn_groups *g, size_t i)
{
	if (!g)
		return NULL;
	if (i < g->keys.n)
		return g->keys.item[i].label ? g->keys.item[i].label : g->keys.item[i].name;
	i -= g->keys.n;
	return i < g->columns.n ? g->columns.item[i].name : NULL;
}

const char *
tn_groups_key(const struct tn_groups *g, size_t key)
{
	return g && key < g->keys.n ? g->keys.item[key].name : NULL;
}

bool
tn_groups_has_steps(const struct tn_groups *g, size_t key)
{
	return g && key < g->keys.n && (g->keys.item[key].step_ns || g->keys.item[key].bins.kind);
}

bool
tn_groups_step(const struct tn_groups *g, size_t key, const struct tn_answer_value *value, struct tn_answer_value *from,
	       struct tn_answer_value *to)
{
	struct tn_bins steps;

	if (!tn_groups_has_steps(g, key) || value->kind == TN_ANSWER_NONE || value->kind == TN_ANSWER_TEXT)
		return false;
	steps = g->keys.item[key].bins;
	if (!steps.kind)
		steps = (struct tn_bins) { TN_BINS_STEP, (uint64_t)g->keys.item[key].step_ns, (double)g->keys.item[key].step_ns };
	tn_bin_limits(&steps, value, from, to);
	return true;
}

const char *
tn_groups_remark(const struct tn_groups *g)
{
	if (g && !g->remark && g->n_rows == 1 && g->keys.n == 1 && g->keys.item[0].bins.kind == TN_BINS_STEP)
		return _("all values are in one bin: write a smaller step after the /");
	return g ? g->remark : NULL;
}

static enum tn_group_unit
unit_of(const struct tn_take *take)
{
	if (!take->reference)
		switch (take->span_value) {
		case TN_SPAN_DURATION:
		case TN_SPAN_INSIDE:
		case TN_SPAN_ANY_DURATION: return TN_GROUP_DURATION;
		case TN_SPAN_BEGIN:
		case TN_SPAN_END:
		case TN_SPAN_TIME: return TN_GROUP_TIME;
		default: return TN_GROUP_NUMBER;
		}
	return take->reference->meaning.attribute == TN_ATTRIBUTE_TIME ? TN_GROUP_TIME
	       : take->reference->meaning.attribute == TN_ATTRIBUTE_DELTA ? TN_GROUP_DURATION : TN_GROUP_NUMBER;
}

enum tn_group_unit
tn_groups_unit(const struct tn_groups *g, size_t column)
{
	const struct tn_aggregate *a;

	if (g && column < g->keys.n)
		return unit_of(&g->keys.item[column]);
	if (!g || column - g->keys.n >= g->aggregates.n)
		return TN_GROUP_NUMBER;
	a = &g->aggregates.item[column - g->keys.n];
	return a->type->unit(a->type->takes_field ? unit_of(&g->arguments.item[a->argument]) : TN_GROUP_NUMBER);
}

/* ---- results ---- */

/*
 * Find how to show the numbers of a key: as in the first class that has it. If it is a boolean in some classes and a
 * number in others, it is shown as a plain number.
 */
static const struct tn_type *
find_labels(const struct tn_groups *g, const struct tn_take *key, bool *no_memory)
{
	const struct tn_type *found = NULL;
	bool truths = false, others = false;

	for (size_t c = 0; c < g->classes.n; c++) {
		const struct tn_type *t = tn_take_labels(key, c, no_memory);

		if (t && t->kind == TN_KIND_BOOL)
			truths = true;
		else
			others = others || t || tn_take_has(key, c, no_memory);
		found = found ? found : t;
	}
	return truths && others ? NULL : found;
}

static enum tn_code
list(struct tn_groups *g, struct tn_error *err)
{
	bool no_memory = false;

	free(g->row);
	free(g->value);
	g->n_rows = g->all.n + (g->all.others != NULL);
	g->row = calloc(g->n_rows + 1, sizeof *g->row);
	g->value = calloc(g->keys.n + g->columns.n + 1, sizeof *g->value);
	if (!g->labels)
		g->labels = calloc(g->keys.n + 1, sizeof *g->labels);
	if (!g->row || !g->value || !g->labels)
		return tn_fail_memory(err);
	tn_group_table_list(&g->all, g->row);
	if (g->all.others)
		g->row[g->all.n] = g->all.others;
	for (size_t i = 0; i < g->keys.n; i++)
		if (g->keys.item[i].reference)
			g->labels[i] = find_labels(g, &g->keys.item[i], &no_memory);
	return no_memory ? tn_fail_memory(err) : TN_OK;
}

enum tn_code
tn_groups_run(struct tn_groups *g, const struct tn_scan_options *options, struct tn_error *err)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	enum tn_code rc;

	if (!g || !g->set)
		return tn_fail_null(err);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc < 0)
		return rc;
	tn_group_table_clear(&g->all);
	g->without = 0;
	g->options = &o;
	rc = g->spans ? tn_groups_run_spans(g, &o, err) : tn_groups_run_events(g, &o, err);
	g->options = NULL;
	return rc == TN_OK ? list(g, err) : rc;
}

size_t
tn_groups_count(const struct tn_groups *g)
{
	return g ? g->n_rows : 0;
}

uint64_t
tn_groups_without(const struct tn_groups *g)
{
	return g ? g->without : 0;
}

struct tn_span_counts
tn_groups_span_counts(const struct tn_groups *g)
{
	return g ? g->span_counts : (struct tn_span_counts) { 0 };
}

bool
tn_groups_merged(const struct tn_groups *g, uint64_t *events)
{
	if (events)
		*events = g && g->all.others ? g->all.others->count : 0;
	return g && g->all.others != NULL;
}

uint64_t
tn_groups_dropped(const struct tn_groups *g)
{
	return g ? g->all.dropped : 0;
}

struct tn_answer_value
tn_groups_cell(const struct tn_groups *g, struct tn_group *group, size_t column)
{
	struct tn_answer_value v = { 0 };
	const uint64_t *w;

	if (column >= g->keys.n) {
		tn_group_value(&g->all, group, column - g->keys.n, g->step_ns, &v);
		return v;
	}
	if (group == g->all.others)
		return v;
	w = tn_group_key(&g->all, group);
	for (size_t i = 0; i <= column; i++)
		w = tn_unpack(w, &v);
	if (v.kind == TN_ANSWER_UINT || v.kind == TN_ANSWER_SINT)
		v.type = g->labels[column];
	return v;
}

const struct tn_answer_value *
tn_groups_row(struct tn_groups *g, size_t i, bool *is_rest)
{
	if (!g || i >= g->n_rows)
		return NULL;
	for (size_t c = 0; c < g->keys.n + g->columns.n; c++)
		g->value[c] = tn_groups_cell(g, g->row[i], c);
	if (is_rest)
		*is_rest = g->row[i] == g->all.others;
	return g->value;
}

bool
tn_groups_spread(struct tn_groups *g, size_t i, size_t column, uint64_t *part, size_t n)
{
	return g && part && n && i < g->n_rows && column >= g->keys.n && column - g->keys.n < g->columns.n &&
	       tn_group_spread(&g->all, g->row[i], column - g->keys.n, part, n);
}
