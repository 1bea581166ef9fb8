/*
 * print.c - the display of single fields in a print fmt
 *
 * A print fmt is a C format and C expressions. A hexadecimal conversion makes its field hexadecimal if the argument
 * is only the field. A table of __print_symbolic() or __print_flags() over a field, with or without a constant mask,
 * names the field's values or bits. Entries whose value is a name that the kernel did not resolve are left out. If
 * flags have a text for the case that no flag is set (the states of threads), the field's values get labels.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "ftrace/format.h"

#define MOST_ENTRIES 512		/* entries of one table */
#define MOST_TABLES 64		/* limit of tables in one format, whose texts are read once */
#define DEPTH 64		/* limit of nested parentheses in an expression */

struct span {
	const char *p, *end;
};

static bool
is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static struct span
trim(struct span s)
{
	while (s.p < s.end && isspace((unsigned char)*s.p))
		s.p++;
	while (s.p < s.end && isspace((unsigned char)s.end[-1]))
		s.end--;
	return s;
}

/* The place after the string whose opening quote is at @p. */
static const char *
skip_string(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		if (*p == '\\' && p + 1 < end)
			p++;
	return p < end ? p + 1 : end;
}

/* The next part of @s up to a comma outside of parentheses, braces and strings; false: no more parts. */
static bool
next_part(struct span *s, struct span *part)
{
	const char *p = s->p;
	unsigned depth = 0;

	if (s->p >= s->end)
		return false;
	while (p < s->end && !(*p == ',' && depth == 0)) {
		if (*p == '"') {
			p = skip_string(p, s->end);
			continue;
		}
		if (*p == '(' || *p == '{')
			depth++;
		else if ((*p == ')' || *p == '}') && depth-- == 0)
			break;
		p++;
	}
	*part = trim((struct span) { s->p, p });
	s->p = p < s->end && *p == ',' ? p + 1 : s->end;
	return true;
}

/* ---- constant expressions: numbers, ( ) ~ - + * << >> & | ---- */

struct constant {
	struct span s;
	unsigned depth;
	bool bad;
};

static uint64_t alternatives(struct constant *c);

static bool
take(struct constant *c, const char *sign)
{
	size_t n = strlen(sign);

	c->s = trim(c->s);
	if ((size_t)(c->s.end - c->s.p) < n || memcmp(c->s.p, sign, n) != 0)
		return false;
	c->s.p += n;
	return true;
}

/* Skip a cast, such as "(unsigned long)". */
static bool
take_cast(struct constant *c)
{
	const char *p = c->s.p;
	bool word = false;

	for (p++; p < c->s.end && (is_name_char(*p) || *p == ' ' || *p == '*'); p++)
		word |= isalpha((unsigned char)*p) || *p == '_';
	if (p >= c->s.end || *p != ')' || !word || isdigit((unsigned char)c->s.p[1]))
		return false;
	c->s.p = p + 1;
	return true;
}

static uint64_t
number(struct constant *c)
{
	const char *p = c->s.p, *end = c->s.end;
	uint64_t v = 0, base = 10;

	if (p >= end || !isdigit((unsigned char)*p)) {
		c->bad = true;
		return 0;
	}
	if (end - p > 2 && p[0] == '0' && (p[1] | 32) == 'x') {
		base = 16;
		p += 2;
	} else if (*p == '0') {
		base = 8;
	}
	for (; p < end && isxdigit((unsigned char)*p); p++) {
		uint64_t digit = (uint64_t)(isdigit((unsigned char)*p) ? *p - '0' : (*p | 32) - 'a' + 10);

		if (digit >= base)
			break;
		v = v * base + digit;
	}
	while (p < end && ((*p | 32) == 'u' || (*p | 32) == 'l'))
		p++;
	c->bad |= p < end && is_name_char(*p);
	c->s.p = p;
	return v;
}

static uint64_t
unary(struct constant *c)
{
	uint64_t v;

	if (c->bad || ++c->depth > DEPTH) {
		c->bad = true;
		return 0;
	}
	c->s = trim(c->s);
	if (c->s.p < c->s.end && *c->s.p == '(' && take_cast(c)) {
		v = unary(c);
	} else if (take(c, "(")) {
		v = alternatives(c);
		c->bad |= !take(c, ")");
	} else if (take(c, "~")) {
		v = ~unary(c);
	} else if (take(c, "-")) {
		v = -unary(c);
	} else {
		v = number(c);
	}
	c->depth--;
	return v;
}

static uint64_t
sum(struct constant *c)
{
	uint64_t v = unary(c);

	while (!c->bad) {
		if (take(c, "+"))
			v += unary(c);
		else if (take(c, "-"))
			v -= unary(c);
		else if (take(c, "*"))
			v *= unary(c);
		else
			break;
	}
	return v;
}

