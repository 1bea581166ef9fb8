/*
 * ctf2_text.c - write a model as CTF 2 metadata: a JSON text sequence, with each fragment in a line after a record
 * separator
 *
 * The order of properties is fixed, so the same model always gives the same bytes. Field locations are absolute.
 */
#include <inttypes.h>
#include <string.h>

#include "model/decoder.h"
#include "model/path.h"
#include "write/draft.h"

struct json {
	struct tn_str *out;
	const struct tn_field *root[TN_SCOPES];	/* scopes of the fields that a reference can lead to */
	unsigned scope;				/* the scope that is being written */
	struct tn_error *err;
	enum tn_code code;
};

static void write_class(struct json *j, const struct tn_field *f);

/* ---- JSON ---- */

/* Write a comma, unless this is the first item of its object or array. */
static void
next(struct json *j)
{
	const struct tn_str *s = j->out;
	char last = s->n ? s->text[s->n - 1] : '\0';

	if (last != '{' && last != '[' && last != ':')
		tn_str_putc(j->out, ',');
}

static void
quoted(struct json *j, const char *text)
{
	next(j);
	tn_str_putc(j->out, '"');
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			tn_str_printf(j->out, "\\%c", *c);
		else if (*c < 0x20 || *c == 0x7f)
			tn_str_printf(j->out, "\\u%04x", *c);
		else
			tn_str_putc(j->out, (char)*c);
	}
	tn_str_putc(j->out, '"');
}

static void
key(struct json *j, const char *name)
{
	quoted(j, name);
	tn_str_putc(j->out, ':');
}

static void
text(struct json *j, const char *name, const char *value)
{
	if (!value)
		return;
	key(j, name);
	quoted(j, value);
}

static void
number(struct json *j, const char *name, uint64_t value)
{
	key(j, name);
	tn_str_printf(j->out, "%" PRIu64, value);
}

static void
open(struct json *j, char bracket)
{
	next(j);
	tn_str_putc(j->out, bracket);
}

static void
close(struct json *j, char bracket)
{
	tn_str_putc(j->out, bracket);
}

static void
fragment(struct json *j, const char *type)
{
	tn_str_puts(j->out, "\x1e{");
	text(j, "type", type);
}

static void
end_fragment(struct json *j)
{
	tn_str_puts(j->out, "}\n");
}

/* ---- field classes ---- */

static void
put_ranges(struct json *j, const struct tn_range *r, size_t n, bool is_signed)
{
	for (size_t i = 0; i < n; i++) {
		next(j);
		if (is_signed)
			tn_str_printf(j->out, "[%" PRId64 ",%" PRId64 "]", (int64_t)r[i].lower, (int64_t)r[i].upper);
		else
			tn_str_printf(j->out, "[%" PRIu64 ",%" PRIu64 "]", r[i].lower, r[i].upper);
	}
}

static void
ranges(struct json *j, const struct tn_range *r, size_t n, bool is_signed)
{
	open(j, '[');
	put_ranges(j, r, n, is_signed);
	close(j, ']');
}

/* A label can occur several times in a model, but only once in a JSON object. */
static void
mappings(struct json *j, const struct tn_type *t)
{
	key(j, t->kind == TN_KIND_BITMAP ? "flags" : "mappings");
	open(j, '{');
	for (size_t i = 0; i < t->n_mappings; i++) {
		const char *label = t->mapping[i].label;
		bool again = false;

		for (size_t k = 0; k < i; k++)
			again = again || strcmp(t->mapping[k].label, label) == 0;
		if (again)
			continue;
		key(j, label);
		open(j, '[');
		for (size_t k = i; k < t->n_mappings; k++)
			if (strcmp(t->mapping[k].label, label) == 0)
				put_ranges(j, t->mapping[k].range, t->mapping[k].n_ranges, t->kind == TN_KIND_SINT);
		close(j, ']');
	}
	close(j, '}');
}

