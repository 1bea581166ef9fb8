/*
 * names_events.c - whether an event class has any events
 *
 * A tracer describes each event that it could have recorded. The answer must not depend on a digest. Without the counts
 * of a digest, packets are walked (first the first one of each stream) until an event of one of the classes is found.
 */
#include "digest/counts.h"
#include "index/batches.h"
#include "language/names_index.h"

static void
see(struct tn_names *names, const struct tn_stream *stream, uint32_t event_class)
{
	/* A notice does not have a class, and classes that were added later do not have names. */
	if (stream->rank < names->n_streams && event_class < names->trace_classes[stream->rank])
		names->events.seen[names->first_class[stream->rank] + event_class] = true;
}

/* Use the counts of the digest. False: the digest does not know the packet. */
static bool
recall(struct tn_names *names, const struct tn_stream *stream, size_t packet)
{
	const struct tn_trace *trace = stream->trace;
	struct tn_column *column;
	struct tn_counts counts;
	bool known = false;
	uint32_t class;
	uint64_t n;

	if (!trace->digest)
		return false;
	tn_digest_lock(trace->digest);
	column = tn_digest_column(trace->digest, TN_COLUMN_COUNTS, "", false);
	for (size_t s = 0; column && s < trace->n_streams; s++) {
		if (trace->stream[s] != stream || !tn_column_use(trace->digest, column) ||
		    !tn_counts_begin(&counts, tn_column_note(column, s, packet)))
			continue;
		while (tn_counts_next(&counts, trace->n_event_classes, &class, &n))
			see(names, stream, class);
		known = tn_counts_end(&counts);
		break;
	}
	tn_digest_unlock(trace->digest);
	return known;
}

/* Walk a packet. TN_END: the stream has no such packet. */
static enum tn_code
walk(struct tn_names *names, struct tn_walk_pool *pool, struct tn_stream *stream, size_t packet, struct tn_error *err)
{
	struct tn_batch_place place = { .stream = stream, .packet = packet, .limit = TN_BATCH_REFS };
	bool last = false;

	while (!last) {
		struct tn_walked *w;
		enum tn_code rc = tn_walk(pool, &place, &w, err);

		if (rc != TN_OK)
			return rc;
		for (size_t i = 0; i < w->batch.refs.n; i++)
			see(names, stream, w->batch.refs.item[i].event_class);
		place.mark = w->batch.end;
		place.number++;
		last = w->batch.last;
		tn_walked_drop(w);
	}
	return TN_OK;
}

/* Examine packet @number of all streams. TN_END: no stream has it. */
static enum tn_code
look_at(struct tn_names *names, struct tn_walk_pool *pool, size_t packet, struct tn_error *err)
{
	const struct tn_set *set = names->set;
	bool some = false;

	for (size_t i = 0; i < set->n_streams; i++) {
		enum tn_code rc = recall(names, set->stream[i], packet) ? TN_OK :
				  walk(names, pool, set->stream[i], packet, err);

		if (rc < 0)
			return rc;
		some |= rc == TN_OK;
	}
	return some ? TN_OK : TN_END;
}

static bool
is_seen(const struct tn_names *names, const uint8_t *among)
{
	for (size_t i = 0; i < names->n_classes; i++)
		if (among[i] && names->events.seen[i])
			return true;
	return false;
}

enum tn_code
tn_names_have_events(const struct tn_names *of, const uint8_t *among, bool *out, struct tn_error *err)
{
	struct tn_names *names = (struct tn_names *)of;	/* the cached facts are not part of its value */
	struct tn_walk_pool pool;
	enum tn_code rc = TN_OK;

	tn_walk_pool_init(&pool);
	pthread_mutex_lock(&names->events.lock);
	while (rc == TN_OK && !names->events.all && !is_seen(names, among)) {
		rc = look_at(names, &pool, names->events.packets, err);
		if (rc == TN_OK)
			names->events.packets++;
		names->events.all = rc == TN_END;
	}
	*out = is_seen(names, among);
	pthread_mutex_unlock(&names->events.lock);
	tn_walk_pool_release(&pool);
	return rc < 0 ? rc : TN_OK;
}
