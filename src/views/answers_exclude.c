/* answers_exclude.c - exclude rows from tables of spans: add a part to the condition, which U removes */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "session/expression.h"

#define NAME_COLUMN 3	/* column of the name in tables of spans */

void
answers_forget_excluded(struct answers *a)
{
	while (a->n_excluded) {
		struct answer_excluded *e = &a->excluded[--a->n_excluded];

		free(e->before);
		free(e->after);
	}
}

static bool
has_several_names(const struct answers *a)
{
	for (size_t i = 1; i < a->table.n; i++)
		if (a->table.row[i].cell[NAME_COLUMN].text && a->table.row[0].cell[NAME_COLUMN].text &&
		    strcmp(a->table.row[i].cell[NAME_COLUMN].text, a->table.row[0].cell[NAME_COLUMN].text) != 0)
			return true;
	return false;
}

/*
 * The condition for spans with the name of this one; or, if all have one name, for spans with its keys. NULL: no
 * condition can express it.
 */
char *
answers_span_condition(const struct answers *a, const struct answer_row *r)
{
	struct tn_str all = { 0 };
	const char *name = r->cell[NAME_COLUMN].text;

	if (name && has_several_names(a))
		return expression_text("name", name, strlen(name));
	for (size_t i = 0; i < a->table.n_columns; i++) {
		const struct tn_answer_value *v = &r->cell[i].number;
		const char *key = tn_table_column_name(a->table.form, i);

		if (!(r->keys & UINT32_C(1) << i) || (v->kind != TN_ANSWER_UINT && v->kind != TN_ANSWER_SINT))
			continue;
		tn_str_puts(&all, all.n ? " and " : "");
		if (v->kind == TN_ANSWER_UINT)
			tn_str_printf(&all, "%s == %" PRIu64, key, v->is.u);
		else
			tn_str_printf(&all, "%s == %" PRId64, key, v->is.i);
	}
	return all.text;
}

char *
answers_not_group(const struct answers *a, const struct answer_row *r)
{
	char *all = expression_not(strdup(r->condition));

	for (size_t i = 0; i < a->table.n_keys; i++) {
		const char *key = tn_table_column_name(a->table.form, i);

		if (!strpbrk(key, "/( "))	/* all events have a time, and a part of a number says what it is of */
			all = expression_or_without(all, key);
	}
	return all;
}

bool
answers_exclude(struct answers *a, char *condition)
{
	struct answer_wish *w = &a->list.base.session->answers.wish;
	char *is = expression_not(condition), *all = NULL, *before = strdup(w->where ? w->where : "");

	if (!is)
		session_say(a->list.base.session, "%s", _("No condition can select these spans."));
	else if (before && asprintf(&all, *before ? "(%s) and %s" : "%s%s", before, is) < 0)
		all = NULL;
	free(is);
	if (!all) {
		free(before);
		return false;
	}
	if (a->n_excluded == EXCLUDED_MOST)
		answers_forget_excluded(a);
	a->excluded[a->n_excluded++] = (struct answer_excluded) { before, strdup(all) };
	free(w->where);
	w->where = all;
	a->again_at = a->list.selected;
	session_say(a->list.base.session, _("hidden: U shows them again"));
	return true;
}

bool
answers_include(struct answers *a)
{
	struct answer_wish *w = &a->list.base.session->answers.wish;
	struct answer_excluded *e = a->n_excluded ? &a->excluded[a->n_excluded - 1] : NULL;

	/* Another answer may have been shown in between. */
	if (!e || !e->after || !w->where || strcmp(e->after, w->where) != 0) {
		answers_forget_excluded(a);
		return false;
	}
	free(w->where);
	w->where = e->before;
	e->before = NULL;
	free(e->after);
	a->n_excluded--;
	a->again_at = a->list.selected;
	return true;
}
