#define _GNU_SOURCE	/* SEEK_DATA */
#include "base/mapfile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"

_Static_assert(sizeof(off_t) == 8, "offsets of 64 bits: configure gives -D_FILE_OFFSET_BITS=64");

#define NO_SLOT UINT32_MAX
#define CHUNK 256	/* slots in a chunk */
#define CHUNKS 4096
#define SETTLED_NS (INT64_C(60) * 1000000000)
#define ROOM ((size_t)1 << 26)	/* smallest address range that a growing file gets */

/*
 * The maps that the signal handler may repair. A handler must not lock, so chunks of the table are never freed. A
 * slot whose start is 0 is free and can be used again.
 */
struct slot {
	_Atomic uintptr_t start, end;
	atomic_bool torn;
};

static struct slot *_Atomic chunks[CHUNKS];
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t slots_used;
static uint32_t lowest_free;	/* all slots before this one are used */
static struct sigaction former;
static uintptr_t page_size;

static void
on_bus_error(int signal_number, siginfo_t *info, void *context)
{
	uintptr_t address = (uintptr_t)info->si_addr;
	int saved = errno;

	for (uint32_t c = 0; c < CHUNKS; c++) {
		struct slot *chunk = atomic_load(&chunks[c]);

		if (!chunk)
			break;
		for (uint32_t i = 0; i < CHUNK; i++) {
			if (address < atomic_load(&chunk[i].start) || address >= atomic_load(&chunk[i].end))
				continue;
			atomic_store(&chunk[i].torn, true);
			if (mmap((void *)(address & ~(page_size - 1)), page_size, PROT_READ,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
				errno = saved;
				return;
			}
		}
	}
	/* The fault is not in a map: call the previous handler, or the default action, which ends the program. */
	if (former.sa_flags & SA_SIGINFO && former.sa_sigaction) {
		former.sa_sigaction(signal_number, info, context);
	} else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN && former.sa_handler) {
		former.sa_handler(signal_number);
	} else {
		signal(SIGBUS, SIG_DFL);
		raise(SIGBUS);
	}
	errno = saved;
}

static void
install_handler(void)
{
	struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &former);
}

static struct slot *
slot_at(uint32_t i)
{
	struct slot *chunk = atomic_load(&chunks[i / CHUNK]);

	return &chunk[i % CHUNK];
}

static bool
register_map(struct tn_map *map)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint32_t i;
	bool ok = true;

	pthread_once(&once, install_handler);
	pthread_mutex_lock(&table_lock);
	for (i = lowest_free; i < slots_used; i++)
		if (!atomic_load(&slot_at(i)->start))
			break;
	if (i == slots_used) {
		if (i / CHUNK >= CHUNKS) {
			ok = false;
		} else if (!atomic_load(&chunks[i / CHUNK])) {
			struct slot *chunk = calloc(CHUNK, sizeof *chunk);

			ok = chunk != NULL;
			if (ok)
				atomic_store(&chunks[i / CHUNK], chunk);
		}
		slots_used += ok;
	}
	if (ok) {
		struct slot *s = slot_at(i);

		atomic_store(&s->torn, false);
		atomic_store(&s->end, (uintptr_t)map->base + map->base_size);
		atomic_store(&s->start, (uintptr_t)map->base);
		map->slot = i;
		lowest_free = i + 1;
	}
	pthread_mutex_unlock(&table_lock);
	return ok;
}

