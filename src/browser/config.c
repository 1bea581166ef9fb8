/*
 * config.c - $XDG_CONFIG_HOME/tnav/config: lines of `set NAME VALUE` and `bind VIEW KEYS ACTION`
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"
#include "gettext.h"

static bool
config_path(char *out, size_t size)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n;

	if (xdg && *xdg == '/')
		n = snprintf(out, size, "%s/tnav/config", xdg);
	else if (home && *home)
		n = snprintf(out, size, "%s/.config/tnav/config", home);
	else
		return false;
	return n > 0 && (size_t)n < size;
}

#define CONFIG_BYTES ((size_t)1 << 20)	/* what has more is something else */

/* All of the file, with a zero behind each line; NULL when there is none or *err says why not. */
static char *
read_lines(const char *path, size_t *n, struct tn_error *err)
{
	/* Nothing is waited for: the name may be a pipe's. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	char *text = f ? malloc(CONFIG_BYTES + 1) : NULL;
	const char *why = NULL;

	if (!f) {
		if (errno != ENOENT && errno != ENOTDIR)
			why = strerror(errno);
	} else {
		*n = text ? fread(text, 1, CONFIG_BYTES + 1, f) : 0;
		why = !text || ferror(f) ? strerror(errno) : *n > CONFIG_BYTES ? _("too large for a configuration") : NULL;
		fclose(f);
	}
	if (why)
		snprintf(err->text, sizeof err->text, "%.800s: %s", path, why);
	if (why || !text) {
		free(text);
		return NULL;
	}
	for (size_t i = 0; i < *n; i++)
		if (text[i] == '\n')
			text[i] = '\0';
	text[*n] = '\0';
	return text;
}

bool
config_read(struct app *a, struct tn_error *err)
{
	char path[4096], *all, *line, *next;
	unsigned number = 0;
	bool good = true;
	size_t n = 0;

	if (!config_path(path, sizeof path))
		return true;
	err->text[0] = '\0';
	all = read_lines(path, &n, err);
	if (!all)
		return !err->text[0];
	for (line = all; good && line < all + n; line = next) {
		struct tn_error why = { .text = "" };
		char *text = line + strspn(line, " \t");

		number++;
		next = line + strlen(line) + 1;
		text[strcspn(text, "\r")] = '\0';
		if (!*text || *text == '#')
			continue;
		good = app_configure(a, text, &why);
		if (!good)
			snprintf(err->text, sizeof err->text, "%.800s:%u: %.200s", path, number, why.text);
	}
	free(all);
	return good;
}
