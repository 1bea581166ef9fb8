/*
 * page.h - pages of the kernel's ring buffers: their headers, their events
 *
 * A page has a time, the number of bytes of events in it (commit), and events whose times count from the previous one. The
 * bytes after the committed ones are old memory. Nothing of a page is trusted: each step stays inside of its bytes.
 *
 * Source     tracedat.md, 4.
 */
#ifndef TN_FTRACE_PAGE_H
#define TN_FTRACE_PAGE_H

#include "base/bits.h"
#include "ftrace/format.h"

#define TN_FTRACE_PAGE_LEAST 64		/* size of the smallest accepted page */
#define TN_FTRACE_PAGE_MOST (1u << 24)	/* size of the largest accepted page; positions in it are bits of a struct tn_ref */

struct tn_ftrace_page {
	const uint8_t *p;
	bool big_endian;
	uint64_t time;
	uint32_t begin, end;	/* range of the events that the file contains, in bytes from the start of the page */
	uint32_t stop;		/* end of the range if the file is complete */
	bool lost;		/* events were lost before the first event */
	bool lost_known;	/* their number is known, and is in `n_lost` */
	uint64_t n_lost;
};

/* @size: size of the page. @there: the part of it that the file contains, at least layout->data_at bytes. */
void tn_ftrace_page_begin(struct tn_ftrace_page *page, const struct tn_ftrace_layout *layout, const uint8_t *p, uint32_t size,
			  uint32_t there);

static inline uint32_t
tn_ftrace_word(const uint8_t *p, bool big_endian)
{
	return big_endian ? (uint32_t)(tn_load64_be(p) >> 32) : (uint32_t)tn_load64(p);
}

enum tn_ftrace_step {
	TN_FTRACE_EVENT,
	TN_FTRACE_END,		/* no more events */
	TN_FTRACE_CUT,		/* the next event exceeds the end: `size` is the existing part of its record */
	TN_FTRACE_BAD		/* the size of the next event is impossible */
};

struct tn_ftrace_event {
	uint32_t at;		/* position of the header, in bytes from the start of the page */
	uint32_t data, size;	/* the record of the event */
	uint32_t next;		/* position of the next event */
};

/*
 * Find the next event at or after byte *at. On entry, *time is the time of the previous event, on return the time of
 * this event. Skips padding and time extends, and moves *at after the event.
 */
static inline __attribute__((always_inline)) enum tn_ftrace_step
tn_ftrace_next(const uint8_t *p, uint32_t end, const bool big_endian, uint32_t *at, uint64_t *time, struct tn_ftrace_event *out)
{
	while (end - *at >= 4) {
		uint32_t head = tn_ftrace_word(p + *at, big_endian), left = end - *at;
		uint32_t type_len = big_endian ? head >> 27 : head & 31, delta = big_endian ? head & 0x7ffffff : head >> 5, word;

		if (__builtin_expect(type_len - 1 < 28, 1)) {
			out->at = *at;
			out->data = *at + 4;
			out->size = 4 * type_len;
			out->next = out->data + out->size;
			*time += delta;
			if (__builtin_expect(4 + out->size > left, 0)) {
				out->size = left - 4;
				return TN_FTRACE_CUT;
			}
			return TN_FTRACE_EVENT;
		}
		if (type_len == 29 && delta == 0)
			return TN_FTRACE_END;
		out->data = *at;
		out->size = 0;
		if (left < 8)
			return TN_FTRACE_CUT;
		word = tn_ftrace_word(p + *at + 4, big_endian);
		if (type_len == 30) {
			*time += ((uint64_t)word << 27) + delta;
			*at += 8;
		} else if (type_len == 31) {
			*time = (*time & UINT64_C(31) << 59) | ((uint64_t)word << 27) | delta;
			*at += 8;
		} else if (word < 4 || word > TN_FTRACE_PAGE_MOST) {
			return TN_FTRACE_BAD;
		} else {
			uint32_t size = (word + 3) & ~UINT32_C(3);	/* size of the record and of this word */

			out->at = *at;
			out->data = *at + 8;
			out->next = *at + 4 + size;
			*time += delta;
			if (size > left - 4) {
				out->size = type_len == 0 ? left - 8 : 0;
				return TN_FTRACE_CUT;
			}
			out->size = size - 4;
			if (type_len == 0)
				return TN_FTRACE_EVENT;
			*at = out->next;
		}
	}
	out->data = *at;
	out->size = 0;
	return *at == end ? TN_FTRACE_END : TN_FTRACE_CUT;
}

#endif
