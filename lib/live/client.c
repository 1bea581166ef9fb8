#include "live/client.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/now.h"

#define MOST_SESSIONS 65536
#define MOST_STREAMS 65536	/* of one address */
#define MOST_METADATA ((uint64_t)256 << 20)	/* bytes, of all its traces */
#define MOST_PACKET ((uint64_t)256 << 20)
#define PIECE ((size_t)1 << 20)	/* room grows with what has really come */
#define AHEAD 64	/* requests that are sent before the first answer is read */
#define ASKS 200	/* times that a packet is asked for */
#define PAUSE_MS 10
#define FIRST_PAUSE_MS 20
#define LONGEST_PAUSE_MS 10000

static enum tn_code
lies(struct tn_live *live, struct tn_error *err, const char *what, uint64_t n)
{
	live->fatal = true;
	return tn_fail(err, TN_ERR_FORMAT, "the relay answers what cannot be: %s (%" PRIu64 ")", what, n);
}

static enum tn_code
no_memory(struct tn_live *live, struct tn_error *err)
{
	live->fatal = true;
	return tn_fail_memory(err);
}

/* ---- requests and answers ---- */

static enum tn_code
ask(struct tn_live *live, enum tn_live_command command, const void *payload, size_t n, void *answer, size_t size,
    struct tn_error *err)
{
	enum tn_code rc = tn_live_request(&live->connection, command, payload, n, err);

	return rc == TN_OK ? tn_live_receive(&live->connection, answer, size, err) : rc;
}

enum tn_code
tn_live_connect(struct tn_live *live, struct tn_error *err)
{
	uint8_t out[TN_LIVE_SIZE_CONNECT], in[TN_LIVE_SIZE_CONNECT];
	enum tn_code rc;

	rc = tn_live_connection_open(&live->connection, &live->url, &live->stop, live->options.patience_ms,
				     &live->looking_up, err);
	if (rc < 0)
		return rc;
	tn_live_put64(out, UINT64_MAX);
	tn_live_put32(out + 8, TN_LIVE_MAJOR);
	tn_live_put32(out + 12, TN_LIVE_MINOR);
	tn_live_put32(out + 16, 1);
	if ((rc = ask(live, TN_LIVE_CONNECT, out, sizeof out, in, sizeof in, err)) < 0)
		return rc;
	if (tn_live_get32(in + 8) != TN_LIVE_MAJOR)
		return lies(live, err, "its protocol is of another major version", tn_live_get32(in + 8));
	live->minor = tn_live_get32(in + 12) < TN_LIVE_MINOR ? tn_live_get32(in + 12) : TN_LIVE_MINOR;
	return TN_OK;
}

/* The two texts behind a record of a newer relay; what does not fit is cut. */
static enum tn_code
receive_text(struct tn_live *live, char *out, size_t room, uint32_t n, struct tn_error *err)
{
	char bytes[4096];
	enum tn_code rc;

	if (n > sizeof bytes)
		return lies(live, err, "bytes of a name", n);
	if ((rc = tn_live_receive(&live->connection, bytes, n, err)) < 0)
		return rc;
	if (n >= room)
		n = (uint32_t)room - 1;
	memcpy(out, bytes, n);
	out[n] = '\0';
	return TN_OK;
}

static enum tn_code
receive_session(struct tn_live *live, struct tn_live_session_record *r, struct tn_error *err)
{
	uint8_t in[TN_LIVE_SIZE_SESSION];
	enum tn_code rc;

	*r = (struct tn_live_session_record) { 0 };
	if (live->minor < TN_LIVE_MINOR_LISTS) {
		if ((rc = tn_live_receive(&live->connection, in, TN_LIVE_SIZE_SESSION, err)) < 0)
			return rc;
		tn_live_get_session(r, in);
		return TN_OK;
	}
	if ((rc = tn_live_receive(&live->connection, in, TN_LIVE_SIZE_SESSION_15, err)) < 0)
		return rc;
	r->id = tn_live_get64(in);
	r->timer_us = tn_live_get32(in + 8);
	r->viewers = tn_live_get32(in + 12);
	r->streams = tn_live_get32(in + 16);
	rc = receive_text(live, r->machine, sizeof r->machine, tn_live_get32(in + 20), err);
	return rc == TN_OK ? receive_text(live, r->session, sizeof r->session, tn_live_get32(in + 24), err) : rc;
}

