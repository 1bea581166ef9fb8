/* array.h - arrays that grow, and binary search in sorted arrays */
#ifndef SCREEN_ARRAY_H
#define SCREEN_ARRAY_H

#include <stdlib.h>

#define ARRAY_FIRST 64	/* items of a new array */

/*
 * Make space for one more item in @array, which has @n items of @size bytes; @room is its capacity in items. Returns the
 * array, which may have moved. NULL: no memory; @array is unchanged.
 */
static inline void *
array_more(void *array, size_t n, size_t *room, size_t size)
{
	size_t wanted = *room ? 2 * *room : ARRAY_FIRST;
	void *grown;

	if (n < *room)
		return array;
	grown = reallocarray(array, wanted, size);
	if (grown)
		*room = wanted;
	return grown;
}

/*
 * Binary search: raise @at to the first index for which the expression @is_before of @mid is false, or to @end. The
 * expression must be true for the first items from @at on, and false for the others.
 */
#define BISECT(at, end, mid, is_before) \
	for (size_t mid, end_ = (end); (at) < end_;) { \
		mid = (at) + (end_ - (at)) / 2; \
		if (is_before) \
			(at) = mid + 1; \
		else \
			end_ = mid; \
	}

#endif
