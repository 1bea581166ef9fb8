/*
 * count.c - how many events there are
 *
 * Packets are dealt out to the threads in pieces; what they say of losses and damage is kept with the
 * piece and handed on in the order of the streams.
 */
#include <tnav/query.h>

#include "base/options.h"
#include "base/team.h"
#include "base/ways.h"
#include "digest/digest.h"
#include "index/batches.h"
#include "index/packet_index.h"
#include "model/loss.h"
#include "order/cursor.h"
#include "scan/crew.h"

#define PIECE_BYTES ((uint64_t)2 << 20)
#define PIECE_PACKETS 4096

/* Packets [first, first + n) of a stream. */
struct piece {
	struct tn_stream *stream;
	size_t number;		/* of the stream in its trace */
	size_t first, n;
	uint64_t bytes;
	uint64_t events;
	TN_ARRAY(struct tn_row) notices;	/* texts are owned */
	enum tn_code code;
	struct tn_error err;
};

struct count {
	const struct tn_set *set;
	struct tn_walk_pool pool;
	struct piece piece[TN_CREW_SLOTS];
	size_t stream, packet;	/* the next one to deal out */
	size_t *number;		/* of each stream, by rank, in its trace */
	uint64_t events;
	uint64_t done_bytes, all_bytes;
	int (*notice)(void *user, const struct tn_row *row);
	int (*progress)(void *user, uint64_t done_bytes, uint64_t all_bytes);
	void *user;
};

/* ---- one packet ---- */

static bool
keep_notice(struct piece *piece, const struct tn_batch *b, size_t i)
{
	struct tn_row *row = TN_ARRAY_ADD(&piece->notices);

	if (!row)
		return false;
	tn_row_of(b, i, row);
	if (row->text)
		row->text = strdup(row->text);
	return true;
}

static bool
keep_notices(struct piece *piece, const struct tn_batch *b)
{
	for (size_t i = 0; b->notices.n && i < b->refs.n; i++)
		if (b->refs.item[i].event_class == TN_REF_NOTICE && !keep_notice(piece, b, i))
			return false;
	return true;
}

/* The long way, for packets that have something to say. */
static enum tn_code
walk_packet(struct count *count, struct piece *piece, size_t packet)
{
	struct tn_batch_place place = { .stream = piece->stream, .packet = packet };
	size_t notices = piece->notices.n;
	uint64_t events = 0;
	bool last = false;

	while (!last) {
		struct tn_walked *w;
		enum tn_code rc = tn_walk(&count->pool, &place, &w, &piece->err);

		if (rc != TN_OK)
			return rc;
		events += w->batch.n_events;
		if (!keep_notices(piece, &w->batch)) {
			tn_walked_drop(w);
			return tn_fail_memory(&piece->err);
		}
		last = w->batch.last;
		place.mark = w->batch.end;
		place.number++;
		tn_walked_drop(w);
	}
	piece->events += events;
	/* Losses are found again, whatever is known of the packet; damage only by walking it. */
	while (notices < piece->notices.n && piece->notices.item[notices].kind != TN_ROW_DAMAGE)
		notices++;
	if (piece->notices.n == notices)
		tn_index_learn(piece->stream, packet, events);
	return TN_OK;
}

/* What a scan counted, in a packet that had nothing to say. */
static bool
was_counted(const struct piece *piece, size_t packet, uint64_t *events)
{
	struct tn_digest *digest = piece->stream->trace->digest;
	struct tn_column *column;
	struct tn_note note = { 0 };

	if (!digest)
		return false;
	tn_digest_lock(digest);
	column = tn_digest_column(digest, TN_COLUMN_COUNTS, "", false);
	if (column && tn_column_use(digest, column))
		note = tn_column_note(column, piece->number, packet);
	if (note.bytes && !tn_varint_get(&note.bytes, note.bytes + note.n, events))
		note.bytes = NULL;
	tn_digest_unlock(digest);
	return note.bytes;
}

static enum tn_code
count_packet(struct count *count, struct piece *piece, size_t packet)
{
	const struct tn_format *ops = piece->stream->trace->ops;
	struct tn_packet entry, before;
	struct tn_loss loss;
	uint64_t events;
	enum tn_code rc = tn_index_sure(piece->stream, packet, &entry, &before, &piece->err);

	if (rc != TN_OK || entry.flags & TN_PACKET_GONE)
		return rc;
	if (was_counted(piece, packet, &events)) {
		piece->events += events;
		tn_index_learn(piece->stream, packet, events);
		return TN_OK;
	}
	loss = tn_loss_find(piece->stream->stream_class, &entry, packet ? &before : NULL);
	if (!ops->count || loss.events || loss.packets ||
	    entry.flags & (TN_PACKET_CUT | TN_PACKET_BAD))
		return walk_packet(count, piece, packet);
	rc = ops->count(piece->stream, &entry, &events, &piece->err);
	if (rc == TN_END)
		return walk_packet(count, piece, packet);
	if (rc < 0)
		return tn_at(&piece->err, rc, "%s: packet %zu", piece->stream->path, packet);
	if ((rc = tn_packet_check(piece->stream, &entry, &piece->err)) < 0)
		return piece->stream->trace->options->growing ? walk_packet(count, piece, packet) : rc;
	piece->events += events;
	if (entry.n_events == TN_UNKNOWN)
		tn_index_learn(piece->stream, packet, events);
	return TN_OK;
}

