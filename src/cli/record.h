/*
 * record.h - the program's own diagnostics: what it did in the last seconds, for `tnav --record FILE`
 *
 * Every piece of work that a user may wait for is a record: what it was, on what, how long it took, how
 * much it was. They go to a ring of fixed size; the file gets it at the end of the program or when a
 * fatal signal comes, and tnav opens that file. Without --record all of this costs one comparison.
 *
 * Time stamps are microseconds since the start of the program.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Message numbers: they are in the files that users keep, so they never change their meaning. */
enum record_what {
	RECORD_START = 1,	/* text: version and arguments */
	RECORD_OPEN = 2,	/* traces were opened; count: streams */
	RECORD_INDEX = 3,	/* tnav searched for packets; count: streams */
	RECORD_SCAN = 4,	/* a filter, search or print went over events; count: events read, or printed */
	RECORD_COUNT = 5,	/* events were counted; count: events */
	RECORD_REDRAW = 6,	/* the screen was made anew; count: bytes to the terminal where known */
	RECORD_KEY = 7,		/* a key was answered; text: its command */
	RECORD_PROBLEM = 8,	/* text: what was wrong with a trace */
	RECORD_SIGNAL = 9,	/* count: the signal that ended the program */
	RECORD_END = 10		/* count: exit status */
};

/* Numbers of the records nested in each of the above. */
enum { RECORD_PART_TEXT = 100, RECORD_PART_MICROSECONDS = 101, RECORD_PART_COUNT = 102 };

/* Begin to record; FILE must not exist. False with a message on standard error when it cannot be made. */
bool record_open(const char *path, int argc, char **argv);

/* Microseconds since the start of the program: what record_work() counts from. */
uint64_t record_now(void);

/* Work of kind @what that began at @since ends now. @text may be NULL. */
void record_work(enum record_what what, uint64_t since, const char *text, uint64_t count);

/* Something without a duration. */
void record_note(enum record_what what, const char *text, uint64_t count);

/* Note the exit status, write the file, forget everything. False with a message when it cannot be written. */
bool record_close(int status);

#endif
