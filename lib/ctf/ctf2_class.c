/* ctf2_class.c - fragments that are classes: of traces, clocks, data streams, event records (CTF2-SPEC-2.0, 5.4 to 5.7) */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ctf/ctf2_builder.h"

/* ---- parts that several fragments have ---- */

bool
tn_ctf2_read_uuid(struct tn_ctf2 *b, const struct tn_json *node, uint8_t *uuid)
{
	char buf[48];

	if (node->n != 16)
		return tn_ctf2_fail(b, node, "a UUID must have 16 integers, not %zu", (size_t)(size_t)node->n);
	for (size_t i = 0; i < 16; i++) {
		const struct tn_json *byte = &node->child[i];

		if (!tn_ctf2_expect(b, byte, TN_JSON_INTEGER))
			return false;
		if (byte->negative || byte->magnitude > 255)
			return tn_ctf2_fail(b, byte, "a byte of a UUID must be 0 to 255, not %s",
					    tn_ctf2_quote(b, byte, buf, sizeof buf));
		uuid[i] = (uint8_t)byte->magnitude;
	}
	return true;
}

/* Release candidates gave a trace or clock class a UUID. Its text is the unique id. */
static bool
read_old_uuid(struct tn_ctf2 *b, const struct tn_json *object, const char **uid)
{
	const struct tn_json *node;
	uint8_t u[16];
	char text[37];

	if (!tn_ctf2_property(b, object, "uuid", TN_JSON_ARRAY, false, &node))
		return false;
	if (!node || *uid)
		return true;
	tn_ctf2_foreign(b, node, "\"uid\"");
	if (!tn_ctf2_read_uuid(b, node, u))
		return false;
	snprintf(text, sizeof text, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1],
		 u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
	*uid = tn_ctf2_copy(b, text);
	return *uid;
}

/* Build the structure of a scope; *out stays NULL if the scope is absent. */
static bool
build_scope(struct tn_ctf2 *b, const struct tn_json *object, const char *key, enum tn_scope scope,
	    struct tn_field **out)
{
	const struct tn_json *node = tn_json_get(object, key);
	struct tn_field *root;

	b->root[scope] = NULL;
	if (!node)
		return true;
	if (!(root = TN_CTF2_NEW(b, 1, struct tn_field)))
		return false;
	root->name = root->label = "";
	root->slot = TN_NO_SLOT;
	b->scope = scope;
	b->refs.n = 0;
	if (!tn_ctf2_field(b, node, root, 0, false))
		return false;
	if (root->type->kind != TN_KIND_STRUCT)
		return tn_ctf2_fail(b, node, "a scope must be a structure, not \"%s\"",
				    tn_kind_name(root->type->kind));
	tn_field_number(root, &b->trace->n_fields);
	b->root[scope] = *out = root;
	return tn_ctf2_resolve(b);
}

static void
no_scopes_from(struct tn_ctf2 *b, enum tn_scope first)
{
	for (int i = (int)first; i < TN_SCOPES; i++)
		b->root[i] = NULL;
}

/* ---- trace class ---- */

#define LENT 1024	/* from this number of entries on, strings are not copied, because the fragment consists mostly of them */

/* Keep @text, a string of the fragment, for the model. */
static const char *
lent_or_copied(struct tn_ctf2 *b, const char *text)
{
	return b->lends ? text : tn_ctf2_copy(b, text);
}

static bool
read_entry(struct tn_ctf2 *b, const struct tn_json *node, struct tn_env *env)
{
	char buf[48];

	if (!(env->name = lent_or_copied(b, node->key)))
		return false;
	if (node->kind == TN_JSON_STRING) {
		env->is_text = true;
		env->text = lent_or_copied(b, node->text);
		return env->text;
	}
	if (node->kind != TN_JSON_INTEGER)
		return tn_ctf2_fail(b, node, "an entry of the environment must be an integer or a string, not %s",
				    tn_ctf2_quote(b, node, buf, sizeof buf));
	if (node->beyond || (node->negative && node->magnitude > UINT64_C(1) << 63)) {
		tn_ctf2_warn(b, node, "the number does not fit into 64 bits: shown as the nearest that does");
		env->number = node->negative ? INT64_MIN : -1;
		env->is_unsigned = !node->negative;
		return true;
	}
	env->number = (int64_t)(node->negative ? -node->magnitude : node->magnitude);
	env->is_unsigned = !node->negative && node->magnitude > INT64_MAX;
	return true;
}

