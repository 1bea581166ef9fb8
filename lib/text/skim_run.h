/*
 * skim_run.h - skimming the rows of a batch; to be included behind template_run.h
 */
#include "text/skim.h"

/* An event of more bytes is made: its line may be one that is cut. */
#define MOST_SKIMMED ((uint64_t)8192)

/* What is known behind head and contexts; *bit: behind the header, then behind the common context. NULL: nothing. */
static inline const struct tn_skim_prefix *
skim_prefix(const struct tn_skim *skim, struct tn_skim_state *state, const struct place *at, const struct tn_skim_class *c,
	    uint64_t *bit, struct text_sink *s)
{
	const struct tn_class_words *words = c->words;
	uint64_t end = at->batch->entry.content_bits, hash = 0, next = *bit;
	uint32_t n = words->repeat_bytes;
	const uint8_t *from = NULL;
	struct tn_skim_prefix *keep;

	if (n) {
		next = tn_align_up(next, words->repeat_align);
		from = at->batch->data + (next >> 3);
		next += 8 * (uint64_t)n;
		if (UNLIKELY(next > end))
			return NULL;
		hash = hash_of(from, n);
	}
	keep = &state->prefix[((hash >> 60) + c->number) % TN_SKIM_PREFIXES];
	if (LIKELY(keep->words == words && (!n || same_bytes(keep->bytes, from, n)))) {
		*bit = next;
		return keep;
	}
	keep->words = NULL;
	if (!put_new_prefix(at, words, NULL, bit, s))
		return NULL;
	keep->state = tn_automaton_run(&skim->automaton, skim->begin, s->out->text, (size_t)(s->p - s->out->text));
	s->p = s->out->text;
	keep->dead = keep->state != TN_AUTOMATON_FOUND && c->op->lead[keep->state] != TN_AUTOMATON_FOUND &&
		     c->op->dead[c->op->lead[keep->state]];
	if (n)
		memcpy(keep->bytes, from, n);
	keep->words = words;
	return keep;
}

/* What was written of a value, from the state on. */
static inline uint8_t
skim_text(const struct tn_automaton *a, uint8_t state, struct text_sink *s)
{
	state = tn_automaton_run(a, state, s->out->text, (size_t)(s->p - s->out->text));
	s->p = s->out->text;
	return state;
}

/* A value that is no number: it ends at *from then. False: something is unusual. */
static inline bool
skim_put(const struct place *at, const struct tn_class_words *words, const struct tn_template_op *op, const uint8_t **from,
	 const uint8_t *end, struct text_sink *s)
{
	*from += op->byte;
	switch ((enum tn_template_code)op->code) {
	case TN_TEMPLATE_STRING:
		return put_text(s, op, from, end);
	case TN_TEMPLATE_ARRAY:
		return put_array(s, op, at->direct->slot, from, end);
	case TN_TEMPLATE_CHECK:
		*from = at->batch->data + tn_align_up((uint64_t)(*from - at->batch->data), op->align);
		return *from <= end && (uint64_t)(end - *from) >= op->mask;
	case TN_TEMPLATE_PASS:
		*from = *from < end ? memchr(*from, 0, (size_t)(end - *from)) : NULL;
		return (*from)++ != NULL;
	default:
		return run_rest(at, words, op, *from, s);
	}
}

/* Whether the fields, which begin at @from, may make a match behind @state. */
static inline bool
skim_fields(const struct tn_automaton *a, const struct tn_skim_class *c, uint8_t state, const struct place *at,
	    const uint8_t *from, const uint8_t *end, struct text_sink *s)
{
	const struct tn_template_op *op = c->words->template->op;
	const struct tn_skim_op *skim = c->op;
	uint64_t v = 0;

	if (UNLIKELY(from > end || (uint64_t)(end - from) < c->words->template->check))
		return true;
	for (state = skim->lead[state]; state != TN_AUTOMATON_FOUND; op++, skim++) {
		uint8_t skipped = skim->skip[state];

		if (skim->dead[state])
			return false;
		if (op->code <= TN_TEMPLATE_NUMBERS) {
			v = load_at(op, from + op->byte);
			if (skipped == TN_SKIM_NEED) {
				char *p = put_number_of(s, op, v, s->p);

				if (UNLIKELY(!p))
					return true;
				s->p = p;
				skipped = skim[1].lead[skim_text(a, state, s)];
			}
		} else if (op->code == TN_TEMPLATE_END) {
			return false;
		} else if (op->code == TN_TEMPLATE_SAVE) {
			at->direct->slot[op->align] = (struct tn_slot) { v, 1 };
			skipped = skim[1].lead[state];
		} else {
			if (UNLIKELY(!skim_put(at, c->words, op, &from, end, s)))
				return true;
			if (op->code == TN_TEMPLATE_RUN)
				return skim_text(a, state, s) == TN_AUTOMATON_FOUND;
			if (skipped == TN_SKIM_NEED)
				skipped = skim[1].lead[skim_text(a, state, s)];
			s->p = s->out->text;
		}
		state = skipped;
	}
	return true;
}

