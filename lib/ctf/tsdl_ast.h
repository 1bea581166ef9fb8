/*
 * tsdl_ast.h - TSDL text as a tree
 *
 * The parser resolves names of types while it reads: a name must be declared before it is used, so a use points to its
 * declaration (CTF 1.8.3, 7.3.1). The builder does everything else, because the blocks may be in any order.
 *
 * Ownership  Nodes are in unit->arena. Texts of names are in the arena of the trace, because the model keeps them. The
 *            content of an event block is in a bundle, which is freed when the classes of all its events are made: there
 *            may be 100,000 of them, and nothing outside refers to it.
 * Places     Each node has the range of its text. Line and column are computed only for reports.
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

/* A range of the text. */
struct tsdl_place {
	uint32_t at, n;
};

enum tsdl_keyword {
	TSDL_NO_KEYWORD,
	/* Words of type names. */
	TSDL_CONST, TSDL_VOID, TSDL_CHAR, TSDL_SHORT, TSDL_INT, TSDL_LONG, TSDL_FLOAT, TSDL_DOUBLE, TSDL_SIGNED,
	TSDL_UNSIGNED, TSDL_BOOL, TSDL_COMPLEX, TSDL_IMAGINARY,
	TSDL_LAST_TYPE_WORD = TSDL_IMAGINARY,
	/* Words that begin a type. */
	TSDL_STRUCT, TSDL_ENUM, TSDL_VARIANT, TSDL_INTEGER, TSDL_FLOATING_POINT, TSDL_STRING,
	/* Words that begin declarations and blocks. */
	TSDL_TYPEDEF, TSDL_TYPEALIAS, TSDL_TRACE, TSDL_ENV, TSDL_CLOCK, TSDL_STREAM, TSDL_EVENT, TSDL_CALLSITE,
	TSDL_ALIGN,
	TSDL_N_KEYWORDS
};

/* Name spaces: structures, enumerations, variants and aliases each have their own. */
enum tsdl_space { TSDL_ALIASES, TSDL_STRUCTS, TSDL_ENUMS, TSDL_VARIANTS, TSDL_SPACES };

/* A name or a label; equal texts share one struct. */
struct tsdl_word {
	const char *text;	/* NUL-terminated, in the trace's arena */
	uint32_t n;
	enum tsdl_keyword keyword;
	uint32_t mark, mark_index;	/* used by the search for duplicates */
	/* The declarations of the name that are visible at the current place. */
	struct tsdl_declaration *declared[TSDL_SPACES];
};

enum tsdl_value_kind { TSDL_VALUE_NUMBER, TSDL_VALUE_STRING, TSDL_VALUE_PATH };

/* A path: words with dots between them. */
struct tsdl_path {
	struct tsdl_word **word;
	size_t n;
	struct tsdl_place place;
};

/* A value. Metadata may consist mostly of values, so each is small. */

struct tsdl_value {
	enum tsdl_value_kind kind;
	struct tsdl_place place;
	bool is_negative;
	union {
		uint64_t magnitude;	/* value of a NUMBER */
		const char *string;	/* text of a STRING, in the trace's arena */
		struct tsdl_path path;	/* names of a PATH */
	};
};

enum tsdl_type_kind {
	TSDL_TYPE_INTEGER, TSDL_TYPE_FLOAT, TSDL_TYPE_STRING, TSDL_TYPE_ENUM, TSDL_TYPE_STRUCT, TSDL_TYPE_VARIANT,
	TSDL_TYPE_ARRAY,
	TSDL_TYPE_USE		/* a use of a declared type */
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
	struct tsdl_word *name;		/* tag of a literal type, or name of a use; NULL: none */
	uint64_t align;			/* alignment in the text; 0: none */
	bool is_untagged;		/* a variant without a tag, or an array of such variants */
	union {
		struct {		/* for INTEGER; `encoding` also for STRING */
			uint64_t size;
			enum tsdl_order order;
			bool is_signed;
			uint8_t base;
			enum tn_encoding encoding;
			struct tsdl_word *clock;	/* the clock that it is mapped to; NULL: none */
			struct tsdl_place clock_place;
			uint32_t exponent, mantissa;	/* for FLOAT */
		} number;
		struct {		/* for ENUM */
			struct tsdl_type *container;
			const struct tn_mapping *mapping;	/* in the trace's arena */
			size_t n_mappings;
			const struct tn_labels *labels;
		} enumeration;
		struct {		/* for STRUCT and VARIANT */
			struct tsdl_member *member;
			size_t n;
			struct tsdl_path tag;	/* for VARIANT; `n` is 0 if it does not have a tag */
		} body;
		struct {		/* for ARRAY */
			struct tsdl_type *element;
			struct tsdl_value length;	/* a number, or a path to the field with the length */
			struct tsdl_type *next_grid;	/* next item of unit->grids */
		} array;
		struct {		/* for USE */
			struct tsdl_declaration *declaration;
			const struct tsdl_type *literal;	/* set when all names are resolved */
			struct tsdl_path tag;	/* tag for an untagged variant; `n` is 0 if the use does not have a tag */
			bool is_pointer;	/* shown in base 16 */
		} use;
	};
};

struct tsdl_declaration {
	struct tsdl_word *name;
	enum tsdl_space space;
	struct tsdl_place place;
	struct tsdl_type *type;
	struct tsdl_type *home;		/* the structure or variant in whose body the declaration is; NULL: none */
	size_t limit;			/* number of members of `home` before the declaration */
	bool used;
	/* The type in the model, if it is a number or string that all uses in events share; otherwise NULL. */
	struct tn_type *made;
	uint32_t scope;			/* number of its scope */
	struct tsdl_declaration *outer;	/* the declaration that this one hides */
	struct tsdl_declaration *next;	/* the declaration before it in the same scope */
	struct tsdl_declaration *later;	/* next item of unit->declaration */
};

