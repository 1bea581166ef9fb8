/* lanes_shares.c - add up the time of each state in one cell */
#include "lane/lanes.h"

#define FEW 16	/* up to FEW states are searched one by one; more are in a table */

static struct tn_share *
find(struct tn_shares *s, uint32_t state)
{
	struct tn_hash_item *item;

	if (s->last < s->n && s->item[s->last].state == state)
		return &s->item[s->last];
	if (s->n > FEW) {
		item = tn_hash_find_u64(&s->by_state, state);
		return item ? &s->item[s->last = (size_t)item->value] : NULL;
	}
	for (size_t i = 0; i < s->n; i++)
		if (s->item[i].state == state)
			return &s->item[s->last = i];
	return NULL;
}

bool
tn_shares_add(struct tn_shares *s, uint32_t state, uint64_t ns)
{
	struct tn_share *share = find(s, state);

	if (!share) {
		share = TN_ARRAY_ADD(s);
		if (!share)
			return false;
		share->state = state;
		for (size_t i = s->n == FEW + 1 ? 0 : s->n - 1; s->n > FEW && i < s->n; i++) {
			struct tn_hash_item *item = tn_hash_add_u64(&s->by_state, s->item[i].state, NULL);

			if (!item)
				return false;
			item->value = i;
		}
		s->last = s->n - 1;
	}
	share->ns += ns;
	return true;
}

void
tn_shares_clear(struct tn_shares *s)
{
	if (s->by_state.n)
		tn_hash_clear(&s->by_state);
	s->n = s->last = 0;
}

void
tn_shares_release(struct tn_shares *s)
{
	TN_ARRAY_RELEASE(s);
	tn_hash_release(&s->by_state);
}
