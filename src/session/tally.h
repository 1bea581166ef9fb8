/*
 * tally.h - how many events pass, when, and which number one of them has: counted once, beside the view
 *
 * One ordered scan gives the number of events, bars of how many there are when, and the places of every so
 * many-th event (anchors): the number of any event then takes the scan of what lies between it and an anchor.
 * Memory: at most TALLY_ANCHORS locations and TALLY_BARS numbers, whatever the trace.
 */
#ifndef TALLY_H
#define TALLY_H

#include "job.h"

#define TALLY_BARS 1024		/* parts of the time range */
#define TALLY_ANCHORS 8192

struct tally {
	struct session *session;
	struct job *job;		/* counts; NULL: none does */
	bool on;			/* there is something to count */
	bool wanted;			/* it is to be counted when there is time */
	bool known;			/* all are counted, or what was to be counted until it was stopped */
	struct query *query;		/* what passes; NULL: every event there is */
	bool ranged;			/* only within the range */
	uint64_t n;			/* so far */
	int64_t begin_ns, end_ns;	/* of the bars */
	uint64_t bar[TALLY_BARS];
	bool lost[TALLY_BARS];		/* losses or damage in it; only where every event is counted */
	struct tn_location *anchor;	/* of events number 0, stride, 2 * stride, ... */
	size_t n_anchors;
	uint64_t stride;
	/* The number of the event that was asked for last. */
	struct job *rank_job;
	bool ranked, is_one;		/* is_one: it passes itself */
	struct tn_location rank_at;
	uint64_t rank;			/* events that pass up to it, itself among them */
};

void tally_init(struct tally *t, struct session *s);
/* Count anew, as soon as tally_turn() is called; @query is kept, NULL: every event. */
void tally_want(struct tally *t, struct query *query, bool ranged);
void tally_off(struct tally *t);	/* nothing is to be counted any more */
void tally_release(struct tally *t);
/* Once a turn: begin what is wanted when @free; look how far it is. */
void tally_turn(struct tally *t, bool free);
/* Ask for the number of the event at @at: known, t->ranked and t->rank_at is @at, or soon. */
void tally_rank(struct tally *t, const struct tn_location *at);
/* It is known from elsewhere: the screen has the rows between it and one that is known. */
void tally_set_rank(struct tally *t, const struct tn_location *at, uint64_t rank, bool is_one);
bool tally_has_rank(const struct tally *t, const struct tn_location *at);
/* The part of the bars that a time lies in. */
size_t tally_bar(int64_t begin_ns, int64_t end_ns, size_t bars, int64_t time_ns);

#endif