static void
roles(struct json *j, uint32_t bits)
{
	static const struct { uint32_t role; unsigned scope; const char *name; } names[] = {
		{ TN_ROLE_MAGIC, TN_SCOPE_PACKET_HEADER, "packet-magic-number" },
		{ TN_ROLE_UUID, TN_SCOPE_PACKET_HEADER, "metadata-stream-uuid" },
		{ TN_ROLE_STREAM_CLASS_ID, TN_SCOPE_PACKET_HEADER, "data-stream-class-id" },
		{ TN_ROLE_STREAM_ID, TN_SCOPE_PACKET_HEADER, "data-stream-id" },
		{ TN_ROLE_PACKET_SIZE, TN_SCOPE_PACKET_CONTEXT, "packet-total-length" },
		{ TN_ROLE_CONTENT_SIZE, TN_SCOPE_PACKET_CONTEXT, "packet-content-length" },
		{ TN_ROLE_CLOCK, TN_SCOPE_PACKET_CONTEXT, "default-clock-timestamp" },
		{ TN_ROLE_TIMESTAMP_END, TN_SCOPE_PACKET_CONTEXT, "packet-end-default-clock-timestamp" },
		{ TN_ROLE_DISCARDED, TN_SCOPE_PACKET_CONTEXT, "discarded-event-record-counter-snapshot" },
		{ TN_ROLE_SEQUENCE_NUMBER, TN_SCOPE_PACKET_CONTEXT, "packet-sequence-number" },
		{ TN_ROLE_EVENT_CLASS_ID, TN_SCOPE_EVENT_HEADER, "event-record-class-id" },
		{ TN_ROLE_CLOCK, TN_SCOPE_EVENT_HEADER, "default-clock-timestamp" },
	};
	bool any = false;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!(bits & names[i].role) || names[i].scope != j->scope)
			continue;
		if (!any) {
			key(j, "roles");
			open(j, '[');
			any = true;
		}
		quoted(j, names[i].name);
	}
	if (any)
		close(j, ']');
}

/*
 * Collect the names on the way from @f to the field with this slot, without arrays and variants. False: no such field is
 * inside @f.
 */
static bool
find_slot(const struct tn_field *f, int32_t slot, const char **path, size_t *n, size_t room)
{
	const struct tn_type *t = f->type;

	if (f->slot == slot)
		return true;
	for (size_t i = 0; i < t->n_fields; i++) {
		bool named = t->kind == TN_KIND_STRUCT;

		if (named && *n == room)
			return false;
		if (named)
			path[(*n)++] = t->field[i].label;
		if (find_slot(&t->field[i], slot, path, n, room))
			return true;
		if (named)
			(*n)--;
	}
	return false;
}

/* Search the field's own scope first, because drafts count the slots of each scope from 0. */
static void
location(struct json *j, const char *name, const struct tn_field *f)
{
	const char *path[64];
	unsigned in = j->scope;
	size_t n = 0;

	for (int i = (int)j->scope; i >= 0; i--) {
		in = (unsigned)i;
		if (j->root[i] && find_slot(j->root[i], f->type->ref_slot, path, &n, 64))
			break;
		if (i == 0) {
			j->code = tn_fail(j->err, TN_ERR_UNSUPPORTED, "'%s' refers to a field that cannot be found", f->label);
			return;
		}
	}
	key(j, name);
	open(j, '{');
	text(j, "origin", tn_scope_origin((enum tn_scope)in));
	key(j, "path");
	open(j, '[');
	for (size_t i = 0; i < n; i++)
		quoted(j, path[i]);
	close(j, ']');
	close(j, '}');
}

/* Write "length" or the location of the length, or nothing. */
static void
extent(struct json *j, const struct tn_field *f)
{
	if (f->type->extent == TN_EXTENT_STATIC)
		number(j, "length", f->type->length);
	else if (f->type->extent == TN_EXTENT_DYNAMIC)
		location(j, "length-field-location", f);
}

static void
bits(struct json *j, const struct tn_type *t)
{
	static const char *const names[] = {
		[TN_KIND_UINT] = "fixed-length-unsigned-integer", [TN_KIND_SINT] = "fixed-length-signed-integer",
		[TN_KIND_BOOL] = "fixed-length-boolean", [TN_KIND_BITS] = "fixed-length-bit-array",
		[TN_KIND_BITMAP] = "fixed-length-bit-map", [TN_KIND_FLOAT] = "fixed-length-floating-point-number",
	};

	if (t->varint) {
		text(j, "type", t->kind == TN_KIND_SINT ? "variable-length-signed-integer" : "variable-length-unsigned-integer");
	} else {
		text(j, "type", names[t->kind]);
		number(j, "length", t->length);
		text(j, "byte-order", t->big_endian ? "big-endian" : "little-endian");
		if (t->reversed)
			text(j, "bit-order", t->big_endian ? "first-to-last" : "last-to-first");
		if (t->align > 1)
			number(j, "alignment", t->align);
	}
	if (tn_type_is_integer(t) && t->base && t->base != 10)
		number(j, "preferred-display-base", t->base);
	if (t->n_mappings)
		mappings(j, t);
	if (t->kind == TN_KIND_UINT)
		roles(j, t->roles);
}

