/*
 * scratch.h - a folder for the files of one test
 *
 * For test suites: .init = make_store if the folder is to be the cache, .fini = remove_folder.
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/tnav-unit-XXXXXX";
static char trace_path[64];	/* of a trace that the test writes there */

static inline void
make_folder(void)
{
	cr_assert_not_null(mkdtemp(folder));
	snprintf(trace_path, sizeof trace_path, "%s/trace", folder);
}

/* Everything is stored there at once, also of a small trace. */
static inline void
make_store(void)
{
	make_folder();
	setenv("XDG_CACHE_HOME", folder, 1);
	setenv("TNAV_WAYS", "store", 1);
}

static inline void
remove_folder(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
}

#endif
