/*
 * tnav/answer.h - what is computed from events: spans, groups, lanes, ladders
 *
 * A span is a begin event and its end with the same key. A group is what events, or spans, with the same
 * keys have in common. All of them take a struct tn_scan_options (query.h) for what is looked at: filter
 * and text, begin and end, threads, progress and notice; its other members are not looked at. What a
 * filter or a range leaves out is not there: a span whose begin is outside is an end without begin.
 *
 * Units      Times and durations are nanoseconds.
 * Ownership  What a callback gets is borrowed for the call. Definitions borrow their set.
 * Threads    Definitions are read-only once made. Callbacks come one at a time, in the thread that called.
 * Errors     TN_ERR_ARGUMENT for a wrong definition: the text says what, at which column, and the nearest name.
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

/* A value that was taken out of an event. */
struct tn_answer_value {
	enum tn_answer_kind kind;	/* NONE: the event has no such value */
	union {
		uint64_t u;
		int64_t i;	/* SINT: negative ones only */
		double f;
	} is;
	const char *text;	/* TEXT: @n bytes, any */
	size_t n;
	const struct tn_type *type;	/* a number whose type has labels or is shown in another base than 10; else NULL */
};

/* As people want it: a label where there is one, else a number in the base of its type. */
TN_API void tn_answer_value_text(const struct tn_answer_value *value, struct tn_str *out);
/* As lines of JSON show the same value of an event; null for NONE. */
TN_API void tn_answer_value_json(const struct tn_answer_value *value, struct tn_str *out);
/* Append any bytes as a string of JSON, with its quotes. */
TN_API void tn_answer_json_string(const char *bytes, size_t n, struct tn_str *out);
/* NONE first, numbers by value, then texts by bytes: <0, 0, >0. */
TN_API int tn_answer_value_compare(const struct tn_answer_value *a, const struct tn_answer_value *b);

/* ---- spans ---- */

enum tn_span_state {
	TN_SPAN_CLOSED,
	TN_SPAN_OPEN,		/* a begin without end */
	TN_SPAN_ORPHAN,		/* an end without begin */
	/* Closed, but a stream that matters lost events at a time between the two, or may have. */
	TN_SPAN_DOUBTFUL
};

TN_API const char *tn_span_state_name(enum tn_span_state state);	/* "closed", ... */

struct tn_span {
	size_t definition;
	const char *name;	/* as the definition says; else that of its begin event, an orphan's: of its end */
	enum tn_span_state state;
	bool has_begin, has_end;	/* with a time */
	int64_t begin_ns, end_ns;
	bool has_duration;
	int64_t duration_ns;
	bool is_at_begin, is_at_end;	/* there is such an event */
	struct tn_location begin, end;	/* of the events */
	size_t n_keys, n_captured;
	const struct tn_answer_value *key, *captured;
	bool is_unsure;		/* OPEN: its end may have been lost since, or it is still to come */
	/* OPEN: another begin of its key took its place (`latest`): end and end_ns are of that one; without a time: begin_ns. */
	bool is_replaced;
};

struct tn_spans;	/* some definitions */

/* No definition yet. */
TN_API TN_MUST_CHECK enum tn_code tn_spans_new(struct tn_spans **out, struct tn_set *set, struct tn_error *err);
TN_API void tn_spans_free(struct tn_spans *spans);	/* NULL is allowed */
/*
 * Add a definition: "BEGIN END [by KEY, ...] [show FIELD, ...] [RULE] [as NAME] [where CONDITION]". BEGIN and
 * END are names of events, with `*` for any characters, or expressions, in parentheses when they have blanks.
 * A KEY is a field or an attribute of events, or two of them, "vtid = tid", the second of the end; tid of events that
 * do not have it is the thread that runs on their processor, as the last sched_switch there said. If BEGIN and END both
 * have `*`, it stands for the same text in both: another end is an orphan. For each trace and key there is a stack. RULE
 * is what a second begin does: `nested` (the default): an end closes the last begin that is open; `latest`: it takes the
 * place of the first one, which is open then and told at once; `fifo`: an end closes the first begin. Fields to show are
 * taken from the end event if it has them, else from the begin; "begin.F" and "end.F" say which. "current" is the thread
 * that runs where the event is.
 * A `*` in NAME stands for what the first `*` of the event's pattern stood for. Spans that do not meet the CONDITION
 * are left out when they are known: it is one of the language's (query.h) over dur (or duration), name, state, begin,
 * end, time (of the begin, else the end), key.K or K for a key, the fields that are shown, and closed, open, orphan,
 * doubtful, which are 1 or 0.
 */
