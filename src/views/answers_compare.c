/* answers_compare.c - comparisons and "why" questions: open other tables from their rows */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"

enum { SELECTED_COLUMN = 2, REST_COLUMN = 4 };	/* columns of findings that have counts (answers_compare_run.c) */

/* ---- returning to tables that the user left ---- */

void
answers_leave(struct answers *a, const struct answer_row *r, bool table)
{
	struct answer_left *left = &a->before[0];

	if (a->n_before == ANSWERS_LEFT) {	/* no more tables can be kept */
		answer_wish_release(&left->wish);
		free(left->place.row);
		table_release(&left->table);
		memmove(left, left + 1, --a->n_before * sizeof *left);
	}
	left = &a->before[a->n_before++];
	*left = (struct answer_left) { .table = { 0 } };
	if (!answers_copy_wish(&left->wish, &a->list.base.session->answers.wish)) {
		answer_wish_release(&left->wish);
		a->n_before--;
		return;
	}
	left->place = (struct answer_place) {
		.some = true, .row = r->condition ? strdup(r->condition) : NULL, .sorted = a->sorted,
		.begin = r->begin, .end = r->end,
	};
	if (table) {
		left->table = a->table;
		a->table = (struct table) { 0 };
		a->list.n = a->list.top = a->list.selected = 0;
	}
}

void
answers_forget_left(struct answers *a)
{
	while (a->n_before) {
		struct answer_left *left = &a->before[--a->n_before];

		answer_wish_release(&left->wish);
		free(left->place.row);
		table_release(&left->table);
	}
}

/* Show the answer that the user left. If its contents were freed, compute it again. */
static unsigned
show_left(struct answers *a)
{
	struct answer_left *left = &a->before[--a->n_before];
	struct answer_wish *w = &a->list.base.session->answers.wish;
	const char *sort = left->wish.sort;

	answer_wish_release(w);
	w->kind = left->wish.kind;
	w->sort = sort;
	w->spans = left->wish.spans;
	w->by = left->wish.by;
	w->show = left->wish.show;
	w->where = left->wish.where;
	w->other = left->wish.other;
	w->why = left->wish.why;
	memcpy(w->part, left->wish.part, sizeof w->part);
	free(a->left.row);
	a->left = left->place;
	a->returns = true;
	if (!left->table.form)
		return answers_start_again(a);
	job_drop(a->job);
	a->job = NULL;
	table_release(&a->table);
	tn_sequence_free(a->sequence);
	a->sequence = NULL;
	a->table = left->table;
	a->class = a->classes[w->kind];
	a->list.base.no_hint = a->class->no_hint;
	a->list.base.hint = a->class->hint;
	a->list.n = a->table.n;
	a->list.top = a->list.selected = 0;
	a->sorted = a->class->sorts ? a->left.sorted : a->class->sorted;
	a->done = true;
	if (a->class->sorts)
		answers_sort(a);
	answers_note_making(a);
	answers_come_back(a);
	return VIEW_DONE | VIEW_REDRAW;
}

unsigned
answers_back_from_spans(struct answers *a)
{
	if (a->n_before)
		return show_left(a);
	if (!a->from_pairs)
		return VIEW_PASS;
	a->returns = true;
	return answers_show_pairs(a);
}

/* Open another table from a row of this one; q returns. @other: a table of that trace; NULL: of the open traces. */
static unsigned
descend(struct answers *a, enum answer_kind kind, const char *spans, const char *where, const char *other)
{
	struct answer_wish *w = &a->list.base.session->answers.wish;
	char *own_spans = spans ? strdup(spans) : NULL, *own_where = where ? strdup(where) : NULL;
	char *own_other = other ? strdup(other) : NULL;

	answers_leave(a, &a->table.row[a->list.selected], true);
	answer_wish_release(w);
	w->kind = kind;
	w->spans = own_spans;
	w->where = own_where;
	w->other = own_other;
	a->returns = false;
	return answers_start_again(a);
}

/* Ask why this span, and all spans that last at least as long, last so long. */
unsigned
answers_why_long(struct answers *a, const struct answer_row *r)
{
	struct answer_wish *w = &a->list.base.session->answers.wish;
	char *why, *spans = strdup(w->spans ? w->spans : ""), *where = w->where ? strdup(w->where) : NULL;

	if (!r->has_times || !spans || strchr(spans, '\n') ||
	    asprintf(&why, "dur >= %" PRId64 "ns", r->end_ns - r->begin_ns) < 0) {
		session_say(a->list.base.session, "%s",
			    _("press a on a closed span of one kind: it compares spans at least as long with the others"));
		why = NULL;
	} else {
		descend(a, ANSWER_WHY, spans, where, NULL);
		w->why = why;
		answers_start_again(a);
	}
	free(spans);
	free(where);
	return VIEW_DONE | VIEW_REDRAW;
}

/* Whether the key asks more about a span, or goes to its events. */
bool
answers_asks_of(enum action action)
{
	return action == ACT_TRAVEL || action == ACT_LADDER || action == ACT_CHAIN || action == ACT_STATISTICS ||
	       action == ACT_WHY || action == ACT_OPEN || action == ACT_SPAN_END || action == ACT_FILTER || action == ACT_EXCLUDE;
}

/* Explain that the other trace does not have a list of events here. */
unsigned
answers_say_other(struct answers *a, const struct answer_row *r, bool end)
{
	struct session *s = a->list.base.session;

	(void)r, (void)end;
	session_say(s, _("this row is from the other trace: tnav %s opens it"), s->answers.wish.other);
	return VIEW_DONE | VIEW_REDRAW;
}

