/* spans.h - parsed definitions of spans */
#ifndef TN_SPAN_SPANS_H
#define TN_SPAN_SPANS_H

#include "span/feed.h"
#include "language/take.h"
#include "language/expression.h"

/* Selects events by name or by an expression. */
struct tn_pick {
	char *pattern;		/* pattern for names; NULL: select by `expression` */
	struct tn_expression *expression;	/* NULL: select by `pattern` */
	uint8_t *verdict;	/* enum tn_verdict of each class, by its number */
	/*
	 * By number of the class: the number of the text that the pattern's `*` matches. NULL: the pattern of the other
	 * end does not have a `*`.
	 */
	uint32_t *star;
};

/* The effect of a begin if a span with the same key is open. */
enum tn_span_rule {
	TN_SPAN_NESTED,		/* nested: the last begin ends first */
	TN_SPAN_LATEST,		/* the new begin replaces the earlier one, which stays open */
	TN_SPAN_FIFO		/* the spans queue up: the first begin ends first */
};

struct tn_capture {
	char *name;		/* as typed */
	bool of_begin, of_end;	/* whether the begin event and the end event can have it */
	struct tn_take take;
};

#define TN_SPANS_MOST 4096	/* limit of definitions */
#define TN_SPAN_KEYS 8
#define TN_SPAN_FIELDS 64	/* limit of fields to show */

struct tn_span_where;

struct tn_span_definition {
	struct tn_pick begin, end;
	TN_ARRAY(struct tn_take) begin_key, end_key;	/* for each key; usually both have the same name */
	TN_ARRAY(struct tn_capture) captures;
	const struct tn_type **label;	/* for each key: a type that has labels for it; or NULL */
	char *text;		/* the typed text */
	char *name;		/* NULL: none; may have a `*` */
	bool is_named;		/* spans are named by the last captured value, which is not shown, and not by the class */
	char **span_name;	/* by number of the class of the begin event; for an orphan, of the end event */
	size_t n_names;
	enum tn_span_rule rule;	/* effect of a second begin with the same key */
	size_t depth;		/* 1 + number of the key that is the depth of a call (model/pairs.h); 0: none */
	/* By number of the class: whether its events are whole spans, which `begin` selects, too. NULL: no class is. */
	uint8_t *whole;
	struct tn_take duration;	/* duration of whole spans */
	struct tn_span_where *where;	/* condition for spans that are reported; or NULL */
	uint32_t space, n_spaces;	/* numbers at the start of its keys: one for each text of the `*` */
	bool of_running;	/* a key is a thread that only switches report, so a loss of switches matters */
	bool of_stream, of_cpu;	/* a key is limited to a stream or processor, so losses elsewhere do not matter */
	/* A key is a thread, a process or a processor, whose number is unique only in a loom (tn_stream.loom). */
	bool of_loom;
};

/* The number of fields to show. */
static inline size_t
tn_span_shown(const struct tn_span_definition *d)
{
	return d->captures.n - d->is_named;
}

#define TN_SPAN_NEAR 4

/* The role of events of a class: each ends a span, or begins one. */
struct tn_span_role {
	uint32_t definition;
	bool is_end;
	bool is_whole;		/* the event is a whole span */
	bool is_sure;		/* each event of the class has the role */
	bool is_near;		/* a few numbers at known positions, and the packet, decide the keys */
	bool has_near_captures;	/* the same is true for the fields to show */
	uint8_t n_near;
	const struct tn_place *near[TN_SPAN_NEAR];
	uint32_t space;		/* the number with which its keys begin */
	/* How to get each key, then each field to show (NULL if it belongs to the other end), and then the duration. */
	struct tn_take_place *place;
};

struct tn_span_roles {
	TN_ARRAY(struct tn_span_role) role;	/* in the order of the definitions; of one definition, the end comes first */
};

