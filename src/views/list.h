/*
 * list.h - views that are lines one below the other, one of them selected
 *
 * A view whose class has `row` begins with a struct list_view and gets moving, drawing and searching
 * from here. It keeps `n` right.
 */
#ifndef LIST_H
#define LIST_H

#include "view.h"

struct list_view {
	struct view base;
	size_t n;		/* number of lines */
	size_t top, selected;
	int left;		/* columns scrolled to the left */
	bool selecting;		/* lines from select_from to the selected one are selected, for y */
	size_t select_from;
	char *instead;		/* message in place of lines; NULL: none. Owned */
	bool plain;		/* the row is for copying: words in place of bars */
	struct line line;	/* memory for drawing */
};

void list_release(struct list_view *l);
void list_draw(struct list_view *l, struct canvas *c);
/* Put a text in the place of a view's content, from its first row on, broken at blanks. */
void list_put_text(struct canvas *c, struct area area, const char *text);
unsigned list_act(struct list_view *l, const struct call *call);
void list_select(struct list_view *l, size_t i);
/* Select the next line that matches, not the selected one; false: there is none. */
bool list_search(struct list_view *l, const struct tn_regex *regex, bool backward);

#endif
