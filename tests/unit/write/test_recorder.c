#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/recorder.h>

/* Walk a dump: each record must be whole. Returns how many, the value of the first u32 in *first. */
static size_t
walk(const unsigned char *p, size_t n, uint32_t *first, uint32_t *last)
{
	size_t count = 0, at = 0;

	while (at < n) {
		uint32_t head, value;
		size_t size;

		cr_assert_leq(at + 8, n, "header at %zu of %zu", at, n);
		memcpy(&head, p + at + 4, 4);
		size = head & 0xffff;
		cr_assert_leq(at + 8 + size, n, "data of the record at %zu", at);
		if (head >> 24 == TN_RECORD_U32 && size == 4) {
			memcpy(&value, p + at + 8, 4);
			if (!count && first)
				*first = value;
			if (last)
				*last = value;
		}
		at += 8 + (size + 3) / 4 * 4;
		count++;
	}
	return count;
}

/* vartrace.md, 1: the example. */
Test(recorder, one_record_is_the_documents_bytes)
{
	static const unsigned char want[] = { 0, 0, 0, 0, 4, 0, 1, 5, 0x7b, 0, 0, 0 };
	unsigned char got[256];
	struct tn_recorder *r;

	cr_assert_eq(tn_recorder_new(&r, NULL, 4096, 8, NULL), TN_OK);
	cr_assert_eq(tn_record_i32(r, 1, 123), TN_OK);
	cr_assert_eq(tn_recorder_dump(r, got, sizeof got), sizeof want);
	cr_assert_arr_eq(got, want, sizeof want);
	tn_recorder_free(r);
}

/* After every number of records of every size: only whole records, the newest among them, in order. */
Test(recorder, wraps_at_every_boundary)
{
	unsigned char out[512], data[64] = { 0 };

	for (size_t size = 0; size <= 40; size++) {
		struct tn_recorder *r;

		cr_assert_eq(tn_recorder_new(&r, NULL, 512, 8, NULL), TN_OK);
		for (uint32_t i = 0; i < 400; i++) {
			uint32_t first = 0, last = 0;
			size_t n, count;

			tn_record_array(r, 9, TN_RECORD_BYTES, data, size, 1);
			cr_assert_eq(tn_record_u32(r, 7, i), TN_OK);
			n = tn_recorder_dump(r, out, sizeof out);
			count = walk(out, n, &first, &last);
			cr_assert_eq(last, i, "size %zu: the newest is %u, not %u", size, last, i);
			/* A block's worth goes at a time: the rest of the ring is there. */
			if (i > 200)
				cr_assert_geq(n, 512 - 64 - 2 * (12 + 8 + size), "size %zu, %u: %zu bytes", size, i, n);
			else if (i < 512 / (20 + (size + 3) / 4 * 4))
				cr_assert_eq(count, 2 * (i + 1), "size %zu: nothing is lost before the ring is full", size);
		}
		tn_recorder_free(r);
	}
}

Test(recorder, nested_records_lie_in_one)
{
	unsigned char out[512];
	uint32_t words[16];
	struct tn_recorder *r;
	size_t n;

	cr_assert_eq(tn_recorder_new(&r, NULL, 512, 4, NULL), TN_OK);
	cr_assert_eq(tn_record_begin(r, 1), TN_OK);
	cr_assert_eq(tn_record_i32(r, 101, 1234), TN_OK);
	cr_assert_eq(tn_recorder_dump(r, out, sizeof out), 0, "an open record is left out");
	cr_assert_eq(tn_record_begin(r, 2), TN_OK);
	cr_assert_eq(tn_record_text(r, 102, "abc"), TN_OK);
	cr_assert_eq(tn_record_end(r), TN_OK);
	cr_assert_eq(tn_record_end(r), TN_OK);
	cr_assert_eq(tn_record_end(r), TN_ERR_ARGUMENT);
	n = tn_recorder_dump(r, out, sizeof out);
	cr_assert_eq(n, 7 * 4);
	memcpy(words, out, n);
	cr_assert_eq(words[0], 0);
	cr_assert_eq(words[1], 20u | 1u << 16);
	cr_assert_eq(words[2], 4u | 101u << 16 | 5u << 24);
	cr_assert_eq(words[3], 1234);
	cr_assert_eq(words[4], 8u | 2u << 16);
	cr_assert_eq(words[5], 3u | 102u << 16 | 12u << 24);
	cr_assert_eq(words[6], 0x636261);
	tn_recorder_free(r);
}

