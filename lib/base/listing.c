#include "base/listing.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/messages.h"

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum tn_code
read_all(struct tn_listing *out, DIR *dir, const char *path, struct tn_error *err)
{
	struct dirent *entry;

	for (;;) {
		errno = 0;
		entry = readdir(dir);
		if (!entry)
			return errno ? tn_fail_errno(err, "%s: the folder cannot be read", path) : TN_OK;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (!tn_array_reserve((void **)&out->name, &out->room, out->n + 1, sizeof *out->name) ||
		    !(out->name[out->n] = strdup(entry->d_name)))
			return tn_fail_memory(err);
		out->n++;
	}
}

enum tn_code
tn_listing_read(struct tn_listing *out, const char *path, struct tn_error *err)
{
	DIR *dir = opendir(path);
	enum tn_code rc;

	*out = (struct tn_listing) { 0 };
	if (!dir)
		return errno == ENOMEM ? tn_fail_memory(err) : tn_fail_errno(err, "%s: the folder cannot be read", path);
	rc = read_all(out, dir, path, err);
	closedir(dir);
	if (out->n)
		qsort(out->name, out->n, sizeof *out->name, by_bytes);
	return rc;
}

void
tn_listing_release(struct tn_listing *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->name[i]);
	free(f->name);
	*f = (struct tn_listing) { 0 };
}

enum tn_code
tn_entry_look(struct tn_entry *out, const char *folder, const char *name, struct tn_error *err)
{
	size_t n = strlen(folder);
	enum tn_code rc;

	out->is_link = false;
	if ((size_t)snprintf(out->path, sizeof out->path, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", name) >=
	    sizeof out->path) {
		out->path[TN_ERROR_SIZE / 2] = '\0';	/* leave space for the cause */
		return tn_fail(err, TN_ERR_ARGUMENT, "%s: the path is too long", out->path);
	}
	if (lstat(out->path, &out->st) == 0) {
		out->is_link = S_ISLNK(out->st.st_mode);
		if (!out->is_link || stat(out->path, &out->st) == 0)
			return TN_OK;
	}
	rc = errno == ENOENT || errno == ELOOP ? TN_ERR_NOT_FOUND : TN_ERR_SYSTEM;
	tn_fail_errno(err, out->is_link ? N_("%s: the target of the link") : "%s", out->path);
	if (err)
		err->code = rc;
	return rc;
}

bool
tn_path_holds(const char *top, const char *path)
{
	char *whole = realpath(top, NULL), *real = realpath(path, NULL);
	size_t n = whole ? strlen(whole) : 0;
	bool holds = whole && real && strncmp(whole, real, n) == 0 &&
		     (real[n] == '\0' || real[n] == '/' || (n && whole[n - 1] == '/'));

	free(whole);
	free(real);
	return holds;
}

void
tn_tell_link(const struct tn_problems *problems, const char *top, const char *path)
{
	char *real;

	if (tn_path_holds(top, path))
		return;
	real = realpath(path, NULL);
	tn_tell(problems, TN_WARNING, "%s: a link to a folder outside of %s, not followed; to read that folder, name %s", path,
		top, real ? real : _("it"));
	free(real);
}
