/*
 * tnav/answer.h - answers computed from events: spans, groups, lanes, ladders
 *
 * A span is a begin event and an end event with the same key. A group is a set of events, or of spans, with
 * equal keys. All functions take a struct tn_scan_options (query.h) and read these of its members: filter and
 * text, begin and end, threads, progress and notice. Events that the filter or the range excludes do not
 * exist for the answer: a span that begins outside of the range is an end without begin.
 *
 * Units      Times and durations are nanoseconds.
 * Ownership  Arguments of a callback are borrowed for the call. Definitions borrow their set.
 * Threads    Definitions are read-only once made. Callbacks run one at a time, in the calling thread.
 * Errors     TN_ERR_ARGUMENT for a wrong definition: the text gives the mistake, its column, and the nearest name.
 * States     object		state	may be called
 *            a definition	open	every function that takes it, in several threads, until it is freed
 *              		freed	nothing; answers that were computed with it stay
 *            its set		closed	nothing: definitions and answers are freed before
 *            a callback	running	nothing that changes or closes the set; a non-zero result ends the call
 * Source     none: this is tnav's own.
 */
#ifndef TNAV_ANSWER_H
#define TNAV_ANSWER_H

#include <tnav/query.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values ---- */

enum tn_answer_kind { TN_ANSWER_NONE, TN_ANSWER_UINT, TN_ANSWER_SINT, TN_ANSWER_FLOAT, TN_ANSWER_TEXT };

/* A value taken out of an event. */
struct tn_answer_value {
	enum tn_answer_kind kind;	/* NONE: the event does not have the value */
	union {
		uint64_t u;
		int64_t i;	/* SINT: negative ones only */
		double f;
	} is;
	const char *text;	/* TEXT: @n bytes, of any value */
	size_t n;
	const struct tn_type *type;	/* of a number that has labels or is shown in a base other than 10; else NULL */
};

/* Append the value for people: a label if the type has one, else a number in the base of its type. */
TN_API void tn_answer_value_text(const struct tn_answer_value *value, struct tn_str *out);
/* Append the value as JSON lines show it; null for NONE. */
TN_API void tn_answer_value_json(const struct tn_answer_value *value, struct tn_str *out);
/* Append any bytes as a JSON string, with its quotes. */
TN_API void tn_answer_json_string(const char *bytes, size_t n, struct tn_str *out);
/* Order: NONE first, numbers by value, then texts by bytes. Returns <0, 0, >0. */
TN_API int tn_answer_value_compare(const struct tn_answer_value *a, const struct tn_answer_value *b);

/*
 * The value of a field or an attribute, by its name in the language, in single rows. Not for several threads at once; it
 * must not outlive the set. An attribute such as `tid` may read earlier packets, up to the last event that says it.
 */
struct tn_named;
/* TN_ERR_ARGUMENT: the name is unknown, ambiguous, or has several values in an event. */
TN_API TN_MUST_CHECK enum tn_code
tn_named_new(struct tn_named **out, const struct tn_set *set, const char *name, struct tn_error *err);
TN_API void tn_named_free(struct tn_named *named);	/* NULL is allowed */
/* The value in the cursor's row; NONE: it does not have it. Text is borrowed until the next call. */
TN_API TN_MUST_CHECK enum tn_code
tn_named_value(struct tn_named *named, const struct tn_cursor *cur, struct tn_answer_value *out, struct tn_error *err);

/* ---- spans ---- */

enum tn_span_state {
	TN_SPAN_CLOSED,
	TN_SPAN_OPEN,		/* a begin without an end */
	TN_SPAN_ORPHAN,		/* an end without a begin */
	/* Closed, but a stream that matters lost events between begin and end, or may have lost some. */
	TN_SPAN_DOUBTFUL
};

TN_API const char *tn_span_state_name(enum tn_span_state state);	/* "closed", ... */

