#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app.h"
#include "app_state.h"
#include "screen/charset.h"
#include "gettext.h"
#include "origin.h"
#include "cli/output.h"
#include "cli/record.h"
#include "term/term.h"

#define INDEX_SLICE_NS 4000000	/* work on the index between two looks at the keys */

/* ---- views ---- */

struct view *
app_top(struct app *a)
{
	return a->screen[a->n_screens - 1];
}

struct view *
app_active(struct app *a)
{
	return a->n_screens == 1 && a->focus >= 0 && a->pane[a->focus] ? a->pane[a->focus] : app_top(a);
}

static void
mark_active(struct app *a)
{
	struct view *active = app_active(a);

	for (size_t i = 0; i < a->n_screens; i++)
		a->screen[i]->active = a->screen[i] == active;
	for (int i = 0; i < PANES; i++)
		if (a->pane[i])
			a->pane[i]->active = a->pane[i] == active;
	a->screen[0]->active |= a->n_screens == 1;	/* its cursor is what the panes show */
}

/* Rows for the views: all but the status line and the line of messages. */
static int
body_rows(const struct app *a)
{
	return a->canvas.rows > 3 ? a->canvas.rows - 2 : 1;
}

/* The panes take their rows, titles among them, from the bottom of the events. */
static void
layout_panes(struct app *a)
{
	int rows = body_rows(a), left = rows, panes = 0;

	for (int i = 0; i < PANES; i++)
		panes += a->pane[i] != NULL;
	for (int i = PANES - 1; i >= 0; i--) {
		int take;

		if (!a->pane[i])
			continue;
		take = panes == 1 ? rows / 2 : i == PANE_DETAILS ? rows * 2 / 5 : rows * 3 / 10;
		if (a->maximised)
			take = i == a->focus ? rows : 0;
		else if (take < 2)
			take = rows > 2 && panes == 1 ? 2 : left > 2 ? 1 : 0;
		if (take > left)
			take = left;
		left -= take;
		a->pane[i]->area = (struct area) { left + 1, 0, take > 1 ? take - 1 : 0, a->canvas.cols };
	}
	if (a->maximised && a->focus < 0)
		left = rows;
	a->screen[0]->area = (struct area) { 0, 0, left, a->canvas.cols };
}

void
app_layout(struct app *a)
{
	int rows = body_rows(a);

	for (size_t i = 1; i < a->n_screens; i++)
		a->screen[i]->area = (struct area) { 0, 0, rows, a->canvas.cols };
	layout_panes(a);
	mark_active(a);
	a->dirty = true;
}

static void
cursor_moved(struct app *a)
{
	for (int i = 0; i < PANES; i++)
		if (a->pane[i] && a->pane[i]->class->cursor_moved)
			a->pane[i]->class->cursor_moved(a->pane[i]);
	for (size_t i = 1; i < a->n_screens; i++)
		if (a->screen[i]->class->cursor_moved)
			a->screen[i]->class->cursor_moved(a->screen[i]);
}

void
app_push(struct app *a, const struct view_class *class)
{
	struct tn_error err;
	struct view *v;

	for (size_t i = 1; i < a->n_screens; i++)
		if (a->screen[i]->class == class) {	/* on top it is closed, below it comes up */
			while (a->n_screens > i + (app_top(a)->class != class))
				app_pop(a);
			return;
		}
	if (a->n_screens == SCREENS)
		return;
	v = view_open(class, &a->session, &err);
	if (!v) {
		session_fail(&a->session, "%s", err.text);
		return;
	}
	v->about = app_active(a)->class;
	v->keymap = &a->keymap;
	v->commands = command_helps();
	a->screen[a->n_screens++] = v;
	app_layout(a);
	if (v->class->cursor_moved)
		v->class->cursor_moved(v);
}

void
app_pop(struct app *a)
{
	if (a->n_screens <= 1)
		return;
	view_close(a->screen[--a->n_screens]);
	app_layout(a);
}

void
app_to_events(struct app *a)
{
	while (a->n_screens > 1)
		app_pop(a);
}

void
app_toggle_pane(struct app *a, const struct view_class *class, int pane)
{
	struct tn_error err;

	if (a->pane[pane]) {
		view_close(a->pane[pane]);
		a->pane[pane] = NULL;
		if (a->focus == pane) {
			a->focus = -1;
			a->maximised = false;
		}
	} else {
		a->pane[pane] = view_open(class, &a->session, &err);
		if (!a->pane[pane])
			session_fail(&a->session, "%s", err.text);
		else if (class->cursor_moved)
			class->cursor_moved(a->pane[pane]);
	}
	app_layout(a);
}

