#include "base/array.h"

#include <stdint.h>

bool
tn_array_reserve(void **item, size_t *room, size_t need, size_t size)
{
	size_t more = *room ? *room : 8;
	void *p;

	while (more < need) {
		if (more > SIZE_MAX / 2)
			return false;
		more *= 2;
	}
	if (more > SIZE_MAX / size)
		return false;
	p = realloc(*item, more * size);
	if (!p)
		return false;
	*item = p;
	*room = more;
	return true;
}
