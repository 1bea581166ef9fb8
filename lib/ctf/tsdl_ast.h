/*
 * tsdl_ast.h - TSDL text as a tree
 *
 * The parser resolves names of types while it reads: a name must be declared before it is used, so
 * that a use points at its declaration (CTF 1.8.3, 7.3.1). Everything else waits for the builder: the
 * blocks may come in any order.
 *
 * Ownership  Nodes are in unit->arena, texts of names in the arena of the trace, since the model
 *            keeps them. The content of an event block is in a bundle, which is freed when the classes of
 *            all its events are made: there may be 100,000 of them, and nothing outside refers to it.
 * Places     Every node has the range of its text; line and column are counted when they are
 *            reported.
 */
#ifndef TN_CTF_TSDL_AST_H
#define TN_CTF_TSDL_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/names_once.h"
#include "base/str.h"
#include "model/trace.h"

/* Bytes of the text. */
struct tsdl_place {
	uint32_t at, n;
};

enum tsdl_keyword {
	TSDL_NO_KEYWORD,
	/* words of type names */
	TSDL_CONST, TSDL_VOID, TSDL_CHAR, TSDL_SHORT, TSDL_INT, TSDL_LONG, TSDL_FLOAT, TSDL_DOUBLE, TSDL_SIGNED,
	TSDL_UNSIGNED, TSDL_BOOL, TSDL_COMPLEX, TSDL_IMAGINARY,
	TSDL_LAST_TYPE_WORD = TSDL_IMAGINARY,
	/* the start of a type */
	TSDL_STRUCT, TSDL_ENUM, TSDL_VARIANT, TSDL_INTEGER, TSDL_FLOATING_POINT, TSDL_STRING,
	/* declarations, blocks */
	TSDL_TYPEDEF, TSDL_TYPEALIAS, TSDL_TRACE, TSDL_ENV, TSDL_CLOCK, TSDL_STREAM, TSDL_EVENT, TSDL_CALLSITE,
	TSDL_ALIGN,
	TSDL_N_KEYWORDS
};

/* Tags of structures, enumerations and variants, and aliases, each have a name space of their own. */
enum tsdl_space { TSDL_ALIASES, TSDL_STRUCTS, TSDL_ENUMS, TSDL_VARIANTS, TSDL_SPACES };

/* A name or a label: equal texts are the same struct. */
struct tsdl_word {
	const char *text;	/* NUL-terminated, in the trace's arena */
	uint32_t n;
	enum tsdl_keyword keyword;
	uint32_t mark, mark_index;	/* scratch for the search for duplicates */
	/* The declarations of the name that are visible at the current place. */
	struct tsdl_declaration *declared[TSDL_SPACES];
};

enum tsdl_value_kind { TSDL_VALUE_NUMBER, TSDL_VALUE_STRING, TSDL_VALUE_PATH };

/* Words with dots between them. */
struct tsdl_path {
	struct tsdl_word **word;
	size_t n;
	struct tsdl_place place;
};

/* Metadata may consist mostly of these: a few bytes each. */

struct tsdl_value {
	enum tsdl_value_kind kind;
	struct tsdl_place place;
	bool is_negative;
	union {
		uint64_t magnitude;	/* NUMBER */
		const char *string;	/* STRING, in the trace's arena */
		struct tsdl_path path;	/* PATH */
	};
};

enum tsdl_type_kind {
	TSDL_TYPE_INTEGER, TSDL_TYPE_FLOAT, TSDL_TYPE_STRING, TSDL_TYPE_ENUM, TSDL_TYPE_STRUCT, TSDL_TYPE_VARIANT,
	TSDL_TYPE_ARRAY,
	TSDL_TYPE_USE		/* use of a declared type */
};

enum tsdl_order { TSDL_NATIVE, TSDL_LITTLE, TSDL_BIG };

struct tsdl_member {
	struct tsdl_word *name;
	struct tsdl_place place;	/* place of the name */
	struct tsdl_type *type;
	struct tsdl_member *next;
};

struct tsdl_type {
	enum tsdl_type_kind kind;
	struct tsdl_place place;
	struct tsdl_word *name;		/* tag of a literal, name of a use; NULL */
	uint64_t align;			/* as written; 0: not written */
	bool is_untagged;		/* a variant without a tag, or arrays of one */
	union {
		struct {		/* INTEGER; encoding of STRING */
			uint64_t size;
			enum tsdl_order order;
			bool is_signed;
			uint8_t base;
			enum tn_encoding encoding;
			struct tsdl_word *clock;	/* mapped to it; NULL */
			struct tsdl_place clock_place;
			uint32_t exponent, mantissa;	/* FLOAT */
		} number;
		struct {		/* ENUM */
			struct tsdl_type *container;
			const struct tn_mapping *mapping;	/* allocated in the trace's arena */
			size_t n_mappings;
			const struct tn_labels *labels;
		} enumeration;
		struct {		/* STRUCT, VARIANT */
			struct tsdl_member *member;
			size_t n;
			struct tsdl_path tag;	/* VARIANT; n is 0 if it does not have one */
		} body;
		struct {		/* ARRAY */
			struct tsdl_type *element;
			struct tsdl_value length;	/* a number or a path */
			struct tsdl_type *next_grid;	/* unit->grids */
		} array;
		struct {		/* USE */
			struct tsdl_declaration *declaration;
			const struct tsdl_type *literal;	/* set after all names are resolved */
			struct tsdl_path tag;	/* tag of an untagged variant; n is 0 if the use does not have one */
			bool is_pointer;	/* shown in base 16 */
		} use;
	};
};

