#include <config.h>

#include "archive/archive.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/hash.h"
#include "base/now.h"
#include "base/str.h"

#define RESERVE ((uint64_t)256 << 20)	/* bytes of the disk that must stay free */
#define MOST_KEPT ((uint64_t)8 << 30)	/* limit of all unpacked archives together */
#define BLOCK ((size_t)64 << 10)
#define DRAFT "unpacking-"

bool
tn_archive_is(const char *path)
{
	static const struct magic {
		size_t at, n;
		const char *bytes;
	} magics[] = {
		{ 0, 4, "\x28\xb5\x2f\xfd" }, { 0, 3, "\x1f\x8b\x08" }, { 0, 6, "\xfd" "7zXZ\0" }, { 0, 4, "PK\3\4" },
		{ 0, 3, "BZh" }, { 257, 5, "ustar" },
	};
	char bytes[512] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
	bool is = false;

	for (size_t i = 0; n > 0 && i < sizeof magics / sizeof *magics; i++)
		is = is || memcmp(bytes + magics[i].at, magics[i].bytes, magics[i].n) == 0;
	if (fd >= 0)
		close(fd);
	return is;
}

#ifdef HAVE_LIBARCHIVE
#include "archive/library.h"
#include "archive/whole.h"
#include "base/messages.h"

void
tn_archive_library(char *out, size_t room)
{
	struct tn_libarchive la;
	struct tn_error err;

	if (tn_libarchive_load(&la, "", &err) == TN_OK)
		snprintf(out, room, "%s", la.version_string());
	else
		snprintf(out, room, "no " LIBARCHIVE_SONAME);
	tn_libarchive_unload(&la);
}

/* ---- unpacking ---- */

struct tn_unpack {
	char *path;		/* path of the archive */
	const char *kind;	/* kind of a file that the caller unpacks, a part of the key; "": an archive */
	char *cache, *final;	/* the cache folder, and the folder's final path in it */
	char *around, *folder;	/* the private folder, and the folder in it that is being filled */
	int held;		/* lock of `around`; -1: none */
	bool done;		/* the folder has its final name */
	bool fresh;		/* the folder is temporary, and gets no final name */
	bool broken;		/* the archive is damaged or cut */
	char *file;		/* path of the first file */
	struct tn_str note;	/* the note that lists the unpacked files (whole.h) */
	struct tn_libarchive la;
	struct archive *from;
	struct tn_archive_limits limits;
	uint64_t members, bytes, size;
	int (*progress)(void *user, uint64_t done, uint64_t all);
	void *user;
};

static enum tn_code
broken(struct tn_unpack *u, struct tn_error *err)
{
	const char *why = u->la.error_string(u->from);

	u->broken = true;
	if (!u->members)
		return tn_fail(err, TN_ERR_FORMAT,
			       "%s: the archive cannot be read to its end: %s; if it is one file of a "
			       "trace, compressed: unpack it beside the metadata and open the folder", u->path,
			       why ? why : _("it is damaged"));
	return tn_fail(err, TN_ERR_FORMAT, "%s: the archive cannot be read to its end: %s", u->path,
		       why ? why : _("it is damaged"));
}

/* Whether the last part of a name is not a file name, as in "a/", "." and "a/.". */
static bool
is_folder_name(const char *name)
{
	const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;

	return !*last || strcmp(last, ".") == 0;
}

/* Whether the name is relative, and never leads upward. */
static bool
is_inside(const char *name)
{
	if (*name == '/' || !*name)
		return false;
	while (*name) {
		size_t n = strcspn(name, "/");

		if (n == 2 && name[0] == '.' && name[1] == '.')
			return false;
		name += n + (name[n] == '/');
	}
	return true;
}

