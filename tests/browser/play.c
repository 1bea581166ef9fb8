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
 *   mouse WHAT BUTTON ROW COL		WHAT: press, drag, release, up, down; from 0
 *   resize 40x10
 *   end				tnav has ended by itself, with 0 (exit N: with N)
 *   ends N				the same, with N
 *
 * and what is compared, the lines behind it that begin with '|':
 *
 *   screen				all rows but the empty ones at the end
 *   row N				from 1; below 0: from the last one
 *   rows A B
 *   styles N				the row with a letter a cell for what it looks like, the letters told behind it
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
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../faults/faults.h"
#include "../make/small_trace.h"
#include "screen/canvas.h"
#include "screen/escape.h"
#include "screen/key.h"
#include "term/term.h"

#define LINE 4096
#define ROWS 200
#define STALE_MS 100		/* nobody is waited for any longer: with faults what is waited for may never come */
#define PLACES (1 << 16)	/* where calls come from */

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);
ssize_t __real_read(int fd, void *p, size_t n);
ssize_t __real_write(int fd, const void *p, size_t n);
int __real_isatty(int fd);
int __wrap_isatty(int fd);

struct script {
	char *path, *text, *at;		/* the next line */
	int number;			/* of the line */
	struct tn_str out;		/* with what was shown, for UPDATE */
	bool failed;
};

/* The terminal. */
static struct {
	int rows, cols, colors;
	struct canvas canvas;	/* as it was drawn last */
	bool drawn, running, tty, leaving, left;
	bool stuck;			/* it did not get ready once, with a fault */
	uint32_t key[LINE];
	struct mouse mouse[LINE], last_mouse;
	size_t n, next;
	unsigned long taken;		/* keys that the browser counts */
	int wake[2];
	int idle;
	char said[256];
	size_t n_said;
	struct tn_str sent;
} t = { .wake = { -1, -1 }, .idle = -1 };

static struct script *now;
static bool faulty;		/* calls fail: nothing is compared */
static char folder[64], top[LINE], home[LINE];
static int last_status = -1, real_out = STDOUT_FILENO;	/* of the program that ran; standard output while it runs */

