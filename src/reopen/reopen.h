/*
 * reopen.h - the same traces opened again, beside the view: for files that have grown, for shifted clocks
 */
#ifndef REOPEN_H
#define REOPEN_H

#include "session/session.h"

/* The app takes these over when they are open: s->wish.opened. */
struct reopened {
	struct opened *opened;
	struct tn_trace_offset *offset;	/* new shifts of the traces; owned */
	size_t n_offsets;
	int64_t *by;			/* change of the times of each stream; owned; NULL: no change */
	size_t n_streams;
	struct place place;		/* place to go to then */
	enum align align;
	bool grows;			/* the traces are opened as ones that grow */
	const char *done;		/* message for then; NULL: none */
};

/*
 * Open the traces with these shifts, and take the array over; NULL: without. Then go to @place, which is shifted too,
 * and show @done.
 */
void reopen_start(struct session *s, struct tn_trace_offset *offset, size_t n, const struct place *place,
		  enum align align, const char *done);
bool reopen_can(struct session *s, const char *why_not);	/* false: the reason is shown */
bool reopen_runs(const struct session *s);
void reopened_free(struct reopened *r);
#endif
