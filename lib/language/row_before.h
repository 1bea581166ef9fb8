/* row_before.h - attributes of a row that depend on the rows before it; for field.h, which does not walk packets */
#ifndef TN_LANGUAGE_ROW_BEFORE_H
#define TN_LANGUAGE_ROW_BEFORE_H

#include "language/field.h"

/* Get the time since the previous event of the stream. NONE: there is none. */
enum tn_code tn_row_delta(struct tn_row_state *s, struct tn_cell *out, struct tn_error *err);
/* Get the number of losses between the previous event and this row. */
enum tn_code tn_row_lost(struct tn_row_state *s, struct tn_cell *out, struct tn_error *err);

#endif
