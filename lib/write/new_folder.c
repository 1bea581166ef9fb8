/*
 * new_folder.c - make a folder under another name, next to its final place, and rename it when it is complete
 *
 * Other programs find the complete folder or no folder.
 */
#define _GNU_SOURCE	/* syncfs() */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/str.h"
#include "write/outfile.h"
#include "write/unfinished.h"

static enum tn_code
exists(const struct tn_new_folder *f, struct tn_error *err)
{
	return tn_fail(err, TN_ERR_EXISTS, "%s: already exists; tnav does not overwrite it", f->final);
}

enum tn_code
tn_new_folder_begin(struct tn_new_folder *f, const char *final, struct tn_error *err)
{
	struct stat st;
	size_t n = strlen(final);

	while (n > 1 && final[n - 1] == '/')
		n--;
	*f = (struct tn_new_folder) { .final = strndup(final, n), .held = -1 };
	if (!f->final)
		return tn_fail_memory(err);
	if (!n)
		return tn_fail(err, TN_ERR_ARGUMENT, "a folder without a name");
	if (lstat(f->final, &st) == 0)
		return exists(f, err);
	tn_unfinished_sweep(f->final);
	f->around = tn_unfinished_path(f->final);
	if (!f->around)
		return tn_fail_memory(err);
	if (!mkdtemp(f->around)) {
		free(f->around);
		f->around = NULL;
		return tn_fail_errno(err, "%s", f->final);
	}
	f->held = tn_unfinished_hold(f->around);
	/* Other users cannot enter the folder around it. The folder itself gets the permissions of the user's mask. */
	f->path = tn_printed("%s/trace", f->around);
	if (!f->path)
		return tn_fail_memory(err);
	return mkdir(f->path, 0777) == 0 ? TN_OK : tn_fail_errno(err, "%s", f->final);
}

char *
tn_new_folder_make(const struct tn_new_folder *f, const char *name, struct tn_error *err)
{
	char *path = tn_printed("%s%s%s", f->path, *name ? "/" : "", name);

	if (!path) {
		tn_fail_memory(err);
		return NULL;
	}
	for (char *slash = path + strlen(f->path) + 1; *name; ) {
		slash = strchr(slash, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST) {
			tn_fail_errno(err, "%s/%s", f->final, name);
			free(path);
			return NULL;
		}
		if (!slash)
			break;
		*slash++ = '/';
	}
	return path;
}

char *
tn_new_folder_beside(const struct tn_new_folder *f, const char *name, struct tn_error *err)
{
	char *path = tn_printed("%s/%s", f->around, name);

	if (!path)
		tn_fail_memory(err);
	return path;
}

void
tn_new_folder_become(struct tn_new_folder *f, char *path)
{
	free(f->path);
	f->path = path;
}

void
tn_new_folder_name_in(const struct tn_new_folder *f, struct tn_error *err)
{
	size_t n = f->path ? strlen(f->path) : 0;
	char rest[TN_ERROR_SIZE], *at;

	if (!n || !(at = strstr(err->text, f->path)))
		return;
	snprintf(rest, sizeof rest, "%s", at + n);
	snprintf(at, sizeof err->text - (size_t)(at - err->text), "%s%s", f->final, rest);
}

enum tn_code
tn_new_folder_finish(struct tn_new_folder *f, struct tn_error *err)
{
	int fd = open(f->path, O_RDONLY | O_CLOEXEC), rc;

	/* Sync all files at once, because there can be thousands. */
	rc = fd < 0 ? -1 : syncfs(fd);
	if (rc != 0)
		tn_fail_errno(err, "%s", f->final);
	if (fd >= 0)
		close(fd);
	if (rc != 0)
		return TN_ERR_SYSTEM;
	rc = tn_unfinished_name(f->path, f->final);
	if (rc != 0)
		return errno == EEXIST ? exists(f, err) : tn_fail_errno(err, "%s", f->final);
	return TN_OK;
}

void
tn_new_folder_release(struct tn_new_folder *f)
{
	if (f->around)
		tn_remove_folder(f->around);
	if (f->around && f->held >= 0)
		close(f->held);
	free(f->final);
	free(f->around);
	free(f->path);
	*f = (struct tn_new_folder) { 0 };
}
