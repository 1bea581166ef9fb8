#include "query/slices.h"

#include "model/decoder.h"

#define SLICE_BYTES 128		/* of a packet, for each of its slices */
#define LEAST 4			/* with fewer it is read soon enough */
#define STEP 32			/* rows that are passed over at once */

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

/* The first row from @at on, before @end, that is later. */
static size_t
behind(const struct tn_ref *ref, size_t at, size_t end, int64_t last_ns)
{
	size_t n;

	while (end - at > STEP && ref[at + STEP].time_ns <= last_ns)
		at += STEP;
	for (n = end - at < STEP ? end - at : STEP; n > 1;) {	/* row @at is not later */
		size_t half = n / 2;

		at += ref[at + half].time_ns <= last_ns ? half : 0;
		n -= half;
	}
	return at + 1;
}

/* How many flags are set. */
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
tn_slices_note(struct tn_slices *out, const struct tn_batch *b, size_t low, size_t high, const uint8_t *pass, unsigned shift)
{
	const struct tn_ref *ref = b->refs.item;
	/* Mostly nothing passes for a while. */
	const uint8_t *next_pass = pass ? memchr(pass, 1, high + 1 - low) : NULL;

	for (size_t at = low, end = high + 1, next; at < end; at = next) {
		struct tn_slice *slice = TN_ARRAY_ADD(out);

		if (!slice)
			return false;
		slice->number = tn_slice_of(ref[at].time_ns, shift);
		next = behind(ref, at, end, tn_slice_begin(slice->number, shift) + (int64_t)((UINT64_C(1) << shift) - 1));
		slice->events = (uint32_t)(next - at);
		slice->passed = pass ? 0 : slice->events;
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
		if ((last && last->number > more[i].number) || out->n == 4 * TN_SLICES || !(last = TN_ARRAY_ADD(out)))
			return false;
		*last = more[i];
	}
	return true;
}

/* ---- the note ---- */

static bool
put(struct tn_note_bytes *note, uint64_t v)
{
	if (!TN_ARRAY_RESERVE(note, note->n + TN_VARINT_SIZE))
		return false;
	note->n += tn_varint_put(note->item + note->n, v);
	return true;
}

bool
tn_slices_write(const struct tn_slices *slices, bool passed, const struct tn_packet *entry, unsigned shift,
		struct tn_note_bytes *note)
{
	uint64_t begin = tn_slice_of(entry->begin_ns, shift), next = 0;
	bool good = put(note, shift), any = false;

	for (size_t i = 0; good && i < slices->n; i++) {
		const struct tn_slice *slice = &slices->item[i];
		uint64_t count = passed ? slice->passed : slice->events;

		if (!count)
			continue;
		good = slice->number >= begin && slice->number - begin < 4 * TN_SLICES && (any || put(note, slice->number - begin));
		for (; good && any && next < slice->number; next++)
			good = put(note, 0);
		good = good && put(note, count);
		next = slice->number + 1;
		any = true;
	}
	return good && any;
}

bool
tn_slices_read(struct tn_slices_read *out, struct tn_note note, const struct tn_packet *entry, uint64_t events)
{
	const uint8_t *end = note.bytes + note.n;
	uint64_t shift, gap;

	if (!note.bytes || !tn_varint_get(&note.bytes, end, &shift) || shift > 63 || !tn_varint_get(&note.bytes, end, &gap) ||
	    gap >= 4 * TN_SLICES)
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
	/* The last one may hold the end of time. */
	return events == 0 && out->n && out->first <= UINT64_MAX >> out->shift &&
	       out->n - 1 <= (UINT64_MAX >> out->shift) - out->first;
}
