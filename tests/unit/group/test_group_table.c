/* Groups and what their aggregates come to (group_table.h): one table, and the same in parts that are added. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "group/group_table.h"

enum { COUNT, COUNT_OF, SUM, MIN, MAX, MEAN, DISTINCT, QUANTILE, FIRST, LAST, RATE, STDDEV, MEDIAN, ALL };

static const struct { const char *name; bool takes_field; } names[ALL] = {
	[COUNT] = { "count", false }, [COUNT_OF] = { "count", true }, [SUM] = { "sum", true }, [MIN] = { "min", true },
	[MAX] = { "max", true }, [MEAN] = { "mean", true }, [DISTINCT] = { "distinct", true }, [QUANTILE] = { "p50", true },
	[FIRST] = { "first", true }, [LAST] = { "last", true }, [RATE] = { "rate", false },
	[STDDEV] = { "stddev", true }, [MEDIAN] = { "median", true },
};
static struct tn_aggregate aggregate[ALL];
static struct tn_group_table_plan plan;

static struct tn_aggregate
make(int which)
{
	struct tn_aggregate a = { 0 };

	cr_assert(tn_aggregate_find(&a, names[which].name, strlen(names[which].name), names[which].takes_field));
	cr_assert_eq(a.type->takes_field, names[which].takes_field);
	return a;
}

static void
make_plan(void)
{
	for (size_t i = 0; i < ALL; i++)
		aggregate[i] = make((int)i);
	plan = (struct tn_group_table_plan) { .n_aggregates = ALL, .n_arguments = 1 };
	tn_group_table_lay_out(&plan, aggregate);
}

TestSuite(group_table, .init = make_plan);

static void
add(struct tn_group_table *t, uint64_t key, struct tn_answer_value v, int64_t ns)
{
	struct tn_group_table_row row = { .argument = &v, .at = { .time_ns = ns }, .has_time = true, .time_ns = ns };
	struct tn_group *g = tn_group_table_group(t, &key, 1);

	cr_assert(g && tn_group_table_add(t, g, &row));
}

static struct tn_group *
group_of(const struct tn_group_table *t, uint64_t key)
{
	uint32_t place = 0;
	struct tn_group *g;

	while ((g = tn_group_table_at(t, &place)))
		if (*tn_group_key(t, g) == key)
			break;
	return g;
}

static size_t
groups_in(const struct tn_group_table *t)
{
	uint32_t place = 0;
	size_t n = 0;

	while (tn_group_table_at(t, &place))
		n++;
	return n;
}

static struct tn_answer_value
value(const struct tn_group_table *t, uint64_t key, int kind, int64_t step_ns)
{
	struct tn_answer_value v;

	tn_group_value(t, group_of(t, key), (size_t)kind, step_ns, &v);
	return v;
}

#define U(n) (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = (n) }
#define I(n) (struct tn_answer_value) { .kind = TN_ANSWER_SINT, .is.i = (n) }
#define F(n) (struct tn_answer_value) { .kind = TN_ANSWER_FLOAT, .is.f = (n) }
#define T(s) (struct tn_answer_value) { .kind = TN_ANSWER_TEXT, .text = (s), .n = sizeof(s) - 1 }

static void
expect(const struct tn_group_table *t, uint64_t key, int kind, struct tn_answer_value want)
{
	struct tn_answer_value got = value(t, key, kind, 0);

	cr_expect(got.kind == want.kind && tn_answer_value_compare(&got, &want) == 0,
		  "key %d, aggregate %d: kind %d, %g", (int)key, kind, got.kind, got.is.f);
}

/* Keys of @words words: long and short ones in turn, added twice. */
static void
add_long(struct tn_group_table *t, size_t n)
{
	static uint64_t key[70001];

	for (size_t i = 0; i < 2 * n; i++) {
		struct tn_answer_value v = U(i);
		struct tn_group_table_row row = { .argument = &v };
		size_t words = i % n % 3 ? 1 : sizeof key / sizeof *key - i % n;
		struct tn_group *g;

		key[0] = i % n;
		g = tn_group_table_group(t, key, words);
		cr_assert(g && tn_group_table_add(t, g, &row));
	}
}

