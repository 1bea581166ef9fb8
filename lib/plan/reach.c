#include "plan/reach.h"

#include "base/bits.h"
#include "base/error.h"
#include "plan/compile.h"

/* ---- compiling ---- */

static bool
is_reachable(const struct tn_field *field, int64_t element)
{
	const struct tn_type *t = field->type, *of = field->parent ? field->parent->type : NULL;
	const struct tn_field *outer = field->parent;

	if (of && of->kind == TN_KIND_ARRAY) {
		/* Find a number at a known distance from the first number. */
		if (element < 0 || (uint64_t)element >= of->length || of->extent != TN_EXTENT_STATIC || of->located || t->varint ||
		    t->kind > TN_KIND_FLOAT || t->align > 64)
			return false;
		outer = outer->parent;
	}
	if (t->kind >= TN_KIND_STRUCT || (t->kind == TN_KIND_STRING && t->encoding >= TN_ENCODING_UTF16BE))
		return false;
	for (const struct tn_field *f = outer; f; f = f->parent)
		if (f->type->kind == TN_KIND_ARRAY)
			return false;
	return true;
}

/* Numbers in at most 8 bytes, and texts that a few bytes decide. */
static void
find_key(struct tn_reach *out)
{
	static const uint8_t bytes[] = {
		[TN_OP_U8] = 1, [TN_OP_U16LE] = 2, [TN_OP_U16BE] = 2, [TN_OP_U32LE] = 4, [TN_OP_U32BE] = 4,
		[TN_OP_U64LE] = 8, [TN_OP_U64BE] = 8, [TN_OP_S8] = 1, [TN_OP_S16LE] = 2, [TN_OP_S16BE] = 2,
		[TN_OP_S32LE] = 4, [TN_OP_S32BE] = 4, [TN_OP_S64LE] = 8, [TN_OP_S64BE] = 8,
	};
	const struct tn_op *op = out->load;

	out->key_distance = out->distance;
	if (op->code < TN_COUNT(bytes) && bytes[op->code]) {
		out->key_mask = UINT64_MAX >> (64 - 8 * bytes[op->code]);
	} else if (op->code == TN_OP_BITS && !(op->flags & TN_OP_BIG_ENDIAN) && op->bits <= 57) {
		out->key_mask = UINT64_MAX >> (64 - op->bits);
	} else if (op->code == TN_OP_STRING_LOOKUP) {
		const struct tn_lookup *lookup = op->more;

		out->key_mask = lookup->find ? lookup->key_mask : UINT32_MAX;
		out->key_distance += lookup->find ? 8 * (uint64_t)lookup->key_byte : 0;
	}
}

/* Whether the code before the field only passes fields of fixed size. */
static void
find_distance(struct tn_reach *out, const struct tn_field *field)
{
	uint64_t at = 0;

	out->align = 1;
	out->need = 0;
	for (const struct tn_op *op = out->code; ; op++) {
		if (op->field == field && op->code >= TN_OP_U8 && op->code <= TN_OP_BLOB_FIXED) {
			out->distance = at + op->n;
			out->load = op;
			find_key(out);
			return;
		}
		switch ((enum tn_op_code)op->code) {
		case TN_OP_ALIGN:
			if (op != out->code)
				return;
			out->align = op->a;
			break;
		case TN_OP_CHECK:
			if (at + op->n > out->need)
				out->need = at + op->n;
			break;
		case TN_OP_SKIP:
		case TN_OP_ADVANCE:
			at += op->n;
			if (at > out->need)
				out->need = at;
			break;
		case TN_OP_STRING8:
			if (op->field == field) {
				out->distance = at;
				out->load = op;
			}
			return;
		case TN_OP_RECORD: case TN_OP_SAVE: case TN_OP_CLOCK: case TN_OP_ROLE: case TN_OP_ID: case TN_OP_TIME:
		case TN_OP_U8: case TN_OP_U16LE: case TN_OP_U16BE: case TN_OP_U32LE: case TN_OP_U32BE:
		case TN_OP_U64LE: case TN_OP_U64BE: case TN_OP_S8: case TN_OP_S16LE: case TN_OP_S16BE:
		case TN_OP_S32LE: case TN_OP_S32BE: case TN_OP_S64LE: case TN_OP_S64BE: case TN_OP_BITS:
			break;
		default:
			return;
		}
	}
}

