/* act.c - the actions that are not specific to a view */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act.h"
#include "command/cmdline.h"
#include "command/complete.h"
#include "select/clipboard.h"
#include "select/copy.h"
#include "select/exclude.h"
#include "select/search.h"
#include "select/marks.h"
#include "select/partner.h"
#include "term/term.h"
#include "travel/reach.h"
#include "travel/times.h"
#include "travel/follow_value.h"
#include "travel/where.h"
#include "views/events.h"
#include "views/list.h"

static struct view *
events_of(struct app *a)
{
	return a->screens.screen[0];
}

/* ---- answers of views ---- */

/* Make a change that the user chose in the list of filters. */
static void
change_condition(struct app *a, size_t i, enum condition_change change)
{
	struct session *s = &a->session;
	const struct condition *c = &s->asks.condition[i];
	struct tn_error err;

	if (change == CONDITION_EDIT && c->is_range) {
		session_say(s, "%s", _("choose a new range: i then [ ], or V then &"));
	} else if (change == CONDITION_EDIT) {
		prompt_line_start(&a->prompt, s, ASK_FILTER, "&", c->text);
		a->prompt.edits = true;
		a->prompt.condition = i;
	} else if (!filters_change(&a->filters, s, i, change, NULL, &err)) {
		session_fail(s, "%s", err.text);
	}
}

/* Run the action that waited until the jump found its event. */
static void
do_then(struct app *a)
{
	struct call then = a->then;

	a->then.action = ACT_NONE;
	if (then.action != ACT_NONE)
		act(a, &then);
}

/* Do what the view requested; this may close the view. */
static void
carry_request(struct app *a, struct view *v)
{
	struct session *s = &a->session;
	struct request r = v->request;
	struct tn_error err;

	v->request = (struct request) { REQUEST_NOTHING };
	switch (r.kind) {
	case REQUEST_NOTHING: break;
	case REQUEST_CLOSE: screens_pop(&a->screens); break;
	case REQUEST_GO:
		session_go(s, &r.is.go.place, ALIGN_MIDDLE);
		if (r.is.go.then.action != ACT_NONE)
			a->then = r.is.go.then;
		break;
	case REQUEST_PACKET: reach_first(s, &r.is.packet); break;
	case REQUEST_FILTER:
		screens_to_events(&a->screens);
		if (filters_add(&a->filters, s, r.is.text, &err))
			screens_left_by(&a->screens, r.is.text);
		else
			session_fail(s, "%s", err.text);
		break;
	case REQUEST_EXCLUDE:
		if (!filters_add(&a->filters, s, r.is.text, &err))
			session_fail(s, "%s", err.text);
		break;
	case REQUEST_BOUNDS:
		screens_to_events(&a->screens);
		filters_range(&a->filters, s, &r.is.bounds);
		if (s->asks.n_conditions)
			screens_left_by(&a->screens, s->asks.condition[s->asks.n_conditions - 1].text);
		break;
	case REQUEST_COLUMNS:
		s->wish.redraw = true;
		events_forget_widths(events_of(a));
		break;
	case REQUEST_CONDITION: change_condition(a, r.is.condition.i, r.is.condition.change); break;
	case REQUEST_REMOVE:
		marks_remove(s, ((struct list_view *)v)->selected);
		v->class->cursor_moved(v);
		break;
	case REQUEST_COMMAND: prompt_line_start(&a->prompt, s, ASK_COMMAND, ":", r.is.text); break;
	case REQUEST_COPY: clipboard_give(s, r.is.text, strlen(r.is.text), 0); break;
	case REQUEST_ACT: act(a, &r.is.call); break;
	case REQUEST_CLOSE_ACT:
		screens_pop(&a->screens);
		act(a, &r.is.call);
		break;
	case REQUEST_CLOSE_COMMAND:
		screens_pop(&a->screens);
		prompt_line_start(&a->prompt, s, ASK_COMMAND, ":", r.is.text);
		break;
	case REQUEST_SKIP: search_start(s, SEARCH_SKIP, r.is.skip.backward, r.is.skip.n); break;
	case REQUEST_ARRIVED:
		s->wish.redraw = true;
		filters_keep(&a->filters, s);
		do_then(a);
		break;
	case REQUEST_NO_MATCH: filters_undo(&a->filters, s, false); break;
	case REQUEST_STOPPED: filters_undo(&a->filters, s, true); break;
	}
	request_release(&r);
}

