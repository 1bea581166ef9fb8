#define _GNU_SOURCE	/* nftw() */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)ftw;
	/* If this entry cannot be removed, still remove the others. */
	if (type == FTW_DP || type == FTW_DNR || type == FTW_D)
		rmdir(path);
	else
		unlink(path);
	return 0;
}

void
tn_remove_folder(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static uint64_t
bytes_below(const char *folder, unsigned depth)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	uint64_t bytes = 0;

	while (dir && (entry = readdir(dir))) {
		struct tn_str path = { 0 };
		struct stat st;

		if (entry->d_name[0] == '.')
			continue;
		tn_str_printf(&path, "%s/%s", folder, entry->d_name);
		if (!path.failed && lstat(path.text, &st) == 0) {
			if (S_ISDIR(st.st_mode) && depth < 128)
				bytes += bytes_below(path.text, depth + 1);
			else if (S_ISREG(st.st_mode))
				bytes += (uint64_t)st.st_size;
		}
		tn_str_release(&path);
	}
	if (dir)
		closedir(dir);
	return bytes;
}

uint64_t
tn_folder_bytes(const char *path)
{
	return bytes_below(path, 0);
}

const char *
tn_folder_below(const char *folder, const char *path)
{
	size_t n = strlen(folder);

	return strncmp(path, folder, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

bool
tn_make_folders(char *path, mode_t mode)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(path, mode) < 0 && errno != EEXIST) {
			*slash = '/';
			return false;
		}
		*slash = '/';
	}
	return mkdir(path, mode) == 0 || errno == EEXIST;
}

char *
tn_cache_folder(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct tn_str path = { 0 };

	if (cache && cache[0] == '/')
		tn_str_printf(&path, "%s/tnav", cache);
	else if (home && home[0] == '/')
		tn_str_printf(&path, "%s/.cache/tnav", home);
	path.failed |= !path.n;
	return tn_str_take(&path);
}

bool
tn_write_all(int fd, const void *bytes, size_t n)
{
	for (const char *p = bytes; n; ) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

/* ---- folders locked by a running program ---- */

#define LOCK ".lock"

static int
open_lock(const char *folder, int flags)
{
	struct tn_str path = { 0 };
	int fd = -1;

	tn_str_printf(&path, "%s/" LOCK, folder);
	if (!path.failed)
		fd = open(path.text, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
	tn_str_release(&path);
	return fd;
}

int
tn_folder_hold(const char *folder)
{
	int fd = open_lock(folder, O_RDWR | O_CREAT);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* A folder without a lock also counts as held, because its owner has just made it and will lock it. */
static bool
is_held(const char *folder)
{
	int fd = open_lock(folder, O_RDONLY);
	bool held = fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0;

	if (fd >= 0)
		close(fd);
	return held;
}

void
tn_folders_not_held(const char *above, const char *prefix, void (*found)(void *user, const char *path), void *user)
{
	DIR *dir = opendir(above);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		struct tn_str path = { 0 };

		if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
			continue;
		tn_str_printf(&path, "%s/%s", above, entry->d_name);
		if (!path.failed && !is_held(path.text))
			found(user, path.text);
		tn_str_release(&path);
	}
	if (dir)
		closedir(dir);
}
