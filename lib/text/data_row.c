/*
 * data_row.c - events as records, made from values: lines of JSON, rows of CSV (RFC 4180, with line feeds)
 *
 * A dot in the name of a value makes a nested JSON object. CSV has a column for each name (columns.h).
 */
#include "text/data_row.h"

#include <stdlib.h>

#include "base/error.h"
#include "model/path.h"
#include "text/json_value.h"

/* ---- CSV ---- */

bool
tn_csv_is_plain(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] == ',' || text[i] == '"' || text[i] == '\r' || text[i] == '\n')
			return false;
	return n > 0 && text[0] != ' ' && text[n - 1] != ' ';	/* empty text is quoted, to differ from a missing value */
}

char *
tn_csv_put_quoted(char *p, const char *text, size_t n)
{
	*p++ = '"';
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '"')
			*p++ = '"';
		*p++ = text[i];
	}
	*p++ = '"';
	return p;
}

static void
put_cell_text(struct tn_str *out, const char *text)
{
	size_t n = strlen(text);

	if (tn_csv_is_plain(text, n))
		tn_str_put(out, text, n);
	else if (tn_str_reserve(out, 2 * n + 2))
		out->n = (size_t)(tn_csv_put_quoted(out->text + out->n, text, n) - out->text);
}

static void
put_cell_text_utf8(struct tn_str *out, const char *text)
{
	struct tn_str room = { 0 };

	tn_json_utf8(&room, (const uint8_t *)text, strlen(text));
	tn_str_end(&room);
	put_cell_text(out, room.text ? room.text : "");
	out->failed = out->failed || room.failed;
	tn_str_release(&room);
}

void
tn_text_heading(const struct tn_text *text, struct tn_str *out)
{
	if (!text || !out || !text->columns)
		return;
	for (size_t i = 0; i < text->columns->n; i++) {
		tn_str_put_text(out, i ? "," : "");
		put_cell_text(out, text->columns->name[i]);
	}
	tn_str_put_text(out, "\n");
	tn_str_end(out);
}

/* Make the text in the buffer from @from on a cell. */
static void
end_cell(struct tn_data_row_room *r, size_t column, size_t from)
{
	struct tn_str *room = &r->room;
	size_t n = room->n - from;

	if (!tn_csv_is_plain(room->text + from, n)) {
		if (n > SIZE_MAX / 4 || !tn_str_reserve(room, 2 * n + 2)) {
			room->failed = true;
			return;
		}
		from = room->n;
		room->n = (size_t)(tn_csv_put_quoted(room->text + from, room->text + from - n, n) - room->text);
	}
	r->cell[column] = (struct tn_csv_cell) { from, room->n };
}

/* Write a cell: the text of a leaf, or JSON for a compound. */
static void
put_cell(struct tn_data_row_room *r, size_t column, const struct tn_value *v)
{
	const struct tn_value *whole = v;
	size_t from = r->room.n;

	while ((v->field->type->kind == TN_KIND_VARIANT || v->field->type->kind == TN_KIND_OPTIONAL) && v->n)
		v++;
	if (v != whole && tn_json_has_labels(v->field->type)) {
		tn_json_value(&r->room, v);
		end_cell(r, column, from);
		return;
	}
	switch (v->field->type->kind) {
	case TN_KIND_VARIANT:
	case TN_KIND_OPTIONAL:
		return;
	case TN_KIND_STRUCT:
	case TN_KIND_ARRAY:
		tn_json_value(&r->room, v);
		break;
	case TN_KIND_STRING:
		tn_json_utf8(&r->room, v->bytes, tn_json_string_size(v));
		break;
	default:
		tn_json_scalar(&r->room, v);
		break;
	}
	end_cell(r, column, from);
}

/* The number of columns of a field. */
static size_t
count_columns(const struct tn_field *field)
{
	const struct tn_type *t = field->type;
	size_t n = 0;

	if (tn_json_has_labels(t))
		return 2;
	if (t->kind != TN_KIND_STRUCT)
		return 1;
	for (size_t i = 0; i < t->n_fields; i++)
		n += t->field[i].hidden ? 0 : count_columns(&t->field[i]);
	return n;
}

