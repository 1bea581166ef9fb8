/* why_findings.h - values, ranges and pairs of them that selected things have more often */
#ifndef TN_COMPARE_WHY_FINDINGS_H
#define TN_COMPARE_WHY_FINDINGS_H

#include <tnav/compare.h>

#include "compare/packed_codes.h"
#include "compare/why_factors.h"

#define TN_CANDIDATES 32	/* candidates whose pairs are counted: a bit of a word each */

/* Things whose value is at least @from and at most @to. */
struct tn_candidate {
	size_t factor;
	bool is_range;
	struct tn_answer_value from, to;
	uint64_t n[2];		/* rest, selected */
	double g;
};

struct tn_findings {
	uint64_t all[2];	/* rest, selected */
	TN_ARRAY(struct tn_factor) factor;	/* the first one is the time */
	struct tn_codes codes;	/* for each thing: its value of each factor; then whether it is selected */
	uint16_t *code;		/* the codes of one thing; in a merge, the codes of another part for all factors */
	struct tn_arena arena;
	uint64_t asked;		/* number of questions */
	struct tn_candidate candidate[TN_CANDIDATES];
	size_t n;
	uint64_t pair[TN_CANDIDATES][TN_CANDIDATES][2];	/* things that have both */
	TN_ARRAY(struct tn_why_finding) finding;
};

void tn_findings_clear(struct tn_findings *f);	/* keeps the factors */
void tn_findings_forget(struct tn_findings *f);	/* the counts: keeps factors and candidates */
void tn_findings_release(struct tn_findings *f);
/* A thing with its time and its values, one for each other factor. */
enum tn_code tn_findings_add(struct tn_findings *f, const struct tn_answer_value *time, const struct tn_answer_value *value,
			     bool selected, struct tn_error *err) TN_MUST_CHECK;
/* Add another part of the same things, with the same factors. @from can only be forgotten then. */
enum tn_code tn_findings_merge(struct tn_findings *to, struct tn_findings *from, struct tn_error *err) TN_MUST_CHECK;
/* All things are there: choose candidates, and count their pairs. */
enum tn_code tn_findings_choose(struct tn_findings *f, struct tn_error *err) TN_MUST_CHECK;
/* Set probability and verdict for a test whose result is that of one question; and g, by which findings are ordered. */
void tn_findings_judge(const struct tn_findings *f, struct tn_why_finding *finding, double probability);
/* Do as tn_findings_judge() does, for an exact test, whose result is corrected: even a few things can be clear. */
void tn_findings_judge_exact(struct tn_why_finding *finding, double probability);
/* Findings that are there stay. */
enum tn_code tn_findings_make(struct tn_findings *f, struct tn_error *err) TN_MUST_CHECK;

#endif
