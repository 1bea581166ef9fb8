/* info.c - the job --info: the contents of the traces */
#include <config.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/canvas.h"
#include "screen/time_zone.h"
#include "gettext.h"
#include "loss_summary.h"
#include "output.h"
#include "report.h"

#define TITLE_COLUMNS 15

struct informer {
	struct job *job;
	struct output out;
	struct tn_text *text;
	const struct tn_text_options *how;	/* form of times */
	struct losses lost;
	bool failed;		/* memory ran out, so the output is incomplete */
};

static int
on_notice(void *user, const struct tn_row *row)
{
	struct informer *in = user;

	if (row->kind == TN_ROW_DAMAGE)
		job_damage(in->job, row);
	else
		losses_add(&in->lost, row);
	return 0;
}

/* Print a text of a trace as one line without control characters, even if the output is not a terminal. */
static void
put_safe(struct informer *in, const char *text)
{
	struct tn_str safe = { 0 };

	tn_text_safe(text, strlen(text), &safe);
	in->failed |= safe.failed;
	output_write(&in->out, safe.text ? safe.text : "", safe.n);
	tn_str_release(&safe);
}

/* Print a title, padded to the width that a terminal shows: a translation has letters of several bytes. */
static void
put_title(struct informer *in, const char *name)
{
	int pad = TITLE_COLUMNS - text_width(name, strlen(name));

	output_printf(&in->out, "  %s%*s", name, pad > 0 ? pad + 1 : 1, "");
}

static void
row(struct informer *in, const char *name, const char *format, ...) TN_PRINTF(3, 4);

static void
row(struct informer *in, const char *name, const char *format, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	put_title(in, name);
	put_safe(in, text);
	output_puts(&in->out, "\n");
}

