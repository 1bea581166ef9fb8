/*
 * pack.h - values packed into words, one after another
 *
 * A number has two words, or three with its type; a text has one word and its bytes. Packed without types, equal values
 * have equal bytes, so they can be keys.
 */
#ifndef TN_SCAN_PACK_H
#define TN_SCAN_PACK_H

#include <string.h>

#include <tnav/answer.h>

#include "base/array.h"

struct tn_words_out {
	uint64_t *item;
	size_t n, room;
};

static inline bool
tn_pack(struct tn_words_out *out, const struct tn_answer_value *v, bool with_type)
{
	size_t words = v->kind == TN_ANSWER_TEXT ? 1 + (v->n + 7) / 8 : 3;
	uint64_t *w;

	if (!TN_ARRAY_RESERVE(out, out->n + words))
		return false;
	w = out->item + out->n;
	if (v->kind == TN_ANSWER_TEXT) {
		w[0] = (uint64_t)v->kind | (uint64_t)v->n << 8;
		w[words - 1] = words > 1 ? 0 : w[0];
		if (v->n)
			memcpy(w + 1, v->text, v->n);
		out->n += words;
		return true;
	}
	with_type = with_type && v->type;
	w[0] = (uint64_t)v->kind | (with_type ? 0x80 : 0);
	w[1] = v->kind == TN_ANSWER_NONE ? 0 : v->is.u;
	if (with_type)
		w[2] = (uint64_t)(uintptr_t)v->type;
	out->n += with_type ? 3 : 2;
	return true;
}

/* Get the value at @w, which borrows from @w. Returns the place after it. */
static inline const uint64_t *
tn_unpack(const uint64_t *w, struct tn_answer_value *v)
{
	*v = (struct tn_answer_value) { .kind = (enum tn_answer_kind)(w[0] & 0x7f) };
	if (v->kind == TN_ANSWER_TEXT) {
		v->n = (size_t)(w[0] >> 8);
		v->text = (const char *)(w + 1);
		return w + 1 + (v->n + 7) / 8;
	}
	v->is.u = w[1];
	if (!(w[0] & 0x80))
		return w + 2;
	v->type = (const struct tn_type *)(uintptr_t)w[2];
	return w + 3;
}

#endif
