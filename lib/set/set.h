/*
 * set.h - what is behind a set of traces: how it was opened, and what makes it grow
 *
 * Shared by open.c and grow.c, which see every format.
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

/* Where the problems of one trace go once it is open. */
struct tn_told {
	struct tn_own_set *own;
	bool any;		/* something was told: its index is not stored, or it would not be told again */
};

/* A folder that a trace of the set came from, in a set that grows. */
struct tn_member {
	struct tn_found found;
	struct tn_trace *trace;	/* NULL: it could not be opened yet, */
	struct tn_error why;	/* for this reason, */
	bool told;		/* which was said */
	bool told_folder;	/* that its folder cannot be looked into */
	int64_t since_ns;	/* when that was */
	uint64_t metadata;	/* which one was opened; */
	uint64_t strays;	/* files that were tried and are no streams */
};

/* How long a stream of files has not grown, by rank. */
struct tn_stream_end {
	uint64_t size;
	int64_t heard_ns;	/* when it grew, CLOCK_MONOTONIC */
	size_t seen;		/* packets that were looked at: whether they came late */
	bool behind;		/* not all of those that came were found then */
};

/* A packet with events of a time that was settled before it came. */
struct tn_late {
	size_t stream, packet;
	int64_t settled_ns;	/* events up to then came late */
};

struct tn_own_live {
	struct tn_live *live;
	char *address;		/* as it was named */
	bool connecting;	/* it has no session yet: what that has is not known at all */
	bool told;		/* why it failed was said, */
	bool told_keep;		/* that packets are given up, */
	bool cannot_keep;	/* that they cannot be */
};

/* An archive that is unpacked by a thread of its own, into a folder that grows. */
struct tn_own_packed {
	struct tn_unpack *unpack;
	struct tn_worker *worker;	/* NULL: it was joined */
	size_t path;		/* which one of the set's paths is its folder */
	atomic_uint_least64_t done, all;	/* bytes of the archive */
	atomic_bool stop, ended;
	enum tn_code rc;	/* once it has ended: how, */
	struct tn_error error;	/* and why */
	bool told;		/* that was said; or it has its last name */
};

/* A set with what only its opening, growing and closing need. */
struct tn_own_set {
	struct tn_set set;	/* first: a set is cast to it */
	struct tn_open_options options;	/* the user's, which the traces point to */
	pthread_mutex_t telling;	/* problems are told one at a time */
	const struct tn_memory *memory;	/* what is opened is there; NULL: on the disk */
	TN_ARRAY(struct tn_trace *) joined;	/* whose streams went to another trace; their memory is still used */
	bool fresh;		/* nothing of the cache is believed: */
	struct tn_unpacked unpacked;	/* archives are here */
	struct tn_index_store *store;	/* stored indices in use */
	struct tn_told *told;	/* one a trace */
	/* Only of a set that grows: */
	const struct tn_format *const *formats;
	bool files_grow;	/* not only live sessions do */
	TN_ARRAY(char *) path;	/* the arguments; a live session's is its spool */
	size_t n_plain;		/* of them, that are no live session's and may grow */
	TN_ARRAY(struct tn_own_live) live;
	TN_ARRAY(struct tn_own_packed *) packed;
	bool unpacking;		/* one of these still runs */
	TN_ARRAY(struct tn_member) members;
	bool searched;		/* what is left out was said */
	TN_ARRAY(struct tn_stream_end) ends;
	bool has_settled;
	int64_t settled_ns;
	TN_ARRAY(struct tn_late) late;
	uint64_t n_late;	/* that many, also those there was no room for */
	char waits_for[512];
};

/* Open what was found; @grows: only what that trace has not got. */
enum tn_code tn_set_open_trace(struct tn_own_set *own, const struct tn_found *found, const struct tn_trace *grows,
			       struct tn_trace **out, struct tn_error *err);
/* Join the trace to one that is there, or add it; *into (may be NULL) is where it went. Owns @t from here on. */
enum tn_code tn_set_add_trace(struct tn_own_set *own, struct tn_trace *t, struct tn_trace **into, struct tn_error *err);
/* Give the streams that have none yet a rank, and their index its guard. */
enum tn_code tn_set_rank_streams(struct tn_set *set, struct tn_error *err);
/* For what is no trace's: @user is the set. */
void tn_set_tell(void *user, const struct tn_problem *problem);
/* Problems of its traces go to who opened the set. */
enum tn_code tn_set_listen(struct tn_own_set *own, struct tn_error *err);
void tn_set_free_trace(struct tn_trace *t);

/* ---- late.c ---- */

/*
 * Look at the packets that came, before what is settled moves on. @until_ns: for so long, CLOCK_MONOTONIC. How many came
 * late so far.
 */
uint64_t tn_set_note_late(struct tn_own_set *own, int64_t until_ns);

/* ---- keep.c ---- */

/* Give up packets of live sessions that are more than is to be kept. */
void tn_set_keep(struct tn_own_set *own);
/* Pages of what was in order before are given back to the system: it has them still. */
void tn_set_pass(struct tn_own_set *own);

/* Of a tracer that goes round through files of a limited size: whether this one, as it is now, begins anew. */
bool tn_file_is_overwritten(const struct tn_stream *stream, struct tn_stream_file *file, const struct stat *now);

/* ---- packed.c ---- */

/*
 * Begin to unpack those of the paths that are archives, and wait a moment. TN_END: nothing is being unpacked any more:
 * the set is opened as any other.
 */
enum tn_code tn_packed_begin(struct tn_own_set *own, const char *const *path, size_t n, struct tn_error *err);
/* The folder that path @i is unpacked into; NULL: it is no archive. */
struct tn_own_packed *tn_packed_find(const struct tn_own_set *own, size_t i);
/* How far they are; those that are done get their last name. Before the files are looked at: what is done is there. */
void tn_packed_look(struct tn_own_set *own, struct tn_growth *out);
/* None runs on; what is not done is removed. */
void tn_packed_end(struct tn_own_set *own);

/* ---- grow.c ---- */

bool tn_grow_is_wanted(const struct tn_own_set *own, const char *const *path, size_t n);
/* Open the set as one that grows. */
enum tn_code tn_grow_begin(struct tn_own_set *own, const struct tn_format *const *formats, const char *const *path,
			   size_t n, struct tn_error *err);
void tn_grow_end(struct tn_own_set *own);

#endif
