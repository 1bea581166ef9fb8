/*
 * answers.h - what answers have in common on the command line: where they are written, over which events
 */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <tnav/answer.h>

#include "output.h"
#include "report.h"

struct answer {
	struct job *job;
	struct output out;
	struct tn_filter *filter;
	struct tn_text *text;	/* how times look */
	struct tn_scan_options scan;	/* over what */
	struct tn_str line;	/* what is being put together */
	void *span;		/* of a chain: the longest one so far */
};

/* 0, or the exit status; answer_end() in any case. */
int answer_begin(struct answer *a, struct job *job);
/* @status: what it is without what can go wrong here. */
int answer_end(struct answer *a, int status);
/* What an answer's function returned: the exit status, with a message. */
int answer_status(struct answer *a, enum tn_code rc, const struct tn_error *err);

/* Spans that memory was not enough for: a warning. */
void tell_bounds(const struct tn_span_counts *counts);

/* The line goes out. Non-zero: nothing more can be written. */
int answer_put(struct answer *a);
/* The same, a heading: an answer that is refused prints nothing. */
int answer_head(struct answer *a);

/* ---- parts of a line ---- */
void put_text(struct tn_str *out, const char *text);
void put_number(struct tn_str *out, int64_t n);
/* Between quotes where CSV needs them (RFC 4180). */
void put_csv(struct tn_str *out, const char *text, size_t n);
void put_csv_value(struct tn_str *out, const struct tn_answer_value *value);
/* Columns of a terminal that the text takes, made safe for it. */
int column_width(const char *text, size_t n);
/* Safe for a terminal, filled up with blanks to @width columns of it. */
void put_column(struct tn_str *out, const char *text, size_t n, int width);
/* "name": of a member of an object. */
void put_member(struct tn_str *out, const char *name, bool first);
/* Exit status 2, and the message: two members of an object would be called @name. */
int refuse_member(const char *name);
/* "1.234 ms" */
void put_duration(struct tn_str *out, double ns);

#endif
