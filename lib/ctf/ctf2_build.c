/* ctf2_build.c - fragments of CTF 2 metadata to the model of a trace (CTF2-SPEC-2.0, 5.2 to 5.7) */
#include "ctf/ctf2.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "ctf/ctf2_builder.h"

/* Limit of the memory for types; each byte of the metadata raises it. */
#define TYPE_ROOM ((uint64_t)32 << 20)
#define TYPE_BYTES 256
#define TYPE_MOST ((uint64_t)4 << 30)
#define WINDOW ((size_t)1 << 20)	/* bytes of a mapped text that stay in memory */

/* ---- preamble ---- */

/* Refuse unknown extensions, because they can change the layout of the streams. */
static bool
refuse_extensions(struct tn_ctf2 *b, const struct tn_json *node)
{
	const struct tn_json *extensions;

	if (!tn_ctf2_property(b, node, "extensions", TN_JSON_OBJECT, false, &extensions))
		return false;
	for (size_t i = 0; extensions && i < extensions->n; i++) {
		const struct tn_json *space = &extensions->child[i];

		if (!tn_ctf2_expect(b, space, TN_JSON_OBJECT))
			return false;
		if (space->n == 0)
			continue;
		tn_ctf2_fail(b, &space->child[0], "the trace needs the extension \"%.60s\" of \"%.60s\", which tnav does not "
			     "know: tnav cannot decode its streams", space->child[0].key, space->key);
		b->error.code = TN_ERR_UNSUPPORTED;
		return false;
	}
	return true;
}

static bool
read_preamble(struct tn_ctf2 *b, const struct tn_json *node)
{
	const struct tn_json *uuid;
	uint64_t version = 0;

	if (b->preamble)
		return tn_ctf2_fail(b, node, "there is already a preamble");
	if (!tn_ctf2_common(b, node, "version uuid", &b->trace->attributes) ||
	    !tn_ctf2_uint(b, node, "version", true, &version))
		return false;
	if (version != 2)
		return tn_ctf2_fail(b, tn_json_get(node, "version"), "the version must be 2, not %" PRIu64, version);
	if (!tn_ctf2_property(b, node, "uuid", TN_JSON_ARRAY, false, &uuid) ||
	    (uuid && !tn_ctf2_read_uuid(b, uuid, b->trace->uuid)))
		return false;
	b->trace->has_uuid = uuid;
	b->preamble = true;
	return refuse_extensions(b, node);
}

/* ---- field class alias ---- */

/* Build the alias once, only to find its errors: field locations in it have a meaning only where it is used. */
static bool
check_alias(struct tn_ctf2 *b, const struct tn_json *type)
{
	struct tn_arena scratch = { 0 };
	struct tn_field field = { .slot = TN_NO_SLOT };
	bool ok;

	b->arena = &scratch;
	b->scope = -1;
	ok = tn_ctf2_field(b, type, &field, 1, false);
	b->arena = &b->trace->arena;
	b->refs.n = 0;
	tn_arena_release(&scratch);
	return ok;
}

static bool
read_alias(struct tn_ctf2 *b, const struct tn_json *node)
{
	const struct tn_json *name, *type = tn_json_get(node, "field-class");
	struct tn_ctf2_alias *alias;

	if (!tn_ctf2_common(b, node, "name field-class", NULL) ||
	    !tn_ctf2_property(b, node, "name", TN_JSON_STRING, true, &name))
		return false;
	if (!type)
		return tn_ctf2_fail(b, node, "the property \"field-class\" is missing");
	if (tn_ctf2_find(b, TN_CTF2_ALIAS, name->text, strlen(name->text)) >= 0)
		return tn_ctf2_fail(b, name, "there is already a field class alias \"%.60s\"", name->text);
	if (!check_alias(b, type))
		return false;
	/* If this is the name of an alias, that alias is already resolved, so there are no chains. */
	if (type->kind == TN_JSON_STRING)
		type = b->aliases.item[tn_ctf2_find(b, TN_CTF2_ALIAS, type->text, strlen(type->text))].type;
	if (!(alias = TN_ARRAY_ADD(&b->aliases)))
		return tn_ctf2_no_memory(b);
	alias->type = type;
	b->keep = true;
	return (alias->name = tn_ctf2_copy(b, name->text)) &&
	       tn_ctf2_take(b, TN_CTF2_ALIAS, name->text, strlen(name->text), b->aliases.n - 1);
}

/* ---- all fragments ---- */

