#include "base/filesort.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"

#define RUN ((size_t)12 << 20)	/* bytes of a run */
#define PIECE ((size_t)192 << 10)	/* bytes written at once */

static const struct tn_filesort_key *
key_of(const uint8_t *record)
{
	return (const struct tn_filesort_key *)(const void *)record;
}

static int
compare(const void *a, const void *b)
{
	const struct tn_filesort_key *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* Sort what is there, unless it is. */
static void
sort_now(struct tn_filesort *s)
{
	size_t i = 1;

	while (i < s->n && compare(s->now + (i - 1) * s->size, s->now + i * s->size) <= 0)
		i++;
	if (i < s->n)
		qsort(s->now, s->n, s->size, compare);
}

static enum tn_code
write_run(struct tn_filesort *s, struct tn_error *err)
{
	struct tn_filesort_run *run = TN_ARRAY_ADD(&s->runs);
	enum tn_code rc;
	int fd;

	if (!run)
		return tn_fail_memory(err);
	run->n = s->n;
	sort_now(s);
	rc = tn_map_scratch(&run->map, &fd, s->n * s->size, err);
	if (rc < 0)
		return rc;
	if (!tn_write_all(fd, s->now, s->n * s->size))
		rc = tn_fail_errno(err, "cannot write to a temporary file");
	close(fd);
	s->n = 0;
	return rc;
}

static uint8_t *
add_record(struct tn_filesort *s)
{
	if (s->n == s->room && !tn_array_reserve((void **)&s->now, &s->room, s->n + 1, s->size))
		return NULL;
	return s->now + s->n++ * s->size;
}

enum tn_code
tn_filesort_add(struct tn_filesort *s, const void *record, struct tn_error *err)
{
	uint8_t *at = add_record(s);

	if (!at)
		return tn_fail_memory(err);
	memcpy(at, record, s->size);
	return s->n >= RUN / s->size ? write_run(s, err) : TN_OK;
}

/* ---- the end ---- */

struct head {
	const uint8_t *at, *end;
};

static void
sift(struct head *h, size_t n, size_t i)
{
	for (;;) {
		size_t k = 2 * i + 1;
		struct head one = h[i];

		k += k + 1 < n && compare(h[k + 1].at, h[k].at) < 0;
		if (k >= n || compare(h[k].at, one.at) >= 0)
			return;
		h[i] = h[k];
		h[k] = one;
		i = k;
	}
}

/* Write what is collected, but for the last records if others of the same time may follow. */
static bool
flush(struct tn_filesort *s, int fd, bool last)
{
	size_t n = s->n;

	while (!last && s->arrange && n && key_of(s->now + (n - 1) * s->size)->ns == key_of(s->now + (s->n - 1) * s->size)->ns)
		n--;
	if (!last && !n && s->n < RUN / s->size)
		return true;
	n = n ? n : s->n;
	if ((s->arrange && !s->arrange(s->user, s->now, n)) || !tn_write_all(fd, s->now, n * s->size))
		return false;
	if (n)
		memmove(s->now, s->now + n * s->size, (s->n - n) * s->size);
	s->n -= n;
	return true;
}

static bool
merge(struct tn_filesort *s, int fd)
{
	struct head *h = calloc(s->runs.n + 1, sizeof *h);
	size_t n = s->runs.n, piece = PIECE / s->size;
	bool good = h != NULL;

	for (size_t i = 0; h && i < n; i++) {
		h[i].at = s->runs.item[i].map.data;
		h[i].end = h[i].at + s->runs.item[i].n * s->size;
	}
	for (size_t i = n / 2; h && i-- > 0;)
		sift(h, n, i);
	while (good && n) {
		uint8_t *to = add_record(s);

		good = to != NULL;
		if (!good)
			break;
		memcpy(to, h[0].at, s->size);
		h[0].at += s->size;
		if (h[0].at == h[0].end)
			h[0] = h[--n];
		if (n)
			sift(h, n, 0);
		if (s->n >= piece && s->n % piece == 0)
			good = flush(s, fd, false);
	}
	good = good && flush(s, fd, true);
	free(h);
	return good;
}

enum tn_code
tn_filesort_end(struct tn_filesort *s, struct tn_map *out, uint64_t *n, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	int fd;

	if (s->runs.n && s->n)
		rc = write_run(s, err);
	*n = s->runs.n ? 0 : s->n;
	for (size_t i = 0; i < s->runs.n; i++)
		*n += s->runs.item[i].n;
	if (rc == TN_OK)
		rc = tn_map_scratch(out, &fd, *n * s->size, err);
	if (rc < 0)
		return rc;
	if (!s->runs.n)
		sort_now(s);
	if (s->runs.n ? !merge(s, fd) : !flush(s, fd, true))
		rc = tn_fail_errno(err, "cannot sort the events in a temporary file");
	close(fd);
	return rc;
}

void
tn_filesort_release(struct tn_filesort *s)
{
	for (size_t i = 0; i < s->runs.n; i++)
		tn_map_release(&s->runs.item[i].map);
	TN_ARRAY_RELEASE(&s->runs);
	free(s->now);
	s->now = NULL;
	s->n = s->room = 0;
}
