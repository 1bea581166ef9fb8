#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "session/keymap.h"
#include "list.h"

/*
 * The key table as a page: the keys of the view one came from, then those that hold everywhere, by
 * groups. Made from the tables, so it cannot say anything else than what the keys do.
 */
struct help {
	struct list_view list;
	struct help_line {
		enum { LINE_BLANK, LINE_HEADING, LINE_VIEW, LINE_ACTION, LINE_COMMANDS, LINE_COMMAND, LINE_FIRST, LINE_HOW } kind;
		size_t how;		/* of the first hour's table */
		enum action_group group;
		enum action action;
		bool own;		/* keys of the view's own map */
		const struct command_help *command;
	} *item;
	size_t room;
};

/* More than the tables can ask for: each action twice, each group twice, commands, and some. */
#define HELP_LINES (2 * ACTIONS_END + 4 * ACTION_GROUPS_END + 64)

/* What one wants to know in the first hour. */
static const struct { const char *what, *how; enum action enter; } first_hour[] = {
	{ N_("filter"), N_("& then a condition or text; ? there: examples; C: the list"), ACT_FILTER },
	{ N_("find something"), N_("/ then text or a condition; n next, N previous"), ACT_SEARCH_FORWARD },
	{ N_("find the slowest"), N_("A, Enter on a pair: the longest first; or & delta > 1ms"), ACT_SPANS },
	{ N_("follow a thread"), N_("Enter, Tab to the fields, K on tid: only its events"), ACT_DETAILS },
	{ N_("go to a time"), N_("t then 13:46:40.5, +5ms, 50%; 100g: event 100"), ACT_GOTO_TIME },
	{ N_("see when it was"), N_("i: events over time; [ ] make a range, Enter goes there"), ACT_HISTOGRAM },
	{ N_("count"), N_("S: by type and stream; :by name, tid: by anything"), ACT_STATISTICS },
	{ N_("copy"), N_("V, move, y as shown or Y as lines; :w FILE; :!wc -l"), ACT_SELECT },
	{ N_("come back"), N_("m a marks, ' a goes there; ^O back; :session NAME keeps it"), ACT_BOOKMARKS },
	{ N_("stop"), N_("^C what runs, q this view, Q the program"), ACT_CANCEL },
};

static bool
binds(const struct help *h, const char *view, enum action action)
{
	const struct keymap *map = h->list.base.keymap;

	for (size_t i = 0; map && i < map->n; i++)
		if (map->binding[i].action == action && strcmp(map->binding[i].view, view) == 0)
			return true;
	return false;
}

static void
add(struct help *h, struct help_line line)
{
	if (h->list.n < h->room)
		h->item[h->list.n++] = line;
}

static void
add_own(struct help *h, const struct view_class *about)
{
	bool any = false;

	for (int i = 1; i < ACTIONS_END; i++)
		if (binds(h, about->name, (enum action)i)) {
			if (!any)
				add(h, (struct help_line) { .kind = LINE_VIEW });
			any = true;
			add(h, (struct help_line) { .kind = LINE_ACTION, .action = (enum action)i, .own = true });
		}
	if (any)
		add(h, (struct help_line) { .kind = LINE_BLANK });
}

static void
fill(struct help *h)
{
	h->list.n = 0;
	add(h, (struct help_line) { .kind = LINE_FIRST });
	for (size_t i = 0; i < sizeof first_hour / sizeof *first_hour; i++)
		add(h, (struct help_line) { .kind = LINE_HOW, .how = i });
	add(h, (struct help_line) { .kind = LINE_BLANK });
	if (h->list.base.about)
		add_own(h, h->list.base.about);
	for (int group = 0; group < ACTION_GROUPS_END; group++) {
		add(h, (struct help_line) { .kind = LINE_HEADING, .group = (enum action_group)group });
		for (int i = 1; i < ACTIONS_END; i++)
			if ((int)action_info((enum action)i)->group == group && binds(h, "all", (enum action)i))
				add(h, (struct help_line) { .kind = LINE_ACTION, .action = (enum action)i });
		add(h, (struct help_line) { .kind = LINE_BLANK });
	}
	add(h, (struct help_line) { .kind = LINE_COMMANDS });
	for (const struct command_help *c = h->list.base.commands; c && c->usage; c++)
		add(h, (struct help_line) { .kind = LINE_COMMAND, .command = c });
}