enum tn_code
tn_reach_compile(struct tn_reach *out, struct tn_arena *arena, const struct tn_event_class *ec, enum tn_scope scope,
		 const struct tn_field *field, int64_t element, struct tn_error *err)
{
	const struct tn_plan *plan = ec->stream_class->plan;
	struct tn_compiler c;

	*out = (struct tn_reach) { .align = 1 };
	/* If the packet's scopes store values in slots, these would have to be decoded first. */
	if (!plan || plan->packet_slots || scope < TN_SCOPE_COMMON_CONTEXT || !is_reachable(field, element))
		return TN_OK;
	tn_compiler_begin(&c, arena, plan->mixed);
	tn_compiler_position(&c, plan->after_mod, plan->after_off);
	tn_compiler_target(&c, field, element < 0 ? 0 : (uint64_t)element);
	for (unsigned s = TN_SCOPE_COMMON_CONTEXT; s <= (unsigned)scope; s++)
		tn_compiler_scope(&c, tn_event_class_scope(ec, (enum tn_scope)s), false);
	out->code = tn_compiler_end(&c, NULL, err);
	tn_compiler_release(&c);
	if (!out->code)
		return TN_ERR_MEMORY;
	if (!plan->mixed)
		find_distance(out, field);
	out->from_byte = out->align >= 8 || (plan->after_mod % 8 == 0 && plan->after_off % 8 == 0);
	return TN_OK;
}

/* ---- running ---- */

struct found {
	const struct tn_field *field;
	struct tn_cell *cell;
};

static inline bool
find_number(struct found *s, const struct tn_op *op, enum tn_cell_kind kind, uint64_t v)
{
	if (op->field == s->field) {
		s->cell->kind = kind;
		s->cell->u = v;
	}
	return true;
}

static inline bool
find_double(struct found *s, const struct tn_op *op, double v)
{
	if (op->field == s->field) {
		s->cell->kind = TN_CELL_DOUBLE;
		s->cell->f = v;
	}
	return true;
}

static inline bool
find_bytes(struct found *s, const struct tn_op *op, const uint8_t *p, size_t n)
{
	if (op->field == s->field) {
		s->cell->kind = TN_CELL_TEXT;
		s->cell->text = (const char *)p;
		s->cell->n = n;
	}
	return true;
}

#define TN_RUN_NAME run_reach
#define TN_RUN_SINK struct found
#define TN_SINK_UINT(op, v, bit) find_number(sink, op, TN_CELL_UNSIGNED, v)
#define TN_SINK_SINT(op, v, bit) find_number(sink, op, TN_CELL_SIGNED, (uint64_t)(v))
#define TN_SINK_TOO_LARGE(op, v, bit) find_number(sink, op, TN_CELL_OPAQUE, 0)
#define TN_SINK_WIDE(op, p, bit) find_number(sink, op, TN_CELL_OPAQUE, 0)
#define TN_SINK_FLOAT(op, v, bit) find_double(sink, op, v)
#define TN_SINK_STRING(op, p, n, bit) find_bytes(sink, op, p, n)
#define TN_SINK_BLOB(op, p, n, bit) find_bytes(sink, op, p, n)
#include "plan/run.h"

bool
tn_reach_through_header(struct tn_machine *m, const struct tn_plan *plan, uint64_t at)
{
	m->at = at;
	if (at > m->end)
		return false;
	m->empty = 0;
	return tn_machine_skip(m, plan->header) == TN_TROUBLE_NONE;
}

