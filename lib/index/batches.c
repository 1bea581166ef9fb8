#include "index/batches.h"

#include <inttypes.h>

#include "base/ways.h"
#include "index/packet_index.h"
#include "model/loss.h"

void
tn_walk_pool_init(struct tn_walk_pool *pool)
{
	pool->free = NULL;
	pthread_mutex_init(&pool->lock, NULL);
}

void
tn_walk_pool_release(struct tn_walk_pool *pool)
{
	struct tn_walked *w, *next;

	for (w = pool->free; w; w = next) {
		next = w->next;
		tn_batch_release(&w->batch);
		free(w);
	}
	pool->free = NULL;
	pthread_mutex_destroy(&pool->lock);
}

static struct tn_walked *
take(struct tn_walk_pool *pool)
{
	struct tn_walked *w;

	pthread_mutex_lock(&pool->lock);
	w = pool->free;
	if (w)
		pool->free = w->next;
	pthread_mutex_unlock(&pool->lock);
	if (!w) {
		w = calloc(1, sizeof *w);
		if (!w)
			return NULL;
		w->pool = pool;
	}
	w->next = NULL;
	w->user = 0;
	atomic_store_explicit(&w->holders, 1, memory_order_relaxed);
	return w;
}

struct tn_walked *
tn_walked_hold(struct tn_walked *w)
{
	atomic_fetch_add_explicit(&w->holders, 1, memory_order_relaxed);
	return w;
}

void
tn_walked_drop(struct tn_walked *w)
{
	struct tn_walk_pool *pool;

	if (!w || atomic_fetch_sub_explicit(&w->holders, 1, memory_order_acq_rel) != 1)
		return;
	pool = w->pool;
	pthread_mutex_lock(&pool->lock);
	w->next = pool->free;
	pool->free = w;
	pthread_mutex_unlock(&pool->lock);
}

#define MOST_ROWS 2048
_Static_assert(MOST_ROWS <= TN_BATCH_REFS, "a walk gives up to TN_BATCH_REFS rows");

uint32_t
tn_batch_limit(size_t n_streams)
{
	/*
	 * A row has 16 bytes, and a stream may have four batches: together 16 MiB. A batch of one stream should stay in
	 * the processor's inner caches until it is merged and written.
	 */
	size_t limit = ((size_t)1 << 18) / (n_streams ? n_streams : 1);

	if (tn_ways() & TN_WAYS_SMALL)
		return 1;
	return limit > MOST_ROWS ? MOST_ROWS : limit < 64 ? 64 : (uint32_t)limit;
}

/* Rows without a clock come before all others, in the order of the streams (text.md, 8). */
static void
take_time_away(struct tn_batch *b)
{
	for (size_t i = 0; i < b->refs.n; i++)
		b->refs.item[i].time_ns = INT64_MIN;
	b->end.key = INT64_MIN;
}

enum tn_code
tn_packet_check(const struct tn_stream *s, const struct tn_packet *entry, struct tn_error *err)
{
	const struct tn_stream_file *file = &s->file[entry->file];

	if (entry->offset < __atomic_load_n(&file->gone, __ATOMIC_ACQUIRE))
		return tn_fail(err, TN_ERR_SYSTEM, "%s: the packet at byte %" PRIu64 " was dropped while it was read: the limit "
			       "of stored data was reached", file->path, entry->offset);
	/* In a set that grows, an empty file will probably be overwritten soon. The next check of the file reports it. */
	if (!(s->trace->options && s->trace->options->growing ? tn_map_torn(&file->map) : tn_map_cut(&file->map)))
		return TN_OK;
	return tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read: open it again", file->path);
}

/* Clear the batch and return the error. If the packet was dropped on purpose, there is no error. */
static enum tn_code
walk_gone(struct tn_batch *b, struct tn_error *err)
{
	const struct tn_notice lost = {
		.kind = TN_ROW_LOST_PACKETS, .count = 1, .has_range = b->stream->stream_class->clock,
		.begin_ns = b->entry.begin_ns, .end_ns = b->entry.end_ns,
	};

	b->last = true;
	if (b->entry.flags & TN_PACKET_OVERWRITTEN && !tn_batch_notice(b, b->entry.begin_ns, &lost))
		return tn_fail_memory(err);
	return TN_OK;
}

/*
 * Whether the packet has a notice that a count would miss: the packet has the number of events, and the entry shows no
 * loss.
 */
static bool
has_hidden(const struct tn_batch *b)
{
	struct tn_loss loss = tn_loss_find(b->stream->stream_class, &b->entry, b->has_before ? &b->before : NULL);
	bool hidden = false;

	for (size_t i = 0; i < b->notices.n; i++)
		hidden |= b->notices.item[i].kind == TN_ROW_DAMAGE || (!loss.events && !loss.packets);
	return hidden;
}

