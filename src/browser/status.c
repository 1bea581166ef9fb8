/* status.c - the two lines at the bottom: position of the cursor, and the prompt or a message */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "cli/record.h"
#include "screen/time_zone.h"
#include "status.h"
#include "views/events.h"
#include "views/list.h"

/* ---- the status line ---- */

/*
 * The position of the cursor comes first and always fits, as the last line shows the jobs. If the line is too long, it is
 * made with a higher @brief: 0 gives all words, 2 the fewest.
 */
#define BRIEFEST 2	/* the smallest screens have a special form, put_tiny() */

static void
put_position(struct app *a, struct line *l, int brief)
{
	struct session *s = &a->session;
	struct tn_str b = { 0 };
	char room[32];
	const char *zone;
	int permille;

	if (!s->here.has_row)
		return;
	if (s->here.row.has_time) {
		tn_text_time(s->asks.query->text, s->here.row.time_ns, &b);
		line_add(l, STYLE_STATUS, b.text, b.n);
		tn_str_release(&b);
		zone = s->settings.since_origin ? "" : time_zone_name(s->traces.set, &s->settings.text, s->here.row.time_ns, room);
		line_printf(l, STYLE_STATUS, *zone ? " %s" : "%s", zone);
	}
	permille = session_permille(s, s->here.row.location.time_ns);
	if (permille >= 0 && s->here.row.has_time)
		line_printf(l, STYLE_STATUS, brief < 2 ? " %3d.%d%%" : " %d%%", permille / 10, permille % 10);
}

/*
 * Append the number of the cursor's event, such as "17 of 240", or only "240" if its event is not counted; ">=" if the
 * count is unfinished.
 */
static void
put_number(struct line *l, const struct session *s, const struct tally *t, bool known, uint64_t n)
{
	bool ranked = t->is_one && tally_has_rank(t, &s->here.row.location) && s->here.has_row;
	char rank[32], all[32];

	if (ranked)
		line_printf(l, STYLE_STATUS, known ? _("%s of %s") : _("%s of >=%s"), number_text(t->rank, rank),
			    number_text(n > t->rank ? n : t->rank, all));
	else
		line_printf(l, STYLE_STATUS, known ? "%s" : ">=%s", number_text(n, all));
}

static void
put_counts(struct app *a, struct line *l, int brief)
{
	struct session *s = &a->session;
	bool passes = s->asks.query->filter != NULL;
	char number[32];
	uint64_t shown;

	if (passes) {
		events_count(a->screens.screen[0], &shown);
		line_puts(l, STYLE_STATUS, brief == BRIEFEST || !s->asks.pass.ranked ? "  " :
			  s->asks.found.on ? _("  event ") : _("  hit "));
		put_number(l, s, &s->asks.pass, s->asks.pass.known,
			   s->asks.pass.on && s->asks.pass.n > shown ? s->asks.pass.n : shown);
		if (s->traces.counted && !brief)
			line_printf(l, STYLE_STATUS, ngettext(" in %s event", " in %s events", s->traces.events),
				    number_text(s->traces.events, number));
		else if (!s->traces.counted && brief < BRIEFEST)
			line_puts(l, STYLE_STATUS, _(" events"));
	} else if (s->traces.counted) {
		const struct tally *t = s->asks.pass.on ? &s->asks.pass : &s->asks.all;

		if (t->is_one && s->here.has_row && tally_has_rank(t, &s->here.row.location)) {
			line_puts(l, STYLE_STATUS, brief < BRIEFEST ? _("  event ") : "  ");
			put_number(l, s, t, true, s->traces.events);
		} else {
			line_printf(l, STYLE_STATUS, ngettext("  %s event", "  %s events", s->traces.events),
				    number_text(s->traces.events, number));
		}
	} else if (s->asks.all.on && s->asks.all.n) {
		line_printf(l, STYLE_STATUS, brief < BRIEFEST ? _("  >=%s events") : "  >=%s", number_text(s->asks.all.n, number));
	}
	if (s->asks.found.on) {
		bool on_one = s->asks.found.is_one && s->here.has_row && tally_has_rank(&s->asks.found, &s->here.row.location);

		line_puts(l, STYLE_STATUS_NOTE, on_one ? _("  hit ") : "  ");
		put_number(l, s, &s->asks.found, s->asks.found.known, s->asks.found.n);
		if (!on_one)
			line_puts(l, STYLE_STATUS_NOTE, s->asks.found.n == 1 ? _(" hit") : _(" hits"));
	}
}

