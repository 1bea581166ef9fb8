/* addresses.h - names of addresses in a set, without a screen: what the trace tells, and files of --map */
#ifndef ADDRESSES_H
#define ADDRESSES_H

#include <tnav/symbol.h>

#include "options.h"

/* Zeroed, then addresses_serve(). The names are read when they are needed. */
struct addresses {
	const struct options *options;
	struct tn_set *set;
	struct tn_symbol_map *map;
	struct tn_symbols *symbols;	/* addresses_read() makes them */
};

/* Conditions over the set may have symbol(FIELD). */
void addresses_serve(struct addresses *a, const struct options *options, struct tn_set *set);
/* NULL: not possible, with the reason. */
struct tn_symbols *addresses_read(void *addresses, struct tn_error *err);
/* Read new mappings of a set that grows, up to where it is complete. True: conditions with symbol() must be made again. */
bool addresses_grow(struct addresses *a, int64_t end_ns, struct tn_error *err);
void addresses_release(struct addresses *a);	/* before the set is closed; reports why names are missing */

#endif
