/* array.h - arrays that grow, and search in sorted ones */
#ifndef SCREEN_ARRAY_H
#define SCREEN_ARRAY_H

#include <stdlib.h>

#define ARRAY_FIRST 64	/* items */

/*
 * @array with space for one more than the @n items of @size bytes that it has; @room is its capacity in items. The
 * result is the array from then on. NULL: no memory; @array is as it was.
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
 * Binary search: raises @at to the first index at which the expression @is_before of @mid is false, or to @end. The
 * expression is true for the first items from @at on, and false for the rest.
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
