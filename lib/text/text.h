/* text.h - the parts of a struct tn_text */
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

/* The second that was converted to a date last. A zeroed one is empty. */
struct tn_second {
	bool known;
	unsigned n;
	bool usual;		/* a stamp is this text, nanoseconds and a delta, without names and colour */
	int64_t second, begin_ns;
	char text[44];
	/*
	 * The start of a span of 10 us with a delta below 10 us: until its end only four digits of time and delta
	 * change. They are at stamp + four, and TN_STAMP_DELTA bytes later. stamp_span 0: no such stamp.
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
 * The text of one event class between the time and the fields, made at the first event of the class (class_words.h).
 * Threads publish `code`, `template` and `made`: a thread that has seen one of them may read the other members.
 */
struct tn_class_words {
	struct tn_words head;	/* text up to the name; the whole text if `whole` */
	struct tn_words tail;	/* text after the name */
	/* Code of the direct path; NULL: none. `repeats`: code of the common context, if its text can be kept. */
	const struct tn_op *code, *repeats;
	const struct tn_template *template;	/* template of the code; NULL: none */
	uint32_t repeat_bytes, repeat_align;	/* size of the common context in bytes, and its alignment in bits */
	/* Records: head (CSV: the name), common context, middle, fields, tail. */
	struct tn_words middle;
	const struct tn_class_columns *columns;	/* CSV: columns of the class; NULL: none */
	/*
	 * For each member of the common context, whether "event.context.NAME" means another field
	 * (tn_columns_shadow()); NULL: for no member.
	 */
	const bool *shadowed;
	bool scattered;		/* CSV: the direct path writes the cells in an order that differs from the columns */
	bool whole;		/* the head includes the name; otherwise each event may have its own name */
	bool made;		/* the other members are valid, except columns and shadowed, which always are */
};

struct tn_trace_words {
	const struct tn_trace *trace;
	struct tn_words origin;		/* text "host:procname:(vpid)" */
	/* By index of the event class; columns and shadowed are set from the start. */
	struct tn_class_words *of_class;
};

struct tn_text_making;		/* class_words.c */

struct tn_text {
	struct tn_arena arena;
	struct tn_text_options options;
	struct tn_text *plain;		/* the same format without colour and names of addresses; NULL: this one has neither */
	const struct tn_columns *columns;	/* columns of CSV */
	bool too_wide;			/* the names of the columns are too long */
	struct {			/* escape sequences; empty without colour */
		struct tn_words name;	/* name of a field */
		struct tn_words value;
		struct tn_words title;	/* names of scopes and of the parts before the event's name */
		struct tn_words event;	/* the event's name */
		struct tn_words time;
		struct tn_words unknown;
		struct tn_words warning;
		struct tn_words reset;
	} ink;
	struct tn_trace_words *trace;
	size_t n_traces;
	const struct tn_trace_words **of_stream;	/* for each stream, by rank */
	size_t n_streams;
	struct tn_text_making *making;	/* NULL: the text has no traces */
};

static inline void
tn_put_words(struct tn_str *b, const struct tn_words *w)
{
	tn_str_add(b, w->text, w->n);
}

/* Append a name from the trace; for a terminal, the name is made safe. */
static inline void
tn_put_name(const struct tn_text *text, const char *name, struct tn_str *out)
{
	if (text->options.safe)
		tn_text_safe(name, strlen(name), out);
	else
		tn_str_puts(out, name);
}

/* The parts made for the trace of @stream; NULL: the stream is not in the text's set. */
static inline const struct tn_trace_words *
tn_text_trace_words(const struct tn_text *text, const struct tn_stream *stream)
{
	return stream->rank < text->n_streams ? text->of_stream[stream->rank] : NULL;
}

/* Whether lines show the field or scope. */
static inline bool
tn_field_shown(const struct tn_field *f)
{
	return f && !f->hidden;
}

/* value.c: write one value. @names: write "name = " before members and "[i] = " before elements. */
void tn_put_value(const struct tn_text *text, const struct tn_value *v, bool names, struct tn_str *out);
/* Write the labels of an enumeration: "B" or "C", "D" or <unknown>. */
void tn_put_labels(const struct tn_text *text, const struct tn_type *type, uint64_t v, struct tn_str *out);
void tn_put_flags(const struct tn_text *text, const struct tn_type *type, uint64_t v, struct tn_str *out);
void tn_put_blob(const uint8_t *bytes, uint64_t n, struct tn_str *out);

/*
 * line.c: the limit of bytes for the line of an event, because a few bits can describe a huge value. A longer line is
 * cut, and gets a remark; a record gets the remark in place of its fields.
 */
size_t tn_line_most(const struct tn_batch *batch);
/* Cut the line that begins at @begin. @event: for a record, whose values are not read. */
enum tn_code
tn_line_cut(const struct tn_text *text, const struct tn_event *event, struct tn_str *out, size_t begin,
	    struct tn_error *err);

/* time.c */
void tn_put_time(const struct tn_text *text, struct tn_second *cache, int64_t ns, struct tn_str *out);

/* line.c: write "[time] (delta) "; if @has_time is false, write question marks. */
void
tn_put_stamp(const struct tn_text *text, struct tn_second *cache, bool has_time, int64_t ns, uint64_t cycles,
	     const struct tn_line_previous *previous, struct tn_str *out);

#endif