static void
string(struct json *j, const struct tn_field *f)
{
	static const char *const encodings[] = {
		[TN_ENCODING_UTF16BE] = "utf-16be", [TN_ENCODING_UTF16LE] = "utf-16le",
		[TN_ENCODING_UTF32BE] = "utf-32be", [TN_ENCODING_UTF32LE] = "utf-32le",
	};
	const struct tn_type *t = f->type;

	text(j, "type", t->extent == TN_EXTENT_STATIC ? "static-length-string" :
	     t->extent == TN_EXTENT_DYNAMIC ? "dynamic-length-string" : "null-terminated-string");
	if (t->encoding > TN_ENCODING_UTF8)
		text(j, "encoding", encodings[t->encoding]);
	extent(j, f);
}

/* An array of 16 bytes in TSDL that is the trace's UUID becomes a BLOB, because only a BLOB has this role. */
static void
array(struct json *j, const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	if (t->roles & TN_ROLE_UUID) {
		text(j, "type", "static-length-blob");
		number(j, "length", t->length);
		roles(j, t->roles);
		return;
	}
	text(j, "type", t->extent == TN_EXTENT_STATIC ? "static-length-array" : "dynamic-length-array");
	key(j, "element-field-class");
	write_class(j, &t->field[0]);
	if (t->align > t->field[0].type->align)
		number(j, "minimum-alignment", t->align);
	extent(j, f);
}

static void
structure(struct json *j, const struct tn_type *t)
{
	text(j, "type", "structure");
	key(j, "member-classes");
	open(j, '[');
	for (size_t i = 0; i < t->n_fields; i++) {
		open(j, '{');
		text(j, "name", t->field[i].label);
		key(j, "field-class");
		write_class(j, &t->field[i]);
		close(j, '}');
	}
	close(j, ']');
	if (t->align > 1)
		number(j, "minimum-alignment", t->align);
}

static void
variant(struct json *j, const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	text(j, "type", "variant");
	location(j, "selector-field-location", f);
	key(j, "options");
	open(j, '[');
	for (size_t i = 0; i < t->n_fields; i++) {
		open(j, '{');
		if (t->field[i].label[0])
			text(j, "name", t->field[i].label);
		key(j, "selector-field-ranges");
		ranges(j, t->field[i].range, t->field[i].n_ranges, t->ref_signed);
		key(j, "field-class");
		write_class(j, &t->field[i]);
		close(j, '}');
	}
	close(j, ']');
}

static void
write_class(struct json *j, const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	open(j, '{');
	switch (t->kind) {
	case TN_KIND_STRING:
		string(j, f);
		break;
	case TN_KIND_BLOB:
		text(j, "type", t->extent == TN_EXTENT_STATIC ? "static-length-blob" : "dynamic-length-blob");
		extent(j, f);
		text(j, "media-type", t->media_type);
		roles(j, t->roles);
		break;
	case TN_KIND_ARRAY:
		array(j, f);
		break;
	case TN_KIND_STRUCT:
		structure(j, t);
		break;
	case TN_KIND_VARIANT:
		variant(j, f);
		break;
	case TN_KIND_OPTIONAL:
		text(j, "type", "optional");
		location(j, "selector-field-location", f);
		if (t->some) {
			key(j, "selector-field-ranges");
			ranges(j, t->some, t->n_some, t->ref_signed);
		}
		key(j, "field-class");
		write_class(j, &t->field[0]);
		break;
	default:
		bits(j, t);
	}
	close(j, '}');
}

static void
scope(struct json *j, unsigned i, const char *name, const struct tn_field *root)
{
	j->root[i] = root;
	j->scope = i;
	if (!root)
		return;
	key(j, name);
	write_class(j, root);
}

/* ---- fragments ---- */

static void
preamble(struct json *j, const struct tn_trace *t)
{
	fragment(j, "preamble");
	number(j, "version", 2);
	if (t->has_uuid) {
		key(j, "uuid");
		open(j, '[');
		for (int i = 0; i < 16; i++) {
			next(j);
			tn_str_printf(j->out, "%u", t->uuid[i]);
		}
		close(j, ']');
	}
	end_fragment(j);
}