static uint64_t
shift(struct constant *c)
{
	uint64_t v = sum(c), by;

	while (!c->bad) {
		if (take(c, "<<"))
			v = (by = sum(c)) < 64 ? v << by : 0;
		else if (take(c, ">>"))
			v = (by = sum(c)) < 64 ? v >> by : 0;
		else
			break;
	}
	return v;
}

static uint64_t
alternatives(struct constant *c)
{
	uint64_t v = shift(c);

	/* & binds more strongly than | in C, but these tables never mix them. */
	while (!c->bad) {
		if (take(c, "&"))
			v &= shift(c);
		else if (take(c, "|"))
			v |= shift(c);
		else
			break;
	}
	return v;
}

static bool
evaluate(struct span s, uint64_t *out)
{
	struct constant c = { .s = trim(s) };

	*out = alternatives(&c);
	c.s = trim(c.s);
	return !c.bad && c.s.p == c.s.end;
}

/* ---- fields ---- */

/*
 * Find the field in the expression, which may have parentheses, casts, an index and a constant mask; NULL: the
 * expression is another one.
 */
static struct tn_ftrace_field *
field_of(struct tn_ftrace_format *f, struct span s, bool masked)
{
	const char *p = s.p, *name;
	size_t n;

	while (p < s.end && !(s.end - p > 5 && memcmp(p, "REC->", 5) == 0)) {
		/* "(REC)->" may be before the field, in parentheses and casts. */
		if (s.end - p > 6 && memcmp(p, "REC)->", 6) == 0) {
			p++;
			break;
		}
		if (!is_name_char(*p) && *p != '(' && *p != ')' && *p != ' ' && *p != '*')
			return NULL;
		p++;
	}
	if (p >= s.end)
		return NULL;
	name = p += 5;
	while (p < s.end && is_name_char(*p))
		p++;
	n = (size_t)(p - name);
	for (; p < s.end && *p != '&'; p++)
		if (*p != ')' && *p != ' ' && *p != '[' && *p != ']' && !isdigit((unsigned char)*p))
			return NULL;
	if (p < s.end) {
		uint64_t mask;
		struct span rest = { p + 1, s.end };

		while (!evaluate(rest, &mask) && rest.end > rest.p && rest.end[-1] == ')')
			rest.end--;
		if (!masked || !evaluate(rest, &mask))
			return NULL;
	}
	for (size_t i = 0; i < f->n_fields; i++)
		if (strlen(f->field[i].name) == n && memcmp(f->field[i].name, name, n) == 0)
			return &f->field[i];
	return NULL;
}

/* ---- tables ---- */

struct table {
	TN_ARRAY(struct tn_mapping) mappings;
	TN_ARRAY(struct tn_range) ranges;	/* one for each entry; n_ranges counts them */
	TN_ARRAY(size_t) of;			/* number of the field of each mapping */
	bool failed;
};

static void
release_table(struct table *t)
{
	TN_ARRAY_RELEASE(&t->mappings);
	TN_ARRAY_RELEASE(&t->ranges);
	TN_ARRAY_RELEASE(&t->of);
}

/* The text of a C string; the escapes that labels need are decoded. */
static const char *
unquote(struct tn_arena *arena, struct span s)
{
	char *text = tn_arena_copy(arena, s.p, (size_t)(s.end - s.p)), *to = text;

	for (const char *p = s.p; text && p < s.end; p++) {
		if (*p == '\\' && p + 1 < s.end)
			p++;
		*to++ = *p;
	}
	if (text)
		*to = '\0';
	return text;
}

static void
add_entry(struct table *t, struct tn_arena *arena, uint64_t value, struct span label)
{
	const char *text = unquote(arena, label);
	struct tn_mapping *m;
	struct tn_range *r;
	size_t i = 0, *of;

	while (text && i < t->mappings.n && strcmp(t->mappings.item[i].label, text) != 0)
		i++;
	if (text && i == t->mappings.n && (m = TN_ARRAY_ADD(&t->mappings)))
		m->label = text;
	r = TN_ARRAY_ADD(&t->ranges);
	of = TN_ARRAY_ADD(&t->of);
	if (!text || i == t->mappings.n || !r || !of) {
		t->failed = true;
		return;
	}
	*r = (struct tn_range) { value, value };
	*of = i;
	t->mappings.item[i].n_ranges++;
}