/* The bytes of an event up to the next one, at most. */
static inline bool
is_short(const struct tn_batch *b, size_t row)
{
	uint64_t begin = b->base_bit + b->refs.item[row].bit, end = b->entry.content_bits;

	if (row + 1 < b->refs.n && b->refs.item[row + 1].event_class != TN_REF_NOTICE)
		end = b->base_bit + b->refs.item[row + 1].bit;
	return end >= begin && end - begin <= MOST_SKIMMED * 8;
}

static bool
skim_row(const struct tn_skim *skim, const struct tn_skim_class *c, struct tn_skim_state *state, const struct place *at,
	 size_t row, struct text_sink *s)
{
	const struct tn_batch *b = at->batch;
	uint64_t end = b->entry.content_bits, base = b->base_bit + b->refs.item[row].bit, next;
	const struct tn_skim_prefix *prefix;

	if (!is_short(b, row))
		return true;
	next = behind_shape(at->plan, b->data, base, end);
	if (UNLIKELY(!next) && !(next = behind_header(at, base)))
		return true;
	s->p = s->out->text;
	prefix = skim_prefix(skim, state, at, c, &next, s);
	if (!prefix || prefix->dead || prefix->state == TN_AUTOMATON_FOUND)
		return !prefix || !prefix->dead;
	return skim_fields(&skim->automaton, c, prefix->state, at, b->data + (next >> 3), b->data + (end >> 3), s);
}

#define SKIM_TRIAL 4096	/* rows, after which it is known whether it is worth it */

void
tn_skim_rows(const struct tn_skim *skim, struct tn_skim_state *state, const struct tn_batch *b, size_t row, size_t n,
	     uint8_t *pass)
{
	const struct tn_skim_class *of_class = b->stream->rank < skim->n_streams ? skim->of_stream[b->stream->rank] : NULL;
	struct place at = {
		.text = skim->text, .batch = b, .plan = b->stream->stream_class->plan, .out = &state->room,
		.cache = state->line.cache ? state->line.cache : tn_line_cache_of(skim->text, &state->line),
	};
	const struct tn_class_words *words;
	struct text_sink s;

	if (!of_class || !at.cache || !at.plan || b->cycles || (state->seen >= SKIM_TRIAL && state->left > state->seen / 2) ||
	    !memchr(pass, 1, n))
		return;
	at.direct = direct_of(skim->text, at.cache, b, &state->line.event);
	if (!at.direct || !at.direct->of_class ||
	    !tn_str_reserve(&state->room, skim->need + at.direct->context.n + 2 * TN_STR_SLACK))
		return;
	words = skim->text->of_stream[b->stream->rank]->of_class;
	if (state->data != b->data || state->packet != b->packet)
		memset(state->prefix, 0, sizeof state->prefix);
	state->data = b->data;
	state->packet = b->packet;
	state->room.most = at.direct->most;
	s = (struct text_sink) {
		.p = state->room.text, .limit = state->room.text + state->room.room, .out = &state->room, .text = skim->text,
	};
	for (size_t i = 0; i < n; i++) {
		const struct tn_ref *ref;

		if (!pass[i]) {
			const uint8_t *next = memchr(pass + i, 1, n - i);

			if (!next)
				break;
			i = (size_t)(next - pass);
		}
		ref = &b->refs.item[row + i];
		if (ref->event_class == TN_REF_NOTICE)
			continue;
		state->seen++;
		if (of_class[ref->event_class].words == &words[ref->event_class])
			pass[i] = skim_row(skim, &of_class[ref->event_class], state, &at, row + i, &s);
		state->left += pass[i];
	}
	if (state->seen > UINT32_MAX / 2) {
		state->seen /= 2;
		state->left /= 2;
	}
	state->room.n = 0;
	state->room.most = 0;
	state->room.failed = state->room.full = false;
}
