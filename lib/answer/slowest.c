/*
 * slowest.c - the spans that took longest, kept for who asks again
 *
 * A heap has those that are kept, the one on top that would be told last. How many it may have shrinks when they take
 * too much room, and never grows again: it always has the first of all.
 */
#include <stdlib.h>
#include <string.h>

#include "answer/keeping.h"
#include "answer/spans.h"
#include "base/error.h"
#include "base/options.h"

#define MOST_BYTES ((size_t)48 << 20)
#define MORE_BYTES ((size_t)4 << 20)	/* of those that nobody asked for */

struct kept {
	struct tn_span span;
	size_t size;
	struct tn_answer_value value[];
};

struct slowest {
	const struct tn_spans *spans;
	struct kept **item;
	size_t n, most;		/* at most so many */
	size_t asked;
	size_t bytes, more_bytes;	/* of them; those that nobody asked for may have */
	bool no_memory;
};

/* ---- order ---- */

/* <0: @a is told before @b. */
static int
compare(const struct tn_span *a, const struct tn_span *b)
{
	bool x = a->state == TN_SPAN_ORPHAN, y = b->state == TN_SPAN_ORPHAN;
	int order;

	if (a->has_duration != b->has_duration)
		return a->has_duration ? -1 : 1;
	if (a->has_duration && a->duration_ns != b->duration_ns)
		return a->duration_ns > b->duration_ns ? -1 : 1;
	order = tn_location_compare(x ? &a->end : &a->begin, y ? &b->end : &b->begin);
	if (order || a->definition != b->definition)
		return order ? order : a->definition < b->definition ? -1 : 1;
	return x == y ? 0 : x ? -1 : 1;
}

static int
compare_kept(const void *a, const void *b)
{
	return compare(&(*(struct kept *const *)a)->span, &(*(struct kept *const *)b)->span);
}

static void
sift_down(struct slowest *s, size_t i)
{
	struct kept *k = s->item[i];
	size_t child;

	while ((child = 2 * i + 1) < s->n) {
		if (child + 1 < s->n && compare(&s->item[child + 1]->span, &s->item[child]->span) > 0)
			child++;
		if (compare(&k->span, &s->item[child]->span) >= 0)
			break;
		s->item[i] = s->item[child];
		i = child;
	}
	s->item[i] = k;
}

static void
push(struct slowest *s, struct kept *k)
{
	size_t i;

	for (i = s->n++; i && compare(&k->span, &s->item[(i - 1) / 2]->span) > 0; i = (i - 1) / 2)
		s->item[i] = s->item[(i - 1) / 2];
	s->item[i] = k;
	s->bytes += k->size;
}

static void
drop_last(struct slowest *s)
{
	struct kept *last = s->item[0];

	s->bytes -= last->size;
	free(last);
	s->item[0] = s->item[--s->n];
	if (s->n)
		sift_down(s, 0);
}

/* ---- taking ---- */

/* A copy with all that it points to; its name is the definition's. */
static struct kept *
copy(const struct tn_span *s)
{
	size_t n = s->n_keys + s->n_captured, bytes = 0;
	struct kept *k;
	char *text;

	for (size_t i = 0; i < n; i++) {
		const struct tn_answer_value *v = i < s->n_keys ? &s->key[i] : &s->captured[i - s->n_keys];

		bytes += v->kind == TN_ANSWER_TEXT ? v->n : 0;
	}
	bytes += sizeof *k + n * sizeof *k->value;
	k = malloc(bytes);
	if (!k)
		return NULL;
	k->span = *s;
	k->size = bytes;
	text = (char *)(k->value + n);
	for (size_t i = 0; i < n; i++) {
		struct tn_answer_value *v = &k->value[i];

		*v = i < s->n_keys ? s->key[i] : s->captured[i - s->n_keys];
		if (v->kind != TN_ANSWER_TEXT)
			continue;
		if (v->n)
			memcpy(text, v->text, v->n);
		v->text = text;
		text += v->n;
	}
	k->span.key = k->value;
	k->span.captured = k->value + s->n_keys;
	return k;
}