void
act_reply(struct app *a, struct view *v, unsigned reply)
{
	if (reply & (VIEW_REDRAW | VIEW_MOVED))
		a->session.wish.redraw = true;
	if (reply & VIEW_MOVED)
		screens_cursor_moved(&a->screens);
	if (reply & VIEW_REQUEST)
		carry_request(a, v);
}

/* ---- jumps ---- */

static void
go(struct app *a, const struct place *place, enum align align)
{
	act_reply(a, events_of(a), events_go(events_of(a), place, align));
	if (!events_looking(events_of(a)))	/* the event is already on the screen */
		do_then(a);
}

void
act_go(struct app *a, const struct place *place, enum align align, unsigned since)
{
	if (since == a->session.views_opened)
		screens_to_events(&a->screens);
	jumps_forget_later(&a->jumps);
	if (!jumps_reach(&a->session, place)) {
		jumps_wait(&a->jumps, place, align, since);
		return;
	}
	jumps_remember(&a->jumps, &a->session);
	go(a, place, align);
}

static bool
go_to_time(struct app *a, const char *text, unsigned since, struct tn_error *err)
{
	struct session *s = &a->session;
	struct place place = { .kind = PLACE_TIME };

	if (times_need_range(s, text)) {
		if (s->traces.ranged) {
			snprintf(err->text, sizeof err->text, "%s", _("no event has a time"));
			return false;
		}
		jumps_wait_text(&a->jumps, text, since);
		return true;
	}
	if (!times_read(s, text, &place.time_ns, err))
		return false;
	act_go(a, &place, ALIGN_TOP, since);
	times_say_range(s, place.time_ns);
	return true;
}

void
act_go_later(struct app *a)
{
	struct place place = a->jumps.later.place;
	enum align align = a->jumps.later.align;
	unsigned since = a->jumps.later.since;
	char *text = a->jumps.later.text;
	struct tn_error err;

	a->jumps.later.text = NULL;
	a->jumps.later.is = false;
	if (!text)
		act_go(a, &place, align, since);
	else if (!go_to_time(a, text, since, &err))
		session_fail(&a->session, "%s", err.text);
	free(text);
}

static void
jump_back(struct app *a, uint64_t count)
{
	struct place place = { .kind = PLACE_LOCATION };

	if (jumps_back(&a->jumps, &a->session, count, &place.location))
		go(a, &place, ALIGN_NEAR);
	else
		session_say(&a->session, _("there is no earlier jump"));
}

static void
jump_forward(struct app *a, uint64_t count)
{
	struct place place = { .kind = PLACE_LOCATION };

	if (jumps_forward(&a->jumps, count, &place.location))
		go(a, &place, ALIGN_NEAR);
	else
		session_say(&a->session, _("there is no later jump"));
}

static void
go_percent(struct app *a, uint64_t percent)
{
	struct tn_error err;
	char text[32];

	if (percent > 100) {
		session_say(&a->session, _("a percentage must be at most 100"));
		return;
	}
	snprintf(text, sizeof text, "%" PRIu64 "%%", percent);
	if (!go_to_time(a, text, a->session.views_opened, &err))
		session_fail(&a->session, "%s", err.text);
}

static void
go_end(struct app *a, bool last, uint64_t number)
{
	struct place place = { .kind = last ? PLACE_END : PLACE_BEGIN };

	if (number) {
		search_start(&a->session, SEARCH_NUMBER, false, number);
		return;
	}
	act_go(a, &place, last ? ALIGN_BOTTOM : ALIGN_TOP, a->session.views_opened);
}

/* ---- prompts ---- */

static void
ask(struct app *a, enum question_kind what, const char *lead)
{
	prompt_line_start(&a->prompt, &a->session, what, lead, "");
}