struct tn_span {
	size_t definition;
	/*
	 * the name in the definition; without one, the name of the begin event (of an orphan: of the end event)
	 */
	const char *name;
	enum tn_span_state state;
	bool has_begin, has_end;	/* the span has a begin time, an end time */
	int64_t begin_ns, end_ns;
	bool has_duration;
	int64_t duration_ns;
	/* The span has a begin event, an end event. An event that is a whole span has an end time, and no end event. */
	bool is_at_begin, is_at_end;
	struct tn_location begin, end;	/* places of these events */
	size_t n_keys, n_captured;
	const struct tn_answer_value *key, *captured;
	bool is_unsure;		/* OPEN: its end may have been lost since, or may still come */
	/*
	 * OPEN: another begin of the same key replaced it (`latest`). `end` is that begin, end_ns its time
	 * (without a time: begin_ns).
	 */
	bool is_replaced;
};

struct tn_spans;	/* a list of definitions */

/* Make an empty list of definitions. */
TN_API TN_MUST_CHECK enum tn_code tn_spans_new(struct tn_spans **out, struct tn_set *set, struct tn_error *err);
TN_API void tn_spans_free(struct tn_spans *spans);	/* NULL is allowed */
/*
 * Add a definition: "BEGIN END [by KEY, ...] [show FIELD, ...] [RULE] [as NAME] [where CONDITION]".
 *
 * BEGIN and END are event names, in which `*` matches any characters, or expressions. Expressions with blanks
 * are in parentheses. If both BEGIN and END have a `*`, it matches the same text in both; an end with another
 * text is an orphan.
 *
 * A KEY is a field or an attribute of events. "vtid = tid" names one for the begin and one for the end. For
 * events that do not have the attribute tid, the last sched_switch on their processor gives the thread. Each
 * trace and key has a stack of open begins.
 *
 * RULE decides about a second begin with the same key. `nested` (the default): an end closes the last open
 * begin. `latest`: the second begin replaces the first one, which is reported as open at once. `fifo`: an end
 * closes the first open begin.
 *
 * Fields to show are read from the end event if it has them, else from the begin event; "begin.F" and "end.F"
 * choose one. "current" is the thread that runs where the event is. A `*` in NAME is replaced by the text that
 * the first `*` of the event's pattern matched.
 *
 * "@KIND" in place of BEGIN END: spans that the format of a trace knows, with the keys and the rule of the kind unless
 * the definition has its own. An event that is a whole span ends when its duration is over, and has no end event.
 * "@" alone adds a definition for each kind that the traces have.
 *
 * CONDITION is an expression (query.h) over dur (or duration), name, state, begin, end, time (of the begin,
 * else of the end), key.K or K for a key, the fields to show, and closed, open, orphan, doubtful, which are 1
 * or 0. Spans that do not meet it are dropped.
 */
TN_API TN_MUST_CHECK enum tn_code tn_spans_add(struct tn_spans *spans, const char *definition, struct tn_error *err);
/*
 * Set one more condition for all definitions present now. It replaces the condition of an earlier call, and
 * does not change those in the definitions.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_where(struct tn_spans *spans, const char *condition, struct tn_error *err);
/*
 * Add the definitions of a ready question, one a line, if the traces have their events. A line that begins with
 * "else " is used only if the traces do not have the events of the line before it. TN_ERR_ARGUMENT: no
 * definition has its events; the error is that of the last line.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_add_question(struct tn_spans *spans, const char *definitions, struct tn_error *err);
TN_API size_t tn_spans_count(const struct tn_spans *spans);	/* number of definitions */
/*
 * Names as written in the definition: keys ("vtid" of "vtid = tid"), fields to show. NULL after the last one.
 */
TN_API const char *tn_spans_key(const struct tn_spans *spans, size_t definition, size_t i);
TN_API const char *tn_spans_captured(const struct tn_spans *spans, size_t definition, size_t i);	/* fields to show */

enum tn_span_order { TN_SPANS_BY_BEGIN, TN_SPANS_BY_END };

