/*
 * copy.c - events out of the browser: to the clipboard, to files
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app_state.h"
#include "cli/records.h"
#include "term/term.h"

#define COPY_MAX 10000		/* events */
#define CLIPBOARD_MAX 700000	/* bytes: terminals take no more in one OSC 52 */

/* From and to of what is copied: the selected range, or the row one is on. */
static bool
range(struct session *s, struct tn_location *from, struct tn_location *to)
{
	if (!s->has_row)
		return false;
	*from = *to = s->row.location;
	if (s->selecting) {
		*from = s->select_from;
		if (tn_location_compare(from, to) > 0) {
			struct tn_location swap = *from;

			*from = *to;
			*to = swap;
		}
	}
	return true;
}

static char *
base64(const char *text, size_t n)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *out = malloc((n + 2) / 3 * 4 + 1), *p = out;

	for (size_t i = 0; out && i < n; i += 3) {
		unsigned v = (unsigned)(unsigned char)text[i] << 16;

		v |= i + 1 < n ? (unsigned)(unsigned char)text[i + 1] << 8 : 0;
		v |= i + 2 < n ? (unsigned)(unsigned char)text[i + 2] : 0;
		*p++ = digit[v >> 18];
		*p++ = digit[v >> 12 & 63];
		*p++ = i + 1 < n ? digit[v >> 6 & 63] : '=';
		*p++ = i + 2 < n ? digit[v & 63] : '=';
	}
	if (out)
		*p = '\0';
	return out;
}

/* The terminal's clipboard, and the desktop's where one is there. */
static void
to_clipboard(const char *text, size_t n)
{
	char *code = n <= CLIPBOARD_MAX ? base64(text, n) : NULL;
	const char *tool = getenv("WAYLAND_DISPLAY") ? "wl-copy 2>/dev/null"
			 : getenv("DISPLAY") ? "xclip -selection clipboard 2>/dev/null" : NULL;
	FILE *f = tool ? popen(tool, "w") : NULL;

	if (code) {
		term_send("\033]52;c;", 7);
		term_send(code, strlen(code));
		term_send("\a", 1);
		free(code);
	}
	if (f) {
		fwrite(text, 1, n, f);
		pclose(f);
	}
}

/* From and to, both inside: times say too little where several events have the same, or none. */
struct span {
	struct tn_location from, to;
};

/* Lines as --print writes them, of what passes, @most at most; @put returns non-zero to stop. */
static enum tn_code
walk_lines(struct tn_set *set, const struct query *q, const struct span *span, uint64_t most,
	   int (*put)(void *user, const char *text, size_t n), void *user, uint64_t *n, struct tn_error *err)
{
	struct tn_text_buffer line = { 0 };
	struct tn_cursor *cur;
	enum tn_code rc = tn_cursor_new(&cur, set, err);
	struct tn_row row;
	bool has_former = false;
	int64_t former = 0;

	if (rc != TN_OK)
		return rc;
	rc = tn_cursor_restore(cur, &span->from, err);
	while (rc == TN_OK && *n < most && tn_cursor_row(cur, &row)
	       && tn_location_compare(&row.location, &span->to) <= 0) {
		bool pass = row.kind == TN_ROW_EVENT;

		if (pass && q->filter)
			rc = tn_filter_match(q->filter, q->text, cur, &pass, err);
		if (rc == TN_OK && pass) {
			line.n = 0;
			rc = tn_text_line(q->text, cur, has_former ? &former : NULL, &line, err);
			if (rc == TN_OK && put(user, line.text, line.n))
				rc = TN_ERR_CANCELLED;
			has_former = row.has_time;
			former = row.time_ns;
			++*n;
		}
		if (rc == TN_OK)
			rc = tn_cursor_next(cur, err);
	}
	tn_text_buffer_free(&line);
	tn_cursor_free(cur);
	return rc < 0 ? rc : TN_OK;
}

static int
add_line(void *user, const char *text, size_t n)
{
	line_add(user, STYLE_TEXT, text, n);
	return 0;
}

void
app_copy(struct app *a, bool as_lines)
{
	struct session *s = &a->session;
	struct tn_error err = { .text = "" };
	struct line l = { 0 };
	struct span span;
	uint64_t n = 0;

	if (!range(s, &span.from, &span.to))
		return;
	if (!as_lines)
		events_copy(a->screen[0], &span.from, &span.to, &l);
	else if (walk_lines(s->set, s->query, &span, COPY_MAX, add_line, &l, &n, &err) != TN_OK)
		session_fail(s, "%s", err.text);
	if (!*err.text && l.text)
		to_clipboard(l.text, l.n);
	line_release(&l);
	if (!*err.text)
		session_say(s, _("copied"));
	s->selecting = false;
}

