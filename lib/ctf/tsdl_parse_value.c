#include "ctf/tsdl_parse.h"

#include <string.h>

#include "base/messages.h"

#define MAX_DEPTH 128		/* limit of types inside types */

/* ---- tokens ---- */

bool
tn_tsdl_advance(struct tsdl_parser *p)
{
	p->last = p->token.place;
	return tn_tsdl_next(&p->lexer, &p->token);
}

bool
tn_tsdl_at_keyword(const struct tsdl_parser *p, enum tsdl_keyword keyword)
{
	return p->token.kind == TSDL_T_WORD && p->token.word->keyword == keyword;
}

enum tsdl_keyword
tn_tsdl_keyword(const struct tsdl_parser *p)
{
	return p->token.kind == TSDL_T_WORD ? p->token.word->keyword : TSDL_NO_KEYWORD;
}

bool
tn_tsdl_unexpected(struct tsdl_parser *p, const char *wanted)
{
	return tn_tsdl_fail(p->u, p->token.place, "expected %s", _(wanted));
}

bool
tn_tsdl_expect(struct tsdl_parser *p, int kind, const char *wanted)
{
	return p->token.kind == kind ? tn_tsdl_advance(p) : tn_tsdl_unexpected(p, wanted);
}

bool
tn_tsdl_expect_semicolon(struct tsdl_parser *p)
{
	bool at_end = p->token.kind == TSDL_T_END && p->last.n == 1 && p->u->text[p->last.at] == '}';

	if (p->token.kind != '}' && !at_end)
		return tn_tsdl_expect(p, ';', "`;`");
	if (!p->u->told_semicolon)
		tn_tsdl_tell(p->u, TN_WRONG, p->token.place, "`;` is missing before this (reported once)");
	p->u->told_semicolon = true;
	return true;
}

void *
tn_tsdl_node(struct tsdl_parser *p, size_t size)
{
	void *node = tn_arena_alloc(p->u->nodes, size);

	if (!node)
		tn_tsdl_fail_memory(p->u);
	return node;
}

#define TSDL_NEW(p, type) ((type *)tn_tsdl_node((p), sizeof(type)))

struct tsdl_type *
tn_tsdl_node_type(struct tsdl_parser *p, enum tsdl_type_kind kind, struct tsdl_place place)
{
	struct tsdl_type *t = TSDL_NEW(p, struct tsdl_type);

	if (t) {
		t->kind = kind;
		t->place = place;
	}
	return t;
}

bool
tn_tsdl_enter(struct tsdl_parser *p)
{
	if (++p->depth > MAX_DEPTH)
		return tn_tsdl_fail(p->u, p->token.place, "more than %d levels of nested types", MAX_DEPTH);
	return true;
}

/* ---- scopes ---- */

void
tn_tsdl_open_scope(struct tsdl_parser *p, struct tsdl_scope *s, struct tsdl_type *home)
{
	*s = (struct tsdl_scope) { .up = p->scope, .number = ++p->n_scopes, .home = home };
	p->scope = s;
}

void
tn_tsdl_close_scope(struct tsdl_parser *p)
{
	for (struct tsdl_declaration *d = p->scope->declared; d; d = d->next)
		d->name->declared[d->space] = d->outer;
	p->scope = p->scope->up;
}

bool
tn_tsdl_declare(struct tsdl_parser *p, enum tsdl_space space, struct tsdl_word *name, struct tsdl_place place,
	struct tsdl_type *type)
{
	struct tsdl_declaration *outer = name->declared[space], *d;

