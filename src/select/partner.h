/*
 * partner.h - from the event that begins something to the one that ends it, and back
 */
#ifndef PARTNER_H
#define PARTNER_H

#include "session/session.h"

/* Go to the other end of the span that the row's event begins or ends: a span asked for last, else one of a pair. */
void partner_start(struct session *s);

#endif
