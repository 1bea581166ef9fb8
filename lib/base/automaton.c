#include "base/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NODES 4096
#define CHARS 512	/* nodes that read a byte */
#define DEPTH 50

struct set {
	uint64_t word[4];
};

/* Reads a byte of its set and goes on to `to`; without a set goes on to both. */
struct node {
	bool reads;
	struct set set;
	uint16_t to, other;
};

#define NOWHERE UINT16_MAX

/* A part of the pattern: from one node to another, which reads nothing and leads nowhere yet. */
struct part {
	uint16_t from, to;
};

struct parser {
	const char *at;
	struct node *node;
	size_t n;
	bool failed;
	unsigned depth;
};

/* ---- sets of bytes ---- */

static void
add_range(struct set *s, unsigned from, unsigned to)
{
	for (unsigned c = from; c <= to; c++)
		s->word[c / 64] |= UINT64_C(1) << c % 64;
}

static bool
has(const struct set *s, unsigned c)
{
	return s->word[c / 64] >> c % 64 & 1;
}

/* Of ASCII alone. */
static void
turn(struct set *s)
{
	s->word[0] = ~s->word[0];
	s->word[1] = ~s->word[1];
}

/* What "\d" and the like stand for; false: nothing of that kind. Upper case: the others, and all that is not ASCII. */
static bool
add_kind(struct set *out, char kind)
{
	struct set s = { { 0 } };

	switch (kind | 32) {
	case 'd':
		add_range(&s, '0', '9');
		break;
	case 'w':
		add_range(&s, '0', '9');
		add_range(&s, 'A', 'Z');
		add_range(&s, 'a', 'z');
		add_range(&s, '_', '_');
		break;
	case 's':
		add_range(&s, '\t', '\r');
		add_range(&s, ' ', ' ');
		break;
	default:
		return false;
	}
	if (!(kind & 32)) {
		turn(&s);
		add_range(&s, 128, 255);
	}
	for (size_t i = 0; i < 4; i++)
		out->word[i] |= s.word[i];
	return true;
}

/* ---- nodes ---- */

static uint16_t
add_node(struct parser *p)
{
	if (p->n == NODES) {
		p->failed = true;
		return 0;
	}
	p->node[p->n] = (struct node) { .to = NOWHERE, .other = NOWHERE };
	return (uint16_t)p->n++;
}

static struct part
nothing(struct parser *p)
{
	uint16_t one = add_node(p);

	return (struct part) { one, one };
}

static void
link_to(struct parser *p, uint16_t from, uint16_t to)
{
	struct node *n = &p->node[from];

	if (n->to == NOWHERE)
		n->to = to;
	else if (n->other == NOWHERE)
		n->other = to;
	else
		p->failed = true;
}

/* From @from to either. */
static struct part
behind(struct parser *p, struct part a, struct part b)
{
	link_to(p, a.to, b.from);
	return (struct part) { a.from, b.to };
}

/* One byte of the set; where that begins a character beyond ASCII, all of it. */
static struct part
one_of(struct parser *p, const struct set *set)
{
	uint16_t reads = add_node(p), end = add_node(p), more;
	bool beyond = set->word[2] | set->word[3];

	p->node[reads].reads = true;
	p->node[reads].set = *set;
	link_to(p, reads, end);
	if (beyond) {
		uint16_t out = add_node(p);

		more = add_node(p);
		p->node[more].reads = true;
		add_range(&p->node[more].set, 128, 191);
		link_to(p, end, out);
		link_to(p, end, more);
		link_to(p, more, end);
		end = out;
	}
	return (struct part) { reads, end };
}

static struct part
either(struct parser *p, struct part a, struct part b)
{
	uint16_t from = add_node(p), to = add_node(p);

	link_to(p, from, a.from);
	link_to(p, from, b.from);
	link_to(p, a.to, to);
	link_to(p, b.to, to);
	return (struct part) { from, to };
}

