#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "whole_event.h"

struct whole_job {
	struct whole_event whole;	/* the result */
};

static enum tn_code
only_its_stream(struct tn_cursor *cur, const struct tn_set *set, const struct tn_location *at, struct tn_error *err)
{
	size_t n = tn_set_stream_count(set);
	bool *only = calloc(n + 1, sizeof *only);
	enum tn_code rc;

	if (!only) {
		snprintf(err->text, sizeof err->text, "out of memory");
		return TN_ERR_MEMORY;
	}
	if (at->stream < n)
		only[at->stream] = true;
	rc = tn_cursor_only(cur, only, err);
	free(only);
	return rc;
}

static void
whole_event_run(struct job *job)
{
	struct whole_event *l = &((struct whole_job *)job->data)->whole;
	enum tn_code rc = l->cur ? TN_OK : tn_cursor_new(&l->cur, job->q.set, &l->error);

	if (rc == TN_OK)
		rc = only_its_stream(l->cur, job->q.set, &l->at, &l->error);
	if (rc >= TN_OK)
		rc = tn_cursor_restore(l->cur, &l->at, &l->error);
	job->code = rc;
	if (rc != TN_OK || !tn_cursor_row(l->cur, &l->row) || tn_location_compare(&l->row.location, &l->at) != 0)
		return;
	l->state = WHOLE_EVENT_READY;
	if (l->row.kind == TN_ROW_EVENT && tn_cursor_read(l->cur, TN_SCOPE_ALL, &l->event, &l->error) != TN_OK)
		l->event = NULL;
}

static void
whole_event_finish(struct job *job)
{
	struct session *s = job->session;
	struct whole_event *l = &((struct whole_job *)job->data)->whole;

	s->here.whole = *l;
	s->here.whole.job = NULL;
	if (s->here.whole.state != WHOLE_EVENT_READY) {
		s->here.whole.state = WHOLE_EVENT_FAILED;
		if (job->code >= 0)
			snprintf(s->here.whole.error.text, sizeof s->here.whole.error.text, "%s",
				 _("the event is no longer in the trace"));
	}
	l->cur = NULL;
	s->wish.looked = true;
}

static void
whole_event_free(void *data)
{
	struct whole_job *k = data;

	tn_cursor_free(k->whole.cur);
	free(k);
}

static const struct job_class whole_event_class = {
	.label = N_("reading the event"), .quiet = true, .hidden = true,
	.run = whole_event_run, .finish = whole_event_finish, .free = whole_event_free,
};

enum whole_event_state
whole_event_at(struct session *s, const struct tn_location *at)
{
	struct whole_event *l = &s->here.whole;
	struct whole_job *k;

	if (l->state != WHOLE_EVENT_NONE && tn_location_compare(&l->at, at) == 0)
		return l->state;
	if (l->job)
		job_drop(l->job);
	k = calloc(1, sizeof *k);
	if (!k)
		return WHOLE_EVENT_FAILED;
	k->whole = (struct whole_event) { .at = *at, .cur = l->cur };
	*l = (struct whole_event) { .state = WHOLE_EVENT_WAIT, .at = *at };
	l->job = job_start(s, &whole_event_class, k);
	if (!l->job)
		l->state = WHOLE_EVENT_NONE;
	else if (job_moment(l->job))
		s->wish.looked = false;	/* the code that requested the event has it */
	return l->state;
}

void
whole_event_release(struct whole_event *l)
{
	job_drop(l->job);
	tn_cursor_free(l->cur);
	*l = (struct whole_event) { .state = WHOLE_EVENT_NONE };
}