TN_API TN_MUST_CHECK enum tn_code tn_spans_add(struct tn_spans *spans, const char *definition, struct tn_error *err);
/* The same condition for all definitions that are there now, besides their own; another one takes its place. */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_where(struct tn_spans *spans, const char *condition, struct tn_error *err);
/*
 * Definitions of a ready question, a line each: those whose events are there; "else " before one: only where the one before
 * it has none. TN_ERR_ARGUMENT: none of them is there; what is wrong with the last one is told.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_add_question(struct tn_spans *spans, const char *definitions, struct tn_error *err);
TN_API size_t tn_spans_count(const struct tn_spans *spans);	/* definitions */
/* Names as they were written, NULL behind the last: keys ("vtid" of "vtid = tid"), fields to show. */
TN_API const char *tn_spans_key(const struct tn_spans *spans, size_t definition, size_t i);
TN_API const char *tn_spans_captured(const struct tn_spans *spans, size_t definition, size_t i);	/* fields to show */

enum tn_span_order { TN_SPANS_BY_BEGIN, TN_SPANS_BY_END };

struct tn_span_counts {
	uint64_t of_state[4];
	uint64_t without_key;	/* begins and ends that do not have a key: left out */
	/* Memory is bounded: 40 MiB of what is open, or waits for spans that began before. */
	uint64_t out_of_order;	/* told before spans that began earlier and were still open */
	uint64_t dropped;	/* told as open, though an end may have followed; that is an orphan then */
	uint64_t left_out;	/* of the sorted ones that were asked for: 48 MiB of them are kept */
};

/*
 * Each span, in the order of the begins (an orphan where its end is), or as they end: then the open ones come
 * last. A non-zero result stops: TN_ERR_CANCELLED. @counts may be NULL.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_run(const struct tn_spans *spans, const struct tn_scan_options *options, enum tn_span_order order,
	     int (*span)(void *user, const struct tn_span *span), void *user, struct tn_span_counts *counts,
	     struct tn_error *err);

#define TN_SPANS_STORED 10000
#define TN_SPANS_SORTED_MIB 48	/* memory for spans that are sorted */

