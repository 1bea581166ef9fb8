#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "session/time_text.h"
#include "where.h"

struct where {
	struct tn_location at;
	bool is_event;
	uint64_t events;	/* number of events up to the row, including the row if it is an event */
};

static void
where_run(struct job *job)
{
	struct where *w = job->data;
	struct tn_scan_options options;

	options = job_scan_options(job);
	options.has_to = true;
	options.to = w->at;
	job->code = tn_scan(job->q.set, &options, &w->events, &job->error);
}

/* Show the number, the place in the files, and the time in all formats. */
static void
say_where(struct session *s, const char *number, const char *all)
{
	const struct tn_row *row = &s->here.row;
	struct tn_packet_info info;
	int64_t shift;
	struct tn_str shifted = { 0 };
	char date[64], seconds[64], times[256], packet[32], packets[32], offset[32];

	time_text_as(s, TN_TIME_DATE, row->time_ns, date, sizeof date);
	time_text_as(s, TN_TIME_SECONDS, row->time_ns, seconds, sizeof seconds);
	if (tn_stream_packet(row->stream, row->location.packet, &info) != TN_OK)
		info.offset = 0;
	if (!row->has_time)
		snprintf(times, sizeof times, "%s", _("no time: the stream does not have a clock that tnav knows"));
	else if (!tn_set_is_wall_time(s->traces.set))	/* without wall-clock time, the date is unknown */
		snprintf(times, sizeof times, _("%s s  @%" PRId64 "  %" PRIu64 " cycles"), seconds, row->time_ns, row->cycles);
	else
		snprintf(times, sizeof times, _("%s  %s s  @%" PRId64 "  %" PRIu64 " cycles"), date, seconds, row->time_ns,
			 row->cycles);
	shift = session_offset(s, tn_stream_trace(row->stream));
	if (shift) {
		tn_text_delta(s->asks.query->text, shift, &shifted);
		snprintf(times + strlen(times), sizeof times - strlen(times), _("  (shifted by %s s)"),
			 shifted.text ? shifted.text : "");
		tn_str_release(&shifted);
	}
	session_say(s, _("event %s of %s\n%s\npacket %s of %s at byte %s of %.300s"), number, all, times,
		    number_text(row->location.packet, packet), number_text(tn_stream_packet_count(row->stream), packets),
		    number_text(info.offset, offset), tn_stream_path(row->stream));
}

static void
where_finish(struct job *job)
{
	struct session *s = job->session;
	struct where *w = job->data;
	char number[32], all[32];

	s->wish.redraw = true;
	if (job->code < 0) {
		session_fail(s, "%s", job->error.text);
		return;
	}
	number_text(w->events + !w->is_event, number);
	number_text(s->traces.events, all);
	say_where(s, number, s->traces.counted ? all : "?");
}

static void
where_cancelled(struct job *job)
{
	session_say(job->session, _("stopped"));
	job->session->wish.redraw = true;
}

static const struct job_class where_class = {
	.label = N_("counting the events before this one"), .everything = true,
	.run = where_run, .finish = where_finish, .cancelled = where_cancelled, .free = free,
};

void
where_am_i(struct session *s)
{
	struct where *w;

	if (!s->here.has_row || !(w = calloc(1, sizeof *w)))
		return;
	w->at = s->here.row.location;
	w->is_event = s->here.row.kind == TN_ROW_EVENT;
	job_start(s, &where_class, w);
}
