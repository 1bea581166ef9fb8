/*
 * play.c - the whole program in one process, on a terminal that is made up: keys in, rows of text out
 *
 *	tests/browser/play FILE.play...		each file: its keys are pressed, what is shown is compared
 *	UPDATE=1 tests/browser/play FILE...	what is shown is written into the files (then read the diff)
 *	tests/browser/play -f STEP FILE...	calls of the system fail instead, at every STEP-th place in the program
 *
 * A run takes milliseconds: there is no process, no terminal and no ncurses (all that is held by tests/screen). A line each:
 *
 *   # comment
 *   size 80x24, term 8			before `run`; the colours of the terminal: 0, 8, 256
 *   env NAME=VALUE, config TEXT		before `run`; TEXT is a line of the configuration file
 *   file NAME TEXT			before `run`: a line of a file in the folder of the test
 *   append NAME TEXT			the same later
 *   run ARG...				tnav with these; %20 is a blank, SMALL a trace of one of each kind
 *					(tests/make/small_trace.c), CASE:golden/ctf1/x that of a golden case, FOLDER the folder
 *					of the test
 *   print ARG...			the same without a terminal
 *   keys TEXT				each character is a key; <Enter>, <Esc>, <Left>, <C-f>, <M-x>, <Space>, <lt> are others
 *   paste TEXT
 *   flood N				N characters of four bytes are pasted
 *   mouse WHAT BUTTON ROW COL		WHAT: press, drag, release, up, down; from 0
 *   resize 40x10
 *   hold				the job of columns waits with the next row, as a slow one would, until
 *   release
 *   narrow				what is shown is drawn in 12 to 1 columns, in all rows and in two, then as before
 *   end				tnav has ended by itself, with 0 (exit N: with N)
 *   ends N				the same, with N
 *
 * and what is compared, the lines behind it that begin with '|':
 *
 *   screen				all rows but the empty ones at the end
 *   row N				from 1; below 0: from the last one
 *   rows A B
 *   styles N				the row with a letter a cell for what it looks like, the letters told behind it
 *   cursor				its row and column, from 1; or that it is hidden
 *   sent				what went to the terminal besides the screen
 *   stdout, stderr			behind `end`
 *   read NAME				a file of the folder of the test
 *
 * With -f nothing is compared: tnav goes on or ends, with a word where it does not end well.
 */
#include <config.h>

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#endif
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../faults/faults.h"
#include "../make/small_trace.h"
#include "play.h"

#define PLACES (1 << 16)	/* where calls come from */

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

struct script *now;
bool faulty;
char folder[64], home[LINE];
int real_out = STDOUT_FILENO;
_Thread_local bool outside = false;
static char top[LINE];
static int last_status = -1;	/* of the program that ran */

/* ---- where calls fail ---- */

static uint64_t place[PLACES];	/* hashes of the places, in the order of their first call */
static size_t n_places;
static uint64_t target;		/* a call from there fails, once; 0: places are noted */
static bool noting, hit, verbose;
static pthread_mutex_t places_lock = PTHREAD_MUTEX_INITIALIZER;

static bool
choose(int kind)
{
#if __has_include(<execinfo.h>)
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)kind;
	void *frame[7];
	bool fails = false;
	int n;

	if (outside)
		return false;
	n = backtrace(frame, 7);
	for (int i = 2; i < n; i++)
		hash = (hash ^ (uint64_t)(uintptr_t)frame[i]) * UINT64_C(0x100000001b3);
	hash |= 1;
	pthread_mutex_lock(&places_lock);
	if (noting) {
		size_t i = 0;

		while (i < n_places && place[i] != hash)
			i++;
		if (i == n_places && n_places < PLACES)
			place[n_places++] = hash;
	} else if (target && hash == target && !hit) {
		hit = fails = true;
		if (verbose)
			backtrace_symbols_fd(frame + 1, n - 1, real_out);
	}
	pthread_mutex_unlock(&places_lock);
	return fails;