enum tn_span_column {
	TN_SPAN_BY_DURATION,	/* the longest first; spans without a duration come last */
	TN_SPAN_BY_BEGIN,	/* for this and all others: the least first, spans without the value before all */
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
 * The first @most spans (0: all) in the order @by (NULL: by duration). Equal spans come in the order of their begins, an
 * orphan where its end is. 48 MiB of spans are kept; @counts (may be NULL) says how many of those asked for are left
 * out, and counts all spans. Up to TN_SPANS_STORED spans are stored beside the index (trace.h), where that is: the
 * same question about the same traces is then answered from there, with the notices that were told, without progress.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_spans_sorted(const struct tn_spans *spans, const struct tn_scan_options *options, const struct tn_span_sort *by,
		size_t most, int (*span)(void *user, const struct tn_span *span), void *user,
		struct tn_span_counts *counts, struct tn_error *err);

/*
 * From an event that begins a span to its end, and back: the place of the other one's event. Of the definitions those
 * whose events are there; of several the first that the event begins, else the first that it ends, is in *which (may
 * be NULL). TN_END: there is no other end, or the event begins and ends nothing: *which is SIZE_MAX then. What the
 * options' filter or range leaves out is not there.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_span_other_end(struct tn_set *set, const char *const *definition, size_t n, const struct tn_scan_options *options,
		  const struct tn_location *at, struct tn_location *out, size_t *which, struct tn_error *err);

/* ---- lanes ---- */

/*
 * States over time, a lane for each value of something: "EVENT.FIELD by LANE" (from one such event to the next of the
 * same LANE the state is the field's value), "FIELD by LANE" (of all events that have it), or "(BEGIN END by KEY) by
 * LANE" (the state is the span's name; of several that are open the one that began last counts). LANE is a field or an
 * attribute of the event, of the begin. Time is cut into columns of equal width, rounded to nanoseconds; a cell has
 * the state that was there longest, if there was any, and of equal ones the one whose name comes first.
 */
struct tn_lanes;
/* Lanes by that definition; @set must outlive them. TN_ERR_ARGUMENT: what is wrong with it; TN_ERR_MEMORY. */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_new(struct tn_lanes **out, struct tn_set *set, const char *definition, struct tn_error *err);
TN_API void tn_lanes_free(struct tn_lanes *lanes);	/* NULL is allowed */
/*
 * Make the picture of [begin_ns, end_ns); again: anew. What was the state when the window begins is known: events before
 * it are looked at, whatever begin @options has.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_run(struct tn_lanes *lanes, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns,
	     size_t columns, struct tn_error *err);
/*
 * A run over all of the time (or nearly so) remembers it in fine cells, where it can: pictures of other windows, by the same
 * filter, are made out of these then and read few events. They are kept beside the index, too. What is remembered can be
 * given to others of the same set and definition, in any thread; who has a reference frees it.
 */
struct tn_lanes_memory;
TN_API struct tn_lanes_memory *tn_lanes_memory(const struct tn_lanes *lanes);	/* a reference; NULL: nothing is */
TN_API struct tn_lanes_memory *tn_lanes_memory_get(struct tn_lanes_memory *memory);	/* another one */
TN_API void tn_lanes_memory_free(struct tn_lanes_memory *memory);	/* NULL is allowed */
TN_API void tn_lanes_remember(struct tn_lanes *lanes, struct tn_lanes_memory *memory);	/* takes a reference of its own */
/* Whether a picture of these options would be made out of what is remembered or kept. */
TN_API bool tn_lanes_remembers(struct tn_lanes *lanes, const struct tn_scan_options *options);
TN_API size_t tn_lanes_count(const struct tn_lanes *lanes);	/* sorted by value */
TN_API uint64_t tn_lanes_left_out(const struct tn_lanes *lanes);	/* begins of lanes that are one too many (4096) */
/* Borrowed until the next run; false: there is no such lane. */
TN_API bool tn_lanes_value(const struct tn_lanes *lanes, size_t lane, struct tn_answer_value *out);
/* The number of the state in a cell, from 1 on; 0: there was none. */
TN_API size_t tn_lanes_cell(const struct tn_lanes *lanes, size_t lane, size_t column);
/* The name of a state, and how long it was in all lanes together; NULL behind the last. @ns may be NULL. */
TN_API const char *tn_lanes_state(const struct tn_lanes *lanes, size_t state, uint64_t *ns);
TN_API uint64_t tn_lanes_lost(const struct tn_lanes *lanes, size_t column);	/* notices of losses and damage there */
/* Whether one of them is of a stream that has begins of the lane. */
TN_API bool tn_lanes_lost_in(const struct tn_lanes *lanes, size_t lane, size_t column);
/* The states by how long they were in all lanes together, the longest is 0; 0 behind the last. */
TN_API size_t tn_lanes_longest(struct tn_lanes *lanes, size_t i);
/* A letter or a digit for a state, another one for each: of its name where one is free; '*' when all are taken. */
TN_API char tn_lanes_letter(struct tn_lanes *lanes, size_t state);
/*
 * Find where the window has events that pass the options' filter, another one than the picture's mostly: each is in the
 * lane whose value it has. Whether a cell has such an event is told then.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_search(struct tn_lanes *lanes, const struct tn_scan_options *options, struct tn_error *err);
/* @lane tn_lanes_count(): whether there is such an event that is in none of the lanes. */
TN_API bool tn_lanes_hit(const struct tn_lanes *lanes, size_t lane, size_t column);
/*
 * A picture before it is known: of the window [begin_ns, end_ns) in @columns only @look_ns from the begin of @column on
 * are looked at; the state that was longest there goes to cells [column, column + n). Another window is begun anew.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_guess(struct tn_lanes *lanes, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns,
	       size_t columns, size_t column, size_t n, int64_t look_ns, struct tn_error *err);
/*
 * What is found takes the place of what was guessed: the first @known columns of @exact, of the same set, definition and
 * window. In a callback of the run of @exact these are tn_lanes_so_far(). Lanes and states that were guessed stay.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_settle(struct tn_lanes *guess, const struct tn_lanes *exact, size_t known, struct tn_error *err);
/*
 * The event with which that state began that is there in [begin_ns, end_ns), a cell, in the lane of that value; if it is
 * there several times, the first one. TN_END: it is not. Does not change the picture.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_lanes_event(const struct tn_lanes *lanes, const struct tn_scan_options *options, const struct tn_answer_value *lane,
	       int64_t begin_ns, int64_t end_ns, const char *state, struct tn_location *out, struct tn_error *err);
/* In a callback of tn_lanes_run(), its progress: so many columns from the first on are as they will be. */
TN_API size_t tn_lanes_so_far(struct tn_lanes *lanes);
TN_API int64_t tn_lanes_time(const struct tn_lanes *lanes, size_t column);	/* where it begins */

/* ---- the ladder ---- */

/*
 * Single events as rungs between lanes: an event is in the lane of the value that it has, and came from the lane of the
 * event before that has one. Several values can be looked at in one run, each makes lanes of its own. As in lanes a value
 * of another host is another one where traces are of several, and so is a stream of another trace.
 */
struct tn_ladder;
#define TN_LADDER_NONE SIZE_MAX

struct tn_rung {
	const char *name;	/* of the event, any bytes; borrowed from the ladder */
	struct tn_location at;
	bool has_time;
	int64_t time_ns;
	size_t lane;		/* TN_LADDER_NONE: the event has no such value, or its lane found no room (4 MiB) */
	size_t from;		/* the lane that the last event before was in that is in one; TN_LADDER_NONE: none was */
};

/* @by: names of fields or attributes, @n of them: stream, tid. TN_ERR_ARGUMENT: there is no such. */
TN_API TN_MUST_CHECK enum tn_code
tn_ladder_new(struct tn_ladder **out, struct tn_set *set, const char *const *by, size_t n, struct tn_error *err);
TN_API void tn_ladder_free(struct tn_ladder *ladder);	/* NULL is allowed */
/* The first @most events that pass; again: anew. What was read before it was stopped or failed is there. */
TN_API TN_MUST_CHECK enum tn_code
tn_ladder_run(struct tn_ladder *ladder, const struct tn_scan_options *options, size_t most, struct tn_error *err);
TN_API size_t tn_ladder_count(const struct tn_ladder *ladder);	/* rungs */
TN_API bool tn_ladder_has_more(const struct tn_ladder *ladder);	/* events that pass, than @most */
/* By value @by: lanes in the order in which they came; how many of the events are in one. */
TN_API size_t tn_ladder_lanes(const struct tn_ladder *ladder, size_t by, size_t *events);
TN_API const char *tn_ladder_lane(const struct tn_ladder *ladder, size_t by, size_t lane);	/* its value; any bytes */
/* The value that most events have of those that make 2 to @most lanes; 0 when none does. */
TN_API size_t tn_ladder_best(const struct tn_ladder *ladder, size_t most);
TN_API bool tn_ladder_rung(const struct tn_ladder *ladder, size_t by, size_t i, struct tn_rung *out);	/* false: no such */

/* ---- pairs that are proposed ---- */

/*
 * Definitions of spans for begins and ends that the set's event classes have: those of well-known tracers, and by
 * names (x_begin and x_end, entry and exit, start and stop, ...) with the key that fits: a field of both that tells
 * which one it is, else the thread, else the processor, else the stream.
 */
struct tn_pairs;
/* Looks at the event classes, not at events. TN_ERR_MEMORY. */
TN_API TN_MUST_CHECK enum tn_code tn_pairs_new(struct tn_pairs **out, struct tn_set *set, struct tn_error *err);
TN_API void tn_pairs_free(struct tn_pairs *pairs);	/* NULL is allowed */
/*
 * Look for events of theirs, until some of all were met: pairs whose begins and ends both were go first. When it is
 * stopped (TN_ERR_CANCELLED) that is so of what was looked at. Filters do not matter.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_pairs_look(struct tn_pairs *pairs, const struct tn_scan_options *options, struct tn_error *err);
TN_API size_t tn_pairs_met(const struct tn_pairs *pairs);	/* so many have events; all, before it was looked */
TN_API size_t tn_pairs_count(const struct tn_pairs *pairs);	/* 0 for NULL */
/* For tn_spans_add(); NULL behind the last. */
TN_API const char *tn_pairs_definition(const struct tn_pairs *pairs, size_t i);

/* ---- ready questions ---- */

struct tn_ready_question {
	const char *name, *title;
	const char *spans;	/* definitions, for tn_spans_add_question(); "": of events */
	const char *by, *show;	/* for groups */
	const char *sort;	/* a column, "": the usual */
	const char *where;	/* an expression that the events pass, "": all */
};

TN_API const struct tn_ready_question *tn_ready_question_at(size_t i);	/* NULL behind the last */
/*
 * What the question's groups have as keys in these traces: of several hosts, whose threads and processors have the same
 * numbers, "host" before question->by. Free it; NULL: memory is out.
 */
TN_API char *tn_ready_question_keys(const struct tn_ready_question *question, const struct tn_set *set);

/* ---- chains of waits ---- */

enum tn_chain_kind { TN_CHAIN_ASLEEP, TN_CHAIN_READY, TN_CHAIN_PREEMPTED, TN_CHAIN_RAN, TN_CHAIN_UNKNOWN };
TN_API const char *tn_chain_kind_name(enum tn_chain_kind kind);	/* "asleep", ... */

struct tn_chain_link {
	size_t depth;		/* 0: the thread that was asked for; else one that woke the thread of the depth above */
	enum tn_chain_kind kind;
	int64_t tid, whom;	/* whom it waited for: who woke it, or ran in its place; -1: not known, or it ran */
	int64_t begin_ns, end_ns;
	bool doubtful;		/* events were lost meanwhile */
};

/*
 * What the thread did in [begin_ns, end_ns), by sched_switch and sched_waking (or sched_wakeup) of kernel traces: it ran,
 * was asleep until a thread woke it (for no time, if that was before it left its processor), ready until the thread on its
 * processor left that, or preempted. Behind each time that it was asleep comes what the thread that woke it did meanwhile,
 * one depth deeper, at most 12. A non-zero result of @link stops. Waits that began longer before begin_ns than the window
 * is, and 100 ms, are not known, and what no event tells of is unknown. *cut (may be NULL): there were more than 20000
 * links, more than 800000 times of all threads, or more depth.
 * @host: hostname of the thread's; NULL: where it is, an error when threads of several hosts have that number. Options: as
 * above, their filter and range do not matter.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_chain_run(struct tn_set *set, const struct tn_scan_options *options, const char *host, int64_t tid, int64_t begin_ns,
	     int64_t end_ns, int (*link)(void *user, const struct tn_chain_link *link), void *user, bool *cut,
	     struct tn_error *err);

/* Whether a key of spans is a thread by its name: tid, vtid, event.fields.next_tid. Such spans are of that thread. */
TN_API bool tn_chain_is_thread(const char *key);

/*
 * The thread of an event: its attribute tid, else the one that the last sched_switch on its processor told, at most eight
 * seconds before. TN_END: neither is known. *host: its hostname, borrowed from the trace, where traces are of several, else
 * NULL. Options as for tn_chain_run().
 */
TN_API TN_MUST_CHECK enum tn_code
tn_chain_thread(struct tn_set *set, const struct tn_scan_options *options, const struct tn_location *at, const char **host,
		int64_t *tid, struct tn_error *err);

/* ---- groups ---- */

/*
 * Groups of events with equal keys, and aggregates of each. Sums of whole numbers are exact; beyond 64 bits they are the
 * double next to the exact sum. Quantiles are the
 * smallest value that at least so many are not above: exact up to 256 values and for whole numbers up to 256, else
 * at most 0.4 % off. Memory is bounded (42 MiB of groups: 1,100,000 numbers with a count): what finds no room is in one
 * last row, the rest. Quantiles, distinct values and texts of a group that find none are given up: NONE.
 */
struct tn_groups;

/*
 * @by: names of fields or attributes, "time/10ms" (the start of the step), "" for one group of all. @show:
 * aggregates, "count, count(x), missing(x), sum(x), min(x), max(x), mean(x), stddev(x), distinct(x), median(x), p99(x),
 * first(x), last(x), rate"; missing is how many do not have x; stddev is of a sample; rate is events a second, of the step or
 * from the first event to the last. "sum(x) as y" is called y. Of spans "sum(x where CONDITION)" takes x from those that meet
 * the condition (tn_spans_where()).
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_new(struct tn_groups **out, struct tn_set *set, const char *by, const char *show, struct tn_error *err);
/*
 * The same of spans: names are name, duration or dur (of closed spans), any_duration (of doubtful ones, too), begin,
 * end, state, time, and the keys (K or key.K) and fields that the definitions show; "A|B" is the first that a span
 * has. inside is the time of a span that lies in the range of the options: of a closed one, and of one that is open up to
 * the end of the range or of the traces, unless its end may have been lost. With it what began before the range is looked at,
 * too: the groups are of the spans that touch the range. @spans must outlive it.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_of_spans(struct tn_groups **out, const struct tn_spans *spans, const char *by, const char *show,
		   struct tn_error *err);
TN_API void tn_groups_free(struct tn_groups *groups);	/* NULL is allowed */
TN_API size_t tn_groups_key_count(const struct tn_groups *groups);	/* keys a group has; 0 for NULL */
/* Names of keys, then aggregates, as they were written; NULL behind the last. */
TN_API const char *tn_groups_column(const struct tn_groups *groups, size_t column);

/*
 * What is hardly meant by a key, as of a filter: "tid" where events have no such attribute, but a field of that name. It
 * lives as long as the groups; NULL: nothing, or NULL was given.
 */
TN_API const char *tn_groups_remark(const struct tn_groups *groups);

/* What the numbers of a column are. */
enum tn_group_unit {
	TN_GROUP_NUMBER,	/* numbers without a unit, or texts; a column that there is not */
	TN_GROUP_TIME,		/* whole nanoseconds since 1970: "time/1s", first(time), max(begin) */
	TN_GROUP_DURATION,	/* nanoseconds: mean(delta), p99(duration) */
	TN_GROUP_RATE		/* a second */
};
/* Of a key or an aggregate; TN_GROUP_NUMBER for NULL and for a column that there is not. */
TN_API enum tn_group_unit tn_groups_unit(const struct tn_groups *groups, size_t column);

/*
 * Make the groups; again: anew. Rows come in an order that depends on the trace alone. Those of spans are kept, as
 * tn_spans_sorted() does.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_run(struct tn_groups *groups, const struct tn_scan_options *options, struct tn_error *err);
TN_API size_t tn_groups_count(const struct tn_groups *groups);	/* rows; 0 before it ran */
TN_API uint64_t tn_groups_without(const struct tn_groups *groups);	/* events without any of the keys, left out */
/* Of groups of spans: how many there were, and what memory was not enough for. */
TN_API struct tn_span_counts tn_groups_span_counts(const struct tn_groups *groups);
/* Whether there were more keys than memory: the last row is all others; *events of them. */
TN_API bool tn_groups_merged(const struct tn_groups *groups, uint64_t *events);
/* How many quantiles, distinct counts, first and last texts were given up for want of room. */
TN_API uint64_t tn_groups_dropped(const struct tn_groups *groups);
/* The values of a row by column, borrowed until the next call; NULL behind the last. @is_rest may be NULL. */
TN_API const struct tn_answer_value *tn_groups_row(struct tn_groups *groups, size_t row, bool *is_rest);
/*
 * How many of the values of a quantile's column lie in each of @n parts of equal width in the logarithm, from the
 * least to the largest. False: not a quantile, or @n is 0.
 */
TN_API bool tn_groups_spread(struct tn_groups *groups, size_t row, size_t column, uint64_t *part, size_t n);
/* Sort the rows; equal ones stay as they are, the rest stays last. */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_sort(struct tn_groups *groups, size_t column, bool down, struct tn_error *err);
/*
 * Sort the rows, equal ones by their keys, which rise; of more than @n only the first @n are kept until the groups are run
 * again, without the rest. 0: all. For few of many this is quicker than sorting them.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_groups_top(struct tn_groups *groups, size_t column, bool down, size_t n, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