static void
put_cells(struct tn_data_row_room *r, const size_t **column, const struct tn_value *v)
{
	const struct tn_type *t = v->field->type;
	const struct tn_value *at = v + 1;
	uint64_t n = 0;

	if (tn_json_has_labels(v->field->type)) {
		size_t from;

		put_cell(r, *(*column)++, v);
		from = r->room.n;
		tn_json_labels(&r->room, v, tn_json_utf8, "|");
		if (r->room.n > from)
			end_cell(r, **column, from);
		++*column;
		return;
	}
	if (v->field->type->kind != TN_KIND_STRUCT) {
		put_cell(r, *(*column)++, v);
		return;
	}
	/* An event of ovni may omit some members. */
	for (size_t i = 0; i < t->n_fields; i++) {
		bool there = n < v->n && at->field == &t->field[i];

		if (there && !at->field->hidden)
			put_cells(r, column, at);
		else if (!t->field[i].hidden)
			*column += count_columns(&t->field[i]);
		n += there;
		at += there ? at->next : 0;
	}
}

/* Put the members of a structure into the columns with their names, if the structure differs from that of the class. */
static void
put_cells_by_name(const struct tn_text *text, struct tn_data_row_room *r, const struct tn_value *v, enum tn_scope scope)
{
	const struct tn_value *at = v + 1;

	for (uint64_t i = 0; v->field->type->kind == TN_KIND_STRUCT && i < v->n; i++, at += at->next) {
		struct tn_str path = { 0 };

		tn_path_put(&path, scope, at->field);
		for (size_t k = TN_FIRST_COLUMNS; k < text->columns->n && !at->field->hidden; k++)
			if (!path.failed && strcmp(text->columns->name[k], tn_str_text(&path)) == 0)
				put_cell(r, k, at);
		tn_str_release(&path);
	}
}

static void
put_first(struct tn_data_row_room *r, size_t column, const char *text)
{
	size_t from = r->room.n;

	tn_json_utf8(&r->room, (const uint8_t *)text, strlen(text));
	end_cell(r, column, from);
}

static void
put_first_number(struct tn_data_row_room *r, size_t column, bool is_signed, uint64_t v)
{
	char text[32];

	*(is_signed ? tn_put_i64(text, (int64_t)v) : tn_put_u64(text, v)) = '\0';
	put_first(r, column, text);
}

/* Write the part that all rows of a packet share: trace, stream, number. */
static void
put_origin(struct tn_data_row_room *r, const struct tn_stream *stream, uint64_t packet)
{
	put_first(r, 3, tn_trace_path(stream->trace));
	put_first(r, 4, tn_stream_name(stream));
	put_first_number(r, 5, false, packet);
}

static void
csv_line(const struct tn_text *text, struct tn_line_cache *cache, const struct tn_class_columns *c,
	 const struct tn_event *e, struct tn_str *out)
{
	struct tn_data_row_room *r = &cache->room;
	size_t n = text->columns->n;

	memset(r->cell, 0, n * sizeof *r->cell);
	tn_str_clear(&r->room);
	/* The buffer has each cell without quotes, and again with quotes. A longer line is cut. */
	r->room.most = out->most ? 4 * (out->most - out->n) : 0;
	if (e->has_time) {
		tn_put_time(text, &cache->second, e->time_ns, &r->room);
		end_cell(r, 0, 0);
		put_first_number(r, 1, true, (uint64_t)e->time_ns);
	}
	if (e->has_cycles)
		put_first_number(r, 2, false, e->cycles);
	put_origin(r, e->stream, e->packet);
	if (e->name)
		put_first(r, 6, e->name);
	for (size_t i = 0; i < TN_COLUMN_SCOPES; i++) {
		const struct tn_value *v = tn_event_scope(e, tn_column_scopes[i]);
		const size_t *column = c->column + c->begin[i];

		if (v && v->field != tn_event_class_scope(e->event_class, tn_column_scopes[i]))
			put_cells_by_name(text, r, v, tn_column_scopes[i]);
		else if (v && c->begin[i] < c->begin[i + 1])
			put_cells(r, &column, v);
	}
	for (size_t i = 0; i < n && !r->room.failed; i++) {
		if (i)
			tn_str_put_text(out, ",");
		if (r->cell[i].from < r->cell[i].to)
			tn_str_put(out, r->room.text + r->cell[i].from, r->cell[i].to - r->cell[i].from);
	}
	out->failed = out->failed || r->room.failed;
	out->full = out->full || r->room.full;
	tn_str_clear(&r->room);
	r->room.most = 0;
}

