#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistr.h>

#include "base/array.h"
#include "base/messages.h"
#include "base/names_once.h"

#define FEW 8	/* the names of an object with up to FEW members are compared with each other */
#define WINDOW ((size_t)4 << 20)	/* bytes of a mapped text that stay in memory */
#define MANY 1024	/* a list of this length is its own allocation, and is not copied when it is complete */

struct parser {
	struct tn_arena *arena;
	const char *text;
	size_t n, at;
	unsigned flags;
	const struct tn_map *map;
	size_t passed;			/* bytes at the start of the text that are no longer in memory */
	struct tn_json_fault *fault;
	struct tn_error *err;
	TN_ARRAY(struct tn_json) open;	/* children of the open values, first those of the outermost value */
	TN_ARRAY(char) room;		/* the string that is being read */
};

/* ---- errors ---- */

static bool
no_memory(struct parser *p)
{
	tn_fail_memory(p->err);
	return false;
}

/* Report a mistake at @at; returns false. */
static bool
wrong(struct parser *p, size_t at, enum tn_code code)
{
	(void)code;
	p->fault->at = at;
	return false;
}

/* Report that the text ends inside of a value. */
static bool
cut(struct parser *p, const char *inside)
{
	p->fault->cut = true;
	return wrong(p, p->n, tn_fail(p->err, TN_ERR_FORMAT, "the text ends inside %s", inside));
}

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '+' ||
	       c == '.' || c == '_';
}

/* Copy the text at @at for a message: a word, the start of a string, or a character. */
static const char *
shown(const struct parser *p, size_t at, char *buf, size_t size)
{
	size_t n = 1;
	int step;

	if (is_word(p->text[at]) || p->text[at] == '"')
		while (at + n < p->n && n < size - 3 && is_word(p->text[at + n]))
			n++;
	else if ((step = u8_mblen((const uint8_t *)p->text + at, p->n - at)) > 0)
		n = (size_t)step;
	if (n == 1 && ((unsigned char)p->text[at] < ' ' || (unsigned char)p->text[at] > '~'))
		snprintf(buf, size, _("byte %02x"), (unsigned char)p->text[at]);
	else
		snprintf(buf, size, "'%.*s'", (int)n, p->text + at);
	return buf;
}

static bool
expected(struct parser *p, const char *what, const char *inside)
{
	char buf[24];

	if (p->at >= p->n)
		return cut(p, inside);
	return wrong(p, p->at, tn_fail(p->err, TN_ERR_FORMAT, "%s expected, not %s", what,
				       shown(p, p->at, buf, sizeof buf)));
}

/* ---- between tokens ---- */

/* Skip a comment that begins at p->at; false: no comment. */
static bool
skip_comment(struct parser *p)
{
	const char *end;
	bool line;

	if (!(p->flags & TN_JSON_COMMENTS) || p->n - p->at < 2 || p->text[p->at] != '/' ||
	    (p->text[p->at + 1] != '/' && p->text[p->at + 1] != '*'))
		return false;
	line = p->text[p->at + 1] == '/';
	for (p->at += 2; p->at < p->n; p->at++) {
		end = p->text + p->at;
		if (line && *end == '\n')
			break;
		if (!line && *end == '*' && p->at + 1 < p->n && end[1] == '/') {
			p->at += 2;
			break;
		}
	}
	return true;
}

/* The next character that is not white space; NUL at the end, where p->at is p->n. */
static char
peek(struct parser *p)
{
	while (p->at < p->n) {
		char c = p->text[p->at];

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
			p->at++;
		else if (c != '/' || !skip_comment(p))
			return c;
	}
	return '\0';
}

/* ---- strings ---- */

static bool
add_bytes(struct parser *p, const void *bytes, size_t n)
{
	if (!TN_ARRAY_RESERVE(&p->room, p->room.n + n))
		return no_memory(p);
	memcpy(p->room.item + p->room.n, bytes, n);
	p->room.n += n;
	return true;
}

