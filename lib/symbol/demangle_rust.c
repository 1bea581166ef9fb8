/*
 * demangle_rust.c - names of Rust that begin with _R, by "Symbol Mangling", version 0, of The rustc book
 *
 * The texts are those of rustfilt: crates without their hashes, constants without their types. A name refers to its own
 * parts, so a short name can have an endless text. Text, depth and steps are therefore limited. Names with rare parts
 * (Punycode, constants that are not numbers) are not demangled.
 */
#include "symbol/debug.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 200
#define MOST_STEPS 20000
#define MOST_LIFETIMES 100	/* limit of lifetimes of a binder */

struct rust {
	const char *text;	/* the name after _R */
	size_t n, at;
	char *out;		/* buffer of TN_HELPER_TEXT bytes */
	size_t n_out;
	unsigned depth, steps;
	uint64_t n_lifetimes;	/* number of lifetimes of the enclosing binders */
	bool silent, bad;
};

struct identifier { const char *at; size_t n; };

static void path(struct rust *r, bool is_value);
static void type(struct rust *r, bool unused);

static void
put_bytes(struct rust *r, const char *bytes, size_t n)
{
	r->bad |= n >= TN_HELPER_TEXT - r->n_out;
	if (r->silent || r->bad)
		return;
	memcpy(r->out + r->n_out, bytes, n);
	r->n_out += n;
	r->out[r->n_out] = '\0';
}

static void
put(struct rust *r, const char *text)
{
	put_bytes(r, text, strlen(text));
}

static void
put_number(struct rust *r, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, number);
	put(r, text);
}

static bool
eat(struct rust *r, char c)
{
	bool is = !r->bad && r->at < r->n && r->text[r->at] == c;

	r->at += is;
	return is;
}

static char
take(struct rust *r)
{
	r->bad |= r->at >= r->n || ++r->steps > MOST_STEPS;
	return r->bad ? '\0' : r->text[r->at++];
}

/* Read a number in base 62: "_" is 0, "0_" is 1. */
static uint64_t
base_62(struct rust *r)
{
	uint64_t n = 0, some = 0;

	for (char c; (c = take(r)) != '_' && !r->bad; some = 1) {
		r->bad |= !isalnum((unsigned char)c) || n > (UINT64_MAX - 64) / 62;
		n = n * 62 + (uint64_t)(c <= '9' ? c - '0' : c >= 'a' ? c - 'a' + 10 : c - 'A' + 36);
	}
	return n + some;
}

/* Read the number after @letter; 0: the letter is absent. */
static uint64_t
optional(struct rust *r, char letter)
{
	return eat(r, letter) ? base_62(r) + 1 : 0;
}

static struct identifier
identifier(struct rust *r)
{
	struct identifier id = { "", 0 };
	char c = take(r);

	r->bad |= !isdigit((unsigned char)c);	/* a `u` means Punycode */
	id.n = (size_t)(c - '0');
	while (c != '0' && !r->bad && r->at < r->n && isdigit((unsigned char)r->text[r->at])) {
		id.n = id.n * 10 + (size_t)(r->text[r->at++] - '0');
		r->bad |= id.n > r->n;
	}
	eat(r, '_');
	r->bad |= r->at > r->n || id.n > r->n - r->at;
	if (r->bad)
		return (struct identifier) { "", 0 };
	id.at = r->text + r->at;
	r->at += id.n;
	return id;
}

/* Read a reference to an earlier part. */
static void
back(struct rust *r, void (*part)(struct rust *r, bool flag), bool flag)
{
	size_t from = r->at - 1, to = (size_t)base_62(r), after = r->at;

	r->bad |= to >= from;
	if (r->silent || r->bad)
		return;
	r->at = to;
	part(r, flag);
	r->at = after;
}

static size_t
list(struct rust *r, void (*part)(struct rust *r, bool flag), const char *between)
{
	size_t n = 0;

	for (; !r->bad && !eat(r, 'E'); n++) {
		put(r, n ? between : "");
		part(r, false);
	}
	return n;
}