static bool
read_environment(struct tn_ctf2 *b, const struct tn_json *node)
{
	const struct tn_json *env;
	struct tn_trace *t = b->trace;

	if (!tn_ctf2_property(b, node, "environment", TN_JSON_OBJECT, false, &env))
		return false;
	if (!env || env->n == 0)
		return true;
	b->lends = env->n >= LENT && !node->parent;	/* other fragments, in an array, may need them longer */
	if (!(t->env = TN_CTF2_NEW(b, env->n, struct tn_env)))
		return false;
	for (size_t i = 0; i < env->n; i++)
		if (!read_entry(b, &env->child[i], &t->env[t->n_env++]))
			return false;
	return true;
}

/* Use the byte order of the trace's magic number, because CTF 2 does not define another one. */
static void
guess_byte_order(struct tn_trace *t)
{
	const struct tn_type *header = t->packet_header ? t->packet_header->type : NULL;

	if (header && header->n_fields)
		t->big_endian = header->field[0].type->big_endian;
}

bool
tn_ctf2_read_trace_class(struct tn_ctf2 *b, const struct tn_json *node)
{
	struct tn_trace *t = b->trace;

	if (b->trace_class)
		return tn_ctf2_fail(b, node, "there is already a trace class");
	if (b->stream_classes.n)
		return tn_ctf2_fail(b, node, "the trace class must be before the first data stream class");
	b->trace_class = true;
	if (!tn_ctf2_common(b, node, "namespace name uid uuid environment packet-header-field-class",
			    &t->attributes) ||
	    !tn_ctf2_string(b, node, "namespace", &t->name_space) || !tn_ctf2_string(b, node, "name", &t->own_name) ||
	    !tn_ctf2_string(b, node, "uid", &t->uid) || !read_old_uuid(b, node, &t->uid) || !read_environment(b, node))
		return false;
	b->has_clock = false;
	no_scopes_from(b, TN_SCOPE_PACKET_HEADER);
	if (!build_scope(b, node, "packet-header-field-class", TN_SCOPE_PACKET_HEADER, &t->packet_header))
		return false;
	guess_byte_order(t);
	return true;
}

/* ---- clock class ---- */

static bool
read_origin(struct tn_ctf2 *b, const struct tn_json *node, struct tn_clock *c)
{
	const struct tn_json *origin = tn_json_get(node, "origin"), *part;

	if (!origin) {
		if (!tn_ctf2_property(b, node, "origin-is-unix-epoch", TN_JSON_BOOLEAN, false, &origin))
			return false;
		if (origin)
			tn_ctf2_foreign(b, origin, "\"origin\"");
		c->origin = origin && origin->truth ? TN_ORIGIN_UNIX : TN_ORIGIN_UNKNOWN;
		return true;
	}
	if (origin->kind == TN_JSON_STRING) {
		c->origin = TN_ORIGIN_UNIX;
		return strcmp(origin->text, "unix-epoch") == 0 ||
		       tn_ctf2_fail(b, origin, "an origin must be \"unix-epoch\" or an object, not \"%.60s\"", origin->text);
	}
	c->origin = TN_ORIGIN_NAMED;
	return tn_ctf2_expect(b, origin, TN_JSON_OBJECT) &&
	       tn_ctf2_common(b, origin, "namespace name uid", NULL) &&
	       tn_ctf2_property(b, origin, "name", TN_JSON_STRING, true, &part) &&
	       tn_ctf2_property(b, origin, "uid", TN_JSON_STRING, true, &part) &&
	       tn_ctf2_string(b, origin, "namespace", &c->origin_name_space) &&
	       tn_ctf2_string(b, origin, "name", &c->origin_name) && tn_ctf2_string(b, origin, "uid", &c->origin_uid);
}

