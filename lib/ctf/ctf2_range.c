#include "ctf/ctf2_builder.h"
#include "model/labels.h"

#include <inttypes.h>

/* Check that a range is [lower, upper]: two integers in this order. */
static bool
check_range(struct tn_ctf2 *b, const struct tn_json *node)
{
	char buf[64];

	if (!tn_ctf2_expect(b, node, TN_JSON_ARRAY))
		return false;
	if (node->n != 2)
		return tn_ctf2_fail(b, node, "a range must have two integers, not %zu: %s", (size_t)node->n,
				    tn_ctf2_quote(b, node, buf, sizeof buf));
	for (size_t i = 0; i < 2; i++)
		if (!tn_ctf2_expect(b, &node->child[i], TN_JSON_INTEGER))
			return false;
	if (tn_json_compare(&node->child[0], &node->child[1], b->text) > 0)
		return tn_ctf2_fail(b, node, "the lower end of a range is above its upper end: %s",
				    tn_ctf2_quote(b, node, buf, sizeof buf));
	return true;
}

bool
tn_ctf2_check_ranges(struct tn_ctf2 *b, const struct tn_json *node)
{
	if (!tn_ctf2_expect(b, node, TN_JSON_ARRAY))
		return false;
	if (node->n == 0)
		return tn_ctf2_fail(b, node, "a range set needs at least one range");
	for (size_t i = 0; i < node->n; i++)
		if (!check_range(b, &node->child[i]))
			return false;
	return true;
}

/* The position of a bound: -1 below all 64-bit values, 1 above them; otherwise 0, and *out is the bound. */
static int
clamp(const struct tn_json *bound, bool is_signed, uint64_t *out)
{
	const uint64_t least = UINT64_C(1) << 63;

	if (!is_signed) {
		*out = bound->negative ? 0 : bound->magnitude;
		return bound->negative ? -1 : bound->beyond;
	}
	if (bound->negative) {
		*out = bound->magnitude > least ? least : -bound->magnitude;
		return bound->beyond || bound->magnitude > least ? -1 : 0;
	}
	*out = bound->magnitude > INT64_MAX ? INT64_MAX : bound->magnitude;
	return bound->beyond || bound->magnitude > INT64_MAX;
}

bool
tn_ctf2_ranges(struct tn_ctf2 *b, const struct tn_json *node, bool is_signed, const struct tn_range **out, size_t *n)
{
	struct tn_range *range = TN_CTF2_NEW(b, node->n, struct tn_range);

	if (!range)
		return false;
	*out = range;
	*n = 0;
	for (size_t i = 0; i < node->n; i++) {
		const struct tn_json *r = &node->child[i];

		/* A range that is completely outside never matches. */
		if (clamp(&r->child[0], is_signed, &range[*n].lower) <= 0 &&
		    clamp(&r->child[1], is_signed, &range[*n].upper) >= 0)
			++*n;
	}
	return true;
}

/* Warn of mistakes that do not prevent decoding. */
static void
warn_of_bounds(struct tn_ctf2 *b, const struct tn_json *set, const struct tn_type *type)
{
	char buf[64];

	for (size_t i = 0; i < set->n; i++) {
		const struct tn_json *r = &set->child[i];

		if (type->kind != TN_KIND_SINT && r->child[0].negative)
			tn_ctf2_warn(b, r, "a negative bound of unsigned values never matches: %s",
				     tn_ctf2_quote(b, r, buf, sizeof buf));
		else if (type->kind == TN_KIND_BITMAP && r->child[1].magnitude >= type->length)
			tn_ctf2_warn(b, r, "a bit after the end of a bit map of %" PRIu64 " bits: %s", type->length,
				     tn_ctf2_quote(b, r, buf, sizeof buf));
	}
}

bool
tn_ctf2_mappings(struct tn_ctf2 *b, const struct tn_json *object, const char *key, struct tn_type *type)
{
	bool flags = type->kind == TN_KIND_BITMAP;
	const struct tn_json *node;
	struct tn_mapping *mapping;

	if (!tn_ctf2_property(b, object, key, TN_JSON_OBJECT, flags, &node))
		return false;
	if (!node)
		return true;
	if (node->n == 0)
		return !flags || tn_ctf2_fail(b, node, "a bit map needs at least one flag");
	if (!(mapping = TN_CTF2_NEW(b, node->n, struct tn_mapping)))
		return false;
	for (size_t i = 0; i < node->n; i++) {
		const struct tn_json *set = &node->child[i];

		if (!tn_ctf2_check_ranges(b, set) ||
		    !tn_ctf2_ranges(b, set, type->kind == TN_KIND_SINT, &mapping[i].range, &mapping[i].n_ranges))
			return false;
		warn_of_bounds(b, set, type);
		if (!(mapping[i].label = tn_ctf2_copy(b, set->key)))
			return false;
	}
	type->mapping = mapping;
	type->n_mappings = node->n;
	type->labels = tn_labels_new(b->arena, type);
	return type->labels || tn_ctf2_no_memory(b);
}
