#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "screen/array.h"
#include "screen/canvas.h"
#include "session/keymap.h"
#include "list.h"

/*
 * The key table as a page: the keys of the view from which it was opened, ten keys to begin with, then all keys of each
 * view, by groups. It is made from the tables that also define the keys. Text that is wider than the screen is divided
 * into rows.
 */
struct help {
	struct list_view list;
	struct help_line {
		enum { LINE_BLANK, LINE_HEADING, LINE_VIEW, LINE_ACTION, LINE_COMMANDS, LINE_COMMAND, LINE_FIRST, LINE_HOW,
		       LINE_TEN, LINE_KEY } kind;
		size_t how;		/* row in the table of the first hour, or of the ten keys */
		enum action_group group;
		enum action action;
		bool own;		/* the key is in the view's own map */
		const struct command_help *command;
		size_t from, to, next;	/* range of its text that is in this row; start of the next row */
	} *item;
	size_t room;
	struct line text;	/* text of one line, before it is divided */
	int cols;		/* number of columns for which rows were made */
};

#define NAMES_FROM 100		/* with this number of columns, names of actions are shown, too */
#define NAMES_AT 78		/* column of these names */

/* Tasks that a user needs in the first hour. */
static const struct { const char *what, *how; enum action enter; } first_hour[] = {
	{ N_("filter"), N_("& then a condition or text; ! hides this; U undoes it"), ACT_FILTER },
	{ N_("find something"), N_("/ then text or a condition; n next, N previous"), ACT_SEARCH_FORWARD },
	{ N_("find the slowest"), N_("A, Enter on a pair; & delta > 1ms: gaps in a stream"), ACT_SPANS },
	{ N_("follow a thread"), N_("Enter, Tab to the fields, K on tid: only its events"), ACT_DETAILS },
	{ N_("go to a time"), N_("t then 13:46:40.5, +5ms, 50%; 100g: event 100"), ACT_GOTO_TIME },
	{ N_("see when it was"), N_("i: events over time; [ ] make a range, Enter goes there"), ACT_HISTOGRAM },
	{ N_("count events"), N_("S: by type and stream; :by name, tid; :by ret/10: bins"), ACT_STATISTICS },
	{ N_("copy"), N_("V, move, y as shown or Y as lines; :w FILE; :!wc -l"), ACT_SELECT },
	{ N_("go back to a place"), N_("m a marks, ' a goes there; ^O back; :session NAME keeps it"), ACT_BOOKMARKS },
	{ N_("use the mouse"), N_("wheel, click, drag in the time row; Shift selects text"), ACT_NONE },
	{ N_("stop"), N_("^C stops a running job; q goes back, Q leaves"), ACT_CANCEL },
};

