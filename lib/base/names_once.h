/*
 * names_once.h - a table of names stored elsewhere, with about four bytes for each
 *
 *	struct tn_names_once seen = { .name_of = name_of_entry, .user = list };
 *	size_t same;
 *	for (size_t i = 0; i < n; i++)
 *		if (!tn_names_once_add(&seen, i, &same))
 *			...				// memory is out
 *		else if (same != i)
 *			...				// entry `same` has that name already
 *	tn_names_once_release(&seen);
 *
 * For lists that may be most of a trace; code that stores data for each name uses a struct tn_hash. A search
 * takes O(1) even for hostile names: their author does not know the table's seed.
 */
#ifndef TN_BASE_NAMES_ONCE_H
#define TN_BASE_NAMES_ONCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tn_names_once {
	const char *(*name_of)(const void *user, size_t i);
	const void *user;
	uint32_t *number;	/* numbers of the entries, from 1; 0: a free slot */
	size_t n, room;		/* `room`: number of slots, a power of two, or 0 */
	uint64_t seed;
};

/*
 * Add entry @i, less than 2^32 - 1, unless its name exists. *same is the entry that has the name, which is @i for a
 * new name. False: memory is out, and nothing has changed.
 */
bool tn_names_once_add(struct tn_names_once *t, size_t i, size_t *same);

/* Make space for @n names, if their number is known. False: memory is out, and nothing has changed. */
bool tn_names_once_reserve(struct tn_names_once *t, size_t n);

void tn_names_once_release(struct tn_names_once *t);	/* does not free name_of and user */

#endif
