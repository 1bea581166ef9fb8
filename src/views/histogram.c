#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/grid.h"
#include "session/wish.h"
#include "strip.h"
#include "view.h"

/*
 * Events over time. Each column has a bar for the events, and in front of it a bar for the hits of the search, or for the
 * events that match the filters. Jobs count events, and the bars grow meanwhile. Zooming changes the shown time range
 * around the selected bar.
 *
 * Packets with known counts are not read if they are in one bar, or if slices that are finer than the bars have the times
 * of their matching events. Other packets extend over several bars, and are read. Until then their events are spread
 * evenly over these bars, so that the picture is complete at once and becomes exact.
 */
#define BARS_MAX GRID_BARS

enum { ALL, HITS, KINDS };

/* A packet in several bars, whose number of matching events is known. */
struct guess {
	size_t packet;
	int64_t begin_ns, end_ns;
	uint64_t events;
};

/* The guesses for a stream, which follow each other in order. */
struct guesses {
	size_t at, end;		/* range of the guesses that are not read yet */
};

struct counting {
	int64_t begin_ns, end_ns;	/* shown range, including both ends */
	struct grid grid;
	int kind;
	struct bars bars;
	struct bars guessed;		/* sums of the guesses for packets that are not read yet */
	struct histogram *view;		/* for the app's thread only */
	/* For the job's thread only: */
	struct guess *guess;
	size_t n_guesses, room;
	struct guesses *of_stream;
	size_t n_streams;
	bool told;
};

struct histogram {
	struct view base;
	struct job *job[KINDS];
	bool has_hits;
	struct query *hits;		/* query of the hits; NULL: none */
	int64_t begin_ns, end_ns;	/* wanted range, including both ends */
	struct grid grid;
	bool has_at;		/* the cursor is a time in its bar: that of the list's event, or the centre of a zoom */
	int64_t at_ns;
	size_t n, selected, pressed;	/* `n`: bars of the grid; 0: not drawn yet */
	uint64_t bar[KINDS][BARS_MAX];		/* counts at the last turn */
	bool lost[BARS_MAX];
	bool has_range;
	int64_t range_begin_ns;
	bool log;			/* heights are logarithmic */
	int cols;			/* number of columns for which the bars were made */
};

/* Guess the bars of a packet. If memory is out, there is no guess. */
static void
guess(struct counting *b, const struct tn_packet_counts *counts)
{
	struct guesses *of = counts->stream < b->n_streams ? &b->of_stream[counts->stream] : NULL;

	if (!of || counts->begin_ns == INT64_MIN || counts->end_ns == INT64_MAX || (of->end && of->end != b->n_guesses))
		return;
	if (b->n_guesses == b->room) {
		size_t room = b->room ? 2 * b->room : 256;
		struct guess *more = realloc(b->guess, room * sizeof *more);

		if (!more)
			return;
		b->guess = more;
		b->room = room;
	}
	if (!of->end)
		of->at = b->n_guesses;
	b->guess[b->n_guesses++] = (struct guess) { counts->packet, counts->begin_ns, counts->end_ns, counts->events };
	of->end = b->n_guesses;
	bars_spread(&b->guessed, counts->begin_ns, counts->end_ns, counts->events, false);
}

/* The first row of a guessed packet has arrived: count its rows from now on. */
static void
is_read(struct counting *b, size_t stream, size_t packet)
{
	struct guesses *of = stream < b->n_streams ? &b->of_stream[stream] : NULL;

	while (of && of->at < of->end && b->guess[of->at].packet <= packet) {
		const struct guess *g = &b->guess[of->at++];

		bars_spread(&b->guessed, g->begin_ns, g->end_ns, g->events, true);
	}
}

static int
on_notice(void *user, const struct tn_row *row)
{
	struct job *job = user;
	struct counting *b = job->data;

	bars_lose(&b->bars, grid_bar(&b->grid, row->location.time_ns));
	return job_stopped(job);
}

