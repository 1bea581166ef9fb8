/*
 * answers.h - the view of answers: what kinds of them differ in, and how rows are sorted and drawn
 */
#ifndef VIEWS_ANSWERS_H
#define VIEWS_ANSWERS_H

#include "answers_run.h"
#include "list.h"

struct answers;

struct answer_class {
	enum answer_kind kind;
	const char *hint;		/* NULL: that of the view */
	const char *no_waits;		/* why w and I do nothing here */
	bool no_hint;			/* the heading has the keys */
	bool sorts;			/* its rows, by a column */
	size_t sorted;			/* by this column at first; SIZE_MAX: none */
	const char *(*row_name)(const struct answer_row *r);	/* finds it again in another answer; NULL: the span does */
	const char *(*nothing)(const struct asking_for *ask);	/* said of an answer without rows */
	unsigned (*open)(struct answers *a, const struct answer_row *r, bool end);
	unsigned (*back)(struct answers *a);
	bool (*change)(const struct answers *a, char **command);	/* that makes this answer; NULL: none does */
	/* The name for --sort of a column; NULL: no options of the command line make this answer. */
	const char *(*sort_name)(const struct answers *a, size_t column);
};

#define EXCLUDED_MOST 16

/* A part of the condition over spans that `!` added. Owned. */
struct answer_excluded {
	char *before, *after;	/* the whole condition */
};

struct answers {
	struct list_view list;
	struct job *job;
	struct job *measuring_job;	/* numbers of the pairs that are shown */
	struct measuring *measuring;
	const struct answer_class *class;
	struct table table;
	size_t sorted;
	bool falls;		/* steps, from the greatest to the least: Tab came back to their column */
	double heaviest;	/* duration of the longest span */
	bool done;
	bool nested;		/* spans in the order of their begins, indented */
	bool from_pairs, from_spans;	/* where it was opened from: closing goes back there */
	struct answer_excluded excluded[EXCLUDED_MOST];
	size_t n_excluded;
	size_t again_at;	/* the row of the cursor, when the answer is made again */
	struct answer_place left;	/* where the cursor was, there */
	struct answer_wish groups_left;	/* spans of a group are shown: what the groups were asked by; owned */
	struct answer_place group_left;
	bool returns;		/* the wanted answer is the one that the user left */
	struct tn_groups *groups;	/* when not all of them are rows; of these: */
	struct tn_spans *definitions;
};

/* Events that are not in this group, also because they do not have its keys; NULL: memory is out. */
char *answers_not_group(const struct answers *a, const struct answer_row *r);
/* One more part of the condition over spans: not those of this row. False: no condition says it. */
bool answers_exclude(struct answers *a, const struct answer_row *r);
bool answers_include(struct answers *a);	/* takes the last part away; false: there is none */
void answers_forget_excluded(struct answers *a);
bool answers_is_pair(const struct answers *a, const struct answer_row *r);
void answers_sort(struct answers *a);
/* Fill in the numbers of the pairs, later, and then sort them. */
void answers_measure(struct answers *a);
void answers_find_keys(struct answers *a);	/* of a new table */
void answers_take_names(struct answers *a);	/* before it is drawn */
/* The name of a value, safe, to be freed; NULL: none. */
char *answers_name(const struct answers *a, const struct answer_row *r, size_t column);
void answers_heading(struct view *v, struct line *out);
void answers_row(struct view *v, size_t i, struct line *out);

#endif