static bool
wants(void *user, const struct tn_span *span)
{
	const struct slowest *s = user;

	return s->n < s->most || (s->n && compare(span, &s->item[0]->span) < 0);
}

static int
take(void *user, const struct tn_span *span)
{
	struct slowest *s = user;
	struct kept *k;

	k = copy(span);
	if (!k) {
		s->no_memory = true;
		return 1;
	}
	if (s->n == s->most)
		drop_last(s);
	push(s, k);
	while (s->n && s->bytes > (s->n > s->asked ? s->more_bytes : MOST_BYTES)) {
		drop_last(s);
		s->most = s->n;
	}
	return 0;
}

/* ---- kept ---- */

static void
keep(struct slowest *s, struct tn_keeping *k, const struct tn_types *types, const struct tn_span_counts *counts)
{
	struct tn_keep_out out = { .types = types };

	if (!tn_keeping_begin(k, &out))
		return;
	tn_keep_bytes(&out, counts, sizeof *counts);
	tn_keep_word(&out, s->n);
	for (size_t i = 0; i < s->n; i++) {
		const struct tn_span *span = &s->item[i]->span;

		tn_keep_word(&out, span->definition);
		tn_keep_word(&out, (uint64_t)span->state << 8 | (uint64_t)span->has_begin | (uint64_t)span->has_end << 1 |
				    (uint64_t)span->has_duration << 2 | (uint64_t)span->is_at_begin << 3 |
				    (uint64_t)span->is_at_end << 4);
		tn_keep_word(&out, (uint64_t)span->begin_ns);
		tn_keep_word(&out, (uint64_t)span->end_ns);
		tn_keep_word(&out, (uint64_t)span->duration_ns);
		tn_keep_location(&out, &span->begin);
		tn_keep_location(&out, &span->end);
		tn_keep_bytes(&out, span->name, strlen(span->name) + 1);
		for (size_t v = 0; v < span->n_keys + span->n_captured; v++)
			tn_keep_value(&out, &s->item[i]->value[v]);
	}
	tn_keeping_put(k, &out);
}

/* A place that can be gone to. */
static bool
is_place(const struct tn_spans *spans, const struct tn_location *at)
{
	return at->stream < spans->set->n_streams;
}

static struct tn_span
kept_span(const struct tn_spans *spans, struct tn_keep_in *in, struct tn_answer_value *value)
{
	struct tn_span s = { .definition = (size_t)tn_kept_word(in) };
	uint64_t flags = tn_kept_word(in);
	size_t n;

	s.state = (enum tn_span_state)(flags >> 8);
	s.has_begin = flags & 1;
	s.has_end = flags & 2;
	s.has_duration = flags & 4;
	s.is_at_begin = flags & 8;
	s.is_at_end = flags & 16;
	s.begin_ns = (int64_t)tn_kept_word(in);
	s.end_ns = (int64_t)tn_kept_word(in);
	s.duration_ns = (int64_t)tn_kept_word(in);
	s.begin = tn_kept_location(in);
	s.end = tn_kept_location(in);
	s.name = tn_kept_bytes(in, &n);
	in->bad |= !n || s.name[n - 1] || s.definition >= spans->definition.n || flags >> 8 > TN_SPAN_DOUBTFUL ||
		   !is_place(spans, &s.begin) || !is_place(spans, &s.end);
	if (in->bad)
		return s;
	s.n_keys = spans->definition.item[s.definition].begin_key.n;
	s.n_captured = spans->definition.item[s.definition].captures.n;
	for (size_t i = 0; i < s.n_keys + s.n_captured; i++)
		value[i] = tn_kept_value(in);
	s.key = value;
	s.captured = value + s.n_keys;
	return s;
}

/* What was kept is enough, and right. */
static bool
is_enough(const struct slowest *s, struct tn_keep_in in, struct tn_span_counts *counts)
{
	struct tn_answer_value value[TN_SPAN_KEYS + TN_SPAN_FIELDS];
	uint64_t all = 0;
	size_t size, n;
	const void *bytes = tn_kept_bytes(&in, &size);

	if (size != sizeof *counts)
		return false;
	memcpy(counts, bytes, size);
	for (size_t i = 0; i < 4; i++)
		all += counts->of_state[i];
	n = tn_kept_count(&in, 12);
	if (n < s->asked && n < all)
		return false;
	for (size_t i = 0; i < n && !in.bad; i++)
		kept_span(s->spans, &in, value);
	return !in.bad && in.at == in.end;
}

