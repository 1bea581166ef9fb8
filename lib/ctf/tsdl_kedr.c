/*
 * tsdl_kedr.c - the KEDR dialect (KEDR CTF reader, "Trace description")
 *
 * One event block describes all events, and an enumeration in the event header distinguishes them. Each of its labels
 * becomes an event class, with the options of context and payload that the label selects. So the decoder needs no special
 * case.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ctf/tsdl_builder.h"

/* The six top-level variables, and the names that lines show for them if they are not structures. */
static const struct variable {
	enum tsdl_keyword block;
	const char *name;
	const char *shown;
} variables[TN_SCOPES] = {
	[TN_SCOPE_PACKET_HEADER] = { TSDL_TRACE, "packet.header", "header" },
	[TN_SCOPE_PACKET_CONTEXT] = { TSDL_STREAM, "packet.context", "context" },
	[TN_SCOPE_EVENT_HEADER] = { TSDL_STREAM, "event.header", "header" },
	[TN_SCOPE_COMMON_CONTEXT] = { TSDL_STREAM, "event.context", "context" },
	[TN_SCOPE_SPECIFIC_CONTEXT] = { TSDL_EVENT, "context", "context" },
	[TN_SCOPE_PAYLOAD] = { TSDL_EVENT, "fields", "fields" },
};

struct kedr {
	struct tsdl_builder *b;
	const struct tsdl_entry *variable[TN_SCOPES];	/* NULL: absent */
	struct tn_stream_class *sc;
	struct tn_field *kind;				/* the enumeration that names events; NULL: none */
	const char **option[TN_SCOPES];			/* for scopes that are variants, the names of their options */
};

static const struct tsdl_block *
find_block(const struct tsdl_unit *u, enum tsdl_keyword keyword, size_t *n)
{
	const struct tsdl_block *found = NULL;

	*n = 0;
	for (const struct tsdl_block *i = u->block; i; i = i->next) {
		if (i->keyword == keyword) {
			found = found ? found : i;
			++*n;
		}
	}
	return found;
}

/* The scope that @e, in a block of @keyword, defines; -1: none. */
static int
variable_of(enum tsdl_keyword keyword, const struct tsdl_entry *e)
{
	const char *name = e->name->text;

	/* In an example of the manual, the block has the full name inside. */
	if (keyword == TSDL_EVENT && strncmp(name, "event.", 6) == 0)
		name += 6;
	for (int s = 0; s < TN_SCOPES; s++)
		if (e->is_type && variables[s].block == keyword && strcmp(variables[s].name, name) == 0)
			return s;
	return -1;
}

/* ---- recognising it ---- */

/*
 * Whether the text is in the dialect. It must have a scope that is not a structure, or one event that has neither name
 * nor id. Also it must not have words that the dialect does not have, and packets must have a context.
 */
static bool
is_kedr(const struct tsdl_unit *u)
{
	size_t n_traces, n_streams, n_events;
	const struct tsdl_block *stream, *event;
	bool odd_scope = false, nameless;

	if (u->has_modern_words)
		return false;
	find_block(u, TSDL_TRACE, &n_traces);
	stream = find_block(u, TSDL_STREAM, &n_streams);
	event = find_block(u, TSDL_EVENT, &n_events);
	if (!stream || !tn_tsdl_entry(stream, "packet.context"))
		return false;
	for (const struct tsdl_block *i = u->block; i; i = i->next)
		for (const struct tsdl_entry *e = i->entry; e; e = e->next)
			odd_scope |= e->is_type && tsdl_literal(e->type)->kind != TSDL_TYPE_STRUCT;
	/* Two blocks of one kind are an error in the dialect; such a text is usually CTF. */
	nameless = event && !tn_tsdl_entry(event, "name") && !tn_tsdl_entry(event, "id");
	if (n_traces > 1 || n_streams > 1 || n_events > 1)
		return odd_scope || (n_events == 1 && nameless && !tn_tsdl_entry(event, "stream_id"));
	if (!event)
		return (odd_scope || n_traces == 0) &&
		       (tn_tsdl_entry(stream, "event.header") || tn_tsdl_entry(stream, "event.context"));
	return nameless;
}

/* ---- parameters ---- */

