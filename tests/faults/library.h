/*
 * library.h - jobs that are done while calls of the system fail (library.c)
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stdbool.h>

#include <tnav/tnav.h>

#include "../make/small_trace.h"

/* The input of a job, and the reports it got. */
struct job {
	struct tn_set *set;		/* of jobs on a set, else NULL */
	const char *path;		/* of the trace, NULL: the small one */
	const struct small_trace *small;
	const char *text;		/* of the row: a definition, a condition */
	uint64_t sum, problems;
	unsigned long calls;		/* if it was reported before the end */
	bool out_of_memory;		/* a string of ours */
	long maps;			/* leftovers; below 0: unmapped twice */
	struct tn_error err;
};

typedef enum tn_code job_fn(struct job *j);

/* Of library_answers.c. */
job_fn spans_by_begin, spans_by_end, slowest, groups, groups_of_spans, lanes, lanes_step_by_step, kept;
job_fn flame, plot, ladder, chain, pairs, other_ends;

/* Of library_more.c. */
job_fn grown, indexed, unpacked, pieces;

/* Reports to the job. */
void add(struct job *j, const void *bytes, size_t n);
void add_number(struct job *j, uint64_t n);
void add_text(struct job *j, const char *text);
void add_value(struct job *j, const struct tn_answer_value *v);
void on_problem(void *user, const struct tn_problem *problem);

extern bool keeps;	/* answers and indices of the smallest traces are kept */

#endif
