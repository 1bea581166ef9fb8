/*
 * tnav/query.h - filters, scans of a set of traces with a filter, exports of the events that pass
 *
 * Ownership  Several scans can share a filter. Free the filter after them.
 * Threads    A filter is read-only in use. A scan runs its own threads, and calls its callbacks one at a
 *            time, in the calling thread.
 * Errors     TN_ERR_ARGUMENT for a wrong regex or expression: the error's text has the mistake and its column.
 * States     object		state		may be called
 *            a filter	new		tn_filter_times(), then tn_filter_add...(); in a scan all events pass
 *              		in use		functions that read it, in several threads; not tn_filter_add...()
 *              		after an add that failed	as before: the filter does not have the condition
 *            a scan, a count	running		from its callbacks: nothing that changes or closes the set, the filter, the text
 *            an export	running		as a scan; if the export fails, it removes its output
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
/* Compile a pattern. TN_ERR_ARGUMENT: the pattern is wrong. */
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
	bool yields;	/* a field of this name has priority; "event.NAME" is the attribute */
};
/* The table of attributes; *n is their number. */
TN_API const struct tn_attribute *tn_attributes(size_t *n);

/* ---- filters ---- */
/*
 * A list of conditions. An event passes if it meets all of them. A condition is a regular expression over the line, or
 * an expression over fields and attributes ("vpid == 12 and path =~ /items/"; see tnav-language(7)). Notices always
 * pass.
 */
struct tn_filter;
/* Make a filter that everything passes. */
TN_API TN_MUST_CHECK enum tn_code tn_filter_new(struct tn_filter **out, const struct tn_set *set, struct tn_error *err);
TN_API void tn_filter_free(struct tn_filter *filter);	/* NULL is allowed */
/*
 * Add a condition that a user typed. The text is an expression if it begins like one and has a comparison,
 * if it begins with /regex/, or if it is valid and contains "and", "or" or "not". Otherwise it is a regular
 * expression over the line; '!' before it selects the lines that do not match. TN_ERR_ARGUMENT: the error's text has
 * the column, the expected word, and the most similar name that exists.
 */
TN_API TN_MUST_CHECK enum tn_code tn_filter_add(struct tn_filter *filter, const char *text, struct tn_error *err);
/*
 * Whether the form of the text makes it an expression for tn_filter_add(). The expression can still be wrong. Does
 * not use the names in the traces. NULL: false.
 */
TN_API bool tn_condition_is_expression(const char *text);
/*
 * Find a word such as "where" in a definition ("BEGIN END by KEY where CONDITION"): returns the blank before
 * its first occurrence. Words in quotes, backticks, parentheses and regular expressions do not count. NULL: the
 * text does not have the word, or an argument is NULL.
 */
TN_API const char *tn_condition_find_word(const char *text, const char *word);
/* Whether a condition has the name outside of quotes, backticks and regexes; "a.name" is another name. NULL: false. */
TN_API bool tn_condition_has_name(const char *text, const char *name);
/*
 * Whether tn_filter_add() reads the text as an expression, also because of names in the traces ("lost or
 * status", "comm in x"). NULL: false.
 */
TN_API bool tn_filter_takes_expression(struct tn_filter *filter, const char *text);
/*
 * Set the context of times in expressions that are added later. near_ns 0 means the day of the first event. @times
 * NULL: this day, in local time.
 */
TN_API void tn_filter_times(struct tn_filter *filter, const struct tn_time_context *times);
/* Add a condition: the line matches @pattern; with @negate: it does not match. */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_add_regex(struct tn_filter *filter, const char *pattern, bool negate, struct tn_error *err);
/* Add a condition: an expression over fields. TN_ERR_ARGUMENT: the expression is wrong. */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_add_expression(struct tn_filter *filter, const char *expression, struct tn_error *err);
/* Add a condition: the events that the expression does not select. `not` omits events without a field; this does not. */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_add_rest(struct tn_filter *filter, const char *expression, struct tn_error *err);
/*
 * A hint about a valid condition that is probably a mistake: it compares with an event class, stream, trace, host or
 * process that the traces do not have ("no event class is called 'blob'; the nearest is 'shop:blob'"), or with a text
 * that contains '*'. Traces that grow can get the name later. Valid as long as the filter; NULL: no hint.
 */
