#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/plot.h>
#include <tnav/table.h>

#include "gettext.h"
#include "list.h"
#include "view.h"

/*
 * A number over time: time across, the number upwards. A job makes the picture of a window; the former one stays until the
 * next is there. Plots of several keys are below each other.
 */
#define LABEL 11	/* columns of the number's axis */
#define LEAST_ROWS 3	/* of one plot */
#define LEAST_NS 100

enum form { HEAT, LINE, STEPS, POINTS, FORMS };

/* The picture that the job makes. */
struct making {
	char *definition, *spans;
	bool has_form;
	enum form form;
	int64_t begin_ns, end_ns;
	size_t columns, rows;
	struct tn_spans *of;
	struct tn_plot *plot;
	struct plot *view;	/* the app's thread */
};

struct plot {
	struct view base;
	struct job *job;
	struct tn_plot *plot;	/* NULL: nothing is there yet */
	struct tn_spans *of;	/* its spans; NULL */
	bool of_spans;
	char *instead;		/* why there is no picture; NULL: nothing is said */
	enum form form;		/* of the picture */
	enum form wanted;
	bool chosen;		/* the user chose a form */
	const struct query *query;	/* the picture was made for */
	int rows, cols;		/* of the area it was made for */
	int64_t begin_ns, end_ns;	/* the window */
	bool ready;		/* it is chosen */
	bool stale;		/* it, or the form, is another than the picture's */
	size_t column, row, series;	/* the cursor */
};

/* Rows of the screen for each series, without its heading. */
static int
rows_each(const struct plot *p)
{
	size_t n = p->plot ? tn_plot_series(p->plot) : 1;
	bool headings = p->plot && tn_plot_key_name(p->plot);
	int rows = p->base.area.rows - 2, least = LEAST_ROWS + 1;
	int most = rows / least > 0 ? rows / least : 1, shown = n < (size_t)most ? (int)n : most;

	return headings ? rows / shown - 1 : rows;
}

static size_t
series_shown(const struct plot *p)
{
	size_t n = p->plot ? tn_plot_series(p->plot) : 0, most;

	if (!n)
		return 0;
	most = (size_t)((p->base.area.rows - 2) / (rows_each(p) + 1));
	return n < most ? n : most ? most : 1;
}

/* ---- the job ---- */

static void
making_free(void *data)
{
	struct making *m = data;

	if (!m)
		return;
	tn_plot_free(m->plot);
	tn_spans_free(m->of);
	free(m->definition);
	free(m->spans);
	free(m);
}

/* A number of events; if they have no such field, of the spans that were asked for last. */
static enum tn_code
define(struct making *m, struct tn_set *set, struct tn_error *err)
{
	struct tn_error of_spans;
	enum tn_code rc = tn_plot_new(&m->plot, set, NULL, m->definition, err);

	if (rc != TN_ERR_ARGUMENT || !*m->spans)
		return rc;
	if (tn_spans_new(&m->of, set, &of_spans) == TN_OK && tn_spans_add_question(m->of, m->spans, &of_spans) == TN_OK &&
	    tn_plot_new(&m->plot, set, m->of, m->definition, &of_spans) == TN_OK)
		return TN_OK;
	return rc;
}

static void
plot_run(struct job *job)
{
	struct making *m = job->data;
	struct tn_scan_options scan = job_scan_options(job);

	job->code = define(m, job->q.set, &job->error);
	if (job->code != TN_OK)
		return;
	if (!m->has_form)
		m->form = tn_plot_unit(m->plot) == TN_GROUP_DURATION ? HEAT : LINE;
	job->code = tn_plot_run(m->plot, &scan, m->form == HEAT || m->form == POINTS ? TN_PLOT_HEAT : TN_PLOT_LINE, m->begin_ns,
				m->end_ns, m->columns, m->rows, &job->error);
}

