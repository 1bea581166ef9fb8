/* answers_compare_run.c - the jobs of comparisons and of "why" questions */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/compare.h>

#include "answers.h"
#include "gettext.h"
#include "screen/side_by_side.h"
#include "session/naming.h"

#define CELLS TN_COMPARE_COLUMNS	/* limit of columns in both kinds of tables */

/* ---- the other trace ---- */

bool
answers_ask_other(struct answer_request *ask, const struct session *s)
{
	const struct answer_wish *w = &s->answers.wish;

	ask->text = s->settings.text;
	ask->condition = conditions_copy(s->asks.condition, s->asks.n_conditions, 0);
	ask->n_conditions = ask->condition ? s->asks.n_conditions : 0;
	ask->other_path = w->other ? strdup(w->other) : NULL;
	if (w->other && s->answers.other && strcmp(s->answers.other_path, w->other) == 0)
		ask->other = opened_get(s->answers.other);
	return ask->condition && (!w->other || ask->other_path);
}

void
answers_keep_other(struct session *s, struct answer_request *ask)
{
	if (!ask->other || ask->other == s->answers.other)
		return;
	opened_put(s->answers.other);
	free(s->answers.other_path);
	s->answers.other = ask->other;
	s->answers.other_path = ask->other_path;
	ask->other = NULL;
	ask->other_path = NULL;
}

void
answers_put_range(struct tn_str *out, const char *begin, const char *end, const struct bounds *range)
{
	tn_str_printf(out, "%s >= @%" PRId64 " and %s <= @%" PRId64, begin, range->begin_ns, end, range->end_ns);
}

enum tn_code
answers_open_other(struct job *job)
{
	struct answer_request *ask = job->data;
	struct tn_str rest = { 0 };
	struct tn_set *set;
	enum tn_code rc;

	if (ask->other_path && !ask->other) {
		rc = ask->options->open(ask->options->user, ask->other_path, &set, &job->error);
		if (rc != TN_OK)
			return rc;
		ask->other = opened_new(set, true);
		if (!ask->other) {
			tn_set_close(set);
			return TN_ERR_MEMORY;
		}
		if (naming_wants_functions(job->q.opened->naming))
			naming_functions(ask->other->naming, set, ask->options);
	}
	if (answers_of_two_selections(ask->kind) && !ask->other && !ask->part[1].has_begin) {
		tn_str_puts(&rest, "not (");
		answers_put_range(&rest, "time", "time", &ask->part[0]);
		tn_str_puts(&rest, ")");
	}
	rc = query_new(&ask->other_query, ask->other ? ask->other->set : job->q.set, &ask->text, ask->condition, ask->n_conditions,
		       rest.text ? rest.text : ask->kind == ANSWER_LINES ? ask->where : NULL, true, &job->error);
	tn_str_release(&rest);
	return rc;
}

struct tn_set *
answers_set(const struct job *job)
{
	const struct answer_request *ask = job->data;

	return ask->other && !answers_of_two_selections(ask->kind) ? ask->other->set : job->q.set;
}

struct tn_scan_options
answers_options(struct job *job)
{
	const struct answer_request *ask = job->data;
	struct tn_scan_options o = job_scan_options(job);

	if (ask->other_query) {
		o.filter = ask->other_query->filter;
		o.text = ask->other_query->text;
	}
	if (ask->other)		/* the other trace has its own clock */
		o.has_begin = o.has_end = false;
	return o;
}

/* ---- tables ---- */

static const struct tn_table_options usual;

/*
 * Take the text columns in their order. The column with the heading @last, and columns of names, come last, because they
 * may be long.
 */
