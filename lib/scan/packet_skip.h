/*
 * packet_skip.h - find packets that a scan need not read, from the notes in the digest
 *
 * A packet without matching events is left out of the scan. If only numbers are needed, a packet with a known number of
 * matching events is also left out. If lines are made, the delta of an event counts from the previous event in any
 * packet. So packets that overlap a packet that is read are also walked, but their events are not tested (TN_MARK_MUTE).
 * Of the packets before them, the last event is known.
 */
#ifndef TN_SCAN_PACKET_SKIP_H
#define TN_SCAN_PACKET_SKIP_H

#include "order/flow.h"
#include "scan/prefilter.h"
#include "scan/question.h"
#include "text/line.h"

/* A time from which on packets are read, and the last event of the earlier packets that are not read. */
struct tn_packet_skip_gap {
	int64_t begin_ns;
	struct tn_line_previous before;
};

struct tn_packet_skip {
	struct tn_packet_marks *marks;	/* for each stream, by rank; NULL: all packets are read */
	size_t n_streams;
	TN_ARRAY(struct tn_packet_skip_gap) gaps;	/* in order */
	uint64_t passed;		/* number of matching events in packets that are left out */
};

/*
 * Decide for all packets. @prefilter: that of the filter, or NULL. @counts_only: only numbers are needed. If memory is
 * out, packets are read.
 */
void tn_packet_skip_make(struct tn_packet_skip *out, const struct tn_set *set, const struct tn_scan_options *options,
		      const struct tn_question *question, const struct tn_prefilter *prefilter, bool counts_only,
		      bool with_lines);
void tn_packet_skip_release(struct tn_packet_skip *skip);

/* Correct the previous event of the row with this key, which may be in a packet that was left out. */
void tn_packet_skip_previous(const struct tn_packet_skip *skip, int64_t key_ns, struct tn_line_previous *previous);

/* ---- for code that reads packets without a scan ---- */

/*
 * Packets in which no event matches a filter that does not test lines; NULL: none is known. If memory is out, all packets
 * are read.
 */
struct tn_left_out;

struct tn_left_out *tn_left_out_new(const struct tn_set *set, const struct tn_scan_options *options);
const struct tn_packet_marks *tn_left_out_marks(const struct tn_left_out *left);	/* by rank; NULL: all packets are read */
void tn_left_out_free(struct tn_left_out *left);

/*
 * Call @seen for each class with events in a packet whose counts are known. Returns whether the counts of all packets are
 * known.
 */
bool tn_known_classes(const struct tn_set *set,
		      void (*seen)(void *user, const struct tn_stream *stream, uint32_t event_class), void *user);

#endif
