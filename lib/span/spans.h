/* spans.h - parsed definitions of spans */
#ifndef TN_SPAN_SPANS_H
#define TN_SPAN_SPANS_H

#include "span/feed.h"
#include "language/take.h"
#include "language/expression.h"

/* Selects events by name, or by an expression. */
struct tn_pick {
	char *pattern;		/* pattern for names; or NULL */
	struct tn_expression *expression;	/* or NULL */
	uint8_t *verdict;	/* by number of the class: enum tn_verdict */
	/*
	 * By number of the class: a number for the text that the pattern's `*` matches. NULL: the pattern of
	 * the other end does not have a `*`.
	 */
	uint32_t *star;
};

/* The effect of a begin on an open one with the same key. */
enum tn_span_rule {
	TN_SPAN_NESTED,		/* the new span is nested: the last begin ends first */
	TN_SPAN_LATEST,		/* the new begin replaces the earlier one, which stays open */
	TN_SPAN_FIFO		/* the spans queue up: the first begin ends first */
};

struct tn_capture {
	char *name;		/* as written */
	bool of_begin, of_end;	/* which of the two events may have it */
	struct tn_take take;
};

#define TN_SPANS_MOST 4096	/* limit of definitions */
#define TN_SPAN_KEYS 8
#define TN_SPAN_FIELDS 64	/* limit of fields to show */

struct tn_span_where;

struct tn_span_definition {
	struct tn_pick begin, end;
	TN_ARRAY(struct tn_take) begin_key, end_key;	/* for each key; mostly the same name twice */
	TN_ARRAY(struct tn_capture) captures;
	const struct tn_type **label;	/* for each key: a type that has labels for it, or NULL */
	char *text;		/* the text that was written */
	char *name;		/* or NULL; may have a `*` */
	bool is_named;		/* its last capture, which is not shown, names a span: not the class */
	char **span_name;	/* by number of the class of the begin, of an orphan: the end */
	size_t n_names;
	enum tn_span_rule rule;	/* rule for a second begin with the same key */
	/* By number of the class: its events are whole spans, which `begin` picks too; NULL: none are. */
	uint8_t *whole;
	struct tn_take duration;	/* duration of the whole spans */
	struct tn_span_where *where;	/* the condition for reported spans; or NULL */
	uint32_t space, n_spaces;	/* numbers at the start of its keys: one for each text of the `*` */
	bool of_running;	/* a key is a thread that only switches tell: a loss of one matters */
	bool of_stream, of_cpu;	/* a key restricts it to a stream or processor: losses elsewhere are irrelevant */
	/* A key is a thread, a process or a processor: its number is unique within a loom (tn_stream.loom). */
	bool of_loom;
};

/* Number of fields to show. */
static inline size_t
tn_span_shown(const struct tn_span_definition *d)
{
	return d->captures.n - d->is_named;
}

#define TN_SPAN_NEAR 4

/* The role of an event of a class: the end of a span, or its begin. */
struct tn_span_role {
	uint32_t definition;
	bool is_end;
	bool is_whole;		/* the event is a span */
	bool is_sure;		/* certain for each event of the class */
	bool is_near;		/* a few numbers at known places, and the packet, decide the keys: */
	bool has_near_captures;	/* the fields to show, too */
	uint8_t n_near;
	const struct tn_place *near[TN_SPAN_NEAR];
	uint32_t space;		/* the number at the start of its keys */
	/* The place of each key, then of each field to show: NULL if it belongs to the other end. Last the duration. */
	struct tn_take_place *place;
};

struct tn_span_roles {
	TN_ARRAY(struct tn_span_role) role;	/* in the order of the definitions, an end first */
};

struct tn_spans {
	struct tn_set *set;
	struct tn_classes classes;
	struct tn_names *names;
	TN_ARRAY(struct tn_span_definition) definition;
	uint64_t seed;		/* seed of the hashes: secret from the authors of traces */
	struct tn_span_where *where;	/* conditions of all definitions; or NULL */
	char *where_text;
	bool *some;		/* by number of the class: its events may be begins or ends */
	struct tn_span_roles *roles;	/* by number of the class: roles of its events */
};

