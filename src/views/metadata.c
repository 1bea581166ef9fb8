#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "list.h"
#include "screen/array.h"

/*
 * The text of the metadata of the trace at the cursor. Tab shows the types of its events as a tree, which all formats
 * have.
 */
struct metadata {
	struct list_view list;
	const struct tn_trace *trace;
	bool types;
	const char *text;	/* may be a mapped file that changes */
	size_t size;
	size_t *before;		/* number of line ends before each BLOCK bytes of the text; number of all */
	size_t n_blocks, n_lines;
	bool cut;		/* there are more types than lines */
	struct type_line {
		const struct tn_event_class *event_class;	/* the line is a heading */
		const struct tn_field *field;
		enum tn_scope scope;
		int depth;
	} *item;
	size_t n_items, room;
};

#define TYPE_LINES 200000
#define BLOCK 4096	/* a text can consist almost only of line ends */
#define LINE_BYTES 8192	/* limit of shown bytes of a line */

/* ---- types ---- */

static bool
add(struct metadata *m, struct type_line line)
{
	struct type_line *grown = m->n_items < TYPE_LINES ? array_more(m->item, m->n_items, &m->room, sizeof *grown) : NULL;

	m->cut |= !grown;
	if (!grown)
		return false;
	m->item = grown;
	m->item[m->n_items++] = line;
	return true;
}

static void
add_field(struct metadata *m, const struct tn_field *field, enum tn_scope scope, int depth)
{
	const struct tn_type *type = tn_field_type(field);

	if (!add(m, (struct type_line) { NULL, field, scope, depth }) || depth > 64)
		return;
	for (size_t i = 0; i < tn_type_field_count(type); i++)
		add_field(m, tn_type_field(type, i), scope, depth + 1);
}

static void
add_types(struct metadata *m)
{
	size_t n = tn_trace_event_class_count(m->trace);
	const struct tn_field *former[TN_SCOPE_PAYLOAD + 1] = { NULL };	/* fields of a stream class are shown once */

	for (size_t i = 0; i < n; i++) {
		const struct tn_event_class *ec = tn_trace_event_class(m->trace, i);

		add(m, (struct type_line) { .event_class = ec });
		for (int scope = 0; scope <= TN_SCOPE_PAYLOAD; scope++) {
			const struct tn_field *root = tn_event_class_scope(ec, (enum tn_scope)scope);

			if (root && root != former[scope])
				add_field(m, root, (enum tn_scope)scope, 0);
			former[scope] = root;
		}
	}
}

static void
put_type(const struct type_line *it, struct line *out)
{
	char described[512];
	int begin;

	if (it->event_class) {
		const char *name = tn_event_class_name(it->event_class);
		int level = tn_event_class_log_level(it->event_class);

		line_puts_unsafe(out, STYLE_NAME, name ? name : "<unknown>");
		line_printf(out, STYLE_DIM, "  %s %" PRIu64, _("id"), tn_event_class_id(it->event_class));
		if (level >= 0 && tn_log_level_name(level))
			line_printf(out, STYLE_DIM, "  %s", tn_log_level_name(level));
		return;
	}
	line_pad(out, 2 + 2 * it->depth, false);
	begin = out->width;
	if (it->depth == 0)
		line_puts(out, STYLE_ORIGIN, tn_scope_name(it->scope));
	else
		line_puts_unsafe(out, STYLE_FIELD, *tn_field_label(it->field) ? tn_field_label(it->field) : "[]");
	line_pad(out, begin + 24, true);
	tn_type_describe(tn_field_type(it->field), described, sizeof described);
	line_puts_unsafe(out, STYLE_TEXT, described);
}

/* ---- text ---- */

static bool
find_lines(struct metadata *m, struct tn_error *err)
{
	size_t n = 0;

	m->text = tn_trace_metadata(m->trace, &m->size);
	if (!m->text)
		m->size = 0;
	m->n_blocks = m->size / BLOCK + 1;
	m->before = calloc(m->n_blocks + 1, sizeof *m->before);
	if (!m->before) {
		strcpy(err->text, "out of memory");
		return false;
	}
	for (size_t i = 0; i < m->size; i++) {
		if (i % BLOCK == 0)
			m->before[i / BLOCK] = n;
		n += m->text[i] == '\n';
	}
	m->before[m->n_blocks] = n;
	if (m->size % BLOCK == 0)
		m->before[m->n_blocks - 1] = n;
	m->n_lines = n + (m->size && m->text[m->size - 1] != '\n');
	return true;
}

