/*
 * filters.h - the stack of conditions typed after `&`
 *
 * A new condition takes effect when the first events that pass are there. Until then the screen stays
 * as it is; when nothing passes, or the user stops the search, the conditions are as they were.
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

/* Add a condition, as typed after `&`; false: *err has the mistake. */
bool filters_add(struct filters *f, struct session *s, const char *text, struct tn_error *err);
/* Replace all conditions by these; takes them over, also on failure. */
bool filters_set(struct filters *f, struct session *s, struct condition *condition, size_t n, struct tn_error *err);
/* Shows only events between these times, in place of another range; NULL: all times again. */
void filters_range(struct filters *f, struct session *s, const struct bounds *b);
/* Toggle, move or remove condition @i; or, with CONDITION_EDIT, replace it by @text. False: *err is set. */
bool filters_change(struct filters *f, struct session *s, size_t i, enum condition_change how, const char *text,
		    struct tn_error *err);
bool filters_remove_last(struct filters *f, struct session *s);	/* false: there is none */
void filters_clear(struct filters *f, struct session *s);
void filters_toggle(struct filters *f, struct session *s, uint64_t which);	/* 0: all of them */
void filters_keep(struct filters *f, struct session *s);	/* the events that pass are on the screen */
/* The expected events do not come: nothing passes, or, with @stopped, the user stopped the search and knows it. */
void filters_undo(struct filters *f, struct session *s, bool stopped);
void filters_forget(struct filters *f);		/* forget the conditions before the change */
void filters_requery(struct session *s);	/* keep the conditions; the look of times or lines has changed */
void filters_context(struct session *s, int more);	/* events around matches */

#endif
