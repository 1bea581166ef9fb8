/*
 * span_match.c - match begin events with end events
 *
 * They arrive in the order of the events. A begin is put on the stack of its key, and an end takes a begin from there.
 * All begins are in one list in the order of arrival, so that spans can be reported in this order: a finished span waits
 * in the list for earlier spans. The memory for open and waiting spans is limited.
 */
#include <stdlib.h>

#include "span/losses.h"
#include "span/span_open.h"
#include "base/error.h"
#include "base/options.h"

#define MOST_BYTES ((size_t)40 << 20)	/* limit for open and waiting spans */

/* A begin or end event that has arrived. */
struct met {
	const struct tn_record *record;
	const struct tn_span_record *key;	/* the record with the definition and the key */
	int64_t ns;
	const uint64_t *captured;
	uint32_t class, captured_words;
};

struct match {
	const struct tn_spans *spans;
	const struct tn_scan_options *options;
	enum tn_span_order order;
	int (*span)(void *user, const struct tn_span *span);
	const struct tn_span_observer *observer;	/* NULL: no observer */
	struct tn_span_wish wish;
	void *user;
	struct tn_open_spans open;
	struct tn_wholes wholes;
	struct tn_losses losses;
	uint32_t *damage, n_damage;	/* by rank: number of the last loss of unknown extent; of all, at most UINT32_MAX */
	TN_ARRAY(uint32_t) damaged;	/* ranks of the streams with such losses */
	struct tn_expression_state condition;
	struct tn_span_counts counts;
	struct tn_span now;		/* the span that is being reported */
	struct tn_answer_value key[TN_SPAN_KEYS], captured[TN_SPAN_FIELDS + 1];
	struct tn_str name;		/* name of this span, if a value names it */
};

/* Make a begin. For an orphan, the event is the end, and the values are those of the end. */
static struct begun *
new_begun(struct match *m, const struct met *t, bool is_end)
{
	struct begun *b = tn_open_new(&m->open, t->captured, is_end ? 0 : t->captured_words);

	if (!b)
		return NULL;
	b->class = t->class;
	b->definition = (uint16_t)t->key->definition;
	b->damage = m->n_damage;
	return b;
}

/* ---- losses ---- */

/* Whether a begin or an end event may have been lost between the two. */
static bool
is_doubtful(struct match *m, const struct begun *b, const struct tn_location *end, bool *failed)
{
	struct tn_lost_question q = {
		.definition = b->definition, .begin_rank = b->at.stream, .end_rank = end->stream,
		.begin_ns = b->at.time_ns, .end_ns = end->time_ns,
	};

	if (m->n_damage == UINT32_MAX)
		return true;
	for (size_t i = 0; i < m->damaged.n; i++)
		if (m->damage[m->damaged.item[i]] > b->damage && tn_loss_matters(m->spans, m->damaged.item[i], &q))
			return true;
	return tn_losses_touch(&m->losses, &q, failed);
}

/* Note a loss of unknown extent. */
static enum tn_code
take_damage(struct match *m, uint32_t rank, struct tn_error *err)
{
	if (!m->damage[rank]) {
		uint32_t *at = TN_ARRAY_ADD(&m->damaged);

		if (!at)
			return tn_fail_memory(err);
		*at = rank;
	}
	m->n_damage += m->n_damage < UINT32_MAX;
	m->damage[rank] = m->n_damage;
	return TN_OK;
}

/* ---- reporting ---- */

/* Unpack the values of the begin event, then those of the end event, which replace values of the begin. */
static size_t
unpack_captured(struct match *m, const struct begun *b, const uint64_t *end_words)
{
	const struct tn_span_definition *d = &m->spans->definition.item[b->definition];
	const uint64_t *w = b->captured;

	for (size_t i = 0; i < d->captures.n; i++) {
		m->captured[i] = (struct tn_answer_value) { 0 };
		if (b->captured_words)
			w = tn_unpack(w, &m->captured[i]);
	}
	for (size_t i = 0; end_words && i < d->captures.n; i++) {
		struct tn_answer_value v;

		end_words = tn_unpack(end_words, &v);
		if (v.kind != TN_ANSWER_NONE)
			m->captured[i] = v;
	}
	return tn_span_shown(d);
}

