#include "ftrace/page.h"

#define LOST (UINT32_C(1) << 31)	/* bit of the commit word: events were lost before the page */
#define LOST_KNOWN (UINT32_C(1) << 30)	/* bit of the commit word: the number of lost events follows the events */
#define COMMITTED ((UINT32_C(1) << 27) - 1)

void
tn_ftrace_page_begin(struct tn_ftrace_page *page, const struct tn_ftrace_layout *layout, const uint8_t *p, uint32_t size,
		     uint32_t there)
{
	bool be = layout->big_endian;
	/* Only the lower half of a 64-bit long is used. */
	uint32_t low = be && layout->commit_size == 8 ? 4 : 0;
	uint32_t commit = tn_ftrace_word(p + layout->commit_at + low, be), room = size - layout->data_at;

	*page = (struct tn_ftrace_page) {
		.p = p, .big_endian = be, .begin = layout->data_at, .lost = commit & LOST,
		.time = be ? tn_load64_be(p + layout->time_at) : tn_load64(p + layout->time_at),
	};
	page->stop = layout->data_at + (commit & COMMITTED);
	page->end = page->stop;
	if ((commit & COMMITTED) > room)
		page->end = size;
	if (page->end > there)
		page->end = there;
	if (!(commit & LOST) || !(commit & LOST_KNOWN) || page->stop > there || there - page->stop < layout->commit_size)
		return;
	page->lost_known = true;
	page->n_lost = layout->commit_size == 4 ? tn_ftrace_word(p + page->stop, be)
					       : be ? tn_load64_be(p + page->stop) : tn_load64(p + page->stop);
}
