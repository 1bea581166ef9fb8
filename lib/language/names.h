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
	TN_ATTRIBUTE_NONE,	/* a field */
	TN_ATTRIBUTE_NAME, TN_ATTRIBUTE_ID, TN_ATTRIBUTE_LOG_LEVEL, TN_ATTRIBUTE_STREAM, TN_ATTRIBUTE_STREAM_ID,
	TN_ATTRIBUTE_TRACE, TN_ATTRIBUTE_HOST, TN_ATTRIBUTE_CPU, TN_ATTRIBUTE_TID, TN_ATTRIBUTE_PID,
	TN_ATTRIBUTE_PROCESS, TN_ATTRIBUTE_TIME, TN_ATTRIBUTE_DELTA, TN_ATTRIBUTE_CYCLES, TN_ATTRIBUTE_PACKET,
	TN_ATTRIBUTE_LOST,
	TN_ATTRIBUTE_RUNNING,	/* the running thread, even if a context has a thread */
	/* Parts of a marker (model/marker.h). */
	TN_ATTRIBUTE_MARKER_PHASE, TN_ATTRIBUTE_MARKER_PID, TN_ATTRIBUTE_MARKER_NAME, TN_ATTRIBUTE_MARKER_TRACK,
	TN_ATTRIBUTE_MARKER_COOKIE, TN_ATTRIBUTE_MARKER_VALUE,
	TN_ATTRIBUTE_EXTRA	/* an attribute of the caller: see tn_extras */
};

/*
 * Attributes that a caller adds, of objects other than events: "dur" of a span. They take precedence over all
 * other names.
 */
enum tn_extra_kind { TN_EXTRA_ANY, TN_EXTRA_NUMBER, TN_EXTRA_TEXT, TN_EXTRA_DURATION, TN_EXTRA_TIME };

struct tn_extras {
	const char *const *name;
	const enum tn_extra_kind *kind;	/* kind of each name; NULL: any kind */
	size_t n;
	/* "spans": objects with these attributes only; NULL: they have the attributes of events, too. */
	const char *of;
};

#define TN_INDEX_ANY (-1)	/* "[*]" */
#define TN_INDEX_MOST 128	/* arrays nested in a path: as many as types allow */

/* A field that a name can mean, in events of one owner. */
struct tn_target {
	const void *owner;	/* event class, stream class or trace */
	const struct tn_field *field;	/* the field; with indices, the element */
	enum tn_scope scope;
};

/* The meaning of a name. */
struct tn_meaning {
	enum tn_attribute_id attribute;
	size_t extra;		/* TN_ATTRIBUTE_EXTRA: its number */
	enum tn_extra_kind kind;
	const char *path;	/* the full path of the field; the name of the attribute */
	/* Full name of another field or attribute of the same name, which is not meant; or NULL. */
	const char *also;
	struct tn_target *target;	/* fields: by owner (in the arbitrary order of addresses) */
	size_t n_targets;
	int64_t index[TN_INDEX_MOST];	/* indices of the arrays in the path, from the outside in */
	size_t n_indices;
	bool has_any;		/* one of them is TN_INDEX_ANY */
	bool has_texts;		/* attributes of contexts: some class has a text there */
};

struct tn_names;

/* The names of a set, which must outlive them and not grow. */
enum tn_code tn_names_new(struct tn_names **out, const struct tn_set *set, const struct tn_extras *extras,
			  struct tn_error *err);
void tn_names_free(struct tn_names *names);	/* NULL is allowed */

/*
 * Resolve @name; the result is in @arena. TN_ERR_ARGUMENT: the name is unknown or ambiguous; the text proposes
 * others ("no event has a field 'nmber': the nearest name is 'number'"), and the caller completes it. @among
 * (by number of the class, may be NULL): if the name is ambiguous, only these classes count.
 */
enum tn_code tn_names_resolve(const struct tn_names *names, struct tn_arena *arena, const char *name, const uint8_t *among,
			      struct tn_meaning *out, struct tn_error *err);

/*
 * The attribute of that name (names_attributes.c), with or without "event."; *yields: a field of that name
 * takes precedence.
 */
bool tn_attribute_find(const struct tn_extras *extras, const char *name, struct tn_meaning *out, bool *yields);

/* Whether a field of the payload with the same name is likely to be mistaken for the attribute. */
bool tn_attribute_hides(const struct tn_meaning *meaning);
/* The attribute's name that is valid whatever fields exist; NULL: none. */
const char *tn_attribute_in_full(const struct tn_meaning *meaning);
/* The attribute with the meaning that other programs call @name; NULL: none. */
const char *tn_attribute_other_word(const char *name);
/* Whether the attribute's source is in contexts, though some tracers write it into the events themselves. */
static inline bool
tn_is_of_contexts(const struct tn_meaning *m)
{
	return m->attribute == TN_ATTRIBUTE_TID || m->attribute == TN_ATTRIBUTE_PID || m->attribute == TN_ATTRIBUTE_PROCESS ||
	       m->attribute == TN_ATTRIBUTE_CPU;
}

/* Whether it is a part of a marker; only sets with classes that may be markers have such attributes. */
static inline bool
tn_is_of_markers(const struct tn_meaning *m)
{
	return m->attribute >= TN_ATTRIBUTE_MARKER_PHASE && m->attribute <= TN_ATTRIBUTE_MARKER_VALUE;
}

/* Names of the parts of markers, in the order of their attributes; NULL: there are fewer. */
const char *tn_marker_attribute(size_t i);

/* Length of the name at the start of @text: "a.b[2].c"; 0: no name begins there. */
size_t tn_name_length(const char *text);

/* The running thread (running.h); NULL: no event reports it. */
struct tn_running *tn_names_running(const struct tn_names *names);

/* Number of an event class within the set. SIZE_MAX: it came later. */
size_t tn_names_class(const struct tn_names *names, const struct tn_stream *stream, uint32_t event_class);
/* Number of the first class of a stream's trace, of *n consecutive ones. */
size_t tn_names_classes_of(const struct tn_names *names, const struct tn_stream *stream, size_t *n);
size_t tn_names_find_class(const struct tn_names *names, const struct tn_event_class *ec);	/* SIZE_MAX: none of them */
size_t tn_names_class_count(const struct tn_names *names);
const struct tn_event_class *tn_names_event_class(const struct tn_names *names, size_t class);

/* Append the shortest valid name for the path of @field alone. False: memory is out. */
bool tn_names_shortest(const struct tn_names *names, enum tn_scope scope, const struct tn_field *field, struct tn_str *out);

/* Called for each name that begins with @prefix (of its shortest or its full form), in order. False: memory is out. */
bool tn_names_each(const struct tn_names *names, const char *prefix, void (*each)(void *user, const char *name),
		   void *user);

#endif
