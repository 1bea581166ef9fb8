#include "digest/slices.h"

#include "model/decoder.h"

#define SLICE_BYTES 128		/* bytes of a packet for each slice */
#define LEAST 4			/* a packet with fewer slices is read quickly enough */
#define STEP 16			/* rows that are skipped at once */
#define MOST (4 * TN_SLICES)	/* limit of slices of a packet; the entry in the index allows no more */

bool
tn_slices_shift(const struct tn_packet *entry, unsigned *shift)
{
	uint64_t most = entry->size_bits / 8 / SLICE_BYTES, span;

	if (most < LEAST || entry->begin_ns == INT64_MIN || entry->end_ns == INT64_MAX || entry->end_ns < entry->begin_ns)
		return false;
	most = most < TN_SLICES ? most : TN_SLICES;
	span = (uint64_t)entry->end_ns - (uint64_t)entry->begin_ns;
	*shift = span < most ? 0 : 63 - (unsigned)__builtin_clzll(span / most);
	while (tn_slice_of(entry->end_ns, *shift) - tn_slice_of(entry->begin_ns, *shift) >= most)
		++*shift;
	return true;
}

/*
 * Find the first row after @at, before @end, that is later than the time; row @at is not later. About @guess more rows
 * are not later either.
 */
static size_t
after(const struct tn_ref *ref, size_t at, size_t end, int64_t last_ns, size_t guess)
{
	/* Either all rows from here on are later, or this row is the result. */
	size_t high = at + guess < end ? at + guess : end;

	while (high < end && ref[high].time_ns <= last_ns) {
		at = high;
		high = end - high < STEP ? end : high + STEP;
	}
	while (high - at > STEP && ref[high - STEP].time_ns > last_ns)
		high -= STEP;
	if (high - at > STEP)
		at = high - STEP;
	while (high - at > 1) {
		size_t mid = at + (high - at) / 2;

		if (ref[mid].time_ns <= last_ns)
			at = mid;
		else
			high = mid;
	}
	return high;
}

/* The number of flags that are set. */
static uint32_t
sum(const uint8_t *flag, size_t n)
{
	uint32_t all = 0;

	for (; n >= 8; flag += 8, n -= 8) {
		uint64_t eight;

		memcpy(&eight, flag, 8);
		all += (uint32_t)(eight * UINT64_C(0x0101010101010101) >> 56);
	}
	for (size_t i = 0; i < n; i++)
		all += flag[i];
	return all;
}

bool
tn_slices_note(struct tn_slices *out, const struct tn_batch *b, size_t low, size_t high, const uint8_t *pass, size_t passed,
	       unsigned shift)
{
	const struct tn_ref *ref = b->refs.item;
	/* Usually many rows in succession do not match. */
	bool all = passed == high + 1 - low;
	const uint8_t *next_pass = passed && !all ? memchr(pass, 1, high + 1 - low) : NULL;

	uint64_t slices = tn_slice_of(ref[high].time_ns, shift) - tn_slice_of(ref[low].time_ns, shift) + 1;
	size_t rows = high + 1 - low, guess = 1 + (slices < rows ? rows / (size_t)slices : 0);

	if (!TN_ARRAY_RESERVE(out, out->n + (slices < rows ? (size_t)slices : rows)))
		return false;
	for (size_t at = low, end = high + 1, next; at < end; at = next) {
		struct tn_slice *slice = &out->item[out->n++];

		slice->number = tn_slice_of(ref[at].time_ns, shift);
		next = after(ref, at, end, tn_slice_begin(slice->number, shift) + (int64_t)((UINT64_C(1) << shift) - 1), guess);
		slice->events = (uint32_t)(next - at);
		slice->passed = all ? slice->events : 0;
		if (!next_pass || next_pass >= pass + (next - low))
			continue;
		slice->passed = sum(pass + (at - low), next - at);
		next_pass = next < end ? memchr(pass + (next - low), 1, end - next) : NULL;
	}
	return true;
}

bool
tn_slices_join(struct tn_slices *out, const struct tn_slice *more, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tn_slice *last = out->n ? &out->item[out->n - 1] : NULL;

		if (last && last->number == more[i].number) {
			last->events += more[i].events;
			last->passed += more[i].passed;
			continue;
		}
		if ((last && last->number > more[i].number) || out->n == MOST || !(last = TN_ARRAY_ADD(out)))
			return false;
		*last = more[i];
	}
	return true;
}

/* ---- the note ---- */

bool
tn_slices_write(const struct tn_slices *slices, bool passed, const struct tn_packet *entry, unsigned shift,
		struct tn_note_bytes *note)
{
	uint64_t begin = tn_slice_of(entry->begin_ns, shift), next = 0;
	uint8_t *out;
	bool any = false;

	if (!TN_ARRAY_RESERVE(note, note->n + (2 + MOST) * TN_VARINT_SIZE))
		return false;
	out = note->item + note->n;
	out += tn_varint_put(out, shift);
	for (size_t i = 0; i < slices->n; i++) {
		const struct tn_slice *slice = &slices->item[i];
		uint64_t count = passed ? slice->passed : slice->events;

		if (!count)
			continue;
		if (slice->number - begin >= MOST)
			return false;
		if (!any)
			out += tn_varint_put(out, slice->number - begin);
		for (; any && next < slice->number; next++)
			*out++ = 0;
		out += tn_varint_put(out, count);
		next = slice->number + 1;
		any = true;
	}
	note->n = (size_t)(out - note->item);
	return any;
}

bool
tn_slices_read(struct tn_slices_read *out, struct tn_note note, const struct tn_packet *entry, uint64_t events)
{
	const uint8_t *end = note.bytes + note.n;
	uint64_t shift, gap;

	if (!note.bytes || !tn_varint_get(&note.bytes, end, &shift) || shift > 63 || !tn_varint_get(&note.bytes, end, &gap) ||
	    gap >= MOST)
		return false;
	out->shift = (unsigned)shift;
	out->first = tn_slice_of(entry->begin_ns, out->shift) + gap;
	for (out->n = 0; note.bytes < end; out->n++) {
		uint64_t count;

		if (out->n == TN_COUNT(out->count) || !tn_varint_get(&note.bytes, end, &count) || count > events)
			return false;
		out->count[out->n] = count;
		events -= count;
	}
	/* The slice of the last event may be the last slice of time. */
	return events == 0 && out->n && out->first <= UINT64_MAX >> out->shift &&
	       out->n - 1 <= (UINT64_MAX >> out->shift) - out->first;
}
