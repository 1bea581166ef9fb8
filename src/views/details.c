#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/table.h>

#include "list.h"
#include "screen/array.h"
#include "session/whole_event.h"
#include "session/naming.h"

/*
 * All facts about the event at the cursor: its name, its place, and each field with path, type, value in several bases,
 * bytes and position. The lines are made when the cursor moves.
 */
struct detail {
	int depth;
	char *name, *text, *rest;	/* safe texts of the three columns; `rest` may be NULL */
	char *path, *value;	/* of a field: full path, value as an expression says it; NULL of other lines, but: */
	bool is_fact;		/* the line is an attribute, and `path` is its name */
	bool is_named;		/* its values may have names (session_nicknames()) */
	uint64_t bit, bits;
	enum action enter;	/* action of Enter; ACT_NONE: show the values of a field, or do nothing */
};

struct details {
	struct list_view list;
	struct detail *item;
	size_t room;
	struct tn_location at;
	bool has_at;
	unsigned names;		/* naming_changes() when the names were found */
	int name_width, text_width;	/* width of these columns for fields */
	size_t bytes;		/* approximate number of bytes in all lines */
	char *wanted;		/* path of the field that was selected last; it stays selected from event to event */
};

#define PLACE_CELLS 40	/* largest width for the path of a trace */
#define DETAILS_MAX 20000	/* limit of lines, because an array can have millions of elements */
#define DETAILS_BYTES ((size_t)32 << 20)	/* limit of the bytes of all values, names and paths */

static bool
is_full(const struct details *d)
{
	return d->list.n >= DETAILS_MAX || d->bytes >= DETAILS_BYTES;
}

static struct detail *
add(struct details *d)
{
	struct detail *grown = array_more(d->item, d->list.n, &d->room, sizeof *grown);

	if (!grown)
		return NULL;
	d->item = grown;
	d->item[d->list.n] = (struct detail) { 0 };
	return &d->item[d->list.n++];
}

static void
clear(struct details *d)
{
	for (size_t i = 0; i < d->list.n; i++) {
		free(d->item[i].name);
		free(d->item[i].text);
		free(d->item[i].rest);
		free(d->item[i].path);
		free(d->item[i].value);
	}
	d->list.n = 0;
	d->bytes = 0;
}

/* Add a line that is not about a field. */
static void
add_fact(struct details *d, enum action enter, const char *name, const char *value)
{
	struct detail *it = add(d);

	if (!it)
		return;
	it->enter = enter;
	it->name = line_safe_copy(name, strlen(name));
	it->text = line_safe_copy(value, strlen(value));
}

/* Add a line about an attribute with this text. */
static void
add_attribute(struct details *d, enum action enter, const char *title, const char *text, const char *name, const char *value)
{
	size_t n = d->list.n;
	struct detail *it;

	add_fact(d, enter, title, text);
	if (d->list.n == n || !value || strpbrk(value, "\"\\"))
		return;
	it = &d->item[n];
	it->is_fact = true;
	it->path = strdup(name);
	if (asprintf(&it->value, "\"%s\"", value) < 0)
		it->value = NULL;
}

/* ---- facts ---- */

static void
add_time(struct details *d, const struct tn_row *row)
{
	struct session *s = d->list.base.session;
	struct tn_text_options options = s->settings.text;
	struct tn_str b = { 0 };
	struct tn_text *text;
	char rest[128];

	if (!row->has_time) {
		add_fact(d, ACT_HISTOGRAM, _("time"),
			 row->kind == TN_ROW_EVENT ? _("none: the stream has no clock") : _("not known"));
		return;
	}
	options.time = tn_set_is_wall_time(s->traces.set) ? TN_TIME_DATE : TN_TIME_SECONDS;
	if (tn_text_new(&text, s->traces.set, &options, NULL) != TN_OK)
		return;
	tn_text_time(text, row->time_ns, &b);
	tn_text_free(text);
	snprintf(rest, sizeof rest, "  %" PRId64 " ns  %" PRIu64 " %s", row->time_ns, row->cycles, _("cycles"));
	tn_text_safe(rest, strlen(rest), &b);
	if (b.text)
		add_fact(d, ACT_HISTOGRAM, _("time"), b.text);
	tn_str_release(&b);
}

