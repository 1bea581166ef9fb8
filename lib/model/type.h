/*
 * type.h - field types: the description of a value in the metadata of any format
 *
 * A type tree belongs to one place of one scope: builders copy a named type at each use. So a struct tn_field is one
 * place in a packet or an event, and a reference to it is a pointer. Several fields may share a type that does not
 * depend on its place: a number or a string without fields, references and roles. Trees are in the arena of their
 * trace and never change once the trace is open.
 *
 * References (the length of a sequence, the tag of a variant, the selector of an optional) use slots. A field that is
 * referred to has `slot` >= 0, and decoding stores its value there. The field that refers to it has the same number
 * in `ref_slot`. If a reference can mean several fields (a path through a variant), they share a slot, and the last
 * decoded field counts.
 */
#ifndef TN_MODEL_TYPE_H
#define TN_MODEL_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tnav/value.h>		/* enum tn_kind, enum tn_encoding */

#define TN_NO_SLOT (-1)

/* How the length of a string, BLOB or array is given. */
enum tn_extent {
	TN_EXTENT_STATIC,	/* type->length gives it */
	TN_EXTENT_DYNAMIC,	/* the value in slot type->ref_slot gives it */
	TN_EXTENT_TERMINATED	/* the value ends with a zero code unit, which belongs to it; strings only */
};

/*
 * Where the bytes of a string or array are, if they are outside of its field. A record is an event in a kernel's ring
 * buffer without its header (lib/ftrace).
 */
enum tn_located {
	TN_LOCATED_HERE,	/* the bytes are in the field itself */
	TN_LOCATED_DATA,	/* 32 bits: the lower 16 are the offset from the start of the record, the upper 16 the size */
	TN_LOCATED_REL,		/* like DATA, but the offset counts from the end of the field */
	TN_LOCATED_REST,	/* the bytes from the field to the end of the record */
	TN_LOCATED_LINE		/* a text like REST; a newline at its end does not belong to it */
};

/* How the header before a record gives the size of the record. */
enum tn_record_kind {
	TN_RECORD_NONE,
	TN_RECORD_RING,		/* type_len and time_delta of a ring buffer; if type_len is 0, a second word is the size plus 4 */
	TN_RECORD_SIZED,	/* a number of 32 bits is the size of the record */
	TN_RECORD_WHOLE		/* a number of 16 bits is the size; the record begins 6 bytes before this number */
};

/* A table of texts, found by number. */
struct tn_lookup {
	struct tn_lookup_text {
		int64_t number;
		const char *text;	/* TN_LOOKUP_SLACK bytes are readable after it */
		uint32_t size;
	} *item;		/* sorted by number, without duplicates */
	size_t n;
	const char *other;	/* text for numbers that are not in the table, with the same slack */
	/*
	 * If set, this function returns the text for the number at @place, and the items are not used. Any thread may
	 * call it.
	 */
	const char *(*find)(const struct tn_lookup *lookup, const uint8_t *place, size_t *size);
	/*
	 * For `find`: the text depends only on these bits of the 64-bit little-endian number that is @key_byte bytes
	 * after the place; 0: on other bytes, too.
	 */
	uint64_t key_mask;
	unsigned key_byte;
	const void *user;
};
#define TN_LOOKUP_SLACK 64

/*
 * Roles of a field for the decoder: by its name in TSDL, by its roles in CTF 2. They are bits, so a field may have
 * several.
 */
