#include "ctf/tsdl_parser.h"

#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "ctf/tsdl_lexer.h"

#define MAX_DEPTH 128		/* types inside types */
#define MAX_WORDS 24		/* in one type name; stars behind it; suffixes of one array */
#define MAX_PATH 64		/* names in one path */

/* Where declarations go. */
struct scope {
	struct scope *up;
	uint32_t number;
	struct tsdl_declaration *declared;	/* newest first */
	struct tsdl_type *home;		/* the structure or variant whose body this is */
};

struct parser {
	struct tsdl_unit *u;
	struct tsdl_lexer lexer;
	struct tsdl_token token;	/* the one to look at */
	struct tsdl_place last;		/* the one before it */
	struct scope *scope;
	uint32_t n_scopes;
	unsigned depth;
};

/* A word of a type name, a literal type, or a reference `struct NAME`. */
struct specifier {
	struct tsdl_word *word;		/* NULL for a literal */
	struct tsdl_word *tag;		/* `struct`, `enum` or `variant` of a reference, else NULL */
	struct tsdl_type *type;		/* of a literal */
	struct tsdl_path path;		/* <path> of a reference to a variant */
	uint64_t align;			/* of a reference to a structure */
	struct tsdl_place place;
};

/* What stands in front of a declared name, or a type name alone. */
struct specifiers {
	struct specifier item[MAX_WORDS];
	size_t n;
	bool is_typedef;
};

/* Words, then stars. */
struct type_name {
	struct tsdl_word *word[4 * MAX_WORDS];
	size_t n;
	size_t stars;
};

static bool parse_specifiers(struct parser *p, const struct specifier *first, struct specifiers *out);
static struct tsdl_type *parse_type(struct parser *p, bool with_arrays);

/* ---- tokens ---- */

static bool
advance(struct parser *p)
{
	p->last = p->token.place;
	return tn_tsdl_next(&p->lexer, &p->token);
}

static bool
at_keyword(const struct parser *p, enum tsdl_keyword keyword)
{
	return p->token.kind == TSDL_T_WORD && p->token.word->keyword == keyword;
}

static enum tsdl_keyword
keyword_of(const struct parser *p)
{
	return p->token.kind == TSDL_T_WORD ? p->token.word->keyword : TSDL_NO_KEYWORD;
}

static bool
unexpected(struct parser *p, const char *wanted)
{
	return tn_tsdl_fail(p->u, p->token.place, "%s is needed here", wanted);
}

static bool
expect(struct parser *p, int kind, const char *wanted)
{
	return p->token.kind == kind ? advance(p) : unexpected(p, wanted);
}

/*
 * The `;` of a declaration, member or attribute. It may be missing before a `}`, where some tracers
 * forget it, and behind the last one of the text.
 */
static bool
expect_semicolon(struct parser *p)
{
	bool at_end = p->token.kind == TSDL_T_END && p->last.n == 1 && p->u->text[p->last.at] == '}';

	if (p->token.kind != '}' && !at_end)
		return expect(p, ';', "`;`");
	if (!p->u->told_semicolon)
		tn_tsdl_tell(p->u, TN_WARNING, p->token.place, "`;` is missing before it (told once)");
	p->u->told_semicolon = true;
	return true;
}

static void *
new_node(struct parser *p, size_t size)
{
	void *node = tn_arena_alloc(&p->u->arena, size);

	if (!node)
		tn_tsdl_fail_memory(p->u);
	return node;
}

#define NEW(p, type) ((type *)new_node((p), sizeof(type)))

static struct tsdl_type *
new_type(struct parser *p, enum tsdl_type_kind kind, struct tsdl_place place)
{
	struct tsdl_type *t = NEW(p, struct tsdl_type);

	if (t) {
		t->kind = kind;
		t->place = place;
	}
	return t;
}

static bool
enter(struct parser *p)
{
	if (++p->depth > MAX_DEPTH)
		return tn_tsdl_fail(p->u, p->token.place, "more than %d levels of types inside each other", MAX_DEPTH);
	return true;
}

/* ---- scopes ---- */