/* A key that is longer than the memory that is taken at once has a group like any other. */
Test(group_table, long_keys)
{
	struct tn_group_table all, part;
	struct tn_group *list[100];
	uint32_t place = 0;

	plan.most_bytes = (size_t)42 << 20;
	tn_group_table_init(&all, &plan);
	tn_group_table_init(&part, &plan);
	add_long(&all, 30);
	cr_assert_eq(all.n, 30);
	cr_assert(!all.others && !all.is_full);
	cr_assert_eq(groups_in(&all), 30);
	tn_group_table_list(&all, list);
	for (uint64_t i = 0; i < 30; i++) {
		struct tn_group *g = tn_group_table_at(&all, &place);

		cr_expect(g == list[i] && g->count == 2 && *tn_group_key(&all, g) == i, "group %d", (int)i);
		expect(&all, i, SUM, U(2 * i + 30));
	}
	add_long(&part, 60);
	cr_assert(tn_group_table_merge(&all, &part));
	cr_assert_eq(groups_in(&all), 60);
	/* More keys than the limit: the first ones are separate, all others are counted together. */
	tn_group_table_clear(&all);
	add_long(&all, 300);
	cr_expect(all.is_full && all.others && groups_in(&all) > 50 && groups_in(&all) < 300 && all.bytes <= plan.most_bytes);
	cr_expect_eq(all.others->count, 2 * (300 - groups_in(&all)));
	tn_group_table_release(&all);
	tn_group_table_release(&part);
}

/* The order of times and the number of tables do not change the result. */
static void
fill(struct tn_group_table *parts, size_t n)
{
	for (size_t k = 0; k < n; k++)
		tn_group_table_init(&parts[k], &plan);
	add(&parts[0], 1, U(UINT64_MAX), 50);
	add(&parts[1 % n], 1, U(UINT64_MAX), 20);
	add(&parts[2 % n], 1, I(-7), 90);
	add(&parts[0], 2, F(0.25), 10);
	add(&parts[1 % n], 2, F(NAN), 30);
	add(&parts[2 % n], 2, I(-1), 5);
	add(&parts[0], 3, T("late"), 70);
	add(&parts[1 % n], 3, T("early"), 15);
	add(&parts[2 % n], 3, T("late"), 60);
	add(&parts[0], 4, (struct tn_answer_value) { 0 }, 1);
	for (size_t k = 1; k < n; k++)
		cr_assert(tn_group_table_merge(&parts[0], &parts[k]));
}

Test(group_table, aggregates)
{
	for (size_t n = 1; n <= 3; n++) {
		struct tn_group_table parts[3];
		struct tn_group_table *t = &parts[0];
		struct tn_answer_value v;

		fill(parts, n);
		cr_expect_eq(groups_in(t), 4);
		expect(t, 1, COUNT, U(3));
		expect(t, 1, COUNT_OF, U(3));
		v = value(t, 1, SUM, 0);
		cr_expect(v.kind == TN_ANSWER_FLOAT && v.is.f == 36893488147419103232.0, "more than 64 bits is a float: %g", v.is.f);
		expect(t, 1, MIN, I(-7));
		expect(t, 1, MAX, U(UINT64_MAX));
		expect(t, 1, DISTINCT, U(2));
		expect(t, 1, FIRST, U(UINT64_MAX));
		expect(t, 1, LAST, I(-7));
		expect(t, 2, COUNT_OF, U(3));
		expect(t, 2, SUM, F(-0.75));
		expect(t, 2, MEAN, F(-0.375));
		expect(t, 2, MIN, I(-1));
		expect(t, 2, MAX, F(0.25));
		expect(t, 2, QUANTILE, F(-1));
		expect(t, 2, FIRST, I(-1));
		expect(t, 3, SUM, U(0));
		expect(t, 3, MEAN, (struct tn_answer_value) { 0 });
		expect(t, 3, MIN, (struct tn_answer_value) { 0 });
		expect(t, 3, QUANTILE, (struct tn_answer_value) { 0 });
		expect(t, 3, DISTINCT, U(2));
		expect(t, 3, FIRST, T("early"));
		expect(t, 3, LAST, T("late"));
		expect(t, 1, STDDEV, F(10650232656628343808.0));	/* (2^64 + 6) / sqrt(3) */
		expect(t, 2, STDDEV, F(0.88388347648318440551));	/* 1.25 / sqrt(2) */
		expect(t, 3, STDDEV, (struct tn_answer_value) { 0 });
		expect(t, 2, MEDIAN, F(-1));
		expect(t, 4, COUNT, U(1));
		expect(t, 4, COUNT_OF, U(0));
		expect(t, 4, DISTINCT, U(0));
		expect(t, 4, FIRST, (struct tn_answer_value) { 0 });
		v = value(t, 1, RATE, 0);
		cr_expect(fabs(v.is.f - 3e9 / 89) < 1, "from the first row of all to the last: %g", v.is.f);
		v = value(t, 1, RATE, 1000);
		cr_expect_eq(v.is.f, 3e6, "of a step");
		for (size_t k = 0; k < n; k++)
			tn_group_table_release(&parts[k]);
	}
}

