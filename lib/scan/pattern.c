#include "scan/pattern.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define SHORTEST 3	/* length of the shortest useful text; shorter ones occur everywhere */

/* ---- texts that every match contains ---- */

/* Whether the character can be inside of such a text: characters that separate the parts of a line cannot. */
static bool
is_inner(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_/@%&#$!;~^|`.-+", c));
}

struct literals {
	char (*out)[TN_LITERAL_SIZE];
	size_t n, room;
	char run[TN_LITERAL_SIZE];
	size_t run_n;
};

/* End the run, and keep it at its place by length. */
static void
end_run(struct literals *l)
{
	if (l->run_n >= SHORTEST) {
		size_t i = l->n < l->room ? l->n++ : l->room;

		for (; i > 0 && strlen(l->out[i - 1]) < l->run_n; i--)
			if (i < l->room)
				memcpy(l->out[i], l->out[i - 1], TN_LITERAL_SIZE);
		if (i < l->room) {
			memcpy(l->out[i], l->run, l->run_n);
			l->out[i][l->run_n] = '\0';
		}
	}
	l->run_n = 0;
}

static const char *
skip_blanks(const char *c)
{
	while (*c == ' ' || *c == '\t')
		c++;
	return c;
}

/*
 * Parse the text after "{": get the smallest number of repetitions, and move *at past "}". False: the text is not a
 * quantifier in all versions of PCRE2. "{,3}", and blanks as in "{ 0, 3 }", are quantifiers since 10.43 but were text
 * before, so neither meaning is used.
 */
static bool
parse_times(const char **at, unsigned *least)
{
	const char *c = skip_blanks(*at);

	if (!isdigit((unsigned char)*c) && *c != ',')
		return false;
	for (*least = 0; isdigit((unsigned char)*c); c++)
		*least = *least > 9999 ? *least : *least * 10 + (unsigned)(*c - '0');
	c = skip_blanks(c);
	if (*c == ',')
		for (c = skip_blanks(c + 1); isdigit((unsigned char)*c); c++)
			;
	c = skip_blanks(c);
	if (*c != '}')
		return false;
	*at = c + 1;
	return true;
}

/* Parse an optional quantifier: get the smallest number of repetitions of the item. *once: there is no quantifier. */
static unsigned
parse_quantifier(const char **at, bool *once)
{
	unsigned least = 1;
	const char *c = *at;

	*once = false;
	if (*c == '*' || *c == '?')
		least = 0, c++;
	else if (*c == '+')
		c++;
	else if (*c == '{' && (c++, parse_times(&c, &least)))
		;
	else {
		*once = true;
		return 1;
	}
	c += *c == '?' || *c == '+';	/* a lazy or possessive quantifier */
	*at = c;
	return least;
}

/* Move *at past a character class "[...]". False: it is too complex. */
static bool
skip_class(const char **at)
{
	const char *c = *at + 1;

	c += *c == '^';
	c += *c == ']';
	while (*c && *c != ']') {
		if (*c == '[')
			return false;	/* a class such as [:alpha:] */
		if (*c == '\\' && !*++c)
			return false;
		c++;
	}
	*at = c + (*c == ']');
	return *c == ']';
}

/* Parse one item of the pattern. *c: its character if it is a literal character, otherwise 0. */
static bool
parse_item(const char **at, char *c)
{
	const char *p = *at;

	*c = 0;
	switch (*p) {
	case '[':
		return skip_class(at);
	case '(': case ')': case '|': case '*': case '?': case '+':
		return false;	/* groups and alternatives are too complex here */
	case '\\':
		if (!p[1] || p[1] == 'Q' || p[1] == 'E' || p[1] == 'K' || p[1] == 'c' || p[1] == 'x' || p[1] == 'o' ||
		    p[1] == 'p' || p[1] == 'P' || p[1] == 'N' || p[1] == 'g' || p[1] == 'k' || p[1] == 'u' ||
		    isdigit((unsigned char)p[1]))
			return false;
		if (!isalnum((unsigned char)p[1]))
			*c = p[1];
		*at = p + 2;
		return true;
	case '.': case '^': case '$':
		*at = p + 1;
		return true;
	default:
		*c = *p;
		*at = p + 1;
		/* Skip all bytes of the character, which is not a literal character of one byte. */
		if ((unsigned char)*p >= 0x80) {
			*c = 0;
			while (((unsigned char)**at & 0xc0) == 0x80)
				++*at;
		}
		return true;
	}
}

/* Move *at past a group with any contents. False: it is too complex. */
static bool
skip_group(const char **at)
{
	const char *p = *at;
	size_t depth = 0;

	do {
		char c;

		if (*p == '(') {
			if (p[1] == '*' || (p[1] == '?' && p[2] != ':'))
				return false;
			p += p[1] == '?' ? 3 : 1;
			depth++;
		} else if (*p == ')') {
			p++;
			depth--;
		} else if (*p && strchr("|*?+", *p)) {
			p++;
		} else if (!*p || !parse_item(&p, &c)) {
			return false;
		}
	} while (depth);
	*at = p;
	return true;
}

