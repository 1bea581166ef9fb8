/*
 * chosen_spans.h - definitions of spans that the user took or refused, kept in $XDG_CONFIG_HOME/tnav/spans for the next traces
 *
 * A line is "take DEFINITION" or "refuse DEFINITION"; others are left as they are. A definition is meant for all traces
 * that have its events.
 */
#ifndef CHOSEN_SPANS_H
#define CHOSEN_SPANS_H

#include <stdbool.h>
#include <stddef.h>

#include <tnav/error.h>

struct kept_span {
	const char *definition;
	bool refused;
};

struct kept {
	struct kept_span *item;
	size_t n;
	char *text;	/* the text that contains the definitions */
};

/* Empty if there is no such file; false: *err has the reason why it cannot be read. */
bool kept_read(struct kept *out, struct tn_error *err);
void kept_release(struct kept *kept);
const struct kept_span *kept_find(const struct kept *kept, const char *definition);

enum keep { KEEP_TAKEN, KEEP_REFUSED, KEEP_NOTHING };

/* Keep the choice from now on. False: *err has the reason why the file was not written; it is unchanged. */
bool kept_change(const char *definition, enum keep keep, struct tn_error *err);

#endif
