/*
 * play.h - what the parts of play share: the script, the terminal, and whether calls fail
 */
#ifndef TNAV_TEST_PLAY_H
#define TNAV_TEST_PLAY_H

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <tnav/str.h>

#include "screen/canvas.h"
#include "screen/key_escape.h"
#include "screen/key.h"
#include "term/term.h"

#define LINE 4096

ssize_t __real_read(int fd, void *p, size_t n);
ssize_t __real_write(int fd, const void *p, size_t n);

struct script {
	char *path, *text, *at;		/* the next line */
	int number;			/* of the line */
	struct tn_str out;		/* with what was shown, for UPDATE */
	bool failed;
};

/* The terminal: play_term.c. */
struct terminal {
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
};

extern struct terminal t;
extern struct script *now;
extern bool faulty;		/* calls fail: nothing is compared */
extern char folder[64], home[LINE];
extern int real_out;		/* standard output, also while tnav runs */
extern _Thread_local bool outside;	/* of the program: here, where no call fails */

static inline int put_text(char *room, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Names of files are short here. */
static inline int
put_text(char *room, size_t size, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(room, size, format, ap);
	va_end(ap);
	return n;
}

/* ---- play_term.c ---- */

/* The job of columns waits, and the program counts as idle meanwhile. */
void hold_columns(bool held);

/* ---- play_script.c ---- */

void fail(const char *what, const char *more);
/* The next line, in @line; false at the end. Lines with a '|' in front belong to the one before. */
bool next_line(char line[LINE]);
/* Compare a file of the test's folder with the expected lines. */
void compare_file(const char *name);
void write_line(const char *name, const char *text);	/* appended */
void add_keys(const char *text);
/* The browser waits for keys: read on, until there are some. False: none will come. */
bool more_keys(void);

#endif