void
app_reply(struct app *a, struct view *v, unsigned reply)
{
	struct tn_error err;

	if (reply & (VIEW_REDRAW | VIEW_MOVED | VIEW_ARRIVED | VIEW_COLUMNS))
		a->dirty = true;
	if (reply & VIEW_MOVED)
		cursor_moved(a);
	if (reply & VIEW_COLUMNS)
		events_forget_widths(a->screen[0]);
	if (reply & VIEW_NO_MATCH)
		app_undo_filter(a, false);
	if (reply & VIEW_STOPPED)
		app_undo_filter(a, true);
	if (reply & VIEW_ARRIVED)
		app_keep_filter(a);
	if (reply & VIEW_REMOVE) {
		app_remove_bookmark(a, ((struct list_view *)v)->selected);
		v->class->cursor_moved(v);
	}
	if (reply & VIEW_FILTER && v->wish) {
		char *wish = v->wish;

		v->wish = NULL;
		app_to_events(a);
		if (!app_add_condition(a, wish, &err))
			session_fail(&a->session, "%s", err.text);
		free(wish);
		return;
	}
	if (reply & VIEW_BOUNDS) {
		a->session.bounds = v->bounds;
		app_to_events(a);
		app_reply(a, a->screen[0], events_refresh(a->screen[0]));
		return;
	}
	if (reply & VIEW_GO) {
		struct place place = v->go;

		app_to_events(a);
		app_go(a, &place, ALIGN_MIDDLE);
	} else if (reply & VIEW_CLOSE) {
		app_pop(a);
	}
}

/* ---- drawing ---- */

static void
draw_pane_title(struct app *a, int pane)
{
	struct view *v = a->pane[pane];
	struct session *s = &a->session;
	int row = v->area.row - 1;
	unsigned style = a->focus == pane ? STYLE_STATUS_NOTE : STYLE_STATUS;
	struct line l = { 0 };

	if (row < a->screen[0]->area.rows)
		return;
	line_printf(&l, style, " %s", _(v->class->title));
	if (s->has_row && s->row.event_class && tn_event_class_name(s->row.event_class)) {
		line_puts(&l, style, ": ");
		line_puts_unsafe(&l, style, tn_event_class_name(s->row.event_class));
	}
	canvas_fill(&a->canvas, row, 0, a->canvas.cols, style);
	canvas_line(&a->canvas, row, 0, a->canvas.cols, &l, 0, true);
	line_release(&l);
}

static void
draw_view(struct app *a, struct view *v)
{
	if (v->area.rows <= 0)
		return;
	if (v->class->row)
		list_draw((struct list_view *)v, &a->canvas);
	else
		v->class->draw(v, &a->canvas);
}

static void
draw(struct app *a)
{
	uint64_t since = record_now();
	int last;

	canvas_clear(&a->canvas);
	draw_view(a, app_top(a));
	if (a->n_screens == 1)
		for (int i = 0; i < PANES; i++)
			if (a->pane[i]) {
				draw_pane_title(a, i);
				draw_view(a, a->pane[i]);
			}
	last = message_rows(a);
	if (a->canvas.rows >= 3)
		status_draw(a, a->canvas.rows - 1 - last);
	if (a->canvas.rows >= 2)
		message_draw(a, a->canvas.rows - last, last);
	term_draw(&a->canvas);
	a->dirty = false;
	a->drawn_us = record_now();
	record_work(RECORD_REDRAW, since, app_top(a)->class->name, (uint64_t)a->canvas.rows);
}

/* ---- keys ---- */

static void
forget_keys(struct app *a)
{
	a->n_keys = 0;
	a->count = 0;
	a->wants_letter = ACT_NONE;
}

static void
add_digit(struct app *a, uint32_t key)
{
	if (a->count < UINT64_MAX / 100)
		a->count = a->count * 10 + (key - '0');
	a->dirty = true;
}