/*
 * Record the number of events of a packet that was walked completely. This is not done if there is damage or loss inside,
 * which must be reported each time, or in a set that grows.
 */
static void
teach(struct tn_batch *b, struct tn_stream *s)
{
	b->end.events = b->begin.events + b->n_events;
	b->end.noticed = b->begin.noticed || (b->notices.n && has_hidden(b));
	if (b->last && !b->end.noticed && b->entry.n_events == TN_UNKNOWN && !s->trace->options->growing)
		tn_index_learn(s, b->packet, b->end.events);
}

static enum tn_code
walk(struct tn_batch *b, const struct tn_batch_place *place, struct tn_error *err)
{
	struct tn_stream *s = place->stream;
	enum tn_code rc;

	tn_batch_clear(b);
	b->stream = s;
	b->packet = place->packet;
	b->has_before = place->packet > 0;
	b->limit = place->limit;
	b->counts = place->counts;
	b->base_bit = 0;
	rc = tn_index_sure(s, place->packet, &b->entry, &b->before, err);
	if (rc != TN_OK)
		return rc;
	if (place->number == 0)
		b->begin = (struct tn_mark) { .clock = b->entry.clock_start, .key = b->entry.begin_ns };
	else
		b->begin = place->mark;
	b->end = b->begin;
	b->data = s->file[b->entry.file].map.data;
	if (b->data)
		b->data += b->entry.offset;
	if (b->entry.flags & TN_PACKET_GONE)
		return walk_gone(b, err);
	rc = s->trace->ops->walk(b, err);
	if (rc < 0)
		return tn_at(err, rc, "%s: packet %zu", s->path, place->packet);
	if ((rc = tn_packet_check(s, &b->entry, err)) < 0) {
		if (tn_map_torn(&s->file[b->entry.file].map) && !s->trace->options->growing)
			return rc;
		tn_batch_clear(b);	/* the packet was just dropped or overwritten: the next check of the file reports it */
		b->end = b->begin;
		b->entry.flags |= TN_PACKET_GONE;
		if (tn_map_torn(&s->file[b->entry.file].map))
			b->entry.flags |= TN_PACKET_OVERWRITTEN;
		if (place->number > 0)	/* the rows before this batch are already done */
			b->entry.begin_ns = place->mark.key;
		return walk_gone(b, err);
	}
	/* If the walk made no progress, its caller would request the same rows forever. */
	if (b->end.bit == b->begin.bit && b->refs.n == 0 && !b->last)
		b->last = b->begin.noticed = true;
	if (!s->stream_class->clock)
		take_time_away(b);
	teach(b, s);
	return TN_OK;
}

enum tn_code
tn_walk(struct tn_walk_pool *pool, const struct tn_batch_place *place, struct tn_walked **out, struct tn_error *err)
{
	struct tn_walked *w = take(pool);
	enum tn_code rc;

	if (!w)
		return tn_fail_memory(err);
	w->number = place->number;
	rc = walk(&w->batch, place, err);
	if (rc != TN_OK) {
		tn_walked_drop(w);
		return rc;
	}
	*out = w;
	return TN_OK;
}

void
tn_batches_init(struct tn_batches *c)
{
	tn_walk_pool_init(&c->pool);
	c->n = 0;
}

void
tn_batches_release(struct tn_batches *c)
{
	for (size_t i = 0; i < c->n; i++)
		tn_walked_drop(c->kept[i]);
	c->n = 0;
	tn_walk_pool_release(&c->pool);
}

static void
to_front(struct tn_batches *c, size_t i)
{
	struct tn_walked *w = c->kept[i];

	memmove(&c->kept[1], &c->kept[0], i * sizeof *c->kept);
	c->kept[0] = w;
}

enum tn_code
tn_batches_get(struct tn_batches *c, const struct tn_batch_place *place, struct tn_walked **out, struct tn_error *err)
{
	struct tn_walked *w;
	enum tn_code rc;

	for (size_t i = 0; i < c->n; i++) {
		w = c->kept[i];
		if (w->batch.stream == place->stream && w->batch.packet == place->packet &&
		    w->number == place->number) {
			to_front(c, i);
			*out = tn_walked_hold(w);
			return TN_OK;
		}
	}
	if (c->n == TN_BATCHES_ROOM)
		tn_walked_drop(c->kept[--c->n]);
	rc = tn_walk(&c->pool, place, &w, err);
	if (rc != TN_OK)
		return rc;
	c->kept[c->n++] = w;
	to_front(c, c->n - 1);
	*out = tn_walked_hold(w);
	return TN_OK;
}
