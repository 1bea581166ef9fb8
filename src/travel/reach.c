#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reach.h"

struct reach {
	struct tn_row from;	/* the row at the cursor */
	bool backward;
	uint64_t count;
	bool first;		/* @count is the number of the packet, not a distance */
	bool by_byte;
	uint64_t byte, bit;
	/* The result. */
	struct tn_cursor *cur;
	struct tn_location at;
	uint64_t packet;
	struct tn_packet_info info;
	enum { NOTHING, NO_PACKET, NO_BYTE, NO_BIT, NO_EVENT, FOUND } end;
};

static bool
only_its_stream(struct reach *r, struct tn_set *set, struct tn_error *err)
{
	size_t n = tn_set_stream_count(set);
	bool *only = calloc(n + 1, sizeof *only);
	enum tn_code rc;

	if (!only || tn_cursor_new(&r->cur, set, err) != TN_OK) {
		free(only);
		return false;
	}
	only[r->from.location.stream] = true;
	rc = tn_cursor_only(r->cur, only, err);
	free(only);
	return rc >= TN_OK;
}

/* Find the first row of packet @want in the row's stream, or of the next packet that has rows. */
static bool
packet_begin(struct job *job, uint64_t want, struct tn_location *out)
{
	struct reach *r = job->data;
	struct tn_location at = { .stream = r->from.location.stream, .packet = (uint32_t)want };
	struct tn_packet_info info;
	struct tn_row row;

	if (tn_stream_packet(r->from.stream, (size_t)want, &info) != TN_OK)
		return false;
	if (info.has_time) {
		at.time_ns = info.begin_ns;
		if (tn_cursor_restore(r->cur, &at, &job->error) != TN_OK || !tn_cursor_row(r->cur, &row))
			return false;
	} else {	/* the packet has no time: walk from the row, or from the first row */
		enum tn_code rc = want > r->from.location.packet
				? tn_cursor_restore(r->cur, &r->from.location, &job->error)
				: tn_cursor_first(r->cur, &job->error);

		for (uint64_t i = 0; rc == TN_OK && tn_cursor_row(r->cur, &row) && row.location.packet < want; i++) {
			if (job_stopped(job))
				return false;
			atomic_store(&job->events, i);
			rc = tn_cursor_next(r->cur, &job->error);
		}
		if (rc != TN_OK)
			return false;
	}
	*out = row.location;
	return true;
}

static void
packet_run(struct job *job)
{
	struct reach *r = job->data;
	uint64_t packet = r->from.location.packet, count = r->count;

	if (r->first) {
		r->packet = count;
		r->end = packet_begin(job, count, &r->at) ? FOUND : NO_EVENT;
		return;
	}
	if (r->backward) {
		if (packet_begin(job, packet, &r->at) && tn_location_compare(&r->at, &r->from.location) < 0)
			count--;
		if (count && !packet) {
			r->end = NO_PACKET;
			return;
		}
		packet = packet > count ? packet - count : 0;
	} else {
		packet += count;
	}
	r->end = packet_begin(job, packet, &r->at) ? FOUND : NO_PACKET;
}

/* Find the packet that contains the byte, in the same file as the cursor's packet. */
static bool
packet_at(struct reach *r)
{
	const struct tn_stream *stream = r->from.stream;
	struct tn_packet_info own;

	if (tn_stream_packet(stream, r->from.location.packet, &own) != TN_OK)
		return false;
	for (r->packet = 0; tn_stream_packet(stream, (size_t)r->packet, &r->info) == TN_OK; r->packet++)
		if (strcmp(r->info.path, own.path) == 0 && r->byte >= r->info.offset
		    && r->byte - r->info.offset < r->info.size_bits / 8)
			return true;
	return false;
}

/* Find the event that contains the bit, or the last event before the bit; r->cur must be on the packet's first row. */
static bool
event_at(struct job *job, struct reach *r)
{
	const struct tn_event *event;
	bool found = false;
	struct tn_row row;

	for (uint64_t i = 0; tn_cursor_row(r->cur, &row) && row.location.packet == r->packet; i++) {
		if (job_stopped(job))
			return false;
		atomic_store(&job->events, i);
		if (row.kind == TN_ROW_EVENT) {
			if (tn_cursor_read(r->cur, TN_SCOPE_ALL, &event, &job->error) != TN_OK)
				break;
			if (found && tn_event_bit(event) > r->bit)
				break;
			r->at = row.location;
			found = true;
			if (tn_event_end_bit(event) > r->bit)
				break;
		}
		if (tn_cursor_next(r->cur, &job->error) != TN_OK)
			break;
	}
	return found;
}

