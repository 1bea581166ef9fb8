/* answers.h - the view of answers: how its kinds differ, and how rows are sorted and drawn */
#ifndef VIEWS_ANSWERS_H
#define VIEWS_ANSWERS_H

#include "answers_run.h"
#include "list.h"

struct answers;

/* For an answer that is not a table, but a->sequence. */
struct answer_panes {
	size_t (*count)(const struct answers *a);	/* number of rows */
	void (*show)(struct answers *a, bool updated);	/* shows a new answer, or one with more rows */
	void (*heading)(struct line *out, int width);
	void (*row)(const struct answers *a, size_t i, struct line *out);
	void (*status)(const struct answers *a, struct line *out);
	unsigned (*act)(struct answers *a, const struct call *call);
};

struct answer_class {
	enum answer_kind kind;
	const char *hint;		/* NULL: use the hint of the view */
	const char *no_waits;		/* the reason why w and I have no effect */
	bool no_hint;			/* the heading already names the keys */
	bool has_sides;			/* Tab opens the other side of a row */
	bool sorts;			/* a column sorts the rows */
	bool has_spans;			/* a row is a span, and has a bar; in the order of begins it is indented */
	bool has_pairs;			/* a row is a pair, or words */
	bool has_groups;		/* a row is a group of events or of spans; in a narrow view the headings are short */
	bool compares;			/* the answer takes long, so it is made again only if the filters change */
	size_t sorted;			/* the column that sorts first; SIZE_MAX: none */
	const char *(*row_name)(const struct answer_row *r);	/* the name by which a row is found again; NULL: by its span */
	const char *(*key_name)(const struct answers *a, size_t column);	/* the field of a column; NULL: use the heading */
	const char *(*nothing)(const struct answer_request *ask);	/* the message for an answer without rows */
	unsigned (*open)(struct answers *a, const struct answer_row *r, bool end);
	unsigned (*back)(struct answers *a);
	unsigned (*act)(struct answers *a, const struct call *call);	/* handles keys of this class; NULL: none */
	unsigned (*exclude)(struct answers *a, struct answer_row *r);	/* handles the key `!`; NULL: nothing */
	bool (*change)(const struct answers *a, char **command);	/* makes the command for this answer; NULL: there is none */
	/* The name of a column for --sort. NULL: the command line cannot make this answer. */
	const char *(*sort_name)(const struct answers *a, size_t column);
	const struct answer_panes *panes;	/* how to show a->sequence; NULL: the answer is always a table */
};

#define EXCLUDED_MOST 16
#define ANSWERS_LEFT 4

/* A part that `!` added to the condition over spans. Owns its texts. */
struct answer_excluded {
	char *before, *after;	/* the whole condition before and after that */
};

struct answers {
	struct list_view list;
	struct job *job;
	struct job *measuring_job;	/* job that adds up the numbers of the pairs on the screen */
	struct measuring *measuring;
	const struct answer_class *const *classes;	/* by kind of answer */
	const struct answer_class *class;
	struct table table;
	struct tn_sequence *sequence;	/* aligned events, shown in place of the table; NULL: show the table */
	size_t sorted;
	bool falls;		/* steps descend: Tab has returned to their column */
	double heaviest;	/* duration of the longest span */
	bool done;
	bool nested;		/* spans are in the order of their begins, indented */
	bool from_pairs, from_spans;	/* the view from which it was opened; closing returns there */
	struct answer_excluded excluded[EXCLUDED_MOST];
	size_t n_excluded;
	size_t again_at;	/* row of the cursor before the answer was made again */
	struct answer_place left;	/* place of the cursor in the answer that the user left */
	struct answer_left {		/* tables that the user left for others and may return to; the newest is last */
		struct answer_wish wish;	/* owns its texts */
		struct answer_place place;
		struct table table;	/* the table, kept if it took long to make */
	} before[ANSWERS_LEFT];
	size_t n_before;
	char *made_of;			/* for a comparison: its filters and range */
	bool updates;			/* there are new events; this table is shown until the next one is made */
	int64_t settled_ns;		/* for growing traces: settled_ns of this table */
	time_t made_s;			/* the time when this table was made */
	bool returns;		/* the wanted answer is the one that the user left */
	struct tn_groups *groups;	/* set if not all groups are rows: all groups */
	struct tn_spans *definitions;
};

/* answers_start.c */
bool answers_start(struct answers *a, struct tn_error *err);	/* makes the answer that the session wishes */
unsigned answers_start_again(struct answers *a);
unsigned answers_show_pairs(struct answers *a);
/* Sort by the next column. If not all groups are rows, a job sorts all groups and selects the rows again. */
unsigned answers_sort_next(struct answers *a);
void answers_drop_groups(struct answers *a);
void answers_select_span(struct answers *a, const struct tn_location *begin, const struct tn_location *end);
void answers_come_back(struct answers *a);	/* moves the cursor to its former row */
unsigned answers_back_from_spans(struct answers *a);
/* answers_sequence.c */
extern const struct answer_class answers_sequence;
/* answers_compare.c */
extern const struct answer_class answers_diff, answers_why, answers_lines;
bool answers_is_comparison(const struct answers *a);
char *answers_asked_of(const struct session *s);	/* if this text changes, a comparison is made again */
void answers_note_making(struct answers *a);
/* Leave this table for another, which row @r opened. @table: keep its contents. */
void answers_leave(struct answers *a, const struct answer_row *r, bool table);
void answers_forget_left(struct answers *a);
/* Ask why this span, and all spans that last at least as long, last so long. */
unsigned answers_why_long(struct answers *a, const struct answer_row *r);
bool answers_asks_of(enum action action);	/* whether the action asks more about a span, or goes to its events */
unsigned answers_say_other(struct answers *a, const struct answer_row *r, bool end);
void answers_compare_words(const struct session *s, void (*word)(void *user, const char *word), void *user);
/* Add "@begin >= ... and @end <= ...". */
void answers_put_range(struct tn_str *out, const char *begin, const char *end, const struct bounds *range);
/* The definition of the compared spans, including the condition of the table. NULL: memory is out. */
char *answers_definition_where(const char *spans, const char *where);
/* Keep the other trace open for the next question. */
void answers_keep_other(struct session *s, struct answer_request *ask);
char *answers_span_condition(const struct answers *a, const struct answer_row *r);
/* The condition for events that are not in this group, also because they do not have its keys. NULL: memory is out. */
char *answers_not_group(const struct answers *a, const struct answer_row *r);
/* Add "not @condition" to the condition over spans, and free @condition. False: impossible. */
bool answers_exclude(struct answers *a, char *condition);
bool answers_include(struct answers *a);	/* removes the last part; false: there is none */
void answers_forget_excluded(struct answers *a);
void answers_sort(struct answers *a);
/* Add up the numbers of the pairs in a job, and then sort the pairs. */
void answers_measure(struct answers *a);
void answers_find_keys(struct answers *a);	/* call it for each new table */
void answers_take_names(struct answers *a);	/* call it before the table is drawn */
/* Make the safe name of a value; the caller frees it. NULL: none. */
char *answers_name(const struct answers *a, const struct answer_row *r, size_t column);
void answers_heading(struct view *v, struct line *out);
void answers_row(struct view *v, size_t i, struct line *out);

#endif
