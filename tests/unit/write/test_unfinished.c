/* Drafts beside what is written: what a kill left goes, nothing else does (write/unfinished.h). */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "write/unfinished.h"

static char folder[] = "/tmp/tnav-unfinished-XXXXXX";
static char path[80];

static void begin(void) { cr_assert_not_null(mkdtemp(folder)); }
static void end(void) { tn_remove_folder(folder); }

TestSuite(unfinished, .init = begin, .fini = end);

static const char *
in_folder(const char *name)
{
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void
make(const char *name, bool is_folder, int age_s)
{
	struct timespec at[2] = { { .tv_sec = time(NULL) - age_s }, { .tv_sec = time(NULL) - age_s } };
	int fd = -1;

	cr_assert(is_folder ? mkdir(in_folder(name), 0700) == 0 : (fd = open(in_folder(name), O_WRONLY | O_CREAT, 0600)) >= 0);
	if (fd >= 0)
		close(fd);
	cr_assert_eq(utimensat(AT_FDCWD, path, at, 0), 0);
}

Test(unfinished, only_what_a_kill_left_is_swept_away)
{
	static const struct { const char *name; bool is_folder; int age_s; bool stays; } rows[] = {
		{ ".tnav-unfinished-old001", false, 100, false }, { ".tnav-unfinished-old002", true, 100, false },
		{ ".tnav-unfinished-new001", false, 20, true }, { ".tnav-unfinished-new002", true, 20, true },
		{ ".tnav-unfinished-held01", false, 100, true },	/* locked by its writer */
		{ ".tnav-unfinished-old", false, 100, true }, { ".tnav-unfinished-longer1", false, 100, true },
		{ "tnav-unfinished-old003", false, 100, true }, { "other", true, 100, true },
	};
	int held;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		make(rows[i].name, rows[i].is_folder, rows[i].age_s);
	cr_assert_eq(symlink("other", in_folder(".tnav-unfinished-link01")), 0);
	held = tn_unfinished_hold(in_folder(".tnav-unfinished-held01"));
	cr_assert_geq(held, 0);
	cr_expect_eq(tn_unfinished_hold(path), -1, "one holds it");
	tn_unfinished_sweep(in_folder("final"));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect_eq(access(in_folder(rows[i].name), F_OK) == 0, rows[i].stays, "%s", rows[i].name);
	close(held);
	tn_unfinished_sweep(in_folder("final"));
	cr_expect(access(in_folder(".tnav-unfinished-held01"), F_OK) != 0, "nobody holds it any more");
}

Test(unfinished, a_name_is_given_once)
{
	char final[80];
	struct stat st;

	snprintf(final, sizeof final, "%s/final", folder);
	make("draft", false, 0);
	cr_expect_eq(tn_unfinished_name(in_folder("draft"), final), 0);
	cr_expect(stat(final, &st) == 0 && S_ISREG(st.st_mode));
	make("other", true, 0);
	errno = 0;
	cr_expect_eq(tn_unfinished_name(in_folder("other"), final), -1);
	cr_expect_eq(errno, EEXIST);
	cr_expect(stat(in_folder("other"), &st) == 0 && S_ISDIR(st.st_mode), "it is left as it was");
	errno = 0;
	cr_expect_eq(tn_unfinished_name(in_folder("none"), in_folder("final2")), -1);
	cr_expect_eq(errno, ENOENT);
}

Test(unfinished, a_draft_lies_beside_its_place)
{
	static const struct { const char *final, *draft; } rows[] = {
		{ "a/b", "a/.tnav-unfinished-XXXXXX" }, { "b", ".tnav-unfinished-XXXXXX" }, { "/b", "/.tnav-unfinished-XXXXXX" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *draft = tn_unfinished_path(rows[i].final);

		cr_expect_str_eq(draft, rows[i].draft);
		free(draft);
	}
}
