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
#define TN_JSON_SIZE ((size_t)1 << 30)	/* largest text in bytes */

enum tn_json_kind {
	TN_JSON_OBJECT,
	TN_JSON_ARRAY,
	TN_JSON_STRING,
	TN_JSON_INTEGER,	/* a number without a fraction and an exponent */
	TN_JSON_REAL,
	TN_JSON_BOOLEAN,
	TN_JSON_NULL
};

struct tn_json {
	enum tn_json_kind kind;
	bool truth;		/* BOOLEAN */
	bool negative;		/* INTEGER; false for zero */
	bool beyond;		/* INTEGER: the magnitude does not fit, and is UINT64_MAX */
	union {
		uint64_t magnitude;	/* INTEGER */
		const char *text;	/* STRING: without escapes, and without NUL inside */
		struct tn_json *child;	/* OBJECT, ARRAY: members or elements, in the order of the text */
	};
	const char *key;	/* name of a member of an object; otherwise NULL */
	uint32_t n;		/* number of children; 0 for other kinds */
	uint32_t index;		/* position in the parent; in a root, the caller may use it */
	uint32_t at, end;	/* range of the value in the text, in bytes; `end` is after the last byte */
	const struct tn_json *parent;	/* NULL: the root */
};

enum {
	TN_JSON_COMMENTS = 1	/* both forms of C comments are white space; an open comment extends to the end */
};

struct tn_json_fault {
	size_t at;		/* position of the mistake in the text, in bytes */
	bool cut;		/* the text ends too early, and has no other mistake */
};

/*
 * Parse the value at *at, or after white space there, in @text of @n bytes. *at is then the byte after the value. On
 * TN_ERR_FORMAT *out is NULL, and *fault is the place, which the message does not contain. @map is the file that
 * begins with the text, or NULL. With a map, the parser keeps only the pages read last in memory, and the file may
 * change meanwhile.
 */
enum tn_code tn_json_parse(struct tn_json **out, struct tn_arena *arena, const char *text, size_t n, size_t *at,
			   unsigned flags, const struct tn_map *map, struct tn_json_fault *fault, struct tn_error *err);

/* Parse a text that is one value; more text after it is an error. */
enum tn_code tn_json_parse_all(struct tn_json **out, struct tn_arena *arena, const char *text, size_t n,
			       unsigned flags, struct tn_json_fault *fault, struct tn_error *err);

/* The member with the name @key. NULL: @object is NULL, is not an object, or does not have the member. */
const struct tn_json *tn_json_get(const struct tn_json *object, const char *key);

/* The text of a string; NULL: @value is NULL or not a string. */
const char *tn_json_text(const struct tn_json *value);

const char *tn_json_kind_name(enum tn_json_kind kind);	/* "an object", "a string", ... */

/* Compare two integers of any size exactly: the result is negative, 0 or positive. @text is the whole text. */
int tn_json_compare(const struct tn_json *a, const struct tn_json *b, const char *text);

/* The number without its fraction; if it does not fit, the nearest 64-bit integer. @text is the whole text. */
int64_t tn_json_truncate(const struct tn_json *number, const char *text);

/* Line and column of byte @at, from 1. The column counts characters, without record separators (RFC 7464). */
void tn_json_line(const char *text, size_t at, size_t *line, size_t *column);

#endif
