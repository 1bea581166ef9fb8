#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"
#include "screen/canvas.h"
#include "screen/nicknames.h"

static int
on_notice(void *user, const struct tn_row *row)
{
	struct answer *a = user;

	if (row->kind == TN_ROW_DAMAGE)
		job_damage(a->job, row);
	return 0;
}

static int
on_progress(void *user, uint64_t read, uint64_t passed, int64_t at_ns)
{
	struct answer *a = user;

	(void)read, (void)passed, (void)at_ns;
	return output_flush(&a->out);
}

int
answer_begin(struct answer *a, struct job *job)
{
	const struct options *o = job->options;
	struct tn_text_options how = o->text;
	struct tn_error err;
	int status;

	*a = (struct answer) { .job = job };
	status = job_filter(job, &a->filter);
	if (!status && tn_text_new(&a->text, job->set, &how, &err) != TN_OK)
		status = job_failed(&err);
	if (status)
		return status;
	a->scan = (struct tn_scan_options) {
		TN_SCAN_OPTIONS, .filter = a->filter, .text = a->text, .has_begin = job->has_begin,
		.has_end = job->has_end, .begin_ns = job->begin_ns, .end_ns = job->end_ns, .threads = o->threads,
		.notice = on_notice, .progress = on_progress, .user = a,
	};
	return output_open(&a->out, o->output, o->force);
}

/* End the file of columns. Returns 0 or the exit status. */
static int
end_columns(struct answer *a)
{
	struct tn_error err;
	enum tn_code rc = tn_columns_table_end(a->columns, &err);

	if (rc >= 0 || a->out.error)
		return 0;
	output_fail(&a->out);
	return job_failed(&err);
}

int
answer_end(struct answer *a, int status)
{
	int closed;

	status = status ? status : a->columns_status;
	if (!status && a->job->options->as == FORMAT_PARQUET && !a->columns && a->out.room) {
		complain(NULL, _("this answer is not a table: write it as text"));
		status = 2;
	}
	if (a->columns && !status && !a->out.failed)
		status = end_columns(a);
	else if (a->columns || status)
		output_fail(&a->out);
	closed = a->out.room ? output_close(&a->out) : 0;
	tn_columns_table_free(a->columns);
	tn_str_release(&a->traces);
	tn_nicknames_free(a->names);
	tn_str_release(&a->host_text);
	tn_str_release(&a->line);
	tn_table_free(a->table);
	tn_text_free(a->text);
	tn_filter_free(a->filter);
	return status ? status : closed ? closed : job_status(a->job);
}

int
answer_status(struct answer *a, enum tn_code rc, const struct tn_error *err)
{
	if (rc >= 0 || a->out.error)
		return 0;	/* output_close() reports a failed write */
	output_fail(&a->out);
	return job_failed(err);
}

void
tell_bounds(const struct tn_span_counts *counts)
{
	char text[512];

	if (counts->out_of_order) {
		snprintf(text, sizeof text,
			 _("%ju spans are out of order: 40 MiB of memory was full before earlier spans ended; "
			 "--sort=begin --top=N prints them in order"), (uintmax_t)counts->out_of_order);
		complain(_("warning"), text);
	}
	if (counts->dropped) {
		snprintf(text, sizeof text,
			 _("%ju begin events without an end exceeded 40 MiB: they count as open, and their ends as "
			 "orphans; choose another key (by ...), or fewer events: --filter, --begin"), (uintmax_t)counts->dropped);
		complain(_("warning"), text);
	}
}

void
tell_doubtful(const struct tn_span_counts *counts)
{
	uint64_t n = counts->of_state[TN_SPAN_DOUBTFUL];
	char text[512];

	if (!n)
		return;
	snprintf(text, sizeof text,
		 ngettext("%ju span is doubtful, because events were lost in it: its duration is left out; "
		 "any_duration instead of duration counts it, --where doubtful shows it",
			  "%ju spans are doubtful, because events were lost in them: their durations are left out; any_duration "
			  "instead of duration counts them, --where doubtful shows them", n), (uintmax_t)n);
	complain(_("note"), text);
}

int
answer_put(struct answer *a)
{
	int failed = a->line.failed || output_write(&a->out, a->line.text, a->line.n);

	a->line.n = 0;
	return failed;
}

int
answer_head(struct answer *a)
{
	int failed = answer_put(a);

	output_heading(&a->out);
	return failed;
}

/* ---- tables ---- */

static const char *
beside(void *user, const struct tn_table *table, size_t column, const struct tn_answer_value *value)
{
	const struct answer *a = user;

	if (!a->names || nicknames_follow(table, column))
		return NULL;
	return tn_nicknames_find(a->names, tn_table_column_name(table, column), a->host, value);
}

int
answer_names(struct answer *a, const struct tn_table *table, const char *key)
{
	bool some = key && tn_nicknames_of(a->job->set, key);
	struct tn_scan_options scan = { TN_SCAN_OPTIONS, .threads = a->scan.threads };
	struct tn_error err;

	for (size_t i = 0; i < tn_table_column_count(table); i++)
		some |= tn_nicknames_of(a->job->set, tn_table_column_name(table, i)) && !nicknames_follow(table, i);
	if (!some || a->names || answer_form(a) != TN_TABLE_TEXT)
		return 0;
	return tn_nicknames_new(&a->names, a->job->set, &scan, &err) < 0 ? job_failed(&err) : 0;
}

