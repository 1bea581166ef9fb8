/*
 * direct_run.c - the machine with a sink that writes text
 */
#include "text/direct.h"
#include "text/direct_field.h"
#include "text/sink.h"
#include "text/stamp.h"

static char *
put_index(char *p, uint64_t i, bool names)
{
	if (i)
		*p++ = ',';
	*p++ = ' ';
	if (names) {
		*p++ = '[';
		p = tn_put_u64(p, i);
		memcpy(p, "] = ", 4);
		p += 4;
	}
	return p;
}

/* Write the text before a value. NULL: is_hidden() gives the reason. */
static inline char *
begin(struct text_sink *s, const struct text_field *f)
{
	char *p;

	if (UNLIKELY(is_hidden(f)) || !room(s, f->need))
		return NULL;
	p = s->p;
	if (UNLIKELY(f->element))
		p = put_index(p, s->level_n[s->level - 1]++, f->names);
	return copy(p, f->lead.text, f->lead.n);
}

static inline bool
put_enum(struct text_sink *s, const struct text_field *f, uint64_t v, char *p)
{
	if (LIKELY(v < f->n_dense))
		return put_words(s, f, v, p);
	leave(s, p);
	tn_direct_put_enum(s->text, f, v, s->out);
	return come_back(s, f) && put_tail(s, f, s->p);
}

static __attribute__((noinline)) bool
put_rare(struct text_sink *s, const struct text_field *f, uint64_t v, char *p)
{
	switch ((enum text_how)f->how) {
	case HOW_ENUM:
		return put_enum(s, f, v, p);
	case HOW_INTEGER:
		return put_tail(s, f, tn_put_integer(p, f->field.type, v));
	case HOW_BOOL:
		memcpy(p, v ? "true" : "false", 5);
		return put_tail(s, f, p + (v ? 4 : 5));
	case HOW_BITMAP:
		leave(s, tn_put_hex(p, v));
		tn_put_flags(s->text, f->field.type, v, s->out);
		return come_back(s, f) && put_tail(s, f, s->p);
	default:
		return false;
	}
}

static inline __attribute__((always_inline)) bool
put_number(struct text_sink *s, const struct tn_op *op, uint64_t v)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p = begin(s, f);

	if (!p)
		return is_hidden(f);
	switch ((enum text_how)f->how) {
	case HOW_DECIMAL:
		return put_tail(s, f, tn_put_u64(p, v));
	case HOW_SIGNED:
		return put_tail(s, f, tn_put_i64(p, (int64_t)v));
	case HOW_HEX:
		return put_tail(s, f, tn_put_hex(p, v));
	default:
		return put_rare(s, f, v, p);
	}
}

static bool
put_too_large(struct text_sink *s, const struct tn_op *op)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p = begin(s, f);

	if (!p)
		return is_hidden(f);
	/* The text before an enumeration already has the opening parenthesis. */
	memcpy(p, "<too large> )", 13);
	return put_tail(s, f, p + (f->how == HOW_ENUM ? 13 : 11));
}

static bool
put_float(struct text_sink *s, const struct tn_op *op, double v)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p = begin(s, f);

	return p ? put_tail(s, f, tn_put_double(p, v)) : is_hidden(f);
}

static bool
put_wide(struct text_sink *s, const struct tn_op *op, const uint8_t *from, uint64_t bit)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p = begin(s, f);

	if (!p)
		return is_hidden(f);
	leave(s, p);
	tn_put_wide(s->out, from, (unsigned)(bit & 7), f->field.type);
	return come_back(s, f) && put_tail(s, f, s->p);
}

/* Write a long string in pieces, because its line may be cut. */
static __attribute__((noinline)) bool
put_long_string(struct text_sink *s, const struct text_field *f, const uint8_t *from, size_t n)
{
	char *p = begin(s, f);

	while (p && n) {
		size_t some = n < TN_PUT_PIECE ? n : TN_PUT_PIECE;

		s->p = p;
		if (!room(s, f->need + 4 * some))
			return false;
		p = tn_put_mapped(s->p, from, some);
		from += some;
		n -= some;
	}
	return p && put_tail(s, f, p);
}

static bool
put_string(struct text_sink *s, const struct tn_op *op, const uint8_t *from, size_t n)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p;

	if (f->how == HOW_HIDDEN)
		return true;
	if (UNLIKELY(n > TN_PUT_PIECE))
		return put_long_string(s, f, from, n);
	if (!room(s, f->need + 4 * n))
		return false;
	p = begin(s, f);
	return p && put_tail(s, f, tn_put_mapped(p, from, n));
}

static bool
put_blob(struct text_sink *s, const struct tn_op *op, const uint8_t *from, size_t n)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p = begin(s, f);

	if (!p)
		return is_hidden(f);
	leave(s, p);
	tn_put_blob(from, n, s->out);
	return come_back(s, f) && put_tail(s, f, s->p);
}

/* Write a structure that shows nothing inside. */
static bool
put_struct(struct text_sink *s, const struct tn_op *op)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p = begin(s, f);

	return p ? put_tail(s, f, p) : is_hidden(f);
}