struct tn_span_counts {
	uint64_t of_state[4];
	uint64_t without_key;	/* begins and ends left out because they do not have a key */
	/* Memory is bounded: 40 MiB for open spans, and for spans that wait for earlier ones. */
	uint64_t out_of_order;	/* reported before an earlier span that was still open */
	uint64_t dropped;	/* reported as open to free memory; an end that follows is an orphan */
	uint64_t left_out;	/* of the sorted spans, those that did not fit into 48 MiB */
};

/*
 * Report each span, in the order of begins (an orphan: at its end) or of ends (open spans last). A non-zero
 * result of @span stops: TN_ERR_CANCELLED. @counts may be NULL.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_run(const struct tn_spans *spans, const struct tn_scan_options *options, enum tn_span_order order,
	     int (*span)(void *user, const struct tn_span *span), void *user, struct tn_span_counts *counts,
	     struct tn_error *err);

#define TN_SPANS_STORED 10000
#define TN_SPANS_SORTED_MIB 48	/* memory for spans that are sorted */

enum tn_span_column {
	TN_SPAN_BY_DURATION,	/* longest first; spans without a duration last */
	TN_SPAN_BY_BEGIN,	/* this order and those below: least first, spans without the value before all others */
	TN_SPAN_BY_END,
	TN_SPAN_BY_NAME,
	TN_SPAN_BY_STATE,	/* the name of the state */
	TN_SPAN_BY_KEY,		/* the key number `index` of each definition */
	TN_SPAN_BY_FIELD	/* the field to show number `index` of each definition */
};

struct tn_span_sort {
	enum tn_span_column column;
	size_t index;
	bool backward;
};

/*
 * Report the first @most spans (0: all) in the order @by (NULL: by duration). Equal spans are in the order of
 * their begins (an orphan: of its end). tnav sorts up to 48 MiB of spans. @counts (may be NULL) counts all
 * spans, and those that were left out.
 *
 * If the result has at most TN_SPANS_STORED spans, it is stored beside the index (trace.h), with its notices.
 * The same question about the same traces is then answered from the stored result, without progress callbacks.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_sorted(const struct tn_spans *spans, const struct tn_scan_options *options, const struct tn_span_sort *by,
		size_t most, int (*span)(void *user, const struct tn_span *span), void *user,
		struct tn_span_counts *counts, struct tn_error *err);

/*
 * Find the other end of a span: from its begin event to its end event, or back. Definitions whose events the
 * traces do not have are ignored. *which (may be NULL) is the first definition in which the event at @at is a
 * begin, else the first in which it is an end. TN_END: the span has no other end; or the event is neither begin
 * nor end, and *which is SIZE_MAX. Events that the options' filter or range excludes do not exist.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_span_other_end(struct tn_set *set, const char *const *definition, size_t n, const struct tn_scan_options *options,
		  const struct tn_location *at, struct tn_location *out, size_t *which, struct tn_error *err);

/* ---- lanes ---- */

/*
 * States over time, one lane for each value of LANE, a field or an attribute of the event (of the begin event).
 * The definition is one of:
 *
 * "EVENT.FIELD by LANE": from one such event to the next one of the same lane the state is the field's value.
 * "FIELD by LANE": the same for all events that have the field. "(BEGIN END by KEY) by LANE": the state is the
 * name of the open span; if several are open, of the one that began last.
 *
 * Time is cut into columns of equal width, rounded to nanoseconds. A cell shows the state that lasted longest
 * in it; of equal ones, the first by name.
 */