/* The number of four hexadecimal digits at @at; -1: there are other characters. */
static int32_t
hex4(const struct parser *p, size_t at)
{
	int32_t v = 0;

	if (p->n - at < 4)
		return -1;
	for (size_t i = at; i < at + 4; i++) {
		char c = p->text[i];
		int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 :
			    c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;

		if (digit < 0)
			return -1;
		v = v * 16 + digit;
	}
	return v;
}

/* Read \uXXXX, or two of them for a character above U+FFFF. */
static bool
read_unicode(struct parser *p)
{
	size_t at = p->at;
	int32_t c = hex4(p, at + 2), low = -1;
	uint8_t utf8[6];
	int n;

	if (c < 0)
		return p->n - at < 6 ? cut(p, _("a string"))
				     : wrong(p, at, tn_fail(p->err, TN_ERR_FORMAT, "\\u needs four hexadecimal digits"));
	p->at += 6;
	if (c >= 0xd800 && c < 0xdc00) {
		if (p->n - p->at < 6 && memchr(p->text + p->at, '"', p->n - p->at) == NULL)
			return cut(p, _("a string"));
		if (p->n - p->at >= 6 && p->text[p->at] == '\\' && p->text[p->at + 1] == 'u')
			low = hex4(p, p->at + 2);
		if (low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			p->at += 6;
		}
	}
	if (c == 0)
		return wrong(p, at, tn_fail(p->err, TN_ERR_FORMAT, "\\u0000 in a string"));
	n = u8_uctomb(utf8, (ucs4_t)c, sizeof utf8);
	if (n < 0)
		return wrong(p, at, tn_fail(p->err, TN_ERR_FORMAT, "half of a surrogate pair, %.6s, in a string",
					    p->text + at));
	return add_bytes(p, utf8, (size_t)n);
}

static bool
read_escape(struct parser *p)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *which;
	char buf[24];

	if (p->n - p->at < 2)
		return cut(p, _("a string"));
	if (p->text[p->at + 1] == 'u')
		return read_unicode(p);
	which = p->text[p->at + 1] ? strchr(from, p->text[p->at + 1]) : NULL;
	if (!which)
		return wrong(p, p->at, tn_fail(p->err, TN_ERR_FORMAT, "%s after a backslash in a string",
					       shown(p, p->at + 1, buf, sizeof buf)));
	p->at += 2;
	return add_bytes(p, &to[which - from], 1);
}

/* Copy characters up to a quote, a backslash or the end. They must be valid UTF-8. */
static bool
read_plain(struct parser *p)
{
	size_t begin = p->at;
	unsigned char c;

	while (p->at < p->n && (c = (unsigned char)p->text[p->at]) != '"' && c != '\\') {
		int step = c < 0x80 ? 1 : u8_mblen((const uint8_t *)p->text + p->at, p->n - p->at);

		if (c < ' ')
			return wrong(p, p->at, tn_fail(p->err, TN_ERR_FORMAT, "the control character %02x in a string",
						       c));
		if (step < 0 && p->n - p->at < 4) {
			ucs4_t whole;

			/* -2: the character is incomplete. */
			if (u8_mbtoucr(&whole, (const uint8_t *)p->text + p->at, p->n - p->at) == -2)
				return cut(p, _("a string"));
		}
		if (step < 0)
			return wrong(p, p->at, tn_fail(p->err, TN_ERR_FORMAT, "byte %02x is not UTF-8", c));
		p->at += (size_t)step;
	}
	return add_bytes(p, p->text + begin, p->at - begin);
}

