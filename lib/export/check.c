/*
 * check.c - read an export back before it gets its name
 *
 * The written events, losses, and first and last times must be found again. If one bit of a header is wrong, a reader of
 * the metadata gets other data than the writer meant.
 */
#include <inttypes.h>
#include <stdio.h>

#include <tnav/tnav.h>

#include "base/str.h"
#include "export/export.h"

struct back {
	struct tn_export *export;
	uint64_t events, lost_events, lost_packets, unknown;
	bool has_time;
	int64_t first_ns, last_ns;	/* times of the first and the last event */
	int64_t first_shown, last_shown;	/* the times that are shown for them, which are less if time went back */
	/* The first damage. If time goes back, the trace itself reports damage; all other damage loses events. */
	char damage[256];
};

static int
take_notice(void *user, const struct tn_row *row)
{
	struct back *b = user;

	switch (row->kind) {
	case TN_ROW_LOST_EVENTS:
	case TN_ROW_LOST_PACKETS:
		if (row->count == TN_COUNT_UNKNOWN)
			b->unknown++;
		else if (row->kind == TN_ROW_LOST_EVENTS)
			b->lost_events += row->count;
		else
			b->lost_packets += row->count;
		break;
	case TN_ROW_DAMAGE:
		if (!*b->damage)
			snprintf(b->damage, sizeof b->damage, "%s", row->text ? row->text : "");
		break;
	default:
		break;
	}
	return 0;
}

static int
go_on(void *user, uint64_t done_bytes, uint64_t all_bytes)
{
	const struct back *b = user;
	const struct tn_export_options *o = b->export->options;

	(void)done_bytes, (void)all_bytes;
	return o->progress && o->progress(o->user, b->export->all_bytes, b->export->all_bytes);
}

/* Get the time of the first or last event of the export. */
static enum tn_code
end_time(struct back *b, struct tn_cursor *cur, bool last, struct tn_error *err)
{
	enum tn_code rc = last ? tn_cursor_last(cur, err) : tn_cursor_first(cur, err);
	struct tn_row row;

	for (; rc == TN_OK; rc = last ? tn_cursor_prev(cur, err) : tn_cursor_next(cur, err)) {
		if (!tn_cursor_row(cur, &row) || row.kind != TN_ROW_EVENT || !row.has_time)
			continue;
		b->has_time = true;
		*(last ? &b->last_ns : &b->first_ns) = row.location.time_ns;
		*(last ? &b->last_shown : &b->first_shown) = row.time_ns;
		return TN_OK;
	}
	return rc == TN_END ? TN_OK : rc;
}

static enum tn_code
read_all(struct back *b, struct tn_set *set, struct tn_error *err)
{
	struct tn_count_options count = {
		TN_COUNT_OPTIONS, .threads = b->export->options->threads, .notice = take_notice, .progress = go_on, .user = b,
	};
	struct tn_cursor *cur = NULL;
	enum tn_code rc = tn_count(set, &count, &b->events, err);

	if (rc == TN_OK)
		rc = tn_cursor_new(&cur, set, err);
	if (rc == TN_OK)
		rc = end_time(b, cur, false, err);
	if (rc == TN_OK)
		rc = end_time(b, cur, true, err);
	tn_cursor_free(cur);
	return rc;
}

/* Sum up the written data of all streams. */
static struct tn_export_sum
sum_up(const struct tn_export *x, uint64_t *events)
{
	struct tn_export_sum all = { 0 };

	*events = 0;
	for (size_t i = 0; i < x->set->n_streams; i++) {
		const struct tn_export_sum *s = &x->stream[i].sum;

		*events += x->stream[i].sink->events;
		all.lost_events += s->lost_events;
		all.lost_packets += s->lost_packets;
		all.unknown += s->unknown;
		if (s->some_whole && (!all.some_whole || s->bound_ns > all.bound_ns))
			all.bound_ns = s->bound_ns;
		all.some_whole |= s->some_whole;
		all.went_back |= s->went_back;
		if (!s->has_time)
			continue;
		if (!all.has_time || s->first_ns < all.first_ns)
			all.first_ns = s->first_ns;
		if (!all.has_time || s->first_key < all.first_key)
			all.first_key = s->first_key;
		if (!all.has_time || s->last_ns > all.last_ns)
			all.last_ns = s->last_ns;
		if (!all.has_time || s->last_key > all.last_key)
			all.last_key = s->last_key;
		all.has_time = true;
	}
	return all;
}

