#include <config.h>

#include "gettext.h"
#include "screens.h"

struct view *
screens_top(struct screens *k)
{
	return k->screen[k->n_screens - 1];
}

struct view *
screens_active(struct screens *k)
{
	return k->n_screens == 1 && k->focus >= 0 && k->pane[k->focus] ? k->pane[k->focus] : screens_top(k);
}

static void
mark_active(struct screens *k)
{
	struct view *active = screens_active(k);

	for (size_t i = 0; i < k->n_screens; i++)
		k->screen[i]->active = k->screen[i] == active;
	for (int i = 0; i < PANES; i++)
		if (k->pane[i])
			k->pane[i]->active = k->pane[i] == active;
	k->screen[0]->active |= k->n_screens == 1;	/* its cursor is what the panes show */
}

/* Rows for the views: all but the status line and the line of messages. */
static int
body_rows(const struct screens *k)
{
	return k->rows > 3 ? k->rows - 2 : 1;
}

/* The panes take their rows, titles among them, from the bottom of the events. */
static void
layout_panes(struct screens *k)
{
	int rows = body_rows(k), left = rows, panes = 0;

	for (int i = 0; i < PANES; i++)
		panes += k->pane[i] != NULL;
	for (int i = PANES - 1; i >= 0; i--) {
		int take;

		if (!k->pane[i])
			continue;
		take = panes == 1 ? rows / 2 : i == PANE_DETAILS ? rows * 2 / 5 : rows * 3 / 10;
		if (k->maximised)
			take = i == k->focus ? rows : 0;
		else if (take < 2)
			take = rows > 2 && panes == 1 ? 2 : left > 2 ? 1 : 0;
		if (take > left)
			take = left;
		left -= take;
		k->pane[i]->area = (struct area) { left + 1, 0, take > 1 ? take - 1 : 0, k->cols };
	}
	if (k->maximised && k->focus < 0)
		left = rows;
	k->screen[0]->area = (struct area) { 0, 0, left, k->cols };
}

void
screens_layout(struct screens *k)
{
	int rows = body_rows(k);

	for (size_t i = 1; i < k->n_screens; i++)
		k->screen[i]->area = (struct area) { 0, 0, rows, k->cols };
	layout_panes(k);
	mark_active(k);
	k->session->wish.redraw = true;
}

void
screens_cursor_moved(struct screens *k)
{
	for (int i = 0; i < PANES; i++)
		if (k->pane[i] && k->pane[i]->class->cursor_moved)
			k->pane[i]->class->cursor_moved(k->pane[i]);
	for (size_t i = 1; i < k->n_screens; i++)
		if (k->screen[i]->class->cursor_moved)
			k->screen[i]->class->cursor_moved(k->screen[i]);
}

void
screens_push(struct screens *k, const struct view_class *class)
{
	struct tn_error err;
	struct view *v;

	k->session->views_opened++;
	for (size_t i = 1; i < k->n_screens; i++)
		if (k->screen[i]->class == class) {	/* on top it is closed, below it comes up */
			while (k->n_screens > i + (screens_top(k)->class != class))
				screens_pop(k);
			return;
		}
	if (k->n_screens == SCREENS)
		return;
	v = view_open(class, k->session, &err);
	if (!v) {
		session_fail(k->session, "%s", err.text);
		return;
	}
	v->about = screens_active(k)->class;
	v->keymap = k->keymap;
	v->commands = k->commands;
	k->screen[k->n_screens++] = v;
	screens_layout(k);
	if (v->class->cursor_moved)
		v->class->cursor_moved(v);
}

void
screens_renew(struct screens *k, const struct view_class *class)
{
	for (size_t i = 1; i < k->n_screens; i++)
		while (i < k->n_screens && k->screen[i]->class == class)
			screens_pop(k);
	screens_push(k, class);
}

void
screens_pop(struct screens *k)
{
	if (k->n_screens <= 1)
		return;
	view_close(k->screen[--k->n_screens]);
	screens_layout(k);
}

void
screens_to_events(struct screens *k)
{
	while (k->n_screens > 1)
		screens_pop(k);
}

void
screens_toggle_pane(struct screens *k, const struct view_class *class, int pane)
{
	struct tn_error err;

	if (k->pane[pane]) {
		view_close(k->pane[pane]);
		k->pane[pane] = NULL;
		if (k->focus == pane) {
			k->focus = -1;
			k->maximised = false;
		}
	} else {
		k->pane[pane] = view_open(class, k->session, &err);
		if (!k->pane[pane])
			session_fail(k->session, "%s", err.text);
		else if (class->cursor_moved)
			class->cursor_moved(k->pane[pane]);
	}
	screens_layout(k);
}

void
screens_close(struct screens *k)
{
	while (k->n_screens > 0)
		view_close(k->screen[--k->n_screens]);
	for (int i = 0; i < PANES; i++) {
		view_close(k->pane[i]);
		k->pane[i] = NULL;
	}
	k->focus = -1;
	k->maximised = false;
}

/* Hexadecimal, bits, off. */
void
screens_next_bytes(struct screens *k)
{
	struct call call = { .action = ACT_BYTES };
	struct view *bytes = k->pane[PANE_BYTES];

	if (bytes && bytes->class->act(bytes, &call) != VIEW_PASS) {
		k->session->wish.redraw = true;
		return;
	}
	screens_toggle_pane(k, &bytes_view, PANE_BYTES);
}

void
screens_next_pane(struct screens *k)
{
	if (!k->pane[PANE_DETAILS] && !k->pane[PANE_BYTES]) {
		session_say(k->session, _("no pane is open: Enter opens the details"));
		return;
	}
	do
		k->focus = k->focus + 1 == PANES ? -1 : k->focus + 1;
	while (k->focus >= 0 && !k->pane[k->focus]);
	screens_layout(k);
}

void
screens_maximise(struct screens *k)
{
	if (!k->pane[PANE_DETAILS] && !k->pane[PANE_BYTES]) {
		session_say(k->session, _("no pane is open: Enter opens the details"));
		return;
	}
	k->maximised = !k->maximised;
	screens_layout(k);
}
