/*
 * sorted.c - the first spans in an order, such as the slowest, stored for the next time
 *
 * A heap has the spans that are kept; its top is the last of them in the order. If the spans need too much memory, the
 * heap gets smaller, and does not grow again, so it always has the first spans.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_cache.h"
#include "base/error.h"
#include "base/meaning.h"
#include "base/options.h"
#include "span/spans.h"

#define MOST_BYTES ((size_t)TN_SPANS_SORTED_MIB << 20)
#define MORE_BYTES ((size_t)4 << 20)	/* limit of memory for more spans than requested */

struct kept {
	struct tn_span span;
	size_t size;
	struct tn_answer_value value[];
};

struct sorted {
	const struct tn_spans *spans;
	struct tn_span_sort by;
	TN_ARRAY(struct kept *) heap;
	size_t most;		/* limit of spans in the heap */
	size_t asked;
	size_t bytes, more_bytes;	/* memory of all spans; memory of the spans that exceed the requested number */
	bool no_memory;
};

/* ---- order ---- */

static int
compare_times(bool a_some, int64_t a, bool b_some, int64_t b)
{
	if (a_some != b_some)
		return a_some ? 1 : -1;
	return !a_some ? 0 : a < b ? -1 : a > b;
}

/* Get the value of a key or a field. Spans without the value come first. */
static const struct tn_answer_value *
value_of(const struct sorted *s, const struct tn_span *span)
{
	static const struct tn_answer_value none;

	if (s->by.column == TN_SPAN_BY_KEY)
		return s->by.index < span->n_keys ? &span->key[s->by.index] : &none;
	return s->by.index < span->n_captured ? &span->captured[s->by.index] : &none;
}

static int
compare_columns(const struct sorted *s, const struct tn_span *a, const struct tn_span *b)
{
	switch (s->by.column) {
	case TN_SPAN_BY_DURATION: return -compare_times(a->has_duration, a->duration_ns, b->has_duration, b->duration_ns);
	case TN_SPAN_BY_BEGIN: return compare_times(a->has_begin, a->begin_ns, b->has_begin, b->begin_ns);
	case TN_SPAN_BY_END: return compare_times(a->has_end, a->end_ns, b->has_end, b->end_ns);
	case TN_SPAN_BY_NAME: return strcmp(a->name, b->name);
	case TN_SPAN_BY_STATE: return strcmp(tn_span_state_name(a->state), tn_span_state_name(b->state));
	default: return tn_answer_value_compare(value_of(s, a), value_of(s, b));
	}
}

/* Negative: @a is before @b. Equal spans are in the order of their begins. */
static int
compare(const struct sorted *s, const struct tn_span *a, const struct tn_span *b)
{
	bool x = a->state == TN_SPAN_ORPHAN, y = b->state == TN_SPAN_ORPHAN;
	int order = compare_columns(s, a, b);

	if (order)
		return s->by.backward ? -order : order;
	order = tn_location_compare(x ? &a->end : &a->begin, y ? &b->end : &b->begin);
	if (order || a->definition != b->definition)
		return order ? order : a->definition < b->definition ? -1 : 1;
	return x == y ? 0 : x ? -1 : 1;
}

/* Restore the heap of items [0, n). */
static void
sift_down(struct sorted *s, size_t n, size_t i)
{
	struct kept **item = s->heap.item, *k = item[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && compare(s, &item[child + 1]->span, &item[child]->span) > 0)
			child++;
		if (compare(s, &k->span, &item[child]->span) >= 0)
			break;
		item[i] = item[child];
		i = child;
	}
	item[i] = k;
}

static bool
push(struct sorted *s, struct kept *k)
{
	size_t i = s->heap.n;
	struct kept **item;

	if (!TN_ARRAY_ADD(&s->heap))
		return false;
	item = s->heap.item;
	for (; i && compare(s, &k->span, &item[(i - 1) / 2]->span) > 0; i = (i - 1) / 2)
		item[i] = item[(i - 1) / 2];
	item[i] = k;
	s->bytes += k->size;
	return true;
}

static void
drop_last(struct sorted *s)
{
	struct kept *last = s->heap.item[0];

	s->bytes -= last->size;
	free(last);
	s->heap.item[0] = s->heap.item[--s->heap.n];
	if (s->heap.n)
		sift_down(s, s->heap.n, 0);
}

/* Sort the heap into an array, by moving its top to the end repeatedly. */
static void
put_in_order(struct sorted *s)
{
	for (size_t n = s->heap.n; n > 1; n--) {
		struct kept *last = s->heap.item[0];

		s->heap.item[0] = s->heap.item[n - 1];
		sift_down(s, n - 1, 0);
		s->heap.item[n - 1] = last;
	}
}

/* ---- taking spans ---- */

