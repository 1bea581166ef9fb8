#include <config.h>

#include "model/build.h"

#include <stdlib.h>

#define SECOND INT64_C(1000000000)

struct tn_type *
tn_build_type(struct tn_builder *b, enum tn_kind kind, uint64_t bits)
{
	struct tn_type *t = TN_NEW(&b->trace->arena, struct tn_type);

	if (!t) {
		b->failed = true;
		return NULL;
	}
	t->kind = kind;
	t->align = 1;
	t->length = bits;
	t->base = 10;
	t->big_endian = b->trace->big_endian;
	t->ref_slot = TN_NO_SLOT;
	if (kind == TN_KIND_STRING || kind == TN_KIND_ARRAY)
		t->extent = TN_EXTENT_DYNAMIC;
	if (kind == TN_KIND_STRING)
		t->encoding = TN_ENCODING_UTF8;
	return t;
}

struct tn_type *
tn_build_compound(struct tn_builder *b, enum tn_kind kind, size_t n)
{
	struct tn_type *t = tn_build_type(b, kind, 0);

	if (t && !(t->field = TN_NEW_ARRAY(&b->trace->arena, n, struct tn_field)))
		b->failed = true;
	return b->failed ? NULL : t;
}

static void
set_field(struct tn_field *f, const char *name, struct tn_type *type)
{
	f->name = f->label = name;
	f->type = type;
	f->slot = TN_NO_SLOT;
}

struct tn_field *
tn_build_field(struct tn_builder *b, struct tn_type *in, const char *name, struct tn_type *type)
{
	struct tn_field *f;

	if (b->failed || !in || !type)
		return NULL;
	f = &in->field[in->n_fields++];
	set_field(f, name, type);
	return f;
}

struct tn_type *
tn_build_array(struct tn_builder *b, struct tn_type *element)
{
	struct tn_type *array = tn_build_compound(b, TN_KIND_ARRAY, 1);

	tn_build_field(b, array, "", element);
	return array;
}

struct tn_field *
tn_build_root(struct tn_builder *b, struct tn_type *type)
{
	struct tn_field *f = TN_NEW(&b->trace->arena, struct tn_field);

	if (!f || !type) {
		b->failed = true;
		return NULL;
	}
	set_field(f, "", type);
	return f;
}

struct tn_clock *
tn_build_clock(struct tn_trace *trace, const char *name, const char *description, int64_t offset_ns)
{
	struct tn_clock *clock = TN_NEW(&trace->arena, struct tn_clock);

	if (!trace->clock)
		trace->clock = TN_NEW_ARRAY(&trace->arena, 1, struct tn_clock *);
	if (!clock || !trace->clock)
		return NULL;
	clock->name = name;
	clock->description = description;
	clock->frequency = (uint64_t)SECOND;
	clock->precision = clock->accuracy = TN_UNKNOWN;
	clock->origin = TN_ORIGIN_UNKNOWN;
	clock->offset_s = offset_ns / SECOND - (offset_ns % SECOND < 0);
	clock->offset_cycles = (uint64_t)(offset_ns - clock->offset_s * SECOND);
	trace->clock[trace->n_clocks++] = clock;
	return clock;
}

const char *
tn_build_path(struct tn_trace *trace, const char *path)
{
	char *whole = realpath(path, NULL);
	const char *copy = tn_arena_string(&trace->arena, whole ? whole : path);

	free(whole);
	return copy;
}

struct tn_stream *
tn_build_stream(struct tn_trace *trace, struct tn_stream_class *sc, const char *path, const char *name, const struct tn_map *source)
{
	struct tn_stream *s = TN_NEW(&trace->arena, struct tn_stream);

	if (!trace->stream)
		trace->stream = TN_NEW_ARRAY(&trace->arena, 1, struct tn_stream *);
	if (!s || !trace->stream || !path || !name || !(s->file = TN_NEW(&trace->arena, struct tn_stream_file)))
		return NULL;
	s->trace = trace;
	s->stream_class = sc;
	s->path = s->file->path = path;
	s->name = name;
	s->id = trace->n_streams;
	s->n_files = 1;
	s->file->source = source;
	if (source) {
		tn_map_view(&s->file->map, source);
		s->size = source->size;
	}
	trace->stream[trace->n_streams++] = s;
	return s;
}

void
tn_build_tell_others(const struct tn_trace *trace, unsigned classes, unsigned bytes)
{
	tn_tell(&trace->problems, TN_WARNING, "%s: more than %u names of events, or names of more than %u bytes: other events "
		"are named by their type, and the field 'name' has their own name", trace->path, classes, bytes);
}
