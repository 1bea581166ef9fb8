#include "base/filesort.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"

#define RUN ((size_t)12 << 20)	/* bytes of the records that are sorted in memory */
#define FEW 4096		/* qsort() is fast enough for this number of records */
#define DIGIT 11		/* bits of a time by which one pass sorts */
#define MASK (((size_t)1 << DIGIT) - 1)
#define PIECE ((size_t)192 << 10)	/* bytes that one write has */

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

static bool
is_sorted(const struct tn_filesort *s)
{
	size_t i = 1;

	while (i < s->n && compare(s->now + (i - 1) * s->size, s->now + i * s->size) <= 0)
		i++;
	return i >= s->n;
}

struct place {
	uint64_t key;		/* time since the first record */
	uint32_t i;		/* number of the record */
};

/* Sort by time only, which is enough if the records are in the order of their places. False: memory is out. */
static bool
sort_by_time(struct tn_filesort *s, int64_t first, uint64_t span)
{
	struct place *from = calloc(2 * s->n, sizeof *from), *to = from ? from + s->n : NULL;
	uint8_t *sorted = malloc(s->n * s->size);
	bool good = from && sorted;

	for (size_t i = 0; good && i < s->n; i++)
		from[i] = (struct place) { (uint64_t)key_of(s->now + i * s->size)->ns - (uint64_t)first, (uint32_t)i };
	for (unsigned shift = 0; good && shift < 64 && span >> shift; shift += DIGIT) {
		size_t at[1 << DIGIT] = { 0 }, sum = 0;
		struct place *other = to;

		for (size_t i = 0; i < s->n; i++)
			at[from[i].key >> shift & MASK]++;
		for (size_t i = 0; i <= MASK; i++) {
			size_t n = at[i];

			at[i] = sum;
			sum += n;
		}
		for (size_t i = 0; i < s->n; i++)
			to[at[from[i].key >> shift & MASK]++] = from[i];
		to = from;
		from = other;
	}
	for (size_t i = 0; good && i < s->n; i++)
		memcpy(sorted + i * s->size, s->now + from[i].i * s->size, s->size);
	free(from < to ? from : to);
	if (good) {
		free(s->now);
		s->now = sorted;
		s->room = s->n;
	} else {
		free(sorted);
	}
	return good;
}

/* Sort the records in memory, unless they are already sorted. */
static void
sort_now(struct tn_filesort *s)
{
	int64_t first = INT64_MAX, last = INT64_MIN;
	uint64_t highest = 0;
	bool in_place = s->n < UINT32_MAX;

	if (is_sorted(s))
		return;
	for (size_t i = 0; i < s->n; i++) {
		const struct tn_filesort_key *k = key_of(s->now + i * s->size);

		first = k->ns < first ? k->ns : first;
		last = k->ns > last ? k->ns : last;
		in_place &= i < s->kept || k->at >= highest;
		highest = k->at > highest ? k->at : highest;
	}
	if (!in_place || s->n < FEW || !sort_by_time(s, first, (uint64_t)last - (uint64_t)first))
		qsort(s->now, s->n, s->size, compare);
}

/*
 * Write the first @n sorted records. If other records may follow, keep back those that may have the same time as a
 * later one.
 */
static enum tn_code
flush(struct tn_filesort *s, int fd, size_t n, bool last, struct tn_error *err)
{
	size_t beside = n < s->n ? n : n ? n - 1 : 0;
	bool good;

	while (!last && s->arrange && n && key_of(s->now + (n - 1) * s->size)->ns == key_of(s->now + beside * s->size)->ns)
		n--;
	if (!last && !n && s->n < RUN / s->size)
		return TN_OK;
	n = n ? n : s->n;
	good = (!s->arrange || s->arrange(s->user, s->now, n)) && tn_write_all(fd, s->now, n * s->size);
	if (n) {
		s->last = *key_of(s->now + (n - 1) * s->size);
		s->n -= n;
		memmove(s->now, s->now + n * s->size, s->n * s->size);
	}
	return good ? TN_OK : tn_fail_errno(err, "cannot sort the events in a temporary file");
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
	rc = tn_map_scratch(&run->map, &fd, s->n * s->size, err);
	if (rc < 0)
		return rc;
	if (!tn_write_all(fd, s->now, s->n * s->size))
		rc = tn_fail_errno(err, "cannot write to a temporary file");
	close(fd);
	s->n = 0;
	return rc;
}

