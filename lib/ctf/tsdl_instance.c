#include <inttypes.h>
#include <string.h>

#include "ctf/tsdl_builder.h"

#define MAX_DEPTH 128		/* limit of nested fields, because functions that walk a type tree recurse */

struct tn_field *
tn_tsdl_new_field(struct tsdl_builder *b, size_t n)
{
	struct tn_field *f;

	b->n_fields += n;
	if (b->n_fields > b->max_fields) {
		tn_tsdl_fail(b->u, b->place, "the declared types have more than %zu fields", b->max_fields);
		return NULL;
	}
	if (!(f = TN_NEW_ARRAY(&b->trace->arena, n ? n : 1, struct tn_field))) {
		tn_tsdl_fail_memory(b->u);
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		f[i].name = f[i].label = "";
		f[i].slot = TN_NO_SLOT;
	}
	return f;
}

/*
 * Set the name, and the label, which is the name without one leading underscore. Tracers add this underscore to names of
 * users (CTF 1.8.3, 6).
 */
void
tn_tsdl_name_field(struct tn_field *f, const char *name)
{
	f->name = name;
	f->label = name[0] == '_' ? name + 1 : name;
}

static struct tn_type *
new_type(struct tsdl_builder *b, enum tn_kind kind)
{
	struct tn_type *t = TN_NEW(&b->trace->arena, struct tn_type);

	if (!t) {
		tn_tsdl_fail_memory(b->u);
		return NULL;
	}
	t->kind = kind;
	t->align = 1;
	t->base = 10;
	t->ref_slot = TN_NO_SLOT;
	return t;
}

/* ---- numbers, strings ---- */

static bool
is_big_endian(const struct tsdl_builder *b, enum tsdl_order order)
{
	return order == TSDL_NATIVE ? b->trace->big_endian : order == TSDL_BIG;
}

static bool
add_mapped(struct tsdl_builder *b, const struct tsdl_type *ast, struct tn_field *field)
{
	struct tn_clock *clock = tn_tsdl_clock(b, ast->number.clock->text);
	struct tsdl_mapped *m;

	if (!clock)
		return tn_tsdl_fail(b->u, ast->number.clock_place, "there is no clock of this name");
	if (b->scope < 0)
		return true;
	if (!(m = TN_ARRAY_ADD(&b->mapped)))
		return tn_tsdl_fail_memory(b->u);
	*m = (struct tsdl_mapped) { field, clock, ast->number.clock_place, b->scope };
	return true;
}

static bool
make_integer(struct tsdl_builder *b, const struct tsdl_type *ast, struct tn_field *field)
{
	struct tn_type *t = new_type(b, ast->number.is_signed ? TN_KIND_SINT : TN_KIND_UINT);
	bool by_bytes = b->dialect->whole_bytes ? ast->number.size % 8 == 0 : ast->number.size >= 8;

	if (!t)
		return false;
	t->length = ast->number.size;
	t->align = ast->align ? (uint32_t)ast->align : by_bytes ? 8 : 1;
	if (!b->has_order && ast->number.order == TSDL_NATIVE && (t->length != 8 || t->align < 8))
		return tn_tsdl_fail(b->u, ast->place, "neither this integer nor the trace has a byte order");
	t->big_endian = is_big_endian(b, ast->number.order);
	t->base = b->dialect->shows_base ? ast->number.base : 10;
	field->type = t;
	return !ast->number.clock || add_mapped(b, ast, field);
}

static bool
make_enum(struct tsdl_builder *b, const struct tsdl_type *ast, struct tn_field *field)
{
	if (!make_integer(b, tsdl_literal(ast->enumeration.container), field))
		return false;
	field->type->mapping = ast->enumeration.mapping;
	field->type->n_mappings = ast->enumeration.n_mappings;
	field->type->labels = ast->enumeration.labels;
	return true;
}

