#include "plan/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/messages.h"
#include "base/utf.h"

/* ---- without a sink ---- */

#define TN_RUN_NAME run_skip
#define TN_RUN_SINK void
#include "plan/run.h"

enum tn_trouble
tn_machine_skip(struct tn_machine *m, const struct tn_op *code)
{
	return run_skip(m, code, NULL);
}

uint64_t
tn_run_wide(const uint8_t *p, uint64_t at, uint64_t n, unsigned flags)
{
	uint64_t v = 0, high = 0;
	/* In a reversed field, the least significant bits are at the other end. */
	bool low_first = !(flags & TN_OP_BIG_ENDIAN) == !(flags & TN_OP_REVERSED);

	for (uint64_t done = 0; done < n; ) {
		unsigned some = n - done < 56 ? (unsigned)(n - done) : 56;
		uint64_t from = low_first ? n - done - some : done;
		uint64_t piece = tn_bits(p, at + from, some, flags & TN_OP_BIG_ENDIAN);

		if (flags & TN_OP_REVERSED)
			piece = tn_reverse_bits(piece, some);
		high |= v >> (64 - some);
		v = v << some | piece;
		done += some;
	}
	return high ? UINT64_MAX : v;
}

const char *
tn_lookup_find(const struct tn_lookup *lookup, int64_t number, size_t *size)
{
	size_t lo = 0;

	TN_BISECT(lo, lookup->n, mid, lookup->item[mid].number < number);
	if (lo < lookup->n && lookup->item[lo].number == number) {
		*size = lookup->item[lo].size;
		return lookup->item[lo].text;
	}
	*size = strlen(lookup->other);
	return lookup->other;
}

/* ---- values ---- */

struct values {
	struct tn_event *event;
	size_t first;		/* first value of this scope */
	unsigned depth;
	size_t open[TN_PLAN_DEPTH];	/* values whose `next` is not known yet */
};

static struct tn_value *
add(struct values *s, const struct tn_op *op, uint64_t bit)
{
	struct tn_value *v = s->event->n_values - s->first < TN_PLAN_VALUES ? tn_event_add(s->event) : NULL;

	if (v) {
		v->field = op->field;
		v->bit = bit;
		v->end = bit;
		v->size = 0;
		v->next = 1;
		v->option = 0;
	}
	return v;
}

/* @at: the machine's position after the field, if its size is variable. */
static inline bool
put_uint(struct values *s, const struct tn_op *op, uint64_t u, uint64_t bit, uint64_t at)
{
	struct tn_value *v = add(s, op, bit);

	if (v) {
		v->u = u;
		v->end = op->field->type->varint ? at : bit + op->field->type->length;
	}
	return v;
}

static bool
put_too_large(struct values *s, const struct tn_op *op, uint64_t u, uint64_t bit, uint64_t at)
{
	if (!put_uint(s, op, u, bit, at))
		return false;
	s->event->value[s->event->n_values - 1].option = 1;
	return true;
}

static inline bool
put_float(struct values *s, const struct tn_op *op, double f, uint64_t bit)
{
	struct tn_value *v = add(s, op, bit);

	if (v) {
		v->f = f;
		v->end = bit + op->field->type->length;
	}
	return v;
}

/* The size in bits of a string, BLOB or wide integer, including its terminator and the bytes after a terminator. */
static uint64_t
size_of_bytes(const struct tn_machine *m, const struct tn_op *op, size_t n)
{
	switch ((enum tn_op_code)op->code) {
	case TN_OP_WIDE:
		return op->m;
	case TN_OP_STRING_LOOKUP:
		return 32;
	case TN_OP_STRING_FIXED:
	case TN_OP_BLOB_FIXED:
		return op->m * 8;
	case TN_OP_STRING8:
		return (uint64_t)n * 8 + 8;
	case TN_OP_STRING16:
		return (uint64_t)n * 8 + 16;
	case TN_OP_STRING32:
		return (uint64_t)n * 8 + 32;
	default:
		if (op->flags & TN_OP_SIGNED_LENGTH && (int64_t)m->slot[op->a].value < 0)
			return 0;
		return m->slot[op->a].value * 8;
	}
}

