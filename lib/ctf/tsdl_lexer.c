#include "ctf/tsdl_lexer.h"

#include <string.h>

#include "base/str.h"

enum { SPACE = 1, WORD_START = 2, DIGIT = 4, HEX = 8 };

static const uint8_t classes[256] = {
	[' '] = SPACE, ['\t'] = SPACE, ['\r'] = SPACE, ['\n'] = SPACE, ['\f'] = SPACE, ['\v'] = SPACE,
	['_'] = WORD_START,
	['0' ... '9'] = DIGIT | HEX,
	['A' ... 'F'] = WORD_START | HEX, ['G' ... 'Z'] = WORD_START,
	['a' ... 'f'] = WORD_START | HEX, ['g' ... 'z'] = WORD_START,
};

static bool
is(const struct tsdl_lexer *lx, size_t at, int class)
{
	return at < lx->unit->n && classes[(unsigned char)lx->unit->text[at]] & class;
}

static int
peek(const struct tsdl_lexer *lx, size_t at)
{
	return at < lx->unit->n ? (unsigned char)lx->unit->text[at] : -1;
}

static struct tsdl_place
place_of(size_t from, size_t to)
{
	return (struct tsdl_place) { (uint32_t)from, (uint32_t)(to - from) };
}

static bool
skip_comment(struct tsdl_lexer *lx)
{
	const char *text = lx->unit->text, *end = text + lx->unit->n, *p = text + lx->at + 2;

	while ((p = memchr(p, '*', (size_t)(end - p)))) {
		if (++p < end && *p == '/') {
			lx->at = (size_t)(p + 1 - text);
			return true;
		}
	}
	return tn_tsdl_fail(lx->unit, place_of(lx->at, lx->at + 2), "the comment has no end");
}

static bool
skip_blanks(struct tsdl_lexer *lx)
{
	for (;;) {
		while (is(lx, lx->at, SPACE))
			lx->at++;
		if (peek(lx, lx->at) != '/')
			return true;
		if (peek(lx, lx->at + 1) == '*') {
			if (!skip_comment(lx))
				return false;
		} else if (peek(lx, lx->at + 1) == '/') {
			const char *from = lx->unit->text + lx->at;
			const char *end = memchr(from, '\n', lx->unit->n - lx->at);

			lx->at = end ? (size_t)(end - lx->unit->text) : lx->unit->n;
		} else {
			return true;
		}
	}
}

/* The length of a universal character name \uXXXX or \UXXXXXXXX at @at; 0: none. */
static size_t
universal_name(const struct tsdl_lexer *lx, size_t at)
{
	size_t n;

	if (peek(lx, at) != '\\' || (peek(lx, at + 1) != 'u' && peek(lx, at + 1) != 'U'))
		return 0;
	n = peek(lx, at + 1) == 'u' ? 4 : 8;
	for (size_t i = 0; i < n; i++)
		if (!is(lx, at + 2 + i, HEX))
			return 0;
	return n + 2;
}

static size_t
word_end(const struct tsdl_lexer *lx, size_t at)
{
	for (;;) {
		size_t more;

		if (is(lx, at, WORD_START | DIGIT))
			at++;
		else if ((more = universal_name(lx, at)))
			at += more;
		else
			return at;
	}
}

