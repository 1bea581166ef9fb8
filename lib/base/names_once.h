/*
 * names_once.h - a table of names that stand elsewhere, four bytes or so each
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
 * For lists that may be most of what a trace consists of; who keeps something for each name takes a struct tn_hash. Found in
 * O(1) whatever the names: who writes them does not know the table's seed.
 */
#ifndef TN_BASE_NAMES_ONCE_H
#define TN_BASE_NAMES_ONCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tn_names_once {
	const char *(*name_of)(const void *user, size_t i);
	const void *user;
	uint32_t *number;	/* of the entries, from 1; 0 is free */
	size_t n, room;		/* room: a power of two, or 0 */
	uint64_t seed;
};

/*
 * Entry @i, below 2^32 - 1, unless its name is there: *same is the entry that has the name, @i when it is new. False, with
 * nothing changed: memory is out.
 */
bool tn_names_once_add(struct tn_names_once *t, size_t i, size_t *same);

/* Room for @n names at once, for who knows how many come; false, with nothing changed: memory is out. */
bool tn_names_once_reserve(struct tn_names_once *t, size_t n);

void tn_names_once_release(struct tn_names_once *t);	/* name_of and user stay */

#endif
