/*
 * act.c - what actions do, as far as no view does it
 */
#include <inttypes.h>
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"
#include "term/term.h"

/* ---- jumps and their history ---- */

void
app_remember_jump(struct app *a)
{
	struct session *s = &a->session;

	if (!s->has_row)
		return;
	if (a->at_jump < a->n_jumps)	/* what was ahead is forgotten */
		a->n_jumps = a->at_jump;
	if (a->n_jumps && tn_location_compare(&a->jump[a->n_jumps - 1], &s->row.location) == 0) {
		a->at_jump = a->n_jumps;
		return;
	}
	if (a->n_jumps == JUMPS)
		memmove(a->jump, a->jump + 1, --a->n_jumps * sizeof *a->jump);
	a->jump[a->n_jumps++] = s->row.location;
	a->at_jump = a->n_jumps;
}

static void
go(struct app *a, const struct place *place, enum align align)
{
	app_reply(a, a->screen[0], events_go(a->screen[0], place, align));
}

/* ---- jumps that wait until the packets there are known ---- */

#define AT_ONCE_NS 25000000	/* so long nobody notices that there is something to wait for */

bool
app_forget_later(struct app *a)
{
	bool was = a->later.is;

	free(a->later.text);
	a->later.text = NULL;
	a->later.is = false;
	return was;
}

static int64_t
time_of(const struct place *place)
{
	return place->kind == PLACE_TIME ? place->time_ns : place->kind == PLACE_END ? INT64_MAX : INT64_MIN;
}

int64_t
app_later_time(const struct app *a)
{
	return a->later.is && !a->later.text ? time_of(&a->later.place) : INT64_MAX;
}

/* The index reaches so far, now or after a moment; what is wrong with a stream is told by who goes there. */
static bool
reaches(struct app *a, int64_t time_ns)
{
	struct tn_error err;

	return a->started || time_ns == INT64_MIN
	       || tn_set_index_to(a->session.set, time_ns, AT_ONCE_NS, &err) != TN_OK;
}

void
app_go(struct app *a, const struct place *place, enum align align)
{
	app_forget_later(a);
	if (!reaches(a, time_of(place))) {
		a->later.is = true;
		a->later.place = *place;
		a->later.align = align;
		return;
	}
	app_remember_jump(a);
	go(a, place, align);
}

void
app_go_later(struct app *a)
{
	struct place place = a->later.place;
	enum align align = a->later.align;
	char *text = a->later.text;
	struct tn_error err;

	a->later.text = NULL;
	a->later.is = false;
	if (!text)
		app_go(a, &place, align);
	else if (!app_go_time(a, text, &err))
		session_fail(&a->session, "%s", err.text);
	free(text);
}

static void
jump_back(struct app *a, uint64_t count)
{
	struct place place = { .kind = PLACE_LOCATION };
	size_t at = a->at_jump;

	if (!at) {
		session_say(&a->session, _("no jump before this one"));
		return;
	}
	if (at == a->n_jumps) {	/* leaving the newest place: it can be come back to */
		app_remember_jump(a);
		at = a->n_jumps - 1;
		if (!at && a->n_jumps == 1 && !tn_location_compare(&a->jump[0], &a->session.row.location))
			return;
	}
	a->at_jump = at > count ? at - (size_t)count : 0;
	if (a->at_jump == at && at > 0)
		a->at_jump--;
	place.location = a->jump[a->at_jump];
	go(a, &place, ALIGN_NEAR);
}

static void
jump_forward(struct app *a, uint64_t count)
{
	struct place place = { .kind = PLACE_LOCATION };

	if (a->at_jump + 1 >= a->n_jumps) {
		session_say(&a->session, _("no jump behind this one"));
		return;
	}
	a->at_jump = count < a->n_jumps - 1 - a->at_jump ? a->at_jump + (size_t)count : a->n_jumps - 1;
	place.location = a->jump[a->at_jump];
	go(a, &place, ALIGN_NEAR);
}

