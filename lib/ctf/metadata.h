/*
 * metadata.h - read the file `metadata` of a CTF trace
 *
 * The file is plain text, or packets with pieces of the text (CTF 1.8.3, 7.1 "Metadata packet structure"). The language
 * is CTF 2 if the first byte shows this, otherwise TSDL, whatever the packet headers claim.
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
	const char *text;	/* the copy, or the bytes of the file */
	size_t n;
	char *copy;		/* owned; ends with a NUL. NULL: the text is not copied */
	bool is_packetized;
	bool has_signature;	/* the text is in packets, or begins with the comment that names the version of TSDL */
	bool big_endian;	/* byte order of the first packet header */
	bool has_uuid;		/* some packet header has a UUID that is not all zeros */
	uint8_t uuid[16];
};

/* Limit of the size of a file that is copied; larger files are read from their map. */
#define TN_CTF_METADATA_COPIED ((size_t)1 << 20)

/*
 * Unpack the bytes of a metadata file; @path is for messages. @borrow: do not copy plain text. Borrowed bytes may change
 * while they are read, but must keep their address.
 */
enum tn_code tn_ctf_metadata_unpack(struct tn_ctf_metadata *out, const uint8_t *bytes, size_t n, bool borrow,
				    const char *path, const struct tn_problems *problems,
				    struct tn_error *err) TN_MUST_CHECK;

void tn_ctf_metadata_release(struct tn_ctf_metadata *m);	/* a zeroed one is allowed */

/*
 * The path of the metadata: the path that the user set, or trace->path with "/metadata"; "metadata" in tests without a
 * path.
 */
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
 * Do all steps: read the file at tn_ctf_metadata_path(), build the model in its language, check that packet headers and
 * trace agree, and set trace->metadata_text and format.
 */
enum tn_code tn_ctf_metadata_load(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;

#endif
