/*
 * value.c - decoded values: conversions that fail if a value does not fit, navigation in the tree
 *
 * Values are one array in preorder, so the tree needs no pointers: the contents of a value follow it, and value +
 * value->next is the first value after its contents.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/decoder.h"
#include "model/labels.h"
#include "model/path.h"

const struct tn_field *tn_value_field(const struct tn_value *v) { return v ? v->field : NULL; }
const struct tn_type *tn_value_type(const struct tn_value *v) { return v ? v->field->type : NULL; }
uint64_t tn_value_bit(const struct tn_value *v) { return v ? v->bit : 0; }
uint64_t tn_value_end(const struct tn_value *v) { return v ? v->end : 0; }

/* Get the 64 bits of a number. If @is_other, the value does not fit into the requested type. */
static enum tn_code
take_bits(const struct tn_value *v, bool is_other, uint64_t *out)
{
	const struct tn_type *t = v->field->type;

	if (t->kind > TN_KIND_BITMAP)
		return TN_ERR_ARGUMENT;
	if ((t->length > 64 && t->kind != TN_KIND_BOOL) || (t->varint && v->option) || is_other)
		return TN_ERR_RANGE;
	*out = v->u;
	return TN_OK;
}

enum tn_code
tn_value_u64(const struct tn_value *v, uint64_t *out)
{
	return v && out ? take_bits(v, v->field->type->kind == TN_KIND_SINT && v->i < 0, out) : TN_ERR_ARGUMENT;
}

enum tn_code
tn_value_i64(const struct tn_value *v, int64_t *out)
{
	uint64_t u;
	enum tn_code rc = v && out ? take_bits(v, v->field->type->kind != TN_KIND_SINT && v->u > INT64_MAX, &u)
				   : TN_ERR_ARGUMENT;

	if (rc == TN_OK)
		*out = (int64_t)u;
	return rc;
}

enum tn_code
tn_value_u32(const struct tn_value *v, uint32_t *out)
{
	if (!v || !out)
		return TN_ERR_ARGUMENT;

	uint64_t u;
	enum tn_code rc = tn_value_u64(v, &u);

	if (rc == TN_OK && u > UINT32_MAX)
		rc = TN_ERR_RANGE;
	if (rc == TN_OK)
		*out = (uint32_t)u;
	return rc;
}

enum tn_code
tn_value_i32(const struct tn_value *v, int32_t *out)
{
	if (!v || !out)
		return TN_ERR_ARGUMENT;

	int64_t i;
	enum tn_code rc = tn_value_i64(v, &i);

	if (rc == TN_OK && (i > INT32_MAX || i < INT32_MIN))
		rc = TN_ERR_RANGE;
	if (rc == TN_OK)
		*out = (int32_t)i;
	return rc;
}

enum tn_code
tn_value_double(const struct tn_value *v, double *out)
{
	if (!v || !out)
		return TN_ERR_ARGUMENT;
	if (v->field->type->kind != TN_KIND_FLOAT)
		return TN_ERR_ARGUMENT;
	if (v->field->type->length > 64)
		return TN_ERR_RANGE;
	*out = v->f;
	return TN_OK;
}

enum tn_code
tn_value_bytes(const struct tn_value *v, const void **out, size_t *n)
{
	if (!v || !out || !n)
		return TN_ERR_ARGUMENT;

	const struct tn_type *t = v->field->type;

	if (t->kind == TN_KIND_STRING || t->kind == TN_KIND_BLOB)
		*n = (size_t)v->size;
	else if (t->kind <= TN_KIND_FLOAT && t->kind != TN_KIND_BOOL && t->length > 64)
		*n = (size_t)((t->length + 7) / 8);
	else
		return TN_ERR_ARGUMENT;
	*out = v->bytes;
	return TN_OK;
}

enum tn_code
tn_value_wide(const struct tn_value *v, uint8_t *out, size_t room, size_t *n)
{
	if (!v || !n || (!out && room) || v->field->type->kind > TN_KIND_BITMAP)
		return TN_ERR_ARGUMENT;

	const struct tn_type *t = v->field->type;
	uint64_t bits = t->varint || (t->kind == TN_KIND_BOOL && t->length > 64) ? 64 : t->length;
	bool is_wide = bits > 64, negative;

	if (t->varint && v->option)
		return TN_ERR_RANGE;
	*n = (size_t)((bits + 7) / 8);
	if (*n > room)
		return TN_ERR_RANGE;
	negative = t->kind == TN_KIND_SINT && (is_wide ? tn_type_bit(t, v->bytes, 0, bits - 1) : v->i < 0);
	memset(out, negative ? 0xff : 0, *n);
	for (uint64_t i = 0; i < bits; i++) {
		unsigned bit = is_wide ? tn_type_bit(t, v->bytes, 0, i) : v->u >> i & 1;
		uint8_t *byte = &out[*n - 1 - i / 8];

		*byte = (uint8_t)((*byte & ~(1u << i % 8)) | bit << i % 8);
	}
	return TN_OK;
}

