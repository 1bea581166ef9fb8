#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../make/scratch.h"
#include "../order/fake.h"
#include "base/str.h"
#include "index/index_cache.h"
#include "index/key.h"
#include "index/packet_index.h"
#include "order/cursor.h"

static char inside[64];
static struct tn_index_store_options options = { inside, 0, 1 << 20 };

static void
make_fake(void)
{
	make_folder();
	snprintf(inside, sizeof inside, "%s/a/b", folder);
}

TestSuite(index_cache, .init = make_fake, .fini = remove_folder);

/* Open with the store, read all rows both ways, close with the store. *stored: the entries came from the file. */
static char *
read_all(bool *stored, bool save)
{
	struct tn_set *set = fake_open();
	struct tn_index_store *store = tn_index_store_load(set, &options);
	struct tn_str out = { 0 };
	struct tn_cursor *cur;
	struct tn_row row;

	if (stored)
		*stored = set->stream[0]->index.mapped != NULL;
	cr_assert_not_null(store);
	cr_assert_eq(tn_cursor_new(&cur, set, NULL), TN_OK);
	for (int back = 0; back < 2; back++) {
		enum tn_code rc = back ? tn_cursor_last(cur, NULL) : tn_cursor_first(cur, NULL);

		for (; rc == TN_OK; rc = back ? tn_cursor_prev(cur, NULL) : tn_cursor_next(cur, NULL)) {
			cr_assert(tn_cursor_row(cur, &row));
			tn_str_printf(&out, "%lld %u %u %llu\n", (long long)row.location.time_ns, row.location.stream,
				      row.location.packet, (unsigned long long)row.location.row);
		}
		cr_assert_eq(rc, TN_END);
	}
	tn_cursor_free(cur);
	if (save)
		tn_index_store_save(store, set, NULL);
	for (size_t i = 0; i < set->n_streams; i++)
		tn_index_guard_free(set->stream[i]);
	tn_index_store_free(store);
	tn_set_close(set);
	return out.text;
}

/* The path of the only file in the folder. */
static char *
only_file(void)
{
	static char path[512];
	DIR *dir = opendir(inside);
	struct dirent *entry;
	size_t n = 0;

	cr_assert_not_null(dir);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.') {
			snprintf(path, sizeof path, "%s/%s", inside, entry->d_name);
			n++;
		}
	closedir(dir);
	cr_assert_eq(n, 1, "%zu files", n);
	return path;
}

static size_t
load(const char *path, unsigned char *bytes, size_t room)
{
	FILE *file = fopen(path, "rb");
	size_t n = fread(bytes, 1, room, file);

	fclose(file);
	cr_assert_lt(n, room);
	return n;
}

static void
store(const char *path, const unsigned char *bytes, size_t n)
{
	FILE *file = fopen(path, "wb");

	cr_assert_eq(fwrite(bytes, 1, n, file), n);
	fclose(file);
}

Test(index_cache, the_second_time_nothing_is_searched)
{
	char *first, *second;
	bool stored;

	fake_random(4, 5, 600, 3, 2, 1);
	fake.extend_by = 7;
	first = read_all(&stored, true);
	cr_assert_not(stored);
	cr_assert_gt(fake.extends, 0);
	fake.extends = 0;
	second = read_all(&stored, true);
	cr_assert(stored);
	cr_assert_eq(fake.extends, 0);
	cr_assert_str_eq(second, first);
	free(first);
	free(second);
}

Test(index_cache, a_damaged_file_changes_nothing)
{
	static unsigned char bytes[1 << 16];
	char *want, *path;
	size_t n, used = 0;
	bool stored;

	fake_random(7, 2, 5, 4, 2, 1);
	want = read_all(NULL, true);
	path = only_file();
	n = load(path, bytes, sizeof bytes);
	for (size_t i = 0; i < n; i++) {
		char *got;

		bytes[i] ^= (unsigned char)(1u << i % 8);
		store(path, bytes, n);
		bytes[i] ^= (unsigned char)(1u << i % 8);
		got = read_all(&stored, false);
		used += stored;
		cr_assert_str_eq(got, want, "byte %zu", i);
		free(got);
	}
	/* Broken entries are noticed at their first use, other damage before. */
	cr_assert_gt(used, 100);
	cr_assert_lt(used, n - 100);
	for (size_t i = 0; i < n; i += 3) {
		char *got;

		store(path, bytes, i);
		got = read_all(&stored, false);
		cr_assert_str_eq(got, want, "cut at byte %zu", i);
		cr_assert_not(stored);
		free(got);
	}
	free(want);
}

