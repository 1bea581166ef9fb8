/*
 * live.h - one address of a relay: a thread fetches the data of its sessions into a spool
 *
 * The spool is a folder of CTF traces that grow (spool.h). These functions give all other information: up to which time
 * each stream is known, whether the relay answers, and errors.
 *
 * Threads    All functions may be called while the thread runs, by one thread at a time. Only tn_live_list() waits for
 *            the network.
 */
#ifndef TN_LIVE_LIVE_H
#define TN_LIVE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "live/url.h"

struct tn_live;

struct tn_live_options {
	bool from_now;		/* begin with new data, not with the oldest packet of the relay */
	int patience_ms;	/* a relay that is silent for this time counts as lost; 0: 15 s */
};

/*
 * Begin to fetch the session at @url, which must have one (has_session). Returns at once; tn_live_look() reports later
 * errors.
 */
enum tn_code tn_live_open(struct tn_live **out, const struct tn_live_url *url, const struct tn_live_options *options,
			  struct tn_error *err);
/* End the thread, and remove the spool. NULL is allowed. */
void tn_live_close(struct tn_live *live);

/* The folder of the spool, which contains the traces. */
const char *tn_live_folder(const struct tn_live *live);

/* Find the spools that no running program has locked, because their program crashed. */
void tn_live_find_left(void (*found)(void *user, const char *path, uint64_t bytes), void *user);

enum tn_live_phase {
	TN_LIVE_CONNECTING,	/* not attached to the session yet */
	TN_LIVE_RUNNING,
	TN_LIVE_LOST,		/* the connection is lost, and tnav tries to connect again */
	TN_LIVE_ENDED,		/* the session is over, and all its data were fetched */
	TN_LIVE_FAILED		/* no more data will come; tn_live_error() returns the reason */
};

struct tn_live_look {
	enum tn_live_phase phase;
	size_t streams;		/* number of streams that have not ended */
	uint64_t packets, bytes;	/* number of received packets, and their size */
	uint64_t kept;		/* size of the packets that were not dropped */
	uint32_t timer_us;	/* longest live timer of the sessions */
	struct tn_error error;	/* reason for TN_LIVE_FAILED or TN_LIVE_LOST */
};
void tn_live_look(struct tn_live *live, struct tn_live_look *out);

/* The state of a stream; valid during the call. */
struct tn_live_stream {
	const char *trace;	/* folder of its trace in the spool; NULL: the metadata is not complete yet */
	const char *name;	/* name of its file, which may not exist yet */
	bool has_until;
	uint64_t until;		/* no data before this value of the stream's clock will arrive */
	int64_t silent_ns;	/* time since the stream's last data, while the relay sent data of others */
	bool ended;		/* no more data will arrive */
};
void tn_live_streams(struct tn_live *live, void (*one)(void *user, const struct tn_live_stream *stream), void *user);

/*
 * Report the starts of those packets in a stream's file before which the connection was lost, in order. Arguments are
 * valid during the call.
 */
void tn_live_breaks(struct tn_live *live, void (*one)(void *user, const char *trace, const char *name,
						      const uint64_t *offset, size_t n), void *user);

/* Drop bytes [from, to) of a file in the spool, to free space on the disk. Other bytes may be mapped meanwhile. */
enum tn_code tn_live_drop(struct tn_live *live, const char *path, uint64_t from, uint64_t to, struct tn_error *err);

/* Get the next problem since the last call. False: no more. */
bool tn_live_news(struct tn_live *live, enum tn_severity *severity, char *text, size_t size);

/* ---- sessions of a relay ---- */

struct tn_live_session {
	const char *machine, *session;	/* valid during the call */
	uint32_t timer_us;	/* 0: not a live session */
	uint32_t viewers, streams;
};

/* Ask the relay for its sessions. Waits at most for patience_ms. */
enum tn_code tn_live_list(const struct tn_live_url *url, int patience_ms,
			  void (*one)(void *user, const struct tn_live_session *session), void *user,
			  struct tn_error *err);

#endif
