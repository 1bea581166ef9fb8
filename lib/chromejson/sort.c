/*
 * sort.c - entries in the order of their times: runs sorted in memory, merged once
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "chromejson/private.h"

#define RUN ((size_t)1 << 19)	/* entries: 12 MiB */
#define PIECE 8192		/* entries written at once */

static bool
before(const struct tn_cj_entry *a, const struct tn_cj_entry *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->at < b->at;
}

static int
compare(const void *a, const void *b)
{
	return before(a, b) ? -1 : before(b, a);
}

/* Sort what is there, unless it is. */
static void
sort_now(struct tn_cj_sorter *s)
{
	size_t i = 1;

	while (i < s->now.n && !before(&s->now.item[i], &s->now.item[i - 1]))
		i++;
	if (i < s->now.n)
		qsort(s->now.item, s->now.n, sizeof *s->now.item, compare);
}

static enum tn_code
write_run(struct tn_cj_sorter *s, struct tn_error *err)
{
	struct tn_cj_run *run = TN_ARRAY_ADD(&s->runs);
	enum tn_code rc;
	int fd;

	if (!run)
		return tn_fail_memory(err);
	*run = (struct tn_cj_run) { .n = s->now.n };
	sort_now(s);
	rc = tn_map_scratch(&run->map, &fd, s->now.n * sizeof *s->now.item, err);
	if (rc < 0)
		return rc;
	if (!tn_write_all(fd, s->now.item, s->now.n * sizeof *s->now.item))
		rc = tn_fail_errno(err, "cannot write to a temporary file");
	close(fd);
	s->now.n = 0;
	return rc;
}

enum tn_code
tn_cj_sort_add(struct tn_cj_sorter *s, const struct tn_cj_entry *e, struct tn_error *err)
{
	struct tn_cj_entry *at = TN_ARRAY_ADD(&s->now);

	if (!at)
		return tn_fail_memory(err);
	*at = *e;
	return s->now.n == RUN ? write_run(s, err) : TN_OK;
}

/* ---- X of the same time: the longer one is outside (chromejson.md, 3) ---- */

struct timed {
	struct tn_cj_entry entry;
	int64_t duration;
};

static int
compare_durations(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->duration != y->duration)
		return x->duration > y->duration ? -1 : 1;
	return compare(&x->entry, &y->entry);
}

static bool
is_span(const struct tn_cj_sorter *s, const struct tn_cj_entry *e)
{
	return !(e->track & (TN_CJ_DAMAGE | TN_CJ_LOSS)) && s->own->classes.item[e->class].phase == 'X';
}

/* Neighbours of the same time, all of them X. */
static bool
order_spans(const struct tn_cj_sorter *s, struct tn_cj_entry *e, size_t n)
{
	struct timed *all = n > 1 ? calloc(n, sizeof *all) : NULL;

	if (n > 1 && !all)
		return false;
	for (size_t i = 0; all && i < n; i++)
		all[i] = (struct timed) { e[i], tn_cj_duration_at(s->own, e[i].at) };
	if (all)
		qsort(all, n, sizeof *all, compare_durations);
	for (size_t i = 0; all && i < n; i++)
		e[i] = all[i].entry;
	free(all);
	return true;
}

static bool
order_all_spans(const struct tn_cj_sorter *s, struct tn_cj_entry *e, size_t n)
{
	bool good = true;

	for (size_t i = 0, k; good && i < n; i = k) {
		for (k = i + 1; k < n && e[k].ns == e[i].ns && is_span(s, &e[k]) && is_span(s, &e[i]); k++)
			;
		good = order_spans(s, e + i, k - i);
	}
	return good;
}

/* ---- the end ---- */

struct head {
	const struct tn_cj_entry *at, *end;
};

static void
sift(struct head *h, size_t n, size_t i)
{
	for (;;) {
		size_t k = 2 * i + 1;
		struct head one = h[i];

		k += k + 1 < n && before(h[k + 1].at, h[k].at);
		if (k >= n || !before(h[k].at, one.at))
			return;
		h[i] = h[k];
		h[k] = one;
		i = k;
	}
}

/* Write what is collected, but for the last entries if others of the same time may follow. */
static bool
flush(struct tn_cj_sorter *s, int fd, bool last)
{
	size_t n = s->now.n;

	while (!last && n && s->now.item[n - 1].ns == s->now.item[s->now.n - 1].ns)
		n--;
	if (!last && !n && s->now.n < RUN)
		return true;
	n = n ? n : s->now.n;
	if (!order_all_spans(s, s->now.item, n) || !tn_write_all(fd, s->now.item, n * sizeof *s->now.item))
		return false;
	for (size_t i = n; i < s->now.n; i++)
		s->now.item[i - n] = s->now.item[i];
	s->now.n -= n;
	return true;
}

static enum tn_code
merge(struct tn_cj_sorter *s, int fd, struct tn_error *err)
{
	struct head *h = calloc(s->runs.n + 1, sizeof *h);
	size_t n = s->runs.n;
	bool good = h != NULL;

	for (size_t i = 0; h && i < n; i++) {
		h[i].at = (const struct tn_cj_entry *)(const void *)s->runs.item[i].map.data;
		h[i].end = h[i].at + s->runs.item[i].n;
	}
	for (size_t i = n / 2; h && i-- > 0;)
		sift(h, n, i);
	while (good && n) {
		struct tn_cj_entry *to = TN_ARRAY_ADD(&s->now);

		good = to != NULL;
		if (!good)
			break;
		*to = *h[0].at++;
		if (h[0].at == h[0].end)
			h[0] = h[--n];
		if (n)
			sift(h, n, 0);
		if (s->now.n >= PIECE && s->now.n % PIECE == 0)
			good = flush(s, fd, false);
	}
	good = good && flush(s, fd, true);
	free(h);
	return good ? TN_OK : tn_fail_errno(err, "cannot sort the events in a temporary file");
}

enum tn_code
tn_cj_sort_end(struct tn_cj_sorter *s, struct tn_error *err)
{
	uint64_t n = s->now.n;
	enum tn_code rc = TN_OK;
	int fd;

	if (s->runs.n && s->now.n)
		rc = write_run(s, err);
	for (size_t i = 0; i < s->runs.n; i++)
		n = (i ? n : 0) + s->runs.item[i].n;
	s->own->n_entries = n;
	if (rc == TN_OK)
		rc = tn_map_scratch(&s->own->entries, &fd, n * sizeof *s->now.item, err);
	if (rc < 0)
		return rc;
	if (s->runs.n) {
		rc = merge(s, fd, err);
	} else {
		sort_now(s);
		if (!flush(s, fd, true))
			rc = tn_fail_errno(err, "cannot write to a temporary file");
	}
	close(fd);
	return rc;
}

void
tn_cj_sort_release(struct tn_cj_sorter *s)
{
	for (size_t i = 0; i < s->runs.n; i++)
		tn_map_release(&s->runs.item[i].map);
	TN_ARRAY_RELEASE(&s->runs);
	TN_ARRAY_RELEASE(&s->now);
}
