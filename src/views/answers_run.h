/*
 * answers_run.h - what a table of answers is asked for, and the job that makes it
 */
#ifndef ANSWERS_RUN_H
#define ANSWERS_RUN_H

#include <stdatomic.h>
#include <time.h>

#include <tnav/compare.h>

#include "answers_table.h"
#include "session/session.h"

#define OF_SPANS "count, sum(duration), min(duration), p50(duration), p90(duration), p99(duration), max(duration)"

struct answer_request {
	enum answer_kind kind;
	char *spans, *by, *show, *where;
	bool utf8;
	size_t n_columns, quantile;	/* of the groups; a column of a quantile, 0: none */
	size_t below, bar;	/* columns of groups in steps: the share up to there, a bar; 0: none */
	struct table table;
	struct tn_spans *definitions;
	struct tn_groups *groups;	/* all of them, when there are more than rows: sorted anew others are shown */
	bool sorts;		/* these groups, which are made */
	size_t sort_by;		/* a column of the groups; SIZE_MAX: the usual one, which the job writes here */
	bool falls;		/* steps, as the view has them */
	const char *sort;	/* the name of the usual one; NULL or "": the first aggregate */
	uint8_t *column;	/* of the spans: of each key and field to show, definition by definition */
	size_t host;		/* column of the spans' host; 0: there is one host */
	size_t *first;		/* where a definition's begin in it */
	bool unfolded;
	struct tn_location chain_at;
	int64_t chain_begin_ns, chain_end_ns, chain_tid;
	bool cut;		/* the chain is longer */
	bool knows;		/* of a chain: something that the thread did */
	const struct browse_options *options;
	char addresses[SAME_TEXT];	/* fields that are addresses */
	char *remark;		/* of the groups, of the chain */
	struct same same[SAME_ROWS];	/* names of keys that mean the same */
	struct timespec until;	/* for so long it is looked which pairs have events */
	struct bounds part[2];	/* of a comparison of ranges */
	char *why;
	/* Of another trace. All is opened and compiled by the job. */
	char *other_path;	/* NULL: no other trace */
	struct opened *other;	/* NULL: not open yet */
	struct condition *condition;	/* the filters */
	size_t n_conditions;
	struct tn_text_options text;
	struct query *other_query;	/* of the other trace; of the rest of a range: with a condition for it */
	uint64_t sure;		/* of the rows */
	struct tn_sequence *sequence;	/* aligned; NULL: a table */
	struct job *job;
	struct answers *view;	/* the app's thread */
};

#define SPREAD_PARTS 8		/* of a distribution */
#define SPREAD_BYTES (4 * SPREAD_PARTS + 1)
/* The numbers of durations in each step between the least and the most; the steps are equal factors. */
void spread_text(char room[SPREAD_BYTES], struct tn_groups *groups, size_t row, size_t column, bool utf8);

/* A pair's row, filled in after the pairs are shown. */
struct measured {
	char *definition;
	bool is_known;
	struct tn_answer_value number[PAIR_SPREAD];	/* by column, from PAIR_COUNT on */
	char spread[SPREAD_BYTES];
};

struct measuring {
	struct answers *view;		/* the app's thread */
	bool utf8;
	size_t n, taken;		/* taken: into the table, by the app */
	atomic_size_t done;		/* the first ones, in this order */
	struct measured item[];
};

/* For the pairs of the table; NULL: there are none, or memory is out. */
struct measuring *measuring_new(const struct table *t, bool utf8);
void measuring_run(struct job *job);
void measuring_free(void *measuring);
/* Fill in what is done; true: there was something. */
bool measuring_take(struct measuring *m, struct table *t);
/* For qsort() of pairs that are measured: the largest total first; then those refused, then the questions. */
int pair_compare(const void *a, const void *b);

/* As the session wishes; NULL: memory is out. */
struct answer_request *answers_ask(const struct session *s, enum answer_kind kind);
/* The traces that spans and lines are of, and the options of their scan. */
struct tn_set *answers_set(const struct job *job);
struct tn_scan_options answers_options(struct job *job);
enum tn_code pairs_run(struct job *job);
/* answers_compare.c */
bool answers_ask_other(struct answer_request *ask, const struct session *s);
enum tn_code answers_open_other(struct job *job);
bool answers_of_two_selections(enum answer_kind kind);
enum tn_code diff_run(struct job *job);
enum tn_code sequence_run(struct job *job);
enum tn_code why_run(struct job *job);
enum tn_code lines_run(struct job *job);
void answers_run(struct job *job);
void answers_free(void *data);

#endif
