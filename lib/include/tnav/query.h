/*
 * tnav/query.h - filters, scans that run them over a set of traces, exports of the events that pass
 *
 * Ownership  A filter is shared by any number of scans and outlives them.
 * Threads    A filter is read-only once made. A scan runs its own threads; its callbacks run one at a
 *            time, in the calling thread.
 * Errors     TN_ERR_ARGUMENT for a wrong regex or expression: the text gives the mistake and its column.
 * States     object		state		may be called
 *            a filter	new		tn_filter_times(), then tn_filter_add...(); scans: everything passes
 *              		in use		functions that read it, in several threads; no adding while in use
 *              		after an add that failed	as before it: the condition is not in it
 *            a scan, a count	running		from its callbacks: nothing that changes or closes the set, the filter, the text
 *            an export	running		the same; its output is removed if it fails
 * Source     regular expressions: PCRE2, as in pcre2pattern(3), in UTF mode where the bytes allow it.
 */
#ifndef TNAV_QUERY_H
#define TNAV_QUERY_H

#include <tnav/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- regular expressions over lines ---- */
struct tn_regex;
/* Compile a pattern. TN_ERR_ARGUMENT: the text gives the mistake and its column. */
TN_API TN_MUST_CHECK enum tn_code
tn_regex_new(struct tn_regex **out, const char *pattern, bool ignore_case, struct tn_error *err);
TN_API void tn_regex_free(struct tn_regex *regex);	/* NULL is allowed */
/* Find the first match in text[from, n); false: no match. Safe in several threads. */
TN_API bool tn_regex_find(const struct tn_regex *regex, const char *text, size_t n, size_t from,
			  size_t *begin, size_t *end);

/* ---- attributes: values that every event has, whatever its tracer ---- */
struct tn_attribute {
	const char *name;
	const char *help;	/* one line, in English */
	/* A field of this name that events have takes precedence; "event." before the name means the attribute. */
	bool yields;
};
/* The table of attributes; *n is their number. */
TN_API const struct tn_attribute *tn_attributes(size_t *n);

/* ---- filters ---- */
/*
 * A stack of conditions, all of which an event must meet: regular expressions over the line, and expressions
 * over fields and attributes ("vpid == 12 and path =~ /items/"; tnav-language(7) describes the language).
 * Notices always pass.
 */
struct tn_filter;
/* Make a filter that everything passes. */
TN_API TN_MUST_CHECK enum tn_code tn_filter_new(struct tn_filter **out, const struct tn_set *set, struct tn_error *err);
TN_API void tn_filter_free(struct tn_filter *filter);	/* NULL is allowed */
/*
 * Add a condition as a person types it. The text is an expression if it begins like one and has a comparison,
 * if it begins with /regex/, or if it is valid and contains "and", "or" or "not". Otherwise it is a regular
 * expression over the line; '!' before it selects the lines that do not match. TN_ERR_ARGUMENT: the text gives
 * the column, the expected word, and the nearest name that exists.
 */
TN_API TN_MUST_CHECK enum tn_code tn_filter_add(struct tn_filter *filter, const char *text, struct tn_error *err);
/*
 * Whether tn_filter_add() reads the text as an expression, judged without the traces. The expression may still
 * be wrong. NULL: false.
 */
TN_API bool tn_condition_is_expression(const char *text);
/*
 * The blank before the first such word of a definition ("BEGIN END by KEY where CONDITION"), for example "where". A word in
 * quotes, in backticks, in parentheses or in a regular expression does not count. NULL: there is none, or an argument is NULL.
 */
TN_API const char *tn_condition_find_word(const char *text, const char *word);
/* Whether a condition has the name, outside of quotes, backticks and regular expressions; "a.name" does not count. NULL: false. */
TN_API bool tn_condition_has_name(const char *text, const char *name);
/*
 * Whether tn_filter_add() reads the text as an expression, judged with the names in the traces ("lost or
 * status", "comm in x"). NULL: false.
 */
TN_API bool tn_filter_takes_expression(struct tn_filter *filter, const char *text);
/*
 * Set how times in expressions added later are read. near_ns 0 is the day of the first event. @times NULL: that
 * day, in local time.
 */
TN_API void tn_filter_times(struct tn_filter *filter, const struct tn_time_context *times);
/* Add a condition: the line matches @pattern, or with @negate does not match it. */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_add_regex(struct tn_filter *filter, const char *pattern, bool negate, struct tn_error *err);
/* Add a condition: an expression over fields. TN_ERR_ARGUMENT: the text gives the column. */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_add_expression(struct tn_filter *filter, const char *expression, struct tn_error *err);
/*
 * A hint about a valid condition that is probably a mistake: a name that no event class of the traces has ("no
 * event class is called 'blob'; the nearest is 'shop:blob'"); a stream, trace, host or process that none of
 * them has; a '*' in a text that is compared. Traces that grow may get the name later. Valid as long as the
 * filter; NULL: no hint.
 */