/* The name of a span: the name of its class, or a value of its begin event. */
static const char *
name_of(struct match *m, const struct begun *b)
{
	const struct tn_span_definition *d = &m->spans->definition.item[b->definition];
	const uint64_t *w = b->captured;
	struct tn_answer_value v = { 0 };

	if (!d->is_named || !b->captured_words)
		return d->span_name[b->class];
	for (size_t i = 0; i < d->captures.n; i++)
		w = tn_unpack(w, &v);
	if (v.kind == TN_ANSWER_NONE)
		return d->span_name[b->class];
	m->name.n = 0;
	tn_answer_value_text(&v, &m->name);
	return tn_str_text(&m->name);
}

static size_t
unpack_key(struct match *m, const struct begun *b)
{
	const struct tn_span_definition *d = &m->spans->definition.item[b->definition];
	const uint64_t *w = b->stack->key + 1;

	for (size_t i = 0; i < d->begin_key.n; i++) {
		w = tn_unpack(w, &m->key[i]);
		if (m->key[i].kind == TN_ANSWER_UINT || m->key[i].kind == TN_ANSWER_SINT)
			m->key[i].type = d->label[i];
	}
	return d->begin_key.n;
}

/* Get the span without the values of its key and of the shown fields. @e is NULL while the span is open. */
static struct tn_span *
span_of(struct match *m, const struct begun *b, const struct ended *e)
{
	struct tn_span *span = &m->now;

	span->definition = b->definition;
	span->state = (enum tn_span_state)b->state;
	span->name = name_of(m, b);
	span->is_at_begin = b->state != TN_SPAN_ORPHAN;
	span->is_replaced = b->replaced;
	span->is_at_end = e && !b->replaced && !b->is_whole;
	span->begin = b->at;
	span->begin_ns = b->ns;
	span->end = e ? e->at : (struct tn_location) { 0 };
	span->end_ns = e ? e->ns : 0;
	span->has_begin = span->is_at_begin && b->has_time;
	span->has_end = (span->is_at_end || (e && b->is_whole)) && e->has_time;
	span->has_duration = span->has_begin && span->has_end;
	span->duration_ns = span->has_duration ? (int64_t)((uint64_t)span->end_ns - (uint64_t)span->begin_ns) : 0;
	span->n_keys = span->n_captured = 0;
	return span;
}

static void
take_values(struct match *m, const struct begun *b, const struct ended *e, struct tn_span *span)
{
	span->n_keys = unpack_key(m, b);
	span->n_captured = unpack_captured(m, b, e && e->n_words ? e->words : NULL);
}

/* Whether the end event of the open span may have been lost, or may still arrive. */
static bool
is_unsure(struct match *m, const struct begun *b, bool *failed)
{
	return b->state == TN_SPAN_OPEN &&
	       (b->unsure || (!b->replaced && is_doubtful(m, b, &(struct tn_location) { INT64_MAX, b->at.stream, 0, 0 }, failed)));
}

static enum tn_code
tell(struct match *m, const struct begun *b, const struct ended *e, struct tn_error *err)
{
	const struct tn_span_where *of_definition = m->spans->definition.item[b->definition].where;
	bool pass = true, has_where = of_definition || m->spans->where, failed = false;
	struct tn_span *span;
	enum tn_code rc = TN_OK;

	if (!has_where && m->wish.only_ended && (b->state == TN_SPAN_OPEN || b->state == TN_SPAN_ORPHAN)) {
		m->counts.of_state[b->state]++;
		return TN_OK;
	}
	span = span_of(m, b, e);
	if (!has_where && m->wish.wants && !m->wish.wants(m->user, span)) {
		m->counts.of_state[b->state]++;
		return TN_OK;
	}
	if (has_where || !m->wish.no_values)
		take_values(m, b, e, span);
	if (of_definition)
		rc = tn_span_where_passes(of_definition, &m->condition, span, &pass, err);
	if (rc == TN_OK && pass && m->spans->where)
		rc = tn_span_where_passes(m->spans->where, &m->condition, span, &pass, err);
	if (rc < 0 || !pass)
		return rc;
	m->counts.of_state[b->state]++;
	span->is_unsure = !m->observer && is_unsure(m, b, &failed);
	if (failed)
		return tn_fail_memory(err);
	if (has_where && m->wish.wants && !m->wish.wants(m->user, span))
		return TN_OK;
	if (m->observer && !m->observer->end(m->user, span, b->mine))
		return tn_fail_memory(err);
	if (m->span && m->span(m->user, span))
		return tn_fail(err, TN_ERR_CANCELLED, "stopped");
	return TN_OK;
}

/* Report the span in its current state: it has ended while it waited, or is open. */
static enum tn_code
tell_so(struct match *m, const struct begun *b, struct tn_error *err)
{
	return tell(m, b, m->observer ? NULL : b->ended, err);
}

