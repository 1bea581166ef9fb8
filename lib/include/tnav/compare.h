/*
 * tnav/compare.h - compares two selections of events, and tests whether differences are due to chance
 *
 * A selection is a set of traces, a range of time and a condition. A comparison asks the same questions of two
 * selections: the number of events of each class, the durations of the spans of each pair, the number of events with
 * each value of a field. It tests each difference, and sorts the rows by the results.
 *
 * Verdict    Durations: Mann-Whitney's rank test, and a test of the number of spans above the other side's p90 and p99.
 *            Counts: a G-test, or the exact test for few events. Events come in bursts, so the tests use the variation
 *            between 32 slices of time. Probabilities are multiplied by the number of rows. SURE: probability below
 *            0.003, and a change of at least 2 %. LIKELY: below 0.05, and at least 1 %.
 * Units      Durations are nanoseconds, rates are per second.
 * Ownership  A comparison borrows the sets and the options of its selections until it is freed.
 * Threads    One thread at a time. Callbacks of the options run in the calling thread.
 * Errors     TN_ERR_ARGUMENT for a wrong definition or field.
 * States     object		state	may be called
 *            a comparison	new	tn_compare_add_spans(), tn_compare_add_field(), tn_compare_run()
 *              		run	tn_compare_count(), tn_compare_row(); tn_compare_run() starts over
 *            its sets		closed	nothing: free the comparison before
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
	const struct tn_scan_options *options;	/* used: filter and text, begin and end, threads, progress and notice */
	/* The filter excludes this range of time; its length does not count. */
	bool has_hole;
	int64_t hole_begin_ns, hole_end_ns;
	/* The filter does not select by time only: compare shares of all events, not counts a second. */
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
	uint64_t count;		/* number of events, or of closed spans */
	bool has_rate;
	double rate;		/* count per second of the selection */
	bool has_durations;	/* true for SPAN with a count; then: */
	uint64_t total_ns, max_ns;
	/* Exact for up to 1,000,000 durations on each side; otherwise the error is at most 0.4 %. */
	uint64_t p50_ns, p90_ns, p99_ns;
	bool is_doubtful;	/* events of this row may have been lost */
};

