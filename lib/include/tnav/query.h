/*
 * tnav/query.h - filters, scans that run them over a set of traces, exports of what they leave
 *
 * Ownership  A filter is shared by any number of scans and outlives them.
 * Threads    A filter is read-only once made. A scan runs its own threads; its callbacks come one at a
 *            time, in the thread that called.
 * Errors     TN_ERR_ARGUMENT for a wrong regex or expression: the text says what and where.
 * States     object		state		may be called
 *            a filter	new		tn_filter_times(), then tn_filter_add...(); scans: everything passes
 *              		in use		what reads it, in several threads; adding a condition only while nothing uses it
 *              		after an add that failed	as before it: the condition is not in it
 *            a scan, a count	running		from its callbacks: nothing that changes or closes the set, the filter, the text
 *            an export	running		the same; what it made is gone when it fails
 * Source     regular expressions: PCRE2, as pcre2pattern(3) says, in UTF mode where the bytes allow it.
 */
#ifndef TNAV_QUERY_H
#define TNAV_QUERY_H

#include <tnav/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- regular expressions over lines ---- */
struct tn_regex;
/* Compile a pattern. TN_ERR_ARGUMENT says which column is wrong and why. */
TN_API TN_MUST_CHECK enum tn_code
tn_regex_new(struct tn_regex **out, const char *pattern, bool ignore_case, struct tn_error *err);
TN_API void tn_regex_free(struct tn_regex *regex);	/* NULL is allowed */
/* First match in text[from, n); false: none. Safe in several threads. */
TN_API bool tn_regex_find(const struct tn_regex *regex, const char *text, size_t n, size_t from,
			  size_t *begin, size_t *end);

/* ---- attributes: what every event has, whatever its tracer ---- */
struct tn_attribute {
	const char *name;
	const char *help;	/* one line, in English */
	bool yields;		/* where fields have this name they are meant; "event." before it means the attribute */
};
/* The table, *n of them. */
TN_API const struct tn_attribute *tn_attributes(size_t *n);

/* ---- filters ---- */
/*
 * A stack of conditions, all of which an event must meet: regular expressions over the line, and expressions over
 * fields and attributes ("vpid == 12 and path =~ /items/"; the manual page has the language, LANGUAGE). Notices
 * always pass.
 */
struct tn_filter;
/* A filter that everything passes. */
TN_API TN_MUST_CHECK enum tn_code tn_filter_new(struct tn_filter **out, const struct tn_set *set, struct tn_error *err);
TN_API void tn_filter_free(struct tn_filter *filter);	/* NULL is allowed */
/*
 * One more condition, as a person types it: an expression when it begins as one can and has a comparison, or begins
 * with /regex/, or is right with "and", "or" or "not" in it; else a regular expression over the line, with '!' in front
 * the lines that do not match. TN_ERR_ARGUMENT says which column is wrong, what was expected, and the nearest name that exists.
 */
TN_API TN_MUST_CHECK enum tn_code tn_filter_add(struct tn_filter *filter, const char *text, struct tn_error *err);
/*
 * Whether tn_filter_add() takes the text for an expression, whatever the traces. Says nothing of its being right; NULL:
 * false.
 */
TN_API bool tn_condition_is_expression(const char *text);
/*
 * Whether tn_filter_add() takes it for one: also where it needs to know that there are such names ("lost or status",
 * "comm in x"). NULL: false.
 */
TN_API bool tn_filter_takes_expression(struct tn_filter *filter, const char *text);
/*
 * How times in expressions added from now on are read: near_ns of 0 is the day of the first event. NULL: that, in
 * local time.
 */
TN_API void tn_filter_times(struct tn_filter *filter, const struct tn_time_context *times);
/* One more condition: the line matches @pattern; with @negate: it does not. */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_add_regex(struct tn_filter *filter, const char *pattern, bool negate, struct tn_error *err);
/* One more condition: an expression over fields. TN_ERR_ARGUMENT says which column is wrong. */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_add_expression(struct tn_filter *filter, const char *expression, struct tn_error *err);
/*
 * What is right, but hardly meant, in one of the conditions: a name that no event class of the traces has ("no event
 * class is called 'blob'; the nearest is 'shop:blob'"), a stream, trace, host or process that none of them has, a '*' in
 * a text that is compared. Traces that grow may get it yet. Lives as long as the filter; NULL: nothing.
 */
