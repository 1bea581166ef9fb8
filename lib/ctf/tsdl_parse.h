/*
 * tsdl_parse.h - shared by the parts of the parser, and included by no other file
 *
 *	tsdl_parse_value.c	tokens, scopes of declarations, values, attributes
 *	tsdl_parse_type.c	names of types, declarators, literal types
 *	tsdl_env.c		env blocks
 *	tsdl_parser.c		blocks, and the whole text
 *
 * Functions that return bool or a pointer: false or NULL is failure, raised in the unit.
 */
#ifndef TN_CTF_TSDL_PARSE_H
#define TN_CTF_TSDL_PARSE_H

#include "ctf/tsdl_lexer.h"
#include "ctf/tsdl_parser.h"

#define TSDL_MAX_PATH 64	/* limit of names in one path */
#define TSDL_MAX_WORDS 24	/* limits of words in a type name, of stars after it, and of suffixes of an array */

/* The scope of declarations. */
struct tsdl_scope {
	struct tsdl_scope *up;
	uint32_t number;
	struct tsdl_declaration *declared;	/* the newest declaration is first */
	struct tsdl_type *home;		/* the structure or variant whose body is the scope */
};

struct tsdl_parser {
	struct tsdl_unit *u;
	struct tsdl_lexer lexer;
	struct tsdl_token token;	/* the current token */
	struct tsdl_place last;		/* place of the token before it */
	struct tsdl_scope *scope;
	uint32_t n_scopes;
	unsigned depth;
};

/* A word of a type name, a literal type, or a reference such as `struct NAME`. */
struct tsdl_specifier {
	struct tsdl_word *word;		/* NULL for a literal type */
	struct tsdl_word *tag;		/* `struct`, `enum` or `variant` of a reference; otherwise NULL */
	struct tsdl_type *type;		/* the literal type; otherwise NULL */
	struct tsdl_path path;		/* path in <...> after a reference to a variant */
	uint64_t align;			/* alignment after a reference to a structure */
	struct tsdl_place place;
};

/* The part before a declared name, or a type name without one. */
struct tsdl_specifiers {
	struct tsdl_specifier item[TSDL_MAX_WORDS];
	size_t n;
	bool is_typedef;
};

/* A type name: words, then stars. */
struct tsdl_type_name {
	struct tsdl_word *word[4 * TSDL_MAX_WORDS];
	size_t n;
	size_t stars;
};

/* ---- tsdl_parse_value.c ---- */

bool tn_tsdl_advance(struct tsdl_parser *p);
bool tn_tsdl_at_keyword(const struct tsdl_parser *p, enum tsdl_keyword keyword);
enum tsdl_keyword tn_tsdl_keyword(const struct tsdl_parser *p);
bool tn_tsdl_unexpected(struct tsdl_parser *p, const char *wanted);
bool tn_tsdl_expect(struct tsdl_parser *p, int kind, const char *wanted);
/*
 * Read the `;` of a declaration, member or attribute. It may be missing before a `}`, because some tracers forget it
 * there, and at the end of the text.
 */
bool tn_tsdl_expect_semicolon(struct tsdl_parser *p);
struct tsdl_type *tn_tsdl_node_type(struct tsdl_parser *p, enum tsdl_type_kind kind, struct tsdl_place place);
void *tn_tsdl_node(struct tsdl_parser *p, size_t size);
bool tn_tsdl_enter(struct tsdl_parser *p);
void tn_tsdl_open_scope(struct tsdl_parser *p, struct tsdl_scope *s, struct tsdl_type *home);
void tn_tsdl_close_scope(struct tsdl_parser *p);
bool tn_tsdl_declare(struct tsdl_parser *p, enum tsdl_space space, struct tsdl_word *name,
		struct tsdl_place place, struct tsdl_type *type);
bool tn_tsdl_declare_alias(struct tsdl_parser *p, struct tsdl_word *name, struct tsdl_place place,
		struct tsdl_type *type);
struct tsdl_type *tn_tsdl_use(struct tsdl_parser *p, struct tsdl_declaration *d, struct tsdl_place place);
/* Read a path: words with dots between them, or arrows in the KEDR dialect. */
bool tn_tsdl_parse_path(struct tsdl_parser *p, struct tsdl_path *out);
/* Read the tag of a variant, or the length of a sequence. Only the scope at its start may be a keyword. */
bool tn_tsdl_parse_reference(struct tsdl_parser *p, struct tsdl_path *out);
bool tn_tsdl_parse_value(struct tsdl_parser *p, struct tsdl_value *out);
/* Read the attributes `{ name = value; ... }` of an integer, floating point number or string. */
bool tn_tsdl_parse_attributes(struct tsdl_parser *p, struct tsdl_entry **first);

#define TSDL_NEW(p, type) ((type *)tn_tsdl_node((p), sizeof(type)))

/* ---- tsdl_env.c ---- */

/* Read the block after the keyword `env`. */
bool tn_tsdl_parse_env(struct tsdl_parser *p);

/* ---- tsdl_parse_type.c ---- */

/* Join the words, with @between between them; @drop_const leaves out the word `const`. */
struct tsdl_word *tn_tsdl_join(struct tsdl_parser *p, struct tsdl_word *const *word, size_t n,
		char between, bool drop_const);
/*
 * Read the declared names after @s, up to the `;`: members of @body (at its *end), or aliases if @s is a typedef. The
 * first name is the last word of @s, unless stars follow it.
 */
bool tn_tsdl_parse_declarators(struct tsdl_parser *p, struct tsdl_specifiers *s, struct tsdl_type *body,
		struct tsdl_member ***end);
/* Read `typealias TYPE := NAME;`. */
bool tn_tsdl_parse_typealias(struct tsdl_parser *p);
bool tn_tsdl_parse_specifiers(struct tsdl_parser *p, const struct tsdl_specifier *first,
		struct tsdl_specifiers *out);
/* Parse a type without a declared name. */
struct tsdl_type *tn_tsdl_parse_type(struct tsdl_parser *p, bool with_arrays);

#endif
