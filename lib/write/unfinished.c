#define _GNU_SOURCE	/* renameat2() */
#include "write/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/str.h"

#define PREFIX ".tnav-unfinished-"
#define AGE_S 60	/* a draft without a lock may be this old, because its writer still has to lock it */
#define MOST 100000	/* limit of examined entries in a folder */

static size_t
folder_length(const char *final)
{
	const char *slash = strrchr(final, '/');

	return slash ? (size_t)(slash + 1 - final) : 0;
}

char *
tn_unfinished_path(const char *final)
{
	struct tn_str s = { 0 };

	tn_str_add(&s, final, folder_length(final));
	tn_str_puts(&s, PREFIX "XXXXXX");
	return tn_str_take(&s);
}

int
tn_unfinished_hold(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

int
tn_unfinished_name(const char *draft, const char *final)
{
	struct stat st;
	int rc = renameat2(AT_FDCWD, draft, AT_FDCWD, final, RENAME_NOREPLACE);

	if (rc == 0 || (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP))
		return rc;
	if (lstat(draft, &st) != 0)
		return -1;
	if (!S_ISDIR(st.st_mode)) {
		rc = link(draft, final);
		if (rc == 0)
			unlink(draft);
		return rc;
	}
	if (lstat(final, &st) == 0) {
		errno = EEXIST;
		return -1;
	}
	return rename(draft, final);
}

static void
sweep_one(const char *path)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) != 0 || st.st_uid != geteuid() || !(S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)) ||
	    time(NULL) - st.st_mtime < AGE_S)
		return;
	fd = tn_unfinished_hold(path);
	if (fd < 0)
		return;
	if (S_ISDIR(st.st_mode))
		tn_remove_folder(path);
	else
		unlink(path);
	close(fd);
}

void
tn_unfinished_sweep(const char *final)
{
	size_t n = folder_length(final);
	struct tn_str path = { 0 };
	const struct dirent *entry;
	DIR *dir;

	tn_str_add(&path, n ? final : "./", n ? n : 2);
	dir = path.failed ? NULL : opendir(path.text);
	n = path.n;
	for (size_t i = 0; dir && i < MOST && (entry = readdir(dir)); i++) {
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0 || strlen(entry->d_name) != strlen(PREFIX "XXXXXX"))
			continue;
		path.n = n;
		tn_str_puts(&path, entry->d_name);
		if (path.failed)
			break;
		sweep_one(path.text);
	}
	if (dir)
		closedir(dir);
	tn_str_release(&path);
}