static inline bool
put_bytes(struct values *s, const struct tn_machine *m, const struct tn_op *op, const uint8_t *p, size_t n, uint64_t bit)
{
	struct tn_value *v = add(s, op, bit);

	if (v) {
		v->bytes = p;
		v->size = n;
		v->end = bit + size_of_bytes(m, op, n);
	}
	return v;
}

/*
 * Whether the value points into the event's buffer: a text in another encoding, or a wide number that shares bytes with
 * its neighbours.
 */
static bool
is_in_room(const struct tn_value *v)
{
	const struct tn_type *t = v->field->type;

	if (t->kind == TN_KIND_STRING)
		return t->encoding >= TN_ENCODING_UTF16BE;
	return t->kind <= TN_KIND_FLOAT && t->kind != TN_KIND_BOOL && t->length > 64 && (v->bit % 8 || t->length % 8);
}

/* Extend the event's buffer of converted texts, and correct the values that point into it. */
static char *
text_room(struct tn_event *e, size_t n)
{
	char *old = e->text_room, *room;
	size_t size = e->text_n + n + 1;

	if (n > SIZE_MAX / 4 - e->text_n)
		return NULL;
	if (size > e->text_size) {
		size = 2 * size + 64;
		if (!(room = malloc(size)))
			return NULL;
		if (e->text_n)
			memcpy(room, old, e->text_n);
		for (size_t i = 0; i < e->n_values; i++) {
			struct tn_value *v = &e->value[i];

			if (is_in_room(v))
				v->bytes = (const uint8_t *)room + ((const char *)v->bytes - old);
		}
		free(old);
		e->text_room = room;
		e->text_size = size;
	}
	return (char *)e->text_room + e->text_n;
}

/* Convert a string to UTF-8, because all readers of values expect UTF-8. */
static bool
put_string(struct values *s, const struct tn_machine *m, const struct tn_op *op, const uint8_t *p, size_t n, uint64_t bit)
{
	enum tn_encoding encoding = op->field->type->encoding;
	unsigned unit = encoding >= TN_ENCODING_UTF32BE ? 4 : 2;
	struct tn_value *v;
	char *text;

	if (encoding < TN_ENCODING_UTF16BE)
		return put_bytes(s, m, op, p, n, bit);
	if (!(text = text_room(s->event, tn_utf8_room(n, unit))) || !put_bytes(s, m, op, p, n, bit))
		return false;
	v = &s->event->value[s->event->n_values - 1];
	v->bytes = (const uint8_t *)text;
	v->size = tn_utf8_from(text, p, n, unit, encoding == TN_ENCODING_UTF16BE || encoding == TN_ENCODING_UTF32BE);
	s->event->text_n += (size_t)v->size;
	return true;
}

/* Put a number of more than 64 bits: only its own bits, from the start of a byte on, in the byte order of the trace. */
static bool
put_wide(struct values *s, const struct tn_machine *m, const struct tn_op *op, const uint8_t *p, uint64_t bit)
{
	const struct tn_type *t = op->field->type;
	unsigned shift = bit % 8, rest = t->length % 8;
	size_t n = (size_t)((t->length + 7) / 8), read = (size_t)((shift + t->length + 7) / 8);
	struct tn_value *v;
	uint8_t *own;

	if (!shift && !rest)
		return put_bytes(s, m, op, p, 0, bit);
	if (!(own = (uint8_t *)text_room(s->event, n)) || !put_bytes(s, m, op, p, 0, bit))
		return false;
	v = &s->event->value[s->event->n_values - 1];
	v->bytes = own;
	for (size_t i = 0; i < n; i++) {
		unsigned next = i + 1 < read ? p[i + 1] : 0;

		own[i] = (uint8_t)(t->big_endian ? (p[i] << 8 | next) >> (8 - shift) : (next << 8 | p[i]) >> shift);
	}
	if (rest)
		own[n - 1] &= (uint8_t)(t->big_endian ? 0xff << (8 - rest) : 0xff >> (8 - rest));
	s->event->text_n += n;
	return true;
}

static bool
put_open(struct values *s, const struct tn_op *op, uint64_t n, uint32_t option, uint64_t bit)
{
	struct tn_value *v;

	if (s->depth == TN_PLAN_DEPTH)
		return false;
	s->open[s->depth++] = s->event->n_values;
	v = add(s, op, bit);
	if (v) {
		v->n = n;
		v->option = option;
	}
	return v;
}