enum tn_code
tn_live_ask_sessions(struct tn_live *live, enum tn_code (*one)(void *, const struct tn_live_session_record *),
		     void *user, struct tn_error *err)
{
	struct tn_live_session_record r;
	uint8_t in[4];
	uint32_t n;
	enum tn_code rc = ask(live, TN_LIVE_LIST, NULL, 0, in, sizeof in, err);

	if (rc < 0)
		return rc;
	n = tn_live_get32(in);
	if (n > MOST_SESSIONS)
		return lies(live, err, "sessions", n);
	for (uint32_t i = 0; i < n; i++) {
		if ((rc = receive_session(live, &r, err)) < 0 || (rc = one(user, &r)) < 0)
			return rc;
	}
	return TN_OK;
}

/* ---- streams that the relay tells of ---- */

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

/* The file of a stream: no slash in it, no other stream's. */
static char *
file_name(const struct tn_live *live, size_t trace, const char *channel)
{
	struct tn_str s = { 0 };
	char *name = tn_spool_name(channel);

	for (char *c = name; c && *c; c++)
		if (*c == '/')
			*c = '_';
	for (unsigned i = 1; name && i < 1000; i++) {
		tn_str_clear(&s);
		tn_str_puts(&s, *name ? name : "stream");
		if (i > 1)
			tn_str_printf(&s, "-%u", i);
		if (s.failed || name_is_free(live, trace, s.text))
			break;
	}
	free(name);
	if (!name || s.failed) {
		tn_str_release(&s);
		return NULL;
	}
	return s.text;
}

/* Guarded. */
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

static enum tn_code
receive_streams(struct tn_live *live, uint32_t n, struct tn_error *err)
{
	if (n > MOST_STREAMS || live->streams.n + n > MOST_STREAMS || live->traces.n + n > MOST_STREAMS)
		return lies(live, err, "streams", n);
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
			return no_memory(live, err);
	}
	return TN_OK;
}

static enum tn_code
ask_new_streams(struct tn_live *live, struct tn_live_part *part, struct tn_error *err)
{
	uint8_t out[8], in[8];
	enum tn_code rc;

	if (part->ended)
		return TN_OK;
	tn_live_put64(out, part->id);
	if ((rc = ask(live, TN_LIVE_NEW_STREAMS, out, sizeof out, in, sizeof in, err)) < 0)
		return rc;
	switch (tn_live_get32(in)) {
	case TN_LIVE_STREAMS_OK:
		return receive_streams(live, tn_live_get32(in + 4), err);
	case TN_LIVE_STREAMS_NONE:
		return TN_OK;
	case TN_LIVE_STREAMS_HUP:
	case TN_LIVE_STREAMS_ERROR:
		part->ended = true;
		return TN_OK;
	default:
		return lies(live, err, "status of new streams", tn_live_get32(in));
	}
}

static enum tn_code
ask_all_new_streams(struct tn_live *live, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < live->parts.n; i++)
		rc = ask_new_streams(live, &live->parts.item[i], err);
	return rc;
}

/* ---- sessions ---- */

static const char *
why_not(uint32_t status)
{
	switch (status) {
	case TN_LIVE_ATTACH_TAKEN: return "another viewer has it: a relay gives a session to one viewer at a time";
	case TN_LIVE_ATTACH_UNKNOWN: return "it has just been closed";
	case TN_LIVE_ATTACH_NOT_LIVE: return "it is not a live session: create it with --live";
	case TN_LIVE_ATTACH_SEEK: return "the relay cannot begin there";
	default: return "the relay does not let us";
	}
}

static enum tn_code
attach(struct tn_live *live, const struct tn_live_session_record *r, struct tn_error *err)
{
	uint8_t out[20] = { 0 }, in[8];
	struct tn_live_part *part;
	uint32_t status;
	enum tn_code rc;

	tn_live_put64(out, r->id);
	tn_live_put32(out + 16, live->options.from_now && !live->had_session ? 2 : 1);
	if ((rc = ask(live, TN_LIVE_ATTACH, out, sizeof out, in, sizeof in, err)) < 0)
		return rc;
	status = tn_live_get32(in);
	if (status != TN_LIVE_ATTACH_OK) {
		tn_fail(err, TN_ERR_NOT_FOUND, "session %s of %s: %s", r->session, r->machine, why_not(status));
		return TN_END;
	}
	part = TN_ARRAY_ADD(&live->parts);
	if (!part)
		return no_memory(live, err);
	part->id = r->id;
	part->timer_us = r->timer_us;
	pthread_mutex_lock(&live->lock);
	if (r->timer_us > live->look.timer_us)
		live->look.timer_us = r->timer_us;
	pthread_mutex_unlock(&live->lock);
	return receive_streams(live, tn_live_get32(in + 4), err);
}