static bool
read_string(struct parser *p, const char **out)
{
	p->at++;
	p->room.n = 0;
	for (;;) {
		if (p->at >= p->n)
			return cut(p, _("a string"));
		if (p->text[p->at] == '"')
			break;
		if (p->text[p->at] == '\\' ? !read_escape(p) : !read_plain(p))
			return false;
	}
	p->at++;
	*out = tn_arena_copy(p->arena, p->room.n ? p->room.item : "", p->room.n);
	return *out || no_memory(p);
}

/* ---- numbers and words ---- */

static size_t
digits(const struct parser *p, size_t at)
{
	size_t begin = at;

	while (at < p->n && p->text[at] >= '0' && p->text[at] <= '9')
		at++;
	return at - begin;
}

/* Whether the bytes from p->at to @end are a number: -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)? */
static bool
is_number(const struct parser *p, size_t end, bool *integer)
{
	size_t at = p->at + (p->text[p->at] == '-'), n = digits(p, at);

	if (n == 0 || (n > 1 && p->text[at] == '0'))
		return false;
	at += n;
	*integer = at == end;
	if (at < end && p->text[at] == '.') {
		n = digits(p, at + 1);
		if (n == 0)
			return false;
		at += 1 + n;
	}
	if (at < end && (p->text[at] == 'e' || p->text[at] == 'E')) {
		at++;
		if (at < end && (p->text[at] == '+' || p->text[at] == '-'))
			at++;
		n = digits(p, at);
		if (n == 0)
			return false;
		at += n;
	}
	return at == end;
}

static void
read_magnitude(const struct parser *p, struct tn_json *out, size_t at, size_t end)
{
	out->magnitude = 0;
	for (; at < end && !out->beyond; at++)
		out->beyond = __builtin_mul_overflow(out->magnitude, 10, &out->magnitude) ||
			      __builtin_add_overflow(out->magnitude, (uint64_t)(p->text[at] - '0'), &out->magnitude);
	if (out->beyond)
		out->magnitude = UINT64_MAX;
}

/* Read a number, true, false or null: letters, digits and signs up to another character. */
static bool
read_word(struct parser *p, struct tn_json *out)
{
	static const struct { const char *word; enum tn_json_kind kind; bool truth; } words[] = {
		{ "true", TN_JSON_BOOLEAN, true }, { "false", TN_JSON_BOOLEAN, false }, { "null", TN_JSON_NULL, false },
	};
	size_t end = p->at;
	bool integer = false, begins = false;
	char buf[24];

	while (end < p->n && is_word(p->text[end]))
		end++;
	for (size_t i = 0; i < TN_COUNT(words); i++) {
		size_t n = strlen(words[i].word);

		if (end - p->at <= n && memcmp(words[i].word, p->text + p->at, end - p->at) == 0) {
			begins = true;
			if (end - p->at != n)
				continue;
			out->kind = words[i].kind;
			out->truth = words[i].truth;
			p->at = end;
			return true;
		}
	}
	if (!is_number(p, end, &integer)) {
		if (end == p->n && (begins || p->text[end - 1] == '-' || p->text[end - 1] == '+' ||
				    p->text[end - 1] == '.' || p->text[end - 1] == 'e' || p->text[end - 1] == 'E'))
			return cut(p, _("a value"));
		return wrong(p, p->at, tn_fail(p->err, TN_ERR_FORMAT, "%s is not a value",
					       shown(p, p->at, buf, sizeof buf)));
	}
	out->kind = integer ? TN_JSON_INTEGER : TN_JSON_REAL;
	if (integer) {
		read_magnitude(p, out, p->at + (p->text[p->at] == '-'), end);
		out->negative = p->text[p->at] == '-' && out->magnitude != 0;
	}
	p->at = end;
	return true;
}

/* ---- objects and arrays ---- */

static bool
key_twice(struct parser *p, const struct tn_json *c, size_t key_at)
{
	return wrong(p, key_at, tn_fail(p->err, TN_ERR_FORMAT, "the name \"%.60s\" occurs twice", c->key));
}

static const char *
key_of(const void *user, size_t i)
{
	const struct tn_json *object = user;

	return object->child[i].key;
}

