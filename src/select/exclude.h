/* exclude.h - a filter that hides events like the one at the cursor */
#ifndef EXCLUDE_H
#define EXCLUDE_H

#include "filters.h"

/* Hide events with the chosen value or, without @of_field, all events of the same class as the event at the cursor. */
void exclude(struct filters *f, struct session *s, bool of_field);

#endif
