#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers_table.h"
#include "screen/line.h"

static void
free_row(const struct table *t, struct answer_row *r)
{
	for (size_t i = 0; r->cell && i < t->n_columns; i++)
		free(r->cell[i].text);
	free(r->cell);
	free(r->condition);
	r->cell = NULL;
	r->condition = NULL;
}

void
table_release(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free_row(t, &t->row[i]);
	for (size_t i = 0; i < t->n_columns; i++)
		free(t->column[i]);
	free(t->row);
	*t = (struct table) { 0 };
}

void
table_column(struct table *t, const char *name, bool right)
{
	char *safe;

	if (t->n_columns == COLUMNS_MAX)
		return;
	safe = line_safe_copy(name, strlen(name));
	t->right[t->n_columns] = right;
	t->width[t->n_columns] = safe ? (int)strlen(safe) : 0;
	t->column[t->n_columns++] = safe;
}

static int
by_weight(const void *a, const void *b)
{
	const struct answer_row *x = a, *y = b;

	return x->weight > y->weight ? -1 : x->weight < y->weight;
}

/* A row more; when there are too many the lightest half goes. */
struct answer_row *
table_row(struct table *t)
{
	struct answer_row *r;

	t->all++;
	if (t->n == 2 * ROWS_MAX) {
		qsort(t->row, t->n, sizeof *t->row, by_weight);
		while (t->n > ROWS_MAX)
			free_row(t, &t->row[--t->n]);
	}
	if (t->n == t->room) {
		size_t room = t->room ? 2 * t->room : 256;

		r = realloc(t->row, room * sizeof *r);
		if (!r)
			return NULL;
		t->row = r;
		t->room = room;
	}
	r = &t->row[t->n];
	*r = (struct answer_row) { .cell = calloc(t->n_columns + 1, sizeof *r->cell) };
	if (!r->cell)
		return NULL;
	t->n++;
	return r;
}

void
table_cell(struct table *t, struct answer_row *r, size_t column, const char *text, size_t n, double number)
{
	struct tn_str safe = { 0 };
	int shown = 0;

	if (column >= t->n_columns)
		return;
	tn_text_safe(text, n < TEXT_MAX ? n : TEXT_MAX, &safe);
	for (size_t i = 0; i < safe.n; i++)
		shown += ((unsigned char)safe.text[i] & 0xc0) != 0x80;
	if (shown > t->width[column])
		t->width[column] = shown > 40 ? 40 : shown;
	r->cell[column] = (struct answer_cell) { safe.text, number };
	t->failed |= !safe.text && n;
}

double
table_number(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_UINT ? (double)v->is.u : v->kind == TN_ANSWER_SINT ? (double)v->is.i :
	       v->kind == TN_ANSWER_FLOAT ? v->is.f : NAN;
}

void
table_value(struct table *t, struct answer_row *r, size_t column, const struct tn_answer_value *v)
{
	struct tn_str text = { 0 };

	tn_answer_value_text(v, &text);
	table_cell(t, r, column, text.text ? text.text : "", text.n, v->type ? NAN : table_number(v));
	tn_str_release(&text);
}

static void
duration_text(double ns, char text[32])
{
	static const struct { double ns; const char *unit; } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" } };

	for (size_t i = 0; i < 3; i++)
		if (fabs(ns) >= units[i].ns) {
			snprintf(text, 32, "%.3f %s", ns / units[i].ns, units[i].unit);
			return;
		}
	snprintf(text, 32, "%.0f ns", ns);
}

void
table_duration(struct table *t, struct answer_row *r, size_t column, bool some, double ns)
{
	char text[32] = "-";

	if (some)
		duration_text(ns, text);
	table_cell(t, r, column, text, strlen(text), some ? ns : -1);
}

/* Three digits of it are enough beside others. */
void
table_short_duration(struct table *t, struct answer_row *r, size_t column, double ns)
{
	static const struct { double ns; const char *unit; } units[] = {
		{ 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" },
	};
	char text[32];
	size_t i = 0;
	double n;

	while (i < 3 && fabs(ns) < units[i].ns)
		i++;
	n = ns / units[i].ns;
	snprintf(text, sizeof text, "%.*f %s", i == 3 || fabs(n) >= 99.95 ? 0 : fabs(n) >= 9.995 ? 1 : 2, n, units[i].unit);
	table_cell(t, r, column, text, strlen(text), ns);
}
