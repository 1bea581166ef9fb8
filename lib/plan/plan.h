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

#define TN_PLAN_DEPTH 128	/* structures, arrays, variants, optionals in each other; more is refused */
#define TN_PLAN_EMPTY 256	/* elements of no size that one event may have, all arrays together */
#define TN_PLAN_VALUES (1u << 20)	/* values that one scope may have: more is an attack on memory, not an event */
/* A scope of no more bits than this cannot have more values: each bit is in a limited number of compounds. */
#define TN_PLAN_SURE_BITS ((TN_PLAN_VALUES - TN_PLAN_EMPTY * (TN_PLAN_DEPTH + 1)) / (TN_PLAN_DEPTH + 1))
#define TN_PLAN_VARIES UINT64_MAX

enum tn_op_code {
	TN_OP_END,
	TN_OP_ALIGN,		/* advance to a multiple of `a` bits */
	TN_OP_CHECK,		/* n bits are left */
	TN_OP_ADVANCE,		/* advance by n bits that were already checked */
	TN_OP_SKIP,		/* check and advance by n bits */
	/* Fixed fields of a checked run, n bits from its start. Byte-aligned ones: */
	TN_OP_U8, TN_OP_U16LE, TN_OP_U16BE, TN_OP_U32LE, TN_OP_U32BE, TN_OP_U64LE, TN_OP_U64BE,
	TN_OP_S8, TN_OP_S16LE, TN_OP_S16BE, TN_OP_S32LE, TN_OP_S32BE, TN_OP_S64LE, TN_OP_S64BE,
	TN_OP_BITS,		/* an integer of `bits` bits anywhere; flags */
	TN_OP_FLOAT,		/* a float of `bits` bits anywhere; flags */
	TN_OP_WIDE,		/* more than 64 bits: m of them */
	TN_OP_STRING_FIXED,	/* m bytes */
	TN_OP_STRING_LOOKUP,	/* the text that the number of 32 bits here has in `more` (struct tn_lookup); flags */
	TN_OP_BLOB_FIXED,
	TN_OP_UUID,		/* 16 bytes: the machine notes the position (the sink gets nothing) */
	/* Uses of the value loaded last. */
	TN_OP_SAVE,		/* store in slot a */
	TN_OP_CLOCK,		/* update the running clock with a field of n bits; 0: of the last LEB128 */
	TN_OP_ID,		/* event class id */
	TN_OP_ROLE,		/* role number a (log2 of enum tn_role) */
	TN_OP_TIME,		/* the event's time is the clock now */
	/* Slots. */
	TN_OP_SET,		/* slot a := n */
	TN_OP_CLEAR,		/* slot a becomes empty */
	TN_OP_GUARD,		/* slot a must not contain 0 */
	/* Fields whose size only an event gives. */
	TN_OP_STRING8, TN_OP_STRING16, TN_OP_STRING32,	/* up to a zero code unit */
	TN_OP_STRING_DYNAMIC,	/* bytes in slot a; flags */
	TN_OP_BLOB_DYNAMIC,
	TN_OP_LEB_UNSIGNED, TN_OP_LEB_SIGNED,
	TN_OP_SKIP_ARRAY,	/* a sequence with the length in slot a, each element m bits at distances of n; flags */
	/*
	 * Loops: the count is n, or in slot n (flags). ARRAY: elements of m bits or more each; its LOOP is
	 * before instruction a. ARRAY_FIXED: elements of fixed size, checked here all at once; its LOOP has
	 * their distance in n and their size in m.
	 */
	TN_OP_ARRAY, TN_OP_ARRAY_FIXED,
	TN_OP_LOOP, TN_OP_LOOP_FIXED,	/* back to instruction a, or past it and close the array */
	TN_OP_EMPTY,		/* n elements of no size were passed, or n for each of the number in slot a (flags) */
	TN_OP_VARIANT,		/* more: struct tn_choice */
	TN_OP_OPTIONAL,		/* like VARIANT; option 0 or none */
	TN_OP_JUMP,		/* continue at instruction a */
	/*
	 * Records (enum tn_record_kind). RECORD: the header begins here. LONG: pass the second word if the
	 * header has one. LOCATE: jump to the data that the place here describes (`bits`: enum tn_located;
	 * flags), of elements of m bytes, whose number is stored in slot a. BACK: continue after that place.
	 */
	TN_OP_RECORD, TN_OP_LONG, TN_OP_LOCATE, TN_OP_BACK,
	/* Structures, only in read; n bits from the position. */
	TN_OP_OPEN, TN_OP_CLOSE,
	/* The byte order must not change inside a byte; only in traces where it could. */
	TN_OP_ORDER_CHECK, TN_OP_ORDER_SET,	/* bits: 1 little, 2 big */
	TN_OP_UNMADE		/* placeholder for a code that was not needed so far */
};