static void
prompt_press(struct app *a, uint32_t key)
{
	switch (prompt_key(&a->prompt, key)) {
	case PROMPT_DONE:
		app_answered(a);
		break;
	case PROMPT_CANCELLED:
		app_prompt_closed(a);
		a->asking = ASK_NOTHING;
		break;
	case PROMPT_COMPLETE:
		app_complete(a);
		break;
	case PROMPT_CHANGED:
		app_prompt_changed(a);
		break;
	default:
		break;
	}
	a->dirty = true;
}

static void
press(struct app *a, uint32_t key)
{
	struct call call = { .count = a->count };
	uint64_t since;

	a->session.message[0] = '\0';
	a->dirty = true;
	if (a->wants_letter != ACT_NONE) {
		enum action action = a->wants_letter;

		forget_keys(a);
		if (key != K_ESC)
			app_letter(a, action, key);
		return;
	}
	if (key == K_ESC && (a->n_keys || a->count)) {	/* only what was typed is taken back */
		forget_keys(a);
		return;
	}
	if (!a->n_keys && ((key >= '1' && key <= '9') || (key == '0' && a->count))) {
		add_digit(a, key);
		return;
	}
	a->key[a->n_keys++] = key;
	switch (keymap_find(&a->keymap, app_active(a)->class->name, a->key, a->n_keys, &call.action)) {
	case KEYMAP_MORE:
		if (a->n_keys < KEY_SEQUENCE)
			return;
		break;
	case KEYMAP_ACTION:
		forget_keys(a);
		since = record_now();
		app_act(a, &call);
		record_work(RECORD_KEY, since, action_info(call.action)->name, call.count);
		return;
	default:
		if (key != K_ESC) {
			char name[KEY_NAME];

			session_say(&a->session, _("%s is not bound: h shows the keys"),
				    keys_name(a->key, a->n_keys, name, sizeof name));
		}
		break;
	}
	forget_keys(a);
}

static void
resize(struct app *a)
{
	int rows, cols;

	term_size(&rows, &cols);
	canvas_resize(&a->canvas, rows, cols);
	app_layout(a);
}

static void
on_key(struct app *a, uint32_t key)
{
	if (key == K_RESIZE) {
		resize(a);
		return;
	}
	a->keys_seen++;
	if (a->asking != ASK_NOTHING)
		prompt_press(a, key);
	else
		press(a, key);
}

/* ---- what goes on beside the keys ---- */

static void
turn_views(struct app *a)
{
	for (size_t i = 0; i < a->n_screens; i++) {
		struct view *v = a->screen[i];

		if (v->class->turn)
			app_reply(a, v, v->class->turn(v));
	}
	for (int i = 0; i < PANES; i++)
		if (a->pane[i] && a->pane[i]->class->turn)
			app_reply(a, a->pane[i], a->pane[i]->class->turn(a->pane[i]));
}

static void
learn_range(struct app *a)
{
	struct session *s = &a->session;
	struct tn_error err;

	s->has_range = tn_set_time_range(s->set, &s->begin_ns, &s->end_ns, &err) == TN_OK;
	a->dirty = true;
}

/* A slice of the index; true as long as there is more to do. */
static bool
work_on_index(struct app *a)
{
	struct session *s = &a->session;
	uint64_t since = record_now();
	struct tn_error err;
	enum tn_code rc;

	if (a->started)
		return false;
	if (!tn_set_indexed(s->set)) {
		rc = tn_set_index_to(s->set, app_later_time(a), INDEX_SLICE_NS, &err);
		record_work(RECORD_INDEX, since, NULL, tn_set_stream_count(s->set));
		if (rc == TN_END && a->later.is && !a->later.text)
			app_go_later(a);
		if (rc >= 0 && !tn_set_indexed(s->set))
			return true;
		if (rc < 0)
			session_fail(s, "%s", err.text);
	}
	a->started = true;
	learn_range(a);
	if (a->later.is)
		app_go_later(a);
	app_start_count(a);
	app_count_matches(a);
	return false;
}

/* For tests: "keys seen, size" once everything is done and drawn. */
static void
tell_idle(struct app *a)
{
	char text[64];

	if (a->idle_fd < 0 || a->dirty || !a->started || jobs_running(&a->session.jobs) || events_waiting(a->screen[0])
	    || a->wants_matches)
		return;
	snprintf(text, sizeof text, "%llu %dx%d\n", (unsigned long long)a->keys_seen, a->canvas.cols, a->canvas.rows);
	if (strcmp(text, a->idle_last) != 0 && write(a->idle_fd, text, strlen(text)) > 0)
		strcpy(a->idle_last, text);
}

