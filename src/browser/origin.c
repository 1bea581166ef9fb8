#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/text.h>

#include "origin.h"

static const char *
env(const struct tn_trace *trace, const char *name, char room[64])
{
	for (size_t i = 0; i < tn_trace_env_count(trace); i++)
		if (strcmp(tn_trace_env_name(trace, i), name) == 0)
			return tn_trace_env_value(trace, i, room, 64);
	return NULL;
}

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* What people call the trace: the process it is of, or the end of its path. */
static void
trace_label(const struct tn_trace *trace, char *out, size_t size)
{
	char room1[64], room2[64];
	const char *name = env(trace, "procname", room1), *pid = env(trace, "vpid", room2);

	if (name && pid)
		snprintf(out, size, "%s:%s", name, pid);
	else if (*tn_trace_name(trace))
		snprintf(out, size, "%s", last_part(tn_trace_name(trace)));
	else
		snprintf(out, size, "%s", last_part(tn_trace_path(trace)));
}

static char *
safe_copy(const char *text)
{
	struct tn_text_buffer b = { 0 };

	tn_text_safe(text, strlen(text), &b);
	if (!b.text)
		return strdup("");
	return b.text;	/* malloc()ed, as tnav/text.h says */
}

static bool
is_ambiguous(const struct tn_set *set, const struct tn_stream *stream)
{
	for (size_t i = 0; i < tn_set_stream_count(set); i++) {
		const struct tn_stream *other = tn_set_stream(set, i);

		if (tn_stream_trace(other) != tn_stream_trace(stream)
		    && strcmp(tn_stream_name(other), tn_stream_name(stream)) == 0)
			return true;
	}
	return false;
}

char **
origin_labels(const struct tn_set *set)
{
	size_t n = tn_set_stream_count(set);
	char **label = calloc(n + 1, sizeof *label);

	for (size_t i = 0; label && i < n; i++) {
		const struct tn_stream *stream = tn_set_stream(set, i);
		char trace[256], text[512];

		if (tn_set_trace_count(set) > 1 && n <= 4096 && is_ambiguous(set, stream)) {
			trace_label(tn_stream_trace(stream), trace, sizeof trace);
			snprintf(text, sizeof text, "%s/%s", trace, tn_stream_name(stream));
		} else {
			snprintf(text, sizeof text, "%s", tn_stream_name(stream));
		}
		label[i] = safe_copy(text);
		if (!label[i]) {
			origin_labels_free(label, i);
			return NULL;
		}
	}
	return label;
}

void
origin_labels_free(char **label, size_t n)
{
	for (size_t i = 0; label && i < n; i++)
		free(label[i]);
	free(label);
}
