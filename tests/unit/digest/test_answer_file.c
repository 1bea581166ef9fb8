#include <config.h>

#include <criterion/criterion.h>
#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../make/scratch.h"
#include "../order/fake.h"
#include "base/messages.h"
#include "base/str.h"
#include "digest/digest.h"
#include "digest/answer_file.h"
#include "index/index_cache.h"
#include "index/packet_index.h"

static char inside[64];
static struct tn_index_store_options options = { inside, 0, 8 << 20 };

static void
make_fake(void)
{
	make_folder();
	snprintf(inside, sizeof inside, "%s/a/b", folder);
	fake_random(4, 3, 20, 3, 2, 1);
}

TestSuite(kept_answers, .init = make_fake, .fini = remove_folder);

static struct tn_index_store *store;
static struct tn_set *set;

/* The set of what is in `fake`, whose index is known. */
static void
open_set(bool whole)
{
	set = fake_open();
	store = tn_index_store_load(set, &options);
	cr_assert_not_null(store);
	for (size_t i = 0; i < set->n_traces; i++)
		set->trace[i]->digest = tn_digest_open(store, set->trace[i]);
	for (size_t i = 0; whole && i < set->n_streams; i++)
		cr_assert_eq(tn_index_complete(set->stream[i], NULL, NULL), TN_OK);
}

static void
close_set(void)
{
	for (size_t i = 0; i < set->n_streams; i++)
		tn_index_guard_free(set->stream[i]);
	tn_set_close(set);
	tn_index_store_free(store);
}

/* The stored answer to a question; "" for none. */
static const char *
kept(const char *question)
{
	static char text[256];
	struct tn_answer_file k;

	text[0] = '\0';
	if (tn_answer_file_load(&k, set, question)) {
		cr_assert_eq((uintptr_t)k.bytes % 8, 0);
		snprintf(text, sizeof text, "%.*s", (int)k.n, (const char *)k.bytes);
		tn_answer_file_release(&k);
	}
	cr_assert_null(k.bytes);
	return text;
}

static size_t
n_files(char path[600])
{
	DIR *dir = opendir(inside);
	struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)))
		if (strstr(entry->d_name, TN_ANSWER_SUFFIX)) {
			if (path)
				snprintf(path, 600, "%s/%s", inside, entry->d_name);
			n++;
		}
	if (dir)
		closedir(dir);
	return n;
}

Test(kept_answers, an_answer_is_there_again)
{
	open_set(true);
	cr_assert_str_eq(kept("spans 1\nA B\n"), "");
	cr_assert(tn_answer_file_put(set, "spans 1\nA B\n", "the answer", 10));
	cr_assert(tn_answer_file_put(set, "spans 1\nA C\n", "", 0));
	close_set();
	open_set(true);
	cr_assert_str_eq(kept("spans 1\nA B\n"), "the answer");
	cr_assert_str_eq(kept("spans 1\nA D\n"), "");
	cr_assert_eq(n_files(NULL), 2);
	cr_assert(tn_answer_file_put(set, "spans 1\nA B\n", "another", 7));
	cr_assert_str_eq(kept("spans 1\nA B\n"), "another");
	cr_assert_eq(n_files(NULL), 2);
	close_set();
}

Test(kept_answers, it_is_of_packets_that_are_known)
{
	open_set(true);
	cr_assert(tn_answer_file_put(set, "q", "answer", 6));
	close_set();
	fake.extend_by = 2;
	open_set(false);
	cr_assert_str_eq(kept("q"), "");
	cr_assert_not(tn_answer_file_put(set, "q", "wrong", 5));
	for (size_t i = 0; i < set->n_streams; i++)
		cr_assert_eq(tn_index_complete(set->stream[i], NULL, NULL), TN_OK);
	cr_assert_str_eq(kept("q"), "answer");
	close_set();
}

