/* array.h - an array that grows */
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

#endif
