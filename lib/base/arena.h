/*
 * arena.h - memory that is freed all at once
 *
 * A model is built once and never changed, so one arena has all its nodes. Allocations are zeroed and aligned for
 * numbers and pointers (texts are not). NULL: memory is out.
 */
#ifndef TN_BASE_ARENA_H
#define TN_BASE_ARENA_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct tn_arena_block;

struct tn_arena {
	struct tn_arena_block *block;	/* newest first */
	char *at, *end;			/* free space of the newest block; texts are taken from its end */
};

void *tn_arena_alloc(struct tn_arena *a, size_t size);
void *tn_arena_array(struct tn_arena *a, size_t n, size_t size);	/* NULL also if n * size overflows */
/*
 * Make space for one more item of @size bytes after the @n items at @item. The space doubles, so that adding n items
 * takes O(n).
 */
void *tn_arena_more(struct tn_arena *a, const void *item, size_t n, size_t size);
char *tn_arena_copy(struct tn_arena *a, const char *text, size_t n);	/* copies n bytes and adds a NUL */
char *tn_arena_string(struct tn_arena *a, const char *text);
/* Free @allocated, from malloc(), together with the arena. False: memory is out, and the caller keeps ownership. */
bool tn_arena_adopt(struct tn_arena *a, void *allocated);
/* Move all allocations of @from, and the memory that it adopted, into @a. @from is empty then. */
void tn_arena_take(struct tn_arena *a, struct tn_arena *from);
void tn_arena_release(struct tn_arena *a);

/* An arena for several threads: each allocation takes its lock. */
struct tn_shared_arena {
	pthread_mutex_t lock;
	struct tn_arena arena;
};

struct tn_shared_arena *tn_shared_arena_new(void);
void tn_shared_arena_free(struct tn_shared_arena *a);	/* NULL is allowed */

#define TN_NEW(arena, type) ((type *)tn_arena_alloc((arena), sizeof(type)))
#define TN_NEW_ARRAY(arena, n, type) ((type *)tn_arena_array((arena), (n), sizeof(type)))

#endif
