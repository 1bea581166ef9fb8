/*
 * list.h - views that consist of lines, one of which is selected
 *
 * If the class of a view has `row`, its structure begins with a struct list_view. This file then moves, draws and
 * searches. The view sets `n`.
 */
#ifndef LIST_H
#define LIST_H

#include "view.h"

struct list_view {
	struct view base;
	size_t n;		/* number of lines */
	size_t top, selected;
	int left;		/* columns by which the view is scrolled to the left */
	bool selecting;		/* lines from select_from to the selected line are selected, for y */
	size_t select_from;
	char *instead;		/* message in place of the lines, owned; NULL: none */
	bool plain;		/* the row is for copying: words in place of bars */
	struct line line;	/* memory for drawing */
};

void list_release(struct list_view *l);
void list_draw(struct list_view *l, struct canvas *c);
/* Put a text in place of a view's content, from its first row on, divided at blanks. */
void list_put_text(struct canvas *c, struct area area, const char *text);
unsigned list_act(struct list_view *l, const struct call *call);
void list_select(struct list_view *l, size_t i);
/* Select the next line that matches, other than the selected one. False: there is none. */
bool list_search(struct list_view *l, const struct tn_regex *regex, bool backward);

#endif
