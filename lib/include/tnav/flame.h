/*
 * tnav/flame.h - stacks of spans and of sampled call chains, as trees and tables
 *
 * The stack of a thread consists of its open spans, in the order of their begin events. A flame is the tree of all
 * stacks. The time between two begin or end events of a thread counts for the stack between them: it is self time of the
 * frame on top, and total time of all frames of the stack. A sampled call chain is one stack; it counts samples instead of
 * time.
 *
 * Units      Times are nanoseconds.
 * Ownership  A flame owns its names and does not need its set. Names are borrowed until the flame is freed.
 * Threads    A flame is read-only.
 * Errors     TN_ERR_ARGUMENT: the spans of a definition cannot form stacks, or the traces do not have call chains.
 * States     object		state	may be called
 *            a flame		made	all functions, in several threads
 *            			freed	nothing
 *            its set		closed	all functions: a flame does not use its set
 * Source     none: this is tnav's own. The folded form is that of flamegraph.pl.
 */
#ifndef TNAV_FLAME_H
#define TNAV_FLAME_H

#include <tnav/answer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_flame;

/* Limits. Calls above a limit count for the frame that called them, and in `cut`. */
#define TN_FLAME_NODES 262144	/* distinct stacks */
#define TN_FLAME_DEPTH 4096	/* frames of one stack */
#define TN_FLAME_NAMES 100000	/* names, at most 24 MiB; frames with other names are called "..." */

/* A frame with its callers, so a stack; or a row of a table of frames. */
struct tn_flame_node {
	const char *name;
	size_t parent;		/* index of the parent; node 0 has parent 0 */
	size_t end;		/* nodes (this one, end) are its direct and indirect callees */
	uint32_t depth;		/* 0: node 0 */
	uint64_t calls;		/* number of calls; for samples: as total */
	uint64_t total, self;	/* nanoseconds, or samples */
	uint64_t longest_ns;	/* the longest call that ended */
	uint64_t open;		/* number of calls that did not end */
	uint64_t doubtful;	/* number of calls during which events of the stack may have been lost */
};

struct tn_flame_counts {
	uint64_t calls;		/* all calls, or samples */
	uint64_t orphans;	/* omitted end events without a begin event */
	uint64_t without_key;	/* begin and end events that were omitted because they do not have a key */
	uint64_t cut;		/* calls in stacks above a limit */
	uint64_t dropped;	/* calls that were omitted because too many threads have a stack */
	uint64_t nameless;	/* calls of frames that are called "..." because there are too many names */
};

/*
 * Make the tree of the spans' stacks. Keys that name a thread, a process, a processor or a stream (vtid,
 * prev_tid, cpu_id) identify the stack; without such keys, all keys do. Other keys only join begin and end
 * events. Spans of several definitions can be on one stack. The name of a frame is that of its span or, if the
 * definition shows fields, the values of these fields in the begin event. An end event removes its frame;
 * frames above it stay, unless their end events may have been lost. TN_ERR_ARGUMENT: a definition has a
 * condition (`where`).
 */
TN_API TN_MUST_CHECK enum tn_code
tn_flame_of_spans(struct tn_flame **out, const struct tn_spans *spans, const struct tn_scan_options *options,
		  struct tn_error *err);
/* Make the tree of the call chains that events have (callstack_user, callstack_kernel; callchain; caller). */
TN_API TN_MUST_CHECK enum tn_code
tn_flame_of_chains(struct tn_flame **out, struct tn_set *set, const struct tn_scan_options *options, struct tn_error *err);
/* Whether events of the set may have such chains. */
TN_API bool tn_set_has_chains(struct tn_set *set);
/*
 * Definition @i of spans for the function entries and exits in a set (lttng_ust_cyg_profile, ...); NULL after the last
 * definition for which the set has event classes.
 */
TN_API const char *tn_flame_ready(struct tn_set *set, size_t i);
TN_API void tn_flame_free(struct tn_flame *flame);	/* NULL is allowed */

TN_API bool tn_flame_is_sampled(const struct tn_flame *flame);	/* totals are samples, not time */
TN_API size_t tn_flame_count(const struct tn_flame *flame);
/*
 * Get a node. Node 0 stands for all stacks, and has no name. After a node come its callees, each with its own callees,
 * sorted by total (the largest first), then by name. False: no such node.
 */
TN_API bool tn_flame_node(const struct tn_flame *flame, size_t i, struct tn_flame_node *out);
TN_API struct tn_flame_counts tn_flame_counts(const struct tn_flame *flame);

/*
 * Make the inverted tree: below node 0 is each frame with its self time, below a frame are its callers. Calls
 * are those of the frame on top. @node: use only stacks of this node and its callees; 0: all stacks.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_flame_callers(struct tn_flame **out, const struct tn_flame *flame, size_t node, struct tn_error *err);
/* Make a table: one node for each name, below node 0, the largest self time first. Totals count a recursion once. */
TN_API TN_MUST_CHECK enum tn_code
tn_flame_frames(struct tn_flame **out, const struct tn_flame *flame, struct tn_error *err);
/*
 * Make the same tree with other names: for each frame whose name is an address ("0x401136"), @name appends a
 * name, or returns false. Stacks with equal names are then joined.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_flame_named(struct tn_flame **out, const struct tn_flame *flame,
	       bool (*name)(void *user, uint64_t address, struct tn_str *out), void *user, struct tn_error *err);
/*
 * Append "main;read;copy": the names from the node below node 0 to node @i. In names, ';' becomes ',', and a line feed
 * becomes a blank.
 */
TN_API void tn_flame_path(const struct tn_flame *flame, size_t i, struct tn_str *out);

#ifdef __cplusplus
}
#endif
#endif
