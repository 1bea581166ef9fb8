/* rows.c - make a row for each item: its numbers, its tests, its verdict; and sort the rows */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "base/error.h"

#define SURE 0.003		/* upper limit of the corrected probability for "sure" */
#define SURE_CHANGE 0.02
#define LIKELY 0.05
#define LIKELY_CHANGE 0.01
#define RECORDER_NS 50		/* nearer durations can differ only because of the recorder, so the difference is never sure */

/* ---- names ---- */

const char *
tn_compare_what_name(enum tn_compare_what what)
{
	static const char *const names[] = { "event", "span", "value" };

	return (unsigned)what < TN_COUNT(names) ? names[what] : "?";
}

const char *
tn_compare_verdict_name(enum tn_compare_verdict verdict)
{
	static const char *const names[] = { "sure", "likely", "noise" };

	return (unsigned)verdict < TN_COUNT(names) ? names[verdict] : "?";
}

const char *
tn_compare_measure_name(enum tn_compare_measure measure)
{
	static const char *const names[] = { "count", "rate", "share", "p50", "p90", "p99" };

	return (unsigned)measure < TN_COUNT(names) ? names[measure] : "?";
}

/* ---- how counts are compared ---- */

/* The expected count of the first side is @ratio times the count of the second side. */
struct scale {
	enum tn_compare_measure measure;
	double ratio;
	const double *weight[2];	/* expected share of each slice; NULL: there are no slices */
};

/* A difference counts only if it exists on both scales. There is only one scale for shares. */
struct scales {
	struct scale scale[2];
	size_t n;
	double whole;		/* the ratio by which the rows are ranked */
	double share[2][TN_COMPARE_BLOCKS];
};

static void
find_shares(struct tn_compare *c, struct scales *s)
{
	double slice[2][TN_COMPARE_BLOCKS] = { { 0 } };

	for (size_t i = 0; i < c->items.item.n; i++)
		for (size_t side = 0; side < 2; side++)
			for (size_t k = 0; c->items.item.item[i]->what == TN_COMPARE_EVENT && k < TN_COMPARE_BLOCKS; k++)
				slice[side][k] += c->items.item.item[i]->side[side].slice[k];
	for (size_t side = 0; side < 2; side++)
		for (size_t k = 0; k < TN_COMPARE_BLOCKS; k++)
			s->share[side][k] = c->events[side] ? slice[side][k] / (double)c->events[side] : 0;
}

/*
 * Recordings of the same work can differ in length, and recordings of the same length can differ in work. Neither must
 * make all rows different. If the lengths differ by more than a factor of two, they show nothing about the work; then
 * shares of all events are compared in place of counts.
 */
static void
find_scales(struct tn_compare *c, struct scales *s)
{
	double length = c->time[1].length_s > 0 ? c->time[0].length_s / c->time[1].length_s : 0;
	struct scale *share = &s->scale[1];

	find_shares(c, s);
	s->n = 0;
	if (length > 0 && !c->side[0].is_part && !c->side[1].is_part)
		s->scale[s->n++] = (struct scale) { TN_COMPARE_RATE, length, { c->time[0].weight, c->time[1].weight } };
	if (s->n && length > 0.5 && length < 2) {
		s->scale[s->n++] = (struct scale) { TN_COMPARE_COUNT, 1, { c->time[0].weight, c->time[1].weight } };
		s->whole = 1;
		return;
	}
	share = &s->scale[s->n++];
	*share = (struct scale) {
		TN_COMPARE_SHARE, c->events[1] ? (double)c->events[0] / (double)c->events[1] : 0, { s->share[0], s->share[1] },
	};
	s->whole = s->scale[0].ratio;
}

/* ---- the tests of a row ---- */

/* The clearest test so far. Each test may use its part of the allowed errors. */
struct best {
	double probability, effect;	/* results of the clearest test whose change is large enough */
	enum tn_compare_measure measure;
};

static double
change(double a, double b)
{
	return a == b ? 0 : a > 0 && b > 0 ? fmax(a, b) / fmin(a, b) - 1 : HUGE_VAL;
}

static double
apart(uint64_t a_ns, uint64_t b_ns)
{
	return (double)(a_ns > b_ns ? a_ns - b_ns : b_ns - a_ns);
}

static void
consider(struct best *best, double probability, double effect, enum tn_compare_measure measure)
{
	if (effect < LIKELY_CHANGE || probability >= best->probability)
		return;
	*best = (struct best) { probability, effect, measure };
}

