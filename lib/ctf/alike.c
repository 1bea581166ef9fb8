/*
 * alike.c - whether two metadata describe the same events
 */
#include <string.h>

#include "ctf/alike.h"

static bool same_field(const struct tn_field *a, const struct tn_field *b);

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
same_ranges(const struct tn_range *a, size_t n_a, const struct tn_range *b, size_t n_b)
{
	return n_a == n_b && (n_a == 0 || memcmp(a, b, n_a * sizeof *a) == 0);
}

static bool
same_mappings(const struct tn_type *a, const struct tn_type *b)
{
	if (a->n_mappings != b->n_mappings)
		return false;
	for (size_t i = 0; i < a->n_mappings; i++) {
		const struct tn_mapping *x = &a->mapping[i], *y = &b->mapping[i];

		if (!same_text(x->label, y->label) || !same_ranges(x->range, x->n_ranges, y->range, y->n_ranges))
			return false;
	}
	return true;
}

/* The depth of the recursion is limited, because the nesting of types is. */
static bool
same_type(const struct tn_type *a, const struct tn_type *b)
{
	if (a->kind != b->kind || a->align != b->align || a->length != b->length || a->big_endian != b->big_endian ||
	    a->reversed != b->reversed || a->varint != b->varint || a->base != b->base || a->roles != b->roles ||
	    a->extent != b->extent || a->encoding != b->encoding || a->signed_length != b->signed_length ||
	    a->lenient_tag != b->lenient_tag || a->ref_signed != b->ref_signed || a->n_fields != b->n_fields ||
	    !same_text(a->ref_path, b->ref_path) || !same_mappings(a, b) ||
	    !same_ranges(a->some, a->n_some, b->some, b->n_some))
		return false;
	for (size_t i = 0; i < a->n_fields; i++)
		if (!same_field(&a->field[i], &b->field[i]))
			return false;
	return true;
}

static bool
same_field(const struct tn_field *a, const struct tn_field *b)
{
	if (!a || !b)
		return a == b;
	return same_text(a->name, b->name) && same_ranges(a->range, a->n_ranges, b->range, b->n_ranges) &&
	       same_type(a->type, b->type);
}

static bool
same_clock(const struct tn_clock *a, const struct tn_clock *b)
{
	if (!a || !b)
		return a == b;
	return a->frequency == b->frequency && a->offset_s == b->offset_s && a->offset_cycles == b->offset_cycles;
}

static bool
same_event(const struct tn_event_class *a, const struct tn_event_class *b)
{
	return a->id == b->id && a->last_id == b->last_id && same_text(a->name, b->name) &&
	       same_field(a->specific_context, b->specific_context) && same_field(a->payload, b->payload);
}

bool
tn_ctf_alike(const struct tn_stream_class *more, const struct tn_stream_class *less)
{
	size_t k = 0;

	if (!same_clock(more->clock, less->clock) || !same_field(more->trace->packet_header, less->trace->packet_header) ||
	    !same_field(more->packet_context, less->packet_context) || !same_field(more->event_header, less->event_header) ||
	    !same_field(more->common_context, less->common_context))
		return false;
	for (size_t i = 0; i < less->n_event_classes; i++) {	/* both are sorted by id */
		while (k < more->n_event_classes && more->event_class[k]->id < less->event_class[i]->id)
			k++;
		if (k == more->n_event_classes || !same_event(more->event_class[k], less->event_class[i]))
			return false;
	}
	return true;
}
