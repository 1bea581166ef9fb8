/*
 * asker.h - callbacks for a scan that an answer makes
 *
 * An answer that reads events puts its own callbacks into a copy of the caller's options. The caller's progress() and
 * stopped() are kept, with the caller's argument.
 */
#ifndef TN_SCAN_ASKER_H
#define TN_SCAN_ASKER_H

#include <tnav/query.h>

static inline void *
tn_asker(const struct tn_scan_options *o)
{
	return o->has_asker ? o->asker : o->user;
}

/* Give @user to all callbacks except progress() and stopped(). */
static inline void
tn_answer_with(struct tn_scan_options *o, void *user)
{
	o->asker = tn_asker(o);
	o->has_asker = true;
	o->user = user;
}

#endif
