/* copy.c - copy events to the clipboard and to files */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tnav/writer.h>

#include "cli/data_rows.h"
#include "clipboard.h"
#include "copy.h"
#include "screen/array.h"
#include "term/screenshot.h"

#define COPY_BYTES ((size_t)16 << 20)	/* largest text that is copied */

/* Find the first and last row to copy: the ends of the selection, or the row at the cursor. */
static bool
range(struct session *s, struct tn_location *from, struct tn_location *to)
{
	if (!s->here.has_row)
		return false;
	*from = *to = s->here.row.location;
	if (s->here.selecting) {
		*from = s->here.select_from;
		if (tn_location_compare(from, to) > 0) {
			struct tn_location swap = *from;

			*from = *to;
			*to = swap;
		}
	}
	return true;
}

/* The first and last row, both included. They are places, because several events can have equal times, or no time. */
struct span {
	struct tn_location from, to;
};

/* Receives each row of walk_span(); a non-zero result ends the walk. */
typedef int (*take_row)(struct job *job, struct tn_cursor *cur, const struct tn_row *row);

/* Call @take for each row of the span that passes the filters, with the cursor on the row. */
static enum tn_code
walk_span(struct job *job, const struct span *span, take_row take)
{
	const struct query *q = job->q.query;
	struct tn_error *err = &job->error;
	struct tn_cursor *cur;
	enum tn_code rc = tn_cursor_new(&cur, job->q.set, err);
	struct tn_row row;

	if (rc != TN_OK)
		return rc;
	rc = tn_cursor_restore(cur, &span->from, err);
	for (uint64_t i = 0; rc == TN_OK && tn_cursor_row(cur, &row)
			     && tn_location_compare(&row.location, &span->to) <= 0; i++) {
		bool pass = true;

		if (i % 256 == 0)
			job_progress(job, i, row.location.time_ns);
		if (job_stopped(job))
			rc = TN_ERR_CANCELLED;
		else if (q->filter)
			rc = tn_filter_match(q->filter, q->text, cur, &pass, err);
		if (rc == TN_OK && pass && take(job, cur, &row))
			rc = TN_ERR_CANCELLED;
		if (rc == TN_OK)
			rc = tn_cursor_next(cur, err);
	}
	tn_cursor_free(cur);
	return rc == TN_END ? TN_OK : rc;
}

/* Options for a scan of the span. */
static struct tn_scan_options
span_options(struct job *job, const struct span *span)
{
	struct tn_scan_options options;

	job->q.bounds = (struct bounds) { true, true, span->from.time_ns, span->to.time_ns };
	options = job_scan_options(job);
	options.has_from = options.from_included = options.has_to = true;
	options.from = span->from;
	options.to = span->to;
	return options;
}

/* ---- to the clipboard ---- */

struct copying {
	struct span span;
	bool as_lines;		/* copy the lines of --print; else the lines of the screen */
	struct tn_text_options how;
	struct line text;
	struct event_row *row;	/* rows for lines of the screen, which are composed at the end */
	size_t n_rows, room;
	size_t size;		/* bytes of the rows' texts */
	uint64_t n;		/* number of events */
	bool too_much, hide;
	/* Composes the lines of the screen; given by the app. */
	void (*compose)(void *user, struct event_row *row, size_t n, struct line *out);
	void *user;
};

/* Copy whole lines, made safe, because a control character could act where they are pasted. */
static int
copy_lines(void *user, const char *text, size_t n)
{
	struct copying *c = ((struct job *)user)->data;

	while (n > 0) {
		const char *end = memchr(text, '\n', n);
		size_t len = end ? (size_t)(end - text) : n;

		line_add_unsafe(&c->text, STYLE_TEXT, text, len);
		line_add(&c->text, STYLE_TEXT, "\n", 1);
		len += end != NULL;
		text += len;
		n -= len;
	}
	c->too_much = c->text.n > COPY_BYTES;
	return c->too_much;
}

static int
copy_row(struct job *job, struct tn_cursor *cur, const struct tn_row *row)
{
	struct copying *c = job->data;
	struct event_row r, *grown;

	if (c->hide && row->kind != TN_ROW_EVENT)
		return 0;
	grown = array_more(c->row, c->n_rows, &c->room, sizeof *grown);
	if (!grown)
		return 1;
	c->row = grown;
	if (!event_row_make(&r, cur, job->q.query, &job->error))
		return 1;
	if (c->n_rows && event_row_fold(&c->row[c->n_rows - 1], &r, true))
		return 0;
	c->row[c->n_rows++] = r;
	c->n += row->kind == TN_ROW_EVENT;
	c->size += r.end[PIECE_PAYLOAD] + sizeof r;
	c->too_much = c->size > COPY_BYTES;
	return c->too_much;
}

