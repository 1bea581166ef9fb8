/*
 * tnav/grow.h - sets of traces that grow in place; live sessions of a relay
 *
 * A set grows if it was opened with `growing`, or with an address net://RELAY/host/MACHINE/SESSION among its
 * paths. tn_set_grow() then adds new data: packets, streams, metadata, traces, chunks of a rotated session.
 * Nothing is opened again, and no struct tn_location changes.
 *
 * Units      Times are int64_t nanoseconds from the origin of the clocks.
 * Ownership  Texts in a struct tn_growth are borrowed until the next call on the set.
 * Threads    Call tn_set_grow() in one thread; other threads may continue to use the set unless `alone` is given.
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
	TN_GREW_ROWS = 1,	/* existing streams have more packets */
	TN_GREW_STREAMS = 2,	/* new streams: cursors do not know them, make new ones */
	TN_GREW_CLASSES = 4,	/* new metadata: make cursors, filters and texts again */
	TN_GREW_WAITS = 8	/* new data that can only be added while the caller is alone with the set */
};

struct tn_growth {
	unsigned grew;		/* TN_GREW_... since the last call */
	bool live;		/* a live session is among the traces */
	/* The set is complete: all live sessions have ended, all archives are unpacked, and no other trace grows. */
	bool over;
	bool has_settled;
	/* Rows up to this time are complete; later calls add none before it, except late ones. */
	int64_t settled_ns;
	const char *waits_for;	/* the stream that delayed settled_ns and is now ignored; or NULL */
	const char *missing;	/* the reason why a trace cannot be read yet; or NULL */
	uint64_t late;		/* packets so far with events before the settled_ns of an earlier call */
	uint64_t packets, bytes;	/* received from relays */
	bool lost;		/* the connection to a relay is lost; tnav tries to restore it */
	bool unpacking;		/* archives are being unpacked: new rows may be anywhere */
	double unpacked;	/* the share of the archives that is unpacked: 0 to 1 */
	const char *cut;	/* the reason why an archive was not unpacked completely; or NULL */
};

/*
 * Add new data to the set. @alone: no other thread uses the set, and its cursors, filters and texts are not
 * used again. Without @alone only rows are added, and TN_GREW_WAITS reports that more is waiting.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_set_grow(struct tn_set *set, bool alone, struct tn_growth *out, struct tn_error *err);

/*
 * Whether the event at @at was late: rows after it had been settled before. Slow: it searches all late packets,
 * of which it knows 65,536. Call it in the thread of tn_set_grow(). NULL: false.
 */
TN_API bool tn_set_is_late(const struct tn_set *set, const struct tn_location *at);

/* End the growth: from now on a cut end is damage. The caller must be alone with the set. */
TN_API TN_MUST_CHECK enum tn_code tn_set_settle(struct tn_set *set, struct tn_error *err);

/* Stop fetching, and remove the received data from the disk: for a set that cannot be closed. NULL: does nothing. */
TN_API void tn_set_leave(struct tn_set *set);

/*
 * Whether the set was opened before its archives were unpacked. tn_set_grow() sets `over` when all are
 * unpacked. Then open the set again as usual: only that gives it its index and the order of equal times.
 */
TN_API bool tn_set_is_unpacking(const struct tn_set *set);
/* Stop unpacking; tn_set_grow() then sets `over` and `cut`. NULL: does nothing. */
TN_API void tn_set_stop_unpacking(struct tn_set *set);
/* Whether the file at @path begins like an archive. */
TN_API bool tn_path_is_archive(const char *path);

/* Whether @path is an address of a relay, net://... */
TN_API bool tn_path_is_live(const char *path);

/* A session of a relay; texts are borrowed for the call. */
struct tn_live_entry {
	const char *machine, *session;
	uint32_t timer_us;	/* live timer; 0: not a live session, cannot be attached */
	uint32_t viewers, streams;
};

/*
 * List the sessions of the relay at net://RELAY[:PORT]. Waits at most 15 s for the relay. If the address names
 * a session, *names_session is true and the relay is not asked.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_live_sessions(const char *address, bool *names_session, void (*one)(void *user, const struct tn_live_entry *entry),
		 void *user, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
