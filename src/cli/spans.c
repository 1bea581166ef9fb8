/* spans.c - the answer --spans: one span per line */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"

struct printer {
	struct answer answer;
	struct tn_spans *spans;
	/*
	 * CSV has one table with the columns of all definitions; other forms have one table for each definition. The
	 * first table belongs to the answer.
	 */
	struct tn_table **table;
	size_t n_tables;
	size_t *first;		/* for CSV: the first column of each definition's keys and fields */
	struct tn_answer_value *row;
	struct tn_span_sort by;
	bool sorts, has_hosts;	/* @has_hosts: lines show the host, as thread numbers are unique per host */
	uint64_t n;
};

/* The host of a span; "" if it is unknown. */
static const char *
host_of(const struct printer *p, const struct tn_span *s)
{
	const struct tn_stream *stream = tn_set_stream(p->answer.job->set, s->is_at_begin ? s->begin.stream : s->end.stream);
	const char *host = tn_stream_host(stream);

	return host ? host : "";
}

/* ---- tables ---- */

enum { NAME, BEGIN, END, DURATION, STATE, SHOWN_NAME, HOST, KEYS };	/* columns; keys, fields and JSON columns follow */

static size_t
count(const struct tn_spans *spans, size_t d, const char *(*of)(const struct tn_spans *, size_t, size_t))
{
	size_t n = 0;

	while (of(spans, d, n))
		n++;
	return n;
}

static void
add_values(struct answer *a, const struct tn_spans *spans, size_t d)
{
	const char *name;

	for (size_t i = 0; (name = tn_spans_key(spans, d, i)); i++)
		answer_column(a, (struct tn_table_column) {
			.name = name, .object = "key", .flags = TN_COLUMN_NAMED | TN_COLUMN_BRIEF_LABELS,
		});
}

static void
add_fields(struct answer *a, const struct tn_spans *spans, size_t d)
{
	const char *name;

	for (size_t i = 0; (name = tn_spans_captured(spans, d, i)); i++)
		answer_column(a, (struct tn_table_column) { .name = name, .flags = TN_COLUMN_NAMED | TN_COLUMN_BRIEF_LABELS });
}

/* Add the columns whose order in JSON differs from text and CSV. */
static void
add_json(struct printer *p, bool has_keys)
{
	const unsigned json = TN_COLUMN_NO_TEXT | TN_COLUMN_NO_CSV;

	if (!has_keys)	/* write an empty object */
		answer_column(&p->answer, (struct tn_table_column) {
			.name = "", .object = "key", .flags = json | TN_COLUMN_OPTIONAL,
		});
	answer_column(&p->answer, (struct tn_table_column) { .name = "state", .flags = json });
	if (p->has_hosts)
		answer_column(&p->answer, (struct tn_table_column) { .name = "host", .flags = json });
}

static void
add_common(struct printer *p)
{
	const unsigned no_host = p->has_hosts ? TN_COLUMN_NO_JSON :
				 TN_COLUMN_NO_TEXT | TN_COLUMN_NO_CSV | TN_COLUMN_NO_JSON;
	const struct tn_table_column common[] = {
		[NAME] = { .name = "name", .flags = TN_COLUMN_NO_TEXT },
		[BEGIN] = { .name = "begin", .unit = TN_GROUP_TIME, .width = 19 },
		[END] = { .name = "end", .unit = TN_GROUP_TIME, .width = 19 },
		[DURATION] = { .name = "duration", .unit = TN_GROUP_DURATION, .flags = TN_COLUMN_RIGHT, .width = 11 },
		[STATE] = { .name = "state", .flags = TN_COLUMN_NO_JSON, .width = 8 },
		[SHOWN_NAME] = { .name = "name", .flags = TN_COLUMN_NO_CSV | TN_COLUMN_NO_JSON | TN_COLUMN_BRIEF },
		[HOST] = { .name = "host", .flags = no_host | TN_COLUMN_NAMED | TN_COLUMN_BRIEF },
	};

	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		answer_column(&p->answer, common[i]);
}

/*
 * Make the table of definition @d, or a table of all definitions; it becomes p->answer's table. Returns 0 or the exit
 * status.
 */
