/* direct_template_run.h - write a line by its template; for files that have run_text() and put_rare() */
#include "text/direct_template.h"

/* The end, in bits, of a header with a shape. 0: the header is longer, or does not have a shape. */
static inline uint64_t
after_shape(const struct tn_plan *plan, const uint8_t *data, uint64_t at, uint64_t end)
{
	uint64_t next = tn_align_up(at, plan->shape_align);
	const uint8_t *p = data + (next >> 3);

	if (LIKELY(plan->shape == TN_SHAPE_COMPACT)) {
		if (end < 32 || next > end - 32 || (plan->shape_big_endian ? p[0] >> 3 : p[0] & 31u) == plan->shape_long)
			return 0;
		return next + 32;
	}
	if (plan->shape != TN_SHAPE_LARGE)
		return plan->shape == TN_SHAPE_FIXED && at <= end && end - at >= plan->shape_bits ? at + plan->shape_bits : 0;
	next = tn_align_up(next + 16, plan->shape_time_align) + 32;
	return next > end || (p[0] == 0xff && p[1] == 0xff) ? 0 : next;
}

/* Skip a header of another kind. */
static __attribute__((noinline)) uint64_t
after_header(const struct place *at, uint64_t bit)
{
	struct tn_machine m = {
		.p = at->batch->data, .at = bit, .end = at->batch->entry.content_bits, .slot = at->direct->slot,
	};

	if (bit > m.end || tn_machine_skip(&m, at->plan->header) != TN_TROUBLE_NONE)
		return 0;
	at->direct->record = m.record;
	return m.at;
}

/* Write the text between stamp and fields, and keep it if it can repeat. */
static __attribute__((noinline)) bool
put_new_prefix(const struct place *at, const struct tn_class_words *words, struct tn_prefix *keep, uint64_t *bit,
	       struct text_sink *s)
{
	struct tn_direct *d = at->direct;
	struct tn_machine m = {
		.p = at->batch->data, .at = *bit, .end = at->batch->entry.content_bits, .slot = d->slot,
	};
	size_t begin = (size_t)(s->p - s->out->text), n;

	s->p = copy(s->p, words->head.text, words->head.n);
	if (d->context.n)
		s->p = copy(s->p, d->context.text, d->context.n);
	if (words->repeat_bytes && put_repeating(run_text, words, d, &m, s) != TN_TROUBLE_NONE)
		return false;
	*bit = m.at;
	n = (size_t)(s->p - s->out->text) - begin;
	if (!room(s, words->template->need))
		return false;
	if (!keep || n > TN_PREFIX_TEXT)
		return true;
	keep->words = words;
	keep->n_text = (uint32_t)n;
	if (words->repeat_bytes)
		memcpy(keep->bytes, m.p + (m.at >> 3) - words->repeat_bytes, words->repeat_bytes);
	memcpy(keep->text, s->out->text + begin, n);
	return true;
}

/*
 * Write head, packet context and common context at @p. *bit is the position after the header, then after the common
 * context.
 */
static inline __attribute__((always_inline)) char *
put_prefix(const struct place *at, const struct tn_class_words *words, const uint8_t *data, uint64_t end, uint64_t *bit,
	   struct text_sink *s, char *p)
{
	struct tn_direct *d = at->direct;
	struct tn_prefix *keep;
	uint64_t hash = 0, next = *bit;
	uint32_t n = words->repeat_bytes;
	const uint8_t *from = NULL;

	if (LIKELY(n)) {
		next = tn_align_up(next, words->repeat_align);
		from = data + (next >> 3);
		next += 8 * (uint64_t)n;
		if (UNLIKELY(d->varies || next > end)) {
			s->p = p;
			return put_new_prefix(at, words, NULL, bit, s) ? s->p : NULL;
		}
		hash = hash_of(from, n);
	}
	/* Different entries for consecutive classes. */
	keep = &d->prefix[((hash >> 58) + 37 * (uint64_t)(words - d->of_class)) % TN_PREFIXES];
	if (UNLIKELY(keep->words != words || (n && !same_bytes(keep->bytes, from, n)))) {
		/* If contexts mostly differ, do not keep them. */
		d->prefix_misses += d->prefix_misses <= 4096 + d->prefix_hits;
		s->p = p;
		return put_new_prefix(at, words, d->prefix_misses <= 4096 + d->prefix_hits ? keep : NULL, bit, s) ? s->p : NULL;
	}
	d->prefix_hits++;
	n = keep->n_text;
	memcpy(p, keep->text, 96);
	if (UNLIKELY(n > 96))
		memcpy(p + 96, keep->text + 96, n - 96);
	*bit = next;
	return p + n;
}
_Static_assert(TN_PREFIXES == 64, "the hash has six bits");