/* ---- opening a row ---- */

/*
 * Get the condition for spans that begin and end in the range of a side. If there is only one range, the second side is
 * all spans that do neither in the first range.
 */
static char *
spans_of(const struct answer_wish *w, size_t side, const char *condition)
{
	const struct bounds *range = &w->part[side];
	struct tn_str text = { 0 };

	tn_str_puts(&text, condition);
	if (!w->other && range->has_begin) {
		tn_str_puts(&text, " and ");
		answers_put_range(&text, "begin", "end", range);
	} else if (!w->other) {
		tn_str_puts(&text, " and not (");
		answers_put_range(&text, "begin", "begin", &w->part[0]);
		tn_str_puts(&text, ") and not (");
		answers_put_range(&text, "end", "end", &w->part[0]);
		tn_str_puts(&text, ")");
	}
	return text.text;
}

static char *
events_of(const struct answer_wish *w, size_t side, const char *condition)
{
	const bool rest = !w->part[side].has_begin;
	struct tn_str text = { 0 };

	tn_str_puts(&text, condition);
	if (!w->other) {
		tn_str_puts(&text, rest ? " and not (" : " and ");
		answers_put_range(&text, "time", "time", &w->part[rest ? 0 : side]);
		tn_str_puts(&text, rest ? ")" : "");
	}
	return text.text;
}

/* Enter opens the first side, Tab the second one. */
static unsigned
open_compared(struct answers *a, const struct answer_row *r, bool second)
{
	const struct answer_wish *w = &a->list.base.session->answers.wish;
	const char *other = second ? w->other : NULL;
	char *where;
	unsigned reply;

	if (!r->condition)
		return VIEW_DONE;
	if (!r->definition && !other)
		return view_request_text(&a->list.base, REQUEST_FILTER, events_of(w, second, r->condition));
	where = r->definition ? spans_of(w, second, r->condition) : strdup(r->condition);
	reply = descend(a, r->definition ? ANSWER_SPANS : ANSWER_LINES, r->definition, where, other);
	free(where);
	return reply;
}

/*
 * Enter opens the selected spans or events of the finding, and Tab the others. For events around spans, both open all
 * events.
 */
static unsigned
open_finding(struct answers *a, const struct answer_row *r, bool rest)
{
	const struct answer_wish *w = &a->list.base.session->answers.wish;
	char *where;
	unsigned reply;

	if (r->cell[rest ? REST_COLUMN : SELECTED_COLUMN].number.is.u == 0) {
		session_say(a->list.base.session, "%s", _("no event or span has this value"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (!w->why || (!r->condition && !w->spans) ||
	    asprintf(&where, rest ? "not (%s)%s%s" : "(%s)%s%s", w->why, r->condition ? " and " : "",
		     r->condition ? r->condition : "") < 0)
		return VIEW_DONE;
	if (!r->definition && r->condition)
		return view_request_text(&a->list.base, REQUEST_FILTER, where);
	reply = descend(a, ANSWER_SPANS, r->definition ? r->definition : w->spans, where, NULL);
	free(where);
	return reply;
}

/* ---- the command line ---- */

static void
put_part(const char *option, const struct bounds *range, void (*word)(void *user, const char *word), void *user)
{
	char text[64];

	snprintf(text, sizeof text, "@%" PRId64 ",@%" PRId64, range->begin_ns, range->end_ns);
	word(user, option);
	word(user, text);
}

void
answers_compare_words(const struct session *s, void (*word)(void *user, const char *word), void *user)
{
	const struct answer_wish *w = &s->answers.wish;
	char *definition = w->kind == ANSWER_WHY && w->spans ? answers_definition_where(w->spans, w->where ? w->where : "") : NULL;

	if (w->kind == ANSWER_WHY) {
		word(user, "--why");
		word(user, w->why ? w->why : "");
	} else if (w->other) {
		word(user, "--diff");
	} else {
		put_part("--first", &w->part[0], word, user);
		if (w->part[1].has_begin)
			put_part("--second", &w->part[1], word, user);
	}
	if (definition) {
		word(user, "--spans");
		word(user, definition);
	}
	if (w->kind == ANSWER_SEQUENCE) {
		word(user, "--sequence");
		word(user, w->by ? w->by : "");
	}
	free(definition);
}

/* ---- the kinds ---- */

static const char *
row_condition(const struct answer_row *r)
{
	return r->condition;
}

static const char *
no_lines(const struct answer_request *ask)
{
	return ask->remark ? ask->remark : _("there are no such events");
}

const struct answer_class answers_diff = {
	.kind = ANSWER_DIFF,
	.compares = true,
	.hint = N_("Enter: events of the first  Tab: of the second  q back"),
	.no_waits = N_("this key needs a span, and this line has none"),
	.has_sides = true, .sorted = SIZE_MAX,
	.row_name = row_condition, .nothing = no_lines,
	.open = open_compared,
}, answers_why = {
	.kind = ANSWER_WHY,
	.compares = true,
	.hint = N_("Enter: selected with this value  Tab: others with this value  q back"),
	.no_waits = N_("this key needs a span, and this line has none"),
	.has_sides = true, .sorted = SIZE_MAX,
	.row_name = row_condition, .nothing = no_lines,
	.open = open_finding, .back = answers_back_from_spans,
}, answers_lines = {
	.kind = ANSWER_LINES,
	.hint = N_("these events are from the other trace: tnav opens it  q back"),
	.no_waits = N_("this key needs a span, and this line has none"),
	.sorted = SIZE_MAX,
	.nothing = no_lines,
	.open = answers_say_other, .back = answers_back_from_spans,
};
