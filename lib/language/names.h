/*
 * names.h - the names that a person can use: the fields and attributes of a set of traces
 *
 * A field has a full path, as details, CSV and JSON lines show it: "event.fields.ret", "event.context.vtid",
 * "packet.context.cpu_id". Any tail that means only one path is enough: "ret", "fields.ret". The names of
 * options of variants may be left out, as they are where values are shown. Elements of arrays: "args[2]",
 * "args[*]" (any of them), "list[*].x". The same path in several event classes is one name. The fields of
 * packet and event headers, which no line shows, need their scope: "event.header.id". The longer names of TSDL
 * ("stream.event.context.vpid") are valid too.
 *
 * An attribute is a property of every event, whatever its tracer: tn_attributes() is the table. Its name may
 * have "event." before it. For an attribute that shares its name with a field, see tn_attribute.yields and
 * tn_meaning.also.
 */
#ifndef TN_LANGUAGE_NAMES_H
#define TN_LANGUAGE_NAMES_H

#include <tnav/query.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/str.h"
#include "model/decoder.h"

enum tn_attribute_id {
	TN_ATTRIBUTE_NONE,	/* the name means a field */
	TN_ATTRIBUTE_NAME, TN_ATTRIBUTE_ID, TN_ATTRIBUTE_LOG_LEVEL, TN_ATTRIBUTE_STREAM, TN_ATTRIBUTE_STREAM_ID,
	TN_ATTRIBUTE_TRACE, TN_ATTRIBUTE_HOST, TN_ATTRIBUTE_CPU, TN_ATTRIBUTE_TID, TN_ATTRIBUTE_PID,
	TN_ATTRIBUTE_PROCESS, TN_ATTRIBUTE_TIME, TN_ATTRIBUTE_DELTA, TN_ATTRIBUTE_CYCLES, TN_ATTRIBUTE_PACKET,
	TN_ATTRIBUTE_LOST,
	TN_ATTRIBUTE_RUNNING,	/* the running thread, even if a context has a thread */
	/* Parts of a marker (model/marker.h). */
	TN_ATTRIBUTE_MARKER_PHASE, TN_ATTRIBUTE_MARKER_PID, TN_ATTRIBUTE_MARKER_NAME, TN_ATTRIBUTE_MARKER_TRACK,
	TN_ATTRIBUTE_MARKER_COOKIE, TN_ATTRIBUTE_MARKER_VALUE,
	TN_ATTRIBUTE_EXTRA	/* an attribute that the caller added: see tn_extras */
};

/*
 * Attributes that a caller adds for objects other than events, such as "dur" of a span. They have priority over all other
 * names.
 */
enum tn_extra_kind { TN_EXTRA_ANY, TN_EXTRA_NUMBER, TN_EXTRA_TEXT, TN_EXTRA_DURATION, TN_EXTRA_TIME };

struct tn_extras {
	const char *const *name;
	const enum tn_extra_kind *kind;	/* for each name; NULL: all are of any kind */
	size_t n;
	/* The objects, such as "spans", if they have only these attributes. NULL: they have the attributes of events, too. */
	const char *of;
};

#define TN_INDEX_ANY (-1)	/* "[*]" */
#define TN_INDEX_MOST 128	/* limit of nested arrays in a path, which is that of types */

/* A field that a name can mean, in the events of one owner. */
struct tn_target {
	const void *owner;	/* an event class, a stream class or a trace */
	const struct tn_field *field;	/* the field; if the name has indices, the element */
	enum tn_scope scope;
};

/* The meaning of a name. */
struct tn_meaning {
	enum tn_attribute_id attribute;
	size_t extra;		/* for TN_ATTRIBUTE_EXTRA: its number */
	enum tn_extra_kind kind;
	const char *path;	/* full path of the field, or name of the attribute */
	/* Full name of another field or attribute with this name, which is not meant; or NULL. */
	const char *also;
	struct tn_target *target;	/* the fields, sorted by owner (in the order of addresses) */
	size_t n_targets;
	int64_t index[TN_INDEX_MOST];	/* indices of the arrays in the path, the outermost first */
	size_t n_indices;
	bool has_any;		/* some index is TN_INDEX_ANY */
	bool has_texts;		/* for attributes in contexts: in some class it is a text */
};