/* Write sorted records to `out`: all of them, or the first three quarters. */
static enum tn_code
write_out(struct tn_filesort *s, bool last, struct tn_error *err)
{
	enum tn_code rc = s->is_open ? TN_OK : tn_map_scratch(&s->out.map, &s->fd, 0, err);
	size_t n = s->n;

	if (rc < 0)
		return rc;
	s->is_open = true;
	rc = flush(s, s->fd, last ? n : n / 4 * 3, last, err);
	s->out.n += n - s->n;
	s->kept = s->n;
	return rc;
}

/* Map `out`, which is now complete, as *run. */
static enum tn_code
end_out(struct tn_filesort *s, struct tn_filesort_run *run, struct tn_error *err)
{
	enum tn_code rc = tn_map_scratch_sized(&s->out.map, s->fd, s->out.n * s->size, err);

	*run = s->out;
	s->out.n = 0;
	close(s->fd);
	s->is_open = false;
	return rc;
}

/*
 * The first record in memory belongs before records that are already written, or among records of one time that are
 * already arranged.
 */
static bool
is_late(const struct tn_filesort *s)
{
	return s->is_open && s->n && (s->arrange ? key_of(s->now)->ns <= s->last.ns : compare(s->now, &s->last) < 0);
}

/* Pass on the records in memory, if there are no others. */
static enum tn_code
pass_on(struct tn_filesort *s, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	sort_now(s);
	if (!s->runs.n && !is_late(s))
		return write_out(s, false, err);
	if (s->is_open)
		rc = TN_ARRAY_ADD(&s->runs) ? end_out(s, &s->runs.item[s->runs.n - 1], err) : tn_fail_memory(err);
	if (rc < 0)
		return rc;
	s->kept = 0;
	return write_run(s, err);
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
	return s->n >= RUN / s->size ? pass_on(s, err) : TN_OK;
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

/*
 * Take records from the first run while they come before the records of the other runs. Records of one time that are
 * already arranged are sorted again, because other records may come between them.
 */
static enum tn_code
merge(struct tn_filesort *s, int fd, struct tn_error *err)
{
	struct head *h = calloc(s->runs.n + 1, sizeof *h);
	size_t n = s->runs.n, piece = PIECE / s->size;
	enum tn_code rc = h ? TN_OK : tn_fail_memory(err);

	for (size_t i = 0; h && i < n; i++) {
		h[i].at = s->runs.item[i].map.data;
		h[i].end = h[i].at + s->runs.item[i].n * s->size;
	}
	for (size_t i = n / 2; h && i-- > 0;)
		sift(h, n, i);
	while (rc == TN_OK && n) {
		const uint8_t *other = n < 2 ? NULL : n > 2 && compare(h[2].at, h[1].at) < 0 ? h[2].at : h[1].at;

		do {
			uint8_t *to = add_record(s);

			if (!to) {
				rc = tn_fail_memory(err);
				break;
			}
			memcpy(to, h[0].at, s->size);
			h[0].at += s->size;
			if (s->n >= piece && s->n % piece == 0) {
				sort_now(s);
				rc = flush(s, fd, s->n, false, err);
			}
		} while (rc == TN_OK && h[0].at < h[0].end && (!other || compare(h[0].at, other) < 0));
		if (h[0].at == h[0].end)
			h[0] = h[--n];
		if (n)
			sift(h, n, 0);
	}
	free(h);
	sort_now(s);
	return rc == TN_OK ? flush(s, fd, s->n, true, err) : rc;
}

enum tn_code
tn_filesort_end(struct tn_filesort *s, struct tn_map *out, uint64_t *n, struct tn_error *err)
{
	struct tn_filesort_run only = { 0 };
	enum tn_code rc = TN_OK;
	int fd;

	sort_now(s);
	if (s->runs.n || is_late(s))
		rc = s->n ? pass_on(s, err) : TN_OK;
	else if ((rc = write_out(s, true, err)) == TN_OK)
		rc = end_out(s, &only, err);
	*n = only.n;
	*out = only.map;
	if (!s->runs.n || rc < 0)
		return rc;
	for (size_t i = 0; i < s->runs.n; i++)
		*n += s->runs.item[i].n;
	rc = tn_map_scratch(out, &fd, *n * s->size, err);
	if (rc == TN_OK) {
		rc = merge(s, fd, err);
		close(fd);
	}
	return rc;
}

void
tn_filesort_release(struct tn_filesort *s)
{
	for (size_t i = 0; i < s->runs.n; i++)
		tn_map_release(&s->runs.item[i].map);
	TN_ARRAY_RELEASE(&s->runs);
	if (s->is_open)
		close(s->fd);
	free(s->now);
	s->now = NULL;
	s->n = s->room = 0;
}
