/*
 * client.h - the viewer's side of a session: attach, fetch, write to the spool
 *
 * A struct tn_live belongs to a thread (client.c, and the files named below) and its owner (live.c). `lock` protects the
 * members that both use; all other members belong to the thread.
 */
#ifndef TN_LIVE_CLIENT_H
#define TN_LIVE_CLIENT_H

#include <pthread.h>

#include "base/array.h"
#include "base/threads.h"
#include "live/socket.h"
#include "live/live.h"
#include "live/spool.h"

/* A trace of the relay. It is kept when the connection is lost, so that it can continue. */
struct tn_live_trace {
	uint64_t id;
	bool here;		/* the current connection has the trace */
	char *name;		/* the relay's name for its folder, made safe */
	char *path;		/* path in the spool; NULL: not made yet; needs the lock */
	bool has_metadata;	/* the metadata stream is known */
	bool metadata_ended;	/* the metadata is complete */
	uint64_t metadata_id;
	bool wants_metadata;
	struct tn_str metadata;	/* metadata received in this connection */
	size_t stored;		/* bytes of it in the spool */
};

struct tn_live_known {
	uint64_t id;
	bool here;		/* the current connection has the stream */
	size_t trace;
	char *name;		/* name of the stream's file, made safe */
	bool has_times;
	uint64_t begin, end;	/* times of the last packet in the spool */
	bool skipping;		/* after a lost connection: the relay sends packets that are already in the spool */
	uint64_t size;		/* bytes in the spool */
	/* The lock protects the following members. */
	bool has_until, ended;
	uint64_t until;
	int64_t heard_ns;
	TN_ARRAY(uint64_t) breaks;	/* starts of the packets before which the connection was lost */
};

struct tn_live_part {		/* a session of the relay */
	uint64_t id;
	uint32_t timer_us;
	bool ended;
};

struct tn_live_note {
	enum tn_severity severity;
	char *text;
};

struct tn_live {
	struct tn_live_url url;
	struct tn_live_options options;
	struct tn_worker *worker;	/* the only thread */
	struct tn_live_stop stop;
	int stop_write;		/* the end of the pipe that wakes stop.fd */
	atomic_bool looking_up;	/* the resolver is running: do not wait for the thread */
	atomic_int holders;	/* users of this structure: the owner and the thread */
	struct tn_spool spool;

	/* These members belong to the thread. */
	struct tn_live_connection connection;
	uint32_t minor;		/* the protocol version that both sides use */
	TN_ARRAY(struct tn_live_part) parts;
	uint8_t *packet;	/* buffer for one packet */
	size_t packet_room;
	uint64_t metadata_bytes;	/* bytes of metadata of all traces */
	bool had_session;	/* a session was attached before */
	int64_t attached_ns;	/* time of the first attachment */
	bool told_nothing;	/* the report that packets are missing was made */
	bool broke;		/* the next packet is the first one after a lost connection */
	bool fatal;		/* connecting again would not help */

	pthread_mutex_t lock;	/* protects the members below */
	struct tn_live_look look;
	int64_t answered_ns;	/* time of the relay's last answer in this connection; 0: none yet */
	int64_t lost_ns;	/* time when the connection was lost */
	TN_ARRAY(struct tn_live_trace) traces;
	TN_ARRAY(struct tn_live_known) streams;
	TN_ARRAY(struct tn_live_note) notes;
	size_t n_noted;		/* number of all notes so far; it is limited, and later notes of the relay are ignored */
};

/* ---- note.c ---- */

void tn_live_note(struct tn_live *live, enum tn_severity severity, const char *format, ...) TN_PRINTF(3, 4);

/* Report, once, that the relay has sent metadata but no packets for a long time. Called repeatedly. */
void tn_live_note_no_packets(struct tn_live *live);

/* ---- request.c ---- */

/* Raise an error after which connecting again would not help. */
enum tn_code tn_live_lies(struct tn_live *live, struct tn_error *err, const char *what, uint64_t n);
enum tn_code tn_live_no_memory(struct tn_live *live, struct tn_error *err);

/* Send one request and receive its answer of exactly @size bytes. */
enum tn_code tn_live_request(struct tn_live *live, enum tn_live_command command, const void *payload, size_t n, void *answer,
			 size_t size, struct tn_error *err);
enum tn_code tn_live_connect(struct tn_live *live, struct tn_error *err);
enum tn_code tn_live_request_sessions(struct tn_live *live, enum tn_code (*one)(void *, const struct tn_live_session_record *),
				  void *user, struct tn_error *err);

/* ---- announced.c ---- */

/* Read @n records of streams in the answer. The arrays of streams and traces may move. */
enum tn_code tn_live_receive_streams(struct tn_live *live, uint32_t n, struct tn_error *err);
enum tn_code tn_live_request_new_streams(struct tn_live *live, struct tn_error *err);

/* ---- metadata.c ---- */

/* Fetch all available metadata into the spool. */
enum tn_code tn_live_request_metadata(struct tn_live *live, struct tn_live_trace *t, struct tn_error *err);
enum tn_code tn_live_request_all_metadata(struct tn_live *live, bool only_missing, struct tn_error *err);

/* ---- fetch.c ---- */

/* Whether packets of the stream can be requested. Without metadata they can never be decoded. */
bool tn_live_can_request(const struct tn_live *live, size_t stream);

/* Request the next index of some streams at once, from *at on, and the packets that the indices announce. */
enum tn_code tn_live_turn_some(struct tn_live *live, size_t *at, bool *moved, struct tn_error *err);

/* ---- client.c ---- */

/* The time since the stream's last data, as long as the relay answered. The caller holds the lock. */
int64_t tn_live_silence(const struct tn_live *live, const struct tn_live_known *k);

/* The main function of the thread. */
void tn_live_run(struct tn_live *live);

#endif
