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

/* Make space for @need items of @size bytes in *item. False: memory is out, and nothing has changed. */
bool tn_array_reserve(void **item, size_t *room, size_t need, size_t size);

#define TN_ARRAY_RESERVE(a, need) \
	((need) <= (a)->room || tn_array_reserve((void **)&(a)->item, &(a)->room, (need), sizeof *(a)->item))

#define TN_ARRAY_ADD(a) \
	(TN_ARRAY_RESERVE((a), (a)->n + 1) \
		? memset(&(a)->item[(a)->n++], 0, sizeof *(a)->item) : NULL)

#define TN_ARRAY_RELEASE(a) (free((a)->item), (a)->item = NULL, (a)->n = (a)->room = 0)

#define TN_COUNT(a) (sizeof(a) / sizeof *(a))

/*
 * Binary search: raise @at to the first index `mid` for which the expression @is_before is false, or to @end. The
 * expression must be true for a first part of the indices, and false for the rest.
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
