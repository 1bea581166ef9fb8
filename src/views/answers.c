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
#include "screen/canvas.h"
#include "session/chosen_spans.h"

/*
 * Spans, groups of events or spans, and the pairs that are proposed: tables that a job makes of the events that
 * pass the filters. Enter goes to a span's begin, % to its end; takes a pair; filters for a group's key, or shows the
 * spans of a group. w tells what a span's thread waited for, S makes groups of the spans, & changes, Delete refuses a pair.
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
	struct answer_place left;	/* where the cursor was, there */
	struct answer_wish groups_left;	/* spans of a group are shown: what the groups were asked by; owned */
	struct answer_place group_left;
	bool returns;		/* the answer that is looked for is the one that was left */
	struct tn_groups *groups;	/* when not all of them are rows; of these: */
	struct tn_spans *definitions;
};

static void sort(struct answers *a);
static void come_back(struct answers *a);

static void
drop_groups(struct answers *a)
{
	tn_groups_free(a->groups);
	tn_spans_free(a->definitions);
	a->groups = NULL;
	a->definitions = NULL;
}

static void
tell(struct answers *a, const struct job *job)
{
	const struct asking_for *ask = job->data;
	struct session *s = a->list.base.session;
	char n[32];

	free(a->list.instead);
	a->list.instead = NULL;
	if (job->code < 0 && job->code != TN_ERR_CANCELLED) {
		session_fail(s, "%s", job->error.text);
		a->list.instead = line_safe_copy(job->error.text, strlen(job->error.text));
	} else if (job->code == TN_OK && !a->table.n)
		session_say(s, "%s", a->kind == ANSWER_SPANS ? _("there are no such spans") :
			    *ask->spans ? _("there are no such spans, and no groups of them") :
			    _("no event passes: there are no groups"));
	else if (ask->remark && !ask->sorts)
		session_say(s, "%s", ask->remark);
	else if (a->table.dropped)
		session_say(s, ngettext("%s value found no room and is not known: ask for fewer groups, or a range",
					"%s values found no room and are not known: ask for fewer groups, or a range",
					a->table.dropped), number_text(a->table.dropped, n));
	else if (a->table.without && !ask->sorts)
		session_say(s, ngettext("%s event has none of the keys and is in no group",
					"%s events have none of the keys and are in no group", a->table.without),
			    number_text(a->table.without, n));
	if (ask->cut)
		session_say(s, "%s", _("the chain is longer than what is told: ask about a shorter span"));
}

