/*
 * recode.h - any trace as CTF 1.8: its types as those of a draft, its values as data of its events
 *
 * The draft's own writers make metadata and packets of that. All fields begin on byte borders and are little-endian.
 * Types that CTF 1.8 cannot express become
 *
 *	LEB128 integers		64-bit integers
 *	booleans		enumerations of 8 bits, "false" and "true"
 *	bit arrays and maps	unsigned integers in base 16
 *	more than 64 bits	arrays of bytes, the most significant one first
 *	floats of 16 bits	of 32 bits
 *	strings of all kinds	UTF-8, up to a NUL
 *	BLOBs			arrays and sequences of bytes
 *	optionals		a variant of "none" and "some", with a tag
 *	empty packet contexts	those of the export, whose members are not shown: `{ }` is not printed any more
 *
 * A sequence or variant keeps the member with its length or option if TSDL can name that member;
 * else it gets one of its own in front, _NAME_length or _NAME_tag.
 *
 * In some traces an event class does not have one type for its payloads (ovni, vartrace), or names its events one by
 * one (KEDR). Their event classes are made as events arrive: one for each shape. Streams of such traces
 * have to be written one after the other.
 */
#ifndef TN_WRITE_RECODE_H
#define TN_WRITE_RECODE_H

#include "base/hash.h"
#include "base/str.h"
#include "write/sink.h"

struct tn_draft;	/* write/draft.h */

/* Append @value as the text line shows it, for values without a type. False: memory is out. */
typedef bool tn_value_text_fn(void *user, const struct tn_value *value, struct tn_str *out);

enum tn_way {
	TN_WAY_UNKNOWN, TN_WAY_NOTHING, TN_WAY_INTEGER, TN_WAY_BOOL, TN_WAY_WIDE, TN_WAY_FLOAT, TN_WAY_STRING, TN_WAY_BYTES,
	TN_WAY_STRUCT, TN_WAY_ARRAY, TN_WAY_VARIANT, TN_WAY_OPTIONAL, TN_WAY_TEXT
};

/* The written form of a field. */
struct tn_recode_field {
	enum tn_way way;
	bool own;		/* a member with its length or tag is written before it */
	uint8_t bits;		/* size of an INTEGER or FLOAT */
	const char *name;		/* name, with TSDL's underscore */
	const char *extra;		/* name of the member before it with the length or tag */
	const struct tn_field *target;	/* the field named in brackets, if it is not `extra` */
	const struct tn_mapping **label;	/* for a VARIANT selected by the labels of `target`: labels of the options */
};

/*
 * A stream class of the draft: a stream class of the trace, with only those members of its common context that events of
 * a stream have. In formats without metadata (ovni), one process may have a rank and another one none.
 */
struct tn_recode_class {
	struct tn_stream_class *to;
	const bool *has;	/* for each member of the common context, whether it exists; NULL: all exist */
};

struct tn_recoder {
	const struct tn_trace *trace;
	bool serial;		/* streams must be written one after another */
	tn_value_text_fn *value_text;
	void *user;
	struct tn_arena arena;
	struct tn_draft *draft;
	struct tn_recode_field *field;	/* by id of the field */
	uint32_t *slot_users;		/* fields of the current scope that store in each slot; scopes share slots */
	const struct tn_field *counted;	/* the scope that slot_users is valid for; NULL: none yet */
	struct tn_hash classes;		/* classes of streams, as struct tn_recode_class */
	struct tn_type **specific;		/* by event class: its specific context, once a class of the draft has it */
	struct tn_event_class **fixed;		/* by event class: the only class that it has in the draft */
	struct tn_type *number[2][65], *byte;	/* plain integers, by sign and number of bits; a byte in base 16 */
	bool keep_ids;		/* the stream classes keep their ids */
	struct tn_hash shapes;	/* serial traces: keys of event classes */
	struct tn_hash names;	/* names of members; the key is the address of the name and the id of its structure */
	struct tn_hash texts;	/* each name once */
	struct tn_str identifier;	/* the identifier that is being made */
	bool failed;		/* memory is out */
};

enum tn_code
tn_recoder_new(struct tn_recoder **out, const struct tn_trace *trace, bool with_uuid, tn_value_text_fn *value_text,
	       void *user, struct tn_error *err);
void tn_recoder_free(struct tn_recoder *rc);	/* NULL is allowed */
/* Write the metadata. Call this when all streams are written. */
enum tn_code
tn_recoder_metadata(struct tn_recoder *rc, const char *folder, const char *shown, struct tn_error *err);
/* @number: number of the stream in its trace */
enum tn_code
tn_recode_new(struct tn_sink **out, struct tn_recoder *rc, const struct tn_stream *stream, uint64_t number,
	      const char *folder, const char *name, size_t room, struct tn_error *err);

/* ---- shared by the files ---- */

/* A member of the payload of a discovered class: its field and its written form. */
struct tn_recode_member {
	const struct tn_field *field;
	bool counted;		/* an array that always has the number of elements in its class */
	bool has_nul;		/* a text with NULs, which needs a length */
	uint64_t n;
};

/* The last event of a stream, while its class is searched for. */
struct tn_recode_shown {
	struct tn_str key;	/* the key of its class */
	TN_ARRAY(struct tn_recode_member) members;	/* members of its payload */
};

/*
 * Find or make the class of an event in the stream class @in of the draft, for traces whose events alone show their
 * members.
 */
enum tn_code
tn_recode_class(struct tn_recoder *rc, struct tn_stream_class *in, const struct tn_event *e, const struct tn_value *payload,
		struct tn_recode_shown *shown, const struct tn_event_class **out, struct tn_error *err);
/* Get the class of streams whose events have the common context @common (NULL: with all members). */
const struct tn_recode_class *
tn_recode_stream_class(struct tn_recoder *rc, const struct tn_stream_class *sc, const struct tn_value *common,
		       struct tn_error *err);

/* The written form of a field; the first call decides it. */
struct tn_recode_field *tn_recode_find_way(struct tn_recoder *rc, const struct tn_field *f);

static inline struct tn_recode_field *
tn_recode_way(struct tn_recoder *rc, const struct tn_field *f)
{
	struct tn_recode_field *way = &rc->field[f->id];

	return way->way != TN_WAY_UNKNOWN ? way : tn_recode_find_way(rc, f);
}

/* The structure of a scope in the draft, with the members in @has (NULL: all). NULL: the scope is not shown. */
struct tn_type *tn_recode_scope(struct tn_recoder *rc, const struct tn_field *root, const bool *has);
/* The payload of a discovered class. */
struct tn_type *tn_recode_shape(struct tn_recoder *rc, const struct tn_recode_member *member, size_t n);
/* Make @name a C identifier that is not a keyword; NULL: memory is out. */
const char *tn_recode_identifier(struct tn_recoder *rc, const char *name);
/* Like tn_recode_identifier(), but unique in the environment. */
const char *tn_recode_env_name(struct tn_recoder *rc, const char *name);

#define TN_RECODE_COUNTED (1 << 20)	/* arrays of at most this number of elements may be part of a class's key */
#define TN_RECODE_SHAPES 4096	/* with this number of classes, lengths of arrays no longer make separate classes */

/* The number of bits of the tag that is added to a variant. */
static inline unsigned
tn_recode_tag_bits(const struct tn_type *t)
{
	return t->n_fields > 250 ? 32 : 8;
}

#endif