/* Append the number of lost and unreadable events, because users do not expect them. */
static void
put_losses(struct app *a, struct line *l, int brief)
{
	struct session *s = &a->session;
	const char *sign = s->utf8 ? "\u26a0" : "!";
	char number[32], places[32];
	uint64_t n = s->traces.lost.events ? s->traces.lost.events : s->traces.lost.packets;

	if (!s->traces.counted)
		return;
	if (n && brief)
		line_printf(l, STYLE_STATUS_NOTE, s->traces.lost.events ? _("  %s %s lost") :
			    ngettext("  %s %s packet lost", "  %s %s packets lost", n), sign,
			    number_text(n, number));
	else if (n)
		line_printf(l, STYLE_STATUS_NOTE, s->traces.lost.events ?
			    ngettext("  %s %s lost in %s place", "  %s %s lost in %s places", s->traces.loss_places) :
			    ngettext("  %s %s packets lost in %s place", "  %s %s packets lost in %s places",
			    s->traces.loss_places), sign, number_text(n, number), number_text(s->traces.loss_places, places));
	else if (s->traces.loss_places)
		line_printf(l, STYLE_STATUS_NOTE, ngettext("  %s maybe lost in %s place", "  %s maybe lost in %s places",
			    s->traces.loss_places), sign, number_text(s->traces.loss_places, places));
	if (s->traces.damages)
		line_printf(l, STYLE_STATUS_NOTE, ngettext("  %s %s damage", "  %s %s damages", s->traces.damages), sign,
			    number_text(s->traces.damages, number));
}

/* Append one end of a range, without the part of the time that all times share. */
static void
put_end(const struct session *s, struct line *l, unsigned style, bool has, int64_t ns)
{
	struct tn_str b = { 0 };
	size_t skip = s->widths.time_prefix_size;

	if (has)
		tn_text_time(s->asks.query->text, ns, &b);
	if (b.n < skip || strncmp(b.text ? b.text : "", s->widths.time_prefix, skip) != 0)
		skip = 0;
	if (b.text)
		line_puts(l, style, b.text + skip);
	tn_str_release(&b);
}

static void
put_range(const struct session *s, struct line *l, unsigned style, const struct condition *c)
{
	put_end(s, l, style, c->has_begin, c->begin_ns);
	line_puts(l, style, " .. ");
	put_end(s, l, style, c->has_end, c->end_ns);
}

static void
put_filters(struct app *a, struct line *l, int brief)
{
	struct session *s = &a->session;

	/* Show disabled filters too, because ^T enables them. */
	for (size_t i = 0; i < s->asks.n_conditions; i++) {
		bool on = s->asks.condition[i].on;
		unsigned style = on ? STYLE_STATUS_NOTE : STYLE_STATUS;

		line_puts(l, STYLE_STATUS, "  ");
		line_puts(l, style, on ? "" : "(");
		if (s->asks.condition[i].is_range && brief) {
			put_range(s, l, style, &s->asks.condition[i]);
		} else {
			line_puts(l, style, s->asks.condition[i].is_range ? "" : "&");
			line_puts_unsafe(l, style, s->asks.condition[i].text);
		}
		line_puts(l, style, on ? "" : ")");
	}
}

/* Append a note if times are shifted. */
static void
put_shifts(struct app *a, struct line *l)
{
	const struct session *s = &a->session;
	size_t n = 0;

	for (size_t i = 0; i < s->traces.n_offsets; i++)
		n += s->traces.offset[i].offset_ns != 0;
	if (n)
		line_printf(l, STYLE_STATUS_NOTE, ngettext("  %zu shifted", "  %zu shifted", n), n);
}

