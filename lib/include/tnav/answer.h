/*
 * tnav/answer.h - answers computed from events: spans, groups, lanes, ladders
 *
 * A span is a begin event and an end event with the same key. A group is a set of events, or of spans, with
 * equal keys. Functions that take a struct tn_scan_options (query.h) use these of its members: filter and
 * text, begin and end, threads, progress and notice. They ignore events that the filter or the range excludes: if a
 * begin event is before the range, its span has an end event only.
 *
 * Units      Times and durations are nanoseconds.
 * Ownership  Arguments of a callback are borrowed for the call. Definitions borrow their set.
 * Threads    Definitions are read-only in use. Callbacks run one at a time, in the calling thread.
 * Errors     TN_ERR_ARGUMENT for a wrong definition: the text has the mistake, its column, and a similar name.
 * States     object		state	may be called
 *            a definition	open	every function that takes it, in several threads, until it is freed
 *              		freed	nothing; answers that it computed stay valid
 *            its set		closed	nothing: free definitions and answers before
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

/* A value of an event. */
struct tn_answer_value {
	enum tn_answer_kind kind;	/* NONE: the event does not have the value */
	union {
		uint64_t u;
		int64_t i;	/* SINT: negative ones only */
		double f;
	} is;
	const char *text;	/* TEXT: @n bytes, not always UTF-8 */
	size_t n;
	const struct tn_type *type;	/* the type of a number with labels or a base other than 10; else NULL */
};

/* Append the value for people: its label if it has one, else the number in the base of its type. */
TN_API void tn_answer_value_text(const struct tn_answer_value *value, struct tn_str *out);
/* Append the value as JSON lines show it; null for NONE. */
TN_API void tn_answer_value_json(const struct tn_answer_value *value, struct tn_str *out);
/* Append any bytes as a JSON string, with its quotes. */
TN_API void tn_answer_json_string(const char *bytes, size_t n, struct tn_str *out);
/* Compare two values: NONE is first, numbers follow by value, then texts by bytes. Returns <0, 0, >0. */
TN_API int tn_answer_value_compare(const struct tn_answer_value *a, const struct tn_answer_value *b);

/*
 * Reads the value of a field or an attribute, by its name in conditions, in single rows. Use it in one thread
 * at a time, and free it before the set. An attribute such as `tid` can read earlier packets, back to the last
 * event with its value.
 */
struct tn_named;
/* Find the name. TN_ERR_ARGUMENT: the name is unknown, ambiguous, or has several values in an event. */
TN_API TN_MUST_CHECK enum tn_code
tn_named_new(struct tn_named **out, const struct tn_set *set, const char *name, struct tn_error *err);
TN_API void tn_named_free(struct tn_named *named);	/* NULL is allowed */
/* Get the value in the cursor's row; NONE: the row does not have it. Text is borrowed until the next call. */
TN_API TN_MUST_CHECK enum tn_code
tn_named_value(struct tn_named *named, const struct tn_cursor *cur, struct tn_answer_value *out, struct tn_error *err);

/* ---- spans ---- */

enum tn_span_state {
	TN_SPAN_CLOSED,
	TN_SPAN_OPEN,		/* a begin event without an end event */
	TN_SPAN_ORPHAN,		/* an end event without a begin event */
	/* Begin and end event, but events of the span may have been lost between them. */
	TN_SPAN_DOUBTFUL
};

TN_API const char *tn_span_state_name(enum tn_span_state state);	/* "closed", ... */

