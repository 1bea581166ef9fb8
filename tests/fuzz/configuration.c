/*
 * configuration.c - the file of settings and keys, as the browser reads it; and a home for all files of its user
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "command/configure.h"
#include "session/settings.h"
#include "fuzz/targets.h"

static char place[64], home[80];

static void
clean_up(void)
{
	tn_remove_folder(place);
}

const char *
fuzz_home(void)
{
	if (*home)
		return home;
	snprintf(place, sizeof place, "%s", fuzz_make_folder());
	atexit(clean_up);
	setenv("XDG_CONFIG_HOME", place, 1);
	setenv("XDG_STATE_HOME", place, 1);
	snprintf(home, sizeof home, "%s/tnav", place);
	if (mkdir(home, 0700) < 0)
		abort();
	return home;
}

void
fuzz_home_file(const char *name, const uint8_t *data, size_t n)
{
	char path[192];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", fuzz_home(), name);
	f = fopen(path, "wb");
	if (!f || (n && fwrite(data, n, 1, f) != 1) || fclose(f) != 0)
		abort();
}

void
fuzz_configuration(const uint8_t *data, size_t n)
{
	static struct browse_options options;
	struct settings set;
	struct keymap map = { 0 };
	struct tn_error err = { .text = "" };
	enum action action;

	fuzz_home_file("config", data, n);
	settings_defaults(&set, &options);
	if (!keymap_defaults(&map))
		abort();
	if (!configure_from_file(&set, &map, &err) && !err.text[0])
		abort();	/* wrong without a word */
	(void)keymap_find(&map, "events", (const uint32_t[]) { 'g', 'g' }, 2, &action);
	keymap_release(&map);
}
