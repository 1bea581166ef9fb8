#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "configure.h"
#include "prompt/prompt.h"
#include "prompt/words.h"
#include "session/settings.h"
#include "session/store.h"
#include "views/view.h"

static bool
wrong(struct tn_error *err, const char *format, const char *text)
{
	snprintf(err->text, sizeof err->text, format, text);
	return false;
}

static bool
bind_keys(struct keymap *map, const char *view, const char *keys, const char *name, struct tn_error *err)
{
	const struct view_class *class = view_find(view);
	enum action action = action_find(name);
	uint32_t key[KEY_SEQUENCE];
	const char *bad;
	size_t n = keys_parse(key, keys, &bad);

	if (!class && strcmp(view, "all") != 0)
		return wrong(err, _("no view '%s': all, events, details, packets, ..."), view);
	if (!n)
		return wrong(err, _("'%s' is not a key: write keys as ]s, ^F, <Enter>, <M-u>"), bad);
	if (action == ACT_NONE && strcmp(name, "none") != 0)
		return wrong(err, _("no action '%s': h lists all actions"), name);
	if (!keymap_bind(map, class ? class->name : "all", key, n, action))
		return wrong(err, "%s", "out of memory");
	return true;
}

/* Read "NAME VALUE" or "NAME=VALUE", and for a switch also "NAME" and "noNAME", as in vim. */
static bool
set_line(struct settings *set, char *rest, struct tn_error *err)
{
	char *name = word(&rest), *value = strchr(name, '='), off[] = "off";

	if (value)
		*value++ = '\0';
	else
		value = word(&rest);
	if (*rest)
		return wrong(err, _("not expected: '%s'"), rest);
	if (!*value && strncmp(name, "no", 2) == 0 && settings_is_switch(name + 2))
		return settings_set(set, name + 2, off, err);
	/* Refuse an empty list of columns; only session files have one, if the user removed all columns with c. */
	if (!value[strspn(value, ",!")] && strcmp(name, "columns") == 0)
		return wrong(err, "%s", _("the column names are missing: set columns time,name,payload"));
	return settings_set(set, name, value, err);
}

bool
configure_line(struct settings *set, struct keymap *map, const char *line, struct tn_error *err)
{
	char copy[PROMPT_SIZE], *rest = copy, *verb;

	if (strlen(line) >= sizeof copy)
		return wrong(err, "%s", _("the line is too long"));
	strcpy(copy, line);
	verb = word(&rest);
	if (strcmp(verb, "color") == 0)
		return settings_color(set, rest, err);
	if (strcmp(verb, "set") == 0)
		return set_line(set, rest, err);
	if (strcmp(verb, "same") == 0)
		return settings_same(set, rest, err);
	if (strcmp(verb, "bind") == 0) {
		const char *view = word(&rest);
		const char *keys = word(&rest);

		return bind_keys(map, view, keys, word(&rest), err);
	}
	return wrong(err, _("unknown line '%s': write set NAME VALUE, bind VIEW KEYS ACTION, color EXPRESSION STYLE or "
		       "same NAME NAME"), verb);
}

/* ---- the file ---- */

bool
configure_from_file(struct settings *set, struct keymap *map, struct tn_error *err)
{
	char path[4096], *all, *line, *next;
	unsigned number = 0, wrong_lines = 0;
	size_t n = 0;

	if (!config_path(path, sizeof path, "config"))
		return true;
	err->text[0] = '\0';
	all = lines_read(path, &n, err);
	if (!all)
		return !err->text[0];
	for (line = all; line < all + n; line = next) {
		struct tn_error why = { .text = "" };
		char *text = line + strspn(line, " \t");

		number++;
		next = line + strlen(line) + 1;
		text[strcspn(text, "\r")] = '\0';
		if (!*text || *text == '#')
			continue;
		if (!configure_line(set, map, text, &why) && !wrong_lines++)
			snprintf(err->text, sizeof err->text, "%.700s:%u: %.200s", path, number, why.text);
	}
	free(all);
	if (wrong_lines > 1) {
		size_t at = strlen(err->text);

		snprintf(err->text + at, sizeof err->text - at, ngettext("\nand %u more invalid line",
			 "\nand %u more invalid lines", wrong_lines - 1), wrong_lines - 1);
	}
	return !wrong_lines;
}