static void
plot_end(struct job *job)
{
	struct making *m = job->data;
	struct plot *p = m->view;
	int64_t at_ns = p->plot ? tn_plot_time(p->plot, p->column) : INT64_MIN;

	p->job = NULL;
	free(p->instead);
	p->instead = NULL;
	if (job->code == TN_END) {
		p->instead = strdup(_("nothing to plot: no event or span has this value in this time"));
	} else if (job->code != TN_OK && job->code != TN_ERR_CANCELLED) {
		p->instead = line_safe_copy(job->error.text, strlen(job->error.text));
		session_fail(p->base.session, "%s", job->error.text);
	}
	if (job->code != TN_OK)
		return;
	tn_plot_free(p->plot);
	tn_spans_free(p->of);
	p->plot = m->plot;
	p->of = m->of;
	p->of_spans = m->of != NULL;
	m->plot = NULL;
	m->of = NULL;
	p->form = p->wanted = m->form;
	if (p->series >= tn_plot_series(p->plot))
		p->series = 0;
	/* It has more plots than were known, so each has fewer rows. */
	p->stale |= rows_each(p) >= 2 && tn_plot_rows(p->plot) > (size_t)rows_each(p);
	/* The cursor stays at its time. */
	for (size_t c = 0; c < tn_plot_columns(p->plot); c++)
		if (tn_plot_time(p->plot, c) <= at_ns)
			p->column = c;
	if (p->column >= tn_plot_columns(p->plot))
		p->column = tn_plot_columns(p->plot) - 1;
}

static const struct job_class plot_class = {
	.label = N_("plotting"),
	.run = plot_run, .finish = plot_end, .cancelled = plot_end, .free = making_free,
};

/* ---- the window ---- */

static void
start(struct plot *p)
{
	struct session *s = p->base.session;
	struct making *m = calloc(1, sizeof *m);
	int cols = p->base.area.cols - LABEL - 2;

	job_drop(p->job);
	p->job = NULL;
	if (!m)
		return;
	m->view = p;
	m->definition = strdup(s->answers.plot ? s->answers.plot : "");
	m->spans = strdup(s->answers.wish.spans ? s->answers.wish.spans : "");
	m->has_form = p->chosen;
	m->form = p->wanted;
	m->begin_ns = p->begin_ns;
	m->end_ns = p->end_ns;
	m->columns = cols < 2 ? 2 : (size_t)cols;
	m->rows = rows_each(p) < 2 ? 2 : (size_t)rows_each(p);
	if (!m->definition || !m->spans) {
		making_free(m);
		return;
	}
	p->job = job_start(s, &plot_class, m);
}

static bool
plot_open(struct view *v, struct tn_error *err)
{
	const struct session *s = v->session;

	if (!s->traces.has_range) {
		strcpy(err->text, _("the traces have no times, or not yet"));
		return false;
	}
	if (!s->answers.plot) {
		snprintf(err->text, sizeof err->text, "%s", _("which number? :plot FIELD, or P on a field in the details"));
		return false;
	}
	return true;
}

static void
plot_close(struct view *v)
{
	struct plot *p = (struct plot *)v;

	job_drop(p->job);
	tn_plot_free(p->plot);
	tn_spans_free(p->of);
	free(p->instead);
}

static unsigned
plot_prepare(struct view *v)
{
	struct plot *p = (struct plot *)v;
	struct session *s = v->session;

	if (p->ready && !p->stale && p->query == s->asks.query && p->rows == v->area.rows && p->cols == v->area.cols)
		return VIEW_PASS;
	if (!p->ready) {
		traces_times(&s->traces, &p->begin_ns, &p->end_ns);
		p->end_ns += p->end_ns < INT64_MAX;
	}
	p->ready = true;
	p->stale = false;
	p->query = s->asks.query;
	p->rows = v->area.rows;
	p->cols = v->area.cols;
	start(p);
	return VIEW_PASS;
}

static unsigned
plot_turn(struct view *v)
{
	return ((struct plot *)v)->job ? VIEW_REDRAW : VIEW_PASS;
}

/* ---- drawing ---- */

static void
put_value(const struct plot *p, double value, struct line *out, unsigned style)
{
	struct tn_str text = { 0 };

	if (tn_plot_unit(p->plot) == TN_GROUP_DURATION)
		tn_table_duration(value, &text);
	else
		tn_str_printf(&text, "%.*g", fabs(value) < 1e6 ? 6 : 9, value);
	line_puts(out, style, text.text ? text.text : "");
	tn_str_release(&text);
}

static void
draw_label(const struct plot *p, struct canvas *c, int row, double value)
{
	struct line l = { 0 };
	int col = p->base.area.col;

	put_value(p, value, &l, STYLE_DIM);
	if (l.width <= LABEL)
		canvas_line(c, row, col + LABEL - l.width, l.width, &l, 0, false);
	canvas_puts(c, row, col + LABEL, 1, STYLE_DIM, p->base.session->utf8 ? "\u2502" : "|");
	line_release(&l);
}