/* Open the prompt for a filter; in the details, it starts with the chosen value. */
static void
ask_filter(struct app *a)
{
	struct session *s = &a->session;
	char text[PROMPT_SIZE] = "";

	if (screens_active(&a->screens)->class == &details_view && s->here.focus_path && s->here.focus_value)
		snprintf(text, sizeof text, "%s == %s", s->here.focus_path, s->here.focus_value);
	prompt_line_start(&a->prompt, s, ASK_FILTER, "&", text);
	a->prompt.begun = *text != '\0';
}

/* In a prompt that began with a value, an initial "!" negates the condition. */
static bool
turn_filter(struct app *a, uint32_t key)
{
	const struct session *s = &a->session;
	char text[PROMPT_SIZE];

	if (!a->prompt.begun || key != '!')
		return false;
	snprintf(text, sizeof text, "%s != %s", s->here.focus_path, s->here.focus_value);
	prompt_set(&a->prompt.prompt, text);
	return true;
}

static void
search_here(struct app *a, bool backward, uint64_t count)
{
	struct view *v = screens_active(&a->screens);
	struct session *s = &a->session;

	if (v->class->place == VIEW_PANE && s->asks.searched != v)	/* the search continues in the events */
		v = events_of(a);
	if (!v->class->row) {
		if (v == events_of(a))
			search_start(s, SEARCH_PATTERN, backward, count);
		return;
	}
	if (!s->asks.mark && s->asks.pattern && !s->asks.pattern_is_condition
	    && tn_regex_new(&s->asks.mark, s->asks.pattern, s->settings.ignore_case, NULL) != TN_OK)
		s->asks.mark = NULL;
	for (uint64_t i = 0; i < count && s->asks.mark; i++)
		if (!list_search((struct list_view *)v, s->asks.mark, backward)) {
			session_say(s, backward ? _("not found above: %s") : _("not found below: %s"), s->asks.pattern);
			return;
		}
}

static char *
row_name(struct app *a)
{
	const struct event_row *r = events_row(events_of(a));
	size_t n = 0;
	const char *text = r ? event_row_piece(r, r->row.kind == TN_ROW_EVENT ? PIECE_NAME : PIECE_PAYLOAD, &n) : "";

	return strndup(text, n);
}

static void
mark(struct app *a, char letter, const char *note)
{
	char *name = row_name(a);

	if (name)
		marks_set(&a->session, name, letter, note);
	free(name);
}

static void
toggle_bookmark(struct app *a)
{
	char *name = row_name(a);

	if (name)
		marks_toggle(&a->session, name);
	free(name);
}

static bool
answer(struct app *a, const char *text, struct tn_error *err)
{
	struct session *s = &a->session;

	switch (a->prompt.what) {
	case ASK_SEARCH:
		/* In a view whose lines cannot be searched, mark the events that the search finds. */
		s->asks.searched = screens_active(&a->screens)->class->row ? screens_active(&a->screens) : events_of(a);
		s->wish.hits |= s->asks.searched == events_of(a);
		return search_pattern(s, text, a->prompt.backward, err);
	case ASK_FILTER:
		if (a->prompt.edits)
			return filters_change(&a->filters, s, a->prompt.condition, *text ? CONDITION_EDIT : CONDITION_REMOVE,
					      text, err);
		if (*text)
			return filters_add(&a->filters, s, text, err);
		filters_clear(&a->filters, s);
		return true;
	case ASK_TIME: return !*text || go_to_time(a, text, a->session.views_opened, err);
	case ASK_NOTE:
		mark(a, 0, text);
		return true;
	default: return true;
	}
}

static void
run_command(struct app *a, const char *text)
{
	struct session *s = &a->session;
	struct tn_error err;
	struct call call;

	cmdline_take(s, screens_active(&a->screens));
	switch (command_run(s, &a->keymap, text, &call)) {
	case COMMAND_ACT: act(a, &call); break;
	case COMMAND_NUMBER: search_start(s, SEARCH_NUMBER, false, call.count); break;
	case COMMAND_TIME:
		if (!go_to_time(a, text + strspn(text, " \t"), a->session.views_opened, &err))
			session_fail(s, "%s", err.text);
		break;
	default: break;
	}
}

