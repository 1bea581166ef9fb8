/* check.c - the job --check: read all events and print each problem */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "loss_summary.h"
#include "output.h"
#include "report.h"

struct checker {
	struct job *job;
	struct output out;
	struct losses lost;
};

/* Ignore the lines: making them decodes every field of every event, which is their purpose. */
static int
on_lines(void *user, const char *text, size_t n)
{
	(void)user, (void)text, (void)n;
	return 0;
}

static int
on_notice(void *user, const struct tn_row *row)
{
	struct checker *c = user;

	if (row->kind == TN_ROW_DAMAGE)
		job_damage(c->job, row);
	else
		losses_add(&c->lost, row);
	return 0;
}

/* Print a number, then @end. @format has one %ju and is already in the form (singular or plural) that @n needs. */
static void
put_number(struct checker *c, const char *format, uintmax_t n, const char *end)
{
	char text[128];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof text, format, n);
#pragma GCC diagnostic pop
	output_puts(&c->out, text);
	output_puts(&c->out, end);
}

static int
summary(struct checker *c, uint64_t events)
{
	const struct job *job = c->job;
	size_t damages = job->problems[TN_DAMAGE], wrong = job->problems[TN_WRONG], warnings = job->problems[TN_WARNING];
	size_t streams = tn_set_stream_count(job->set), packets = 0;
	struct loss lost = losses_sum(&c->lost);	/* losses with a known number of events */

	for (size_t i = 0; i < streams; i++)
		packets += tn_stream_packet_count(tn_set_stream(job->set, i));
	put_number(c, ngettext("%ju trace", "%ju traces", tn_set_trace_count(job->set)), tn_set_trace_count(job->set), ", ");
	put_number(c, ngettext("%ju stream", "%ju streams", streams), streams, ", ");
	put_number(c, ngettext("%ju packet", "%ju packets", packets), packets, ", ");
	put_number(c, ngettext("%ju event", "%ju events", events), events, "\n");
	if (lost.events)
		put_number(c, ngettext("%ju event was lost by the tracer", "%ju events were lost by the tracer",
				       lost.events), lost.events, "\n");
	if (lost.packets)
		put_number(c, ngettext("%ju packet was lost", "%ju packets were lost", lost.packets),
			   lost.packets, "\n");
	if (damages)
		put_number(c, ngettext("%ju error", "%ju errors", damages), damages, wrong || warnings ? ", " : "\n");
	if (wrong)
		put_number(c, ngettext("%ju broken rule", "%ju broken rules", wrong), wrong, warnings ? ", " : "\n");
	if (warnings)
		put_number(c, ngettext("%ju warning", "%ju warnings", warnings), warnings, "\n");
	if (!damages && !wrong && !warnings)
		output_puts(&c->out, _("no problem found\n"));
	return damages || wrong;
}

int
check_traces(struct job *job)
{
	struct checker c = { .job = job };
	struct tn_scan_options scan = {
		TN_SCAN_OPTIONS,
		.threads = job->options->threads, .lines = on_lines, .notice = on_notice, .user = &c,
	};
	struct tn_text *text;
	struct tn_error err;
	uint64_t events = 0;
	int status, closed;

	status = output_open(&c.out, job->options->output, job->options->force);
	if (status)
		return status;
	if (!losses_init(&c.lost, job->set)) {
		complain(NULL, _("out of memory"));
		output_fail(&c.out);
		output_close(&c.out);
		return 1;
	}
	if (tn_text_new(&text, job->set, NULL, &err) != TN_OK) {
		losses_release(&c.lost);
		output_fail(&c.out);
		output_close(&c.out);
		return job_failed(&err);
	}
	scan.text = text;
	if (tn_scan(job->set, &scan, &events, &err) < 0 || tn_set_check(job->set, &err) < 0)
		status = job_failed(&err), output_fail(&c.out);
	else
		status = summary(&c, events);
	closed = output_close(&c.out);
	tn_text_free(text);
	losses_release(&c.lost);
	return status ? status : closed;
}
