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

/* "TID.dat", "perf-cpuN.dat"; false: another file. */
static bool
is_stream(const char *name, struct tn_uf_stream *out)
{
	bool cpu = strncmp(name, "perf-cpu", 8) == 0;
	const char *digits = cpu ? name + 8 : name;
	size_t n = strspn(digits, "0123456789");

	if (!n || n > 9 || strcmp(digits + n, ".dat") != 0)
		return false;
	out->is_cpu = cpu;
	out->cpu = cpu ? (uint32_t)strtoul(digits, NULL, 10) : 0;
	out->tid = cpu ? 0 : strtol(digits, NULL, 10);
	return true;
}

static enum tn_code
open_stream(struct tn_trace *trace, const char *name, const struct tn_uf_stream *what, struct tn_error *err)
{
	struct tn_uf_trace *t = trace->own;
	struct tn_stream *s = TN_NEW(&trace->arena, struct tn_stream);
	struct tn_stream_file *file = TN_NEW(&trace->arena, struct tn_stream_file);
	struct tn_uf_stream *own = TN_NEW(&trace->arena, struct tn_uf_stream);
	struct tn_str path = { 0 };
	char *absolute;
	enum tn_code rc;

	tn_str_printf(&path, "%s/%s", trace->path, name);
	if (!s || !file || !own || path.failed) {
		tn_str_release(&path);
		return tn_fail_memory(err);
	}
	*own = *what;
	rc = tn_trace_map(trace, &file->map, path.text, err);
	absolute = realpath(path.text, NULL);
	s->path = file->path = tn_arena_string(&trace->arena, absolute ? absolute : path.text);
	s->name = tn_arena_copy(&trace->arena, name, strlen(name) - 4);
	free(absolute);
	tn_str_release(&path);
	if (rc < 0)
		return rc;
	s->trace = trace;
	s->stream_class = own->is_cpu ? t->cpus : t->threads;
	s->id = trace->n_streams;
	s->file = file;
	s->n_files = 1;
	s->size = file->map.size;
	s->own = own;
	trace->stream[trace->n_streams++] = s;
	if (!s->path || !s->name || (!own->is_cpu && !tn_uf_find_sessions(t, own)))
		return tn_fail_memory(err);
	return TN_OK;
}

static enum tn_code
open_streams(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_listing names;
	enum tn_code rc = tn_listing_read(&names, trace->path, err);
	bool kernel = false;

	if (rc == TN_OK && !(trace->stream = TN_NEW_ARRAY(&trace->arena, names.n + 1, struct tn_stream *)))
		rc = tn_fail_memory(err);
	for (size_t i = 0; i < names.n && rc == TN_OK; i++) {
		struct tn_uf_stream what = { .key = INT64_MIN };

		kernel |= strncmp(names.name[i], "kernel-cpu", 10) == 0;
		if (is_stream(names.name[i], &what))
			rc = open_stream(trace, names.name[i], &what, err);
	}
	tn_listing_release(&names);
	if (kernel)
		tn_tell(&trace->problems, TN_WARNING, "%s: the functions of the kernel (kernel-cpu*.dat) are left out",
			trace->path);
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
	return rc == TN_OK ? tn_uf_finish(t, err) : rc;
}

static void
uftrace_close(struct tn_trace *trace)
{
	struct tn_uf_trace *t = trace->own;

	if (t)
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
