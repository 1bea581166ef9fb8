/*
 * other_end.c - go from the begin event of a span to its end event, and back
 *
 * One run finds the end for a begin. The begin for an end is searched for in windows that grow: because an end closes the
 * last open begin, earlier events do not matter. With fifo, an end closes the first open begin, so all earlier events
 * matter.
 */
#include <stdlib.h>

#include "span/spans.h"
#include "base/error.h"
#include "base/options.h"
#include "index/packet_index.h"
#include "order/cursor.h"

#define FIRST_WINDOW_NS INT64_C(10000000)

struct search {
	const struct tn_location *at;
	struct tn_location other;
	size_t definition;	/* SIZE_MAX: not found yet */
	bool is_begin;		/* the event begins a span; otherwise it ends one */
	bool found, is_open;
};

static bool
is_at(const struct tn_location *a, const struct tn_location *b)
{
	return tn_location_compare(a, b) == 0;
}

/* Find the role of the event in the first definition that uses it; if it is both begin and end, it is the begin. */
static int
classify(void *user, const struct tn_span *s)
{
	struct search *q = user;
	bool begins = s->is_at_begin && is_at(&s->begin, q->at), ends = s->is_at_end && is_at(&s->end, q->at);

	if (begins && (!q->is_begin || s->definition < q->definition)) {
		q->is_begin = true;
		q->definition = s->definition;
	} else if (ends && !q->is_begin && s->definition < q->definition) {
		q->definition = s->definition;
	}
	return 0;
}

static int
find(void *user, const struct tn_span *s)
{
	struct search *q = user;
	const struct tn_location *here = q->is_begin ? &s->begin : &s->end;

	if (!(q->is_begin ? s->is_at_begin : s->is_at_end) || !is_at(here, q->at))
		return 0;
	q->found = s->is_at_begin && s->is_at_end;
	q->is_open = !q->found;
	if (q->found)
		q->other = q->is_begin ? s->end : s->begin;
	return 1;
}

static enum tn_code
run(const struct tn_spans *spans, const struct tn_scan_options *o, int (*span)(void *user, const struct tn_span *s),
    struct search *q, struct tn_error *err)
{
	enum tn_code rc = tn_spans_run(spans, o, TN_SPANS_BY_END, span, q, NULL, err);

	return rc == TN_ERR_CANCELLED && (q->found || q->is_open) ? TN_OK : rc;
}

/*
 * Make the definitions whose events exist. number[i] becomes the index in @definition of the i-th one; @number may be
 * NULL.
 */
static enum tn_code
define(struct tn_spans **out, struct tn_set *set, const char *const *definition, size_t n, size_t *number,
       struct tn_error *err)
{
	enum tn_code rc = tn_spans_new(out, set, err), some = TN_ERR_ARGUMENT;

	for (size_t i = 0; rc == TN_OK && i < n; i++) {
		rc = tn_spans_add(*out, definition[i], err);
		if (rc == TN_OK) {
			some = TN_OK;
			if (number)
				number[tn_spans_count(*out) - 1] = i;
		} else if (rc == TN_ERR_ARGUMENT) {
			rc = TN_OK;
		}
	}
	return rc == TN_OK ? some : rc;
}

/* The lower bound of the times of all packets. */
static int64_t
first_time(struct tn_set *set)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < set->n_streams; i++) {
		struct tn_packet e;

		if (tn_index_get(set->stream[i], 0, &e, NULL, NULL) == TN_OK && e.begin_ns < first)
			first = e.begin_ns;
	}
	return first;
}

static enum tn_code
look_back(const struct tn_spans *spans, struct tn_scan_options *o, struct search *q, struct tn_error *err)
{
	int64_t begin = o->has_begin ? o->begin_ns : first_time(spans->set), window = FIRST_WINDOW_NS;
	bool has_begin = o->has_begin, all = spans->definition.item[0].rule == TN_SPAN_FIFO;
	enum tn_code rc;

	o->has_end = true;
	o->end_ns = q->at->time_ns;
	do {
		all = all || __builtin_sub_overflow(q->at->time_ns, window, &o->begin_ns) || o->begin_ns <= begin;
		o->has_begin = !all || has_begin;
		if (all)
			o->begin_ns = begin;
		q->is_open = false;
		rc = run(spans, o, find, q, err);
		window = window > INT64_MAX / 8 ? INT64_MAX : window * 8;
	} while (rc == TN_OK && !q->found && !all);
	return rc;
}

static enum tn_code
search(const struct tn_spans *spans, const struct tn_scan_options *options, struct search *q, struct tn_error *err)
{
	struct tn_scan_options o = *options;
	enum tn_code rc;

	if (!q->is_begin) {
		rc = look_back(spans, &o, q, err);
	} else {
		if (spans->definition.item[0].rule != TN_SPAN_FIFO) {
			o.has_begin = true;
			o.begin_ns = q->at->time_ns;
		}
		rc = run(spans, &o, find, q, err);
	}
	return rc == TN_OK && !q->found ? TN_END : rc;
}

enum tn_code
tn_span_other_end(struct tn_set *set, const char *const *definition, size_t n, const struct tn_scan_options *options,
		  const struct tn_location *at, struct tn_location *out, size_t *which, struct tn_error *err)
{
	struct tn_scan_options given = { TN_SCAN_OPTIONS }, o;
	struct search q = { .at = at, .definition = SIZE_MAX };
	struct tn_spans *spans = NULL;
	size_t *number, chosen = SIZE_MAX;
	enum tn_code rc;

	if (which)
		*which = SIZE_MAX;
	if (!set || !definition || !at || !out)
		return tn_fail_null(err);
	rc = tn_options_take(&given, sizeof given, options, "tn_scan_options", err);
	if (rc < 0)
		return rc;
	o = given;
	o.has_begin = o.has_end = true;
	o.begin_ns = o.end_ns = at->time_ns;
	o.notice = NULL;
	number = calloc(n + 1, sizeof *number);
	rc = number ? define(&spans, set, definition, n, number, err) : tn_fail_memory(err);
	if (rc == TN_OK)
		rc = run(spans, &o, classify, &q, err);
	if (rc == TN_OK && q.definition != SIZE_MAX)
		chosen = number[q.definition];
	tn_spans_free(spans);
	free(number);
	spans = NULL;
	if (rc < 0 || chosen == SIZE_MAX)
		return rc < 0 ? rc : TN_END;
	if (which)
		*which = chosen;
	rc = define(&spans, set, definition + chosen, 1, NULL, err);
	if (rc == TN_OK)
		rc = search(spans, &given, &q, err);
	tn_spans_free(spans);
	*out = q.other;
	return rc;
}
