/* perfdata.c - open a perf.data as one stream, whose rows are sorted by time */
#include "perfdata/perfdata.h"

#include <unistd.h>

#include "base/meaning.h"
#include "perfdata/private.h"
#include "plan/plan.h"

static enum tn_probe
perfdata_probe(const uint8_t *data, size_t size)
{
	return tn_perf_begins(data, size) ? TN_PROBE_YES : TN_PROBE_NO;
}

static enum tn_code
open_stream(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_perf_trace *own = trace->own;
	const char *path = tn_build_path(trace, trace->path);
	struct tn_stream *s = tn_build_stream(trace, trace->stream_class[0], path, "perf", &own->map);
	enum tn_code rc = TN_OK;

	if (!s)
		return tn_fail_memory(err);
	if (own->file.is_packed)
		rc = tn_perf_unpack(&own->file, &s->file->map, &own->spool, err);
	s->size = own->file.data_end - own->file.data_at;
	return rc;
}

static enum tn_code
perfdata_open(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_perf_trace *own = TN_NEW(&trace->arena, struct tn_perf_trace);
	enum tn_code rc;

	trace->format = "perf.data";
	trace->own = own;
	if (!own)
		return tn_fail_memory(err);
	own->spool = -1;
	if ((rc = tn_trace_map(trace, &own->map, trace->path, err)) < 0)
		return rc;
	own->file = (struct tn_perf_file) { .trace = trace, .p = own->map.data, .size = own->map.size };
	if ((rc = tn_perf_read(&own->file, err)) < 0)
		return rc;
	trace->major = 2;
	trace->big_endian = own->names.big_endian = own->file.big_endian;
	if (!tn_perf_names_begin(&own->names) || pthread_mutex_init(&own->lock, NULL) != 0)
		return tn_fail_memory(err);
	own->is_open = true;
	rc = tn_perf_build(trace, err);
	if (rc == TN_OK)
		rc = open_stream(trace, err);
	return rc == TN_OK ? tn_plan_compile(trace, err) : rc;
}

static enum tn_code
perfdata_walk(struct tn_batch *b, struct tn_error *err)
{
	tn_perf_names_stored(b->stream);
	return tn_perf_walk(b, err);
}

static enum tn_code
perfdata_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *out, struct tn_error *err)
{
	return tn_ftrace_read(b, i, scopes, 0, out, err);
}

static void
perfdata_close(struct tn_trace *trace)
{
	struct tn_perf_trace *own = trace->own;

	if (!own)
		return;
	if (own->is_open)
		pthread_mutex_destroy(&own->lock);
	tn_perf_names_release(&own->names);
	tn_perf_lists_release(&own->lists);
	tn_perf_release(&own->file);
	TN_ARRAY_RELEASE(&own->scan.pieces);
	TN_ARRAY_RELEASE(&own->scan.tasks);
	TN_ARRAY_RELEASE(&own->scan.losses);
	if (own->spool >= 0)
		close(own->spool);
	tn_map_release(&own->map);
}

static const char *const *const known_pairs[] = { tn_kernel_pairs, NULL };
static const struct tn_pair_rules pairs = { .known = known_pairs };

const struct tn_format tn_format_perfdata = {
	.name = "perf.data",
	.meaning = TN_MEANING_PERFDATA,
	.pairs = &pairs,
	.probe_bytes = perfdata_probe,
	.in_folders = true,
	.open = perfdata_open,
	.extend = tn_perf_extend,
	.walk = perfdata_walk,
	.read = perfdata_read,
	.close = perfdata_close,
};
