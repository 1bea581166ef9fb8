/* follow_value.h - follow one value through all streams, under all names with the same meaning */
#ifndef FOLLOW_VALUE_H
#define FOLLOW_VALUE_H

#include "select/filters.h"

/*
 * In a moment, show only events with the value of the chosen field or, without @of_field, with the key of a span that the
 * event begins or ends. @of_row: the event belongs to a row in a table of spans, whose key is used.
 */
void follow_value(struct filters *f, struct session *s, bool of_field, bool of_row);

#endif
