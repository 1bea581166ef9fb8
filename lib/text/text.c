/*
 * text.c - what is the same for all events of a class is put together once: text.md, 1
 */
#include <stdlib.h>
#include <time.h>

#include "base/options.h"
#include "base/str.h"
#include "base/ways.h"
#include "text/line.h"
#include "text/record.h"

static bool
keep(struct tn_text *text, struct tn_words *out, struct tn_str *from)
{
	char *copy;

	if (from->failed)
		return false;
	/* The slack lets whoever copies it take whole chunks. */
	copy = tn_arena_alloc(&text->arena, from->n + TN_STR_SLACK);
	if (!copy)
		return false;
	if (from->n)
		memcpy(copy, from->text, from->n);
	out->text = copy;
	out->n = from->n;
	from->n = 0;
	return true;
}

/* The text of environment entry @name, or NULL. */
static const char *
env_text(const struct tn_trace *trace, const char *name)
{
	const struct tn_env *env = tn_trace_env(trace, name);

	return env && env->is_text ? env->text : NULL;
}

struct head {
	const struct tn_text *text;
	struct tn_str *out;
	bool names;	/* titles before the items */
	bool start;	/* no ", " before an item */
	bool some;	/* an item was written */
};

static void
title(const struct tn_text *text, const char *name, struct tn_str *out)
{
	tn_put_words(out, &text->ink.title);
	tn_str_puts(out, name);
	tn_put_words(out, &text->ink.reset);
	tn_str_puts(out, " = ");
}

static void
item(struct head *h, const char *name, const char *value)
{
	if (!value)
		return;
	if (!h->start)
		tn_str_puts(h->out, ", ");
	if (h->names)
		title(h->text, name, h->out);
	else if (h->some)
		tn_str_puts(h->out, ":");
	tn_put_name(h->text, value, h->out);
	h->some = true;
}

/* The items of the trace: what is known without an event. */
static void
trace_items(struct head *h, const struct tn_trace *trace)
{
	unsigned fields = h->text->options.fields;
	const struct tn_env *vpid = tn_trace_env(trace, "vpid");
	char number[32], *end;

	if (fields & TN_FIELD_TRACE && trace->name) {
		if (!h->start)
			tn_str_puts(h->out, ", ");
		if (h->names)
			title(h->text, "trace", h->out);
		tn_put_name(h->text, trace->name, h->out);
		if (h->names)
			tn_str_puts(h->out, ", ");
	}
	if (fields & TN_FIELD_HOSTNAME)
		item(h, "trace:hostname", env_text(trace, "hostname"));
	if (fields & TN_FIELD_DOMAIN)
		item(h, "trace:domain", env_text(trace, "domain"));
	if (fields & TN_FIELD_PROCNAME)
		item(h, "trace:procname", env_text(trace, "procname"));
	if (fields & TN_FIELD_VPID && vpid && !vpid->is_text) {
		number[0] = '(';
		end = tn_put_i64(number + 1, vpid->number);
		*end++ = ')';
		*end = '\0';
		item(h, "trace:vpid", number);
	}
}

static void
class_items(struct head *h, const struct tn_event_class *ec)
{
	unsigned fields = h->text->options.fields;
	const char *level = ec->log_level < 0 ? NULL : tn_log_level_name(ec->log_level);
	char words[64], *end;

	if (fields & TN_FIELD_LOGLEVEL && level && strlen(level) < 40) {
		strcpy(words, "TRACE_");
		strcat(words, level);
		strcat(words, " (");
		end = tn_put_i64(words + strlen(words), ec->log_level);
		*end++ = ')';
		*end = '\0';
		item(h, "loglevel", words);
	}
	if (fields & TN_FIELD_EMF)
		item(h, "model.emf.uri", ec->emf_uri);
}

static bool
class_words(struct tn_text *text, const struct tn_trace *trace, const struct tn_event_class *ec,
	    struct tn_class_words *words, struct tn_str *room)
{
	bool names = text->options.names & TN_NAMES_HEADER;
	bool clock = ec->stream_class && ec->stream_class->clock;
	struct head h = { .text = text, .out = room, .names = names, .start = !(names && clock) };

	trace_items(&h, trace);
	class_items(&h, ec);
	if (h.some && !names)
		tn_str_puts(room, " ");
	if (!h.start)
		tn_str_puts(room, ", ");
	if (names)
		title(text, "name", room);
	words->whole = ec->name != NULL;
	if (words->whole) {
		tn_put_words(room, ec->name[0] ? &text->ink.event : &text->ink.unknown);
		tn_put_name(text, ec->name[0] ? ec->name : "<unknown>", room);
	} else if (!keep(text, &words->head, room)) {
		return false;
	}
	tn_put_words(room, &text->ink.reset);
	tn_str_puts(room, names ? ", " : ": ");
	if (text->options.format != TN_LINE_TEXT) {	/* it has words of its own: record_make.c */
		room->n = 0;
		return keep(text, &words->head, room) && keep(text, &words->middle, room);
	}
	return keep(text, words->whole ? &words->head : &words->tail, room);
}

static bool
trace_words(struct tn_text *text, const struct tn_trace *trace, struct tn_trace_words *words,
	    struct tn_str *room)
{
	struct tn_text bare = { .options = { .fields = TN_FIELDS_DEFAULT } };
	struct head h = { .text = &bare, .out = room, .start = true };

	words->trace = trace;
	trace_items(&h, trace);
	if (!keep(text, &words->origin, room))
		return false;
	words->of_class = TN_NEW_ARRAY(&text->arena, trace->n_event_classes + 1, struct tn_class_words);
	if (!words->of_class)
		return false;
	for (size_t i = 0; i < trace->n_event_classes; i++)
		if (!class_words(text, trace, trace->event_class[i], &words->of_class[i], room))
			return false;
	return true;
}

/* The codes of the direct path; colours and tests take the other one. */
static bool
compile(struct tn_text *text, const struct tn_trace *trace, struct tn_trace_words *words)
{
	if (text->options.color || (tn_ways() & TN_WAYS_VALUES))
		return true;
	return text->options.format == TN_LINE_TEXT ? tn_direct_compile(text, trace, words)
						    : tn_record_compile(text, trace, words);
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
	for (size_t i = 0; i < set->n_traces; i++)
		if (!compile(text, set->trace[i], &text->trace[i]))
			return false;
	return true;
}

#define WORDS(s) (struct tn_words) { "" s, sizeof(s) - 1 }

/* The sequences that babeltrace2 sends: text.md, 6. */
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
	return tn_fail(err, TN_ERR_UNSUPPORTED, "the names of the columns take more than %zu MiB: ask for fewer events (a filter), "
		       "or for JSON lines", TN_COLUMN_BYTES >> 20);
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
	if (rc == TN_OK && text->options.color) {
		struct tn_text_options without = text->options;

		without.color = false;
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
