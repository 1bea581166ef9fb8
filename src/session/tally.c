#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "screen/array.h"
#include "session.h"
#include "tally.h"

#define SPREAD_BARS 16		/* a packet that is at most this number of bars long is spread over them */
#define SPREAD_PACKETS 256	/* smallest number of packets for this; fewer are read at once */
#define KNOWN_PERCENT 98	/* per cent of the packets that must be known to leave these out */
#define KNOWN_EVENTS 500000	/* limit of events that are read to count for a query that is partly known */

/* The packet of a stream whose rows are being read. */
struct spread {
	bool is, even;		/* `even`: its events are spread evenly */
	uint32_t packet;
	int64_t begin_ns, end_ns;
	uint64_t n;
};

struct tallied {
	struct tally *to;
	atomic_ullong n;
	struct bars bars;
	struct tn_location *anchor;	/* locations of events number 0, stride, 2 * stride, ...; none if packets were left out */
	size_t n_anchors;
	uint64_t stride, left;	/* `left`: number of events until the next anchor */
	size_t now;		/* the bar of the last event; the next bar begins at next_ns */
	int64_t next_ns;
	struct spread *of_stream;
	size_t n_streams;
	struct losses losses;
	bool all, ranged, grows;
	bool spreads;		/* short packets are spread; for a query, only packets with known counts */
	bool has_many;		/* there are enough packets to leave some out */
	uint64_t packets;
	bool by_packets;	/* packets with known counts are left out */
	uint64_t known;		/* number of packets with known counts */
	bool has_last;
	struct tn_location last;	/* the last row that was counted */
	int64_t until_ns;
};

/* ---- counting ---- */

static void
add_anchor(struct tallied *t, const struct tn_location *at)
{
	if (t->n_anchors == TALLY_ANCHORS) {	/* keep every second anchor */
		for (size_t i = 0; i < TALLY_ANCHORS / 2; i++)
			t->anchor[i] = t->anchor[2 * i];
		t->n_anchors = TALLY_ANCHORS / 2;
		t->stride *= 2;
	}
	t->anchor[t->n_anchors++] = *at;
	t->left = t->stride;
}

/* Rows are in the order of time, so the next bar is searched for when one ends. */
static void
next_bar(struct tallied *t, int64_t time_ns)
{
	double next;

	if (t->grows)
		bars_widen(&t->bars, time_ns);
	t->now = bars_at(&t->bars, time_ns);
	next = bars_width(&t->bars) * (double)(t->now + 1) - 1;
	t->next_ns = t->now + 1 == t->bars.n && !t->grows ? INT64_MAX : t->bars.begin_ns + (next > 0 ? (int64_t)next : 0);
	if (t->next_ns <= time_ns)	/* bars may be shorter than a nanosecond */
		t->next_ns = time_ns;
}

/* Whether the packet is so short that its events are spread over it. */
static bool
is_even(const struct tallied *t, const struct tn_stream *stream, size_t packet, struct spread *out)
{
	struct tn_packet_info info;

	*out = (struct spread) { .is = true, .packet = (uint32_t)packet };
	if (!(t->spreads || t->by_packets) || tn_stream_packet(stream, packet, &info) != TN_OK || !info.has_time ||
	    info.end_ns < info.begin_ns || info.begin_ns < t->bars.begin_ns || info.end_ns > atomic_load(&t->bars.end_ns))
		return false;
	out->begin_ns = info.begin_ns;
	out->end_ns = info.end_ns;
	return out->even = bars_at(&t->bars, info.end_ns) - bars_at(&t->bars, info.begin_ns) < SPREAD_BARS;
}

/* Add @n events of a packet to its bars. */
static void
spread(struct tallied *t, const struct spread *p, uint64_t n)
{
	bars_spread(&t->bars, p->begin_ns, p->end_ns, n, false);
}

static void
end_packet(struct tallied *t, struct spread *p)
{
	if (p->is && p->even)
		spread(t, p, p->n);
	*p = (struct spread) { .is = false };
}

static void
count_in_bar(struct tallied *t, const struct tn_row *row)
{
	size_t stream = row->location.stream;
	struct spread *p = stream < t->n_streams ? &t->of_stream[stream] : NULL;

	if (p && t->spreads && (!p->is || p->packet != row->location.packet)) {
		end_packet(t, p);
		is_even(t, row->stream, row->location.packet, p);
	}
	if (p && p->even) {
		p->n++;
		return;
	}
	if (row->location.time_ns >= t->next_ns)
		next_bar(t, row->location.time_ns);
	bars_count(&t->bars, t->now, 1);
}

