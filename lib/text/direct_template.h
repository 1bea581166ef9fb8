/*
 * direct_template.h - the line of a class of simple fields: the text between its values, and how to load each value
 *
 * The machine's code (direct.h) works step by step; a template works by value: the text before the value,
 * joined with the end of the value before, its place, its mask. If a class has another kind of field (an array,
 * a variant), its template hands over to the machine there. An unusual row (not enough space, no end, a cut
 * line) takes the machine's path from the start, with the same result.
 */
#ifndef TN_TEXT_DIRECT_TEMPLATE_H
#define TN_TEXT_DIRECT_TEMPLATE_H

#include "text/direct.h"
#include "text/direct_field.h"

enum tn_template_code {
	TN_TEMPLATE_DECIMAL, TN_TEMPLATE_SIGNED, TN_TEMPLATE_HEX, TN_TEMPLATE_ENUM, TN_TEMPLATE_FLOAT,
	TN_TEMPLATE_RARE,	/* written by put_rare(), with its tail */
	TN_TEMPLATE_LOAD,	/* a hidden number: for SAVE */
	/* Up to here: one number, `byte` bytes after the last CHECK or string. */
	TN_TEMPLATE_NUMBERS = TN_TEMPLATE_LOAD,
	TN_TEMPLATE_END,
	TN_TEMPLATE_SAVE,	/* the last number, to slot `align` */
	TN_TEMPLATE_TEXT,	/* `byte` bytes after the last CHECK: `mask` bytes, up to a zero byte */
	TN_TEMPLATE_LOOKUP,	/* there: the number of 32 bits of a text in `lookup` */
	/* `byte` bytes further: */
	TN_TEMPLATE_STRING,	/* up to a zero byte */
	TN_TEMPLATE_PASS,	/* a hidden one */
	/* The data that the word there describes (`bits`: enum tn_located, `align`: flags) in the record. */
	TN_TEMPLATE_LOCATED,
	TN_TEMPLATE_ARRAY,	/* elements of one fixed number each, `array` */
	TN_TEMPLATE_RECORD,	/* the record begins */
	TN_TEMPLATE_CHECK,	/* aligned to `align` bytes, `mask` bytes must be present */
	TN_TEMPLATE_RUN		/* the machine runs the rest */
};

struct tn_template_op {
	uint8_t code;		/* enum tn_template_code */
	bool big_endian;
	uint8_t shift, bits;	/* a number: bits below it, its own bits */
	uint32_t byte;
	uint32_t align;		/* ARRAY: offset of the number in its element */
	uint32_t lead_n;
	const char *lead;	/* the text before the value, with the tail of the previous value; slack after it */
	uint64_t mask, sign;	/* sign: the bit of weight; 0 for unsigned ones */
	union {
		const struct text_field *field;
		const struct tn_op *run;
		const struct tn_template_array *array;
		const struct tn_lookup *lookup;
	};
	size_t need;		/* space for the rest of the line up to the next value of variable size */
};

struct tn_template_array {
	bool counted, names;	/* the count is in a slot; elements have "[i] = " */
	uint64_t count, stride, size;	/* the count, or its slot; bytes */
	struct tn_words lead, tail;	/* text before the element, after its number */
	size_t need;		/* space for one element */
	enum tn_template_code how;	/* TN_TEMPLATE_DECIMAL, ..._SIGNED or ..._HEX */
};

struct tn_template {
	size_t need;		/* space up to the first value of variable size */
	uint64_t check;		/* bytes that must be present first */
	struct tn_template_op op[];
};

/*
 * The text of recent events of a class between stamp and fields: it stays the same as long as packet and common
 * context do. Zeroed: empty.
 */
#define TN_PREFIXES 64
#define TN_PREFIX_TEXT 256

struct tn_prefix {
	const struct tn_class_words *words;	/* NULL: unused */
	uint32_t n_text;
	uint8_t bytes[TN_REPEAT_BYTES];		/* bytes of the common context, words->repeat_bytes of them */
	char text[TN_PREFIX_TEXT + 32];
};

struct tn_direct_maker;

/* The template for words->code of a class; NULL: none, or memory is out (m->failed). */
const struct tn_template *tn_template_make(struct tn_direct_maker *m, const struct tn_plan *plan,
					   const struct tn_class_words *words);

#endif
