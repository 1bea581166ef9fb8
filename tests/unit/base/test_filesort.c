/*
 * test_filesort.c - records in order, out of order within a window, late, of one time: always as qsort() has them
 */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "base/filesort.h"

#define WORDS 64	/* of a record: 24576 records are a run */
#define MOST 60000

struct record {
	struct tn_filesort_key key;
	uint64_t more[WORDS - 2];
};

static struct tn_filesort_key want[MOST];
static uint64_t state;

static uint64_t
dice(uint64_t n)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (state >> 33) % n;
}

static int
compare(const void *a, const void *b)
{
	const struct tn_filesort_key *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static int
compare_turned(const void *a, const void *b)
{
	const struct tn_filesort_key *x = a, *y = b;

	return x->ns != y->ns ? compare(a, b) : compare(b, a);
}

/* Turn the records of each time around: they must be given in order. */
static bool
turn(void *user, void *records, size_t n)
{
	struct record *r = records, one;

	(void)user;
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n && r[k].key.ns == r[i].key.ns; k++)
			;
		for (size_t a = i, b = k - 1; a < b; a++, b--) {
			one = r[a];
			r[a] = r[b];
			r[b] = one;
		}
	}
	return true;
}

static void
check(const char *what, size_t n, bool turned)
{
	struct tn_filesort s = { .size = sizeof(struct record), .arrange = turned ? turn : NULL };
	static struct record r;
	struct tn_error err;
	struct tn_map map;
	uint64_t got;

	for (size_t i = 0; i < n; i++) {
		want[i].at = i;
		r.key = want[i];
		r.more[WORDS - 3] = (uint64_t)want[i].ns ^ i;
		cr_assert_eq(tn_filesort_add(&s, &r, &err), TN_OK, "%s: %s", what, err.text);
	}
	cr_assert_eq(tn_filesort_end(&s, &map, &got, &err), TN_OK, "%s: %s", what, err.text);
	tn_filesort_release(&s);
	cr_assert_eq(got, n, "%s: %zu records", what, (size_t)got);
	qsort(want, n, sizeof *want, turned ? compare_turned : compare);
	for (size_t i = 0; i < n; i++) {
		const struct record *is = (const struct record *)(const void *)map.data + i;

		cr_assert(is->key.ns == want[i].ns && is->key.at == want[i].at, "%s: record %zu: %lld, %zu, not %lld, %zu", what, i,
			  (long long)is->key.ns, (size_t)is->key.at, (long long)want[i].ns, (size_t)want[i].at);
		cr_assert_eq(is->more[WORDS - 3], (uint64_t)want[i].ns ^ want[i].at, "%s: record %zu: its data", what, i);
	}
	tn_map_release(&map);
}

Test(filesort, any_order)
{
	static const size_t lengths[] = { 0, 1, 2, 4097, 24576, 24577, MOST };

	for (size_t k = 0; k < 2 * sizeof lengths / sizeof *lengths; k++) {
		size_t n = lengths[k / 2];

		for (size_t i = 0; i < n; i++)
			want[i].ns = (int64_t)i / 3 - 100;
		check("in order", n, k & 1);
		for (size_t i = 0; i < n; i++)
			want[i].ns = (int64_t)(i + dice(1000)) * 1000003;
		check("within a window", n, k & 1);
		for (size_t i = 0; i < n; i++)
			want[i].ns = (int64_t)(i + dice(20)) / 16;
		check("many of one time", n, k & 1);
		for (size_t i = 0; i < n; i++)
			want[i].ns = dice(n / 4 + 1) ? (int64_t)i : (int64_t)dice(n);
		check("some late", n, k & 1);
		for (size_t i = 0; i < n; i++)
			want[i].ns = (int64_t)(n - i);
		check("backwards", n, k & 1);
		for (size_t i = 0; i < n; i++)
			want[i].ns = i % 7 ? INT64_MIN + (int64_t)dice(9) : INT64_MAX - (int64_t)dice(9);
		check("far apart", n, k & 1);
	}
}

/* A record of the time that was written last comes when its neighbours are gone. */
Test(filesort, one_time_again)
{
	for (size_t i = 0; i < MOST; i++)
		want[i].ns = (int64_t)i;
	for (size_t i = 24576; i < MOST; i += 500)
		want[i].ns = (int64_t)i / 18432 * 18432 - 1;
	check("again, as they are", MOST, false);
	for (size_t i = 0; i < MOST; i++)
		want[i].ns = (int64_t)i;
	for (size_t i = 24576; i < MOST; i += 500)
		want[i].ns = (int64_t)i / 18432 * 18432 - 1;
	check("again, turned", MOST, true);
}
