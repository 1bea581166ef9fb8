#include "language/classes.h"

#include <stdlib.h>
#include <string.h>

/*
 * A number for the loom of a stream: the number of the first stream of the same loom, plus the number of traces, because
 * smaller numbers are used for streams without a loom.
 */
static uint32_t
number_of_loom(const struct tn_classes *c, const struct tn_set *set, size_t rank)
{
	const struct tn_stream *s = set->stream[rank];

	for (size_t i = rank; s->loom && i-- > 0;)
		if (set->stream[i]->loom && set->stream[i]->trace == s->trace && strcmp(set->stream[i]->loom, s->loom) == 0)
			return c->loom[i];
	return s->loom ? (uint32_t)(set->n_traces + rank) : c->trace[rank];
}

enum tn_code
tn_classes_init(struct tn_classes *c, const struct tn_set *set, struct tn_error *err)
{
	enum tn_code rc;

	*c = (struct tn_classes) { 0 };
	rc = tn_names_new(&c->names, set, NULL, err);
	if (rc < 0)
		return rc;
	c->n = tn_names_class_count(c->names);
	c->item = calloc(c->n + 1, sizeof *c->item);
	c->first = calloc(set->n_streams + 1, sizeof *c->first);
	c->trace = calloc(set->n_streams + 1, sizeof *c->trace);
	c->loom = calloc(set->n_streams + 1, sizeof *c->loom);
	if (!c->item || !c->first || !c->trace || !c->loom) {
		tn_classes_release(c);
		return tn_fail_memory(err);
	}
	for (size_t i = 0; i < c->n; i++)
		c->item[i] = tn_names_event_class(c->names, i);
	for (size_t s = 0; s < set->n_streams; s++) {
		const struct tn_trace *trace = set->stream[s]->trace;

		if (trace->n_event_classes)
			c->first[s] = tn_names_class(c->names, set->stream[s], 0);
		while (set->trace[c->trace[s]] != trace)
			c->trace[s]++;
	}
	for (size_t s = 0; s < set->n_streams; s++)
		c->loom[s] = number_of_loom(c, set, s);
	return TN_OK;
}

void
tn_classes_release(struct tn_classes *c)
{
	tn_names_free(c->names);
	free(c->item);
	free(c->first);
	free(c->trace);
	free(c->loom);
	*c = (struct tn_classes) { 0 };
}

bool
tn_glob(const char *pattern, size_t n, const char *name, const char **star, size_t *star_n)
{
	size_t p = 0, size = strlen(name), after = SIZE_MAX, k = 0, again = 0;
	const char *first = memchr(pattern, '*', n);

	while (k < size) {
		if (p < n && pattern[p] == '*') {
			after = ++p;
			again = k;
		} else if (p < n && pattern[p] == name[k]) {
			p++;
			k++;
		} else if (after != SIZE_MAX) {
			p = after;
			k = ++again;
		} else {
			return false;
		}
	}
	while (p < n && pattern[p] == '*')
		p++;
	if (p < n)
		return false;
	if (star) {
		/* If the pattern has several stars, the first one matches all text up to the end of the pattern. */
		const char *last = first;

		for (size_t i = 0; first && i < n; i++)
			if (pattern[i] == '*')
				last = pattern + i;
		*star = first ? name + (first - pattern) : NULL;
		*star_n = first ? size - (size_t)(first - pattern) - (n - 1 - (size_t)(last - pattern)) : 0;
	}
	return true;
}

bool
tn_glob_stars(const char *pattern, const char *name, struct tn_str *out)
{
	const char *at = strchr(pattern, '*');

	if (!at)
		return true;
	name += at - pattern;
	while (at) {
		const char *part = at + 1, *end;
		size_t n;

		at = strchr(part, '*');
		n = at ? (size_t)(at - part) : strlen(part);
		/* Match like tn_glob(): each star takes the shortest text, and the last star takes the rest. */
		end = at ? name : name + strlen(name) - n;
		while (at && *end && strncmp(end, part, n) != 0)
			end++;
		tn_str_add(out, name, (size_t)(end - name));
		tn_str_add(out, "", 1);
		name = end + n;
	}
	return !out->failed;
}
