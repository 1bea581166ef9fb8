/*
 * stacks.h - distinct stacks as a tree that grows, and their names
 */
#ifndef TN_STACK_STACKS_H
#define TN_STACK_STACKS_H

#include <tnav/flame.h>

#include "base/array.h"
#include "base/hash.h"

#define TN_STACK_NAME 1000	/* bytes of a name; longer ones are cut */

/* A distinct stack: its top frame. */
struct tn_stack {
	uint32_t parent, name, depth;
	uint32_t last;		/* the callee used last; 0: none */
	uint64_t calls, total, self, longest_ns, open, doubtful;
};

/* Zeroed, then tn_stacks_init(). */
struct tn_stacks {
	TN_ARRAY(struct tn_stack) stack;	/* 0: the empty one */
	TN_ARRAY(const char *) name;	/* 0: "" */
	struct tn_hash callees;	/* number of the stack by parent and name */
	struct tn_hash names;	/* number of the name by text */
	struct tn_arena arena;
	size_t n_bytes;		/* of the names */
};

bool tn_stacks_init(struct tn_stacks *s);	/* false: memory is out */
void tn_stacks_release(struct tn_stacks *s);

/* The number of a name, "..." if there are too many; UINT32_MAX: memory is out. */
uint32_t tn_stacks_name(struct tn_stacks *s, const char *text, size_t n);
/* As tn_stacks_callee(), by the table. */
uint32_t tn_stacks_find(struct tn_stacks *s, uint32_t parent, uint32_t name);

/* The stack @parent with one more frame. @parent: a limit is reached. UINT32_MAX: memory is out. */
static inline uint32_t
tn_stacks_callee(struct tn_stacks *s, uint32_t parent, uint32_t name)
{
	uint32_t last = s->stack.item[parent].last;

	if (__builtin_expect(last && s->stack.item[last].name == name, 1))
		return last;
	return tn_stacks_find(s, parent, name);
}

/* Make a flame; @s is empty afterwards. */
enum tn_code tn_flame_make(struct tn_flame **out, struct tn_stacks *s, const struct tn_flame_counts *counts, bool sampled,
			   struct tn_error *err) TN_MUST_CHECK;

#endif
