/*
 * shape.c - the texts between the values of events as a tree, to read events of known shapes without comparing keys
 *
 * A program writes all events of a kind with the same keys, blanks and order. A state of the tree is the text before a
 * value, together with the kind of that value. An event whose texts are not a path in the tree is read by its members;
 * its path is then added.
 */
#include <string.h>

#include "base/bits.h"
#include "chromejson/private.h"

#define MOST_STATES 4096
#define MOST_NEXT 16	/* limit of states that can follow a state; an event may be compared with all of them */
#define MOST_TEXT 200	/* limit of bytes in a text */
#define MOST_DEPTH 6

enum { STRING, TOKEN, LIST, END };

struct tn_cj_state {
	const uint8_t *text;	/* zeros follow the text, because it is compared in words */
	uint64_t word, mask;	/* first eight bytes of the text, and a mask of the valid ones */
	uint32_t n;
	uint8_t kind, which;	/* kind of the value after the text; the member (TN_CJ_PH, ...) */
	uint32_t next, after;	/* another state at the same place; the first state after this one; 0: none */
};

/* ---- known shapes ---- */

static inline bool
begins_with(const uint8_t *p, const uint8_t *end, const struct tn_cj_state *s)
{
	size_t n = s->n, i = 8;

	if ((tn_load64(p) ^ s->word) & s->mask || (size_t)(end - p) < n)
		return false;
	for (; i < n; i += 8)
		if ((tn_load64(p + i) ^ tn_load64(s->text + i)) << (n - i < 8 ? 64 - 8 * (n - i) : 0))
			return false;
	return true;
}

/* Whether a value that begins with @c is of the kind: several states may have the same text. */
static inline bool
fits(uint8_t c, uint8_t kind)
{
	return kind == STRING || kind == END || (c == '[' ? kind == LIST : kind == TOKEN && c != '"' && c != '{');
}

/* Find the state with the text at @p, and move it to the front of its list; NULL: none. */
static struct tn_cj_state *
step(struct tn_cj_shapes *t, uint32_t *first, const uint8_t *p, const uint8_t *end)
{
	struct tn_cj_state *all = t->states.item;

	for (uint32_t i = *first, *link = first; i; link = &all[i].next, i = *link)
		if (begins_with(p, end, &all[i]) && fits(p[all[i].n], all[i].kind)) {
			if (link != first) {
				*link = all[i].next;
				all[i].next = *first;
				*first = i;
			}
			return &all[i];
		}
	return NULL;
}

const uint8_t *
tn_cj_shape_read(struct tn_cj_shapes *t, const uint8_t *p, const uint8_t *end, struct tn_cj_event *e)
{
	uint32_t *first = &t->first;

	for (unsigned i = 0; i < TN_CJ_SPECIAL; i++)
		e->value[i].p = NULL;
	e->phase = '?';
	for (t->n = 0;; t->n++) {
		struct tn_cj_state *s = step(t, first, p, end);
		struct tn_cj_piece *value = &t->value[t->n];

		if (!s)
			return NULL;
		p += s->n;
		if (s->kind == END) {
			t->shape = (uint32_t)(s - t->states.item);
			return p;
		}
		*value = (struct tn_cj_piece) { p, 0, false };
		if (s->kind == STRING)
			/* The quote after the string belongs to the next text. */
			p = (p = tn_cj_string(p - 1, end, value)) ? p - 1 : NULL;
		else
			p = s->kind == TOKEN ? tn_cj_token(p, end) : tn_cj_skip(p, end);
		if (!p)
			return NULL;
		value->n = (size_t)(p - value->p);
		t->which[t->n] = s->which;
		t->is_string[t->n] = s->kind == STRING;
		if (s->which < TN_CJ_SPECIAL) {
			e->value[s->which] = *value;
			e->is_string[s->which] = s->kind == STRING;
			if (s->which == TN_CJ_PH)
				e->phase = s->kind == STRING && value->n == 1 ? (char)*value->p : '?';
		}
		first = &s->after;
	}
}

/* ---- learning ---- */

/* Find or make the state with this text in the list *first. NULL: there are too many states, or memory is out. */
static struct tn_cj_state *
state_of(struct tn_cj_shapes *t, struct tn_arena *arena, uint32_t before, struct tn_cj_piece text, uint8_t kind, uint8_t which)
{
	uint32_t *first = before ? &t->states.item[before].after : &t->first, n = 0;
	struct tn_cj_state *s, *all = t->states.item;
	uint8_t *copy;

	for (uint32_t i = *first; i; i = all[i].next, n++)
		if (all[i].kind == kind && all[i].n == text.n && memcmp(all[i].text, text.p, text.n) == 0)
			return &all[i];
	if (n >= MOST_NEXT || t->states.n >= MOST_STATES || !text.n || text.n > MOST_TEXT ||
	    !(copy = tn_arena_alloc(arena, text.n + 8)) || !(s = TN_ARRAY_ADD(&t->states)))
		return NULL;
	memcpy(copy, text.p, text.n);
	memset(copy + text.n, 0, 8);
	first = before ? &t->states.item[before].after : &t->first;
	*s = (struct tn_cj_state) { .text = copy, .n = (uint32_t)text.n, .kind = kind, .which = which, .next = *first,
				    .word = tn_load64(copy), .mask = text.n < 8 ? tn_low_bits(UINT64_MAX, 8 * (unsigned)text.n) :
				    UINT64_MAX };
	*first = (uint32_t)(s - t->states.item);
	return s;
}

void
tn_cj_shape_learn(struct tn_cj_shapes *t, struct tn_arena *arena, const uint8_t *p, const uint8_t *end)
{
	struct tn_cj_piece key, unused;
	const uint8_t *text = p, *value;
	uint32_t before = 0;
	unsigned depth = 1, n = 0;
	bool last;

	/* State 0 means none. */
	if (t->states.n >= MOST_STATES || (!t->states.n && !TN_ARRAY_ADD(&t->states)))
		return;
	for (p++; depth && (p = tn_cj_member(p, end, &key, &last));) {
		unsigned which = depth == 1 && !last ? tn_cj_special(&key) : TN_CJ_SPECIAL;
		struct tn_cj_state *s;
		uint8_t kind = END;

		if (last && --depth)
			continue;
		value = p;
		if (!last && *p == '{') {
			/* A key that gives the time or place of an event is not read from an object here. */
			if (which <= TN_CJ_CAT || ++depth > MOST_DEPTH)
				return;
			p++;
			continue;
		}
		if (!last)
			kind = *p == '"' ? STRING : *p == '[' ? LIST : TOKEN;
		if (kind == STRING) {
			value = p + 1;
			p = (p = tn_cj_string(p, end, &unused)) ? p - 1 : NULL;
		} else if (kind != END) {
			p = kind == LIST && which <= TN_CJ_CAT ? NULL : tn_cj_skip(p, end);
		}
		if (!p || ++n > TN_CJ_VALUES)
			return;
		s = state_of(t, arena, before, (struct tn_cj_piece) { text, (size_t)(value - text), false }, kind, (uint8_t)which);
		if (!s)
			return;
		before = (uint32_t)(s - t->states.item);
		text = p;
		p += kind == STRING;
	}
}
