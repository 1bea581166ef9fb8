/*
 * labels.h - the labels of an enumeration that a value has, the flags of a bit map that it sets
 *
 * A label has ranges that may overlap others'. Labels are looked up in a table, not searched one by one: a
 * small text can declare thousands of labels for hundreds of thousands of fields. One table is made for each
 * list of mappings and shared by all types that have the list; for a type without a table the list is searched.
 */
#ifndef TN_MODEL_LABELS_H
#define TN_MODEL_LABELS_H

#include "base/arena.h"
#include "model/type.h"

#define TN_LABELS_FEW 64	/* labels of one value kept in a list; for more, the mappings are searched */

struct tn_label_span {
	uint64_t lower, upper;	/* biased: compared as unsigned */
	uint32_t mapping;
};

struct tn_labels {
	uint64_t bias;
	size_t n;
	const struct tn_label_span *span;	/* sorted by lower limit */
	const uint64_t *top;		/* spans form a tree by halving: the greatest upper limit below each middle */
	const uint32_t *by_name;	/* flags: their numbers, sorted by the bytes of their names */
	const uint64_t *mask;		/* flags: their bits */
};

/* The table of type->mapping; NULL when memory is out. */
const struct tn_labels *tn_labels_new(struct tn_arena *arena, const struct tn_type *type);

/* The labels of a value, in the order of the metadata. */
struct tn_label_list {
	const struct tn_type *type;
	uint64_t value;
	size_t at, n;		/* the next one, of n */
	bool is_searched;	/* the mappings are searched; n is their number */
	uint32_t item[TN_LABELS_FEW];
};

void tn_labels_begin(struct tn_label_list *list, const struct tn_type *type, uint64_t value);
const struct tn_mapping *tn_labels_next(struct tn_label_list *list);	/* NULL: the last was returned */

/* The number of the first label of @value, + 1; 0: no label. */
size_t tn_labels_first(const struct tn_type *type, uint64_t value);

#endif
