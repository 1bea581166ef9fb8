/* perfetto.c - open a file: a stream for the events of each processor, and one for all other packets */
#include "perfetto/perfetto.h"

#include <stdio.h>

#include "base/meaning.h"
#include "index/stored_scan.h"
#include "perfetto/private.h"

/* Whether all fields are fields of a packet, and have the right wire types. */
static bool
is_packet(struct tn_pf_in in)
{
	static const uint8_t numbers[] = { 3, 8, 10, 13, 41, 42, 58, 79, 87, 98 };
	struct tn_pf_field f;
	uint64_t n = 0;

	for (; tn_pf_next(&in, &f); n++) {
		bool number = false;

		for (size_t i = 0; i < sizeof numbers; i++)
			number |= numbers[i] == f.number;
		if (number ? f.wire != TN_PF_VARINT : f.wire != TN_PF_BYTES || (f.number != 12 && f.number != 59 &&
		    !tn_pf_content_name(f.number)))
			return false;
	}
	return n && !in.bad;
}

/*
 * Only the first packet is checked, because later packets may be damaged, or have new fields. A file that was cut inside
 * its first packet is not recognised.
 */
static enum tn_probe
perfetto_probe(const uint8_t *data, size_t size)
{
	struct tn_pf_in in = { data, data + size, false };
	struct tn_pf_field f;

	return size && *data == 0x0a && tn_pf_next(&in, &f) && is_packet(tn_pf_in(f.bytes)) ? TN_PROBE_YES : TN_PROBE_NO;
}

static enum tn_code
open_streams(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_pf_trace *own = trace->own;
	const char *path = tn_build_path(trace, trace->path);
	char name[32];

	trace->stream = TN_NEW_ARRAY(&trace->arena, own->cpus.n + 2, struct tn_stream *);
	if (!path || !trace->stream)
		return tn_fail_memory(err);
	for (uint32_t i = 0; i <= TN_PF_CPUS; i++) {
		struct tn_pf_cpu *cpu = own->cpu_at[i] ? &own->cpus.item[own->cpu_at[i] - 1] : NULL;
		struct tn_stream *s;

		if (!cpu)
			continue;
		snprintf(name, sizeof name, "cpu%u", (unsigned)cpu->cpu);
		s = tn_build_stream(trace, own->ftrace, path, tn_arena_string(&trace->arena, name), &own->map);
		if (!s)
			return tn_fail_memory(err);
		if (own->is_flat)
			tn_map_view(&s->file->map, &own->flat);
		s->own = cpu;
		s->size = 0;
		for (size_t k = 0; k < cpu->bundles.n; k++)
			s->size += cpu->bundles.item[k].n;
	}
	if (own->n_entries) {
		struct tn_stream *s = tn_build_stream(trace, own->packets, path, "packets", &own->map);

		if (!s)
			return tn_fail_memory(err);
		tn_map_view(&s->file->map, &own->entries);
		s->size = own->n_entries * sizeof(struct tn_pf_entry);
	}
	return TN_OK;
}

/* Drop all results of a scan. */
static void
clear(struct tn_pf_trace *own)
{
	for (size_t i = 0; i < own->cpus.n; i++)
		TN_ARRAY_RELEASE(&own->cpus.item[i].bundles);
	TN_ARRAY_RELEASE(&own->cpus);
	TN_ARRAY_RELEASE(&own->others);
	TN_ARRAY_RELEASE(&own->seen_others);
	TN_ARRAY_RELEASE(&own->names);
	tn_hash_release(&own->name_of);
	TN_ARRAY_RELEASE(&own->classes);
	TN_ARRAY_RELEASE(&own->tracks);
	TN_ARRAY_RELEASE(&own->interned);
	tn_hash_release(&own->track_of);
	tn_hash_release(&own->intern);
	tn_pf_clock_release(&own->clocks);
	*own = (struct tn_pf_trace) { .map = own->map, .data = own->data, .size = own->size };
}

static enum tn_code
perfetto_open(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_pf_trace *own = TN_NEW(&trace->arena, struct tn_pf_trace);
	enum tn_code rc;

	trace->format = "Perfetto";
	trace->own = own;
	if (!own)
		return tn_fail_memory(err);
	if ((rc = tn_trace_map(trace, &own->map, trace->path, err)) < 0)
		return rc;
	own->data = own->map.data;
	own->size = own->map.size;
	if (!tn_stored_scan_load(trace, &own->map, tn_pf_parts, &own->stored, &own->entries)) {
		clear(own);
		rc = tn_pf_scan(trace, err);
		if (rc == TN_OK)
			tn_stored_scan_save(trace, &own->map, tn_pf_parts, &own->entries);
	}
	if (rc == TN_OK) {
		tn_pf_tell(trace);
		rc = tn_pf_build(trace, err);
	}
	return rc == TN_OK ? open_streams(trace, err) : rc;
}

static void
perfetto_close(struct tn_trace *trace)
{
	struct tn_pf_trace *own = trace->own;

	if (!own)
		return;
	tn_map_release(&own->entries);
	tn_map_release(&own->stored);
	tn_map_release(&own->flat);
	tn_map_release(&own->map);
	clear(own);
}

/* The stream of packets has no memory of its own; only streams of processors have. */
static enum tn_code
perfetto_extend(struct tn_stream *stream, struct tn_error *err)
{
	return stream->own ? tn_pf_ftrace_extend(stream, err) : tn_pf_event_extend(stream, err);
}

static enum tn_code
perfetto_walk(struct tn_batch *b, struct tn_error *err)
{
	return b->stream->own ? tn_pf_ftrace_walk(b, err) : tn_pf_event_walk(b, err);
}

static enum tn_code
perfetto_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *out, struct tn_error *err)
{
	return b->stream->own ? tn_pf_ftrace_read(b, i, scopes, out, err) : tn_pf_event_read(b, i, scopes, out, err);
}

static const char *const *const known_pairs[] = { tn_kernel_pairs, NULL };
static const struct tn_pair_rules pairs = { .known = known_pairs };

const struct tn_format tn_format_perfetto = {
	.name = "perfetto",
	.meaning = TN_MEANING_PERFETTO,
	.pairs = &pairs,
	.probe_bytes = perfetto_probe,
	.in_folders = true,
	.open = perfetto_open,
	.extend = perfetto_extend,
	.walk = perfetto_walk,
	.read = perfetto_read,
	.close = perfetto_close,
};