/* Copy a span and all data to which it points. Its name can belong to the definition. */
static struct kept *
copy(const struct tn_span *s, bool is_named)
{
	size_t n = s->n_keys + s->n_captured, bytes = is_named ? strlen(s->name) + 1 : 0;
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
	if (is_named)
		k->span.name = strcpy(text, s->name);
	k->span.key = k->value;
	k->span.captured = k->value + s->n_keys;
	return k;
}

static bool
wants(void *user, const struct tn_span *span)
{
	const struct sorted *s = user;

	return s->heap.n < s->most || (s->heap.n && compare(s, span, &s->heap.item[0]->span) < 0);
}

static int
take(void *user, const struct tn_span *span)
{
	struct sorted *s = user;
	struct kept *k = copy(span, s->spans->definition.item[span->definition].is_named);

	if (k && s->heap.n == s->most)
		drop_last(s);
	if (!k || !push(s, k)) {
		free(k);
		s->no_memory = true;
		return 1;
	}
	while (s->heap.n && s->bytes > (s->heap.n > s->asked ? s->more_bytes : MOST_BYTES)) {
		drop_last(s);
		s->most = s->heap.n;
	}
	return 0;
}

/* ---- stored answers ---- */

static void
keep(struct sorted *s, struct tn_answer_cache *k, const struct tn_types *types, const struct tn_span_counts *counts)
{
	struct tn_answer_out out = { .types = types };

	if (s->heap.n > TN_SPANS_STORED || !tn_answer_cache_begin(k, &out))
		return;
	tn_answer_put_bytes(&out, counts, sizeof *counts);
	tn_answer_put_word(&out, s->heap.n);
	for (size_t i = 0; i < s->heap.n; i++) {
		const struct tn_span *span = &s->heap.item[i]->span;

		tn_answer_put_word(&out, span->definition);
		tn_answer_put_word(&out, (uint64_t)span->state << 8 | (uint64_t)span->has_begin | (uint64_t)span->has_end << 1 |
				    (uint64_t)span->has_duration << 2 | (uint64_t)span->is_at_begin << 3 |
				    (uint64_t)span->is_at_end << 4 | (uint64_t)span->is_unsure << 5 |
				    (uint64_t)span->is_replaced << 6);
		tn_answer_put_word(&out, (uint64_t)span->begin_ns);
		tn_answer_put_word(&out, (uint64_t)span->end_ns);
		tn_answer_put_word(&out, (uint64_t)span->duration_ns);
		tn_answer_put_location(&out, &span->begin);
		tn_answer_put_location(&out, &span->end);
		tn_answer_put_bytes(&out, span->name, strlen(span->name) + 1);
		for (size_t v = 0; v < span->n_keys + span->n_captured; v++)
			tn_answer_put_value(&out, &s->heap.item[i]->value[v]);
	}
	tn_answer_cache_put(k, &out);
}

/* Whether the location can be visited. */
static bool
is_place(const struct tn_spans *spans, const struct tn_location *at)
{
	return at->stream < spans->set->n_streams;
}

static struct tn_span
kept_span(const struct tn_spans *spans, struct tn_answer_in *in, struct tn_answer_value *value)
{
	struct tn_span s = { .definition = (size_t)tn_answer_get_word(in) };
	uint64_t flags = tn_answer_get_word(in);
	size_t n;

	s.state = (enum tn_span_state)(flags >> 8);
	s.has_begin = flags & 1;
	s.has_end = flags & 2;
	s.has_duration = flags & 4;
	s.is_at_begin = flags & 8;
	s.is_at_end = flags & 16;
	s.is_unsure = flags & 32;
	s.is_replaced = flags & 64;
	s.begin_ns = (int64_t)tn_answer_get_word(in);
	s.end_ns = (int64_t)tn_answer_get_word(in);
	s.duration_ns = (int64_t)tn_answer_get_word(in);
	s.begin = tn_answer_get_location(in);
	s.end = tn_answer_get_location(in);
	s.name = tn_answer_get_bytes(in, &n);
	in->bad |= !n || s.name[n - 1] || s.definition >= spans->definition.n || flags >> 8 > TN_SPAN_DOUBTFUL ||
		   !is_place(spans, &s.begin) || !is_place(spans, &s.end);
	if (in->bad)
		return s;
	s.n_keys = spans->definition.item[s.definition].begin_key.n;
	s.n_captured = tn_span_shown(&spans->definition.item[s.definition]);
	for (size_t i = 0; i < s.n_keys + s.n_captured; i++)
		value[i] = tn_answer_get_value(in);
	s.key = value;
	s.captured = value + s.n_keys;
	return s;
}

