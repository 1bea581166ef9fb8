/*
 * uftrace.c - open a folder of uftrace: a stream for each thread, and for the scheduling of each processor
 */
#include "uftrace/uftrace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/listing.h"
#include "base/meaning.h"
#include "base/str.h"
#include "uftrace/private.h"

static enum tn_probe
uftrace_probe(const char *path, bool is_folder)
{
	struct tn_str info = { 0 };
	struct tn_map map = { 0 };
	enum tn_probe found = TN_PROBE_NO;

	if (!is_folder)
		return found;
	tn_str_printf(&info, "%s/info", path);
	if (!info.failed && tn_map_open(&map, info.text, NULL) == TN_OK) {
		if (map.size >= 40 && memcmp(map.data, "Ftrace!", 8) == 0)
			found = TN_PROBE_YES;
		tn_map_release(&map);
	}
	tn_str_release(&info);
	return found;
}

/*
 * Find the kind of a file by its name: "TID.dat", "perf-cpuN.dat", "kernel-cpuN.dat" or "extern.dat"; false: another
 * file.
 */
static bool
is_stream(const char *name, struct tn_uf_stream *out)
{
	static const struct { const char *begin; enum tn_uf_source source; } sources[] = {
		{ "perf-cpu", TN_UF_CPU }, { "kernel-cpu", TN_UF_KERNEL }, { "", TN_UF_THREAD },
	};
	size_t i = 0, n;

	if (strcmp(name, "extern.dat") == 0) {
		out->source = TN_UF_EXTERN;
		return true;
	}
	while (strncmp(name, sources[i].begin, strlen(sources[i].begin)) != 0)
		i++;
	name += strlen(sources[i].begin);
	n = strspn(name, "0123456789");
	if (!n || n > 9 || strcmp(name + n, ".dat") != 0)
		return false;
	out->source = sources[i].source;
	*(out->source == TN_UF_THREAD ? &out->tid : &out->cpu) = strtol(name, NULL, 10);
	return true;
}

/*
 * Find the class of a stream. The first stream of its kind makes tnav read kernel_header or extern.dat. TN_END: the
 * stream is left out.
 */
static enum tn_code
find_class(struct tn_uf_trace *t, enum tn_uf_source source, struct tn_stream_class **out, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	if (source == TN_UF_KERNEL && !t->kernel_data.is_read) {
		t->kernel_data.is_read = true;
		rc = tn_uf_read_kernel_header(t, err);
	}
	if (source == TN_UF_EXTERN)
		tn_uf_add_messages(t);
	*out = source == TN_UF_KERNEL ? t->kernel_data.stream_class : source == TN_UF_EXTERN ? t->messages
	     : source == TN_UF_CPU ? t->cpus : t->threads;
	if (t->build.failed)
		return tn_fail_memory(err);
	return rc == TN_OK && !*out ? TN_END : rc;
}

static enum tn_code
open_stream(struct tn_trace *trace, const char *name, const struct tn_uf_stream *what, struct tn_error *err)
{
	struct tn_uf_trace *t = trace->own;
	struct tn_uf_stream *own = TN_NEW(&trace->arena, struct tn_uf_stream);
	struct tn_stream *s = NULL;
	struct tn_str path = { 0 };
	struct tn_stream_class *sc;
	enum tn_code rc = find_class(t, what->source, &sc, err);

	if (rc != TN_OK)
		return rc == TN_END ? TN_OK : rc;
	tn_str_printf(&path, "%s/%s", trace->path, name);
	if (own && !path.failed)
		s = tn_build_stream(trace, sc, tn_build_path(trace, path.text),
				    tn_arena_copy(&trace->arena, name, strlen(name) - 4), NULL);
	rc = s ? tn_trace_map(trace, &s->file->map, path.text, err) : tn_fail_memory(err);
	tn_str_release(&path);
	if (rc < 0)
		return rc;
	*own = *what;
	s->size = s->file->map.size;
	s->own = own;
	return own->source != TN_UF_THREAD || tn_uf_find_sessions(t, own) ? TN_OK : tn_fail_memory(err);
}

static enum tn_code
open_streams(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_listing names;
	enum tn_code rc = tn_listing_read(&names, trace->path, err);

	if (rc == TN_OK && !(trace->stream = TN_NEW_ARRAY(&trace->arena, names.n + 1, struct tn_stream *)))
		rc = tn_fail_memory(err);
	for (size_t i = 0; i < names.n && rc == TN_OK; i++) {
		struct tn_uf_stream what = { .key = INT64_MIN };

		if (is_stream(names.name[i], &what))
			rc = open_stream(trace, names.name[i], &what, err);
	}
	tn_listing_release(&names);
	return rc;
}

static void
add_env(struct tn_trace *trace, const char *name, const char *text)
{
	if (text && *text)
		trace->env[trace->n_env++] = (struct tn_env) { .name = name, .is_text = true, .text = text };
}

static enum tn_code
uftrace_open(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_uf_trace *t = TN_NEW(&trace->arena, struct tn_uf_trace);
	enum tn_code rc;

	trace->format = "uftrace";
	trace->own = t;
	if (!t || !(trace->env = TN_NEW_ARRAY(&trace->arena, 16, struct tn_env)))
		return tn_fail_memory(err);
	t->trace = trace;
	if (!(t->functions = tn_uf_new_lookup(t)))
		return tn_fail_memory(err);
	if ((rc = tn_uf_read_folder(t, err)) < 0)
		return rc;
	trace->major = t->version;
	add_env(trace, "hostname", t->hostname);
	add_env(trace, "domain", "ust");
	add_env(trace, "kernel_release", t->kernel && strncmp(t->kernel, "Linux ", 6) == 0 ? t->kernel + 6 : t->kernel);
	add_env(trace, "tracer_name", "uftrace");
	add_env(trace, "writer_name", "uftrace");
	add_env(trace, "writer_version", t->writer);
	add_env(trace, "program", t->program);
	add_env(trace, "command_line", t->command);
	add_env(trace, "trace_clock", trace->clock[0]->name);
	rc = open_streams(trace, err);
	if (rc == TN_OK && !tn_uf_begin_names(t))
		rc = tn_fail_memory(err);
	return rc == TN_OK ? tn_uf_finish(t, err) : rc;
}

static void
uftrace_close(struct tn_trace *trace)
{
	struct tn_uf_trace *t = trace->own;

	if (!t)
		return;
	tn_uf_release_names(t);
	tn_uf_release_folder(t);
}

const struct tn_format tn_format_uftrace = {
	.name = "uftrace",
	.meaning = TN_MEANING_UFTRACE,
	.probe = uftrace_probe,
	.open = uftrace_open,
	.extend = tn_uf_extend,
	.walk = tn_uf_walk,
	.read = tn_uf_read,
	.close = uftrace_close,
};