/* ---- JSON ---- */

static void
put_text(struct tn_str *out, const char *key, const char *text)
{
	tn_str_put_text(out, key);
	tn_json_string(out, (const uint8_t *)text, strlen(text));
}

static void
put_number(struct tn_str *out, const char *key, bool is_signed, uint64_t v)
{
	char text[32];

	*(is_signed ? tn_put_i64(text, (int64_t)v) : tn_put_u64(text, v)) = '\0';
	tn_str_put_text(out, key);
	tn_str_put_text(out, text);
}

static const struct tn_value *
shown_scope(const struct tn_event *e, enum tn_scope scope)
{
	const struct tn_value *v = tn_event_scope(e, scope);

	return v && !v->field->hidden ? v : NULL;
}

static void
put_scope(struct tn_str *out, const struct tn_event *e, enum tn_scope scope, const char *before)
{
	const struct tn_value *v = shown_scope(e, scope);

	if (!v)
		return;
	tn_str_put_text(out, before);
	tn_json_value(out, v);
}

/* The structure in a variant or optional; NULL: its content is not a structure. */
static const struct tn_value *
object_of(const struct tn_value *v)
{
	while ((v->field->type->kind == TN_KIND_VARIANT || v->field->type->kind == TN_KIND_OPTIONAL) && v->n)
		v++;
	return v->field->type->kind == TN_KIND_STRUCT ? v : NULL;
}

/*
 * Write those members of the common context @a that are shadowed (@shadowed), or those that are not. Returns whether
 * a member was written.
 */
static bool
put_common(const struct tn_text *text, struct tn_str *out, const struct tn_event *e, bool shadowed)
{
	const struct tn_trace_words *words = tn_text_trace_words(text, e->stream);
	const struct tn_value *a = shown_scope(e, TN_SCOPE_COMMON_CONTEXT), *b = shown_scope(e, TN_SCOPE_SPECIFIC_CONTEXT), *in;
	const struct tn_type *t = a->field->type;
	const bool *is = words ? words->of_class[e->event_class->index].shadowed : NULL;
	bool some = false, known = t->kind == TN_KIND_STRUCT && b->field == e->event_class->specific_context;

	a = object_of(a);
	for (in = tn_value_first(a); in; in = tn_value_after(a, in)) {
		bool its = known ? is && is[in->field - t->field] : tn_value_member(b, in->field->label) != NULL;

		if (in->field->hidden || its != shadowed)
			continue;
		tn_str_put_text(out, some ? "," : shadowed ? ",\"event\":{\"context\":{" : "");
		tn_json_string(out, (const uint8_t *)in->field->label, strlen(in->field->label));
		tn_str_put_text(out, ":");
		tn_json_value(out, in);
		some = true;
	}
	tn_str_put_text(out, some && shadowed ? "}}" : "");
	return some;
}

/* Whether the two contexts are written as one object. */
static bool
are_one(const struct tn_event *e)
{
	const struct tn_value *a = shown_scope(e, TN_SCOPE_COMMON_CONTEXT), *b = shown_scope(e, TN_SCOPE_SPECIFIC_CONTEXT);

	return a && b && object_of(a) && object_of(b);
}

