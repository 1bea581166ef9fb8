#include "ctf/tsdl_parse.h"

#include <string.h>

#include "base/messages.h"
#include "base/str.h"

/* ---- type names ---- */

/* Join the words, with @between between them; @drop_const leaves out the word `const`. */
struct tsdl_word *
tn_tsdl_join(struct tsdl_parser *p, struct tsdl_word *const *word, size_t n, char between, bool drop_const)
{
	struct tn_str s = { 0 };
	struct tsdl_word *w = NULL;

	if (n == 1)
		return word[0];
	for (size_t i = 0; i < n; i++) {
		if (drop_const && word[i]->keyword == TSDL_CONST)
			continue;
		if (s.n)
			tn_str_putc(&s, between);
		tn_str_add(&s, word[i]->text, word[i]->n);
	}
	if (s.failed)
		tn_tsdl_fail_memory(p->u);
	else
		w = tn_tsdl_word(p->u, tn_str_text(&s), s.n);
	tn_str_release(&s);
	return w;
}

/* Make a type name from the words of @s. Together with a reference `struct NAME`, only `const` is allowed. */
static bool
name_of(struct tsdl_parser *p, const struct tsdl_specifiers *s, struct tsdl_type_name *out)
{
	const struct tsdl_specifier *reference = NULL;
	size_t n_words = 0;

	out->n = out->stars = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct tsdl_specifier *item = &s->item[i];

		if (!item->word || item->path.n || item->align)
			return tn_tsdl_fail(p->u, item->place, "a type cannot be part of the name of a type");
		reference = item->tag ? item : reference;
		n_words += item->tag || item->word->keyword != TSDL_CONST;
		if (reference && n_words > 1)
			return tn_tsdl_fail(p->u, reference->place, "a name, or a body and a tag, must follow");
		if (item->tag)
			out->word[out->n++] = item->tag;
		out->word[out->n++] = item->word;
	}
	return true;
}

static bool
parse_pointers(struct tsdl_parser *p, struct tsdl_type_name *name)
{
	while (p->token.kind == '*') {
		if (++name->stars > TSDL_MAX_WORDS)
			return tn_tsdl_fail(p->u, p->token.place, "more than %d stars", TSDL_MAX_WORDS);
		if (!(name->word[name->n++] = tn_tsdl_word(p->u, "*", 1)) || !tn_tsdl_advance(p))
			return false;
		if (tn_tsdl_at_keyword(p, TSDL_CONST)) {
			name->word[name->n++] = p->token.word;
			if (!tn_tsdl_advance(p))
				return false;
		}
	}
	return true;
}

static struct tsdl_type *
use_alias(struct tsdl_parser *p, const struct tsdl_type_name *name, struct tsdl_place place)
{
	struct tsdl_word *exact = tn_tsdl_join(p, name->word, name->n, ' ', false), *w = exact;
	struct tsdl_type *t;

	if (w && !w->declared[TSDL_ALIASES] && name->n > 1)
		w = tn_tsdl_join(p, name->word, name->n, ' ', true);	/* `const u8` is `u8`, unless `const u8` is an alias */
	if (!exact || !w)
		return NULL;
	if (!w->declared[TSDL_ALIASES]) {
		tn_tsdl_fail(p->u, place, "no type `%.100s` is declared", exact->text);
		return NULL;
	}
	t = tn_tsdl_use(p, w->declared[TSDL_ALIASES], place);
	if (t)
		t->use.is_pointer = name->stars > 0;
	return t;
}

static struct tsdl_type *
use_tag(struct tsdl_parser *p, const struct tsdl_specifier *item)
{
	enum tsdl_space space = item->tag->keyword == TSDL_STRUCT ? TSDL_STRUCTS
			      : item->tag->keyword == TSDL_ENUM ? TSDL_ENUMS : TSDL_VARIANTS;
	struct tsdl_declaration *d = item->word->declared[space];
	struct tsdl_type *t;

	if (!d) {
		tn_tsdl_fail(p->u, item->place, "no such type is declared");
		return NULL;
	}
	if (item->path.n && d->type->body.tag.n) {
		tn_tsdl_fail(p->u, item->path.place, "the variant has a tag already");
		return NULL;
	}
	if (!(t = tn_tsdl_use(p, d, item->place)))
		return NULL;
	if (space == TSDL_VARIANTS && !item->path.n && !p->u->bare_variant.n)
		p->u->bare_variant = item->place;
	t->use.tag = item->path;
	t->is_untagged = t->is_untagged && !item->path.n;
	t->align = item->align;
	return t;
}

