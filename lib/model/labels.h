/*
 * labels.h - the labels of an enumeration that match a value, and the flags that are set in a bit map
 *
 * The ranges of different labels may overlap. A small text can declare thousands of labels for hundreds of thousands
 * of fields, so a table finds the labels of a value. All types with the same list of mappings share one table; for a
 * type without a table, the list is searched.
 */
#ifndef TN_MODEL_LABELS_H
#define TN_MODEL_LABELS_H

#include "base/arena.h"
#include "model/type.h"

#define TN_LABELS_FEW 64	/* limit of labels of a value that are kept in a list; for more labels, the mappings are searched */

struct tn_label_span {
	uint64_t lower, upper;	/* biased, so that signed limits compare as unsigned */
	uint32_t mapping;
};

struct tn_labels {
	uint64_t bias;
	size_t n;
	const struct tn_label_span *span;	/* sorted by lower limit */
	const uint64_t *top;		/* the spans form a balanced binary tree: the greatest upper limit below each node */
	const uint32_t *by_name;	/* flags: their numbers, sorted by name */
	const uint64_t *mask;		/* flags: the bits of each */
};

/* The table of type->mapping; NULL when memory is out. */
const struct tn_labels *tn_labels_new(struct tn_arena *arena, const struct tn_type *type);

/* The labels of a value, in the order of the metadata. */
struct tn_label_list {
	const struct tn_type *type;
	uint64_t value;
	size_t at, n;		/* number of the next label, and number of all labels */
	bool is_searched;	/* the mappings are searched, and `n` is the number of mappings */
	uint32_t item[TN_LABELS_FEW];
};

void tn_labels_begin(struct tn_label_list *list, const struct tn_type *type, uint64_t value);
const struct tn_mapping *tn_labels_next(struct tn_label_list *list);	/* NULL: the last was returned */

/* The number of the first label of @value plus 1; 0: no label. */
size_t tn_labels_first(const struct tn_type *type, uint64_t value);

#endif