static enum tn_code
check_room(const struct tn_unpack *u, struct tn_error *err)
{
	struct statvfs fs;

	if (u->bytes > u->limits.bytes)
		return tn_fail(err, TN_ERR_FORMAT, "%s: the archive unpacks to more than %" PRIu64 " bytes, too many for its "
			       "size: unpack it yourself if you trust it", u->path,
			       u->limits.bytes);
	if (statvfs(u->folder, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < RESERVE)
		return tn_fail(err, TN_ERR_SYSTEM, "%s: the disk is full except for a reserve of %d MiB: set XDG_CACHE_HOME to a "
			"disk with enough space", u->folder, (int)(RESERVE >> 20));
	return TN_OK;
}

static enum tn_code
tell(const struct tn_unpack *u, struct tn_error *err)
{
	uint64_t done = (uint64_t)u->la.filter_bytes(u->from, -1);

	if (u->progress && u->progress(u->user, done < u->size ? done : u->size, u->size))
		return tn_fail(err, TN_ERR_CANCELLED, "%s: stopped", u->path);
	return TN_OK;
}

/* Read the next bytes of a member's body, which count towards the limit. *n 0: no more bytes. */
static enum tn_code
read_body(struct tn_unpack *u, char block[BLOCK], size_t *n, struct tn_error *err)
{
	la_ssize_t got = u->la.read_data(u->from, block, BLOCK);
	enum tn_code rc = got < 0 ? broken(u, err) : TN_OK;

	*n = got > 0 ? (size_t)got : 0;
	if (!*n)
		return rc;
	u->bytes += *n;
	rc = check_room(u, err);
	return rc == TN_OK ? tell(u, err) : rc;
}

/* Read and drop a body that is not needed. libarchive would skip it without a limit, and could not be stopped. */
static enum tn_code
skip_body(struct tn_unpack *u, struct tn_error *err)
{
	char block[BLOCK];
	enum tn_code rc;
	size_t n;

	do {
		rc = read_body(u, block, &n, err);
	} while (rc == TN_OK && n);
	return rc;
}

static enum tn_code
unpack_file(struct tn_unpack *u, const char *path, struct tn_error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	enum tn_code rc = TN_OK;
	char block[BLOCK];
	size_t n;

	if (fd < 0)
		return tn_fail_errno(err, "%s", path);
	if (!u->file)
		u->file = strdup(path);
	do {
		rc = read_body(u, block, &n, err);
		if (rc == TN_OK && n && !tn_write_all(fd, block, n))
			rc = tn_fail_errno(err, "%s", path);
	} while (rc == TN_OK && n);
	/* Some file systems report only on close() that they are full. */
	if (close(fd) != 0 && rc == TN_OK && errno != EINTR)
		rc = tn_fail_errno(err, "%s", path);
	return rc;
}

/* Make a hard link to an earlier member, which tnav has unpacked itself: links to other places are never made. */
static enum tn_code
unpack_link(struct tn_unpack *u, const char *path, const char *to, struct tn_error *err)
{
	struct tn_str first = { 0 };
	char block[BLOCK];
	enum tn_code rc;
	size_t n;

	if (!is_inside(to))
		return tn_fail(err, TN_ERR_FORMAT, "%s: the name of a member is outside of the archive: %s", u->path, to);
	rc = read_body(u, block, &n, err);
	if (rc == TN_OK && n)
		rc = tn_fail(err, TN_ERR_FORMAT, "%s: a hard link to the member %s has its own data: the archive is damaged, or "
			     "made by hand", u->path, to);
	if (rc < 0)
		return rc;
	tn_str_printf(&first, "%s/%s", u->folder, to);
	if (first.failed)
		rc = tn_fail_memory(err);
	else if (link(first.text, path) < 0)
		rc = tn_fail_errno(err, "%s: cannot create the hard link to the member %s", u->path, to);
	tn_str_release(&first);
	return rc;
}

/* Count a member and its folders, because one name can make hundreds of folders. */
static enum tn_code
count_member(struct tn_unpack *u, struct tn_error *err)
{
	if (++u->members <= u->limits.members)
		return TN_OK;
	return tn_fail(err, TN_ERR_FORMAT, "%s: the archive has more than %" PRIu64 " members", u->path, u->limits.members);
}

/* Make the folders above @path, which is in u->folder; with @whole, also the folder @path. */
static enum tn_code
make_folders(struct tn_unpack *u, char *path, bool whole, struct tn_error *err)
{
	char *slash = path + strlen(u->folder) + 1;
	enum tn_code rc = TN_OK;

	while (rc == TN_OK && slash) {
		slash = strchr(slash, '/');
		if (!slash && !whole)
			break;
		if (slash)
			*slash = '\0';
		if (mkdir(path, 0700) == 0)
			rc = count_member(u, err);
		else if (errno != EEXIST)
			rc = tn_fail_errno(err, "%s", path);
		if (slash)
			*slash++ = '/';
	}
	return rc;
}

static enum tn_code
unpack_member(struct tn_unpack *u, struct archive_entry *entry, struct tn_error *err)
{
	const char *name = u->la.entry_pathname(entry), *link_to = u->la.entry_hardlink(entry);
	unsigned type = u->la.entry_filetype(entry);
	struct tn_str path = { 0 };
	enum tn_code rc = TN_OK;

	if (!name || !is_inside(name))
		return tn_fail(err, TN_ERR_FORMAT, "%s: the name of a member is outside of the archive: "
						   "%s", u->path, name ? name : _("(none)"));
	if (link_to)
		type = AE_IFREG;
	if (type != AE_IFDIR && (rc = count_member(u, err)) < 0)
		return rc;
	if (type != AE_IFREG && type != AE_IFDIR)
		return skip_body(u, err);	/* a trace does not have symbolic links or devices */
	if (type == AE_IFREG && is_folder_name(name))
		return tn_fail(err, TN_ERR_FORMAT, "%s: a file in it has the name of a folder, `%s`: the archive is damaged, or "
			       "made by hand; unpack it yourself and open the folder", u->path, name);
	tn_str_printf(&path, "%s/%s", u->folder, name);
	while (path.n && path.text[path.n - 1] == '/')
		path.text[--path.n] = '\0';
	if (path.failed)
		rc = tn_fail_memory(err);
	else
		rc = make_folders(u, path.text, type == AE_IFDIR, err);
	if (rc == TN_OK && type == AE_IFDIR)
		rc = skip_body(u, err);
	else if (rc == TN_OK)
		rc = link_to ? unpack_link(u, path.text, link_to, err) : unpack_file(u, path.text, err);
	tn_str_release(&path);
	return rc;
}

/* An archive that is compressed twice can contain endless zeros, and libarchive reads zeros between members in one call. */
static enum tn_code
check_layers(const struct tn_unpack *u, struct tn_error *err)
{
	int n = 0;

	for (int i = 0; i < u->la.filter_count(u->from); i++)
		n += u->la.filter_code(u->from, i) != ARCHIVE_FILTER_NONE;
	if (n < 2)
		return TN_OK;
	return tn_fail(err, TN_ERR_FORMAT, "%s: the file is compressed %d times: uncompress it once and open the "
					   "result", u->path, n);
}

/* ---- one file whose archive was cut ---- */

/* Append the last block of a cut .gz, which libarchive unpacks but drops, to @fd, a file of @size bytes. */
static void
append_rest(const struct tn_unpack *u, int fd, off_t size)
{
	void *zlib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL), *call[3] = { NULL };
	void *(*begin)(const char *path, const char *mode);
	int (*more)(void *file, void *out, unsigned size), (*end)(void *file), n = 0;
	static const char *const names[] = { "gzopen", "gzread", "gzclose" };
	char block[BLOCK];
	off_t at = 0;
	void *file;

	for (size_t i = 0; i < 3; i++)
		call[i] = zlib ? dlsym(zlib, names[i]) : NULL;
	/* C does not convert pointers to data into pointers to functions, so copy the bytes. */
	memcpy(&begin, &call[0], sizeof begin);
	memcpy(&more, &call[1], sizeof more);
	memcpy(&end, &call[2], sizeof end);
	file = call[0] && call[1] && call[2] ? begin(u->path, "rb") : NULL;
	while (file && at < size + (off_t)(4 * BLOCK) && tell(u, NULL) == TN_OK && (n = more(file, block, BLOCK)) > 0) {
		off_t from = size - at < 0 ? 0 : size - at < n ? size - at : n;

		if (!tn_write_all(fd, block + from, (size_t)(n - from)))
			break;
		at += n;
	}
	if (file)
		end(file);
	if (zlib)
		dlclose(zlib);
}

