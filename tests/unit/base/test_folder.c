/* Folders: made with those above, listed by bytes, locked by a program, entries and links examined. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/listing.h"
#include "base/str.h"

static char top[64];

static void
make_top(void)
{
	snprintf(top, sizeof top, "%s", "folder-test-XXXXXX");
	cr_assert(mkdtemp(top));
}

static void remove_top(void) { tn_remove_folder(top); }

TestSuite(folder, .init = make_top, .fini = remove_top);

static const char *
at(const char *name)
{
	static char room[4][128];
	static int i;

	i = (i + 1) % 4;
	snprintf(room[i], sizeof room[i], "%s/%s", top, name);
	return room[i];
}

static void
touch(const char *name)
{
	int fd = open(at(name), O_WRONLY | O_CREAT, 0600);

	cr_assert_geq(fd, 0);
	close(fd);
}

Test(folder, made_and_removed)
{
	char path[128];
	struct stat st;

	snprintf(path, sizeof path, "%s", at("a/b/c"));
	cr_expect(tn_make_folders(path, 0700));
	cr_expect_str_eq(path, at("a/b/c"));
	cr_expect(tn_make_folders(path, 0700), "it is there");
	touch("a/file");
	snprintf(path, sizeof path, "%s", at("a/file/d"));
	cr_expect_not(tn_make_folders(path, 0700), "below a file");
	snprintf(path, sizeof path, "%s", at("a/file/d/e"));
	cr_expect_not(tn_make_folders(path, 0700));
	cr_expect_str_eq(path, at("a/file/d/e"), "the path is as it was");
	cr_assert_eq(symlink("..", at("a/link")), 0);
	tn_remove_folder(at("a"));
	cr_expect_lt(stat(at("a"), &st), 0);
	cr_expect_eq(stat(top, &st), 0, "links are not followed");
}

/* One thing that cannot go keeps nothing else. */
Test(folder, what_cannot_be_removed)
{
	char name[32];
	struct stat st;
	int left = 0;

	cr_assert_eq(mkdir(at("a"), 0700) | mkdir(at("a/b"), 0700), 0);
	touch("a/b/stays");
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof name, "a/%d", i);
		touch(name);
	}
	cr_assert_eq(chmod(at("a/b"), 0500), 0);
	if (geteuid() == 0)	/* root has all permissions */
		cr_assert(chown(at("a"), 65534, 65534) == 0 && chown(at("a/b"), 65534, 65534) == 0 && chmod(top, 0755) == 0 &&
			  seteuid(65534) == 0);
	tn_remove_folder(at("a"));
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof name, "a/%d", i);
		left += stat(at(name), &st) == 0;
	}
	cr_expect_eq(left, 0);
	cr_expect_eq(stat(at("a/b/stays"), &st), 0);
	cr_assert_eq(seteuid(getuid()) | chmod(at("a/b"), 0700), 0);
}

Test(folder, listed)
{
	struct tn_listing names;
	struct tn_error err;

	touch("b");
	touch("a");
	touch("\xff");
	touch("B");
	cr_assert_eq(tn_listing_read(&names, top, &err), TN_OK);
	cr_assert_eq(names.n, 4);
	cr_expect(strcmp(names.name[0], "B") == 0 && strcmp(names.name[1], "a") == 0 && strcmp(names.name[3], "\xff") == 0);
	tn_listing_release(&names);
	cr_expect_eq(tn_listing_read(&names, at("none"), &err), TN_ERR_SYSTEM);
	cr_expect(strstr(err.text, "none: the folder cannot be read: "), "%s", err.text);
	tn_listing_release(&names);
}

Test(folder, entries_and_links)
{
	struct tn_entry e;
	struct tn_error err;
	char *longest = malloc(8192);

	touch("file");
	cr_assert_eq(mkdir(at("sub"), 0700), 0);
	cr_assert_eq(symlink("file", at("link")), 0);
	cr_assert_eq(symlink("nowhere", at("dangling")), 0);
	cr_assert_eq(symlink("loop", at("loop")), 0);
	cr_expect(tn_entry_look(&e, top, "file", &err) == TN_OK && !e.is_link && S_ISREG(e.st.st_mode));
	cr_expect(tn_entry_look(&e, at(""), "link", &err) == TN_OK && e.is_link && S_ISREG(e.st.st_mode));
	cr_expect_str_eq(e.path, at("link"), "one slash");
	cr_expect_eq(tn_entry_look(&e, top, "dangling", &err), TN_ERR_NOT_FOUND);
	cr_expect(e.is_link && strstr(err.text, "the target of the link"), "%s", err.text);
	cr_expect_eq(err.code, TN_ERR_NOT_FOUND);
	cr_expect(tn_entry_look(&e, top, "loop", NULL) == TN_ERR_NOT_FOUND && e.is_link);
	cr_expect(tn_entry_look(&e, top, "none", &err) == TN_ERR_NOT_FOUND && !e.is_link);
	cr_expect_eq(tn_entry_look(&e, at("file"), "x", &err), TN_ERR_SYSTEM, "a file is no folder");
	memset(longest, 'x', 8191);
	longest[8191] = '\0';
	cr_expect_eq(tn_entry_look(&e, top, longest, &err), TN_ERR_ARGUMENT);
	cr_expect(strstr(err.text, "the path is too long"));
	cr_expect(tn_path_holds(top, at("sub")) && tn_path_holds(top, top) && tn_path_holds("/", top));
	cr_expect(!tn_path_holds(at("sub"), top) && !tn_path_holds(top, at("none")) && !tn_path_holds(at("none"), top));
	free(longest);
}

