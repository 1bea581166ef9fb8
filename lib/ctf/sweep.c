/*
 * sweep.c - search the bytes after an invalid header: they are zeros up to the end, or the next packet follows somewhere
 *
 * The search may have to read the whole file, so it runs in steps, between which the caller can react. It skips holes of
 * the file, and releases pages after use.
 */
#define _GNU_SOURCE	/* memmem() */
#include <string.h>

#include "ctf/stream.h"

#define PIECE ((uint64_t)1 << 20)	/* bytes between two checks for a stop */
#define HEADER ((uint64_t)64 << 10)	/* limit of the size of a header with its context */
#define PROBE 64	/* after this number of zeros, check for a hole */

static bool
all_zero(const uint8_t *p, uint64_t n)
{
	return n && p[0] == 0 && memcmp(p, p + 1, (size_t)n - 1) == 0;
}

static void
pay(uint64_t *budget, uint64_t bytes)
{
	*budget -= bytes < *budget ? bytes : *budget;
}

/* The end of the piece that begins at @at. */
static uint64_t
piece_end(const struct tn_stream_file *file, uint64_t at)
{
	return file->map.size - at < PIECE ? file->map.size : at + PIECE;
}

/* Skip a hole, whose bytes are zeros and need not be read. */
static uint64_t
after_hole(const struct tn_stream_file *file, uint64_t at)
{
	uint64_t left = file->map.size - at;

	return all_zero(file->map.data + at, left < PROBE ? left : PROBE) ? tn_map_skip_hole(&file->map, file->path, at) : at;
}

static void
look_at_zeros(struct tn_ctf_sweep *sweep, const struct tn_stream_file *file)
{
	const uint8_t *data = file->map.data;
	uint64_t at = after_hole(file, sweep->at), end;

	for (end = piece_end(file, at); at < end && all_zero(data + at, end - at < 4096 ? end - at : 4096); )
		at = end - at < 4096 ? end : at + 4096;
	while (at < end && data[at] == 0)
		at++;
	sweep->at = at;
	sweep->in_zeros = at == end && at < file->map.size;
	sweep->zeros = at == file->map.size;
}

/*
 * Whether a header begins at sweep->at. A string in a header may extend to the end of the file, so its bytes are counted
 * in the budget.
 */
static bool
is_header(const struct tn_ctf_sweep *sweep, uint64_t *budget, const struct tn_trace *trace,
	  const struct tn_stream_file *file, const struct tn_stream_class *want, struct tn_ctf_slots *slots)
{
	uint64_t left = file->map.size - sweep->at, room = left < HEADER ? left : HEADER;
	struct tn_machine m = { .p = file->map.data + sweep->at, .end = room * 8, .slot = slots->slot };
	struct tn_ctf_header h;
	enum tn_ctf_flaw flaw = tn_ctf_header_read(&h, &m, trace, want, NULL);

	pay(budget, flaw == TN_CTF_SHORT ? room : m.at / 8);
	return flaw == TN_CTF_FINE && !h.other_uuid;
}

/* Search the next piece for headers. A magic number may extend past the end of the piece. */
static void
look_for_header(struct tn_ctf_sweep *sweep, uint64_t *budget, const struct tn_trace *trace,
		const struct tn_stream_file *file, const struct tn_stream_class *want, struct tn_ctf_slots *slots)
{
	const struct tn_ctf_trace *own = trace->own;
	const uint8_t *data = file->map.data, *p;
	uint64_t size = file->map.size, end;

	sweep->at = after_hole(file, sweep->at);
	end = piece_end(file, sweep->at);
	while (sweep->at < end && !sweep->found && *budget) {
		uint64_t room = size - end < sizeof own->magic - 1 ? size - end : sizeof own->magic - 1;

		p = memmem(data + sweep->at, (size_t)(end + room - sweep->at), own->magic, sizeof own->magic);
		sweep->at = p ? (uint64_t)(p - data) : end;
		if (!p)
			break;
		sweep->found = is_header(sweep, budget, trace, file, want, slots);
		sweep->at += !sweep->found;
	}
}

/* After the first piece the search can be long: read pages ahead, and release them afterwards. */
static void
give_back(const struct tn_stream_file *file, uint64_t from, uint64_t begin, uint64_t at)
{
	if (begin - from < PIECE)
		return;
	tn_map_expect(&file->map, TN_MAP_RUNS);
	tn_map_pass(&file->map, begin, at);
}

bool
tn_ctf_sweep(struct tn_ctf_sweep *sweep, uint64_t *budget, const struct tn_trace *trace, const struct tn_stream_file *file,
	     const struct tn_stream_class *want, uint64_t from)
{
	const struct tn_ctf_trace *own = trace->own;
	uint64_t size = file->map.size;
	struct tn_ctf_slots slots;

	if (!sweep->begun || sweep->from != from)
		*sweep = (struct tn_ctf_sweep) { .begun = true, .in_zeros = true, .from = from, .at = from };
	if (!tn_ctf_slots_init(&slots, trace)) {
		sweep->at = size;
		return true;
	}
	while (sweep->at < size && !sweep->found && *budget && !tn_map_torn(&file->map)) {
		uint64_t begin = sweep->at;

		if (sweep->in_zeros)
			look_at_zeros(sweep, file);
		else if (!own->has_magic)
			sweep->at = size;
		else if (begin == from)
			sweep->at++;
		else
			look_for_header(sweep, budget, trace, file, want, &slots);
		give_back(file, from, begin, sweep->at);
		/* A hole in the file costs at most one piece of the budget. */
		pay(budget, sweep->at - begin < PIECE ? sweep->at - begin + 1 : PIECE);
	}
	tn_ctf_slots_release(&slots);
	if (tn_map_torn(&file->map))
		sweep->at = size;
	return sweep->at >= size || sweep->found;
}