struct tn_spans {
	struct tn_set *set;
	struct tn_classes classes;
	struct tn_names *names;
	TN_ARRAY(struct tn_span_definition) definition;
	uint64_t seed;		/* seed of the hashes, which the authors of traces do not know */
	struct tn_span_where *where;	/* conditions of all definitions; or NULL */
	char *where_text;
	bool *some;		/* by number of the class: whether its events may be begin or end events */
	struct tn_span_roles *roles;	/* by number of the class */
};

/* ---- begin and end events: records of the threads that read events, for the thread that matches them ---- */

enum tn_span_record_kind {
	TN_SPAN_RECORD_BEGIN, TN_SPAN_RECORD_END, TN_SPAN_RECORD_LOSS, TN_SPAN_RECORD_NO_KEY, TN_SPAN_RECORD_WHOLE,
	TN_SPAN_RECORD_BEGIN_AGAIN, TN_SPAN_RECORD_END_AGAIN	/* as struct tn_span_record_again */
};

/* The words of the key (definition and trace, then values without types) follow, then the words to show. */
struct tn_span_record {
	struct tn_record record;	/* `kind`: enum tn_span_record_kind */
	int64_t time_ns;	/* the displayed time */
	uint64_t hash;		/* hash of the key */
	uint32_t class;		/* number of the class */
	uint32_t definition;
	uint32_t key_words, captured_words;
	uint32_t has_time;
	uint32_t own[3];	/* belongs to the caller that takes records; zero at first */
	int64_t duration_ns;	/* duration of WHOLE; not negative */
};

/*
 * A begin or an end whose definition, key and stream are those of an earlier record. The words to show follow; if there
 * are none, they are those of the earlier record.
 */
struct tn_span_record_again {
	struct tn_record record;	/* `kind`: BEGIN_AGAIN or END_AGAIN */
	int64_t time_ns;
	uint32_t class;
	uint32_t back;		/* bytes from the earlier struct tn_span_record to this record */
};

/* The words of a record. */
static inline const uint64_t *
tn_span_record_words(const struct tn_span_record *t)
{
	return (const uint64_t *)(const void *)(t + 1);
}

/* The words to show of a record whose key is that of @key. */
static inline const uint64_t *
tn_again_words(const struct tn_span_record_again *t, const struct tn_span_record *key, uint32_t *n)
{
	*n = (t->record.size - (uint32_t)sizeof *t) / 8;
	if (*n)
		return (const uint64_t *)(const void *)(t + 1);
	*n = key->captured_words;
	return tn_span_record_words(key) + key->key_words;
}

/* Make records for the matching rows of [first, end). */
enum tn_code tn_span_rows(const struct tn_spans *spans, const struct tn_scan_options *options, struct tn_record_buffer *out,
			  struct tn_piece_reader *reader, const struct tn_batch *batch, size_t first, size_t end,
			  struct tn_error *err) TN_MUST_CHECK;

/* ---- spans when they begin and end ---- */

/* Functions are called in the order of the events. False: memory is out. */
struct tn_span_observer {
	bool (*begin)(void *user, const struct tn_span *span, void **mine);	/* *mine is NULL at first */
	bool (*end)(void *user, const struct tn_span *span, void *mine);	/* also called for spans that are open at the end */
	/* Called before each begin, with the number of its class. NULL: not called. */
	bool (*record)(void *user, uint32_t class);
	/* The begins that are open before the range, in order; the run changes them. NULL: none. */
	struct tn_record_buffer *seeds;
};

/* Restrictions by callers that do not need all data of a span. */
struct tn_span_wish {
	bool no_values;		/* neither keys nor fields to show are needed */
	bool only_ended;	/* spans without a begin or an end are only counted */
	/* Whether the caller needs more than the count of a span; NULL: always. Other spans are still counted. */
	bool (*wants)(void *user, const struct tn_span *span);
};

