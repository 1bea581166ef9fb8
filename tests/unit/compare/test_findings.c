/* Findings: values, ranges and pairs that selected things have more often (findings.h). */
#include <criterion/criterion.h>
#include <string.h>

#include "compare/findings.h"

static uint64_t seed = 11;

static uint64_t
any(uint64_t most)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % most;
}

static struct tn_answer_value
number(uint64_t u)
{
	return (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = u };
}

/* Factor 0 is the time; a number of many, a text of few, and a copy of that text. */
static void
things(struct tn_findings *f, bool second, int cause)
{
	static const char *const texts[] = { "red", "green", "blue", "a longer text" };
	struct tn_error err;

	seed = 11;
	for (unsigned i = 0; i < 40000; i++) {
		struct tn_answer_value v[4] = { number(i / 1000), number(any(cause == 3 ? 100000 : 1000)) };
		const char *text = texts[any(4)];
		bool selected = cause == 1 ? strcmp(text, "blue") == 0 && any(2) : cause == 2 ? v[1].is.u >= 300 && v[1].is.u < 400 :
				cause == 3 ? v[1].is.u < 5000 : any(20) == 0;

		v[2] = v[3] = (struct tn_answer_value) { .kind = TN_ANSWER_TEXT, .text = text, .n = strlen(text) };
		if (second)
			tn_findings_count(f, v, selected);
		else
			cr_assert(tn_findings_add(f, v, selected));
	}
	if (second)
		cr_assert_eq(tn_findings_make(f, &err), TN_OK);
	else
		tn_findings_choose(f);
}

static void
find(struct tn_findings *f, int cause)
{
	static const char *const names[] = { "time", "number", "text", "copy" };

	for (size_t i = 0; i < 4; i++) {
		struct tn_factor *factor = TN_ARRAY_ADD(&f->factor);

		cr_assert_not_null(factor);
		factor->name = strdup(names[i]);
	}
	things(f, false, cause);
	things(f, true, cause);
}

Test(findings, a_value_and_its_copy_are_one)
{
	struct tn_findings f = { .n = 0 };
	const struct tn_why_finding *first;

	find(&f, 1);
	first = &f.finding.item[0];
	cr_assert_str_eq(first->field, "text");
	cr_assert_str_eq(first->value.text, "blue");
	cr_assert_str_eq(first->same, "copy == \"blue\"");
	cr_assert_eq(first->selected, f.all[1]);
	cr_assert_eq(first->verdict, TN_COMPARE_SURE);
	for (size_t i = 1; i < f.finding.n; i++)
		cr_assert_neq(f.finding.item[i].verdict, TN_COMPARE_SURE, "%s", f.finding.item[i].field);
	tn_findings_release(&f);
}

Test(findings, a_range)
{
	struct tn_findings f = { .n = 0 };

	find(&f, 2);
	cr_assert_str_eq(f.finding.item[0].field, "number");
	cr_assert(f.finding.item[0].is_range);
	cr_assert_leq(f.finding.item[0].from.is.u, 300);
	cr_assert_geq(f.finding.item[0].from.is.u, 280);
	cr_assert_geq(f.finding.item[0].to.is.u, 399);
	cr_assert_leq(f.finding.item[0].to.is.u, 420);
	cr_assert_eq(f.finding.item[0].selected, f.all[1]);
	tn_findings_release(&f);
}

/* More numbers than a factor keeps: steps have exact counts. */
Test(findings, a_range_of_many_numbers)
{
	struct tn_findings f = { .n = 0 };

	find(&f, 3);
	cr_assert(f.factor.item[1].is_stepped);
	cr_assert(f.finding.item[0].is_range);
	cr_assert_str_eq(f.finding.item[0].field, "number");
	cr_assert_geq(f.finding.item[0].selected * 10, f.all[1] * 9);
	cr_assert_geq(f.finding.item[0].to.is.u, 4500);
	cr_assert_leq(f.finding.item[0].to.is.u, 7000);
	tn_findings_release(&f);
}

Test(findings, nothing)
{
	struct tn_findings f = { .n = 0 };

	find(&f, 4);
	for (size_t i = 0; i < f.finding.n; i++)
		cr_assert_neq(f.finding.item[i].verdict, TN_COMPARE_SURE);
	tn_findings_release(&f);
}
