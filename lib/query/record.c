/*
 * record.c - events as records: lines of JSON, rows of CSV (RFC 4180, with line feeds)
 *
 * Values have the names that filters take: "event.fields.a.b". A JSON object is nested along the dots;
 * CSV has a column for each name, of each event class that was named when the records were made.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/str.h"
#include "text/json.h"
#include "text/text.h"

/* In front of the fields; the functions that write them follow this order. */
static const char *const first_columns[] = {
	"time", "time_ns", "cycles", "trace", "stream.name", "stream.packet.number", "event.name",
};
#define FIRST_COLUMNS TN_COUNT(first_columns)

static const enum tn_scope scopes[] = {
	TN_SCOPE_PACKET_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD,
};

/* Columns of the fields of one event class, in the order in which they are met; one behind the last of each scope. */
struct class_columns {
	const struct tn_event_class *event_class;
	TN_ARRAY(size_t) column;
	size_t begin[TN_COUNT(scopes) + 1];
};

struct cell {
	size_t from, to;	/* in `room`; equal: empty */
};

struct tn_records {
	const struct tn_text *text;
	enum tn_record_format format;
	TN_ARRAY(char *) name;
	TN_ARRAY(struct class_columns) of_class;
	struct class_columns *last;	/* events of a class come in runs */
	struct cell *cell;
	struct tn_text_buffer room;
};

/* ---- columns ---- */

static bool
add_column(struct tn_records *r, struct class_columns *c, const char *name)
{
	size_t i = 0, *column;

	while (i < r->name.n && strcmp(r->name.item[i], name) != 0)
		i++;
	if (i == r->name.n) {
		char **at = TN_ARRAY_ADD(&r->name);

		if (!at || !(*at = strdup(name)))
			return false;
	}
	column = TN_ARRAY_ADD(&c->column);
	if (column)
		*column = i;
	return column != NULL;
}

static bool
add_named(struct tn_records *r, struct class_columns *c, struct tn_str *path, const char *name)
{
	size_t n = path->n;
	bool added;

	tn_str_puts(path, name);
	added = !path->failed && add_column(r, c, tn_str_text(path));
	path->n = n;
	return added;
}

static bool
add_columns(struct tn_records *r, struct class_columns *c, const struct tn_field *field, struct tn_str *path)
{
	const struct tn_type *t = field->type;

	if (tn_json_has_labels(t))
		return add_named(r, c, path, ".value") && add_named(r, c, path, ".labels");
	if (t->kind != TN_KIND_STRUCT)
		return add_named(r, c, path, "");
	for (size_t i = 0; i < t->n_fields; i++) {
		size_t n = path->n;

		if (t->field[i].hidden)
			continue;
		tn_str_putc(path, '.');
		tn_str_puts(path, t->field[i].label);
		if (!add_columns(r, c, &t->field[i], path))
			return false;
		path->n = n;
	}
	return true;
}

static bool
add_class(struct tn_records *r, const struct tn_event_class *ec)
{
	struct class_columns *c = TN_ARRAY_ADD(&r->of_class);
	bool added = c != NULL;

	if (c)
		c->event_class = ec;
	for (size_t i = 0; i < TN_COUNT(scopes) && added; i++) {
		const struct tn_field *root = tn_event_class_scope(ec, scopes[i]);
		struct tn_str path = { 0 };

		c->begin[i] = c->column.n;
		tn_str_puts(&path, tn_scope_name(scopes[i]));
		added = !root || root->hidden || add_columns(r, c, root, &path);
		tn_str_release(&path);
		c->begin[i + 1] = c->column.n;
	}
	return added;
}

static const struct class_columns *
columns_of(struct tn_records *r, const struct tn_event_class *ec)
{
	for (size_t i = 0; i < r->of_class.n && (!r->last || r->last->event_class != ec); i++)
		if (r->of_class.item[i].event_class == ec)
			r->last = &r->of_class.item[i];
	return r->last && r->last->event_class == ec ? r->last : NULL;
}