static void
open_idle(struct app *a)
{
	const char *path = getenv("TNAV_TEST_IDLE");

	a->idle_fd = path ? open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1;
}

/* How long to wait for a key, ms: rows that are on their way are looked for often, progress now and then. */
static int
patience(const struct app *a, bool more)
{
	if (more || a->dirty)
		return 0;
	if (events_waiting(a->screen[0]))
		return 15;
	if (jobs_running(&a->session.jobs))
		return 100;
	return a->following ? 500 : -1;
}

#define KEYS_A_TURN 64
#define PROGRESS_US 95000	/* progress is drawn so often */

static void
loop(struct app *a)
{
	while (!a->quit && !term_signal()) {
		bool more;
		uint32_t key;

		turn_views(a);
		if (jobs_turn(&a->session.jobs)) {
			a->dirty = true;
			turn_views(a);
		}
		app_matches_turn(a);
		if (a->dirty && !term_key_ready())
			draw(a);
		more = !term_key_ready() && work_on_index(a);
		if (!more && a->dirty && !term_key_ready())
			draw(a);
		tell_idle(a);
		if (a->following && !a->follow_paused)
			app_follow_turn(a);
		key = term_key(patience(a, more));
		if (key == K_NONE && jobs_running(&a->session.jobs) && record_now() - a->drawn_us >= PROGRESS_US)
			a->dirty = true;
		for (int i = 0; key != K_NONE && i < KEYS_A_TURN && !a->quit; i++) {
			on_key(a, key);
			key = i + 1 < KEYS_A_TURN ? term_key(0) : K_NONE;
		}
	}
}

/* ---- start and end ---- */

static const enum column_kind columns_on[] = {
	COLUMN_TIME, COLUMN_DELTA, COLUMN_ORIGIN, COLUMN_NAME, COLUMN_PAYLOAD, COLUMN_CONTEXT,
};

static void
default_columns(struct settings *set)
{
	size_t n = sizeof columns_on / sizeof *columns_on;
	bool used[COLUMN_KINDS] = { false };

	for (size_t i = 0; i < n; i++) {
		set->column[i] = (struct column) { .kind = columns_on[i], .on = true };
		used[columns_on[i]] = true;
	}
	set->column[0].pinned = true;
	for (size_t kind = 0; kind < COLUMN_KINDS; kind++)
		if (!used[kind])
			set->column[n++] = (struct column) { .kind = (enum column_kind)kind };
}

static void
default_settings(struct settings *set, const struct browse_options *options)
{
	const char *no_color = getenv("NO_COLOR");

	*set = (struct settings) { .text = options->text, .gap_ns = 1000000, .header = true };
	set->text.color = false;
	set->color = !no_color || !*no_color;
	default_columns(set);
}

static bool
add_options_filter(struct app *a, struct tn_error *err)
{
	struct session *s = &a->session;
	size_t n = a->session.options->n_filters;

	s->condition = calloc(n + 1, sizeof *s->condition);
	for (size_t i = 0; s->condition && i < n; i++) {
		s->condition[i] = (struct condition) { strdup(s->options->filter[i]), true };
		s->n_conditions++;
	}
	return query_new(&s->query, s->set, &s->settings.text, s->condition, s->n_conditions, NULL, false, err) == TN_OK;
}

/* Everything that hangs on the set. */
static bool
attach(struct app *a, struct tn_error *err)
{
	struct session *s = &a->session;

	s->origin = origin_labels(s->set);
	if (!s->origin || tn_cursor_new(&s->probe, s->set, err) != TN_OK)
		return false;
	a->screen[0] = view_open(&events_view, s, err);
	a->n_screens = a->screen[0] ? 1 : 0;
	return a->n_screens == 1;
}

static void
detach(struct app *a)
{
	struct session *s = &a->session;

	jobs_end(&s->jobs);
	a->matches_job = a->count_job = NULL;
	while (a->n_screens > 0)
		view_close(a->screen[--a->n_screens]);
	for (int i = 0; i < PANES; i++) {
		view_close(a->pane[i]);
		a->pane[i] = NULL;
	}
	a->focus = -1;
	a->maximised = false;
	tn_cursor_free(s->probe);
	s->probe = NULL;
	origin_labels_free(s->origin, tn_set_stream_count(s->set));
	s->origin = NULL;
}