static bool
read_offset(struct tn_ctf2 *b, const struct tn_json *node, struct tn_clock *c)
{
	const struct tn_json *offset, *seconds;

	if (!tn_ctf2_property_or(b, node, "offset-from-origin", "offset", TN_JSON_OBJECT, &offset))
		return false;
	if (!offset)
		return true;
	if (!tn_ctf2_common(b, offset, "seconds cycles", NULL) ||
	    !tn_ctf2_property(b, offset, "seconds", TN_JSON_INTEGER, false, &seconds) ||
	    !tn_ctf2_uint(b, offset, "cycles", false, &c->offset_cycles))
		return false;
	if (c->offset_cycles >= c->frequency)
		return tn_ctf2_fail(b, tn_json_get(offset, "cycles"), "must be less than the frequency, %" PRIu64
				    ", not %" PRIu64, c->frequency, c->offset_cycles);
	if (!seconds)
		return true;
	if (seconds->magnitude > (uint64_t)INT64_MAX + seconds->negative) {
		tn_ctf2_warn(b, seconds, "the offset does not fit into 64 bits: the nearest that does is used");
		c->offset_s = seconds->negative ? INT64_MIN : INT64_MAX;
	} else {
		c->offset_s = (int64_t)(seconds->negative ? -seconds->magnitude : seconds->magnitude);
	}
	return true;
}

static bool
same(const char *x, const char *y)
{
	return x == y || (x && y && strcmp(x, y) == 0);
}

/* Warn if clocks with one identity differ in something other than the offset. */
static void
warn_of_twin(struct tn_ctf2 *b, const struct tn_json *node, const struct tn_clock *c)
{
	for (size_t i = 0; i < b->clocks.n; i++) {
		const struct tn_clock *o = b->clocks.item[i].clock;

		if (c->unnamed || o->unnamed || !c->uid || !o->uid || !same(c->name_space, o->name_space) ||
		    !same(c->name, o->name) || !same(c->uid, o->uid))
			continue;
		if (c->frequency != o->frequency || c->precision != o->precision || c->accuracy != o->accuracy ||
		    c->origin != o->origin || !same(c->origin_name_space, o->origin_name_space) ||
		    !same(c->origin_name, o->origin_name) || !same(c->origin_uid, o->origin_uid))
			tn_ctf2_wrong(b, node, "the clock class has the identity of \"%.60s\", but another frequency, precision, "
				     "accuracy or origin", b->clocks.item[i].id);
		return;
	}
}

static bool
read_clock_body(struct tn_ctf2 *b, const struct tn_json *node, struct tn_clock *c)
{
	if (!tn_ctf2_common(b, node, "id namespace name uid uuid frequency origin origin-is-unix-epoch "
			    "offset-from-origin offset precision accuracy description", NULL) ||
	    !tn_ctf2_string(b, node, "namespace", &c->name_space) || !tn_ctf2_string(b, node, "name", &c->name) ||
	    !tn_ctf2_string(b, node, "uid", &c->uid) || !read_old_uuid(b, node, &c->uid) ||
	    !tn_ctf2_string(b, node, "description", &c->description) ||
	    !tn_ctf2_uint(b, node, "frequency", true, &c->frequency))
		return false;
	if (c->frequency == 0)
		return tn_ctf2_fail(b, tn_json_get(node, "frequency"), "the frequency must be positive, not 0");
	return read_origin(b, node, c) && read_offset(b, node, c) &&
	       tn_ctf2_uint(b, node, "precision", false, &c->precision) &&
	       tn_ctf2_uint(b, node, "accuracy", false, &c->accuracy);
}

bool
tn_ctf2_read_clock_class(struct tn_ctf2 *b, const struct tn_json *node)
{
	struct tn_clock *c = TN_CTF2_NEW(b, 1, struct tn_clock);
	struct tn_ctf2_clock *entry;
	const struct tn_json *id;

	if (!c || !tn_ctf2_property(b, node, "id", TN_JSON_STRING, false, &id))
		return false;
	if (!id && (id = tn_json_get(node, "name"))) {
		if (!tn_ctf2_expect(b, id, TN_JSON_STRING))
			return false;
		tn_ctf2_foreign(b, id, "\"id\"");
	}
	if (!id)
		return tn_ctf2_fail(b, node, "the property \"id\" is missing");
	if (tn_ctf2_find(b, TN_CTF2_CLOCK, id->text, strlen(id->text)) >= 0)
		return tn_ctf2_fail(b, id, "there is already a clock class \"%.60s\"", id->text);
	c->precision = c->accuracy = TN_UNKNOWN;
	if (!read_clock_body(b, node, c))
		return false;
	if (!c->name) {
		c->unnamed = true;
		if (!(c->name = tn_ctf2_copy(b, id->text)))
			return false;
	}
	warn_of_twin(b, node, c);
	if (!(entry = TN_ARRAY_ADD(&b->clocks)))
		return tn_ctf2_no_memory(b);
	entry->clock = c;
	return (entry->id = tn_ctf2_copy(b, id->text)) &&
	       tn_ctf2_take(b, TN_CTF2_CLOCK, id->text, strlen(id->text), b->clocks.n - 1);
}

