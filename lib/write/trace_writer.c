/*
 * trace_writer.c - a trace in a folder: the metadata, a file for each stream, to which the callbacks of the packet writer
 * append, and an index of its packets in LTTng's form
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/options.h"
#include "write/draft.h"
#include "write/outfile.h"

#define PACKET_SIZE 4096
#define INDEX_ROOM 65536	/* bytes of an index that are buffered */

struct stream {
	struct tn_packet_writer packet;
	struct tn_trace_writer *trace;
	struct tn_output_stream options;
	char *name, *path;
	FILE *file;
	uint8_t *buffer;
	struct tn_outfile index;	/* path NULL: the stream has no index, because its packets do not have times */
	uint64_t size;			/* size of the file */
	bool ends;			/* the last packets are being written, whatever the user's is_full() returns */
};

struct tn_trace_writer {
	char *folder;
	const struct tn_draft *draft;
	enum tn_metadata_form form;
	struct tn_str metadata;		/* contents of the file; the draft may have grown since */
	bool finished;
	struct tn_error error;		/* the first failure, which is reported at the end */
	TN_ARRAY(struct stream *) streams;
};

static bool
stream_is_full(void *user)
{
	struct stream *s = user;

	if (!s->file || s->ends)
		return !s->file;
	return s->options.is_full && s->options.is_full(s->options.user);
}

static void
stream_open(void *user)
{
	struct stream *s = user;
	struct tn_error *err = s->trace->error.code == TN_OK ? &s->trace->error : NULL;

	if (tn_packet_writer_open(&s->packet, s->options.context, s->options.n_context, err) < 0 && err)
		tn_at(err, err->code, "%s", s->path);
}