bool
app_go_time(struct app *a, const char *text, struct tn_error *err)
{
	struct session *s = &a->session;
	struct tn_time_context context = {
		TN_TIME_CONTEXT,
		.near_ns = s->has_row ? s->row.time_ns : 0, .utc = s->settings.text.utc,
	};
	struct place place = { .kind = PLACE_TIME };

	if (!s->has_range && reaches(a, INT64_MAX))
		s->has_range = tn_set_time_range(s->set, &s->begin_ns, &s->end_ns, err) == TN_OK;
	if (!s->has_range && strchr(text, '%')) {
		if (a->started) {
			snprintf(err->text, sizeof err->text, "%s", _("no event has a time"));
			return false;
		}
		app_forget_later(a);
		a->later.is = (a->later.text = strdup(text)) != NULL;
		return true;
	}
	context.begin_ns = s->begin_ns;
	context.end_ns = s->end_ns;
	if (tn_time_parse(text, &context, &place.time_ns, err) != TN_OK)
		return false;
	app_to_events(a);
	app_go(a, &place, ALIGN_TOP);
	return true;
}

static void
go_percent(struct app *a, uint64_t percent)
{
	struct tn_error err;
	char text[32];

	if (percent > 100) {
		session_say(&a->session, _("a percentage is at most 100"));
		return;
	}
	snprintf(text, sizeof text, "%" PRIu64 "%%", percent);
	if (!app_go_time(a, text, &err))
		session_fail(&a->session, "%s", err.text);
}

static void
go_end(struct app *a, bool last, uint64_t number)
{
	struct place place = { .kind = last ? PLACE_END : PLACE_BEGIN };

	if (number) {
		app_find(a, FIND_NUMBER, false, number);
		return;
	}
	app_go(a, &place, last ? ALIGN_BOTTOM : ALIGN_TOP);
}

/* ---- prompts ---- */

static struct history *
history_of(struct app *a, enum asking what)
{
	switch (what) {
	case ASK_SEARCH: return &a->history[HISTORY_SEARCH];
	case ASK_FILTER: return &a->history[HISTORY_FILTER];
	case ASK_TIME: return &a->history[HISTORY_TIME];
	case ASK_COMMAND: return &a->history[HISTORY_COMMAND];
	default: return NULL;
	}
}

void
app_ask(struct app *a, enum asking what, const char *lead, const char *text)
{
	a->asking = what;
	a->prompt_error[0] = '\0';
	prompt_start(&a->prompt, lead, text, history_of(a, what));
	if (what == ASK_SEARCH) {
		a->mark_before = a->session.mark;
		a->session.mark = NULL;
	}
}

/* What is typed is marked at once, as far as it is a regular expression already. */
void
app_prompt_changed(struct app *a)
{
	struct session *s = &a->session;

	a->prompt_error[0] = '\0';
	if (a->asking != ASK_SEARCH)
		return;
	tn_regex_free(s->mark);
	s->mark = NULL;
	if (a->prompt.n && tn_regex_new(&s->mark, a->prompt.text, s->settings.ignore_case, NULL) != TN_OK)
		s->mark = NULL;
}

void
app_prompt_closed(struct app *a)
{
	if (a->asking == ASK_SEARCH) {
		tn_regex_free(a->session.mark);
		a->session.mark = a->mark_before;
		a->mark_before = NULL;
	}
	a->prompt_error[0] = '\0';
}

static void
search_here(struct app *a, bool backward, uint64_t count)
{
	struct view *v = app_active(a);
	struct session *s = &a->session;

	if (!v->class->row) {
		if (v == a->screen[0])
			app_find(a, FIND_SEARCH, backward, count);
		return;
	}
	if (!s->mark && s->pattern && tn_regex_new(&s->mark, s->pattern, s->settings.ignore_case, NULL) != TN_OK)
		s->mark = NULL;
	for (uint64_t i = 0; i < count && s->mark; i++)
		if (!list_search((struct list_view *)v, s->mark, backward)) {
			session_say(s, backward ? _("not found above: %s") : _("not found below: %s"), s->pattern);
			return;
		}
}

static bool
answer(struct app *a, const char *text, struct tn_error *err)
{
	struct session *s = &a->session;

	switch (a->asking) {
	case ASK_SEARCH:
		return app_set_search(a, text, a->asking_backward, err);
	case ASK_FILTER:
		if (!*text) {
			app_clear_conditions(a);
			return true;
		}
		return app_add_condition(a, text, err);
	case ASK_TIME:
		return !*text || app_go_time(a, text, err);
	case ASK_NOTE:
		app_mark(a, 0, text);
		return true;
	default:
		(void)s;
		return true;
	}
}

