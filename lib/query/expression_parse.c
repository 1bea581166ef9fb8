/*
 * expression_parse.c - the text of an expression to a tree
 */
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/str.h"
#include "query/expression_tree.h"

#define DEPTH_MAX 64

struct parser {
	const char *text, *at;
	struct tn_tree *tree;
	unsigned depth;
	struct tn_error *err;
};

static size_t
column_of(const struct parser *p, const char *at)
{
	size_t n = 1;

	for (const char *c = p->text; c < at; c++)
		n += ((unsigned char)*c & 0xc0) != 0x80;
	return n;
}

static struct tn_node *
fail_at(struct parser *p, const char *at, const char *what)
{
	tn_fail(p->err, TN_ERR_ARGUMENT, "expression '%s', column %zu: %s", p->text, column_of(p, at), what);
	return NULL;
}

static struct tn_node *
fail_memory(struct parser *p)
{
	tn_fail_memory(p->err);
	return NULL;
}

static void
skip_blanks(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n')
		p->at++;
}

static bool
take(struct parser *p, const char *what)
{
	size_t n = strlen(what);

	skip_blanks(p);
	if (strncmp(p->at, what, n) != 0)
		return false;
	p->at += n;
	return true;
}

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* A word of its own, not the beginning of a longer one. */
static bool
take_word(struct parser *p, const char *what)
{
	size_t n = strlen(what);

	skip_blanks(p);
	if (strncmp(p->at, what, n) != 0 || is_word(p->at[n]))
		return false;
	p->at += n;
	return true;
}

/* ---- literals ---- */

static unsigned
digit_of(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 :
	       c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 99;
}

/* Digits of @base; false when there are none, or the number is too large. */
static bool
parse_digits(const char **at, unsigned base, uint64_t *out)
{
	const char *begin = *at;
	uint64_t v = 0;

	for (; digit_of(**at) < base; ++*at)
		if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit_of(**at), &v))
			return false;
	*out = v;
	return *at > begin;
}

/* The C locale's, whatever the program's is. */
static bool
parse_float(const char *begin, const char **end, double *out)
{
	locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	char *stop;

	if (!locale)
		return false;
	*out = strtod_l(begin, &stop, locale);
	freelocale(locale);
	*end = stop;
	return stop > begin;
}

/* Whether the digits at @at go on as a floating number: a point (not a range's two), an exponent. */
static bool
is_floating(const char *at)
{
	while (isdigit((unsigned char)*at))
		at++;
	if (*at == '.')
		return isdigit((unsigned char)at[1]);
	return (*at == 'e' || *at == 'E') &&
	       (isdigit((unsigned char)at[1]) || ((at[1] == '-' || at[1] == '+') && isdigit((unsigned char)at[2])));
}

static bool
parse_number(struct parser *p, struct tn_literal *out)
{
	const char *begin = p->at, *at = p->at;
	unsigned base = 10;
	bool ok;

	out->number.is_negative = *at == '-';
	at += *at == '-' || *at == '+';
	if (is_floating(at)) {
		out->number.is_float = true;
		ok = parse_float(begin, &at, &out->number.f);
	} else {
		if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
			base = 16, at += 2;
		else if (at[0] == '0' && (at[1] == 'b' || at[1] == 'B'))
			base = 2, at += 2;
		else if (at[0] == '0' && (at[1] == 'o' || at[1] == 'O'))
			base = 8, at += 2;
		else if (at[0] == '0' && isdigit((unsigned char)at[1]))
			base = 8, at++;
		ok = parse_digits(&at, base, &out->number.magnitude);
		if (out->number.magnitude == 0)
			out->number.is_negative = false;
	}
	if (!ok || is_word(*at)) {
		fail_at(p, begin, "not a number that can be compared");
		return false;
	}
	out->is_number = true;
	out->text = tn_arena_copy(&p->tree->arena, begin, (size_t)(at - begin));
	out->n = (size_t)(at - begin);
	p->at = at;
	return out->text || fail_memory(p);
}

