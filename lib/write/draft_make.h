/* draft_make.h - mistakes in a draft: the first mistake is kept, and all later calls do nothing */
#ifndef TN_WRITE_DRAFT_MAKE_H
#define TN_WRITE_DRAFT_MAKE_H

#include "write/draft.h"

static inline bool
usable(struct tn_draft *d)
{
	if (d && d->finished && d->error.code == TN_OK)
		tn_fail(&d->error, TN_ERR_ARGUMENT, "the draft is finished: nothing can be added");
	return d && d->error.code == TN_OK;
}

static inline void *
no_memory(struct tn_draft *d)
{
	tn_fail_memory(&d->error);
	return NULL;
}

#define MISTAKE(d, ...) (tn_fail(&(d)->error, TN_ERR_ARGUMENT, __VA_ARGS__), NULL)

#endif