/* Tolerance of times in nanoseconds, because the user's offset is rounded to cycles. */
static uint64_t
slack(const struct tn_export *x)
{
	uint64_t most = 0;

	for (size_t i = 0; i < x->set->n_traces; i++)
		for (size_t k = 0; k < x->set->trace[i]->n_clocks; k++) {
			const struct tn_clock *c = x->set->trace[i]->clock[k];
			uint64_t cycle = c->shift_ns ? 1000000000 / c->frequency + 1 : 0;

			most = cycle > most ? cycle : most;
		}
	return most;
}

/* Whether @at is between @a and @b, or outside by at most @by. */
static bool
is_between(int64_t at, int64_t a, int64_t b, uint64_t by)
{
	return (at >= a || (uint64_t)a - (uint64_t)at <= by) && (at <= b || (uint64_t)at - (uint64_t)b <= by);
}

static enum tn_code
compare(const struct tn_export *x, const struct back *b, struct tn_error *err)
{
	uint64_t events, by = slack(x);
	struct tn_export_sum all = sum_up(x, &events);
	const struct { const char *what; uint64_t written, read; } rows[] = {
		{ "events", events, b->events },
		{ "lost events", all.lost_events, b->lost_events }, { "lost packets", all.lost_packets, b->lost_packets },
		{ "losses of unknown size", all.unknown, b->unknown },
	};
	int64_t least = all.went_back ? all.first_ns : all.last_ns;
	int64_t first = all.first_key > all.first_ns ? all.first_key : all.first_ns;
	int64_t latest = all.last_key > all.last_ns ? all.last_key : all.last_ns;
	bool first_is = is_between(b->first_ns, all.first_ns, first, by) || is_between(b->first_shown, all.first_ns, first, by);
	bool last_is;

	/* For packets that were copied whole, only an upper bound of the last time is known. */
	if (all.some_whole && all.bound_ns > latest)
		latest = all.bound_ns;
	last_is = is_between(b->last_ns, least, latest, by) || is_between(b->last_shown, least, latest, by);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].written != rows[i].read)
			return tn_fail(err, TN_ERR_FORMAT,
				       "%s: read back, the export has %" PRIu64 " %s instead of %" PRIu64 "%s%s: tnav removed "
				       "it. This is a bug of tnav: please report it",
				       x->final, rows[i].read, rows[i].what,
				       rows[i].written, *b->damage ? ": " : "", b->damage);
	if (all.has_time == b->has_time && (!all.has_time || (first_is && last_is)))
		return TN_OK;
	return tn_fail(err, TN_ERR_FORMAT, "%s: read back, the export is from %" PRId64 " to %" PRId64 " ns instead of "
		       "%" PRId64 " to %" PRId64 ": tnav removed it. This is a bug of tnav: please report it",
		       x->final, b->first_ns, b->last_ns,
		       all.first_ns, all.last_ns);
}

enum tn_code
tn_export_check(struct tn_export *x, struct tn_error *err)
{
	static const char *const format = "ctf";
	struct tn_open_options options = { TN_OPEN_OPTIONS, .format = format, .no_index_cache = true };
	struct back b = { .export = x };
	struct tn_set *set = NULL;
	char *path = tn_printed("%s%s%s", x->folder.path, *x->inside ? "/" : "", x->inside);
	const char *paths[] = { path };
	enum tn_code rc;

	if (!path)
		return tn_fail_memory(err);
	if (!x->set->n_streams) {
		free(path);
		return TN_OK;
	}
	rc = tn_set_open(&set, paths, 1, &options, err);
	if (rc == TN_OK)
		rc = read_all(&b, set, err);
	if (rc == TN_OK)
		rc = compare(x, &b, err);
	else if (rc != TN_ERR_CANCELLED && rc != TN_ERR_MEMORY)
		tn_at(err, rc, "%s: the export cannot be read back", x->final);
	tn_set_close(set);
	free(path);
	return rc;
}