static void
put_follow(struct app *a, struct line *l)
{
	struct session *s = &a->session;
	char number[32];

	if (!s->traces.indexed)
		line_puts(l, STYLE_STATUS_NOTE, a->jumps.later.is ? _("  indexing up to that place (Esc "
								      "stops)") : _("  indexing"));
	if (a->follow.on && a->follow.paused && a->follow.came)
		line_printf(l, STYLE_STATUS_NOTE, ngettext("  following: %s new, G goes there",
			    "  following: %s new, G goes there",
			    a->follow.came), number_text(a->follow.came, number));
	else if (a->follow.on)
		line_puts(l, STYLE_STATUS_NOTE, a->follow.paused ? _("  following: G continues") : _("  following"));
	if (*a->follow.what) {
		line_puts(l, STYLE_STATUS_NOTE, "  ");
		line_puts_unsafe(l, STYLE_STATUS_NOTE, a->follow.what);
	}
}

/* Append the remaining time, if it is known. */
static void
put_left(struct line *l, const struct job *job, int permille)
{
	uint64_t us = record_now() - job->since_us;
	uint64_t seconds = permille > 0 ? us * (uint64_t)(1000 - permille) / (uint64_t)permille / 1000000 : 0;
	char span[32];

	if (permille < 1000 && us > 2000000 && seconds)
		line_printf(l, STYLE_STATUS_NOTE, _(", %s left"), span_text((int64_t)seconds * 1000000000, span));
}

/* Append progress, speed and duration of the running job. False: no job runs. */
static bool
put_job(struct app *a, struct line *l)
{
	struct session *s = &a->session;
	struct job *job = jobs_foreground(&s->jobs);
	char number[32];
	uint64_t events, us;
	int permille;

	for (struct job *j = s->jobs.first; !job && j; j = j->next)
		if (job_is_seen(j))
			job = j;
	if (!job)
		return false;
	permille = atomic_load(&job->permille);
	events = atomic_load(&job->events);
	us = record_now() - job->since_us;
	line_printf(l, STYLE_STATUS_NOTE, " %s", _(job->class->label));
	if (permille >= 0)
		line_printf(l, STYLE_STATUS_NOTE, " %d%%", permille / 10);
	put_left(l, job, permille);
	if (events && us > 1000000)
		line_printf(l, STYLE_STATUS_NOTE, ngettext(", %s event a second", ", %s events a second",
						      events * 1000 / (us / 1000)),
			    number_text(events * 1000 / (us / 1000), number));
	else if (!job->class->quiet && events)
		line_printf(l, STYLE_STATUS_NOTE, ngettext(", %s event", ", %s events", events),
			    number_text(events, number));
	if (!job->class->quiet)
		line_puts(l, STYLE_STATUS_NOTE, _(" (^C stops)"));
	line_puts(l, STYLE_STATUS_NOTE, " ");
	return true;
}

static void
put_panes(struct app *a, struct line *l)
{
	struct view *top = screens_top(&a->screens);

	if (a->screens.n_screens == 1)
		return;
	line_puts(l, STYLE_STATUS_NOTE, _(top->class->title));
	if (top->class->status) {
		line_puts(l, STYLE_STATUS, "  ");
		top->class->status(top, l);
	} else if (top->class->row) {
		const struct list_view *list = (const struct list_view *)top;
		char at[32], n[32];

		if (list->n)
			line_printf(l, STYLE_STATUS, "  %s/%s", number_text(list->selected + 1, at),
				    number_text(list->n, n));
	}
}

#define TINY 40			/* terminal width in columns */

/* Append a short form such as "&17/240 35% 13:46:40": filters, number, progress, time. */
static void
put_tiny(struct app *a, struct line *l)
{
	const struct session *s = &a->session;
	const struct tally *t = s->asks.pass.on ? &s->asks.pass : &s->asks.all;
	int permille = s->here.has_row ? session_permille(s, s->here.row.location.time_ns) : -1;
	char rank[32], all[32];

	line_puts(l, STYLE_STATUS_NOTE, s->here.selecting ? "V" : s->asks.query->filter ? "&" : a->follow.on ? "F" : " ");
	if (s->here.has_row && tally_has_rank(t, &s->here.row.location) && t->is_one)
		line_printf(l, STYLE_STATUS, "%s/", number_text(t->rank, rank));
	if (t->known || s->traces.counted)
		line_puts(l, STYLE_STATUS, number_text(t->known ? t->n : s->traces.events, all));
	if (permille >= 0)
		line_printf(l, STYLE_STATUS, " %d%%", permille / 10);
	put_losses(a, l, BRIEFEST);
	put_filters(a, l, BRIEFEST);
}

