/* condition_verdict.c - whether a condition can be true for the values in a packet */
#include "scan/condition_verdict.h"

#include <stdlib.h>

#include "digest/text_filter.h"
#include "language/condition.h"
#include "scan/pattern.h"

#define LITERALS 4
#define FEW 64	/* limit of numbers in a range that are tested one by one */

static bool
has_range(const struct tn_zone *v, const struct tn_step_range *range)
{
	uint64_t low = range->low > v->least ? range->low : v->least;
	uint64_t high = range->high < v->greatest ? range->high : v->greatest;

	if (low > high)
		return false;
	if (v->many || high - low >= FEW)
		return true;
	for (uint64_t i = 0; i <= high - low; i++)
		if (tn_zone_may_have(v, tn_zone_hash(low + i)))
			return true;
	return false;
}

static bool
has_number(const struct tn_zone *v, const struct tn_step *s)
{
	if (v->kind != (s->cell == TN_CELL_SIGNED ? TN_ZONE_SIGNED : TN_ZONE_UNSIGNED))
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (has_range(v, &s->range[i]))
			return true;
	return false;
}

static bool
has_text(const struct tn_zone *v, const struct tn_step *s)
{
	size_t n = s->how == TN_STEP_TEXT ? 1 : s->n;

	if (v->kind != TN_ZONE_TEXT)
		return false;
	for (size_t i = 0; i < n; i++)
		if (s->text[i].text && tn_zone_may_have_text(v, s->text[i].text, s->text[i].n))
			return true;
	return false;
}

/* Whether a text may match the regular expression: one text must contain all parts that every match contains. */
static bool
has_match(const struct tn_zone *v, const struct tn_regex *regex)
{
	char literal[LITERALS][TN_LITERAL_SIZE];
	size_t n = tn_regex_ignores_case(regex) ? 0 : tn_pattern_literals(tn_regex_pattern(regex), literal, LITERALS);

	for (size_t i = 0; i < n; i++)
		if (!tn_zone_may_have_inside(v, literal[i], strlen(literal[i])))
			return false;
	return true;
}

static bool
may_match(const struct tn_zone *v, const struct tn_step *s)
{
	bool matches = s->test->regex && (s->test->kind == TN_NODE_MATCH) == s->want;

	return !matches || (v->kind == TN_ZONE_TEXT ? has_match(v, s->test->regex) : v->kind != TN_ZONE_NONE);
}

/* Whether the test of a step may have the wanted result. */
static bool
may_be(const struct tn_step *s, const struct tn_zone *v)
{
	if (!v || v->kind == TN_ZONE_MIXED)
		return true;
	switch (s->how) {
	case TN_STEP_RANGE:
	case TN_STEP_RANGES: return has_number(v, s);
	case TN_STEP_TEXT:
	case TN_STEP_TEXTS: return !s->want || has_text(v, s);
	default: return may_match(v, s);
	}
}

static bool
may_pass(const struct tn_steps *steps,
	 const struct tn_zone *(*known)(void *user, const struct tn_reference *reference), void *user)
{
	bool *reached, passes = false;

	if (steps->first >= TN_STEP_NO)
		return steps->first == TN_STEP_YES;
	reached = calloc(steps->n, sizeof *reached);
	if (!reached)
		return true;
	/* A step leads only to steps that were compiled before it. */
	reached[steps->first] = true;
	for (size_t i = steps->first + (size_t)1; i-- > 0 && !passes; ) {
		const struct tn_step *s = &steps->step[i];
		uint32_t next[2] = { s->no, s->yes };
		bool yes;

		if (!reached[i])
			continue;
		yes = s->kind == TN_STEP_LINE || s->kind == TN_STEP_GENERAL || may_be(s, known(user, s->test->reference));
		for (int k = 0; k < (yes ? 2 : 1); k++) {
			passes |= next[k] == TN_STEP_YES;
			if (next[k] < TN_STEP_NO)
				reached[next[k]] = true;
		}
	}
	free(reached);
	return passes;
}

enum tn_verdict
tn_condition_verdict(const struct tn_expression *e, const struct tn_event_class *ec,
		      const struct tn_zone *(*known)(void *user, const struct tn_reference *reference), void *user)
{
	const struct tn_steps *steps = tn_expression_steps(e, ec);
	enum tn_verdict verdict = steps ? tn_steps_verdict(steps) : TN_VERDICT_OPEN;

	return verdict == TN_VERDICT_OPEN && steps && !may_pass(steps, known, user) ? TN_VERDICT_NO : verdict;
}
