/*
 * trace_events.c - events and spans as Chrome trace JSON, which the viewers of Perfetto and Chrome open
 *
 * First, the spans of the proposed pairs are written as X events, with one process for each definition and one thread for
 * each key, so that the spans of a row nest. Then each event is written as an instant of its thread, or of its stream if
 * it has no thread.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/answer.h>

#include "trace_events.h"

#define SPANS 1000000000	/* first process number of spans, above those of systems */
#define ROWS 4096		/* places for named rows, a power of two */

struct named {
	uint64_t hash;
	uint32_t number;	/* starts at 1; 0: the place is empty */
};

struct writer {
	const struct tn_scan_options *scan;	/* options of the caller */
	const struct tn_spans *spans;
	struct tn_str out;
	bool some;		/* an event was already written */
	struct named row[ROWS];
	uint32_t n_rows;
	uint64_t passed;
};

/* Part of a line of JSON. */
struct part {
	const char *at;
	size_t n;
};

static int
flush(struct writer *w, size_t least)
{
	int stop = 0;

	if (w->out.failed)
		return 1;
	if (w->out.n >= least && w->out.n)
		stop = w->scan->lines(w->scan->user, w->out.text, w->out.n);
	if (w->out.n >= least)
		tn_str_clear(&w->out);
	return stop;
}

static void
begin(struct writer *w, const char *phase)
{
	tn_str_printf(&w->out, "%s{\"ph\":\"%s\"", w->some ? ",\n" : "", phase);
	w->some = true;
}

/* Write a time in microseconds, with all digits. */
static void
put_time(struct writer *w, const char *name, int64_t ns)
{
	uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	tn_str_printf(&w->out, ",\"%s\":%s%" PRIu64 ".%03u", name, ns < 0 ? "-" : "", size / 1000, (unsigned)(size % 1000));
}

/*
 * The number of a text; *is_new: it was given just now. If the table is full, texts share numbers, but a viewer cannot
 * show that number of rows anyway.
 */
static uint32_t
number_of(struct writer *w, const char *kind, const struct part *text, bool *is_new)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t i;

	for (const char *p = kind; *p; p++)
		hash = (hash ^ (uint8_t)*p) * UINT64_C(0x100000001b3);
	for (size_t k = 0; k < text->n; k++)
		hash = (hash ^ (uint8_t)text->at[k]) * UINT64_C(0x100000001b3);
	hash ^= hash >> 29;
	for (i = hash % ROWS; w->row[i].number && w->row[i].hash != hash; i = (i + 1) % ROWS)
		;
	*is_new = !w->row[i].number && w->n_rows < ROWS / 2;
	if (*is_new)
		w->row[i] = (struct named) { hash, ++w->n_rows };
	return w->row[i].number ? w->row[i].number : ROWS + (uint32_t)(hash % ROWS);
}

/* Write the name of a process or thread; @json: the name is a JSON string with its quotes. */
static void
put_name(struct writer *w, const char *what, const char *ids, const struct part *name, bool json)
{
	begin(w, "M");
	tn_str_printf(&w->out, ",\"name\":\"%s\",%s,\"args\":{\"name\":", what, ids);
	if (json)
		tn_str_add(&w->out, name->at, name->n);
	else
		tn_answer_json_string(name->at, name->n, &w->out);
	tn_str_puts(&w->out, "}}");
}

/* ---- spans ---- */

