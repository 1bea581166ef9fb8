/*
 * complete.h - Tab in the command line, in filters and searches
 */
#ifndef COMPLETE_H
#define COMPLETE_H

#include <tnav/query.h>

#include "prompt/prompt.h"
#include "views/events.h"

/* Complete @p as far as the word is unique; @said lists the choices. */
void complete(struct prompt *p, const struct tn_set *set, const struct view *events, char *said, size_t size);
/* Complete a condition: names of fields, labels, events, and values that @events, the view of events, has. */
void complete_condition(struct prompt *p, const struct tn_set *set, const struct view *events, char *said, size_t size);

#endif
