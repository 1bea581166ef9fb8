/* literal.c - parse the values that fields are compared with: numbers, times, strings, words */
#include <config.h>

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "order/cursor.h"
#include "language/expression_tree.h"

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static unsigned
digit_of(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 :
	       c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 99;
}

/* ---- numbers ---- */

/* Read digits of @base, with '_' between them. False: there are no digits, or the number is too large. */
static bool
digits(const char **at, unsigned base, uint64_t *out)
{
	const char *begin = *at;
	uint64_t v = 0;

	for (; digit_of(**at) < base || (**at == '_' && *at > begin && digit_of((*at)[1]) < base); ++*at)
		if (**at != '_' &&
		    (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit_of(**at), &v)))
			return false;
	*out = v;
	return *at > begin;
}

/* Convert as in the C locale, whatever the locale of the program is. */
static bool
floating(const char *begin, const char *end, double *out)
{
	locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	char room[128], *stop;
	size_t n = 0;

	if (!locale)
		return false;
	for (; begin < end && n + 1 < sizeof room; begin++)
		if (*begin != '_')
			room[n++] = *begin;
	room[n] = '\0';
	*out = strtod_l(room, &stop, locale);
	freelocale(locale);
	return begin == end && stop > room && !*stop;
}

/*
 * The end of the floating-point number that begins with digits at @at. NULL: it is not one, because the point belongs to
 * a range.
 */
static const char *
end_of_floating(const char *at)
{
	bool point = false;

	while (isdigit((unsigned char)*at) || (*at == '_' && isdigit((unsigned char)at[1])))
		at++;
	if (*at == '.' && isdigit((unsigned char)at[1])) {
		point = true;
		for (at++; isdigit((unsigned char)*at) || (*at == '_' && isdigit((unsigned char)at[1])); at++)
			;
	}
	if ((*at == 'e' || *at == 'E') &&
	    (isdigit((unsigned char)at[1]) || ((at[1] == '-' || at[1] == '+') && isdigit((unsigned char)at[2])))) {
		point = true;
		for (at += 2; isdigit((unsigned char)*at); at++)
			;
	}
	return point ? at : NULL;
}

struct unit {
	const char *name;
	uint64_t ns;
};

/* Find the unit of a duration, in nanoseconds. */
static const struct unit *
find_unit(const char *at, size_t *n)
{
	static const struct unit units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "\302\265s", 1000 }, { "\316\274s", 1000 }, { "ms", 1000000 },
		{ "s", 1000000000 }, { "min", UINT64_C(60000000000) }, { "m", UINT64_C(60000000000) },
		{ "h", UINT64_C(3600000000000) }, { "d", UINT64_C(86400000000000) },
	};

	for (size_t i = 0; i < TN_COUNT(units); i++) {
		*n = strlen(units[i].name);
		if (strncmp(at, units[i].name, *n) == 0 && !is_word(at[*n]))
			return &units[i];
	}
	return NULL;
}

/* Convert to nanoseconds. The result has a fraction only if the number has one. */
static void
scale(struct tn_number *v, uint64_t ns)
{
	uint64_t magnitude;

	if (!v->is_float && !__builtin_mul_overflow(v->magnitude, ns, &magnitude)) {
		v->magnitude = magnitude;
		return;
	}
	if (v->is_float)
		v->f *= (double)ns;
	else
		*v = (struct tn_number) { .is_float = true, .f = (v->is_negative ? -1 : 1) * (double)v->magnitude * (double)ns };
	if (v->f >= -0x1p53 && v->f <= 0x1p53 && v->f == (double)(int64_t)v->f)
		*v = (struct tn_number) {
			.is_negative = v->f < 0, .magnitude = (uint64_t)(int64_t)(v->f < 0 ? -v->f : v->f),
		};
}

/*
 * Convert a decimal number such as "1.001" with a unit of @ns. This is exact if the result is whole and the number has no
 * exponent.
 */
static bool
scale_decimal(const char *begin, const char *end, uint64_t ns, struct tn_number *v)
{
	bool negative = *begin == '-', point = false;
	uint64_t digits = 0, parts = 1;

	for (const char *at = begin + (*begin == '-' || *begin == '+'); at < end; at++) {
		if (*at == '_')
			continue;
		if (*at == '.') {
			point = true;
			continue;
		}
		if (!isdigit((unsigned char)*at) || __builtin_mul_overflow(digits, 10, &digits) ||
		    __builtin_add_overflow(digits, digit_of(*at), &digits) ||
		    (point && __builtin_mul_overflow(parts, 10, &parts)))
			return false;
	}
	/* Remove common factors first: 0.000000001 s is 1 ns. */
	for (uint64_t prime = 2; prime <= 5; prime += 3)
		while (parts % prime == 0 && ns % prime == 0) {
			parts /= prime;
			ns /= prime;
		}
	if (digits % parts || __builtin_mul_overflow(digits / parts, ns, &digits))
		return false;
	*v = (struct tn_number) { .is_negative = negative && digits, .magnitude = digits };
	return true;
}