void
answer_put_name(const struct answer *a, const char *key, const struct tn_answer_value *value, struct tn_str *out)
{
	const char *name = tn_nicknames_find(a->names, key, a->host, value);
	size_t n = name ? strlen(name) : 0, most = n < TN_TABLE_BESIDE ? n : TN_TABLE_BESIDE;

	while (most < n && most && ((unsigned char)name[most] & 0xc0) == 0x80)
		most--;
	if (!n)
		return;
	tn_str_puts(out, " ");
	tn_text_safe(name, most, out);
	tn_str_puts(out, most < n ? "..." : "");
}

/* Keep the host of the row, because a thread number is unique only within its host. */
static void
note_host(struct answer *a, const struct tn_table *table, const struct tn_answer_value *values)
{
	size_t i = a->names ? tn_table_find(table, "host") : SIZE_MAX;

	a->host = NULL;
	a->host_text.n = 0;
	if (i == SIZE_MAX || values[i].kind != TN_ANSWER_TEXT)
		return;
	tn_str_add(&a->host_text, values[i].text, values[i].n);
	a->host = a->host_text.failed ? NULL : a->host_text.text;
}

void
answer_measure(struct answer *a, const struct tn_answer_value *values)
{
	note_host(a, a->table, values);
	tn_table_measure(a->table, values);
}

int
answer_table(struct answer *a)
{
	const struct tn_table_options how = { .text = a->text, .width = text_width, .beside = beside, .user = a };
	struct tn_error err;

	return tn_table_new(&a->table, &how, &err) == TN_OK ? 0 : job_failed(&err);
}

void
answer_column(struct answer *a, struct tn_table_column column)
{
	a->line.failed |= tn_table_add_column(a->table, &column, NULL) != TN_OK;
}

enum tn_table_form
answer_form(const struct answer *a)
{
	switch (a->job->options->as) {
	case FORMAT_JSON: return TN_TABLE_JSON;
	case FORMAT_CSV:
	case FORMAT_PARQUET: return TN_TABLE_CSV;	/* Parquet has the same columns as CSV */
	default: return TN_TABLE_TEXT;
	}
}

static int
put_bytes(void *user, const void *bytes, size_t n)
{
	struct answer *a = user;

	return output_write(&a->out, bytes, n);
}

/* Start a file of columns, such as Parquet. Its rows are written when all of them are known. */
static int
begin_columns(struct answer *a, const struct tn_table *table)
{
	const char *note[] = { "tnav.traces", a->traces.text, NULL };
	const struct tn_columns_options options = { TN_COLUMNS_OPTIONS, .note = note, .threads = a->job->options->threads };
	struct tn_error err;

	for (size_t i = 0; i < tn_set_trace_count(a->job->set); i++) {
		tn_str_puts(&a->traces, i ? "\n" : "");
		tn_str_puts(&a->traces, tn_trace_path(tn_set_trace(a->job->set, i)));
	}
	note[1] = a->traces.text ? a->traces.text : "";
	if (tn_columns_table_new(&a->columns, table, &(struct tn_columns_sink) { put_bytes, a }, a->job->set, &options,
				 &err) == TN_OK)
		return 0;
	a->columns_status = job_failed(&err);
	return 1;
}

int
answer_table_heading(struct answer *a, struct tn_table *table)
{
	if (a->job->options->as == FORMAT_PARQUET)
		return begin_columns(a, table);
	tn_table_heading(table, answer_form(a), &a->line);
	return answer_head(a);
}

int
answer_table_row(struct answer *a, struct tn_table *table, const struct tn_answer_value *values)
{
	struct tn_error err;

	if (a->job->options->as == FORMAT_PARQUET) {
		if (a->columns && tn_columns_table_row(a->columns, values, &err) == TN_OK)
			return 0;
		if (a->columns)
			a->columns_status = job_failed(&err);
		return 1;
	}
	note_host(a, table, values);
	tn_table_row(table, answer_form(a), values, &a->line);
	return answer_put(a);
}

int
answer_heading(struct answer *a)
{
	return answer_table_heading(a, a->table);
}

int
answer_row(struct answer *a, const struct tn_answer_value *values)
{
	return answer_table_row(a, a->table, values);
}

static int
refuse_member(const char *name)
{
	char text[1024];

	snprintf(text, sizeof text, _("two members of a JSON object would have the name '%s': leave one out, or "
				      "write it with its scope (payload.%s)"), name, name);
	complain(NULL, text);
	return 2;
}

int
answer_check_members(const struct answer *a)
{
	const char *name = answer_form(a) == TN_TABLE_JSON ? tn_table_twice(a->table) : NULL;

	return name ? refuse_member(name) : 0;
}

/* ---- parts of a line ---- */

void
put_text(struct tn_str *out, const char *text)
{
	tn_str_puts(out, text);
}

void
put_number(struct tn_str *out, int64_t n)
{
	char digits[32];

	tn_str_add(out, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, n));
}

int
column_width(const char *text, size_t n)
{
	struct tn_str out = { 0 };
	int width;

	tn_text_safe(text, n, &out);
	width = text_width(out.text ? out.text : "", out.n);
	tn_str_release(&out);
	return width;
}

void
put_column(struct tn_str *out, const char *text, size_t n, int width)
{
	struct tn_str safe = { 0 };
	int shown;

	tn_text_safe(text, n, &safe);
	tn_str_add(out, safe.text ? safe.text : "", safe.n);
	shown = text_width(safe.text ? safe.text : "", safe.n);
	tn_str_release(&safe);
	for (; shown < width; shown++)
		tn_str_add(out, " ", 1);
}

void
put_member(struct tn_str *out, const char *name, bool first)
{
	put_text(out, first ? "" : ",");
	tn_answer_json_string(name, strlen(name), out);
	tn_str_add(out, ":", 1);
}
