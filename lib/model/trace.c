#include "model/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "model/decoder.h"

const struct tn_env *
tn_trace_env(const struct tn_trace *t, const char *name)
{
	for (size_t i = 0; i < t->n_env; i++)
		if (strcmp(t->env[i].name, name) == 0)
			return &t->env[i];
	return NULL;
}

const char *
tn_trace_host(const struct tn_trace *t)
{
	const struct tn_env *env = tn_trace_env(t, "hostname");

	return env && env->is_text ? env->text : NULL;
}

const char *
tn_stream_host(const struct tn_stream *s)
{
	if (!s)
		return NULL;
	return s->host ? s->host : tn_trace_host(s->trace);
}

bool
tn_set_has_hosts(const struct tn_set *set)
{
	const char *first = NULL;

	for (size_t i = 0; set && i < set->n_streams; i++) {
		const char *host = tn_stream_host(set->stream[i]);

		if (host && first && host != first && strcmp(host, first) != 0)
			return true;
		first = host ? host : first;
	}
	return false;
}

void
tn_stream_release(struct tn_stream *s)
{
	if (s->trace->ops && s->trace->ops->drop)
		s->trace->ops->drop(s);
	if (!s->index.mapped)
		free(s->index.packet);
	for (size_t k = 0; k < s->n_files; k++)
		tn_map_release(&s->file[k].map);
}

void
tn_trace_release(struct tn_trace *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_streams; i++)
		tn_stream_release(t->stream[i]);
	if (t->ops && t->ops->close)
		t->ops->close(t);
	tn_map_release(&t->metadata_map);
	tn_shared_arena_free(t->late);
	tn_arena_release(&t->arena);
}

const char *tn_trace_format(const struct tn_trace *t) { return t ? t->format : NULL; }
const char *tn_trace_path(const struct tn_trace *t) { return t ? t->path : NULL; }
const char *tn_trace_name(const struct tn_trace *t) { return t ? (t->name ? t->name : "") : NULL; }
const uint8_t *tn_trace_uuid(const struct tn_trace *t) { return t && t->has_uuid ? t->uuid : NULL; }
bool tn_trace_big_endian(const struct tn_trace *t) { return t && t->big_endian; }
size_t tn_trace_env_count(const struct tn_trace *t) { return t ? t->n_env : 0; }
const char *tn_trace_env_name(const struct tn_trace *t, size_t i) { return t && i < t->n_env ? t->env[i].name : NULL; }
size_t tn_trace_clock_count(const struct tn_trace *t) { return t ? t->n_clocks : 0; }
const struct tn_clock *tn_trace_clock(const struct tn_trace *t, size_t i) { return t && i < t->n_clocks ? t->clock[i] : NULL; }
size_t tn_trace_event_class_count(const struct tn_trace *t) { return t ? t->n_event_classes : 0; }

const char *
tn_trace_metadata(const struct tn_trace *t, size_t *size)
{
	if (!t)
		return NULL;
	if (size)
		*size = t->metadata_size;
	return t->metadata_text;
}

#define PIECE ((size_t)1 << 20)

uint64_t
tn_sum_metadata(const struct tn_map *map, const char *text, size_t n)
{
	uint64_t sum = 1;

	for (size_t at = 0; at < n; at += PIECE) {
		sum = tn_sum_bytes(sum, text + at, n - at < PIECE ? n - at : PIECE);
		tn_map_pass(map, at, at + PIECE);
	}
	return sum;
}

uint64_t
tn_trace_metadata_sum(const struct tn_trace *t)
{
	return t->metadata_map.base ? t->metadata_sum : tn_sum_metadata(&t->metadata_map, t->metadata_text, t->metadata_size);
}

bool
tn_trace_metadata_changed(const struct tn_trace *t)
{
	return t && t->metadata_map.base && (tn_map_cut(&t->metadata_map) ||
		tn_sum_metadata(&t->metadata_map, t->metadata_text, t->metadata_size) != t->metadata_sum);
}

static const char *
env_value(const struct tn_env *e, char *room, size_t size)
{
	if (e->is_text)
		return e->text;
	if (e->is_unsigned)
		snprintf(room, size, "%" PRIu64, (uint64_t)e->number);
	else
		snprintf(room, size, "%" PRId64, e->number);
	return room;
}

const char *
tn_trace_env_value(const struct tn_trace *t, size_t i, char *room, size_t size)
{
	return t && i < t->n_env ? env_value(&t->env[i], room, size) : NULL;
}

size_t
tn_stream_about_count(const struct tn_stream *s)
{
	return s ? s->n_about : 0;
}

const char *
tn_stream_about_name(const struct tn_stream *s, size_t i)
{
	return s && i < s->n_about ? s->about[i].name : NULL;
}

const char *
tn_stream_about_value(const struct tn_stream *s, size_t i, char *room, size_t size)
{
	return s && i < s->n_about ? env_value(&s->about[i], room, size) : NULL;
}

