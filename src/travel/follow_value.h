/*
 * follow_value.h - one value followed through all streams, under all the names it has
 */
#ifndef FOLLOW_VALUE_H
#define FOLLOW_VALUE_H

#include "select/filters.h"

/*
 * Show, soon, only events with the value of the chosen field, or else (not @of_field) with the key of the span that
 * the event begins or ends. @of_row: the event belongs to a row in a table of spans, whose key is used.
 */
void follow_value(struct filters *f, struct session *s, bool of_field, bool of_row);

#endif
