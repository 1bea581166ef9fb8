#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"

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

	tn_text_buffer_free(&a->line);
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

int
answer_put(struct answer *a)
{
	int failed = a->line.failed || output_write(&a->out, a->line.text, a->line.n);

	a->line.n = 0;
	return failed;
}

/* ---- parts of a line ---- */

static void
put(struct tn_text_buffer *out, const char *text, size_t n)
{
	if (out->room - out->n <= n) {
		size_t room = 2 * (out->n + n) + 256;
		char *more = realloc(out->text, room);

		if (!more) {
			out->failed = true;
			return;
		}
		out->text = more;
		out->room = room;
	}
	if (n)
		memcpy(out->text + out->n, text, n);
	out->n += n;
	out->text[out->n] = '\0';
}

void
put_text(struct tn_text_buffer *out, const char *text)
{
	put(out, text, strlen(text));
}

void
put_number(struct tn_text_buffer *out, int64_t n)
{
	char digits[32];

	put(out, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, n));
}

void
put_unsigned(struct tn_text_buffer *out, uint64_t n)
{
	char digits[32];

	put(out, digits, (size_t)snprintf(digits, sizeof digits, "%" PRIu64, n));
}

void
put_real(struct tn_text_buffer *out, double d)
{
	char text[40];

	if (!isfinite(d)) {
		put_text(out, isnan(d) ? "null" : d > 0 ? "\"inf\"" : "\"-inf\"");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, d);
		if (strtod(text, NULL) == d)
			break;
	}
	put_text(out, text);
}

void
put_csv(struct tn_text_buffer *out, const char *text, size_t n)
{
	bool plain = true;

	for (size_t i = 0; i < n && plain; i++)
		plain = text[i] != ',' && text[i] != '"' && text[i] != '\n' && text[i] != '\r';
	if (plain) {
		put(out, text, n);
		return;
	}
	put(out, "\"", 1);
	for (size_t i = 0; i < n; i++)
		put(out, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
	put(out, "\"", 1);
}

void
put_csv_value(struct tn_text_buffer *out, const struct tn_answer_value *value)
{
	struct tn_text_buffer text = { 0 };

	tn_answer_value_text(value, &text);
	put_csv(out, text.text ? text.text : "", text.n);
	tn_text_buffer_free(&text);
}

void
put_column(struct tn_text_buffer *out, const char *text, size_t n, int width)
{
	struct tn_text_buffer safe = { 0 };
	int shown = 0;

	tn_text_safe(text, n, &safe);
	put(out, safe.text ? safe.text : "", safe.n);
	for (size_t i = 0; i < safe.n; i++)
		shown += ((unsigned char)safe.text[i] & 0xc0) != 0x80;
	tn_text_buffer_free(&safe);
	for (; shown < width; shown++)
		put(out, " ", 1);
}

void
put_member(struct tn_text_buffer *out, const char *name, bool first)
{
	put_text(out, first ? "" : ",");
	tn_answer_json_string(name, strlen(name), out);
	put(out, ":", 1);
}

void
put_duration(struct tn_text_buffer *out, double ns)
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
