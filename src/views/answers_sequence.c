/* answers_sequence.c - the first differences of two runs: two panes that scroll together, or a list of pairs */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/compare.h>

#include "answers.h"
#include "gettext.h"
#include "screen/side_by_side.h"

/* ---- the panes ---- */

static size_t
count(const struct answers *a)
{
	struct tn_sequence_totals totals = { 0 };

	tn_sequence_totals(a->sequence, &totals);
	return totals.rows;
}

/* Scroll so that some events before and after the row are visible. */
static void
show_row(struct answers *a, size_t row)
{
	const size_t before = a->list.base.area.rows > 3 ? (size_t)a->list.base.area.rows / 3 : 0;

	a->list.top = row > before ? row - before : 0;
	list_select(&a->list, row);
}

/* Move to the first difference. The last line shows how far the sides are equal. */
static void
show_parting(struct answers *a, bool updated)
{
	struct session *s = a->list.base.session;
	struct line said = { 0 };
	size_t row, n;

	a->list.base.hint = N_("Enter: event of the first  Tab: of the second  e E differences  q back");
	if (updated)	/* the cursor does not move */
		return;
	if (tn_sequence_difference(a->sequence, 0, &row, &n))
		show_row(a, row);
	side_by_side_parting(&said, a->sequence);
	session_say(s, "%s", said.text ? said.text : "");
	line_release(&said);
}

static void
put_aligned(const struct answers *a, size_t i, struct line *out)
{
	struct tn_sequence_row r;

	if (tn_sequence_row(a->sequence, i, &r))
		side_by_side_row(out, a->sequence, &r, a->list.base.area.cols);
}

static void
put_status(const struct answers *a, struct line *out)
{
	const size_t begun = tn_sequence_difference_at(a->sequence, a->list.selected + 1);
	struct tn_sequence_totals totals;
	char n[32], m[32];

	tn_sequence_totals(a->sequence, &totals);
	if (begun)
		line_printf(out, STYLE_STATUS, _("difference %s of %s  "), number_text(begun, n),
			    number_text(totals.differences, m));
	side_by_side_pair(out, a->sequence, &totals.pair);
}

/* Go to another difference; several adjacent rows are one difference. */
static unsigned
next_difference(struct answers *a, bool backward)
{
	size_t i = tn_sequence_difference_at(a->sequence, a->list.selected), row, n;
	bool some = tn_sequence_difference(a->sequence, i, &row, &n);

	if (!backward && some && row <= a->list.selected)
		some = tn_sequence_difference(a->sequence, i + 1, &row, &n);
	else if (backward && !(some && row < a->list.selected))
		some = i && tn_sequence_difference(a->sequence, i - 1, &row, &n);
	if (some)
		show_row(a, row);
	else
		session_say(a->list.base.session, "%s", _("there are no more differences"));
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
open_event(struct answers *a, bool second)
{
	struct session *s = a->list.base.session;
	struct tn_sequence_row r;

	if (!tn_sequence_row(a->sequence, a->list.selected, &r))
		return VIEW_DONE;
	if (second && s->answers.wish.other)
		return answers_say_other(a, NULL, false);
	if (r.has[second])
		return view_request_go(&a->list.base, &r.side[second].at);
	session_say(s, "%s", _("this side has no event here"));
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
act(struct answers *a, const struct call *call)
{
	switch (call->action) {
	case ACT_OPEN: case ACT_DETAILS: return open_event(a, false);
	case ACT_SORT: case ACT_SPAN_END: return open_event(a, true);
	case ACT_PROBLEM_NEXT: return next_difference(a, false);
	case ACT_PROBLEM_PREVIOUS: return next_difference(a, true);
	case ACT_CLOSE: return a->class->back(a);
	default: return VIEW_PASS;
	}
}

/* ---- the list of pairs ---- */

static unsigned
open_pair(struct answers *a, const struct answer_row *r, bool second)
{
	struct answer_wish *w = &a->list.base.session->answers.wish;
	char *by = r->condition ? strdup(r->condition) : NULL;

	(void)second;
	if (!by) {
		session_say(a->list.base.session, _("no such value on the other side: :sequence KEY=FIRST,SECOND aligns two"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	answers_leave(a, r, true);
	free(w->by);
	w->by = by;
	a->returns = false;
	return answers_start_again(a);
}

/* Return to the list of pairs, or to the comparison. */
static unsigned
back(struct answers *a)
{
	struct answer_wish *w = &a->list.base.session->answers.wish;

	if (a->n_before)
		return answers_back_from_spans(a);
	free(w->by);
	w->by = NULL;
	w->kind = ANSWER_DIFF;
	return answers_start_again(a);
}

static const char *
row_definition(const struct answer_row *r)
{
	return r->condition;
}

static const char *
no_events(const struct answer_request *ask)
{
	return ask->remark ? ask->remark : _("there are no such events");
}

static const struct answer_panes panes = {
	.count = count, .show = show_parting, .heading = side_by_side_heading, .row = put_aligned, .status = put_status, .act = act,
};

const struct answer_class answers_sequence = {
	.kind = ANSWER_SEQUENCE,
	.compares = true,
	.hint = N_("Enter aligns a pair  q back"),
	.no_waits = N_("this key needs a span, and this line has none"),
	.has_sides = true, .sorted = SIZE_MAX,
	.row_name = row_definition, .nothing = no_events,
	.open = open_pair, .back = back,
	.panes = &panes,
};
