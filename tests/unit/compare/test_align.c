/* The longest common subsequence of two sequences (align.h), against a table of all prefixes. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "compare/align.h"

#define SHORT 60

static uint64_t seed = 5;

static uint32_t
any(uint32_t most)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((seed >> 33) % most);
}

static size_t
longest(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
	size_t table[SHORT + 1][SHORT + 1] = { { 0 } };

	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			size_t up = table[i - 1][j], left = table[i][j - 1];

			table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : up > left ? up : left;
		}
	return table[n][m];
}

/* What is kept of both sides is the same. */
static void
check(const struct tn_alignment *a)
{
	size_t i = 0, j = 0, common = 0;

	for (;; i++, j++, common++) {
		while (i < a->n[0] && !a->kept[0][i])
			i++;
		while (j < a->n[1] && !a->kept[1][j])
			j++;
		if (i == a->n[0] || j == a->n[1])
			break;
		cr_assert_eq(a->side[0][i], a->side[1][j], "%zu, %zu", i, j);
	}
	cr_assert(i == a->n[0] && j == a->n[1]);
	cr_assert_eq(common, a->common);
}

static void
release(struct tn_alignment *a)
{
	free(a->kept[0]);
	free(a->kept[1]);
}

Test(align, is_the_longest)
{
	for (size_t turn = 0; turn < 20000; turn++) {
		uint32_t x[SHORT], y[SHORT], letters = 1 + any(1 + any(12));
		struct tn_alignment a = {
			.side = { x, y }, .n = { any(SHORT + 1), any(SHORT + 1) }, .numbers = letters, .most_work = TN_ALIGN_WORK,
		};
		struct tn_error err;

		for (size_t i = 0; i < SHORT; i++)
			x[i] = y[i] = any(letters);
		for (size_t i = any(SHORT); i < SHORT && turn % 3; i += 1 + any(9))
			y[i] = any(letters);
		cr_assert_eq(tn_align(&a, &err), TN_OK);
		check(&a);
		cr_assert_eq(a.common, longest(x, a.n[0], y, a.n[1]), "turn %zu", turn);
		cr_assert_not(a.is_approximate);
		release(&a);
	}
}

/* The same numbers in another order, nothing in common, and few letters: the work is bounded, the answer is a common part. */
Test(align, hostile)
{
	enum { N = 1 << 20 };
	uint32_t *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);

	cr_assert(x && y);
	for (unsigned kind = 0; kind < 4; kind++) {
		struct tn_alignment a = { .side = { x, y }, .n = { N, N }, .numbers = 2 * N, .most_work = 1 << 22 };
		struct tn_error err;

		for (uint32_t i = 0; i < N; i++) {
			x[i] = kind == 3 ? any(2) : i;
			y[i] = kind == 0 ? N - 1 - i : kind == 1 ? N + i : kind == 2 ? any(N) : any(2);
		}
		cr_assert_eq(tn_align(&a, &err), TN_OK);
		check(&a);
		cr_assert_eq(a.is_approximate, kind != 1);
		cr_assert(kind == 1 ? a.common == 0 : kind == 3 ? a.common > N / 2 : a.common >= 1);
		release(&a);
	}
	free(x);
	free(y);
}

static bool
stop(void *user)
{
	return ++*(int *)user == 2;
}

Test(align, stops)
{
	enum { N = 1 << 16 };
	uint32_t *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
	int calls = 0;
	struct tn_alignment a = {
		.side = { x, y }, .n = { N, N }, .numbers = N, .most_work = TN_ALIGN_WORK, .stopped = stop, .user = &calls,
	};
	struct tn_error err;

	cr_assert(x && y);
	for (uint32_t i = 0; i < N; i++) {
		x[i] = i;
		y[i] = N - 1 - i;
	}
	cr_assert_eq(tn_align(&a, &err), TN_ERR_CANCELLED);
	cr_assert_eq(calls, 2);
	release(&a);
	free(x);
	free(y);
}
