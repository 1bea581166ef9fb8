/*
 * ctf2_type.c - field classes to types (CTF2-SPEC-2.0, 5.3)
 *
 * A field class is built as the type of one place, so an alias is built again at each use.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "ctf/ctf2_builder.h"

/* Limit of nested types. Deeper nesting is an attack on the stack. */
#define MAX_DEPTH 128

struct class {
	const char *name;
	enum tn_kind kind;
	bool (*build)(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field, unsigned depth);
	const char *known;	/* names of its properties */
	bool varint;
	bool foreign;		/* a word of a release candidate */
	enum tn_extent extent;
	bool blob_roles;	/* the class can have the UUID role */
};

static const struct {
	const char *name;
	uint32_t role;
	unsigned scopes;	/* the scopes in which the role is allowed */
} roles[] = {
	{ "packet-magic-number", TN_ROLE_MAGIC, TN_SCOPE_BIT(TN_SCOPE_PACKET_HEADER) },
	{ "metadata-stream-uuid", TN_ROLE_UUID, TN_SCOPE_BIT(TN_SCOPE_PACKET_HEADER) },
	{ "data-stream-class-id", TN_ROLE_STREAM_CLASS_ID, TN_SCOPE_BIT(TN_SCOPE_PACKET_HEADER) },
	{ "data-stream-id", TN_ROLE_STREAM_ID, TN_SCOPE_BIT(TN_SCOPE_PACKET_HEADER) },
	{ "packet-total-length", TN_ROLE_PACKET_SIZE, TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT) },
	{ "packet-content-length", TN_ROLE_CONTENT_SIZE, TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT) },
	{ "default-clock-timestamp", TN_ROLE_CLOCK,
	  TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT) | TN_SCOPE_BIT(TN_SCOPE_EVENT_HEADER) },
	{ "packet-end-default-clock-timestamp", TN_ROLE_TIMESTAMP_END, TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT) },
	{ "discarded-event-record-counter-snapshot", TN_ROLE_DISCARDED, TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT) },
	{ "packet-sequence-number", TN_ROLE_SEQUENCE_NUMBER, TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT) },
	{ "event-record-class-id", TN_ROLE_EVENT_CLASS_ID, TN_SCOPE_BIT(TN_SCOPE_EVENT_HEADER) },
};

/* ---- parts ---- */

static bool
build_alignment(struct tn_ctf2 *b, const struct tn_json *node, const char *key, uint32_t *out)
{
	uint64_t align = 1;
	char buf[48];

	if (!tn_ctf2_uint(b, node, key, false, &align))
		return false;
	if (align == 0 || (align & (align - 1)))
		return tn_ctf2_fail(b, tn_json_get(node, key), "an alignment must be a power of two, not %s",
				    tn_ctf2_quote(b, tn_json_get(node, key), buf, sizeof buf));
	if (align > UINT32_C(1) << 31)
		return tn_ctf2_fail(b, tn_json_get(node, key), "an alignment of %" PRIu64 " bits exceeds the limit of tnav",
				    align);
	*out = (uint32_t)align;
	return true;
}

/* Read a property that has one of two words. *second does not change if the property is absent. */
static bool
build_choice(struct tn_ctf2 *b, const struct tn_json *node, const char *key, bool required, const char *first,
	     const char *other, bool *second)
{
	const struct tn_json *word;

	if (!tn_ctf2_property(b, node, key, TN_JSON_STRING, required, &word))
		return false;
	if (!word)
		return true;
	*second = strcmp(word->text, other) == 0;
	return *second || strcmp(word->text, first) == 0 ||
	       tn_ctf2_fail(b, word, "must be \"%s\" or \"%s\", not \"%.60s\"", first, other, word->text);
}

