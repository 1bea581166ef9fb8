/* expression_signs.c - parts that the whole parser shares: the next sign or word, errors, new nodes */
#include <ctype.h>
#include <stdio.h>

#include "base/messages.h"
#include "language/expression_tree.h"

static size_t
column_of(const struct tn_parser *p, const char *at)
{
	size_t n = 1;

	for (const char *c = p->text; c < at; c++)
		n += ((unsigned char)*c & 0xc0) != 0x80;
	return n;
}

bool
tn_parse_fail(struct tn_parser *p, const char *at, const char *format, ...)
{
	char what[400];
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof what, _(format), ap);
	va_end(ap);
	/* Show only the place of the mistake, if the text is long. */
	tn_fail(p->err, TN_ERR_ARGUMENT, "expression '%.100s%s', column %zu: %s", p->text,
		strlen(p->text) > 100 ? "..." : "", column_of(p, at), what);
	return false;
}

bool
tn_parse_memory(struct tn_parser *p)
{
	tn_fail_memory(p->err);
	return false;
}

void
tn_parse_blanks(struct tn_parser *p)
{
	while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r')
		p->at++;
}

bool
tn_parse_take(struct tn_parser *p, const char *sign)
{
	size_t n = strlen(sign);

	tn_parse_blanks(p);
	if (strncmp(p->at, sign, n) != 0)
		return false;
	p->at += n;
	return true;
}

bool
tn_parse_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

bool
tn_parse_take_word(struct tn_parser *p, const char *word)
{
	size_t n = strlen(word);

	tn_parse_blanks(p);
	if (strncmp(p->at, word, n) != 0 || tn_parse_is_word(p->at[n]))
		return false;
	p->at += n;
	return true;
}

struct tn_node *
tn_parse_node(struct tn_parser *p, enum tn_node_kind kind, struct tn_node *in)
{
	struct tn_node *node = TN_NEW(&p->tree->arena, struct tn_node);

	if (!node) {
		tn_parse_memory(p);
		return NULL;
	}
	node->kind = kind;
	node->in = in;
	node->at = p->at;
	return node;
}

struct tn_node *
tn_parse_test(struct tn_parser *p)
{
	struct tn_node *test;

	if (p->tree->n_tests == TN_EXPRESSION_TESTS) {
		tn_parse_fail(p, p->at, "more than %d comparisons", TN_EXPRESSION_TESTS);
		return NULL;
	}
	test = tn_parse_node(p, TN_NODE_TRUE, NULL);
	if (!test)
		return NULL;
	/* Link it before it is complete, so that its memory is released with the tree. */
	test->next_test = p->tree->tests;
	p->tree->tests = test;
	test->number = p->tree->n_tests++;
	return test;
}
