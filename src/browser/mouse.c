/* mouse.c - actions of the mouse */
#include <config.h>

#include "act.h"
#include "views/events.h"
#include "views/list.h"

static bool
is_inside(const struct area *area, const struct mouse *m)
{
	return m->row >= area->row && m->row < area->row + area->rows;
}

static void
click(struct app *a, struct view *v, int row)
{
	struct list_view *l = (struct list_view *)v;
	size_t i;

	if (v == a->screens.screen[0]) {
		act_reply(a, v, events_click(v, row));
		return;
	}
	if (!v->class->row)
		return;
	row -= v->class->heading && v->area.rows > 2;
	i = l->top + (size_t)(row > 0 ? row : 0);
	if (row >= 0 && i < l->n)
		list_select(l, i);
}

/* Handle a press or drag: the view under the mouse can take it. */
static bool
point(struct app *a, const struct mouse *m)
{
	struct view *v = screens_top(&a->screens);
	bool drag = m->what != MOUSE_PRESS;
	unsigned reply;

	if (!v->class->point || (!drag && !is_inside(&v->area, m)))
		return false;
	reply = v->class->point(v, m->row - v->area.row, m->col - v->area.col, drag, m->what == MOUSE_RELEASE);
	if (reply == VIEW_PASS)
		return false;
	act_reply(a, v, reply);
	return true;
}

void
act_mouse(struct app *a, const struct mouse *m)
{
	struct screens *k = &a->screens;
	struct call call = { .count = 3 };

	if (m->what == MOUSE_WHEEL_UP || m->what == MOUSE_WHEEL_DOWN) {
		call.action = m->what == MOUSE_WHEEL_UP ? ACT_SCROLL_UP : ACT_SCROLL_DOWN;
		act(a, &call);
	} else if (m->button == 0 && point(a, m)) {
		;	/* the view handled it */
	} else if (m->what == MOUSE_PRESS && m->button == 0) {
		for (int i = 0; k->n_screens == 1 && i < PANES; i++)
			if (k->pane[i] && is_inside(&k->pane[i]->area, m)) {
				k->focus = i;
				screens_layout(k);
				click(a, k->pane[i], m->row - k->pane[i]->area.row);
			}
		if (is_inside(&screens_top(k)->area, m)) {
			k->focus = -1;
			screens_layout(k);
			click(a, screens_top(k), m->row - screens_top(k)->area.row);
		}
	}
	a->session.wish.redraw = true;
}
