#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers_run.h"
#include "answers_table.h"
#include "gettext.h"
#include "screen/array.h"
#include "screen/canvas.h"

#define NAME_WIDTH 16
#define MOST_WIDTH 40

static void
free_row(const struct table *t, struct answer_row *r)
{
	for (size_t i = 0; r->cell && i < t->n_columns; i++)
		free(r->cell[i].text);
	free(r->cell);
	free(r->condition);
	free(r->definition);
	r->cell = NULL;
	r->condition = r->definition = NULL;
}

void
table_release(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free_row(t, &t->row[i]);
	tn_table_free(t->form);
	free(t->row);
	*t = (struct table) { 0 };
}

void
table_column(struct table *t, const char *name, unsigned flags, enum tn_group_unit unit)
{
	const struct tn_table_options how = { .text = t->text, .width = text_width, .most_width = MOST_WIDTH, .none = "" };
	struct tn_table_column column = { .name = name, .unit = unit, .flags = flags };

	if (t->n_columns == COLUMNS_MAX)
		return;
	column.width = text_width(name, strlen(name));
	/* A long name must not move later columns off the screen. */
	if (!(flags & TN_COLUMN_RIGHT) && column.width > NAME_WIDTH)
		column.width = NAME_WIDTH;
	if ((!t->form && tn_table_new(&t->form, &how, NULL) != TN_OK) || tn_table_add_column(t->form, &column, NULL) != TN_OK) {
		t->failed = true;
		return;
	}
	t->right[t->n_columns++] = flags & TN_COLUMN_RIGHT;
}

static int
by_weight(const void *a, const void *b)
{
	const struct answer_row *x = a, *y = b;

	return x->weight > y->weight ? -1 : x->weight < y->weight;
}

/* Add a row. If there are too many rows, drop the half with the least weight. */
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
	r = array_more(t->row, t->n, &t->room, sizeof *r);
	if (!r)
		return NULL;
	t->row = r;
	r = &t->row[t->n];
	*r = (struct answer_row) { .cell = calloc(t->n_columns + 1, sizeof *r->cell) };
	if (!r->cell)
		return NULL;
	t->n++;
	return r;
}

void
table_value(struct table *t, struct answer_row *r, size_t column, const struct tn_answer_value *v)
{
	struct tn_str text = { 0 };

	if (column >= t->n_columns)
		return;
	tn_table_cell(t->form, column, v, &text);
	t->failed |= text.failed;
	free(r->cell[column].text);
	r->cell[column] = (struct answer_cell) { .text = text.text };
	if (v->kind != TN_ANSWER_TEXT && !(v->type && tn_type_label_count(v->type)))
		r->cell[column].number = *v;
}

void
table_text(struct table *t, struct answer_row *r, size_t column, const char *text)
{
	table_value(t, r, column, &(struct tn_answer_value) { .kind = TN_ANSWER_TEXT, .text = text, .n = strlen(text) });
}

void
table_label(struct table *t, struct answer_row *r, size_t column, const char *text)
{
	struct tn_answer_value number = r->cell[column].number;

	table_text(t, r, column, text);
	r->cell[column].number = number;
}

int
table_compare(const struct answer_row *a, const struct answer_row *b, size_t column)
{
	const struct answer_cell *x = &a->cell[column], *y = &b->cell[column];
	int order = (x->number.kind == TN_ANSWER_NONE) - (y->number.kind == TN_ANSWER_NONE);

	if (order)
		return order;
	if (x->number.kind != TN_ANSWER_NONE)
		return -tn_answer_value_compare(&x->number, &y->number);
	return strcmp(x->text ? x->text : "", y->text ? y->text : "");
}

/* ---- spans in spans ---- */

#define MOST_OPEN 500		/* limit of open spans that are compared with one span */

