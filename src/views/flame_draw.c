/* flame_draw.c - draw stacks */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/table.h>

#include "flame_view.h"
#include "gettext.h"

bool
flame_is_hit(const struct flame_view *f, const char *name)
{
	const struct tn_regex *mark = f->list.base.session->asks.mark;
	size_t begin, end;

	return mark && tn_regex_find(mark, name, strlen(name), 0, &begin, &end);
}

static void
put_amount(const struct flame_view *f, struct line *out, unsigned style, uint64_t n, int width)
{
	struct tn_str text = { 0 };
	char number[32];

	if (!tn_flame_is_sampled(shown(f)))
		tn_table_duration((double)n, &text);
	line_right(out, style, tn_flame_is_sampled(shown(f)) ? number_text(n, number) : text.text ? text.text : "", width);
	tn_str_release(&text);
}

static double
part(uint64_t n, uint64_t all)
{
	return all ? 100 * (double)n / (double)all : 0;
}

/* Put the numbers of the frame at the cursor. */
static void
put_selected(const struct flame_view *f, struct line *l)
{
	struct tn_flame_node n = node_at(f, selected(f));
	char number[32];

	line_puts_unsafe(l, STYLE_NAME, selected(f) ? n.name : _("(all)"));
	line_puts(l, STYLE_TEXT, "  ");
	put_amount(f, l, STYLE_TEXT, n.total, 0);
	line_printf(l, STYLE_TEXT, " %.1f%%", part(n.total, node_at(f, 0).total));
	line_puts(l, STYLE_DIM, _("  self "));
	put_amount(f, l, STYLE_TEXT, n.self, 0);
	if (tn_flame_is_sampled(shown(f)) || !selected(f))
		return;
	line_printf(l, STYLE_TEXT, ngettext("  %s call", "  %s calls", n.calls), number_text(n.calls, number));
	if (n.longest_ns) {
		line_puts(l, STYLE_DIM, _("  longest "));
		put_amount(f, l, STYLE_TEXT, n.longest_ns, 0);
	}
	if (n.open)
		line_printf(l, STYLE_DIM, _("  %s open"), number_text(n.open, number));
	if (n.doubtful)
		line_printf(l, STYLE_LOSS, _("  %s doubtful: events were lost"), number_text(n.doubtful, number));
}

/* The style of a frame; equal names have equal colours. */
static unsigned
style_of(const struct flame_view *f, const char *name)
{
	unsigned hash = 5381;
	int colors = f->list.base.session->colors;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return !colors ? 0 : STYLE_ON_STATE((hash ^ hash >> 15) % (colors < 256 ? 6 : STYLE_STATE_LAST - STYLE_STATE));
}

static void
draw_box(struct flame_view *f, struct canvas *c, const struct box *b, const struct tn_flame_node *n)
{
	const struct session *s = f->list.base.session;
	unsigned style = b->node ? style_of(f, n->name) : STYLE_DIM;
	bool hit = b->node && flame_is_hit(f, n->name);
	struct box *more = f->box;
	struct line l = { 0 };

	if (f->n_boxes == f->box_room) {
		more = realloc(f->box, (2 * f->box_room + 64) * sizeof *more);
		f->box_room = more ? 2 * f->box_room + 64 : f->box_room;
		f->box = more ? more : f->box;
	}
	if (more)
		f->box[f->n_boxes++] = *b;
	line_puts(&l, style, s->utf8 ? "\u258f" : "|");
	if (n->doubtful)
		line_puts(&l, style, "!");
	line_puts_unsafe(&l, style, b->node ? n->name : _("(all)"));
	canvas_fill(c, b->row, b->col, b->cols, style);
	canvas_line(c, b->row, b->col, b->cols, &l, 0, false);
	for (int col = b->col + l.width; !s->colors && col < b->col + b->cols; col++)
		canvas_puts(c, b->row, col, 1, style, "-");
	if (hit)
		canvas_flag(c, b->row, b->col, b->cols, STYLE_MATCH);
	if (b->node == selected(f)) {
		canvas_flag(c, b->row, b->col, b->cols, STYLE_SELECTED);
		canvas_point(c, b->row, b->col);
	}
	line_release(&l);
}

/* The number of rows for callers of the zoomed frame, of which the nearest are shown. */
static int
caller_rows(const struct flame_view *f)
{
	int depth = (int)node_at(f, f->zoom).depth, most = (f->list.base.area.rows - 1) / 3;

	return depth < most ? depth : most > 0 ? most : 0;
}

static int
graph_rows(const struct flame_view *f)
{
	int rows = f->list.base.area.rows - 1 - caller_rows(f);

	return rows > 1 ? rows : 1;
}

/*
 * Draw the graph. Each frame begins where the callee before it ends. Frames narrower than a column are left out with
 * their callees: their caller is visible in their place.
 */
