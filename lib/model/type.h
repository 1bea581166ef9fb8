/*
 * type.h - field types: the description of a value in the metadata of any format
 *
 * A type tree belongs to one place of one scope: builders copy a named type at each use. So a struct tn_field
 * is one place in a packet or an event, and a reference to it is a pointer. A type that does not depend on its
 * place (a number or a string without fields, references and roles) may be shared by several fields. Trees are
 * in the arena of their trace and never change once the trace is open.
 *
 * References (the length of a sequence, the tag of a variant, the selector of an optional) use slots. A field
 * that is referred to has `slot` >= 0, and decoding stores its value there; the field that refers to it has the
 * same number in `ref_slot`. If a reference can mean several fields (a path through a variant), they share a
 * slot: the last decoded one counts.
 */
#ifndef TN_MODEL_TYPE_H
#define TN_MODEL_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tnav/value.h>		/* enum tn_kind, enum tn_encoding */

#define TN_NO_SLOT (-1)

/* The kinds of length of a string, BLOB or array. */
enum tn_extent {
	TN_EXTENT_STATIC,	/* type->length */
	TN_EXTENT_DYNAMIC,	/* the value in slot type->ref_slot */
	TN_EXTENT_TERMINATED	/* up to a zero code unit, which belongs to the field; strings only */
};

/*
 * The place of the bytes of a string or array that are outside of its field. A record is the data of an event
 * of a kernel's ring buffer after its header (lib/ftrace).
 */
enum tn_located {
	TN_LOCATED_HERE,	/* the bytes are in the field itself */
	TN_LOCATED_DATA,	/* the field has 32 bits: low 16 offset from the start of the record, high 16 bytes */
	TN_LOCATED_REL,		/* like DATA, but the offset counts from the end of the place */
	TN_LOCATED_REST,	/* the bytes from the field to the end of the record */
	TN_LOCATED_LINE		/* like REST, a text; a newline at its end is not part of it */
};

/* How the header before a record gives the record's size. */
enum tn_record_kind {
	TN_RECORD_NONE,
	TN_RECORD_RING,		/* type_len and time_delta of a ring buffer; type_len 0: a second word is the size plus 4 */
	TN_RECORD_SIZED,	/* a number of 32 bits: the bytes of the record */
	TN_RECORD_WHOLE		/* a number of 16 bits: the bytes of the record, which began 6 bytes before the number */
};

/* Texts by number. */
struct tn_lookup {
	struct tn_lookup_text {
		int64_t number;
		const char *text;	/* TN_LOOKUP_SLACK bytes are readable after it */
		uint32_t size;
	} *item;		/* sorted by number, each once */
	size_t n;
	const char *other;	/* text of numbers that are not in the table, with the same slack */
	/* If set: the text of the number at @place, which the format finds there; the items are not used. Any thread. */
	const char *(*find)(const struct tn_lookup *lookup, const uint8_t *place, size_t *size);
	/* For find: the text depends only on these bits of the 64 (little endian) @key_byte after the place; 0: also on others. */
	uint64_t key_mask;
	unsigned key_byte;
	const void *user;
};
#define TN_LOOKUP_SLACK 64

/* Roles of a field for the decoder; names in TSDL, roles in CTF 2. Bits: a field may have several. */
enum tn_role {
	TN_ROLE_MAGIC = 1 << 0,			/* packet header */
	TN_ROLE_UUID = 1 << 1,
	TN_ROLE_STREAM_CLASS_ID = 1 << 2,
	TN_ROLE_STREAM_ID = 1 << 3,		/* stream_instance_id */
	TN_ROLE_PACKET_SIZE = 1 << 4,		/* packet context */
	TN_ROLE_CONTENT_SIZE = 1 << 5,
	TN_ROLE_TIMESTAMP_END = 1 << 6,		/* raw value: does not touch the running clock */
	TN_ROLE_DISCARDED = 1 << 7,
	TN_ROLE_SEQUENCE_NUMBER = 1 << 8,
	TN_ROLE_EVENT_CLASS_ID = 1 << 9,	/* event header */
	TN_ROLE_CLOCK = 1 << 10,		/* updates the running clock of its stream, in any scope */
	TN_ROLE_TIMESTAMP_BEGIN = 1 << 11,	/* packet context; a clock field has TN_ROLE_CLOCK as well */
	TN_ROLE_CPU_ID = 1 << 12		/* for display only */
};
#define TN_ROLES 13

#define TN_TYPE_VARIES UINT64_MAX

/* Properties of a type at all depths, computed once, when its scope is complete (tn_field_number()). */
struct tn_summary {
	uint32_t roles;		/* roles of all its fields */
	uint8_t bits[TN_ROLES];	/* the widest number with role 1 << i, up to 64; 0: none of a fixed width */
	bool little, big;	/* byte orders of its numbers */
	bool odd;		/* some may begin or end inside a byte */
	bool slots;		/* something in it is stored for references */
	bool is_flat;		/* the size is fixed, and the type does not contain an array */
	uint64_t min_bits;	/* the least size, alignment not counted; saturates */
	uint64_t fixed_bits;	/* the size of every value that starts aligned; TN_TYPE_VARIES */
	uint64_t n_empty;	/* elements of no size in its static arrays; saturates */
};

/* A range of integers, both ends included; compared as signed or unsigned as the integer is. */
struct tn_range {
	uint64_t lower, upper;	/* two's complement when signed */
};

/*
 * Whether a reference through an optional or a variant has a target. An optional or variant with guards stores
 * in each guard's slot, before its content: 1 if its content has the target, else 0. The last one to store
 * decides.
 */