static int
on_span(void *user, const struct tn_span *s)
{
	struct writer *w = user;
	struct tn_str key = { 0 };
	struct part row;
	char ids[64], kind[32];
	uint32_t number;
	bool is_new;

	if (!s->has_begin || (!s->has_duration && s->state != TN_SPAN_OPEN))
		return 0;
	for (size_t i = 0; i < s->n_keys; i++) {
		tn_str_printf(&key, "%s%s ", i ? ", " : "", tn_spans_key(w->spans, s->definition, i));
		tn_answer_value_text(&s->key[i], &key);
	}
	row = (struct part) { key.text ? key.text : "", key.n };
	snprintf(kind, sizeof kind, "s%zu ", s->definition);
	number = number_of(w, kind, &row, &is_new);
	snprintf(ids, sizeof ids, "\"pid\":%zu,\"tid\":%" PRIu32, SPANS + s->definition, number);
	if (is_new)
		put_name(w, "thread_name", ids, &row, false);
	begin(w, s->has_duration ? "X" : "B");
	tn_str_printf(&w->out, ",\"cat\":\"span\",%s", ids);
	put_time(w, "ts", s->begin_ns);
	if (s->has_duration)
		put_time(w, "dur", s->duration_ns);
	tn_str_puts(&w->out, ",\"name\":");
	tn_answer_json_string(s->name, strlen(s->name), &w->out);
	tn_str_printf(&w->out, ",\"args\":{\"state\":\"%s\"", tn_span_state_name(s->state));
	for (size_t i = 0; i < s->n_keys; i++) {
		const char *name = tn_spans_key(w->spans, s->definition, i);

		tn_str_puts(&w->out, ",");
		tn_answer_json_string(name, strlen(name), &w->out);
		tn_str_puts(&w->out, ":");
		tn_answer_value_json(&s->key[i], &w->out);
	}
	tn_str_puts(&w->out, "}}");
	w->out.failed |= key.failed;
	tn_str_release(&key);
	return flush(w, 65536);
}

static enum tn_code
write_spans(struct writer *w, struct tn_set *set, const struct tn_scan_options *scan, struct tn_error *err)
{
	struct tn_scan_options how = *scan;
	struct tn_spans *spans = NULL;
	struct tn_pairs *pairs = NULL;
	enum tn_code rc = tn_pairs_new(&pairs, set, err);

	how.lines = NULL;
	how.notice = NULL;	/* the scan of the events reports them */
	how.limit = 0;
	how.text = scan->match ? scan->match : scan->text;
	if (rc == TN_OK)
		rc = tn_spans_new(&spans, set, err);
	for (size_t i = 0; rc == TN_OK && i < tn_pairs_count(pairs); i++) {
		struct part name = { tn_pairs_definition(pairs, i), strlen(tn_pairs_definition(pairs, i)) };
		char ids[32];

		if (tn_spans_add(spans, name.at, NULL) < 0)
			continue;
		snprintf(ids, sizeof ids, "\"pid\":%zu", SPANS + tn_spans_count(spans) - 1);
		put_name(w, "process_name", ids, &name, false);
	}
	w->spans = spans;
	if (rc == TN_OK && tn_spans_count(spans))
		rc = tn_spans_run(spans, &how, TN_SPANS_BY_BEGIN, on_span, w, NULL, err);
	tn_spans_free(spans);
	tn_pairs_free(pairs);
	return rc;
}

/* ---- events: convert their JSON lines ---- */

/* The value of member @name in the line; NULL: the line lacks it. A quote before a colon can only end a name. */
static const char *
member(const char *line, const char *end, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = line; (p = memchr(p, '"', (size_t)(end - p))); p++)
		if ((size_t)(end - p) > n && memcmp(p, name, n) == 0)
			return p + n;
	return NULL;
}

/* The number or string at @p. */
static struct part
value(const char *p, const char *end)
{
	const char *from = p;

	if (p < end && *p == '"') {
		for (p++; p < end && *p != '"'; p++)
			p += *p == '\\';
		p += p < end;
	} else {
		while (p < end && ((*p >= '0' && *p <= '9') || *p == '-'))
			p++;
	}
	return (struct part) { from, p > end ? 0 : (size_t)(p - from) };
}

/* Find the first of these members that is in the line and is a number (with @text: a string). */
static bool
find(const char *line, const char *end, const char *const *names, bool text, struct part *out)
{
	for (size_t i = 0; names[i]; i++) {
		const char *p = member(line, end, names[i]);

		*out = p ? value(p, end) : (struct part) { NULL, 0 };
		if (out->n && (*out->at == '"') == text)
			return true;
	}
	return false;
}

