#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/text.h>

#include "stream_labels.h"
#include "session/session.h"
#include "screen/line.h"

static const char *
env(const struct tn_trace *trace, const char *name, char room[64])
{
	for (size_t i = 0; i < tn_trace_env_count(trace); i++)
		if (strcmp(tn_trace_env_name(trace, i), name) == 0)
			return tn_trace_env_value(trace, i, room, 64);
	return NULL;
}

#define PARTS 16

/* The origin of a stream, from general to specific: host, folders, process, file. */
struct from {
	char *part[PARTS];
	size_t n;
	uint32_t used;		/* number of parts in the label, counted from the end */
	char *label;
	size_t rank;
};

static void
add_part(struct from *f, const char *text, size_t n)
{
	if (!n)
		return;
	if (f->n == PARTS) {	/* drop the part after the host */
		free(f->part[1]);
		memmove(&f->part[1], &f->part[2], (PARTS - 2) * sizeof *f->part);
		f->n--;
	}
	f->part[f->n++] = line_safe_copy(text, n);
}

static void
add_path(struct from *f, const char *path)
{
	while (*path) {
		size_t n = strcspn(path, "/");

		add_part(f, path, n);
		path += n + (path[n] == '/');
	}
}

static void
take_parts(struct from *f, const struct tn_stream *stream)
{
	const struct tn_trace *trace = tn_stream_trace(stream);
	char room1[64], room2[64], process[160];
	const char *host = env(trace, "hostname", room1), *name, *pid;

	add_part(f, host ? host : "-", host ? strlen(host) : 1);
	add_path(f, tn_trace_path(trace));
	name = env(trace, "procname", room1);
	pid = env(trace, "vpid", room2);
	if (name && pid) {
		snprintf(process, sizeof process, "%s:%s", name, pid);
		add_part(f, process, strlen(process));
	}
	add_path(f, tn_stream_name(stream));
	f->used = 1;
}

static const char *
part(const struct from *f, size_t from_last)
{
	return from_last < f->n && f->part[f->n - 1 - from_last] ? f->part[f->n - 1 - from_last] : "";
}

static bool
make_label(struct from *f)
{
	size_t size = 1;
	char *p;

	for (size_t i = 0; i < f->n; i++)
		size += strlen(part(f, i)) + 1;
	free(f->label);
	f->label = p = malloc(size);
	if (!p)
		return false;
	*p = '\0';
	for (size_t i = f->n; i-- > 0;)
		if (f->used & UINT32_C(1) << i)
			p += sprintf(p, "%s%s", p > f->label ? "/" : "", part(f, i));
	return true;
}

static int
by_label(const void *a, const void *b)
{
	const struct from *x = *(struct from *const *)a, *y = *(struct from *const *)b;
	int order = strcmp(x->label, y->label);

	return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Add the nearest part that differs to each label of a group of equal labels. False: no part differs. */
static bool
tell_apart(struct from **group, size_t n)
{
	for (size_t p = 1; p < PARTS; p++) {
		bool differs = false;

		if (group[0]->used & UINT32_C(1) << p)
			continue;
		for (size_t i = 1; i < n && !differs; i++)
			differs = strcmp(part(group[0], p), part(group[i], p)) != 0;
		for (size_t i = 0; i < n && differs; i++) {
			group[i]->used |= UINT32_C(1) << p;
			if (!make_label(group[i]))
				return false;
		}
		if (differs)
			return true;
	}
	return false;
}

/* Extend the labels in all groups of equal labels once. False: no label could be extended. */
static bool
tell_groups_apart(struct from **sorted, size_t n)
{
	bool any = false;

	qsort(sorted, n, sizeof *sorted, by_label);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && strcmp(sorted[i]->label, sorted[end]->label) == 0; end++)
			;
		if (end > i + 1)
			any |= tell_apart(sorted + i, end - i);
	}
	return any;
}

/* Drop the last part if all labels have it in common. */
static bool
drop_last(struct from *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (from[i].used == 1 || strcmp(part(&from[i], 0), part(&from[0], 0)) != 0)
			return true;
	for (size_t i = 0; i < n; i++) {
		from[i].used &= ~UINT32_C(1);
		if (!make_label(&from[i]))
			return false;
	}
	return true;
}

char **
origin_labels(const struct tn_set *set)
{
	size_t n = tn_set_stream_count(set);
	struct from *from = calloc(n + 1, sizeof *from), **sorted = calloc(n + 1, sizeof *sorted);
	char **label = calloc(n + 1, sizeof *label);
	bool good = from && sorted && label;

	for (size_t i = 0; good && i < n; i++) {
		from[i].rank = i;
		sorted[i] = &from[i];
		take_parts(&from[i], tn_set_stream(set, i));
		good = make_label(&from[i]);
	}
	for (int round = 0; good && round < PARTS && tell_groups_apart(sorted, n); round++)
		;
	good = good && drop_last(from, n);
	for (size_t i = 0; from && i < n; i++) {
		for (size_t k = 0; k < from[i].n; k++)
			free(from[i].part[k]);
		if (label)
			label[i] = from[i].label;
		good &= from[i].label != NULL;
	}
	free(from);
	free(sorted);
	if (good)
		return label;
	labels_free(label, n);
	return NULL;
}
