#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "window.h"

/* ---- rows ---- */

void
event_row_release(struct event_row *r)
{
	free(r->text);
	r->text = NULL;
}

/* Append the safe form of what @raw holds from @from on, no more than ROW_TEXT_MAX in all. */
static void
keep_piece(struct event_row *r, struct tn_text_buffer *out, enum piece piece, const char *raw, size_t n)
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

static bool
make_event(struct event_row *r, struct tn_cursor *cur, const struct tn_text *text, struct tn_text_buffer *out,
	   struct tn_error *err)
{
	const char *name = r->row.event_class ? tn_event_class_name(r->row.event_class) : NULL;
	struct tn_text_buffer raw = { 0 };
	const struct tn_event *event;

	if (tn_cursor_read(cur, TN_SCOPE_SHOWN, &event, err) < 0)
		return false;
	if (!name || !*name)
		name = "<unknown>";
	keep_piece(r, out, PIECE_NAME, name, strlen(name));
	for (enum piece p = PIECE_PACKET; p < PIECES; p++) {
		const struct tn_value *v = tn_event_scope(event, scope_of[p]);

		raw.n = 0;
		if (v)
			tn_text_value(text, v, &raw);
		keep_piece(r, out, p, raw.text ? raw.text : "", raw.n);
	}
	tn_text_buffer_free(&raw);
	return true;
}

/* A row that cannot be decoded says so in its place. */
static void
make_damage(struct event_row *r, struct tn_text_buffer *out, const char *text)
{
	for (enum piece p = PIECE_NAME; p < PIECE_PAYLOAD; p++)
		r->end[p] = 0;
	out->n = 0;
	keep_piece(r, out, PIECE_PAYLOAD, text, strlen(text));
	r->row.kind = TN_ROW_DAMAGE;
}

bool
event_row_make(struct event_row *r, struct tn_cursor *cur, const struct tn_text *text, struct tn_error *err)
{
	struct tn_text_buffer out = { 0 }, raw = { 0 };

	*r = (struct event_row) { 0 };
	if (!tn_cursor_row(cur, &r->row))
		return false;
	if (r->row.kind == TN_ROW_EVENT) {
		if (!make_event(r, cur, text, &out, err))
			make_damage(r, &out, err->text);
	} else {
		tn_text_notice(text, &r->row, &raw);
		keep_piece(r, &out, PIECE_PAYLOAD, raw.text ? raw.text : "", raw.n);
		tn_text_buffer_free(&raw);
	}
	r->row.text = NULL;	/* the cursor's, not ours to keep */
	r->text = out.text;
	return true;
}

/* ---- what a job finds ---- */

struct fill {
	pthread_mutex_t lock;
	struct event_row *row;
	size_t n, room, taken;
	struct window *window;	/* the app's thread: who waits for it; NULL when dropped */
	bool forward;
	struct hunt hunt;
	struct query *query;
	struct job *job;
	/* Rows around matches; the job's thread alone. */
	int context;
	struct tn_cursor *around;	/* NULL: none are wanted */
	bool has_match, has_last;
	struct tn_location match;	/* the last one found */
	struct tn_location last;	/* the last row that was put */
};

