/*
 * kept.h - definitions of spans that the user took or refused, kept in $XDG_CONFIG_HOME/tnav/spans for the next traces
 *
 * A line is "take DEFINITION" or "refuse DEFINITION". A definition is meant for all traces that have its events.
 */
#ifndef KEPT_H
#define KEPT_H

#include <stdbool.h>
#include <stddef.h>

#define KEPT_MOST 1000		/* the oldest go */

struct kept_span {
	char *definition;
	bool refused;
};

struct kept {
	struct kept_span *item;
	size_t n;
};

bool kept_read(struct kept *out);	/* false: memory is out; what cannot be read is empty */
void kept_release(struct kept *kept);
const struct kept_span *kept_find(const struct kept *kept, const char *definition);

enum keep { KEEP_TAKEN, KEEP_REFUSED, KEEP_NOTHING };

/* Keep it from now on. NULL, or why it could not be written (borrowed). */
const char *kept_change(const char *definition, enum keep keep);

#endif
