/* output.c - write to standard output or to a file that the user names */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gettext.h"
#include "output.h"

#define ROOM (512 * 1024)
#define PIPE_SIZE (1024 * 1024)

void
complain(const char *kind, const char *text)
{
	struct tn_str safe = { 0 };
	char plain[300];
	size_t n = 0;

	tn_text_safe(text, strlen(text), &safe);
	/* If memory is out, print the printable bytes only; otherwise the message would be empty. */
	for (; text[n] && n < sizeof plain - 1; n++)
		plain[n] = text[n] >= ' ' && text[n] <= '~' ? text[n] : '?';
	plain[n] = '\0';
	if (kind)
		fprintf(stderr, "tnav: %s: %s\n", kind, safe.text ? safe.text : plain);
	else
		fprintf(stderr, "tnav: %s\n", safe.text ? safe.text : plain);
	tn_str_release(&safe);
}

int
job_failed(const struct tn_error *err)
{
	complain(NULL, err->text);
	return err->code == TN_ERR_ARGUMENT ? 2 : 1;
}

static int
complain_errno(const char *name, int error)
{
	char text[4200];

	snprintf(text, sizeof text, "%s: %s", name ? name : _("standard output"), strerror(error));
	complain(NULL, text);
	return 1;
}

int
output_end_standard(void)
{
	if (!ferror(stdout) && fflush(stdout) == 0)
		return 0;
	return errno == EPIPE ? 0 : complain_errno(NULL, errno ? errno : EIO);
}

/* ---- a file that appears when it is complete; a signal that ends the program removes the draft ---- */

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGXCPU };
static struct sigaction former[sizeof ending / sizeof *ending];
static const char *volatile draft;

static void
on_ending(int number)
{
	if (draft)
		unlink(draft);
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		if (ending[i] == number)
			sigaction(number, &former[i], NULL);
	raise(number);
}

