/*
 * find.c - jobs that look for a place or for numbers, and what they lead to
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"

/* ---- looking for an event ---- */

struct find {
	struct hunt hunt;
	struct query *query;
	enum find_kind kind;
	uint64_t count;
	struct tn_location start;
	/* What is wanted. */
	uint32_t stream;
	const struct tn_event_class *event_class;
	int64_t gap_ns;
	/* Gaps: the row that was looked at before. */
	bool has_former;
	struct tn_location former;
	/* Found. */
	bool found;
	struct tn_location at;
	uint64_t seen;
};

static bool
is_time_back(const struct tn_row *row)
{
	return row->has_time && row->time_ns < row->location.time_ns;
}

/* Whether there is a gap between this row and the one before; ->at becomes the later of the two. */
static bool
ends_gap(struct find *f, const struct tn_row *row)
{
	struct tn_location former = f->former;
	bool had = f->has_former;
	int64_t a, b;

	f->former = row->location;
	f->has_former = true;
	if (!had)
		return false;
	a = f->hunt.backward ? row->location.time_ns : former.time_ns;
	b = f->hunt.backward ? former.time_ns : row->location.time_ns;
	f->at = f->hunt.backward ? former : row->location;
	return b > a && (uint64_t)b - (uint64_t)a > (uint64_t)f->gap_ns
	       && tn_location_compare(&f->at, &f->start) != 0;
}

static bool
find_want(void *user, const struct tn_row *row)
{
	struct find *f = user;

	switch (f->kind) {
	case FIND_STREAM: return row->kind == TN_ROW_EVENT && row->location.stream == f->stream;
	case FIND_TYPE: return row->kind == TN_ROW_EVENT && row->event_class == f->event_class;
	case FIND_PROBLEM: return row->kind != TN_ROW_EVENT || is_time_back(row);
	case FIND_GAP: return ends_gap(f, row);
	case FIND_SKIP: return true;
	default: return row->kind == TN_ROW_EVENT;
	}
}

static int
find_found(void *user, struct tn_cursor *cur, const struct tn_row *row)
{
	struct find *f = user;

	(void)cur;
	if (f->kind != FIND_GAP)
		f->at = row->location;
	f->found = ++f->seen >= f->count || f->kind == FIND_SKIP || f->kind == FIND_NUMBER;
	return f->seen >= f->count;
}

static void
find_run(struct job *job)
{
	struct find *f = job->data;

	f->hunt.job = job;
	job->code = hunt_run(&f->hunt, &job->error);
}

static void
say_not_found(struct session *s, const struct find *f)
{
	bool up = f->hunt.backward;

	switch (f->kind) {
	case FIND_SEARCH:
		session_say(s, up ? _("not found above: %s") : _("not found below: %s"), s->pattern ? s->pattern : "");
		break;
	case FIND_STREAM:
		session_say(s, up ? _("no event of this stream above") : _("no event of this stream below"));
		break;
	case FIND_TYPE:
		session_say(s, up ? _("no event of this type above") : _("no event of this type below"));
		break;
	case FIND_VALUE:
		session_say(s, up ? _("no event with this value above") : _("no event with this value below"));
		break;
	case FIND_PROBLEM: session_say(s, up ? _("no problem above") : _("no problem below")); break;
	case FIND_GAP: session_say(s, up ? _("no such gap above") : _("no such gap below")); break;
	default: session_say(s, _("there are not so many events")); break;
	}
}

static void
find_finish(struct job *job)
{
	struct app *a = (struct app *)job->session;
	struct find *f = job->data;
	struct place place = { .kind = PLACE_LOCATION, .location = f->at };

	a->dirty = true;
	if (job->code != TN_OK && job->code != TN_END)
		session_fail(&a->session, "%s", job->error.text);
	else if (f->found)
		app_go(a, &place, ALIGN_NEAR);
	else
		say_not_found(&a->session, f);
}

