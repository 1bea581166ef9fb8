#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmdline.h"
#include "gettext.h"
#include "select/copy.h"
#include "shell.h"
#include "term/term.h"

/* Whether the command is a shell: lines of a trace must not be its input, because it would run them. */
static bool
is_shell(const char *text)
{
	static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "fish", "csh", "tcsh" };
	size_t n = strcspn(text, " \t;|&<>"), from = n;

	while (from > 0 && text[from - 1] != '/')
		from--;
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (strlen(shells[i]) == n - from && strncmp(text + from, shells[i], n - from) == 0)
			return true;
	return false;
}

/* Start a command. @in: its input; -1: the terminal. */
static pid_t
start(const char *text, int in)
{
	pid_t child = fork();

	if (child == 0) {
		static const int usual[] = { SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGHUP, SIGXFSZ };

		for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
			signal(usual[i], SIG_DFL);
		if (in >= 0)
			dup2(in, STDIN_FILENO);
		execl("/bin/sh", "sh", "-c", text, (char *)NULL);
		_exit(127);
	}
	return child;
}

/* Wait until the command ends; meanwhile the terminal's signal keys act on the command only. */
static void
wait_for(pid_t child)
{
	struct sigaction none = { .sa_handler = SIG_IGN }, former_int, former_quit;
	int status;

	sigaction(SIGINT, &none, &former_int);
	sigaction(SIGQUIT, &none, &former_quit);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &former_int, NULL);
	sigaction(SIGQUIT, &former_quit, NULL);
}

static void
await_enter(void)
{
	char c = 0;

	fputs(_("[Enter goes back]"), stdout);
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) == 1 && c != '\n' && c != '\r')
		;
}

void
shell_run(struct session *s, const char *text)
{
	bool alone = *text == '!';
	struct tn_str safe = { 0 };
	int ends[2] = { -1, -1 };
	pid_t child;

	text += alone;
	text += strspn(text, " \t");
	alone |= is_shell(text);
	if (!*text) {
		session_fail(s, "%s", _("write !COMMAND: wc -l, less, grep; it reads the selected or matching events"));
		return;
	}
	if (!alone && s->answers.table && !*s->answers.table) {
		session_fail(s, "%s",
			     _("this view has no table for a command: q goes back to the events, !!COMMAND runs alone"));
		return;
	}
	if (!alone && pipe2(ends, O_CLOEXEC) < 0) {
		session_fail(s, "pipe: %s", strerror(errno));
		return;
	}
	tn_text_safe(text, strlen(text), &safe);
	term_leave();
	printf("!%s\n", safe.text ? safe.text : "");
	fflush(stdout);
	tn_str_release(&safe);
	child = start(text, ends[0]);
	if (ends[0] >= 0)
		close(ends[0]);
	if (child < 0) {
		perror("tnav");
		if (ends[1] >= 0)
			close(ends[1]);
	} else {
		struct job *job = alone ? NULL : s->answers.table ? cmdline_pipe(s, ends[1]) : pipe_events(s, ends[1]);

		wait_for(child);
		job_drop(job);	/* the reader has ended */
	}
	await_enter();
	term_return();
}
