/* answers_draw.c - sort and draw the rows of answers */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "event_line.h"
#include "gettext.h"
#include "screen/canvas.h"
#include "screen/charset.h"

#define STATE_COLUMN 1		/* column of the state in tables of spans */
#define NAME_COLUMN 3
#define MOST_INDENT 40
#define QUESTION_WIDTH 20
#define CELL_MAX (4 * TN_TABLE_BRIEF + 4)	/* size of a cell that is safe for a terminal, in bytes */

static size_t sorting;	/* qsort() has no argument for the column; only the app's thread uses this */

static int
by_column(const void *x, const void *y)
{
	const struct answer_row *a = x, *b = y;
	int order = a->is_rest - b->is_rest;

	if (!order)
		order = table_compare(a, b, sorting);
	return order ? order : tn_location_compare(&a->begin, &b->begin);
}

static bool
is_nested(const struct answers *a)
{
	return a->nested && a->class->has_spans;
}

/* Compare steps, which ascend. */
static int
by_step(const void *x, const void *y)
{
	const struct answer_row *a = x, *b = y;
	int order = a->is_rest - b->is_rest;

	return order ? order : table_compare(b, a, 0);
}

void
answers_sort(struct answers *a)
{
	sorting = a->sorted;
	a->heaviest = 0;
	for (size_t i = 0; i < a->table.n; i++)
		a->heaviest = a->table.row[i].weight > a->heaviest ? a->table.row[i].weight : a->heaviest;
	if (a->table.n && is_nested(a))
		qsort(a->table.row, a->table.n, sizeof *a->table.row, table_by_begin);
	else if (a->table.n && a->table.steps && a->sorted == 0 && !a->falls)
		qsort(a->table.row, a->table.n, sizeof *a->table.row, by_step);
	else if (a->table.n && a->sorted < a->table.n_columns)
		qsort(a->table.row, a->table.n, sizeof *a->table.row, by_column);
}

static unsigned
indent_of(unsigned depth)
{
	return depth > MOST_INDENT / 2 ? MOST_INDENT : 2 * depth;
}

/* Whether the column is indented, to show which spans contain others. */
static bool
is_indented(const struct answers *a, size_t column)
{
	return column == NAME_COLUMN && is_nested(a);
}

static int
whole_width(const struct table *t, size_t column)
{
	int width = tn_table_width(t->form, column);

	return t->wide[column] > width ? t->wide[column] : width;
}

/*
 * Whether headings are short: if groups are wider than the view, so that the last numbers are visible; not if the view is
 * scrolled.
 */
static bool
is_short(const struct answers *a)
{
	int width = 0;

	for (size_t i = 0; i < a->table.n_columns; i++)
		width += whole_width(&a->table, i) + 2;
	return a->class->has_groups && !a->list.left && width - 2 > a->list.base.area.cols;
}

/* Shorten a heading to "max" of "max(duration)", "next_comm" of "begin.next_comm", "tid" of "tid|event.fields.next_tid". */
static void
shorten(char *heading)
{
	char *duration = strstr(heading, "(duration)"), *point;

	heading[strcspn(heading, "|")] = '\0';
	if (duration && !duration[10])
		*duration = '\0';
	point = strpbrk(heading, "(/") ? NULL : strrchr(heading, '.');
	if (point)
		memmove(heading, point + 1, strlen(point + 1) + 1);
}

static void
measure_cells(struct table *t)
{
	if (t->needed_by == t->row && t->n_needed == t->n)
		return;
	memset(t->need, 0, sizeof t->need);
	for (size_t i = 0; i < t->n; i++)
		for (size_t c = 0; c < t->n_columns; c++) {
			const char *text = row_text(&t->row[i], c);
			int width = text_width(text, strlen(text));

			t->need[c] = width > t->need[c] ? width : t->need[c];
		}
	t->needed_by = t->row;
	t->n_needed = t->n;
}

static int
width_of(const struct answers *a, size_t column)
{
	const struct table *t = &a->table;
	int whole = whole_width(t, column), width = t->need[column] > t->wide[column] ? t->need[column] : t->wide[column];
	struct tn_str name = { 0 };

	if (!is_short(a))
		return whole;
	tn_table_cell(t->form, column, NULL, &name);
	if (name.text)
		shorten(name.text);
	if (name.text && text_width(name.text, strlen(name.text)) > width)
		width = text_width(name.text, strlen(name.text));
	tn_str_release(&name);
	return width < whole ? width : whole;
}

/*
 * Put the text of a cell. A text that is wider than its column ends with @mark, so that later columns are below their
 * headings. If the view is scrolled to the right, the whole text is shown.
 */
static void
put_cell(struct line *out, const struct answers *a, size_t column, unsigned style, const char *text, const char *mark)
{
	const struct table *t = &a->table;
	int width = width_of(a, column) + (is_indented(a, column) ? (int)indent_of(t->deepest) : 0);
	bool is_last = column + 1 == t->n_columns;
	int from;

	if (column)
		line_puts(out, style, "  ");
	from = out->width;
	if (!is_last && !a->list.left && text_width(text, strlen(text)) > width) {
		line_add(out, style, text, text_fit(text, strlen(text), width - 1, NULL));
		line_puts(out, mark ? style : STYLE_DIM, mark ? mark : charset_cut());
		line_pad(out, from + width, false);
	} else if (t->right[column]) {
		line_right(out, style, text, width);
	} else {
		line_puts(out, style, text);
		if (!is_last)
			line_pad(out, from + width, false);
	}
}

