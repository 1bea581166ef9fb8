#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "row_search.h"
#include "screen/array.h"
#include "window.h"

/* ---- rows ---- */

#define FIELD_TEXT_MAX 256	/* limit of bytes of a value in its column */

void
event_row_release(struct event_row *r)
{
	free(r->text);
	free(r->field);
	r->text = r->field = NULL;
}

/* Append the safe form of the text in @raw from @from on, up to ROW_TEXT_MAX bytes in total. */
static void
keep_piece(struct event_row *r, struct tn_str *out, enum piece piece, const char *raw, size_t n)
{
	size_t room = out->n < ROW_TEXT_MAX ? ROW_TEXT_MAX - out->n : 0;

	if (n > room) {
		tn_text_safe(raw, room, out);
		if (room)
			tn_text_safe("...", 3, out);
	} else {
		tn_text_safe(raw, n, out);
	}
	r->end[piece] = (uint32_t)out->n;
}

static const enum tn_scope scope_of[PIECES] = {
	[PIECE_PACKET] = TN_SCOPE_PACKET_CONTEXT, [PIECE_COMMON] = TN_SCOPE_COMMON_CONTEXT,
	[PIECE_SPECIFIC] = TN_SCOPE_SPECIFIC_CONTEXT, [PIECE_PAYLOAD] = TN_SCOPE_PAYLOAD,
};

/* Find the field of a context that an attribute of the language means. */
static const struct tn_value *
find_field(const struct tn_event *event, const char *name)
{
	static const enum tn_scope contexts[] = { TN_SCOPE_PACKET_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT };
	static const char *const means[][3] = {
		{ "cpu", "cpu_id", NULL }, { "tid", "vtid", "tid" }, { "pid", "vpid", "pid" }, { "process", "procname", "comm" },
	};
	char path[64];

	for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
		if (strcmp(means[i][0], name) != 0)
			continue;
		for (size_t k = 1; k < 3 && means[i][k]; k++)
			for (size_t c = 0; c < sizeof contexts / sizeof *contexts; c++) {
				const struct tn_value *v;

				snprintf(path, sizeof path, "%s.%s", tn_scope_name(contexts[c]), means[i][k]);
				v = tn_event_find(event, path);
				if (v)
					return v;
			}
		return NULL;
	}
	return tn_event_find(event, name);
}

/* Whether a job must find the value, because it is an attribute, a part of a marker, or symbol(NAME). */
static bool
is_for_job(const char *name)
{
	const struct tn_attribute *attribute;
	size_t n;

	if (strncmp(name, "event.", strlen("event.")) == 0)
		name += strlen("event.");
	if (strncmp(name, "symbol(", strlen("symbol(")) == 0 || strncmp(name, "marker.", strlen("marker.")) == 0)
		return true;
	attribute = tn_attributes(&n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(attribute[i].name, name) == 0)
			return true;
	return false;
}

void
event_row_set_field(struct event_row *r, size_t field, const char *text)
{
	size_t n = text ? strlen(text) : 0, at = field ? r->field_end[field - 1] : 0, all = r->field_end[QUERY_FIELDS - 1];
	size_t had = r->field_end[field] - at;
	char *made = malloc(all - had + n + 1);

	if (!made)
		return;
	if (at)
		memcpy(made, r->field, at);
	if (n)
		memcpy(made + at, text, n);
	if (all > at + had)
		memcpy(made + at + n, r->field + at + had, all - at - had);
	made[all - had + n] = '\0';
	free(r->field);
	r->field = made;
	for (size_t i = field; i < QUERY_FIELDS; i++)
		r->field_end[i] += (uint32_t)n - (uint32_t)had;
}