static void
put_all(struct app *a, struct line *l, int brief)
{
	line_clear(l);
	if (brief > BRIEFEST) {
		put_tiny(a, l);
		return;
	}
	line_puts(l, STYLE_STATUS, " ");
	put_position(a, l, brief);
	if (!a->session.here.selecting || !brief)
		put_counts(a, l, brief);
	selection_put(&a->selection, &a->session, l, brief == BRIEFEST);
	put_follow(a, l);
	put_shifts(a, l);
	put_losses(a, l, brief);
	put_filters(a, l, brief);
}

void
status_draw(struct app *a, int row)
{
	struct session *s = &a->session;
	struct line left = { 0 }, right = { 0 };
	int cols = a->canvas.cols;

	canvas_fill(&a->canvas, row, 0, cols, STYLE_STATUS);
	if (a->screens.n_screens > 1) {
		line_puts(&left, STYLE_STATUS, " ");
		put_panes(a, &left);
		put_follow(a, &left);
	} else {
		for (int brief = 0; brief == 0 || (left.width > cols && brief <= BRIEFEST + (cols < TINY)); brief++)
			put_all(a, &left, brief);
	}
	canvas_line(&a->canvas, row, 0, cols, &left, 0, true);
	if (s->options->title && left.width + 2 < cols) {
		line_put_path(&right, STYLE_STATUS, s->options->title, cols - left.width - 3);
		line_puts(&right, STYLE_STATUS, " ");
		if (left.width + 2 + right.width <= cols)
			canvas_line(&a->canvas, row, cols - right.width, right.width, &right, 0, false);
	}
	line_release(&left);
	line_release(&right);
}

/* Draw a line over the row, unless the line is empty, and release the line. */
static void
draw_over(struct app *a, int row, struct line *l)
{
	if (l->n) {
		canvas_fill(&a->canvas, row, 0, a->canvas.cols, STYLE_TEXT);
		canvas_line(&a->canvas, row, 0, a->canvas.cols, l, 0, true);
	}
	line_release(l);
}

/* ---- the last line ---- */

/* Draw the filters, with the numbers that ^T takes, above the prompt for a filter. */
static void
draw_filters(struct app *a, int row)
{
	struct session *s = &a->session;
	struct line l = { 0 };

	for (size_t i = 0; i < s->asks.n_conditions; i++) {
		line_printf(&l, STYLE_KEY, " %zu ", i + 1);
		line_puts(&l, STYLE_TEXT, s->asks.condition[i].on ? "" : "(");
		line_puts(&l, STYLE_TEXT, s->asks.condition[i].is_range ? "" : "&");
		line_puts_unsafe(&l, STYLE_TEXT, s->asks.condition[i].text);
		line_puts(&l, STYLE_TEXT, s->asks.condition[i].on ? " " : ") ");
	}
	if (s->asks.n_conditions)
		line_puts(&l, STYLE_DIM, a->prompt.edits ? _(" Enter: remove this filter") : _(" Enter: remove all filters"));
	draw_over(a, row, &l);
}

/* Append examples for an empty prompt, made from this trace. */
static void
put_examples(struct app *a, struct line *l)
{
	struct session *s = &a->session;
	const char *name = s->here.has_row && s->here.row.event_class ? tn_event_class_name(s->here.row.event_class) : NULL;
	char number[EXAMPLE_TEXT];
	struct tn_str b = { 0 };

	switch (a->prompt.what) {
	case ASK_FILTER:
	case ASK_SEARCH:
		if (name && !strpbrk(name, "\"\\")) {
			line_puts(l, STYLE_DIM, " name == \"");
			line_puts_unsafe(l, STYLE_DIM, name);
			line_puts(l, STYLE_DIM, "\"  ");
		}
		line_puts(l, STYLE_DIM, _(" delta > 1ms (in its stream)   "));
		examples_number(events_row(a->screens.screen[0]), number);
		line_puts(l, STYLE_DIM, number);
		line_puts(l, STYLE_DIM, *number ? "   " : "");
		line_puts(l, STYLE_DIM, _("text or /regex/   ? more"));
		break;
	case ASK_TIME:
		if (s->here.has_row && s->here.row.has_time)
			tn_text_time(s->asks.query->text, s->here.row.time_ns, &b);
		line_printf(l, STYLE_DIM, " %s", b.text ? b.text : "");
		line_puts(l, STYLE_DIM, _("   +5ms   -1s   50%   -10%   end   @nanoseconds   N cycles   ? more"));
		break;
	case ASK_COMMAND:
		line_puts(l, STYLE_DIM, _(" w FILE   column tid   set wrap on   tz utc   100   Tab lists all   ? more"));
		break;
	default: break;
	}
	tn_str_release(&b);
}

