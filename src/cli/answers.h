/* answers.h - code that all answers on the command line share: their output, the events they read, their table */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <tnav/columns.h>

#include "output.h"
#include "report.h"

struct answer {
	struct job *job;
	struct output out;
	struct tn_filter *filter;
	struct tn_text *text;	/* form of times */
	struct tn_scan_options scan;	/* range and conditions of the scan */
	struct tn_columns_table *columns;	/* table of a file of columns; NULL before the heading */
	struct tn_str traces;	/* paths of the traces, for the metadata of the file of columns */
	int columns_status;	/* exit status if the file of columns could not be made */
	struct tn_str line;	/* the line being built */
	struct tn_table *table;	/* the columns of the answer; owned */
	void *span;		/* for a chain: the longest span so far */
	struct tn_nicknames *names;	/* names of threads and other values; NULL: do not show names */
	const char *host;	/* host of the row being written; NULL: unknown */
	struct tn_str host_text;
};

/* Open the output and prepare the scan. Returns 0 or the exit status. Call answer_end() in both cases. */
int answer_begin(struct answer *a, struct job *job);
/* Close the output. Returns @status, or another exit status if an error occurs here. */
int answer_end(struct answer *a, int status);
/* Turn the result @rc of an answer's function into an exit status; report an error. */
int answer_status(struct answer *a, enum tn_code rc, const struct tn_error *err);

/* Warn that some spans are missing because memory was not enough. */
void tell_bounds(const struct tn_span_counts *counts);
void tell_doubtful(const struct tn_span_counts *counts);	/* print a note: durations leave doubtful spans out */

/* Make the table, without columns. Returns 0, or the exit status after a message. */
int answer_table(struct answer *a);
/* Add a column; answer_row() reports a failure with the first row. */
void answer_column(struct answer *a, struct tn_table_column column);
/*
 * From here on, show text values in the columns of @table (if NULL: values of @key) with their names, where they can have
 * names; this reads the traces. Returns 0 or the exit status.
 */
int answer_names(struct answer *a, const struct tn_table *table, const char *key);
/* Append a blank and the name of a value, at most TN_TABLE_BESIDE bytes; append nothing if it has no name. */
void answer_put_name(const struct answer *a, const char *key, const struct tn_answer_value *value, struct tn_str *out);
/* For text: widen the columns so that this row fits; call it before the heading. */
void answer_measure(struct answer *a, const struct tn_answer_value *values);
/* The form of the table that the options request. */
enum tn_table_form answer_form(const struct answer *a);
/* Write the heading if the form has one. Non-zero: writing failed. */
int answer_heading(struct answer *a);
/* Write a row with one value for each column. Non-zero: writing failed. */
int answer_row(struct answer *a, const struct tn_answer_value *values);
/* Write the heading of @table, which is not the answer's own table. */
int answer_table_heading(struct answer *a, struct tn_table *table);
int answer_table_row(struct answer *a, struct tn_table *table, const struct tn_answer_value *values);
/* Check that no two columns have the same member name in a JSON object. Returns 0, or 2 after a message. */
int answer_check_members(const struct answer *a);

/* Write the line that was built. Non-zero: writing failed. */
int answer_put(struct answer *a);
/* Write the line that was built as a heading, which waits for rows: a refused answer prints nothing. */
int answer_head(struct answer *a);

/* ---- parts of a line ---- */
void put_text(struct tn_str *out, const char *text);
void put_number(struct tn_str *out, int64_t n);
/* The number of terminal columns that the text takes after it is made safe. */
int column_width(const char *text, size_t n);
/* Append the text, made safe for a terminal and padded with blanks to @width columns. */
void put_column(struct tn_str *out, const char *text, size_t n, int width);
/* Append "name":, the start of a member of a JSON object. */
void put_member(struct tn_str *out, const char *name, bool first);

#endif
