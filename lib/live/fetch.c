/* fetch.c - get the next index of each stream, and the packets that the indices announce */
#include "live/client.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/messages.h"
#include "base/now.h"

#define MOST_PACKET ((uint64_t)256 << 20)
#define PIECE ((size_t)1 << 20)	/* step by which the buffer grows as bytes arrive */
#define AHEAD 64	/* requests that are sent before the first answer is read */
#define ASKS 200	/* limit of requests for one packet */
#define PAUSE_MS 10
#define SILENCE_NS INT64_C(50000000)
#define MOST_BREAKS 10000	/* limit for a stream */

/* Handle the flags of an answer before the stream's data are decoded. */
static enum tn_code
heed(struct tn_live *live, const struct tn_live_known *k, uint32_t flags, struct tn_error *err)
{
	size_t trace = k->trace;	/* a copy, because new streams may move the array */
	enum tn_code rc = TN_OK;

	if (flags & TN_LIVE_FLAG_METADATA)
		rc = tn_live_request_metadata(live, &live->traces.item[trace], err);
	if (rc == TN_OK && flags & TN_LIVE_FLAG_STREAMS)
		rc = tn_live_request_new_streams(live, err);
	return rc;
}

/* Receive a packet into live->packet. The buffer grows as the bytes arrive. */
static enum tn_code
receive_packet(struct tn_live *live, size_t n, struct tn_error *err)
{
	for (size_t at = 0; at < n; ) {
		size_t some = n - at < PIECE ? n - at : PIECE;
		enum tn_code rc;

		if (live->packet_room < at + some) {
			size_t room = at + some < 2 * live->packet_room ? 2 * live->packet_room : at + some;
			uint8_t *grown = realloc(live->packet, room);

			if (!grown)
				return tn_live_no_memory(live, err);
			live->packet = grown;
			live->packet_room = room;
		}
		if ((rc = tn_live_receive(&live->connection, live->packet + at, some, err)) < 0)
			return rc;
		at += some;
	}
	return TN_OK;
}

/* Request a packet. TN_END: the relay does not have it. */
static enum tn_code
ask_packet(struct tn_live *live, size_t stream, uint64_t offset, size_t n, struct tn_error *err)
{
	uint8_t out[20], in[12];

	for (int i = 0; i < ASKS; i++) {
		uint32_t status, flags;
		enum tn_code rc;

		tn_live_put64(out, live->streams.item[stream].id);
		tn_live_put64(out + 8, offset);
		tn_live_put32(out + 16, (uint32_t)n);
		if ((rc = tn_live_request(live, TN_LIVE_GET_PACKET, out, sizeof out, in, sizeof in, err)) < 0)
			return rc;
		status = tn_live_get32(in);
		flags = tn_live_get32(in + 8);
		if (status == TN_LIVE_PACKET_OK) {
			if (tn_live_get32(in + 4) != n)
				return tn_live_lies(live, err, _("bytes of a packet, not those asked for"), tn_live_get32(in + 4));
			rc = receive_packet(live, n, err);
			return rc == TN_OK && flags ? heed(live, &live->streams.item[stream], flags, err) : rc;
		}
		if (status == TN_LIVE_PACKET_RETRY)
			rc = tn_live_pause(&live->stop, PAUSE_MS, err);
		else if (status == TN_LIVE_PACKET_ERROR && flags)
			rc = heed(live, &live->streams.item[stream], flags, err);
		else if (status == TN_LIVE_PACKET_ERROR || status == TN_LIVE_PACKET_EOF)
			return TN_END;
		else
			return tn_live_lies(live, err, _("status of a packet"), status);
		if (rc < 0)
			return rc;
	}
	return TN_END;
}

static void
hear(struct tn_live *live, struct tn_live_known *k, uint64_t until)
{
	pthread_mutex_lock(&live->lock);
	if (!k->has_until || until > k->until)
		k->until = until;
	k->has_until = true;
	k->heard_ns = tn_now_ns();
	pthread_mutex_unlock(&live->lock);
}

/* Whether the packet was already received before the connection was lost. */
static bool
is_there(struct tn_live_known *k, const struct tn_live_index_record *x)
{
	if (!k->skipping)
		return false;
	if (x->begin < k->begin || (x->begin == k->begin && x->end <= k->end))
		return true;
	k->skipping = false;
	return false;
}

/* Note that the next packet is the first one after a lost connection. Call this before the packet becomes visible. */
static void
note_break(struct tn_live *live, struct tn_live_known *k)
{
	uint64_t *at;

	if (!live->broke)
		return;
	live->broke = false;
	pthread_mutex_lock(&live->lock);
	at = k->breaks.n < MOST_BREAKS ? TN_ARRAY_ADD(&k->breaks) : NULL;
	if (at)
		*at = k->size;
	pthread_mutex_unlock(&live->lock);
}