static void
stream_close(void *user)
{
	struct stream *s = user;
	struct tn_error *err = s->trace->error.code == TN_OK ? &s->trace->error : NULL;

	tn_packet_writer_close(&s->packet);
	if (!s->file)	/* the stream is finished */
		return;
	if (s->index.path) {
		struct tn_packet p = tn_packet_writer_closed(&s->packet);

		p.offset = s->size;
		(void)tn_index_file_add(&s->index, &p, s->packet.stream_class->id, s->packet.stream_id, err);
	}
	if (fwrite(s->buffer, s->options.packet_size, 1, s->file) != 1 && err && err->code == TN_OK)
		tn_fail_errno(err, "%s", s->path);
	s->size += s->options.packet_size;
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

/* Write the metadata of the draft, unless the file already has it. */
static enum tn_code
write_metadata(struct tn_trace_writer *w, struct tn_error *err)
{
	char *path = tn_printed("%s/metadata", w->folder);
	struct tn_str text = { 0 };
	enum tn_code code = path ? tn_draft_metadata(w->draft, w->form, &text, err) : tn_fail_memory(err);

	if (code == TN_OK && (text.n != w->metadata.n || memcmp(text.text, w->metadata.text, text.n) != 0)) {
		code = write_file(path, text.text, text.n, err);
		tn_str_release(&w->metadata);
		w->metadata = text;
		text = (struct tn_str) { 0 };
	}
	tn_str_release(&text);
	free(path);
	return code;
}

enum tn_code
tn_trace_writer_new(struct tn_trace_writer **out, const char *folder, const struct tn_draft *draft,
		    enum tn_metadata_form form, struct tn_error *err)
{
	if (out)
		*out = NULL;
	if (!out || !folder || !draft)
		return tn_fail_null(err);

	struct tn_trace_writer *w = calloc(1, sizeof *w);
	enum tn_code code;

	if (!w || !(w->folder = strdup(folder))) {
		free(w);
		return tn_fail_memory(err);
	}
	w->draft = draft;
	w->form = form;
	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		code = tn_fail_errno(err, "%s", folder);
	else
		code = write_metadata(w, err);
	if (code != TN_OK) {
		tn_trace_writer_free(w);
		return code;
	}
	*out = w;
	return TN_OK;
}

/* Replace the index of an older trace with the same name, because its stream file is replaced, too. */
static enum tn_code
begin_index(struct stream *s, struct tn_error *err)
{
	char *folder = tn_printed("%s/index", s->trace->folder), *path = NULL;
	enum tn_code code;

	if (folder && mkdir(folder, 0777) != 0 && errno != EEXIST) {
		code = tn_fail_errno(err, "%s", folder);
		free(folder);
		return code;
	}
	if (folder)
		path = tn_printed("%s/%s.idx", folder, s->options.name);
	free(folder);
	if (!path)
		return tn_fail_memory(err);
	unlink(path);
	if ((code = tn_outfile_init(&s->index, path, path, INDEX_ROOM, err)) == TN_OK)
		code = tn_index_file_begin(&s->index, err);
	return code;
}

/* Readers use each file of the folder as a stream, except files with these names, and ignore folders. */
static enum tn_code
check_name(const struct tn_trace_writer *w, const char *name, struct tn_error *err)
{
	if (!*name || *name == '.' || strchr(name, '/') || strcmp(name, "metadata") == 0 || strcmp(name, "index") == 0)
		return tn_fail(err, TN_ERR_ARGUMENT, "stream '%s': a stream file needs a name without '/', that does not begin "
			       "with '.', and is not 'metadata' or 'index'", name);
	for (size_t i = 0; i < w->streams.n; i++)
		if (w->streams.item[i]->file && strcmp(w->streams.item[i]->name, name) == 0)
			return tn_fail(err, TN_ERR_EXISTS, "stream '%s': the trace already has a stream of this name", name);
	return TN_OK;
}

enum tn_code
tn_trace_writer_stream(struct tn_trace_writer *w, const struct tn_stream_class *sc, const struct tn_output_stream *file,
		       struct tn_packet_writer **out, struct tn_error *err)
{
	if (!file || !out)
		return tn_fail_null(err);

	static const struct tn_packet_callbacks callbacks = {
		.is_full = stream_is_full, .open = stream_open, .close = stream_close,
	};
	struct tn_output_stream own = { TN_OUTPUT_STREAM };
	struct stream *s, **place;
	enum tn_code code;

	*out = NULL;
	code = tn_options_take(&own, sizeof own, file, "tn_output_stream", err);
	if (code < 0)
		return code;
	if (!w || !sc || !own.name)
		return tn_fail_null(err);
	if (w->finished)
		return tn_fail(err, TN_ERR_ARGUMENT, "stream '%s': the trace is finished", own.name);
	if (sc->trace != &w->draft->trace || !tn_draft_class_of(sc)->context.op)
		return tn_fail(err, TN_ERR_ARGUMENT, "stream '%s': its class is from another draft, or the draft is not "
						     "finished",
			       own.name);
	if ((code = check_name(w, own.name, err)) < 0)
		return code;
	if (!(s = calloc(1, sizeof *s)))
		return tn_fail_memory(err);
	s->name = strdup(own.name);
	if (!s->name) {
		free(s);
		return tn_fail_memory(err);
	}
	if (!(place = TN_ARRAY_ADD(&w->streams))) {
		free(s->name);
		free(s);
		return tn_fail_memory(err);
	}
	*place = s;
	s->trace = w;
	s->options = own;
	if (s->options.packet_size == 0)
		s->options.packet_size = PACKET_SIZE;
	s->path = tn_printed("%s/%s", w->folder, own.name);
	s->buffer = malloc(s->options.packet_size);
	if (!s->path || !s->buffer)
		return tn_fail_memory(err);
	if (!(s->file = fopen(s->path, "wb")))
		return tn_fail_errno(err, "%s", s->path);
	if (sc->clock && (code = begin_index(s, err)) < 0)
		return code;
	tn_packet_writer_init(&s->packet, sc, own.id, s->buffer, s->options.packet_size, &callbacks, s);
	*out = &s->packet;
	return TN_OK;
}

enum tn_code
tn_trace_writer_finish(struct tn_trace_writer *w, struct tn_error *err)
{
	if (!w)
		return tn_fail_null(err);
	for (size_t i = 0; i < w->streams.n; i++) {
		struct stream *s = w->streams.item[i];

		if (!s->file)
			continue;
		s->ends = true;
		tn_packet_writer_finish(&s->packet);
		if (fclose(s->file) != 0 && w->error.code == TN_OK)
			tn_fail_errno(&w->error, "%s", s->path);
		s->file = NULL;
		/* Discard later events. An empty packet, or a packet of a disabled writer, may still be open. */
		s->packet.is_open = false;
		s->packet.at = s->packet.size_bits;
		tn_packet_writer_set_buffer(&s->packet, NULL, 0);
		if (s->index.path)
			(void)tn_outfile_flush(&s->index, w->error.code == TN_OK ? &w->error : NULL);
	}
	if (!w->finished && w->error.code == TN_OK)
		(void)!write_metadata(w, &w->error);
	w->finished = true;
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
		tn_outfile_release(&s->index);
		free(s->buffer);
		free(s->name);
		free(s->path);
		free(s);
	}
	TN_ARRAY_RELEASE(&w->streams);
	tn_str_release(&w->metadata);
	free(w->folder);
	free(w);
}
