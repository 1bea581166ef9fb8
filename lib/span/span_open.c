#include "span/span_open.h"

#include <string.h>

#define MOST_IDLE 1024		/* limit of empty stacks that are kept for reuse */
#define IDLE_WORDS 16		/* limit of words in the key of such a stack */

/* ---- stacks ---- */

/* Compare words one by one, because a key has only a few. */
static inline bool
has_key(const struct stack *s, const struct tn_span_record *t)
{
	const uint64_t *w = tn_span_record_words(t);

	if (s->hash != t->hash || s->key_words != t->key_words)
		return false;
	for (uint32_t i = 0; i < t->key_words; i++)
		if (s->key[i] != w[i])
			return false;
	return true;
}

static struct stack *
find_stack(struct tn_open_spans *o, const struct tn_span_record *t)
{
	struct stack **near = &o->near[t->hash % TN_NEAR_STACKS], *s = *near;
	size_t bytes = 8 * (size_t)t->key_words;
	struct tn_hash_item *item;
	bool is_new;

	if (s && has_key(s, t))
		return s;
	item = tn_hash_add_hashed(&o->stacks, t->hash, tn_span_record_words(t), bytes, &is_new);
	if (!item)
		return NULL;
	if (!is_new)
		return *near = item->pointer;
	s = tn_slab_take(&o->slab, sizeof *s + bytes);
	if (!s) {
		tn_hash_remove(&o->stacks, item);
		return NULL;
	}
	*s = (struct stack) { .key_words = t->key_words, .hash = t->hash };
	memcpy(s->key, tn_span_record_words(t), bytes);
	tn_hash_copy_key(item, s->key);
	item->pointer = s;
	return *near = s;
}

struct stack *
tn_open_stack(struct tn_open_spans *o, const struct tn_span_record *t)
{
	struct stack *s = find_stack(o, t);

	if (s && s->is_idle) {
		s->is_idle = false;
		o->n_idle--;
	}
	return s;
}

/* Free an empty stack whose key is not needed by a waiting span, or keep it for reuse. */
void
tn_open_drop(struct tn_open_spans *o, struct stack *s)
{
	if (s->open || s->told || s->is_idle)
		return;
	if (o->n_idle < MOST_IDLE && s->key_words <= IDLE_WORDS) {
		s->is_idle = true;
		o->n_idle++;
		return;
	}
	if (o->near[s->hash % TN_NEAR_STACKS] == s)
		o->near[s->hash % TN_NEAR_STACKS] = NULL;
	tn_hash_remove(&o->stacks, tn_hash_find_hashed(&o->stacks, s->hash, s->key, 8 * (size_t)s->key_words));
	tn_slab_give(&o->slab, s, sizeof *s + 8 * (size_t)s->key_words);
}

void
tn_open_push(struct stack *s, struct begun *b)
{
	b->stack = s;
	b->below = s->last;
	if (s->last)
		s->last->above = b;
	else
		s->first = b;
	s->last = b;
	s->open++;
}

void
tn_open_pull(struct begun *b)
{
	struct stack *s = b->stack;

	if (b->below)
		b->below->above = b->above;
	else
		s->first = b->above;
	if (b->above)
		b->above->below = b->below;
	else
		s->last = b->below;
	s->open--;
}

/* ---- the list ---- */

void
tn_open_append(struct tn_open_spans *o, struct begun *b)
{
	b->before = o->last;
	if (o->last)
		o->last->behind = b;
	else
		o->first = b;
	o->last = b;
}

void
tn_open_forget(struct tn_open_spans *o, struct begun *b)
{
	if (b->before)
		b->before->behind = b->behind;
	else
		o->first = b->behind;
	if (b->behind)
		b->behind->before = b->before;
	else
		o->last = b->before;
	if (!o->is_observed && b->ended)
		tn_slab_give(&o->slab, b->ended, sizeof *b->ended + 8 * (size_t)b->ended->n_words);
	tn_slab_give(&o->slab, b, sizeof *b + 8 * (size_t)b->captured_words);
}

struct begun *
tn_open_new(struct tn_open_spans *o, const uint64_t *captured, size_t n_words)
{
	struct begun *b = tn_slab_take(&o->slab, sizeof *b + 8 * n_words);

	if (!b)
		return NULL;
	*b = (struct begun) { .captured_words = (uint32_t)n_words, .state = TN_SPAN_OPEN };
	if (n_words)
		memcpy(b->captured, captured, 8 * n_words);
	return b;
}

void
tn_open_release(struct tn_open_spans *o)
{
	while (o->first) {
		struct begun *b = o->first;
		struct stack *s = b->stack;

		if (!tn_open_is_done(b))
			tn_open_pull(b);
		else
			s->told--;
		tn_open_forget(o, b);
		tn_open_drop(o, s);
	}
	tn_hash_release(&o->stacks);
	tn_slab_release(&o->slab);
}