/* Names of files are short here. */
static int put_text(char *room, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static int
put_text(char *room, size_t size, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(room, size, format, ap);
	va_end(ap);
	return n;
}

/* ---- where calls fail ---- */

static uint64_t place[PLACES];	/* hashes of the places, in the order of their first call */
static size_t n_places;
static uint64_t target;		/* a call from there fails, once; 0: places are noted */
static bool noting, hit, verbose;
static _Thread_local bool outside = false;	/* of the program: here */
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

/* ---- the script ---- */

static void
fail(const char *what, const char *more)
{
	if (faulty)
		return;
	dprintf(real_out, "%s:%d: %s%s\n", now->path, now->number, what, more);	/* standard output may be tnav's */
	now->failed = true;
}

/* The next line, in @line; false at the end. Lines with a '|' in front belong to the one before. */
static bool
next_line(char line[LINE])
{
	for (;;) {
		size_t n = strcspn(now->at, "\n");

		if (!*now->at)
			return false;
		now->number++;
		if (*now->at != '|') {
			tn_str_add(&now->out, now->at, n);
			tn_str_add(&now->out, "\n", 1);
		}
		put_text(line, LINE, "%.*s", (int)n, now->at);
		now->at += n + (now->at[n] == '\n');
		if (*line && *line != '#' && *line != '|')
			return true;
	}
}

/* Compare @shown, lines, with what stands behind the line. */
static void
compare(const char *shown)
{
	bool same = true;
	char *at = now->at;
	const char *s = shown;

	while (*at == '|') {
		size_t n = strcspn(++at, "\n"), m = strcspn(s, "\n");

		same = same && *s && n == m && memcmp(at, s, n) == 0;
		s += m + (s[m] == '\n');
		at += n + (at[n] == '\n');
	}
	same = same && !*s;
	for (s = shown; *s; s += strcspn(s, "\n") + (s[strcspn(s, "\n")] == '\n')) {
		tn_str_printf(&now->out, "|%.*s\n", (int)strcspn(s, "\n"), s);
	}
	if (!same && !getenv("UPDATE")) {
		fail("another is shown:", "");
		if (!faulty)
			dprintf(real_out, "%s", shown);
	}
}

static void
replace(char *text, const char *what, const char *by)
{
	for (char *p = text; (p = strstr(p, what)); ) {
		size_t n = strlen(what), m = strlen(by);

		memcpy(p, by, m);
		memmove(p + m, p + n, strlen(p + n) + 1);
	}
}

/* Names of temporary folders. */
static void
steady(char *text)
{
	replace(text, home, "TRACES");
	replace(text, folder, "FOLDER");
}

static void
compare_file(const char *name)
{
	char path[LINE];
	static char text[1 << 18];
	FILE *f;
	size_t n;

	put_text(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "r");
	n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	text[n] = '\0';
	if (f)
		fclose(f);
	else if (!faulty)
		put_text(text, sizeof text, "(no file %s)\n", name);
	steady(text);
	compare(text);
}

static void
write_line(const char *name, const char *text)
{
	char path[LINE];
	FILE *f;

	put_text(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "a");
	if (f) {
		fprintf(f, "%s\n", text);
		fclose(f);
	}
}

static void
compare_rows(int from, int to)
{
	struct tn_str all = { 0 };
	int rows = t.canvas.rows;
	char *room = malloc(LINE * 4);

	from = from < 0 ? rows + from : from - 1;
	to = to < 0 ? rows + to : to - 1;
	for (int i = from; room && i <= to; i++) {
		size_t n = i >= 0 && i < rows ? canvas_row_text(&t.canvas, i, room, LINE * 4) : 0;

		tn_str_printf(&all, "%.*s\n", (int)n, room);
	}
	while (to - from > 0 && all.n > 1 && all.text[all.n - 2] == '\n')
		all.text[--all.n] = '\0';
	if (all.text)
		steady(all.text);
	compare(tn_str_text(&all));
	tn_str_release(&all);
	free(room);
}

static void
compare_styles(int row)
{
	char text[1024], legend[1024] = "";
	unsigned known[26], n = 0;
	size_t used = 0;

	row = row < 0 ? t.canvas.rows + row : row - 1;
	for (int i = 0; i < t.canvas.cols && i < 1000 && row >= 0 && row < t.canvas.rows; i++) {
		unsigned style = t.canvas.cell[row * t.canvas.cols + i].style, k = 0;

		while (k < n && known[k] != style)
			k++;
		if (k == n && n < 26) {
			known[n++] = style;
			used += (size_t)put_text(legend + used, sizeof legend - used, " %c=%x", 'a' + (int)k, style);
		}
		text[i] = (char)('a' + k);
		text[i + 1] = '\0';
	}
	strcat(text, "\n");
	strcat(legend, "\n");
	strncat(text, legend, sizeof text - strlen(text) - 1);
	compare(text);
}

static void
add_key(uint32_t key)
{
	if (t.n < LINE)
		t.key[t.n++] = key;
}

static void
add_keys(const char *text)
{
	while (*text) {
		uint32_t key[KEY_SEQUENCE];
		char name[64];
		const char *bad;
		size_t n = 1, keys;

		if (*text == '<') {
			n = strcspn(text, ">") + 1;
			if (strncmp(text, "<C-", 3) == 0)
				put_text(name, sizeof name, "^%c", text[3]);
			else
				put_text(name, sizeof name, "%.*s", (int)n, text);
		} else {
			while ((text[n] & 0xc0) == 0x80)
				n++;
			put_text(name, sizeof name, "%.*s", (int)n, text);
		}
		if (*text == '^' || *text == ' ') {
			keys = 1;
			key[0] = (uint32_t)*text;
		} else {
			keys = keys_parse(key, name, &bad);
		}
		if (!keys)
			fail("no such key: ", name);
		for (size_t i = 0; i < keys; i++)
			add_key(key[i]);
		text += n;
	}
}

static void
add_mouse(const char *text)
{
	static const struct { const char *name; enum mouse_what what; } names[] = {
		{ "press", MOUSE_PRESS }, { "drag", MOUSE_DRAG }, { "release", MOUSE_RELEASE },
		{ "up", MOUSE_WHEEL_UP }, { "down", MOUSE_WHEEL_DOWN },
	};
	char name[16];
	struct mouse m = { 0 };

	if (sscanf(text, "%15s %d %d %d", name, &m.button, &m.row, &m.col) != 4) {
		fail("no mouse: ", text);
		return;
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i].name) == 0)
			m.what = names[i].what;
	t.mouse[t.n] = m;
	add_key(K_MOUSE);
}