/* One of five signs: the more values the darker, on a logarithmic scale. */
static const char *
shade(const struct plot *p, uint64_t n, uint64_t most)
{
	static const char *const blocks[] = { "\u00b7", "\u2591", "\u2592", "\u2593", "\u2588" };
	static const char *const signs[] = { ".", ":", "+", "#", "@" };
	double part = most > 1 ? log((double)n) / log((double)most) : 1;
	size_t i = (size_t)(part * 4 + 0.5);

	if (p->form == POINTS)
		return p->base.session->utf8 ? "\u2022" : "o";
	return p->base.session->utf8 ? blocks[i] : signs[i];
}

static void
draw_heat(const struct plot *p, struct canvas *c, size_t series, int top, int rows)
{
	uint64_t most = tn_plot_most(p->plot, series);

	for (size_t r = 0; r < tn_plot_rows(p->plot) && r < (size_t)rows; r++) {
		int at = top + rows - 1 - (int)r;
		double from, to;

		tn_plot_limits(p->plot, r, &from, &to);
		draw_label(p, c, at, from);
		for (size_t i = 0; i < tn_plot_columns(p->plot); i++) {
			uint64_t n = tn_plot_cell(p->plot, series, i, r);

			if (n)
				canvas_puts(c, at, p->base.area.col + LABEL + 1 + (int)i, 1, STYLE_BAR, shade(p, n, most));
		}
	}
}

static void
draw_points(const struct plot *p, struct canvas *c, size_t series, int top, int rows)
{
	bool utf8 = p->base.session->utf8, steps = p->form == STEPS;

	for (size_t r = 0; r < tn_plot_rows(p->plot) && r < (size_t)rows; r++) {
		int at = top + rows - 1 - (int)r;
		double from, to;

		tn_plot_limits(p->plot, r, &from, &to);
		draw_label(p, c, at, from);
		for (size_t i = 0; i < tn_plot_columns(p->plot); i++) {
			struct tn_plot_point point = tn_plot_point(p->plot, series, i);
			int col = p->base.area.col + LABEL + 1 + (int)i;

			if (point.count && tn_plot_row(p->plot, steps ? point.last : point.mean) == r)
				canvas_puts(c, at, col, 1, STYLE_BAR, steps ? utf8 ? "\u2500" : "_" : utf8 ? "\u2022" : "*");
			else if (!steps && point.count && point.min < to && point.max >= from)
				canvas_puts(c, at, col, 1, STYLE_DIM, utf8 ? "\u2502" : ":");
		}
	}
}

/* The name of the number, and the key of the plot. */
static void
draw_heading(const struct plot *p, struct canvas *c, size_t series, int row)
{
	struct line l = { 0 };

	line_puts_unsafe(&l, STYLE_HEADING, tn_plot_value_name(p->plot));
	if (tn_plot_key(p->plot, series)) {
		struct tn_str key = { 0 };

		tn_answer_value_text(tn_plot_key(p->plot, series), &key);
		line_printf(&l, STYLE_HEADING, "  %s ", tn_plot_key_name(p->plot));
		line_add_unsafe(&l, series == p->series ? STYLE_KEY : STYLE_NAME, key.text ? key.text : "", key.n);
		tn_str_release(&key);
	}
	canvas_line(c, row, p->base.area.col, p->base.area.cols, &l, 0, true);
	line_release(&l);
}

static void
draw_cursor(const struct plot *p, struct canvas *c, int row)
{
	struct session *s = p->base.session;
	struct tn_plot_point at = tn_plot_point(p->plot, p->series, p->column);
	bool heat = p->form == HEAT || p->form == POINTS;
	uint64_t n = heat ? tn_plot_cell(p->plot, p->series, p->column, p->row) : at.count;
	struct line l = { 0 };
	char number[32];

	session_put_time(s, &l, STYLE_TIME, tn_plot_time(p->plot, p->column));
	line_puts(&l, STYLE_TEXT, "  ");
	if (heat) {
		double from, to;

		tn_plot_limits(p->plot, p->row, &from, &to);
		put_value(p, from, &l, STYLE_TEXT);
		line_puts(&l, STYLE_DIM, " - ");
		put_value(p, to, &l, STYLE_TEXT);
	} else if (n) {
		const struct { const char *name; double value; } part[] = {
			{ _("min"), at.min }, { _("mean"), at.mean }, { "p99", at.p99 }, { _("max"), at.max },
			{ _("last"), at.last },
		};

		for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
			line_printf(&l, STYLE_DIM, i ? "  %s " : "%s ", part[i].name);
			put_value(p, part[i].value, &l, STYLE_TEXT);
		}
	}
	line_printf(&l, STYLE_TEXT, ngettext("  %s value", "  %s values", n), number_text(n, number));
	if (tn_plot_lost(p->plot, p->column))
		line_puts(&l, STYLE_LOSS, _("  events were lost"));
	canvas_line(c, row, p->base.area.col, p->base.area.cols, &l, 0, true);
	line_release(&l);
}

