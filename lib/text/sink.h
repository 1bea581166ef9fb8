/* sink.h - the common parts of the sinks of the direct path: space for the text, headers, repeating contexts */
#ifndef TN_TEXT_SINK_H
#define TN_TEXT_SINK_H

#include "text/direct.h"
#include "text/direct_field.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

struct text_sink {
	char *p;		/* the place in out->text for the next character */
	char *limit;		/* the end of the space */
	struct tn_str *out;
	const struct tn_text *text;
	const struct tn_op *first;	/* instruction where the machine begins; NULL: the first one of its code */
	unsigned level;
	/* For each level of nesting. Array: number of elements written. Variant or optional: whether it has content. */
	uint64_t level_n[TN_PLAN_DEPTH];
};

bool tn_sink_more(struct text_sink *s, size_t need);

/* Reserve @need bytes, and the slack. */
static inline bool
room(struct text_sink *s, size_t need)
{
	return LIKELY((size_t)(s->limit - s->p) > need + TN_STR_SLACK) || tn_sink_more(s, need);
}

/* Copy in whole chunks: slack follows both the source and the reserved space. */
static inline char *
copy(char *p, const char *text, size_t n)
{
	memcpy(p, text, 32);
	if (UNLIKELY(n > 32))
		memcpy(p + 32, text + 32, n - 32);
	return p + n;
}

/* The result if the text before a value was not written: the value is hidden, or there is no more space. */
static inline bool
is_hidden(const struct text_field *f)
{
	return f->how == HOW_HIDDEN;
}

/* Before a value that is too rare for its own code: write it through the buffer. */
static inline void
leave(struct text_sink *s, char *p)
{
	s->p = p;
	s->out->n = (size_t)(p - s->out->text);
}

/* Write the text after a value. */
static inline bool
put_tail(struct text_sink *s, const struct text_field *f, char *p)
{
	memcpy(p, f->tail.text, 16);
	if (UNLIKELY(f->tail.n > 16))
		memcpy(p + 16, f->tail.text + 16, f->tail.n - 16);
	s->p = p + f->tail.n;
	return true;
}

/* After a write through the buffer: reserve space for the tail. */
static inline bool
come_back(struct text_sink *s, const struct text_field *f)
{
	s->p = s->out->text + s->out->n;
	s->limit = s->out->text + s->out->room;
	return !s->out->failed && room(s, f->need);
}

/* Write the words of a dense value @v, which is less than n_dense, and the tail. */
static inline bool
put_words(struct text_sink *s, const struct text_field *f, uint64_t v, char *p)
{
	const struct tn_words *w = &f->dense[v];

	s->p = p;
	return room(s, w->n + f->need) && put_tail(s, f, copy(s->p, w->text, w->n));
}

/* Begin a compound. False: the nesting is too deep. */
static inline bool
open_level(struct text_sink *s, uint64_t n)
{
	if (s->level == TN_PLAN_DEPTH)
		return false;
	s->level_n[s->level++] = n;
	return true;
}

/* ---- the event header ---- */

/* Skip a header with a shape, in its short form. False: the header has another form. */
static inline bool
pass_shape(const struct tn_plan *plan, struct tn_machine *m)
{
	uint64_t at = tn_align_up(m->at, plan->shape_align), end;
	const uint8_t *p = m->p + (at >> 3);
	uint32_t id;

	if (plan->shape == TN_SHAPE_COMPACT) {
		if (m->end < 32 || at > m->end - 32)
			return false;
		id = plan->shape_big_endian ? p[0] >> 3 : p[0] & 31;
		end = at + 32;
		m->record = at;
		if (id == plan->shape_long)
			return false;
	} else if (plan->shape == TN_SHAPE_LARGE) {
		end = tn_align_up(at + 16, plan->shape_time_align) + 32;
		if (end > m->end || (p[0] == 0xff && p[1] == 0xff))
			return false;
	} else if (plan->shape == TN_SHAPE_FIXED && m->at <= m->end && m->end - m->at >= plan->shape_bits) {
		end = m->at + plan->shape_bits;
		m->record = m->at + plan->shape_record;
	} else {
		return false;
	}
	m->at = end;
	return true;
}

/* ---- the common context, if it can repeat ---- */

/* A hash of only the first eight and the last eight of @n bytes. */
static inline uint64_t
hash_of(const uint8_t *p, uint32_t n)
{
	uint64_t h = n < 8 ? tn_load64_be(p) >> (64 - 8 * n) : tn_load64(p) ^ tn_load64(p + n - 8) << 1;

	return h * UINT64_C(0x9e3779b97f4a7c15);
}

