/*
 * reach.h - places that the files define: packets, bytes. A job looks for the event there.
 */
#ifndef REACH_H
#define REACH_H

#include "session/session.h"

/* Goes @count packets on in the stream of the cursor; backward the packet's own begin comes first. */
void reach_packet(struct session *s, bool backward, uint64_t count);
/* The first row of the packet of @at in its stream, or after it in that stream; times do not matter. */
void reach_first(struct session *s, const struct tn_location *at);
/* The event that has bit @bit, counted from byte @byte of the stream's file. */
void reach_byte(struct session *s, uint64_t byte, uint64_t bit);

#endif
