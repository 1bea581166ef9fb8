/* table.c - write rows of values as text, CSV and lines of JSON */
#include <tnav/table.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistr.h>

#include "base/array.h"
#include "base/error.h"
#include "base/str.h"

#define MOST_WIDTH 60

struct column {
	struct tn_table_column as;	/* a copy, whose texts are owned */
	int width;
};

struct tn_table {
	struct tn_table_options options;
	TN_ARRAY(struct column) column;
	size_t last;		/* width of the aligned columns in text */
	bool is_cut;
};

static int
width_of(const struct tn_table *t, const struct tn_str *text)
{
	return !text->n ? 0 : t->options.width ? t->options.width(text->text, text->n) : (int)text->n;
}

enum tn_code
tn_table_new(struct tn_table **out, const struct tn_table_options *options, struct tn_error *err)
{
	struct tn_table *t;

	if (!out || !options)
		return tn_fail_null(err);
	t = calloc(1, sizeof *t);
	if (!t)
		return tn_fail_memory(err);
	t->options = *options;
	t->options.most_width = options->most_width > 0 ? options->most_width : MOST_WIDTH;
	t->options.none = options->none ? options->none : "-";
	*out = t;
	return TN_OK;
}

static void
release(struct column *c)
{
	free((char *)c->as.name);
	free((char *)c->as.heading);
	free((char *)c->as.object);
}

void
tn_table_free(struct tn_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->column.n; i++)
		release(&t->column.item[i]);
	TN_ARRAY_RELEASE(&t->column);
	free(t);
}

static bool
is_aligned(const struct column *c)
{
	return !(c->as.flags & (TN_COLUMN_NAMED | TN_COLUMN_NO_TEXT));
}

enum tn_code
tn_table_add_column(struct tn_table *t, const struct tn_table_column *column, struct tn_error *err)
{
	struct column c = { .width = column ? column->width : 0 }, *new;

	if (!t || !column || !column->name)
		return tn_fail_null(err);
	c.as = *column;
	c.as.name = strdup(column->name);
	c.as.heading = strdup(column->heading ? column->heading : column->name);
	c.as.object = column->object ? strdup(column->object) : NULL;
	new = c.as.name && c.as.heading && (c.as.object || !column->object) ? TN_ARRAY_ADD(&t->column) : NULL;
	if (!new) {
		release(&c);
		return tn_fail_memory(err);
	}
	*new = c;
	if (is_aligned(&c))
		t->last = t->column.n - 1;
	return TN_OK;
}

size_t
tn_table_column_count(const struct tn_table *t)
{
	return t ? t->column.n : 0;
}

const char *
tn_table_column_name(const struct tn_table *t, size_t column)
{
	return t && column < t->column.n ? t->column.item[column].as.name : NULL;
}

const struct tn_table_column *
tn_table_column(const struct tn_table *t, size_t column)
{
	return t && column < t->column.n ? &t->column.item[column].as : NULL;
}

size_t
tn_table_find(const struct tn_table *t, const char *name)
{
	for (size_t i = 0; t && name && i < t->column.n; i++)
		if (strcmp(t->column.item[i].as.name, name) == 0)
			return i;
	return SIZE_MAX;
}

static bool
is_in(const struct column *c, enum tn_table_form form)
{
	static const unsigned no[] = { TN_COLUMN_NO_TEXT, TN_COLUMN_NO_CSV, TN_COLUMN_NO_JSON };

	return !(c->as.flags & no[form]);
}

static bool
same_object(const struct column *a, const struct column *b)
{
	return a->as.object && b->as.object ? strcmp(a->as.object, b->as.object) == 0 : a->as.object == b->as.object;
}

/* Whether two columns would have the same member name. Each object has its own names. */
static bool
are_twins(const struct column *a, const struct column *b)
{
	if (same_object(a, b))
		return strcmp(a->as.name, b->as.name) == 0;
	return (!a->as.object && strcmp(a->as.name, b->as.object) == 0) ||
	       (!b->as.object && strcmp(b->as.name, a->as.object) == 0);
}

