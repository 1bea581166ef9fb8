/* answers_table.h - the table of an answer: rows of cells, which are sorted by number or text */
#ifndef ANSWERS_TABLE_H
#define ANSWERS_TABLE_H

#include <tnav/answer.h>
#include <tnav/table.h>

#include "screen/line.h"
#include "session/session.h"

#define ROWS_MAX 10000	/* limit of rows: the longest spans, or the largest groups */
#define COLUMNS_MAX 24

struct answer_cell {
	char *text;		/* safe for a terminal */
	struct tn_answer_value number;	/* number by which the cell is sorted; NONE: by the text */
};

struct answer_row {
	struct answer_cell *cell;
	bool has_begin, has_end;
	struct tn_location begin, end;
	bool has_times;
	int64_t begin_ns, end_ns;
	double weight;		/* if there are too many rows, those with the greatest weight are kept */
	uint32_t keys;		/* the columns of its keys, a bit for each */
	unsigned depth;		/* for a span: number of spans that contain it */
	char *condition;	/* for a group: condition for its events or spans; NULL: no condition can express it */
	char *definition;	/* for a comparison or finding: definition of the spans; NULL: it is about events */
	bool is_rest;		/* the last row, for all groups that are not rows */
	enum { PAIR_PROPOSED, PAIR_TAKEN, PAIR_REFUSED, PAIR_FOLD, PAIR_WORDS, PAIR_QUESTION } pair;
	const struct tn_ready_question *question;	/* only for PAIR_QUESTION */
};

/* Columns of pairs: numbers, then the pair. */
enum { PAIR_STATE, PAIR_COUNT, PAIR_TOTAL, PAIR_P50, PAIR_P99, PAIR_LONGEST, PAIR_SPREAD, PAIR_TEXT, PAIR_COLUMNS };

struct table {
	const struct tn_text *text;	/* text format for times; borrowed by the job that fills the table */
	struct tn_table *form;	/* its columns */
	bool steps;		/* the values of the first key are steps, in ascending order */
	bool right[COLUMNS_MAX];
	unsigned deepest;	/* largest `depth` of a row */
	size_t n_columns, n_keys;
	struct answer_row *row;
	size_t n, room;
	uint64_t all;		/* number of rows, including those that are left out */
	bool has_rest;		/* the last row is for the remaining groups */
	uint64_t without;	/* number of events without any of the keys */
	uint64_t dropped;	/* number of values above a limit */
	uint64_t of_state[4];
	bool failed;
	/* Names next to numbers (answers_names.c), for the app's thread only. */
	const char *key[COLUMNS_MAX];	/* the field of a column's values; NULL: they do not have names */
	bool has_keys;
	size_t host;			/* column of the hosts; COLUMNS_MAX: none */
	const struct tn_nicknames *names;	/* the names for which `wide` was computed */
	int wide[COLUMNS_MAX];		/* terminal columns for numbers with their names */
	int need[COLUMNS_MAX];		/* terminal columns for the widest cell */
	const struct answer_row *needed_by;
	size_t n_needed;
};

void table_release(struct table *t);
/*
 * Sort spans by begin, and find which spans contain others. The inner span begins and ends in the time of the outer span.
 * Both have the same thread, if both have a thread; otherwise the keys that both have are the same, and there is at least
 * one. @same: names with the same meaning.
 */
void table_nest(struct table *t, const struct same same[SAME_ROWS]);
/* @flags: TN_COLUMN_... bits */
void table_column(struct table *t, const char *name, unsigned flags, enum tn_group_unit unit);
/* Add a row. If there are too many rows, the half with the smaller weights is dropped. NULL: memory is out. */
struct answer_row *table_row(struct table *t);
/* For qsort(): the order of begins; of equal begins, the outer span first. */
int table_by_begin(const void *a, const void *b);
/* Compare cells: numbers in descending order, then texts in ascending order. */
int table_compare(const struct answer_row *a, const struct answer_row *b, size_t column);
void table_status(const struct table *t, enum answer_kind kind, struct line *out);	/* the table's part of the status line */
/* Write the command line options that make this answer, sorted by the column @sort (NULL: the usual one). */
void answers_words(const struct session *s, enum answer_kind kind, const char *sort, void (*word)(void *user, const char *word),
		   void *user);
/* Copy the texts of a wish. False: memory is out. */
bool answers_copy_wish(struct answer_wish *to, const struct answer_wish *from);
/* Change the text of a cell, but not the order of the row. */
void table_label(struct table *t, struct answer_row *r, size_t column, const char *text);
void table_text(struct table *t, struct answer_row *r, size_t column, const char *text);
void table_value(struct table *t, struct answer_row *r, size_t column, const struct tn_answer_value *v);

/* The text of a cell; "": memory was out. */
static inline const char *
row_text(const struct answer_row *r, size_t column)
{
	return r->cell[column].text ? r->cell[column].text : "";
}

#endif