bool
app_change_set(struct app *a, struct tn_set *set, struct tn_error *err)
{
	struct session *s = &a->session;
	int pane_open = a->pane[PANE_DETAILS] != NULL;

	detach(a);
	app_forget_later(a);
	query_put(s->query);
	query_put(a->undo_query);
	s->query = a->undo_query = NULL;
	conditions_free(a->undo, a->n_undo);
	a->undo = NULL;
	a->n_undo = 0;
	a->has_undo = false;
	tn_set_close(a->own_set);
	a->own_set = s->set = set;
	s->has_range = s->counted = s->matches_known = a->started = false;
	if (query_new(&s->query, set, &s->settings.text, s->condition, s->n_conditions, NULL, false, err) != TN_OK
	    || !attach(a, err))
		return false;
	if (pane_open)
		app_toggle_pane(a, &details_view, PANE_DETAILS);
	app_layout(a);
	return true;
}

static void
release(struct app *a)
{
	struct session *s = &a->session;

	app_forget_later(a);
	conditions_free(s->condition, s->n_conditions);
	conditions_free(a->undo, a->n_undo);
	query_put(a->undo_query);
	query_put(s->query);
	tn_regex_free(s->mark);
	tn_regex_free(a->mark_before);
	for (size_t i = 0; i < s->n_bookmarks; i++) {
		free(s->bookmark[i].note);
		free(s->bookmark[i].text);
	}
	free(s->bookmark);
	offsets_free(s->offset, s->n_offsets);
	free(s->pattern);
	free(s->focus_path);
	free(s->focus_value);
	for (int i = 0; i < HISTORIES; i++)
		history_release(&a->history[i]);
	keymap_release(&a->keymap);
	canvas_release(&a->canvas);
	tn_set_close(a->own_set);
	if (a->idle_fd >= 0)
		close(a->idle_fd);
	free(a);
}

/* What was wrong when the traces were opened: nobody looks for a trace that is not there in a list. */
static void
tell_problems(struct app *a)
{
	const struct problems *list = a->session.options->problems;
	size_t warnings = 0, damages = 0;
	const char *first = NULL;

	for (size_t i = 0; i < problems_count(list); i++) {
		enum tn_severity severity;
		const char *text = problems_text(list, i, &severity);

		warnings += severity == TN_WARNING;
		damages += severity == TN_DAMAGE;
		if (severity == TN_DAMAGE && !first)
			first = text;
	}
	if (damages == 1)
		session_fail(&a->session, "%s", first);
	else if (damages)
		session_fail(&a->session, _("%s\nL lists this and %zu more"), first, damages - 1);
	else if (warnings)
		session_say(&a->session, ngettext("%zu warning: L shows it", "%zu warnings: L lists them", warnings),
			    warnings);
}

static int
failed(struct app *a, const char *text)
{
	complain(NULL, text);
	detach(a);
	release(a);
	return 1;
}

int
browse(struct tn_set *set, const struct browse_options *options)
{
	struct app *a = calloc(1, sizeof *a);
	struct session *s = &a->session;
	struct place begin = { .kind = PLACE_BEGIN };
	struct tn_error err = { .text = "out of memory" };
	char why[256];
	bool configured;

	if (!a || !keymap_defaults(&a->keymap)) {
		fputs("tnav: out of memory\n", stderr);
		return 1;
	}
	a->focus = -1;
	s->set = set;
	s->options = options;
	s->threads = options->threads;
	s->bounds = (struct bounds) { options->has_begin, options->has_end, options->begin_ns, options->end_ns };
	s->utf8 = charset_is_utf8();
	open_idle(a);
	default_settings(&s->settings, options);
	configured = config_read(a, &err);
	tell_problems(a);
	if (!configured)
		session_fail(s, "%s", err.text);
	if (!add_options_filter(a, &err) || !attach(a, &err))
		return failed(a, err.text);
	if (!term_start(s->settings.color, why, sizeof why))
		return failed(a, why);
	resize(a);
	if (s->query->filter)
		app_keep_filter(a);
	app_reply(a, a->screen[0], events_go(a->screen[0], &begin, ALIGN_TOP));
	loop(a);
	detach(a);
	term_stop();
	if (term_signal())
		a->status = 128 + term_signal();
	{
		int status = a->status;

		release(a);
		return status;
	}
}
