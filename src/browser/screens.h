/*
 * screens.h - the open views, one above the other, and the panes below the events
 */
#ifndef SCREENS_H
#define SCREENS_H

#include "session/keymap.h"
#include "views/view.h"

#define SCREENS 8		/* views one above the other */
#define FORMERS 8		/* times that the user went from views to the events */

/* Views that the user left for the events: `q` there comes back to them. */
struct former {
	struct view *view[SCREENS];
	size_t n;
	char *filter;		/* the filter that leaving them added and coming back removes; NULL: none */
	unsigned changes;	/* asks.changes with that filter */
};

/* Panes below the events. */
enum { PANE_DETAILS, PANE_BYTES, PANES };

struct screens {
	struct session *session;
	const struct keymap *keymap;	/* keymap for the help, as is the next member */
	const struct command_help *commands;
	int rows, cols;		/* size of the terminal */
	struct view *screen[SCREENS];	/* [0]: the events */
	size_t n_screens;
	struct former former[FORMERS];	/* the last one is newest */
	size_t n_formers;
	struct view *pane[PANES];	/* NULL: not open */
	int focus;		/* -1: the screen; else a pane */
	bool maximised;
};

struct view *screens_top(struct screens *k);	/* the screen on top */
struct view *screens_active(struct screens *k);	/* the screen or pane that gets the keys */
/* Open the view anew, also if it is open: the user has asked it another question. Screens on top of it are closed. */
void screens_renew(struct screens *k, const struct view_class *class);
void screens_push(struct screens *k, const struct view_class *class);
void screens_pop(struct screens *k);
void screens_to_events(struct screens *k);	/* go to the events; the views can come back */
void screens_left_by(struct screens *k, const char *filter);	/* the views were left by adding this filter */
/* The filter to be removed before screens_back(); NULL: none. */
const char *screens_filter_back(const struct screens *k);
bool screens_back(struct screens *k);	/* back to the views left last; false: there are none */
void screens_toggle_pane(struct screens *k, const struct view_class *class, int pane);
void screens_layout(struct screens *k);
void screens_cursor_moved(struct screens *k);	/* the user is on another row, or more is known of the row */
void screens_close(struct screens *k);		/* all of them */

void screens_next_bytes(struct screens *k);	/* hexadecimal, bits, off */
void screens_next_pane(struct screens *k);
void screens_maximise(struct screens *k);

#endif
