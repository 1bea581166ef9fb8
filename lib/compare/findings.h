/* findings.h - values, ranges and pairs of them that selected things have more often */
#ifndef TN_COMPARE_FINDINGS_H
#define TN_COMPARE_FINDINGS_H

#include <tnav/compare.h>

#include "compare/factors.h"

#define TN_CANDIDATES 32	/* whose pairs are counted: a bit of a word each */

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
	TN_ARRAY(struct tn_factor) factor;
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
/* The first reading: a thing with its values, one for each factor. False: memory is out. */
bool tn_findings_add(struct tn_findings *f, const struct tn_answer_value *value, bool selected);
/* Add another part of the same things, with the same factors and candidates: of either reading. False: memory is out. */
bool tn_findings_merge(struct tn_findings *to, const struct tn_findings *from);
/* Between the readings. */
void tn_findings_choose(struct tn_findings *f);
/* The second reading. */
void tn_findings_count(struct tn_findings *f, const struct tn_answer_value *value, bool selected);
/* Set probability and verdict for a test whose result is that of one question; and g, by which findings are ordered. */
void tn_findings_judge(const struct tn_findings *f, struct tn_why_finding *finding, double probability);
/* After it. Findings that are there stay. */
enum tn_code tn_findings_make(struct tn_findings *f, struct tn_error *err) TN_MUST_CHECK;

#endif
