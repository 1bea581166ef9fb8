/*
 * draft.h - the model of a trace that is being made (tnav/writer.h)
 *
 * It is an ordinary struct tn_trace without streams. While it is made, several fields may share a type. Finishing copies
 * such types, so that each struct tn_field is one place (model/type.h), and resolves references.
 */
#ifndef TN_WRITE_DRAFT_H
#define TN_WRITE_DRAFT_H

#include <tnav/writer.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/str.h"
#include "model/trace.h"
#include "write/encode.h"

/* A name that must be unique in the type, or the draft, with the address @in. */
struct tn_draft_name {
	const void *in;
	const char *name;	/* one of tn_draft.texts, so that addresses can be compared */
};

struct tn_draft {
	struct tn_trace trace;
	struct tn_error error;	/* the first mistake; its code is 0 if there is none */
	bool finished;
	size_t n_stream_classes, n_event_classes;	/* numbers of finished classes */
	size_t n_env, n_clocks;	/* numbers of items whose names are checked */
	size_t n_fields;	/* number of fields that the types of finished classes have; it is limited */
	bool is_mixed;		/* some number has another byte order than the trace */
	struct tn_error no_1_8, no_2;	/* the first name that CTF 1.8, or CTF 2, cannot express; code 0: none */
	struct tn_hash members;	/* members of types and of the environment; keys are struct tn_draft_name */
	struct tn_hash texts;	/* each text once, because copies of named types have many members but few names */
};

/* An event class of a draft. */
struct tn_draft_event {
	struct tn_event_class model;	/* the user's handle, so it is the first member */
	struct tn_encode_program program;	/* for common context, specific context and payload; op NULL: not finished */
};

/* A stream class of a draft: the model, and data for the packet writer. */
struct tn_draft_class {
	struct tn_stream_class model;	/* the user's handle, so it is the first member */
	enum tn_draft_header header;
	unsigned id_bits, time_bits;	/* sizes of the numbers in a plain header */
	unsigned discarded_bits, sequence_bits;	/* 0: absent */
	bool any_order;
	size_t n_own;			/* number of members in the packet context whose values the writer sets */
	struct tn_encode_program context;	/* for the user's members of the packet context; op NULL: not finished */
};

static inline const struct tn_draft_class *
tn_draft_class_of(const struct tn_stream_class *model)
{
	return (const struct tn_draft_class *)model;
}

static inline const struct tn_encode_program *
tn_draft_program(const struct tn_event_class *model)
{
	return &((const struct tn_draft_event *)model)->program;
}

/* Add a member whose name in TSDL differs from its displayed name: it has an underscore that readers remove. */
void tn_draft_member_as(struct tn_draft *draft, struct tn_type *in, const char *name, const char *label, struct tn_type *type);

/*
 * draft_check.c: check the names, and that no number shares a byte with a number of the other byte order. Checks the
 * parts added since the draft was last finished, or a class with its fields. False: the draft has the error.
 */
bool tn_draft_check_names(struct tn_draft *draft);
bool tn_draft_check_stream_class(struct tn_draft *draft, const struct tn_stream_class *sc);
bool tn_draft_check_event_class(struct tn_draft *draft, const struct tn_event_class *ec);

/* Find the member @name before @from, in the same structure or one around it; NULL: none. */
struct tn_field *tn_field_before(const struct tn_field *from, const char *name);

/* The last closed packet as an entry of an index; the caller sets the offset. */
struct tn_packet tn_packet_writer_closed(const struct tn_packet_writer *writer);

/* The packet header of each draft: magic, UUID, stream class id, stream id. */
#define TN_DRAFT_MAGIC UINT32_C(0xc1fc1fc1)

/* Write the metadata of a model as text. TN_ERR_UNSUPPORTED: this version of CTF cannot express the model. */
enum tn_code tn_tsdl_text(struct tn_str *out, const struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;
bool tn_tsdl_is_keyword(const char *name);
enum tn_code tn_ctf2_text(struct tn_str *out, const struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;

#endif
