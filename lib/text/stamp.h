/*
 * stamp.h - the usual stamp of a line in one go
 */
#ifndef TN_TEXT_STAMP_H
#define TN_TEXT_STAMP_H

#include "text/line.h"
#include "text/text.h"

#define TN_STAMP_ROOM 128

/*
 * "[hh:mm:ss.nnnnnnnnn] (+0.nnnnnnnnn) " when @now lies in the second in the cache and less than one behind
 * @previous; NULL when it does not, or when a stamp looks otherwise. Needs TN_STAMP_ROOM.
 */
static inline char *
tn_put_usual_stamp(char *p, const struct tn_second *cache, int64_t now, const struct tn_line_previous *previous)
{
	uint64_t part = (uint64_t)now - (uint64_t)cache->begin_ns, delta;

	if (!cache->usual || part >= 1000000000 || !previous || !previous->known)
		return NULL;
	delta = (uint64_t)now - (uint64_t)previous->ns;
	if (delta >= 1000000000)
		return NULL;
	*p++ = '[';
	memcpy(p, cache->text, 32);
	p += cache->n;
	*p++ = '.';
	p = tn_put_9(p, (uint32_t)part);
	memcpy(p, "] (+0.", 6);
	p = tn_put_9(p + 6, (uint32_t)delta);
	memcpy(p, ") ", 2);
	return p + 2;
}

#endif
