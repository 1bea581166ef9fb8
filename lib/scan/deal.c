#include "scan/deal.h"

#include <stdlib.h>

#include "base/ways.h"
#include "index/packet_index.h"
#include "model/loss.h"
#include "scan/asker.h"
#include "scan/range.h"

#define LEAST_BYTES ((uint64_t)8 << 10)
#define ALL_BYTES ((uint64_t)8 << 20)	/* limit of bytes in one parcel of each stream together */
#define LARGE_BYTES ((uint64_t)4 << 20)	/* a larger packet is walked by the thread that deals */
#define LARGE_BATCHES 8
#define MOST_COUNTED 4096	/* limit of packets that are counted before the thread does other work */

/* ---- places in streams ---- */

/* The first packet of a stream that has rows in the range. */
static enum tn_code
first_packet(const struct tn_deal *d, struct tn_stream *s, size_t *packet, struct tn_error *err)
{
	*packet = 0;
	if (!d->options->has_begin || !s->stream_class->clock)
		return TN_OK;
	return tn_index_find(s, d->options->begin_ns, packet, err);
}

/* Get the entry of the next packet, if it is in the range. */
static enum tn_code
next_packet(const struct tn_deal *d, struct tn_deal_place *at, struct tn_packet *out, struct tn_packet *before,
	    struct tn_error *err)
{
	enum tn_code rc;

	at->next.packet = tn_packet_from(d->marks, at->next.stream, at->next.packet);
	rc = tn_index_sure(at->next.stream, at->next.packet, out, before, err);
	if (rc == TN_OK && d->options->has_end && out->begin_ns > d->options->end_ns)
		rc = TN_END;
	at->done = rc == TN_END;
	at->bound_ns = at->done ? INT64_MAX : out->begin_ns;
	return rc;
}

static enum tn_code
begin_stream(struct tn_deal *d, struct tn_stream *s, struct tn_error *err)
{
	struct tn_deal_place *at = &d->place[s->rank];
	struct tn_packet entry;
	enum tn_code rc;

	at->next = (struct tn_batch_place) { .stream = s, .limit = d->limit };
	rc = first_packet(d, s, &at->next.packet, err);
	if (rc == TN_OK)
		rc = next_packet(d, at, &entry, NULL, err);
	if (rc == TN_OK)
		tn_heap_push(d->heap, &d->n_heap, tn_merge_key_of(at->bound_ns, s->rank, false));
	return rc < 0 ? rc : TN_OK;
}

enum tn_code
tn_deal_init(struct tn_deal *d, struct tn_set *set, const struct tn_scan_options *options,
	     const struct tn_packet_marks *marks, uint64_t parcel_bytes, struct tn_error *err)
{
	uint64_t bytes = 0;
	enum tn_code rc = TN_OK;

	*d = (struct tn_deal) {
		.set = set, .options = options, .marks = marks, .limit = tn_ways() & TN_WAYS_SMALL ? 1 : 0,
		.parcel_bytes = ALL_BYTES / (set->n_streams + 1),
	};
	if (d->parcel_bytes < LEAST_BYTES)
		d->parcel_bytes = LEAST_BYTES;
	if (d->parcel_bytes > parcel_bytes)
		d->parcel_bytes = parcel_bytes;
	if (tn_ways() & TN_WAYS_SMALL)
		d->parcel_bytes = 1;
	tn_walk_pool_init(&d->pool);
	d->place = calloc(set->n_streams + 1, sizeof *d->place);
	d->heap = calloc(set->n_streams + 1, sizeof *d->heap);
	if (!d->place || !d->heap)
		return tn_fail_memory(err);
	for (size_t i = 0; i < set->n_streams && rc == TN_OK; i++) {
		bytes += set->stream[i]->size;
		rc = begin_stream(d, set->stream[i], err);
	}
	d->gives_back = bytes >= TN_MAP_LARGE;
	return rc;
}

void
tn_deal_release(struct tn_deal *d)
{
	if (!d->set)
		return;
	free(d->place);
	free(d->heap);
	tn_walk_pool_release(&d->pool);
}

/* ---- dealing out ---- */

/* Walk some batches of a packet that is too large for one walk. */
static enum tn_code
deal_large(struct tn_deal *d, struct tn_parcel *parcel, struct tn_deal_place *at, struct tn_error *err)
{
	for (size_t i = 0; i < LARGE_BATCHES; i++) {
		struct tn_walked *w, **kept;
		enum tn_code rc = tn_walk(&d->pool, &at->next, &w, err);

		if (rc != TN_OK)
			return rc < 0 ? rc : TN_OK;
		kept = TN_ARRAY_ADD(&parcel->walked);
		if (!kept) {
			tn_walked_drop(w);
			return tn_fail_memory(err);
		}
		*kept = w;
		at->next.mark = w->batch.end;
		at->next.number++;
		if (w->batch.last) {
			at->next.packet++;
			at->next.number = 0;
			break;
		}
		if (w->batch.refs.n && tn_is_after_range(d->options, &w->batch, w->batch.refs.n - 1)) {
			at->done = true;
			break;
		}
	}
	return TN_OK;
}

