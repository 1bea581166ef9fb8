/*
 * settled.c - the time up to which all rows of a growing set are complete
 *
 * Each stream has a time up to which it is known, and the earliest of these times counts. A stream that is silent for a
 * long time does not count; its later events are late.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include <tnav/tnav.h>

#include "base/folder.h"
#include "base/now.h"
#include "index/packet_index.h"
#include "set/set.h"

#define LAG_NS INT64_C(10000000000)
#define LOOK_NS INT64_C(5000000)	/* time limit for finding packets in one call, together with other work */
#define LOOK_ALONE_NS INT64_C(200000000)	/* the same, without other work */

struct settled {
	bool has_least, has_most, held;	/* `held`: some stream has no known time */
	int64_t least, most;
	int64_t now, lag;
	int64_t until;		/* packets are searched for until this time */
	char *waits_for;
	size_t room;
};

/* A stream that has ended does not delay others. */
static void
settle_ended(struct settled *x, int64_t until)
{
	if (!x->has_most || until > x->most)
		x->most = until;
	x->has_most = true;
}

static void
settle(struct settled *x, bool has_until, int64_t until, int64_t silent, const char *trace, const char *name)
{
	if (has_until) {
		settle_ended(x, until);
		until -= until > INT64_MIN;	/* more rows with this very time may arrive */
	}
	if (silent > x->lag) {
		if (!*x->waits_for)
			snprintf(x->waits_for, x->room, "%s/%s", trace, name);
		return;
	}
	if (!has_until) {
		x->held = true;
		return;
	}
	if (!x->has_least || until < x->least)
		x->least = until;
	x->has_least = true;
}

/* The clock of a relay's stream, found by the folder of its trace. */
static const struct tn_clock *
clock_of(const struct tn_own_set *own, const struct tn_known_end *e)
{
	const struct tn_trace *t = NULL;

	for (size_t i = 0; e->trace && i < own->members.n && !t; i++)
		if (strcmp(own->members.item[i].found.path, e->trace) == 0)
			t = own->members.item[i].trace;
	for (size_t i = 0; t && i < t->n_streams; i++) {
		const char *slash = strrchr(t->stream[i]->path, '/');

		if (slash && strcmp(slash + 1, e->name) == 0)
			return t->stream[i]->stream_class->clock;
	}
	return t && t->n_clocks ? t->clock[0] : NULL;
}

/* The part of @path below the folder of its relay; NULL: the file does not come from a relay. */
static const char *
in_spool(const struct tn_own_set *own, const char *path)
{
	const char *below = NULL;

	for (size_t i = 0; path && !below && i < own->live.n; i++)
		below = tn_folder_below(tn_live_folder(own->live.item[i].live), path);
	return below;
}

/* A stream of files is known up to the end of its last packet. */
static void
settle_file(struct tn_own_set *own, struct settled *x, struct tn_stream *s)
{
	struct tn_stream_end *end = &own->ends.item[s->rank];
	struct tn_packet last;
	size_t n = 0;
	bool known;

	if (end->size != s->size || !end->heard_ns) {
		end->size = s->size;
		end->heard_ns = x->now;
	}
	if (!s->stream_class->clock)
		return;
	while (!tn_index_is_complete(s) && tn_now_ns() < x->until)
		if (tn_index_step(s, NULL) < 0)
			return;
	if (!tn_index_is_complete(s)) {	/* not known yet; the search continues in slices */
		x->held = true;
		return;
	}
	known = tn_index_complete(s, &n, NULL) == TN_OK && n && tn_index_get(s, n - 1, &last, NULL, NULL) == TN_OK &&
		last.end_ns != INT64_MAX;
	if (s->trace->ops->grow)
		settle(x, known, known ? last.end_ns : 0, x->now - end->heard_ns, s->trace->path, s->name);
	else if (known)
		settle_ended(x, last.end_ns);
}

void
tn_set_find_settled(struct tn_own_set *own, const struct tn_known_end *ends, size_t n, bool alone, struct tn_growth *out)
{
	struct settled x = {
		.now = tn_now_ns(), .until = tn_now_ns() + (alone ? LOOK_ALONE_NS : LOOK_NS),
		.lag = own->options.live_lag_ns ? own->options.live_lag_ns : LAG_NS,
		.waits_for = own->waits_for, .room = sizeof own->waits_for,
	};
	bool has;
	int64_t time;

	own->waits_for[0] = '\0';
	while (own->ends.n < own->set.n_streams && TN_ARRAY_ADD(&own->ends)) { }
	for (size_t i = 0; i < own->live.n; i++)
		x.held = x.held || own->live.item[i].connecting;
	for (size_t i = 0; i < n; i++) {
		const struct tn_known_end *e = &ends[i];
		const struct tn_clock *clock = clock_of(own, e);
		const char *trace = in_spool(own, e->trace);
		bool known = clock && e->has_until;

		if (!e->ended)
			settle(&x, known, known ? tn_clock_ns(clock, e->until) : 0, e->silent_ns, trace ? trace : "?", e->name);
		else if (known)
			settle_ended(&x, tn_clock_ns(clock, e->until));
	}
	for (size_t i = 0; i < own->set.n_streams && i < own->ends.n; i++)
		if (own->files_grow && !in_spool(own, own->set.stream[i]->path))
			settle_file(own, &x, own->set.stream[i]);
	out->late = tn_set_note_late(own, x.until);
	has = !x.held && (x.has_least || x.has_most);
	time = x.has_least ? x.least : x.most;
	if (has && (!own->has_settled || time > own->settled_ns)) {
		own->has_settled = true;
		own->settled_ns = time;
	}
	out->has_settled = own->has_settled;
	out->settled_ns = own->settled_ns;
	out->waits_for = *own->waits_for ? own->waits_for : NULL;
}