static const struct {
	const char *type;
	bool (*read)(struct tn_ctf2 *b, const struct tn_json *node);
} fragments[] = {
	{ "preamble", read_preamble },
	{ "field-class-alias", read_alias },
	{ "trace-class", tn_ctf2_read_trace_class },
	{ "clock-class", tn_ctf2_read_clock_class },
	{ "data-stream-class", tn_ctf2_read_stream_class },
	{ "event-record-class", tn_ctf2_read_event_class },
};

/* Whether the text is a proposal from before 2021: another language that looks similar. */
static bool
is_proposal(const struct tn_json *node)
{
	static const char *const words[] = { "fragment", "field-type", "field-types", "field-type-aliases",
					     "packet-header-field-type", "event-field-types" };

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (tn_json_get(node, words[i]))
			return true;
	return false;
}

static bool
read_fragment(struct tn_ctf2 *b, struct tn_json *node)
{
	const struct tn_json *type;
	bool (*read)(struct tn_ctf2 *, const struct tn_json *) = NULL;

	node->parent = NULL;
	node->index = ++b->fragment;
	if (!tn_ctf2_expect(b, node, TN_JSON_OBJECT))
		return false;
	if (!tn_json_get(node, "type") && is_proposal(node))
		return tn_ctf2_fail(b, node, "this is a proposal for CTF 2 from before 2021, which tnav does not read");
	if (!tn_ctf2_property(b, node, "type", TN_JSON_STRING, true, &type))
		return false;
	for (size_t i = 0; i < TN_COUNT(fragments); i++)
		if (strcmp(fragments[i].type, type->text) == 0)
			read = fragments[i].read;
	if (!b->preamble && read != read_preamble)
		return tn_ctf2_fail(b, node, "the first fragment must be the preamble");
	if (!read)
		return tn_ctf2_fail(b, type, "unknown fragment type \"%.60s\"", type->text);
	return read(b, node);
}

static void
warn_of_framing(struct tn_ctf2 *b, const struct tn_ctf2_sequence *s)
{
	static const struct { unsigned odd; const char *text; } oddities[] = {
		{ TN_CTF2_ODD_LEAD, N_("a byte order mark or white space before the first record separator") },
		{ TN_CTF2_ODD_NO_SEPARATOR, N_("no record separator, the byte 1e, before the first fragment") },
		{ TN_CTF2_ODD_TWO, N_("no record separator, the byte 1e, before this fragment") },
		{ TN_CTF2_ODD_ARRAY, N_("an array of fragments: write each fragment on its own") },
		{ TN_CTF2_ODD_CUT, N_("the last fragment is cut off and is left out") },
	};

	for (size_t i = 0; i < TN_COUNT(oddities); i++)
		if (s->odd & oddities[i].odd & ~b->odd)
			tn_ctf2_wrong_at(b, s->odd_at, "%s", _(oddities[i].text));
	b->odd |= s->odd;	/* report each oddity once in a trace */
}

static bool
read_text(struct tn_ctf2 *b, struct tn_json *root)
{
	if (root->kind != TN_JSON_ARRAY)
		return read_fragment(b, root);
	for (size_t i = 0; i < root->n; i++)
		if (!read_fragment(b, &root->child[i]))
			return false;
	return true;
}

/* Read one text, and free its values unless aliases need them. */
static bool
read_next(struct tn_ctf2 *b, struct tn_ctf2_sequence *s, bool *end)
{
	struct tn_arena arena = { 0 }, *place;
	struct tn_json *root;
	size_t where = 0;
	enum tn_code code = tn_ctf2_next(s, &root, &arena, &where, &b->error);
	bool ok = code == TN_OK;

	*end = code == TN_END;
	warn_of_framing(b, s);
	if (code == TN_ERR_FORMAT) {
		struct tn_error cause = b->error;

		b->fragment++;
		tn_ctf2_fail_at(b, where, "fragment %u: %s", b->fragment, cause.text);
	}
	b->keep = b->lends = false;
	ok = ok && read_text(b, root);
	if (b->lends && ok) {
		tn_arena_take(&b->trace->arena, &arena);
		return true;
	}
	if (b->lends)
		b->trace->n_env = 0;
	if (b->keep && ok) {
		if ((place = TN_ARRAY_ADD(&b->kept))) {
			*place = arena;
			return true;
		}
		ok = tn_ctf2_no_memory(b);
	}
	tn_arena_release(&arena);
	return ok || *end;
}

