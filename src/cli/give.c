#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "give.h"

#define HUGE_PAGE ((size_t)2 << 20)
#define AREA (2 * HUGE_PAGE)

void
giver_init(struct giver *g)
{
	char text[64];
	ssize_t n = -1;
	int fd = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		n = read(fd, text, sizeof text - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	*g = (struct giver) { .off = !strstr(text, "[always]") && !strstr(text, "[madvise]") };
}

void
giver_release(struct giver *g)
{
	if (g->area)
		munmap(g->area, AREA);
	g->area = NULL;
}

/* What is still in the pipe stays there; only our view of it goes. */
static bool
new_area(struct giver *g)
{
	size_t before;
	char *all;

	giver_release(g);	/* first: the same addresses will do again */
	all = mmap(NULL, AREA + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		return false;
	before = -(uintptr_t)all & (HUGE_PAGE - 1);
	if (before)
		munmap(all, before);
	if (before < HUGE_PAGE)
		munmap(all + before + AREA, HUGE_PAGE - before);
	g->area = all + before;
	g->at = 0;
	(void)madvise(g->area, AREA, MADV_HUGEPAGE);
	return true;
}

size_t
give(struct giver *g, int fd, const char *text, size_t n)
{
	size_t given = 0;

	while (given < n) {
		size_t left = g->area ? AREA - g->at : 0;
		struct iovec piece = { .iov_len = n - given < AREA ? n - given : AREA };

		/* In one piece: with two of them reader and writer are in each other's way more often. */
		if (left < piece.iov_len && !new_area(g))
			break;
		piece.iov_base = g->area + g->at;
		memcpy(piece.iov_base, text + given, piece.iov_len);
		while (piece.iov_len) {
			ssize_t k = vmsplice(fd, &piece, 1, 0);

			if (k < 0 && errno == EINTR)
				continue;
			if (k <= 0)
				return given;
			piece.iov_base = (char *)piece.iov_base + k;
			piece.iov_len -= (size_t)k;
			g->at += (size_t)k;
			given += (size_t)k;
		}
	}
	return given;
}
