/*
 * tally.h - the number of matching events, their times, and the number of one event, which a job counts once
 *
 * One ordered scan gives the number of events, the losses, the numbers of events over time (bars), and the locations of
 * events at regular distances (anchors). To number another event, only the events between it and an anchor are scanned.
 * If a trace grows, the scan continues with the new events. If an earlier scan has counted a packet, its count is used
 * and the packet is not read.
 *
 * If there are many packets, bars are exact only to a packet: the events of a packet that is a few bars long are spread
 * evenly over these bars. This is also done for packets that are read, so that the bars are always the same.
 *
 * Memory: at most TALLY_ANCHORS locations, BARS_MOST numbers, and a few words for each stream.
 */
#ifndef TALLY_H
#define TALLY_H

#include "cli/loss_summary.h"
#include "bars.h"
#include "job.h"

#define TALLY_ANCHORS 8192

struct tallied;			/* the counts so far, from which a later scan continues */

struct tally {
	struct session *session;
	struct job *job;		/* job that counts; NULL: none */
	struct tallied *kept;		/* the last result, while no job counts */
	bool on;			/* there are events to count */
	bool wanted;			/* count when there is time */
	bool known;			/* all events are counted, or the user has stopped counting */
	struct query *query;		/* selects the events; NULL: all events */
	bool ranged;			/* only events in the range are counted */
	uint64_t n;			/* number of events counted so far */
	struct loss lost;		/* these three are only set if all events are counted, without a query and a range */
	uint64_t loss_places, damages;
	int64_t begin_ns, end_ns;	/* range of the bars */
	uint64_t bar[BARS_MOST];
	bool lossy[BARS_MOST];		/* losses or damage in each bar; only if all events are counted */
	int64_t until_ns;		/* growing traces: events up to this time are counted */
	/* For the event whose number was requested last. */
	struct job *rank_job;
	bool ranked, is_one;		/* `is_one`: the event itself matches */
	struct tn_location rank_at;
	uint64_t rank;			/* number of matching events up to and including this one */
};

void tally_init(struct tally *t, struct session *s);
/* Count again, at the next tally_turn(). @query is kept; NULL: all events. */
void tally_want(struct tally *t, struct query *query, bool ranged);
void tally_off(struct tally *t);	/* stops counting */
void tally_release(struct tally *t);
/*
 * Call it once in each turn: reads the counts so far. If @free, begins wanted counts, and continues with traces that have
 * grown.
 */
void tally_turn(struct tally *t, bool free);
/* Request the number of the event at @at. It is known when t->ranked is set and t->rank_at is @at. */
void tally_rank(struct tally *t, const struct tn_location *at);
/* Set the number of an event, if the screen shows the rows between it and an event whose number is known. */
void tally_set_rank(struct tally *t, const struct tn_location *at, uint64_t rank, bool is_one);
bool tally_has_rank(const struct tally *t, const struct tn_location *at);

#endif