static void
byte_run(struct job *job)
{
	struct reach *r = job->data;

	if (!packet_at(r)) {
		r->end = NO_BYTE;
		return;
	}
	if (r->bit >= r->info.size_bits - (r->byte - r->info.offset) * 8) {
		r->end = NO_BIT;
		return;
	}
	r->bit += (r->byte - r->info.offset) * 8;
	r->end = packet_begin(job, r->packet, &r->at) && r->at.packet == r->packet && event_at(job, r) ? FOUND : NO_EVENT;
}

static void
reach_run(struct job *job)
{
	struct reach *r = job->data;

	if (!only_its_stream(r, job->q.set, &job->error))
		return;
	if (r->by_byte)
		byte_run(job);
	else
		packet_run(job);
}

static void
say_found(struct session *s, const struct reach *r)
{
	char packet[32], all[32], offset[32], bit[32];

	if (r->by_byte)
		session_say(s, _("packet %s at byte %s, bit %s"), number_text(r->packet, packet),
			    number_text(r->info.offset, offset), number_text(r->bit, bit));
	else
		session_say(s, _("packet %s of %s, %s"), number_text(r->at.packet, packet),
			    number_text(tn_stream_packet_count(r->from.stream), all), s->traces.origin[r->from.location.stream]);
}

static void
reach_finish(struct job *job)
{
	struct session *s = job->session;
	const struct reach *r = job->data;
	struct place place = { .kind = PLACE_LOCATION, .location = r->at };
	char number[32], other[32];

	s->wish.redraw = true;
	switch (r->end) {
	case FOUND:
		job_go(job, &place, ALIGN_NEAR);
		say_found(s, r);
		break;
	case NO_PACKET: session_say(s, r->backward ? _("no packet above") : _("no packet below")); break;
	case NO_BYTE:
		session_fail(s, _("byte %s of the file is not in a packet of this stream"), number_text(r->byte, number));
		break;
	case NO_BIT:
		session_fail(s, _("packet %s ends before bit %s after that byte"), number_text(r->packet, number),
			     number_text(r->bit, other));
		break;
	case NO_EVENT: session_fail(s, _("packet %s has no event at this place"), number_text(r->packet, number)); break;
	default: session_fail(s, "%s", job->error.text); break;
	}
}

static void
reach_cancelled(struct job *job)
{
	session_say(job->session, _("stopped"));
	job->session->wish.redraw = true;
}

static void
reach_free(void *data)
{
	struct reach *r = data;

	tn_cursor_free(r->cur);
	free(r);
}

static const struct job_class reach_class = {
	.label = N_("searching"), .hidden = true,
	.run = reach_run, .finish = reach_finish, .cancelled = reach_cancelled, .free = reach_free,
};

static void
start(struct session *s, const struct reach *what)
{
	struct reach *r = s->here.has_row ? malloc(sizeof *r) : NULL;
	struct job *job;

	if (!r)
		return;
	*r = *what;
	if (!r->first)
		r->from = s->here.row;
	for (job = s->jobs.first; job; job = job->next)
		if (job->class == &reach_class)
			job_drop(job);
	job = job_start(s, &reach_class, r);
	if (job)
		job_moment(job);
}

void
reach_packet(struct session *s, bool backward, uint64_t count)
{
	start(s, &(struct reach) { .backward = backward, .count = count });
}

void
reach_first(struct session *s, const struct tn_location *at)
{
	const struct tn_stream *stream = tn_set_stream(s->traces.set, at->stream);

	start(s, &(struct reach) { .first = true, .count = at->packet, .from = { .stream = stream, .location = *at } });
}

void
reach_byte(struct session *s, uint64_t byte, uint64_t bit)
{
	start(s, &(struct reach) { .by_byte = true, .byte = byte, .bit = bit });
}