/* Usually all of these times are in one bar. */
static void
count_times(struct counting *b, const int64_t *time_ns, size_t n)
{
	while (n) {
		size_t bar = grid_bar(&b->grid, time_ns[0]), some = n;

		while (grid_bar(&b->grid, time_ns[some - 1]) != bar)
			some /= 2;
		bars_add(&b->bars, bar, some);
		time_ns += some;
		n -= some;
	}
}

static int
on_times(void *user, uint32_t stream, size_t packet, const int64_t *time_ns, size_t n)
{
	struct job *job = user;
	struct counting *b = job->data;

	if (!b->told && job->jobs->wake)	/* all packets with known counts are counted */
		job->jobs->wake();
	b->told = true;
	is_read(b, stream, packet);
	count_times(b, time_ns, n);
	return job_stopped(job);
}

/* A packet in several bars, if each slice of the packet is in one bar. */
static bool
add_slices(struct counting *b, const struct tn_packet_counts *counts)
{
	struct tn_packet_slices slices;

	if (!tn_packet_slices(counts, &slices) || slices.slice_ns > b->grid.step_ns)
		return false;
	for (size_t i = 0; i < slices.n; i++)
		bars_add(&b->bars, grid_bar(&b->grid, slices.begin_ns + (int64_t)(i * slices.slice_ns)), slices.count[i]);
	return true;
}

/* Use the counts of packets, if they show the bar of each event. */
static bool
on_packet(void *user, const struct tn_packet_counts *counts)
{
	struct counting *b = ((struct job *)user)->data;
	size_t bar = grid_bar(&b->grid, counts->begin_ns);

	if (counts->begin_ns == INT64_MIN || counts->end_ns == INT64_MAX ||
	    grid_bar(&b->grid, counts->end_ns) != bar) {
		if (add_slices(b, counts))
			return true;
		guess(b, counts);
		return false;
	}
	bars_add(&b->bars, bar, counts->events);
	return true;
}

static void
bars_run(struct job *job)
{
	struct counting *b = job->data;
	struct tn_scan_options options;

	job->q.bounds = (struct bounds) { true, true, b->begin_ns, b->end_ns };
	job->q.begin_ns = b->begin_ns;	/* progress is measured in this range */
	job->q.end_ns = b->end_ns;
	options = job_scan_options(job);
	if (b->kind == ALL)
		options.filter = NULL;
	options.any_order = true;
	options.times = on_times;
	options.row = on_notice;
	options.packet = on_packet;
	job->code = tn_scan(job->q.set, &options, NULL, &job->error);
}

static void
take(struct histogram *h, struct counting *b)
{
	uint64_t guessed[BARS_MAX];
	bool lossy[BARS_MAX];

	bars_look(&b->bars, h->bar[b->kind], b->kind == ALL ? h->lost : lossy);
	bars_look(&b->guessed, guessed, lossy);
	for (size_t i = 0; i < b->grid.n; i++)
		h->bar[b->kind][i] += guessed[i];
}

static void
bars_end(struct job *job)
{
	struct counting *b = job->data;

	for (size_t i = 0; i < b->grid.n; i++)	/* guesses for events that the job did not read are dropped */
		atomic_store(&b->guessed.events[i], 0);
	take(b->view, b);
	b->view->job[b->kind] = NULL;
}

static void
bars_free(void *data)
{
	struct counting *b = data;

	free(b->guess);
	free(b->of_stream);
	free(b);
}

static const struct job_class bars_class = {
	.label = N_("counting over time"),
	.run = bars_run, .finish = bars_end, .cancelled = bars_end, .free = bars_free,
};

static void
drop(struct histogram *h)
{
	for (int kind = 0; kind < KINDS; kind++) {
		job_drop(h->job[kind]);
		h->job[kind] = NULL;
	}
}

