/*
 * demangle.c - names of C++ as uftrace shows them: the names of scopes, without types, arguments and templates
 */
#include <ctype.h>
#include <string.h>

#include "uftrace/private.h"

#define MOST_DEPTH 64

struct in {
	const char *p;
	unsigned depth;
	bool bad;
};

static void skip_list(struct in *in);

static size_t
number(struct in *in)
{
	size_t n = 0;

	while (isdigit((unsigned char)*in->p) && n < 10000)
		n = 10 * n + (size_t)(*in->p++ - '0');
	return n;
}

static void
skip_text(struct in *in)
{
	size_t n = number(in), there = strnlen(in->p, n);

	in->bad |= there < n;
	in->p += there;
}

static void
skip_substitution(struct in *in)
{
	/* St, Sa, Ss and others have two letters; S_ and S1A_ refer to earlier names. */
	if (in->p[1] && islower((unsigned char)in->p[1])) {
		in->p += 2;
		return;
	}
	while (*in->p && *in->p != '_')
		in->p++;
	in->p += *in->p == '_';
}

/* Skip one step in types: a letter, a name, or a whole list. */
static void
skip_type(struct in *in)
{
	if (isdigit((unsigned char)*in->p)) {
		skip_text(in);
	} else if (*in->p == 'S') {
		skip_substitution(in);
	} else if (*in->p == 'L') {
		if (strncmp(in->p, "L_Z", 3) == 0) {
			in->p += 3;
			skip_list(in);
		} else {
			while (*in->p && *in->p != 'E')
				in->p++;
			in->p += *in->p == 'E';
		}
	} else if (*in->p == 'T') {
		while (*in->p && *in->p != '_')
			in->p++;
		in->p += *in->p == '_';
	} else if (*in->p == 'A' && isdigit((unsigned char)in->p[1])) {
		in->p++;
		number(in);
		in->p += *in->p == '_';
	} else if (*in->p == 'D' && strchr("tT", in->p[1]) && in->p[1]) {
		in->p += 2;
		skip_list(in);
	} else if (*in->p == 'D' && in->p[1]) {
		in->p += 2;
	} else if (*in->p && strchr("INJFX", *in->p)) {
		in->p++;
		skip_list(in);
	} else {
		in->p++;
	}
}

/* Go to the byte after the E that ends the list. */
static void
skip_list(struct in *in)
{
	if (++in->depth > MOST_DEPTH)
		in->bad = true;
	while (!in->bad && *in->p && *in->p != 'E')
		skip_type(in);
	in->bad |= *in->p != 'E';
	in->p += *in->p == 'E';
	in->depth--;
}

static const struct { char code[3]; const char *name; } operators[] = {
	{ "nw", " new" }, { "na", " new[]" }, { "dl", " delete" }, { "da", " delete[]" }, { "pl", "+" }, { "mi", "-" },
	{ "ml", "*" }, { "dv", "/" }, { "rm", "%" }, { "an", "&" }, { "or", "|" }, { "eo", "^" }, { "aS", "=" },
	{ "pL", "+=" }, { "mI", "-=" }, { "mL", "*=" }, { "dV", "/=" }, { "rM", "%=" }, { "aN", "&=" }, { "oR", "|=" },
	{ "eO", "^=" }, { "ls", "<<" }, { "rs", ">>" }, { "lS", "<<=" }, { "rS", ">>=" }, { "eq", "==" }, { "ne", "!=" },
	{ "lt", "<" }, { "gt", ">" }, { "le", "<=" }, { "ge", ">=" }, { "ss", "<=>" }, { "nt", "!" }, { "aa", "&&" },
	{ "oo", "||" }, { "pp", "++" }, { "mm", "--" }, { "cm", "," }, { "pm", "->*" }, { "pt", "->" }, { "cl", "()" },
	{ "ix", "[]" }, { "co", "~" }, { "de", "*" }, { "ad", "&" }, { "ps", "+" }, { "ng", "-" },
};

static bool
put_operator(struct tn_str *out, struct in *in)
{
	for (size_t i = 0; i < TN_COUNT(operators); i++)
		if (strncmp(in->p, operators[i].code, 2) == 0) {
			tn_str_printf(out, "operator%s", operators[i].name);
			in->p += 2;
			return true;
		}
	if (strncmp(in->p, "cv", 2) == 0) {
		tn_str_puts(out, "operator");
		in->p += 2;
		skip_type(in);
		return true;
	}
	return false;
}

