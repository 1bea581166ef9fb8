#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "chosen_spans.h"
#include "store.h"

/* The definition in a line, and whether it was refused. NULL: the line is another one. */
static const char *
parse(const char *line, bool *refused)
{
	*refused = strncmp(line, "refuse ", 7) == 0;
	return *refused ? line + 7 : strncmp(line, "take ", 5) == 0 ? line + 5 : NULL;
}

/* Read all lines, like lines_read(). NULL: there are none, or *err has the reason. */
static char *
read_file(char *path, size_t size, size_t *n, struct tn_error *err)
{
	err->text[0] = '\0';
	*n = 0;
	if (!config_path(path, size, "spans")) {
		*path = '\0';
		return NULL;
	}
	return lines_read(path, n, err);
}

bool
kept_read(struct kept *k, struct tn_error *err)
{
	size_t n, lines = 1;
	char path[4096];

	*k = (struct kept) { .text = read_file(path, sizeof path, &n, err) };
	if (!k->text)
		return !err->text[0];
	for (size_t i = 0; i < n; i++)
		lines += k->text[i] == '\0';
	k->item = calloc(lines, sizeof *k->item);
	if (!k->item) {
		snprintf(err->text, sizeof err->text, "%s", _("out of memory"));
		kept_release(k);
		return false;
	}
	for (const char *line = k->text; line < k->text + n; line += strlen(line) + 1) {
		struct kept_span span = { 0 };

		span.definition = parse(line, &span.refused);
		if (span.definition)
			k->item[k->n++] = span;
	}
	return true;
}

void
kept_release(struct kept *k)
{
	free(k->text);
	free(k->item);
	*k = (struct kept) { 0 };
}

const struct kept_span *
kept_find(const struct kept *k, const char *definition)
{
	for (size_t i = 0; i < k->n; i++)
		if (strcmp(k->item[i].definition, definition) == 0)
			return &k->item[i];
	return NULL;
}

bool
kept_change(const char *definition, enum keep keep, struct tn_error *err)
{
	char path[4096], *old, *new = NULL;
	size_t n, at = 0;
	bool ok;

	if (strchr(definition, '\n'))
		return true;
	old = read_file(path, sizeof path, &n, err);
	if (!*path)
		snprintf(err->text, sizeof err->text, "%s", _("there is no home folder to store this in: set HOME"));
	if (!old && err->text[0])
		return false;	/* do not overwrite a file that could not be read */
	new = malloc(n + strlen(definition) + 16);
	ok = new != NULL;
	for (const char *line = old; ok && line && line < old + n; line += strlen(line) + 1) {
		const char *other;
		bool refused;

		other = parse(line, &refused);
		if (!other || strcmp(other, definition) != 0)
			at += (size_t)sprintf(new + at, "%s\n", line);
	}
	if (!ok)
		snprintf(err->text, sizeof err->text, "%s", _("out of memory"));
	else if (keep != KEEP_NOTHING)
		at += (size_t)sprintf(new + at, "%s %s\n", keep == KEEP_REFUSED ? "refuse" : "take", definition);
	ok = ok && lines_write(path, new, at, err);
	free(old);
	free(new);
	return ok;
}
