/* cmdline.c - the command line that makes the current view; tnav runs it to write a table */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmdline.h"
#include "screen/line.h"
#include "session/settings.h"

/* Append a text with control characters in the shell's quotes $'...'. */
static void
quote_controls(struct line *l, const char *text)
{
	line_puts(l, STYLE_TEXT, " $'");
	for (; *text; text++)
		if (*text == '\'' || *text == '\\')
			line_printf(l, STYLE_TEXT, "\\%c", *text);
		else if ((unsigned char)*text < ' ' || *text == '\x7f')
			line_printf(l, STYLE_TEXT, "\\%03o", (unsigned)(unsigned char)*text);
		else
			line_add(l, STYLE_TEXT, text, 1);
	line_puts(l, STYLE_TEXT, "'");
}

static bool
has_controls(const char *text)
{
	while ((unsigned char)*text >= ' ' && *text != '\x7f')
		text++;
	return *text;
}

static void
quote_shell(struct line *l, const char *text)
{
	if (has_controls(text)) {
		quote_controls(l, text);
		return;
	}
	line_puts(l, STYLE_TEXT, " '");
	for (; *text; text++)
		if (*text == '\'')
			line_puts(l, STYLE_TEXT, "'\\''");
		else
			line_add(l, STYLE_TEXT, text, 1);
	line_puts(l, STYLE_TEXT, "'");
}

static const char *
clock_option(enum tn_time_format format)
{
	switch (format) {
	case TN_TIME_DATE: return " --clock-date";
	case TN_TIME_CYCLES: return " --clock-cycles";
	case TN_TIME_SECONDS:
	case TN_TIME_NS: return " --clock-seconds";
	default: return "";
	}
}

/* Append settings that --print lacks as commands for the browser. Returns whether there was any. */
static bool
put_commands(struct line *l, struct session *s)
{
	size_t before = l->n;
	char text[64];

	for (size_t i = 0; i < tn_set_trace_count(s->traces.set); i++) {
		int64_t ns = session_offset(s, tn_set_trace(s->traces.set, i));

		if (ns)
			line_printf(l, STYLE_TEXT, " '+offset %zu %" PRId64 "ns'", i + 1, ns);
	}
	if (s->settings.columns_chosen) {
		line_puts(l, STYLE_TEXT, " '+set columns ");
		settings_put(&s->settings, "columns", l);
		line_puts(l, STYLE_TEXT, "'");
	}
	for (size_t i = 0; i < COLOR_RULES && *s->settings.rule[i].text; i++) {
		char rule[COLOR_TEXT + 40];

		if (settings_is_default_rule(&s->settings.rule[i]))
			continue;
		snprintf(rule, sizeof rule, "+color %s %s", s->settings.rule[i].text,
			 style_name_of(s->settings.rule[i].style));
		quote_shell(l, rule);
	}
	if (s->here.has_row && s->here.row.has_time) {
		snprintf(text, sizeof text, " +@%" PRId64, s->here.row.time_ns);
		if (l->n > before)
			line_puts(l, STYLE_TEXT, text);
	}
	return l->n > before;
}

static void
put_conditions(struct line *l, struct session *s)
{
	for (size_t i = 0; i < s->asks.n_conditions; i++)
		if (s->asks.condition[i].on && !s->asks.condition[i].is_range) {
			line_puts(l, STYLE_TEXT, " -f");
			quote_shell(l, s->asks.condition[i].text);
		}
	if (s->asks.range.has_begin)
		line_printf(l, STYLE_TEXT, " --begin @%" PRId64, s->asks.range.begin_ns);
	if (s->asks.range.has_end)
		line_printf(l, STYLE_TEXT, " --end @%" PRId64, s->asks.range.end_ns);
	line_puts(l, STYLE_TEXT, clock_option(s->settings.text.time));
	if (s->settings.text.utc)
		line_puts(l, STYLE_TEXT, " --clock-gmt");
}

static void
put_traces(struct line *l, struct session *s)
{
	if (s->options->title)
		quote_shell(l, s->options->title);
	else if (!s->options->reopen)
		line_puts(l, STYLE_TEXT, " --demo");
	for (size_t i = 0; !s->options->title && s->options->reopen && i < tn_set_trace_count(s->traces.set); i++)
		quote_shell(l, tn_trace_path(tn_set_trace(s->traces.set, i)));
}

