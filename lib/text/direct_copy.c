/* direct_copy.c - keep a text that was put together, in the arena */
#include "text/direct_make.h"

struct tn_words
tn_direct_copy(struct tn_direct_maker *m)
{
	static const char empty[TN_STR_SLACK];
	struct tn_words w = { empty, 0 };
	char *copy = NULL;

	if (!m->room.failed && !m->room.n)
		return w;
	if (!m->room.failed)
		copy = tn_arena_alloc(&m->text->arena, m->room.n + TN_STR_SLACK);
	if (!copy) {
		m->failed = true;
		return w;
	}
	memcpy(copy, m->room.text, m->room.n);
	w.text = copy;
	w.n = m->room.n;
	m->room.n = 0;
	return w;
}