static bool
keep_spelling(struct tn_parser *p, const char *begin, struct tn_literal *out)
{
	out->text = tn_arena_copy(&p->tree->arena, begin, (size_t)(p->at - begin));
	out->n = (size_t)(p->at - begin);
	return out->text || tn_parse_memory(p);
}

static bool
number(struct tn_parser *p, bool wants_unit, struct tn_literal *out)
{
	static const struct { char letter; unsigned base; } bases[] = { { 'x', 16 }, { 'o', 8 }, { 'b', 2 } };
	const char *begin = p->at, *at = p->at, *end;
	const struct unit *unit;
	unsigned base = 10;
	bool ok = true;
	size_t n;

	*out = (struct tn_literal) { .is_number = true, .at = begin };
	out->number.is_negative = *at == '-';
	at += *at == '-' || *at == '+';
	for (size_t i = 0; i < TN_COUNT(bases); i++)
		if (at[0] == '0' && tolower((unsigned char)at[1]) == bases[i].letter) {
			base = bases[i].base;
			at += 2;
			break;
		}
	end = base == 10 ? end_of_floating(at) : NULL;
	if (end) {
		out->number.is_float = true;
		ok = floating(begin, end, &out->number.f);
		at = end;
	} else {
		/* C reads such a number in base 8, which users do not expect. */
		if (base == 10 && at[0] == '0' && (isdigit((unsigned char)at[1]) || at[1] == '_'))
			return tn_parse_fail(p, begin, "a decimal number cannot begin with 0: write 0o for octal");
		ok = digits(&at, base, &out->number.magnitude);
		if (!out->number.magnitude)
			out->number.is_negative = false;
	}
	unit = ok ? find_unit(at, &n) : NULL;
	if (unit) {
		if (!out->number.is_float || !scale_decimal(begin, at, unit->ns, &out->number))
			scale(&out->number, unit->ns);
		at += n;
	} else if (ok && wants_unit && (out->number.is_float || out->number.magnitude)) {
		return tn_parse_fail(p, at, "write a unit here: ns, us, ms, s, min, h or d");
	}
	if (ok && out->number.is_float && isinf(out->number.f))
		return tn_parse_fail(p, begin, "the number is too large: the limit is 1.79e308");
	if (!ok || is_word(*at))
		return tn_parse_fail(p, begin, "this number cannot be compared: it is invalid or too large");
	p->at = at;
	return keep_spelling(p, begin, out);
}

/* ---- times ---- */

/*
 * Set the context of times: a time without a date or sign is near the first event that has a time, and 50% is half of the
 * range of the traces.
 */
static void
day_of_set(const struct tn_language *language, const char *text, struct tn_time_context *out)
{
	*out = (struct tn_time_context) { TN_TIME_CONTEXT };
	if (language->times)
		*out = *language->times;
	if ((strchr(text, '%') || isalpha((unsigned char)*text)) && out->begin_ns == out->end_ns && language->set &&
	    tn_set_time_range(language->set, &out->begin_ns, &out->end_ns, NULL) != TN_OK)
		out->begin_ns = out->end_ns = out->near_ns;
	if (!out->near_ns && language->set && tn_set_first_time(language->set, &out->near_ns, NULL) != TN_OK)
		out->near_ns = 0;
}

/* The end of a time without quotes; it has a blank if it has both a date and a clock time. */
static const char *
end_of_time(const char *at)
{
	const char *begin = at;

	while (*at && (isalnum((unsigned char)*at) || strchr("+-:@%", *at) || (*at == '.' && at[1] != '.'))) {
		at++;
		if (at - begin == 10 && begin[4] == '-' && begin[7] == '-' && *at == ' ' && isdigit((unsigned char)at[1]) &&
		    isdigit((unsigned char)at[2]) && at[3] == ':')
			at++;
	}
	return at;
}

static bool
parse_time(struct tn_parser *p, struct tn_literal *out)
{
	const char *begin = p->at;
	struct tn_time_context times;
	struct tn_error why;
	struct tn_literal quoted;
	int64_t ns;

	if (*begin == '"' || *begin == '\'') {
		if (!tn_parse_quoted(p, &quoted))
			return false;
		out->text = quoted.text;
	} else {
		p->at = end_of_time(begin);
		if (p->at == begin)
			return tn_parse_fail(p, begin, "write a time here: 13:46:40.5, \"2026-11-21 13:46\" or @nanoseconds");
		out->text = tn_arena_copy(&p->tree->arena, begin, (size_t)(p->at - begin));
		if (!out->text)
			return tn_parse_memory(p);
	}
	day_of_set(p->language, out->text, &times);
	if (tn_time_parse(out->text, &times, &ns, &why) < 0)
		return tn_parse_fail(p, begin, "%s", why.text);
	out->at = begin;
	out->n = strlen(out->text);
	out->is_number = true;
	out->number = (struct tn_number) { .is_negative = ns < 0, .magnitude = ns < 0 ? -(uint64_t)ns : (uint64_t)ns };
	return true;
}

