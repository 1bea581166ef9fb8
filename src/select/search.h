/* search.h - search for an event from the cursor on, in a job that requests a jump at its end */
#ifndef SEARCH_H
#define SEARCH_H

#include "session/session.h"

enum search_kind {
	SEARCH_PATTERN, SEARCH_STREAM, SEARCH_TYPE, SEARCH_VALUE, SEARCH_PROBLEM, SEARCH_GAP, SEARCH_NUMBER, SEARCH_SKIP
};

/* Make the query of a search from the filters and the condition of the search. */
bool search_query(struct session *s, enum search_kind kind, struct query **out, struct tn_error *err);
void search_start(struct session *s, enum search_kind kind, bool backward, uint64_t count);
void search_stop(struct session *s);	/* another motion replaces the search */
/* Set the pattern that `n` searches for; "": use the last one again. */
bool search_pattern(struct session *s, const char *pattern, bool backward, struct tn_error *err);
/* Search for the chosen field's value, as `]f` does; `n` then finds the next events. */
void search_value(struct session *s, bool backward);

#endif