struct choice {
	struct tn_live *live;
	TN_ARRAY(struct tn_live_session_record) wanted;
	struct tn_str others;
	size_t n_others;
};

static enum tn_code
choose(void *user, const struct tn_live_session_record *r)
{
	struct choice *c = user;
	const struct tn_live_url *url = &c->live->url;
	struct tn_live_session_record *wanted;

	if (strcmp(r->machine, url->machine) != 0 || strcmp(r->session, url->session) != 0) {
		if (c->n_others++ < 5)
			tn_str_printf(&c->others, "%s/host/%s/%s", c->n_others > 1 ? ", " : "", r->machine, r->session);
		return TN_OK;
	}
	for (size_t i = 0; i < c->live->parts.n; i++)
		if (c->live->parts.item[i].id == r->id)
			return TN_OK;
	wanted = TN_ARRAY_ADD(&c->wanted);
	if (!wanted)
		return TN_ERR_MEMORY;
	*wanted = *r;
	return TN_OK;
}

/* Attach to each session of that name that we do not have. TN_END: there is none, *err says so. */
static enum tn_code
attach_all(struct tn_live *live, struct tn_error *err)
{
	struct choice c = { .live = live };
	enum tn_code rc = tn_live_ask_sessions(live, choose, &c, err);
	bool any = false;

	if (rc == TN_OK && c.wanted.n == 0) {
		tn_fail(err, TN_ERR_NOT_FOUND, "the relay has no session %s of %s%s%s", live->url.session,
			live->url.machine, c.n_others ? "; it has " : "; it has none at all",
			c.n_others ? tn_str_text(&c.others) : "");
		rc = TN_END;
	}
	for (size_t i = 0; rc == TN_OK && i < c.wanted.n; i++) {
		enum tn_code one = attach(live, &c.wanted.item[i], err);

		any = any || one == TN_OK;
		if (one < 0)
			rc = one;
	}
	if (rc == TN_OK && !any)
		rc = TN_END;
	TN_ARRAY_RELEASE(&c.wanted);
	tn_str_release(&c.others);
	return rc;
}

/* ---- metadata ---- */

static enum tn_code
receive_metadata(struct tn_live *live, struct tn_live_trace *t, uint64_t n, struct tn_error *err)
{
	uint8_t bytes[4096];

	if (n > MOST_METADATA || live->metadata_bytes + n > MOST_METADATA)
		return lies(live, err, "bytes of metadata", n);
	live->metadata_bytes += n;
	while (n) {
		size_t some = n < sizeof bytes ? (size_t)n : sizeof bytes;
		enum tn_code rc = tn_live_receive(&live->connection, bytes, some, err);

		if (rc < 0)
			return rc;
		tn_str_add(&t->metadata, bytes, some);
		if (t->metadata.failed)
			return no_memory(live, err);
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

/* The streams of trace @to are those of @from that were lost: they go on in the same files. */
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

/* After the connection was lost: the trace that begins with the same metadata. */
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

/* What came goes into the spool; its folder appears with it. */
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

/* All there is now. */
static enum tn_code
ask_metadata(struct tn_live *live, struct tn_live_trace *t, struct tn_error *err)
{
	uint8_t out[8], in[12];
	enum tn_code rc = TN_OK;
	bool more = t->has_metadata && !t->metadata_ended;

	t->wants_metadata = false;
	tn_live_put64(out, t->metadata_id);
	while (more) {
		uint64_t n;

		if ((rc = ask(live, TN_LIVE_GET_METADATA, out, sizeof out, in, sizeof in, err)) < 0)
			return rc;
		n = tn_live_get64(in);
		switch (tn_live_get32(in + 8)) {
		case TN_LIVE_METADATA_OK:
			if ((rc = receive_metadata(live, t, n, err)) < 0)
				return rc;
			more = n > 0;	/* none: after a clear, ask later */
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
			return lies(live, err, "status of metadata", tn_live_get32(in + 8));
		}
	}
	return store_metadata(live, t, err);
}

static enum tn_code
ask_all_metadata(struct tn_live *live, bool only_missing, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < live->traces.n; i++) {
		struct tn_live_trace *t = &live->traces.item[i];

		if (t->here && (!only_missing || !t->path || t->wants_metadata))
			rc = ask_metadata(live, t, err);
	}
	return rc;
}

/* ---- packets ---- */

/* What a flag asks for, before anything of that stream is decoded. */
static enum tn_code
heed(struct tn_live *live, const struct tn_live_known *k, uint32_t flags, struct tn_error *err)
{
	size_t trace = k->trace;	/* new streams may move the array */
	enum tn_code rc = TN_OK;

	if (flags & TN_LIVE_FLAG_METADATA)
		rc = ask_metadata(live, &live->traces.item[trace], err);
	if (rc == TN_OK && flags & TN_LIVE_FLAG_STREAMS)
		rc = ask_all_new_streams(live, err);
	return rc;
}

/* The bytes of a packet, into live->packet: room is made as they come. */
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
				return no_memory(live, err);
			live->packet = grown;
			live->packet_room = room;
		}
		if ((rc = tn_live_receive(&live->connection, live->packet + at, some, err)) < 0)
			return rc;
		at += some;
	}
	return TN_OK;
}