static void
test_counts(const struct tn_item *item, const struct scales *s, double tests, struct best *best)
{
	double probability = 0, effect = HUGE_VAL;
	int sign = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct scale *scale = &s->scale[i];
		struct tn_counts_over_time over[2] = { { .n = item->side[0].count }, { .n = item->side[1].count } };
		double a = (double)over[0].n, b = (double)over[1].n * scale->ratio;

		for (size_t side = 0; side < 2; side++) {
			over[side].weight = scale->weight[side];
			for (size_t k = 0; k < TN_COMPARE_BLOCKS; k++)
				over[side].slice[k] = item->side[side].slice[k];
		}
		if (a == b || (sign && sign != (a > b) - (a < b)))
			return;
		sign = (a > b) - (a < b);
		probability = fmax(probability, tn_test_counts(&over[0], &over[1], scale->ratio));
		effect = fmin(effect, change(a, b));
	}
	consider(best, tests * probability, effect, s->scale[0].measure == TN_COMPARE_RATE && s->n == 2 &&
		 s->scale[1].measure == TN_COMPARE_COUNT ? TN_COMPARE_COUNT : s->scale[0].measure);
}

/* @small: the limit of changes that the recorder itself can make. */
static void
test_spans(const struct tn_item *item, const struct tn_compare_row *row, struct best *best, struct best *small)
{
	struct tn_item_spans *a = item->side[0].spans, *b = item->side[1].spans;
	const struct tn_compared *x = &row->side[0], *y = &row->side[1];
	struct tn_duration_tests tests;
	double mean[2], far = 0;

	if (!a || !b)
		return;
	tn_test_durations(&tests, &a->by_block, &b->by_block);
	mean[0] = (double)x->total_ns / (double)x->count;
	mean[1] = (double)y->total_ns / (double)y->count;
	/* The mean is not compared: a few very long spans, which every recording has, change it too much. */
	for (unsigned p = 10; p < 100; p += 10)
		far = fmax(far, apart(tn_item_percentile(a, x->count, p), tn_item_percentile(b, y->count, p)));
	consider(far < RECORDER_NS ? small : best, 2 * tests.by_rank,
		 fmax(change((double)x->p50_ns, (double)y->p50_ns), change(mean[0], mean[1])), TN_COMPARE_P50);
	consider(apart(x->p90_ns, y->p90_ns) < RECORDER_NS ? small : best, 8 * tests.beyond_p90,
		 change((double)x->p90_ns, (double)y->p90_ns), TN_COMPARE_P90);
	consider(apart(x->p99_ns, y->p99_ns) < RECORDER_NS ? small : best, 8 * tests.beyond_p99,
		 change((double)x->p99_ns, (double)y->p99_ns), TN_COMPARE_P99);
}

/* ---- the numbers of a row ---- */

static void
fill_side(struct tn_compared *out, const struct tn_item_side *side, const struct tn_slices_of *time)
{
	struct tn_item_spans *s = side->spans;

	*out = (struct tn_compared) { .count = side->count, .is_doubtful = side->is_doubtful };
	out->has_rate = time->length_s > 0;
	out->rate = out->has_rate ? (double)side->count / time->length_s : 0;
	out->has_durations = s && side->count;
	if (!out->has_durations)
		return;
	out->total_ns = s->total_ns;
	out->max_ns = s->max_ns;
	out->p50_ns = tn_item_percentile(s, side->count, 50);
	out->p90_ns = tn_item_percentile(s, side->count, 90);
	out->p99_ns = tn_item_percentile(s, side->count, 99);
}

/* Get the measure of a side. False: the side does not have it. */
static bool
measured(const struct tn_compare *c, const struct tn_compare_row *row, size_t side, double *out)
{
	const struct tn_compared *x = &row->side[side];
	uint64_t all = c->events[side];

	switch (row->measure) {
	case TN_COMPARE_COUNT: *out = (double)x->count; return true;
	case TN_COMPARE_RATE: *out = x->rate; return x->has_rate;
	case TN_COMPARE_SHARE: *out = all ? (double)x->count / (double)all : 0; return all != 0;
	case TN_COMPARE_P50: *out = (double)x->p50_ns; return x->has_durations;
	case TN_COMPARE_P90: *out = (double)x->p90_ns; return x->has_durations;
	case TN_COMPARE_P99: *out = (double)x->p99_ns; return x->has_durations;
	}
	return false;
}