#define TN_PUT_STEP 1024	/* bytes of a string for which space is reserved at a time */

/* Write a string up to its zero byte. False: there is no zero byte before @end, or not enough space. */
static inline bool
put_text(struct text_sink *s, const struct tn_template_op *op, const uint8_t **from, const uint8_t *end)
{
	while (UNLIKELY(!tn_put_terminated(&s->p, s->limit - TN_STR_SLACK, from, end)))
		if (*from >= end || !tn_sink_more(s, op->need + TN_PUT_STEP))
			return false;
	return room(s, op->need);
}

static inline uint64_t
load_at(const struct tn_template_op *op, const uint8_t *from)
{
	uint64_t v = tn_load64(from);

	if (UNLIKELY(op->big_endian))
		v = __builtin_bswap64(v);
	v = v >> op->shift & op->mask;
	return (v ^ op->sign) - op->sign;
}

/* Write elements from *from on; then *from is after them. */
static inline bool
put_array(struct text_sink *s, const struct tn_template_op *op, const struct tn_slot *slot, const uint8_t **from,
	  const uint8_t *end)
{
	const struct tn_template_array *a = op->array;
	uint64_t n = a->count, left;
	const uint8_t *at = *from;
	char *p;

	if (a->counted) {
		if (UNLIKELY(!slot[n].is_set))
			return false;
		n = slot[n].value;
	}
	left = at <= end ? (uint64_t)(end - at) : 0;
	if (UNLIKELY(n && (left < a->size || n - 1 > (left - a->size) / a->stride)))
		return false;
	*from = n ? at + (n - 1) * a->stride + a->size : at;
	for (uint64_t i = 0; i < n; i++, at += a->stride) {
		uint64_t v = load_at(op, at + op->align);

		if (UNLIKELY(!room(s, a->need)))
			return false;
		p = s->p;
		*p = ',';
		p += i > 0;
		memcpy(p, " [", 2);
		p++;
		if (a->names) {
			p = tn_put_u64(p + 1, i);
			memcpy(p, "] = ", 4);
			p += 4;
		}
		p = copy(p, a->lead.text, a->lead.n);
		p = a->how == TN_TEMPLATE_DECIMAL ? tn_put_u64(p, v) : a->how == TN_TEMPLATE_HEX ? tn_put_hex(p, v)
												: tn_put_i64(p, (int64_t)v);
		s->p = LIKELY(!a->tail.n) ? p : copy(p, a->tail.text, a->tail.n);
	}
	return room(s, op->need);
}

/* Write a string up to its zero byte, or @n bytes. */
static inline bool
put_sized_text(struct text_sink *s, const struct tn_template_op *op, const uint8_t *from, size_t n)
{
	n = tn_run_text_size(from, n, 0);
	if (UNLIKELY(!room(s, op->need + 4 * n)))
		return false;
	s->p = tn_put_mapped(s->p, from, n);
	return true;
}

/* Write the text of the number at @from. */
static inline bool
put_lookup(struct text_sink *s, const struct tn_template_op *op, const uint8_t *from)
{
	size_t n;
	const char *text = tn_lookup_at(op->lookup, from, tn_run_word(from, 0, op->align), &n);

	if (UNLIKELY(n > TN_PUT_PIECE || !room(s, op->need + 4 * n)))
		return false;
	s->p = tn_put_mapped(s->p, (const uint8_t *)text, n);
	return true;
}

/* Write the text whose place in the record the number at @from gives. */
static inline bool
put_located(const struct place *at, struct text_sink *s, const struct tn_template_op *op, const uint8_t *from,
	    const uint8_t *end)
{
	const uint8_t *data = at->batch->data;
	uint64_t bytes, where;

	if (UNLIKELY(op->bits < TN_LOCATED_REST && (from > end || end - from < 4)))
		return false;
	where = tn_run_locate(data, at->direct->record, (uint64_t)(from - data) * 8, (uint64_t)(end - data) * 8, op->bits,
			      op->align, &bytes);
	return LIKELY(bytes <= TN_PUT_PIECE) && put_sized_text(s, op, data + (where >> 3), (size_t)bytes);
}

/* Let the machine write the rest of a line. */
static __attribute__((noinline)) bool
run_rest(const struct place *at, const struct tn_class_words *words, const struct tn_template_op *op, const uint8_t *from,
	 struct text_sink *s)
{
	struct tn_machine m = {
		.p = at->batch->data, .at = (uint64_t)(from - at->batch->data) * 8,
		.end = at->batch->entry.content_bits, .slot = at->direct->slot, .record = at->direct->record,
	};
	enum tn_trouble trouble;