/* ---- begins and ends, from the threads that read events to the one that joins them ---- */

enum tn_span_record_kind {
	TN_SPAN_RECORD_BEGIN, TN_SPAN_RECORD_END, TN_SPAN_RECORD_LOSS, TN_SPAN_RECORD_NO_KEY, TN_SPAN_RECORD_WHOLE,
	TN_SPAN_RECORD_BEGIN_AGAIN, TN_SPAN_RECORD_END_AGAIN	/* struct tn_span_record_again */
};

/* Followed by the words of the key (definition and trace, then values without fields), then those to show. */
struct tn_span_record {
	struct tn_record record;	/* .kind: enum tn_span_record_kind */
	int64_t time_ns;	/* the displayed time */
	uint64_t hash;		/* hash of the key */
	uint32_t class;		/* number */
	uint32_t definition;
	uint32_t key_words, captured_words;
	uint32_t has_time;
	uint32_t own[3];	/* free for the caller that takes records; zero at first */
	int64_t duration_ns;	/* WHOLE: never negative */
};

/*
 * A begin or an end with the definition, the key and the stream of an earlier record. Followed by the words to
 * show; without any, it has those of the earlier record.
 */
struct tn_span_record_again {
	struct tn_record record;	/* .kind: BEGIN_AGAIN, END_AGAIN */
	int64_t time_ns;
	uint32_t class;
	uint32_t back;		/* bytes from that struct tn_span_record to here */
};

/* The words of a record. */
static inline const uint64_t *
tn_span_record_words(const struct tn_span_record *t)
{
	return (const uint64_t *)(const void *)(t + 1);
}

/* The words to show of a record with the key of @key. */
static inline const uint64_t *
tn_again_words(const struct tn_span_record_again *t, const struct tn_span_record *key, uint32_t *n)
{
	*n = (t->record.size - (uint32_t)sizeof *t) / 8;
	if (*n)
		return (const uint64_t *)(const void *)(t + 1);
	*n = key->captured_words;
	return tn_span_record_words(key) + key->key_words;
}

/* Make records for the passing rows of [first, end). */
enum tn_code tn_span_rows(const struct tn_spans *spans, const struct tn_scan_options *options, struct tn_record_buffer *out,
			  struct tn_piece_reader *reader, const struct tn_batch *batch, size_t first, size_t end,
			  struct tn_error *err) TN_MUST_CHECK;

/* ---- spans as they begin and end ---- */

/* Called in the order of the events; false: memory is out. */
struct tn_span_observer {
	bool (*begin)(void *user, const struct tn_span *span, void **mine);	/* *mine is NULL at first */
	bool (*end)(void *user, const struct tn_span *span, void *mine);	/* also for spans open at the end */
	/* Called for each begin, before it, with the number of its class; NULL: not called. */
	bool (*record)(void *user, uint32_t class);
	/* The begins that are open before the range, in order. They are changed. NULL: none. */
	struct tn_record_buffer *seeds;
};

/* Restrictions for callers that do not need all of a span. */
struct tn_span_wish {
	bool no_values;		/* neither keys nor fields to show */
	bool only_ended;	/* spans without a begin or an end are only counted */
	/*
	 * Whether the caller needs more than the count of a span; NULL: always. The others are counted all the
	 * same.
	 */
	bool (*wants)(void *user, const struct tn_span *span);
};

/* Like tn_spans_run(), in the order of the ends. */
enum tn_code tn_spans_run_some(const struct tn_spans *spans, const struct tn_scan_options *options,
			       const struct tn_span_wish *wish, int (*span)(void *user, const struct tn_span *span),
			       void *user, struct tn_span_counts *counts, struct tn_error *err) TN_MUST_CHECK;

enum tn_code tn_spans_observe(const struct tn_spans *spans, const struct tn_scan_options *options,
			    const struct tn_span_observer *observer, void *user, struct tn_error *err) TN_MUST_CHECK;