/* ---- tables ---- */

static void
put_word(void *user, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	if (!*word || word[strspn(word, plain)]) {
		quote_shell(user, word);
		return;
	}
	line_puts(user, STYLE_TEXT, " ");
	line_puts(user, STYLE_TEXT, word);
}

void
cmdline_take(struct session *s, struct view *v)
{
	struct line l = { 0 };

	free(s->answers.table);
	s->answers.table = NULL;
	if (v->class->place != VIEW_SCREEN || v->class == &events_view)
		return;
	if (v->class->command && v->class->command(v, put_word, &l) && l.text)
		s->answers.table = strdup(l.text);
	else
		s->answers.table = strdup("");
	line_release(&l);
	free(s->answers.table_end);
	s->answers.table_end = NULL;
	if (v->class == &answers_view && s->answers.wish.other &&
	    (s->answers.wish.kind == ANSWER_DIFF || s->answers.wish.kind == ANSWER_SEQUENCE))
		put_word(&l, s->answers.wish.other);
	s->answers.table_end = l.text ? strdup(l.text) : NULL;
	line_release(&l);
}

static void
say_no_table(struct session *s)
{
	session_fail(s, "%s", _("no command prints this view: q goes back to the events, A shows tables"));
}

/* Append the command line of a table. @program: tnav's name or path for the shell. */
static void
put_table(struct line *l, struct session *s, const char *program)
{
	line_puts(l, STYLE_TEXT, program);
	line_puts(l, STYLE_TEXT, s->answers.table);
	put_conditions(l, s);
	put_traces(l, s);
	if (s->answers.table_end)
		line_puts(l, STYLE_TEXT, s->answers.table_end);
}

/*
 * Show the command line of the current view: with --print or, if --print cannot express it, for the browser. `y` then
 * copies it.
 */
void
cmdline_show(struct session *s)
{
	struct line l = { 0 }, more = { 0 };

	if (s->answers.table && !*s->answers.table) {
		say_no_table(s);
		return;
	}
	if (s->answers.table) {
		put_table(&l, s, "tnav");
	} else if (put_commands(&more, s)) {
		line_puts(&l, STYLE_TEXT, "tnav");
		put_conditions(&l, s);
		line_add(&l, STYLE_TEXT, more.text, more.n);
	} else {
		line_puts(&l, STYLE_TEXT, "tnav --print");
		put_conditions(&l, s);
	}
	if (!s->answers.table)
		put_traces(&l, s);
	free(s->copy_text);
	s->copy_text = l.text ? strdup(l.text) : NULL;
	session_say(s, _("%s\ny copies it"), l.text ? l.text : "");
	line_release(&l);
	line_release(&more);
}

/* ---- writing a table ---- */

struct making {
	char *command;
	char path[4096];	/* file that the command writes; "": it writes to the pipe */
	int out;		/* pipe for the command's output; -1: discard the output */
	char said[600];		/* last part of the command's error output */
	size_t n_said;
	int status, signal;	/* exit status, and signal that ended the command; 0: none */
};