static enum tn_code
fetch(struct tn_live *live, size_t stream, const struct tn_live_index_record *x, struct tn_error *err)
{
	struct tn_live_known *k = &live->streams.item[stream];
	const struct tn_live_trace *t = &live->traces.item[k->trace];
	enum tn_code rc;

	if (is_there(k, x))
		return TN_OK;
	if (x->size_bits == 0 || x->size_bits % 8 || x->content_bits > x->size_bits || x->size_bits / 8 > MOST_PACKET) {
		tn_live_note(live, TN_DAMAGE, "%s/%s: a packet of %" PRIu64 " bits with a content of %" PRIu64
			     " is left out", t->name, k->name, x->size_bits, x->content_bits);
		return TN_OK;
	}
	rc = ask_packet(live, stream, x->offset, (size_t)(x->size_bits / 8), err);
	k = &live->streams.item[stream];
	t = &live->traces.item[k->trace];
	if (rc == TN_END) {
		tn_live_note(live, TN_DAMAGE, "%s/%s: the relay could not read the packet at byte %" PRIu64, t->name,
			     k->name, x->offset);
		return TN_OK;
	}
	if (rc < 0)
		return rc;
	note_break(live, k);
	rc = tn_spool_append(&live->spool, t->path, k->name, live->packet, (size_t)(x->size_bits / 8), err);
	if (rc < 0) {
		live->fatal = true;
		return rc;
	}
	k->size += x->size_bits / 8;
	k->has_times = true;
	k->begin = x->begin;
	k->end = x->end;
	pthread_mutex_lock(&live->lock);
	live->look.packets++;
	live->look.bytes += x->size_bits / 8;
	live->look.kept += x->size_bits / 8;
	pthread_mutex_unlock(&live->lock);
	hear(live, k, x->end);
	return TN_OK;
}

/* Handle the index of a stream. */
static enum tn_code
take_index(struct tn_live *live, size_t stream, const struct tn_live_index_record *x, bool *moved, struct tn_error *err)
{
	struct tn_live_known *k = &live->streams.item[stream];
	enum tn_code rc;

	if (x->flags && (rc = heed(live, k, x->flags, err)) < 0)
		return rc;
	k = &live->streams.item[stream];
	switch (x->status) {
	case TN_LIVE_INDEX_OK:
		*moved = true;
		return fetch(live, stream, x, err);
	case TN_LIVE_INDEX_INACTIVE:
		hear(live, k, x->end);
		return TN_OK;
	case TN_LIVE_INDEX_RETRY:
	case TN_LIVE_INDEX_EOF:
		return TN_OK;
	case TN_LIVE_INDEX_ERROR:
		tn_live_note(live, TN_WARNING, "%s/%s: the relay has lost this stream",
			     live->traces.item[k->trace].name, k->name);
		/* fall through */
	case TN_LIVE_INDEX_HUP:
		pthread_mutex_lock(&live->lock);
		k->ended = true;
		pthread_mutex_unlock(&live->lock);
		*moved = true;
		return TN_OK;
	default:
		return tn_live_lies(live, err, _("status of an index"), x->status);
	}
}

bool
tn_live_can_request(const struct tn_live *live, size_t i)
{
	const struct tn_live_known *k = &live->streams.item[i];

	return k->here && !k->ended && live->traces.item[k->trace].path;
}

/* Note the time of an answer. While the relay does not answer, its streams do not count as silent. */
static void
note_answer(struct tn_live *live)
{
	int64_t now = tn_now_ns(), gap;

	pthread_mutex_lock(&live->lock);
	gap = live->answered_ns ? now - live->answered_ns : INT64_MAX;
	for (size_t i = 0; gap > SILENCE_NS && i < live->streams.n; i++) {
		int64_t *heard = &live->streams.item[i].heard_ns;

		*heard = gap > now - *heard ? now : *heard + gap;
	}
	live->answered_ns = now;
	pthread_mutex_unlock(&live->lock);
}

/* Request the next index of some of the streams, from *at on. */
enum tn_code
tn_live_turn_some(struct tn_live *live, size_t *at, bool *moved, struct tn_error *err)
{
	struct tn_live_index_record index[AHEAD];
	size_t stream[AHEAD], n = 0;
	enum tn_code rc;

	for (; *at < live->streams.n && n < AHEAD; ++*at) {
		uint8_t out[8];

		if (!tn_live_can_request(live, *at))
			continue;
		stream[n++] = *at;
		tn_live_put64(out, live->streams.item[*at].id);
		if ((rc = tn_live_send_request(&live->connection, TN_LIVE_NEXT_INDEX, out, sizeof out, err)) < 0)
			return rc;
	}
	for (size_t i = 0; i < n; i++) {
		uint8_t in[TN_LIVE_SIZE_INDEX];

		if ((rc = tn_live_receive(&live->connection, in, sizeof in, err)) < 0)
			return rc;
		tn_live_get_index(&index[i], in);
	}
	note_answer(live);
	for (size_t i = 0; i < n; i++)
		if ((rc = take_index(live, stream[i], &index[i], moved, err)) < 0)
			return rc;
	return TN_OK;
}