/* Check that all names differ. A few names are compared with each other; many names are put into a table. */
static bool
check_keys(struct parser *p, const struct tn_json *object)
{
	struct tn_names_once seen = { .name_of = key_of, .user = object };
	bool ok = true, is_new = true;
	size_t same;

	if (object->n > FEW && !tn_names_once_reserve(&seen, object->n))
		return no_memory(p);
	for (size_t i = 0; i < object->n && ok; i++) {
		const struct tn_json *c = &object->child[i];

		if (object->n <= FEW) {
			for (size_t k = 0; k < i && is_new; k++)
				is_new = strcmp(object->child[k].key, c->key) != 0;
		} else if (!tn_names_once_add(&seen, i, &same)) {
			ok = no_memory(p);
		} else {
			is_new = same == i;
		}
		if (!is_new)
			ok = key_twice(p, c, c->index);
	}
	tn_names_once_release(&seen);
	return ok;
}

/*
 * Make the final array of the @n children from @first on: a copy, or their own allocation if they are many. NULL:
 * memory is out.
 */
static struct tn_json *
settle(struct parser *p, size_t first, size_t n)
{
	struct tn_json *child = p->open.item, *exact;
	TN_ARRAY(struct tn_json) others = { 0 };

	if (n < MANY || n < first) {
		if ((child = TN_NEW_ARRAY(p->arena, n, struct tn_json)))
			memcpy(child, &p->open.item[first], n * sizeof *child);
		return child;
	}
	if (!TN_ARRAY_RESERVE(&others, first + 1))
		return NULL;
	memcpy(others.item, child, first * sizeof *child);
	p->open.item = others.item;
	p->open.room = others.room;
	p->open.n = first;
	memmove(child, child + first, n * sizeof *child);
	if ((exact = realloc(child, n * sizeof *child)))
		child = exact;
	if (tn_arena_adopt(p->arena, child))
		return child;
	free(child);
	return NULL;
}

/*
 * The children from @first on are complete: move them to their final array, and update the pointers in their own
 * children.
 */
static bool
close_value(struct parser *p, struct tn_json *out, size_t first)
{
	p->at++;
	out->n = (uint32_t)(p->open.n - first);
	out->child = NULL;
	if (out->n == 0)
		return true;
	if (!(out->child = settle(p, first, out->n)))
		return no_memory(p);
	p->open.n = first;
	/* Until check_keys() runs, the index of a member is the position of its name. */
	if (out->kind == TN_JSON_OBJECT && !check_keys(p, out))
		return false;
	for (size_t i = 0; i < out->n; i++) {
		struct tn_json *c = &out->child[i];

		c->index = (uint32_t)i;
		for (size_t k = 0; k < c->n; k++)
			c->child[k].parent = c;
	}
	return true;
}

static bool read_value(struct parser *p, struct tn_json *out, unsigned depth);

static bool
keep(struct parser *p, const struct tn_json *child)
{
	struct tn_json *place = TN_ARRAY_ADD(&p->open);

	if (!place)
		return no_memory(p);
	*place = *child;
	if (p->map && p->at - p->passed > WINDOW) {
		tn_map_pass(p->map, p->passed, p->at);
		p->passed = p->at;
	}
	return true;
}

static bool
read_object(struct parser *p, struct tn_json *out, unsigned depth)
{
	size_t first = p->open.n;

	p->at++;
	if (peek(p) == '}')
		return close_value(p, out, first);
	for (;;) {
		struct tn_json c = { 0 };
		size_t key_at;

		if (peek(p) != '"')
			return expected(p, p->open.n == first ? _("a name in quotes or '}'") : _("a name in quotes"),
					_("an object"));
		key_at = p->at;
		if (!read_string(p, &c.key))
			return false;
		if (peek(p) != ':')
			return expected(p, "':'", _("an object"));
		p->at++;
		if (!read_value(p, &c, depth + 1))
			return false;
		c.index = (uint32_t)key_at;
		if (!keep(p, &c))
			return false;
		if (peek(p) == '}')
			return close_value(p, out, first);
		if (peek(p) != ',')
			return expected(p, _("',' or '}'"), _("an object"));
		p->at++;
	}
}

