/* report.h - the jobs that need no screen */
#ifndef REPORT_H
#define REPORT_H

#include <tnav/grow.h>
#include <tnav/query.h>

#include "addresses.h"
#include "options.h"
#include "output.h"

/* The traces of the command line, the work to do with them, and their problems. */
struct job {
	const struct options *options;
	struct tn_set *set;
	struct tn_set *second;	/* other side of --diff; NULL: not given */
	struct addresses addresses, second_addresses;	/* names of addresses in each set */
	bool grows;		/* the set grows: more rows will arrive */
	bool has_begin, has_end;
	int64_t begin_ns, end_ns;
	size_t problems[TN_SEVERITIES];	/* number of problems of each severity */
	bool holds;		/* keep problems, and report all together */
	struct held_problem { enum tn_severity severity; char *text; } *held;
	size_t n_held, held_bytes;
	int (*read_bounds)(struct job *job);	/* reads the bounds of a set that grows, when it has events */
	/* Reads a time that the user typed. */
	enum tn_code (*read_bound)(struct job *job, const char *text, bool is_end, int64_t *out, struct tn_error *err);
	uint64_t events;	/* number of events counted or printed, for the program's own records */
};

#define EXIT_DIFFERS 3		/* exit status for differences, with --exit-code */

/* Each function does one job and returns the exit status: 0, 1 or 2. */
int print_events(struct job *job);
int print_count(struct job *job);
int print_info(struct job *job);
int print_metadata(struct job *job);
int print_completions(struct job *job);
int check_traces(struct job *job);
int export_traces(struct job *job);
int print_spans(struct job *job);
int print_groups(struct job *job);
int print_pairs(struct job *job);
int ask(struct job *job);
int print_lanes(struct job *job);
int print_ladder(struct job *job);
int print_flame(struct job *job);
int print_why(struct job *job);			/* may return EXIT_DIFFERS */
int print_differences(struct job *job);	/* may return EXIT_DIFFERS */
int print_plot(struct job *job);
int print_chain(struct job *job);
int ask_chain(struct job *job);	/* the chain of the longest span */

/* A tn_problem_fn whose user is the job: count the problem, and report it in the same way as --print. */
void job_problem(void *job, const struct tn_problem *problem);
/* Count and report damage, and name the damaged file. */
void job_damage(struct job *job, const struct tn_row *row);
/* Make the filter that -f gives; *out is NULL without -f. Returns the exit status. */
int job_filter(const struct job *job, struct tn_filter **out);
/* The exit status at the end: 1 if some event could not be decoded. */
int job_status(const struct job *job);

#endif
