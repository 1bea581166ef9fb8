/*
 * tnav/table.h - the form in which answers are written: typed columns, rows of values
 *
 * A table has columns. A row has one value for each column. The table writes a row as text, as CSV
 * (RFC 4180) or as a line of JSON. It does not store rows. To align columns of text, let the table measure all rows
 * before you write them.
 *
 * Units      Times are nanoseconds since 1970, durations are nanoseconds.
 * Ownership  The table copies names. It borrows the struct tn_text of its options.
 * Errors     If memory is out, `failed` of the struct tn_str is set.
 * States     Call tn_table_new(), tn_table_add_column() for each column, tn_table_measure() for some rows or none,
 *            then write heading and rows. After the first measured or written row, do not add columns.
 * Source     RFC 4180 (CSV), RFC 8259 (JSON).
 */
#ifndef TNAV_TABLE_H
#define TNAV_TABLE_H

#include <tnav/answer.h>
#include <tnav/text.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tn_table_form { TN_TABLE_TEXT, TN_TABLE_CSV, TN_TABLE_JSON };

enum {
	TN_COLUMN_RIGHT = 1,	/* text: aligned right */
	TN_COLUMN_NAMED = 2,	/* text: "  NAME=VALUE" after the other columns, omitted if there is no value */
	TN_COLUMN_OPTIONAL = 4,	/* JSON: omitted if there is no value; other columns are then null */
	TN_COLUMN_NO_TEXT = 8,	/* the column is not in text */
	TN_COLUMN_NO_CSV = 16,
	TN_COLUMN_NO_JSON = 32,
	TN_COLUMN_BOOL = 64,	/* CSV and JSON: 0 is false, any other number is true */
	TN_COLUMN_BRIEF = 128,	/* text: a longer value is cut at TN_TABLE_BRIEF bytes, and "..." is added */
	TN_COLUMN_BRIEF_LABELS = 256,	/* text: as above, for labels of numbers only */
	TN_COLUMN_SHORT = 512,	/* text: durations have three digits, fractions have six */
	TN_COLUMN_OBJECT = 1024	/* JSON: if this column has no value, its object is null */
};

#define TN_TABLE_BRIEF 240
#define TN_TABLE_BESIDE 40	/* words after a value are cut at this number of bytes, and "..." is added */

struct tn_table_column {
	const char *name;	/* name of the column in CSV and JSON */
	const char *heading;	/* heading of the column in text; NULL: the name */
	const char *object;	/* JSON: the object that contains the member; CSV: "OBJECT.NAME"; or NULL */
	enum tn_group_unit unit;
	unsigned flags;		/* TN_COLUMN_... */
	int width;		/* text: minimum width in columns of the terminal */
};

struct tn_table;

struct tn_table_options {
	const struct tn_text *text;	/* writes times; NULL: times are numbers */
	/* Returns the columns that a text needs on a terminal; NULL: one column for each byte. */
	int (*width)(const char *text, size_t n);
	int most_width;		/* the largest width that measuring sets; 0: 60 */
	const char *none;	/* the text for "no value", borrowed; NULL: "-" */
	/*
	 * Text: returns words to write after a value, such as the name of a thread, or NULL. The function can
	 * be NULL.
	 */
	const char *(*beside)(void *user, const struct tn_table *table, size_t column, const struct tn_answer_value *value);
	void *user;
};

/* Make a table without columns. @options is copied. */
TN_API TN_MUST_CHECK enum tn_code
tn_table_new(struct tn_table **out, const struct tn_table_options *options, struct tn_error *err);
TN_API void tn_table_free(struct tn_table *table);	/* NULL is allowed */

/* Add a column after the others. */
TN_API TN_MUST_CHECK enum tn_code
tn_table_add_column(struct tn_table *table, const struct tn_table_column *column, struct tn_error *err);
TN_API size_t tn_table_column_count(const struct tn_table *table);	/* 0 for NULL */
/* Name of a column; NULL: no such column. */
TN_API const char *tn_table_column_name(const struct tn_table *table, size_t column);
/* A column as it was added, borrowed from the table; NULL: no such column. */
TN_API const struct tn_table_column *tn_table_column(const struct tn_table *table, size_t column);
/* The first column of this name; SIZE_MAX: no such column. */
TN_API size_t tn_table_find(const struct tn_table *table, const char *name);
/* The name of two columns that would be the same member of a JSON object; NULL: no such columns. */
TN_API const char *tn_table_twice(const struct tn_table *table);

/* Make columns of text wide enough for these values. tn_table_heading() does this for the headings. */
TN_API void tn_table_measure(struct tn_table *table, const struct tn_answer_value *values);

/* Append the heading with its line feed; nothing for JSON. */
TN_API void tn_table_heading(struct tn_table *table, enum tn_table_form form, struct tn_str *out);
/* Append a row with its line feed. @values contains one value for each column. */
TN_API void tn_table_row(struct tn_table *table, enum tn_table_form form, const struct tn_answer_value *values,
			 struct tn_str *out);
/* Append one value as in text, not aligned. Pass it through tn_text_safe() for a terminal. */
TN_API void tn_table_value(const struct tn_table *table, size_t column, const struct tn_answer_value *value,
			   struct tn_str *out);
/*
 * Append a cell of text, not aligned but safe for a terminal, and make its column wide enough. This is for
 * programs that draw rows themselves. @value NULL: append the heading, without a change of the width.
 */
TN_API void tn_table_cell(struct tn_table *table, size_t column, const struct tn_answer_value *value, struct tn_str *out);
/* Width of a column of text for the values measured until now; 0: no such column. */
TN_API int tn_table_width(const struct tn_table *table, size_t column);
/* Whether a row was cut (TN_COLUMN_BRIEF). */
TN_API bool tn_table_is_cut(const struct tn_table *table);

/* ---- parts of rows ---- */

/* Append "1.234 ms": three decimals of the largest unit that fits. */
TN_API void tn_table_duration(double ns, struct tn_str *out);
/* Append "12.3 /s". */
TN_API void tn_table_rate(double per_second, struct tn_str *out);
/* Append one cell of CSV: quoted where needed, invalid UTF-8 replaced by U+FFFD. */
TN_API void tn_table_csv(const char *text, size_t n, struct tn_str *out);

/* Append a value as a cell of CSV: numbers in decimal, an empty cell for no value. */
TN_API void tn_table_csv_value(const struct tn_answer_value *value, struct tn_str *out);

/* Make a value of a table row from a text; NULL: no value. @text is borrowed. */
static inline struct tn_answer_value
tn_answer_text(const char *text)
{
	struct tn_answer_value v = { TN_ANSWER_NONE, { 0 }, NULL, 0, NULL };

	if (text) {
		v.kind = TN_ANSWER_TEXT;
		v.text = text;
		while (text[v.n])
			v.n++;
	}
	return v;
}

static inline struct tn_answer_value
tn_answer_number(bool some, int64_t number)
{
	struct tn_answer_value v = { TN_ANSWER_NONE, { 0 }, NULL, 0, NULL };

	if (some) {
		v.kind = number < 0 ? TN_ANSWER_SINT : TN_ANSWER_UINT;
		v.is.i = number;
	}
	return v;
}

#ifdef __cplusplus
}
#endif
#endif