static void
open_scope(struct parser *p, struct scope *s, struct tsdl_type *home)
{
	*s = (struct scope) { .up = p->scope, .number = ++p->n_scopes, .home = home };
	p->scope = s;
}

static void
close_scope(struct parser *p)
{
	for (struct tsdl_declaration *d = p->scope->declared; d; d = d->next)
		d->name->declared[d->space] = d->outer;
	p->scope = p->scope->up;
}

static bool
declare(struct parser *p, enum tsdl_space space, struct tsdl_word *name, struct tsdl_place place,
	struct tsdl_type *type)
{
	struct tsdl_declaration *outer = name->declared[space], *d;

	if (outer && outer->scope == p->scope->number)
		return tn_tsdl_fail(p->u, place, "declared before in the same scope");
	if (!(d = NEW(p, struct tsdl_declaration)))
		return false;
	*d = (struct tsdl_declaration) {
		.name = name, .space = space, .place = place, .type = type, .scope = p->scope->number,
		.home = p->scope->home, .limit = p->scope->home ? p->scope->home->body.n : 0,
		.outer = outer, .next = p->scope->declared,
	};
	name->declared[space] = d;
	p->scope->declared = d;
	*p->u->declaration_end = d;
	p->u->declaration_end = &d->later;
	p->u->n_declarations++;
	return true;
}

static bool
declare_alias(struct parser *p, struct tsdl_word *name, struct tsdl_place place, struct tsdl_type *type)
{
	if (type->is_untagged)
		return tn_tsdl_fail(p->u, place, "a variant without a tag cannot have an alias: write `variant %s {...};`",
				    name->text);
	return declare(p, TSDL_ALIASES, name, place, type);
}

static struct tsdl_type *
use(struct parser *p, struct tsdl_declaration *d, struct tsdl_place place)
{
	struct tsdl_type *t = new_type(p, TSDL_TYPE_USE, place);

	if (t) {
		d->used = true;
		t->name = d->name;
		t->is_untagged = d->type->is_untagged;
		t->use.declaration = d;
		t->use.literal = tsdl_literal(d->type);
	}
	return t;
}

/* ---- values ---- */

/* Words with dots (or, in the KEDR dialect, arrows) between them. */
static bool
parse_path(struct parser *p, struct tsdl_path *out)
{
	struct tsdl_word *word[MAX_PATH];
	struct tsdl_place from = p->token.place;

	for (out->n = 0; ; ) {
		if (p->token.kind != TSDL_T_WORD)
			return unexpected(p, "a name");
		if (out->n == MAX_PATH)
			return tn_tsdl_fail(p->u, tsdl_span(from, p->token.place), "path of more than %d names", MAX_PATH);
		word[out->n++] = p->token.word;
		if (!advance(p))
			return false;
		if (p->token.kind != '.' && p->token.kind != TSDL_T_ARROW)
			break;
		if (!advance(p))
			return false;
	}
	out->place = tsdl_span(from, p->last);
	out->word = TN_NEW_ARRAY(&p->u->arena, out->n, struct tsdl_word *);
	if (!out->word)
		return tn_tsdl_fail_memory(p->u);
	memcpy(out->word, word, out->n * sizeof *word);
	return true;
}

/* The tag of a variant, the length of a sequence: only what begins a scope may be a keyword. */
static bool
parse_reference(struct parser *p, struct tsdl_path *out)
{
	enum tsdl_keyword k = keyword_of(p);

	if (k != TSDL_NO_KEYWORD && k != TSDL_TRACE && k != TSDL_STREAM && k != TSDL_EVENT && k != TSDL_ENV)
		return tn_tsdl_fail(p->u, p->token.place, "a keyword cannot name a field");
	return parse_path(p, out);
}

static bool
parse_number(struct parser *p, struct tsdl_value *out)
{
	struct tsdl_place from = p->token.place;

	out->kind = TSDL_VALUE_NUMBER;
	if (p->token.kind == '-' || p->token.kind == '+') {
		out->is_negative = p->token.kind == '-';
		if (!advance(p))
			return false;
	}
	if (p->token.kind != TSDL_T_NUMBER)
		return unexpected(p, "an integer");
	out->magnitude = p->token.number;
	if (!advance(p))
		return false;
	out->place = tsdl_span(from, p->last);
	if (out->is_negative && out->magnitude > UINT64_C(1) << 63)
		return tn_tsdl_fail(p->u, out->place, "integer of more than 64 bits");
	return true;
}