static void
count_notice(struct tallied *t, const struct tn_row *row)
{
	if (t->grows && bars_widen(&t->bars, row->location.time_ns))
		t->next_ns = INT64_MIN;
	bars_lose(&t->bars, bars_at(&t->bars, row->location.time_ns));
	if (t->all)
		losses_add(&t->losses, row);
}

static int
on_row(void *user, const struct tn_row *row)
{
	struct job *job = user;
	struct tallied *t = job->data;

	t->last = row->location;
	t->has_last = true;
	if (row->kind != TN_ROW_EVENT) {
		count_notice(t, row);
		return job_stopped(job);
	}
	if (!t->by_packets) {
		if (!t->left)
			add_anchor(t, &row->location);
		t->left--;
	}
	atomic_store_explicit(&t->n, atomic_load_explicit(&t->n, memory_order_relaxed) + 1, memory_order_relaxed);
	count_in_bar(t, row);
	return job_stopped(job);
}

/* Skip packets without matching events. Skip packets with known counts, if nearly all packets have them. */
static bool
on_packet(void *user, const struct tn_packet_counts *counts)
{
	struct tallied *t = ((struct job *)user)->data;
	struct spread p;

	if (!counts->events)
		return true;
	if (!t->by_packets || !is_even(t, tn_set_stream(((struct job *)user)->q.set, counts->stream), counts->packet, &p))
		return false;
	atomic_fetch_add_explicit(&t->n, counts->events, memory_order_relaxed);
	spread(t, &p, counts->events);
	return true;
}

/* Count the packets with known counts before a packet is read. */
static bool
count_known(void *user, const struct tn_packet_counts *counts)
{
	struct tallied *t = ((struct job *)user)->data;
	struct spread p;

	t->known += is_even(t, tn_set_stream(((struct job *)user)->q.set, counts->stream), counts->packet, &p);
	return false;
}

static int
no_row(void *user, const struct tn_row *row)
{
	(void)user, (void)row;
	return 1;
}

static int
any_row(void *user, const struct tn_row *row)
{
	(void)row;
	return job_stopped(user);
}

static int
read_many(void *user, uint64_t events_read, uint64_t events_passed, int64_t at_ns)
{
	(void)events_passed, (void)at_ns;
	return events_read > KNOWN_EVENTS || job_stopped(user);
}

static bool
leave_out(void *user, const struct tn_packet_counts *counts)
{
	struct tallied *t = ((struct job *)user)->data;
	struct spread p;

	return is_even(t, tn_set_stream(((struct job *)user)->q.set, counts->stream), counts->packet, &p);
}

/* Whether the number of matching events is known for nearly all packets, so that scanning the others is short. */
static bool
query_is_known(struct job *job, struct tn_scan_options options)
{
	struct tallied *t = job->data;
	struct tn_error err;
	bool known;

	if (!t->has_many)
		return false;
	t->by_packets = true;
	options.row = any_row;
	options.packet = leave_out;
	options.progress = read_many;
	known = tn_scan(job->q.set, &options, NULL, &err) == TN_OK;
	t->by_packets = false;
	return known;
}

static bool
nearly_all_known(struct job *job, struct tn_scan_options options)
{
	struct tallied *t = job->data;
	struct tn_error err;

	if (!t->all)
		return query_is_known(job, options);
	if (!t->spreads)
		return false;
	options.row = no_row;
	options.packet = count_known;
	options.threads = 1;
	(void)!tn_scan(job->q.set, &options, NULL, &err);
	return t->known * 100 >= t->packets * KNOWN_PERCENT;
}

/* Set the rows to count: all rows or those of the query, in the range or up to the settled time. */
static struct tn_scan_options
rows_of(struct job *job, bool all, bool ranged)
{
	struct tn_scan_options options = job_scan_options(job);

	if (!ranged)
		options.has_begin = options.has_end = false;
	if (all)
		options.filter = NULL;
	return options;
}