/* TN_END: it cannot be had. */
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
		if ((rc = ask(live, TN_LIVE_GET_PACKET, out, sizeof out, in, sizeof in, err)) < 0)
			return rc;
		status = tn_live_get32(in);
		flags = tn_live_get32(in + 8);
		if (status == TN_LIVE_PACKET_OK) {
			if (tn_live_get32(in + 4) != n)
				return lies(live, err, "bytes of a packet, not those asked for", tn_live_get32(in + 4));
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
			return lies(live, err, "status of a packet", status);
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

/* It was received before the connection was lost. */
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
	rc = tn_spool_append(&live->spool, t->path, k->name, live->packet, (size_t)(x->size_bits / 8), err);
	if (rc < 0) {
		live->fatal = true;
		return rc;
	}
	k->has_times = true;
	k->begin = x->begin;
	k->end = x->end;
	pthread_mutex_lock(&live->lock);
	live->look.packets++;
	live->look.bytes += x->size_bits / 8;
	pthread_mutex_unlock(&live->lock);
	hear(live, k, x->end);
	return TN_OK;
}

/* What the index of a stream says. */
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
		return lies(live, err, "status of an index", x->status);
	}
}

static bool
can_ask(const struct tn_live *live, size_t i)
{
	const struct tn_live_known *k = &live->streams.item[i];

	return k->here && !k->ended && live->traces.item[k->trace].path;
}

/* The next index of each stream from *at on, of some of them at once. */
static enum tn_code
turn_some(struct tn_live *live, size_t *at, bool *moved, struct tn_error *err)
{
	struct tn_live_index_record index[AHEAD];
	size_t stream[AHEAD], n = 0;
	enum tn_code rc;

	for (; *at < live->streams.n && n < AHEAD; ++*at) {
		uint8_t out[8];

		if (!can_ask(live, *at))
			continue;
		stream[n++] = *at;
		tn_live_put64(out, live->streams.item[*at].id);
		if ((rc = tn_live_request(&live->connection, TN_LIVE_NEXT_INDEX, out, sizeof out, err)) < 0)
			return rc;
	}
	for (size_t i = 0; i < n; i++) {
		uint8_t in[TN_LIVE_SIZE_INDEX];

		if ((rc = tn_live_receive(&live->connection, in, sizeof in, err)) < 0)
			return rc;
		tn_live_get_index(&index[i], in);
	}
	for (size_t i = 0; i < n; i++)
		if ((rc = take_index(live, stream[i], &index[i], moved, err)) < 0)
			return rc;
	return TN_OK;
}

/* ---- the thread ---- */

/* A stream without metadata can never be decoded: it does not hold back those that can. */
static bool
has_stream(const struct tn_live *live)
{
	for (size_t i = 0; i < live->streams.n; i++)
		if (can_ask(live, i))
			return true;
	return false;
}

static bool
all_ended(const struct tn_live *live)
{
	for (size_t i = 0; i < live->parts.n; i++)
		if (!live->parts.item[i].ended)
			return false;
	return !has_stream(live);
}