/* ---- text ---- */

static bool
escape(struct tn_parser *p, struct tn_str *out)
{
	static const char letters[] = "ntrabe0\\'\"", bytes[] = "\n\t\r\a\b\033\0\\'\"";
	const char *letter;

	if (*p->at == 'x' && digit_of(p->at[1]) < 16 && digit_of(p->at[2]) < 16) {
		tn_str_putc(out, (char)(digit_of(p->at[1]) << 4 | digit_of(p->at[2])));
		p->at += 3;
		return true;
	}
	letter = *p->at ? strchr(letters, *p->at) : NULL;
	if (!letter)
		return tn_parse_fail(p, p->at, "unknown escape in a string: use \\n \\t \\r \\a \\b \\e \\0 \\xNN \\\\ \\' \\\"");
	tn_str_putc(out, bytes[letter - letters]);
	p->at++;
	return true;
}

bool
tn_parse_quoted(struct tn_parser *p, struct tn_literal *out)
{
	const char *begin = p->at;
	char quote = *p->at++;
	struct tn_str s = { 0 };
	bool ok = true;

	*out = (struct tn_literal) { .is_quoted = true, .at = begin };
	while (ok && *p->at != quote) {
		if (*p->at == '\0') {
			ok = tn_parse_fail(p, begin, "the string has no end: %c is missing", quote);
		} else if (*p->at == '\\') {
			p->at++;
			ok = escape(p, &s);
		} else {
			tn_str_putc(&s, *p->at++);
		}
	}
	p->at += ok;
	out->text = ok ? tn_arena_copy(&p->tree->arena, tn_str_text(&s), s.n) : NULL;
	out->n = s.n;
	if (ok && (s.failed || !out->text))
		ok = tn_parse_memory(p);
	tn_str_release(&s);
	return ok;
}

/* Parse a label or a name without quotes; "::", ":" and inner "-" are parts of names of events. */
static bool
word(struct tn_parser *p, struct tn_literal *out)
{
	const char *begin = p->at;

	*out = (struct tn_literal) { .at = begin };
	p->at += *p->at == '-' || *p->at == '+';	/* as in -inf */
	while (is_word(*p->at) || ((*p->at == ':' || *p->at == '-') && (is_word(p->at[1]) || p->at[1] == ':')))
		p->at++;
	return keep_spelling(p, begin, out);
}

bool
tn_is_time(const struct tn_meaning *meaning)
{
	return (meaning->attribute == TN_ATTRIBUTE_TIME && strcmp(meaning->path, "time") == 0) ||
	       (meaning->attribute == TN_ATTRIBUTE_EXTRA && meaning->kind == TN_EXTRA_TIME);
}

/* Whether the character is one of U+2018 to U+201F, as in texts copied from documents. */
static bool
is_printed_quote(const char *at)
{
	return strncmp(at, "\342\200", 2) == 0 && (unsigned char)at[2] >= 0x98 && (unsigned char)at[2] <= 0x9f;
}

/* Whether the text is another floating-point number, perhaps with a sign. */
static bool
is_special(const char *at)
{
	return (strncmp(at, "inf", 3) == 0 || strncmp(at, "nan", 3) == 0) && !is_word(at[3]);
}

bool
tn_parse_literal(struct tn_parser *p, const struct tn_reference *reference, struct tn_literal *out)
{
	enum tn_attribute_id attribute = reference->meaning.attribute;
	bool sign;

	tn_parse_blanks(p);
	*out = (struct tn_literal) { .at = p->at };
	if (tn_is_time(&reference->meaning))
		return parse_time(p, out);
	if (*p->at == '"' || *p->at == '\'')
		return tn_parse_quoted(p, out);
	sign = *p->at == '-' || *p->at == '+';
	if (isdigit((unsigned char)p->at[sign]))
		return number(p, attribute == TN_ATTRIBUTE_DELTA || (attribute == TN_ATTRIBUTE_EXTRA &&
							      reference->meaning.kind == TN_EXTRA_DURATION), out);
	if ((is_word(*p->at) && !is_printed_quote(p->at)) || (sign && is_special(p->at + 1)))
		return word(p, out);
	if (*p->at == '/')
		return tn_parse_fail(p, p->at, "use =~ or !~ with a regular expression");
	return tn_parse_fail(p, p->at, "write a number, a string or a word here");
}

void
tn_put_quoted(struct tn_str *out, const char *text)
{
	tn_str_putc(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			tn_str_putc(out, '\\');
		tn_str_putc(out, *text);
	}
	tn_str_putc(out, '"');
}
