/* request.c - send a request to the relay and receive its answer; list the sessions */
#include "live/client.h"

#include <inttypes.h>
#include <string.h>

#include "base/messages.h"

#define MOST_SESSIONS 65536

enum tn_code
tn_live_lies(struct tn_live *live, struct tn_error *err, const char *what, uint64_t n)
{
	live->fatal = true;
	return tn_fail(err, TN_ERR_FORMAT, "the relay sent an impossible answer: %s (%" PRIu64 ")", what, n);
}

enum tn_code
tn_live_no_memory(struct tn_live *live, struct tn_error *err)
{
	live->fatal = true;
	return tn_fail_memory(err);
}

enum tn_code
tn_live_request(struct tn_live *live, enum tn_live_command command, const void *payload, size_t n, void *answer, size_t size,
    struct tn_error *err)
{
	enum tn_code rc = tn_live_send_request(&live->connection, command, payload, n, err);

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
	if ((rc = tn_live_request(live, TN_LIVE_CONNECT, out, sizeof out, in, sizeof in, err)) < 0)
		return rc;
	if (tn_live_get32(in + 8) != TN_LIVE_MAJOR)
		return tn_live_lies(live, err, _("its protocol is of another major version"), tn_live_get32(in + 8));
	live->minor = tn_live_get32(in + 12) < TN_LIVE_MINOR ? tn_live_get32(in + 12) : TN_LIVE_MINOR;
	return TN_OK;
}

/* Receive the two texts that follow a record of a newer relay. Texts that are too long are cut. */
static enum tn_code
receive_text(struct tn_live *live, char *out, size_t room, uint32_t n, struct tn_error *err)
{
	char bytes[4096];
	enum tn_code rc;

	if (n > sizeof bytes)
		return tn_live_lies(live, err, _("bytes of a name"), n);
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
tn_live_request_sessions(struct tn_live *live, enum tn_code (*one)(void *, const struct tn_live_session_record *),
		     void *user, struct tn_error *err)
{
	struct tn_live_session_record r;
	uint8_t in[4];
	uint32_t n;
	enum tn_code rc = tn_live_request(live, TN_LIVE_LIST, NULL, 0, in, sizeof in, err);

	if (rc < 0)
		return rc;
	n = tn_live_get32(in);
	if (n > MOST_SESSIONS)
		return tn_live_lies(live, err, _("sessions"), n);
	for (uint32_t i = 0; i < n; i++) {
		if ((rc = receive_session(live, &r, err)) < 0 || (rc = one(user, &r)) < 0)
			return rc;
	}
	return TN_OK;
}
