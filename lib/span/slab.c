#include "span/slab.h"

#include <stdlib.h>
#include <string.h>

void *
tn_slab_take(struct tn_slab *slab, size_t size)
{
	size_t step = (size + TN_SLAB_STEP - 1) / TN_SLAB_STEP;
	void *thing;

	if (step >= TN_SLAB_SIZES) {
		thing = malloc(size);
	} else if (slab->spare[step]) {
		thing = slab->spare[step];
		memcpy(&slab->spare[step], thing, sizeof(void *));
	} else {
		thing = tn_arena_alloc(&slab->arena, step * TN_SLAB_STEP);
	}
	if (thing)
		slab->used += size;
	return thing;
}

void
tn_slab_give(struct tn_slab *slab, void *thing, size_t size)
{
	size_t step = (size + TN_SLAB_STEP - 1) / TN_SLAB_STEP;

	slab->used -= size;
	if (step >= TN_SLAB_SIZES) {
		free(thing);
		return;
	}
	memcpy(thing, &slab->spare[step], sizeof(void *));
	slab->spare[step] = thing;
}

void
tn_slab_release(struct tn_slab *slab)
{
	tn_arena_release(&slab->arena);
	*slab = (struct tn_slab) { 0 };
}
