/*
 * plan.h - types compiled to flat instructions
 *
 * A type tree is walked when a trace is opened, to check it, and once more when the first event of its class
 * is met: each scope becomes an array of instructions that a machine (machine.h) runs for each event. A scope
 * has two codes:
 *
 *	skip	finds its end. Neighbours of fixed size are one advance; a value is only loaded if a
 *		length, a tag, a clock or an id needs it.
 *	read	has an instruction for every field, for a sink that takes the values.
 *
 * The use of the position: a CHECK verifies once that the next n bits are inside the content. The
 * fields after it are at fixed distances (op->n) from the position, which an ADVANCE moves at the end
 * of the run. Alignment inside a run is part of the distances. Where the distance to the next boundary
 * is unknown at compile time, the run ends and an ALIGN follows.
 */
#ifndef TN_PLAN_PLAN_H
#define TN_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/decoder.h"
#include "model/trace.h"

#define TN_PLAN_DEPTH 128	/* limit of nested structures, arrays, variants and optionals; deeper types are refused */
#define TN_PLAN_EMPTY 256	/* limit of elements of size 0 in one event, in all its arrays */
#define TN_PLAN_VALUES (1u << 20)	/* limit of values in one scope: more would exhaust the memory */
/* A scope of at most this size cannot have more values, because a limited number of compounds contains each bit. */
#define TN_PLAN_SURE_BITS ((TN_PLAN_VALUES - TN_PLAN_EMPTY * (TN_PLAN_DEPTH + 1)) / (TN_PLAN_DEPTH + 1))
#define TN_PLAN_VARIES UINT64_MAX

enum tn_op_code {
	TN_OP_END,
	TN_OP_ALIGN,		/* advance to a multiple of `a` bits */
	TN_OP_CHECK,		/* check that n bits are left */
	TN_OP_ADVANCE,		/* advance by n bits, which were checked before */
	TN_OP_SKIP,		/* check and advance by n bits */
	/* Fixed fields of a checked run, n bits from its start. First those that begin at a byte: */
	TN_OP_U8, TN_OP_U16LE, TN_OP_U16BE, TN_OP_U32LE, TN_OP_U32BE, TN_OP_U64LE, TN_OP_U64BE,
	TN_OP_S8, TN_OP_S16LE, TN_OP_S16BE, TN_OP_S32LE, TN_OP_S32BE, TN_OP_S64LE, TN_OP_S64BE,
	TN_OP_BITS,		/* an integer of `bits` bits at any bit; flags */
	TN_OP_FLOAT,		/* a float of `bits` bits at any bit; flags */
	TN_OP_WIDE,		/* a number of m bits, more than 64 */
	TN_OP_STRING_FIXED,	/* a string of m bytes */
	TN_OP_STRING_LOOKUP,	/* a string: the text that `more` (struct tn_lookup) has for the number of 32 bits here; flags */
	TN_OP_BLOB_FIXED,
	TN_OP_UUID,		/* 16 bytes whose position the machine notes; the sink gets nothing */
	/* Uses of the value that was loaded last. */
	TN_OP_SAVE,		/* store it in slot a */
	TN_OP_CLOCK,		/* update the running clock with a field of n bits; 0: with the last LEB128 */
	TN_OP_ID,		/* use it as id of the event class */
	TN_OP_ROLE,		/* use it for role number a (log2 of enum tn_role) */
	TN_OP_TIME,		/* the event's time is the current clock */
	/* Slots. */
	TN_OP_SET,		/* set slot a to n */
	TN_OP_CLEAR,		/* make slot a empty */
	TN_OP_GUARD,		/* check that slot a does not contain 0 */
	/* Fields whose size differs between events. */
	TN_OP_STRING8, TN_OP_STRING16, TN_OP_STRING32,	/* a string up to a zero code unit */
	TN_OP_STRING_DYNAMIC,	/* a string whose size in bytes is in slot a; flags */
	TN_OP_BLOB_DYNAMIC,
	TN_OP_LEB_UNSIGNED, TN_OP_LEB_SIGNED,
	TN_OP_SKIP_ARRAY,	/* skip a sequence whose length is in slot a, of elements of m bits at distances of n bits; flags */
	/*
	 * Loops. The count is n, or is in slot n (flags). ARRAY has elements of at least m bits; its LOOP is before
	 * instruction a. ARRAY_FIXED has elements of fixed size, which it checks all at once; its LOOP has their distance
	 * in n and their size in m.
	 */
	TN_OP_ARRAY, TN_OP_ARRAY_FIXED,
	TN_OP_LOOP, TN_OP_LOOP_FIXED,	/* go back to instruction a, or close the array and continue */
	TN_OP_EMPTY,		/* pass n elements of size 0, or n for each of the number in slot a (flags) */
	TN_OP_VARIANT,		/* select an option; `more` is the struct tn_choice */
	TN_OP_OPTIONAL,		/* like VARIANT; option 0 or none */
	TN_OP_JUMP,		/* continue at instruction a */
	/*
	 * Records (enum tn_record_kind). RECORD: the header begins here. LONG: pass the second word if the header has
	 * one. LOCATE: jump to the data that the field here describes (`bits`: enum tn_located; flags); store the number
	 * of elements, of m bytes each, in slot a. BACK: continue after that field.
	 */
	TN_OP_RECORD, TN_OP_LONG, TN_OP_LOCATE, TN_OP_BACK,
	/* Structures, only in read codes; they begin n bits from the position. */
	TN_OP_OPEN, TN_OP_CLOSE,
	/* For traces where the byte order could change inside a byte: check that it does not. */
	TN_OP_ORDER_CHECK, TN_OP_ORDER_SET,	/* bits: 1 little, 2 big */
	TN_OP_UNMADE		/* placeholder for a code that is not made yet */
};