/* Write a lifetime; the innermost one has index 1. */
static void
put_lifetime(struct rust *r, uint64_t index)
{
	uint64_t n = r->n_lifetimes - index;
	char letter = (char)('a' + n % 26);

	r->bad |= index > r->n_lifetimes;
	put(r, !index || n >= 26 ? "'_" : "'");
	if (index && n < 26)
		put_bytes(r, &letter, 1);
	else if (index)
		put_number(r, n);
}

/* Write "for<'a, 'b> ". The caller ends the lifetimes. */
static uint64_t
binder(struct rust *r)
{
	uint64_t n = optional(r, 'G');

	r->bad |= n > MOST_LIFETIMES;
	for (uint64_t i = 0; i < n && !r->bad; i++) {
		r->n_lifetimes++;
		put(r, i ? ", " : "for<");
		put_lifetime(r, 1);
	}
	put(r, n ? "> " : "");
	return n;
}

static void
constant(struct rust *r, bool unused)
{
	char tag = take(r), digits[40];
	size_t n = 0;

	if (tag == 'B') {
		back(r, constant, unused);
		return;
	}
	if (tag == 'p') {
		put(r, "_");
		return;
	}
	r->bad |= !tag || !strchr("ashtlmxynoijb", tag);
	put(r, tag && strchr("aslxni", tag) && eat(r, 'n') ? "-" : "");
	while (eat(r, '0'))
		;
	for (; !eat(r, '_') && !r->bad; n++) {
		digits[n] = take(r);
		r->bad |= n + 1 >= sizeof digits || !isxdigit((unsigned char)digits[n]);
	}
	digits[r->bad ? 0 : n] = '\0';
	r->bad |= tag == 'b' && strcmp(digits, "1") != 0 && n;
	if (tag == 'b') {
		put(r, n ? "true" : "false");
	} else if (n <= 16) {
		put_number(r, strtoull(digits, NULL, 16));
	} else {
		put(r, "0x");
		put(r, digits);
	}
}

static void
argument(struct rust *r, bool unused)
{
	if (eat(r, 'L'))
		put_lifetime(r, base_62(r));
	else if (eat(r, 'K'))
		constant(r, unused);
	else
		type(r, unused);
}

/* Write "::name", "::{closure#0}" or "::{shim:name#1}". */
static void
put_member(struct rust *r, char space, uint64_t number, const struct identifier *id)
{
	bool is_special = isupper((unsigned char)space);

	r->bad |= !isalpha((unsigned char)space);
	put(r, is_special || id->n ? "::" : "");
	if (is_special) {
		put(r, space == 'C' ? "{closure" : space == 'S' ? "{shim" : "{");
		put_bytes(r, &space, space != 'C' && space != 'S');
		put(r, id->n ? ":" : "");
	}
	put_bytes(r, id->at, id->n);
	if (is_special) {
		put(r, "#");
		put_number(r, number);
		put(r, "}");
	}
}

static void
path(struct rust *r, bool is_value)
{
	const bool silent = r->silent;
	char tag = take(r), space;
	struct identifier id;
	uint64_t number;

	r->bad |= ++r->depth > DEEPEST;
	if (tag == 'C') {
		optional(r, 's');
		id = identifier(r);
		put_bytes(r, id.at, id.n);
	} else if (tag == 'N') {
		space = take(r);
		path(r, is_value);
		number = optional(r, 's');
		id = identifier(r);
		put_member(r, space, number, &id);
	} else if (tag == 'M' || tag == 'X' || tag == 'Y') {
		if (tag != 'Y') {	/* skip the place of the impl */
			r->silent = true;
			optional(r, 's');
			path(r, false);
			r->silent = silent;
		}
		put(r, "<");
		type(r, false);
		if (tag != 'M') {
			put(r, " as ");
			path(r, false);
		}
		put(r, ">");
	} else if (tag == 'I') {
		path(r, is_value);
		put(r, is_value ? "::<" : "<");
		list(r, argument, ", ");
		put(r, ">");
	} else if (tag == 'B') {
		back(r, path, is_value);
	} else {
		r->bad = true;
	}
	r->depth--;
}

/* Write a trait with the types of its members, such as Iterator<Item = u8>. */
static void
trait(struct rust *r, bool unused)
{
	bool open;

