#include <config.h>

#include <stdlib.h>
#include <string.h>

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
	k->screen[0]->active |= k->n_screens == 1;	/* the panes show the cursor of the events */
}

/* The number of rows for views, without the status line and the message line. */
static int
body_rows(const struct screens *k)
{
	return k->rows > 3 ? k->rows - 2 : 1;
}

/* Give each pane its rows, including its title; they are taken from the bottom of the list of events. */
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

static void
former_close(struct former *f)
{
	while (f->n)
		view_close(f->view[--f->n]);
	free(f->filter);
	f->filter = NULL;
}

static void
former_remove(struct screens *k, size_t i)
{
	former_close(&k->former[i]);
	memmove(&k->former[i], &k->former[i + 1], (--k->n_formers - i) * sizeof *k->former);
}

/* Forget former views of a class that is opened again, because only one view of each class exists. */
static void
formers_forget(struct screens *k, const struct view_class *class)
{
	for (size_t i = k->n_formers; i-- > 0;)
		for (size_t at = 0; at < k->former[i].n; at++)
			if (k->former[i].view[at]->class == class) {
				former_remove(k, i);
				break;
			}
}

void
screens_push(struct screens *k, const struct view_class *class)
{
	struct tn_error err;
	struct view *v;

	formers_forget(k, class);
	k->session->views_opened++;
	for (size_t i = 1; i < k->n_screens; i++)
		if (k->screen[i]->class == class) {	/* it is open: show it, or close it if it is at the top */
			size_t left = i + (screens_top(k)->class != class);

			while (k->n_screens > left)
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
	/* Leave views above the old one open, because one of them may have requested the new one. */
	for (size_t i = k->n_screens; i-- > 1;)
		if (k->screen[i]->class == class) {
			view_close(k->screen[i]);
			k->n_screens--;
			memmove(&k->screen[i], &k->screen[i + 1], (k->n_screens - i) * sizeof(struct view *));
		}
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
	struct former f = { .changes = k->session->asks.changes };

	if (screens_top(k)->class == &help_view)
		screens_pop(k);
	if (k->n_screens <= 1)
		return;
	for (size_t i = 1; i < k->n_screens; i++)
		f.view[f.n++] = k->screen[i];
	k->n_screens = 1;
	if (k->n_formers == FORMERS)
		former_remove(k, 0);
	k->former[k->n_formers++] = f;
	screens_layout(k);
}

void
screens_left_by(struct screens *k, const char *filter)
{
	struct former *f = k->n_formers ? &k->former[k->n_formers - 1] : NULL;

	if (!f)
		return;
	free(f->filter);
	f->filter = strdup(filter);
	f->changes = k->session->asks.changes;
}

const char *
screens_filter_back(const struct screens *k)
{
	const struct former *f = k->n_formers ? &k->former[k->n_formers - 1] : NULL;
	const struct asks *asks = &k->session->asks;

	if (!f || !f->filter || !asks->n_conditions || strcmp(asks->condition[asks->n_conditions - 1].text, f->filter) != 0)
		return NULL;
	return f->filter;
}

bool
screens_back(struct screens *k)
{
	struct former *f = k->n_formers ? &k->former[k->n_formers - 1] : NULL;
	unsigned changes = k->session->asks.changes;

	if (!f)
		return false;
	k->session->views_opened++;
	for (size_t i = 0; i < f->n; i++) {
		struct view *v = f->view[i];

		/* If the filter was only added and removed, the view still shows the right events: no need to ask again. */
		if (f->filter && changes == f->changes + 1 && v->asked + 1 == f->changes)
			v->asked = changes;
		k->screen[k->n_screens++] = v;
	}
	f->n = 0;
	former_remove(k, k->n_formers - 1);
	screens_layout(k);
	screens_cursor_moved(k);
	return true;
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
	while (k->n_formers)
		former_remove(k, k->n_formers - 1);
	while (k->n_screens > 0)
		view_close(k->screen[--k->n_screens]);
	for (int i = 0; i < PANES; i++) {
		view_close(k->pane[i]);
		k->pane[i] = NULL;
	}
	k->focus = -1;
	k->maximised = false;
}

/* Show the bytes in hexadecimal, then as bits, then not at all. */
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