/* Other sizes of IEEE 754 cannot be shown as numbers, so they become bits. */
static bool
make_float(struct tsdl_builder *b, const struct tsdl_type *ast, struct tn_field *field)
{
	uint32_t e = ast->number.exponent, m = ast->number.mantissa;
	bool known = (e == 5 && m == 11) || (e == 8 && m == 24) || (e == 11 && m == 53);
	struct tn_type *t = new_type(b, known ? TN_KIND_FLOAT : TN_KIND_BITS);

	if (!t)
		return false;
	t->length = ast->number.size;
	t->align = ast->align ? (uint32_t)ast->align : 8;
	t->big_endian = is_big_endian(b, ast->number.order);
	if (!known)
		t->base = 16;
	field->type = t;
	return true;
}

static bool
make_string(struct tsdl_builder *b, const struct tsdl_type *ast, struct tn_field *field)
{
	struct tn_type *t = new_type(b, TN_KIND_STRING);

	if (!t)
		return false;
	t->align = 8;
	t->extent = TN_EXTENT_TERMINATED;
	t->encoding = ast->number.encoding;
	field->type = t;
	return true;
}

/* ---- structures, variants ---- */

static bool
make_struct(struct tsdl_builder *b, struct tsdl_frame *up, const struct tsdl_type *ast, struct tn_field *field)
{
	struct tn_type *t = new_type(b, TN_KIND_STRUCT);
	struct tsdl_frame frame = { .up = up, .kind = TSDL_IN_STRUCT, .ast = ast, .type = t };

	if (!t || !(t->field = tn_tsdl_new_field(b, ast->body.n)))
		return false;
	field->type = t;
	if (ast->align)
		t->align = (uint32_t)ast->align;
	for (const struct tsdl_member *m = ast->body.member; m; m = m->next) {
		struct tn_field *f = &t->field[t->n_fields];

		tn_tsdl_name_field(f, m->name->text);
		f->parent = field;
		if (!tn_tsdl_instance(b, &frame, m->type, f))
			return false;
		if (f->type->kind != TN_KIND_VARIANT && f->type->align > t->align)
			t->align = f->type->align;
		t->n_fields++;
	}
	return true;
}

/* Note at each label of @tag's enumeration the index of its mapping. */
static bool
mark_labels(struct tsdl_builder *b, const struct tn_type *tag, uint32_t mark)
{
	for (size_t i = 0; i < tag->n_mappings; i++) {
		struct tsdl_word *w = tn_tsdl_word(b->u, tag->mapping[i].label, strlen(tag->mapping[i].label));

		if (!w)
			return false;
		w->mark = mark;
		w->mark_index = (uint32_t)i;
	}
	return true;
}

static void
select_by(struct tn_field *option, const struct tn_mapping *mapping)
{
	option->range = mapping->range;
	option->n_ranges = mapping->n_ranges;
}

/*
 * Find a label that differs from the option's name in a leading underscore, for an option without a label of exactly its
 * name: some tracers write the underscore for only one of the two. Labels that exactly match an option are not
 * considered.
 */
static bool
select_loosely(struct tsdl_builder *b, struct tn_field *option, const struct tn_type *tag, uint32_t mark,
	       bool *taken, struct tsdl_place place)
{
	char with[256];
	const char *try[2] = { option->label, with };

	if (strlen(option->label) >= sizeof with - 1)
		return true;
	with[0] = '_';
	strcpy(with + 1, option->label);
	for (size_t i = 0; i < 2; i++) {
		struct tsdl_word *w = tn_tsdl_word(b->u, try[i], strlen(try[i]));

		if (!w)
			return false;
		if (w->mark != mark || taken[w->mark_index])
			continue;
		tn_tsdl_tell(b->u, TN_WARNING, place, "option `%s` is used for label `%s`", option->name, w->text);
		taken[w->mark_index] = true;
		select_by(option, &tag->mapping[w->mark_index]);
		return true;
	}
	return true;
}

