/*
 * answers.h - what answers have in common on the command line: where they are written, over which events
 */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <tnav/columns.h>

#include "output.h"
#include "report.h"

struct answer {
	struct job *job;
	struct output out;
	struct tn_filter *filter;
	struct tn_text *text;	/* how times look */
	struct tn_scan_options scan;	/* range and conditions of the scan */
	struct tn_columns_table *columns;	/* table of a file of columns; NULL until the heading */
	struct tn_str traces;	/* paths of the traces, for the metadata of that file */
	int columns_status;	/* the exit status, if that file could not be made */
	struct tn_str line;	/* the line being built */
	struct tn_table *table;	/* the columns; owned */
	void *span;		/* a chain: the longest span so far */
	struct tn_nicknames *names;	/* names of threads and so on; NULL: none are shown */
	const char *host;	/* host of the row being written; NULL: unknown */
	struct tn_str host_text;
};

/* 0, or the exit status. Call answer_end() in any case. */
int answer_begin(struct answer *a, struct job *job);
/* @status: the exit status unless an error occurs here. */
int answer_end(struct answer *a, int status);
/* The exit status for the result of an answer's function, with a message. */
int answer_status(struct answer *a, enum tn_code rc, const struct tn_error *err);

/* Warn of spans for which memory was not enough. */
void tell_bounds(const struct tn_span_counts *counts);
void tell_doubtful(const struct tn_span_counts *counts);	/* a note: durations leave doubtful spans out */

/* Make the table, without columns. 0, or the exit status with a message. */
int answer_table(struct answer *a);
/* Add a column; a failure shows when the first row is written. */
void answer_column(struct answer *a, struct tn_table_column column);
/*
 * Text: values of the columns of @table (NULL: of @key) are written with their names from here on, if they may have any;
 * that reads the traces. 0, or the exit status.
 */
int answer_names(struct answer *a, const struct tn_table *table, const char *key);
/* The name of a value, with a blank before it, at most TN_TABLE_BESIDE bytes; "": none. */
void answer_put_name(const struct answer *a, const char *key, const struct tn_answer_value *value, struct tn_str *out);
/* Text: widen columns for a row, before the heading. */
void answer_measure(struct answer *a, const struct tn_answer_value *values);
/* The form of the table that the options ask for. */
enum tn_table_form answer_form(const struct answer *a);
/* The heading, where the form has one. Non-zero: nothing more can be written. */
int answer_heading(struct answer *a);
/* A row, a value for each column. Non-zero: nothing more can be written. */
int answer_row(struct answer *a, const struct tn_answer_value *values);
/* Write the heading of another table than the answer's own. */
int answer_table_heading(struct answer *a, struct tn_table *table);
int answer_table_row(struct answer *a, struct tn_table *table, const struct tn_answer_value *values);
/* 0, or 2 with a message: two columns would be the same member of a JSON object. */
int answer_check_members(const struct answer *a);

/* Write the line. Non-zero: nothing more can be written. */
int answer_put(struct answer *a);
/* Write the line as a heading: an answer that is refused prints nothing. */
int answer_head(struct answer *a);

/* ---- parts of a line ---- */
void put_text(struct tn_str *out, const char *text);
void put_number(struct tn_str *out, int64_t n);
/* Columns of a terminal that the text takes, made safe for it. */
int column_width(const char *text, size_t n);
/* Add the text, safe for a terminal, filled up with blanks to @width columns of it. */
void put_column(struct tn_str *out, const char *text, size_t n, int width);
/* Add "name": for a member of an object. */
void put_member(struct tn_str *out, const char *name, bool first);

#endif
