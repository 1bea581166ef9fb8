/*
 * complete.h - Tab in the command line
 */
#ifndef COMPLETE_H
#define COMPLETE_H

#include "prompt.h"

/* Add what is certain; @said is what there is to choose from. */
void complete(struct prompt *p, char *said, size_t size);

#endif