/* Give each option the values of its label. */
static bool
select_options(struct tsdl_builder *b, const struct tsdl_type *ast, struct tn_type *t, const struct tn_type *tag,
	       struct tsdl_place place)
{
	uint32_t mark = ++b->u->mark;
	size_t selectable = 0, i = 0;
	bool *taken;

	if (!tn_tsdl_work(b, 8 * (tag->n_mappings + t->n_fields), place) || !mark_labels(b, tag, mark))
		return false;
	if (!TN_ARRAY_RESERVE(&b->taken, tag->n_mappings))
		return tn_tsdl_fail_memory(b->u);
	taken = b->taken.item;
	memset(taken, 0, tag->n_mappings);
	for (const struct tsdl_member *m = ast->body.member; m; m = m->next, i++) {
		if (m->name->mark == mark) {
			select_by(&t->field[i], &tag->mapping[m->name->mark_index]);
			taken[m->name->mark_index] = true;
		}
	}
	i = 0;
	for (const struct tsdl_member *m = ast->body.member; m; m = m->next, i++) {
		if (!t->field[i].n_ranges && !select_loosely(b, &t->field[i], tag, mark, taken, m->place))
			return false;
		if (t->field[i].n_ranges)
			selectable++;
		else if (b->dialect->all_options)
			tn_tsdl_tell(b->u, TN_NOTE, m->place, "no label of the tag selects this option");
	}
	if (t->n_fields && !selectable && b->dialect->all_options)
		return tn_tsdl_fail(b->u, place, "no label of the tag is the name of an option");
	for (i = 0; i < tag->n_mappings && taken[i]; i++)
		;
	if (i < tag->n_mappings && b->dialect->all_options)
		tn_tsdl_tell(b->u, TN_NOTE, place, "no option has the name of the label `%s`", tag->mapping[i].label);
	return true;
}

static const char *
path_text(struct tsdl_builder *b, const struct tsdl_path *path)
{
	char *s = tn_arena_copy(&b->trace->arena, b->u->text + path->place.at, path->place.n);

	if (!s)
		tn_tsdl_fail_memory(b->u);
	return s;
}

static bool
refer_to_tag(struct tsdl_builder *b, struct tsdl_frame *from, const struct tsdl_type *ast, const struct tsdl_path *path,
	     struct tn_field *field)
{
	struct tn_type *t = field->type;
	struct tsdl_found found;
	const struct tn_type *tag;

	if (!(t->ref_path = path_text(b, path)) || !tn_tsdl_find(b, from, field, path, &found))
		return false;
	if (!found.field) {	/* no field can select an option, so the variant is always empty */
		t->n_fields = 0;
		return true;
	}
	tag = found.field->type;
	if (!tn_type_is_integer(tag) || !tag->n_mappings || tag->length > 64)
		return tn_tsdl_fail(b->u, path->place, "the tag of a variant must be an enumeration");
	t->ref_signed = tag->kind == TN_KIND_SINT;
	return select_options(b, ast, t, tag, path->place) && tn_tsdl_refer(b, t, &found);
}

/* @tag is the path and @from the place of the variant. The path has `n` 0 in a declaration that is only checked. */
static bool
make_variant(struct tsdl_builder *b, struct tsdl_frame *from, const struct tsdl_path *tag, struct tsdl_frame *up,
	     const struct tsdl_type *ast, struct tn_field *field)
{
	struct tn_type *t = new_type(b, TN_KIND_VARIANT);
	struct tsdl_frame frame = { .up = up, .kind = TSDL_IN_VARIANT, .ast = ast, .type = t };

	if (!t || !(t->field = tn_tsdl_new_field(b, ast->body.n)))
		return false;
	field->type = t;
	t->lenient_tag = !b->dialect->all_options;
	for (const struct tsdl_member *m = ast->body.member; m; m = m->next) {
		tn_tsdl_name_field(&t->field[t->n_fields], m->name->text);
		t->field[t->n_fields].parent = field;
		if (!tn_tsdl_instance(b, &frame, m->type, &t->field[t->n_fields]))
			return false;
		t->n_fields++;
	}
	return !tag->n || refer_to_tag(b, from, ast, tag, field);
}

