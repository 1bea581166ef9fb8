/* views/events.h - the list of events: the functions that the app needs in addition to struct view_class */
#ifndef VIEWS_EVENTS_H
#define VIEWS_EVENTS_H

#include "view.h"
#include "session/window.h"

/*
 * Go to the first row at or after a place; if there is none, to the last row. If there is a filter, jobs get the rows:
 * the screen does not change until the reply of a turn has VIEW_ARRIVED, VIEW_NO_MATCH or VIEW_STOPPED.
 */
unsigned events_go(struct view *v, const struct place *place, enum align align);
/* The filters or the form of the rows changed: get all rows again. The cursor stays on its row. */
unsigned events_refresh(struct view *v);
bool events_waiting(const struct view *v);
bool events_looking(const struct view *v);	/* whether a job is searching for rows */
/* Count the events in the loaded rows. True: there are no other events. */
bool events_count(const struct view *v, uint64_t *n);
/*
 * The number of the cursor's row among the events of @t, if the rows on the screen give it, counted from the first row,
 * from the last row, or from a row whose number is known.
 */
bool events_rank(const struct view *v, const struct tally *t, uint64_t *rank, bool *is_one);
void events_forget_widths(struct view *v);
/* The row at the cursor; NULL: none. */
const struct event_row *events_row(const struct view *v);
/* Call @each for the text of payload and contexts of each event that is on the screen or near it. */
void events_each_text(const struct view *v, void (*each)(void *user, const char *text), void *user);
/* Move the cursor to the event in this row of the view, counted from 0. */
unsigned events_click(struct view *v, int row);
/* Make the lines of rows in columns, for copying. @view: the view of events. */
void events_compose(void *view, struct event_row *row, size_t n, struct line *out);

#endif