size_t
tn_value_label_index(const struct tn_value *v)
{
	if (!v)
		return 0;

	const struct tn_type *t = v->field->type;

	if (!tn_type_is_integer(t) || t->length > 64 || (t->varint && v->option))
		return 0;
	return tn_labels_first(t, v->u);
}

const char *
tn_value_label(const struct tn_value *v)
{
	if (!v)
		return NULL;

	size_t i = tn_value_label_index(v);

	return i ? v->field->type->mapping[i - 1].label : NULL;
}

size_t
tn_value_count(const struct tn_value *v)
{
	if (!v)
		return 0;
	return v->field->type->kind >= TN_KIND_STRUCT ? (size_t)v->n : 0;
}

const struct tn_value *
tn_value_first(const struct tn_value *v)
{
	if (!v)
		return NULL;
	return tn_value_count(v) ? v + 1 : NULL;
}

const struct tn_value *
tn_value_after(const struct tn_value *parent, const struct tn_value *v)
{
	if (!parent || !v)
		return NULL;

	const struct tn_value *after = v + v->next;

	return after < parent + parent->next ? after : NULL;
}

const struct tn_value *
tn_value_at(const struct tn_value *v, size_t i)
{
	if (!v)
		return NULL;

	const struct tn_value *at = v + 1;

	if (i >= tn_value_count(v))
		return NULL;
	while (i--)
		at += at->next;
	return at;
}

const struct tn_value *
tn_value_member(const struct tn_value *v, const char *name)
{
	if (!v || !name)
		return NULL;

	const struct tn_value *at = v + 1;
	size_t n;

	while (v->field->type->kind == TN_KIND_VARIANT || v->field->type->kind == TN_KIND_OPTIONAL) {
		if (!tn_value_count(v))
			return NULL;
		if (strcmp(v[1].field->name, name) == 0)
			return v + 1;
		v++;
		at = v + 1;
	}
	if (v->field->type->kind != TN_KIND_STRUCT)
		return NULL;
	n = tn_value_count(v);
	for (int by_label = 0; by_label < 2; by_label++) {
		at = v + 1;
		for (size_t i = 0; i < n; i++, at += at->next)
			if (strcmp(by_label ? at->field->label : at->field->name, name) == 0)
				return at;
	}
	return NULL;
}

size_t
tn_value_option(const struct tn_value *v)
{
	if (!v)
		return 0;
	if (v->field->type->kind != TN_KIND_VARIANT && v->field->root)
		return v->field->root->option;
	return v->field->type->kind == TN_KIND_VARIANT && v->option != UINT32_MAX ? v->option + 1u : 0;
}

/* ---- events ---- */

struct tn_value *
tn_event_add(struct tn_event *e)
{
	if (e->n_values == e->room &&
	    !tn_array_reserve((void **)&e->value, &e->room, e->n_values + 1, sizeof *e->value))
		return NULL;
	return &e->value[e->n_values++];
}

void
tn_event_begin(struct tn_event *e, const struct tn_batch *b)
{
	e->stream = b->stream;
	e->event_class = NULL;
	e->name = NULL;
	e->has_time = e->has_cycles = false;
	e->packet = b->packet;
	e->row = e->bit = e->end_bit = 0;
	e->n_values = 0;
	e->text_n = 0;
	for (unsigned s = 0; s < TN_SCOPES; s++)
		e->scope[s] = UINT32_MAX;
}

void
tn_event_release(struct tn_event *e)
{
	free(e->value);
	free(e->slot);
	free(e->text_room);
	*e = (struct tn_event) { 0 };
}

const char *tn_event_name(const struct tn_event *e) { return e ? e->name : NULL; }
const struct tn_event_class *tn_event_class(const struct tn_event *e) { return e ? e->event_class : NULL; }
const struct tn_stream *tn_event_stream(const struct tn_event *e) { return e ? e->stream : NULL; }
uint64_t tn_event_bit(const struct tn_event *e) { return e ? e->bit : 0; }
uint64_t tn_event_end_bit(const struct tn_event *e) { return e ? e->end_bit : 0; }
size_t tn_event_packet(const struct tn_event *e) { return e ? e->packet : 0; }

bool
tn_event_time(const struct tn_event *e, int64_t *time_ns)
{
	if (!e || !time_ns)
		return false;
	if (e->has_time)
		*time_ns = e->time_ns;
	return e->has_time;
}

bool
tn_event_cycles(const struct tn_event *e, uint64_t *cycles)
{
	if (!e || !cycles)
		return false;
	if (e->has_cycles)
		*cycles = e->cycles;
	return e->has_cycles;
}

const struct tn_value *
tn_event_scope(const struct tn_event *e, enum tn_scope scope)
{
	if (!e)
		return NULL;
	return (unsigned)scope < TN_SCOPES && e->scope[scope] != UINT32_MAX ? &e->value[e->scope[scope]] : NULL;
}
