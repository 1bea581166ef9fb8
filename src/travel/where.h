/*
 * where.h - `=`: the number of the event, its place in the files, its time in all formats
 */
#ifndef WHERE_H
#define WHERE_H

#include "session/session.h"

void where_am_i(struct session *s);	/* shows them once the events before are counted */

#endif