static bool
help_open(struct view *v, struct tn_error *err)
{
	struct help *h = (struct help *)v;

	h->item = calloc(HELP_LINES, sizeof *h->item);
	h->room = h->item ? HELP_LINES : 0;
	if (!h->item)
		strcpy(err->text, "out of memory");
	return h->item != NULL;
}

static void
help_close(struct view *v)
{
	free(((struct help *)v)->item);
}

/* The keymap is known only when the view was opened. */
static void
help_moved(struct view *v)
{
	fill((struct help *)v);
}

static void
put_keys(struct help *h, const struct help_line *item, struct line *out)
{
	const struct keymap *map = h->list.base.keymap;
	const char *view = item->own ? h->list.base.about->name : "all";
	char name[KEY_NAME];

	for (size_t i = 0; i < map->n; i++)
		if (map->binding[i].action == item->action && strcmp(map->binding[i].view, view) == 0) {
			line_puts(out, STYLE_TEXT, out->width > 2 ? " " : "");
			keys_name(map->binding[i].key, map->binding[i].n, name, sizeof name);
			line_puts(out, STYLE_KEY, strcmp(name, "<lt>") == 0 ? "<" : name);	/* as it is on the key */
		}
}

static void
help_row(struct view *v, size_t i, struct line *out)
{
	struct help *h = (struct help *)v;
	const struct help_line *item = &h->item[i];
	int name_column = v->area.cols >= 100 ? 78 : 0;

	switch (item->kind) {
	case LINE_HEADING:
		line_puts(out, STYLE_HEADING, _(action_group_heading(item->group)));
		break;
	case LINE_VIEW:
		line_printf(out, STYLE_HEADING, _("In this view (%s)"), _(v->about->title));
		break;
	case LINE_ACTION:
		line_puts(out, STYLE_TEXT, "  ");
		put_keys(h, item, out);
		line_pad(out, v->area.cols >= 60 ? 22 : 12, true);
		line_puts(out, STYLE_TEXT, _(action_info(item->action)->help));
		if (name_column) {
			line_pad(out, name_column, true);
			line_puts(out, STYLE_DIM, action_info(item->action)->name);
		}
		break;
	case LINE_FIRST:
		line_puts(out, STYLE_HEADING, _("How do I ..."));
		break;
	case LINE_HOW:
		line_puts(out, STYLE_TEXT, "  ");
		line_puts(out, STYLE_KEY, _(first_hour[item->how].what));
		line_pad(out, v->area.cols >= 60 ? 22 : 12, true);
		line_puts(out, STYLE_TEXT, _(first_hour[item->how].how));
		break;
	case LINE_COMMANDS:
		line_puts(out, STYLE_HEADING, _("On the command line, behind :"));
		break;
	case LINE_COMMAND:
		line_puts(out, STYLE_TEXT, "  ");
		line_puts(out, STYLE_KEY, _(item->command->usage));
		line_pad(out, v->area.cols >= 60 ? 24 : 12, true);
		line_puts(out, STYLE_TEXT, _(item->command->help));
		break;
	default:
		break;
	}
}

static unsigned
help_act(struct view *v, const struct call *call)
{
	const struct help *h = (const struct help *)v;
	const struct help_line *item = h->list.selected < h->list.n ? &h->item[h->list.selected] : NULL;
	const char *usage;

	if (call->action == ACT_HELP)
		return VIEW_CLOSE;
	if (call->action != ACT_OPEN || !item)
		return VIEW_PASS;
	if (item->kind == LINE_COMMAND) {	/* its first word, to be gone on with */
		usage = item->command->usage;
		v->wish = strndup(usage, strcspn(usage, " "));
		return v->wish ? VIEW_ACT : VIEW_DONE;
	}
	if (item->kind != LINE_ACTION && item->kind != LINE_HOW)
		return VIEW_DONE;
	v->call = (struct call) { .action = item->kind == LINE_HOW ? first_hour[item->how].enter : item->action };
	return VIEW_ACT;
}

const struct view_class help_view = {
	.name = "help",
	.title = N_("help"),
	.hint = N_("Enter does it  / search  q back"),
	.size = sizeof(struct help),
	.open = help_open,
	.close = help_close,
	.act = help_act,
	.cursor_moved = help_moved,
	.row = help_row,
};
