/* act_times.c - keys that change the format of times */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "act.h"
#include "views/events.h"


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
	} else if (i + 1 >= n) {	/* then times since the beginning, or since the chosen origin */
		if (!set->origin_ns)
			set->origin_ns = a->session.traces.begin_ns;
		set->since_origin = true;
		i = 0;
	} else {
		i++;
	}
	set->text.time = order[i];
	events_forget_widths(a->screens.screen[0]);
	a->session.wish.requery = true;
	session_say(&a->session, _("times: %s"), set->since_origin ? _("since the origin") : _(name[i]));
}

static void
next_delta(struct app *a)
{
	struct settings *set = &a->session.settings;
	static const char *const name[DELTA_KINDS] = {
		[DELTA_SHOWN] = N_("to the event above"), [DELTA_STREAM] = N_("to the previous event of its stream"),
		[DELTA_TYPE] = N_("to the previous event of its type"), [DELTA_ORIGIN] = N_("since the origin"),
		[DELTA_OFF] = N_("off"),
	};

	set->delta = (set->delta + 1) % DELTA_KINDS;
	if (set->delta == DELTA_ORIGIN && !set->origin_ns)
		set->origin_ns = a->session.traces.begin_ns;
	events_forget_widths(a->screens.screen[0]);
	session_say(&a->session, _("delta: %s"), _(name[set->delta]));
}

static void
set_origin(struct app *a)
{
	struct session *s = &a->session;

	if (!s->here.has_row)
		return;
	if (!s->here.row.has_time) {
		session_fail(s, "%s", _("this event has no time: choose an event with a time, then press o"));
		return;
	}
	s->settings.origin_ns = s->here.row.time_ns;
	s->settings.since_origin = true;
	events_forget_widths(a->screens.screen[0]);
	session_say(s, _("times now count from this event: O undoes this"));
}

static void
clear_origin(struct app *a)
{
	a->session.settings.since_origin = false;
	a->session.settings.origin_ns = 0;
	if (a->session.settings.delta == DELTA_ORIGIN)
		a->session.settings.delta = DELTA_SHOWN;
	events_forget_widths(a->screens.screen[0]);
}

void
act_times(struct app *a, enum action action)
{
	switch (action) {
	case ACT_TIME_FORMAT: next_time_format(a); break;
	case ACT_DELTA: next_delta(a); break;
	case ACT_ORIGIN_SET: set_origin(a); break;
	default: clear_origin(a); break;
	}
}
