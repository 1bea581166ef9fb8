/*
 * data_row.h - events as records: lines of JSON, rows of CSV
 *
 * The general path, which writes values, and the parts of it that the direct path (data_row_make.c, data_row_run.c)
 * uses.
 */
#ifndef TN_TEXT_DATA_ROW_H
#define TN_TEXT_DATA_ROW_H

#include "text/columns.h"
#include "text/direct.h"

/* Append the record of an event, with its newline. If memory is out, out->failed is set. */
enum tn_code
tn_data_row_append_event(const struct tn_text *text, struct tn_line_cache *cache, const struct tn_event *event,
		       struct tn_str *out, struct tn_error *err);

/* Append rows, like tn_line_append_rows(). */
enum tn_code
tn_data_row_append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
		      size_t end, struct tn_str *out, struct tn_error *err);

/* Like tn_direct_make_class(), for records; @makers has TN_DIRECT_MAKERS items. */
void tn_data_row_make_class(struct tn_direct_maker *makers, const struct tn_event_class *ec, struct tn_class_words *words);

/* Append the record of an event whose fields exceed the limit, without its newline. @words replaces the fields. */
void tn_data_row_put_cut(const struct tn_text *text, const struct tn_event *event, const char *words,
		       struct tn_str *out);

/* Make the parts of the record that all events of a class share. */
void tn_data_row_class_words(const struct tn_text *text, const struct tn_event_class *ec, struct tn_str *out);

/*
 * Make the parts that all events of a packet share, for the direct path. False: the direct path cannot handle the
 * packet.
 */
bool tn_data_row_enter(const struct tn_text *text, struct tn_line_cache *cache, struct tn_direct *d,
		     const struct tn_event *packet);

struct text_field;
/* Append a number with its labels as JSON, or only the labels, in the form of a cell. */
void tn_data_row_put_labels(const struct text_field *f, uint64_t v, bool cells, struct tn_str *out);
/* Add quotes to the text from @from on, if needed. A failure sets out->failed. */
void tn_data_row_quote(struct tn_str *out, size_t from);

/* Whether a cell needs no quotes. Empty text needs them, to differ from a missing value. */
bool tn_csv_is_plain(const char *text, size_t n);
char *tn_csv_put_quoted(char *p, const char *text, size_t n);	/* needs space for 2 * @n + 2 bytes */

#endif