/* The range from the first to the last whole bar, inside of the traces and the range. */
static void
shown(const struct histogram *h, int64_t *begin_ns, int64_t *end_ns)
{
	int64_t first, last;

	traces_times(&h->base.session->traces, &first, &last);
	*begin_ns = h->grid.begin_ns < first ? first : h->grid.begin_ns;
	*end_ns = h->grid.end_ns > last ? last : h->grid.end_ns;
}

static void
count(struct histogram *h, int kind, struct query *query)
{
	struct counting *b = calloc(1, sizeof *b);

	if (!b)
		return;
	shown(h, &b->begin_ns, &b->end_ns);
	b->grid = h->grid;
	bars_init(&b->bars, h->grid.begin_ns, h->grid.end_ns, h->grid.n);
	bars_init(&b->guessed, h->grid.begin_ns, h->grid.end_ns, h->grid.n);
	b->kind = kind;
	b->view = h;
	b->n_streams = tn_set_stream_count(h->base.session->traces.set);
	b->of_stream = calloc(b->n_streams + 1, sizeof *b->of_stream);
	if (!b->of_stream)
		b->n_streams = 0;
	h->job[kind] = job_ask(h->base.session, &bars_class, b, query);
}

/* Count again for the current range. */
static void
restart(struct histogram *h)
{
	struct session *s = h->base.session;
	const struct tally *hits = strip_hits(s);

	drop(h);
	memset(h->bar, 0, sizeof h->bar);
	memset(h->lost, 0, sizeof h->lost);
	h->cols = h->base.area.cols;
	grid_make(&h->grid, h->begin_ns, h->end_ns, h->cols < 2 ? 2 : h->cols < BARS_MAX ? (size_t)h->cols : BARS_MAX);
	h->n = h->grid.n;
	if (h->selected >= h->n)
		h->selected = h->n - 1;
	count(h, ALL, NULL);
	h->has_hits = hits != NULL;
	query_put(h->hits);
	h->hits = hits ? query_get(hits->query) : NULL;
	if (hits)
		count(h, HITS, hits->query);
}

/* The user may start a search while the bars are shown. */
static bool
is_current(const struct histogram *h)
{
	const struct tally *hits = strip_hits(h->base.session);

	return h->cols == h->base.area.cols && h->has_hits == (hits != NULL) && (!hits || hits->query == h->hits);
}

/* The time at which bar @i begins. The traces may begin later than the first bar. */
static int64_t
time_of(const struct histogram *h, size_t i)
{
	int64_t begin_ns, end_ns, at_ns = grid_begin(&h->grid, i);

	shown(h, &begin_ns, &end_ns);
	return at_ns < begin_ns ? begin_ns : at_ns;
}

static bool
histogram_open(struct view *v, struct tn_error *err)
{
	struct histogram *h = (struct histogram *)v;
	struct session *s = v->session;

	if (!s->traces.has_range) {
		strcpy(err->text, _("the traces have no times yet"));
		return false;
	}
	traces_times(&s->traces, &h->begin_ns, &h->end_ns);
	return true;
}

static void
histogram_close(struct view *v)
{
	drop((struct histogram *)v);
	query_put(((struct histogram *)v)->hits);
}

/* The size is known only when the view is first drawn, and may change. */
static void
follow_size(struct histogram *h)
{
	struct session *s = h->base.session;
	bool first = !h->n;

	if (is_current(h))
		return;
	restart(h);
	if (first && s->here.has_row && s->here.row.has_time)
		h->selected = grid_bar(&h->grid, h->at_ns = s->here.row.time_ns), h->has_at = true;
}

/* ---- drawing ---- */

static uint64_t
highest(const struct histogram *h)
{
	uint64_t max = 1;

	for (size_t i = 0; i < h->n; i++)
		if (h->bar[ALL][i] > max)
			max = h->bar[ALL][i];
	return max;
}