	if (m.at > m.end)
		return false;
	s->first = op->run;
	trouble = run_text(&m, words->code, s);
	s->first = NULL;
	s->level = 0;
	if (trouble != TN_TROUBLE_NONE || !room(s, 1))
		return false;
	*s->p++ = '\n';
	return true;
}

/* Write the value of a rare kind of number. NULL: the row is unusual. */
static __attribute__((noinline)) char *
put_seldom(struct text_sink *s, const struct tn_template_op *op, uint64_t v, char *p)
{
	switch ((enum tn_template_code)op->code) {
	case TN_TEMPLATE_FLOAT:
		return tn_put_double(p, tn_run_float(v, op->bits));
	case TN_TEMPLATE_ENUM:
		leave(s, p);
		tn_direct_put_enum(s->text, op->field, v, s->out);
		return come_back(s, op->field) && room(s, op->need) ? s->p : NULL;
	case TN_TEMPLATE_RARE:
		return put_rare(s, op->field, v, p) && room(s, op->need) ? s->p : NULL;
	default:
		return p;	/* LOAD writes nothing */
	}
}

static inline __attribute__((always_inline)) char *
put_number_of(struct text_sink *s, const struct tn_template_op *op, uint64_t v, char *p)
{
	if (op->code == TN_TEMPLATE_DECIMAL)
		return tn_put_u64(p, v);
	if (op->code == TN_TEMPLATE_HEX)
		return tn_put_hex(p, v);
	if (op->code == TN_TEMPLATE_SIGNED)
		return tn_put_i64(p, (int64_t)v);
	if (op->code == TN_TEMPLATE_ENUM && LIKELY(v < op->field->n_dense)) {
		const struct tn_words *w = &op->field->dense[v];

		s->p = p;
		return LIKELY(room(s, w->n + op->need)) ? copy(s->p, w->text, w->n) : NULL;
	}
	return put_seldom(s, op, v, p);
}

/* Write the fields, which begin at @from, up to the newline. NULL: the row is unusual. */
static inline __attribute__((always_inline)) char *
put_fields(const struct place *at, const struct tn_class_words *words, const uint8_t *from, const uint8_t *end,
	   struct text_sink *s, char *p)
{
	const struct tn_template_op *op = words->template->op;
	uint64_t v = 0;

	if (UNLIKELY(from > end || (uint64_t)(end - from) < words->template->check))
		return NULL;
	for (;; op++) {
		p = copy(p, op->lead, op->lead_n);
		if (op->code <= TN_TEMPLATE_NUMBERS) {
			v = load_at(op, from + op->byte);
			p = put_number_of(s, op, v, p);
			if (UNLIKELY(!p))
				return NULL;
			continue;
		}
		if (op->code == TN_TEMPLATE_END)
			return p;
		if (op->code == TN_TEMPLATE_SAVE) {
			at->direct->slot[op->align] = (struct tn_slot) { v, 1 };
			continue;
		}
		if (op->code == TN_TEMPLATE_TEXT) {
			s->p = p;
			if (UNLIKELY(!put_sized_text(s, op, from + op->byte, (size_t)op->mask)))
				return NULL;
			p = s->p;
			continue;
		}
		if (op->code == TN_TEMPLATE_LOOKUP) {
			s->p = p;
			if (UNLIKELY(!put_lookup(s, op, from + op->byte)))
				return NULL;
			p = s->p;
			continue;
		}
		from += op->byte;
		s->p = p;
		switch ((enum tn_template_code)op->code) {
		case TN_TEMPLATE_STRING:
			if (UNLIKELY(!put_text(s, op, &from, end)))
				return NULL;
			break;
		case TN_TEMPLATE_LOCATED:
			if (UNLIKELY(!put_located(at, s, op, from, end)))
				return NULL;
			break;
		case TN_TEMPLATE_ARRAY:
			if (UNLIKELY(!put_array(s, op, at->direct->slot, &from, end)))
				return NULL;
			break;
		case TN_TEMPLATE_RECORD:
			at->direct->record = (uint64_t)(from - at->batch->data) * 8;
			break;
		case TN_TEMPLATE_CHECK:
			if (UNLIKELY(op->align > 1))
				from = at->batch->data + tn_align_up((uint64_t)(from - at->batch->data), op->align);
			if (UNLIKELY(from > end || (uint64_t)(end - from) < op->mask))
				return NULL;
			break;
		case TN_TEMPLATE_PASS:
			from = from < end ? memchr(from, 0, (size_t)(end - from)) : NULL;
			if (!from++)
				return NULL;
			break;
		default:
			return run_rest(at, words, op, from, s) ? s->p : NULL;
		}
		p = s->p;
	}
}

