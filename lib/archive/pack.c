/* pack.c - pack a folder as an archive */
#include <config.h>

#include "archive/archive.h"

#ifdef HAVE_LIBARCHIVE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "archive/library.h"

#define BLOCK ((size_t)64 << 10)

static enum tn_code
pack_entry(const struct tn_libarchive *la, struct archive *to, struct archive_entry *entry, size_t below,
	   const char *file, struct tn_error *err)
{
	const char *path = la->entry_sourcepath(entry), *name = path ? path + below : "";
	char block[BLOCK];
	ssize_t n = 0;
	int fd;

	while (*name == '/')
		name++;
	if (!*name)
		return TN_OK;	/* skip the folder itself */
	la->entry_set_pathname(entry, name);
	la->entry_set_uname(entry, NULL);
	la->entry_set_gname(entry, NULL);
	if (la->write_header(to, entry) != ARCHIVE_OK)
		return tn_fail(err, TN_ERR_SYSTEM, "%s: %s", file, la->error_string(to));
	if (la->entry_filetype(entry) != AE_IFREG)
		return TN_OK;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return tn_fail_errno(err, "%s", path);
	while ((n = read(fd, block, sizeof block)) > 0)
		if (la->write_data(to, block, (size_t)n) < 0)
			break;
	close(fd);
	return n == 0 ? TN_OK : tn_fail(err, TN_ERR_SYSTEM, "%s: %s", file, n < 0 ? strerror(errno) : la->error_string(to));
}

static enum tn_code
pack(const struct tn_libarchive *la, const char *file, const char *folder, struct tn_error *err)
{
	struct archive *disk = la->read_disk_new(), *to = la->write_new();
	struct archive_entry *entry;
	enum tn_code rc = TN_OK;
	int got, fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		rc = tn_fail_errno(err, "%s", file);
	else if (!disk || !to)
		rc = tn_fail_memory(err);
	else if (la->write_add_filter_zstd(to) != ARCHIVE_OK || la->write_set_format_pax_restricted(to) != ARCHIVE_OK ||
		 la->write_open_fd(to, fd) != ARCHIVE_OK)
		rc = tn_fail(err, TN_ERR_SYSTEM, "%s: %s", file, la->error_string(to));
	else if (la->read_disk_open(disk, folder) != ARCHIVE_OK)
		rc = tn_fail(err, TN_ERR_SYSTEM, "%s: %s", folder, la->error_string(disk));
	while (rc == TN_OK) {
		entry = la->entry_new();
		got = entry ? la->read_next_header2(disk, entry) : ARCHIVE_FATAL;
		if (got == ARCHIVE_OK || got == ARCHIVE_WARN) {
			la->read_disk_descend(disk);
			rc = pack_entry(la, to, entry, strlen(folder), file, err);
		} else if (got != ARCHIVE_EOF) {
			rc = tn_fail(err, TN_ERR_SYSTEM, "%s: %s", folder, la->error_string(disk));
		}
		la->entry_free(entry);
		if (got == ARCHIVE_EOF)
			break;
	}
	if (rc == TN_OK && la->write_close(to) != ARCHIVE_OK)
		rc = tn_fail(err, TN_ERR_SYSTEM, "%s: %s", file, la->error_string(to));
	la->read_free(disk);
	la->write_free(to);
	if (fd >= 0) {
		if (close(fd) != 0 && rc == TN_OK && errno != EINTR)
			rc = tn_fail_errno(err, "%s", file);
		if (rc < 0)
			unlink(file);
	}
	return rc;
}

enum tn_code
tn_archive_pack(const char *file, const char *folder, struct tn_error *err)
{
	struct tn_libarchive la;
	enum tn_code rc = tn_libarchive_load(&la, file, err);

	if (rc == TN_OK)
		rc = pack(&la, file, folder, err);
	tn_libarchive_unload(&la);
	return rc;
}
#else
enum tn_code
tn_archive_pack(const char *file, const char *folder, struct tn_error *err)
{
	(void)folder;
	return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: this tnav was built without libarchive: unpack or pack it with tar(1)",
		       file);
}
#endif