/* Whether all rows of the packet are in the range, and the entry shows no reason for a notice. */
static bool
is_plain(const struct tn_deal *d, const struct tn_stream *s, const struct tn_packet *entry, const struct tn_packet *before)
{
	const uint32_t odd = TN_PACKET_CUT | TN_PACKET_BAD | TN_PACKET_GONE | TN_PACKET_OVERWRITTEN | TN_PACKET_LIES |
			     TN_PACKET_BREAK | TN_PACKET_LOSES;
	const struct tn_scan_options *o = d->options;
	struct tn_loss loss;

	if (entry->flags & odd || s->trace->options->growing || o->has_from || o->has_to)
		return false;
	if ((o->has_begin || o->has_end) && (!s->stream_class->clock || (o->has_begin && entry->begin_ns < o->begin_ns) ||
					     (o->has_end && entry->end_ns > o->end_ns)))
		return false;
	loss = tn_loss_find(s->stream_class, entry, before);
	return !loss.events && !loss.packets;
}

static enum tn_code
deal_packets(struct tn_deal *d, struct tn_parcel *parcel, struct tn_deal_place *at, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	size_t counted = 0;

	while (rc == TN_OK && parcel->bytes < d->parcel_bytes) {
		struct tn_packet entry, before;
		bool counts;

		rc = next_packet(d, at, &entry, &before, err);
		if (rc != TN_OK || (parcel->n && at->next.packet != parcel->first + parcel->n))
			break;
		counts = d->counts && is_plain(d, at->next.stream, &entry, at->next.packet ? &before : NULL);
		if (!parcel->n && counts && entry.n_events != TN_UNKNOWN) {
			d->counted += entry.n_events;
			parcel->first = ++at->next.packet;
			if (++counted == MOST_COUNTED)
				break;
			continue;
		}
		/* If the number of rows is limited, the rows are needed. */
		counts &= !d->limit;
		if (parcel->n && counts != parcel->counts)
			break;
		parcel->counts = counts;
		if (!parcel->n)
			parcel->first = at->next.packet;
		if (entry.size_bits / 8 >= LARGE_BYTES) {
			if (parcel->n)
				break;
			return deal_large(d, parcel, at, err);
		}
		parcel->bytes += entry.size_bits / 8 + 64;
		parcel->n++;
		at->next.packet++;
	}
	return rc < 0 ? rc : TN_OK;
}

enum tn_code
tn_deal(struct tn_deal *d, struct tn_parcel *parcel, struct tn_error *err)
{
	struct tn_deal_place *at;
	struct tn_packet entry;
	enum tn_code rc;

	if (!d->n_heap)
		return TN_END;
	at = &d->place[tn_merge_key_rank(d->heap[0], false)];
	parcel->stream = at->next.stream;
	parcel->first = at->next.packet;
	parcel->n = 0;
	parcel->bytes = 0;
	rc = at->next.number ? deal_large(d, parcel, at, err) : deal_packets(d, parcel, at, err);
	if (rc == TN_OK && !at->done)
		rc = next_packet(d, at, &entry, NULL, err);
	if (rc < 0)
		return rc;
	if (!at->done && at->next.number)
		at->bound_ns = at->next.mark.key;
	parcel->last = at->done;
	parcel->bound_ns = at->bound_ns;
	if (at->done)
		tn_heap_pop(d->heap, &d->n_heap);
	else
		tn_heap_replace_top(d->heap, d->n_heap, tn_merge_key_of(at->bound_ns, parcel->stream->rank, false));
	return TN_OK;
}

/* ---- working on a parcel ---- */

static enum tn_code
walk_packet(struct tn_deal *d, const struct tn_parcel *parcel, size_t packet,
	    enum tn_code (*take)(void *user, struct tn_walked *walked, struct tn_error *err), void *user, struct tn_error *err)
{
	struct tn_batch_place at = {
		.stream = parcel->stream, .packet = packet, .limit = d->limit, .counts = parcel->counts,
	};
	bool last = false;
	enum tn_code rc = TN_OK;

	while (rc == TN_OK && !last) {
		struct tn_walked *w;

		rc = tn_walk(&d->pool, &at, &w, err);
		if (rc != TN_OK)
			return rc < 0 ? rc : TN_OK;
		rc = take(user, w, err);
		last = w->batch.last;
		at.mark = w->batch.end;
		at.number++;
		tn_walked_drop(w);
	}
	return rc;
}

enum tn_code
tn_parcel_walk(struct tn_deal *d, struct tn_parcel *parcel,
	     enum tn_code (*take)(void *user, struct tn_walked *walked, struct tn_error *err), void *user, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; i < parcel->walked.n; i++) {
		if (rc == TN_OK)
			rc = take(user, parcel->walked.item[i], err);
		tn_walked_drop(parcel->walked.item[i]);
	}
	parcel->walked.n = 0;
	for (size_t i = 0; i < parcel->n && rc == TN_OK; i++) {
		if (d->options->stopped && d->options->stopped(tn_asker(d->options)))
			return tn_fail(err, TN_ERR_CANCELLED, "stopped");
		rc = walk_packet(d, parcel, parcel->first + i, take, user, err);
	}
	return rc;
}

void
tn_parcel_give_back(const struct tn_deal *d, const struct tn_parcel *parcel)
{
	struct tn_stream *s = parcel->stream;
	struct tn_packet first, last;

	if (d->gives_back && parcel->n && tn_index_get(s, parcel->first, &first, NULL, NULL) == TN_OK &&
	    tn_index_get(s, parcel->first + parcel->n - 1, &last, NULL, NULL) == TN_OK &&
	    first.file == last.file && first.offset <= last.offset)
		tn_map_pass(&s->file[first.file].map, first.offset, last.offset + last.size_bits / 8);
}

void
tn_parcel_release(struct tn_parcel *parcel)
{
	for (size_t i = 0; i < parcel->walked.n; i++)
		tn_walked_drop(parcel->walked.item[i]);
	TN_ARRAY_RELEASE(&parcel->walked);
}