static void
find_cancelled(struct job *job)
{
	session_say(job->session, _("stopped"));
	((struct app *)job->session)->dirty = true;
}

static void
find_free(void *data)
{
	struct find *f = data;

	query_put(f->query);
	free(f);
}

static const struct job_class find_class = {
	.label = N_("searching"),
	.run = find_run, .finish = find_finish, .cancelled = find_cancelled, .free = find_free,
};

/* The query of a search: the filters, and what is looked for. */
static bool
find_query(struct session *s, enum find_kind kind, struct query **out, struct tn_error *err)
{
	struct condition *condition = s->condition;
	size_t n = s->n_conditions;
	char *pattern = NULL, *expression = NULL;
	enum tn_code rc;

	if (kind == FIND_GAP || kind == FIND_PROBLEM)
		n = 0;	/* among all events */
	if (kind == FIND_SEARCH && asprintf(&pattern, "%s%s", s->settings.ignore_case ? "(?i)" : "", s->pattern) < 0)
		pattern = NULL;
	if (kind == FIND_VALUE && asprintf(&expression, "%s == %s", s->focus_path, s->focus_value) < 0)
		expression = NULL;
	rc = query_new(out, s->set, &s->settings.text, condition, n, pattern ? pattern : expression,
		       expression != NULL, err);
	free(pattern);
	free(expression);
	return rc == TN_OK;
}

static void
stop_finding(struct app *a)
{
	for (struct job *job = a->session.jobs.first; job; job = job->next)
		if (job->class == &find_class)
			job_drop(job);
}

void
app_find(struct app *a, enum find_kind kind, bool backward, uint64_t count)
{
	struct session *s = &a->session;
	struct find *f;
	struct tn_error err;

	if (!s->has_row && kind != FIND_NUMBER)
		return;
	if (kind == FIND_SEARCH && !s->pattern) {
		session_say(s, _("there is no search yet: / begins one"));
		return;
	}
	if (kind == FIND_VALUE && (!s->focus_path || !s->focus_value)) {
		session_say(s, _("choose a field first: Enter opens the details, Tab goes there"));
		return;
	}
	if ((kind == FIND_STREAM || kind == FIND_TYPE) && s->row.kind != TN_ROW_EVENT && kind == FIND_TYPE)
		return;
	f = calloc(1, sizeof *f);
	if (!f)
		return;
	if (!find_query(s, kind, &f->query, &err)) {
		session_fail(s, "%s", err.text);
		free(f);
		return;
	}
	stop_finding(a);
	f->kind = kind;
	f->count = count ? count : 1;
	f->stream = s->row.location.stream;
	f->event_class = s->row.event_class;
	f->gap_ns = s->settings.gap_ns;
	f->has_former = s->has_row;
	f->former = f->start = s->row.location;
	f->hunt = (struct hunt) {
		.set = s->set, .query = f->query, .bounds = s->bounds, .backward = backward, .behind = true,
		.threads = s->threads, .want = find_want, .rows_only = true, .found = find_found, .user = f,
		.from = { .kind = kind == FIND_NUMBER ? PLACE_BEGIN : PLACE_LOCATION, .location = s->row.location },
	};
	if (s->has_range) {
		f->hunt.range_begin_ns = s->begin_ns;
		f->hunt.range_end_ns = s->end_ns;
	}
	job_start(&s->jobs, s, &find_class, f);
}

/* ---- the search ---- */

bool
app_set_search(struct app *a, const char *pattern, bool backward, struct tn_error *err)
{
	struct session *s = &a->session;
	struct tn_regex *regex;
	char *copy;

	if (!*pattern) {	/* the last one again */
		if (!s->pattern) {
			snprintf(err->text, sizeof err->text, "%s", _("there is no search yet"));
			return false;
		}
		pattern = s->pattern;
	}
	if (tn_regex_new(&regex, pattern, s->settings.ignore_case, err) != TN_OK)
		return false;
	copy = strdup(pattern);
	tn_regex_free(s->mark);
	s->mark = regex;
	free(s->pattern);
	s->pattern = copy;
	s->backward = backward;
	return copy != NULL;
}

