#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/answer.h>

#include "gettext.h"
#include "list.h"
#include "screen/array.h"

/*
 * What passes the filters, a row an event, in lanes: the streams, threads, processes or processors it travels between,
 * with arrows from one to the next. A job reads the events; Tab goes on to other lanes.
 */
#define ROWS_MAX 5000
#define LANES_MAX 8
#define TIME_WIDTH 9
#define NAME_WIDTH 24		/* at least, behind the lanes */
#define LANE_WIDTH 16		/* at most */
#define NAME_BYTES 200
#define DEFINITION "* * show begin.stream, begin.tid, begin.pid, begin.cpu"

enum kind { BY_STREAM, BY_THREAD, BY_PROCESS, BY_CPU, KINDS };

struct rung {
	struct tn_location at;
	int64_t time_ns;
	bool has_time;
	char *name;		/* safe */
	int lane[KINDS];	/* which; -1: the event has none */
};

struct kind_lanes {
	char **name;		/* safe; of streams: by how they came */
	uint32_t *rank;		/* of streams */
	size_t n;
	size_t events;		/* that are in one */
};

struct rungs {
	struct rung *item;
	size_t n, room;
	struct kind_lanes of[KINDS];
	bool more, failed;
	struct ladder *view;	/* the app's thread */
};

struct ladder {
	struct list_view list;
	struct job *job;
	struct rungs *rungs;
	enum kind kind;
	const struct query *query;	/* it was read for */
};

/* ---- the job ---- */

static void
rungs_free(void *data)
{
	struct rungs *r = data;

	for (size_t i = 0; r && i < r->n; i++)
		free(r->item[i].name);
	for (int k = 0; r && k < KINDS; k++) {
		for (size_t i = 0; i < r->of[k].n; i++)
			free(r->of[k].name[i]);
		free(r->of[k].name);
		free(r->of[k].rank);
	}
	if (r)
		free(r->item);
	free(r);
}

/* The lane of that name (streams: of that rank); LANES_MAX stands for all beyond those there is room for. -1: no memory. */
static int
lane_of(struct kind_lanes *l, const char *name, size_t n, const uint32_t *rank)
{
	char *safe = line_safe_copy(name, n < NAME_BYTES ? n : NAME_BYTES), **names;
	uint32_t *ranks;

	if (!safe)
		return -1;
	l->events++;
	for (size_t i = 0; i < l->n; i++)
		if (rank ? l->rank[i] == *rank : strcmp(l->name[i], safe) == 0) {
			free(safe);
			return (int)i;
		}
	if (l->n > LANES_MAX) {
		free(safe);
		return LANES_MAX;
	}
	names = realloc(l->name, (l->n + 1) * sizeof *names);
	ranks = realloc(l->rank, (l->n + 1) * sizeof *ranks);
	l->name = names ? names : l->name;
	l->rank = ranks ? ranks : l->rank;
	if (!names || !ranks) {
		free(safe);
		return -1;
	}
	l->rank[l->n] = rank ? *rank : 0;
	l->name[l->n] = safe;
	return (int)l->n++;
}

static int
take(void *user, const struct tn_span *s)
{
	struct rungs *r = ((struct job *)user)->data;
	struct rung *rung;

	if (!s->is_at_begin)
		return 0;
	if (r->n == ROWS_MAX) {
		r->more = true;
		return 1;
	}
	rung = array_more(r->item, r->n, &r->room, sizeof *rung);
	if (!rung) {
		r->failed = true;
		return 1;
	}
	r->item = rung;
	rung = &r->item[r->n++];
	*rung = (struct rung) { .at = s->begin, .time_ns = s->begin_ns, .has_time = s->has_begin };
	rung->name = line_safe_copy(s->name, strnlen(s->name, NAME_BYTES));
	for (size_t k = 0; k < KINDS; k++) {
		struct tn_str text = { 0 };

		rung->lane[k] = -1;
		if (k >= s->n_captured || s->captured[k].kind == TN_ANSWER_NONE)
			continue;
		tn_answer_value_text(&s->captured[k], &text);
		rung->lane[k] = lane_of(&r->of[k], text.text ? text.text : "", text.n, k == BY_STREAM ? &s->begin.stream : NULL);
		tn_str_release(&text);
	}
	r->failed = !rung->name;
	return r->failed;
}

