/*
 * test_archive.c - bombs, a million members, a stop: nothing of it is left in the cache
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive.h"
#include "base/folder.h"

static char home[] = "/tmp/tnav-archive-test-XXXXXX";
static char file[200];

static void
setup(void)
{
	char folder[200], path[260], *zeros = calloc(1, 1 << 20);
	struct tn_error err;

	cr_assert_not_null(mkdtemp(home));
	setenv("XDG_CACHE_HOME", home, 1);
	snprintf(folder, sizeof folder, "%s/in", home);
	mkdir(folder, 0700);
	for (int i = 0; i < 20; i++) {
		FILE *f;

		snprintf(path, sizeof path, "%s/%d", folder, i);
		f = fopen(path, "w");
		fwrite(zeros, 1, 1 << 18, f);
		fclose(f);
	}
	free(zeros);
	snprintf(file, sizeof file, "%s/a.tar.zst", home);
	cr_assert_eq(tn_archive_pack(file, folder, &err), TN_OK, "%s", err.text);
	cr_assert(tn_archive_is(file));
}

static void
teardown(void)
{
	tn_remove_folder(home);
}

TestSuite(archive, .init = setup, .fini = teardown);

static size_t
things_in_cache(void)
{
	char path[200];
	struct dirent *entry;
	size_t n = 0;
	DIR *dir;

	snprintf(path, sizeof path, "%s/tnav", home);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	if (dir)
		closedir(dir);
	return n;
}

static int
stop(void *user, uint64_t done, uint64_t all)
{
	(void)done, (void)all;
	return ++*(int *)user == 5;
}

Test(archive, limits)
{
	static const struct row {
		struct tn_archive_limits limits;
		enum tn_code code;
		const char *text;
	} rows[] = {
		{ { 19, UINT64_MAX }, TN_ERR_FORMAT, "more than 19 members" },
		{ { UINT64_MAX, (20 << 18) - 1 }, TN_ERR_FORMAT, "unpacks to more than" },
		{ { 20, 20 << 18 }, TN_OK, "" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_error err = { 0 };
		char *folder;
		enum tn_code rc = tn_archive_unpack(&folder, file, &rows[i].limits, NULL, NULL, &err);

		cr_assert_eq(rc, rows[i].code, "row %zu: %d %s", i, rc, err.text);
		cr_assert(strstr(err.text, rows[i].text), "row %zu: %s", i, err.text);
		cr_assert_eq(things_in_cache(), rc == TN_OK ? 1u : 0u, "row %zu", i);
		free(folder);
	}
}

Test(archive, stopped)
{
	struct tn_error err;
	int asked = 0;
	char *folder;

	cr_assert_eq(tn_archive_unpack(&folder, file, NULL, stop, &asked, &err), TN_ERR_CANCELLED);
	cr_assert_null(folder);
	cr_assert_eq(asked, 5);
	cr_assert_eq(things_in_cache(), 0u);
}

/* A program that was killed while it unpacked: the next one clears away. */
Test(archive, left_by_a_crash)
{
	struct tn_error err;
	char path[200], *folder;

	cr_assert_eq(tn_archive_unpack(&folder, file, NULL, NULL, NULL, &err), TN_OK, "%s", err.text);
	tn_remove_folder(folder);
	free(folder);
	snprintf(path, sizeof path, "%s/tnav/unpacking-aaaaaa", home);
	mkdir(path, 0700);
	close(tn_folder_hold(path));
	cr_assert_eq(tn_archive_unpack(&folder, file, NULL, NULL, NULL, &err), TN_OK, "%s", err.text);
	cr_assert_eq(things_in_cache(), 1u);
	free(folder);
}

