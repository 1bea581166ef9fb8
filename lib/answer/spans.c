/*
 * spans.c - definitions of spans, and the begins and ends that they mean in a batch
 */
#include "answer/spans.h"

#include <stdlib.h>

#include "base/error.h"

/* ---- definitions ---- */

enum tn_code
tn_spans_new(struct tn_spans **out, struct tn_set *set, struct tn_error *err)
{
	struct tn_spans *s;
	enum tn_code rc;

	if (out)
		*out = NULL;
	if (!out || !set)
		return tn_fail_null(err);
	s = calloc(1, sizeof *s);
	if (!s)
		return tn_fail_memory(err);
	s->set = set;
	rc = tn_classes_init(&s->classes, set, err);
	if (rc == TN_OK && !(s->of_class = calloc(s->classes.n + 1, sizeof *s->of_class)))
		rc = tn_fail_memory(err);
	if (rc < 0) {
		tn_spans_free(s);
		return rc;
	}
	*out = s;
	return TN_OK;
}

void
tn_spans_free(struct tn_spans *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->definition.n; i++)
		tn_span_definition_release(&s->definition.item[i]);
	TN_ARRAY_RELEASE(&s->definition);
	tn_classes_release(&s->classes);
	free(s->of_class);
	free(s);
}

/* What has to be read of the events of each class. */
static void
note_classes(struct tn_spans *s, const struct tn_span_definition *d)
{
	for (size_t c = 0; c < s->classes.n; c++) {
		bool begins = d->begin.verdict[c] != TN_VERDICT_NO, ends = d->end.verdict[c] != TN_VERDICT_NO;
		struct tn_span_class *of = &s->of_class[c];

		if (!begins && !ends)
			continue;
		of->some = true;
		for (size_t i = 0; begins && i < d->begin_key.n; i++)
			of->scopes |= tn_take_scopes(&d->begin_key.item[i], c);
		for (size_t i = 0; ends && i < d->end_key.n; i++)
			of->scopes |= tn_take_scopes(&d->end_key.item[i], c);
		for (size_t i = 0; i < d->captures.n; i++)
			of->scopes |= tn_take_scopes(&d->captures.item[i].take, c);
	}
}

enum tn_code
tn_spans_add(struct tn_spans *s, const char *text, struct tn_error *err)
{
	struct tn_span_definition *d;
	enum tn_code rc;

	if (!s || !text)
		return tn_fail_null(err);
	if (s->definition.n == TN_SPANS_MOST)
		return tn_fail(err, TN_ERR_ARGUMENT, "more than %u definitions", TN_SPANS_MOST);
	d = TN_ARRAY_ADD(&s->definition);
	if (!d)
		return tn_fail_memory(err);
	rc = tn_span_read(d, s, text, err);
	if (rc < 0)
		s->definition.n--;
	else
		note_classes(s, d);
	return rc;
}

size_t
tn_spans_count(const struct tn_spans *s)
{
	return s ? s->definition.n : 0;
}

const char *
tn_spans_key(const struct tn_spans *s, size_t i, size_t k)
{
	if (!s || i >= s->definition.n || k >= s->definition.item[i].begin_key.n)
		return NULL;
	return s->definition.item[i].begin_key.item[k].name;
}

const char *
tn_spans_captured(const struct tn_spans *s, size_t i, size_t k)
{
	if (!s || i >= s->definition.n || k >= s->definition.item[i].captures.n)
		return NULL;
	return s->definition.item[i].captures.item[k].name;
}

const char *
tn_span_state_name(enum tn_span_state state)
{
	static const char *const names[] = { "closed", "open", "orphan", "doubtful" };

	return (unsigned)state < TN_COUNT(names) ? names[state] : "?";
}

/* ---- what threads take out ---- */

static struct tn_taken *
add_taken(struct tn_record_buffer *out, const struct tn_batch *b, size_t row, enum tn_taken_kind kind, size_t words)
{
	struct tn_taken *t = (struct tn_taken *)(void *)tn_record_add(out, b, row, sizeof *t + 8 * words);

	if (!t)
		return NULL;
	t->record.kind = kind;
	t->has_time = b->stream->stream_class->clock != NULL;
	t->time_ns = 0;
	t->class = 0;
	t->definition = 0;
	t->key_words = t->captured_words = 0;
	return t;
}

/* One event that is being looked at. */
struct event {
	const struct tn_spans *spans;
	const struct tn_batch *batch;
	size_t row, class;
	struct tn_piece_reader *reader;
	struct tn_record_buffer *out;
	bool is_read;
};

static enum tn_code
read_event(struct event *e, struct tn_error *err)
{
	unsigned scopes = e->spans->of_class[e->class].scopes;

	if (e->is_read || !scopes)
		return TN_OK;
	e->is_read = true;
	return e->batch->stream->trace->ops->read(e->batch, e->row, scopes, &e->reader->event, err);
}

