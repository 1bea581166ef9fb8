/*
 * config.c - $XDG_CONFIG_HOME/tnav/config: lines of `set NAME VALUE` and `bind VIEW KEYS ACTION`
 */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"

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

bool
config_read(struct app *a, struct tn_error *err)
{
	char path[4096], *line = NULL;
	size_t room = 0;
	unsigned number = 0;
	bool good = true;
	FILE *f;

	if (!config_path(path, sizeof path))
		return true;
	f = fopen(path, "re");
	if (!f) {
		if (errno == ENOENT || errno == ENOTDIR)
			return true;
		snprintf(err->text, sizeof err->text, "%.800s: %s", path, strerror(errno));
		return false;
	}
	while (good && getline(&line, &room, f) >= 0) {
		struct tn_error why = { .text = "" };
		char *text = line + strspn(line, " \t");

		number++;
		text[strcspn(text, "\r\n")] = '\0';
		if (!*text || *text == '#')
			continue;
		good = app_configure(a, text, &why);
		if (!good)
			snprintf(err->text, sizeof err->text, "%.800s:%u: %.200s", path, number, why.text);
	}
	free(line);
	fclose(f);
	return good;
}
