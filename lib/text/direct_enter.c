/* direct_enter.c - make the data that the direct path needs for each packet, for lines of text and records */
#include <stdlib.h>

#include "text/data_row.h"
#include "text/sink.h"
#include "text/direct_template.h"

bool
tn_sink_more(struct text_sink *s, size_t need)
{
	s->out->n = (size_t)(s->p - s->out->text);
	if (!tn_str_grow(s->out, need))
		return false;
	s->p = s->out->text + s->out->n;
	s->limit = s->out->text + s->out->room;
	return true;
}

/* ---- the packet: slots of its scopes, text of its context ---- */

/* Make the text that the lines of the packet's events share. */
static bool
put_packet(const struct tn_text *text, struct tn_line_cache *cache, struct tn_direct *d, const struct tn_batch *batch,
	   struct tn_event *scratch)
{
	bool shown = tn_field_shown(batch->stream->stream_class->packet_context);
	const struct tn_value *v;

	if (!shown && text->options.format == TN_LINE_TEXT)
		return true;
	if (batch->stream->trace->ops->read(batch, TN_READ_PACKET, TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT), scratch,
					    NULL) != TN_OK)
		return false;
	if (text->options.format != TN_LINE_TEXT)
		return tn_data_row_enter(text, cache, d, scratch);
	v = tn_event_scope(scratch, TN_SCOPE_PACKET_CONTEXT);
	if (!v)
		return false;
	if (text->options.names & TN_NAMES_SCOPE) {
		tn_str_put_text(&d->context, tn_scope_name(TN_SCOPE_PACKET_CONTEXT));
		tn_str_put_text(&d->context, " = ");
	}
	tn_put_value(text, v, text->options.names & TN_NAMES_CONTEXT, &d->context);
	return true;
}

/* Space for the words of all classes, whose pages are touched on first use. */
static struct tn_class_words *
room_for_words(const struct tn_text *text, struct tn_line_cache *cache, const struct tn_stream *stream)
{
	const struct tn_trace_words *trace = text->of_stream[stream->rank];
	struct tn_class_words **met;

	if (!cache->met && (cache->met = calloc(text->n_traces + 1, sizeof *cache->met)))
		cache->n_traces = text->n_traces;
	if (!cache->met)
		return NULL;
	met = &cache->met[trace - text->trace];
	if (!*met)
		*met = calloc(trace->trace->n_event_classes + 1, sizeof **met);
	return *met;
}

static void
swap(struct tn_str *a, struct tn_str *b)
{
	struct tn_str c = *a;

	*a = *b;
	*b = c;
}

static bool
enter_packet(const struct tn_text *text, struct tn_line_cache *cache, struct tn_direct *d, const struct tn_batch *batch,
	     struct tn_event *scratch)
{
	const struct tn_stream *stream = batch->stream;
	const struct tn_plan *plan = stream->stream_class->plan;
	const struct tn_clock *clock;
	uint32_t n_slots = stream->trace->n_slots;
	struct tn_machine m = { .p = batch->data, .end = batch->entry.content_bits };

	d->data = NULL;
	if (!d->slot)
		d->slot = calloc((size_t)n_slots + 1, sizeof *d->slot);
	if (!d->repeat)
		d->repeat = calloc(TN_REPEATS, sizeof *d->repeat);
	if (!d->prefix && text->options.format == TN_LINE_TEXT)
		d->prefix = calloc(TN_PREFIXES, sizeof *d->prefix);
	if (!d->slot || !d->repeat || (!d->prefix && text->options.format == TN_LINE_TEXT))
		return false;
	memset(d->slot, 0, n_slots * sizeof *d->slot);
	m.slot = d->slot;
	for (unsigned scope = TN_SCOPE_PACKET_HEADER; scope <= TN_SCOPE_PACKET_CONTEXT; scope++)
		if (plan->skip[scope] && tn_machine_skip(&m, plan->skip[scope]) != TN_TROUBLE_NONE)
			return false;
	swap(&d->context, &d->before);
	tn_str_clear(&d->context);
	if (!put_packet(text, cache, d, batch, scratch))
		return false;
	/* Pages of a ring buffer have few events and the same context: keep the texts made for that context. */
	if (d->context.failed || d->context.n != d->before.n ||
	    (d->context.n && memcmp(d->context.text, d->before.text, d->context.n) != 0))
		for (size_t i = 0; d->prefix && i < TN_PREFIXES; i++)
			d->prefix[i].words = NULL;
	/* Reserve the slack after the texts. */
	if (d->context.failed || !tn_str_reserve(&d->context, 0) || !tn_str_reserve(&d->cells, 0))
		return false;
	d->met = room_for_words(text, cache, stream);
	if (!d->met)
		return false;
	clock = stream->stream_class->clock;
	d->of_class = clock && !clock->beyond ? d->met : NULL;
	d->packet = batch->packet;
	d->most = tn_line_most(batch);
	d->data = batch->data;
	return true;
}

struct tn_direct *
tn_direct_enter(const struct tn_text *text, struct tn_line_cache *cache, const struct tn_batch *batch,
		struct tn_event *scratch)
{
	struct tn_direct *d = &cache->of_stream[batch->stream->rank];

	return enter_packet(text, cache, d, batch, scratch) ? d : NULL;
}
