/*
 * rows.h - every row of a trace as a line of text, straight from a format: no index, no merge, no text room
 *
 *	[time] name: { context }, { payload }
 *	[time] damage: text
 */
#ifndef TEST_ROWS_H
#define TEST_ROWS_H

#include "base/str.h"
#include "model/decoder.h"

struct rows {
	struct tn_trace trace;
	struct tn_open_options options;
	struct tn_str problems;	/* "warning: text\n" ... */
	struct tn_str text;	/* of all streams, one after the other */
	struct tn_error err;
	enum tn_code rc;	/* of open */
	size_t n_events;
	bool keys_fall;		/* a merge key was less than the one before */
	unsigned limit;		/* rows a walk, 0: as many as it can */
};

/* Open @path and take all rows; failures after the opening are assertions. */
void rows_read(struct rows *r, const struct tn_format *format, const char *path);
void rows_release(struct rows *r);

/* Append a value as the text line shows it. */
void rows_value(struct tn_str *out, const struct tn_value *v);

#endif
