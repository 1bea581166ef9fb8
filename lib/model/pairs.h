/*
 * pairs.h - the events of a format that begin and end a span
 */
#ifndef TN_MODEL_PAIRS_H
#define TN_MODEL_PAIRS_H

#include "model/trace.h"

#define TN_PAIR_NAME 16

/*
 * Spans that a format itself knows: event classes refer to their kind. Kinds of the same name are one kind, also of
 * several formats. `@NAME` is the definition of its spans.
 */
struct tn_span_kind {
	const char *name;	/* "slice"; never NULL */
	const char *by;		/* keys, as after `by` in a definition: "pid, tid" */
	const char *rule;	/* "nested", "latest", "fifo"; NULL: nested */
	/*
	 * The field of events that are whole spans: their duration, an integer of nanoseconds. Such a span has no end event.
	 * NULL: no class of this kind is TN_SPAN_PART_WHOLE.
	 */
	const char *duration;
	/*
	 * Expressions, for classes whose events begin and end spans by their values: they select the events that begin
	 * and end spans of this kind. NULL: the class decides (tn_event_class.span_part).
	 */
	const char *begin, *end;
	const char *named;	/* the field that names a span, if it has a value: "begin.title"; or NULL */
	const struct tn_span_kind *next;	/* another kind that events of the class may belong to; or NULL */
};

struct tn_pair_rules {
	/*
	 * Definitions of spans, as tn_spans_add() takes them, for the events of well-known tracers. Tables that end with
	 * NULL, in an array that ends with NULL. The first definition of a begin event wins, also over rules of names.
	 * A rule says what a second begin of a key does: "latest" is for a key that can only be in one such state (a thread
	 * that waits, memory that is allocated). If its end was not recorded, the next begin must not be counted from the
	 * first one.
	 */
	const char *const *const *known;
	/*
	 * Find the name of the event that ends the span of @begin, if the format's names have such rules; @has:
	 * whether an event class of that name exists. Such pairs belong to one thread. NULL: none.
	 */
	bool (*end)(const char *begin, bool (*has)(void *user, const char *name), void *user, char end[TN_PAIR_NAME]);
	/* The attribute that distinguishes threads with the same number; NULL: none, or no such function. */
	const char *(*thread_key)(const struct tn_trace *trace);
};

/* Events of the Linux kernel: LTTng's, and the kernel's own, which give LTTng's their names. */
extern const char *const tn_kernel_pairs[];

#endif
