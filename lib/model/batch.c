#include "model/decoder.h"

void
tn_batch_clear(struct tn_batch *b)
{
	for (size_t i = 0; i < b->notices.n; i++)
		free(b->notices.item[i].text);
	b->notices.n = 0;
	b->refs.n = 0;
	b->n_events = 0;
	b->last = false;
	free(b->cycles);
	b->cycles = NULL;
	b->cycles_room = 0;
}

void
tn_batch_release(struct tn_batch *b)
{
	tn_batch_clear(b);
	TN_ARRAY_RELEASE(&b->refs);
	TN_ARRAY_RELEASE(&b->notices);
	free(b->own);
	*b = (struct tn_batch) { 0 };
}

bool
tn_batch_notice(struct tn_batch *b, int64_t key_ns, const struct tn_notice *n)
{
	struct tn_notice *copy = TN_ARRAY_ADD(&b->notices);
	struct tn_ref *ref;

	if (!copy)
		return false;
	ref = TN_ARRAY_ADD(&b->refs);
	if (!ref) {
		b->notices.n--;
		return false;
	}
	*copy = *n;
	ref->time_ns = key_ns;
	ref->bit = (uint32_t)(b->notices.n - 1);
	ref->event_class = TN_REF_NOTICE;
	return true;
}

bool
tn_batch_damage(struct tn_batch *b, int64_t key_ns, uint64_t bit, const char *text)
{
	struct tn_notice n = { .kind = TN_ROW_DAMAGE, .count = TN_UNKNOWN, .bit = bit, .text = strdup(text) };

	if (n.text && tn_batch_notice(b, key_ns, &n))
		return true;
	free(n.text);
	return false;
}

uint64_t
tn_batch_cycles(const struct tn_batch *b, size_t i)
{
	const struct tn_clock *clock = b->stream->stream_class->clock;

	if (b->cycles)
		return b->cycles[i];
	return clock ? tn_clock_cycles(clock, b->refs.item[i].time_ns) : 0;
}

int64_t
tn_batch_time(const struct tn_batch *b, size_t i)
{
	const struct tn_clock *clock = b->stream->stream_class->clock;

	return b->cycles && clock ? tn_clock_ns(clock, b->cycles[i]) : b->refs.item[i].time_ns;
}