static void
draw_examples(struct app *a, int row)
{
	struct line l = { 0 };

	put_examples(a, &l);
	draw_over(a, row, &l);
}

/* Draw more examples and their meaning, which `?` in an empty prompt shows. */
static void
draw_more_examples(struct app *a, int row)
{
	const struct examples *e = &a->examples;
	int n = (int)e->n, from = n < row ? 0 : n - row;
	struct line l = { 0 };

	for (int i = from; i < n; i++) {
		line_clear(&l);
		line_puts(&l, STYLE_KEY, " ");
		line_puts_unsafe(&l, STYLE_KEY, e->item[i].text);
		line_pad(&l, 36, true);
		line_puts(&l, STYLE_DIM, _(e->item[i].what));
		canvas_fill(&a->canvas, row - n + i, 0, a->canvas.cols, STYLE_TEXT);
		canvas_line(&a->canvas, row - n + i, 0, a->canvas.cols, &l, 0, true);
	}
	line_release(&l);
}

/* Draw the error in the typed line, or the result of Tab, above the prompt, on at most half of the screen. */
static void
draw_answer(struct app *a, int row)
{
	const char *text = a->prompt.error, *next;
	int cols = a->canvas.cols, rows = 0, most = row / 2 > 1 ? row / 2 : 1;
	struct line l = { 0 };

	for (const char *at = text; *at && rows < most; rows++)
		line_piece(at, cols - 1, &at);
	for (int i = 0; i < rows; i++, text = next) {
		size_t n = line_piece(text, cols - 1, &next);

		line_clear(&l);
		line_puts(&l, STYLE_ERROR, " ");
		line_add_unsafe(&l, STYLE_ERROR, text, i + 1 == rows ? strlen(text) : n);
		canvas_fill(&a->canvas, row - rows + i, 0, cols, STYLE_TEXT);
		canvas_line(&a->canvas, row - rows + i, 0, cols, &l, 0, true);
	}
	line_release(&l);
}

static void
draw_prompt(struct app *a, int row)
{
	struct prompt *p = &a->prompt.prompt;
	struct line l = { 0 };
	int cols = a->canvas.cols, at, skip;

	line_puts(&l, STYLE_KEY, p->lead);
	line_add(&l, STYLE_TEXT, p->text, p->at);
	at = l.width;
	line_add(&l, STYLE_TEXT, p->text + p->at, p->n - p->at);
	skip = at >= cols ? at - cols + 1 : 0;
	canvas_line(&a->canvas, row, 0, cols, &l, skip, false);
	a->canvas.cursor_row = row;
	a->canvas.cursor_col = at - skip;
	line_release(&l);
	if (*a->prompt.error && row > 0) {
		draw_answer(a, row);
	} else if (a->prompt.examples) {
		draw_more_examples(a, row);
	} else if (a->prompt.what == ASK_FILTER && a->session.asks.n_conditions && row > 0) {
		draw_filters(a, row - 1);
	} else if (!p->n && row > 1) {
		draw_examples(a, row - 1);
	}
}

/* Draw the count and the keys typed so far, at the right. */
static void
draw_pending(struct app *a, int row)
{
	char text[KEY_NAME + 32] = "", keys[KEY_NAME];

	if (a->count)
		snprintf(text, sizeof text, "%llu", (unsigned long long)a->count);
	if (a->n_keys)
		strcat(text, keys_name(a->key, a->n_keys, keys, sizeof keys));
	if (a->wants_letter != ACT_NONE)
		strcat(text, a->wants_letter == ACT_MARK_SET ? "m" : "'");
	if (*text) {
		int width = text_width(text, strlen(text));

		canvas_puts(&a->canvas, row, a->canvas.cols - width - 1, width, STYLE_KEY, text);
	}
}

