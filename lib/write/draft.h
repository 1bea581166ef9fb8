/*
 * draft.h - the model of a trace that is being made (tnav/writer.h)
 *
 * It is an ordinary struct tn_trace without streams. While it is made, types may be shared; finishing
 * copies them, so that each struct tn_field is one place (model/type.h), and finds what references
 * mean.
 */
#ifndef TN_WRITE_DRAFT_H
#define TN_WRITE_DRAFT_H

#include <tnav/writer.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/str.h"
#include "model/trace.h"
#include "write/encode.h"

/* A name that is there once in the type, or the draft, whose address is @in. */
struct tn_draft_name {
	const void *in;
	const char *name;	/* one of tn_draft.texts: the address tells */
};

struct tn_draft {
	struct tn_trace trace;
	struct tn_error error;	/* the first mistake; code 0: none */
	bool finished;
	size_t n_stream_classes, n_event_classes;	/* those that are finished */
	size_t n_env, n_clocks;	/* those whose names are checked */
	size_t n_fields;	/* places that types of finished classes made: they are limited */
	bool is_mixed;		/* some number has another byte order than the trace */
	struct tn_error no_1_8, no_2;	/* the first name that CTF 1.8, CTF 2 cannot say; code 0: none */
	struct tn_hash members;	/* of types and of the environment: keys are struct tn_draft_name */
	struct tn_hash texts;	/* each once: types that are named make many members of few names */
};

/* An event class of a draft. */
struct tn_draft_event {
	struct tn_event_class model;	/* first: this is what the user holds */
	struct tn_encode_program program;	/* common context, specific context and payload; op NULL: not finished */
};

/* A stream class of a draft: what the packet writer has to know besides the model. */
struct tn_draft_class {
	struct tn_stream_class model;	/* first: this is what the user holds */
	enum tn_draft_header header;
	unsigned id_bits, time_bits;	/* of a plain header */
	unsigned discarded_bits, sequence_bits;	/* 0: there is none */
	bool any_order;
	size_t n_own;			/* members of the packet context that the writer fills in itself */
	struct tn_encode_program context;	/* the user's members of the packet context; op NULL: not finished */
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

/* A member whose name in TSDL, with an underscore that readers take away, is not how it is shown. */
void tn_draft_member_as(struct tn_draft *draft, struct tn_type *in, const char *name, const char *label, struct tn_type *type);

/*
 * draft_check.c: what a name may be, and that no number shares a byte with one of the other byte order; of what was added since
 * the draft was finished last, and of a class whose types have their places. False: the draft says why.
 */
bool tn_draft_check_names(struct tn_draft *draft);
bool tn_draft_check_stream_class(struct tn_draft *draft, const struct tn_stream_class *sc);
bool tn_draft_check_event_class(struct tn_draft *draft, const struct tn_event_class *ec);

/* The member @name that comes before @from, in the same structure or one around it; NULL. */
struct tn_field *tn_field_before(const struct tn_field *from, const char *name);

/* What the packet that was closed last says of itself, as an index has it; the offset is the caller's. */
struct tn_packet tn_packet_writer_closed(const struct tn_packet_writer *writer);

/* Bytes of the packet header that every draft has: magic, UUID, stream class id, stream id. */
#define TN_DRAFT_MAGIC UINT32_C(0xc1fc1fc1)

/* Metadata of any model, as text; TN_ERR_UNSUPPORTED for what the form has no word for. */
enum tn_code tn_tsdl_text(struct tn_str *out, const struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;
bool tn_tsdl_is_keyword(const char *name);
enum tn_code tn_ctf2_text(struct tn_str *out, const struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;

#endif