/* The end of the span; an open span lasts until the end of the traces. */
static const struct tn_location *
end_of(const struct answer_row *r)
{
	static const struct tn_location never = { INT64_MAX, UINT32_MAX, UINT32_MAX, UINT64_MAX };

	return r->has_begin && !r->has_end ? &never : &r->end;
}

int
table_by_begin(const void *a, const void *b)
{
	const struct answer_row *x = a, *y = b;
	int order = tn_location_compare(&x->begin, &y->begin);

	return order ? order : -tn_location_compare(end_of(x), end_of(y));	/* outer spans first */
}

static bool
has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += n)
		if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

/* For each column, find the first column with the same meaning, which usually is the column itself. */
static void
find_same(const struct table *t, const struct same *same, size_t out[COLUMNS_MAX])
{
	for (size_t i = 0; i < t->n_columns; i++) {
		out[i] = i;
		for (size_t k = 0; k < i && out[i] == i; k++)
			for (size_t row = 0; row < SAME_ROWS; row++)
				if (*same[row].names && has_word(same[row].names, tn_table_column_name(t->form, i)) &&
				    has_word(same[row].names, tn_table_column_name(t->form, k)))
					out[i] = k;
	}
}

static bool
is_thread(const char *name)
{
	return name && (strcmp(name, "tid") == 0 || strcmp(name, "vtid") == 0);
}

/*
 * Whether all keys that both spans have are equal, or their threads are equal, because a thread does one thing during
 * another.
 */
static bool
share_keys(const struct table *t, const struct answer_row *x, const struct answer_row *y, const size_t same[COLUMNS_MAX])
{
	bool some = false, all = true;

	for (size_t i = 0; i < t->n_columns; i++)
		for (size_t k = 0; x->keys >> i & 1 && k < t->n_columns; k++) {
			bool equal;

			if (!(y->keys >> k & 1) || same[i] != same[k])
				continue;
			equal = x->cell[i].text && y->cell[k].text && strcmp(x->cell[i].text, y->cell[k].text) == 0;
			if (is_thread(tn_table_column_name(t->form, i)))
				return equal;
			all &= equal;
			some = true;
		}
	return some && all;
}

/* The innermost of these spans that contains span @i; UINT32_MAX: none does. */
static uint32_t
holder(const struct table *t, uint32_t i, uint32_t top, const uint32_t *above, const size_t same[COLUMNS_MAX])
{
	const struct answer_row *r = &t->row[i];
	uint32_t steps = 0;

	for (uint32_t up = top; up != UINT32_MAX && steps < MOST_OPEN; up = above[up], steps++)
		if (tn_location_compare(end_of(r), end_of(&t->row[up])) <= 0 && share_keys(t, r, &t->row[up], same))
			return up;
	return UINT32_MAX;
}

void
table_nest(struct table *t, const struct same names[SAME_ROWS])
{
	/*
	 * The spans that are open when a span begins, the last one first: one list for spans that end, and one for spans
	 * that do not.
	 */
	uint32_t *above = calloc(t->n + 1, sizeof *above), top = UINT32_MAX, open = UINT32_MAX;
	size_t same[COLUMNS_MAX];

	if (!above) {
		t->failed = true;
		return;
	}
	find_same(t, names, same);
	if (t->n)
		qsort(t->row, t->n, sizeof *t->row, table_by_begin);
	for (uint32_t i = 0; i < t->n; i++) {
		struct answer_row *r = &t->row[i];
		uint32_t up, outer;

		while (top != UINT32_MAX && tn_location_compare(&t->row[top].end, &r->begin) <= 0)
			top = above[top];
		if (!r->has_begin)
			continue;
		up = holder(t, i, top, above, same);
		outer = holder(t, i, open, above, same);
		if (up == UINT32_MAX || (outer != UINT32_MAX && outer > up))
			up = outer;
		if (up != UINT32_MAX)
			r->depth = t->row[up].depth + 1;
		t->deepest = r->depth > t->deepest ? r->depth : t->deepest;
		above[i] = r->has_end ? top : open;
		*(r->has_end ? &top : &open) = i;
	}
	free(above);
}

