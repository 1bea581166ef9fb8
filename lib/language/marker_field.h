/* marker_field.h - parts of markers as values, for field.h */
#ifndef TN_LANGUAGE_MARKER_FIELD_H
#define TN_LANGUAGE_MARKER_FIELD_H

#include "language/field.h"

/* Make the place of a part from the place of the text. NULL: memory is out. */
struct tn_place *tn_marker_place(struct tn_reference *reference, struct tn_place *text);
/* Get the part of the marker in @text. NONE: the text is not a marker, or does not have the part. */
void tn_marker_part(enum tn_attribute_id part, const struct tn_cell *text, struct tn_cell *out);

#endif
