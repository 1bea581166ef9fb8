/*
 * status.c - the two lines at the bottom: where one is, and what is typed or said
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "cli/record.h"
#include "status.h"
#include "views/events.h"
#include "views/list.h"

/* ---- the status line ---- */

static void
put_position(struct app *a, struct line *l)
{
	struct session *s = &a->session;
	struct tn_str b = { 0 };
	int permille;

	if (!s->has_row)
		return;
	if (s->row.has_time) {
		tn_text_time(s->query->text, s->row.time_ns, &b);
		line_add(l, STYLE_STATUS, b.text, b.n);
		tn_str_release(&b);
	}
	permille = session_permille(s, s->row.location.time_ns);
	if (permille >= 0 && s->row.has_time)
		line_printf(l, STYLE_STATUS, " %3d.%d%%", permille / 10, permille % 10);
}

static void
put_counts(struct app *a, struct line *l)
{
	struct session *s = &a->session;
	char number[32], matches[32];

	if (s->query->filter) {
		if (s->matches_known)
			line_printf(l, STYLE_STATUS, "  %s", number_text(s->matches, matches));
		else if (a->counts.matches)
			line_printf(l, STYLE_STATUS, "  >=%s",
				    number_text(atomic_load(&a->counts.matches->passed), matches));
		else {
			uint64_t n;

			events_count(a->screens.screen[0], &n);
			line_printf(l, STYLE_STATUS, "  >=%s", number_text(n, matches));
		}
		if (s->counted)
			line_printf(l, STYLE_STATUS, _(" of %s events"), number_text(s->events, number));
		else
			line_puts(l, STYLE_STATUS, _(" events"));
	} else if (s->counted) {
		line_printf(l, STYLE_STATUS, ngettext("  %s event", "  %s events", s->events),
			    number_text(s->events, number));
	}
}

/* What is not in the trace, or cannot be read: nobody looks for it if it is not told. */
static void
put_losses(struct app *a, struct line *l)
{
	struct session *s = &a->session;
	const char *sign = s->utf8 ? "\u26a0" : "!";
	char number[32], places[32];
	uint64_t n = s->lost.events ? s->lost.events : s->lost.packets;

	if (!s->counted)
		return;
	if (n)
		line_printf(l, STYLE_STATUS_NOTE, s->lost.events ? ngettext("  %s %s lost in %s place", "  %s %s lost in %s places",
			    s->loss_places) : ngettext("  %s %s packets lost in %s place", "  %s %s packets lost in %s places",
			    s->loss_places), sign, number_text(n, number), number_text(s->loss_places, places));
	else if (s->loss_places)
		line_printf(l, STYLE_STATUS_NOTE, ngettext("  %s maybe lost in %s place", "  %s maybe lost in %s places",
			    s->loss_places), sign, number_text(s->loss_places, places));
	if (s->damages)
		line_printf(l, STYLE_STATUS_NOTE, ngettext("  %s %s damage", "  %s %s damages", s->damages), sign,
			    number_text(s->damages, number));
}

static void
put_filters(struct app *a, struct line *l)
{
	struct session *s = &a->session;

	/* Those that are off are there too, or nobody would know what ^T brings back. */
	for (size_t i = 0; i < s->n_conditions; i++) {
		bool on = s->condition[i].on;
		unsigned style = on ? STYLE_STATUS_NOTE : STYLE_STATUS;

		line_puts(l, STYLE_STATUS, "  ");
		line_puts(l, style, on ? "" : "(");
		line_puts(l, style, s->condition[i].is_range ? "" : "&");
		line_puts_unsafe(l, style, s->condition[i].text);
		line_puts(l, style, on ? "" : ")");
	}
}

/* How long it will take, once that can be told. */
static void
put_left(struct line *l, const struct job *job, int permille)
{
	uint64_t us = record_now() - job->since_us;
	char span[32];

	if (permille > 0 && permille < 1000 && us > 2000000)
		line_printf(l, STYLE_STATUS_NOTE, _(", %s left"),
			    span_text((int64_t)(us / 1000 * (uint64_t)(1000 - permille) / (uint64_t)permille / 1000) * 1000000000,
				      span));
}

