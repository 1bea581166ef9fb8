/*
 * reach.h - the few instructions that lead to one field of an event
 *
 * From behind the header of an event of one class to a field of its contexts or its payload: a code of the
 * machine that loads this field and stops, or, where everything before the field has a fixed size, just the
 * distance. No values are made.
 */
#ifndef TN_PLAN_REACH_H
#define TN_PLAN_REACH_H

#include "base/arena.h"
#include "plan/cell.h"
#include "plan/machine.h"

struct tn_reach {
	const struct tn_op *code;	/* NULL: the field cannot be reached so (it is in an array, a compound, UTF-16) */
	const struct tn_op *load;	/* not NULL: it lies `distance` bits behind the aligned position, loaded by this */
	uint64_t distance, need;	/* bits; so many have to be there */
	uint64_t align;			/* of the position first; 1: as it is */
};

/*
 * Where @field of @scope is in events of @ec. What is made lives in @arena. TN_OK also when there is no such
 * way (out->code is NULL).
 */
enum tn_code tn_reach_compile(struct tn_reach *out, struct tn_arena *arena, const struct tn_event_class *ec,
			      enum tn_scope scope, const struct tn_field *field, struct tn_error *err);

/*
 * Behind the header of the event whose row begins at bit @at: m->at is set there, slots are stored that the
 * header stores. False: it cannot be decoded.
 */
bool tn_reach_behind_header(struct tn_machine *m, const struct tn_stream_class *sc, uint64_t at);

/* Load the field from m->at on, which does not move. False: it cannot be decoded. NONE: the event does not have it. */
bool tn_reach_load(const struct tn_reach *reach, struct tn_machine *m, const struct tn_field *field,
		   struct tn_cell *out);

#endif