static void
guard_draft(const char *path)
{
	struct sigaction action = { .sa_handler = on_ending };

	if (!path)
		return;
	draft = path;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		if (sigaction(ending[i], NULL, &former[i]) == 0 && former[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
}

static void
unguard_draft(void)
{
	if (!draft)
		return;
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		if (former[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &former[i], NULL);
	draft = NULL;
}

/* Begin the file, and prepare its removal by a signal; meanwhile signals are blocked. */
static enum tn_code
begin_file(struct output *out, const char *path, bool force, struct tn_error *err)
{
	sigset_t some, before;
	enum tn_code rc;

	sigemptyset(&some);
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		sigaddset(&some, ending[i]);
	sigprocmask(SIG_BLOCK, &some, &before);
	rc = tn_new_file_begin(&out->file, path, force, &out->fd, err);
	if (rc >= 0)
		guard_draft(tn_new_file_draft(out->file));
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

/* Open a file as the output. Returns 0, or 1 after a message. */
static int
open_file(struct output *out, const char *path, bool force, bool grows)
{
	enum tn_code rc = TN_OK;
	struct tn_error err;
	char text[4200];

	if (grows) {
		out->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : O_EXCL), 0666);
		if (out->fd < 0 && errno != EEXIST)
			return complain_errno(path, errno);
	} else {
		rc = begin_file(out, path, force, &err);
	}
	if (rc == TN_ERR_EXISTS || (grows && out->fd < 0)) {
		snprintf(text, sizeof text, _("%s: already exists; --force overwrites it"), path);
		complain(NULL, text);
		return 1;
	}
	if (rc < 0) {
		complain(NULL, err.text);
		return 1;
	}
	return 0;
}

static int
open_output(struct output *out, const char *path, bool force, bool grows)
{
	struct stat st;

	*out = (struct output) { .fd = STDOUT_FILENO, .name = path };
	if (path && open_file(out, path, force, grows) != 0)
		return 1;
	out->room = malloc(ROOM);
	if (!out->room) {
		complain(NULL, _("out of memory"));
		return 1;
	}
	out->terminal = isatty(out->fd);
#ifdef F_SETPIPE_SZ
	/* A larger pipe lets the writer wait less often for the reader. A system that refuses the size causes no error. */
	out->pipe = fstat(out->fd, &st) == 0 && S_ISFIFO(st.st_mode);
	if (out->pipe)
		(void)fcntl(out->fd, F_SETPIPE_SZ, PIPE_SIZE);
#else
	(void)st;
#endif
	return 0;
}

int
output_open(struct output *out, const char *path, bool force)
{
	return open_output(out, path, force, false);
}

int
output_open_growing(struct output *out, const char *path, bool force)
{
	return open_output(out, path, force, true);
}

static int
write_all(struct output *out, const char *text, size_t n)
{
	while (n && !out->error) {
		ssize_t k = write(out->fd, text, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			out->error = k < 0 ? errno : EIO;
			break;
		}
		text += k;
		n -= (size_t)k;
	}
	return out->error;
}

static int
send_all(struct output *out)
{
	size_t n = out->n;

	out->n = out->head = 0;
	return write_all(out, out->room, n);
}

int
output_flush(struct output *out)
{
	return out->n == out->head ? out->error : send_all(out);
}

void
output_heading(struct output *out)
{
	out->head = out->n;
}

static int
append(struct output *out, const char *text, size_t n)
{
	if (!n)	/* @text may then be NULL */
		return out->error;
	/* Write large text directly, after the text in the buffer. */
	if ((n >= ROOM / 2 || out->n + n > ROOM) && send_all(out))
		return out->error;
	if (n >= ROOM / 2)
		return write_all(out, text, n);
	memcpy(out->room + out->n, text, n);
	out->n += n;
	return out->error;
}

/*
 * The length of a colour sequence of tnav at the start of @text. 0: it does not start with one; a trace may contain other
 * sequences.
 */
static size_t
sequence(const char *text, size_t n)
{
	static const char *const ours[] = {
		"\033[0m", "\033[1m", "\033[31m", "\033[33m", "\033[35m", "\033[36m",
	};

	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
		size_t size = strlen(ours[i]);

		if (n >= size && memcmp(text, ours[i], size) == 0)
			return size;
	}
	return 0;
}

/*
 * Append text for a terminal without control characters of a trace, whose names and strings may contain any byte. Keep
 * line ends and the colours of tnav. A line end within a CSV cell is part of a trace: the text after it would look like a
 * row.
 */
static int
append_safe(struct output *out, const char *text, size_t n)
{
	struct tn_str safe = { 0 };

	while (n && !out->error) {
		size_t plain = 0, k;

		for (; plain < n && text[plain] >= 0x20 && text[plain] < 0x7f; plain++)
			out->in_cell ^= out->csv && text[plain] == '"';
		append(out, text, plain);
		text += plain;
		n -= plain;
		k = n && *text == '\n' && !out->in_cell ? 1 : n && out->color ? sequence(text, n) : 0;
		if (k) {
			append(out, text, k);
		} else {
			/* Advance to the next plain character, so that a character of several bytes is not divided. */
			while (k < n && (text[k] != '\n' || out->in_cell) && !(text[k] >= 0x20 && text[k] < 0x7f) &&
			       !(k && text[k] == '\033'))
				k++;
			safe.n = 0;
			tn_text_safe(text, k, &safe);
			append(out, safe.text ? safe.text : "", safe.n);
		}
		text += k;
		n -= k;
	}
	tn_str_release(&safe);
	return out->error;
}

int
output_write(struct output *out, const char *text, size_t n)
{
	return out->terminal ? append_safe(out, text, n) : append(out, text, n);
}

int
output_puts(struct output *out, const char *text)
{
	return output_write(out, text, strlen(text));
}

void
warn_line(const char *text, size_t n, bool color)
{
	struct output err = { .fd = STDERR_FILENO, .terminal = isatty(STDERR_FILENO), .color = color };
	char room[ROOM / 16];

	fflush(stderr);
	if (n > sizeof room / 4 - 1)
		n = sizeof room / 4 - 1;	/* an escape sequence takes four bytes; no path is so long */
	err.room = room;
	output_write(&err, text, n);
	append(&err, "\n", 1);
	output_flush(&err);
}

int
output_printf(struct output *out, const char *format, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, format);
	n = vasprintf(&text, format, ap);
	va_end(ap);
	if (n < 0) {
		out->error = ENOMEM;
		return out->error;
	}
	output_write(out, text, (size_t)n);
	free(text);
	return out->error;
}

void
output_fail(struct output *out)
{
	out->failed = true;
}

int
output_close(struct output *out)
{
	struct tn_error err;
	int status = 0;

	if (out->room && !(out->failed && out->n == out->head))
		send_all(out);
	if (out->name && !out->file && out->fd >= 0 && close(out->fd) < 0 && !out->error)
		out->error = errno;
	if (out->error && out->error != EPIPE)
		status = complain_errno(out->name, out->error);
	if (out->file && !out->error && !out->failed && tn_new_file_finish(out->file, &err) < 0) {
		complain(NULL, err.text);
		status = 1;
	}
	unguard_draft();
	tn_new_file_free(out->file);
	out->file = NULL;
	free(out->room);
	out->room = NULL;
	return status;
}

/* ---- signals ---- */

static volatile sig_atomic_t interrupted;

static void
on_signal(int number)
{
	interrupted = number;
}

void
signals_take(bool take)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal }, before;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (!take)
			signal(numbers[i], SIG_DFL);
		else if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
}

int
signal_taken(void)
{
	return interrupted;
}

int
folder_failed(const char *path, const struct tn_error *err)
{
	size_t n = strlen(path) + TN_ERROR_SIZE + 200;
	char *text = malloc(n);
	int status = err->code == TN_ERR_ARGUMENT ? 2 : 1;

	if (err->code == TN_ERR_CANCELLED && interrupted)
		status = 128 + interrupted;
	if (text && status > 128)
		snprintf(text, n, _("%s: interrupted; nothing was written"), path);
	else if (text && err->code == TN_ERR_EXISTS)
		snprintf(text, n, "%s", err->text);
	else if (text)
		snprintf(text, n, _("%s; %s was not written"), err->text, path);
	complain(NULL, text ? text : err->text);
	free(text);
	return status;
}