static bool
build_bits(struct tn_ctf2 *b, const struct tn_json *node, struct tn_type *type)
{
	bool last_to_first;
	char buf[48];

	if (!tn_ctf2_uint(b, node, "length", true, &type->length) ||
	    !build_choice(b, node, "byte-order", true, "little-endian", "big-endian", &type->big_endian))
		return false;
	last_to_first = type->big_endian;
	if (!build_choice(b, node, "bit-order", false, "first-to-last", "last-to-first", &last_to_first) ||
	    !build_alignment(b, node, "alignment", &type->align))
		return false;
	type->reversed = last_to_first != type->big_endian;
	return (type->length > 0 && type->length <= INT64_MAX) ||
	       tn_ctf2_fail(b, tn_json_get(node, "length"), "a length must be a positive number of bits, not %s",
			    tn_ctf2_quote(b, tn_json_get(node, "length"), buf, sizeof buf));
}

/* Whether the role is allowed here. If it is not, this is reported, and the role is ignored. */
static bool
role_fits(struct tn_ctf2 *b, const struct tn_json *name, uint32_t role, unsigned scopes, const struct tn_type *type)
{
	if ((type->kind == TN_KIND_BLOB) != (role == TN_ROLE_UUID)) {
		tn_ctf2_wrong(b, name, "the role \"%s\" is ignored: %s cannot have it", name->text,
			     type->kind == TN_KIND_BLOB ? _("a BLOB") : _("an integer"));
		return false;
	}
	if (b->scope >= 0 && !(scopes & TN_SCOPE_BIT(b->scope))) {
		tn_ctf2_wrong(b, name, "the role \"%s\" is ignored: it has no meaning in this scope", name->text);
		return false;
	}
	if (type->length > 64 && type->kind != TN_KIND_BLOB && role != TN_ROLE_MAGIC) {
		tn_ctf2_wrong(b, name, "the role \"%s\" is ignored: the integer is longer than 64 bits", name->text);
		return false;
	}
	return true;
}

static bool
check_role(struct tn_ctf2 *b, const struct tn_json *name, uint32_t role, const struct tn_type *type, bool first)
{
	if (role == TN_ROLE_MAGIC && (type->varint || type->length != 32))
		return tn_ctf2_fail(b, name, "the magic number must be a fixed-length integer of 32 bits");
	if (role == TN_ROLE_UUID && type->length != 16)
		return tn_ctf2_fail(b, name, "the metadata stream UUID must be a BLOB of 16 bytes, not %" PRIu64,
				    type->length);
	if (b->scope < 0)
		return true;
	if (role == TN_ROLE_MAGIC && !first)
		return tn_ctf2_fail(b, name, "the magic number must be the first member of the packet header");
	if (role == TN_ROLE_UUID && !b->trace->has_uuid)
		return tn_ctf2_fail(b, name, "the preamble has no \"uuid\" to compare with");
	if ((role & (TN_ROLE_CLOCK | TN_ROLE_TIMESTAMP_END)) && !b->has_clock)
		return tn_ctf2_fail(b, name, "the role \"%s\" needs a data stream class with a default clock class",
				    name->text);
	return true;
}

static bool
build_roles(struct tn_ctf2 *b, const struct tn_json *node, struct tn_type *type, bool first)
{
	const struct tn_json *list;

	if (!tn_ctf2_property(b, node, "roles", TN_JSON_ARRAY, false, &list))
		return false;
	for (size_t i = 0; list && i < list->n; i++) {
		const struct tn_json *name = &list->child[i];
		size_t k;

		if (!tn_ctf2_expect(b, name, TN_JSON_STRING))
			return false;
		for (k = 0; k < TN_COUNT(roles) && strcmp(roles[k].name, name->text) != 0; k++)
			continue;
		if (k == TN_COUNT(roles)) {
			tn_ctf2_warn(b, name, "unknown role \"%.60s\": ignored", name->text);
			continue;
		}
		if (!role_fits(b, name, roles[k].role, roles[k].scopes, type))
			continue;
		if (!check_role(b, name, roles[k].role, type, first))
			return false;
		type->roles |= roles[k].role;
		if (roles[k].role == TN_ROLE_CLOCK && b->scope == TN_SCOPE_PACKET_CONTEXT)
			type->roles |= TN_ROLE_TIMESTAMP_BEGIN;
	}
	return true;
}