static void
make_fields(struct event_row *r, const struct query *q, const struct tn_event *event)
{
	struct tn_str raw = { .most = FIELD_TEXT_MAX }, out = { 0 };

	for (size_t i = 0; i < QUERY_FIELDS; i++) {
		const struct tn_value *v = *q->field[i] ? find_field(event, q->field[i]) : NULL;

		tn_str_clear(&raw);
		if (v)
			tn_text_value(q->text, v, &raw);
		else if (*q->field[i] && is_for_job(q->field[i]))
			r->wanted |= 1u << i;
		tn_text_safe(raw.text ? raw.text : "", raw.n < FIELD_TEXT_MAX ? raw.n : FIELD_TEXT_MAX, &out);
		r->field_end[i] = (uint32_t)out.n;
	}
	tn_str_release(&raw);
	r->field = out.text;
}

static void
make_event(struct event_row *r, const struct tn_event *event, const struct query *q, struct tn_str *out)
{
	const char *name = r->row.event_class ? tn_event_class_name(r->row.event_class) : NULL;
	struct tn_str raw = { .most = ROW_TEXT_MAX };	/* a few bits may have very long labels */

	if (!name || !*name)
		name = "<unknown>";
	keep_piece(r, out, PIECE_NAME, name, strlen(name));
	for (enum piece p = PIECE_PACKET; p < PIECES; p++) {
		const struct tn_value *v = tn_event_scope(event, scope_of[p]);

		tn_str_clear(&raw);
		if (v)
			tn_text_value(q->text, v, &raw);
		keep_piece(r, out, p, raw.text ? raw.text : "", raw.n);
	}
	tn_str_release(&raw);
	make_fields(r, q, event);
}

/* A row that cannot be decoded shows the reason in its place. */
static void
make_damage(struct event_row *r, struct tn_str *out, const char *text)
{
	for (enum piece p = PIECE_NAME; p < PIECE_PAYLOAD; p++)
		r->end[p] = 0;
	out->n = 0;
	keep_piece(r, out, PIECE_PAYLOAD, text, strlen(text));
	r->row.kind = TN_ROW_DAMAGE;
}

/* Make a row with its values. @event NULL: the row is a notice, or cannot be read because of @why. */
static void
row_of(struct event_row *r, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why,
	     const struct query *q)
{
	struct tn_str out = { 0 }, raw = { 0 };

	*r = (struct event_row) { .row = *row };
	if (r->row.kind == TN_ROW_EVENT) {
		if (event)
			make_event(r, event, q, &out);
		else
			make_damage(r, &out, why ? why->text : "?");
	} else {
		tn_text_notice(q->text, &r->row, &raw);
		keep_piece(r, &out, PIECE_PAYLOAD, raw.text ? raw.text : "", raw.n);
		tn_str_release(&raw);
	}
	r->row.text = NULL;	/* the text belongs to the cursor */
	r->text = out.text;
	r->last = r->row.location;
	r->places = 1;
	if (r->row.kind == TN_ROW_LOST_EVENTS || r->row.kind == TN_ROW_LOST_PACKETS) {
		r->lost_unknown = r->row.count == TN_COUNT_UNKNOWN;
		*(r->row.kind == TN_ROW_LOST_EVENTS ? &r->lost_events : &r->lost_packets) =
			r->lost_unknown ? 0 : r->row.count;
	}
}

bool
event_row_make(struct event_row *r, struct tn_cursor *cur, const struct query *q, struct tn_error *err)
{
	const struct tn_event *event = NULL;
	struct tn_row row;
	bool read;

	if (!tn_cursor_row(cur, &row)) {
		*r = (struct event_row) { 0 };
		return false;
	}
	read = row.kind != TN_ROW_EVENT || tn_cursor_read(cur, TN_SCOPE_SHOWN, &event, err) == TN_OK;
	row_of(r, &row, event, read ? NULL : err, q);
	r->style = row.kind == TN_ROW_EVENT ? query_style(q, cur) : 0;
	return true;
}

/* Losses of events and of packets are one kind. */
static enum tn_row_kind
kind_of_notice(const struct event_row *r)
{
	return r->row.kind == TN_ROW_LOST_PACKETS ? TN_ROW_LOST_EVENTS : r->row.kind;
}

