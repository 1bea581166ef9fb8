#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gettext.h"
#include "kept.h"
#include "store.h"

#define KEPT_BYTES ((size_t)1 << 20)

/* @folder: of the folder; else of the file. */
static bool
kept_path(char *out, size_t size, const char *suffix)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n = -1;

	if (xdg && *xdg == '/')
		n = snprintf(out, size, "%s/tnav%s", xdg, suffix);
	else if (home && *home)
		n = snprintf(out, size, "%s/.config/tnav%s", home, suffix);
	return n > 0 && (size_t)n < size;
}

static bool
add(struct kept *k, const char *definition, bool refused)
{
	struct kept_span *more = realloc(k->item, (k->n + 1) * sizeof *more);
	char *own = strdup(definition);

	if (more)
		k->item = more;
	if (!more || !own) {
		free(own);
		return false;
	}
	k->item[k->n++] = (struct kept_span) { own, refused };
	return true;
}

bool
kept_read(struct kept *k)
{
	char path[4096], *text, *rest;
	bool ok = true;
	size_t n;
	FILE *f;
	int fd;

	*k = (struct kept) { 0 };
	/* Nothing is waited for: the name may be a pipe's. */
	fd = kept_path(path, sizeof path, "/spans") ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
	f = fd < 0 ? NULL : fdopen(fd, "r");
	if (!f)
		return true;
	text = malloc(KEPT_BYTES + 1);
	n = text ? fread(text, 1, KEPT_BYTES, f) : 0;
	fclose(f);
	if (!text)
		return false;
	text[n] = '\0';
	rest = text;
	for (char *line; ok && k->n < KEPT_MOST && (line = strsep(&rest, "\n"));) {
		if (strncmp(line, "take ", 5) == 0)
			ok = add(k, line + 5, false);
		else if (strncmp(line, "refuse ", 7) == 0)
			ok = add(k, line + 7, true);
	}
	free(text);
	return ok;
}

void
kept_release(struct kept *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->item[i].definition);
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

/* All of them into a new file, which takes the place of the old one when it is whole. */
static bool
write_all(const struct kept *k, const char *path)
{
	char temporary[4200];
	bool ok;
	FILE *f;
	int fd;

	snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
	fd = mkstemp(temporary);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f)
		return false;
	for (size_t i = k->n > KEPT_MOST ? k->n - KEPT_MOST : 0; i < k->n; i++)
		fprintf(f, "%s %s\n", k->item[i].refused ? "refuse" : "take", k->item[i].definition);
	ok = !ferror(f);
	ok = fclose(f) == 0 && ok && rename(temporary, path) == 0;
	if (!ok)
		unlink(temporary);
	return ok;
}

static void
forget(struct kept *k, const char *definition)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++)
		if (strcmp(k->item[i].definition, definition) == 0)
			free(k->item[i].definition);
		else
			k->item[n++] = k->item[i];
	k->n = n;
}

const char *
kept_change(const char *definition, enum keep keep)
{
	char path[4096];
	struct kept k;
	bool ok;

	if (strchr(definition, '\n'))
		return NULL;
	if (!kept_path(path, sizeof path, "/spans"))
		return _("there is no HOME");
	store_folders(path);
	ok = kept_read(&k);
	forget(&k, definition);
	if (ok && keep != KEEP_NOTHING)
		ok = add(&k, definition, keep == KEEP_REFUSED);
	errno = 0;
	ok = ok && write_all(&k, path);
	kept_release(&k);
	return ok ? NULL : errno ? strerror(errno) : _("out of memory");
}
