/*
 * lanes_view.h - the view of lanes: states over time
 *
 * Time goes to the right, and each value has a lane. A job makes the picture of a window: coarse guesses first, then
 * exact cells. The former picture stays until the next one is complete. If the terminal has colours and half blocks, each
 * of its cells shows two cells of time, and states are colours; otherwise states are letters.
 */
#ifndef VIEWS_LANES_VIEW_H
#define VIEWS_LANES_VIEW_H

#include "lanes_labels.h"
#include "lanes_picture.h"
#include "list.h"
#include "view.h"

struct lanes {
	struct view base;
	struct job *job;
	struct drawing *drawing;	/* data of the job */
	struct picture picture;
	struct tn_lanes_memory *memory;	/* recording of the last picture */
	const struct query *query, *hits;	/* queries for which the picture was made */
	int64_t begin_ns, end_ns;	/* the wanted window */
	int cols;		/* width for the picture */
	struct labels labels;	/* labels of the picture; after the first picture, their width only grows */
	bool is_named;		/* numbers in the picture may have names */
	bool fitted;		/* the width of the labels fits the known names */
	size_t lane, column, top;
	bool ready;		/* the window is chosen */
	bool placed;		/* the cursor was put on the event of the list */
	bool has_at, is_event;	/* at_ns is a time in the cursor's cell; it is the time of the list's event */
	int64_t at_ns;
	char *chosen;		/* definition to draw, if the user gave none; NULL: not known yet */
	char *instead;		/* the reason why there is no picture; NULL: no message */
	struct job *sharing;
	struct cell_shares shares;	/* shares of the selected cell, if it is still the same one */
	size_t drawn_shares;
};

/* Whether half blocks and colours are used, so that a column of the terminal shows two columns of time. */
bool lanes_halves(const struct session *s);
/* The time at which a column of the picture begins, inside of the traces. */
int64_t lanes_time(const struct lanes *l, size_t column);
/* Whether the state of the selected cell did not last for the whole cell. */
bool lanes_in_part(const struct lanes *l);
void lanes_draw(struct view *v, struct canvas *c);
void lanes_chosen(struct lanes *l, struct line *line);

#endif
