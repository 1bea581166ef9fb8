/* partner.h - go from the first event of a span to its last one, and back */
#ifndef PARTNER_H
#define PARTNER_H

#include "session/session.h"

/*
 * Go to the other end of a span that the row's event begins or ends: a span the user asked for last, or else of a
 * proposed pair.
 */
void partner_start(struct session *s);

#endif