/* Reserve addresses for the file and the slack, then map the file over their start. */
static enum tn_code
map_descriptor(struct tn_map *map, int fd, size_t room, struct tn_error *err)
{
	size_t pages, page;
	void *base;

	page = (size_t)sysconf(_SC_PAGESIZE);
	if (map->size > SIZE_MAX / 8)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "too large to be mapped");
	pages = ((room > map->size ? room : map->size) + TN_MAP_SLACK + page - 1) / page * page;
	base = mmap(NULL, pages, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (base == MAP_FAILED)
		return tn_fail_errno(err, "cannot map");
	if (mmap(base, map->size, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
		tn_fail_errno(err, "cannot map");
		munmap(base, pages);
		return TN_ERR_SYSTEM;
	}
	map->base = base;
	map->base_size = pages;
	map->data = base;
	if (!register_map(map)) {
		munmap(base, pages);
		map->base = NULL;
		map->data = NULL;
		return tn_fail_memory(err);
	}
	return TN_OK;
}

static int64_t
ns_of(struct timespec t)
{
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool
tn_map_settled(int fd, const struct stat *st)
{
	/* Magic numbers of tmpfs, ramfs and hugetlbfs; <linux/magic.h> does not have all of them. */
	static const uint32_t in_memory[] = { 0x01021994, 0x858458f6, 0x958458f6 };
	int64_t changed = ns_of(st->st_mtim) > ns_of(st->st_ctim) ? ns_of(st->st_mtim) : ns_of(st->st_ctim);
	struct timespec now;
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0 || clock_gettime(CLOCK_REALTIME, &now) < 0)
		return false;
	for (size_t i = 0; i < sizeof in_memory / sizeof *in_memory; i++)
		if ((uint32_t)fs.f_type == in_memory[i])
			return false;
	return changed < ns_of(now) - SETTLED_NS;
}

/* On 32-bit systems a file may be larger than the address space. map_descriptor() then refuses it. */
static size_t
size_of(uint64_t bytes)
{
	return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
}

enum tn_code
tn_map_open(struct tn_map *out, const char *path, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	struct stat st;
	int fd;

	*out = (struct tn_map) { .slot = NO_SLOT };
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		rc = tn_fail_errno(err, "%s", path);
		if (errno == ENOENT && err)
			err->code = TN_ERR_NOT_FOUND;
		return errno == ENOENT ? TN_ERR_NOT_FOUND : rc;
	}
	if (fstat(fd, &st) < 0)
		rc = tn_fail_errno(err, "%s", path);
	else if (!S_ISREG(st.st_mode))
		rc = tn_fail(err, TN_ERR_FORMAT, "%s: not a regular file", path);
	if (rc == TN_OK) {
		out->size = size_of((uint64_t)st.st_size);
		out->owner = (uint32_t)st.st_uid;
		out->device = (uint64_t)st.st_dev;
		out->inode = (uint64_t)st.st_ino;
		out->mtime_ns = ns_of(st.st_mtim);
		out->ctime_ns = ns_of(st.st_ctim);
		out->settled = tn_map_settled(fd, &st);
		if (out->size && (rc = map_descriptor(out, fd, 0, err)) < 0)
			tn_at(err, rc, "%s", path);
	}
	close(fd);
	return rc;
}

bool
tn_map_is_at(const struct tn_map *map, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && map->device == (uint64_t)st.st_dev && map->inode == (uint64_t)st.st_ino &&
	       map->size == size_of((uint64_t)st.st_size) && map->mtime_ns == ns_of(st.st_mtim) &&
	       map->ctime_ns == ns_of(st.st_ctim);
}

void
tn_map_view(struct tn_map *out, const struct tn_map *map)
{
	*out = *map;
	out->former = NULL;
	out->is_view = true;
}

