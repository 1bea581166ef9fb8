/*
 * direct_run.c - the machine with a sink that writes text
 */
#include <stdlib.h>

#include "text/direct.h"
#include "text/direct_field.h"
#include "text/record.h"
#include "text/sink.h"
#include "text/stamp.h"

bool
tn_sink_more(struct text_sink *s, size_t need)
{
	s->out->n = (size_t)(s->p - s->out->text);
	if (!tn_str_grow(s->out, need))
		return false;
	s->p = s->out->text + s->out->n;
	s->limit = s->out->text + s->out->room;
	return true;
}

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

/* What stands before a value; NULL when memory is out. */
static inline char *
begin(struct text_sink *s, const struct text_field *f)
{
	char *p;

	if (!room(s, f->need))
		return NULL;
	p = s->p;
	if (UNLIKELY(f->element))
		p = put_index(p, s->level_n[s->level - 1]++, f->names);
	return copy(p, f->lead.text, f->lead.n);
}

/* What stands behind it. */
static inline bool
finish(struct text_sink *s, const struct text_field *f, char *p)
{
	memcpy(p, f->tail.text, 16);
	if (UNLIKELY(f->tail.n > 16))
		memcpy(p + 16, f->tail.text + 16, f->tail.n - 16);
	s->p = p + f->tail.n;
	return true;
}

static bool
come_back(struct text_sink *s, const struct text_field *f)
{
	s->p = s->out->text + s->out->n;
	s->limit = s->out->text + s->out->room;
	if (s->out->failed || !room(s, f->need))
		return false;
	return finish(s, f, s->p);
}

static inline bool
put_enum(struct text_sink *s, const struct text_field *f, uint64_t v, char *p)
{
	if (LIKELY(v < f->n_dense)) {
		const struct tn_words *w = &f->dense[v];

		s->p = p;
		if (!room(s, w->n + f->need))
			return false;
		return finish(s, f, copy(s->p, w->text, w->n));
	}
	leave(s, p);
	tn_direct_put_enum(s->text, f, v, s->out);
	return come_back(s, f);
}

static __attribute__((noinline)) bool
put_rare(struct text_sink *s, const struct text_field *f, uint64_t v, char *p)
{
	switch ((enum text_how)f->how) {
	case HOW_ENUM:
		return put_enum(s, f, v, p);
	case HOW_INTEGER:
		return finish(s, f, tn_put_integer(p, f->field.type, v));
	case HOW_BOOL:
		memcpy(p, v ? "true" : "false", 5);
		return finish(s, f, p + (v ? 4 : 5));
	case HOW_BITMAP:
		leave(s, tn_put_hex(p, v));
		tn_put_flags(s->text, f->field.type, v, s->out);
		return come_back(s, f);
	default:
		return false;
	}
}

static inline __attribute__((always_inline)) bool
put_number(struct text_sink *s, const struct tn_op *op, uint64_t v)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p;

	if (UNLIKELY(f->how == HOW_HIDDEN))
		return true;
	p = begin(s, f);
	if (UNLIKELY(!p))
		return false;
	switch ((enum text_how)f->how) {
	case HOW_DECIMAL:
		return finish(s, f, tn_put_u64(p, v));
	case HOW_SIGNED:
		return finish(s, f, tn_put_i64(p, (int64_t)v));
	case HOW_HEX:
		return finish(s, f, tn_put_hex(p, v));
	default:
		return put_rare(s, f, v, p);
	}
}

static bool
put_too_large(struct text_sink *s, const struct tn_op *op)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p;

	if (f->how == HOW_HIDDEN)
		return true;
	p = begin(s, f);
	if (!p)
		return false;
	/* What stands before an enumeration has its parenthesis. */
	memcpy(p, "<too large> )", 13);
	return finish(s, f, p + (f->how == HOW_ENUM ? 13 : 11));
}

static bool
put_float(struct text_sink *s, const struct tn_op *op, double v)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p;

	if (f->how == HOW_HIDDEN)
		return true;
	p = begin(s, f);
	return p && finish(s, f, tn_put_double(p, v));
}

static bool
put_wide(struct text_sink *s, const struct tn_op *op, const uint8_t *from, uint64_t bit)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p;

	if (f->how == HOW_HIDDEN)
		return true;
	p = begin(s, f);
	if (!p)
		return false;
	leave(s, p);
	tn_put_wide(s->out, from, (unsigned)(bit & 7), f->field.type);
	return come_back(s, f);
}

