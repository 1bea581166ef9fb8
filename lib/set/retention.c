/*
 * retention.c - limited memory, and on request limited disk space, for traces that grow
 *
 * Rows that are not in their final order yet are always kept. Packets lose their rows in one turn, and their bytes in the
 * next one. So a thread that is reading them has time to finish, and detects it if the time did not suffice.
 */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/folder.h"
#include "base/hash.h"
#include "index/packet_index.h"
#include "set/set.h"

#define HEAD 128	/* bytes at the start of a file, which contain the times of a packet */
#define PASS_BYTES ((uint64_t)8 << 20)

/* Free the bytes of packets whose rows were dropped in an earlier turn. */
static enum tn_code
give_back(struct tn_own_set *own, struct tn_live *live, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < own->set.n_streams; i++) {
		struct tn_stream *s = own->set.stream[i];

		for (size_t k = 0; rc == TN_OK && tn_folder_below(tn_live_folder(live), s->path) && k < s->n_files; k++) {
			struct tn_stream_file *f = &s->file[k];
			uint64_t from = f->gone;

			if (f->leaving <= from)
				continue;
			__atomic_store_n(&f->gone, f->leaving, __ATOMIC_RELEASE);
			rc = tn_live_drop(live, f->path, from, f->leaving, err);
		}
	}
	return rc;
}

/* The size of packets that end before @time_ns; *oldest: begin of the first packet that stays. */
static uint64_t
bytes_before(struct tn_own_set *own, const char *folder, int64_t time_ns, int64_t *oldest)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < own->set.n_streams; i++) {
		struct tn_stream *s = own->set.stream[i];
		struct tn_packet first, last;
		size_t gone = s->index.n_gone, n;

		if (!tn_folder_below(folder, s->path) || s->n_files != 1 || tn_index_find(s, time_ns, &n, NULL) < 0 || n <= gone ||
		    tn_index_get(s, gone, &first, NULL, NULL) != TN_OK || tn_index_get(s, n - 1, &last, NULL, NULL) != TN_OK)
			continue;
		bytes += last.offset + last.size_bits / 8 - first.offset;
		if (first.begin_ns < *oldest)
			*oldest = first.begin_ns;
	}
	return bytes;
}

/* The earliest time before which packets of @bytes end; @most: fewer bytes are before it. */
static int64_t
time_for(struct tn_own_set *own, const char *folder, uint64_t bytes, int64_t most)
{
	int64_t lo = most, hi = most, unused;

	if (bytes_before(own, folder, most, &lo) <= bytes)
		return most;
	while (lo < hi) {
		int64_t mid = (int64_t)((uint64_t)lo + ((uint64_t)hi - (uint64_t)lo) / 2);

		unused = INT64_MAX;
		if (bytes_before(own, folder, mid, &unused) < bytes)
			lo = mid + 1;
		else
			hi = mid;
	}
	return hi;
}

static enum tn_code
shrink(struct tn_own_set *own, struct tn_own_live *l, struct tn_error *err)
{
	const char *folder = tn_live_folder(l->live);
	uint64_t keep = own->options.live_keep;
	struct tn_live_look look;
	int64_t until;
	enum tn_code rc = give_back(own, l->live, err);

	if (rc < 0)
		return rc;
	tn_live_look(l->live, &look);
	if (look.kept <= keep || !own->has_settled)
		return TN_OK;
	/* Drop some more than needed, so that this does not run for each packet. */
	until = time_for(own, folder, look.kept - keep + keep / 16, own->settled_ns);
	for (size_t i = 0; i < own->set.n_streams; i++) {
		struct tn_stream *s = own->set.stream[i];
		size_t n;

		if (tn_folder_below(folder, s->path) && s->n_files == 1 && tn_index_find(s, until, &n, NULL) == TN_OK)
			tn_index_drop_packets(s, n);
	}
	if (!l->told_keep)
		tn_tell(&own->set.problems, TN_WARNING, "%s: the received data exceeds %" PRIu64 " bytes, the limit: the oldest "
			"packets are dropped", l->address, keep);
	l->told_keep = true;
	return TN_OK;
}

bool
tn_file_is_overwritten(const struct tn_stream *s, struct tn_stream_file *f, const struct stat *st)
{
	const char *slash = strrchr(f->path, '/');
	uint64_t head;

	if ((uint64_t)st->st_size < f->map.size)
		return true;
	/* Only a file of a ring has a number after its name. In other files, the start of a packet may well occur twice. */
	if (strcmp(slash ? slash + 1 : f->path, s->name) == 0 || f->map.size < HEAD || tn_map_torn(&f->map))
		return tn_map_torn(&f->map);
	head = tn_sum_bytes(0, f->map.data, HEAD) | 1;
	if (!f->head)
		f->head = head;
	return f->head != head;
}

void
tn_set_pass(struct tn_own_set *own)
{
	for (size_t i = 0; own->has_settled && i < own->set.n_streams; i++) {
		struct tn_stream *s = own->set.stream[i];
		struct tn_stream_file *f = s->file;
		struct tn_packet last;
		size_t n;

		if (s->n_files != 1 || f->map.size < f->passed + PASS_BYTES || !tn_index_reaches(s, own->settled_ns) ||
		    tn_index_find(s, own->settled_ns, &n, NULL) != TN_OK || n == 0 ||
		    tn_index_get(s, n - 1, &last, NULL, NULL) != TN_OK || last.offset < f->passed + PASS_BYTES / 2)
			continue;
		tn_map_pass(&f->map, 0, last.offset);
		f->passed = last.offset;
	}
}

void
tn_set_retain(struct tn_own_set *own)
{
	for (size_t i = 0; own->options.live_keep && i < own->live.n; i++) {
		struct tn_error why = { 0 };

		if (own->live.item[i].cannot_keep || shrink(own, &own->live.item[i], &why) >= 0)
			continue;
		own->live.item[i].cannot_keep = true;
		tn_tell(&own->set.problems, TN_WARNING, "%s: all received data is kept: %s", own->live.item[i].address,
			why.text);
	}
}