/* Write the contexts of the stream and the event class as one object, because their paths are the same. */
static void
put_contexts(const struct tn_text *text, struct tn_str *out, const struct tn_event *e)
{
	const struct tn_value *a = shown_scope(e, TN_SCOPE_COMMON_CONTEXT), *b = shown_scope(e, TN_SCOPE_SPECIFIC_CONTEXT);

	if (!a || !b) {
		put_scope(out, e, a ? TN_SCOPE_COMMON_CONTEXT : TN_SCOPE_SPECIFIC_CONTEXT, ",\"context\":");
	} else if (are_one(e)) {
		tn_str_put_text(out, ",\"context\":{");
		tn_json_members(out, object_of(b), put_common(text, out, e, false));
		tn_str_put_text(out, "}");
	} else {	/* KEDR: one of the contexts is not a structure */
		put_scope(out, e, TN_SCOPE_COMMON_CONTEXT, ",\"context\":[");
		put_scope(out, e, TN_SCOPE_SPECIFIC_CONTEXT, ",");
		tn_str_put_text(out, "]");
	}
}

/* Write the trace, the stream with its fields (put_common()), and the packet with its context. */
static void
json_origin(const struct tn_text *text, const struct tn_event *e, struct tn_str *out)
{
	const struct tn_stream *s = e->stream;

	put_text(out, "\"trace\":", tn_trace_path(s->trace));
	put_text(out, ",\"stream\":{\"name\":", tn_stream_name(s));
	put_number(out, ",\"id\":", false, tn_stream_id(s));
	if (are_one(e))
		put_common(text, out, e, true);
	put_number(out, "},\"packet\":{\"number\":", false, e->packet);
	put_scope(out, e, TN_SCOPE_PACKET_CONTEXT, ",\"context\":");
}

/* Append the part between the end of the packet and the start of the contexts. */
static void
json_class(const struct tn_event_class *ec, const char *name, struct tn_str *out)
{
	tn_str_put_text(out, "},\"event\":{");
	if (name)
		put_text(out, "\"name\":", name);
	put_number(out, name ? ",\"id\":" : "\"id\":", false, tn_event_class_id(ec));
	if (tn_event_class_log_level(ec) >= 0)
		put_number(out, ",\"log_level\":", false, (uint64_t)tn_event_class_log_level(ec));
}

static void
json_line(const struct tn_text *text, struct tn_second *second, const struct tn_event *e, struct tn_str *out)
{
	tn_str_put_text(out, "{");
	if (e->has_time) {
		tn_str_put_text(out, "\"time\":\"");
		tn_put_time(text, second, e->time_ns, out);
		put_number(out, "\",\"time_ns\":", true, (uint64_t)e->time_ns);
		tn_str_put_text(out, ",");
	}
	if (e->has_cycles) {
		put_number(out, "\"cycles\":", false, e->cycles);
		tn_str_put_text(out, ",");
	}
	json_origin(text, e, out);
	json_class(e->event_class, e->name, out);
	put_contexts(text, out, e);
	put_scope(out, e, TN_SCOPE_PAYLOAD, ",\"fields\":");
	tn_str_put_text(out, "}}");
}

/* ---- both ---- */

static bool
have_room(const struct tn_text *text, struct tn_data_row_room *r)
{
	if (!r->cell)
		r->cell = calloc(text->columns->n, sizeof *r->cell);
	return r->cell && tn_str_reserve(&r->room, 1);
}

void
tn_data_row_put_cut(const struct tn_text *text, const struct tn_event *event, const char *words,
		  struct tn_str *out)
{
	struct tn_event e = *event;
	struct tn_line_cache cache = { 0 };
	struct tn_class_columns none = { 0 };

	/* A notice has no scopes. */
	for (size_t i = 0; i < TN_SCOPES; i++)
		e.scope[i] = UINT32_MAX;
	if (text->options.format == TN_LINE_JSON) {
		json_line(text, &cache.second, &e, out);
		if (!out->failed)
			out->n -= 2;
		put_text(out, ",\"cut\":", words);
		tn_str_put_text(out, "}}");
	} else if (have_room(text, &cache.room)) {
		csv_line(text, &cache, &none, &e, out);
		/* The last column has the words of the notice. */
		put_cell_text(out, words);
	} else {
		out->failed = true;
	}
	tn_data_row_room_release(&cache.room);
}