	path(r, false);
	open = !r->silent && r->n_out && r->out[r->n_out - 1] == '>';
	for (size_t i = 0; eat(r, 'p'); i++) {
		struct identifier id = identifier(r);

		r->n_out -= !i && open;
		put(r, i || open ? ", " : "<");
		put_bytes(r, id.at, id.n);
		put(r, " = ");
		type(r, unused);
		put(r, r->at < r->n && r->text[r->at] == 'p' ? "" : ">");
	}
}

static void
function(struct rust *r)
{
	uint64_t n = binder(r);
	struct identifier abi = { "C", 1 };

	put(r, eat(r, 'U') ? "unsafe " : "");
	if (eat(r, 'K')) {
		abi = eat(r, 'C') ? abi : identifier(r);
		put(r, "extern \"");
		for (size_t i = 0; i < abi.n; i++)
			put_bytes(r, abi.at[i] == '_' ? "-" : &abi.at[i], 1);
		put(r, "\" ");
	}
	put(r, "fn(");
	list(r, type, ", ");
	put(r, ")");
	if (!eat(r, 'u')) {
		put(r, " -> ");
		type(r, false);
	}
	r->n_lifetimes -= r->bad ? 0 : n;
}

static void
dynamic(struct rust *r)
{
	uint64_t n, index;

	put(r, "dyn ");
	n = binder(r);
	list(r, trait, " + ");
	r->n_lifetimes -= r->bad ? 0 : n;
	r->bad |= !eat(r, 'L');
	index = base_62(r);
	put(r, index ? " + " : "");
	if (index)
		put_lifetime(r, index);
}

/* Write "&'a mut ". */
static void
reference(struct rust *r, bool is_mut)
{
	uint64_t index = eat(r, 'L') ? base_62(r) : 0;

	put(r, "&");
	if (index)
		put_lifetime(r, index);
	put(r, index ? " " : "");
	put(r, is_mut ? "mut " : "");
	type(r, false);
}

static void
type(struct rust *r, bool unused)
{
	static const char *const simple[] = {
		"i8", "bool", "char", "f64", "str", "f32", "", "u8", "isize", "usize", "", "i32", "u32", "i128", "u128", "_",
		"", "", "i16", "u16", "()", "...", "", "i64", "u64", "!",
	};
	char tag = take(r);

	r->bad |= ++r->depth > DEEPEST;
	if (tag >= 'a' && tag <= 'z') {
		r->bad |= !*simple[tag - 'a'];
		put(r, simple[tag - 'a']);
	} else if (tag == 'R' || tag == 'Q') {
		reference(r, tag == 'Q');
	} else if (tag == 'P' || tag == 'O') {
		put(r, tag == 'P' ? "*const " : "*mut ");
		type(r, unused);
	} else if (tag == 'A' || tag == 'S') {
		put(r, "[");
		type(r, unused);
		put(r, tag == 'A' ? "; " : "");
		if (tag == 'A')
			constant(r, unused);
		put(r, "]");
	} else if (tag == 'T') {
		put(r, "(");
		put(r, list(r, type, ", ") == 1 ? ",)" : ")");
	} else if (tag == 'F') {
		function(r);
	} else if (tag == 'D') {
		dynamic(r);
	} else if (tag == 'B') {
		back(r, type, unused);
	} else if (tag && !r->bad) {
		r->at--;
		path(r, false);
	}
	r->depth--;
}

bool
tn_demangle_rust(const char *name, char *out)
{
	struct rust r = { .text = name + 2, .out = out };
	const char *llvm;

	/* Names of C can also start with _R. A digit after _R means another version of the mangling. */
	if (strncmp(name, "_R", 2) != 0 || !isupper((unsigned char)name[2]))
		return false;
	r.n = strcspn(r.text, ".$");
	path(&r, true);
	if (!r.bad && r.at < r.n) {	/* skip the crate that made the instance */
		r.silent = true;
		path(&r, false);
		r.silent = false;
	}
	r.bad |= r.at != r.n;
	llvm = strstr(r.text + r.n, ".llvm.");
	put_bytes(&r, r.text + r.n, llvm ? (size_t)(llvm - (r.text + r.n)) : strlen(r.text + r.n));
	return !r.bad && r.n_out;
}
