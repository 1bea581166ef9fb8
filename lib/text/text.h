/*
 * text.h - what a struct tn_text has put together when it was made
 */
#ifndef TN_TEXT_TEXT_H
#define TN_TEXT_TEXT_H

#include <tnav/text.h>

#include "base/arena.h"
#include "model/decoder.h"
#include "text/put.h"

/* A text of known length. */
struct tn_words {
	const char *text;
	size_t n;
};

/* The second that was last converted to a date. Zeroed: none. */
struct tn_second {
	bool known;
	unsigned n;
	bool usual;		/* a stamp is this, nanoseconds and a delta, with no names and no colour */
	int64_t second, begin_ns;
	char text[44];
	/*
	 * A stamp with a delta below 10 us: all but four digits of each are the same for the next 10 us. They go to
	 * stamp + four and TN_STAMP_DELTA behind that. stamp_span 0: there is none.
	 */
	uint64_t stamp_span;
	int64_t stamp_ns;
	unsigned four;
	char stamp[64];
};

struct tn_op;		/* lib/plan */
struct tn_template;
struct tn_line_previous;
struct tn_columns;
struct tn_class_columns;

/*
 * What is written for one event class between the time and the fields. It is made when the first event of the class is
 * met (class_words.h): `code`, `template` and `made` are published, whoever has seen one of them may look at the rest.
 */
struct tn_class_words {
	struct tn_words head;	/* up to the name; all of it when `whole` */
	struct tn_words tail;	/* behind the name */
	/* Of the direct path; code NULL: it has none. repeats: the common context alone, when its text can be kept. */
	const struct tn_op *code, *repeats;
	const struct tn_template *template;	/* of the code; NULL: none */
	uint32_t repeat_bytes, repeat_align;	/* its size; where it begins, in bits */
	/* Records: head (CSV: the name), common context, middle, fields, tail. */
	struct tn_words middle;
	const struct tn_class_columns *columns;	/* CSV; NULL: none */
	/* By member of the common context: "event.context.NAME" is another's (tn_columns_shadow()); NULL: none is. */
	const bool *shadowed;
	bool scattered;		/* CSV: the direct path writes cells in another order than that of the columns */
	bool whole;		/* the name is in the head; else its events may have names of their own */
	bool made;		/* the rest is only there then, but for columns and shadowed */
};

struct tn_trace_words {
	const struct tn_trace *trace;
	struct tn_words origin;		/* "host:procname:(vpid)" */
	struct tn_class_words *of_class;	/* by event class index; columns and shadowed are there from the begin */
};

struct tn_text_making;		/* class_words.c */

struct tn_text {
	struct tn_arena arena;
	struct tn_text_options options;
	struct tn_text *plain;		/* the same without colour; NULL when this one has none */
	const struct tn_columns *columns;	/* of CSV */
	bool too_wide;			/* whose names are too long to be made */
	struct {			/* empty without colour */
		struct tn_words name;	/* of a field */
		struct tn_words value;
		struct tn_words title;	/* names of scopes and of what stands before the event's name */
		struct tn_words event;	/* the event's name */
		struct tn_words time;
		struct tn_words unknown;
		struct tn_words warning;
		struct tn_words reset;
	} ink;
	struct tn_trace_words *trace;
	size_t n_traces;
	const struct tn_trace_words **of_stream;	/* by rank */
	size_t n_streams;
	struct tn_text_making *making;	/* NULL: it has no traces */
};

static inline void
tn_put_words(struct tn_str *b, const struct tn_words *w)
{
	tn_str_add(b, w->text, w->n);
}

/* A name that the trace gives: in a line for a terminal it cannot act. */
static inline void
tn_put_name(const struct tn_text *text, const char *name, struct tn_str *out)
{
	if (text->options.safe)
		tn_text_safe(name, strlen(name), out);
	else
		tn_str_puts(out, name);
}

/* What was put together for the trace of @stream; NULL when the stream is not of the text's set. */
static inline const struct tn_trace_words *
tn_text_trace_words(const struct tn_text *text, const struct tn_stream *stream)
{
	return stream->rank < text->n_streams ? text->of_stream[stream->rank] : NULL;
}

/* A scope, or any field, is written. */
static inline bool
tn_field_shown(const struct tn_field *f)
{
	return f && !f->hidden;
}

/* value.c: one value; @names: "name = " before members, "[i] = " before elements. */
void tn_put_value(const struct tn_text *text, const struct tn_value *v, bool names, struct tn_str *out);
/* Labels of an enumeration: "B" or "C", "D" or <unknown>. */
void tn_put_labels(const struct tn_text *text, const struct tn_type *type, uint64_t v, struct tn_str *out);
void tn_put_flags(const struct tn_text *text, const struct tn_type *type, uint64_t v, struct tn_str *out);
void tn_put_blob(const uint8_t *bytes, uint64_t n, struct tn_str *out);

/*
 * line.c: how many bytes the line of an event may have: what few bits can stand for is not printed without end. A
 * line that has more is cut, with a word; a record has no fields then, but says so.
 */
size_t tn_line_most(const struct tn_batch *batch);
/* Cut the line that begins at @begin; @event: of a record, whose values are not looked at. */
enum tn_code
tn_line_cut(const struct tn_text *text, const struct tn_event *event, struct tn_str *out, size_t begin,
	    struct tn_error *err);

/* time.c */
void tn_put_time(const struct tn_text *text, struct tn_second *cache, int64_t ns, struct tn_str *out);

/* line.c: "[time] (delta) "; @has_time false: question marks. */
void
tn_put_stamp(const struct tn_text *text, struct tn_second *cache, bool has_time, int64_t ns, uint64_t cycles,
	     const struct tn_line_previous *previous, struct tn_str *out);

#endif
