/* reach.h - go to packets and bytes of files, in a job that finds the event there */
#ifndef REACH_H
#define REACH_H

#include "session/session.h"

/* Go @count packets forward in the stream of the cursor; backward, the first step is to the start of its own packet. */
void reach_packet(struct session *s, bool backward, uint64_t count);
/* Go to the first row in the packet of @at, or to the next row of its stream, whatever their times. */
void reach_first(struct session *s, const struct tn_location *at);
/* Go to the event that contains bit @bit, counted from byte @byte of the stream's file. */
void reach_byte(struct session *s, uint64_t byte, uint64_t bit);

#endif
