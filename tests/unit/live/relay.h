/* relay.h - a relay that plays a script, in a thread of the test: every status, flag and false answer */
#ifndef TEST_RELAY_H
#define TEST_RELAY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RELAY_STREAMS 8
#define RELAY_STEPS 64

/* Answers to GET_NEXT_INDEX of a stream, one after the other; the last one stays. */
enum step_kind { STEP_PACKET, STEP_RETRY, STEP_INACTIVE, STEP_HUP, STEP_ERROR, STEP_EOF, STEP_STATUS };

struct step {
	enum step_kind kind;
	uint32_t flags;
	/* STEP_PACKET: events first, first + 1, ... of a class, at times begin, begin + each, ... */
	uint32_t first, n, event_class;
	uint64_t begin, each;	/* STEP_INACTIVE: until begin; STEP_STATUS: the status */
	uint32_t refuse;	/* GET_PACKET is answered with retry so often first */
	uint32_t refuse_flags;	/* or, when not 0, with an error that has these flags */
	bool unreadable;	/* GET_PACKET is answered with an error */
};

struct relay_stream {
	struct step step[RELAY_STEPS];
	size_t n;
	const char *folder, *channel;	/* NULL: those of a tracer */
	unsigned from_ask;	/* announced at attach (0), or by the n-th GET_NEW_STREAMS */
};

enum lie {
	LIE_NONE, LIE_MAJOR, LIE_SESSIONS, LIE_STREAMS, LIE_NEW_STREAMS, LIE_ATTACH_STATUS, LIE_METADATA_LENGTH,
	LIE_METADATA_STATUS, LIE_INDEX_STATUS, LIE_INDEX_SIZE, LIE_INDEX_CONTENT, LIE_PACKET_LENGTH, LIE_PACKET_STATUS,
	LIE_NEW_STATUS, LIE_NO_VIEWER, LIE_NOISE, LIES
};

struct relay {
	struct relay_stream stream[RELAY_STREAMS];
	size_t n_streams;
	uint32_t minor;		/* 0: 13 */
	uint32_t timer_us;	/* 0: 10 ms; of the session */
	bool not_live;
	uint32_t attach_status;	/* 0: ok */
	const char *session;	/* NULL: "one" */
	unsigned late_metadata;	/* this number of requests is first answered with "nothing new" */
	bool metadata_error;	/* asked for more than there is, it says that this was an error */
	bool later_class;	/* the second event class is declared only when flag 1 was sent */
	enum lie lie;
	uint64_t cut_after;	/* the first connection is closed after this number of bytes; 0: not */
	uint64_t stall_after;	/* and here nothing more is said */
	unsigned hold_ms;	/* or only after so long, on any connection */
	unsigned taken;		/* this number of attaches, after the first, is answered with "another viewer has it" */
	unsigned cut_packet;	/* the first connection is closed after this number of packets */
	unsigned seed;		/* of LIE_NOISE */
	bool for_ever;		/* the first step of each stream stays */

	/* The relay's own: */
	int listening, port;
	pthread_t thread;
	int stop[2];
	unsigned connections, asks, metadata_asks;
	bool flagged;
	size_t at[RELAY_STREAMS];
	unsigned refused[RELAY_STREAMS];
	bool announced[RELAY_STREAMS];
	bool told_all;
	unsigned packets;
	atomic_uint indices;	/* that were asked for */
	size_t metadata_given;
	uint64_t sent;
};

/* Begin to listen on a port of the loopback, *address (60 bytes) gets "net://127.0.0.1:PORT". */
void relay_start(struct relay *r, char *address);
void relay_stop(struct relay *r);

/* Add steps. */
struct step *relay_step(struct relay *r, size_t stream, enum step_kind kind);
struct step *relay_packet(struct relay *r, size_t stream, uint32_t first, uint32_t n, uint64_t begin, uint64_t each);

/* The bytes of a packet, as the step says; the size. At most 65536. */
size_t relay_packet_bytes(const struct step *s, size_t stream, uint8_t *out);
/* All metadata, or only the first part. */
const char *relay_metadata(bool all);

#endif