struct tn_lanes;
/* Make lanes from a definition; @set must outlive them. TN_ERR_ARGUMENT: the definition is wrong. */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_new(struct tn_lanes **out, struct tn_set *set, const char *definition, struct tn_error *err);
TN_API void tn_lanes_free(struct tn_lanes *lanes);	/* NULL is allowed */
/*
 * Draw [begin_ns, end_ns) in @columns; a second call replaces the first picture. Events before the window are
 * read to find the states at its left edge, whatever begin @options has.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_run(struct tn_lanes *lanes, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns,
	     size_t columns, struct tn_error *err);
/*
 * Mark the cells that have events which pass the options' filter, usually a filter other than the picture's. An
 * event belongs to the lane whose value it has.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_search(struct tn_lanes *lanes, const struct tn_scan_options *options, struct tn_error *err);
/*
 * Draw a preview. Of each column of the window [begin_ns, end_ns), from @column on, only the first @look_ns are
 * read; the longest state there fills the cells [column, column + n). A call with another window starts a new
 * preview.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_guess(struct tn_lanes *lanes, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns,
	       size_t columns, size_t column, size_t n, int64_t look_ns, struct tn_error *err);

/* A cell: the number of its state in the picture, 0 for none, and these bits. */
#define TN_LANE_STATE	(((uint32_t)1 << 29) - 1)
#define TN_LANE_LOST	((uint32_t)1 << 29)	/* a notice (loss, damage) from a stream that has begins of this lane */
#define TN_LANE_HIT	((uint32_t)1 << 30)	/* an event of the last tn_lanes_search() */
#define TN_LANE_PART	((uint32_t)1 << 31)	/* other states, or times without a state, are in the cell too */

struct tn_lane {
	struct tn_answer_value value;
	const uint32_t *cell;		/* of each column */
};

struct tn_lane_state {
	const char *name;
	uint64_t ns;			/* its total time in all lanes */
	char letter;			/* or a digit, different for each: from its name if one is free; '*' if all are taken */
};

/* A picture. All arrays are borrowed from the lanes (the preview, if given) until the next call with these. */
struct tn_lanes_picture {
	size_t lanes, states, columns;	/* 0 columns: nothing was drawn yet */
	size_t known;			/* columns, from the first, that are final */
	const struct tn_lane *lane;	/* sorted by value */
	const struct tn_lane_state *state;	/* states + 1; [0] has no name */
	const uint32_t *longest;	/* the states, the longest first */
	const uint32_t *mark;		/* of each column: TN_LANE_LOST: any notice; TN_LANE_HIT: a hit in none of the lanes */
	const int64_t *time_ns;		/* start of each column, and the end of the last one */
	uint64_t left_out;		/* begins in lanes beyond the limit of 4096 */
	struct tn_lanes_memory *memory;	/* of the run; NULL: it kept none */
};

/*
 * Get the picture; within a callback of tn_lanes_run(), the picture so far. Columns that are not final yet are those
 * of @preview, which has the same set, definition and window, or is NULL. Its lanes and states stay.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_picture(struct tn_lanes_picture *out, struct tn_lanes *lanes, struct tn_lanes *preview, struct tn_error *err);
#define TN_LANE_SHARES	8
/* Keep the times of the TN_LANE_SHARES longest states in each cell of the next picture, for the first @n lanes to arrive. */
TN_API void tn_lanes_keep_shares(struct tn_lanes *lanes, size_t n);
/*
 * Get the number of the state with rank @i by its time in a cell, 0 being the longest, and that time, if @ns is not
 * NULL. 0: no such state, or its time was not kept. A picture of one column keeps the times of all.
 */
TN_API size_t
tn_lanes_share(const struct tn_lanes *lanes, size_t lane, size_t column, size_t i, uint64_t *ns);
/*
 * Find the event with which a state began: the first event that began the state @state visible in [begin_ns,
 * end_ns), a cell, in the lane with this value. TN_END: the state is not there. The picture does not change.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_event(const struct tn_lanes *lanes, const struct tn_scan_options *options, const struct tn_answer_value *lane,
	       int64_t begin_ns, int64_t end_ns, const char *state, struct tn_location *out, struct tn_error *err);

/*
 * The memory of a run. A run over all, or nearly all, of the time keeps its states in fine cells where it can.
 * Pictures of other windows with the same filter are made from these cells and read few events, none if the
 * columns begin and end with fine cells. The memory is stored beside the
 * index too. Lanes of the same set and definition may share it, in any thread. Each reference is freed by its owner.
 */