static bool
parse_escape(struct parser *p, struct tn_str *out)
{
	static const char letters[] = "ntrab\\'\"", bytes[] = "\n\t\r\a\b\\'\"";
	const char *letter;

	if (*p->at == 'x' && digit_of(p->at[1]) < 16 && digit_of(p->at[2]) < 16) {
		tn_str_putc(out, (char)(digit_of(p->at[1]) << 4 | digit_of(p->at[2])));
		p->at += 3;
		return true;
	}
	letter = *p->at ? strchr(letters, *p->at) : NULL;
	if (!letter) {
		fail_at(p, p->at, "no such escape in a string");
		return false;
	}
	tn_str_putc(out, bytes[letter - letters]);
	p->at++;
	return true;
}

static bool
parse_string(struct parser *p, struct tn_literal *out)
{
	const char *begin = p->at;
	char quote = *p->at++;
	struct tn_str s = { 0 };
	bool ok = true;

	while (ok && *p->at != quote) {
		if (*p->at == '\0') {
			fail_at(p, begin, "the string has no end");
			ok = false;
		} else if (*p->at == '\\') {
			p->at++;
			ok = parse_escape(p, &s);
		} else {
			tn_str_putc(&s, *p->at++);
		}
	}
	p->at += ok;
	out->text = ok ? tn_arena_copy(&p->tree->arena, tn_str_text(&s), s.n) : NULL;
	out->n = s.n;
	if (ok && (s.failed || !out->text))
		fail_memory(p);
	ok = ok && !s.failed && out->text;
	tn_str_release(&s);
	return ok;
}

/* A label or a name without quotes; "::", ":" and inner "-" belong to names of events. */
static bool
parse_word(struct parser *p, struct tn_literal *out)
{
	const char *begin = p->at;

	while (is_word(*p->at) || ((*p->at == ':' || *p->at == '-') && (is_word(p->at[1]) || p->at[1] == ':')))
		p->at++;
	out->n = (size_t)(p->at - begin);
	out->text = tn_arena_copy(&p->tree->arena, begin, out->n);
	return out->text || fail_memory(p);
}

static bool
parse_literal(struct parser *p, struct tn_literal *out)
{
	skip_blanks(p);
	if (*p->at == '"' || *p->at == '\'')
		return parse_string(p, out);
	if (isdigit((unsigned char)*p->at) || ((*p->at == '-' || *p->at == '+') && isdigit((unsigned char)p->at[1])))
		return parse_number(p, out);
	if (is_word(*p->at))
		return parse_word(p, out);
	fail_at(p, p->at, "a number, a string or a word is needed here");
	return false;
}

/* ---- tests ---- */

static struct tn_node *
new_node(struct parser *p, enum tn_node_kind kind, struct tn_node *a, struct tn_node *b)
{
	struct tn_node *node = TN_NEW(&p->tree->arena, struct tn_node);

	if (!node)
		return fail_memory(p);
	node->kind = kind;
	node->a = a;
	node->b = b;
	return node;
}

/* /RE/ or /RE/i; a slash inside is written \/. */
static bool
parse_regex(struct parser *p, struct tn_node *leaf)
{
	struct tn_literal literal = { 0 };
	struct tn_error why = { 0 };
	const char *begin;
	bool ignore_case = false;
	enum tn_code rc;

	skip_blanks(p);
	begin = p->at;
	if (*p->at == '/') {
		struct tn_str s = { 0 };

		for (p->at++; *p->at && *p->at != '/'; p->at++) {
			if (p->at[0] == '\\' && p->at[1])
				tn_str_putc(&s, *p->at == '\\' && p->at[1] == '/' ? '/' : '\\'), p->at++;
			if (p->at[0] != '/')
				tn_str_putc(&s, *p->at);
		}
		if (*p->at != '/') {
			tn_str_release(&s);
			return fail_at(p, begin, "the regular expression has no end");
		}
		p->at++;
		if (*p->at == 'i' && !is_word(p->at[1])) {
			ignore_case = true;
			p->at++;
		}
		literal.text = s.failed ? NULL : tn_arena_copy(&p->tree->arena, tn_str_text(&s), s.n);
		tn_str_release(&s);
		if (!literal.text)
			return fail_memory(p);
	} else if (!parse_literal(p, &literal)) {
		return false;
	}
	rc = tn_regex_new(&leaf->regex, literal.text, ignore_case, &why);
	if (rc < 0)
		return fail_at(p, begin, why.text);
	return true;
}