/* Like tn_spans_run(), but in the order of the ends. */
enum tn_code tn_spans_run_some(const struct tn_spans *spans, const struct tn_scan_options *options,
			       const struct tn_span_wish *wish, int (*span)(void *user, const struct tn_span *span),
			       void *user, struct tn_span_counts *counts, struct tn_error *err) TN_MUST_CHECK;

enum tn_code tn_spans_observe(const struct tn_spans *spans, const struct tn_scan_options *options,
			    const struct tn_span_observer *observer, void *user, struct tn_error *err) TN_MUST_CHECK;

/* ---- values of spans (span_value.c) ---- */

enum tn_span_value {
	TN_SPAN_NAME, TN_SPAN_DURATION /* only for closed spans */, TN_SPAN_ANY_DURATION, TN_SPAN_BEGIN, TN_SPAN_END, TN_SPAN_STATE,
	TN_SPAN_TIME, TN_SPAN_IS_CLOSED, TN_SPAN_IS_OPEN, TN_SPAN_IS_ORPHAN, TN_SPAN_IS_DOUBTFUL, TN_SPAN_HOST,
	TN_SPAN_INSIDE,		/* only for groups: the time of the span in the range of the options */
	TN_SPAN_VALUE		/* the key or the field with this name */
};

/* The meaning of a name. TN_SPAN_VALUE: not a name that all spans have; *best is then the nearest such name (names.h). */
enum tn_span_value tn_span_value_named(const char *name, const char **best, size_t *distance);
struct tn_answer_value tn_span_value(const struct tn_spans *spans, const struct tn_span *span, enum tn_span_value what,
				     const char *name);

/* Whether @captured is @name of the begin or of the end event: "begin.X" is also "X". */
bool tn_span_tail(const char *captured, const char *name);

/* Make a condition over the spans of a definition; @only NULL: of all definitions. */
enum tn_code tn_span_where_new(struct tn_span_where **out, const struct tn_spans *spans,
			       const struct tn_span_definition *only, const char *text, struct tn_error *err) TN_MUST_CHECK;
void tn_span_where_free(struct tn_span_where *where);
enum tn_code tn_span_where_passes(const struct tn_span_where *where, struct tn_expression_state *state,
				  const struct tn_span *span, bool *pass, struct tn_error *err) TN_MUST_CHECK;

/*
 * The number with which keys begin, for the definition and for the text that the `*` matches in the class's name. @pick:
 * the begin or the end of the definition.
 */
static inline uint32_t
tn_span_space(const struct tn_span_definition *d, const struct tn_pick *pick, size_t class)
{
	return d->space + (pick->star ? pick->star[class] : 0);
}

/*
 * The first word of a key: the space, and the scope in which its values are unique. The scope is the trace of the stream,
 * or its loom if a key is a thread, a process or a processor.
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
/* Add the types that values of the spans may have. False: memory is out. */
bool tn_spans_types(const struct tn_spans *spans, struct tn_types *types);

/* ---- definitions ---- */

/* Add a definition that was derived from @typed. Errors name @typed, and no column of a text that the user did not type. */
enum tn_code tn_spans_add_meant(struct tn_spans *spans, const char *definition, const char *typed,
				struct tn_error *err) TN_MUST_CHECK;

/* span_kind.c: read "@KIND", spans that formats know. TN_ERR_ARGUMENT: no event class is of this kind. */
enum tn_code tn_span_read_kind(struct tn_span_definition *out, const struct tn_spans *spans, const char *name, size_t n,
			       const struct tn_span_kind **kind, struct tn_error *err) TN_MUST_CHECK;
/* Kind number @i, in the order of the event classes. NULL: there are fewer. */
const struct tn_span_kind *tn_span_kind(const struct tn_spans *spans, size_t i);

/* span_text.c: read a definition. */
enum tn_code tn_span_read(struct tn_span_definition *out, const struct tn_spans *spans, const char *text,
			  struct tn_error *err) TN_MUST_CHECK;
void tn_span_definition_release(struct tn_span_definition *d);

#endif
