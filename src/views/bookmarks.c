#include <config.h>

#include "gettext.h"
#include "list.h"

/* The view of bookmarks and marks in the order of time. The session owns the list. */
static void
bookmarks_moved(struct view *v)
{
	((struct list_view *)v)->n = v->session->here.n_bookmarks;
}

static void
bookmarks_row(struct view *v, size_t i, struct line *out)
{
	const struct bookmark *b = &v->session->here.bookmark[i];

	line_printf(out, STYLE_KEY, "%c ", b->letter ? b->letter : '*');
	session_put_time(v->session, out, STYLE_TIME, b->time_ns);
	line_puts(out, STYLE_TEXT, " ");
	line_puts(out, STYLE_ORIGIN, v->session->traces.origin[b->at.stream]);
	line_puts(out, STYLE_TEXT, " ");
	line_puts(out, STYLE_NAME, b->text ? b->text : "");
	line_puts(out, STYLE_TEXT, "  ");
	line_puts_unsafe(out, STYLE_TEXT, b->note);
}

static void
bookmarks_heading(struct view *v, struct line *out)
{
	line_puts(out, STYLE_HEADING, v->session->here.n_bookmarks ? _("mark, time, from, event, note")
							      : _("No bookmarks: m m sets one."));
}

static unsigned
bookmarks_act(struct view *v, const struct call *call)
{
	struct list_view *l = (struct list_view *)v;

	if ((call->action != ACT_OPEN && call->action != ACT_REMOVE) || l->selected >= v->session->here.n_bookmarks)
		return VIEW_PASS;
	if (call->action == ACT_REMOVE)
		return view_request_kind(v, REQUEST_REMOVE) | VIEW_REDRAW;
	return view_request_go(v, &v->session->here.bookmark[l->selected].at);
}

static unsigned
bookmarks_turn(struct view *v)
{
	bookmarks_moved(v);
	return VIEW_PASS;
}

const struct view_class bookmarks_view = {
	.name = "bookmarks",
	.title = N_("bookmarks"),
	.hint = N_("Enter goes there  Del removes  q back"),
	.size = sizeof(struct list_view),
	.cursor_moved = bookmarks_moved,
	.turn = bookmarks_turn,
	.act = bookmarks_act,
	.row = bookmarks_row,
	.heading = bookmarks_heading,
};
