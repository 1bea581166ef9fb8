#include "index/packet_index.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/hash.h"
#include "base/now.h"
#include "base/threads.h"
#include "model/loss.h"

#define DROPPED_AT_ONCE 256
#define REACH_BYTES ((uint64_t)512 << 20)	/* reading this number of bytes takes less time than starting a thread */

struct tn_index_guard {
	pthread_mutex_t lock;
	atomic_uint waiting;	/* number of threads that wait for the lock */
	bool news;
	/* For stored entries, which are read-only: new facts are kept in the following arrays. */
	const uint64_t *sums;
	uint8_t *checked;	/* a flag for each block */
	uint64_t *learnt;	/* number of events of each packet; NULL: none is known yet */
};

static void
lock(const struct tn_stream *s)
{
	struct tn_index_guard *g = s->index.guard;

	atomic_fetch_add(&g->waiting, 1);
	pthread_mutex_lock(&g->lock);
	atomic_fetch_sub(&g->waiting, 1);
}

static void
unlock(const struct tn_stream *s)
{
	pthread_mutex_unlock(&s->index.guard->lock);
}

/* Called between two steps of a long operation: lets threads that want only one entry continue first. */
static void
give_way(const struct tn_stream *s)
{
	static const struct timespec moment = { 0, 50000 };

	if (!atomic_load(&s->index.guard->waiting))
		return;
	unlock(s);
	/* Without this pause, a thread that releases the lock and takes it again would keep out all others. */
	nanosleep(&moment, NULL);
	lock(s);
}

enum tn_code
tn_index_guard_new(struct tn_stream *s, struct tn_error *err)
{
	struct tn_index_guard *g = calloc(1, sizeof *g);

	if (!g)
		return tn_fail_memory(err);
	if (pthread_mutex_init(&g->lock, NULL) != 0) {
		free(g);
		return tn_fail_memory(err);
	}
	s->index.guard = g;
	return TN_OK;
}

/* Drop the stored entries. Their file stays mapped until the set is closed. */
static void
leave_stored(struct tn_stream *s)
{
	struct tn_index_guard *g = s->index.guard;

	free(g->checked);
	free(g->learnt);
	g->checked = NULL;
	g->learnt = NULL;
	g->sums = NULL;
	s->index.packet = NULL;
	s->index.n = s->index.room = s->index.n_dropped = 0;
	s->index.mapped = NULL;
	s->index.complete = false;
}

void
tn_index_guard_free(struct tn_stream *s)
{
	if (!s->index.guard)
		return;
	if (s->index.mapped)
		leave_stored(s);
	pthread_mutex_destroy(&s->index.guard->lock);
	free(s->index.guard);
	s->index.guard = NULL;
}

void
tn_index_adopt(struct tn_stream *s, const struct tn_packet *entries, const uint64_t *sums, size_t n,
	       const struct tn_map *map)
{
	struct tn_index_guard *g = s->index.guard;
	size_t blocks = (n + TN_INDEX_BLOCK - 1) / TN_INDEX_BLOCK;

	g->checked = calloc(blocks ? blocks : 1, 1);
	if (!g->checked)
		return;	/* no memory for the optional array: use the slow path */
	g->sums = sums;
	s->index.packet = (struct tn_packet *)entries;	/* mapped, and never written to */
	s->index.n = s->index.room = n;
	s->index.mapped = map;
	s->index.complete = true;
}

uint64_t
tn_index_sum(const struct tn_packet *entries, size_t n)
{
	_Static_assert(sizeof(struct tn_packet) % 8 == 0, "entries are whole words without padding");
	return tn_sum_bytes(UINT64_C(0x9e3779b97f4a7c15) ^ n, entries, n * sizeof *entries);
}