enum tn_code
tn_data_row_append_event(const struct tn_text *text, struct tn_line_cache *cache, const struct tn_event *e,
		       struct tn_str *out, struct tn_error *err)
{
	const struct tn_trace_words *trace = tn_text_trace_words(text, e->stream);
	const struct tn_class_columns *c = trace ? trace->of_class[e->event_class->index].columns : NULL;

	if (text->options.format == TN_LINE_JSON) {
		json_line(text, &cache->second, e, out);
	} else {
		if (!c)
			return tn_fail(err, TN_ERR_ARGUMENT, "the lines have no columns for this event");
		if (!have_room(text, &cache->room))
			return tn_fail_memory(err);
		csv_line(text, cache, c, e, out);
	}
	tn_str_put_text(out, "\n");
	return TN_OK;
}

void
tn_data_row_room_release(struct tn_data_row_room *r)
{
	tn_str_release(&r->room);
	free(r->cell);
	*r = (struct tn_data_row_room) { 0 };
}

/* ---- for the direct path ---- */

void
tn_data_row_class_words(const struct tn_text *text, const struct tn_event_class *ec, struct tn_str *out)
{
	if (text->options.format == TN_LINE_JSON)
		json_class(ec, ec->name, out);
	else
		put_cell_text_utf8(out, ec->name);
}

/* Write the cells of the packet context, with commas in front. */
static bool
put_packet_cells(const struct tn_text *text, struct tn_data_row_room *r, struct tn_direct *d, const struct tn_event *packet)
{
	const struct tn_value *v = tn_event_scope(packet, TN_SCOPE_PACKET_CONTEXT);
	const struct tn_class_columns *c = d->columns;
	const size_t *column = c->column;
	size_t last = TN_FIRST_COLUMNS - 1;

	if (!c->begin[1])
		return true;
	if (!v || !have_room(text, r))
		return false;
	memset(r->cell, 0, text->columns->n * sizeof *r->cell);
	r->room.n = 0;
	put_cells(r, &column, v);
	for (size_t i = 0; i < c->begin[1]; i++) {
		const struct tn_csv_cell *cell = &r->cell[c->column[i]];

		for (; last < c->column[i]; last++)
			tn_str_put_text(&d->cells, ",");
		if (cell->from < cell->to)
			tn_str_put(&d->cells, r->room.text + cell->from, cell->to - cell->from);
	}
	return !r->room.failed;
}

/* The columns of the packet context are the same for all classes of its stream class. */
static const struct tn_class_columns *
some_columns(const struct tn_text *text, const struct tn_stream *stream)
{
	const struct tn_trace_words *words = tn_text_trace_words(text, stream);
	const struct tn_stream_class *sc = stream->stream_class;

	for (size_t i = 0; i < sc->n_event_classes; i++)
		if (words->of_class[sc->event_class[i]->index].columns)
			return words->of_class[sc->event_class[i]->index].columns;
	return NULL;
}

bool
tn_data_row_enter(const struct tn_text *text, struct tn_line_cache *cache, struct tn_direct *d,
		const struct tn_event *packet)
{
	tn_str_clear(&d->cells);
	if (text->options.format == TN_LINE_JSON) {
		json_origin(text, packet, &d->context);
		return !d->context.failed;
	}
	put_cell_text_utf8(&d->context, tn_trace_path(packet->stream->trace));
	tn_str_put_text(&d->context, ",");
	put_cell_text_utf8(&d->context, tn_stream_name(packet->stream));
	put_number(&d->context, ",", false, packet->packet);
	tn_str_put_text(&d->context, ",");
	if (!d->columns)
		d->columns = some_columns(text, packet->stream);
	return !d->context.failed && d->columns && put_packet_cells(text, &cache->room, d, packet) && !d->cells.failed;
}
