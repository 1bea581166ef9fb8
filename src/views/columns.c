#include <config.h>

#include <stdio.h>

#include "list.h"

/* The view of columns: which of them are shown, their order, their width, and which do not scroll. */
static const char *const names[COLUMN_FIELD] = {
	[COLUMN_TIME] = N_("time"), [COLUMN_DELTA] = N_("time since another event"),
	[COLUMN_ORIGIN] = N_("short name of the stream"), [COLUMN_NAME] = N_("name of the event"),
	[COLUMN_FIELDS] = N_("contexts and payload, as --print has them"), [COLUMN_PAYLOAD] = N_("payload"),
	[COLUMN_CONTEXT] = N_("contexts"), [COLUMN_HOST] = N_("host, process"), [COLUMN_TRACE] = N_("name of the trace"),
	[COLUMN_STREAM] = N_("name of the stream"), [COLUMN_PACKET] = N_("number of the packet"),
	[COLUMN_LEVEL] = N_("log level"), [COLUMN_DURATION] = N_("duration of the span it begins or ends"),
};

static bool
columns_open(struct view *v, struct tn_error *err)
{
	const struct settings *set = &v->session->settings;
	struct list_view *l = (struct list_view *)v;

	(void)err;
	for (size_t i = 0; i < COLUMN_KINDS; i++)	/* columns of fields are last */
		if (set->column[i].kind < COLUMN_FIELD || *set->field[set->column[i].kind - COLUMN_FIELD])
			l->n = i + 1;
	return true;
}

static void
columns_row(struct view *v, size_t i, struct line *out)
{
	const struct settings *set = &v->session->settings;
	const struct column *column = &set->column[i];

	line_puts(out, STYLE_KEY, column->on ? " [x] " : " [ ] ");
	if (column->kind < COLUMN_FIELD)
		line_puts(out, column->on ? STYLE_TEXT : STYLE_DIM, _(names[column->kind]));
	else if (*set->field[column->kind - COLUMN_FIELD])
		line_puts_unsafe(out, column->on ? STYLE_FIELD : STYLE_DIM, set->field[column->kind - COLUMN_FIELD]);
	else
		line_puts(out, STYLE_DIM, _("(free for a field: :column NAME)"));
	line_pad(out, 48, true);
	if (column->width)
		line_printf(out, STYLE_TEXT, _("width %d  "), column->width);
	if (column->pinned)
		line_puts(out, STYLE_TEXT, _("pinned"));
}

static void
columns_heading(struct view *v, struct line *out)
{
	(void)v;
	line_puts(out, STYLE_HEADING, _("Space on or off, J K order, + - width, p pinned"));
}

static unsigned
move(struct list_view *l, bool down)
{
	struct column *c = l->base.session->settings.column, swap;
	size_t i = l->selected, k = down ? i + 1 : i - 1;

	if (down ? k >= l->n : i == 0)
		return VIEW_DONE;
	swap = c[i];
	c[i] = c[k];
	c[k] = swap;
	list_select(l, k);
	return view_request_kind(&l->base, REQUEST_COLUMNS);
}

static unsigned
columns_act(struct view *v, const struct call *call)
{
	struct list_view *l = (struct list_view *)v;
	struct column *c = &v->session->settings.column[l->selected < COLUMN_KINDS ? l->selected : 0];
	int by = call->count && call->count < 100 ? (int)call->count : 1;

	switch (call->action) {
	case ACT_TOGGLE:
	case ACT_PIN:
	case ACT_ITEM_UP:
	case ACT_ITEM_DOWN:
	case ACT_WIDER:
	case ACT_NARROWER: v->session->settings.columns_chosen = true; break;
	default: return VIEW_PASS;
	}
	switch (call->action) {
	case ACT_TOGGLE: c->on = !c->on; break;
	case ACT_PIN: c->pinned = !c->pinned; break;
	case ACT_ITEM_UP: return move(l, false);
	case ACT_ITEM_DOWN: return move(l, true);
	case ACT_WIDER: c->width = (c->width ? c->width : c->seen) + by; break;
	case ACT_NARROWER:
		c->width = (c->width ? c->width : c->seen) - by;
		c->width = c->width > 0 ? c->width : 0;
		break;
	default: return VIEW_PASS;
	}
	return view_request_kind(v, REQUEST_COLUMNS);
}

const struct view_class columns_view = {
	.name = "columns",
	.title = N_("columns"),
	.hint = N_("Space on or off  J K order  + - width  p pinned  q back"),
	.size = sizeof(struct list_view),
	.open = columns_open,
	.act = columns_act,
	.row = columns_row,
	.heading = columns_heading,
};
