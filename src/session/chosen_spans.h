/*
 * chosen_spans.h - definitions of spans that the user accepted or refused, kept in $XDG_CONFIG_HOME/tnav/spans for other
 * traces
 *
 * A line is "take DEFINITION" or "refuse DEFINITION"; other lines are not changed. A definition is for all traces that
 * have its events.
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

/* The result is empty if the file does not exist. False: the file cannot be read; *err has the reason. */
bool kept_read(struct kept *out, struct tn_error *err);
void kept_release(struct kept *kept);
const struct kept_span *kept_find(const struct kept *kept, const char *definition);

enum keep { KEEP_TAKEN, KEEP_REFUSED, KEEP_NOTHING };

/* Keep the choice from now on. False: the file was not written, and is unchanged; *err has the reason. */
bool kept_change(const char *definition, enum keep keep, struct tn_error *err);

#endif
