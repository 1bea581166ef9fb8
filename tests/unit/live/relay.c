#include "relay.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live/wire.h"

#define UUID "01234567-89ab-cdef-0123-456789abcdef"

static const char first_part[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
	"trace { major = 1; minor = 8; byte_order = le; uuid = \"" UUID "\";\n"
	"  packet.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; u64 stream_instance_id; }; };\n"
	"env { hostname = \"machine\"; };\n"
	"clock { name = c; freq = 1000000000; };\n"
	"typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := time;\n"
	"stream { id = 0; packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size;\n"
	"  u64 packet_size; u64 events_discarded; }; event.header := struct { u8 id; time timestamp; }; };\n"
	"event { name = \"tick\"; id = 0; stream_id = 0; fields := struct { u32 n; }; };\n";
static const char second_part[] =
	"event { name = \"later\"; id = 1; stream_id = 0; fields := struct { u32 m; }; };\n";

const char *
relay_metadata(bool all)
{
	static char both[sizeof first_part + sizeof second_part];

	snprintf(both, sizeof both, "%s%s", first_part, all ? second_part : "");
	return both;
}

static uint8_t *
put(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*p++ = (uint8_t)(v >> (8 * i));
	return p;
}

#define HEADER (4 + 16 + 4 + 8 + 40)
#define EVENT (1 + 8 + 4)

static uint64_t
end_of(const struct step *s)
{
	return s->begin + (s->n ? s->n - 1 : 0) * s->each;
}

size_t
relay_packet_bytes(const struct step *s, size_t stream, uint8_t *out)
{
	static const uint8_t uuid[16] = { 1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef };
	size_t content = HEADER + s->n * EVENT, size = (content + 255) / 256 * 256;
	uint8_t *p = out;

	memset(out, 0, size);
	p = put(p, 0xc1fc1fc1, 4);
	memcpy(p, uuid, 16);
	p = put(p + 16, 0, 4);
	p = put(p, stream, 8);
	p = put(p, s->begin, 8);
	p = put(p, end_of(s), 8);
	p = put(p, content * 8, 8);
	p = put(p, size * 8, 8);
	p = put(p, 0, 8);
	for (uint32_t i = 0; i < s->n; i++) {
		p = put(p, s->event_class, 1);
		p = put(p, s->begin + i * s->each, 8);
		p = put(p, s->first + i, 4);
	}
	return size;
}

struct step *
relay_step(struct relay *r, size_t stream, enum step_kind kind)
{
	struct relay_stream *s = &r->stream[stream];

	if (stream >= r->n_streams)
		r->n_streams = stream + 1;
	cr_assert_lt(s->n, (size_t)RELAY_STEPS);
	s->step[s->n].kind = kind;
	return &s->step[s->n++];
}

struct step *
relay_packet(struct relay *r, size_t stream, uint32_t first, uint32_t n, uint64_t begin, uint64_t each)
{
	struct step *s = relay_step(r, stream, STEP_PACKET);

	s->first = first;
	s->n = n;
	s->begin = begin;
	s->each = each;
	return s;
}

/* ---- answers ---- */

/* False: the connection is to be closed. */
static bool
give(struct relay *r, int fd, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	uint8_t noise[65536 + 16];

	if (r->lie == LIE_NOISE && n < sizeof noise) {
		memcpy(noise, bytes, n);
		for (size_t i = 0; i < n; i++)
			if (rand_r(&r->seed) % 64 == 0)
				noise[i] = (uint8_t)rand_r(&r->seed);
		p = noise;
	}
	if (r->connections == 1 && r->stall_after && r->sent + n > r->stall_after) {
		struct pollfd stop = { .fd = r->stop[0], .events = POLLIN };

		(void)!send(fd, p, (size_t)(r->stall_after - r->sent), MSG_NOSIGNAL);
		if (poll(&stop, 1, r->hold_ms ? (int)r->hold_ms : -1) != 0)
			return false;
		p += r->stall_after - r->sent;
		n -= (size_t)(r->stall_after - r->sent);
		r->sent = r->stall_after;
		r->stall_after = 0;
	}
	if (r->connections == 1 && r->cut_after && r->sent + n > r->cut_after) {
		(void)!send(fd, p, (size_t)(r->cut_after - r->sent), MSG_NOSIGNAL);
		return false;
	}
	r->sent += n;
	while (n) {
		ssize_t done = send(fd, p, n, MSG_NOSIGNAL);

		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

static bool
give32(struct relay *r, int fd, uint32_t a, uint32_t b, size_t n)
{
	uint8_t out[8];

	tn_live_put32(out, a);
	tn_live_put32(out + 4, b);
	return give(r, fd, out, n * 4);
}

static bool
list(struct relay *r, int fd)
{
	uint8_t out[TN_LIVE_SIZE_SESSION] = { 0 };
	const char *name = r->session ? r->session : "one";

	if (!give32(r, fd, r->lie == LIE_SESSIONS ? 0xffffffff : 1, 0, 1))
		return false;
	tn_live_put64(out, 7);
	tn_live_put32(out + 8, r->not_live ? 0 : r->timer_us ? r->timer_us : 10000);
	tn_live_put32(out + 16, (uint32_t)r->n_streams + 1);
	if (r->minor < 15) {
		strcpy((char *)out + 20, "machine");
		strcpy((char *)out + 84, name);
		return give(r, fd, out, sizeof out);
	}
	tn_live_put32(out + 20, 7);
	tn_live_put32(out + 24, (uint32_t)strlen(name));
	memcpy(out + 32, "machine", 7);
	memcpy(out + 39, name, strlen(name));
	return give(r, fd, out, 39 + strlen(name));
}

/* Those that are due and were not told of yet. */
static bool
streams(struct relay *r, int fd, uint32_t status, bool with_metadata)
{
	uint32_t n = with_metadata;

	for (size_t i = 0; i < r->n_streams; i++)
		n += !r->announced[i] && r->stream[i].from_ask <= r->asks;
	if (r->lie == (with_metadata ? LIE_STREAMS : LIE_NEW_STREAMS))
		n = 0x7fffffff;
	if (!give32(r, fd, status, n, 2))
		return false;
	for (size_t i = 0; i <= r->n_streams; i++) {
		uint8_t out[TN_LIVE_SIZE_STREAM] = { 0 };
		const struct relay_stream *s = i < r->n_streams ? &r->stream[i] : NULL;

		if (s ? r->announced[i] || s->from_ask > r->asks : !with_metadata)
			continue;
		if (s)
			r->announced[i] = true;
		tn_live_put64(out, 100 * r->connections + i);
		tn_live_put64(out + 8, 50 + r->connections);
		tn_live_put32(out + 16, !s);
		snprintf((char *)out + 20, 4096, "%s", s && s->folder ? s->folder : "ust/uid/1000/64-bit");
		if (s && s->channel)
			snprintf((char *)out + 4116, 255, "%s", s->channel);
		else
			snprintf((char *)out + 4116, 255, s ? "ch0_%zu" : "metadata", i);
		if (!give(r, fd, out, sizeof out))
			return false;
	}
	return true;
}

static bool
new_streams(struct relay *r, int fd)
{
	bool more = false;

	r->asks++;
	for (size_t i = 0; i < r->n_streams; i++)
		more = more || !r->announced[i] || r->at[i] + 1 < r->stream[i].n;
	if (r->lie == LIE_NEW_STATUS)
		return give32(r, fd, 99, 0, 2);
	return streams(r, fd, more ? 1 : 4, false);
}

static bool
metadata(struct relay *r, int fd)
{
	const char *text = relay_metadata(!r->later_class || r->flagged);
	uint8_t out[12] = { 0 };
	size_t n = strlen(text) - r->metadata_given;

	if (r->metadata_asks++ < r->late_metadata)
		n = 0;
	tn_live_put64(out, r->lie == LIE_METADATA_LENGTH ? UINT64_MAX / 2 : n);
	tn_live_put32(out + 8, r->lie == LIE_METADATA_STATUS ? 77 : n ? 1 : r->metadata_error ? 3 : 2);
	if (!give(r, fd, out, sizeof out) || (n && !give(r, fd, text + r->metadata_given, n)))
		return false;
	r->metadata_given += n;
	return true;
}

static const struct step *
step_of(const struct relay *r, size_t i)
{
	return &r->stream[i].step[r->at[i]];
}

static uint64_t
offset_of(const struct relay *r, size_t stream, size_t step)
{
	uint8_t room[65536];
	uint64_t at = 0;

	for (size_t i = 0; i < step; i++)
		if (r->stream[stream].step[i].kind == STEP_PACKET)
			at += relay_packet_bytes(&r->stream[stream].step[i], stream, room);
	return at;
}

static bool
next_index(struct relay *r, int fd, size_t i)
{
	static const uint32_t status[] = { 1, 2, 5, 3, 4, 6, 0 };
	const struct step *s = step_of(r, i);
	uint8_t out[TN_LIVE_SIZE_INDEX] = { 0 }, room[65536];

	tn_live_put32(out + 56, s->kind == STEP_STATUS ? (uint32_t)s->begin : status[s->kind]);
	if (r->lie == LIE_INDEX_STATUS)
		tn_live_put32(out + 56, 55);
	tn_live_put32(out + 60, s->flags);
	if (s->kind == STEP_INACTIVE)
		tn_live_put64(out + 32, s->begin);
	if (s->kind == STEP_PACKET) {
		uint64_t size = relay_packet_bytes(s, i, room);

		tn_live_put64(out, offset_of(r, i, r->at[i]));
		tn_live_put64(out + 8, r->lie == LIE_INDEX_SIZE ? size * 8 + 3 : size * 8);
		tn_live_put64(out + 16, r->lie == LIE_INDEX_CONTENT ? size * 9 : size * 8);
		tn_live_put64(out + 24, s->begin);
		tn_live_put64(out + 32, end_of(s));
	}
	if (s->flags & 1)
		r->flagged = true;
	if (r->at[i] + 1 < r->stream[i].n && !r->for_ever)
		r->at[i]++;
	atomic_fetch_add(&r->indices, 1);
	return give(r, fd, out, sizeof out);
}

static bool
packet(struct relay *r, int fd, size_t i, uint64_t offset, uint32_t n)
{
	uint8_t out[12] = { 0 }, room[65536];
	uint64_t at = 0;

	for (size_t k = 0; k < r->stream[i].n; k++) {
		const struct step *s = &r->stream[i].step[k];
		size_t size = s->kind == STEP_PACKET ? relay_packet_bytes(s, i, room) : 0;

		if (!size || at != offset) {
			at += size;
			continue;
		}
		if (r->refused[i] < s->refuse || s->unreadable) {
			r->refused[i]++;
			tn_live_put32(out, s->unreadable || s->refuse_flags ? 3 : 2);
			tn_live_put32(out + 8, s->refuse_flags);
			r->flagged |= s->refuse_flags & 1;
			return give(r, fd, out, sizeof out);
		}
		r->refused[i] = 0;
		if (r->cut_packet && r->connections == 1 && r->packets++ == r->cut_packet)
			return false;
		tn_live_put32(out, r->lie == LIE_PACKET_STATUS ? 33 : 1);
		tn_live_put32(out + 4, r->lie == LIE_PACKET_LENGTH ? (uint32_t)size + 1 : (uint32_t)size);
		return size == n && give(r, fd, out, sizeof out) && give(r, fd, room, size);
	}
	tn_live_put32(out, 3);
	return give(r, fd, out, sizeof out);
}

static bool
answer(struct relay *r, int fd, uint32_t command, const uint8_t *p, size_t n)
{
	uint8_t out[20] = { 0 };
	size_t i = n >= 8 ? (size_t)(tn_live_get64(p) - 100 * r->connections) : 0;

	switch (command) {
	case TN_LIVE_CONNECT:
		tn_live_put64(out, 1);
		tn_live_put32(out + 8, r->lie == LIE_MAJOR ? 3 : 2);
		tn_live_put32(out + 12, r->minor ? r->minor : 13);
		return give(r, fd, out, sizeof out);
	case TN_LIVE_LIST: return list(r, fd);
	case TN_LIVE_CREATE: return give32(r, fd, r->lie == LIE_NO_VIEWER ? 2 : 1, 0, 1);
	case TN_LIVE_ATTACH:
		if (r->lie == LIE_ATTACH_STATUS)
			return give32(r, fd, 42, 0, 2);
		if (r->connections > 1 && r->taken && r->taken--)
			return give32(r, fd, TN_LIVE_ATTACH_TAKEN, 0, 2);
		if (r->attach_status)
			return give32(r, fd, r->attach_status, 0, 2);
		return streams(r, fd, 1, true);
	case TN_LIVE_GET_METADATA: return metadata(r, fd);
	case TN_LIVE_NEW_STREAMS: return new_streams(r, fd);
	case TN_LIVE_DETACH: return give32(r, fd, 1, 0, 1);
	case TN_LIVE_NEXT_INDEX: return i < r->n_streams && next_index(r, fd, i);
	case TN_LIVE_GET_PACKET:
		return i < r->n_streams && n >= 20 && packet(r, fd, i, tn_live_get64(p + 8), tn_live_get32(p + 16));
	default: return false;
	}
}

static bool
take(struct relay *r, int fd, uint8_t *out, size_t n)
{
	while (n) {
		struct pollfd p[2] = { { .fd = fd, .events = POLLIN }, { .fd = r->stop[0], .events = POLLIN } };
		ssize_t got;

		if (poll(p, 2, -1) < 0 || p[1].revents)
			return false;
		got = recv(fd, out, n, 0);
		if (got <= 0)
			return false;
		out += got;
		n -= (size_t)got;
	}
	return true;
}

static void
serve(struct relay *r, int fd)
{
	uint8_t header[TN_LIVE_HEADER], payload[64];
	int on = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	r->connections++;
	r->asks = 0;
	r->metadata_asks = 0;
	r->metadata_given = 0;
	memset(r->at, 0, sizeof r->at);
	memset(r->announced, 0, sizeof r->announced);
	while (take(r, fd, header, sizeof header)) {
		uint64_t n = tn_live_get64(header);

		if (n > sizeof payload || !take(r, fd, payload, (size_t)n) ||
		    !answer(r, fd, tn_live_get32(header + 8), payload, (size_t)n))
			break;
	}
	close(fd);
}

static void *
run(void *arg)
{
	struct relay *r = arg;

	for (;;) {
		struct pollfd p[2] = { { .fd = r->listening, .events = POLLIN }, { .fd = r->stop[0], .events = POLLIN } };
		int fd;

		if (poll(p, 2, -1) < 0 || p[1].revents)
			return NULL;
		fd = accept(r->listening, NULL, NULL);
		if (fd >= 0)
			serve(r, fd);
	}
}

void
relay_start(struct relay *r, char *address)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof a;

	r->listening = socket(AF_INET, SOCK_STREAM, 0);
	cr_assert_eq(bind(r->listening, (struct sockaddr *)&a, sizeof a), 0);
	cr_assert_eq(listen(r->listening, 8), 0);
	getsockname(r->listening, (struct sockaddr *)&a, &size);
	r->port = ntohs(a.sin_port);
	cr_assert_eq(pipe(r->stop), 0);
	snprintf(address, 60, "net://127.0.0.1:%d", r->port);
	cr_assert_eq(pthread_create(&r->thread, NULL, run, r), 0);
}

void
relay_stop(struct relay *r)
{
	(void)!write(r->stop[1], "", 1);
	pthread_join(r->thread, NULL);
	close(r->stop[0]);
	close(r->stop[1]);
	close(r->listening);
}
