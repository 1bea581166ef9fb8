/*
 * tnav/compare.h - two selections of events compared: which differences are real
 *
 * A selection is a set of traces, a range of time and a condition. A comparison asks the same questions of two
 * selections: how many events of each class, how long the spans of each pair, how many events with each value of a
 * field. It tests each difference, and sorts the rows by it.
 *
 * Verdict    Durations: Mann-Whitney's rank test, and the number of spans beyond the other side's p90 and p99. Counts: a
 *            G-test, exact for few. Events come in bursts: the tests use the variation between 32 slices of time.
 *            Probabilities are multiplied by the number of rows. SURE: below 0.003, and a change of at least 2 %.
 *            LIKELY: below 0.05, and at least 1 %.
 * Units      Durations are nanoseconds, rates are per second.
 * Ownership  A comparison borrows the sets of its selections, and their options until it is freed.
 * Threads    One thread at a time. Callbacks of the options run in the calling thread.
 * Errors     TN_ERR_ARGUMENT for a wrong definition or field.
 * States     object		state	may be called
 *            a comparison	new	tn_compare_add_spans(), tn_compare_add_field(), tn_compare_run()
 *              		run	tn_compare_count(), tn_compare_row(); tn_compare_run() starts over
 *            its sets		closed	nothing: the comparison is freed before
 * Source     none: this is tnav's own. H. B. Mann, D. R. Whitney 1947; E. R. DeLong and others 1988 (variance of ranks).
 */
#ifndef TNAV_COMPARE_H
#define TNAV_COMPARE_H

#include <tnav/table.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_compare;

#define TN_SELECTION TN_SIZED(tn_selection)
struct tn_selection {
	size_t size;		/* TN_SELECTION sets it */
	struct tn_set *set;
	/* Read: filter and text, begin and end, threads, progress and notice. */
	const struct tn_scan_options *options;
	/* The filter leaves out this range of time: its length does not count. */
	bool has_hole;
	int64_t hole_begin_ns, hole_end_ns;
	/* The filter selects by more than time: shares of all events are compared, not counts a second. */
	bool is_part;
};

enum tn_compare_what { TN_COMPARE_EVENT, TN_COMPARE_SPAN, TN_COMPARE_VALUE };
enum tn_compare_verdict { TN_COMPARE_SURE, TN_COMPARE_LIKELY, TN_COMPARE_NOISE };
/* The number of a row that differs most clearly. */
enum tn_compare_measure {
	TN_COMPARE_COUNT, TN_COMPARE_RATE, TN_COMPARE_SHARE, TN_COMPARE_P50, TN_COMPARE_P90, TN_COMPARE_P99
};

TN_API const char *tn_compare_what_name(enum tn_compare_what what);	/* "event", "span", "value" */
TN_API const char *tn_compare_verdict_name(enum tn_compare_verdict verdict);	/* "sure", "likely", "noise" */
TN_API const char *tn_compare_measure_name(enum tn_compare_measure measure);	/* "count", "rate", ... */

/* The numbers of one side. */
struct tn_compared {
	uint64_t count;		/* events, or spans that are closed */
	bool has_rate;
	double rate;		/* of the count, per second of the selection */
	bool has_durations;	/* SPAN with a count: */
	uint64_t total_ns, max_ns;
	/* Exact while the durations fit into memory (1,000,000 on each side), else at most 0.4 % off. */
	uint64_t p50_ns, p90_ns, p99_ns;
	bool is_doubtful;	/* events were lost that may have belonged to it */
};

struct tn_compare_row {
	enum tn_compare_what what;
	const char *name;	/* of the class, of the span; VALUE: a condition, "FIELD == VALUE" */
	const char *definition;	/* SPAN: for tn_spans_add(); else NULL */
	const char *field;	/* VALUE: as given; else NULL */
	struct tn_answer_value value;	/* VALUE */
	struct tn_compared side[2];
	enum tn_compare_measure measure;
	bool has_values;	/* both sides have the measure: */
	double first, second;	/* values of the measure */
	double changed;		/* part of the whole that changed: of all events, of the time in all spans */
	double probability;	/* of such a difference by chance, corrected for the number of rows */
	enum tn_compare_verdict verdict;
};

/* Compare two selections; they are copied. */
TN_API TN_MUST_CHECK enum tn_code
tn_compare_new(struct tn_compare **out, const struct tn_selection *first, const struct tn_selection *second,
	       struct tn_error *err);
