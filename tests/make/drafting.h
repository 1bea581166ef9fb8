/*
 * drafting.h - what programs that draft traces share
 */
#ifndef DRAFTING_H
#define DRAFTING_H

#include <stdio.h>
#include <stdlib.h>

#include <tnav/writer.h>

/* Stops the test if a call fails. */
static inline void
check(enum tn_code code, const struct tn_error *err)
{
	if (code >= 0)
		return;
	fprintf(stderr, "%s\n", err->text);
	exit(2);
}

static inline struct tn_type *
structure(struct tn_draft *d, size_t n, const char *const *name, struct tn_type *const *type)
{
	struct tn_type *t = tn_draft_struct(d);

	for (size_t i = 0; i < n; i++)
		tn_draft_member(d, t, name[i], type[i]);
	return t;
}

#endif