enum tn_role {
	TN_ROLE_MAGIC = 1 << 0,			/* in the packet header */
	TN_ROLE_UUID = 1 << 1,
	TN_ROLE_STREAM_CLASS_ID = 1 << 2,
	TN_ROLE_STREAM_ID = 1 << 3,		/* stream_instance_id */
	TN_ROLE_PACKET_SIZE = 1 << 4,		/* in the packet context */
	TN_ROLE_CONTENT_SIZE = 1 << 5,
	TN_ROLE_TIMESTAMP_END = 1 << 6,		/* only its raw value is used: it does not change the running clock */
	TN_ROLE_DISCARDED = 1 << 7,
	TN_ROLE_SEQUENCE_NUMBER = 1 << 8,
	TN_ROLE_EVENT_CLASS_ID = 1 << 9,	/* in the event header */
	TN_ROLE_CLOCK = 1 << 10,		/* updates the running clock of its stream, in any scope */
	TN_ROLE_TIMESTAMP_BEGIN = 1 << 11,	/* in the packet context; a field of a clock also has TN_ROLE_CLOCK */
	TN_ROLE_CPU_ID = 1 << 12		/* for display only */
};
#define TN_ROLES 13

#define TN_TYPE_VARIES UINT64_MAX

/* Properties of a type and of all types inside, computed when the scope is complete (tn_field_number()). */
struct tn_summary {
	uint32_t roles;		/* roles of all fields inside */
	uint8_t bits[TN_ROLES];	/* size in bits, up to 64, of the widest number with role 1 << i; 0: none has a fixed size */
	bool little, big;	/* byte orders of the numbers inside */
	bool odd;		/* some values may begin or end inside a byte */
	bool slots;		/* some values inside are stored in slots */
	bool is_flat;		/* the size is fixed, and the type does not contain an array */
	uint64_t min_bits;	/* smallest size without alignment; saturates */
	uint64_t fixed_bits;	/* size of every value that starts aligned; TN_TYPE_VARIES: not fixed */
	uint64_t n_empty;	/* number of elements of size 0 in static arrays; saturates */
};

/* A range of integers, which includes both ends. They compare as signed or unsigned, like the integer of the type. */
struct tn_range {
	uint64_t lower, upper;	/* two's complement when signed */
};

/*
 * For references through an optional or a variant. Before its content, an optional or variant with guards stores a
 * number in each guard's slot: 1 if its content has the target of the reference, otherwise 0. The last stored number
 * decides.
 */
struct tn_guard {
	int32_t slot;
	const bool *leads;	/* by option; [0]: a present optional; an absent one never leads to the target */
};

/* A label of an enumeration or a flag of a bit map, with its ranges, in the order of the metadata. */
struct tn_mapping {
	const char *label;	/* as in the metadata, but unescaped; any bytes except NUL; unique in the type */
	const struct tn_range *range;
	size_t n_ranges;
};

struct tn_labels;

struct tn_type {
	enum tn_kind kind;
	uint32_t align;		/* in bits, a power of two; includes the members, but not for variant and optional, which have 1 */

	/*
	 * Integers, booleans, bit arrays and maps, floats: `length` is the number of bits. Above 64, values are raw
	 * bits.
	 */
	uint64_t length;	/* also the bytes of a static string or BLOB, and the elements of a static array */
	bool big_endian;
	bool reversed;		/* the bits are in the order that is not the default of the byte order */
	bool varint;		/* LEB128, whose length is 0 here */
	uint8_t base;		/* base for display: 2, 8, 10, 16 */
	const struct tn_mapping *mapping;	/* labels of an enumeration, or flags; NULL: neither */
	size_t n_mappings;
	const struct tn_labels *labels;	/* a table of the mappings (labels.h); NULL: the mappings are searched */
	uint32_t roles;		/* bits of enum tn_role */

	/* Strings, BLOBs, arrays. */
	enum tn_extent extent;
	enum tn_encoding encoding;	/* encoding of a string */
	const char *media_type;		/* media type of a BLOB */
	bool signed_length;		/* dynamic length: the length is signed, and a negative one means 0 (KEDR) */
	enum tn_located located;	/* for strings, and for arrays whose elements are numbers of whole bytes */
	/*
	 * How the header before the record gives the record's size. Set in the structure that is the event header
	 * (RING), in the number that is the size (SIZED, WHOLE), and in a located field.
	 */
	enum tn_record_kind record;
	/*
	 * For a string without bits: the table of its texts. The number of the text is the field of 32 bits before
	 * the string.
	 */
	const struct tn_lookup *lookup;
	bool lenient_tag;		/* variant: a tag without an option gives an empty field, not an error (KEDR) */