/* Keep the readable part of @single, the only file of a cut archive, and note the reason. False: nothing was kept. */
static bool
keep_cut(const struct tn_unpack *u, const char *single)
{
	const char *why = u->la.error_string(u->from);
	char *path = u->file ? strdup(u->file) : tn_printed("%s/%s", u->folder, single);
	char *note = tn_printed("%s/" TN_CUT, u->folder);
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
	struct stat st = { 0 };
	bool good = fd >= 0 && fstat(fd, &st) == 0;

	if (good && u->la.filter_code(u->from, 0) == ARCHIVE_FILTER_GZIP)
		append_rest(u, fd, st.st_size);
	good = good && fstat(fd, &st) == 0 && st.st_size > 0;
	if (fd >= 0)
		close(fd);
	fd = good && note ? open(note, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
	why = why ? why : _("it is damaged");
	good = fd >= 0 && tn_write_all(fd, why, strlen(why));
	if (fd >= 0)
		close(fd);
	free(path);
	free(note);
	return good;
}

bool
tn_archive_cut(char *why, size_t room, const char *folder)
{
	char *path = tn_printed("%s/" TN_CUT, folder);
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
	ssize_t n = fd < 0 ? -1 : read(fd, why, room - 1);

	if (n >= 0)
		why[n] = '\0';
	if (fd >= 0)
		close(fd);
	free(path);
	return n >= 0;
}

/* ---- all of it ---- */

static enum tn_code
unpack_all(struct tn_unpack *u, struct tn_error *err)
{
	char *single;
	struct archive_entry *entry;
	enum tn_code rc = TN_OK;
	int got = ARCHIVE_OK;

	u->from = u->la.read_new();
	if (!u->from)
		return tn_fail_memory(err);
	single = tn_archive_single(u->path);
	u->la.read_support_filter_all(u->from);
	u->la.read_support_format_tar(u->from);
	u->la.read_support_format_zip(u->from);
	if (single)
		u->la.read_support_format_raw(u->from);
	if (u->la.read_open_filename(u->from, u->path, BLOCK) != ARCHIVE_OK)
		rc = broken(u, err);
	else
		rc = check_layers(u, err);
	while (rc == TN_OK) {
		got = u->la.read_next_header(u->from, &entry);
		if (got == ARCHIVE_EOF)
			break;
		if (got != ARCHIVE_OK && got != ARCHIVE_WARN) {
			rc = broken(u, err);
		} else {
			tn_archive_name(&u->la, entry, single);
			rc = unpack_member(u, entry, err);
		}
		if (rc == TN_OK)
			rc = tell(u, err);
	}
	if (u->broken && single && u->members <= 1 && keep_cut(u, single))
		rc = TN_OK;
	u->la.read_free(u->from);
	free(single);
	return rc;
}

/* ---- the cache ---- */

/* Make the name of the cached folder: one for each @kind and state of the archive's files, or a unique name. */
static char *
name_for(const char *cache, const char *path, const char *kind, const struct stat *st)
{
	char *whole = realpath(path, NULL);
	struct tn_str name = { 0 }, key = { 0 };

	tn_str_printf(&key, "%s%s ", kind, whole ? whole : path);
	if (!tn_whole_file(&key, path, st))
		tn_str_printf(&key, " %ld %" PRId64, (long)getpid(), tn_now_ns());
	tn_str_printf(&name, "%s/" TN_ARCHIVE_PREFIX "%016" PRIx64, cache, tn_sum_bytes(0, tn_str_text(&key), key.n));
	free(whole);
	name.failed |= key.failed;
	tn_str_release(&key);
	return tn_str_take(&name);
}

/* Remove the leftovers of an interrupted run. */
static void
remove_left(void *user, const char *path)
{
	(void)user;
	tn_remove_folder(path);
}

/* Make a folder for unpacking. It is locked, so that no other program removes it. */
static enum tn_code
make_draft(struct tn_unpack *u, const char *cache, struct tn_error *err)
{
	struct tn_str around = { 0 }, draft = { 0 };
	enum tn_code rc = TN_OK;

	tn_str_printf(&around, "%s/" DRAFT "XXXXXX", cache);
	if (around.failed)
		rc = tn_fail_memory(err);
	else if (!mkdtemp(around.text))
		rc = tn_fail_errno(err, "%s", around.text);
	if (rc < 0) {
		tn_str_release(&around);
		return rc;
	}
	u->held = tn_folder_hold(around.text);
	u->around = around.text;
	tn_str_printf(&draft, "%s/t", around.text);
	if (draft.failed)
		rc = tn_fail_memory(err);
	else if (mkdir(draft.text, 0700) < 0)
		rc = tn_fail_errno(err, "%s", around.text);
	u->folder = draft.text;
	return rc;
}

/* ---- step by step ---- */

static enum tn_code
find_place(struct tn_unpack *u, struct tn_error *err)
{
	struct stat st;

	if (!u->path)
		return tn_fail_memory(err);
	if (!u->cache && errno == ENOMEM)
		return tn_fail_memory(err);
	if (!u->cache)
		return tn_fail(err, TN_ERR_SYSTEM, "%s: no folder to unpack it in: set HOME or XDG_CACHE_HOME", u->path);
	if (stat(u->path, &st) < 0)
		return tn_fail_errno(err, "%s", u->path);
	if (!tn_make_folders(u->cache, 0700))
		return tn_fail_errno(err, "%s", u->cache);
	if (!u->fresh && !(u->final = name_for(u->cache, u->path, u->kind, &st)))
		return tn_fail_memory(err);
	u->size = (uint64_t)st.st_size;
	return TN_OK;
}

static enum tn_code
begin(struct tn_unpack **out, const char *path, const char *kind, const struct tn_archive_limits *limits, bool fresh,
      struct tn_error *err)
{
	struct tn_unpack *u = calloc(1, sizeof *u);
	enum tn_code rc;

	*out = NULL;
	if (!u)
		return tn_fail_memory(err);
	u->held = -1;
	u->fresh = fresh;
	u->kind = kind;
	u->path = strdup(path);
	errno = 0;
	u->cache = tn_cache_folder();
	rc = find_place(u, err);
	if (rc == TN_OK && !fresh && tn_whole_is(u->final)) {
		(void)!utimensat(AT_FDCWD, u->final, NULL, 0);	/* mark it as just used */
		u->done = true;
	} else if (rc == TN_OK) {
		if (!fresh)
			tn_remove_folder(u->final);
		u->limits = limits ? *limits : tn_archive_limits_of(u->size);
		tn_folders_not_held(u->cache, DRAFT, remove_left, NULL);
		if (!*kind)
			rc = tn_libarchive_load(&u->la, path, err);
		if (rc == TN_OK)
			rc = make_draft(u, u->cache, err);
	}
	if (rc < 0)
		tn_unpack_free(u);
	else
		*out = u;
	return rc;
}

enum tn_code
tn_unpack_begin(struct tn_unpack **out, const char *path, const struct tn_archive_limits *limits, bool fresh,
		struct tn_error *err)
{
	return begin(out, path, "", limits, fresh, err);
}

enum tn_code
tn_unpack_begin_own(struct tn_unpack **out, const char *path, const char *kind, struct tn_error *err)
{
	return begin(out, path, kind, NULL, false, err);
}

void
tn_unpack_keep(struct tn_unpack *u)
{
	struct stat st;
	char *name = stat(u->path, &st) == 0 ? name_for(u->cache, u->path, u->kind, &st) : NULL;
	bool same = name && strcmp(name, u->final) == 0;

	free(name);
	u->limits.bytes = UINT64_MAX;	/* the caller has its own limit */
	if (!same || check_room(u, NULL) < 0 || !tn_whole_note(&u->note, u->folder))
		return;
	tn_archives_shrink(u->cache, u->final, tn_folder_bytes(u->folder), MOST_KEPT);
	(void)tn_unpack_finish(u, NULL);
}

enum tn_code
tn_unpack_run(struct tn_unpack *u, int (*progress)(void *user, uint64_t done, uint64_t all), void *user,
	      struct tn_error *err)
{
	enum tn_code rc;

	if (u->done)
		return TN_OK;
	u->progress = progress;
	u->user = user;
	rc = unpack_all(u, err);
	if (rc == TN_OK && !u->fresh && !tn_whole_note(&u->note, u->folder))
		tn_str_clear(&u->note);
	if (rc == TN_OK && !u->fresh)
		tn_archives_shrink(u->cache, u->final, u->bytes, u->limits.kept ? u->limits.kept : MOST_KEPT);
	return rc;
}

enum tn_code
tn_unpack_finish(struct tn_unpack *u, struct tn_error *err)
{
	if (u->fresh)
		return TN_OK;
	if (!u->done && u->note.n)
		tn_whole_write(u->folder, &u->note);
	/* If another program finished the same folder first, that folder can be used, too. */
	if (!u->done && rename(u->folder, u->final) < 0 && !((errno == EEXIST || errno == ENOTEMPTY) && tn_whole_is(u->final)))
		return tn_fail_errno(err, "%s", u->final);
	u->done = true;
	if (u->around)
		tn_remove_folder(u->around);
	return TN_OK;
}

bool
tn_unpack_is_done(const struct tn_unpack *u)
{
	return u->done;
}

const char *
tn_unpack_path(const struct tn_unpack *u)
{
	return u->path;
}

const char *
tn_unpack_folder(const struct tn_unpack *u)
{
	return u->done ? u->final : u->folder;
}

void
tn_unpack_free(struct tn_unpack *u)
{
	if (!u)
		return;
	if (u->around)
		tn_remove_folder(u->around);
	if (u->held >= 0)
		close(u->held);
	tn_libarchive_unload(&u->la);
	tn_str_release(&u->note);
	free(u->around);
	free(u->file);
	free(u->folder);
	free(u->final);
	free(u->cache);
	free(u->path);
	free(u);
}

#else
void
tn_archive_library(char *out, size_t room)
{
	snprintf(out, room, "no libarchive");
}

bool
tn_archive_cut(char *why, size_t room, const char *folder)
{
	(void)why, (void)room, (void)folder;
	return false;
}

static enum tn_code
without(const char *path, struct tn_error *err)
{
	return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: this tnav was built without libarchive: unpack or pack it with tar(1)",
		       path);
}

