/* rows.h - the values of an event as a row of a Parquet file */
#ifndef TN_COLUMNS_ROWS_H
#define TN_COLUMNS_ROWS_H

#include "columns/schema.h"

struct tn_event_rows {
	struct tn_parquet file;
	struct tn_schema schema;
	struct tn_str scratch;
};

/* Put the values; tn_parquet_end_row() ends the row. */
void tn_event_rows_put(struct tn_event_rows *rows, const struct tn_event *e);
void tn_event_rows_release(struct tn_event_rows *rows);

#endif