/* Append the part of the status line that describes the table. */
void
table_status(const struct table *t, enum answer_kind kind, struct line *out)
{
	char n[32], m[32];

	if (kind == ANSWER_GROUPS && t->has_rest) {
		line_printf(out, STYLE_STATUS, _("the first %s of at least %s; the last row has all others"),
			    number_text(t->n - 1, n), number_text(t->all, m));
		return;
	}
	if (kind == ANSWER_GROUPS && t->all > t->n) {	/* groups have no shorter form */
		line_printf(out, STYLE_STATUS, _("the first %s of %s by this column"), number_text(t->n, n),
			    number_text(t->all, m));
		return;
	}
	line_printf(out, STYLE_STATUS, ngettext("%s line", "%s lines", t->n), number_text(t->n, n));
	if (t->all > t->n)
		line_printf(out, STYLE_STATUS, _(" of %s: the others are shorter"), number_text(t->all, m));
	for (int i = TN_SPAN_OPEN; i <= TN_SPAN_DOUBTFUL; i++)
		if (t->of_state[i])
			line_printf(out, STYLE_STATUS, ", %s %s", number_text(t->of_state[i], n),
				    tn_span_state_name((enum tn_span_state)i));
	if (kind == ANSWER_GROUPS && t->of_state[TN_SPAN_OPEN] + t->of_state[TN_SPAN_ORPHAN])
		line_puts(out, STYLE_STATUS, _(": counted, without a duration"));
}

bool
answers_copy_wish(struct answer_wish *to, const struct answer_wish *from)
{
	to->kind = from->kind;
	to->sort = from->sort;
	to->spans = from->spans ? strdup(from->spans) : NULL;
	to->by = from->by ? strdup(from->by) : NULL;
	to->show = from->show ? strdup(from->show) : NULL;
	to->where = from->where ? strdup(from->where) : NULL;
	to->other = from->other ? strdup(from->other) : NULL;
	to->why = from->why ? strdup(from->why) : NULL;
	memcpy(to->part, from->part, sizeof to->part);
	return (!from->other || to->other) && (!from->why || to->why) && (!from->spans || to->spans) &&
	       (!from->by || to->by) && (!from->show || to->show) && (!from->where || to->where);
}

/* ---- the command line ---- */

/* Write those definitions of the question for which there are events, because the command line refuses others. */
static void
put_definitions(const struct session *s, const char *spans, void (*word)(void *user, const char *word), void *user)
{
	static const char other[] = "else ";
	char *copy = strdup(spans), *rest = copy;
	bool had = false;

	for (char *line; (line = strsep(&rest, "\n"));) {
		bool is_other = strncmp(line, other, sizeof other - 1) == 0;
		struct tn_spans *all = NULL;

		if (is_other && had)
			continue;
		line += is_other ? sizeof other - 1 : 0;
		had = tn_spans_new(&all, s->traces.set, NULL) == TN_OK && tn_spans_add(all, line, NULL) == TN_OK;
		tn_spans_free(all);
		if (!had)
			continue;
		word(user, "--spans");
		word(user, line);
	}
	free(copy);
}

void
answers_words(const struct session *s, enum answer_kind kind, const char *sort,
	      void (*word)(void *user, const char *word), void *user)
{
	const struct answer_wish *w = &s->answers.wish;

	if (w->spans && *w->spans)
		put_definitions(s, w->spans, word, user);
	if (w->where && *w->where) {
		word(user, w->spans && *w->spans ? "--where" : "-f");
		word(user, w->where);
	}
	if (kind == ANSWER_GROUPS) {
		word(user, "--by");
		word(user, w->by && *w->by ? w->by : "name");
		word(user, "--show");
		word(user, w->show ? w->show : w->spans ? OF_SPANS : "count");
	}
	if (sort) {
		word(user, "--sort");
		word(user, sort);
	}
}
