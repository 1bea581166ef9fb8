/*
 * complete.h - Tab in the command line, in filters and searches
 */
#ifndef COMPLETE_H
#define COMPLETE_H

#include <tnav/query.h>

#include "prompt/prompt.h"
#include "views/events.h"

/* Add what is certain; @said is what there is to choose from. */
void complete(struct prompt *p, const struct tn_set *set, const struct view *events, char *said, size_t size);
/* The same in a condition: names of fields, labels, events, and values that @events, the view of them, has. */
void complete_condition(struct prompt *p, const struct tn_set *set, const struct view *events, char *said, size_t size);

#endif
