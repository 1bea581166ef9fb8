/*
 * names.h - what a person can call things: the fields and attributes of a set of traces
 *
 * A field has a full path, as details, CSV and JSON lines show it: "event.fields.ret", "event.context.vtid",
 * "packet.context.cpu_id". Any tail of it that means one path only is enough: "ret", "fields.ret". The names of
 * options of variants may be left out, as they are where values are shown. Elements of arrays: "args[2]",
 * "args[*]" (any of them), "list[*].x". The same path in several event classes is one name. The fields of packet
 * and event headers, which no line shows, take their scope with them: "event.header.id". The longer names of
 * TSDL ("stream.event.context.vpid") are understood too.
 *
 * An attribute is what every event has, whatever its tracer: tn_attributes() is the table. "event." may stand
 * before it. Where the name of one is also that of a field, see tn_attribute.yields and tn_meaning.also.
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
	TN_ATTRIBUTE_EXTRA	/* of the caller: see tn_extras */
};

/* Attributes that a caller adds, of things that are no events: "dur" of a span. They win over all other names. */
enum tn_extra_kind { TN_EXTRA_ANY, TN_EXTRA_NUMBER, TN_EXTRA_TEXT, TN_EXTRA_DURATION, TN_EXTRA_TIME };

struct tn_extras {
	const char *const *name;
	const enum tn_extra_kind *kind;	/* of each; NULL: any */
	size_t n;
	const char *of;		/* "spans": what has them, which has nothing else; NULL: what events have is there, too */
};

#define TN_INDEX_ANY (-1)	/* "[*]" */
#define TN_INDEX_MOST 128	/* arrays in each other that a path may lead through: as many as types have */

/* A field that a name can mean, in the events of one owner. */
struct tn_target {
	const void *owner;	/* event class, stream class or trace */
	const struct tn_field *field;	/* with indices: the element */
	enum tn_scope scope;
};

/* What a name means. */
struct tn_meaning {
	enum tn_attribute_id attribute;
	size_t extra;		/* TN_ATTRIBUTE_EXTRA: which */
	enum tn_extra_kind kind;
	const char *path;	/* the full path of the field; the name of the attribute */
	const char *also;	/* the full name of what is called so as well, and not meant: a field, an attribute; or NULL */
	struct tn_target *target;	/* fields: by owner (not in the order of their addresses' meaning) */
	size_t n_targets;
	int64_t index[TN_INDEX_MOST];	/* of the arrays on the way */
	size_t n_indices;
	bool has_any;		/* one of them is TN_INDEX_ANY */
};

struct tn_names;

/* The names of a set, which must outlive them and not grow. */
enum tn_code tn_names_new(struct tn_names **out, const struct tn_set *set, const struct tn_extras *extras,
			  struct tn_error *err);
void tn_names_free(struct tn_names *names);	/* NULL is allowed */

/*
 * What @name means; what is made lives in @arena. TN_ERR_ARGUMENT: nothing, or several things; the text says what
 * there is ("no event has a field 'nmber': the nearest name is 'number'"). The end of the text is the caller's.
 * @among (by number of the class, may be NULL): of several meanings those of events of these classes count.
 */
enum tn_code tn_names_resolve(const struct tn_names *names, struct tn_arena *arena, const char *name, const uint8_t *among,
			      struct tn_meaning *out, struct tn_error *err);

/* The attribute of that name (names_attributes.c), "event." before it or not; *yields: a field so called is meant instead. */
bool tn_attribute_find(const struct tn_extras *extras, const char *name, struct tn_meaning *out, bool *yields);

/* A field of the payload that is called like it is likely to be mistaken for it. */
bool tn_attribute_hides(const struct tn_meaning *meaning);
/* Its name as it is understood whatever fields there are; NULL: it has none. */
const char *tn_attribute_in_full(const struct tn_meaning *meaning);
/* What an attribute is called here that other programs call @name; NULL: none. */
const char *tn_attribute_other_word(const char *name);
/* What the attribute is taken from is in contexts; some tracers write it into the events themselves. */
static inline bool
tn_is_of_contexts(const struct tn_meaning *m)
{
	return m->attribute == TN_ATTRIBUTE_TID || m->attribute == TN_ATTRIBUTE_PID || m->attribute == TN_ATTRIBUTE_PROCESS ||
	       m->attribute == TN_ATTRIBUTE_CPU;
}

/* How far a name can be read in @text: "a.b[2].c", 0 when none begins there. */
size_t tn_name_length(const char *text);

/* The number of an event class among all of the set. SIZE_MAX: it came later. */
size_t tn_names_class(const struct tn_names *names, const struct tn_stream *stream, uint32_t event_class);
/* The number of the first class of a stream's trace, of *n that follow each other. */
size_t tn_names_classes_of(const struct tn_names *names, const struct tn_stream *stream, size_t *n);
size_t tn_names_find_class(const struct tn_names *names, const struct tn_event_class *ec);	/* SIZE_MAX: none of them */
size_t tn_names_class_count(const struct tn_names *names);
const struct tn_event_class *tn_names_event_class(const struct tn_names *names, size_t class);

/* The shortest name of @field that is understood and means just its path; appended. False: memory is out. */
bool tn_names_shortest(const struct tn_names *names, enum tn_scope scope, const struct tn_field *field, struct tn_str *out);

/* Called for each name that begins with @prefix (of its shortest or its full form), in order. False: memory is out. */
bool tn_names_each(const struct tn_names *names, const char *prefix, void (*each)(void *user, const char *name),
		   void *user);

#endif