struct tn_span {
	size_t definition;	/* number of its definition */
	const char *name;	/* from the definition, or else the begin event (orphan: the end event) */
	enum tn_span_state state;
	bool has_begin, has_end;	/* the span has a begin time, an end time */
	int64_t begin_ns, end_ns;
	bool has_duration;
	int64_t duration_ns;
	/*
	 * The span has a begin event, an end event. If one event is a whole span, there is an end time but no
	 * end event.
	 */
	bool is_at_begin, is_at_end;
	struct tn_location begin, end;	/* places of these events */
	size_t n_keys, n_captured;
	const struct tn_answer_value *key, *captured;
	bool is_unsure;		/* OPEN: its end event may have been lost, or may still come */
	/*
	 * OPEN: another begin event with the same key replaced its begin event (`latest`). `end` is the place of that
	 * event, end_ns its time (begin_ns if it does not have a time).
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
 * are in parentheses. If both BEGIN and END have a `*`, it matches the same text in both.
 *
 * A KEY is a field or an attribute of events. "vtid = tid" compares vtid of the begin event with tid of the end
 * event. If an event does not have the attribute tid, the thread is that of the last sched_switch on its
 * processor. Events of two traces are never paired.
 *
 * RULE decides about a second begin event with the same key. `nested` (the default): an end event closes the
 * last open begin event. `latest`: the second begin event replaces the first one, whose span is reported as
 * open at once. `fifo`: an end event closes the first open begin event.
 *
 * The value of a FIELD is that of the end event, or that of the begin event if the end event does not have the
 * field; "begin.F" and "end.F" name the event. "current" is the thread that runs on the event's processor. In
 * NAME, `*` is replaced by the text that the first `*` of BEGIN matched.
 *
 * "@KIND" in place of BEGIN END means spans that the format of a trace defines. The definition can replace
 * their keys and their rule. If one event is a whole span, the span ends after the event's duration, and has no
 * end event. "@" alone adds a definition for each kind that the traces have.
 *
 * CONDITION is an expression (query.h) over dur (or duration), name, state, begin, end, time (of the begin
 * event, or of the end event without one), key.K or K for a key, the fields to show, and closed, open, orphan,
 * doubtful (1 or 0). Spans that do not meet it are omitted.
 */
TN_API TN_MUST_CHECK enum tn_code tn_spans_add(struct tn_spans *spans, const char *definition, struct tn_error *err);
/*
 * Set one more condition for all present definitions. It replaces the condition of an earlier call; the conditions in
 * the definitions stay.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_where(struct tn_spans *spans, const char *condition, struct tn_error *err);
/*
 * Add the definitions of a ready question if the traces have their events. @definitions has one definition in
 * each line. A line that begins with "else " counts only if the traces do not have the events of the previous
 * line. TN_ERR_ARGUMENT: the traces have the events of no definition; the error is that of the last line.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_add_question(struct tn_spans *spans, const char *definitions, struct tn_error *err);
TN_API size_t tn_spans_count(const struct tn_spans *spans);	/* number of definitions */
/*
 * Name of a key as the definition has it ("vtid" of "vtid = tid"); NULL after the last one.
 */
TN_API const char *tn_spans_key(const struct tn_spans *spans, size_t definition, size_t i);
TN_API const char *tn_spans_captured(const struct tn_spans *spans, size_t definition, size_t i);	/* a field to show */

enum tn_span_order { TN_SPANS_BY_BEGIN, TN_SPANS_BY_END };

struct tn_span_counts {
	uint64_t of_state[4];
	uint64_t without_key;	/* begin and end events that were omitted because they do not have a key */
	/* Memory is bounded: open spans, and spans that wait for earlier ones, use at most 40 MiB. */
	uint64_t out_of_order;	/* spans that were reported before an earlier span, which was still open */
	uint64_t dropped;	/* spans that were reported as open to free memory; a later end event is an orphan */
	uint64_t left_out;	/* sorted spans that did not fit in 48 MiB */
};

/*
 * Report each span, sorted by begin (an orphan: by its end) or by end (open spans last). A non-zero result of @span
 * stops with TN_ERR_CANCELLED. @counts may be NULL.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_run(const struct tn_spans *spans, const struct tn_scan_options *options, enum tn_span_order order,
	     int (*span)(void *user, const struct tn_span *span), void *user, struct tn_span_counts *counts,
	     struct tn_error *err);

#define TN_SPANS_STORED 10000
#define TN_SPANS_SORTED_MIB 48	/* memory for spans that are sorted */

enum tn_span_column {
	TN_SPAN_BY_DURATION,	/* longest first; spans without a duration last */
	TN_SPAN_BY_BEGIN,	/* here and below: spans without the value first, then the least value first */
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
 * Report the first @most spans (0: all) in the order @by (NULL: by duration). Spans with equal values are sorted by
 * begin (an orphan: by its end). Sorting keeps up to 48 MiB of spans. @counts (may be NULL) counts all spans, and the
 * omitted ones.
 *
 * A result of at most TN_SPANS_STORED spans is stored in the cache, with its notices. If you ask the same question
 * about the same traces again, the stored result is the answer, and progress is not called.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_sorted(const struct tn_spans *spans, const struct tn_scan_options *options, const struct tn_span_sort *by,
		size_t most, int (*span)(void *user, const struct tn_span *span), void *user,
		struct tn_span_counts *counts, struct tn_error *err);

/*
 * Find the other event of a span: the end event if the begin event is at @at, or the begin event. Definitions whose
 * events the traces do not have are ignored. *which (may be NULL) is the first definition in which the event is a
 * begin event, or if there is none, an end event. TN_END: the span does not have the other event; or no definition
 * has the event at @at, and *which is SIZE_MAX.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_span_other_end(struct tn_set *set, const char *const *definition, size_t n, const struct tn_scan_options *options,
		  const struct tn_location *at, struct tn_location *out, size_t *which, struct tn_error *err);

/* ---- lanes ---- */

/*
 * States over time. There is one lane for each value of LANE, a field or an attribute of the event (of a span: of its
 * begin event). The definition is one of:
 *
 * "EVENT.FIELD by LANE": the state is the value of the field, up to the next such event of the same lane.
 * "FIELD by LANE": the same for all events that have the field. "(BEGIN END by KEY) by LANE": the state is the
 * name of the open span; if several spans are open, of the span that began last.
 *
 * Time is divided into columns of equal width, rounded to nanoseconds. A cell shows the state that lasted longest
 * in it; of states with equal times, the first by name.
 */
struct tn_lanes;
/* Make lanes from a definition; @set must outlive them. TN_ERR_ARGUMENT: the definition is wrong. */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_new(struct tn_lanes **out, struct tn_set *set, const char *definition, struct tn_error *err);
TN_API void tn_lanes_free(struct tn_lanes *lanes);	/* NULL is allowed */
/*
 * Draw [begin_ns, end_ns) in @columns; a second call replaces the first picture. Reads events before the window, to
 * find the states at its start; begin_ns of @options does not limit this.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_run(struct tn_lanes *lanes, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns,
	     size_t columns, struct tn_error *err);
/*
 * Mark the cells with events that pass the filter of @options, usually another filter than that of the picture. An
 * event belongs to the lane of its value.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_search(struct tn_lanes *lanes, const struct tn_scan_options *options, struct tn_error *err);
/*
 * Draw columns [column, column + n) of a preview of the window [begin_ns, end_ns): read only the first @look_ns of the
 * column @column; the state that lasted longest there fills all these cells. Another window starts a new preview.
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
	const uint32_t *cell;		/* a cell for each column */
};

struct tn_lane_state {
	const char *name;
	uint64_t ns;			/* total time of the state in all lanes */
	char letter;			/* unique letter or digit, from the name if possible; '*': none is left */
};

/* A picture. Its arrays are borrowed from the lanes (or from the preview) until the next call with them. */
struct tn_lanes_picture {
	size_t lanes, states, columns;	/* 0 columns: nothing was drawn yet */
	size_t known;			/* columns, from the first, that are final */
	const struct tn_lane *lane;	/* sorted by value */
	const struct tn_lane_state *state;	/* states + 1; [0] has no name */
	const uint32_t *longest;	/* the states, the longest first */
	const uint32_t *mark;		/* for each column TN_LANE_LOST (any notice), TN_LANE_HIT (a hit in no lane) */
	const int64_t *time_ns;		/* start of each column, and the end of the last one */
	uint64_t left_out;		/* begin events in lanes above the limit of 4096 lanes */
	struct tn_lanes_memory *memory;	/* the stored times of the run; NULL: none */
};

/*
 * Get the picture; within a callback of tn_lanes_run(), the unfinished picture. Unfinished columns come from
 * @preview, which has the same set, definition and window, or is NULL. Lanes and states of the preview stay.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_picture(struct tn_lanes_picture *out, struct tn_lanes *lanes, struct tn_lanes *preview, struct tn_error *err);
#define TN_LANE_SHARES	8
/*
 * Keep the times of the TN_LANE_SHARES longest states in each cell of the next picture, for the first @n lanes
 * to arrive.
 */
TN_API void tn_lanes_keep_shares(struct tn_lanes *lanes, size_t n);
/*
 * Find the state whose time in a cell has rank @i (0: the longest time). Returns the state's number, and sets *ns to its
 * time, unless @ns is NULL. 0: no such state, or its time was not kept. A picture of one column keeps all times.
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
 * The memory of a run. A run over all or nearly all of the time keeps its states in fine cells, if possible. Pictures of
 * other windows with the same filter are then made from these cells, and read few events; none if the columns begin and
 * end with fine cells. The memory is also stored in a file next to the index. Lanes of the same set and definition may
 * share a memory, in any thread. The owner of a reference frees it.
 */
struct tn_lanes_memory;
TN_API struct tn_lanes_memory *tn_lanes_memory_get(struct tn_lanes_memory *memory);	/* one more reference */
TN_API void tn_lanes_memory_free(struct tn_lanes_memory *memory);	/* NULL is allowed */
/*
 * Use a memory, with a reference of its own, or with NULL the stored one. True: a picture with these options is
 * made from memory.
 */
TN_API bool
tn_lanes_remember(struct tn_lanes *lanes, struct tn_lanes_memory *memory, const struct tn_scan_options *options);

/* ---- the ladder ---- */

/*
 * Single events (rungs) in lanes. An event is in the lane of its value, and its arrow comes from the lane of
 * the latest earlier event that has a value. One run can follow several fields; each has its own lanes. Equal values
 * on different hosts, and equal streams of different traces, are different values.
 */
struct tn_ladder;
#define TN_LADDER_NONE SIZE_MAX

struct tn_rung {
	const char *name;	/* name of the event, any bytes; borrowed from the ladder */
	struct tn_location at;
	bool has_time;
	int64_t time_ns;
	/* TN_LADDER_NONE: the event does not have a value, or its lane did not fit in 4 MiB */
	size_t lane;
	size_t from;		/* lane of the latest earlier event that is in a lane; TN_LADDER_NONE: no such event */
};

/* Make a ladder of @n fields or attributes, such as stream and tid. TN_ERR_ARGUMENT: a name in @by is unknown. */
TN_API TN_MUST_CHECK enum tn_code
tn_ladder_new(struct tn_ladder **out, struct tn_set *set, const char *const *by, size_t n, struct tn_error *err);
TN_API void tn_ladder_free(struct tn_ladder *ladder);	/* NULL is allowed */
/*
 * Read the first @most events that pass; a second call starts over. After a stop or a failure the ladder
 * has the events that were read until then.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_ladder_run(struct tn_ladder *ladder, const struct tn_scan_options *options, size_t most, struct tn_error *err);
TN_API size_t tn_ladder_count(const struct tn_ladder *ladder);	/* number of rungs */
TN_API bool tn_ladder_has_more(const struct tn_ladder *ladder);	/* whether more than @most events pass */
/*
 * Number of lanes of field number @by. Lanes are in the order of their first events. *events: number of events
 * in lanes.
 */
TN_API size_t tn_ladder_lanes(const struct tn_ladder *ladder, size_t by, size_t *events);
/* Value of the lane, any bytes. */
TN_API const char *tn_ladder_lane(const struct tn_ladder *ladder, size_t by, size_t lane);
/* Of the fields that make 2 to @most lanes, the number of the field that most events have; 0: no such field. */
TN_API size_t tn_ladder_best(const struct tn_ladder *ladder, size_t most);
/* Get rung @i for field number @by. False: no such rung. */
TN_API bool tn_ladder_rung(const struct tn_ladder *ladder, size_t by, size_t i, struct tn_rung *out);

/* ---- proposed pairs ---- */

/*
 * Proposed definitions of spans for the event classes of the set: pairs of well-known tracers, and pairs of similar
 * names (x_begin and x_end, entry and exit, start and stop, ...). The key is the first that exists of: a field of both
 * events that identifies the operation, the thread, the processor, the stream.
 */
struct tn_pairs;
/* Propose pairs from the event classes; reads no events. TN_ERR_MEMORY: memory is out. */
TN_API TN_MUST_CHECK enum tn_code tn_pairs_new(struct tn_pairs **out, struct tn_set *set, struct tn_error *err);
TN_API void tn_pairs_free(struct tn_pairs *pairs);	/* NULL is allowed */
/*
 * Search for events of the pairs until each pair has some. Move pairs with both begin and end events to the front.
 * If a callback stops the search (TN_ERR_CANCELLED), the order is that of the part that was read. Ignores filters.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_pairs_look(struct tn_pairs *pairs, const struct tn_scan_options *options, struct tn_error *err);
/* Number of pairs that have events; before tn_pairs_look(), the number of all pairs. */
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
 * The keys of a question for these traces, with the names of their fields: next_tid (LTTng), next_pid (ftrace,
 * perf), or next_tid|next_pid. If the traces come from several hosts, "host" is the first key, because threads
 * and processors of two hosts can have equal numbers. The caller frees the result; NULL: memory is out.
 */
TN_API char *tn_ready_question_keys(const struct tn_ready_question *question, const struct tn_set *set);
/*
 * Check that the traces describe events of the question: begins and ends of its spans, or a class with its fields that
 * its condition can select. TN_ERR_ARGUMENT: they do not.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_ready_question_check(const struct tn_ready_question *question, struct tn_set *set, struct tn_error *err);

/* ---- chains of waits ---- */

enum tn_chain_kind { TN_CHAIN_ASLEEP, TN_CHAIN_READY, TN_CHAIN_PREEMPTED, TN_CHAIN_RAN, TN_CHAIN_UNKNOWN };
TN_API const char *tn_chain_kind_name(enum tn_chain_kind kind);	/* "asleep", ... */

struct tn_chain_link {
	size_t depth;		/* 0: the requested thread; n + 1: a thread that woke a thread of depth n */
	enum tn_chain_kind kind;
	/*
	 * The thread, and the thread for which it waited: its waker, or the thread on its processor; -1:
	 * unknown or none.
	 */
	int64_t tid, whom;
	int64_t begin_ns, end_ns;
	bool doubtful;		/* events were lost in this time */
};

/*
 * Explain the time of a thread in [begin_ns, end_ns), from sched_switch and sched_waking (or sched_wakeup) of
 * kernel traces. The thread ran; slept until another thread woke it (for no time if that happened before it left
 * its processor); was ready until another thread left the processor; or was preempted. After each sleep come the
 * links of the waking thread in this time, one depth deeper. The largest depth is 12.
 *
 * A non-zero result of @link stops. The function does not find waits that began before begin_ns by more than the
 * window's length plus 100 ms; times without an event are unknown. *cut (may be NULL) is true if a limit was reached:
 * 20000 links, 800000 times of all threads, or the depth.
 *
 * @host: host name of the thread. NULL: the only host; TN_ERR_ARGUMENT if several hosts have a thread @tid. The
 * function ignores filter and range of @options.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_chain_run(struct tn_set *set, const struct tn_scan_options *options, const char *host, int64_t tid, int64_t begin_ns,
	     int64_t end_ns, int (*link)(void *user, const struct tn_chain_link *link), void *user, bool *cut,
	     struct tn_error *err);

/* Whether a key of a span is a thread: tid, vtid, event.fields.next_tid. Such spans belong to this thread. */
TN_API bool tn_chain_is_thread(const char *key);

/*
 * Get the thread of an event: its attribute tid, which can be that of the last sched_switch on its processor.
 * TN_END: unknown. *host is its host name, borrowed from the trace, if the traces come from several hosts, and NULL
 * otherwise. Options as for tn_chain_run().
 */
TN_API TN_MUST_CHECK enum tn_code
tn_chain_thread(struct tn_set *set, const struct tn_scan_options *options, const struct tn_location *at, const char **host,
		int64_t *tid, struct tn_error *err);

/* ---- groups ---- */

/*
 * Groups of events with equal keys, and aggregates of each group. Sums of whole numbers are exact; a sum that does not
 * fit in 64 bits is the nearest double. The p-th percentile is the smallest value that p % of the
 * values do not exceed. It is exact for up to 256 values and for whole numbers up to 256; otherwise its error is at
 * most 0.4 %.
 *
 * Memory is bounded: groups use at most 42 MiB, enough for 1,100,000 numbers with a count. Groups that do not fit are
 * merged into the last row, the rest. Percentiles, distinct counts and texts that do not fit become NONE.
 */
struct tn_groups;

/*
 * Define groups of events. @by has the keys: names of fields or attributes, "time/10ms" (the start of the
 * step), bins of numbers (see tn_groups_step()); "" makes one group of all events. @show has the aggregates:
 * "count, count(x), missing(x), sum(x), min(x), max(x), mean(x), stddev(x), distinct(x), median(x), p99(x),
 * first(x), last(x), rate". missing counts events without x; stddev is that of a sample; rate is the number of
 * events a second in the step, or between the first and the last event. "sum(x) as y" names the column y. For
 * spans "sum(x where CONDITION)" takes x only from spans that meet the condition (tn_spans_where()).
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_new(struct tn_groups **out, struct tn_set *set, const char *by, const char *show, struct tn_error *err);
/*
 * Define groups of spans; free the groups before @spans. Keys and arguments are name, duration or dur (closed spans
 * only), any_duration (also doubtful spans), begin, end, state, time, the keys (K or key.K) and the fields to show
 * of the definitions. "A|B" is A, or B if a span does not have A.
 *
 * "inside" is the part of a span within the range of the options. An open span counts up to the end of the range or of
 * the traces, unless its end event may have been lost. For "inside", the function also reads events before the
 * range, so that the groups have all spans that overlap the range.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_of_spans(struct tn_groups **out, const struct tn_spans *spans, const char *by, const char *show,
		   struct tn_error *err);
TN_API void tn_groups_free(struct tn_groups *groups);	/* NULL is allowed */
TN_API size_t tn_groups_key_count(const struct tn_groups *groups);	/* number of keys; 0 for NULL */
/* Name of a column (keys, then aggregates): that after `as`, or the text as given; NULL after the last one. */
TN_API const char *tn_groups_column(const struct tn_groups *groups, size_t column);
/* The key as given, without `as NAME`, for use in a condition. NULL: the groups have fewer keys, or @groups is NULL. */
TN_API const char *tn_groups_key(const struct tn_groups *groups, size_t key);

/* Whether a key has steps: "time/10ms", "ret/100", "delta/10us", "log2(ret)". */
TN_API bool tn_groups_has_steps(const struct tn_groups *groups, size_t key);
/*
 * Get the limits of the step with the value @value. The value of a step of "ret/100" is its least number: [*from, *to).
 * The value of a step of log2 is the limit that is nearer to 0: 0 alone, [*from, *to) above 0, (*from, *to] below.
 * False: the key does not have steps, or @value is not a number.
 */
TN_API bool tn_groups_step(const struct tn_groups *groups, size_t key, const struct tn_answer_value *value,
			   struct tn_answer_value *from, struct tn_answer_value *to);

/*
 * A hint about a key that is probably a mistake: events do not have the attribute "tid", but have a field with this
 * name; or the step is so large that all values are in one bin. Valid as long as the groups; NULL: no hint, or
 * @groups is NULL.
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
 * Compute the groups; a second call starts over. The order of rows depends only on the trace. Groups of spans
 * are stored in the cache, as in tn_spans_sorted().
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_run(struct tn_groups *groups, const struct tn_scan_options *options, struct tn_error *err);
TN_API size_t tn_groups_count(const struct tn_groups *groups);	/* number of rows; 0 before tn_groups_run() */
/* Number of events that were omitted because they do not have any of the keys. */
TN_API uint64_t tn_groups_without(const struct tn_groups *groups);
/* For groups of spans: the number of spans, and of spans that did not fit in memory. */
TN_API struct tn_span_counts tn_groups_span_counts(const struct tn_groups *groups);
/* Whether some groups did not fit in memory: the last row is then the rest, with *events events. */
TN_API bool tn_groups_merged(const struct tn_groups *groups, uint64_t *events);
/* Number of percentiles, distinct counts, first and last texts that did not fit in memory. */
TN_API uint64_t tn_groups_dropped(const struct tn_groups *groups);
/*
 * The values of a row by column, borrowed until the next call; NULL after the last row. @is_rest may be NULL.
 */
TN_API const struct tn_answer_value *tn_groups_row(struct tn_groups *groups, size_t row, bool *is_rest);
/*
 * Get the distribution of a percentile column: the number of values in each of @n parts, of equal width on a
 * logarithmic scale, from the least value to the largest. False: not a percentile, or @n is 0.
 */
TN_API bool tn_groups_spread(struct tn_groups *groups, size_t row, size_t column, uint64_t *part, size_t n);
/* Sort the rows. Equal rows keep their order; the rest stays last. */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_sort(struct tn_groups *groups, size_t column, bool down, struct tn_error *err);
/*
 * Sort the rows (equal rows by ascending keys), and keep only the first @n, without the rest, until the next
 * tn_groups_run(). 0: keep all rows. Faster than tn_groups_sort() if @n is small.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_top(struct tn_groups *groups, size_t column, bool down, size_t n, struct tn_error *err);

/* ---- names of numbers ---- */

/*
 * Names of numbers: threads and processes (sched_switch, the state dump of LTTng, contexts with procname),
 * callbacks and handles (ROS 2), soft interrupts (Linux), and descriptions of event names (ovni).
 *
 * If a thread changes its name, the last name counts. Names use at most 16 MiB; numbers that do not fit have no name.
 */
struct tn_nicknames;
/*
 * Read the names of the whole set, and store them in the cache; ignores filter and range of @options. The names are
 * read-only, and valid as long as the set.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_nicknames_new(struct tn_nicknames **out, struct tn_set *set, const struct tn_scan_options *options, struct tn_error *err);
TN_API void tn_nicknames_free(struct tn_nicknames *nicknames);	/* NULL is allowed */
/*
 * Whether values of this key, field or attribute ("tid", "begin.event.fields.tid", "callback", "name") can have
 * names in these traces. Reads no events.
 */
TN_API bool tn_nicknames_of(const struct tn_set *set, const char *key);
/*
 * Whether the lines of events show the names of @key. (Not those of threads: most events have them in another
 * field.)
 */
TN_API bool tn_nicknames_in_rows(const char *key);
/*
 * The name of a value of @key, any bytes, borrowed; NULL: no name. A text with a number counts as a number.
 * @host NULL: any host; if several hosts (or, for addresses, processes) give the number different names, there
 * is no name. @nicknames NULL: finds only names that are not in events, those of soft interrupts. Call it only
 * if tn_nicknames_of() is true.
 */
TN_API const char *tn_nicknames_find(const struct tn_nicknames *nicknames, const char *key, const char *host,
				     const struct tn_answer_value *value);

#ifdef __cplusplus
}
#endif
#endif
