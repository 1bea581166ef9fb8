/* How long each state was (lanes_shares.c): few that are looked through, many in a table, again after they were forgotten. */
#include <criterion/criterion.h>

#include "lane/lanes.h"

Test(lanes_shares, sums)
{
	struct tn_shares s = { 0 };

	for (uint32_t states = 1; states < 60; states += 13) {
		for (uint32_t i = 0; i < 400; i++)
			cr_assert(tn_shares_add(&s, i * 7919 % states, i));
		cr_expect_eq(s.n, states);
		for (size_t k = 0; k < s.n; k++) {
			uint64_t want = 0;

			for (uint32_t i = 0; i < 400; i++)
				want += i * 7919 % states == s.item[k].state ? i : 0;
			cr_expect_eq(s.item[k].ns, want, "%u states, state %u", states, s.item[k].state);
		}
		tn_shares_clear(&s);
		cr_expect_eq(s.n, 0);
	}
	/* From many to few: the table of before says nothing. */
	for (uint32_t i = 0; i < 40; i++)
		cr_assert(tn_shares_add(&s, 100 + i, 1));
	tn_shares_clear(&s);
	for (uint32_t i = 0; i < 40; i++)
		cr_assert(tn_shares_add(&s, 120 + i, 2));
	cr_expect_eq(s.n, 40);
	for (size_t k = 0; k < s.n; k++)
		cr_expect_eq(s.item[k].ns, 2);
	tn_shares_release(&s);
}
