#include "archive/archive.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "archive/whole.h"
#include "base/array.h"
#include "base/folder.h"

#define LEAST_MEMBERS 10000	/* any archive may have this number of members */
#define MEMBER_SIZE 32		/* and a large one a member for each 32 bytes: one name can make a thousand folders */
#define MOST_MEMBERS 200000
#define LEAST_BYTES ((uint64_t)1 << 30)	/* any archive may have this unpacked size */
#define MOST_TIMES 1000			/* a large archive may have this multiple of its size */

struct tn_archive_limits
tn_archive_limits_of(uint64_t size)
{
	struct tn_archive_limits l = { .members = size / MEMBER_SIZE, .bytes = LEAST_BYTES };

	if (l.members < LEAST_MEMBERS)
		l.members = LEAST_MEMBERS;
	if (l.members > MOST_MEMBERS)
		l.members = MOST_MEMBERS;
	if (size > LEAST_BYTES / MOST_TIMES)
		l.bytes = size > UINT64_MAX / MOST_TIMES ? UINT64_MAX : size * MOST_TIMES;
	return l;
}

char *
tn_archive_single(const char *path)
{
	static const char *const endings[] = { ".json", ".pftrace", ".perfetto-trace", ".dat", ".data" };
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++) {
		size_t n = strlen(endings[i]);

		if ((size_t)(dot - name) > n && memcmp(dot - n, endings[i], n) == 0)
			return strndup(name, (size_t)(dot - name));
	}
	return NULL;
}

/* ---- cached archives ---- */

struct kept {
	char *path;
	uint64_t bytes;
	struct timespec used;
};

static int
by_use(const void *left, const void *right)
{
	const struct timespec *a = &((const struct kept *)left)->used, *b = &((const struct kept *)right)->used;

	if (a->tv_sec != b->tv_sec)
		return a->tv_sec < b->tv_sec ? -1 : 1;
	return a->tv_nsec < b->tv_nsec ? -1 : a->tv_nsec > b->tv_nsec;
}

void
tn_archives_shrink(const char *cache, const char *used, uint64_t bytes, uint64_t most)
{
	TN_ARRAY(struct kept) all = { 0 };
	DIR *dir = opendir(cache);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		struct tn_str path = { 0 };
		struct kept *k;
		struct stat st;

		if (strncmp(entry->d_name, TN_ARCHIVE_PREFIX, strlen(TN_ARCHIVE_PREFIX)) != 0)
			continue;
		tn_str_printf(&path, "%s/%s", cache, entry->d_name);
		k = path.failed || lstat(path.text, &st) < 0 || !S_ISDIR(st.st_mode) ? NULL : TN_ARRAY_ADD(&all);
		if (!k) {
			tn_str_release(&path);
			continue;
		}
		*k = (struct kept) { path.text, tn_folder_bytes(path.text), st.st_mtim };
		bytes += k->bytes;
	}
	if (dir)
		closedir(dir);
	if (all.n)
		qsort(all.item, all.n, sizeof *all.item, by_use);
	for (size_t i = 0; i < all.n; i++) {
		if (bytes > most && strcmp(all.item[i].path, used) != 0) {
			tn_remove_folder(all.item[i].path);
			bytes -= all.item[i].bytes;
		}
		free(all.item[i].path);
	}
	TN_ARRAY_RELEASE(&all);
}
