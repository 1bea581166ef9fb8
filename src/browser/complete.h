/*
 * complete.h - Tab in the command line, in filters and searches
 */
#ifndef COMPLETE_H
#define COMPLETE_H

#include <tnav/query.h>

#include "prompt.h"

/* Add what is certain; @said is what there is to choose from. */
void complete(struct prompt *p, char *said, size_t size);
/* The same in a condition: names of fields, labels, events. */
void complete_condition(struct prompt *p, const struct tn_set *set, char *said, size_t size);

#endif