void
app_answered(struct app *a)
{
	struct tn_error err = { .text = "" };
	enum asking what = a->asking;
	char text[PROMPT_SIZE];

	strcpy(text, a->prompt.text);
	if (!answer(a, text, &err)) {
		snprintf(a->prompt_error, sizeof a->prompt_error, "%s", err.text);
		return;	/* the text stays, to be made right */
	}
	if (a->prompt.history)
		history_add(a->prompt.history, text);
	if (what == ASK_SEARCH) {
		tn_regex_free(a->mark_before);
		a->mark_before = NULL;
	}
	a->asking = ASK_NOTHING;
	if (what == ASK_SEARCH)
		search_here(a, a->session.backward, 1);
	else if (what == ASK_COMMAND)
		app_command(a, text);
}

void
app_letter(struct app *a, enum action action, uint32_t key)
{
	if (action == ACT_MARK_SET) {
		if (key == 'm')
			app_toggle_bookmark(a);
		else if (key == 'M')
			app_ask(a, ASK_NOTE, _("note: "), "");
		else if (key > ' ' && key < 0x7f)
			app_mark(a, (char)key, NULL);
		return;
	}
	if (key == '\'')
		jump_back(a, 1);
	else if (key > 0x7e || !app_go_mark(a, (char)key))
		session_say(&a->session, _("no mark of that name"));
}

/* ---- settings ---- */

static void
next_time_format(struct app *a)
{
	struct settings *set = &a->session.settings;
	static const enum tn_time_format order[] = {
		TN_TIME_OF_DAY, TN_TIME_DATE, TN_TIME_SECONDS, TN_TIME_NS, TN_TIME_CYCLES
	};
	static const char *const name[] = {
		N_("time of day"), N_("date and time"), N_("seconds"), N_("nanoseconds"), N_("clock cycles")
	};
	size_t i = 0, n = sizeof order / sizeof *order;

	while (i < n && order[i] != set->text.time)
		i++;
	if (set->since_origin) {
		set->since_origin = false;
		i = 0;
	} else if (i + 1 >= n) {	/* behind the last: since the beginning, or the origin that was set */
		if (!set->origin_ns)
			set->origin_ns = a->session.begin_ns;
		set->since_origin = true;
		i = 0;
	} else {
		i++;
	}
	set->text.time = order[i];
	events_forget_widths(a->screen[0]);
	app_new_query(a, false);
	session_say(&a->session, _("times: %s"), set->since_origin ? _("since the origin") : _(name[i]));
}

static void
next_delta(struct app *a)
{
	struct settings *set = &a->session.settings;
	static const char *const name[DELTA_KINDS] = {
		[DELTA_SHOWN] = N_("to the event above"), [DELTA_STREAM] = N_("to the event before in its stream"),
		[DELTA_TYPE] = N_("to the event before of its type"), [DELTA_ORIGIN] = N_("since the origin"),
		[DELTA_OFF] = N_("off"),
	};

	set->delta = (set->delta + 1) % DELTA_KINDS;
	if (set->delta == DELTA_ORIGIN && !set->origin_ns)
		set->origin_ns = a->session.begin_ns;
	events_forget_widths(a->screen[0]);
	session_say(&a->session, _("delta: %s"), _(name[set->delta]));
}

static void
set_origin(struct app *a)
{
	struct session *s = &a->session;

	if (!s->has_row)
		return;
	s->settings.origin_ns = s->row.time_ns;
	s->settings.since_origin = true;
	events_forget_widths(a->screen[0]);
	session_say(s, _("times count from here: O takes that back"));
}

static void
clear_origin(struct app *a)
{
	a->session.settings.since_origin = false;
	a->session.settings.origin_ns = 0;
	if (a->session.settings.delta == DELTA_ORIGIN)
		a->session.settings.delta = DELTA_SHOWN;
	events_forget_widths(a->screen[0]);
}

/* ---- panes and views ---- */

/* Hexadecimal, bits, off. */
static void
next_bytes(struct app *a)
{
	struct call call = { .action = ACT_BYTES };

	if (a->pane[PANE_BYTES] && a->pane[PANE_BYTES]->class->act(a->pane[PANE_BYTES], &call) != VIEW_PASS) {
		a->dirty = true;
		return;
	}
	app_toggle_pane(a, &bytes_view, PANE_BYTES);
}

