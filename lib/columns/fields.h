/*
 * fields.h - put the values of fields into their columns
 *
 * A load reads a number or a text at a known position into a column. Successive loads are made for each event class. The
 * machine of lib/plan runs the rest: arrays, variants, and fields that do not begin at a byte.
 */
#ifndef TN_COLUMNS_FIELDS_H
#define TN_COLUMNS_FIELDS_H

#include "columns/rows.h"

/* The nodes of a field; sets `how`. */
struct tn_field_nodes *tn_fields_of(struct tn_row_reader *r, const struct tn_field *field);
/* Make the loads of a code. NULL: memory is out. *row_bytes is increased by the size of the numbers in each row. */
const struct tn_load *tn_loads_make(struct tn_row_reader *r, const struct tn_op *code, uint32_t *row_bytes);
/* Put the fields from the machine's position on. False: the bytes do not exist. */
bool tn_loads_run(struct tn_row_reader *r, const struct tn_class_code *code);
/* Put a decoded value and all values inside. */
void tn_fields_put(struct tn_row_reader *r, const struct tn_value *v);

#endif
