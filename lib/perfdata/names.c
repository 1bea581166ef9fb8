/*
 * names.c - names of threads by time
 *
 * Readers take no lock: a name is complete before it is counted. Arrays and threads that were replaced are kept until the
 * trace is closed.
 */
#include <string.h>

#include "perfdata/private.h"

#define BUCKETS 4096
#define MOST_NAME 256

struct name {
	uint64_t since;
	const char *text;	/* TN_LOOKUP_SLACK bytes are readable after it */
	uint32_t size;
};

struct tn_perf_thread {
	int32_t tid;
	struct name *name;	/* sorted by time; atomic, like the next two members */
	size_t n;
	struct tn_perf_thread *next;
	size_t room;
};

bool
tn_perf_names_begin(struct tn_perf_names *names)
{
	struct tn_perf_thread **bucket = TN_NEW_ARRAY(&names->arena, BUCKETS, struct tn_perf_thread *);

	if (bucket)
		__atomic_store_n(&names->bucket, bucket, __ATOMIC_RELEASE);
	return bucket;
}

void
tn_perf_names_release(struct tn_perf_names *names)
{
	tn_arena_release(&names->arena);
}

static struct tn_perf_thread *
find_thread(const struct tn_perf_names *names, int32_t tid)
{
	struct tn_perf_thread **bucket = __atomic_load_n(&names->bucket, __ATOMIC_ACQUIRE);
	struct tn_perf_thread *t = __atomic_load_n(&bucket[(uint32_t)tid % BUCKETS], __ATOMIC_ACQUIRE);

	while (t && t->tid != tid)
		t = t->next;
	return t;
}

/* The name of @t at @time; NULL: none. */
static const struct name *
find_name(struct tn_perf_thread *t, uint64_t time)
{
	size_t lo = 0, n = t ? __atomic_load_n(&t->n, __ATOMIC_ACQUIRE) : 0;
	const struct name *name = t ? __atomic_load_n(&t->name, __ATOMIC_ACQUIRE) : NULL;

	TN_BISECT(lo, n, mid, name[mid].since <= time);
	return lo ? &name[lo - 1] : NULL;
}

static bool
add_name(struct tn_perf_names *names, int32_t tid, struct name new)
{
	struct tn_perf_thread *t = find_thread(names, tid), **bucket = &names->bucket[(uint32_t)tid % BUCKETS];

	if (!t) {
		if (!(t = TN_NEW(&names->arena, struct tn_perf_thread)))
			return false;
		t->tid = tid;
		t->next = *bucket;
		__atomic_store_n(bucket, t, __ATOMIC_RELEASE);
	}
	if (t->n && t->name[t->n - 1].size == new.size && memcmp(t->name[t->n - 1].text, new.text, new.size) == 0)
		return true;
	if (t->n == t->room) {
		size_t room = t->room ? 2 * t->room : 2;
		struct name *more = TN_NEW_ARRAY(&names->arena, room, struct name);

		if (!more)
			return false;
		if (t->n)
			memcpy(more, t->name, t->n * sizeof *more);
		__atomic_store_n(&t->name, more, __ATOMIC_RELEASE);
		t->room = room;
	}
	if (t->n && t->name[t->n - 1].since > new.since)
		new.since = t->name[t->n - 1].since;
	t->name[t->n] = new;
	__atomic_store_n(&t->n, t->n + 1, __ATOMIC_RELEASE);
	return true;
}

static int
by_time(const void *a, const void *b)
{
	const struct tn_perf_task *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? 1 : -1;
	return (x->at > y->at) - (x->at < y->at);
}

static bool
add_task(struct tn_perf_names *names, const struct tn_perf_record *r, uint64_t time)
{
	const bool be = names->big_endian;
	size_t n;

	if (r->type == TN_PERF_COMM && r->size > 16) {
		char *text;

		n = strnlen((const char *)r->p + 16, r->size - 16u < MOST_NAME ? r->size - 16u : MOST_NAME);
		if (!(text = tn_arena_alloc(&names->arena, n + TN_LOOKUP_SLACK)))
			return false;
		memcpy(text, r->p + 16, n);
		return add_name(names, (int32_t)tn_perf_u32(r->p + 12, be), (struct name) { time, text, (uint32_t)n });
	}
	if (r->type == TN_PERF_FORK && r->size >= 24) {
		const struct name *parent = find_name(find_thread(names, (int32_t)tn_perf_u32(r->p + 20, be)), time);

		return !parent || add_name(names, (int32_t)tn_perf_u32(r->p + 16, be),
					   (struct name) { time, parent->text, parent->size });
	}
	return true;
}

void
tn_perf_names_add(struct tn_perf_names *names, const uint8_t *data, uint64_t end, struct tn_perf_task *task, size_t n)
{
	struct tn_perf_record r;

	if (n)
		qsort(task, n, sizeof *task, by_time);
	for (size_t i = 0; i < n; i++)
		if (tn_perf_next(&r, data, task[i].at, end, names->big_endian) && !add_task(names, &r, task[i].time))
			names->no_memory = true;
}

static const char *
name_of(const struct tn_lookup *lookup, int32_t tid, uint64_t time, size_t *size)
{
	static const char idle[TN_LOOKUP_SLACK + 8] = "swapper";
	const struct tn_perf_names *names = lookup->user;
	const struct name *name = find_name(find_thread(names, tid), time);

	if (!tid && (!name || !name->size)) {
		*size = strlen(idle);
		return idle;
	}
	*size = name ? name->size : strlen(lookup->other);
	return name ? name->text : lookup->other;
}

const char *
tn_perf_name_at(const struct tn_lookup *lookup, const uint8_t *place, size_t *size)
{
	const bool be = ((const struct tn_perf_names *)lookup->user)->big_endian;

	return name_of(lookup, (int32_t)tn_perf_u32(place, be), tn_perf_u64(place + 4, be), size);
}

const char *
tn_perf_name_last(const struct tn_lookup *lookup, const uint8_t *place, size_t *size)
{
	const bool be = ((const struct tn_perf_names *)lookup->user)->big_endian;

	return name_of(lookup, (int32_t)tn_perf_u32(place, be), UINT64_MAX, size);
}