TN_API const char *tn_filter_remark(const struct tn_filter *filter);
/*
 * What can be typed at byte @at of @text, the text of a condition: names of fields and attributes, labels of an
 * enumeration behind its comparison, names of events, streams, levels. *begin is where the word begins that @each
 * would take the place of (up to @at); words come in no special order.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_complete(struct tn_filter *filter, const char *text, size_t at, size_t *begin,
		   void (*each)(void *user, const char *word), void *user, struct tn_error *err);
/*
 * The name that what is typed at byte @at of @text, the text of a condition, is compared with, as it is written there:
 * for who knows values to offer. False: none is, or it does not fit into @size bytes.
 */
TN_API bool tn_condition_compared(const char *text, size_t at, char *name, size_t size);
TN_API bool tn_filter_empty(const struct tn_filter *filter);	/* no condition: everything passes */
/* Whether the row the cursor is on passes; *pass is set when TN_OK is returned. */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_match(const struct tn_filter *filter, const struct tn_text *text, struct tn_cursor *cur, bool *pass,
		struct tn_error *err);

/* ---- scans ---- */

/* What passes in a packet all of whose events lie in the range of a scan. Borrowed until the callback returns. */
struct tn_packet_counts {
	uint32_t stream;	/* its number in the set */
	size_t packet;
	int64_t begin_ns, end_ns;	/* none of its events is before or behind; INT64_MIN, INT64_MAX: not known */
	uint64_t events;	/* that pass */
	size_t n_classes;	/* by class: so many of each, in no special order */
	const struct tn_event_class *const *event_class;
	const uint64_t *count;
	const struct tn_packet_look *look;	/* for tn_packet_slices() */
};

/*
 * When they pass: so many in each of some slices of time, one after the other. A slice is a power of two of nanoseconds
 * long and begins at a multiple of that (0 is one): who counts between such times need not see the events.
 */
struct tn_packet_slices {
	int64_t begin_ns;	/* of the first */
	uint64_t slice_ns;
	size_t n;
	const uint64_t *count;	/* borrowed until the callback returns, or asks for other slices */
};

/* Only within the callback that got @counts. False: it is not known when they pass. */
TN_API bool tn_packet_slices(const struct tn_packet_counts *counts, struct tn_packet_slices *out);

#define TN_SCAN_OPTIONS TN_SIZED(tn_scan_options)
struct tn_scan_options {
	size_t size;		/* TN_SCAN_OPTIONS sets it */
	const struct tn_filter *filter;	/* NULL: everything */
	const struct tn_text *text;	/* how lines look */
	const struct tn_text *match;	/* how the lines look that regexes see, never records; NULL: as `text` */
	bool has_begin, has_end;	/* only rows at or after begin_ns, at or before end_ns */
	int64_t begin_ns, end_ns;
	bool has_from;		/* begin behind this row (before it when backwards) */
	bool from_included;	/* or at it */
	struct tn_location from;
	bool has_to;		/* end with this row */
	struct tn_location to;
	bool backward;
	/*
	 * For who counts: rows, events and notices may come in any order, packet by packet, which is faster; it may differ from
	 * run to run. Without effect with lines, a limit, backwards, or where a regular expression looks at lines.
	 */
	bool any_order;
	uint64_t limit;		/* stop after so many events passed; 0: none */
	unsigned threads;	/* 0: as many as there are processors. The result is the same. */
	/* All callbacks may be NULL. A non-zero result stops the scan: TN_ERR_CANCELLED is returned. */
	int (*lines)(void *user, const char *text, size_t n);	/* whole lines of text, in order; first the heading */
	int (*row)(void *user, const struct tn_row *row);	/* each event that passed, each notice, in order */
	int (*notice)(void *user, const struct tn_row *row);	/* each notice, in order, before later lines */
	/*
	 * As `row`, with what is read of it: all values of the event, borrowed until the callback returns. NULL: a notice,
	 * or an event that cannot be decoded, and @why not.
	 */
	int (*event)(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why);
	/* Now and then (about 20 times a second): how far it is. Return non-zero to stop. */
	int (*progress)(void *user, uint64_t events_read, uint64_t events_passed, int64_t at_ns);
	/*
	 * Asked by all threads at once, before each match of a regular expression and before each batch of rows on the
	 * way to the first one: true stops the scan too.
	 */
	bool (*stopped)(void *user);
	/*
	 * For who counts rows: called before all others for packets of which is known what passes, without notices, from
	 * an earlier scan. True: that will do, and `row` and `event` do not see its events. Not with lines, a limit, or
	 * backwards. NULL: each is seen, unless neither `row` nor `event` is there to see it.
	 */
	bool (*packet)(void *user, const struct tn_packet_counts *counts);
	/*
	 * For who counts over time: the times (as in their locations) of events of a packet that pass, never falling, many at
	 * once. Then `row` sees notices alone. Not with a limit or backwards. Borrowed until the callback returns.
	 */
	int (*times)(void *user, uint32_t stream, size_t packet, const int64_t *time_ns, size_t n);
	void *user;
};