/* Write "[time] (delta) " at @p; NULL: the stamp has another form. */
static __attribute__((noinline)) char *
put_other_stamp(char *p, struct tn_second *second, int64_t now, const struct tn_line_previous *previous)
{
	char *end = tn_put_usual_stamp(p, second, now, previous);

	if (end)
		tn_cache_stamp(second, p, now, (uint64_t)now - (uint64_t)previous->ns);
	return end;
}

/*
 * Write the lines of the rows from @row to @last by their templates, up to the first unusual row; s->p is then after
 * the last line. Returns the first row without a line.
 */
static inline __attribute__((always_inline)) const struct tn_ref *
put_simple_rows(const struct place *at, const struct tn_ref *row, const struct tn_ref *last, size_t stop_at,
		struct tn_line_previous *previous, struct text_sink *s)
{
	const struct tn_direct *d = at->direct;
	const uint8_t *data = at->batch->data;
	const uint64_t end = at->batch->entry.content_bits, base = at->batch->base_bit;
	char *p = s->p;

	for (; row < last; row++) {
		const struct tn_class_words *words = &d->of_class[row->event_class];
		size_t begin = (size_t)(p - s->out->text), need;
		uint64_t next;

		if (UNLIKELY(row->event_class == TN_REF_NOTICE || begin >= stop_at || !words->template))
			break;
		next = after_shape(at->plan, data, base + row->bit, end);
		at->direct->record = base + row->bit + at->plan->shape_record;
		if (UNLIKELY(!next) && !(next = after_header(at, base + row->bit)))
			break;
		s->out->most = begin + d->most;
		need = words->template->need + d->context.n;
		if (UNLIKELY((size_t)(s->limit - p) <= need + TN_STR_SLACK)) {
			s->p = p;
			if (!tn_sink_more(s, need))
				break;
			p = s->p;
		}
		s->p = p;
		if (UNLIKELY(!(p = tn_put_next_stamp(p, &at->cache->second, row->time_ns, previous->ns))) &&
		    !(p = put_other_stamp(s->p, &at->cache->second, row->time_ns, previous)))
			break;
		p = put_prefix(at, words, data, end, &next, s, p);
		if (UNLIKELY(!p || !(p = put_fields(at, words, data + (next >> 3), data + (end >> 3), s, p)) ||
			     (size_t)(p - s->out->text) > s->out->most)) {
			s->p = s->out->text + begin;
			break;
		}
		s->p = p;
		previous->ns = row->time_ns;
	}
	return row;
}

/*
 * Write the simple rows of runs. The first run is at @rows, and each following run is @stride bytes after the
 * previous one; begin with row *row of the first run. Returns the number of finished runs. *row becomes the number of
 * finished rows in the next run. *simple is false if the next run has rows that are not simple.
 */
static size_t
put_simple_runs(const struct tn_text *text, struct tn_line_state *state, const struct tn_rows *rows, size_t stride, size_t n,
		size_t *row, struct tn_line_previous *previous, struct tn_str *out, bool *simple)
{
	size_t stop_at = state->stop_at ? state->stop_at : SIZE_MAX, done = 0;
	struct place at = { .text = text, .cache = state->cache ? state->cache : tn_line_cache_of(text, state), .out = out };
	struct text_sink s;

	*simple = false;
	if (UNLIKELY(!at.cache || !previous || (!out->text && !tn_str_reserve(out, 1))))
		return 0;
	s.out = out;
	s.text = text;
	s.first = NULL;
	s.level = 0;
	s.p = out->text + out->n;
	s.limit = out->text + out->room;
	for (; done < n; done++, *row = 0, rows = (const struct tn_rows *)(const void *)((const char *)rows + stride)) {
		const struct tn_ref *ref, *first, *last;

		at.batch = rows->batch;
		*simple = false;
		if (UNLIKELY(at.batch->stream->rank >= text->n_streams || at.batch->cycles))
			break;
		at.plan = at.batch->stream->stream_class->plan;
		at.direct = at.plan ? direct_of(text, at.cache, at.batch, &state->event) : NULL;
		if (UNLIKELY(!at.direct || !at.direct->of_class))
			break;
		*simple = true;
		if (UNLIKELY(!previous->known))
			break;
		first = &at.batch->refs.item[rows->first];
		last = first + rows->n;
		ref = put_simple_rows(&at, first + *row, last, stop_at, previous, &s);
		if (UNLIKELY(ref < last)) {
			*row = (size_t)(ref - first);
			break;
		}
	}
	/* If memory is out, the other path reports it. */
	out->n = out->text ? (size_t)(s.p - out->text) : 0;
	out->most = 0;
	return done;
}