struct tn_lanes_memory;
TN_API struct tn_lanes_memory *tn_lanes_memory_get(struct tn_lanes_memory *memory);	/* one more reference */
TN_API void tn_lanes_memory_free(struct tn_lanes_memory *memory);	/* NULL is allowed */
/*
 * Use a memory, with a reference of its own, or with NULL the stored one. True: a picture with these options is made from
 * memory.
 */
TN_API bool
tn_lanes_remember(struct tn_lanes *lanes, struct tn_lanes_memory *memory, const struct tn_scan_options *options);

/* ---- the ladder ---- */

/*
 * Single events as rungs between lanes. An event belongs to the lane of its value. It comes from the lane of
 * the latest earlier event that has a value. One run can follow several fields, each with lanes of its own. As
 * in lanes, equal values on different hosts, and equal streams of different traces, are different values.
 */
struct tn_ladder;
#define TN_LADDER_NONE SIZE_MAX

struct tn_rung {
	const char *name;	/* name of the event, any bytes; borrowed from the ladder */
	struct tn_location at;
	bool has_time;
	int64_t time_ns;
	/* TN_LADDER_NONE: the event does not have the value, or its lane did not fit into 4 MiB */
	size_t lane;
	size_t from;		/* lane of the latest earlier event that is in a lane; TN_LADDER_NONE: no such event */
};

/* Make a ladder. @by: @n names of fields or attributes, such as stream, tid. TN_ERR_ARGUMENT: no such name. */
TN_API TN_MUST_CHECK enum tn_code
tn_ladder_new(struct tn_ladder **out, struct tn_set *set, const char *const *by, size_t n, struct tn_error *err);
TN_API void tn_ladder_free(struct tn_ladder *ladder);	/* NULL is allowed */
/*
 * Read the first @most events that pass; a second call starts over. After a stop or a failure the ladder
 * contains the events read so far.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_ladder_run(struct tn_ladder *ladder, const struct tn_scan_options *options, size_t most, struct tn_error *err);
TN_API size_t tn_ladder_count(const struct tn_ladder *ladder);	/* number of rungs */
TN_API bool tn_ladder_has_more(const struct tn_ladder *ladder);	/* whether more than @most events pass */
/*
 * Number of lanes for field number @by, in the order of their first events, and how many events are in a lane.
 */
TN_API size_t tn_ladder_lanes(const struct tn_ladder *ladder, size_t by, size_t *events);
/* Value of the lane, any bytes. */
TN_API const char *tn_ladder_lane(const struct tn_ladder *ladder, size_t by, size_t lane);
/* Number of the field that most events have, of those fields that make 2 to @most lanes; 0: no such field. */
TN_API size_t tn_ladder_best(const struct tn_ladder *ladder, size_t most);
/* False: no such rung. */
TN_API bool tn_ladder_rung(const struct tn_ladder *ladder, size_t by, size_t i, struct tn_rung *out);

/* ---- proposed pairs ---- */

/*
 * Span definitions proposed for the event classes of the set: those of well-known tracers, and those found by
 * names (x_begin and x_end, entry and exit, start and stop, ...). The key is a field of both events that
 * identifies the operation, else the thread, else the processor, else the stream.
 */