/* The type that @s and the stars after it name. */
static struct tsdl_type *
type_of(struct tsdl_parser *p, const struct tsdl_specifiers *s)
{
	struct tsdl_place place = s->n ? tsdl_span(s->item[0].place, s->item[s->n - 1].place) : p->token.place;
	const struct tsdl_specifier *only = NULL;
	struct tsdl_type_name name;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!s->item[i].word || s->item[i].word->keyword != TSDL_CONST || s->item[i].tag) {
			only = &s->item[i];
			n++;
		}
	}
	if (n == 0) {
		tn_tsdl_unexpected(p, N_("a type"));
		return NULL;
	}
	if (n == 1 && p->token.kind != '*' && !only->word)
		return only->type;
	if (n == 1 && p->token.kind != '*' && only->tag)
		return use_tag(p, only);
	if (!name_of(p, s, &name) || !parse_pointers(p, &name))
		return NULL;
	return use_alias(p, &name, name.stars ? tsdl_span(place, p->last) : place);
}

/* ---- declarators ---- */

/* Read `[length]` suffixes; the leftmost one is the outermost array. */
static struct tsdl_type *
parse_arrays(struct tsdl_parser *p, struct tsdl_type *element)
{
	struct tsdl_type *array[TSDL_MAX_WORDS];
	size_t n = 0;

	for (; p->token.kind == '['; n++) {
		struct tsdl_value *length;

		if (n == TSDL_MAX_WORDS) {
			tn_tsdl_fail(p->u, p->token.place, "more than %d array suffixes", TSDL_MAX_WORDS);
			return NULL;
		}
		if (!(array[n] = tn_tsdl_node_type(p, TSDL_TYPE_ARRAY, p->token.place)) || !tn_tsdl_advance(p))
			return NULL;
		length = &array[n]->array.length;
		if (p->token.kind == TSDL_T_WORD) {
			length->kind = TSDL_VALUE_PATH;
			if (!tn_tsdl_parse_reference(p, &length->path))
				return NULL;
			length->place = length->path.place;
		} else if (!tn_tsdl_parse_value(p, length)) {
			return NULL;
		}
		if (length->kind == TSDL_VALUE_STRING || (length->is_negative && length->magnitude)) {
			tn_tsdl_fail(p->u, length->place, "the length of an array must be a number or a field");
			return NULL;
		}
		if (!tn_tsdl_expect(p, ']', "`]`"))
			return NULL;
		array[n]->place = tsdl_span(array[n]->place, p->last);
	}
	for (size_t i = n; i > 0; i--) {
		array[i - 1]->array.element = element;
		array[i - 1]->is_untagged = element->is_untagged;
		element = array[i - 1];
	}
	if (n > 1) {
		element->array.next_grid = p->u->grids;
		p->u->grids = element;
	}
	return element;
}

static bool
add_member(struct tsdl_parser *p, struct tsdl_type *body, struct tsdl_member **end, struct tsdl_word *name,
	   struct tsdl_place place, struct tsdl_type *type)
{
	struct tsdl_member *m;

	if (p->token.kind == ':')
		return tn_tsdl_fail(p->u, p->token.place, "bit-fields are not supported");
	if (type->is_untagged)
		return tn_tsdl_fail(p->u, place, "a variant needs a tag where it is used");
	if (!(m = TSDL_NEW(p, struct tsdl_member)))
		return false;
	*m = (struct tsdl_member) { .name = name, .place = place, .type = type };
	*end = m;
	body->body.n++;
	return true;
}

bool
tn_tsdl_parse_declarators(struct tsdl_parser *p, struct tsdl_specifiers *s, struct tsdl_type *body,
			  struct tsdl_member ***end)
{
	struct tsdl_specifier *last = &s->item[s->n - 1];
	struct tsdl_word *name = NULL;
	struct tsdl_place place = last->place;

	if (last->word && !last->tag && p->token.kind != '*') {
		name = last->word;
		if (name->keyword != TSDL_NO_KEYWORD)
			return tn_tsdl_fail(p->u, place, "a keyword cannot be declared");
		if (s->n == 1)
			return tn_tsdl_fail(p->u, place, "a type or a name is missing");
		s->n--;
	}
	for (;;) {
		struct tsdl_type *type = NULL;

		/* Each declared name has its own stars: `T *a, b`. */
		if (!(type = type_of(p, s)))
			return false;
		if (!name) {
			if (tn_tsdl_keyword(p) != TSDL_NO_KEYWORD)
				return tn_tsdl_fail(p->u, p->token.place, "a keyword cannot be declared");
			if (p->token.kind != TSDL_T_WORD)
				return tn_tsdl_unexpected(p, N_("a name"));
			name = p->token.word;
			place = p->token.place;
			if (!tn_tsdl_advance(p))
				return false;
		}
		if (!(type = parse_arrays(p, type)))
			return false;
		if (s->is_typedef) {
			if (!tn_tsdl_declare_alias(p, name, place, type))
				return false;
		} else {
			if (!add_member(p, body, *end, name, place, type))
				return false;
			*end = &(**end)->next;
		}
		if (p->token.kind != ',')
			return tn_tsdl_expect_semicolon(p);
		if (!tn_tsdl_advance(p))
			return false;
		name = NULL;
	}
}

