/* expression_parse.c - parse the text of an expression to a tree */
#include <config.h>

#include <ctype.h>
#include <stdio.h>

#include "base/messages.h"
#include "base/str.h"
#include "language/expression_tree.h"

/* ---- whether a text is an expression ---- */

static const char *
skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t' || *at == '\n')
		at++;
	return at;
}

/* The place after /regex/ and its letter; NULL: the closing slash is missing. */
static const char *
after_regex(const char *at)
{
	for (at++; *at && *at != '/'; at++)
		if (*at == '\\' && at[1])
			at++;
	if (*at != '/')
		return NULL;
	at++;
	return at + (*at == 'i' && !tn_parse_is_word(at[1]));
}

static bool
begins_with_word(const char *at, const char *word)
{
	size_t n = strlen(word);

	return strncmp(at, word, n) == 0 && !tn_parse_is_word(at[n]);
}

static bool has_operator(const char *at);

/* Whether the text is "/x/" alone, or before "and", "or", ")", "&&", "||" or a comparison. A path such as /usr/bin is not. */
static bool
is_regex_term(const char *at)
{
	at = after_regex(at);
	if (!at)
		return false;
	if (*at && !strchr(" \t\n)&|", *at))
		return false;
	at = skip_blanks(at);
	return !*at || *at == ')' || strncmp(at, "&&", 2) == 0 || strncmp(at, "||", 2) == 0 ||
	       begins_with_word(at, "and") || begins_with_word(at, "or") || has_operator(at);
}

/* Whether the text is a range such as "WARNING..INFO" or "a.."; three points are not a range. */
static bool
is_word_range(const char *at)
{
	const char *begin = at;

	while (tn_parse_is_word(*at) || *at == ':')
		at++;
	return at > begin && strncmp(at, "..", 2) == 0 && at[2] != '.';
}

/* Whether, after a name, the text is like "in (", "in 3..", "in 'a'" or "in a..b". */
static bool
is_in(const char *at)
{
	if (!begins_with_word(at, "in"))
		return false;
	at = skip_blanks(at + 2);
	return *at == '(' || *at == '"' || *at == '\'' || isdigit((unsigned char)*at) || strncmp(at, "..", 2) == 0 ||
	       ((*at == '-' || *at == '@') && isdigit((unsigned char)at[1])) || is_word_range(at);
}

/*
 * Whether, after a name, the text is like "~ 'a'", "~ /a/" or "matches 'a'", but not as in "cd ~/home". Missing quotes
 * are an error.
 */
static bool
is_match(const char *at)
{
	const char *behind = *at == '~' ? at + 1 : begins_with_word(at, "matches") ? at + 7 : NULL, *next;

	if (!behind)
		return false;
	next = skip_blanks(behind);
	return *next == '"' || *next == '\'' || (*next == '/' && next > behind && strchr(next + 1, '/')) ||
	       (*at == '~' && at[-1] == ' ' && next > behind && tn_parse_is_word(*next));
}

/* Whether the character is a printed form of <=, >= or !=, which the parser does not accept. */
static bool
is_printed_sign(const char *at)
{
	return strncmp(at, "\342\211\244", 3) == 0 || strncmp(at, "\342\211\245", 3) == 0 ||
	       strncmp(at, "\342\211\240", 3) == 0;
}

/* Whether there is a comparison outside of quotes. A backslash before it shows that the text is a regular expression. */
static bool
has_operator(const char *at)
{
	const char *begin = at;

	for (; *at; at++) {
		if (*at == '\\')
			return false;
		if (strchr("=<>", *at) || strncmp(at, "!=", 2) == 0 || strncmp(at, "!~", 2) == 0 ||
		    strncmp(at, "&&", 2) == 0 || strncmp(at, "||", 2) == 0 || is_printed_sign(at))
			return true;
		if (at > begin && is_match(at) && (*at == '~' || !tn_parse_is_word(at[-1])))
			return true;
		if ((*at == '"' || *at == '\'' || *at == '`') && strchr(at + 1, *at))
			at = strchr(at + 1, *at);
		else if ((at == begin || !tn_parse_is_word(at[-1])) &&
			 ((at > begin && is_in(at)) || (begins_with_word(at, "has") && *skip_blanks(at + 3) == '(')))
			return true;
	}
	return false;
}

