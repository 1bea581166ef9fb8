#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/record.h"
#include "follow.h"
#include "gettext.h"
#include "reopen.h"
#include "session/naming.h"

#define TURN_US 200000		/* time between two checks for new data */
#define REFRESH_US 1000000

void
follow_reload(struct session *s)
{
	struct place place = { .kind = s->here.has_row ? PLACE_LOCATION : PLACE_BEGIN, .location = s->here.row.location };

	if (reopen_can(s, _("there are no files to open again")))
		reopen_start(s, NULL, 0, &place, ALIGN_MIDDLE, _("opened again"));
}

void
follow_switch(struct follow *f, struct session *s)
{
	struct place end = { .kind = PLACE_END };

	if (!s->options->reopen && !s->traces.grows) {
		session_say(s, _("the traces have no files that can grow"));
		return;
	}
	f->on = !f->on;
	f->paused = false;
	if (!f->on)
		return;
	if (s->traces.grows || f->over) {
		session_go(s, &end, ALIGN_BOTTOM);
	} else {
		s->traces.grows = true;
		reopen_start(s, NULL, 0, &end, ALIGN_BOTTOM, NULL);
	}
}

/* ---- count new events while the user looks elsewhere ---- */

struct coming {
	struct follow *follow;
	int64_t from_ns;
	uint64_t n;
};

static void
coming_run(struct job *job)
{
	struct coming *c = job->data;
	struct tn_scan_options options;

	job->q.bounds.has_begin = true;
	job->q.bounds.begin_ns = c->from_ns;
	options = job_scan_options(job);
	job->code = tn_scan(job->q.set, &options, &c->n, &job->error);
}

static void
coming_finish(struct job *job)
{
	const struct coming *c = job->data;

	c->follow->job = NULL;
	if (job->code >= 0)
		c->follow->came = c->n;
	job->session->wish.redraw = true;
}

static const struct job_class coming_class = {
	.label = N_("counting new events"), .quiet = true, .hidden = true,
	.run = coming_run, .finish = coming_finish, .free = free,
};

static void
count_coming(struct follow *f, struct session *s)
{
	struct coming *c;

	if (!f->on || !f->paused || f->job || f->seen_ns == INT64_MAX || !(c = calloc(1, sizeof *c)))
		return;
	*c = (struct coming) { .follow = f, .from_ns = f->seen_ns + 1 };
	f->job = job_start(s, &coming_class, c);
}

/* When a pause begins, note the end of the traces: rows after it count as new. */
static void
note_pause(struct follow *f, const struct session *s)
{
	if (f->paused && !f->was_paused) {
		f->seen_ns = s->traces.settled_ns;
		f->came = 0;
	}
	f->was_paused = f->paused;
}

/*
 * Set the time up to which rows are final and can be shown; new rows can still arrive after it. Returns whether it
 * changed.
 */
static bool
set_bounds(struct follow *f, struct session *s, const struct tn_growth *g)
{
	struct bounds former = s->traces.bounds;
	bool moved;

	(void)f;
	s->traces.settled_ns = g->has_settled ? g->settled_ns : INT64_MIN;
	naming_settled(s->traces.opened->naming, s->traces.grows ? s->traces.settled_ns : INT64_MAX);
	session_bound(s);
	moved = former.has_end != s->traces.bounds.has_end || former.end_ns != s->traces.bounds.end_ns;
	if (g->has_settled && s->traces.has_range && g->settled_ns > s->traces.end_ns)
		s->traces.end_ns = g->settled_ns;
	return moved;
}

