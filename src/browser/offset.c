/*
 * offset.c - traces whose clocks are off: their times shifted against the others'
 *
 * The traces are opened again with the shifts. What the user has put somewhere stays on its event.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "app_state.h"

void
offsets_free(struct tn_trace_offset *offset, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free((char *)offset[i].path);
	free(offset);
}

static void
move_location(struct tn_location *at, const int64_t *by, size_t n)
{
	if (at->stream < n)
		at->time_ns = (int64_t)((uint64_t)at->time_ns + (uint64_t)by[at->stream]);
}

static int
by_place(const void *a, const void *b)
{
	return tn_location_compare(&((const struct bookmark *)a)->at, &((const struct bookmark *)b)->at);
}

static void
move_places(struct app *a, struct tn_location *here, const int64_t *by, size_t n)
{
	struct session *s = &a->session;

	move_location(here, by, n);
	move_location(&s->select_from, by, n);
	for (size_t i = 0; i < a->n_jumps; i++)
		move_location(&a->jump[i], by, n);
	for (size_t i = 0; i < s->n_bookmarks; i++) {
		int64_t before = s->bookmark[i].at.time_ns;

		move_location(&s->bookmark[i].at, by, n);
		s->bookmark[i].time_ns += s->bookmark[i].at.time_ns - before;
	}
	if (s->n_bookmarks)
		qsort(s->bookmark, s->n_bookmarks, sizeof *s->bookmark, by_place);
}

/* Open the traces with these offsets; owns them from here on. False: everything is as it was. */
static bool
apply(struct app *a, struct tn_trace_offset *offset, size_t n)
{
	struct session *s = &a->session;
	struct place place = { .kind = s->has_row ? PLACE_LOCATION : PLACE_BEGIN, .location = s->row.location };
	size_t n_streams = tn_set_stream_count(s->set);
	int64_t *by = calloc(n_streams + 1, sizeof *by);
	struct session after = { .offset = offset, .n_offsets = n };
	struct tn_error err = { .text = "out of memory" };
	struct tn_set *set;

	for (size_t i = 0; by && i < n_streams; i++) {
		const struct tn_trace *trace = tn_stream_trace(tn_set_stream(s->set, i));

		by[i] = (int64_t)((uint64_t)session_offset(&after, trace) - (uint64_t)session_offset(s, trace));
	}
	if (!by || s->options->reopen(s->options->user, offset, n, &set, &err) != TN_OK) {
		session_fail(s, "%s", err.text);
		offsets_free(offset, n);
		free(by);
		return false;
	}
	offsets_free(s->offset, s->n_offsets);
	s->offset = offset;
	s->n_offsets = n;
	move_places(a, &place.location, by, n_streams);
	free(by);
	if (!app_change_set(a, set, &err)) {
		session_fail(s, "%s", err.text);
		a->quit = a->n_screens == 0;
		return false;
	}
	events_forget_widths(a->screen[0]);
	app_reply(a, a->screen[0], events_go(a->screen[0], &place, ALIGN_MIDDLE));
	return true;
}

/* The trace of that number, or the only one whose path has that text in it; -1 with a message. */
static int
find_trace(struct session *s, const char *which)
{
	size_t n = tn_set_trace_count(s->set), found = 0, last = 0;
	char *end;
	unsigned long number = strtoul(which, &end, 10);

	if (!*end && number >= 1 && number <= n)
		return (int)number - 1;
	for (size_t i = 0; i < n; i++)
		if (strstr(tn_trace_path(tn_set_trace(s->set, i)), which)) {
			last = i;
			found++;
		}
	if (found == 1)
		return (int)last;
	session_fail(s, found ? _("'%s' is in the path of several traces: offset alone numbers them")
		     : _("no trace has '%s' in its path: offset alone numbers them"), which);
	return -1;
}

static void
list_offsets(struct session *s)
{
	struct line l = { 0 };

	for (size_t i = 0; i < tn_set_trace_count(s->set); i++) {
		const struct tn_trace *trace = tn_set_trace(s->set, i);
		struct tn_text_buffer shift = { 0 };

		tn_text_delta(s->query->text, session_offset(s, trace), &shift);
		line_printf(&l, STYLE_TEXT, "%s%zu  %s s  ", i ? "\n" : "", i + 1, shift.text ? shift.text : "");
		line_puts_unsafe(&l, STYLE_TEXT, tn_trace_path(trace));
		tn_text_buffer_free(&shift);
	}
	session_say(s, "%s", l.text ? l.text : "");
	line_release(&l);
}

static bool
can_shift(struct session *s)
{
	if (!s->options->reopen)
		session_say(s, _("there are no files to look at again"));
	return s->options->reopen != NULL;
}

/* What holds for trace @i now, as a list of all traces in which some may change. */
static struct tn_trace_offset *
copy_offsets(const struct session *s, size_t *n)
{
	struct tn_trace_offset *offset;

	*n = tn_set_trace_count(s->set);
	offset = calloc(*n + 1, sizeof *offset);
	for (size_t i = 0; offset && i < *n; i++) {
		const struct tn_trace *trace = tn_set_trace(s->set, i);

		offset[i] = (struct tn_trace_offset) { strdup(tn_trace_path(trace)), session_offset(s, trace) };
		if (!offset[i].path) {
			offsets_free(offset, i);
			return NULL;
		}
	}
	return offset;
}

void
app_offset(struct app *a, const char *which, const char *span)
{
	struct session *s = &a->session;
	struct tn_trace_offset *offset;
	struct tn_error err;
	int64_t ns;
	size_t n;
	int i;

	if (!*which) {
		list_offsets(s);
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
	if (apply(a, offset, n))
		list_offsets(s);
}

/* Time of the trace's first event as it is shown now. */
static bool
first_time(struct session *s, struct tn_cursor *cur, const struct tn_trace *trace, int64_t *out)
{
	size_t n = tn_set_stream_count(s->set);
	bool *only = calloc(n + 1, sizeof *only);
	struct tn_error err;
	struct tn_row row;
	enum tn_code rc;

	if (!only)
		return false;
	for (size_t i = 0; i < n; i++)
		only[i] = tn_stream_trace(tn_set_stream(s->set, i)) == trace;
	rc = tn_cursor_only(cur, only, &err);
	free(only);
	if (rc >= 0)
		rc = tn_cursor_first(cur, &err);
	while (rc == TN_OK && tn_cursor_row(cur, &row) && !(row.kind == TN_ROW_EVENT && row.has_time))
		rc = tn_cursor_next(cur, &err);
	if (rc == TN_OK)
		*out = row.time_ns;
	return rc == TN_OK;
}

void
app_align(struct app *a, bool off)
{
	struct session *s = &a->session;
	struct tn_trace_offset *offset;
	struct tn_cursor *cur = NULL;
	struct tn_error err;
	int64_t begin = 0, t;
	bool has_begin = false;
	size_t n;

	if (!can_shift(s) || !(offset = copy_offsets(s, &n)))
		return;
	if (tn_cursor_new(&cur, s->set, &err) != TN_OK) {
		session_fail(s, "%s", err.text);
		offsets_free(offset, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (off) {
			offset[i].offset_ns = 0;
		} else if (first_time(s, cur, tn_set_trace(s->set, i), &t)) {
			if (!has_begin)
				begin = t;
			has_begin = true;
			offset[i].offset_ns = (int64_t)((uint64_t)offset[i].offset_ns + (uint64_t)begin - (uint64_t)t);
		}
	}
	tn_cursor_free(cur);
	if (apply(a, offset, n))
		list_offsets(s);
}
