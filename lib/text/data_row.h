/*
 * record.h - events as records: lines of JSON, rows of CSV
 *
 * The general path, from values; and what the direct one (data_row_make.c, data_row_run.c) takes from it.
 */
#ifndef TN_TEXT_DATA_ROW_H
#define TN_TEXT_DATA_ROW_H

#include "text/columns.h"
#include "text/direct.h"

/* Append the record of an event, with its newline. Out of memory is in out->failed, too. */
enum tn_code
tn_data_row_append_event(const struct tn_text *text, struct tn_line_cache *cache, const struct tn_event *event,
		       struct tn_str *out, struct tn_error *err);

/* Rows like tn_line_append_rows(). */
enum tn_code
tn_data_row_append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
		      size_t end, struct tn_str *out, struct tn_error *err);

/* tn_direct_make_class() of records; @makers: TN_DIRECT_MAKERS of them. */
void tn_data_row_make_class(struct tn_direct_maker *makers, const struct tn_event_class *ec, struct tn_class_words *words);

/* The record of an event whose fields would take too much, without its newline: @words say so in their place. */
void tn_data_row_put_cut(const struct tn_text *text, const struct tn_event *event, const char *words,
		       struct tn_str *out);

/* What all events of a class have in common. */
void tn_data_row_class_words(const struct tn_text *text, const struct tn_event_class *ec, struct tn_str *out);

/* What the direct path writes of a packet for all its events; false: it cannot be had. */
bool tn_data_row_enter(const struct tn_text *text, struct tn_line_cache *cache, struct tn_direct *d,
		     const struct tn_event *packet);

struct text_field;
/* A number with its labels as JSON; or the labels alone as a cell has them. */
void tn_data_row_put_labels(const struct text_field *f, uint64_t v, bool cells, struct tn_str *out);
/* Put what stands behind @from into quotes, if it needs them. Failure is in out->failed. */
void tn_data_row_quote(struct tn_str *out, size_t from);

/* Whether a cell needs no quotes: empty text is told from no value. */
bool tn_csv_is_plain(const char *text, size_t n);
char *tn_csv_put_quoted(char *p, const char *text, size_t n);	/* needs 2 * @n + 2 bytes */

#endif
