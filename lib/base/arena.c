#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ways.h"

#define BLOCK_SIZE 65536
#define ALIGNMENT 16

struct tn_arena_block {
	struct tn_arena_block *next;
	_Alignas(ALIGNMENT) char room[];
};

void *
tn_arena_alloc(struct tn_arena *a, size_t size)
{
	struct tn_arena_block *b;
	size_t room;
	void *p;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	if (size > (size_t)(a->end - a->at) || !a->block) {
		room = size > BLOCK_SIZE || tn_ways() & TN_WAYS_ARENA ? size : BLOCK_SIZE;
		b = calloc(1, sizeof *b + room);
		if (!b)
			return NULL;
		b->next = a->block;
		a->block = b;
		a->at = b->room;
		a->end = b->room + room;
	}
	p = a->at;
	a->at += size;
	return p;
}

void *
tn_arena_array(struct tn_arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / 2 / size)
		return NULL;
	return tn_arena_alloc(a, n * size);
}

void *
tn_arena_more(struct tn_arena *a, const void *item, size_t n, size_t size)
{
	void *room;

	if (n & (n - 1))
		return (void *)(uintptr_t)item;		/* whoever adds to it has made it */
	room = tn_arena_array(a, n ? 2 * n : 1, size);
	if (room && n)
		memcpy(room, item, n * size);
	return room;
}

char *
tn_arena_copy(struct tn_arena *a, const char *text, size_t n)
{
	char *p = tn_arena_alloc(a, n + 1);

	if (p && n)
		memcpy(p, text, n);
	return p;
}

char *
tn_arena_string(struct tn_arena *a, const char *text)
{
	return tn_arena_copy(a, text, strlen(text));
}

void
tn_arena_release(struct tn_arena *a)
{
	struct tn_arena_block *b, *next;

	for (b = a->block; b; b = next) {
		next = b->next;
		free(b);
	}
	*a = (struct tn_arena) { 0 };
}
