/*
 * views/events.h - the list of events: what the app asks of it beyond struct view_class
 */
#ifndef VIEWS_EVENTS_H
#define VIEWS_EVENTS_H

#include "view.h"
#include "session/window.h"

/*
 * Go to the first row at a place, or to the last row if there is none after the place. With a filter on, the rows
 * come from jobs: the screen stays as it is until the reply of a turn says VIEW_ARRIVED, or one of
 * VIEW_NO_MATCH, VIEW_STOPPED.
 */
unsigned events_go(struct view *v, const struct place *place, enum align align);
/* The filters or the look of the rows changed: fetch all rows again; the cursor stays on its row. */
unsigned events_refresh(struct view *v);
bool events_waiting(const struct view *v);
bool events_looking(const struct view *v);	/* a job looks for rows */
/* Number of events among the loaded rows; true: there are no other events. */
bool events_count(const struct view *v, uint64_t *n);
/*
 * The number of the cursor's row among the events of @t, if the rows on the screen give it: counted from the first
 * row, the last row, or the row whose number is known.
 */
bool events_rank(const struct view *v, const struct tally *t, uint64_t *rank, bool *is_one);
void events_forget_widths(struct view *v);
/* The row of the cursor; NULL: none. */
const struct event_row *events_row(const struct view *v);
/* Call @each for the text of the payload and contexts of each event on the screen or near it. */
void events_each_text(const struct view *v, void (*each)(void *user, const char *text), void *user);
/* Move the cursor to the event in that row of the view's area, from 0. */
unsigned events_click(struct view *v, int row);
/* The lines of rows as the columns show them, for copying; @view is the view of events. */
void events_compose(void *view, struct event_row *row, size_t n, struct line *out);

#endif