void
act_command(struct app *a, const char *text)
{
	struct session *s = &a->session;
	struct tn_error err = { .text = "" };
	bool good = true;

	if (*text == '/' || *text == '?') {
		s->asks.searched = events_of(a);
		s->wish.hits = good = search_pattern(s, text + 1, *text == '?', &err);
		if (good)
			search_here(a, s->asks.backward, 1);
	} else if (*text == '&') {
		good = filters_add(&a->filters, s, text + 1, &err);
	} else {
		run_command(a, text);
	}
	if (!good)
		session_fail(s, "%s", err.text);
}

static void
answered(struct app *a)
{
	struct tn_error err = { .text = "" };
	enum question_kind what = a->prompt.what;
	char text[PROMPT_SIZE];

	strcpy(text, a->prompt.prompt.text);
	if (!answer(a, text, &err)) {
		snprintf(a->prompt.error, sizeof a->prompt.error, "%s", err.text);
		return;	/* keep the text, so that the user can correct it */
	}
	prompt_line_done(&a->prompt);
	if (what == ASK_SEARCH)
		search_here(a, a->session.asks.backward, 1);
	else if (what == ASK_COMMAND)
		run_command(a, text);
}

void
act_prompt_key(struct app *a, uint32_t key)
{
	struct prompt_line *q = &a->prompt;

	if (key == K_CTRL('z')) {
		term_suspend();
		return;
	}
	if (key & K_PASTED) {	/* join pasted lines, because a pasted line feed must not act as Enter */
		key &= ~(uint32_t)K_PASTED;
		key = key < ' ' ? ' ' : key;
	}
	if (q->what == ASK_FILTER && turn_filter(a, key)) {
		q->begun = false;
		a->session.wish.redraw = true;
		return;
	}
	q->begun = false;
	q->examples = key == '?' && !q->prompt.n && q->what != ASK_NOTE;
	if (q->examples) {
		examples_fill(&a->examples, &a->session, q->what, events_row(events_of(a)));
		a->session.wish.redraw = true;
		return;
	}
	switch (prompt_key(&q->prompt, key)) {
	case PROMPT_DONE: answered(a); break;
	case PROMPT_CANCELLED: prompt_line_cancel(q, &a->session); break;
	case PROMPT_COMPLETE:
		if (q->what == ASK_COMMAND)
			complete(&q->prompt, a->session.traces.set, events_of(a), q->error, sizeof q->error);
		else if (q->what == ASK_FILTER || q->what == ASK_SEARCH)
			complete_condition(&q->prompt, a->session.traces.set, events_of(a), q->error, sizeof q->error);
		break;
	case PROMPT_CHANGED: prompt_line_changed(q, &a->session); break;
	case PROMPT_FULL:
		snprintf(q->error, sizeof q->error, _("a prompt has at most %d bytes: the rest is left out"),
			 PROMPT_SIZE - 1);
		break;
	default: break;
	}
	a->session.wish.redraw = true;
}

void
act_letter(struct app *a, enum action action, uint32_t key)
{
	if (action == ACT_MARK_SET) {
		if (key == 'm')
			toggle_bookmark(a);
		else if (key == 'M')
			ask(a, ASK_NOTE, _("note: "));
		else if (key > ' ' && key < 0x7f)
			mark(a, (char)key, NULL);
		return;
	}
	if (key == '\'')
		jump_back(a, 1);
	else if (key > 0x7e || !marks_go(&a->session, (char)key))
		session_say(&a->session, _("no mark has this letter: m and a letter set one"));
}

/* ---- panes and views ---- */

/*
 * Return to the views from which the user went to the events, and remove the filter that was added; without such views,
 * leave tnav.
 */
static void
leave_events(struct app *a)
{
	if (screens_filter_back(&a->screens))
		filters_remove_last(&a->filters, &a->session);
	if (!screens_back(&a->screens))
		a->quit = true;
}

static void
close_innermost(struct app *a, bool quit)
{
	if (a->screens.n_screens > 1)
		screens_pop(&a->screens);
	else if (a->screens.focus >= 0)
		screens_toggle_pane(&a->screens, NULL, a->screens.focus);
	else if (a->screens.pane[PANE_BYTES] || a->screens.pane[PANE_DETAILS])
		screens_toggle_pane(&a->screens, NULL, a->screens.pane[PANE_BYTES] ? PANE_BYTES : PANE_DETAILS);
	else if (a->session.here.selecting)
		a->session.here.selecting = false;
	else if (quit)
		leave_events(a);
}