static void
uuid_text(const uint8_t *uuid, char out[37])
{
	char *p = out;

	for (int i = 0; i < 16; i++)
		p += sprintf(p, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

static void
put_environment(struct informer *in, const struct tn_trace *trace)
{
	size_t n = tn_trace_env_count(trace);
	char room[32];

	for (size_t i = 0; i < n; i++) {
		put_title(in, i ? "" : _("Environment:"));
		put_safe(in, tn_trace_env_name(trace, i));
		output_puts(&in->out, " = ");
		put_safe(in, tn_trace_env_value(trace, i, room, sizeof room));
		output_puts(&in->out, "\n");
	}
}

static void
put_clocks(struct informer *in, const struct tn_trace *trace)
{
	size_t n = tn_trace_clock_count(trace);

	for (size_t i = 0; i < n; i++) {
		const struct tn_clock *clock = tn_trace_clock(trace, i);
		const char *description = tn_clock_description(clock);
		const uint8_t *uuid = tn_clock_uuid(clock);
		char text[40] = "";

		if (uuid)
			uuid_text(uuid, text);
		row(in, i ? "" : _("Clocks:"), _("%s: %" PRIu64 " Hz, offset %" PRId64 " s + %" PRIu64 " cycles, %s%s%s"),
		    tn_clock_name(clock), tn_clock_frequency(clock), tn_clock_offset_s(clock),
		    tn_clock_offset_cycles(clock), tn_clock_is_wall_time(clock) ? _("since 1970") : _("origin unknown"),
		    uuid ? ", UUID " : "", text);
		if (description && *description)
			row(in, "", "%s", description);
	}
}

static void
put_moment(struct informer *in, const char *name, int64_t time_ns)
{
	struct tn_str line = { 0 };
	char room[32];
	const char *zone = time_zone_name(in->job->set, in->how, time_ns, room);

	tn_text_time(in->text, time_ns, &line);
	row(in, name, "%s%s%s", line.text ? line.text : "", *zone ? " " : "", zone);
	in->failed |= line.failed;
	tn_str_release(&line);
}

static void
put_range(struct informer *in, int64_t begin_ns, int64_t end_ns)
{
	struct tn_str line = { 0 };

	put_moment(in, _("First event:"), begin_ns);
	put_moment(in, _("Last event:"), end_ns);
	tn_text_delta(in->text, (int64_t)((uint64_t)end_ns - (uint64_t)begin_ns), &line);
	row(in, _("Duration:"), "%s s", line.text ? line.text + (line.text[0] == '+') : "");
	in->failed |= line.failed;
	tn_str_release(&line);
}

/* Append a number such as "12", or "at least 12" if some losses have an unknown number. */
static void
put_losses(struct informer *in, const struct loss *lost)
{
	row(in, _("Lost events:"), lost->more ? _("at least %" PRIu64) : "%" PRIu64, lost->events);
	row(in, _("Lost packets:"), "%" PRIu64, lost->packets);
}

static void
put_stream(struct informer *in, const struct tn_stream *stream)
{
	const struct loss *lost = &in->lost.of_stream[tn_stream_rank(stream)];
	size_t packets = tn_stream_packet_count(stream);
	uint64_t events = 0;
	struct tn_packet_info packet;
	bool known = true;

	for (size_t i = 0; i < packets && known && tn_stream_packet(stream, i, &packet) == TN_OK; i++) {
		known = packet.events != TN_COUNT_UNKNOWN;
		events += packet.events;	/* cannot overflow: an event takes at least one bit */
	}
	output_puts(&in->out, "    ");
	put_safe(in, tn_stream_name(stream));
	output_printf(&in->out, _(": class %" PRIu64 ", id %" PRIu64), tn_stream_class_id(stream), tn_stream_id(stream));
	output_printf(&in->out, ngettext(", %zu packet", ", %zu packets", packets), packets);
	output_printf(&in->out, ngettext(", %" PRIu64 " byte", ", %" PRIu64 " bytes", tn_stream_size(stream)),
		      tn_stream_size(stream));
	if (known)
		output_printf(&in->out, ngettext(", %" PRIu64 " event", ", %" PRIu64 " events", events), events);
	if (lost->events || lost->more)
		output_printf(&in->out, lost->more ? _(", lost events: at least %" PRIu64) : _(", lost events: %" PRIu64),
			      lost->events);
	if (lost->packets)
		output_printf(&in->out, _(", lost packets: %" PRIu64), lost->packets);
	output_puts(&in->out, "\n");
	for (size_t i = 0; i < tn_stream_about_count(stream); i++) {
		char room[32];

		output_puts(&in->out, i ? ", " : "      ");
		put_safe(in, tn_stream_about_name(stream, i));
		output_puts(&in->out, " = ");
		put_safe(in, tn_stream_about_value(stream, i, room, sizeof room));
	}
	if (tn_stream_about_count(stream))
		output_puts(&in->out, "\n");
}

static void
put_trace(struct informer *in, const struct tn_trace *trace)
{
	size_t streams = tn_set_stream_count(in->job->set), own = 0;
	const uint8_t *uuid = tn_trace_uuid(trace);
	uint64_t size = 0;
	char text[37];

	for (size_t i = 0; i < streams; i++) {
		const struct tn_stream *stream = tn_set_stream(in->job->set, i);

		if (tn_stream_trace(stream) != trace)
			continue;
		own++;
		size += tn_stream_size(stream);
	}
	output_puts(&in->out, _("Trace "));
	put_safe(in, tn_trace_path(trace));
	output_puts(&in->out, "\n");
	row(in, _("Format:"), "%s", tn_trace_format(trace));
	if (*tn_trace_name(trace))
		row(in, _("Name:"), "%s", tn_trace_name(trace));
	if (uuid) {
		uuid_text(uuid, text);
		row(in, _("UUID:"), "%s", text);
	}
	row(in, _("Byte order:"), "%s", tn_trace_big_endian(trace) ? _("big-endian") : _("little-endian"));
	put_environment(in, trace);
	put_clocks(in, trace);
	row(in, _("Event classes:"), "%zu", tn_trace_event_class_count(trace));
	row(in, _("Size:"), ngettext("%" PRIu64 " byte", "%" PRIu64 " bytes", size), size);
	row(in, _("Streams:"), "%zu", own);
	for (size_t i = 0; i < streams; i++)
		if (tn_stream_trace(tn_set_stream(in->job->set, i)) == trace)
			put_stream(in, tn_set_stream(in->job->set, i));
	output_puts(&in->out, "\n");
}

static int
put_all(struct informer *in)
{
	struct tn_set *set = in->job->set;
	struct loss lost;
	int64_t begin, end;
	uint64_t events = 0;
	struct tn_error err;
	size_t packets = 0;
	enum tn_code rc;

	rc = tn_count(set, &(struct tn_count_options) {
		TN_COUNT_OPTIONS, .threads = in->job->options->threads, .notice = on_notice, .user = in,
	}, &events, &err);
	if (rc >= 0)
		rc = tn_set_time_range(set, &begin, &end, &err);
	if (rc < 0)
		return job_failed(&err);
	for (size_t i = 0; i < tn_set_trace_count(set); i++)
		put_trace(in, tn_set_trace(set, i));
	for (size_t i = 0; i < tn_set_stream_count(set); i++)
		packets += tn_stream_packet_count(tn_set_stream(set, i));
	lost = losses_sum(&in->lost);
	output_puts(&in->out, _("Together\n"));
	row(in, _("Traces:"), "%zu", tn_set_trace_count(set));
	row(in, _("Streams:"), "%zu", tn_set_stream_count(set));
	row(in, _("Packets:"), "%zu", packets);
	row(in, _("Events:"), "%" PRIu64, events);
	put_losses(in, &lost);
	if (rc == TN_OK)
		put_range(in, begin, end);
	return 0;
}

int
print_info(struct job *job)
{
	struct tn_text_options how = job->options->text;
	struct informer in = { .job = job, .how = &how };
	struct tn_error err;
	int status, closed;

	/* Print dates; the form of times in lines of events does not matter here. */
	if (how.time == TN_TIME_OF_DAY)
		how.time = tn_set_is_wall_time(job->set) ? TN_TIME_DATE : TN_TIME_SECONDS;
	if (!losses_init(&in.lost, job->set)) {
		complain(NULL, _("out of memory"));
		return 1;
	}
	status = output_open(&in.out, job->options->output, job->options->force);
	if (!status && tn_text_new(&in.text, job->set, &how, &err) != TN_OK)
		status = job_failed(&err);
	if (!status)
		status = put_all(&in);
	if (!status && in.failed) {
		complain(NULL, _("out of memory"));
		status = 1;
	}
	if (status)
		output_fail(&in.out);
	closed = output_close(&in.out);
	tn_text_free(in.text);
	losses_release(&in.lost);
	return status ? status : closed ? closed : job_status(job);
}

/* Print the metadata as text; report a trace without metadata. */
int
print_metadata(struct job *job)
{
	struct output out;
	int status = output_open(&out, job->options->output, job->options->force), closed;

	if (status)
		return status;
	for (size_t i = 0; i < tn_set_trace_count(job->set); i++) {
		const struct tn_trace *trace = tn_set_trace(job->set, i);
		char line[4200];
		const char *text;
		size_t n;

		text = tn_trace_metadata(trace, &n);
		if (text) {
			output_write(&out, text, n);
			if (n && text[n - 1] != '\n')
				output_puts(&out, "\n");
			if (tn_trace_metadata_changed(trace)) {
				snprintf(line, sizeof line, _("%s: the metadata changed while it was printed"),
					 tn_trace_path(trace));
				complain(NULL, line);
				status = 1;
			}
		} else {

			snprintf(line, sizeof line, _("%s: has no metadata"), tn_trace_path(trace));
			complain(NULL, line);
			status = 1;
		}
	}
	closed = output_close(&out);
	return status ? status : closed ? closed : job_status(job);
}