static inline struct tn_repeat *
repeat_of(struct tn_direct *d, const uint8_t *p, uint32_t n)
{
	return &d->repeat[hash_of(p, n) >> 61];
}
_Static_assert(TN_REPEATS == 8, "the hash has three bits");

/*
 * Both can be read up to the next multiple of eight bytes: space follows one of them, and the slack of the map the
 * other.
 */
static inline bool
same_bytes(const uint8_t *a, const uint8_t *b, uint32_t n)
{
	if (LIKELY(n - 16 <= 16))	/* four words, which may overlap */
		return !((tn_load64(a) ^ tn_load64(b)) | (tn_load64(a + 8) ^ tn_load64(b + 8)) |
			 (tn_load64(a + n - 16) ^ tn_load64(b + n - 16)) | (tn_load64(a + n - 8) ^ tn_load64(b + n - 8)));
	for (; n >= 8; n -= 8, a += 8, b += 8)
		if (tn_load64(a) != tn_load64(b))
			return false;
	return !n || tn_load64(a) << (64 - 8 * n) == tn_load64(b) << (64 - 8 * n);
}

typedef enum tn_trouble run_fn(struct tn_machine *m, const struct tn_op *code, struct text_sink *s);

/* Write the common context, and keep its text with its bytes. */
static __attribute__((noinline)) enum tn_trouble
put_new_context(run_fn *run, const struct tn_class_words *words, struct tn_direct *d, struct tn_repeat *r, const uint8_t *from,
		struct tn_machine *m, struct text_sink *s)
{
	size_t old = (size_t)(s->p - s->out->text), n;
	enum tn_trouble trouble = run(m, words->repeats, s);

	/* If contexts mostly differ (counters), do not keep them. */
	d->varies = ++d->misses > UINT64_C(256) + d->hits + d->prefix_hits;
	n = (size_t)(s->p - s->out->text) - old;
	if (trouble == TN_TROUBLE_NONE && n && n <= TN_REPEAT_TEXT) {
		memcpy(r->bytes, from, words->repeat_bytes);
		memcpy(r->text, s->out->text + old, n);
		r->n_bytes = words->repeat_bytes;
		r->n_text = (uint32_t)n;
	}
	return trouble;
}

/* Write the common context: the text that was kept for the same bytes, or a new one. */
static inline __attribute__((always_inline)) enum tn_trouble
put_repeating(run_fn *run, const struct tn_class_words *words, struct tn_direct *d, struct tn_machine *m,
	      struct text_sink *s)
{
	uint64_t at = tn_align_up(m->at, words->repeat_align), bits = 8 * (uint64_t)words->repeat_bytes;
	const uint8_t *from = m->p + (at >> 3);
	struct tn_repeat *r;

	if (UNLIKELY(d->varies || at > m->end || m->end - at < bits))
		return run(m, words->repeats, s);
	r = repeat_of(d, from, words->repeat_bytes);
	if (UNLIKELY(r->n_bytes != words->repeat_bytes || !same_bytes(r->bytes, from, r->n_bytes)))
		return put_new_context(run, words, d, r, from, m, s);
	if (!room(s, r->n_text))
		return TN_TROUBLE_SINK;
	memcpy(s->p, r->text, 64);
	if (UNLIKELY(r->n_text > 64))
		memcpy(s->p + 64, r->text + 64, r->n_text - 64);
	s->p += r->n_text;
	m->at = at + bits;
	d->hits++;
	return TN_TROUBLE_NONE;
}

/* direct_enter.c: the state of the direct path for the packet of @batch. NULL: the direct path is impossible. */
struct tn_direct *tn_direct_enter(const struct tn_text *text, struct tn_line_cache *cache, const struct tn_batch *batch,
				  struct tn_event *scratch);

static inline bool
is_at(const struct tn_direct *d, const struct tn_batch *batch)
{
	return d->data == batch->data && d->packet == batch->packet;
}

static inline struct tn_direct *
direct_of(const struct tn_text *text, struct tn_line_cache *cache, const struct tn_batch *batch,
	  struct tn_event *scratch)
{
	struct tn_direct *d = &cache->of_stream[batch->stream->rank];

	return LIKELY(is_at(d, batch)) ? d : tn_direct_enter(text, cache, batch, scratch);
}

/* ---- rows ---- */

/* Values that are the same for all rows of a batch. */
struct place {
	const struct tn_text *text;
	const struct tn_batch *batch;
	const struct tn_plan *plan;
	struct tn_direct *direct;	/* NULL: all rows need the general path */
	struct tn_line_cache *cache;
	struct tn_str *out;
};

#endif
