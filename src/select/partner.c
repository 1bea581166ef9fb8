#include <config.h>

#include <stdlib.h>
#include <string.h>

#include <tnav/answer.h>

#include "gettext.h"
#include "partner.h"

struct partner {
	struct tn_location from, to;
	char *spans;		/* definitions that the user asked for, one per line; "" */
	char *used;		/* definition of the span that the event begins or ends; NULL: none */
	bool found;
};

/* List the pairs that the user asked for, then the proposed pairs. */
static enum tn_code
list(struct partner *p, const struct tn_pairs *pairs, const char ***out, size_t *n)
{
	size_t most = tn_pairs_count(pairs) + 1;
	char *rest = p->spans;

	for (const char *at = p->spans; *at; at++)
		most += *at == '\n';
	*out = calloc(most + 1, sizeof **out);
	*n = 0;
	if (!*out)
		return TN_ERR_MEMORY;
	for (char *line; (line = strsep(&rest, "\n"));)
		if (*line)
			(*out)[(*n)++] = line;
	for (size_t i = 0; i < tn_pairs_count(pairs); i++)
		(*out)[(*n)++] = tn_pairs_definition(pairs, i);
	return TN_OK;
}

static void
partner_run(struct job *job)
{
	struct partner *p = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_pairs *pairs;
	const char **definition = NULL;
	size_t n, which = SIZE_MAX;
	enum tn_code rc = tn_pairs_new(&pairs, job->q.set, &job->error);

	if (rc == TN_OK)
		rc = list(p, pairs, &definition, &n);
	if (rc == TN_OK && n)
		rc = tn_span_other_end(job->q.set, definition, n, &scan, &p->from, &p->to, &which, &job->error);
	p->found = rc == TN_OK && which != SIZE_MAX;
	if (which != SIZE_MAX)
		p->used = strdup(definition[which]);
	free(definition);
	tn_pairs_free(pairs);
	job->code = rc;
}

static void
partner_end(struct job *job)
{
	struct partner *p = job->data;
	struct session *s = job->session;

	if (p->found) {
		struct place place = { .kind = PLACE_LOCATION, .location = p->to };

		job_go(job, &place, ALIGN_MIDDLE);
	} else if (job->code < 0 && job->code != TN_ERR_CANCELLED) {
		session_fail(s, "%s", job->error.text);
	} else if (job->code != TN_ERR_CANCELLED && p->used) {
		session_say(s, _("the span of this event has no other end: %s"), p->used);
	} else if (job->code != TN_ERR_CANCELLED) {
		session_say(s, _("no span begins or ends here: :span BEGIN END by KEY defines one"));
	}
}

static void
partner_free(void *data)
{
	struct partner *p = data;

	free(p->spans);
	free(p->used);
	free(p);
}

static const struct job_class partner_class = {
	.label = N_("searching for the other end"),
	.run = partner_run, .finish = partner_end, .free = partner_free,
};

void
partner_start(struct session *s)
{
	struct partner *p;

	if (!s->here.has_row || s->here.row.kind != TN_ROW_EVENT) {
		session_say(s, _("no event is selected"));
		return;
	}
	p = calloc(1, sizeof *p);
	if (!p)
		return;
	p->from = s->here.row.location;
	p->spans = strdup(s->answers.wish.spans ? s->answers.wish.spans : "");
	if (!p->spans) {
		partner_free(p);
		return;
	}
	job_start(s, &partner_class, p);
}
