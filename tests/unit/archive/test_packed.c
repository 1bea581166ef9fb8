/*
 * test_packed.c - a set with an archive that is unpacked beside it
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tnav/tnav.h>

#include "../../make/all_kinds.h"
#include "archive/archive.h"
#include "base/folder.h"

static char home[] = "/tmp/tnav-packed-test-XXXXXX", file[100], folder[100];

static void
setup(void)
{
	struct tn_error err;

	cr_assert_not_null(mkdtemp(home));
	setenv("XDG_CACHE_HOME", home, 1);
	snprintf(folder, sizeof folder, "%s/in", home);
	snprintf(file, sizeof file, "%s/a.tar.zst", home);
	cr_assert_eq(all_kinds_write(folder, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_archive_pack(file, folder, &err), TN_OK, "%s", err.text);
}

static void
teardown(void)
{
	tn_remove_folder(home);
}

TestSuite(packed, .init = setup, .fini = teardown, .timeout = 60);

static void
problem(void *user, const struct tn_problem *p)
{
	if (p->severity != TN_NOTE)
		snprintf(user, TN_ERROR_SIZE, "%s", p->text);
}

static struct tn_set *
open_beside(const char *path, char *problems)
{
	struct tn_error err;
	struct tn_set *set;

	cr_assert_eq(tn_set_open(&set, &path, 1, &(struct tn_open_options) {
		TN_OPEN_OPTIONS, .unpack_wait_ns = -1, .problem = problem, .user = problems,
	}, &err), TN_OK, "%s", err.text);
	return set;
}

static struct tn_growth
until_over(struct tn_set *set)
{
	struct tn_growth g;
	struct tn_error err;

	do {
		usleep(500);
		cr_assert_eq(tn_set_grow(set, true, &g, &err), TN_OK, "%s", err.text);
	} while (!g.over);
	cr_assert_eq(tn_set_settle(set, &err), TN_OK, "%s", err.text);
	return g;
}

static uint64_t
count(struct tn_set *set)
{
	struct tn_error err;
	uint64_t n;

	cr_assert_geq(tn_count(set, &(struct tn_count_options) { TN_COUNT_OPTIONS, .threads = 1 }, &n, &err), 0, "%s", err.text);
	return n;
}

Test(packed, what_is_unpacked_beside_is_all_of_it)
{
	char problems[TN_ERROR_SIZE] = "";
	const char *path = folder;
	struct tn_set *set, *whole;
	struct tn_growth g;
	struct tn_error err;
	char left[200];

	cr_assert_eq(tn_set_open(&whole, &path, 1, NULL, &err), TN_OK, "%s", err.text);
	set = open_beside(file, problems);
	cr_assert(tn_set_is_unpacking(set));
	g = until_over(set);
	cr_assert(!g.unpacking && !g.cut && g.unpacked == 1);
	cr_assert_gt(count(whole), 0u);
	cr_assert_eq(count(set), count(whole));
	cr_assert_eq(tn_set_stream_count(set), tn_set_stream_count(whole));
	cr_assert_str_empty(problems);
	/* It has its last name, and nothing else is left. */
	snprintf(left, sizeof left, "ls -A %s/tnav | grep -v '^archive-' && exit 1; ls %s/tnav/archive-*/metadata", home, home);
	cr_assert_eq(system(left), 0);
	tn_set_close(set);
	tn_set_close(whole);
	/* Where it is in the cache nothing is to be waited for. */
	path = file;
	cr_assert_eq(tn_set_open(&set, &path, 1, &(struct tn_open_options) { TN_OPEN_OPTIONS, .unpack_wait_ns = 1 }, &err), TN_OK,
		     "%s", err.text);
	cr_assert_not(tn_set_is_unpacking(set));
	tn_set_close(set);
}

/* An incompletely unpacked archive is shown as far as it was unpacked, with a report, and is not kept. */
Test(packed, cut)
{
	char problems[TN_ERROR_SIZE] = "", command[300];
	struct tn_growth g;
	struct tn_set *set;

	snprintf(command, sizeof command, "head -c 2000 %s >%s/cut.tar.zst", file, home);
	cr_assert_eq(system(command), 0);
	snprintf(command, sizeof command, "%s/cut.tar.zst", home);
	set = open_beside(command, problems);
	g = until_over(set);
	cr_assert(g.cut && strstr(g.cut, "cannot be read to its end"), "%s", g.cut ? g.cut : "");
	cr_assert_str_eq(problems, g.cut);
	tn_set_close(set);
	snprintf(command, sizeof command, "[ -z \"$(ls -A %s/tnav)\" ]", home);
	cr_assert_eq(system(command), 0);
}

Test(packed, closed_at_once)
{
	char problems[TN_ERROR_SIZE] = "", command[300];
	struct tn_set *set = open_beside(file, problems);

	tn_set_stop_unpacking(set);
	until_over(set);
	tn_set_close(set);
	tn_set_close(open_beside(file, problems));
	cr_assert_str_empty(problems);
	snprintf(command, sizeof command, "ls -A %s/tnav | grep '^unpacking-' && exit 1; exit 0", home);
	cr_assert_eq(system(command), 0);
}