/* ---- arrays ---- */

/* The encoding of an 8-bit integer that begins at a byte, if it has one: its arrays are then strings (CTF 1.8.3, 4.2.5). */
static enum tn_encoding
text_encoding(const struct tsdl_type *element, const struct tn_type *t)
{
	const struct tsdl_type *integer = tsdl_literal(element);

	if (integer->kind == TSDL_TYPE_ENUM)
		integer = tsdl_literal(integer->enumeration.container);
	if (integer->kind != TSDL_TYPE_INTEGER || t->length != 8 || t->align != 8)
		return TN_ENCODING_NONE;
	return integer->number.encoding;
}

static bool
refer_to_length(struct tsdl_builder *b, struct tsdl_frame *up, const struct tsdl_path *path, struct tn_field *field)
{
	struct tn_type *t = field->type;
	struct tsdl_found found;
	const struct tn_type *n;
	bool is_env;

	if (!tn_tsdl_env_length(b, path, &t->length, &is_env))
		return false;
	if (is_env)
		return true;
	if (!(t->ref_path = path_text(b, path)) || !tn_tsdl_find(b, up, field, path, &found))
		return false;
	if (!found.field)	/* the length never exists, so there are no elements */
		return true;
	n = found.field->type;
	if (!tn_type_is_integer(n) || n->length > 64)
		return tn_tsdl_fail(b->u, path->place, "the length of a sequence must be an unsigned integer");
	if (n->kind == TN_KIND_SINT && !b->dialect->signed_numbers)
		return tn_tsdl_fail(b->u, path->place, "the length of a sequence must not be signed");
	t->signed_length = n->kind == TN_KIND_SINT;
	t->extent = TN_EXTENT_DYNAMIC;
	return tn_tsdl_refer(b, t, &found);
}

static bool
make_array(struct tsdl_builder *b, struct tsdl_frame *up, const struct tsdl_type *ast, struct tn_field *field)
{
	struct tn_type *t = new_type(b, TN_KIND_ARRAY);
	struct tsdl_frame frame = { .up = up, .kind = TSDL_IN_ARRAY, .ast = ast, .type = t };
	const struct tsdl_value *length = &ast->array.length;
	enum tn_encoding encoding;

	if (!t || !(t->field = tn_tsdl_new_field(b, 1)))
		return false;
	field->type = t;
	t->field[0].parent = field;
	if (!tn_tsdl_instance(b, &frame, ast->array.element, &t->field[0]))
		return false;
	t->n_fields = 1;
	t->align = t->field[0].type->align;
	encoding = text_encoding(ast->array.element, t->field[0].type);
	if (encoding != TN_ENCODING_NONE) {
		t->kind = TN_KIND_STRING;
		t->encoding = encoding;
		t->field = NULL;
		t->n_fields = 0;
	}
	t->extent = TN_EXTENT_STATIC;
	t->length = length->kind == TSDL_VALUE_NUMBER ? length->magnitude : 0;
	return length->kind == TSDL_VALUE_NUMBER || refer_to_length(b, up, &length->path, field);
}

/* ---- uses of names ---- */

/* The structure or variant, of those that are being built, whose body declares the name. */
static struct tsdl_frame *
find_home(struct tsdl_frame *from, const struct tsdl_type *home)
{
	while (from && from->ast != home)
		from = from->kind == TSDL_IN_ALIAS ? from->home : from->up;
	return from;
}

/*
 * A number or a string in an event does not depend on its place, so all uses of its name share one type. In scopes before
 * the event's own, numbers get roles; and a number with a clock belongs to that clock.
 */