/* A sum of whole numbers is exact, above and below zero. */
Test(group_table, exact_sums)
{
	struct tn_group_table t;

	tn_group_table_init(&t, &plan);
	add(&t, 1, U(UINT64_MAX), 1);
	add(&t, 1, I(INT64_MIN), 1);
	add(&t, 1, I(INT64_MIN), 1);
	expect(&t, 1, SUM, I(-1));
	add(&t, 1, I(INT64_MIN), 1);
	cr_expect_eq(value(&t, 1, SUM, 0).kind, TN_ANSWER_FLOAT);
	add(&t, 2, I(-3), 1);
	expect(&t, 2, QUANTILE, I(-3));
	expect(&t, 2, RATE, (struct tn_answer_value) { 0 });
	tn_group_table_release(&t);
}

/* A standard deviation is exact far from zero, of whole numbers and of floats, in any order. */
Test(group_table, exact_deviations)
{
	static const double base[] = { 0, 1e9, -1e12, 0.5 };
	static const uint64_t whole[] = { 0, 1000000000000000000, UINT64_MAX - 5, UINT64_MAX / 2 - 3, (uint64_t)INT64_MIN };
	struct tn_group_table t;

	tn_group_table_init(&t, &plan);
	for (uint64_t k = 0; k < sizeof whole / sizeof *whole; k++) {
		for (uint64_t i = 0; i < 6; i++)
			add(&t, k, k == 4 ? I((int64_t)(whole[k] + i)) : U(whole[k] + i), 1);
		expect(&t, k, STDDEV, F(sqrt(3.5)));
	}
	for (uint64_t k = 0; k < sizeof base / sizeof *base; k++)
		for (uint64_t forth = 0; forth < 2; forth++) {
			for (int i = 0; i < 1000; i++)
				add(&t, 10 + 2 * k + forth, F(base[k] + (forth ? i : 999 - i)), 1);
			expect(&t, 10 + 2 * k + forth, STDDEV, F(288.81943609574937));
		}
	add(&t, 30, U(7), 1);
	expect(&t, 30, STDDEV, (struct tn_answer_value) { 0 });
	add(&t, 30, F(9), 1);
	expect(&t, 30, STDDEV, F(sqrt(2)));
	add(&t, 30, F(INFINITY), 1);
	expect(&t, 30, STDDEV, (struct tn_answer_value) { 0 });
	tn_group_table_release(&t);
}

/* Infinite values have an infinite sum; nan is left out. */
Test(group_table, sums_without_end)
{
	struct tn_group_table t;

	tn_group_table_init(&t, &plan);
	add(&t, 1, F(INFINITY), 1);
	add(&t, 1, F(1.5), 1);
	add(&t, 1, F(NAN), 1);
	expect(&t, 1, SUM, F(INFINITY));
	expect(&t, 1, MEAN, F(INFINITY));
	add(&t, 2, F(1e308), 1);
	add(&t, 2, F(1e308), 1);
	expect(&t, 2, SUM, F(INFINITY));
	add(&t, 3, F(-INFINITY), 1);
	add(&t, 3, F(INFINITY), 1);
	expect(&t, 3, SUM, (struct tn_answer_value) { 0 });
	tn_group_table_release(&t);
}

