#include "tracedat/chunks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_CHUNK (UINT32_C(16) << 20)		/* largest unpacked size of a chunk; trace-cmd puts 10 pages into a chunk */
#define MOST_TIMES 1000				/* the unpacked size may be this multiple of the packed size */
#define LEAST_BYTES (UINT64_C(1) << 30)		/* plus this number of bytes */

/*
 * In some versions of trace-cmd the total size includes the four bytes of the number of chunks, in others not. So the
 * number of chunks is used (tracedat.md, 3), and a chunk that ends more than four bytes after the size is an error.
 */
static enum tn_code
find_chunks(struct tn_dat_chunks *c, const struct tn_dat_cpu *cpu, struct tn_error *err)
{
	const struct tn_dat_file *f = c->file;
	uint64_t left = cpu->offset < f->size ? f->size - cpu->offset : 0;
	uint64_t end = left > 4 && cpu->size < left - 4 ? cpu->offset + cpu->size + 4 : f->size;
	struct tn_dat_in in = { f->p, cpu->offset, end, f->big_endian, cpu->offset > f->size };
	uint64_t n = in.bad || !cpu->size ? 0 : tn_dat_number(&in, 4), most = f->size * MOST_TIMES + LEAST_BYTES, i;
	struct tn_dat_chunk *one;

	for (i = 0; i < n && !in.bad; i++) {
		uint32_t packed = (uint32_t)tn_dat_number(&in, 4), size = (uint32_t)tn_dat_number(&in, 4);
		uint64_t at = in.at;

		tn_dat_bytes(&in, packed);
		if (in.bad || size > MOST_CHUNK || size > most - c->size)
			break;
		if (!(one = TN_ARRAY_ADD(&c->list)))
			return tn_fail_memory(err);
		*one = (struct tn_dat_chunk) { .at = at, .out = c->size, .packed = packed, .size = size };
		c->size += size;
	}
	if (in.bad || i < n)
		tn_tell(&f->trace->problems, TN_DAMAGE, "%s: processor %" PRIu32 ": the compressed data ends at chunk "
			"%" PRIu64 " of %" PRIu64 ": the file was cut, or is damaged", f->trace->path, cpu->cpu, i, n);
	return TN_OK;
}

enum tn_code
tn_dat_chunks_open(struct tn_dat_chunks *c, const struct tn_dat_file *file, const struct tn_dat_cpu *cpu, struct tn_map *map,
		   struct tn_error *err)
{
	enum tn_code rc;

	*c = (struct tn_dat_chunks) { .file = file, .fd = -1 };
	pthread_mutex_init(&c->lock, NULL);
	rc = find_chunks(c, cpu, err);
	if (rc == TN_OK && c->size)
		rc = tn_map_scratch(map, &c->fd, c->size, err);
	return rc < 0 ? tn_at(err, rc, "%s: the compressed data", file->trace->path) : rc;
}

static bool
unpack(struct tn_dat_chunks *c, const struct tn_dat_chunk *chunk)
{
	uint8_t *room = malloc(chunk->size ? chunk->size : 1);
	bool good = room && tn_unpacker_run(&c->file->unpacker, room, chunk->size, c->file->p + chunk->at, chunk->packed);
	uint64_t done = 0;

	while (good && done < chunk->size) {
		ssize_t n = pwrite(c->fd, room + done, (size_t)(chunk->size - done), (off_t)(chunk->out + done));

		good = n > 0;
		done += good ? (uint64_t)n : 0;
	}
	free(room);
	return good;
}

static bool
bring_one(struct tn_dat_chunks *c, struct tn_dat_chunk *chunk)
{
	unsigned char state = __atomic_load_n(&chunk->state, __ATOMIC_ACQUIRE);

	if (state == TN_CHUNK_PACKED) {
		pthread_mutex_lock(&c->lock);
		state = chunk->state;
		if (state == TN_CHUNK_PACKED) {
			state = unpack(c, chunk) ? TN_CHUNK_THERE : TN_CHUNK_BROKEN;
			__atomic_store_n(&chunk->state, state, __ATOMIC_RELEASE);
		}
		pthread_mutex_unlock(&c->lock);
	}
	return state == TN_CHUNK_THERE;
}

bool
tn_dat_chunks_bring(struct tn_dat_chunks *c, uint64_t from, uint64_t to)
{
	size_t lo = 0;
	bool good = true;

	/* Find the last chunk that begins at or before @from. */
	TN_BISECT(lo, c->list.n, mid, c->list.item[mid].out <= from);
	for (size_t i = lo ? lo - 1 : 0; i < c->list.n && c->list.item[i].out < to; i++)
		good &= bring_one(c, &c->list.item[i]);
	return good;
}

void
tn_dat_chunks_release(struct tn_dat_chunks *c)
{
	TN_ARRAY_RELEASE(&c->list);
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	pthread_mutex_destroy(&c->lock);
}
