#include <criterion/criterion.h>
#include <string.h>

#include "base/array.h"
#include "ftrace/page.h"

static void
put(uint8_t *p, uint32_t v, bool big_endian)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * (big_endian ? 3 - i : i));
}

static uint32_t
head(uint32_t type_len, uint32_t delta, bool big_endian)
{
	return big_endian ? type_len << 27 | delta : delta << 5 | type_len;
}

/* One step over three words and what comes of it (tracedat.md, 4). */
Test(ftrace_page, steps)
{
	static const struct {
		const char *what;
		uint32_t type_len, delta, second, third, end;	/* end: bytes */
		enum tn_ftrace_step step;
		uint64_t time;	/* from 1 << 60 | 1000 */
		uint32_t data, size;
	} row[] = {
		{ "an event", 2, 5, 0, 0, 12, TN_FTRACE_EVENT, 5, 4, 8 },
		{ "an event that is cut", 3, 5, 0, 0, 12, TN_FTRACE_CUT, 5, 4, 8 },
		{ "a length", 0, 7, 8, 0, 12, TN_FTRACE_EVENT, 7, 8, 4 },
		{ "a length that is rounded up", 0, 7, 5, 0, 12, TN_FTRACE_EVENT, 7, 8, 4 },
		{ "a length beyond the end", 0, 7, 4000, 0, 12, TN_FTRACE_CUT, 7, 8, 4 },
		{ "a length that cannot be", 0, 7, 3, 0, 12, TN_FTRACE_BAD, 0, 0, 0 },
		{ "a length that overflows", 0, 7, 0xfffffffe, 0, 12, TN_FTRACE_BAD, 0, 0, 0 },
		{ "the end of the page", 29, 0, 0, 0, 12, TN_FTRACE_END, 0, 0, 0 },
		{ "a discarded event, and nothing", 29, 3, 8, 0, 12, TN_FTRACE_END, 3, 0, 0 },
		{ "a time extend, and the end of the bytes", 30, 4, 2, 0, 8, TN_FTRACE_END, 4 + (UINT64_C(2) << 27), 0, 0 },
		{ "a time extend that is cut", 30, 4, 2, 0, 4, TN_FTRACE_CUT, 0, 0, 0 },
		{ "half a word", 2, 5, 0, 0, 3, TN_FTRACE_CUT, 0, 0, 0 },
	};

	for (size_t i = 0; i < TN_COUNT(row); i++)
		for (unsigned be = 0; be < 2; be++) {
			uint8_t bytes[12 + 64] = { 0 };
			struct tn_ftrace_event e = { 0 };
			const uint64_t start = UINT64_C(1) << 60 | 1000;
			uint64_t time = start;
			uint32_t at = 0;
			enum tn_ftrace_step step;

			put(bytes, head(row[i].type_len, row[i].delta, be), be);
			put(bytes + 4, row[i].second, be);
			put(bytes + 8, row[i].third, be);
			step = be ? tn_ftrace_next(bytes, row[i].end, true, &at, &time, &e)
				  : tn_ftrace_next(bytes, row[i].end, false, &at, &time, &e);
			cr_assert_eq(step, row[i].step, "%s: step %d", row[i].what, step);
			if (step != TN_FTRACE_BAD)
				cr_assert_eq(time - start, row[i].time, "%s: time +%llu", row[i].what, (unsigned long long)(time - start));
			if (row[i].size)
				cr_assert(e.data == row[i].data && e.size == row[i].size, "%s: %u bytes at %u", row[i].what, e.size, e.data);
		}
}

/* The highest five bits of the time before an absolute one stay. */
Test(ftrace_page, absolute_time)
{
	uint8_t bytes[16 + 64] = { 0 };
	struct tn_ftrace_event e;
	uint64_t time = UINT64_C(0xf800000000000123);
	uint32_t at = 0;

	put(bytes, head(31, 9, false), false);
	put(bytes + 4, 3, false);
	put(bytes + 8, head(1, 1, false), false);
	cr_assert_eq(tn_ftrace_next(bytes, 16, false, &at, &time, &e), TN_FTRACE_EVENT);
	cr_assert_eq(time, UINT64_C(0xf800000000000000) + (UINT64_C(3) << 27) + 10);
	cr_assert_eq(e.at, 8);
}

/* Only the low half of a commit word of 64 bits counts. */
Test(ftrace_page, commit)
{
	static const struct {
		uint32_t low, size, there;
		uint32_t end, stop;
		bool lost, known;
	} row[] = {
		{ 100, 4096, 4096, 116, 116, false, false },
		{ 100 | 1u << 31, 4096, 4096, 116, 116, true, false },
		{ 100 | 3u << 30, 4096, 4096, 116, 116, true, true },
		{ 100 | 3u << 30, 4096, 120, 116, 116, true, false },
		{ 5000, 4096, 4096, 4096, 5016, false, false },
		{ 100, 4096, 50, 50, 116, false, false },
	};

	for (size_t i = 0; i < TN_COUNT(row); i++) {
		const struct tn_ftrace_layout layout = { .commit_at = 8, .commit_size = 8, .data_at = 16 };
		static uint8_t bytes[8192];
		struct tn_ftrace_page page;

		memset(bytes, 0, sizeof bytes);
		put(bytes, 77, false);
		put(bytes + 8, row[i].low, false);
		put(bytes + 12, 0xffffffff, false);
		bytes[116] = 171;
		tn_ftrace_page_begin(&page, &layout, bytes, row[i].size, row[i].there);
		cr_assert_eq(page.time, 77, "row %zu", i);
		cr_assert(page.end == row[i].end && page.stop == row[i].stop, "row %zu: %u, %u", i, page.end, page.stop);
		cr_assert(page.lost == row[i].lost && page.lost_known == row[i].known, "row %zu: losses", i);
		cr_assert(!page.lost_known || page.n_lost == 171, "row %zu: %llu lost", i, (unsigned long long)page.n_lost);
	}
}