static unsigned
hex_digit(int c)
{
	return (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

/* The end of a suffix as in C99: one u, and one l or ll, in either order. */
static size_t
suffix_end(const struct tsdl_lexer *lx, size_t at)
{
	bool has_u = false, has_l = false;

	for (;;) {
		int c = peek(lx, at);

		if (!has_u && (c == 'u' || c == 'U')) {
			has_u = true;
			at++;
		} else if (!has_l && (c == 'l' || c == 'L')) {
			has_l = true;
			at += peek(lx, at + 1) == c ? 2 : 1;
		} else {
			return at;
		}
	}
}

static bool
number(struct tsdl_lexer *lx, struct tsdl_token *out)
{
	size_t from = lx->at, at = from;
	unsigned base = 10;
	uint64_t value = 0;
	bool too_large = false;

	if (peek(lx, at) == '0') {
		int c = peek(lx, at + 1) | 0x20;

		base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
		at += base == 8 ? 0 : 2;
	}
	size_t digits = at;
	for (; is(lx, at, HEX) && hex_digit(peek(lx, at)) < base; at++)
		too_large |= __builtin_mul_overflow(value, base, &value) ||
			     __builtin_add_overflow(value, hex_digit(peek(lx, at)), &value);
	lx->at = at > digits ? suffix_end(lx, at) : at;
	if (at == digits || is(lx, lx->at, WORD_START | DIGIT)) {
		while (is(lx, lx->at, WORD_START | DIGIT))
			lx->at++;
		return tn_tsdl_fail(lx->unit, place_of(from, lx->at), "not an integer");
	}
	out->kind = TSDL_T_NUMBER;
	out->place = place_of(from, lx->at);
	out->number = value;
	if (too_large)
		return tn_tsdl_fail(lx->unit, out->place, "the integer has more than 64 bits");
	return true;
}

static void
add_utf8(struct tn_str *s, uint32_t c)
{
	if (c < 0x80) {
		tn_str_putc(s, (char)c);
		return;
	}
	if (c < 0x800) {
		tn_str_putc(s, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			tn_str_putc(s, (char)(0xe0 | c >> 12));
		} else {
			tn_str_putc(s, (char)(0xf0 | (c >> 18 & 7)));
			tn_str_putc(s, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		tn_str_putc(s, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	tn_str_putc(s, (char)(0x80 | (c & 0x3f)));
}

/* Decode the escape whose backslash is at @at. Returns the place after it. */
static size_t
escape(struct tsdl_lexer *lx, size_t at, struct tn_str *s)
{
	static const char from[] = "abfnrtv\\'\"?", to[] = "\a\b\f\n\r\t\v\\'\"?";
	int c = peek(lx, at + 1);
	const char *known = c > 0 ? strchr(from, c) : NULL;
	size_t end = at + 2, n;
	uint32_t v = 0;

	if (known) {
		tn_str_putc(s, to[known - from]);
	} else if (c >= '0' && c <= '7') {
		for (end = at + 1; end < at + 4 && peek(lx, end) >= '0' && peek(lx, end) <= '7'; end++)
			v = v * 8 + hex_digit(peek(lx, end));
		tn_str_putc(s, (char)v);
	} else if (c == 'x' && is(lx, end, HEX)) {
		for (; end < at + 4 && is(lx, end, HEX); end++)
			v = v * 16 + hex_digit(peek(lx, end));
		tn_str_putc(s, (char)v);
	} else if ((n = universal_name(lx, at))) {
		for (end = at + 2; end < at + n; end++)
			v = v << 4 | hex_digit(peek(lx, end));
		add_utf8(s, v);
	} else {
		tn_tsdl_tell(lx->unit, TN_WARNING, place_of(at, end), "unknown escape: the backslash is ignored");
		tn_str_putc(s, (char)c);
	}
	return end;
}

/* Read "..." or '...' at lx->at; @quote is the quote. A NUL made by an escape ends the value. */
static bool
text(struct tsdl_lexer *lx, char quote, struct tsdl_token *out)
{
	const char *source = lx->unit->text;
	size_t from = lx->at, at = from + 1, run = at;
	struct tn_str *s = &lx->unit->unescaped;
	bool plain = true;

	s->n = 0;
	for (; peek(lx, at) != quote; ) {
		if (at >= lx->unit->n || source[at] == '\0' || (source[at] == '\\' && at + 1 >= lx->unit->n)) {
			bool at_end = at + 1 >= lx->unit->n;

			return at_end ? tn_tsdl_fail(lx->unit, place_of(from, at), "the string has no end")
				      : tn_tsdl_fail(lx->unit, place_of(at, at + 1), "NUL byte in a string");
		}
		if (source[at] != '\\') {
			at++;
			continue;
		}
		plain = false;
		tn_str_add(s, source + run, at - run);
		at = run = escape(lx, at, s);
	}
	lx->at = at + 1;
	out->kind = TSDL_T_TEXT;
	out->place = place_of(from, lx->at);
	out->text.at = source + run;
	out->text.n = at - run;
	if (plain)
		return true;
	tn_str_add(s, source + run, at - run);
	out->text.at = tn_str_text(s);
	out->text.n = strlen(out->text.at);
	return !s->failed || tn_tsdl_fail_memory(lx->unit);
}

/*
 * Whether only NULs are left: they are the rest of a tracer's buffer, and the text ends. NULs at other places are an
 * error.
 */
static bool
only_zeros_left(const struct tsdl_lexer *lx)
{
	for (size_t i = lx->at; i < lx->unit->n; i++)
		if (lx->unit->text[i] != '\0' && !is(lx, i, SPACE))
			return false;
	return true;
}

static bool
punctuator(struct tsdl_lexer *lx, struct tsdl_token *out)
{
	static const struct { char text[4]; int kind; } longer[] = {
		{ "...", TSDL_T_ELLIPSIS }, { ":=", TSDL_T_TYPE_ASSIGN }, { "->", TSDL_T_ARROW },
	};
	const char *p = lx->unit->text + lx->at;
	size_t left = lx->unit->n - lx->at;

	for (size_t i = 0; i < TN_COUNT(longer); i++) {
		size_t n = strlen(longer[i].text);

		if (*p == *longer[i].text && n <= left && memcmp(p, longer[i].text, n) == 0) {
			out->kind = longer[i].kind;
			out->place = place_of(lx->at, lx->at + n);
			lx->at += n;
			return true;
		}
	}
	out->place = place_of(lx->at, lx->at + 1);
	if (*p == '\0') {
		if (!only_zeros_left(lx))
			return tn_tsdl_fail(lx->unit, out->place, "NUL byte in the text");
		lx->at = lx->unit->n;
		out->kind = TSDL_T_END;
		out->place.n = 0;
		return true;
	}
	if (!strchr("[](){}.*+-<>:;=,", *p))
		return tn_tsdl_fail(lx->unit, out->place, "this is not a TSDL token");
	out->kind = *p;
	lx->at++;
	return true;
}

bool
tn_tsdl_next(struct tsdl_lexer *lx, struct tsdl_token *out)
{
	size_t end;
	int c;

	if (!skip_blanks(lx))
		return false;
	c = peek(lx, lx->at);
	if (c < 0) {
		*out = (struct tsdl_token) { .kind = TSDL_T_END, .place = place_of(lx->at, lx->at) };
		return true;
	}
	if (classes[c] & DIGIT)
		return number(lx, out);
	if (c == '"' || c == '\'')
		return text(lx, (char)c, out);
	end = word_end(lx, lx->at);
	if (end == lx->at)
		return punctuator(lx, out);
	if (end - lx->at == 1 && c == 'L' && (peek(lx, end) == '"' || peek(lx, end) == '\'')) {
		lx->at = end;
		return text(lx, (char)peek(lx, end), out);
	}
	out->kind = lx->names_only ? TSDL_T_NAME : TSDL_T_WORD;
	out->place = place_of(lx->at, end);
	lx->at = end;
	if (lx->names_only)
		return true;
	out->word = tn_tsdl_word(lx->unit, lx->unit->text + out->place.at, out->place.n);
	return out->word != NULL;
}
