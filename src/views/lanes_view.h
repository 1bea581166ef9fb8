/*
 * lanes_view.h - the view of lanes: states over time
 *
 * Time runs to the right; each value has a lane. A job makes the picture of a window: coarse guesses first, then exact
 * cells. The former picture stays until the next one is there. Where the terminal has colours and half blocks, a cell
 * of it is two of time, and a state is a colour; else a letter is.
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
	struct drawing *drawing;	/* of the job */
	struct picture picture;
	struct tn_lanes_memory *memory;	/* of what was drawn last */
	const struct query *query, *hits;	/* it was made for */
	int64_t begin_ns, end_ns;	/* the wanted window */
	int cols;		/* of the area it was made for */
	struct labels labels;	/* of the picture; their width only grows, but for the first picture's */
	bool is_named;		/* its numbers may have names */
	bool fitted;		/* to names that are known */
	size_t lane, column, top;
	bool ready;		/* a window is chosen */
	bool placed;		/* the cursor is where the list's is */
	bool has_at, is_event;	/* the cursor is a time within its cell; that of the list's event */
	int64_t at_ns;
	char *chosen;		/* the definition to draw if the user gave none; NULL: not known yet */
	char *instead;		/* why there is no picture; NULL: nothing is said */
	struct job *sharing;
	struct cell_shares shares;	/* of the chosen cell, if it is still the same one */
	size_t drawn_shares;
};

/* Half blocks and colours: a column of the terminal is two of time. */
bool lanes_halves(const struct session *s);
/* The time at which a column of the picture begins, within the traces. */
int64_t lanes_time(const struct lanes *l, size_t column);
/* Whether the state of the chosen cell did not last for all of it. */
bool lanes_in_part(const struct lanes *l);
void lanes_draw(struct view *v, struct canvas *c);
void lanes_chosen(struct lanes *l, struct line *line);

#endif
