/* cursor.h - the position of a cursor, for parts of the library that need more than tnav/cursor.h */
#ifndef TN_ORDER_CURSOR_H
#define TN_ORDER_CURSOR_H

#include <tnav/cursor.h>

#include "model/decoder.h"

/* The batch and the row at the cursor, valid until the cursor's next call; NULL: the cursor was never placed. */
const struct tn_batch *tn_cursor_batch(const struct tn_cursor *cur, size_t *row);

/* Describe a row of a batch. */
void tn_row_of(const struct tn_batch *batch, size_t row, struct tn_row *out);
struct tn_location tn_location_of(const struct tn_batch *batch, size_t row);

/*
 * The time of the last event with a clock before the row at the cursor; the delta in the row's line counts from it. The
 * cursor does not move.
 */
enum tn_code tn_cursor_event_before(struct tn_cursor *cur, int64_t *time_ns, uint64_t *cycles, struct tn_error *err);

#endif