static void
put_job(struct app *a, struct line *l)
{
	struct session *s = &a->session;
	struct job *job = jobs_foreground(&s->jobs);
	char number[32];
	int permille;

	if (!s->indexed)
		line_puts(l, STYLE_STATUS_NOTE, a->jumps.later.is ? _("  indexing up to there (Esc stops)") : _("  indexing"));
	if (a->follow.on)
		line_puts(l, STYLE_STATUS_NOTE, a->follow.paused ? _("  following: G goes on") : _("  following"));
	if (*a->follow.what) {
		line_puts(l, STYLE_STATUS_NOTE, "  ");
		line_puts_unsafe(l, STYLE_STATUS_NOTE, a->follow.what);
	}
	if (!job) {
		for (job = s->jobs.first; job && !job_is_seen(job);
		     job = job->next)
			;
		if (!job)
			return;
	}
	permille = atomic_load(&job->permille);
	line_printf(l, STYLE_STATUS_NOTE, "  %s", _(job->class->label));
	if (permille >= 0)
		line_printf(l, STYLE_STATUS_NOTE, " %d%%", permille / 10);
	put_left(l, job, permille);
	if (!job->class->quiet) {
		if (atomic_load(&job->events))
			line_printf(l, STYLE_STATUS_NOTE, _(", %s events"),
				    number_text(atomic_load(&job->events), number));
		line_puts(l, STYLE_STATUS_NOTE, _(" (Esc stops)"));
	}
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

void
status_draw(struct app *a, int row)
{
	struct session *s = &a->session;
	struct line left = { 0 }, right = { 0 };
	int cols = a->canvas.cols;

	canvas_fill(&a->canvas, row, 0, cols, STYLE_STATUS);
	line_puts(&left, STYLE_STATUS, " ");
	if (a->screens.n_screens > 1) {
		put_panes(a, &left);
	} else {
		put_position(a, &left);
		put_counts(a, &left);
		selection_put(&a->selection, s, &left);
		put_losses(a, &left);
		put_filters(a, &left);
	}
	put_job(a, &right);
	if (right.n)
		line_puts(&right, STYLE_STATUS, " ");
	/* What runs is more important than the end of the rest. */
	canvas_line(&a->canvas, row, 0, right.width < cols ? cols - right.width : cols, &left, 0, true);
	if (right.width < cols)
		canvas_line(&a->canvas, row, cols - right.width, right.width, &right, 0, false);
	else
		canvas_line(&a->canvas, row, 0, cols, &right, 2, false);
	if (!right.n && s->options->title && left.width + 2 < cols) {
		line_clear(&right);
		line_puts_unsafe(&right, STYLE_STATUS, s->options->title);
		line_puts(&right, STYLE_STATUS, " ");
		if (left.width + 2 + right.width <= cols)
			canvas_line(&a->canvas, row, cols - right.width, right.width, &right, 0, false);
	}
	line_release(&left);
	line_release(&right);
}

/* ---- the last line ---- */

/* The filters with the numbers that ^T takes, above the prompt for one more. */
static void
draw_filters(struct app *a, int row)
{
	struct session *s = &a->session;
	struct line l = { 0 };

	for (size_t i = 0; i < s->n_conditions; i++) {
		line_printf(&l, STYLE_KEY, " %zu ", i + 1);
		line_puts(&l, STYLE_TEXT, s->condition[i].on ? "" : "(");
		line_puts(&l, STYLE_TEXT, s->condition[i].is_range ? "" : "&");
		line_puts_unsafe(&l, STYLE_TEXT, s->condition[i].text);
		line_puts(&l, STYLE_TEXT, s->condition[i].on ? " " : ") ");
	}
	if (s->n_conditions) {
		line_puts(&l, STYLE_DIM, _(" empty: take all away"));
		canvas_fill(&a->canvas, row, 0, a->canvas.cols, STYLE_TEXT);
		canvas_line(&a->canvas, row, 0, a->canvas.cols, &l, 0, true);
	}
	line_release(&l);
}

/* What can be written, for who has written nothing yet: of this trace. */
static void
put_examples(struct app *a, struct line *l)
{
	struct session *s = &a->session;
	const char *name = s->has_row && s->row.event_class ? tn_event_class_name(s->row.event_class) : NULL;
	struct tn_str b = { 0 };

	switch (a->asking.what) {
	case ASK_FILTER:
	case ASK_SEARCH:
		if (name && !strpbrk(name, "\"\\")) {
			line_puts(l, STYLE_DIM, " name == \"");
			line_puts_unsafe(l, STYLE_DIM, name);
			line_puts(l, STYLE_DIM, "\"  ");
		}
		line_puts(l, STYLE_DIM, _(" delta > 1ms   not ret == 0   text or /regular expression/"));
		break;
	case ASK_TIME:
		if (s->has_row && s->row.has_time)
			tn_text_time(s->query->text, s->row.time_ns, &b);
		line_printf(l, STYLE_DIM, " %s", b.text ? b.text : "");
		line_puts(l, STYLE_DIM, _("   +5ms   -1s   50%   2025-11-28T07:00:03Z   @nanoseconds   N cycles"));
		break;
	case ASK_COMMAND:
		line_puts(l, STYLE_DIM, _(" w FILE   column tid   set wrap on   tz utc   100   Tab lists all"));
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
	if (l.n) {
		canvas_fill(&a->canvas, row, 0, a->canvas.cols, STYLE_TEXT);
		canvas_line(&a->canvas, row, 0, a->canvas.cols, &l, 0, true);
	}
	line_release(&l);
}

static void
draw_prompt(struct app *a, int row)
{
	struct prompt *p = &a->asking.prompt;
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
	if (*a->asking.error && row > 0) {
		struct line e = { 0 };

		line_puts(&e, STYLE_ERROR, " ");
		line_puts_unsafe(&e, STYLE_ERROR, a->asking.error);
		canvas_fill(&a->canvas, row - 1, 0, cols, STYLE_TEXT);
		canvas_line(&a->canvas, row - 1, 0, cols, &e, 0, true);
		line_release(&e);
	} else if (a->asking.what == ASK_FILTER && a->session.n_conditions && row > 0) {
		draw_filters(a, row - 1);
	} else if (!p->n && row > 1) {
		draw_examples(a, row - 1);
	}
}

/* The count and the keys typed so far, at the right. */
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

/*
 * The next piece of a message that fits in a line, and in *next where the one behind it begins: up to a newline,
 * or as wide as the screen, between words unless that leaves the line half empty.
 */
static size_t
message_piece(const char *text, int cols, const char **next)
{
	size_t n = strcspn(text, "\n"), fits = text_fit(text, n, cols, NULL), at;

	*next = text + n + (text[n] == '\n');
	if (fits >= n || !fits)
		return n;
	for (at = fits; at > fits / 2 && text[at] != ' '; at--)
		;
	if (at <= fits / 2)
		at = fits;
	*next = text + at + strspn(text + at, " ");
	return at;
}

int
message_rows(const struct app *a)
{
	const char *text = a->session.message;
	int rows = 0, most = a->canvas.rows / 2;

	while (a->asking.what == ASK_NOTHING && *text) {
		message_piece(text, a->canvas.cols, &text);
		rows++;
	}
	rows = rows < most ? rows : most;
	return rows > 1 ? rows : 1;
}

void
message_draw(struct app *a, int row, int rows)
{
	struct session *s = &a->session;
	const char *text = s->message, *next;
	struct line l = { 0 };

	if (a->asking.what != ASK_NOTHING) {
		draw_prompt(a, row);
		return;
	}
	for (int i = 0; i < rows && *s->message; i++) {
		size_t n = message_piece(text, a->canvas.cols, &next);

		line_clear(&l);
		line_add_unsafe(&l, s->message_is_error ? STYLE_ERROR : STYLE_TEXT, text, n);
		canvas_fill(&a->canvas, row + i, 0, a->canvas.cols, STYLE_TEXT);
		canvas_line(&a->canvas, row + i, 0, a->canvas.cols, &l, 0, true);
		text = next;
	}
	if (!*s->message) {
		line_puts(&l, STYLE_DIM, a->screens.n_screens == 1 && a->screens.focus < 0
			  ? _("h help  / search  & filter  t time  Enter details  q quit") : _("h help  q back"));
		canvas_line(&a->canvas, row, 0, a->canvas.cols, &l, 0, false);
	}
	line_release(&l);
	draw_pending(a, row + rows - 1);
}
