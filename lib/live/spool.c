#define _GNU_SOURCE	/* fallocate() */
#include "live/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/folder.h"

#define LOOK_BYTES ((uint64_t)16 << 20)	/* bytes between two checks of the free space */
#define BLOCK 65536	/* size of a block in bytes; no file system has larger ones */
#define PREFIX "live-"
#define MOST_NAMES 10000

enum tn_code
tn_spool_new(struct tn_spool *s, struct tn_error *err)
{
	char *home;

	errno = 0;
	home = tn_cache_folder();
	*s = (struct tn_spool) { .lock = -1 };
	if (!home && errno == ENOMEM)
		return tn_fail_memory(err);
	if (!home)
		return tn_fail(err, TN_ERR_SYSTEM, "no folder for received data: set HOME or XDG_CACHE_HOME");
	if (!tn_make_folders(home, 0700)) {
		tn_fail_errno(err, "%s", home);
		free(home);
		return TN_ERR_SYSTEM;
	}
	s->folder = tn_printed("%s/%s", home, PREFIX "XXXXXX");
	free(home);
	if (!s->folder)
		return tn_fail_memory(err);
	if (!mkdtemp(s->folder)) {
		tn_fail_errno(err, "%s", s->folder);
		free(s->folder);
		s->folder = NULL;
		return TN_ERR_SYSTEM;
	}
	s->lock = tn_folder_hold(s->folder);
	return TN_OK;
}

void
tn_spool_remove(struct tn_spool *s)
{
	if (!s->folder)
		return;
	tn_remove_folder(s->folder);
	if (s->lock >= 0)
		close(s->lock);
	free(s->folder);
	*s = (struct tn_spool) { .lock = -1 };
}

char *
tn_spool_name(const char *from_relay)
{
	struct tn_str s = { 0 };

	while (*from_relay) {
		size_t n = strcspn(from_relay, "/");

		if (n > 200)	/* too long for the name of a file */
			from_relay += n - 200, n = 200;
		if (n && from_relay[0] != '.') {
			if (s.n)
				tn_str_putc(&s, '/');
			for (size_t i = 0; i < n; i++) {
				unsigned char c = (unsigned char)from_relay[i];

				tn_str_putc(&s, c < 32 || c == 127 ? '_' : (char)c);
			}
		}
		from_relay += n + (from_relay[n] == '/');
		if (s.n > 1000)
			break;
	}
	return tn_str_take(&s);
}

char *
tn_spool_trace(struct tn_spool *s, const char *name, struct tn_error *err)
{
	for (int i = 1; i < MOST_NAMES; i++) {
		struct tn_str path = { 0 };
		char *slash;

		tn_str_printf(&path, "%s/%s", s->folder, *name ? name : "trace");
		if (i > 1)
			tn_str_printf(&path, "-%d", i);
		if (path.failed) {
			tn_str_release(&path);
			tn_fail_memory(err);
			return NULL;
		}
		slash = strrchr(path.text, '/');
		*slash = '\0';
		if (!tn_make_folders(path.text, 0700)) {
			tn_fail_errno(err, "%s", path.text);
			tn_str_release(&path);
			return NULL;
		}
		*slash = '/';
		if (mkdir(path.text, 0700) == 0)
			return path.text;
		if (errno != EEXIST) {
			tn_fail_errno(err, "%s", path.text);
			tn_str_release(&path);
			return NULL;
		}
		tn_str_release(&path);
	}
	tn_fail(err, TN_ERR_UNSUPPORTED, "the relay has more than %d traces of one name", MOST_NAMES);
	return NULL;
}

static enum tn_code
look_at_free_space(struct tn_spool *s, size_t n, struct tn_error *err)
{
	struct statvfs fs;
	uint64_t room;

	if (s->size && s->written + n < LOOK_BYTES) {
		s->written += n;
		return TN_OK;
	}
	s->written = 0;
	if (statvfs(s->folder, &fs) < 0)
		return TN_OK;	/* the free space is unknown */
	room = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (room >= LOOK_BYTES + n + TN_SPOOL_RESERVE)
		return TN_OK;
	return tn_fail(err, TN_ERR_SYSTEM, "%s: the disk is full except for a reserve of %d MiB: tnav receives nothing more",
		       s->folder, (int)(TN_SPOOL_RESERVE >> 20));
}

static enum tn_code
write_file(struct tn_spool *s, const char *path, int flags, const void *bytes, size_t n, struct tn_error *err)
{
	enum tn_code rc = look_at_free_space(s, n, err);
	int fd;

	if (rc < 0)
		return rc;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
	if (fd < 0)
		return tn_fail_errno(err, "%s", path);
	if (!tn_write_all(fd, bytes, n))
		rc = tn_fail_errno(err, "%s", path);
	s->size += n;
	/* Some file systems report only on close() that they are full. */
	if (close(fd) != 0 && rc == TN_OK && errno != EINTR)
		rc = tn_fail_errno(err, "%s", path);
	return rc;
}

enum tn_code
tn_spool_append(struct tn_spool *s, const char *trace, const char *name, const void *bytes, size_t n,
		struct tn_error *err)
{
	char *path = tn_printed("%s/%s", trace, name);
	enum tn_code rc = path ? write_file(s, path, O_APPEND, bytes, n, err) : tn_fail_memory(err);

	free(path);
	return rc;
}

enum tn_code
tn_spool_put(struct tn_spool *s, const char *trace, const char *name, const void *bytes, size_t n,
	     struct tn_error *err)
{
	char *hidden = tn_printed("%s/.%s", trace, name), *path = tn_printed("%s/%s", trace, name);
	enum tn_code rc = hidden && path ? write_file(s, hidden, O_TRUNC, bytes, n, err) : tn_fail_memory(err);

	if (rc == TN_OK && rename(hidden, path) < 0)
		rc = tn_fail_errno(err, "%s", path);
	free(hidden);
	free(path);
	return rc;
}

enum tn_code
tn_spool_drop(const char *path, uint64_t from, uint64_t to, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return tn_fail_errno(err, "%s", path);
#ifdef FALLOC_FL_PUNCH_HOLE
	from -= from % BLOCK;	/* the bytes before are gone: a block is freed with its last bytes */
	if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)(to - from)) < 0)
		rc = tn_fail_errno(err, "%s: no packet of it can be dropped", path);
#else
	rc = tn_fail(err, TN_ERR_UNSUPPORTED, "%s: no packet of it can be dropped", path);
#endif
	close(fd);
	return rc;
}

/* ---- leftovers of a crash ---- */

struct left {
	void (*found)(void *user, const char *path, uint64_t bytes);
	void *user;
};

static void
one_left(void *user, const char *path)
{
	const struct left *left = user;
	uint64_t bytes = tn_folder_bytes(path);

	if (bytes)
		left->found(left->user, path, bytes);
	else
		tn_remove_folder(path);
}

void
tn_spool_find_left(void (*found)(void *user, const char *path, uint64_t bytes), void *user)
{
	struct left left = { found, user };
	char *home = tn_cache_folder();

	if (home)
		tn_folders_not_held(home, PREFIX, one_left, &left);
	free(home);
}
