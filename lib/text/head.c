/* head.c - the part of a line before the name of an event that depends on trace and class only: text.md, 1 */
#include "text/head.h"

#include "base/str.h"

bool
tn_text_copy(struct tn_text *text, struct tn_words *out, struct tn_str *from)
{
	char *copy;

	if (from->failed)
		return false;
	/* The slack allows readers to copy the text in whole chunks. */
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
	bool names;	/* write a title before each item */
	bool start;	/* no item yet: write no ", " before the next one */
	bool some;	/* at least one item was written */
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

/* Append the items of the trace, which are the same for all events. */
static void
trace_items(struct head *h, const struct tn_trace *trace)
{
	unsigned fields = h->text->options.fields;
	const struct tn_env *vpid = tn_trace_env(trace, "vpid");
	char number[32], *end;

	if (fields & TN_FIELD_TRACE && tn_trace_line_name(trace)) {
		if (!h->start)
			tn_str_puts(h->out, ", ");
		if (h->names)
			title(h->text, "trace", h->out);
		tn_put_name(h->text, tn_trace_line_name(trace), h->out);
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

void
tn_head_put(const struct tn_text *text, const struct tn_trace *trace, const struct tn_event_class *ec, struct tn_str *out)
{
	bool names = text->options.names & TN_NAMES_HEADER;
	bool clock = ec->stream_class && ec->stream_class->clock;
	struct head h = { .text = text, .out = out, .names = names, .start = !(names && clock) };

	trace_items(&h, trace);
	class_items(&h, ec);
	if (h.some && !names)
		tn_str_puts(out, " ");
	if (!h.start)
		tn_str_puts(out, ", ");
	if (names)
		title(text, "name", out);
	if (!ec->name)
		return;
	tn_put_words(out, ec->name[0] ? &text->ink.event : &text->ink.unknown);
	tn_put_name(text, ec->name[0] ? ec->name : "<unknown>", out);
	tn_head_put_end(text, out);
}

void
tn_head_put_end(const struct tn_text *text, struct tn_str *out)
{
	tn_put_words(out, &text->ink.reset);
	tn_str_puts(out, text->options.names & TN_NAMES_HEADER ? ", " : ": ");
}

void
tn_head_put_origin(const struct tn_trace *trace, struct tn_str *out)
{
	struct tn_text bare = { .options = { .fields = TN_FIELDS_DEFAULT } };
	struct head h = { .text = &bare, .out = out, .start = true };

	trace_items(&h, trace);
}
