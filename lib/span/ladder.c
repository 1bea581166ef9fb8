/* ladder.c - find single events between lanes */
#include <stdlib.h>
#include <string.h>

#include "span/origins.h"
#include "span/spans.h"
#include "base/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/str.h"

#define LANES_BYTES (4 << 20)	/* limit of the values of all lanes together */
#define STREAM "stream"

struct step {
	struct tn_location at;
	int64_t time_ns;
	uint32_t name;	/* number of the lane's name in `words` */
	bool has_time;
};

/* Different texts, by number. */
struct words {
	struct tn_hash by_text;
	TN_ARRAY(char *) text;
	size_t bytes;
};

struct way {
	uint32_t to, from;	/* number of the lane plus 1; 0: none */
};

struct by {
	struct words lanes;
	TN_ARRAY(struct way) way;	/* one for each step */
	uint32_t last;			/* number of the lane plus 1 for the last step that has one */
	size_t events;			/* number of events in a lane */
	bool is_stream;
};

struct tn_ladder {
	struct tn_set *set;
	struct tn_spans *spans;
	struct tn_origins streams, hosts;
	struct by *by;
	size_t n_by, most;
	struct words names;
	TN_ARRAY(struct step) step;
	bool has_more, failed;
};

static void
words_clear(struct words *w)
{
	tn_hash_clear(&w->by_text);
	for (size_t i = 0; i < w->text.n; i++)
		free(w->text.item[i]);
	w->text.n = w->bytes = 0;
}

static void
words_release(struct words *w)
{
	words_clear(w);
	tn_hash_release(&w->by_text);
	TN_ARRAY_RELEASE(&w->text);
}

/* The number of the text plus 1. 0: it does not fit, or *failed is set. */
static uint32_t
word(struct words *w, const char *text, size_t n, size_t most_bytes, bool *failed)
{
	struct tn_hash_item *item = tn_hash_find(&w->by_text, text, n);
	char *copy, **place;

	if (item)
		return (uint32_t)item->value + 1;
	if (n >= most_bytes - w->bytes)
		return 0;
	copy = malloc(n + 1);
	place = copy ? TN_ARRAY_ADD(&w->text) : NULL;
	if (place) {
		memcpy(copy, text, n);
		copy[n] = '\0';
		*place = copy;
		item = tn_hash_add(&w->by_text, copy, n, NULL);
	} else {
		free(copy);
	}
	if (!item) {
		*failed = true;
		return 0;
	}
	item->value = w->text.n - 1;
	w->bytes += n + 1;
	return (uint32_t)w->text.n;
}

enum tn_code
tn_ladder_new(struct tn_ladder **out, struct tn_set *set, const char *const *by, size_t n, struct tn_error *err)
{
	struct tn_str text = { 0 };
	struct tn_ladder *l;
	enum tn_code rc;

	if (out)
		*out = NULL;
	if (!out || !set || !by || !n)
		return tn_fail_null(err);
	l = calloc(1, sizeof *l);
	if (l)
		l->by = calloc(n, sizeof *l->by);
	if (!l || !l->by) {
		free(l);
		return tn_fail_memory(err);
	}
	l->set = set;
	l->n_by = n;
	rc = tn_spans_new(&l->spans, set, err);
	/* Define spans from each event to the next one of its trace, to read all events with their values. */
	tn_str_puts(&text, "* * show ");
	for (size_t i = 0; i < n && rc == TN_OK; i++) {
		if (!*by[i] || by[i][strcspn(by[i], " \t\n,")])
			rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': write one field or attribute", by[i]);
		tn_str_printf(&text, "%sbegin.%s", i ? ", " : "", by[i]);
		l->by[i].is_stream = strcmp(by[i], STREAM) == 0;
	}
	if (rc == TN_OK)
		rc = text.failed ? tn_fail_memory(err) : tn_spans_add_meant(l->spans, tn_str_text(&text), by[0], err);
	if (rc == TN_OK)
		rc = tn_origins_find(&l->streams, set, true, err);
	if (rc == TN_OK)
		rc = tn_origins_find(&l->hosts, set, false, err);
	tn_str_release(&text);
	if (rc != TN_OK)
		tn_ladder_free(l);
	else
		*out = l;
	return rc;
}

static void
clear(struct tn_ladder *l)
{
	words_clear(&l->names);
	l->step.n = 0;
	l->has_more = l->failed = false;
	for (size_t i = 0; i < l->n_by; i++) {
		words_clear(&l->by[i].lanes);
		l->by[i].way.n = l->by[i].events = 0;
		l->by[i].last = 0;
	}
}

