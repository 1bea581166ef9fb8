/*
 * tally.h - the number of passing events, their times, and the number of one event: counted once, in a job
 *
 * One ordered scan gives the number of events, the losses, the numbers of events over time (bars), and the locations of
 * events at regular distances (anchors). To number any other event, tnav scans only the events between it and an anchor.
 * If a trace grows, the scan continues with the new events. If an earlier scan has counted a packet, its count is used
 * and the packet is not read.
 *
 * If there are many packets, bars are exact to a packet: the events of a packet that is a few bars long are spread evenly
 * over these bars. This is done for packets that were read, too, so that the bars are always the same.
 *
 * Memory: at most TALLY_ANCHORS locations, BARS_MOST numbers and a few words a stream.
 */
#ifndef TALLY_H
#define TALLY_H

#include "cli/loss_summary.h"
#include "bars.h"
#include "job.h"

#define TALLY_ANCHORS 8192

struct tallied;			/* the counts so far, for the scan that continues from there */

struct tally {
	struct session *session;
	struct job *job;		/* the counting job; NULL: none */
	struct tallied *kept;		/* the last result, while no job counts */
	bool on;			/* there is something to count */
	bool wanted;			/* count when there is time */
	bool known;			/* all events are counted, or the user stopped the count */
	struct query *query;		/* selects the events; NULL: every event there is */
	bool ranged;			/* only events within the range */
	uint64_t n;			/* events counted so far */
	struct loss lost;		/* with the next two: only where every event is counted, and all are */
	uint64_t loss_places, damages;
	int64_t begin_ns, end_ns;	/* range of the bars */
	uint64_t bar[BARS_MOST];
	bool lossy[BARS_MOST];		/* losses or damage in the bar; only if every event is counted */
	int64_t until_ns;		/* growing traces: events up to this time are counted */
	/* The number of the event that was asked for last. */
	struct job *rank_job;
	bool ranked, is_one;		/* is_one: the event itself passes */
	struct tn_location rank_at;
	uint64_t rank;			/* number of passing events up to this one, itself included */
};

void tally_init(struct tally *t, struct session *s);
/* Count anew, as soon as tally_turn() is called; @query is kept, NULL: every event. */
void tally_want(struct tally *t, struct query *query, bool ranged);
void tally_off(struct tally *t);	/* count nothing any more */
void tally_release(struct tally *t);
/* Once a turn: read the counts so far. If @free, begin wanted counts, and continue with traces that grew. */
void tally_turn(struct tally *t, bool free);
/* Ask for the number of the event at @at. It is known once t->ranked is set and t->rank_at is @at. */
void tally_rank(struct tally *t, const struct tn_location *at);
/* The screen shows the rows between this event and one whose number is known. */
void tally_set_rank(struct tally *t, const struct tn_location *at, uint64_t rank, bool is_one);
bool tally_has_rank(const struct tally *t, const struct tn_location *at);

#endif