struct tsdl_declaration {
	struct tsdl_word *name;
	enum tsdl_space space;
	struct tsdl_place place;
	struct tsdl_type *type;
	struct tsdl_type *home;		/* the structure or variant whose body contains it; NULL */
	size_t limit;			/* members of home before it */
	bool used;
	/* The model's type: a number or string that all its uses in events share; NULL. */
	struct tn_type *made;
	uint32_t scope;			/* number of its scope */
	struct tsdl_declaration *outer;	/* the declaration it hides */
	struct tsdl_declaration *next;	/* next declaration of the same scope, newest first */
	struct tsdl_declaration *later;	/* unit->declaration */
};

/* `name = value;` or `name := type;` in a block or a list of attributes. */
struct tsdl_entry {
	struct tsdl_word *name;		/* the whole path, with its dots */
	struct tsdl_place place;	/* place of the path */
	bool is_type;
	struct tsdl_value value;
	struct tsdl_type *type;
	struct tsdl_entry *next;
};

struct tsdl_block {
	enum tsdl_keyword keyword;	/* TSDL_TRACE to TSDL_CALLSITE */
	struct tsdl_place place;	/* place of the keyword */
	struct tsdl_bundle *bundle;	/* for an event: the memory of its contents; NULL once it is freed */
	struct tsdl_entry *entry;
	struct tsdl_block *next;
};

/* Nodes of neighbouring event blocks: some blocks of an arena, of which little is left empty. */
#define TSDL_BUNDLE 65536	/* bytes of text */

struct tsdl_bundle {
	struct tn_arena arena;
	uint32_t at;			/* the text of its first event */
	size_t n_blocks;		/* number of blocks that are still needed */
	struct tsdl_bundle *next;	/* next bundle of the unit, newest first */
};

/* The contents of env blocks, in the model's form. */
struct tsdl_env {
	TN_ARRAY(struct tn_env) entry;		/* each name once */
	TN_ARRAY(struct tsdl_place) place;	/* places of the names in the block being read */
	struct tn_names_once names;
};

/* Lines of a text: an index for large texts. */
#define TSDL_LINES 4096

struct tsdl_line {
	uint32_t number, at;		/* number, from 0, of the line at this place; start of the line */
};

/* A text and everything built from it. */
struct tsdl_unit {
	struct tn_trace *trace;		/* its arena gets names and mappings, its sink problems */
	struct tn_error *err;
	enum tn_code code;		/* code of the first failure */
	struct tn_arena arena;
	struct tn_arena *nodes;		/* current arena for nodes: that one or a bundle's */
	struct tsdl_bundle *bundle;	/* the newest */
	const char *text;
	size_t n;
	struct tsdl_line *lines;	/* for each TSDL_LINES bytes of the text; made on first use */
	struct tn_str unescaped;	/* the last string that had escapes in it */
	struct tn_hash words;		/* the struct tsdl_word of each text */
	uint32_t mark;			/* last one used */
	struct tsdl_block *block, **block_end;	/* in the order of the text */
	struct tsdl_env env;
	struct tsdl_declaration *declaration, **declaration_end;
	size_t n_declarations;		/* declarations of all kinds: a text without any is an error */
	/* Signs that the text is not in the KEDR dialect (kedr.md, 1), which does not have these words. */
	bool has_modern_words;		/* typealias, env, clock, callsite, strings, floats, align() */
	struct tsdl_type *grids;	/* arrays declared with more than one suffix, the outermost of each */
	struct tsdl_place empty_enum;	/* the first enumeration without labels; n 0: none */
	struct tsdl_place bare_variant;	/* the first use of a variant by its name alone, `variant a b;`; likewise */
	bool told_semicolon;
};

/* Raise an error at @place: "PATH/metadata:LINE:COLUMN: `text`: why". Returns false. */
bool tn_tsdl_fail(struct tsdl_unit *u, struct tsdl_place place, const char *format, ...) TN_PRINTF(3, 4);
bool tn_tsdl_fail_memory(struct tsdl_unit *u);

/* Report a problem at @place. */
void tn_tsdl_tell(struct tsdl_unit *u, enum tn_severity severity, struct tsdl_place place, const char *format, ...)
	TN_PRINTF(4, 5);

/* The word of @n bytes; NULL, with the error raised: memory is out. */
struct tsdl_word *tn_tsdl_word(struct tsdl_unit *u, const char *text, size_t n);

/* The text of a string or of a path; NULL, with the error raised: memory is out. */
const char *tn_tsdl_value_text(struct tsdl_unit *u, const struct tsdl_value *v);

/* Move the contents of env blocks to the trace. */
bool tn_tsdl_take_env(struct tsdl_unit *u);

/* Enter the event @block: the following text belongs to it; then leave it. */
bool tn_tsdl_bundle_enter(struct tsdl_unit *u, struct tsdl_block *block);
void tn_tsdl_bundle_leave(struct tsdl_unit *u);
/* Free the entries of the event @block, whose class is made. Call it only when no declaration will be read again. */
void tn_tsdl_bundle_done(struct tsdl_block *block);

bool tn_tsdl_unit_init(struct tsdl_unit *u);
void tn_tsdl_unit_release(struct tsdl_unit *u);

/* The place from the first byte of @first to the last byte of @last. */
static inline struct tsdl_place
tsdl_span(struct tsdl_place first, struct tsdl_place last)
{
	return (struct tsdl_place) { first.at, last.at + last.n - first.at };
}

/* The literal type after resolving all names; an array stays one. */
static inline const struct tsdl_type *
tsdl_literal(const struct tsdl_type *t)
{
	return t->kind == TSDL_TYPE_USE ? t->use.literal : t;
}

#endif