/* Long ones in pieces, for their line may be cut. */
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
	return p && finish(s, f, p);
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
	return p && finish(s, f, tn_put_mapped(p, from, n));
}

static bool
put_blob(struct text_sink *s, const struct tn_op *op, const uint8_t *from, size_t n)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p;

	if (f->how == HOW_HIDDEN)
		return true;
	p = begin(s, f);
	if (!p)
		return false;
	leave(s, p);
	tn_put_blob(from, n, s->out);
	return come_back(s, f);
}

/* One that shows nothing inside. */
static bool
put_struct(struct text_sink *s, const struct tn_op *op)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p;

	if (f->how == HOW_HIDDEN)
		return true;
	p = begin(s, f);
	return p && finish(s, f, p);
}

static bool
put_open(struct text_sink *s, const struct tn_op *op, bool inside)
{
	const struct text_field *f = (const struct text_field *)op->field;
	char *p;

	if (f->how == HOW_HIDDEN)
		return true;
	if (s->level == TN_PLAN_DEPTH)
		return false;
	p = begin(s, f);
	if (!p)
		return false;
	if (f->how == HOW_ARRAY) {
		s->level_n[s->level++] = 0;
	} else {
		s->level_n[s->level++] = inside;
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

/* Of arrays, variants and optionals. */
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
	return finish(s, f, s->p);
}

#define TN_RUN_NAME run_text
#define TN_RUN_SINK struct text_sink
#define TN_SINK_UINT(op, v, bit) put_number(sink, op, v)
#define TN_SINK_SINT(op, v, bit) put_number(sink, op, (uint64_t)(v))
#define TN_SINK_TOO_LARGE(op, v, bit) put_too_large(sink, op)
#define TN_SINK_FLOAT(op, v, bit) put_float(sink, op, v)
#define TN_SINK_WIDE(op, p, bit) put_wide(sink, op, p, bit)
#define TN_SINK_STRING(op, p, n, bit) put_string(sink, op, p, n)
#define TN_SINK_BLOB(op, p, n, bit) put_blob(sink, op, p, n)
#define TN_SINK_STRUCT(op, bit) put_struct(sink, op)
#define TN_SINK_ARRAY(op, n, bit) put_open(sink, op, false)
#define TN_SINK_VARIANT(op, option, bit) put_open(sink, op, (option) != UINT32_MAX)
#define TN_SINK_OPTIONAL(op, there, bit) put_open(sink, op, there)
#define TN_SINK_CLOSE(op, bit) put_close(sink, op)
#include "plan/run.h"

/* ---- the packet: slots of its scopes, text of its context ---- */

/* What its events' lines have in common. */
static bool
put_packet(const struct tn_text *text, struct tn_line_cache *cache, struct tn_direct *d, const struct tn_batch *batch,
	   struct tn_event *scratch)
{
	bool shown = tn_field_shown(batch->stream->stream_class->packet_context);
	const struct tn_value *v;

	if (!shown && text->options.format == TN_LINE_TEXT)
		return true;
	if (batch->stream->trace->ops->read(batch, TN_READ_PACKET, TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT), scratch,
					    NULL) != TN_OK)
		return false;
	if (text->options.format != TN_LINE_TEXT)
		return tn_record_enter(text, cache, d, scratch);
	v = tn_event_scope(scratch, TN_SCOPE_PACKET_CONTEXT);
	if (!v)
		return false;
	if (text->options.names & TN_NAMES_SCOPE) {
		tn_str_put_text(&d->context, tn_scope_name(TN_SCOPE_PACKET_CONTEXT));
		tn_str_put_text(&d->context, " = ");
	}
	tn_put_value(text, v, text->options.names & TN_NAMES_CONTEXT, &d->context);
	return true;
}

static bool
enter_packet(const struct tn_text *text, struct tn_line_cache *cache, struct tn_direct *d, const struct tn_batch *batch,
	     struct tn_event *scratch)
{
	const struct tn_stream *stream = batch->stream;
	const struct tn_plan *plan = stream->stream_class->plan;
	uint32_t n_slots = stream->trace->n_slots;
	struct tn_machine m = { .p = batch->data, .end = batch->entry.content_bits };