static void
put_place(struct writer *w, const char *line, const char *end)
{
	static const char *const names[] = { "\"thread_name\":", "\"procname\":", "\"comm\":", NULL };
	static const char *const pids[] = { "\"vpid\":", "\"pid\":", NULL };
	static const char *const tids[] = { "\"vtid\":", "\"tid\":", "\"common_pid\":", NULL };
	const char *stream = member(line, end, "\"stream\":{\"name\":");
	struct part pid, tid, name = { "\"\"", 2 };
	char ids[96];
	bool is_new, has_tid = find(line, end, tids, false, &tid);

	if (!find(line, end, pids, false, &pid))
		pid = has_tid ? tid : (struct part) { "0", 1 };
	if (has_tid) {
		find(line, end, names, true, &name);
		snprintf(ids, sizeof ids, "\"pid\":%.*s,\"tid\":%.*s", (int)pid.n, pid.at, (int)tid.n, tid.at);
		number_of(w, "t", &(struct part) { ids, strlen(ids) }, &is_new);
	} else {
		if (stream)
			name = value(stream, end);
		snprintf(ids, sizeof ids, "\"pid\":%.*s,\"tid\":%" PRIu32, (int)pid.n, pid.at,
			 SPANS + number_of(w, "e", &name, &is_new));
	}
	if (is_new && name.n > 2)
		put_name(w, "thread_name", ids, &name, true);
	begin(w, "i");
	tn_str_printf(&w->out, ",\"s\":\"t\",%s", ids);
}

static void
put_event(struct writer *w, const char *line, const char *end)
{
	const char *event = member(line, end, "\"event\":{\"name\":"), *time = member(line, end, "\"time_ns\":"), *fields, *args;
	struct part name;

	if (!event)
		return;	/* ignore a notice */
	name = value(event, end);
	fields = member(event, end, "\"fields\":");
	put_place(w, line, fields ? fields : end);
	put_time(w, "ts", time ? strtoll(time, NULL, 10) : 0);
	tn_str_puts(&w->out, ",\"name\":");
	tn_str_add(&w->out, name.n ? name.at : "\"?\"", name.n ? name.n : 3);
	/* The rest of the event, up to the braces that end the event and the line. */
	args = member(event, end, "\"id\":");
	args = args ? args + value(args, end).n : NULL;
	if (args && *args == ',' && end - args > 3)
		tn_str_printf(&w->out, ",\"args\":{%.*s}", (int)(end - args - 3), args + 1);
	tn_str_puts(&w->out, "}");
	w->passed++;
}

static int
on_lines(void *user, const char *text, size_t n)
{
	struct writer *w = user;

	for (const char *end = text + n, *p = text, *line; p < end; p = line + 1) {
		line = memchr(p, '\n', (size_t)(end - p));
		if (!line)
			line = end;
		put_event(w, p, line);
		if (line == end)
			break;
	}
	return flush(w, 65536);
}

static int
on_notice(void *user, const struct tn_row *row)
{
	const struct tn_scan_options *scan = ((struct writer *)user)->scan;

	return scan->notice ? scan->notice(scan->user, row) : 0;
}

enum tn_code
trace_events_write(struct tn_set *set, const struct tn_text_options *how, const struct tn_scan_options *scan, uint64_t *passed,
		   struct tn_error *err)
{
	struct tn_scan_options events = *scan;
	struct writer *w = calloc(1, sizeof *w);
	struct tn_text *text = NULL;
	enum tn_code rc;

	if (!w) {
		err->code = TN_ERR_MEMORY;
		strcpy(err->text, "out of memory");
		return TN_ERR_MEMORY;
	}
	w->scan = scan;
	events.has_asker = true;
	events.asker = events.user;
	events.user = w;
	events.lines = on_lines;
	events.notice = on_notice;
	events.match = scan->match ? scan->match : scan->text;
	tn_str_puts(&w->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	rc = write_spans(w, set, &events, err);
	if (rc == TN_OK)
		rc = tn_text_new(&text, set, how, err);
	events.text = text;
	if (rc == TN_OK)
		rc = tn_scan(set, &events, NULL, err);
	tn_text_free(text);
	tn_str_puts(&w->out, "\n]}\n");
	if (rc == TN_OK && flush(w, 0)) {
		err->code = rc = w->out.failed ? TN_ERR_MEMORY : TN_ERR_CANCELLED;
		strcpy(err->text, w->out.failed ? "out of memory" : "stopped");
	}
	*passed = w->passed;
	tn_str_release(&w->out);
	free(w);
	return rc;
}
