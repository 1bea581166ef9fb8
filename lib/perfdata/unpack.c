/*
 * unpack.c - unpack the records of `perf record -z`
 *
 * The compressed records of a file are pieces of one zstd stream, so unpacking a record needs all records before it. They
 * are unpacked once, into a file of the cache, as archives are. It then has the same records as without -z.
 *
 * Source     perfdata.md, 7.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/archive.h"
#include "base/meaning.h"
#include "base/str.h"
#include "perfdata/private.h"

#define PIECE (256u << 10)
#define NAME "records"	/* the file in the folder of the cache */
#define KIND "perf.data " TEXT(TN_MEANING_PERFDATA) " "
#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
#define MOST_TIMES 1000				/* the unpacked size may be this multiple of the packed size */
#define LEAST_BYTES (UINT64_C(64) << 20)	/* plus this number of bytes */

/* Declarations of zstd.h, which are the same since 1.0. */
struct bytes_in { const void *p; size_t size, at; };
struct bytes_out { void *p; size_t size, at; };

struct unpack {
	const struct tn_perf_file *f;
	void *handle, *stream;
	void *(*create)(void);
	size_t (*release)(void *stream);
	size_t (*run)(void *stream, struct bytes_out *out, struct bytes_in *in);
	unsigned (*is_error)(size_t code);
	uint8_t *room;		/* unpacked bytes that are not a complete record yet */
	size_t n, size;
	int fd;
	uint64_t made, most;
	bool full, broken, no_memory;
};

static enum tn_code
load(struct unpack *u, struct tn_error *err)
{
	static const char *const name[] = { "ZSTD_createDStream", "ZSTD_freeDStream", "ZSTD_decompressStream", "ZSTD_isError" };
	void *call[4];

	if (!(u->handle = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL)))
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: the file is compressed, and libzstd.so.1 is not installed: install "
			       "the Debian package libzstd1", u->f->trace->path);
	for (size_t i = 0; i < TN_COUNT(call); i++)
		if (!(call[i] = dlsym(u->handle, name[i])))
			return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: libzstd.so.1 is too old to unpack this file: install a "
								"newer version",
				       u->f->trace->path);
	/* C does not convert pointers to data into pointers to functions, so copy the bytes. */
	memcpy(&u->create, &call[0], sizeof *call);
	memcpy(&u->release, &call[1], sizeof *call);
	memcpy(&u->run, &call[2], sizeof *call);
	memcpy(&u->is_error, &call[3], sizeof *call);
	return TN_OK;
}

static void
write_out(struct unpack *u, const uint8_t *p, size_t n)
{
	u->full |= n > u->most - u->made;
	for (size_t done = 0; !u->full && done < n;) {
		ssize_t some = pwrite(u->fd, p + done, n - done, (off_t)u->made);

		u->broken |= some <= 0;
		if (some <= 0)
			return;
		done += (size_t)some;
		u->made += (uint64_t)some;
	}
}

/* Write the complete records. */
static void
flush(struct unpack *u)
{
	struct tn_perf_record r;
	size_t at = 0;

	while (tn_perf_next(&r, u->room, at, u->n, u->f->big_endian))
		at += r.size;
	write_out(u, u->room, at);
	memmove(u->room, u->room + at, u->n - at);
	u->n -= at;
	/* The size of the record is impossible, so the next record cannot be found. */
	u->broken |= u->n > UINT16_MAX + 8u;
}

static void
unpack_piece(struct unpack *u, const uint8_t *p, size_t n)
{
	struct bytes_in in = { p, n, 0 };
	struct bytes_out out;

	do {
		if (u->size - u->n < PIECE) {
			uint8_t *more = realloc(u->room, u->n + 2 * PIECE + TN_MAP_SLACK);

			u->no_memory |= !more;
			if (!more)
				return;
			u->room = more;
			u->size = u->n + 2 * PIECE;
		}
		out = (struct bytes_out) { u->room + u->n, u->size - u->n, 0 };
		if (u->is_error(u->run(u->stream, &out, &in))) {
			u->broken = true;
			return;
		}
		u->n += out.at;
		flush(u);
	} while (!u->broken && !u->full && (in.at < in.size || out.at == out.size));
}