/* `name = value;` or `name := type;` in a block or in a list of attributes. */
struct tsdl_entry {
	struct tsdl_word *name;		/* the whole path with its dots */
	struct tsdl_place place;	/* place of the path in the text */
	bool is_type;
	struct tsdl_value value;
	struct tsdl_type *type;
	struct tsdl_entry *next;
};

struct tsdl_block {
	enum tsdl_keyword keyword;	/* TSDL_TRACE to TSDL_CALLSITE */
	struct tsdl_place place;	/* place of the keyword in the text */
	struct tsdl_bundle *bundle;	/* for an event: the memory of its contents; NULL: it was freed */
	struct tsdl_entry *entry;
	struct tsdl_block *next;
};

/* The memory of successive event blocks: an arena that holds enough of them to be well filled. */
#define TSDL_BUNDLE 65536	/* bytes of text in a bundle */

struct tsdl_bundle {
	struct tn_arena arena;
	uint32_t at;			/* position of its first event in the text */
	size_t n_blocks;		/* number of event blocks that are still needed */
	struct tsdl_bundle *next;	/* the bundle before it in the unit */
};

/* The contents of env blocks, in the form of the model. */
struct tsdl_env {
	TN_ARRAY(struct tn_env) entry;		/* each name occurs once */
	TN_ARRAY(struct tsdl_place) place;	/* places of the names in the block that is being read */
	struct tn_names_once names;
};

/* An index of the lines, for large texts. */
#define TSDL_LINES 4096

struct tsdl_line {
	uint32_t number, at;		/* number of the line at this place, from 0; start of the line */
};

/* A text and everything that is made from it. */
struct tsdl_unit {
	struct tn_trace *trace;		/* its arena gets names and mappings; its sink gets problems */
	struct tn_error *err;
	enum tn_code code;		/* code of the first failure */
	struct tn_arena arena;
	struct tn_arena *nodes;		/* current arena for nodes: `arena`, or that of a bundle */
	struct tsdl_bundle *bundle;	/* the newest bundle */
	const char *text;
	size_t n;
	struct tsdl_line *lines;	/* the line at each TSDL_LINES bytes of the text; made on first use */
	struct tn_str unescaped;	/* the last string that had escapes */
	struct tn_hash words;		/* the struct tsdl_word of each text */
	uint32_t mark;			/* the last `mark` that was used */
	struct tsdl_block *block, **block_end;	/* all blocks, in the order of the text */
	struct tsdl_env env;
	struct tsdl_declaration *declaration, **declaration_end;
	size_t n_declarations;		/* number of declarations of all kinds; a text without declarations is an error */
	/* Signs that the text is not in the KEDR dialect (kedr.md, 1), which does not have these words. */
	bool has_modern_words;		/* typealias, env, clock, callsite, strings, floats, align() */
	struct tsdl_type *grids;	/* arrays declared with several suffixes, the outermost array of each */
	struct tsdl_place empty_enum;	/* the first enumeration without labels; `n` 0: none */
	struct tsdl_place bare_variant;	/* the first use of a variant by its name only, `variant a b;`; `n` 0: none */
	bool told_semicolon;
};

/* Raise an error at @place: "PATH/metadata:LINE:COLUMN: `text`: why". Returns false. */
bool tn_tsdl_fail(struct tsdl_unit *u, struct tsdl_place place, const char *format, ...) TN_PRINTF(3, 4);
bool tn_tsdl_fail_memory(struct tsdl_unit *u);

/* Report a problem at @place. */
void tn_tsdl_tell(struct tsdl_unit *u, enum tn_severity severity, struct tsdl_place place, const char *format, ...)
	TN_PRINTF(4, 5);

/* The word with this text of @n bytes. NULL: memory is out, and the error is raised. */
struct tsdl_word *tn_tsdl_word(struct tsdl_unit *u, const char *text, size_t n);

/* The text of a string or of a path. NULL: memory is out, and the error is raised. */
const char *tn_tsdl_value_text(struct tsdl_unit *u, const struct tsdl_value *v);

/* Move the contents of env blocks to the trace. */
bool tn_tsdl_take_env(struct tsdl_unit *u);

/* tn_tsdl_bundle_enter(): the following text belongs to the event @block; tn_tsdl_bundle_leave(): this event ends. */
bool tn_tsdl_bundle_enter(struct tsdl_unit *u, struct tsdl_block *block);
void tn_tsdl_bundle_leave(struct tsdl_unit *u);
/* Free the entries of the event @block when its class is made. Call this only when no declarations will be read any more. */
void tn_tsdl_bundle_done(struct tsdl_block *block);

bool tn_tsdl_unit_init(struct tsdl_unit *u);
void tn_tsdl_unit_release(struct tsdl_unit *u);

/* The range from the start of @first to the end of @last. */
static inline struct tsdl_place
tsdl_span(struct tsdl_place first, struct tsdl_place last)
{
	return (struct tsdl_place) { first.at, last.at + last.n - first.at };
}

/* The literal type that a name means. An array has no name, so it is returned unchanged. */
static inline const struct tsdl_type *
tsdl_literal(const struct tsdl_type *t)
{
	return t->kind == TSDL_TYPE_USE ? t->use.literal : t;
}

#endif