static void
copy_run(struct job *job)
{
	struct copying *c = job->data;
	struct tn_scan_options options;
	struct tn_text *safe = NULL;

	if (!c->as_lines) {
		job->code = walk_span(job, &c->span, copy_row);
		return;
	}
	options = span_options(job, &c->span);
	options.lines = copy_lines;
	/* Use safe text here too: a name with a line feed would end the line. */
	job->code = tn_text_new(&safe, job->q.set, &c->how, &job->error);
	options.text = safe;
	if (job->code == TN_OK)
		job->code = tn_scan(job->q.set, &options, &c->n, &job->error);
	tn_text_free(safe);
}

static void
copy_finish(struct job *job)
{
	struct session *s = job->session;
	struct copying *c = job->data;
	struct line l = { 0 };

	s->wish.redraw = true;
	if (c->too_much) {
		session_fail(s, "%s", _("too much to copy: V selects it again, :w FILE writes it"));
		return;
	}
	if (job->code < 0) {
		session_fail(s, "%s", job->error.text);
		return;
	}
	if (c->as_lines)
		clipboard_give(s, c->text.text ? c->text.text : "", c->text.n, c->n);
	else
		c->compose(c->user, c->row, c->n_rows, &l);
	if (!c->as_lines)
		clipboard_give(s, l.text ? l.text : "", l.n, c->n);
	line_release(&l);
}

static void
copy_cancelled(struct job *job)
{
	session_say(job->session, _("stopped: nothing is copied"));
	job->session->wish.redraw = true;
}

static void
copy_free(void *data)
{
	struct copying *c = data;

	for (size_t i = 0; i < c->n_rows; i++)
		event_row_release(&c->row[i]);
	free(c->row);
	line_release(&c->text);
	free(c);
}

static const struct job_class copy_class = {
	.label = N_("copying"), .run = copy_run, .finish = copy_finish, .cancelled = copy_cancelled, .free = copy_free,
};

void
copy_events(struct session *s, void (*compose)(void *user, struct event_row *row, size_t n, struct line *out), void *user)
{
	struct copying *c = calloc(1, sizeof *c);

	if (!c || !range(s, &c->span.from, &c->span.to)) {
		free(c);
		return;
	}
	c->as_lines = !compose;
	c->compose = compose;
	c->user = user;
	c->hide = !s->settings.losses;
	c->how = s->settings.text;
	c->how.safe = true;
	s->here.selecting = false;
	job_start(s, &copy_class, c);
}

bool
copy_said(struct session *s, bool wanted)
{
	char *text = s->copy_text;
	bool gives = text && wanted;

	s->copy_text = NULL;
	if (gives)
		clipboard_give(s, text, strlen(text), 0);
	free(text);
	return gives;
}

/* ---- writing a file ---- */

struct writing {
	bool selected;
	struct span span;	/* rows to write, if `selected` */
	enum output_format format;
	bool guessed;			/* format is text, because the file's suffix names no format */
	struct tn_text_options text;
	FILE *file;
	struct tn_new_file *whole;	/* a file that appears when it is complete */
	char path[4096];
	char *made;			/* text to write instead of events; owned */
	uint64_t n;			/* number of events, or bytes of `made` */
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
	return job_stopped(job);
}

static void
write_run(struct job *job)
{
	struct writing *w = job->data;
	struct tn_scan_options options;

	options = w->selected ? span_options(job, &w->span) : job_scan_options(job);
	options.lines = write_lines;
	if (w->made)
		w->error = fwrite(w->made, 1, w->n, w->file) == w->n ? 0 : errno;
	else if (w->format != FORMAT_TEXT)
		job->code = records_write(job->q.set, w->format, &w->text, &options, NULL, &w->n, &job->error);
	else
		job->code = tn_scan(job->q.set, &options, &w->n, &job->error);
	if (fflush(w->file) != 0 && !w->error)
		w->error = errno;
	if (!w->whole) {	/* end the pipe, because its reader waits for the end */
		fclose(w->file);
		w->file = NULL;
	} else if (!w->error && job->code >= 0) {
		job->code = tn_new_file_finish(w->whole, &job->error);
	}
}

