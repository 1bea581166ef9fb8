#include "live/client.h"

#include <string.h>

#include "base/messages.h"
#include "base/now.h"

#define FIRST_PAUSE_MS 20
#define LONGEST_PAUSE_MS 10000

/* ---- sessions ---- */

static const char *
why_not(uint32_t status)
{
	switch (status) {
	case TN_LIVE_ATTACH_TAKEN: return _("another viewer reads it: a relay serves a session to one viewer at a time");
	case TN_LIVE_ATTACH_UNKNOWN: return _("it has just been closed");
	case TN_LIVE_ATTACH_NOT_LIVE: return _("it is not a live session: create it with --live");
	case TN_LIVE_ATTACH_SEEK: return _("the relay cannot begin there");
	default: return _("the relay does not allow it");
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
	if ((rc = tn_live_request(live, TN_LIVE_ATTACH, out, sizeof out, in, sizeof in, err)) < 0)
		return rc;
	status = tn_live_get32(in);
	if (status == TN_LIVE_ATTACH_TAKEN && live->had_session)	/* the relay may not have noticed our end yet */
		return tn_fail(err, TN_ERR_SYSTEM, "session %s of %s: %s", r->session, r->machine, why_not(status));
	if (status != TN_LIVE_ATTACH_OK) {
		tn_fail(err, TN_ERR_NOT_FOUND, "session %s of %s: %s", r->session, r->machine, why_not(status));
		return TN_END;
	}
	part = TN_ARRAY_ADD(&live->parts);
	if (!part)
		return tn_live_no_memory(live, err);
	part->id = r->id;
	part->timer_us = r->timer_us;
	pthread_mutex_lock(&live->lock);
	if (r->timer_us > live->look.timer_us)
		live->look.timer_us = r->timer_us;
	pthread_mutex_unlock(&live->lock);
	return tn_live_receive_streams(live, tn_live_get32(in + 4), err);
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

/* Attach to all sessions with the name that are not attached yet. TN_END: no such session; *err has an error. */
static enum tn_code
attach_all(struct tn_live *live, struct tn_error *err)
{
	struct choice c = { .live = live };
	enum tn_code rc = tn_live_request_sessions(live, choose, &c, err);
	bool any = false;

	if (rc == TN_OK && c.wanted.n == 0) {
		tn_fail(err, TN_ERR_NOT_FOUND, "the relay has no session %s of %s%s%s", live->url.session,
			live->url.machine, c.n_others ? _("; it has ") : _("; it has no session"),
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

/* ---- the thread ---- */

/* A stream without metadata can never be decoded, so it does not delay the others. */
static bool
has_stream(const struct tn_live *live)
{
	for (size_t i = 0; i < live->streams.n; i++)
		if (tn_live_can_request(live, i))
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
	if (phase == TN_LIVE_LOST && live->look.phase != phase)
		live->lost_ns = tn_now_ns();
	live->look.phase = phase;
	if (err)
		live->look.error = *err;
	pthread_mutex_unlock(&live->lock);
}

int64_t
tn_live_silence(const struct tn_live *live, const struct tn_live_known *k)
{
	bool lost = live->look.phase == TN_LIVE_LOST;
	int64_t from = lost && live->lost_ns > k->heard_ns ? live->lost_ns : k->heard_ns;
	int64_t to = lost ? tn_now_ns() : live->answered_ns;

	return to > from ? to - from : 0;
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

/* Fetch data until the session ends. */
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
			rc = tn_live_request_new_streams(live, err);
			if (rc == TN_OK)
				rc = tn_live_request_all_metadata(live, true, err);
			next = tn_now_ns() + every;
		}
		for (size_t at = 0; rc == TN_OK && at < live->streams.n; )
			rc = tn_live_turn_some(live, &at, &moved, err);
		tn_live_note_no_packets(live);
		if (rc == TN_OK && all_ended(live))
			return tn_live_request_all_metadata(live, false, err);
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
		rc = tn_live_request(live, TN_LIVE_CREATE, NULL, 0, in, sizeof in, err);
	if (rc == TN_OK && tn_live_get32(in) != 1)
		rc = tn_fail(err, TN_ERR_SYSTEM, "the relay does not create a viewer session");
	if (rc == TN_OK)
		rc = attach_all(live, err);
	if (rc != TN_OK)
		return rc;
	if (live->had_session)
		tn_live_note(live, TN_NOTE, "the connection is restored");
	if (!live->had_session)
		live->attached_ns = tn_now_ns();
	live->had_session = true;
	set_phase(live, TN_LIVE_RUNNING, NULL);
	return follow(live, err);
}

/* Forget the ids of the lost connection. The data in the spool stay, and will be continued. */
static void
lose_connection(struct tn_live *live)
{
	tn_live_connection_close(&live->connection);
	pthread_mutex_lock(&live->lock);
	for (size_t i = 0; i < live->traces.n; i++)
		live->traces.item[i].here = false;
	/* Streams with data delay later rows until they continue. Streams without data begin again. */
	for (size_t i = 0; i < live->streams.n; i++) {
		struct tn_live_known *k = &live->streams.item[i];

		k->here = false;
		k->ended = k->ended || !live->traces.item[k->trace].path;
	}
	live->parts.n = 0;
	live->answered_ns = 0;
	live->broke = live->had_session;
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
		if (live->look.phase != TN_LIVE_LOST || strcmp(live->look.error.text, err.text) != 0)	/* report it once */
			tn_live_note(live, TN_WARNING, "%s; connecting again", err.text);
		set_phase(live, TN_LIVE_LOST, &err);
		if (tn_live_pause(&live->stop, pause, &err) < 0)
			return;
		pause = pause * 2 < LONGEST_PAUSE_MS ? pause * 2 : LONGEST_PAUSE_MS;
	}
}