/* ---- the pattern ---- */

static struct part parse_branches(struct parser *p);

static struct part
fail(struct parser *p)
{
	p->failed = true;
	return (struct part) { 0, 0 };
}

static bool
is_letter(char c)
{
	return ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '0' && c <= '9');
}

/* A member of a class, or one end of a range: an ASCII character. False: it is a kind, all that is not ASCII, or too much. */
static bool
parse_member(struct parser *p, struct set *s, unsigned *c)
{
	unsigned char at = (unsigned char)*p->at;

	if (at >= 128) {
		add_range(s, 128, 255);
		while ((unsigned char)*p->at >= 128)
			p->at++;
		p->failed |= *p->at == '-';
		return false;
	}
	if (at == '\\') {
		p->at++;
		at = (unsigned char)*p->at;
		if (!at || at >= 128 || (is_letter((char)at) && !add_kind(s, (char)at))) {
			p->failed = true;
			return false;
		}
		p->at++;
		*c = at;
		return !is_letter((char)at);
	}
	if (!at || at == '[') {	/* "[:alpha:]" and the like */
		p->failed = true;
		return false;
	}
	p->at++;
	*c = at;
	return true;
}

static struct part
parse_class(struct parser *p)
{
	struct set s = { { 0 } };
	bool negate = *++p->at == '^';
	unsigned from, to;

	p->at += negate;
	for (bool first = true; !p->failed && (first || *p->at != ']'); first = false) {
		if (!parse_member(p, &s, &from))
			continue;
		to = from;
		if (*p->at == '-' && p->at[1] != ']') {
			p->at++;
			if ((unsigned char)*p->at >= 128) {
				to = 127;	/* and all beyond */
				add_range(&s, 128, 255);
				while ((unsigned char)*p->at >= 128)
					p->at++;
			} else if (!parse_member(p, &s, &to) || to < from) {
				return fail(p);
			}
		}
		add_range(&s, from, to);
	}
	if (p->failed)
		return fail(p);
	p->at++;
	if (negate) {
		turn(&s);
		add_range(&s, 128, 255);
	}
	return one_of(p, &s);
}

/* A character that stands for itself. */
static struct part
parse_character(struct parser *p)
{
	struct part all = nothing(p);

	do {
		struct set s = { { 0 } };
		struct part one = { add_node(p), 0 };

		add_range(&s, (unsigned char)*p->at, (unsigned char)*p->at);
		p->node[one.from].reads = true;
		p->node[one.from].set = s;
		one.to = add_node(p);
		link_to(p, one.from, one.to);
		all = behind(p, all, one);
		p->at++;
	} while (((unsigned char)*p->at & 0xc0) == 0x80);
	return all;
}

static struct part
parse_escape(struct parser *p)
{
	struct set s = { { 0 } };
	char c = *++p->at;

	if (c && strchr("bBAzZG", c)) {
		p->at++;
		return nothing(p);
	}
	if (!is_letter(c))
		return c ? parse_character(p) : fail(p);
	if (!add_kind(&s, c))
		return fail(p);
	p->at++;
	return one_of(p, &s);
}

static struct part
parse_atom(struct parser *p)
{
	struct set all = { { ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0) } };
	struct part inside;

	switch (*p->at) {
	case '[':
		return parse_class(p);
	case '\\':
		return parse_escape(p);
	case '^': case '$':
		p->at++;
		return nothing(p);
	case '.':
		p->at++;
		return one_of(p, &all);
	case '*': case '+': case '?':
		return fail(p);
	case '(':
		p->at++;
		if (*p->at == '*' || (*p->at == '?' && *++p->at != ':') || p->depth == DEPTH)
			return fail(p);
		p->at += p->at[-1] == '?';
		p->depth++;
		inside = parse_branches(p);
		p->depth--;
		if (*p->at != ')')
			return fail(p);
		p->at++;
		return inside;
	default:
		return parse_character(p);
	}
}

