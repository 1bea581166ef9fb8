/* new_file.c - make a file that gets its name when it is complete */
#define _GNU_SOURCE	/* mkostemp() */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/writer.h>

#include "base/error.h"
#include "write/unfinished.h"

struct tn_new_file {
	char *final;	/* path of the finished file; the target, if the path is a link */
	char *draft;	/* path of the draft; NULL: the file is written in place, or already has its name */
	bool replace;
	int fd;
};

static enum tn_code
exists(const char *path, struct tn_error *err)
{
	return tn_fail(err, TN_ERR_EXISTS, "%s: already exists", path);
}

/* Make the draft, with the permissions of a new file, or of the file that it replaces. */
static enum tn_code
make_draft(struct tn_new_file *f, const struct stat *before, struct tn_error *err)
{
	mode_t mask = umask(0);

	umask(mask);
	tn_unfinished_sweep(f->final);
	f->draft = tn_unfinished_path(f->final);
	if (!f->draft)
		return tn_fail_memory(err);
	f->fd = mkostemp(f->draft, O_CLOEXEC);
	if (f->fd < 0) {
		int error = errno;

		free(f->draft);
		f->draft = NULL;
		errno = error;
		return tn_fail_errno(err, "%s", f->final);
	}
	(void)flock(f->fd, LOCK_EX | LOCK_NB);
	(void)fchmod(f->fd, before ? before->st_mode & 0777 : 0666 & ~mask);
	return TN_OK;
}

enum tn_code
tn_new_file_begin(struct tn_new_file **out, const char *path, bool replace, int *fd, struct tn_error *err)
{
	struct tn_new_file *f;
	struct stat st;
	enum tn_code rc;
	bool there;

	if (!out || !path || !fd)
		return tn_fail_null(err);
	*out = NULL;
	there = stat(path, &st) == 0;
	/* A path that cannot be examined may be a device, which must not be replaced. */
	if (!there && errno != ENOENT)
		return tn_fail_errno(err, "%s", path);
	if (!replace && (there || lstat(path, &st) == 0))
		return exists(path, err);
	if (!(f = calloc(1, sizeof *f)))
		return tn_fail_memory(err);
	f->fd = -1;
	f->replace = replace;
	/* For a pipe, the link /dev/fd/N does not lead to a name. */
	f->final = there && S_ISREG(st.st_mode) ? realpath(path, NULL) : strdup(path);
	if (!f->final) {
		rc = errno == ENOMEM ? tn_fail_memory(err) : tn_fail_errno(err, "%s", path);
	} else if (there && !S_ISREG(st.st_mode)) {
		/* Write a device or a pipe in place. */
		f->fd = open(path, O_WRONLY | O_CLOEXEC);
		rc = f->fd < 0 ? tn_fail_errno(err, "%s", path) : TN_OK;
	} else if (there && access(path, W_OK) != 0) {
		rc = tn_fail_errno(err, "%s", path);
	} else {
		rc = make_draft(f, there ? &st : NULL, err);
	}
	if (rc != TN_OK) {
		tn_new_file_free(f);
		return rc;
	}
	*out = f;
	*fd = f->fd;
	return TN_OK;
}

const char *
tn_new_file_draft(const struct tn_new_file *f)
{
	return f ? f->draft : NULL;
}

static int
take_name(const struct tn_new_file *f)
{
	return f->replace ? rename(f->draft, f->final) : tn_unfinished_name(f->draft, f->final);
}

enum tn_code
tn_new_file_finish(struct tn_new_file *f, struct tn_error *err)
{
	int fd;

	if (!f || f->fd < 0)
		return tn_fail_null(err);
	fd = f->fd;
	if (f->draft && fsync(fd) != 0 && errno != EINVAL)
		return tn_fail_errno(err, "%s", f->final);
	f->fd = -1;
	if (close(fd) != 0 && errno != EINTR)
		return tn_fail_errno(err, "%s", f->final);
	if (f->draft && take_name(f) != 0)
		return errno == EEXIST ? exists(f->final, err) : tn_fail_errno(err, "%s", f->final);
	free(f->draft);
	f->draft = NULL;
	return TN_OK;
}

void
tn_new_file_free(struct tn_new_file *f)
{
	if (!f)
		return;
	if (f->draft)
		unlink(f->draft);
	if (f->fd >= 0)
		close(f->fd);
	free(f->draft);
	free(f->final);
	free(f);
}