/* For Escape and Ctrl-C: stop the running jobs. False: no job runs. */
static bool
stop_job(struct app *a)
{
	struct job *job;
	bool any = false;

	while ((job = jobs_foreground(&a->session.jobs)) != NULL) {
		job_cancel(job);
		any = true;
	}
	any |= jumps_forget_later(&a->jumps);
	if (any)
		session_say(&a->session, _("stopped"));
	return any;
}

/*
 * Choose the number that the key P plots: the chosen field of the details or of the values; in a table of spans the
 * duration. The command :plot names its own number.
 */
static void
plot_of(struct app *a, const struct view_class *class)
{
	struct answer_asks *asks = &a->session.answers;
	const char *number = class == &details_view || class == &values_view ? a->session.here.focus_path :
			     class == &answers_view && asks->wish.spans ? "dur" : NULL;
	bool is_said = asks->asks_anew && asks->plot;
	char *own = number && !is_said ? strdup(number) : NULL;

	if (!own)
		return;
	free(asks->plot);
	asks->plot = own;
	asks->asks_anew = true;
}

static bool
show(struct app *a, enum action action)
{
	static const struct {
		enum action action;
		const struct view_class *class;
	} screens[] = {
		{ ACT_PACKETS, &packets_view }, { ACT_STREAMS, &streams_view }, { ACT_STATISTICS, &statistics_view },
		{ ACT_HISTOGRAM, &histogram_view }, { ACT_PROBLEMS, &problems_view },
		{ ACT_METADATA, &metadata_view }, { ACT_BOOKMARKS, &bookmarks_view }, { ACT_FILTERS, &filters_view },
		{ ACT_COLUMNS, &columns_view }, { ACT_ANSWER, &answers_view },
		{ ACT_LANES, &lanes_view }, { ACT_PLOT, &plot_view }, { ACT_FLAME, &flame_view },
		{ ACT_LADDER, &ladder_view }, { ACT_HELP, &help_view },
	};

	if (action == ACT_SPANS) {
		a->session.answers.wish.kind = ANSWER_SPANS;
		action = ACT_ANSWER;
	}
	/* In the details, show statistics of the chosen field. */
	if (action == ACT_STATISTICS && screens_active(&a->screens)->class == &details_view && a->session.here.focus_path) {
		screens_push(&a->screens, &values_view);
		return true;
	}
	if (action == ACT_PLOT)
		plot_of(a, screens_active(&a->screens)->class);
	for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
		if (screens[i].action == action) {
			bool anew = a->session.answers.asks_anew;

			a->session.answers.asks_anew = false;
			(anew ? screens_renew : screens_push)(&a->screens, screens[i].class);
			return true;
		}
	return false;
}

