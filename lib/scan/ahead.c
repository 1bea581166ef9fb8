#include "scan/ahead.h"

#include <stdlib.h>

/*
 * In large traces, pages that the merge has passed are released, in pieces. Chunks that are still in work are within LAG
 * of the merge. Small traces keep their pages, because releasing has a cost.
 */
#define GIVE_BACK ((uint64_t)4 << 20)
#define LAG ((uint64_t)2 << 20)

enum state { IDLE, WANTED, WALKING, READY };

struct tn_ahead_stream {
	enum state state;
	bool in_ring;
	/* The file whose pages from byte `read` on are not released yet. Only the merge's thread uses these members. */
	uint32_t file;
	uint64_t read;
	struct tn_batch_place place;
	struct tn_walked *walked;	/* valid if the state is READY and `code` is TN_OK */
	enum tn_code code;
	struct tn_error err;
};

enum tn_code
tn_ahead_init(struct tn_ahead *a, size_t n_streams, bool backward, bool is_on, struct tn_error *err)
{
	*a = (struct tn_ahead) { .backward = backward, .is_on = is_on, .n_streams = n_streams };
	tn_walk_pool_init(&a->pool);
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->walked, NULL);
	a->stream = calloc(n_streams ? n_streams : 1, sizeof *a->stream);
	a->wanted = calloc(n_streams ? n_streams : 1, sizeof *a->wanted);
	return a->stream && a->wanted ? TN_OK : tn_fail_memory(err);
}

/* Release a batch that was walked but not taken. */
static void
drop(struct tn_ahead *a)
{
	for (size_t i = 0; a->stream && i < a->n_streams; i++) {
		if (a->stream[i].state == READY && a->stream[i].code == TN_OK)
			tn_walked_drop(a->stream[i].walked);
		a->stream[i].state = IDLE;
		a->stream[i].in_ring = false;
	}
	a->n_wanted = 0;
}

void
tn_ahead_release(struct tn_ahead *a)
{
	drop(a);
	free(a->stream);
	free(a->wanted);
	pthread_cond_destroy(&a->walked);
	pthread_mutex_destroy(&a->lock);
	tn_walk_pool_release(&a->pool);
}

static void
walk(struct tn_ahead *a, struct tn_ahead_stream *s)
{
	s->code = tn_walk(&a->pool, &s->place, &s->walked, &s->err);
}

bool
tn_ahead_walk_one(struct tn_ahead *a)
{
	struct tn_ahead_stream *s;
	bool more;

	pthread_mutex_lock(&a->lock);
	if (a->n_wanted == 0) {
		pthread_mutex_unlock(&a->lock);
		return false;
	}
	s = &a->stream[a->wanted[a->first_wanted]];
	a->first_wanted = (a->first_wanted + 1) % a->n_streams;
	a->n_wanted--;
	s->in_ring = false;
	if (s->state == WANTED) {	/* otherwise the merge walked it first */
		s->state = WALKING;
		pthread_mutex_unlock(&a->lock);
		walk(a, s);
		pthread_mutex_lock(&a->lock);
		s->state = READY;
		pthread_cond_signal(&a->walked);
	}
	more = a->n_wanted > 0;
	pthread_mutex_unlock(&a->lock);
	return more;
}

/* Take the batch that was walked for @place. False: another batch was walked. The caller holds the lock. */
static bool
take(struct tn_ahead *a, struct tn_ahead_stream *s, const struct tn_batch_place *place, enum tn_code *code,
     struct tn_walked **out, struct tn_error *err)
{
	while (s->state == WALKING)
		pthread_cond_wait(&a->walked, &a->lock);
	if (s->state == WANTED)
		s->state = IDLE;	/* its rank stays in the ring; the thread that finds it sees that it is idle */
	if (s->state != READY)
		return false;
	s->state = IDLE;
	if (s->place.packet != place->packet || s->place.number != place->number) {
		if (s->code == TN_OK)
			tn_walked_drop(s->walked);
		return false;
	}
	*code = s->code;
	if (s->code == TN_OK)
		*out = s->walked;
	else if (err)
		*err = s->err;
	return true;
}

/* The place of the batch that the flow will request next; false: unknown. */
static bool
next_place(const struct tn_ahead *a, const struct tn_walked *w, const struct tn_batch_place *place,
	   struct tn_batch_place *next)
{
	*next = *place;
	next->number = 0;
	if (a->backward) {
		next->packet = tn_packet_before(a->marks, place->stream, place->packet);
		return w->batch.last && place->number == 0 && next->packet-- > 0;
	}
	if (w->batch.last) {
		next->packet = tn_packet_from(a->marks, place->stream, place->packet + 1);
	} else {
		next->number = place->number + 1;
		next->mark = w->batch.end;
	}
	return true;
}

/* Request a walk of the next batch. The rank of a stream is in the ring only once, even if the merge was faster before. */
static void
want(struct tn_ahead *a, uint32_t rank, const struct tn_batch_place *next)
{
	struct tn_ahead_stream *s = &a->stream[rank];

	s->place = *next;
	s->state = WANTED;
	if (s->in_ring)
		return;
	s->in_ring = true;
	a->wanted[(a->first_wanted + a->n_wanted++) % a->n_streams] = rank;
}

static void
give_back(struct tn_ahead_stream *s, const struct tn_batch *b)
{
	uint64_t at = b->entry.offset + b->begin.bit / 8;

	if (b->entry.file != s->file || at < s->read || !s->read) {
		s->file = b->entry.file;
		s->read = at;
	} else if (at - s->read >= GIVE_BACK + LAG) {
		tn_map_pass(&b->stream->file[s->file].map, s->read, at - LAG);
		s->read = at - LAG;
	}
}

static enum tn_code
get(struct tn_ahead *a, const struct tn_batch_place *place, struct tn_walked **out, struct tn_error *err)
{
	uint32_t rank = place->stream->rank;
	struct tn_batch_place next;
	enum tn_code rc;
	bool taken;

	if (!a->is_on)
		return tn_walk(&a->pool, place, out, err);
	pthread_mutex_lock(&a->lock);
	taken = take(a, &a->stream[rank], place, &rc, out, err);
	pthread_mutex_unlock(&a->lock);
	if (!taken)
		rc = tn_walk(&a->pool, place, out, err);
	if (rc != TN_OK)
		return rc;
	if (!next_place(a, *out, place, &next))
		return TN_OK;
	pthread_mutex_lock(&a->lock);
	want(a, rank, &next);
	pthread_mutex_unlock(&a->lock);
	tn_pipeline_wake(a->pipeline);
	return TN_OK;
}

enum tn_code
tn_ahead_get(void *ahead, const struct tn_batch_place *place, struct tn_walked **out, struct tn_error *err)
{
	struct tn_ahead *a = ahead;
	enum tn_code rc = get(a, place, out, err);

	if (rc == TN_OK && a->gives_back)
		give_back(&a->stream[place->stream->rank], &(*out)->batch);
	return rc;
}