struct tn_pairs;
/* Proposes pairs from the event classes; reads no events. TN_ERR_MEMORY. */
TN_API TN_MUST_CHECK enum tn_code tn_pairs_new(struct tn_pairs **out, struct tn_set *set, struct tn_error *err);
TN_API void tn_pairs_free(struct tn_pairs *pairs);	/* NULL is allowed */
/*
 * Search for events of the pairs until each pair has some. Pairs with both begins and ends move to the front.
 * If the search is stopped (TN_ERR_CANCELLED), the order reflects the part that was read. Filters are ignored.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_pairs_look(struct tn_pairs *pairs, const struct tn_scan_options *options, struct tn_error *err);
/* Number of pairs that have events; all of them before tn_pairs_look(). */
TN_API size_t tn_pairs_met(const struct tn_pairs *pairs);
TN_API size_t tn_pairs_count(const struct tn_pairs *pairs);	/* 0 for NULL */
/* A definition for tn_spans_add(); NULL after the last one. */
TN_API const char *tn_pairs_definition(const struct tn_pairs *pairs, size_t i);

/* ---- ready questions ---- */

struct tn_ready_question {
	const char *name, *title;
	const char *spans;	/* definitions for tn_spans_add_question(); "": the question is about events */
	const char *by, *show;	/* keys and aggregates for groups */
	const char *sort;	/* a column; "": the default order */
	const char *where;	/* an expression for the events; "": all events */
};

TN_API const struct tn_ready_question *tn_ready_question_at(size_t i);	/* NULL after the last one */
/*
 * Group keys for a question in these traces, in the names that their events have: next_tid, as LTTng's kernel tracer
 * calls it, next_pid (ftrace, perf), or next_tid|next_pid. If the traces are of several hosts, whose threads and processors
 * have the same numbers, "host" is added before question->by. Free the result; NULL: memory is out.
 */
TN_API char *tn_ready_question_keys(const struct tn_ready_question *question, const struct tn_set *set);

/* ---- chains of waits ---- */

enum tn_chain_kind { TN_CHAIN_ASLEEP, TN_CHAIN_READY, TN_CHAIN_PREEMPTED, TN_CHAIN_RAN, TN_CHAIN_UNKNOWN };
TN_API const char *tn_chain_kind_name(enum tn_chain_kind kind);	/* "asleep", ... */

struct tn_chain_link {
	size_t depth;		/* 0: the requested thread; else a thread that woke the thread of the depth above */
	enum tn_chain_kind kind;
	/* The thread it waited for: it woke this one, or ran in its place; -1: unknown, or this one ran. */
	int64_t tid, whom;
	int64_t begin_ns, end_ns;
	bool doubtful;		/* events were lost in this time */
};

/*
 * Explain the time of a thread in [begin_ns, end_ns), from sched_switch and sched_waking (or sched_wakeup) of
 * kernel traces. The thread ran; slept until another one woke it (for no time if that happened before it left
 * its processor); was ready until the thread on its processor left; or was preempted. Each sleep is followed by
 * the links of the waking thread during the sleep, one depth deeper, at most 12.
 *
 * A non-zero result of @link stops. Waits that began before begin_ns by more than the window's length plus 100
 * ms are not found; times without an event are unknown. *cut (may be NULL): a limit was reached (20000 links,
 * 800000 times of all threads, or the depth).
 *
 * @host: hostname of the thread. NULL: the only host; an error if threads of several hosts have that number.
 * Options: as above; filter and range are ignored.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_chain_run(struct tn_set *set, const struct tn_scan_options *options, const char *host, int64_t tid, int64_t begin_ns,
	     int64_t end_ns, int (*link)(void *user, const struct tn_chain_link *link), void *user, bool *cut,
	     struct tn_error *err);

/* Whether a span key names a thread: tid, vtid, event.fields.next_tid. Such spans belong to that thread. */
TN_API bool tn_chain_is_thread(const char *key);

/*
 * The thread of an event: its attribute tid, which can be that of the last sched_switch on its processor.
 * TN_END: unknown. *host: its hostname, borrowed from the trace, if the traces are of
 * several hosts; else NULL. Options as for tn_chain_run().
 */
TN_API TN_MUST_CHECK enum tn_code
tn_chain_thread(struct tn_set *set, const struct tn_scan_options *options, const struct tn_location *at, const char **host,
		int64_t *tid, struct tn_error *err);

/* ---- groups ---- */

