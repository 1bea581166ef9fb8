/*
 * gone TNAV TRACE - the terminal goes away under the browser: it ends, whether a signal says so or not
 * gone --signal N TNAV ARGUMENT... - a signal comes when the browser shows events: it dies of it
 * gone --show TNAV ARGUMENT... - what it writes to a terminal, on standard output
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_S 60	/* a browser that still runs then is killed */

struct scene {
	const char *name;
	bool controls;		/* the terminal is the controlling one, which sends SIGHUP */
	bool ignores;		/* SIGHUP is ignored, as nohup makes it */
	const char *keys;
	const char *until;	/* the picture before the terminal goes away */
	int signal;		/* that comes instead of that; 0: none */
};

static const struct scene scenes[] = {
	{ "a controlling terminal", true, false, "", "event", 0 },
	{ "nohup", true, true, "", "event", 0 },
	{ "no controlling terminal", false, false, "", "event", 0 },
	{ "at the start", false, false, "", "", 0 },
	{ "a prompt", false, false, "/zzz", "zzz", 0 },
	{ "half a key", false, false, "\033", "event", 0 },
	{ "following", false, false, "F", "follow", 0 },
};

static void
become_browser(const struct scene *scene, const char *side, char **command)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	int fd;

	setsid();
	fd = open(side, O_RDWR | O_NOCTTY);
	if (fd < 0 || (scene->controls && ioctl(fd, TIOCSCTTY, 0) < 0))
		_exit(99);
	ioctl(fd, TIOCSWINSZ, &size);
	signal(SIGHUP, scene->ignores ? SIG_IGN : SIG_DFL);
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
	setenv("TERM", "xterm", 1);
	execv(command[0], command);
	_exit(99);
}

static char shown[1 << 16];
static size_t n_shown;

/* Read until the browser has shown @text; false when it ends before. */
static bool
read_until(int terminal, const char *text)
{
	while (n_shown == 0 || !memmem(shown, n_shown, text, strlen(text))) {
		ssize_t k = read(terminal, shown + n_shown, sizeof shown - n_shown);

		if (k <= 0)
			return false;
		n_shown += (size_t)k;
	}
	return true;
}

static pid_t browser;

static void
on_alarm(int number)
{
	(void)number;
	kill(browser, SIGKILL);
}

static bool
play(const struct scene *scene, char **command)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), status = 0;
	const char *side;
	bool seen;
	int other;

	if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0) {
		perror("gone: a terminal");
		return false;
	}
	/* Both sides are open at once: a read of one never sees that the other is not there yet. */
	side = ptsname(terminal);
	other = open(side, O_RDWR | O_NOCTTY | O_CLOEXEC);
	n_shown = 0;
	browser = fork();
	if (browser == 0)
		become_browser(scene, side, command);
	alarm(PATIENCE_S);
	seen = read_until(terminal, "") && write(terminal, scene->keys, strlen(scene->keys)) >= 0 &&
	       read_until(terminal, scene->until);
	if (scene->signal) {
		kill(browser, scene->signal);
		/* It gives the terminal back, which takes reading. */
		close(other);
		read_until(terminal, "there is no such text");
	} else {
		close(other);
	}
	close(terminal);
	while (waitpid(browser, &status, 0) < 0 && errno == EINTR)
		;
	alarm(0);
	if (seen && (scene->signal ? WIFSIGNALED(status) && WTERMSIG(status) == scene->signal :
				     WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGHUP))
		return true;
	printf("%s: %s, and %s %d\n", scene->name, seen ? "shown" : "not shown",
	       WIFEXITED(status) ? "exit status" : "signal", WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	return false;
}

/* The command's output to a terminal. */
static int
show(char **command)
{
	static const struct scene scene = { .name = "show" };
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), status = 0, other;
	ssize_t k;

	if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0)
		return 2;
	other = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
	browser = fork();
	if (browser == 0)
		become_browser(&scene, ptsname(terminal), command);
	alarm(PATIENCE_S);
	close(other);
	while ((k = read(terminal, shown, sizeof shown)) > 0)
		fwrite(shown, 1, (size_t)k, stdout);
	while (waitpid(browser, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int
main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_alarm };
	int passed = 0, failed = 0;

	if (argc < 3)
		return 2;
	sigaction(SIGALRM, &action, NULL);
	if (strcmp(argv[1], "--show") == 0)
		return show(argv + 2);
	if (argc > 4 && strcmp(argv[1], "--signal") == 0) {
		const struct scene scene = { "a signal", false, false, "", "event", atoi(argv[2]) };

		return !play(&scene, argv + 3);
	}
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
		bool ok = play(&scenes[i], argv + 1);

		passed += ok;
		failed += !ok;
	}
	printf("gone: %d passed, %d failed\n", passed, failed);
	return failed > 0;
}
