#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistr.h>

#include "answers.h"
#include "gettext.h"
#include "screen/canvas.h"

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

int
answer_end(struct answer *a, int status)
{
	int closed = a->out.room ? output_close(&a->out) : 0;

	tn_str_release(&a->line);
	tn_text_free(a->text);
	tn_filter_free(a->filter);
	return status ? status : closed ? closed : job_status(a->job);
}

int
answer_status(struct answer *a, enum tn_code rc, const struct tn_error *err)
{
	if (rc >= 0 || a->out.error)
		return 0;	/* a failure of the output is told when it is closed */
	output_fail(&a->out);
	return job_failed(err);
}

void
tell_bounds(const struct tn_span_counts *counts)
{
	char text[512];

	if (counts->out_of_order) {
		snprintf(text, sizeof text,
			 _("%ju spans came before others that began earlier and had no end for so long that 40 MiB were "
			   "full: --sort=begin --top=N has them in order"), (uintmax_t)counts->out_of_order);
		complain(_("warning"), text);
	}
	if (counts->given_up) {
		snprintf(text, sizeof text,
			 _("%ju begins without end were more than 40 MiB of memory hold: they are open, and their ends, if "
			   "there are any, are orphans; another key (by ...), or fewer events (--filter, --begin, --end) "
			   "help"), (uintmax_t)counts->given_up);
		complain(_("warning"), text);
	}
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

static void
put_cell(struct tn_str *out, const char *text, size_t n)
{
	bool plain = n > 0 && text[0] != ' ' && text[n - 1] != ' ';	/* empty text is told from no value */

	for (size_t i = 0; i < n && plain; i++)
		plain = text[i] != ',' && text[i] != '"' && text[i] != '\n' && text[i] != '\r';
	if (plain) {
		tn_str_add(out, text, n);
		return;
	}
	tn_str_add(out, "\"", 1);
	for (size_t i = 0; i < n; i++)
		tn_str_add(out, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
	tn_str_add(out, "\"", 1);
}

void
put_csv(struct tn_str *out, const char *text, size_t n)
{
	struct tn_str valid = { 0 };
	const uint8_t *broken = n ? u8_check((const uint8_t *)text, n) : NULL;

	if (!broken) {
		put_cell(out, text, n);
		return;
	}
	for (size_t whole; n > 0; text += whole + 1, n -= whole + 1) {
		broken = u8_check((const uint8_t *)text, n);
		whole = broken ? (size_t)(broken - (const uint8_t *)text) : n;
		tn_str_add(&valid, text, whole);
		if (!broken)
			break;
		tn_str_puts(&valid, "\xef\xbf\xbd");	/* as in the CSV of events */
	}
	out->failed |= valid.failed;
	put_cell(out, valid.text ? valid.text : "", valid.n);
	tn_str_release(&valid);
}

void
put_csv_value(struct tn_str *out, const struct tn_answer_value *value)
{
	struct tn_answer_value v = *value;
	struct tn_str text = { 0 };

	if (v.kind == TN_ANSWER_NONE)
		return;
	/* Numbers are decimal, as in the CSV of events. */
	if (v.type && tn_type_base(v.type) != 10 && !tn_type_label_count(v.type))
		v.type = NULL;
	tn_answer_value_text(&v, &text);
	put_csv(out, text.text ? text.text : "", text.n);
	tn_str_release(&text);
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

int
refuse_member(const char *name)
{
	char text[1024];

	snprintf(text, sizeof text, _("two members of one JSON object would be called '%s': leave one out, or name it with its "
				      "scope (payload.%s)"), name, name);
	complain(NULL, text);
	return 2;
}

void
put_member(struct tn_str *out, const char *name, bool first)
{
	put_text(out, first ? "" : ",");
	tn_answer_json_string(name, strlen(name), out);
	tn_str_add(out, ":", 1);
}

void
put_duration(struct tn_str *out, double ns)
{
	static const struct { double ns; const char *unit; } units[] = {
		{ 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" },
	};
	char text[64];
	size_t i = 0;

	while (i < 3 && fabs(ns) < units[i].ns)
		i++;
	snprintf(text, sizeof text, i == 3 ? "%.0f %s" : "%.3f %s", ns / units[i].ns, units[i].unit);
	put_text(out, text);
}