/* ---- data stream class ---- */

static bool
read_default_clock(struct tn_ctf2 *b, const struct tn_json *node, struct tn_stream_class *sc)
{
	const struct tn_json *id;
	int64_t i;

	if (!tn_ctf2_property_or(b, node, "default-clock-class-id", "default-clock-class-name", TN_JSON_STRING, &id))
		return false;
	if (!id)
		return true;
	if ((i = tn_ctf2_find(b, TN_CTF2_CLOCK, id->text, strlen(id->text))) < 0)
		return tn_ctf2_fail(b, id, "there is no clock class \"%.60s\" before this", id->text);
	sc->clock = b->clocks.item[i].clock;
	return true;
}

bool
tn_ctf2_read_stream_class(struct tn_ctf2 *b, const struct tn_json *node)
{
	struct tn_stream_class *sc = TN_CTF2_NEW(b, 1, struct tn_stream_class), **place;

	if (!sc ||
	    !tn_ctf2_common(b, node, "id namespace name uid default-clock-class-id default-clock-class-name "
			    "packet-context-field-class event-record-header-field-class "
			    "event-record-common-context-field-class", &sc->attributes) ||
	    !tn_ctf2_uint(b, node, "id", false, &sc->id))
		return false;
	sc->trace = b->trace;
	sc->has_id = tn_json_get(node, "id");
	if (tn_ctf2_find(b, TN_CTF2_STREAM, &sc->id, sizeof sc->id) >= 0)
		return tn_ctf2_fail(b, sc->has_id ? tn_json_get(node, "id") : node,
				    "there is already a data stream class %" PRIu64, sc->id);
	if (!tn_ctf2_string(b, node, "namespace", &sc->name_space) || !tn_ctf2_string(b, node, "name", &sc->name) ||
	    !tn_ctf2_string(b, node, "uid", &sc->uid) || !read_default_clock(b, node, sc))
		return false;
	b->has_clock = sc->clock;
	b->stream = (uint32_t)b->stream_classes.n;
	b->event = TN_CTF_EVERY;
	no_scopes_from(b, TN_SCOPE_PACKET_CONTEXT);
	b->root[TN_SCOPE_PACKET_HEADER] = b->trace->packet_header;
	if (!build_scope(b, node, "packet-context-field-class", TN_SCOPE_PACKET_CONTEXT, &sc->packet_context) ||
	    !build_scope(b, node, "event-record-header-field-class", TN_SCOPE_EVENT_HEADER, &sc->event_header) ||
	    !build_scope(b, node, "event-record-common-context-field-class", TN_SCOPE_COMMON_CONTEXT,
			 &sc->common_context))
		return false;
	if (!(place = TN_ARRAY_ADD(&b->stream_classes)))
		return tn_ctf2_no_memory(b);
	*place = sc;
	return tn_ctf2_take(b, TN_CTF2_STREAM, &sc->id, sizeof sc->id, b->stream_classes.n - 1);
}

/* ---- event record class ---- */

static int
find_log_level(const char *name)
{
	static const char *const names[] = {
		"emergency", "alert", "critical", "error", "warning", "notice", "info", "debug:system",
		"debug:program", "debug:process", "debug:module", "debug:unit", "debug:function", "debug:line", "debug",
	};

	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (strcmp(names[i], name) == 0)
			return (int)i;
	return -1;
}

/* Decoding does not need attributes, so mistakes in them are only reported. */
static bool
read_log_level(struct tn_ctf2 *b, const struct tn_json *level, struct tn_event_class *ec)
{
	char buf[48];

	if (ec->log_level < 0 && level->kind == TN_JSON_STRING)
		ec->log_level = find_log_level(level->text);
	if (ec->log_level < 0)
		tn_ctf2_warn(b, level, "there is no log level %s: ignored", tn_ctf2_quote(b, level, buf, sizeof buf));
	return true;
}

