/*
 * filters.h - the stack of conditions typed after `&`
 *
 * A new condition takes effect when its first events are found. Until then the screen does not change; if no event
 * passes, or the user stops the search, the former conditions are restored.
 */
#ifndef FILTERS_H
#define FILTERS_H

#include "counts.h"
#include "views/view.h"

struct filters {
	/* The conditions before the change that is in progress. */
	struct condition *undo;
	size_t n_undo;
	struct query *undo_query;
	bool has_undo;
};

/* Add a condition as typed after `&`. False: *err has the mistake. */
bool filters_add(struct filters *f, struct session *s, const char *text, struct tn_error *err);
/* Replace all conditions by these; owns them in any case. */
bool filters_set(struct filters *f, struct session *s, struct condition *condition, size_t n, struct tn_error *err);
/* Show only events between these times, instead of another range. @b NULL: show all times again. */
void filters_range(struct filters *f, struct session *s, const struct bounds *b);
/* Toggle, move or remove condition @i; or, with CONDITION_EDIT, replace it by @text. False: *err is set. */
bool filters_change(struct filters *f, struct session *s, size_t i, enum condition_change how, const char *text,
		    struct tn_error *err);
bool filters_remove_last(struct filters *f, struct session *s);	/* false: there is no condition */
void filters_clear(struct filters *f, struct session *s);
void filters_toggle(struct filters *f, struct session *s, uint64_t which);	/* @which 0: all conditions */
void filters_keep(struct filters *f, struct session *s);	/* keep the change, because its events are on the screen */
/* Restore the former conditions, because no event passes or, with @stopped, because the user stopped the search. */
void filters_undo(struct filters *f, struct session *s, bool stopped);
void filters_forget(struct filters *f);		/* forget the conditions before the change */
void filters_requery(struct session *s);	/* make the query again, because the form of times or lines changed */
void filters_context(struct session *s, int more);	/* show events around matches */

#endif