enum {
	TN_OP_BIG_ENDIAN = 1,
	TN_OP_SIGNED = 2,
	TN_OP_REVERSED = 4,
	TN_OP_COUNT_IN_SLOT = 8,	/* ARRAY, ARRAY_FIXED, EMPTY */
	TN_OP_SIGNED_LENGTH = 16,	/* lengths: negative counts as 0 */
	TN_OP_UNIT16 = 32, TN_OP_UNIT32 = 64,	/* code units of strings of fixed or dynamic size */
	TN_OP_TRUTH = 128,	/* a wide boolean: a number is enough */
	TN_OP_SIZED = 256,	/* LOCATE: the record is TN_RECORD_SIZED */
	TN_OP_WHOLE = 512	/* LOCATE: the record is TN_RECORD_WHOLE */
};

/* One instruction: two in a cache line. */
struct tn_op {
	uint8_t code;		/* enum tn_op_code */
	uint8_t bits;
	uint16_t flags;
	uint32_t a;
	uint64_t n;
	const struct tn_field *field;	/* the field it decodes; NULL: none of its own */
	union {
		uint64_t m;
		const void *more;
	};
};
_Static_assert(sizeof(void *) != 8 || sizeof(struct tn_op) == 32, "an instruction has 32 bytes");

/* A fixed number of 1 to 64 bits: `byte` bytes from the start of its checked run. */
struct tn_fixed_number {
	uint8_t shift, bits;	/* below it in its 64 bits, its own */
	bool big_endian;
	uint32_t byte;
	uint64_t mask, sign;	/* sign: the bit of weight; 0 for unsigned ones, and for floats */
};

/* False: the instruction loads no number, or one that needs more than this. */
bool tn_fixed_number_of(struct tn_fixed_number *out, const struct tn_op *op);

/* Maps a selector to an option. */
struct tn_case {
	uint64_t lower, upper;
	uint32_t option;
};

struct tn_choice {
	int32_t slot;
	bool lenient;		/* no option: the field is empty (KEDR), not an error */
	uint64_t bias;		/* added to selector and limits: signed ones compare as unsigned */
	uint32_t n_dense;
	const uint16_t *dense;	/* selectors below n_dense: option + 1, 0 for none. NULL: search the cases */
	size_t n_cases;
	const struct tn_case *item;
	bool sorted;		/* sorted and apart: binary search; else the first case with the value */
	bool invert;		/* optional without ranges: everything but 0 */
	uint32_t *target;	/* by option: the start of its code */
	uint32_t end;		/* the instruction after all options */
};

/* The option + 1 for selector @v; 0: none. */
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

/* The text of @number. */
const char *tn_lookup_find(const struct tn_lookup *lookup, int64_t number, size_t *size);
/* The text of the number of 32 bits at @place. */
static inline const char *
tn_lookup_at(const struct tn_lookup *lookup, const uint8_t *place, uint32_t number, size_t *size)
{
	return lookup->find ? lookup->find(lookup, place, size) : tn_lookup_find(lookup, (int32_t)number, size);
}


/* The way to pass an event after its header. */
struct tn_event_entry {
	const struct tn_op *walk;	/* contexts and payload in one; UNMADE until tn_plan_make_walk(): atomic */
	uint64_t fixed_bits;	/* their size if nothing else has to be done; TN_PLAN_VARIES */
	uint32_t event_class;	/* index in trace->event_class; UINT32_MAX: no such class */
};