bool
event_row_fold(struct event_row *a, struct event_row *b, bool b_is_after)
{
	if (a->row.kind == TN_ROW_EVENT || b->row.kind == TN_ROW_EVENT || kind_of_notice(a) != kind_of_notice(b))
		return false;
	a->places += b->places;
	a->lost_events += b->lost_events;
	a->lost_packets += b->lost_packets;
	a->lost_unknown |= b->lost_unknown;
	if (b_is_after) {
		a->last = b->last;
		event_row_release(b);
	} else {	/* the first notice is the row that is shown */
		event_row_release(a);
		a->row = b->row;
		a->text = b->text;
		a->field = b->field;
		memcpy(a->end, b->end, sizeof a->end);
	}
	return true;
}

/* ---- rows that a job finds ---- */

struct fill {
	pthread_mutex_t lock;
	struct event_row *row;
	size_t n, room, taken;
	struct window *window;	/* for the app's thread: the window that waits for the rows; NULL: the window was dropped */
	bool forward, hide;	/* `hide`: leave out losses and damage */
	size_t most;		/* limit of rows */
	struct row_search rows;	/* the search, with the job for the job's thread */
	struct job *job;	/* the same job, for the app's thread */
	struct tn_cursor *cur;	/* cursor of the window, lent to the job */
	/* Rows around matches; for the job's thread only. */
	int context;
	struct tn_cursor *around;	/* NULL: no such rows are wanted */
	struct tn_cursor *ruled;	/* for the rules of colours; NULL: not made yet */
	bool has_match, has_last;
	struct tn_location match;	/* the last match */
	struct tn_location last;	/* the last row that was put */
};