static void
add_place(struct details *d, const struct tn_row *row)
{
	struct tn_packet_info info;
	char text[5000], number[32], size[32];
	size_t packet = row->location.packet;
	struct line path = { 0 };

	line_put_path(&path, 0, tn_trace_path(tn_stream_trace(row->stream)), PLACE_CELLS);
	snprintf(text, sizeof text, "%s  (%s %" PRIu64 ", %s)", tn_stream_name(row->stream), _("id"),
		 tn_stream_id(row->stream), path.text ? path.text : "");
	line_release(&path);
	add_attribute(d, ACT_STREAMS, _("stream"), text, "stream", tn_stream_name(row->stream));
	if (tn_stream_packet(row->stream, packet, &info) != TN_OK)
		return;
	snprintf(text, sizeof text, _("%zu of %s, at byte %" PRIu64 " of %s, %s"), packet,
		 number_text(tn_stream_packet_count(row->stream), number), info.offset,
		 session_path_in_trace(row->stream, info.path),
		 size_text(info.size_bits / 8, size));
	add_fact(d, ACT_PACKETS, _("packet"), text);
}

static void
add_event_facts(struct details *d, const struct tn_row *row, const struct tn_event *event)
{
	const struct tn_event_class *ec = row->event_class;
	const char *name = ec ? tn_event_class_name(ec) : NULL;
	char text[1024];
	uint64_t bit = tn_event_bit(event), end = tn_event_end_bit(event);

	snprintf(text, sizeof text, "%.800s  (%s %" PRIu64 "%s%s)", name ? name : "<unknown>", _("id"),
		 ec ? tn_event_class_id(ec) : 0,
		 ec && tn_event_class_log_level(ec) >= 0 ? ", " : "",
		 ec && tn_event_class_log_level(ec) >= 0 && tn_log_level_name(tn_event_class_log_level(ec))
			 ? tn_log_level_name(tn_event_class_log_level(ec)) : "");
	add_attribute(d, ACT_METADATA, _("event"), text, "name", name);
	add_time(d, row);
	add_place(d, row);
	snprintf(text, sizeof text, _("bit %" PRIu64 " (byte %" PRIu64 ") of the packet, %" PRIu64 " bits"), bit, bit / 8,
		 end > bit ? end - bit : 0);
	add_fact(d, ACT_BYTES, _("position"), text);
}

/* ---- fields ---- */

/* Write a number in the other bases. */
static void
put_bases(struct tn_str *out, const struct tn_value *v)
{
	const struct tn_type *type = tn_value_type(v);
	enum tn_kind kind = tn_type_kind(type);
	char text[128];
	uint64_t u;
	int64_t i;

	if (kind != TN_KIND_UINT && kind != TN_KIND_SINT && kind != TN_KIND_BITS && kind != TN_KIND_BITMAP)
		return;
	if (kind == TN_KIND_SINT ? tn_value_i64(v, &i) != TN_OK : tn_value_u64(v, &u) != TN_OK)
		return;
	if (kind == TN_KIND_SINT) {
		uint64_t bits = tn_type_bits(type);

		u = (uint64_t)i;
		if (bits && bits < 64)
			u &= (UINT64_C(1) << bits) - 1;
	}
	if (tn_type_base(type) == 10 || tn_type_base(type) == 0)
		snprintf(text, sizeof text, "  0x%" PRIx64, u);
	else if (kind == TN_KIND_SINT)
		snprintf(text, sizeof text, "  %" PRId64, i);
	else
		snprintf(text, sizeof text, "  %" PRIu64, u);
	tn_text_safe(text, strlen(text), out);
}

/* Write the bytes that contain the field. */
static void
put_bytes(struct tn_str *out, const uint8_t *data, size_t size, uint64_t bit, uint64_t bits)
{
	uint64_t first = bit / 8, end = (bit + bits + 7) / 8;
	char text[8];

	if (!data || end > size || end <= first)
		return;
	tn_text_safe("[", 1, out);
	for (uint64_t i = first; i < end && i < first + 16; i++) {
		snprintf(text, sizeof text, i == first ? "%02x" : " %02x", data[i]);
		tn_text_safe(text, strlen(text), out);
	}
	tn_text_safe(end > first + 16 ? " ...]  " : "]  ", end > first + 16 ? 7 : 3, out);
}

struct walk {
	struct details *d;
	const struct tn_text *text;
	const uint8_t *data;	/* bytes of the packet */
	size_t size;
	const struct tn_location *at;
	const struct tn_event *shadowed;	/* fields of its own context have names of those that are added; or NULL */
};

static bool
is_compound(enum tn_kind kind)
{
	return kind == TN_KIND_STRUCT || kind == TN_KIND_ARRAY || kind == TN_KIND_VARIANT || kind == TN_KIND_OPTIONAL;
}