bool
tn_tsdl_parse_typealias(struct tsdl_parser *p)
{
	struct tsdl_specifiers s;
	struct tsdl_type_name name;
	struct tsdl_type *type;
	struct tsdl_word *w;
	struct tsdl_place place;

	p->u->has_modern_words = true;
	if (!tn_tsdl_advance(p) || !(type = tn_tsdl_parse_type(p, true)) || !tn_tsdl_expect(p, TSDL_T_TYPE_ASSIGN, "`:=`"))
		return false;
	place = p->token.place;
	if (!tn_tsdl_parse_specifiers(p, NULL, &s))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (s.item[i].word && s.item[i].word->keyword > TSDL_LAST_TYPE_WORD)
			return tn_tsdl_fail(p->u, s.item[i].place, "a keyword cannot be declared");
	if (s.n == 0 || s.is_typedef)
		return tn_tsdl_unexpected(p, N_("the name of a type"));
	if (!name_of(p, &s, &name) || !parse_pointers(p, &name) || !(w = tn_tsdl_join(p, name.word, name.n, ' ', false)))
		return false;
	place = tsdl_span(place, p->last);
	return tn_tsdl_declare_alias(p, w, place, type) && tn_tsdl_expect_semicolon(p);
}

/* ---- literal types ---- */

/* Check that no two members have one name, compared as in the text. */
static bool
check_members(struct tsdl_parser *p, const struct tsdl_type *body)
{
	uint32_t mark = ++p->u->mark;

	for (const struct tsdl_member *m = body->body.member; m; m = m->next) {
		if (m->name->mark == mark)
			return tn_tsdl_fail(p->u, m->place, "already declared in the same %s",
					    body->kind == TSDL_TYPE_STRUCT ? _("structure") : _("variant"));
		m->name->mark = mark;
	}
	return true;
}

/* Parse one declaration in the body of a structure or variant. */
static bool
parse_member(struct tsdl_parser *p, struct tsdl_type *body, struct tsdl_member ***end)
{
	struct tsdl_specifiers s;

	if (p->token.kind == ';')
		return tn_tsdl_advance(p);
	if (tn_tsdl_at_keyword(p, TSDL_TYPEALIAS))
		return tn_tsdl_parse_typealias(p);
	if (!tn_tsdl_parse_specifiers(p, NULL, &s))
		return false;
	if (s.n == 0)
		return tn_tsdl_keyword(p) != TSDL_NO_KEYWORD ? tn_tsdl_fail(p->u, p->token.place, "a keyword cannot be declared")
							: tn_tsdl_unexpected(p, N_("a type or `}`"));
	if (s.n == 1 && !s.item[0].word && !s.is_typedef && p->token.kind == ';')
		return tn_tsdl_advance(p);	/* `struct NAME {...};` only declares a type */
	return tn_tsdl_parse_declarators(p, &s, body, end);
}

static bool
parse_body(struct tsdl_parser *p, struct tsdl_type *t)
{
	struct tsdl_member **end = &t->body.member;
	struct tsdl_scope scope;

	if (!tn_tsdl_enter(p) || !tn_tsdl_expect(p, '{', "`{`"))
		return false;
	tn_tsdl_open_scope(p, &scope, t);
	while (p->token.kind != '}')
		if (!parse_member(p, t, &end))
			return false;
	tn_tsdl_close_scope(p);
	p->depth--;
	return tn_tsdl_advance(p) && check_members(p, t);
}

static bool
parse_align(struct tsdl_parser *p, uint64_t *out)
{
	struct tsdl_value v;

	p->u->has_modern_words = true;
	return tn_tsdl_advance(p) && tn_tsdl_expect(p, '(', "`(`") && tn_tsdl_parse_value(p, &v) &&
	       tn_tsdl_expect(p, ')', "`)`") &&
	       tn_tsdl_alignment(p->u, &v, out);
}

