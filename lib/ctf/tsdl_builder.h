/*
 * tsdl_builder.h - TSDL tree to model: what the files of the builder share
 *
 * tsdl_build.c     the order of things, stream and event classes
 * tsdl_blocks.c    entries of trace, env and clock blocks
 * tsdl_instance.c  a type of the tree, at one place, as a type of the model
 * tsdl_reference.c paths of lengths and tags to fields; slots
 * tsdl_roles.c     reserved names, clocks, hidden fields
 * tsdl_kedr.c      the KEDR dialect
 */
#ifndef TN_CTF_TSDL_BUILDER_H
#define TN_CTF_TSDL_BUILDER_H

#include "ctf/finish.h"
#include "ctf/tsdl_ast.h"
#include "model/decoder.h"	/* for TN_SCOPES */

/* The types around the current place that are being built, the innermost first. */
struct tsdl_frame {
	struct tsdl_frame *up;
	enum { TSDL_IN_STRUCT, TSDL_IN_VARIANT, TSDL_IN_ARRAY, TSDL_IN_ALIAS } kind;
	const struct tsdl_type *ast;
	struct tn_type *type;		/* its fields before number n_fields are complete */
	struct tsdl_frame *home;	/* for an alias declared in a structure: names are searched for in this structure */
	size_t limit;			/* only among its first `limit` members */
};

/* One of the six scopes of the classes that are being built. */
struct tsdl_root {
	struct tn_field *field;		/* target of a path to the scope, when it is complete; NULL: not yet */
	bool is_open;			/* the scope is being built */
	const struct tsdl_word *option;	/* KEDR: the option of a variant that is used as the whole scope */
};

/* An integer that `map` maps to a clock, or one whose name does. */
struct tsdl_mapped {
	struct tn_field *field;
	struct tn_clock *clock;		/* NULL: the integer is mapped by its name only */
	struct tsdl_place place;
	int scope;
};

/* A reserved name, and the role that it gives to a number. */
struct tsdl_reserved {
	const char *name;		/* NULL ends a list */
	enum tn_role role;		/* 0: no role */
	bool must;			/* a field with this name must be a number */
	bool hidden;
};

struct tsdl_builder;

/*
 * The differences between CTF 1.8 and similar languages. No other code asks for the language: each difference is a member
 * here.
 */
struct tsdl_dialect {
	const char *format;		/* value for trace->format */
	bool (*is_it)(const struct tsdl_unit *u);	/* whether the text is in the dialect; NULL: the default dialect */
	bool (*build)(struct tsdl_builder *b);
	const struct tsdl_reserved *header_names, *context_names;	/* reserved names of direct members of header and context */
	bool whole_bytes;		/* integers of whole bytes are byte-aligned; otherwise all integers of 8 bits or more are */
	bool needs_order;		/* integers have no byte order unless the text gives one */
	bool signed_numbers;		/* a signed integer may be a size, a counter or a length */
	bool shows_base;		/* `base` sets the base in which integers are shown */
	bool all_options;		/* each option of a variant must have a label, and each label an option */
	/* A reference into an option that is not selected is an error; otherwise it gives 0. */
	bool guards;
	bool free_dashes;		/* the dashes of a UUID may be at any places, or missing */
	bool is_loose, strict_uuid;	/* as in struct tn_trace */
};

extern const struct tsdl_dialect tn_tsdl_kedr;

struct tsdl_builder {
	struct tsdl_unit *u;
	struct tn_trace *trace;
	const struct tsdl_dialect *dialect;
	bool has_order;			/* integers that have no byte order get the trace's byte order */
	size_t n_fields, max_fields;	/* number of fields so far, and its limit: a small text must not make a huge model */
	uint64_t work, max_work;	/* names searched; limited: a small text must not cause an endless search */
	unsigned depth;
	bool naming;			/* the current type gets another name when it is complete */
	struct tsdl_place place;	/* place of the current type in the text */
	struct tsdl_root root[TN_SCOPES];
	int scope;			/* the current scope; -1: a declaration is only being checked */
	uint32_t stream, event;		/* numbers of the current classes */
	struct tn_ctf_wiring wiring;
	TN_ARRAY(struct tsdl_mapped) mapped;	/* mapped integers of the current stream class */
	TN_ARRAY(bool) taken;			/* which labels of the tag the current variant has used */
	struct tn_clock *implicit_clock;
	struct tsdl_place implicit_place;	/* place of the block that makes the implicit clock */
	bool told_clocks;
	size_t env_room;		/* allocated size of trace->env */
};

