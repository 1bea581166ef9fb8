/*
 * tnav/grow.h - sets of traces that grow in place; live sessions of a relay
 *
 * A set grows if it was opened with `growing`, or if one of its paths is net://RELAY/host/MACHINE/SESSION.
 * tn_set_grow() then adds new data: packets, streams, metadata, traces, chunks of a rotated session.
 * It opens nothing again, and no struct tn_location changes.
 *
 * Units      Times are int64_t nanoseconds from the origin of the clocks.
 * Ownership  Texts in a struct tn_growth are borrowed until the next call on the set.
 * Threads    Call tn_set_grow() in one thread; other threads can use the set meanwhile, unless @alone is true.
 * Errors     TN_OK or a negative code with *err set. A failed call leaves the set as it was.
 * States     object	state			may be called
 *            a set	growing			tn_set_grow(), tn_set_is_late() in one thread; other functions in any thread
 *              		growing, @alone		nothing else until tn_set_grow() returns; after TN_GREW_CLASSES or _STREAMS
 *              					only free earlier cursors, filters and texts
 *              		`over`			as a set that does not grow; tn_set_grow() changes nothing
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
	TN_GREW_STREAMS = 2,	/* there are new streams: make new cursors, which know them */
	TN_GREW_CLASSES = 4,	/* there is new metadata: make new cursors, filters and texts */
	TN_GREW_WAITS = 8	/* there is new data that only a call with @alone can add */
};

struct tn_growth {
	unsigned grew;		/* TN_GREW_... since the last call */
	bool live;		/* one of the traces is a live session */
	/* The set is complete: all live sessions have ended, all archives are unpacked, and no other trace grows. */
	bool over;
	bool has_settled;
	/* All rows up to this time are known; later calls add earlier rows only if they are late. */
	int64_t settled_ns;
	const char *waits_for;	/* a stream that delayed settled_ns and is now ignored; or NULL */
	const char *missing;	/* the reason why a trace cannot be read yet; or NULL */
	uint64_t late;		/* number of packets with events before the settled_ns of an earlier call */
	uint64_t packets, bytes;	/* received from relays */
	bool lost;		/* the connection to a relay is lost; the library tries to restore it */
	bool unpacking;		/* the library unpacks archives: new rows can be at any place */
	double unpacked;	/* unpacked share of the archives: 0 to 1 */
	const char *cut;	/* the reason why an archive is not unpacked completely; or NULL */
};

/*
 * Add new data to the set. @alone: the caller states that no other thread uses the set, and that it does not use
 * earlier cursors, filters and texts again. Without @alone the function only adds rows, and TN_GREW_WAITS reports other
 * new data.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_set_grow(struct tn_set *set, bool alone, struct tn_growth *out, struct tn_error *err);

/*
 * Whether the event at @at was late: it was added when later rows were already settled. Slow: searches all late
 * packets (at most 65,536). Call it in the thread of tn_set_grow(). NULL: false.
 */
TN_API bool tn_set_is_late(const struct tn_set *set, const struct tn_location *at);

/* End the growth: an incomplete packet at the end is then damage. No other thread may use the set meanwhile. */
TN_API TN_MUST_CHECK enum tn_code tn_set_settle(struct tn_set *set, struct tn_error *err);

/* Stop receiving, and remove the received data from the disk. For a program that cannot close the set. */
TN_API void tn_set_leave(struct tn_set *set);

/*
 * Whether the set was opened before its archives were unpacked. When tn_set_grow() sets `over`, all archives are
 * unpacked. Then open the set again: only then does it have its index and the final order of equal times.
 */
TN_API bool tn_set_is_unpacking(const struct tn_set *set);
/* Stop unpacking; tn_set_grow() then sets `over` and `cut`. */
TN_API void tn_set_stop_unpacking(struct tn_set *set);
/* Whether the file at @path begins like an archive. */
TN_API bool tn_path_is_archive(const char *path);

/* Whether @path is an address of a relay, net://... */
TN_API bool tn_path_is_live(const char *path);

/* A session of a relay; texts are borrowed for the call. */
struct tn_live_entry {
	const char *machine, *session;
	uint32_t timer_us;	/* live timer; 0: not a live session, tnav cannot read it */
	uint32_t viewers, streams;
};

/*
 * List the sessions of the relay at net://RELAY[:PORT]: call @one for each. Waits at most 15 s for the relay. If the
 * address names a session, sets *names_session to true and does not connect.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_live_sessions(const char *address, bool *names_session, void (*one)(void *user, const struct tn_live_entry *entry),
		 void *user, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