/* Parse an optional tag name after `struct`, `enum`, `variant`. */
static bool
parse_tag_name(struct tsdl_parser *p, struct tsdl_specifier *out)
{
	if (p->token.kind != TSDL_T_WORD)
		return true;
	if (p->token.word->keyword != TSDL_NO_KEYWORD)
		return tn_tsdl_fail(p->u, p->token.place, "a keyword cannot be declared");
	out->word = p->token.word;
	return tn_tsdl_advance(p);
}

/* Make @out the literal type @t. Name and place of @out are already set. */
static bool
literal(struct tsdl_parser *p, struct tsdl_specifier *out, struct tsdl_type *t, enum tsdl_space space)
{
	struct tsdl_word *name = out->word;

	*out = (struct tsdl_specifier) { .type = t, .place = t->place };
	t->name = name;
	return !name || tn_tsdl_declare(p, space, name, t->place, t);
}

static bool
parse_struct(struct tsdl_parser *p, struct tsdl_specifier *out)
{
	struct tsdl_type *t;

	if (!parse_tag_name(p, out))
		return false;
	if (p->token.kind != '{') {
		if (!out->word)
			return tn_tsdl_unexpected(p, N_("a name or `{`"));
		return !tn_tsdl_at_keyword(p, TSDL_ALIGN) || parse_align(p, &out->align);
	}
	out->place = tsdl_span(out->place, p->last);
	if (!(t = tn_tsdl_node_type(p, TSDL_TYPE_STRUCT, out->place)) || !parse_body(p, t))
		return false;
	if (tn_tsdl_at_keyword(p, TSDL_ALIGN) && !parse_align(p, &t->align))
		return false;
	return literal(p, out, t, TSDL_STRUCTS);
}

static bool
parse_variant(struct tsdl_parser *p, struct tsdl_specifier *out)
{
	struct tsdl_type *t;

	if (!parse_tag_name(p, out))
		return false;
	if (p->token.kind == '<' && (!tn_tsdl_advance(p) || !tn_tsdl_parse_reference(p, &out->path) ||
				     !tn_tsdl_expect(p, '>', "`>`")))
		return false;
	if (p->token.kind != '{') {
		if (!out->word)
			return tn_tsdl_unexpected(p, "`{`");
		return true;
	}
	out->place = tsdl_span(out->place, p->last);
	if (!(t = tn_tsdl_node_type(p, TSDL_TYPE_VARIANT, out->place)))
		return false;
	t->body.tag = out->path;
	t->is_untagged = !t->body.tag.n;
	return parse_body(p, t) && literal(p, out, t, TSDL_VARIANTS);
}

/* The integer type of an enumeration without `: TYPE`: the type named `int`. */
static struct tsdl_type *
implicit_container(struct tsdl_parser *p, struct tsdl_place place)
{
	struct tsdl_type_name name = { .n = 1 };

	if (!(name.word[0] = tn_tsdl_word(p->u, "int", 3)))
		return NULL;
	return use_alias(p, &name, place);
}

static bool
parse_enumerator(struct tsdl_parser *p, struct tsdl_enumerator *e)
{
	if (p->token.kind != TSDL_T_WORD && p->token.kind != TSDL_T_TEXT)
		return tn_tsdl_unexpected(p, N_("a label"));
	*e = (struct tsdl_enumerator) { .label = p->token.word, .place = p->token.place };
	if (p->token.kind == TSDL_T_TEXT)
		e->label = tn_tsdl_word(p->u, p->token.text.at, p->token.text.n);
	if (!e->label || !tn_tsdl_advance(p))
		return false;
	if (p->token.kind != '=')
		return true;
	e->has_first = true;
	if (!tn_tsdl_advance(p) || !tn_tsdl_parse_value(p, &e->first))
		return false;
	if (p->token.kind != TSDL_T_ELLIPSIS)
		return true;
	e->has_last = true;
	return tn_tsdl_advance(p) && tn_tsdl_parse_value(p, &e->last);
}

static bool
parse_enumerators(struct tsdl_parser *p, struct tsdl_type *t)
{
	TN_ARRAY(struct tsdl_enumerator) list = { 0 };
	bool ok = tn_tsdl_expect(p, '{', "`{`");

	while (ok && p->token.kind != '}') {
		struct tsdl_enumerator *e = TN_ARRAY_ADD(&list);

		ok = e ? parse_enumerator(p, e) : tn_tsdl_fail_memory(p->u);
		if (ok && p->token.kind != '}')
			ok = tn_tsdl_expect(p, ',', N_("`,` or `}`"));
	}
	if (ok && list.n == 0 && p->u->empty_enum.n == 0)
		p->u->empty_enum = t->place;
	ok = ok && tn_tsdl_advance(p) && tn_tsdl_enumerate(p->u, t, list.item, list.n);
	TN_ARRAY_RELEASE(&list);
	return ok;
}

