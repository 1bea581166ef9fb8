/*
 * record.h - the program's own diagnostics: its work of the last seconds, for `tnav --record FILE`
 *
 * Each piece of work that a user may wait for is a record with its kind, object, duration and amount. A ring of fixed
 * size keeps the records; it is written to the file when the program ends or a fatal signal arrives, and tnav can open
 * that file. Without --record, the cost is one comparison.
 *
 * Time stamps are microseconds since the start of the program.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Message numbers; they are in files that users keep, so their meaning never changes. */
enum record_what {
	RECORD_START = 1,	/* text: version and arguments */
	RECORD_OPEN = 2,	/* traces were opened; count: streams */
	RECORD_INDEX = 3,	/* tnav searched for packets; count: streams */
	RECORD_SCAN = 4,	/* a filter, search or print read events; count: events read, or events printed */
	RECORD_COUNT = 5,	/* events were counted; count: events */
	RECORD_REDRAW = 6,	/* the screen was redrawn; count: bytes written to the terminal, if known */
	RECORD_KEY = 7,		/* a key was handled; text: its command */
	RECORD_PROBLEM = 8,	/* text: the problem of a trace */
	RECORD_SIGNAL = 9,	/* count: number of the signal that ended the program */
	RECORD_END = 10		/* count: exit status */
};

/* Numbers of the nested records, which each record above can have. */
enum { RECORD_PART_TEXT = 100, RECORD_PART_MICROSECONDS = 101, RECORD_PART_COUNT = 102 };

/* Begin to record to a new file at @path. False after a message on standard error: it exists or cannot be made. */
bool record_open(const char *path, int argc, char **argv);

/* Microseconds since the start of the program, for @since of record_work(). */
uint64_t record_now(void);

/* Record work of kind @what that began at @since and ends now. @text may be NULL. */
void record_work(enum record_what what, uint64_t since, const char *text, uint64_t count);

/* Record an event that has no duration. */
void record_note(enum record_what what, const char *text, uint64_t count);

/* Record the exit status, write the file, release all memory. False after a message: it cannot be written. */
bool record_close(int status);

#endif
