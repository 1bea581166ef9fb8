/* slab.h - memory for many small objects, by size, which counts the bytes in use */
#ifndef TN_SPAN_SLAB_H
#define TN_SPAN_SLAB_H

#include <stddef.h>

#include "base/arena.h"

#define TN_SLAB_STEP 32
#define TN_SLAB_SIZES 32	/* number of sizes; larger objects come from malloc() */

/* A zeroed slab is empty. */
struct tn_slab {
	struct tn_arena arena;
	void *spare[TN_SLAB_SIZES];
	size_t used;		/* bytes in use */
};

void *tn_slab_take(struct tn_slab *slab, size_t size);	/* not zeroed; NULL: memory is out */
void tn_slab_give(struct tn_slab *slab, void *thing, size_t size);	/* @size must be the size that was taken */
void tn_slab_release(struct tn_slab *slab);	/* large objects must be returned before */

#endif
