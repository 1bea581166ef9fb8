/*
 * metadata.h - the file `metadata` of a CTF trace
 *
 * Plain text, or packets that hold pieces of it (CTF 1.8.3, 7.1 "Metadata packet structure"); TSDL
 * or, whatever the packet headers say, CTF 2 when its first byte says so.
 */
#ifndef TN_CTF_METADATA_H
#define TN_CTF_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "model/trace.h"

enum tn_ctf_language { TN_CTF_TSDL, TN_CTF_JSON };

struct tn_ctf_metadata {
	enum tn_ctf_language language;
	const char *text;	/* the copy, or the bytes themselves */
	size_t n;
	char *copy;		/* owned; NUL behind its end. NULL: the text is not copied */
	bool is_packetized;
	bool has_signature;	/* plain TSDL that begins with the comment of its version, or packets */
	bool big_endian;	/* of the first packet header */
	bool has_uuid;		/* a packet header has one that is not all zeros */
	uint8_t uuid[16];
};

#define TN_CTF_METADATA_COPIED ((size_t)1 << 20)	/* bytes of a file that is copied: more is read where it is mapped */

/*
 * Of the bytes of a metadata file; @path is for messages. @borrow: plain text is not copied; the bytes may change while
 * they are read, and stay where they are.
 */
enum tn_code tn_ctf_metadata_unpack(struct tn_ctf_metadata *out, const uint8_t *bytes, size_t n, bool borrow,
				    const char *path, const struct tn_problems *problems,
				    struct tn_error *err) TN_MUST_CHECK;

void tn_ctf_metadata_release(struct tn_ctf_metadata *m);	/* a zeroed one is allowed */

/* Where the metadata is: trace->path "/metadata", or where the user has it; "metadata" in tests without a path. */
static inline void
tn_ctf_metadata_path(const struct tn_trace *trace, struct tn_str *out)
{
	if (trace->options && trace->options->metadata && !trace->memory)
		tn_str_puts(out, trace->options->metadata);
	else if (trace->path && *trace->path)
		tn_str_printf(out, "%s/metadata", trace->path);
	else
		tn_str_puts(out, "metadata");
}

/*
 * All at once: read tn_ctf_metadata_path(), build the model with the builder of its language, check
 * that packet headers and trace agree, set trace->metadata_text and format.
 */
enum tn_code tn_ctf_metadata_load(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;

#endif
