/* app.c - the main loop, which reads keys, works in between and draws; and the start and end of the browser */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "act.h"
#include "app.h"
#include "cli/output.h"
#include "cli/record.h"
#include "command/configure.h"
#include "command/fit.h"
#include "prompt/history.h"
#include "reopen/offset.h"
#include "reopen/stream_labels.h"
#include "screen/charset.h"
#include "select/copy.h"
#include "select/marks.h"
#include "session/whole_event.h"
#include "session/naming.h"
#include "session/nesting.h"
#include "session/settings.h"
#include "status.h"
#include "term/term.h"
#include "views/events.h"
#include "views/list.h"

#define INDEX_SLICE_NS 4000000	/* longest work on the index before keys are checked */

/* ---- drawing ---- */

static void
draw_pane_title(struct app *a, int pane)
{
	struct view *v = a->screens.pane[pane];
	struct session *s = &a->session;
	int row = v->area.row - 1;
	unsigned style = a->screens.focus == pane ? STYLE_STATUS_NOTE : STYLE_STATUS;
	struct line l = { 0 };

	if (row < a->screens.screen[0]->area.rows)
		return;
	line_printf(&l, style, " %s", _(v->class->title));
	if (s->here.has_row && s->here.row.event_class && tn_event_class_name(s->here.row.event_class)) {
		line_puts(&l, style, ": ");
		line_puts_unsafe(&l, style, tn_event_class_name(s->here.row.event_class));
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
	if (v->class->draw)
		v->class->draw(v, &a->canvas);
	else
		list_draw((struct list_view *)v, &a->canvas);
}

static void
compose(struct app *a)
{
	int last;

	act_prepare(a, screens_top(&a->screens));
	canvas_clear(&a->canvas);
	draw_view(a, screens_top(&a->screens));
	if (a->screens.n_screens == 1)
		for (int i = 0; i < PANES; i++)
			if (a->screens.pane[i]) {
				draw_pane_title(a, i);
				draw_view(a, a->screens.pane[i]);
			}
	if (!a->session.settings.cursor)
		a->canvas.cursor_row = -1;
	last = message_rows(a);
	if (a->canvas.rows >= 3)
		status_draw(a, a->canvas.rows - 1 - last);
	if (a->canvas.rows >= 2)
		message_draw(a, a->canvas.rows - last, last);
}

static void
draw(struct app *a)
{
	uint64_t since = record_now();

	compose(a);
	term_draw(&a->canvas);
	a->session.wish.redraw = false;
	a->drawn_us = record_now();
	record_work(RECORD_REDRAW, since, screens_top(&a->screens)->class->name, (uint64_t)a->canvas.rows);
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
	a->session.wish.redraw = true;
}

static void
press(struct app *a, uint32_t key)
{
	struct call call = { .count = a->count };
	uint64_t since;

	a->session.message[0] = '\0';
	a->session.wish.redraw = true;
	if (a->wants_letter != ACT_NONE) {
		enum action action = a->wants_letter;

		forget_keys(a);
		if (key != K_ESC)
			act_letter(a, action, key);
		return;
	}
	if (key == K_ESC && (a->n_keys || a->count)) {	/* discard only the keys typed so far */
		forget_keys(a);
		return;
	}
	if (!a->n_keys && ((key >= '1' && key <= '9') || (key == '0' && a->count))) {
		add_digit(a, key);
		return;
	}
	a->key[a->n_keys++] = key;
	switch (keymap_find(&a->keymap, screens_active(&a->screens)->class->name, a->key, a->n_keys, &call.action)) {
	case KEYMAP_MORE:
		if (a->n_keys < KEY_SEQUENCE)
			return;
		break;
	case KEYMAP_ACTION:
		forget_keys(a);
		since = record_now();
		act(a, &call);
		record_work(RECORD_KEY, since, action_info(call.action)->name, call.count);
		return;
	default:
		if (key != K_ESC) {
			char name[KEY_NAME];

			session_say(&a->session, _("%s has no action here: h shows the keys"),
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
	a->screens.rows = rows;
	a->screens.cols = cols;
	screens_layout(&a->screens);
	if (fit_columns(&a->session, cols))
		a->session.wish.requery = a->session.wish.refresh = true;
}

static void
on_key(struct app *a, uint32_t key)
{
	if (key == K_RESIZE) {
		resize(a);
		return;
	}
	a->keys_seen++;
	if (key == K_MOUSE) {
		if (a->session.settings.mouse && a->prompt.what == ASK_NOTHING)
			act_mouse(a, term_mouse());
		return;
	}
	if (key & K_PASTED && a->prompt.what == ASK_NOTHING) {	/* pasted text must not run actions */
		session_say(&a->session, "%s", _("pasted text needs a prompt: press / & : or t first"));
		a->session.wish.redraw = true;
		return;
	}
	if (a->prompt.what != ASK_NOTHING)
		act_prompt_key(a, key);
	else
		press(a, key);
}

/* ---- work between keys ---- */

static void
turn_views(struct app *a)
{
	for (size_t i = 0; i < a->screens.n_screens; i++) {
		struct view *v = a->screens.screen[i];

		if (v->class->again && v->asked != a->session.asks.changes && i + 1 == a->screens.n_screens) {
			v->asked = a->session.asks.changes;
			v->class->again(v);
			a->session.wish.redraw = true;
		}
		if (v->class->turn)
			act_reply(a, v, v->class->turn(v));
	}
	for (int i = 0; i < PANES; i++)
		if (a->screens.pane[i] && a->screens.pane[i]->class->turn)
			act_reply(a, a->screens.pane[i], a->screens.pane[i]->class->turn(a->screens.pane[i]));
}

/* Continue the index for a short time. True: the index is not complete. */
static bool
work_on_index(struct app *a)
{
	struct session *s = &a->session;
	uint64_t since = record_now();
	struct tn_error err;
	enum tn_code rc;

	if (s->traces.indexed)
		return false;
	if (!tn_set_indexed(s->traces.set)) {
		rc = tn_set_index_to(s->traces.set, jumps_later_time(&a->jumps), INDEX_SLICE_NS, &err);
		record_work(RECORD_INDEX, since, NULL, tn_set_stream_count(s->traces.set));
		if (rc == TN_END && a->jumps.later.is && !a->jumps.later.text)
			act_go_later(a);
		if (rc >= 0 && !tn_set_indexed(s->traces.set))
			return true;
		if (rc < 0)
			session_fail(s, "%s", err.text);
	}
	s->traces.indexed = true;
	s->wish.redraw = true;
	counts_range(&a->counts, s);
	return false;
}

/* Start counting events when the time range of the traces is known. */
static void
start_counting(struct app *a)
{
	struct session *s = &a->session;

	if (!s->traces.ranged || a->started || s->traces.unpacks)
		return;
	a->started = true;
	if (a->jumps.later.is)
		act_go_later(a);
	counts_events(&a->counts, s);
	counts_matches(s);
	counts_all(s);
}

/* For tests: write "keys seen, size" when no work is left and the screen is drawn. */
static void
tell_idle(struct app *a)
{
	char text[64];

	if (a->idle_fd < 0 || a->session.wish.redraw || !a->started || jobs_running(&a->session.jobs)
	    || events_waiting(a->screens.screen[0]) || counts_wait(&a->session)
	    || a->commands_run < a->session.options->n_commands)
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

/* The time to wait for a key in ms: short while rows are expected, long if only progress has to be drawn; -1: no limit. */
static int
patience(const struct app *a, bool more)
{
	if (more || a->session.wish.redraw)
		return 0;
	if (events_waiting(a->screens.screen[0]))
		return 15;
	if (jobs_running(&a->session.jobs))
		return 100;
	return a->session.traces.grows ? 200 : -1;
}

#define KEYS_A_TURN 64
#define PATIENCE_US 1000000	/* after this time, jobs that can start again are dropped to take in new data */
#define PROGRESS_US 95000	/* time between two drawings of the progress */

static bool attach(struct app *a, struct tn_error *err);
static bool ask_anew(struct app *a, struct tn_error *err);
static void detach(struct app *a);

/* Stop counting events of these traces. */
static void
forget_tallies(struct session *s)
{
	bool found = s->asks.found.on;

	tally_off(&s->asks.all);
	tally_off(&s->asks.pass);
	tally_off(&s->asks.found);
	s->asks.found.on = found;	/* count again with the new events */
}

/* Forget all answers about the traces, because others replace them or streams are added. */
static void
forget_traces(struct app *a)
{
	detach(a);
	jumps_forget_later(&a->jumps);
	filters_forget(&a->filters);
	query_put(a->session.asks.query);
	a->session.asks.query = NULL;
}

/* Replace the open traces by others. */
static void
take_opened(struct app *a, struct reopened *r)
{
	struct session *s = &a->session;
	bool pane_open = a->screens.pane[PANE_DETAILS] != NULL, shifted = r->by != NULL;
	struct tn_error err;

	forget_traces(a);
	opened_put(s->traces.opened);
	s->traces.opened = r->opened;
	s->traces.set = s->traces.opened->set;
	s->traces.late = 0;
	r->opened = NULL;
	offsets_free(s->traces.offset, s->traces.n_offsets);
	s->traces.offset = r->offset;
	s->traces.n_offsets = r->n_offsets;
	r->offset = NULL;
	r->n_offsets = 0;
	if (shifted) {
		jumps_shift(&a->jumps, r->by, r->n_streams);
		marks_shift(s, r->by, r->n_streams);
	}
	s->traces.indexed = s->traces.ranged = s->traces.has_range = s->traces.counted = a->started = s->traces.unpacks = false;
	if (!ask_anew(a, &err) || !attach(a, &err)) {
		session_fail(s, "%s", err.text);
		a->failed = a->quit = true;
		return;
	}
	if (pane_open)
		screens_toggle_pane(&a->screens, &details_view, PANE_DETAILS);
	screens_layout(&a->screens);
	events_forget_widths(a->screens.screen[0]);
	act_reply(a, a->screens.screen[0], events_go(a->screens.screen[0], &r->place, r->align));
	if (shifted)
		offset_list(s);
	else if (r->done && !a->follow.on)
		session_say(s, "%s", r->done);
}

/* Add new streams or metadata, when nothing else uses the traces. */
static void
take_in(struct app *a)
{
	struct session *s = &a->session;
	bool stays = s->here.has_row && (a->keys_seen || !s->traces.unpacks);
	struct place place = { .kind = stays ? PLACE_LOCATION : PLACE_BEGIN, .location = s->here.row.location };
	bool to_end = a->follow.on && !a->follow.paused, pane_open = a->screens.pane[PANE_DETAILS] != NULL;
	struct tn_error err;

	if (a->screens.n_screens > 1)
		return;	/* wait until the user closes the view, which needs the old set */
	if (s->jobs.first) {
		if (record_now() - a->follow.wanted_us > PATIENCE_US) {	/* drop counting jobs, which can start again */
			job_drop(a->counts.events);
			job_drop(a->follow.job);
			a->follow.job = NULL;
			nesting_forget(s);
			a->counts.events = NULL;
			forget_tallies(s);
		}
		return;
	}
	forget_traces(a);
	if (!follow_take_in(&a->follow, s, &err) || !ask_anew(a, &err) || !attach(a, &err)) {
		session_fail(s, "%s", err.text);
		a->failed = a->quit = true;
		return;
	}
	s->traces.indexed = s->traces.ranged = s->traces.counted = a->started = false;
	if (pane_open)
		screens_toggle_pane(&a->screens, &details_view, PANE_DETAILS);
	screens_layout(&a->screens);
	if (to_end)
		place.kind = PLACE_END;
	act_reply(a, a->screens.screen[0], events_go(a->screens.screen[0], &place, to_end ? ALIGN_BOTTOM :
						     stays ? ALIGN_MIDDLE : ALIGN_TOP));
}

/* Do everything that parts of the browser requested. */
static void
carry_out(struct app *a)
{
	struct session *s = &a->session;
	struct wish *w = &s->wish;

	if (w->picture) {
		char *path = w->picture;

		w->picture = NULL;
		compose(a);	/* draw the screen without the command that requested the picture */
		write_screen(s, &a->canvas, path, w->picture_over);
		free(path);
	}
	if (w->session) {
		w->session = false;
		session_file_begin(&a->session_file, s, &a->filters, w->session_name);
	}
	if (w->opened) {
		struct reopened *r = w->opened;

		w->opened = NULL;
		take_opened(a, r);
		reopened_free(r);
		if (a->quit)
			return;
	}
	if (w->requery) {
		w->requery = false;
		events_forget_widths(a->screens.screen[0]);
		filters_requery(s);
		term_ask_mouse(s->settings.mouse);
		term_colors(s->settings.color, s->settings.background);
	}
	if (w->first_column) {
		struct call call = { .action = ACT_FIRST_COLUMN };

		w->first_column = false;
		act_reply(a, a->screens.screen[0], events_view.act(a->screens.screen[0], &call));
	}
	if (w->refresh) {
		w->refresh = false;
		act_reply(a, a->screens.screen[0], events_refresh(a->screens.screen[0]));
	}
	if (w->recount) {
		w->recount = false;
		counts_events(&a->counts, s);
		counts_matches(s);
	}
	if (w->hits) {
		w->hits = false;
		counts_found(s);
	}
	if (w->looked) {
		w->looked = false;
		w->redraw = true;
		screens_cursor_moved(&a->screens);
	}
	if (w->go) {
		w->go = false;
		act_go(a, &w->place, w->align, w->since);
	}
}

/* Run the commands of the command line; each starts when the one before is done. */
static void
run_commands(struct app *a)
{
	const struct browse_options *o = a->session.options;

	if (a->commands_run >= o->n_commands || !a->started || events_waiting(a->screens.screen[0])
	    || jobs_foreground(&a->session.jobs) || a->prompt.what != ASK_NOTHING || reopen_runs(&a->session))
		return;
	act_command(a, o->command[a->commands_run++]);
	a->session.wish.redraw = true;
}

static void
turn(struct app *a)
{
	struct place end = { .kind = PLACE_END };
	struct view *events;
	unsigned todo;

	turn_views(a);
	naming_turn(&a->session);
	if (jobs_turn(&a->session.jobs)) {
		a->session.wish.redraw = true;
		turn_views(a);
	}
	carry_out(a);
	if (a->quit)
		return;
	run_commands(a);
	carry_out(a);
	selection_turn(&a->selection, &a->session);
	start_counting(a);
	events = a->screens.screen[0];
	if (a->started)
		counts_turn(&a->counts, &a->session, events);
	todo = follow_turn(&a->follow, &a->session);
	if (todo & FOLLOW_ALONE)
		take_in(a);
	else if (todo && events_waiting(a->screens.screen[0]))
		a->follow.stale = true;	/* rows requested before are still expected: refresh again after they arrive */
	else if (todo & FOLLOW_END)
		act_reply(a, a->screens.screen[0], events_go(a->screens.screen[0], &end, ALIGN_BOTTOM));
	else if (todo & FOLLOW_REFRESH)
		a->session.wish.refresh = true;
	/* No event had a time so far: search again after new data arrived. */
	if (a->session.traces.grows && a->started && !a->session.traces.has_range && !a->counts.range &&
	    a->counts.ranged_ns != a->session.traces.settled_ns && tn_set_stream_count(a->session.traces.set))
		counts_range(&a->counts, &a->session);
}

static void
loop(struct app *a)
{
	while (!a->quit && !term_signal()) {
		bool more;
		uint32_t key;

		turn(a);
		if (a->quit)
			break;
		if (a->session.wish.redraw && !term_key_ready())
			draw(a);
		more = !term_key_ready() && work_on_index(a);
		if (!more && a->session.wish.redraw && !term_key_ready())
			draw(a);
		tell_idle(a);
		key = term_key(patience(a, more));
		if (key == K_NONE && jobs_running(&a->session.jobs) && record_now() - a->drawn_us >= PROGRESS_US)
			a->session.wish.redraw = true;
		for (int i = 0; key != K_NONE && i < KEYS_A_TURN && !a->quit; i++) {
			on_key(a, key);
			carry_out(a);
			key = i + 1 < KEYS_A_TURN ? term_key(0) : K_NONE;
		}
	}
}

/* ---- start and end ---- */

static bool
add_options_filter(struct app *a, struct tn_error *err)
{
	struct session *s = &a->session;
	size_t n = a->session.options->n_filters;

	s->asks.condition = calloc(n + 1, sizeof *s->asks.condition);
	for (size_t i = 0; s->asks.condition && i < n; i++) {
		s->asks.condition[i] = (struct condition) { .text = strdup(s->options->filter[i]), .on = true };
		s->asks.n_conditions++;
	}
	return ask_anew(a, err);
}

/* Apply the filters to these traces. While traces grow, a filter may name fields that come later. */
static bool
ask_anew(struct app *a, struct tn_error *err)
{
	struct session *s = &a->session;
	enum tn_code rc = session_query(s, &s->asks.query, s->asks.condition, s->asks.n_conditions, err);

	if (rc == TN_ERR_ARGUMENT && s->traces.grows) {
		session_fail(s, "%s", err->text);
		rc = session_query(s, &s->asks.query, NULL, 0, err);
	}
	return rc == TN_OK;
}

/* Set up everything that depends on the set. */
static bool
attach(struct app *a, struct tn_error *err)
{
	struct session *s = &a->session;

	s->traces.origin = origin_labels(s->traces.set);
	if (!s->traces.origin) {
		snprintf(err->text, sizeof err->text, "out of memory");
		return false;
	}
	fit_widths(s);
	a->screens.screen[0] = view_open(&events_view, s, err);
	a->screens.n_screens = a->screens.screen[0] ? 1 : 0;
	return a->screens.n_screens == 1;
}

/* Detach all users of the set, and drop jobs that use it. */
static void
detach(struct app *a)
{
	struct session *s = &a->session;

	screens_close(&a->screens);
	whole_event_release(&s->here.whole);
	nesting_forget(s);
	jobs_drop(&s->jobs);
	a->counts = (struct counts) { 0 };
	a->follow.job = NULL;
	forget_tallies(s);
	a->selection = (struct selection) { .known = false };
	traces_forget_labels(&s->traces);
	s->here.has_row = false;
	s->wish = (struct wish) { .redraw = true, .opened = s->wish.opened, .picture = s->wish.picture };
}

/* Free the set. False: some jobs still use it, so nothing is freed. */
static bool
release(struct app *a)
{
	struct session *s = &a->session;

	nesting_forget(s);
	if (!jobs_end(&s->jobs))
		return false;
	reopened_free(s->wish.opened);
	jumps_forget_later(&a->jumps);
	filters_forget(&a->filters);
	asks_release(&s->asks);
	here_release(&s->here);
	answer_asks_release(&s->answers);
	free(s->copy_text);
	free(s->wish.picture);
	prompt_line_release(&a->prompt);
	keymap_release(&a->keymap);
	canvas_release(&a->canvas);
	traces_release(&s->traces);
	if (a->idle_fd >= 0)
		close(a->idle_fd);
	free(a);
	return true;
}

/* Report problems found while the traces were opened: users do not expect a missing trace and would not search the list. */
static void
tell_problems(struct app *a)
{
	const struct problems *list = a->session.options->problems;
	size_t warnings = 0, damages = 0;
	const char *first = NULL;

	for (size_t i = 0; i < problems_count(list); i++) {
		enum tn_severity severity;
		const char *text = problems_text(list, i, &severity);

		warnings += severity == TN_WARNING || severity == TN_WRONG;
		damages += severity == TN_DAMAGE;
		if (severity == TN_DAMAGE && !first)
			first = text;
	}
	/* Also count the problems that the full list omitted. */
	*(damages ? &damages : &warnings) += problems_left_out(list);
	if (damages == 1)
		session_fail(&a->session, "%s", first);
	else if (damages)
		session_fail(&a->session, _("%s\nL lists this and %zu more"), first, damages - 1);
	else if (warnings)
		session_say(&a->session, ngettext("%zu warning: L shows it", "%zu warnings: L lists them", warnings),
			    warnings);
}

/* Prepare the first screen of the traces. */
static bool
start(struct app *a, struct tn_set *set, const struct browse_options *options, struct tn_error *err)
{
	struct session *s = &a->session;
	bool configured;

	jobs_init(&s->jobs, term_wake);
	if (!traces_init(&s->traces, set, options->grows) || !keymap_defaults(&a->keymap)) {
		snprintf(err->text, sizeof err->text, "out of memory");
		return false;
	}
	asks_init(&s->asks, s);
	a->screens.session = s;
	a->screens.keymap = &a->keymap;
	a->screens.commands = command_helps();
	a->screens.focus = -1;
	s->options = options;
	a->follow.on = options->grows;
	s->threads = options->threads;
	session_bound(s);
	s->utf8 = charset_has_signs();
	open_idle(a);
	settings_defaults(&s->settings, options);
	configured = configure_from_file(&s->settings, &a->keymap, err);
	if (s->settings.history)
		history_load(&a->prompt);
	tell_problems(a);
	if (!configured)
		session_fail(s, "%s", err->text);
	offset_begin(s);
	for (size_t i = 0; i < options->n_filters; i++)
		if (strstr(options->filter[i], "symbol") && !naming_wants_functions(s->traces.opened->naming))
			naming_functions(s->traces.opened->naming, set, options);
	if (!add_options_filter(a, err) || !attach(a, err))
		return false;
	if (options->has_begin || options->has_end) {
		struct bounds b = { options->has_begin, options->has_end, options->begin_ns, options->end_ns };

		filters_range(&a->filters, s, &b);
		filters_forget(&a->filters);	/* keep the range even if it is empty */
		s->wish.refresh = s->wish.recount = false;
	}
	return true;
}

/* Save the state for the next run. False: the session that the user named could not be saved. */
static bool
keep(struct app *a, struct tn_error *err)
{
	if (a->session.settings.history)
		history_save(&a->prompt);
	return session_file_save(&a->session_file, &a->session, err);
}

int
browse(struct tn_set *set, const struct browse_options *options, bool *still_used)
{
	struct app *a = calloc(1, sizeof *a);
	struct place begin = { .kind = PLACE_BEGIN };
	struct tn_error err = { .text = "" };
	char why[256] = "";
	int status = 1;
	bool kept;

	*still_used = false;
	if (!a) {
		fputs("tnav: out of memory\n", stderr);
		return 1;
	}
	a->idle_fd = -1;
	if (!start(a, set, options, &err)) {
		complain(NULL, err.text);
	} else if (!term_start(a->session.settings.color, a->session.settings.background, why, sizeof why)) {
		complain(NULL, why);
	} else {
		if (*why)
			session_say(&a->session, "%s", why);
		a->session.colors = term_color_count();
		term_ask_mouse(a->session.settings.mouse);
		resize(a);
		carry_out(a);	/* choose columns that fit, before events are read */
		act_reply(a, a->screens.screen[0], events_go(a->screens.screen[0], &begin, ALIGN_TOP));
		if (a->session.settings.session == SESSION_AUTO)
			session_file_offer(&a->session_file, &a->session);
		else if (a->session.settings.session == SESSION_ON)
			session_file_begin_usual(&a->session_file, &a->session, &a->filters);
		loop(a);
		kept = keep(a, &err);
		term_stop();
		status = term_signal() ? 128 + term_signal() : a->failed || !kept;
		if (a->failed)
			complain(NULL, a->session.message);
		if (!kept)
			complain(NULL, err.text);
	}
	detach(a);
	*still_used = !release(a);
	return status;
}