Test(recorder, what_does_not_fit_leaves_nothing)
{
	static unsigned char big[70000], out[1 << 17];
	struct tn_recorder *r;

	cr_assert_eq(tn_recorder_new(&r, NULL, 1 << 17, 4, NULL), TN_OK);
	cr_assert_eq(tn_record_array(r, 1, TN_RECORD_BYTES, big, sizeof big, 1), TN_ERR_RANGE);
	cr_assert_eq(tn_record_array(NULL, 1, TN_RECORD_BYTES, big, 4, 1), TN_ERR_ARGUMENT);
	cr_assert_eq(tn_record_array(r, 1, TN_RECORD_BYTES, NULL, 4, 1), TN_ERR_ARGUMENT);
	cr_assert_eq(tn_record_bytes(r, 1, NULL, 4), TN_ERR_ARGUMENT);
	cr_assert_eq(tn_recorder_dump(r, out, sizeof out), 0);
	cr_assert_eq(tn_record_begin(r, 1), TN_OK);
	cr_assert_eq(tn_record_array(r, 1, TN_RECORD_BYTES, big, 60000, 1), TN_OK);
	cr_assert_eq(tn_record_array(r, 1, TN_RECORD_BYTES, big, 6000, 1), TN_ERR_RANGE);
	cr_assert_eq(tn_record_end(r), TN_OK);
	cr_assert_eq(tn_recorder_dump(r, out, sizeof out), 8 + 4 + 60000);
	for (int i = 0; i < 20; i++)
		cr_assert_eq(tn_record_begin(r, 3), i < 16 ? TN_OK : TN_ERR_RANGE, "%d", i);
	for (int i = 0; i < 16; i++)
		cr_assert_eq(tn_record_end(r), TN_OK, "%d", i);
	cr_assert_eq(tn_record_end(r), TN_ERR_ARGUMENT);
	walk(out, tn_recorder_dump(r, out, sizeof out), NULL, NULL);
	tn_recorder_free(r);
}

Test(recorder, little_room_gets_the_newest)
{
	unsigned char out[64];
	struct tn_recorder *r;
	uint32_t first, last;

	cr_assert_eq(tn_recorder_new(&r, NULL, 1024, 4, NULL), TN_OK);
	for (uint32_t i = 0; i < 10; i++)
		tn_record_u32(r, 1, i);
	cr_assert_eq(tn_recorder_dump(r, out, 40), 36);
	cr_assert_eq(walk(out, 36, &first, &last), 3);
	cr_assert_eq(first, 7);
	cr_assert_eq(last, 9);
	tn_recorder_free(r);
}

/* vartrace.md, 4: which values are widened to a word, which are copied to its front. */
Test(recorder, every_type_has_its_bytes)
{
	static const uint32_t want[][2] = {
		{ 1u | 1u << 16 | 1u << 24, 0xfffffffe }, { 1u | 2u << 16 | 2u << 24, 0xfe },
		{ 2u | 3u << 16 | 3u << 24, 0xfffffffd }, { 2u | 4u << 16 | 4u << 24, 0xfffd },
		{ 4u | 5u << 16 | 5u << 24, 0xfffffffc }, { 4u | 6u << 16 | 6u << 24, 0xfffffffb },
		{ 4u | 7u << 16 | 15u << 24, 0x3f800000 }, { 1u | 8u << 16 | 255u << 24, 1 },
		{ 1u | 9u << 16 | 12u << 24, 'x' }, { 3u | 10u << 16 | 12u << 24, 0x636261 },
		{ 3u | 11u << 16 | 255u << 24, 0x636261 },
	};
	uint32_t out[128];
	struct tn_recorder *r;
	size_t n = 0;

	cr_assert_eq(tn_recorder_new(&r, NULL, 0, 0, NULL), TN_OK);
	cr_assert_eq(tn_recorder_size(r), 4096);
	tn_record(r, 1, (int8_t)-2);
	tn_record(r, 2, (uint8_t)0xfe);
	tn_record(r, 3, (int16_t)-3);
	tn_record(r, 4, (uint16_t)0xfffd);
	tn_record(r, 5, -4);
	tn_record(r, 6, 0xfffffffbu);
	tn_record(r, 7, 1.0f);
	tn_record(r, 8, (bool)true);
	tn_record(r, 9, (char)'x');
	tn_record(r, 10, "abc");
	tn_record_bytes(r, 11, "abc", 3);
	n = tn_recorder_dump(r, out, sizeof out);
	cr_assert_eq(n, sizeof want / sizeof want[0] * 12, "%zu bytes", n);
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		cr_expect_eq(out[3 * i], i, "%zu: time %u", i, out[3 * i]);
		cr_expect_eq(out[3 * i + 1], want[i][0], "%zu: header %08x", i, out[3 * i + 1]);
		cr_expect_eq(out[3 * i + 2], want[i][1], "%zu: data %08x", i, out[3 * i + 2]);
	}
	tn_record(r, 12, INT64_C(-5));
	tn_record(r, 13, 2.0);
	n = tn_recorder_dump(r, out, sizeof out) / 4;
	cr_expect_eq(out[n - 7], 8u | 12u << 16 | 7u << 24);
	cr_expect(out[n - 6] == 0xfffffffb && out[n - 5] == 0xffffffff);
	cr_expect_eq(out[n - 3], 8u | 13u << 16 | 13u << 24);
	cr_expect(out[n - 2] == 0 && out[n - 1] == 0x40000000);
	tn_recorder_free(r);
}

