/*
 * columns.h - CSV: which column the value of which field goes to
 *
 * Values have the names that filters take, "event.fields.a.b": a column for each name. Fields of the same name
 * share one.
 */
#ifndef TN_TEXT_COLUMNS_H
#define TN_TEXT_COLUMNS_H

#include "text/text.h"

/* Scopes of an event in the order of their columns. */
#define TN_COLUMN_SCOPES 4
extern const enum tn_scope tn_column_scopes[TN_COLUMN_SCOPES];

/* In front of the fields: time, time_ns, cycles, trace, stream.name, packet.number, event.name. */
#define TN_FIRST_COLUMNS 7

/* Columns of the fields of one event class, in the order in which they are met. */
struct tn_class_columns {
	const size_t *column;
	size_t begin[TN_COLUMN_SCOPES + 1];	/* of each scope, in `column`; the last one is their number */
	bool rising;		/* each lies behind the one before */
	const size_t *order;	/* not rising: indices of `column` by rising column. NULL: some field has no column of its own */
};

struct tn_columns {
	const char *const *name;
	size_t n;
};

/*
 * Find the members of the common context whose names fields of the event's own context have, which "event.context.NAME"
 * means then: they are "stream.event.context.NAME". Of two contexts that are no structures the common one is, as a whole:
 * the first element says so. False when memory is out.
 */
bool tn_columns_shadow(struct tn_text *text, const struct tn_trace *trace, struct tn_trace_words *words);

#define TN_COLUMN_BYTES ((size_t)32 << 20)	/* that the names of all columns may have */

/* Make text->columns, and those of each class; false when memory is out, or text->too_wide says that the names are too long. */
bool tn_columns_make(struct tn_text *text, const struct tn_set *set);

#endif