Test(kept_answers, other_packets_have_other_answers)
{
	open_set(true);
	cr_assert(tn_answer_file_put(set, "q", "answer", 6));
	close_set();
	fake_random(5, 3, 20, 3, 2, 1);
	open_set(true);
	cr_assert_str_eq(kept("q"), "");
	cr_assert(tn_answer_file_put(set, "q", "new", 3));
	cr_assert_str_eq(kept("q"), "new");
	cr_assert_eq(n_files(NULL), 1);
	close_set();
}

Test(kept_answers, places_are_of_streams_in_that_order)
{
	open_set(true);
	cr_assert(tn_answer_file_put(set, "q", "answer", 6));
	set->stream[0]->rank = 1;
	set->stream[1]->rank = 0;
	cr_assert_str_eq(kept("q"), "");
	set->stream[0]->rank = 0;
	set->stream[1]->rank = 1;
	cr_assert_str_eq(kept("q"), "answer");
	close_set();
}

Test(kept_answers, nothing_is_kept_where_nothing_may_be)
{
	struct tn_digest *digest;

	open_set(true);
	cr_assert_gt(tn_answer_file_room(set), 0);
	digest = set->trace[0]->digest;
	set->trace[0]->digest = NULL;	/* it grows, or --no-index-cache */
	cr_assert_eq(tn_answer_file_room(set), 0);
	cr_assert_not(tn_answer_file_put(set, "q", "answer", 6));
	cr_assert_str_eq(kept("q"), "");
	set->trace[0]->digest = digest;
	set->trace[0]->is_part = true;
	cr_assert_eq(tn_answer_file_room(set), 0);
	set->trace[0]->is_part = false;
	cr_assert_eq(n_files(NULL), 0);
	close_set();
}

/* Where the folder should be is a file, or a link to itself: nothing is kept, and what is there stays. */
Test(kept_answers, no_folder_can_be_made)
{
	char path[64], to[64];
	struct stat st;

	for (int link = 0; link < 2; link++) {
		snprintf(path, sizeof path, "%s/a", folder);
		open_set(true);
		if (link)
			cr_assert_eq(symlink("a", path), 0);
		else
			fclose(fopen(path, "w"));
		cr_assert(tn_answer_file_put(set, "q", "answer", 6), "it is tried");
		cr_assert_str_eq(kept("q"), "");
		cr_assert_eq(lstat(path, &st), 0);
		cr_assert(link ? S_ISLNK(st.st_mode) && readlink(path, to, sizeof to) == 1 : S_ISREG(st.st_mode) && !st.st_size);
		cr_assert_eq(unlink(path), 0);
		close_set();
	}
}

Test(kept_answers, bounds)
{
	size_t room;
	char *bytes;

	open_set(true);
	room = tn_answer_file_room(set);
	bytes = calloc(1, room + 1);
	cr_assert_not(tn_answer_file_put(set, "too long", bytes, room + 1));
	cr_assert_eq(n_files(NULL), 0);
	/* Three of the largest fit, with the earlier ones; with more, the oldest is removed. */
	for (int i = 0; i < 5; i++) {
		char question[8];
		struct timespec times[2] = { { 1000 + i, 0 }, { 1000 + i, 0 } };
		char path[600];

		snprintf(question, sizeof question, "q%d", i);
		cr_assert(tn_answer_file_put(set, question, bytes, room));
		cr_assert_eq(n_files(path), i < 3 ? (size_t)i + 1 : 3);
		if (i == 0)
			cr_assert_eq(utimensat(0, path, times, 0), 0);
		if (i == 2) {
			struct tn_answer_file k;

			/* The first one was used, it is not the oldest any more. */
			cr_assert(tn_answer_file_load(&k, set, "q0"));
			tn_answer_file_release(&k);
		}
	}
	free(bytes);
	close_set();
}