static bool
read_emf_uri(struct tn_ctf2 *b, const struct tn_json *object, struct tn_event_class *ec)
{
	const struct tn_json *uri = tn_json_get(object, "emf-uri");

	if (!uri || ec->emf_uri || uri->kind != TN_JSON_STRING)
		return true;
	return (ec->emf_uri = tn_ctf2_copy(b, uri->text));
}

static bool
read_event_attributes(struct tn_ctf2 *b, const struct tn_json *node, struct tn_event_class *ec)
{
	static const char *const spaces[] = { "lttng.org,2009", "babeltrace.org,2020" };
	const struct tn_json *attributes = tn_ctf2_attributes(node);

	ec->log_level = -1;
	if (!attributes)
		return true;
	for (size_t i = 0; i < TN_COUNT(spaces); i++) {
		const struct tn_json *space = tn_json_get(attributes, spaces[i]), *level;

		if (!space || space->kind != TN_JSON_OBJECT)
			continue;
		level = tn_json_get(space, "log-level");
		if ((level && !read_log_level(b, level, ec)) || !read_emf_uri(b, space, ec))
			return false;
	}
	/* babeltrace 2.1 writes it next to the namespaces. */
	return read_emf_uri(b, attributes, ec);
}

static bool
find_stream_class(struct tn_ctf2 *b, const struct tn_json *node, struct tn_event_class *ec)
{
	const struct tn_json *at = tn_json_get(node, "data-stream-class-id");
	uint64_t id = 0;
	int64_t i;

	if (!tn_ctf2_uint(b, node, "data-stream-class-id", false, &id))
		return false;
	if ((i = tn_ctf2_find(b, TN_CTF2_STREAM, &id, sizeof id)) < 0)
		return tn_ctf2_fail(b, at ? at : node, "there is no data stream class %" PRIu64 " before this", id);
	ec->stream_class = b->stream_classes.item[i];
	b->stream = (uint32_t)i;
	return true;
}

bool
tn_ctf2_read_event_class(struct tn_ctf2 *b, const struct tn_json *node)
{
	struct tn_event_class *ec = TN_CTF2_NEW(b, 1, struct tn_event_class), **place;
	struct tn_stream_class *sc;
	uint64_t numbers[2];

	if (!ec ||
	    !tn_ctf2_common(b, node, "id data-stream-class-id namespace name uid specific-context-field-class "
			    "payload-field-class", &ec->attributes) ||
	    !tn_ctf2_uint(b, node, "id", false, &ec->id) || !find_stream_class(b, node, ec))
		return false;
	sc = ec->stream_class;
	numbers[0] = sc->id;
	numbers[1] = ec->id;
	if (tn_ctf2_find(b, TN_CTF2_EVENT, numbers, sizeof numbers) >= 0)
		return tn_ctf2_fail(b, tn_json_get(node, "id") ? tn_json_get(node, "id") : node,
				    "there is already an event record class %" PRIu64 " of the data stream class %" PRIu64,
				    ec->id, sc->id);
	if (!tn_ctf2_string(b, node, "namespace", &ec->name_space) || !tn_ctf2_string(b, node, "name", &ec->name) ||
	    !tn_ctf2_string(b, node, "uid", &ec->uid) || !read_event_attributes(b, node, ec))
		return false;
	b->has_clock = sc->clock;
	b->event = (uint32_t)b->event_classes.n;
	b->root[TN_SCOPE_PACKET_HEADER] = b->trace->packet_header;
	b->root[TN_SCOPE_PACKET_CONTEXT] = sc->packet_context;
	b->root[TN_SCOPE_EVENT_HEADER] = sc->event_header;
	b->root[TN_SCOPE_COMMON_CONTEXT] = sc->common_context;
	no_scopes_from(b, TN_SCOPE_SPECIFIC_CONTEXT);
	if (!build_scope(b, node, "specific-context-field-class", TN_SCOPE_SPECIFIC_CONTEXT, &ec->specific_context) ||
	    !build_scope(b, node, "payload-field-class", TN_SCOPE_PAYLOAD, &ec->payload))
		return false;
	if (!(place = TN_ARRAY_ADD(&b->event_classes)))
		return tn_ctf2_no_memory(b);
	*place = ec;
	sc->n_event_classes++;
	return tn_ctf2_take(b, TN_CTF2_EVENT, numbers, sizeof numbers, b->event);
}