static int
make_table(struct printer *p, size_t d, bool all)
{
	size_t n = all ? tn_spans_count(p->spans) : d + 1;
	int status = answer_table(&p->answer);

	if (status)
		return status;
	add_common(p);
	for (size_t i = d; i < n; i++) {
		p->first[i] = tn_table_column_count(p->answer.table);
		add_values(&p->answer, p->spans, i);
		if (!all)
			add_json(p, count(p->spans, i, tn_spans_key));
		add_fields(&p->answer, p->spans, i);
	}
	return answer_check_members(&p->answer);
}

static int
make_tables(struct printer *p)
{
	bool all = answer_form(&p->answer) == TN_TABLE_CSV;
	size_t most = 0, n = tn_spans_count(p->spans);
	int status = 0;

	p->first = calloc(n + 1, sizeof *p->first);
	p->table = calloc(n + 1, sizeof *p->table);
	for (size_t d = 0; p->first && p->table && !status && d < (all ? 1 : n); d++) {
		status = make_table(p, d, all);
		if (!status)
			status = answer_names(&p->answer, p->answer.table, NULL);
		p->table[p->n_tables++] = p->answer.table;
		if (tn_table_column_count(p->answer.table) > most)
			most = tn_table_column_count(p->answer.table);
		p->answer.table = NULL;
	}
	p->row = calloc(most + 1, sizeof *p->row);
	if (!status && (!p->first || !p->table || !p->row)) {
		complain(NULL, _("out of memory"));
		status = 1;
	}
	return status;
}

static int
print_span(struct printer *p, const struct tn_span *s)
{
	enum tn_table_form form = answer_form(&p->answer);
	struct tn_table *table = p->table[form == TN_TABLE_CSV ? 0 : s->definition];
	struct tn_answer_value *at = p->row + p->first[s->definition];

	memset(p->row, 0, tn_table_column_count(table) * sizeof *p->row);
	p->row[NAME] = p->row[SHOWN_NAME] = tn_answer_text(s->name);
	p->row[BEGIN] = tn_answer_number(s->has_begin, s->begin_ns);
	p->row[END] = tn_answer_number(s->has_end, s->end_ns);
	p->row[DURATION] = tn_answer_number(s->has_duration, s->duration_ns);
	p->row[STATE] = tn_answer_text(tn_span_state_name(s->state));
	if (p->has_hosts)
		p->row[HOST] = tn_answer_text(host_of(p, s));
	for (size_t i = 0; i < s->n_keys; i++)
		*at++ = s->key[i];
	if (form != TN_TABLE_CSV) {
		at += !s->n_keys;
		*at++ = p->row[STATE];
		if (p->has_hosts)
			*at++ = p->row[HOST];
	}
	for (size_t i = 0; i < s->n_captured; i++)
		*at++ = s->captured[i];
	return answer_table_row(&p->answer, table, p->row);
}

/* ---- the answer ---- */

static int
on_span(void *user, const struct tn_span *s)
{
	struct printer *p = user;
	uint64_t top = p->answer.job->options->top;
	int status = print_span(p, s);

	p->n++;
	return status || (!p->sorts && top && p->n == top);
}

static int
on_sorted(void *user, const struct tn_span *s)
{
	return print_span(user, s);
}

static bool
find_value(struct printer *p, const char *name, enum tn_span_column column,
	   const char *(*of)(const struct tn_spans *, size_t, size_t))
{
	for (size_t d = 0; d < tn_spans_count(p->spans); d++)
		for (size_t i = 0; of(p->spans, d, i); i++)
			if (strcmp(of(p->spans, d, i), name) == 0) {
				p->by.column = column;
				p->by.index = i;
				return true;
			}
	return false;
}

static int
read_sort(struct printer *p, const char *text)
{
	static const struct { const char *name; enum tn_span_column column; } names[] = {
		{ "duration", TN_SPAN_BY_DURATION }, { "dur", TN_SPAN_BY_DURATION }, { "begin", TN_SPAN_BY_BEGIN },
		{ "end", TN_SPAN_BY_END }, { "name", TN_SPAN_BY_NAME }, { "state", TN_SPAN_BY_STATE },
	};
	char all[512];

	if (!text)
		return 0;
	p->sorts = true;
	p->by.backward = *text == '-';
	text += p->by.backward;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(text, names[i].name) == 0) {
			p->by.column = names[i].column;
			return 0;
		}
	if (find_value(p, text, TN_SPAN_BY_KEY, tn_spans_key) || find_value(p, text, TN_SPAN_BY_FIELD, tn_spans_captured))
		return 0;
	snprintf(all, sizeof all, _("--sort=%s: write duration, begin, end, name, state, or a key or field that is shown"), text);
	complain(NULL, all);
	return 2;
}

