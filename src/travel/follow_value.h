/*
 * follow_value.h - one value followed through all streams, under all the names it has
 */
#ifndef FOLLOW_VALUE_H
#define FOLLOW_VALUE_H

#include "select/filters.h"

/*
 * Show only events with the value of the chosen field, or else (not @of_field) of the key of the span that the event begins
 * or ends; soon. @of_row: the event is that of a row in a table of spans, whose key it is.
 */
void follow_value(struct filters *f, struct session *s, bool of_field, bool of_row);

#endif