/* The value in the form of a condition. NULL: a condition cannot express it. */
static char *
expression_value(const struct tn_value *v)
{
	char *text = NULL;
	const void *bytes;
	size_t n;
	uint64_t u;
	int64_t i;
	int rc = -1;

	switch (tn_type_kind(tn_value_type(v))) {
	case TN_KIND_SINT:
		rc = tn_value_i64(v, &i) == TN_OK ? asprintf(&text, "%" PRId64, i) : -1;
		break;
	case TN_KIND_UINT:
	case TN_KIND_BITS:
	case TN_KIND_BITMAP:
	case TN_KIND_BOOL:
		rc = tn_value_u64(v, &u) == TN_OK ? asprintf(&text, "%" PRIu64, u) : -1;
		break;
	case TN_KIND_STRING:
		if (tn_value_bytes(v, &bytes, &n) == TN_OK && n < 1024 && !memchr(bytes, '"', n) && !memchr(bytes, '\\', n))
			rc = asprintf(&text, "\"%.*s\"", (int)n, (const char *)bytes);
		break;
	default:
		break;
	}
	return rc < 0 ? NULL : text;
}

#define VALUE_BYTES 4096	/* limit of shown bytes of a value */

static void
put_value(struct walk *w, const struct tn_value *v, struct tn_str *out)
{
	struct tn_str raw = { .most = VALUE_BYTES };
	enum tn_kind kind = tn_type_kind(tn_value_type(v));
	const char *name;
	uint64_t number;
	char text[64];

	if (is_compound(kind)) {
		if (kind != TN_KIND_ARRAY)
			return;
		snprintf(text, sizeof text, ngettext("%zu element", "%zu elements", tn_value_count(v)), tn_value_count(v));
		tn_text_safe(text, strlen(text), out);
		return;
	}
	tn_text_value(w->text, v, &raw);
	tn_text_safe(raw.text ? raw.text : "", raw.n < VALUE_BYTES ? raw.n : VALUE_BYTES, out);
	if (raw.n > VALUE_BYTES)
		tn_text_safe("...", 3, out);
	tn_str_release(&raw);
	put_bases(out, v);
	name = tn_value_u64(v, &number) != TN_OK ? NULL :
	       naming_kept(w->d->list.base.session->traces.opened->naming, w->at, number);
	if (name) {
		tn_text_safe("  ", 2, out);
		tn_text_safe(name, strlen(name), out);
	}
}

/* Describe position, bytes and type of a value. */
static char *
describe(struct walk *w, const struct tn_value *v, uint64_t bit, uint64_t bits)
{
	const struct tn_type *type = tn_value_type(v);
	struct tn_str b = { 0 };
	char described[512], text[64];

	snprintf(text, sizeof text, "@%" PRIu64 " +%" PRIu64 "  ", bit, bits);
	tn_text_safe(text, strlen(text), &b);
	if (!is_compound(tn_type_kind(type)))
		put_bytes(&b, w->data, w->size, bit, bits);
	tn_type_describe(type, described, sizeof described);
	tn_text_safe(described, strlen(described), &b);
	return b.text;
}

static void
widen(struct details *d, const struct detail *it)
{
	int name = it->name ? 2 * it->depth + text_width(it->name, strlen(it->name)) : 0;
	int text = it->text ? text_width(it->text, strlen(it->text)) : 0;

	if (name > d->name_width && name <= 40)
		d->name_width = name;
	if (text > d->text_width && text <= 40)
		d->text_width = text;
}

/* Add a field; @name is its name in its container. */
static void
add_value(struct walk *w, const struct tn_value *v, const char *path, const char *name, int depth)
{
	struct tn_str value = { 0 };
	uint64_t bit = tn_value_bit(v), bits = tn_value_end(v) - bit;
	struct detail *it;

	if (is_full(w->d) || !(it = add(w->d)))
		return;
	put_value(w, v, &value);
	w->d->bytes += value.n + 2 * strlen(path) + 256;
	it->depth = depth;
	it->name = line_safe_copy(name, strlen(name));
	it->text = value.text;
	it->rest = describe(w, v, bit, bits);
	it->path = strdup(path);
	it->bit = bit;
	it->bits = bits;
	if (!is_compound(tn_type_kind(tn_value_type(v))))
		it->value = expression_value(v);
	it->is_named = it->value && session_has_nicknames(w->d->list.base.session, path);
	widen(w->d, it);
}