/* Load a field at a known position. */
static bool
load_fixed(const struct tn_op *op, const uint8_t *p, uint64_t at, uint64_t end, struct tn_cell *out)
{
	const uint8_t *byte = p + (at >> 3);

	out->kind = TN_CELL_UNSIGNED;
	switch ((enum tn_op_code)op->code) {
	case TN_OP_U8: out->u = *byte; break;
	case TN_OP_U16LE: out->u = (uint16_t)tn_load64(byte); break;
	case TN_OP_U16BE: out->u = tn_load64_be(byte) >> 48; break;
	case TN_OP_U32LE: out->u = (uint32_t)tn_load64(byte); break;
	case TN_OP_U32BE: out->u = tn_load64_be(byte) >> 32; break;
	case TN_OP_U64LE: out->u = tn_load64(byte); break;
	case TN_OP_U64BE: out->u = tn_load64_be(byte); break;
	case TN_OP_S8: out->i = (int8_t)*byte; out->kind = TN_CELL_SIGNED; break;
	case TN_OP_S16LE: out->i = (int16_t)tn_load64(byte); out->kind = TN_CELL_SIGNED; break;
	case TN_OP_S16BE: out->i = (int16_t)(tn_load64_be(byte) >> 48); out->kind = TN_CELL_SIGNED; break;
	case TN_OP_S32LE: out->i = (int32_t)tn_load64(byte); out->kind = TN_CELL_SIGNED; break;
	case TN_OP_S32BE: out->i = (int32_t)(tn_load64_be(byte) >> 32); out->kind = TN_CELL_SIGNED; break;
	case TN_OP_S64LE: out->i = (int64_t)tn_load64(byte); out->kind = TN_CELL_SIGNED; break;
	case TN_OP_S64BE: out->i = (int64_t)tn_load64_be(byte); out->kind = TN_CELL_SIGNED; break;
	case TN_OP_BITS:
		out->u = tn_run_bits(p, at, op->bits, op->flags);
		if (op->flags & TN_OP_SIGNED)
			out->kind = TN_CELL_SIGNED;
		break;
	case TN_OP_FLOAT:
		out->kind = TN_CELL_DOUBLE;
		out->f = tn_run_float(tn_run_bits(p, at, op->bits, op->flags), op->bits);
		break;
	case TN_OP_WIDE:
		out->u = op->flags & TN_OP_TRUTH ? tn_run_wide(p, at, op->m, op->flags) : 0;
		if (!(op->flags & TN_OP_TRUTH))
			out->kind = TN_CELL_OPAQUE;
		break;
	case TN_OP_STRING_LOOKUP:
		out->kind = TN_CELL_TEXT;
		out->text = tn_lookup_at(op->more, byte, tn_run_word(p, at, op->flags), &out->n);
		break;
	case TN_OP_STRING_FIXED:
	case TN_OP_BLOB_FIXED:
		out->kind = TN_CELL_TEXT;
		out->text = (const char *)byte;
		out->n = op->code == TN_OP_BLOB_FIXED ? (size_t)op->m : tn_run_text_size(byte, (size_t)op->m, op->flags);
		break;
	default: {	/* handles TN_OP_STRING8 */
		size_t room = (size_t)((end - at) >> 3);
		const uint8_t *zero = room ? memchr(byte, 0, room) : NULL;

		out->kind = TN_CELL_TEXT;
		out->text = (const char *)byte;
		out->n = zero ? (size_t)(zero - byte) : 0;
		return zero != NULL;
	}
	}
	return true;
}

bool
tn_reach_load(const struct tn_reach *reach, struct tn_machine *m, const struct tn_field *field, struct tn_cell *out)
{
	uint64_t at = m->at;
	struct found found = { field, out };
	enum tn_trouble trouble;

	out->kind = TN_CELL_NONE;
	out->type = field->type;
	if (reach->load) {
		at = tn_align_up(at, reach->align);
		if (at > m->end || reach->need > m->end - at)
			return false;
		return load_fixed(reach->load, m->p, at + reach->distance, m->end, out);
	}
	m->empty = 0;
	m->order = 0;
	trouble = run_reach(m, reach->code, &found);
	m->at = at;
	return trouble == TN_TROUBLE_NONE;
}