/* Event headers that are passed without the machine: those of LTTng and the kernel's ring buffers. */
enum tn_header_shape {
	TN_SHAPE_OTHER,
	TN_SHAPE_COMPACT,	/* 5 bits of id, 27 of time; id shape_long: a longer form */
	TN_SHAPE_LARGE,		/* 16 bits of id, 32 of time; id 65535: the extended form */
	TN_SHAPE_FIXED		/* none, or shape_bits that give the size of the record last; at a whole byte */
};

/*
 * Plans of an event class: code of the contexts and the payload, NULL where a scope is absent. A trace may have
 * 100,000 classes, and events of ten. Opening a trace only checks that each class compiles; codes are made at first
 * use.
 */
struct tn_event_plan {
	const struct tn_op *skip[TN_SCOPES];
	const struct tn_op *read[TN_SCOPES];
};

/* Plans of a stream class: code of the part before the contexts of an event class, and of the common context. */
struct tn_plan {
	const struct tn_op *skip[TN_SCOPES];
	const struct tn_op *read[TN_SCOPES];
	const struct tn_op *header;	/* the event header, to walk; never NULL */

	/* Event classes by id. */
	bool has_id;		/* the header has one */
	struct tn_event_entry *dense;	/* ids below n_dense */
	uint64_t n_dense;
	/* Entries of the classes of its stream class from first_sparse on, whose ids are larger. */
	struct tn_event_entry *sparse;
	size_t first_sparse;
	struct tn_event_entry other;	/* the entry for ids without a class */

	enum tn_header_shape shape;
	bool shape_big_endian;
	uint32_t shape_align, shape_time_align;	/* bits; the second of the large form's time */
	uint32_t shape_slot;	/* slot of the id */
	uint32_t shape_long;	/* COMPACT: 31, or 0 of TN_RECORD_RING */
	uint32_t shape_bits;	/* FIXED: size of the header */
	uint32_t shape_record;	/* bits from the row's start to the record: TN_OP_RECORD */
	bool mixed;		/* fields of both byte orders, not all on byte boundaries */
	uint64_t after_mod, after_off;	/* after the header the position is `off` modulo `mod` */
	bool packet_slots;	/* header or context of its packets store slots */

	const struct tn_field *name_field;	/* enumeration of the header that names events without a name (KEDR) */
	bool begin_known, end_known;	/* the packet context has such times */
	unsigned begin_bits, end_bits;	/* their width; 0: unknown */
};

/* Compile all of @trace: sets stream_class->plan, and checks that all event classes compile. */
enum tn_code tn_plan_compile(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;

/* The plan of a class whose stream class has one, made at the first call; NULL: memory is out. Any thread. */
const struct tn_event_plan *tn_plan_event(const struct tn_event_class *ec);

/* Make the code that walks events of the entry's class, of @sc. Any thread. False: memory is out. */
bool tn_plan_make_walk(const struct tn_stream_class *sc, const struct tn_event_entry *entry);

static inline const struct tn_op *
tn_plan_walk(const struct tn_event_entry *entry)
{
	return __atomic_load_n(&entry->walk, __ATOMIC_ACQUIRE);
}

/* Compile one scope, for tests: @read or skip. NULL with *err set on failure. */
const struct tn_op *tn_plan_scope(struct tn_trace *trace, struct tn_field *root, bool read, struct tn_error *err);

/* The entry of the event class @id of a stream class; event_class is UINT32_MAX if the id has no class. */
const struct tn_event_entry *tn_plan_find(const struct tn_plan *plan, const struct tn_stream_class *sc, uint64_t id);

static inline const struct tn_event_entry *
tn_plan_entry(const struct tn_plan *plan, const struct tn_stream_class *sc, uint64_t id)
{
	return __builtin_expect(id < plan->n_dense, 1) ? &plan->dense[id] : tn_plan_find(plan, sc, id);
}

#endif