static void
tally_run(struct job *job)
{
	struct tallied *t = job->data;
	struct tn_scan_options options = rows_of(job, t->all, t->ranged);

	if (t->grows && (!options.has_end || options.end_ns > t->until_ns)) {
		options.has_end = true;
		options.end_ns = t->until_ns;
	}
	if (t->has_last) {
		options.has_from = true;
		options.from = t->last;
	} else {
		t->by_packets = nearly_all_known(job, options);
	}
	options.row = on_row;
	options.packet = t->grows ? NULL : on_packet;
	job->code = tn_scan(job->q.set, &options, NULL, &job->error);
	for (size_t i = 0; i < t->n_streams; i++)
		end_packet(t, &t->of_stream[i]);
}

static void
tallied_free(void *data)
{
	struct tallied *t = data;

	if (!t)
		return;
	free(t->anchor);
	free(t->of_stream);
	losses_release(&t->losses);
	free(t);
}

static struct tallied *
tallied_new(const struct tally *to, const struct session *s)
{
	struct tallied *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	t->n_streams = tn_set_stream_count(s->traces.set);
	t->anchor = malloc(TALLY_ANCHORS * sizeof *t->anchor);
	t->of_stream = calloc(t->n_streams + 1, sizeof *t->of_stream);
	if (!t->anchor || !t->of_stream || !losses_init(&t->losses, s->traces.set)) {
		tallied_free(t);
		return NULL;
	}
	t->ranged = to->ranged;
	t->all = !to->query;
	t->grows = s->traces.grows;
	for (size_t i = 0; i < t->n_streams; i++)
		t->packets += tn_stream_packet_count(tn_set_stream(s->traces.set, i));
	t->has_many = !t->grows && t->packets >= SPREAD_PACKETS;
	t->spreads = t->all && t->has_many;
	t->next_ns = INT64_MIN;
	t->stride = 1;
	bars_init(&t->bars, s->traces.begin_ns, s->traces.end_ns, BARS_MOST);
	return t;
}

static void
look(struct tally *to, struct tallied *t)
{
	to->n = atomic_load(&t->n);
	to->begin_ns = t->bars.begin_ns;
	to->end_ns = atomic_load(&t->bars.end_ns);
	bars_look(&t->bars, to->bar, to->lossy);
}

static void
tally_end(struct job *job)
{
	struct tallied *t = job->data;
	struct tally *to = t->to;

	look(to, t);
	to->kept = t;
	job->data = NULL;
	to->job = NULL;
	to->known = job->code >= 0;
	if (t->grows)	/* the requested event may be after the last one that was counted */
		to->ranked = false;
	to->until_ns = t->until_ns;
	to->lost = losses_sum(&t->losses);
	to->loss_places = t->losses.places;
	to->damages = t->losses.damages;
	job->session->wish.redraw = true;
}

static const struct job_class tally_class = {
	.label = N_("counting"), .quiet = true,
	.run = tally_run, .finish = tally_end, .cancelled = tally_end, .free = tallied_free,
};

/* New events of a growing trace are counted a moment later. This is not shown to the user. */
static const struct job_class more_class = {
	.label = N_("counting"), .quiet = true, .hidden = true,
	.run = tally_run, .finish = tally_end, .cancelled = tally_end, .free = tallied_free,
};

static void
begin(struct tally *t)
{
	struct session *s = t->session;
	struct tallied *data = t->kept ? t->kept : tallied_new(t, s);

	t->wanted = false;
	if (!data)
		return;
	data->to = t;
	data->until_ns = s->traces.settled_ns;
	t->job = job_ask(s, t->kept ? &more_class : &tally_class, data, t->query);
	t->kept = NULL;
}

/* ---- the number of an event ---- */

struct ranking {
	struct tally *to;
	bool has_from;
	struct tn_location from, at;
	uint64_t before, n;
	bool all, ranged, is_one;
};

static int
rank_row(void *user, const struct tn_row *row)
{
	struct job *job = user;
	struct ranking *r = job->data;

	if (row->kind == TN_ROW_EVENT) {
		r->n++;
		r->is_one = tn_location_compare(&row->location, &r->at) == 0;
	}
	return job_stopped(job);
}

static bool
rank_packet(void *user, const struct tn_packet_counts *counts)
{
	struct ranking *r = ((struct job *)user)->data;

	r->n += counts->events;
	return true;
}