/* More groups than memory: existing ones continue, all others are one, and no row is lost. */
Test(group_table, more_groups_than_memory)
{
	struct tn_group_table t, more;
	uint64_t sum = 0;
	uint32_t place = 0;
	struct tn_group *g;

	plan.most_bytes = 100000;
	tn_group_table_init(&t, &plan);
	for (int round = 0; round < 2; round++)
		for (uint64_t key = 0; key < 2000; key++)
			add(&t, key, U(key), (int64_t)key);
	cr_assert(t.is_full && t.others);
	cr_expect_lt(groups_in(&t), 2000);
	cr_expect_leq(t.bytes, 200000);
	plan.most_bytes = 0;
	tn_group_table_init(&more, &plan);
	for (uint64_t key = 0; key < 70000; key++)	/* many chunks */
		add(&more, key, U(key), 1);
	cr_assert(tn_group_table_merge(&t, &more));
	while ((g = tn_group_table_at(&t, &place)))
		sum += g->count;
	cr_expect_eq(sum + t.others->count, 4000 + 70000);
	cr_assert(tn_group_table_merge(&more, &t), "others go to others");
	cr_assert(more.others);
	cr_expect_eq(more.others->count, t.others->count);
	tn_group_table_clear(&more);
	cr_expect(groups_in(&more) == 0 && !more.others && !more.is_full);
	add(&more, 5, U(1), 1);
	cr_expect_eq(group_of(&more, 5)->count, 1, "it can be used again");
	tn_group_table_release(&more);
	tn_group_table_release(&t);
}

/* Numbers counted many at a time give the counts of one by one, also at the end of the space. */
Test(group_table, counts_of_many_numbers)
{
	static struct tn_number_met met[9000];

	for (size_t most = 0; most < 3; most++)
		for (int is_signed = 0; is_signed < 2; is_signed++) {
			struct tn_group_table many, one;
			uint32_t at = 0, same = 0;
			struct tn_group *g, *h;

			plan.n_aggregates = 0;
			tn_group_table_lay_out(&plan, aggregate);
			plan.most_bytes = most * 60000;
			tn_group_table_init(&many, &plan);
			tn_group_table_init(&one, &plan);
			for (size_t i = 0; i < 9000; i++)
				met[i] = (struct tn_number_met) { (uint64_t)(i * 7919 % 5000) - 1000 * (i % 2), (uint32_t)(1 + i % 3), 0 };
			for (size_t i = 0; i < 9000; i++)
				met[i].hash = tn_number_hash(plan.seed, plan.factor, met[i].u);
			for (size_t i = 0; i < 9000; i += 900)
				cr_assert(tn_group_table_count(&many, met + i, 900, is_signed));
			for (size_t i = 0; i < 9000; i++) {
				const uint64_t key[2] = { is_signed && met[i].u >> 63 ? TN_ANSWER_SINT : TN_ANSWER_UINT, met[i].u };

				g = tn_group_table_group(&one, key, 2);
				cr_assert(g);
				g->count += met[i].count;
			}
			do {
				g = tn_group_table_at(&many, &at);
				h = tn_group_table_at(&one, &same);
				cr_assert_eq(!g, !h, "bound %zu", most);
				cr_assert(!g || (g->count == h->count && memcmp(tn_group_key(&many, g), tn_group_key(&one, h), 16) == 0));
			} while (g);
			cr_expect(!many.others == !one.others && !many.others == !most);
			cr_expect(!many.others || many.others->count == one.others->count);
			tn_group_table_release(&many);
			tn_group_table_release(&one);
		}
}

