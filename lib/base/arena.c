#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ways.h"

#define BLOCK_SIZE 65536
#define ALIGNMENT 8	/* enough for numbers and pointers: an arena stores nothing with a greater alignment */

struct tn_arena_block {
	struct tn_arena_block *next;
	void *adopted;
	_Alignas(ALIGNMENT) char room[];
};

/* Add a block with space for @size bytes, as the newest block; false: memory is out. */
static bool
add_block(struct tn_arena *a, size_t size)
{
	size_t room = size > BLOCK_SIZE || tn_ways() & TN_WAYS_ARENA ? size : BLOCK_SIZE;
	struct tn_arena_block *b = calloc(1, sizeof *b + room);

	if (!b)
		return false;
	b->next = a->block;
	a->block = b;
	a->at = b->room;
	a->end = b->room + room;
	return true;
}

void *
tn_arena_alloc(struct tn_arena *a, size_t size)
{
	void *p;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	if ((size > (size_t)(a->end - a->at) || !a->block) && !add_block(a, size))
		return NULL;
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
		return (void *)(uintptr_t)item;		/* the caller that extends the array also made it */
	room = tn_arena_array(a, n ? 2 * n : 1, size);
	if (room && n)
		memcpy(room, item, n * size);
	return room;
}

/* Texts need no alignment, so they are taken from the end of the free space. */
char *
tn_arena_copy(struct tn_arena *a, const char *text, size_t n)
{
	if (n > SIZE_MAX / 2)
		return NULL;
	if ((!a->block || n + 1 > (size_t)(a->end - a->at)) && !add_block(a, n + 1))
		return NULL;
	a->end -= n + 1;
	if (n)
		memcpy(a->end, text, n);
	a->end[n] = '\0';
	return a->end;
}

char *
tn_arena_string(struct tn_arena *a, const char *text)
{
	return tn_arena_copy(a, text, strlen(text));
}

bool
tn_arena_adopt(struct tn_arena *a, void *allocated)
{
	struct tn_arena_block *b = calloc(1, sizeof *b);

	if (!b)
		return false;
	b->adopted = allocated;
	if (a->block) {		/* the newest block stays the newest, because it may have free space */
		b->next = a->block->next;
		a->block->next = b;
	} else {
		a->block = b;
		a->at = a->end = b->room;
	}
	return true;
}

void
tn_arena_take(struct tn_arena *a, struct tn_arena *from)
{
	struct tn_arena_block *last;

	for (last = from->block; last; last = last->next) {
		free(last->adopted);
		last->adopted = NULL;
		if (!last->next)
			break;
	}
	if (!last)
		return;
	if (a->block) {		/* the newest block stays the newest, because it may have free space */
		last->next = a->block->next;
		a->block->next = from->block;
		*from = (struct tn_arena) { 0 };
		return;
	}
	*a = *from;
	*from = (struct tn_arena) { 0 };
}

void
tn_arena_release(struct tn_arena *a)
{
	struct tn_arena_block *b, *next;

	for (b = a->block; b; b = next) {
		next = b->next;
		free(b->adopted);
		free(b);
	}
	*a = (struct tn_arena) { 0 };
}

struct tn_shared_arena *
tn_shared_arena_new(void)
{
	struct tn_shared_arena *a = calloc(1, sizeof *a);

	if (a)
		pthread_mutex_init(&a->lock, NULL);
	return a;
}

void
tn_shared_arena_free(struct tn_shared_arena *a)
{
	if (!a)
		return;
	pthread_mutex_destroy(&a->lock);
	tn_arena_release(&a->arena);
	free(a);
}
