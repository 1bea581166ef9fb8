/* flame.h - flames for answers on standard output */
#ifndef CLI_FLAME_H
#define CLI_FLAME_H

#include <tnav/flame.h>

#include "answers.h"
#include "gettext.h"

/* Read the stacks of a set, with names in place of addresses. */
enum tn_code flame_read(struct tn_flame **out, const struct options *o, struct tn_set *set, const struct tn_scan_options *scan,
			struct addresses *addresses, struct tn_error *err) TN_MUST_CHECK;
/* Report on standard error which data the stacks lack. */
void flame_tell(const struct tn_flame *flame);
/* Print a table that compares the frames of two sides. Returns the exit status. */
int print_flame_diff(struct answer *a, struct tn_flame *const flame[2]);

#endif