/* Whether the stored answer is valid and has enough spans. */
static bool
is_enough(const struct sorted *s, struct tn_answer_in in, struct tn_span_counts *counts)
{
	struct tn_answer_value value[TN_SPAN_KEYS + TN_SPAN_FIELDS];
	uint64_t all = 0;
	size_t size, n;
	const void *bytes = tn_answer_get_bytes(&in, &size);

	if (size != sizeof *counts)
		return false;
	memcpy(counts, bytes, size);
	for (size_t i = 0; i < 4; i++)
		all += counts->of_state[i];
	n = tn_answer_get_count(&in, 12);
	if (n < s->asked && n < all)
		return false;
	for (size_t i = 0; i < n && !in.bad; i++)
		kept_span(s->spans, &in, value);
	return !in.bad && in.at == in.end;
}

static enum tn_code
tell_kept(const struct sorted *s, struct tn_answer_in *in, int (*span)(void *user, const struct tn_span *span), void *user,
	  struct tn_error *err)
{
	struct tn_answer_value value[TN_SPAN_KEYS + TN_SPAN_FIELDS];
	size_t n;

	tn_answer_get_bytes(in, &n);
	n = tn_answer_get_count(in, 12);
	for (size_t i = 0; i < n && i < s->asked && !in->bad; i++) {
		struct tn_span one = kept_span(s->spans, in, value);

		if (!in->bad && span(user, &one))
			return tn_fail(err, TN_ERR_CANCELLED, "stopped");
	}
	return TN_OK;
}

/* ---- all ---- */

static enum tn_code
find_all(struct sorted *s, struct tn_answer_cache *k, const struct tn_types *types,
	 int (*span)(void *user, const struct tn_span *span), void *user, struct tn_span_counts *counts, struct tn_error *err)
{
	static const struct tn_span_wish wish = { .wants = wants };
	enum tn_code rc;
	uint64_t all = 0;

	s->most = k->keeps && s->asked < TN_SPANS_STORED ? TN_SPANS_STORED : s->asked;
	s->more_bytes = tn_answer_file_room(s->spans->set) < MORE_BYTES ? tn_answer_file_room(s->spans->set) : MORE_BYTES;
	rc = tn_spans_run_some(s->spans, &k->options, &wish, take, s, counts, err);
	if (s->no_memory)
		return tn_fail_memory(err);
	if (rc < 0)
		return rc;
	put_in_order(s);
	for (size_t i = 0; i < 4; i++)
		all += counts->of_state[i];
	if (s->heap.n < s->asked && s->heap.n < all)
		counts->left_out = (all < s->asked ? all : s->asked) - s->heap.n;
	else
		keep(s, k, types, counts);
	for (size_t i = 0; i < s->heap.n && i < s->asked; i++)
		if (span(user, &s->heap.item[i]->span))
			return tn_fail(err, TN_ERR_CANCELLED, "stopped");
	return TN_OK;
}

/* Write "sorted spans" and the order. */
static void
say_order(const struct tn_span_sort *by, char text[64])
{
	snprintf(text, 64, "sorted spans %d %zu%s", (int)by->column, by->column < TN_SPAN_BY_KEY ? 0 : by->index,
		 by->backward ? " backward" : "");
}

enum tn_code
tn_spans_sorted(const struct tn_spans *spans, const struct tn_scan_options *options, const struct tn_span_sort *by,
		size_t most, int (*span)(void *user, const struct tn_span *span), void *user,
		struct tn_span_counts *counts, struct tn_error *err)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct sorted s = { .spans = spans, .asked = most ? most : SIZE_MAX };
	struct tn_span_counts own, *all = counts ? counts : &own;
	struct tn_types types = { 0 };
	struct tn_answer_in in = { .types = &types };
	struct tn_answer_cache k;
	char order[64];
	enum tn_code rc;

	*all = (struct tn_span_counts) { 0 };
	if (!spans || !spans->set || !span)
		return tn_fail_null(err);
	if (by)
		s.by = *by;
	if ((unsigned)s.by.column > TN_SPAN_BY_FIELD)
		return tn_fail(err, TN_ERR_ARGUMENT, "spans cannot be sorted by column %u", (unsigned)s.by.column);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc < 0)
		return rc;
	say_order(&s.by, order);
	tn_answer_cache_init(&k, spans->set, order, TN_MEANING_SPANS);
	tn_spans_question(spans, &k);
	tn_answer_cache_ask(&k, &o);
	if (!tn_spans_types(spans, &types))
		k.keeps = false;
	if (tn_answer_cache_find(&k, &in) && is_enough(&s, in, all)) {
		rc = tn_answer_cache_tell(&k, &in, err);
		if (rc == TN_OK)
			rc = tell_kept(&s, &in, span, user, err);
	} else {
		rc = find_all(&s, &k, &types, span, user, all, err);
	}
	for (size_t i = 0; i < s.heap.n; i++)
		free(s.heap.item[i]);
	TN_ARRAY_RELEASE(&s.heap);
	TN_ARRAY_RELEASE(&types.type);
	tn_answer_cache_release(&k);
	return rc;
}