/* The place after all signs and words that may precede the first test. */
static const char *
skip_negations(const char *text)
{
	for (;;) {
		text = skip_blanks(text);
		if (*text == '(' || *text == '!')
			text++;
		else if (begins_with_word(text, "not") && (text[3] == ' ' || text[3] == '('))
			text += 3;
		else
			return text;
	}
}

bool
tn_expression_is_meant(const char *text)
{
	text = skip_negations(text);
	if (*text == '/')
		return is_regex_term(text);
	if (*text == '-')
		return isdigit((unsigned char)text[1]) && has_operator(text);
	if (!tn_parse_is_word(*text) && !(*text && strchr("`\"'=<>", *text)))
		return false;
	return has_operator(text);
}

/*
 * Whether this is a comparison of another language with a value after it: `path contains "x"`. It is an error, because as
 * text in lines it would match nothing, without a hint why.
 */
static bool
is_foreign(const char *at)
{
	static const char *const words[] = {
		"contains", "like", "matches", "is", "startswith", "endswith", "eq", "ne", "lt", "le", "gt", "ge",
	};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (begins_with_word(at, words[i])) {
			at = skip_blanks(at + strlen(words[i]));
			return *at == '"' || *at == '\'' || isdigit((unsigned char)*at);
		}
	return false;
}

/* Whether the text is "NAME in", "NAME not in" or a comparison of another language, with an existing name. */
static bool
asks_in(const char *at, const struct tn_names *names)
{
	size_t n = tn_name_length(at);
	struct tn_arena arena = { 0 };
	struct tn_meaning meaning;
	const char *name, *in = skip_blanks(at + n);
	bool known;

	if (!n || in == at + n)
		return false;
	if (begins_with_word(in, "not"))
		in = skip_blanks(in + 3);
	if (!begins_with_word(in, "in") && !is_foreign(in))
		return false;
	name = tn_arena_copy(&arena, at, n);
	known = name && tn_names_resolve(names, &arena, name, NULL, &meaning, NULL) == TN_OK;
	tn_arena_release(&arena);
	return known;
}

/* Whether a word of the language joins parts of the text. */
static bool
has_joint(const char *text)
{
	for (const char *at = text; *at; at++)
		if ((at == text || !tn_parse_is_word(at[-1])) &&
		    (begins_with_word(at, "and") || begins_with_word(at, "or") || begins_with_word(at, "not")))
			return true;
	return false;
}

bool
tn_expression_is_one(const struct tn_language *language, const char *text)
{
	const char *first = skip_negations(text);
	struct tn_tree tree;
	bool parses;

	if (!tn_parse_is_word(*first) && *first != '`')
		return false;
	if (asks_in(first, language->names))
		return true;
	if (!has_joint(text))
		return false;
	parses = tn_tree_parse(&tree, language, text, NULL) == TN_OK;
	if (parses)
		tn_tree_release(&tree);
	return parses;
}

/* ---- tests ---- */

/* Parse /RE/ or /RE/i; a slash inside is written \/. */
static bool
parse_slashed(struct tn_parser *p, const char **pattern, bool *ignore_case)
{
	const char *begin = p->at;
	struct tn_str s = { 0 };

	for (p->at++; *p->at && *p->at != '/'; p->at++) {
		if (p->at[0] == '\\' && p->at[1]) {
			if (p->at[1] != '/')
				tn_str_putc(&s, '\\');
			p->at++;
		}
		tn_str_putc(&s, *p->at);
	}
	*pattern = NULL;
	if (*p->at != '/') {
		tn_str_release(&s);
		return tn_parse_fail(p, begin, "the regular expression has no end: / is missing");
	}
	p->at++;
	*ignore_case = *p->at == 'i' && !tn_parse_is_word(p->at[1]);
	p->at += *ignore_case;
	if (!s.failed)
		*pattern = tn_arena_copy(&p->tree->arena, tn_str_text(&s), s.n);
	tn_str_release(&s);
	return *pattern || tn_parse_memory(p);
}

