#include "model/labels.h"

#include <stdlib.h>
#include <string.h>

static int
by_lower(const void *a, const void *b)
{
	const struct tn_label_span *x = a, *y = b;

	return x->lower < y->lower ? -1 : x->lower > y->lower;
}

static int
by_label(const void *a, const void *b)
{
	const struct tn_mapping *const *x = a, *const *y = b;

	return strcmp((*x)->label, (*y)->label);
}

/* The bits of ranges of bit numbers. */
static uint64_t
mask_of(const struct tn_mapping *m)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < m->n_ranges; i++) {
		uint64_t last = m->range[i].upper < 63 ? m->range[i].upper : 63;

		if (m->range[i].lower <= last)
			mask |= UINT64_MAX >> (63 - last) & UINT64_MAX << m->range[i].lower;
	}
	return mask;
}

static bool
index_flags(struct tn_arena *arena, const struct tn_type *t, struct tn_labels *l)
{
	const struct tn_mapping **sorted = malloc((t->n_mappings + 1) * sizeof *sorted);
	uint32_t *by_name = TN_NEW_ARRAY(arena, t->n_mappings, uint32_t);
	uint64_t *mask = TN_NEW_ARRAY(arena, t->n_mappings, uint64_t);

	if (!sorted || !by_name || !mask) {
		free(sorted);
		return false;
	}
	for (size_t i = 0; i < t->n_mappings; i++) {
		mask[i] = mask_of(&t->mapping[i]);
		sorted[i] = &t->mapping[i];
	}
	qsort(sorted, t->n_mappings, sizeof *sorted, by_label);
	for (size_t i = 0; i < t->n_mappings; i++)
		by_name[i] = (uint32_t)(sorted[i] - t->mapping);
	free(sorted);
	l->by_name = by_name;
	l->mask = mask;
	return true;
}

static uint64_t
set_top(const struct tn_label_span *span, uint64_t *top, size_t lo, size_t hi)
{
	size_t mid = lo + (hi - lo) / 2;
	uint64_t left, right;

	if (lo == hi)
		return 0;
	left = set_top(span, top, lo, mid);
	right = set_top(span, top, mid + 1, hi);
	top[mid] = left > right ? left : right;
	if (span[mid].upper > top[mid])
		top[mid] = span[mid].upper;
	return top[mid];
}

static bool
index_ranges(struct tn_arena *arena, const struct tn_type *t, struct tn_labels *l)
{
	struct tn_label_span *span;
	uint64_t *top;
	size_t n = 0;

	for (size_t i = 0; i < t->n_mappings; i++)
		n += t->mapping[i].n_ranges;
	span = TN_NEW_ARRAY(arena, n, struct tn_label_span);
	top = TN_NEW_ARRAY(arena, n, uint64_t);
	if (!span || !top)
		return false;
	for (size_t i = 0; i < t->n_mappings; i++)
		for (size_t k = 0; k < t->mapping[i].n_ranges; k++) {
			const struct tn_range *r = &t->mapping[i].range[k];

			span[l->n++] = (struct tn_label_span) { r->lower ^ l->bias, r->upper ^ l->bias, (uint32_t)i };
		}
	if (n)
		qsort(span, n, sizeof *span, by_lower);
	set_top(span, top, 0, n);
	l->span = span;
	l->top = top;
	return true;
}

const struct tn_labels *
tn_labels_new(struct tn_arena *arena, const struct tn_type *t)
{
	struct tn_labels *l = TN_NEW(arena, struct tn_labels);

	if (!l || t->n_mappings > UINT32_MAX)
		return NULL;
	l->bias = t->kind == TN_KIND_SINT ? UINT64_C(1) << 63 : 0;
	return (t->kind == TN_KIND_BITMAP ? index_flags(arena, t, l) : index_ranges(arena, t, l)) ? l : NULL;
}

/* Insert an item, so that the items are sorted and each occurs once. False: not enough space. */
static bool
insert(struct tn_label_list *list, uint32_t mapping)
{
	size_t i = list->n;

	while (i && list->item[i - 1] > mapping)
		i--;
	if (i && list->item[i - 1] == mapping)
		return true;
	if (list->n == TN_LABELS_FEW)
		return false;
	memmove(&list->item[i + 1], &list->item[i], (list->n++ - i) * sizeof *list->item);
	list->item[i] = mapping;
	return true;
}

/* Collect the labels of @v among span[lo] to span[hi - 1]. False: not enough space for all labels. */
static bool
collect(struct tn_label_list *list, const struct tn_labels *l, uint64_t v, size_t lo, size_t hi)
{
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (l->top[mid] < v)
			return true;
		if (!collect(list, l, v, lo, mid))
			return false;
		if (l->span[mid].lower > v)
			return true;
		if (l->span[mid].upper >= v && !insert(list, l->span[mid].mapping))
			return false;
		lo = mid + 1;
	}
	return true;
}

void
tn_labels_begin(struct tn_label_list *list, const struct tn_type *t, uint64_t value)
{
	const struct tn_labels *l = t->labels;

	list->type = t;
	list->value = value;
	list->at = list->n = 0;
	list->is_searched = !l || l->mask || !collect(list, l, value ^ l->bias, 0, l->n);
	if (list->is_searched)
		list->n = t->kind == TN_KIND_BITMAP && !value ? 0 : t->n_mappings;
}

const struct tn_mapping *
tn_labels_next(struct tn_label_list *list)
{
	const struct tn_type *t = list->type;

	while (list->at < list->n) {
		size_t i = list->is_searched ? list->at : list->item[list->at];

		list->at++;
		if (!list->is_searched || (t->labels && t->labels->mask ? (t->labels->mask[i] & list->value) != 0
								       : tn_mapping_has(t, &t->mapping[i], list->value)))
			return &t->mapping[i];
	}
	return NULL;
}

size_t
tn_labels_first(const struct tn_type *t, uint64_t value)
{
	struct tn_label_list list;
	const struct tn_mapping *m;

	tn_labels_begin(&list, t, value);
	m = tn_labels_next(&list);
	return m ? (size_t)(m - t->mapping) + 1 : 0;
}
