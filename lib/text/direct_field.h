/*
 * direct_field.h - what the direct path writes for a field
 */
#ifndef TN_TEXT_DIRECT_FIELD_H
#define TN_TEXT_DIRECT_FIELD_H

#include "text/text.h"

enum text_how {
	HOW_HIDDEN,	/* nothing is written */
	HOW_DECIMAL,
	HOW_SIGNED,
	HOW_HEX,	/* as many bits as the value has */
	HOW_INTEGER,	/* other bases and sizes: tn_put_integer() */
	HOW_ENUM,
	HOW_BOOL,
	HOW_BITMAP,
	HOW_WIDE,
	HOW_FLOAT,
	HOW_STRING,
	HOW_BLOB,
	HOW_OBJECT,	/* CSV: a structure that is a cell, in JSON */
	HOW_STRUCT,	/* with nothing to show inside: what has members to show is written by those */
	HOW_ARRAY,
	HOW_VARIANT,
	HOW_OPTIONAL
};

/* What CSV does with a cell that ends. */
enum text_cell {
	CELL_NONE = 0,
	CELL_QUOTED = 1,	/* it may need quotes */
	CELL_PLACED = 2,	/* where it lies is noted, for it belongs elsewhere: cell number `number` */
	CELL_LABELS = 4		/* it is two cells: a number, labels */
};

/* The field comes first: op->field of a copied instruction points to it. */
struct text_field {
	struct tn_field field;
	/*
	 * What is written before the value: ", name = ", the braces of the structures that begin with it,
	 * what its kind begins with. And behind it: what its kind ends with, the braces of the structures
	 * that end with it. Slack behind both.
	 */
	struct tn_words lead, tail;
	size_t need;		/* room for both, a number and the slack */
	uint8_t how;		/* enum text_how */
	uint8_t cell;		/* CSV: enum text_cell */
	bool element;		/* it begins an element of an array: "[i] = " comes first */
	bool names;
	uint32_t number;	/* CELL_PLACED */
	struct tn_words between;	/* CELL_LABELS: the commas */
	uint64_t n_dense;	/* enumerations: */
	struct tn_words *dense;	/* text behind the lead, of values below n_dense */
};

void
tn_direct_put_enum(const struct tn_text *text, const struct text_field *f, uint64_t v, struct tn_str *out);

#endif