static void
draw_graph(struct flame_view *f, struct canvas *c)
{
	struct area a = f->list.base.area;
	struct tn_flame_node zoom = node_at(f, f->zoom), n;
	uint32_t last = f->first + (uint32_t)graph_rows(f);
	uint64_t *begin = calloc(last + 2, sizeof *begin), all = zoom.total ? zoom.total : 1;
	int row = a.row + 1 + caller_rows(f);

	f->n_boxes = 0;
	for (size_t i = f->zoom, up = 0; i && up < (size_t)caller_rows(f); up++) {
		struct box b = { i = node_at(f, i).parent, row - 1 - (int)up, a.col, a.cols };

		n = node_at(f, i);
		draw_box(f, c, &b, &n);
	}
	for (size_t i = f->zoom; begin && i < zoom.end;) {
		uint32_t depth;
		int from, to;

		n = node_at(f, i);
		depth = n.depth - zoom.depth;
		from = (int)((double)begin[depth] * a.cols / (double)all + 0.5);
		begin[depth + 1] = begin[depth];
		begin[depth] += n.total;
		to = i == f->zoom ? a.cols : (int)((double)begin[depth] * a.cols / (double)all + 0.5);
		if (to > from && depth >= f->first) {
			struct box b = { i, row + (int)(depth - f->first), a.col + from, to - from };

			draw_box(f, c, &b, &n);
		}
		i = to > from && depth + 1 < last ? i + 1 : n.end;
	}
	free(begin);
}

/* Scroll so that the cursor is visible. */
static void
scroll(struct flame_view *f)
{
	uint32_t depth = node_at(f, selected(f)).depth - node_at(f, f->zoom).depth, rows = (uint32_t)graph_rows(f);

	if (depth < f->first)
		f->first = depth;
	if (depth >= f->first + rows)
		f->first = depth - rows + 1;
}

void
flame_draw(struct view *v, struct canvas *c)
{
	struct flame_view *f = (struct flame_view *)v;
	struct line l = { 0 };

	if (f->is_table || !f->made || f->list.instead) {
		list_draw(&f->list, c);
		return;
	}
	if (f->list.selected >= f->list.n)
		f->list.selected = 0;
	scroll(f);
	put_selected(f, &l);
	canvas_line(c, v->area.row, v->area.col, v->area.cols, &l, 0, true);
	line_release(&l);
	draw_graph(f, c);
}

void
flame_heading(struct view *v, struct line *out)
{
	const struct flame_view *f = (struct flame_view *)v;
	bool sampled = tn_flame_is_sampled(shown(f));

	if (!f->is_table)
		return;
	line_right(out, STYLE_HEADING, _("self"), 11);
	line_puts(out, STYLE_HEADING, "       %");
	line_right(out, STYLE_HEADING, _("total"), 12);
	if (!sampled) {
		line_right(out, STYLE_HEADING, _("calls"), 11);
		line_right(out, STYLE_HEADING, _("longest"), 12);
	}
	line_printf(out, STYLE_HEADING, "  %s", _("name"));
}

/* In the graph, a row for the search is only the name. */
void
flame_row(struct view *v, size_t i, struct line *out)
{
	const struct flame_view *f = (struct flame_view *)v;
	struct tn_flame_node n = node_at(f, zoom_of(f) + i + f->is_table);
	char number[32], percent[32];

	if (f->is_table) {
		snprintf(percent, sizeof percent, "%.1f%%", part(n.self, node_at(f, 0).total));
		put_amount(f, out, STYLE_TEXT, n.self, 11);
		line_right(out, STYLE_DIM, percent, 8);
		put_amount(f, out, STYLE_TEXT, n.total, 12);
		if (!tn_flame_is_sampled(shown(f))) {
			line_right(out, STYLE_TEXT, number_text(n.calls, number), 11);
			if (n.longest_ns || n.calls > n.open)
				put_amount(f, out, STYLE_TEXT, n.longest_ns, 12);
			else
				line_right(out, STYLE_TEXT, "-", 12);
		}
		line_puts(out, n.doubtful ? STYLE_LOSS : STYLE_TEXT, n.doubtful ? " !" : "  ");
	}
	line_puts_unsafe(out, STYLE_NAME, n.name);
}

void
flame_status(struct view *v, struct line *out)
{
	const struct flame_view *f = (struct flame_view *)v;
	struct tn_flame_counts counts = tn_flame_counts(shown(f));
	char n[32];

	if (!f->made)
		return;
	line_puts(out, STYLE_STATUS, f->is_table ? _("table") : f->form == FLAME_CALLERS ? _("callers below") : _("callees below"));
	line_puts(out, STYLE_STATUS, tn_flame_is_sampled(shown(f)) ? _(", samples") : _(", time"));
	if (f->hits.pattern && v->session->asks.mark) {
		line_printf(out, STYLE_STATUS, ngettext(", %s hit", ", %s hits", f->hits.n), number_text(f->hits.n, n));
		line_printf(out, STYLE_STATUS, " %.1f%%", part(f->hits.total, node_at(f, zoom_of(f)).total));
	}
	if (counts.cut)
		line_printf(out, STYLE_STATUS, ngettext(", %s call counted for its caller", ", %s calls counted for their callers",
						      counts.cut), number_text(counts.cut, n));
	if (counts.nameless)
		line_printf(out, STYLE_STATUS, ngettext(", %s call without its name", ", %s calls without their names",
						      counts.nameless), number_text(counts.nameless, n));
	if (counts.dropped)
		line_printf(out, STYLE_STATUS, ngettext(", %s call left out", ", %s calls left out", counts.dropped),
			    number_text(counts.dropped, n));
	if (counts.orphans)
		line_printf(out, STYLE_STATUS, ngettext(", %s end without a begin", ", %s ends without a begin", counts.orphans),
			    number_text(counts.orphans, n));
	naming_problem(v->session->traces.opened->naming, out);
}

