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

/* What is being made around the current place, innermost first. */
struct tsdl_frame {
	struct tsdl_frame *up;
	enum { TSDL_IN_STRUCT, TSDL_IN_VARIANT, TSDL_IN_ARRAY, TSDL_IN_ALIAS } kind;
	const struct tsdl_type *ast;
	struct tn_type *type;		/* its fields before n_fields are complete */
	struct tsdl_frame *home;	/* alias that was declared in a structure: names are looked for there, */
	size_t limit;			/* among the members before its declaration */
};

/* One of the six scopes, of the classes being made. */
struct tsdl_root {
	struct tn_field *field;		/* what a path to the scope leads to, when it is complete; NULL */
	bool is_open;			/* it is being made */
	const struct tsdl_word *option;	/* KEDR: the option of a variant that stands for the whole scope */
};

/* An integer with `map`, or one that a clock is mapped to without. */
struct tsdl_mapped {
	struct tn_field *field;
	struct tn_clock *clock;		/* NULL: mapped by its name only */
	struct tsdl_place place;
	int scope;
};

/* A reserved name and what it makes of a number. */
struct tsdl_reserved {
	const char *name;		/* NULL: the end of a list */
	enum tn_role role;		/* 0: none */
	bool must;			/* what has the name must be a number */
	bool hidden;
};

struct tsdl_builder;

/*
 * What differs between CTF 1.8 and the languages that look like it. Nobody else asks which one it is: what differs is
 * a line here.
 */
struct tsdl_dialect {
	const char *format;		/* the trace's */
	bool (*is_it)(const struct tsdl_unit *u);	/* NULL: when it is none of the others */
	bool (*build)(struct tsdl_builder *b);
	const struct tsdl_reserved *header_names, *context_names;	/* of direct members */
	bool whole_bytes;		/* integers of whole bytes are on a byte by themselves; else all of 8 bits or more */
	bool needs_order;		/* integers have no byte order but one that is written */
	bool signed_numbers;		/* a signed integer may be a size, a counter, a length */
	bool shows_base;		/* `base` is how numbers are shown */
	bool all_options;		/* each option of a variant has a label and each label an option */
	bool guards;			/* what refers into an option learns that another is there; else it finds 0 */
	bool free_dashes;		/* those of a UUID are anywhere or nowhere */
	bool is_loose, strict_uuid;	/* as in struct tn_trace */
};

extern const struct tsdl_dialect tn_tsdl_kedr;

struct tsdl_builder {
	struct tsdl_unit *u;
	struct tn_trace *trace;
	const struct tsdl_dialect *dialect;
	bool has_order;			/* integers that say none have a byte order, the trace's */
	size_t n_fields, max_fields;	/* made so far; a small text must not make an endless model */
	uint64_t work, max_work;	/* names looked at: a small text must not make an endless search */
	unsigned depth;
	bool naming;			/* the type being made gets another name when it is complete */
	struct tsdl_place place;	/* of the type being made */
	struct tsdl_root root[TN_SCOPES];
	int scope;			/* the one being made; -1: a declaration is only checked */
	uint32_t stream, event;		/* numbers of the classes being made */
	struct tn_ctf_wiring wiring;
	TN_ARRAY(struct tsdl_mapped) mapped;	/* of the stream class being made */
	TN_ARRAY(bool) taken;			/* labels of the tag of the variant being made */
	struct tn_clock *implicit_clock;
	struct tsdl_place implicit_place;	/* of the block that makes it */
	bool told_clocks;
	size_t env_room;		/* of trace->env */
};

/* An entry by name; NULL. */
struct tsdl_entry *tn_tsdl_entry(const struct tsdl_block *block, const char *name);

/* ---- tsdl_blocks.c ---- */

/* Every entry is known by one of @names (NULL at the end) and given once; an unknown one is told. */
bool tn_tsdl_check_entries(struct tsdl_builder *b, const struct tsdl_block *block, const char *const *names);
bool tn_tsdl_unsigned(struct tsdl_builder *b, const struct tsdl_entry *e, uint64_t *out);
bool tn_tsdl_byte_order(struct tsdl_builder *b, const struct tsdl_entry *e);	/* sets that of the trace */
bool tn_tsdl_uuid(struct tsdl_builder *b, const struct tsdl_entry *e, uint8_t out[16]);
bool tn_tsdl_build_trace(struct tsdl_builder *b);
bool tn_tsdl_add_env(struct tsdl_builder *b, const struct tn_env *env);
bool tn_tsdl_build_clocks(struct tsdl_builder *b);
struct tn_clock *tn_tsdl_clock(const struct tsdl_builder *b, const char *name);
struct tn_clock *tn_tsdl_default_clock(struct tsdl_builder *b);	/* made when first needed; 1 GHz, origin unknown */

/* ---- tsdl_instance.c ---- */

/* Make @field's type of @ast. */
bool tn_tsdl_instance(struct tsdl_builder *b, struct tsdl_frame *up, const struct tsdl_type *ast,
		      struct tn_field *field);
struct tn_field *tn_tsdl_new_field(struct tsdl_builder *b, size_t n);
void tn_tsdl_name_field(struct tn_field *field, const char *name);

/* The scope @scope made of @type, which must be a structure. */
bool tn_tsdl_scope(struct tsdl_builder *b, int scope, const struct tsdl_type *type, struct tn_field **out);

/* ---- tsdl_reference.c ---- */

struct tsdl_found {
	struct tn_field *field;		/* NULL: in an option that is never there (KEDR) */
	int scope;
	bool guarded;			/* the path leads into an option of a variant */
};

/* What @path means at the field @from, whose type is being made in @up. */
bool tn_tsdl_find(struct tsdl_builder *b, struct tsdl_frame *up, const struct tn_field *from, const struct tsdl_path *path,
		  struct tsdl_found *out);
/* The slot of @found shall be known to @type, and whether the variants that lead there hold it. */
bool tn_tsdl_refer(struct tsdl_builder *b, struct tn_type *type, const struct tsdl_found *found);
/* The length of an array by env; false when @path is none. */
bool tn_tsdl_env_length(struct tsdl_builder *b, const struct tsdl_path *path, uint64_t *out, bool *is_env);
/* @n more names are looked at; @place is told when they are too many. */
bool tn_tsdl_work(struct tsdl_builder *b, size_t n, struct tsdl_place place);

/* ---- tsdl_roles.c ---- */

bool tn_tsdl_header_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e);
bool tn_tsdl_context_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e);
bool tn_tsdl_event_header_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e);
/* Decide the clock of a stream class, all of whose scopes are made. */
bool tn_tsdl_map_clocks(struct tsdl_builder *b, struct tn_stream_class *sc);
/* Hide bookkeeping; slots are known. */
void tn_tsdl_hide(struct tn_trace *trace);
/* Calls @fn for each field below @field, itself included, outer ones first. */
void tn_tsdl_each(struct tn_field *field, void (*fn)(struct tn_field *field, void *user), void *user);

#endif
