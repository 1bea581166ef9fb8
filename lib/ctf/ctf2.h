/*
 * ctf2.h - build a trace's model from CTF 2 metadata, a JSON text sequence
 *
 * Errors     TN_ERR_FORMAT, TN_ERR_UNSUPPORTED (a declared extension), TN_ERR_MEMORY. The text has the place:
 *            "FOLDER/metadata:12:3: fragment 5 (event-record-class): payload-field-class.member-classes[2]: ...". Lines
 *            and columns count from 1 (columns in characters). Unusual but readable metadata is reported to
 *            trace->problems with its place.
 * Source     CTF2-SPEC-2.0, 5 "Metadata stream"; release candidates 1.0 to 9.0.
 */
#ifndef TN_CTF_CTF2_H
#define TN_CTF_CTF2_H

#include <stddef.h>

#include "model/trace.h"

/*
 * Build @trace, except its streams, from the metadata text of @n bytes: identity, environment, clocks, packet header,
 * stream and event classes, slots, roles, hidden fields, ids.
 */
enum tn_code tn_ctf2_build(struct tn_trace *trace, const char *text, size_t n, struct tn_error *err) TN_MUST_CHECK;

#endif
