/*
 * compile.h - the compiler of one code (plan.c puts codes together into plans)
 */
#ifndef TN_PLAN_COMPILE_H
#define TN_PLAN_COMPILE_H

#include "plan/machine.h"

struct tn_compiler {
	struct tn_arena *arena;
	TN_ARRAY(struct tn_op) code;
	bool mixed;		/* fields of both byte orders, not all on byte boundaries */
	bool read;
	uint64_t mod, off;	/* the position is `off` modulo `mod` */
	bool in_run;		/* the code is after a CHECK whose n is not yet known */
	bool prechecked;	/* the code is in a loop over fixed elements: no checks, no advances */
	size_t check_at;
	uint64_t rel;		/* bits since the CHECK */
	unsigned depth;
	bool no_memory;
	const struct tn_field *too_deep;
	const struct tn_field *target;	/* load this field and end the code after it; NULL: none */
	uint64_t element;	/* index of the element, if the target is an element of an array of static length */
	bool reached;
	uint64_t work, limit;	/* fields compiled, of all codes; 0: no limit */
	const struct tn_field *too_many;
	struct tn_op nowhere;	/* receives instructions when memory is out */
};

void tn_compiler_begin(struct tn_compiler *c, struct tn_arena *arena, bool mixed);
void tn_compiler_position(struct tn_compiler *c, uint64_t mod, uint64_t off);	/* position of the next field */
/* A leaf, in no array, or the only member of one. */
void tn_compiler_target(struct tn_compiler *c, const struct tn_field *field, uint64_t element);
void tn_compiler_scope(struct tn_compiler *c, const struct tn_field *root, bool read);	/* NULL: nothing */
void tn_compiler_time(struct tn_compiler *c);	/* the event's time is known here */
/* End the code; the next one begins where this one ended. NULL with *err set on failure. */
const struct tn_op *tn_compiler_end(struct tn_compiler *c, uint64_t *fixed_bits, struct tn_error *err);
/* Like tn_compiler_end(), without keeping the code. */
bool tn_compiler_check(struct tn_compiler *c, uint64_t *fixed_bits, struct tn_error *err);
/* The choice of a variant or optional, without targets; NULL: memory is out. */
struct tn_choice *tn_choice_new(struct tn_arena *arena, const struct tn_type *type);
void tn_compiler_release(struct tn_compiler *c);

#endif