/* Whether an entry has the properties that a walk relies on, whatever the file contains. */
static bool
entry_is_sound(const struct tn_stream *s, const struct tn_packet *p, const struct tn_packet *before)
{
	uint64_t size;

	if (p->file >= s->n_files || p->content_bits > p->size_bits)
		return false;
	size = s->file[p->file].map.size;
	if (p->offset > size || p->size_bits > (size - p->offset) * 8)
		return false;
	return p->begin_ns <= p->end_ns && (!before || before->end_ns <= p->end_ns);
}

static bool
block_is_sound(const struct tn_stream *s, size_t block)
{
	const struct tn_packet *p = s->index.packet;
	size_t first = block * TN_INDEX_BLOCK, n = s->index.n - first;

	if (n > TN_INDEX_BLOCK)
		n = TN_INDEX_BLOCK;
	if (tn_index_sum(p + first, n) != s->index.guard->sums[block])
		return false;
	for (size_t i = first; i < first + n; i++)
		if (!entry_is_sound(s, &p[i], i > first ? &p[i - 1] : NULL))
			return false;
	return true;
}

static enum tn_code
extend(struct tn_stream *s, struct tn_error *err)
{
	enum tn_code rc = s->trace->ops->extend(s, err);

	if (rc < 0)
		return tn_at(err, rc, "%s", s->path);
	s->index.guard->news = true;
	return TN_OK;
}

/* Find packets until entry @i exists and is checked. Begins again if the stored index is damaged. */
static enum tn_code
reach(struct tn_stream *s, size_t i, struct tn_error *err)
{
	for (;;) {
		enum tn_code rc;

		if (i < s->index.n) {
			struct tn_index_guard *g = s->index.guard;
			size_t block = i / TN_INDEX_BLOCK;

			if (!s->index.mapped || g->checked[block])
				return TN_OK;
			if (block_is_sound(s, block)) {
				g->checked[block] = 1;
				return TN_OK;
			}
			leave_stored(s);
			continue;
		}
		if (s->index.complete)
			return TN_END;
		if ((rc = extend(s, err)) < 0)
			return rc;
	}
}

/*
 * Get an entry. For a removed entry, the result is an empty packet at the start of the first existing one, which also has
 * TN_PACKET_GONE.
 */
static struct tn_packet
entry(const struct tn_stream *s, size_t i)
{
	struct tn_packet p;

	if (i >= s->index.n_dropped)
		return *tn_packet_at(&s->index, i);
	p = s->index.packet[0];
	p.size_bits = 0;
	p.end_ns = p.begin_ns;
	p.flags = TN_PACKET_GONE;
	return p;
}

static enum tn_code
get(struct tn_stream *s, size_t i, struct tn_packet *out, struct tn_packet *before, struct tn_error *err)
{
	enum tn_code rc = reach(s, i, err);

	if (rc == TN_OK && before && i > 0)
		rc = reach(s, i - 1, err);
	/* If the stored index was just dropped, find the first entry again. */
	if (rc == TN_OK && i >= s->index.n)
		rc = reach(s, i, err);
	if (rc != TN_OK)
		return rc;
	*out = entry(s, i);
	if (s->index.guard->learnt && out->n_events == TN_UNKNOWN)
		out->n_events = s->index.guard->learnt[i];
	if (before && i > 0)
		*before = entry(s, i - 1);
	return TN_OK;
}

enum tn_code
tn_index_get(struct tn_stream *s, size_t i, struct tn_packet *out, struct tn_packet *before, struct tn_error *err)
{
	enum tn_code rc;

	lock(s);
	rc = get(s, i, out, before, err);
	unlock(s);
	return rc;
}

/* Whether the last known packet begins after @time_ns, so that no later packet can have the first row at this time. */
static bool
is_reached(const struct tn_stream *s, int64_t time_ns)
{
	return s->index.complete || (s->index.n && tn_packet_at(&s->index, s->index.n - 1)->begin_ns > time_ns);
}

/* Find packets until @time_ns is reached, or until the time @until (CLOCK_MONOTONIC; 0: without a limit). */
static enum tn_code
reach_time(struct tn_stream *s, int64_t time_ns, int64_t until, struct tn_error *err)
{
	while (!is_reached(s, time_ns) && !(until && tn_now_ns() >= until)) {
		enum tn_code rc = extend(s, err);

		if (rc < 0)
			return rc;
		give_way(s);
	}
	return TN_OK;
}

