/* tsdl.h - CTF 1.8 metadata: text to model */
#ifndef TN_CTF_TSDL_H
#define TN_CTF_TSDL_H

#include <stddef.h>

#include "base/error.h"
#include "model/trace.h"

/*
 * Build @trace from @n bytes of TSDL, or of the KEDR dialect, which is recognised by its text. Streams, path, name,
 * metadata_text and ops are not set. The model does not refer to @text.
 *
 * Unusual metadata is reported to trace->problems. The text of an error begins with the place, after the trace's path if
 * it has one: "PATH/metadata:LINE:COLUMN: `offending text`: why".
 */
enum tn_code
tn_tsdl_build(struct tn_trace *trace, const char *text, size_t n, struct tn_error *err) TN_MUST_CHECK;

#endif
