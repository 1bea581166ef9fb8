/*
 * text.c - the format of the lines of a set's events
 */
#include <stdlib.h>
#include <time.h>

#include "base/options.h"
#include "base/str.h"
#include "text/class_words.h"
#include "text/columns.h"
#include "text/head.h"
#include "text/line.h"

static bool
trace_words(struct tn_text *text, const struct tn_trace *trace, struct tn_trace_words *words,
	    struct tn_str *room)
{
	words->trace = trace;
	tn_head_put_origin(trace, room);
	if (!tn_text_copy(text, &words->origin, room))
		return false;
	/* The memory for classes without events is never used, so it costs nothing. */
	words->of_class = TN_NEW_ARRAY(&text->arena, trace->n_event_classes + 1, struct tn_class_words);
	return words->of_class != NULL;
}

static bool
set_words(struct tn_text *text, const struct tn_set *set, struct tn_str *room)
{
	text->n_traces = set->n_traces;
	text->n_streams = set->n_streams;
	text->trace = TN_NEW_ARRAY(&text->arena, set->n_traces + 1, struct tn_trace_words);
	text->of_stream = TN_NEW_ARRAY(&text->arena, set->n_streams + 1, const struct tn_trace_words *);
	if (!text->trace || !text->of_stream)
		return false;
	for (size_t i = 0; i < set->n_traces; i++) {
		if (!trace_words(text, set->trace[i], &text->trace[i], room))
			return false;
		for (size_t k = 0; k < set->n_streams; k++)
			if (set->stream[k]->trace == set->trace[i])
				text->of_stream[k] = &text->trace[i];
	}
	for (size_t i = 0; text->options.format != TN_LINE_TEXT && i < set->n_traces; i++)
		if (!tn_columns_shadow(text, set->trace[i], &text->trace[i]))
			return false;
	if (text->options.format == TN_LINE_CSV && !tn_columns_make(text, set))
		return false;
	return tn_class_words_begin(text);
}

#define WORDS(s) (struct tn_words) { "" s, sizeof(s) - 1 }

/* Set the escape sequences that babeltrace2 uses: text.md, 6. */
static void
set_ink(struct tn_text *text)
{
	struct tn_words none = WORDS("");

	text->ink.name = text->ink.value = text->ink.title = text->ink.event = none;
	text->ink.time = text->ink.unknown = text->ink.warning = text->ink.reset = none;
	if (!text->options.color)
		return;
	text->ink.name = WORDS("\033[36m");
	text->ink.value = WORDS("\033[1m");
	text->ink.title = WORDS("\033[1m");
	text->ink.event = WORDS("\033[1m\033[1m\033[35m");
	text->ink.time = WORDS("\033[1m\033[1m\033[33m");
	text->ink.unknown = WORDS("\033[1m\033[1m\033[31m");
	text->ink.warning = WORDS("\033[33m");
	text->ink.reset = WORDS("\033[0m");
}

static enum tn_code
too_wide(struct tn_error *err)
{
	return tn_fail(err, TN_ERR_UNSUPPORTED, "the names of the columns take more than %zu MiB: use a filter or JSON "
		       "lines", TN_COLUMN_BYTES >> 20);
}

enum tn_code
tn_text_new(struct tn_text **out, const struct tn_set *set, const struct tn_text_options *options,
	    struct tn_error *err)
{
	if (!out)
		return tn_fail_null(err);

	struct tn_text_options own = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_str room = { 0 };
	struct tn_text *text;
	enum tn_code rc;

	*out = NULL;
	rc = tn_options_take(&own, sizeof own, options, "tn_text_options", err);
	if (rc < 0)
		return rc;
	if (!(text = calloc(1, sizeof *text)))
		return tn_fail_memory(err);
	tzset();	/* localtime_r() need not read TZ by itself */
	text->options = own;
	if (text->options.format != TN_LINE_TEXT)
		text->options.color = false;
	set_ink(text);
	if (set && !set_words(text, set, &room))
		rc = text->too_wide ? too_wide(err) : tn_fail_memory(err);
	tn_str_release(&room);
	text->options.column_class = NULL;
	if (rc == TN_OK && (text->options.color || text->options.debug_info)) {
		struct tn_text_options without = text->options;

		without.color = false;
		without.debug_info = NULL;
		rc = tn_text_new(&text->plain, set, &without, err);
	}
	if (rc != TN_OK) {
		tn_text_free(text);
		return rc;
	}
	*out = text;
	return TN_OK;
}

void
tn_text_free(struct tn_text *text)
{
	if (!text)
		return;
	tn_text_free(text->plain);
	tn_class_words_release(text);
	tn_arena_release(&text->arena);
	free(text);
}

const struct tn_text *
tn_text_plain(const struct tn_text *text)
{
	return text->plain ? text->plain : text;
}

void
tn_text_origin(const struct tn_text *text, const struct tn_stream *stream, struct tn_str *out)
{
	if (!text || !stream || !out)
		return;

	const struct tn_trace_words *words = tn_text_trace_words(text, stream);

	if (words)
		tn_put_words(out, &words->origin);
}
