/*
 * views/view.h - the interface of views
 *
 * A view is one file and one constant struct view_class; registry.c has the table of views. A view draws itself into its
 * area when requested, and answers an action with a reply. It never waits, and calls no other view: the app acts on the
 * reply.
 */
#ifndef VIEWS_VIEW_H
#define VIEWS_VIEW_H

#include "session/action.h"
#include "screen/canvas.h"
#include "session/session.h"

struct view;

/* Replies to an action, as flags. */
enum {
	VIEW_PASS = 0,		/* the action is not for this view: the app tries the next one */
	VIEW_DONE = 1,
	VIEW_REDRAW = 2,
	VIEW_MOVED = 4,		/* the shared cursor has moved */
	VIEW_REQUEST = 8	/* do view->request */
};

enum condition_change { CONDITION_TOGGLE, CONDITION_UP, CONDITION_DOWN, CONDITION_REMOVE, CONDITION_EDIT };

enum request_kind {
	REQUEST_NOTHING,
	REQUEST_CLOSE,		/* close the view */
	REQUEST_GO,		/* go to is.go.place in the events, and then do is.go.then */
	REQUEST_PACKET,		/* go to the first row of the packet is.packet in the events */
	REQUEST_FILTER,		/* add the condition is.text, and go to the events */
	REQUEST_EXCLUDE,	/* add the condition is.text; the view stays open */
	REQUEST_BOUNDS,		/* show only the events in is.bounds */
	REQUEST_COLUMNS,	/* the settings of columns changed */
	REQUEST_CONDITION,	/* change a condition of the session */
	REQUEST_REMOVE,		/* remove the session's selected bookmark */
	REQUEST_COMMAND,	/* open the command line with is.text */
	REQUEST_COPY,		/* copy is.text to the clipboard */
	REQUEST_ACT,		/* do is.call; the view stays open */
	REQUEST_CLOSE_ACT,	/* close the view, then do is.call */
	REQUEST_CLOSE_COMMAND,	/* close the view, then open the command line with is.text */
	/* Requests that only the view of events makes: */
	REQUEST_SKIP,		/* skip is.skip.n events, which is too far to do in the view */
	REQUEST_ARRIVED,	/* the wanted row is on the screen */
	REQUEST_NO_MATCH,	/* no event matches the filters */
	REQUEST_STOPPED		/* the user stopped the jump */
};

/* A request of a view to the app. It owns its text, which is malloc()ed. */
struct request {
	enum request_kind kind;
	union {
		struct { struct place place; struct call then; } go;	/* `then`: ACT_NONE, or an action */
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

#define LEFT_MAX 1000000	/* limit of columns by which a view scrolls */

struct view_class {
	const char *name;	/* also the name of its keymap */
	const char *title;	/* readable title; translate with _() */
	const char *hint;	/* keys for the last line; NULL: the usual ones; translate with _() */
	enum view_place place;
	size_t size;		/* size of its struct, which begins with a struct view or list_view; allocated zeroed */
	bool (*open)(struct view *v, struct tn_error *err);	/* NULL, also in the following functions: nothing to do */
	void (*close)(struct view *v);
	/* Get the content before the view is drawn; its area is known. Drawing does not read the trace. */
	unsigned (*prepare)(struct view *v);
	void (*draw)(struct view *v, struct canvas *c);
	unsigned (*act)(struct view *v, const struct call *call);
	void (*cursor_moved)(struct view *v);	/* session->row has changed */
	/* A press of the mouse, or a drag after it, at this place in the area. VIEW_PASS: lists handle it. */
	unsigned (*point)(struct view *v, int row, int col, bool drag, bool end);
	unsigned (*turn)(struct view *v);	/* called once in each turn of the loop, to check jobs */
	void (*again)(struct view *v);	/* other events pass: count anew. NULL: the view finds out by itself, or does not matter */
	void (*status)(struct view *v, struct line *out);	/* appends the view's part of the status line */
	/*
	 * Write the command line options that print this view, one word in each call. False: impossible now. NULL: never
	 * possible.
	 */
	bool (*command)(struct view *v, void (*word)(void *user, const char *word), void *user);

	/* Only for lists (list.h): without `draw`, the list draws the view. The list acts after `act`. */
	void (*row)(struct view *v, size_t i, struct line *out);
	/*
	 * If a row is a part of a longer text, get the whole text, and the row's range [*from, *to) in it. So a search
	 * finds matches that begin in one row and end in the next. NULL: rows are complete.
	 */
	void (*whole)(struct view *v, size_t i, struct line *out, size_t *from, size_t *to);
	void (*heading)(struct view *v, struct line *out);
	void (*selected)(struct view *v);	/* another line was selected */
};

struct view {
	const struct view_class *class;
	struct session *session;
	struct area area;	/* area of the view; the app sets it before it draws */
	bool active;		/* the view gets the keys */
	unsigned asked;		/* asks.changes when the events of the view were counted */
	bool prepared;		/* `prepare` was called, for drawing or because of an earlier key */
	bool no_hint;		/* the hint of the class is not valid now */
	const char *hint;	/* the hint that is valid now; or NULL; translate with _() */
	struct request request;	/* set by view_request() and the functions after it */
	const struct view_class *about;	/* for the help: the view that it explains */
	const struct keymap *keymap;	/* for the help: the keys */
	const struct command_help *commands;	/* for the help: the commands; an item without usage ends the list */
};

struct view *view_open(const struct view_class *class, struct session *s, struct tn_error *err);
void view_close(struct view *v);	/* NULL is allowed */

/* Make a request, in place of an earlier one. Returns VIEW_DONE | VIEW_REQUEST. */
unsigned view_request(struct view *v, const struct request *request);
unsigned view_request_kind(struct view *v, enum request_kind kind);
unsigned view_request_go(struct view *v, const struct tn_location *at);
unsigned view_request_time(struct view *v, int64_t time_ns);
unsigned view_request_answer(struct view *v);	/* opens the table that the session wishes for (session/wish.h) */
/* Takes ownership of @text. NULL: no request is made, and VIEW_DONE is returned. */
unsigned view_request_text(struct view *v, enum request_kind kind, char *text);
void request_release(struct request *request);

extern const struct view_class events_view, details_view, bytes_view, packets_view, streams_view, statistics_view,
	histogram_view, problems_view, metadata_view, bookmarks_view, columns_view, help_view, values_view,
	answers_view, lanes_view, plot_view, flame_view, ladder_view, filters_view;

/* All views; NULL ends the list. */
extern const struct view_class *const view_classes[];
const struct view_class *view_find(const char *name);	/* NULL: none */

#endif