static void
say_what(struct follow *f, const struct tn_growth *g)
{
	f->what[0] = '\0';
	if (g->unpacking)
		snprintf(f->what, sizeof f->what, _("unpacking %d%%: more events may appear between "
						    "these"), (int)(g->unpacked * 100));
	else if (g->cut)
		snprintf(f->what, sizeof f->what, "%s", _("the archive is incomplete"));
	else if (g->lost)
		snprintf(f->what, sizeof f->what, "%s", _("connection lost, trying again"));
	else if (g->late && g->waits_for)
		snprintf(f->what, sizeof f->what, ngettext("%ju packet came late (<), not waiting for %s",
							   "%ju packets came late (<), not waiting for %s", (unsigned long)g->late),
			 (uintmax_t)g->late, g->waits_for);
	else if (g->late)
		snprintf(f->what, sizeof f->what, ngettext("%ju packet came late (<)", "%ju packets came late (<)",
							   (unsigned long)g->late), (uintmax_t)g->late);
	else if (g->waits_for)
		snprintf(f->what, sizeof f->what, _("not waiting for %s"), g->waits_for);
	else if (g->missing)
		snprintf(f->what, sizeof f->what, _("waiting: %s"), g->missing);
}

/* Show new rows often enough to look smooth, but less often if the user does not follow. */
static unsigned
show(struct follow *f, struct session *s, uint64_t now)
{
	s->wish.redraw = true;
	if (f->on && !f->paused) {
		f->stale = false;
		return FOLLOW_END;
	}
	f->stale = now - f->refreshed_us < REFRESH_US;
	if (f->stale)
		return 0;
	f->refreshed_us = now;
	count_coming(f, s);
	return FOLLOW_REFRESH;
}

/* ---- archives that are being unpacked ---- */

bool
follow_stop_unpacking(struct session *s)
{
	if (!s->traces.unpacks)
		return false;
	tn_set_stop_unpacking(s->traces.set);
	return true;
}

/* Open the unpacked archive again, to get its index and the final order of events with equal times. */
static void
open_unpacked(struct session *s)
{
	struct place place = { .kind = s->here.has_row ? PLACE_LOCATION : PLACE_BEGIN, .location = s->here.row.location };

	s->traces.grows = false;
	reopen_start(s, NULL, 0, &place, ALIGN_MIDDLE, NULL);
}

unsigned
follow_turn(struct follow *f, struct session *s)
{
	uint64_t now = record_now();
	struct tn_growth g;
	struct tn_error err;
	unsigned todo = 0;

	note_pause(f, s);
	if (!s->traces.grows || f->over || reopen_runs(s) || now < f->next_us)
		return f->wants_alone ? FOLLOW_ALONE : 0;
	f->next_us = now + TURN_US;
	if (tn_set_grow(s->traces.set, false, &g, &err) != TN_OK) {
		session_fail(s, "%s", err.text);
		f->over = true;
		return 0;
	}
	say_what(f, &g);
	if (s->traces.unpacks && g.over && !g.cut) {
		open_unpacked(s);
		return 0;
	}
	f->stale = f->stale || g.late != s->traces.late;
	s->traces.late = g.late;
	f->stale = f->stale || (s->traces.unpacks && g.grew & TN_GREW_ROWS);
	if ((g.over || g.grew & TN_GREW_WAITS) && !f->wants_alone) {
		f->wants_alone = true;
		f->wanted_us = now;
	}
	if (set_bounds(f, s, &g) || f->stale)
		todo |= show(f, s, now);
	return todo | (f->wants_alone ? FOLLOW_ALONE : 0);
}

bool
follow_take_in(struct follow *f, struct session *s, struct tn_error *err)
{
	struct tn_growth g;

	f->wants_alone = false;
	if (tn_set_grow(s->traces.set, true, &g, err) != TN_OK)
		return false;
	if (g.over && (!s->traces.unpacks || g.cut)) {
		f->over = true;
		s->traces.grows = s->traces.unpacks = false;
		if (tn_set_settle(s->traces.set, err) != TN_OK)
			return false;
		if (g.cut)
			session_fail(s, "%s", g.cut);
		else
			session_say(s, _("the session has ended: tnav has all its events"));
	}
	say_what(f, &g);
	set_bounds(f, s, &g);
	return true;
}