/* Make a nameless file; -1: errno has the reason. */
static int
open_unnamed(void)
{
	char *cache = tn_cache_folder();
	const char *temporary = getenv("TMPDIR");
	const char *folders[] = { cache, temporary, "/tmp" };
	int fd = -1;

	if (cache)
		tn_make_folders(cache, 0700);
	for (size_t i = 0; fd < 0 && i < sizeof folders / sizeof *folders; i++)
		if (folders[i])
			fd = open(folders[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	free(cache);
	return fd;
}

enum tn_code
tn_map_scratch(struct tn_map *out, int *fd, uint64_t size, struct tn_error *err)
{
	enum tn_code rc;

	*out = (struct tn_map) { .slot = NO_SLOT };
	*fd = open_unnamed();
	if (*fd < 0)
		return tn_fail_errno(err, "cannot make a temporary file");
	rc = tn_map_scratch_sized(out, *fd, size, err);
	if (rc < 0) {
		close(*fd);
		*fd = -1;
	}
	return rc;
}

enum tn_code
tn_map_scratch_sized(struct tn_map *out, int fd, uint64_t size, struct tn_error *err)
{
	enum tn_code rc;

	out->size = size_of(size);
	rc = size > INT64_MAX || ftruncate(fd, (off_t)size) < 0 ? tn_fail_errno(err, "cannot make a temporary file") : TN_OK;
	if (rc == TN_OK && size)
		rc = map_descriptor(out, fd, 0, err);
	if (rc < 0)
		*out = (struct tn_map) { .slot = NO_SLOT };
	return rc;
}

enum tn_code
tn_map_memory(struct tn_map *out, const void *bytes, size_t n, struct tn_error *err)
{
	*out = (struct tn_map) { .slot = NO_SLOT };
	if (n > SIZE_MAX / 2)
		return tn_fail_memory(err);
	out->base = calloc(1, n + TN_MAP_SLACK);
	if (!out->base)
		return tn_fail_memory(err);
	if (n)
		memcpy(out->base, bytes, n);
	out->data = out->base;
	out->size = n;
	return TN_OK;
}

/* Map more of the file, in the addresses reserved after it. */
static enum tn_code
map_after(struct tn_map *map, int fd, size_t size, struct tn_error *err)
{
	size_t from = (map->size + page_size - 1) & ~(page_size - 1);	/* the kernel has already extended the last page */

	if (size > from && mmap((char *)map->base + from, size - from, PROT_READ, MAP_SHARED | MAP_FIXED, fd,
				(off_t)from) == MAP_FAILED)
		return tn_fail_errno(err, "cannot map");
	map->size = size;
	return TN_OK;
}

/* Map the whole file again, with reserved addresses of the same size after it. */
static enum tn_code
map_anew(struct tn_map *map, int fd, size_t size, struct tn_error *err)
{
	struct tn_map *before = malloc(sizeof *before);
	struct tn_map now = *map;
	enum tn_code rc;

	if (!before)
		return tn_fail_memory(err);
	now.size = size;
	now.slot = NO_SLOT;
	now.base = NULL;
	rc = map_descriptor(&now, fd, 2 * size < ROOM ? ROOM : 2 * size, err);
	if (rc < 0 || !map->base) {
		free(before);
	} else {
		*before = *map;
		now.former = before;
	}
	if (rc < 0)
		return rc;
	/* Other threads read meanwhile, so store the address before the size. */
	map->former = now.former;
	map->slot = now.slot;
	map->base = now.base;
	map->base_size = now.base_size;
	map->data = now.data;
	map->size = now.size;
	return rc;
}

enum tn_code
tn_map_grow(struct tn_map *map, const char *path, uint64_t size, struct tn_error *err)
{
	enum tn_code rc;
	struct stat st;
	int fd;

	if (size <= map->size)
		return TN_OK;
	if (size > SIZE_MAX / 8)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: too large to be mapped", path);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return tn_fail_errno(err, "%s", path);
	if (fstat(fd, &st) < 0)
		rc = tn_fail_errno(err, "%s", path);
	else if ((uint64_t)st.st_dev != map->device || (uint64_t)st.st_ino != map->inode || (uint64_t)st.st_size < size)
		rc = tn_fail(err, TN_ERR_NOT_FOUND, "%s: the file was replaced", path);
	else if (map->base && size + TN_MAP_SLACK <= map->base_size)
		rc = map_after(map, fd, (size_t)size, err);
	else
		rc = map_anew(map, fd, (size_t)size, err);
	if (rc == TN_OK) {
		map->mtime_ns = ns_of(st.st_mtim);
		map->ctime_ns = ns_of(st.st_ctim);
		map->settled = false;
	}
	close(fd);
	return rc;
}

bool
tn_map_torn(const struct tn_map *map)
{
	for (; map; map = map->former)
		if (map->base && map->slot != NO_SLOT && atomic_load(&slot_at(map->slot)->torn))
			return true;
	return false;
}

bool
tn_map_cut(const struct tn_map *map)
{
	size_t size = map->size;

	if (map->slot != NO_SLOT && map->base && size)
		(void)*(const volatile uint8_t *)(map->data + size - 1);
	return tn_map_torn(map);
}

void
tn_map_expect(const struct tn_map *map, enum tn_map_use use)
{
	size_t size = map->size;

	if (map->base && map->slot != NO_SLOT)
		madvise(map->base, size, use == TN_MAP_SINGLE_PAGES ? MADV_RANDOM : MADV_NORMAL);
}

void
tn_map_pass(const struct tn_map *map, uint64_t from, uint64_t to)
{
	from = (from + page_size - 1) & ~(uint64_t)(page_size - 1);
	for (; map && map->base && map->slot != NO_SLOT; map = map->former) {
		size_t size = map->size;
		uint64_t end = (to < size ? to : size) & ~(uint64_t)(page_size - 1);

		if (from < end)
			madvise((char *)map->base + from, (size_t)(end - from), MADV_DONTNEED);
	}
}

/* Open the file again. -1: @path is now another file, or the size has changed. */
static int
open_again(const struct tn_map *map, const char *path)
{
	struct stat st;
	int fd;

	if (map->slot == NO_SLOT || !map->base)
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && (uint64_t)st.st_dev == map->device && (uint64_t)st.st_ino == map->inode &&
	    (uint64_t)st.st_size >= map->size)
		return fd;
	close(fd);
	return -1;
}

bool
tn_peek_open(struct tn_peek *peek, const struct tn_map *map, const char *path)
{
	peek->fd = open_again(map, path);
	if (peek->fd < 0)
		return false;
#ifdef POSIX_FADV_RANDOM
	(void)posix_fadvise(peek->fd, 0, 0, POSIX_FADV_RANDOM);
#endif
	memset(peek->bytes, 0, sizeof peek->bytes);
	return true;
}

size_t
tn_peek_at(struct tn_peek *peek, uint64_t offset)
{
	ssize_t n = pread(peek->fd, peek->bytes, TN_PEEK_BYTES, (off_t)offset);

	return n > 0 ? (size_t)n : 0;
}

void
tn_peek_close(struct tn_peek *peek)
{
	close(peek->fd);
}

uint64_t
tn_map_skip_hole(const struct tn_map *map, const char *path, uint64_t from)
{
	uint64_t at = from;
#ifdef SEEK_DATA
	int fd = from < map->size ? open_again(map, path) : -1;
	off_t data;

	if (fd < 0)
		return from;
	data = lseek(fd, (off_t)from, SEEK_DATA);
	if (data >= 0)
		at = (uint64_t)data;
	else if (errno == ENXIO)	/* there is only a hole up to the end of the file */
		at = map->size;
	close(fd);
#else
	(void)path;
#endif
	return at < from ? from : at > map->size ? map->size : at;
}

void
tn_map_release(struct tn_map *map)
{
	if (map->former) {
		tn_map_release(map->former);
		free(map->former);
	}
	if (!map->base || map->is_view) {
		/* The map is empty, or a view, which does not own its memory. */
	} else if (map->slot == NO_SLOT) {
		free(map->base);
	} else {
		struct slot *s = slot_at(map->slot);

		pthread_mutex_lock(&table_lock);
		atomic_store(&s->start, 0);
		atomic_store(&s->end, 0);
		if (map->slot < lowest_free)
			lowest_free = map->slot;
		pthread_mutex_unlock(&table_lock);
		munmap(map->base, map->base_size);
	}
	*map = (struct tn_map) { .slot = NO_SLOT };
}