/* Find an entry by name; NULL: none. */
struct tsdl_entry *tn_tsdl_entry(const struct tsdl_block *block, const char *name);

/* ---- tsdl_blocks.c ---- */

/* Check that each entry has one of @names (a list that NULL ends), and occurs once. Unknown entries are reported. */
bool tn_tsdl_check_entries(struct tsdl_builder *b, const struct tsdl_block *block, const char *const *names);
bool tn_tsdl_unsigned(struct tsdl_builder *b, const struct tsdl_entry *e, uint64_t *out);
bool tn_tsdl_byte_order(struct tsdl_builder *b, const struct tsdl_entry *e);	/* sets the trace's byte order */
bool tn_tsdl_uuid(struct tsdl_builder *b, const struct tsdl_entry *e, uint8_t out[16]);
bool tn_tsdl_build_trace(struct tsdl_builder *b);
bool tn_tsdl_add_env(struct tsdl_builder *b, const struct tn_env *env);
bool tn_tsdl_build_clocks(struct tsdl_builder *b);
struct tn_clock *tn_tsdl_clock(const struct tsdl_builder *b, const char *name);
struct tn_clock *tn_tsdl_default_clock(struct tsdl_builder *b);	/* made on first use: 1 GHz, unknown origin */

/* ---- tsdl_instance.c ---- */

/* Build the type of @field from @ast. */
bool tn_tsdl_instance(struct tsdl_builder *b, struct tsdl_frame *up, const struct tsdl_type *ast,
		      struct tn_field *field);
struct tn_field *tn_tsdl_new_field(struct tsdl_builder *b, size_t n);
void tn_tsdl_name_field(struct tn_field *field, const char *name);

/* Build the scope @scope from @type, which must be a structure. */
bool tn_tsdl_scope(struct tsdl_builder *b, int scope, const struct tsdl_type *type, struct tn_field **out);

/* ---- tsdl_reference.c ---- */

struct tsdl_found {
	struct tn_field *field;		/* NULL: in an option that is never selected (KEDR) */
	int scope;
	bool guarded;			/* the path leads into an option of a variant */
};

/* Find the target of @path at the field @from, whose type is being built in @up. */
bool tn_tsdl_find(struct tsdl_builder *b, struct tsdl_frame *up, const struct tn_field *from, const struct tsdl_path *path,
		  struct tsdl_found *out);
/* Make @type refer to the slot of @found, with guards for the variants on the path. */
bool tn_tsdl_refer(struct tsdl_builder *b, struct tn_type *type, const struct tsdl_found *found);
/* Get an array length that env gives. False: @path is not such a length. */
bool tn_tsdl_env_length(struct tsdl_builder *b, const struct tsdl_path *path, uint64_t *out, bool *is_env);
/* Count @n more searched names. Fails at @place if they exceed the limit. */
bool tn_tsdl_work(struct tsdl_builder *b, size_t n, struct tsdl_place place);

/* ---- tsdl_roles.c ---- */

bool tn_tsdl_header_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e);
bool tn_tsdl_context_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e);
bool tn_tsdl_event_header_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e);
/* Choose the clock of a stream class, when all its scopes are complete. */
bool tn_tsdl_map_clocks(struct tsdl_builder *b, struct tn_stream_class *sc);
/* Hide bookkeeping fields. Call it when slots are known. */
void tn_tsdl_hide(struct tn_trace *trace);
/* Call @fn for @field and for each field inside, the outer ones first. */
void tn_tsdl_each(struct tn_field *field, void (*fn)(struct tn_field *field, void *user), void *user);

#endif