Test(recorder, has_a_level_of_its_own)
{
	unsigned char out[64];
	struct tn_recorder *r;
	int evaluated = 0;

	cr_assert_eq(tn_recorder_new(&r, NULL, 0, 0, NULL), TN_OK);
	cr_assert_eq(tn_recorder_level(r), TN_LEVEL_DEBUG);
	tn_recorder_set_level(r, TN_LEVEL_WARNING);
	TN_RECORD_TO(r, TN_LEVEL_INFO, tn_record_i32(r, 1, ++evaluated));
	cr_expect_eq(tn_recorder_dump(r, out, sizeof out), 0);
	TN_RECORD_TO(r, TN_LEVEL_WARNING, tn_record_i32(r, 1, ++evaluated));
	cr_expect_eq(tn_recorder_dump(r, out, sizeof out), 12);
	cr_expect_eq(evaluated, 1);
	/* Nothing is compiled out, unless the program says so. */
	tn_recorder_set_level(r, TN_LEVEL_DEBUG);
	TN_RECORD_TO(r, TN_LEVEL_DEBUG, tn_record_i32(r, 1, ++evaluated));
	TN_RECORD(TN_LEVEL_DEBUG, tn_record_i32(r, 1, ++evaluated));
	cr_expect_eq(evaluated, 3);
	/* Levels that were compiled out stay out. */
#undef TN_RECORD_LEVEL
#define TN_RECORD_LEVEL TN_LEVEL_INFO
	TN_RECORD_TO(r, TN_LEVEL_DEBUG, tn_record_i32(r, 1, ++evaluated));
	TN_RECORD(TN_LEVEL_DEBUG, tn_record_i32(r, 1, ++evaluated));
	cr_expect_eq(evaluated, 3);
	tn_recorder_free(r);
}

/* ---- threads ---- */

#define THREADS 4
#define BUNDLES 20000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void take(void *user) { pthread_mutex_lock(user); }
static void give(void *user) { pthread_mutex_unlock(user); }

struct thread {
	struct tn_recorder *r;
	uint8_t number;
};

static void *
record_bundles(void *user)
{
	const struct thread *t = user;

	for (uint32_t i = 0; i < BUNDLES; i++) {
		(void)tn_record_begin(t->r, t->number);
		(void)tn_record_u32(t->r, t->number, i);
		if (i % 8 == 0)
			sched_yield();	/* a good moment for the others to walk in */
		(void)tn_record_begin(t->r, t->number);
		(void)tn_record_u32(t->r, t->number, i);
		(void)tn_record_end(t->r);
		(void)tn_record_end(t->r);
		(void)tn_record_u32(t->r, t->number, i);
	}
	return NULL;
}