enum tn_code
tn_records_new(struct tn_records **out, const struct tn_text *text, enum tn_record_format format,
	       const struct tn_event_class *const *event_class, size_t n, struct tn_error *err)
{
	if (!out)
		return tn_fail_null(err);

	struct tn_records *r = calloc(1, sizeof *r);
	struct class_columns fixed = { 0 };
	bool made = r != NULL;

	*out = NULL;
	for (size_t i = 0; i < FIRST_COLUMNS && made; i++)
		made = add_column(r, &fixed, first_columns[i]);
	TN_ARRAY_RELEASE(&fixed.column);
	for (size_t i = 0; format == TN_RECORD_CSV && i < n && made; i++)
		made = add_class(r, event_class[i]);
	if (made)
		made = (r->cell = calloc(r->name.n, sizeof *r->cell)) != NULL && tn_reserve(&r->room, 1);
	if (!made) {
		tn_records_free(r);
		return tn_fail_memory(err);
	}
	r->text = text;
	r->format = format;
	*out = r;
	return TN_OK;
}

void
tn_records_free(struct tn_records *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->name.n; i++)
		free(r->name.item[i]);
	for (size_t i = 0; i < r->of_class.n; i++)
		TN_ARRAY_RELEASE(&r->of_class.item[i].column);
	TN_ARRAY_RELEASE(&r->name);
	TN_ARRAY_RELEASE(&r->of_class);
	tn_text_buffer_free(&r->room);
	free(r->cell);
	free(r);
}

/* ---- CSV ---- */

static bool
is_plain(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] == ',' || text[i] == '"' || text[i] == '\r' || text[i] == '\n')
			return false;
	return n > 0 && text[0] != ' ' && text[n - 1] != ' ';	/* empty text is told from no value */
}

/* Needs 2 * @n + 2 bytes. */
static char *
put_quoted(char *p, const char *text, size_t n)
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

void
tn_records_heading(const struct tn_records *r, struct tn_text_buffer *out)
{
	if (!r || !out)
		return;
	for (size_t i = 0; r->format == TN_RECORD_CSV && i < r->name.n; i++) {
		const char *name = r->name.item[i];
		size_t n = strlen(name);

		tn_puts(out, i ? "," : "");
		if (is_plain(name, n))
			tn_put(out, name, n);
		else if (tn_reserve(out, 2 * n + 2))
			out->n = (size_t)(put_quoted(out->text + out->n, name, n) - out->text);
	}
	if (r->format == TN_RECORD_CSV)
		tn_put_literal(out, "\n");
	tn_put_end(out);
}

/* What was written to the room since @from is the text of a cell. */
static void
end_cell(struct tn_records *r, size_t column, size_t from)
{
	struct tn_text_buffer *room = &r->room;
	size_t n = room->n - from;

	if (!is_plain(room->text + from, n)) {
		if (n > SIZE_MAX / 4 || !tn_reserve(room, 2 * n + 2)) {
			room->failed = true;
			return;
		}
		from = room->n;
		room->n = (size_t)(put_quoted(room->text + from, room->text + from - n, n) - room->text);
	}
	r->cell[column] = (struct cell) { from, room->n };
}

/* A leaf as it is, what has several values as JSON. */
static void
put_cell(struct tn_records *r, size_t column, const struct tn_value *v)
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

static void
put_cells(struct tn_records *r, const size_t **column, const struct tn_value *v)
{
	const struct tn_value *at = v + 1;

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
	for (uint64_t i = 0; i < v->n; i++, at += at->next)
		if (!at->field->hidden)
			put_cells(r, column, at);
}

static void
put_first(struct tn_records *r, size_t column, const char *text)
{
	size_t from = r->room.n;

	tn_json_utf8(&r->room, (const uint8_t *)text, strlen(text));
	end_cell(r, column, from);
}

static void
put_first_number(struct tn_records *r, size_t column, bool is_signed, uint64_t v)
{
	char text[32];

	*(is_signed ? tn_put_i64(text, (int64_t)v) : tn_put_u64(text, v)) = '\0';
	put_first(r, column, text);
}

static enum tn_code
csv_line(struct tn_records *r, const struct tn_row *row, const struct tn_event *e, struct tn_text_buffer *out,
	 struct tn_error *err)
{
	const struct class_columns *c = columns_of(r, row->event_class);