const char *
tn_table_twice(const struct tn_table *t)
{
	for (size_t i = 0; t && i < t->column.n; i++)
		for (size_t k = 0; k < i; k++) {
			const struct column *a = &t->column.item[i], *b = &t->column.item[k];

			if (is_in(a, TN_TABLE_JSON) && is_in(b, TN_TABLE_JSON) && are_twins(a, b))
				return a->as.object ? b->as.name : a->as.name;
		}
	return NULL;
}

/* ---- values ---- */

static void
put_duration(double ns, bool is_short, struct tn_str *out)
{
	static const struct { double ns; const char *unit; } units[] = {
		{ 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" },
	};
	size_t i = 0;
	double n;

	while (i < 3 && fabs(ns) < units[i].ns)
		i++;
	n = ns / units[i].ns;
	tn_str_printf(out, "%.*f %s", i == 3 ? 0 : !is_short ? 3 : fabs(n) >= 99.95 ? 0 : fabs(n) >= 9.995 ? 1 : 2, n,
		      units[i].unit);
}

void
tn_table_duration(double ns, struct tn_str *out)
{
	put_duration(ns, false, out);
}

void
tn_table_rate(double per_second, struct tn_str *out)
{
	int digits = per_second < 10 ? 3 : per_second < 100 ? 2 : per_second < 1000 ? 1 : 0;
	bool is_plain = per_second < 1e15 && (per_second >= 1e-3 || per_second <= 0);

	tn_str_printf(out, is_plain ? "%.*f /s" : "%.*e /s", is_plain ? digits : 3, per_second);
}

static double
number_of(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_FLOAT ? v->is.f : v->kind == TN_ANSWER_SINT ? (double)v->is.i : (double)v->is.u;
}

/* Append a number with at most six decimal places, without trailing zeros. */
static void
put_fraction(const struct tn_answer_value *v, struct tn_str *out)
{
	double x = fabs(v->is.f);
	char text[64];
	int n;

	if (!(x < 1e15) || (x < 1e-3 && x > 0)) {
		tn_answer_value_text(v, out);
		return;
	}
	n = snprintf(text, sizeof text, "%.*f", x < 1 ? 6 : x < 10 ? 5 : x < 100 ? 4 : x < 1000 ? 3 : x < 1e4 ? 2 : x < 1e5 ? 1 : 0,
		     v->is.f);
	while (strchr(text, '.') && (text[n - 1] == '0' || text[n - 1] == '.'))
		text[--n] = '\0';
	tn_str_puts(out, text);
}

void
tn_table_value(const struct tn_table *t, size_t column, const struct tn_answer_value *v, struct tn_str *out)
{
	enum tn_group_unit unit;
	bool is_short;

	if (!t || !v || !out || column >= t->column.n)
		return;
	is_short = t->column.item[column].as.flags & TN_COLUMN_SHORT;
	unit = v->kind == TN_ANSWER_TEXT ? TN_GROUP_NUMBER : t->column.item[column].as.unit;
	if (v->kind == TN_ANSWER_NONE)
		tn_str_puts(out, t->options.none);
	else if (unit == TN_GROUP_TIME && v->kind != TN_ANSWER_FLOAT && t->options.text)
		tn_text_time(t->options.text, v->is.i, out);
	else if (unit == TN_GROUP_DURATION)
		put_duration(number_of(v), is_short, out);
	else if (unit == TN_GROUP_RATE)
		tn_table_rate(number_of(v), out);
	else if (is_short && v->kind == TN_ANSWER_FLOAT)
		put_fraction(v, out);
	else
		tn_answer_value_text(v, out);
}

/* ---- text ---- */

static bool
is_brief(const struct column *c, const struct tn_answer_value *v)
{
	return c->as.flags & TN_COLUMN_BRIEF || (c->as.flags & TN_COLUMN_BRIEF_LABELS && v->type);
}

static size_t
cut(const char *text, size_t n, size_t most)
{
	if (n <= most)
		return n;
	for (n = most; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
		;
	return n;
}

static void
put_beside(const struct tn_table *t, size_t column, const struct tn_answer_value *v, struct tn_str *out)
{
	bool some = t->options.beside && v->kind != TN_ANSWER_NONE;
	const char *words = some ? t->options.beside(t->options.user, t, column, v) : NULL;
	size_t n = words ? cut(words, strlen(words), TN_TABLE_BESIDE) : 0;

	if (!n)
		return;
	tn_str_puts(out, " ");
	tn_text_safe(words, n, out);
	tn_str_puts(out, words[n] ? "..." : "");
}

/* Write a value for a terminal: of a name or a label, at most TN_TABLE_BRIEF bytes. */
static void
put_safe(struct tn_table *t, const struct column *c, const struct tn_answer_value *v, struct tn_str *out)
{
	struct tn_str text = { 0 };
	size_t n;

	tn_table_value(t, (size_t)(c - t->column.item), v, &text);
	n = is_brief(c, v) && text.n ? cut(text.text, text.n, TN_TABLE_BRIEF) : text.n;
	tn_text_safe(text.text ? text.text : "", n, out);
	if (n < text.n)
		tn_str_puts(out, "...");
	put_beside(t, (size_t)(c - t->column.item), v, out);
	t->is_cut |= n < text.n;
	out->failed |= text.failed;
	tn_str_release(&text);
}

static void
put_blanks(struct tn_str *out, int n)
{
	while (n-- > 0)
		tn_str_add(out, " ", 1);
}

static void
put_aligned(struct tn_table *t, size_t i, const struct tn_str *text, struct tn_str *out)
{
	const struct column *c = &t->column.item[i];
	int blanks = c->width - width_of(t, text);

	put_blanks(out, c->as.flags & TN_COLUMN_RIGHT ? blanks : 0);
	tn_str_add(out, text->text ? text->text : "", text->n);
	if (!(c->as.flags & TN_COLUMN_RIGHT) && i != t->last)
		put_blanks(out, blanks);
}

static void
put_text_row(struct tn_table *t, const struct tn_answer_value *values, struct tn_str *out)
{
	struct tn_str text = { 0 };
	bool first = true;

	for (size_t i = 0; i < t->column.n; i++) {
		const struct column *c = &t->column.item[i];

		if (!is_aligned(c))
			continue;
		text.n = 0;
		if (values)
			put_safe(t, c, &values[i], &text);
		else
			tn_text_safe(c->as.heading, strlen(c->as.heading), &text);
		tn_str_puts(out, first ? "" : "  ");
		put_aligned(t, i, &text, out);
		first = false;
	}
	for (size_t i = 0; values && i < t->column.n; i++) {
		const struct column *c = &t->column.item[i];

		if (is_aligned(c) || !is_in(c, TN_TABLE_TEXT) || values[i].kind == TN_ANSWER_NONE)
			continue;
		tn_str_printf(out, "  %s=", c->as.heading);
		put_safe(t, c, &values[i], out);
	}
	tn_str_puts(out, "\n");
	out->failed |= text.failed;
	tn_str_release(&text);
}

static void
widen(struct tn_table *t, struct column *c, int width)
{
	if (width > t->options.most_width)
		width = t->options.most_width;
	c->width = width > c->width ? width : c->width;
}

void
tn_table_cell(struct tn_table *t, size_t column, const struct tn_answer_value *value, struct tn_str *out)
{
	struct tn_str text = { 0 };
	struct column *c;

	if (!t || !out || column >= t->column.n)
		return;
	c = &t->column.item[column];
	if (value) {
		put_safe(t, c, value, &text);
		widen(t, c, width_of(t, &text));
	} else {
		tn_text_safe(c->as.heading, strlen(c->as.heading), &text);
	}
	tn_str_add(out, text.text ? text.text : "", text.n);
	out->failed |= text.failed;
	tn_str_release(&text);
}

int
tn_table_width(const struct tn_table *t, size_t column)
{
	return t && column < t->column.n ? t->column.item[column].width : 0;
}

void
tn_table_measure(struct tn_table *t, const struct tn_answer_value *values)
{
	struct tn_str text = { 0 };

	for (size_t i = 0; t && values && i < t->column.n; i++) {
		struct column *c = &t->column.item[i];

		if (!is_aligned(c))
			continue;
		text.n = 0;
		put_safe(t, c, &values[i], &text);
		widen(t, c, width_of(t, &text));
	}
	tn_str_release(&text);
}

bool
tn_table_is_cut(const struct tn_table *t)
{
	return t && t->is_cut;
}

/* ---- CSV ---- */

static void
put_cell(struct tn_str *out, const char *text, size_t n)
{
	bool plain = n > 0 && text[0] != ' ' && text[n - 1] != ' ';	/* empty text differs from a missing value */

	for (size_t i = 0; i < n && plain; i++)
		plain = text[i] != ',' && text[i] != '"' && text[i] != '\n' && text[i] != '\r';
	if (plain) {
		tn_str_add(out, text, n);
		return;
	}
	tn_str_add(out, "\"", 1);
	for (size_t i = 0; i < n; i++)
		tn_str_add(out, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
	tn_str_add(out, "\"", 1);
}

void
tn_table_csv(const char *text, size_t n, struct tn_str *out)
{
	struct tn_str valid = { 0 };
	const uint8_t *broken = text && n ? u8_check((const uint8_t *)text, n) : NULL;

	if (!out)
		return;
	if (!broken) {
		put_cell(out, text, text ? n : 0);
		return;
	}
	for (size_t whole; n > 0; text += whole + 1, n -= whole + 1) {
		broken = u8_check((const uint8_t *)text, n);
		whole = broken ? (size_t)(broken - (const uint8_t *)text) : n;
		tn_str_add(&valid, text, whole);
		if (!broken)
			break;
		tn_str_puts(&valid, "\xef\xbf\xbd");	/* U+FFFD, as in CSV of events */
	}
	out->failed |= valid.failed;
	put_cell(out, valid.text ? valid.text : "", valid.n);
	tn_str_release(&valid);
}

void
tn_table_csv_value(const struct tn_answer_value *value, struct tn_str *out)
{
	struct tn_answer_value v = value ? *value : (struct tn_answer_value) { .kind = TN_ANSWER_NONE };
	struct tn_str text = { 0 };

	if (!out || v.kind == TN_ANSWER_NONE)
		return;
	/* Numbers are decimal, as in CSV of events. */
	if (v.type && tn_type_base(v.type) != 10 && !tn_type_label_count(v.type))
		v.type = NULL;
	tn_answer_value_text(&v, &text);
	out->failed |= text.failed;
	tn_table_csv(text.text ? text.text : "", text.n, out);
	tn_str_release(&text);
}

static const char *
bool_text(const struct tn_answer_value *v)
{
	return v->is.u ? "true" : "false";
}

static bool
is_bool(const struct column *c, const struct tn_answer_value *v)
{
	return c->as.flags & TN_COLUMN_BOOL && v->kind == TN_ANSWER_UINT;
}

static void
put_csv_row(const struct tn_table *t, const struct tn_answer_value *values, struct tn_str *out)
{
	bool first = true;

	for (size_t i = 0; i < t->column.n; i++) {
		const struct column *c = &t->column.item[i];

		if (!is_in(c, TN_TABLE_CSV))
			continue;
		tn_str_puts(out, first ? "" : ",");
		first = false;
		if (values && is_bool(c, &values[i])) {
			tn_str_puts(out, bool_text(&values[i]));
		} else if (values) {
			tn_table_csv_value(&values[i], out);
		} else {
			if (c->as.object)
				tn_str_printf(out, "%s.", c->as.object);
			tn_table_csv(c->as.name, strlen(c->as.name), out);
		}
	}
	tn_str_puts(out, "\n");
}

/* ---- JSON ---- */

static bool
has_member(const struct column *c, const struct tn_answer_value *v)
{
	return is_in(c, TN_TABLE_JSON) && (v->kind != TN_ANSWER_NONE || !(c->as.flags & TN_COLUMN_OPTIONAL));
}

static void
put_member(const struct column *c, const struct tn_answer_value *v, bool first, struct tn_str *out)
{
	tn_str_puts(out, first ? "" : ",");
	tn_answer_json_string(c->as.name, strlen(c->as.name), out);
	tn_str_puts(out, ":");
	if (is_bool(c, v))
		tn_str_puts(out, bool_text(v));
	else
		tn_answer_value_json(v, out);
}

/* Write all columns of the object that begins with column @from. */
static void
put_object(const struct tn_table *t, size_t from, const struct tn_answer_value *values, struct tn_str *out)
{
	const char *object = t->column.item[from].as.object;
	bool first = true;

	tn_answer_json_string(object, strlen(object), out);
	for (size_t i = from; i < t->column.n; i++)
		if (t->column.item[i].as.flags & TN_COLUMN_OBJECT && values[i].kind == TN_ANSWER_NONE &&
		    strcmp(t->column.item[i].as.object, object) == 0) {
			tn_str_puts(out, ":null");
			return;
		}
	tn_str_puts(out, ":{");
	for (size_t i = from; i < t->column.n; i++) {
		const struct column *c = &t->column.item[i];

		if (!c->as.object || strcmp(c->as.object, object) != 0 || !has_member(c, &values[i]))
			continue;
		put_member(c, &values[i], first, out);
		first = false;
	}
	tn_str_puts(out, "}");
}

static bool
is_first_of_object(const struct tn_table *t, size_t column)
{
	for (size_t i = 0; i < column; i++)
		if (is_in(&t->column.item[i], TN_TABLE_JSON) && same_object(&t->column.item[i], &t->column.item[column]))
			return false;
	return true;
}

static void
put_json_row(const struct tn_table *t, const struct tn_answer_value *values, struct tn_str *out)
{
	bool first = true;

	tn_str_puts(out, "{");
	for (size_t i = 0; i < t->column.n; i++) {
		const struct column *c = &t->column.item[i];

		if (c->as.object ? !is_in(c, TN_TABLE_JSON) || !is_first_of_object(t, i) : !has_member(c, &values[i]))
			continue;
		if (c->as.object) {
			tn_str_puts(out, first ? "" : ",");
			put_object(t, i, values, out);
		} else {
			put_member(c, &values[i], first, out);
		}
		first = false;
	}
	tn_str_puts(out, "}\n");
}

/* ---- all forms ---- */

void
tn_table_heading(struct tn_table *t, enum tn_table_form form, struct tn_str *out)
{
	if (!t || !out || form == TN_TABLE_JSON)
		return;
	if (form == TN_TABLE_CSV) {
		put_csv_row(t, NULL, out);
		return;
	}
	for (size_t i = 0; i < t->column.n; i++) {
		struct tn_str text = { 0 };
		struct column *c = &t->column.item[i];

		tn_text_safe(c->as.heading, strlen(c->as.heading), &text);
		if (is_aligned(c) && width_of(t, &text) > c->width)
			c->width = width_of(t, &text);
		tn_str_release(&text);
	}
	put_text_row(t, NULL, out);
}

void
tn_table_row(struct tn_table *t, enum tn_table_form form, const struct tn_answer_value *values, struct tn_str *out)
{
	if (!t || !values || !out)
		return;
	if (form == TN_TABLE_TEXT)
		put_text_row(t, values, out);
	else if (form == TN_TABLE_CSV)
		put_csv_row(t, values, out);
	else
		put_json_row(t, values, out);
}
