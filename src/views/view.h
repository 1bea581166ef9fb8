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

/* The results of an action: flags. */
enum {
	VIEW_PASS = 0,		/* not mine: the app tries the next */
	VIEW_DONE = 1,
	VIEW_REDRAW = 2,
	VIEW_MOVED = 4,		/* the shared cursor moved */
	VIEW_REQUEST = 8	/* do view->request */
};

enum condition_change { CONDITION_TOGGLE, CONDITION_UP, CONDITION_DOWN, CONDITION_REMOVE, CONDITION_EDIT };

enum request_kind {
	REQUEST_NOTHING,
	REQUEST_CLOSE,		/* the view */
	REQUEST_GO,		/* to is.go.place, and back to the events; when that is there, do is.go.then */
	REQUEST_PACKET,		/* to the first row of the packet of is.packet, and back to the events */
	REQUEST_FILTER,		/* add the condition is.text, and back to the events */
	REQUEST_EXCLUDE,	/* add the condition is.text; the view stays */
	REQUEST_BOUNDS,		/* show only the events in is.bounds */
	REQUEST_COLUMNS,	/* the settings of columns changed */
	REQUEST_CONDITION,	/* change a condition of the session */
	REQUEST_REMOVE,		/* the selected one of the session's bookmarks */
	REQUEST_COMMAND,	/* the command line, with is.text in it */
	REQUEST_COPY,		/* is.text to the clipboard */
	REQUEST_ACT,		/* do is.call; the view stays */
	REQUEST_CLOSE_ACT,	/* do is.call, when the view is closed */
	REQUEST_CLOSE_COMMAND,	/* the command line, with is.text in it, when the view is closed */
	/* Of the events alone: */
	REQUEST_SKIP,		/* over is.skip.n of them, which are far */
	REQUEST_ARRIVED,	/* the wanted row is on the screen */
	REQUEST_NO_MATCH,	/* nothing passes the filters */
	REQUEST_STOPPED		/* the user stopped what was on its way */
};

/* A request of a view to the app. A text is malloc()ed and owned. */
struct request {
	enum request_kind kind;
	union {
		struct { struct place place; struct call then; } go;	/* then: ACT_NONE, or an action */
		struct tn_location packet;
		struct bounds bounds;
		struct { size_t i; enum condition_change change; } condition;
		struct { uint64_t n; bool backward; } skip;
		struct call call;
		char *text;
	} is;
};

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
	void (*again)(struct view *v);	/* other events pass: count anew. NULL: the view finds out by itself, or does not matter */
	void (*status)(struct view *v, struct line *out);	/* its part of the status line */
	/* The options of the command line that print what is shown, a word a call; false: none do. NULL: never. */
	bool (*command)(struct view *v, void (*word)(void *user, const char *word), void *user);

	/* Lists only (list.h); the list draws unless the class does, and acts after `act`. */
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
	unsigned asked;		/* asks.changes, when its events were counted */
	bool prepared;		/* once, for drawing or for a key that came before */
	bool no_hint;		/* that of its class is not about what it shows now; */
	const char *hint;	/* this is, when not NULL; translate with _() */
	struct request request;	/* set by view_request() and its kin */
	const struct view_class *about;	/* of the help: the view it is for */
	const struct keymap *keymap;	/* of the help */
	const struct command_help *commands;	/* of the help; one without usage is the end */
};

struct view *view_open(const struct view_class *class, struct session *s, struct tn_error *err);
void view_close(struct view *v);	/* NULL is allowed */

/* Ask for something, in place of what was asked for before. These return VIEW_DONE | VIEW_REQUEST. */
unsigned view_request(struct view *v, const struct request *request);
unsigned view_request_kind(struct view *v, enum request_kind kind);
unsigned view_request_go(struct view *v, const struct tn_location *at);
unsigned view_request_time(struct view *v, int64_t time_ns);
unsigned view_request_answer(struct view *v);	/* the table that the session wishes for now (session/wish.h) */
/* @text is taken over; NULL: nothing is asked for, and VIEW_DONE is returned. */
unsigned view_request_text(struct view *v, enum request_kind kind, char *text);
void request_release(struct request *request);

extern const struct view_class events_view, details_view, bytes_view, packets_view, streams_view, statistics_view,
	histogram_view, problems_view, metadata_view, bookmarks_view, columns_view, help_view, values_view,
	answers_view, lanes_view, plot_view, flame_view, ladder_view, filters_view;

/* All of them, NULL at the end. */
extern const struct view_class *const view_classes[];
const struct view_class *view_find(const char *name);	/* NULL: none */

#endif
