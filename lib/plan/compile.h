/* compile.h - the compiler for the code of one scope (plan.c makes plans from codes) */
#ifndef TN_PLAN_COMPILE_H
#define TN_PLAN_COMPILE_H

#include "plan/machine.h"

struct tn_compiler {
	struct tn_arena *arena;
	TN_ARRAY(struct tn_op) code;
	bool mixed;		/* fields have both byte orders, and do not all begin at bytes */
	bool read;
	uint64_t mod, off;	/* the position is `off` modulo `mod` */
	bool in_run;		/* the code is after a CHECK whose `n` is not known yet */
	bool prechecked;	/* the code is in a loop over fixed elements, which needs no checks and advances */
	size_t check_at;
	uint64_t rel;		/* bits since the CHECK */
	unsigned depth;
	bool no_memory;
	const struct tn_field *too_deep;
	const struct tn_field *target;	/* the code loads this field and ends; NULL: no target */
	uint64_t element;	/* index of the element, if the target is an element of a static array */
	bool reached;
	uint64_t work, limit;	/* number of fields compiled so far, in all codes; limit 0: no limit */
	const struct tn_field *too_many;
	struct tn_op nowhere;	/* receives the instructions if memory is out */
};

void tn_compiler_begin(struct tn_compiler *c, struct tn_arena *arena, bool mixed);
void tn_compiler_position(struct tn_compiler *c, uint64_t mod, uint64_t off);	/* sets the position of the next field */
/* Set the target: a leaf that is not in an array, or is the only member of one. */
void tn_compiler_target(struct tn_compiler *c, const struct tn_field *field, uint64_t element);
void tn_compiler_scope(struct tn_compiler *c, const struct tn_field *root, bool read);	/* @root NULL: nothing is emitted */
void tn_compiler_time(struct tn_compiler *c);	/* emits the instruction that sets the event's time */
/* End the code; the position is kept for the next code. NULL: failure, and *err is set. */
const struct tn_op *tn_compiler_end(struct tn_compiler *c, uint64_t *fixed_bits, struct tn_error *err);
/* Like tn_compiler_end(), but drop the code. */
bool tn_compiler_check(struct tn_compiler *c, uint64_t *fixed_bits, struct tn_error *err);
/* Make the choice of a variant or optional, without the targets. NULL: memory is out. */
struct tn_choice *tn_choice_new(struct tn_arena *arena, const struct tn_type *type);
void tn_compiler_release(struct tn_compiler *c);

#endif