/* The share of the height for @n events. */
static double
part_of(const struct histogram *h, uint64_t n)
{
	double max = (double)highest(h);

	return h->log ? log1p((double)n) / log1p(max) : (double)n / max;
}

/* The number of events with this share of the height. */
static uint64_t
events_at(const struct histogram *h, double part)
{
	double max = (double)highest(h);

	return (uint64_t)(h->log ? expm1(part * log1p(max)) + 0.5 : part * max + 0.5);
}

/* Draw a bar in eighths of a cell if the terminal has the characters, otherwise in whole cells. */
static void
draw_bar(struct histogram *h, struct canvas *c, size_t i, int kind, double height_part, int top, int rows)
{
	static const char *const eighth[] = { " ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587",
					      "\u2588" };
	bool fine = h->base.session->utf8;
	int64_t height = (int64_t)(height_part * rows * 8 + 0.5);
	unsigned style = kind == HITS ? STYLE_HIT : i == h->selected ? STYLE_KEY : h->has_hits ? STYLE_DIM : STYLE_BAR;
	int col = h->base.area.col + (int)i;

	if (h->bar[kind][i] && height < 1)
		height = 1;	/* one event must be visible */
	for (int row = 0; row < rows; row++) {
		int64_t part = height - (int64_t)(rows - 1 - row) * 8;

		if (part <= 0)
			continue;
		canvas_puts(c, top + row, col, 1, style, fine ? eighth[part < 8 ? part : 8] : kind == HITS ? "@" : "#");
	}
}

/* The cursor is a thin line above its bar, and the bar has another colour. */
static void
draw_cursor(const struct histogram *h, struct canvas *c, int top, int rows)
{
	int col = h->base.area.col + (int)h->selected;

	for (int row = top; row < top + rows; row++)
		if (canvas_is_blank(c, row, col))
			canvas_puts(c, row, col, 1, STYLE_KEY, h->base.session->utf8 ? "\u2502" : "|");
	canvas_point(c, top + rows - 1, col);
}

/* Write a number of events at the height of @row, if there is no bar at this place. */
static void
draw_height(const struct histogram *h, struct canvas *c, int row, double part)
{
	struct area a = h->base.area;
	char number[32], text[48];
	int width, blank = 0;

	snprintf(text, sizeof text, "%s%s%s", h->log ? "log " : "", number_text(events_at(h, part), number),
		 h->base.session->utf8 ? "\u2508" : "-");
	width = text_width(text, strlen(text));
	for (int col = a.col; col < a.col + a.cols; col++) {
		blank = canvas_is_blank(c, row, col) ? blank + 1 : 0;
		if (blank < width + 1 + (blank <= col - a.col))	/* leave space to the bars on both sides */
			continue;
		canvas_puts(c, row, col - width, width, STYLE_DIM, text);
		return;
	}
}

/* Whether the bar is in the range, or in the range that the user is selecting. */
static bool
in_range(const struct histogram *h, int64_t from, int64_t to)
{
	const struct bounds *b = &h->base.session->asks.range;
	int64_t at = time_of(h, h->selected), first = h->range_begin_ns < at ? h->range_begin_ns : at;
	int64_t last = h->range_begin_ns < at ? at : h->range_begin_ns;

	if (h->has_range)
		return to > first && from <= last;
	return (b->has_begin || b->has_end) && (!b->has_begin || to >= b->begin_ns) && (!b->has_end || from <= b->end_ns);
}

/* Draw marks above the bars: for losses, and for the page. Dots mark the time outside of the range. */
static void
draw_marks(struct histogram *h, struct canvas *c, int row)
{
	struct session *s = h->base.session;
	const struct bounds *b = &s->asks.range;

	for (size_t i = 0; i < h->n; i++) {
		int64_t from = time_of(h, i), to = grid_end(&h->grid, i);
		bool outside = (b->has_begin && to < b->begin_ns) || (b->has_end && from > b->end_ns);
		bool here = s->here.shown_begin.time_ns <= to && s->here.shown_end.time_ns >= from;
		int col = h->base.area.col + (int)i;

		if (h->lost[i])
			canvas_puts(c, row, col, 1, STYLE_LOSS, "!");
		else if (!here && in_range(h, from, to))
			canvas_puts(c, row, col, 1, STYLE_KEY, s->utf8 ? "\u2500" : "=");
		else if (here || outside)
			canvas_puts(c, row, col, 1, here ? STYLE_KEY : STYLE_DIM, here ? "v" : ".");
	}
}