static void
tell(void *user, const struct tn_problem *problem)
{
	tn_str_printf(user, "%s\n", problem->text);
}

Test(folder, links_out_are_told)
{
	struct tn_str told = { 0 };
	const struct tn_problems problems = { tell, &told };

	cr_assert_eq(mkdir(at("in"), 0700), 0);
	cr_assert_eq(mkdir(at("out"), 0700), 0);
	cr_assert_eq(symlink("../out", at("in/leaves")), 0);
	cr_assert_eq(symlink(".", at("in/stays")), 0);
	tn_tell_link(&problems, at("in"), at("in/stays"));
	cr_expect_str_eq(tn_str_text(&told), "");
	tn_tell_link(&problems, at("in"), at("in/leaves"));
	cr_expect(strstr(tn_str_text(&told), "/in/leaves: a link to a folder outside of") && strstr(tn_str_text(&told), ", not followed; to read that folder, name ") &&
		  strstr(tn_str_text(&told), "/out\n"), "%s",
		  tn_str_text(&told));
	tn_str_clear(&told);
	tn_tell_link(&problems, at("in"), at("in/none"));
	cr_expect(strstr(tn_str_text(&told), "name it\n"), "%s", tn_str_text(&told));
	tn_str_release(&told);
}

static void note(void *user, const char *path) { tn_str_printf(user, "%s ", strrchr(path, '/') + 1); }

Test(folder, held)
{
	struct tn_str left = { 0 };
	int fd, again;

	cr_assert(mkdir(at("p-held"), 0700) == 0 && mkdir(at("p-left"), 0700) == 0 && mkdir(at("p-new"), 0700) == 0 &&
		  mkdir(at("other"), 0700) == 0);
	fd = tn_folder_hold(at("p-held"));
	cr_assert_geq(fd, 0);
	cr_expect_lt(tn_folder_hold(at("p-held")), 0, "one holds it");
	again = tn_folder_hold(at("p-left"));
	cr_assert_geq(again, 0);
	close(again);
	cr_expect_lt(tn_folder_hold(at("none")), 0);
	tn_folders_not_held(top, "p-", note, &left);
	cr_expect_str_eq(tn_str_text(&left), "p-left ", "one without a lock is just being made");
	tn_str_clear(&left);
	tn_folders_not_held(at("none"), "p-", note, &left);
	cr_expect_str_eq(tn_str_text(&left), "");
	close(fd);
	tn_str_release(&left);
}

Test(folder, of_the_cache)
{
	static const struct { const char *cache, *home, *want; } rows[] = {
		{ "/c", "/h", "/c/tnav" }, { "relative", "/h", "/h/.cache/tnav" }, { NULL, "/h", "/h/.cache/tnav" },
		{ "", "relative", NULL }, { NULL, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *got;

		unsetenv("XDG_CACHE_HOME");
		unsetenv("HOME");
		if (rows[i].cache)
			setenv("XDG_CACHE_HOME", rows[i].cache, 1);
		if (rows[i].home)
			setenv("HOME", rows[i].home, 1);
		got = tn_cache_folder();
		cr_expect(rows[i].want ? got && strcmp(got, rows[i].want) == 0 : !got, "row %zu: %s", i, got ? got : "none");
		free(got);
	}
}

/* Folders need not have names of one length, and a name may begin another. */
Test(folder, what_is_below)
{
	cr_assert_str_eq(tn_folder_below("/spool/live-1", "/spool/live-1/host/one"), "host/one");
	cr_assert_str_eq(tn_folder_below("/spool/longer/live-2", "/spool/longer/live-2/one"), "one");
	cr_assert_null(tn_folder_below("/spool/live-1", "/spool/live-12/one"));
	cr_assert_null(tn_folder_below("/spool/live-1", "/spool/live-1"));
	cr_assert_null(tn_folder_below("/spool/live-1", "/spool"));
}
