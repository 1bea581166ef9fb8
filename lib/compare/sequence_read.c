/* sequence_read.c - read the events of a side, by the value of the key; equal events get equal numbers */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compare/sequence.h"
#include "base/error.h"
#include "base/options.h"
#include "base/str.h"
#include "model/trace.h"
#include "scan/asker.h"
#include "span/origins.h"
#include "span/spans.h"

/* The place of a loss, from its notice. */
struct loss {
	int64_t time_ns;
	uint32_t stream;
};

struct reader {
	struct tn_sequence *q;
	struct tn_sequence_side *side;
	const struct tn_scan_options *options;	/* options of the caller; or NULL */
	const char *only;	/* text of the wanted value; NULL: all values are wanted */
	bool is_one;		/* all events are one sequence, whose places are kept */
	struct tn_origins origins;
	struct tn_hash values, names;	/* places in `of`; numbers of events without fields, by the address of their name */
	struct tn_str room, text, content;
	TN_ARRAY(struct loss) losses;
	size_t kept;
	bool failed, is_full;
};

static bool
is_of_streams(const struct tn_sequence *q)
{
	return strcmp(q->key, "stream") == 0;
}

/* ---- equal events ---- */

static bool
copy_value(struct tn_sequence *q, struct tn_answer_value *out, const struct tn_answer_value *v)
{
	*out = *v;
	if (v->kind != TN_ANSWER_TEXT)
		return true;
	out->text = tn_arena_copy(&q->arena, v->text, v->n);
	q->bytes += v->n;
	return out->text != NULL;
}

/* The number of an event with this content; the first event with it gets a new number. */
static bool
number_content(struct reader *r, const struct tn_span *s, uint32_t *out)
{
	struct tn_sequence *q = r->q;
	struct tn_hash_item *item;
	struct tn_different *d;
	bool is_new, good;
	char *copy;

	item = tn_hash_add(&q->by_content, tn_str_text(&r->content), r->content.n, &is_new);
	if (!item)
		return false;
	if (!is_new) {
		*out = (uint32_t)item->value;
		return true;
	}
	copy = tn_arena_copy(&q->arena, tn_str_text(&r->content), r->content.n);
	if (copy)
		tn_hash_copy_key(item, copy);
	item->value = *out = (uint32_t)q->different.n;
	d = TN_ARRAY_ADD(&q->different);
	if (!copy || !d)
		return false;
	*d = (struct tn_different) { .name = copy, .field = TN_NEW_ARRAY(&q->arena, q->fields.n + 1, struct tn_answer_value) };
	good = d->field != NULL;
	for (size_t i = 0; i < q->fields.n && good; i++)
		good = copy_value(q, &d->field[i], &s->captured[i + 1]);
	q->bytes += r->content.n + sizeof *d + sizeof *item + q->fields.n * sizeof *d->field;
	r->is_full |= q->bytes > TN_SEQUENCE_BYTES;
	return good;
}

static bool
number_event(struct reader *r, const struct tn_span *s, uint32_t *out)
{
	const uint64_t address = (uint64_t)(uintptr_t)s->name;
	struct tn_hash_item *item = r->q->fields.n ? NULL : tn_hash_find_u64(&r->names, address);
	bool is_new;

	if (item) {
		*out = (uint32_t)item->value;
		return true;
	}
	r->content.n = 0;
	tn_str_add(&r->content, s->name, strlen(s->name) + 1);
	for (size_t i = 0; i < r->q->fields.n; i++) {
		tn_answer_value_json(&s->captured[i + 1], &r->content);
		tn_str_add(&r->content, "", 1);
	}
	if (r->content.failed || !number_content(r, s, out))
		return false;
	item = r->q->fields.n ? NULL : tn_hash_add_u64(&r->names, address, &is_new);
	if (item)
		item->value = *out;
	return item || r->q->fields.n;
}

/* ---- events of a value ---- */

/* Find the list for an event. NULL: its value is not wanted, or exceeds a limit, or memory is out. */
static struct tn_events_of *
events_of(struct reader *r, const struct tn_span *s)
{
	struct tn_answer_value own;
	struct tn_hash_item *item;
	struct tn_events_of *of;
	const char *name, *text;

	if (r->is_one && r->side->of.n && !r->only)
		return &r->side->of.item[0];
	r->text.n = 0;
	r->failed |= !tn_origins_own(&r->origins, &s->captured[0], s->begin.stream, &r->room, &own);
	tn_answer_value_text(&own, &r->text);
	text = tn_str_text(&r->text);
	if (r->text.failed || (r->only && strcmp(text, r->only) != 0)) {
		r->failed |= r->text.failed;
		return NULL;
	}
	item = tn_hash_find(&r->values, text, r->text.n);
	if (item)
		return &r->side->of.item[item->value];
	if (r->side->of.n == TN_SEQUENCE_VALUES) {
		r->side->more++;
		return NULL;
	}
	of = TN_ARRAY_ADD(&r->side->of);
	if (of) {
		name = tn_nicknames_find(r->side->names, r->q->key,
					 tn_stream_host(r->side->selection.set->stream[s->begin.stream]), &s->captured[0]);
		*of = (struct tn_events_of) { .value = strdup(text), .name = name ? strdup(name) : NULL };
		r->failed |= name && !of->name;
	}
	item = of && of->value ? tn_hash_add(&r->values, of->value, r->text.n, NULL) : NULL;
	r->failed |= !item;
	if (item)
		item->value = r->side->of.n - 1;
	return item ? of : NULL;
}