static bool
build_base(struct tn_ctf2 *b, const struct tn_json *node, struct tn_type *type)
{
	uint64_t base = 10;

	if (!tn_ctf2_uint(b, node, "preferred-display-base", false, &base))
		return false;
	type->base = (uint8_t)base;
	return base == 2 || base == 8 || base == 10 || base == 16 ||
	       tn_ctf2_fail(b, tn_json_get(node, "preferred-display-base"),
			    "a display base must be 2, 8, 10 or 16, not %" PRIu64, base);
}

static bool
build_encoding(struct tn_ctf2 *b, const struct tn_json *node, struct tn_type *type)
{
	static const struct { const char *name; enum tn_encoding encoding; } names[] = {
		{ "utf-8", TN_ENCODING_UTF8 },
		{ "utf-16be", TN_ENCODING_UTF16BE }, { "utf-16le", TN_ENCODING_UTF16LE },
		{ "utf-32be", TN_ENCODING_UTF32BE }, { "utf-32le", TN_ENCODING_UTF32LE },
	};
	const struct tn_json *name;

	type->encoding = TN_ENCODING_UTF8;
	if (!tn_ctf2_property(b, node, "encoding", TN_JSON_STRING, false, &name))
		return false;
	if (!name)
		return true;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (strcmp(names[i].name, name->text) == 0) {
			type->encoding = names[i].encoding;
			return true;
		}
	}
	return tn_ctf2_fail(b, name, "an encoding must be utf-8, utf-16be, utf-16le, utf-32be or utf-32le, not \"%.60s\"",
			    name->text);
}

/* Read the static length, or the location of the dynamic length. */
static bool
build_length(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field)
{
	if (field->type->extent == TN_EXTENT_DYNAMIC)
		return tn_ctf2_refer(b, node, "length-field-location", field);
	return field->type->extent != TN_EXTENT_STATIC || tn_ctf2_uint(b, node, "length", true, &field->type->length);
}

/* ---- field classes ---- */

static bool
build_leaf(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field, unsigned depth)
{
	struct tn_type *type = field->type;

	(void)depth;
	if (type->varint)
		type->align = 8;
	else if (!build_bits(b, node, type))
		return false;
	if (type->kind == TN_KIND_BITMAP)
		return tn_ctf2_mappings(b, node, "flags", type);
	if (tn_type_is_integer(type))
		return build_base(b, node, type) && tn_ctf2_mappings(b, node, "mappings", type);
	if (type->kind == TN_KIND_FLOAT && type->length != 16 && type->length != 32 && type->length != 64 &&
	    (type->length < 128 || type->length % 32))
		return tn_ctf2_fail(b, tn_json_get(node, "length"),
				    "a floating point number must have 16, 32, 64, 128 or a larger multiple of 32 bits, not "
				    "%" PRIu64, type->length);
	return true;
}

static bool
build_bytes(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field, unsigned depth)
{
	struct tn_type *type = field->type;

	(void)depth;
	type->align = 8;
	if (type->kind == TN_KIND_STRING) {
		if (!build_encoding(b, node, type))
			return false;
	} else {
		type->media_type = "application/octet-stream";
		if (!tn_ctf2_string(b, node, "media-type", &type->media_type))
			return false;
	}
	return build_length(b, node, field);
}

/* Compare names, to find one that occurs twice; @list[i] is the index of name i. */
static int
by_name(const void *a, const void *b)
{
	const struct tn_json *const *x = a, *const *y = b;
	int order = strcmp((*x)->text, (*y)->text);

	return order ? order : (*x)->at < (*y)->at ? -1 : (*x)->at > (*y)->at;
}