struct tn_guard {
	int32_t slot;
	const bool *leads;	/* by option; [0]: a present optional; an absent one never leads to the target */
};

/* A label of an enumeration or a flag of a bit map, with its ranges, in the order of the metadata. */
struct tn_mapping {
	const char *label;	/* as written, unescaped; any bytes but NUL; unique within the type */
	const struct tn_range *range;
	size_t n_ranges;
};

struct tn_labels;

struct tn_type {
	enum tn_kind kind;
	uint32_t align;		/* bits, a power of two >= 1, members included (variant, optional: 1) */

	/* Integers, booleans, bit arrays and maps, floats. `length` is bits; more than 64: raw bits. */
	uint64_t length;	/* and: bytes of a static string or BLOB, elements of a static array */
	bool big_endian;
	bool reversed;		/* the bits in the order that is not the default of the byte order */
	bool varint;		/* LEB128; length is 0 then */
	uint8_t base;		/* base for display: 2, 8, 10, 16 */
	const struct tn_mapping *mapping;	/* enumeration labels or flags; NULL when it is neither */
	size_t n_mappings;
	const struct tn_labels *labels;	/* labels.h: the same as a table; NULL: they are searched */
	uint32_t roles;		/* enum tn_role */

	/* Strings, BLOBs, arrays. */
	enum tn_extent extent;
	enum tn_encoding encoding;	/* encoding of a string */
	const char *media_type;		/* media type of a BLOB */
	bool signed_length;		/* dynamic: the length is signed, negative counts as 0 (KEDR) */
	enum tn_located located;	/* strings and arrays; elements are numbers of whole bytes */
	/*
	 * How the header before the record gives the size. Set in the structure that is the event header (RING), in
	 * the number that is the size (SIZED, WHOLE), and in a located field.
	 */
	enum tn_record_kind record;
	/*
	 * A string without bits of its own: the text that this table has for the number of 32 bits right before
	 * it in its structure.
	 */
	const struct tn_lookup *lookup;
	bool lenient_tag;		/* variant: a tag without an option gives an empty field, not an error (KEDR) */

	/* The target of a sequence, variant or optional. */
	int32_t ref_slot;	/* TN_NO_SLOT when nothing */
	bool ref_signed;	/* the selector is a signed integer */
	const char *ref_path;	/* as written in the metadata, for messages and details */
	/*
	 * Variant: slots of inner fields that are referred to from outside and may be absent (KEDR). They get
	 * all ones when the variant begins: a reference to them finds no option.
	 */
	const int32_t *clear_slot;
	size_t n_clear_slots;
	const struct tn_range *some;	/* optional by integer: values that enable it; NULL: all but zero */
	size_t n_some;
	uint32_t ref_guard;	/* 0: none; else 1 + the slot that must not contain 0 when the reference is used */
	const struct tn_guard *guard;	/* guards of an optional or variant that references lead through; mostly NULL */
	size_t n_guards;

	/* Members of a structure, options of a variant; [0] is the element of an array, the content of an optional. */
	struct tn_field *field;
	size_t n_fields;

	const char *attributes;	/* user attributes as JSON text, or NULL (CTF 2) */
	const char *alias;	/* the name the metadata declared it under, or NULL */

	struct tn_summary summary;
};

/* The root of a scope in the metadata, if the root here differs (KEDR): paths through it are names too. */
struct tn_root {
	/* The root in the metadata is not a structure: it is the only member of a structure made for it. */
	bool is_wrapped;
	/* A variant of which events of this class always select one option: its number + 1; 0: not a variant. */
	size_t option;
	const char *const *name;	/* names of all options of that variant */
	size_t n_names;
};

/* A place for a value: a scope, a member, an option, an element. */
struct tn_field {
	const char *name;	/* as in the metadata; "" if it does not have one (elements, unnamed options) */
	const char *label;	/* as displayed: one leading underscore of TSDL removed */
	struct tn_type *type;
	struct tn_field *parent;	/* NULL for the root of a scope */
	int32_t slot;		/* the slot that stores its value for references; TN_NO_SLOT: none */
	uint32_t gap;		/* bits between the field before it, or the start of its structure, and this one */
	uint32_t id;		/* dense in the trace, from 0: index for tables beside the model */
	bool hidden;		/* bookkeeping that the text line leaves out (text.md, 3) */
	const struct tn_range *range;	/* option of a variant: the selector values that select it, */
	size_t n_ranges;		/* first match in option order; none: never selected */
	const char *attributes;	/* attributes of the member or option as JSON text, or NULL (CTF 2) */
	const struct tn_root *root;	/* set in the root of a scope; mostly NULL */
};

/* Whether the value @v is in one of the ranges. */
bool tn_ranges_have(const struct tn_range *range, size_t n, uint64_t v, bool is_signed);

/* Whether a label of an enumeration applies to @v; for the flag of a bit map: whether it is set in @v. */
bool tn_mapping_has(const struct tn_type *type, const struct tn_mapping *mapping, uint64_t v);

/* The bit of weight 2^@i of a number that begins @shift bits after the first byte of @bytes. */
static inline unsigned
tn_type_bit(const struct tn_type *t, const uint8_t *bytes, unsigned shift, uint64_t i)
{
	/* Big-endian fields begin with the bit of most weight, unless they are reversed. */
	uint64_t at = shift + (t->big_endian == t->reversed ? i : t->length - 1 - i);

	return bytes[at / 8] >> (t->big_endian ? 7 - at % 8 : at % 8) & 1u;
}

static inline bool
tn_type_is_integer(const struct tn_type *t)
{
	return t->kind == TN_KIND_UINT || t->kind == TN_KIND_SINT;
}

#endif
