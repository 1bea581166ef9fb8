/*
 * reopen.h - the same traces opened again, beside the view: for files that have grown, for shifted clocks
 */
#ifndef REOPEN_H
#define REOPEN_H

#include "session/session.h"

/* The app takes these over when they are open: s->wish.opened. */
struct reopened {
	struct opened *opened;
	struct tn_trace_offset *offset;	/* of the traces from now on; owned */
	size_t n_offsets;
	int64_t *by;			/* how far that moves the times of each stream; owned; NULL: not at all */
	size_t n_streams;
	struct place place;		/* where to go then */
	enum align align;
	bool grows;			/* they are opened as ones that grow */
	const char *done;		/* to say then; NULL: nothing */
};

/*
 * With these shifts, which it takes over; NULL: as they are. To @place when they are open, which is shifted too;
 * @done is said then.
 */
void reopen_start(struct session *s, struct tn_trace_offset *offset, size_t n, const struct place *place,
		  enum align align, const char *done);
bool reopen_can(struct session *s, const char *why_not);	/* false says why not */
bool reopen_runs(const struct session *s);
void reopened_free(struct reopened *r);
#endif
