/* why_findings.h - values, ranges and pairs of them that are more frequent in the selected things */
#ifndef TN_COMPARE_WHY_FINDINGS_H
#define TN_COMPARE_WHY_FINDINGS_H

#include <tnav/compare.h>

#include "compare/packed_codes.h"
#include "compare/why_factors.h"

#define TN_CANDIDATES 32	/* limit of candidates whose pairs are counted, because each has a bit in a word */

/* The things whose value is at least @from and at most @to. */
struct tn_candidate {
	size_t factor;
	bool is_range;
	struct tn_answer_value from, to;
	uint64_t n[2];		/* [0]: count in the rest; [1]: in the selected */
	double g;
};

struct tn_findings {
	uint64_t all[2];	/* [0]: number of things in the rest; [1]: in the selected */
	TN_ARRAY(struct tn_factor) factor;	/* factor 0 is the time */
	struct tn_codes codes;	/* for each thing: the code of its value for each factor, and then whether it is selected */
	uint16_t *code;		/* codes of one thing; during a merge, the codes of the other part for all factors */
	struct tn_arena arena;
	uint64_t asked;		/* number of questions that were tested */
	struct tn_candidate candidate[TN_CANDIDATES];
	size_t n;
	uint64_t pair[TN_CANDIDATES][TN_CANDIDATES][2];	/* number of things that both candidates select */
	TN_ARRAY(struct tn_why_finding) finding;
};

void tn_findings_clear(struct tn_findings *f);	/* keeps the factors */
void tn_findings_forget(struct tn_findings *f);	/* forgets the counts, but keeps factors and candidates */
void tn_findings_release(struct tn_findings *f);
/* Add a thing with its time, and with one value for each other factor. */
enum tn_code tn_findings_add(struct tn_findings *f, const struct tn_answer_value *time, const struct tn_answer_value *value,
			     bool selected, struct tn_error *err) TN_MUST_CHECK;
/* Add another part of the same things, with the same factors. After this, @from can only be forgotten. */
enum tn_code tn_findings_merge(struct tn_findings *to, struct tn_findings *from, struct tn_error *err) TN_MUST_CHECK;
/* When all things are added: choose candidates, and count the things of their pairs. */
enum tn_code tn_findings_choose(struct tn_findings *f, struct tn_error *err) TN_MUST_CHECK;
/* Set probability and verdict for the test of one question, and `g`, by which findings are sorted. */
void tn_findings_judge(const struct tn_findings *f, struct tn_why_finding *finding, double probability);
/*
 * Like tn_findings_judge(), for an exact test, whose result is corrected for the number of questions. So a few things can
 * be enough.
 */
void tn_findings_judge_exact(struct tn_why_finding *finding, double probability);
/* Make the findings, and keep those that exist already. */
enum tn_code tn_findings_make(struct tn_findings *f, struct tn_error *err) TN_MUST_CHECK;

#endif