/* Make the full path of a value in @outer. Its name is the last step of the path. */
static char *
inner_path(const char *outer, const struct tn_value *in, size_t i, size_t *name_at)
{
	const struct tn_field *field = tn_value_field(in);
	size_t n = strlen(outer), more;
	char none[1], *path;

	more = tn_field_step(field, i, none, sizeof none);
	path = malloc(n + more + 1);
	if (!path)
		return NULL;
	memcpy(path, outer, n + 1);
	tn_field_step(field, i, path + n, more + 1);
	*name_at = n + (path[n] == '.');
	return path;
}

static void
add_values(struct walk *w, const struct tn_value *v, const char *path, const char *name, int depth)
{
	size_t i = 0;

	add_value(w, v, path, name, depth);
	for (const struct tn_value *in = tn_value_first(v); in && !is_full(w->d) && depth < 64;
	     in = tn_value_after(v, in), i++) {
		size_t name_at;
		bool is_shadowed = w->shadowed && depth == 0;
		char *longer = inner_path(is_shadowed ? tn_scope_path(TN_SCOPE_COMMON_CONTEXT) : path, in, i, &name_at);

		if (longer && is_shadowed && tn_event_find(w->shadowed, longer) != in) {
			free(longer);
			longer = inner_path(path, in, i, &name_at);
		}
		if (!longer)
			return;
		/* The content of a variant or optional has the name of its container. */
		add_values(w, in, longer, longer[name_at] ? longer + name_at : name, depth + 1);
		free(longer);
	}
}

/* Add the fields, then description and place of the event, then the headers. */
static void
add_scopes(struct details *d, const struct tn_row *row, const struct tn_event *event)
{
	static const enum tn_scope order[] = {
		TN_SCOPE_PAYLOAD, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_PACKET_CONTEXT,
		TN_SCOPE_EVENT_HEADER, TN_SCOPE_PACKET_HEADER,
	};
	struct walk w = { .d = d, .text = d->list.base.session->asks.query->text, .at = &row->location };

	w.data = tn_stream_packet_bytes(row->stream, row->location.packet, &w.size);
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		const struct tn_value *v = tn_event_scope(event, order[i]);

		const char *path = tn_event_scope_path(event, order[i]);

		if (order[i] == TN_SCOPE_PACKET_CONTEXT)
			add_event_facts(d, row, event);
		w.shadowed = strcmp(path, tn_scope_path(order[i])) != 0 ? event : NULL;
		if (v)
			add_values(&w, v, path, path, 0);
	}
	if (is_full(d))
		add_fact(d, ACT_NONE, "...", _("there are more that are not listed"));
}

static void
add_notice(struct details *d, const struct tn_row *row)
{
	struct session *s = d->list.base.session;
	struct tn_str b = { 0 };

	tn_text_notice(s->asks.query->text, row, &b);
	add_fact(d, ACT_PROBLEMS,
		 row->kind == TN_ROW_DAMAGE ? _("damage") : row->kind == TN_ROW_BREAK ? _("connection") : _("loss"),
		 b.text ? b.text : "");
	tn_str_release(&b);
	add_time(d, row);
	add_place(d, row);
}

/* ---- the selected field ---- */

static char *
copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

static void
details_selected(struct view *v)
{
	struct details *d = (struct details *)v;
	struct session *s = v->session;
	const struct detail *it = d->list.selected < d->list.n ? &d->item[d->list.selected] : NULL;

	free(s->here.focus_path);
	free(s->here.focus_value);
	s->here.focus_path = it ? copy(it->path) : NULL;
	s->here.focus_value = it ? copy(it->value) : NULL;
	s->here.focus_bit = it && it->path ? it->bit : 0;
	s->here.focus_bits = it && it->path ? it->bits : 0;
	if (it && it->path && d->list.base.active) {
		free(d->wanted);
		d->wanted = strdup(it->path);
	}
}

static void
choose_again(struct details *d)
{
	size_t i = 0, first = 0;

	while (i < d->list.n && !(d->wanted && d->item[i].path && strcmp(d->item[i].path, d->wanted) == 0))
		i++;
	while (first < d->list.n && !(d->item[first].value && !d->item[first].is_fact))
		first++;
	if (i < d->list.n)
		d->list.selected = i;
	else if (first < d->list.n)	/* the first field */
		d->list.selected = first;
	if (d->list.selected >= d->list.n)
		d->list.selected = d->list.n ? d->list.n - 1 : 0;
	details_selected(&d->list.base);
}

