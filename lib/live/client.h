/*
 * client.h - the viewer's side of one session: attach, fetch, write to the spool
 *
 * A struct tn_live is shared by its thread (client.c, on top of the files named below) and its owner (live.c):
 * `lock` guards the members that both read; all others belong to the thread.
 */
#ifndef TN_LIVE_CLIENT_H
#define TN_LIVE_CLIENT_H

#include <pthread.h>

#include "base/array.h"
#include "base/threads.h"
#include "live/socket.h"
#include "live/live.h"
#include "live/spool.h"

/* A trace of the relay, in one connection; kept when the connection is lost, to continue later. */
struct tn_live_trace {
	uint64_t id;
	bool here;		/* the trace is in this connection */
	char *name;		/* the relay's name of its folder, made safe */
	char *path;		/* path in the spool; NULL: not created yet. Guarded */
	bool has_metadata;	/* the metadata stream is known, */
	bool metadata_ended;	/* and is complete */
	uint64_t metadata_id;
	bool wants_metadata;
	struct tn_str metadata;	/* all of it in this connection */
	size_t stored;		/* bytes in the spool */
};

struct tn_live_known {
	uint64_t id;
	bool here;		/* the stream is in this connection */
	size_t trace;
	char *name;		/* name of its file, made safe */
	bool has_times;
	uint64_t begin, end;	/* times of the last packet in the spool */
	bool skipping;		/* after a loss of the connection: packets that the spool already has come again */
	uint64_t size;		/* bytes in the spool */
	/* Guarded: */
	bool has_until, ended;
	uint64_t until;
	int64_t heard_ns;
	TN_ARRAY(uint64_t) breaks;	/* starts of packets before which the connection was lost */
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
	struct tn_worker *worker;	/* the one thread */
	struct tn_live_stop stop;
	int stop_write;		/* the other end of stop.fd */
	atomic_bool looking_up;	/* the resolver runs: do not wait for the thread */
	atomic_int holders;	/* owner and thread */
	struct tn_spool spool;

	/* The thread's. */
	struct tn_live_connection connection;
	uint32_t minor;		/* the version agreed with the relay */
	TN_ARRAY(struct tn_live_part) parts;
	uint8_t *packet;	/* buffer for one packet */
	size_t packet_room;
	uint64_t metadata_bytes;	/* bytes of the metadata of all traces */
	bool had_session;	/* was attached once */
	int64_t attached_ns;	/* the time of the first attachment; */
	bool told_nothing;	/* the lack of packets was reported */
	bool broke;		/* the next packet is the first after a loss of the connection */
	bool fatal;		/* connecting again would not help */

	pthread_mutex_t lock;	/* guards the members below */
	struct tn_live_look look;
	int64_t answered_ns;	/* time of the relay's last answer in this connection (0: none yet); */
	int64_t lost_ns;	/* time when the connection was lost */
	TN_ARRAY(struct tn_live_trace) traces;
	TN_ARRAY(struct tn_live_known) streams;
	TN_ARRAY(struct tn_live_note) notes;
	size_t n_noted;		/* notes in all; limited: later notes of the relay are ignored */
};

/* ---- note.c ---- */

void tn_live_note(struct tn_live *live, enum tn_severity severity, const char *format, ...) TN_PRINTF(3, 4);

/* Called repeatedly: reports once that the relay sends metadata but no packets for a long time. */
void tn_live_note_no_packets(struct tn_live *live);

/* ---- request.c ---- */

/* Raise an error that connecting again would not cure. */
enum tn_code tn_live_lies(struct tn_live *live, struct tn_error *err, const char *what, uint64_t n);
enum tn_code tn_live_no_memory(struct tn_live *live, struct tn_error *err);

/* One request and its answer, of exactly @size bytes. */
enum tn_code tn_live_request(struct tn_live *live, enum tn_live_command command, const void *payload, size_t n, void *answer,
			 size_t size, struct tn_error *err);
enum tn_code tn_live_connect(struct tn_live *live, struct tn_error *err);
enum tn_code tn_live_request_sessions(struct tn_live *live, enum tn_code (*one)(void *, const struct tn_live_session_record *),
				  void *user, struct tn_error *err);

/* ---- announced.c ---- */

/* Read @n records of streams in the answer. Both arrays may move. */
enum tn_code tn_live_receive_streams(struct tn_live *live, uint32_t n, struct tn_error *err);
enum tn_code tn_live_request_new_streams(struct tn_live *live, struct tn_error *err);

/* ---- metadata.c ---- */

/* Fetch all metadata that is ready into the spool. */
enum tn_code tn_live_request_metadata(struct tn_live *live, struct tn_live_trace *t, struct tn_error *err);
enum tn_code tn_live_request_all_metadata(struct tn_live *live, bool only_missing, struct tn_error *err);

/* ---- fetch.c ---- */

/* Whether packets of the stream can be requested: without metadata they can never be decoded. */
bool tn_live_can_request(const struct tn_live *live, size_t stream);

/* Request the next index of some streams at once, from *at on, and the packets it announces. */
enum tn_code tn_live_turn_some(struct tn_live *live, size_t *at, bool *moved, struct tn_error *err);

/* ---- client.c ---- */

/* Time since the stream's last data, while the relay answered. Guarded. */
int64_t tn_live_silence(const struct tn_live *live, const struct tn_live_known *k);

/* The main function of the thread. */
void tn_live_run(struct tn_live *live);

#endif