static void
fill_free(void *data)
{
	struct fill *f = data;

	for (size_t i = f->taken; i < f->n; i++)
		event_row_release(&f->row[i]);
	free(f->row);
	query_put(f->query);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

/* The row the cursor is on goes to the window. */
static void
put_row(struct fill *f, struct tn_cursor *cur, bool around)
{
	struct event_row r;
	struct tn_error err;

	if (!event_row_make(&r, cur, f->query->text, &err))
		return;
	r.around = around;
	f->last = r.row.location;
	f->has_last = true;
	pthread_mutex_lock(&f->lock);
	if (f->n == f->room) {
		size_t room = f->room ? f->room * 2 : 64;
		struct event_row *grown = realloc(f->row, room * sizeof *grown);

		if (grown) {
			f->row = grown;
			f->room = room;
		}
	}
	if (f->n < f->room)
		f->row[f->n++] = r;
	else
		event_row_release(&r);
	pthread_mutex_unlock(&f->lock);
}

/* In the direction of the hunt: whether @a comes before @b. */
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

/* Rows behind the last match, up to @end (NULL: none is known); they may be matches themselves at the very end. */
static void
put_behind(struct fill *f, const struct tn_location *end)
{
	struct tn_error err;
	struct tn_row row;

	if (!f->has_match || tn_cursor_restore(f->around, &f->match, &err) != TN_OK)
		return;
	for (int i = 0; i < f->context && step(f, true) && tn_cursor_row(f->around, &row); i++) {
		bool pass = false;

		if ((end && !comes_before(f, &row.location, end)) || !in_bounds(&f->hunt.bounds, &row))
			return;
		if (f->has_last && !comes_before(f, &f->last, &row.location))
			continue;
		if (!end && f->query->filter
		    && tn_filter_match(f->query->filter, f->query->text, f->around, &pass, &err) < 0)
			pass = false;
		put_row(f, f->around, !pass);
	}
}

/* Whether a row before the first match belongs to this side of where the hunt began. */
static bool
is_ours(const struct fill *f, const struct tn_row *row)
{
	const struct place *from = &f->hunt.from;

	if (f->has_last && !comes_before(f, &f->last, &row->location))
		return false;
	if (!in_bounds(&f->hunt.bounds, row))
		return false;
	if (from->kind == PLACE_TIME)
		return f->forward ? row->location.time_ns >= from->time_ns : row->location.time_ns < from->time_ns;
	if (from->kind != PLACE_LOCATION)
		return true;
	if (f->forward)
		return tn_location_compare(&row->location, &from->location) >= (f->hunt.behind ? 1 : 0);
	return tn_location_compare(&row->location, &from->location) < 0;
}

/* Rows before a match, as far as they are not there yet. */
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

static int
fill_found(void *user, struct tn_cursor *cur, const struct tn_row *row)
{
	struct fill *f = user;

	if (f->around) {
		put_behind(f, &row->location);
		put_before(f, &row->location);
		f->match = row->location;
		f->has_match = true;
		if (f->has_last && !comes_before(f, &f->last, &row->location))
			return 0;
	}
	put_row(f, cur, false);
	return 0;
}

static void
fill_run(struct job *job)
{
	struct fill *f = job->data;

	f->hunt.job = job;
	if (f->context && tn_cursor_new(&f->around, f->hunt.set, &job->error) != TN_OK)
		f->around = NULL;
	job->code = hunt_run(&f->hunt, &job->error);
	if (f->around && job->code >= 0)
		put_behind(f, NULL);
	tn_cursor_free(f->around);
	f->around = NULL;
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

/* What one job found goes to its end of the window; returns how many rows. */
static size_t
take(struct window *w, bool forward)
{
	struct fill *f = w->fill[forward];
	size_t got = 0;

	if (!f)
		return 0;
	pthread_mutex_lock(&f->lock);
	if (f->n > f->taken && reserve(w, w->n + f->n - f->taken)) {
		got = f->n - f->taken;
		if (!forward)
			memmove(w->row + got, w->row, w->n * sizeof *w->row);
		for (size_t i = 0; i < got; i++)
			w->row[forward ? w->n + i : got - 1 - i] = f->row[f->taken + i];
		w->n += got;
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
	if (f->forward)
		take(w, true);
	else
		w->taken_before += take(w, false);	/* told by the next window_take() */
	if (w->fill[f->forward] == f)
		w->fill[f->forward] = NULL;
	if (job->code == TN_END) {
		if (f->forward)
			w->at_end = true;
		else
			w->at_begin = true;
	} else if (job->code != TN_OK || by_user) {
		w->stopped[f->forward] = true;
		if (job->code != TN_ERR_CANCELLED && job->code != TN_OK)
			session_fail(w->session, "%s", job->error.text);
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

	if (!f)
		return;
	pthread_mutex_init(&f->lock, NULL);
	f->window = w;
	f->forward = forward;
	f->query = query_get(s->query);
	f->context = s->settings.context;
	f->hunt = (struct hunt) {
		.set = s->set, .query = f->query, .bounds = s->bounds, .from = *place, .backward = !forward,
		.behind = behind, .limit = n, .threads = s->threads, .found = fill_found, .user = f,
	};
	if (s->has_range) {
		f->hunt.range_begin_ns = s->begin_ns;
		f->hunt.range_end_ns = s->end_ns;
	}
	f->job = job_start(&s->jobs, s, &fill_class, f);
	if (f->job)
		w->fill[forward] = f;
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

bool
window_init(struct window *w, struct session *s, struct tn_error *err)
{
	*w = (struct window) { .session = s };
	return tn_cursor_new(&w->cur, s->set, err) == TN_OK;
}

void
window_release(struct window *w)
{
	window_stop(w);
	forget_rows(w, 0, w->n);
	free(w->row);
	tn_cursor_free(w->cur);
	*w = (struct window) { 0 };
}

/* The cursor is on the first row to take, when rc is TN_OK. */
static size_t
fetch(struct window *w, bool forward, size_t n, enum tn_code rc, struct tn_error *err)
{
	struct session *s = w->session;
	size_t got = 0;

	if (!reserve(w, w->n + n))
		return 0;
	while (rc == TN_OK && got < n) {
		struct event_row r;

		if (tn_cursor_row(w->cur, &r.row) && !in_bounds(&s->bounds, &r.row)) {
			rc = TN_END;
			break;
		}
		if (!event_row_make(&r, w->cur, s->query->text, err))
			break;
		w->row[w->n + got++] = r;
		rc = forward ? tn_cursor_next(w->cur, err) : tn_cursor_prev(w->cur, err);
	}
	if (!forward) {	/* they came last first, behind the others */
		struct event_row *new = malloc((got + 1) * sizeof *new);

		if (!new) {
			forget_rows(w, w->n, w->n + got);
			return 0;
		}
		memcpy(new, w->row + w->n, got * sizeof *new);
		memmove(w->row + got, w->row, w->n * sizeof *w->row);
		for (size_t i = 0; i < got; i++)
			w->row[got - 1 - i] = new[i];
		free(new);
	}
	w->n += got;
	if (rc == TN_END && got < n)
		*(forward ? &w->at_end : &w->at_begin) = true;
	if (rc < 0) {
		w->stopped[forward] = true;
		session_fail(s, "%s", err->text);
	}
	return got;
}

static size_t
get(struct window *w, bool forward, const struct place *place, bool behind, size_t n)
{
	struct tn_error err;
	enum tn_code rc;

	if (forward ? place->kind == PLACE_END : place->kind == PLACE_BEGIN) {
		*(forward ? &w->at_end : &w->at_begin) = true;
		return 0;
	}
	if (w->session->query->filter) {
		start_fill(w, forward, place, behind, n);
		return 0;
	}
	rc = place_cursor(w->cur, place, !forward, behind, &w->session->bounds, &err);
	return fetch(w, forward, n, rc, &err);
}

void
window_start(struct window *w, const struct place *place, size_t n)
{
	window_stop(w);
	forget_rows(w, 0, w->n);
	w->n = w->taken_before = 0;
	w->at_begin = w->at_end = w->stopped[0] = w->stopped[1] = false;
	get(w, true, place, false, n);
	get(w, false, place, false, n);
}

size_t
window_more(struct window *w, bool forward, size_t n)
{
	struct place place = { .kind = PLACE_LOCATION };

	if (w->fill[forward] || !w->n || w->stopped[forward] || (forward ? w->at_end : w->at_begin))
		return 0;
	place.location = w->row[forward ? w->n - 1 : 0].row.location;
	return get(w, forward, &place, true, n);
}

bool
window_take(struct window *w, size_t *before)
{
	size_t behind = take(w, true);

	*before = take(w, false) + w->taken_before;
	w->taken_before = 0;
	return *before || behind;
}

bool
window_looking(const struct window *w, bool forward)
{
	return w->fill[forward] != NULL;
}

void
window_resume(struct window *w)
{
	w->stopped[0] = w->stopped[1] = false;
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
	size_t lo = 0, hi = w->n;	/* rows before lo are before it, from hi on they are not */

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (tn_location_compare(&w->row[mid].row.location, at) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