static void
trace_class(struct json *j, const struct tn_trace *t)
{
	fragment(j, "trace-class");
	text(j, "namespace", t->name_space);
	text(j, "name", t->own_name);
	if (t->uid) {
		text(j, "uid", t->uid);
	} else if (t->has_uuid) {
		key(j, "uid");
		tn_str_putc(j->out, '"');
		tn_str_put_uuid(j->out, t->uuid);
		tn_str_putc(j->out, '"');
	}
	if (t->n_env) {
		key(j, "environment");
		open(j, '{');
		for (size_t i = 0; i < t->n_env; i++) {
			const struct tn_env *e = &t->env[i];

			if (e->is_text) {
				text(j, e->name, e->text);
				continue;
			}
			key(j, e->name);
			tn_str_printf(j->out, e->is_unsigned ? "%" PRIu64 : "%" PRId64, e->number);
		}
		close(j, '}');
	}
	scope(j, TN_SCOPE_PACKET_HEADER, "packet-header-field-class", t->packet_header);
	end_fragment(j);
}

static void
clock_class(struct json *j, const struct tn_clock *c)
{
	fragment(j, "clock-class");
	text(j, "id", c->name);
	text(j, "namespace", c->name_space);
	if (!c->unnamed)
		text(j, "name", c->name);
	text(j, "uid", c->uid);
	number(j, "frequency", c->frequency);
	if (c->origin == TN_ORIGIN_UNIX)
		text(j, "origin", "unix-epoch");
	else if (c->origin == TN_ORIGIN_NAMED) {
		key(j, "origin");
		open(j, '{');
		text(j, "namespace", c->origin_name_space);
		text(j, "name", c->origin_name);
		text(j, "uid", c->origin_uid);
		close(j, '}');
	}
	key(j, "offset-from-origin");
	tn_str_printf(j->out, "{\"seconds\":%" PRId64 ",\"cycles\":%" PRIu64 "}", c->offset_s, c->offset_cycles);
	if (c->precision != TN_UNKNOWN)
		number(j, "precision", c->precision);
	if (c->accuracy != TN_UNKNOWN)
		number(j, "accuracy", c->accuracy);
	text(j, "description", c->description);
	end_fragment(j);
}

static void
stream_class(struct json *j, const struct tn_stream_class *sc)
{
	fragment(j, "data-stream-class");
	number(j, "id", sc->id);
	text(j, "namespace", sc->name_space);
	text(j, "name", sc->name);
	text(j, "uid", sc->uid);
	if (sc->clock)
		text(j, "default-clock-class-id", sc->clock->name);
	scope(j, TN_SCOPE_PACKET_CONTEXT, "packet-context-field-class", sc->packet_context);
	scope(j, TN_SCOPE_EVENT_HEADER, "event-record-header-field-class", sc->event_header);
	scope(j, TN_SCOPE_COMMON_CONTEXT, "event-record-common-context-field-class", sc->common_context);
	end_fragment(j);
}

static void
event_class(struct json *j, const struct tn_event_class *ec)
{
	static const char *const levels[] = {
		"emergency", "alert", "critical", "error", "warning", "notice", "info", "debug:system",
		"debug:program", "debug:process", "debug:module", "debug:unit", "debug:function", "debug:line", "debug",
	};
	bool level = ec->log_level >= 0 && ec->log_level < 15;

	fragment(j, "event-record-class");
	number(j, "id", ec->id);
	number(j, "data-stream-class-id", ec->stream_class->id);
	text(j, "namespace", ec->name_space);
	text(j, "name", ec->name);
	text(j, "uid", ec->uid);
	if (level || ec->emf_uri) {
		key(j, "attributes");
		open(j, '{');
		key(j, "lttng.org,2009");
		open(j, '{');
		if (level)
			text(j, "log-level", levels[ec->log_level]);
		text(j, "emf-uri", ec->emf_uri);
		close(j, '}');
		close(j, '}');
	}
	scope(j, TN_SCOPE_SPECIFIC_CONTEXT, "specific-context-field-class", ec->specific_context);
	scope(j, TN_SCOPE_PAYLOAD, "payload-field-class", ec->payload);
	end_fragment(j);
}

enum tn_code
tn_ctf2_text(struct tn_str *out, const struct tn_trace *t, struct tn_error *err)
{
	struct json j = { .out = out, .err = err };

	preamble(&j, t);
	trace_class(&j, t);
	for (size_t i = 0; i < t->n_clocks; i++)
		clock_class(&j, t->clock[i]);
	for (size_t i = 0; i < t->n_stream_classes; i++) {
		const struct tn_stream_class *sc = t->stream_class[i];

		stream_class(&j, sc);
		for (size_t k = 0; k < sc->n_event_classes; k++)
			event_class(&j, sc->event_class[k]);
	}
	return j.code;
}
