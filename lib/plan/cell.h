/*
 * cell.h - the value of one field or attribute, without the event around it
 *
 * Questions compare, group and join cells. The bytes of strings are borrowed, from the packet or from memory of the code
 * that made the cell.
 */
#ifndef TN_PLAN_CELL_H
#define TN_PLAN_CELL_H

#include <stddef.h>
#include <stdint.h>

#include "model/type.h"

enum tn_cell_kind {
	TN_CELL_NONE,		/* the value is absent */
	TN_CELL_UNSIGNED,	/* in `u`; a boolean (type->kind) is true if it is not 0 */
	TN_CELL_SIGNED,		/* in `i` */
	TN_CELL_DOUBLE,		/* in `f` */
	TN_CELL_TEXT,		/* text[0, n): a BLOB, or a string (UTF-16 and UTF-32 converted to UTF-8), without a NUL */
	/* A value that cannot be compared: a structure, an array of `u` elements, a number of more than 64 bits. */
	TN_CELL_OPAQUE
};

struct tn_cell {
	enum tn_cell_kind kind;
	union {
		uint64_t u;
		int64_t i;
		double f;
		const char *text;
	};
	size_t n;
	const struct tn_type *type;	/* type of the field, whose labels are type->mapping; NULL for attributes */
};

#endif