void
tn_ladder_free(struct tn_ladder *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n_by; i++) {
		words_release(&l->by[i].lanes);
		TN_ARRAY_RELEASE(&l->by[i].way);
	}
	free(l->by);
	words_release(&l->names);
	TN_ARRAY_RELEASE(&l->step);
	tn_origins_release(&l->streams);
	tn_origins_release(&l->hosts);
	tn_spans_free(l->spans);
	free(l);
}

/* Add the lane of the span's begin event. False: memory is out. */
static bool
put_lane(struct tn_ladder *l, struct by *by, const struct tn_answer_value *value, uint32_t rank)
{
	struct tn_str room = { 0 }, text = { 0 };
	struct tn_answer_value own;
	struct way *way = TN_ARRAY_ADD(&by->way);

	if (!way)
		return false;
	way->from = by->last;
	if (value->kind == TN_ANSWER_NONE)
		return true;
	l->failed |= !tn_origins_own(by->is_stream ? &l->streams : &l->hosts, value, rank, &room, &own);
	tn_answer_value_text(&own, &text);
	l->failed |= text.failed;
	if (!l->failed)
		way->to = word(&by->lanes, tn_str_text(&text), text.n, LANES_BYTES, &l->failed);
	by->last = way->to ? way->to : by->last;
	by->events += way->to != 0;
	tn_str_release(&text);
	tn_str_release(&room);
	return !l->failed;
}

static int
on_span(void *user, const struct tn_span *s)
{
	static const struct tn_answer_value none;
	struct tn_ladder *l = user;
	struct step *step;
	uint32_t name;

	if (!s->is_at_begin)
		return 0;
	if (l->step.n == l->most) {
		l->has_more = true;
		return 1;
	}
	for (size_t i = 0; i < l->n_by; i++)
		if (!put_lane(l, &l->by[i], i < s->n_captured ? &s->captured[i] : &none, s->begin.stream)) {
			l->failed = true;
			return 1;
		}
	name = word(&l->names, s->name, strlen(s->name), SIZE_MAX, &l->failed);
	step = name ? TN_ARRAY_ADD(&l->step) : NULL;
	if (!step) {
		l->failed = true;
		return 1;
	}
	*step = (struct step) { .at = s->begin, .has_time = s->has_begin, .time_ns = s->begin_ns, .name = name - 1 };
	return 0;
}

enum tn_code
tn_ladder_run(struct tn_ladder *l, const struct tn_scan_options *options, size_t most, struct tn_error *err)
{
	struct tn_error inner;
	enum tn_code rc;

	if (!l)
		return tn_fail_null(err);
	clear(l);
	l->most = most;
	rc = tn_spans_run(l->spans, options, TN_SPANS_BY_BEGIN, on_span, l, NULL, &inner);
	if (l->failed)
		return tn_fail_memory(err);
	if (l->has_more)
		return TN_OK;
	if (rc < 0 && err)
		*err = inner;
	return rc;
}

size_t
tn_ladder_count(const struct tn_ladder *l)
{
	return l ? l->step.n : 0;
}

bool
tn_ladder_has_more(const struct tn_ladder *l)
{
	return l && l->has_more;
}

size_t
tn_ladder_lanes(const struct tn_ladder *l, size_t by, size_t *events)
{
	bool some = l && by < l->n_by;

	if (events)
		*events = some ? l->by[by].events : 0;
	return some ? l->by[by].lanes.text.n : 0;
}

const char *
tn_ladder_lane(const struct tn_ladder *l, size_t by, size_t lane)
{
	return l && by < l->n_by && lane < l->by[by].lanes.text.n ? l->by[by].lanes.text.item[lane] : NULL;
}

size_t
tn_ladder_best(const struct tn_ladder *l, size_t most)
{
	size_t best = 0, events = 0;

	for (size_t i = 0; l && i < l->n_by; i++) {
		size_t lanes = l->by[i].lanes.text.n;

		if (lanes >= 2 && lanes <= most && l->by[i].events > events) {
			best = i;
			events = l->by[i].events;
		}
	}
	return best;
}

bool
tn_ladder_rung(const struct tn_ladder *l, size_t by, size_t i, struct tn_rung *out)
{
	const struct step *s;
	const struct way *way;

	if (!l || !out || by >= l->n_by || i >= l->step.n)
		return false;
	s = &l->step.item[i];
	way = &l->by[by].way.item[i];
	*out = (struct tn_rung) {
		.name = l->names.text.item[s->name], .at = s->at, .has_time = s->has_time, .time_ns = s->time_ns,
		.lane = (size_t)way->to - 1, .from = (size_t)way->from - 1,
	};
	return true;
}
