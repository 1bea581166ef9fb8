#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tnav/answer.h>

#include "answers_run.h"
#include "gettext.h"
#include "list.h"
#include "session/kept.h"

/*
 * Spans, groups of events or spans, and the pairs that are proposed: tables that a job makes of the events that
 * pass the filters. Enter goes to a span's begin, % to its end; takes a pair; filters for a group's key, or shows the
 * spans of a group. w tells what a span's thread waited for, S makes groups of the spans, & a condition or another
 * definition, Delete refuses a pair.
 */
#define NAME_COLUMN 3		/* of spans */
#define MOST_INDENT 40

struct answers {
	struct list_view list;
	struct job *job;
	enum answer_kind kind;
	struct table table;
	size_t sorted;
	bool up;
	bool done;
	bool nested;		/* spans in the order of their begins, indented */
	bool from_pairs, from_spans;	/* where it was opened from: closing goes back there */
	struct {		/* where the cursor was, there */
		struct tn_location begin, end;	/* on this span, */
		size_t sorted;
		char *pair;	/* on this pair; NULL */
	} left;
	bool returns;		/* the answer that is looked for is the one that was left */
};

static void sort(struct answers *a);
static void come_back(struct answers *a);

static void
answers_end(struct job *job)
{
	struct asking_for *ask = job->data;
	struct answers *a = ask->view;

	a->job = NULL;
	a->done = true;
	a->table = ask->table;
	ask->table = (struct table) { 0 };
	a->list.n = a->table.n;
	if (job->code < 0 && job->code != TN_ERR_CANCELLED)
		session_fail(a->list.base.session, "%s", job->error.text);
	else if (job->code == TN_OK && !a->table.n)
		session_say(a->list.base.session, "%s", a->kind == ANSWER_SPANS ? _("there are no such spans") :
			    *ask->spans ? _("there are no such spans, and no groups of them") :
			    _("no event passes: there are no groups"));
	if (ask->cut)
		session_say(a->list.base.session, "%s", _("the chain is longer than what is told: ask about a shorter span"));
	a->sorted = a->kind == ANSWER_GROUPS ? a->table.n_keys : a->kind == ANSWER_CHAIN ? SIZE_MAX : 0;
	if (a->returns && a->kind == ANSWER_SPANS)
		a->sorted = a->left.sorted;
	if (a->kind != ANSWER_PAIRS)
		sort(a);
	if (a->returns)
		come_back(a);
}

static const struct job_class answers_class = {
	.label = N_("looking for the answer"),
	.run = answers_run, .finish = answers_end, .cancelled = answers_end, .free = answers_free,
};

/* ---- the view ---- */

static bool
start(struct answers *a, struct tn_error *err)
{
	struct session *s = a->list.base.session;
	const struct answer_wish *w = &s->answer;
	struct asking_for *ask = calloc(1, sizeof *ask);

	strcpy(err->text, "out of memory");
	if (!ask)
		return false;
	ask->view = a;
	a->kind = ask->kind = w->kind == ANSWER_SPANS && !w->spans ? ANSWER_PAIRS : w->kind;
	a->list.base.no_hint = a->kind == ANSWER_PAIRS;	/* the heading has its keys */
	a->list.base.hint = a->kind == ANSWER_CHAIN ? N_("Enter goes there  its end: %  q back") : a->kind != ANSWER_GROUPS ? NULL :
			    *(w->spans ? w->spans : "") ? N_("Enter shows its spans  Tab sorts  & a condition  q back") :
			    N_("Enter filters for it  Tab sorts  & a condition  q back");
	ask->spans = strdup(w->spans ? w->spans : "");
	ask->by = strdup(w->by ? w->by : "");
	ask->show = strdup(w->show ? w->show : w->spans ? OF_SPANS : "count");
	ask->where = strdup(w->where ? w->where : "");
	if (!ask->spans || !ask->by || !ask->show || !ask->where) {
		answers_free(ask);
		return false;
	}
	job_drop(a->job);	/* it may still look for what was asked before */
	a->job = NULL;
	table_release(&a->table);
	a->list.n = a->list.top = a->list.selected = 0;
	a->done = a->up = false;
	ask->utf8 = s->utf8;
	ask->chain_at = w->chain_at;
	ask->chain_begin_ns = w->chain_begin_ns;
	ask->chain_end_ns = w->chain_end_ns;
	memcpy(ask->same, s->settings.same, sizeof ask->same);
	ask->unfolded = w->unfolded;
	/* A condition over events is one more filter; one over spans is theirs. */
	if (*ask->where && !*ask->spans) {
		struct query *query;

		if (query_new(&query, s->set, &s->settings.text, s->condition, s->n_conditions, ask->where, true, err) != TN_OK) {
			answers_free(ask);
			return false;
		}
		a->job = job_ask(s, &answers_class, ask, query);
		query_put(query);	/* the job has its own */
		return true;
	}
	a->job = job_start(s, &answers_class, ask);
	return true;
}

