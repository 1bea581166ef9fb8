#include "ctf/ctf2_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RS '\x1e'

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
is_number_part(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* Note what an integer token says, exactly. */
static void
note_number(struct tn_json_token *t, const char *text)
{
	size_t i = t->at;

	if (text[i] == '-') {
		t->negative = true;
		i++;
	}
	if (i == t->end)
		return;
	for (; i < t->end; i++) {
		if (text[i] < '0' || text[i] > '9')
			return;
		if (__builtin_mul_overflow(t->magnitude, 10, &t->magnitude) ||
		    __builtin_add_overflow(t->magnitude, (uint64_t)(text[i] - '0'), &t->magnitude))
			t->beyond = true;
	}
	t->integer = true;
	if (t->beyond)
		t->magnitude = UINT64_MAX;
	if (t->magnitude == 0)
		t->negative = false;
}

/* The end of the string whose quote is at @at: behind its closing quote, or where it is cut. */
static size_t
string_end(const struct tn_json_reader *r, size_t at, bool *closed)
{
	for (at++; at < r->n && r->text[at] != RS; at++) {
		if (r->text[at] == '"') {
			*closed = true;
			return at + 1;
		}
		if (r->text[at] == '\\' && at + 1 < r->n && r->text[at + 1] != RS)
			at++;
	}
	*closed = false;
	return at;
}

/*
 * Scan the tokens of the value that begins at r->at, up to its end, which is returned: the end of
 * the text or a record separator when it is not closed (*closed is false then). Only brackets and
 * strings are understood; whether the rest is JSON is the parser's work.
 */
static enum tn_code
scan(struct tn_json_reader *r, size_t *end, bool *closed, struct tn_error *err)
{
	size_t depth = 0, at = r->at;

	r->tokens.n = 0;
	*closed = true;
	while (at < r->n && r->text[at] != RS) {
		char c = r->text[at];
		struct tn_json_token *t;

		if (is_space(c) || c == ',' || c == ':') {
			at++;
			continue;
		}
		if (!(t = TN_ARRAY_ADD(&r->tokens)))
			return tn_fail_memory(err);
		t->at = at;
		if (c == '"') {
			t->end = at = string_end(r, at, closed);
			if (!*closed)
				break;
		} else if (is_number_part(c)) {
			while (at < r->n && is_number_part(r->text[at]))
				at++;
			t->end = at;
			note_number(t, r->text);
		} else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
			while (at < r->n && ((r->text[at] >= 'a' && r->text[at] <= 'z') ||
					     (r->text[at] >= 'A' && r->text[at] <= 'Z')))
				at++;
			t->end = at;
		} else {
			t->end = ++at;
			if (c == '{' || c == '[')
				depth++;
			else if ((c == '}' || c == ']') && depth > 0)
				depth--;
		}
		if (depth == 0)
			break;
	}
	if (depth > 0)
		*closed = false;
	*end = at;
	return TN_OK;
}

/*
 * jansson refuses integers beyond 64 signed bits: it gets a copy of the text with their first digits
 * only, since what counts is in the tokens. *copy stays NULL when there are none.
 */
static bool
shorten_integers(const struct tn_json_reader *r, size_t begin, size_t end, char **copy)
{
	const size_t keep = 18;

	*copy = NULL;
	for (size_t i = 0; i < r->tokens.n; i++) {
		const struct tn_json_token *t = &r->tokens.item[i];

		if (!t->integer || t->end - t->at <= keep)
			continue;
		if (!*copy) {
			if (!(*copy = malloc(end - begin)))
				return false;
			memcpy(*copy, r->text + begin, end - begin);
		}
		memset(*copy + (t->at - begin) + keep, ' ', t->end - t->at - keep);
	}
	return true;
}

/* ---- values and tokens to one tree ---- */

struct grower {
	struct tn_arena *arena;
	const struct tn_json_reader *reader;
	size_t token;	/* the next one */
};

static const struct tn_json_token *
take(struct grower *g)
{
	return g->token < g->reader->tokens.n ? &g->reader->tokens.item[g->token++] : NULL;
}

static bool grow(struct grower *g, struct tn_json *out, json_t *value);

