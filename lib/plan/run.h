/*
 * run.h - the interpreter as a template; machine.h explains how to include it. It does not have an include guard.
 *
 * Invariant: at <= end between instructions. Each load is inside of bits that a CHECK, or the instruction itself, has
 * checked.
 */
#include "plan/machine.h"

#ifndef TN_SINK_UINT
#define TN_SINK_UINT(op, v, bit) true
#endif
#ifndef TN_SINK_SINT
#define TN_SINK_SINT(op, v, bit) true
#endif
#ifndef TN_SINK_FLOAT
#define TN_SINK_FLOAT(op, v, bit) true
#define TN_RUN_NO_FLOAT
#endif
#ifndef TN_SINK_TOO_LARGE
#define TN_SINK_TOO_LARGE(op, v, bit) true
#endif
#ifndef TN_SINK_WIDE
#define TN_SINK_WIDE(op, p, bit) true
#endif
#ifndef TN_SINK_STRING
#define TN_SINK_STRING(op, p, n, bit) true
#define TN_RUN_NO_STRING
#endif
#ifndef TN_SINK_BLOB
#define TN_SINK_BLOB(op, p, n, bit) true
#endif
#ifndef TN_SINK_STRUCT
#define TN_SINK_STRUCT(op, bit) true
#endif
#ifndef TN_SINK_ARRAY
#define TN_SINK_ARRAY(op, n, bit) true
#endif
#ifndef TN_SINK_VARIANT
#define TN_SINK_VARIANT(op, option, bit) true
#endif
#ifndef TN_SINK_OPTIONAL
#define TN_SINK_OPTIONAL(op, there, bit) true
#endif
#ifndef TN_SINK_CLOSE
#define TN_SINK_CLOSE(op, bit) true
#endif

#ifndef TN_RUN_FIRST
#define TN_RUN_FIRST code	/* the instruction where the run begins */
#endif

#ifndef TN_PLAN_RUN_COMMON
#define TN_PLAN_RUN_COMMON

/* Number of bytes before the first zero code unit, at most @n; an incomplete unit at the end does not count. */
static inline size_t
tn_run_text_size(const uint8_t *p, size_t n, unsigned flags)
{
	size_t unit = flags & TN_OP_UNIT32 ? 4 : flags & TN_OP_UNIT16 ? 2 : 1, i;

	if (unit == 1) {
		const uint8_t *zero = n ? memchr(p, 0, n) : NULL;

		return zero ? (size_t)(zero - p) : n;
	}
	for (i = 0; i + unit <= n; i += unit)
		if (!p[i] && !p[i + 1] && (unit == 2 || (!p[i + 2] && !p[i + 3])))
			break;
	return i;
}

/* Read the bits of an integer at any position. */
static inline uint64_t
tn_run_bits(const uint8_t *p, uint64_t at, unsigned n, unsigned flags)
{
	uint64_t v = tn_bits(p, at, n, flags & TN_OP_BIG_ENDIAN);

	if (__builtin_expect(flags & TN_OP_REVERSED, 0))
		v = tn_reverse_bits(v, n);
	return flags & TN_OP_SIGNED ? (uint64_t)tn_sign_extend(v, n) : v;
}

/* Read 32 bits at a whole byte. */
static inline uint32_t
tn_run_word(const uint8_t *p, uint64_t at, unsigned flags)
{
	return flags & TN_OP_BIG_ENDIAN ? (uint32_t)(tn_load64_be(p + (at >> 3)) >> 32) : (uint32_t)tn_load64(p + (at >> 3));
}

/* Read type_len from the first of the two words of a ring buffer's event header. */
static inline uint32_t
tn_run_type_len(const uint8_t *p, uint64_t at, unsigned flags)
{
	uint32_t head = tn_run_word(p, at, flags);

	return flags & TN_OP_BIG_ENDIAN ? head >> 27 : head & 31;
}

/*
 * Find start and size of the bytes that a located field describes. The field is at @at (its 32 bits exist). The bytes are
 * cut to the record, whose header begins at @record.
 */
