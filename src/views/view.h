/*
 * views/view.h - what a view is
 *
 * A view is one file and one constant struct view_class; the table of views is registry.c. A view
 * draws itself into its area when it is asked to, and answers an action with what must happen. It
 * waits for nothing and calls no other view: the app does what the reply says.
 */
#ifndef VIEWS_VIEW_H
#define VIEWS_VIEW_H

#include "session/action.h"
#include "screen/canvas.h"
#include "session/session.h"

struct view;

/* What an action led to. */
enum {
	VIEW_PASS = 0,		/* not mine: the app tries the next */
	VIEW_DONE = 1,
	VIEW_REDRAW = 2,
	VIEW_GO = 4,		/* to view->go, and back to the events */
	VIEW_CLOSE = 8,
	VIEW_MOVED = 16,	/* the shared cursor moved */
	VIEW_FILTER = 32,	/* add the condition view->wish */
	VIEW_COLUMNS = 64,	/* the settings of columns changed */
	VIEW_BOUNDS = 128,	/* show only what lies in view->bounds */
	VIEW_NO_MATCH = 256,	/* of the events: nothing passes the filters */
	VIEW_STOPPED = 512,	/* of the events: the user stopped what was on its way */
	VIEW_ARRIVED = 1024,	/* of the events: it is on the screen */
	VIEW_SKIP = 4096,	/* of the events: over view->skip of them, which are far */
	VIEW_ASK = 8192,	/* the command line, with view->wish in it */
	VIEW_REMOVE = 2048,	/* the selected one of the session's bookmarks */
	VIEW_CONDITION = 16384,	/* view->change of the session's condition view->condition */
	VIEW_ACT = 32768,	/* do view->call, when it is closed */
	VIEW_COPY = 131072,	/* view->wish to the clipboard */
	VIEW_THEN = 262144,	/* with VIEW_GO: when that is there, view->call */
	VIEW_PACKET = 65536	/* to the first row of the packet of view->go.location, and back to the events */
};

enum condition_change { CONDITION_TOGGLE, CONDITION_UP, CONDITION_DOWN, CONDITION_REMOVE, CONDITION_EDIT };

/* A line of the command line, for the help. */
struct command_help {
	const char *usage;	/* translate both with _() */
	const char *help;
};

enum view_place { VIEW_SCREEN, VIEW_PANE };

#define LEFT_MAX 1000000	/* columns that are scrolled away, or by, at most */

struct view_class {
	const char *name;	/* also the name of its keymap */
	const char *title;	/* for people; translate with _() */
	const char *hint;	/* its keys, for the last line; NULL: the usual ones; translate with _() */
	enum view_place place;
	size_t size;		/* of its struct, which begins with a struct view or list_view; allocated zeroed */
	bool (*open)(struct view *v, struct tn_error *err);	/* NULL: nothing to do, as for the others */
	void (*close)(struct view *v);
	/* Before it is drawn, its area known: get what it will show. Drawing itself reads nothing of a trace. */
	unsigned (*prepare)(struct view *v);
	void (*draw)(struct view *v, struct canvas *c);
	unsigned (*act)(struct view *v, const struct call *call);
	void (*cursor_moved)(struct view *v);	/* session->row is another */
	/* The mouse: a press, or a drag from the press on, at this place of its area; VIEW_PASS: as a list. */
	unsigned (*point)(struct view *v, int row, int col, bool drag, bool end);
	unsigned (*turn)(struct view *v);	/* once a turn of the loop: look at jobs */
	void (*status)(struct view *v, struct line *out);	/* its part of the status line */
	/* The options of the command line that print what is shown, a word a call; false: none do. NULL: never. */
	bool (*command)(struct view *v, void (*word)(void *user, const char *word), void *user);

	/* Lists only (list.h); draw and act are then given by the list, `act` is asked first. */
	void (*row)(struct view *v, size_t i, struct line *out);
	/*
	 * Where a row is a part of a longer text, the bytes [*from, *to) of it: the text. A search finds what begins in this
	 * part and ends in the next. NULL: the row is all of it.
	 */
	void (*whole)(struct view *v, size_t i, struct line *out, size_t *from, size_t *to);
	void (*heading)(struct view *v, struct line *out);
	void (*selected)(struct view *v);	/* another line is selected */
};

struct view {
	const struct view_class *class;
	struct session *session;
	struct area area;	/* where it is; set by the app before it draws */
	bool active;		/* keys go to it */
	bool prepared;		/* once, for drawing or for a key that came before */
	bool no_hint;		/* that of its class is not about what it shows now; */
	const char *hint;	/* this is, when not NULL; translate with _() */
	struct place go;
	uint64_t skip;
	bool skip_back;
	struct bounds bounds;
	char *wish;		/* malloc()ed; the app frees it */
	enum condition_change change;
	size_t condition;
	struct call call;
	const struct view_class *about;	/* of the help: the view it is for */
	const struct keymap *keymap;	/* of the help */
	const struct command_help *commands;	/* of the help; one without usage is the end */
};

struct view *view_open(const struct view_class *class, struct session *s, struct tn_error *err);
void view_close(struct view *v);	/* NULL is allowed */

extern const struct view_class events_view, details_view, bytes_view, packets_view, streams_view, statistics_view,
	histogram_view, problems_view, metadata_view, bookmarks_view, columns_view, help_view, values_view,
	answers_view, lanes_view, ladder_view, filters_view;

/* All of them, NULL at the end. */
extern const struct view_class *const view_classes[];
const struct view_class *view_find(const char *name);	/* NULL: none */

#endif