/* Unpack all records; the offset of the first one that cannot be unpacked. */
static uint64_t
run(struct unpack *u)
{
	const struct tn_perf_file *f = u->f;
	struct tn_perf_record r;
	uint64_t at = f->data_at;

	u->stream = u->create();
	u->no_memory |= !u->stream;
	for (; !u->no_memory && !u->full && tn_perf_next(&r, f->p, at, f->data_end, f->big_endian); at = r.next) {
		uint64_t n = r.size - 8;

		if (r.type != TN_PERF_COMPRESSED && r.type != TN_PERF_COMPRESSED2) {
			write_out(u, r.p, (size_t)(r.next - at));
			continue;
		}
		if (r.type == TN_PERF_COMPRESSED2) {
			n = r.size >= 16 ? tn_perf_u64(r.p + 8, f->big_endian) : 0;
			n = n <= r.size - 16u ? n : 0;
		}
		unpack_piece(u, r.p + r.size - (r.type == TN_PERF_COMPRESSED2 ? r.size - 16 : n), (size_t)n);
		if (u->broken)
			break;
	}
	if (u->stream)
		u->release(u->stream);
	return at;
}

/* ---- the cache ---- */

/* The place of the unpacked records in the cache; NULL: they are not kept. */
static struct tn_unpack *
find_kept(const struct tn_trace *trace)
{
	const struct tn_open_options *o = trace->options;
	const struct tn_perf_trace *own = trace->own;
	struct tn_unpack *kept = NULL;

	if (!o || o->no_index_cache || o->growing || trace->memory || tn_unpack_begin_own(&kept, trace->path, KIND, NULL) < 0)
		return NULL;
	if (!tn_map_is_at(&own->map, trace->path)) {
		tn_unpack_free(kept);
		return NULL;
	}
	return kept;
}

/* Map the records that an earlier run kept. */
static bool
map_kept(const struct tn_unpack *kept, struct tn_map *map)
{
	char *path = kept && tn_unpack_is_done(kept) ? tn_printed("%s/" NAME, tn_unpack_folder(kept)) : NULL;
	bool is = path && tn_map_open(map, path, NULL) == TN_OK;

	free(path);
	return is;
}

/* Make the file for the records, in the folder that is kept or without a name. */
static enum tn_code
make_file(int *fd, const struct tn_unpack *kept, struct tn_map *map, struct tn_error *err)
{
	char *path = kept && !tn_unpack_is_done(kept) ? tn_printed("%s/" NAME, tn_unpack_folder(kept)) : NULL;

	*fd = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
	free(path);
	return *fd < 0 ? tn_map_scratch(map, fd, 0, err) : TN_OK;
}

static enum tn_code
unpack_all(struct unpack *u, struct tn_unpack *kept, struct tn_map *map, struct tn_error *err)
{
	const struct tn_perf_file *f = u->f;
	enum tn_code rc = load(u, err);
	uint64_t at;

	if (rc == TN_OK)
		rc = make_file(&u->fd, kept, map, err);
	if (rc < 0)
		return rc;
	at = run(u);
	if (u->no_memory)
		return tn_fail_memory(err);
	rc = tn_map_scratch_sized(map, u->fd, u->made, err);
	if (rc == TN_OK && (u->broken || u->full))
		tn_tell(&f->trace->problems, TN_DAMAGE, "%s: the record at byte %" PRIu64 " cannot be unpacked: %" PRIu64
			" bytes are left out", f->trace->path, at, f->data_end - at);
	else if (rc == TN_OK && kept && !tn_unpack_is_done(kept))
		tn_unpack_keep(kept);
	return rc;
}

enum tn_code
tn_perf_unpack(struct tn_perf_file *f, struct tn_map *map, int *spool, struct tn_error *err)
{
	struct tn_unpack *kept = find_kept(f->trace);
	struct unpack u = { .f = f, .fd = -1, .most = (f->data_end - f->data_at) * MOST_TIMES + LEAST_BYTES };
	enum tn_code rc = TN_OK;

	if (map_kept(kept, map))
		u.made = map->size;
	else
		rc = unpack_all(&u, kept, map, err);
	tn_unpack_free(kept);
	f->data_at = 0;
	f->data_end = u.made;
	*spool = u.fd;
	free(u.room);
	if (u.handle)
		dlclose(u.handle);
	return rc;
}