enum tn_code
tn_unpack_begin(struct tn_unpack **out, const char *path, const struct tn_archive_limits *limits, bool fresh,
		struct tn_error *err)
{
	(void)limits, (void)fresh;
	*out = NULL;
	return without(path, err);
}

enum tn_code
tn_unpack_begin_own(struct tn_unpack **out, const char *path, const char *kind, struct tn_error *err)
{
	(void)kind;
	*out = NULL;
	return without(path, err);
}

void
tn_unpack_keep(struct tn_unpack *u)
{
	(void)u;
}

enum tn_code
tn_unpack_run(struct tn_unpack *u, int (*progress)(void *user, uint64_t done, uint64_t all), void *user,
	      struct tn_error *err)
{
	(void)u, (void)progress, (void)user, (void)err;
	return TN_OK;
}

enum tn_code
tn_unpack_finish(struct tn_unpack *u, struct tn_error *err)
{
	(void)u, (void)err;
	return TN_OK;
}

bool
tn_unpack_is_done(const struct tn_unpack *u)
{
	(void)u;
	return true;
}

const char *
tn_unpack_path(const struct tn_unpack *u)
{
	(void)u;
	return "";
}

const char *
tn_unpack_folder(const struct tn_unpack *u)
{
	(void)u;
	return "";
}

void
tn_unpack_free(struct tn_unpack *u)
{
	(void)u;
}

#endif

enum tn_code
tn_archive_unpack(char **folder, const char *path, const struct tn_archive_limits *limits,
		  int (*progress)(void *user, uint64_t done, uint64_t all), void *user, struct tn_error *err)
{
	struct tn_unpack *u;
	enum tn_code rc = tn_unpack_begin(&u, path, limits, false, err);

	*folder = NULL;
	if (rc == TN_OK)
		rc = tn_unpack_run(u, progress, user, err);
	if (rc == TN_OK)
		rc = tn_unpack_finish(u, err);
	if (rc == TN_OK && !(*folder = strdup(tn_unpack_folder(u))))
		rc = tn_fail_memory(err);
	tn_unpack_free(u);
	return rc;
}