struct tn_compare_row {
	enum tn_compare_what what;
	const char *name;	/* name of the event class or the span; VALUE: a condition, "FIELD == VALUE" */
	const char *definition;	/* SPAN: for tn_spans_add(); else NULL */
	const char *field;	/* VALUE: as given; else NULL */
	struct tn_answer_value value;	/* VALUE */
	struct tn_compared side[2];
	enum tn_compare_measure measure;
	bool has_values;	/* both sides have the measure: */
	double first, second;	/* values of the measure */
	double changed;		/* changed part of all events, or of the time in all spans */
	double probability;	/* that chance makes such a difference; corrected for the number of rows */
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
/* Get row @i. Rows are sorted by verdict, then by `changed`. Borrowed until the next run. False: no such row. */
TN_API bool tn_compare_row(const struct tn_compare *compare, size_t i, struct tn_compare_row *out);
/* Whether some spans or values did not fit in memory, so that the rows do not include them. */
TN_API bool tn_compare_is_cut(const struct tn_compare *compare);

/* ---- reasons why some spans, or events, differ from the others ---- */

/*
 * Compares the selected spans (or events) with the rest, and finds properties that are more frequent in the
 * selected ones. A property is a value or a range of a field or attribute of the begin or end event, a range of
 * begin times, or two of these together. Fields in the condition are omitted. Properties that select the same
 * spans are one finding.
 */
struct tn_why;

struct tn_why_finding {
	/*
	 * "shard"; "shard, method" (two together); "time" of the begin event; or "waited for": the value is the
	 * name of a thread that ran for more than half of the span while the span's thread waited. (At most
	 * 1000 spans of each side are examined for it.)
	 */
	const char *field;
	bool is_rate;		/* `field` is "during" or "before", `value` an event class */
	bool is_range;		/* the values from `from` to `to`, both included */
	struct tn_answer_value value, from, to;	/* a text for two properties together */
	const char *same;	/* other findings that select the same spans, as conditions; NULL: none */
	/* A condition that selects the spans of `definition`, or the events, with the property; or NULL. */
	const char *condition;
	const char *definition;	/* definition of the spans, which shows the fields; NULL: events */
	uint64_t selected, rest;	/* number of selected and of other spans (or events) with the property */
	double selected_share, rest_share;	/* their shares; with is_rate: events per second */
	double lift;		/* selected_share / rest_share; infinite if rest_share is 0 */
	double g;		/* G of the test; findings are sorted by it */
	double probability;	/* that chance makes such a difference; corrected for the number of tests */
	enum tn_compare_verdict verdict;
};

/*
 * Ask about spans of @definition, or about events if it is NULL. @condition selects spans or events. For
 * events, the rest are the other events of the classes that the condition can select. @selection (copied) has
 * traces, range and filter.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_why_new(struct tn_why **out, const struct tn_selection *selection, const char *definition, const char *condition,
	   struct tn_error *err);
TN_API void tn_why_free(struct tn_why *why);	/* NULL is allowed */
/* Read the events; for spans, also the events during and before them. TN_ERR_CANCELLED: a callback stopped it. */
TN_API TN_MUST_CHECK enum tn_code tn_why_run(struct tn_why *why, struct tn_error *err);
TN_API uint64_t tn_why_selected(const struct tn_why *why);	/* number of selected spans, or events */
TN_API uint64_t tn_why_rest(const struct tn_why *why);	/* number of all others */
TN_API size_t tn_why_count(const struct tn_why *why);	/* number of findings */
/* Get finding @i, the best first; borrowed until the next run. False: no such finding. */
TN_API bool tn_why_finding(const struct tn_why *why, size_t i, struct tn_why_finding *out);

/* ---- the first difference of two sequences ---- */

/*
 * Aligns the events of one thread, request or stream of both sides by the longest common subsequence of names
 * and fields. A definition is "KEY [= VALUE[, VALUE]] [show FIELD, ...]". KEY is a field or an attribute of
 * events: "tid", "stream", "request". VALUE selects the sequence, a second VALUE that of the second side.
 * Events are equal if their names and all FIELDs are equal.
 *
 * Values are paired by these rules, in this order: equal values with equal names (tn_nicknames_new()); equal
 * names, the first value with the first; equal values, if one of them does not have a name; if there are no
 * such pairs, the order of first events. Without VALUE, if the sides have several values, the result is a list
 * of pairs instead of an alignment.
 *
 * Memory is bounded: an alignment has at most 2,000,000 events of each side, a list 4,000,000.
 */
struct tn_sequence;

enum tn_sequence_pairing {
	TN_SEQUENCE_GIVEN, TN_SEQUENCE_BY_NAME, TN_SEQUENCE_BY_VALUE, TN_SEQUENCE_BY_ORDER, TN_SEQUENCE_ALONE
};

struct tn_sequence_pair {
	const char *value[2];	/* as text, after "HOST:" or "TRACE:" if there are several; NULL: no value */
	const char *name[2];	/* the name of the number, or NULL */
	uint64_t count[2];	/* number of events */
	enum tn_sequence_pairing by;
	uint64_t equal;		/* number of equal events at the start */
	bool is_equal;		/* all events are equal */
	bool is_cut;		/* not all events fit in memory: more than `equal` events may be equal */
	/*
	 * The first event that differs. Its time counts from the first event of its side, or of the aligned
	 * sequence.
	 */
	const char *event[2];	/* name; NULL: no such event, or it did not fit in memory */
	bool has_since[2];
	int64_t since_ns[2];
};

struct tn_sequence_event {
	const char *name;
	const struct tn_answer_value *field;	/* one value for each field to show */
	bool has_time;
	int64_t time_ns;
	bool has_since;
	int64_t since_ns;	/* time since the first event of the sequence */
	struct tn_location at;
	bool after_loss;	/* events may be lost before it; also set without an event, at the end of a side */
};

struct tn_sequence_row {
	bool has[2];		/* the side has an event in this row */
	bool same;		/* both sides have an event, and the events are equal */
	struct tn_sequence_event side[2];
};

struct tn_sequence_totals {
	bool is_aligned;	/* false: there is only a list of pairs */
	struct tn_sequence_pair pair;	/* the aligned pair */
	size_t rows, differences;	/* a difference is one row, or several adjacent rows */
	uint64_t same, only[2];	/* number of events that both sides have, that only one side has */
	bool is_approximate;	/* too many differences: the alignment may not be the best; `pair.equal` is exact */
	uint64_t more[2];	/* events (of a list: values) that did not fit in memory */
	uint64_t lost[2];	/* places with lost events or damage */
};

/* Make a sequence of two selections, which are copied. TN_ERR_ARGUMENT: the definition is wrong for both sides. */
TN_API TN_MUST_CHECK enum tn_code
tn_sequence_new(struct tn_sequence **out, const struct tn_selection *first, const struct tn_selection *second,
		const char *definition, struct tn_error *err);
TN_API void tn_sequence_free(struct tn_sequence *sequence);	/* NULL is allowed */
/* Read both selections. TN_ERR_ARGUMENT: a side does not have the value; TN_ERR_CANCELLED if a callback stopped it. */
TN_API TN_MUST_CHECK enum tn_code tn_sequence_run(struct tn_sequence *sequence, struct tn_error *err);
/* Get the totals; texts are borrowed until the next run. */
TN_API void tn_sequence_totals(const struct tn_sequence *sequence, struct tn_sequence_totals *out);
TN_API const char *tn_sequence_key(const struct tn_sequence *sequence);	/* KEY of the definition */
TN_API const char *tn_sequence_field(const struct tn_sequence *sequence, size_t i);	/* NULL after the last one */
/* Get row @i of the alignment; borrowed until the next run. False: no such row. */
TN_API bool tn_sequence_row(const struct tn_sequence *sequence, size_t i, struct tn_sequence_row *out);
/* Get the first row and the number of rows of difference @i. False: no such difference. */
TN_API bool tn_sequence_difference(const struct tn_sequence *sequence, size_t i, size_t *row, size_t *n);
/* Number of the first difference at @row or after it. */
TN_API size_t tn_sequence_difference_at(const struct tn_sequence *sequence, size_t row);
/* Get pair @i of the list, the earliest difference first; borrowed until the next run. False: no such pair. */
TN_API bool tn_sequence_pair(const struct tn_sequence *sequence, size_t i, struct tn_sequence_pair *out);
/* A definition that aligns this pair; the caller frees it. NULL: memory is out, or a side does not have a value. */
TN_API char *tn_sequence_definition(const struct tn_sequence *sequence, const struct tn_sequence_pair *pair);

/* ---- comparisons and findings as tables (table.h) ---- */

enum { TN_COMPARE_COLUMNS = 27, TN_WHY_COLUMNS = 12 };

/* Add the columns of rows, or of findings. @of_ranges: in JSON, a range has its limits instead of a value. */
TN_API TN_MUST_CHECK enum tn_code tn_compare_add_columns(struct tn_table *table, struct tn_error *err);
TN_API TN_MUST_CHECK enum tn_code tn_why_add_columns(struct tn_table *table, bool of_ranges, struct tn_error *err);
/*
 * Set @out to the values of a row, one for each column, for this form. Clears @room; the texts of the values
 * are in @row and @room. If limits are times, they are written in the format of @times; NULL: as numbers.
 */
TN_API void tn_compare_values(struct tn_answer_value *out, const struct tn_compare_row *row, enum tn_table_form form,
			      struct tn_str *room);
TN_API void tn_why_values(struct tn_answer_value *out, const struct tn_why_finding *finding, enum tn_table_form form,
			  const struct tn_text *times, struct tn_str *room);

#ifdef __cplusplus
}
#endif
#endif