static bool
check_names(struct tn_ctf2 *b, const struct tn_json *list, const char *what)
{
	const struct tn_json **name = malloc((list->n + 1) * sizeof *name), *twice = NULL;
	size_t n = 0;

	if (!name)
		return tn_ctf2_no_memory(b);
	for (size_t i = 0; i < list->n; i++)
		if ((name[n] = tn_json_get(&list->child[i], "name")))
			n++;
	qsort(name, n, sizeof *name, by_name);
	for (size_t i = 1; i < n; i++)
		if (strcmp(name[i - 1]->text, name[i]->text) == 0 && (!twice || name[i]->at < twice->at))
			twice = name[i];
	free(name);
	return !twice || tn_ctf2_fail(b, twice, "there is already %s \"%.60s\"", _(what), twice->text);
}

/* Build a member or an option: its name, attributes and content. */
static bool
build_named(struct tn_ctf2 *b, const struct tn_json *node, const char *known, bool required, struct tn_field *field,
	    unsigned depth, bool first)
{
	const struct tn_json *type, *name;

	if (!tn_ctf2_expect(b, node, TN_JSON_OBJECT) ||
	    !tn_ctf2_property(b, node, "name", TN_JSON_STRING, required, &name) ||
	    !tn_ctf2_common(b, node, known, &field->attributes))
		return false;
	field->name = field->label = "";
	if (name && !(field->name = field->label = tn_ctf2_copy(b, name->text)))
		return false;
	if (!(type = tn_json_get(node, "field-class")))
		return tn_ctf2_fail(b, node, "the property \"field-class\" is missing");
	if (!tn_ctf2_field(b, type, field, depth + 1, first))
		return false;
	field->hidden = field->hidden || tn_ctf2_key_only(node);
	return true;
}

static bool
build_structure(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field, unsigned depth)
{
	struct tn_type *type = field->type;
	const struct tn_json *list;

	if (!build_alignment(b, node, "minimum-alignment", &type->align) ||
	    !tn_ctf2_property(b, node, "member-classes", TN_JSON_ARRAY, false, &list))
		return false;
	if (!list || list->n == 0)
		return true;
	if (!(type->field = TN_CTF2_NEW(b, list->n, struct tn_field)))
		return false;
	type->n_fields = list->n;
	for (size_t i = 0; i < list->n; i++) {
		struct tn_field *member = &type->field[i];

		member->slot = TN_NO_SLOT;
		if (!build_named(b, &list->child[i], "name field-class", true, member, depth, depth == 0 && i == 0))
			return false;
		if (member->type->align > type->align)
			type->align = member->type->align;
		if (depth == 0 && b->scope == TN_SCOPE_PACKET_CONTEXT && member->type->kind == TN_KIND_UINT &&
		    strcmp(member->name, "cpu_id") == 0)
			member->type->roles |= TN_ROLE_CPU_ID;
	}
	return check_names(b, list, N_("a member"));
}

/* Build the only field of an array or optional. */
static bool
build_inner(struct tn_ctf2 *b, const struct tn_json *node, const char *key, struct tn_field *field, unsigned depth)
{
	const struct tn_json *inner = tn_json_get(node, key);
	struct tn_type *type = field->type;

	if (!inner)
		return tn_ctf2_fail(b, node, "the property \"%s\" is missing", key);
	if (!(type->field = TN_CTF2_NEW(b, 1, struct tn_field)))
		return false;
	type->n_fields = 1;
	type->field->name = type->field->label = "";
	type->field->slot = TN_NO_SLOT;
	return tn_ctf2_field(b, inner, type->field, depth + 1, false);
}

static bool
build_array(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field, unsigned depth)
{
	struct tn_type *type = field->type;

	if (!build_alignment(b, node, "minimum-alignment", &type->align) || !build_length(b, node, field) ||
	    !build_inner(b, node, "element-field-class", field, depth))
		return false;
	if (type->field->type->align > type->align)
		type->align = type->field->type->align;
	return true;
}