/* Run to the end, the limit, or a stop. *passed (may be NULL) is set even when it fails. */
TN_API TN_MUST_CHECK enum tn_code
tn_scan(struct tn_set *set, const struct tn_scan_options *options, uint64_t *passed, struct tn_error *err);

#define TN_COUNT_OPTIONS TN_SIZED(tn_count_options)
struct tn_count_options {
	size_t size;		/* TN_COUNT_OPTIONS sets it */
	unsigned threads;	/* 0: as many as there are processors. The result is the same. */
	/* Both may be NULL. A non-zero result stops counting: TN_ERR_CANCELLED is returned. */
	int (*notice)(void *user, const struct tn_row *row);	/* damage and losses, in the order of the streams */
	int (*progress)(void *user, uint64_t done_bytes, uint64_t all_bytes);	/* about 20 times a second */
	void *user;
};

/* The number of events, as fast as it can be known. *events is set even when it fails. @options may be NULL. */
TN_API TN_MUST_CHECK enum tn_code
tn_count(struct tn_set *set, const struct tn_count_options *options, uint64_t *events, struct tn_error *err);

/* ---- export ---- */

/* What was written. */
struct tn_exported {
	uint64_t events, packets, bytes;
	size_t streams, traces;
};

#define TN_EXPORT_OPTIONS TN_SIZED(tn_export_options)
struct tn_export_options {
	size_t size;		/* TN_EXPORT_OPTIONS sets it */
	const struct tn_filter *filter;	/* NULL: everything */
	const struct tn_text *text;	/* how lines look, for regexes */
	bool has_begin, has_end;	/* only events at or after begin_ns, at or before end_ns */
	int64_t begin_ns, end_ns;
	unsigned threads;	/* 0: as many as there are processors. The result is the same. */
	/* Each damage, in the order of the streams, when all else is done. A non-zero result stops the export. */
	int (*damage)(void *user, const struct tn_row *row);
	/* Now and then (about 20 times a second). Return non-zero to stop: TN_ERR_CANCELLED is returned. */
	int (*progress)(void *user, uint64_t done_bytes, uint64_t all_bytes);
	void *user;
	struct tn_exported *exported;	/* set when TN_OK is returned; NULL: not wanted */
	/*
	 * Not a folder, but an archive of it, which tn_set_open() opens: FOLDER.tar.zst; a name that ends so means one
	 * anyway, the name of another kind of archive is refused. TN_ERR_UNSUPPORTED: tnav was built without libarchive.
	 */
	bool archive;
	/* Told what was not written as it was read (warnings), once for each kind of it in each stream, after all damage. */
	tn_problem_fn *problem;
};

/*
 * Write the events that pass as traces of CTF 1.8: @folder is the trace when the set has one, else each
 * has a folder in it. Traces of CTF 1.8 keep their metadata and the bits of their events; all others are
 * put into the words of CTF 1.8. Losses read as they did; what is damaged is left out. @folder must not
 * exist; it appears (or the archive does) when all is written, and not at all when this fails.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_export(struct tn_set *set, const char *folder, const struct tn_export_options *options, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
