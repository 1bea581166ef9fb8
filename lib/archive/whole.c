#include "archive/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "archive/archive.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/listing.h"
#include "base/mapfile.h"
#include "base/meaning.h"

#define DEPTH_MAX 1000		/* limit of nested folders */
/* Limit of bytes that are read again for the comparison. If there are more, the archive is unpacked again. */
#define MOST_BYTES ((uint64_t)1 << 30)
#define BLOCK ((size_t)64 << 10)

/* The state of a folder and its members. */
struct seen {
	uint64_t identity, content, members, bytes;
	bool with_content;
	bool settled;		/* the times of all members show any change */
	int fd;			/* the folder */
};

static uint64_t
sum_times(uint64_t sum, const struct stat *st)
{
	uint64_t words[] = {
		(uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size, (uint64_t)st->st_mtim.tv_sec,
		(uint64_t)st->st_mtim.tv_nsec, (uint64_t)st->st_ctim.tv_sec, (uint64_t)st->st_ctim.tv_nsec,
	};

	return tn_sum_bytes(sum, words, sizeof words);
}

/* Read a block, which is full unless the file ends. */
static ssize_t
read_block(int fd, char *block)
{
	size_t n = 0;

	while (n < BLOCK) {
		ssize_t some = read(fd, block + n, BLOCK - n);

		if (some == 0)
			break;
		if (some > 0)
			n += (size_t)some;
		else if (errno != EINTR)
			return -1;
	}
	return (ssize_t)n;
}

static bool
sum_content(uint64_t *sum, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	char *block = malloc(BLOCK);
	ssize_t n = -1;

	while (fd >= 0 && block && (n = read_block(fd, block)) > 0)
		*sum = tn_sum_bytes(*sum, block, (size_t)n);
	if (fd >= 0)
		close(fd);
	free(block);
	return n == 0;
}

static bool look(struct seen *seen, const char *folder, unsigned depth);

static bool
look_at(struct seen *seen, const char *folder, const char *name, unsigned depth)
{
	struct tn_str path = { 0 };
	struct stat st;
	bool ok;

	tn_str_printf(&path, "%s/%s", folder, name);
	ok = !path.failed && lstat(path.text, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
	if (ok) {
		seen->members++;
		seen->identity = tn_sum_bytes(seen->identity, name, strlen(name) + 1);
	}
	if (ok && S_ISDIR(st.st_mode)) {
		ok = look(seen, path.text, depth + 1);
		seen->identity = tn_sum_bytes(seen->identity, "/", 1);
	} else if (ok) {
		seen->identity = sum_times(seen->identity, &st);
		seen->bytes += (uint64_t)st.st_size;
		seen->settled = seen->settled && tn_map_settled(seen->fd, &st);
		/* The checksum of more bytes is never compared. */
		ok = !seen->with_content || seen->bytes > MOST_BYTES || sum_content(&seen->content, path.text);
	}
	tn_str_release(&path);
	return ok;
}

static bool
look(struct seen *seen, const char *folder, unsigned depth)
{
	struct tn_listing names;
	bool ok = depth < DEPTH_MAX && tn_listing_read(&names, folder, NULL) == TN_OK;

	if (depth >= DEPTH_MAX)
		return false;
	for (size_t i = 0; ok && i < names.n; i++)
		if (depth || strcmp(names.name[i], TN_WHOLE) != 0)
			ok = look_at(seen, folder, names.name[i], depth);
	tn_listing_release(&names);
	return ok;
}

static bool
see(struct seen *seen, const char *folder, bool with_content)
{
	bool ok;

	*seen = (struct seen) { .with_content = with_content, .settled = true };
	seen->fd = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW);
	ok = seen->fd >= 0 && look(seen, folder, 0);
	if (seen->fd >= 0)
		close(seen->fd);
	return ok;
}

static void
put_identity(struct tn_str *out, const struct seen *seen)
{
	tn_str_printf(out, "tnav %d: %" PRIu64 " members, %016" PRIx64 "\n", TN_MEANING_ARCHIVE, seen->members, seen->identity);
}

bool
tn_whole_note(struct tn_str *out, const char *folder)
{
	struct seen seen;

	if (!see(&seen, folder, true))
		return false;
	put_identity(out, &seen);
	tn_str_printf(out, "%016" PRIx64 "\n", seen.content);
	return !out->failed;
}

static bool
still_applies(const char *note, const char *folder)
{
	struct tn_str now = { 0 };
	struct seen seen;
	bool is = see(&seen, folder, false);

	if (is) {
		put_identity(&now, &seen);
		is = !now.failed && strncmp(note, now.text, now.n) == 0;
	}
	if (is && !seen.settled) {
		tn_str_clear(&now);
		is = seen.bytes <= MOST_BYTES && tn_whole_note(&now, folder) && strcmp(note, now.text) == 0;
	}
	tn_str_release(&now);
	return is;
}

/*
 * Note that the folder is complete. A cached folder may be incomplete: the program that removes it may be killed, other
 * programs clean up there, too, and a machine may stop before all data are on its disk.
 */
void
tn_whole_write(const char *folder, const struct tn_str *note)
{
	char *path = tn_printed("%s/" TN_WHOLE, folder);
	int fd = -1;

	if (path) {
		unlink(path);	/* a member may have this name */
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	/* If the note cannot be written, the archive is unpacked again next time. */
	if (fd >= 0) {
		(void)tn_write_all(fd, note->text, note->n);
		close(fd);
	}
	free(path);
}

bool
tn_whole_is(const char *folder)
{
	char *path = tn_printed("%s/" TN_WHOLE, folder), text[200] = "";
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
	bool is = fd >= 0 && read(fd, text, sizeof text - 1) > 0 && still_applies(text, folder);

	if (fd >= 0)
		close(fd);
	free(path);
	return is;
}

bool
tn_whole_file(struct tn_str *key, const char *path, const struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool settled = fd >= 0 && tn_map_settled(fd, st), known = fd >= 0;
	uint64_t sum = 0;

	if (fd >= 0)
		close(fd);
	if (known && !settled)
		known = (uint64_t)st->st_size <= MOST_BYTES && sum_content(&sum, path);
	tn_str_printf(key, "%d %016" PRIx64 " %016" PRIx64, TN_MEANING_ARCHIVE, sum_times(10, st), sum);
	return known && !key->failed;
}