static bool
build_optional(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field, unsigned depth)
{
	const struct tn_json *ranges = tn_json_get(node, "selector-field-ranges");

	return (!ranges || tn_ctf2_check_ranges(b, ranges)) &&
	       tn_ctf2_refer(b, node, "selector-field-location", field) &&
	       build_inner(b, node, "field-class", field, depth);
}

static bool
build_variant(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field, unsigned depth)
{
	struct tn_type *type = field->type;
	const struct tn_json *list;

	if (!tn_ctf2_property(b, node, "options", TN_JSON_ARRAY, true, &list))
		return false;
	if (list->n == 0)
		return tn_ctf2_fail(b, list, "a variant needs at least one option");
	if (!tn_ctf2_refer(b, node, "selector-field-location", field))
		return false;
	if (!(type->field = TN_CTF2_NEW(b, list->n, struct tn_field)))
		return false;
	type->n_fields = list->n;
	for (size_t i = 0; i < list->n; i++) {
		const struct tn_json *option = &list->child[i], *ranges;

		type->field[i].slot = TN_NO_SLOT;
		if (!build_named(b, option, "name field-class selector-field-ranges", false, &type->field[i], depth,
				 false))
			return false;
		if (!tn_ctf2_property(b, option, "selector-field-ranges", TN_JSON_ARRAY, true, &ranges) ||
		    !tn_ctf2_check_ranges(b, ranges))
			return false;
	}
	return check_names(b, list, N_("an option"));
}

#define BITS "length byte-order bit-order alignment"
#define INTEGER "preferred-display-base mappings roles"

static const struct class classes[] = {
	{ "fixed-length-bit-array", TN_KIND_BITS, build_leaf, BITS },
	{ "fixed-length-bit-map", TN_KIND_BITMAP, build_leaf, BITS " flags" },
	{ "fixed-length-boolean", TN_KIND_BOOL, build_leaf, BITS },
	{ "fixed-length-unsigned-integer", TN_KIND_UINT, build_leaf, BITS " " INTEGER },
	{ "fixed-length-signed-integer", TN_KIND_SINT, build_leaf, BITS " " INTEGER },
	{ "fixed-length-floating-point-number", TN_KIND_FLOAT, build_leaf, BITS },
	{ "variable-length-unsigned-integer", TN_KIND_UINT, build_leaf, INTEGER, .varint = true },
	{ "variable-length-signed-integer", TN_KIND_SINT, build_leaf, INTEGER, .varint = true },
	{ "fixed-length-unsigned-enumeration", TN_KIND_UINT, build_leaf, BITS " " INTEGER, .foreign = true },
	{ "fixed-length-signed-enumeration", TN_KIND_SINT, build_leaf, BITS " " INTEGER, .foreign = true },
	{ "variable-length-unsigned-enumeration", TN_KIND_UINT, build_leaf, INTEGER, .varint = true, .foreign = true },
	{ "variable-length-signed-enumeration", TN_KIND_SINT, build_leaf, INTEGER, .varint = true, .foreign = true },
	{ "null-terminated-string", TN_KIND_STRING, build_bytes, "encoding", .extent = TN_EXTENT_TERMINATED },
	{ "static-length-string", TN_KIND_STRING, build_bytes, "length encoding", .extent = TN_EXTENT_STATIC },
	{ "dynamic-length-string", TN_KIND_STRING, build_bytes, "length-field-location encoding",
	  .extent = TN_EXTENT_DYNAMIC },
	{ "static-length-blob", TN_KIND_BLOB, build_bytes, "length media-type roles", .extent = TN_EXTENT_STATIC,
	  .blob_roles = true },
	{ "dynamic-length-blob", TN_KIND_BLOB, build_bytes, "length-field-location media-type",
	  .extent = TN_EXTENT_DYNAMIC },
	{ "structure", TN_KIND_STRUCT, build_structure, "member-classes minimum-alignment" },
	{ "static-length-array", TN_KIND_ARRAY, build_array, "element-field-class minimum-alignment length",
	  .extent = TN_EXTENT_STATIC },
	{ "dynamic-length-array", TN_KIND_ARRAY, build_array,
	  "element-field-class minimum-alignment length-field-location", .extent = TN_EXTENT_DYNAMIC },
	{ "optional", TN_KIND_OPTIONAL, build_optional, "field-class selector-field-location selector-field-ranges" },
	{ "variant", TN_KIND_VARIANT, build_variant, "options selector-field-location" },
};