TN_API void tn_compare_free(struct tn_compare *compare);	/* NULL is allowed */
/* Compare spans of this definition (answer.h), in place of the proposed pairs. */
TN_API TN_MUST_CHECK enum tn_code
tn_compare_add_spans(struct tn_compare *compare, const char *definition, struct tn_error *err);
/* Compare the values of a field or an attribute. */
TN_API TN_MUST_CHECK enum tn_code
tn_compare_add_field(struct tn_compare *compare, const char *field, struct tn_error *err);
/* Read both selections. TN_ERR_CANCELLED if a callback stopped it. */
TN_API TN_MUST_CHECK enum tn_code tn_compare_run(struct tn_compare *compare, struct tn_error *err);
TN_API size_t tn_compare_count(const struct tn_compare *compare);	/* number of rows */
/* Row @i, by verdict, then by the part that changed; borrowed until the next run. False: no such row. */
TN_API bool tn_compare_row(const struct tn_compare *compare, size_t i, struct tn_compare_row *out);
/* Whether memory was not enough for all spans and values: the rest is missing in the rows. */
TN_API bool tn_compare_is_cut(const struct tn_compare *compare);

/* ---- why some spans, or events, are as they are ---- */

/*
 * The selected spans (or events) against the rest of their kind: what do the selected ones have more often? Every field and
 * attribute of begin and end is asked: values, ranges of numbers, ranges of the time of the begin, and two of these together.
 * Fields in the condition are left out. Findings that select the same are one.
 */
struct tn_why;

struct tn_why_finding {
	/*
	 * "shard"; "shard, method": two together; "time": of the begin; "waited for", value the name of a thread: for more
	 * than half of the span, it ran while the thread of the span waited. At most 1000 spans of each side are asked.
	 */
	const char *field;
	bool is_rate;		/* field "during" or "before", value an event class: numbers and rates of its events */
	bool is_range;		/* from `from` to `to`, both included */
	struct tn_answer_value value, from, to;	/* two together: a text */
	const char *same;	/* other findings that select the same, as conditions; NULL: none */
	/* Selects all that have it: spans of `definition`, or events. NULL with is_rate, and of "waited for". */
	const char *condition;
	const char *definition;	/* of spans: shows the fields; NULL: of events */
	uint64_t selected, rest;	/* how many have it */
	double selected_share, rest_share;	/* of all selected ones, of all others; with is_rate per second of their time */
	double lift;		/* selected_share / rest_share; infinite if no other one has it */
	double g;		/* the test's G, by which findings are ordered */
	double probability;	/* of such a difference by chance, corrected for the number of questions */
	enum tn_compare_verdict verdict;
};

/*
 * Ask about spans of @definition, or with NULL about events: those that meet @condition are selected. For events the rest
 * are other events of the classes that the condition may select. @selection gives traces, range and filter; it is copied.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_why_new(struct tn_why **out, const struct tn_selection *selection, const char *definition, const char *condition,
	   struct tn_error *err);
TN_API void tn_why_free(struct tn_why *why);	/* NULL is allowed */
/* Read the events, for spans also those around them. TN_ERR_CANCELLED if a callback stopped it. */
TN_API TN_MUST_CHECK enum tn_code tn_why_run(struct tn_why *why, struct tn_error *err);
TN_API uint64_t tn_why_selected(const struct tn_why *why);	/* number of selected spans, or events */
TN_API uint64_t tn_why_rest(const struct tn_why *why);	/* number of all others */
TN_API size_t tn_why_count(const struct tn_why *why);	/* number of findings */
/* Finding @i, the best first; borrowed until the next run. False: no such finding. */
TN_API bool tn_why_finding(const struct tn_why *why, size_t i, struct tn_why_finding *out);

/* ---- where two runs part ---- */

/*
 * The events of one thread, request or stream of each side, aligned: a longest common subsequence of their names, and of
 * fields. @definition is "KEY [= VALUE[, VALUE]] [show FIELD, ...]". KEY is a field or an attribute of events: "tid",
 * "stream", "request". VALUE selects the sequence, the second VALUE that of the second side. Events are equal if their
 * names and the fields to show are equal.
 *
 * Values are paired in this order: equal values with equal names (tn_nicknames_new()); equal names, the first value with the
 * first one; equal values, if one does not have a name; if there are no such pairs, in the order of their first events. If
 * VALUE is missing, and both sides have several values, the result is a list of pairs instead of an alignment.
 *
 * Memory is bounded: tnav aligns 2,000,000 events of each side, and lists 4,000,000 of each.
 */
struct tn_sequence;

enum tn_sequence_pairing {
	TN_SEQUENCE_GIVEN, TN_SEQUENCE_BY_NAME, TN_SEQUENCE_BY_VALUE, TN_SEQUENCE_BY_ORDER, TN_SEQUENCE_ALONE
};

