/*
 * fields.h - the values of fields into their columns
 *
 * A load reads a number or a text at a known place into a column. Loads that follow each other are made for each event class;
 * the machine of lib/plan runs the rest: arrays, variants, and what is not at the start of a byte.
 */
#ifndef TN_COLUMNS_FIELDS_H
#define TN_COLUMNS_FIELDS_H

#include "columns/rows.h"

/* The nodes of a field, with `how`. */
struct tn_field_nodes *tn_fields_of(struct tn_row_reader *r, const struct tn_field *field);
/* NULL: memory is out. The size of the numbers that each row has is added to *row_bytes. */
const struct tn_load *tn_loads_make(struct tn_row_reader *r, const struct tn_op *code, uint32_t *row_bytes);
/* Put the fields from the machine's position on. False: the bytes are not there. */
bool tn_loads_run(struct tn_row_reader *r, const struct tn_class_code *code);
/* Put a value that was read, with all that is in it. */
void tn_fields_put(struct tn_row_reader *r, const struct tn_value *v);

#endif
