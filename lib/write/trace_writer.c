/*
 * A trace in a folder: the metadata, and a file a stream that the packet writer's callbacks append to.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "write/draft.h"

#define PACKET_SIZE 4096

struct stream {
	struct tn_packet_writer packet;
	struct tn_trace_writer *trace;
	struct tn_output_stream options;
	char *path;
	FILE *file;
	uint8_t *buffer;
};

struct tn_trace_writer {
	char *folder;
	const struct tn_draft *draft;
	struct tn_error error;		/* the first failure: it is told at the end */
	TN_ARRAY(struct stream *) streams;
};

static bool
stream_is_full(void *user)
{
	struct stream *s = user;

	return s->options.is_full && s->options.is_full(s->options.user);
}

static void
stream_open(void *user)
{
	struct stream *s = user;
	struct tn_error *err = s->trace->error.code == TN_OK ? &s->trace->error : NULL;

	if (tn_packet_writer_open(&s->packet, s->options.context, s->options.n_context, err) < 0 && err)
		tn_at(err, "%s", s->path);
}

static void
stream_close(void *user)
{
	struct stream *s = user;

	tn_packet_writer_close(&s->packet);
	if (fwrite(s->buffer, s->options.packet_size, 1, s->file) != 1 && s->trace->error.code == TN_OK)
		tn_fail_errno(&s->trace->error, "%s", s->path);
}

static char *
join(const char *folder, const char *name)
{
	size_t n = strlen(folder) + strlen(name) + 2;
	char *path = malloc(n);

	if (path)
		snprintf(path, n, "%s/%s", folder, name);
	return path;
}

static enum tn_code
write_file(const char *path, const char *text, size_t n, struct tn_error *err)
{
	FILE *f = fopen(path, "wb");
	bool fine;

	if (!f)
		return tn_fail_errno(err, "%s", path);
	fine = fwrite(text, 1, n, f) == n;
	if (fclose(f) != 0 || !fine)
		return tn_fail_errno(err, "%s", path);
	return TN_OK;
}

enum tn_code
tn_trace_writer_new(struct tn_trace_writer **out, const char *folder, const struct tn_draft *draft,
		    enum tn_metadata_form form, struct tn_error *err)
{
	struct tn_trace_writer *w = calloc(1, sizeof *w);
	struct tn_text_buffer text = { 0 };
	char *path = join(folder, "metadata");
	enum tn_code code;

	if (!w || !path || !(w->folder = strdup(folder)))
		code = tn_fail_memory(err);
	else if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		code = tn_fail_errno(err, "%s", folder);
	else if ((code = tn_draft_metadata(draft, form, &text, err)) == TN_OK)
		code = write_file(path, text.text, text.n, err);
	free(path);
	free(text.text);
	if (code != TN_OK) {
		tn_trace_writer_free(w);
		return code;
	}
	w->draft = draft;
	*out = w;
	return TN_OK;
}

enum tn_code
tn_trace_writer_stream(struct tn_trace_writer *w, const struct tn_stream_class *sc, const struct tn_output_stream *file,
		       struct tn_packet_writer **out, struct tn_error *err)
{
	static const struct tn_packet_callbacks callbacks = {
		.is_full = stream_is_full, .open = stream_open, .close = stream_close,
	};
	struct stream *s = calloc(1, sizeof *s), **place;

	if (!s)
		return tn_fail_memory(err);
	if (!(place = TN_ARRAY_ADD(&w->streams))) {
		free(s);
		return tn_fail_memory(err);
	}
	*place = s;
	s->trace = w;
	s->options = *file;
	if (s->options.packet_size == 0)
		s->options.packet_size = PACKET_SIZE;
	s->path = join(w->folder, file->name);
	s->buffer = malloc(s->options.packet_size);
	if (!s->path || !s->buffer)
		return tn_fail_memory(err);
	if (!(s->file = fopen(s->path, "wb")))
		return tn_fail_errno(err, "%s", s->path);
	tn_packet_writer_init(&s->packet, sc, file->id, s->buffer, s->options.packet_size, &callbacks, s);
	*out = &s->packet;
	return TN_OK;
}

enum tn_code
tn_trace_writer_finish(struct tn_trace_writer *w, struct tn_error *err)
{
	for (size_t i = 0; i < w->streams.n; i++) {
		struct stream *s = w->streams.item[i];

		if (!s->file)
			continue;
		tn_packet_writer_finish(&s->packet);
		if (fclose(s->file) != 0 && w->error.code == TN_OK)
			tn_fail_errno(&w->error, "%s", s->path);
		s->file = NULL;
	}
	if (w->error.code != TN_OK && err)
		*err = w->error;
	return w->error.code;
}

void
tn_trace_writer_free(struct tn_trace_writer *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->streams.n; i++) {
		struct stream *s = w->streams.item[i];

		if (s->file)
			fclose(s->file);
		free(s->buffer);
		free(s->path);
		free(s);
	}
	TN_ARRAY_RELEASE(&w->streams);
	free(w->folder);
	free(w);
}
