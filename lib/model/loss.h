/*
 * loss.h - losses between two packets: one rule for notices, counts, exports and lists of packets
 *
 * A packet has a snapshot of the tracer's counter, which wraps at its width. LTTng's counter may fall to 0 in one
 * packet and return in the next, so only an increase above the highest value so far in the stream is a loss. An
 * increase by half of the range of 32 bits or more counts as a fall. A gap in the numbers of packets is a loss only
 * if the numbers increase.
 *
 * Source     ctf1-binary.md, 9; CTF2-SPEC-2.0, 6.1.
 */
#ifndef TN_MODEL_LOSS_H
#define TN_MODEL_LOSS_H

#include "model/trace.h"

struct tn_loss {
	/* 0: no losses. TN_UNKNOWN: some events were lost, or events before the first packet may have been lost. */
	uint64_t events, packets;
};

/* Find the losses up to the end of @p, after @before, the previous packet of the stream (NULL: none). */
struct tn_loss tn_loss_find(const struct tn_stream_class *sc, const struct tn_packet *p, const struct tn_packet *before);
/*
 * Returns the highest value of the counter up to @p; @highest is the value for the packets before. TN_UNKNOWN: no
 * counter.
 */
uint64_t tn_loss_highest(const struct tn_stream_class *sc, const struct tn_packet *p, uint64_t highest);

#endif
