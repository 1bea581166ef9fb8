/*
 * output.h - output of the program: large writes, errors reported once, text made safe for terminals
 */
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
	bool color;		/* the lines contain colour sequences of tnav */
	bool csv, in_cell;	/* the lines are CSV; the next text is inside of quotes, where a newline is text */
	char *room;
	size_t n;
	size_t head;		/* bytes of the buffer that are a heading; it is written with the text below it */
	int error;		/* errno of the first write that failed; nothing is written after it */
	struct tn_new_file *file;	/* appears when it is complete; NULL */
	bool failed;		/* the file will never be complete */
};

/* Standard output when @path is NULL, else a file that appears when it is closed. 0, or 1 with a message. */
int output_open(struct output *out, const char *path, bool force);
/* Like output_open(), for a file that grows while it is written. */
int output_open_growing(struct output *out, const char *path, bool force);
/* The output is incomplete: a file does not appear, and neither does a heading without text below it. */
void output_fail(struct output *out);
/* The text up to here is a heading, if none of it is written yet: it waits for the first line, or for the end. */
void output_heading(struct output *out);
/* Non-zero when nothing more can be written. */
int output_write(struct output *out, const char *text, size_t n);
int output_puts(struct output *out, const char *text);
int output_printf(struct output *out, const char *format, ...) TN_PRINTF(2, 3);
int output_flush(struct output *out);
/* Write what is left. 0, also when nobody reads the pipe any more; 1 with a message when writing failed. */
int output_close(struct output *out);
/* Write what is left on stdout, when there is no struct output: returns as output_close(). */
int output_end_standard(void);

/* Write one line to standard error; @color: it has colour sequences of tnav. */
void warn_line(const char *text, size_t n, bool color);

/* "tnav: KIND: TEXT" on standard error, safe for a terminal; @kind NULL: without. */
void complain(const char *kind, const char *text);
/* Report an error; returns the exit status for it. */
int job_failed(const struct tn_error *err);
/* From here on a signal that ends the program only sets the number that signal_taken() returns, 0 before. */
void signals_take(bool take);
int signal_taken(void);
/* Report that nothing of @path is left. Returns the exit status. */
int folder_failed(const char *path, const struct tn_error *err);

#endif
