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
#include "base/str.h"
#include "model/trace.h"
#include "write/encode.h"

struct tn_draft {
	struct tn_trace trace;
	struct tn_error error;	/* the first mistake; code 0: none */
	bool finished;
};

/* A stream class of a draft: what the packet writer has to know besides the model. */
struct tn_draft_class {
	struct tn_stream_class model;	/* first: this is what the user holds */
	enum tn_draft_header header;
	unsigned id_bits, time_bits;	/* of a plain header */
	bool discarded, sequence;
	size_t n_own;			/* members of the packet context that the writer fills in itself */
	struct tn_encode_program context;	/* the user's members of the packet context */
	struct tn_encode_program *event;	/* common context, specific context and payload, by id */
};

static inline const struct tn_draft_class *
tn_draft_class_of(const struct tn_stream_class *model)
{
	return (const struct tn_draft_class *)model;
}

/* Bytes of the packet header that every draft has: magic, UUID, stream class id, stream id. */
#define TN_DRAFT_MAGIC UINT32_C(0xc1fc1fc1)

/* Metadata of any model, as text; TN_ERR_UNSUPPORTED for what the form has no word for. */
enum tn_code tn_tsdl_text(struct tn_str *out, const struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;
/* Parts of it. */
void tn_tsdl_write_quoted(struct tn_str *out, const char *text);
void tn_tsdl_write_uuid(struct tn_str *out, const uint8_t uuid[16]);
void tn_tsdl_write_clock(struct tn_str *out, const struct tn_clock *clock);
bool tn_tsdl_is_keyword(const char *name);
enum tn_code tn_ctf2_text(struct tn_str *out, const struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;

#endif