static pid_t
start(const struct making *m, int err)
{
	pid_t child = fork();

	if (child == 0) {
		static const int usual[] = { SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGHUP, SIGXFSZ };
		int nothing = open("/dev/null", O_RDWR);
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
			signal(usual[i], SIG_DFL);
		setpgid(0, 0);	/* a process group of its own, because ^C is meant for the browser */
		dup2(nothing, STDIN_FILENO);
		dup2(m->out >= 0 ? m->out : nothing, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		execl("/bin/sh", "sh", "-c", m->command, (char *)NULL);
		_exit(127);
	}
	return child;
}

static void
hear(struct making *m, int fd)
{
	ssize_t n = read(fd, m->said + m->n_said, sizeof m->said - 1 - m->n_said);

	if (n <= 0)
		return;
	m->n_said += (size_t)n;
	if (m->n_said > sizeof m->said / 2) {
		m->n_said = sizeof m->said / 2;
		memmove(m->said, m->said + n, m->n_said);
	}
}

static void
making_run(struct job *job)
{
	struct making *m = job->data;
	int ends[2], status = 0;
	bool told = false;
	pid_t child, over;

	m->status = 1;
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) {
		job->code = TN_ERR_SYSTEM;
		snprintf(job->error.text, sizeof job->error.text, "pipe: %s", strerror(errno));
		return;
	}
	child = start(m, ends[1]);
	close(ends[1]);
	if (m->out >= 0)
		close(m->out);
	m->out = -1;
	while (child > 0 && (over = waitpid(child, &status, WNOHANG)) != child && !(over < 0 && errno != EINTR)) {
		struct pollfd p = { .fd = ends[0], .events = POLLIN };

		poll(&p, 1, 20);
		hear(m, ends[0]);
		if (job_stopped(job) && !told)
			told = kill(-child, SIGTERM) == 0 || kill(child, SIGTERM) == 0;
	}
	hear(m, ends[0]);
	close(ends[0]);
	m->said[m->n_said] = '\0';
	m->status = child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	m->signal = child > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Report the last line of the command's output. */
static void
making_finish(struct job *job)
{
	struct making *m = job->data;
	struct session *s = job->session;
	char *line;

	s->wish.redraw = true;
	while (m->n_said && m->said[m->n_said - 1] == '\n')
		m->said[--m->n_said] = '\0';
	line = strrchr(m->said, '\n') ? strrchr(m->said, '\n') + 1 : m->said;
	line += strncmp(line, "tnav: ", 6) == 0 ? 6 : 0;
	if (job->code < 0)
		session_fail(s, "%s", job->error.text);
	else if (m->signal)
		session_fail(s, _("the table was not written: signal %d (%s) ended the program"), m->signal,
			     strsignal(m->signal));
	else if (m->status && *line)
		session_fail(s, "%s", line);
	else if (m->status)
		session_fail(s, _("the table was not written: exit status %d"), m->status);
	else if (*m->path)
		session_say(s, *line ? _("the table is written to %s; %s") : _("the table is written to %s"), m->path, line);
}

static void
making_cancelled(struct job *job)
{
	session_say(job->session, "%s", _("stopped: the table is not written"));
	job->session->wish.redraw = true;
}

static void
making_free(void *data)
{
	struct making *m = data;

	if (m->out >= 0)
		close(m->out);
	free(m->command);
	free(m);
}

static const struct job_class making_class = {
	.label = N_("writing"), .everything = true,
	.run = making_run, .finish = making_finish, .cancelled = making_cancelled, .free = making_free,
};

static struct job *
make(struct session *s, const char *path, const char *format, bool force, int out)
{
	struct making *m = calloc(1, sizeof *m);
	char program[4096];
	struct line l = { 0 }, self = { 0 };
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);

	if (!m || n <= 0) {
		free(m);
		session_fail(s, "%s", n <= 0 ? _("tnav cannot find its own program: is /proc mounted?") : _("out of memory"));
		if (out >= 0)
			close(out);
		return NULL;
	}
	program[n] = '\0';
	m->out = out;
	snprintf(m->path, sizeof m->path, "%s", path);
	line_puts(&self, STYLE_TEXT, "exec");
	quote_shell(&self, program);
	put_table(&l, s, self.text ? self.text : "");
	if (*path) {
		line_puts(&l, STYLE_TEXT, " -w");
		quote_shell(&l, path);
	}
	if (force)
		line_puts(&l, STYLE_TEXT, " --force");
	if (*format) {
		line_puts(&l, STYLE_TEXT, " --output-format");
		quote_shell(&l, format);
	}
	m->command = l.text ? strdup(l.text) : NULL;
	line_release(&l);
	line_release(&self);
	if (m->command)
		return job_start(s, &making_class, m);
	making_free(m);
	session_fail(s, "%s", _("out of memory"));
	return NULL;
}

bool
cmdline_write(struct session *s, const char *path, const char *format, bool force)
{
	if (!s->answers.table)
		return false;
	if (!*s->answers.table)
		say_no_table(s);
	else if (!*path)
		session_fail(s, _("a file name is missing: w FILE"));
	else if (!force && access(path, F_OK) == 0)
		session_fail(s, _("%s already exists: w! overwrites it"), path);
	else
		make(s, path, format, force, -1);
	return true;
}

struct job *
cmdline_pipe(struct session *s, int fd)
{
	return make(s, "", "", false, fd);
}