static inline uint64_t
tn_run_locate(const uint8_t *p, uint64_t record, uint64_t at, uint64_t end, unsigned located, unsigned flags, uint64_t *bytes)
{
	uint32_t units = flags & (TN_OP_SIZED | TN_OP_WHOLE) ? 0 : tn_run_type_len(p, record, flags), what;
	uint64_t begin = record + 32, stop, from, size = 4 * units;

	if (flags & TN_OP_SIZED) {
		size = tn_run_word(p, record, flags);
	} else if (flags & TN_OP_WHOLE) {
		uint32_t word = tn_run_word(p, record, flags);

		size = flags & TN_OP_BIG_ENDIAN ? word >> 16 : word & 0xffff;
		begin = record - 48;
	} else if (!units) {
		size = tn_run_word(p, begin, flags);
		size = size < 4 ? 0 : size - 4;
		begin += 32;
	}
	stop = begin + size * 8 < end ? begin + size * 8 : end;
	if (located >= TN_LOCATED_REST) {
		*bytes = at < stop ? (stop - at) >> 3 : 0;
		if (located == TN_LOCATED_LINE) {
			*bytes = tn_run_text_size(p + (at >> 3), (size_t)*bytes, 0);
			*bytes -= *bytes && p[(at >> 3) + *bytes - 1] == '\n';
		}
		return at;
	}
	what = tn_run_word(p, at, flags);
	from = (located == TN_LOCATED_DATA ? begin : at + 32) + (uint64_t)(what & 0xffff) * 8;
	if (from > stop) {
		*bytes = 0;
		return at;
	}
	*bytes = what >> 16 < (stop - from) >> 3 ? what >> 16 : (stop - from) >> 3;
	return from;
}

/* The lower 64 bits of a wide integer; all ones if its value needs more. */
uint64_t tn_run_wide(const uint8_t *p, uint64_t at, uint64_t n, unsigned flags);

static inline double
tn_run_float(uint64_t v, unsigned n)
{
	double d = __builtin_nan("");
	uint32_t u = (uint32_t)v;
	float f;

	if (n == 64) {
		memcpy(&d, &v, 8);
	} else if (n == 32) {
		memcpy(&f, &u, 4);
		d = (double)f;
	} else if (n == 16) {
		d = tn_half((uint16_t)v);
	}
	return d;
}

#endif

#define TN_STOP(what, where) do { trouble = (what); m->bit = (where); goto stop; } while (0)
#define TN_PUT(e) do { if (!(e)) TN_STOP(TN_TROUBLE_SINK, at); } while (0)
#define TN_FIXED_U(load) \
	v = (load); TN_PUT(TN_SINK_UINT(op, v, at + op->n)); break
#define TN_FIXED_S(cast, load) \
	v = (uint64_t)(int64_t)(cast)(load); TN_PUT(TN_SINK_SINT(op, (int64_t)v, at + op->n)); break
#define TN_BYTE (p + ((at + op->n) >> 3))

