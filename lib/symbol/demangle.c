/*
 * demangle.c - names of C++ and Rust as their sources have them
 *
 * libstdc++ knows the names of C++, and with them Rust's older ones: these end with a hash and have signs as $LT$. Names of
 * Rust that begin with _R stay: the debug data has them without modules.
 */
#include "symbol/debug.h"

#include <stdlib.h>
#include <string.h>

#define HASH_SIZE 19		/* "::h0123456789abcdef" */

static bool
ends_with_hash(const char *name, size_t n)
{
	return n > HASH_SIZE && memcmp(name + n - HASH_SIZE, "::h", 3) == 0 &&
	       strspn(name + n - HASH_SIZE + 3, "0123456789abcdef") == HASH_SIZE - 3;
}

/* The sign at @p, which begins with $; NULL: none. */
static const char *
sign_at(const char *p, size_t *n)
{
	static const char *const signs[][2] = {
		{ "$LT$", "<" }, { "$GT$", ">" }, { "$RF$", "&" }, { "$BP$", "*" }, { "$LP$", "(" }, { "$RP$", ")" },
		{ "$C$", "," }, { "$SP$", "@" }, { "$u20$", " " }, { "$u22$", "\"" },
		{ "$u27$", "'" }, { "$u2b$", "+" }, { "$u3b$", ";" },
		{ "$u5b$", "[" }, { "$u5d$", "]" }, { "$u7b$", "{" }, { "$u7d$", "}" }, { "$u7e$", "~" },
	};

	for (size_t i = 0; i < TN_COUNT(signs); i++) {
		*n = strlen(signs[i][0]);
		if (strncmp(p, signs[i][0], *n) == 0)
			return signs[i][1];
	}
	return NULL;
}

/* In place: a name of Rust without its hash, which gets no longer. */
static void
rust_name(char *name, size_t n)
{
	const char *from = name;
	char *to = name;
	bool begins = true;	/* of a part of the path */

	name[n - HASH_SIZE] = '\0';
	while (*from) {
		size_t skip = 1;
		const char *sign = *from == '$' ? sign_at(from, &skip) : NULL;

		if (begins && from[0] == '_' && from[1] == '$') {
			from++;
			continue;
		}
		begins = from[0] == ':';
		if (sign) {
			*to++ = *sign;
		} else if (from[0] == '.' && from[1] == '.') {
			*to++ = ':';
			*to++ = ':';
			skip = 2;
		} else {
			skip = 1;
			*to++ = *from;
		}
		from += skip;
	}
	*to = '\0';
}

const char *
tn_demangle(const struct tn_libdw *dw, const char *name, char *out, size_t room)
{
	size_t n = strnlen(name, TN_HELPER_TEXT);
	char *text;
	int status;

	if (!dw->demangle || n == TN_HELPER_TEXT || strncmp(name, "_Z", 2) != 0)
		return name;
	text = dw->demangle(name, NULL, NULL, &status);
	if (!text)
		return name;
	n = strlen(text);
	if (ends_with_hash(text, n))
		rust_name(text, n);
	n = strnlen(text, room - 1);
	memcpy(out, text, n);
	out[n] = '\0';
	free(text);
	return out;
}