/* The width of a bar with all its digits, such as "41.94304 ms". */
static const char *
width_text(uint64_t ns, char room[32])
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	unsigned digits = 0, unit = 0;
	uint64_t scale = 1;

	for (; unit < 3 && ns / scale >= 1000; unit++, digits += 3)
		scale *= 1000;
	for (; digits && ns % 10 == 0; digits--, scale /= 10)
		ns /= 10;
	if (digits)
		snprintf(room, 32, "%" PRIu64 ".%0*" PRIu64 " %s", ns / scale, (int)digits, ns % scale, units[unit]);
	else
		snprintf(room, 32, "%" PRIu64 " %s", ns / scale, units[unit]);
	return room;
}

static void
draw_axis(struct histogram *h, struct canvas *c, int row)
{
	struct session *s = h->base.session;
	struct area a = h->base.area;
	struct line l = { 0 };
	int64_t begin_ns, end_ns;
	char text[32];
	int width, cols = (int)h->n;

	shown(h, &begin_ns, &end_ns);
	session_put_time(s, &l, STYLE_TIME, begin_ns);
	canvas_line(c, row, a.col, a.cols, &l, 0, false);
	width = l.width;
	line_clear(&l);
	/* Put the end time below the last bar. */
	session_put_time(s, &l, STYLE_TIME, end_ns);
	if (cols < width + l.width + 1)
		cols = width + l.width + 1;
	if (cols <= a.cols)
		canvas_line(c, row, a.col + cols - l.width, l.width, &l, 0, false);
	if (l.width > width)
		width = l.width;
	line_clear(&l);
	line_printf(&l, STYLE_DIM, _("%s a bar"), width_text(h->grid.width_ns, text));
	if (width * 2 + l.width + 2 <= cols)
		canvas_line(c, row, a.col + (cols - l.width) / 2, l.width, &l, 0, false);
	else if (cols + l.width + 2 <= a.cols)
		canvas_line(c, row, a.col + a.cols - l.width, l.width, &l, 0, false);
	line_release(&l);
}

static uint64_t
sum(const struct histogram *h, int kind)
{
	uint64_t n = 0;

	for (size_t i = 0; i < h->n; i++)
		n += h->bar[kind][i];
	return n;
}

/* Describe the selected bar, and the marks with their numbers. */
static void
draw_selected(struct histogram *h, struct canvas *c, int row)
{
	struct session *s = h->base.session;
	const char *block = s->utf8 ? "\u2588" : "#";
	struct line l = { 0 };
	char number[32];
	size_t losses = 0;

	session_put_time(s, &l, STYLE_TIME, time_of(h, h->selected));
	line_printf(&l, STYLE_TEXT, ngettext("  %s event", "  %s events", h->bar[ALL][h->selected]),
		    number_text(h->bar[ALL][h->selected], number));
	if (h->has_hits)
		line_printf(&l, STYLE_HIT, ngettext("  %s hit", "  %s hits", h->bar[HITS][h->selected]),
			    number_text(h->bar[HITS][h->selected], number));
	line_puts(&l, STYLE_DIM, "   ");
	line_puts(&l, h->has_hits ? STYLE_DIM : STYLE_BAR, block);
	line_printf(&l, STYLE_DIM, " %s", number_text(sum(h, ALL), number));
	if (h->has_hits) {
		line_puts(&l, STYLE_HIT, s->utf8 ? "  \u2588" : "  @");
		line_printf(&l, STYLE_DIM, " %s", number_text(sum(h, HITS), number));
	}
	for (size_t i = 0; i < h->n; i++)
		losses += h->lost[i];
	if (losses) {
		line_puts(&l, STYLE_LOSS, "  !");
		line_printf(&l, STYLE_DIM, ngettext(" lost in %zu bar", " lost in %zu bars", losses), losses);
	}
	line_printf(&l, STYLE_DIM, _("  v here  highest %s"), number_text(highest(h), number));
	canvas_line(c, row, h->base.area.col, h->base.area.cols, &l, 0, true);
	line_release(&l);
}