static bool
is_shared(const struct tsdl_builder *b, const struct tsdl_type *ast, bool is_direct)
{
	const struct tsdl_type *t = ast->use.literal;

	if (!is_direct || b->scope < TN_SCOPE_SPECIFIC_CONTEXT || ast->align || ast->use.is_pointer)
		return false;
	if (t->kind == TSDL_TYPE_ENUM)
		t = tsdl_literal(t->enumeration.container);
	return t->kind == TSDL_TYPE_FLOAT || t->kind == TSDL_TYPE_STRING || (t->kind == TSDL_TYPE_INTEGER && !t->number.clock);
}

static bool
make_use(struct tsdl_builder *b, struct tsdl_frame *up, const struct tsdl_type *ast, struct tn_field *field)
{
	struct tsdl_declaration *d = ast->use.declaration;
	struct tsdl_frame alias = { .up = up, .kind = TSDL_IN_ALIAS, .limit = d->limit };
	struct tsdl_frame *inside = up;
	bool is_direct = !b->naming, shared = is_shared(b, ast, is_direct);

	b->naming = false;
	if (shared && d->made) {
		field->type = d->made;
		return true;
	}
	if (d->home && (alias.home = find_home(up, d->home)))
		inside = &alias;
	if (ast->use.tag.n) {
		const struct tsdl_type *variant = tsdl_literal(d->type);

		if (!make_variant(b, up, &ast->use.tag, inside, variant, field))
			return false;
	} else {
		/*
		 * If the type is a name, it can refer to a declaration that this one hides. Its instance is then not
		 * shared.
		 */
		b->naming = d->type->kind == TSDL_TYPE_USE;
		if (!tn_tsdl_instance(b, inside, d->type, field))
			return false;
	}
	if (ast->align > field->type->align)
		field->type->align = (uint32_t)ast->align;
	if (ast->use.is_pointer && tn_type_is_integer(field->type))
		field->type->base = 16;
	field->type->alias = d->name->text;
	if (shared)
		d->made = field->type;
	return true;
}

bool
tn_tsdl_instance(struct tsdl_builder *b, struct tsdl_frame *up, const struct tsdl_type *ast, struct tn_field *field)
{
	static const struct tsdl_path no_tag;
	bool ok;

	if (++b->depth > MAX_DEPTH)
		return tn_tsdl_fail(b->u, ast->place, "more than %d levels of nested types", MAX_DEPTH);
	b->place = ast->place;
	switch (ast->kind) {
	case TSDL_TYPE_INTEGER: ok = make_integer(b, ast, field); break;
	case TSDL_TYPE_FLOAT: ok = make_float(b, ast, field); break;
	case TSDL_TYPE_STRING: ok = make_string(b, ast, field); break;
	case TSDL_TYPE_ENUM: ok = make_enum(b, ast, field); break;
	case TSDL_TYPE_STRUCT: ok = make_struct(b, up, ast, field); break;
	case TSDL_TYPE_VARIANT: ok = make_variant(b, up, ast->body.tag.n ? &ast->body.tag : &no_tag, up, ast, field); break;
	case TSDL_TYPE_ARRAY: ok = make_array(b, up, ast, field); break;
	default: ok = make_use(b, up, ast, field); break;
	}
	b->depth--;
	return ok;
}

bool
tn_tsdl_scope(struct tsdl_builder *b, int scope, const struct tsdl_type *type, struct tn_field **out)
{
	struct tsdl_root *root = &b->root[scope];
	struct tn_field *f;

	if (tsdl_literal(type)->kind != TSDL_TYPE_STRUCT)
		return tn_tsdl_fail(b->u, type->place, "a scope must be a structure");
	if (!(f = tn_tsdl_new_field(b, 1)))
		return false;
	*root = (struct tsdl_root) { .is_open = true };
	b->scope = scope;
	if (!tn_tsdl_instance(b, NULL, type, f))
		return false;
	root->is_open = false;
	root->field = f;
	*out = f;
	return true;
}
