/*
 * json.h - JSON text to a tree of values that know their place in the text
 *
 *	struct tn_arena arena = { 0 };
 *	struct tn_json_fault fault;
 *	struct tn_json *root;
 *	size_t at = 0;
 *	enum tn_code code = tn_json_parse(&root, &arena, text, n, &at, 0, NULL, &fault, err);
 *	...
 *	tn_arena_release(&arena);	// root and all below it are gone
 *
 * No information is lost: members stay in the order of the text. Integers are exact up to 64 bits and a sign, and
 * marked if they are larger; other numbers are their text. Strict: UTF-8 only, no name twice in an object, no
 * \u0000 (values are strings of C), no half of a surrogate pair, nothing beyond RFC 8259.
 *
 * Source     RFC 8259, JSON
 */
#ifndef TN_BASE_JSON_H
#define TN_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/mapfile.h"

#define TN_JSON_DEPTH 1000		/* limit of nested values */
#define TN_JSON_SIZE ((size_t)1 << 30)	/* bytes of a text */

enum tn_json_kind {
	TN_JSON_OBJECT,
	TN_JSON_ARRAY,
	TN_JSON_STRING,
	TN_JSON_INTEGER,	/* a number without fraction and exponent */
	TN_JSON_REAL,
	TN_JSON_BOOLEAN,
	TN_JSON_NULL
};

struct tn_json {
	enum tn_json_kind kind;
	bool truth;		/* BOOLEAN */
	bool negative;		/* INTEGER; never for zero */
	bool beyond;		/* INTEGER: the magnitude does not fit and is UINT64_MAX */
	union {
		uint64_t magnitude;	/* INTEGER */
		const char *text;	/* STRING: unescaped, without NUL inside */
		struct tn_json *child;	/* OBJECT, ARRAY: members or elements, in the order of the text */
	};
	const char *key;	/* name of a member of an object, else NULL */
	uint32_t n;		/* number of children; 0 for other kinds */
	uint32_t index;		/* position in the parent; without a parent it belongs to the caller */
	uint32_t at, end;	/* bytes of the text: the first, and the one after the last */
	const struct tn_json *parent;	/* NULL: the root */
};

enum {
	TN_JSON_COMMENTS = 1	/* comments of C, in both forms, are white space; an open one extends to the end */
};

struct tn_json_fault {
	size_t at;		/* byte of the text */
	bool cut;		/* the only mistake is that the text ends */
};

/*
 * Parse the value in @text, of @n bytes, at *at or after white space there; *at is then the byte after the
 * value. On TN_ERR_FORMAT *fault is the place, which the message does not contain, and *out is NULL. @map is
 * the file that begins with the text, or NULL: the parser then keeps only the pages read last in memory, and
 * the file may change meanwhile.
 */
enum tn_code tn_json_parse(struct tn_json **out, struct tn_arena *arena, const char *text, size_t n, size_t *at,
			   unsigned flags, const struct tn_map *map, struct tn_json_fault *fault, struct tn_error *err);

/* Parse a text that is one value: further text is an error. */
enum tn_code tn_json_parse_all(struct tn_json **out, struct tn_arena *arena, const char *text, size_t n,
			       unsigned flags, struct tn_json_fault *fault, struct tn_error *err);

/* The member of that name. NULL: @object is NULL, is not an object, or does not have the member. */
const struct tn_json *tn_json_get(const struct tn_json *object, const char *key);

/* The text of a string; NULL: @value is NULL or not a string. */
const char *tn_json_text(const struct tn_json *value);

const char *tn_json_kind_name(enum tn_json_kind kind);	/* "an object", "a string", ... */

/* <0, 0, >0: two integers compared exactly, whatever their size; @text is the whole text. */
int tn_json_compare(const struct tn_json *a, const struct tn_json *b, const char *text);

/* A number without its fraction, the nearest of 64 bits; @text is the whole text. */
int64_t tn_json_truncate(const struct tn_json *number, const char *text);

/* Line and column of byte @at, from 1; the column counts characters, not record separators (RFC 7464). */
void tn_json_line(const char *text, size_t at, size_t *line, size_t *column);

#endif