#else
	(void)kind;
	return false;
#endif
}

/* ---- running tnav ---- */

static void
clean(const char *path)
{
	char command[LINE];

	put_text(command, sizeof command, "rm -rf '%s'", path);
	(void)!system(command);
}

static void
write_small(const char *path)
{
	struct small_trace trace;
	struct tn_error err;

	if (!small_trace_make(&trace, &err)) {
		printf("play: %s\n", err.text);
		exit(2);
	}
	mkdir(path, 0755);
	for (int i = 0; i < 3; i++) {
		char name[LINE];
		FILE *f;

		put_text(name, sizeof name, "%s/%s", path, trace.file[i].name);
		f = fopen(name, "w");
		if (f) {
			fwrite(trace.file[i].bytes, 1, trace.file[i].size, f);
			fclose(f);
		}
	}
	small_trace_release(&trace);
}

/* The replacement for the path of a trace; made once. */
static void
find_trace(char *word)
{
	char path[LINE], command[3 * LINE];

	if (strcmp(word, "SMALL") == 0) {
		put_text(word, LINE, "%s/small", home);
		if (access(word, F_OK) != 0)
			write_small(word);
	} else if (strncmp(word, "CASE:", 5) == 0) {
		put_text(path, sizeof path, "%s/%s", home, word + 5);
		for (char *p = path + strlen(home) + 1; *p; p++)
			if (*p == '/')
				*p = '-';
		put_text(command, sizeof command, "perl %s/tests/golden/run --make %s %s/tests/%s.tnt", top, path, top, word + 5);
		if (access(path, F_OK) != 0 && system(command) != 0)
			fail("no case ", word);
		put_text(word, LINE, "%s", path);
	} else if (strstr(word, "FOLDER")) {
		size_t at = (size_t)(strstr(word, "FOLDER") - word);

		put_text(path, sizeof path, "%.*s%s%s", (int)at, word, folder, word + at + 6);
		put_text(word, LINE, "%s", path);
	}
}