static bool
read_array(struct parser *p, struct tn_json *out, unsigned depth)
{
	size_t first = p->open.n;

	p->at++;
	if (peek(p) == ']')
		return close_value(p, out, first);
	for (;;) {
		struct tn_json c = { 0 };

		if (!read_value(p, &c, depth + 1) || !keep(p, &c))
			return false;
		if (peek(p) == ']')
			return close_value(p, out, first);
		if (peek(p) != ',')
			return expected(p, _("',' or ']'"), _("an array"));
		p->at++;
	}
}

/* Write all members of @out except key, index and parent, which the parent's parser sets. */
static bool
read_value(struct parser *p, struct tn_json *out, unsigned depth)
{
	char c = peek(p);
	bool ok;

	out->at = (uint32_t)p->at;
	if (depth > TN_JSON_DEPTH)
		return wrong(p, p->at, tn_fail(p->err, TN_ERR_FORMAT, "more than %d nested values",
					       TN_JSON_DEPTH));
	if (c == '{') {
		out->kind = TN_JSON_OBJECT;
		ok = read_object(p, out, depth);
	} else if (c == '[') {
		out->kind = TN_JSON_ARRAY;
		ok = read_array(p, out, depth);
	} else if (c == '"') {
		out->kind = TN_JSON_STRING;
		ok = read_string(p, &out->text);
	} else if (p->at < p->n && is_word(c)) {
		ok = read_word(p, out);
	} else {
		ok = expected(p, _("a value"), depth == 1 ? _("white space") : _("an object or array"));
	}
	out->end = (uint32_t)p->at;
	return ok;
}

static bool
read_root(struct parser *p, struct tn_json **out)
{
	struct tn_json *root;

	if (p->n > TN_JSON_SIZE)
		return wrong(p, TN_JSON_SIZE, tn_fail(p->err, TN_ERR_FORMAT, "more than %zu MiB of JSON",
						      TN_JSON_SIZE >> 20));
	if (!(root = TN_NEW(p->arena, struct tn_json)))
		return no_memory(p);
	if (!read_value(p, root, 1))
		return false;
	for (size_t i = 0; i < root->n; i++)
		root->child[i].parent = root;
	*out = root;
	return true;
}

enum tn_code
tn_json_parse(struct tn_json **out, struct tn_arena *arena, const char *text, size_t n, size_t *at, unsigned flags,
	      const struct tn_map *map, struct tn_json_fault *fault, struct tn_error *err)
{
	struct tn_error own;
	struct parser p = { .arena = arena, .text = text, .n = n, .at = *at, .flags = flags, .map = map, .passed = *at,
			    .fault = fault, .err = err ? err : &own };
	bool ok;

	*out = NULL;
	*fault = (struct tn_json_fault) { 0 };
	ok = read_root(&p, out);
	*at = p.at;
	TN_ARRAY_RELEASE(&p.open);
	TN_ARRAY_RELEASE(&p.room);
	return ok ? TN_OK : p.err->code;
}

enum tn_code
tn_json_parse_all(struct tn_json **out, struct tn_arena *arena, const char *text, size_t n, unsigned flags,
		  struct tn_json_fault *fault, struct tn_error *err)
{
	struct parser p = { .text = text, .n = n, .flags = flags, .fault = fault, .err = err };
	enum tn_code code = tn_json_parse(out, arena, text, n, &p.at, flags, NULL, fault, err);
	char buf[24];

