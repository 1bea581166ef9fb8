/* where.h - the key `=`: number of the event, place in the files, time in all formats */
#ifndef WHERE_H
#define WHERE_H

#include "session/session.h"

void where_am_i(struct session *s);	/* shows its result when the events before are counted */

#endif
