/* metadata.c - write received metadata to the spool; after a lost connection, find the trace that continues */
#include "live/client.h"

#include <string.h>

#include "base/messages.h"

#define MOST_METADATA ((uint64_t)256 << 20)	/* limit of bytes for all traces */

static enum tn_code
receive_metadata(struct tn_live *live, struct tn_live_trace *t, uint64_t n, struct tn_error *err)
{
	uint8_t bytes[4096];

	if (n > MOST_METADATA || live->metadata_bytes + n > MOST_METADATA)
		return tn_live_lies(live, err, _("bytes of metadata"), n);
	live->metadata_bytes += n;
	while (n) {
		size_t some = n < sizeof bytes ? (size_t)n : sizeof bytes;
		enum tn_code rc = tn_live_receive(&live->connection, bytes, some, err);

		if (rc < 0)
			return rc;
		tn_str_add(&t->metadata, bytes, some);
		if (t->metadata.failed)
			return tn_live_no_memory(live, err);
		n -= some;
	}
	return TN_OK;
}

static size_t
common(const struct tn_str *a, const struct tn_str *b)
{
	size_t n = a->n < b->n ? a->n : b->n;

	return n && memcmp(a->text, b->text, n) == 0 ? n : 0;
}

/* The streams of trace @to continue the lost streams of @from, in the same files. */
static void
take_over_streams(struct tn_live *live, size_t to, size_t from)
{
	for (size_t i = 0; i < live->streams.n; i++) {
		struct tn_live_known *k = &live->streams.item[i];

		for (size_t l = 0; k->here && k->trace == to && l < live->streams.n; l++) {
			struct tn_live_known *lost = &live->streams.item[l];

			if (lost->here || lost->trace != from || strcmp(lost->name, k->name) != 0)
				continue;
			k->begin = lost->begin;
			k->size = lost->size;
			TN_ARRAY_RELEASE(&k->breaks);
			memcpy(&k->breaks, &lost->breaks, sizeof k->breaks);
			memset(&lost->breaks, 0, sizeof lost->breaks);
			k->end = lost->end;
			k->has_times = k->skipping = lost->has_times;
			if (lost->has_until) {
				k->has_until = true;
				k->until = lost->until;
			}
			lost->ended = true;
		}
	}
}

/* After a lost connection: find the trace whose metadata begins in the same way. */
static bool
go_on_with_lost(struct tn_live *live, struct tn_live_trace *t)
{
	for (size_t i = 0; i < live->traces.n; i++) {
		struct tn_live_trace *lost = &live->traces.item[i];

		if (lost->here || !lost->path || strcmp(lost->name, t->name) != 0 || !common(&lost->metadata, &t->metadata))
			continue;
		pthread_mutex_lock(&live->lock);
		t->path = lost->path;
		t->stored = lost->stored;
		lost->path = NULL;
		take_over_streams(live, (size_t)(t - live->traces.item), i);
		pthread_mutex_unlock(&live->lock);
		return true;
	}
	return false;
}

/* Write the received bytes to the spool, and make the trace's folder if needed. */
static enum tn_code
store_metadata(struct tn_live *live, struct tn_live_trace *t, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	if (t->metadata.n == 0)
		return TN_OK;
	if (!t->path && !go_on_with_lost(live, t)) {
		char *path = tn_spool_trace(&live->spool, t->name, err);

		rc = path ? tn_spool_put(&live->spool, path, "metadata", t->metadata.text, t->metadata.n, err)
			  : TN_ERR_SYSTEM;
		if (rc == TN_OK)
			t->stored = t->metadata.n;
		pthread_mutex_lock(&live->lock);
		t->path = path;
		pthread_mutex_unlock(&live->lock);
	}
	if (rc == TN_OK && t->stored < t->metadata.n) {
		rc = tn_spool_append(&live->spool, t->path, "metadata", t->metadata.text + t->stored,
				     t->metadata.n - t->stored, err);
		t->stored = t->metadata.n;
	}
	if (rc < 0)
		live->fatal = true;
	return rc;
}

enum tn_code
tn_live_request_metadata(struct tn_live *live, struct tn_live_trace *t, struct tn_error *err)
{
	uint8_t out[8], in[12];
	enum tn_code rc = TN_OK;
	bool more = t->has_metadata && !t->metadata_ended;

	t->wants_metadata = false;
	tn_live_put64(out, t->metadata_id);
	while (more) {
		uint64_t n;

		if ((rc = tn_live_request(live, TN_LIVE_GET_METADATA, out, sizeof out, in, sizeof in, err)) < 0)
			return rc;
		if (live->had_session)
			tn_live_note_no_packets(live);
		n = tn_live_get64(in);
		switch (tn_live_get32(in + 8)) {
		case TN_LIVE_METADATA_OK:
			if ((rc = receive_metadata(live, t, n, err)) < 0)
				return rc;
			more = n > 0;	/* no bytes, after a clear: ask later */
			t->wants_metadata = n == 0;
			break;
		case TN_LIVE_METADATA_NONE:
			more = false;
			break;
		case TN_LIVE_METADATA_ERROR:
			more = false;
			t->metadata_ended = true;
			break;
		default:
			return tn_live_lies(live, err, _("status of metadata"), tn_live_get32(in + 8));
		}
	}
	return store_metadata(live, t, err);
}

enum tn_code
tn_live_request_all_metadata(struct tn_live *live, bool only_missing, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < live->traces.n; i++) {
		struct tn_live_trace *t = &live->traces.item[i];

		if (t->here && (!only_missing || !t->path || t->wants_metadata))
			rc = tn_live_request_metadata(live, t, err);
	}
	return rc;
}