static char *
quote_regex(const char *text)
{
	char *out = malloc(strlen(text) * 2 + 1), *p = out;

	for (; out && *text; text++) {
		if (strchr("\\^$.[]|()?*+{}", *text))
			*p++ = '\\';
		*p++ = *text;
	}
	if (out)
		*p = '\0';
	return out;
}

/* The chosen field as lines show it: "name = value". */
void
app_search_value(struct app *a, bool backward)
{
	struct session *s = &a->session;
	struct tn_error err;
	const char *name;
	char *shown, *quoted;

	if (!s->focus_path || !s->focus_value) {
		session_say(s, _("choose a field first: Enter opens the details, Tab goes there"));
		return;
	}
	name = strrchr(s->focus_path, '.');
	name = name ? name + 1 : s->focus_path;
	if (asprintf(&shown, "%s = %s", name, s->focus_value) < 0)
		return;
	quoted = quote_regex(shown);
	free(shown);
	if (quoted && app_set_search(a, quoted, backward, &err))
		app_find(a, FIND_SEARCH, backward, 1);
	free(quoted);
}

/* ---- the number of events ---- */

static int
count_progress(void *user, uint64_t done, uint64_t all)
{
	struct job *job = user;

	if (all)
		atomic_store(&job->permille, (int)((double)done / (double)all * 1000));
	return atomic_load(&job->stop);
}

static void
count_run(struct job *job)
{
	struct session *s = job->session;

	if (s->bounds.has_begin || s->bounds.has_end) {
		struct tn_scan_options options = {
			TN_SCAN_OPTIONS,
			.has_begin = s->bounds.has_begin, .begin_ns = s->bounds.begin_ns,
			.has_end = s->bounds.has_end, .end_ns = s->bounds.end_ns, .threads = s->threads,
		};

		job->code = tn_scan(s->set, &options, job->data, &job->error);
		return;
	}
	job->code = tn_count(s->set, &(struct tn_count_options) {
		TN_COUNT_OPTIONS, .threads = s->threads, .progress = count_progress, .user = job,
	}, job->data, &job->error);
}

static void
count_finish(struct job *job)
{
	struct app *a = (struct app *)job->session;

	if (a->count_job == job)
		a->count_job = NULL;
	if (job->code >= 0) {
		a->session.events = *(uint64_t *)job->data;
		a->session.counted = true;
	}
	a->dirty = true;
}

static const struct job_class count_class = {
	.label = N_("counting"), .quiet = true, .run = count_run, .finish = count_finish, .free = free,
};

void
app_start_count(struct app *a)
{
	struct session *s = &a->session;
	uint64_t *n = calloc(1, sizeof *n);

	job_drop(a->count_job);
	a->count_job = NULL;
	s->counted = false;
	if (n)
		a->count_job = job_start(&s->jobs, s, &count_class, n);
}

/* ---- where am I ---- */

struct where {
	struct tn_location at;
	uint64_t events;
	bool reached;
};

static int
where_row(void *user, const struct tn_row *row)
{
	struct job *job = user;
	struct where *w = job->data;

	if (tn_location_compare(&row->location, &w->at) >= 0) {
		w->reached = true;
		return 1;
	}
	w->events += row->kind == TN_ROW_EVENT;
	return 0;
}

static int
where_progress(void *user, uint64_t events_read, uint64_t events_passed, int64_t at_ns)
{
	struct job *job = user;

	(void)events_passed;
	(void)at_ns;
	atomic_store(&job->events, events_read);
	return atomic_load(&job->stop);
}

static void
where_run(struct job *job)
{
	struct where *w = job->data;
	struct tn_scan_options options = {
		TN_SCAN_OPTIONS,
		.has_end = true, .end_ns = w->at.time_ns, .threads = job->session->threads,
		.row = where_row, .progress = where_progress, .stopped = job_stopped, .user = job,
	};
	enum tn_code rc = tn_scan(job->session->set, &options, NULL, &job->error);

	job->code = w->reached ? TN_OK : rc;
}

