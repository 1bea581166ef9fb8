#include "model/loss.h"

/* Growth of a counter of @bits bits; 0: the width is unknown. TN_UNKNOWN if the counter fell. */
static uint64_t
growth(uint64_t from, uint64_t to, unsigned bits)
{
	unsigned width = bits && bits < 64 ? bits : 64;
	uint64_t d = (to - from) << (64 - width) >> (64 - width);

	return width >= 32 && d >> (width - 1) ? TN_UNKNOWN : d;
}

uint64_t
tn_loss_highest(const struct tn_stream_class *sc, const struct tn_packet *p, uint64_t highest)
{
	if (p->discarded == TN_UNKNOWN)
		return highest;
	return highest == TN_UNKNOWN || growth(highest, p->discarded, tn_context_bits(sc, TN_ROLE_DISCARDED)) != TN_UNKNOWN
	       ? p->discarded : highest;
}

struct tn_loss
tn_loss_find(const struct tn_stream_class *sc, const struct tn_packet *p, const struct tn_packet *before)
{
	unsigned bits = tn_context_bits(sc, TN_ROLE_SEQUENCE_NUMBER);
	struct tn_loss loss = { 0 };
	uint64_t gap;

	/* Losses counted before the first packet may belong to an earlier recording. */
	if (p->discarded != TN_UNKNOWN && !before)
		loss.events = p->discarded && p->sequence != 0 ? TN_UNKNOWN : p->discarded;
	else if (p->discarded != TN_UNKNOWN && before->highest != TN_UNKNOWN)
		loss.events = growth(before->highest, p->discarded, tn_context_bits(sc, TN_ROLE_DISCARDED));
	if (before && loss.events == TN_UNKNOWN)
		loss.events = 0;
	if (p->flags & TN_PACKET_LOSES)
		loss.events = TN_UNKNOWN;
	if (!before || p->sequence == TN_UNKNOWN || before->sequence == TN_UNKNOWN)
		return loss;
	gap = growth(before->sequence, p->sequence, bits);
	/* A step back looks like a very long step forward: the packets are repeated or out of order. */
	if (gap > 1 && gap != TN_UNKNOWN && !(bits && bits < 64 && gap >> (bits - 1)))
		loss.packets = gap - 1;
	return loss;
}
