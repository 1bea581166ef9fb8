/* lttng_index.c - read the tracer's index files (ctf1-binary.md, 11), which are big-endian and not trusted */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/str.h"
#include "ctf/stream.h"

#define HEADER 16
#define ENTRY_1_0 56
#define ENTRY_1_1 72

static uint32_t
be32(const uint8_t *p)
{
	return (uint32_t)(tn_load64_be(p) >> 32);
}

/* Open the index file "DIR/index/name.idx" of the file "DIR/name". */
static bool
open_beside(const struct tn_trace *trace, struct tn_map *map, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
	struct tn_str s = { 0 };
	bool ok;

	tn_str_add(&s, path, folder);
	tn_str_printf(&s, "index/%s.idx", path + folder);
	ok = !s.failed && tn_trace_map(trace, map, s.text, NULL) == TN_OK;
	tn_str_release(&s);
	return ok;
}

/* The identity of an index file. Stored data of the trace depend on the entries, so a changed file has another identity. */
static uint64_t
identity_of(const struct tn_map *map)
{
	uint64_t words[] = { map->device, map->inode, map->size, (uint64_t)map->mtime_ns, (uint64_t)map->ctime_ns };
	uint64_t sum = tn_sum_bytes(9, words, sizeof words);

	if (!map->settled)
		sum = tn_sum_bytes(sum, map->data, map->size);
	return sum ? sum : 1;
}

bool
tn_ctf_lttng_index_open(struct tn_ctf_lttng_index *out, const struct tn_trace *trace, const char *path, uint64_t file_size)
{
	struct tn_packet first, last;
	const uint8_t *p;

	memset(out, 0, sizeof *out);
	if (!open_beside(trace, &out->map, path))
		return false;
	out->identity = identity_of(&out->map);
	p = out->map.data;
	if (out->map.size < HEADER || be32(p) != 0xc1f1dcc1 || be32(p + 4) != 1)
		goto no;
	out->stride = be32(p + 12);
	if (out->stride < ENTRY_1_0 || (out->map.size - HEADER) % out->stride)
		goto no;
	out->n = (out->map.size - HEADER) / out->stride;
	if (!out->n)
		goto no;
	/* The packets must fill the file. A later check finds out whether each begins at the end of the previous one. */
	tn_ctf_lttng_index_entry(out, 0, &first);
	tn_ctf_lttng_index_entry(out, out->n - 1, &last);
	if (first.offset != 0 || last.offset > file_size || last.size_bits / 8 != file_size - last.offset)
		goto no;
	return true;
no:
	tn_map_release(&out->map);
	return false;
}

void
tn_ctf_lttng_index_entry(const struct tn_ctf_lttng_index *index, size_t i, struct tn_packet *out)
{
	const uint8_t *p = index->map.data + HEADER + i * index->stride;

	memset(out, 0, sizeof *out);
	out->offset = tn_load64_be(p);
	out->size_bits = tn_load64_be(p + 8);
	out->content_bits = tn_load64_be(p + 16);
	out->begin_cycles = tn_load64_be(p + 24);
	out->end_cycles = tn_load64_be(p + 32);
	out->discarded = tn_load64_be(p + 40);
	out->sequence = index->stride >= ENTRY_1_1 ? tn_load64_be(p + 64) : TN_UNKNOWN;
	out->n_events = TN_UNKNOWN;
}

void
tn_ctf_lttng_index_ids(const struct tn_ctf_lttng_index *index, size_t i, uint64_t *stream_class, uint64_t *instance)
{
	const uint8_t *p = index->map.data + HEADER + i * index->stride;

	*stream_class = tn_load64_be(p + 48);
	*instance = index->stride >= ENTRY_1_1 ? tn_load64_be(p + 56) : TN_UNKNOWN;
}
