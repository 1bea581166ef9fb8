/*
 * ctf2_builder.h - shared by the parts of the CTF 2 metadata reader, and included by no other file
 *
 * Functions that return bool: false is failure, with place and cause in b->error.
 *
 *	ctf2_sequence.c  the texts of the sequence
 *	ctf2_place.c   errors, warnings, properties of objects
 *	ctf2_build.c   fragments: preamble, aliases; the finished model
 *	ctf2_class.c   fragments that are classes: of traces, clocks, streams, events
 *	ctf2_type.c    field classes to types
 *	ctf2_range.c   range sets, mappings, flags
 *	ctf2_locate.c  field locations to slots (locate.h walks)
 */
#ifndef TN_CTF_CTF2_BUILDER_H
#define TN_CTF_CTF2_BUILDER_H

#include "base/array.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/str.h"
#include "ctf/ctf2_sequence.h"
#include "ctf/finish.h"
#include "model/decoder.h"
#include "model/trace.h"

/* A field class that refers to another field. The reference is resolved when the whole scope is built. */
struct tn_ctf2_ref {
	struct tn_field *field;
	const struct tn_json *node;	/* the JSON of the field class */
	const struct tn_json *location;
	const struct tn_json *use;	/* the outermost use of the alias in which it is; NULL: none */
};

struct tn_ctf2_alias {
	const char *name;
	const struct tn_json *type;	/* the value of "field-class" in its fragment */
};

struct tn_ctf2_clock {
	const char *id;
	struct tn_clock *clock;
};

/* Kinds of names or numbers that must be unique. */
enum tn_ctf2_space {
	TN_CTF2_ALIAS,		/* the key is a name */
	TN_CTF2_CLOCK,		/* the key is an id, which is a text */
	TN_CTF2_STREAM,		/* the key is a 64-bit number */
	TN_CTF2_EVENT,		/* the key is two numbers: of the stream class, and of the event class */
	TN_CTF2_SPACES
};

struct tn_ctf2 {
	struct tn_trace *trace;
	const char *text;
	size_t n;
	struct tn_arena *arena;	/* memory of types: the trace's arena, or a temporary one while an alias is only checked */
	struct tn_error error;
	unsigned fragment;	/* number of the current fragment, from 1 */
	bool keep;		/* the current text has aliases, so its values are needed until the end */
	bool lends;		/* the model uses strings of the current text */
	bool preamble, trace_class, foreign;	/* these occurred; `foreign`: a word of a release candidate */
	TN_ARRAY(struct tn_arena) kept;	/* JSON that is needed until the end, because it has aliases */
	TN_ARRAY(size_t) warned;	/* values for which a warning was given */
	unsigned odd;		/* TN_CTF2_ODD_... that were already reported */

	TN_ARRAY(struct tn_ctf2_alias) aliases;
	TN_ARRAY(struct tn_ctf2_clock) clocks;
	TN_ARRAY(struct tn_stream_class *) stream_classes;
	TN_ARRAY(struct tn_event_class *) event_classes;
	struct tn_hash taken[TN_CTF2_SPACES];	/* from key to index, for each kind */
	struct tn_arena keys;	/* the keys of `taken` */

	/* The scope that is being built. */
	int scope;		/* enum tn_scope; -1: none, because an alias is being checked */
	uint32_t stream, event;	/* numbers of the scope's classes, in the order of the text; or TN_CTF_EVERY */
	bool has_clock;		/* its stream class has a clock */
	const struct tn_json *use;	/* the outermost use of an alias on the current path; NULL: none */
	struct tn_field *root[TN_SCOPES];	/* NULL: the scope is absent, or not decoded before the current one */
	uint64_t work;		/* number of names compared along paths */
	uint64_t size, limit;	/* size of all types ever built, and its limit: aliases of aliases can grow without end */
	TN_ARRAY(struct tn_ctf2_ref) refs;	/* references in this scope */

	struct tn_ctf_wiring wiring;
};

/* ---- ctf2_place.c ---- */

/* Fail with "FOLDER/metadata:3:61: fragment 3 (clock-class): path: ..."; if @node is NULL, with "FOLDER/metadata: ...". */
bool tn_ctf2_fail(struct tn_ctf2 *b, const struct tn_json *node, const char *format, ...) TN_PRINTF(3, 4);
bool tn_ctf2_fail_at(struct tn_ctf2 *b, size_t at, const char *format, ...) TN_PRINTF(3, 4);
bool tn_ctf2_no_memory(struct tn_ctf2 *b);
/* Warn, once for each value. */
void tn_ctf2_warn(struct tn_ctf2 *b, const struct tn_json *node, const char *format, ...) TN_PRINTF(3, 4);
/* Like tn_ctf2_warn(), for violations of the specification: TN_WRONG. */
void tn_ctf2_wrong(struct tn_ctf2 *b, const struct tn_json *node, const char *format, ...) TN_PRINTF(3, 4);
void tn_ctf2_wrong_at(struct tn_ctf2 *b, size_t at, const char *format, ...) TN_PRINTF(3, 4);
/* Warn of a word from a release candidate, once in a trace. */
void tn_ctf2_foreign(struct tn_ctf2 *b, const struct tn_json *node, const char *instead);

