/*
 * template.h - the line of a class of simple fields: the text between its values, and how each value is loaded
 *
 * What the machine's code says step by step (direct.h) is said here by value: the text that stands before it, joined
 * with what ends the value before, its place, its mask. Where a class has something else (an array, a variant), its
 * template hands on to the machine there. A row that is unusual in any way (no room, no end, a cut line) takes the
 * machine's way from the start, which is the same line.
 */
#ifndef TN_TEXT_TEMPLATE_H
#define TN_TEXT_TEMPLATE_H

#include "text/direct.h"
#include "text/direct_field.h"

enum tn_template_code {
	TN_TEMPLATE_DECIMAL, TN_TEMPLATE_SIGNED, TN_TEMPLATE_HEX, TN_TEMPLATE_ENUM, TN_TEMPLATE_FLOAT,
	TN_TEMPLATE_RARE,	/* what put_rare() writes, its tail included */
	TN_TEMPLATE_LOAD,	/* a hidden number: for SAVE */
	TN_TEMPLATE_NUMBERS = TN_TEMPLATE_LOAD,	/* up to here: one number, `byte` bytes behind the last CHECK or string */
	TN_TEMPLATE_END,
	TN_TEMPLATE_SAVE,	/* the last number, to slot `align` */
	TN_TEMPLATE_TEXT,	/* `byte` bytes after the last CHECK: `mask` bytes, up to a zero byte */
	/* `byte` bytes on: */
	TN_TEMPLATE_STRING,	/* up to a zero byte */
	TN_TEMPLATE_PASS,	/* a hidden one */
	TN_TEMPLATE_LOCATED,	/* what the word there describes (`bits`: enum tn_located, `align`: flags) in the record */
	TN_TEMPLATE_ARRAY,	/* elements of one fixed number each, `array` */
	TN_TEMPLATE_CHECK,	/* aligned to `align` bytes, `mask` bytes must be there */
	TN_TEMPLATE_RUN		/* the machine runs the rest */
};

struct tn_template_op {
	uint8_t code;		/* enum tn_template_code */
	bool big_endian;
	uint8_t shift, bits;	/* of a number: below it, its own */
	uint32_t byte;
	uint32_t align;		/* ARRAY: where the number lies in its element */
	uint32_t lead_n;
	const char *lead;	/* what stands before the value, the tail of the one before included; slack behind it */
	uint64_t mask, sign;	/* sign: the bit of weight; 0 for unsigned ones */
	union {
		const struct text_field *field;
		const struct tn_op *run;
		const struct tn_template_array *array;
	};
	size_t need;		/* room for the rest of the line up to the next value of no fixed size */
};

struct tn_template_array {
	bool counted, names;	/* the count is in a slot; elements have "[i] = " */
	uint64_t count, stride, size;	/* the count, or its slot; bytes */
	struct tn_words lead, tail;	/* of the element, behind its number */
	size_t need;		/* room for one element */
	enum tn_template_code how;	/* TN_TEMPLATE_DECIMAL, ..._SIGNED or ..._HEX */
};

struct tn_template {
	size_t need;		/* room up to the first value of no fixed size */
	uint64_t check;		/* so many bytes must be there first */
	struct tn_template_op op[];
};

/*
 * What was written for events of a class between stamp and fields: the same as long as packet and common context are.
 * Zeroed: nothing.
 */
#define TN_PREFIXES 64
#define TN_PREFIX_TEXT 256

struct tn_prefix {
	const struct tn_class_words *words;	/* NULL: nothing here */
	uint32_t n_text;
	uint8_t bytes[TN_REPEAT_BYTES];		/* of the common context, words->repeat_bytes of them */
	char text[TN_PREFIX_TEXT + 32];
};

struct tn_direct_maker;

/* The template of, words->code of a class; NULL: it has none, or memory is out (m->failed). */
const struct tn_template *tn_template_make(struct tn_direct_maker *m, const struct tn_plan *plan,
					   const struct tn_class_words *words);

#endif
