/* nicknames.c - names of threads and other numbers, which a job collects when a view shows such numbers */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

struct gathered {
	struct tn_nicknames *names;
};

static void
gathered_run(struct job *job)
{
	struct gathered *n = job->data;
	struct tn_scan_options scan = job_scan_options(job);

	job->code = tn_nicknames_new(&n->names, job->q.set, &scan, &job->error);
}

/* Numbers without names are shown unchanged. Problems of the traces are reported elsewhere. */
static void
gathered_finish(struct job *job)
{
	struct gathered *n = job->data;
	struct traces *t = &job->session->traces;

	t->gathering = NULL;
	if (t->named != t->set || job->code != TN_OK)
		return;
	tn_nicknames_free(t->names);
	t->names = n->names;
	n->names = NULL;
	job->session->wish.redraw = true;
}

static void
gathered_free(void *data)
{
	struct gathered *n = data;

	tn_nicknames_free(n->names);
	free(n);
}

static const struct job_class gathered_class = {
	.label = N_("reading"), .quiet = true, .hidden = true, .everything = true,
	.run = gathered_run, .finish = gathered_finish, .free = gathered_free,
};

bool
session_has_nicknames(struct session *s, const char *key)
{
	struct traces *t = &s->traces;
	unsigned i = 0;

	if (t->named_keys_of != t->set || t->grows)
		t->keys = 0;
	t->named_keys_of = t->set;
	while (i < t->keys && i < NAMED_KEYS && strcmp(t->key[i].name, key) != 0)
		i++;
	if (i < t->keys && i < NAMED_KEYS)
		return t->key[i].has_names;
	i = t->keys++ % NAMED_KEYS;
	snprintf(t->key[i].name, sizeof t->key[i].name, "%s", key);
	t->key[i].has_names = strlen(key) < sizeof t->key[i].name && tn_nicknames_of(t->set, key);
	return t->key[i].has_names;
}

const struct tn_nicknames *
session_nicknames(struct session *s)
{
	struct traces *t = &s->traces;
	struct gathered *n;

	if (t->named == t->set && (t->gathering || t->named_until_ns == t->settled_ns || t->settled_ns == INT64_MIN))
		return t->names;
	if (t->named != t->set) {
		tn_nicknames_free(t->names);
		t->names = NULL;
		job_drop(t->gathering);
	}
	t->named = t->set;
	t->named_until_ns = t->settled_ns;
	n = calloc(1, sizeof *n);
	t->gathering = n ? job_start(s, &gathered_class, n) : NULL;
	return t->names;
}
