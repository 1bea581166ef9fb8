/*
 * metadata.h - the file `metadata` of a CTF trace
 *
 * Plain text, or packets with pieces of it (CTF 1.8.3, 7.1 "Metadata packet structure"). The language is TSDL,
 * or CTF 2 if the first byte shows that, whatever the packet headers claim.
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
	const char *text;	/* the copy, or the original bytes */
	size_t n;
	char *copy;		/* owned, ends with NUL. NULL: the text is not copied */
	bool is_packetized;
	bool has_signature;	/* plain TSDL that begins with the comment of its version, or packets */
	bool big_endian;	/* byte order of the first packet header */
	bool has_uuid;		/* a packet header has one that is not all zeros */
	uint8_t uuid[16];
};

/* Largest size of a file that is copied: larger ones are read where they are mapped. */
#define TN_CTF_METADATA_COPIED ((size_t)1 << 20)

/*
 * Unpack the bytes of a metadata file; @path is for messages. @borrow: plain text is not copied; the bytes may
 * change while they are read, but keep their address.
 */
enum tn_code tn_ctf_metadata_unpack(struct tn_ctf_metadata *out, const uint8_t *bytes, size_t n, bool borrow,
				    const char *path, const struct tn_problems *problems,
				    struct tn_error *err) TN_MUST_CHECK;

void tn_ctf_metadata_release(struct tn_ctf_metadata *m);	/* a zeroed one is allowed */

/* Path of the metadata: trace->path "/metadata", or the one set by the user; "metadata" in tests without a path. */
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
 * All steps: read tn_ctf_metadata_path(), build the model with the builder of its language, check that packet
 * headers and trace agree, set trace->metadata_text and format.
 */
enum tn_code tn_ctf_metadata_load(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;

#endif
