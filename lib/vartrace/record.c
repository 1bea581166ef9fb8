/*
 * record.c - from one record to the next
 *
 * The size in a header has 16 bits. For larger data its upper bits were added to the id (6.4), and the next
 * record is not at the place given by the header. The bytes there reveal that: a run of impossible records,
 * while another place, possible by the id, has a flawless run.
 */
#include "vartrace/record.h"

#define RUN 8			/* records examined after a candidate */
#define STEP 65536
#define STEPS 255		/* limit of @excess: the whole size has less than 24 bits, because the upper bits are the type */

unsigned
tn_vt_element_size(unsigned type)
{
	static const uint8_t sizes[16] = { 0, 1, 1, 2, 2, 4, 4, 8, 8, 0, 0, 0, 1, 8, 0, 4 };

	return type < 16 ? sizes[type] : 0;
}

static void
set_header(struct tn_vt_record *r, uint64_t at, uint32_t time, uint32_t word, uint64_t header)
{
	r->at = at;
	r->data = at + header;
	r->size = word & 0xffff;
	r->id = word >> 16 & 0xff;
	r->type = (uint8_t)(word >> 24);
	r->time = time;
	r->next = r->data + ((r->size + 3) & ~UINT64_C(3));
	r->repaired = false;
}

/* The record as described by its header. Padding cut by the end of the dump is not a loss. */
static bool
plain_record(const struct tn_vt_dump *d, uint64_t at, struct tn_vt_record *r)
{
	if (at > d->size || d->size - at < TN_VT_HEADER) {
		*r = (struct tn_vt_record) { .at = at, .data = at, .next = at };
		return false;
	}
	set_header(r, at, tn_vt_u32(d, at), tn_vt_u32(d, at + 4), TN_VT_HEADER);
	if (r->data + r->size > d->size)
		return false;
	if (r->next > d->size)
		r->next = d->size;
	return true;
}

/* Whether the size of the contents is possible for the type of the record. */
static bool
size_fits(const struct tn_vt_record *r)
{
	unsigned element = tn_vt_element_size(r->type);

	return r->type == TN_VT_SUBTRACE ? r->size % 4 == 0 : !element || r->size % element == 0;
}

/* Whether the record is weak evidence: any bytes can be a record of a user type, zeros an empty subtrace. */
static bool
is_no_evidence(const struct tn_vt_record *r)
{
	return r->type == TN_VT_SUBTRACE ? r->size == 0 : !tn_vt_element_size(r->type) && r->type != TN_VT_UNKNOWN;
}

struct run {
	unsigned n, weak, back;
	unsigned good;		/* good records before the first weak one or step back; RUN: all are good, to the end */
	bool broken;
};

/* Follow up to @most records from @at on; the previous record has the time @time. */
static struct run
follow(const struct tn_vt_dump *d, uint64_t at, uint32_t time, unsigned most)
{
	struct run run = { 0 };
	struct tn_vt_record r;

	while (run.n < most && at < d->size) {
		if (!plain_record(d, at, &r) || !size_fits(&r)) {
			run.broken = true;
			break;
		}
		run.n++;
		run.weak += is_no_evidence(&r);
		run.back += !tn_vt_is_forward(time, r.time);
		run.good += !run.weak && !run.back;
		time = r.time;
		at = r.next;
	}
	if (at >= d->size && run.good == run.n)
		run.good = RUN;
	return run;
}

/*
 * Try the record with a size that is @excess * 65536 bytes larger; returns the number of good records after it. The
 * tracer added the upper bits of the size to the id, but ORed them into the id of a subtrace.
 */
static unsigned
try_size(const struct tn_vt_dump *d, const struct tn_vt_record *plain, uint32_t excess, struct tn_vt_record *out)
{
	uint32_t word = tn_vt_u32(d, plain->at + 4);

	if (plain->type == TN_VT_SUBTRACE) {
		if ((word >> 16 & excess) != excess)
			return 0;
	} else {
		word -= excess << 16;
	}
	set_header(out, plain->at, plain->time, word, TN_VT_HEADER);
	out->size += (uint64_t)excess * STEP;
	out->next = out->data + ((out->size + 3) & ~UINT64_C(3));
	out->repaired = true;
	if (out->next > d->size || !size_fits(out))
		return 0;
	if (out->type == TN_VT_SUBTRACE && !tn_vt_subtrace_fits(d, out->data, out->data + out->size))
		return 0;
	return follow(d, out->next, out->time, RUN).good;
}

bool
tn_vt_record(const struct tn_vt_dump *d, uint64_t at, struct tn_vt_record *out)
{
	struct tn_vt_record one, plain;
	unsigned best = 1;	/* one good record can be an accident */
	struct run run;

	if (!plain_record(d, at, out))
		return false;
	run = follow(d, out->next, out->time, 2);
	if (!run.broken && run.good >= run.n)
		return true;
	run = follow(d, out->next, out->time, RUN);
	if (!run.broken && !(run.back && run.weak + 1 >= run.n))
		return true;
	plain = *out;
	for (uint32_t excess = 1; excess <= STEPS && plain.next + (uint64_t)excess * STEP <= d->size; excess++) {
		unsigned good = try_size(d, &plain, excess, &one);

		if (good > best) {
			best = good;
			*out = one;
		}
	}
	return true;
}

bool
tn_vt_nested(const struct tn_vt_dump *d, uint64_t at, uint64_t end, struct tn_vt_record *out)
{
	if (at > end || end - at < TN_VT_NESTED_HEADER) {
		*out = (struct tn_vt_record) { .at = at, .data = at, .next = at };
		return false;
	}
	set_header(out, at, 0, tn_vt_u32(d, at), TN_VT_NESTED_HEADER);
	return out->data + out->size <= end && out->next <= end;
}

/* Subtraces end within their containers, so one stack of ends suffices; deep subtraces are not read. */
bool
tn_vt_subtrace_fits(const struct tn_vt_dump *d, uint64_t at, uint64_t end)
{
	uint64_t ends[TN_VT_DEPTH];
	size_t depth = 0;
	struct tn_vt_record r;

	ends[0] = end;
	for (;;) {
		while (at == ends[depth]) {
			if (depth == 0)
				return true;
			depth--;
		}
		if (!tn_vt_nested(d, at, ends[depth], &r) || !size_fits(&r))
			return false;
		if (r.type == TN_VT_SUBTRACE && depth + 1 < TN_VT_DEPTH) {
			ends[++depth] = r.next;
			at = r.data;
		} else {
			at = r.next;
		}
	}
}
