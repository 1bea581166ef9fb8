/* A folder for the sample trace; it is removed when the program ends. */
#define _GNU_SOURCE	/* nftw() */
#include <config.h>

#include "demo.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "gettext.h"

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)ftw;
	return type == FTW_DP ? rmdir(path) : unlink(path);
}

void
demo_remove(const char *folder)
{
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Lock the folder; the lock ends with the process. False: another process uses the folder. */
static bool
hold(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (fd >= 0)
		close(fd);
	return false;
}

/* Remove folders that killed programs left: ours, more than a minute old, and without a lock. */
static void
sweep(const char *pattern)
{
	size_t n = (size_t)(strrchr(pattern, '/') + 1 - pattern), name = strlen(pattern + n);
	char path[4096];
	const struct dirent *entry;
	struct stat st;
	DIR *dir;

	snprintf(path, sizeof path, "%.*s", (int)n, pattern);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (strlen(entry->d_name) != name || strncmp(entry->d_name, pattern + n, name - strlen("XXXXXX")) != 0)
			continue;
		snprintf(path, sizeof path, "%.*s%s", (int)n, pattern, entry->d_name);
		if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
		    time(NULL) - st.st_mtime > 60 && hold(path))
			demo_remove(path);
	}
	if (dir)
		closedir(dir);
}

enum tn_code
demo_make(char *folder, size_t size, struct tn_error *err)
{
	const char *tmp = getenv("TMPDIR");
	enum tn_code code;
	int n = snprintf(folder, size, "%s/tnav-demo-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (n >= 0 && (size_t)n < size)
		sweep(folder);
	if (n < 0 || (size_t)n >= size || !mkdtemp(folder)) {
		if (err)
			snprintf(err->text, sizeof err->text,
				 _("no folder for the sample trace: %s: %s: set TMPDIR to another folder"), folder,
				 strerror(errno));
		return err ? (err->code = TN_ERR_SYSTEM) : TN_ERR_SYSTEM;
	}
	hold(folder);
	code = demo_write(folder, TN_METADATA_CTF_1_8, err);
	if (code != TN_OK) {
		if (err) {
			struct tn_error cause = *err;

			snprintf(err->text, sizeof err->text, _("%s: set TMPDIR to a folder for the sample trace"), cause.text);
		}
		demo_remove(folder);
	}
	return code;
}
