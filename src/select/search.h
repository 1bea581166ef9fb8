/*
 * search.h - looking for an event from the cursor on: a job, whose end is a wish to go there
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "session/session.h"

enum search_kind {
	SEARCH_PATTERN, SEARCH_STREAM, SEARCH_TYPE, SEARCH_VALUE, SEARCH_PROBLEM, SEARCH_GAP, SEARCH_NUMBER, SEARCH_SKIP
};

/* The query of a search: the filters, and the condition of the search. */
bool search_query(struct session *s, enum search_kind kind, struct query **out, struct tn_error *err);
void search_start(struct session *s, enum search_kind kind, bool backward, uint64_t count);
void search_stop(struct session *s);	/* another motion takes the place of the search */
/* The pattern that `n` searches for from now on; "": the last one again. */
bool search_pattern(struct session *s, const char *pattern, bool backward, struct tn_error *err);
/* Search for the chosen field's value, as `]f` does; `n` finds the next events. */
void search_value(struct session *s, bool backward);

#endif