	if (code < 0 || (peek(&p), p.at == n))
		return code;
	*out = NULL;
	wrong(&p, p.at, tn_fail(p.err, TN_ERR_FORMAT, "the end is expected, not %s", shown(&p, p.at, buf, sizeof buf)));
	return TN_ERR_FORMAT;
}

/* ---- values ---- */

const struct tn_json *
tn_json_get(const struct tn_json *object, const char *key)
{
	if (!object || object->kind != TN_JSON_OBJECT)
		return NULL;
	for (size_t i = 0; i < object->n; i++)
		if (strcmp(object->child[i].key, key) == 0)
			return &object->child[i];
	return NULL;
}

const char *
tn_json_text(const struct tn_json *value)
{
	return value && value->kind == TN_JSON_STRING ? value->text : NULL;
}

const char *
tn_json_kind_name(enum tn_json_kind kind)
{
	static const char *const names[] = {
		[TN_JSON_OBJECT] = N_("an object"), [TN_JSON_ARRAY] = N_("an array"),
		[TN_JSON_STRING] = N_("a string"), [TN_JSON_INTEGER] = N_("an integer"),
		[TN_JSON_REAL] = N_("a number that is not an integer"), [TN_JSON_BOOLEAN] = N_("a boolean"),
		[TN_JSON_NULL] = N_("null"),
	};

	return _(names[kind]);
}

int
tn_json_compare(const struct tn_json *a, const struct tn_json *b, const char *text)
{
	int magnitude;

	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	if (a->beyond && b->beyond) {
		/* JSON does not have leading zeros, so the longer number is greater. */
		size_t na = a->end - a->at, nb = b->end - b->at;

		magnitude = na != nb ? (na < nb ? -1 : 1) : memcmp(text + a->at, text + b->at, na);
	} else if (a->beyond != b->beyond) {
		magnitude = a->beyond ? 1 : -1;
	} else {
		magnitude = a->magnitude < b->magnitude ? -1 : a->magnitude > b->magnitude;
	}
	return a->negative ? -magnitude : magnitude;
}

/* Read the number after the 'e'; it saturates far above any useful value. */
static int64_t
exponent_of(const char *text, size_t at, size_t end)
{
	int64_t e = 0;
	bool negative = false;

	if (at < end && (text[at] == '-' || text[at] == '+'))
		negative = text[at++] == '-';
	for (; at < end && text[at] >= '0' && text[at] <= '9'; at++)
		if (e < INT64_MAX / 20)
			e = e * 10 + (text[at] - '0');
	return negative ? -e : e;
}

int64_t
tn_json_truncate(const struct tn_json *number, const char *text)
{
	bool negative = text[number->at] == '-', beyond = false;
	size_t begin = number->at + negative, mantissa = begin, point;
	uint64_t v = 0, most = negative ? UINT64_C(1) << 63 : INT64_MAX;
	int64_t left;

	while (mantissa < number->end && text[mantissa] != 'e' && text[mantissa] != 'E')
		mantissa++;
	for (point = begin; point < mantissa && text[point] != '.'; point++)
		;
	/* Number of digits of the integral part; digits that the text does not have are zeros. */
	left = (int64_t)(point - begin) + exponent_of(text, mantissa + 1, number->end);
	for (size_t i = begin; left > 0 && !beyond && (i < mantissa || v); i++) {
		unsigned digit = i < mantissa ? (unsigned)(text[i] - '0') : 0;

		if (i < mantissa && text[i] == '.')
			continue;
		beyond = __builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, digit, &v) || v > most;
		left--;
	}
	if (beyond)
		v = most;
	return negative ? (int64_t)-v : (int64_t)v;
}

void
tn_json_line(const char *text, size_t at, size_t *line, size_t *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < at; i++) {
		if (text[i] == '\n') {
			++*line;
			*column = 1;
		} else if (((unsigned char)text[i] & 0xc0) != 0x80 && text[i] != '\x1e') {
			++*column;
		}
	}
}