/* Descriptors that are open. */
static int
open_files(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void
run(char *rest, bool tty)
{
	static char word[32][LINE];
	char *argv[40], path[LINE];
	int argc = 0, out, err, before, old_out = dup(STDOUT_FILENO), old_err = dup(STDERR_FILENO);
	sigset_t set;

	argv[argc++] = (char *)"tnav";
	argv[argc++] = (char *)"--threads=1";
	for (char *p = strtok(rest, " "); p && argc < 32; p = strtok(NULL, " ")) {
		char *w = word[argc];

		put_text(w, LINE, "%s", p);
		for (char *s; (s = strstr(w, "%20")); )
			*s = ' ', memmove(s + 1, s + 3, strlen(s + 3) + 1);
		find_trace(w);
		argv[argc++] = w;
	}
	argv[argc] = NULL;
	real_out = old_out;
	fflush(stdout);
	put_text(path, sizeof path, "%s/stdout", folder);
	out = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	put_text(path, sizeof path, "%s/stderr", folder);
	err = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	t.tty = tty;
	t.leaving = t.left = t.stuck = false;
	t.taken = 0;
	t.n = t.next = t.n_said = 0;
	t.canvas = (struct canvas) { .rows = 0 };
	while (__real_read(t.idle, path, sizeof path) > 0)
		;
	optind = 0;
	before = open_files();
	outside = false;
	last_status = __real_main(argc, argv);
	outside = true;
	before = open_files() - before;
	fflush(stdout);
	fflush(stderr);
	dup2(old_out, STDOUT_FILENO);
	dup2(old_err, STDERR_FILENO);
	real_out = STDOUT_FILENO;
	close(old_out);
	close(old_err);
	clearerr(stdout);
	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	if (before) {
		printf("%s:%d: %d files are still open\n", now->path, now->number, before);
		now->failed = true;
	}
}

/* One file, from its begin; what is before `run` is said once for all runs in it. */
static void
play(struct script *s)
{
	char line[LINE], path[LINE];

	now = s;
	s->at = s->text;
	s->number = 0;
	s->out.n = 0;
	t.rows = 24;
	t.cols = 80;
	t.colors = 256;
	strcpy(folder, "/tmp/tnav-play-XXXXXX");
	if (!mkdtemp(folder)) {
		perror(folder);
		exit(2);
	}
	setenv("HOME", folder, 1);
	setenv("top", top, 1);
	unsetenv("DIES");
	put_text(path, sizeof path, "%s/config", folder);
	setenv("XDG_CONFIG_HOME", path, 1);
	mkdir(path, 0755);
	put_text(path, sizeof path, "%s/config/tnav", folder);
	mkdir(path, 0755);
	put_text(path, sizeof path, "%s/cache", folder);
	setenv("XDG_CACHE_HOME", path, 1);
	put_text(path, sizeof path, "%s/state", folder);
	setenv("XDG_STATE_HOME", path, 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("TERM", "xterm-256color", 1);
	t.sent.n = 0;
	last_status = -1;
	while (next_line(line)) {
		char *rest = line + strcspn(line, " "), *value;

		if (*rest)
			*rest++ = '\0';
		if (strcmp(line, "size") == 0) {
			if (sscanf(rest, "%dx%d", &t.cols, &t.rows) != 2)
				fail("no size: ", rest);
		} else if (strcmp(line, "term") == 0) {
			t.colors = atoi(rest);
		} else if (strcmp(line, "env") == 0) {
			value = rest + strcspn(rest, "=");
			if (*value) {
				*value++ = '\0';
				setenv(rest, value, 1);
			} else {
				unsetenv(rest);
			}
		} else if (strcmp(line, "config") == 0) {
			write_line("config/tnav/config", rest);
		} else if (strcmp(line, "file") == 0 || strcmp(line, "append") == 0) {
			char name[256];

			put_text(name, sizeof name, "%.*s", (int)strcspn(rest, " "), rest);
			write_line(name, strchr(rest, ' ') ? strchr(rest, ' ') + 1 : "");
		} else if (strcmp(line, "run") == 0 || strcmp(line, "print") == 0) {
			run(rest, *line == 'r');
			if (faulty && last_status) {
				struct stat st;

				put_text(path, sizeof path, "%s/stderr", folder);
				if (stat(path, &st) == 0 && !st.st_size && last_status < 128) {
					printf("%s:%d: exit status %d without a word\n", s->path, s->number, last_status);
					s->failed = true;
				}
			}
			if (!faulty && last_status && !getenv("UPDATE") && strncmp(s->at, "ends", 4) != 0) {
				fail("another exit status than 0: ", rest);
				compare_file("stderr");
			}
		} else if (strcmp(line, "ends") == 0 || strcmp(line, "end") == 0) {
			if (getenv("UPDATE") && *line == 'e' && line[3] == 's') {
				s->out.n -= strlen(rest) + 1;
				tn_str_printf(&s->out, "%d\n", last_status);
			} else if (last_status != atoi(rest)) {
				put_text(path, sizeof path, "%d, not %s", last_status, rest);
				fail("exit status ", path);
			}
		} else if (strcmp(line, "stdout") == 0 || strcmp(line, "stderr") == 0) {
			compare_file(line);
		} else if (strcmp(line, "read") == 0) {
			compare_file(rest);
		} else if (t.leaving || faulty) {
			;	/* it has ended early */
		} else {
			fail("no such line: ", line);
		}
	}
	clean(folder);
}

static bool
load(struct script *s, char *path)
{
	FILE *f = fopen(path, "r");
	size_t n;

	*s = (struct script) { .path = path, .text = calloc(1, 1 << 20) };
	if (!f || !s->text) {
		perror(path);
		return false;
	}
	n = fread(s->text, 1, (1 << 20) - 1, f);
	s->text[n] = '\0';
	fclose(f);
	return true;
}

static void
store(struct script *s)
{
	FILE *f = fopen(s->path, "w");

	if (!f) {
		perror(s->path);
		return;
	}
	fwrite(s->out.text, 1, s->out.n, f);
	fclose(f);
}

/* Report the place, and keep other reports. */
static void
on_crash(int number)
{
	char text[128];
	int n = put_text(text, sizeof text, "%s: signal %d\n", now ? now->path : "", number);

	(void)!__real_write(real_out, text, (size_t)n);
#if __has_include(<execinfo.h>)
	{
		void *frame[24];

		backtrace_symbols_fd(frame, backtrace(frame, 24), real_out);
	}
#endif
	_exit(3);
}

/* One run for every @step-th place that calls something that can fail, and that no file before has come to. */
static unsigned long
play_with_faults(struct script *s, size_t step)
{
	const char *only = getenv("FAULTS_ONLY");
	size_t first = n_places;
	unsigned long runs = 0;

	faulty = true;
	noting = true;
	target = 0;
	faults_choose(choose);
	play(s);
	noting = false;
	for (size_t i = only ? strtoul(only, NULL, 10) : (first + step - 1) / step * step; i < n_places; i += step) {
		hit = false;
		target = place[i];
		if (verbose)
			printf("%s: place %zu, of %zu to %zu\n", s->path, i, first, n_places);
		alarm(120);
		play(s);
		alarm(0);
		runs++;
		if (only)
			break;
	}
	target = 0;
	faults_choose(NULL);
	return runs;
}

int
__wrap_main(int argc, char **argv)
{
	size_t step = 0;
	int first = 1, failures = 0;
	unsigned long runs = 0;
	char path[LINE + 8];

	outside = true;
	verbose = getenv("FAULTS_VERBOSE") != NULL;
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGSEGV, on_crash);
	signal(SIGABRT, on_crash);
	signal(SIGALRM, on_crash);
	if (argc > 2 && strcmp(argv[1], "-f") == 0) {
		step = strtoul(argv[2], NULL, 10);
		step = step ? step : 1;
		first = 3;
	}
	/* Run by the browser that is tested. */
	if (getenv("DIES"))
		raise(SIGKILL);
	if (!getenv("top") || !realpath(getenv("top"), top)) {
		printf("play: tests/browser/run says where the sources are\n");
		return 2;
	}
	strcpy(home, "/tmp/tnav-play-traces-XXXXXX");
	if (!mkdtemp(home) || pipe(t.wake) != 0)
		return 2;
	fcntl(t.wake[0], F_SETFL, O_NONBLOCK);
	fcntl(t.wake[1], F_SETFL, O_NONBLOCK);
	put_text(path, sizeof path, "%s/idle", home);
	if (mkfifo(path, 0600) != 0 || (t.idle = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)) < 0)
		return 2;
	setenv("TNAV_TEST_IDLE", path, 1);
	setenv("TZ", "UTC", 1);
#if __has_include(<execinfo.h>)
	{
		void *frame[2];

		backtrace(frame, 2);	/* which allocates the first time */
	}
#endif
	for (int i = first; i < argc; i++) {
		struct script s;

		if (!load(&s, argv[i])) {
			failures++;
			continue;
		}
		if (step)
			runs += play_with_faults(&s, step);
		else
			play(&s);
		failures += s.failed;
		if (getenv("UPDATE") && !step && !s.failed)
			store(&s);
		tn_str_release(&s.out);
		free(s.text);
	}
	clean(home);
	if (step)
		printf("browser: %lu runs with a fault, %d failed\n", runs, failures);
	else
		printf("browser: %d passed, %d failed\n", argc - first - failures, failures);
	tn_str_release(&t.sent);
	return failures > 0;
}