	/* The reference of a sequence, variant or optional. */
	int32_t ref_slot;	/* TN_NO_SLOT: no reference */
	bool ref_signed;	/* the selector is signed */
	const char *ref_path;	/* path in the metadata, for messages and details */
	/*
	 * Variant: slots of inner fields that fields outside refer to, and that may be absent (KEDR). All their bits
	 * are set when the variant begins, so that a reference to an absent field finds no option.
	 */
	const int32_t *clear_slot;
	size_t n_clear_slots;
	const struct tn_range *some;	/* optional by integer: values that enable it; NULL: all but zero */
	size_t n_some;
	uint32_t ref_guard;	/* 1 + a slot that must not contain 0 when the reference is used; 0: no such slot */
	const struct tn_guard *guard;	/* guards of an optional or variant, for references through it; mostly NULL */
	size_t n_guards;

	/*
	 * Members of a structure, or options of a variant. [0] is the element of an array or the content of an
	 * optional.
	 */
	struct tn_field *field;
	size_t n_fields;

	const char *attributes;	/* user attributes as JSON text, or NULL (CTF 2) */
	const char *alias;	/* name by which the metadata declared the type; or NULL */

	struct tn_summary summary;
};

/* The root of a scope in the metadata, if it differs from the root of the model (KEDR): paths may also use it. */
struct tn_root {
	/* The root in the metadata is not a structure, so it is the only member of a structure made for it. */
	bool is_wrapped;
	/*
	 * The root in the metadata is a variant, of which events of this class always select one option: the option's
	 * number + 1; 0: not a variant.
	 */
	size_t option;
	const char *const *name;	/* names of all options of that variant */
	size_t n_names;
};

/* A place for a value: a scope, a member, an option, an element. */
struct tn_field {
	const char *name;	/* as in the metadata; "" if it does not have one (elements, unnamed options) */
	const char *label;	/* displayed name: without one leading underscore of TSDL */
	struct tn_type *type;
	struct tn_field *parent;	/* NULL for the root of a scope */
	int32_t slot;		/* the slot that stores its value for references; TN_NO_SLOT: none */
	uint32_t gap;		/* bits between the end of the field before (or the start of the structure) and this field */
	uint32_t id;		/* number of the field in the trace, from 0 without gaps; index of tables outside of the model */
	bool hidden;		/* the field is bookkeeping, which the text line leaves out (text.md, 3) */
	const struct tn_range *range;	/* option of a variant: selector values that select it */
	size_t n_ranges;		/* the first option that matches is selected; 0: the option is never selected */
	const char *attributes;	/* attributes of the member or option as JSON text, or NULL (CTF 2) */
	const struct tn_root *root;	/* set in the root of a scope; mostly NULL */
};

/* Whether the value @v is in one of the ranges. */
bool tn_ranges_have(const struct tn_range *range, size_t n, uint64_t v, bool is_signed);

/* Whether the enumeration's label applies to the value @v, or the bit map's flag is set in @v. */
bool tn_mapping_has(const struct tn_type *type, const struct tn_mapping *mapping, uint64_t v);

/* The bit with weight 2^@i of a number that begins @shift bits after the start of @bytes. */
static inline unsigned
tn_type_bit(const struct tn_type *t, const uint8_t *bytes, unsigned shift, uint64_t i)
{
	/* A big-endian field begins with its most significant bit, unless it is reversed. */
	uint64_t at = shift + (t->big_endian == t->reversed ? i : t->length - 1 - i);

	return bytes[at / 8] >> (t->big_endian ? 7 - at % 8 : at % 8) & 1u;
}

static inline bool
tn_type_is_integer(const struct tn_type *t)
{
	return t->kind == TN_KIND_UINT || t->kind == TN_KIND_SINT;
}

#endif
