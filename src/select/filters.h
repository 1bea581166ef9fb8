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
	/* As they were before the change that is on its way. */
	struct condition *undo;
	size_t n_undo;
	struct query *undo_query;
	bool has_undo;
};

/* One more condition, as typed after `&`; false: *err says what is wrong with it. */
bool filters_add(struct filters *f, struct session *s, const char *text, struct tn_error *err);
/* These in place of all others; takes them over, also when it fails. */
bool filters_set(struct filters *f, struct session *s, struct condition *condition, size_t n, struct tn_error *err);
/* Shows only events between these times, in place of another range; NULL: all times again. */
void filters_range(struct filters *f, struct session *s, const struct bounds *b);
/* Condition @i: on or off, up, down, away; or, with CONDITION_EDIT, @text in its place. False: *err. */
bool filters_change(struct filters *f, struct session *s, size_t i, enum condition_change how, const char *text,
		    struct tn_error *err);
bool filters_remove_last(struct filters *f, struct session *s);	/* false: there is none */
void filters_clear(struct filters *f, struct session *s);
void filters_toggle(struct filters *f, struct session *s, uint64_t which);	/* 0: all of them */
void filters_keep(struct filters *f, struct session *s);	/* the events that pass are on the screen */
/* The expected events do not come: nothing passes, or, with @stopped, the user stopped the search and knows it. */
void filters_undo(struct filters *f, struct session *s, bool stopped);
void filters_forget(struct filters *f);		/* how they were before */
void filters_requery(struct session *s);	/* the same conditions; times or lines look otherwise */
void filters_context(struct session *s, int more);	/* events around matches */

#endif
