/*
 * spans.h - definitions of spans as they were understood
 */
#ifndef TN_SPAN_SPANS_H
#define TN_SPAN_SPANS_H

#include "span/feed.h"
#include "language/take.h"
#include "language/expression.h"

/* Which events: by name, or by an expression. */
struct tn_pick {
	char *pattern;		/* of names; NULL */
	struct tn_expression *expression;	/* or NULL */
	uint8_t *verdict;	/* by number of the class: enum tn_verdict */
	/* By number of the class: a number for the text that the pattern's `*` stands for. NULL: the other end has no `*`. */
	uint32_t *star;
};

/* What a begin does to an open one of its key. */
enum tn_span_rule {
	TN_SPAN_NESTED,		/* it is inside: the last begin ends first */
	TN_SPAN_LATEST,		/* it takes the place of the other one, which stays open */
	TN_SPAN_FIFO		/* it queues up: the first begin ends first */
};

struct tn_capture {
	char *name;		/* as it was written */
	bool of_begin, of_end;	/* which of the two may have it */
	bool current;		/* the thread that runs on the processor of the event; no take */
	struct tn_take take;
};

#define TN_SPANS_MOST 4096	/* definitions */
#define TN_SPAN_KEYS 8
#define TN_SPAN_FIELDS 64	/* to show */

struct tn_span_where;

struct tn_span_definition {
	struct tn_pick begin, end;
	TN_ARRAY(struct tn_take) begin_key, end_key;	/* of each key; the same name mostly */
	TN_ARRAY(struct tn_capture) captures;
	const struct tn_type **label;	/* of each key: a type that has labels for it, or NULL */
	char *text;		/* as it was written */
	char *name;		/* or NULL; may have a `*` */
	char **span_name;	/* by number of the class of the begin, of an orphan: the end */
	size_t n_names;
	enum tn_span_rule rule;	/* of a second begin with the same key */
	struct tn_span_where *where;	/* which of its spans are told; or NULL */
	uint32_t space, n_spaces;	/* numbers that its keys begin with: one for each text of the `*` */
	bool shows_current;
	size_t current;		/* the key that is the current thread of the processor where events do not tell it; SIZE_MAX */
	bool of_stream, of_cpu;	/* a key says so: losses elsewhere do not matter */
	bool of_loom;		/* a key is a thread, a process or a processor: its number is that of a loom (tn_stream.loom) */
};

/* What an event of a class may be: the end of a span, or its begin. */
struct tn_span_role {
	uint32_t definition;
	bool is_end;
	bool is_sure;		/* each such event is */
	bool same_key;		/* for all such events of a packet */
	bool is_near;		/* the only key is a field that is found at once */
	uint32_t space;		/* the number that its keys begin with */
	struct tn_take_place *place;	/* of each key, then of each field to show: NULL where it is of the other end */
};

struct tn_span_roles {
	TN_ARRAY(struct tn_span_role) role;	/* in the order of the definitions, an end first */
};

struct tn_spans {
	struct tn_set *set;
	struct tn_classes classes;
	struct tn_names *names;
	TN_ARRAY(struct tn_span_definition) definition;
	uint64_t seed;		/* of hashes: who writes traces does not know it */
	struct tn_span_where *where;	/* of all definitions; or NULL */
	char *where_text;
	bool *some;		/* by number of the class: its events may be begins or ends */
	struct tn_span_roles *roles;	/* the same */
	/* Which thread runs on a processor, of traces of a kernel: as the last sched_switch there says. */
	bool has_switches, wants_switches;
	bool *is_switch;	/* by number of the class */
	struct tn_take next_tid, cpu;
};

/* ---- begins and ends, on their way from who reads events to who puts them together ---- */

enum tn_span_record_kind {
	TN_SPAN_RECORD_BEGIN, TN_SPAN_RECORD_END, TN_SPAN_RECORD_LOSS, TN_SPAN_RECORD_NO_KEY,
	TN_SPAN_RECORD_SWITCH,	/* the key is one number: the thread that runs on the processor now */
	TN_SPAN_RECORD_BEGIN_AGAIN, TN_SPAN_RECORD_END_AGAIN	/* struct tn_span_record_again */
};

/* Behind it: words of the key (definition and trace, then values without fields), then those to show. */
struct tn_span_record {
	struct tn_record record;	/* .kind: enum tn_span_record_kind */
	int64_t time_ns;	/* as shown */
	uint64_t hash;		/* of the key */
	uint32_t class;		/* number */
	uint32_t definition;
	uint32_t key_words, captured_words;
	uint32_t has_time;
	uint32_t cpu;		/* SWITCH, and where current_at is not 0 */
	/* Words behind it where the current thread belongs, in the key and in what is shown; 0: nowhere. */
	uint32_t current_at, shown_at;
};

/* A begin or an end with the definition, the key and the stream of one before it. Behind it: words to show. */
struct tn_span_record_again {
	struct tn_record record;	/* .kind: BEGIN_AGAIN, END_AGAIN */
	int64_t time_ns;
	uint32_t class;
	uint32_t back;		/* bytes from that one, a struct tn_span_record, to here */
};

