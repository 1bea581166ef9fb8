#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "reopen.h"
#include "session/naming.h"

struct reopening {
	const struct browse_options *options;
	struct tn_set *set;
	struct reopened *to;
};

void
reopened_free(struct reopened *r)
{
	if (!r)
		return;
	opened_put(r->opened);
	offsets_free(r->offset, r->n_offsets);
	free(r->by);
	free(r);
}

static void
reopen_run(struct job *job)
{
	struct reopening *r = job->data;

	job->code = r->options->reopen(r->options->user, r->to->grows, r->to->offset, r->to->n_offsets, &r->set, &job->error);
	if (job->code != TN_OK || !(r->to->opened = opened_new(r->set, true)))
		return;
	r->set = NULL;
	naming_settled(r->to->opened->naming, r->to->grows ? INT64_MIN : INT64_MAX);
	if (naming_wants_functions(job->q.opened->naming))
		naming_functions(r->to->opened->naming, r->to->opened->set, r->options);
}

static void
reopen_finish(struct job *job)
{
	struct reopening *r = job->data;
	struct session *s = job->session;

	s->wish.redraw = true;
	if (job->code != TN_OK) {
		session_fail(s, "%s", job->error.text);
		return;
	}
	if (!r->to->opened)
		return;
	reopened_free(s->wish.opened);
	s->wish.opened = r->to;
	r->to = NULL;
}

static void
reopen_cancelled(struct job *job)
{
	session_say(job->session, _("stopped"));
	job->session->wish.redraw = true;
}

static void
reopen_free(void *data)
{
	struct reopening *r = data;

	tn_set_close(r->set);
	reopened_free(r->to);
	free(r);
}

static const struct job_class reopen_class = {
	.label = N_("opening again"), .hidden = true, .everything = true,
	.run = reopen_run, .finish = reopen_finish, .cancelled = reopen_cancelled, .free = reopen_free,
};

bool
reopen_can(struct session *s, const char *why_not)
{
	if (!s->options->reopen)
		session_say(s, "%s", why_not);
	return s->options->reopen != NULL;
}

bool
reopen_runs(const struct session *s)
{
	for (const struct job *job = s->jobs.first; job; job = job->next)
		if (job->class == &reopen_class && !job->dropped)
			return true;
	return false;
}

static struct tn_trace_offset *
copy_offsets(const struct session *s, size_t *n)
{
	struct tn_trace_offset *copy = calloc(s->traces.n_offsets + 1, sizeof *copy);

	*n = 0;
	for (size_t i = 0; copy && i < s->traces.n_offsets; i++) {
		copy[i] = (struct tn_trace_offset) { strdup(s->traces.offset[i].path), s->traces.offset[i].offset_ns };
		if (!copy[i].path) {
			offsets_free(copy, i);
			return NULL;
		}
		*n = i + 1;
	}
	return copy;
}

/* Compute the change of the shift of each stream. */
static int64_t *
shifts(const struct session *s, const struct reopened *to)
{
	int64_t *by = calloc(to->n_streams + 1, sizeof *by);
	struct session after = { .traces = { .offset = to->offset, .n_offsets = to->n_offsets } };

	for (size_t i = 0; by && i < to->n_streams; i++) {
		const struct tn_trace *trace = tn_stream_trace(tn_set_stream(s->traces.set, i));

		by[i] = (int64_t)((uint64_t)session_offset(&after, trace) - (uint64_t)session_offset(s, trace));
	}
	return by;
}

void
reopen_start(struct session *s, struct tn_trace_offset *offset, size_t n, const struct place *place,
	     enum align align, const char *done)
{
	struct reopening *r = calloc(1, sizeof *r);
	struct reopened *to = calloc(1, sizeof *to);
	bool shifted = offset != NULL;

	if (!offset)
		offset = copy_offsets(s, &n);
	if (!r || !to || !offset || reopen_runs(s)) {
		offsets_free(offset, offset ? n : 0);
		free(r);
		free(to);
		return;
	}
	*to = (struct reopened) {
		.offset = offset, .n_offsets = n, .n_streams = tn_set_stream_count(s->traces.set),
		.place = *place, .align = align, .done = done, .grows = s->traces.grows,
	};
	to->by = shifted ? shifts(s, to) : NULL;
	if (to->by && place->kind == PLACE_LOCATION && place->location.stream < to->n_streams)
		to->place.location.time_ns = (int64_t)((uint64_t)to->place.location.time_ns
						       + (uint64_t)to->by[place->location.stream]);
	r->options = s->options;
	r->to = to;
	job_start(s, &reopen_class, r);
}
