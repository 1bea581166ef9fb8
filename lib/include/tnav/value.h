/*
 * tnav/value.h - types and decoded values
 *
 * Units      Sizes, alignments and positions of fields are in bits; positions count from the start of the
 *            packet. Lengths of strings and BLOBs are in bytes.
 * Ownership  Types and fields belong to their trace. Values belong to their event, and are valid until the
 *            next read of the same cursor or reader.
 * Errors     Conversions return TN_OK; TN_ERR_RANGE if the value does not fit (they never cut a value);
 *            TN_ERR_ARGUMENT if values of this kind do not have the conversion.
 * States     object			state					may be called
 *            a type, a field		its set is open				all functions
 *            a value			its event was read			all functions
 *              			after the next read of its cursor or reader	nothing, nor its texts and bytes
 * Source     CTF 1.8.3, 4 "Types"; CTF2-SPEC-2.0, 5.3 "Field classes".
 */
#ifndef TNAV_VALUE_H
#define TNAV_VALUE_H

#include <stdbool.h>

#include <tnav/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_type;
struct tn_field;
struct tn_value;
struct tn_event;

enum tn_kind {
	TN_KIND_UINT,		/* unsigned integer; an enumeration if it has labels */
	TN_KIND_SINT,
	TN_KIND_BOOL,
	TN_KIND_BITS,		/* bit array */
	TN_KIND_BITMAP,		/* bit array with named flags */
	TN_KIND_FLOAT,
	TN_KIND_STRING,
	TN_KIND_BLOB,
	TN_KIND_STRUCT,
	TN_KIND_ARRAY,		/* its length is static or dynamic */
	TN_KIND_VARIANT,
	TN_KIND_OPTIONAL
};

enum tn_encoding {
	TN_ENCODING_NONE,	/* an integer is a number; a string is any bytes, also NULs */
	TN_ENCODING_ASCII,
	TN_ENCODING_UTF8,
	TN_ENCODING_UTF16BE,
	TN_ENCODING_UTF16LE,
	TN_ENCODING_UTF32BE,
	TN_ENCODING_UTF32LE
};

/* ---- types ---- */

/* The kind of the type. Comments below name the kinds to which a function applies. */
TN_API enum tn_kind tn_type_kind(const struct tn_type *type);
TN_API const char *tn_kind_name(enum tn_kind kind);	/* "unsigned integer", "structure", ... */
/* Bits of an integer, boolean, bit array or float; 0 if the size varies (LEB128, strings, compounds). */
TN_API uint64_t tn_type_bits(const struct tn_type *type);
TN_API uint64_t tn_type_align(const struct tn_type *type);	/* bits, a power of two */
TN_API bool tn_type_signed(const struct tn_type *type);	/* for an integer type */
TN_API bool tn_type_big_endian(const struct tn_type *type);	/* for a type of numbers */
TN_API unsigned tn_type_base(const struct tn_type *type);	/* 2, 8, 10, 16: the base for display */
TN_API enum tn_encoding tn_type_encoding(const struct tn_type *type);	/* for a string type */
TN_API const char *tn_type_media_type(const struct tn_type *type);	/* for a BLOB; others: NULL */
/*
 * Number of elements of an array, or of bytes of a string or BLOB; -1 if the length is not static.
 */
TN_API int64_t tn_type_length(const struct tn_type *type);
/* Number of members or options; 1 for the element of an array or the content of an optional; 0 for other kinds. */
TN_API size_t tn_type_field_count(const struct tn_type *type);
TN_API const struct tn_field *tn_type_field(const struct tn_type *type, size_t i);	/* NULL after the last */
/* Labels of an enumeration or flags of a bit map, in the order of the metadata. */
TN_API size_t tn_type_label_count(const struct tn_type *type);
TN_API const char *tn_type_label(const struct tn_type *type, size_t i);	/* NULL after the last */
/*
 * Describe a type for people: "unsigned integer, 32 bits, little-endian, align 8, base 16". Returns the full
 * length; cuts the text to @room bytes.
 */
TN_API size_t tn_type_describe(const struct tn_type *type, char *out, size_t room);