static bool
parse_items(struct parser *p, struct tn_node *leaf)
{
	TN_ARRAY(struct tn_item) items = { 0 };
	bool ok = take(p, "(");

	if (!ok)
		return fail_at(p, p->at, "'(' is needed here: in (1, 2, 5..9)");
	do {
		struct tn_item *item = TN_ARRAY_ADD(&items);

		ok = item ? parse_literal(p, &item->low) : (fail_memory(p), false);
		if (!ok)
			break;
		item->high = item->low;
		if (take(p, ".."))
			ok = parse_literal(p, &item->high);
	} while (ok && take(p, ","));
	if (ok && !take(p, ")"))
		ok = fail_at(p, p->at, "')' or ',' is needed here");
	leaf->item = ok ? TN_NEW_ARRAY(&p->tree->arena, items.n, struct tn_item) : NULL;
	if (leaf->item)
		memcpy(leaf->item, items.item, items.n * sizeof *items.item);
	else if (ok)
		fail_memory(p);
	leaf->n_items = items.n;
	TN_ARRAY_RELEASE(&items);
	return leaf->item;
}

static bool
parse_test(struct parser *p, struct tn_node *leaf)
{
	static const struct { const char *sign; enum tn_node_kind kind; } signs[] = {
		{ "==", TN_NODE_EQUAL }, { "!=", TN_NODE_DIFFERENT }, { "<=", TN_NODE_LESS_EQUAL },
		{ ">=", TN_NODE_GREATER_EQUAL }, { "<", TN_NODE_LESS }, { ">", TN_NODE_GREATER },
		{ "=~", TN_NODE_MATCH }, { "!~", TN_NODE_NO_MATCH },
	};

	leaf->kind = TN_NODE_HAS;
	if (take_word(p, "in")) {
		leaf->kind = TN_NODE_IN;
		return parse_items(p, leaf);
	}
	for (size_t i = 0; i < TN_COUNT(signs); i++) {
		if (!take(p, signs[i].sign))
			continue;
		leaf->kind = signs[i].kind;
		if (leaf->kind == TN_NODE_MATCH || leaf->kind == TN_NODE_NO_MATCH)
			return parse_regex(p, leaf);
		leaf->item = TN_NEW(&p->tree->arena, struct tn_item);
		leaf->n_items = 1;
		if (!leaf->item)
			return fail_memory(p);
		if (!parse_literal(p, &leaf->item->low))
			return false;
		leaf->item->high = leaf->item->low;
		return true;
	}
	skip_blanks(p);
	if (*p->at == '=')
		return fail_at(p, p->at, "'=' is not a test: '==' is");
	return true;
}

/* Names of log levels are numbers, with or without "TRACE_". */
static bool
number_log_level(struct tn_literal *l)
{
	const char *text = l->text;

	if (!l->is_number && strncmp(text, "TRACE_", 6) == 0)
		text += 6;
	for (int level = 0; !l->is_number && tn_log_level_name(level); level++) {
		if (strcmp(text, tn_log_level_name(level)) == 0) {
			l->is_number = true;
			l->number = (struct tn_number) { .magnitude = (uint64_t)level };
		}
	}
	return l->is_number;
}

static bool
number_log_levels(struct parser *p, struct tn_node *leaf)
{
	for (size_t i = 0; i < leaf->n_items; i++)
		if (!number_log_level(&leaf->item[i].low) || !number_log_level(&leaf->item[i].high))
			return fail_at(p, p->at, "no such log level: EMERG, ALERT, CRIT, ERR, WARNING, NOTICE, INFO, "
				       "DEBUG_SYSTEM to DEBUG_LINE, DEBUG, or a number");
	return true;
}

/* "a.b[2].c" */
static bool
take_path(struct parser *p)
{
	const char *begin = p->at;

	for (;;) {
		if (!is_word(*p->at))
			return false;
		while (is_word(*p->at))
			p->at++;
		while (*p->at == '[') {
			const char *digit = p->at + 1;

			while (isdigit((unsigned char)*digit))
				digit++;
			if (digit == p->at + 1 || *digit != ']')
				return false;
			p->at = digit + 1;
		}
		if (*p->at != '.')
			return p->at > begin;
		p->at++;
	}
}