/* Do an action that makes sense in every view. False: another function must do it. */
static bool
act_anywhere(struct app *a, const struct call *call)
{
	uint64_t n = call->count ? call->count : 1;
	struct session *s = &a->session;
	struct bounds bounds;

	/* Show only the time range of the selected events. */
	if ((call->action == ACT_FILTER || call->action == ACT_DETAILS) && selection_bounds(s, &bounds)) {
		s->here.selecting = false;
		filters_range(&a->filters, s, &bounds);
		return true;
	}
	/* In the details, show the chosen field as a column, or remove that column. */
	if (call->action == ACT_COLUMNS && screens_active(&a->screens)->class == &details_view && s->here.focus_path) {
		column_switch(s, s->here.focus_path);
		return true;
	}
	if (show(a, call->action))
		return true;
	if (call->action == ACT_WHY || call->action == ACT_COMPARE)
		return !act_compare(a, call->action) || show(a, ACT_ANSWER);
	switch (call->action) {
	case ACT_TRAVEL:
		follow_value(&a->filters, s, screens_active(&a->screens)->class == &details_view,
			     call->of_row);
		screens_to_events(&a->screens);
		break;
	case ACT_GOTO_TIME: ask(a, ASK_TIME, _("time: ")); break;
	case ACT_COMMAND: ask(a, ASK_COMMAND, ":"); break;
	case ACT_FILTER: ask_filter(a); break;
	case ACT_SEARCH_FORWARD:
	case ACT_SEARCH_BACKWARD:
		a->prompt.backward = call->action == ACT_SEARCH_BACKWARD;
		ask(a, ASK_SEARCH, a->prompt.backward ? "?" : "/");
		break;
	case ACT_SEARCH_NEXT: search_here(a, s->asks.backward, n); break;
	case ACT_SEARCH_PREVIOUS: search_here(a, !s->asks.backward, n); break;
	case ACT_SEARCH_CLEAR:
		tn_regex_free(s->asks.mark);
		s->asks.mark = NULL;
		tally_off(&s->asks.found);
		break;
	case ACT_FILTER_TOGGLE: filters_toggle(&a->filters, s, call->count); break;
	case ACT_TIME_FORMAT:
	case ACT_DELTA:
	case ACT_ORIGIN_SET:
	case ACT_ORIGIN_CLEAR: act_times(a, call->action); break;
	case ACT_EXCLUDE: exclude(&a->filters, s, screens_active(&a->screens)->class == &details_view); break;
	case ACT_FILTER_REMOVE: filters_remove_last(&a->filters, s); break;
	case ACT_RESTORE: session_file_restore(&a->session_file, s, &a->filters); break;
	case ACT_RANGE_CLEAR: filters_range(&a->filters, s, NULL); break;
	case ACT_LOSSES:
		s->settings.losses = !s->settings.losses;
		s->wish.refresh = true;
		session_say(s, s->settings.losses ? _("losses and damage are shown")
						  : _("losses and damage are hidden: H shows them"));
		break;
	case ACT_WRAP: s->settings.wrap = !s->settings.wrap; break;
	case ACT_REDRAW:
		events_forget_widths(events_of(a));
		term_redraw();
		break;
	case ACT_SUSPEND: term_suspend(); break;
	case ACT_CANCEL:
		if (!stop_job(a) && !counts_stop(s) && !follow_stop_unpacking(s))
			session_say(s, _("no job is running: q leaves"));
		break;
	case ACT_ESCAPE:
		if (!stop_job(a))
			close_innermost(a, false);
		break;
	case ACT_CLOSE: close_innermost(a, true); break;
	case ACT_QUIT: a->quit = true; break;
	case ACT_RELOAD: follow_reload(s); break;
	default: return false;
	}
	return true;
}

/* Report a key that has a meaning for events only, instead of doing an action that this view does not show. */
static bool
is_for_events(struct app *a, const struct view *v, const struct call *call)
{
	bool is = call->action == ACT_TRAVEL || call->action == ACT_LADDER || call->action == ACT_COPY ||
		  call->action == ACT_COPY_LINES || call->action == ACT_SELECT || call->action == ACT_EXCLUDE;

	if (a->screens.n_screens == 1 || v->class->place != VIEW_SCREEN || !is)
		return false;
	session_say(&a->session, _("%s: this key has no meaning here; q goes back to the events"),
		    action_info(call->action)->name);
	return true;
}