/* The start of line @i; the end of the text, if the line no longer exists. */
static size_t
line_begin(const struct metadata *m, size_t i)
{
	size_t lo = 0, hi = m->n_blocks, at;
	const char *end;

	if (i == 0)
		return 0;
	/* Find the last block that has fewer line ends before it. */
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->before[mid] < i)
			lo = mid;
		else
			hi = mid;
	}
	at = lo * BLOCK;
	for (size_t left = i - m->before[lo]; left; left--) {
		end = memchr(m->text + at, '\n', m->size - at);
		if (!end)
			return m->size;
		at = (size_t)(end - m->text) + 1;
	}
	return at;
}

static void
put_text(const struct metadata *m, size_t i, struct line *out)
{
	size_t begin = line_begin(m, i), left = m->size - begin, from = 0, n;
	char text[LINE_BYTES + 1];
	const char *end;
	bool cut;

	n = left < sizeof text ? left : sizeof text;
	memcpy(text, m->text + begin, n);
	end = memchr(text, '\n', n);
	n = end ? (size_t)(end - text) : n;
	cut = n > LINE_BYTES;
	n = cut ? LINE_BYTES : n;
	while (n && text[n - 1] == '\r')
		n--;
	line_printf(out, STYLE_DIM, "%5zu ", i + 1);
	for (size_t k = 0; k <= n; k++)
		if (k == n || text[k] == '\t') {
			line_add_unsafe(out, STYLE_TEXT, text + from, k - from);
			if (k < n)
				line_pad(out, 6 + ((out->width - 6) / 8 + 1) * 8, false);
			from = k + 1;
		}
	if (cut)
		line_puts(out, STYLE_DIM, _(" ... the line continues"));
}

/* ---- the view ---- */

static void
show(struct metadata *m, bool types)
{
	m->types = types;
	m->list.n = types ? m->n_items : m->n_lines;
	m->list.top = m->list.selected = 0;
}

static bool
metadata_open(struct view *v, struct tn_error *err)
{
	struct metadata *m = (struct metadata *)v;
	struct session *s = v->session;

	if (s->here.has_row)
		m->trace = tn_stream_trace(s->here.row.stream);
	else if (tn_set_trace_count(s->traces.set))
		m->trace = tn_set_trace(s->traces.set, 0);
	if (!m->trace) {
		strcpy(err->text, _("no trace is open"));
		return false;
	}
	if (!find_lines(m, err))
		return false;
	add_types(m);
	show(m, !m->n_lines);
	return true;
}

static void
metadata_close(struct view *v)
{
	struct metadata *m = (struct metadata *)v;

	free(m->before);
	free(m->item);
}

static void
metadata_row(struct view *v, size_t i, struct line *out)
{
	struct metadata *m = (struct metadata *)v;

	if (m->types)
		put_type(&m->item[i], out);
	else
		put_text(m, i, out);
}

/* Filter for events of the class that the line belongs to. */
static unsigned
wish_type(struct metadata *m)
{
	size_t i = m->list.selected;
	const char *name;
	char *text;

	if (i >= m->n_items)
		return VIEW_DONE;
	while (i > 0 && !m->item[i].event_class)
		i--;
	name = m->item[i].event_class ? tn_event_class_name(m->item[i].event_class) : NULL;
	if (!name || strpbrk(name, "\"\\") || asprintf(&text, "name == \"%s\"", name) < 0)
		return VIEW_DONE;
	return view_request_text(&m->list.base, REQUEST_FILTER, text);
}

static unsigned
metadata_act(struct view *v, const struct call *call)
{
	struct metadata *m = (struct metadata *)v;

	if (call->action == ACT_OPEN && m->types)
		return wish_type(m);
	if (call->action != ACT_SORT)
		return VIEW_PASS;
	if (!m->types || m->n_lines)
		show(m, !m->types);
	return VIEW_DONE | VIEW_REDRAW;
}

static void
metadata_status(struct view *v, struct line *out)
{
	struct metadata *m = (struct metadata *)v;
	char at[32], n[32];

	line_printf(out, STYLE_STATUS, m->types ? _("types %s/%s  Tab: text  ") : _("text %s/%s  Tab: types  "),
		    number_text(m->list.selected + 1, at), number_text(m->list.n, n));
	if (m->types && m->cut)
		line_puts(out, STYLE_STATUS, _("more are not shown: the text has them  "));
	if (tn_set_trace_count(v->session->traces.set) > 1)	/* the title has the path if there is only one trace */
		line_put_path(out, STYLE_STATUS, tn_trace_path(m->trace), v->area.cols - out->width - 1);
}

const struct view_class metadata_view = {
	.name = "metadata",
	.title = N_("metadata"),
	.hint = N_("Tab text or types  Enter filters by the type  / search  q back"),
	.size = sizeof(struct metadata),
	.open = metadata_open,
	.close = metadata_close,
	.act = metadata_act,
	.status = metadata_status,
	.row = metadata_row,
};
