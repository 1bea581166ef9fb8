/*
 * tnav/grow.h - sets of traces that grow in place; live sessions of a relay
 *
 * A set that was opened with `growing`, or with an address net://RELAY/host/MACHINE/SESSION among its
 * paths, takes in what is appended when tn_set_grow() is called: packets, streams, metadata, traces,
 * chunks of a rotated session. Nothing is opened again, and no struct tn_location changes.
 *
 * Units      Times are int64_t nanoseconds from the origin of the clocks.
 * Ownership  Texts in a struct tn_growth are borrowed until the next call on the set.
 * Threads    tn_set_grow() in one thread; other threads may go on using the set as long as `alone` is not given.
 * Errors     TN_OK or a negative code with *err set. A failed call leaves the set as it was.
 * States     object	state			may be called
 *            a set	growing			tn_set_grow(), tn_set_is_late() in its one thread; all else of the set in any thread
 *              		growing, `alone`	nothing else until tn_set_grow() returns; after TN_GREW_CLASSES or _STREAMS
 *              					cursors, filters and texts that were made before are only freed
 *              		`over`			as a set that does not grow; tn_set_grow() changes nothing more
 *              		settled (tn_set_settle())	all but tn_set_grow()
 *              		left (tn_set_leave())	nothing but tn_set_close()
 *              		not opened to grow	tn_set_grow() succeeds, and nothing changes
 * Source     LTTng live: the protocol of lttng-relayd 2.4 to 2.15, viewer's side.
 */
#ifndef TNAV_GROW_H
#define TNAV_GROW_H

#include <tnav/cursor.h>
#include <tnav/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	TN_GREW_ROWS = 1,	/* there are more packets in streams that were there */
	TN_GREW_STREAMS = 2,	/* there are more streams: cursors do not know them, make new ones */
	TN_GREW_CLASSES = 4,	/* metadata was added: cursors, filters and texts are to be made anew */
	TN_GREW_WAITS = 8	/* something has come that is only taken in when the caller is alone with the set */
};

struct tn_growth {
	unsigned grew;		/* TN_GREW_... since the call before */
	bool live;		/* a live session is among the traces */
	/* Nothing more will come: all live sessions have ended, all archives are unpacked, and there is nothing else. */
	bool over;
	bool has_settled;
	int64_t settled_ns;	/* rows up to this time are all there; none will come before them, but late ones */
	const char *waits_for;	/* the stream that held that back but is not waited for any longer; or NULL */
	const char *missing;	/* why a trace cannot be read yet; or NULL */
	uint64_t late;		/* packets so far that had events up to a settled_ns of before they came */
	uint64_t packets, bytes;	/* received from relays */
	bool lost;		/* a relay's connection is lost; it is being tried again */
	bool unpacking;		/* archives are being unpacked: rows come anywhere among those that are there */
	double unpacked;	/* of them, so much: 0 to 1 */
	const char *cut;	/* why an archive was not unpacked to its end; or NULL */
};

/*
 * Take in what has come. @alone: nobody else uses the set, and there are no cursors, filters and texts of it that
 * are used afterwards; else only rows come, and TN_GREW_WAITS says when there is more.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_set_grow(struct tn_set *set, bool alone, struct tn_growth *out, struct tn_error *err);

/*
 * Whether the event there came late: rows behind it were settled before. For few rows: it looks through all packets
 * that came late, and knows 65,536 of them. In the thread of tn_set_grow(). NULL: false.
 */
TN_API bool tn_set_is_late(const struct tn_set *set, const struct tn_location *at);

/* The set will not grow any more: what is cut at an end is damage from now on. The caller is alone with the set. */
TN_API TN_MUST_CHECK enum tn_code tn_set_settle(struct tn_set *set, struct tn_error *err);

/* No more is fetched, and what was received is removed from the disk: for a set that cannot be closed. NULL: nothing. */
TN_API void tn_set_leave(struct tn_set *set);

/*
 * Whether the set was opened before its archives were unpacked. When all are tn_set_grow() says `over`; the set is to
 * be opened again then, as any other, to have its index and the order of equal times.
 */
TN_API bool tn_set_is_unpacking(const struct tn_set *set);
/* Unpack no more: `over` and `cut` will say so. NULL: nothing. */
TN_API void tn_set_stop_unpacking(struct tn_set *set);
/* Whether the file at @path begins as an archive does. */
TN_API bool tn_path_is_archive(const char *path);

/* Whether @path is an address of a relay, net://... */
TN_API bool tn_path_is_live(const char *path);

/* A session that a relay has; texts are borrowed for the call. */
struct tn_live_entry {
	const char *machine, *session;
	uint32_t timer_us;	/* live timer; 0: not a live session, cannot be attached */
	uint32_t viewers, streams;
};

/*
 * The sessions of the relay at net://RELAY[:PORT]. Waits for the relay, at most 15 s. *more says whether the address
 * names a session; then nothing is asked.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_live_sessions(const char *address, bool *names_session, void (*one)(void *user, const struct tn_live_entry *entry),
		 void *user, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