/* An incomplete folder in the cache (a removal was killed, a disk had not stored all) is not used. */
Test(archive, kept_in_part)
{
	static const char *const broken[] = {
		"rm '%s/3'", "truncate -s 100 '%s/19'", "rm -r '%s'/.whole", "echo 1 > '%s/.whole'", ": > '%s/.whole'", "rm '%s'/[0-9]*",
	};
	char command[300], whole[200], *folder, *again;
	struct tn_unpack *u;
	struct tn_error err;
	struct stat st;

	cr_assert_eq(tn_archive_unpack(&folder, file, NULL, NULL, NULL, &err), TN_OK, "%s", err.text);
	cr_expect_eq(tn_unpack_begin(&u, file, NULL, false, &err), TN_OK);
	cr_expect(tn_unpack_is_done(u), "what is whole is taken as it is");
	tn_unpack_free(u);
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		snprintf(command, sizeof command, broken[i], folder);
		cr_assert_eq(system(command), 0);
		cr_assert_eq(tn_archive_unpack(&again, file, NULL, NULL, NULL, &err), TN_OK, "%s: %s", broken[i], err.text);
		cr_expect_str_eq(again, folder);
		cr_expect_eq(tn_folder_bytes(again), (uint64_t)20 << 18, "%s", broken[i]);
		free(again);
	}
	/* An incomplete folder in the way is not a result. */
	tn_remove_folder(folder);
	cr_assert_eq(tn_unpack_begin(&u, file, NULL, false, &err), TN_OK);
	cr_assert_eq(tn_unpack_run(u, NULL, NULL, &err), TN_OK);
	snprintf(whole, sizeof whole, "%s/other", folder);
	cr_assert(mkdir(folder, 0700) == 0 && mkdir(whole, 0700) == 0);
	cr_expect_eq(tn_unpack_finish(u, &err), TN_ERR_SYSTEM);
	cr_expect(strstr(err.text, folder), "%s", err.text);
	cr_expect_not(tn_unpack_is_done(u));
	tn_unpack_free(u);
	cr_expect(stat(whole, &st) == 0);
	free(folder);
}

