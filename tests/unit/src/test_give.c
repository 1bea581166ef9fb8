#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/give.h"

#define ALL ((size_t)20 << 20)
#define KEPT ((size_t)64 << 10)

struct reader {
	int from, kept[2];	/* the pipe, and another one that keeps the first bytes as they came */
	char *got;
	size_t n;
};

/* The first bytes are passed on without being read: their pages themselves are in the other pipe then. */
static void *
read_all(void *user)
{
	struct reader *r = user;
	ssize_t k;

	while (r->n < KEPT && (k = splice(r->from, NULL, r->kept[1], NULL, KEPT - r->n, 0)) > 0)
		r->n += (size_t)k;
	while ((k = read(r->from, r->got + r->n, ALL + 1 - r->n)) > 0)
		r->n += (size_t)k;
	return NULL;
}

static char *
text_of(size_t n)
{
	char *text = malloc(n);

	cr_assert(text);
	for (size_t i = 0; i < n; i++)
		text[i] = (char)(i * 7 + i / 1000);
	return text;
}

/* Pieces of any size arrive, and what somebody keeps is never written over. */
Test(give, arrives_and_stays)
{
	static const size_t sizes[] = { 1, 4095, 70000, 350000, 4096, 3000000, 5000000, 65536 };
	struct giver g = { .off = false };
	struct reader r = { .got = malloc(ALL + 1) };
	char *text = text_of(ALL), *kept = malloc(KEPT);
	pthread_t thread;
	size_t at = 0;
	int fd[2];

	cr_assert(r.got && kept && pipe(fd) == 0 && pipe(r.kept) == 0);
	(void)fcntl(r.kept[1], F_SETPIPE_SZ, 4 * KEPT);	/* each piece takes a place, however small */
	r.from = fd[0];
	cr_assert_eq(pthread_create(&thread, NULL, read_all, &r), 0);
	for (size_t i = 0; at < ALL; i++) {
		size_t n = sizes[i % (sizeof sizes / sizeof *sizes)];

		n = n < ALL - at ? n : ALL - at;
		cr_assert_eq(give(&g, fd[1], text + at, n), n, "%zu bytes at %zu: %s", n, at, strerror(errno));
		at += n;
	}
	giver_release(&g);
	close(fd[1]);
	pthread_join(thread, NULL);
	cr_assert_eq(r.n, ALL);
	cr_assert_eq(memcmp(r.got + KEPT, text + KEPT, ALL - KEPT), 0);
	for (size_t i = 0; i < KEPT; ) {
		ssize_t k = read(r.kept[0], kept + i, KEPT - i);

		cr_assert_gt(k, 0);
		i += (size_t)k;
	}
	cr_assert_eq(memcmp(kept, text, KEPT), 0, "what was kept has changed");
	close(fd[0]);
	close(r.kept[0]);
	close(r.kept[1]);
	free(r.got);
	free(kept);
	free(text);
}

/* What cannot be given is told, so that it is written. */
Test(give, not_there)
{
	char path[] = "/tmp/test_give.XXXXXX", *text = text_of(100000);
	struct giver g = { .off = false };
	int fd = mkstemp(path), ends[2];

	cr_assert(fd >= 0 && pipe(ends) == 0);
	cr_assert_eq(give(&g, fd, text, 100000), 0, "a file is no pipe");
	cr_assert_neq(errno, EPIPE);
	signal(SIGPIPE, SIG_IGN);
	close(ends[0]);
	cr_assert_eq(give(&g, ends[1], text, 100000), 0);
	cr_assert_eq(errno, EPIPE);
	giver_release(&g);
	close(ends[1]);
	close(fd);
	unlink(path);
	free(text);
}