#define ENDLESS UINT32_MAX

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static unsigned
parse_number(struct parser *p)
{
	unsigned n = 0;

	for (; is_digit(*p->at); p->at++)
		n = n > NODES ? n : n * 10 + (unsigned)(*p->at - '0');
	return n;
}

/* How often the atom may stand there. False: there is no such thing behind it. What depends on the version is too much. */
static bool
parse_times(struct parser *p, unsigned *least, unsigned *most)
{
	const char *at = p->at;

	*least = 0;
	*most = ENDLESS;
	switch (*at) {
	case '?':
		*most = 1;
		break;
	case '+':
		*least = 1;
		break;
	case '*':
		break;
	case '{':
		for (at++; *at == ' ' || *at == '\t'; at++)
			;
		if (!is_digit(*at) && *at != ',')
			return false;
		p->at++;
		p->failed |= !is_digit(*p->at);
		*least = *most = parse_number(p);
		if (*p->at == ',') {
			p->at++;
			*most = is_digit(*p->at) ? parse_number(p) : ENDLESS;
		}
		p->failed |= *p->at != '}' || *most < *least;
		break;
	default:
		return false;
	}
	p->at += !p->failed;
	p->at += *p->at == '?' || *p->at == '+';
	p->failed |= *p->at && strchr("?*+{", *p->at);
	return true;
}

/* The atom that begins at @begin, once more. */
static struct part
again(struct parser *p, const char *begin)
{
	const char *end = p->at;
	struct part one;

	p->at = begin;
	one = parse_atom(p);
	p->at = end;
	return one;
}

static struct part
repeat(struct parser *p, const char *begin, struct part first, unsigned least, unsigned most)
{
	struct part all = least ? first : nothing(p);

	if (!most)
		return nothing(p);
	for (unsigned i = 1; i < least && !p->failed; i++)
		all = behind(p, all, again(p, begin));
	if (most == ENDLESS) {
		struct part one = again(p, begin);
		uint16_t from = add_node(p), to = add_node(p);

		link_to(p, from, one.from);
		link_to(p, from, to);
		link_to(p, one.to, from);
		return behind(p, all, (struct part) { from, to });
	}
	for (unsigned i = least; i < most && !p->failed; i++)
		all = behind(p, all, either(p, again(p, begin), nothing(p)));
	return all;
}

static struct part
parse_sequence(struct parser *p)
{
	struct part all = nothing(p);

	while (!p->failed && *p->at && *p->at != '|' && *p->at != ')') {
		const char *begin = p->at;
		struct part one = parse_atom(p);
		unsigned least, most;

		if (!p->failed && parse_times(p, &least, &most) && !p->failed)
			one = repeat(p, begin, one, least, most);
		if (!p->failed)
			all = behind(p, all, one);
	}
	return all;
}

static struct part
parse_branches(struct parser *p)
{
	struct part all = parse_sequence(p);

	while (!p->failed && *p->at == '|') {
		p->at++;
		all = either(p, all, parse_sequence(p));
	}
	return all;
}

/* ---- the table ---- */

/* Nodes that read, as bits; and the last node. */
struct positions {
	uint64_t word[CHARS / 64];
	bool found;
};

struct table {
	const struct node *node;
	size_t n;
	uint16_t end;
	uint16_t number[NODES];	/* of a node that reads */
	uint16_t of_number[CHARS];
	size_t n_chars;
	uint16_t stack[2 * NODES];
	uint8_t seen[NODES];
	struct positions begin;
	struct positions state[TN_AUTOMATON_STATES];
	uint8_t class[256];	/* bytes of one class are in the same sets */
	size_t n_states;
};