/*
 * Compare entry @i, which exists, with its packet, unless it was made from it. False: the entry was wrong; then either
 * all entries were corrected, or the stored index was dropped, and entries must be found again.
 */
static bool
verify(struct tn_stream *s, size_t i)
{
	const struct tn_format *ops = s->trace->ops;
	struct tn_packet *p = i < s->index.n_dropped ? NULL : tn_packet_at(&s->index, i);

	if (!p || !ops->agrees || p->flags & (TN_PACKET_CHECKED | TN_PACKET_LIES | TN_PACKET_GONE))
		return true;
	if (ops->agrees(s, p)) {
		if (!s->index.mapped)
			p->flags |= TN_PACKET_CHECKED;
		return true;
	}
	if (s->index.mapped)
		leave_stored(s);
	else
		ops->put_right(s);
	s->index.guard->news = true;
	return false;
}

static enum tn_code
find(struct tn_stream *s, int64_t time_ns, size_t *out, struct tn_error *err)
{
	struct tn_packet entry;
	size_t lo, hi;	/* packets before lo end earlier; packets from hi on do not */
	enum tn_code rc;

again:
	if ((rc = reach_time(s, time_ns, 0, err)) < 0)
		return rc;
	lo = s->index.n_gone;
	hi = s->index.n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		bool was_stored = s->index.mapped;

		if ((rc = get(s, mid, &entry, NULL, err)) < 0)
			return rc;
		if (was_stored && !s->index.mapped)
			goto again;
		if (entry.end_ns < time_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	/*
	 * Wrong entries may have misled the search: check that the entry before the result is right, and that times do
	 * not fall.
	 */
	if ((lo > s->index.n_gone && !verify(s, lo - 1)) || (lo < s->index.n && !verify(s, lo)))
		goto again;
	*out = lo;
	return TN_OK;
}

enum tn_code
tn_index_sure(struct tn_stream *s, size_t i, struct tn_packet *out, struct tn_packet *before, struct tn_error *err)
{
	enum tn_code rc;

	lock(s);
	do
		rc = get(s, i, out, before, err);
	while (rc == TN_OK && !verify(s, i));
	unlock(s);
	return rc;
}

enum tn_code
tn_index_find(struct tn_stream *s, int64_t time_ns, size_t *out, struct tn_error *err)
{
	enum tn_code rc;

	lock(s);
	rc = find(s, time_ns, out, err);
	unlock(s);
	return rc;
}

/* ---- many streams ---- */

struct reach {
	struct tn_stream *const *stream;
	size_t n;
	int64_t time_ns, until;
	atomic_size_t next;
};

static void
reach_streams(void *user, unsigned number)
{
	struct reach *all = user;
	size_t i;

	(void)number;
	while ((i = atomic_fetch_add(&all->next, 1)) < all->n) {
		struct tn_stream *s = all->stream[i];

		lock(s);
		(void)!reach_time(s, all->time_ns, all->until, NULL);
		unlock(s);
	}
}

bool
tn_index_reach(struct tn_stream *const *stream, size_t n, int64_t time_ns, int64_t budget_ns)
{
	struct reach all = {
		.stream = stream, .n = n, .time_ns = time_ns, .until = budget_ns ? tn_now_ns() + budget_ns : 0,
	};
	struct tn_threads workers;
	unsigned threads = tn_threads_size(0);
	size_t open = 0;
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		if (!tn_index_reaches(stream[i], time_ns)) {
			open++;
			bytes += stream[i]->size;
		}
	if (threads > open)
		threads = (unsigned)open;
	if (threads < 2 || bytes < REACH_BYTES)
		return false;
	tn_threads_start(&workers, threads - 1, reach_streams, &all);
	reach_streams(&all, 0);
	tn_threads_join(&workers);
	return all.until && tn_now_ns() >= all.until;
}

enum tn_code
tn_index_step(struct tn_stream *s, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	lock(s);
	if (!s->index.complete)
		rc = extend(s, err);
	if (rc == TN_OK && s->index.complete)
		rc = TN_END;
	unlock(s);
	return rc;
}

enum tn_code
tn_index_complete(struct tn_stream *s, size_t *n, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	lock(s);
	while (rc == TN_OK && !s->index.complete) {
		rc = extend(s, err);
		give_way(s);
	}
	if (rc == TN_OK && n)
		*n = s->index.n;
	unlock(s);
	return rc;
}

enum tn_code
tn_index_grow(struct tn_stream *s, size_t file, uint64_t size, struct tn_error *err)
{
	enum tn_code rc;

	lock(s);
	if (s->index.mapped)
		leave_stored(s);
	rc = s->trace->ops->grow(s, file, size, err);
	unlock(s);
	return rc < 0 ? tn_at(err, rc, "%s", s->path) : rc;
}

/*
 * Free the entries of dropped packets when they are half of all entries, because a session that never ends must not need
 * more and more memory. The last one is kept, because losses are counted from the previous packet.
 */
static void
drop_gone(struct tn_packet_index *x)
{
	size_t there = x->n - x->n_dropped, n = x->n_gone ? x->n_gone - 1 - x->n_dropped : 0;

	if (x->mapped || n < DROPPED_AT_ONCE || n < there / 2)
		return;
	memmove(x->packet, x->packet + n, (there - n) * sizeof *x->packet);
	x->n_dropped += n;
}

void
tn_index_drop_packets(struct tn_stream *s, size_t n)
{
	lock(s);
	for (size_t i = s->index.n_gone; i < n && i < s->index.n; i++) {
		struct tn_packet *p = tn_packet_at(&s->index, i);

		p->flags |= TN_PACKET_GONE;
		p->n_events = p->content_bits = 0;
		s->file[p->file].leaving = p->offset + p->size_bits / 8;
		s->index.n_gone = i + 1;
	}
	drop_gone(&s->index);
	unlock(s);
}

void
tn_index_lose_file(struct tn_stream *s, size_t file)
{
	struct tn_map *map = &s->file[file].map;

	lock(s);
	(void)!s->trace->ops->grow(s, file, UINT64_MAX, NULL);
	for (size_t i = s->index.n_dropped; i < s->index.n; i++) {
		struct tn_packet *p = tn_packet_at(&s->index, i);

		if (p->file != file)
			continue;
		p->flags |= TN_PACKET_GONE | TN_PACKET_OVERWRITTEN;
		p->n_events = p->content_bits = 0;
	}
	map->device = map->inode = 0;
	unlock(s);
}

void
tn_index_note_breaks(struct tn_stream *s, size_t file, const uint64_t *offset, size_t n)
{
	struct tn_stream_file *f = &s->file[file];
	uint64_t *copy;

	if (n <= f->n_broken)
		return;
	copy = TN_NEW_ARRAY(&s->trace->arena, n, uint64_t);
	if (!copy)
		return;	/* only the row of a mark is missing */
	memcpy(copy, offset, n * sizeof *copy);
	lock(s);
	f->broken = copy;
	f->n_broken = n;
	unlock(s);
}

bool
tn_index_is_complete(struct tn_stream *s)
{
	return tn_index_reaches(s, INT64_MAX);
}

bool
tn_index_reaches(struct tn_stream *s, int64_t time_ns)
{
	bool reached;

	lock(s);
	reached = is_reached(s, time_ns);
	unlock(s);
	return reached;
}

bool
tn_index_has_news(struct tn_stream *s)
{
	bool news;

	lock(s);
	news = s->index.guard->news;
	unlock(s);
	return news;
}

void
tn_index_learn(struct tn_stream *s, size_t i, uint64_t n_events)
{
	struct tn_index_guard *g = s->index.guard;

	lock(s);
	if (i >= s->index.n || i < s->index.n_dropped) {
		/* The stored index or a packet was dropped meanwhile. */
	} else if (!s->index.mapped) {
		tn_packet_at(&s->index, i)->n_events = n_events;
		g->news = true;
	} else {
		if (!g->learnt && (g->learnt = malloc(s->index.n * sizeof *g->learnt)))
			memset(g->learnt, 0xff, s->index.n * sizeof *g->learnt);	/* TN_UNKNOWN */
		if (g->learnt) {
			g->learnt[i] = n_events;
			g->news = true;
		}
	}
	unlock(s);
}

/* ---- public functions for packets (tnav/trace.h) ---- */

size_t
tn_stream_packet_count(const struct tn_stream *s)
{
	if (!s)
		return 0;

	size_t n;

	if (!s->index.guard)
		return s->index.n;
	lock(s);
	n = s->index.n;
	unlock(s);
	return n;
}

/* Get an existing entry, without searching for packets. */
static bool
look(const struct tn_stream *stream, size_t i, struct tn_packet *out, struct tn_packet *before)
{
	struct tn_stream *s = (struct tn_stream *)stream;	/* the lock and the marks of checks are not its value */
	bool found = false;

	lock(s);
	if (i < s->index.n)
		found = get(s, i, out, before, NULL) == TN_OK;
	unlock(s);
	return found;
}

enum tn_code
tn_stream_packet(const struct tn_stream *s, size_t i, struct tn_packet_info *out)
{
	if (!s || !out)
		return TN_ERR_ARGUMENT;

	const struct tn_clock *clock = s->stream_class->clock;
	struct tn_packet p, before;
	struct tn_loss loss;

	if (!look(s, i, &p, &before))
		return TN_END;
	loss = tn_loss_find(s->stream_class, &p, i ? &before : NULL);
	/* Use the packet's own times; the bounds in the index are only for searches. */
	if (clock && p.begin_cycles != TN_UNKNOWN)
		p.begin_ns = tn_clock_ns(clock, p.begin_cycles);
	if (clock && p.end_cycles != TN_UNKNOWN)
		p.end_ns = tn_clock_ns(clock, p.end_cycles);
	*out = (struct tn_packet_info) {
		.offset = p.offset,
		.path = s->file[p.file].path,
		.size_bits = p.size_bits,
		.content_bits = p.content_bits,
		.has_time = clock && !clock->beyond && p.begin_ns != INT64_MIN,
		.begin_ns = p.begin_ns,
		.end_ns = p.end_ns,
		.sequence = p.sequence,
		.discarded = p.discarded,
		.lost_events = loss.events,
		.lost_packets = loss.packets,
		.events = p.n_events,
		.damaged = p.flags & (TN_PACKET_BAD | TN_PACKET_CUT),
	};
	return TN_OK;
}

int64_t
tn_index_end_of_trace(const struct tn_set *set, const struct tn_trace *t)
{
	int64_t end = INT64_MIN;

	for (size_t i = 0; i < t->n_streams; i++) {
		struct tn_packet_info last;
		size_t n = 0;

		if (set->grown || !tn_index_is_complete(t->stream[i]) || tn_index_complete(t->stream[i], &n, NULL) != TN_OK)
			return INT64_MAX;
		if (n && (tn_stream_packet(t->stream[i], n - 1, &last) != TN_OK || !last.has_time))
			return INT64_MAX;
		end = n && last.end_ns > end ? last.end_ns : end;
	}
	return end == INT64_MIN ? INT64_MAX : end;
}

const uint8_t *
tn_stream_packet_bytes(const struct tn_stream *s, size_t i, size_t *size)
{
	if (!s || !size)
		return NULL;

	struct tn_packet p;

	if (!look(s, i, &p, NULL))
		return NULL;
	*size = (size_t)(p.size_bits / 8);
	if (s->trace->ops->bring && !s->trace->ops->bring(s, &p))
		return NULL;
	return s->file[p.file].map.data + p.offset;
}
