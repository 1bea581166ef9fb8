/* reopen.h - open the same traces again in a job, because files have grown or clocks were shifted */
#ifndef REOPEN_H
#define REOPEN_H

#include "session/session.h"

/* Traces that are open and wait for the app: s->wish.opened. */
struct reopened {
	struct opened *opened;
	struct tn_trace_offset *offset;	/* new shifts of the traces; owned */
	size_t n_offsets;
	int64_t *by;			/* change of each stream's times; owned; NULL: no change */
	size_t n_streams;
	struct place place;		/* place to go to after the exchange */
	enum align align;
	bool grows;			/* the traces are opened as growing ones */
	const char *done;		/* message after the exchange; NULL: none */
};

/*
 * Open the traces with these shifts, and own the array; NULL: no shifts. Then go to @place, which is shifted too, and
 * show the message @done.
 */
void reopen_start(struct session *s, struct tn_trace_offset *offset, size_t n, const struct place *place,
		  enum align align, const char *done);
bool reopen_can(struct session *s, const char *why_not);	/* false: the reason is shown */
bool reopen_runs(const struct session *s);
void reopened_free(struct reopened *r);
#endif
