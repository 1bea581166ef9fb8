/* screens.h - the open views, stacked above each other, and the panes below the events */
#ifndef SCREENS_H
#define SCREENS_H

#include "session/keymap.h"
#include "views/view.h"

#define SCREENS 8		/* largest number of stacked views */
#define FORMERS 8		/* number of times that a user can go from views to the events and back */

/* Views that the user left for the events; `q` returns to them. */
struct former {
	struct view *view[SCREENS];
	size_t n;
	char *filter;		/* filter added on leaving them, to be removed on return; NULL: none */
	unsigned changes;	/* value of asks.changes when that filter was added */
};

/* Panes below the events. */
enum { PANE_DETAILS, PANE_BYTES, PANES };

struct screens {
	struct session *session;
	const struct keymap *keymap;	/* keymap, which the help shows, as it does the commands */
	const struct command_help *commands;
	int rows, cols;		/* size of the terminal */
	struct view *screen[SCREENS];	/* [0]: the events */
	size_t n_screens;
	struct former former[FORMERS];	/* the last item is the newest one */
	size_t n_formers;
	struct view *pane[PANES];	/* NULL: closed */
	int focus;		/* index of the pane with the focus; -1: the screen */
	bool maximised;
};

struct view *screens_top(struct screens *k);	/* the view at the top of the stack */
struct view *screens_active(struct screens *k);	/* the view or pane that receives the keys */
/* Open the view again, even if it is open, because its subject changed. Views above it stay. */
void screens_renew(struct screens *k, const struct view_class *class);
void screens_push(struct screens *k, const struct view_class *class);
void screens_pop(struct screens *k);
void screens_to_events(struct screens *k);	/* show the events; screens_back() restores the views */
void screens_left_by(struct screens *k, const char *filter);	/* the views were left, and this filter was added */
/* The filter to remove before screens_back(); NULL: none. */
const char *screens_filter_back(const struct screens *k);
bool screens_back(struct screens *k);	/* restore the views left last; false: there are none */
void screens_toggle_pane(struct screens *k, const struct view_class *class, int pane);
void screens_layout(struct screens *k);
void screens_cursor_moved(struct screens *k);	/* the cursor is on another row, or more data about its row arrived */
void screens_close(struct screens *k);		/* close all views and panes */

void screens_next_bytes(struct screens *k);	/* hexadecimal, then bits, then closed */
void screens_next_pane(struct screens *k);
void screens_maximise(struct screens *k);

#endif