/* A sum can be right and the entry wrong all the same: what a walk relies on is checked. */
Test(index_cache, entries_that_lie_are_not_used)
{
	static const struct fake_row rows[] = { { 10, false }, { 20, false }, { 30, false } };
	static const struct fake_packet packets[] = { { rows, 1 }, { rows + 1, 1 }, { rows + 2, 1 } };
	static const struct fake_stream streams[] = { { packets, 3, false } };
	struct tn_packet right[3], wrong[3], got;

	fake = (struct fake_trace) { .stream = streams, .n = 1 };
	for (int k = 0; k < 7; k++) {
		struct tn_set *set = fake_open();
		struct tn_stream *s = set->stream[0];
		struct tn_map map = { 0 };
		uint64_t sum;

		for (size_t i = 0; i < 3; i++)
			cr_assert_eq(tn_index_get(s, i, &right[i], NULL, NULL), TN_OK);
		tn_set_close(set);
		memcpy(wrong, right, sizeof wrong);
		switch (k) {
		case 0: wrong[1].file = 1; break;
		case 1: wrong[1].offset = 17; break;
		case 2: wrong[1].size_bits = 129; break;
		case 3: wrong[1].content_bits = 129; break;
		case 4: wrong[1].begin_ns = wrong[1].end_ns + 1; break;
		case 5: wrong[1].end_ns = wrong[0].end_ns - 1; break;
		case 6: wrong[2].offset = UINT64_MAX; break;
		}
		sum = tn_index_sum(wrong, 3);
		set = fake_open();
		s = set->stream[0];
		tn_index_adopt(s, wrong, &sum, 3, &map);
		cr_assert_eq(tn_index_get(s, 1, &got, NULL, NULL), TN_OK);
		cr_assert_eq(memcmp(&got, &right[1], sizeof got), 0, "case %d", k);
		cr_assert_null(s->index.mapped, "case %d", k);
		tn_set_close(set);
	}
}

Test(index_cache, other_files_make_another_key)
{
	char *a, *b;
	bool stored;

	fake_random(3, 3, 9, 4, 2, 1);
	a = read_all(NULL, true);
	fake_random(3, 4, 9, 4, 2, 1);	/* as if the trace had grown a stream */
	b = read_all(&stored, true);
	cr_assert_not(stored);
	cr_assert_str_neq(a, b);
	free(b);
	b = read_all(&stored, true);
	cr_assert(stored);
	only_file();
	free(a);
	free(b);
}

Test(index_cache, old_files_are_removed)
{
	static unsigned char junk[1 << 19];
	char path[128];
	struct timespec times[2] = { { 1000, 0 }, { 1000, 0 } };
	struct stat st;

	fake_random(3, 3, 9, 4, 2, 1);
	free(read_all(NULL, true));
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/old%d.index", inside, i);
		store(path, junk, sizeof junk);
		times[1].tv_sec = 1000 + i;
		cr_assert_eq(utimensat(0, path, times, 0), 0);
	}
	fake_random(4, 3, 9, 4, 2, 1);
	fake.name = "x";
	free(read_all(NULL, true));
	/* 1.5 MiB and a little: two of the old ones go. */
	snprintf(path, sizeof path, "%s/old2.index", inside);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(unlink(path), 0);
	only_file();
}

Test(index_cache, learnt_numbers_are_kept)
{
	struct tn_packet entry;

	fake_random(3, 1, 9, 4, 2, 1);
	for (int i = 0; i < 3; i++) {
		struct tn_set *set = fake_open();
		struct tn_index_store *s = tn_index_store_load(set, &options);

		cr_assert_eq(tn_index_complete(set->stream[0], NULL, NULL), TN_OK);
		cr_assert_eq(tn_index_get(set->stream[0], 3, &entry, NULL, NULL), TN_OK);
		cr_assert_eq(entry.n_events, i < 2 ? TN_UNKNOWN : 77, "time %d", i);
		if (i == 1)
			tn_index_learn(set->stream[0], 3, 77);
		tn_index_store_save(s, set, NULL);
		tn_index_guard_free(set->stream[0]);
		tn_index_store_free(s);
		tn_set_close(set);
	}
}

