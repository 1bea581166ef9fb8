/*
 * direct_template.h - the line of a class of simple fields: the text between its values, and how to load each value
 *
 * The code of the machine (direct.h) works by instructions. A template works by values: each part has the position
 * and the mask of a value, and the text before the value, joined with the end of the previous one. If a class has
 * another kind of field (an array, a variant), its template hands over to the machine there. An unusual row (too
 * little space, no end, a cut line) takes the machine's path from the start, with the same result.
 */
#ifndef TN_TEXT_DIRECT_TEMPLATE_H
#define TN_TEXT_DIRECT_TEMPLATE_H

#include "text/direct.h"
#include "text/direct_field.h"

enum tn_template_code {
	TN_TEMPLATE_DECIMAL, TN_TEMPLATE_SIGNED, TN_TEMPLATE_HEX, TN_TEMPLATE_ENUM, TN_TEMPLATE_FLOAT,
	TN_TEMPLATE_RARE,	/* number that put_rare() writes with its tail */
	TN_TEMPLATE_LOAD,	/* hidden number, for SAVE */
	/* The codes up to here have one number, `byte` bytes after the last CHECK or string. */
	TN_TEMPLATE_NUMBERS = TN_TEMPLATE_LOAD,
	TN_TEMPLATE_END,
	TN_TEMPLATE_SAVE,	/* store the last number in slot `align` */
	TN_TEMPLATE_TEXT,	/* text of at most `mask` bytes, up to a zero byte, `byte` bytes after the last CHECK */
	TN_TEMPLATE_LOOKUP,	/* text from `lookup`; its number of 32 bits is `byte` bytes after the last CHECK */
	/* The codes from here on begin `byte` bytes after the last CHECK or string. */
	TN_TEMPLATE_STRING,	/* text up to a zero byte */
	TN_TEMPLATE_PASS,	/* hidden text up to a zero byte */
	/* text elsewhere in the record; a number says where (`bits`: enum tn_located, `align`: flags) */
	TN_TEMPLATE_LOCATED,
	TN_TEMPLATE_ARRAY,	/* elements of one fixed number each, described by `array` */
	TN_TEMPLATE_RECORD,	/* start of the record */
	TN_TEMPLATE_CHECK,	/* align to `align` bytes, and check that `mask` bytes exist */
	TN_TEMPLATE_RUN		/* the machine runs the rest */
};

struct tn_template_op {
	uint8_t code;		/* enum tn_template_code */
	bool big_endian;
	uint8_t shift, bits;	/* number: the bits before it in its word, and its size in bits */
	uint32_t byte;
	uint32_t align;		/* ARRAY: offset of the number in its element; other codes: see above */
	uint32_t lead_n;
	const char *lead;	/* text before the value, with the tail of the previous value; slack follows */
	uint64_t mask, sign;	/* `sign`: the sign bit; 0 for unsigned numbers */
	union {
		const struct text_field *field;
		const struct tn_op *run;
		const struct tn_template_array *array;
		const struct tn_lookup *lookup;
	};
	size_t need;		/* space for the line up to the next value of variable size */
};

struct tn_template_array {
	bool counted, names;	/* `counted`: the count is in a slot; `names`: elements have "[i] = " */
	uint64_t count, stride, size;	/* the count, or its slot; the distance and size of elements, in bytes */
	struct tn_words lead, tail;	/* text before an element, and text after its number */
	size_t need;		/* space for one element */
	enum tn_template_code how;	/* TN_TEMPLATE_DECIMAL, ..._SIGNED or ..._HEX */
};

struct tn_template {
	size_t need;		/* space up to the first value of variable size */
	uint64_t check;		/* number of bytes that must exist at the start */
	struct tn_template_op op[];
};

/*
 * The text between stamp and fields of recent events of a class. It is the same as long as the packet and the common
 * context are. A zeroed entry is empty.
 */
#define TN_PREFIXES 64
#define TN_PREFIX_TEXT 256

struct tn_prefix {
	const struct tn_class_words *words;	/* NULL: the entry is unused */
	uint32_t n_text;
	uint8_t bytes[TN_REPEAT_BYTES];		/* the words->repeat_bytes bytes of the common context */
	char text[TN_PREFIX_TEXT + 32];
};

struct tn_direct_maker;

/* Make the template for words->code of a class. NULL: the class has none, or memory is out (m->failed). */
const struct tn_template *tn_template_make(struct tn_direct_maker *m, const struct tn_plan *plan,
					   const struct tn_class_words *words);

#endif
