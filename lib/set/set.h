/*
 * set.h - the internal data of a set of traces: how it was opened, and how it grows
 *
 * Shared by open.c and grow.c, which know all formats.
 */
#ifndef TN_SET_SET_H
#define TN_SET_SET_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "live/live.h"
#include "model/decoder.h"
#include "set/search.h"

struct tn_growth;
struct tn_unpack;

/* Receives the problems of one trace after it is open. */
struct tn_told {
	struct tn_own_set *own;
	/* A problem was reported, so the index is not stored: otherwise later runs would not report the problem. */
	bool any;
};

/* A folder with a trace, in a set that grows. */
struct tn_member {
	struct tn_found found;
	struct tn_trace *trace;	/* NULL: not opened yet */
	struct tn_error why;	/* reason why it is not open */
	bool told;		/* the reason was reported */
	bool told_folder;	/* an unreadable folder was reported */
	int64_t since_ns;	/* time from which on it has not been open */
	uint64_t metadata;	/* identity of the metadata when it was opened */
	uint64_t strays;	/* checksum of files that were tried and are not streams */
};

/* For each stream of files, by rank: its growth. */
struct tn_stream_end {
	uint64_t size;
	int64_t heard_ns;	/* CLOCK_MONOTONIC time of the last growth */
	size_t seen;		/* number of packets that were checked for being late */
	bool behind;		/* the check did not reach the last packets */
};

/* A packet with events at a time that was settled before the packet arrived. */
struct tn_late {
	size_t stream, packet;
	int64_t settled_ns;	/* events up to this time were late */
};

struct tn_own_live {
	struct tn_live *live;
	char *address;		/* the address that the user gave */
	bool connecting;	/* there is no session yet, so the contents are unknown */
	bool told;		/* the reason of the failure was reported */
	bool told_keep;		/* a message already said that packets are dropped */
	bool cannot_keep;	/* packets cannot be dropped */
};

/* An archive that a thread unpacks into a folder that grows. */
struct tn_own_archive {
	struct tn_unpack *unpack;
	struct tn_worker *worker;	/* NULL: the thread has ended and was joined */
	size_t path;		/* index of its folder in the paths of the set */
	atomic_uint_least64_t done, all;	/* bytes of the archive: unpacked so far, and all */
	atomic_bool stop, ended;
	enum tn_code rc;	/* result, once the thread has ended */
	struct tn_error error;	/* error, once the thread has ended */
	bool told;		/* the failure was reported, or the folder has its final name */
};

/* A set, with the data for opening, growing and closing it. */
struct tn_own_set {
	struct tn_set set;	/* first member, because pointers to it are converted */
	struct tn_open_options options;	/* the user's options, to which the traces point */
	pthread_mutex_t telling;	/* lets only one thread report problems at a time */
	const struct tn_memory *memory;	/* files of the traces, if they are in memory; NULL: on disk */
	/* Traces whose streams were moved to other traces; their memory is still used. */
	TN_ARRAY(struct tn_trace *) joined;
	bool fresh;		/* the cache is ignored */
	struct tn_unpacked unpacked;	/* folders of unpacked archives, if the cache is ignored */
	struct tn_index_store *store;	/* stored indices that the set uses */
	struct tn_told *told;	/* one for each trace */
	/* Only for a set that grows: */
	const struct tn_format *const *formats;
	bool files_grow;	/* files grow, too, not only live sessions */
	TN_ARRAY(char *) path;	/* the arguments; for a live session, its spool */
	size_t n_plain;		/* number of arguments that may grow and are not live sessions */
	TN_ARRAY(struct tn_own_live) live;
	TN_ARRAY(struct tn_own_archive *) packed;
	bool unpacking;		/* at least one archive is still being unpacked */
	TN_ARRAY(struct tn_member) members;
	bool searched;		/* skipped parts were already reported */
	TN_ARRAY(struct tn_stream_end) ends;
	bool has_settled;
	int64_t settled_ns;
	TN_ARRAY(struct tn_late) late;
	uint64_t n_late;	/* number of all late packets, including those that are not in the list */
	char waits_for[512];
};