static void
set_phase(struct tn_live *live, enum tn_live_phase phase, const struct tn_error *err)
{
	pthread_mutex_lock(&live->lock);
	live->look.phase = phase;
	if (err)
		live->look.error = *err;
	pthread_mutex_unlock(&live->lock);
}

static int64_t
timer_ns(const struct tn_live *live)
{
	uint32_t least = UINT32_MAX;

	for (size_t i = 0; i < live->parts.n; i++)
		if (live->parts.item[i].timer_us < least)
			least = live->parts.item[i].timer_us;
	return least < 10000 ? 10000000 : least > 1000000 ? 1000000000 : (int64_t)least * 1000;
}

/* Fetch until the session is over. */
static enum tn_code
follow(struct tn_live *live, struct tn_error *err)
{
	int64_t every = timer_ns(live), next = 0;
	int pause = (int)(every / 10 / 1000000);
	enum tn_code rc = TN_OK;

	pause = pause < 10 ? 10 : pause > 100 ? 100 : pause;
	while (rc == TN_OK) {
		bool moved = false;

		if (tn_now_ns() >= next || !has_stream(live)) {
			rc = ask_all_new_streams(live, err);
			if (rc == TN_OK)
				rc = ask_all_metadata(live, true, err);
			next = tn_now_ns() + every;
		}
		for (size_t at = 0; rc == TN_OK && at < live->streams.n; )
			rc = turn_some(live, &at, &moved, err);
		if (rc == TN_OK && all_ended(live))
			return ask_all_metadata(live, false, err);
		if (rc == TN_OK && !moved)
			rc = tn_live_pause(&live->stop, pause, err);
	}
	return rc;
}

static enum tn_code
run_connected(struct tn_live *live, struct tn_error *err)
{
	uint8_t in[4];
	enum tn_code rc = tn_live_connect(live, err);

	if (rc == TN_OK)
		rc = ask(live, TN_LIVE_CREATE, NULL, 0, in, sizeof in, err);
	if (rc == TN_OK && tn_live_get32(in) != 1)
		rc = tn_fail(err, TN_ERR_SYSTEM, "the relay makes no viewer session for us");
	if (rc == TN_OK)
		rc = attach_all(live, err);
	if (rc != TN_OK)
		return rc;
	live->had_session = true;
	set_phase(live, TN_LIVE_RUNNING, NULL);
	return follow(live, err);
}

/* Ids are another connection's then; what is in the spool stays to go on with. */
static void
lose_connection(struct tn_live *live)
{
	tn_live_connection_close(&live->connection);
	pthread_mutex_lock(&live->lock);
	for (size_t i = 0; i < live->traces.n; i++)
		live->traces.item[i].here = false;
	/* They hold back what is later until they go on; those of which nothing came begin anew. */
	for (size_t i = 0; i < live->streams.n; i++) {
		struct tn_live_known *k = &live->streams.item[i];

		k->here = false;
		k->ended = k->ended || !live->traces.item[k->trace].path;
	}
	live->parts.n = 0;
	pthread_mutex_unlock(&live->lock);
}

void
tn_live_run(struct tn_live *live)
{
	int pause = FIRST_PAUSE_MS;

	for (;;) {
		struct tn_error err = { 0 };
		uint64_t packets = live->look.packets;
		enum tn_code rc = run_connected(live, &err);

		lose_connection(live);
		if (rc == TN_OK || (rc == TN_END && live->had_session)) {
			if (rc == TN_END)
				tn_live_note(live, TN_WARNING, "%s", err.text);
			set_phase(live, TN_LIVE_ENDED, NULL);
			return;
		}
		if (rc == TN_ERR_CANCELLED || rc == TN_END || live->fatal || !live->had_session) {
			set_phase(live, TN_LIVE_FAILED, &err);
			return;
		}
		if (live->look.packets != packets)
			pause = FIRST_PAUSE_MS;
		tn_live_note(live, TN_WARNING, "%s; connecting again", err.text);
		set_phase(live, TN_LIVE_LOST, &err);
		if (tn_live_pause(&live->stop, pause, &err) < 0)
			return;
		pause = pause * 2 < LONGEST_PAUSE_MS ? pause * 2 : LONGEST_PAUSE_MS;
	}
}