static void
fill(struct details *d)
{
	const struct whole_event *l = &d->list.base.session->here.whole;

	clear(d);
	d->name_width = d->text_width = 0;
	if (l->state == WHOLE_EVENT_READY && l->row.kind != TN_ROW_EVENT) {
		add_notice(d, &l->row);
	} else if (l->state == WHOLE_EVENT_READY && l->event) {
		add_scopes(d, &l->row, l->event);
	} else if (l->state == WHOLE_EVENT_WAIT) {
		add_fact(d, ACT_NONE, "", _("reading the event"));
	} else {
		add_fact(d, ACT_NONE, _("error"), l->error.text);
	}
}

static void
details_moved(struct view *v)
{
	struct details *d = (struct details *)v;
	struct session *s = v->session;

	if (!s->here.has_row) {
		clear(d);
		d->has_at = false;
		return;
	}
	if (d->has_at && d->names == naming_changes(s->traces.opened->naming) &&
	    s->here.whole.state != WHOLE_EVENT_NONE && tn_location_compare(&d->at, &s->here.row.location) == 0)
		return;
	d->at = s->here.row.location;
	d->names = naming_changes(s->traces.opened->naming);
	d->has_at = whole_event_at(s, &d->at) != WHOLE_EVENT_WAIT;
	fill(d);
	choose_again(d);
}

/* Names arrive later than the values. */
static unsigned
details_turn(struct view *v)
{
	if (((struct details *)v)->names == naming_changes(v->session->traces.opened->naming))
		return VIEW_PASS;
	details_moved(v);
	return VIEW_REDRAW;
}

/* Write the name of the thread with this number. */
static void
put_nickname(struct details *d, const struct detail *it, struct line *out)
{
	struct session *s = d->list.base.session;
	const struct tn_nicknames *names = it->is_named ? session_nicknames(s) : NULL;
	const struct tn_answer_value value = tn_answer_text(it->value);
	const struct tn_stream *stream = s->here.whole.row.stream;
	const char *name = names ? tn_nicknames_find(names, it->path, stream ? tn_stream_host(stream) : NULL, &value) : NULL;

	if (!name)
		return;
	line_puts(out, STYLE_TEXT, "  ");
	line_puts_unsafe(out, STYLE_NAME, name);
}

static void
details_row(struct view *v, size_t i, struct line *out)
{
	struct details *d = (struct details *)v;
	const struct detail *it = &d->item[i];
	int begin;

	if (!it->path || it->is_fact) {
		line_puts(out, STYLE_HEADING, it->name ? it->name : "");
		line_pad(out, 10, true);
		line_puts(out, STYLE_TEXT, it->text ? it->text : "");
		return;
	}
	line_pad(out, 2 * it->depth, false);
	line_puts(out, it->depth ? STYLE_FIELD : STYLE_NAME, it->name ? it->name : "");
	line_pad(out, d->name_width + 2, true);
	begin = out->width;
	line_puts(out, it->text && *it->text == '"' ? STYLE_STRING : STYLE_TEXT, it->text ? it->text : "");
	put_nickname(d, it, out);
	line_pad(out, begin + d->text_width + 2, true);
	line_puts(out, STYLE_DIM, it->rest ? it->rest : "");
}

static void
details_close(struct view *v)
{
	struct details *d = (struct details *)v;
	struct session *s = v->session;

	clear(d);
	free(d->item);
	free(d->wanted);
	free(s->here.focus_path);
	free(s->here.focus_value);
	s->here.focus_path = s->here.focus_value = NULL;
	s->here.focus_bits = 0;
}

/* Enter opens another view: for a field its values, for other lines the view with more information. */
static unsigned
details_act(struct view *v, const struct call *call)
{
	const struct details *d = (const struct details *)v;
	const struct detail *it = d->list.selected < d->list.n ? &d->item[d->list.selected] : NULL;

	if (call->action != ACT_OPEN)
		return VIEW_PASS;
	if (!it || (it->enter == ACT_NONE && (!it->path || !it->value))) {
		session_say(v->session, "%s", it && it->path ? _("this field has no value of its own: choose a field inside it")
							     : _("the field has nothing more to show"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	return view_request(v, &(struct request) {
		REQUEST_CLOSE_ACT, .is.call = { .action = it->enter != ACT_NONE ? it->enter : ACT_STATISTICS } });
}

const struct view_class details_view = {
	.name = "details",
	.title = N_("details"),
	.hint = N_("& filter  * next one  c column  K follow  Enter opens  Tab pane  q close"),
	.place = VIEW_PANE,
	.size = sizeof(struct details),
	.close = details_close,
	.act = details_act,
	.cursor_moved = details_moved,
	.turn = details_turn,
	.row = details_row,
	.selected = details_selected,
};
