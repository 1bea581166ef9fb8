/* Items: names, and durations beyond those that are kept exactly (items.h). */
#include <criterion/criterion.h>
#include <string.h>

#include "compare/items.h"

Test(items, kinds_with_one_name_are_apart)
{
	struct tn_items items = { 0 };
	struct tn_item *event = tn_items_get(&items, TN_COMPARE_EVENT, 0, "x", 1, true);
	struct tn_item *span = tn_items_get(&items, TN_COMPARE_SPAN, 0, "x", 1, true);
	struct tn_item *other = tn_items_get(&items, TN_COMPARE_SPAN, 1, "x", 1, true);
	char name[1000];

	cr_assert(event && span && other && event != span && span != other);
	cr_assert_eq(tn_items_get(&items, TN_COMPARE_SPAN, 1, "x", 1, false), other);
	cr_assert_null(tn_items_get(&items, TN_COMPARE_SPAN, 2, "x", 1, false));
	memset(name, 'n', sizeof name);
	event = tn_items_get(&items, TN_COMPARE_VALUE, 0, name, sizeof name, true);
	cr_assert_eq(strlen(event->name), sizeof name);
	cr_assert_eq(tn_items_get(&items, TN_COMPARE_VALUE, 0, name, sizeof name, true), event);
	cr_assert_eq(items.item.n, 4);
	tn_items_release(&items);
}

Test(items, percentiles)
{
	struct tn_items items = { 0 };
	struct tn_item *item = tn_items_get(&items, TN_COMPARE_SPAN, 0, "x", 1, true);
	struct tn_item_spans *s;

	for (uint64_t i = 1; i <= 1000; i++)
		cr_assert(tn_items_add_span(&items, item, 0, 0, 1001 - i));
	s = item->side[0].spans;
	cr_assert_eq(tn_item_percentile(s, 1000, 50), 500);
	cr_assert_eq(tn_item_percentile(s, 1000, 99), 990);
	cr_assert_eq(s->total_ns, 500500);
	cr_assert_eq(s->max_ns, 1000);
	for (uint64_t i = 1; i <= TN_ITEMS_EXACT; i++)
		cr_assert(tn_items_add_span(&items, item, 0, 1, 1 + i % 1000));
	cr_assert_eq(s->exact.n, 0, "they are in steps");
	cr_assert_eq(s->sketch.n, 1000 + TN_ITEMS_EXACT);
	cr_assert_leq(tn_item_percentile(s, item->side[0].count, 50), 503);
	cr_assert_geq(tn_item_percentile(s, item->side[0].count, 50), 497);
	cr_assert_eq(item->side[0].slice[1], TN_ITEMS_EXACT);
	tn_items_release(&items);
}