static void
next_pane(struct app *a)
{
	if (!a->pane[PANE_DETAILS] && !a->pane[PANE_BYTES]) {
		session_say(&a->session, _("no pane is open: Enter opens the details"));
		return;
	}
	do
		a->focus = a->focus + 1 == PANES ? -1 : a->focus + 1;
	while (a->focus >= 0 && !a->pane[a->focus]);
	app_layout(a);
}

static void
maximise(struct app *a)
{
	if (!a->pane[PANE_DETAILS] && !a->pane[PANE_BYTES]) {
		session_say(&a->session, _("no pane is open: Enter opens the details"));
		return;
	}
	a->maximised = !a->maximised;
	app_layout(a);
}

static void
close_innermost(struct app *a, bool quit)
{
	if (a->n_screens > 1)
		app_pop(a);
	else if (a->focus >= 0)
		app_toggle_pane(a, NULL, a->focus);
	else if (a->pane[PANE_BYTES] || a->pane[PANE_DETAILS])
		app_toggle_pane(a, NULL, a->pane[PANE_BYTES] ? PANE_BYTES : PANE_DETAILS);
	else if (a->session.selecting)
		a->session.selecting = false;
	else if (quit)
		a->quit = true;
}

/* Escape and Ctrl-C: stop what runs; false: nothing did. */
static bool
stop_job(struct app *a)
{
	struct job *job;
	bool any = false;

	while ((job = jobs_foreground(&a->session.jobs)) != NULL) {
		job_cancel(job);
		any = true;
	}
	any |= app_forget_later(a);
	if (any)
		session_say(&a->session, _("stopped"));
	return any;
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
		{ ACT_METADATA, &metadata_view }, { ACT_BOOKMARKS, &bookmarks_view },
		{ ACT_COLUMNS, &columns_view }, { ACT_HELP, &help_view },
	};

	/* In the details they are about the chosen field. */
	if (action == ACT_STATISTICS && app_active(a)->class == &details_view && a->session.focus_path) {
		app_push(a, &values_view);
		return true;
	}
	for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
		if (screens[i].action == action) {
			app_push(a, screens[i].class);
			return true;
		}
	return false;
}

/* What makes sense wherever one is. */
static bool
act_anywhere(struct app *a, const struct call *call)
{
	uint64_t n = call->count ? call->count : 1;
	struct session *s = &a->session;

	if (show(a, call->action))
		return true;
	switch (call->action) {
	case ACT_GOTO_TIME: app_ask(a, ASK_TIME, _("time: "), ""); break;
	case ACT_COMMAND: app_ask(a, ASK_COMMAND, ":", ""); break;
	case ACT_FILTER: app_ask(a, ASK_FILTER, "&", ""); break;
	case ACT_SEARCH_FORWARD:
	case ACT_SEARCH_BACKWARD:
		a->asking_backward = call->action == ACT_SEARCH_BACKWARD;
		app_ask(a, ASK_SEARCH, a->asking_backward ? "?" : "/", "");
		break;
	case ACT_SEARCH_NEXT: search_here(a, s->backward, n); break;
	case ACT_SEARCH_PREVIOUS: search_here(a, !s->backward, n); break;
	case ACT_SEARCH_CLEAR:
		tn_regex_free(s->mark);
		s->mark = NULL;
		break;
	case ACT_FILTER_TOGGLE: app_toggle_conditions(a, call->count); break;
	case ACT_TIME_FORMAT: next_time_format(a); break;
	case ACT_DELTA: next_delta(a); break;
	case ACT_ORIGIN_SET: set_origin(a); break;
	case ACT_ORIGIN_CLEAR: clear_origin(a); break;
	case ACT_WRAP: s->settings.wrap = !s->settings.wrap; break;
	case ACT_REDRAW:
		events_forget_widths(a->screen[0]);
		term_redraw();
		break;
	case ACT_SUSPEND: term_suspend(); break;
	case ACT_CANCEL:
		if (!stop_job(a))
			session_say(s, _("nothing is running: q leaves"));
		break;
	case ACT_ESCAPE:
		if (!stop_job(a))
			close_innermost(a, false);
		break;
	case ACT_CLOSE: close_innermost(a, true); break;
	case ACT_QUIT: a->quit = true; break;
	case ACT_RELOAD: app_reload(a, false); break;
	default: return false;
	}
	return true;
}