static void
fill_free(void *data)
{
	struct fill *f = data;

	for (size_t i = f->taken; i < f->n; i++)
		event_row_release(&f->row[i]);
	free(f->row);
	tn_cursor_free(f->cur);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

/* Give a row to the window, which then owns it. */
static void
put_made(struct fill *f, struct event_row r, bool around)
{
	struct event_row *grown;

	if (f->hide && r.row.kind != TN_ROW_EVENT) {
		event_row_release(&r);
		return;
	}
	r.around = around;
	f->last = r.row.location;
	f->has_last = true;
	pthread_mutex_lock(&f->lock);
	if (f->n > f->taken && event_row_fold(&f->row[f->n - 1], &r, f->forward)) {
		pthread_mutex_unlock(&f->lock);
		return;
	}
	grown = array_more(f->row, f->n, &f->room, sizeof *grown);
	if (grown) {
		f->row = grown;
		f->row[f->n++] = r;
	} else {
		event_row_release(&r);
	}
	pthread_mutex_unlock(&f->lock);
}

/* Give the cursor's row to the window. */
static void
put_row(struct fill *f, struct tn_cursor *cur, bool around)
{
	struct event_row r;
	struct tn_error err;

	if (event_row_make(&r, cur, f->rows.job->q.query, &err))
		put_made(f, r, around);
}

/* Whether @a is before @b in the direction of the search. */
static bool
comes_before(const struct fill *f, const struct tn_location *a, const struct tn_location *b)
{
	int order = tn_location_compare(a, b);

	return f->forward ? order < 0 : order > 0;
}

static bool
step(struct fill *f, bool on)
{
	struct tn_error err;

	return (on == f->forward ? tn_cursor_next(f->around, &err) : tn_cursor_prev(f->around, &err)) == TN_OK;
}

/* Put rows after the last match, up to @end (NULL: unknown). At the end of the traces, these rows may be matches, too. */
static void
put_after(struct fill *f, const struct tn_location *end)
{
	struct tn_error err;
	struct tn_row row;

	if (!f->has_match || tn_cursor_restore(f->around, &f->match, &err) != TN_OK)
		return;
	for (int i = 0; i < f->context && step(f, true) && tn_cursor_row(f->around, &row); i++) {
		bool pass = false;

		if ((end && !comes_before(f, &row.location, end)) || !in_bounds(&f->rows.job->q.bounds, &row))
			return;
		if (f->has_last && !comes_before(f, &f->last, &row.location))
			continue;
		if (!end && tn_filter_match(f->rows.job->q.query->filter, f->rows.job->q.query->text, f->around, &pass, &err) < 0)
			pass = false;
		put_row(f, f->around, !pass);
	}
}

/* Whether a row before the first match is on this side of the place where the search began. */
static bool
is_ours(const struct fill *f, const struct tn_row *row)
{
	const struct place *from = &f->rows.from;

	if (f->has_last && !comes_before(f, &f->last, &row->location))
		return false;
	if (!in_bounds(&f->rows.job->q.bounds, row))
		return false;
	if (from->kind == PLACE_TIME)
		return f->forward ? row->location.time_ns >= from->time_ns : row->location.time_ns < from->time_ns;
	if (from->kind != PLACE_LOCATION)
		return true;
	if (f->forward)
		return tn_location_compare(&row->location, &from->location) >= (f->rows.behind ? 1 : 0);
	return tn_location_compare(&row->location, &from->location) < 0;
}

/* Put the rows before a match that the window does not have yet. */
static void
put_before(struct fill *f, const struct tn_location *match)
{
	struct tn_error err;
	struct tn_row row;
	int n = 0;

	if (tn_cursor_restore(f->around, match, &err) != TN_OK)
		return;
	while (n < f->context && step(f, false) && tn_cursor_row(f->around, &row)) {
		if (!is_ours(f, &row)) {
			if (!step(f, true))
				return;
			break;
		}
		n++;
	}
	for (; n > 0; n--) {
		if (tn_cursor_row(f->around, &row) && comes_before(f, &row.location, match) && is_ours(f, &row))
			put_row(f, f->around, true);
		if (!step(f, true))
			return;
	}
}

/* The style of a row by the rules, which use another cursor to read the row. */
static unsigned
style_of(struct fill *f, const struct tn_row *row)
{
	const struct question *q = &f->rows.job->q;
	struct tn_error err;

	if (!q->query->has_rules || row->kind != TN_ROW_EVENT
	    || (!f->ruled && tn_cursor_new(&f->ruled, q->set, &err) != TN_OK)
	    || tn_cursor_restore(f->ruled, &row->location, &err) != TN_OK)
		return 0;
	return query_style(q->query, f->ruled);
}

static int
fill_found(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why)
{
	struct fill *f = user;
	struct event_row r;

	if (f->around) {
		put_after(f, &row->location);
		put_before(f, &row->location);
		f->match = row->location;
		f->has_match = true;
		if (f->has_last && !comes_before(f, &f->last, &row->location))
			return 0;
	}
	row_of(&r, row, event, why, f->rows.job->q.query);
	r.style = style_of(f, row);
	put_made(f, r, false);
	return f->n >= f->most;
}

/* Without a filter, walk from row to row. */
static enum tn_code
walk(struct job *job, struct fill *f)
{
	enum tn_code rc = f->cur ? TN_OK : tn_cursor_new(&f->cur, job->q.set, &job->error);
	struct tn_row row;

	if (rc == TN_OK)
		tn_cursor_stop(f->cur, job_stopped, job);
	if (rc == TN_OK)
		rc = place_cursor(f->cur, &f->rows.from, !f->forward, f->rows.behind, &job->q.bounds, &job->error);
	while (rc == TN_OK && f->n < f->most) {
		if (job_stopped(job))
			rc = TN_ERR_CANCELLED;
		else if (tn_cursor_row(f->cur, &row) && !in_bounds(&job->q.bounds, &row))
			rc = TN_END;
		if (rc != TN_OK)
			break;
		put_row(f, f->cur, false);
		rc = f->forward ? tn_cursor_next(f->cur, &job->error) : tn_cursor_prev(f->cur, &job->error);
	}
	tn_cursor_stop(f->cur, NULL, NULL);
	return rc;
}

static void
fill_run(struct job *job)
{
	struct fill *f = job->data;

	f->rows.job = job;
	if (!job->q.query->filter) {
		job->code = walk(job, f);
		return;
	}
	if (f->context && tn_cursor_new(&f->around, job->q.set, &job->error) != TN_OK)
		f->around = NULL;
	tn_cursor_stop(f->around, job_stopped, job);
	job->code = row_search_run(&f->rows, &job->error);
	if (f->around && job->code >= 0)
		put_after(f, NULL);
	tn_cursor_free(f->around);
	tn_cursor_free(f->ruled);
	f->around = f->ruled = NULL;
}

static bool
reserve(struct window *w, size_t n)
{
	size_t room = w->room ? w->room : 128;
	struct event_row *grown;

	if (n <= w->room)
		return true;
	while (room < n)
		room *= 2;
	grown = realloc(w->row, room * sizeof *grown);
	if (!grown)
		return false;
	w->row = grown;
	w->room = room;
	return true;
}

/* Put the rows @from, in the order in which they were found, at one end. Returns by how many rows the window has grown. */
static size_t
append(struct window *w, struct event_row *from, size_t n, bool forward)
{
	size_t got = n;

	if (!reserve(w, w->n + n))
		return 0;
	if (n && w->n && event_row_fold(&w->row[forward ? w->n - 1 : 0], from, forward)) {
		from++;
		got--;
	}
	if (!forward)
		memmove(w->row + got, w->row, w->n * sizeof *w->row);
	for (size_t i = 0; i < got; i++)
		w->row[forward ? w->n + i : got - 1 - i] = from[i];
	w->n += got;
	return got;
}

/* Put the rows of a job at its end of the window. Returns the number of rows added at the start. */
static size_t
take(struct window *w, bool forward)
{
	struct fill *f = w->fill[forward];
	size_t got = 0;

	if (!f)
		return 0;
	pthread_mutex_lock(&f->lock);
	if (f->n > f->taken) {
		w->changed = true;
		got = append(w, f->row + f->taken, f->n - f->taken, forward);
		f->taken = f->n;
	}
	pthread_mutex_unlock(&f->lock);
	return got;
}

static void
fill_end(struct job *job, bool by_user)
{
	struct fill *f = job->data;
	struct window *w = f->window;

	if (!w)
		return;
	if (w->fill[f->forward] != f)
		return;
	if (f->forward)
		take(w, true);
	else
		w->taken_before += take(w, false);	/* window_take() reports it */
	w->fill[f->forward] = NULL;
	w->changed = true;
	if (!w->cur) {
		w->cur = f->cur;
		f->cur = NULL;
	}
	if (job->code == TN_END) {
		if (f->forward)
			w->at_end = true;
		else
			w->at_begin = true;
	} else if (job->code != TN_OK || by_user) {
		w->stopped[f->forward] = true;
		if (job->code != TN_ERR_CANCELLED && job->code != TN_OK) {
			w->failed = true;
			session_fail(w->session, "%s", job->error.text);
		}
	}
}

static void
fill_finish(struct job *job)
{
	fill_end(job, false);
}

static void
fill_cancelled(struct job *job)
{
	fill_end(job, true);
}

static const struct job_class fill_class = {
	.label = N_("filtering"),
	.run = fill_run,
	.finish = fill_finish,
	.cancelled = fill_cancelled,
	.free = fill_free,
};

/* This job reads the rows that the screen shows. */
static const struct job_class read_class = {
	.label = N_("reading"), .hidden = true,
	.run = fill_run, .finish = fill_finish, .cancelled = fill_cancelled, .free = fill_free,
};

static void
drop_fill(struct window *w, bool forward)
{
	struct fill *f = w->fill[forward];

	if (!f)
		return;
	f->window = NULL;
	job_drop(f->job);
	w->fill[forward] = NULL;
}

static void
start_fill(struct window *w, bool forward, const struct place *place, bool behind, size_t n)
{
	struct session *s = w->session;
	struct fill *f = calloc(1, sizeof *f);
	struct job *job;

	if (!f)
		return;
	pthread_mutex_init(&f->lock, NULL);
	f->window = w;
	f->forward = forward;
	f->context = s->settings.context;
	f->hide = !s->settings.losses;
	f->most = n;
	f->rows = (struct row_search) {
		.from = *place, .backward = !forward, .behind = behind, .found = fill_found, .user = f,
	};
	if (!s->asks.query->filter) {
		f->cur = w->cur;
		w->cur = NULL;
	}
	job = job_start(s, s->asks.query->filter ? &fill_class : &read_class, f);
	if (job) {
		w->fill[forward] = f;
		f->job = job;
	} else {
		w->stopped[forward] = w->failed = true;
	}
}

/* ---- rows of the window ---- */

static void
forget_rows(struct window *w, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		event_row_release(&w->row[i]);
}

void
window_trim(struct window *w, size_t from, size_t to)
{
	if (to < w->n) {
		drop_fill(w, true);
		forget_rows(w, to, w->n);
		w->n = to;
		w->at_end = w->stopped[1] = false;
	}
	if (from > 0) {
		drop_fill(w, false);
		forget_rows(w, 0, from);
		memmove(w->row, w->row + from, (w->n - from) * sizeof *w->row);
		w->n -= from;
		w->at_begin = w->stopped[0] = false;
	}
}

void
window_init(struct window *w, struct session *s)
{
	*w = (struct window) { .session = s };
}

void
window_release(struct window *w)
{
	window_stop(w);
	job_drop(w->deltas);
	job_drop(w->names);
	job_drop(w->attributes);
	forget_rows(w, 0, w->n);
	free(w->row);
	tn_cursor_free(w->cur);
	*w = (struct window) { 0 };
}

/* Wait for a moment: without a filter, rows usually arrive at once. */
static size_t
await(struct window *w, bool forward)
{
	size_t n = w->n;

	if (w->fill[forward] && !w->session->asks.query->filter && job_moment(w->fill[forward]->job) && !forward) {
		n = w->taken_before;
		w->taken_before = 0;
		return n;
	}
	return forward ? w->n - n : 0;
}

static void
get(struct window *w, bool forward, const struct place *place, bool behind, size_t n)
{
	if (forward ? place->kind == PLACE_END : place->kind == PLACE_BEGIN)
		*(forward ? &w->at_end : &w->at_begin) = true;
	else
		start_fill(w, forward, place, behind, n);
}

void
window_start(struct window *w, const struct place *place, size_t n)
{
	window_stop(w);
	job_drop(w->deltas);
	job_drop(w->attributes);
	job_drop(w->names);
	w->deltas = w->attributes = w->names = NULL;
	forget_rows(w, 0, w->n);
	w->n = w->taken_before = 0;
	w->at_begin = w->at_end = w->stopped[0] = w->stopped[1] = w->failed = false;
	get(w, true, place, false, n);
	await(w, true);
	get(w, false, place, false, n);
	w->taken_before += await(w, false);
}

size_t
window_more(struct window *w, bool forward, size_t n, bool wait)
{
	struct place place = { .kind = PLACE_LOCATION };

	if (!w->n || w->stopped[forward] || (forward ? w->at_end : w->at_begin))
		return 0;
	if (!w->fill[forward]) {
		place.location = forward ? w->row[w->n - 1].last : w->row[0].row.location;
		get(w, forward, &place, true, n);
	}
	return wait ? await(w, forward) : 0;
}

bool
window_take(struct window *w, size_t *before)
{
	bool changed;

	take(w, true);
	*before = take(w, false) + w->taken_before;
	w->taken_before = 0;
	changed = w->changed;
	w->changed = false;
	return changed;
}

bool
window_looking(const struct window *w, bool forward)
{
	return w->fill[forward] != NULL;
}

void
window_resume(struct window *w)
{
	w->stopped[0] = w->stopped[1] = w->failed = false;
}

void
window_stop(struct window *w)
{
	for (int forward = 0; forward < 2; forward++)
		if (w->fill[forward]) {
			drop_fill(w, forward);
			w->stopped[forward] = true;
		}
}

size_t
window_find(const struct window *w, const struct tn_location *at)
{
	size_t lo = 0;

	BISECT(lo, w->n, mid, tn_location_compare(&w->row[mid].row.location, at) < 0);
	return lo > 0 && tn_location_compare(&w->row[lo - 1].last, at) >= 0 ? lo - 1 : lo;
}