	if (!c)
		return tn_fail(err, TN_ERR_ARGUMENT, "the records have no columns for this event");
	memset(r->cell, 0, r->name.n * sizeof *r->cell);
	r->room.n = 0;
	if (row->has_time) {
		tn_text_time(r->text, row->time_ns, &r->room);
		end_cell(r, 0, 0);
		put_first_number(r, 1, true, (uint64_t)row->time_ns);
	}
	if (row->has_cycles)
		put_first_number(r, 2, false, row->cycles);
	put_first(r, 3, tn_trace_path(tn_stream_trace(row->stream)));
	put_first(r, 4, tn_stream_name(row->stream));
	put_first_number(r, 5, false, row->location.packet);
	if (e->name)
		put_first(r, 6, e->name);
	for (size_t i = 0; i < TN_COUNT(scopes); i++) {
		const struct tn_value *v = tn_event_scope(e, scopes[i]);
		const size_t *column = c->column.item + c->begin[i];

		if (v && c->begin[i] < c->begin[i + 1])
			put_cells(r, &column, v);
	}
	for (size_t i = 0; i < r->name.n && !r->room.failed; i++) {
		tn_puts(out, i ? "," : "");
		tn_put(out, r->room.text + r->cell[i].from, r->cell[i].to - r->cell[i].from);
	}
	out->failed = out->failed || r->room.failed;
	return TN_OK;
}

/* ---- JSON ---- */

static void
put_text(struct tn_text_buffer *out, const char *key, const char *text)
{
	tn_puts(out, key);
	tn_json_string(out, (const uint8_t *)text, strlen(text));
}

static void
put_number(struct tn_text_buffer *out, const char *key, bool is_signed, uint64_t v)
{
	char text[32];

	*(is_signed ? tn_put_i64(text, (int64_t)v) : tn_put_u64(text, v)) = '\0';
	tn_puts(out, key);
	tn_puts(out, text);
}

static void
put_scope(struct tn_text_buffer *out, const struct tn_event *e, enum tn_scope scope, const char *before,
	  const char *behind)
{
	const struct tn_value *v = tn_event_scope(e, scope);

	if (!v || v->field->hidden)
		return;
	tn_puts(out, before);
	tn_json_value(out, v);
	tn_puts(out, behind);
}

static void
json_line(const struct tn_records *r, const struct tn_row *row, const struct tn_event *e, struct tn_text_buffer *out)
{
	int level = tn_event_class_log_level(row->event_class);

	tn_put_literal(out, "{");
	if (row->has_time) {
		struct tn_text_buffer time = { 0 };

		tn_text_time(r->text, row->time_ns, &time);
		put_text(out, "\"time\":", time.text ? time.text : "");
		out->failed = out->failed || time.failed;
		tn_text_buffer_free(&time);
		put_number(out, ",\"time_ns\":", true, (uint64_t)row->time_ns);
		tn_put_literal(out, ",");
	}
	if (row->has_cycles) {
		put_number(out, "\"cycles\":", false, row->cycles);
		tn_put_literal(out, ",");
	}
	put_text(out, "\"trace\":", tn_trace_path(tn_stream_trace(row->stream)));
	put_text(out, ",\"stream\":{\"name\":", tn_stream_name(row->stream));
	put_number(out, ",\"id\":", false, tn_stream_id(row->stream));
	put_number(out, ",\"packet\":{\"number\":", false, row->location.packet);
	put_scope(out, e, TN_SCOPE_PACKET_CONTEXT, ",\"context\":", "");
	tn_put_literal(out, "}");
	put_scope(out, e, TN_SCOPE_COMMON_CONTEXT, ",\"event\":{\"context\":", "}");
	tn_put_literal(out, "},\"event\":{");
	if (e->name)
		put_text(out, "\"name\":", e->name);
	put_number(out, e->name ? ",\"id\":" : "\"id\":", false, tn_event_class_id(row->event_class));
	if (level >= 0)
		put_number(out, ",\"log_level\":", false, (uint64_t)level);
	put_scope(out, e, TN_SCOPE_SPECIFIC_CONTEXT, ",\"context\":", "");
	put_scope(out, e, TN_SCOPE_PAYLOAD, ",\"fields\":", "");
	tn_put_literal(out, "}}");
}

enum tn_code
tn_records_line(struct tn_records *r, struct tn_cursor *cur, struct tn_text_buffer *out, struct tn_error *err)
{
	if (!r || !cur || !out)
		return tn_fail_null(err);

	const struct tn_event *e;
	size_t n = out->n;
	struct tn_row row;
	enum tn_code rc = tn_cursor_read(cur, TN_SCOPE_SHOWN, &e, err);

	if (rc != TN_OK)
		return rc;
	tn_cursor_row(cur, &row);
	if (r->format == TN_RECORD_CSV)
		rc = csv_line(r, &row, e, out, err);
	else
		json_line(r, &row, e, out);
	tn_put_literal(out, "\n");
	if (rc == TN_OK && out->failed)
		rc = tn_fail_memory(err);
	if (rc != TN_OK)
		out->n = n;
	tn_put_end(out);
	return rc;
}
