/* marker_field.h - parts of markers as values: the part of field.h that knows their texts */
#ifndef TN_LANGUAGE_MARKER_FIELD_H
#define TN_LANGUAGE_MARKER_FIELD_H

#include "language/field.h"

/* The place of a part, for that of the text; NULL: memory is out. */
struct tn_place *tn_marker_place(struct tn_reference *reference, struct tn_place *text);
/* The part of the marker in @text; NONE: the text is not a marker, or does not have the part. */
void tn_marker_part(enum tn_attribute_id part, const struct tn_cell *text, struct tn_cell *out);

#endif
