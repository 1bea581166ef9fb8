#include "stack/stacks.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TEXT ((size_t)24 << 20)	/* limit of bytes of all names */
#define TOO_MANY "..."

bool
tn_stacks_init(struct tn_stacks *s)
{
	s->near = calloc(TN_STACKS_NEAR, sizeof *s->near);
	if (!s->near || !TN_ARRAY_ADD(&s->stack) || tn_stacks_name(s, "", 0) == UINT32_MAX ||
	    tn_stacks_name(s, TOO_MANY, sizeof TOO_MANY - 1) == UINT32_MAX)
		return false;
	tn_hash_clear(&s->names);	/* "..." as a name in a trace must differ from TN_STACK_NAMELESS */
	return true;
}

void
tn_stacks_release(struct tn_stacks *s)
{
	TN_ARRAY_RELEASE(&s->stack);
	TN_ARRAY_RELEASE(&s->name);
	tn_hash_release(&s->callees);
	tn_hash_release(&s->names);
	free(s->near);
	tn_arena_release(&s->arena);
	*s = (struct tn_stacks) { 0 };
}

/* The length of a text that is cut to fit, at the end of a character. */
static size_t
fitting(const char *text, size_t n)
{
	n = strnlen(text, n);
	if (n <= TN_STACK_NAME)
		return n;
	for (n = TN_STACK_NAME; n > TN_STACK_NAME - 4 && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
		;
	return n;
}

uint32_t
tn_stacks_name(struct tn_stacks *s, const char *text, size_t n)
{
	struct tn_hash_item *item;
	const char **at;
	char *copy;
	bool is_new;

	n = fitting(text, n);
	item = tn_hash_find(&s->names, text, n);
	if (item)
		return (uint32_t)item->value;
	if (s->name.n >= TN_FLAME_NAMES || s->n_bytes >= MOST_TEXT)
		return TN_STACK_NAMELESS;
	s->n_bytes += n;
	copy = tn_arena_copy(&s->arena, text, n);
	at = copy ? TN_ARRAY_ADD(&s->name) : NULL;
	item = at ? tn_hash_add(&s->names, copy, n, &is_new) : NULL;
	if (!item)
		return UINT32_MAX;
	*at = copy;
	item->value = s->name.n - 1;
	return (uint32_t)item->value;
}

uint32_t
tn_stacks_find(struct tn_stacks *s, struct tn_callee *near, uint32_t parent, uint32_t name)
{
	uint64_t key = (uint64_t)parent << 32 | name;
	struct tn_hash_item *item = tn_hash_find_u64(&s->callees, key);
	struct tn_stack *callee;
	bool is_new;

	if (!item) {
		if (s->stack.n > TN_FLAME_NODES || s->stack.item[parent].depth >= TN_FLAME_DEPTH)
			return parent;
		callee = TN_ARRAY_ADD(&s->stack);
		item = callee ? tn_hash_add_u64(&s->callees, key, &is_new) : NULL;
		if (!item)
			return UINT32_MAX;
		callee->parent = parent;
		callee->name = name;
		callee->depth = s->stack.item[parent].depth + 1;
		item->value = s->stack.n - 1;
	}
	*near = (struct tn_callee) { parent, name, (uint32_t)item->value };
	return (uint32_t)item->value;
}