/* Report the spans that need not wait for an earlier one. */
static enum tn_code
tell_ready(struct match *m, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	while (rc == TN_OK && m->open.first && tn_open_is_done(m->open.first)) {
		struct begun *b = m->open.first;
		struct stack *s = b->stack;

		rc = tell_so(m, b, err);
		tn_open_forget(&m->open, b);
		s->told--;
		tn_open_drop(&m->open, s);
	}
	return rc;
}

/* Report a span that has ended or was replaced, now or when its turn comes. */
static enum tn_code
finish(struct match *m, struct begun *b, const struct ended *e, struct tn_error *err)
{
	struct stack *s = b->stack;
	uint64_t *words;
	enum tn_code rc;

	if (m->order == TN_SPANS_BY_END) {
		rc = tell(m, b, e, err);
		tn_open_forget(&m->open, b);
		tn_open_drop(&m->open, s);
		return rc;
	}
	b->ended = tn_slab_take(&m->open.slab, sizeof *e + 8 * (size_t)e->n_words);
	if (!b->ended)
		return tn_fail_memory(err);
	*b->ended = *e;
	words = (uint64_t *)(b->ended + 1);
	if (e->n_words)
		memcpy(words, e->words, 8 * (size_t)e->n_words);
	b->ended->words = words;
	s->told++;
	tn_open_drop(&m->open, s);
	return tell_ready(m, err);
}

/* ---- spans that are one event ---- */

static struct tn_location
end_of_whole(const struct begun *b, int64_t key_ns)
{
	return (struct tn_location) { .time_ns = key_ns, .stream = b->at.stream };
}

/* Report the spans that end at or before @key_ns. */
static enum tn_code
finish_wholes(struct match *m, int64_t key_ns, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	while (rc == TN_OK && m->wholes.heap.n && m->wholes.heap.item[0].key_ns <= key_ns) {
		struct tn_whole w = tn_wholes_pop(&m->wholes);
		struct ended e = { .at = end_of_whole(w.begun, w.key_ns), .ns = w.end_ns, .has_time = w.begun->has_time };

		w.begun->stack->told--;
		rc = finish(m, w.begun, &e, err);
	}
	return rc;
}

static enum tn_code
take_whole(struct match *m, const struct met *t, struct tn_error *err)
{
	struct stack *s = tn_open_stack(&m->open, t->key);
	struct begun *b = s ? new_begun(m, t, false) : NULL;
	int64_t key_ns = t->record->key_ns + t->key->duration_ns;
	struct ended e;

	if (!b)
		return tn_fail_memory(err);
	b->stack = s;
	b->at = tn_data_row_location(t->record);
	b->ns = t->ns;
	b->has_time = t->key->has_time;
	b->is_whole = true;
	b->state = TN_SPAN_CLOSED;
	tn_open_append(&m->open, b);
	e = (struct ended) { .at = end_of_whole(b, key_ns), .ns = t->ns + t->key->duration_ns, .has_time = b->has_time };
	if (m->order == TN_SPANS_BY_BEGIN)
		return finish(m, b, &e, err);
	s->told++;
	if (m->observer) {
		struct tn_span *span = span_of(m, b, NULL);

		take_values(m, b, NULL, span);
		if (!m->observer->begin(m->user, span, &b->mine))
			return tn_fail_memory(err);
	}
	return tn_wholes_push(&m->wholes, key_ns, e.ns, b) ? TN_OK : tn_fail_memory(err);
}

/* ---- bounds ---- */

/* Too much memory is used: report the waiting spans now, then the oldest open spans, as open. */
static enum tn_code
make_room(struct match *m, struct tn_error *err)
{
	struct begun *next;
	enum tn_code rc;

	m->counts.out_of_order += m->wholes.heap.n;
	rc = finish_wholes(m, INT64_MAX, err);
	/* In the order of ends, no other spans wait. */
	for (struct begun *b = m->order == TN_SPANS_BY_END ? NULL : m->open.first; b && rc == TN_OK; b = next) {
		struct stack *s = b->stack;

		next = b->behind;
		if (!tn_open_is_done(b))
			continue;
		m->counts.out_of_order++;
		rc = tell_so(m, b, err);
		tn_open_forget(&m->open, b);
		s->told--;
		tn_open_drop(&m->open, s);
	}
	while (m->open.first && m->open.slab.used > MOST_BYTES / 2 && rc == TN_OK) {
		struct begun *b = m->open.first;
		struct stack *s = b->stack;

		m->counts.dropped++;
		b->unsure = true;	/* its end event may still arrive */
		rc = tell(m, b, NULL, err);
		tn_open_pull(b);
		tn_open_forget(&m->open, b);
		tn_open_drop(&m->open, s);
	}
	return rc;
}