static void
reach(struct table *t, struct positions *out, uint16_t from)
{
	size_t n = 0;

	t->stack[n++] = from;
	while (n) {
		uint16_t at = t->stack[--n];
		const struct node *node = &t->node[at];

		if (t->seen[at])
			continue;
		t->seen[at] = 1;
		if (at == t->end)
			out->found = true;
		if (node->reads) {
			out->word[t->number[at] / 64] |= UINT64_C(1) << t->number[at] % 64;
			continue;
		}
		if (node->to != NOWHERE)
			t->stack[n++] = node->to;
		if (node->other != NOWHERE)
			t->stack[n++] = node->other;
	}
}

static bool
number_nodes(struct table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (!t->node[i].reads)
			continue;
		if (t->n_chars == CHARS)
			return false;
		t->of_number[t->n_chars] = (uint16_t)i;
		t->number[i] = (uint16_t)t->n_chars++;
	}
	for (unsigned c = 0; c < 256; c++) {
		unsigned like = 0;

		for (; like < c; like++) {
			size_t i = 0;

			while (i < t->n_chars && has(&t->node[t->of_number[i]].set, c) == has(&t->node[t->of_number[i]].set, like))
				i++;
			if (i == t->n_chars)
				break;
		}
		t->class[c] = (uint8_t)like;
	}
	return true;
}

/* The number of a state, which is added where it is new; 0 is the one that has found a match. TN_AUTOMATON_STATES: too many. */
static size_t
state_of(struct table *t, const struct positions *p)
{
	if (p->found)
		return TN_AUTOMATON_FOUND;
	for (size_t i = 1; i < t->n_states; i++)
		if (memcmp(t->state[i].word, p->word, sizeof p->word) == 0)
			return i;
	if (t->n_states < TN_AUTOMATON_STATES)
		t->state[t->n_states++] = *p;
	else
		return TN_AUTOMATON_STATES;
	return t->n_states - 1;
}

static size_t
step(struct table *t, size_t state, unsigned c)
{
	struct positions next = t->begin;	/* a match may begin anywhere */

	memset(t->seen, 0, t->n);
	for (size_t i = 0; i < t->n_chars; i++) {
		const struct node *node = &t->node[t->of_number[i]];

		if (t->state[state].word[i / 64] >> i % 64 & 1 && has(&node->set, c))
			reach(t, &next, node->to);
	}
	return state_of(t, &next);
}

static bool
make_table(struct table *t, struct tn_automaton *out)
{
	if (!number_nodes(t))
		return false;
	t->n_states = 1;
	reach(t, &t->begin, 0);
	out->begin = (uint8_t)state_of(t, &t->begin);
	for (size_t s = 1; s < t->n_states; s++)
		for (unsigned c = 0; c < 256; c++) {
			size_t next = t->class[c] < c ? out->next[s][t->class[c]] : step(t, s, c);

			if (next == TN_AUTOMATON_STATES)
				return false;
			out->next[s][c] = (uint8_t)next;
		}
	memset(out->next[TN_AUTOMATON_FOUND], TN_AUTOMATON_FOUND, 256);
	out->n = t->n_states;
	return true;
}

bool
tn_automaton_make(struct tn_automaton *out, const char *pattern)
{
	struct parser p = { .at = pattern, .node = calloc(NODES, sizeof *p.node) };
	struct table *t = calloc(1, sizeof *t);
	struct part all = { 0, 0 };
	bool made = false;

	*out = (struct tn_automaton) { .next = calloc(TN_AUTOMATON_STATES, sizeof *out->next) };
	if (p.node && t && out->next) {
		uint16_t begin = add_node(&p);

		all = parse_branches(&p);
		link_to(&p, begin, all.from);
		p.failed |= *p.at != '\0';
		t->node = p.node;
		t->n = p.n;
		t->end = all.to;
		made = !p.failed && make_table(t, out);
	}
	free(p.node);
	free(t);
	if (!made)
		tn_automaton_release(out);
	return made;
}

void
tn_automaton_release(struct tn_automaton *a)
{
	free(a->next);
	*a = (struct tn_automaton) { 0 };
}
