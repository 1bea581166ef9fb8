/*
 * clock.c - convert times of packets to BOOTTIME, with the snapshots in the file (perfetto.md, 4)
 *
 * A snapshot has the values of several clocks at one moment. A time is converted with the last snapshot whose value is
 * not greater, or with the first snapshot. Clocks that no snapshot has together with BOOTTIME are converted through
 * MONOTONIC.
 */
#include "perfetto/private.h"

#define MOST_READINGS (1u << 18)
#define MOST_IN_SNAPSHOT 64

static uint64_t
key_of(uint64_t clock, uint32_t sequence)
{
	bool local = clock >= TN_PF_LOCAL_CLOCK && clock < TN_PF_GLOBAL_CLOCK;

	return (clock & UINT32_MAX) | (local ? (uint64_t)sequence << 32 : 0);
}

static bool
read_reading(struct tn_pf_reading *out, const struct tn_pf_field *field, uint32_t sequence)
{
	struct tn_pf_in in = tn_pf_in(field->bytes);
	struct tn_pf_field f;

	*out = (struct tn_pf_reading) { .unit = 1 };
	if (field->number != 1 || field->wire != TN_PF_BYTES)
		return false;
	while (tn_pf_next(&in, &f))
		switch (f.number) {
		case 1: out->clock = key_of(f.value, sequence); break;
		case 2: out->time = f.value; break;
		case 3: out->is_incremental = f.value != 0; break;
		case 4: out->unit = f.value ? f.value : 1; break;
		default: break;
		}
	return true;
}

static const struct tn_pf_reading *
reading_of(const struct tn_pf_reading *r, size_t n, uint64_t clock)
{
	for (size_t i = 0; i < n; i++)
		if (r[i].clock == clock)
			return &r[i];
	return NULL;
}

bool
tn_pf_clock_add(struct tn_pf_clocks *c, struct tn_pf_bytes snapshot, uint32_t sequence)
{
	struct tn_pf_reading r[MOST_IN_SNAPSHOT], *to;
	const struct tn_pf_reading *boot, *mono, *real;
	struct tn_pf_in in = tn_pf_in(snapshot);
	struct tn_pf_field f;
	size_t n = 0;

	while (n < MOST_IN_SNAPSHOT && tn_pf_next(&in, &f))
		n += read_reading(&r[n], &f, sequence);
	boot = reading_of(r, n, TN_PF_BOOTTIME);
	mono = reading_of(r, n, TN_PF_MONOTONIC);
	real = reading_of(r, n, TN_PF_REALTIME);
	if (!c->has_origin && real && (boot || mono) && real->time < INT64_MAX / 2) {
		c->has_origin = true;
		c->origin = real->time - (boot ? boot : mono)->time;
	}
	if (!c->first_boot && boot)
		c->first_boot = boot->time;
	for (size_t i = 0; i < n && (boot || mono) && c->readings.n < MOST_READINGS; i++) {
		if (&r[i] == boot || (&r[i] == mono && !boot))
			continue;
		if (!(to = TN_ARRAY_ADD(&c->readings)))
			return false;
		*to = r[i];
		to->boot = (boot ? boot : mono)->time;
		to->is_mono = !boot;
		to->order = c->readings.n;
	}
	return true;
}

static int
compare(const void *a, const void *b)
{
	const struct tn_pf_reading *x = a, *y = b;

	if (x->clock != y->clock)
		return x->clock < y->clock ? -1 : 1;
	if (x->is_mono != y->is_mono)
		return x->is_mono ? 1 : -1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Find the last reading of the clock that is not greater than @time, otherwise its first reading. NULL: none. */
static const struct tn_pf_reading *
find(const struct tn_pf_clocks *c, uint64_t clock, bool is_mono, uint64_t time)
{
	const struct tn_pf_reading key = { .clock = clock, .is_mono = is_mono, .time = time, .order = SIZE_MAX };
	const struct tn_pf_reading *r = c->readings.item;
	size_t lo = 0;

	TN_BISECT(lo, c->readings.n, mid, compare(&r[mid], &key) <= 0);
	if (lo && r[lo - 1].clock == clock && r[lo - 1].is_mono == is_mono)
		return &r[lo - 1];
	return lo < c->readings.n && r[lo].clock == clock && r[lo].is_mono == is_mono ? &r[lo] : NULL;
}

void
tn_pf_clock_settle(struct tn_pf_clocks *c)
{
	if (c->readings.n)
		qsort(c->readings.item, c->readings.n, sizeof *c->readings.item, compare);
}

bool
tn_pf_clock_begin(struct tn_pf_clocks *c, struct tn_pf_bytes snapshot, uint32_t sequence)
{
	struct tn_pf_in in = tn_pf_in(snapshot);
	struct tn_pf_reading r;
	struct tn_hash_item *item;
	struct tn_pf_field f;

	while (tn_pf_next(&in, &f)) {
		if (!read_reading(&r, &f, sequence) || !r.is_incremental)
			continue;
		if (!(item = tn_hash_add_u64(&c->last, r.clock, NULL)))
			return false;
		item->value = r.time;
	}
	return true;
}

static int64_t
bounded(uint64_t ns)
{
	return ns > UINT64_MAX / 2 ? 0 : ns > INT64_MAX / 4 ? INT64_MAX / 4 : (int64_t)ns;
}

int64_t
tn_pf_clock_boot(struct tn_pf_clocks *c, uint64_t clock, uint32_t sequence, uint64_t time)
{
	uint64_t key = key_of(clock, sequence), ns;
	const struct tn_pf_reading *r;
	struct tn_hash_item *last;

	if (clock == TN_PF_BOOTTIME)
		return bounded(time);
	if ((last = c->last.n ? tn_hash_find_u64(&c->last, key) : NULL))
		time = last->value += time;
	if ((r = find(c, key, false, time)))
		return bounded((time - r->time) * r->unit + r->boot);
	if ((r = find(c, key, true, time))) {
		ns = (time - r->time) * r->unit + r->boot;
		r = find(c, TN_PF_MONOTONIC, false, ns);
		return bounded(r ? ns - r->time + r->boot : ns);
	}
	c->n_unknown += key != TN_PF_MONOTONIC;
	return bounded(time);
}

void
tn_pf_clock_release(struct tn_pf_clocks *c)
{
	TN_ARRAY_RELEASE(&c->readings);
	tn_hash_release(&c->last);
}