enum {
	TN_OP_BIG_ENDIAN = 1,
	TN_OP_SIGNED = 2,
	TN_OP_REVERSED = 4,
	TN_OP_COUNT_IN_SLOT = 8,	/* for ARRAY, ARRAY_FIXED, EMPTY */
	TN_OP_SIGNED_LENGTH = 16,	/* for lengths: a negative length means 0 */
	TN_OP_UNIT16 = 32, TN_OP_UNIT32 = 64,	/* size of the code units of a string of fixed or dynamic size */
	TN_OP_TRUTH = 128,	/* a wide boolean, for which a number is enough */
	TN_OP_SIZED = 256,	/* for LOCATE: the record is TN_RECORD_SIZED */
	TN_OP_WHOLE = 512	/* for LOCATE: the record is TN_RECORD_WHOLE */
};

/* One instruction; a cache line has two of them. */
struct tn_op {
	uint8_t code;		/* enum tn_op_code */
	uint8_t bits;
	uint16_t flags;
	uint32_t a;
	uint64_t n;
	const struct tn_field *field;	/* the field that it decodes; NULL: none */
	union {
		uint64_t m;
		const void *more;
	};
};
_Static_assert(sizeof(void *) != 8 || sizeof(struct tn_op) == 32, "an instruction has 32 bytes");

/* A fixed number of 1 to 64 bits, `byte` bytes after the start of its checked run. */
struct tn_fixed_number {
	uint8_t shift, bits;	/* number of bits before the number in its 64-bit word; its size in bits */
	bool big_endian;
	uint32_t byte;
	uint64_t mask, sign;	/* `sign`: the sign bit; 0 for unsigned numbers and floats */
};

/* False: the instruction does not load a number, or the number needs more than this. */
bool tn_fixed_number_of(struct tn_fixed_number *out, const struct tn_op *op);

/* A range of selectors, and its option. */
struct tn_case {
	uint64_t lower, upper;
	uint32_t option;
};

struct tn_choice {
	int32_t slot;
	bool lenient;		/* a selector without an option gives an empty field, not an error (KEDR) */
	uint64_t bias;		/* added to selectors and limits, so that signed ones compare as unsigned */
	uint32_t n_dense;
	const uint16_t *dense;	/* for selectors less than n_dense: number of the option plus 1; 0: none. NULL: search the cases */
	size_t n_cases;
	const struct tn_case *item;
	bool sorted;		/* the cases are sorted and do not overlap: use a binary search; otherwise the first match counts */
	bool invert;		/* for an optional without ranges: all values except 0 mean present */
	uint32_t *target;	/* start of the code of each option */
	uint32_t end;		/* the instruction after all options */
};

/* The number of the option for selector @v, plus 1; 0: none. */
static inline uint32_t
tn_choice_find(const struct tn_choice *c, uint64_t v)
{
	size_t lo = 0;

	v += c->bias;
	if (v < c->n_dense)
		return c->dense[v];
	if (c->invert)
		return v != 0;
	if (!c->sorted) {
		for (size_t i = 0; i < c->n_cases; i++)
			if (v >= c->item[i].lower && v <= c->item[i].upper)
				return c->item[i].option + 1;
		return 0;
	}
	TN_BISECT(lo, c->n_cases, mid, v > c->item[mid].upper);
	return lo < c->n_cases && v >= c->item[lo].lower ? c->item[lo].option + 1 : 0;
}

/* Find the text of @number. */
const char *tn_lookup_find(const struct tn_lookup *lookup, int64_t number, size_t *size);
/* Find the text of the number of 32 bits at @place. */
static inline const char *
tn_lookup_at(const struct tn_lookup *lookup, const uint8_t *place, uint32_t number, size_t *size)
{
	return lookup->find ? lookup->find(lookup, place, size) : tn_lookup_find(lookup, (int32_t)number, size);
}


