#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/writer.h>

#include "gettext.h"
#include "store.h"

char *
lines_read(const char *path, size_t *n, struct tn_error *err)
{
	/* Do not wait, because the file may be a pipe. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	char *text = f ? malloc(STORE_BYTES + 1) : NULL;
	const char *why = NULL;

	if (!f) {
		if (errno != ENOENT && errno != ENOTDIR)
			why = strerror(errno);
	} else {
		*n = text ? fread(text, 1, STORE_BYTES + 1, f) : 0;
		why = !text || ferror(f) ? strerror(errno) : *n > STORE_BYTES ? _("too large for a configuration") : NULL;
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

/* Make the path in the folder that @variable names, or otherwise in the folder @usual of the home folder. */
static bool
path_below(char *out, size_t size, const char *variable, const char *usual, const char *name)
{
	const char *xdg = getenv(variable), *home = getenv("HOME");
	int n;

	if (xdg && *xdg == '/')
		n = snprintf(out, size, "%s/tnav/%s", xdg, name);
	else if (home && *home)
		n = snprintf(out, size, "%s/%s/tnav/%s", home, usual, name);
	else
		return false;
	return n > 0 && (size_t)n < size;
}

static bool
store_path(char *out, size_t size, const char *name)
{
	return path_below(out, size, "XDG_STATE_HOME", ".local/state", name);
}

bool
config_path(char *out, size_t size, const char *name)
{
	return path_below(out, size, "XDG_CONFIG_HOME", ".config", name);
}

char *
store_read(const char *name, size_t *n)
{
	struct tn_error err;
	char path[4096];

	return store_path(path, sizeof path, name) ? lines_read(path, n, &err) : NULL;
}

/* Make the folders above the file, which other users cannot read. */
static void
make_folders(const char *path)
{
	char folder[4096];

	snprintf(folder, sizeof folder, "%s", path);
	for (char *at = folder + 1; (at = strchr(at, '/')) != NULL; at++) {
		*at = '\0';
		mkdir(folder, 0700);
		*at = '/';
	}
}

bool
lines_write(const char *path, const char *text, size_t n, struct tn_error *err)
{
	struct tn_new_file *file = NULL;
	size_t done = 0;
	enum tn_code rc;
	int fd;

	err->text[0] = '\0';
	make_folders(path);
	rc = tn_new_file_begin(&file, path, true, &fd, err);
	if (rc == TN_OK)
		fchmod(fd, 0600);
	while (rc == TN_OK && done < n) {
		ssize_t k = write(fd, text + done, n - done);

		if (k <= 0 && errno != EINTR) {
			snprintf(err->text, sizeof err->text, "%.800s: %s", path, strerror(errno));
			rc = TN_ERR_SYSTEM;
		}
		done += k > 0 ? (size_t)k : 0;
	}
	if (rc == TN_OK)
		rc = tn_new_file_finish(file, err);
	tn_new_file_free(file);
	return rc == TN_OK;
}

bool
store_write(const char *name, const char *text, size_t n, struct tn_error *err)
{
	char path[4096];

	if (!store_path(path, sizeof path, name)) {
		snprintf(err->text, sizeof err->text, "%s", _("there is no home folder to store this in: set HOME"));
		return false;
	}
	return lines_write(path, text, n, err);
}

void
store_list(const char *folder, const char *begin, char *out, size_t size)
{
	const struct dirent *entry;
	char path[4096];
	DIR *dir;

	*out = '\0';
	dir = store_path(path, sizeof path, folder) ? opendir(path) : NULL;
	while (dir && (entry = readdir(dir)) != NULL)
		if (strncmp(entry->d_name, begin, strlen(begin)) == 0 && strlen(out) + strlen(entry->d_name) + 2 < size)
			strcat(strcat(out, entry->d_name + strlen(begin)), " ");
	if (dir)
		closedir(dir);
}

/* Find the oldest file whose name ends with @end, and the number of such files. */
static size_t
find_oldest(const char *path, const char *end, char *oldest, size_t size)
{
	size_t n = 0, end_n = strlen(end);
	const struct dirent *entry;
	struct timespec since = { 0 };
	DIR *dir = opendir(path);

	while (dir && (entry = readdir(dir)) != NULL) {
		size_t name_n = strlen(entry->d_name);
		struct stat st;

		if (name_n <= end_n || name_n >= size || strcmp(entry->d_name + name_n - end_n, end) != 0 ||
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
			continue;
		if (!n++ || st.st_mtim.tv_sec < since.tv_sec ||
		    (st.st_mtim.tv_sec == since.tv_sec && st.st_mtim.tv_nsec < since.tv_nsec)) {
			since = st.st_mtim;
			strcpy(oldest, entry->d_name);
		}
	}
	if (dir)
		closedir(dir);
	return n;
}

void
store_prune(const char *folder, const char *end, size_t most)
{
	char path[4096], oldest[256], file[4096 + 256];

	if (!store_path(path, sizeof path, folder))
		return;
	for (int i = 0; i < 8 && find_oldest(path, end, oldest, sizeof oldest) > most; i++) {	/* one file is added at a time */
		snprintf(file, sizeof file, "%s/%s", path, oldest);
		if (unlink(file) < 0)
			return;
	}
}