TN_API const char *tn_filter_remark(const struct tn_filter *filter);
/*
 * Complete the text of a condition at byte @at: names of fields and attributes, labels of an enumeration after
 * its comparison, names of events, streams, levels. *begin is the start of the word that a result of @each
 * replaces (it ends at @at). Words are in no special order.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_complete(struct tn_filter *filter, const char *text, size_t at, size_t *begin,
		   void (*each)(void *user, const char *word), void *user, struct tn_error *err);
/*
 * The name that the word at byte @at of a condition's text is compared with, as written there. It tells a
 * caller which values to offer. False: no comparison there, or the name does not fit into @size bytes.
 */
TN_API bool tn_condition_compared(const char *text, size_t at, char *name, size_t size);
TN_API bool tn_filter_empty(const struct tn_filter *filter);	/* no conditions: everything passes */
/* Whether the row at the cursor passes; *pass is set if TN_OK is returned. */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_match(const struct tn_filter *filter, const struct tn_text *text, struct tn_cursor *cur, bool *pass,
		struct tn_error *err);

/* ---- scans ---- */

/*
 * Counts of passing events in one packet, all of whose events are in the range of a scan. Borrowed until the
 * callback returns.
 */
struct tn_packet_counts {
	uint32_t stream;	/* number of the stream in the set */
	size_t packet;
	int64_t begin_ns, end_ns;	/* no event is before or after these; INT64_MIN, INT64_MAX: unknown */
	uint64_t events;	/* number of events that pass */
	size_t n_classes;	/* counts by class, in no special order */
	const struct tn_event_class *const *event_class;
	const uint64_t *count;
	const struct tn_packet_look *look;	/* for tn_packet_slices() */
};

/*
 * Counts of passing events over time, in consecutive slices. The length of a slice is a power of two of
 * nanoseconds, and it begins at a multiple of its length. A caller that counts between such times does not need
 * the events.
 */
struct tn_packet_slices {
	int64_t begin_ns;	/* start of the first slice */
	uint64_t slice_ns;
	size_t n;
	const uint64_t *count;	/* borrowed until the callback returns, or requests other slices */
};

/* Only within the callback that got @counts. False: the times of the events are unknown. */
TN_API bool tn_packet_slices(const struct tn_packet_counts *counts, struct tn_packet_slices *out);

#define TN_SCAN_OPTIONS TN_SIZED(tn_scan_options)
struct tn_scan_options {
	size_t size;		/* TN_SCAN_OPTIONS sets it */
	const struct tn_filter *filter;	/* NULL: everything */
	const struct tn_text *text;	/* format of the lines */
	const struct tn_text *match;	/* format of the lines that regexes see, never records; NULL: as `text` */
	bool has_begin, has_end;	/* restrict to rows at or after begin_ns, at or before end_ns */
	int64_t begin_ns, end_ns;
	bool has_from;		/* begin after this row (backwards: before it) */
	bool from_included;	/* or begin at it */
	struct tn_location from;
	bool has_to;		/* end with this row */
	struct tn_location to;
	bool backward;
	/*
	 * For callers that count: rows, events and notices arrive packet by packet, which is faster, in an
	 * order that may differ from run to run. No effect with lines, a limit, backwards, or if a regular
	 * expression reads lines.
	 */
	bool any_order;
	uint64_t limit;		/* stop after this number of passing events; 0: no limit */
	unsigned threads;	/* 0: one a processor. The result does not depend on it. */
	/* All callbacks may be NULL. A non-zero result stops the scan: TN_ERR_CANCELLED is returned. */
	int (*lines)(void *user, const char *text, size_t n);	/* whole lines of text, in order; the heading first */
	int (*row)(void *user, const struct tn_row *row);	/* each event that passes, each notice, in order */
	int (*notice)(void *user, const struct tn_row *row);	/* each notice, in order, before later lines */
	/*
	 * As `row`, with all values of the event, borrowed until the callback returns. @event NULL: a notice,
	 * or an event that cannot be decoded; @why is the cause.
	 */
	int (*event)(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why);
	/* Reports progress about 20 times a second. A non-zero result stops the scan. */
	int (*progress)(void *user, uint64_t events_read, uint64_t events_passed, int64_t at_ns);
	/*
	 * Called by all threads at once, before each match of a regular expression and before each batch of
	 * rows on the path to the first row. True stops the scan too.
	 */
	bool (*stopped)(void *user);
	/*
	 * For callers that count rows. Called before all other callbacks for each packet whose counts an
	 * earlier scan recorded, and which has no notices. True: the counts suffice, and `row` and `event` skip
	 * its events. Not called with lines, a limit, or backwards. NULL: each event is reported, unless both
	 * `row` and `event` are NULL.
	 */
	bool (*packet)(void *user, const struct tn_packet_counts *counts);
	/*
	 * For callers that count over time: the times (as in their locations) of the passing events of a
	 * packet, never falling, many at once. `row` then gets notices only. Not called with a limit or
	 * backwards. Borrowed until the callback returns.
	 */
	int (*times)(void *user, uint32_t stream, size_t packet, const int64_t *time_ns, size_t n);
	void *user;
	bool has_asker;		/* progress() and stopped() get @asker instead of @user */
	void *asker;
	unsigned scopes;	/* of `event`: TN_SCOPE_BIT()s of the scopes to read; 0: all */
};