static bool
parse_regex(struct tn_parser *p, struct tn_node *test)
{
	struct tn_literal quoted;
	struct tn_error why = { 0 };
	const char *begin, *pattern;
	bool ignore_case = false;

	tn_parse_blanks(p);
	begin = p->at;
	if (*p->at == '/') {
		if (!parse_slashed(p, &pattern, &ignore_case))
			return false;
	} else if (*p->at == '"' || *p->at == '\'') {
		if (!tn_parse_quoted(p, &quoted))
			return false;
		pattern = quoted.text;
	} else {
		return tn_parse_fail(p, begin, "write a regular expression here: /like this/");
	}
	if (tn_regex_new(&test->regex, pattern, ignore_case, &why) < 0)
		return why.code == TN_ERR_MEMORY ? tn_parse_memory(p) : tn_parse_fail(p, begin, "%s", why.text);
	return true;
}

/* Parse a literal, or two literals with ".." between them, of which one can be missing. */
static bool
parse_item(struct tn_parser *p, const struct tn_node *test, struct tn_item *item)
{
	const char *begin;

	tn_parse_blanks(p);
	begin = p->at;
	item->low.is_open = item->high.is_open = true;
	if (strncmp(p->at, "..", 2) != 0 && !tn_parse_literal(p, test->reference, &item->low))
		return false;
	if (!tn_parse_take(p, "..")) {
		item->high = item->low;
		return true;
	}
	item->is_range = true;
	tn_parse_blanks(p);
	item->high.at = p->at;
	if (*p->at && !strchr(",)&|", *p->at) && !begins_with_word(p->at, "and") && !begins_with_word(p->at, "or") &&
	    !tn_parse_literal(p, test->reference, &item->high))
		return false;
	if (item->low.is_open && item->high.is_open)
		return tn_parse_fail(p, begin, "a range needs at least one limit: 1..5, 1.., ..5");
	return true;
}

static bool
parse_items(struct tn_parser *p, struct tn_node *test)
{
	TN_ARRAY(struct tn_item) items = { 0 };
	bool list, ok;

	list = tn_parse_take(p, "(");
	do {
		struct tn_item *item = TN_ARRAY_ADD(&items);

		ok = item ? parse_item(p, test, item) : tn_parse_memory(p);
	} while (ok && list && tn_parse_take(p, ","));
	if (ok && list && !tn_parse_take(p, ")"))
		ok = tn_parse_fail(p, p->at, "')' or ',' is missing here");
	if (ok && !list && !items.item[0].is_range)
		ok = tn_parse_fail(p, items.item[0].low.at, "write a list or a range here: in (1, 2), in 1..2");
	test->item = ok ? TN_NEW_ARRAY(&p->tree->arena, items.n, struct tn_item) : NULL;
	if (test->item)
		memcpy(test->item, items.item, items.n * sizeof *items.item);
	else if (ok)
		ok = tn_parse_memory(p);
	test->n_items = items.n;
	TN_ARRAY_RELEASE(&items);
	return ok;
}

static bool
parse_comparison(struct tn_parser *p, struct tn_node *test)
{
	static const struct { const char *sign; enum tn_node_kind kind; } signs[] = {
		{ "==", TN_NODE_EQUAL }, { "!=", TN_NODE_DIFFERENT }, { "<=", TN_NODE_LESS_EQUAL },
		{ ">=", TN_NODE_GREATER_EQUAL }, { "<", TN_NODE_LESS }, { ">", TN_NODE_GREATER },
		{ "=~", TN_NODE_MATCH }, { "!~", TN_NODE_NO_MATCH }, { "=", TN_NODE_EQUAL },
		{ "~", TN_NODE_MATCH },
	};
	const char *begin = p->at;
	bool negate = tn_parse_take_word(p, "not");

	if (tn_parse_take_word(p, "in")) {
		test->kind = negate ? TN_NODE_NOT_IN : TN_NODE_IN;
		return parse_items(p, test);
	}
	if (tn_parse_take_word(p, "matches")) {
		test->kind = negate ? TN_NODE_NO_MATCH : TN_NODE_MATCH;
		return parse_regex(p, test);
	}
	p->at = negate ? begin : p->at;
	for (size_t i = 0; i < TN_COUNT(signs); i++) {
		if (!tn_parse_take(p, signs[i].sign))
			continue;
		test->kind = signs[i].kind;
		if (test->kind == TN_NODE_MATCH || test->kind == TN_NODE_NO_MATCH)
			return parse_regex(p, test);
		test->item = TN_NEW(&p->tree->arena, struct tn_item);
		test->n_items = 1;
		if (!test->item)
			return tn_parse_memory(p);
		if (!tn_parse_literal(p, test->reference, &test->item->low))
			return false;
		test->item->high = test->item->low;
		return true;
	}
	return true;	/* only a name */
}