static struct tn_node *
parse_leaf(struct parser *p)
{
	static const char *const subjects[] = {
		[TN_SUBJECT_NAME] = "name", [TN_SUBJECT_STREAM] = "stream", [TN_SUBJECT_CPU] = "cpu",
		[TN_SUBJECT_LOG_LEVEL] = "loglevel",
	};
	struct tn_node *leaf = new_node(p, TN_NODE_HAS, NULL, NULL);
	const char *begin;

	if (!leaf)
		return NULL;
	/* Linked before it is complete: its regex is released with the tree. */
	leaf->next = p->tree->leaves;
	leaf->number = p->tree->n_leaves++;
	p->tree->leaves = leaf;
	skip_blanks(p);
	begin = p->at;
	leaf->column = column_of(p, begin);
	if (isdigit((unsigned char)*begin) || *begin == '"' || *begin == '\'')
		return fail_at(p, begin, "the name of a field comes first, then what it is compared with");
	if (!take_path(p))
		return fail_at(p, p->at, *p->at ? "a field, 'name', 'stream', 'cpu', 'loglevel', '!' or '(' is needed here"
					       : "something is missing at the end");
	leaf->path = tn_arena_copy(&p->tree->arena, begin, (size_t)(p->at - begin));
	if (!leaf->path)
		return fail_memory(p);
	for (size_t i = 1; i < TN_COUNT(subjects); i++)
		if (strcmp(leaf->path, subjects[i]) == 0)
			leaf->subject = (enum tn_subject)i;
	if (!parse_test(p, leaf) || (leaf->subject == TN_SUBJECT_LOG_LEVEL && !number_log_levels(p, leaf)))
		return NULL;
	return leaf;
}

/* ---- the grammar ---- */

static struct tn_node *parse_or(struct parser *p);

static struct tn_node *
parse_factor(struct parser *p)
{
	struct tn_node *node;

	if (p->depth >= DEPTH_MAX)
		return fail_at(p, p->at, "nested too deep");
	p->depth++;
	if (take(p, "!")) {
		node = parse_factor(p);
		node = node ? new_node(p, TN_NODE_NOT, node, NULL) : NULL;
	} else if (take(p, "(")) {
		node = parse_or(p);
		if (node && !take(p, ")"))
			node = fail_at(p, p->at, "')' is needed here");
	} else {
		node = parse_leaf(p);
	}
	p->depth--;
	return node;
}

static struct tn_node *
parse_and(struct parser *p)
{
	struct tn_node *node = parse_factor(p);

	while (node && take(p, "&&")) {
		struct tn_node *right = parse_factor(p);

		node = right ? new_node(p, TN_NODE_AND, node, right) : NULL;
	}
	return node;
}

static struct tn_node *
parse_or(struct parser *p)
{
	struct tn_node *node = parse_and(p);

	while (node && take(p, "||")) {
		struct tn_node *right = parse_and(p);

		node = right ? new_node(p, TN_NODE_OR, node, right) : NULL;
	}
	return node;
}

enum tn_code
tn_tree_parse(struct tn_tree *out, const char *text, struct tn_error *err)
{
	struct tn_error unused;
	struct parser p = { .text = text, .at = text, .tree = out, .err = err ? err : &unused };

	*out = (struct tn_tree) { 0 };
	out->root = parse_or(&p);
	if (out->root) {
		skip_blanks(&p);
		if (*p.at)
			out->root = fail_at(&p, p.at, "'&&', '||' or the end is needed here");
	}
	if (out->root)
		return TN_OK;
	tn_tree_release(out);
	return p.err->code;
}

void
tn_tree_release(struct tn_tree *tree)
{
	for (struct tn_node *leaf = tree->leaves; leaf; leaf = leaf->next)
		tn_regex_free(leaf->regex);
	tn_arena_release(&tree->arena);
	*tree = (struct tn_tree) { 0 };
}