	d->data = NULL;
	if (!d->slot)
		d->slot = calloc((size_t)n_slots + 1, sizeof *d->slot);
	if (!d->repeat)
		d->repeat = calloc(TN_REPEATS, sizeof *d->repeat);
	if (!d->slot || !d->repeat)
		return false;
	memset(d->slot, 0, n_slots * sizeof *d->slot);
	m.slot = d->slot;
	for (unsigned scope = TN_SCOPE_PACKET_HEADER; scope <= TN_SCOPE_PACKET_CONTEXT; scope++)
		if (plan->skip[scope] && tn_machine_skip(&m, plan->skip[scope]) != TN_TROUBLE_NONE)
			return false;
	d->context.n = 0;
	if (!put_packet(text, cache, d, batch, scratch))
		return false;
	if (!tn_str_reserve(&d->context, 0) || !tn_str_reserve(&d->cells, 0))	/* slack behind them */
		return false;
	d->packet = batch->packet;
	d->most = tn_line_most(batch);
	d->data = batch->data;
	return true;
}

/* ---- the line ---- */

/* What is the same for all rows of a batch. */
struct place {
	const struct tn_text *text;
	const struct tn_batch *batch;
	const struct tn_plan *plan;
	struct tn_direct *direct;	/* NULL: all rows need the general path */
	struct tn_second *second;
	struct tn_str *out;
};

/*
 * The line of a row whose class has a code. TN_END, with @out as it was: this row needs the general path,
 * which also finds the words for what cannot be decoded.
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
	p = now->known ? tn_put_usual_stamp(out->text + n, at->second, now->ns, previous) : out->text + n;
	if (UNLIKELY(!p)) {
		tn_put_stamp(at->text, at->second, true, now->ns, now->cycles, previous, out);
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

struct tn_direct *
tn_direct_enter(const struct tn_text *text, struct tn_line_cache *cache, const struct tn_batch *batch,
		struct tn_event *scratch)
{
	struct tn_direct *d = &cache->of_stream[batch->stream->rank];

	return enter_packet(text, cache, d, batch, scratch) ? d : NULL;
}

enum tn_code
tn_line_append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
		    size_t end, struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err)
{
	const struct tn_stream *stream = batch->stream;
	struct tn_line_cache *cache = state->cache ? state->cache : tn_line_cache_of(text, state);
	const struct tn_clock *clock = stream->stream_class->clock;
	struct tn_line_previous now = { .known = clock };
	const struct tn_class_words *of_class = NULL;
	struct place at = { .text = text, .batch = batch, .plan = stream->stream_class->plan, .out = out };
	bool with_cycles = text->options.time == TN_TIME_CYCLES, fits;
	size_t most, stop_at = state->stop_at ? state->stop_at : SIZE_MAX;
	enum tn_code rc = TN_OK;

	if (UNLIKELY(text->options.format != TN_LINE_TEXT))
		return tn_record_append_rows(text, state, batch, row, end, out, err);
	if (LIKELY(cache && stream->rank < text->n_streams && (!clock || !clock->beyond || with_cycles))) {
		at.direct = at.plan ? direct_of(text, cache, batch, &state->event) : NULL;
		at.second = &cache->second;
		of_class = text->of_stream[stream->rank]->of_class;
	}
	most = at.direct ? at.direct->most : tn_line_most(batch);
	for (; *row < end && out->n < stop_at; ++*row) {
		const struct tn_ref *ref = &batch->refs.item[*row];

		if (UNLIKELY(ref->event_class == TN_REF_NOTICE))
			break;
		out->most = out->n + most;
		now.ns = UNLIKELY(batch->cycles != NULL) ? tn_batch_time(batch, *row) : ref->time_ns;
		if (UNLIKELY(with_cycles))
			now.cycles = tn_batch_cycles(batch, *row);
		rc = TN_END;
		fits = LIKELY(!batch->cycles) || with_cycles || tn_clock_fits(clock, now.ns);
		if (LIKELY(at.direct && fits && of_class[ref->event_class].code))
			rc = put_line(&at, &of_class[ref->event_class], ref->bit, &now, previous, err);
		if (UNLIKELY(rc == TN_END))
			rc = tn_line_append_values(text, state, batch, *row, previous, out, err);
		else if (rc == TN_OK && previous && now.known)
			*previous = now;
		if (UNLIKELY(rc != TN_OK))
			break;
	}
	out->most = 0;
	tn_str_end(out);
	return rc;
}

enum tn_code
tn_line_append(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t row,
	       struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err)
{
	return tn_line_append_rows(text, state, batch, &row, row + 1, previous, out, err);
}
