#include <config.h>

#include "bars.h"

void
bars_init(struct bars *b, int64_t begin_ns, int64_t end_ns, size_t n)
{
	b->n = n;
	b->begin_ns = begin_ns;
	atomic_init(&b->end_ns, end_ns);
}

size_t
bars_part(int64_t begin_ns, int64_t end_ns, size_t parts, int64_t time_ns)
{
	double part = ns_between(begin_ns, time_ns) / (ns_between(begin_ns, end_ns) + 1);
	size_t i = part <= 0 ? 0 : (size_t)(part * (double)parts);

	return i < parts ? i : parts - 1;
}

static int64_t
end_of(const struct bars *b)
{
	return atomic_load_explicit(&b->end_ns, memory_order_relaxed);
}

size_t
bars_at(const struct bars *b, int64_t time_ns)
{
	return bars_part(b->begin_ns, end_of(b), b->n, time_ns);
}

double
bars_width(const struct bars *b)
{
	return (ns_between(b->begin_ns, end_of(b)) + 1) / (double)b->n;
}

void
bars_add(struct bars *b, size_t bar, uint64_t n)
{
	atomic_fetch_add_explicit(&b->events[bar], n, memory_order_relaxed);
}

void
bars_count(struct bars *b, size_t bar, uint64_t n)
{
	atomic_store_explicit(&b->events[bar], atomic_load_explicit(&b->events[bar], memory_order_relaxed) + n,
			      memory_order_relaxed);
}

void
bars_spread(struct bars *b, int64_t first_ns, int64_t last_ns, uint64_t n, bool back)
{
	size_t first = bars_at(b, first_ns), last = bars_at(b, last_ns);
	double width = bars_width(b), span = ns_between(first_ns, last_ns) + 1;
	uint64_t done = 0;

	for (size_t i = first; i <= last; i++) {
		double end = ns_between(first_ns, b->begin_ns) + width * (double)(i + 1);
		uint64_t until = i == last || end >= span ? n : (uint64_t)((double)n * (end / span));

		until = until < done ? done : until > n ? n : until;
		bars_add(b, i, back ? done - until : until - done);	/* subtract modulo 2^64 */
		done = until;
	}
}

void
bars_lose(struct bars *b, size_t bar)
{
	atomic_store_explicit(&b->lossy[bar], true, memory_order_relaxed);
}

bool
bars_widen(struct bars *b, int64_t time_ns)
{
	bool wider = false;

	for (; time_ns > end_of(b); wider = true) {
		double span = 2 * bars_width(b) * (double)b->n;

		for (size_t i = 0; i < b->n / 2; i++) {
			atomic_store(&b->events[i], atomic_load(&b->events[2 * i]) + atomic_load(&b->events[2 * i + 1]));
			atomic_store(&b->lossy[i], atomic_load(&b->lossy[2 * i]) || atomic_load(&b->lossy[2 * i + 1]));
		}
		for (size_t i = b->n / 2; i < b->n; i++) {
			atomic_store(&b->events[i], 0);
			atomic_store(&b->lossy[i], false);
		}
		atomic_store(&b->end_ns, (double)b->begin_ns + span >= 9.2e18 ? INT64_MAX :
			     (int64_t)((uint64_t)b->begin_ns + (uint64_t)span - 1));
	}
	return wider;
}

void
bars_look(const struct bars *b, uint64_t *events, bool *lossy)
{
	for (size_t i = 0; i < b->n; i++) {
		events[i] = atomic_load_explicit(&b->events[i], memory_order_relaxed);
		lossy[i] = atomic_load_explicit(&b->lossy[i], memory_order_relaxed);
	}
}
