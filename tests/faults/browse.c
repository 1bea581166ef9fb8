/*
 * browse SCRIPT COMMAND... - play keys to a browser in a terminal of 80x24, and tell how it ended
 *
 * Each line of the file SCRIPT is typed at once (\e is Escape, \r Enter), when the browser has done all before: it says
 * so in the pipe that TNAV_TEST_IDLE names; one that says nothing is waited for until its screen is still. A line that
 * begins with a ! is a command for a shell, which is waited for; one that begins with a + is typed a moment after the one
 * before, whatever that does; =COLSxROWS is another size of the terminal. Then C-c, Escape and Q. Standard output: "exit N" or "signal N" or "hangs", and "restored" when the terminal is as it was: its
 * modes, the screen that was there before, a cursor that is shown.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define STILL_MS 300		/* a browser that does not say when it is idle */
#define START_MS 2000		/* the same before it has said or shown anything: it may not read keys yet */
#define AGAIN_MS 3000		/* it should end, and did not: an Escape may have become part of the next key */
#define KEY_MS 15000		/* time limit for one line */
#define END_MS 30000
#define MOMENT_MS 20		/* before what is typed without waiting */

static int terminal, idle;
static pid_t browser;
static int status;
static bool ended, other_screen, hidden;
static char last[64];		/* the browser's last output in the pipe */

static long
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The switches between screens, and of the cursor, may come in parts: the end of what came before is kept. */
static void
look_at(const char *text, size_t n)
{
	static char kept[16 + 65536];
	static size_t n_kept;
	static const struct { const char *text; bool *what, to; } switches[] = {
		{ "\033[?1049h", &other_screen, true }, { "\033[?1049l", &other_screen, false },
		{ "\033[?25l", &hidden, true }, { "\033[?25h", &hidden, false },
	};

	memcpy(kept + n_kept, text, n);
	n += n_kept;
	for (size_t i = n_kept > 8 ? n_kept - 8 : 0; i < n; i++)
		for (size_t k = 0; k < sizeof switches / sizeof *switches; k++)
			if (n - i >= strlen(switches[k].text) && memcmp(kept + i, switches[k].text, strlen(switches[k].text)) == 0)
				*switches[k].what = switches[k].to;
	n_kept = n < 15 ? n : 15;
	memmove(kept, kept + n - n_kept, n_kept);
}

/* Read what there is; false: nothing for so long. */
static bool
take(int ms)
{
	static char text[65536];
	struct pollfd p[2] = { { .fd = terminal, .events = POLLIN }, { .fd = idle, .events = POLLIN } };
	bool some = false;
	ssize_t n;

	if (poll(p, 2, ms) <= 0)
		return false;
	if (p[0].revents && (n = read(terminal, text, sizeof text)) > 0) {
		look_at(text, (size_t)n);
		some = true;
	}
	if ((p[1].revents & POLLIN) && (n = read(idle, text, sizeof text - 1)) > 0) {
		char *line;

		text[n] = '\0';
		for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
			snprintf(last, sizeof last, "%s", line);
		some = true;
	}
	if (!some)
		usleep(1000);	/* the other side is closed: it ends */
	return some;
}

static bool
has_ended(void)
{
	return ended || (ended = waitpid(browser, &status, WNOHANG) == browser);
}

static void
settle(unsigned sent)
{
	long from = now_ms(), moved = from;

	while (!has_ended() && now_ms() - from < KEY_MS) {
		if (take(20))
			moved = now_ms();
		else if (*last ? (unsigned)atoi(last) == sent || now_ms() - moved > 5 * STILL_MS :
				 now_ms() - moved > (sent ? STILL_MS : START_MS))
			return;
	}
}

static unsigned
type(char *line)
{
	char *to = line;

	for (const char *p = line; *p && *p != '\n'; p++)
		if (*p == '\\' && p[1] == 'e')
			*to++ = '\033', p++;
		else if (*p == '\\' && p[1] == 'r')
			*to++ = '\r', p++;
		else
			*to++ = *p;
	if (write(terminal, line, (size_t)(to - line)) < 0)
		return 0;
	return (unsigned)(to - line);
}

static void
resize(const char *text)
{
	struct winsize size = { 0 };

	if (sscanf(text, "%hux%hu", &size.ws_col, &size.ws_row) == 2)
		ioctl(terminal, TIOCSWINSZ, &size);
}

/* One line of the script; false: the shell could not do what it says. */
static bool
play(char *line, unsigned *sent)
{
	long from = now_ms();

	switch (*line) {
	case '!':
		if (system(line + 1) != 0)
			return false;
		break;
	case '=': resize(line + 1); break;
	case '+':
		while (!has_ended() && now_ms() - from < MOMENT_MS)
			take(MOMENT_MS);
		*sent += type(line + 1);
		return true;
	default: *sent += type(line); break;
	}
	settle(*sent);
	return true;
}

static void
become_browser(const char *side, char **command)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	int fd;

	setsid();
	fd = open(side, O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSWINSZ, &size) < 0)
		_exit(98);
	dup2(fd, 0);
	dup2(fd, 1);
	if (!getenv("BROWSE_STDERR"))
		dup2(fd, 2);
	if (fd > 2)
		close(fd);
	setenv("TERM", "xterm-256color", 1);
	execv(command[0], command);
	_exit(98);
}

int
main(int argc, char **argv)
{
	const char *pipe = getenv("TNAV_TEST_IDLE");
	FILE *script = argc > 2 ? fopen(argv[1], "r") : NULL;
	struct termios before, after;
	char line[512], leave[][8] = { "\003", "\\e", "Q" };
	unsigned sent = 0;
	const char *side;
	long from, again;
	int other;

	if (!script || !pipe || (mkfifo(pipe, 0600) < 0 && errno != EEXIST))
		return 2;
	idle = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (idle < 0 || terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0)
		return 2;
	side = ptsname(terminal);
	other = open(side, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (other < 0 || tcgetattr(other, &before) < 0)
		return 2;
	browser = fork();
	if (browser == 0)
		become_browser(side, argv + 2);
	settle(0);
	while (!has_ended() && fgets(line, sizeof line, script))
		if (!play(line, &sent))
			return 2;
	for (size_t i = 0; i < 3 && !has_ended(); i++) {
		sent += type(leave[i]);
		settle(sent);
	}
	for (from = again = now_ms(); !has_ended() && now_ms() - from < END_MS; take(20))
		if (now_ms() - again > AGAIN_MS) {
			again = now_ms();
			type(leave[2]);
		}
	while (take(0))
		;
	if (!has_ended()) {
		kill(browser, SIGKILL);
		puts("hangs");
		return 1;
	}
	if (WIFSIGNALED(status))
		printf("signal %d\n", WTERMSIG(status));
	else
		printf("exit %d\n", WEXITSTATUS(status));
	if (tcgetattr(other, &after) == 0 && after.c_lflag == before.c_lflag && after.c_iflag == before.c_iflag &&
	    after.c_oflag == before.c_oflag && !other_screen && !hidden)
		puts("restored");
	else
		printf("not restored:%s%s\n", other_screen ? " another screen" : "", hidden ? " no cursor" : "");
	return 0;
}
