#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "answers.h"
#include "gettext.h"
#include "session/chosen_spans.h"
#include "session/expression.h"

/*
 * The tables that a job makes from the events that match the filters: spans, groups of events or spans, and proposed
 * pairs. For a span, Enter goes to its begin and % to its end. For a pair, Enter shows its spans. For a group, Enter
 * filters by its key, or shows its spans. w shows what the span's thread waited for, S groups the spans, & changes a
 * pair, and Delete refuses it.
 */

static const struct answer_class *const classes[];

/* ---- the view ---- */

static bool
answers_open(struct view *v, struct tn_error *err)
{
	struct answers *a = (struct answers *)v;
	struct answer_place *left = &v->session->answers.wish.left;

	if (left->some && v->session->answers.wish.kind == ANSWER_SPANS && v->session->answers.wish.spans) {
		a->left = *left;
		a->left.row = NULL;
		a->returns = true;
		a->nested = left->nested;
		a->from_pairs = left->from_pairs;
	}
	left->some = false;
	a->classes = classes;
	return answers_start(a, err);
}

static void
answers_close(struct view *v)
{
	struct answers *a = (struct answers *)v;

	job_drop(a->job);
	job_drop(a->measuring_job);
	table_release(&a->table);
	tn_sequence_free(a->sequence);
	answers_drop_groups(a);
	free(a->left.row);
	answers_forget_left(a);
	free(a->made_of);
	answers_forget_excluded(a);
}

static unsigned
answers_turn(struct view *v)
{
	struct answers *a = (struct answers *)v;

	if (a->measuring && measuring_take(a->measuring, &a->table))
		return VIEW_REDRAW;
	/* A comparison of growing traces is made again at most once a second. */
	if (answers_is_comparison(a) && !a->job && v->session->traces.grows && a->settled_ns != v->session->traces.settled_ns &&
	    time(NULL) > a->made_s) {
		a->again_at = a->list.selected;
		a->updates = true;
		return answers_start_again(a);
	}
	return a->job ? VIEW_REDRAW : VIEW_PASS;
}

static void
answers_status(struct view *v, struct line *out)
{
	const struct answers *a = (struct answers *)v;
	const char *other = v->session->answers.wish.other;

	if (a->done && a->sequence)
		a->class->panes->status(a, out);
	else if (a->done)
		table_status(&a->table, a->class->kind, out);
	if (a->done && other) {
		line_puts(out, STYLE_STATUS, answers_of_two_selections(a->class->kind) ? _(", second: ") : _(", of "));
		/* The other half is for the title, the path of the first trace. */
		line_put_path(out, STYLE_STATUS, other, (v->area.cols - out->width) / 2);
	}
}

/* The filters have changed. */
static void
answers_again(struct view *v)
{
	struct answers *a = (struct answers *)v;

	char *now = answers_is_comparison(a) && a->done ? answers_asked_of(v->session) : NULL;
	bool same = now && a->made_of && strcmp(now, a->made_of) == 0;

	free(now);
	if (same)	/* the user went to the events of a row and came back */
		return;
	a->again_at = a->list.selected;
	a->returns = false;
	answers_start_again(a);
}

/* Exclude the selected row: for spans by a part of their condition, for groups of events by a filter. */
static unsigned
exclude(struct answers *a, char *condition)
{
	a->returns = false;
	return answers_exclude(a, condition) ? answers_start_again(a) : VIEW_DONE | VIEW_REDRAW;
}

static unsigned
exclude_span(struct answers *a, struct answer_row *r)
{
	return exclude(a, answers_span_condition(a, r));
}

static unsigned
exclude_group(struct answers *a, struct answer_row *r)
{
	bool some = r->condition && *r->condition;

	if (some && !a->list.base.session->answers.wish.spans)
		return view_request_text(&a->list.base, REQUEST_EXCLUDE, answers_not_group(a, r));
	return exclude(a, some ? strdup(r->condition) : NULL);
}