static unsigned
histogram_prepare(struct view *v)
{
	follow_size((struct histogram *)v);
	return VIEW_PASS;
}

static void
histogram_draw(struct view *v, struct canvas *c)
{
	struct histogram *h = (struct histogram *)v;
	struct area a = v->area;
	int marks = a.rows >= 6, rows = a.rows - 2 - marks, top = a.row + 1 + marks;

	if (rows < 1 || !h->n)
		return;
	for (size_t i = 0; i < h->n; i++)
		for (int kind = 0; kind < KINDS; kind++)
			draw_bar(h, c, i, kind, part_of(h, h->bar[kind][i]), top, rows);
	draw_selected(h, c, a.row);
	if (marks)
		draw_marks(h, c, a.row + 1);
	draw_axis(h, c, a.row + a.rows - 1);
	if (rows > 3)
		draw_height(h, c, top, 1);
	if (rows > 6)
		draw_height(h, c, top + rows / 2, 1 - (double)(rows / 2) / rows);
	draw_cursor(h, c, top, rows);
}

static unsigned
histogram_turn(struct view *v)
{
	struct histogram *h = (struct histogram *)v;

	if (!h->job[ALL] && !h->job[HITS])
		return VIEW_PASS;
	for (int kind = 0; kind < KINDS; kind++)
		if (h->job[kind])
			take(h, h->job[kind]->data);
	return VIEW_REDRAW;
}

/* ---- keys ---- */

static unsigned
select_bar(struct histogram *h, int64_t i)
{
	int64_t last = h->n ? (int64_t)h->n - 1 : 0;

	h->selected = (size_t)(i < 0 ? 0 : i > last ? last : i);
	h->has_at = false;
	return VIEW_DONE | VIEW_REDRAW;
}

/* Zoom around the selected bar, which stays at its place on the screen if the range allows this. */
static unsigned
zoom(struct histogram *h, double factor)
{
	struct session *s = h->base.session;
	double span = ns_between(h->begin_ns, h->end_ns) * factor, at, begin, end;
	int64_t chosen;

	if (!h->n)
		return VIEW_DONE;
	chosen = time_of(h, h->selected);
	chosen = h->has_at ? h->at_ns : chosen + (grid_end(&h->grid, h->selected) - chosen) / 2;
	if (span < (double)h->n)
		span = (double)h->n;	/* a bar is at least a nanosecond */
	at = ns_between(s->traces.begin_ns, chosen);
	begin = at - span * ((double)h->selected + 0.5) / (double)h->n;
	end = begin + span;
	if (begin < 0)
		begin = 0;
	if (end > ns_between(s->traces.begin_ns, s->traces.end_ns))
		end = ns_between(s->traces.begin_ns, s->traces.end_ns);
	h->begin_ns = s->traces.begin_ns + (int64_t)begin;
	h->end_ns = s->traces.begin_ns + (int64_t)end;
	restart(h);
	h->selected = grid_bar(&h->grid, chosen);
	h->at_ns = chosen;
	h->has_at = true;
	return VIEW_DONE | VIEW_REDRAW;
}