/* Each parameter becomes a text with its full name; numbers keep their spelling (kedr.md, 6). */
static bool
add_parameter(struct tsdl_builder *b, const struct tsdl_block *block, const struct tsdl_entry *e)
{
	static const char *const names[] = { [TSDL_TRACE] = "trace", [TSDL_STREAM] = "stream", [TSDL_EVENT] = "event" };
	const struct tsdl_value *v = &e->value;
	struct tn_env env = { .is_text = true };
	size_t n = strlen(names[block->keyword]);
	char *name = tn_arena_alloc(&b->trace->arena, n + 1 + e->name->n + 1);

	env.text = v->kind == TSDL_VALUE_STRING ? v->string
		 : tn_arena_copy(&b->trace->arena, b->u->text + v->place.at, v->place.n);
	if (!name || !env.text)
		return tn_tsdl_fail_memory(b->u);
	memcpy(name, names[block->keyword], n);
	name[n] = '.';
	memcpy(name + n + 1, e->name->text, e->name->n);
	env.name = name;
	return tn_tsdl_add_env(b, &env);
}

static bool
read_entries(struct kedr *k, const struct tsdl_block *block)
{
	struct tsdl_builder *b = k->b;
	uint32_t mark = ++b->u->mark;

	for (const struct tsdl_entry *e = block->entry; e; e = e->next) {
		int scope = variable_of(block->keyword, e);

		if (e->is_type && scope < 0)
			return tn_tsdl_fail(b->u, e->place, "there is no variable of this name");
		if (e->name->mark == mark || (scope >= 0 && k->variable[scope]))
			return tn_tsdl_fail(b->u, e->place, "given twice");
		e->name->mark = mark;
		if (scope >= 0)
			k->variable[scope] = e;
		else if (!add_parameter(b, block, e))
			return false;
	}
	return true;
}

static bool
read_blocks(struct kedr *k)
{
	struct tsdl_builder *b = k->b;
	unsigned seen = 0;

	for (const struct tsdl_block *i = b->u->block; i; i = i->next) {
		const struct tsdl_entry *e;

		if (seen & 1u << i->keyword)
			return tn_tsdl_fail(b->u, i->place, "a second %.*s block: the KEDR dialect allows only one of each",
					    (int)i->place.n, b->u->text + i->place.at);
		seen |= 1u << i->keyword;
		if (!read_entries(k, i))
			return false;
		if (i->keyword != TSDL_TRACE)
			continue;
		if ((e = tn_tsdl_entry(i, "byte_order"))) {
			if (!tn_tsdl_byte_order(b, e))
				return false;
			b->has_order = true;
		}
		if ((e = tn_tsdl_entry(i, "uuid"))) {
			if (!tn_tsdl_uuid(b, e, b->trace->uuid))
				return false;
			b->trace->has_uuid = true;
		}
	}
	return true;
}

/* `t a[2][3]` is an array of three arrays of two: unlike in C, the last suffix is the outermost. */
static void
turn_grids(struct tsdl_unit *u)
{
	for (struct tsdl_type *t = u->grids; t; t = t->array.next_grid) {
		struct tsdl_type *dimension[64];
		size_t n = 0;

		/* The suffixes of one declarator follow each other in the text. */
		for (struct tsdl_type *i = t; i->kind == TSDL_TYPE_ARRAY && n < 64; i = i->array.element) {
			if (n && i->place.at < dimension[n - 1]->place.at)
				break;
			dimension[n++] = i;
		}
		for (size_t i = 0; i < n / 2; i++) {
			struct tsdl_value swap = dimension[i]->array.length;

			dimension[i]->array.length = dimension[n - 1 - i]->array.length;
			dimension[n - 1 - i]->array.length = swap;
		}
	}
}

/* ---- scopes ---- */

/* Describe the original root of the scope @field. NULL: memory is out. */
static struct tn_root *
set_root(struct tsdl_builder *b, struct tn_field *field, bool is_wrapped)
{
	struct tn_root *root = TN_NEW(&b->trace->arena, struct tn_root);

	if (!root) {
		tn_tsdl_fail_memory(b->u);
		return NULL;
	}
	root->is_wrapped = is_wrapped;
	field->root = root;
	return root;
}

/*
 * Make the scope from @type. A type that is not a structure becomes the only member of a structure, so that each scope is
 * a structure; a path to the scope still leads to the type. An empty structure is left out.
 */
