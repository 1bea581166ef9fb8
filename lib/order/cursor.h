/*
 * cursor.h - what a cursor stands on, for the parts of the library that need more than tnav/cursor.h
 */
#ifndef TN_ORDER_CURSOR_H
#define TN_ORDER_CURSOR_H

#include <tnav/cursor.h>

#include "model/decoder.h"

/* The batch and the row in it that the cursor is on, until its next call; NULL when it was never placed. */
const struct tn_batch *tn_cursor_batch(const struct tn_cursor *cur, size_t *row);

/* What is known of a row of a batch. */
void tn_row_of(const struct tn_batch *batch, size_t row, struct tn_row *out);
struct tn_location tn_location_of(const struct tn_batch *batch, size_t row);

/* The event with a clock before the row the cursor is on, which stays; what its line's delta counts from. */
enum tn_code tn_cursor_event_before(struct tn_cursor *cur, int64_t *time_ns, uint64_t *cycles, struct tn_error *err);

#endif