static void
time_as(struct session *s, enum tn_time_format format, int64_t time_ns, char *room, size_t size)
{
	struct tn_text_options options = s->settings.text;
	struct tn_text_buffer b = { 0 };
	struct tn_text *text;

	*room = '\0';
	options.time = format;
	if (tn_text_new(&text, s->set, &options, NULL) != TN_OK)
		return;
	tn_text_time(text, time_ns, &b);
	snprintf(room, size, "%s", b.text ? b.text : "");
	tn_text_buffer_free(&b);
	tn_text_free(text);
}

/* Number, place in the files, and the time in all its forms. */
static void
say_where(struct session *s, const char *number, const char *all)
{
	const struct tn_row *row = &s->row;
	struct tn_packet_info info;
	char date[64], seconds[64], packet[32], packets[32], offset[32];

	time_as(s, TN_TIME_DATE, row->time_ns, date, sizeof date);
	time_as(s, TN_TIME_SECONDS, row->time_ns, seconds, sizeof seconds);
	if (tn_stream_packet(row->stream, row->location.packet, &info) != TN_OK)
		info.offset = 0;
	session_say(s, _("event %s of %s\n%s  %s s  @%" PRId64 "  %" PRIu64 " cycles\n"
			 "packet %s of %s at byte %s of %.300s"),
		    number, all, date, seconds, row->time_ns, row->cycles,
		    number_text(row->location.packet, packet), number_text(tn_stream_packet_count(row->stream), packets),
		    number_text(info.offset, offset), tn_stream_path(row->stream));
}

static void
where_finish(struct job *job)
{
	struct app *a = (struct app *)job->session;
	struct session *s = job->session;
	struct where *w = job->data;
	char number[32], all[32];

	a->dirty = true;
	if (job->code < 0) {
		session_fail(s, "%s", job->error.text);
		return;
	}
	number_text(w->events + 1, number);
	number_text(s->events, all);
	say_where(s, number, s->counted ? all : "?");
}

static const struct job_class where_class = {
	.label = N_("counting the events before"),
	.run = where_run, .finish = where_finish, .cancelled = find_cancelled, .free = free,
};

void
app_where(struct app *a)
{
	struct session *s = &a->session;
	struct where *w;

	if (!s->has_row || !(w = calloc(1, sizeof *w)))
		return;
	w->at = s->row.location;
	job_start(&s->jobs, s, &where_class, w);
}

/* ---- packets ---- */

/* Walk one stream until the packet changes; bounded, for packets may be huge. */
#define PACKET_WALK 20000000

static bool
walk_to_packet(struct session *s, struct tn_row *row, uint64_t want)
{
	struct tn_error err;

	for (long i = 0; i < PACKET_WALK && row->location.packet < want; i++)
		if (tn_cursor_next(s->probe, &err) != TN_OK || !tn_cursor_row(s->probe, row))
			return false;
	return row->location.packet >= want;
}

/* The first row of packet @want of the row's stream, or of the next one that has rows. */
static bool
packet_begin(struct session *s, const struct tn_row *from, uint64_t want, struct tn_location *out)
{
	struct tn_packet_info info;
	struct tn_location at = { .stream = from->location.stream, .packet = (uint32_t)want };
	struct tn_error err;
	struct tn_row row;

	if (tn_stream_packet(from->stream, (size_t)want, &info) != TN_OK || !session_probe(s, &from->location, &err))
		return false;
	if (!info.has_time) {
		if (want <= from->location.packet && tn_cursor_first(s->probe, &err) != TN_OK)
			return false;
		if (!tn_cursor_row(s->probe, &row) || !walk_to_packet(s, &row, want))
			return false;
		*out = row.location;
		return true;
	}
	at.time_ns = info.begin_ns;
	if (tn_cursor_restore(s->probe, &at, &err) != TN_OK || !tn_cursor_row(s->probe, &row))
		return false;
	*out = row.location;
	return true;
}