static bool
read_all(struct tn_ctf2 *b)
{
	struct tn_ctf2_sequence s = { .text = b->text, .n = b->n };
	size_t passed = 0;
	bool end = false, ok = true;

	if (b->trace->metadata_map.base)
		s.map = &b->trace->metadata_map;
	while (ok && !end) {
		ok = read_next(b, &s, &end);
		if (s.at - passed > WINDOW) {
			tn_map_pass(&b->trace->metadata_map, passed, s.at);
			passed = s.at;
		}
	}
	if (!ok)
		return false;
	if (!b->preamble)
		return tn_ctf2_fail(b, NULL, "there is no fragment");
	return b->stream_classes.n || tn_ctf2_fail(b, NULL, "there is no data stream class");
}

/* ---- the finished model ---- */

/*
 * Hide fields with a role, which are bookkeeping, unless a displayed field depends on them. Names of members have no
 * meaning.
 */
static void
hide(struct tn_field *field)
{
	const struct tn_type *t = field->type;

	if ((t->roles & ~(uint32_t)TN_ROLE_CPU_ID) && field->slot == TN_NO_SLOT)
		field->hidden = true;
	for (size_t i = 0; i < t->n_fields; i++)
		hide(&t->field[i]);
}

static void
hide_scope(struct tn_field *root, void *user)
{
	(void)user;
	hide(root);
	tn_field_hide_empty(root);
}

static void *
keep_array(struct tn_ctf2 *b, const void *items, size_t n, size_t size)
{
	void *copy = tn_ctf2_alloc(b, n + 1, size);

	if (copy && n)
		memcpy(copy, items, n * size);
	return copy;
}

/* Give each stream class its event classes. */
static bool
share_event_classes(struct tn_ctf2 *b)
{
	for (size_t i = 0; i < b->stream_classes.n; i++) {
		struct tn_stream_class *sc = b->stream_classes.item[i];

		if (!(sc->event_class = TN_CTF2_NEW(b, sc->n_event_classes + 1, struct tn_event_class *)))
			return false;
		sc->n_event_classes = 0;
	}
	for (size_t i = 0; i < b->event_classes.n; i++) {
		struct tn_stream_class *sc = b->event_classes.item[i]->stream_class;

		sc->event_class[sc->n_event_classes++] = b->event_classes.item[i];
	}
	return true;
}

static bool
finish(struct tn_ctf2 *b)
{
	struct tn_trace *t = b->trace;

	if (!(t->clock = TN_CTF2_NEW(b, b->clocks.n + 1, struct tn_clock *)) ||
	    !(t->stream_class = keep_array(b, b->stream_classes.item, b->stream_classes.n,
					   sizeof(struct tn_stream_class *))) ||
	    !share_event_classes(b))
		return false;
	t->n_clocks = b->clocks.n;
	t->n_stream_classes = b->stream_classes.n;
	for (size_t i = 0; i < b->clocks.n; i++)
		t->clock[i] = b->clocks.item[i].clock;
	if (!tn_ctf_list_classes(t) || !tn_ctf_wire(t, &b->wiring))
		return tn_ctf2_no_memory(b);
	tn_trace_each_scope(t, hide_scope, NULL);
	return true;
}

static void
release(struct tn_ctf2 *b)
{
	for (size_t i = 0; i < b->kept.n; i++)
		tn_arena_release(&b->kept.item[i]);
	TN_ARRAY_RELEASE(&b->kept);
	TN_ARRAY_RELEASE(&b->warned);
	TN_ARRAY_RELEASE(&b->aliases);
	TN_ARRAY_RELEASE(&b->clocks);
	TN_ARRAY_RELEASE(&b->stream_classes);
	TN_ARRAY_RELEASE(&b->event_classes);
	TN_ARRAY_RELEASE(&b->refs);
	tn_ctf_wiring_release(&b->wiring);
	for (size_t i = 0; i < TN_CTF2_SPACES; i++)
		tn_hash_release(&b->taken[i]);
	tn_arena_release(&b->keys);
}

enum tn_code
tn_ctf2_build(struct tn_trace *trace, const char *text, size_t n, struct tn_error *err)
{
	struct tn_ctf2 b = { .trace = trace, .text = text, .n = n, .arena = &trace->arena, .scope = -1 };
	enum tn_code code = TN_OK;

	b.limit = n > (TYPE_MOST - TYPE_ROOM) / TYPE_BYTES ? TYPE_MOST : TYPE_ROOM + n * TYPE_BYTES;
	trace->format = "CTF 2";
	trace->major = 2;
	if (!read_all(&b) || !finish(&b)) {
		code = b.error.code;
		if (err)
			*err = b.error;
	}
	release(&b);
	return code;
}