/* The text of a value as in the metadata, shortened, and in one line. Returns @buf. */
const char *tn_ctf2_quote(const struct tn_ctf2 *b, const struct tn_json *node, char *buf, size_t size);

bool tn_ctf2_expect(struct tn_ctf2 *b, const struct tn_json *node, enum tn_json_kind kind);
/* Get the property @key of @object, and check its kind. *out is NULL if it is absent and not @required. */
bool tn_ctf2_property(struct tn_ctf2 *b, const struct tn_json *object, const char *key, enum tn_json_kind kind,
		      bool required, const struct tn_json **out);
/* Like tn_ctf2_property(), for a property that has another name in release candidates. */
bool tn_ctf2_property_or(struct tn_ctf2 *b, const struct tn_json *object, const char *key, const char *old,
			 enum tn_json_kind kind, const struct tn_json **out);
/* Get an integer >= 0 of at most 64 bits. *out does not change if the property is absent. */
bool tn_ctf2_uint(struct tn_ctf2 *b, const struct tn_json *object, const char *key, bool required, uint64_t *out);
/* Get a copy of a string. *out does not change if the property is absent. */
bool tn_ctf2_string(struct tn_ctf2 *b, const struct tn_json *object, const char *key, const char **out);

/* Zeroed memory for types and their parts. NULL: memory is out, and b->error is set. */
void *tn_ctf2_alloc(struct tn_ctf2 *b, size_t n, size_t size);
#define TN_CTF2_NEW(b, n, type) ((type *)tn_ctf2_alloc((b), (n), sizeof(type)))
char *tn_ctf2_copy(struct tn_ctf2 *b, const char *text);

/*
 * tn_ctf2_find() returns the index for a key of @n bytes; -1: none. tn_ctf2_take() adds a key; false: memory is out, and
 * b->error is set.
 */
int64_t tn_ctf2_find(const struct tn_ctf2 *b, enum tn_ctf2_space space, const void *key, size_t n);
bool tn_ctf2_take(struct tn_ctf2 *b, enum tn_ctf2_space space, const void *key, size_t n, size_t index);

/*
 * Read the properties that each object of the metadata may have. Warn of properties that are neither these nor in @known,
 * check extensions, and put the text of the attributes into *attributes (may be NULL).
 */
bool tn_ctf2_common(struct tn_ctf2 *b, const struct tn_json *object, const char *known, const char **attributes);
/* The attributes of @object; NULL: none. */
const struct tn_json *tn_ctf2_attributes(const struct tn_json *object);
/* Whether a field class or member is marked as having no purpose but to be a length or selector. */
bool tn_ctf2_key_only(const struct tn_json *object);

/* ---- ctf2_class.c ---- */

bool tn_ctf2_read_uuid(struct tn_ctf2 *b, const struct tn_json *node, uint8_t *uuid);
/* Read a fragment of this kind into the trace. */
bool tn_ctf2_read_trace_class(struct tn_ctf2 *b, const struct tn_json *node);
bool tn_ctf2_read_clock_class(struct tn_ctf2 *b, const struct tn_json *node);
bool tn_ctf2_read_stream_class(struct tn_ctf2 *b, const struct tn_json *node);
bool tn_ctf2_read_event_class(struct tn_ctf2 *b, const struct tn_json *node);

/* ---- ctf2_type.c ---- */

/*
 * Build the field class @node, or the alias whose name it is, into field->type. @first: it is the first member of its
 * scope.
 */
bool tn_ctf2_field(struct tn_ctf2 *b, const struct tn_json *node, struct tn_field *field, unsigned depth, bool first);

/* ---- ctf2_range.c ---- */

bool tn_ctf2_check_ranges(struct tn_ctf2 *b, const struct tn_json *node);
/* Get ranges of integers with or without sign: limited to 64 bits, and without ranges that never match. */
bool tn_ctf2_ranges(struct tn_ctf2 *b, const struct tn_json *node, bool is_signed, const struct tn_range **out,
		    size_t *n);
/* Read "mappings" or "flags" of @object into @type. */
bool tn_ctf2_mappings(struct tn_ctf2 *b, const struct tn_json *object, const char *key, struct tn_type *type);

/* ---- ctf2_locate.c ---- */

/* Check that a field location is valid, and record it for tn_ctf2_resolve(). */
bool tn_ctf2_refer(struct tn_ctf2 *b, const struct tn_json *node, const char *key, struct tn_field *field);
/* Resolve the recorded locations. The parents of the scope's fields must be set. */
bool tn_ctf2_resolve(struct tn_ctf2 *b);

#endif