/* The growth of an aggregate is counted: a state that does not fit is dropped, and nothing else. */
Test(group_table, more_values_than_memory)
{
	struct tn_group_table t, part;
	uint64_t none = 0, some = 0;
	char text[3000];

	memset(text, 'x', sizeof text);
	plan.most_bytes = 200000;
	for (int merged = 0; merged < 2; merged++) {
		struct tn_group_table_plan free = plan;

		free.most_bytes = 0;
		tn_group_table_init(&t, &plan);
		for (uint64_t key = 0; key < 40; key++)
			add(&t, key, U(0), 0);
		for (uint64_t key = 0; key < 40; key++) {
			tn_group_table_init(&part, &free);
			for (uint64_t i = 1; i < (key < 20 ? 10 : 1000); i++)
				add(merged ? &part : &t, key, U(i), (int64_t)i);
			if (merged)
				cr_assert(tn_group_table_merge(&t, &part));
			tn_group_table_release(&part);
		}
		for (uint64_t key = 100; key < 140; key++)
			add(&t, key, (struct tn_answer_value) { .kind = TN_ANSWER_TEXT, .text = text, .n = sizeof text }, 1);
		cr_expect_leq(t.bytes, plan.most_bytes);
		cr_expect_gt(t.dropped, 0);
		for (uint64_t key = 0; key < 40; key++) {
			uint64_t n = key < 20 ? 10 : 1000;
			struct tn_answer_value v = value(&t, key, DISTINCT, 0);

			expect(&t, key, COUNT, U(n));
			none += v.kind == TN_ANSWER_NONE;
			some += v.kind == TN_ANSWER_UINT;
			cr_expect(v.kind == TN_ANSWER_NONE || v.is.u == n, "key %d: %d", (int)key, (int)v.is.u);
			v = value(&t, key, QUANTILE, 0);
			cr_expect(v.kind == TN_ANSWER_NONE || llabs((long long)v.is.u - (long long)n / 2) <= 3, "key %d: %d",
				  (int)key, (int)v.is.u);
		}
		tn_group_table_release(&t);
	}
	cr_expect(none && some);
}

/* A key that is larger than all that there may be finds no group of its own. */
Test(group_table, very_long_key)
{
	const size_t words = 9000000;
	uint64_t *key = calloc(words, 8);
	struct tn_group_table t;

	tn_group_table_init(&t, &plan);
	cr_assert_eq(tn_group_table_group(&t, key, words), t.others);
	cr_assert(t.is_full && t.others);
	tn_group_table_release(&t);
	free(key);
}

/* Numbers of a group that are added together are what they are one by one, with a bound and without. */
Test(group_table, numbers_together)
{
	static const int kind[] = {
		COUNT, COUNT_OF, SUM, MIN, MAX, MEAN, DISTINCT, QUANTILE, STDDEV, MEDIAN,
	};
	enum { KINDS = sizeof kind / sizeof *kind, NUMBERS = 5000 };
	static uint64_t number[NUMBERS];
	struct tn_aggregate some[KINDS];
	struct tn_group_table one, together;
	uint64_t key = 1;

	for (size_t i = 0; i < NUMBERS; i++)
		number[i] = i % 7 == 0 ? UINT64_MAX - i : (i * 2654435761u) % 100003;
	for (size_t bound = 0; bound < 3; bound++) {
		for (size_t i = 0; i < KINDS; i++)
			some[i] = make(kind[i]);
		plan = (struct tn_group_table_plan) {
			.n_aggregates = KINDS, .n_arguments = 1, .most_bytes = bound == 0 ? 0 : bound == 1 ? 1 << 20 : 6000,
		};
		tn_group_table_lay_out(&plan, some);
		tn_group_table_init(&one, &plan);
		tn_group_table_init(&together, &plan);
		for (size_t i = 0, n; i < NUMBERS; i += n) {
			struct tn_group *g = tn_group_table_group(&together, &key, 1);

			n = NUMBERS - i < 1 + i % 61 ? NUMBERS - i : 1 + i % 61;
			cr_assert(g && tn_group_table_add_numbers(&together, g, number + i, n));
			for (size_t k = i; k < i + n; k++)
				add(&one, key, U(number[k]), 0);
		}
		for (size_t i = 0; i < KINDS; i++) {
			struct tn_answer_value a, b;

			tn_group_value(&one, group_of(&one, key), i, 0, &a);
			tn_group_value(&together, group_of(&together, key), i, 0, &b);
			cr_expect(a.kind == b.kind && a.is.u == b.is.u, "bound %zu, aggregate %zu: %ju, %ju", bound, i,
				  (uintmax_t)a.is.u, (uintmax_t)b.is.u);
		}
		cr_expect(one.dropped == together.dropped && one.dropped == (bound == 2 ? 2 : 0));
		cr_expect(bound == 0 || one.bytes == together.bytes);
		tn_group_table_release(&one);
		tn_group_table_release(&together);
	}
}