void
answers_heading(struct view *v, struct line *out)
{
	struct answers *a = (struct answers *)v;

	if (a->sequence) {
		a->class->panes->heading(out, v->area.cols);
		return;
	}
	answers_take_names(a);
	measure_cells(&a->table);
	for (size_t i = 0; i < a->table.n_columns; i++) {
		struct tn_str name = { 0 };

		tn_table_cell(a->table.form, i, NULL, &name);
		if (name.text && is_short(a))
			shorten(name.text);
		put_cell(out, a, i, i == a->sorted && a->class->sorts ? STYLE_HEADING | STYLE_MATCH : STYLE_HEADING,
			 name.text ? name.text : "", ">");
		tn_str_release(&name);
	}
}

/*
 * Put a pair that is too wide. Its key and its name, at the end, are more useful than the ends of its events, so these
 * are cut. Right shows the whole text. False: the pair fits, or cannot be cut in this way.
 */
static bool
put_pair(struct line *out, const struct answers *a, const char *text)
{
	static const char *const words[] = { " by ", " show ", " as " };
	int room = a->list.base.area.cols - out->width, used;

	if (a->list.left || text_width(text, strlen(text)) <= room)
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *tail = strstr(text, words[i]);
		int width = tail ? text_width(tail, strlen(tail)) : 0;

		if (!tail || width > room / 2)
			continue;
		line_add(out, STYLE_TEXT, text, text_fit(text, (size_t)(tail - text), room - width - 1, &used));
		line_puts(out, STYLE_DIM, charset_cut());
		line_puts(out, STYLE_TEXT, tail);
		return true;
	}
	return false;
}

static bool
is_pair(const struct answers *a, const struct answer_row *r)
{
	return a->class->has_pairs && r->pair < PAIR_FOLD;
}

/* A line without numbers: a question with its sentence, or what the pairs leave to say. */
static void
put_words(struct line *out, const struct answer_row *r)
{
	if (r->question) {
		line_puts(out, STYLE_NAME, r->question->name);
		line_pad(out, QUESTION_WIDTH, true);
		line_puts(out, STYLE_TEXT, _(r->question->title));
		return;
	}
	line_puts(out, STYLE_DIM, row_text(r, PAIR_TEXT));
}

static bool
is_closed(const struct answers *a, const struct answer_row *r)
{
	return a->class->has_spans && r->has_times &&
	       strcmp(row_text(r, STATE_COLUMN), tn_span_state_name(TN_SPAN_CLOSED)) == 0;
}

/* Draw the duration of the span relative to the longest one, in place of the state, which is the same for most spans. */
static void
put_bar(struct line *out, const struct answers *a, const struct answer_row *r)
{
	static const char *const eighth[] = { "", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589" };
	int width = tn_table_width(a->table.form, STATE_COLUMN), from, parts;

	line_puts(out, STYLE_TEXT, "  ");
	from = out->width;
	parts = a->heaviest > 0 ? (int)(r->weight / a->heaviest * width * 8 + 0.5) : 0;
	parts = parts < 1 ? 1 : parts;
	for (int i = 0; i < parts / 8 || (i == 0 && !a->list.base.session->utf8); i++)
		line_puts(out, STYLE_BAR, a->list.base.session->utf8 ? "\u2588" : "#");
	if (a->list.base.session->utf8)
		line_puts(out, STYLE_BAR, eighth[parts % 8]);
	line_pad(out, from + width, false);
}

void
answers_row(struct view *v, size_t i, struct line *out)
{
	struct answers *a = (struct answers *)v;

	const struct answer_row *r = a->sequence ? NULL : &a->table.row[i];

	if (!r) {
		a->class->panes->row(a, i, out);
		return;
	}
	if (a->class->has_pairs && r->pair >= PAIR_FOLD) {
		put_words(out, r);
		return;
	}
	for (size_t c = 0; c < a->table.n_columns; c++) {
		const char *text = r->cell[c].text ? r->cell[c].text : "";
		char cell[MOST_INDENT + 2 * CELL_MAX + 1], *name = answers_name(a, r, c);

		if (name || is_indented(a, c)) {
			snprintf(cell, sizeof cell, "%*s%s%s%s", is_indented(a, c) ? (int)indent_of(r->depth) : 0, "", text,
				 name ? " " : "", name ? name : "");
			text = cell;
		}
		free(name);
		if (c == PAIR_TEXT && is_pair(a, r)) {
			line_puts(out, STYLE_TEXT, "  ");
			if (!put_pair(out, a, text))
				line_puts(out, STYLE_TEXT, text);
			event_meaning_put(a->list.base.session, text, strcspn(text, " "), out);
			continue;
		}
		if (c == STATE_COLUMN && !a->list.plain && is_closed(a, r))
			put_bar(out, a, r);
		else
			put_cell(out, a, c, a->class->has_spans && c == NAME_COLUMN ? STYLE_NAME : STYLE_TEXT, text, NULL);
	}
}