/* Whatever is broken in the file: the answer as it was, or none. */
Test(kept_answers, every_byte_that_is_broken_is_noticed)
{
	static unsigned char bytes[8192];
	char path[600];
	size_t n, used = 0;
	FILE *f;

	open_set(true);
	cr_assert(tn_answer_file_put(set, "question", "an answer", 9));
	cr_assert_eq(n_files(path), 1);
	f = fopen(path, "rb");
	n = fread(bytes, 1, sizeof bytes, f);
	fclose(f);
	cr_assert_lt(n, sizeof bytes);
	for (size_t i = 0; i < 2 * n; i++) {
		size_t size = i < n ? n : i - n;

		if (i < n)
			bytes[i] ^= (unsigned char)(1u << i % 8);
		f = fopen(path, "wb");
		cr_assert_eq(fwrite(bytes, 1, size, f), size);
		fclose(f);
		if (i < n)
			bytes[i] ^= (unsigned char)(1u << i % 8);
		if (kept("question")[0] == '\0')
			continue;
		cr_assert_str_eq(kept("question"), "an answer", "byte %zu", i);
		cr_assert_lt(i, n, "cut at byte %zu", i - n);
		used++;
	}
	cr_assert_lt(used, 16);		/* paddings say nothing */
	close_set();
}

#ifdef ENABLE_NLS
/* A locale whose messages are translated: glibc 2.41 does not translate for C.UTF-8. */
static void
make_locale(void)
{
	char command[512], path[128];

	snprintf(path, sizeof path, "%s/locales", folder);
	snprintf(command, sizeof command, "mkdir -p %s && cp -r /usr/lib/locale/C.utf8 %s/xx_XX.utf8 2>/dev/null", path, path);
	if (system(command) == 0)
		setenv("LOCPATH", path, 1);
}

/* A catalogue of nothing but its head. */
static void
write_catalogue(const char *language)
{
	char path[128], command[256], head[64];
	int n = snprintf(head, sizeof head, "Language: %s\n", language);
	uint32_t words[] = { 0x950412de, 0, 1, 28, 36, 0, 44, 0, 44, (uint32_t)n, 45 };
	FILE *f;

	snprintf(command, sizeof command, "mkdir -p %s/%s/LC_MESSAGES", folder, language);
	cr_assert_eq(system(command), 0);
	snprintf(path, sizeof path, "%s/%s/LC_MESSAGES/libtnav.mo", folder, language);
	f = fopen(path, "wb");
	cr_assert_eq(fwrite(words, 4, 11, f), 11);
	fputc('\0', f);
	fwrite(head, 1, (size_t)n + 1, f);
	fclose(f);
}

static void
speak(const char *language)
{
	setenv("LANGUAGE", language, 1);
	tn_messages_in_language(folder);
	/* A found answer is found again. */
	setlocale(LC_ALL, "C");
	if (!setlocale(LC_ALL, "xx_XX.UTF-8") && !setlocale(LC_ALL, "C.UTF-8") && !setlocale(LC_ALL, "en_US.UTF-8"))
		cr_assert(false, "no locale of UTF-8");
}

/* Reports of damage are part of an answer: an answer in Latin is not valid for a user of Greek. */
Test(kept_answers, each_language_has_its_own)
{
	make_locale();
	write_catalogue("la");
	write_catalogue("el");
	open_set(true);
	speak("la");
	cr_assert_str_eq(tn_messages_head(), "Language: la\n");
	cr_assert(tn_answer_file_put(set, "q", "responsum", 9));
	speak("el");
	cr_assert_str_eq(kept("q"), "");
	cr_assert(tn_answer_file_put(set, "q", "apokrisis", 9));
	speak("la");
	cr_assert_str_eq(kept("q"), "responsum");
	speak("xx");
	cr_assert_str_eq(tn_messages_head(), "");
	cr_assert_str_eq(kept("q"), "");
	cr_assert_eq(n_files(NULL), 2);
	close_set();
}
#endif
