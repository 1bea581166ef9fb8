/*
 * asker.h - callbacks of a scan within a scan
 *
 * An answer that reads events takes the caller's options and puts callbacks of its own into them. The caller's progress() and
 * stopped() stay in place, with the caller's argument.
 */
#ifndef TN_SCAN_ASKER_H
#define TN_SCAN_ASKER_H

#include <tnav/query.h>

static inline void *
tn_asker(const struct tn_scan_options *o)
{
	return o->has_asker ? o->asker : o->user;
}

/* From now on all callbacks but progress() and stopped() get @user. */
static inline void
tn_answer_with(struct tn_scan_options *o, void *user)
{
	o->asker = tn_asker(o);
	o->has_asker = true;
	o->user = user;
}

#endif
