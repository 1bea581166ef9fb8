/* direct_field.h - the text around the value of a field, for the direct path */
#ifndef TN_TEXT_DIRECT_FIELD_H
#define TN_TEXT_DIRECT_FIELD_H

#include "text/text.h"

enum text_how {
	HOW_HIDDEN,	/* nothing is written */
	HOW_DECIMAL,
	HOW_SIGNED,
	HOW_HEX,	/* only if the number of bits is a multiple of 4 */
	HOW_INTEGER,	/* for other bases and sizes: tn_put_integer() */
	HOW_ENUM,
	HOW_BOOL,
	HOW_BITMAP,
	HOW_WIDE,
	HOW_FLOAT,
	HOW_STRING,
	HOW_BLOB,
	HOW_OBJECT,	/* CSV: a structure that is one cell, as JSON */
	HOW_STRUCT,	/* a structure that shows nothing inside; in other structures, the members write the text */
	HOW_ARRAY,
	HOW_VARIANT,
	HOW_OPTIONAL
};

/* CSV: the end of a cell. */
enum text_cell {
	CELL_NONE = 0,
	CELL_QUOTED = 1,	/* the cell may need quotes */
	CELL_PLACED = 2,	/* the place of the cell is noted, because its column is elsewhere; `number` is the cell's number */
	CELL_LABELS = 4		/* there are two cells: a number, and its labels */
};

/* A field with its text. `field` is the first member, because op->field of a copied instruction points to it. */
struct text_field {
	struct tn_field field;
	/*
	 * Text before the value: ", name = ", the braces of structures that begin with the value, the opening of its
	 * kind. Text after the value: the closing of its kind, and the braces of structures that end with it. Slack
	 * follows both.
	 */
	struct tn_words lead, tail;
	size_t need;		/* space for both texts, a number and the slack */
	uint8_t how;		/* enum text_how */
	uint8_t cell;		/* CSV: enum text_cell */
	bool element;		/* the field begins an element of an array: "[i] = " comes first */
	bool names;
	uint32_t number;	/* with CELL_PLACED: number of the cell */
	struct tn_words between;	/* with CELL_LABELS: the commas between the cells */
	uint64_t n_dense;	/* enumeration: number of values in `dense` */
	struct tn_words *dense;	/* enumeration: the text after `lead` for each value less than n_dense */
};

void
tn_direct_put_enum(const struct tn_text *text, const struct text_field *f, uint64_t v, struct tn_str *out);

#endif
