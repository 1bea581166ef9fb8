/* loss_summary.h - the number of events that tracers lost, added up from the notices of a scan */
#ifndef LOSS_SUMMARY_H
#define LOSS_SUMMARY_H

#include <tnav/cursor.h>

struct loss {
	uint64_t events, packets;
	bool more;		/* there are other losses, of an unknown number */
};

struct losses {
	struct loss *of_stream;	/* losses of each stream, indexed by rank */
	size_t n;
	uint64_t places;	/* number of places with losses, without broken connections */
	uint64_t damages;	/* number of rows that report damage */
};

bool losses_init(struct losses *l, const struct tn_set *set);	/* false: memory is out */
void losses_release(struct losses *l);

/* Add a notice of losses; ignore other rows. */
void losses_add(struct losses *l, const struct tn_row *row);

/* The sum of the losses in all streams. */
struct loss losses_sum(const struct losses *l);

#endif
