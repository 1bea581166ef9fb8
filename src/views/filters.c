#include <config.h>

#include "list.h"

/* The view of the filters, in their order. Users switch, move, edit and remove them. */
static unsigned
filters_prepare(struct view *v)
{
	((struct list_view *)v)->n = v->session->asks.n_conditions;
	return VIEW_PASS;
}

static void
filters_row(struct view *v, size_t i, struct line *out)
{
	const struct condition *c = &v->session->asks.condition[i];

	line_printf(out, STYLE_KEY, "%3zu %s ", i + 1, c->on ? "[x]" : "[ ]");
	line_puts(out, c->on ? STYLE_TEXT : STYLE_DIM, c->is_range ? _("times ") : "& ");
	line_puts_unsafe(out, c->on ? STYLE_TEXT : STYLE_DIM, c->text);
}

static void
filters_heading(struct view *v, struct line *out)
{
	line_puts(out, STYLE_HEADING, v->session->asks.n_conditions ? _("all of these must match")
							       : _("No filters: & adds one."));
}

static unsigned
filters_act(struct view *v, const struct call *call)
{
	struct list_view *l = (struct list_view *)v;
	struct request change = { REQUEST_CONDITION, .is.condition.i = l->selected };

	if (l->selected >= v->session->asks.n_conditions)
		return VIEW_PASS;
	switch (call->action) {
	case ACT_TOGGLE: change.is.condition.change = CONDITION_TOGGLE; break;
	case ACT_REMOVE: change.is.condition.change = CONDITION_REMOVE; break;
	case ACT_OPEN: change.is.condition.change = CONDITION_EDIT; break;
	case ACT_ITEM_UP:
	case ACT_ITEM_DOWN:
		change.is.condition.change = call->action == ACT_ITEM_UP ? CONDITION_UP : CONDITION_DOWN;
		if (call->action == ACT_ITEM_UP ? l->selected == 0 : l->selected + 1 >= v->session->asks.n_conditions)
			return VIEW_DONE;
		list_select(l, call->action == ACT_ITEM_UP ? l->selected - 1 : l->selected + 1);
		break;
	default: return VIEW_PASS;
	}
	return view_request(v, &change) | VIEW_REDRAW;
}

const struct view_class filters_view = {
	.name = "filters",
	.title = N_("filters"),
	.hint = N_("Space on or off  Enter edit  J K order  Del remove  & add  q back"),
	.size = sizeof(struct list_view),
	.prepare = filters_prepare,
	.act = filters_act,
	.row = filters_row,
	.heading = filters_heading,
};