/* ---- writing a file ---- */

struct writing {
	struct query *query;
	struct bounds bounds;
	bool selected;
	struct span span;	/* if selected */
	enum output_format format;
	struct tn_text_options text;
	FILE *file;
	char path[4096];
	uint64_t n;
	int error;
};

static int
write_lines(void *user, const char *text, size_t n)
{
	struct job *job = user;
	struct writing *w = job->data;

	if (fwrite(text, 1, n, w->file) != n) {
		w->error = errno;
		return 1;
	}
	return atomic_load(&job->stop);
}

static int
write_progress(void *user, uint64_t events_read, uint64_t events_passed, int64_t at_ns)
{
	struct job *job = user;

	(void)events_passed;
	atomic_store(&job->events, events_read);
	if (job->session->has_range)
		atomic_store(&job->permille, session_permille(job->session, at_ns));
	return atomic_load(&job->stop);
}

static void
write_run(struct job *job)
{
	struct writing *w = job->data;
	struct tn_scan_options options = {
		TN_SCAN_OPTIONS,
		.filter = w->query->filter, .text = w->query->text, .threads = job->session->threads,
		.has_begin = w->bounds.has_begin, .begin_ns = w->bounds.begin_ns,
		.has_end = w->bounds.has_end, .end_ns = w->bounds.end_ns,
		.has_from = w->selected, .from_included = true, .from = w->span.from,
		.has_to = w->selected, .to = w->span.to,
		.lines = write_lines, .progress = write_progress, .stopped = job_stopped, .user = job,
	};

	if (w->format != FORMAT_TEXT)
		job->code = records_write(job->session->set, w->format, &w->text, &options, &w->n, &job->error);
	else
		job->code = tn_scan(job->session->set, &options, &w->n, &job->error);
	if (fflush(w->file) != 0 && !w->error)
		w->error = errno;
}

static void
write_finish(struct job *job)
{
	struct writing *w = job->data;
	struct session *s = job->session;
	char number[32];

	((struct app *)s)->dirty = true;
	if (w->error)
		session_fail(s, "%s: %s", w->path, strerror(w->error));
	else if (job->code < 0)
		session_fail(s, "%s", job->error.text);
	else
		session_say(s, _("%s events written to %s"), number_text(w->n, number), w->path);
}

static void
write_cancelled(struct job *job)
{
	struct writing *w = job->data;

	((struct app *)job->session)->dirty = true;
	session_say(job->session, _("stopped: %s is not complete"), w->path);
}

static void
write_free(void *data)
{
	struct writing *w = data;

	if (w->file)
		fclose(w->file);
	query_put(w->query);
	free(w);
}

static const struct job_class write_class = {
	.label = N_("writing"),
	.run = write_run, .finish = write_finish, .cancelled = write_cancelled, .free = write_free,
};

void
app_write(struct app *a, const char *path, const char *format, bool force)
{
	enum output_format as = *format ? format_named(format) : format_of_file(path);
	struct session *s = &a->session;
	struct writing *w;
	int fd;

	if (!*path) {
		session_fail(s, _("the name of a file is missing: w FILE"));
		return;
	}
	if (as == FORMAT_UNKNOWN) {
		session_fail(s, _("no format '%s': text, csv, jsonl"), format);
		return;
	}
	/* What is there is not overwritten unless somebody asks for that. */
	fd = open(path, O_WRONLY | O_CREAT | (force ? O_TRUNC : O_EXCL) | O_CLOEXEC, 0666);
	if (fd < 0 && errno == EEXIST) {
		session_fail(s, _("%s exists already: w! writes over it"), path);
		return;
	}
	if (fd < 0) {
		session_fail(s, "%s: %s", path, strerror(errno));
		return;
	}
	w = calloc(1, sizeof *w);
	if (!w || !(w->file = fdopen(fd, "w"))) {
		close(fd);
		free(w);
		return;
	}
	snprintf(w->path, sizeof w->path, "%s", path);
	w->format = as;
	w->text = s->settings.text;
	w->query = query_get(s->query);
	w->bounds = s->bounds;
	w->selected = s->selecting && range(s, &w->span.from, &w->span.to);
	if (w->selected)
		w->bounds = (struct bounds) { true, true, w->span.from.time_ns, w->span.to.time_ns };
	s->selecting = false;
	job_start(&s->jobs, s, &write_class, w);
}