static bool
put_close(struct values *s, uint64_t bit)
{
	size_t at = s->open[--s->depth];

	s->event->value[at].next = (uint32_t)(s->event->n_values - at);
	s->event->value[at].end = bit;
	return true;
}

#define TN_RUN_NAME run_values
#define TN_RUN_SINK struct values
#define TN_SINK_UINT(op, v, bit) put_uint(sink, op, v, bit, at)
#define TN_SINK_SINT(op, v, bit) put_uint(sink, op, (uint64_t)(v), bit, at)
#define TN_SINK_TOO_LARGE(op, v, bit) put_too_large(sink, op, v, bit, at)
#define TN_SINK_FLOAT(op, v, bit) put_float(sink, op, v, bit)
#define TN_SINK_WIDE(op, p, bit) put_wide(sink, m, op, p, bit)
#define TN_SINK_STRING(op, p, n, bit) put_string(sink, m, op, p, n, bit)
#define TN_SINK_BLOB(op, p, n, bit) put_bytes(sink, m, op, p, n, bit)
#define TN_SINK_STRUCT(op, bit) put_open(sink, op, (op)->field->type->n_fields, 0, bit)
#define TN_SINK_ARRAY(op, n, bit) put_open(sink, op, n, 0, bit)
#define TN_SINK_VARIANT(op, option, bit) put_open(sink, op, (option) != UINT32_MAX, option, bit)
#define TN_SINK_OPTIONAL(op, there, bit) put_open(sink, op, there, 0, bit)
#define TN_SINK_CLOSE(op, bit) put_close(sink, bit)
#include "plan/run.h"

enum tn_trouble
tn_machine_read(struct tn_machine *m, const struct tn_op *code, struct tn_event *e)
{
	struct values s = { .event = e, .first = e->n_values };

	return run_values(m, code, &s);
}

#define COUNT (++*sink <= TN_PLAN_VALUES)
#define TN_RUN_NAME run_count
#define TN_RUN_SINK uint64_t
#define TN_SINK_UINT(op, v, bit) COUNT
#define TN_SINK_SINT(op, v, bit) COUNT
#define TN_SINK_TOO_LARGE(op, v, bit) COUNT
#define TN_SINK_FLOAT(op, v, bit) COUNT
#define TN_SINK_WIDE(op, p, bit) COUNT
#define TN_SINK_STRING(op, p, n, bit) COUNT
#define TN_SINK_BLOB(op, p, n, bit) COUNT
#define TN_SINK_STRUCT(op, bit) COUNT
#define TN_SINK_ARRAY(op, n, bit) COUNT
#define TN_SINK_VARIANT(op, option, bit) COUNT
#define TN_SINK_OPTIONAL(op, there, bit) COUNT
#include "plan/run.h"

bool
tn_machine_too_many(struct tn_machine *m, const struct tn_op *code)
{
	uint64_t n = 0;

	return run_count(m, code, &n) == TN_TROUBLE_SINK;
}

/* ---- messages ---- */

static bool
is_fixed_field(const struct tn_op *op)
{
	return op->code >= TN_OP_U8 && op->code <= TN_OP_BLOB_FIXED;
}

static uint64_t
fixed_bits(const struct tn_op *op)
{
	switch ((enum tn_op_code)op->code) {
	case TN_OP_WIDE:
		return op->m;
	case TN_OP_STRING_LOOKUP:
		return 32;
	case TN_OP_STRING_FIXED:
	case TN_OP_BLOB_FIXED:
		return op->m > UINT64_MAX / 8 ? UINT64_MAX : op->m * 8;
	default:
		return op->bits;
	}
}

/* After a failed CHECK, find the first field of the run that does not fit. */
static const struct tn_op *
first_outside(const struct tn_op *op, uint64_t left)
{
	const struct tn_op *in = op + 1;

	for (; in->code != TN_OP_END && in->code != TN_OP_ADVANCE && in->code != TN_OP_CHECK; in++)
		if (is_fixed_field(in) && (in->n > left || fixed_bits(in) > left - in->n))
			return in;
	return op;
}

