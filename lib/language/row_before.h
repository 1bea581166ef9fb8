/* row_before.h - attributes of a row that depend on the rows before it: the part of field.h that walks packets */
#ifndef TN_LANGUAGE_ROW_BEFORE_H
#define TN_LANGUAGE_ROW_BEFORE_H

#include "language/field.h"

/* The time since the previous event of the stream; NONE: there is none. */
enum tn_code tn_row_delta(struct tn_row_state *s, struct tn_cell *out, struct tn_error *err);
/* The number of losses between that event and this row. */
enum tn_code tn_row_lost(struct tn_row_state *s, struct tn_cell *out, struct tn_error *err);

#endif
