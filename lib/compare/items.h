/* items.h - the items that are compared (event classes, kinds of spans, values), and their numbers on both sides */
#ifndef TN_COMPARE_ITEMS_H
#define TN_COMPARE_ITEMS_H

#include <tnav/compare.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "compare/statistics.h"
#include "group/sketch.h"

/* The durations of one kind of spans on one side. */
struct tn_item_spans {
	struct tn_durations by_block;
	TN_ARRAY(uint64_t) exact;	/* all durations, as long as `sketch` is empty */
	struct tn_sketch sketch;
	uint64_t total_ns, max_ns;
};

struct tn_item_side {
	uint64_t count;
	uint32_t slice[TN_COMPARE_BLOCKS];
	struct tn_item_spans *spans;	/* NULL: the item is not a kind of spans */
	bool is_doubtful;
};

struct tn_item {
	enum tn_compare_what what;
	uint32_t of;		/* SPAN: number of the definition; VALUE: number of the field */
	const char *name;
	struct tn_answer_value value;
	struct tn_item_side side[2];
};

#define TN_ITEMS_EXACT 1000000	/* limit of exact durations, on each side */
#define TN_ITEMS_BYTES (20u << 20)	/* limit of bytes of the counts by block, on each side */
#define TN_ITEMS_VALUES 4096	/* limit of values of a field, on each side: the most frequent ones are kept */

/* A zeroed structure is empty. */
struct tn_items {
	TN_ARRAY(struct tn_item *) item;
	struct tn_hash by_name;	/* index of the item, by "KIND OF NAME" */
	struct tn_arena arena;
	uint64_t exact[2];	/* number of exact durations, on each side */
	size_t bytes[2];	/* bytes of the counts by block, on each side */
	uint64_t more_values;	/* number of values that did not become items */
	bool is_cut;
};

void tn_items_release(struct tn_items *items);
/* Find the item with this name; with @make, make it if it does not exist. NULL: none, or with @make, memory is out. */
struct tn_item *tn_items_get(struct tn_items *items, enum tn_compare_what what, uint32_t of, const char *name, size_t n, bool make);
/* Add a span to an item. False: memory is out. */
bool tn_items_add_span(struct tn_items *items, struct tn_item *item, size_t side, size_t block, uint64_t duration_ns);
/* The smallest duration that @part of 100 % of the durations do not exceed. Sorts the durations. */
uint64_t tn_item_percentile(struct tn_item_spans *spans, uint64_t count, unsigned part);

#endif