void
tn_machine_explain(const struct tn_machine *m, enum tn_trouble trouble, enum tn_scope scope, char *text, size_t size)
{
	const struct tn_op *op = m->op;
	uint64_t bit = m->bit, elements;
	char path[256] = "";

	if (op->code == TN_OP_CHECK)
		op = first_outside(op, m->end - m->at);
	if (is_fixed_field(op))
		bit += op->n;
	elements = op->flags & TN_OP_COUNT_IN_SLOT || op->code == TN_OP_SKIP_ARRAY ? m->value : op->n;
	if (op->field)
		tn_field_path(op->field, tn_scope_name(scope), path, sizeof path);
	else
		snprintf(path, sizeof path, "%s", tn_scope_name(scope));
	switch (trouble) {
	case TN_TROUBLE_CONTENT:
		if (is_fixed_field(op))
			snprintf(text, size, P_("%s: needs %" PRIu64 " bit at bit %" PRIu64 ", but the content ends at bit "
						"%" PRIu64,
						  "%s: needs %" PRIu64 " bits at bit %" PRIu64 ", but the content ends at bit "
						  "%" PRIu64,
						  fixed_bits(op)), path, fixed_bits(op), bit, m->end);
		else if (op->code == TN_OP_ARRAY || op->code == TN_OP_ARRAY_FIXED || op->code == TN_OP_SKIP_ARRAY)
			snprintf(text, size, P_("%s: %" PRIu64 " element at bit %" PRIu64 " does not fit, but the content ends "
				 "at bit %" PRIu64, "%s: %" PRIu64 " elements at bit %" PRIu64 " do "
				 "not fit, but the content ends at bit %" PRIu64, elements), path, elements, bit, m->end);
		else if (op->code == TN_OP_STRING_DYNAMIC || op->code == TN_OP_BLOB_DYNAMIC)
			snprintf(text, size, P_("%s: %" PRIu64 " byte at bit %" PRIu64 " does not fit, but the content ends at "
				 "bit %" PRIu64, "%s: %" PRIu64 " bytes at bit %" PRIu64 " do not "
				 "fit, but the content ends at bit %" PRIu64, m->value), path, m->value, bit, m->end);
		else if (op->code == TN_OP_LEB_UNSIGNED || op->code == TN_OP_LEB_SIGNED)
			snprintf(text, size, _("%s: needs a byte at bit %" PRIu64 ", but the content ends at bit %" PRIu64),
				 path, m->at, m->end);
		else
			snprintf(text, size, _("%s: continues to bit %" PRIu64 ", but the content ends at bit %" PRIu64), path,
				 op->code == TN_OP_ALIGN ? tn_align_up(m->at, op->a) : bit + op->n, m->end);
		break;
	case TN_TROUBLE_STRING:
		snprintf(text, size, _("%s: the string at bit %" PRIu64 " has no end before the content ends at bit %" PRIu64),
			 path, bit, m->end);
		break;
	case TN_TROUBLE_TAG:
		if (op->field && op->field->type->ref_signed)
			snprintf(text, size, _("%s: at bit %" PRIu64 ": no option for the tag value %" PRId64), path, bit,
				 (int64_t)m->value);
		else
			snprintf(text, size, _("%s: at bit %" PRIu64 ": no option for the tag value %" PRIu64), path, bit,
				 m->value);
		break;
	case TN_TROUBLE_REFERENCE:
		snprintf(text, size, _("%s: at bit %" PRIu64 ": the field that it refers to%s%s%s is missing"), path, bit,
			 op->field && op->field->type->ref_path ? " (" : "",
			 op->field && op->field->type->ref_path ? op->field->type->ref_path : "",
			 op->field && op->field->type->ref_path ? ")" : "");
		break;
	case TN_TROUBLE_ORDER:
		snprintf(text, size, _("%s: the byte order changes inside a byte, at bit %" PRIu64), path, bit);
		break;
	case TN_TROUBLE_EMPTY:
		snprintf(text, size, _("%s: at bit %" PRIu64 ": more than %d elements without any bits"), path, bit,
			 TN_PLAN_EMPTY);
		break;
	case TN_TROUBLE_SINK:
	case TN_TROUBLE_UNMADE:
		snprintf(text, size, _("%s: more than %u values"), path, TN_PLAN_VALUES);
		break;
	case TN_TROUBLE_NONE:
		snprintf(text, size, _("%s: nothing wrong"), path);
		break;
	}
}