const struct tn_event_class *
tn_trace_event_class(const struct tn_trace *t, size_t i)
{
	if (!t)
		return NULL;
	return i < t->n_event_classes ? t->event_class[i] : NULL;
}

const char *tn_event_class_name(const struct tn_event_class *ec) { return ec ? ec->name : NULL; }
uint64_t tn_event_class_id(const struct tn_event_class *ec) { return ec ? ec->id : 0; }
size_t tn_event_class_index(const struct tn_event_class *ec) { return ec ? ec->index : 0; }
int tn_event_class_log_level(const struct tn_event_class *ec) { return ec ? ec->log_level : -1; }
const struct tn_trace *tn_event_class_trace(const struct tn_event_class *ec) { return ec ? ec->stream_class->trace : NULL; }

const struct tn_field *
tn_event_class_scope(const struct tn_event_class *ec, enum tn_scope scope)
{
	if (!ec)
		return NULL;
	switch (scope) {
	case TN_SCOPE_PACKET_HEADER: return ec->stream_class->trace->packet_header;
	case TN_SCOPE_PACKET_CONTEXT: return ec->stream_class->packet_context;
	case TN_SCOPE_EVENT_HEADER: return ec->stream_class->event_header;
	case TN_SCOPE_COMMON_CONTEXT: return ec->stream_class->common_context;
	case TN_SCOPE_SPECIFIC_CONTEXT: return ec->specific_context;
	case TN_SCOPE_PAYLOAD: return ec->payload;
	}
	return NULL;
}

void
tn_trace_each_scope(const struct tn_trace *t, void (*fn)(struct tn_field *root, void *user), void *user)
{
	if (t->packet_header)
		fn(t->packet_header, user);
	for (size_t i = 0; i < t->n_stream_classes; i++) {
		const struct tn_stream_class *sc = t->stream_class[i];
		struct tn_field *root[] = { sc->packet_context, sc->event_header, sc->common_context };

		for (size_t k = 0; k < TN_COUNT(root); k++)
			if (root[k])
				fn(root[k], user);
	}
	for (size_t i = 0; i < t->n_event_classes; i++) {
		struct tn_field *root[] = { t->event_class[i]->specific_context, t->event_class[i]->payload };

		for (size_t k = 0; k < TN_COUNT(root); k++)
			if (root[k])
				fn(root[k], user);
	}
}

const char *tn_stream_name(const struct tn_stream *s) { return s ? s->name : NULL; }
const char *tn_stream_path(const struct tn_stream *s) { return s ? s->path : NULL; }
uint64_t tn_stream_id(const struct tn_stream *s) { return s ? s->id : 0; }
uint64_t tn_stream_class_id(const struct tn_stream *s) { return s ? s->stream_class->id : 0; }
size_t tn_stream_rank(const struct tn_stream *s) { return s ? s->rank : 0; }
const struct tn_trace *tn_stream_trace(const struct tn_stream *s) { return s ? s->trace : NULL; }
const struct tn_clock *tn_stream_clock(const struct tn_stream *s) { return s ? s->stream_class->clock : NULL; }
uint64_t tn_stream_size(const struct tn_stream *s) { return s ? s->size : 0; }

size_t tn_set_trace_count(const struct tn_set *set) { return set ? set->n_traces : 0; }
size_t tn_set_stream_count(const struct tn_set *set) { return set ? set->n_streams : 0; }

const struct tn_trace *
tn_set_trace(const struct tn_set *set, size_t i)
{
	if (!set)
		return NULL;
	return i < set->n_traces ? set->trace[i] : NULL;
}

const struct tn_stream *
tn_set_stream(const struct tn_set *set, size_t i)
{
	if (!set)
		return NULL;
	return i < set->n_streams ? set->stream[i] : NULL;
}

bool
tn_set_is_wall_time(const struct tn_set *set)
{
	if (!set)
		return false;
	for (size_t i = 0; i < set->n_streams; i++)
		if (set->stream[i]->stream_class->clock)
			return set->stream[i]->stream_class->clock->origin == TN_ORIGIN_UNIX;
	return false;
}

enum tn_code
tn_trace_map(const struct tn_trace *trace, struct tn_map *out, const char *path, struct tn_error *err)
{
	const struct tn_memory_bytes *file;

	if (!trace->memory)
		return tn_map_open(out, path, err);
	*out = (struct tn_map) { 0 };
	file = strncmp(path, TN_MEMORY_PATH "/", sizeof TN_MEMORY_PATH) == 0
	       ? tn_memory_find(trace->memory, path + sizeof TN_MEMORY_PATH) : NULL;
	return file ? tn_map_memory(out, file->bytes, file->size, err)
		    : tn_fail(err, TN_ERR_NOT_FOUND, "%s: no such file", path);
}