/* Add the place of the event, and its displayed time if it differs. */
static bool
put_place(struct tn_events_of *of, const struct tn_span *s)
{
	struct tn_event_place *place = TN_ARRAY_ADD(&of->place);
	struct tn_odd_time *odd;

	if (!place)
		return false;
	*place = (struct tn_event_place) { s->begin.stream, s->begin.packet, (uint32_t)s->begin.row };
	if (s->has_begin && s->begin_ns == s->begin.time_ns)
		return true;
	odd = TN_ARRAY_ADD(&of->odd);
	if (odd)
		*odd = (struct tn_odd_time) { (uint32_t)of->number.n - 1, s->has_begin, s->begin_ns };
	return odd != NULL;
}

/* Store the event. False: failure, or no more events are stored. */
static bool
on_begin(void *user, const struct tn_span *s, void **mine)
{
	struct reader *r = user;
	struct tn_events_of *of;
	uint32_t number, *number_at;
	int64_t *time;

	(void)mine;
	of = s->captured[0].kind == TN_ANSWER_NONE ? NULL : events_of(r, s);
	if (!r->side->has_first && (of || !r->is_one)) {
		r->side->has_first = true;
		r->side->first_ns = s->begin.time_ns;
	}
	if (!of)
		return !r->failed;
	of->count++;
	if (r->kept == (r->is_one ? TN_SEQUENCE_EVENTS : TN_SEQUENCE_LISTED)) {
		r->side->more++;
		return true;
	}
	if (!number_event(r, s, &number) || r->is_full || !(number_at = TN_ARRAY_ADD(&of->number)) ||
	    !(time = TN_ARRAY_ADD(&of->time_ns))) {
		r->failed = true;
		return false;
	}
	*number_at = number;
	*time = s->begin.time_ns;
	r->kept++;
	r->failed |= r->is_one && !put_place(of, s);
	return !r->failed;
}

static bool
on_end(void *user, const struct tn_span *s, void *mine)
{
	(void)user, (void)s, (void)mine;
	return true;
}

static int
on_notice(void *user, const struct tn_row *row)
{
	struct reader *r = user;
	struct loss *loss;

	if (row->kind != TN_ROW_BREAK) {
		r->side->lost++;
		loss = r->losses.n < TN_SEQUENCE_LOSSES ? TN_ARRAY_ADD(&r->losses) : NULL;
		if (loss)
			*loss = (struct loss) { row->location.time_ns, row->location.stream };
	}
	return r->options && r->options->notice && !r->side->is_told ? r->options->notice(r->options->user, row) : 0;
}

/* ---- losses ---- */

/*
 * Mark each event that is the first after a loss, or the end of the sequence. Losses matter in the streams that have
 * events of the sequence. If the sequence is not a stream, losses in other streams of their kind matter, too, because a
 * thread moves between processors.
 */
static bool
mark_losses(struct reader *r, struct tn_events_of *of)
{
	const struct tn_set *set = r->side->selection.set;
	bool *has = calloc(set->n_streams + 1, sizeof *has), good = has != NULL;
	size_t event = 0;

	for (size_t i = 0; good && i < of->place.n; i++)
		has[of->place.item[i].stream] = true;
	for (size_t i = 0; good && i < r->losses.n; i++) {
		const struct loss *loss = &r->losses.item[i];
		bool matters = has[loss->stream];
		uint32_t *at;

		for (size_t s = 0; s < set->n_streams && !matters && !is_of_streams(r->q); s++)
			matters = has[s] && set->stream[s]->stream_class == set->stream[loss->stream]->stream_class;
		if (matters && !has[loss->stream])
			has[loss->stream] = true;
		while (event < of->time_ns.n && of->time_ns.item[event] < loss->time_ns)
			event++;
		if (!matters || (of->after_loss.n && of->after_loss.item[of->after_loss.n - 1] == event))
			continue;
		at = TN_ARRAY_ADD(&of->after_loss);
		good = at != NULL;
		if (at)
			*at = (uint32_t)event;
	}
	free(has);
	return good;
}

/* ---- reading ---- */

/* Write a condition such as "tid == 403" or `comm == "x"`. */
static void
put_condition(const struct tn_sequence *q, const char *value, struct tn_str *out)
{
	char *end;

	tn_str_printf(out, "%s == ", q->key);
	(void)strtod(value, &end);
	if (*value && !*end && !isspace((unsigned char)*value))
		tn_str_puts(out, value);
	else
		tn_answer_json_string(value, strlen(value), out);
}