/* The number of lines that the whole message needs. */
static int
message_lines(const struct app *a)
{
	const char *text = a->session.message;
	int lines = 0;

	while (*text) {
		line_piece(text, a->canvas.cols, &text);
		lines++;
	}
	return lines;
}

int
message_rows(const struct app *a)
{
	int rows = a->prompt.what == ASK_NOTHING ? message_lines(a) : 0, most = a->canvas.rows / 2;

	rows = rows < most ? rows : most;
	return rows > 1 ? rows : 1;
}

/* The number of bytes of the key hints that fit; a hint is shown whole or not at all. */
static size_t
hints_fit(const struct line *l, int cols)
{
	size_t n = l->n ? text_fit(l->text, l->n, cols, NULL) : 0;

	while (l->width > cols && n > 0 && !(l->text[n - 1] == ' ' && l->text[n] == ' '))
		n--;
	return n;
}

/* Draw the progress of the running job at the right: it can cover key hints, but not a message. */
static void
draw_job(struct app *a, int row, const struct line *under)
{
	struct line l = { 0 };
	int cols = a->canvas.cols, at;
	size_t n;

	if (put_job(a, &l)) {
		at = l.width < cols ? cols - l.width : 0;
		if (*a->session.message && under->width >= at) {
			line_release(&l);
			return;
		}
		n = hints_fit(under, at);
		if (under->width > at)
			canvas_fill(&a->canvas, row, text_width(under->text, n), cols, STYLE_TEXT);
		canvas_line(&a->canvas, row, at, cols - at, &l, 0, true);
	}
	line_release(&l);
}

/* Append the keys of the current view and their effect. */
static void
put_hint(const struct app *a, struct line *l)
{
	const struct screens *k = &a->screens;
	const struct view *v = k->n_screens > 1 ? k->screen[k->n_screens - 1] : k->focus >= 0 ? k->pane[k->focus] : NULL;

	if (v && (v->hint || (v->class->hint && !v->no_hint)))
		line_printf(l, STYLE_DIM, "%s%s", _("h help  "), _(v->hint ? v->hint : v->class->hint));
	else if (v)
		line_printf(l, STYLE_DIM, "%s%s", _("h help  "), _("q back"));
	else if (k->pane[PANE_DETAILS])
		line_puts(l, STYLE_DIM, _("h help  Tab to the fields  _ larger  x bytes  Enter or q closes"));
	else
		line_puts(l, STYLE_DIM, k->n_formers ?
			  _("h help  / search  & filter  t time  Enter details  q back  Q quit") :
			  _("h help  / search  & filter  t time  Enter details  q quit"));
}

void
message_draw(struct app *a, int row, int rows)
{
	struct session *s = &a->session;
	const char *text = s->message, *next;
	int left = message_lines(a) - rows + 1;		/* lines that are not shown if the last row counts them */
	struct line l = { 0 };

	if (a->prompt.what != ASK_NOTHING) {
		draw_prompt(a, row);
		return;
	}
	for (int i = 0; i < rows && *s->message; i++) {
		size_t n = line_piece(text, a->canvas.cols, &next);

		line_clear(&l);
		if (i > 0 && i + 1 == rows && left > 1)
			line_printf(&l, STYLE_DIM, ngettext("%d more line: a taller window shows it",
							    "%d more lines: a taller window shows them", left), left);
		else
			line_add_unsafe(&l, s->message_is_error ? STYLE_ERROR : STYLE_TEXT, text, n);
		if (rows == 1 && left > 1)
			line_puts(&l, STYLE_DIM, " ...");
		canvas_fill(&a->canvas, row + i, 0, a->canvas.cols, STYLE_TEXT);
		canvas_line(&a->canvas, row + i, 0, a->canvas.cols, &l, 0, true);
		text = next;
	}
	if (!*s->message) {
		line_clear(&l);
		put_hint(a, &l);
		canvas_line(&a->canvas, row, 0, text_width(l.text, hints_fit(&l, a->canvas.cols)), &l, 0, false);
	}
	draw_job(a, row + rows - 1, &l);
	line_release(&l);
	draw_pending(a, row + rows - 1);
}