/* Blocks of any length, in one way and the other: the bytes, then zeros up to a word. */
Test(recorder, blocks_of_any_length)
{
	unsigned char in[300], out[2048];

	for (unsigned i = 0; i < sizeof in; i++)
		in[i] = (unsigned char)(i * 7 + 1);
	for (size_t size = 0; size <= sizeof in; size++)
		for (int nested = 0; nested < 2; nested++) {
			struct tn_recorder *r;
			size_t n, head = nested ? 12 : 8, end = head + (size + 3) / 4 * 4;

			cr_assert_eq(tn_recorder_new(&r, NULL, 1024, 4, NULL), TN_OK);
			for (int round = 0; round < 20; round++) {	/* also over the end of the ring */
				if (nested)
					cr_assert_eq(tn_record_begin(r, 1), TN_OK);
				cr_assert_eq(tn_record_bytes(r, 2, in, size), TN_OK);
				if (nested)
					cr_assert_eq(tn_record_end(r), TN_OK);
				n = tn_recorder_dump(r, out, sizeof out);
				cr_assert_geq(n, end);
				cr_assert_eq(memcmp(out + n - end + head, in, size), 0, "size %zu, round %d", size, round);
				for (size_t i = head + size; i < end; i++)
					cr_assert_eq(out[n - end + i], 0, "size %zu, round %d: byte %zu", size, round, i);
			}
			tn_recorder_free(r);
		}
}

static void count_up(void *user) { ++*(int *)user; }
static void count_down(void *user) { --*(int *)user; }

/* A bundle that cannot be begun opens nothing: the lock is free again, values outside are recorded. */
Test(recorder, a_begin_that_fails_opens_nothing)
{
	static unsigned char big[60000], out[1 << 17];
	struct tn_recorder *r;
	int held = 0;
	size_t before;

	cr_assert_eq(tn_recorder_new(&r, NULL, 1 << 17, 4, NULL), TN_OK);
	tn_recorder_set_lock(r, count_up, count_down, &held);
	for (int i = 0; i < 16; i++)
		cr_assert_eq(tn_record_begin(r, 1), TN_OK);
	cr_assert_eq(tn_record_begin(r, 1), TN_ERR_RANGE);
	cr_assert_eq(held, 1);
	for (int i = 0; i < 16; i++)
		cr_assert_eq(tn_record_end(r), TN_OK);
	cr_assert_eq(held, 0, "the lock is taken still");
	cr_assert_eq(tn_record_end(r), TN_ERR_ARGUMENT);
	/* Also where there is no space for it. */
	cr_assert_eq(tn_record_begin(r, 1), TN_OK);
	cr_assert_eq(tn_record_bytes(r, 2, big, sizeof big), TN_OK);
	cr_assert_eq(tn_record_bytes(r, 2, big, 65532 - 4 - sizeof big - 4), TN_OK);
	cr_assert_eq(tn_record_begin(r, 1), TN_ERR_RANGE);
	cr_assert_eq(tn_record_end(r), TN_OK);
	cr_assert_eq(held, 0);
	before = tn_recorder_dump(r, out, sizeof out);
	cr_assert_eq(tn_record_u32(r, 3, 7), TN_OK);
	cr_assert_gt(tn_recorder_dump(r, out, sizeof out), before);
	tn_recorder_free(r);
}

/* A bundle is its thread's alone: all are there, whole, in the order of each thread. */
Test(recorder, threads_do_not_walk_into_each_others_bundles)
{
	const size_t room = (size_t)1 << 22;
	uint32_t next[THREADS] = { 0 }, *out = malloc(room);
	struct thread t[THREADS];
	pthread_t id[THREADS];
	struct tn_recorder *r;
	size_t n, count = 0;

	cr_assert_eq(tn_recorder_new(&r, NULL, room, 4, NULL), TN_OK);
	tn_recorder_set_lock(r, take, give, &mutex);
	for (uint8_t i = 0; i < THREADS; i++) {
		t[i] = (struct thread) { r, i };
		cr_assert_eq(pthread_create(&id[i], NULL, record_bundles, &t[i]), 0);
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
	cr_assert_eq(tn_record_end(r), TN_ERR_ARGUMENT);
	n = tn_recorder_dump(r, out, room) / 4;
	for (size_t at = 0; at < n;) {
		uint32_t head = out[at + 1], from = head >> 16 & 0xff, size = (head & 0xffff) / 4;

		cr_assert_lt(from, THREADS, "word %zu: %08x", at, head);
		if (head >> 24 == 0) {
			cr_assert_eq(size, 5, "the bundle at word %zu has %u words", at, size);
			cr_assert_eq(out[at + 3], next[from], "word %zu: %u of thread %u", at, out[at + 3], from);
			cr_assert_eq(out[at + 6], next[from], "word %zu", at);
		} else {
			cr_assert_eq(out[at + 2], next[from], "word %zu: %u of thread %u", at, out[at + 2], from);
			next[from]++;
		}
		at += 2 + size;
		count++;
	}
	cr_assert_eq(count, THREADS * BUNDLES * 2, "%zu records", count);
	tn_recorder_free(r);
	free(out);
}