static void
answers_end(struct job *job)
{
	struct asking_for *ask = job->data;
	struct answers *a = ask->view;

	a->job = NULL;
	a->done = true;
	if (!ask->sorts || job->code == TN_OK) {
		table_release(&a->table);
		a->table = ask->table;
		ask->table = (struct table) { 0 };
	}
	drop_groups(a);
	a->groups = ask->groups;
	a->definitions = ask->definitions;
	ask->groups = NULL;
	ask->definitions = NULL;
	a->list.n = a->table.n;
	tell(a, job);
	a->sorted = a->kind == ANSWER_GROUPS ? ask->sort_by : a->kind == ANSWER_CHAIN ? SIZE_MAX : 0;
	if (a->returns && a->left.sorted != SIZE_MAX && a->kind != ANSWER_PAIRS && a->kind != ANSWER_CHAIN)
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

/* NULL: memory is out. */
static struct asking_for *
answers_ask(struct answers *a, const struct session *s)
{
	const struct answer_wish *w = &s->answer;
	struct asking_for *ask = calloc(1, sizeof *ask);

	if (!ask)
		return NULL;
	ask->view = a;
	ask->kind = a->kind;
	ask->sort = w->sort;
	ask->spans = strdup(w->spans ? w->spans : "");
	ask->by = strdup(w->by ? w->by : "");
	ask->show = strdup(w->show ? w->show : w->spans ? OF_SPANS : "count");
	ask->where = strdup(w->where ? w->where : "");
	ask->utf8 = s->utf8;
	ask->chain_at = w->chain_at;
	ask->chain_begin_ns = w->chain_begin_ns;
	ask->chain_end_ns = w->chain_end_ns;
	ask->chain_tid = w->chain_tid;
	memcpy(ask->same, s->settings.same, sizeof ask->same);
	ask->unfolded = w->unfolded;
	if (!ask->spans || !ask->by || !ask->show || !ask->where) {
		answers_free(ask);
		return NULL;
	}
	return ask;
}

static bool
start(struct answers *a, struct tn_error *err)
{
	struct session *s = a->list.base.session;
	const struct answer_wish *w = &s->answer;
	struct asking_for *ask;

	strcpy(err->text, "out of memory");
	a->kind = w->kind == ANSWER_SPANS && !w->spans ? ANSWER_PAIRS : w->kind;
	ask = answers_ask(a, s);
	if (!ask)
		return false;
	ask->sort_by = a->returns ? a->left.sorted : SIZE_MAX;
	a->list.base.no_hint = a->kind == ANSWER_PAIRS;	/* the heading has its keys */
	a->list.base.hint = a->kind == ANSWER_CHAIN ? N_("Enter goes there  its end: %  q back") : a->kind != ANSWER_GROUPS ? NULL :
			    *(w->spans ? w->spans : "") ? N_("Enter shows its spans  Tab sorts  & a condition  q back") :
			    N_("Enter filters for it  Tab sorts  & a condition  q back");
	job_drop(a->job);	/* it may still look for what was asked before */
	a->job = NULL;
	table_release(&a->table);
	drop_groups(a);
	a->list.n = a->list.top = a->list.selected = 0;
	a->done = a->up = false;
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

/* Of a wish: its texts. */
static bool
copy_wish(struct answer_wish *to, const struct answer_wish *from)
{
	to->kind = from->kind;
	to->sort = from->sort;
	to->spans = from->spans ? strdup(from->spans) : NULL;
	to->by = from->by ? strdup(from->by) : NULL;
	to->show = from->show ? strdup(from->show) : NULL;
	to->where = from->where ? strdup(from->where) : NULL;
	return (!from->spans || to->spans) && (!from->by || to->by) && (!from->show || to->show) && (!from->where || to->where);
}

static void
release_wish(struct answer_wish *w)
{
	free(w->spans);
	free(w->by);
	free(w->show);
	free(w->where);
	w->spans = w->by = w->show = w->where = NULL;
}

static bool
answers_open(struct view *v, struct tn_error *err)
{
	struct answers *a = (struct answers *)v;
	struct answer_place *left = &v->session->answer.left;

	if (left->some && v->session->answer.kind == ANSWER_SPANS && v->session->answer.spans) {
		a->left = *left;
		a->left.row = NULL;
		a->returns = true;
		a->nested = left->nested;
		a->from_pairs = left->from_pairs;
	}
	left->some = false;
	return start(a, err);
}

static void
answers_close(struct view *v)
{
	struct answers *a = (struct answers *)v;

	job_drop(a->job);
	table_release(&a->table);
	drop_groups(a);
	free(a->left.row);
	free(a->group_left.row);
	release_wish(&a->groups_left);
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
	int order = ((const struct answer_row *)x)->is_rest - ((const struct answer_row *)y)->is_rest;

	if (order)
		return order;
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

	if (!order && a->has_end != b->has_end)	/* what is open is the outer one */
		order = a->has_end - b->has_end;
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

	for (size_t i = 0; i < a->table.n_columns; i++) {
		const char *name = a->table.column[i] ? a->table.column[i] : "";
		char cut[TEXT_MAX + 8];

		if (a->kind == ANSWER_GROUPS && !a->table.right[i] && (int)strlen(name) > a->table.width[i]) {
			snprintf(cut, sizeof cut, "%.*s>", a->table.width[i] - 1, name);
			name = cut;
		}
		put_cell(out, a, i, i == a->sorted && a->kind != ANSWER_PAIRS ? STYLE_HEADING | STYLE_MATCH : STYLE_HEADING, name);
	}
}

/*
 * A pair that is too wide: its key and its name, which stand last, tell more than the ends of its events. Right shows it all.
 * False: it fits, or nothing of it can be left out so.
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
		line_puts(out, STYLE_DIM, "~");
		line_puts(out, STYLE_TEXT, tail);
		return true;
	}
	return false;
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
		if (a->kind == ANSWER_PAIRS && c == 1 && r->pair < PAIR_FOLD) {
			line_puts(out, STYLE_TEXT, "  ");
			if (!put_pair(out, a, text))
				line_puts(out, STYLE_TEXT, text);
			continue;
		}
		put_cell(out, a, c, STYLE_TEXT, text);
	}
}

static void
answers_status(struct view *v, struct line *out)
{
	const struct answers *a = (struct answers *)v;

	if (a->done)
		table_status(&a->table, a->kind, out);
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
		s->answer.sort = NULL;
		if (!start(a, &err))
			session_fail(s, "%s", err.text);
	} else {
		free(own_spans);
		free(own_where);
	}
	return VIEW_DONE | VIEW_REDRAW;
}

static void leave(struct answers *a);

/* Enter on a group: its keys are what is looked at; of spans: they are. */
static unsigned
filter_for(struct answers *a, const struct answer_row *r)
{
	struct session *s = a->list.base.session;
	const char *where = s->answer.where ? s->answer.where : "";
	unsigned reply;
	char *all;

	if (!r->condition || (!s->answer.spans && !*r->condition)) {
		session_say(s, r->is_rest ? _("no filter can say which these are: there are too many keys") :
			    _("this is all there is: no filter is needed"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (!s->answer.spans) {
		free(a->list.base.wish);
		a->list.base.wish = strdup(r->condition);
		return VIEW_DONE | VIEW_FILTER;
	}
	if (asprintf(&all, *where && *r->condition ? "(%s) and %s" : "%s%s", where, r->condition) < 0)
		return VIEW_DONE;
	release_wish(&a->groups_left);
	free(a->group_left.row);
	if (copy_wish(&a->groups_left, &s->answer))
		a->group_left = (struct answer_place) { .some = true, .row = strdup(r->condition), .sorted = a->sorted };
	a->returns = false;
	reply = ask_again(a, ANSWER_SPANS, s->answer.spans, all);
	free(all);
	return reply;
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
		free(a->left.row);
		a->left.row = strdup(pair_of(r));
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
	for (size_t i = 0; (a->kind == ANSWER_PAIRS || a->kind == ANSWER_GROUPS) && a->left.row && i < a->table.n; i++) {
		const struct answer_row *r = &a->table.row[i];
		const char *what = a->kind == ANSWER_PAIRS ? pair_of(r) : r->condition;

		if (what && strcmp(what, a->left.row) == 0)
			list_select(&a->list, i);
	}
}

/* The groups, whose spans were shown. */
static unsigned
show_groups(struct answers *a)
{
	struct answer_wish *w = &a->list.base.session->answer;
	struct tn_error err;

	release_wish(w);
	free(a->left.row);
	a->left = a->group_left;
	a->group_left = (struct answer_place) { .some = false };
	w->kind = a->groups_left.kind;
	w->sort = a->groups_left.sort;
	w->spans = a->groups_left.spans;
	w->by = a->groups_left.by;
	w->show = a->groups_left.show;
	w->where = a->groups_left.where;
	a->groups_left = (struct answer_wish) { .kind = ANSWER_GROUPS };
	a->returns = true;
	if (!start(a, &err))
		session_fail(a->list.base.session, "%s", err.text);
	return VIEW_DONE | VIEW_REDRAW;
}

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

	if ((a->kind == ANSWER_GROUPS && a->from_spans) || (a->kind == ANSWER_CHAIN && w->spans)) {
		a->from_spans = false;
		a->returns = true;
		return ask_again(a, ANSWER_SPANS, w->spans, w->where);
	}
	if (a->kind == ANSWER_SPANS && a->group_left.some)
		return show_groups(a);
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
	free(a->list.base.session->answer.left.row);
	a->list.base.session->answer.left = (struct answer_place) {
		.some = true, .begin = r->begin, .end = r->end, .sorted = a->sorted, .nested = a->nested,
		.from_pairs = a->from_pairs,
	};
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

static int64_t
thread_of(const struct table *t, const struct answer_row *r)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (r->keys & UINT32_C(1) << i && tn_chain_is_thread(t->column[i]) && r->cell[i].number >= 0 &&
		    r->cell[i].number <= INT32_MAX)
			return (int64_t)r->cell[i].number;
	return -1;
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
	w->chain_tid = thread_of(&a->table, r);
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

/* The next column; groups that are no rows come from where all of them are. */
static unsigned
sort_next(struct answers *a)
{
	struct asking_for *ask;

	if (a->job) {
		session_say(a->list.base.session, _("it is still being made"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	a->sorted = a->nested ? 0 : (a->sorted + 1) % a->table.n_columns;
	a->nested = false;
	if (!a->groups || !tn_groups_column(a->groups, a->sorted)) {
		sort(a);
		return VIEW_DONE | VIEW_REDRAW;
	}
	ask = answers_ask(a, a->list.base.session);
	if (!ask)
		return VIEW_DONE;
	ask->groups = a->groups;
	ask->definitions = a->definitions;
	a->groups = NULL;
	a->definitions = NULL;
	ask->sorts = true;
	ask->sort_by = a->sorted;
	a->returns = false;
	a->job = job_start(a->list.base.session, &answers_class, ask);
	return VIEW_DONE | VIEW_REDRAW;
}

/* K and l follow the span: from the event that begins it. */
static unsigned
follow(struct answers *a, const struct call *call)
{
	unsigned reply = open_row(a, false);

	a->list.base.call = *call;
	return reply & VIEW_GO ? reply | VIEW_THEN : reply;
}

static bool
answers_command(struct view *v, void (*word)(void *user, const char *word), void *user)
{
	static const char *const columns[] = { "duration", "state", "begin", "name" };
	const struct answers *a = (struct answers *)v;

	if (a->kind != ANSWER_SPANS && a->kind != ANSWER_GROUPS)
		return false;
	answers_words(v->session, a->kind, a->nested ? "begin" : !a->done || a->sorted >= a->table.n_columns ? NULL :
		      a->kind == ANSWER_SPANS && a->sorted < 4 ? columns[a->sorted] : a->table.column[a->sorted], word, user);
	return true;
}

static unsigned
answers_act(struct view *v, const struct call *call)
{
	struct answers *a = (struct answers *)v;

	if ((call->action == ACT_TRAVEL || call->action == ACT_LADDER) && a->kind == ANSWER_SPANS && a->list.selected < a->list.n)
		return follow(a, call);

	if (call->action == ACT_CHAIN && a->kind == ANSWER_SPANS && a->list.selected < a->list.n)
		return chain(a, &a->table.row[a->list.selected]);
	if (call->action == ACT_NEST && a->kind == ANSWER_SPANS)
		return nest(a);
	if (call->action == ACT_CHAIN || call->action == ACT_NEST) {
		session_say(a->list.base.session, !a->done ? _("this is not known yet") :
			    a->kind == ANSWER_PAIRS ? _("this is of spans: Enter shows those of the pair") :
			    a->kind != ANSWER_GROUPS ? _("this is of a span, and here is none") :
			    a->list.base.session->answer.spans ? _("this is of one span: Enter shows those of the group") :
			    _("this is of spans, and these are events: A has spans"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (call->action == ACT_SORT && a->table.n_columns)
		return sort_next(a);
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
	.command = answers_command,
	.row = answers_row,
	.heading = answers_heading,
};