static bool
put_open(struct text_sink *s, const struct tn_op *op, bool inside)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p = begin(s, f);

	if (!p)
		return is_hidden(f);
	if (!open_level(s, f->how == HOW_ARRAY ? 0 : inside))
		return false;
	if (f->how != HOW_ARRAY) {
		if (inside) {
			*p++ = '{';
			*p++ = ' ';
		} else if (f->how == HOW_OPTIONAL) {
			memcpy(p, "<none>", 6);
			p += 6;
		} else {
			memcpy(p, "{ }", 3);
			p += 3;
		}
	}
	s->p = p;
	return true;
}

/* Close an array, a variant or an optional. */
static bool
put_close(struct text_sink *s, const struct tn_op *op)
{
	const struct text_field *f = (const struct text_field *)op->field;

	if (f->how == HOW_HIDDEN || f->how == HOW_STRUCT)
		return true;
	if (!room(s, f->need))
		return false;
	if (s->level_n[--s->level] && f->how != HOW_ARRAY) {
		memcpy(s->p, " }", 2);
		s->p += 2;
	}
	return put_tail(s, f, s->p);
}

#define TN_RUN_NAME run_text
#define TN_RUN_SINK struct text_sink
#define TN_RUN_FIRST (sink->first ? sink->first : code)
#include "text/sink_run.h"

/* ---- the line ---- */

/*
 * Write the line of a row whose class has a code. TN_END: the row needs the general path, which also reports damage,
 * and @out is unchanged.
 */
static inline __attribute__((always_inline)) enum tn_code
put_line(const struct place *at, const struct tn_class_words *words, uint32_t bit, const struct tn_line_previous *now,
	 const struct tn_line_previous *previous, struct tn_error *err)
{
	struct tn_direct *d = at->direct;
	struct tn_str *out = at->out;
	enum tn_trouble trouble = TN_TROUBLE_NONE;
	struct tn_machine m;
	struct text_sink s;
	size_t n = out->n;
	char *p;

	m.p = at->batch->data;
	m.at = at->batch->base_bit + bit;
	m.end = at->batch->entry.content_bits;
	m.clock = 0;
	m.slot = d->slot;
	m.empty = 0;
	m.order = 0;
	m.seen = 0;
	if (UNLIKELY(m.at > m.end))
		return TN_END;
	if (!pass_shape(at->plan, &m) && tn_machine_skip(&m, at->plan->header) != TN_TROUBLE_NONE)
		return TN_END;

	if (!tn_str_reserve(out, TN_STAMP_ROOM + words->head.n + d->context.n + 2 * TN_STR_SLACK))
		return tn_fail_memory(err);
	p = now->known ? tn_put_usual_stamp(out->text + n, &at->cache->second, now->ns, previous) : out->text + n;
	if (UNLIKELY(!p)) {
		tn_put_stamp(at->text, &at->cache->second, true, now->ns, now->cycles, previous, out);
		if (!tn_str_reserve(out, words->head.n + d->context.n + 2 * TN_STR_SLACK))
			return tn_fail_memory(err);
		p = out->text + out->n;
	}
	p = copy(p, words->head.text, words->head.n);
	if (d->context.n)
		p = copy(p, d->context.text, d->context.n);
	s.out = out;
	s.text = at->text;
	s.p = p;
	s.limit = out->text + out->room;
	s.first = NULL;
	s.level = 0;
	if (words->repeats)
		trouble = put_repeating(run_text, words, d, &m, &s);
	if (LIKELY(trouble == TN_TROUBLE_NONE))
		trouble = run_text(&m, words->code, &s);
	if (UNLIKELY(trouble != TN_TROUBLE_NONE || !room(&s, 1))) {
		if (out->full)
			return tn_line_cut(at->text, NULL, out, n, err);
		out->n = n;
		return out->failed ? tn_fail_memory(err) : TN_END;
	}
	*s.p++ = '\n';
	out->n = (size_t)(s.p - out->text);
	return UNLIKELY(out->n > out->most) ? tn_line_cut(at->text, NULL, out, n, err) : TN_OK;
}

#define TN_PUT_ROW(at, words, row, bit, now, previous, err) put_line(at, words, bit, now, previous, err)
#include "text/rows.h"

#include "text/direct_template_run.h"

size_t
tn_direct_append_runs(const struct tn_text *text, struct tn_line_state *state, const struct tn_rows *rows, size_t stride,
		      size_t n, size_t *row, struct tn_line_previous *previous, struct tn_str *out)
{
	bool simple;

	return put_simple_runs(text, state, rows, stride, n, row, previous, out, &simple);
}

enum tn_code
tn_direct_append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
		      size_t end, struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err)
{
	size_t stop_at = state->stop_at ? state->stop_at : SIZE_MAX, before;
	enum tn_code rc;

	for (;;) {
		struct tn_rows rows = { batch, *row, end - *row };
		size_t some = 0;
		bool simple;

		*row = put_simple_runs(text, state, &rows, 0, 1, &some, previous, out, &simple) ? end : *row + some;
		if (*row >= end || out->n >= stop_at) {
			tn_str_end(out);
			return TN_OK;
		}
		/* This row is unusual, although its run is not. */
		before = *row;
		rc = append_rows(text, state, batch, row, simple ? before + 1 : end, previous, out, err);
		if (rc != TN_OK || *row == before)
			return rc;
	}
}
