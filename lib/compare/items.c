/* items.c - find items by name, and keep the durations of their spans in limited memory */
#include <stdlib.h>
#include <string.h>

#include "compare/items.h"

static void
spans_free(struct tn_item_spans *s)
{
	if (!s)
		return;
	tn_durations_release(&s->by_block);
	TN_ARRAY_RELEASE(&s->exact);
	tn_sketch_release(&s->sketch);
	free(s);
}

void
tn_items_release(struct tn_items *items)
{
	for (size_t i = 0; i < items->item.n; i++) {
		spans_free(items->item.item[i]->side[0].spans);
		spans_free(items->item.item[i]->side[1].spans);
	}
	TN_ARRAY_RELEASE(&items->item);
	tn_hash_release(&items->by_name);
	tn_arena_release(&items->arena);
	*items = (struct tn_items) { 0 };
}

struct tn_item *
tn_items_get(struct tn_items *items, enum tn_compare_what what, uint32_t of, const char *name, size_t n, bool make)
{
	char room[256], *key = n < sizeof room - 8 ? room : malloc(n + 8), *kept;
	const uint32_t kind = (uint32_t)what;
	struct tn_hash_item *found;
	struct tn_item *item = NULL, **at;
	bool is_new = false;

	if (!key)
		return NULL;
	memcpy(key, &kind, 4);
	memcpy(key + 4, &of, 4);
	memcpy(key + 8, name, n);
	found = make ? tn_hash_add(&items->by_name, key, n + 8, &is_new) : tn_hash_find(&items->by_name, key, n + 8);
	if (found && !is_new)
		item = found->pointer;
	if (is_new) {
		kept = tn_arena_alloc(&items->arena, n + 9);
		item = kept ? tn_arena_alloc(&items->arena, sizeof *item) : NULL;
		at = item ? TN_ARRAY_ADD(&items->item) : NULL;
		if (!at) {
			tn_hash_remove(&items->by_name, found);
			item = NULL;
		} else {
			memcpy(kept, key, n + 8);
			kept[n + 8] = '\0';
			tn_hash_copy_key(found, kept);
			memset(item, 0, sizeof *item);
			item->what = what;
			item->of = of;
			item->name = kept + 8;
			found->pointer = *at = item;
		}
	}
	if (key != room)
		free(key);
	return item;
}

/* Keep a duration; when the limit is reached, count durations in steps. */
static bool
keep_duration(struct tn_items *items, struct tn_item_spans *s, size_t side, uint64_t duration_ns)
{
	if (!s->sketch.n && items->exact[side] < TN_ITEMS_EXACT) {
		uint64_t *at = TN_ARRAY_ADD(&s->exact);

		if (!at)
			return false;
		items->exact[side]++;
		*at = duration_ns;
		return true;
	}
	for (size_t i = 0; i < s->exact.n; i++)
		if (!tn_sketch_add(&s->sketch, (double)s->exact.item[i]))
			return false;
	items->exact[side] -= s->exact.n;
	TN_ARRAY_RELEASE(&s->exact);
	return tn_sketch_add_fast(&s->sketch, (double)duration_ns);
}

bool
tn_items_add_span(struct tn_items *items, struct tn_item *item, size_t side, size_t block, uint64_t duration_ns)
{
	struct tn_item_side *on = &item->side[side];

	if (!on->spans && !(on->spans = calloc(1, sizeof *on->spans)))
		return false;
	on->count++;
	on->slice[block]++;
	if (__builtin_add_overflow(on->spans->total_ns, duration_ns, &on->spans->total_ns))
		on->spans->total_ns = UINT64_MAX;
	if (duration_ns > on->spans->max_ns)
		on->spans->max_ns = duration_ns;
	if (items->bytes[side] >= TN_ITEMS_BYTES)
		items->is_cut = true;
	else if (!tn_durations_add(&on->spans->by_block, duration_ns, block, &items->bytes[side]))
		return false;
	return keep_duration(items, on->spans, side, duration_ns);
}

static int
compare_durations(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

uint64_t
tn_item_percentile(struct tn_item_spans *s, uint64_t count, unsigned part)
{
	uint64_t rank = count / 100 * part + (count % 100 * part + 99) / 100;
	size_t sorted = 1;

	if (s->sketch.n)
		return (uint64_t)tn_sketch_quantile(&s->sketch, part, 100);
	if (!s->exact.n)
		return 0;
	while (sorted < s->exact.n && s->exact.item[sorted - 1] <= s->exact.item[sorted])
		sorted++;
	if (sorted < s->exact.n)
		qsort(s->exact.item, s->exact.n, sizeof *s->exact.item, compare_durations);
	return s->exact.item[rank > s->exact.n ? s->exact.n - 1 : rank ? rank - 1 : 0];
}
