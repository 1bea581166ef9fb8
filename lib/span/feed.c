#include "span/feed.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "order/merge.h"
#include "scan/asker.h"

/* Waiting records of one piece. */
struct chunk {
	struct tn_record_buffer records;
	size_t at;		/* number of bytes already taken */
	struct chunk *next;
};

struct line {
	struct chunk *first, *last;
	int64_t bound_ns;	/* lower bound of the keys of later records */
	bool ended;		/* no more records will follow */
};

/* The notices of a packet wait until all earlier records are delivered, so that a caller that stops gets no later notice. */
struct notice {
	tn_merge_key key;
	struct tn_row row;	/* owns its text */
};

struct feed {
	const struct tn_scan_options *asked;
	TN_ARRAY(struct notice) notice;	/* in order */
	size_t told;			/* number of notices that are already reported */
	bool no_memory;
	const struct tn_feed_ops *ops;
	void *user;
	struct line *line;	/* for each stream, by rank */
	tn_merge_key *heap;
	size_t n;
	struct chunk *spare;
	bool done;
};

bool
tn_record_reserve(struct tn_record_buffer *out, size_t size)
{
	size_t room = out->room ? 2 * out->room : 16384;
	uint8_t *bytes;

	while (room - out->n < size)
		room *= 2;
	bytes = realloc(out->bytes, room);
	if (!bytes)
		return false;
	out->bytes = bytes;
	out->room = room;
	return true;
}

static struct tn_record *
record_at(const struct chunk *c)
{
	return (struct tn_record *)(void *)(c->records.bytes + c->at);
}

/* ---- notices ---- */

static int
hold_notice(void *user, const struct tn_row *row)
{
	struct feed *feed = user;
	struct notice n = { tn_merge_key_of(row->location.time_ns, row->location.stream, false), *row }, *at;
	size_t i;

	n.row.text = row->text ? strdup(row->text) : NULL;
	at = n.row.text || !row->text ? TN_ARRAY_ADD(&feed->notice) : NULL;
	if (!at) {
		free((char *)n.row.text);
		feed->no_memory = true;
		return 1;
	}
	for (i = feed->notice.n - 1; i > feed->told && tn_merge_key_less(n.key, feed->notice.item[i - 1].key); i--)
		feed->notice.item[i] = feed->notice.item[i - 1];
	feed->notice.item[i] = n;
	return 0;
}

static enum tn_code
tell_some_notices(struct feed *feed, const tn_merge_key *limit, struct tn_error *err)
{
	int stop = 0;

	for (; feed->told < feed->notice.n && !stop; feed->told++) {
		struct notice *n = &feed->notice.item[feed->told];

		if (limit && tn_merge_key_less(*limit, n->key))
			return TN_OK;
		stop = feed->asked->notice(feed->asked->user, &n->row);
		free((char *)n->row.text);
	}
	if (feed->told == feed->notice.n)
		feed->told = feed->notice.n = 0;
	return stop ? tn_fail(err, TN_ERR_CANCELLED, "stopped") : TN_OK;
}

/* Report the notices that are not after @limit; NULL: all. */
static inline enum tn_code
tell_notices(struct feed *feed, const tn_merge_key *limit, struct tn_error *err)
{
	return feed->notice.n ? tell_some_notices(feed, limit, err) : TN_OK;
}

/* ---- states of pieces ---- */

static void *
make(void *user)
{
	(void)user;
	return calloc(1, sizeof(struct tn_record_buffer));
}

static void
release(void *state)
{
	free(((struct tn_record_buffer *)state)->bytes);
	free(state);
}

static enum tn_code
rows(void *user, void *state, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end,
     struct tn_error *err)
{
	struct feed *feed = user;

	return feed->ops->rows(feed->user, state, reader, b, first, end, err);
}

/* ---- merging ---- */

static enum tn_code
begin(void *user, struct tn_stream *s, int64_t bound_ns, bool empty, struct tn_error *err)
{
	struct feed *feed = user;

	(void)err;
	feed->line[s->rank].bound_ns = bound_ns;
	feed->line[s->rank].ended = empty;
	if (!empty)
		tn_heap_push(feed->heap, &feed->n, tn_merge_key_of(bound_ns, s->rank, false));
	return TN_OK;
}

static void
pop_chunk(struct feed *feed, struct line *line)
{
	struct chunk *c = line->first;

	line->first = c->next;
	if (!line->first)
		line->last = NULL;
	c->next = feed->spare;
	feed->spare = c;
}

/* Deliver the records of @line that come before @limit. */
static enum tn_code
take_run(struct feed *feed, struct line *line, uint32_t rank, tn_merge_key limit, struct tn_error *err)
{
	while (line->first) {
		struct chunk *c = line->first;

		while (c->at < c->records.n) {
			struct tn_record *r = record_at(c);
			tn_merge_key key = tn_merge_key_of(r->key_ns, rank, false);
			enum tn_code rc;

			if (tn_merge_key_less(limit, key))
				return TN_OK;
			rc = tell_notices(feed, &key, err);
			if (rc == TN_OK)
				rc = feed->ops->take(feed->user, r, err);
			if (rc != TN_OK)
				return rc;
			c->at += r->size;
		}
		pop_chunk(feed, line);
	}
	return TN_OK;
}

