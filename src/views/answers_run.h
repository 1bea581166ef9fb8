/*
 * answers_run.h - the request for a table of answers, and the job that makes it
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
	size_t n_columns, quantile;	/* columns of the groups; the column of a quantile, 0: none */
	size_t below, bar;	/* columns of groups in steps: the share up to there, a bar; 0: none */
	struct table table;
	struct tn_spans *definitions;
	struct tn_groups *groups;	/* all groups, if some are not rows: sorting anew shows others */
	bool sorts;		/* only sort `groups`, which exist */
	size_t sort_by;		/* a column of the groups; SIZE_MAX: the usual one, which the job stores here */
	bool falls;		/* `falls` of the view */
	const char *sort;	/* name of the usual column; NULL or "": the first aggregate */
	uint8_t *column;	/* spans: the column of each key and field to show, definition by definition */
	size_t host;		/* column of the spans' host; 0: there is one host */
	size_t *first;		/* start of each definition's part of `column` */
	bool unfolded;
	struct tn_location chain_at;
	int64_t chain_begin_ns, chain_end_ns, chain_tid;
	bool cut;		/* the chain is longer */
	bool knows;		/* a chain: some activity of the thread is known */
	const struct browse_options *options;
	char addresses[SAME_TEXT];	/* fields that are addresses */
	char *remark;		/* remark about the groups, about the chain */
	struct same same[SAME_ROWS];	/* names of keys that mean the same */
	struct timespec until;	/* end of the search for pairs that have events */
	struct bounds part[2];	/* the ranges of a comparison */
	char *why;
	/* Another trace. The job opens and compiles all of it. */
	char *other_path;	/* NULL: no other trace */
	struct opened *other;	/* NULL: not open yet */
	struct condition *condition;	/* the filters */
	size_t n_conditions;
	struct tn_text_options text;
	struct query *other_query;	/* query of the other trace, or of the rest of a range, with its condition */
	uint64_t sure;		/* number of rows with the verdict "sure" */
	struct tn_sequence *sequence;	/* aligned events; NULL: a table */
	struct job *job;
	struct answers *view;	/* for the app's thread */
};

#define SPREAD_PARTS 8		/* parts of a distribution */
#define SPREAD_BYTES (4 * SPREAD_PARTS + 1)
/* The number of durations in each step from the least to the greatest; steps are equal factors. */
void spread_text(char room[SPREAD_BYTES], struct tn_groups *groups, size_t row, size_t column, bool utf8);

/* A pair's row, filled in after the pairs are shown. */
struct measured {
	char *definition;
	bool is_known;
	struct tn_answer_value number[PAIR_SPREAD];	/* by column, from PAIR_COUNT on */
	char spread[SPREAD_BYTES];
};

struct measuring {
	struct answers *view;		/* for the app's thread */
	bool utf8;
	size_t n, taken;		/* taken: number of items that the app put into the table */
	atomic_size_t done;		/* number of finished items, from the first on */
	struct measured item[];
};

/* Make items for the pairs of the table; NULL: there are none, or memory is out. */
struct measuring *measuring_new(const struct table *t, bool utf8);
void measuring_run(struct job *job);
void measuring_free(void *measuring);
/* Fill in finished items; true: there were some. */
bool measuring_take(struct measuring *m, struct table *t);
/* For qsort() of measured pairs: the largest total first; then refused pairs, then questions. */
int pair_compare(const void *a, const void *b);

/* Make the request that the session wishes; NULL: memory is out. */
struct answer_request *answers_ask(const struct session *s, enum answer_kind kind);
/* The traces of the spans and lines, and the options of their scan. */
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
