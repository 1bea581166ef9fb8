/* output.h - output of the program: large writes, errors reported only once, text made safe for terminals */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include <tnav/writer.h>

struct output {
	int fd;
	const char *name;	/* name for messages; NULL: standard output */
	bool terminal;
	bool pipe;
	bool color;		/* lines contain colour sequences of tnav */
	bool csv, in_cell;	/* lines are CSV; the next text is within quotes, where a newline is text */
	char *room;
	size_t n;
	size_t head;		/* bytes of the buffer that are a heading, which is written with the text after it */
	int error;		/* errno of the first failed write; later writes do nothing */
	struct tn_new_file *file;	/* file that appears when it is complete; NULL: another output */
	bool failed;		/* the file cannot be completed */
};

/* Open standard output if @path is NULL, or else a file, which appears when it is closed. Returns 0, or 1 after a message. */
int output_open(struct output *out, const char *path, bool force);
/* Like output_open(), but the file appears at once and grows while it is written. */
int output_open_growing(struct output *out, const char *path, bool force);
/* Mark the output as incomplete: its file does not appear, nor does a heading without text below it. */
void output_fail(struct output *out);
/*
 * Mark the text so far as a heading, if none of it is written yet. A heading waits for the first line below it, or for
 * the end.
 */
void output_heading(struct output *out);
/* Write text. Non-zero: writing failed. */
int output_write(struct output *out, const char *text, size_t n);
int output_puts(struct output *out, const char *text);
int output_printf(struct output *out, const char *format, ...) TN_PRINTF(2, 3);
int output_flush(struct output *out);
/*
 * Write the rest and close the output. Returns 0, also if nobody reads the pipe any more; 1 after a message if writing
 * failed.
 */
int output_close(struct output *out);
/* Write the rest of stdout when there is no struct output. Returns the same as output_close(). */
int output_end_standard(void);

/* Write one line to standard error; @color: the line has colour sequences of tnav. */
void warn_line(const char *text, size_t n, bool color);

/* Write "tnav: KIND: TEXT" to standard error, made safe for a terminal. @kind NULL: omit it. */
void complain(const char *kind, const char *text);
/* Report an error; returns the exit status for it. */
int job_failed(const struct tn_error *err);
/* @take: a signal that normally ends the program now only sets the number that signal_taken() returns, which is 0 before. */
void signals_take(bool take);
int signal_taken(void);
/* Report that the incomplete folder @path was removed. Returns the exit status. */
int folder_failed(const char *path, const struct tn_error *err);

#endif
