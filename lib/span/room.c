#include "span/room.h"

#include <stdlib.h>
#include <string.h>

void *
tn_room_take(struct tn_room *room, size_t size)
{
	size_t step = (size + TN_ROOM_STEP - 1) / TN_ROOM_STEP;
	void *thing;

	if (step >= TN_ROOM_SIZES) {
		thing = malloc(size);
	} else if (room->spare[step]) {
		thing = room->spare[step];
		memcpy(&room->spare[step], thing, sizeof(void *));
	} else {
		thing = tn_arena_alloc(&room->arena, step * TN_ROOM_STEP);
	}
	if (thing)
		room->used += size;
	return thing;
}

void
tn_room_give(struct tn_room *room, void *thing, size_t size)
{
	size_t step = (size + TN_ROOM_STEP - 1) / TN_ROOM_STEP;

	room->used -= size;
	if (step >= TN_ROOM_SIZES) {
		free(thing);
		return;
	}
	memcpy(thing, &room->spare[step], sizeof(void *));
	room->spare[step] = thing;
}

void
tn_room_release(struct tn_room *room)
{
	tn_arena_release(&room->arena);
	*room = (struct tn_room) { 0 };
}
