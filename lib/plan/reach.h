/*
 * reach.h - the few instructions that lead to one field of an event
 *
 * They lead from the end of an event's header to a field of its contexts or its payload, for one event class. They are a
 * code of the machine that loads the field and ends, or only a distance, if all fields before it have a fixed size. No
 * values are made.
 */
#ifndef TN_PLAN_REACH_H
#define TN_PLAN_REACH_H

#include "base/arena.h"
#include "plan/cell.h"
#include "plan/machine.h"

struct tn_reach {
	/* NULL: the field cannot be reached in this way (it is in an array or compound, or is UTF-16). */
	const struct tn_op *code;
	/* If not NULL, the field is `distance` bits after the aligned position, and this loads it. */
	const struct tn_op *load;
	uint64_t distance, need;	/* bits; `need` of them must be present */
	uint64_t align;			/* the position is aligned to these bits first; 1: it is not changed */
	bool from_byte;			/* the aligned position is at a whole byte */
	/* If not 0: of the 8 bytes at `key_distance` (little endian, shifted to its bit), the bits that decide the value. */
	uint64_t key_mask, key_distance;
};

/*
 * Compile the path to @field of @scope in events of @ec, in @arena. If the field cannot be reached, the result is TN_OK,
 * and out->code is NULL. @element: index of the element, if the field is the element of an array; -1: all elements, or no
 * array.
 */
enum tn_code tn_reach_compile(struct tn_reach *out, struct tn_arena *arena, const struct tn_event_class *ec,
			      enum tn_scope scope, const struct tn_field *field, int64_t element, struct tn_error *err);

/* Pass the header with the general machine. */
bool tn_reach_through_header(struct tn_machine *m, const struct tn_plan *plan, uint64_t at);

/*
 * Pass the header of the event whose row begins at bit @at: set m->at after the header, and store its slots. False: the
 * header cannot be decoded.
 */
static inline bool
tn_reach_after_header(struct tn_machine *m, const struct tn_plan *plan, uint64_t at)
{
	if (plan->shape == TN_SHAPE_FIXED && at <= m->end && m->end - at >= plan->shape_bits) {
		m->at = at + plan->shape_bits;
		m->record = at + plan->shape_record;
		return true;
	}
	/* Pass the header as a walk does. */
	if (plan->shape != TN_SHAPE_OTHER && at <= m->end && m->end - at >= 256) {
		uint64_t next = tn_align_up(at, plan->shape_align), id;
		const uint8_t *p = m->p + (next >> 3);
		bool extended;

		if (plan->shape == TN_SHAPE_COMPACT) {
			id = plan->shape_big_endian ? *p >> 3 : *p & 31;
			extended = id == plan->shape_long;
			m->record = next;
			m->at = next + 32;
		} else {
			id = plan->shape_big_endian ? (uint64_t)p[0] << 8 | p[1] : (uint64_t)p[1] << 8 | p[0];
			extended = id == 65535;
			m->at = tn_align_up(next + 16, plan->shape_time_align) + 32;
		}
		m->slot[plan->shape_slot] = (struct tn_slot) { id, 1 };
		if (__builtin_expect(!extended, 1))
			return true;
	}
	return tn_reach_through_header(m, plan, at);
}

/*
 * Get a number that decides the value of the field, without the value: fields with equal numbers have equal values.
 * False: use tn_reach_load().
 */
static inline bool
tn_reach_key(const struct tn_reach *reach, const struct tn_machine *m, uint64_t *out)
{
	uint64_t at = tn_align_up(m->at, reach->align);

	if (!reach->key_mask || at > m->end || reach->need > m->end - at)
		return false;
	at += reach->key_distance;
	*out = tn_load64(m->p + (at >> 3)) >> (at & 7) & reach->key_mask;
	return true;
}

/* Load the field from m->at on; m->at does not change. False: it cannot be decoded. NONE: the event does not have it. */
bool tn_reach_load(const struct tn_reach *reach, struct tn_machine *m, const struct tn_field *field,
		   struct tn_cell *out);

#endif