/* Define spans from each event to the next event of the trace, to read all events with their values. */
static enum tn_code
define(const struct tn_sequence *q, const struct tn_sequence_side *side, const char *condition, struct tn_spans **out,
       struct tn_error *err)
{
	struct tn_str text = { 0 };
	enum tn_code rc = tn_spans_new(out, side->selection.set, err);

	if (rc < 0)
		return rc;
	if (condition)
		tn_str_printf(&text, "(%s) (%s) show begin.%s", condition, condition, q->key);
	else
		tn_str_printf(&text, "* * show begin.%s", q->key);
	for (size_t i = 0; i < q->fields.n; i++)
		tn_str_printf(&text, ", begin.%s", q->fields.item[i]);
	rc = text.failed ? tn_fail_memory(err) : tn_spans_add_meant(*out, text.text, q->key, err);
	tn_str_release(&text);
	return rc;
}

enum tn_code
tn_sequence_check(struct tn_sequence *q, size_t side, struct tn_error *err)
{
	struct tn_spans *spans = NULL;
	enum tn_code rc = define(q, &q->side[side], NULL, &spans, err);

	tn_spans_free(spans);
	return rc;
}

static enum tn_code
run(struct reader *r, const struct tn_spans *spans, struct tn_error *err)
{
	static const struct tn_span_observer observer = { .begin = on_begin, .end = on_end };
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	enum tn_code rc = tn_options_take(&o, sizeof o, r->options, "tn_scan_options", err);

	o.notice = on_notice;
	tn_answer_with(&o, r);
	if (rc == TN_OK)
		rc = tn_spans_observe(spans, &o, &observer, r, err);
	r->side->is_told = true;
	if (r->is_full)
		return tn_fail(err, TN_ERR_ARGUMENT, "the events have too many different values of '%s' for 48 MiB: "
			       "show fewer fields", r->q->shown ? r->q->shown : "name");
	if (rc == TN_OK && r->is_one && r->side->of.n && !mark_losses(r, &r->side->of.item[0]))
		rc = tn_fail_memory(err);
	return rc;
}

static void
forget_side(struct tn_sequence_side *s)
{
	for (size_t i = 0; i < s->of.n; i++) {
		struct tn_events_of *of = &s->of.item[i];

		free(of->value);
		free(of->name);
		TN_ARRAY_RELEASE(&of->number);
		TN_ARRAY_RELEASE(&of->time_ns);
		TN_ARRAY_RELEASE(&of->place);
		TN_ARRAY_RELEASE(&of->odd);
		TN_ARRAY_RELEASE(&of->after_loss);
	}
	TN_ARRAY_RELEASE(&s->of);
	s->more = s->lost = 0;
	s->has_first = false;
}

void
tn_sequence_forget(struct tn_sequence *q)
{
	forget_side(&q->side[0]);
	forget_side(&q->side[1]);
	TN_ARRAY_RELEASE(&q->different);
	TN_ARRAY_RELEASE(&q->pairs);
	TN_ARRAY_RELEASE(&q->hunks);
	tn_hash_release(&q->by_content);
	tn_arena_release(&q->arena);
	q->bytes = 0;
}

/* Read all values, or one: first by a condition; if the condition finds no event, by the text of the value. */
static enum tn_code
read_as(struct tn_sequence *q, size_t side, const char *value, bool by_text, struct tn_error *err)
{
	struct reader r = {
		.q = q, .side = &q->side[side], .options = q->side[side].selection.options, .is_one = value != NULL,
		.only = by_text ? value : NULL,
	};
	struct tn_spans *spans = NULL;
	struct tn_str condition = { 0 };
	enum tn_code rc = tn_origins_find(&r.origins, r.side->selection.set, is_of_streams(q), err);

	if (value && !by_text)
		put_condition(q, value, &condition);
	if (rc == TN_OK && (!condition.text || !r.origins.n)) {
		rc = define(q, r.side, condition.text, &spans, err);
		if (rc == TN_OK)
			rc = run(&r, spans, err);
		else if (rc == TN_ERR_ARGUMENT)
			rc = TN_OK;	/* the other side may have the key; or the text of the value is tried next */
	}
	tn_spans_free(spans);
	tn_str_release(&condition);
	tn_origins_release(&r.origins);
	tn_hash_release(&r.values);
	tn_hash_release(&r.names);
	tn_str_release(&r.room);
	tn_str_release(&r.text);
	tn_str_release(&r.content);
	TN_ARRAY_RELEASE(&r.losses);
	return rc;
}

enum tn_code
tn_sequence_read(struct tn_sequence *q, size_t side, const char *value, struct tn_error *err)
{
	enum tn_code rc;

	forget_side(&q->side[side]);
	rc = read_as(q, side, value, false, err);
	if (rc != TN_OK || !value || q->side[side].of.n)
		return rc;
	forget_side(&q->side[side]);
	rc = read_as(q, side, value, true, err);
	if (rc == TN_OK && !q->side[side].of.n && !side)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "the first side does not have an event with %s = %s: '%s' alone lists all",
			     q->key, value, q->key);
	else if (rc == TN_OK && !q->side[side].of.n)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "the second side does not have an event with %s = %s: '%s' alone lists all",
			     q->key, value, q->key);
	return rc;
}
