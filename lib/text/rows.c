/* rows.c - rows of a batch in the format of the options */
#include "text/data_row.h"

enum tn_code
tn_line_append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
		    size_t end, struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err)
{
	if (__builtin_expect(text->options.format != TN_LINE_TEXT, 0))
		return tn_data_row_append_rows(text, state, batch, row, end, out, err);
	return tn_direct_append_rows(text, state, batch, row, end, previous, out, err);
}

size_t
tn_line_append_runs(const struct tn_text *text, struct tn_line_state *state, const struct tn_rows *rows, size_t stride,
		    size_t n, size_t *row, struct tn_line_previous *previous, struct tn_str *out)
{
	if (text->options.format != TN_LINE_TEXT)
		return 0;
	return tn_direct_append_runs(text, state, rows, stride, n, row, previous, out);
}

enum tn_code
tn_line_append(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t row,
	       struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err)
{
	return tn_line_append_rows(text, state, batch, &row, row + 1, previous, out, err);
}