/* What is about the events and their cursor. */
static void
act_on_events(struct app *a, const struct call *call)
{
	uint64_t n = call->count ? call->count : 1;
	struct session *s = &a->session;

	switch (call->action) {
	case ACT_EVENT_NEXT: app_find(a, FIND_SKIP, false, n); break;
	case ACT_EVENT_PREVIOUS: app_find(a, FIND_SKIP, true, n); break;
	case ACT_FIRST: go_end(a, false, call->count); break;
	case ACT_LAST: go_end(a, true, call->count); break;
	case ACT_PERCENT: go_percent(a, call->count); break;
	case ACT_STREAM_NEXT: app_find(a, FIND_STREAM, false, n); break;
	case ACT_STREAM_PREVIOUS: app_find(a, FIND_STREAM, true, n); break;
	case ACT_TYPE_NEXT: app_find(a, FIND_TYPE, false, n); break;
	case ACT_TYPE_PREVIOUS: app_find(a, FIND_TYPE, true, n); break;
	case ACT_VALUE_NEXT: app_find(a, FIND_VALUE, false, n); break;
	case ACT_VALUE_PREVIOUS: app_find(a, FIND_VALUE, true, n); break;
	case ACT_PROBLEM_NEXT: app_find(a, FIND_PROBLEM, false, n); break;
	case ACT_PROBLEM_PREVIOUS: app_find(a, FIND_PROBLEM, true, n); break;
	case ACT_GAP_NEXT: app_find(a, FIND_GAP, false, n); break;
	case ACT_GAP_PREVIOUS: app_find(a, FIND_GAP, true, n); break;
	case ACT_PACKET_NEXT: app_packet(a, false, n); break;
	case ACT_PACKET_PREVIOUS: app_packet(a, true, n); break;
	case ACT_BOOKMARK_NEXT: app_go_bookmark(a, false, n); break;
	case ACT_BOOKMARK_PREVIOUS: app_go_bookmark(a, true, n); break;
	case ACT_JUMP_BACK: jump_back(a, n); break;
	case ACT_JUMP_FORWARD: jump_forward(a, n); break;
	case ACT_MARK_SET:
	case ACT_MARK_GO: a->wants_letter = call->action; break;
	case ACT_WORD_FORWARD: app_search_value(a, false); break;
	case ACT_WORD_BACKWARD: app_search_value(a, true); break;
	case ACT_DETAILS: app_toggle_pane(a, &details_view, PANE_DETAILS); break;
	case ACT_BYTES: next_bytes(a); break;
	case ACT_PANE_NEXT: next_pane(a); break;
	case ACT_PANE_MAXIMISE: maximise(a); break;
	case ACT_WHERE: app_where(a); break;
	case ACT_SELECT:
		s->selecting = !s->selecting && s->has_row;
		s->select_from = s->row.location;
		if (s->selecting)
			session_say(s, _("selecting: move, then y or Y copies, :w FILE writes, V or Esc gives up"));
		break;
	case ACT_COPY: app_copy(a, false); break;
	case ACT_COPY_LINES: app_copy(a, true); break;
	case ACT_FOLLOW: app_follow(a); break;
	case ACT_CONTEXT_MORE:
	case ACT_CONTEXT_LESS: app_context(a, call->action == ACT_CONTEXT_MORE ? (int)n : -(int)n); break;
	default: break;
	}
}

void
app_act(struct app *a, const struct call *call)
{
	struct view *v = app_active(a);
	unsigned reply = VIEW_PASS;

	if (call->action <= ACT_PERCENT)	/* another motion in its place */
		app_forget_later(a);
	if (a->following && call->action <= ACT_PERCENT)	/* a motion pauses it, going to the end resumes it */
		a->follow_paused = call->action != ACT_LAST;
	if (v->class->act)
		reply = v->class->act(v, call);
	if (reply == VIEW_PASS && v->class->row)
		reply = list_act((struct list_view *)v, call);
	if (reply == VIEW_PASS && v != a->screen[0] && v->class->place == VIEW_PANE && !v->class->row) {
		v = a->screen[0];
		reply = v->class->act(v, call);
	}
	if (reply != VIEW_PASS) {
		app_reply(a, v, reply);
		return;
	}
	if (!act_anywhere(a, call) && a->n_screens == 1)
		act_on_events(a, call);
	a->dirty = true;
}