/* How a walk passes an event after its header. */
struct tn_event_entry {
	const struct tn_op *walk;	/* code for contexts and payload together; UNMADE until tn_plan_make_walk(); atomic */
	uint64_t fixed_bits;	/* size of both, if the walk need not do more than pass them; TN_PLAN_VARIES: no such size */
	uint32_t event_class;	/* index in trace->event_class; UINT32_MAX: the id does not have a class */
};

/* Event headers that a walk can pass without the machine: those of LTTng and of the kernel's ring buffers. */
enum tn_header_shape {
	TN_SHAPE_OTHER,
	TN_SHAPE_COMPACT,	/* 5 bits of id, 27 bits of time; the id shape_long marks a longer form */
	TN_SHAPE_LARGE,		/* 16 bits of id, 32 bits of time; the id 65535 marks the extended form */
	TN_SHAPE_FIXED		/* no header, or shape_bits bits whose last number is the size of the record; begins at a byte */
};

/*
 * The plan of an event class: code of the contexts and of the payload, or NULL if the scope is absent. A trace may have
 * 100,000 classes, and events of only ten. So opening a trace only checks that each class compiles, and codes are made at
 * first use.
 */
struct tn_event_plan {
	const struct tn_op *skip[TN_SCOPES];
	const struct tn_op *read[TN_SCOPES];
};

/* The plan of a stream class: code of the part before the contexts of an event class, and of the common context. */
struct tn_plan {
	const struct tn_op *skip[TN_SCOPES];
	const struct tn_op *read[TN_SCOPES];
	const struct tn_op *header;	/* code that walks the event header; never NULL */

	/* Event classes by id. */
	bool has_id;		/* the header contains an id */
	struct tn_event_entry *dense;	/* the entries of ids less than n_dense */
	uint64_t n_dense;
	/* For larger ids: entries of the classes of the stream class from first_sparse on. */
	struct tn_event_entry *sparse;
	size_t first_sparse;
	struct tn_event_entry other;	/* the entry for ids that do not have a class */

	enum tn_header_shape shape;
	bool shape_big_endian;
	uint32_t shape_align, shape_time_align;	/* alignment of the header, and of the time in the long form, in bits */
	uint32_t shape_slot;	/* slot of the id */
	uint32_t shape_long;	/* COMPACT: id of the longer form: 31, or 0 for TN_RECORD_RING */
	uint32_t shape_bits;	/* FIXED: size of the header in bits */
	uint32_t shape_record;	/* bits from the start of the row to the record (TN_OP_RECORD) */
	bool mixed;		/* fields have both byte orders, and do not all begin at bytes */
	uint64_t after_mod, after_off;	/* after the header, the position is `after_off` modulo `after_mod` */
	bool packet_slots;	/* header or context of the packets store values in slots */

	const struct tn_field *name_field;	/* the enumeration in the header that names events without a name (KEDR) */
	bool begin_known, end_known;	/* the packet context has these times */
	unsigned begin_bits, end_bits;	/* their sizes; 0: unknown */
};

/* Compile @trace: set the plan of each stream class, and check that all event classes compile. */
enum tn_code tn_plan_compile(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;

/*
 * The plan of an event class, made at the first call. Its stream class must have a plan. NULL: memory is out. Any thread
 * may call this.
 */
const struct tn_event_plan *tn_plan_event(const struct tn_event_class *ec);

/* Make the code that walks events of the entry's class, in @sc. Any thread may call this. False: memory is out. */
bool tn_plan_make_walk(const struct tn_stream_class *sc, const struct tn_event_entry *entry);

static inline const struct tn_op *
tn_plan_walk(const struct tn_event_entry *entry)
{
	return __atomic_load_n(&entry->walk, __ATOMIC_ACQUIRE);
}

/* For tests: compile one scope, as read code (@read) or skip code. NULL: failure, and *err is set. */
const struct tn_op *tn_plan_scope(struct tn_trace *trace, struct tn_field *root, bool read, struct tn_error *err);

/*
 * The entry for events of a stream class with the class id @id; its event_class is UINT32_MAX if the id does not have a
 * class.
 */
const struct tn_event_entry *tn_plan_find(const struct tn_plan *plan, const struct tn_stream_class *sc, uint64_t id);

static inline const struct tn_event_entry *
tn_plan_entry(const struct tn_plan *plan, const struct tn_stream_class *sc, uint64_t id)
{
	return __builtin_expect(id < plan->n_dense, 1) ? &plan->dense[id] : tn_plan_find(plan, sc, id);
}

#endif
