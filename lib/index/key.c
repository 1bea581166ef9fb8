#include <config.h>

#include "index/key.h"

#include <inttypes.h>

#include "base/hash.h"
#include "base/meaning.h"

#define PIECE ((uint64_t)1 << 20)

/* ---- files whose times do not show all changes ---- */

/* The checksum of the bytes of these files; *bytes is their size. With @look false, only the size. */
static uint64_t
sum_unsettled(const struct tn_trace *t, bool look, uint64_t *bytes)
{
	const struct tn_map *last = NULL;
	uint64_t sum = 8;

	*bytes = 0;
	for (size_t i = 0; i < t->n_streams; i++)
		for (size_t k = 0; k < t->stream[i]->n_files; k++) {
			const struct tn_map *map = tn_stream_source(&t->stream[i]->file[k]);

			if (map->settled || map == last)
				continue;
			last = map;
			*bytes += map->size;
			for (uint64_t at = 0; look && at < map->size; at += PIECE) {
				uint64_t n = map->size - at < PIECE ? map->size - at : PIECE;

				sum = tn_sum_bytes(sum, map->data + at, (size_t)n);
				if (map->size >= TN_MAP_LARGE)
					tn_map_pass(map, at, at + n);
			}
		}
	return sum;
}

void
tn_key_begin(struct tn_trace *t)
{
	uint64_t bytes;

	(void)sum_unsettled(t, false, &bytes);
	t->by_content = bytes > 0;
	t->unkept = bytes > TN_KEY_BYTES;
	t->content_sum = sum_unsettled(t, !t->unkept, &bytes);
}

bool
tn_key_is_known(const struct tn_trace *t)
{
	return !t->unkept;
}

bool
tn_key_is_same(const struct tn_trace *t)
{
	uint64_t bytes;

	return !t->unkept && (!t->by_content || sum_unsettled(t, true, &bytes) == t->content_sum);
}

/* ---- the key ---- */

static void
put_clock(struct tn_str *key, const struct tn_clock *c)
{
	tn_str_printf(key, "%" PRIu64 " %" PRId64 " %" PRIu64 " %" PRId64 "\n", c->frequency, c->offset_s, c->offset_cycles,
		      c->shift_ns);
}

static void
put_stream(struct tn_str *key, const struct tn_stream *s)
{
	tn_str_printf(key, "%" PRIu64 " %" PRIu64 "\n", s->stream_class->id, s->id);
	if (s->stream_class->clock)
		put_clock(key, s->stream_class->clock);
	for (size_t k = 0; k < s->n_files; k++) {
		const struct tn_stream_file *f = &s->file[k];
		const struct tn_map *map = tn_stream_source(f);

		tn_str_printf(key, "%s %" PRIu64 " %" PRIu64 " %zu %" PRId64 " %" PRId64 " %016" PRIx64 "\n", f->path, map->device,
			      map->inode, map->size, map->mtime_ns, map->ctime_ns, f->beside);
	}
}

void
tn_key_put(struct tn_str *key, const struct tn_trace *t)
{
	tn_str_printf(key, "%s %u %s %s %s %d %d\n", PACKAGE_VERSION, t->ops->meaning, t->format, t->path,
		      t->options->format ? t->options->format : "", t->big_endian, t->options->no_index_files);
	tn_str_printf(key, "%zu %016" PRIx64 "\n", t->metadata_size, tn_trace_metadata_sum(t));
	for (size_t i = 0; i < t->n_clocks; i++)
		put_clock(key, t->clock[i]);
	for (size_t i = 0; i < t->n_streams; i++)
		put_stream(key, t->stream[i]);
	if (t->by_content)
		tn_str_printf(key, "%016" PRIx64 "\n", t->content_sum);
}
