#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "offset.h"
#include "reopen.h"
#include "screen/line.h"
#include "session/settings.h"

static bool
can_shift(struct session *s)
{
	return reopen_can(s, _("the sample and live sessions cannot be shifted: they cannot be opened again"));
}

/* Find the trace with this number, or the only trace whose path contains the text; -1 after a message. */
static int
find_trace(struct session *s, const char *which)
{
	size_t n = tn_set_trace_count(s->traces.set), found = 0, last = 0;
	char *end;
	unsigned long number = strtoul(which, &end, 10);

	if (!*end && number >= 1 && number <= n)
		return (int)number - 1;
	for (size_t i = 0; i < n; i++)
		if (strstr(tn_trace_path(tn_set_trace(s->traces.set, i)), which)) {
			last = i;
			found++;
		}
	if (found == 1)
		return (int)last;
	session_fail(s, found ? _("'%s' is in the path of several traces: offset alone lists them with their numbers")
		     : _("no trace has '%s' in its path: offset alone lists the traces"), which);
	return -1;
}

void
offset_list(struct session *s)
{
	struct line l = { 0 };

	for (size_t i = 0; i < tn_set_trace_count(s->traces.set); i++) {
		const struct tn_trace *trace = tn_set_trace(s->traces.set, i);
		struct tn_str shift = { 0 };

		tn_text_delta(s->asks.query->text, session_offset(s, trace), &shift);
		line_printf(&l, STYLE_TEXT, "%s%zu  %s s  ", i ? "\n" : "", i + 1, shift.text ? shift.text : "");
		line_puts_unsafe(&l, STYLE_TEXT, tn_trace_path(trace));
		tn_str_release(&shift);
	}
	session_say(s, "%s", l.text ? l.text : "");
	line_release(&l);
}

/* Open the traces with these offsets; owns the offsets. */
static void
apply(struct session *s, struct tn_trace_offset *offset, size_t n)
{
	struct place place = { .kind = s->here.has_row ? PLACE_LOCATION : PLACE_BEGIN, .location = s->here.row.location };

	reopen_start(s, offset, n, &place, ALIGN_MIDDLE, _("offset alone lists the shifts"));
}

/* A list of the current offsets, with space for those that may be added. */
static struct tn_trace_offset *
copy_offsets(const struct session *s, size_t *n)
{
	struct tn_trace_offset *offset;

	*n = tn_set_trace_count(s->traces.set);
	offset = calloc(*n + 1, sizeof *offset);
	for (size_t i = 0; offset && i < *n; i++) {
		const struct tn_trace *trace = tn_set_trace(s->traces.set, i);

		offset[i] = (struct tn_trace_offset) { strdup(tn_trace_path(trace)), session_offset(s, trace) };
		if (!offset[i].path) {
			offsets_free(offset, i);
			return NULL;
		}
	}
	return offset;
}

void
offset_begin(struct session *s)
{
	struct tn_trace_offset *offset;
	size_t n;

	if (!(offset = copy_offsets(s, &n)))
		return;
	for (size_t i = 0; i < n; i++)
		offset[i].offset_ns = tn_trace_shift(tn_set_trace(s->traces.set, i));
	s->traces.offset = offset;
	s->traces.n_offsets = n;
}

void
offset_set(struct session *s, const char *which, const char *span)
{
	struct tn_trace_offset *offset;
	struct tn_error err;
	int64_t ns;
	size_t n;
	int i;

	if (!*which) {
		offset_list(s);
		return;
	}
	if (!can_shift(s) || (i = find_trace(s, which)) < 0)
		return;
	if (!span_parse(span, &ns, &err)) {
		session_fail(s, "%s", err.text);
		return;
	}
	offset = copy_offsets(s, &n);
	if (!offset)
		return;
	offset[i].offset_ns = ns;
	apply(s, offset, n);
}

/* ---- aligning: a job finds the first times ---- */

struct aligning {
	struct tn_trace_offset *offset;
	size_t n;
};

