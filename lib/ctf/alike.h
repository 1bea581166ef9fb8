/*
 * alike.h - whether two metadata describe the same events
 */
#ifndef TN_CTF_ALIKE_H
#define TN_CTF_ALIKE_H

#include "model/trace.h"

/*
 * Whether @more reads packets of the stream class @less as @less itself does: equal scopes and clocks, and all
 * event classes of @less. @more may have others.
 */
bool tn_ctf_alike(const struct tn_stream_class *more, const struct tn_stream_class *less);

#endif