TN_API const char *tn_filter_remark(const struct tn_filter *filter);
/*
 * Complete the text of a condition at byte @at: call @each with names of fields and attributes, labels of an
 * enumeration after its comparison, names of events, streams and levels, in any order. Each of these words can
 * replace the text from *begin to @at.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_complete(struct tn_filter *filter, const char *text, size_t at, size_t *begin,
		   void (*each)(void *user, const char *word), void *user, struct tn_error *err);
/*
 * If the word at byte @at of a condition is compared with a name, get this name as the text has it. A caller can then
 * offer values. False: the word is not compared, or the name does not fit in @size bytes.
 */
TN_API bool tn_condition_compared(const char *text, size_t at, char *name, size_t size);
TN_API bool tn_filter_empty(const struct tn_filter *filter);	/* no conditions: everything passes */
/* Whether the row at the cursor passes; *pass is set if TN_OK is returned. */
TN_API TN_MUST_CHECK enum tn_code
tn_filter_match(const struct tn_filter *filter, const struct tn_text *text, struct tn_cursor *cur, bool *pass,
		struct tn_error *err);

/* ---- scans ---- */

/*
 * Counts of the passing events in one packet. All events of the packet are in the range of the scan. Borrowed until the
 * callback returns.
 */
struct tn_packet_counts {
	uint32_t stream;	/* number of the stream in the set */
	size_t packet;
	int64_t begin_ns, end_ns;	/* limits of the events' times; INT64_MIN, INT64_MAX: unknown */
	uint64_t events;	/* number of events that pass */
	size_t n_classes;	/* counts by class, in any order */
	const struct tn_event_class *const *event_class;
	const uint64_t *count;
	const struct tn_packet_look *look;	/* for tn_packet_slices() */
};

/*
 * Counts of the passing events in consecutive slices of time. The length of a slice is a power of two of
 * nanoseconds, and the slice begins at a multiple of its length. A caller that counts between such times does not
 * need the events.
 */
struct tn_packet_slices {
	int64_t begin_ns;	/* start of the first slice */
	uint64_t slice_ns;
	size_t n;
	const uint64_t *count;	/* borrowed until the callback returns, or requests other slices */
};

/* Get the slices of @counts, within the callback that got @counts. False: the times of the events are unknown. */
TN_API bool tn_packet_slices(const struct tn_packet_counts *counts, struct tn_packet_slices *out);

#define TN_SCAN_OPTIONS TN_SIZED(tn_scan_options)
struct tn_scan_options {
	size_t size;		/* TN_SCAN_OPTIONS sets it */
	const struct tn_filter *filter;	/* NULL: everything */
	const struct tn_text *text;	/* format of the lines */
	const struct tn_text *match;	/* format (text) of the lines that regexes match; NULL: as `text` */
	bool has_begin, has_end;	/* restrict to rows at or after begin_ns, at or before end_ns */
	int64_t begin_ns, end_ns;
	bool has_from;		/* begin after the row `from` (backward: before it) */
	bool from_included;	/* begin with the row `from` */
	struct tn_location from;
	bool has_to;		/* end with this row */
	struct tn_location to;
	bool backward;
	/*
	 * For callers that count: report rows, events and notices packet by packet, which is faster. The order can
	 * differ from run to run. No effect with `lines`, `limit`, `backward`, or a regular expression over lines.
	 */
	bool any_order;
	uint64_t limit;		/* stop after this number of passing events; 0: no limit */
	unsigned threads;	/* 0: one for each processor. The result does not depend on it. */
	/* All callbacks may be NULL. A non-zero result stops the scan, which returns TN_ERR_CANCELLED. */
	int (*lines)(void *user, const char *text, size_t n);	/* gets whole lines, in order, the heading first */
	int (*row)(void *user, const struct tn_row *row);	/* gets each passing event and each notice, in order */
	int (*notice)(void *user, const struct tn_row *row);	/* gets each notice, in order, before later lines */
	/*
	 * As `row`, with the values of the event, borrowed until the callback returns. If @event is NULL, the row is a
	 * notice, or an event that cannot be decoded because of @why.
	 */
	int (*event)(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why);
	/* Gets the progress about 20 times a second. */
	int (*progress)(void *user, uint64_t events_read, uint64_t events_passed, int64_t at_ns);
	/*
	 * Returns true to stop the scan. All threads call it, also at the same time, before each match of a regular
	 * expression and before each batch of rows on the way to the first row.
	 */
	bool (*stopped)(void *user);
	/*
	 * For callers that count rows. Called before all other callbacks for each packet without notices whose
	 * counts an earlier scan recorded. If it returns true, `row` and `event` do not get the events of this
	 * packet. Not called with `lines`, `limit` or `backward`. NULL: `row` and `event` get all events.
	 */
	bool (*packet)(void *user, const struct tn_packet_counts *counts);
	/*
	 * For callers that count over time. Gets the times (as in locations) of many passing events of a packet in one
	 * call, in ascending order, borrowed until the callback returns. `row` then gets notices only. Not called with
	 * `limit` or `backward`.
	 */
	int (*times)(void *user, uint32_t stream, size_t packet, const int64_t *time_ns, size_t n);
	void *user;
	bool has_asker;		/* progress() and stopped() get `asker` instead of `user` */
	void *asker;
	unsigned scopes;	/* scopes to read for `event`, as TN_SCOPE_BIT()s; 0: all */
};