struct tn_sequence_pair {
	const char *value[2];	/* as text, with "HOST:" or "TRACE:" before it where values are of several; NULL: none */
	const char *name[2];	/* of a number; NULL */
	uint64_t count[2];	/* events */
	enum tn_sequence_pairing by;
	uint64_t equal;		/* events that are equal from the start */
	bool is_equal;		/* all are */
	bool is_cut;		/* `equal` is at least this: the rest was not kept */
	/* The first event that differs. Its time is after the first event of its side; of an alignment, of the sequence. */
	const char *event[2];	/* name; NULL: none, or it was not kept */
	bool has_since[2];
	int64_t since_ns[2];
};

struct tn_sequence_event {
	const char *name;
	const struct tn_answer_value *field;	/* of the fields to show, one each */
	bool has_time;
	int64_t time_ns;
	bool has_since;
	int64_t since_ns;	/* after the first event of the sequence */
	struct tn_location at;
	bool after_loss;	/* events may have been lost before it; also at the end of a side, without an event */
};

struct tn_sequence_row {
	bool has[2];		/* the side has an event here */
	bool same;		/* both, and they are equal */
	struct tn_sequence_event side[2];
};

struct tn_sequence_totals {
	bool is_aligned;	/* else there is a list of pairs only */
	struct tn_sequence_pair pair;	/* the aligned one */
	size_t rows, differences;	/* a difference is one row, or several in a row */
	uint64_t same, only[2];	/* events that both sides have, that one side has */
	bool is_approximate;	/* too many differences: the alignment may not be the best. `pair.equal` is exact */
	uint64_t more[2];	/* events that did not fit, or values of the list */
	uint64_t lost[2];	/* places where events were lost, or data are damaged */
};

/* TN_ERR_ARGUMENT: the definition is wrong for both sides. */
TN_API TN_MUST_CHECK enum tn_code
tn_sequence_new(struct tn_sequence **out, const struct tn_selection *first, const struct tn_selection *second,
		const char *definition, struct tn_error *err);
TN_API void tn_sequence_free(struct tn_sequence *sequence);	/* NULL is allowed */
/* Read both selections. TN_ERR_ARGUMENT: a side does not have the value; TN_ERR_CANCELLED if a callback stopped it. */
TN_API TN_MUST_CHECK enum tn_code tn_sequence_run(struct tn_sequence *sequence, struct tn_error *err);
TN_API void tn_sequence_totals(const struct tn_sequence *sequence, struct tn_sequence_totals *out);
TN_API const char *tn_sequence_key(const struct tn_sequence *sequence);
TN_API const char *tn_sequence_field(const struct tn_sequence *sequence, size_t i);	/* to show; NULL after the last one */
/* Row @i of the alignment; borrowed until the next run. False: no such row. */
TN_API bool tn_sequence_row(const struct tn_sequence *sequence, size_t i, struct tn_sequence_row *out);
/* The first row and the number of rows of difference @i. False: no such difference. */
TN_API bool tn_sequence_difference(const struct tn_sequence *sequence, size_t i, size_t *row, size_t *n);
/* The first difference at @row or after it. */
TN_API size_t tn_sequence_difference_at(const struct tn_sequence *sequence, size_t row);
/* Pair @i of the list, those that part earliest first; borrowed until the next run. False: no such pair. */
TN_API bool tn_sequence_pair(const struct tn_sequence *sequence, size_t i, struct tn_sequence_pair *out);
/* A definition that aligns this pair, to be freed; NULL: memory is out, or a side does not have a value. */
TN_API char *tn_sequence_definition(const struct tn_sequence *sequence, const struct tn_sequence_pair *pair);

/* ---- both as tables (table.h) ---- */

enum { TN_COMPARE_COLUMNS = 27, TN_WHY_COLUMNS = 12 };

/* Add the columns of rows, or of findings. @of_ranges: JSON has the limits of a range in place of the value. */
TN_API TN_MUST_CHECK enum tn_code tn_compare_add_columns(struct tn_table *table, struct tn_error *err);
TN_API TN_MUST_CHECK enum tn_code tn_why_add_columns(struct tn_table *table, bool of_ranges, struct tn_error *err);
/*
 * The values of a row, one for each column, for this form. Their texts are in @row and in @room, which is cleared. @times
 * writes limits that are times; NULL: as numbers.
 */
TN_API void tn_compare_values(struct tn_answer_value *out, const struct tn_compare_row *row, enum tn_table_form form,
			      struct tn_str *room);
TN_API void tn_why_values(struct tn_answer_value *out, const struct tn_why_finding *finding, enum tn_table_form form,
			  const struct tn_text *times, struct tn_str *room);

#ifdef __cplusplus
}
#endif
#endif