static void
draw_axis(const struct plot *p, struct canvas *c, int row)
{
	struct session *s = p->base.session;
	struct area a = p->base.area;
	size_t n = tn_plot_columns(p->plot);
	int left = a.col + LABEL + 1;
	struct line l = { 0 };

	session_put_time(s, &l, STYLE_TIME, tn_plot_time(p->plot, 0));
	canvas_line(c, row, left, a.cols - LABEL - 1, &l, 0, false);
	line_clear(&l);
	session_put_time(s, &l, STYLE_TIME, tn_plot_time(p->plot, n));
	if (2 * l.width + 2 < (int)n)
		canvas_line(c, row, left + (int)n - l.width, l.width, &l, 0, false);
	line_release(&l);
	for (size_t i = 0; i < n; i++)
		if (tn_plot_lost(p->plot, i) && canvas_is_blank(c, row, left + (int)i))
			canvas_puts(c, row, left + (int)i, 1, STYLE_LOSS, "!");
}

static void
plot_draw(struct view *v, struct canvas *c)
{
	struct plot *p = (struct plot *)v;
	struct area a = v->area;
	int rows = rows_each(p), top = a.row + 1;

	if (!p->plot) {
		if (p->instead)
			list_put_text(c, a, p->instead);
		return;
	}
	if (rows < 1)
		return;
	draw_cursor(p, c, a.row);
	for (size_t s = 0; s < series_shown(p); s++) {
		if (tn_plot_key_name(p->plot))
			draw_heading(p, c, s, top++);
		if (p->form == HEAT || p->form == POINTS)
			draw_heat(p, c, s, top, rows);
		else
			draw_points(p, c, s, top, rows);
		if (s == p->series) {
			int col = a.col + LABEL + 1 + (int)p->column, at = top + rows - 1 - (int)p->row;

			canvas_flag(c, p->form == HEAT || p->form == POINTS ? at : top, col, 1, STYLE_SELECTED);
			for (int r = 0; p->form != HEAT && p->form != POINTS && r < rows; r++)
				canvas_flag(c, top + r, col, 1, STYLE_SELECTED);
			canvas_point(c, at, col);
		}
		top += rows;
	}
	draw_axis(p, c, a.row + a.rows - 1);
}

static void
plot_status(struct view *v, struct line *out)
{
	static const char *const names[FORMS] = { N_("heat map"), N_("line"), N_("steps"), N_("points") };
	const struct plot *p = (struct plot *)v;
	char n[32];

	if (!p->plot)
		return;
	line_puts_unsafe(out, STYLE_STATUS, tn_plot_value_name(p->plot));
	line_printf(out, STYLE_STATUS, ", %s", _(names[p->form]));
	if (series_shown(p) < tn_plot_series(p->plot))
		line_printf(out, STYLE_STATUS, _(", %zu of %zu plots"), series_shown(p), tn_plot_series(p->plot));
	if (tn_plot_left_out(p->plot))
		line_printf(out, STYLE_STATUS, _(", %s values of others are left out"), number_text(tn_plot_left_out(p->plot), n));
}

/* ---- keys ---- */