/* The browser waits for keys: read on, until there are some. False: none will come. */
static bool
more_keys(void)
{
	char line[LINE];

	while (t.next == t.n) {
		char *rest;
		int a, b;

		t.next = t.n = 0;
		if (t.leaving)
			return false;
		{
			char *before = now->at;
			int number = now->number;
			size_t n = now->out.n;

			/* What waits for the end leaves it to tnav. */
			if (!next_line(line) || strncmp(line, "end", 3) == 0 || strncmp(line, "run", 3) == 0 || strncmp(line, "print", 5) == 0) {
				t.leaving = true;
				if (now->at != before) {
					now->at = before;
					now->number = number;
					now->out.n = n;
					now->out.text[n] = '\0';
				}
				if (strncmp(line, "end", 3) == 0 && *before)
					return false;
				add_keys("<C-c><Esc>Q");
				return true;
			}
		}
		rest = line + strcspn(line, " ");
		if (*rest)
			*rest++ = '\0';
		if (strcmp(line, "keys") == 0) {
			add_keys(rest);
		} else if (strcmp(line, "paste") == 0) {
			for (; *rest; rest++)
				add_key((uint32_t)*rest | K_PASTED);
		} else if (strcmp(line, "mouse") == 0) {
			add_mouse(rest);
		} else if (strcmp(line, "resize") == 0) {
			if (sscanf(rest, "%dx%d", &t.cols, &t.rows) == 2)
				add_key(K_RESIZE);
		} else if (strcmp(line, "append") == 0) {
			char name[64];

			put_text(name, sizeof name, "%.*s", (int)strcspn(rest, " "), rest);
			write_line(name, strchr(rest, ' ') ? strchr(rest, ' ') + 1 : "");
		} else if (strcmp(line, "screen") == 0) {
			compare_rows(1, -1);
		} else if (strcmp(line, "row") == 0) {
			compare_rows(atoi(rest), atoi(rest));
		} else if (sscanf(rest, "%d %d", &a, &b) == 2 && strcmp(line, "rows") == 0) {
			compare_rows(a, b);
		} else if (strcmp(line, "styles") == 0) {
			compare_styles(atoi(rest));
		} else if (strcmp(line, "read") == 0) {
			compare_file(rest);
		} else if (strcmp(line, "sent") == 0) {
			struct tn_str safe = { 0 };

			for (size_t i = 0; i < t.sent.n; i++)
				tn_str_printf(&safe, (unsigned char)t.sent.text[i] < 32 ? "\\%03o" : "%c", (unsigned char)t.sent.text[i]);
			tn_str_add(&safe, "\n", 1);
			compare(tn_str_text(&safe));
			tn_str_release(&safe);
			t.sent.n = 0;
		} else {
			fail("no such line here: ", line);
		}
	}
	return true;
}

/* ---- the terminal ---- */

bool __wrap_term_start(bool color, enum background background, char *why, size_t size);
void __wrap_term_colors(bool color, enum background background);
void __wrap_term_stop(void);
int __wrap_term_color_count(void);
void __wrap_term_size(int *rows, int *cols);
void __wrap_term_draw(const struct canvas *canvas);
void __wrap_term_redraw(void);
uint32_t __wrap_term_key(int timeout_ms);
bool __wrap_term_key_ready(void);
const struct mouse *__wrap_term_mouse(void);
void __wrap_term_ask_mouse(bool on);
void __wrap_term_wake(void);
int __wrap_term_signal(void);
void __wrap_term_suspend(void);
void __wrap_term_leave(void);
void __wrap_term_return(void);
void __wrap_term_send(const char *bytes, size_t n);

bool
__wrap_term_start(bool color, enum background background, char *why, size_t size)
{
	(void)color, (void)background, (void)why, (void)size;
	t.running = true;
	return true;
}

