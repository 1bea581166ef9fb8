/* complete.h - completion by Tab in the command line, in filters and in searches */
#ifndef COMPLETE_H
#define COMPLETE_H

#include <tnav/query.h>

#include "prompt/prompt.h"
#include "views/events.h"

/* Complete @p as far as all words agree; @said lists the words. */
void complete(struct prompt *p, const struct tn_set *set, const struct view *events, char *said, size_t size);
/* Complete a condition with names of fields, labels, names of events, and values from @events, the view of events. */
void complete_condition(struct prompt *p, const struct tn_set *set, const struct view *events, char *said, size_t size);

#endif