/* The range up to the selected bar. @from: its begin, if the user did not set one. */
static struct bounds
range_of(const struct histogram *h, int64_t from)
{
	int64_t a = h->has_range ? h->range_begin_ns : from, b = grid_end(&h->grid, h->selected);

	if (b < a) {
		int64_t swap = a;

		a = time_of(h, h->selected);
		b = swap;
	}
	return (struct bounds) { true, true, a, b };
}

static unsigned
end_range(struct histogram *h)
{
	return view_request(&h->base, &(struct request) { REQUEST_BOUNDS, .is.bounds = range_of(h, h->begin_ns) });
}

/* Compare the range whose begin is set, otherwise the selected bar. */
static unsigned
compare(struct histogram *h, enum action action)
{
	struct session *s = h->base.session;
	struct bounds range = range_of(h, time_of(h, h->selected));
	bool chosen = h->has_range || action == ACT_WHY || !s->answers.has_part;

	h->has_range = false;
	if (action == ACT_WHY)
		wish_why(s, NULL, &range, NULL);
	else if (!wish_parts(s, chosen ? &range : NULL))
		return VIEW_DONE | VIEW_REDRAW;
	return view_request_answer(&h->base);
}

static unsigned
histogram_act(struct view *v, const struct call *call)
{
	const struct here *here = &v->session->here;
	struct histogram *h = (struct histogram *)v;
	int64_t n = call->count && call->count < BARS_MAX ? (int64_t)call->count : 1, at = (int64_t)h->selected;

	switch (call->action) {
	case ACT_EVENT_NEXT: return select_bar(h, at + n);
	case ACT_EVENT_PREVIOUS: return select_bar(h, at - n);
	case ACT_PAGE_DOWN:
	case ACT_HALF_DOWN: return select_bar(h, at + 10 * n);
	case ACT_PAGE_UP:
	case ACT_HALF_UP: return select_bar(h, at - 10 * n);
	case ACT_FIRST: return select_bar(h, 0);
	case ACT_LAST: return select_bar(h, (int64_t)h->n);
	case ACT_ZOOM_IN: return zoom(h, 0.5);
	case ACT_ZOOM_OUT: return zoom(h, 2);
	case ACT_RANGE_BEGIN:
		h->has_range = true;
		h->range_begin_ns = time_of(h, h->selected);
		session_say(v->session, _("the range begins here: ] ends it"));
		return VIEW_DONE | VIEW_REDRAW;
	case ACT_RANGE_END: return end_range(h);
	case ACT_SORT:
		h->log = !h->log;
		return VIEW_DONE | VIEW_REDRAW;
	case ACT_WHY: case ACT_COMPARE: return h->n ? compare(h, call->action) : VIEW_DONE;
	case ACT_OPEN:
		if (h->has_at && here->has_row && here->row.time_ns == h->at_ns)	/* the cursor was not moved */
			return view_request_go(v, &here->row.location);
		return view_request_time(v, time_of(h, h->selected));
	default: return VIEW_PASS;
	}
}

/* A press selects a bar, and a drag selects a range. */
static unsigned
histogram_point(struct view *v, int row, int col, bool drag, bool end)
{
	struct histogram *h = (struct histogram *)v;

	(void)row;
	if (!h->n)
		return VIEW_DONE;
	select_bar(h, col);
	if (!drag)
		h->pressed = h->selected;
	if (!end || h->pressed == h->selected)
		return VIEW_DONE | VIEW_REDRAW;
	h->has_range = true;
	h->range_begin_ns = time_of(h, h->pressed);
	return end_range(h);
}

const struct view_class histogram_view = {
	.name = "histogram",
	.title = N_("events over time"),
	.hint = N_("Left Right bars  Enter goes there  + - zoom  [ ] range  q back"),
	.size = sizeof(struct histogram),
	.open = histogram_open,
	.close = histogram_close,
	.prepare = histogram_prepare,
	.draw = histogram_draw,
	.turn = histogram_turn,
	.point = histogram_point,
	.act = histogram_act,
};
