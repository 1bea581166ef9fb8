/*
 * pairs.h - the events of a format that begin and end a span
 */
#ifndef TN_MODEL_PAIRS_H
#define TN_MODEL_PAIRS_H

#include "model/trace.h"

#define TN_PAIR_NAME 16

/*
 * A kind of spans that a format knows; event classes refer to it. Kinds with the same name are one kind, even if they
 * are of several formats. `@NAME` is the definition of the spans.
 */
struct tn_span_kind {
	const char *name;	/* "slice"; never NULL */
	const char *by;		/* keys, as after `by` in a definition, such as "pid, tid" */
	const char *rule;	/* "nested", "latest" or "fifo"; NULL: nested */
	/*
	 * The field with the duration of an event that is a whole span, in nanoseconds as an integer. Such a span
	 * does not have an end event. NULL: no class of this kind is TN_SPAN_PART_WHOLE.
	 */
	const char *duration;
	/*
	 * Conditions that select the begin and end events of this kind, for classes whose events differ by their
	 * values. NULL: the class decides (tn_event_class.span_part).
	 */
	const char *begin, *end;
	/*
	 * The key that is the depth of a call, for formats in which a call can end without an event, as by an exception: a
	 * begin or end event then also ends the calls of its thread that are as deep or deeper. NULL: none.
	 */
	const char *depth;
	const char *named;	/* the field whose value, if there is one, names the span, such as "begin.title"; or NULL */
	const struct tn_span_kind *next;	/* another kind that events of the class may belong to; or NULL */
};

struct tn_pair_rules {
	/*
	 * Definitions of spans for the events of well-known tracers, in the form of tn_spans_add(): an array of
	 * tables; the array and each table end with NULL. The first definition for a begin event wins, also over
	 * rules of names. A rule says what a second begin event of a key does: "latest" is for a key that can be in
	 * such a state only once (a thread that waits, memory that is allocated). If an end event is missing, the
	 * next span must not be measured from the earlier begin event.
	 */
	const char *const *const *known;
	/*
	 * Find the name of the event that ends the span of @begin, if the format's names have such a rule. @has:
	 * whether an event class of that name exists. Both events belong to one thread. NULL: no such event.
	 */
	bool (*end)(const char *begin, bool (*has)(void *user, const char *name), void *user, char end[TN_PAIR_NAME]);
	/*
	 * The attribute that distinguishes threads with the same number. The function or its result may be NULL:
	 * none.
	 */
	const char *(*thread_key)(const struct tn_trace *trace);
};

/* Pairs for events of the Linux kernel: those of LTTng, and those of the kernel's own tracers in LTTng's names. */
extern const char *const tn_kernel_pairs[];

#endif
