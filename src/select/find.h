/*
 * find.h - looking for an event from the cursor on: a job, whose end is a wish to go there
 */
#ifndef FIND_H
#define FIND_H

#include "session/session.h"

enum find_kind {
	FIND_SEARCH, FIND_STREAM, FIND_TYPE, FIND_VALUE, FIND_PROBLEM, FIND_GAP, FIND_NUMBER, FIND_SKIP
};

/* The query of a search: the filters, and the condition of the search. */
bool find_query(struct session *s, enum find_kind kind, struct query **out, struct tn_error *err);
void find_start(struct session *s, enum find_kind kind, bool backward, uint64_t count);
void find_stop(struct session *s);	/* another motion is wanted in its place */
/* The pattern that `n` searches for from now on; "": the last one again. */
bool find_pattern(struct session *s, const char *pattern, bool backward, struct tn_error *err);
/* The chosen field's value, as `]f` would; the next ones by `n`. */
void find_value(struct session *s, bool backward);

#endif