/*
 * Groups of events with equal keys, and aggregates of each group. Sums of whole numbers are exact; beyond 64
 * bits they are the double next to the exact sum. The p-th percentile is the smallest value that p % of the
 * values do not exceed. It is exact for up to 256 values and for whole numbers up to 256, else at most 0.4 %
 * off.
 *
 * Memory is bounded: 42 MiB of groups, which is 1,100,000 numbers with a count. Groups that do not fit are
 * merged into one last row, the rest. Quantiles, distinct counts and texts that do not fit are dropped: NONE.
 */
struct tn_groups;

/*
 * Define groups of events. @by: names of fields or attributes, "time/10ms" (the start of the step), bins of
 * numbers (see tn_groups_step()); "" makes one group of all events. @show: aggregates, "count, count(x),
 * missing(x), sum(x), min(x), max(x), mean(x), stddev(x), distinct(x), median(x), p99(x), first(x), last(x),
 * rate". missing counts events without x; stddev is of a sample; rate is events a second, of the step or from
 * the first event to the last. "sum(x) as y" names the column y. For spans "sum(x where CONDITION)" takes x
 * only from spans that meet the condition (tn_spans_where()).
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_new(struct tn_groups **out, struct tn_set *set, const char *by, const char *show, struct tn_error *err);
/*
 * Define groups of spans; @spans must outlive them. Names are name, duration or dur (of closed spans),
 * any_duration (of doubtful spans too), begin, end, state, time, the keys (K or key.K) and the fields to show
 * of the definitions; "A|B" is A, or B if a span does not have A.
 *
 * "inside" is the part of a span within the range of the options: of a closed span, and of an open span up to
 * the end of the range or of the traces, unless its end may have been lost. With "inside", events before the
 * range are read too: the groups contain all spans that touch the range.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_of_spans(struct tn_groups **out, const struct tn_spans *spans, const char *by, const char *show,
		   struct tn_error *err);
TN_API void tn_groups_free(struct tn_groups *groups);	/* NULL is allowed */
TN_API size_t tn_groups_key_count(const struct tn_groups *groups);	/* number of keys; 0 for NULL */
/* Names of keys, then of aggregates: set by `as`, or as written; NULL after the last one. */
TN_API const char *tn_groups_column(const struct tn_groups *groups, size_t column);
/* The key as written, without `as NAME`, for use in a condition. NULL: the groups have fewer keys, or @groups is NULL. */
TN_API const char *tn_groups_key(const struct tn_groups *groups, size_t key);

/* Whether a key is in steps: "time/10ms", "ret/100", "delta/10us", "log2(ret)". */
TN_API bool tn_groups_has_steps(const struct tn_groups *groups, size_t key);
/*
 * The limits of a step, which is called by one of them. "ret/100" is called by its least value: [*from, *to).
 * Steps of log2 are called by the limit that is nearer to 0: 0 alone, [*from, *to) above 0, (*from, *to] below.
 * False: the key is without steps, or @value is not a number.
 */
TN_API bool tn_groups_step(const struct tn_groups *groups, size_t key, const struct tn_answer_value *value,
			   struct tn_answer_value *from, struct tn_answer_value *to);

/*
 * A hint about a key that is probably a mistake, as for a filter: "tid" where events do not have the attribute
 * but have a field of that name, or a step so large that all values are in one bin. Valid as long as the groups;
 * NULL: no hint, or NULL was given.
 */
TN_API const char *tn_groups_remark(const struct tn_groups *groups);

/* Unit of the numbers in a column. */
enum tn_group_unit {
	TN_GROUP_NUMBER,	/* numbers without a unit, or texts; also for a column that does not exist */
	TN_GROUP_TIME,		/* whole nanoseconds since 1970: "time/1s", first(time), max(begin) */
	TN_GROUP_DURATION,	/* nanoseconds: mean(delta), p99(duration) */
	TN_GROUP_RATE		/* per second */
};
/* Unit of a key or an aggregate; TN_GROUP_NUMBER for NULL and for a column that does not exist. */
TN_API enum tn_group_unit tn_groups_unit(const struct tn_groups *groups, size_t column);

