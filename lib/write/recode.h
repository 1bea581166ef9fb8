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

struct tn_draft;	/* draft.h */

/* Append @value as the text line shows it: for values without a type. False: memory is out. */
typedef bool tn_value_text_fn(void *user, const struct tn_value *value, struct tn_str *out);

enum tn_way {
	TN_WAY_UNKNOWN, TN_WAY_NOTHING, TN_WAY_INTEGER, TN_WAY_BOOL, TN_WAY_WIDE, TN_WAY_FLOAT, TN_WAY_STRING, TN_WAY_BYTES,
	TN_WAY_STRUCT, TN_WAY_ARRAY, TN_WAY_VARIANT, TN_WAY_OPTIONAL, TN_WAY_TEXT
};

/* The written form of a field. */
struct tn_recode_field {
	enum tn_way way;
	bool own;		/* a length or tag of its own is before it */
	uint8_t bits;		/* INTEGER, FLOAT */
	const char *name;		/* the name, with TSDL's underscore */
	const char *extra;		/* name of the length or tag before it */
	const struct tn_field *target;	/* the field named in the brackets, if not `extra` */
	const struct tn_mapping **label;	/* VARIANT by the labels of `target`: labels of the options */
};

/*
 * A stream class of the draft: one of the trace's, restricted to the members of its common context that events
 * of a stream have. Formats without metadata (ovni) may have a process without a rank beside others.
 */
struct tn_recode_class {
	struct tn_stream_class *to;
	const bool *has;	/* by member of the common context; NULL: all */
};

struct tn_recoder {
	const struct tn_trace *trace;
	bool serial;		/* streams one after the other */
	tn_value_text_fn *value_text;
	void *user;
	struct tn_arena arena;
	struct tn_draft *draft;
	struct tn_recode_field *field;	/* by id */
	uint32_t *slot_users;		/* fields that store to a slot, of one scope: event classes have the same slots */
	const struct tn_field *counted;	/* the scope of slot_users; NULL: none yet */
	struct tn_hash classes;		/* classes of streams: struct tn_recode_class */
	struct tn_type **specific;		/* by event class: its specific context, once an event class has it */
	struct tn_event_class **fixed;		/* by event class: the only class it has */
	struct tn_type *number[2][65], *byte;	/* plain ones: signed or not, by bits; a byte in base 16 */
	bool keep_ids;		/* keep the ids of stream classes */
	struct tn_hash shapes;	/* serial traces: the keys of event classes */
	struct tn_hash names;	/* names of members: key is the address of the name, and the id of its structure */
	struct tn_hash texts;	/* names, each once */
	struct tn_str identifier;	/* the one being made */
	bool failed;		/* memory is out */
};

enum tn_code
tn_recoder_new(struct tn_recoder **out, const struct tn_trace *trace, bool with_uuid, tn_value_text_fn *value_text,
	       void *user, struct tn_error *err);
void tn_recoder_free(struct tn_recoder *rc);	/* NULL is allowed */
/* Call it when all streams are written. */
enum tn_code
tn_recoder_metadata(struct tn_recoder *rc, const char *folder, const char *shown, struct tn_error *err);
/* @number: of the stream within its trace. */
enum tn_code
tn_recode_new(struct tn_sink **out, struct tn_recoder *rc, const struct tn_stream *stream, uint64_t number,
	      const char *folder, const char *name, size_t room, struct tn_error *err);

/* ---- shared by the files ---- */

/* One member of a discovered payload: its field and its written form. */
struct tn_recode_member {
	const struct tn_field *field;
	bool counted;		/* array with as many elements as its class says */
	bool has_nul;		/* text that must be counted */
	uint64_t n;
};

/* A stream's last event, while its class is searched for. */
struct tn_recode_shown {
	struct tn_str key;	/* the key of its class */
	TN_ARRAY(struct tn_recode_member) members;	/* members of its payload */
};

/*
 * Find or make the class of an event, in the stream class @in of the draft, if only the event shows its shape.
 */
enum tn_code
tn_recode_class(struct tn_recoder *rc, struct tn_stream_class *in, const struct tn_event *e, const struct tn_value *payload,
		struct tn_recode_shown *shown, const struct tn_event_class **out, struct tn_error *err);
/* The class of streams whose events have the common context @common (NULL: all of it). */
const struct tn_recode_class *
tn_recode_stream_class(struct tn_recoder *rc, const struct tn_stream_class *sc, const struct tn_value *common,
		       struct tn_error *err);

/* The written form of a field, found at the first call. */
struct tn_recode_field *tn_recode_find_way(struct tn_recoder *rc, const struct tn_field *f);

static inline struct tn_recode_field *
tn_recode_way(struct tn_recoder *rc, const struct tn_field *f)
{
	struct tn_recode_field *way = &rc->field[f->id];

	return way->way != TN_WAY_UNKNOWN ? way : tn_recode_find_way(rc, f);
}

/* The structure of a scope in the draft, with the members in @has (NULL: all); NULL: the scope is not shown. */
struct tn_type *tn_recode_scope(struct tn_recoder *rc, const struct tn_field *root, const bool *has);
/* The payload of a discovered class. */
struct tn_type *tn_recode_shape(struct tn_recoder *rc, const struct tn_recode_member *member, size_t n);
/* @name as a C identifier that is not a keyword; NULL: memory is out. */
const char *tn_recode_identifier(struct tn_recoder *rc, const char *name);
/* Like tn_recode_identifier(), unique within the environment. */
const char *tn_recode_env_name(struct tn_recoder *rc, const char *name);

#define TN_RECODE_COUNTED (1 << 20)	/* arrays of up to this number of elements may be part of a shape */
#define TN_RECODE_SHAPES 4096	/* with this number of classes, shapes are no longer separated by lengths */

/* Bits of the tag that is added to a variant. */
static inline unsigned
tn_recode_tag_bits(const struct tn_type *t)
{
	return t->n_fields > 250 ? 32 : 8;
}

#endif
