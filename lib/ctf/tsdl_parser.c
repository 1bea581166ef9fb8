#include "ctf/tsdl_parse.h"

#include "base/messages.h"

#define WINDOW ((size_t)1 << 20)	/* bytes of a mapped text that stay in memory */

/* Whether the token begins a declaration, and not `name = ...`. */
static bool
at_declaration(const struct tsdl_parser *p)
{
	enum tsdl_keyword k = tn_tsdl_keyword(p);

	return k == TSDL_TYPEDEF || (k >= TSDL_CONST && k <= TSDL_STRING && k != TSDL_SIGNED);
}

/* Parse a declaration outside of structures. Its first word may already be read. */
static bool
parse_declaration(struct tsdl_parser *p, const struct tsdl_specifier *first)
{
	struct tsdl_specifiers s;

	if (!tn_tsdl_parse_specifiers(p, first, &s))
		return false;
	if (s.is_typedef)
		return s.n ? tn_tsdl_parse_declarators(p, &s, NULL, NULL) : tn_tsdl_unexpected(p, N_("a type"));
	if (s.n == 0)
		return tn_tsdl_unexpected(p, N_("a declaration"));
	for (size_t i = 0; i < s.n; i++)
		if (s.item[i].word)
			return tn_tsdl_fail(p->u, s.item[i].place, "the declaration declares nothing");
	if (s.n > 1)	/* as in `struct a {...} struct b {...};` */
		tn_tsdl_tell(p->u, TN_WRONG, s.item[1].place, "`;` is missing before this");
	p->u->n_declarations++;
	return tn_tsdl_expect_semicolon(p);
}

/* Whether the token cannot begin a value. */
static bool
at_type(const struct tsdl_parser *p)
{
	static const enum tsdl_keyword types[] = { TSDL_STRUCT, TSDL_ENUM, TSDL_VARIANT, TSDL_INTEGER, TSDL_FLOATING_POINT };

	for (size_t i = 0; i < TN_COUNT(types); i++)
		if (tn_tsdl_at_keyword(p, types[i]))
			return true;
	return false;
}

/* Parse `path = value;` or `path := type;`. */
static bool
parse_assignment(struct tsdl_parser *p, const struct tsdl_path *path, bool has_types, struct tsdl_entry ***end)
{
	struct tsdl_entry *e = TSDL_NEW(p, struct tsdl_entry);

	if (!e || !(e->name = tn_tsdl_join(p, path->word, path->n, '.', false)))
		return false;
	e->place = path->place;
	e->is_type = has_types && p->token.kind == TSDL_T_TYPE_ASSIGN;
	if (e->is_type) {
		if (!tn_tsdl_advance(p) || !(e->type = tn_tsdl_parse_type(p, true)))
			return false;
		if (e->type->is_untagged)
			return tn_tsdl_fail(p->u, e->place, "a variant needs a tag where it is used");
	} else if (!tn_tsdl_expect(p, '=', has_types ? N_("`=` or `:=`") : "`=`")) {
		return false;
	} else if (has_types && at_type(p)) {
		return tn_tsdl_fail(p->u, p->token.place, "`=` gives a value: write `:=` before a type");
	} else if (!tn_tsdl_parse_value(p, &e->value)) {
		return false;
	}
	**end = e;
	*end = &e->next;
	return tn_tsdl_expect_semicolon(p);
}

static bool
parse_entry(struct tsdl_parser *p, enum tsdl_keyword block, struct tsdl_entry ***end)
{
	bool has_types = block == TSDL_TRACE || block == TSDL_STREAM || block == TSDL_EVENT;
	struct tsdl_path path;

	if (p->token.kind == ';')
		return tn_tsdl_advance(p);
	if (has_types && tn_tsdl_at_keyword(p, TSDL_TYPEALIAS))
		return tn_tsdl_parse_typealias(p);
	if (has_types && at_declaration(p))
		return parse_declaration(p, NULL);
	if (p->token.kind != TSDL_T_WORD)
		return tn_tsdl_unexpected(p, N_("a name or `}`"));
	if (!tn_tsdl_parse_path(p, &path))
		return false;
	/* The declaration may be `u8 typedef byte;`. */
	if (has_types && path.n == 1 && (p->token.kind == TSDL_T_WORD || p->token.kind == '*'))
		return parse_declaration(p, &(struct tsdl_specifier) { .word = path.word[0], .place = path.place });
	return parse_assignment(p, &path, has_types, end);
}

