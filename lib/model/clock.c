#include <string.h>

#include "model/trace.h"

#define NS 1000000000

static int64_t
saturate(__int128 v)
{
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

/* Nanoseconds of so many cycles, rounded down. */
static __int128
cycles_ns(const struct tn_clock *c, uint64_t cycles)
{
	if (c->frequency == NS)
		return cycles;
	return (__int128)(cycles / c->frequency) * NS +
	       (__int128)((unsigned __int128)(cycles % c->frequency) * NS / c->frequency);
}

/* What the first cycle is. babeltrace2 rounds the offset and the value down each by itself: so do we. */
static __int128
origin_ns(const struct tn_clock *c)
{
	return (__int128)c->offset_s * NS + c->shift_ns + cycles_ns(c, c->offset_cycles);
}

static __int128
base_ns(const struct tn_clock *c)
{
	return c->beyond ? 0 : origin_ns(c);
}

void
tn_clock_settle(struct tn_clock *c)
{
	__int128 origin = origin_ns(c);

	c->beyond = origin >= INT64_MAX || origin <= INT64_MIN;
}

int64_t
tn_clock_ns(const struct tn_clock *c, uint64_t cycles)
{
	return saturate(base_ns(c) + cycles_ns(c, cycles));
}

uint64_t
tn_clock_cycles(const struct tn_clock *c, int64_t ns)
{
	__int128 rest = (__int128)ns - base_ns(c), cycles;

	if (rest < 0)
		return 0;
	/* Round up: the first value whose time is not before @ns. */
	if (c->frequency == NS)
		cycles = rest;
	else
		cycles = (rest / NS) * c->frequency + ((rest % NS) * c->frequency + NS - 1) / NS;
	return cycles > UINT64_MAX ? UINT64_MAX : (uint64_t)cycles;
}

static bool
same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool
tn_clocks_compare(const struct tn_clock *a, const struct tn_clock *b)
{
	if (a == b)
		return true;
	if (a->origin == TN_ORIGIN_UNIX || b->origin == TN_ORIGIN_UNIX)
		return a->origin == b->origin;
	if (a->origin == TN_ORIGIN_NAMED && b->origin == TN_ORIGIN_NAMED)
		return same(a->origin_name_space, b->origin_name_space) && same(a->origin_name, b->origin_name) &&
		       same(a->origin_uid, b->origin_uid);
	if (a->has_uuid && b->has_uuid)
		return memcmp(a->uuid, b->uuid, 16) == 0;
	if (a->unnamed || b->unnamed)
		return false;
	return a->name && b->name && a->uid && b->uid && same(a->name_space, b->name_space) &&
	       same(a->name, b->name) && same(a->uid, b->uid);
}

const char *tn_clock_name(const struct tn_clock *c) { return c ? c->name : NULL; }
const char *tn_clock_description(const struct tn_clock *c) { return c ? c->description : NULL; }
uint64_t tn_clock_frequency(const struct tn_clock *c) { return c ? c->frequency : 0; }
int64_t tn_clock_offset_s(const struct tn_clock *c) { return c ? c->offset_s : 0; }
uint64_t tn_clock_offset_cycles(const struct tn_clock *c) { return c ? c->offset_cycles : 0; }
bool tn_clock_is_wall_time(const struct tn_clock *c) { return c && c->origin == TN_ORIGIN_UNIX; }
const uint8_t *tn_clock_uuid(const struct tn_clock *c) { return c && c->has_uuid ? c->uuid : NULL; }
