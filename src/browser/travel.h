/*
 * travel.h - one value followed through all streams, under all the names it has
 */
#ifndef TRAVEL_H
#define TRAVEL_H

#include "filters.h"

/* Show only events with the value of the chosen field; false: *err says why it cannot be. */
bool travel(struct filters *f, struct session *s, struct tn_error *err);

#endif
