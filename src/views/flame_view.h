/*
 * flame_view.h - the view of stacks: a flame graph and its table
 *
 * Callers are above callees, and the width of a frame is its time or its number of samples. A job makes the tree, its
 * callers and the table; the former result stays until the next one is complete. The rows of the list are the frames
 * below the zoomed one, each before its callees; the graph draws the same rows. Tab shows the table.
 */
#ifndef VIEWS_FLAME_VIEW_H
#define VIEWS_FLAME_VIEW_H

#include <tnav/flame.h>

#include "list.h"
#include "session/naming.h"
#include "view.h"

enum flame_form { FLAME_TREE, FLAME_CALLERS, FLAME_TABLE, FLAME_FORMS };

/* The results of a job. */
struct stacking {
	char *wanted, *asked;	/* spans of :flame, and the spans that the user asked for last; "": none */
	char *spans;		/* definitions in use; NULL: call chains are shown */
	char *field;		/* field that names the frame of a span; NULL: there are several */
	struct tn_str names;	/* pairs of address and name, with a line feed after each */
	const struct browse_options *options;
	struct tn_flame *flame[FLAME_FORMS];
	struct flame_view *view;	/* for the app's thread only */
};

/* A frame on the screen. */
struct box {
	size_t node;
	int row, col, cols;
};

struct flame_view {
	struct list_view list;
	struct job *job;
	struct stacking *made;	/* NULL: there is no result yet */
	enum flame_form form;
	bool is_table;
	size_t zoom;		/* number of the frame that is as wide as the screen */
	uint32_t first;		/* depth of the first row below the zoomed frame */
	const struct query *query;	/* query for which the result was made */
	int64_t settled_ns;
	int64_t since_ms;		/* start of the last job */
	struct box *box;	/* boxes of the last drawing */
	size_t n_boxes, box_room;
	/* The frames below the zoomed one that match the search. */
	struct { char *pattern; size_t zoom, next, n; uint64_t total; } hits;
};

static inline const struct tn_flame *
shown(const struct flame_view *f)
{
	return f->made ? f->made->flame[f->is_table ? FLAME_TABLE : f->form] : NULL;
}

static inline struct tn_flame_node
node_at(const struct flame_view *f, size_t i)
{
	struct tn_flame_node n = { .name = "" };

	tn_flame_node(shown(f), i, &n);
	return n;
}

static inline size_t
zoom_of(const struct flame_view *f)
{
	return f->is_table ? 0 : f->zoom;
}

/* The table has no row for node 0. */
static inline size_t
selected(const struct flame_view *f)
{
	return zoom_of(f) + f->list.selected + f->is_table;
}

/* flame_draw.c */
void flame_draw(struct view *v, struct canvas *c);
void flame_row(struct view *v, size_t i, struct line *out);
void flame_heading(struct view *v, struct line *out);
void flame_status(struct view *v, struct line *out);
bool flame_is_hit(const struct flame_view *f, const char *name);

#endif