static bool
parse_enum(struct tsdl_parser *p, struct tsdl_specifier *out)
{
	struct tsdl_type *t, *container = NULL;

	if (!parse_tag_name(p, out))
		return false;
	if (p->token.kind == ':') {
		if (!tn_tsdl_advance(p) || !tn_tsdl_enter(p) || !(container = tn_tsdl_parse_type(p, false)))
			return false;
		p->depth--;
		if (p->token.kind != '{')
			return tn_tsdl_unexpected(p, "`{`");
	} else if (p->token.kind != '{') {
		if (!out->word)
			return tn_tsdl_unexpected(p, N_("a name, `:` or `{`"));
		return true;
	}
	out->place = tsdl_span(out->place, p->last);
	if (!container && !(container = implicit_container(p, out->place)))
		return false;
	if (!(t = tn_tsdl_node_type(p, TSDL_TYPE_ENUM, out->place)))
		return false;
	t->enumeration.container = container;
	return parse_enumerators(p, t) && literal(p, out, t, TSDL_ENUMS);
}

static bool
parse_attributed(struct tsdl_parser *p, enum tsdl_keyword keyword, struct tsdl_specifier *out)
{
	struct tsdl_entry *attribute = NULL;

	p->u->has_modern_words |= keyword != TSDL_INTEGER;
	if ((keyword != TSDL_STRING || p->token.kind == '{') && !tn_tsdl_parse_attributes(p, &attribute))
		return false;
	out->type = keyword == TSDL_INTEGER ? tn_tsdl_integer(p->u, out->place, attribute)
		  : keyword == TSDL_STRING ? tn_tsdl_string(p->u, out->place, attribute)
		  : tn_tsdl_float(p->u, out->place, attribute);
	return out->type != NULL;
}

/* Parse one specifier. Sets *found to false if there is none. */
static bool
parse_specifier(struct tsdl_parser *p, struct tsdl_specifier *out, bool *found)
{
	enum tsdl_keyword keyword = tn_tsdl_keyword(p);
	struct tsdl_word *word = p->token.word;

	*out = (struct tsdl_specifier) { .place = p->token.place };
	*found = p->token.kind == TSDL_T_WORD && keyword <= TSDL_STRING;
	if (!*found)
		return true;
	if (!tn_tsdl_advance(p))
		return false;
	switch (keyword) {
	case TSDL_STRUCT:
	case TSDL_ENUM:
	case TSDL_VARIANT:
		out->tag = word;
		if (!(keyword == TSDL_STRUCT ? parse_struct(p, out) : keyword == TSDL_ENUM ? parse_enum(p, out)
		      : parse_variant(p, out)))
			return false;
		if (!out->type)
			out->place = tsdl_span(out->place, p->last);
		return true;
	case TSDL_INTEGER:
	case TSDL_FLOATING_POINT:
	case TSDL_STRING:
		return parse_attributed(p, keyword, out);
	default:
		out->word = word;
		return true;
	}
}

bool
tn_tsdl_parse_specifiers(struct tsdl_parser *p, const struct tsdl_specifier *first, struct tsdl_specifiers *out)
{
	out->n = 0;
	out->is_typedef = false;
	if (first)
		out->item[out->n++] = *first;
	for (;;) {
		struct tsdl_specifier one;
		bool found;

		if (tn_tsdl_at_keyword(p, TSDL_TYPEDEF)) {
			out->is_typedef = true;
			if (!tn_tsdl_advance(p))
				return false;
			continue;
		}
		if (!parse_specifier(p, &one, &found))
			return false;
		if (!found) {
			/* The declared name is missing, and a keyword is in its place. */
			if (out->n && tn_tsdl_keyword(p) != TSDL_NO_KEYWORD)
				return tn_tsdl_fail(p->u, p->token.place, "a keyword cannot be declared");
			return true;
		}
		if (out->n == TSDL_MAX_WORDS)
			return tn_tsdl_fail(p->u, one.place, "the type has more than %d words", TSDL_MAX_WORDS);
		out->item[out->n++] = one;
	}
}

/* Parse a type without a declared name. */
struct tsdl_type *
tn_tsdl_parse_type(struct tsdl_parser *p, bool with_arrays)
{
	struct tsdl_specifiers s;
	struct tsdl_type *t;

	if (!tn_tsdl_parse_specifiers(p, NULL, &s))
		return NULL;
	if (s.is_typedef || s.n == 0) {
		tn_tsdl_unexpected(p, N_("a type"));
		return NULL;
	}
	t = type_of(p, &s);
	return t && with_arrays ? parse_arrays(p, t) : t;
}