static bool
grow_object(struct grower *g, struct tn_json *out, json_t *value)
{
	const struct tn_json_token *t;
	const char *key;
	json_t *member;
	size_t i = 0;

	out->n = json_object_size(value);
	if (out->n && !(out->child = TN_NEW_ARRAY(g->arena, out->n, struct tn_json)))
		return false;
	/* jansson keeps members in the order they came in. */
	json_object_foreach(value, key, member) {
		struct tn_json *c = &out->child[i];

		if (!(t = take(g)))
			return false;
		c->key = key;
		c->key_at = t->at;
		c->parent = out;
		c->index = i++;
		if (!grow(g, c, member))
			return false;
	}
	if (!(t = take(g)))
		return false;
	out->end = t->end;
	return true;
}

static bool
grow_array(struct grower *g, struct tn_json *out, json_t *value)
{
	const struct tn_json_token *t;

	out->n = json_array_size(value);
	if (out->n && !(out->child = TN_NEW_ARRAY(g->arena, out->n, struct tn_json)))
		return false;
	for (size_t i = 0; i < out->n; i++) {
		out->child[i].parent = out;
		out->child[i].index = i;
		if (!grow(g, &out->child[i], json_array_get(value, i)))
			return false;
	}
	if (!(t = take(g)))
		return false;
	out->end = t->end;
	return true;
}

/* False: no memory. Depth is bounded by the parser's own limit. */
static bool
grow(struct grower *g, struct tn_json *out, json_t *value)
{
	const struct tn_json_token *t = take(g);

	if (!t)
		return false;
	out->at = t->at;
	out->end = t->end;
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		out->kind = TN_JSON_OBJECT;
		return grow_object(g, out, value);
	case JSON_ARRAY:
		out->kind = TN_JSON_ARRAY;
		return grow_array(g, out, value);
	case JSON_STRING:
		out->kind = TN_JSON_STRING;
		out->text = json_string_value(value);
		break;
	case JSON_INTEGER:
		out->kind = TN_JSON_INTEGER;
		out->negative = t->negative;
		out->beyond = t->beyond;
		out->magnitude = t->magnitude;
		break;
	case JSON_REAL:
		out->kind = TN_JSON_REAL;
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		out->kind = TN_JSON_BOOLEAN;
		out->truth = json_is_true(value);
		break;
	case JSON_NULL:
		out->kind = TN_JSON_NULL;
		break;
	}
	return true;
}

/* ---- the sequence ---- */

/* Go on to the next value; false: there is none. */
static bool
skip_to_value(struct tn_json_reader *r)
{
	static const char bom[] = "\xef\xbb\xbf";
	bool lead = false;

	if (r->at == 0 && r->n >= 3 && memcmp(r->text, bom, 3) == 0) {
		r->at = 3;
		lead = true;
	}
	for (; r->at < r->n; r->at++) {
		if (r->text[r->at] == RS) {
			if (lead && !r->separated && r->since == 0) {
				r->odd |= TN_JSON_ODD_LEAD;
				r->odd_at = 0;
			}
			r->separated = true;
			r->since = 0;
		} else if (is_space(r->text[r->at])) {
			lead = true;
		} else {
			return true;
		}
	}
	return false;
}

/* Where the parser stopped: the last token it had begun. */
static size_t
error_place(const struct tn_json_reader *r, size_t begin, const json_error_t *e)
{
	size_t stop = begin + (e->position > 0 ? (size_t)e->position : 0), place = begin;

	for (size_t i = 0; i < r->tokens.n && r->tokens.item[i].at < stop; i++)
		place = r->tokens.item[i].at;
	return place;
}

static enum tn_code
parse(struct tn_json_reader *r, struct tn_json_text *out, size_t end, bool closed, size_t *where,
      struct tn_error *err)
{
	struct grower g = { .arena = &out->arena, .reader = r };
	json_error_t e;
	char *copy;