	if (outer && outer->scope == p->scope->number)
		return tn_tsdl_fail(p->u, place, "already declared in the same scope");
	if (!(d = TSDL_NEW(p, struct tsdl_declaration)))
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

bool
tn_tsdl_declare_alias(struct tsdl_parser *p, struct tsdl_word *name, struct tsdl_place place, struct tsdl_type *type)
{
	if (type->is_untagged)
		return tn_tsdl_fail(p->u, place, "a variant without a tag cannot have an alias: write `variant %s {...};`",
				    name->text);
	return tn_tsdl_declare(p, TSDL_ALIASES, name, place, type);
}

struct tsdl_type *
tn_tsdl_use(struct tsdl_parser *p, struct tsdl_declaration *d, struct tsdl_place place)
{
	struct tsdl_type *t = tn_tsdl_node_type(p, TSDL_TYPE_USE, place);

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

bool
tn_tsdl_parse_path(struct tsdl_parser *p, struct tsdl_path *out)
{
	struct tsdl_word *word[TSDL_MAX_PATH];
	struct tsdl_place from = p->token.place;

	for (out->n = 0; ; ) {
		if (p->token.kind != TSDL_T_WORD)
			return tn_tsdl_unexpected(p, N_("a name"));
		if (out->n == TSDL_MAX_PATH)
			return tn_tsdl_fail(p->u, tsdl_span(from, p->token.place), "the path has more than %d "
										   "names", TSDL_MAX_PATH);
		word[out->n++] = p->token.word;
		if (!tn_tsdl_advance(p))
			return false;
		if (p->token.kind != '.' && p->token.kind != TSDL_T_ARROW)
			break;
		if (!tn_tsdl_advance(p))
			return false;
	}
	out->place = tsdl_span(from, p->last);
	out->word = TN_NEW_ARRAY(p->u->nodes, out->n, struct tsdl_word *);
	if (!out->word)
		return tn_tsdl_fail_memory(p->u);
	memcpy(out->word, word, out->n * sizeof *word);
	return true;
}

bool
tn_tsdl_parse_reference(struct tsdl_parser *p, struct tsdl_path *out)
{
	enum tsdl_keyword k = tn_tsdl_keyword(p);

	if (k != TSDL_NO_KEYWORD && k != TSDL_TRACE && k != TSDL_STREAM && k != TSDL_EVENT && k != TSDL_ENV)
		return tn_tsdl_fail(p->u, p->token.place, "a keyword cannot name a field");
	return tn_tsdl_parse_path(p, out);
}

static bool
parse_number(struct tsdl_parser *p, struct tsdl_value *out)
{
	struct tsdl_place from = p->token.place;

	out->kind = TSDL_VALUE_NUMBER;
	if (p->token.kind == '-' || p->token.kind == '+') {
		out->is_negative = p->token.kind == '-';
		if (!tn_tsdl_advance(p))
			return false;
	}
	if (p->token.kind != TSDL_T_NUMBER)
		return tn_tsdl_unexpected(p, N_("an integer"));
	out->magnitude = p->token.number;
	if (!tn_tsdl_advance(p))
		return false;
	out->place = tsdl_span(from, p->last);
	if (out->is_negative && out->magnitude > UINT64_C(1) << 63)
		return tn_tsdl_fail(p->u, out->place, "the integer has more than 64 bits");
	return true;
}

bool
tn_tsdl_parse_value(struct tsdl_parser *p, struct tsdl_value *out)
{
	unsigned parentheses = 0;

	memset(out, 0, sizeof *out);
	for (; p->token.kind == '('; parentheses++)
		if (!tn_tsdl_advance(p))
			return false;
	if (p->token.kind == TSDL_T_TEXT) {
		out->kind = TSDL_VALUE_STRING;
		out->string = tn_arena_copy(&p->u->trace->arena, p->token.text.at, p->token.text.n);
		if (!out->string)
			return tn_tsdl_fail_memory(p->u);
		out->place = p->token.place;
		if (!tn_tsdl_advance(p))
			return false;
	} else if (p->token.kind == TSDL_T_WORD) {
		out->kind = TSDL_VALUE_PATH;
		if (!tn_tsdl_parse_path(p, &out->path))
			return false;
		out->place = out->path.place;
	} else if (p->token.kind == '-' || p->token.kind == '+' || p->token.kind == TSDL_T_NUMBER) {
		if (!parse_number(p, out))
			return false;
	} else {
		return tn_tsdl_unexpected(p, N_("a value"));
	}
	for (; parentheses; parentheses--)
		if (!tn_tsdl_expect(p, ')', "`)`"))
			return false;
	return true;
}

bool
tn_tsdl_parse_attributes(struct tsdl_parser *p, struct tsdl_entry **first)
{
	struct tsdl_entry **end = first, *e;

	*first = NULL;
	if (!tn_tsdl_expect(p, '{', "`{`"))
		return false;
	while (p->token.kind != '}') {
		if (p->token.kind == ';') {
			if (!tn_tsdl_advance(p))
				return false;
			continue;
		}
		if (p->token.kind != TSDL_T_WORD)
			return tn_tsdl_unexpected(p, N_("the name of an attribute or `}`"));
		if (!(e = TSDL_NEW(p, struct tsdl_entry)))
			return false;
		e->name = p->token.word;
		e->place = p->token.place;
		if (!tn_tsdl_advance(p) || !tn_tsdl_expect(p, '=', "`=`") || !tn_tsdl_parse_value(p, &e->value) ||
		    !tn_tsdl_expect_semicolon(p))
			return false;
		*end = e;
		end = &e->next;
	}
	return tn_tsdl_advance(p);
}