/* Deliver all records that no later record can precede. */
static enum tn_code
drain(struct feed *feed, struct tn_error *err)
{
	while (feed->n) {
		tn_merge_key top = feed->heap[0], next = tn_merge_key_of(INT64_MAX, UINT32_MAX, false), now;
		uint32_t rank = tn_merge_key_rank(top, false);
		struct line *line = &feed->line[rank];
		enum tn_code rc;

		if (!line->first && line->ended) {
			tn_heap_pop(feed->heap, &feed->n);
			continue;
		}
		now = tn_merge_key_of(line->first ? record_at(line->first)->key_ns : line->bound_ns, rank, false);
		if (tn_merge_key_less(top, now) || tn_merge_key_less(now, top)) {
			tn_heap_replace_top(feed->heap, feed->n, now);
			continue;
		}
		if (!line->first)
			return tell_notices(feed, &now, err);
		if (feed->n > 1)
			next = feed->heap[1];
		if (feed->n > 2 && tn_merge_key_less(feed->heap[2], next))
			next = feed->heap[2];
		rc = take_run(feed, line, rank, next, err);
		if (rc != TN_OK)
			return rc;
	}
	return TN_OK;
}

/* Append the records of a piece to those of its stream. The piece gets the buffer of a delivered piece. */
static enum tn_code
append(struct feed *feed, struct line *line, struct tn_record_buffer *records, struct tn_error *err)
{
	struct chunk *c = feed->spare;
	struct tn_record_buffer empty;

	if (!records->n)
		return TN_OK;
	if (c)
		feed->spare = c->next;
	else if (!(c = calloc(1, sizeof *c)))
		return tn_fail_memory(err);
	empty = c->records;
	empty.n = 0;
	*c = (struct chunk) { .records = *records };
	*records = empty;
	if (line->last)
		line->last->next = c;
	else
		line->first = c;
	line->last = c;
	return TN_OK;
}

static enum tn_code
take_mixed(struct feed *feed, struct tn_record_buffer *records, struct tn_error *err)
{
	struct chunk all = { .records = *records };
	enum tn_code rc = TN_OK;

	while (rc == TN_OK && all.at < all.records.n) {
		struct tn_record *r = record_at(&all);
		tn_merge_key key = tn_merge_key_of(r->key_ns, r->rank, false);

		rc = tell_notices(feed, &key, err);
		if (rc == TN_OK)
			rc = feed->ops->take(feed->user, r, err);
		all.at += r->size;
	}
	records->n = 0;
	return rc;
}

static enum tn_code
deliver(void *user, struct tn_piece *piece, struct tn_error *err)
{
	struct feed *feed = user;
	struct line *line;
	enum tn_code rc;

	if (!piece->stream)
		return take_mixed(feed, piece->state, err);
	line = &feed->line[piece->stream->rank];
	rc = append(feed, line, piece->state, err);
	line->bound_ns = piece->bound_ns;
	line->ended = piece->last;
	return rc == TN_OK ? drain(feed, err) : rc;
}

static void
free_chunks(struct chunk *c)
{
	while (c) {
		struct chunk *next = c->next;

		free(c->records.bytes);
		free(c);
		c = next;
	}
}

enum tn_code
tn_feed_run(struct tn_set *set, const struct tn_scan_options *options, const struct tn_feed_ops *ops, void *user,
	    struct tn_error *err)
{
	const struct tn_pieces_ops pieces = {
		.make = make, .release = release, .rows = rows, .deliver = deliver, .begin = begin, .all = ops->all,
	};
	struct feed feed = { .asked = options, .ops = ops, .user = user };
	struct tn_scan_options how = *options;
	enum tn_code rc;

	tn_answer_with(&how, &feed);
	how.notice = options->notice ? hold_notice : NULL;
	feed.line = calloc(set->n_streams + 1, sizeof *feed.line);
	feed.heap = calloc(set->n_streams + 1, sizeof *feed.heap);
	if (!feed.line || !feed.heap)
		rc = tn_fail_memory(err);
	else
		rc = tn_pieces_run(set, &how, &pieces, &feed, err);
	if (feed.no_memory)
		rc = tn_fail_memory(err);
	if (rc == TN_OK)
		rc = tell_notices(&feed, NULL, err);
	for (size_t i = feed.told; i < feed.notice.n; i++)
		free((char *)feed.notice.item[i].row.text);
	TN_ARRAY_RELEASE(&feed.notice);
	for (size_t i = 0; feed.line && i < set->n_streams; i++)
		free_chunks(feed.line[i].first);
	free_chunks(feed.spare);
	free(feed.line);
	free(feed.heap);
	return rc;
}
