/*
 * set.h - the inside of a set of traces: how it was opened, and how it grows
 *
 * Shared by open.c and grow.c, which know every format.
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

/* Receives the problems of one trace once it is open. */
struct tn_told {
	struct tn_own_set *own;
	/* A problem was reported: the index is not stored, or the problem would not be reported again. */
	bool any;
};

/* A folder with a trace of a set that grows. */
struct tn_member {
	struct tn_found found;
	struct tn_trace *trace;	/* NULL: not opened yet, */
	struct tn_error why;	/* reason why it is not open, */
	bool told;		/* the reason was reported */
	bool told_folder;	/* the unreadable folder was reported */
	int64_t since_ns;	/* time since when it is not open */
	uint64_t metadata;	/* identity of the opened one; */
	uint64_t strays;	/* files that were tried and are not streams */
};

/* State of a stream of files, by rank: the time since it has grown. */
struct tn_stream_end {
	uint64_t size;
	int64_t heard_ns;	/* time of the last growth, CLOCK_MONOTONIC */
	size_t seen;		/* packets already checked for being late */
	bool behind;		/* the check did not reach the last packets */
};

/* A packet with events of a time that was settled before the packet came. */
struct tn_late {
	size_t stream, packet;
	int64_t settled_ns;	/* events up to this time were late */
};

struct tn_own_live {
	struct tn_live *live;
	char *address;		/* the address that was given */
	bool connecting;	/* no session yet: the contents are unknown */
	bool told;		/* reported: the reason of the failure, */
	bool told_keep;		/* reported: packets are dropped, */
	bool cannot_keep;	/* packets cannot be dropped */
};

/* An archive being unpacked by a thread of its own, into a folder that grows. */
struct tn_own_archive {
	struct tn_unpack *unpack;
	struct tn_worker *worker;	/* NULL: it was joined */
	size_t path;		/* index of its folder in the set's paths */
	atomic_uint_least64_t done, all;	/* bytes of the archive */
	atomic_bool stop, ended;
	enum tn_code rc;	/* once it has ended: the result, */
	struct tn_error error;	/* and the error */
	bool told;		/* the failure was reported; or the folder has its final name */
};

/* A set with the data for opening, growing and closing. */
struct tn_own_set {
	struct tn_set set;	/* first: a set is cast to it */
	struct tn_open_options options;	/* the user's options; the traces point to them */
	pthread_mutex_t telling;	/* serialises reports of problems */
	const struct tn_memory *memory;	/* the files in memory; NULL: on the disk */
	/* Traces whose streams were moved to another; their memory is still used. */
	TN_ARRAY(struct tn_trace *) joined;
	bool fresh;		/* the cache is ignored: */
	struct tn_unpacked unpacked;	/* folders of archives */
	struct tn_index_store *store;	/* stored indices in use */
	struct tn_told *told;	/* one a trace */
	/* Only of a set that grows: */
	const struct tn_format *const *formats;
	bool files_grow;	/* whether files grow, not only live sessions */
	TN_ARRAY(char *) path;	/* the arguments; for a live session its spool */
	size_t n_plain;		/* number of arguments that are not live sessions and may grow */
	TN_ARRAY(struct tn_own_live) live;
	TN_ARRAY(struct tn_own_archive *) packed;
	bool unpacking;		/* one of the archives is still being unpacked */
	TN_ARRAY(struct tn_member) members;
	bool searched;		/* skipped parts were reported */
	TN_ARRAY(struct tn_stream_end) ends;
	bool has_settled;
	int64_t settled_ns;
	TN_ARRAY(struct tn_late) late;
	uint64_t n_late;	/* number of all late packets, also those not in the list */
	char waits_for[512];
};

/* Open a found trace; @grows: only the parts that this trace does not have. */
enum tn_code tn_set_open_trace(struct tn_own_set *own, const struct tn_found *found, const struct tn_trace *grows,
			       struct tn_trace **out, struct tn_error *err);
/* Join the trace to an existing one, or add it; *into (may be NULL) is the result. Owns @t from now on. */
enum tn_code tn_set_add_trace(struct tn_own_set *own, struct tn_trace *t, struct tn_trace **into, struct tn_error *err);
/* Give new streams a rank, and their indices a guard. */
enum tn_code tn_set_rank_streams(struct tn_set *set, struct tn_error *err);
/* Report a problem that is not of a trace; @user is the set. */
void tn_set_tell(void *user, const struct tn_problem *problem);
/* Put clocks that are shared on one time line, if the options say so. Before anything has read a time. */
void tn_set_align(struct tn_set *set);
/* Times with different origins are put in one order all the same: report it once. */
void tn_set_compare_clocks(const struct tn_set *set);
/* Pass problems of the set's traces on to its user. */
enum tn_code tn_set_listen(struct tn_own_set *own, struct tn_error *err);
void tn_set_free_trace(struct tn_trace *t);

/* ---- late.c ---- */

/*
 * Check the new packets, before settled_ns advances. @until_ns: limit of time, CLOCK_MONOTONIC. Returns the
 * number of late packets so far.
 */
uint64_t tn_set_note_late(struct tn_own_set *own, int64_t until_ns);

/* ---- settled.c ---- */

struct tn_known_end {		/* end of a relay's stream, from before the files were checked */
	char *trace, *name;
	bool has_until, ended;
	uint64_t until;
	int64_t silent_ns;
};

/*
 * Find the time up to which all rows are complete, for has_settled, settled_ns, late and waits_for of @out. @ends: ends of the
 * relays' streams; @alone: take longer to look up packets.
 */
void tn_set_find_settled(struct tn_own_set *own, const struct tn_known_end *ends, size_t n, bool alone, struct tn_growth *out);

/* ---- retention.c ---- */

/* Drop packets of live sessions beyond the limit. */
void tn_set_retain(struct tn_own_set *own);
/* Return pages of earlier, settled data to the system: the page cache keeps them. */
void tn_set_pass(struct tn_own_set *own);

/*
 * For tracers that overwrite files of a limited size in a ring: whether this file now begins with other data.
 */
bool tn_file_is_overwritten(const struct tn_stream *stream, struct tn_stream_file *file, const struct stat *now);

/* ---- archives.c ---- */

/*
 * Begin to unpack the archives among the paths, and wait a moment. TN_END: all are unpacked, and the set is
 * opened as usual.
 */
enum tn_code tn_archives_begin(struct tn_own_set *own, const char *const *path, size_t n, struct tn_error *err);
/* The folder for path @i; NULL: the path is not an archive. */
struct tn_own_archive *tn_archives_find(const struct tn_own_set *own, size_t i);
/*
 * Report the progress; finished archives get their final name. Call it before the files are read: finished ones
 * are then complete.
 */
void tn_archives_look(struct tn_own_set *own, struct tn_growth *out);
/* Stop all of them; unfinished folders are removed. */
void tn_archives_end(struct tn_own_set *own);

/* ---- grow.c ---- */

bool tn_grow_is_wanted(const struct tn_own_set *own, const char *const *path, size_t n);
/* Open the set as one that grows. */
enum tn_code tn_grow_begin(struct tn_own_set *own, const struct tn_format *const *formats, const char *const *path,
			   size_t n, struct tn_error *err);
void tn_grow_end(struct tn_own_set *own);

#endif