/*
 * Compute the groups; a second call starts over. The order of rows depends on the trace alone. Groups of spans
 * are stored, as in tn_spans_sorted().
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_run(struct tn_groups *groups, const struct tn_scan_options *options, struct tn_error *err);
TN_API size_t tn_groups_count(const struct tn_groups *groups);	/* number of rows; 0 before tn_groups_run() */
/* Number of events left out because they do not have one of the keys. */
TN_API uint64_t tn_groups_without(const struct tn_groups *groups);
/* For groups of spans: the number of spans, and of those that did not fit into memory. */
TN_API struct tn_span_counts tn_groups_span_counts(const struct tn_groups *groups);
/* Whether the keys did not fit into memory: the last row is then the rest, *events events. */
TN_API bool tn_groups_merged(const struct tn_groups *groups, uint64_t *events);
/* Number of quantiles, distinct counts, first and last texts dropped for lack of memory. */
TN_API uint64_t tn_groups_dropped(const struct tn_groups *groups);
/*
 * The values of a row by column, borrowed until the next call; NULL after the last row. @is_rest may be NULL.
 */
TN_API const struct tn_answer_value *tn_groups_row(struct tn_groups *groups, size_t row, bool *is_rest);
/*
 * Distribution of a quantile column: the number of values in each of @n parts of equal width on a logarithmic
 * scale, from the least value to the largest. False: not a quantile, or @n is 0.
 */
TN_API bool tn_groups_spread(struct tn_groups *groups, size_t row, size_t column, uint64_t *part, size_t n);
/* Sort the rows. Equal rows keep their order; the rest stays last. */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_sort(struct tn_groups *groups, size_t column, bool down, struct tn_error *err);
/*
 * Sort the rows, equal ones by ascending keys, and keep only the first @n until the next tn_groups_run(),
 * without the rest. 0: keep all. Faster than a full sort if @n is small.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_top(struct tn_groups *groups, size_t column, bool down, size_t n, struct tn_error *err);

/* ---- names of numbers ---- */

/*
 * Names that events give to numbers, for people: of threads and processes (sched_switch, the state dump of
 * LTTng, contexts with procname), of callbacks and handles (ROS 2), of soft interrupts (Linux), and the descriptions of event
 * names (ovni).
 *
 * A thread may change its name: the last one counts. Memory is bounded to 16 MiB; numbers beyond that have no name.
 */
struct tn_nicknames;
/*
 * Read the names of the whole set; filter and range of @options are ignored. They are stored beside the index (trace.h).
 * Read-only once made, and valid as long as the set.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_nicknames_new(struct tn_nicknames **out, struct tn_set *set, const struct tn_scan_options *options, struct tn_error *err);
TN_API void tn_nicknames_free(struct tn_nicknames *nicknames);	/* NULL is allowed */
/*
 * Whether values of this key, field or attribute ("tid", "begin.event.fields.tid", "callback", "name") may have names in
 * these traces. Reads no events.
 */
TN_API bool tn_nicknames_of(const struct tn_set *set, const char *key);
/* Whether the lines of events show the names of @key, too. Not of threads: most events have the name in another field. */
TN_API bool tn_nicknames_in_rows(const char *key);
/*
 * The name of a value of @key, any bytes, borrowed; NULL: none. A text that is a number counts as one. @host NULL: of any
 * host; if hosts (or processes, for addresses) give the number different names, there is none. @nicknames NULL: only names that
 * no event gives are found, of soft interrupts; call it only if tn_nicknames_of() is true.
 */
TN_API const char *tn_nicknames_find(const struct tn_nicknames *nicknames, const char *key, const char *host,
				     const struct tn_answer_value *value);

#ifdef __cplusplus
}
#endif
#endif
