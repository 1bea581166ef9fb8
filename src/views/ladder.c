#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/table.h>

#include "gettext.h"
#include "list.h"
#include "screen/charset.h"
#include "screen/rungs.h"

/*
 * The events that match the filters, one in each row, in lanes: the streams, threads, processes or processors between
 * which they travel, with arrows. A job reads the events. Tab shows the next kind of lanes.
 */
#define TIME_WIDTH 9
#define NAME_WIDTH 24		/* smallest width of the name, after the lanes */

/* The ladder while the job reads it. */
struct rungs {
	struct tn_ladder *ladder;
	struct ladder *view;	/* for the app's thread only */
};

struct ladder {
	struct list_view list;
	struct job *job;
	struct tn_ladder *ladder;	/* NULL: nothing is read yet */
	size_t kind;
	const struct query *query;	/* query for which it was read */
};

/* ---- the job ---- */

static void
rungs_free(void *data)
{
	struct rungs *r = data;

	if (r)
		tn_ladder_free(r->ladder);
	free(r);
}

static void
ladder_run(struct job *job)
{
	struct rungs *r = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	enum tn_code rc = tn_ladder_new(&r->ladder, job->q.set, rungs_kind, RUNGS_KINDS, &job->error);

	job->code = rc == TN_OK ? tn_ladder_run(r->ladder, &scan, LADDER_RUNGS, &job->error) : rc;
}

static void
ladder_end(struct job *job)
{
	struct rungs *r = job->data;
	struct ladder *l = r->view;
	struct session *s = l->list.base.session;
	struct tn_rung rung;

	l->job = NULL;
	if (job->code != TN_OK && job->code != TN_ERR_CANCELLED)
		session_fail(s, "%s", job->error.text);
	if (!r->ladder)
		return;
	tn_ladder_free(l->ladder);
	l->ladder = r->ladder;
	r->ladder = NULL;
	l->kind = tn_ladder_best(l->ladder, LADDER_LANES);
	l->list.n = tn_ladder_count(l->ladder);
	for (size_t i = 0; s->here.has_row && tn_ladder_rung(l->ladder, l->kind, i, &rung); i++)
		if (tn_location_compare(&rung.at, &s->here.row.location) == 0)
			l->list.selected = i;
}

static const struct job_class ladder_class = {
	.label = N_("reading the events"),
	.run = ladder_run, .finish = ladder_end, .cancelled = ladder_end, .free = rungs_free,
};

/* ---- the view ---- */

static unsigned
ladder_prepare(struct view *v)
{
	struct ladder *l = (struct ladder *)v;
	struct rungs *r;

	if (l->query == v->session->asks.query)
		return VIEW_PASS;
	l->query = v->session->asks.query;
	job_drop(l->job);
	l->job = NULL;
	r = calloc(1, sizeof *r);
	if (!r)
		return VIEW_PASS;
	r->view = l;
	l->job = job_start(v->session, &ladder_class, r);
	return VIEW_PASS;
}

static void
ladder_close(struct view *v)
{
	struct ladder *l = (struct ladder *)v;

	job_drop(l->job);
	tn_ladder_free(l->ladder);
}

static unsigned
ladder_turn(struct view *v)
{
	return ((struct ladder *)v)->job ? VIEW_REDRAW : VIEW_PASS;
}

/* The number of lanes that are drawn. */
static size_t
lanes_shown(const struct ladder *l)
{
	size_t n = l->ladder ? tn_ladder_lanes(l->ladder, l->kind, NULL) : 0;

	return n < LADDER_LANES ? n : LADDER_LANES;
}

static int
lane_width(const struct ladder *l)
{
	return rungs_width(lanes_shown(l), l->list.base.area.cols - TIME_WIDTH - 1 - NAME_WIDTH);
}

