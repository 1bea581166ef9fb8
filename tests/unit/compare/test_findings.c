/* Findings: values, ranges and pairs that selected things have more often (findings.h). */
#include <criterion/criterion.h>
#include <string.h>

#include "compare/why_findings.h"

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

#define THINGS 40000

struct thing {
	struct tn_answer_value time, value[3];
	bool selected;
};

/* A number of many, a text of few, and a copy of that text. */
static struct thing
thing(unsigned i, int cause)
{
	static const char *const texts[] = { "red", "green", "blue", "a longer text" };
	struct thing t = { .time = number(i / 1000), .value = { number(any(cause == 3 ? 100000 : 1000)) } };
	const uint64_t x = cause == 5 ? t.value[0].is.u = i : t.value[0].is.u;
	const char *text = texts[any(4)];

	t.selected = cause == 5 ? x >= 16000 && x < 17000 : cause == 1 ? strcmp(text, "blue") == 0 && any(2) : cause == 2 ? x >= 300 && x < 400 :
		     cause == 3 ? x < 5000 : any(20) == 0;
	t.value[1] = t.value[2] = (struct tn_answer_value) { .kind = TN_ANSWER_TEXT, .text = text, .n = strlen(text) };
	return t;
}

static void
make(struct tn_findings *f)
{
	static const char *const names[] = { "time", "number", "text", "copy" };

	for (size_t i = 0; i < 4; i++) {
		struct tn_factor *factor = TN_ARRAY_ADD(&f->factor);

		cr_assert_not_null(factor);
		factor->name = strdup(names[i]);
	}
}

/* The things, in parts of @size. */
static void
find_by_parts(struct tn_findings *f, int cause, unsigned size)
{
	struct tn_findings part = { .n = 0 };
	struct tn_error err;

	make(f);
	make(&part);
	seed = 11;
	for (unsigned i = 0; i < THINGS; i++) {
		struct thing t = thing(i, cause);

		cr_assert_eq(tn_findings_add(size < THINGS ? &part : f, &t.time, t.value, t.selected, &err), TN_OK);
		if (size < THINGS && (i % size == size - 1 || i == THINGS - 1)) {
			cr_assert_eq(tn_findings_merge(f, &part, &err), TN_OK);
			tn_findings_forget(&part);
		}
	}
	cr_assert_eq(tn_findings_choose(f, &err), TN_OK);
	cr_assert_eq(tn_findings_make(f, &err), TN_OK);
	tn_findings_release(&part);
}

static void
find(struct tn_findings *f, int cause)
{
	find_by_parts(f, cause, THINGS);
}

static bool
has(const struct tn_candidate *c, const struct thing *t)
{
	const struct tn_answer_value *v = c->factor ? &t->value[c->factor - 1] : &t->time;

	return v->kind == c->from.kind && tn_answer_value_compare(v, &c->from) >= 0 && tn_answer_value_compare(v, &c->to) <= 0;
}

/* The things with both of two candidates, counted one by one; values become steps in the middle of a part, and between parts. */
Test(findings, pairs_are_counted)
{
	static const unsigned sizes[] = { THINGS, 30000, 18000, 5000, 7 };

	for (size_t k = 0; k < TN_COUNT(sizes); k++)
		for (int cause = 1; cause <= 5; cause++) {
			struct tn_findings f = { .n = 0 };
			uint64_t pair[TN_CANDIDATES][TN_CANDIDATES][2] = { { { 0 } } };

			find_by_parts(&f, cause, sizes[k]);
			cr_assert_eq(f.factor.item[1].is_stepped, cause == 3 || cause == 5);
			seed = 11;
			for (unsigned n = 0; n < THINGS; n++) {
				struct thing t = thing(n, cause);

				for (size_t i = 0; i < f.n; i++)
					for (size_t j = i; j < f.n; j++)
						pair[i][j][t.selected] += has(&f.candidate[i], &t) && has(&f.candidate[j], &t);
			}
			cr_assert_eq(memcmp(pair, f.pair, sizeof pair), 0, "cause %d, parts of %u", cause, sizes[k]);
			tn_findings_release(&f);
		}
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
