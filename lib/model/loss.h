/*
 * loss.h - what was lost between two packets: one rule for notices, counts, exports and lists of packets
 *
 * Counters are snapshots of the tracer's: they wrap at their width, and start anew with the tracer. A growth by half
 * of all that 32 bits or more can count is no growth but such a start: something was or was not lost, how much nobody
 * knows. A gap in the numbers of packets is one only when it leads forward.
 *
 * Source     ctf1-binary.md, 9; CTF2-SPEC-2.0, 6.1.
 */
#ifndef TN_MODEL_LOSS_H
#define TN_MODEL_LOSS_H

#include "model/trace.h"

struct tn_loss {
	/* 0: none; TN_UNKNOWN: some, or perhaps some, and how many is not known. */
	uint64_t events, packets;
};

/* What was lost before the end of @p, and between it and @before, the packet before it in its stream (NULL: none). */
struct tn_loss tn_loss_find(const struct tn_stream_class *sc, const struct tn_packet *p, const struct tn_packet *before);

#endif
