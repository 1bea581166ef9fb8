/*
 * alike.h - whether two metadata describe the same events
 */
#ifndef TN_CTF_ALIKE_H
#define TN_CTF_ALIKE_H

#include "model/trace.h"

/*
 * Whether @more can read the packets of @less like @less itself: scopes and clocks are equal, and @more has all event
 * classes of @less. @more may have other event classes, too.
 */
bool tn_ctf_alike(const struct tn_stream_class *more, const struct tn_stream_class *less);

#endif