static bool
make_scope(struct tsdl_builder *b, int scope, const struct tsdl_type *type, struct tn_field **out)
{
	struct tsdl_root *root = &b->root[scope];
	struct tn_field *outer, *inner;
	struct tn_type *t;

	if (tsdl_literal(type)->kind == TSDL_TYPE_STRUCT) {
		const struct tsdl_word *option = root->option;

		if (!tn_tsdl_scope(b, scope, type, out))
			return false;
		root->option = option;
		if (!(*out)->type->n_fields && scope > TN_SCOPE_PACKET_CONTEXT)
			*out = NULL;
		return true;
	}
	outer = tn_tsdl_new_field(b, 1);
	inner = tn_tsdl_new_field(b, 1);
	t = TN_NEW(&b->trace->arena, struct tn_type);
	if (!outer || !inner || !t)
		return tn_tsdl_fail_memory(b->u);
	*t = (struct tn_type) { .kind = TN_KIND_STRUCT, .align = 1, .ref_slot = TN_NO_SLOT, .field = inner, .n_fields = 1 };
	outer->type = t;
	if (!set_root(b, outer, true))
		return false;
	tn_tsdl_name_field(inner, variables[scope].shown);
	b->scope = scope;
	root->is_open = true;
	if (!tn_tsdl_instance(b, NULL, type, inner))
		return false;
	root->is_open = false;
	root->field = inner;
	if (inner->type->kind != TN_KIND_VARIANT)
		t->align = inner->type->align;
	*out = outer;
	return true;
}

static bool
make_variable(struct kedr *k, int scope, struct tn_field **out)
{
	k->b->root[scope] = (struct tsdl_root) { .field = NULL };
	return !k->variable[scope] || make_scope(k->b, scope, k->variable[scope]->type, out);
}

/* ---- kinds of events ---- */

/* Get the variant that @type is, and its tag. NULL: it is not a variant. */
static const struct tsdl_type *
variant_of(const struct tsdl_type *type, const struct tsdl_path **tag)
{
	*tag = NULL;
	for (; type->kind == TSDL_TYPE_USE; type = type->use.declaration->type)
		if (type->use.tag.n)
			*tag = &type->use.tag;
	if (type->kind != TSDL_TYPE_VARIANT)
		return NULL;
	if (!*tag)
		*tag = &type->body.tag;
	return type;
}

static bool
is_label_kind(const struct tn_field *f)
{
	return tn_type_is_integer(f->type) && f->type->mapping && f->type->length <= 64;
}

/* The tag of the variable @scope, if it is a variant whose tag is an enumeration in the header; otherwise NULL. */
static bool
tag_in_header(struct kedr *k, int scope, struct tn_field **out)
{
	const struct tsdl_path *tag;
	struct tsdl_found found;

	*out = NULL;
	if (!k->variable[scope] || !variant_of(k->variable[scope]->type, &tag))
		return true;
	k->b->scope = scope;
	if (!tn_tsdl_find(k->b, NULL, NULL, tag, &found))
		return false;
	if (found.field && found.scope == TN_SCOPE_EVENT_HEADER && !found.guarded && is_label_kind(found.field))
		*out = found.field;
	return true;
}

/* Find the enumeration that distinguishes events: the payload's tag, or the only enumeration in the header (kedr.md, 8). */
static bool
find_kind(struct kedr *k)
{
	struct tn_field *header = k->b->root[TN_SCOPE_EVENT_HEADER].field;
	size_t n = 0;

	if (!header)
		return true;
	if (!tag_in_header(k, TN_SCOPE_PAYLOAD, &k->kind) ||
	    (!k->kind && !tag_in_header(k, TN_SCOPE_SPECIFIC_CONTEXT, &k->kind)))
		return false;
	if (!k->kind && is_label_kind(header))
		k->kind = header;
	if (!k->kind && header->type->kind == TN_KIND_STRUCT) {
		for (size_t i = 0; i < header->type->n_fields; i++) {
			if (is_label_kind(&header->type->field[i])) {
				k->kind = &header->type->field[i];
				n++;
			}
		}
		if (n > 1)
			k->kind = NULL;
	}
	if (k->kind)
		k->kind->type->roles |= TN_ROLE_EVENT_CLASS_ID;
	return true;
}

/* @out: option @i of the variant that is the scope. */
static bool
name_options(struct kedr *k, int scope, const struct tsdl_type *variant, size_t i, struct tn_field *out)
{
	struct tn_root *root = set_root(k->b, out, out->root != NULL);
	const char **name = k->option[scope];

	if (!root)
		return false;
	if (!name) {
		if (!(name = TN_NEW_ARRAY(&k->b->trace->arena, variant->body.n, const char *)))
			return tn_tsdl_fail_memory(k->b->u);
		k->option[scope] = name;
		for (const struct tsdl_member *m = variant->body.member; m; m = m->next)
			*name++ = m->name->text;
		name = k->option[scope];
	}
	root->option = i + 1;
	root->name = name;
	root->n_names = variant->body.n;
	if (root->is_wrapped)
		out->type->field[0].root = root;
	return true;
}