/* Scan to the end, the limit, or a stop. *passed (may be NULL) is set even on failure. */
TN_API TN_MUST_CHECK enum tn_code
tn_scan(struct tn_set *set, const struct tn_scan_options *options, uint64_t *passed, struct tn_error *err);

/*
 * The event classes of the events that pass, in the order of their traces and classes: *out_n of them, to be freed with
 * free(). @options: callbacks other than progress and stopped are not called.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_scan_classes(struct tn_set *set, const struct tn_scan_options *options, const struct tn_event_class ***out, size_t *out_n,
		struct tn_error *err);

#define TN_COUNT_OPTIONS TN_SIZED(tn_count_options)
struct tn_count_options {
	size_t size;		/* TN_COUNT_OPTIONS sets it */
	unsigned threads;	/* 0: one a processor. The result does not depend on it. */
	/* Both may be NULL. A non-zero result stops counting: TN_ERR_CANCELLED is returned. */
	int (*notice)(void *user, const struct tn_row *row);	/* damage and losses, in the order of time, at the end */
	int (*progress)(void *user, uint64_t done_bytes, uint64_t all_bytes);	/* about 20 times a second, about so far */
	void *user;
};

/* Count the events by the fastest method. *events is set even on failure. @options may be NULL. */
TN_API TN_MUST_CHECK enum tn_code
tn_count(struct tn_set *set, const struct tn_count_options *options, uint64_t *events, struct tn_error *err);

/* ---- export ---- */

/* Results of an export. */
struct tn_exported {
	uint64_t events, packets, bytes;
	size_t streams, traces;
};

#define TN_EXPORT_OPTIONS TN_SIZED(tn_export_options)
struct tn_export_options {
	size_t size;		/* TN_EXPORT_OPTIONS sets it */
	const struct tn_filter *filter;	/* NULL: everything */
	const struct tn_text *text;	/* format of the lines, for regexes */
	bool has_begin, has_end;	/* restrict to events at or after begin_ns, at or before end_ns */
	int64_t begin_ns, end_ns;
	unsigned threads;	/* 0: one a processor. The result does not depend on it. */
	/* Reports each damage, in the order of the streams, after the events. A non-zero result stops the export. */
	int (*damage)(void *user, const struct tn_row *row);
	/* Reports progress about 20 times a second. A non-zero result stops: TN_ERR_CANCELLED. */
	int (*progress)(void *user, uint64_t done_bytes, uint64_t all_bytes);
	void *user;
	struct tn_exported *exported;	/* set if TN_OK is returned; may be NULL */
	/*
	 * Write an archive, FOLDER.tar.zst, which tn_set_open() can open, instead of a folder. A name that ends in
	 * .tar.zst implies this; tnav refuses the suffixes of other archives. TN_ERR_UNSUPPORTED: tnav was
	 * built without libarchive.
	 */
	bool archive;
	/* Reports data that were changed on export (warnings), once for each kind in each stream, after all damage. */
	tn_problem_fn *problem;
};

/*
 * Write the events that pass as CTF 1.8. If the set is one trace, @folder is that trace; else it contains a
 * folder for each trace. Traces of CTF 1.8 keep their metadata and the bits of their events; all others are
 * converted. Losses read as before; damaged parts are left out. @folder must not exist. The folder or archive
 * appears when it is complete, and not at all on failure.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_export(struct tn_set *set, const char *folder, const struct tn_export_options *options, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
