/* addresses.h - names of addresses in a set, without a screen: from the trace itself and from the files of --map */
#ifndef ADDRESSES_H
#define ADDRESSES_H

#include <tnav/symbol.h>

#include "options.h"

/* Fill it with zeros, then call addresses_serve(). Names are read only when they are needed. */
struct addresses {
	const struct options *options;
	struct tn_set *set;
	struct tn_symbol_map *map;
	struct tn_symbols *symbols;	/* NULL until addresses_read() */
};

/* Allow symbol(FIELD) in conditions over the set. */
void addresses_serve(struct addresses *a, const struct options *options, struct tn_set *set);
/* Read the names. NULL with an error: this is impossible. */
struct tn_symbols *addresses_read(void *addresses, struct tn_error *err);
/*
 * Read new mappings of a set that grows, up to the time up to which it is complete. True: make conditions with symbol()
 * again.
 */
bool addresses_grow(struct addresses *a, int64_t end_ns, struct tn_error *err);
void addresses_release(struct addresses *a);	/* call it before the set is closed; reports why names are missing */

#endif
