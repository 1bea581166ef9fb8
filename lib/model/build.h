/*
 * build.h - types and values made by code, for formats whose metadata does not describe types
 *
 * If memory is out, the builder sets `failed`. All functions accept the results of failed ones, so the caller checks
 * `failed` once at the end.
 */
#ifndef TN_MODEL_BUILD_H
#define TN_MODEL_BUILD_H

#include "model/decoder.h"

/* ---- types, in the arena of their trace; functions accept NULL from each other and return it ---- */

struct tn_builder {
	struct tn_trace *trace;
	bool failed;
};

/* Make a type; @bits is the size of a number. Strings and arrays have a dynamic length, and strings are UTF-8. */
struct tn_type *tn_build_type(struct tn_builder *b, enum tn_kind kind, uint64_t bits);
/* Make a structure, variant or array with space for @n fields, which the caller adds later. */
struct tn_type *tn_build_compound(struct tn_builder *b, enum tn_kind kind, size_t n);
struct tn_type *tn_build_array(struct tn_builder *b, struct tn_type *element);
/* Add a field; @name is not copied. */
struct tn_field *tn_build_field(struct tn_builder *b, struct tn_type *in, const char *name, struct tn_type *type);
/* Make a scope; the caller numbers it when it is complete. */
struct tn_field *tn_build_root(struct tn_builder *b, struct tn_type *type);

/* ---- clocks and streams; NULL: memory is out ---- */

/* Add a clock that counts nanoseconds from an unknown origin. If trace->clock is NULL, it gets space for one clock. */
struct tn_clock *tn_build_clock(struct tn_trace *trace, const char *name, const char *description, int64_t offset_ns);
/* Returns the path with links resolved, or @path itself if that fails. */
const char *tn_build_path(struct tn_trace *trace, const char *path);
/*
 * Add a stream of one file. If trace->stream is NULL, it gets space for one stream. The stream's bytes are those of
 * @source until the caller maps bytes that were made from @source. @source NULL: the caller maps the file.
 */
struct tn_stream *tn_build_stream(struct tn_trace *trace, struct tn_stream_class *sc, const char *path, const char *name,
				  const struct tn_map *source);

/*
 * Report that some events have the name of their type, and their own name in the field `name`. The format makes at
 * most @classes classes from names, and none from names longer than @bytes bytes.
 */
void tn_build_tell_others(const struct tn_trace *trace, unsigned classes, unsigned bytes);

/* ---- values of an event, in preorder; inline, because they run once for each value ---- */

struct tn_values {
	struct tn_event *event;
	bool failed;
	struct tn_value nowhere;	/* takes values that do not fit into memory */
};

static inline struct tn_value *
tn_values_add(struct tn_values *v, const struct tn_field *field, uint64_t bit)
{
	struct tn_value *value = tn_event_add(v->event);

	if (!value) {
		v->failed = true;
		return &v->nowhere;
	}
	*value = (struct tn_value) { .field = field, .bit = bit, .next = 1, .option = UINT32_MAX };
	value->end = bit + (field->type->kind <= TN_KIND_FLOAT ? field->type->length : 0);
	return value;
}

/* Add a value. Its end is its start until the caller sets it. */
static inline struct tn_value *
tn_values_string(struct tn_values *v, const struct tn_field *field, const void *bytes, size_t n, uint64_t bit)
{
	struct tn_value *value = tn_values_add(v, field, bit);

	value->bytes = (const uint8_t *)bytes;
	value->size = n;
	return value;
}

/* Begin a structure or array, fill it, and end it with the number of its values. */
static inline size_t
tn_values_begin(struct tn_values *v, const struct tn_field *field, uint64_t bit)
{
	tn_values_add(v, field, bit);
	return v->event->n_values ? v->event->n_values - 1 : 0;
}

static inline void
tn_values_end(struct tn_values *v, size_t at, uint64_t n, uint64_t end_bit)
{
	struct tn_value *value = &v->event->value[at];

	if (v->failed)
		return;
	value->n = n;
	value->end = end_bit;
	value->next = (uint32_t)(v->event->n_values - at);
}

#endif