static void
ladder_run(struct job *job)
{
	struct rungs *r = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_spans *spans;
	enum tn_code rc = tn_spans_new(&spans, job->q.set, &job->error);

	/* From each event to the next of its trace: all of them, with what they have. */
	if (rc == TN_OK)
		rc = tn_spans_add(spans, DEFINITION, &job->error);
	if (rc == TN_OK)
		rc = tn_spans_run(spans, &scan, TN_SPANS_BY_BEGIN, take, job, NULL, &job->error);
	tn_spans_free(spans);
	job->code = r->more ? TN_OK : rc;
}

/* Those that most events have, if the value travels between some of them. */
static enum kind
choose(const struct rungs *r)
{
	enum kind best = BY_STREAM;
	size_t most = 0;

	for (int k = 0; k < KINDS; k++)
		if (r->of[k].n >= 2 && r->of[k].n <= LANES_MAX && r->of[k].events > most) {
			best = (enum kind)k;
			most = r->of[k].events;
		}
	return best;
}

static void
ladder_end(struct job *job)
{
	struct rungs *r = job->data;
	struct ladder *l = r->view;

	l->job = NULL;
	if (job->code != TN_OK && job->code != TN_ERR_CANCELLED)
		session_fail(l->list.base.session, "%s", job->error.text);
	rungs_free(l->rungs);
	l->rungs = r;
	job->data = NULL;
	l->kind = choose(r);
	l->list.n = r->n;
	for (size_t i = 0; i < r->n && l->list.base.session->has_row; i++)
		if (tn_location_compare(&r->item[i].at, &l->list.base.session->row.location) == 0)
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

	if (l->query == v->session->query)
		return VIEW_PASS;
	l->query = v->session->query;
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
	rungs_free(l->rungs);
}

static unsigned
ladder_turn(struct view *v)
{
	return ((struct ladder *)v)->job ? VIEW_REDRAW : VIEW_PASS;
}

/* Lanes that are drawn, and how wide one is. */
static size_t
lanes_shown(const struct ladder *l)
{
	size_t n = l->rungs ? l->rungs->of[l->kind].n : 0;

	return n < LANES_MAX ? n : LANES_MAX;
}

static int
lane_width(const struct ladder *l)
{
	int room = l->list.base.area.cols - TIME_WIDTH - 1 - NAME_WIDTH, n = (int)lanes_shown(l);
	int width = n ? room / n : 0;

	return width > LANE_WIDTH ? LANE_WIDTH : width < 4 ? 4 : width;
}

static const char *
lane_name(const struct ladder *l, size_t i)
{
	const struct kind_lanes *k = &l->rungs->of[l->kind];

	return l->kind == BY_STREAM && l->list.base.session->origin ? l->list.base.session->origin[k->rank[i]] : k->name[i];
}

static void
ladder_heading(struct view *v, struct line *out)
{
	struct ladder *l = (struct ladder *)v;
	int width = lane_width(l);

	line_right(out, STYLE_HEADING, _("since"), TIME_WIDTH);
	line_puts(out, STYLE_HEADING, " ");
	for (size_t i = 0; i < lanes_shown(l); i++) {
		const char *name = lane_name(l, i);
		int from = out->width;
		bool cut = text_width(name, strlen(name)) > width - 1;

		if (cut)	/* what tells them apart is their end */
			line_puts(out, STYLE_HEADING, "~");
		line_puts(out, STYLE_HEADING, name + (cut ? text_skip(name, strlen(name), width - 2) : 0));
		line_pad(out, from + width, false);
	}
	line_puts(out, STYLE_HEADING, _("event"));
}

