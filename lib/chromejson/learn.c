/*
 * learn.c - types of values without a description: the union of all values at each place
 */
#include <string.h>

#include "chromejson/private.h"

#define MOST_NODES 65536	/* limit of nodes in a trace */
#define MOST_MEMBERS 512	/* limit of members in an object */
#define MOST_KEY 128		/* limit of bytes in a key */
#define MOST_DEPTH 8		/* limit of nested objects and arrays; deeper ones are texts */

struct tn_cj_node *
tn_cj_node_add(struct tn_arena *arena, struct tn_cj_node *in)
{
	struct tn_cj_node *node = TN_NEW(arena, struct tn_cj_node);

	if (!node)
		return NULL;
	node->index = in->n++;
	if (in->last)
		in->last->next = node;
	else
		in->first = node;
	in->last = node;
	return node;
}

static struct tn_cj_node *
new_node(struct tn_cj_learner *l, struct tn_cj_node *in)
{
	struct tn_cj_node *node = l->n < MOST_NODES ? tn_cj_node_add(l->arena, in) : NULL;

	l->failed |= !node && l->n < MOST_NODES;
	l->n += node != NULL;
	return node;
}

static bool
is_key(const struct tn_cj_node *node, const struct tn_cj_piece *key)
{
	/* An element of an array does not have a key; an empty key is a key. */
	return node->raw && node->raw_n == key->n && memcmp(node->raw, key->p, key->n) == 0;
}

const struct tn_cj_node *
tn_cj_find_member(const struct tn_cj_node *object, const struct tn_cj_piece *key, const struct tn_cj_node *hint)
{
	const struct tn_cj_node *node = hint && hint->next ? hint->next : object->first;

	if (node && is_key(node, key))
		return node;
	for (node = object->first; node && !is_key(node, key); node = node->next)
		;
	return node;
}

struct tn_cj_node *
tn_cj_member_of(struct tn_cj_learner *l, struct tn_cj_node *object, const struct tn_cj_piece *key, struct tn_cj_node *hint)
{
	struct tn_cj_node *node = (struct tn_cj_node *)tn_cj_find_member(object, key, hint);

	if (node)
		return node;
	if (key->n > MOST_KEY || object->n >= MOST_MEMBERS || !(node = new_node(l, object))) {
		object->more = true;
		return NULL;
	}
	node->raw = (const uint8_t *)tn_arena_copy(l->arena, (const char *)key->p, key->n);
	node->raw_n = (uint32_t)key->n;
	node->key = tn_cj_copy(l->arena, key);
	l->failed |= !node->raw || !node->key;
	return node;
}

uint32_t
tn_cj_bits(const uint8_t *p, size_t n)
{
	enum tn_cj_kind kind = tn_cj_kind_of(p, p + n);
	uint64_t value;
	bool negative;

	if (kind != TN_CJ_NUMBER)
		return 1u << kind;
	if (!tn_cj_integer(p, n, &value, &negative))
		return 1u << TN_CJ_NUMBER | TN_CJ_FLOAT;
	return 1u << TN_CJ_NUMBER | (negative ? TN_CJ_NEGATIVE : value > INT64_MAX ? TN_CJ_LARGE : 0);
}

const uint8_t *
tn_cj_learn(struct tn_cj_learner *l, struct tn_cj_node *node, const uint8_t *p, const uint8_t *end, unsigned depth)
{
	enum tn_cj_kind kind = tn_cj_kind_of(p, end);
	struct tn_cj_node *member = NULL;
	struct tn_cj_piece key;
	const uint8_t *after;
	bool last;

	if (depth >= MOST_DEPTH && (kind == TN_CJ_OBJECT || kind == TN_CJ_ARRAY))
		kind = TN_CJ_WORD;
	node->seen |= 1u << kind;
	switch (kind) {
	case TN_CJ_NUMBER:
		after = tn_cj_token(p, end);
		if (after)
			node->seen |= tn_cj_bits(p, (size_t)(after - p));
		return after;
	case TN_CJ_OBJECT:
		for (p++; (p = tn_cj_member(p, end, &key, &last)) && !last;) {
			struct tn_cj_node *next = tn_cj_member_of(l, node, &key, member);

			p = next ? tn_cj_learn(l, next, p, end, depth + 1) : tn_cj_skip(p, end);
			member = next ? next : member;
			if (!p)
				return NULL;
		}
		return p;
	case TN_CJ_ARRAY:
		if (!node->first && !new_node(l, node)) {
			node->seen |= 1u << TN_CJ_WORD;
			return tn_cj_skip(p, end);
		}
		for (p++; (p = tn_cj_element(p, end, &last)) && !last;)
			if (!(p = tn_cj_learn(l, node->first, p, end, depth + 1)))
				return NULL;
		return p;
	default:
		return tn_cj_skip(p, end);
	}
}

/* ---- types ---- */

/* The type for all kinds of values that occurred; a text if several kinds occurred. */
static enum tn_kind
type_of(const struct tn_cj_node *node)
{
	/* A member that is null is left out, but an element cannot be left out. */
	uint32_t seen = node->key ? node->seen & ~(1u << TN_CJ_NULL) : node->seen;

	switch (seen & 0xffff) {
	case 1u << TN_CJ_BOOL: return TN_KIND_BOOL;
	case 1u << TN_CJ_NUMBER:
		if (seen & TN_CJ_FLOAT || (seen & TN_CJ_NEGATIVE && seen & TN_CJ_LARGE))
			return TN_KIND_FLOAT;
		return seen & TN_CJ_LARGE ? TN_KIND_UINT : TN_KIND_SINT;
	case 1u << TN_CJ_OBJECT: return TN_KIND_STRUCT;
	case 1u << TN_CJ_ARRAY: return TN_KIND_ARRAY;
	default: return TN_KIND_STRING;
	}
}

struct tn_type *
tn_cj_build_type(struct tn_builder *b, struct tn_cj_node *node)
{
	enum tn_kind kind = type_of(node);
	struct tn_type *t;

	switch (kind) {
	case TN_KIND_STRUCT:
		t = tn_build_compound(b, TN_KIND_STRUCT, node->n + (size_t)node->more);
		for (struct tn_cj_node *m = node->first; m && t; m = m->next)
			m->field = tn_build_field(b, t, m->key, tn_cj_build_type(b, m));
		if (node->more && t)
			tn_build_field(b, t, "more", tn_build_type(b, TN_KIND_STRING, 0));
		return t;
	case TN_KIND_ARRAY:
		t = tn_build_array(b, tn_cj_build_type(b, node->first));
		if (t)
			node->first->field = &t->field[0];
		return t;
	case TN_KIND_BOOL:
		return tn_build_type(b, kind, 8);
	case TN_KIND_SINT: case TN_KIND_UINT: case TN_KIND_FLOAT:
		return tn_build_type(b, kind, 64);
	default:
		return tn_build_type(b, TN_KIND_STRING, 0);
	}
}