/* Do an action on the events and their cursor. */
static void
act_on_events(struct app *a, const struct call *call)
{
	uint64_t n = call->count ? call->count : 1;
	struct session *s = &a->session;

	switch (call->action) {
	case ACT_EVENT_NEXT: search_start(s, SEARCH_SKIP, false, n); break;
	case ACT_EVENT_PREVIOUS: search_start(s, SEARCH_SKIP, true, n); break;
	case ACT_FIRST: go_end(a, false, call->count); break;
	case ACT_LAST: go_end(a, true, call->count); break;
	case ACT_PERCENT:
		if (call->count)
			go_percent(a, call->count);
		else
			partner_start(s);
		break;
	case ACT_SPAN_END: partner_start(s); break;
	case ACT_STREAM_NEXT: search_start(s, SEARCH_STREAM, false, n); break;
	case ACT_STREAM_PREVIOUS: search_start(s, SEARCH_STREAM, true, n); break;
	case ACT_TYPE_NEXT: search_start(s, SEARCH_TYPE, false, n); break;
	case ACT_TYPE_PREVIOUS: search_start(s, SEARCH_TYPE, true, n); break;
	case ACT_VALUE_NEXT: search_start(s, SEARCH_VALUE, false, n); break;
	case ACT_VALUE_PREVIOUS: search_start(s, SEARCH_VALUE, true, n); break;
	case ACT_PROBLEM_NEXT: search_start(s, SEARCH_PROBLEM, false, n); break;
	case ACT_PROBLEM_PREVIOUS: search_start(s, SEARCH_PROBLEM, true, n); break;
	case ACT_GAP_NEXT: search_start(s, SEARCH_GAP, false, n); break;
	case ACT_GAP_PREVIOUS: search_start(s, SEARCH_GAP, true, n); break;
	case ACT_PACKET_NEXT: reach_packet(s, false, n); break;
	case ACT_PACKET_PREVIOUS: reach_packet(s, true, n); break;
	case ACT_BOOKMARK_NEXT: marks_go_next(s, false, n); break;
	case ACT_BOOKMARK_PREVIOUS: marks_go_next(s, true, n); break;
	case ACT_JUMP_BACK: jump_back(a, n); break;
	case ACT_JUMP_FORWARD: jump_forward(a, n); break;
	case ACT_MARK_SET:
	case ACT_MARK_GO: a->wants_letter = call->action; break;
	case ACT_WORD_FORWARD: search_value(s, false); break;
	case ACT_WORD_BACKWARD: search_value(s, true); break;
	case ACT_DETAILS: screens_toggle_pane(&a->screens, &details_view, PANE_DETAILS); break;
	case ACT_BYTES: screens_next_bytes(&a->screens); break;
	case ACT_PANE_NEXT: screens_next_pane(&a->screens); break;
	case ACT_PANE_MAXIMISE: screens_maximise(&a->screens); break;
	case ACT_WHERE: where_am_i(s); break;
	case ACT_SELECT:
		s->here.selecting = !s->here.selecting && s->here.has_row;
		s->here.select_from = s->here.row.location;
		if (s->here.selecting)
			session_say(s, _("selecting: move, then y or Y: copy, &: set as range, :w FILE: write, V: stop"));
		break;
	case ACT_COPY: copy_events(s, events_compose, events_of(a)); break;
	case ACT_COPY_LINES: copy_events(s, NULL, NULL); break;
	case ACT_FOLLOW: follow_switch(&a->follow, s); break;
	case ACT_CONTEXT_MORE:
	case ACT_CONTEXT_LESS: filters_context(s, call->action == ACT_CONTEXT_MORE ? (int)n : -(int)n); break;
	case ACT_CHAIN: session_fail(s, _("chain needs a span (A, then w on one) or a thread: chain TID")); break;
	default: break;
	}
}

void
act_prepare(struct app *a, struct view *v)
{
	if (!v->class->prepare || v->area.rows <= 0)
		return;
	v->prepared = true;
	act_reply(a, v, v->class->prepare(v));
}

void
act(struct app *a, const struct call *call)
{
	struct view *v = screens_active(&a->screens), *events = events_of(a);
	unsigned reply = VIEW_PASS;

	if (!v->prepared)	/* a key can come before the view was drawn */
		act_prepare(a, v);
	if (copy_said(&a->session, call->action == ACT_COPY))
		return;
	if (call->action <= ACT_PERCENT) {	/* a new motion replaces a waiting jump or search */
		jumps_forget_later(&a->jumps);
		search_stop(&a->session);
	}
	if (a->follow.on && call->action <= ACT_PERCENT)	/* a motion pauses following; a jump to the end resumes it */
		a->follow.paused = call->action != ACT_LAST;
	if (v->class->act)
		reply = v->class->act(v, call);
	if (reply == VIEW_PASS && v->class->row)
		reply = list_act((struct list_view *)v, call);
	if (reply == VIEW_PASS && v != events && v->class->place == VIEW_PANE && !v->class->row) {
		v = events;
		reply = v->class->act(v, call);
	}
	if (reply != VIEW_PASS) {
		act_reply(a, v, reply);
		return;
	}
	a->then.action = ACT_NONE;
	if (!is_for_events(a, v, call) && !act_anywhere(a, call) && a->screens.n_screens == 1)
		act_on_events(a, call);
	a->session.wish.redraw = true;
}