void
app_packet(struct app *a, bool backward, uint64_t count)
{
	struct session *s = &a->session;
	struct place place = { .kind = PLACE_LOCATION };
	struct tn_row from;
	uint64_t packet;

	if (!s->has_row)
		return;
	from = s->row;
	packet = from.location.packet;
	if (backward) {
		if (packet_begin(s, &from, packet, &place.location)
		    && tn_location_compare(&place.location, &from.location) < 0)
			count--;
		packet = packet > count ? packet - count : 0;
	} else {
		packet += count;
	}
	if (!packet_begin(s, &from, packet, &place.location)) {
		session_say(s, backward ? _("no packet above") : _("no packet below"));
		return;
	}
	app_go(a, &place, ALIGN_NEAR);
	session_say(s, _("packet %s of %s, %s"), number_text(place.location.packet, (char [32]) { 0 }),
		    number_text(tn_stream_packet_count(from.stream), (char [32]) { 0 }),
		    s->origin[from.location.stream]);
}

/* ---- bytes of the file ---- */

#define BYTE_WALK 2000000	/* events looked at; packets of LTTng have thousands */

/* The packet of the stream that has byte @byte of the file the user is in. */
static bool
packet_at(const struct tn_row *here, uint64_t byte, size_t *packet, struct tn_packet_info *info)
{
	struct tn_packet_info own;

	if (tn_stream_packet(here->stream, here->location.packet, &own) != TN_OK)
		return false;
	for (*packet = 0; tn_stream_packet(here->stream, *packet, info) == TN_OK; ++*packet)
		if (strcmp(info->path, own.path) == 0 && byte >= info->offset
		    && byte - info->offset < info->size_bits / 8)
			return true;
	return false;
}

/* The event that has bit @bit of the packet, or the last one before it; the probe is on its first row. */
static bool
event_at(struct session *s, uint64_t packet, uint64_t bit, struct tn_location *out)
{
	const struct tn_event *event;
	struct tn_error err;
	struct tn_row row;
	bool found = false;

	for (long i = 0; i < BYTE_WALK && tn_cursor_row(s->probe, &row) && row.location.packet == packet; i++) {
		if (row.kind == TN_ROW_EVENT) {
			if (tn_cursor_read(s->probe, TN_SCOPE_ALL, &event, &err) != TN_OK)
				break;
			if (found && tn_event_bit(event) > bit)
				break;
			*out = row.location;
			found = true;
			if (tn_event_end_bit(event) > bit)
				break;
		}
		if (tn_cursor_next(s->probe, &err) != TN_OK)
			break;
	}
	return found;
}

void
app_go_byte(struct app *a, uint64_t byte, uint64_t bit)
{
	struct session *s = &a->session;
	struct place place = { .kind = PLACE_LOCATION };
	struct tn_packet_info info;
	size_t packet;

	if (!s->has_row)
		return;
	if (!packet_at(&s->row, byte, &packet, &info)) {
		session_fail(s, _("no packet of this stream has byte %s of its file"),
			     number_text(byte, (char [32]) { 0 }));
		return;
	}
	bit += (byte - info.offset) * 8;
	if (!packet_begin(s, &s->row, packet, &place.location) || place.location.packet != packet
	    || !event_at(s, packet, bit, &place.location)) {
		session_fail(s, _("packet %s has no event there"), number_text(packet, (char [32]) { 0 }));
		return;
	}
	app_to_events(a);
	app_go(a, &place, ALIGN_NEAR);
	session_say(s, _("packet %s at byte %s, bit %s"), number_text(packet, (char [32]) { 0 }),
		    number_text(info.offset, (char [32]) { 0 }), number_text(bit, (char [32]) { 0 }));
}