/* The key as words: definition and trace, then the values. TN_END: the event does not have it. */
static enum tn_code
pack_key(const struct event *e, size_t definition, bool is_end, struct tn_error *err)
{
	const struct tn_span_definition *d = &e->spans->definition.item[definition];
	const struct tn_take *key = is_end ? d->end_key.item : d->begin_key.item;
	struct tn_words_out *out = &e->reader->words;
	struct tn_answer_value v;

	if (!TN_ARRAY_RESERVE(out, 1))
		return tn_fail_memory(err);
	out->item[0] = (uint64_t)definition << 32 | e->spans->classes.trace[e->batch->stream->rank];
	out->n = 1;
	for (size_t i = 0; i < d->begin_key.n; i++) {
		tn_take_value(&key[i], e->class, e->batch, e->row, &e->reader->event, &v);
		if (v.kind == TN_ANSWER_NONE)
			return TN_END;
		if (!tn_pack(out, &v, false))
			return tn_fail_memory(err);
	}
	return TN_OK;
}

/* Values to show: those that this event is asked for; NONE where it has none. */
static enum tn_code
pack_captured(const struct event *e, const struct tn_span_definition *d, bool is_end, struct tn_error *err)
{
	for (size_t i = 0; i < d->captures.n; i++) {
		const struct tn_capture *c = &d->captures.item[i];
		struct tn_answer_value v = { 0 };

		if (is_end ? c->of_end : c->of_begin)
			tn_take_value(&c->take, e->class, e->batch, e->row, &e->reader->event, &v);
		if (!tn_pack(&e->reader->words, &v, true))
			return tn_fail_memory(err);
	}
	return TN_OK;
}

static enum tn_code
take_out(struct event *e, size_t definition, bool is_end, struct tn_error *err)
{
	const struct tn_span_definition *d = &e->spans->definition.item[definition];
	const struct tn_words_out *words = &e->reader->words;
	size_t key_words = 0;
	struct tn_taken *t;
	enum tn_code rc = read_event(e, err);

	if (rc == TN_OK)
		rc = pack_key(e, definition, is_end, err);
	if (rc == TN_END)
		return add_taken(e->out, e->batch, e->row, TN_TAKEN_NO_KEY, 0) ? TN_OK : tn_fail_memory(err);
	key_words = words->n;
	if (rc == TN_OK)
		rc = pack_captured(e, d, is_end, err);
	if (rc < 0)
		return rc;
	t = add_taken(e->out, e->batch, e->row, is_end ? TN_TAKEN_END : TN_TAKEN_BEGIN, words->n);
	if (!t)
		return tn_fail_memory(err);
	if (t->has_time)
		t->time_ns = tn_batch_time(e->batch, e->row);
	t->class = (uint32_t)e->class;
	t->definition = (uint32_t)definition;
	t->key_words = (uint32_t)key_words;
	t->captured_words = (uint32_t)(words->n - key_words);
	memcpy(t + 1, words->item, 8 * words->n);
	return TN_OK;
}

/* Whether the event is what @pick means. */
static enum tn_code
is_meant(struct event *e, const struct tn_pick *pick, bool *meant, struct tn_error *err)
{
	*meant = pick->verdict[e->class] == TN_VERDICT_YES;
	if (pick->verdict[e->class] != TN_VERDICT_OPEN)
		return TN_OK;
	e->is_read = false;
	return tn_expression_match(pick->expression, &e->reader->event, &e->reader->filter.regex, e->batch, e->row, meant, err);
}

/* An event that is both ends a span and begins the next one. */
static enum tn_code
look_at_event(struct event *e, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < e->spans->definition.n; i++) {
		const struct tn_span_definition *d = &e->spans->definition.item[i];
		bool meant;

		rc = is_meant(e, &d->end, &meant, err);
		if (rc == TN_OK && meant)
			rc = take_out(e, i, true, err);
		if (rc == TN_OK)
			rc = is_meant(e, &d->begin, &meant, err);
		if (rc == TN_OK && meant)
			rc = take_out(e, i, false, err);
	}
	return rc;
}

enum tn_code
tn_span_rows(const struct tn_spans *spans, const struct tn_scan_options *o, struct tn_record_buffer *out,
	     struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end, struct tn_error *err)
{
	const struct tn_span_class *of_class = spans->of_class + spans->classes.first[b->stream->rank];
	struct event e = { .spans = spans, .batch = b, .reader = reader, .out = out };
	enum tn_code rc = TN_OK;

	for (size_t i = first; rc == TN_OK && i < end; i++) {
		const struct tn_ref *ref = &b->refs.item[i];
		bool pass;

		if (ref->event_class == TN_REF_NOTICE) {
			if (!add_taken(out, b, i, TN_TAKEN_LOSS, 0))
				return tn_fail_memory(err);
			continue;
		}
		if (!of_class[ref->event_class].some)
			continue;
		rc = tn_piece_passes(o, reader, b, i, &pass, err);
		if (rc < 0 || !pass)
			continue;
		e.row = i;
		e.class = tn_class_of(&spans->classes, b, i);
		e.is_read = false;
		rc = look_at_event(&e, err);
	}
	return rc;
}
