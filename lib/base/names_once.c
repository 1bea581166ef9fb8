#include "base/names_once.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define FIRST_ROOM 16

/* The slot of @name, or a free slot for it. At least one slot is always free. */
static uint32_t *
find(const struct tn_names_once *t, const char *name)
{
	size_t mask = t->room - 1, i = tn_hash_of(t->seed, name, strlen(name)) & mask;

	while (t->number[i] && strcmp(t->name_of(t->user, t->number[i] - 1), name) != 0)
		i = (i + 1) & mask;
	return &t->number[i];
}

bool
tn_names_once_reserve(struct tn_names_once *t, size_t n)
{
	struct tn_names_once more = *t;

	if (n <= t->room / 4 * 3)
		return true;
	for (more.room = t->room ? t->room : FIRST_ROOM; n > more.room / 4 * 3; more.room *= 2)
		if (more.room > SIZE_MAX / 4)
			return false;
	if (!more.seed)
		more.seed = tn_hash_seed();
	if (!(more.number = calloc(more.room, sizeof *more.number)))
		return false;
	for (size_t i = 0; i < t->room; i++)
		if (t->number[i])
			*find(&more, t->name_of(t->user, t->number[i] - 1)) = t->number[i];
	free(t->number);
	*t = more;
	return true;
}

bool
tn_names_once_add(struct tn_names_once *t, size_t i, size_t *same)
{
	uint32_t *number;

	if (!tn_names_once_reserve(t, t->n + 1))
		return false;
	number = find(t, t->name_of(t->user, i));
	*same = *number ? *number - 1 : i;
	if (!*number) {
		*number = (uint32_t)i + 1;
		t->n++;
	}
	return true;
}

void
tn_names_once_release(struct tn_names_once *t)
{
	free(t->number);
	t->number = NULL;
	t->n = t->room = 0;
}