/* ---- taking records ---- */

/* The begin replaces the open one. An end event that still arrives can only belong to the new span. */
static enum tn_code
replace(struct match *m, struct begun *b, const struct met *by, struct tn_error *err)
{
	bool failed = false;
	struct ended e = { .at = tn_data_row_location(by->record), .ns = by->key->has_time ? by->ns : b->ns };

	tn_open_pull(b);
	b->replaced = true;
	b->unsure = b->unsure || is_doubtful(m, b, &e.at, &failed);
	return failed ? tn_fail_memory(err) : finish(m, b, &e, err);
}

static enum tn_code
take_begin(struct match *m, const struct met *t, struct tn_error *err)
{
	struct stack *s;
	struct begun *b;

	if (m->observer && m->observer->record && !m->observer->record(m->user, t->class))
		return tn_fail_memory(err);
	s = tn_open_stack(&m->open, t->key);
	if (s && s->last && m->spans->definition.item[t->key->definition].rule == TN_SPAN_LATEST) {
		enum tn_code rc = replace(m, s->last, t, err);

		if (rc < 0)
			return rc;
		s = tn_open_stack(&m->open, t->key);	/* the former stack may be freed or idle */
	}
	b = s ? new_begun(m, t, false) : NULL;
	if (!b)
		return tn_fail_memory(err);
	b->at = tn_data_row_location(t->record);
	b->ns = t->ns;
	b->has_time = t->key->has_time;
	tn_open_push(s, b);
	tn_open_append(&m->open, b);
	if (m->observer) {
		struct tn_span *span = span_of(m, b, NULL);

		take_values(m, b, NULL, span);
		if (!m->observer->begin(m->user, span, &b->mine))
			return tn_fail_memory(err);
	}
	return TN_OK;
}

static enum tn_code
take_end(struct match *m, const struct met *t, struct tn_error *err)
{
	struct ended e = {
		.at = tn_data_row_location(t->record), .ns = t->ns, .has_time = t->key->has_time,
		.words = t->captured, .n_words = t->captured_words,
	};
	struct stack *s = tn_open_stack(&m->open, t->key);
	struct begun *b;
	bool failed = false;

	if (!s)
		return tn_fail_memory(err);
	b = m->spans->definition.item[t->key->definition].rule == TN_SPAN_FIFO ? s->first : s->last;
	if (b) {
		tn_open_pull(b);
		b->state = b->unsure || is_doubtful(m, b, &e.at, &failed) ? TN_SPAN_DOUBTFUL : TN_SPAN_CLOSED;
		if (failed)
			return tn_fail_memory(err);
	} else {
		b = new_begun(m, t, true);
		if (!b)
			return tn_fail_memory(err);
		b->stack = s;
		b->state = TN_SPAN_ORPHAN;
		tn_open_append(&m->open, b);
	}
	return finish(m, b, &e, err);
}

static enum tn_code
take_again(struct match *m, const struct tn_record *record, struct tn_error *err)
{
	const struct tn_span_record_again *t = (const struct tn_span_record_again *)(const void *)record;
	struct met met = {
		.record = record, .ns = t->time_ns, .class = t->class,
		.key = (const struct tn_span_record *)(const void *)((const uint8_t *)t - t->back),
	};

	met.captured = tn_again_words(t, met.key, &met.captured_words);
	return record->kind == TN_SPAN_RECORD_BEGIN_AGAIN ? take_begin(m, &met, err) : take_end(m, &met, err);
}

static enum tn_code
take_with_key(struct match *m, const struct tn_span_record *t, struct tn_error *err)
{
	struct met met = {
		.record = &t->record, .ns = t->time_ns, .class = t->class, .key = t,
		.captured = tn_span_record_words(t) + t->key_words, .captured_words = t->captured_words,
	};

	if (t->record.kind == TN_SPAN_RECORD_END)
		return take_end(m, &met, err);
	if (t->record.kind == TN_SPAN_RECORD_WHOLE)
		return take_whole(m, &met, err);
	return take_begin(m, &met, err);
}