static size_t
take_columns(struct table *t, const struct tn_table *form, const char *last, const char *without, size_t column[CELLS])
{
	size_t n = 0;

	for (int at_end = 0; at_end < 2; at_end++)
		for (size_t i = 0; i < tn_table_column_count(form); i++) {
			const struct tn_table_column *c = tn_table_column(form, i);
			bool is_long = strcmp(c->name, last) == 0 || c->flags & TN_COLUMN_NAMED;

			if (c->flags & TN_COLUMN_NO_TEXT || strcmp(c->name, without) == 0 || is_long != (at_end != 0))
				continue;
			column[n++] = i;
			table_column(t, c->heading ? c->heading : c->name, TN_COLUMN_BRIEF | (c->flags & TN_COLUMN_RIGHT), c->unit);
		}
	return n;
}

static struct answer_row *
take_row(struct table *t, const size_t column[CELLS], size_t n, const struct tn_answer_value *v, const char *definition,
	 const char *condition)
{
	struct answer_row *r = table_row(t);

	if (!r) {
		t->failed = true;
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		table_value(t, r, i, &v[column[i]]);
	r->definition = definition ? strdup(definition) : NULL;
	r->condition = condition ? strdup(condition) : NULL;
	t->failed |= (definition && !r->definition) || (condition && !r->condition);
	return r;
}

/* ---- the jobs ---- */

static void
limit(struct tn_scan_options *o, const struct bounds *range)
{
	if (!range->has_begin)
		return;
	o->begin_ns = o->has_begin && o->begin_ns > range->begin_ns ? o->begin_ns : range->begin_ns;
	o->end_ns = o->has_end && o->end_ns < range->end_ns ? o->end_ns : range->end_ns;
	o->has_begin = o->has_end = true;
}

/* Make the condition `name == "..."` for an event class or spans. */
static char *
name_is(const char *name)
{
	const struct tn_answer_value v = tn_answer_text(name);
	struct tn_str text = { 0 };

	tn_str_puts(&text, "name == ");
	tn_answer_value_json(&v, &text);
	return text.text;
}

static enum tn_code
take_differences(struct answer_request *ask, const struct tn_compare *compare, struct tn_error *err)
{
	struct tn_answer_value v[CELLS];
	struct tn_str room = { 0 };
	struct tn_table *form = NULL;
	struct tn_compare_row row;
	size_t column[CELLS], n = 0;
	enum tn_code rc = tn_table_new(&form, &usual, err);

	if (rc == TN_OK)
		rc = tn_compare_add_columns(form, err);
	if (rc == TN_OK)
		n = take_columns(&ask->table, form, "name", "difference", column);
	for (size_t i = 0; rc == TN_OK && i < ROWS_MAX && tn_compare_row(compare, i, &row); i++) {
		char *name = name_is(row.name);

		tn_compare_values(v, &row, TN_TABLE_TEXT, &room);
		take_row(&ask->table, column, n, v, row.definition, row.what == TN_COMPARE_VALUE ? row.name : name);
		ask->sure += row.verdict == TN_COMPARE_SURE;
		free(name);
	}
	ask->table.all = tn_compare_count(compare);
	tn_str_release(&room);
	tn_table_free(form);
	return rc;
}

bool
answers_of_two_selections(enum answer_kind kind)
{
	return kind == ANSWER_DIFF || kind == ANSWER_SEQUENCE;
}

struct sides {
	struct tn_scan_options scan[2];
	struct tn_selection side[2];
};

/* Get the two selections, which point into @out. */
static void
take_sides(struct job *job, struct sides *out)
{
	const struct answer_request *ask = job->data;
	const bool rest = !ask->other && !ask->part[1].has_begin;

	*out = (struct sides) { .scan = { job_scan_options(job), answers_options(job) } };
	out->side[0] = (struct tn_selection) { TN_SELECTION, .set = job->q.set, .options = &out->scan[0] };
	out->side[1] = (struct tn_selection) {
		TN_SELECTION, .set = ask->other ? ask->other->set : job->q.set, .options = &out->scan[1], .has_hole = rest,
		.hole_begin_ns = ask->part[0].begin_ns, .hole_end_ns = ask->part[0].end_ns,
	};
	for (size_t i = 0; i < 2 && !ask->other; i++)
		limit(&out->scan[i], &ask->part[i]);
}

enum tn_code
diff_run(struct job *job)
{
	struct answer_request *ask = job->data;
	struct sides sides;
	struct tn_compare *compare;
	enum tn_code rc;

	take_sides(job, &sides);
	rc = tn_compare_new(&compare, &sides.side[0], &sides.side[1], &job->error);
	if (rc == TN_OK)
		rc = tn_compare_run(compare, &job->error);
	if (rc == TN_OK)
		rc = take_differences(ask, compare, &job->error);
	if (rc == TN_OK && tn_compare_is_cut(compare))
		ask->remark = strdup(_("not all spans or values fit into memory: a filter or a range selects fewer"));
	tn_compare_free(compare);
	return rc == TN_OK && ask->table.failed ? TN_ERR_MEMORY : rc;
}

static enum tn_code
take_pairs(struct answer_request *ask)
{
	static const char *const heading[] = { N_("first"), N_("second") };
	struct table *t = &ask->table;
	struct tn_sequence_pair pair;

	for (size_t side = 0; side < 2; side++) {
		table_column(t, _(heading[side]), TN_COLUMN_BRIEF, TN_GROUP_NUMBER);
		table_column(t, _("name"), TN_COLUMN_BRIEF, TN_GROUP_NUMBER);
		table_column(t, _("events"), TN_COLUMN_RIGHT, TN_GROUP_NUMBER);
	}
	table_column(t, _("equal"), TN_COLUMN_RIGHT, TN_GROUP_NUMBER);
	table_column(t, _("paired"), 0, TN_GROUP_NUMBER);
	for (size_t i = 0; i < ROWS_MAX && !t->failed && tn_sequence_pair(ask->sequence, i, &pair); i++) {
		struct answer_row *r = table_row(t);
		struct tn_answer_value v;

		if (!r)
			return TN_ERR_MEMORY;
		for (size_t side = 0; side < 2; side++) {
			table_text(t, r, 3 * side, pair.value[side] ? pair.value[side] : "");
			table_text(t, r, 3 * side + 1, pair.name[side] ? pair.name[side] : "");
			v = tn_answer_number(pair.value[side] != NULL, (int64_t)pair.count[side]);
			table_value(t, r, 3 * side + 2, &v);
		}
		v = tn_answer_number(pair.value[0] && pair.value[1], (int64_t)pair.equal);
		table_value(t, r, 6, &v);
		table_text(t, r, 7, _(side_by_side_pairing(pair.by)));
		r->condition = tn_sequence_definition(ask->sequence, &pair);
	}
	return t->failed ? TN_ERR_MEMORY : TN_OK;
}

enum tn_code
sequence_run(struct job *job)
{
	struct answer_request *ask = job->data;
	struct sides sides;
	struct tn_sequence_totals totals;
	enum tn_code rc;

	take_sides(job, &sides);
	rc = tn_sequence_new(&ask->sequence, &sides.side[0], &sides.side[1], ask->by, &job->error);
	if (rc == TN_OK)
		rc = tn_sequence_run(ask->sequence, &job->error);
	if (rc != TN_OK)
		return rc;
	tn_sequence_totals(ask->sequence, &totals);
	if (totals.is_approximate)
		ask->remark = strdup(_("there are too many differences for the best alignment: where they part is exact"));
	else if (totals.more[0] || totals.more[1])
		ask->remark = strdup(_("not all events fit into memory: a filter or a range selects fewer"));
	if (!totals.is_aligned) {
		rc = take_pairs(ask);
		tn_sequence_free(ask->sequence);
		ask->sequence = NULL;
	}
	return rc;
}

/* The definition of the compared spans, including the condition of the table. */
char *
answers_definition_where(const char *spans, const char *where)
{
	const char *own = tn_condition_find_word(spans, "where");
	char *all;

	if (!*where)
		return strdup(spans);
	if (asprintf(&all, own ? "%.*s where (%s) and (%s)" : "%.*s where %s%s",
		     own ? (int)(own - spans) : (int)strlen(spans), spans, own ? own + strlen(" where") : "", where) < 0)
		return NULL;
	return all;
}

static enum tn_code
take_findings(struct answer_request *ask, const struct tn_why *why, struct tn_error *err)
{
	struct tn_answer_value v[CELLS];
	struct tn_str room = { 0 };
	struct tn_table *form = NULL;
	struct tn_why_finding f;
	size_t column[CELLS], n = 0;
	enum tn_code rc = tn_table_new(&form, &usual, err);

	if (rc == TN_OK)
		rc = tn_why_add_columns(form, false, err);
	if (rc == TN_OK)
		n = take_columns(&ask->table, form, "value", "", column);
	for (size_t i = 0; rc == TN_OK && tn_why_finding(why, i, &f); i++) {
		tn_why_values(v, &f, TN_TABLE_TEXT, ask->table.text, &room);
		take_row(&ask->table, column, n, v, f.definition, f.condition);
		ask->sure += f.verdict == TN_COMPARE_SURE;
	}
	tn_str_release(&room);
	tn_table_free(form);
	return rc;
}

static void
remark(struct answer_request *ask, const struct tn_why *why)
{
	char text[200];

	if (tn_why_selected(why) && tn_why_rest(why))
		return;
	snprintf(text, sizeof text, _("%ju of %ju are selected: there is nothing to compare them with"),
		 (uintmax_t)tn_why_selected(why), (uintmax_t)(tn_why_selected(why) + tn_why_rest(why)));
	ask->remark = strdup(text);
}

enum tn_code
why_run(struct job *job)
{
	struct answer_request *ask = job->data;
	const struct tn_scan_options scan = job_scan_options(job);
	const struct tn_selection selection = { TN_SELECTION, .set = job->q.set, .options = &scan };
	char *definition = *ask->spans ? answers_definition_where(ask->spans, ask->where) : NULL;
	struct tn_why *why = NULL;
	enum tn_code rc = *ask->spans && !definition ? TN_ERR_MEMORY :
			  tn_why_new(&why, &selection, definition, ask->why ? ask->why : "", &job->error);

	if (rc == TN_OK)
		rc = tn_why_run(why, &job->error);
	if (rc == TN_OK) {
		rc = take_findings(ask, why, &job->error);
		remark(ask, why);
	}
	tn_why_free(why);
	free(definition);
	return rc == TN_OK && ask->table.failed ? TN_ERR_MEMORY : rc;
}

static int
take_lines(void *user, const char *text, size_t n)
{
	struct answer_request *ask = ((struct job *)user)->data;

	for (const char *end; n && (end = memchr(text, '\n', n)); n -= (size_t)(end + 1 - text), text = end + 1) {
		const struct tn_answer_value v = { .kind = TN_ANSWER_TEXT, .text = text, .n = (size_t)(end - text) };
		struct answer_row *r = table_row(&ask->table);

		if (r)
			table_value(&ask->table, r, 0, &v);
		ask->table.failed |= !r;
	}
	return ask->table.failed;
}

enum tn_code
lines_run(struct job *job)
{
	struct answer_request *ask = job->data;
	struct tn_scan_options scan = answers_options(job);
	enum tn_code rc;

	table_column(&ask->table, _("event"), 0, TN_GROUP_NUMBER);
	scan.lines = take_lines;
	scan.limit = ROWS_MAX;
	rc = tn_scan(ask->other->set, &scan, NULL, &job->error);
	if (ask->table.n >= ROWS_MAX)
		ask->remark = strdup(_("these are the first 10,000 events"));
	return rc == TN_OK && ask->table.failed ? TN_ERR_MEMORY : rc;
}