struct tn_names;

/* Make the names of a set. The set must outlive them, and must not grow. */
enum tn_code tn_names_new(struct tn_names **out, const struct tn_set *set, const struct tn_extras *extras,
			  struct tn_error *err);
void tn_names_free(struct tn_names *names);	/* NULL is allowed */

/*
 * Find the meaning of @name; the result is in @arena. TN_ERR_ARGUMENT: the name is unknown or ambiguous; the text
 * proposes others ("no event has a field 'nmber': the nearest name is 'number'"), and the caller completes it. @among
 * (flags by number of the class; may be NULL): if the name is ambiguous, only these classes count.
 */
enum tn_code tn_names_resolve(const struct tn_names *names, struct tn_arena *arena, const char *name, const uint8_t *among,
			      struct tn_meaning *out, struct tn_error *err);

/*
 * Find the attribute with this name (names_attributes.c), with or without "event." before it. *yields: a field with this
 * name has priority.
 */
bool tn_attribute_find(const struct tn_extras *extras, const char *name, struct tn_meaning *out, bool *yields);

/* Whether a payload field has the same name, so that users may mistake the attribute for it. */
bool tn_attribute_hides(const struct tn_meaning *meaning);
/* The name of the attribute that is valid whatever fields exist; NULL: none. */
const char *tn_attribute_in_full(const struct tn_meaning *meaning);
/* The attribute that other programs name @name; NULL: none. */
const char *tn_attribute_other_word(const char *name);
/* Whether the attribute comes from contexts, though some tracers write it into the events. */
static inline bool
tn_is_of_contexts(const struct tn_meaning *m)
{
	return m->attribute == TN_ATTRIBUTE_TID || m->attribute == TN_ATTRIBUTE_PID || m->attribute == TN_ATTRIBUTE_PROCESS ||
	       m->attribute == TN_ATTRIBUTE_CPU;
}

/* Whether the attribute is a part of a marker. Only sets with classes whose events may be markers have such attributes. */
static inline bool
tn_is_of_markers(const struct tn_meaning *m)
{
	return m->attribute >= TN_ATTRIBUTE_MARKER_PHASE && m->attribute <= TN_ATTRIBUTE_MARKER_VALUE;
}

/* Name number @i of the parts of markers, in the order of their attributes; NULL: there are fewer. */
const char *tn_marker_attribute(size_t i);

/* The length of the name at the start of @text, such as "a.b[2].c"; 0: no name begins there. */
size_t tn_name_length(const char *text);

/* The running thread (running.h); NULL: no event reports it. */
struct tn_running *tn_names_running(const struct tn_names *names);

/* The number of an event class in the set. SIZE_MAX: the class was added later. */
size_t tn_names_class(const struct tn_names *names, const struct tn_stream *stream, uint32_t event_class);
/* The number of the first class of a stream's trace; *n: number of its classes, whose numbers follow. */
size_t tn_names_classes_of(const struct tn_names *names, const struct tn_stream *stream, size_t *n);
size_t tn_names_find_class(const struct tn_names *names, const struct tn_event_class *ec);	/* SIZE_MAX: none of them */
size_t tn_names_class_count(const struct tn_names *names);
const struct tn_event_class *tn_names_event_class(const struct tn_names *names, size_t class);

/* Append the shortest name that means only the path of @field. False: memory is out. */
bool tn_names_shortest(const struct tn_names *names, enum tn_scope scope, const struct tn_field *field, struct tn_str *out);

/* Call @each for each name whose shortest or full form begins with @prefix, in order. False: memory is out. */
bool tn_names_each(const struct tn_names *names, const char *prefix, void (*each)(void *user, const char *name),
		   void *user);

#endif
