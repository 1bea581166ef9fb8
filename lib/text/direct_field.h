/* direct_field.h - the text around the value of a field, for the direct path */
#ifndef TN_TEXT_DIRECT_FIELD_H
#define TN_TEXT_DIRECT_FIELD_H

#include "text/text.h"

enum text_how {
	HOW_HIDDEN,	/* nothing is written */
	HOW_DECIMAL,
	HOW_SIGNED,
	HOW_HEX,	/* the digits follow from the number of bits */
	HOW_INTEGER,	/* other bases and sizes: tn_put_integer() */
	HOW_ENUM,
	HOW_BOOL,
	HOW_BITMAP,
	HOW_WIDE,
	HOW_FLOAT,
	HOW_STRING,
	HOW_BLOB,
	HOW_OBJECT,	/* CSV: a structure in one cell, as JSON */
	HOW_STRUCT,	/* a structure with nothing to show inside; the members of other structures write themselves */
	HOW_ARRAY,
	HOW_VARIANT,
	HOW_OPTIONAL
};

/* CSV: the end of a cell. */
enum text_cell {
	CELL_NONE = 0,
	CELL_QUOTED = 1,	/* the cell may need quotes */
	CELL_PLACED = 2,	/* the cell's place is noted, as its column is elsewhere: cell number `number` */
	CELL_LABELS = 4		/* there are two cells: a number, labels */
};

/* The field is the first member: op->field of a copied instruction points to it. */
struct text_field {
	struct tn_field field;
	/*
	 * The text before the value: ", name = ", the braces of the structures that begin with it, the opening
	 * of its kind. And the text after it: the closing of its kind, the braces of the structures that end
	 * with it. Slack after both.
	 */
	struct tn_words lead, tail;
	size_t need;		/* space for both, a number and the slack */
	uint8_t how;		/* enum text_how */
	uint8_t cell;		/* CSV: enum text_cell */
	bool element;		/* the field begins an element of an array: "[i] = " comes first */
	bool names;
	uint32_t number;	/* CELL_PLACED */
	struct tn_words between;	/* CELL_LABELS: the commas */
	uint64_t n_dense;	/* enumerations: */
	struct tn_words *dense;	/* text after the lead, for values below n_dense */
};

void
tn_direct_put_enum(const struct tn_text *text, const struct text_field *f, uint64_t v, struct tn_str *out);

#endif