static bool
answers_open(struct view *v, struct tn_error *err)
{
	return start((struct answers *)v, err);
}

static void
answers_close(struct view *v)
{
	struct answers *a = (struct answers *)v;

	job_drop(a->job);
	table_release(&a->table);
	free(a->left.pair);
}

static unsigned
answers_turn(struct view *v)
{
	return ((struct answers *)v)->job ? VIEW_REDRAW : VIEW_PASS;
}

static const struct answers *sorting;	/* qsort() has no room for it; the app's thread alone */

static int
compare(const void *x, const void *y)
{
	const struct answer_cell *a = &((const struct answer_row *)x)->cell[sorting->sorted];
	const struct answer_cell *b = &((const struct answer_row *)y)->cell[sorting->sorted];
	int order;

	if (isnan(a->number) != isnan(b->number))
		order = isnan(a->number) ? 1 : -1;
	else if (!isnan(a->number))
		order = a->number > b->number ? -1 : a->number < b->number;
	else
		order = strcmp(a->text ? a->text : "", b->text ? b->text : "");
	if (!order)
		order = tn_location_compare(&((const struct answer_row *)x)->begin, &((const struct answer_row *)y)->begin);
	return order;
}

static int
by_begin(const void *x, const void *y)
{
	const struct answer_row *a = x, *b = y;
	int order = tn_location_compare(&a->begin, &b->begin);

	return order ? order : -tn_location_compare(&a->end, &b->end);
}

static void
sort(struct answers *a)
{
	sorting = a;
	if (a->table.n && a->nested && a->kind == ANSWER_SPANS)
		qsort(a->table.row, a->table.n, sizeof *a->table.row, by_begin);
	else if (a->table.n && a->sorted < a->table.n_columns)
		qsort(a->table.row, a->table.n, sizeof *a->table.row, compare);
}

static unsigned
indent_of(unsigned depth)
{
	return depth > MOST_INDENT / 2 ? MOST_INDENT : 2 * depth;
}

static void
put_cell(struct line *out, const struct answers *a, size_t column, unsigned style, const char *text)
{
	const struct table *t = &a->table;
	bool indented = a->nested && a->kind == ANSWER_SPANS && column == NAME_COLUMN;
	int from = out->width, wider = indented ? (int)indent_of(t->deepest) : 0;

	if (column)
		line_puts(out, style, "  ");
	from = out->width;
	if (t->right[column]) {
		line_right(out, style, text, t->width[column]);
		return;
	}
	line_puts(out, style, text);
	if (column + 1 < t->n_columns)
		line_pad(out, from + t->width[column] + wider, false);
}

static void
answers_heading(struct view *v, struct line *out)
{
	struct answers *a = (struct answers *)v;

	for (size_t i = 0; i < a->table.n_columns; i++)
		put_cell(out, a, i, i == a->sorted && a->kind != ANSWER_PAIRS ? STYLE_HEADING | STYLE_MATCH : STYLE_HEADING,
			 a->table.column[i] ? a->table.column[i] : "");
}

