#include <string.h>

#include "base/wide.h"
#include "model/trace.h"

#define NS INT64_C(1000000000)

/* Add seconds and nanoseconds, which may be more than a second; the sum in nanoseconds saturates. */
static int64_t
join(int64_t s, int64_t ns)
{
	int64_t carry = ns / NS - (ns % NS < 0), out;

	ns -= carry * NS;
	if (__builtin_add_overflow(s, carry, &s))
		return s < 0 ? INT64_MAX : INT64_MIN;	/* the sum of seconds overflowed */
	/* For the smallest seconds the intermediate product would overflow, so multiply one second less. */
	if (s < 0) {
		s++;
		ns -= NS;
	}
	if (__builtin_mul_overflow(s, NS, &out) || __builtin_add_overflow(out, ns, &out))
		return s < 0 ? INT64_MIN : INT64_MAX;
	return out;
}

/* Get the time of the first cycle. Offset and value are rounded down separately, as in babeltrace2. */
static void
origin_of(const struct tn_clock *c, int64_t *s, int64_t *ns)
{
	*s = c->beyond ? 0 : c->offset_s;
	*ns = c->beyond ? 0 : (int64_t)tn_multiply_divide(c->offset_cycles, NS, c->frequency) + c->shift_ns % NS;
}

static int64_t
shift_s(const struct tn_clock *c)
{
	return c->beyond ? 0 : c->shift_ns / NS;
}

int64_t
tn_clock_ns(const struct tn_clock *c, uint64_t cycles)
{
	uint64_t frequency = c->frequency, seconds = cycles / frequency;
	int64_t s, ns;

	origin_of(c, &s, &ns);
	/* The sum can only overflow upwards, because seconds are not negative. */
	if (__builtin_add_overflow(s, seconds, &s) || (shift_s(c) > 0 && s > INT64_MAX - shift_s(c)))
		return INT64_MAX;
	if (shift_s(c) < 0 && s < INT64_MIN - shift_s(c))
		return INT64_MIN;
	return join(s + shift_s(c), ns + (int64_t)tn_multiply_divide(cycles % frequency, NS, frequency));
}

bool
tn_clock_time(const struct tn_clock *c, uint64_t cycles, int64_t *out_ns)
{
	int64_t ns;

	if (!c || !out_ns || !c->frequency)
		return false;
	ns = tn_clock_ns(c, cycles);
	if (!tn_clock_fits(c, ns) || ns == INT64_MIN)
		return false;
	*out_ns = ns;
	return true;
}

void
tn_clock_settle(struct tn_clock *c)
{
	int64_t origin;

	c->beyond = false;
	origin = tn_clock_ns(c, 0);
	c->beyond = origin == INT64_MAX || origin == INT64_MIN;
}

uint64_t
tn_clock_cycles(const struct tn_clock *c, int64_t ns)
{
	int64_t s, part, now_s = ns / NS - (ns % NS < 0), carry;
	uint64_t cycles;

	origin_of(c, &s, &part);
	if (__builtin_add_overflow(s, shift_s(c), &s) || __builtin_sub_overflow(now_s, s, &s))
		return c->offset_s < 0 ? UINT64_MAX : 0;
	part = ns % NS + (ns % NS < 0 ? NS : 0) - part;
	carry = part / NS - (part % NS < 0);
	s += carry;
	part -= carry * NS;
	if (s < 0)
		return 0;
	/* Round up to the first value whose time is not before @ns. */
	if (__builtin_mul_overflow((uint64_t)s, c->frequency, &cycles) ||
	    __builtin_add_overflow(cycles, tn_multiply_divide_up((uint64_t)part, c->frequency, NS), &cycles))
		return UINT64_MAX;
	return cycles;
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