static enum tn_code
take(void *user, struct tn_record *record, struct tn_error *err)
{
	const struct tn_span_record *t = (const struct tn_span_record *)(const void *)record;
	struct match *m = user;
	enum tn_code rc = m->wholes.heap.n ? finish_wholes(m, record->key_ns, err) : TN_OK;

	if (rc == TN_OK && m->open.slab.used > MOST_BYTES)
		rc = make_room(m, err);
	if (rc < 0)
		return rc;
	switch ((enum tn_span_record_kind)record->kind) {
	case TN_SPAN_RECORD_BEGIN_AGAIN:
	case TN_SPAN_RECORD_END_AGAIN:
		return take_again(m, record, err);
	case TN_SPAN_RECORD_BEGIN:
	case TN_SPAN_RECORD_END:
	case TN_SPAN_RECORD_WHOLE:
		return take_with_key(m, t, err);
	case TN_SPAN_RECORD_LOSS:
		return take_damage(m, record->rank, err);
	case TN_SPAN_RECORD_NO_KEY:
		break;
	}
	m->counts.without_key++;
	return TN_OK;
}

/* Process the records that are from before the range. */
static enum tn_code
take_seeds(struct match *m, const struct tn_record_buffer *seeds, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t at = 0; rc == TN_OK && at < seeds->n;) {
		struct tn_record *r = (struct tn_record *)(void *)(seeds->bytes + at);

		rc = take(m, r, err);
		at += r->size;
	}
	return rc;
}

static enum tn_code
rows(void *user, struct tn_record_buffer *out, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
     size_t end, struct tn_error *err)
{
	struct match *m = user;

	return tn_span_rows(m->spans, m->options, out, reader, b, first, end, err);
}

/* Report the spans that are still open. */
static enum tn_code
tell_open(struct match *m, struct tn_error *err)
{
	enum tn_code rc = finish_wholes(m, INT64_MAX, err);

	for (struct begun *b = m->open.first; rc == TN_OK && b; b = b->behind)
		rc = tell_so(m, b, err);
	return rc;
}

static void
release(struct match *m)
{
	TN_ARRAY_RELEASE(&m->wholes.heap);
	tn_open_release(&m->open);
	tn_losses_release(&m->losses);
	free(m->damage);
	TN_ARRAY_RELEASE(&m->damaged);
	tn_expression_state_release(&m->condition);
	tn_str_release(&m->name);
}

static enum tn_code
run(struct match *m, struct tn_error *err)
{
	const struct tn_feed_ops feed_ops = { .rows = rows, .take = take };
	struct tn_set *set = m->spans->set;
	enum tn_code rc;

	m->open.is_observed = m->observer != NULL;
	m->now.key = m->key;
	m->now.captured = m->captured;
	rc = tn_losses_find(&m->losses, m->spans, m->options, err);

	m->damage = calloc(set->n_streams + 1, sizeof *m->damage);
	if (rc == TN_OK && !m->damage)
		rc = tn_fail_memory(err);
	if (rc == TN_OK && m->observer && m->observer->seeds)
		rc = take_seeds(m, m->observer->seeds, err);
	if (rc == TN_OK)
		rc = tn_feed_run(set, m->options, &feed_ops, m, err);
	if (rc == TN_OK)
		rc = tell_open(m, err);
	release(m);
	return rc;
}

enum tn_code
tn_spans_observe(const struct tn_spans *spans, const struct tn_scan_options *options, const struct tn_span_observer *observer,
	       void *user, struct tn_error *err)
{
	struct match m = { .spans = spans, .options = options, .order = TN_SPANS_BY_END, .observer = observer, .user = user };

	return run(&m, err);
}

enum tn_code
tn_spans_run_some(const struct tn_spans *spans, const struct tn_scan_options *options, const struct tn_span_wish *wish,
		  int (*span)(void *user, const struct tn_span *span), void *user, struct tn_span_counts *counts,
		  struct tn_error *err)
{
	struct match m = {
		.spans = spans, .options = options, .order = TN_SPANS_BY_END, .span = span, .user = user, .wish = *wish,
	};
	enum tn_code rc = run(&m, err);

	*counts = m.counts;
	return rc;
}

enum tn_code
tn_spans_run(const struct tn_spans *spans, const struct tn_scan_options *options, enum tn_span_order order,
	     int (*span)(void *user, const struct tn_span *span), void *user, struct tn_span_counts *counts,
	     struct tn_error *err)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct match m = { .spans = spans, .options = &o, .order = order, .span = span, .user = user };
	enum tn_code rc;

	if (counts)
		*counts = m.counts;
	if (!spans || !spans->set)
		return tn_fail_null(err);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc < 0)
		return rc;
	rc = run(&m, err);
	if (counts)
		*counts = m.counts;
	return rc;
}
