/*
 * machine.h - runs the code of a plan over the bits of a packet
 *
 * There is one interpreter, run.h. It is included once for each kind of sink:
 *
 *	#define TN_RUN_NAME run_text		// the function's name
 *	#define TN_RUN_SINK struct text_sink	// a pointer to one is passed through as `sink`
 *	#define TN_SINK_UINT(op, value, bit)	put_uint(sink, (op)->field, value)
 *	...
 *	#include "plan/run.h"			// defines: static enum tn_trouble run_text(m, code, sink)
 *
 * Sink macros that are left out do nothing and cost nothing. Each is an expression, true to continue
 * and false to stop (the machine then reports TN_TROUBLE_SINK). `op->field` is the field, `bit` its
 * start in the packet:
 *
 *	TN_SINK_UINT(op, v, bit)	unsigned integers, bit arrays and maps of up to 64 bits, booleans of any length
 *	TN_SINK_SINT(op, v, bit)	int64_t, sign-extended
 *	TN_SINK_FLOAT(op, v, bit)	double
 *	TN_SINK_WIDE(op, p, bit)	more than 64 bits, raw; p is the byte that contains `bit`
 *	TN_SINK_TOO_LARGE(op, v, bit)	a LEB128 integer of more than 64 bits; v is the nearest one (uint64_t)
 *	TN_SINK_STRING(op, p, n, bit)	n bytes, without terminator; UTF-16 and UTF-32 as they are
 *	TN_SINK_BLOB(op, p, n, bit)
 *	TN_SINK_STRUCT(op, bit)		then the members, then CLOSE
 *	TN_SINK_ARRAY(op, n, bit)	then n elements, then CLOSE
 *	TN_SINK_VARIANT(op, option, bit)	then the option's field, then CLOSE; UINT32_MAX: none
 *	TN_SINK_OPTIONAL(op, there, bit)	then the content if it is present, then CLOSE
 *	TN_SINK_CLOSE(op, bit)		op->field is the same as at the opening
 *
 * An array's element has its own field; op->field->parent is the array. Compounds nest at most
 * TN_PLAN_DEPTH deep (plan.h).
 *
 * Run the codes of an event's scopes one after the other on one machine: position, slots and clock
 * carry over. A read code does not update the clock or roles; it does store slots.
 */
#ifndef TN_PLAN_MACHINE_H
#define TN_PLAN_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "model/decoder.h"
#include "plan/plan.h"

enum tn_trouble {
	TN_TROUBLE_NONE,
	TN_TROUBLE_CONTENT,	/* the content ends inside the field */
	TN_TROUBLE_STRING,	/* there is no terminator before the end of the content */
	TN_TROUBLE_TAG,		/* no option for the tag, which is in `value` */
	TN_TROUBLE_REFERENCE,	/* the target of a reference is absent */
	TN_TROUBLE_ORDER,	/* the byte order changes inside a byte */
	TN_TROUBLE_EMPTY,	/* too many elements of size 0 */
	TN_TROUBLE_SINK,	/* the sink stopped */
	TN_TROUBLE_UNMADE	/* the code is not made yet (TN_OP_UNMADE): the machine did nothing */
};

/* A slot: a value, and whether it is set. */
struct tn_slot {
	uint64_t value, is_set;
};

#define TN_ROLES 13	/* number of constants of enum tn_role */

struct tn_machine {
	const uint8_t *p;	/* start of the packet */
	uint64_t at, end;	/* position and end of the content, in bits from `p`; at <= end */
	uint64_t clock;		/* the running clock */
	uint64_t time;		/* the event's time; TN_OP_TIME sets it */
	uint64_t id;		/* id of the event class */
	struct tn_slot *slot;	/* trace->n_slots slots */
	uint64_t record;	/* position of the header of the event's record, in bits (TN_OP_RECORD) */
	uint64_t empty;		/* number of elements of size 0 so far; set it to 0 for each event */
	uint8_t order;		/* byte order of the last bit field: 0: unknown, 1: little, 2: big */
	uint32_t seen;		/* roles that occurred (enum tn_role) */
	uint64_t role[TN_ROLES];	/* last value for each role, by log2 of the role; for TIMESTAMP_BEGIN, the clock after it */
	/* In case of trouble: its cause and its place. */
	const struct tn_op *op;
	uint64_t bit, value;
};

/* The running clock @c after a field of @n bits with the value @v (ctf1-binary.md, 8.1; ctf2.md, 10). */
static inline uint64_t
tn_clock_update(uint64_t c, uint64_t v, unsigned n)
{
	uint64_t mask, low;

	if (n >= 64)
		return v;
	mask = (UINT64_C(1) << n) - 1;
	low = c & mask;
	return (c & ~mask) + v + (v < low ? mask + 1 : 0);
}

/*
 * Describe the trouble and its place: "event.fields.s: no end of the string before bit 584, where the content ends". @m:
 * the machine in the state after the run. @code: a read code. @scope: scope of the code.
 */
void tn_machine_explain(const struct tn_machine *m, enum tn_trouble trouble, enum tn_scope scope, char *text, size_t size);

/* Run a code without a sink: for a walk, or to find where a read code fails. */
enum tn_trouble tn_machine_skip(struct tn_machine *m, const struct tn_op *code);

/* Whether a read code would make more than TN_PLAN_VALUES values. Runs it only to count them. */
bool tn_machine_too_many(struct tn_machine *m, const struct tn_op *code);

/* Run a read code and append its values to @e. TN_TROUBLE_SINK: memory is out, or there are too many values. */
enum tn_trouble tn_machine_read(struct tn_machine *m, const struct tn_op *code, struct tn_event *e);

/* Load the number; the run that contains it begins at @from. */
static inline uint64_t
tn_fixed_number_load(const struct tn_fixed_number *n, const uint8_t *from)
{
	uint64_t v = tn_load64(from + n->byte);

	if (__builtin_expect(n->big_endian, 0))
		v = __builtin_bswap64(v);
	v = v >> n->shift & n->mask;
	return (v ^ n->sign) - n->sign;
}

#endif
