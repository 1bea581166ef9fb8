/*
 * live.h - one address of a relay: a thread that fetches what its session records into a spool
 *
 * The spool is a folder of CTF traces that grow (spool.h). What a trace cannot say of itself is told
 * here: until when each stream is known, whether the relay is there, what went wrong.
 *
 * Threads    All functions may be called while the thread runs, by one thread at a time. None waits for
 *            the network, but tn_live_list().
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
	bool from_now;		/* begin with what comes, not with the oldest packet the relay has */
	int patience_ms;	/* a relay that says nothing for so long is lost; 0: 15 s */
};

/* Begin to fetch the session at @url (has_session). Returns at once; what goes wrong later is told by tn_live_look(). */
enum tn_code tn_live_open(struct tn_live **out, const struct tn_live_url *url, const struct tn_live_options *options,
			  struct tn_error *err);
/* End, and remove the spool. NULL is allowed. */
void tn_live_close(struct tn_live *live);

/* The folder of the spool; below it are the traces. */
const char *tn_live_folder(const struct tn_live *live);

/* What a crash has left of others: spools that nobody holds. */
void tn_live_find_left(void (*found)(void *user, const char *path, uint64_t bytes), void *user);

enum tn_live_phase {
	TN_LIVE_CONNECTING,	/* never had the session yet */
	TN_LIVE_RUNNING,
	TN_LIVE_LOST,		/* the connection broke; it connects again */
	TN_LIVE_ENDED,		/* the session is over, all that the relay had is there */
	TN_LIVE_FAILED		/* nothing more will come; tn_live_error() says why */
};

struct tn_live_look {
	enum tn_live_phase phase;
	size_t streams;		/* that have not ended */
	uint64_t packets, bytes;	/* received */
	uint64_t kept;		/* of those bytes, that were not given up */
	uint32_t timer_us;	/* the longest live timer of its sessions */
	struct tn_error error;	/* of TN_LIVE_FAILED and TN_LIVE_LOST */
};
void tn_live_look(struct tn_live *live, struct tn_live_look *out);

/* What is known of a stream; borrowed for the call. */
struct tn_live_stream {
	const char *trace;	/* folder of its trace in the spool; NULL: its metadata has not come yet */
	const char *name;	/* file in it, which may not exist yet */
	bool has_until;
	uint64_t until;		/* value of its clock: nothing earlier is to come */
	int64_t silent_ns;	/* how long nothing was heard of it while the relay had something to say */
	bool ended;		/* nothing is to come at all */
};
void tn_live_streams(struct tn_live *live, void (*one)(void *user, const struct tn_live_stream *stream), void *user);

/* Where packets begin in the file of a stream, in order, before which the connection was lost; borrowed for the call. */
void tn_live_breaks(struct tn_live *live, void (*one)(void *user, const char *trace, const char *name,
						      const uint64_t *offset, size_t n), void *user);

/* Bytes [from, to) of a file of the spool are no longer wanted: the disk gets them back. Others may be mapped beside them. */
enum tn_code tn_live_give_up(struct tn_live *live, const char *path, uint64_t from, uint64_t to, struct tn_error *err);

/* What is worth telling since the last call, one after the other; false: nothing. */
bool tn_live_news(struct tn_live *live, enum tn_severity *severity, char *text, size_t size);

/* ---- what a relay has ---- */

struct tn_live_session {
	const char *machine, *session;	/* borrowed for the call */
	uint32_t timer_us;	/* 0: not a live session */
	uint32_t viewers, streams;
};

/* Ask the relay for its sessions. Waits for it, up to the patience. */
enum tn_code tn_live_list(const struct tn_live_url *url, int patience_ms,
			  void (*one)(void *user, const struct tn_live_session *session), void *user,
			  struct tn_error *err);

#endif