/* If the pattern is in parentheses, move *at past the first one, and set *end to the last one. */
static bool
take_brackets(const char **at, const char **end)
{
	const char *p = *at;

	if (*p != '(' || !skip_group(&p) || p != *end)
		return false;
	*at += (*at)[1] == '?' ? 3 : 1;
	--*end;
	return true;
}

size_t
tn_pattern_branches(const char *pattern, const char *out[TN_PATTERN_BRANCHES + 1])
{
	const char *end = pattern + strlen(pattern);
	size_t n = 0;

	while (take_brackets(&pattern, &end))
		;
	out[0] = pattern;
	while (pattern < end) {
		char c;

		if (*pattern == '|') {
			if (++n == TN_PATTERN_BRANCHES)
				return 0;
			out[n] = ++pattern;
		} else if (strchr("*?+", *pattern)) {
			pattern++;
		} else if (*pattern == '(' ? !skip_group(&pattern) : !parse_item(&pattern, &c)) {
			return 0;
		}
	}
	out[++n] = end + 1;
	return n;
}

size_t
tn_pattern_literals(const char *pattern, char (*out)[TN_LITERAL_SIZE], size_t room)
{
	struct literals l = { .out = out, .room = room };

	for (size_t i = 0; i < room; i++)
		out[i][0] = '\0';
	while (*pattern) {
		unsigned least;
		bool once;
		char c = 0;

		if (*pattern == '(' ? !skip_group(&pattern) : !parse_item(&pattern, &c))
			return 0;
		least = parse_quantifier(&pattern, &once);
		if (least && is_inner(c)) {
			if (l.run_n == TN_LITERAL_SIZE - 1)
				end_run(&l);
			l.run[l.run_n++] = c;
			if (once)
				continue;
			/* "ab+c" contains "ab", and also "bc", which begins with the last b. */
			end_run(&l);
			l.run[l.run_n++] = c;
		} else {
			end_run(&l);
		}
	}
	end_run(&l);
	return l.n;
}

/* ---- the characters after such a text ---- */

/* Get the literal characters that follow; other single characters are ANY. */
#define ANY '\0'

static size_t
parse_items(const char *at, char *out)
{
	size_t n = 0;

	while (*at && n < TN_TAIL_SIZE) {
		const char *item = at;
		bool once;
		char c;

		if (strchr("^$", *item) || (unsigned char)*item >= 0x80 ||
		    (*item == '\\' && isalnum((unsigned char)item[1]) && !strchr("dDwWsShHvV", item[1])))
			break;	/* the character has several bytes */
		if (!parse_item(&at, &c) || (parse_quantifier(&at, &once), !once))
			break;
		out[n++] = c ? c : ANY;
	}
	return n;
}

size_t
tn_pattern_tail(const char *pattern, const char *literal, char out[TN_TAIL_SIZE])
{
	char run[TN_LITERAL_SIZE];
	size_t n = 0;

	while (*pattern) {
		const char *item = pattern;
		unsigned least;
		bool once;
		char c;

		if (!parse_item(&pattern, &c))
			return 0;
		least = parse_quantifier(&pattern, &once);
		if (least && is_inner(c)) {
			if (n == TN_LITERAL_SIZE - 1 || !once)
				n = 0;
			run[n++] = c;
			continue;
		}
		if (n == strlen(literal) && memcmp(run, literal, n) == 0) {
			n = parse_items(item, out);
			/*
			 * A string may end after the text; then a quote, and a comma or a blank follow, which are not
			 * inner characters.
			 */
			return n >= 2 && is_inner(out[1]) ? n : 0;
		}
		n = 0;
	}
	return 0;
}

/* ---- two bytes ---- */

unsigned
tn_commonness(unsigned char c)
{
	static const char by_rarity[] = "~`^|;@$#&!%+QZXJKVWYqzjxkvwGHBUPFMbDyOLCRNTISAEgpfhmudclonrs-ait_.e/";
	const char *at = c ? strchr(by_rarity, c) : NULL;

	return at ? (unsigned)(at - by_rarity) : 100;
}

bool
tn_pattern_pair(const char *pattern, char out[2])
{
	unsigned best = UINT_MAX;
	char last = 0;

	while (*pattern) {
		unsigned sum;
		bool once;
		char c;

		if (!parse_item(&pattern, &c))
			return false;
		if (parse_quantifier(&pattern, &once), !once)
			c = 0;
		sum = tn_commonness((unsigned char)last) + tn_commonness((unsigned char)c);
		if (last && c && sum < best) {
			best = sum;
			out[0] = last;
			out[1] = c;
		}
		last = c;
	}
	return best < UINT_MAX;
}

bool
tn_has_pair(const char *text, size_t n, const char pair[2])
{
	size_t i = 0;

#ifdef __SSE2__
	__m128i first = _mm_set1_epi8(pair[0]), second = _mm_set1_epi8(pair[1]);

	for (; n - i >= 17; i += 16) {
		__m128i a = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
		__m128i b = _mm_loadu_si128((const __m128i *)(const void *)(text + i + 1));

		if (_mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(a, first), _mm_cmpeq_epi8(b, second))))
			return true;
	}
#endif
	for (; i + 1 < n; i++)
		if (text[i] == pair[0] && text[i + 1] == pair[1])
			return true;
	return false;
}