/* Make the context or payload for events with @label. Of a variant, use only the option with this name. */
static bool
make_selected(struct kedr *k, int scope, const struct tsdl_word *label, struct tn_field **out)
{
	const struct tsdl_type *variant;
	const struct tsdl_path *tag;
	struct tn_field *by;
	size_t i = 0;

	if (!tag_in_header(k, scope, &by))
		return false;
	if (!by || by != k->kind)
		return make_variable(k, scope, out);
	variant = variant_of(k->variable[scope]->type, &tag);
	k->b->root[scope] = (struct tsdl_root) { .option = label };
	for (const struct tsdl_member *m = variant->body.member; m; m = m->next, i++)
		if (m->name == label)
			return make_scope(k->b, scope, m->type, out) && (!*out || name_options(k, scope, variant, i, *out));
	return true;
}

static struct tn_event_class *
new_class(struct kedr *k, const char *name, const struct tsdl_word *label)
{
	struct tn_event_class *ec = TN_NEW(&k->b->trace->arena, struct tn_event_class);

	if (!ec) {
		tn_tsdl_fail_memory(k->b->u);
		return NULL;
	}
	ec->name = name;
	ec->log_level = -1;
	ec->stream_class = k->sc;
	if (!make_selected(k, TN_SCOPE_SPECIFIC_CONTEXT, label, &ec->specific_context) ||
	    !make_selected(k, TN_SCOPE_PAYLOAD, label, &ec->payload))
		return NULL;
	k->b->event++;
	return ec;
}

static bool
check_overlap(struct kedr *k)
{
	const struct tn_stream_class *sc = k->sc;

	for (size_t i = 1; i < sc->n_event_classes; i++)
		if (sc->event_class[i]->id <= sc->event_class[i - 1]->last_id)
			return tn_tsdl_fail(k->b->u, k->variable[TN_SCOPE_EVENT_HEADER]->place,
					    "labels `%s` and `%s` share a value", sc->event_class[i - 1]->name,
					    sc->event_class[i]->name);
	return true;
}

/* Make a class for each range of each label, and one for values without a label. */
static bool
make_classes(struct kedr *k)
{
	struct tn_stream_class *sc = k->sc;
	const struct tn_type *t = k->kind->type;
	struct tsdl_word *none = tn_tsdl_word(k->b->u, "", 0);
	size_t n = 0;

	for (size_t i = 0; i < t->n_mappings; i++)
		n += t->mapping[i].n_ranges;
	if (!none || !(sc->event_class = TN_NEW_ARRAY(&k->b->trace->arena, n + 1, struct tn_event_class *)))
		return tn_tsdl_fail_memory(k->b->u);
	for (size_t i = 0; i < t->n_mappings; i++) {
		const struct tn_mapping *m = &t->mapping[i];
		const struct tsdl_word *label = tn_tsdl_word(k->b->u, m->label, strlen(m->label));

		for (size_t r = 0; label && r < m->n_ranges; r++) {
			struct tn_event_class *ec = new_class(k, m->label, label);

			if (!ec)
				return false;
			ec->id = m->range[r].lower;
			ec->last_id = m->range[r].upper;
			sc->event_class[sc->n_event_classes++] = ec;
		}
	}
	tn_ctf_sort_events(sc);
	return check_overlap(k) && (sc->other_class = new_class(k, NULL, none)) != NULL;
}

static bool
make_events(struct kedr *k)
{
	struct tn_stream_class *sc = k->sc;

	k->b->event = 0;
	if (k->kind)
		return make_classes(k);
	if (!(sc->event_class = TN_NEW_ARRAY(&k->b->trace->arena, 1, struct tn_event_class *)))
		return tn_tsdl_fail_memory(k->b->u);
	sc->event_class[0] = new_class(k, "event", tn_tsdl_word(k->b->u, "", 0));
	sc->n_event_classes = sc->event_class[0] != NULL;
	return sc->event_class[0] != NULL;
}

/* ---- time ---- */

static struct tn_field *
timestamp_in(struct tn_field *root)
{
	for (size_t i = 0; root && i < root->type->n_fields; i++) {
		struct tn_field *f = &root->type->field[i];

		if (strcmp(f->name, "timestamp") == 0 && f->type->kind == TN_KIND_UINT && f->type->length <= 64)
			return f;
	}
	return NULL;
}

