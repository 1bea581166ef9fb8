/* items.h - the things that are compared: event classes, kinds of spans, values; their numbers on both sides */
#ifndef TN_COMPARE_ITEMS_H
#define TN_COMPARE_ITEMS_H

#include <tnav/compare.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "compare/statistics.h"
#include "group/sketch.h"

/* Durations of one kind of spans on one side. */
struct tn_item_spans {
	struct tn_durations by_block;
	TN_ARRAY(uint64_t) exact;	/* all durations, while `sketch` is empty */
	struct tn_sketch sketch;
	uint64_t total_ns, max_ns;
};

struct tn_item_side {
	uint64_t count;
	uint32_t slice[TN_COMPARE_BLOCKS];
	struct tn_item_spans *spans;	/* or NULL */
	bool is_doubtful;
};

struct tn_item {
	enum tn_compare_what what;
	uint32_t of;		/* SPAN: number of the definition; VALUE: of the field */
	const char *name;
	struct tn_answer_value value;
	struct tn_item_side side[2];
};

#define TN_ITEMS_EXACT 1000000	/* durations kept as they are, on each side */
#define TN_ITEMS_BYTES (20u << 20)	/* limit of the counts by block, on each side */
#define TN_ITEMS_VALUES 4096	/* values of a field, on each side: the most frequent ones */

/* Zeroed is empty. */
struct tn_items {
	TN_ARRAY(struct tn_item *) item;
	struct tn_hash by_name;	/* "KIND OF NAME" */
	struct tn_arena arena;
	uint64_t exact[2];	/* durations kept as they are */
	size_t bytes[2];	/* bytes of the counts by block */
	uint64_t more_values;	/* values that are not items */
	bool is_cut;
};

void tn_items_release(struct tn_items *items);
/* Get the item with this name, or make it if @make; NULL: there is none, or (with @make) memory is out. */
struct tn_item *tn_items_get(struct tn_items *items, enum tn_compare_what what, uint32_t of, const char *name, size_t n, bool make);
/* Add a span. False: memory is out. */
bool tn_items_add_span(struct tn_items *items, struct tn_item *item, size_t side, size_t block, uint64_t duration_ns);
/* The smallest duration that @part of 100 % of them do not exceed. Sorts them. */
uint64_t tn_item_percentile(struct tn_item_spans *spans, uint64_t count, unsigned part);

#endif