static enum tn_trouble
TN_RUN_NAME(struct tn_machine *m, const struct tn_op *code, TN_RUN_SINK *sink)
{
	struct { uint64_t left, from; } loop[TN_PLAN_DEPTH];	/* number of elements left, and start of the last element */
	unsigned level = 0, leb_bits = 0;
	const uint8_t *p = m->p;
	uint64_t at = m->at, end = m->end, v = 0, back = 0;
	enum tn_trouble trouble = TN_TROUBLE_NONE;
	const struct tn_op *op;

	(void)sink;
	for (op = TN_RUN_FIRST; ; op++) {
		switch ((enum tn_op_code)op->code) {
		case TN_OP_END:
			goto stop;
		case TN_OP_ALIGN: {
			uint64_t next = tn_align_up(at, op->a);

			if (next > end)
				TN_STOP(TN_TROUBLE_CONTENT, at);
			at = next;
			break;
		}
		case TN_OP_CHECK:
			if (op->n > end - at)
				TN_STOP(TN_TROUBLE_CONTENT, at);
			break;
		case TN_OP_ADVANCE:
			at += op->n;
			break;
		case TN_OP_SKIP:
			if (op->n > end - at)
				TN_STOP(TN_TROUBLE_CONTENT, at);
			at += op->n;
			break;

		case TN_OP_U8:		TN_FIXED_U(*TN_BYTE);
		case TN_OP_U16LE:	TN_FIXED_U((uint16_t)tn_load64(TN_BYTE));
		case TN_OP_U16BE:	TN_FIXED_U(tn_load64_be(TN_BYTE) >> 48);
		case TN_OP_U32LE:	TN_FIXED_U((uint32_t)tn_load64(TN_BYTE));
		case TN_OP_U32BE:	TN_FIXED_U(tn_load64_be(TN_BYTE) >> 32);
		case TN_OP_U64LE:	TN_FIXED_U(tn_load64(TN_BYTE));
		case TN_OP_U64BE:	TN_FIXED_U(tn_load64_be(TN_BYTE));
		case TN_OP_S8:		TN_FIXED_S(int8_t, *TN_BYTE);
		case TN_OP_S16LE:	TN_FIXED_S(int16_t, tn_load64(TN_BYTE));
		case TN_OP_S16BE:	TN_FIXED_S(int16_t, tn_load64_be(TN_BYTE) >> 48);
		case TN_OP_S32LE:	TN_FIXED_S(int32_t, tn_load64(TN_BYTE));
		case TN_OP_S32BE:	TN_FIXED_S(int32_t, tn_load64_be(TN_BYTE) >> 32);
		case TN_OP_S64LE:	TN_FIXED_S(int64_t, tn_load64(TN_BYTE));
		case TN_OP_S64BE:	TN_FIXED_S(int64_t, tn_load64_be(TN_BYTE));
		case TN_OP_BITS:
			v = tn_run_bits(p, at + op->n, op->bits, op->flags);
			if (op->flags & TN_OP_SIGNED)
				TN_PUT(TN_SINK_SINT(op, (int64_t)v, at + op->n));
			else
				TN_PUT(TN_SINK_UINT(op, v, at + op->n));
			break;
		case TN_OP_FLOAT:
#ifndef TN_RUN_NO_FLOAT
			v = tn_run_bits(p, at + op->n, op->bits, op->flags);
			TN_PUT(TN_SINK_FLOAT(op, tn_run_float(v, op->bits), at + op->n));
#endif
			break;
		case TN_OP_WIDE:
			v = tn_run_wide(p, at + op->n, op->m, op->flags);
			if (op->flags & TN_OP_TRUTH)
				TN_PUT(TN_SINK_UINT(op, v, at + op->n));
			else
				TN_PUT(TN_SINK_WIDE(op, TN_BYTE, at + op->n));
			break;
		case TN_OP_STRING_FIXED:
#ifndef TN_RUN_NO_STRING
			TN_PUT(TN_SINK_STRING(op, TN_BYTE, tn_run_text_size(TN_BYTE, (size_t)op->m, op->flags),
					      at + op->n));
#endif
			break;
		case TN_OP_STRING_LOOKUP:
#ifndef TN_RUN_NO_STRING
		{
			size_t n;
			const char *text = tn_lookup_at(op->more, p + ((at + op->n) >> 3),
							 tn_run_word(p, at + op->n, op->flags), &n);

			(void)text;
			TN_PUT(TN_SINK_STRING(op, (const uint8_t *)text, n, at + op->n));
		}
#endif
			break;
		case TN_OP_BLOB_FIXED:
			TN_PUT(TN_SINK_BLOB(op, TN_BYTE, (size_t)op->m, at + op->n));
			break;
		case TN_OP_UUID:
			m->seen |= TN_ROLE_UUID;
			m->role[1] = at + op->n;
			break;

		case TN_OP_SAVE:
			m->slot[op->a].value = v;
			m->slot[op->a].is_set = 1;
			break;
		case TN_OP_CLOCK:
			m->clock = tn_clock_update(m->clock, v, op->n ? (unsigned)op->n : leb_bits);
			m->seen |= TN_ROLE_CLOCK;
			break;
		case TN_OP_ID:
			m->id = v;
			break;
		case TN_OP_ROLE:
			m->seen |= 1u << op->a;
			m->role[op->a] = 1u << op->a == TN_ROLE_TIMESTAMP_BEGIN && op->n ? m->clock : v;
			break;
		case TN_OP_TIME:
			m->time = m->clock;
			break;

		case TN_OP_SET:
			m->slot[op->a].value = op->n;
			m->slot[op->a].is_set = 1;
			break;
		case TN_OP_CLEAR:
			m->slot[op->a].is_set = 0;
			break;
		case TN_OP_GUARD:
			if (!m->slot[op->a].is_set || !m->slot[op->a].value)
				TN_STOP(TN_TROUBLE_REFERENCE, at);
			break;

		case TN_OP_STRING8: {
			const uint8_t *from = p + (at >> 3);
			size_t room = (size_t)((end - at) >> 3);
			const uint8_t *zero = room ? memchr(from, 0, room) : NULL;

			if (!zero)
				TN_STOP(TN_TROUBLE_STRING, at);
			TN_PUT(TN_SINK_STRING(op, from, (size_t)(zero - from), at));
			at += (uint64_t)(zero + 1 - from) << 3;
			break;
		}
		case TN_OP_STRING16:
		case TN_OP_STRING32: {
			const uint8_t *from = p + (at >> 3);
			size_t room = (size_t)((end - at) >> 3), unit = op->code == TN_OP_STRING16 ? 2 : 4;
			size_t n = tn_run_text_size(from, room, unit == 2 ? TN_OP_UNIT16 : TN_OP_UNIT32);

			if (room < unit || n > room - unit)
				TN_STOP(TN_TROUBLE_STRING, at);
			TN_PUT(TN_SINK_STRING(op, from, n, at));
			at += (uint64_t)(n + unit) << 3;
			break;
		}
		case TN_OP_STRING_DYNAMIC:
		case TN_OP_BLOB_DYNAMIC: {
			uint64_t n = m->slot[op->a].value;

			if (!m->slot[op->a].is_set)
				TN_STOP(TN_TROUBLE_REFERENCE, at);
			if (op->flags & TN_OP_SIGNED_LENGTH && (int64_t)n < 0)
				n = 0;
			if (n > (end - at) >> 3) {
				m->value = n;
				TN_STOP(TN_TROUBLE_CONTENT, at);
			}
#ifndef TN_RUN_NO_STRING
			if (op->code == TN_OP_STRING_DYNAMIC)
				TN_PUT(TN_SINK_STRING(op, p + (at >> 3),
						      tn_run_text_size(p + (at >> 3), (size_t)n, op->flags), at));
			else
#endif
				TN_PUT(TN_SINK_BLOB(op, p + (at >> 3), (size_t)n, at));
			at += n << 3;
			break;
		}
		case TN_OP_LEB_UNSIGNED:
		case TN_OP_LEB_SIGNED: {
			uint64_t from = at;
			unsigned shift = 0, some = 0, all = 0x7f;	/* bits after the 64th: any set, all set */
			uint8_t byte;
			bool too_large;

			v = 0;
			do {
				if (end - at < 8)
					TN_STOP(TN_TROUBLE_CONTENT, from);
				byte = p[at >> 3];
				at += 8;
				if (shift < 64)
					v |= (uint64_t)(byte & 0x7f) << shift;
				if (__builtin_expect(shift >= 63, 0)) {
					some |= shift == 63 ? (byte & 0x7fu) >> 1 : byte & 0x7fu;
					all &= shift == 63 ? (byte & 0x7fu) >> 1 | 0x40u : byte & 0x7fu;
				}
				shift = shift < 1024 ? shift + 7 : shift;
			} while (byte & 0x80);
			leb_bits = shift;
			if (op->code == TN_OP_LEB_SIGNED) {
				if (shift < 64)
					v = (uint64_t)tn_sign_extend(v, shift);
				too_large = v >> 63 ? shift >= 64 && all != 0x7f : some != 0;
			} else {
				too_large = some != 0;
			}
			/* The number has more than 64 bits: too large for a length. If it is a value, the sink gets it. */
			if (__builtin_expect(too_large, 0)) {
				v = op->code == TN_OP_LEB_SIGNED ? (byte & 0x40 ? UINT64_C(1) << 63 : INT64_MAX) : UINT64_MAX;
				TN_PUT(TN_SINK_TOO_LARGE(op, v, from));
			} else if (op->code == TN_OP_LEB_SIGNED) {
				TN_PUT(TN_SINK_SINT(op, (int64_t)v, from));
			} else {
				TN_PUT(TN_SINK_UINT(op, v, from));
			}
			break;
		}
		case TN_OP_SKIP_ARRAY: {
			uint64_t n = m->slot[op->a].value, all;

			if (!m->slot[op->a].is_set)
				TN_STOP(TN_TROUBLE_REFERENCE, at);
			if (!n || (op->flags & TN_OP_SIGNED_LENGTH && (int64_t)n < 0))
				break;
			if (__builtin_mul_overflow(n - 1, op->n, &all) || __builtin_add_overflow(all, op->m, &all) ||
			    all > end - at) {
				m->value = n;
				TN_STOP(TN_TROUBLE_CONTENT, at);
			}
			at += all;
			break;
		}

		case TN_OP_ARRAY:
		case TN_OP_ARRAY_FIXED: {
			uint64_t n = op->n, all;

			if (op->flags & TN_OP_COUNT_IN_SLOT) {
				if (!m->slot[n].is_set)
					TN_STOP(TN_TROUBLE_REFERENCE, at);
				n = m->slot[n].value;
				if (op->flags & TN_OP_SIGNED_LENGTH && (int64_t)n < 0)
					n = 0;
			}
			/* Refuse an array that cannot fit, before its first element. */
			if (n) {
				uint64_t each = op->m, last = op->m;

				if (op->code == TN_OP_ARRAY_FIXED) {
					each = code[op->a - 1].n;
					last = code[op->a - 1].m;
				}
				if (!last && op->code == TN_OP_ARRAY_FIXED &&
				    (n > TN_PLAN_EMPTY || (m->empty += n) > TN_PLAN_EMPTY))
					TN_STOP(TN_TROUBLE_EMPTY, at);
				if (__builtin_mul_overflow(n - 1, each, &all) ||
				    __builtin_add_overflow(all, last, &all) || all > end - at) {
					m->value = n;
					TN_STOP(TN_TROUBLE_CONTENT, at);
				}
			}
			TN_PUT(TN_SINK_ARRAY(op, n, at));
			if (n) {
				loop[level].from = at;
				loop[level++].left = n;
			} else {
				TN_PUT(TN_SINK_CLOSE(op, at));
				op = &code[op->a - 1];
			}
			break;
		}
		case TN_OP_LOOP:
			if (at == loop[level - 1].from && ++m->empty > TN_PLAN_EMPTY)
				TN_STOP(TN_TROUBLE_EMPTY, at);
			loop[level - 1].from = at;
			if (--loop[level - 1].left) {
				op = &code[op->a - 1];
			} else {
				level--;
				TN_PUT(TN_SINK_CLOSE(op, at));
			}
			break;
		case TN_OP_LOOP_FIXED:
			if (--loop[level - 1].left) {
				at += op->n;
				op = &code[op->a - 1];
			} else {
				level--;
				at += op->m;
				TN_PUT(TN_SINK_CLOSE(op, at));
			}
			break;
		case TN_OP_EMPTY: {
			uint64_t n = op->n;

			if (op->flags & TN_OP_COUNT_IN_SLOT) {
				uint64_t count = m->slot[op->a].value;

				if (!m->slot[op->a].is_set)
					TN_STOP(TN_TROUBLE_REFERENCE, at);
				if (op->flags & TN_OP_SIGNED_LENGTH && (int64_t)count < 0)
					count = 0;
				if (__builtin_mul_overflow(n, count, &n))
					n = UINT64_MAX;
			}
			if (n > TN_PLAN_EMPTY || (m->empty += n) > TN_PLAN_EMPTY)
				TN_STOP(TN_TROUBLE_EMPTY, at);
			break;
		}

		case TN_OP_VARIANT:
		case TN_OP_OPTIONAL: {
			const struct tn_choice *choice = op->more;
			const struct tn_slot *slot = &m->slot[choice->slot];
			uint32_t option;

			if (slot->is_set) {
				option = tn_choice_find(choice, slot->value);
			} else {
				if (!choice->lenient)
					TN_STOP(TN_TROUBLE_REFERENCE, at);
				option = 0;
			}
			if (op->code == TN_OP_OPTIONAL) {
				TN_PUT(TN_SINK_OPTIONAL(op, option != 0, at));
			} else {
				if (!option && !choice->lenient) {
					m->value = slot->value;
					TN_STOP(TN_TROUBLE_TAG, at);
				}
				TN_PUT(TN_SINK_VARIANT(op, option - 1, at));
			}
			op = &code[option ? choice->target[option - 1] : choice->end] - 1;
			break;
		}
		case TN_OP_JUMP:
			op = &code[op->a] - 1;
			break;
		case TN_OP_RECORD:
			m->record = at;
			break;
		case TN_OP_LONG:
			if (!tn_run_type_len(p, m->record, op->flags)) {
				if (end - at < 32)
					TN_STOP(TN_TROUBLE_CONTENT, at);
				at += 32;
			}
			break;
		case TN_OP_LOCATE: {
			uint64_t bytes;

			if (op->bits < TN_LOCATED_REST && end - at < 32)
				TN_STOP(TN_TROUBLE_CONTENT, at);
			back = op->bits >= TN_LOCATED_REST ? at : at + 32;
			at = tn_run_locate(p, m->record, at, end, op->bits, op->flags, &bytes);
			m->slot[op->a].value = bytes / op->m;
			m->slot[op->a].is_set = 1;
			break;
		}
		case TN_OP_BACK:
			at = back;
			break;
		case TN_OP_OPEN:
			TN_PUT(TN_SINK_STRUCT(op, at + op->n));
			break;
		case TN_OP_CLOSE:
			TN_PUT(TN_SINK_CLOSE(op, at + op->n));
			break;
		case TN_OP_ORDER_CHECK:
			if ((at + op->n) & 7 && m->order && m->order != op->bits)
				TN_STOP(TN_TROUBLE_ORDER, at + op->n);
			break;
		case TN_OP_ORDER_SET:
			m->order = op->bits;
			break;
		case TN_OP_UNMADE:
			TN_STOP(TN_TROUBLE_UNMADE, at);
		}
	}
stop:
	m->at = at;
	m->op = op;
	return trouble;
}

#undef TN_STOP
#undef TN_PUT
#undef TN_FIXED_U
#undef TN_FIXED_S
#undef TN_BYTE
#undef TN_RUN_NAME
#undef TN_RUN_SINK
#undef TN_RUN_FIRST
#undef TN_RUN_NO_FLOAT
#undef TN_RUN_NO_STRING
#undef TN_SINK_UINT
#undef TN_SINK_SINT
#undef TN_SINK_FLOAT
#undef TN_SINK_TOO_LARGE
#undef TN_SINK_WIDE
#undef TN_SINK_STRING
#undef TN_SINK_BLOB
#undef TN_SINK_STRUCT
#undef TN_SINK_ARRAY
#undef TN_SINK_VARIANT
#undef TN_SINK_OPTIONAL
#undef TN_SINK_CLOSE