static enum tn_compare_verdict
verdict(const struct tn_compare_result *r)
{
	bool doubtful = r->row.side[0].is_doubtful || r->row.side[1].is_doubtful;

	if (r->row.probability < SURE && r->effect >= SURE_CHANGE)
		return doubtful ? TN_COMPARE_LIKELY : TN_COMPARE_SURE;
	return r->row.probability < LIKELY && r->effect >= LIKELY_CHANGE ? TN_COMPARE_LIKELY : TN_COMPARE_NOISE;
}

/* @whole: for each side, the sum that the row is a part of. */
static double
part_changed(double a, double b, double ratio, const double whole[2])
{
	double all = fmax(whole[0], whole[1] * ratio);

	return all > 0 ? fabs(a - b * ratio) / all : 0;
}

static void
set_verdict(const struct tn_compare *c, struct tn_compare_result *r, const struct best *best)
{
	r->row.measure = best->measure;
	r->row.probability = fmin(1, best->probability * ((double)c->items.item.n + (double)c->items.more_values));
	r->effect = best->effect;
	r->row.verdict = verdict(r);
}

static void
fill_row(struct tn_compare *c, const struct tn_item *item, const struct scales *s, struct tn_compare_result *out)
{
	struct tn_compare_row *row = &out->row;
	struct best best = { 1, 0, item->what == TN_COMPARE_SPAN ? TN_COMPARE_P50 : s->scale[s->n - 1].measure }, small = best;

	row->what = item->what;
	row->name = item->name;
	row->definition = item->what == TN_COMPARE_SPAN ? c->definitions.item[item->of] : NULL;
	row->field = item->what == TN_COMPARE_VALUE ? c->fields.item[item->of] : NULL;
	row->value = item->value;
	for (size_t side = 0; side < 2; side++)
		fill_side(&row->side[side], &item->side[side], &c->time[side]);
	test_counts(item, s, item->what == TN_COMPARE_SPAN ? 4 : 1, &best);
	if (item->what == TN_COMPARE_SPAN)
		test_spans(item, row, &best, &small);
	set_verdict(c, out, &best);
	if (row->verdict != TN_COMPARE_SURE && small.probability < best.probability) {
		set_verdict(c, out, &small);
		if (row->verdict == TN_COMPARE_SURE)
			row->verdict = TN_COMPARE_LIKELY;
	}
	row->first = row->second = 0;
	row->has_values = measured(c, row, 0, &row->first);
	row->has_values &= measured(c, row, 1, &row->second);
}

/* ---- all rows ---- */

static int
compare_rows(const void *a, const void *b)
{
	const struct tn_compare_row *x = &((const struct tn_compare_result *)a)->row;
	const struct tn_compare_row *y = &((const struct tn_compare_result *)b)->row;
	int order;

	if (x->verdict != y->verdict)
		return x->verdict < y->verdict ? -1 : 1;
	if (x->changed != y->changed)
		return x->changed > y->changed ? -1 : 1;
	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	order = strcmp(x->name, y->name);
	return order || !x->definition ? order : strcmp(x->definition, y->definition);
}

enum tn_code
tn_compare_make_rows(struct tn_compare *c, struct tn_error *err)
{
	double events[2] = { (double)c->events[0], (double)c->events[1] }, time[2] = { 0, 0 };
	struct scales s;

	find_scales(c, &s);
	for (size_t i = 0; i < c->items.item.n; i++) {
		const struct tn_item *item = c->items.item.item[i];
		struct tn_compare_result *row;

		if (!item->side[0].count && !item->side[1].count)
			continue;	/* no span of the kind is closed */
		row = TN_ARRAY_ADD(&c->rows);
		if (!row)
			return tn_fail_memory(err);
		fill_row(c, item, &s, row);
		time[0] += (double)row->row.side[0].total_ns;
		time[1] += (double)row->row.side[1].total_ns;
	}
	for (size_t i = 0; i < c->rows.n; i++) {
		struct tn_compare_row *row = &c->rows.item[i].row;
		const struct tn_compared *a = &row->side[0], *b = &row->side[1];

		row->changed = row->what == TN_COMPARE_SPAN
			       ? part_changed((double)a->total_ns, (double)b->total_ns, s.whole, time)
			       : part_changed((double)a->count, (double)b->count, s.whole, events);
	}
	if (c->rows.n)
		qsort(c->rows.item, c->rows.n, sizeof *c->rows.item, compare_rows);
	return TN_OK;
}

size_t
tn_compare_count(const struct tn_compare *c)
{
	return c ? c->rows.n : 0;
}

bool
tn_compare_row(const struct tn_compare *c, size_t i, struct tn_compare_row *out)
{
	if (!c || i >= c->rows.n || !out)
		return false;
	*out = c->rows.item[i].row;
	return true;
}
