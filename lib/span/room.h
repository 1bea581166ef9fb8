/* room.h - memory for many small objects, by size, with a count of the bytes in use */
#ifndef TN_SPAN_ROOM_H
#define TN_SPAN_ROOM_H

#include <stddef.h>

#include "base/arena.h"

#define TN_ROOM_STEP 32
#define TN_ROOM_SIZES 32	/* larger ones come from malloc() */

/* Zeroed is empty. */
struct tn_room {
	struct tn_arena arena;
	void *spare[TN_ROOM_SIZES];
	size_t used;		/* bytes in use */
};

void *tn_room_take(struct tn_room *room, size_t size);	/* not zeroed; NULL: memory is out */
void tn_room_give(struct tn_room *room, void *thing, size_t size);	/* the same size */
void tn_room_release(struct tn_room *room);	/* return large objects before */

#endif
