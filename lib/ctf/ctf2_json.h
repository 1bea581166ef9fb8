/*
 * ctf2_json.h - a JSON text sequence as trees of values that know where they stand
 *
 * jansson parses; two things it does not keep are added here: where each value begins and ends in the
 * text, and integers beyond 64 signed bits. A scan of the tokens before the parse notes both, and
 * the tree is put together from the two, which hold the same values in the same order.
 *
 * Source     RFC 7464, JSON text sequences; RFC 8259, JSON; CTF2-SPEC-2.0, 5.1.
 */
#ifndef TN_CTF_CTF2_JSON_H
#define TN_CTF_CTF2_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"

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
	bool beyond;		/* INTEGER: the magnitude does not fit; it is UINT64_MAX then */
	uint64_t magnitude;
	const char *text;	/* STRING: unescaped, without NUL inside */
	const char *key;	/* of a member of an object, else NULL */
	size_t key_at;
	size_t index;		/* in the parent */
	size_t at, end;		/* bytes of the whole text: first, behind the last */
	const struct tn_json *parent;	/* NULL: a fragment */
	unsigned number;	/* of a fragment, from 1 */
	struct tn_json *child;	/* members or elements, in the order of the text */
	size_t n;
};

/* One token of a text: where a value, a key or an end stands. */
struct tn_json_token {
	size_t at, end;
	uint64_t magnitude;
	bool integer, negative, beyond;
};

/* What the sequence is made of; an oddity is found once. */
enum tn_json_oddity {
	TN_JSON_ODD_LEAD = 1,		/* a byte order mark or white space before the first separator */
	TN_JSON_ODD_NO_SEPARATOR = 2,	/* no record separator before the first text */
	TN_JSON_ODD_TWO = 4,		/* two values after one separator */
	TN_JSON_ODD_ARRAY = 8,		/* an array of fragments */
	TN_JSON_ODD_CUT = 16		/* the last text is cut off */
};

struct tn_json_reader {
	const char *text;
	size_t n, at;
	bool separated;		/* a record separator was seen */
	unsigned since;		/* values since the last one */
	unsigned odd;		/* what the last call found, TN_JSON_ODD_... */
	size_t odd_at;
	TN_ARRAY(struct tn_json_token) tokens;
};

/* One text: its values are borrowed until release. */
struct tn_json_text {
	struct tn_arena arena;
	json_t *owner;		/* of the strings */
	struct tn_json *root;
};

/*
 * The next text into *out (release it). TN_END: there is no more. On TN_ERR_FORMAT *where is the
 * place in the text.
 */
enum tn_code tn_json_next(struct tn_json_reader *r, struct tn_json_text *out, size_t *where, struct tn_error *err);
void tn_json_text_release(struct tn_json_text *t);
void tn_json_reader_release(struct tn_json_reader *r);

/* The member of that name, NULL when the object has none. */
const struct tn_json *tn_json_get(const struct tn_json *object, const char *key);

const char *tn_json_kind_name(enum tn_json_kind kind);	/* "an object", "a string", ... */

/* <0, 0, >0: two integers compared exactly, whatever their size; @text is the whole text. */
int tn_json_compare(const struct tn_json *a, const struct tn_json *b, const char *text);

/* Line and column of byte @at, from 1; the column counts characters. */
void tn_json_line(const char *text, size_t at, size_t *line, size_t *column);

#endif
