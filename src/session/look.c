#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "look.h"

struct looking {
	struct look look;	/* the result */
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
look_run(struct job *job)
{
	struct look *l = &((struct looking *)job->data)->look;
	enum tn_code rc = l->cur ? TN_OK : tn_cursor_new(&l->cur, job->q.set, &l->error);

	if (rc == TN_OK)
		rc = only_its_stream(l->cur, job->q.set, &l->at, &l->error);
	if (rc >= TN_OK)
		rc = tn_cursor_restore(l->cur, &l->at, &l->error);
	job->code = rc;
	if (rc != TN_OK || !tn_cursor_row(l->cur, &l->row) || tn_location_compare(&l->row.location, &l->at) != 0)
		return;
	l->state = LOOK_READY;
	if (l->row.kind == TN_ROW_EVENT && tn_cursor_read(l->cur, TN_SCOPE_ALL, &l->event, &l->error) != TN_OK)
		l->event = NULL;
}

static void
look_finish(struct job *job)
{
	struct session *s = job->session;
	struct look *l = &((struct looking *)job->data)->look;

	s->here.look = *l;
	s->here.look.job = NULL;
	if (s->here.look.state != LOOK_READY) {
		s->here.look.state = LOOK_FAILED;
		if (job->code >= 0)
			snprintf(s->here.look.error.text, sizeof s->here.look.error.text, "%s",
				 _("the event is not there any more"));
	}
	l->cur = NULL;
	s->wish.looked = true;
}

static void
look_free(void *data)
{
	struct looking *k = data;

	tn_cursor_free(k->look.cur);
	free(k);
}

static const struct job_class look_class = {
	.label = N_("reading the event"), .quiet = true, .hidden = true,
	.run = look_run, .finish = look_finish, .free = look_free,
};

enum look_state
look_at(struct session *s, const struct tn_location *at)
{
	struct look *l = &s->here.look;
	struct looking *k;

	if (l->state != LOOK_NONE && tn_location_compare(&l->at, at) == 0)
		return l->state;
	if (l->job)
		job_drop(l->job);
	k = calloc(1, sizeof *k);
	if (!k)
		return LOOK_FAILED;
	k->look = (struct look) { .at = *at, .cur = l->cur };
	*l = (struct look) { .state = LOOK_WAIT, .at = *at };
	l->job = job_start(s, &look_class, k);
	if (!l->job)
		l->state = LOOK_NONE;
	else if (job_moment(l->job))
		s->wish.looked = false;	/* whoever asked has the answer */
	return l->state;
}

void
look_release(struct look *l)
{
	job_drop(l->job);
	tn_cursor_free(l->cur);
	*l = (struct look) { .state = LOOK_NONE };
}
