/* answers_run.h - the request for a table of answers, and the job that makes the table */
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
	size_t n_columns, quantile;	/* number of columns of the groups; column of a quantile, 0: none */
	size_t below, bar;	/* if groups are steps: columns with the share so far, and with a bar; 0: none */
	struct table table;
	struct tn_spans *definitions;
	struct tn_groups *groups;	/* all groups, if not all are rows; sorting again shows other groups */
	bool sorts;		/* only sort `groups`, which exist already */
	size_t sort_by;		/* column of the groups; SIZE_MAX: the usual one, which the job then stores here */
	bool falls;		/* `falls` of the view */
	const char *sort;	/* name of the usual column for sorting; NULL or "": the first aggregate */
	uint8_t *column;	/* spans: the column of each key and shown field, for one definition after another */
	size_t host;		/* column of the host; 0: there is only one host */
	size_t *first;		/* index in `column` of the first item of each definition */
	bool unfolded;
	struct tn_location chain_at;
	int64_t chain_begin_ns, chain_end_ns, chain_tid;
	bool cut;		/* the chain is longer than its rows */
	bool knows;		/* for a chain: some activity of the thread is known */
	const struct browse_options *options;
	char addresses[SAME_TEXT];	/* names of fields that are addresses */
	char *remark;		/* a remark about the groups or the chain */
	struct same same[SAME_ROWS];	/* names of keys that mean the same */
	struct timespec until;	/* end of the search for pairs with events */
	struct bounds part[2];	/* the ranges of a comparison */
	char *why;
	/* Another trace. The job opens the whole trace, and compiles its conditions. */
	char *other_path;	/* NULL: no other trace */
	struct opened *other;	/* NULL: it is not open yet */
	struct condition *condition;	/* the filters */
	size_t n_conditions;
	struct tn_text_options text;
	struct query *other_query;	/* query for the other trace, or for the rest of a range, with its condition */
	uint64_t sure;		/* number of rows with the verdict "sure" */
	struct tn_sequence *sequence;	/* aligned events; NULL: the answer is a table */
	struct job *job;
	struct answers *view;	/* for the app's thread only */
};

#define SPREAD_PARTS 8		/* number of parts of a distribution */
#define SPREAD_BYTES (4 * SPREAD_PARTS + 1)
/* Write the number of durations in each step from the smallest to the largest; each step is longer by the same factor. */
void spread_text(char room[SPREAD_BYTES], struct tn_groups *groups, size_t row, size_t column, bool utf8);

/* The numbers of a pair's row, which are added after the pairs are shown. */
struct measured {
	char *definition;
	bool is_known;
	struct tn_answer_value number[PAIR_SPREAD];	/* by column, from PAIR_COUNT on */
	char spread[SPREAD_BYTES];
};

struct measuring {
	struct answers *view;		/* for the app's thread only */
	bool utf8;
	size_t n, taken;		/* `taken`: number of items that the app has put into the table */
	atomic_size_t done;		/* number of finished items, which are the first ones */
	struct measured item[];
};

/* Make items for the pairs of the table. NULL: there are none, or memory is out. */
struct measuring *measuring_new(const struct table *t, bool utf8);
void measuring_run(struct job *job);
void measuring_free(void *measuring);
/* Put finished items into the table. Returns whether there were any. */
bool measuring_take(struct measuring *m, struct table *t);
/* For qsort(): measured pairs, the largest total first; then refused pairs, then ready questions. */
int pair_compare(const void *a, const void *b);

/* Make the request for the answer that the session wishes. NULL: memory is out. */
struct answer_request *answers_ask(const struct session *s, enum answer_kind kind);
/* The traces that spans and lines refer to, and the options of their scan. */
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
