#include "query/known.h"

#include "digest/digest.h"
#include "index/packet_index.h"

struct classes {
	void (*seen)(void *user, const struct tn_stream *stream, uint32_t event_class);
	void *user;
};

static bool
tell_classes(const struct classes *to, const struct tn_stream *s, struct tn_note note)
{
	const uint8_t *end = note.bytes + note.n;
	uint64_t total, gap, n, class = 0;

	if (!note.bytes || !tn_varint_get(&note.bytes, end, &total))
		return false;
	for (; note.bytes < end; class++) {
		if (!tn_varint_get(&note.bytes, end, &gap) || !tn_varint_get(&note.bytes, end, &n) ||
		    gap >= s->trace->n_event_classes || (class += gap) >= s->trace->n_event_classes)
			return false;
		to->seen(to->user, s, (uint32_t)class);
	}
	return true;
}

static bool
tell_trace(const struct classes *to, const struct tn_trace *t)
{
	struct tn_column *column = tn_digest_column(t->digest, TN_COLUMN_COUNTS, "", false);
	bool all = true;

	if (!column || !tn_column_use(t->digest, column))
		return false;
	for (size_t s = 0; s < t->n_streams; s++) {
		all &= tn_index_is_complete(t->stream[s]);
		for (size_t i = 0; i < tn_stream_packet_count(t->stream[s]); i++)
			all &= tell_classes(to, t->stream[s], tn_column_note(column, s, i));
	}
	return all;
}

bool
tn_known_classes(const struct tn_set *set,
		 void (*seen)(void *user, const struct tn_stream *stream, uint32_t event_class), void *user)
{
	const struct classes to = { seen, user };
	bool all = true;

	for (size_t i = 0; i < set->n_traces; i++) {
		const struct tn_trace *t = set->trace[i];

		if (!t->digest) {
			all = false;
			continue;
		}
		tn_digest_lock(t->digest);
		all &= tell_trace(&to, t);
		tn_digest_unlock(t->digest);
	}
	return all;
}