/* Number and names of the options, for a variant and for the root of a scope that is an option of a variant. */
TN_API size_t tn_field_option_count(const struct tn_field *field);	/* 0: not a variant */
TN_API const char *tn_field_option(const struct tn_field *field, size_t i);	/* NULL after the last */
TN_API const char *tn_field_name(const struct tn_field *field);	/* as the metadata writes it */
TN_API const char *tn_field_label(const struct tn_field *field);	/* the name for display */
TN_API const struct tn_type *tn_field_type(const struct tn_field *field);	/* never NULL */
TN_API const struct tn_field *tn_field_parent(const struct tn_field *field);	/* NULL for the root of a scope */
/*
 * Write the last step of the field's full path in conditions: ".ret"; ".`two words`" if the name is not an
 * identifier; "[3]" for element @index of an array, "[]" if @index is SIZE_MAX; "" for the content of a variant or
 * an optional, and for the root of a scope (its path is tn_scope_path()). Returns the full length, as snprintf();
 * cuts the text to @size bytes.
 */
TN_API size_t tn_field_step(const struct tn_field *field, size_t index, char *buf, size_t size);

/* ---- values ---- */

/* The field that has this value. */
TN_API const struct tn_field *tn_value_field(const struct tn_value *value);
TN_API const struct tn_type *tn_value_type(const struct tn_value *value);	/* the type of that field */
TN_API uint64_t tn_value_bit(const struct tn_value *value);	/* position of its first bit, after alignment */
/* Position of the bit after the value, its terminator, and the padding inside the value. */
TN_API uint64_t tn_value_end(const struct tn_value *value);

/* Integers, enumerations, booleans, bit arrays. */
TN_API TN_MUST_CHECK enum tn_code tn_value_u64(const struct tn_value *value, uint64_t *out);
/* TN_ERR_RANGE above INT64_MAX. */
TN_API TN_MUST_CHECK enum tn_code tn_value_i64(const struct tn_value *value, int64_t *out);
/* TN_ERR_RANGE when negative or above UINT32_MAX. */
TN_API TN_MUST_CHECK enum tn_code tn_value_u32(const struct tn_value *value, uint32_t *out);
/* TN_ERR_RANGE outside int32_t. */
TN_API TN_MUST_CHECK enum tn_code tn_value_i32(const struct tn_value *value, int32_t *out);
TN_API TN_MUST_CHECK enum tn_code tn_value_double(const struct tn_value *value, double *out);	/* floats only */
/*
 * Bytes of a string (without its terminator; UTF-16 and UTF-32 are converted to UTF-8), of a BLOB, or of a number
 * with more than 64 bits. The bytes of a number have its bits in the order of the trace (tn_type_big_endian()), the
 * first bit in the first byte; unused bits of the last byte are 0.
 */
TN_API TN_MUST_CHECK enum tn_code tn_value_bytes(const struct tn_value *value, const void **out, size_t *n);
/*
 * The value of an integer, boolean or bit array of any size: *n bytes, most significant first, in two's
 * complement if signed. tn_datum_bytes() takes numbers of more than 64 bits in this form. TN_ERR_RANGE: *n is
 * more than @room.
 */
TN_API TN_MUST_CHECK enum tn_code tn_value_wide(const struct tn_value *value, uint8_t *out, size_t room, size_t *n);

/* Enumerations: the first label that includes the value; NULL: no label includes it. */
TN_API const char *tn_value_label(const struct tn_value *value);
/* Index of this label + 1; 0: no label includes the value. */
TN_API size_t tn_value_label_index(const struct tn_value *value);

/* Number of members of a structure or elements of an array; 0 or 1 for variants and optionals; 0 for other kinds. */
TN_API size_t tn_value_count(const struct tn_value *value);
/* The first value inside this one; NULL: there is no value inside. */
TN_API const struct tn_value *tn_value_first(const struct tn_value *value);
/* The value after @value inside the same @parent; NULL: @value is the last. */
TN_API const struct tn_value *tn_value_after(const struct tn_value *parent, const struct tn_value *value);
TN_API const struct tn_value *tn_value_at(const struct tn_value *value, size_t i);	/* element i, or NULL */
TN_API const struct tn_value *tn_value_member(const struct tn_value *value, const char *name);	/* finds it by name or label */
/*
 * Variants: number of the selected option + 1; 0: no option is selected. tn_value_first() is the option's value.
 * The function also works for the root of a scope that is a variant (KEDR): events of this trace have the option in
 * the place of the variant.
 */
TN_API size_t tn_value_option(const struct tn_value *value);

#ifdef __cplusplus
}
#endif
#endif
