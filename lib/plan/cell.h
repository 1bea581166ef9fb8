/*
 * cell.h - the value of one field or attribute, without the event around it
 *
 * Questions compare, group and join cells. Bytes of strings are borrowed, from the packet or from memory of the
 * code that made the cell.
 */
#ifndef TN_PLAN_CELL_H
#define TN_PLAN_CELL_H

#include <stddef.h>
#include <stdint.h>

#include "model/type.h"

enum tn_cell_kind {
	TN_CELL_NONE,		/* no such value here */
	TN_CELL_UNSIGNED,	/* u; for a boolean (type->kind): 0 or not 0 */
	TN_CELL_SIGNED,		/* i */
	TN_CELL_DOUBLE,		/* f */
	TN_CELL_TEXT,		/* text[0, n): a string (UTF-16 and UTF-32 converted to UTF-8) or BLOB, without a NUL */
	/* A value that cannot be compared: a structure, an array of u elements, a number over 64 bits. */
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
	const struct tn_type *type;	/* type of the field: its labels are type->mapping; NULL for attributes */
};

#endif
