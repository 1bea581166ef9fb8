/*
 * answers_table.h - what an answer shows: rows of cells that are sorted by number or text
 */
#ifndef ANSWERS_TABLE_H
#define ANSWERS_TABLE_H

#include <tnav/answer.h>
#include <tnav/table.h>

#include "screen/line.h"
#include "session/session.h"

#define ROWS_MAX 10000	/* limit of rows: the longest spans, the largest groups */
#define COLUMNS_MAX 24

struct answer_cell {
	char *text;		/* safe */
	struct tn_answer_value number;	/* number that sorts it; NONE: the text does */
};

struct answer_row {
	struct answer_cell *cell;
	bool has_begin, has_end;
	struct tn_location begin, end;
	bool has_times;
	int64_t begin_ns, end_ns;
	double weight;		/* if there are too many rows, the heaviest stay */
	uint32_t keys;		/* columns of its keys, a bit each */
	unsigned depth;		/* a span: number of spans that contain it, one in the other */
	char *condition;	/* a group: the condition of its events or spans; NULL: impossible */
	char *definition;	/* a comparison, a finding: definition of its spans; NULL: events */
	bool is_rest;		/* the last row: all groups that did not fit */
	enum { PAIR_PROPOSED, PAIR_TAKEN, PAIR_REFUSED, PAIR_FOLD, PAIR_WORDS, PAIR_QUESTION } pair;
	const struct tn_ready_question *question;	/* set for PAIR_QUESTION */
};

/* Columns of pairs: their numbers, then the pair itself. */
enum { PAIR_STATE, PAIR_COUNT, PAIR_TOTAL, PAIR_P50, PAIR_P99, PAIR_LONGEST, PAIR_SPREAD, PAIR_TEXT, PAIR_COLUMNS };

struct table {
	const struct tn_text *text;	/* writes times; borrowed by the job that fills the table */
	struct tn_table *form;	/* its columns */
	bool steps;		/* the first key is in steps, which rise */
	bool right[COLUMNS_MAX];
	unsigned deepest;	/* largest depth of a row */
	size_t n_columns, n_keys;
	struct answer_row *row;
	size_t n, room;
	uint64_t all;		/* number of rows, with those left out */
	bool has_rest;		/* the last row is the rest of the groups */
	uint64_t without;	/* events that do not have any of the keys */
	uint64_t dropped;	/* values that did not fit */
	uint64_t of_state[4];
	bool failed;
	/* Names beside numbers (answers_names.c); only for the app's thread. */
	const char *key[COLUMNS_MAX];	/* the field of the values in a column; NULL: they have no names */
	bool has_keys;
	size_t host;			/* the column of hosts; COLUMNS_MAX: none */
	const struct tn_nicknames *names;	/* the names that `wide` was computed for */
	int wide[COLUMNS_MAX];		/* columns of the terminal that numbers need with their names */
	int need[COLUMNS_MAX];		/* columns of the terminal for the widest cell of the rows below */
	const struct answer_row *needed_by;
	size_t n_needed;
};

void table_release(struct table *t);
/*
 * Sort spans by their begins and find which span contains which: the inner span begins and ends within the outer one,
 * and has the same thread, where both have one; else the same keys, as far as both have them, at least one. @same:
 * names that mean the same.
 */
void table_nest(struct table *t, const struct same same[SAME_ROWS]);
/* @flags: TN_COLUMN_... */
void table_column(struct table *t, const char *name, unsigned flags, enum tn_group_unit unit);
/* Add a row; if there are too many, the lighter half is dropped. NULL: memory is out. */
struct answer_row *table_row(struct table *t);
/* For qsort(): the order of begins; of equal ones the outer span first. */
int table_by_begin(const void *a, const void *b);
/* Numbers in falling order, then texts in rising order. */
int table_compare(const struct answer_row *a, const struct answer_row *b, size_t column);
void table_status(const struct table *t, enum answer_kind kind, struct line *out);	/* the table's part of the status line */
/* The command line options that make this answer, sorted by the column @sort (NULL: the usual one). */
void answers_words(const struct session *s, enum answer_kind kind, const char *sort, void (*word)(void *user, const char *word),
		   void *user);
/* Copy the texts of a wish. False: memory is out. */
bool answers_copy_wish(struct answer_wish *to, const struct answer_wish *from);
/* Set another text of a cell; the cell is sorted as before. */
void table_label(struct table *t, struct answer_row *r, size_t column, const char *text);
void table_text(struct table *t, struct answer_row *r, size_t column, const char *text);
void table_value(struct table *t, struct answer_row *r, size_t column, const struct tn_answer_value *v);

/* The text of a cell; "" where memory was out. */
static inline const char *
row_text(const struct answer_row *r, size_t column)
{
	return r->cell[column].text ? r->cell[column].text : "";
}

#endif