/* ---- the crew's work ---- */

/* Deal out the next packets of a stream. */
static enum tn_code
fill(void *user, size_t slot, struct tn_error *err)
{
	struct count *count = user;
	struct piece *piece = &count->piece[slot];

	for (; count->stream < count->set->n_streams; count->stream++, count->packet = 0) {
		struct tn_stream *s = count->set->stream[count->stream];

		*piece = (struct piece) { .stream = s, .number = count->number[s->rank], .first = count->packet };
		while (piece->bytes < (tn_ways() & TN_WAYS_SMALL ? 1 : PIECE_BYTES) && piece->n < PIECE_PACKETS) {
			struct tn_packet entry;
			enum tn_code rc = tn_index_get(s, count->packet, &entry, NULL, err);

			if (rc < 0)
				return rc;
			if (rc == TN_END)
				break;
			piece->bytes += entry.size_bits / 8;
			piece->n++;
			count->packet++;
		}
		if (piece->n)
			return TN_OK;
	}
	return TN_END;
}

static void
give_back(const struct piece *piece)
{
	struct tn_packet first, last;

	if (tn_index_get(piece->stream, piece->first, &first, NULL, NULL) == TN_OK &&
	    tn_index_get(piece->stream, piece->first + piece->n - 1, &last, NULL, NULL) == TN_OK &&
	    first.file == last.file && first.offset <= last.offset)
		tn_map_pass(&piece->stream->file[first.file].map, first.offset, last.offset + last.size_bits / 8);
}

static void
work(void *user, size_t slot, unsigned thread)
{
	struct count *count = user;
	struct piece *piece = &count->piece[slot];

	(void)thread;
	for (size_t i = 0; i < piece->n && piece->code == TN_OK; i++)
		piece->code = count_packet(count, piece, piece->first + i);
	if (count->all_bytes >= TN_MAP_LARGE)
		give_back(piece);
}

static void
piece_release(struct piece *piece)
{
	for (size_t i = 0; i < piece->notices.n; i++)
		free((char *)piece->notices.item[i].text);
	TN_ARRAY_RELEASE(&piece->notices);
}

static enum tn_code
deliver_piece(struct count *count, const struct piece *piece, struct tn_error *err)
{
	for (size_t i = 0; count->notice && i < piece->notices.n; i++)
		if (count->notice(count->user, &piece->notices.item[i]))
			return tn_fail(err, TN_ERR_CANCELLED, "stopped");
	if (piece->code < 0) {
		if (err)
			*err = piece->err;
		return piece->code;
	}
	count->events += piece->events;
	count->done_bytes += piece->bytes;
	if (count->progress && count->progress(count->user, count->done_bytes, count->all_bytes))
		return tn_fail(err, TN_ERR_CANCELLED, "stopped");
	return TN_OK;
}

static enum tn_code
deliver(void *user, size_t slot, struct tn_error *err)
{
	struct count *count = user;
	enum tn_code rc = deliver_piece(count, &count->piece[slot], err);

	piece_release(&count->piece[slot]);
	return rc;
}

enum tn_code
tn_count(struct tn_set *set, const struct tn_count_options *options, uint64_t *events, struct tn_error *err)
{
	if (!set || !events)
		return tn_fail_null(err);

	static const struct tn_crew_ops ops = { fill, work, deliver, NULL };
	struct tn_count_options o = { TN_COUNT_OPTIONS };
	struct count *count;
	enum tn_code rc;

	*events = 0;
	rc = tn_options_take(&o, sizeof o, options, "tn_count_options", err);
	if (rc < 0)
		return rc;
	count = calloc(1, sizeof *count);
	if (!count || !(count->number = calloc(set->n_streams + 1, sizeof *count->number))) {
		free(count);
		return tn_fail_memory(err);
	}
	for (size_t t = 0; t < set->n_traces; t++)
		for (size_t i = 0; i < set->trace[t]->n_streams; i++)
			if (set->trace[t]->stream[i]->rank < set->n_streams)
				count->number[set->trace[t]->stream[i]->rank] = i;
	count->set = set;
	count->notice = o.notice;
	count->progress = o.progress;
	count->user = o.user;
	for (size_t i = 0; i < set->n_streams; i++)
		count->all_bytes += set->stream[i]->size;
	tn_walk_pool_init(&count->pool);
	rc = tn_crew_run(tn_team_size(o.threads), &ops, count, NULL, err);
	for (size_t i = 0; i < TN_CREW_SLOTS; i++)
		piece_release(&count->piece[i]);
	tn_walk_pool_release(&count->pool);
	*events = count->events;
	free(count->number);
	free(count);
	return rc;
}
