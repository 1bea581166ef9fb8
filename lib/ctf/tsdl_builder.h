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
#include "model/decoder.h"	/* TN_SCOPES */

/* The types under construction around the current place, innermost first. */
struct tsdl_frame {
	struct tsdl_frame *up;
	enum { TSDL_IN_STRUCT, TSDL_IN_VARIANT, TSDL_IN_ARRAY, TSDL_IN_ALIAS } kind;
	const struct tsdl_type *ast;
	struct tn_type *type;		/* its fields before n_fields are complete */
	struct tsdl_frame *home;	/* for an alias declared in a structure: names are searched for there, */
	size_t limit;			/* among the members before its declaration */
};

/* One of the six scopes, of the classes being made. */
struct tsdl_root {
	struct tn_field *field;		/* target of a path to the scope, once it is complete; NULL */
	bool is_open;			/* the scope is under construction */
	const struct tsdl_word *option;	/* KEDR: the option of a variant that replaces the whole scope */
};

/* An integer with `map`, or one mapped to a clock without it. */
struct tsdl_mapped {
	struct tn_field *field;
	struct tn_clock *clock;		/* NULL: mapped by its name only */
	struct tsdl_place place;
	int scope;
};

/* A reserved name and the role it gives to a number. */
struct tsdl_reserved {
	const char *name;		/* NULL: the end of a list */
	enum tn_role role;		/* 0: none */
	bool must;			/* a field with this name must be a number */
	bool hidden;
};

struct tsdl_builder;

/*
 * Differences between CTF 1.8 and similar languages. No other code asks for the language: each difference is a
 * line here.
 */
struct tsdl_dialect {
	const char *format;		/* the trace's */
	bool (*is_it)(const struct tsdl_unit *u);	/* whether the text is in the dialect; NULL: the default */
	bool (*build)(struct tsdl_builder *b);
	const struct tsdl_reserved *header_names, *context_names;	/* reserved names of direct members */
	bool whole_bytes;		/* integers of whole bytes are byte-aligned; else all of 8 bits or more */
	bool needs_order;		/* integers do not have a byte order unless it is written */
	bool signed_numbers;		/* a signed integer may be a size, a counter, a length */
	bool shows_base;		/* `base` sets the base for display */
	bool all_options;		/* each option of a variant has a label and each label an option */
	/* A reference into an option that is not selected is an error; else it reads 0. */
	bool guards;
	bool free_dashes;		/* dashes of a UUID may be anywhere or missing */
	bool is_loose, strict_uuid;	/* as in struct tn_trace */
};

extern const struct tsdl_dialect tn_tsdl_kedr;

struct tsdl_builder {
	struct tsdl_unit *u;
	struct tn_trace *trace;
	const struct tsdl_dialect *dialect;
	bool has_order;			/* integers without a byte order have the trace's */
	size_t n_fields, max_fields;	/* made so far; limited: a small text must not make an endless model */
	uint64_t work, max_work;	/* names searched; limited: a small text must not cause an endless search */
	unsigned depth;
	bool naming;			/* the type being made gets another name when it is complete */
	struct tsdl_place place;	/* place of the type being made */
	struct tsdl_root root[TN_SCOPES];
	int scope;			/* the current one; -1: a declaration is only checked */
	uint32_t stream, event;		/* numbers of the classes being made */
	struct tn_ctf_wiring wiring;
	TN_ARRAY(struct tsdl_mapped) mapped;	/* integers of the stream class being made */
	TN_ARRAY(bool) taken;			/* labels of the tag of the variant being made */
	struct tn_clock *implicit_clock;
	struct tsdl_place implicit_place;	/* place of the block that makes it */
	bool told_clocks;
	size_t env_room;		/* size of trace->env */
};

/* Find an entry by name; NULL: none. */
struct tsdl_entry *tn_tsdl_entry(const struct tsdl_block *block, const char *name);

/* ---- tsdl_blocks.c ---- */

/* Check that every entry has one of @names (NULL at the end) and occurs once; report unknown ones. */
bool tn_tsdl_check_entries(struct tsdl_builder *b, const struct tsdl_block *block, const char *const *names);
bool tn_tsdl_unsigned(struct tsdl_builder *b, const struct tsdl_entry *e, uint64_t *out);
bool tn_tsdl_byte_order(struct tsdl_builder *b, const struct tsdl_entry *e);	/* sets that of the trace */
bool tn_tsdl_uuid(struct tsdl_builder *b, const struct tsdl_entry *e, uint8_t out[16]);
bool tn_tsdl_build_trace(struct tsdl_builder *b);
bool tn_tsdl_add_env(struct tsdl_builder *b, const struct tn_env *env);
bool tn_tsdl_build_clocks(struct tsdl_builder *b);
struct tn_clock *tn_tsdl_clock(const struct tsdl_builder *b, const char *name);
struct tn_clock *tn_tsdl_default_clock(struct tsdl_builder *b);	/* made on first use; 1 GHz, origin unknown */

/* ---- tsdl_instance.c ---- */

/* Build @field's type from @ast. */
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

/* The target of @path at the field @from, whose type is under construction in @up. */
bool tn_tsdl_find(struct tsdl_builder *b, struct tsdl_frame *up, const struct tn_field *from, const struct tsdl_path *path,
		  struct tsdl_found *out);
/* Make @type refer to the slot of @found, guarded by the variants on the path. */
bool tn_tsdl_refer(struct tsdl_builder *b, struct tn_type *type, const struct tsdl_found *found);
/* The length of an array given by env; false: @path is not such a length. */
bool tn_tsdl_env_length(struct tsdl_builder *b, const struct tsdl_path *path, uint64_t *out, bool *is_env);
/* Count @n more searched names; fails at @place when they exceed the limit. */
bool tn_tsdl_work(struct tsdl_builder *b, size_t n, struct tsdl_place place);

/* ---- tsdl_roles.c ---- */

bool tn_tsdl_header_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e);
bool tn_tsdl_context_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e);
bool tn_tsdl_event_header_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e);
/* Choose the clock of a stream class, all of whose scopes are complete. */
bool tn_tsdl_map_clocks(struct tsdl_builder *b, struct tn_stream_class *sc);
/* Hide bookkeeping fields; slots are known. */
void tn_tsdl_hide(struct tn_trace *trace);
/* Call @fn for each field below @field and for @field, outer ones first. */
void tn_tsdl_each(struct tn_field *field, void (*fn)(struct tn_field *field, void *user), void *user);

#endif