/* The cursor's time stays where it is on the screen, as far as the traces allow. */
static unsigned
zoom(struct plot *p, double factor)
{
	const struct session *s = p->base.session;
	double span = ((double)p->end_ns - (double)p->begin_ns) * factor, at, begin, end, all;
	size_t n;

	if (!p->plot)
		return VIEW_DONE;
	n = tn_plot_columns(p->plot);
	all = (double)s->traces.end_ns - (double)s->traces.begin_ns + 1;
	span = span < LEAST_NS ? LEAST_NS : span > all ? all : span;
	at = ((double)tn_plot_time(p->plot, p->column) + (double)tn_plot_time(p->plot, p->column + 1)) / 2 -
	     (double)s->traces.begin_ns;
	begin = at - span * ((double)p->column + 0.5) / (double)n;
	begin = begin < 0 ? 0 : begin > all - span ? all - span : begin;
	end = begin + span;
	p->begin_ns = s->traces.begin_ns + (int64_t)begin;
	p->end_ns = s->traces.begin_ns + (int64_t)end;
	p->stale = true;
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
move(struct plot *p, int64_t columns, int64_t rows)
{
	bool heat = p->form == HEAT || p->form == POINTS;
	int64_t column = (int64_t)p->column + columns, row = (int64_t)p->row + rows, last;

	if (!p->plot)
		return VIEW_DONE;
	last = (int64_t)tn_plot_columns(p->plot) - 1;
	p->column = (size_t)(column < 0 ? 0 : column > last ? last : column);
	last = heat ? (int64_t)tn_plot_rows(p->plot) - 1 : 0;
	/* Beyond the last row comes the next plot. */
	if (row < 0 && p->series + 1 < series_shown(p)) {
		p->series++;
		row = last;
	} else if (row > last && p->series) {
		p->series--;
		row = 0;
	}
	p->row = (size_t)(row < 0 ? 0 : row > last ? last : row);
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
plot_act(struct view *v, const struct call *call)
{
	struct plot *p = (struct plot *)v;
	int64_t n = call->count && call->count < 100000 ? (int64_t)call->count : 1;

	switch (call->action) {
	case ACT_LEFT: return move(p, -n, 0);
	case ACT_RIGHT: return move(p, n, 0);
	case ACT_EVENT_NEXT: return move(p, 0, -n);
	case ACT_EVENT_PREVIOUS: return move(p, 0, n);
	case ACT_PAGE_DOWN:
	case ACT_HALF_DOWN: return move(p, 10 * n, 0);
	case ACT_PAGE_UP:
	case ACT_HALF_UP: return move(p, -10 * n, 0);
	case ACT_FIRST: return move(p, -100000, 0);
	case ACT_LAST: return move(p, 100000, 0);
	case ACT_ZOOM_IN: return zoom(p, 0.5);
	case ACT_ZOOM_OUT: return zoom(p, 2);
	case ACT_SORT:
		p->wanted = (enum form)((p->wanted + 1) % FORMS);
		p->chosen = p->stale = true;
		p->row = 0;
		return VIEW_DONE | VIEW_REDRAW;
	case ACT_OPEN:
		if (!p->plot)
			return VIEW_DONE;
		return view_request_time(v, tn_plot_time(p->plot, p->column) > v->session->traces.begin_ns ?
					    tn_plot_time(p->plot, p->column) : v->session->traces.begin_ns);
	default: return VIEW_PASS;
	}
}

static unsigned
plot_point(struct view *v, int row, int col, bool drag, bool end)
{
	struct plot *p = (struct plot *)v;

	(void)drag;
	(void)end;
	if (!p->plot || tn_plot_series(p->plot) > 1)
		return VIEW_DONE;
	p->column = p->row = 0;
	return move(p, col - LABEL - 1, p->form == HEAT || p->form == POINTS ? rows_each(p) - row : 0);
}

static bool
plot_command(struct view *v, void (*word)(void *user, const char *word), void *user)
{
	static const char *const names[FORMS] = { "--plot-as=heat", "--plot-as=line", "--plot-as=steps", "--plot-as=points" };
	const struct plot *p = (struct plot *)v;
	const struct answer_asks *asks = &v->session->answers;

	if (!p->plot)
		return false;
	word(user, "--plot");
	word(user, asks->plot);
	word(user, names[p->form]);
	if (p->of_spans) {
		word(user, "--spans");
		word(user, asks->wish.spans);
	}
	return true;
}

const struct view_class plot_view = {
	.command = plot_command,
	.name = "plot",
	.title = N_("a number over time"),
	.hint = N_("Enter goes there  + - zoom  Tab form  q back"),
	.size = sizeof(struct plot),
	.open = plot_open,
	.close = plot_close,
	.prepare = plot_prepare,
	.draw = plot_draw,
	.turn = plot_turn,
	.point = plot_point,
	.act = plot_act,
	.status = plot_status,
};