/* The keys to begin with, as in README.md. */
static const struct { enum action action; const char *text; } ten_keys[] = {
	{ ACT_PAGE_DOWN, N_("a page down; j k: a line; g G: the first and the last event") },
	{ ACT_GOTO_TIME, N_("go to a time: 07:00:03, +5ms, 50%") },
	{ ACT_SEARCH_FORWARD, N_("search: text, or a condition like status >= 400; n N: again") },
	{ ACT_FILTER, N_("filter: show only the events that match; U removes it") },
	{ ACT_DETAILS, N_("open the details of the event; Tab goes to its fields") },
	/* xgettext:no-c-format */
	{ ACT_SPANS, N_("durations, the slowest first; % goes from the begin to the end") },
	{ ACT_TRAVEL, N_("show only the events with this value, in all streams") },
	{ ACT_LANES, N_("draw states over time") },
	{ ACT_HELP, N_("show all keys") },
	{ ACT_CLOSE, N_("go back; in the list of events: leave") },
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
put_keys(struct help *h, const struct help_line *item, size_t most, struct line *out)
{
	const struct keymap *map = h->list.base.keymap;
	const char *view = item->own ? h->list.base.about->name : "all";
	char name[KEY_NAME];

	for (size_t i = 0; i < map->n && most; i++)
		if (map->binding[i].action == item->action && strcmp(map->binding[i].view, view) == 0) {
			most--;
			line_puts(out, STYLE_TEXT, out->width > 2 ? " " : "");
			keys_name(map->binding[i].key, map->binding[i].n, name, sizeof name);
			line_puts(out, STYLE_KEY, strcmp(name, "<lt>") == 0 ? "<" : name);	/* as on the keyboard */
		}
}

/* The column in which the description of a key or command begins, also in later rows. */
static int
text_column(const struct help *h, const struct help_line *item)
{
	int cols = h->list.base.area.cols;

	if (item->kind == LINE_HEADING || item->kind == LINE_VIEW || item->kind == LINE_FIRST || item->kind == LINE_COMMANDS ||
	    item->kind == LINE_TEN)
		return 2;
	if (item->kind == LINE_KEY)
		return 10;
	return cols >= 60 ? (item->kind == LINE_COMMAND ? 24 : 22) : cols >= 36 ? 12 : cols / 3;
}

static void
put_text(struct help *h, const struct help_line *item, struct line *out)
{
	const char *what = NULL, *text = NULL;

	switch (item->kind) {
	case LINE_HEADING: line_puts(out, STYLE_HEADING, _(action_group_heading(item->group))); return;
	case LINE_VIEW: line_printf(out, STYLE_HEADING, _("In this view (%s)"), _(h->list.base.about->title)); return;
	case LINE_FIRST: line_puts(out, STYLE_HEADING, _("How do I ...")); return;
	case LINE_COMMANDS: line_puts(out, STYLE_HEADING, _("On the command line, after :")); return;
	case LINE_TEN: line_puts(out, STYLE_HEADING, _("Ten keys")); return;
	case LINE_BLANK: return;
	case LINE_KEY: text = ten_keys[item->how].text; break;
	case LINE_ACTION: text = action_info(item->action)->help; break;
	case LINE_HOW: what = first_hour[item->how].what; text = first_hour[item->how].how; break;
	case LINE_COMMAND: what = item->command->usage; text = item->command->help; break;
	}
	line_puts(out, STYLE_TEXT, "  ");
	if (what)
		line_puts(out, STYLE_KEY, _(what));
	else
		put_keys(h, item, item->kind == LINE_KEY ? 1 : SIZE_MAX, out);
	line_pad(out, text_column(h, item), true);
	line_puts(out, STYLE_TEXT, _(text));
}

/* Add a line, in as many rows as needed. */
static void
add(struct help *h, struct help_line line)
{
	int cols = line.kind == LINE_ACTION && h->cols >= NAMES_FROM ? NAMES_AT - 1 : h->cols;
	const char *text, *at, *next;

	line_clear(&h->text);
	put_text(h, &line, &h->text);
	text = h->text.n ? h->text.text : "";
	for (at = text; at == text || *at; at = next) {
		size_t n = line_piece(at, at == text ? cols : cols - text_column(h, &line), &next);
		struct help_line *item = array_more(h->item, h->list.n, &h->room, sizeof *item);

		if (!item)
			return;
		h->item = item;
		line.from = (size_t)(at - text);
		line.to = line.from + n;
		line.next = (size_t)(next - text);
		h->item[h->list.n++] = line;
		if (!*text)
			return;
	}
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
	h->cols = h->list.base.area.cols;
	h->list.n = 0;
	if (h->list.base.about)
		add_own(h, h->list.base.about);
	add(h, (struct help_line) { .kind = LINE_TEN });
	for (size_t i = 0; i < sizeof ten_keys / sizeof *ten_keys; i++)
		add(h, (struct help_line) { .kind = LINE_KEY, .how = i, .action = ten_keys[i].action });
	add(h, (struct help_line) { .kind = LINE_BLANK });
	add(h, (struct help_line) { .kind = LINE_FIRST });
	for (size_t i = 0; i < sizeof first_hour / sizeof *first_hour; i++)
		add(h, (struct help_line) { .kind = LINE_HOW, .how = i });
	add(h, (struct help_line) { .kind = LINE_BLANK });
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

static void
help_close(struct view *v)
{
	struct help *h = (struct help *)v;

	line_release(&h->text);
	free(h->item);
}

/* The keymap is known only when the view is open. */
static void
help_moved(struct view *v)
{
	fill((struct help *)v);
}

/* If the width of the screen has changed, divide the lines again. The selected line and the top line stay the same. */
static unsigned
help_prepare(struct view *v)
{
	struct help *h = (struct help *)v;
	size_t line[2] = { 0 }, *row[2] = { &h->list.selected, &h->list.top };

	if (h->cols == v->area.cols)
		return VIEW_PASS;
	for (size_t i = 0; i < h->list.n; i++)
		for (int k = 0; k < 2; k++)
			line[k] += i <= *row[k] && !h->item[i].from;
	fill(h);
	for (int k = 0; k < 2; k++) {
		size_t i = 0, n = 0;

		for (; i < h->list.n && (n += !h->item[i].from) < line[k]; i++)
			;
		*row[k] = i;
	}
	return VIEW_REDRAW;
}

static void
help_row(struct view *v, size_t i, struct line *out)
{
	struct help *h = (struct help *)v;
	const struct help_line *item = &h->item[i];

	line_clear(&h->text);
	put_text(h, item, &h->text);
	line_pad(out, item->from ? text_column(h, item) : 0, false);
	line_add_part(out, &h->text, item->from, item->to);
	if (item->kind == LINE_ACTION && !item->from && h->cols >= NAMES_FROM) {
		line_pad(out, NAMES_AT, true);
		line_puts(out, STYLE_DIM, action_info(item->action)->name);
	}
}

static void
help_whole(struct view *v, size_t i, struct line *out, size_t *from, size_t *to)
{
	struct help *h = (struct help *)v;
	const struct help_line *item = &h->item[i];

	put_text(h, item, out);
	*from = item->from;
	*to = item->next;
	if (item->kind == LINE_ACTION && item->next >= out->n && h->cols >= NAMES_FROM) {	/* show its name, too */
		line_puts(out, STYLE_DIM, " ");
		line_puts(out, STYLE_DIM, action_info(item->action)->name);
		*to = out->n;
	}
}

static unsigned
help_act(struct view *v, const struct call *call)
{
	const struct help *h = (const struct help *)v;
	const struct help_line *item = h->list.selected < h->list.n ? &h->item[h->list.selected] : NULL;
	const char *usage;

	if (call->action == ACT_HELP)
		return view_request_kind(v, REQUEST_CLOSE);
	if (call->action != ACT_OPEN || !item)
		return VIEW_PASS;
	if (item->kind == LINE_COMMAND) {	/* put its first word into the command line */
		usage = item->command->usage;
		return view_request_text(v, REQUEST_CLOSE_COMMAND, strndup(usage, strcspn(usage, " ")));
	}
	if ((item->kind != LINE_ACTION && item->kind != LINE_HOW && item->kind != LINE_KEY) ||
	    (item->kind == LINE_HOW && first_hour[item->how].enter == ACT_NONE))
		return VIEW_DONE;
	return view_request(v, &(struct request) {
		REQUEST_CLOSE_ACT, .is.call = { .action = item->kind == LINE_HOW ? first_hour[item->how].enter : item->action } });
}

const struct view_class help_view = {
	.name = "help",
	.title = N_("help"),
	.hint = N_("Enter does it  / search  q back"),
	.size = sizeof(struct help),
	.close = help_close,
	.act = help_act,
	.cursor_moved = help_moved,
	.prepare = help_prepare,
	.row = help_row,
	.whole = help_whole,
};