/* A file of another user is not trusted, however right it looks. Only root can make one. */
Test(index_cache, of_another_owner_is_not_read)
{
	bool stored;

	fake_random(4, 5, 600, 3, 2, 1);
	free(read_all(NULL, true));
	free(read_all(&stored, false));
	cr_assert(stored);
	if (chown(only_file(), 12345, 12345) != 0)
		return;
	free(read_all(&stored, false));
	cr_assert(geteuid() != 0 || !stored, "an index of another owner was read");
}

/* ---- entries that a tracer's index file has lied about ---- */

static size_t liar, asked, righted;

static bool
lies_once(const struct tn_stream *s, const struct tn_packet *p)
{
	asked++;
	return righted || p != &s->index.packet[liar];
}

static void
put_right(struct tn_stream *s)
{
	righted++;
	for (size_t i = 0; i < s->index.n; i++)
		s->index.packet[i].flags |= TN_PACKET_CHECKED;
}

/* A stored entry cannot be corrected in place: the index is dropped, found again, and corrected then. */
Test(index_cache, a_lie_that_was_stored_is_put_right)
{
	struct tn_format lying = fake_format;

	lying.agrees = lies_once;
	lying.put_right = put_right;
	fake_random(4, 1, 600, 3, 2, 1);
	for (int run = 0; run < 3; run++) {
		struct tn_set *set = fake_open();
		struct tn_stream *s = set->stream[0];
		struct tn_index_store *store;
		struct tn_packet entry, want;
		size_t at;

		set->trace[0]->ops = &lying;
		store = tn_index_store_load(set, &options);
		cr_assert_eq(s->index.mapped != NULL, run > 0, "run %d", run);
		cr_assert_eq(tn_index_complete(s, NULL, NULL), TN_OK);
		righted = asked = 0;
		liar = s->index.n / 2;
		cr_assert_eq(tn_index_get(s, liar, &want, NULL, NULL), TN_OK);
		if (run == 1)
			cr_assert_eq(tn_index_sure(s, liar, &entry, NULL, NULL), TN_OK);
		if (run == 2) {
			cr_assert_eq(tn_index_find(s, want.begin_ns, &at, NULL), TN_OK);
			cr_assert_leq(at, liar);
			cr_assert_eq(tn_index_sure(s, liar, &entry, NULL, NULL), TN_OK);
		}
		if (run > 0) {
			cr_assert_eq(righted, 1, "run %d", run);
			cr_assert_null(s->index.mapped);
			cr_assert_eq(entry.begin_ns, want.begin_ns);
			cr_assert(entry.flags & TN_PACKET_CHECKED);
			asked = 0;
			cr_assert_eq(tn_index_sure(s, liar, &entry, NULL, NULL), TN_OK);
			cr_assert_eq(asked, 0, "what was compared is not compared again");
		}
		if (run == 0)
			tn_index_store_save(store, set, NULL);
		tn_index_guard_free(s);
		tn_index_store_free(store);
		set->trace[0]->ops = &fake_format;
		tn_set_close(set);
	}
}

/* While the times of a file do not tell of every change, its bytes are in the key; too many of them, and nothing is stored. */
Test(index_cache, unsettled_files_are_known_by_their_bytes)
{
	static uint8_t bytes[2][100];
	struct tn_set *set;
	struct tn_str key[4] = { 0 };
	struct tn_trace *t;
	struct tn_map *map;

	fake_random(4, 1, 600, 3, 2, 1);
	set = fake_open();
	t = set->trace[0];
	cr_assert_geq(t->stream[0]->n_files, 1);
	map = &t->stream[0]->file[0].map;
	bytes[1][50] = 1;
	for (int i = 0; i < 4; i++) {
		struct tn_map was = *map;

		map->data = bytes[i % 2];
		map->size = sizeof bytes[0];
		map->settled = i >= 2;
		tn_key_begin(t);
		tn_key_put(&key[i], t);
		cr_expect(tn_key_is_known(t) && tn_key_is_same(t));
		map->data = bytes[(i + 1) % 2];
		cr_expect_eq(tn_key_is_same(t), i >= 2, "%d: bytes that have changed since", i);
		*map = was;
	}
	cr_expect_str_neq(key[0].text, key[1].text);
	cr_expect_str_eq(key[2].text, key[3].text, "times tell");
	map->size += TN_KEY_BYTES + 1;
	tn_key_begin(t);
	cr_expect_not(tn_key_is_known(t));
	map->size -= TN_KEY_BYTES + 1;
	for (int i = 0; i < 4; i++)
		tn_str_release(&key[i]);
	tn_set_close(set);
}
