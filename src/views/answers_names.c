/* answers_names.c - names next to the numbers of a table: "403 httpd" */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "screen/nicknames.h"
#include "screen/canvas.h"

#define MOST_WIDTH 48	/* limit of columns for a number with its name */

void
answers_find_keys(struct answers *a)
{
	struct session *s = a->list.base.session;
	struct table *t = &a->table;
	size_t host = tn_table_find(t->form, a->class->has_spans ? _("host") : "host");

	t->host = host == SIZE_MAX ? COLUMNS_MAX : host;
	for (size_t i = 0; i < t->n_columns && !a->class->has_pairs; i++) {
		const char *name = a->class->key_name ? a->class->key_name(a, i) : tn_table_column_name(t->form, i);

		t->key[i] = !t->right[i] && !nicknames_follow(t->form, i) && session_has_nicknames(s, name) ? name : NULL;
		t->has_keys |= t->key[i] != NULL;
	}
}

char *
answers_name(const struct answers *a, const struct answer_row *r, size_t column)
{
	const struct table *t = &a->table;
	const struct answer_cell *cell = &r->cell[column];
	const char *host = t->host < COLUMNS_MAX ? row_text(r, t->host) : NULL, *name;
	struct tn_answer_value text = tn_answer_text(row_text(r, column));

	if (!t->names || !t->key[column] || (cell->number.kind == TN_ANSWER_NONE && strcmp(t->key[column], "name") != 0))
		return NULL;
	name = tn_nicknames_find(t->names, t->key[column], host, cell->number.kind == TN_ANSWER_NONE ? &text : &cell->number);
	return name ? line_safe_copy(name, strlen(name)) : NULL;
}

void
answers_take_names(struct answers *a)
{
	struct table *t = &a->table;
	const struct tn_nicknames *names = t->has_keys ? session_nicknames(a->list.base.session) : NULL;

	if (names == t->names)
		return;
	t->names = names;
	memset(t->wide, 0, sizeof t->wide);
	for (size_t i = 0; names && i < t->n; i++)
		for (size_t c = 0; c < t->n_columns; c++) {
			char *name = answers_name(a, &t->row[i], c);
			const char *text = row_text(&t->row[i], c);
			int width = name ? text_width(text, strlen(text)) + 1 + text_width(name, strlen(name)) : 0;

			width = width < MOST_WIDTH ? width : MOST_WIDTH;
			t->wide[c] = width > t->wide[c] ? width : t->wide[c];
			free(name);
		}
}
