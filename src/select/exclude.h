/*
 * exclude.h - "not this": a filter that hides events like the one under the cursor
 */
#ifndef EXCLUDE_H
#define EXCLUDE_H

#include "filters.h"

/* Hides the events with the chosen value, or, without @of_field, all events of the cursor's event class. */
void exclude(struct filters *f, struct session *s, bool of_field);

#endif
