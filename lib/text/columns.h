/*
 * columns.h - CSV: the columns of field values
 *
 * Values have the names that filters take, "event.fields.a.b": a column for each name. Fields of the same name
 * share a column.
 */
#ifndef TN_TEXT_COLUMNS_H
#define TN_TEXT_COLUMNS_H

#include "text/text.h"

/* Scopes of an event in the order of their columns. */
#define TN_COLUMN_SCOPES 4
extern const enum tn_scope tn_column_scopes[TN_COLUMN_SCOPES];

/* Columns before the fields: time, time_ns, cycles, trace, stream.name, packet.number, event.name. */
#define TN_FIRST_COLUMNS 7

/* Columns of the fields of one event class, in the order of the fields. */
struct tn_class_columns {
	const size_t *column;
	size_t begin[TN_COLUMN_SCOPES + 1];	/* start of each scope in `column`; the last is the number of columns */
	bool rising;		/* each column is after the previous one */
	/* Not rising: indices of `column` by rising column. NULL: a field does not have a column of its own. */
	const size_t *order;
};

struct tn_columns {
	const char *const *name;
	size_t n;
};

/*
 * Find the members of the common context that are shadowed by fields of the same name in the event's own
 * context: "event.context.NAME" means the latter, and the members are "stream.event.context.NAME". If both
 * contexts are not structures, the common one is shadowed as a whole, which the first element shows. False:
 * memory is out.
 */
bool tn_columns_shadow(struct tn_text *text, const struct tn_trace *trace, struct tn_trace_words *words);

#define TN_COLUMN_BYTES ((size_t)32 << 20)	/* limit for the names of all columns */

/*
 * Make text->columns, and those of each class; false: memory is out, or, with text->too_wide, the names are too
 * long.
 */
bool tn_columns_make(struct tn_text *text, const struct tn_set *set);

#endif