static const char *
no_name(const char *at)
{
	if (*at == '`')
		return _("the name has no end: ` is missing");
	if (*at == '"' || *at == '\'' || isdigit((unsigned char)*at))
		return _("write the field first, then the value to compare it with");
	return *at ? _("expected the name of a field or attribute, 'not', '(' or /regex/")
		   : _("the condition is incomplete");
}

static bool
is_word_of_language(const char *name)
{
	return strcmp(name, "and") == 0 || strcmp(name, "or") == 0 || strcmp(name, "not") == 0 || strcmp(name, "in") == 0;
}

static bool
parse_name(struct tn_parser *p, struct tn_node *test)
{
	struct tn_error why = { 0 };
	const char *begin, *name;
	size_t n;

	tn_parse_blanks(p);
	begin = p->at;
	n = tn_name_length(begin);
	if (!n)
		return tn_parse_fail(p, begin, "%s", no_name(begin));
	name = tn_arena_copy(&p->tree->arena, begin, n);
	test->reference = TN_NEW(&p->tree->arena, struct tn_reference);
	if (!name || !test->reference)
		return tn_parse_memory(p);
	test->at = begin;
	if (tn_reference_init(test->reference, p->language->names, name, NULL, &why) < 0) {
		test->reference = NULL;
		return why.code == TN_ERR_MEMORY ? tn_parse_memory(p) :
		       tn_parse_fail(p, begin, "%s", is_word_of_language(name) ? no_name(name) : why.text);
	}
	p->at += n;
	return true;
}

/* Parse symbol(NAME), which is compared with names. */
static struct tn_node *
parse_symbol(struct tn_parser *p, struct tn_node *test)
{
	const char *begin = p->at;

	p->at = skip_blanks(p->at + 6) + 1;
	if (!parse_name(p, test))
		return NULL;
	if (!tn_parse_take(p, ")")) {
		tn_parse_fail(p, p->at, "')' is missing here");
		return NULL;
	}
	if (!parse_comparison(p, test))
		return NULL;
	test->at = begin;
	return tn_expand_symbol(p, test);
}

static struct tn_node *
parse_test(struct tn_parser *p)
{
	struct tn_node *test = tn_parse_test(p);
	bool ok;

	if (!test)
		return NULL;
	tn_parse_blanks(p);
	if (begins_with_word(p->at, "symbol") && *skip_blanks(p->at + 6) == '(')
		return parse_symbol(p, test);
	if (*p->at == '/') {
		test->kind = TN_NODE_LINE;
		p->tree->wants_line = true;
		return parse_regex(p, test) ? test : NULL;
	}
	if (begins_with_word(p->at, "has") && *skip_blanks(p->at + 3) == '(') {
		p->at = skip_blanks(p->at + 3) + 1;
		test->kind = TN_NODE_HAS;
		ok = parse_name(p, test);
		if (ok && !tn_parse_take(p, ")"))
			ok = tn_parse_fail(p, p->at, "')' is missing here");
		return ok ? test : NULL;
	}
	ok = parse_name(p, test) && parse_comparison(p, test) && tn_check_test(p, test);
	return ok ? test : NULL;
}

/* ---- the grammar ---- */

static struct tn_node *parse_or(struct tn_parser *p);

