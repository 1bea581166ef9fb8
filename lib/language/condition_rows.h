/* condition_rows.h - find the bytes of fields in the rows of a batch, for condition_run.c and condition_columns.c */
#ifndef TN_LANGUAGE_CONDITION_ROWS_H
#define TN_LANGUAGE_CONDITION_ROWS_H

#include "base/bits.h"
#include "base/text_hash.h"
#include "language/condition.h"

struct lookups;

static inline uint64_t
load_bytes(const struct tn_step *s, const uint8_t *p)
{
	uint64_t v = tn_load64(p);

	v = s->big_endian ? __builtin_bswap64(v) : v >> s->low << s->shift;
	return s->is_signed ? (uint64_t)((int64_t)v >> s->shift) ^ UINT64_C(1) << 63 : v >> s->shift;
}

/* Values that are the same for all rows of a batch. */
struct rows {
	const uint8_t *p;
	uint64_t base, end;
	uint64_t align, time_align;	/* alignment of the header, and of the time in it, minus 1 */
	uint32_t skip;			/* for FIXED: size of the header in bits */
	uint32_t longer;		/* for COMPACT: the id that marks a longer header */
	enum tn_header_shape shape;
	bool big_endian;
	/* For attributes that are not fields of the row. */
	struct tn_expression_state *state;
	const struct tn_batch *batch;
	struct tn_trial *trial;
	uint8_t known[TN_PACKET_TESTS];	/* the result of each test of the packet: 0: not tested yet, 1: no, 2: yes */
	struct lookups *lookups;
};

static inline void
begin_rows(struct rows *r, const struct tn_row_state *row, const struct tn_batch *b)
{
	const struct tn_plan *plan = b->stream->stream_class->plan;

	*r = (struct rows) { .p = row->m.p, .base = b->base_bit, .end = row->m.end, .batch = b };
	if (!plan || plan->shape == TN_SHAPE_OTHER)
		return;
	r->shape = plan->shape;
	r->longer = plan->shape_long;
	r->skip = plan->shape_bits;
	r->align = plan->shape_align - 1;
	r->time_align = plan->shape == TN_SHAPE_COMPACT ? 0 : plan->shape_time_align - 1;
	r->big_endian = plan->shape_big_endian;
}

/* ---- headers of whole bytes, for easy steps ---- */

struct easy {
	uint64_t base, align, end;
	uint64_t last;		/* a row that begins after this bit is too near the end of the packet */
	const uint8_t *p;
	uint16_t id_bits, longer;	/* the header is a longer one if these bits have this value */
	unsigned skip;		/* size of the header in bytes */
};

static inline void
begin_easy(struct easy *e, const struct rows *r)
{
	bool large = r->shape == TN_SHAPE_LARGE, fixed = r->shape == TN_SHAPE_FIXED;

	*e = (struct easy) { .base = r->base, .align = r->align, .end = r->end, .p = r->p };
	e->skip = fixed ? r->skip / 8 : large ? 6 : 4;
	e->id_bits = fixed ? 0 : large ? 0xffff : r->big_endian ? 0xf8 : 0x1f;
	e->longer = fixed ? 1 : large || r->longer ? e->id_bits : 0;
	if (r->shape != TN_SHAPE_OTHER && r->align >= 7 && r->time_align <= 7 && r->end > TN_STEP_FAR)
		e->last = r->end - TN_STEP_FAR;
}

/* The bytes after the header of the row that begins at @bit. NULL: the row needs the slow path. */
static inline const uint8_t *
after_easy(const struct easy *e, uint32_t bit)
{
	uint64_t at = (e->base + bit + e->align) & ~e->align;
	const uint8_t *p = e->p + (at >> 3);
	uint16_t id;

	if (__builtin_expect(at >= e->last, 0))
		return NULL;
	memcpy(&id, p, sizeof id);
	return __builtin_expect((id & e->id_bits) == e->longer, 0) ? NULL : p + e->skip;
}

static inline uint64_t
load_easy(const struct tn_step *s, const uint8_t *p)
{
	return ((tn_load64(p + s->byte) >> s->low & s->bits) ^ s->sign) + s->bias;
}

/* Load the field of any BYTES step, easy or not, after the header that ends at @at. */
static inline uint64_t
load_aligned(const struct easy *e, const struct tn_step *s, const uint8_t *p)
{
	uint64_t at = ((uint64_t)(p - e->p) * 8 + s->mask) & ~s->mask;

	return load_bytes(s, e->p + ((at + s->distance) >> 3));
}

/* The position in bits of the string of any STRING step, easy or not. */
static inline uint64_t
string_at(const struct easy *e, const struct tn_step *s, const uint8_t *p)
{
	return (((uint64_t)(p - e->p) * 8 + s->mask) & ~s->mask) + s->distance;
}

/* Find the string of the row. False: it needs the slow path. */
static inline bool
find_string(struct tn_found_text *out, const struct easy *e, const struct tn_step *s, const uint8_t *p)
{
	uint64_t at = string_at(e, s, p);
	size_t room = s->ends ? (size_t)((e->end - at) >> 3) : s->room;

	p = e->p + (at >> 3);
	out->text = (const char *)p;
	out->n = tn_text_size(p, room);
	return __builtin_expect(out->n < room || !s->ends, 1);
}

#endif
