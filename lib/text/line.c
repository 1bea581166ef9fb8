/*
 * line.c - the line of an event: text.md, 1
 */
#include <stdio.h>
#include <stdlib.h>

#include "text/class_words.h"
#include "text/debug_info.h"
#include "text/direct.h"
#include "text/line.h"
#include "text/data_row.h"

void
tn_line_state_release(struct tn_line_state *state)
{
	tn_event_release(&state->event);
	if (state->cache)
		tn_data_row_room_release(&state->cache->room);
	for (size_t i = 0; state->cache && i < state->cache->n_streams; i++)
		tn_direct_release(&state->cache->of_stream[i]);
	for (size_t i = 0; state->cache && i < state->cache->n_traces; i++)
		free(state->cache->met[i]);
	if (state->cache)
		free(state->cache->met);
	free(state->cache);
	state->cache = NULL;
}

struct tn_line_cache *
tn_line_cache_of(const struct tn_text *text, struct tn_line_state *state)
{
	if (!state->cache) {
		state->cache = calloc(1, sizeof *state->cache + text->n_streams * sizeof *state->cache->of_stream);
		if (state->cache)
			state->cache->n_streams = text->n_streams;
	}
	return state->cache;
}

static void
put_title(const struct tn_text *text, const char *name, struct tn_str *out)
{
	tn_put_words(out, &text->ink.title);
	tn_str_put_text(out, name);
	tn_put_words(out, &text->ink.reset);
	tn_str_put_text(out, " = ");
}

static void
put_line_delta(const struct tn_text *text, int64_t ns, uint64_t cycles, const struct tn_line_previous *previous,
	       struct tn_str *out)
{
	bool known = previous && previous->known;

	if (text->options.time == TN_TIME_CYCLES) {
		tn_str_put_text(out, "+");
		/* The values are of different clocks: write no difference, because it would be about 2^64. */
		if (!known || cycles < previous->cycles)
			tn_str_put_text(out, "????????????");
		else if (tn_str_reserve(out, 32))
			out->n = (size_t)(tn_put_padded(out->text + out->n, cycles - previous->cycles, 12) - out->text);
	} else if (known) {
		/* Subtract modulo 2^64, because the difference may exceed int64_t. */
		tn_text_delta(text, (int64_t)((uint64_t)ns - (uint64_t)previous->ns), out);
	} else {
		tn_str_put_text(out, text->options.time == TN_TIME_NS ? "+?" : "+?.?????????");
	}
}

void
tn_put_stamp(const struct tn_text *text, struct tn_second *cache, bool has_time, int64_t ns, uint64_t cycles,
	     const struct tn_line_previous *previous, struct tn_str *out)
{
	static const char *const unknown[] = {
		[TN_TIME_OF_DAY] = "??:??:??.?????????", [TN_TIME_DATE] = "\?\?\?\?-\?\?-\?\? ??:??:??.?????????",
		[TN_TIME_SECONDS] = "?.?????????", [TN_TIME_NS] = "?",
	};
	bool names = text->options.names & TN_NAMES_HEADER;

	if (names)
		put_title(text, "timestamp", out);
	else
		tn_str_put_text(out, "[");
	tn_put_words(out, &text->ink.time);
	if (text->options.time == TN_TIME_CYCLES) {
		if (tn_str_reserve(out, 32))
			out->n = (size_t)(tn_put_padded(out->text + out->n, cycles, 20) - out->text);
	} else if (has_time) {
		tn_put_time(text, cache, ns, out);
	} else {
		tn_str_put_text(out, unknown[text->options.time]);
	}
	tn_put_words(out, &text->ink.reset);
	if (!names)
		tn_str_put_text(out, "] ");
	if (text->options.no_delta)
		return;
	if (names) {
		tn_str_put_text(out, ", ");
		put_title(text, "delta", out);
	} else {
		tn_str_put_text(out, "(");
	}
	put_line_delta(text, ns, cycles, has_time ? previous : NULL, out);
	if (!names)
		tn_str_put_text(out, ") ");
}

static void
put_head(const struct tn_text *text, const struct tn_event *e, struct tn_str *out)
{
	const struct tn_trace_words *trace = tn_text_trace_words(text, e->stream);
	const struct tn_class_words *words;

	if (!trace)
		return;
	words = tn_class_words(text, trace, e->event_class->index);
	if (!words) {
		out->failed = true;
		return;
	}
	tn_put_words(out, &words->head);
	if (words->whole)
		return;
	if (e->name && e->name[0]) {
		tn_put_words(out, &text->ink.event);
		tn_put_name(text, e->name, out);
	} else {
		tn_put_words(out, &text->ink.unknown);
		tn_str_put_text(out, "<unknown>");
	}
	tn_put_words(out, &words->tail);
}

static void
put_scopes(const struct tn_text *text, const struct tn_event *e, struct tn_str *out)
{
	static const enum tn_scope order[] = {
		TN_SCOPE_PACKET_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD,
	};
	bool some = false;

	for (size_t i = 0; i < TN_COUNT(order); i++) {
		const struct tn_value *v = tn_event_scope(e, order[i]);
		unsigned names = order[i] == TN_SCOPE_PAYLOAD ? TN_NAMES_PAYLOAD : TN_NAMES_CONTEXT;

		if (!v || v->field->hidden)
			continue;
		if (some)
			tn_str_put_text(out, ", ");
		some = true;
		if (text->options.names & TN_NAMES_SCOPE)
			put_title(text, tn_scope_name(order[i]), out);
		tn_put_value(text, v, text->options.names & names, out);
		if (order[i] == TN_SCOPE_COMMON_CONTEXT && tn_has_debug_info(text, v->field))
			tn_put_debug_info(text, e, text->options.names & names, out);
	}
}