/* Append a component of a name; *last is the text of the previous component, for constructors. */
static void
put_component(struct tn_str *out, struct in *in, const char **last, size_t *n)
{
	static const struct { char code; const char *name; } standard[] = {
		{ 'a', "allocator" }, { 'b', "basic_string" }, { 's', "string" }, { 'i', "istream" },
		{ 'o', "ostream" }, { 'd', "iostream" },
	};

	if (isdigit((unsigned char)*in->p)) {
		size_t size = number(in);

		in->bad |= strnlen(in->p, size) < size;
		if (in->bad)
			return;
		*last = in->p;
		*n = size;
		/* _GLOBAL__N_1 is an anonymous namespace. */
		if (size >= 9 && strncmp(in->p, "_GLOBAL_", 8) == 0)
			tn_str_puts(out, "(anonymous namespace)");
		else
			tn_str_add(out, in->p, size);
		in->p += size;
	} else if (strncmp(in->p, "CI", 2) == 0 && isdigit((unsigned char)in->p[2])) {
		/* An inherited constructor is followed by the class from which it comes. */
		tn_str_add(out, *last, *n);
		in->p += 3;
		if (*in->p == 'S')
			skip_substitution(in);
		if (*in->p == 'N' || isdigit((unsigned char)*in->p))
			skip_type(in);
		if (*in->p == 'I')
			skip_type(in);
	} else if ((*in->p == 'C' || *in->p == 'D') && isdigit((unsigned char)in->p[1])) {
		tn_str_puts(out, *in->p == 'D' ? "~" : "");
		tn_str_add(out, *last, *n);
		in->p += 2;
	} else if (*in->p == 'S') {
		for (size_t i = 0; i < TN_COUNT(standard); i++)
			if (in->p[1] == standard[i].code) {
				tn_str_printf(out, "std::%s", standard[i].name);
				*last = standard[i].name;
				*n = strlen(*last);
			}
		if (in->p[1] == 't')
			tn_str_puts(out, "std");
		skip_substitution(in);
	} else if (*in->p == 'U' && in->p[1] == 'l') {
		tn_str_puts(out, "$_");
		in->p += 2;
		skip_list(in);
		while (*in->p && *in->p != '_')
			in->p++;
		in->p += *in->p == '_';
	} else if (!put_operator(out, in)) {
		in->bad = true;
	}
	/* ABI tags belong to the component before them. */
	while (*in->p == 'B' && isdigit((unsigned char)in->p[1])) {
		in->p++;
		skip_text(in);
	}
}

static void
put_name(struct tn_str *out, struct in *in)
{
	const char *last = "";
	size_t n = 0, begun = out->n;

	if (++in->depth > MOST_DEPTH) {
		in->bad = true;
		return;
	}
	if (*in->p == 'Z') {
		in->p++;
		put_name(out, in);
		while (!in->bad && *in->p && *in->p != 'E')
			skip_type(in);
		in->p += *in->p == 'E';
		tn_str_puts(out, "::");
		put_name(out, in);
		return;
	}
	if (*in->p != 'N') {
		if (strncmp(in->p, "St", 2) == 0) {
			tn_str_puts(out, "std::");
			in->p += 2;
		}
		put_component(out, in, &last, &n);
		return;
	}
	in->p++;
	while (*in->p && strchr("rVKRO", *in->p))
		in->p++;
	while (!in->bad && *in->p && *in->p != 'E') {
		if (*in->p == 'I') {
			in->p++;
			skip_list(in);
			continue;
		}
		if (out->n > begun)
			tn_str_puts(out, "::");
		put_component(out, in, &last, &n);
	}
	in->bad |= *in->p != 'E';
	in->p += *in->p == 'E';
}

bool
tn_uf_demangle(struct tn_str *out, const char *name)
{
	struct in in = { .p = name + 2 };
	struct tn_str text = { 0 };
	bool good = strncmp(name, "_Z", 2) == 0;

	if (good)
		put_name(&text, &in);
	good = good && !in.bad && text.n && !text.failed;
	tn_str_puts(out, good ? text.text : name);
	tn_str_release(&text);
	return !out->failed;
}