static struct tn_node *
parse_not(struct tn_parser *p)
{
	struct tn_node *node;

	if (p->depth >= TN_EXPRESSION_DEPTH) {
		tn_parse_fail(p, p->at, "more than %d nested parentheses and negations", TN_EXPRESSION_DEPTH);
		return NULL;
	}
	p->depth++;
	if (tn_parse_take(p, "!") || tn_parse_take_word(p, "not")) {
		node = parse_not(p);
		node = node ? tn_parse_node(p, TN_NODE_NOT, node) : NULL;
	} else if (tn_parse_take(p, "(")) {
		node = parse_or(p);
		if (node && !tn_parse_take(p, ")")) {
			tn_parse_fail(p, p->at, "expected ')', 'and' or 'or'");
			node = NULL;
		}
	} else {
		node = parse_test(p);
	}
	p->depth--;
	return node;
}

static bool
wants_line(const struct tn_node *node)
{
	bool wants = node->kind == TN_NODE_LINE;

	for (const struct tn_node *in = node->in; in && !wants; in = in->next)
		wants = wants_line(in);
	return wants;
}

/* Move tests of the line to the end, because the line then is not needed for most events. */
static struct tn_node *
lines_last(struct tn_node *list)
{
	struct tn_node *first[2] = { NULL }, **end[2] = { &first[0], &first[1] };

	while (list) {
		struct tn_node *next = list->next;
		int which = wants_line(list);

		list->next = NULL;
		*end[which] = list;
		end[which] = &list->next;
		list = next;
	}
	*end[0] = first[1];
	return first[0];
}

/* Parse one node, or several with @sign or a word between them. Several nodes get a parent of @kind. */
static struct tn_node *
parse_several(struct tn_parser *p, enum tn_node_kind kind, const char *sign, const char *word,
	      struct tn_node *(*parse)(struct tn_parser *p))
{
	struct tn_node *first = parse(p), *last = first, *all;

	while (last && (tn_parse_take(p, sign) || tn_parse_take_word(p, word))) {
		last->next = parse(p);
		last = last->next;
		if (!last)
			return NULL;
	}
	if (!first || !first->next)
		return first;
	all = tn_parse_node(p, kind, NULL);
	if (all)
		all->in = lines_last(first);
	return all;
}

static struct tn_node *
parse_and(struct tn_parser *p)
{
	return parse_several(p, TN_NODE_AND, "&&", "and", parse_not);
}

static struct tn_node *
parse_or(struct tn_parser *p)
{
	return parse_several(p, TN_NODE_OR, "||", "or", parse_and);
}

enum tn_code
tn_tree_parse(struct tn_tree *out, const struct tn_language *language, const char *text, struct tn_error *err)
{
	struct tn_error unused = { 0 };
	struct tn_parser p = { .text = text, .at = text, .language = language, .tree = out, .err = err ? err : &unused };

	*out = (struct tn_tree) { 0 };
	if (strlen(text) > TN_EXPRESSION_LENGTH)
		return tn_fail(err, TN_ERR_ARGUMENT, "the expression has %zu bytes: the limit is %d", strlen(text),
			       TN_EXPRESSION_LENGTH);
	out->root = parse_or(&p);
	tn_parse_blanks(&p);
	if (out->root && *p.at) {
		tn_parse_fail(&p, p.at, *p.at == ')' ? _("there is no '(' for this ')'")
				      : is_foreign(p.at) ? _("unknown comparison: use ==, !=, <, >, in, =~ /regular expression/")
						    : _("expected 'and', 'or', a comparison or the end"));
		out->root = NULL;
	}
	if (out->root && language->is_rest)
		out->root = tn_parse_node(&p, TN_NODE_UNLESS, out->root);
	if (out->root)
		return TN_OK;
	tn_tree_release(out);
	return p.err->code;
}

void
tn_tree_release(struct tn_tree *tree)
{
	for (struct tn_node *test = tree->tests; test; test = test->next_test) {
		tn_regex_free(test->regex);
		if (test->reference)
			tn_reference_release(test->reference);
	}
	tn_arena_release(&tree->arena);
	*tree = (struct tn_tree) { 0 };
}