static void
answers_row(struct view *v, size_t i, struct line *out)
{
	struct answers *a = (struct answers *)v;

	const struct answer_row *r = &a->table.row[i];

	for (size_t c = 0; c < a->table.n_columns; c++) {
		const char *text = r->cell[c].text ? r->cell[c].text : "";
		char name[MOST_INDENT + TEXT_MAX + 1];

		if (a->nested && a->kind == ANSWER_SPANS && c == NAME_COLUMN) {
			snprintf(name, sizeof name, "%*s%s", (int)indent_of(r->depth), "", text);
			text = name;
		}
		put_cell(out, a, c, STYLE_TEXT, text);
	}
}

static void
answers_status(struct view *v, struct line *out)
{
	struct answers *a = (struct answers *)v;
	char n[32], m[32];

	if (!a->done)
		return;
	if (a->kind == ANSWER_GROUPS && a->table.all > a->table.n) {	/* of groups there is nothing shorter */
		line_printf(out, STYLE_STATUS, _("%s of %s"), number_text(a->table.n, n), number_text(a->table.all, m));
		return;
	}
	line_printf(out, STYLE_STATUS, ngettext("%s line", "%s lines", a->table.n), number_text(a->table.n, n));
	if (a->table.all > a->table.n)
		line_printf(out, STYLE_STATUS, _(" of %s: the others are shorter"), number_text(a->table.all, m));
	for (int i = TN_SPAN_OPEN; i <= TN_SPAN_DOUBTFUL; i++)
		if (a->table.of_state[i])
			line_printf(out, STYLE_STATUS, ", %s %s", number_text(a->table.of_state[i], n),
				    tn_span_state_name((enum tn_span_state)i));
}

/* The same of other things: spans of a group, groups of the spans. */
static unsigned
ask_again(struct answers *a, enum answer_kind kind, const char *spans, const char *where)
{
	struct session *s = a->list.base.session;
	char *own_spans = strdup(spans ? spans : ""), *own_where = strdup(where ? where : "");
	struct tn_error err;

	if (own_spans && own_where) {
		free(s->answer.spans);
		free(s->answer.where);
		free(s->answer.by);
		free(s->answer.show);
		s->answer.kind = kind;
		s->answer.spans = own_spans;
		s->answer.where = own_where;
		s->answer.by = kind == ANSWER_GROUPS ? strdup("name") : NULL;
		s->answer.show = NULL;
		if (!start(a, &err))
			session_fail(s, "%s", err.text);
	} else {
		free(own_spans);
		free(own_where);
	}
	return VIEW_DONE | VIEW_REDRAW;
}