void
tn_line_append_event(const struct tn_text *text, struct tn_line_state *state, const struct tn_event *e,
		     struct tn_line_previous *previous, struct tn_str *out)
{
	struct tn_second second = { 0 };
	struct tn_line_cache *cache = state ? tn_line_cache_of(text, state) : NULL;

	bool stamped = text->options.time == TN_TIME_CYCLES ? e->has_cycles : e->has_time;

	if (e->has_cycles)
		tn_put_stamp(text, cache ? &cache->second : &second, stamped, e->time_ns, e->cycles, previous, out);
	put_head(text, e, out);
	put_scopes(text, e, out);
	tn_str_put_text(out, "\n");
	if (previous && stamped)
		*previous = (struct tn_line_previous) { true, e->time_ns, e->cycles };
}

#define LEAST_LINE ((uint64_t)1 << 20)
#define MOST_LINE ((uint64_t)64 << 20)

size_t
tn_line_most(const struct tn_batch *batch)
{
	/* A bit that is an element of an array needs about 17 bytes in its line. */
	uint64_t bytes = batch->entry.content_bits / 8, room = LEAST_LINE;

	room += bytes > MOST_LINE / 256 ? MOST_LINE : 256 * bytes;
	return (size_t)(room + (bytes < MOST_LINE ? bytes : MOST_LINE));
}

enum tn_code
tn_line_cut(const struct tn_text *text, const struct tn_event *event, struct tn_str *out, size_t begin,
	    struct tn_error *err)
{
	size_t most = out->most - begin, end = out->most;
	char words[80];

	out->failed = out->full = false;
	out->most = 0;
	snprintf(words, sizeof words, "<cut: the line has more than %zu bytes>", most);
	if (text->options.format != TN_LINE_TEXT) {
		out->n = begin;
		tn_data_row_put_cut(text, event, words, out);
	} else {
		/* Cut between characters. */
		while (end > begin && ((unsigned char)out->text[end] & 0xc0) == 0x80)
			end--;
		out->n = end;
		tn_str_put_text(out, words);
	}
	tn_str_put_text(out, "\n");
	return out->failed ? tn_fail_memory(err) : TN_OK;
}

/* After a failed allocation, the text is as before. */
static enum tn_code
finish(struct tn_str *out, size_t n, struct tn_error *err)
{
	if (!out->failed)
		return TN_OK;
	out->n = n;
	tn_str_end(out);
	return tn_fail_memory(err);
}

/* Make the words of the event's class, so that its next event may take the direct path. False: memory is out. */
static bool
meet(const struct tn_text *text, const struct tn_trace_words *trace, struct tn_line_state *state)
{
	size_t class = state->event.event_class->index;
	const struct tn_class_words *words = tn_class_words(text, trace, class);
	struct tn_class_words *met = state->cache ? state->cache->of_stream[state->event.stream->rank].met : NULL;

	if (words && met && !met[class].made)
		met[class] = *words;
	return words != NULL;
}

enum tn_code
tn_line_append_values(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t row,
		      struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err)
{
	const struct tn_trace_words *trace = tn_text_trace_words(text, batch->stream);
	size_t n = out->n;
	enum tn_code rc;

	rc = batch->stream->trace->ops->read(batch, row, TN_SCOPE_SHOWN, &state->event, err);
	if (rc != TN_OK)
		return rc;
	if (trace && !meet(text, trace, state))
		return tn_fail_memory(err);
	out->most = n + tn_line_most(batch);
	if (text->options.format == TN_LINE_TEXT)
		tn_line_append_event(text, state, &state->event, previous, out);
	else if (tn_line_cache_of(text, state))
		rc = tn_data_row_append_event(text, state->cache, &state->event, out, err);
	else
		out->failed = true;
	if (rc == TN_OK && (out->full || (!out->failed && out->n > out->most)))
		return tn_line_cut(text, &state->event, out, n, err);
	out->most = 0;
	return rc == TN_OK ? finish(out, n, err) : rc;
}

bool
tn_line_is_stamped(const struct tn_text *text, const struct tn_batch *batch, size_t row)
{
	const struct tn_clock *clock = batch->stream->stream_class->clock;

	if (!clock || text->options.time == TN_TIME_CYCLES)
		return clock != NULL;
	return tn_clock_fits(clock, batch->cycles ? tn_batch_time(batch, row) : batch->refs.item[row].time_ns);
}

void
tn_line_pass(const struct tn_text *text, const struct tn_batch *batch, size_t row, struct tn_line_previous *previous)
{
	if (!tn_line_is_stamped(text, batch, row))
		return;
	previous->known = true;
	previous->ns = tn_batch_time(batch, row);
	previous->key_ns = batch->refs.item[row].time_ns;
	previous->rank = batch->stream->rank;
	previous->cycles = text->options.time == TN_TIME_CYCLES ? tn_batch_cycles(batch, row) : 0;
}

enum tn_code
tn_line_append_fields(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch,
		      size_t row, struct tn_str *out, struct tn_error *err)
{
	size_t n = out->n;
	enum tn_code rc;

	rc = batch->stream->trace->ops->read(batch, row, TN_SCOPE_SHOWN, &state->event, err);
	if (rc != TN_OK)
		return rc;
	out->most = n + tn_line_most(batch);
	put_scopes(text, &state->event, out);
	if (out->full || (!out->failed && out->n > out->most)) {
		rc = tn_line_cut(text, &state->event, out, n, err);
		out->n -= rc == TN_OK;	/* remove the newline */
	}
	out->most = 0;
	tn_str_end(out);
	return rc == TN_OK ? finish(out, n, err) : rc;
}