/* The time of the trace's first event, with the current shift. */
static bool
first_time(struct job *job, struct tn_cursor *cur, const struct tn_trace *trace, int64_t *out)
{
	size_t n = tn_set_stream_count(job->q.set);
	bool *only = calloc(n + 1, sizeof *only);
	struct tn_row row;
	enum tn_code rc;

	if (!only)
		return false;
	for (size_t i = 0; i < n; i++)
		only[i] = tn_stream_trace(tn_set_stream(job->q.set, i)) == trace;
	rc = tn_cursor_only(cur, only, &job->error);
	free(only);
	if (rc >= 0)
		rc = tn_cursor_first(cur, &job->error);
	while (rc == TN_OK && tn_cursor_row(cur, &row) && !(row.kind == TN_ROW_EVENT && row.has_time)) {
		if (job_stopped(job))
			return false;
		rc = tn_cursor_next(cur, &job->error);
	}
	if (rc == TN_OK)
		*out = row.time_ns;
	return rc == TN_OK;
}

static void
align_run(struct job *job)
{
	struct aligning *a = job->data;
	struct tn_cursor *cur;
	int64_t begin = 0, t = 0;
	bool has_begin = false;

	job->code = tn_cursor_new(&cur, job->q.set, &job->error);
	if (job->code != TN_OK)
		return;
	for (size_t i = 0; i < a->n && !job_stopped(job); i++)
		if (first_time(job, cur, tn_set_trace(job->q.set, i), &t)) {
			if (!has_begin)
				begin = t;
			has_begin = true;
			a->offset[i].offset_ns = (int64_t)((uint64_t)a->offset[i].offset_ns + (uint64_t)begin - (uint64_t)t);
		}
	tn_cursor_free(cur);
}

static void
align_finish(struct job *job)
{
	struct aligning *a = job->data;

	if (job->code != TN_OK) {
		session_fail(job->session, "%s", job->error.text);
		return;
	}
	apply(job->session, a->offset, a->n);
	a->offset = NULL;
}

static void
align_free(void *data)
{
	struct aligning *a = data;

	offsets_free(a->offset, a->offset ? a->n : 0);
	free(a);
}

static const struct job_class align_class = {
	.label = N_("searching for the first times"), .everything = true,
	.run = align_run, .finish = align_finish, .free = align_free,
};

/* Align traces that share a clock. False: no traces share one. */
static bool
by_clock(const struct session *s, struct tn_trace_offset *offset, size_t n)
{
	bool any = false;
	int64_t ns = 0;

	for (size_t i = 0; i < n; i++)
		if (tn_set_shared_clock(s->traces.set, tn_set_trace(s->traces.set, i), &ns)) {
			offset[i].offset_ns = (int64_t)((uint64_t)offset[i].offset_ns + (uint64_t)ns);
			any = true;
		}
	return any;
}

void
offset_align(struct session *s, enum offset_align how)
{
	struct tn_trace_offset *offset;
	struct aligning *a;
	size_t n;

	if (!can_shift(s) || !(offset = copy_offsets(s, &n)))
		return;
	for (size_t i = 0; i < n && how == OFFSET_NONE; i++)
		offset[i].offset_ns = 0;
	if (how == OFFSET_NONE || (how == OFFSET_CLOCK && by_clock(s, offset, n))) {
		apply(s, offset, n);
		return;
	}
	a = malloc(sizeof *a);
	if (!a) {
		offsets_free(offset, n);
		return;
	}
	*a = (struct aligning) { offset, n };
	job_start(s, &align_class, a);
}

void
offset_align_marks(struct session *s, char a, char b)
{
	const struct bookmark *to = NULL, *from = NULL;
	const struct tn_trace *trace;
	struct tn_trace_offset *offset;
	size_t n;

	for (size_t i = 0; i < s->here.n_bookmarks; i++) {
		if (s->here.bookmark[i].letter == a)
			to = &s->here.bookmark[i];
		if (s->here.bookmark[i].letter == b)
			from = &s->here.bookmark[i];
	}
	if (!to || !from) {
		session_fail(s, _("there is no mark %c: m %c sets it"), to ? b : a, to ? b : a);
		return;
	}
	trace = tn_stream_trace(tn_set_stream(s->traces.set, from->at.stream));
	if (trace == tn_stream_trace(tn_set_stream(s->traces.set, to->at.stream))) {
		session_fail(s, _("marks %c and %c are in the same trace: set them in two traces"), a, b);
		return;
	}
	if (!can_shift(s) || !(offset = copy_offsets(s, &n)))
		return;
	for (size_t i = 0; i < n; i++)
		if (tn_set_trace(s->traces.set, i) == trace)
			offset[i].offset_ns = (int64_t)((uint64_t)offset[i].offset_ns + (uint64_t)to->time_ns
							- (uint64_t)from->time_ns);
	apply(s, offset, n);
}
