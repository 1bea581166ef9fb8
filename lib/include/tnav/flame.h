/*
 * tnav/flame.h - stacks of spans and of sampled call chains, as trees and tables
 *
 * A thread has a stack at each moment: its open spans in the order of their begins. A flame is the tree of all stacks.
 * The time between two begins or ends of a thread counts for the stack that the thread has between them: it is
 * self time of the frame on top, and is in the total of all frames below it. A sampled call chain is one stack, and
 * counts samples in place of time.
 *
 * Units      Times are nanoseconds.
 * Ownership  A flame owns its names and does not need its set. Names are borrowed until the flame is freed.
 * Threads    A flame is read-only once made.
 * Errors     TN_ERR_ARGUMENT: a definition of spans that cannot form stacks, or traces without call chains.
 * States     object		state	may be called
 *            a flame		made	all functions, in several threads
 *            			freed	nothing
 *            its set		closed	all functions: a flame keeps nothing of it
 * Source     none: this is tnav's own. The folded form is that of flamegraph.pl.
 */
#ifndef TNAV_FLAME_H
#define TNAV_FLAME_H

#include <tnav/answer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_flame;

/* Limits. A stack that reaches one counts for the frame that called it, and `cut` counts the calls. */
#define TN_FLAME_NODES 262144	/* distinct stacks */
#define TN_FLAME_DEPTH 4096	/* frames of one stack */
#define TN_FLAME_NAMES 100000	/* names, at most 24 MiB; others are "..." */

/* A frame with all the frames that called it; or a row of a table of frames. */
struct tn_flame_node {
	const char *name;
	size_t parent;		/* of node 0: 0 */
	size_t end;		/* nodes (this one, end) were called by it, directly or not */
	uint32_t depth;		/* 0: node 0 */
	uint64_t calls;		/* begins; of samples: as total */
	uint64_t total, self;	/* nanoseconds, or samples */
	uint64_t longest_ns;	/* the longest call that ended */
	uint64_t open;		/* calls that did not end */
	uint64_t doubtful;	/* calls during which events were lost that could be their begin, end or callee */
};

struct tn_flame_counts {
	uint64_t calls;		/* begins, or samples */
	uint64_t orphans;	/* ends without a begin: left out */
	uint64_t without_key;	/* begins and ends left out because they do not have a key */
	uint64_t cut;		/* calls in stacks beyond a limit */
	uint64_t dropped;	/* calls left out because too many threads have a stack */
	uint64_t nameless;	/* calls of frames that are called "..." because there are too many names */
};

/*
 * Make the tree of the spans' stacks. Spans of all definitions are on one stack if they have the same thread: the keys
 * that name a thread, a process, a processor or a stream (vtid, prev_tid, cpu_id); if there are none, all keys. Other
 * keys only join a begin and its end. A frame has the name of its span; if the definition shows fields: the values
 * they have in the begin event. An end takes its frame out of the stack; frames above it stay, unless their end may have
 * been lost. TN_ERR_ARGUMENT: a definition has a condition (`where`).
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
 * The definition of spans for the function entries and exits of a set (lttng_ust_cyg_profile, ...) that it has
 * events of; NULL: it has none. @i: 0 the first, 1 the next.
 */
TN_API const char *tn_flame_ready(struct tn_set *set, size_t i);
TN_API void tn_flame_free(struct tn_flame *flame);	/* NULL is allowed */

TN_API bool tn_flame_is_sampled(const struct tn_flame *flame);	/* totals are samples, not time */
TN_API size_t tn_flame_count(const struct tn_flame *flame);
/*
 * Node 0 is all stacks together and has no name. The callees of a node come after it, the largest total first, equal
 * ones by name, each with its own callees. False: no such node.
 */
TN_API bool tn_flame_node(const struct tn_flame *flame, size_t i, struct tn_flame_node *out);
TN_API struct tn_flame_counts tn_flame_counts(const struct tn_flame *flame);

/*
 * The same from the other end: below node 0 each frame with its self time, below a frame its callers. Calls are those of
 * the frame on top. @node: only stacks of this node and its callees; 0: all.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_flame_callers(struct tn_flame **out, const struct tn_flame *flame, size_t node, struct tn_error *err);
/* A table: a node for each name, directly below node 0, the largest self time first. Recursion counts once in totals. */
TN_API TN_MUST_CHECK enum tn_code
tn_flame_frames(struct tn_flame **out, const struct tn_flame *flame, struct tn_error *err);
/*
 * The same with other names: for frames whose name is an address ("0x401136") @name appends a name, or returns false. Stacks
 * that have the same names then are one.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_flame_named(struct tn_flame **out, const struct tn_flame *flame,
	       bool (*name)(void *user, uint64_t address, struct tn_str *out), void *user, struct tn_error *err);
/*
 * Append "main;read;copy": the names from below node 0 to node @i. A ';' or a line feed inside a name becomes ',' or a
 * blank.
 */
TN_API void tn_flame_path(const struct tn_flame *flame, size_t i, struct tn_str *out);

#ifdef __cplusplus
}
#endif
#endif
