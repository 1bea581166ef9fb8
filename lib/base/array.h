/*
 * array.h - growable arrays: struct { T *item; size_t n, room; }
 *
 *	TN_ARRAY(struct tn_packet) list = { 0 };
 *	struct tn_packet *p = TN_ARRAY_ADD(&list);	// zeroed, NULL when memory is out
 *	TN_ARRAY_RELEASE(&list);
 */
#ifndef TN_BASE_ARRAY_H
#define TN_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define TN_ARRAY(T) struct { T *item; size_t n, room; }

/* Make space for @need items of @size bytes in *item; false, with nothing changed, if memory is out. */
bool tn_array_reserve(void **item, size_t *room, size_t need, size_t size);

#define TN_ARRAY_RESERVE(a, need) \
	((need) <= (a)->room || tn_array_reserve((void **)&(a)->item, &(a)->room, (need), sizeof *(a)->item))

#define TN_ARRAY_ADD(a) \
	(TN_ARRAY_RESERVE((a), (a)->n + 1) \
		? memset(&(a)->item[(a)->n++], 0, sizeof *(a)->item) : NULL)

#define TN_ARRAY_RELEASE(a) (free((a)->item), (a)->item = NULL, (a)->n = (a)->room = 0)

#define TN_COUNT(a) (sizeof(a) / sizeof *(a))

/*
 * Binary search: raises @at to the first index at which the expression @is_before of @mid is false, or to @end. The expression
 * is true for the first items from @at on, and false for the rest.
 */
#define TN_BISECT(at, end, mid, is_before) \
	for (size_t mid, end_ = (end); (at) < end_;) { \
		mid = (at) + (end_ - (at)) / 2; \
		if (is_before) \
			(at) = mid + 1; \
		else \
			end_ = mid; \
	}

#endif