void __wrap_term_colors(bool color, enum background background) { (void)color, (void)background; }
void __wrap_term_stop(void) { t.running = false; }
int __wrap_term_color_count(void) { return t.colors; }
void __wrap_term_redraw(void) { }
void __wrap_term_ask_mouse(bool on) { (void)on; }
const struct mouse *__wrap_term_mouse(void) { return &t.last_mouse; }
int __wrap_term_signal(void) { return t.left ? SIGTERM : 0; }
void __wrap_term_suspend(void) { t.drawn = false; }
void __wrap_term_leave(void) { t.running = false; }
void __wrap_term_return(void) { t.running = true; }

void
__wrap_term_send(const char *bytes, size_t n)
{
	outside = true;
	tn_str_add(&t.sent, bytes, n);
	outside = false;
}

void
__wrap_term_size(int *rows, int *cols)
{
	*rows = t.rows;
	*cols = t.cols;
}

/* The cells are copied: what was drawn is looked at when nothing is going on any more. */
void
__wrap_term_draw(const struct canvas *canvas)
{
	static struct cell cell[ROWS * 400];
	int rows = canvas->rows < ROWS ? canvas->rows : ROWS, cols = canvas->cols < 400 ? canvas->cols : 400;

	for (int i = 0; i < rows; i++)
		memcpy(cell + i * cols, canvas->cell + i * canvas->cols, (size_t)cols * sizeof *cell);
	t.canvas = (struct canvas) { .rows = rows, .cols = cols, .cell = cell };
}

void
__wrap_term_wake(void)
{
	(void)!__real_write(t.wake[1], "w", 1);
}

bool
__wrap_term_key_ready(void)
{
	return t.next < t.n;
}

static long
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* It has said that all keys are seen, at this size, and all is done and drawn. */
static bool
is_idle(void)
{
	char want[64], *last;
	ssize_t n;

	while ((n = __real_read(t.idle, t.said + t.n_said, sizeof t.said - 1 - t.n_said)) > 0) {
		t.n_said += (size_t)n;
		if (t.n_said > 128) {
			memmove(t.said, t.said + t.n_said - 64, 64);
			t.n_said = 64;
		}
	}
	t.said[t.n_said] = '\0';
	if (!t.n_said || t.said[t.n_said - 1] != '\n')
		return false;
	last = t.said + t.n_said - 1;
	while (last > t.said && last[-1] != '\n')
		last--;
	put_text(want, sizeof want, "%lu %dx%d\n", t.taken, t.cols, t.rows);
	return strcmp(last, want) == 0;
}

static uint32_t
wait_for_key(int timeout_ms)
{
	static long stale;
	struct pollfd p = { .fd = t.wake[0], .events = POLLIN };
	char bytes[64];
	uint32_t key;

	if (t.next == t.n) {
		if (!timeout_ms && !is_idle())
			return K_NONE;
		if (!is_idle()) {
			int rc;

			if (!stale)
				stale = now_ms();
			rc = poll(&p, 1, t.stuck ? 1 : timeout_ms < 0 || timeout_ms > 20 ? 20 : timeout_ms);
			while (rc > 0 && __real_read(t.wake[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes)
				;
			if (rc > 0 || now_ms() - stale < (!faulty ? 5000 : t.stuck ? 3 : STALE_MS))
				return K_NONE;
			t.stuck = true;
			fail("it does not get ready", "");
		}
		stale = 0;
		if (!more_keys()) {
			if (faulty || now_ms() - stale > 0) {
				static long since;

				/* It should have ended. */
				if (!since)
					since = now_ms();
				if (now_ms() - since > 5000) {
					fail("it does not end", "");
					t.left = true;
				}
				add_keys("Q");
			}
		}
		return K_NONE;	/* the loop looks whether there is more to do first */
	}
	stale = 0;
	t.last_mouse = t.mouse[t.next];
	key = t.key[t.next++];
	if (key != K_RESIZE)
		t.taken++;
	return key;
}

uint32_t
__wrap_term_key(int timeout_ms)
{
	uint32_t key;

	outside = true;
	key = wait_for_key(timeout_ms);
	outside = false;
	return key;
}

int
__wrap_isatty(int fd)
{
	return fd == STDIN_FILENO || fd == STDOUT_FILENO ? t.tty : 0;
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

/* What stands for a trace; made once. */
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

/* The place is told, and what else was seen is not lost. */
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
