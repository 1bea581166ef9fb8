#include <config.h>

#include <stdlib.h>

#include "screen/line.h"
#include "selection.h"

struct selected {
	struct selection *selection;
	struct tn_location from, to;
	uint64_t n;
};

static void
ends(const struct session *s, struct tn_location *from, struct tn_location *to)
{
	bool down = tn_location_compare(&s->here.select_from, &s->here.row.location) <= 0;

	*from = down ? s->here.select_from : s->here.row.location;
	*to = down ? s->here.row_last : s->here.select_from;
}

static void
selected_run(struct job *job)
{
	struct selected *d = job->data;
	struct tn_scan_options options;

	job->q.bounds = (struct bounds) { true, true, d->from.time_ns, d->to.time_ns };
	options = job_scan_options(job);
	options.has_from = options.from_included = options.has_to = true;
	options.from = d->from;
	options.to = d->to;
	job->code = tn_scan(job->q.set, &options, &d->n, &job->error);
}

static void
selected_finish(struct job *job)
{
	const struct selected *d = job->data;

	d->selection->job = NULL;
	d->selection->known = job->code >= 0;
	d->selection->events = d->n;
	job->session->wish.redraw = true;
}

static const struct job_class selected_class = {
	.label = N_("counting the selection"), .quiet = true, .hidden = true,
	.run = selected_run, .finish = selected_finish, .free = free,
};

void
selection_turn(struct selection *sel, struct session *s)
{
	struct tn_location from, to;
	struct selected *d;

	if (!s->here.selecting || !s->here.has_row) {
		job_drop(sel->job);
		*sel = (struct selection) { .known = false };
		return;
	}
	ends(s, &from, &to);
	if ((sel->job || sel->known) && !tn_location_compare(&from, &sel->from) && !tn_location_compare(&to, &sel->to))
		return;
	d = malloc(sizeof *d);
	if (!d)
		return;
	job_drop(sel->job);
	*sel = (struct selection) { .from = from, .to = to };
	*d = (struct selected) { .selection = sel, .from = from, .to = to };
	sel->job = job_start(s, &selected_class, d);
	if (sel->job)
		job_moment(sel->job);
}

bool
selection_bounds(const struct session *s, struct bounds *out)
{
	struct tn_location from, to;

	if (!s->here.selecting || !s->here.has_row || !s->here.row.has_time)
		return false;
	ends(s, &from, &to);
	*out = (struct bounds) { true, true, from.time_ns, to.time_ns };
	return true;
}

void
selection_put(const struct selection *sel, const struct session *s, struct line *out, bool brief)
{
	char number[32], span[32];
	struct bounds b;
	double seconds;

	if (!s->here.selecting)
		return;
	if (sel->known && brief)
		line_printf(out, STYLE_STATUS_NOTE, _("  %s selected"), number_text(sel->events, number));
	else if (sel->known)
		line_printf(out, STYLE_STATUS_NOTE, ngettext("  %s event selected", "  %s events selected", sel->events),
			    number_text(sel->events, number));
	else
		line_puts(out, STYLE_STATUS_NOTE, _("  selecting"));
	if (!selection_bounds(s, &b))
		return;
	seconds = ns_between(b.begin_ns, b.end_ns) / 1e9;
	line_printf(out, STYLE_STATUS_NOTE, ", %s", span_text(b.end_ns - b.begin_ns, span));
	if (sel->known && seconds > 0)
		line_printf(out, STYLE_STATUS_NOTE, brief ? _(", %s/s") : _(", %s a second"),
			    number_text((uint64_t)((double)sel->events / seconds + 0.5), number));
}