static void
write_finish(struct job *job)
{
	struct writing *w = job->data;
	struct session *s = job->session;
	char number[32];

	s->wish.redraw = true;
	if (w->error)
		session_fail(s, "%s: %s", w->path, strerror(w->error));
	else if (job->code < 0)
		session_fail(s, "%s", job->error.text);
	else if (w->made)
		session_say(s, _("the screen is written to %s"), w->path);
	else if (w->guessed)
		session_say(s, ngettext("%s event written as text to %s; a format can follow: csv, jsonl, parquet, chrome-json "
					"or ctf",
					"%s events written as text to %s; a format can follow: csv, jsonl, parquet, chrome-json "
					"or ctf", w->n),
			    number_text(w->n, number), w->path);
	else
		session_say(s, ngettext("%s event written to %s", "%s events written to %s", w->n),
			    number_text(w->n, number), w->path);
}

static void
write_cancelled(struct job *job)
{
	struct writing *w = job->data;

	job->session->wish.redraw = true;
	session_say(job->session, _("stopped: %s was not written"), w->path);
}

static void
write_free(void *data)
{
	struct writing *w = data;

	if (w->file)
		fclose(w->file);
	tn_new_file_free(w->whole);
	free(w->made);
	free(w);
}

static const struct job_class write_class = {
	.label = N_("writing"),
	.run = write_run, .finish = write_finish, .cancelled = write_cancelled, .free = write_free,
};

/* Begin to write a file, but do not overwrite one unless @force is set. NULL: the session shows the reason. */
static struct writing *
begin_writing(struct session *s, const char *path, bool force)
{
	struct writing *w = calloc(1, sizeof *w);
	struct tn_error err;
	enum tn_code rc;
	int fd = -1;

	if (!w) {
		session_fail(s, _("out of memory"));
		return NULL;
	}
	rc = tn_new_file_begin(&w->whole, path, force, &fd, &err);
	fd = rc == TN_OK ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -1;
	w->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!w->file) {
		if (rc == TN_ERR_EXISTS)
			session_fail(s, _("%s already exists: w! overwrites it"), path);
		else if (rc < 0)
			session_fail(s, "%s", err.text);
		else
			session_fail(s, "%s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		tn_new_file_free(w->whole);
		free(w);
		return NULL;
	}
	snprintf(w->path, sizeof w->path, "%s", path);
	return w;
}

void
write_events(struct session *s, const char *path, const char *format, bool force)
{
	enum output_format as = *format ? format_named(format) : format_of_file(path);
	struct writing *w;

	if (!*path) {
		session_fail(s, _("a file name is missing: w FILE"));
		return;
	}
	if (as == FORMAT_UNKNOWN) {
		session_fail(s, _("no format '%s': text, csv, jsonl, parquet, chrome-json"), format);
		return;
	}
	w = begin_writing(s, path, force);
	if (!w)
		return;
	w->format = as;
	w->guessed = !*format && !format_is_told(path);
	w->text = s->settings.text;
	w->selected = s->here.selecting && range(s, &w->span.from, &w->span.to);
	s->here.selecting = false;
	job_start(s, &write_class, w);
}

void
write_screen(struct session *s, const struct canvas *canvas, const char *path, bool force)
{
	struct writing *w = begin_writing(s, path, force);
	size_t n;

	if (!w)
		return;
	w->made = screenshot_make(screenshot_kind_of(path), canvas, s->settings.background, &n);
	if (!w->made) {
		session_fail(s, _("out of memory"));
		write_free(w);
		return;
	}
	w->n = n;
	job_start(s, &write_class, w);
}

/* ---- to another program ---- */

/* The job reports nothing at its end, because the command already printed its result. */
static const struct job_class pipe_class = {
	.label = N_("writing"), .run = write_run, .free = write_free,
};

struct job *
pipe_events(struct session *s, int fd)
{
	struct writing *w = calloc(1, sizeof *w);

	if (w)
		w->file = fdopen(fd, "w");
	if (!w || !w->file) {
		close(fd);
		free(w);
		return NULL;
	}
	w->format = FORMAT_TEXT;
	w->text = s->settings.text;
	w->selected = s->here.selecting && range(s, &w->span.from, &w->span.to);
	s->here.selecting = false;
	return job_start(s, &pipe_class, w);
}
