/*
 * columns.h - the columns of field values in CSV
 *
 * A column has the name that a filter uses for the value, such as "event.fields.a.b". Fields with the same name share
 * a column.
 */
#ifndef TN_TEXT_COLUMNS_H
#define TN_TEXT_COLUMNS_H

#include "text/text.h"

/* Scopes of an event in the order of their columns. */
#define TN_COLUMN_SCOPES 4
extern const enum tn_scope tn_column_scopes[TN_COLUMN_SCOPES];

/* Columns before the fields: time, time_ns, cycles, trace, stream.name, packet.number, event.name. */
#define TN_FIRST_COLUMNS 7

/* The columns of the fields of one event class, in the order of the fields. */
struct tn_class_columns {
	const size_t *column;
	size_t begin[TN_COLUMN_SCOPES + 1];	/* start of each scope in `column`; the last item is the number of columns */
	bool rising;		/* each column is after the previous one */
	/* If not `rising`: the indices of `column`, sorted by column. NULL: two fields share a column. */
	const size_t *order;
};

struct tn_columns {
	const char *const *name;
	size_t n;
};

/*
 * Find the members of the common context that are shadowed: the event's own context has a field of the same name.
 * "event.context.NAME" then means the field of the own context, and the member is "stream.event.context.NAME". If
 * neither context is a structure, the whole common context is shadowed, and the first element is set. False: memory
 * is out.
 */
bool tn_columns_shadow(struct tn_text *text, const struct tn_trace *trace, struct tn_trace_words *words);

#define TN_COLUMN_BYTES ((size_t)32 << 20)	/* limit of bytes of the names of all columns */

/*
 * Make text->columns and the columns of each class. False: memory is out, or the names are too long (text->too_wide
 * is then set).
 */
bool tn_columns_make(struct tn_text *text, const struct tn_set *set);

#endif