/* Open a found trace. @grows: open only the parts that this trace does not have. */
enum tn_code tn_set_open_trace(struct tn_own_set *own, const struct tn_found *found, const struct tn_trace *grows,
			       struct tn_trace **out, struct tn_error *err);
/* Join the trace to an existing one, or add it. *into is the result; @into may be NULL. The set now owns @t. */
enum tn_code tn_set_add_trace(struct tn_own_set *own, struct tn_trace *t, struct tn_trace **into, struct tn_error *err);
/* Give each new stream a rank, and a guard for its index. */
enum tn_code tn_set_rank_streams(struct tn_set *set, struct tn_error *err);
/* Report a problem that does not belong to a trace; @user is the set. */
void tn_set_tell(void *user, const struct tn_problem *problem);
/* If the options allow it, align the clocks that traces share. Call this before any time is read. */
void tn_set_align(struct tn_set *set);
/* Report, once, that times with different origins are put into one order. */
void tn_set_compare_clocks(const struct tn_set *set);
/* Pass problems of the set's traces to its user. */
enum tn_code tn_set_listen(struct tn_own_set *own, struct tn_error *err);
void tn_set_free_trace(struct tn_trace *t);

/* ---- late.c ---- */

/*
 * Check the new packets for being late. Call this before settled_ns advances. @until_ns: end of the check,
 * CLOCK_MONOTONIC. Returns the number of late packets so far.
 */
uint64_t tn_set_note_late(struct tn_own_set *own, int64_t until_ns);

/* ---- settled.c ---- */

struct tn_known_end {		/* the end of a relay's stream, as it was before the files were checked */
	char *trace, *name;
	bool has_until, ended;
	uint64_t until;
	int64_t silent_ns;
};

/*
 * Find the time up to which all rows are complete, and set has_settled, settled_ns, late and waits_for of @out. @ends:
 * ends of the relays' streams. @alone: use more time to search for packets.
 */
void tn_set_find_settled(struct tn_own_set *own, const struct tn_known_end *ends, size_t n, bool alone, struct tn_growth *out);

/* ---- retention.c ---- */

/* Drop packets of live sessions if they exceed the limit. */
void tn_set_retain(struct tn_own_set *own);
/* Release pages of earlier, settled data. The page cache keeps them. */
void tn_set_pass(struct tn_own_set *own);

/* For tracers that overwrite files of a limited size in a ring: whether the file now begins with other data. */
bool tn_file_is_overwritten(const struct tn_stream *stream, struct tn_stream_file *file, const struct stat *now);

/* ---- archives.c ---- */

/*
 * Begin to unpack the archives among the paths, and wait a moment. TN_END: all are unpacked, and the set is opened as
 * usual.
 */
enum tn_code tn_archives_begin(struct tn_own_set *own, const char *const *path, size_t n, struct tn_error *err);
/* The archive for path @i; NULL: the path is not an archive. */
struct tn_own_archive *tn_archives_find(const struct tn_own_set *own, size_t i);
/*
 * Report the progress, and give finished archives their final name. Call this before files are read, so that finished
 * archives are complete.
 */
void tn_archives_look(struct tn_own_set *own, struct tn_growth *out);
/* Stop unpacking all archives, and remove unfinished folders. */
void tn_archives_end(struct tn_own_set *own);

/* ---- grow.c ---- */

bool tn_grow_is_wanted(const struct tn_own_set *own, const char *const *path, size_t n);
/* Open the set as one that grows. */
enum tn_code tn_grow_begin(struct tn_own_set *own, const struct tn_format *const *formats, const char *const *path,
			   size_t n, struct tn_error *err);
void tn_grow_end(struct tn_own_set *own);

#endif