static bool
parse_value(struct parser *p, struct tsdl_value *out)
{
	unsigned parentheses = 0;

	memset(out, 0, sizeof *out);
	for (; p->token.kind == '('; parentheses++)
		if (!advance(p))
			return false;
	if (p->token.kind == TSDL_T_TEXT) {
		out->kind = TSDL_VALUE_STRING;
		out->string = p->token.word;
		out->place = p->token.place;
		if (!advance(p))
			return false;
	} else if (p->token.kind == TSDL_T_WORD) {
		out->kind = TSDL_VALUE_PATH;
		if (!parse_path(p, &out->path))
			return false;
		out->place = out->path.place;
	} else if (p->token.kind == '-' || p->token.kind == '+' || p->token.kind == TSDL_T_NUMBER) {
		if (!parse_number(p, out))
			return false;
	} else {
		return unexpected(p, "a value");
	}
	for (; parentheses; parentheses--)
		if (!expect(p, ')', "`)`"))
			return false;
	return true;
}

/* `{ name = value; ... }` of an integer, floating point number or string. */
static bool
parse_attributes(struct parser *p, struct tsdl_entry **first)
{
	struct tsdl_entry **end = first, *e;

	*first = NULL;
	if (!expect(p, '{', "`{`"))
		return false;
	while (p->token.kind != '}') {
		if (p->token.kind == ';') {
			if (!advance(p))
				return false;
			continue;
		}
		if (p->token.kind != TSDL_T_WORD)
			return unexpected(p, "the name of an attribute or `}`");
		if (!(e = NEW(p, struct tsdl_entry)))
			return false;
		e->name = p->token.word;
		e->place = p->token.place;
		if (!advance(p) || !expect(p, '=', "`=`") || !parse_value(p, &e->value) || !expect_semicolon(p))
			return false;
		*end = e;
		end = &e->next;
	}
	return advance(p);
}

/* ---- type names ---- */

/* The words as one, with @between them; @drop_const leaves out that one. */
static struct tsdl_word *
join(struct parser *p, struct tsdl_word *const *word, size_t n, char between, bool drop_const)
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

/* The words of @s; a reference `struct NAME` stands for itself, beside nothing but `const`. */
static bool
name_of(struct parser *p, const struct specifiers *s, struct type_name *out)
{
	const struct specifier *reference = NULL;
	size_t n_words = 0;

	out->n = out->stars = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct specifier *item = &s->item[i];

		if (!item->word || item->path.n || item->align)
			return tn_tsdl_fail(p->u, item->place, "a type cannot be part of the name of a type");
		reference = item->tag ? item : reference;
		n_words += item->tag || item->word->keyword != TSDL_CONST;
		if (reference && n_words > 1)
			return tn_tsdl_fail(p->u, reference->place, "neither a name nor a body and a tag follow it");
		if (item->tag)
			out->word[out->n++] = item->tag;
		out->word[out->n++] = item->word;
	}
	return true;
}

static bool
parse_pointers(struct parser *p, struct type_name *name)
{
	while (p->token.kind == '*') {
		if (++name->stars > MAX_WORDS)
			return tn_tsdl_fail(p->u, p->token.place, "more than %d stars", MAX_WORDS);
		if (!(name->word[name->n++] = tn_tsdl_word(p->u, "*", 1)) || !advance(p))
			return false;
		if (at_keyword(p, TSDL_CONST)) {
			name->word[name->n++] = p->token.word;
			if (!advance(p))
				return false;
		}
	}
	return true;
}

static struct tsdl_type *
use_alias(struct parser *p, const struct type_name *name, struct tsdl_place place)
{
	struct tsdl_word *exact = join(p, name->word, name->n, ' ', false), *w = exact;
	struct tsdl_type *t;

	if (w && !w->declared[TSDL_ALIASES] && name->n > 1)
		w = join(p, name->word, name->n, ' ', true);	/* `const u8` is `u8` unless it has an alias of its own */
	if (!exact || !w)
		return NULL;
	if (!w->declared[TSDL_ALIASES]) {
		tn_tsdl_fail(p->u, place, "no type `%.100s` is declared", exact->text);
		return NULL;
	}
	t = use(p, w->declared[TSDL_ALIASES], place);
	if (t)
		t->use.is_pointer = name->stars > 0;
	return t;
}

