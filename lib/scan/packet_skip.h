/*
 * packet_skip.h - what the digest says of each packet before a scan reads it
 *
 * A packet where nothing passes is left out of the scan, and so is one of which it is known what passes, when
 * numbers are all that is wanted. Where lines are made, an event's delta counts from the event before it, whatever
 * packet that is in: packets that overlap one that is read are read, too, without being asked (TN_MARK_MUTE); and of
 * those before them the last event is known.
 */
#ifndef TN_SCAN_PACKET_SKIP_H
#define TN_SCAN_PACKET_SKIP_H

#include "order/flow.h"
#include "scan/prefilter.h"
#include "scan/question.h"
#include "text/line.h"

/* A time from which on packets are read, and the last event of those before it that are not. */
struct tn_packet_skip_gap {
	int64_t begin_ns;
	struct tn_line_previous before;
};

struct tn_packet_skip {
	struct tn_packet_marks *marks;	/* by rank; NULL: all is read */
	size_t n_streams;
	TN_ARRAY(struct tn_packet_skip_gap) gaps;	/* in order */
	uint64_t passed;		/* in packets that are left out */
};

/* @prefilter: of the filter, or NULL; @counts_only: nothing but numbers is wanted. What there is no memory for is read. */
void tn_packet_skip_make(struct tn_packet_skip *out, const struct tn_set *set, const struct tn_scan_options *options,
		      const struct tn_question *question, const struct tn_prefilter *prefilter, bool counts_only,
		      bool with_lines);
void tn_packet_skip_release(struct tn_packet_skip *skip);

/* The event before the row with that key may be in a packet that was left out. */
void tn_packet_skip_previous(const struct tn_packet_skip *skip, int64_t key_ns, struct tn_line_previous *previous);

/* ---- for code that reads packets without a scan ---- */

/* Packets in which nothing passes a filter that sees no lines; NULL: none is known. Where memory is out all are read. */
struct tn_left_out;

struct tn_left_out *tn_left_out_new(const struct tn_set *set, const struct tn_scan_options *options);
const struct tn_packet_marks *tn_left_out_marks(const struct tn_left_out *left);	/* by rank; NULL: all are read */
void tn_left_out_free(struct tn_left_out *left);

/* Call @seen for each class that has events in a packet whose counts are known; whether those are all packets. */
bool tn_known_classes(const struct tn_set *set,
		      void (*seen)(void *user, const struct tn_stream *stream, uint32_t event_class), void *user);

#endif