/* The least recently used folder is removed when the total is too large; the one in use stays in any case. */
Test(archive, what_was_unpacked_is_bounded)
{
	struct tn_archive_limits limits = { 100, 100 << 20, 12 << 20 };
	char other[2][220], command[700], *folder[3];
	struct tn_error err;

	for (int i = 0; i < 2; i++) {
		snprintf(other[i], sizeof other[i], "%s/b%d.tar.zst", home, i);
		snprintf(command, sizeof command, "cp %s %s", file, other[i]);
		cr_assert_eq(system(command), 0);
	}
	cr_assert_eq(tn_archive_unpack(&folder[0], file, &limits, NULL, NULL, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_archive_unpack(&folder[1], other[0], &limits, NULL, NULL, &err), TN_OK, "%s", err.text);
	cr_assert_eq(things_in_cache(), 2u);
	free(folder[0]);
	usleep(20000);	/* times of files are not that fine */
	cr_assert_eq(tn_archive_unpack(&folder[0], file, &limits, NULL, NULL, &err), TN_OK, "%s", err.text);
	usleep(20000);
	cr_assert_eq(tn_archive_unpack(&folder[2], other[1], &limits, NULL, NULL, &err), TN_OK, "%s", err.text);
	cr_assert_eq(things_in_cache(), 2u, "%zu", things_in_cache());
	cr_assert(access(folder[0], F_OK) == 0 && access(folder[1], F_OK) != 0 && access(folder[2], F_OK) == 0);
	for (int i = 0; i < 3; i++)
		free(folder[i]);
	/* A file with this name that is not an archive is not ours. */
	snprintf(command, sizeof command, "echo x > %s/tnav/archive-0", home);
	cr_assert_eq(system(command), 0);
	limits.kept = 1;
	cr_assert_eq(tn_archive_unpack(&folder[0], other[0], &limits, NULL, NULL, &err), TN_OK, "%s", err.text);
	cr_assert_eq(things_in_cache(), 2u);
	snprintf(command, sizeof command, "%s/tnav/archive-0", home);
	cr_assert(access(command, F_OK) == 0);
	free(folder[0]);
}

/* ---- members by hand ---- */

struct member { const char *name; char type; const char *link; size_t size; };

static void
put_member(FILE *f, const struct member *m)
{
	char block[512] = "";
	unsigned sum = 0;

	snprintf(block, 100, "%s", m->name);
	memcpy(block + 100, "0000600", 8);
	memcpy(block + 108, "0000000", 8);
	memcpy(block + 116, "0000000", 8);
	snprintf(block + 124, 12, "%011zo", m->size);
	memcpy(block + 136, "00000000000", 12);
	memset(block + 148, ' ', 8);
	block[156] = m->type;
	snprintf(block + 157, 100, "%s", m->link && m->type != 'x' ? m->link : "");
	memcpy(block + 257, "ustar\00000", 8);
	for (size_t i = 0; i < sizeof block; i++)
		sum += (unsigned char)block[i];
	snprintf(block + 148, 8, "%06o", sum);
	fwrite(block, 1, sizeof block, f);
	memset(block, 'd', sizeof block);
	if (m->type == 'x')	/* pax: attributes of the next member, with which a link may have a body */
		memcpy(block, m->link, m->size);
	for (size_t i = 0; i < m->size; i += sizeof block)
		fwrite(block, 1, sizeof block, f);
}

/* Links to what is not there, names that lead outside, files where folders should be, ends that are missing. */
Test(archive, members)
{
	static const struct {
		struct member member[2];
		long cut;		/* bytes that are missing at the end */
		const char *text;	/* of the error; NULL: the second member is there */
	} rows[] = {
		{ { { "a", '0', NULL, 700 }, { "b", '1', "a", 0 } }, 0, NULL },
		{ { { "f", '5', NULL, 0 }, { "f/b", '0', NULL, 1 } }, 0, NULL },
		{ { { "a", '0', NULL, 700 }, { "b", '1', "nosuch", 0 } }, 0, ": cannot create the hard link to the member nosuch: " },
		{ { { "a", '0', NULL, 700 }, { "b", '1', "../a", 0 } }, 0, ": the name of a member is outside of the archive: ../a" },
		{ { { "a", '0', NULL, 700 }, { ".", '0', NULL, 600 } }, 0, ": a file in it has the name of a folder, `.`: the archive is damaged, or made by hand; unpack it" },
		{ { { "a", '0', NULL, 700 }, { "d/.", '0', NULL, 0 } }, 0, ": a file in it has the name of a folder, `d/.`" },
		{ { { "./", '5', NULL, 0 }, { "./b", '0', NULL, 700 } }, 0, NULL },
		{ { { "s", '2', "b", 0 }, { "b", '0', NULL, 700 } }, 0, NULL },
		{ { { "a", '0', NULL, 700 }, { "/b", '0', NULL, 0 } }, 0, ": the name of a member is outside of the archive: /b" },
		{ { { "a", '0', NULL, 700 }, { "c/../../b", '0', NULL, 0 } }, 0, ": the name of a member is outside of the archive: c/../../b" },
		{ { { "a", '0', NULL, 700 }, { "a/b", '0', NULL, 0 } }, 0, "/a/b: " },
		{ { { "a", '0', NULL, 700 }, { "a/b/", '5', NULL, 0 } }, 0, "/a/b: " },
		{ { { "a", '0', NULL, 700 }, { "a", '0', NULL, 1 } }, 0, "/a: " },
		{ { { "a", '0', NULL, 700 }, { "b", '0', NULL, 900 } }, 1024 + 600, ": the archive cannot be read to its end: " },
		{ { { "a", '0', NULL, 700 }, { "b", '0', NULL, 900 } }, 1024 + 1024 + 300, ": the archive cannot be read to its end: " },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char zeros[1024] = "", path[400], *folder;
		struct tn_error err = { 0 };
		enum tn_code rc;
		FILE *f;

		snprintf(path, sizeof path, "%s/m%zu.tar", home, i);
		cr_assert_not_null(f = fopen(path, "w"));
		for (size_t k = 0; k < 2; k++)
			put_member(f, &rows[i].member[k]);
		fwrite(zeros, 1, sizeof zeros, f);
		fflush(f);
		cr_assert_eq(ftruncate(fileno(f), ftell(f) - rows[i].cut), 0);
		fclose(f);
		rc = tn_archive_unpack(&folder, path, NULL, NULL, NULL, &err);
		cr_expect_eq(rc == TN_OK, !rows[i].text, "row %zu: %s", i, err.text);
		cr_expect(!rows[i].text || strstr(err.text, rows[i].text), "row %zu: %s", i, err.text);
		cr_expect_eq(things_in_cache(), rc == TN_OK ? 1u : 0u, "row %zu", i);
		if (rc == TN_OK) {
			snprintf(path, sizeof path, "%s/%s", folder, rows[i].member[1].name);
			cr_expect(access(path, F_OK) == 0, "row %zu", i);
			tn_remove_folder(folder);
		}
		free(folder);
	}
}

/* A folder of a name counts as a member, whether or not the archive has it; and a body counts, whoever skips it. */
Test(archive, what_is_not_a_file_counts)
{
	static const struct {
		struct member member[3];
		struct tn_archive_limits limits;
		const char *text;
	} rows[] = {
		{ { { "a/b/c/d/e/f/g/h", '0', NULL, 1 }, { "a/b/c/d", '5', NULL, 0 } }, { 8, UINT64_MAX, 0 }, NULL },
		{ { { "a/b/c/d/e/f/g/h", '0', NULL, 1 }, { "a/b/c/d", '5', NULL, 0 } }, { 7, UINT64_MAX, 0 }, "more than 7 members" },
		{ { { "a/b/c/d/e/f/g", '5', NULL, 0 }, { "h", '0', NULL, 1 } }, { 7, UINT64_MAX, 0 }, "more than 7 members" },
		{ { { "a", '0', NULL, 10 }, { "x", 'x', "11 mtime=1\n", 11 }, { "b", '1', "a", 5000 } }, { 9, 4000, 0 },
		  "unpacks to more than 4000 bytes" },
		{ { { "a", '0', NULL, 10 }, { "x", 'x', "11 mtime=1\n", 11 }, { "b", '1', "a", 500 } }, { 9, 4000, 0 },
		  "a hard link to the member a has its own data" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char zeros[1024] = "", path[400], *folder;
		struct tn_error err = { 0 };
		enum tn_code rc;
		FILE *f;

		snprintf(path, sizeof path, "%s/c%zu.tar", home, i);
		cr_assert_not_null(f = fopen(path, "w"));
		for (size_t k = 0; k < 3 && rows[i].member[k].name; k++)
			put_member(f, &rows[i].member[k]);
		fwrite(zeros, 1, sizeof zeros, f);
		fclose(f);
		rc = tn_archive_unpack(&folder, path, &rows[i].limits, NULL, NULL, &err);
		cr_expect_eq(rc == TN_OK, !rows[i].text, "row %zu: %s", i, err.text);
		cr_expect(!rows[i].text || strstr(err.text, rows[i].text), "row %zu: %s", i, err.text);
		free(folder);
	}
}

/* A small archive does not make as many folders as a large one may have: its names could make hundreds each. */
Test(archive, folders_of_a_few_bytes)
{
	char zeros[1024] = "", path[400], *folder;
	struct tn_error err = { 0 };
	FILE *f;

	snprintf(path, sizeof path, "%s/folders.tar", home);
	cr_assert_not_null(f = fopen(path, "w"));
	for (unsigned i = 0; i < 250; i++) {
		char name[100];
		int n = snprintf(name, sizeof name, "%u", i);

		while (n < 90)
			n += snprintf(name + n, sizeof name - (size_t)n, "/a");
		put_member(f, &(struct member) { name, '5', NULL, 0 });
	}
	fwrite(zeros, 1, sizeof zeros, f);
	fclose(f);
	cr_assert_eq(tn_archive_unpack(&folder, path, NULL, NULL, NULL, &err), TN_ERR_FORMAT);
	cr_assert(strstr(err.text, "more than 10000 members"), "%s", err.text);
	cr_assert_eq(things_in_cache(), 0u);
}

/* Compressed twice, a few bytes are more zeros than anybody waits for. */
Test(archive, layers)
{
	struct tn_error err = { 0 };
	char twice[220], *folder;
	char command[600];

	snprintf(twice, sizeof twice, "%s/twice.gz", home);
	snprintf(command, sizeof command, "gzip -c '%s' >'%s'", file, twice);
	cr_assert_eq(system(command), 0);
	cr_assert(tn_archive_is(twice));
	cr_assert_eq(tn_archive_unpack(&folder, twice, NULL, NULL, NULL, &err), TN_ERR_FORMAT);
	cr_assert(strstr(err.text, "the file is compressed 2 times: uncompress it once and open the result"), "%s", err.text);
}