/* The text does not describe a clock. The only known producer counts nanoseconds (kedr.md, 8). */
static bool
map_time(struct kedr *k)
{
	struct tn_field *f = timestamp_in(k->sc->common_context);

	k->sc->late_time = f != NULL;
	if (!f && !(f = timestamp_in(k->sc->event_header)))
		return true;
	f->type->roles |= TN_ROLE_CLOCK;
	return (k->sc->clock = tn_tsdl_default_clock(k->b)) != NULL;
}

/* ---- the whole ---- */

static bool
check_packet_size(struct kedr *k)
{
	const struct tn_type *t = k->sc->packet_context->type;

	for (size_t i = 0; i < t->n_fields; i++)
		if (t->field[i].type->roles & TN_ROLE_PACKET_SIZE)
			return true;
	return tn_tsdl_fail(k->b->u, k->variable[TN_SCOPE_PACKET_CONTEXT]->place,
			    "the packet context has no integer `packet_size`");
}

static bool
make_packet(struct kedr *k)
{
	struct tsdl_builder *b = k->b;
	struct tn_trace *t = b->trace;

	b->stream = b->event = TN_CTF_EVERY;
	if (!make_variable(k, TN_SCOPE_PACKET_HEADER, &t->packet_header) ||
	    (t->packet_header && !tn_tsdl_header_roles(b, t->packet_header, k->variable[TN_SCOPE_PACKET_HEADER])))
		return false;
	b->stream = 0;
	return make_variable(k, TN_SCOPE_PACKET_CONTEXT, &k->sc->packet_context) &&
	       tn_tsdl_context_roles(b, k->sc->packet_context, k->variable[TN_SCOPE_PACKET_CONTEXT]) &&
	       check_packet_size(k);
}

static bool
has_event_part(const struct kedr *k)
{
	for (int s = TN_SCOPE_EVENT_HEADER; s < TN_SCOPES; s++)
		if (k->variable[s])
			return true;
	return tn_tsdl_fail(k->b->u, k->variable[TN_SCOPE_PACKET_CONTEXT]->place, "the metadata describes no part of the events");
}

static bool
build_kedr(struct tsdl_builder *b)
{
	struct kedr k = { .b = b, .sc = TN_NEW(&b->trace->arena, struct tn_stream_class) };
	struct tn_trace *t = b->trace;

	t->stream_class = TN_NEW_ARRAY(&t->arena, 1, struct tn_stream_class *);
	t->clock = TN_NEW_ARRAY(&t->arena, 1, struct tn_clock *);
	if (!k.sc || !t->stream_class || !t->clock)
		return tn_tsdl_fail_memory(b->u);
	t->major = 1;
	t->minor = 8;
	t->stream_class[0] = k.sc;
	t->n_stream_classes = 1;
	k.sc->trace = t;
	turn_grids(b->u);
	return read_blocks(&k) && has_event_part(&k) && make_packet(&k) &&
	       make_variable(&k, TN_SCOPE_EVENT_HEADER, &k.sc->event_header) &&
	       make_variable(&k, TN_SCOPE_COMMON_CONTEXT, &k.sc->common_context) &&
	       find_kind(&k) && make_events(&k) && map_time(&k);
}

static const struct tsdl_reserved no_names[] = { { NULL } };

/*
 * Times of packets have an unknown unit and are not used. The names of the counters are those of the only known producer
 * (kedr.md, 8).
 */
static const struct tsdl_reserved context_names[] = {
	{ "packet_size", TN_ROLE_PACKET_SIZE, .must = true, .hidden = true },
	{ "content_size", TN_ROLE_CONTENT_SIZE, .must = true, .hidden = true },
	{ "timestamp_begin", 0, .must = true, .hidden = true },
	{ "timestamp_end", 0, .must = true, .hidden = true },
	{ "lost_events_total", TN_ROLE_DISCARDED },
	{ "stream_packet_count", TN_ROLE_SEQUENCE_NUMBER },
	{ NULL },
};

const struct tsdl_dialect tn_tsdl_kedr = {
	.format = "CTF (KEDR)",
	.is_it = is_kedr,
	.build = build_kedr,
	.header_names = no_names,
	.context_names = context_names,
	.needs_order = true,
	.signed_numbers = true,
	.free_dashes = true,
	.is_loose = true,
	.strict_uuid = true,
};