/* Of the rows [first, end) that pass. @again: keys need not stand in each record. */
enum tn_code tn_span_rows(const struct tn_spans *spans, const struct tn_scan_options *options, bool again,
			  struct tn_record_buffer *out, struct tn_piece_reader *reader, const struct tn_batch *batch,
			  size_t first, size_t end, struct tn_error *err) TN_MUST_CHECK;

/* ---- spans as they begin and end ---- */

/* Called in the order of the events; false: memory is out. */
struct tn_span_observer {
	bool (*begin)(void *user, const struct tn_span *span, void **mine);	/* *mine is NULL at first */
	bool (*end)(void *user, const struct tn_span *span, void *mine);	/* also of what is open at the end */
	/* Each begin, before it, and each change of the thread that runs on a processor; NULL: not wanted. */
	bool (*record)(void *user, const struct tn_span_record *record);
	/* Of before the range, in their order: begins that are open there, threads that run. They are changed. NULL: none. */
	struct tn_record_buffer *seeds;
};

/* What is asked of spans by who does not need all of them. */
struct tn_span_wish {
	bool no_values;		/* neither of keys nor of what is shown */
	/* Whether more than that is asked of a span; NULL: of each. Those that it is not asked of count all the same. */
	bool (*wants)(void *user, const struct tn_span *span);
};

/* As tn_spans_run() does, by their ends. */
enum tn_code tn_spans_run_some(const struct tn_spans *spans, const struct tn_scan_options *options,
			       const struct tn_span_wish *wish, int (*span)(void *user, const struct tn_span *span),
			       void *user, struct tn_span_counts *counts, struct tn_error *err) TN_MUST_CHECK;

enum tn_code tn_spans_observe(const struct tn_spans *spans, const struct tn_scan_options *options,
			    const struct tn_span_observer *observer, void *user, struct tn_error *err) TN_MUST_CHECK;

/* ---- values of spans (span_value.c) ---- */

enum tn_span_value {
	TN_SPAN_NAME, TN_SPAN_DURATION /* of closed ones */, TN_SPAN_ANY_DURATION, TN_SPAN_BEGIN, TN_SPAN_END, TN_SPAN_STATE,
	TN_SPAN_TIME, TN_SPAN_IS_CLOSED, TN_SPAN_IS_OPEN, TN_SPAN_IS_ORPHAN, TN_SPAN_IS_DOUBTFUL, TN_SPAN_HOST,
	TN_SPAN_INSIDE,		/* of groups only: the time of it in the range that is looked at */
	TN_SPAN_VALUE		/* of the key or the field of that name */
};

/* What a name means; TN_SPAN_VALUE: none that all spans have, and the nearest of those is in *best (names.h). */
enum tn_span_value tn_span_value_named(const char *name, const char **best, size_t *distance);
struct tn_answer_value tn_span_value(const struct tn_spans *spans, const struct tn_span *span, enum tn_span_value what,
				     const char *name);

/* Whether @captured is @name of the begin or of the end: "begin.X" is "X", too. */
bool tn_span_tail(const char *captured, const char *name);

/* A condition over the spans of a definition, of all when @only is NULL. */
enum tn_code tn_span_where_new(struct tn_span_where **out, const struct tn_spans *spans,
			       const struct tn_span_definition *only, const char *text, struct tn_error *err) TN_MUST_CHECK;
void tn_span_where_free(struct tn_span_where *where);
enum tn_code tn_span_where_passes(const struct tn_span_where *where, struct tn_expression_state *state,
				  const struct tn_span *span, bool *pass, struct tn_error *err) TN_MUST_CHECK;

/* The number that keys of the class begin with: the definition and the text of its `*`. @pick: its begin or its end. */
static inline uint32_t
tn_span_space(const struct tn_span_definition *d, const struct tn_pick *pick, size_t class)
{
	return d->space + (pick->star ? pick->star[class] : 0);
}

/*
 * The first word of a key: the space, and in what its values mean one thing: the trace of the stream; where a key is a
 * thread, a process or a processor, its loom.
 */
static inline uint64_t
tn_spans_origin(const struct tn_spans *spans, const struct tn_span_definition *d, uint32_t space, uint32_t rank)
{
	const uint32_t *of = d->of_loom ? spans->classes.loom : spans->classes.trace;

	return (uint64_t)space << 32 | of[rank];
}

/* ---- spans that are kept (span_question.c) ---- */

struct tn_answer_cache;
struct tn_types;
/* What is asked of spans, to the question of an answer that is kept. */
void tn_spans_question(const struct tn_spans *spans, struct tn_answer_cache *keeping);
/* Types that values of the spans may have; false: memory is out. */
bool tn_spans_types(const struct tn_spans *spans, struct tn_types *types);

/* ---- definitions ---- */

/* A definition that @typed means: what is wrong is told of that, without the columns of a text that nobody typed. */
enum tn_code tn_spans_add_meant(struct tn_spans *spans, const char *definition, const char *typed,
				struct tn_error *err) TN_MUST_CHECK;

/* span_text.c: read a definition. */
enum tn_code tn_span_read(struct tn_span_definition *out, const struct tn_spans *spans, const char *text,
			  struct tn_error *err) TN_MUST_CHECK;
void tn_span_definition_release(struct tn_span_definition *d);

#endif
