/*
 * loss_summary.h - what the tracers lost, added up from the notices of a scan
 */
#ifndef LOSS_SUMMARY_H
#define LOSS_SUMMARY_H

#include <tnav/cursor.h>

struct loss {
	uint64_t events, packets;
	bool more;		/* further losses of an unknown number */
};

struct losses {
	struct loss *of_stream;	/* by rank */
	size_t n;
	uint64_t places;	/* places with losses, without broken connections */
	uint64_t damages;	/* rows of damage */
};

bool losses_init(struct losses *l, const struct tn_set *set);	/* false when memory is out */
void losses_release(struct losses *l);

/* Add a notice; other rows are left aside. */
void losses_add(struct losses *l, const struct tn_row *row);

/* The losses of all streams together. */
struct loss losses_sum(const struct losses *l);

#endif
