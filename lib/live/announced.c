/* announced.c - receive the streams and traces that the relay announces */
#include "live/client.h"

#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "base/now.h"

#define MOST_STREAMS 65536	/* limit of streams for one address */

static struct tn_live_trace *
trace_of_id(struct tn_live *live, const struct tn_live_stream_record *r)
{
	struct tn_live_trace *t;

	for (size_t i = 0; i < live->traces.n; i++)
		if (live->traces.item[i].here && live->traces.item[i].id == r->trace)
			return &live->traces.item[i];
	t = TN_ARRAY_ADD(&live->traces);
	if (!t)
		return NULL;
	t->id = r->trace;
	t->here = true;
	t->wants_metadata = true;
	t->name = tn_spool_name(r->folder);
	if (!t->name)
		live->traces.n--;
	return t->name ? t : NULL;
}

static bool
name_is_free(const struct tn_live *live, size_t trace, const char *name)
{
	for (size_t i = 0; i < live->streams.n; i++)
		if (live->streams.item[i].here && live->streams.item[i].trace == trace &&
		    strcmp(live->streams.item[i].name, name) == 0)
			return false;
	return strcmp(name, "metadata") != 0 && strcmp(name, "index") != 0;
}

/* Make the file name of a stream. It has no slashes, and differs from the names of other streams. */
static char *
file_name(const struct tn_live *live, size_t trace, const char *channel)
{
	struct tn_str s = { 0 };
	char *name = tn_spool_name(channel);

	for (char *c = name; c && *c; c++)
		if (*c == '/')
			*c = '_';
	/* If the name exists, add a number: a relay can give all streams the same name. */
	for (size_t i = 1; name; i = i < 4 ? i + 1 : i < live->streams.n ? live->streams.n : i + 1) {
		tn_str_clear(&s);
		tn_str_puts(&s, *name ? name : "stream");
		if (i > 1)
			tn_str_printf(&s, "-%zu", i);
		if (s.failed || name_is_free(live, trace, s.text))
			break;
	}
	free(name);
	s.failed |= !name;
	return tn_str_take(&s);
}

/* The caller holds the lock. */
static bool
add_stream(struct tn_live *live, const struct tn_live_stream_record *r)
{
	struct tn_live_trace *t = trace_of_id(live, r);
	struct tn_live_known *k;
	char *name;
	size_t trace;

	if (!t)
		return false;
	if (r->is_metadata) {
		if (!t->has_metadata) {
			t->has_metadata = true;
			t->metadata_id = r->id;
		}
		return true;
	}
	trace = (size_t)(t - live->traces.item);
	name = file_name(live, trace, r->channel);
	k = name ? TN_ARRAY_ADD(&live->streams) : NULL;
	if (!k) {
		free(name);
		return false;
	}
	*k = (struct tn_live_known) { .id = r->id, .here = true, .trace = trace, .name = name, .heard_ns = tn_now_ns() };
	return true;
}

enum tn_code
tn_live_receive_streams(struct tn_live *live, uint32_t n, struct tn_error *err)
{
	if (n > MOST_STREAMS || live->streams.n + n > MOST_STREAMS || live->traces.n + n > MOST_STREAMS)
		return tn_live_lies(live, err, _("streams"), n);
	for (uint32_t i = 0; i < n; i++) {
		struct tn_live_stream_record r;
		uint8_t in[TN_LIVE_SIZE_STREAM];
		enum tn_code rc = tn_live_receive(&live->connection, in, sizeof in, err);
		bool ok;

		if (rc < 0)
			return rc;
		tn_live_get_stream(&r, in);
		pthread_mutex_lock(&live->lock);
		ok = add_stream(live, &r);
		pthread_mutex_unlock(&live->lock);
		if (!ok)
			return tn_live_no_memory(live, err);
	}
	return TN_OK;
}

static enum tn_code
ask_part(struct tn_live *live, struct tn_live_part *part, struct tn_error *err)
{
	uint8_t out[8], in[8];
	enum tn_code rc;

	if (part->ended)
		return TN_OK;
	tn_live_put64(out, part->id);
	if ((rc = tn_live_request(live, TN_LIVE_NEW_STREAMS, out, sizeof out, in, sizeof in, err)) < 0)
		return rc;
	switch (tn_live_get32(in)) {
	case TN_LIVE_STREAMS_OK:
		return tn_live_receive_streams(live, tn_live_get32(in + 4), err);
	case TN_LIVE_STREAMS_NONE:
		return TN_OK;
	case TN_LIVE_STREAMS_HUP:
	case TN_LIVE_STREAMS_ERROR:
		part->ended = true;
		return TN_OK;
	default:
		return tn_live_lies(live, err, _("status of new streams"), tn_live_get32(in));
	}
}

enum tn_code
tn_live_request_new_streams(struct tn_live *live, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < live->parts.n; i++)
		rc = ask_part(live, &live->parts.item[i], err);
	return rc;
}