static void
ladder_heading(struct view *v, struct line *out)
{
	struct ladder *l = (struct ladder *)v;
	int width = lane_width(l);
	const struct tn_nicknames *names =
		l->ladder && session_has_nicknames(v->session, rungs_kind[l->kind]) ? session_nicknames(v->session) : NULL;

	line_right(out, STYLE_HEADING, _("since"), TIME_WIDTH);
	line_puts(out, STYLE_HEADING, " ");
	for (size_t i = 0; i < lanes_shown(l); i++) {
		const struct tn_answer_value lane = tn_answer_text(tn_ladder_lane(l->ladder, l->kind, i));

		rungs_heading(out, lane.text, tn_nicknames_find(names, rungs_kind[l->kind], NULL, &lane), width);
	}
	line_puts(out, STYLE_HEADING, _("event"));
}

/* Names usually differ at their end, so the end is kept, as in the list of events. */
static void
put_name(struct line *out, const char *name, int cols)
{
	char *safe = line_safe_copy(name, strlen(name));
	int room = cols - out->width;
	bool cut = safe && room > 1 && text_width(safe, strlen(safe)) > room;

	if (safe && cut)
		line_puts(out, STYLE_DIM, charset_cut());
	if (safe)
		line_puts(out, STYLE_TEXT, safe + (cut ? text_skip(safe, strlen(safe), room - 1) : 0));
	free(safe);
}

static void
ladder_row(struct view *v, size_t i, struct line *out)
{
	struct ladder *l = (struct ladder *)v;
	struct tn_rung rung, first;
	char text[32] = "";

	if (!l->ladder || !tn_ladder_rung(l->ladder, l->kind, i, &rung) || !tn_ladder_rung(l->ladder, l->kind, 0, &first))
		return;
	if (rung.has_time && first.has_time)
		span_short(rung.time_ns - first.time_ns, v->session->utf8, text);
	line_right(out, STYLE_TIME, text, TIME_WIDTH);
	line_puts(out, STYLE_TEXT, " ");
	rungs_row(out, lanes_shown(l), rung.from, rung.lane, lane_width(l), v->session->utf8);
	put_name(out, rung.name, v->area.cols);
}

static void
ladder_status(struct view *v, struct line *out)
{
	static const char *const names[RUNGS_KINDS] = { N_("streams"), N_("threads"), N_("processes"), N_("processors") };
	struct ladder *l = (struct ladder *)v;
	size_t lanes;
	char n[32];

	if (!l->ladder)
		return;
	lanes = tn_ladder_lanes(l->ladder, l->kind, NULL);
	if (tn_ladder_has_more(l->ladder))
		line_printf(out, STYLE_STATUS, _("the first %s events (& or K: fewer)"), number_text(l->list.n, n));
	else
		line_printf(out, STYLE_STATUS, ngettext("%s event", "%s events", l->list.n), number_text(l->list.n, n));
	line_printf(out, STYLE_STATUS, _(", lanes: %s"), _(names[l->kind]));
	if (lanes > LADDER_LANES)
		line_printf(out, STYLE_STATUS, _(", %d of %zu"), LADDER_LANES, lanes);
}

static unsigned
ladder_act(struct view *v, const struct call *call)
{
	struct ladder *l = (struct ladder *)v;
	struct tn_rung rung;

	if (call->action == ACT_SORT && l->ladder) {
		for (size_t k = 0; k < RUNGS_KINDS; k++) {
			l->kind = (l->kind + 1) % RUNGS_KINDS;
			if (tn_ladder_lanes(l->ladder, l->kind, NULL))
				break;
		}
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (call->action != ACT_OPEN || !l->ladder || !tn_ladder_rung(l->ladder, l->kind, l->list.selected, &rung))
		return VIEW_PASS;
	return view_request_go(v, &rung.at);
}

static bool
ladder_command(struct view *v, void (*word)(void *user, const char *word), void *user)
{
	const struct ladder *l = (struct ladder *)v;

	word(user, "--ladder");
	word(user, rungs_kind[l->kind]);
	return true;
}

const struct view_class ladder_view = {
	.command = ladder_command,
	.name = "ladder",
	.title = N_("ladder"),
	.hint = N_("Enter goes there  Tab: other lanes  q back"),
	.size = sizeof(struct ladder),
	.close = ladder_close,
	.prepare = ladder_prepare,
	.turn = ladder_turn,
	.act = ladder_act,
	.status = ladder_status,
	.row = ladder_row,
	.heading = ladder_heading,
};