/* Enter on a group: its first key is what is looked at; of spans: they are. */
static unsigned
filter_for(struct answers *a, const struct answer_row *r)
{
	const struct answer_cell *c = &r->cell[0];
	struct session *s = a->list.base.session;
	bool number = !isnan(c->number);
	char *all = NULL;

	if (s->answer.spans && r->condition) {
		const char *where = s->answer.where ? s->answer.where : "";
		unsigned reply;

		if (asprintf(&all, *where && *r->condition ? "(%s) and %s" : "%s%s", where, r->condition) < 0)
			return VIEW_DONE;
		reply = ask_again(a, ANSWER_SPANS, s->answer.spans, all);
		free(all);
		return reply;
	}
	if (!a->table.n_keys || !c->text || s->answer.spans || strchr(c->text, '"') ||
	    strncmp(a->table.column[0], "time", 4) == 0) {
		session_say(s, _("no filter can say this value"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	free(a->list.base.wish);
	if (asprintf(&a->list.base.wish, number ? "%s == %s" : "%s == \"%s\"", a->table.column[0], c->text) < 0)
		a->list.base.wish = NULL;
	return VIEW_DONE | VIEW_FILTER;
}

static const char *
pair_of(const struct answer_row *r)
{
	return r->cell[1].text ? r->cell[1].text : "";
}

/* Kept for the next trace that has such events. */
static void
keep(struct answers *a, const char *definition, enum keep what)
{
	struct tn_error err;

	if (!kept_change(definition, what, &err))
		session_fail(a->list.base.session, _("the definition is not kept: %s"), err.text);
}

/* Something else is asked about the selected line: where that was. */
static void
leave(struct answers *a)
{
	const struct answer_row *r = a->list.selected < a->table.n ? &a->table.row[a->list.selected] : NULL;

	a->returns = false;
	if (r && a->kind == ANSWER_SPANS) {
		a->left.begin = r->begin;
		a->left.end = r->end;
		a->left.sorted = a->sorted;
	}
	if (r && a->kind == ANSWER_PAIRS) {
		free(a->left.pair);
		a->left.pair = strdup(pair_of(r));
	}
}

static void
select_span(struct answers *a, const struct tn_location *begin, const struct tn_location *end)
{
	size_t i = 0;

	while (i < a->table.n && (tn_location_compare(&a->table.row[i].begin, begin) != 0 ||
				  tn_location_compare(&a->table.row[i].end, end) != 0))
		i++;
	list_select(&a->list, i < a->table.n ? i : 0);
}

/* The cursor where it was before leave(). */
static void
come_back(struct answers *a)
{
	a->returns = false;
	if (a->kind == ANSWER_SPANS && a->table.n)
		select_span(a, &a->left.begin, &a->left.end);
	for (size_t i = 0; a->kind == ANSWER_PAIRS && a->left.pair && i < a->table.n; i++)
		if (strcmp(pair_of(&a->table.row[i]), a->left.pair) == 0)
			list_select(&a->list, i);
}

/* The list of pairs, again. */
static unsigned
show_pairs(struct answers *a)
{
	struct answer_wish *w = &a->list.base.session->answer;
	struct tn_error err;

	free(w->spans);
	free(w->where);
	w->spans = w->where = NULL;
	w->kind = ANSWER_SPANS;
	a->from_pairs = false;
	if (!start(a, &err))
		session_fail(a->list.base.session, "%s", err.text);
	return VIEW_DONE | VIEW_REDRAW;
}

/* Where it came from, if that was a list of answers. */
static unsigned
go_back(struct answers *a)
{
	struct answer_wish *w = &a->list.base.session->answer;

	if ((a->kind == ANSWER_GROUPS && a->from_spans) || a->kind == ANSWER_CHAIN) {
		a->from_spans = false;
		a->returns = true;
		return ask_again(a, ANSWER_SPANS, w->spans, w->where);
	}
	if (a->kind != ANSWER_SPANS || !a->from_pairs)
		return VIEW_PASS;
	a->returns = true;
	return show_pairs(a);
}

static unsigned
open_row(struct answers *a, bool end)
{
	const struct answer_row *r = &a->table.row[a->list.selected];

	if (a->kind == ANSWER_PAIRS && r->pair == PAIR_FOLD) {
		a->list.base.session->answer.unfolded = true;
		return show_pairs(a);
	}
	if (a->kind == ANSWER_PAIRS && r->pair == PAIR_WORDS)
		return VIEW_DONE;
	if (a->kind == ANSWER_PAIRS) {
		keep(a, pair_of(r), KEEP_TAKEN);
		leave(a);
		a->from_pairs = true;
		return ask_again(a, ANSWER_SPANS, pair_of(r), NULL);
	}
	if (a->kind == ANSWER_GROUPS)
		return filter_for(a, r);
	if (a->kind == ANSWER_CHAIN) {
		a->list.base.go = (struct place) { .kind = PLACE_TIME, .time_ns = end ? r->end_ns : r->begin_ns };
		return VIEW_DONE | VIEW_GO;
	}
	if (end ? !r->has_end : !r->has_begin)
		end = !end;
	a->list.base.go = (struct place) { .kind = PLACE_LOCATION, .location = end ? r->end : r->begin };
	return VIEW_DONE | VIEW_GO;
}

static unsigned
refuse(struct answers *a, struct answer_row *r)
{
	bool refused = r->pair == PAIR_REFUSED;
	const char *says = refused ? "" : _("refused");

	keep(a, pair_of(r), refused ? KEEP_NOTHING : KEEP_REFUSED);
	free(r->cell[0].text);
	table_cell(&a->table, r, 0, says, strlen(says), NAN);
	r->pair = refused ? PAIR_PROPOSED : PAIR_REFUSED;
	return VIEW_DONE | VIEW_REDRAW;
}

/* The command that made this, to be made another. */
static unsigned
change(struct answers *a)
{
	struct session *s = a->list.base.session;
	const struct answer_wish *w = &s->answer;
	bool pair = a->kind == ANSWER_PAIRS && a->list.selected < a->list.n && a->table.row[a->list.selected].pair < PAIR_FOLD;
	char **wish = &a->list.base.wish;
	int n;

	free(*wish);
	if (pair) {
		free(s->answer.changes);
		s->answer.changes = strdup(pair_of(&a->table.row[a->list.selected]));
		n = asprintf(wish, "span %s", pair_of(&a->table.row[a->list.selected]));
	} else if (a->kind == ANSWER_GROUPS) {
		n = asprintf(wish, "%s %s where ", w->spans ? "group" : "by", w->by && *w->by ? w->by : "name");
	} else {
		n = asprintf(wish, "span %s where ", w->spans ? w->spans : "");
	}
	if (n < 0)
		*wish = NULL;
	if (*wish && strchr(*wish, '\n'))
		(*wish)[strcspn(*wish, "\n")] = '\0';
	return VIEW_DONE | VIEW_ASK;
}

/* What the thread of a span waited for while it lasted, and whom. */
static unsigned
chain(struct answers *a, const struct answer_row *r)
{
	struct answer_wish *w = &a->list.base.session->answer;

	if (!r->has_times) {
		session_say(a->list.base.session, _("what has no begin or no end has no waits in between"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	w->chain_at = r->begin;
	w->chain_begin_ns = r->begin_ns;
	w->chain_end_ns = r->end_ns;
	leave(a);
	return ask_again(a, ANSWER_CHAIN, w->spans, w->where);
}

/* Spans in spans, or sorted as before; the cursor stays on its span. */
static unsigned
nest(struct answers *a)
{
	struct tn_location begin, end;
	size_t i = a->list.selected;

	if (i >= a->table.n)
		return VIEW_DONE;
	begin = a->table.row[i].begin;
	end = a->table.row[i].end;
	a->nested = !a->nested;
	sort(a);
	select_span(a, &begin, &end);
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
answers_act(struct view *v, const struct call *call)
{
	struct answers *a = (struct answers *)v;

	if (call->action == ACT_CHAIN && a->kind == ANSWER_SPANS && a->list.selected < a->list.n)
		return chain(a, &a->table.row[a->list.selected]);
	if (call->action == ACT_NEST && a->kind == ANSWER_SPANS)
		return nest(a);
	if (call->action == ACT_SORT && a->table.n_columns) {
		a->sorted = a->nested ? 0 : (a->sorted + 1) % a->table.n_columns;
		a->nested = false;
		sort(a);
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (call->action == ACT_FILTER && a->done && a->kind != ANSWER_CHAIN)
		return change(a);
	if (call->action == ACT_CLOSE)
		return go_back(a);
	if (call->action == ACT_STATISTICS && a->kind == ANSWER_SPANS) {
		a->from_spans = true;
		leave(a);
		return ask_again(a, ANSWER_GROUPS, a->list.base.session->answer.spans, a->list.base.session->answer.where);
	}
	if (call->action == ACT_REMOVE && a->kind == ANSWER_PAIRS && a->list.selected < a->list.n &&
	    a->table.row[a->list.selected].pair < PAIR_FOLD)
		return refuse(a, &a->table.row[a->list.selected]);
	if (a->list.selected >= a->list.n || (call->action != ACT_OPEN && call->action != ACT_SPAN_END))
		return VIEW_PASS;
	return open_row(a, call->action == ACT_SPAN_END);
}

const struct view_class answers_view = {
	.name = "answers",
	.title = N_("answers"),
	/* xgettext:no-c-format */
	.hint = N_("Enter begin  % end  Tab sorts  I nests  w waits  S groups  q back"),
	.size = sizeof(struct answers),
	.open = answers_open,
	.close = answers_close,
	.turn = answers_turn,
	.act = answers_act,
	.status = answers_status,
	.row = answers_row,
	.heading = answers_heading,
};