static bool
parse_block(struct tsdl_parser *p)
{
	struct tsdl_block *b = TSDL_NEW(p, struct tsdl_block);
	struct tsdl_entry **end;
	struct tsdl_scope scope;

	if (!b)
		return false;
	*b = (struct tsdl_block) { .keyword = tn_tsdl_keyword(p), .place = p->token.place };
	p->u->has_modern_words |= b->keyword == TSDL_CLOCK || b->keyword == TSDL_CALLSITE;
	end = &b->entry;
	if (!tn_tsdl_advance(p) || !tn_tsdl_expect(p, '{', "`{`"))
		return false;
	if (b->keyword == TSDL_EVENT && !tn_tsdl_bundle_enter(p->u, b))
		return false;
	tn_tsdl_open_scope(p, &scope, NULL);
	while (p->token.kind != '}')
		if (!parse_entry(p, b->keyword, &end))
			return false;
	tn_tsdl_close_scope(p);
	tn_tsdl_bundle_leave(p->u);
	if (!tn_tsdl_advance(p) || !tn_tsdl_expect_semicolon(p))
		return false;
	*p->u->block_end = b;
	p->u->block_end = &b->next;
	p->u->n_declarations++;
	return true;
}

static bool
parse_env(struct tsdl_parser *p)
{
	p->u->has_modern_words = true;
	p->u->n_declarations++;
	return tn_tsdl_advance(p) && tn_tsdl_parse_env(p);
}

static bool
parse_item(struct tsdl_parser *p)
{
	switch (tn_tsdl_keyword(p)) {
	case TSDL_ENV:
		return parse_env(p);
	case TSDL_TRACE:
	case TSDL_CLOCK:
	case TSDL_STREAM:
	case TSDL_EVENT:
	case TSDL_CALLSITE:
		return parse_block(p);
	case TSDL_TYPEALIAS:
		return tn_tsdl_parse_typealias(p);
	default:
		if (p->token.kind == '}')
			return tn_tsdl_unexpected(p, N_("a declaration"));
		return p->token.kind == ';' ? tn_tsdl_advance(p) : parse_declaration(p, NULL);
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

/* The metadata of a trace that is being recorded may end inside of a declaration: use everything before it. */
static bool
forgive_cut(struct tsdl_parser *p, struct tsdl_place from)
{
	if (p->token.kind != TSDL_T_END || p->u->code != TN_ERR_FORMAT || !has_block(p->u, TSDL_TRACE))
		return false;
	p->u->code = TN_OK;
	tn_tsdl_tell(p->u, TN_WRONG, from, "the text ends inside this declaration, which is ignored");
	return true;
}

bool
tn_tsdl_parse(struct tsdl_unit *u)
{
	struct tsdl_parser p = { .u = u, .lexer = { .unit = u } };
	struct tsdl_scope root;
	size_t passed = 0;
	bool ok;

	tn_tsdl_open_scope(&p, &root, NULL);
	for (ok = tn_tsdl_advance(&p); ok && p.token.kind != TSDL_T_END;) {
		struct tsdl_place from = p.token.place;

		if (!(ok = parse_item(&p)) && forgive_cut(&p, from))
			break;
		if (from.at - passed > WINDOW) {
			tn_map_pass(&u->trace->metadata_map, passed, from.at);
			passed = from.at;
		}
	}
	tn_tsdl_bundle_leave(u);
	if (u->code >= 0 && !ok)
		return true;
	if (ok && u->n_declarations == 0)
		return tn_tsdl_fail(u, p.token.place, "the metadata declares nothing");
	return ok;
}
