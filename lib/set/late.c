/*
 * late.c - rows of a growing set that arrive after later rows were in their final order
 *
 * They are from streams that the set no longer waited for. Programs that show rows mark them, because they were missing
 * before.
 */
#include <config.h>

#include <stdlib.h>

#include <tnav/tnav.h>

#include "base/now.h"
#include "index/packet_index.h"
#include "set/set.h"

#define MOST_LATE 65536	/* limit of packets that are known one by one */

/* Whether the packet has an event up to @time_ns. A packet may begin long before its first event. */
static bool
has_event(struct tn_own_set *own, size_t stream, size_t packet, int64_t begin_ns, int64_t time_ns)
{
	const struct tn_location at = { begin_ns, (uint32_t)stream, (uint32_t)packet, 0 };
	bool *only = calloc(own->set.n_streams, sizeof *only), any = false;
	struct tn_cursor *cur = NULL;
	struct tn_error unused;
	struct tn_row row;
	enum tn_code rc = only ? tn_cursor_new(&cur, &own->set, &unused) : TN_ERR_MEMORY;

	if (rc >= 0) {
		only[stream] = true;
		rc = tn_cursor_only(cur, only, &unused);
	}
	if (rc >= 0)
		rc = tn_cursor_restore(cur, &at, &unused);
	while (rc == TN_OK && !any && tn_cursor_row(cur, &row) && row.location.packet == packet &&
	       row.location.time_ns <= time_ns) {
		any = row.kind == TN_ROW_EVENT;
		rc = tn_cursor_next(cur, &unused);
	}
	tn_cursor_free(cur);
	free(only);
	return any;
}

static void
look_at(struct tn_own_set *own, size_t i, size_t n)
{
	struct tn_stream *s = own->set.stream[i];
	struct tn_packet p;

	for (size_t k = own->ends.item[i].seen; k < n; k++) {
		struct tn_late *late;

		if (tn_index_get(s, k, &p, NULL, NULL) != TN_OK || p.flags & TN_PACKET_GONE || p.begin_ns > own->settled_ns ||
		    !has_event(own, i, k, p.begin_ns, own->settled_ns))
			continue;
		own->n_late++;
		late = own->late.n < MOST_LATE ? TN_ARRAY_ADD(&own->late) : NULL;
		if (late)
			*late = (struct tn_late) { i, k, own->settled_ns };
	}
}

uint64_t
tn_set_note_late(struct tn_own_set *own, int64_t until_ns)
{
	for (size_t i = 0; i < own->set.n_streams && i < own->ends.n; i++) {
		struct tn_stream *s = own->set.stream[i];
		struct tn_stream_end *end = &own->ends.item[i];
		size_t n;

		if (!s->stream_class->clock)
			continue;
		while (!tn_index_is_complete(s) && tn_now_ns() < until_ns)
			if (tn_index_step(s, NULL) < 0)
				return own->n_late;
		n = tn_stream_packet_count(s);
		/* For packets that are found later, the settled time when they arrived is no longer known. */
		if (own->has_settled && !end->behind)
			look_at(own, i, n);
		end->behind = !tn_index_is_complete(s);
		end->seen = n;
	}
	return own->n_late;
}

bool
tn_set_is_late(const struct tn_set *set, const struct tn_location *at)
{
	const struct tn_own_set *own = (const struct tn_own_set *)set;

	for (size_t i = 0; set && at && i < own->late.n; i++) {
		const struct tn_late *late = &own->late.item[i];

		if (late->stream == at->stream && late->packet == at->packet && at->time_ns <= late->settled_ns)
			return true;
	}
	return false;
}
