/*
 * client.h - the viewer's side of one session: attach, fetch, put into the spool
 *
 * A struct tn_live is shared by its thread (client.c, on top of the files named below) and its owner (live.c): `lock`
 * guards what both look at; all else is the thread's.
 */
#ifndef TN_LIVE_CLIENT_H
#define TN_LIVE_CLIENT_H

#include <pthread.h>

#include "base/array.h"
#include "base/team.h"
#include "live/connection.h"
#include "live/live.h"
#include "live/spool.h"

/* A trace of the relay, in one connection; kept when the connection is lost, to go on with. */
struct tn_live_trace {
	uint64_t id;
	bool here;		/* in this connection */
	char *name;		/* as the relay calls its folder, made harmless */
	char *path;		/* in the spool; NULL: not there yet. Guarded */
	bool has_metadata;	/* the stream is known, */
	bool metadata_ended;	/* and nothing more comes of it */
	uint64_t metadata_id;
	bool wants_metadata;
	struct tn_str metadata;	/* all of it in this connection */
	size_t stored;		/* bytes that the spool has */
};

struct tn_live_known {
	uint64_t id;
	bool here;		/* in this connection */
	size_t trace;
	char *name;		/* file, made harmless */
	bool has_times;
	uint64_t begin, end;	/* of the last packet that the spool has */
	bool skipping;		/* after a loss of the connection: what is there already comes again */
	uint64_t size;		/* bytes that the spool has */
	/* Guarded: */
	bool has_until, ended;
	uint64_t until;
	int64_t heard_ns;
	TN_ARRAY(uint64_t) breaks;	/* where packets begin before which the connection was lost */
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
	atomic_bool looking_up;	/* in the resolver: not to be waited for */
	atomic_int holders;	/* owner and thread */
	struct tn_spool spool;

	/* The thread's. */
	struct tn_live_connection connection;
	uint32_t minor;		/* agreed */
	TN_ARRAY(struct tn_live_part) parts;
	uint8_t *packet;	/* room for one */
	size_t packet_room;
	uint64_t metadata_bytes;	/* of all traces */
	bool had_session;	/* was attached once */
	int64_t attached_ns;	/* when that was; */
	bool told_nothing;	/* and no packet came for so long that it was reported */
	bool broke;		/* the next packet comes behind a loss of the connection */
	bool fatal;		/* the error is not one that connecting again could mend */

	pthread_mutex_t lock;	/* guards what follows */
	struct tn_live_look look;
	int64_t answered_ns;	/* when the relay last answered, in this connection (0: not yet); */
	int64_t lost_ns;	/* when the connection was lost */
	TN_ARRAY(struct tn_live_trace) traces;
	TN_ARRAY(struct tn_live_known) streams;
	TN_ARRAY(struct tn_live_note) notes;
	size_t n_noted;		/* so many in all: a relay that has more to tell is not listened to */
};

/* ---- note.c ---- */

void tn_live_note(struct tn_live *live, enum tn_severity severity, const char *format, ...) TN_PRINTF(3, 4);

/* Called again and again: reports once that the relay sends metadata for long, and no packet. */
void tn_live_note_no_packets(struct tn_live *live);

/* ---- request.c ---- */

/* Errors that connecting again would not mend. */
enum tn_code tn_live_lies(struct tn_live *live, struct tn_error *err, const char *what, uint64_t n);
enum tn_code tn_live_no_memory(struct tn_live *live, struct tn_error *err);

/* One request and its answer, of exactly @size bytes. */
enum tn_code tn_live_request(struct tn_live *live, enum tn_live_command command, const void *payload, size_t n, void *answer,
			 size_t size, struct tn_error *err);
enum tn_code tn_live_connect(struct tn_live *live, struct tn_error *err);
enum tn_code tn_live_request_sessions(struct tn_live *live, enum tn_code (*one)(void *, const struct tn_live_session_record *),
				  void *user, struct tn_error *err);

/* ---- told.c ---- */

/* @n records of streams follow in the answer. They may move both arrays. */
enum tn_code tn_live_receive_streams(struct tn_live *live, uint32_t n, struct tn_error *err);
enum tn_code tn_live_request_new_streams(struct tn_live *live, struct tn_error *err);

/* ---- metadata.c ---- */

/* All there is now, put into the spool. */
enum tn_code tn_live_request_metadata(struct tn_live *live, struct tn_live_trace *t, struct tn_error *err);
enum tn_code tn_live_request_all_metadata(struct tn_live *live, bool only_missing, struct tn_error *err);

/* ---- fetch.c ---- */

/* Whether packets of the stream can be asked for: without metadata nothing of it can ever be decoded. */
bool tn_live_can_request(const struct tn_live *live, size_t stream);

/* The next index of each stream from *at on, of some of them at once, and what it says is there. */
enum tn_code tn_live_turn_some(struct tn_live *live, size_t *at, bool *moved, struct tn_error *err);

/* ---- client.c ---- */

/* How long a stream has said nothing while the relay did. Guarded. */
int64_t tn_live_silence(const struct tn_live *live, const struct tn_live_known *k);

/* All of the thread's work. */
void tn_live_run(struct tn_live *live);

#endif