/* ---- values of spans (span_value.c) ---- */

enum tn_span_value {
	TN_SPAN_NAME, TN_SPAN_DURATION /* only closed spans */, TN_SPAN_ANY_DURATION, TN_SPAN_BEGIN, TN_SPAN_END, TN_SPAN_STATE,
	TN_SPAN_TIME, TN_SPAN_IS_CLOSED, TN_SPAN_IS_OPEN, TN_SPAN_IS_ORPHAN, TN_SPAN_IS_DOUBTFUL, TN_SPAN_HOST,
	TN_SPAN_INSIDE,		/* for groups only: its time in the range of the options */
	TN_SPAN_VALUE		/* the key or the field with this name */
};

/* The meaning of a name; TN_SPAN_VALUE: not common to all spans; *best is then the nearest common name (names.h). */
enum tn_span_value tn_span_value_named(const char *name, const char **best, size_t *distance);
struct tn_answer_value tn_span_value(const struct tn_spans *spans, const struct tn_span *span, enum tn_span_value what,
				     const char *name);

/* Whether @captured is @name of the begin or of the end: "begin.X" is also "X". */
bool tn_span_tail(const char *captured, const char *name);

/* A condition over the spans of a definition; @only NULL: of all. */
enum tn_code tn_span_where_new(struct tn_span_where **out, const struct tn_spans *spans,
			       const struct tn_span_definition *only, const char *text, struct tn_error *err) TN_MUST_CHECK;
void tn_span_where_free(struct tn_span_where *where);
enum tn_code tn_span_where_passes(const struct tn_span_where *where, struct tn_expression_state *state,
				  const struct tn_span *span, bool *pass, struct tn_error *err) TN_MUST_CHECK;

/*
 * The number at the start of keys of the class, for the definition and the text of its `*`. @pick: its begin or
 * its end.
 */
static inline uint32_t
tn_span_space(const struct tn_span_definition *d, const struct tn_pick *pick, size_t class)
{
	return d->space + (pick->star ? pick->star[class] : 0);
}

/*
 * The first word of a key: the space, and the scope in which its values are unique. That is the trace of the
 * stream, or its loom if a key is a thread, a process or a processor.
 */
static inline uint64_t
tn_spans_origin(const struct tn_spans *spans, const struct tn_span_definition *d, uint32_t space, uint32_t rank)
{
	const uint32_t *of = d->of_loom ? spans->classes.loom : spans->classes.trace;

	return (uint64_t)space << 32 | of[rank];
}

/* ---- stored spans (span_question.c) ---- */

struct tn_answer_cache;
struct tn_types;
/* Add the definitions to the question of a stored answer. */
void tn_spans_question(const struct tn_spans *spans, struct tn_answer_cache *keeping);
/* Types that values of the spans may have; false: memory is out. */
bool tn_spans_types(const struct tn_spans *spans, struct tn_types *types);

/* ---- definitions ---- */

/*
 * Add a definition derived from @typed: errors are reported for @typed, without columns of a text that the user
 * did not type.
 */
enum tn_code tn_spans_add_meant(struct tn_spans *spans, const char *definition, const char *typed,
				struct tn_error *err) TN_MUST_CHECK;

/* span_kind.c: "@KIND", spans that formats know. TN_ERR_ARGUMENT: no event class is of that kind. */
enum tn_code tn_span_read_kind(struct tn_span_definition *out, const struct tn_spans *spans, const char *name, size_t n,
			       const struct tn_span_kind **kind, struct tn_error *err) TN_MUST_CHECK;
/* Kind number @i, in the order of the event classes; NULL: there are fewer. */
const struct tn_span_kind *tn_span_kind(const struct tn_spans *spans, size_t i);

/* span_text.c: read a definition. */
enum tn_code tn_span_read(struct tn_span_definition *out, const struct tn_spans *spans, const char *text,
			  struct tn_error *err) TN_MUST_CHECK;
void tn_span_definition_release(struct tn_span_definition *d);

#endif