static enum tn_code
tell_kept(const struct slowest *s, struct tn_keep_in *in, int (*span)(void *user, const struct tn_span *span), void *user,
	  struct tn_error *err)
{
	struct tn_answer_value value[TN_SPAN_KEYS + TN_SPAN_FIELDS];
	size_t n;

	tn_kept_bytes(in, &n);
	n = tn_kept_count(in, 12);
	for (size_t i = 0; i < n && i < s->asked && !in->bad; i++) {
		struct tn_span one = kept_span(s->spans, in, value);

		if (!in->bad && span(user, &one))
			return tn_fail(err, TN_ERR_CANCELLED, "stopped");
	}
	return TN_OK;
}

/* ---- all ---- */

static enum tn_code
find_all(struct slowest *s, struct tn_keeping *k, const struct tn_types *types,
	 int (*span)(void *user, const struct tn_span *span), void *user, struct tn_span_counts *counts, struct tn_error *err)
{
	static const struct tn_span_wish wish = { .wants = wants };
	enum tn_code rc;
	uint64_t all = 0;

	s->most = k->keeps && s->asked < TN_SPANS_SLOWEST ? TN_SPANS_SLOWEST : s->asked;
	s->more_bytes = tn_kept_room(s->spans->set) < MORE_BYTES ? tn_kept_room(s->spans->set) : MORE_BYTES;
	s->item = malloc((s->most + 1) * sizeof *s->item);
	if (!s->item)
		return tn_fail_memory(err);
	rc = tn_spans_run_some(s->spans, &k->options, &wish, take, s, counts, err);
	if (s->no_memory)
		return tn_fail_memory(err);
	if (rc < 0)
		return rc;
	if (s->n)
		qsort(s->item, s->n, sizeof *s->item, compare_kept);
	for (size_t i = 0; i < 4; i++)
		all += counts->of_state[i];
	if (s->n < s->asked && s->n < all)
		counts->left_out = (all < s->asked ? all : s->asked) - s->n;
	else
		keep(s, k, types, counts);
	for (size_t i = 0; i < s->n && i < s->asked; i++)
		if (span(user, &s->item[i]->span))
			return tn_fail(err, TN_ERR_CANCELLED, "stopped");
	return TN_OK;
}

enum tn_code
tn_spans_slowest(const struct tn_spans *spans, const struct tn_scan_options *options, size_t most,
		 int (*span)(void *user, const struct tn_span *span), void *user, struct tn_span_counts *counts,
		 struct tn_error *err)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct slowest s = { .spans = spans, .asked = most };
	struct tn_span_counts own, *all = counts ? counts : &own;
	struct tn_types types = { 0 };
	struct tn_keep_in in = { .types = &types };
	struct tn_keeping k;
	enum tn_code rc;

	*all = (struct tn_span_counts) { 0 };
	if (!spans || !spans->set || !span)
		return tn_fail_null(err);
	if (most > TN_SPANS_SLOWEST)
		return tn_fail(err, TN_ERR_ARGUMENT, "more than %u of the slowest spans", TN_SPANS_SLOWEST);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc < 0)
		return rc;
	tn_keeping_init(&k, spans->set, "slowest spans 1");
	tn_spans_ask(spans, &k);
	tn_keeping_ask(&k, &o);
	if (!tn_spans_types(spans, &types))
		k.keeps = false;
	if (tn_keeping_find(&k, &in) && is_enough(&s, in, all)) {
		rc = tn_keeping_tell(&k, &in, err);
		if (rc == TN_OK)
			rc = tell_kept(&s, &in, span, user, err);
	} else {
		rc = find_all(&s, &k, &types, span, user, all, err);
	}
	for (size_t i = 0; i < s.n; i++)
		free(s.item[i]);
	free(s.item);
	TN_ARRAY_RELEASE(&types.type);
	tn_keeping_release(&k);
	return rc;
}