/* Ask the same question about a group's spans, or group the spans. */
static unsigned
ask_again(struct answers *a, enum answer_kind kind, const char *spans, const char *where)
{
	struct session *s = a->list.base.session;
	char *own_spans = strdup(spans ? spans : ""), *own_where = strdup(where ? where : "");

	if (own_spans && own_where) {
		answer_wish_release(&s->answers.wish);
		s->answers.wish.kind = kind;
		s->answers.wish.spans = own_spans;
		s->answers.wish.where = own_where;
		s->answers.wish.by = kind == ANSWER_GROUPS ? strdup("name") : NULL;
		s->answers.wish.show = NULL;
		s->answers.wish.sort = NULL;
		return answers_start_again(a);
	}
	free(own_spans);
	free(own_where);
	return VIEW_DONE | VIEW_REDRAW;
}

/* Open a group of events: filter by its keys. Open a group of spans: show the spans. */
static unsigned
open_group(struct answers *a, const struct answer_row *r, bool end)
{
	struct session *s = a->list.base.session;
	const char *where = s->answers.wish.where ? s->answers.wish.where : "";
	unsigned reply;
	char *all;

	(void)end;
	if (!r->condition || (!s->answers.wish.spans && !*r->condition)) {
		session_say(s, r->is_rest ? _("no filter can select these: there are too many keys") :
			    _("every event matches: no filter is needed"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (!s->answers.wish.spans)
		return view_request_text(&a->list.base, REQUEST_FILTER, strdup(r->condition));
	if (asprintf(&all, *where && *r->condition ? "(%s) and %s" : "%s%s", where, r->condition) < 0)
		return VIEW_DONE;
	answers_leave(a, r, false);
	a->returns = false;
	reply = ask_again(a, ANSWER_SPANS, s->answers.wish.spans, all);
	free(all);
	return reply;
}

static const char *
pair_of(const struct answer_row *r)
{
	return row_text(r, PAIR_TEXT);
}

/* Keep the definition for other traces that have such events. */
static void
keep(struct answers *a, const char *definition, enum keep what)
{
	struct tn_error err;

	if (!kept_change(definition, what, &err))
		session_fail(a->list.base.session, _("the definition is not stored: %s"), err.text);
}

/* Before another question about the selected row, note its place. */
static void
leave(struct answers *a)
{
	const struct answer_row *r = a->list.selected < a->table.n ? &a->table.row[a->list.selected] : NULL;

	a->returns = false;
	if (r && a->class->has_spans) {
		a->left.begin = r->begin;
		a->left.end = r->end;
		a->left.sorted = a->sorted;
	}
	if (r && a->class->has_pairs) {
		free(a->left.row);
		a->left.row = strdup(pair_of(r));
	}
}

/* Return to the list of answers from which this one was opened. */
static unsigned
back_to_spans(struct answers *a)
{
	const struct answer_wish *w = &a->list.base.session->answers.wish;

	a->from_spans = false;
	a->returns = true;
	return ask_again(a, ANSWER_SPANS, w->spans, w->where);
}

static unsigned
back_from_groups(struct answers *a)
{
	if (a->from_spans || !a->from_pairs)
		return a->from_spans ? back_to_spans(a) : VIEW_PASS;
	a->returns = true;
	return answers_show_pairs(a);
}

static unsigned
back_from_chain(struct answers *a)
{
	return a->list.base.session->answers.wish.spans ? back_to_spans(a) : VIEW_PASS;
}

static unsigned
open_question(struct answers *a, const struct tn_ready_question *q)
{
	struct session *s = a->list.base.session;
	struct answer_wish *w = &s->answers.wish;

	leave(a);
	a->from_pairs = true;
	answer_wish_release(w);
	w->kind = ANSWER_GROUPS;
	w->spans = *q->spans ? strdup(q->spans) : NULL;
	w->by = tn_ready_question_keys(q, s->traces.set);
	w->show = strdup(q->show);
	w->where = *q->where ? strdup(q->where) : NULL;
	w->sort = q->sort;
	return answers_start_again(a);
}

static unsigned
open_pair(struct answers *a, const struct answer_row *r, bool end)
{
	(void)end;
	if (r->pair == PAIR_FOLD) {
		a->list.base.session->answers.wish.unfolded = true;
		return answers_show_pairs(a);
	}
	if (r->pair == PAIR_WORDS)
		return VIEW_DONE;
	if (r->pair == PAIR_QUESTION)
		return open_question(a, r->question);
	keep(a, pair_of(r), KEEP_TAKEN);
	leave(a);
	a->from_pairs = true;
	return ask_again(a, ANSWER_SPANS, pair_of(r), NULL);
}

static unsigned
open_link(struct answers *a, const struct answer_row *r, bool end)
{
	return view_request_time(&a->list.base, end ? r->end_ns : r->begin_ns);
}

static unsigned
open_span(struct answers *a, const struct answer_row *r, bool end)
{
	struct answer_place *left = &a->list.base.session->answers.wish.left;

	if (end ? !r->has_end : !r->has_begin)
		end = !end;
	free(left->row);
	*left = (struct answer_place) {
		.some = true, .begin = r->begin, .end = r->end, .sorted = a->sorted, .nested = a->nested,
		.from_pairs = a->from_pairs,
	};
	return view_request_go(&a->list.base, end ? &r->end : &r->begin);
}

static unsigned
refuse(struct answers *a, struct answer_row *r)
{
	bool refused = r->pair == PAIR_REFUSED;
	const char *says = refused ? "" : _("hidden");

	if (r->pair >= PAIR_FOLD)
		return VIEW_PASS;
	keep(a, pair_of(r), refused ? KEEP_NOTHING : KEEP_REFUSED);
	table_text(&a->table, r, 0, says);
	r->pair = refused ? PAIR_PROPOSED : PAIR_REFUSED;
	return VIEW_DONE | VIEW_REDRAW;
}

static bool
change_spans(const struct answers *a, char **command)
{
	const struct answer_wish *w = &a->list.base.session->answers.wish;

	return asprintf(command, "span %s where ", w->spans ? w->spans : "") >= 0;
}

static bool
change_pair(const struct answers *a, char **command)
{
	struct answer_wish *w = &a->list.base.session->answers.wish;
	const struct answer_row *r = a->list.selected < a->list.n ? &a->table.row[a->list.selected] : NULL;

	if (!r || r->pair >= PAIR_FOLD)
		return change_spans(a, command);
	free(w->changes);
	w->changes = strdup(pair_of(r));
	return asprintf(command, "span %s", pair_of(r)) >= 0;
}

static bool
change_groups(const struct answers *a, char **command)
{
	const struct answer_wish *w = &a->list.base.session->answers.wish;

	return asprintf(command, "%s %s where ", w->spans ? "group" : "by", w->by && *w->by ? w->by : "name") >= 0;
}

/* Get the command that made this answer, so that the user can change it. */
static unsigned
change(struct answers *a)
{
	char *command;

	if (!a->class->change(a, &command))
		return VIEW_DONE;
	command[strcspn(command, "\n")] = '\0';
	return view_request_text(&a->list.base, REQUEST_COMMAND, command);
}

static int64_t
thread_of(const struct table *t, const struct answer_row *r)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (r->keys & UINT32_C(1) << i && tn_chain_is_thread(tn_table_column_name(t->form, i)) &&
		    r->cell[i].number.kind == TN_ANSWER_UINT && r->cell[i].number.is.u <= INT32_MAX)
			return r->cell[i].number.is.i;
	return -1;
}

/* Show why the thread of a span waited during the span, and for which threads. */
static unsigned
chain(struct answers *a, const struct answer_row *r)
{
	struct answer_wish *w = &a->list.base.session->answers.wish;

	if (!r->has_times) {
		session_say(a->list.base.session, _("a span without a begin or an end has no chain of waits"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	w->chain_at = r->begin;
	w->chain_begin_ns = r->begin_ns;
	w->chain_end_ns = r->end_ns;
	w->chain_tid = thread_of(&a->table, r);
	leave(a);
	return ask_again(a, ANSWER_CHAIN, w->spans, w->where);
}

/* Show spans inside of the spans that contain them, or sort as before. The cursor stays on its span. */
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
	answers_sort(a);
	answers_select_span(a, &begin, &end);
	return VIEW_DONE | VIEW_REDRAW;
}

/* K and l follow the span, from its begin event on. */
static unsigned
follow(struct answers *a, const struct call *call)
{
	unsigned reply = open_span(a, &a->table.row[a->list.selected], false);

	a->list.base.request.is.go.then = *call;
	a->list.base.request.is.go.then.of_row = true;
	return reply;
}

static unsigned
say_no_waits(const struct answers *a)
{
	struct session *s = a->list.base.session;

	session_say(s, "%s", !a->done ? _("the answer is not complete yet: wait until it is") :
		    a->class->has_groups && s->answers.wish.spans ?
		    _("this key needs one span: Enter shows the spans of the group") : _(a->class->no_waits));
	return VIEW_DONE | VIEW_REDRAW;
}

static const char *
sort_of_spans(const struct answers *a, size_t column)
{
	static const char *const names[] = { "duration", "state", "begin", "name" };

	return column < sizeof names / sizeof *names ? names[column] : tn_table_column_name(a->table.form, column);
}

static const char *
sort_of_groups(const struct answers *a, size_t column)
{
	return tn_table_column_name(a->table.form, column);
}

static const char *
key_of_spans(const struct answers *a, size_t column)
{
	return column == 3 ? "name" : tn_table_column_name(a->table.form, column);
}

/* Headings are translated. */
static const char *
key_of_chain(const struct answers *a, size_t column)
{
	(void)a;
	return column == 2 || column == 4 ? "tid" : "";
}

static bool
answers_command(struct view *v, void (*word)(void *user, const char *word), void *user)
{
	const struct answers *a = (struct answers *)v;

	if (answers_is_comparison(a))
		answers_compare_words(v->session, word, user);
	if (!a->class->sort_name || v->session->answers.wish.other)
		return answers_is_comparison(a);
	answers_words(v->session, a->class->kind, a->nested ? "begin" : !a->done || a->sorted >= a->table.n_columns ? NULL :
		      a->class->sort_name(a, a->sorted), word, user);
	return true;
}

static const char *
no_spans(const struct answer_request *ask)
{
	(void)ask;
	return _("there are no such spans");
}

static const char *
no_groups(const struct answer_request *ask)
{
	return *ask->spans ? _("there are no such spans, so no groups") : _("no event matches: there are no groups");
}

static const char *
no_links(const struct answer_request *ask)
{
	return ask->remark ? ask->remark : "";
}

static const char *
condition_of(const struct answer_row *r)
{
	return r->condition;
}

/* Handle keys for the selected span. */
static unsigned
act_on_span(struct answers *a, const struct call *call)
{
	const struct answer_row *r = a->list.selected < a->list.n ? &a->table.row[a->list.selected] : NULL;
	const struct answer_wish *w = &a->list.base.session->answers.wish;

	if (w->other && answers_asks_of(call->action))
		return answers_say_other(a, r, false);
	switch (call->action) {
	case ACT_WHY: return r ? answers_why_long(a, r) : VIEW_PASS;
	case ACT_TRAVEL: case ACT_LADDER: return r ? follow(a, call) : VIEW_PASS;
	case ACT_CHAIN: return r ? chain(a, r) : say_no_waits(a);
	case ACT_NEST: return nest(a);
	case ACT_STATISTICS:
		a->from_spans = true;
		leave(a);
		return ask_again(a, ANSWER_GROUPS, w->spans, w->where);
	default: return VIEW_PASS;
	}
}

static const struct answer_class spans_class = {
	.kind = ANSWER_SPANS,
	.has_spans = true,
	.no_waits = N_("this key needs a span, and this line has none"),
	.sorts = true,
	.nothing = no_spans,
	.open = open_span, .back = answers_back_from_spans, .change = change_spans, .sort_name = sort_of_spans,
	.key_name = key_of_spans, .act = act_on_span, .exclude = exclude_span,
}, pairs_class = {
	.kind = ANSWER_PAIRS,
	.has_pairs = true,
	.hint = N_("Enter shows its spans  & edits  Del hides  q back"),
	.no_waits = N_("this key needs spans: Enter shows the spans of the pair"),
	.row_name = pair_of, .nothing = no_groups,
	.open = open_pair, .change = change_pair, .exclude = refuse,
}, groups_class = {
	.kind = ANSWER_GROUPS,
	.has_groups = true,
	.hint = N_("Enter filters for it  Tab sorts  & a condition  q back"),
	.no_waits = N_("this key needs spans, and these are events: A shows spans"),
	.sorts = true,
	.row_name = condition_of, .nothing = no_groups,
	.open = open_group, .back = back_from_groups, .change = change_groups, .sort_name = sort_of_groups,
	.exclude = exclude_group,
}, chain_class = {
	.kind = ANSWER_CHAIN,
	.hint = N_("Enter goes there  %: its end  q back"),
	.no_waits = N_("this key needs a span, and this line has none"),
	.sorts = true, .sorted = SIZE_MAX,
	.nothing = no_links,
	.open = open_link, .back = back_from_chain, .key_name = key_of_chain,
};

static const struct answer_class *const classes[] = {
	[ANSWER_DIFF] = &answers_diff, [ANSWER_WHY] = &answers_why, [ANSWER_LINES] = &answers_lines,
	[ANSWER_SEQUENCE] = &answers_sequence,
	[ANSWER_SPANS] = &spans_class, [ANSWER_PAIRS] = &pairs_class,
	[ANSWER_GROUPS] = &groups_class, [ANSWER_CHAIN] = &chain_class,
};

static unsigned
answers_act(struct view *v, const struct call *call)
{
	struct answers *a = (struct answers *)v;
	unsigned reply = a->class->act ? a->class->act(a, call) : VIEW_PASS;
	struct answer_row *r = a->list.selected < a->table.n ? &a->table.row[a->list.selected] : NULL;

	if (a->sequence)
		return a->class->panes->act(a, call);
	if (reply != VIEW_PASS)
		return reply;
	if (a->class->has_sides && call->action == ACT_SORT)
		return r ? a->class->open(a, r, true) : VIEW_DONE;
	switch (call->action) {
	case ACT_CHAIN: case ACT_NEST: return say_no_waits(a);
	case ACT_SORT: return a->table.n_columns ? answers_sort_next(a) : VIEW_PASS;
	case ACT_FILTER: return a->done && a->class->change ? change(a) : VIEW_PASS;
	case ACT_CLOSE: return a->class->back ? a->class->back(a) : VIEW_PASS;
	case ACT_REMOVE: return r && a->class->has_pairs ? refuse(a, r) : VIEW_PASS;
	case ACT_EXCLUDE: return r && a->class->exclude ? a->class->exclude(a, r) : VIEW_PASS;
	case ACT_FILTER_REMOVE: return answers_include(a) ? answers_start_again(a) : VIEW_PASS;
	case ACT_OPEN: return r ? a->class->open(a, r, false) : VIEW_PASS;
	case ACT_SPAN_END: return r ? a->class->open(a, r, true) : VIEW_PASS;
	default: return VIEW_PASS;
	}
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
	.again = answers_again,
	.act = answers_act,
	.status = answers_status,
	.command = answers_command,
	.row = answers_row,
	.heading = answers_heading,
};
