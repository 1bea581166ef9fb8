#include <criterion/criterion.h>
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
	cr_assert_eq(tn_recorder_dump(r, out, sizeof out), 0);
	cr_assert_eq(tn_record_begin(r, 1), TN_OK);
	cr_assert_eq(tn_record_array(r, 1, TN_RECORD_BYTES, big, 60000, 1), TN_OK);
	cr_assert_eq(tn_record_array(r, 1, TN_RECORD_BYTES, big, 6000, 1), TN_ERR_RANGE);
	cr_assert_eq(tn_record_end(r), TN_OK);
	cr_assert_eq(tn_recorder_dump(r, out, sizeof out), 8 + 4 + 60000);
	for (int i = 0; i < 20; i++)
		tn_record_begin(r, 3);
	for (int i = 0; i < 20; i++)
		cr_assert_eq(tn_record_end(r), TN_OK);
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
