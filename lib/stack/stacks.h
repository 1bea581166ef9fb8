/* stacks.h - different stacks as a growing tree, and the names of their frames */
#ifndef TN_STACK_STACKS_H
#define TN_STACK_STACKS_H

#include <tnav/flame.h>

#include "base/array.h"
#include "base/hash.h"

#define TN_STACK_NAME 1000	/* limit of bytes of a name; longer names are cut */
#define TN_STACKS_NEAR 16384	/* a power of two; the table's 192 KB fit into a processor's cache */

/* A stack, as its top frame and its parent. */
struct tn_stack {
	uint32_t parent, name, depth;
	uint32_t used;		/* flame.c: it has calls or time, or a callee has */
	uint64_t calls, total, self, longest_ns, open, doubtful;
};

/* Zero it, then call tn_stacks_init(). */
struct tn_stacks {
	TN_ARRAY(struct tn_stack) stack;	/* stack 0 is the empty one */
	TN_ARRAY(const char *) name;	/* name 0 is "" */
	struct tn_hash callees;	/* number of the stack, by parent and name */
	struct tn_callee { uint32_t parent, name, stack; } *near;	/* TN_STACKS_NEAR recently used callees; stack 0: unused */
	struct tn_hash names;	/* number of the name, by text */
	struct tn_arena arena;
	size_t n_bytes;		/* size of all names */
};

bool tn_stacks_init(struct tn_stacks *s);	/* false: memory is out */
void tn_stacks_release(struct tn_stacks *s);

#define TN_STACK_NAMELESS 1	/* the name "...", which is used if there are too many names */

/* The number of a name. UINT32_MAX: memory is out. */
uint32_t tn_stacks_name(struct tn_stacks *s, const char *text, size_t n);
/* Like tn_stacks_callee(), but from the complete table; stores the result in @near. */
uint32_t tn_stacks_find(struct tn_stacks *s, struct tn_callee *near, uint32_t parent, uint32_t name);

/* The stack @parent with one more frame. Returns @parent if a limit is reached. UINT32_MAX: memory is out. */
static inline uint32_t
tn_stacks_callee(struct tn_stacks *s, uint32_t parent, uint32_t name)
{
	uint64_t mixed = ((uint64_t)parent << 32 | name) * UINT64_C(0x9e3779b97f4a7c15);
	struct tn_callee *near = &s->near[mixed >> 48 & (TN_STACKS_NEAR - 1)];

	if (__builtin_expect(near->stack && near->parent == parent && near->name == name, 1))
		return near->stack;
	return tn_stacks_find(s, near, parent, name);
}

/* Make a flame; @s is empty afterwards. */
enum tn_code tn_flame_make(struct tn_flame **out, struct tn_stacks *s, const struct tn_flame_counts *counts, bool sampled,
			   struct tn_error *err) TN_MUST_CHECK;

#endif