	if (!shorten_integers(r, r->at, end, &copy))
		return tn_fail_memory(err);
	out->owner = json_loadb(copy ? copy : r->text + r->at, end - r->at, JSON_REJECT_DUPLICATES, &e);
	free(copy);
	if (!out->owner) {
		*where = error_place(r, r->at, &e);
		if (!closed && end == r->n &&
		    (json_error_code(&e) == json_error_premature_end_of_input ||
		     *where >= r->tokens.item[r->tokens.n - 1].at)) {
			/* The trace is still being recorded, or its copy was cut. */
			r->odd |= TN_JSON_ODD_CUT;
			r->odd_at = r->at;
			return TN_END;
		}
		if (json_error_code(&e) == json_error_out_of_memory)
			return tn_fail_memory(err);
		if (!closed && end < r->n)
			return tn_fail(err, TN_ERR_FORMAT, "this is not JSON: it does not end before the next record "
				       "separator, the byte 1e");
		if (json_error_code(&e) == json_error_null_character)
			return tn_fail(err, TN_ERR_FORMAT, "a string with \\u0000 in it");
		return tn_fail(err, TN_ERR_FORMAT, "this is not JSON: %s", e.text);
	}
	if (!(out->root = TN_NEW(&out->arena, struct tn_json)) || !grow(&g, out->root, out->owner))
		return tn_fail_memory(err);
	return TN_OK;
}

enum tn_code
tn_json_next(struct tn_json_reader *r, struct tn_json_text *out, size_t *where, struct tn_error *err)
{
	enum tn_code code;
	size_t end = 0;
	bool closed = true;

	memset(out, 0, sizeof *out);
	r->odd = 0;
	if (!skip_to_value(r))
		return TN_END;
	r->odd_at = *where = r->at;
	if (!r->separated && r->since == 0)
		r->odd |= TN_JSON_ODD_NO_SEPARATOR;
	else if (r->separated && r->since == 1)
		r->odd |= TN_JSON_ODD_TWO;
	if (r->text[r->at] == '[')
		r->odd |= TN_JSON_ODD_ARRAY;
	r->since++;
	if ((code = scan(r, &end, &closed, err)) < 0)
		return code;
	code = parse(r, out, end, closed, where, err);
	r->at = end;
	return code;
}

void
tn_json_text_release(struct tn_json_text *t)
{
	json_decref(t->owner);
	tn_arena_release(&t->arena);
	t->owner = NULL;
	t->root = NULL;
}

void
tn_json_reader_release(struct tn_json_reader *r)
{
	TN_ARRAY_RELEASE(&r->tokens);
}

/* ---- values ---- */

const struct tn_json *
tn_json_get(const struct tn_json *object, const char *key)
{
	for (size_t i = 0; i < object->n; i++)
		if (object->child[i].key && strcmp(object->child[i].key, key) == 0)
			return &object->child[i];
	return NULL;
}

const char *
tn_json_kind_name(enum tn_json_kind kind)
{
	static const char *const names[] = {
		[TN_JSON_OBJECT] = "an object", [TN_JSON_ARRAY] = "an array", [TN_JSON_STRING] = "a string",
		[TN_JSON_INTEGER] = "an integer", [TN_JSON_REAL] = "a number that is no integer",
		[TN_JSON_BOOLEAN] = "a boolean", [TN_JSON_NULL] = "null",
	};

	return names[kind];
}

int
tn_json_compare(const struct tn_json *a, const struct tn_json *b, const char *text)
{
	int magnitude;

	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	if (a->beyond && b->beyond) {
		/* JSON has no leading zeros: more digits are more. */
		size_t na = a->end - a->at, nb = b->end - b->at;

		magnitude = na != nb ? (na < nb ? -1 : 1) : memcmp(text + a->at, text + b->at, na);
	} else if (a->beyond != b->beyond) {
		magnitude = a->beyond ? 1 : -1;
	} else {
		magnitude = a->magnitude < b->magnitude ? -1 : a->magnitude > b->magnitude;
	}
	return a->negative ? -magnitude : magnitude;
}

void
tn_json_line(const char *text, size_t at, size_t *line, size_t *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < at; i++) {
		if (text[i] == '\n') {
			++*line;
			*column = 1;
		} else if (((unsigned char)text[i] & 0xc0) != 0x80 && text[i] != RS) {
			++*column;
		}
	}
}