/* One column of the drawing: what is in lane column @i of a row from lane @from to lane @to. */
static void
put_lane(struct ladder *l, struct line *out, int i, int from, int to, int width)
{
	bool utf8 = l->list.base.session->utf8, right = to > from;
	bool inside = from >= 0 && from != to && i >= (right ? from : to) && i <= (right ? to : from);
	int first = out->width;
	const char *across = utf8 ? "\u2500" : "-";

	if (i == to)
		line_puts(out, STYLE_NAME, utf8 ? "\u25cf" : "o");
	else if (inside && i == from)
		line_puts(out, STYLE_BAR, utf8 ? (right ? "\u2514" : "\u2518") : "+");
	else if (inside)
		line_puts(out, STYLE_BAR, across);
	else
		line_puts(out, STYLE_DIM, utf8 ? "\u2502" : "|");
	/* Between this lane and the next one to its right. */
	if (inside && i < (right ? to : from)) {
		for (int k = 1; k < width; k++) {
			bool head = right ? i + 1 == to && k == width - 1 : i == to && k == 1;

			line_puts(out, STYLE_BAR, head ? (right ? (utf8 ? "\u25b6" : ">") : (utf8 ? "\u25c0" : "<")) : across);
		}
		return;
	}
	line_pad(out, first + width, false);
}

static void
ladder_row(struct view *v, size_t i, struct line *out)
{
	struct ladder *l = (struct ladder *)v;
	const struct rungs *r = l->rungs;
	const struct rung *rung = &r->item[i];
	int to = rung->lane[l->kind], from = i ? r->item[i - 1].lane[l->kind] : -1, n = (int)lanes_shown(l);
	char text[32] = "";

	if (to >= n)
		to = -1;
	if (from >= n || to < 0)
		from = -1;
	if (rung->has_time && r->item[0].has_time)
		span_short(rung->time_ns - r->item[0].time_ns, v->session->utf8, text);
	line_right(out, STYLE_TIME, text, TIME_WIDTH);
	line_puts(out, STYLE_TEXT, " ");
	for (int k = 0; k < n; k++)
		put_lane(l, out, k, from, to, lane_width(l));
	line_puts(out, STYLE_TEXT, rung->name ? rung->name : "");
}

static void
ladder_status(struct view *v, struct line *out)
{
	static const char *const kinds[KINDS] = { N_("streams"), N_("threads"), N_("processes"), N_("processors") };
	struct ladder *l = (struct ladder *)v;
	char n[32];

	if (!l->rungs)
		return;
	line_printf(out, STYLE_STATUS, ngettext("%s event", "%s events", l->rungs->n), number_text(l->rungs->n, n));
	line_printf(out, STYLE_STATUS, _(", lanes: %s"), _(kinds[l->kind]));
	if (l->rungs->of[l->kind].n > LANES_MAX)
		line_puts(out, STYLE_STATUS, _("; only the first eight"));
	if (l->rungs->more)
		line_puts(out, STYLE_STATUS, _("; there are more events: filter, K follows one value"));
}

static unsigned
ladder_act(struct view *v, const struct call *call)
{
	struct ladder *l = (struct ladder *)v;

	if (call->action == ACT_SORT && l->rungs) {
		for (int k = 0; k < KINDS; k++) {
			l->kind = (enum kind)((l->kind + 1) % KINDS);
			if (l->rungs->of[l->kind].n)
				break;
		}
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (call->action != ACT_OPEN || l->list.selected >= l->list.n)
		return VIEW_PASS;
	v->go = (struct place) { .kind = PLACE_LOCATION, .location = l->rungs->item[l->list.selected].at };
	return VIEW_DONE | VIEW_GO;
}

const struct view_class ladder_view = {
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
