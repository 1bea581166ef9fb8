/*
 * reach.h - places that the files define: packets, bytes. A job looks for the event there.
 */
#ifndef REACH_H
#define REACH_H

#include "session/session.h"

/* Go @count packets on in the stream of the cursor; backward, the start of its own packet comes first. */
void reach_packet(struct session *s, bool backward, uint64_t count);
/* Go to the first row in the packet of @at, or to the next row of that stream; times do not matter. */
void reach_first(struct session *s, const struct tn_location *at);
/* Go to the event that has bit @bit, counted from byte @byte of the stream's file. */
void reach_byte(struct session *s, uint64_t byte, uint64_t bit);

#endif