/* Report spans and values that the lines lack or that are doubtful. */
static void
tell_left_out(const struct printer *p, const struct tn_span_counts *counts)
{
	bool is_cut = false;
	char text[512];

	if (counts->left_out) {
		snprintf(text, sizeof text, _("%ju further spans are left out: sorted spans take at most %zu MiB of memory; "
			"--where selects fewer, and without --sort tnav prints all"),
			 (uintmax_t)counts->left_out, (size_t)TN_SPANS_SORTED_MIB);
		complain(_("warning"), text);
	}
	tell_bounds(counts);
	for (size_t i = 0; i < p->n_tables; i++)
		is_cut |= tn_table_is_cut(p->table[i]);
	if (is_cut) {
		snprintf(text, sizeof text, _("names of more than %d bytes are cut and end with '...': "
					      "--output-format=jsonl and csv print full names"), TN_TABLE_BRIEF);
		complain(_("warning"), text);
	}
	if (!counts->without_key)
		return;
	snprintf(text, sizeof text, ngettext("%ju event does not have all of the keys and is left out",
					     "%ju events do not have all of the keys and are left out", counts->without_key),
		 (uintmax_t)counts->without_key);
	complain(_("warning"), text);
}

static int
run(struct printer *p)
{
	struct tn_span_counts counts;
	struct tn_error err;
	uint64_t top = p->answer.job->options->top;
	enum tn_code rc;
	int status;

	if (answer_form(&p->answer) == TN_TABLE_CSV && answer_table_heading(&p->answer, p->table[0]))
		return 0;
	if (p->sorts) {
		rc = tn_spans_sorted(p->spans, &p->answer.scan, &p->by, top < SIZE_MAX ? (size_t)top : 0, on_sorted, p,
				     &counts, &err);
		for (size_t i = 0; i < sizeof counts.of_state / sizeof *counts.of_state; i++)
			p->n += counts.of_state[i];
	} else {
		rc = tn_spans_run(p->spans, &p->answer.scan, TN_SPANS_BY_BEGIN, on_span, p, &counts, &err);
		if (rc == TN_ERR_CANCELLED && top && p->n == top)
			rc = TN_OK;
	}
	status = answer_status(&p->answer, rc, &err);
	if (!status)
		tell_left_out(p, &counts);
	/* The traces can define kinds of spans which their events do not contain. */
	if (!status && !p->n && *p->answer.job->options->spans[0] == '@')
		complain(_("note"), _("there are no such spans"));
	p->answer.job->events = p->n;
	return status;
}

static bool
has_name(const struct printer *p, const char *name, const char *(*of)(const struct tn_spans *, size_t, size_t))
{
	for (size_t d = 0; d < tn_spans_count(p->spans); d++)
		for (size_t i = 0; of(p->spans, d, i); i++)
			if (strcmp(of(p->spans, d, i), name) == 0)
				return true;
	return false;
}

int
print_spans(struct job *job)
{
	const struct options *o = job->options;
	struct printer p = { .n = 0 };
	struct tn_error err;
	enum tn_code rc;
	int status;

	rc = tn_spans_new(&p.spans, job->set, &err);
	for (size_t i = 0; i < o->n_spans && rc == TN_OK; i++)
		rc = tn_spans_add(p.spans, o->spans[i], &err);
	if (rc == TN_OK && o->where)
		rc = tn_spans_where(p.spans, o->where, &err);
	status = rc == TN_OK ? read_sort(&p, o->sort) : job_failed(&err);
	p.has_hosts = tn_set_has_hosts(job->set) && !has_name(&p, "host", tn_spans_key) && !has_name(&p, "host", tn_spans_captured);
	if (!status) {
		status = answer_begin(&p.answer, job);
		if (!status)
			status = make_tables(&p);
		if (!status)
			status = run(&p);
		status = answer_end(&p.answer, status);
	}
	for (size_t i = 0; i < p.n_tables; i++)
		tn_table_free(p.table[i]);
	free(p.table);
	free(p.first);
	free(p.row);
	tn_spans_free(p.spans);
	return status;
}