static const struct class *
find_class(struct tn_ctf2 *b, const struct tn_json *node)
{
	const struct tn_json *name;

	if (!tn_ctf2_property(b, node, "type", TN_JSON_STRING, true, &name))
		return NULL;
	for (size_t i = 0; i < TN_COUNT(classes); i++) {
		if (strcmp(classes[i].name, name->text) == 0) {
			if (classes[i].foreign)
				tn_ctf2_foreign(b, name, _("an integer with mappings"));
			return &classes[i];
		}
	}
	tn_ctf2_fail(b, name, "unknown field class type \"%.60s\"", name->text);
	return NULL;
}

/* Only unsigned integers and static BLOBs can have roles. A role of a signed integer is reported and removed. */
static bool
finish_roles(struct tn_ctf2 *b, const struct tn_json *node, const struct class *class, struct tn_type *type,
	     bool first)
{
	const struct tn_json *list = tn_json_get(node, "roles");

	if (!list)
		return true;
	if (type->kind == TN_KIND_UINT || class->blob_roles)
		return build_roles(b, node, type, first);
	if (type->kind == TN_KIND_SINT && (list->kind != TN_JSON_ARRAY || list->n))
		tn_ctf2_wrong(b, list, "roles of a signed integer are ignored");
	return true;
}

static bool
build_class(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field, unsigned depth, bool first)
{
	const struct class *class;
	struct tn_type *type;

	if (!tn_ctf2_expect(b, node, TN_JSON_OBJECT) || !(class = find_class(b, node)))
		return false;
	if (depth > MAX_DEPTH)
		return tn_ctf2_fail(b, node, "more than %d nested field classes", MAX_DEPTH);
	if (!(type = TN_CTF2_NEW(b, 1, struct tn_type)))
		return false;
	type->kind = class->kind;
	type->varint = class->varint;
	type->extent = class->extent;
	type->align = 1;
	type->base = 10;
	type->ref_slot = TN_NO_SLOT;
	field->type = type;
	return tn_ctf2_common(b, node, class->known, &type->attributes) && class->build(b, node, field, depth) &&
	       finish_roles(b, node, class, type, first);
}

static bool
build_alias(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field, unsigned depth, bool first)
{
	const struct tn_json *use = b->use;
	const struct tn_ctf2_alias *alias;
	int64_t index = tn_ctf2_find(b, TN_CTF2_ALIAS, node->text, strlen(node->text));
	bool ok;

	if (index < 0)
		return tn_ctf2_fail(b, node, "there is no field class alias \"%.60s\" before this", node->text);
	alias = &b->aliases.item[index];
	if (!use)
		b->use = node;
	ok = tn_ctf2_field(b, alias->type, field, depth, first);
	b->use = use;
	if (ok && !field->type->alias)
		field->type->alias = alias->name;
	return ok;
}

bool
tn_ctf2_field(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field, unsigned depth, bool first)
{
	if (node->kind == TN_JSON_STRING)
		return build_alias(b, node, field, depth, first);
	if (!build_class(b, node, field, depth, first))
		return false;
	field->hidden = field->hidden || tn_ctf2_key_only(node);
	return true;
}