/*
 * Scan to the end, the limit, or a stop. Sets *passed (may be NULL) to the number of passing events, even on
 * failure.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_scan(struct tn_set *set, const struct tn_scan_options *options, uint64_t *passed, struct tn_error *err);

/*
 * Get the event classes of the passing events, in the order of their traces and classes: *out_n classes in *out, which
 * the caller frees with free(). Of the callbacks, only progress and stopped are called.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_scan_classes(struct tn_set *set, const struct tn_scan_options *options, const struct tn_event_class ***out, size_t *out_n,
		struct tn_error *err);

#define TN_COUNT_OPTIONS TN_SIZED(tn_count_options)
struct tn_count_options {
	size_t size;		/* TN_COUNT_OPTIONS sets it */
	unsigned threads;	/* 0: one for each processor. The result does not depend on it. */
	/* Both may be NULL. A non-zero result stops counting with TN_ERR_CANCELLED. */
	int (*notice)(void *user, const struct tn_row *row);	/* gets damage and losses at the end, in time order */
	int (*progress)(void *user, uint64_t done_bytes, uint64_t all_bytes);	/* called about 20 times a second */
	void *user;
};

/* Count all events. Sets *events even on failure. @options may be NULL. */
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
	unsigned threads;	/* 0: one for each processor. The result does not depend on it. */
	/* Gets each damage, in the order of the streams, after the events. A non-zero result stops the export. */
	int (*damage)(void *user, const struct tn_row *row);
	/* Gets the progress about 20 times a second. A non-zero result stops with TN_ERR_CANCELLED. */
	int (*progress)(void *user, uint64_t done_bytes, uint64_t all_bytes);
	void *user;
	struct tn_exported *exported;	/* gets the results on success; may be NULL */
	/*
	 * Write the archive FOLDER.tar.zst, which tn_set_open() can open, instead of a folder. A name that ends in
	 * .tar.zst implies this; suffixes of other archives are refused. TN_ERR_UNSUPPORTED: the library was
	 * built without libarchive.
	 */
	bool archive;
	/* Gets a warning, after all damage, for each kind of data in each stream that the export had to change. */
	tn_problem_fn *problem;
};

/*
 * Write the events that pass as CTF 1.8. If the set has one trace, @folder becomes this trace; otherwise it gets a
 * folder for each trace. CTF 1.8 traces keep their metadata and the bits of their events; other traces are
 * converted. The export has the same losses, and omits damaged parts. @folder must not exist. The folder or
 * archive appears when it is complete; on failure it does not appear.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_export(struct tn_set *set, const char *folder, const struct tn_export_options *options, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
