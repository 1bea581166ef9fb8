/*
 * relay.c - a relay that records events at a given rate, by itself: relay RATE SECONDS STREAMS TIMER_MS
 *
 * Prints its port, serves one viewer. Each stream has a packet each TIMER_MS, which is there when its time is over, as
 * with a tracer; events are `tick` with a number that counts on in each stream. Says at the end on standard error how
 * long after their end packets were fetched.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
	"trace { major = 1; minor = 8; byte_order = le;\n"
	"  packet.header := struct { u32 magic; u32 stream_id; u64 stream_instance_id; }; };\n"
	"env { hostname = \"machine\"; };\n"
	"clock { name = monotonic; freq = 1000000000; };\n"
	"typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := time;\n"
	"stream { id = 0; packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size;\n"
	"  u64 packet_size; }; event.header := struct { u8 id; time timestamp; }; };\n"
	"event { name = \"tick\"; id = 0; stream_id = 0; fields := struct { u32 n; }; };\n";

enum { HEADER = 48, EVENT = 13, MOST = 256 };

static uint64_t start_ns, timer_ns, packets;	/* of each stream */
static uint32_t events;				/* of each packet */
static unsigned streams;
static uint64_t at[MOST];			/* next packet */
static uint64_t delay_all, delay_most, fetched;

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint8_t *
put(uint8_t *p, uint64_t v, size_t n, bool big)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * (big ? n - 1 - i : i));
	return p + n;
}

static uint64_t
get(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | *p++;
	return v;
}

static void
give(int fd, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	for (ssize_t done; n; p += done, n -= (size_t)done)
		if ((done = send(fd, p, n, MSG_NOSIGNAL)) <= 0)
			exit(0);
}

static size_t
size_of_packet(void)
{
	return HEADER + (size_t)events * EVENT;
}

static void
give_packet(int fd, unsigned stream, uint64_t k, size_t want)
{
	static uint8_t *room;
	uint64_t begin = start_ns + k * timer_ns, each = (timer_ns - 1) / events;
	size_t n = size_of_packet();
	uint8_t *p = room ? room : (room = malloc(12 + n));

	p = put(put(put(p, want == n ? 1 : 3, 4, true), n, 4, true), 0, 4, true);
	p = put(put(put(p, 0xc1fc1fc1, 4, false), 0, 4, false), stream, 8, false);
	p = put(put(p, begin, 8, false), begin + timer_ns - 1, 8, false);
	p = put(put(p, n * 8, 8, false), n * 8, 8, false);
	for (uint32_t i = 0; i < events; i++)
		p = put(put(put(p, 0, 1, false), begin + stream + i * each, 8, false), k * events + i, 4, false);
	give(fd, room, 12 + (want == n ? n : 0));
}

static void
give_index(int fd, unsigned stream)
{
	uint64_t k = at[stream], begin = start_ns + k * timer_ns, end = begin + timer_ns - 1, t = now();
	uint8_t out[64] = { 0 };
	size_t n = size_of_packet();

	if (k >= packets) {
		put(out + 56, 3, 4, true);	/* hang-up */
	} else if (t < end) {
		put(out + 56, 2, 4, true);
	} else {
		put(put(put(put(put(out, k * n, 8, true), n * 8, 8, true), n * 8, 8, true), begin, 8, true), end, 8, true);
		put(out + 56, 1, 4, true);
		at[stream]++;
		fetched++;
		delay_all += t - end;
		if (t - end > delay_most)
			delay_most = t - end;
	}
	give(fd, out, sizeof out);
}

static void
give_streams(int fd, bool first)
{
	uint8_t out[8], record[4371];

	put(put(out, first || at[0] < packets ? 1 : 4, 4, true), first ? streams + 1 : 0, 4, true);
	give(fd, out, sizeof out);
	for (unsigned i = 0; first && i <= streams; i++) {
		memset(record, 0, sizeof record);
		put(put(put(record, i + 1, 8, true), 1, 8, true), i == streams, 4, true);
		strcpy((char *)record + 20, "ust/uid/1000/64-bit");
		snprintf((char *)record + 4116, 255, i == streams ? "metadata" : "ch0_%u", i);
		give(fd, record, sizeof record);
	}
}

static void
answer(int fd, uint32_t command, const uint8_t *p)
{
	static bool gave_metadata;
	uint8_t out[512] = { 0 };

	switch (command) {
	case 1:
		put(put(put(out, 1, 8, true), 2, 4, true), 13, 4, true);
		give(fd, out, 20);
		break;
	case 2:
		put(put(put(put(put(out, 1, 4, true), 7, 8, true), timer_ns / 1000, 4, true), 0, 4, true), streams + 1, 4, true);
		strcpy((char *)out + 4 + 20, "machine");
		strcpy((char *)out + 4 + 84, "load");
		give(fd, out, 4 + 339);
		break;
	case 3: give_streams(fd, true); break;
	case 4: give_index(fd, (unsigned)get(p, 8) - 1); break;
	case 5: give_packet(fd, (unsigned)get(p, 8) - 1, get(p + 8, 8) / size_of_packet(), get(p + 16, 4)); break;
	case 6:
		put(put(out, gave_metadata ? 0 : strlen(metadata), 8, true), gave_metadata ? 2 : 1, 4, true);
		give(fd, out, 12);
		if (!gave_metadata)
			give(fd, metadata, strlen(metadata));
		gave_metadata = true;
		break;
	case 7: give_streams(fd, false); break;
	default: give(fd, put(out, 1, 4, true) - 4, 4); break;
	}
}

int
main(int argc, char **argv)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof a;
	int listening = socket(AF_INET, SOCK_STREAM, 0), fd, on = 1;
	uint8_t header[16], payload[64];

	if (argc != 5)
		return 2;
	streams = (unsigned)atoi(argv[3]);
	timer_ns = (uint64_t)atoi(argv[4]) * 1000000;
	packets = (uint64_t)atoi(argv[2]) * 1000000000 / timer_ns;
	events = (uint32_t)((uint64_t)atoll(argv[1]) * timer_ns / 1000000000 / streams);
	if (bind(listening, (struct sockaddr *)&a, sizeof a) < 0 || listen(listening, 1) < 0 ||
	    getsockname(listening, (struct sockaddr *)&a, &size) < 0)
		return 1;
	printf("%d\n", ntohs(a.sin_port));
	fflush(stdout);
	if ((fd = accept(listening, NULL, NULL)) < 0)
		return 1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	start_ns = now();
	while (recv(fd, header, sizeof header, MSG_WAITALL) == sizeof header) {
		uint64_t n = get(header, 8);

		if (n > sizeof payload || (n && recv(fd, payload, n, MSG_WAITALL) != (ssize_t)n))
			break;
		answer(fd, (uint32_t)get(header + 8, 4), payload);
	}
	fprintf(stderr, "%" PRIu64 " packets of %u events, fetched %.1f ms after their end, at most %.1f ms\n", fetched, events,
		fetched ? (double)delay_all / (double)fetched / 1e6 : 0, (double)delay_most / 1e6);
	return 0;
}
