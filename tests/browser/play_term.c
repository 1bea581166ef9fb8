/*
 * play_term.c - a terminal that is made up: the functions of term/term.h, and when tnav has nothing to do
 */
#include <config.h>

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tnav/answer.h>

#include "play.h"

#define ROWS 200
#define STALE_MS 100		/* nobody is waited for any longer: with faults what is waited for may never come */

struct terminal t = { .wake = { -1, -1 }, .idle = -1 };

int __wrap_isatty(int fd);
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

static long ending_since;	/* of this run: it has no more keys; 0: it has */

bool
__wrap_term_start(bool color, enum background background, char *why, size_t size)
{
	ending_since = 0;
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

/* What the fonts of the console have, be they of code page 437 (Linux's own) or Latin 1 and 15 (Debian's), beside ASCII. */
static bool
is_in_console_font(const struct cell *cell)
{
	static const char font[] = "\u00a1\u00a3\u00a5\u00aa\u00ab\u00ac\u00b0\u00b1\u00b2\u00b5\u00b7\u00ba\u00bb\u00bf"
				   "\u00c4\u00c5\u00c6\u00c7\u00c9\u00d1\u00d6\u00dc\u00df\u00e0\u00e1\u00e2\u00e4\u00e5\u00e6\u00e7"
				   "\u00e8\u00e9\u00ea\u00eb\u00ec\u00ed\u00ee\u00ef\u00f1\u00f2\u00f3\u00f4\u00f6\u00f7\u00f9\u00fa"
				   "\u00fb\u00fc\u00ff\u2500\u2502\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c\u2592";

	if (cell->n <= 1)
		return true;
	for (const char *at = font; *at; at++)
		if (strncmp(at, cell->text, cell->n) == 0 && cell->n == ((*at & 0xe0) == 0xc0 ? 2 : 3))
			return true;
	return false;
}

/* The cells are copied: the picture is compared when the program is idle. */
void
__wrap_term_draw(const struct canvas *canvas)
{
	static struct cell cell[ROWS * 400];
	int rows = canvas->rows < ROWS ? canvas->rows : ROWS, cols = canvas->cols < 400 ? canvas->cols : 400;

	for (int i = 0; i < rows; i++)
		memcpy(cell + i * cols, canvas->cell + i * canvas->cols, (size_t)cols * sizeof *cell);
	t.canvas = (struct canvas) { .rows = rows, .cols = cols, .cell = cell,
				     .cursor_row = canvas->cursor_row, .cursor_col = canvas->cursor_col };
	for (int i = 0; !faulty && strncmp(getenv("TERM"), "linux", 5) == 0 && i < rows * cols; i++)
		if (!is_in_console_font(&cell[i]))
			fail("TERM=linux: no sign of a console's font: ", strndup(cell[i].text, cell[i].n));
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

/* ---- a job that waits ---- */

enum tn_code __real_tn_named_value(struct tn_named *named, const struct tn_cursor *cur, struct tn_answer_value *out,
				   struct tn_error *err);
enum tn_code __wrap_tn_named_value(struct tn_named *named, const struct tn_cursor *cur, struct tn_answer_value *out,
				   struct tn_error *err);

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static bool gate_is_held, gate_has_job;

void
hold_columns(bool held)
{
	pthread_mutex_lock(&gate);
	gate_is_held = held;
	pthread_cond_broadcast(&opened);
	pthread_mutex_unlock(&gate);
}

enum tn_code
__wrap_tn_named_value(struct tn_named *named, const struct tn_cursor *cur, struct tn_answer_value *out, struct tn_error *err)
{
	pthread_mutex_lock(&gate);
	while (gate_is_held) {
		gate_has_job = true;
		pthread_cond_wait(&opened, &gate);
	}
	gate_has_job = false;
	pthread_mutex_unlock(&gate);
	return __real_tn_named_value(named, cur, out, err);
}

/* The loop draws between the start of a job and its wait for a key. */
static bool
is_held(void)
{
	bool held;

	pthread_mutex_lock(&gate);
	held = gate_is_held && gate_has_job;
	pthread_mutex_unlock(&gate);
	return held;
}

/* It has said that all keys are seen, at this size, and all is done and drawn. */
static bool
is_idle(void)
{
	char want[64], *last;
	ssize_t n;

	if (is_held())
		return true;
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
				/* It should have ended. */
				if (!ending_since)
					ending_since = now_ms();
				if (now_ms() - ending_since > 5000) {
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