/* Read entries `{ 1, "name" }` up to the end of @s. */
static void
read_entries(struct table *t, struct tn_arena *arena, struct span s, const struct tn_ftrace_field *f, bool flags)
{
	unsigned bits = 8 * f->width;
	struct span entry, value, label;
	uint64_t v;

	while (next_part(&s, &entry) && t->of.n < MOST_ENTRIES && !t->failed) {
		if (entry.end - entry.p < 2 || *entry.p != '{' || entry.end[-1] != '}')
			continue;
		entry = (struct span) { entry.p + 1, entry.end - 1 };
		if (!next_part(&entry, &value) || !next_part(&entry, &label) || !evaluate(value, &v) || label.end - label.p < 2 ||
		    *label.p != '"' || label.end[-1] != '"')
			continue;
		label = (struct span) { label.p + 1, label.end - 1 };
		if (flags) {
			if (!v || v & (v - 1) || (bits < 64 && v >> bits))
				continue;	/* a name for several bits is not a name of one bit */
			v = (uint64_t)__builtin_ctzll(v);
		} else if (f->is_signed) {
			v = (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
		} else if (bits < 64 && v >> bits) {
			v &= (UINT64_C(1) << bits) - 1;
		}
		add_entry(t, arena, v, label);
	}
}

/* Give the field its labels. */
static bool
keep_table(struct table *t, struct tn_arena *arena, struct tn_ftrace_field *f, bool flags)
{
	struct tn_mapping *mapping = TN_NEW_ARRAY(arena, t->mappings.n, struct tn_mapping);
	struct tn_range *range = TN_NEW_ARRAY(arena, t->ranges.n, struct tn_range), *next = range;

	if (!mapping || !range)
		return false;
	for (size_t i = 0; i < t->mappings.n; i++) {
		mapping[i] = (struct tn_mapping) { .label = t->mappings.item[i].label, .range = next };
		next += t->mappings.item[i].n_ranges;
	}
	for (size_t i = 0; i < t->ranges.n; i++) {
		struct tn_mapping *m = &mapping[t->of.item[i]];

		((struct tn_range *)m->range)[m->n_ranges++] = t->ranges.item[i];
	}
	f->mapping = mapping;
	f->n_mappings = t->mappings.n;
	f->is_flags = flags;
	return true;
}

/* ---- flags as values: FIELD & MASK ? __print_flags(FIELD & MASK, ...) : "R", FIELD & BIT ? "+" : "" ---- */

#define MOST_STATES 16	/* limit of flags whose pairs get labels */

/* Take the string at the start of @s, without its quotes, and cut it off @s. */
static bool
take_string(struct span *s, struct span *out)
{
	*s = trim(*s);
	if (s->p >= s->end || *s->p != '"')
		return false;
	*out = (struct span) { s->p + 1, skip_string(s->p, s->end) };
	s->p = out->end--;
	return out->end >= out->p;
}

/* Find the text for the case that no flag is set: a string after the parenthesis that ends the call, and a colon. */
static bool
text_of_none(struct span s, struct span *none)
{
	struct span part;

	while (next_part(&s, &part)) {
		none->p = part.end;
		while (none->p < s.end && isspace((unsigned char)*none->p))
			none->p++;
		if (none->p < s.end && *none->p == ')')
			s = (struct span) { s.end, s.end };
	}
	s.p = none->p;
	while (s.p < s.end && (*s.p == ')' || isspace((unsigned char)*s.p)))
		s.p++;
	if (s.p >= s.end || *s.p != ':')
		return false;
	s.p++;
	return take_string(&s, none) && trim(s).p == s.end;
}

/* The mark that the argument @s adds if one more bit is set; 0: the argument is another one. */
static uint64_t
bit_of_mark(struct tn_ftrace_format *format, const struct tn_ftrace_field *f, struct span s, struct span *mark)
{
	struct span condition = s, bit;
	uint64_t v;

	while (condition.end > s.p && condition.end[-1] != '?')
		condition.end--;
	if (condition.end == s.p)
		return 0;
	s.p = condition.end--;
	condition = bit = trim(condition);
	while (bit.p < bit.end && *bit.p != '&')
		bit.p++;
	if (bit.p == bit.end || field_of(format, condition, true) != f || !take_string(&s, mark))
		return 0;
	bit.p++;
	while (!evaluate(bit, &v))
		if (bit.end == bit.p || *--bit.end != ')')
			return 0;
	return v && !(v & (v - 1)) ? v : 0;
}

static void
add_state(struct table *t, struct tn_arena *arena, uint64_t value, const char *label, uint64_t bit, struct span mark)
{
	size_t n = strlen(label);
	char text[64];

	add_entry(t, arena, value, (struct span) { label, label + n });
	if (!bit || value & bit || n + (size_t)(mark.end - mark.p) >= sizeof text)
		return;
	memcpy(text, label, n);
	memcpy(text + n, mark.p, (size_t)(mark.end - mark.p));
	add_entry(t, arena, value | bit, (struct span) { text, text + n + (size_t)(mark.end - mark.p) });
}

/* Add labels for no flag, one flag and two flags, each with and without the mark. */
static void
add_states(struct table *t, struct tn_arena *arena, const struct table *flags, struct span none, uint64_t bit, struct span mark)
{
	const char *label = unquote(arena, none);
	char pair[48];

	t->failed |= !label;
	if (label)
		add_state(t, arena, 0, label, bit, mark);
	for (size_t i = 0; i < flags->of.n; i++) {
		const char *a = flags->mappings.item[flags->of.item[i]].label;
		uint64_t v = UINT64_C(1) << flags->ranges.item[i].lower;

		add_state(t, arena, v, a, bit, mark);
		for (size_t k = i + 1; k < flags->of.n; k++) {
			const char *b = flags->mappings.item[flags->of.item[k]].label;

			if (snprintf(pair, sizeof pair, "%s|%s", a, b) < (int)sizeof pair)
				add_state(t, arena, v | UINT64_C(1) << flags->ranges.item[k].lower, pair, bit, mark);
		}
	}
}

/*
 * Read the call at the start of @s, after its opening parenthesis; @s ends with the argument. @next is the argument
 * after that one.
 */
static bool
read_call(struct tn_ftrace_format *format, struct tn_arena *arena, struct span s, struct span next, bool flags)
{
	struct table t = { 0 }, states = { 0 };
	struct tn_ftrace_field *f;
	struct span first, between, whole = s, none = s, mark = { 0 };
	bool good = true;

	if (!next_part(&s, &first) || (flags && !next_part(&s, &between)))
		return true;
	f = field_of(format, first, true);
	if (!f || f->mapping || f->kind != TN_FTRACE_NUMBER)
		return true;
	read_entries(&t, arena, s, f, flags);
	if (flags && t.of.n && t.of.n <= MOST_STATES && text_of_none(whole, &none))
		add_states(&states, arena, &t, none, bit_of_mark(format, f, next, &mark), mark);
	if (t.failed || states.failed)
		good = false;
	else if (states.mappings.n)
		good = keep_table(&states, arena, f, false);
	else if (t.mappings.n)
		good = keep_table(&t, arena, f, flags);
	release_table(&states);
	release_table(&t);
	return good;
}

/* Read all tables in an argument; @next is the argument after it. */
static bool
read_tables(struct tn_ftrace_format *format, struct tn_arena *arena, struct span s, struct span next, unsigned *left)
{
	static const char symbolic[] = "__print_symbolic(", flags[] = "__print_flags(";

	for (const char *p = s.p; p < s.end && *left; p++) {
		bool is_flags = (size_t)(s.end - p) > sizeof flags && memcmp(p, flags, sizeof flags - 1) == 0;

		if (*p == '"') {
			p = skip_string(p, s.end) - 1;
			continue;
		}
		if (!is_flags && ((size_t)(s.end - p) <= sizeof symbolic || memcmp(p, symbolic, sizeof symbolic - 1) != 0))
			continue;
		--*left;
		p += (is_flags ? sizeof flags : sizeof symbolic) - 1;
		if (!read_call(format, arena, (struct span) { p, s.end }, next, is_flags))
			return false;
	}
	return true;
}

/* ---- the format ---- */

/*
 * Find the next conversion of the C format; 0 at its end. *stars is the number of arguments that it takes for width
 * and precision.
 */
static char
next_conversion(struct span *s, unsigned *stars)
{
	*stars = 0;
	for (const char *p = s->p; p < s->end; p++) {
		if (*p != '%')
			continue;
		if (++p < s->end && *p == '%')
			continue;
		while (p < s->end && strchr("#0- +'123456789.*hlzjtLq", *p))
			*stars += *p++ == '*';
		s->p = p < s->end ? p + 1 : s->end;
		return p < s->end ? *p : '\0';
	}
	s->p = s->end;
	return '\0';
}

bool
tn_ftrace_print_parse(struct tn_ftrace_format *f, struct tn_arena *arena, const char *text, size_t n)
{
	struct span all = { text, text + n }, format, arg, rest, next;
	unsigned stars, tables = MOST_TABLES;
	char c;

	if (!next_part(&all, &format))
		return true;
	while ((c = next_conversion(&format, &stars))) {
		struct tn_ftrace_field *field;

		while (stars-- > 0)
			next_part(&all, &arg);
		if (!next_part(&all, &arg))
			break;
		if ((c == 'x' || c == 'X' || c == 'p') && (field = field_of(f, arg, false)))
			field->is_hex = true;
		rest = all;
		if (!next_part(&rest, &next))
			next = rest;
		if (!read_tables(f, arena, arg, next, &tables))
			return false;
	}
	return true;
}