static void
rank_run(struct job *job)
{
	struct ranking *r = job->data;
	struct tn_scan_options options = rows_of(job, r->all, r->ranged);

	options.has_from = options.from_included = r->has_from;
	options.has_to = true;
	options.from = r->from;
	options.to = r->at;
	options.row = rank_row;
	options.packet = rank_packet;
	job->code = tn_scan(job->q.set, &options, NULL, &job->error);
}

static void
rank_finish(struct job *job)
{
	struct ranking *r = job->data;
	struct tally *t = r->to;

	t->rank_job = NULL;
	t->ranked = job->code >= 0;
	t->rank = r->before + r->n;
	t->is_one = r->is_one;
	job->session->wish.redraw = true;
}

static const struct job_class rank_class = {
	.label = N_("counting the events before this one"), .quiet = true, .hidden = true,
	.run = rank_run, .finish = rank_finish, .free = free,
};

/* Find the last anchor at or before @at. False: there is none. */
static bool
find_anchor(const struct tallied *t, const struct tn_location *at, size_t *out)
{
	size_t lo = 0;

	BISECT(lo, t->n_anchors, mid, tn_location_compare(&t->anchor[mid], at) <= 0);
	*out = lo - 1;
	return lo > 0;
}

bool
tally_has_rank(const struct tally *t, const struct tn_location *at)
{
	return t->ranked && tn_location_compare(&t->rank_at, at) == 0;
}

void
tally_set_rank(struct tally *t, const struct tn_location *at, uint64_t rank, bool is_one)
{
	job_drop(t->rank_job);
	t->rank_job = NULL;
	t->ranked = true;
	t->is_one = is_one;
	t->rank_at = *at;
	t->rank = rank;
}

void
tally_rank(struct tally *t, const struct tn_location *at)
{
	const struct tallied *k = t->kept;
	struct ranking *r;
	size_t i = 0;

	if (!k || !t->known || tally_has_rank(t, at) || (t->rank_job && tn_location_compare(&t->rank_at, at) == 0))
		return;
	if (!k->by_packets && !find_anchor(k, at, &i)) {
		tally_set_rank(t, at, 0, false);
		return;
	}
	if (!k->by_packets && (k->stride == 1 || tn_location_compare(&k->anchor[i], at) == 0)) {
		tally_set_rank(t, at, i * k->stride + 1, tn_location_compare(&k->anchor[i], at) == 0);
		return;
	}
	job_drop(t->rank_job);
	t->rank_job = NULL;
	t->ranked = false;
	t->rank_at = *at;
	r = malloc(sizeof *r);
	if (!r)
		return;
	*r = (struct ranking) { .to = t, .at = *at, .all = !t->query, .ranged = t->ranged, .has_from = !k->by_packets };
	if (r->has_from) {
		r->from = k->anchor[i];
		r->before = i * k->stride;
	}
	t->rank_job = job_ask(t->session, &rank_class, r, t->query);
}

/* ---- counting ---- */

static void
stop(struct tally *t)
{
	job_drop(t->job);
	job_drop(t->rank_job);
	t->job = t->rank_job = NULL;
	tallied_free(t->kept);
	t->kept = NULL;
	t->n = 0;
	t->wanted = t->known = t->ranked = false;
	memset(t->bar, 0, sizeof t->bar);
	memset(t->lossy, 0, sizeof t->lossy);
}

void
tally_init(struct tally *t, struct session *s)
{
	t->session = s;
}

void
tally_want(struct tally *t, struct query *query, bool ranged)
{
	struct query *former = t->query;

	stop(t);
	t->query = query ? query_get(query) : NULL;
	query_put(former);
	t->ranged = ranged;
	t->on = t->wanted = true;
}

void
tally_off(struct tally *t)
{
	stop(t);
	query_put(t->query);
	t->query = NULL;
	t->on = false;
}

void
tally_release(struct tally *t)
{
	tally_off(t);
}

void
tally_turn(struct tally *t, bool free)
{
	const struct session *s = t->session;

	if (s->traces.grows && t->on && t->known && !t->job && !t->rank_job && s->traces.settled_ns > t->until_ns)
		t->wanted = true;
	if (t->wanted && free && (!s->traces.grows || s->traces.has_range))
		begin(t);
	if (t->job)
		look(t, t->job->data);
}