static struct tsdl_type *
use_tag(struct parser *p, const struct specifier *item)
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
	if (!(t = use(p, d, item->place)))
		return NULL;
	t->use.tag = item->path;
	t->is_untagged = t->is_untagged && !item->path.n;
	t->align = item->align;
	return t;
}

/* The type that @s and the stars behind it are the name of. */
static struct tsdl_type *
type_of(struct parser *p, const struct specifiers *s)
{
	struct tsdl_place place = s->n ? tsdl_span(s->item[0].place, s->item[s->n - 1].place) : p->token.place;
	const struct specifier *only = NULL;
	struct type_name name;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!s->item[i].word || s->item[i].word->keyword != TSDL_CONST || s->item[i].tag) {
			only = &s->item[i];
			n++;
		}
	}
	if (n == 0) {
		unexpected(p, "a type");
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

/* `[length]`s: the leftmost is the outermost. */
static struct tsdl_type *
parse_arrays(struct parser *p, struct tsdl_type *element)
{
	struct tsdl_type *array[MAX_WORDS];
	size_t n = 0;

	for (; p->token.kind == '['; n++) {
		struct tsdl_value *length;

		if (n == MAX_WORDS) {
			tn_tsdl_fail(p->u, p->token.place, "more than %d array suffixes", MAX_WORDS);
			return NULL;
		}
		if (!(array[n] = new_type(p, TSDL_TYPE_ARRAY, p->token.place)) || !advance(p))
			return NULL;
		length = &array[n]->array.length;
		if (p->token.kind == TSDL_T_WORD) {
			length->kind = TSDL_VALUE_PATH;
			if (!parse_reference(p, &length->path))
				return NULL;
			length->place = length->path.place;
		} else if (!parse_value(p, length)) {
			return NULL;
		}
		if (length->kind == TSDL_VALUE_STRING || (length->is_negative && length->magnitude)) {
			tn_tsdl_fail(p->u, length->place, "the length of an array is a number or a field");
			return NULL;
		}
		if (!expect(p, ']', "`]`"))
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
add_member(struct parser *p, struct tsdl_type *body, struct tsdl_member **end, struct tsdl_word *name,
	   struct tsdl_place place, struct tsdl_type *type)
{
	struct tsdl_member *m;

	if (p->token.kind == ':')
		return tn_tsdl_fail(p->u, p->token.place, "bit-fields are not supported");
	if (type->is_untagged)
		return tn_tsdl_fail(p->u, place, "a variant needs a tag where it is used");
	if (!(m = NEW(p, struct tsdl_member)))
		return false;
	*m = (struct tsdl_member) { .name = name, .place = place, .type = type };
	*end = m;
	body->body.n++;
	return true;
}

/*
 * The declared names behind @s, to the `;`: members of @body (at its *end), or aliases when @s is a
 * typedef. The first name is the last word of @s, unless stars follow it.
 */
static bool
parse_declarators(struct parser *p, struct specifiers *s, struct tsdl_type *body, struct tsdl_member ***end)
{
	struct specifier *last = &s->item[s->n - 1];
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

		/* A type of stars is a name of its own for each declared name: `T *a, b`. */
		if (!(type = type_of(p, s)))
			return false;
		if (!name) {
			if (keyword_of(p) != TSDL_NO_KEYWORD)
				return tn_tsdl_fail(p->u, p->token.place, "a keyword cannot be declared");
			if (p->token.kind != TSDL_T_WORD)
				return unexpected(p, "a name");
			name = p->token.word;
			place = p->token.place;
			if (!advance(p))
				return false;
		}
		if (!(type = parse_arrays(p, type)))
			return false;
		if (s->is_typedef) {
			if (!declare_alias(p, name, place, type))
				return false;
		} else {
			if (!add_member(p, body, *end, name, place, type))
				return false;
			*end = &(**end)->next;
		}
		if (p->token.kind != ',')
			return expect_semicolon(p);
		if (!advance(p))
			return false;
		name = NULL;
	}
}

/* `typealias TYPE := NAME;` */
static bool
parse_typealias(struct parser *p)
{
	struct specifiers s;
	struct type_name name;
	struct tsdl_type *type;
	struct tsdl_word *w;
	struct tsdl_place place;

	p->u->has_modern_words = true;
	if (!advance(p) || !(type = parse_type(p, true)) || !expect(p, TSDL_T_TYPE_ASSIGN, "`:=`"))
		return false;
	place = p->token.place;
	if (!parse_specifiers(p, NULL, &s))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (s.item[i].word && s.item[i].word->keyword > TSDL_LAST_TYPE_WORD)
			return tn_tsdl_fail(p->u, s.item[i].place, "a keyword cannot be declared");
	if (s.n == 0 || s.is_typedef)
		return unexpected(p, "the name of a type");
	if (!name_of(p, &s, &name) || !parse_pointers(p, &name) || !(w = join(p, name.word, name.n, ' ', false)))
		return false;
	place = tsdl_span(place, p->last);
	return declare_alias(p, w, place, type) && expect_semicolon(p);
}

/* ---- literal types ---- */

/* No two members of one name, compared as written. */
static bool
check_members(struct parser *p, const struct tsdl_type *body)
{
	uint32_t mark = ++p->u->mark;

	for (const struct tsdl_member *m = body->body.member; m; m = m->next) {
		if (m->name->mark == mark)
			return tn_tsdl_fail(p->u, m->place, "declared before in the same %s",
					    body->kind == TSDL_TYPE_STRUCT ? "structure" : "variant");
		m->name->mark = mark;
	}
	return true;
}

/* One declaration of a structure's or variant's body. */
static bool
parse_member(struct parser *p, struct tsdl_type *body, struct tsdl_member ***end)
{
	struct specifiers s;

	if (p->token.kind == ';')
		return advance(p);
	if (at_keyword(p, TSDL_TYPEALIAS))
		return parse_typealias(p);
	if (!parse_specifiers(p, NULL, &s))
		return false;
	if (s.n == 0)
		return keyword_of(p) != TSDL_NO_KEYWORD ? tn_tsdl_fail(p->u, p->token.place, "a keyword cannot be declared")
							: unexpected(p, "a type or `}`");
	if (s.n == 1 && !s.item[0].word && !s.is_typedef && p->token.kind == ';')
		return advance(p);	/* `struct NAME {...};` only declares */
	return parse_declarators(p, &s, body, end);
}

static bool
parse_body(struct parser *p, struct tsdl_type *t)
{
	struct tsdl_member **end = &t->body.member;
	struct scope scope;

	if (!enter(p) || !expect(p, '{', "`{`"))
		return false;
	open_scope(p, &scope, t);
	while (p->token.kind != '}')
		if (!parse_member(p, t, &end))
			return false;
	close_scope(p);
	p->depth--;
	return advance(p) && check_members(p, t);
}

static bool
parse_align(struct parser *p, uint64_t *out)
{
	struct tsdl_value v;

	p->u->has_modern_words = true;
	return advance(p) && expect(p, '(', "`(`") && parse_value(p, &v) && expect(p, ')', "`)`") &&
	       tn_tsdl_alignment(p->u, &v, out);
}

/* An optional tag name behind `struct`, `enum`, `variant`. */
static bool
parse_tag_name(struct parser *p, struct specifier *out)
{
	if (p->token.kind != TSDL_T_WORD)
		return true;
	if (p->token.word->keyword != TSDL_NO_KEYWORD)
		return tn_tsdl_fail(p->u, p->token.place, "a keyword cannot be declared");
	out->word = p->token.word;
	return advance(p);
}

/* Make @out, of which name and place are known, the literal type @t. */
static bool
literal(struct parser *p, struct specifier *out, struct tsdl_type *t, enum tsdl_space space)
{
	struct tsdl_word *name = out->word;

	*out = (struct specifier) { .type = t, .place = t->place };
	t->name = name;
	return !name || declare(p, space, name, t->place, t);
}

static bool
parse_struct(struct parser *p, struct specifier *out)
{
	struct tsdl_type *t;

	if (!parse_tag_name(p, out))
		return false;
	if (p->token.kind != '{') {
		if (!out->word)
			return unexpected(p, "a name or `{`");
		return !at_keyword(p, TSDL_ALIGN) || parse_align(p, &out->align);
	}
	out->place = tsdl_span(out->place, p->last);
	if (!(t = new_type(p, TSDL_TYPE_STRUCT, out->place)) || !parse_body(p, t))
		return false;
	if (at_keyword(p, TSDL_ALIGN) && !parse_align(p, &t->align))
		return false;
	return literal(p, out, t, TSDL_STRUCTS);
}

static bool
parse_variant(struct parser *p, struct specifier *out)
{
	struct tsdl_type *t;

	if (!parse_tag_name(p, out))
		return false;
	if (p->token.kind == '<' && (!advance(p) || !parse_reference(p, &out->path) || !expect(p, '>', "`>`")))
		return false;
	if (p->token.kind != '{') {
		if (!out->word)
			return unexpected(p, "`{`");
		return true;
	}
	out->place = tsdl_span(out->place, p->last);
	if (!(t = new_type(p, TSDL_TYPE_VARIANT, out->place)))
		return false;
	t->body.tag = out->path;
	t->is_untagged = !t->body.tag.n;
	return parse_body(p, t) && literal(p, out, t, TSDL_VARIANTS);
}

/* The integer type an enumeration without `: TYPE` is made of: what is called `int`. */
static struct tsdl_type *
implicit_container(struct parser *p, struct tsdl_place place)
{
	struct type_name name = { .n = 1 };

	if (!(name.word[0] = tn_tsdl_word(p->u, "int", 3)))
		return NULL;
	return use_alias(p, &name, place);
}

static bool
parse_enumerator(struct parser *p, struct tsdl_enumerator *e)
{
	if (p->token.kind != TSDL_T_WORD && p->token.kind != TSDL_T_TEXT)
		return unexpected(p, "a label");
	*e = (struct tsdl_enumerator) { .label = p->token.word, .place = p->token.place };
	if (!advance(p))
		return false;
	if (p->token.kind != '=')
		return true;
	e->has_first = true;
	if (!advance(p) || !parse_value(p, &e->first))
		return false;
	if (p->token.kind != TSDL_T_ELLIPSIS)
		return true;
	e->has_last = true;
	return advance(p) && parse_value(p, &e->last);
}

static bool
parse_enumerators(struct parser *p, struct tsdl_type *t)
{
	TN_ARRAY(struct tsdl_enumerator) list = { 0 };
	bool ok = expect(p, '{', "`{`");

	while (ok && p->token.kind != '}') {
		struct tsdl_enumerator *e = TN_ARRAY_ADD(&list);

		ok = e ? parse_enumerator(p, e) : tn_tsdl_fail_memory(p->u);
		if (ok && p->token.kind != '}')
			ok = expect(p, ',', "`,` or `}`");
	}
	if (ok && list.n == 0 && p->u->empty_enum.n == 0)
		p->u->empty_enum = t->place;
	ok = ok && advance(p) && tn_tsdl_enumerate(p->u, t, list.item, list.n);
	TN_ARRAY_RELEASE(&list);
	return ok;
}

static bool
parse_enum(struct parser *p, struct specifier *out)
{
	struct tsdl_type *t, *container = NULL;

	if (!parse_tag_name(p, out))
		return false;
	if (p->token.kind == ':') {
		if (!advance(p) || !enter(p) || !(container = parse_type(p, false)))
			return false;
		p->depth--;
		if (p->token.kind != '{')
			return unexpected(p, "`{`");
	} else if (p->token.kind != '{') {
		if (!out->word)
			return unexpected(p, "a name, `:` or `{`");
		return true;
	}
	out->place = tsdl_span(out->place, p->last);
	if (!container && !(container = implicit_container(p, out->place)))
		return false;
	if (!(t = new_type(p, TSDL_TYPE_ENUM, out->place)))
		return false;
	t->enumeration.container = container;
	return parse_enumerators(p, t) && literal(p, out, t, TSDL_ENUMS);
}

static bool
parse_attributed(struct parser *p, enum tsdl_keyword keyword, struct specifier *out)
{
	struct tsdl_entry *attribute = NULL;

	p->u->has_modern_words |= keyword != TSDL_INTEGER;
	if ((keyword != TSDL_STRING || p->token.kind == '{') && !parse_attributes(p, &attribute))
		return false;
	out->type = keyword == TSDL_INTEGER ? tn_tsdl_integer(p->u, out->place, attribute)
		  : keyword == TSDL_STRING ? tn_tsdl_string(p->u, out->place, attribute)
		  : tn_tsdl_float(p->u, out->place, attribute);
	return out->type != NULL;
}

/* One specifier. Sets *found to whether there was one. */
static bool
parse_specifier(struct parser *p, struct specifier *out, bool *found)
{
	enum tsdl_keyword keyword = keyword_of(p);
	struct tsdl_word *word = p->token.word;

	*out = (struct specifier) { .place = p->token.place };
	*found = p->token.kind == TSDL_T_WORD && keyword <= TSDL_STRING;
	if (!*found)
		return true;
	if (!advance(p))
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

static bool
parse_specifiers(struct parser *p, const struct specifier *first, struct specifiers *out)
{
	out->n = 0;
	out->is_typedef = false;
	if (first)
		out->item[out->n++] = *first;
	for (;;) {
		struct specifier one;
		bool found;

		if (at_keyword(p, TSDL_TYPEDEF)) {
			out->is_typedef = true;
			if (!advance(p))
				return false;
			continue;
		}
		if (!parse_specifier(p, &one, &found))
			return false;
		if (!found) {
			/* A keyword where the declared name would be. */
			if (out->n && keyword_of(p) != TSDL_NO_KEYWORD)
				return tn_tsdl_fail(p->u, p->token.place, "a keyword cannot be declared");
			return true;
		}
		if (out->n == MAX_WORDS)
			return tn_tsdl_fail(p->u, one.place, "a type of more than %d words", MAX_WORDS);
		out->item[out->n++] = one;
	}
}

/* A type without a declared name. */
static struct tsdl_type *
parse_type(struct parser *p, bool with_arrays)
{
	struct specifiers s;
	struct tsdl_type *t;

	if (!parse_specifiers(p, NULL, &s))
		return NULL;
	if (s.is_typedef || s.n == 0) {
		unexpected(p, "a type");
		return NULL;
	}
	t = type_of(p, &s);
	return t && with_arrays ? parse_arrays(p, t) : t;
}

/* ---- blocks ---- */

/* Whether the token begins a declaration rather than `name = ...`. */
static bool
at_declaration(const struct parser *p)
{
	enum tsdl_keyword k = keyword_of(p);

	return k == TSDL_TYPEDEF || (k >= TSDL_CONST && k <= TSDL_STRING && k != TSDL_SIGNED);
}

/* A declaration outside of structures, whose first word may have been read already. */
static bool
parse_declaration(struct parser *p, const struct specifier *first)
{
	struct specifiers s;

	if (!parse_specifiers(p, first, &s))
		return false;
	if (s.is_typedef)
		return s.n ? parse_declarators(p, &s, NULL, NULL) : unexpected(p, "a type");
	if (s.n == 0)
		return unexpected(p, "a declaration");
	for (size_t i = 0; i < s.n; i++)
		if (s.item[i].word)
			return tn_tsdl_fail(p->u, s.item[i].place, "declares nothing");
	if (s.n > 1)	/* `struct a {...} struct b {...};` */
		tn_tsdl_tell(p->u, TN_WARNING, s.item[1].place, "`;` is missing before it");
	p->u->n_declarations++;
	return expect_semicolon(p);
}

/* `path = value;` or `path := type;` */
static bool
parse_assignment(struct parser *p, const struct tsdl_path *path, bool has_types, struct tsdl_entry ***end)
{
	struct tsdl_entry *e = NEW(p, struct tsdl_entry);

	if (!e || !(e->name = join(p, path->word, path->n, '.', false)))
		return false;
	e->place = path->place;
	e->is_type = has_types && p->token.kind == TSDL_T_TYPE_ASSIGN;
	if (e->is_type) {
		if (!advance(p) || !(e->type = parse_type(p, true)))
			return false;
	} else if (!expect(p, '=', has_types ? "`=` or `:=`" : "`=`") || !parse_value(p, &e->value)) {
		return false;
	}
	**end = e;
	*end = &e->next;
	return expect_semicolon(p);
}

static bool
parse_entry(struct parser *p, enum tsdl_keyword block, struct tsdl_entry ***end)
{
	bool has_types = block == TSDL_TRACE || block == TSDL_STREAM || block == TSDL_EVENT;
	struct tsdl_path path;

	if (p->token.kind == ';')
		return advance(p);
	if (has_types && at_keyword(p, TSDL_TYPEALIAS))
		return parse_typealias(p);
	if (has_types && at_declaration(p))
		return parse_declaration(p, NULL);
	if (p->token.kind != TSDL_T_WORD)
		return unexpected(p, "a name or `}`");
	if (!parse_path(p, &path))
		return false;
	/* `u8 typedef byte;` */
	if (has_types && path.n == 1 && (p->token.kind == TSDL_T_WORD || p->token.kind == '*'))
		return parse_declaration(p, &(struct specifier) { .word = path.word[0], .place = path.place });
	return parse_assignment(p, &path, has_types, end);
}

static bool
parse_block(struct parser *p)
{
	struct tsdl_block *b = NEW(p, struct tsdl_block);
	struct tsdl_entry **end;
	struct scope scope;

	if (!b)
		return false;
	*b = (struct tsdl_block) { .keyword = keyword_of(p), .place = p->token.place };
	p->u->has_modern_words |= b->keyword == TSDL_ENV || b->keyword == TSDL_CLOCK || b->keyword == TSDL_CALLSITE;
	end = &b->entry;
	if (!advance(p) || !expect(p, '{', "`{`"))
		return false;
	open_scope(p, &scope, NULL);
	while (p->token.kind != '}')
		if (!parse_entry(p, b->keyword, &end))
			return false;
	close_scope(p);
	if (!advance(p) || !expect_semicolon(p))
		return false;
	*p->u->block_end = b;
	p->u->block_end = &b->next;
	p->u->n_declarations++;
	return true;
}

static bool
parse_item(struct parser *p)
{
	switch (keyword_of(p)) {
	case TSDL_TRACE:
	case TSDL_ENV:
	case TSDL_CLOCK:
	case TSDL_STREAM:
	case TSDL_EVENT:
	case TSDL_CALLSITE:
		return parse_block(p);
	case TSDL_TYPEALIAS:
		return parse_typealias(p);
	default:
		if (p->token.kind == '}')
			return unexpected(p, "a declaration");
		return p->token.kind == ';' ? advance(p) : parse_declaration(p, NULL);
	}
}

static bool
has_block(const struct tsdl_unit *u, enum tsdl_keyword keyword)
{
	for (const struct tsdl_block *b = u->block; b; b = b->next)
		if (b->keyword == keyword)
			return true;
	return false;
}

/*
 * A trace that is being recorded may have metadata that ends in the middle of a declaration:
 * everything before it can be used.
 */
static bool
forgive_cut(struct parser *p, struct tsdl_place from)
{
	if (p->token.kind != TSDL_T_END || p->u->code != TN_ERR_FORMAT || !has_block(p->u, TSDL_TRACE))
		return false;
	p->u->code = TN_OK;
	tn_tsdl_tell(p->u, TN_WARNING, from, "the text ends inside this declaration, which is ignored");
	return true;
}

bool
tn_tsdl_parse(struct tsdl_unit *u)
{
	struct parser p = { .u = u, .lexer = { .unit = u } };
	struct scope root;
	bool ok;

	open_scope(&p, &root, NULL);
	for (ok = advance(&p); ok && p.token.kind != TSDL_T_END;) {
		struct tsdl_place from = p.token.place;

		if (!(ok = parse_item(&p)) && forgive_cut(&p, from))
			return true;
	}
	if (ok && u->n_declarations == 0)
		return tn_tsdl_fail(u, p.token.place, "the metadata declares nothing");
	return ok;
}
