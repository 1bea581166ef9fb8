#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"

char *
expression_text(const char *path, const char *text, size_t n)
{
	char *quoted = malloc(4 * n + 1), *to = quoted, *all;

	if (!quoted)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < ' ' || c == 0x7f) {
			to += sprintf(to, "\\x%02x", c);
			continue;
		}
		if (c == '"' || c == '\\')
			*to++ = '\\';
		*to++ = (char)c;
	}
	*to = '\0';
	if (asprintf(&all, "%s == \"%s\"", path, quoted) < 0)
		all = NULL;
	free(quoted);
	return all;
}

char *
expression_not(char *condition)
{
	char *all;

	/* "and" and "or" may be inside of a text as well: then the parentheses are not needed, and do no harm. */
	if (!condition || asprintf(&all, strstr(condition, " and ") || strstr(condition, " or ") ? "not (%s)" : "not %s",
				   condition) < 0)
		all = NULL;
	free(condition);
	return all;
}

char *
expression_or_without(char *condition, const char *path)
{
	char *all;

	/* All events have these. */
	if (!condition || strcmp(path, "name") == 0 || strcmp(path, "stream") == 0)
		return condition;
	if (asprintf(&all, "%s or not has(%s)", condition, path) < 0)
		all = NULL;
	free(condition);
	return all;
}
