/*
 * alike.h - whether two metadata describe the same events
 */
#ifndef TN_CTF_ALIKE_H
#define TN_CTF_ALIKE_H

#include "model/trace.h"

/*
 * Whether packets of the stream class @less are read with @more as with @less itself: equal scopes and clocks, and
 * each of its event classes is there. @more may have others.
 */
bool tn_ctf_alike(const struct tn_stream_class *more, const struct tn_stream_class *less);

#endif
